"""Scenes as tests: questions, expectations, what is waited for, and dice that do not matter."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tiny
from umpire import cli, files
from umpire.engine import scene
from umpire.engine.scene import SceneFile
from umpire.engine.staging import Stage, complaints_of, played, run
from umpire.errors import UmpireError, unknown

PAWNS = [{"id": "a", "side": 0, "x": 5.0, "y": 5.0}, {"id": "b", "side": 1, "x": 5.0, "y": 7.0}]
STAY = {"path": [{"x": 5.0, "y": 5.0}]}
STRIKE = {"deed": "strike", "who": "a", "whom": ["b"]}


def stage(*answers: Any, **more: Any) -> Stage:
    return played(SceneFile(tiny.GAME.id, {"pawns": PAWNS}, answers=list(answers), **more))


def failed(*answers: Any, **more: Any) -> list[str]:
    return [where for where, _ in stage(*answers, **more).failures]


def test_a_question_carries_nothing_out() -> None:
    asked = stage({"ask": STRIKE, "expect": "legal"}, {"ask": {"answer": "b"}, "side": 0, "expect": "refused"})
    assert not asked.failures
    assert not asked.battle.answers
    assert [ruling["legal"] for ruling in asked.rulings] == [True, False]


@pytest.mark.parametrize(
    ("expect", "right"),
    [
        ("legal", True),
        ("refused", False),
        ("event moved", True),
        ({"event": "moved", "pawn": "a", "x": 5}, True),
        ({"event": "moved", "pawn": "b"}, False),
        ("rule tiny.move", True),
        ("rule tiny.parry", False),
        ("asked ask.target", True),
        ({"asked": "ask.target", "side": 0, "option": "b"}, True),
        ({"asked": "ask.target", "no-option": "b"}, False),
        ({"state": {"pawns.a.x": 5, "pawns.a.acted": True}}, True),
        ({"state": {"pawns.a.x": 5.5}}, False),
        ({"not": "event hit"}, True),
        ({"not": "event moved"}, False),
        ("over", False),
        (["legal", "event moved"], True),
        ({"winner": 0}, False),
    ],
)
def test_what_is_expected_of_an_answer(expect: Any, right: bool) -> None:
    assert failed("a", {"answer": STAY, "expect": expect}) == ([] if right else ["answers[1]"])


def test_an_answer_that_is_refused_fails_unless_that_was_expected() -> None:
    assert failed("b") == ["answers[0]"]
    assert failed({"answer": "b", "expect": "refused"}) == []
    far = {"path": [{"x": 12.0, "y": 5.0}]}
    assert failed("a", {"answer": far, "expect": "refused by tiny.move"}) == []
    assert failed("a", {"answer": far, "expect": "refused by tiny.move and tiny.edge"}) == ["answers[1]"]


def test_a_scene_goes_on_until_something_has_come() -> None:
    waited = stage("a", STAY, until="event strike", dice=["seeded"])
    assert [where for where, _ in waited.failures] == ["until"]
    assert not failed("a", STAY, until="asked ask.activate", dice=["seeded"])
    assert not failed(until="over", expect="over", dice=["seeded"])


def test_dice_that_matter_any_for_the_rest_and_then_the_seed() -> None:
    answers = ("a", STAY, "b", "pass")

    def faces(*dice: Any) -> list[int]:
        rolls = [event.roll.faces for event in stage(*answers, dice=list(dice)).battle.events if event.roll]
        return rolls[0] if rolls else []

    assert faces(5, 2) == [5, 2]
    assert faces(5, "seeded")[0] == 5
    assert faces("any", 2)[1] == 2
    assert faces("seeded") == faces("any", "any")


def test_dice_that_run_out_stop_the_scene_there_and_tell_what_was_ruled() -> None:
    told = run(SceneFile(tiny.GAME.id, {"pawns": PAWNS}, answers=["a", STAY, "b", "pass"], dice=[5]))
    assert [ruling["legal"] for ruling in told["rulings"]] == [True] * 4
    assert "ran out" in told["stopped"]["text"]["en"]
    mixed = run(SceneFile(tiny.GAME.id, {"pawns": PAWNS}, answers=["a", STAY, "b", "pass"], dice=["any"]))
    assert "stopped" in mixed


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("expect: sunshine", r":9: “sunshine” is not understood.*\(field expect\)"),
        ("dice: [seeded, 3]", r":9: seeded may only stand at the end \(field dice\[0\]\)"),
        ("options: {wind: 1}", r":9: positions of tiny have no options \(field options\)"),
        ("without: [tiny.no-rule]", r"has no rule “tiny.no-rule”"),
        ("until: never", r":9: “never” is not understood"),
        ("answers: [{ask: {deed: fly}}]", r":9: there is no deed “fly”.*\(field answers\[0\]\.ask\.deed\)"),
        ("answers: [{ask: 1, answer: 2}]", r":9: either ask or answer, not both \(field answers\[0\]\)"),
    ],
)
def test_what_a_scene_says_wrongly_is_told_with_file_line_and_field(tmp_path: Path, change: str, message: str) -> None:
    file = tmp_path / "scene.yaml"
    file.write_text(TEXT.replace("answers: [a]\n", "") + change, encoding="utf-8")
    with pytest.raises(UmpireError, match=message):
        played(*scene.read(file))


TEXT = """\
game: tiny
title: A duel
position:
  first: 0
  rounds: 1
  pawns:
    - {id: a, side: 0, x: 5.0, y: 5.0}
    - {id: b, side: 1, x: 5.0, y: 7.0}
answers: [a]
"""


def test_scenes_are_tests_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def test(*words: object) -> tuple[object, str]:
        with pytest.raises(SystemExit) as done:
            cli.main(["scene", *map(str, words), "--lang", "en"])
        return done.value.code, capsys.readouterr().out

    with pytest.raises(SystemExit) as none:
        cli.main(["scene", "test", str(tmp_path), "--lang", "en"])
    assert none.value.code == 1
    assert "holds no scenes" in capsys.readouterr().err
    good, bad = tmp_path / "good.yaml", tmp_path / "bad.yaml"
    good.write_text(f"{TEXT}expect: asked ask.move\n", encoding="utf-8")
    assert test("test", good) == (0, "1 scene, 0 failed\n")
    bad.write_text(f"{TEXT}expect: asked ask.target\n", encoding="utf-8")
    code, out = test("test", tmp_path)
    assert code == 1
    assert f"{bad}:10: expect: asked now" in out
    assert out.endswith("2 scenes, 1 failed\n")


def test_a_wish_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "scene.yaml"
    file.write_text(TEXT, encoding="utf-8")
    with pytest.raises(SystemExit) as done:
        cli.main(["scene", "run", str(file), "--ask", '{"deed": "strike", "who": "a", "whom": ["b"]}'])
    assert done.value.code == 0
    assert '"ask"' in capsys.readouterr().out


def test_a_scripted_face_that_a_die_has_not_is_told_at_the_dice(tmp_path: Path) -> None:
    file = tmp_path / "scene.yaml"
    unit = "{id: a, side: 0, models: [[10, 10]]}, {id: b, side: 1, models: [[10, 18]]}"
    file.write_text(
        f"game: aos\nposition: {{phase: charge, units: [{unit}]}}\ndice: [7, 1]\nanswers: ['charge:a']\n", "utf-8"
    )
    with pytest.raises(UmpireError, match=r":3: a scripted die shows 7"):
        played(*scene.read(file))


@pytest.mark.parametrize("game", ["warcry", "aos", "conquest", "wh40k", "t9a"])
def test_every_field_of_a_scene_is_described_in_both_languages(game: str) -> None:
    from umpire.engine.schemas import schema

    for name, struct in schema("scene", game)["$defs"].items():
        for field, shape in struct.get("properties", {}).items():
            assert " · " in shape.get("description", ""), f"{name}.{field}"


def test_terrain_is_ruled_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    piece = "{{id: {}, points: [[{}, 10], [{}, 10], [{}, 14], [{}, 14]], rules: [hill]}}"
    terrain = ", ".join(piece.format(key, x, x + 4, x + 4, x) for key, x in (("near", 20), ("nearer", 25)))
    file = tmp_path / "table.yaml"
    file.write_text(f"game: conquest\nposition: {{regiments: [], moment: command, terrain: [{terrain}]}}\n", "utf-8")
    with pytest.raises(SystemExit) as done:
        cli.main(["scene", "terrain", str(file), "--lang", "en"])
    assert done.value.code == 1
    assert "[conquest.battle.terrain.spacing]" in capsys.readouterr().out


def test_a_file_may_hold_several_scenes(tmp_path: Path) -> None:
    one = "game: tiny\nposition: {pawns: [{id: a, side: 0, x: 5, y: 5}, {id: b, side: 1, x: 5, y: 7}]}\n"
    file = tmp_path / "two.yaml"
    file.write_text(f"{one}answers: [{{ask: {STRIKE}, expect: legal}}]\n---\n{one}expect: over\n---\n{one}wrong: 1\n")
    right, unmet, broken = complaints_of(file, "en")
    assert right == []
    assert unmet[0].startswith(f"{file}:7: expect")
    assert broken[0].startswith(f"{file}:")
    assert "wrong" in broken[0]
    file.write_text("game: [")
    assert len(list(complaints_of(file, "en"))) == 1


def test_off_and_yes_are_words() -> None:
    found = files.parse("{off: off, on: [yes, No, ON], true: true, never: False}", "x.yaml").data
    assert found == {"off": "off", "on": ["yes", "No", "ON"], "true": True, "never": False}


def test_an_unmet_expectation_tells_what_came_instead() -> None:
    unmet = stage("a", {"answer": STAY, "expect": {"event": "moved", "pawn": "b"}})
    assert next(iter(unmet.complaints("en"))).endswith("moved came, but with [{'pawn': 'a'}]")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a: [1,\n", {"zh": "scene:2：不是合法的 YAML 或 JSON：括号没有合上，或少了内容"}),
        ("a: 1\n  b: 2\n", {"zh": "scene:2：不是合法的 YAML 或 JSON：这里不该有冒号，缩进可能不对"}),
        ("a: 'x\n", {"en": "scene:2: is no YAML or JSON: a quotation mark is not closed"}),
    ],
)
def test_what_is_wrong_with_a_text_is_told_in_the_language_of_who_reads(text: str, told: dict[str, str]) -> None:
    with pytest.raises(UmpireError) as error:
        files.parse(text, "scene")
    assert {**error.value.lines(), **told} == error.value.lines()


def test_of_many_names_those_are_told_that_are_like_the_one_given() -> None:
    many = [f"spear-{n}" for n in range(20)] + ["briar-guard", "briar-giant"]
    assert (
        str(unknown("unit", "briar-gard", "", many))
        == "there is no unit “briar-gard”; perhaps: briar-guard, briar-giant"
    )
    assert "22 are known: spear-0" in str(unknown("unit", "xyz", "", many))
    assert str(unknown("unit", "xyz", "", many[-2:])) == "there is no unit “xyz”; known: briar-guard, briar-giant"
