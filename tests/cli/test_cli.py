"""The command line: help with examples, JSON for programs, one clear line where it fails."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from umpire import benchmarks, cli
from umpire.cli.words import framed, fronted
from umpire.errors import UmpireError, fault


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as done:
        cli.main(words)
    said = capsys.readouterr()
    assert isinstance(done.value.code, int)
    return done.value.code, said.out, said.err


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UMPIRE_LANG", "en")
    monkeypatch.delenv("UMPIRE_DEBUG", raising=False)
    monkeypatch.setenv("COLUMNS", "120")


def commands(group: object = None, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    group = group or typer.main.get_command(cli.app)
    found = []
    for name, command in getattr(group, "commands", {}).items():
        found += commands(command, (*path, name)) if hasattr(command, "commands") else [(*path, name)]
    return found


@pytest.mark.parametrize("words", [(), *commands()], ids=" ".join)
def test_every_command_has_help_with_an_example(capsys: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
    code, out, _ = run(capsys, *words, "--help")
    assert code == 0
    assert "示例" in out or "Example" in out


@pytest.mark.parametrize(
    ("arguments", "environment", "expected"),
    [
        (["rules"], {}, "zh"),
        (["rules"], {"LANG": "C.UTF-8"}, "zh"),
        (["rules"], {"LANG": "en_GB.UTF-8"}, "en"),
        (["rules"], {"LANG": "en_GB.UTF-8", "LC_ALL": "zh_CN.UTF-8"}, "zh"),
        (["rules"], {"LANG": "zh_CN.UTF-8", "UMPIRE_LANG": "en"}, "en"),
        (["rules", "--lang", "zh"], {"UMPIRE_LANG": "en"}, "zh"),
        (["rules", "--lang=en"], {"UMPIRE_LANG": "zh"}, "en"),
        (["rules", "--lang"], {"UMPIRE_LANG": "en"}, "en"),
    ],
)
def test_the_language_is_the_nearest_setting(arguments: list[str], environment: dict[str, str], expected: str) -> None:
    assert cli.language(arguments, environment) == expected


@pytest.mark.parametrize(
    ("line", "lang", "others"),
    [
        ("rules warcry --lang en", "--lang=en", "rules warcry"),
        ("--lang en rules warcry", "--lang=en", "rules warcry"),
        ("scene --lang=zh run f.yaml", "--lang=zh", "scene run f.yaml"),
        ("rules --lang", "--lang=", "rules"),
        ("bot warcry -- other --lang en", "", "bot warcry -- other --lang en"),
    ],
)
def test_the_language_may_stand_anywhere_in_the_line(line: str, lang: str, others: str) -> None:
    assert fronted(line.split()) == (lang.split(), others.split())


@pytest.mark.parametrize(
    ("words", "says", "code"),
    [
        (["bogus", "--lang", "fr"], "Invalid value for '--lang'", 2),
        (["bogus"], "No such command 'bogus'. (see umpire --help)", 2),
        (["bogus", "--lang", "zh"], "没有这个命令：bogus（用法见 umpire --help）", 2),
        (["rules", "--bogus"], "No such option: --bogus (see umpire rules --help)", 2),
        (["rules", "--bogus", "--lang", "zh"], "没有这个选项：--bogus（用法见 umpire rules --help）", 2),
        (["rules", "coverage", "--missing", "x"], "Invalid value for '--missing'", 2),
        (["rules", "coverage", "a", "b", "--lang", "zh"], "多余的参数：b", 2),
        (["simulate", "warcry", "--battles", "x", "--lang", "zh"], "--battles 的值不对：应为整数（用法", 2),
        (["serve", "--port", "80000", "--lang", "zh"], "--port 的值不对：最大为 65535（用法", 2),
        (["scene", "run", "none.yaml", "--lang", "zh"], "none.yaml：无法读取：没有这个文件或文件夹", 1),
        (["replay", "/", "--lang", "zh"], "/：无法读取：这是文件夹，不是文件", 1),
        (["rules", "coverage", "chess"], "there is no game “chess”", 1),
        (["rules", "coverage", "chess", "--lang", "zh"], "没有“chess”这个游戏", 1),
        (["rules", "zyzzyva"], "no rule speaks of", 1),
        (["rules", "warcry.fall.impact"], "did you mean warcry.move.fall-impact", 1),
    ],
)
def test_a_mistake_is_one_line_and_a_code(
    capsys: pytest.CaptureFixture[str], words: list[str], says: str, code: int
) -> None:
    got, out, err = run(capsys, *words)
    assert got == code
    assert out == ""
    assert err.startswith("umpire: ")
    assert says in err
    assert err.count("\n") == 1


def test_an_unforeseen_error_is_one_line_unless_debugging(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("the table\nis gone")

    monkeypatch.setattr("umpire.rulebook.terminal.look", broken)
    code, _, err = run(capsys, "rules")
    assert code == 1
    assert err.startswith("umpire: internal error: ZeroDivisionError: the table is gone (please report")
    assert run(capsys, "rules", "--lang", "zh")[2].startswith("umpire: 内部错误：")
    monkeypatch.setenv("UMPIRE_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        cli.main(["rules"])


def test_rules_are_found_and_shown_whole(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "rules", "warcry", "跌落撞击")[1].startswith("warcry.move.fall-impact")
    whole = run(capsys, "rules", "warcry.move.fall-impact", "--lang", "zh")[1]
    assert "跌落后的位置比原来低2英寸或更多" in whole
    assert "warcry.move.impact-damage" in whole
    found = json.loads(run(capsys, "rules", "warcry.move.fall-impact", "--json")[1])
    assert found["needs"] == ["warcry.move.impact-damage"]
    assert found["needed_by"] == ["warcry.terrain.deadly-fall"]
    many = json.loads(run(capsys, "rules", "aos", "charge", "--json")[1])
    assert many[0]["id"] == "aos.charge.charge"


def test_a_long_answer_is_cut_unless_all_is_asked(capsys: pytest.CaptureFixture[str]) -> None:
    short = run(capsys, "rules", "warcry")[1].splitlines()
    assert "--all" in short[-1]
    assert len(run(capsys, "rules", "warcry", "--all")[1].splitlines()) > len(short)


def test_coverage_counts_for_programs_and_people(capsys: pytest.CaptureFixture[str]) -> None:
    counted = json.loads(run(capsys, "rules", "coverage", "--json")[1])
    assert list(counted)[:5] == ["warcry", "aos", "conquest", "wh40k", "t9a"]
    measures = {"cited", "tested", "switchable", "proved", "also_proved", "unproved", "fired"}
    assert set(counted["t9a"]) == {"rules", "advice", *measures}
    assert counted["aos"]["rules"] >= 160
    assert "warcry" in run(capsys, "rules", "coverage", "--lang", "en")[1]
    lacking = json.loads(run(capsys, "rules", "coverage", "t9a", "--missing", "fired", "--json")[1])
    assert len(lacking["t9a"]) == counted["t9a"]["rules"] - counted["t9a"]["fired"]


def test_start_up_imports_nothing_heavy() -> None:
    heavy = ["numpy", "numba", "rich", "pytest", "starlette"]  # help needs the catalogue: yaml and msgspec
    probe = f"import sys, umpire.cli; print([name for name in {heavy} if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True).stdout == "[]\n"


BENCH = "def run():\n    return [dict(name='steps', value=12, unit='1/s', bar='>= 10', ok={ok})]\n"


def test_bench_lists_figures_and_fails_below_a_bar(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(benchmarks.run, "__defaults__", (tmp_path,))
    monkeypatch.setattr(benchmarks.names, "__defaults__", (tmp_path,))
    (tmp_path / "good.py").write_text(BENCH.format(ok=True), encoding="utf-8")
    (tmp_path / "bad.py").write_text(BENCH.format(ok=False), encoding="utf-8")
    code, out, _ = run(capsys, "bench", "good", "--json")
    assert code == 0
    assert json.loads(out) == [{"name": "steps", "value": 12.0, "unit": "1/s", "bar": ">= 10", "ok": True}]
    assert "steps" in run(capsys, "bench", "good")[1]
    code, _, err = run(capsys, "bench")
    assert code == 1
    assert "below the bar: steps" in err
    assert "no such benchmark: none-such" in run(capsys, "bench", "none-such")[2]


def test_a_user_error_names_its_place_in_either_language() -> None:
    error = fault("server.there-no-such-table", "army.yaml")
    assert error.line("en") == str(error) == "army.yaml: there is no such table"
    assert error.line("zh") == "army.yaml：没有这张桌子"
    assert UmpireError("only English").line("zh") == "only English"


@pytest.mark.parametrize("words", [(), ("play",), ("rules",), ("tables", "list"), ("serve",)], ids=" ".join)
def test_help_in_chinese_is_chinese_to_its_frame(words: tuple[str, ...]) -> None:
    """The language of help is chosen when the program starts."""
    said = subprocess.run(
        [sys.executable, "-m", "umpire", *words, "--help"],
        capture_output=True,
        text=True,
        env={**os.environ, "UMPIRE_LANG": "zh", "COLUMNS": "80"},
    ).stdout
    for english in ("Usage:", "Options:", "Arguments:", "Commands:", "[required]", "[default", "Show ", "Install "):
        assert english not in said
    assert "用法：" in said
    assert "选项：" in said


def test_help_in_english_says_what_typer_says() -> None:
    said = "Usage: umpire [OPTIONS] COMMAND [ARGS]...\n\nOptions:\n  --help  Show this message and exit.\n"
    assert framed(said, "en") == said
    assert framed(said, "zh") == "用法：umpire [选项] 命令 [参数]…\n\n选项：\n  --help  显示这段说明\n"
