"""Chapter 11: draw events."""

from __future__ import annotations

from typing import Any

import pytest
from tests.conquest.builder import (
    do,
    events,
    fired,
    forward,
    hero,
    last,
    offered,
    profile,
    r,
    refused,
    regiment,
    rolled,
    scene,
)

from umpire.engine.battle import Battle
from umpire.games.conquest import hooks
from umpire.games.conquest.scenes import SceneRegiment
from umpire.games.conquest.state import State

FAR = (36.0, 40.0)


def drawn(
    *names: str, at: tuple[float, float] = FAR, dice: Any = "seed", kind: str = "infantry", **more: Any
) -> Battle[State]:
    """The card of "a", which has these draw events, is drawn."""
    stats = more.pop("stats", {})
    return scene(
        regiment("a", of=profile(kind, events=names, **stats), **more.pop("own", {})),
        regiment("b", 1, at=at, **more.pop("enemy", {})),
        moment="activation",
        dice=dice,
        **more,
    )


def value(battle: Battle[State], what: str, key: str = "a") -> float:
    return hooks.characteristic(battle, r(battle, key), what, context="clash").total


def prompt(battle: Battle[State]) -> str:
    return battle.decision.prompt.key if battle.decision is not None else ""


@pytest.mark.rule("conquest.draw-event.stacking", "conquest.draw-event.bastion")
@pytest.mark.parametrize(
    ("names", "defense"),
    [(["bastion 1", "bastion 1"], 3), (["bastion 1", "bastion +1"], 4), (["bastion 1", "bastion 2"], 4)],
)
def test_equal_names_count_once_unless_written_with_a_plus(names: list[str], defense: int) -> None:
    battle = drawn(*names)
    assert value(battle, "defense") == defense


@pytest.mark.rule("conquest.draw-event.compulsory", "conquest.round.action.draw-event.multiple")
def test_a_draw_event_cannot_be_declined_unless_the_table_says_so() -> None:
    alone = drawn("burnout")
    assert value(alone, "clash") == 4
    assert prompt(alone) == "ask.action"
    two = drawn("bastion 1", "burnout")
    assert offered(two) == ["bastion", "burnout"]
    refused(two, "none")
    free = drawn("bastion 1", "burnout", options={"draw_events": "optional"})
    assert offered(free) == ["bastion", "burnout", "none"]
    do(free, "none")
    assert value(free, "defense") == 2
    single = drawn("burnout", options={"draw_events": "optional"})
    assert offered(single) == ["burnout", "none"]


@pytest.mark.rule("conquest.draw-event.compulsory")
def test_no_draw_event_without_its_card_or_on_arrival() -> None:
    tide = drawn("bastion 1", by_card=False)
    assert value(tide, "defense") == 2
    arriving = drawn("bastion 1", own={"where": "arriving"})
    assert not events(arriving, "draw-event")


@pytest.mark.rule("conquest.draw-event.bastion")
def test_bastion_lasts_a_round_and_leaves_evasion_alone() -> None:
    battle = drawn("bastion 1")
    assert value(battle, "defense") == 3
    assert value(battle, "evasion") == 1
    assert [e.until for e in battle.state.effects] == ["round"]


@pytest.mark.rule("conquest.draw-event.biotic-renewal")
@pytest.mark.parametrize(("kind", "healed"), [("infantry", 5), ("brute", 3)])
def test_biotic_renewal(kind: str, healed: int) -> None:
    battle = drawn("biotic-renewal", kind=kind, dice=[5], stats={"w": 9}, own={"wounds": {0: 6}})
    assert 6 - sum(s.wounds for s in r(battle, "a").stands) == healed


@pytest.mark.rule("conquest.draw-event.burnout", "conquest.rule.decay.cumulative")
def test_burnout_gives_clash_march_and_decay() -> None:
    battle = drawn("burnout", dice=[1] * 12, own={"stands": 4})
    assert value(battle, "clash") == 4
    do(battle, "march")
    refused(battle, forward(7.1), "conquest.march.distance")
    do(battle, forward(7), "pass")
    assert rolled(battle, "decay") == [12]
    both = scene(
        regiment("a", stands=2, of=profile(events=["burnout"], rules=["decay 1"])),
        regiment("b", 1, at=FAR),
        moment="activation",
        dice=[1] * 8,
    )
    do(both, "pass")
    assert rolled(both, "decay") == [8]


@pytest.mark.rule("conquest.draw-event.double-time")
def test_double_time_gives_a_third_march() -> None:
    battle = drawn("double-time", at=(36, 45))
    do(battle, "march", forward(5), "march", forward(5))
    assert prompt(battle) == "ask.free-march"
    do(battle, forward(5))
    assert r(battle, "a").y == 25
    without = drawn(at=(36, 45))
    do(without, "march", forward(5), "march", forward(5))
    assert prompt(without) != "ask.free-march"
    other = drawn("double-time", at=(36, 45))
    do(other, "take-aim", "march", forward(5))
    assert prompt(other) != "ask.free-march"


@pytest.mark.rule("conquest.draw-event.fire-and-advance")
def test_fire_and_advance_follows_a_volley_as_second_action() -> None:
    archers = profile(v=2, rules=["barrage 1 24"], events=["fire-and-advance"])

    def ready() -> Battle[State]:
        return scene(regiment("a", of=archers), regiment("b", 1, at=(36, 25)), moment="activation", dice=[6] * 20)

    second = ready()
    do(second, "take-aim", "volley", "b")
    assert prompt(second) == "ask.free-march"
    do(second, forward(4))
    assert r(second, "a").y == 14
    first = ready()
    do(first, "volley", "b")
    assert prompt(first) == "ask.action"
    do(first, "march", forward(1))
    assert prompt(first) != "ask.free-march"


@pytest.mark.rule("conquest.draw-event.flux-powered")
def test_flux_powered_gives_clash_or_attacks() -> None:
    battle = drawn("flux-powered", at=(36, 10), dice=[6] * 30)
    assert offered(battle) == ["clash", "attacks"]
    do(battle, "attacks", "clash")
    assert rolled(battle, "hit") == [18], "three engaged stands with 4 + 2"
    support = drawn("flux-powered", at=(36, 10), dice=[6] * 30, own={"stands": 6, "files": 3})
    do(support, "attacks", "clash")
    assert rolled(support, "hit") == [21], "a Support attack is not raised"
    blows = drawn("flux-powered", at=(36, 10), stats={"c": 4}, dice=[1, *[6] * 11, 1, 1])
    do(blows, "clash", "clash")
    assert last(blows, "hits")["hits"] == 2, "Clash 6: a 1 is two hits"


@pytest.mark.rule("conquest.draw-event.murderous-volley")
@pytest.mark.parametrize(
    ("at", "aim", "tested"),
    [(22.0, True, True), (22.0004, True, True), (22.001, True, False), (22.5, True, False), (22.0, False, False)],
)
def test_murderous_volley_tests_morale_near_after_take_aim(at: float, aim: bool, tested: bool) -> None:
    archers = profile(v=2, rules=["barrage 2 24"], events=["murderous-volley"])
    battle = scene(
        regiment("a", stands=2, files=2, of=archers),
        regiment("b", 1, at=(36, at), of=profile(d=0, e=0, w=9)),
        moment="activation",
        dice=[1] * 4 + [6] * 4 + [1] * 4,
    )
    do(battle, *(["take-aim"] if aim else []), "volley", "b")
    while prompt(battle) == "ask.casualty-end":
        do(battle, "left")
    assert bool(rolled(battle, "morale")) is tested


@pytest.mark.rule("conquest.draw-event.regeneration", "conquest.draw-event.regeneration.character")
def test_regeneration_of_a_regiment_and_of_a_character() -> None:
    wounded = {"stands": 2, "wounds": {1: 4}}
    battle = drawn("regeneration 3", stats={"w": 9}, own=wounded, characters=[hero("h", regiment="a", wounds=2)])
    assert sum(s.wounds for s in r(battle, "a").stands) == 1
    assert battle.state.characters["h"].wounds == 2
    own = scene(
        regiment("a", of=profile(w=9), **wounded),
        regiment("b", 1, at=FAR),
        characters=[hero("h", regiment="a", wounds=1, of=profile(events=["regeneration 3"]))],
        moment="character",
        who="h",
        stacks=((), ("b",)),
    )
    assert own.state.characters["h"].wounds == 0
    assert sum(s.wounds for s in r(own, "a").stands) == 4


@pytest.mark.rule("conquest.draw-event.regeneration")
def test_regeneration_does_nothing_for_the_broken() -> None:
    battle = drawn("regeneration 3", own={"wounds": {1: 3}, "broken": True})
    assert sum(s.wounds for s in r(battle, "a").stands) == 3


def seizer(stack: tuple[str, ...], **more: Any) -> Battle[State]:
    return scene(
        regiment("a", of=profile(events=["bastion 1"])),
        regiment("b", 1, at=FAR),
        *more.pop("others", ()),
        characters=[hero("h", regiment="a", of=profile(events=["seize-the-moment"]))],
        moment="character",
        who="h",
        stacks=(stack, ("b",)),
        **more,
    )


@pytest.mark.rule("conquest.draw-event.seize-the-moment")
def test_seize_the_moment_plays_the_next_card_first() -> None:
    battle = seizer(("a",))
    assert prompt(battle) == "ask.action"
    assert battle.decision is not None
    assert battle.decision.about == "a"
    fired(battle, "conquest.draw-event.bastion")
    assert not r(battle, "b").activated
    do(battle, "pass")
    assert [e.facts["character"] for e in events(battle, "no-action")] == ["h"]
    empty = seizer(())
    assert events(empty, "nothing-to-seize")
    dead = seizer(("nobody", "a"), others=[regiment("nobody", where="gone")])
    assert dead.decision is not None
    assert dead.decision.about == "a", "a card that activates nothing is replaced"


def tide(**more: Any) -> Battle[State]:
    near, far = more.pop("near", 22.0), more.pop("far", 22.1)
    return scene(
        regiment("a", stands=1, files=2, at=(20, 10), places=((0, 0), (0, 1)), activated=more.pop("used", False)),
        regiment("b", 1, at=FAR),
        regiment("c", at=(22.5 + near - 10 + 2.5, 10), stands=2, files=2, of=profile(events=["bastion 1"])),
        regiment("d", at=(22.5 + far - 10 + 2.5, 20), stands=2, files=2, **more.pop("other", {})),
        characters=[hero("h", regiment="a", warlord=True)],
        moment="character",
        who="h",
        stacks=(more.pop("stack", ("c", "d")), ("b",)),
        **more,
    )


@pytest.mark.rule("conquest.draw-event.turn-the-tide", "conquest.character.warlord")
def test_turn_the_tide_activates_a_friend_without_its_draw_event() -> None:
    """The right edge of his stand is at x = 22.5: "c" is 12 inches away."""
    battle = tide()
    assert prompt(battle) == "ask.turn-the-tide"
    assert offered(battle) == ["a", "c"]
    refused(battle, "d", "conquest.draw-event.turn-the-tide")
    do(battle, "c")
    assert battle.decision is not None
    assert battle.decision.about == "c"
    assert value(battle, "defense", "c") == 2
    do(battle, "pass")
    assert r(battle, "c").activated
    nobody = scene(
        regiment("a", activated=True),
        regiment("b", 1, at=FAR),
        characters=[hero("h", regiment="a", warlord=True)],
        moment="character",
        who="h",
        stacks=((), ("b",)),
    )
    assert events(nobody, "no-tide")
    plain = scene(
        regiment("a"), regiment("b", 1, at=FAR), characters=[hero("h", regiment="a")], moment="character", who="h",
        stacks=((), ("b",)),
    )  # fmt: skip
    assert not events(plain, "draw-event"), "only the Warlord has it"


@pytest.mark.rule("conquest.draw-event.turn-the-tide")
@pytest.mark.parametrize(("beyond", "near"), [(0.0004, True), (0.0008, False)])
def test_the_tide_reaches_as_far_as_every_other_range(beyond: float, near: bool) -> None:
    """There is one tolerance: what counts as within a charge or a Volley does here too."""
    battle = tide(near=22.0 + beyond)
    assert ("c" in offered(battle) if prompt(battle) == "ask.turn-the-tide" else False) is near
    bows = regiment("a", at=(36, 10), of=profile(m=6, v=2, rules=["barrage 2 12"]))
    shot = scene(bows, regiment("b", 1, (36, 22 + beyond)))
    for deed in ("charge", "volley"):
        assert shot.why_not(0, {"deed": deed, "who": "a", "whom": ["b"]}).legal is near


@pytest.mark.rule("conquest.draw-event.turn-the-tide.card")
def test_the_card_of_the_chosen_regiment_is_discarded_and_the_turn_passes() -> None:
    battle = tide(used=True)
    assert battle.decision is not None
    assert battle.decision.about == "c"
    do(battle, "pass")
    assert battle.decision.about == "b", "the opponent's turn"
    do(battle, "pass")
    assert events(battle, "card-spent")
    assert battle.decision.about == "d" or battle.state.stacks[0] == []


@pytest.mark.rule("conquest.draw-event.turn-the-tide", "conquest.character.own-regiment")
def test_a_warlord_who_is_a_regiment_turns_the_tide_with_its_card() -> None:
    lone = profile("monster", "heavy", w=10)
    battle = scene(
        regiment("a", stands=1, of=lone, at=(20, 10)),
        regiment("b", 1, at=FAR),
        regiment("c", at=(27, 10), stands=2, files=2),
        characters=[hero("h", 0, "a", of=lone, own=True, warlord=True)],
        moment="activation",
        who="a",
        stacks=(("c",), ("b",)),
    )
    assert battle.decision is not None
    assert battle.decision.about == "c"
    do(battle, "pass")
    assert battle.decision.about == "a", "then it takes its own two actions"


@pytest.mark.rule("conquest.draw-event.turn-the-tide.card")
def test_of_three_equal_cards_one_is_discarded() -> None:
    """Three regiments of one entry, one activated by the Warlord: the other two cards activate the other two."""
    entry = "brine/wall-guard"

    def guard(key: str, x: float) -> SceneRegiment:
        return SceneRegiment(id=key, side=0, entry=entry, stands=2, files=2, x=x, y=10.0)

    battle = scene(
        regiment("a", at=(20, 10), activated=True),
        regiment("b", 1, at=FAR),
        guard("g1", 27),
        guard("g2", 35),
        guard("g3", 43),
        characters=[hero("h", regiment="a", warlord=True)],
        moment="character",
        who="h",
        stacks=(("wall-guard",) * 3, ("b", "b")),
    )
    do(battle, "g1", "pass")
    assert battle.decision is not None
    assert battle.decision.about == "b"
    do(battle, "pass")
    assert len(events(battle, "card-spent")) == 1
    assert offered(battle) == ["g2", "g3"]
    do(battle, "g3", "pass")
    assert battle.decision.about == "g2"


@pytest.mark.rule("conquest.draw-event.fire-and-advance")
def test_fire_and_advance_goes_on_though_the_target_is_destroyed() -> None:
    archers = profile(v=3, rules=["barrage 3 24"], events=["fire-and-advance"])
    battle = scene(
        regiment("a", stands=1, of=archers),
        regiment("b", 1, at=(36, 25), stands=1, of=profile(d=0, e=0, w=1)),
        regiment("c", 1, at=FAR),
        moment="activation",
        dice=[1] * 3 + [6] * 3,
    )
    do(battle, "take-aim", "volley", "b")
    assert r(battle, "b").where == "gone"
    assert prompt(battle) == "ask.free-march"


@pytest.mark.rule("conquest.draw-event.burnout")
def test_a_burning_regiment_charges_two_inches_further() -> None:
    """March 5 + 2 + 6: an enemy 13 inches away may be charged, and none without."""
    assert "charge" in offered(drawn("burnout", at=(36, 23)))
    assert "charge" not in offered(drawn(at=(36, 23)))


@pytest.mark.rule("conquest.draw-event.double-time")
def test_double_time_needs_two_marches() -> None:
    battle = drawn("double-time", at=(36, 21), dice=[6, 6, 6])
    do(battle, "march", forward(2), "charge", "b")
    assert prompt(battle) != "ask.free-march"
