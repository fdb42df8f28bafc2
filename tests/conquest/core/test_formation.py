"""Stands, regiments, formations, positions, arcs."""

import msgspec
import pytest

from conquest.builder import (
    allowed,
    do,
    events,
    fired,
    forward,
    hero,
    last,
    offered,
    path,
    profile,
    r,
    refused,
    regiment,
    scene,
    wood,
)
from umpire.engine.effects import Effect
from umpire.errors import UmpireError
from umpire.games.conquest import attacks, formation, hooks, march, ranked, sight
from umpire.games.conquest.profiles import MODELS_PER_STAND, SIZES, TYPES, Profile
from umpire.games.conquest.state import Stand
from umpire.space.ranks.fronts import world


def stands(*places, **roles):
    """Stands in places; roles by number: command=1, wounded=2."""
    return [
        Stand(f"s{k}", rank, file, wounds=int(roles.get("wounded") == k), command=roles.get("command") == k)
        for k, (rank, file) in enumerate(places)
    ]


def rules_of(found):
    return [reason.rule for reason in found]


@pytest.fixture
def someone():
    return r(scene(regiment("a", stands=6, files=3)), "a")


@pytest.mark.rule("conquest.regiment.formation", "conquest.core.stand.facing")
def test_stands_form_a_grid_with_one_facing(someone):
    bases = [formation.stand_base(someone, s) for s in someone.stands]
    assert {b.facing for b in bases} == {0.0}
    assert sorted({round(b.x, 3) for b in bases}) == [33.5, 36.0, 38.5]
    assert sorted({round(b.y, 3) for b in bases}) == [6.25, 8.75]
    assert rules_of(formation.formation_reasons(someone, stands((0, 0), (0, 0)), 2)) == ["conquest.regiment.formation"]
    assert rules_of(formation.formation_reasons(someone, stands((0, 0), (0, 2)), 2)) == ["conquest.regiment.formation"]
    gap = stands((0, 0), (0, 1), (0, 2), (1, 0), (1, 2))
    assert rules_of(formation.formation_reasons(someone, gap, 3)) == ["conquest.regiment.formation"]


@pytest.mark.rule("conquest.regiment.front-rank-minimum")
def test_at_least_two_stands_in_front(someone):
    column = formation.formation_reasons(someone, stands((0, 0), (1, 0), (2, 0)), 1)
    assert "conquest.regiment.front-rank-minimum" in rules_of(column)
    assert not formation.formation_reasons(someone, stands((0, 0), (0, 1), (1, 0)), 2)
    assert not formation.formation_reasons(someone, stands((0, 0)), 1)
    reforming = scene(regiment("a", stands=3))
    do(reforming, "reform")
    x, y = ranked.centre(r(reforming, "a"))
    refused(reforming, {"x": x, "y": y, "facing": 0, "files": 1}, "conquest.regiment.front-rank-minimum")


@pytest.mark.rule("conquest.regiment.incomplete-rear-rank")
def test_only_the_last_rank_may_be_shorter(someone):
    good = stands((0, 0), (0, 1), (0, 2), (1, 0), (1, 1))
    assert not formation.formation_reasons(someone, good, 3)
    seven = stands((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 1))
    assert not formation.formation_reasons(someone, seven, 3)
    middle = stands((0, 0), (0, 1), (0, 2), (1, 1), (2, 0), (2, 1), (2, 2))
    assert "conquest.regiment.incomplete-rear-rank" in rules_of(formation.formation_reasons(someone, middle, 3))
    assert not formation.formation_reasons(someone, stands((0, 0), (0, 1), (0, 2), (1, 0)), 3), "4 as 3+1"


@pytest.mark.rule("conquest.regiment.command-stand.position")
def test_the_command_stand_is_in_the_middle_of_the_front(someone):
    three = stands((0, 0), (0, 1), (0, 2), command=1)
    assert not formation.formation_reasons(someone, three, 3)
    for wrong in (0, 2):
        found = formation.formation_reasons(someone, stands((0, 0), (0, 1), (0, 2), command=wrong), 3)
        assert rules_of(found) == ["conquest.regiment.command-stand.position"]
    row = ((0, 0), (0, 1), (0, 2), (0, 3))
    fine = [not formation.formation_reasons(someone, stands(*row, command=k), 4) for k in range(4)]
    assert fine == [False, True, True, False]
    behind = stands((0, 0), (0, 1), (1, 0), (1, 1), command=3)
    assert "conquest.regiment.command-stand.position" in rules_of(formation.formation_reasons(someone, behind, 2))


@pytest.mark.rule("conquest.regiment.command-stand.position", "conquest.regiment.incomplete-rear-rank")
def test_the_owner_chooses_who_stands_where_in_a_new_formation():
    def places(battle):
        return {(s.command, bool(s.character)): (s.rank, s.file) for s in r(battle, "a").stands if s.rank == 0}

    battle = scene(
        regiment("a", 0, (36, 10), stands=5, files=3, models=("leader",), of=profile(m=20)),
        regiment("e", 1, (36, 45)),
        characters=[hero("h", 0, "a", profile(m=20))],
    )
    do(battle, "reform", {"x": 36.0, "y": 7.5, "facing": 0.0, "files": 4})
    assert (battle.decision.prompt.key, offered(battle)) == ("ask.rear-place", ["1", "2", "3"])
    do(battle, "3")
    assert (battle.decision.prompt.key, offered(battle)) == ("ask.command-place", ["2", "3"])
    do(battle, "3")
    assert (battle.decision.prompt.key, offered(battle)) == ("ask.character-place", ["1", "2", "4"])
    do(battle, "1")
    assert (places(battle)[True, False], places(battle)[False, True]) == ((0, 2), (0, 0))
    assert [s.file for s in r(battle, "a").stands if s.rank == 1] == [2, 3]
    again = scene(regiment("a", 0, (36, 10), stands=3), regiment("e", 1, (36, 45)), characters=[hero("h", 0, "a")])
    do(again, "reform")
    do(again, again.decision.default, "3", "1")
    assert places(again)[False, True] == (0, 0), "the same ranks and files, but others in them"
    slow = scene(
        regiment("a", 0, (36, 10), stands=4, files=4, models=("leader",), of=profile(m=2)), regiment("e", 1, (36, 45))
    )
    do(slow, "reform")
    do(slow, slow.decision.default)
    assert slow.decision.prompt.key == "ask.action", "no stand moves as far as the next place"
    entering = scene(
        regiment("a", 0, where="arriving", stands=3), regiment("e", 1, (36, 45)), moment="activation",
        characters=[hero("h", 0, "a")],
    )  # fmt: skip
    do(entering, {"edge": "south", "at": 36, "files": 3, **forward(5)}, "1", "1")
    assert places(entering)[False, True] == (0, 0)
    assert [s.file for s in r(entering, "a").stands if s.rank == 1] == [0]


@pytest.mark.rule("conquest.regiment.legal-formation")
def test_a_wounded_stand_is_in_the_last_rank(someone):
    two = ((0, 0), (0, 1), (1, 0), (1, 1))
    assert rules_of(formation.formation_reasons(someone, stands(*two, wounded=0), 2)) == [
        "conquest.regiment.legal-formation"
    ]
    assert not formation.formation_reasons(someone, stands(*two, wounded=3), 2)
    assert not formation.formation_reasons(someone, stands((0, 0), (0, 1), wounded=0), 2), "one rank is the last rank"
    both = [Stand("c", 0, 0, wounds=2, command=True), *stands((0, 1), (1, 0), (1, 1))]
    assert not formation.formation_reasons(someone, both, 2), "the Command Stand keeps its place"


@pytest.mark.rule("conquest.regiment.command-stand")
def test_all_command_models_of_infantry_share_one_stand():
    battle = scene(regiment("a", stands=3, models=("leader", "standard-bearer")))
    command = [s for s in r(battle, "a").stands if s.command]
    assert len(r(battle, "a").stands) == 3, "command models add no stand"
    assert [s.models for s in command] == [("leader", "standard-bearer")]
    assert (command[0].rank, command[0].file) == (0, 1)


@pytest.mark.rule("conquest.regiment.casualties-from-rear", "conquest.core.model")
def test_whole_stands_are_lost_from_the_rear():
    battle = scene(
        regiment("a", 0, (36, 20), stands=6, files=3, of=profile(a=1, c=5)),
        regiment("b", 1, (36, 20), stands=6, files=3, of=profile(w=1, d=0, e=0, r=5)),
        dice=[1, 6, 6, 6, 6, 6, 6, 1],
    )
    do(battle, "clash")
    do(battle, "left")
    assert [s.rank for s in r(battle, "b").stands] == [0, 0, 0, 1, 1]
    assert len(formation.stands_in_contact(battle.state, r(battle, "b"))) == 3
    fired(battle, "conquest.regiment.casualties-from-rear", "conquest.core.model")


@pytest.mark.rule("conquest.regiment.legal-position.overlap")
def test_no_overlap_at_the_end_of_an_action():
    friends = (regiment("a", 0, (36, 10)), regiment("f", 0, (36, 16.0), of=profile(m=1)))
    battle = scene(*friends, regiment("e", 1, (36, 45)), taken=("take-aim",))
    do(battle, "march")
    refused(battle, forward(3.6), "conquest.regiment.legal-position.overlap")
    allowed(battle, forward(3.5))


@pytest.mark.rule("conquest.regiment.legal-position.on-table")
def test_every_stand_stays_on_the_table_all_the_time():
    battle = scene(regiment("a", 0, (3.8, 10)), regiment("e", 1, (36, 45)))
    do(battle, "march")
    refused(battle, path(("left", 0.1)), "conquest.regiment.legal-position.on-table")
    allowed(battle, path(("left", 0.05)))
    near = scene(regiment("a", 0, (5.0, 40), facing=270, stands=3), regiment("e", 1, (60, 5)))
    do(near, "march")
    refused(near, path(("wheel", 90)), "conquest.march.distance")
    refused(near, path(("forward", 5.1)), "conquest.regiment.legal-position.on-table")

    def wheeling(y):
        slim = profile(size=(2.5, 0.5))
        battle = scene(regiment("a", 0, (35.116, y), facing=45, stands=1, of=slim), regiment("e", 1, (60, 5)))
        return do(battle, "march")

    allowed(wheeling(46.3), path(("wheel", 90)))
    swinging = wheeling(46.6)
    refused(swinging, path(("wheel", 90)), "conquest.regiment.legal-position.on-table")
    a = r(swinging, "a")
    a.x, a.y, a.facing = 36.884, 46.6, 135.0
    corners = [y for block in ranked.blocks(a) for _, y in block.corners()]
    assert max(corners) < 48, "only on the way does its corner leave the table"
    ragged = regiment("a", 0, (3.8, 10), stands=4, places=((0, 0), (0, 1), (0, 2), (1, 2)), facing=330)
    corner = scene(ragged, regiment("e", 1, (60, 40)))
    own = r(corner, "a")
    own.x, own.y = 4.2, 4.6
    assert world(ranked.pose(own), -3.75, -5.0)[1] < 0
    assert not march.off_table(corner.state, own, ranked.pose(own), None), "where it has no stand it leaves nothing"


@pytest.mark.rule("conquest.regiment.facing-arcs")
def test_arcs_run_at_45_degrees_from_the_corners():
    battle = scene(regiment("a", 0, (12.5, 10.0), stands=2, files=2), regiment("e", 1, (60, 45)))
    one = r(battle, "a")
    assert formation.arc_of(one, 8, 13) == "front"
    assert formation.arc_of(one, 7, 12) == "left"
    assert formation.arc_of(one, 12.5, 40) == "front"
    assert formation.arc_of(one, 8, 12) == "front", "on the line counts as front"
    assert formation.arc_of(one, 12.5, 1) == "rear"
    assert formation.arc_of(one, 19, 9) == "right"


@pytest.mark.rule("conquest.regiment.in-contact")
def test_corner_to_corner_is_contact_and_a_gap_is_not():
    def gap(dx, dy):
        battle = scene(regiment("a", 0, (36, 20)), regiment("b", 1, (36 + dx, 20 + dy)))
        return formation.in_contact(battle.state, r(battle, "a")), offered(battle)

    assert gap(7.5, 0)[0]
    assert "clash" in gap(7.5, 0)[1]
    assert not gap(0, 0.01)[0]
    assert gap(0, 0.004)[0], "the engine's tolerance is 5/1000 inch"
    assert not gap(7.51, 0)[0]


@pytest.mark.rule("conquest.core.measuring", "conquest.core.measuring.regiments")
def test_distances_are_between_nearest_points_of_real_stands():
    battle = scene(regiment("a", 0, (36, 10)), regiment("b", 1, (36, 14)), regiment("c", 1, (46.5, 14)))
    state = battle.state
    assert formation.distance(state, r(battle, "a"), r(battle, "b")) == pytest.approx(4.0)
    assert formation.distance(state, r(battle, "a"), r(battle, "c")) == pytest.approx(5.0), "3 by 4"
    ragged = scene(
        regiment("a", 0, (36, 20), stands=4, places=((0, 0), (0, 1), (0, 2), (1, 0))),
        regiment("b", 1, (38.5, 13), facing=0.0, stands=1),
    )
    far = formation.distance(ragged.state, r(ragged, "a"), r(ragged, "b"))
    assert far == pytest.approx((2.5**2 + 2.0**2) ** 0.5), "the missing stands do not count"


@pytest.mark.rule("conquest.core.measuring.range-between-stands")
def test_each_stand_has_its_own_range():
    battle = scene(
        regiment("a", 0, (36, 10), of=profile(v=3, rules=["barrage 2 24"])),
        regiment("b", 1, (27.25, 22), stands=2, files=2),
    )
    ranges = [
        round(formation.stand_distance(battle.state, r(battle, "a"), s, r(battle, "b")), 2)
        for s in r(battle, "a").stands
    ]
    assert ranges == sorted(ranges)
    assert len(set(ranges)) == 3


@pytest.mark.rule("conquest.core.measuring.premeasure")
def test_measuring_costs_nothing_and_anybody_may():
    from umpire.games.conquest import GAME
    from umpire.server.measuring import measure
    from umpire.server.problems import Problem

    battle = scene(regiment("a", 0, (36, 10)), regiment("b", 1, (36, 19)))
    before = msgspec.msgpack.encode(battle.state)
    picture = GAME.picture(battle.state)
    ours, theirs = ([p.id for p in picture.pieces if p.unit == unit] for unit in ("a", "b"))
    tape = [measure(GAME, battle.state, picture, a, b, lambda key: None) for a in ours for b in theirs]
    measured = min(tape, key=lambda found: found["distance"])
    assert measured["distance"] == 9.0
    assert measured["rules"] == ["conquest.core.measuring.premeasure"]
    assert msgspec.msgpack.encode(battle.state) == before
    battle.state.without = ("conquest.core.measuring.premeasure",)
    with pytest.raises(Problem, match="nobody may measure"):
        measure(GAME, battle.state, picture, ours[0], theirs[0], lambda key: None)
    battle.state.without = ()
    do(battle, "charge")
    assert battle.decision.data["distances"] == {"b": 9.0}


@pytest.mark.rule("conquest.core.stand", "conquest.core.stand.models-per-type", "conquest.profile.type")
def test_types_of_stand():
    assert TYPES == ("infantry", "cavalry", "brute", "monster")
    assert [MODELS_PER_STAND[t] for t in TYPES] == [4, 1, 1, 1]
    battle = scene(regiment("a", stands=1, of=profile(size=(3.0, 2.0))))
    base = formation.stand_base(r(battle, "a"), r(battle, "a").stands[0])
    assert (base.shape.width, base.shape.depth) == (3.0, 2.0), "the rectangle is what is measured"
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({**msgspec.to_builtins(profile()), "type": "chariot"}, Profile)


@pytest.mark.rule("conquest.core.stand.wound-tracking", "conquest.wounds.wounded-stand")
def test_a_wounded_stand_fights_at_full_value():
    battle = scene(
        regiment("a", 0, (36, 20), stands=3, wounds={2: 3}, of=profile(a=4)), regiment("b", 1, (36, 20), stands=3)
    )
    do(battle, "clash")
    assert last(battle, "attacks")["attacks"] == 12
    taking = scene(
        regiment("a", 0, (36, 20), stands=1, of=profile(a=4, c=5)),
        regiment("b", 1, (36, 20), stands=2, of=profile(w=4, d=0, e=0, r=5)),
        dice=[1, 1, 1, 6, 6, 6, 6, 1, 1, 1],
    )
    do(taking, "clash", "left")
    wounded = [s.wounds for s in r(taking, "b").stands]
    assert sorted(wounded) == [0, 3], "three markers, no stand lost"
    fired(taking, "conquest.wounds.wounded-stand")


@pytest.mark.rule("conquest.core.size.stands", "conquest.core.size.terrain")
def test_sizes():
    assert [SIZES[t] for t in TYPES] == [1, 2, 2, 3]
    sizes = [wood("t", 0, 0, 1, 1, kind).stated_size for kind in ("hill", "forest", "building", "tower", "wall")]
    assert sizes == [2, 3, 2, 3, 3]
    assert wood("t", 0, 0, 1, 1, "hill", size=4).stated_size == 4, "players may agree otherwise"


@pytest.mark.rule("conquest.core.size.on-terrain")
def test_size_on_terrain_adds_but_not_in_a_forest():
    hill = wood("hill", 30, 5, 42, 12, "hill")
    forest = wood("forest", 50, 5, 62, 12, "forest", "passable")
    battle = scene(
        regiment("a", 0, (36, 10)),
        regiment("c", 0, (36, 30), of=profile("cavalry")),
        regiment("f", 0, (56, 10)),
        regiment("e", 1, (10, 45)),
        terrain=[hill, forest],
    )
    assert sight.size_of(battle.state, r(battle, "a")) == 3
    assert sight.size_of(battle.state, r(battle, "f")) == 1
    r(battle, "c").x, r(battle, "c").y = 36.0, 11.0
    assert sight.size_of(battle.state, r(battle, "c")) == 4
    stacked = scene(
        regiment("a"), terrain=[wood("hill", 0, 0, 9, 9, "hill"), wood("grove", 1, 1, 4, 4, "forest", "passable")]
    )
    assert sight.piece_size(stacked.state, stacked.state.terrain[1]) == 5, "a forest on a hill"


@pytest.mark.rule("conquest.core.army", "conquest.regiment.effects-reach-all-stands")
def test_effects_on_a_regiment_reach_its_character_and_never_the_enemy():
    given = Effect("a", "defense", "add", 1, "conquest.draw-event.bastion", until="round")
    battle = scene(
        regiment("a", 0, (36, 20)),
        regiment("b", 1, (36, 20)),
        characters=[hero("h", 0, "a", profile(d=3))],
        effects=(given,),
    )
    own = r(battle, "a")
    his = hooks.characteristic(battle, own, "defense", None, "", character=battle.state.characters["h"])
    assert int(his) == 4
    assert int(hooks.characteristic(battle, own, "defense")) == 3
    assert int(hooks.characteristic(battle, r(battle, "b"), "defense")) == 2


@pytest.mark.rule("conquest.regiment.no-splitting", "conquest.regiment.acts-as-one")
def test_a_regiment_moves_and_acts_as_one():
    battle = scene(regiment("a", 0, (36, 10)), regiment("e", 1, (36, 45)), characters=[hero("h", 0, "a")])
    do(battle, "march")
    refused(battle, {"models": {"as0": {"x": 30, "y": 12}}})
    do(battle, forward(2))
    assert all(formation.stand_base(r(battle, "a"), s).y < 12 for s in r(battle, "a").stands)
    assert any(s.character == "h" for s in r(battle, "a").stands)
    charging = scene(
        regiment("a", 0, (36, 10), stands=2, of=profile(c=3)),
        regiment("e", 1, (36, 14)),
        characters=[hero("h", 0, "a", profile(c=3))],
        dice=[3],
    )
    do(charging, "charge", "e")
    times = attacks.inspired(charging.state, r(charging, "a"), charging.state.characters["h"])
    assert times[0] == 1, "the Character counts as having charged"


@pytest.mark.rule("conquest.core.stand.one-type-per-regiment")
def test_one_type_per_regiment():
    battle = scene(regiment("a", stands=4))
    assert {r(battle, "a").profile.type} == {"infantry"}
    assert not hasattr(r(battle, "a").stands[0], "profile"), "all stands share the regiment's one profile"
    waiting = (regiment("a", 0, where="reserve"), regiment("e", 1, where="reserve"))
    with pytest.raises(UmpireError):
        scene(*waiting, characters=[hero("h", 0, "", profile("cavalry"))], moment="set-up")


@pytest.mark.rule("conquest.profile.structure", "conquest.profile.characteristics")
def test_a_profile_has_two_categories_and_eight_numbers():
    whole = msgspec.to_builtins(profile())
    assert msgspec.convert(whole, Profile) == profile()
    for key in ("type", "class", "march", "volley", "clash", "attacks", "wounds", "resolve", "defense", "evasion"):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({k: v for k, v in whole.items() if k != key}, Profile)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({**whole, "strength": 3}, Profile)


@pytest.mark.rule("conquest.profile.class")
def test_class_is_one_of_three():
    whole = msgspec.to_builtins(profile())
    for klass in ("light", "medium", "heavy"):
        assert msgspec.convert({**whole, "class": klass}, Profile).klass == klass
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({**whole, "class": "huge"}, Profile)


@pytest.mark.rule("conquest.profile.range-and-floor")
def test_a_value_is_summed_and_never_below_nothing():
    def defense(*steps):
        given = tuple(
            Effect("b", "defense", "add", step, "conquest.rule.cleave", source, "round")
            for source, step in zip(("a", "b", "cleave"), steps, strict=False)
        )
        battle = scene(regiment("a", 0, (36, 20)), regiment("b", 1, (36, 20), of=profile(d=1)), effects=given)
        return int(hooks.characteristic(battle, r(battle, "b"), "defense"))

    assert defense(-2) == 0
    assert defense(-2, 1) == 0
    assert defense(-2, 2) == 1
    clash = scene(
        regiment("a", 0, (36, 20), of=profile(c=5, rules=["cleave 3"])),
        regiment("b", 1, (36, 20), of=profile(d=1, r=5)),
        dice=[1] * 12 + [1] * 12,
    )
    do(clash, "clash")
    assert last(clash, "defended")["defense"] == 0


@pytest.mark.rule("conquest.profile.zero")
def test_a_printed_zero_forbids_the_action():
    battle = scene(regiment("a", 0, (36, 10), of=profile(v=0, m=0, rules=["barrage 3 24"])), regiment("b", 1, (36, 18)))
    refused(battle, "volley", "conquest.profile.zero")
    refused(battle, "march", "conquest.profile.zero")
    refused(battle, "charge", "conquest.profile.zero")
    lowered = scene(
        regiment("a", 0, (36, 10), of=profile(v=1, rules=["barrage 3 24"])),
        regiment("b", 1, (36, 18)),
        effects=(Effect("a", "volley", "add", -1, "conquest.rule.terrifying", until="round"),),
    )
    assert "volley" in offered(lowered), "lowered to 0 in play does not forbid it"
    slowed = (Effect("a", "march", "add", -5, "conquest.rule.terrifying", until="round"),)
    still = scene(regiment("a", 0, (36, 10)), regiment("b", 1, (36, 40)), effects=slowed)
    assert "march" in offered(still)
    other = scene(regiment("a", 0, (36, 10)), regiment("b", 1, (36, 40)), effects=slowed, options={"zero": "any"})
    refused(other, "march", "conquest.profile.zero")
    blind = scene(
        regiment("a", 0, (36, 10), of=profile(v=1, rules=["barrage 3 24"])),
        regiment("b", 1, (36, 18)),
        effects=(Effect("a", "volley", "add", -1, "conquest.rule.terrifying", until="round"),),
        options={"zero": "any"},
    )
    refused(blind, "volley", "conquest.profile.zero")


@pytest.mark.rule("conquest.profile.unmodified")
def test_a_broken_regiment_uses_the_unmodified_value():
    from umpire.games.conquest import morale

    spell = (Effect("a", "resolve", "add", 1, "conquest.magic.resolve", until="round"),)
    battle = scene(regiment("a", 0, of=profile(r=4)), regiment("b", 1, (36, 40)), effects=spell)
    assert morale.resolve(battle, r(battle, "a"), "withdraw").value == 5
    r(battle, "a").broken = True
    assert morale.resolve(battle, r(battle, "a"), "withdraw").value == 4


@pytest.mark.rule("conquest.profile.draw-events-and-special-rules")
def test_barrage_holds_shots_and_range():
    battle = scene(
        regiment("a", 0, (36, 10), of=profile(v=2, rules=["barrage 3 20"], events=["regeneration 2"])),
        regiment("n", 0, (10, 10), of=profile(v=2)),
        regiment("b", 1, (36, 26)),
        moment="activation",
    )
    fired(battle, "conquest.draw-event.regeneration")
    assert "volley" in offered(battle)
    do(battle, "volley", "b")
    assert last(battle, "volley")["shots"] == 9
    without = scene(regiment("n", 0, (36, 10), of=profile(v=2)), regiment("b", 1, (36, 26)))
    refused(without, "volley", "conquest.volley.eligibility")
    assert not events(without, "volley")
