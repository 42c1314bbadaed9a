"""The worked example of Shaktra's cycle, in other words and with the same numbers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.shaktra_briefs import STORIES
from tests.shaktra_files import (
    ANTI_PATTERNS,
    PRINCIPLES,
    PROCEDURES,
    Desk,
    anti_pattern,
    check,
    desk,
    file_of,
    observation,
    observed,
    principle,
    procedure,
)

from remem.base.errors import NotPossible

STORY = "ST-014"
FILES = {
    PRINCIPLES: file_of(
        "principles",
        principle(
            "PR-001",
            "Every upload is measured before its first byte is kept",
            confidence=0.76,
            source_count=3,
            last_reinforced="2026-02-01",
        ),
        principle(
            "PR-002",
            "Thumbnails are made by the worker and never in the request",
            confidence=0.84,
            source_count=6,
            tags=["worker", "thumbnail"],
        ),
    ),
    ANTI_PATTERNS: file_of(
        "anti_patterns",
        anti_pattern("AP-001", "Showing the path of the storage to whoever asks", confidence=0.72),
    ),
    PROCEDURES: file_of(
        "procedures",
        procedure("PC-001", "The gallery is looked at after each step", confidence=0.68),
    ),
    f"{STORIES}/{STORY}.yml": f'id: {STORY}\ntitle: "Let people upload pictures"\n',
    f"{STORIES}/{STORY}/handoff.yml": (
        f"# Who does what next\nstory_id: {STORY}\nmemory_captured: false  # by the curator\n"
    ),
    **observed(
        STORY,
        observation(
            1,
            "discovery",
            "The scanner of uploads has to see every format before the gallery does",
            importance=8,
            tags=["security", "upload"],
        ),
        check(3, "PR-001", importance=8),
        check(4, "PR-002", importance=8),
        observation(
            5,
            "fix-rationale",
            "Wiring of the storage stands in one place that no layer imports",
            importance=7,
            tags=["maintainability", "storage"],
        ),
        observation(
            6,
            "quality-loop-finding",
            "The gallery page reads the bucket of the storage by itself",
            severity="P2",
            resolved=False,
            iterations=2,
            tags=["storage", "layers"],
        ),
        observation(
            7,
            "quality-loop-finding",
            "The gallery page reads the bucket of the storage by itself again",
            severity="P1",
            resolved=False,
            iterations=1,
            tags=["layers"],
        ),
        check(11, "AP-001"),
        check(12, "PC-001"),
        check(13, "PR-001", agent="sw-quality", phase="quality"),
        check(14, "PR-002", agent="sw-quality", phase="quality"),
    ),
}


@pytest.fixture
def gallery(tmp_path: Path) -> Iterator[Desk]:
    with desk(tmp_path, FILES) as found:
        yield found


def test_the_worked_example_comes_out_at_its_numbers(gallery: Desk) -> None:
    gallery.do("consolidate", story=STORY)

    after = {name: gallery.confidence(name) for name in ("PR-001", "PR-002", "AP-001", "PC-001")}
    new = {name: gallery.fields(name) for name in ("PR-003", "PR-004", "AP-002")}
    assert after == {"PR-001": 0.92, "PR-002": 1.0, "AP-001": 0.8, "PC-001": 0.76}
    assert [each["confidence"] for each in new.values()] == [0.6, 0.6, 0.6]
    assert gallery.fields("PC-001")["source_count"] == 4
    assert gallery.fields("PR-001")["source_count"] == 5
    assert gallery.fields("PR-001")["last_reinforced"] == "2026-05-04"
    assert "confidence: 1.0\n" in gallery.read(PRINCIPLES)


def test_what_is_new_holds_what_the_rules_say(gallery: Desk) -> None:
    gallery.do("consolidate", story=STORY)

    assert gallery.fields("PR-003") == {
        "id": "PR-003",
        "text": "The scanner of uploads has to see every format before the gallery does",
        "categories": ["security"],
        "guidance": ["The scanner of uploads has to see every format before the gallery does"],
        "confidence": 0.6,
        "source_count": 1,
        "tags": ["security", "upload"],
        "roles": ["developer", "sw-engineer", "sw-quality"],
        "scope": "project",
        "status": "active",
        "source": STORY,
        "created": "2026-05-04",
    }
    assert gallery.fields("AP-002") == {
        "id": "AP-002",
        "failed_approach": "The gallery page reads the bucket of the storage by itself",
        "failure_mode": "",
        "severity": "P1",
        "recommended_approach": "Wiring of the storage stands in one place that no layer imports",
        "trigger_patterns": ["storage", "layers"],
        "confidence": 0.6,
        "tags": ["storage", "layers"],
        "roles": ["developer"],
        "scope": "project",
        "status": "active",
        "source": STORY,
        "created": "2026-05-04",
    }


def test_it_is_one_change_that_captures_the_story_and_is_undone_to_the_byte(gallery: Desk) -> None:
    before = gallery.files()

    done = gallery.do("consolidate", story=STORY)
    handoff = gallery.read(f"{STORIES}/{STORY}/handoff.yml")
    gallery.bench.undo(done.id)

    assert handoff == (
        f"# Who does what next\nstory_id: {STORY}\nmemory_captured: true  # by the curator\n"
    )
    assert done.change.receipt == "10 observations = 6 on entries + 4 in new ones"
    assert gallery.files() == before


def test_consolidating_twice_changes_nothing_and_later_observations_count_once(
    gallery: Desk,
) -> None:
    gallery.do("consolidate", story=STORY)
    once = gallery.files()

    again = gallery.plan("consolidate", story=STORY, force=True)
    gallery.bench.apply(
        gallery.intent(
            "observe",
            story=STORY,
            fields={
                "type": "consistency-check",
                "text": "Large pictures are kept although nobody measured them",
                "principle_id": "PR-001",
                "relationship": "contradict",
                "importance": 9,
            },
        )
    )
    with pytest.raises(NotPossible, match="`ST-014` is already consolidated"):
        gallery.do("consolidate", story=STORY)
    later = gallery.do("consolidate", story=STORY, force=True)

    assert again.effects == ()
    assert {path for path in once if once[path] != gallery.files()[path]} == {
        PRINCIPLES,
        ".remem/consolidated.yaml",
        f"{STORIES}/{STORY}/.observations.yml",
    }
    assert later.change.receipt == "1 observation = 1 on entries"
    assert gallery.confidence("PR-001") == 0.72
    assert gallery.plan("consolidate", story=STORY, force=True).effects == ()


def test_comments_and_every_line_that_is_not_about_it_stay(gallery: Desk) -> None:
    before = gallery.read(PRINCIPLES).splitlines()

    gallery.do("consolidate", story=STORY)

    after = gallery.read(PRINCIPLES).splitlines()
    gone = [line for line in before if line not in after]
    assert after[0] == "# Kept by the curator"
    assert [line.split(":")[0].strip() for line in gone] == [
        "confidence",
        "source_count",
        "last_reinforced",
        "confidence",
        "source_count",
    ]
