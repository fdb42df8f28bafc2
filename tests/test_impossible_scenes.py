"""Positions that cannot be are refused with the field that says so."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import umpire
from umpire import cli
from umpire.engine.decisions import Choose, ChooseSeveral
from umpire.engine.rng import Rng
from umpire.errors import UmpireError
from umpire.games.aos import scenes
from umpire.miniatures.checks import ANSWERS

HORDE = {"id": "a", "models": 10, "x": 36, "y": 20}
SQUAD = {"id": "a1", "side": 0, "models": [[10, 10], [12, 10]]}


def t9a(*more: dict[str, Any], **fields: Any) -> dict[str, Any]:
    units = [HORDE, *more]
    return {"game": "t9a", "position": {"units": units, **fields}}


def wh40k(*more: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"game": "wh40k", "position": {"units": [SQUAD, *more], **fields}}


def squad(**fields: Any) -> dict[str, Any]:
    return {"id": "b1", "side": 1, "models": [[30, 20]], **fields}


def aos(*more: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"game": "aos", "position": {"units": [SQUAD, *more], **fields}}


def axe(**fields: Any) -> dict[str, Any]:
    return {"id": "axe", "attacks": "2", "hit": 3, "wound": 3, "rend": 0, "damage": "1", **fields}


TOWER = {"id": "tower", "name": {"zh": "塔", "en": "tower"}, "parts": [{"rect": [0, 0, 3, 3], "top": 3}]}
BASE = {"piece": "tower", "x": 9, "y": 9}


def warcry(**fields: Any) -> dict[str, Any]:
    fighters = [
        {"id": "a1", "side": 0, "profile": "slag-chief", "x": 4, "y": 18},
        {"id": "b1", "side": 1, "profile": "wick-guard", "x": 25, "y": 4},
    ]
    return {"game": "warcry", "position": {"fighters": fighters, "pieces": [TOWER], **fields}}


PLAIN = {"type": "infantry", "class": "medium", "march": 5, "volley": 1, "clash": 2, "attacks": 3, "wounds": 4,
         "resolve": 3, "defense": 2, "evasion": 1}  # fmt: skip
HERO = {"id": "h", "profile": PLAIN, "regiment": "a"}
SPELL = {"id": "s", "name": {"zh": "术", "en": "spell"}}
CRAG: dict[str, Any] = {"id": "crag", "kind": "impassable", "points": [[34, 17], [40, 17], [40, 21], [34, 21]]}
OF_THE_FIRST = ("places", "models", "arrived", "wounds")


def conquest(**fields: Any) -> dict[str, Any]:
    """Two regiments; what is said of the first one stands there, all else in the position."""
    mine = {"id": "a", "profile": PLAIN, "stands": 2, "files": 2, "x": 36, "y": 20}
    mine |= {key: fields.pop(key) for key in OF_THE_FIRST if key in fields}
    foe = {"id": "e", "side": 1, "profile": PLAIN, "stands": 2, "x": 36, "y": 30, "facing": 180}
    return {"game": "conquest", "position": {"who": "a", "moment": "actions", "regiments": [mine, foe], **fields}}


PIKE = {"id": "pike", "name": {"zh": "枪", "en": "pike"}}
ZONE = {"id": "z", "x": 30, "y": 20, "radius": 3}
CLOSED = [[0, 0], [4, 0], [4, 4], [0, 4], [0, 0]]
STAR = [[0, 3], [2, -3], [-3, 1], [3, 1], [-2, -3]]
"""It turns the same way at every corner, twice round."""
RIDERS = {"id": "i", "entry": "cinder/scorch-riders", "stands": 3, "x": 50, "y": 20}
HOUSE = {"id": "house", "kind": "garrison", "points": [[10, 30], [16, 30], [16, 34], [10, 34]], "capacity": 4}
HOUSED = {"id": "i", "profile": PLAIN, "stands": 2, "where": "garrison", "garrison": "house"}
CART = {"id": "c", "side": 0, "models": [[20, 10]],
        "profile": {"carries": {"capacity": 2}, "keywords": ["vehicle", "transport"], "base": 100}}  # fmt: skip
BOW_TIE = [[10, 10], [16, 16], [16, 10], [10, 16]]
ODD: dict[str, Any] = {"id": "x", "does": [{"name": "modify", "what": "hit"}]}
NAN = float("nan")
WALL = {"x": 30, "y": 20, "type": "ruined-walls", "points": [[-3, -3], [3, -3], [3, 3], [-3, 3]],
        "parts": [{"kind": "wall", "points": [[-3, -3], [3, -3], [3, 3], [-3, 3]], "top": 3}]}  # fmt: skip


@pytest.mark.parametrize(
    ("scene", "message"),
    [
        (t9a({"id": "b", "models": 0, "x": 10, "y": 20}), r"units\[1\]\.models: 0 is not from 1"),
        (t9a({"id": "b", "side": 2, "x": 10, "y": 20}), r"units\[1\]\.side: 2 is not from 0 to 1"),
        (t9a({"id": "a", "x": 10, "y": 20}), r"units\[1\]\.id"),
        (t9a({"id": "b", "x": 37, "y": 20}), r"units\[1\]: overlaps a"),
        (t9a({"id": "b", "x": 71.9, "y": 20}), r"units\[1\]: is not wholly on the table"),
        (t9a({"id": "b", "x": 10, "y": 20, "lost": 1}), r"units\[1\]\.lost: 1 is not from 0 to 0"),
        (t9a({"id": "b", "side": 1, "in_unit": "a"}), r"units\[1\]\.in_unit: there is no unit “a”"),
        (t9a({"id": "b", "in_unit": "b"}), r"units\[1\]\.in_unit: b cannot hold it"),
        (
            t9a({"id": "b", "character": True, "models": 2, "x": 10, "y": 20}),
            r"units\[1\]\.models: 2 is not from 1 to 1",
        ),
        (t9a(*[{"id": key, "in_unit": "a", "file": 1} for key in "bc"]), r"units\[2\]\.file: overlaps b"),
        (t9a({"id": "b", "x": 10, "y": 20, "spoils": 1}), r"units\[1\]: spoils needs standard"),
        (t9a({"id": "b", "x": 10, "y": 20, "by_choice": True}), r"units\[1\]: by_choice needs shaken"),
        (t9a({"id": "b", "x": 10, "y": 20, "weapon": ["bow"]}), r"units\[1\]\.weapon\[0\]: there is no weapon “bow”"),
        (t9a(stored=[2, 0]), r"stored\[0\]: 2 is not from 0 to 1"),
        (t9a(decks=[[6] * 9, [6]]), r"decks\[0\]: its length must be 8 at most"),
        (t9a(spells=[{"id": "z", "name": {"en": "z"}, "mods": {"arm": 1}}]), r"spells\[0\]: mods needs duration"),
        (t9a(effects=[{"on": "a", "what": "courage", "op": "add"}]), r"effects\[0\]\.what: there is no effect"),
        (t9a(effects=[{"on": "z", "what": "dis", "op": "add"}]), r"effects\[0\]\.on: there is no unit"),
        (
            t9a(terrain=[{"id": "w", "kind": "wall", "points": [[1, 1], [2, 1]]}]),
            r"terrain\[0\]\.points: must be",
        ),
        (t9a({"id": "b", "x": 10, "y": 20, "profile": {"parts": [{"rules": ["stomp"]}]}}), r"its number is missing"),
        (t9a(zone_of=[0, 0]), r"zone_of: each side has one"),
        (wh40k(squad(side=2)), r"units\[1\]\.side: 2 is not"),
        (wh40k(squad(models=[[10.3, 10]])), r"units\[1\]\.models\[0\]: overlaps a1"),
        (wh40k(squad(models=[[43.9, 10]])), r"units\[1\]\.models\[0\]: is not wholly on the table"),
        (wh40k(squad(models=[[30, 20, 3]])), r"units\[1\]\.models\[0\]: there is nothing to stand on at a height of 3"),
        (wh40k(squad(), terrain=[WALL]), r"units\[1\]\.models\[0\]: stands inside terrain"),
        (wh40k(squad(wounds=[2])), r"units\[1\]\.wounds\[0\]: 2 is not from 1 to 1"),
        (wh40k(squad(wounds=[1, 1])), r"units\[1\]\.wounds: there is only 1 model"),
        (wh40k(squad(arms=[["axe"]])), r"units\[1\]\.arms\[0\]\[0\]: there is no weapon “axe”"),
        (wh40k(squad(move="jog")), r"units\[1\]\.move: there is no move “jog”"),
        (wh40k(squad(marks=["tired"])), r"units\[1\]\.marks\[0\]: there is no mark “tired”"),
        (wh40k(squad(where="aboard", aboard="a1")), r"units\[1\]\.aboard: there is no unit “a1”"),
        (wh40k(squad(profile={"abilities": [{"id": "x", "does": [{"name": "fly"}]}]})), r"no special rule “fly”"),
        (wh40k(squad(profile={"weapons": [{"id": "g", "rules": ["loud"]}]})), r"there is no weapon ability “loud”"),
        (wh40k(squad(powers=["sleep"])), r"units\[1\]\.powers\[0\]: there is no psychic power “sleep”"),
        (wh40k(squad(profile={"sv": "3+"})), r"units\[1\]\.profile\.sv: expected int"),
        (
            wh40k(squad(profile={"weapons": [{"id": "g", "ap": "-1"}]})),
            r"units\[1\]\.profile\.weapons\[0\]\.ap: expected",
        ),
        (wh40k(phase="tea"), r"phase: there is no phase “tea”"),
        (wh40k(size="huge"), r"size: there is no battle size “huge”"),
        (wh40k(squad(models=[[NAN, 10]])), r"units\[1\]\.models\[0\]\[0\]: must be a finite number"),
        (wh40k(squad(profile={"keywords": ["infanty"]})), r"profile\.keywords\[0\]: there is no keyword “infanty”"),
        (wh40k(squad(gifts=[{**ODD, "keywords": ["infanty"]}])), r"gifts\[0\]\.keywords\[0\]: there is no keyword"),
        (wh40k(squad(gifts=[{"id": "x", "does": [{"name": "modify", "what": "hti"}]}])), r"no number “hti”"),
        (wh40k(squad(gifts=[{"id": "x", "does": [{"name": "heal", "when": "noon"}]}])), r"no moment “noon”"),
        (
            wh40k(squad(gifts=[{"id": "x", "does": [{"name": "heal", "amount": "X"}]}])),
            r"gifts\[0\]\.does\[0\]\.amount: “X” is no number",
        ),
        (wh40k(squad(profile={"weapons": [{"id": "g", "range": -1}]})), r"weapons\[0\]\.range: -1"),
        (wh40k(squad(profile={"m": "fast"})), r"profile\.m"),
        (wh40k(squad(fired=["a9.1/0"])), r"units\[1\]\.fired\[0\]: there is no model"),
        (wh40k(sides=[{"wishes": ["hit:sometimes"]}]), r"sides\[0\]\.wishes\[0\]: there is no wish"),
        (wh40k(sides=[{"detachments": ["horde"]}]), r"sides\[0\]\.detachments\[0\]: there is no detachment"),
        (wh40k(mission={"edges": ["near", "top"]}), r"mission\.edges\[1\]: there is no table edge “top”"),
        (wh40k(used={"week/0/command-reroll": 1}), r"used\.week/0/command-reroll: there is no period “week”"),
        (wh40k(effects=[{"on": "a1", "what": "ld", "op": "add", "until": "dawn"}]), r"effects\[0\]\.until"),
        (wh40k(stratagems=[{"id": "s", "cost": -1, "phase": "fight"}]), r"stratagems\[0\]\.cost"),
        (aos(squad(profile={"keywords": ["infanty"]})), r"profile\.keywords\[0\]: there is no keyword “infanty”"),
        (aos(squad(profile={"weapons": [axe(abilities=["crit-morta"])]})), r"no weapon ability “crit-morta”"),
        (aos(squad(profile={"weapons": [axe(abilities=["anti-infanty"])]})), r"there is no keyword “infanty”"),
        (aos(squad(profile={"weapons": [axe(damage="D")]})), r"weapons\[0\]\.damage"),
        (aos(squad(profile={"weapons": [axe(hit=8)]})), r"weapons\[0\]\.hit: 8 is not from 1 to 6"),
        (aos(squad(profile={"weapons": [{"attacks": "1"}]})), r"weapons\[0\]: "),
        (aos(squad(keywords_turn=["ran"])), r"units\[1\]\.keywords_turn\[0\]: there is no keyword “ran”"),
        (aos(squad(used_phase=["raly"])), r"units\[1\]\.used_phase\[0\]: there is no ability “raly”"),
        (aos(sides=[{"spells": ["firelash"]}]), r"sides\[0\]\.spells\[0\]: there is no spell “firelash”"),
        (aos(sides=[{"tactic_about": "z"}]), r"sides\[0\]\.tactic_about"),
        (aos(terrain=[{"x": 60, "y": 1, "points": [[0, 0], [1, 0], [0, 1]]}]), r"terrain\[0\]\.x: 60"),
        (aos(terrain=[{"x": 6, "y": 1, "points": [[0, 0], [1, 0], [0, 1]], "top": -1}]), r"terrain\[0\]\.top"),
        (aos(effects=[{"on": "a1", "what": "hti", "op": "add"}]), r"effects\[0\]\.what: there is no effect “hti”"),
        (aos(used={"phase/z9/rally": 1}), r"used\.phase/z9/rally: there is no unit “z9”"),
        (warcry(players=[{"city": "anvilgart"}]), r"players\[0\]\.city: there is no city “anvilgart”"),
        (warcry(used={"turn/0/x": 1}), r"there is no field used"),
        (warcry(terrain=[{**BASE, "x": 4, "y": 18}]), r"fighters\[0\]: stands inside terrain"),
        (warcry(round=9), r"round: 9 is not from 1 to 4"),
        (
            warcry(treasures=[{"id": "t", "kind": "skull", "x": 3, "y": 3, "z": 2}]),
            r"treasures\[0\]\.z: there is nothing",
        ),
        (warcry(players=[{"sets": [[4, 2], [4, 3]]}]), r"players\[0\]\.sets\[1\]: 4 is written twice"),
        (warcry(players=[{"wild_on": [7]}]), r"players\[0\]\.wild_on\[0\]: 7 is not from 1 to 6"),
        (warcry(players=[{"red": True}, {"red": True}]), r"players\[1\]\.red: only one of the two sides"),
        (warcry(effects=[{"on": "a1", "what": "mov", "op": "add"}]), r"effects\[0\]\.what: there is no effect “mov”"),
        (warcry(effects=[{"on": "a1", "what": "move", "op": "add", "until": "noon"}]), r"effects\[0\]\.until"),
        (warcry(effects=[{"on": "a1", "what": "move", "op": "add", "owner": 2}]), r"effects\[0\]\.owner: 2"),
        (aos(round=6), r"round: 6 is not from 1 to 5"),
        (aos(plan={"tie_break": "coin"}), r"plan\.tie_break: there is no value “coin”"),
        (aos(plan={"objectives": [[99, 9]]}), r"plan\.objectives\[0\]\[0\]: 99"),
        (aos(sides=[{"territory": 1}, {"territory": 1}]), r"sides\[1\]\.territory: only one of the two"),
        (aos(objectives=[{"x": 9, "y": 3, "held_before": 4}]), r"objectives\[0\]\.held_before: 4"),
        (
            aos(squad(), squad(id="b2", models=[], where="gone"), squad(id="b3", models=[[33, 20]], summoner="b2")),
            r"summoner: b2 is not on the table",
        ),
        (aos(squad(summoner="a1")), r"units\[1\]\.summoner: there is no unit “a1”"),
        (aos(squad(warscroll="pilgrims", profile={"move": 3})), r"warscroll and profile cannot both be written"),
        (aos(used={"phase/a1/dance": 1}), r"used\.phase/a1/dance: there is no ability “dance”"),
        (wh40k(round=6), r"round: 6 is not from 1 to 5"),
        (wh40k(squad(sheet="cinder-colonel", profile={"w": 3})), r"sheet and profile cannot both be written"),
        (
            wh40k(squad(warlord=True), squad(id="b2", models=[[34, 20]], warlord=True)),
            r"units\[2\]\.warlord: each side",
        ),
        (wh40k(squad(starting=1, dead=1)), r"units\[1\]\.starting: 1 is not from 2"),
        (wh40k(squad(targets=["b1"])), r"units\[1\]\.targets\[0\]: there is no unit “b1”"),
        (wh40k(squad(profile={"sv": 9})), r"profile\.sv: 9 is not from 0 to 7"),
        (wh40k(mission={"edges": ["near", "near"]}), r"mission\.edges\[1\]: only one of the two sides"),
        (wh40k(mission={"actions": ["dig"]}), r"mission\.actions\[0\]: there is no action “dig”"),
        (t9a(turn=0), r"turn: 0 is not from 1 to 6"),
        (t9a(tallies={"x": 1}), r"there is no field tallies"),
        (t9a({"id": "b", "x": 10, "y": 20, "spent": ["bow"]}), r"units\[1\]\.spent\[0\]"),
        (t9a({"id": "b", "x": 10, "y": 20, "profile": {"traits": ["mountd"]}}), r"no trait “mountd”"),
        (t9a({"id": "b", "x": 10, "y": 20, "names": {"english": "x"}}), r"units\[1\]\.names\.english"),
        (wh40k(squad(fired=["b1.1/7"])), r"units\[1\]\.fired\[0\]: there is no weapon “7”"),
        (
            aos(effects=[{"on": "a1", "what": "hit", "op": "add", "source": "2:hex"}]),
            r"effects\[0\]\.source: there is no",
        ),
        (
            warcry(effects=[{"on": "a1", "what": "taunt", "op": "set", "source": "z"}]),
            r"effects\[0\]\.source: there is",
        ),
        (t9a({"id": "b", "x": 10, "y": 20, "entry": "thornmark/spear-levy", "profile": {"hp": 2}}), r"cannot both"),
        (t9a({"id": "b", "x": 10, "y": 20, "profile": {"parts": [{"att": "many"}]}}), r"parts\[0\]\.att"),
        (t9a({"id": "b", "x": 10, "y": 20, "profile": {"parts": [{"aim": {"bwo": 3}}]}}), r"there is no weapon “bwo”"),
        (t9a(spells=[{**SPELL, "hits": "some"}]), r"spells\[0\]\.hits"),
        (t9a(spells=[{**SPELL, "mods": {"pluck": 1}}]), r"spells\[0\]\.mods\.pluck: there is no characteristic"),
        (t9a(spells=[{**SPELL, "summon": "nobody"}]), r"spells\[0\]\.summon: there is no entry"),
        (t9a(terrain=[CRAG]), r"units\[0\]: stands inside terrain"),
        (t9a(effects=[{"on": "a", "what": "dis", "op": "add", "until": "turn"}]), r"there is no period “turn”"),
        (t9a(field={"deployment": "anyhow"}), r"field\.deployment: there is no value “anyhow”"),
        (conquest(round=11), r"round: 11 is not from 1 to 10"),
        (conquest(stacks=[["e"], []]), r"stacks\[0\]\[0\]: there is no card “e”"),
        (conquest(decks=[["luck"], []]), r"decks\[0\]\[0\]: there is no card “luck”"),
        (conquest(taken=["march", "march", "march"]), r"taken: 3 is not from 0 to 2"),
        (conquest(scenario={"edges": ["south", "south"]}), r"scenario\.edges\[1\]: only one of the two"),
        (conquest(scenario={"zones": [{"id": "z", "x": 90, "radius": 3}]}), r"scenario\.zones\[0\]: is not wholly"),
        (conquest(scenario={"zones": [{"id": "z"}]}), r"scenario\.zones\[0\]\.points"),
        (t9a(spells=[{**SPELL, "str": 200}]), r"spells\[0\]\.str: 200"),
        (t9a({"id": "b", "x": 9, "y": 9, "models": 10, "kinds": [{"models": 2, "def": 99}]}), r"kinds\[0\]\.def: 99"),
        (aos(plan={"territories": [[], [[0, 0], [44, 0], [44, 9]]]}), r"plan\.territories\[0\]: a polygon"),
        (wh40k(mission={"zones": [[[0, 0], [44, 0], [44, 9]], []]}), r"mission\.zones\[1\]: a polygon"),
        (
            conquest(terrain=[{"id": "rock", "rules": ["impassable"], "points": CRAG["points"]}]),
            r"stands inside terrain",
        ),
        (
            conquest(terrain=[{"id": "rock", "points": [[70, 5], [75, 5], [75, 9]]}]),
            r"terrain\[0\]\.points: is not wholly",
        ),
        (conquest(effects=[{"on": "a", "what": "clash", "op": "add", "until": "noon"}]), r"effects\[0\]\.until"),
        (conquest(characters=[HERO, {**HERO, "id": "k"}]), r"characters\[1\]\.regiment: a regiment has one Character"),
        (
            conquest(characters=[{"id": "h", "entry": "brine/tide-spears", "regiment": "a"}]),
            r"there is no entry “brine/tide-spears”",
        ),
        (conquest(places=[[0, 0], [0, 0]]), r"regiments\[0\]\.places\[1\]: 0, 0 is written twice"),
        (
            t9a({"id": "b", "x": 10, "y": 20, "profile": {"rules": ["fearles"]}}),
            r"units\[1\]\.profile\.rules\[0\]: there",
        ),
        (t9a({"id": "b", "x": 10, "y": 20, "profile": {"rules": ["aegis (5+)x"]}}), r"rules\[0\]: .*“x”"),
        (
            t9a({"id": "b", "x": 10, "y": 20, "profile": {"parts": [{"own": [PIKE, PIKE]}]}}),
            r"parts\[0\]\.own\[1\]\.id: pike is written twice",
        ),
        (t9a({"id": "b", "x": 10, "y": 20, "profile": {"parts": [{"aim": {"bow": 0}}]}}), r"aim\.bow: 0 is not"),
        (t9a({"id": "b", "x": 10, "y": 20, "profile": {"parts": [{"att": ""}]}}), r"parts\[0\]\.att"),
        (t9a({"id": "b", "x": 10, "y": 20, "spells": ["zap"]}), r"units\[1\]\.spells\[0\]"),
        (conquest(scenario={"zones": [ZONE, ZONE]}), r"scenario\.zones\[1\]\.id: z is written twice"),
        (conquest(terrain=[{"id": "w", "points": BOW_TIE}]), r"terrain\[0\]\.points: the outline crosses itself"),
        (conquest(scenario={"zones": [{"id": "z", "points": BOW_TIE}]}), r"zones\[0\]\.points: the outline crosses"),
        (warcry(players=[{"singles": [3, 3]}]), r"players\[0\]\.singles\[1\]: 3 is written twice"),
        (warcry(players=[{"sets": [[3, 2]], "singles": [3]}]), r"players\[0\]\.singles\[0\]: 3 is written twice"),
        (aos(sides=[{"commands_used": [""]}]), r"sides\[0\]\.commands_used\[0\]"),
        (aos(sides=[{"spells_used": ["charge"]}]), r"sides\[0\]\.spells_used\[0\]"),
        (aos(squad(damage=2, profile={"health": 2})), r"units\[1\]\.damage: has taken 2 of its 2 wounds"),
        (
            warcry(fighters=[{"id": "a1", "side": 0, "profile": "slag-chief", "x": 4, "y": 18, "damage": 24}]),
            r"fighters\[0\]\.damage: has taken 24 of its 24 wounds",
        ),
        (conquest(models=["leader", "leader"]), r"regiments\[0\]\.models\[1\]: leader is written twice"),
        (conquest(arrived=2), r"regiments\[0\]\.arrived: 2 is not from 0 to 1"),
        (t9a(terrain=[{"id": "w", "kind": "forest", "points": [*CLOSED]}]), r"terrain\[0\]\.points\[0\]: the corner"),
        (aos(terrain=[{"x": 6, "y": 6, "points": [*CLOSED]}]), r"terrain\[0\]\.points\[0\]: the corner \[0, 0\]"),
        (wh40k(squad(), terrain=[{**WALL, "points": [*CLOSED]}]), r"terrain\[0\]\.points\[0\]: the corner"),
        (conquest(terrain=[{"id": "w", "points": [*CLOSED]}]), r"terrain\[0\]\.points\[0\]: the corner"),
        (
            warcry(pieces=[{**TOWER, "parts": [{"points": [*CLOSED], "top": 3}]}]),
            r"parts\[0\]\.points\[0\]: the corner",
        ),
        (warcry(pieces=[{**TOWER, "parts": [{"points": BOW_TIE, "top": 3}]}]), r"parts\[0\]\.points: the outline"),
        (
            wh40k(squad(), terrain=[{**WALL, "points": STAR}]),
            r"terrain\[0\]\.points: the outline crosses itself",
        ),
        (
            warcry(pieces=[{**TOWER, "parts": [{"points": [[0, 0], [4, 0], [1, 1], [0, 4]], "top": 3}]}]),
            r"parts\[0\]\.points: must be a convex",
        ),
        (conquest(places=[[0, 0], [0, 1]], wounds={1: 4}), r"regiments\[0\]\.wounds\.1: 4 is not from 0 to 3"),
        (
            conquest(regiments=[{**RIDERS, "wounds": {0: 7}}]),
            r"regiments\[0\]\.wounds\.0: 7 is not from 0 to 4",
        ),
        (
            conquest(characters=[{"id": "h", "entry": "brine/tide-marshal", "regiment": "a", "wounds": 50}]),
            r"characters\[0\]\.wounds: 50 is not from 0 to",
        ),
        (conquest(characters=[{**HERO, "wounds": 4}]), r"characters\[0\]\.wounds: 4 is not from 0 to 3"),
        (
            conquest(regiments=[HOUSED, {**HOUSED, "id": "k"}], terrain=[HOUSE], who="i"),
            r"\[1\]\.garrison: house holds",
        ),
        (
            conquest(regiments=[{**HOUSED, "profile": {**PLAIN, "type": "cavalry"}}], terrain=[HOUSE], who="i"),
            r"regiments\[0\]\.garrison: only infantry",
        ),
        (conquest(regiments=[{**HOUSED, "where": "gone"}], terrain=[HOUSE], who="i"), r"who: i is not on the table"),
        (conquest(taken=[""]), r"taken\[0\]: there is no action"),
        (conquest(terrain=[{"id": "a", "points": [[1, 1], [5, 1], [5, 5]]}]), r"terrain\[0\]\.id: a is written twice"),
        (aos(sides=[{"spells": [""]}]), r"sides\[0\]\.spells\[0\]: there is no spell"),
        (aos(squad(id="a1.2")), r"units\[1\]\.id: a1\.2 is written twice"),
        (wh40k(squad(id="x" * 81)), r"units\[1\]\.id: an id is 80 characters long at most"),
        (wh40k(squad(id="done")), r"units\[1\]\.id: done is a word"),
        (t9a({"id": "end", "x": 10, "y": 20}), r"units\[1\]\.id: end is a word"),
        (
            wh40k(CART, squad(side=0, where="aboard", aboard="c", models=[[0, 0]] * 3)),
            r"aboard: c has room for 2 models",
        ),
        (wh40k(squad(side=0, where="aboard", aboard="a1")), r"units\[1\]\.aboard: a1 does not carry b1"),
        (warcry(treasures=[{"id": "a1", "kind": "skull", "x": 3, "y": 3}]), r"treasures\[0\]\.id: a1 is written twice"),
        (
            warcry(terrain=[{**BASE, "on": "t7"}]),
            r"terrain\[0\]\.on: there is no terrain “t7”",
        ),
        (
            warcry(terrain=[{**BASE, "id": "t"}, {**BASE, "x": 20, "id": "t"}]),
            r"terrain\[1\]\.id",
        ),
    ],
)
def test_what_cannot_be_is_refused_with_the_field(scene: dict[str, Any], message: str) -> None:
    with pytest.raises(UmpireError, match=message) as told:
        umpire.scene(scene)
    assert "\n" not in told.value.line("zh")


def test_whatever_somebody_called_a_thing_an_error_is_one_line() -> None:
    with pytest.raises(UmpireError) as told:
        umpire.scene(aos(squad(warscroll="no\nbody")))
    assert "\n" not in told.value.line("en")
    assert "no body" in told.value.line("zh")


@pytest.mark.parametrize("game", ["warcry", "aos", "conquest", "wh40k", "t9a"])
def test_no_piece_is_called_by_what_its_questions_are_answered_with(game: str) -> None:
    """Whatever stands among pieces in a question and is none itself."""
    words: set[str] = set()
    battle = umpire.battle(game, seed=2)
    rng = Rng(2)
    while (ask := battle.decision) is not None:
        if isinstance(ask, Choose | ChooseSeveral):
            picture = battle.game.picture(battle.state)
            ids = {*(card.id for card in picture.cards), *(key for p in picture.pieces for key in (p.id, p.unit))}
            if any(key in ids for key in ask.options):
                words.update(key for key in ask.options if key.isalpha() and key not in ids)
        battle.answer(ask.suggest(rng), ask.side)
    assert words <= {*ANSWERS}


def test_a_key_is_a_word_whatever_yaml_takes_it_for() -> None:
    from umpire import files

    assert files.parse("{off: 5, yes: {no: off, true: false}}", "x").data == {
        "off": 5,
        "yes": {"no": "off", "true": False},
    }


def test_what_may_be_dice_may_be_a_plain_number_and_a_round_base_its_diameter() -> None:
    gun = {"id": "g", "type": "assault", "range": 24, "attacks": 2, "s": 5, "d": 1}
    battle = umpire.scene(wh40k(squad(profile={"base": 32, "weapons": [gun]})))
    sheet = battle.state.units["b1"].sheet
    assert sheet.rows[0].base == (32.0,)
    assert (sheet.weapons[0].profiles[0].attacks, sheet.weapons[0].profiles[0].s) == ("2", "5")


def test_age_of_sigmar_takes_plain_numbers_too() -> None:
    axe = {"id": "axe", "attacks": 2, "hit": 3, "wound": 3, "rend": 1, "damage": 1}
    unit = {"id": "a", "side": 0, "models": [[10, 10]], "profile": {"base": 40, "weapons": [axe]}}
    battle = umpire.scene(
        {"game": "aos", "position": {"units": [unit, {**unit, "id": "b", "side": 1, "models": [[30, 20]]}]}}
    )
    scroll = battle.state.units["a"].profile
    assert (scroll.base, scroll.weapons[0].attacks, scroll.weapons[0].damage) == ((40.0,), "2", "1")


def test_every_error_of_ours_speaks_chinese_too() -> None:
    """What is said in words of the code can be said in one language only."""
    source = Path(umpire.__file__).parent
    spoken = [str(file) for file in source.rglob("*.py") if re.search(r'UmpireError\(\s*f?"', file.read_text())]
    assert spoken == []


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("answers: [{answer: wait, expect: {not: event waitingg}}]", "there is no event “waitingg”"),
        ("answers: [{answer: wait, expect: [legal, {not: refused by warcry.wait.lasst}]}]", "there is no rule “warcry"),
        ("answers: [{ask: {deed: wait, who: a1}, expect: {not: rule warcry.wait}}]", "there is no rule “warcry.wait”"),
        ("until: asked ask.nobody", "there is no question “ask.nobody”"),
        ("expect: {not: {state: {fighters.zz.damage: 0}}}", "there is no unit “zz”"),
        ("state: {roundd: 3}", "there is no field roundd (field state.roundd)"),
        ("state: {fighters: {'0': {damagee: 3}}}", "there is no field damagee (field state.fighters.0.damagee)"),
        ("state: {fighters: {'7': {damage: 3}}}", "there is no field 7 (field state.fighters.7)"),
        ("state: {agenda: [[no.such, []]]}", "there is no step “no.such” (field state.agenda.0)"),
        ("state: {agenda: [[warcry.combat.turn, [0, 1, 2, 3]]]}", "is not told by 4 values (field state.agenda.0)"),
        ("expect: {not: {state: {fighters.a1.damagee: 0}}}", "there is no field damagee"),
        ("expect: {winner: 2}", "is not understood"),
        ("expect: over", "the battle is not over"),
        ("rules: [warcry.wait.lasst]", "there is no rule “warcry.wait.lasst” (field rules[0])"),
        ("answers: [{ask: {deed: wait, who: a1}, side: 2}]", "answers[0].side"),
        ("expect: refused by warcry.wait.last", "write it beside one of answers"),
    ],
)
def test_what_a_scene_expects_is_spelt_right(
    more: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Else what must not be is not, whatever comes."""
    file = tmp_path / "scene.yaml"
    position = "{at: act, active: a1, fighters: [{id: a1, side: 0, profile: slag-chief, x: 10, y: 10}]}"
    file.write_text(f"game: warcry\nposition: {position}\n{more}\n", encoding="utf-8")
    with pytest.raises(SystemExit) as done:
        cli.main(["scene", "test", str(file), "--lang", "en"])
    assert done.value.code == 1
    assert said in "".join(capsys.readouterr())


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ({"players": [{"inspired": "b1"}, {}]}, "players[0].inspired"),
        ({"treasures": [{"id": key, "kind": "skull", "x": 9, "y": 9, "carrier": "a1"} for key in "gh"]}, "carries two"),
    ],
)
def test_warcry_knows_whose_fighters_and_tokens_are(fields: dict[str, Any], where: str) -> None:
    fighters = [
        {"id": "a1", "side": 0, "profile": "slag-chief", "x": 10, "y": 10},
        {"id": "b1", "side": 1, "profile": "wick-guard", "x": 20, "y": 10},
    ]
    with pytest.raises(UmpireError, match=re.escape(where)):
        umpire.scene({"game": "warcry", "position": {"at": "turn", "fighters": fighters, **fields}})


@pytest.mark.parametrize("error", [KeyError("b7"), StopIteration(), ValueError("nothing")])
def test_what_nobody_foresaw_is_told_in_a_line(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(state: Any) -> None:
        raise error

    monkeypatch.setattr(scenes, "settle", fails)
    with pytest.raises(UmpireError, match="position: ") as told:
        umpire.scene(aos())
    assert type(error).__name__ in told.value.line("en")
