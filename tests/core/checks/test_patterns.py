"""What a pattern cannot find is said, and none may take as long as it likes."""

import pytest

from remem.code.changed_lines import ChangedFile
from remem.core.checks import gate, patterns
from remem.core.checks.detect_from_prose import read_sentence
from remem.core.checks.gate import hold
from remem.core.checks.patterns import NotChecked
from remem.model.detect import AstPattern, Detect

FILE = ChangedFile("a.py", ("import os", "eval(x)"), None)


@pytest.mark.parametrize("pattern", ["os\neval", r"os\neval", r"os\s*\n(?:eval|exec)"])
def test_a_pattern_over_several_lines_says_that_it_finds_nothing_line_by_line(
    pattern: str,
) -> None:
    with pytest.raises(NotChecked, match="spans lines") as told:
        hold(Detect(forbid=pattern), [FILE])

    assert "within" in told.value.hint
    assert len(hold(Detect(forbid=pattern, within="code"), [FILE]).violations) == 1


@pytest.mark.parametrize("pattern", [r"eval[^\n]*", r"x\)(?:\n|$)", r"eval\n?", r"os|\neval"])
def test_one_that_may_do_without_a_line_end_is_looked_for(pattern: str) -> None:
    assert hold(Detect(forbid=pattern), [FILE]).violations


def test_a_file_that_requires_several_lines_is_read_as_one_text() -> None:
    assert not hold(Detect(require="os\neval"), [FILE]).violations


def test_patterns_of_syntax_end_after_a_while() -> None:
    pattern = Detect(forbid=AstPattern(ast="python", pattern="eval($A)"))
    assert hold(pattern, [FILE]).violations

    held = hold(pattern, [FILE], parsing=-1.0)

    assert (held.files, held.violations) == (0, ())
    assert "stop after" in held.missed[0][1]


@pytest.mark.parametrize(
    ("line", "is_found"),
    [
        ("debugger", True),
        ("  if (!child) debugger", True),
        ("if (x) { debugger; return }", True),
        ("() => debugger", True),
        ("const debugger_ = 1", False),
        ("open(debugger)", False),
        ("a.debugger;", False),
    ],
)
def test_a_debugger_statement_is_found_wherever_it_may_stand(line: str, is_found: bool) -> None:
    reading = read_sentence("`debugger` statements", unwanted=True)
    assert reading is not None

    held = hold(reading.detect, [ChangedFile("a.ts", (line,), None)])

    assert bool(held.violations) is is_found


def test_where_a_file_has_more_places_than_are_looked_for_that_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(patterns, "MOST", 3)
    monkeypatch.setattr(gate, "MOST", 3)
    full = ChangedFile("full.py", ("print(1)",) * 5, None)

    held = gate.hold(Detect(forbid="print"), [full])

    assert [each.line for each in held.violations] == [1, 2, 3]
    assert held.missed == (("full.py", "more than 3 places"),)
