"""The games of this project, in the order in which they are offered; others come by entry points `umpire.games`."""

GAMES = ("warcry", "aos", "conquest", "wh40k", "t9a")
