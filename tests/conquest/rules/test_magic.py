"""Chapter 9: who casts, casting rolls, interference, Scaling, what spells do."""

from __future__ import annotations

from typing import Any

import pytest
from tests.conquest.builder import (
    allowed,
    do,
    events,
    fired,
    hero,
    last,
    offered,
    profile,
    r,
    refused,
    regiment,
    rolled,
    rule,
    scene,
    wood,
)

from umpire.engine.battle import Battle
from umpire.games.conquest import hooks, magic
from umpire.games.conquest.profiles import Change, Profile, Spell
from umpire.games.conquest.state import State

NAMES = {"zh": "法术", "en": "Spell"}
BOLT = Spell("bolt", NAMES, 12, 3, hits=5)
WARD = Spell("ward", NAMES, 12, 3, at="friend", effects=(Change("defense", 1),))
SELF = Spell("self", NAMES, 0, 3, at="self", effects=(Change("defense", 1),))
HEAL = Spell("heal", NAMES, 12, 3, at="friend", heal=2)
BIG = Spell("big", NAMES, 12, 3, scaling=True, at="friend", heal=1)


def caster(
    *spells: Spell, rules: tuple[str, ...] = ("wizard 3",), at: tuple[float, float] = (36.0, 20.0), **more: Any
) -> Battle[State]:
    """The Character "h" of "a" is to act; an enemy "b" stands before him."""
    return scene(
        regiment("a", **{"stands": 2, "files": 3, **more.pop("own", {})}),
        regiment("b", 1, **{"at": at, "stands": 3, **more.pop("enemy", {})}),
        *more.pop("others", ()),
        characters=[hero("h", 0, "a", of=profile(rules=rules), spells=spells), *more.pop("heroes", ())],
        moment="character",
        who="h",
        stacks=((), ("b",)),
        **more,
    )


def cast(battle: Battle[State], spell: str, target: str = "") -> Battle[State]:
    do(battle, "spellcasting", spell)
    if battle.decision is not None and battle.decision.prompt.key == "ask.spell-target":
        battle.answer(target)
    while battle.decision is not None and battle.decision.prompt.key == "ask.casualty-end":
        battle.answer("left")
    return battle


@pytest.mark.rule("conquest.magic.action.who", "conquest.rule.wizard", "conquest.rule.priest")
def test_regiments_cast_as_one_of_their_actions_and_not_twice() -> None:
    for kind in ("wizard 4", "priest 4"):
        battle = scene(
            regiment("a", of=profile(rules=[kind]), spells=(SELF,)), regiment("b", 1, at=(36, 40)), dice=[1, 1, 6, 6]
        )
        cast(battle, "self")
        refused(battle, "spellcasting", "conquest.action.second-different")
    plain = scene(regiment("a"), regiment("b", 1, at=(36, 40)))
    refused(plain, "spellcasting", "conquest.magic.action.who")


@pytest.mark.rule("conquest.magic.action.kind", "conquest.magic.spells.list")
def test_a_caster_needs_a_spell_and_casts_only_his_own() -> None:
    none = scene(regiment("a", of=profile(rules=["wizard 3"])), regiment("b", 1, at=(36, 40)))
    refused(none, "spellcasting", "conquest.magic.action.kind")
    battle = caster(BOLT, WARD, SELF)
    do(battle, "spellcasting")
    assert offered(battle) == ["bolt", "ward", "self"]
    refused(battle, "heal", "conquest.magic.spells.list")


@pytest.mark.rule("conquest.magic.profile.range")
@pytest.mark.parametrize(("at", "legal"), [(22.0, True), (22.1, False)])
def test_a_target_at_exactly_the_range_is_legal(at: float, legal: bool) -> None:
    battle = caster(BOLT, at=(36.0, at))
    character = battle.state.characters["h"]
    reasons = magic.target_reasons(battle, r(battle, "a"), character, BOLT, r(battle, "b"))
    assert (not reasons) is legal


@pytest.mark.rule("conquest.magic.profile.range", "conquest.magic.profile.effect")
def test_a_self_spell_is_for_the_own_regiment_and_all_its_stands() -> None:
    battle = caster(SELF, dice=[1, 1, 6], others=[regiment("c", at=(30, 10), stands=1)])
    character = battle.state.characters["h"]
    assert magic.target_reasons(battle, r(battle, "a"), character, SELF, r(battle, "c"))
    cast(battle, "self")
    for who in (None, character):
        assert hooks.characteristic(battle, r(battle, "a"), "defense", character=who).total == 3
    failed = caster(SELF, dice=[1, 6, 6])
    cast(failed, "self")
    assert hooks.characteristic(failed, r(failed, "a"), "defense").total == 2


@pytest.mark.rule("conquest.magic.profile.attunement", "conquest.magic.roll")
@pytest.mark.parametrize(("faces", "works"), [([3, 3, 6], True), ([3, 4, 6], False), ([1, 2, 6], True)])
def test_two_dice_at_or_under_the_attunement(faces: list[int], works: bool) -> None:
    battle = cast(caster(SELF, dice=faces), "self")
    assert bool(events(battle, "cast")) is works
    assert rolled(battle, "cast") == [3]


@pytest.mark.rule("conquest.magic.roll")
def test_a_single_die_can_never_cast() -> None:
    battle = cast(caster(HEAL, rules=("priest 1",), dice=[1], own={"of": profile(rules=["devout"])}), "heal", "a")
    assert not events(battle, "cast")


@pytest.mark.rule("conquest.magic.failure")
def test_a_failed_casting_uses_the_action() -> None:
    battle = cast(caster(SELF, dice=[6, 6, 6]), "self")
    assert battle.state.characters["h"].acted
    assert battle.decision is not None
    assert battle.decision.prompt.key != "ask.spell"


@pytest.mark.rule("conquest.magic.target.line-of-sight")
def test_hits_need_a_line_of_sight_and_nothing_else_does() -> None:
    mist = wood("m", 30, 13, 42, 15, "los-blocking", "passable")
    battle = caster(BOLT, WARD, terrain=[mist], others=[regiment("c", at=(45, 12), stands=1, facing=0.0)], at=(36, 18))
    character = battle.state.characters["h"]
    hidden = magic.target_reasons(battle, r(battle, "a"), character, BOLT, r(battle, "b"))
    assert [x.rule for x in hidden] == ["conquest.magic.target.line-of-sight"]
    assert not magic.target_reasons(battle, r(battle, "a"), character, WARD, r(battle, "c"))


@pytest.mark.rule("conquest.magic.target.line-of-sight", "conquest.character.measure")
@pytest.mark.parametrize(("places", "seen"), [(((0, 0), (0, 1), (0, 2)), True), (((0, 2), (0, 1), (0, 0)), False)])
def test_a_character_sees_from_his_own_stand(places: tuple[tuple[int, int], ...], seen: bool) -> None:
    """A crag hides the target from the left end of his regiment and not from the right."""
    crag = wood("c", 30, 10.5, 36.6, 11, "los-blocking", "impassable")
    battle = caster(BOLT, at=(36, 18), enemy={"stands": 1}, own={"places": places}, terrain=[crag])
    character = battle.state.characters["h"]
    assert (not magic.target_reasons(battle, r(battle, "a"), character, BOLT, r(battle, "b"))) is seen


@pytest.mark.rule("conquest.magic.target.engaged")
def test_an_engaged_caster_hits_only_whom_he_fights() -> None:
    battle = caster(
        BOLT, WARD, at=(36, 10),
        others=[regiment("c", 1, at=(46, 16), stands=1), regiment("d", at=(25, 10), stands=1)],
    )  # fmt: skip
    character = battle.state.characters["h"]
    one = r(battle, "a")
    assert not magic.target_reasons(battle, one, character, BOLT, r(battle, "b"))
    away = magic.target_reasons(battle, one, character, BOLT, r(battle, "c"))
    assert "conquest.magic.target.engaged" in [x.rule for x in away]
    assert not magic.target_reasons(battle, one, character, WARD, r(battle, "d"))
    flank = caster(BOLT, at=(39.75, 8), enemy={"facing": 270.0, "stands": 1})
    assert not magic.target_reasons(flank, r(flank, "a"), flank.state.characters["h"], BOLT, r(flank, "b"))


@pytest.mark.rule("conquest.magic.interference")
@pytest.mark.parametrize(("gap", "attunement"), [(8.0, 3), (8.1, 4)])
def test_an_enemy_caster_within_eight_inches_interferes(gap: float, attunement: int) -> None:
    spell = Spell("s", NAMES, 0, 4, at="self", heal=1)
    battle = caster(spell, at=(36, 10 + gap), enemy={"of": profile(rules=["priest 2"])}, dice=[6, 6, 6])
    cast(battle, "s")
    assert last(battle, "cast-failed")["attunement"] == attunement


@pytest.mark.rule("conquest.magic.interference")
def test_one_penalty_only_and_friends_do_not_interfere() -> None:
    spell = Spell("s", NAMES, 0, 4, at="self", heal=1)
    wizard = profile(rules=["wizard 2"])
    two = caster(
        spell, at=(36, 14), enemy={"of": wizard}, others=[regiment("c", 1, at=(28, 14), of=wizard)], dice=[6, 6, 6]
    )
    assert last(cast(two, "s"), "cast-failed")["attunement"] == 3
    friend = caster(spell, at=(36, 40), others=[regiment("c", at=(28, 14), of=wizard)], dice=[6, 6, 6])
    assert last(cast(friend, "s"), "cast-failed")["attunement"] == 4
    holder = caster(
        BOLT, at=(36, 22), heroes=[hero("f", 1, "b", of=wizard)], dice=[6, 6, 6], enemy={"stands": 2, "files": 3}
    )
    assert last(cast(holder, "bolt", "b"), "cast-failed")["attunement"] == 2


@pytest.mark.rule("conquest.magic.scaling", "conquest.magic.profile.scaling", "conquest.magic.scaling.monster")
def test_scaling_rows() -> None:
    def successes(stands: int, spell: Spell = BIG, kind: str = "infantry", character: bool = False) -> int:
        battle = scene(
            regiment("a", stands=stands, files=min(stands, 4), of=profile(kind)),
            regiment("b", 1, at=(36, 44)),
            characters=[hero("h", regiment="a")] if character else [],
        )
        return magic.needed(battle.state, r(battle, "a"), spell)[0]

    assert [successes(n) for n in (4, 5, 7, 8, 9, 10)] == [2, 3, 3, 4, 4, 5]
    assert successes(7, character=True) == 4
    assert successes(4, character=True) == 3
    assert successes(10, HEAL) == 2
    assert successes(1, kind="monster") == 3
    assert successes(1, HEAL, kind="monster") == 2


@pytest.mark.rule("conquest.magic.resolve")
def test_spell_hits_are_defended_and_test_morale() -> None:
    """5 hits, 3 failed defence rolls, 3 wounds, 3 Morale dice; the Character is never wounded."""
    battle = caster(
        BOLT, dice=[1, 1, 6, 1, 2, 5, 5, 5, 1, 1, 1], heroes=[hero("f", 1, "b")],
        enemy={"of": profile(d=2, e=0, w=5), "stands": 2, "files": 3},
    )  # fmt: skip
    cast(battle, "bolt", "b")
    assert rolled(battle, "defence") == [5]
    assert rolled(battle, "morale") == [3]
    assert battle.state.characters["f"].wounds == 0


@pytest.mark.rule("conquest.magic.no-flank-bonus", "conquest.rule.shield")
def test_a_spell_from_behind_has_no_flank_benefits_but_no_shield_helps() -> None:
    battle = caster(
        BOLT, dice=[1, 1, 6] + [3] * 5 + [1] * 5,
        enemy={"of": profile(d=2, e=0, w=9, rules=["shield", "phalanx"]), "facing": 0.0},
    )  # fmt: skip
    cast(battle, "bolt", "b")
    assert last(battle, "defended")["defense"] == 2
    assert rolled(battle, "morale") == [5]
    assert not events(battle, "reroll"), "no successful Morale die is rolled again"
    fired(battle, "conquest.magic.no-flank-bonus")


@pytest.mark.rule("conquest.magic.duration")
def test_a_spell_lasts_to_the_end_of_the_round_even_without_its_caster() -> None:
    battle = caster(WARD, dice=[1, 1, 6], others=[regiment("c", at=(28, 10), stands=2)])
    cast(battle, "ward", "c")
    battle.state.characters["h"].alive = False
    assert hooks.characteristic(battle, r(battle, "c"), "defense").total == 3
    assert [e.until for e in battle.state.effects] == ["round"]
    later = scene(
        regiment("a", spells=(WARD,)),
        regiment("b", 1, at=(36, 40)),
        regiment("c", at=(28, 10), stands=2),
        moment="victory",
        effects=tuple(battle.state.effects),
        dice=[1] * 9,
    )
    assert not later.state.effects


@pytest.mark.rule("conquest.rule.devout")
def test_devout_turns_one_failed_die_of_a_priest() -> None:
    devout = {"of": profile(rules=["devout"])}
    spell = Spell("s", NAMES, 12, 2, at="friend", heal=1)
    assert events(cast(caster(spell, rules=("priest 3",), own=devout, dice=[2, 4, 5]), "s", "a"), "cast")
    assert not events(cast(caster(spell, rules=("wizard 3",), own=devout, dice=[2, 4, 5]), "s", "a"), "cast")
    assert not events(cast(caster(spell, rules=("priest 3",), own=devout, dice=[4, 4, 5]), "s", "a"), "cast")


@pytest.mark.rule("conquest.rule.devout.character")
def test_a_devout_character_makes_his_regiment_devout() -> None:
    spell = Spell("s", NAMES, 12, 2, at="friend", heal=1)
    battle = caster(spell, rules=("priest 3", "devout"), dice=[2, 4, 5])
    assert magic.devout_by(battle.state, r(battle, "a")) == "conquest.rule.devout.character"
    battle.state.characters["h"].profile = profile(rules=["priest 3"])
    assert magic.devout_by(battle.state, r(battle, "a")) == ""


@pytest.mark.rule("conquest.rule.fanatical-devotion")
def test_fanatical_devotion_heals_three() -> None:
    zealots: Profile = profile(rules=["fanatical-devotion"], w=9)

    def left(spell: Spell, kind: str, faces: list[int], broken: bool = False) -> int:
        battle = caster(
            spell, rules=(kind,), dice=faces, own={"of": zealots, "wounds": {1: 5}, "broken": broken}, at=(36, 40)
        )
        cast(battle, spell.id, "a")
        return sum(s.wounds for s in r(battle, "a").stands)

    far = Spell("s", NAMES, 12, 3, at="friend", effects=(Change("clash", 1),))
    near = Spell("s", NAMES, 0, 3, at="self", effects=(Change("clash", 1),))
    assert left(far, "priest 3", [1, 1, 6]) == 2
    assert left(near, "priest 3", [1, 1, 6]) == 5
    assert left(far, "wizard 3", [1, 1, 6]) == 5
    assert left(far, "priest 3", [1, 6, 6]) == 5
    assert left(far, "priest 3", [1, 1, 6], broken=True) == 5


@pytest.mark.rule("conquest.rule.loose-formation.spells")
@pytest.mark.parametrize(("hits", "taken"), [(5, 3), (1, 1)])
def test_loose_formation_takes_half_the_spell_hits(hits: int, taken: int) -> None:
    spell = Spell("bolt", NAMES, 12, 3, hits=hits)
    battle = caster(spell, dice=[1, 1, 6] + [1] * taken, enemy={"of": profile(rules=["loose-formation"])})
    cast(battle, "bolt", "b")
    assert rolled(battle, "defence") == [taken]


@pytest.mark.rule("conquest.rule.priest")
def test_a_priest_without_spells_only_interferes() -> None:
    battle = scene(regiment("a", of=profile(rules=["priest 3"])), regiment("b", 1, at=(36, 16)), who="a")
    refused(battle, "spellcasting", "conquest.magic.action.kind")
    assert magic.interfered(battle.state, r(battle, "b"), None, r(battle, "b")) == "a"
    allowed(battle, "march")
    assert rule("priest 3").value == 3


@pytest.mark.rule("conquest.magic.interference")
@pytest.mark.parametrize(("gap", "attunement"), [(8.0, 3), (8.1, 4)])
def test_an_enemy_caster_near_the_target_interferes(gap: float, attunement: int) -> None:
    """He is far from the caster, and 8 inches from the friend on whom the spell is cast."""
    spell = Spell("s", NAMES, 24, 4, at="friend", heal=1)
    battle = caster(
        spell, at=(56 + gap + 1.25, 10), enemy={"of": profile(rules=["priest 2"]), "stands": 1},
        others=[regiment("c", at=(54.75, 10), stands=1)], dice=[6, 6, 6],
    )  # fmt: skip
    cast(battle, "s", "c")
    assert last(battle, "cast-failed")["attunement"] == attunement


@pytest.mark.rule("conquest.magic.target.engaged")
def test_between_two_enemies_a_caster_hits_either() -> None:
    battle = caster(BOLT, at=(33.5, 10), enemy={"stands": 1}, others=[regiment("c", 1, at=(38.5, 10), stands=1)])
    character = battle.state.characters["h"]
    for key in ("b", "c"):
        assert not magic.target_reasons(battle, r(battle, "a"), character, BOLT, r(battle, key))


@pytest.mark.rule("conquest.character.measure")
def test_a_spell_comes_from_the_side_on_which_its_caster_stands() -> None:
    """The middle of his regiment may lie in another arc of the target than his own stand."""
    from umpire.games.conquest import formation, magic

    battle = caster(BOLT, own={"stands": 5, "files": 6})
    state = battle.state
    own, target = r(battle, "a"), r(battle, "b")
    wizard = state.characters["h"]
    stand = magic.stand_of(own, wizard)
    assert stand is not None
    base = formation.stand_base(own, stand)
    for facing in range(0, 360, 5):
        target.facing = float(facing)
        his = formation.facing_of(formation.arc_of(target, base.x, base.y))
        assert magic.spell_hits(state, own, wizard, magic.spells_of(own, wizard)[0], target)[1] == his
