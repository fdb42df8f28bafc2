"""Rules cited, tested and fired are counted from the source, the tests and the battles themselves."""

from collections import Counter
from pathlib import Path

import pytest

from umpire import rulebook
from umpire.errors import UmpireError
from umpire.rulebook import coverage
from umpire.rulebook.ledger import find
from umpire.rulebook.proving import SWITCHABLE, Trial

IMPACT = "warcry.move.fall-impact"
CLIMB = "warcry.move.climb"


def test_every_rule_that_the_package_cites_exists() -> None:
    assert coverage.unknown_citations(coverage.source()) == []


def test_a_citation_is_a_whole_string_literal_outside_f_strings(tmp_path: Path) -> None:
    (tmp_path / "rules.py").write_text(
        f'"""See {IMPACT}."""\n'
        f'cite = "{IMPACT}"\n'
        f'near = f"{CLIMB}.{{1}}"\n'
        'misspelt = ("warcry.move.teleport",)\n'
        'other = "umpire.games.warcry"\n',
        encoding="utf-8",
    )
    assert coverage.citations(tmp_path) == [
        coverage.Citation("rules.py", 2, IMPACT),
        coverage.Citation("rules.py", 4, "warcry.move.teleport"),
    ]
    assert coverage.unknown_citations(tmp_path) == [coverage.Citation("rules.py", 4, "warcry.move.teleport")]


def test_counts_leave_advice_out(tmp_path: Path) -> None:
    advice = next(rule.id for rule in rulebook.rules("warcry") if rule.advice)
    coverage.record_fired("warcry", 12, Counter({IMPACT: 3, advice: 9, "warcry.no.such": 1}), tmp_path)
    with coverage.updating_tested(tmp_path) as kept:
        kept.tests["tests/a.py::test_a"] = [IMPACT, CLIMB, advice]
    counts = coverage.counts("warcry", tmp_path)
    assert counts.rules + counts.advice == len(rulebook.rules("warcry"))
    assert (counts.tested, counts.fired) == (2, 1)
    assert coverage.reached("warcry", "fired", tmp_path) == [IMPACT]
    lacking = coverage.missing("warcry", "fired", tmp_path)
    assert len(lacking) == counts.rules - 1
    assert IMPACT not in lacking
    assert advice not in lacking


def test_a_small_simulation_does_not_replace_a_large_one(tmp_path: Path) -> None:
    coverage.record_fired("warcry", 12, {IMPACT: 3}, tmp_path)
    coverage.record_fired("warcry", 5, {CLIMB: 1}, tmp_path)
    assert coverage.reached("warcry", "fired", tmp_path) == [IMPACT]
    coverage.record_fired("warcry", 12, {CLIMB: 1}, tmp_path)
    assert coverage.reached("warcry", "fired", tmp_path) == [CLIMB]


def test_only_rules_that_can_be_switched_off_count_as_proved(tmp_path: Path) -> None:
    kind = {rule.id: rule.kind for rule in rulebook.rules("warcry")}
    restriction = next(rule for rule, of in kind.items() if of == "restriction")
    definition = next(rule for rule, of in kind.items() if of == "definition")
    with coverage.updating_proved(tmp_path) as kept:
        kept.trials = [Trial("a", restriction, "assert False"), Trial("b", restriction), Trial("a", definition, "no")]
    counts = coverage.counts("warcry", tmp_path)
    assert (counts.proved, counts.also_proved) == (1, 1)
    assert counts.switchable == sum(of in SWITCHABLE for of in kind.values())
    lacking = coverage.missing("warcry", "proved", tmp_path)
    assert len(lacking) == counts.switchable - 1
    assert restriction not in lacking


def test_where_a_rule_decides_is_not_where_it_is_told_of(tmp_path: Path) -> None:
    (tmp_path / "rules.py").write_text(
        f'battle.emit("fall", "{IMPACT}", who=reason("{CLIMB}"))\nreason = Reason("{IMPACT}")\n', encoding="utf-8"
    )
    found = {(c.line, c.rule): c.decides for c in coverage.citations(tmp_path)}
    assert found == {(1, IMPACT): False, (1, CLIMB): False, (2, IMPACT): True}


def test_a_damaged_count_is_named(tmp_path: Path) -> None:
    (tmp_path / "rules-fired-warcry.json").write_text("{", encoding="utf-8")
    with pytest.raises(UmpireError, match=r"rules-fired-warcry\.json"):
        coverage.reached("warcry", "fired", tmp_path)


def test_what_is_not_proved_has_a_reason_in_both_languages() -> None:
    for rule_id, why in coverage.excuses().items():
        rule = find(rule_id)
        assert rule is not None, rule_id
        assert rule.kind in SWITCHABLE, rule_id
        assert set(why) == {"zh", "en"}, rule_id
        assert all(why.values()), rule_id
