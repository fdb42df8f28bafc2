"""Scenes, replays and schemas on the command line, on the tiny game."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import tiny
import umpire
from umpire import cli

SCENE = """\
game: tiny
dice: [6, 6, 6, 6, 6, 6, 6, 6]
position:
  pawns:
    - {id: a, side: 0, x: 5, y: 5}
    - {id: b, side: 1, x: 7, y: 5}
answers: [a]
"""


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as done:
        cli.main([str(word) for word in words])
    said = capsys.readouterr()
    assert isinstance(done.value.code, int)
    return done.value.code, said.out, said.err


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UMPIRE_LANG", "en")


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    file = tmp_path / "scene.yaml"
    file.write_text(SCENE, encoding="utf-8")
    return file


@pytest.fixture
def record(tmp_path: Path) -> Path:
    battle = umpire.battle(tiny.GAME.id, seed=7)
    while (ask := battle.decision) is not None:
        battle.answer(ask.suggest())
    file = tmp_path / "battle.record"
    file.write_text(battle.record, encoding="utf-8")
    return file


def test_a_scene_is_carried_out_as_json(capsys: pytest.CaptureFixture[str], scene: Path) -> None:
    code, out, _ = run(capsys, "scene", "run", scene)
    assert code == 0
    told = json.loads(out)
    assert [ruling["legal"] for ruling in told["rulings"]] == [True]
    assert told["events"][0]["text"].keys() == {"zh", "en"}


def test_several_scenes_of_one_file_are_a_list(capsys: pytest.CaptureFixture[str], scene: Path) -> None:
    text = scene.read_text(encoding="utf-8")
    scene.write_text(f"{text}\n---\n{text}", encoding="utf-8")
    told = json.loads(run(capsys, "scene", "run", scene)[1])
    assert told[0] == told[1]
    assert run(capsys, "scene", "show", scene, "--lang", "en")[2].endswith(
        "a second document begins here (---), where one is wanted\n"
    )


def test_a_scene_is_drawn(capsys: pytest.CaptureFixture[str], scene: Path, tmp_path: Path) -> None:
    assert run(capsys, "scene", "show", scene)[1].startswith("<svg")
    code, out, _ = run(capsys, "scene", "show", scene, "--out", tmp_path / "scene.svg")
    assert (code, out) == (0, "")
    assert (tmp_path / "scene.svg").read_text(encoding="utf-8").startswith("<svg")


def test_a_broken_scene_is_one_line_with_file_line_and_field(capsys: pytest.CaptureFixture[str], scene: Path) -> None:
    scene.write_text(SCENE.replace("x: 7", "x: far"), encoding="utf-8")
    code, _, err = run(capsys, "scene", "run", scene)
    assert code == 1
    assert f"{scene}:6" in err
    assert "position.pawns[1].x" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("command", [("scene", "run"), ("scene", "show"), ("replay",), ("replay", "--verify")])
def test_a_missing_file_is_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: tuple[str, ...]
) -> None:
    code, _, err = run(capsys, *command, tmp_path / "none")
    assert code == 1
    assert "none: cannot be read" in err
    assert err.count("\n") == 1


def test_a_record_is_told_and_verified(capsys: pytest.CaptureFixture[str], record: Path) -> None:
    code, out, _ = run(capsys, "replay", record)
    assert code == 0
    assert "[1/" in out
    told = json.loads(run(capsys, "replay", record, "--json")[1])
    assert [line["answer"] for line in told] == list(range(len(told)))
    code, out, _ = run(capsys, "replay", record, "--verify")
    assert code == 0
    assert out == f"the same: {len(told) - 1} answers\n"
    assert run(capsys, "replay", record, "--verify", "--lang", "zh")[1].startswith("一致")
    assert json.loads(run(capsys, "replay", record, "--verify", "--json")[1])["same"] is True


def test_a_changed_record_shows_the_first_difference(capsys: pytest.CaptureFixture[str], record: Path) -> None:
    lines = record.read_text(encoding="utf-8").splitlines()
    at = next(n for n, line in enumerate(lines[1:-1], 1) if '"events":[{' in line)
    changed = json.loads(lines[at])
    changed["events"][0]["kind"] = "changed"
    lines[at] = json.dumps(changed)
    record.write_text("\n".join(lines), encoding="utf-8")
    code, out, _ = run(capsys, "replay", record, "--verify")
    assert code == 1
    assert out.startswith(f"differs at answer {at} (event)")


def test_a_damaged_record_is_named_with_its_line(capsys: pytest.CaptureFixture[str], record: Path) -> None:
    lines = record.read_text(encoding="utf-8").splitlines()
    record.write_text("\n".join([lines[0], "{", *lines[2:]]), encoding="utf-8")
    for command in (["replay", record], ["replay", record, "--verify"]):
        code, _, err = run(capsys, *command)
        assert code == 1
        assert f"{record}: line 2" in err


def test_a_damaged_line_is_told_in_chinese(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "a.record"
    file.write_text('{"record": "one"}\n{}\n', encoding="utf-8")
    _, _, err = run(capsys, "replay", file, "--lang", "zh")
    assert err == f"umpire: {file}：第 1 行不是战报的一行：应为整数，而不是文字（字段 record）\n"
    file.write_text('{"record": \n{}\n', encoding="utf-8")
    assert "JSON" in run(capsys, "replay", file, "--lang", "zh")[2]


def test_stepping_waits_jumps_and_ends(
    capsys: pytest.CaptureFixture[str], record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: Iterator[str] = iter(["", "3", "q"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(said))
    out = run(capsys, "replay", record, "--step")[1]
    assert [line.split("/")[0] for line in out.splitlines() if line.startswith("[")] == ["[1", "[3"]
    assert "[2/" in run(capsys, "replay", record, "--at", 2)[1].splitlines()[0]
    assert "there is no answer 99999" in run(capsys, "replay", record, "--at", 99999)[2]


@pytest.mark.parametrize("name", ["scene", "decision", "answer", "event", "record", "picture", "bot"])
def test_schemas_are_json(capsys: pytest.CaptureFixture[str], name: str) -> None:
    code, out, _ = run(capsys, "schema", name)
    assert code == 0
    assert json.loads(out)["$id"] == f"urn:umpire-wargames:schema:{name}:1"


def test_a_games_own_schema_and_an_unknown_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert "pawns" in run(capsys, "schema", "scene", "--game", "tiny")[1]
    assert "there is no schema “army”" in run(capsys, "schema", "army")[2]


LAUGHS = "a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n" + "".join(
    f"{y}: &{y} [{', '.join(['*' + x] * 10)}]\n" for x, y in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize("text", [LAUGHS, "a: &a [*a, *a]\n"])
def test_a_few_lines_of_aliases_do_not_fill_the_memory(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str
) -> None:
    file = tmp_path / "scene.yaml"
    file.write_text(text)
    code, _, err = run(capsys, "scene", "run", file)
    assert code == 1
    assert "its aliases written out" in err


def test_odds_of_a_thousand_million_dice_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "odds", "aos", "rally", "dice=1000000000")
    assert code == 1
    assert "too large" in err
