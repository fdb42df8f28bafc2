"""Computer players. A player is one class with one method; whatever plays a seat is a Player.

>>> import umpire
>>> from umpire.players import Player, Random, play
>>> class Hasty(Player):
...     def choose(self, battle, side, decision):
...         return decision.suggestions(self.rng, 1)[0]
>>> battle = umpire.battle("warcry", seed=7)
>>> play(battle, [Hasty(), Random(seed=1)]).outcome is not None
True
"""

from umpire.players.player import ENDLESS, Endless, Player, Random, names, play, player

__all__ = ["ENDLESS", "Endless", "Player", "Random", "names", "play", "player"]
