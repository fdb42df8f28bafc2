"""What the host may want to see: counters and times, in the form that Prometheus reads."""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1.0, 2.5, 5.0, 10.0)

HELP = {
    "answers": "Answers carried out and kept.",
    "battles_begun": "Battles begun.",
    "tables_made": "Tables made.",
    "tables_moved": "Tables that moved to the worker for slow ones.",
    "tables_stopped": "Tables set aside because their rules took too long.",
    "notices_sent": "Notices sent.",
    "notices_failed": "Notices that could not be sent.",
    "messages": "Messages heard over sockets.",
    "messages_refused": "Messages refused.",
    "relayed": "Connections passed on to the process that holds their table.",
}


class Metrics:
    def __init__(self) -> None:
        self.started = time.time()
        self.counts: dict[str, int] = dict.fromkeys(HELP, 0)
        self.took = [0] * (len(BUCKETS) + 1)
        self.took_sum = 0.0

    def count(self, what: str, seconds: float = 0.0) -> None:
        self.counts[what] = self.counts.get(what, 0) + 1
        if what == "answers":
            self.took_sum += seconds
            for number, limit in enumerate(BUCKETS):
                if seconds <= limit:
                    self.took[number] += 1
                    return
            self.took[-1] += 1

    def text(self, gauges: Iterable[tuple[str, str, Any]]) -> str:
        """All figures; `gauges` are what stands now: name, labels, value."""
        lines = []
        for name, value in self.counts.items():
            lines += [f"# HELP umpire_{name}_total {HELP.get(name, name)}", f"# TYPE umpire_{name}_total counter"]
            lines.append(f"umpire_{name}_total {value}")
        lines += [
            "# HELP umpire_answer_seconds From an answer's coming to its being kept and told.",
            "# TYPE umpire_answer_seconds histogram",
        ]
        total = 0
        for limit, number in zip((*map(str, BUCKETS), "+Inf"), self.took, strict=True):
            total += number
            lines.append(f'umpire_answer_seconds_bucket{{le="{limit}"}} {total}')
        lines += [f"umpire_answer_seconds_sum {self.took_sum:.6f}", f"umpire_answer_seconds_count {total}"]
        seen = set()
        for name, labels, value in gauges:
            if name not in seen:
                seen.add(name)
                lines.append(f"# TYPE umpire_{name} gauge")
            lines.append(f"umpire_{name}{labels} {value}")
        return "\n".join(lines) + "\n"


def resident(pid: int | str = "self") -> int:
    """The memory of a process in bytes, where the system tells."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, ValueError, IndexError):
        return 0
    return pages * 4096
