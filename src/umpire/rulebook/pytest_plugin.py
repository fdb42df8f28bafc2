"""Counts the rules that passing tests prove: `@pytest.mark.rule("warcry.move.fall-impact")`.

A test that names an unknown rule, or more than three, is refused when it is collected: such a test proves none of them.
"""

from __future__ import annotations

from collections.abc import Generator

import pytest

from umpire.rulebook.coverage import updating_tested
from umpire.rulebook.ledger import exists

MOST = 3
PROPERTY = "rule"


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


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "rule(*ids): the ledger rules that this test proves, at most three")
    if not hasattr(config, "workerinput"):  # under xdist the controller hears of every test; its workers keep nothing
        config.pluginmanager.register(Keeper(config), "umpire-rules-keeper")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:  # properties travel from xdist's workers to the controller with each report
        item.user_properties.extend((PROPERTY, rule) for rule in marked(item))


class Keeper:
    """Gathers one run's results and merges them into the kept marks."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.collected: set[str] = set()
        self.passed: dict[str, list[str]] = {}
        self.not_passed: set[str] = set()

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

    def vanished(self, test: str) -> bool:
        """Is a kept test no longer there? A run that chose among tests can tell only that the whole file is gone."""
        file = self.config.rootpath / test.partition("::")[0]
        if not file.is_file():
            return True
        option = self.config.option
        chosen = option.keyword or option.markexpr or option.deselect or getattr(option, "lf", False)
        chosen = chosen or any("::" in argument for argument in self.config.args)
        if chosen or test in self.collected or not self.collected:
            return False
        searched = [(self.config.invocation_params.dir / argument).resolve() for argument in self.config.args]
        return any(place == file or place in file.parents for place in searched)
