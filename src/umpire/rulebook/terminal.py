"""`umpire rules`: rules and their coverage, as text or JSON."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Sequence
from typing import Any

import msgspec

from umpire.errors import fault
from umpire.rulebook import coverage
from umpire.rulebook.ledger import Rule, find, games, rules, version
from umpire.rulebook.search import neighbours, search
from umpire.text import Text, in_language, say

SHOWN = 20


def look(words: Sequence[str], lang: str, everything: bool) -> str:
    """What `umpire rules WORDS` prints: the games, a game's rules, one whole rule, or what a search finds."""
    found = _ask(words)
    if found is None:
        return "\n".join(f"{game:10}{len(rules(game)):5}  {version(game)}" for game in games())
    if isinstance(found, Rule):
        return _whole(found, lang)
    shown = found if everything else found[:SHOWN]
    lines = [_line(rule, lang) for rule in shown]
    if len(shown) < len(found):
        more = len(found) - len(shown)
        lines.append(_says("more", lang, more=more))
    return "\n".join(lines)


def look_json(words: Sequence[str]) -> Any:
    """The same for programs: a list of rules, or one rule with the ids of its neighbours."""
    found = _ask(words)
    if found is None:
        return {game: {"rules": len(rules(game)), "version": version(game)} for game in games()}
    if isinstance(found, Rule):
        around = neighbours(found.id)
        return msgspec.to_builtins(found) | {
            "before": around.before.id if around.before else None,
            "after": around.after.id if around.after else None,
            "needed_by": [rule.id for rule in around.needed_by],
            "decides": coverage.places(found.id),
        }
    return msgspec.to_builtins(found)


def _ask(words: Sequence[str]) -> Rule | list[Rule] | None:
    if not words:
        return None
    if len(words) == 1 and words[0] in games():
        return list(rules(words[0]))
    if len(words) == 1 and "." in words[0] and words[0].partition(".")[0] in games():
        return _one(words[0])
    game, rest = (words[0], words[1:]) if words[0] in games() else (None, words)
    query = " ".join(rest)
    found = search(query, game)
    if not found:
        raise fault("error.no-rule-speaks-of", query=query)
    return found


def _one(rule_id: str) -> Rule:
    rule = find(rule_id)
    if rule is not None:
        return rule
    game, _, rest = rule_id.partition(".")
    nearest = ", ".join(near.id for near in search(rest, game)[:3])
    raise fault("cli.no-such-rule-near" if nearest else "cli.no-such-rule", rule=rule_id, nearest=nearest)


def _says(key: str, lang: str, **facts: object) -> str:
    return say(Text(f"cli.rules.{key}", facts), lang, "cli")


def _line(rule: Rule, lang: str) -> str:
    return f"{rule.id:44} {rule.name(lang)}"


def _whole(rule: Rule, lang: str) -> str:
    around = neighbours(rule.id)
    out = [f"{rule.id}  {rule.zh} · {rule.en}", "", *_wrap(rule.words(lang)), ""]
    where = rule.lines if not rule.source else f"{rule.lines} · {rule.source}"
    out.append(_says("kind", lang, kind=rule.kind, where=where))
    # What a test must show and how a doubtful passage is read are written for engineers, in English alone.
    out.extend(f"  - {check}" for check in rule.checks)
    if rule.note:
        out += ["", *_wrap(rule.note)]
    places = coverage.places(rule.id)
    if places:
        out += ["", _says("decides-in", lang), *(f"  {where}" for where in places)]
    titled = [
        ("builds-on", around.needs),
        ("built-on-by", around.needed_by),
        ("before", (around.before,) if around.before else ()),
        ("after", (around.after,) if around.after else ()),
    ]
    for title, near in titled:
        if near:
            out += ["", _says(title, lang), *(f"  {_line(other, lang)}" for other in near)]
    return "\n".join(out)


def _wrap(text: str, width: int = 100) -> list[str]:
    """Lines of at most `width` columns; Chinese has no spaces to break at, and its characters take two columns."""
    if not any(unicodedata.east_asian_width(letter) == "W" for letter in text):
        return textwrap.wrap(text, width)
    return [text[at : at + width // 2] for at in range(0, len(text), width // 2)]


def coverage_json(chosen: Sequence[str], measure: coverage.Measure | None) -> Any:
    """Counts by game, or the rules that a measure still lacks."""
    if measure is not None:
        return {game: coverage.missing(game, measure) for game in chosen}
    return {
        game: {**msgspec.to_builtins(coverage.counts(game)), "unproved": coverage.unproved(game)} for game in chosen
    }


def print_coverage(chosen: Sequence[str], measure: coverage.Measure | None, lang: str) -> None:
    if measure is not None:
        for game in chosen:
            for rule_id in coverage.missing(game, measure):
                rule = find(rule_id)
                assert rule is not None
                print(_line(rule, lang))
                why = coverage.excuses().get(rule_id, {}) if measure == "proved" else {}
                if why:
                    print(f"    {in_language(why, lang)}")
        return
    from rich.console import Console
    from rich.table import Table

    titles = ("game", "rules", "cited", "tested", "switchable", "proved", "fired")
    table = Table(*(_says(f"title.{title}", lang) for title in titles), padding=(0, 0))
    for column in table.columns[1:]:
        column.justify = "right"
        column.no_wrap = True
    for game in chosen:
        counted = coverage.counts(game)
        cited, tested, fired = (
            f"{part} ({part / counted.rules:4.0%})" for part in (counted.cited, counted.tested, counted.fired)
        )
        proved = f"{counted.proved} ({counted.proved / max(1, counted.switchable):4.0%})"
        proved += f" +{counted.also_proved}" if counted.also_proved else ""
        table.add_row(game, str(counted.rules), cited, tested, str(counted.switchable), proved, fired)
    Console().print(table)
    if len(chosen) == 1:
        print_coverage(chosen, "proved", lang)
