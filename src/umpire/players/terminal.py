"""`umpire play`: a battle in the terminal, a person against the computer or another person."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape

from umpire import rulebook
from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, ChooseSeveral, Confirm, Decision, Json, Order, TypeDice
from umpire.engine.explain import explain, explain_reason, rule_name
from umpire.engine.rng import Rng
from umpire.engine.view import redacted, visible
from umpire.errors import UmpireError, fault
from umpire.players.player import Player
from umpire.players.plot import plan_of
from umpire.text import Text, both, mark, render, say

SUGGESTIONS = 6
CITED = 3
"""So many rules of an event are named; the record has all."""
SIDE_STYLES = ("bold blue", "bold red")


class Terminal:
    """One battle shown on a console. `people` are the sides that `ask` answers for; the players answer for the rest."""

    def __init__(
        self,
        battle: Battle[Any],
        players: Mapping[int, Player],
        lang: str,
        ask: Callable[[str], str],
        console: Console | None = None,
    ) -> None:
        self.battle = battle
        self.players = players
        self.lang = lang
        self.ask = ask
        self.console = console or Console(highlight=False, soft_wrap=True)
        self.told = 0
        self.rng = Rng(0)

    def run(self) -> None:
        """Until the battle is over, or whoever plays has no more to say."""
        while (decision := self.battle.decision) is not None:
            if decision.side in self.players:
                answer = self.players[decision.side].choose(self.battle, decision.side, decision)
            else:
                try:
                    answer = self._person(decision)
                except EOFError:
                    self._print("ended")
                    return
                if answer is _UNDONE:
                    continue
            self.battle.answer(answer, decision.side)
        self._tell(None)
        outcome = self.battle.outcome
        assert outcome is not None
        winner = self._says("draw") if outcome.winner is None else self._says("wins", n=self._seat(outcome.winner))
        self._print("over", winner=winner, score=" : ".join(f"{points:g}" for points in outcome.score))

    # -- what is shown -------------------------------------------------------------------------------------------

    def _says(self, key: str, **args: Any) -> str:
        return say(Text(f"terminal.{key}", args), self.lang)

    def _seat(self, side: int) -> str:
        return self._says(f"seat.{side}")

    def _print(self, key: str, **args: Any) -> None:
        self.console.print(escape(self._says(key, **args)))

    def _names(self, key: str) -> Mapping[str, str] | None:
        return self.battle.game.name(self.battle.state, key)

    def _say(self, text: Any) -> str:
        return escape(say(text, self.lang, self.battle.game.id, self._names))

    def _tell(self, side: int | None) -> None:
        """What has happened since the last question, as far as that side may know it."""
        game = self.battle.game.id
        for event in self.battle.events[self.told :]:
            if visible(event, side):
                line = escape(explain(event, game, self._names, self.lang))
                more = " …" if len(event.rules) > CITED else ""
                cited = f"  [dim]{escape(' '.join(event.rules[:CITED]))}{more}[/]" if event.rules else ""
                self.console.print(f"  {line}{cited}")
        self.told = len(self.battle.events)

    def _show(self, decision: Decision, choices: Sequence[Json]) -> None:
        style = SIDE_STYLES[decision.side % 2]
        who = self._says("side", n=self._seat(decision.side))
        about = f" · {self._say(decision.about)}" if decision.about else ""
        rules = "  ".join(f"{rule_name(rule, self.lang)} [{rule}]" for rule in decision.rules)
        self.console.print(f"[{style}]{who}[/]{about}  {self._say(decision.prompt)}  [dim]{escape(rules)}[/]")
        if not isinstance(decision, (Choose, ChooseSeveral, Order, Confirm)):
            self.console.print(f"  [dim]{self._says('example')}[/]")
        for number, choice in enumerate(choices, 1):
            self.console.print(f"  [bold]{number:>2}[/] {self._label(decision, choice)}")

    def _label(self, decision: Decision, choice: Json) -> str:
        options = getattr(decision, "options", {})
        if isinstance(choice, str) and choice in options:
            return self._say(options[choice].label or choice)
        if options and isinstance(choice, list):
            return mark("items", self.lang).join(self._label(decision, item) for item in choice) or "-"
        if isinstance(choice, bool):
            return escape(render(choice, self.lang, self.battle.game.id))
        return escape(json.dumps(choice, ensure_ascii=False))

    # -- what a person says --------------------------------------------------------------------------------------

    def _person(self, decision: Decision) -> Json:
        """A legal answer, or `_UNDONE` if the last one was taken back."""
        side = decision.side
        self._tell(side)
        choices = self._choices(decision)
        self._show(decision, choices)
        self.console.print(f"[dim]{escape(self._says('help'))}[/]")
        while True:
            words = self.ask("> ").strip()
            command, _, rest = words.partition(" ")
            match command:
                case "":
                    continue
                case "q":
                    raise EOFError
                case "?":
                    self._explain(decision)
                case "m":
                    self._map(side, rest.strip())
                case "h":
                    self._hint(decision)
                case "o":
                    self._odds(decision, choices, rest.strip())
                case "u":
                    if self.battle.may_undo(side):
                        self.battle.undo()
                        self.told = min(self.told, len(self.battle.events))
                        return _UNDONE
                    self._print("no-undo")
                case _:
                    try:
                        answer = self._read(decision, choices, words)
                    except UmpireError as error:
                        self.console.print(escape(error.line(self.lang)))
                        continue
                    ruling = self.battle.check(answer, side)
                    if ruling:
                        return answer
                    game = self.battle.game.id
                    why = "; ".join(explain_reason(r, game, self._names, self.lang) for r in ruling.reasons)
                    self._print("refused", why=why)
                    if ruling.nearest is not None:
                        self._print("nearest", answer=json.dumps(ruling.nearest, ensure_ascii=False))

    def _choices(self, decision: Decision) -> list[Json]:
        """What the numbers stand for: the options, or a few legal answers to a question without."""
        if isinstance(decision, (Choose, ChooseSeveral, Order)):
            return list(decision.options)
        if isinstance(decision, TypeDice):
            return []
        return decision.suggestions(self.rng, SUGGESTIONS)

    def _yes_or_no(self, said: str) -> bool | None:
        """What a word means in any language, or its first letter in English."""
        for word, meant in (("yes", True), ("no", False)):
            if said.lower() in (word, word[0], *both(word).values()):
                return meant
        return None

    def _read(self, decision: Decision, choices: Sequence[Json], words: str) -> Json:
        if isinstance(decision, Confirm) and (said := self._yes_or_no(words)) is not None:
            return said
        if words[0] in '{["' or words in ("true", "false"):
            try:
                return json.loads(words)
            except ValueError:
                raise fault("terminal.not-json", word=words) from None
        parts = [] if words == "-" else words.replace(",", " ").replace("，", " ").split()
        if not all(part.isdecimal() for part in parts):
            raise fault("terminal.not-json", word=words)
        if isinstance(decision, TypeDice):
            return [int(part) for part in parts]
        for part in parts:
            if not 1 <= int(part) <= len(choices):
                raise fault("terminal.no-number", word=part)
        chosen = [choices[int(part) - 1] for part in parts]
        if isinstance(decision, (ChooseSeveral, Order)):
            return chosen
        if len(chosen) != 1:
            raise fault("terminal.not-json", word=words)
        return chosen[0]

    # -- what a person asks --------------------------------------------------------------------------------------

    def _explain(self, decision: Decision) -> None:
        for rule in decision.rules:
            self.console.print(f"[bold]{escape(rule_name(rule, self.lang))}[/] [dim]{escape(rule)}[/]")
            if rulebook.exists(rule):
                found = rulebook.rule(rule)
                self.console.print("  " + escape(found.words(self.lang)))

    def _map(self, side: int, file: str) -> None:
        game, state = self.battle.game, redacted(self.battle, side)
        picture = game.picture(state)
        if file:
            from umpire.engine.svg import draw

            Path(file).write_text(draw(picture, game.id, self._names, self.lang), encoding="utf-8")
            self._print("written", file=file)
            return
        for line in plan_of(picture, lambda label: say(label, self.lang, game.id, self._names)):
            self.console.print(escape(line))

    def _hint(self, decision: Decision) -> None:
        from umpire.players.planner import Planner

        planner = Planner("normal")
        answer = planner.choose(self.battle, decision.side, decision)
        self.console.print(self._label(decision, answer))
        self.console.print(escape(planner.explain()[self.lang]))

    def _odds(self, decision: Decision, choices: Sequence[Json], word: str) -> None:
        asked = [choices[int(word) - 1]] if word.isdecimal() and 1 <= int(word) <= len(choices) else choices
        found = False
        for choice in asked:
            odds = self.battle.odds(choice, decision.side)
            if odds:
                found = True
                self.console.print(f"  {self._label(decision, choice)}: {self._odds_line(odds)}")
        if not found:
            self._print("no-odds")

    def _odds_line(self, odds: Mapping[str, Any]) -> str:
        parts = []
        for line in odds.get("lines", ()):
            value = line["value"]
            said = f"{value:.1%}" if line.get("chance") else render(value, self.lang, self.battle.game.id, self._names)
            parts.append(f"{self._say(line['label'])} {said}")
        return escape(mark("comma", self.lang).join(parts)) or self._say(odds.get("title", Text("odds")))


_UNDONE = object()
