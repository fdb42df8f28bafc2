"""The wheel, installed into an empty environment outside the checkout, opens a table."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PLAIN = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}


def run(*command: str | Path, cwd: Path) -> str:
    done = subprocess.run(list(map(str, command)), cwd=cwd, env=PLAIN, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def fetched(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=10) as answer:
        return bytes(answer.read())


@pytest.mark.slow
def test_installed_from_the_wheel(tmp_path: Path) -> None:
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", tmp_path, ROOT, cwd=tmp_path)
    wheel = next(tmp_path.glob("umpire_wargames-*.whl"))
    run(sys.executable, "-m", "venv", "fresh", cwd=tmp_path)
    python = tmp_path / "fresh" / "bin" / "python"
    run(python, "-m", "pip", "install", "-q", "--disable-pip-version-check", wheel, cwd=tmp_path)
    assert run(python, "-m", "umpire", "--version", cwd=tmp_path).startswith("umpire ")
    server = subprocess.Popen(
        [tmp_path / "fresh" / "bin" / "umpire", "serve", "--port", "0", "--data", tmp_path / "tables"],
        cwd=tmp_path,
        env=PLAIN | {"UMPIRE_LANG": "en"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        assert server.stdout is not None
        said = []
        until = time.monotonic() + 180
        for line in server.stdout:
            said.append(line)
            if "http://" in line or time.monotonic() > until:
                break
        assert "compiling" in said[0], said  # a fresh installation says why it takes so long
        address = next(word for word in said[-1].split() if word.startswith("http://")).rstrip("/.,")
        page = fetched(address + "/").decode()
        script = next(part for part in page.split('"') if part.endswith(".js"))
        assert len(fetched(f"{address}/{script.lstrip('/')}")) > 10_000
        assert "warcry" in fetched(f"{address}/api/games").decode()
    finally:
        server.terminate()
        server.wait(20)
