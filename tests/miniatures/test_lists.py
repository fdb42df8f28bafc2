"""Army lists: limits, prices, purses and books, on two invented books: one of slots, one of shares."""

from __future__ import annotations

import pytest

from umpire.miniatures.lists import Army, Booking, Group, Item, Limit, Line, bill, broken, settle


def named(word: str) -> dict[str, str]:
    return {"zh": word, "en": word}


def unit(key: str, points: int, *tags: str, group: str = "", **more: object) -> Line:
    item = Item(id=f"{key}-models", points=points)
    return Line(id=key, entry=key.split(".")[0], group=group, tags=tags, items=(item, *more.pop("items", ())), **more)  # type: ignore[arg-type, misc]


def army(*lines: Line, size: int = 4000, **more: object) -> Army:
    return Army(size=size, lines=lines, **more)  # type: ignore[arg-type]


def rules(*limits: Limit, of: Army) -> list[str]:
    return [reason.rule for reason in broken(limits, of)]


# -- slots: detachments with so many of each role ------------------------------------------------------------------

BATTALION = [
    Limit(rule="x.hq", of=("hq",), scope="group", group="1", least=2, most=3),
    Limit(rule="x.troops", of=("troops",), scope="group", group="1", least=3, most=6),
]


def test_a_detachment_has_at_least_and_at_most_so_many_of_a_role():
    groups = (Group(id="1", name=named("battalion")), Group(id="2"))
    lines = [unit("captain", 100, "hq", group="1"), unit("captain.2", 100, "hq", group="1")]
    troops = [unit(f"squad.{n}", 50, "troops", group="1") for n in range(3)]
    assert rules(*BATTALION, of=army(*lines, *troops, groups=groups)) == []
    assert rules(*BATTALION, of=army(*lines, *troops[:2], groups=groups)) == ["x.troops"]
    elsewhere = unit("squad.9", 50, "troops", group="2")
    (reason,) = broken(BATTALION, army(*lines, *troops[:2], elsewhere, groups=groups))
    assert reason.facts == {"count": 2, "of": named("battalion"), "least": 3, "most": 6}


def test_copies_of_a_datasheet_are_counted_by_kin_and_some_are_exempt():
    limit = Limit(rule="x.copies", but=("troops",), scope="kind", most=3)
    many = [unit(f"squad.{n}", 50, "troops") for n in range(6)]
    tanks = [unit(f"tank.{n}", 150, "heavy", kin="tanks") for n in range(3)]
    assert rules(limit, of=army(*many, *tanks)) == []
    assert rules(limit, of=army(*many, *tanks, unit("siege-tank", 170, "heavy", kin="tanks"))) == ["x.copies"]


def test_groups_are_counted_too():
    limit = Limit(rule="x.one", what="groups", of=("supreme",), most=1)
    assert rules(limit, of=army(groups=(Group(id="1", tags=("supreme",)), Group(id="2")))) == []
    assert rules(limit, of=army(groups=(Group(id="1", tags=("supreme",)), Group(id="2", tags=("supreme",))))) == [
        "x.one"
    ]


def test_a_purse_pays_in_order_and_a_later_gain_does_not_help():
    pay, gain = Booking(rule="x.cost", cost=4), Booking(rule="x.benefit", cost=-4)
    assert settle(6, [pay, gain]) == (6, [])
    left, reasons = settle(3, [pay, gain])
    assert (left, [r.rule for r in reasons]) == (3, ["x.cost"])
    assert reasons[0].facts["cost"] == 4
    assert reasons[0].facts["left"] == 3


# -- shares: points by category ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("points", "wrong"), [(1600, []), (1601, ["x.characters"])])
def test_a_category_takes_at_most_its_share(points: int, wrong: list[str]):
    limit = Limit(rule="x.characters", what="points", of=("characters",), most=4000 * 40 // 100)
    assert rules(limit, of=army(unit("lord", points, "characters"))) == wrong


def test_a_unit_of_two_categories_counts_in_both_and_once_in_the_army():
    both = army(unit("ogres", 300, "p", "q"))
    assert rules(Limit(rule="x.p", what="points", of=("p",), most=299), of=both) == ["x.p"]
    assert rules(Limit(rule="x.q", what="points", of=("q",), most=299), of=both) == ["x.q"]
    assert both.cost == 300


def test_an_option_brings_a_category_or_only_its_own_points():
    bow = Item(id="bow", points=20, adds=("ranged",))
    dragon = Item(id="dragon", points=500, alone=("monsters",))
    archers, lord = unit("men", 100, "core", items=(bow,)), unit("lord", 250, "characters", items=(dragon,))
    counted = {
        tag: [
            n
            for n in (0, 119, 120, 499, 500, 749, 750)
            if not rules(Limit(rule="x", what="points", of=(tag,), most=n), of=army(archers, lord))
        ]
        for tag in ("ranged", "monsters", "characters")
    }
    assert {tag: found[0] for tag, found in counted.items()} == {"ranged": 120, "monsters": 500, "characters": 750}
    assert army(archers, lord).cost == 120 + 750


def test_a_unit_may_cost_so_much_unless_its_entry_says_otherwise():
    limits = (
        Limit(rule="x.cap", what="points", scope="line", but=("own-cap",), most=600),
        Limit(rule="x.cap", what="points", scope="line", of=("giant",), most=800),
    )
    assert rules(*limits, of=army(unit("men", 600), unit("giant", 800, "own-cap"))) == []
    assert rules(*limits, of=army(unit("men", 601), unit("giant", 801, "own-cap"))) == ["x.cap", "x.cap"]


def test_items_are_limited_in_the_army_together_and_in_a_unit():
    ring = Item(id="ring", tags=("legendary",))
    bolt, stone = Item(id="bolt", count=2, tags=("machine",)), Item(id="stone", count=2, tags=("machine",))
    limits = (
        Limit(rule="x.once", what="items", of=("legendary",), scope="kind", most=1),
        Limit(rule="x.together", what="items", of=("bolt", "stone"), most=3),
        Limit(rule="x.unit", what="items", of=("machine",), scope="line", most=2),
    )
    a, b = unit("a", 1, items=(ring, bolt)), unit("b", 1, items=(stone,))
    assert rules(*limits, of=army(a)) == []
    assert rules(*limits, of=army(a, b)) == ["x.together"]
    assert rules(*limits, of=army(a, unit("c", 1, items=(ring,)))) == ["x.once"]
    assert rules(*limits, of=army(unit("d", 1, items=(bolt, stone)))) == ["x.together", "x.unit"]
    assert rules(Limit(rule="x.allowance", what="item-points", of=("machine",), scope="line", most=9), of=army(
        unit("e", 99, items=(Item(id="bolt", points=5, count=2, tags=("machine",)),))
    )) == ["x.allowance"]  # fmt: skip


def test_the_bill_adds_up():
    line = unit("squad", 140, group="1", items=(Item(id="banner", points=20),))
    found = bill(army(line, groups=(Group(id="1", name=named("band")),), extra=(Item(id="relic", points=9),)))
    assert found.points == line.cost + 9 == sum(account.points for account in found.accounts)
    assert all(account.points == sum(c.points for c in account.charges) for account in found.accounts)
    assert found.accounts[0].group == named("band")
