"""The golden battles on every Python that the machine has: no result may depend on the interpreter's version.

Interpreters are looked for on the path; `UMPIRE_PYTHONS` names others, parted by colons. Those without what Umpire
needs are skipped.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
VERSIONS = ("3.11", "3.12", "3.13", "3.14")

OWN = f"{sys.version_info.major}.{sys.version_info.minor}"

VERIFY = """
import sys
from pathlib import Path
from umpire.engine.record import verify

for file in sys.argv[1:]:
    verdict = verify(Path(file).read_text(encoding="utf-8"))
    if not verdict.same:
        sys.exit(f"{Path(file).name}: {verdict.difference}")
"""


def interpreters() -> dict[str, str]:
    """One interpreter of each version but our own, that can import what Umpire stands on."""
    named = [path for path in os.environ.get("UMPIRE_PYTHONS", "").split(":") if path]
    found: dict[str, str] = {}
    for path in [*named, *filter(None, (shutil.which(f"python{version}") for version in VERSIONS))]:
        ask = "import sys; print('%d.%d' % sys.version_info[:2]); import msgspec, numpy, numba, yaml"
        told = subprocess.run([path, "-c", ask], capture_output=True, text=True, check=False)
        version = told.stdout.strip()
        if told.returncode == 0 and version in VERSIONS and version != OWN:
            found.setdefault(version, path)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("version", VERSIONS)
def test_golden_battles_are_the_same_on_every_python(version: str) -> None:
    path = interpreters().get(version)
    if path is None:
        pytest.skip(f"there is no other Python {version} with what Umpire needs")
    records = sorted(str(file) for file in (HERE / "golden").glob("*-1.jsonl"))
    environment = {**os.environ, "PYTHONPATH": str(HERE.parent / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    told = subprocess.run(
        [path, "-c", VERIFY, *records], capture_output=True, text=True, check=False, env=environment, cwd=HERE
    )
    assert told.returncode == 0, told.stderr[-2000:]
