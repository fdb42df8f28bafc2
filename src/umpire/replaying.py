"""`umpire replay`: a record told in the terminal, and played again to see whether it comes out the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from umpire.engine.beginning import begin
from umpire.engine.explain import explain
from umpire.engine.record import Record, Verdict, read, verify
from umpire.engine.view import event_wire
from umpire.errors import UmpireError, fault
from umpire.files import text_of
from umpire.text import Names, Text, mark, say, words


def parse(file: Path) -> Record:
    text = text_of(file)
    try:
        return read(text)
    except UmpireError as error:
        raise UmpireError(error.text or error.what, str(file)) from None


def namer(record: Record) -> Names:
    """Names for the ids in events; a battle that can no longer be set up is told by its ids."""
    try:
        battle = begin(record.header.setup)
    except UmpireError:
        return lambda key: None
    return lambda key: battle.game.name(battle.state, key)


def tell_json(record: Record) -> list[dict[str, Any]]:
    """Every answer with its events, each in both languages; answer 0 is what happened before any."""
    game, names = record.header.setup.game, namer(record)
    told: list[dict[str, Any]] = []
    count = 0
    for number in range(len(record.lines) + 1):
        line = record.lines[number - 1] if number else None
        events = line.events if line else record.header.events
        told.append(
            {
                "answer": number,
                "side": line.side if line else None,
                "given": line.answer if line else None,
                "events": [event_wire(event, count + n, game, names) for n, event in enumerate(events)],
            }
        )
        count += len(events)
    return told


_PROMPT = words("replaying.enter-next-number-jump-p")


def tell(record: Record, lang: str, at: int, ask: Callable[[str], str] | None) -> None:
    """Print the battle from answer `at` on. With `ask`, wait after each answer: a number jumps, p plays on, q ends."""
    game, names, last = record.header.setup.game, namer(record), len(record.lines)
    if not 0 <= at <= last:
        raise fault("error.there-is-no-answer-the", at=at, last=last)
    while at <= last:
        line = record.lines[at - 1] if at else None
        if line:
            print(f"[{at}/{last}] " + say(Text("cli.replay.side", {"side": line.side + 1}), lang, "cli"))
        for event in line.events if line else record.header.events:
            cited = f"  [{', '.join(event.rules)}]" if event.rules else ""
            print(f"  {explain(event, game, names, lang)}{cited}")
        at += 1
        if ask is not None and at <= last:
            said = ask(_PROMPT[lang]).strip()
            if said == "q":
                return
            if said == "p":
                ask = None
            elif said.isdecimal():
                at = min(int(said), last)


def check(file: Path) -> Verdict:
    parse(file)  # for an error that names the file
    return verify(text_of(file))


def verdict_line(verdict: Verdict, lang: str) -> str:
    """What `--verify` found, in one line."""
    found = verdict.difference
    if found is None:
        parts = [Text("cli.verdict.same", {"answers": verdict.answers})]
    else:
        told = {"answer": found.answer, "what": found.what, "recorded": found.recorded, "now": found.now}
        rules = {"before": verdict.recorded_rules, "after": verdict.rules}
        parts = [Text("cli.verdict.differs", told), Text("cli.verdict.rules", rules)]
    if verdict.fair is not None:
        parts.append(Text("cli.verdict.fair" if verdict.fair else "cli.verdict.unfair"))
    return mark("clause", lang).join(say(part, lang, "cli") for part in parts)
