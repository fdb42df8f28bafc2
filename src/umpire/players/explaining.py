"""What a planner weighed, in words that a player understands."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from umpire.engine.battle import Battle
from umpire.engine.decisions import Json
from umpire.engine.state import State
from umpire.players.chance import after, chance
from umpire.players.plans import Plan
from umpire.text import LANGUAGES, mark, say, words

WORDS: dict[str, dict[str, str]] = {
    "nothing yet": words("explaining.nothing-has-been-decided-yet"),
    "planned": words("explaining.carries-out-the-plan-made"),
    "no choice": words("explaining.there-was-nothing-to-weigh"),
    "does": words("explaining.does"),
    "because": words("explaining.because"),
    "nearly": words("explaining.nearly"),
    "otherwise": words("explaining.otherwise"),
    "comma": words("explaining.comma"),
    "score up": words("explaining.score-up"),
    "score down": words("explaining.score-down"),
    "army up": words("explaining.army-up"),
    "army down": words("explaining.army-down"),
    "spoils up": words("explaining.spoils-up"),
    "spoils down": words("explaining.spoils-down"),
    "position up": words("explaining.position-up"),
    "position down": words("explaining.position-down"),
    "attack up": words("explaining.attack-up"),
    "attack down": words("explaining.attack-down"),
    "chance": words("explaining.chance"),
    "chance changes": words("explaining.chance-changes"),
    "go": words("explaining.go-to"),
    "put": words("explaining.set-up-at"),
    "stay": words("explaining.stay"),
    "true": words("explaining.yes"),
    "false": words("explaining.no"),
}
VICTORY = words("explaining.victory")
DEFEAT = words("explaining.defeat")
CLOSE = 1.0
"""Two answers whose values differ by less are about as good."""
DECIDED = 1e5
"""A value beyond this is no sum of terms: the battle would be over."""


class Row(msgspec.Struct, frozen=True):
    """A first answer, the best value that a plan made of it, in how many plans, and what that value is made of: how
    each term differs from what it is now."""

    answer: Json
    value: float
    plans: int
    terms: dict[str, float]


class Weighed(msgspec.Struct, frozen=True):
    """The last decision of a planner: what it was about, and the plans that were drawn up, the best first."""

    battle: Battle[Any]
    side: int
    now: State | None
    answer: Json
    plans: list[Plan]
    planned: bool
    seconds: float

    def told(self) -> dict[str, Any]:
        rows = list(self.rows())
        before, after = self.chances()
        return {
            "answer": self.answer,
            "chance": [before, after],
            "weighed": [msgspec.structs.asdict(row) for row in rows],
            "seconds": self.seconds,
            **{lang: self._sentence(rows, lang) + _prospect(before, after, lang) for lang in LANGUAGES},
        }

    def chances(self) -> tuple[float | None, float | None]:
        """The chance to win as it is, and with the answer that was found best."""
        game = self.battle.game
        if self.now is None:
            return None, None
        best = next((plan for plan in self.plans if plan.steps[0].answer == self.answer), None)
        return chance(game, self.now, self.side), after(game, self.now, self.side, best) if best else None

    def rows(self) -> Iterator[Row]:
        seen: list[Json] = []
        for plan in self.plans:
            first = plan.steps[0].answer
            if first not in seen:
                seen.append(first)
                same = [other for other in self.plans if other.steps[0].answer == first]
                best = max(same, key=lambda other: other.value)
                yield Row(first, round(best.value, 3), len(same), self._terms(best))

    def _terms(self, plan: Plan) -> dict[str, float]:
        split = self.battle.game.hints.terms
        if split is None or plan.end is None or self.now is None or abs(plan.value) > DECIDED:
            return {}
        before, after = split(self.now, self.side), split(plan.end, self.side)
        changed = {term: round(after[term] - before[term], 1) for term in after}
        if plan.gain:
            changed["attack"] = round(plan.gain, 1)
        return changed

    def _sentence(self, rows: list[Row], lang: str) -> str:
        """What it does and why, and what it would have done otherwise; the numbers of the search are not told."""
        if self.planned:
            return WORDS["because"][lang].format(what=self._label(self.answer, lang), why=WORDS["planned"][lang])
        if not rows:
            return WORDS["no choice"][lang]
        best, *others = rows
        why = WORDS["comma"][lang].join(self._reasons(best, lang))
        told = WORDS["because" if why else "does"][lang].format(what=self._label(best.answer, lang), why=why)
        second = self._label(others[0].answer, lang) if others else ""
        if second and second != self._label(best.answer, lang):
            near = abs(best.value - others[0].value) < CLOSE
            told += WORDS["nearly" if near else "otherwise"][lang].format(what=second)
        return told

    def _reasons(self, row: Row, lang: str) -> Iterator[str]:
        if abs(row.value) > DECIDED:
            yield (VICTORY if row.value > 0 else DEFEAT)[lang]
            return
        terms = sorted(row.terms.items(), key=lambda term: (-abs(term[1]), term[0]))
        if not any(change >= 0.5 for _, change in terms):
            return  # the least evil needs no praise
        for term, change in terms:
            if abs(change) >= 0.5:
                yield WORDS[f"{term} {'up' if change > 0 else 'down'}"][lang]

    def _label(self, answer: Json, lang: str) -> str:
        """An answer as somebody would say it."""
        game = self.battle.game

        asked = next((ask for ask in self.battle.decisions if ask.side == self.side), None)
        labels = {option.id: option.label for option in getattr(asked, "options", {}).values()}

        def named(key: str) -> str:
            return say(labels.get(key) or key, lang, game.id, lambda piece: game.name(self.battle.state, piece))

        if isinstance(answer, bool):
            return WORDS[str(answer).lower()][lang]
        if isinstance(answer, str):
            return named(answer)
        if isinstance(answer, list) and all(isinstance(item, str) for item in answer):
            return mark("items", lang).join(named(item) for item in answer) or "—"
        if isinstance(answer, dict):
            return _where(answer, lang) or json.dumps(answer, ensure_ascii=False)[:60]
        return json.dumps(answer, ensure_ascii=False)[:60]


def _prospect(before: float | None, after: float | None, lang: str) -> str:
    """The chance to win, rounded to what can be believed; without a change only as it is."""
    if before is None:
        return ""
    now, then = (None if share is None else f"{100 * share:.0f}" for share in (before, after))
    if then is None or then == now:
        return WORDS["chance"][lang].format(now=now)
    return WORDS["chance changes"][lang].format(now=now, then=then)


def _where(answer: Mapping[str, Any], lang: str) -> str:
    """A move or a place in a word or two."""
    if answer.get("stay") is True or answer.get("path") == []:
        return WORDS["stay"][lang]
    path, models = answer.get("path"), answer.get("models")
    if isinstance(path, list):
        end = next((leg for leg in reversed(path) if "x" in leg and "y" in leg), None)
        return WORDS["go"][lang].format(at=_at([end])) if end else ""
    if isinstance(models, dict) and models:
        return WORDS["put"][lang].format(at=_at(list(models.values())))
    if isinstance(answer.get("to"), dict) and "x" in answer["to"]:
        return WORDS["go"][lang].format(at=_at([answer["to"]]))
    return WORDS["put"][lang].format(at=_at([answer])) if "x" in answer and "y" in answer else ""


def _at(spots: list[Mapping[str, float]]) -> str:
    """The middle of some places."""
    x, y = (sum(float(spot[axis]) for spot in spots) / len(spots) for axis in ("x", "y"))
    return f"({x:.1f}, {y:.1f})"
