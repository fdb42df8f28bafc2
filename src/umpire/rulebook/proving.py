"""Rules that can be switched off, and what became of their tests when they were (`make prove`).

A rule is proved when one of its own tests, green with the rule, goes red without it. Only the prover fills `PROVING`.
"""

from __future__ import annotations

import msgspec

from umpire.rulebook.ledger import Kind, Rule, find

PROVING: list[str] = []
"""Rules that everything in this process is without: battles, and army lists that are checked without a battle."""

SWITCHABLE: tuple[Kind, ...] = ("ability", "effect", "modifier", "restriction", "list-building", "terrain")
"""The kinds of rule that must be switchable; the others are what these stand on."""


class Trial(msgspec.Struct, omit_defaults=True):
    """What a test said with one of its rules switched off: `red` names the failure, and is empty if it stayed green."""

    test: str
    rule: str
    red: str = ""


def switchable(rule: Rule) -> bool:
    return rule.kind in SWITCHABLE


def triable(rule_id: str) -> bool:
    """May a test that names this rule be tried without it?"""
    rule = find(rule_id)
    return rule is not None and not rule.advice
