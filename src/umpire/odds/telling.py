"""Odds as `battle.odds` tells them: a title, lines of chances and numbers, and distributions to draw."""

from __future__ import annotations

from typing import Any

from umpire.odds.dist import Dist

Odds = dict[str, Any]
"""`title` and `label` in both languages; a line's `value`; `dists`: by name the chances of 0, 1, 2 and so on."""


def chance(zh: str, en: str, p: float) -> Odds:
    return {"label": {"zh": zh, "en": en}, "value": float(p), "chance": True}


def number(zh: str, en: str, value: float) -> Odds:
    """A mean, a distance, a count."""
    return {"label": {"zh": zh, "en": en}, "value": round(value, 4), "chance": False}


def fact(zh: str, en: str, text: str) -> Odds:
    return {"label": {"zh": zh, "en": en}, "value": text}


def told(zh: str, en: str, *lines: Odds, **dists: Dist) -> Odds:
    """The whole answer.

    >>> from umpire.odds import D3
    >>> told("伤害", "Damage", number("平均", "mean", D3.mean), damage=D3)["dists"]
    {'damage': [0.0, 0.3333333333333333, 0.3333333333333333, 0.3333333333333333]}
    """
    return {
        "title": {"zh": zh, "en": en},
        "lines": list(lines),
        "dists": {name: dist.over(0, dist.high).tolist() for name, dist in dists.items()},
    }
