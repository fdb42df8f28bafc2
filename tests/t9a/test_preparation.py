"""Preparation, the order of things, reserves, and who may join whom."""

import pytest

import umpire
from t9a.builder import (
    asked,
    do,
    events,
    fired,
    hero,
    last,
    offered,
    p,
    piece,
    quiet,
    refused,
    rolled,
    scene,
    u,
    unit,
    until,
)
from umpire.engine.rng import Rng
from umpire.engine.rulings import standing
from umpire.games.t9a import content, joining, reserves, seasons
from umpire.games.t9a.preparation import board
from umpire.games.t9a.state import Terrain
from umpire.space.places import common


def begun(dice, **more):
    return umpire.battle("t9a", seed=3, dice=[*dice, *[3, 4] * 400], options={"points": 2000}, **more)


@pytest.mark.rule("t9a.prep.board.size", "t9a.prep.board.axes")
@pytest.mark.parametrize(
    ("size", "length", "klass"),
    [
        (3499, 48, "warband"),
        (3500, 60, "warband"),
        (3999, 60, "warband"),
        (4000, 72, "field-army"),
        (5000, 90, "field-army"),
        (6999, 90, "field-army"),
        (7000, 120, "legion"),
    ],
)
def test_boards_by_army_size(size, length, klass):
    assert board(size) == (length, klass)
    assert seasons.field_of(size, "frontline-clash", "open-vale", False).depth == 48


@pytest.mark.rule("t9a.prep.deployment.frontline-clash", "t9a.prep.deployment.default-type")
def test_the_zones_of_frontline_clash():
    field = seasons.field_of(4500, "frontline-clash", "open-vale", False)
    assert field.zones[0].points == ((6, 0), (66, 0), (66, 12), (6, 12))
    assert field.zones[1].points == ((6, 36), (66, 36), (66, 48), (6, 48))


@pytest.mark.rule("t9a.prep.setup.roll-off", "t9a.prep.setup.zone-choice")
def test_the_higher_roll_names_the_defender_who_takes_a_zone():
    battle = begun([4, 4, 2, 5])
    assert rolled(battle, "roll-off") == [1, 1, 1, 1]
    assert asked(battle) == "ask.defender"
    assert battle.decision.side == 1
    do(battle, "side.0")
    assert asked(battle) == "ask.zone"
    assert battle.decision.side == 0
    do(battle, "zone.1")
    assert battle.state.zone_of == (1, 0)


@pytest.mark.rule("t9a.prep.setup.selection-order", "t9a.prep.sequence", "t9a.prep.setup.order-table")
def test_the_defender_selects_first_and_the_attacker_deploys_first():
    battle = begun([6, 1])
    do(battle, "side.0", "zone.0")
    sides = []
    while asked(battle) in ("ask.secondary", "ask.hereditary", "ask.general-swap"):
        sides.append(battle.decision.side)
        do(battle, battle.decision.suggest(Rng(1)))
    assert sides == sorted(sides)
    assert asked(battle) == "ask.deploy"
    assert battle.decision.side == 1


@pytest.mark.rule("t9a.prep.share-lists", "t9a.prep.victory.conditions", "t9a.prep.board.terrain")
def test_lists_board_and_conditions_are_told_first():
    battle = begun([6, 1])
    kinds = [e.kind for e in battle.events if e.kind in ("army", "battlefield", "conditions")]
    assert kinds == ["army", "army", "battlefield", "conditions"]


@pytest.mark.rule("t9a.prep.victory.conditions")
@pytest.mark.parametrize("scenario", [None, "frontline-clash/open-vale"])
def test_secondary_objectives_are_played_where_they_are_wanted(scenario):
    def field(**options):
        return umpire.battle("t9a", seed=3, sides=["ember", "ember"], scenario=scenario, options=options).state.field

    assert field().secondaries == ()
    assert "behead" in field(secondaries="on").secondaries


def test_a_battle_of_which_nothing_is_chosen_says_what_it_drew():
    drawn = {umpire.battle("t9a", seed=seed).setup.options["secondaries"] for seed in range(1, 9)}
    assert drawn == {"off", "on"}


def placing(*units, defender=1, **more):
    return scene(*units, moment="deployment", defender=defender, **more)


@pytest.mark.rule("t9a.prep.deploy.alternate", "t9a.prep.deploy.first-turn")
def test_deployment_in_turns_and_the_first_to_finish_chooses():
    mine = unit("a", where="list", of=quiet())
    theirs = (unit("b", 1, where="list", of=quiet()), unit("c", 1, where="list", of=quiet()))
    battle = placing(mine, *theirs)
    assert battle.decision.side == 0
    refused(battle, "end", "t9a.prep.deploy.alternate")
    do(battle, "a")
    refused(battle, {"x": 36.0, "y": 12.1, "facing": 0.0}, "t9a.prep.deployment.frontline-clash")
    refused(battle, {"x": 8.4, "y": 10.0, "facing": 0.0}, "t9a.prep.deployment.frontline-clash")
    do(battle, {"x": 36.0, "y": 12.0, "facing": 0.0})
    assert asked(battle) == "ask.first-turn"
    assert battle.decision.side == 0
    do(battle, "side.1")
    assert battle.state.first == 1
    assert battle.decision.side == 1


@pytest.mark.rule("t9a.prep.deploy.alternate", "t9a.def.spacing.end")
def test_deployed_units_keep_an_inch_apart():
    battle = placing(
        unit("a", where="list", of=quiet(), models=5),
        unit("k", at=(36, 10), of=quiet(), models=5),
        unit("b", 1, where="list", of=quiet()),
    )
    do(battle, "a")
    refused(battle, {"x": 41.9, "y": 10.0, "facing": 0.0}, "t9a.def.spacing.end")
    do(battle, {"x": 42.0, "y": 10.0, "facing": 0.0})


@pytest.mark.rule("t9a.rule.scout")
def test_scouts_deploy_beyond_twelve_inches_of_the_enemy_zone():
    battle = placing(unit("a", where="list", of=quiet("scout"), models=5), unit("b", 1, where="list", of=quiet()))
    do(battle, "a")
    refused(battle, {"x": 36.0, "y": 24.0, "facing": 0.0}, "t9a.rule.scout")
    do(battle, {"x": 36.0, "y": 23.5, "facing": 0.0})


@pytest.mark.rule("t9a.prep.deploy.attached", "t9a.rule.attached")
def test_models_are_deployed_with_their_unit():
    battle = placing(
        unit("a", where="list", of=quiet()),
        hero("h", of=quiet("attached", hp=3), where="list"),
        unit("b", 1, where="list", of=quiet()),
    )
    refused(battle, "h", "t9a.rule.attached")
    do(battle, "a")
    assert asked(battle) == "ask.deploy-with"
    do(battle, ["h"])
    do(battle, battle.decision.suggest(Rng(1)))
    assert u(battle, "a").members == ("a", "h")


@pytest.mark.rule("t9a.prep.defender-advantage", "t9a.prep.vanguard.order")
def test_the_defenders_advantage_goes_to_a_unit_without_characters():
    battle = placing(
        unit("a", of=quiet(), at=(36, 10)),
        unit("b", 1, at=(36, 40), of=quiet()),
        hero("h", 1, "b"),
        unit("c", 1, at=(20, 40), of=quiet()),
    )
    until(battle, "ask.advantage")
    assert battle.decision.side == 1
    assert offered(battle) == ["c"]
    refused(battle, "b", "t9a.prep.defender-advantage")
    do(battle, "c")
    assert asked(battle) == "ask.vanguard"
    assert offered(battle) == ["c", "pass"]


@pytest.mark.rule("t9a.rule.vanguard", "t9a.rule.vanguard.limits", "t9a.prep.vanguard.limits")
def test_vanguard_moves_are_limited():
    battle = placing(
        unit("a", of=quiet("vanguard", mob=8), at=(36, 10), models=5),
        unit("b", 1, at=(36, 40), of=quiet(), models=5),
        hero("g", 1, "b"),
        unit("k", 1, at=(10, 22), of=quiet(), models=5),
        hero("j", 1, "k"),
    )
    until(battle, "ask.vanguard")
    do(battle, "a", "march")
    refused(battle, {"path": [{"how": "forward", "inches": 12.1}]}, "t9a.rule.vanguard.limits")
    do(battle, {"path": [{"how": "forward", "inches": 12}]})
    assert u(battle, "a").y == 22.0


@pytest.mark.rule("t9a.prep.deploy.undeployable")
def test_what_cannot_be_deployed_is_lost():
    from umpire.games.t9a.state import Field, Zone

    tiny = Field(
        zones=(Zone(((6, 0), (8, 0), (8, 2), (6, 2)), 0.0), Zone(((6, 36), (66, 36), (66, 48), (6, 48)), 180.0))
    )
    battle = placing(
        unit("a", where="list", of=quiet(), points=250), unit("b", 1, where="list", of=quiet()), field=tiny
    )
    do(battle, "a")
    assert u(battle, "a").where == "gone"
    fired(battle, "t9a.prep.deploy.undeployable")


@pytest.mark.rule("t9a.rule.ambush.reserve", "t9a.prep.deploy.inactive-before")
def test_ambushers_may_be_kept_back():
    battle = placing(
        unit("a", where="list", of=quiet("ambush.reserve (table-edge)")),
        unit("k", where="list", of=quiet()),
        unit("b", 1, where="list", of=quiet()),
    )
    assert "ambush:a" in offered(battle)
    assert "ambush:k" not in offered(battle)
    do(battle, "ambush:a")
    assert u(battle, "a").where == "ambush"


def waiting(*others, turn=2, dice=(3,), **more):
    return scene(
        unit("a", where="ambush", of=quiet("ambush.reserve (table-edge)"), models=5),
        unit("k", at=(36, 20), of=quiet(), models=5),
        *others,
        unit("b", 1, at=(36, 40), of=quiet(), models=5),
        moment="movement",
        turn=turn,
        dice=list(dice),
        **more,
    )


@pytest.mark.rule("t9a.rule.ambush.roll")
@pytest.mark.parametrize(
    ("turn", "face", "arrives"), [(1, 6, False), (2, 3, True), (2, 2, False), (4, 2, False), (5, 1, True), (6, 1, True)]
)
def test_ambush_rolls(turn, face, arrives):
    battle = waiting(turn=turn, dice=[face])
    assert (asked(battle) == "ask.ambush-point") is arrives
    assert rolled(battle, "ambush") == ([] if turn == 1 else [1])


@pytest.mark.rule("t9a.rule.ambush.point", "t9a.rule.ambush.placement", "t9a.rule.ambush.moved")
def test_ambushers_arrive_near_a_point_of_the_edge():
    battle = waiting()
    refused(battle, {"x": 10.0, "y": 5.0}, "t9a.rule.ambush.point")
    do(battle, {"x": 10.0, "y": 0.0})
    refused(battle, {"x": 10.0, "y": 7.5, "facing": 0.0}, "t9a.rule.ambush.placement")
    do(battle, {"x": 10.0, "y": 3.0, "facing": 0.0})
    assert p(battle, "a").moved == "normal"
    refused(battle, "a", "t9a.rule.ambush.moved")


@pytest.mark.rule("t9a.rule.ambush.placement")
def test_nothing_may_lie_between_the_point_and_the_ambushers():
    battle = waiting(terrain=[piece("r", "impassable", 9.9, 2.5, 10.1, 2.7)])
    do(battle, {"x": 10.0, "y": 0.0})
    refused(battle, {"x": 10.0, "y": 5.0, "facing": 0.0}, "t9a.rule.ambush.placement")


@pytest.mark.rule("t9a.rule.ambush.attachable")
def test_a_character_in_ambush_may_come_with_a_unit():
    leader = hero("h", of=quiet("ambush.reserve (table-edge)", hp=3), where="ambush")
    other = hero("j", of=quiet("ambush.reserve (burrow)", hp=3), where="ambush")
    battle = waiting(leader, other)
    assert asked(battle) == "ask.ambush-with"
    assert offered(battle) == ["a", "alone"]
    do(battle, "a")
    assert u(battle, "a").members == ("a", "h")
    assert len(rolled(battle, "ambush")) == 2


@pytest.mark.rule("t9a.rule.hidden", "t9a.rule.hidden.reveal")
def test_hidden_models_take_a_soldiers_place():
    spy = unit("s", of=quiet("hidden", hp=2), models=1, files=1, where="hidden", character=True)
    battle = scene(
        spy,
        unit("a", of=quiet(), models=10),
        unit("g", at=(20, 20), of=quiet(height=2), models=5),
        unit("k", at=(50, 20), of=quiet(), shaken=True),
        unit("b", 1, at=(36, 40)),
        moment="charge",
    )
    assert asked(battle) == "ask.hidden"
    assert offered(battle) == ["a", "wait"]
    refused(battle, "g", "t9a.rule.hidden")
    refused(battle, "k", "t9a.rule.hidden")
    do(battle, "a", "0")
    assert p(battle, "a").count == 9
    assert u(battle, "a").members == ("a", "s")


def why(pool, host, *others, **more):
    state = scene(host, pool, *others, unit("z", 1, at=(4, 46)), **more).state
    return [r.rule for r in standing(state, joining.join_objections(state, state.pool(pool.id), state.unit(host.id)))]


@pytest.mark.parametrize(
    ("rules", "host", "expected"),
    [
        pytest.param(("solitary",), (), "t9a.rule.solitary", marks=pytest.mark.rule("t9a.rule.solitary")),
        pytest.param((), ("solitary",), "t9a.rule.solitary", marks=pytest.mark.rule("t9a.rule.solitary")),
        pytest.param(("supernal",), (), "t9a.rule.supernal.join", marks=pytest.mark.rule("t9a.rule.supernal.join")),
        pytest.param((), ("supernal",), "t9a.rule.supernal.join", marks=pytest.mark.rule("t9a.rule.supernal.join")),
        pytest.param((), ("unstable",), "t9a.rule.unstable.join", marks=pytest.mark.rule("t9a.rule.unstable.join")),
        pytest.param(
            ("exclusive (trolls|goblins)",), (), "t9a.rule.exclusive", marks=pytest.mark.rule("t9a.rule.exclusive")
        ),
        pytest.param((), ("exclusive (undead)",), "t9a.rule.exclusive", marks=pytest.mark.rule("t9a.rule.exclusive")),
        pytest.param(
            ("exclusive (a)", "exclusive"),
            (),
            "t9a.rule.exclusive.several",
            marks=pytest.mark.rule("t9a.rule.exclusive.several"),
        ),
    ],
)
def test_who_may_not_join(rules, host, expected):
    found = why(hero("h", of=quiet(*rules, hp=3)), unit("a", of=quiet(*host)))
    assert expected in found
    assert not why(hero("h", of=quiet(hp=3)), unit("a", of=quiet()))


@pytest.mark.rule("t9a.rule.exclusive", "t9a.rule.exclusive.several")
def test_every_exclusive_rule_must_be_met():
    both = quiet("exclusive (goblins|trolls)", "exclusive (goblins|orcs)", hp=3)
    assert not why(hero("h", of=both), unit("a", of=quiet(traits=("goblins",))))
    assert "t9a.rule.exclusive.several" in why(hero("h", of=both), unit("a", of=quiet(traits=("trolls",))))


@pytest.mark.rule("t9a.char.join.forbidden")
def test_shaken_units_cannot_be_joined():
    assert "t9a.char.join.forbidden" in why(hero("h", of=quiet(hp=3)), unit("a", of=quiet(), shaken=True))


@pytest.mark.rule("t9a.rule.skirmisher.join")
def test_only_models_of_their_height_join_skirmishers():
    assert "t9a.rule.skirmisher.join" in why(hero("h", of=quiet(hp=3, height=2)), unit("a", of=quiet("skirmisher")))
    assert not why(hero("h", of=quiet(hp=3)), unit("a", of=quiet("skirmisher")))


@pytest.mark.rule("t9a.rule.war-platform.one", "t9a.rule.captain.limit")
def test_one_platform_and_one_captain():
    platform = quiet("war-platform", hp=4, base=(50.8, 50.8))
    assert "t9a.rule.war-platform.one" in why(
        hero("h", of=platform), unit("a", of=quiet(), models=20), hero("k", 0, "a", of=platform)
    )
    captain = quiet("captain.standard", hp=2)
    assert "t9a.rule.captain.limit" in why(
        hero("h", of=captain), unit("a", of=quiet(), models=20), hero("k", 0, "a", of=captain)
    )


@pytest.mark.rule("t9a.char.base.mismatching", "t9a.char.base.too-wide")
def test_bases_that_do_not_fit():
    odd = quiet(hp=3, base=(40, 40))
    two = (hero("k", 0, "a", of=odd), hero("l", 0, "a", of=odd))
    assert "t9a.char.base.mismatching" in why(hero("h", of=odd), unit("a", of=quiet(), models=20), *two)
    wide = quiet(hp=3, base=(127, 25.4))
    assert "t9a.char.base.too-wide" in why(hero("h", of=wide), unit("a", of=quiet(), models=12, files=4))


@pytest.mark.rule("t9a.rule.war-platform.speed", "t9a.rule.war-platform.leave")
def test_a_platform_goes_with_its_unit():
    from umpire.games.t9a.characteristics import charge_speed, mobility
    from umpire.games.t9a.charging import out_objections

    platform = quiet("war-platform", hp=4, base=(50.8, 50.8), mob=3, cha=0)
    battle = scene(
        unit("a", of=quiet(mob=5, cha=5), models=20), hero("w", 0, "a", of=platform, file=1), unit("z", 1, at=(36, 40))
    )
    assert mobility(battle.state, u(battle, "a")) == 5
    assert charge_speed(battle.state, u(battle, "a")) == 5
    assert "t9a.rule.war-platform.leave" in [
        r.rule for r in standing(battle.state, out_objections(battle.state, p(battle, "w")))
    ]


@pytest.mark.rule("t9a.char.leave.effects")
def test_a_banner_works_on_until_the_phase_ends():
    from umpire.games.t9a.model_rules import has
    from umpire.games.t9a.profiles import Rule

    battle = scene(unit("a", of=quiet(), models=10), hero("h", 0, "a", of=quiet(hp=3)), unit("z", 1, at=(36, 40)))
    p(battle, "a").banner = (Rule("t9a.rule.swiftstride"),)
    assert has(battle.state, p(battle, "h"), "t9a.rule.swiftstride")
    joining.leave(battle, p(battle, "h"), "t9a.char.leave")
    assert has(battle.state, p(battle, "h"), "t9a.rule.swiftstride")
    from umpire.games.t9a import turns

    turns.end_phase(battle, "charge")
    assert not has(battle.state, p(battle, "h"), "t9a.rule.swiftstride")


@pytest.mark.rule("t9a.prep.spells.swap-hereditary", "t9a.prep.spells.swap-general")
def test_spell_swaps_before_the_battle():
    from umpire.games.t9a import muster

    book = content.books()["thornmark"]
    adept = muster.Pick(
        entry="hedge-witch",
        options=("adept",),
        path="lanterns",
        spells=("guiding-flame", "searing-beam", "warding-glow"),
    )
    pool = muster.build_pool(book, book.entry("hedge-witch"), adept, 0, "0-0")
    battle = begun([6, 1], sides=None)
    state = battle.state
    state.pools = {"0-0": pool, **{k: v for k, v in state.pools.items() if v.side == 1}}
    state.hereditary = (tuple(content.spell_of(e, "hereditary", "x") for e in book.hereditary), ())
    do(battle, "side.0", "zone.0")
    while asked(battle) == "ask.secondary":
        do(battle, battle.decision.suggest())
    assert asked(battle) == "ask.hereditary"
    do(battle, "guiding-flame>thorn-oath")
    assert "thorn-oath" in [s.id for s in p(battle, "0-0").spells]
    assert asked(battle) == "ask.general-swap"
    assert "0-0:searing-beam>swift-beacon" in offered(battle)
    assert not any(key.endswith(">mending-light") for key in offered(battle))
    do(battle, "0-0:searing-beam>swift-beacon")
    assert [s.id for s in p(battle, "0-0").spells] == ["thorn-oath", "swift-beacon", "warding-glow"]


@pytest.mark.rule("t9a.prep.spells.swap-hereditary")
def test_a_wizard_may_take_every_hereditary_spell_of_its_book_once():
    from umpire.games.t9a import muster

    book = content.books()["ember"]
    pick = muster.Pick(entry="ash-prophet", options=("adept",), path="forges", spells=("keen-edge", "molten-shards"))
    pool = muster.build_pool(book, book.entry("ash-prophet"), pick, 0, "0-0")
    battle = begun([6, 1], sides=None)
    state = battle.state
    state.pools = {"0-0": pool, **{k: v for k, v in state.pools.items() if v.side == 1}}
    state.hereditary = (tuple(content.spell_of(e, "hereditary", "x") for e in book.hereditary), ())
    do(battle, "side.0", "zone.0")
    while asked(battle) == "ask.secondary":
        do(battle, battle.decision.suggest())
    do(battle, "keen-edge>ash-veil")
    assert offered(battle) == ["keep", "molten-shards>vent-burst"]
    do(battle, "molten-shards>vent-burst")
    assert asked(battle) != "ask.hereditary"
    assert [s.id for s in p(battle, "0-0").spells] == ["ash-veil", "vent-burst"]


@pytest.mark.rule("t9a.intro.phase-order", "t9a.intro.active-reactive", "t9a.intro.game-structure")
def test_phases_in_order_and_players_in_turn():
    battle = scene(unit("a", at=(10, 5)), unit("b", 1, at=(60, 44)), moment="charge", until="battle", turn=4)
    for _ in range(60):
        if battle.decision is None or battle.state.player_turn > 8:
            break
        do(battle, "end" if "end" in getattr(battle.decision, "options", {}) else battle.decision.suggest())
    seen = [e.facts["phase"] for e in events(battle, "phase")]
    assert seen[:6] == [f"phase.{name}" for name in ("charge", "movement", "magic", "shooting", "rally", "melee")]
    turns = events(battle, "turn")
    assert [t.facts["player"].key for t in turns[:2]] == ["side.1", "side.0"]
    assert last(battle, "turn")


@pytest.mark.rule("t9a.intro.friend-enemy")
def test_friends_are_not_charged():
    battle = scene(
        unit("a", at=(36, 20), models=5), unit("f", at=(36, 28), models=5), unit("b", 1, at=(30, 28), models=5)
    )
    do(battle, "a")
    refused(battle, "f", "t9a.intro.friend-enemy")
    assert reserves.waiting(battle.state, 0) == []


@pytest.mark.rule("t9a.rule.vanguard.order", "t9a.prep.vanguard.order")
def test_vanguard_moves_are_made_by_turns_the_defenders_chosen_unit_first():
    far = {"of": quiet("vanguard", mob=4), "models": 5}
    battle = placing(
        unit("a", at=(20, 10), **far),
        unit("b", at=(50, 10), **far),
        unit("c", 1, at=(20, 40), **far),
        unit("d", 1, at=(50, 40), of=quiet(), models=5),
    )
    until(battle, "ask.advantage")
    do(battle, "d")
    movers = []
    while asked(battle) in ("ask.vanguard", "ask.move-action"):
        if asked(battle) == "ask.vanguard":
            movers.append((battle.decision.side, offered(battle)[:-1]))
            do(battle, offered(battle)[0], "none")
        else:
            do(battle, "none")
    assert movers == [(1, ["d"]), (0, ["a", "b"]), (1, ["c"]), (0, ["b"])]


@pytest.mark.rule("t9a.rule.exclusive.attached", "t9a.prep.deploy.undeployable")
def test_who_must_be_attached_to_a_unit_that_is_not_there_is_a_casualty():
    loner = hero("h", of=quiet("attached", "exclusive (wardens)", hp=3), where="list")
    battle = placing(unit("a", where="list", of=quiet()), loner, unit("b", 1, where="list", of=quiet()))
    do(battle, "a", battle.fork().answer("a") or {"x": 36.0, "y": 12.0, "facing": 0.0})
    fired(battle, "t9a.rule.exclusive.attached")
    assert u(battle, "h").where == "gone"
    warden = unit("a", where="list", of=quiet(traits=("wardens",)))
    host = placing(warden, loner, unit("b", 1, where="list", of=quiet()))
    do(host, "a")
    assert asked(host) == "ask.deploy-with"


@pytest.mark.rule("t9a.def.simultaneous")
def test_the_active_players_effects_come_first():
    """Both sides have a Hidden model to reveal at the start of the turn; before the first turn the Defender is first,
    as the order of Vanguard moves and of the selections shows."""

    def spies(active):
        spy = {"of": quiet("hidden", hp=2), "models": 1, "files": 1, "where": "hidden", "character": True}
        battle = scene(
            unit("a", of=quiet(), models=10), unit("s", **spy),
            unit("b", 1, at=(36, 40), of=quiet(), models=10), unit("t", 1, **spy),
            active=active,
        )  # fmt: skip
        sides = []
        while battle.decision is not None and asked(battle) == "ask.hidden":
            sides.append(battle.decision.side)
            do(battle, "wait")
        return sides

    assert spies(0) == [0, 1]
    assert spies(1) == [1, 0]


def corridor(width):
    """Two great rocks, with a lane between them that leads from the edge at (0, 24) inwards at 30 degrees."""
    (tx, ty), (nx, ny) = (3**0.5 / 2, 0.5), (-0.5, 3**0.5 / 2)

    def beside(sign):
        spots = [(-6, width / 2), (14, width / 2), (14, 12), (-6, 12)]
        ring = [(a * tx + sign * b * nx, 24 + a * ty + sign * b * ny) for a, b in spots]
        return tuple(common(ring, [(0, 0), (72, 0), (72, 48), (0, 48)]))

    return [Terrain("up", "impassable", beside(1)), Terrain("down", "impassable", beside(-1))]


@pytest.mark.rule("t9a.rule.ambush.point", "t9a.rule.ambush.placement")
def test_that_there_is_no_place_by_a_point_is_worked_out():
    """Three models in a lane of 3.3 inches at 30 degrees: an inch off both rocks there is room for one rank, turned
    along the lane and in no other way; in a lane of 2.2 there is none."""

    def waiting(width):
        return scene(
            unit("a", of=quiet("ambush.reserve (table-edge)"), models=3, files=3, where="ambush"),
            unit("b", 1, at=(60, 40), of=quiet()),
            unit("c", at=(60, 8), of=quiet()),
            moment="movement",
            turn=2,
            terrain=corridor(width),
            dice=[6],
        )

    battle = waiting(3.3)
    point = {"x": 0.0, "y": 24.0}
    assert asked(battle) == "ask.ambush-point"
    do(battle, point)
    place = battle.decision.default
    assert place["facing"] % 90 == pytest.approx(60, abs=6.0), "along the lane"
    assert battle.check(place).legal
    refused(battle, {**place, "facing": place["facing"] + 20}, "t9a.def.spacing.end")
    shut = waiting(2.2)
    refused(shut, point, "t9a.rule.ambush.point")


@pytest.mark.rule("t9a.rule.ambush.point")
@pytest.mark.parametrize("x", [20.13, 31.4, 41.77, 45.05])
def test_the_only_points_that_ambushers_may_come_by_are_found(x):
    """All is shut but a pocket at the edge as wide as their line: from a fifth of an inch of it three corners are near
    enough."""
    wide, deep = 12 * 25 / 25.4, 25 / 25.4
    left, right = x - wide / 2 - 1.02, x + wide / 2 + 1.02
    walls = [
        piece("l", "impassable", 0.0, 0.0, left, 48.0),
        piece("r", "impassable", right, 0.0, 72.0, 48.0),
        piece("t", "impassable", left, deep + 1.02, right, 48.0),
    ]
    battle = scene(
        unit("a", of=quiet("ambush.reserve (table-edge)", base=(25.0, 25.0)), models=12, files=5, where="ambush"),
        moment="movement",
        turn=2,
        terrain=walls,
        dice=[6],
    )
    assert asked(battle) == "ask.ambush-point"
    assert abs(battle.decision.default["x"] - x) < 0.13
    assert battle.check(battle.decision.default).legal


@pytest.mark.rule("t9a.rule.ambush.point")
def test_ambushers_for_whom_there_is_no_room_wait():
    """The whole table is taken but for a strip that is too narrow; a unit of two files less would find room in it."""
    wall = piece("w", "impassable", 2.9, 2.9, 69.1, 45.1)

    def waiting(models):
        return scene(
            unit("a", of=quiet("ambush.reserve (table-edge)"), models=models, files=models, where="ambush"),
            unit("b", 1, at=(1.5, 40), facing=0.0, of=quiet(), models=1, files=1),
            unit("c", at=(70.5, 8), of=quiet(), models=1, files=1),
            moment="movement",
            turn=2,
            terrain=[wall],
            dice=[6],
        )

    assert asked(waiting(1)) == "ask.ambush-point"
    assert asked(waiting(5)) == "ask.ambush-point", "along the edge"
    deep = scene(
        unit("a", of=quiet("ambush.reserve (table-edge)", base=(50.8, 50.8)), models=4, files=2, where="ambush"),
        unit("b", 1, at=(1.5, 40), facing=0.0, of=quiet(), models=1, files=1),
        unit("c", at=(70.5, 8), of=quiet(), models=1, files=1),
        moment="movement",
        turn=2,
        terrain=[wall],
        dice=[6],
    )
    assert events(deep, "no-arrival")
    assert u(deep, "a").where == "ambush"


@pytest.mark.rule("t9a.prep.deploy.undeployable", "t9a.rule.scout")
def test_a_unit_for_which_there_is_no_place_is_a_casualty_and_scouts_look_further():
    """The zone is walled off but for a strip at its end: 1.9 inches are too narrow for an inch on the far side; Scouts
    find room in no man's land. In 2.5 inches a unit finds room if it is formed in one rank and turned."""

    def begun_with(*rules, models=9, strip=1.9):
        wall = piece("w", "impassable", 6 + strip, 0, 66, 12)
        battle = placing(
            unit("a", where="list", of=quiet(*rules), models=models, files=3),
            unit("k", at=(40, 20), of=quiet()),
            unit("b", 1, where="list", of=quiet()),
            terrain=[wall],
        )
        return do(battle, "a")

    gone = begun_with()
    fired(gone, "t9a.prep.deploy.undeployable")
    assert u(gone, "a").where == "gone"
    scouts = begun_with("scout")
    assert asked(scouts) == "ask.place"
    spot = scouts.decision.default
    assert spot["y"] > 12
    row = begun_with(models=9, strip=2.5)
    assert asked(row) == "ask.place"
    assert row.decision.default["files"] == 9
    do(row, row.decision.default)
    assert (u(row, "a").files, u(row, "a").where) == (9, "table")


@pytest.mark.rule("t9a.prep.deploy.alternate", "t9a.def.formation.ranks-vs-files")
def test_units_are_deployed_in_a_formation_of_their_owners_choice():
    battle = do(placing(unit("a", where="list", of=quiet(), models=10), unit("b", 1, where="list", of=quiet())), "a")
    assert battle.decision.form.files == (4, 10)
    here = {"x": 36.0, "y": 12.0, "facing": 0.0}
    refused(battle, {**here, "files": 3}, "t9a.def.formation.ranks-vs-files")
    refused(battle, {**here, "files": 11}, "t9a.def.formation.files-behind")
    do(battle, {**here, "files": 10})
    assert u(battle, "a").files == 10
