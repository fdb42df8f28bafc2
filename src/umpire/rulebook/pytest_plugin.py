"""Counts the rules that passing tests prove: `@pytest.mark.rule("warcry.move.fall-impact")`.

A test that names an unknown rule, or more than three, is refused when it is collected: such a test proves none of them.
With `--prove` each marked test that passes is run once more for each of its rules, with that rule switched off: it must
go red. What it said is kept beside the marks.
"""

from __future__ import annotations

import signal
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from umpire.rulebook.coverage import updating_proved, updating_tested
from umpire.rulebook.ledger import exists, games
from umpire.rulebook.proving import PROVING, Trial, triable

MOST = 3
PROPERTY = "rule"
TRIED = "without"
PATIENCE = 60
"""Seconds after which a test whose rule is off counts as red: the rule may be what ends a loop."""


def marked(item: pytest.Item) -> list[str]:
    """The rules a test names, on itself, its class or its module."""
    return list(dict.fromkeys(rule for mark in item.iter_markers("rule") for rule in mark.args))


def fault(item: pytest.Item) -> str | None:
    rules = marked(item)
    unknown = [rule for rule in rules if not (isinstance(rule, str) and exists(rule))]
    if unknown:
        return f"{item.nodeid} marks rules that no ledger has: {', '.join(map(str, unknown))}"
    if len(rules) > MOST:
        return f"{item.nodeid} marks {len(rules)} rules ({', '.join(rules)}); a test proves at most {MOST}"
    return None


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    faults = [found for node in report.result or () if isinstance(node, pytest.Item) if (found := fault(node))]
    if faults:
        report.outcome = "failed"
        report.longrepr = "\n".join(faults)
        report.result = []
    return report


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("umpire")
    group.addoption("--prove", action="store_true", help="run marked tests again without each of their rules")
    group.addoption("--prove-game", default="", metavar="GAME", help="prove the rules of one game only")


class PatienceError(Exception):
    """A test without its rule does not end."""


@contextmanager
def patiently() -> Iterator[None]:
    if not hasattr(signal, "SIGALRM"):
        yield
        return

    def enough(*_: Any) -> None:
        raise PatienceError(f"no end after {PATIENCE} s")

    before = signal.signal(signal.SIGALRM, enough)
    signal.alarm(PATIENCE)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def tried_without(item: pytest.Item, rule: str) -> str:
    """Run a test with one rule off: how it failed, or nothing if it stayed green."""
    PROVING[:] = [rule]
    try:
        with patiently():
            reports = runtestprotocol(item, log=False, nextitem=None)
    finally:
        PROVING.clear()
    for report in reports:
        if report.failed:
            crash = getattr(report.longrepr, "reprcrash", None)
            said = crash.message if crash is not None else str(report.longrepr).strip().rpartition("\n")[2]
            return str(said.partition("\n")[0][:160] or "failed")
    return ""


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """With `--prove`: the test as it is, then without each of its rules."""
    if not item.config.option.prove:
        return None
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    rules = [rule for rule in marked(item) if triable(rule)]
    reports = runtestprotocol(item, log=False, nextitem=None if rules else nextitem)
    if all(report.passed for report in reports):
        trials = [(TRIED, [rule, tried_without(item, rule)]) for rule in rules]
        reports[-1].user_properties.extend(trials)
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


def pytest_configure(config: pytest.Config) -> None:
    chosen = config.option.prove_game
    if chosen and chosen not in games():
        raise pytest.UsageError(f"no such game: {chosen} (there are {', '.join(games())})")
    config.addinivalue_line("markers", "rule(*ids): the ledger rules that this test proves, at most three")
    if not hasattr(config, "workerinput"):  # under xdist the controller hears of every test; its workers keep nothing
        config.pluginmanager.register(Keeper(config), "umpire-rules-keeper")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.option.prove:  # whatever names no rule has nothing to prove
        game = config.option.prove_game
        wanted = [item for item in items if any(not game or rule.split(".")[0] == game for rule in marked(item))]
        config.hook.pytest_deselected(items=[item for item in items if item not in set(wanted)])
        items[:] = wanted
    for item in items:  # properties travel from xdist's workers to the controller with each report
        item.user_properties.extend((PROPERTY, rule) for rule in marked(item))


class Keeper:
    """Gathers one run's results and merges them into the kept marks."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.collected: set[str] = set()
        self.passed: dict[str, list[str]] = {}
        self.not_passed: set[str] = set()
        self.trials: list[Trial] = []

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.collected.update(item.nodeid for item in session.items)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: list[str]) -> None:
        self.collected.update(ids)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not report.passed:
            self.not_passed.add(report.nodeid)
        elif report.when == "call":
            self.passed[report.nodeid] = [str(value) for name, value in report.user_properties if name == PROPERTY]
        elif report.when == "teardown":
            self.trials += [
                Trial(report.nodeid, str(value[0]), str(value[1]))
                for name, value in report.user_properties
                if name == TRIED and isinstance(value, list | tuple)
            ]

    def pytest_sessionfinish(self) -> None:
        if self.config.option.collectonly:
            return
        folder = self.config.rootpath / ".coverage"
        proved = {test: rules for test, rules in self.passed.items() if rules and test not in self.not_passed}
        ran = self.passed.keys() | self.not_passed
        if not proved and not folder.is_dir():
            return
        with updating_tested(folder) as kept:
            stale = [test for test in kept.tests if test in ran or self.vanished(test)]
            for test in stale:
                del kept.tests[test]
            kept.tests.update(proved)
        if self.config.option.prove:
            self.keep_trials(ran)

    def keep_trials(self, ran: set[str]) -> None:
        with updating_proved(self.config.rootpath / ".coverage") as kept:
            kept.trials = [t for t in kept.trials if t.test not in ran and not self.vanished(t.test)] + self.trials
        red = sum(bool(trial.red) for trial in self.trials)
        print(f"\n{len(self.trials)} trials without a rule: {red} red, {len(self.trials) - red} green")

    def vanished(self, test: str) -> bool:
        """Is a kept test no longer there? A run that chose among tests can tell only that the whole file is gone."""
        file = self.config.rootpath / test.partition("::")[0]
        if not file.is_file():
            return True
        option = self.config.option
        chosen = option.prove or option.keyword or option.markexpr or option.deselect or getattr(option, "lf", False)
        chosen = chosen or any("::" in argument for argument in self.config.args)
        if chosen or test in self.collected or not self.collected:
            return False
        searched = [(self.config.invocation_params.dir / argument).resolve() for argument in self.config.args]
        return any(place == file or place in file.parents for place in searched)
