"""Army lists: mustered, written, read and checked on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from umpire import cli

GAMES = ["warcry", "aos", "conquest"]


def muster(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as done:
        cli.main(["muster", *map(str, words)])
    said = capsys.readouterr()
    assert isinstance(done.value.code, int)
    return done.value.code, said.out, said.err


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UMPIRE_LANG", "en")


@pytest.mark.parametrize("game", GAMES)
def test_a_mustered_army_is_legal_and_equal_seeds_muster_equally(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, game: str
) -> None:
    file = tmp_path / "army.yaml"
    assert muster(capsys, "new", game, "--seed", 7, "--out", file)[0] == 0
    assert muster(capsys, "new", game, "--seed", 7)[1] == file.read_text(encoding="utf-8")
    assert muster(capsys, "new", game, "--seed", 8)[1] != file.read_text(encoding="utf-8")
    code, out, _ = muster(capsys, "check", file)
    assert code == 0
    assert out.endswith(f"{file}: legal\n")
    told = json.loads(muster(capsys, "check", file, "--json")[1])
    assert told["legal"] is True
    bill = told["bill"]
    assert bill["points"] == sum(account["points"] for account in bill["accounts"]) > 0
    assert all(a["points"] == sum(c["points"] for c in a["charges"]) for a in bill["accounts"])
    assert f"{bill['points']} points in all" in out


def test_an_illegal_army_names_every_rule_it_breaks(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "army.yaml"
    roster = json.loads(json.dumps({"game": "warcry", "roster": {"faction": "cinder-kin", "fighters": []}}))
    file.write_text(json.dumps(roster), encoding="utf-8")
    code, out, _ = muster(capsys, "check", file)
    assert code == 1
    assert "[warcry." in out
    told = json.loads(muster(capsys, "check", file, "--json")[1])
    assert told["legal"] is False
    assert all(reason["rule"].startswith("warcry.") for reason in told["reasons"])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("game: warcry\nroster: {faction: cinder-kin, fighters: 3}\n", ":2"),
        ("game: warcry\n", "roster"),
        ("game: chess\nroster: {}\n", "there is no game “chess”"),
        ("game: [", "army.yaml"),
        ("roster: {}\nsurprise: 1\n", "army.yaml"),
    ],
)
def test_what_is_no_army_is_one_clear_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, said: str
) -> None:
    file = tmp_path / "army.yaml"
    file.write_text(text, encoding="utf-8")
    code, out, err = muster(capsys, "check", file)
    assert code == 1
    assert out == ""
    assert said in err
    assert err.count("\n") == 1


def test_a_wish_that_a_game_does_not_know(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = muster(capsys, "new", "nowhere")
    assert code == 1
    assert "there is no game “nowhere”" in err
