"""Formations that losses have broken: who fills the gaps, what stays locked in a round of combat, units of attachable
models alone, skirmishers that close up."""

import pytest

from t9a.builder import (
    asked,
    do,
    duel,
    events,
    finish,
    fired,
    hero,
    offered,
    p,
    part,
    profile,
    quiet,
    refused,
    scene,
    u,
    unit,
)
from umpire.games.t9a import casualties, joining
from umpire.games.t9a.formation import box, layout
from umpire.games.t9a.spacing import contacts


def mm(width, *rules, **more):
    return quiet(*rules, base=(float(width), float(width)), **more)


FAR = unit("z", 1, at=(8, 46), of=quiet())


@pytest.mark.rule("t9a.def.viable-formation", "t9a.def.viable-formation.keep-files")
def test_the_last_rank_fills_gaps_and_the_files_stay():
    """A soldier of the second rank takes the place of a fallen character of the first; five files stay five."""
    battle = scene(unit("a", of=quiet(), models=13, files=5), hero("h", 0, "a", of=quiet(hp=3), file=1, rank=0), FAR)
    a = u(battle, "a")
    assert layout(battle.state, a).rows == (5, 5, 4)
    casualties.lose(battle, p(battle, "h"), 3, melee=False)
    assert layout(battle.state, a).rows == (5, 5, 3)
    assert a.files == 5
    casualties.lose(battle, p(battle, "a"), 4, melee=False)
    assert layout(battle.state, a).rows == (5, 4)
    single = scene(unit("a", of=quiet(), models=5, files=5), FAR)
    casualties.lose(single, p(single, "a"), 1, melee=False)
    assert (u(single, "a").files, layout(single.state, u(single, "a")).rows) == (4, (4,))


@pytest.mark.rule("t9a.def.viable-formation.melee-lock", "t9a.melee.prep.lock")
def test_nobody_is_shifted_while_a_round_is_fought():
    """Three of a single rank of five fall to quick blades: the two who are left strike from where they stood."""
    quick = profile(parts=[part(agi=9, off=9, s=9, ap=6)])
    battle = duel(quick, profile(parts=[part(agi=1)], dis=10), [*[6] * 3, *[6] * 3], models=3, foes=5)
    order = [e for e in battle.events if e.kind in ("losses", "reordered", "unlocked", "fewer-files")]
    kinds = [e.kind for e in order]
    assert kinds.index("losses") < kinds.index("reordered") < kinds.index("unlocked")
    fired(battle, "t9a.def.viable-formation.melee-lock")
    assert u(battle, "b").files == 2
    assert u(battle, "b").locked == (0.0, 0.0)


def wiped(*bases, soldiers=4, **more):
    """A unit whose soldiers fall, with characters on these bases in it."""
    heroes = [hero(f"h{n}", 0, "a", of=mm(base, hp=3)) for n, base in enumerate(bases)]
    battle = scene(unit("a", of=quiet(), models=soldiers, files=4, **more), *heroes, FAR, moment="movement")
    casualties.lose(battle, p(battle, "a"), soldiers, melee=False)
    return do(battle, "end")


@pytest.mark.rule("t9a.char.all-attachable")
def test_the_owner_chooses_whose_base_stands_in_for_the_soldiers():
    """Two on 25 mm and one on 40 mm: with 25 mm chosen the wide one stands beside them, and when the chosen one goes
    the other 25 mm takes over, so that nobody changes."""
    battle = wiped(25, 25, 40)
    assert asked(battle) == "ask.base"
    assert offered(battle) == ["h0", "h2"]
    do(battle, "h0")
    shape = layout(battle.state, u(battle, "a"))
    assert [c.pool for c in shape.cells if c.file < 0] == ["h2"]
    assert shape.width * 25.4 == pytest.approx(90)
    casualties.lose(battle, p(battle, "h0"), 3, melee=False)
    assert u(battle, "a").base == "h1"
    other = do(wiped(25, 25, 40), "h2")
    assert layout(other.state, u(other, "a")).width * 25.4 == pytest.approx(90)
    assert [c.pool for c in layout(other.state, u(other, "a")).cells if 0 <= c.file < 1] == ["h2"]


@pytest.mark.rule("t9a.char.all-attachable")
def test_a_new_base_changes_as_few_as_it_can():
    """25, 25, 40 and 50 mm by 25 mm: 50 matches. When the first goes the second must follow, not the one on 40 mm; and
    when both are gone the one on 50 mm changes nothing, the one on 40 mm would change two."""
    battle = do(wiped(25, 25, 40, 50), "h0")
    state, a = battle.state, u(battle, "a")
    a.base, a.members = "h0", ("h1", "h2", "h3")
    assert joining.base_choices(state, a) == ["h1"]
    a.members = ("h2", "h3")
    assert joining.base_choices(state, a) == ["h3"]
    refused(wiped(25, 25, 40), "h1", "t9a.char.all-attachable")


@pytest.mark.rule("t9a.char.rnf-wiped", "t9a.def.viable-formation.melee-lock")
def test_characters_stay_where_they_stand_until_the_round_is_over():
    """All soldiers fall at once: the character at the left end does not slide to the middle while blows are struck."""
    foe = profile(parts=[part(agi=9, att=4, off=9, s=9, ap=6)])
    battle = scene(
        unit("a", at=(36, 20), of=quiet(dis=10), models=4, files=5),
        hero("h", 0, "a", of=profile(hp=3, dis=10, parts=[part(agi=1)]), file=0, rank=0),
        unit("b", 1, at=(33.5, 20), of=foe, models=1, files=1),
        moment="melee",
        dice=[6, 6, 6, 6, 6, 6, 6, 6],
    )
    do(battle, {"a": 4, "h": 0})
    fired(battle, "t9a.char.rnf-wiped")
    struck = [e for e in battle.events if e.kind == "roll" and e.roll.purpose == "hit" and e.roll.who == "h"]
    assert struck, "it still touches the enemy at the left end"


@pytest.mark.rule("t9a.rule.skirmisher.end")
def test_without_skirmishers_the_rest_closes_up_about_the_middle_of_its_front():
    heroes = [hero(key, 0, "a", of=quiet(hp=3), file=n, rank=0) for key, n in (("h", 0), ("i", 1))]
    loose = unit("a", at=(36, 20), of=quiet("skirmisher"), models=3, files=5)
    battle = scene(loose, *heroes, FAR)
    a = u(battle, "a")
    assert layout(battle.state, a).width > 5.0
    casualties.lose(battle, p(battle, "a"), 3, melee=False)
    fired(battle, "t9a.rule.skirmisher.end")
    assert layout(battle.state, a).width == pytest.approx(2.0)
    assert (a.x, a.y) == (36, 20)
    others = [hero(key, 0, "a", of=quiet("skirmisher", hp=3), file=n, rank=0) for key, n in (("h", 0), ("i", 1))]
    still = scene(loose, *others, FAR)
    casualties.lose(still, p(still, "a"), 3, melee=False)
    assert layout(still.state, u(still, "a")).width == pytest.approx(2.0 + 12.5 / 25.4)
    assert not events(still, "closes-up")


@pytest.mark.rule("t9a.rule.skirmisher.end")
def test_engaged_skirmishers_close_up_when_boundaries_are_unlocked():
    """The soldiers between the two characters fall; the gaps of 12.5 mm stay until the round is over, then the pair
    stands together and still touches the enemy."""
    foe = profile(hp=9, dis=10, parts=[part(agi=9, att=3, off=9, s=9, ap=6)])
    battle = scene(
        unit("a", at=(36, 20), of=quiet("skirmisher", dis=10), models=3, files=5),
        hero("h", 0, "a", of=quiet(hp=3, dis=10), file=0, rank=0),
        hero("i", 0, "a", of=quiet(hp=3, dis=10), file=4, rank=0),
        unit("b", 1, at=(36, 20), of=foe, models=1, files=1),
        moment="melee",
        dice=[6, 6, 6, 6, 6, 6, 1, 1],
    )
    finish(battle)
    kinds = [e.kind for e in battle.events]
    assert kinds.index("rnf-wiped") < kinds.index("closes-up")
    state = battle.state
    assert layout(state, u(battle, "a")).width == pytest.approx(2.0)
    assert contacts(state, u(battle, "a"), "front", u(battle, "b"), "front")
    assert box(state, u(battle, "a")).x == pytest.approx(36)
