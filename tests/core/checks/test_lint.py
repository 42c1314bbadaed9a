from pathlib import Path

import pytest
from tests.sniper_files import project

from remem.cli.checks.check_memory import lint

WHOLE = """\
conventions:
  - id: conv-001
    rule: Services log JSON
    rationale: dashboards read it
    applies_to: [backend-engineer]
    source: {type: manual, ref: user-added}
"""


def codes(tmp_path: Path, files: dict[str, str]) -> list[tuple[str, str]]:
    memory = {f".sniper/memory/{name}": text for name, text in files.items()}
    return [(entry.ref.id, each.code) for entry, each in lint(project(tmp_path, memory))]


def test_an_entry_that_has_all_it_needs_is_not_told(tmp_path: Path) -> None:
    assert codes(tmp_path, {"conventions.yaml": WHOLE}) == []


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("    rationale: dashboards read it\n", "no-rationale"),
        ("    applies_to: [backend-engineer]\n", "no-role"),
        ("    source: {type: manual, ref: user-added}\n", "no-source"),
    ],
)
def test_what_a_convention_lacks_is_told(tmp_path: Path, line: str, code: str) -> None:
    text = WHOLE.replace(line, "")

    assert codes(tmp_path, {"conventions.yaml": text}) == [("conv-001", code)]


def test_what_an_anti_pattern_and_a_decision_lack_is_told(tmp_path: Path) -> None:
    rest = "applies_to: [qa], source: {type: manual, ref: user-added}"
    files = {
        "anti-patterns.yaml": f"anti_patterns:\n  - {{id: ap-001, description: Luck, {rest}}}\n",
        "decisions.yaml": f"decisions:\n  - {{id: dec-001, title: Store, decision: '', {rest}}}\n",
    }

    assert codes(tmp_path, files) == [
        ("ap-001", "no-fix"),
        ("dec-001", "no-text"),
        ("dec-001", "no-alternatives"),
        ("dec-001", "no-context"),
    ]


@pytest.mark.parametrize(("after", "told"), [("dec-002", False), ("dec-009", True), ("", True)])
def test_what_was_superseded_needs_a_successor_that_is_there(
    tmp_path: Path, after: str, told: bool
) -> None:
    rest = (
        "decision: it, context: why, alternatives_considered: [other], applies_to: [qa], "
        "source: {type: manual, ref: user-added}"
    )
    text = (
        "decisions:\n"
        f"  - {{id: dec-001, title: Store, status: superseded, superseded_by: '{after}', {rest}}}\n"
        f"  - {{id: dec-002, title: Other store, {rest}}}\n"
    )

    found = codes(tmp_path, {"decisions.yaml": text})

    assert (("dec-001", "no-successor") in found) is told


def test_the_same_text_under_two_kinds_is_told_once(tmp_path: Path) -> None:
    anti = (
        "anti_patterns:\n  - {id: ap-001, description: 'services  log json', fix_pattern: x, "
        "applies_to: [qa], source: {type: manual, ref: user-added}}\n"
    )

    found = codes(tmp_path, {"conventions.yaml": WHOLE, "anti-patterns.yaml": anti})

    assert [code for _, code in found] == ["duplicate"]


def test_a_secret_in_any_field_is_told_with_its_line(tmp_path: Path) -> None:
    secret = "AKIA" + "Q3EXRTYUJ2KLMN7P"
    text = WHOLE.replace("dashboards read it", f"key {secret}")

    ((_, problem),) = lint(project(tmp_path, {".sniper/memory/conventions.yaml": text}))

    assert problem.code == "secret"
    assert problem.line == 2
    assert secret not in problem.message
