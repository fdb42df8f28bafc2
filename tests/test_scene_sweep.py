"""Every field of every scene, found by its type: a name of nobody, a number that cannot be. What is taken in silence
is listed, with why it may be."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec import inspect

import umpire
from umpire.engine.game import find_game
from umpire.errors import UmpireError

NOBODY = "nobody-at-all"
TOO_MUCH = 10**7
TOO_LITTLE = -(10**7)

Path = tuple[str | int, ...]


def unwrapped(kind: inspect.Type) -> list[inspect.Type]:
    """What a value may be: the parts of a union, what a mapping is spelt as, without what says nothing."""
    if isinstance(kind, inspect.Metadata):
        told = (kind.extra or {}).get("spelt")
        return unwrapped(inspect.type_info(told)) if told is not None else unwrapped(kind.type)
    if isinstance(kind, inspect.UnionType):
        return [part for one in kind.types for part in unwrapped(one)]
    return [] if isinstance(kind, inspect.NoneType) else [kind]


def odd(kind: inspect.Type) -> Iterator[Any]:
    """Values of this type that no scene means: of lists one such entry."""
    for one in unwrapped(kind):
        if isinstance(one, inspect.StrType):
            yield NOBODY
        elif isinstance(one, inspect.IntType):
            yield from (TOO_MUCH, TOO_LITTLE)
        elif isinstance(one, inspect.FloatType):
            yield from (float(TOO_MUCH), float(TOO_LITTLE))
        elif isinstance(one, inspect.ListType | inspect.VarTupleType):
            yield from ([value] for value in odd(one.item_type))
            if any(isinstance(part, inspect.StrType) for part in unwrapped(one.item_type)):
                yield [""]  # a list holds no nothing
        elif isinstance(one, inspect.TupleType):
            parts = [list(odd(part)) for part in one.item_types]
            if all(parts):
                yield from ([given[-1 - n] if n < len(given) else given[0] for given in parts] for n in (0, 1))
        elif isinstance(one, inspect.DictType):
            for value in (1, NOBODY):
                if any(
                    isinstance(part, inspect.IntType if value == 1 else inspect.StrType)
                    for part in unwrapped(one.value_type)
                ):
                    yield {NOBODY: value}
            if any(isinstance(part, inspect.IntType) for part in unwrapped(one.key_type)):
                yield {TOO_MUCH: 1}


def meant(kind: inspect.StructType, data: Any) -> bool:
    """Is this struct of a union the one that is written there?"""
    return isinstance(data, dict) and (kind.tag_field is None or data.get(kind.tag_field) == kind.tag)


def swept(kind: inspect.Type, data: Any, at: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Everywhere in the data of a scene a value of the field's type that cannot be."""
    for one in unwrapped(kind):
        if isinstance(one, inspect.StructType) and meant(one, data):
            for field in one.fields:
                here = (*at, field.encode_name)
                told = data.get(field.encode_name)
                yield from ((here, value) for value in odd(field.type))
                if told is not None:
                    yield from swept(field.type, told, here)
        elif isinstance(one, inspect.ListType | inspect.VarTupleType) and isinstance(data, list):
            for n, entry in enumerate(data[:1]):
                yield from swept(one.item_type, entry, (*at, n))


def put(scene: dict[str, Any], at: Path, value: Any) -> dict[str, Any]:
    changed = copy.deepcopy(scene)
    inner: Any = changed["position"]
    for step in at[:-1]:
        inner = inner[step]
    inner[at[-1]] = value
    return changed


def told(at: Path) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in at).lstrip(".")


TEXT = {"zh": "名", "en": "name"}
FOOT = {
    "type": "infantry",
    "class": "medium",
    "march": 5,
    "volley": 1,
    "clash": 2,
    "attacks": 3,
    "wounds": 4,
    "resolve": 3,
    "defense": 2,
    "evasion": 1,
}
RULED = {
    **FOOT,
    "rules": [{"name": "barrage", "value": 2, "range": 12, "shots": [{"name": "armor-piercing", "value": 1}]}],
    "events": [{"name": "regeneration", "value": 2}],
}
CHANGES = [{"what": "clash", "value": 1}, {"rule": {"name": "cleave", "value": 1}}]
SPELL = {"id": "s", "range": 6, "attunement": 3, "shots": [{"name": "cleave", "value": 1}], "effects": CHANGES}
EFFECT = {"op": "add", "value": -1, "until": "battle", "source": ""}

SCENES: dict[str, dict[str, Any]] = {
    "warcry": {
        "at": "act",
        "active": "a1",
        "fighters": [
            {
                "id": "a1",
                "side": 0,
                "x": 15,
                "y": 13,
                "leader": True,
                "profile": {
                    "id": "one",
                    "name": TEXT,
                    "faction": "slag",
                    "move": 4,
                    "toughness": 4,
                    "wounds": 12,
                    "points": 90,
                    "base": 32,
                    "runemarks": ["hero"],
                    "height": 1.5,
                    "weapons": [{"attacks": 3, "strength": 4, "damage": [2, 4], "runemark": "axe"}],
                },
            },
            {"id": "b1", "side": 1, "profile": "wick-guard", "x": 25, "y": 4},
        ],
        "players": [{"sets": [[4, 2]], "wild": 1}, {"points": 2}],
        "pieces": [{"id": "tower", "name": TEXT, "parts": [{"rect": [0, 0, 4, 3], "top": 3}]}],
        "terrain": [{"piece": "tower", "x": 4, "y": 4}],
        "objectives": [{"id": "o", "x": 10, "y": 10}],
        "treasures": [{"id": "t", "kind": "skull", "x": 3, "y": 12}],
        "effects": [{"on": "a1", "what": "move", **EFFECT}],
    },
    "aos": {
        "phase": "charge",
        "round": 2,
        "units": [
            {
                "id": "a1",
                "side": 0,
                "models": [[10, 10]],
                "profile": {
                    "weapons": [{"id": "axe", "attacks": "2", "hit": 3, "wound": 3, "rend": 0, "damage": "1"}],
                    "abilities": [{"id": "x", "timing": "your hero", "does": [{"do": "heal", "amount": "1"}]}],
                },
            },
            {"id": "b1", "side": 1, "warscroll": "pilgrims", "models": [[10, 19], [11.4, 19], [12.8, 19]]},
        ],
        "sides": [{"command": 2}, {}],
        "terrain": [{"x": 30, "y": 8, "points": [[-1, -1], [1, -1], [1, 1], [-1, 1]], "top": 1}],
        "objectives": [{"x": 22, "y": 15}],
        "plan": {"objectives": [[22, 15]]},
        "effects": [{"on": "a1", "what": "hit", **EFFECT}],
    },
    "conquest": {
        "moment": "actions",
        "who": "a",
        "round": 3,
        "regiments": [
            {
                "id": "a",
                "side": 0,
                "stands": 4,
                "files": 2,
                "x": 36,
                "y": 20,
                "profile": FOOT,
                "spells": [{"id": "s", "range": 6, "attunement": 3}],
            },
            {"id": "e", "side": 1, "entry": "cinder/scorch-riders", "stands": 3, "x": 36, "y": 28, "facing": 180},
        ],
        "characters": [
            {
                "id": "h",
                "side": 0,
                "regiment": "a",
                "profile": FOOT,
                "spells": [{"id": "s", "range": 6, "attunement": 3}],
                "supremacy": {"id": "u"},
            },
        ],
        "terrain": [
            {"id": "copse", "points": [[10, 30], [16, 30], [16, 34], [10, 34]], "rules": ["forest", "passable"]},
        ],
        "scenario": {"zones": [{"id": "z", "x": 30, "y": 24, "radius": 3}]},
        "lines": {"0/light": {"fixed": 10, "now": 10}},
        "effects": [{"on": "a", "what": "clash", **EFFECT}],
    },
    "wh40k": {
        "phase": "charge",
        "round": 2,
        "units": [
            {
                "id": "a1",
                "side": 0,
                "models": [[20, 10]],
                "warlord": True,
                "profile": {
                    "w": 5,
                    "keywords": ["infantry", "character", "psyker"],
                    "psychic": {"casts": 1},
                    "carries": {"capacity": 2},
                    "explodes": {"roll": 6, "range": 6, "wounds": "1"},
                    "weapons": [{"id": "rifle", "type": "assault", "range": 24, "attacks": "D3", "s": "5", "ap": -1}],
                    "abilities": [{"id": "grudge", "does": [{"name": "reroll", "what": "charge"}]}],
                },
                "gifts": [{"id": "luck", "does": [{"name": "reroll", "what": "charge"}]}],
            },
            {"id": "b1", "side": 1, "models": [[10, 18], [11.5, 18], [13, 18]], "dead": 2},
        ],
        "sides": [{"cp": 3}, {"cp": 1}],
        "terrain": [
            {
                "x": 30,
                "y": 15,
                "type": "woods",
                "points": [[-3, -2], [3, -2], [3, 2], [-3, 2]],
                "parts": [{"points": [[-3, -2], [3, -2], [3, 2]], "top": 2}],
            }
        ],
        "objectives": [[22, 15, 1]],
        "mission": {"rounds": 5},
        "powers": [{"id": "p", "charge": 5, "does": [{"name": "modify", "what": "hit"}]}],
        "stratagems": [{"id": "s", "cost": 1, "phase": "fight", "does": [{"name": "modify", "what": "hit"}]}],
        "tasks": [{"id": "t"}],
        "effects": [{"on": "b1", "what": "ld", **EFFECT}],
    },
    "t9a": {
        "moment": "charge",
        "units": [
            {
                "id": "a",
                "side": 0,
                "models": 15,
                "files": 5,
                "x": 36,
                "y": 20,
                "kinds": [{"models": 2, "arm": 1}],
                "profile": {"parts": [{"off": 4, "own": [{"id": "pike", "name": TEXT}]}]},
            },
            {"id": "h", "side": 0, "in_unit": "a", "character": True, "profile": {"hp": 3}},
            {"id": "b", "side": 1, "entry": "thornmark/spear-levy", "models": 10, "x": 36, "y": 26, "facing": 180},
        ],
        "terrain": [{"id": "wood", "kind": "forest", "points": [[24, 22], [30, 22], [30, 27], [24, 27]]}],
        "field": {
            "names": TEXT,
            "zones": [
                {"facing": 0, "points": [[0, 0], [72, 0], [72, 12], [0, 12]]},
                {"facing": 180, "points": [[0, 36], [72, 36], [72, 48], [0, 48]]},
            ],
        },
        "spells": [{"id": "s", "name": TEXT, "value": 5}],
        "effects": [{"on": "a", "what": "dis", **EFFECT, "until": "phase"}],
    },
}

WARCRY, CONQUEST, WH40K, T9A = (SCENES[game] for game in ("warcry", "conquest", "wh40k", "t9a"))
POINTS = {group: {"x": 5, "y": 5, "line": [0, 5, 0, 10]} for group in ("dagger", "shield", "hammer")}
CHARACTER = CONQUEST["characters"][0]
MODEL = {"id": "trooper", "w": 2, "table": [{"left": 1, "m": 4, "a": "D3"}]}
GRUDGE = {"id": "grudge", "name": TEXT, "does": [{"name": "reroll", "what": "charge"}]}
SPELT: dict[str, list[dict[str, Any]]] = {
    "warcry": [
        {
            **WARCRY,
            "fighters": [
                {
                    **WARCRY["fighters"][0],
                    "profile": {
                        **WARCRY["fighters"][0]["profile"],
                        "runemarks": ["monster"],
                        "table": [{"damage": 0, "move": 6, "toughness": 5, "attacks": [3], "strength": [4]}],
                    },
                },
                WARCRY["fighters"][1],
            ],
            "deployment": {"id": "d", "name": TEXT, "red": POINTS, "blue": POINTS, "objectives": [[5, 5]]},
            "victory": {"id": "v", "name": TEXT, "score": [score], "objectives": [[5, 5]], "treasure": [[9, 9]]},
            "twist": {"id": "t", "name": TEXT, "kind": "fate", "effect": [twist]},
        }
        for score, twist in (
            ({"do": "felled", "runemarks": ["hero"]}, {"do": "change", "what": "move", "by": 1, "runemarks": ["hero"]}),
            ({"do": "objectives"}, {"do": "forbid", "what": "fly"}),
            ({"do": "tally"}, {"do": "wild-dice"}),
            ({"do": "quarters"}, {"do": "storm"}),
            ({"do": "leader"}, {"do": "heal"}),
        )
    ],
    "conquest": [
        {
            **CONQUEST,
            "regiments": [
                {**CONQUEST["regiments"][0], "profile": RULED, "spells": [{**SPELL, "effects": changes}]},
                CONQUEST["regiments"][1],
            ],
            "characters": [
                {
                    **CHARACTER,
                    "profile": RULED,
                    "spells": [{**SPELL, "effects": changes}],
                    "retinue": [{"id": "r", "tier": 1, "rules": [{"name": "cleave", "value": 1}]}],
                    "supremacy": {"id": "u", "effects": changes},
                    "abilities": [{"id": "v", "passive": True, "effects": changes}],
                    **{field: [{"name": "cleave", "value": 1}] for field in ("mastery", "upgrades", "gives")},
                },
            ],
        }
        for changes in (CHANGES, CHANGES[::-1])
    ],
    "wh40k": [
        {
            **WH40K,
            "units": [
                {
                    "id": "a1",
                    "side": 0,
                    "models": [[20, 10]],
                    "profile": {
                        "table": MODEL["table"],
                        "rows": [MODEL],
                        "weapons": [
                            {"id": "rifle", "profiles": [{"id": "shot", "type": "assault", "s": "5", "range": 24}]}
                        ],
                        "choices": [{"id": "c", "row": "trooper", "give": ["rifle"], "take": ["rifle"]}],
                        "pregame": [GRUDGE],
                    },
                },
                WH40K["units"][1],
            ],
        }
    ],
    "t9a": [{**T9A, "terrain": [], "field": {**T9A["field"], "terrain": T9A["terrain"]}}],
}
"""What has no place beside what the scenes above spell out."""


OWN = {
    "warcry": {
        "fighters[0].profile.faction",
        "fighters[0].profile.weapons[0].runemark",
        "pieces[0].tags",
    },
    # No deed that is written there is about anything.
    "aos": {"units[0].profile.abilities[0].does[0].what", "units[0].tokens"},
    # A card is called by the entry of whom it activates, also where his profile is spelt out.
    "conquest": {"regiments[0].entry", "characters[0].entry"},
    "wh40k": {"units[0].profile.group", "units[0].profile.selectable", "units[0].chosen"},
    "t9a": set(),
}
"""Names that whoever spells something out gives it himself, beside its id and its icon."""
NOTHING = {"units[0].roles"}
"""Lists in which nothing is said of one: a model of Age of Sigmar between others may be without a role."""


@pytest.mark.parametrize("game", list(SCENES))
def test_no_field_takes_what_cannot_be(game: str) -> None:
    position = find_game(game).scene
    assert position is not None
    taken: set[str] = set()
    tried: dict[Any, int] = {}
    vague = []
    for n, data in enumerate((SCENES[game], *SPELT.get(game, ()))):
        scene = {"game": game, "position": data}
        umpire.scene(scene)
        for at, value in swept(inspect.type_info(position), data):
            if tried.setdefault((told(at), form(data, at)), n) != n:
                continue
            try:
                umpire.scene(put(scene, at, value))
            except UmpireError as error:
                if error.where in ("", "position") or "\n" in error.line("zh"):
                    vague.append((told(at), value, error.line("en")))
            else:
                if value != [""] or told(at) not in NOTHING:
                    taken.add(told(at))
    assert vague == []
    assert {field for field in taken if at_last(field) not in ("id", "icon")} == OWN[game]


def form(data: Any, at: Path) -> tuple[Any, bool]:
    """Which of the forms that a struct may have holds this field: the deed that it is, a rule or a number."""
    for step in at[:-1]:
        data = data[step]
    return data.get("do"), "rule" in data


def at_last(field: str) -> str:
    return field.rpartition(".")[2]


def test_what_holds_structs_is_swept_into() -> None:
    """Lists of structs that the scenes above leave empty would be passed over."""
    for game, data in SCENES.items():
        position = find_game(game).scene
        assert position is not None
        kind = inspect.type_info(position)
        left = [set(passed_over(kind, one)) for one in (data, *SPELT.get(game, ()))]
        assert set.intersection(*left) <= {"options"}, game  # readings are one word of a few each, which its type knows


def passed_over(kind: inspect.Type, data: Any, at: Path = ()) -> Iterator[str]:
    for one in unwrapped(kind):
        if isinstance(one, inspect.StructType) and meant(one, data):
            for field in one.fields:
                inner = data.get(field.encode_name)
                here = (*at, field.encode_name)
                if inner is None and holds_structs(field.type):
                    yield told(here)
                elif inner is not None:
                    yield from passed_over(field.type, inner, here)
        elif isinstance(one, inspect.ListType | inspect.VarTupleType) and isinstance(data, list) and data:
            yield from passed_over(one.item_type, data[0], (*at, 0))


def holds_structs(kind: inspect.Type) -> bool:
    return any(
        isinstance(one, inspect.StructType)
        or (isinstance(one, inspect.ListType | inspect.VarTupleType) and holds_structs(one.item_type))
        for one in unwrapped(kind)
    )
