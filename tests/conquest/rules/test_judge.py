"""A judge's questions: wishes of all kinds at one position, ruled as the book has it, with what was measured."""

from __future__ import annotations

from typing import Any

import pytest
from tests.conquest.builder import do, forward, hero, path, profile, r, regiment, scene, wood

from umpire.engine.battle import Battle
from umpire.games.conquest.state import State

FAR = regiment("z", 1, (60, 44))
HOUSE = wood("h", 34, 14, 38, 18, kind="garrison", capacity=3)
BOWS = profile(v=2, rules=["barrage 2 16"])
OUT, IN = "conquest.action.list.out-of-combat", "conquest.action.list.in-combat"
INCH, TURN = "conquest.march.one-inch", "conquest.round.action.sequence"


def ruled(battle: Battle[State], deed: str, who: str = "a", side: int = 0, **wish: Any) -> list[str]:
    ruling = battle.why_not(side, {"deed": deed, "who": who, **wish})
    return [reason.rule for reason in ruling.reasons]


def facts(battle: Battle[State], deed: str, rule: str, **wish: Any) -> dict[str, Any]:
    ruling = battle.why_not(0, {"deed": deed, "who": "a", **wish})
    return next(reason.facts for reason in ruling.reasons if reason.rule == rule)


def facing(enemy: float, *others: Any, own: dict[str, Any] | None = None, **more: Any) -> Battle[State]:
    """ "a" at 10 inches from the edge, and an enemy whose front is so far up the table."""
    mine = regiment("a", 0, (36, 10), **{"of": profile(m=5), **(own or {})})
    return scene(mine, regiment("e", 1, (36, enemy)), *others, FAR, **more)


MARCHES = [
    (forward(6), ["conquest.march.distance", INCH]),
    (forward(4), []),
    (forward(4.01), [INCH]),
    (path(("left", 2.5)), []),
    (path(("left", 2.6)), ["conquest.march.direction.half-rate"]),
    (path(("forward", 2), ("left", 0.4)), ["conquest.march.direction.no-mixing"]),
    (path(("wheel", -38.3)), ["conquest.march.distance", INCH]),
    (path(("wheel", 10), ("forward", 1), ("wheel", -10)), []),
]


@pytest.mark.rule("conquest.march.one-inch", "conquest.march.direction.half-rate", "conquest.march.distance")
def test_marches() -> None:
    battle = facing(15)
    for answer, rules in MARCHES:
        assert ruled(battle, "march", answer=answer) == rules, answer
    assert facts(battle, "march", INCH, answer=forward(4.01)) == {"obstacle": "e", "free": 4.0}
    rock = scene(regiment("a"), FAR, terrain=[wood("rock", 34, 13, 38, 15, "impassable")])
    assert [ruled(rock, "march", answer=forward(n)) for n in (2, 2.1, 5)] == [
        [], [INCH], ["conquest.terrain.zonal.impassable"],
    ]  # fmt: skip


@pytest.mark.rule("conquest.march.through-friends.two-actions", "conquest.march.through-forbidden")
def test_a_march_into_a_friend_is_ruled_by_what_may_follow() -> None:
    """6 inches lead past him, and March is 4."""
    friend = regiment("f", 0, (36, 13.5))
    first = scene(regiment("a", of=profile(m=4)), friend, FAR)
    assert ruled(first, "march", answer=forward(4)) == []
    second = scene(regiment("a", of=profile(m=4)), friend, FAR, taken=("take-aim",))
    assert ruled(second, "march", answer=forward(4)) == ["conquest.regiment.legal-position.overlap"]
    banner = {"of": profile(m=4), "models": ("leader", "standard-bearer")}
    far = scene(regiment("a", **banner), regiment("f", 0, (36, 16.5), stands=6, files=3), FAR)
    assert ruled(far, "march", answer=forward(4)) == [], "4 and 5 inches lead past him"
    fights = scene(regiment("a", of=profile(m=7)), friend, regiment("e", 1, (36, 13.5)), FAR)
    assert ruled(fights, "march", answer=forward(7)) == ["conquest.march.through-forbidden"]


@pytest.mark.rule(
    "conquest.action.list.out-of-combat", "conquest.action.list.in-combat", "conquest.withdraw.eligibility"
)
def test_in_contact_and_out_of_it() -> None:
    close = facing(10)
    for deed in ("march", "charge", "rally", "reform", "take-aim", "volley"):
        assert ruled(close, deed)[0] == OUT, deed
    for deed in ("clash", "withdraw", "inspire", "combat-reform"):
        assert ruled(close, deed) == [], deed
    assert ruled(close, "combat-rally") == ["conquest.action.combat-rally"]
    assert ruled(facing(10, own={"of": profile(klass="heavy")}), "withdraw") == ["conquest.withdraw.eligibility"]
    apart = facing(30)
    for deed in ("clash", "withdraw", "inspire", "combat-reform", "combat-rally"):
        assert ruled(apart, deed)[0] == IN, deed
    assert ruled(apart, "rally") == ["conquest.action.rally"]
    assert ruled(facing(30, own={"broken": True}), "rally") == []


@pytest.mark.rule("conquest.charge.max-range", "conquest.charge.declare", "conquest.regiment.line-of-sight.blocking")
def test_charges() -> None:
    """March 5 and a die: 11 inches at the most."""
    assert ruled(facing(21), "charge", whom=["e"]) == []
    assert ruled(facing(21.1), "charge", whom=["e"]) == ["conquest.charge.max-range"]
    assert facts(facing(21.1), "charge", "conquest.charge.max-range", whom=["e"]) == {"distance": 11.1, "reach": 11.0}
    away = facts(facing(21.1), "charge", "conquest.charge.declare")
    assert away == {"reach": 11.0, "enemy": "e", "distance": 11.1}, "whom nobody is named, the nearest is told"
    hidden = facing(18, regiment("f", 1, (36, 20.6)))
    assert ruled(hidden, "charge", whom=["f"]) == ["conquest.regiment.line-of-sight.blocking"]
    assert facts(hidden, "charge", "conquest.regiment.line-of-sight.blocking", whom=["f"])["by"] == ["e"]
    behind = scene(regiment("a"), regiment("e", 1, (36, 4), 0.0), FAR)
    assert ruled(behind, "charge", whom=["e"]) == ["conquest.regiment.line-of-sight.front-arc"]
    assert ruled(facing(15, own={"broken": True}), "charge", whom=["e"]) == ["conquest.morale.broken.no-charge"]
    arrived = facing(15, own={"arrived": 1}, round=1, taken=("march",))
    assert ruled(arrived, "charge", whom=["e"]) == ["conquest.charge.not-after-reinforcement"]


@pytest.mark.rule("conquest.volley.target", "conquest.volley.eligibility", "conquest.volley.obstruction.size")
def test_volleys() -> None:
    bows = {"of": BOWS}
    assert ruled(facing(26, own=bows), "volley", whom=["e"]) == []
    assert ruled(facing(26.1, own=bows), "volley", whom=["e"]) == ["conquest.volley.target"]
    assert facts(facing(26.1, own=bows), "volley", "conquest.volley.target", whom=["e"])["distance"] == 16.1
    assert ruled(facing(20), "volley", whom=["e"])[0] == "conquest.volley.eligibility"
    large = regiment("m", 0, (36, 15), stands=5, files=5, of=profile("brute"))
    assert ruled(facing(22, large, own=bows), "volley", whom=["e"]) == ["conquest.regiment.line-of-sight.blocking"]
    small = regiment("m", 0, (36, 15), stands=5, files=5)
    brutes = scene(regiment("a", of=BOWS), small, regiment("e", 1, (36, 22), of=profile("brute")), FAR)
    assert ruled(brutes, "volley", whom=["e"]) == [], "what is smaller than the target is looked past"


@pytest.mark.rule("conquest.round.action.sequence", "conquest.round.action.no-double-activation")
def test_whose_turn_it_is() -> None:
    battle = facing(30, regiment("c", 0, (20, 10), activated=True), regiment("d", 0, (50, 10)), taken=("reform",))
    assert ruled(battle, "march", "d", answer=forward(1)) == [TURN]
    assert ruled(battle, "march", "c", answer=forward(1)) == [TURN, "conquest.round.action.no-double-activation"]
    assert ruled(battle, "march", "e", answer=forward(1)) == ["conquest.round.action.alternate", TURN]
    assert ruled(battle, "march", "e", 1, answer=forward(1)) == [TURN]
    assert ruled(battle, "reform") == ["conquest.action.second-different"]
    assert ruled(battle, "pass") == []


@pytest.mark.rule("conquest.terrain.garrison.leave.cost", "conquest.terrain.garrison.over-capacity")
def test_garrisons() -> None:
    cost = "conquest.terrain.garrison.leave.cost"
    assert ruled(scene(regiment("a"), FAR, terrain=[HOUSE]), "occupy") == []
    crowd = scene(regiment("a", stands=4), FAR, terrain=[HOUSE])
    assert ruled(crowd, "occupy") == ["conquest.terrain.garrison.over-capacity"]
    assert ruled(crowd, "leave-garrison") == [cost]
    inside = regiment("a", where="garrison", garrison="h")
    held = scene(inside, FAR, terrain=[HOUSE])
    assert ruled(held, "leave-garrison") == []
    assert ruled(held, "march", answer=forward(1)) == [cost]
    assert ruled(held, "reform") == [cost]
    bows = regiment("a", where="garrison", garrison="h", of=BOWS)
    aimed = scene(bows, regiment("e", 1, (36, 30)), FAR, terrain=[HOUSE], taken=("take-aim",))
    assert ruled(aimed, "leave-garrison") == [cost]


@pytest.mark.rule("conquest.magic.action.who", "conquest.magic.action.kind", "conquest.magic.spells.list")
def test_spells() -> None:
    wish = {"using": "fire-dart", "whom": ["e"]}
    assert ruled(facing(20), "cast", **wish) == ["conquest.magic.action.who", "conquest.magic.spells.list"]
    mage = {"of": profile(rules=["wizard 4"])}
    rules = ruled(facing(20, own=mage), "cast", **wish)
    assert rules == ["conquest.magic.action.kind", "conquest.magic.spells.list"]
    slain = hero("h", regiment="a", of=profile(rules=["priest 3"]), alive=False)
    assert ruled(facing(20, characters=[slain]), "cast", who="h", **wish) == ["conquest.magic.action.who"]


@pytest.mark.rule("conquest.action.combat-reform.clean")
def test_a_combat_reform_of_a_slow_regiment_is_ruled_by_its_own_rule() -> None:
    """Half of March 1, rounded down, is nothing: its centre stays, and no stand goes further than an inch."""
    rule = "conquest.action.combat-reform.clean"
    battle = do(facing(10, own={"of": profile(m=1), "stands": 4, "files": 2}, dice=[1]), "combat-reform")
    x, y = 36.0, r(battle, "a").y - 2.5
    told = [battle.check({"x": x + aside, "y": y, "facing": turn, "files": 2}) for aside, turn in ((1, 0), (0, 45))]
    assert [reason.rule for ruling in told for reason in ruling.reasons] == [rule, rule]
    assert told[0].reasons[0].facts == {"moved": 1.0, "allowed": 0}
    assert told[1].reasons[0].facts["moved"] > told[1].reasons[0].facts["allowed"] == 1


@pytest.mark.rule("conquest.round.action.deactivate", "conquest.round.structure")
def test_a_wish_is_judged_at_the_moment_that_the_scene_describes():
    """Nobody is asked anything where both actions are taken, or in a phase without a choice: the battle goes on, but
    the question was about that moment."""
    own, foe = regiment("a", 0, (36, 20)), regiment("b", 1, (36, 24), facing=180)
    spent = scene(own, foe, taken=("march", "march"))
    assert spent.decision.about == "b"
    told = spent.why_not(0, {"deed": "charge", "who": "a", "whom": ["b"]})
    assert told.rules == ("conquest.round.action.deactivate",)
    early = scene(own, foe, moment="reinforcement")
    assert early.state.phase != "reinforcement"
    told = early.why_not(0, {"deed": "march", "who": "a"})
    assert "conquest.round.structure" in told.rules
    assert told.reasons[0].facts["phase"].key == "phase.reinforcement"


@pytest.mark.rule("conquest.character.wounds.untargetable")
def test_an_attached_character_is_no_target_of_a_volley():
    battle = scene(
        regiment("a", 0, (36, 20), of=BOWS), regiment("b", 1, (36, 28)), regiment("o", 1, (44, 28), stands=1),
        characters=[hero("h", 1, "b"), hero("own", 1, "o", own=True)],
    )  # fmt: skip
    assert ruled(battle, "volley", whom=["h"]) == ["conquest.character.wounds.untargetable"]
    assert ruled(battle, "volley", whom=["b"]) == []
    assert "conquest.character.wounds.untargetable" not in ruled(battle, "volley", whom=["own"])
    assert do(battle, "volley").check("h").rules == ("conquest.character.wounds.untargetable",)


@pytest.mark.rule("conquest.character.seek-escort.garrison", "conquest.character.seek-escort.range")
def test_a_new_escort_can_be_asked_for():
    inside = regiment("g", 0, (36, 16), stands=2, where="garrison", garrison="h")
    battle = scene(
        regiment("a", 0, (36, 10)), inside, regiment("n", 0, (45, 10)), regiment("d", 0, (60, 10)), FAR,
        characters=[hero("c", 0, "a")], terrain=[HOUSE], moment="character", who="c",
    )  # fmt: skip
    assert ruled(battle, "seek-escort", "c", whom=["n"]) == []
    assert ruled(battle, "seek-escort", "c", whom=["g"]) == ["conquest.character.seek-escort.garrison"]
    assert ruled(battle, "seek-escort", "c", whom=["d"]) == ["conquest.character.seek-escort.range"]
    assert ruled(battle, "seek-escort", "c", whom=["z"]) == ["conquest.character.seek-escort.conditions"]
    assert ruled(battle, "seek-escort", "a") == ["conquest.character.actions.one"]
    assert ruled(battle, "character-rally", "c") == ["conquest.morale.broken.character-rally"]
