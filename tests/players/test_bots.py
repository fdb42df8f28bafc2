"""The bot protocol: bots in two languages play to the end; one that fails loses its seat, not the battle."""

from __future__ import annotations

import io
import json
import shlex
import shutil
import sys
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest

import tiny
from umpire import arena, cli
from umpire.arena import Contestant
from umpire.arena.fighting import start
from umpire.engine.beginning import battle
from umpire.players import Random, play, protocol, reference_bot
from umpire.players.external import External

GAME = tiny.GAME.id
REFERENCE = [sys.executable, reference_bot.__file__]
HERE = Path(__file__).parent


def lose(tmp_path: Path, program: str, seconds: float = 5.0) -> tuple[Any, str]:
    """Play a bot made of this program; the battle's outcome, and why the bot lost its seat."""
    file = tmp_path / "bot.py"
    file.write_text(program)
    bot = External([sys.executable, str(file)], seconds=seconds)
    fight = battle(GAME, seed=3)
    protocol.host(fight, 0, bot, Random(1))
    bot.close()
    assert bot.process.returncode is not None
    return fight.outcome, bot.lost


def test_the_reference_bot_is_short_and_plays_to_the_end() -> None:
    assert len(Path(reference_bot.__file__).read_text().splitlines()) < 40
    bot = External(REFERENCE)
    fight = battle(GAME, seed=3)
    protocol.host(fight, 1, bot, Random(1))
    bot.close()
    assert fight.outcome is not None
    assert bot.lost == ""
    assert bot.hello is not None
    assert bot.hello.name == "reference"
    assert bot.process.returncode == 0


def test_a_bot_in_javascript_plays_to_the_end() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node")
    bot = External([node, str(HERE / "bot.js")])
    fight = battle(GAME, seed=4)
    protocol.host(fight, 0, bot, Random(1))
    bot.close()
    assert bot.lost == ""
    assert fight.outcome is not None
    assert bot.process.returncode == 0


HELLO = 'import sys, time\nprint(\'{"type": "hello", "protocol": 1}\', flush=True)\n'


@pytest.mark.parametrize(
    ("program", "why"),
    [
        ("raise SystemExit(0)", "hung up"),
        ("import time; time.sleep(60)", "too slow"),
        (HELLO + "time.sleep(60)", "too slow"),
        (HELLO + "print('what?', flush=True)\nsys.stdin.read()", "garbled"),
        (
            HELLO + 'print(\'{"type": "answer", "n": 0, "answer": \' + \'[\' * 9000, flush=True)\nsys.stdin.read()',
            "garbled",
        ),
        (
            HELLO + r"sys.stdout.buffer.write(b'{\"type\": \"answer\", \"n\": 0, \"answer\": \"\xff\xfe\"}\n')",
            "garbled",
        ),
        (HELLO + 'print(\'{"type": "answer", "n": 77, "answer": 1}\', flush=True)\nsys.stdin.read()', "garbled"),
        ('print(\'{"type": "hello", "protocol": 2}\', flush=True)\nimport sys; sys.stdin.read()', "protocol 2"),
        ('print(\'{"type": "answer", "n": 0, "answer": 1}\', flush=True)\nimport sys; sys.stdin.read()', "hello"),
        (HELLO + 'for _ in range(10**9): print(\'{"type": "answer", "n": 0, "answer": [7]}\', flush=True)', ""),
    ],
)
def test_a_bot_that_fails_loses_its_seat_and_the_battle_goes_on(tmp_path: Path, program: str, why: str) -> None:
    outcome, lost = lose(tmp_path, program, seconds=0.5)
    assert outcome is not None
    assert lost
    assert why in lost


class Wire(io.BytesIO):
    """Keeps what was written when it is closed."""

    said = b""

    def write(self, data: Any) -> int:
        self.said += bytes(data)
        return len(data)


def test_every_line_fits_the_schema() -> None:
    schema = protocol.schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    fight = battle(GAME, seed=3)
    wire = Wire()
    lines = [b'{"type":"hello","protocol":1,"view":true}']
    lines += [
        json.dumps({"type": kind, "n": 0, "answer": answer}).encode()
        for kind, answer in (("check", 9), ("answer", "1"))
    ]
    bot = protocol.Bot(protocol.Line(io.BytesIO(b"\n".join(lines)), wire), seconds=2)
    play(fight, [bot, Random(1)])
    bot.finish(fight, 0)
    bot.line.close(2)
    assert bot.lost == "it hung up"
    told = [json.loads(line) for line in wire.said.splitlines()]
    kinds = [message["type"] for message in told]
    assert kinds == ["hello", "decision", "ruling", "events", "decision", "result"]
    assert told[-1]["seat"] == "random"
    for message in told:
        jsonschema.validate(message, {**schema, "anyOf": [{"$ref": "#/$defs/FromUmpire"}]})
    for line in lines:
        jsonschema.validate(json.loads(line), {**schema, "anyOf": [{"$ref": "#/$defs/FromBot"}]})
    jsonschema.validate("1", told[1]["answer_schema"])


def test_a_bot_hears_nothing_that_its_side_may_not_know() -> None:
    fight = battle(GAME, seed=3)
    fight.answer("3", 1)
    wire = Wire()
    bot = protocol.Bot(protocol.Line(io.BytesIO(b'{"type":"hello","protocol":1,"view":true}\n'), wire), seconds=2)
    ask = fight.decision_for(0)
    assert ask is not None
    bot.choose(fight, 0, ask)
    bot.line.close(2)
    other = battle(GAME, seed=3)
    other.answer("0", 1)
    twin = Wire()
    again = protocol.Bot(protocol.Line(io.BytesIO(b'{"type":"hello","protocol":1,"view":true}\n'), twin), seconds=2)
    ask = other.decision_for(0)
    assert ask is not None
    again.choose(other, 0, ask)
    again.line.close(2)
    assert wire.said == twin.said


def test_a_bot_plays_a_series() -> None:
    command = " ".join(shlex.quote(word) for word in REFERENCE)
    found, _ = arena.run(arena.matchup(GAME, 2, 1, Contestant(f"bot:{command}", name="bot"), Contestant("random")))
    assert found.errors == 0
    assert found.points["bot"].of == 2


def test_where_bots_compete_the_seed_does_not_tell_the_dice(tmp_path: Path) -> None:
    """A small seed could be tried out from a few faces: the dice come from a salt that only the host knows, and with
    the salt the same battles can be had again."""
    series = arena.matchup(GAME, 1, 1, Contestant("bot:x"), Contestant("random"))
    one, two = arena.salted(series), arena.salted(series)
    assert one.salt != two.salt
    faces = [start(each, next(each.fixtures())).roll(20, "strike").faces for each in (one, two, one)]
    assert faces[0] == faces[2] != faces[1]
    plain = arena.matchup(GAME, 1, 1, Contestant("planner"), Contestant("random"))
    assert arena.salted(plain) is plain
    journal = tmp_path / "journal"
    journal.write_bytes(msgspec.json.encode(one) + b"\n")
    assert arena.salted(series, journal) == one, "an interrupted series goes on with its dice"


def bot_command(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as done:
        cli.main(["bot", GAME, *words])
    said = capsys.readouterr()
    assert isinstance(done.value.code, int)
    return done.value.code, said.out, said.err


def test_the_command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UMPIRE_LANG", "en")
    code, out, _ = bot_command(capsys, "--side", "2", "--", *REFERENCE)
    assert code == 0
    assert json.loads(out)["lost"] == ""
    code, out, err = bot_command(capsys, "--", sys.executable, "-c", "pass")
    assert code == 1
    assert json.loads(out)["outcome"] is not None
    assert err == "umpire: the bot lost its seat: it hung up\n"
    assert "cannot be started" in bot_command(capsys, "no-such-program")[2]
    with pytest.raises(SystemExit):
        cli.main(["schema", "bot"])
    assert "FromBot" in json.loads(capsys.readouterr().out)["$defs"]
