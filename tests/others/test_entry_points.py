"""A game, a player and an importer of somebody else's, in a package of their own: installed, they are there."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
import tomllib
from pathlib import Path

import pytest

HERE = Path(__file__).parent
SOURCE = HERE.parents[1] / "src"


def install(project: Path, site: Path) -> None:
    """Put a package where Python finds it, with the metadata that an installer writes: no build tool is needed."""
    told = tomllib.loads((project / "pyproject.toml").read_text())["project"]
    shutil.copytree(project / "src", site)
    info = site / f"{told['name'].replace('-', '_')}-{told['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {told['name']}\nVersion: {told['version']}\n")
    groups = told["entry-points"].items()
    lines = [f"[{group}]\n" + "".join(f"{name} = {at}\n" for name, at in names.items()) for group, names in groups]
    (info / "entry_points.txt").write_text("\n".join(lines))


def of_the_guide(project: Path) -> Path:
    """The package that docs/adding-a-game.md writes, block by block."""
    guide = (HERE.parents[1] / "docs/adding-a-game.md").read_text(encoding="utf-8")
    blocks: dict[str, str] = {"python": "", "toml": ""}
    for kind, text in re.findall(r"^   ```(python|toml)\n(.*?)^   ```$", guide, flags=re.M | re.S):
        blocks[kind] += textwrap.dedent(text) + "\n"
    (project / "src/coin_game").mkdir(parents=True)
    (project / "src/coin_game/__init__.py").write_text(blocks["python"], encoding="utf-8")
    (project / "pyproject.toml").write_text(blocks["toml"], encoding="utf-8")
    return project


@pytest.fixture(scope="module", params=["package", "guide"])
def umpire(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory):
    """The command line in an environment where the package, or that of the guide, is installed."""
    box = tmp_path_factory.mktemp("others")
    install(HERE / "coin" if request.param == "package" else of_the_guide(box / "guide"), box / "site")
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(box / "site"), str(SOURCE)])}

    def run(*words: str) -> str:
        command = [sys.executable, "-m", "umpire", *words]
        done = subprocess.run(command, capture_output=True, text=True, env=env, cwd=box)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def test_a_game_of_somebody_elses_plays_with_its_own_player(umpire) -> None:
    words = ("coin", "--battles", "4", "--seed", "1", "--players", "heads,random", "--jobs", "1", "--json")
    told = json.loads(umpire("simulate", *words))
    assert told["battles"] == 4
    assert not told["errors"]


@pytest.mark.parametrize("umpire", ["package"], indirect=True)
def test_an_importer_of_somebody_elses_reads_its_files(umpire, tmp_path: Path) -> None:
    file = tmp_path / "mine.purse"
    file.write_text("3")
    told = json.loads(umpire("muster", "check", str(file), "--json"))
    assert (told["game"], told["legal"]) == ("coin", True)
