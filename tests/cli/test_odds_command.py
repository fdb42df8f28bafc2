"""`umpire odds`: what can be asked, what is answered, what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from umpire import cli

ATTACK = ["attacks=4", "strength=4", "damage=2", "critical=4", "toughness=3", "wounds=10"]


def odds(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as done:
        cli.main(["odds", *map(str, words), "--lang", "en"])
    said = capsys.readouterr()
    assert isinstance(done.value.code, int)
    return done.value.code, said.out, said.err


def test_what_can_be_asked_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    for game, question in (("warcry", "impact"), ("aos", "charge"), ("conquest", "attack")):
        code, out, _ = odds(capsys, game)
        assert code == 0
        assert f"umpire odds {game} {question}" in out


def test_initiative_reserves_and_rallies(capsys: pytest.CaptureFixture[str]) -> None:
    def chance(*words: str) -> float:
        told = json.loads(odds(capsys, *words, "--json")[1])["answer"]
        return float(next(line["chance"] for line in told if "chance" in line))

    assert chance("aos", "priority", "first=yes") == pytest.approx(21 / 36)
    assert chance("aos", "priority", "first=no") == pytest.approx(15 / 36)
    assert chance("warcry", "initiative") == pytest.approx(0.5)
    assert chance("conquest", "supremacy", "mine=-1") == pytest.approx(21 / 31)
    assert chance("conquest", "spell", "dice=2", "attunement=3") == pytest.approx(1 / 4)
    assert "0   29.63 %" in odds(capsys, "conquest", "reinforcement", "klass=medium", "round=2", "regiments=3")[1]
    assert "rally points (mean 3.00)" in odds(capsys, "aos", "rally")[1]


def test_an_attack_is_answered_exactly(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, _ = odds(capsys, "warcry", "attack", *ATTACK, "--plot", tmp_path / "odds.svg")
    assert code == 0
    assert "damage (mean 6.67)" in out
    assert "taken down  19.68 %" in out
    assert (tmp_path / "odds.svg").read_text(encoding="utf-8").startswith("<svg")
    told = json.loads(odds(capsys, "warcry", "attack", *ATTACK, "cover=yes", "--json")[1])
    assert sum(told["answer"][0]["odds"].values()) == pytest.approx(1)
    assert told["answer"][0]["mean"] == pytest.approx(4 * (2 / 6 * 2 + 1 / 6 * 4))


def test_charges_spells_and_tests(capsys: pytest.CaptureFixture[str]) -> None:
    charge = json.loads(odds(capsys, "aos", "charge", "inches=8.5", "--json")[1])["answer"]
    assert charge[1]["chance"] == pytest.approx(15 / 36)
    spell = json.loads(odds(capsys, "aos", "spell", "value=7", "--json")[1])["answer"]
    assert [line["chance"] for line in spell] == pytest.approx([21 / 36, 490 / 1296, 1 / 36])
    assert spell[1]["chance"] == pytest.approx(0.3781, abs=1e-4)
    assert json.loads(odds(capsys, "conquest", "test", "value=4", "--json")[1])["answer"][0]["chance"] == pytest.approx(
        4 / 6
    )
    charge = json.loads(odds(capsys, "conquest", "charge", "march=5", "inches=9", "--json")[1])["answer"]
    assert charge[1]["chance"] == pytest.approx(3 / 6)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("warcry", "love"), "no odds of 'love'"),
        (("warcry", "attack", "attacks=4"), "still to be given: strength, damage"),
        (("warcry", "attack", "attacks=many"), "attacks: “many” is no int"),
        (("warcry", "attack", "speed=9"), "the parameters are: attacks"),
        (("warcry", "attack", *ATTACK, "cover=maybe"), "cover: “maybe” is no bool"),
        (("warcry", "initiative", "dice=60"), "at most 20 dice"),
        (("conquest", "reinforcement", "klass=light", "round=3"), "no die is rolled then"),
        (
            (
                "aos",
                "attack",
                *["attacks=2", "hit=3", "wound=4", "rend=0", "damage=1", "save=4", "health=0", "models=1"],
            ),
            "one wound",
        ),
    ],
)
def test_a_wrong_question_is_one_clear_line(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str
) -> None:
    code, _, err = odds(capsys, *words)
    assert code == 1
    assert said in err
    assert err.count("\n") == 1
