"""Decisions and lessons of the older layout become principles."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.shaktra_briefs import MEMORY
from tests.shaktra_files import ANTI_PATTERNS, PRINCIPLES, PROCEDURES, desk

from remem.base.errors import NotPossible, Refused

DECISIONS = """\
# what we settled on
decisions:
  - id: DC-004
    story_id: ST-002
    title: "Cents, not floats"
    summary: "Money is counted in cents from the first line to the last"
    categories: [correctness, performance]
    guidance: ["Parse amounts once"]
    status: superseded
    created: "2025-11-02"
  - id: DC-007
    story_id: ST-009
    title: "Money is a type of its own now"
    status: active
    supersedes: DC-004
    created: "2025-12-01"
"""
LESSONS = """\
lessons:
  - id: LS-001
    date: "2025-10-10"
    source: ST-003
    insight: "The night build hides what the day build shows"
    action: "Run both"
  - id: LS-002
    date: "2025-10-12"
    insight: "Retries without a limit fill the queue"
"""
FILES = {f"{MEMORY}/decisions.yml": DECISIONS, f"{MEMORY}/lessons.yml": LESSONS}


def test_each_becomes_a_principle_with_its_confidence_decisions_first(tmp_path: Path) -> None:
    with desk(tmp_path, FILES) as shop:
        done = shop.do("migrate.shaktra")
        found = [shop.fields(f"PR-00{n}") for n in (1, 2, 3, 4)]

        assert [(each["confidence"], each["source"]) for each in found] == [
            (0.7, "migrated:DC-004"),
            (0.7, "migrated:DC-007"),
            (0.5, "migrated:ST-003"),
            (0.5, "migrated:LS-002"),
        ]
        assert found[0]["roles"] == ["developer", "sw-engineer", "architect"]
        assert found[0]["tags"] == ["correctness", "performance"]
        assert found[0]["status"] == "superseded"
        assert (found[1]["text"], found[1]["supersedes"]) == (
            "Money is a type of its own now",
            "PR-001",
        )
        assert found[2]["guidance"] == ["Run both"]
        assert found[3]["roles"] == ["developer"]
        assert {each["source_count"] for each in found} == {1}
        assert done.change.receipt == "4 principles = 2 decisions + 2 lessons"


def test_originals_stay_with_a_copy_and_the_other_stores_begin_empty(tmp_path: Path) -> None:
    with desk(tmp_path, FILES) as shop:
        before = shop.files()
        done = shop.do("migrate.shaktra")
        after = shop.files()
        shop.bench.undo(done.id)

        for name, data in before.items():
            assert after[name] == after[f"{name}.bak"] == data
        assert b"anti_patterns: []" in after[ANTI_PATTERNS]
        assert b"procedures: []" in after[PROCEDURES]
        assert shop.files() == before


@pytest.mark.parametrize(
    ("files", "message"),
    [
        pytest.param({PRINCIPLES: "principles: []\n"}, "already exists", id="principles"),
        pytest.param({f"{MEMORY}/lessons.yml.bak": "x"}, "already exists", id="a-copy"),
    ],
)
def test_it_is_refused_where_it_would_mix_or_overwrite(
    tmp_path: Path, files: dict[str, str], message: str
) -> None:
    with desk(tmp_path, {**FILES, **files}) as shop:
        before = shop.files()

        with pytest.raises(NotPossible, match=message):
            shop.do("migrate.shaktra")

        assert shop.files() == before


def test_without_older_files_there_is_nothing_to_migrate(tmp_path: Path) -> None:
    with (
        desk(tmp_path, {f"{MEMORY}/.keep": ""}) as shop,
        pytest.raises(NotPossible, match="nothing to migrate"),
    ):
        shop.do("migrate.shaktra")


def test_a_file_that_does_not_parse_stops_it_all(tmp_path: Path) -> None:
    with desk(tmp_path, {**FILES, f"{MEMORY}/lessons.yml": "lessons: [\n"}) as shop:
        before = shop.files()

        with pytest.raises(Refused, match="cannot be read"):
            shop.do("migrate.shaktra")

        assert shop.files() == before
