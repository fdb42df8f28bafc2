"""A bot as a process of its own: started at its first question, ended with the battle."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from umpire.engine.battle import Battle
from umpire.engine.decisions import Decision, Json
from umpire.errors import fault, system_reason
from umpire.players.protocol import PATIENCE, SECONDS, Bot, Line


class External(Bot):
    """A bot started by a command; it reads its standard input and writes its standard output."""

    def __init__(self, command: Sequence[str], seed: int = 0, seconds: float = SECONDS) -> None:
        try:
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        except OSError as error:
            raise fault("error.the-bot-cannot-be-started", command[0], said=system_reason(error)) from None
        assert self.process.stdout is not None
        assert self.process.stdin is not None
        super().__init__(Line(self.process.stdout, self.process.stdin), seed, seconds)
        self.name = f"bot:{command[0]}"
        self._seat: tuple[Battle[Any], int] | None = None

    def choose(self, battle: Battle[Any], side: int, decision: Decision) -> Json:
        self._seat = (battle, side)
        answer = super().choose(battle, side, decision)
        if self.lost:
            self._end()
        return answer

    def close(self) -> None:
        if self._seat is not None and not self.lost:
            self.finish(*self._seat)
        self._end()

    def _end(self) -> None:
        """End the process: at once if the bot is lost, else with as much patience as it needs to end itself."""
        if self.lost:
            self.process.kill()
        self.line.close(PATIENCE)
        stdin = self.process.stdin
        assert stdin is not None
        with suppress(OSError):
            stdin.close()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
