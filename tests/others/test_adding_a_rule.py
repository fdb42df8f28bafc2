"""docs/adding-a-rule.md is carried out to the letter: its house rule is written into a copy of the sources, tested,
proved, and seen to fire."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs/adding-a-rule.md").read_text(encoding="utf-8")
RULE = "warcry.move.limping"
LEDGER = "src/umpire/rulebook/warcry/warcry.yaml"
CHINESE = "src/umpire/rulebook/warcry/zh/warcry.yaml"
LEGS = "src/umpire/games/warcry/legs.py"
TESTS = "tests/warcry/test_move.py"


def block(kind: str, which: int = 0) -> str:
    found = re.findall(rf"^   ```{kind}\n(.*?)^   ```$", GUIDE, flags=re.M | re.S)[which]
    return textwrap.dedent(found)


def copied(at: Path, written: set[str]) -> None:
    """A checkout in which some files are to be written, and all else is that of this one."""
    for name in ("src/umpire", "tests"):
        (at / name).mkdir(parents=True)
    (at / "pyproject.toml").symlink_to(ROOT / "pyproject.toml")
    folders = {str(folder) for name in written for folder in Path(name).parents}
    for folder in sorted(folders - {".", "src"}):
        (at / folder).mkdir(exist_ok=True)
        for child in (ROOT / folder).iterdir():
            name = f"{folder}/{child.name}"
            if name in written:
                (at / name).write_text(child.read_text(encoding="utf-8"), encoding="utf-8")
            elif name not in folders and child.name != "__pycache__":
                (at / name).symlink_to(child)


def put(file: Path, behind: str, text: str) -> None:
    """Write something behind the only place where a text stands."""
    before, found, after = file.read_text(encoding="utf-8").partition(behind)
    assert found, f"{behind!r} does not stand in {file.name}"
    file.write_text(before + found + text + after, encoding="utf-8")


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the guide has one write, in a checkout of its own."""
    at = tmp_path_factory.mktemp("limping")
    copied(at, {LEDGER, CHINESE, LEGS, TESTS})
    ledger = (at / LEDGER).read_text(encoding="utf-8")
    entry = re.search(r"^- id: warcry\.move\.action\n(?:(?!- id:).*\n)+", ledger, flags=re.M)
    assert entry is not None
    put(at / LEDGER, entry[0], block("yaml"))
    said = re.search(rf"`({RULE}: .*?)`", GUIDE)
    assert said is not None
    with (at / CHINESE).open("a", encoding="utf-8") as file:
        file.write(f"{said[1]}\n")
    legs = (at / LEGS).read_text(encoding="utf-8")
    first = re.search(r"^def allowance\(.*\n(?:    \"\"\"(?:.|\n)*?\"\"\"\n)?.*\n", legs, flags=re.M)
    assert first is not None
    put(at / LEGS, first[0], textwrap.indent(block("python"), "    "))
    with (at / TESTS).open("a", encoding="utf-8") as file:
        file.write("\n\n" + block("python", 1))
    return at


def run(checkout: Path, *words: str) -> str:
    path = os.pathsep.join(str(checkout / folder) for folder in ("src", "tests"))
    env = {**os.environ, "PYTHONPATH": path, "UMPIRE_LANG": "en", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([sys.executable, "-m", *words], capture_output=True, text=True, cwd=checkout, env=env)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_its_test_passes_and_one_trial_without_the_rule_is_red(checkout: Path) -> None:
    only = ("pytest", TESTS, "-k", "limps", "-o", "addopts=--import-mode=importlib", "-p", "no:cacheprovider")
    assert "2 passed" in GUIDE
    assert "2 passed" in run(checkout, *only)
    told = re.search(r"\"(2 trials without a\s+rule: 1 red, 1 green)\"", GUIDE)
    assert told is not None
    assert re.sub(r"\s+", " ", told[1]) in run(checkout, *only, "--prove", "--prove-game", "warcry")


def test_it_is_looked_up_and_fires_about_as_often_as_the_guide_says(checkout: Path) -> None:
    looked_up = run(checkout, "umpire", "rules", RULE)
    assert "games/warcry/legs.py" in looked_up
    words = ("warcry", "--battles", "10", "--players", "random,random", "--json")
    fired = json.loads(run(checkout, "umpire", "simulate", *words))["rules_fired"][RULE]
    told = re.search(r"`rules_fired`: about (\d+) times in ten battles", GUIDE)
    assert told is not None
    assert fired == pytest.approx(int(told[1]), rel=0.5)
