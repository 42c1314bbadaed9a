"""What sprints teach about estimates is taken over by a person, the factor with its arithmetic."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.retro_files import decided, path_of, retro
from tests.sniper_files import MEMORY, carry_out, project

from remem.base.errors import NotPossible, Refused, Unacknowledged
from remem.core.library import Library
from remem.core.verbs.verbs import plan
from remem.edit.yaml_read import parse_document
from remem.edit.yaml_write import render
from remem.model.change import Intent
from remem.model.entry import Entry
from remem.systems.sniper.estimates import estimates_view, typical_miss

ESTIMATES = f"{MEMORY}/estimates.yaml"
PATTERN = "Stories with an external API are underestimated by ~30%"


def pattern(library: Library, number: int = 0) -> Entry:
    return [entry for entry in library.of_kind("finding") if entry.context == "patterns"][number]


def found(*patterns: str) -> dict[str, Any]:
    return {"estimation_calibration": {"patterns": [*patterns]}}


def calibration(root: Path) -> Any:
    value: Any = parse_document((root / "shop" / ESTIMATES).read_bytes()).value
    return value["calibration"]


def measured(sprint: int, estimated: float, actual: float) -> bytes:
    value: Any = parse_document(retro(sprint)).value
    return render({**value, "measured": {"estimated": estimated, "actual": actual}})


def test_a_pattern_is_appended_and_nothing_else_changes(tmp_path: Path) -> None:
    before = (
        "# ours\ncalibration:\n  velocity_factor: 0.85  # twelve sprints\n"
        "  common_underestimates:\n"
        '    - {pattern: "Auth", typical_miss: "+40%", reason: "matrix"}\n'
        '  last_updated: "2026-01-01"\n  sprints_analyzed: 1\n'
    )
    files = {
        ESTIMATES: before.encode(),
        path_of(5): retro(5, **found(PATTERN)),
        path_of(6): retro(6),
    }
    library = project(tmp_path, files)

    decided(library, "estimates.take", pattern(library))

    kept = calibration(tmp_path)
    assert kept["common_underestimates"][1] == {
        "pattern": PATTERN,
        "typical_miss": "+30%",
        "reason": "",
    }
    assert (kept["last_updated"], kept["sprints_analyzed"]) == ("2026-06-04", 2)
    assert kept["velocity_factor"] == 0.85
    text = (tmp_path / "shop" / ESTIMATES).read_text()
    assert text.startswith("# ours\ncalibration:\n  velocity_factor: 0.85  # twelve sprints\n")


@pytest.mark.parametrize(
    "there",
    [None, b"", b"calibration:\n", b"calibration:\n  common_underestimates: []\n"],
    ids=["missing", "empty", "bare", "empty-list"],
)
def test_the_first_pattern_makes_what_it_needs(tmp_path: Path, there: bytes | None) -> None:
    files = {path_of(5): retro(5, **found(PATTERN))}
    library = project(tmp_path, files if there is None else {**files, ESTIMATES: there})

    decided(library, "estimates.take", pattern(library))

    assert [each["pattern"] for each in calibration(tmp_path)["common_underestimates"]] == [PATTERN]


@pytest.mark.parametrize(
    ("section", "text", "expected"),
    [
        ("patterns", PATTERN, "+30%"),
        ("patterns", "Exports are overestimated by 20 %", "-20%"),
        ("patterns", "Offline stories take +80%", "+80%"),
        ("patterns", "Copy changes take -15%, most of them", "-15%"),
        ("patterns", "Ports are off by ~10%", "~10%"),
        ("patterns", "Ports are hard", ""),
        ("underestimates", "SHOP-2 took 50% more", "+50%"),
        ("overestimates", "SHOP-3 took 50% less", "-50%"),
    ],
)
def test_the_typical_miss_is_read_from_the_text(section: str, text: str, expected: str) -> None:
    assert typical_miss(section, text) == expected


def test_a_pattern_is_taken_once(tmp_path: Path) -> None:
    library = project(tmp_path, {path_of(5): retro(5, **found(PATTERN, f"{PATTERN}."))})
    after = decided(library, "estimates.take", pattern(library))
    again = pattern(after, 1)

    with pytest.raises(NotPossible, match="already"):
        plan(after, Intent("estimates.take", {again.ref: again.digest}))


def test_what_hides_in_a_pattern_has_to_be_acknowledged(tmp_path: Path) -> None:
    library = project(tmp_path, {path_of(5): retro(5, **found("Ports\u202e are hard"))})
    entry = pattern(library)

    with pytest.raises(Unacknowledged):
        plan(library, Intent("estimates.take", {entry.ref: entry.digest}))


def test_broken_estimates_are_not_written(tmp_path: Path) -> None:
    files = {ESTIMATES: b"calibration: [\n", path_of(5): retro(5, **found(PATTERN))}
    library = project(tmp_path, files)
    entry = pattern(library)

    with pytest.raises(Refused, match="does not parse, line 2: "):
        plan(library, Intent("estimates.take", {entry.ref: entry.digest}))


def test_three_measured_sprints_propose_a_factor_with_its_arithmetic(tmp_path: Path) -> None:
    sprints = [(4, 21, 26), (5, 18, 20), (6, 24, 29)]
    library = project(tmp_path, {path_of(n): measured(n, *points) for n, *points in sprints})

    proposed = estimates_view(library).proposed
    assert proposed is not None
    carry_out(library, plan(library, Intent("estimates.take", {}, {"factor": True})))

    assert proposed.arithmetic == (
        "(21 + 18 + 24) estimated / (26 + 20 + 29) actual = 63 / 75 = 0.84"
    )
    kept = calibration(tmp_path)
    assert (kept["velocity_factor"], kept["sprints_analyzed"]) == (0.84, 3)
    assert kept["last_updated"] == "2026-07-04"


def test_an_overestimate_is_kept_as_one_and_a_story_s_id_is_no_pattern(tmp_path: Path) -> None:
    over = ["STORY-052", "Forms take less than anybody thinks"]
    text = retro(5, estimation_calibration={"overestimates": over, "patterns": [PATTERN]})
    library = project(tmp_path, {path_of(5): text})
    story, less, more = (e for e in library.of_kind("finding"))

    with pytest.raises(NotPossible, match="it is about one story"):
        decided(library, "estimates.take", story)
    decided(decided(library, "estimates.take", less), "estimates.take", more)

    kept = calibration(tmp_path)
    assert [each["pattern"] for each in kept["common_overestimates"]] == [over[1]]
    assert [each["pattern"] for each in kept["common_underestimates"]] == [PATTERN]


def test_two_measured_sprints_propose_nothing(tmp_path: Path) -> None:
    sprints = [(4, 21, 26), (5, 18, 20)]
    library = project(tmp_path, {path_of(n): measured(n, *points) for n, *points in sprints})

    view = estimates_view(library)

    assert view.proposed is None
    assert [point.factor for point in view.sprints] == [0.8077, 0.9]
    with pytest.raises(NotPossible, match="no new velocity factor") as caught:
        plan(library, Intent("estimates.take", {}, {"factor": True}))
    assert "1 more sprint" in caught.value.hint
