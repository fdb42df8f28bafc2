from xml.etree import ElementTree

import pytest

from umpire.odds import D6, Dist, dice, plot, render, table
from umpire.odds.show import Language


def test_rows_hold_every_value_and_its_tails() -> None:
    rows = table(Dist.of({1: 1, 3: 3}))
    assert [(row.value, row.exactly, row.at_least, row.at_most) for row in rows] == [
        (1, 0.25, 1.0, 0.25),
        (2, 0.0, 0.75, 0.25),
        (3, 0.75, 0.75, 1.0),
    ]


def test_unlikely_ends_are_left_out() -> None:
    assert [row.value for row in table(dice(2), tail=0.03)] == list(range(3, 12))


@pytest.mark.parametrize(("lang", "word"), [("zh", "至少"), ("en", "at least")])
def test_text_and_picture_speak_both_languages(lang: Language, word: str) -> None:
    assert word in render(D6, "D6", lang)
    assert word in plot(D6, "D6", lang)


@pytest.mark.parametrize("dist", [D6, dice(2), Dist.certain(0), D6.times(30), Dist.certain(1) - D6, Dist.chance(0.999)])
def test_pictures_are_well_formed_and_draw_inside_the_frame(dist: Dist) -> None:
    picture = ElementTree.fromstring(plot(dist, 'a "title" <of> & more'))
    assert picture.findtext("{*}title") == 'a "title" <of> & more'
    bars = picture.findall("{*}rect")[1:]
    assert len(bars) == len(table(dist, 5e-4))
    for bar in bars:
        assert float(bar.attrib["y"]) >= 60
        assert float(bar.attrib["y"]) + float(bar.attrib["height"]) == pytest.approx(314, abs=0.2)


def test_colours_of_the_house() -> None:
    picture = plot(D6, "D6")
    assert all(colour in picture for colour in ("#f4efe4", "#22262b", "#a9803a", "#1f4e79"))
