"""What the chapters' own tests leave over: casualties beside characters, engaged losses, both sides at once,
definitions."""

import pytest

from t9a.builder import do, duel, events, fired, hero, last, p, part, profile, quiet, rolled, scene, spell, unit
from umpire.games.t9a.formation import height


@pytest.mark.rule("t9a.attack.casualties.other-pool")
def test_a_character_in_the_rank_that_loses_models_stays():
    archer = profile(parts=[part(weapons=("bow",), aim={"bow": 2})])
    battle = scene(
        unit("a", of=archer, models=2, files=2),
        unit("b", 1, at=(36, 30), of=quiet(), models=5, files=6),
        hero("h", 1, "b", of=quiet(hp=3), file=0),
        moment="shooting",
        dice=[6, 6, 6, 6],
    )
    do(battle, "a", "b")
    assert p(battle, "h").count == 1
    assert p(battle, "b").count == 3
    fired(battle, "t9a.attack.casualties.other-pool")


@pytest.mark.rule("t9a.attack.engaged-casualties.outside-melee")
def test_engaged_units_that_lose_models_to_a_spell_are_nudged():
    zap = spell("zap", value=3, hits="4", s=9)
    battle = scene(
        hero("w", wizard="adept", spells=("zap",), at=(20, 20)),
        unit("a", of=quiet(hp=5), models=1, files=1, at=(33.6, 26)),
        unit("b", 1, at=(36, 26), of=quiet(), models=5),
        moment="magic",
        spells=(zap,),
        dice=[6, 5, *[6] * 8],
    )
    do(battle, False, "w:zap", "b", "2", "0")
    assert p(battle, "b").count == 1
    fired(battle, "t9a.attack.engaged-casualties.outside-melee")


@pytest.mark.rule("t9a.attack.hit", "t9a.melee.attack.standard")
def test_every_attack_rolls_one_die_and_automatic_hits_none():
    assert rolled(duel(profile(parts=[part(att=3)]), quiet(hp=9), [1, 1, 1]), "hit") == [3]
    grinder = profile(parts=[part("grind-attacks 2", att=None)])
    assert rolled(duel(grinder, quiet(hp=9), [6, 6]), "hit") == []


@pytest.mark.rule("t9a.attack.lose-hp.own-rules")
def test_the_owner_divides_losses_of_its_own_rules():
    heroes = (hero("h", 1, "b", of=quiet("unstable", hp=3)), hero("k", 1, "b", of=quiet("unstable", hp=3)))
    battle = duel(quiet(), quiet("unstable"), models=25, foes=3, a={"charging": True, "standard": True}, others=heroes)
    assert battle.decision.prompt.key == "ask.crumble"
    assert battle.decision.side == 1


@pytest.mark.rule("t9a.melee.attack.allocate-timing", "t9a.melee.sequence")
def test_attacks_of_a_step_are_allocated_before_any_die_falls():
    battle = scene(
        unit("a", of=profile(parts=[part(off=9)]), models=5),
        unit("b", 1, of=quiet(), models=9),
        hero("h", 1, "b", of=quiet(hp=3), file=2, rank=0),
        moment="melee",
        dice=[1] * 10,
    )
    assert battle.decision.prompt.key == "ask.allocate"
    assert rolled(battle, "hit") == []
    do(battle, battle.decision.suggest())
    fired(battle, "t9a.melee.attack.allocate-timing", "t9a.melee.sequence")


@pytest.mark.rule("t9a.melee.break.sequence")
def test_flight_is_rolled_before_the_pursuit_is_chosen():
    battle = duel(quiet(), quiet(dis=4), [6, 6, 3, 4], models=10, foes=5)
    assert battle.decision.prompt.key == "ask.pursue"
    assert last(battle, "breaks")["inches"] == 7
    fired(battle, "t9a.melee.break.sequence")


@pytest.mark.rule("t9a.melee.formation.surrounded-order")
def test_units_that_are_not_surrounded_are_settled_first():
    """Interaction 31: units that are not surrounded are settled first; of the others the active player says which: c,
    taken first, has no rank left to take from b; taken last, b has lost two to it."""

    def settled(order):
        b = unit("b", 1, at=(36, 20), of=quiet(dis=10), models=25)
        flank = unit("c", 0, at=(38.5, 22.5), facing=270.0, of=quiet(dis=10), models=10)
        behind = unit("d", 1, at=(40.5, 22.5), facing=270.0, of=quiet(dis=10), models=10)
        battle = scene(b, flank, behind, moment="melee", dice=[3] * 9)
        assert battle.decision.prompt.key == "ask.surrounded-order"
        assert battle.decision.side == 0
        do(battle, order)
        fired(battle, "t9a.melee.formation.surrounded-order")
        return {e.facts["unit"]: e.facts["ranks"] for e in events(battle, "surrounded")}

    assert settled(["c", "b"]) == {"c": 0}
    assert settled(["b", "c"]) == {"b": 3, "c": 0}


@pytest.mark.rule("t9a.def.height.unit")
def test_a_unit_is_as_high_as_most_of_its_models():
    state = scene(unit("a", models=10), hero("h", 0, "a", of=quiet(hp=3, height=2)), unit("z", 1, at=(36, 40))).state
    assert height(state, state.unit("a")) == 1
    pair = scene(
        hero("a", of=quiet(hp=3, height=2)), hero("h", 0, "a", of=quiet(hp=3)), unit("z", 1, at=(36, 40))
    ).state
    assert height(pair, pair.unit("a")) == 1


@pytest.mark.rule("t9a.def.rank-and-file", "t9a.def.unit")
def test_attachable_models_are_not_rank_and_file():
    state = scene(unit("a", models=10, musician=True), hero("h", 0, "a"), unit("z", 1, at=(36, 40))).state
    assert state.rnf(state.unit("a")).id == "a"
    assert [pool.id for pool in state.attached(state.unit("a"))] == ["h"]


@pytest.mark.rule("t9a.rule.war-platform")
def test_a_platform_never_makes_way():
    platform = quiet("war-platform", hp=4)
    battle = scene(
        unit("a", of=quiet(), models=9),
        hero("w", 0, "a", of=platform, file=0, rank=0),
        unit("b", 1, of=quiet(hp=5), models=1, files=1),
        moment="melee",
    )
    assert battle.decision is None or battle.decision.prompt.key != "ask.make-way"
    free = scene(
        unit("a", of=quiet(), models=9),
        hero("w", 0, "a", of=quiet(hp=4), file=0, rank=0),
        unit("b", 1, of=quiet(hp=5), models=1, files=1),
        moment="melee",
    )
    assert free.decision.prompt.key == "ask.make-way"


@pytest.mark.rule("t9a.rule.random-movement.values")
def test_random_movers_count_with_their_greatest_distance():
    from umpire.games.t9a.characteristics import charge_speed, mobility

    state = scene(unit("a", of=quiet("random-movement.distance 2D6", mob=3, cha=3)), unit("z", 1, at=(36, 40))).state
    assert mobility(state, state.unit("a")) == 12
    assert charge_speed(state, state.unit("a")) == 12


@pytest.mark.rule("t9a.magic.cards.open", "t9a.magic.spells.source", "t9a.magic.sequence")
def test_the_cards_left_are_open_and_spells_come_from_data():
    zap = spell("zap", value=3, hits="1", s=3)
    battle = scene(
        hero("w", wizard="adept", spells=("zap",), at=(36, 20)),
        unit("b", 1, at=(36, 30)),
        moment="magic",
        spells=(zap,),
        decks=((4, 5, 6), (7,)),
        dice=[6, 6],
    )
    pools = battle.view(1)["picture"]["pools"]
    cards = {pool["side"]: pool["value"] for pool in pools if pool["name"]["key"] == "pool.cards"}
    assert len(cards[0]) == 2
    assert cards[1] == [7]
    kinds = [e.kind for e in battle.events]
    assert kinds.index("card") < len(kinds)
    do(battle, False, "w:zap", "b", "2")
    fired(battle, "t9a.magic.cards.open", "t9a.magic.spells.source", "t9a.magic.sequence")


@pytest.mark.rule("t9a.def.profile.global", "t9a.def.profile.defensive", "t9a.def.profile.offensive")
def test_the_card_shows_three_groups_of_values():
    rider = profile(parts=[part(agi=4), part(agi=3, mount=True)], traits=("mounted",), height=2)
    battle = scene(unit("a", of=rider), unit("z", 1, at=(36, 40)))
    card = next(card for card in battle.game.picture(battle.state).cards if card.id == "a")
    keys = [getattr(value.name, "key", "") for value in card.values]
    assert keys[:7] == [f"characteristic.{name}" for name in ("cha", "mob", "dis", "hp", "def", "res", "arm")]
    assert keys[7:] == ["characteristic.of-part"] * 10


@pytest.mark.rule("t9a.def.model", "t9a.def.measure.any-time")
def test_two_models_of_a_unit_may_differ_and_anybody_may_measure():
    battle = scene(unit("a", models=5), hero("h", 0, "a", of=quiet(hp=3, dis=9)), unit("z", 1, at=(36, 40)))
    assert p(battle, "a").profile.dis != p(battle, "h").profile.dis
    assert battle.game.measuring == "t9a.def.measure.any-time"
