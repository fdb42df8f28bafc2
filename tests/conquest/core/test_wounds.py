"""Wounds, casualties and healing."""

import pytest

from conquest.builder import do, events, fired, hero, last, profile, r, regiment, rolled, scene
from umpire.games.conquest import formation, ranked, wounds


def run(battle, generator, answers=(), place="2"):
    """Carry a step of the wounds chapter out, giving answers to what it asks; with None nothing may be asked."""
    todo = list(answers or ())
    try:
        ask = next(generator)
        while True:
            assert answers is not None, f"asked {ask.prompt.key}"
            if ask.prompt.key == "ask.restored-place":
                given = place if place in ask.options else next(iter(ask.options))
            else:
                given = todo.pop(0) if todo else ask.suggest()
            assert ask.check(given).legal, str(ask.check(given))
            ask = generator.send(given)
    except StopIteration as done:
        return done.value


def hurt(pool, *others, stands=3, files=3, w=4, answers=("left", "left", "left"), **more):
    """A regiment "b" facing side 0 that suffers a pool of wounds."""
    battle = scene(
        regiment("b", 1, (36, 20), stands=stands, files=files, of=profile(w=w), **more.pop("own", {})),
        regiment("x", 0, (5, 5)),
        *others,
        moment="turn",
        first=1,
        stacks=(("x",), ()),
        **more,
    )
    done = run(battle, wounds.suffer(battle, r(battle, "b"), pool), answers)
    return battle, done


def markers(battle):
    return [(s.rank, s.file, s.wounds) for s in r(battle, "b").stands]


@pytest.mark.rule("conquest.wounds.pool")
def test_the_whole_pool_is_known_before_a_casualty_is_removed():
    battle = scene(
        regiment("a", 0, (36, 20), stands=3, of=profile(a=2, c=5)),
        regiment("b", 1, (36, 20), of=profile(d=0, e=0, w=9, r=5)),
        dice=[1] * 6 + [6, 6, 6, 6, 6, 6] + [1] * 9,
    )
    do(battle, "clash", "left")
    assert last(battle, "wound-pool")["wounds"] == 6
    kinds = [e.kind for e in battle.events]
    assert kinds.index("defended") < kinds.index("wound-pool") < kinds.index("allocated")


@pytest.mark.rule("conquest.wounds.allocation.one-at-a-time", "conquest.wounds.stand-destroyed")
def test_wounds_are_allocated_one_by_one():
    battle, done = hurt(9)
    assert done == 9
    assert len(r(battle, "b").stands) == 1, "4 and 4 destroy two stands"
    assert markers(battle)[0][2] == 1


@pytest.mark.rule("conquest.wounds.allocation.ignore-characters")
def test_an_attached_character_is_left_out():
    hero_of = [hero("h", 1, "b", profile(w=5))]
    battle, _ = hurt(11, characters=hero_of, own={"round_start": 40})
    assert battle.state.characters["h"].wounds == 0
    assert sum(bool(s.character) for s in r(battle, "b").stands) == 1
    gone, _ = hurt(12, characters=hero_of, own={"round_start": 40})
    assert gone.state.characters["h"].wounds == 0
    assert r(gone, "b").where == "gone"
    alone = scene(
        regiment("b", 1, (36, 20), stands=1, of=profile("monster", w=6)),
        regiment("x", 0, (5, 5)),
        characters=[hero("h", 1, "b", profile("monster", w=6), own=True)],
        moment="turn",
        stacks=(("x",), ()),
    )
    run(alone, wounds.suffer(alone, r(alone, "b"), 4))
    assert r(alone, "b").stands[0].wounds == 4, "a Character that is a regiment by himself takes them"


@pytest.mark.rule("conquest.wounds.allocation.wounded-first")
def test_a_wounded_stand_is_finished_first():
    battle, _ = hurt(2, own={"wounds": {2: 2}, "round_start": 9})
    assert len(r(battle, "b").stands) == 2
    assert all(s.wounds == 0 for s in r(battle, "b").stands)
    fired(battle, "conquest.wounds.allocation.wounded-first")


def order(stands, files, pool, answers, *others, **own):
    """The places from which stands are lost, in order."""
    battle = scene(
        regiment("b", 1, (36, 20), stands=stands, files=files, of=profile(w=1), round_start=99, **own),
        regiment("x", 0, (5, 5)),
        *others,
        moment="turn",
        stacks=(("x",), ()),
    )
    places = {s.id: (s.rank, s.file) for s in r(battle, "b").stands}
    run(battle, wounds.suffer(battle, r(battle, "b"), pool), answers)
    return [places[e.facts["stand"]] for e in events(battle, "stand-lost")]


@pytest.mark.rule("conquest.wounds.allocation.rear-alternating")
def test_the_rear_rank_goes_from_its_ends_in_turn():
    assert order(8, 4, 4, ["left"]) == [(1, 0), (1, 3), (1, 1), (1, 2)]
    assert order(8, 4, 4, ["right"]) == [(1, 3), (1, 0), (1, 2), (1, 1)]
    assert order(8, 4, 5, ["left", "right"])[4] == (0, 3), "then the next rank"
    battle = scene(
        regiment("b", 1, (36, 20), stands=8, files=4, of=profile(w=1), round_start=99), regiment("x", 0, (5, 5)),
        moment="turn", stacks=(("x",), ()),
    )  # fmt: skip
    places = {s.id: s.file for s in r(battle, "b").stands}
    run(battle, wounds.suffer(battle, r(battle, "b"), 1), ["left"])
    run(battle, wounds.suffer(battle, r(battle, "b"), 1))
    assert [places[e.facts["stand"]] for e in events(battle, "stand-lost")] == [0, 3], "also across separate pools"


@pytest.mark.rule("conquest.wounds.allocation.engaged-last")
def test_engaged_stands_of_a_rank_go_last():
    # b faces south: its left is the east side; the enemy touches the left stand of the rear rank only.
    enemy = regiment("e", 0, (39.75, 23.75), facing=270.0, stands=1, of=profile())
    assert order(6, 3, 3, None, enemy) == [(1, 2), (1, 1), (1, 0)], "right, middle, left: nobody is asked"
    front = regiment("e", 0, (36, 20), stands=3)
    assert {rank for rank, _ in order(6, 3, 3, ["left"], front)} == {1}
    other = regiment("f", 0, (32.25, 23.75), facing=90.0, stands=1, of=profile())
    assert order(6, 3, 1, None, enemy, other) == [(1, 1)], "both ends fight: the middle goes first"


@pytest.mark.rule("conquest.wounds.allocation.engaged-last")
def test_by_the_other_reading_unengaged_stands_of_any_rank_go_first():
    behind = regiment("e", 0, (36, 25), facing=180.0, stands=3)
    assert [rank for rank, _ in order(6, 3, 4, ["left", "left"], behind)] == [1, 1, 1, 0], "the rear rank first"
    battle = scene(
        regiment("b", 1, (36, 20), stands=6, files=3, of=profile(w=1), round_start=99),
        regiment("x", 0, (5, 5)),
        behind,
        moment="turn",
        stacks=(("x",), ()),
        options={"casualties": "engaged-first"},
    )
    places = {s.id: formation.stand_base(r(battle, "b"), s) for s in r(battle, "b").stands}
    for left in (5, 4, 3, 2):
        run(battle, wounds.suffer(battle, r(battle, "b"), 1), ["left"])
        own = r(battle, "b")
        assert len(formation.stands_in_contact(battle.state, own)) == min(3, left)
        for stand in own.stands:
            now, was = formation.stand_base(own, stand), places[stand.id]
            assert (now.x, now.y) == pytest.approx((was.x, was.y)), "nobody else moves"
        assert sum(block.shape.width * block.shape.depth for block in ranked.blocks(own)) == left * 6.25


@pytest.mark.rule("conquest.wounds.allocation.command-last")
def test_the_command_stand_goes_last():
    assert order(3, 3, 3, ["left"], models=("leader",)) == [(0, 0), (0, 2), (0, 1)]
    assert order(2, 2, 1, ["left"], models=("leader",)) == [(0, 1)]
    fired(hurt(1, own={"models": ("leader",)})[0], "conquest.wounds.allocation.command-last")


@pytest.mark.rule("conquest.wounds.allocation.reevaluate")
def test_priorities_are_applied_anew_for_every_wound():
    assert order(4, 2, 3, ["left", "left"]) == [(1, 0), (1, 1), (0, 0)]


@pytest.mark.rule("conquest.wounds.excess")
def test_surplus_wounds_are_lost():
    battle, done = hurt(7, stands=1, files=1)
    assert done == 4
    assert r(battle, "b").where == "gone"
    assert last(battle, "surplus")["wounds"] == 3


@pytest.mark.rule("conquest.wounds.tally")
def test_morale_dice_are_as_many_as_wounds_taken():
    battle = scene(
        regiment("a", 0, (36, 20), stands=3, of=profile(a=3, c=5)),
        regiment("b", 1, (36, 20), stands=8, files=4, of=profile(d=0, e=0, w=4, r=5)),
        dice=[1] * 9 + [6] * 9 + [1] * 20,
    )
    do(battle, "clash", "left")
    assert rolled(battle, "morale") == [9]


# -- healing -------------------------------------------------------------------------------------------------------


def heal(points, stands=3, w=4, answers=(True, True, True), skip=False, heroes=(), others=(), place="2", **own):
    battle = scene(
        regiment("b", 0, (36, 20), stands=stands, files=own.pop("files", 3), of=profile(w=w), **own),
        regiment("x", 1, (5, 45)),
        *others,
        characters=heroes,
        moment="turn",
        first=1,
        stacks=((), ("x",)),
    )
    spent = run(
        battle,
        wounds.heal(battle, r(battle, "b"), points, "conquest.draw-event.regeneration", skip_character=skip),
        answers,
        place,
    )
    return battle, spent


@pytest.mark.rule("conquest.wounds.heal.points")
def test_a_point_takes_a_marker_off():
    battle, spent = heal(4, wounds={2: 3})
    assert spent == 3
    assert all(s.wounds == 0 for s in r(battle, "b").stands)
    rest, _ = heal(5, w=4, stands=3, wounds={2: 3}, lost=1)
    assert len(r(rest, "b").stands) == 4, "the points left restore a stand"


@pytest.mark.rule("conquest.wounds.heal.cap")
def test_no_more_stands_than_at_the_start():
    battle, spent = heal(6)
    assert spent == 0
    fired(battle, "conquest.wounds.heal.cap")
    joined, _ = heal(2, stands=3, lost=1, heroes=[hero("h", 0, "b")])
    assert len(r(joined, "b").ordinary()) == 4, "a Character's stand is not counted"


@pytest.mark.rule("conquest.wounds.heal.one-rule-at-a-time")
def test_points_of_two_rules_are_not_pooled():
    battle, first = heal(2, w=5, lost=1)
    second = run(battle, wounds.heal(battle, r(battle, "b"), 2, "conquest.draw-event.regeneration"))
    assert (first, second) == (0, 0), "restoring costs 3"
    assert len(r(battle, "b").stands) == 3


@pytest.mark.rule("conquest.wounds.heal.character-first")
def test_the_character_is_healed_first():
    battle, _ = heal(5, w=5, wounds={2: 4}, heroes=[hero("h", 0, "b", profile(w=4), wounds=2)])
    assert battle.state.characters["h"].wounds == 0
    assert sum(s.wounds for s in r(battle, "b").stands) == 1
    skipped, _ = heal(5, w=5, wounds={2: 4}, heroes=[hero("h", 0, "b", profile(w=4), wounds=2)], skip=True)
    assert skipped.state.characters["h"].wounds == 2


@pytest.mark.rule("conquest.wounds.heal.stands")
def test_the_command_stand_is_healed_before_others():
    battle, _ = heal(2, models=("leader",), wounds={0: 1, 2: 2})
    left = {s.command: s.wounds for s in r(battle, "b").stands if s.wounds}
    assert left == {False: 1}


@pytest.mark.rule("conquest.wounds.heal.restore.condition")
def test_a_stand_is_restored_only_when_none_is_wounded():
    battle, _ = heal(3, wounds={2: 2}, lost=1, answers=())
    assert len(r(battle, "b").stands) == 3, "1 point left is too few"
    declined, _ = heal(4, lost=1, answers=[False])
    assert len(r(declined, "b").stands) == 3, "the player may decline"
    wounded, _ = heal(2, wounds={2: 3}, lost=1)
    assert len(r(wounded, "b").stands) == 3


@pytest.mark.rule("conquest.wounds.heal.restore.order", "conquest.wounds.heal.restore.command-rules")
def test_the_command_stand_is_restored_first_with_its_rules():
    from umpire.games.conquest import hooks

    battle = scene(
        regiment("b", 0, (36, 20), stands=2, files=2, lost=2, lost_models=("standard-bearer",), of=profile(w=4)),
        regiment("x", 1, (5, 45)),
        moment="turn",
        first=1,
        stacks=((), ("x",)),
    )
    own = r(battle, "b")
    assert hooks.find(battle.state, own, "unstoppable") is None
    run(battle, wounds.heal(battle, own, 2, "conquest.draw-event.regeneration"), [True])
    assert [s.command for s in own.stands].count(True) == 1
    assert hooks.find(battle.state, own, "unstoppable") is not None, "the rule is back from that moment"
    command = next(s for s in own.stands if s.command)
    assert command.rank == 0


@pytest.mark.rule("conquest.wounds.heal.restore.order")
def test_of_cavalry_the_stands_with_command_models_come_back_first():
    riders = ("leader", "standard-bearer")
    battle = scene(
        regiment("b", 0, (36, 20), stands=4, files=4, models=riders, of=profile("cavalry", w=4), round_start=99),
        regiment("x", 1, (5, 45)),
        moment="turn",
        first=1,
        stacks=((), ("x",)),
    )
    own = r(battle, "b")
    bearers = {s.models[0]: s for s in own.stands if s.models}
    plain = next(s for s in own.stands if not s.models)
    for stand in (plain, *bearers.values()):
        wounds.lost(battle, own, stand)
    cite = "conquest.draw-event.regeneration"
    run(battle, wounds.heal(battle, own, 2, cite), [True, bearers["standard-bearer"].id])
    assert {m for s in own.stands for m in s.models} == {"standard-bearer"}, "its owner chose which of the two"
    run(battle, wounds.heal(battle, own, 4, cite), [True])
    assert {m for s in own.stands for m in s.models} == {"standard-bearer", "leader"}
    assert [s.id for s in own.lost] == [plain.id]


@pytest.mark.rule("conquest.wounds.heal.restore.cost")
def test_restoring_costs_half_the_wounds_rounded_up():
    for w, points, cost, left in ((4, 2, 2, 2), (5, 3, 3, 2), (1, 1, 1, 0)):
        battle, spent = heal(points, w=w, lost=1)
        assert spent == cost
        assert sum(s.wounds for s in r(battle, "b").stands) == left, f"markers of W{w}"
    poor, spent = heal(2, w=5, lost=1)
    assert spent == 0
    assert last(poor, "cannot-restore")["left"] == 2


@pytest.mark.rule("conquest.wounds.heal.restore.placement")
@pytest.mark.parametrize(
    ("option", "place", "spots"),
    [
        ("rear-or-beside", "left", [(0, 0), (0, 1), (0, 2)]),
        ("rear-or-beside", "1", [(0, 0), (0, 1), (1, 0)]),
        ("rear", "left", [(0, 0), (0, 1), (1, 0)]),
    ],
)
def test_a_stand_comes_back_beside_a_single_rank_or_behind_it(option, place, spots):
    battle, _ = hurt(4, stands=3, options={"restored_stand": option})
    left = r(battle, "b").x
    run(battle, wounds.heal(battle, r(battle, "b"), 2, "conquest.draw-event.regeneration"), [True], place)
    assert [(s.rank, s.file) for s in r(battle, "b").stands] == spots
    moved = r(battle, "b").x - left
    assert abs(moved) == (1.25 if len({rank for rank, _ in spots}) == 1 else 0.0)


@pytest.mark.rule("conquest.wounds.heal.restore.placement")
def test_a_restored_stand_needs_a_place():
    battle, _ = heal(2, lost=1)
    new = [s for s in r(battle, "b").stands if s.wounds]
    assert [(s.rank, s.file) for s in new] == [(1, 1)], "a wounded stand stands in the last rank"
    aside, _ = heal(2, lost=1, place="3")
    assert [(s.rank, s.file) for s in r(aside, "b").stands if s.wounds] == [(1, 2)], "where its owner puts it"
    beside, _ = heal(2, stands=4, lost=1, place="3")
    last_one, _ = heal(2, stands=1, files=1, lost=2, place="1")
    own = r(last_one, "b")
    assert [(s.rank, s.file, bool(s.wounds)) for s in own.stands] == [(0, 0, True), (0, 1, False)], "two in front"
    assert formation.stand_base(own, own.stands[1]).x == 36.0, "the one that was left has not moved"
    gapless = [s.file for s in r(beside, "b").stands if s.rank == 1]
    assert gapless == [1, 2], "the stand in the middle has a place on either side"
    enemy = regiment("e", 1, (36, 17.4), facing=0.0, stands=5, files=5)
    sides = [regiment(f"s{x}", 1, (x, 17.5), facing=180.0, stands=1) for x in (31, 41)]
    blocked, spent = heal(4, lost=1, others=(enemy, *sides))
    assert spent == 0
    assert len(r(blocked, "b").stands) == 3
    fired(blocked, "conquest.wounds.heal.restore.placement")


@pytest.mark.rule("conquest.wounds.heal.loop")
def test_points_left_heal_the_new_stand():
    battle, spent = heal(5, w=4, lost=1)
    assert spent == 4, "2 to restore, 2 for its markers, 1 lost"
    assert all(s.wounds == 0 for s in r(battle, "b").stands)
    fired(battle, "conquest.wounds.heal.loop")
    assert ranked.width(r(battle, "b")) == 7.5


@pytest.mark.rule("conquest.regiment.formation")
def test_a_single_rank_closes_up_when_a_stand_in_its_middle_falls() -> None:
    from umpire.games.conquest import wounds

    battle = scene(regiment("a", at=(30, 20), stands=5, files=5), regiment("z", 1, (60, 40), 180))
    a = r(battle, "a")
    middle = next(s for s in a.stands if s.file == 1)
    wounds.lost(battle, a, middle)
    assert [s.file for s in sorted(a.stands, key=lambda s: s.file)] == [0, 1, 2, 3]
    assert a.files == 4
    # Three stands stay where they are, one moves up to them.
    assert a.x == pytest.approx(30 + a.profile.width / 2)
    fired(battle, "conquest.regiment.formation")
