"""Questions about odds that need no battle: what `umpire odds GAME` can be asked.

A game puts `questions={name: Question(…)}` in its `Game`. A question is a function with typed parameters that
answers with distributions and chances, made with the rule functions that its battles use.
"""

from __future__ import annotations

import functools
import inspect
import typing
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from umpire.engine.game import Question as Asked
from umpire.errors import fault, system_reason
from umpire.odds.dist import Dist
from umpire.odds.outcomes import Outcomes
from umpire.odds.show import plot, render
from umpire.text import Language, catalogue, in_language

Found = Dist | Outcomes[Any] | float
"""The odds of a number, of named outcomes, or one chance."""


LARGEST = 1000
"""No number of dice, models or inches is larger."""


class Line(NamedTuple):
    """One thing that a question answers: what it is called, and its odds."""

    name: Mapping[str, str]
    odds: Found


Answer = Mapping[str, Found]
"""What a game's function answers: each thing by the end of its key in the catalogue (`odds.GAME.`)."""


class Question(NamedTuple):
    """A question: its title in both languages, the function that answers, and what its parameters mean."""

    title: Mapping[str, str]
    answer: Callable[..., Sequence[Line]]
    means: Mapping[str, Mapping[str, str]]

    def parameters(self) -> dict[str, inspect.Parameter]:
        return dict(inspect.signature(self.answer).parameters)

    def ask(self, words: Sequence[str]) -> Sequence[Line]:
        """Answer for parameters given as `name=value`; what is wrong with one is told with its name."""
        given = self.read(words)
        try:
            return self.answer(**given)
        except ValueError as error:
            raise fault("error.odds.impossible", why=str(error)) from None

    def read(self, words: Sequence[str]) -> dict[str, Any]:
        known = self.parameters()
        types = typing.get_type_hints(self.answer)
        found: dict[str, Any] = {}
        for word in words:
            name, sign, text = word.partition("=")
            if not sign or name not in known:
                there = ", ".join(known)
                raise fault("error.write-name-value-the-parameters", repr(word), there=there)
            found[name] = _value(name, types[name], text)
            if isinstance(found[name], (int, float)) and not abs(found[name]) <= LARGEST:
                raise fault("error.is-too-large-at-most", name, text=text, largest=LARGEST)
        missing = [name for name, p in known.items() if p.default is p.empty and name not in found]
        if missing:
            there = ", ".join(missing)
            raise fault("error.still-to-be-given", there=there)
        return found


def questions(game: str, *answers: Callable[..., Answer]) -> dict[str, Question]:
    """The questions of a game by the names of the functions that answer. Their words stand in its catalogue:
    `odds.GAME.ask.NAME` is the title, and `odds.GAME.means.PARAMETER` what a parameter means, or
    `odds.GAME.means.NAME.PARAMETER` what it means there."""
    return {answer.__name__: _question(game, answer.__name__, answer) for answer in answers}


def _question(game: str, name: str, answer: Callable[..., Answer]) -> Question:
    known = catalogue(game)

    @functools.wraps(answer)
    def lines(**given: Any) -> list[Line]:
        return [Line(known[f"odds.{game}.{key}"], odds) for key, odds in answer(**given).items()]

    def meaning(parameter: str) -> Mapping[str, str]:
        here = f"odds.{game}.means.{name}.{parameter}"
        return known[here if here in known else f"odds.{game}.means.{parameter}"]

    means = {parameter: meaning(parameter) for parameter in inspect.signature(answer).parameters}
    return Question(known[f"odds.{game}.ask.{name}"], lines, means)


def _flag(text: str) -> bool:
    if text not in ("yes", "no", "true", "false", "1", "0"):
        raise ValueError(text)
    return text in ("yes", "true", "1")


_READ: dict[Any, Callable[[str], Any]] = {int: int, float: float, str: str, bool: _flag}


def _value(name: str, kind: Any, text: str) -> Any:
    """What is given for a parameter: of its type, or one of the words that it takes."""
    known = typing.get_args(kind)
    if known:
        if text not in known:
            raise fault("error.odds.one-of", name, known=[word for word in known if word], text=text)
        return text
    try:
        return _READ[kind](text)
    except ValueError:
        raise fault("error.is-no", name, text=text, kind=kind.__name__) from None


def usage(questions: Mapping[str, Asked], game: str, lang: Language) -> str:
    """What can be asked, each with its parameters and what they mean."""
    lines = []
    for name, question in questions.items():
        lines.append(f"umpire odds {game} {name}  {question.title[lang]}")
        for key, parameter in question.parameters().items():
            default = "" if parameter.default is parameter.empty else f" = {parameter.default}"
            lines.append(f"    {key}{default}  {question.means.get(key, {}).get(lang, '')}".rstrip())
    return "\n".join(lines)


def show(found: Sequence[Line], lang: Language) -> str:
    """The answer as text: a table for each distribution, a line for each chance."""
    parts = []
    for line in found:
        name = in_language(line.name, lang)
        if isinstance(line.odds, Dist):
            parts.append(render(line.odds, name, lang))
        elif isinstance(line.odds, Outcomes):
            parts.append("\n".join([name, *(f"  {key}  {100 * chance:6.2f} %" for key, chance in line.odds.items())]))
        else:
            parts.append(f"{name}  {100 * line.odds:.2f} %")
    return "\n".join(parts)


def wire(found: Sequence[Line]) -> list[dict[str, Any]]:
    """The answer as plain data."""
    rows: list[dict[str, Any]] = []
    for line in found:
        row: dict[str, Any] = {"name": dict(line.name)}
        if isinstance(line.odds, Dist):
            odds = line.odds
            row |= {"mean": odds.mean, "odds": {str(n): odds[n] for n in range(odds.low, odds.high + 1)}}
        elif isinstance(line.odds, Outcomes):
            row["odds"] = {str(key): chance for key, chance in line.odds.items()}
        else:
            row["chance"] = line.odds
        rows.append(row)
    return rows


def draw(found: Sequence[Line], lang: Language, file: Path) -> None:
    """Write the picture to a file."""
    svg = picture(found, lang)
    try:
        file.write_text(svg, encoding="utf-8")
    except OSError as error:
        raise fault("error.cannot-be-written", str(file), why=system_reason(error)) from None


def picture(found: Sequence[Line], lang: Language) -> str:
    """The first distribution of an answer as SVG."""
    for line in found:
        if isinstance(line.odds, Dist):
            return plot(line.odds, in_language(line.name, lang), lang)
    raise fault("error.there-is-no-distribution-to")
