"""The plugin keeps the rule marks of passing tests, and refuses marks that prove nothing."""

import pytest

from umpire.rulebook.coverage import read_proved, read_tested

IMPACT, CLIMB, JUMP = "warcry.move.fall-impact", "warcry.move.climb", "warcry.move.jump-impact"


@pytest.fixture(autouse=True)
def _few_plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    # Every inner run imports its plugins afresh, and these two take most of a second.
    monkeypatch.setenv("PYTEST_ADDOPTS", "-p no:hypothesispytest -p no:anyio")


def mark(*rules: object) -> str:
    return f"@pytest.mark.rule({', '.join(map(repr, rules))})\n"


def kept(pytester: pytest.Pytester) -> dict[str, list[str]]:
    return read_tested(pytester.path / ".coverage").tests


def write(pytester: pytest.Pytester, **files: str) -> None:
    pytester.makeini("[pytest]")  # the folder is a root of its own, whatever lies above it
    pytester.makepyfile(**{name: "import pytest\n" + body for name, body in files.items()})


@pytest.fixture
def two_files(pytester: pytest.Pytester) -> pytest.Pytester:
    write(
        pytester,
        test_fall=mark(IMPACT) + "def test_falls(): pass\n" + mark(JUMP) + "def test_jumps(): pass\n",
        test_climb=mark(CLIMB) + "def test_climbs(): pass\ndef test_unmarked(): pass\n",
    )
    pytester.runpytest().assert_outcomes(passed=4)
    return pytester


ALL = {
    "test_climb.py::test_climbs": [CLIMB],
    "test_fall.py::test_falls": [IMPACT],
    "test_fall.py::test_jumps": [JUMP],
}


def test_passing_marks_are_kept_by_test(two_files: pytest.Pytester) -> None:
    assert kept(two_files) == ALL


def test_a_partial_run_updates_only_what_it_ran(two_files: pytest.Pytester) -> None:
    write(two_files, test_climb=mark(CLIMB, JUMP) + "def test_climbs(): pass\n")
    two_files.runpytest("test_climb.py")
    assert kept(two_files) == ALL | {"test_climb.py::test_climbs": [CLIMB, JUMP]}
    two_files.runpytest("-k", "falls")
    two_files.runpytest("test_fall.py::test_jumps")
    assert kept(two_files) == ALL | {"test_climb.py::test_climbs": [CLIMB, JUMP]}


@pytest.mark.parametrize("body", ["assert False", "pytest.skip('no table')", "pytest.xfail('not yet')"])
def test_a_test_that_no_longer_passes_is_dropped(two_files: pytest.Pytester, body: str) -> None:
    write(two_files, test_climb=mark(CLIMB) + f"def test_climbs(): {body}\n")
    two_files.runpytest("test_climb.py")
    assert "test_climb.py::test_climbs" not in kept(two_files)
    assert len(kept(two_files)) == 2


def test_a_test_that_fails_in_teardown_proves_nothing(two_files: pytest.Pytester) -> None:
    write(
        two_files,
        test_climb="@pytest.fixture\ndef bad():\n    yield\n    assert False\n"
        + mark(CLIMB)
        + "def test_climbs(bad): pass\n",
    )
    two_files.runpytest()
    assert "test_climb.py::test_climbs" not in kept(two_files)


def test_a_vanished_test_or_file_is_dropped(two_files: pytest.Pytester) -> None:
    write(two_files, test_fall=mark(IMPACT) + "def test_falls(): pass\n")
    two_files.runpytest("test_climb.py")
    assert "test_fall.py::test_jumps" in kept(two_files)
    two_files.runpytest()
    assert "test_fall.py::test_jumps" not in kept(two_files)
    (two_files.path / "test_fall.py").unlink()
    two_files.runpytest("test_climb.py")
    assert kept(two_files) == {"test_climb.py::test_climbs": [CLIMB]}


def test_workers_report_to_one_count(two_files: pytest.Pytester) -> None:
    write(two_files, test_climb=mark(CLIMB, JUMP) + "def test_climbs(): pass\n")
    two_files.runpytest("-n", "2").assert_outcomes(passed=3)
    assert kept(two_files) == ALL | {"test_climb.py::test_climbs": [CLIMB, JUMP]}


def test_parameters_and_classes_may_carry_marks(pytester: pytest.Pytester) -> None:
    write(
        pytester,
        test_it=mark(IMPACT)
        + "class TestIt:\n"
        + f"    @pytest.mark.parametrize('n', [pytest.param(1, marks=pytest.mark.rule('{CLIMB}')), 2])\n"
        + "    def test_n(self, n): pass\n",
    )
    pytester.runpytest()
    assert kept(pytester) == {
        "test_it.py::TestIt::test_n[1]": [CLIMB, IMPACT],
        "test_it.py::TestIt::test_n[2]": [IMPACT],
    }


@pytest.mark.parametrize(
    ("rules", "says"),
    [
        ((IMPACT, CLIMB, JUMP, "warcry.core.reroll"), "*test_it marks 4 rules*at most 3*"),
        (("warcry.move.teleport",), "*test_it marks rules that no ledger has: warcry.move.teleport*"),
        ((7,), "*no ledger has: 7*"),
    ],
)
def test_bad_marks_are_collection_errors(pytester: pytest.Pytester, rules: tuple[object, ...], says: str) -> None:
    write(pytester, test_it=mark(*rules) + "def test_it(): pass\n")
    result = pytester.runpytest()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([says])
    assert result.ret != 0


PROVES = """
import pytest
from umpire.rulebook.proving import PROVING

@pytest.mark.rule("warcry.move.climb")
def test_depends():
    assert "warcry.move.climb" not in PROVING

@pytest.mark.rule("warcry.move.climb", "warcry.move.fall-impact")
def test_does_not():
    pass

@pytest.mark.rule("warcry.move.jump-impact")
def test_fails_anyway():
    assert False

@pytest.mark.rule("aos.round.structure")
def test_of_another_game():
    assert not PROVING

def test_unmarked():
    assert not PROVING
"""


@pytest.mark.parametrize("jobs", [(), ("-n", "2")])
def test_the_prover_runs_each_test_without_each_of_its_rules(pytester: pytest.Pytester, jobs: tuple[str, ...]) -> None:
    write(pytester, test_it=PROVES)
    result = pytester.runpytest("--prove", "--prove-game", "warcry", *jobs)
    result.assert_outcomes(passed=2, failed=1)
    trials = {(t.test.partition("::")[2], t.rule): t.red for t in read_proved(pytester.path / ".coverage").trials}
    assert trials.pop(("test_depends", CLIMB)).startswith("AssertionError")
    assert trials == {("test_does_not", CLIMB): "", ("test_does_not", IMPACT): ""}


def test_a_game_that_is_not_there_cannot_be_proved(pytester: pytest.Pytester) -> None:
    write(pytester, test_it=PROVES)
    assert pytester.runpytest("--prove", "--prove-game", "chess").ret == pytest.ExitCode.USAGE_ERROR
