"""Odds as `battle.odds` tells them: a title, lines of chances and numbers, and distributions to draw."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from umpire.odds.dist import Dist
from umpire.text import words

Odds = dict[str, Any]
"""`title` and `label` in both languages; a line's `value`; `dists`: by name the chances of 0, 1, 2 and so on."""


Label = str | Mapping[str, str]
"""A key of the catalogue, or names in every language."""


def _said(label: Label) -> Mapping[str, str]:
    return words(label) if isinstance(label, str) else label


def chance(label: Label, p: float) -> Odds:
    return {"label": _said(label), "value": float(p), "chance": True}


def number(label: Label, value: float) -> Odds:
    """A mean, a distance, a count."""
    return {"label": _said(label), "value": round(value, 4), "chance": False}


def fact(label: Label, text: str) -> Odds:
    return {"label": _said(label), "value": text}


def told(title: Label, *lines: Odds, **dists: Dist) -> Odds:
    """The whole answer.

    >>> from umpire.odds import D3
    >>> told({"en": "Damage"}, number({"en": "mean"}, D3.mean), damage=D3)["dists"]
    {'damage': [0.0, 0.3333333333333333, 0.3333333333333333, 0.3333333333333333]}
    """
    return {
        "title": _said(title),
        "lines": list(lines),
        "dists": {name: dist.over(0, dist.high).tolist() for name, dist in dists.items()},
    }
