"""What counting an observation did to an entry is kept, so that its history is told exactly."""

from __future__ import annotations

from pathlib import Path

from tests.shaktra_files import (
    CONSOLIDATED,
    PRINCIPLES,
    Desk,
    check,
    desk,
    file_of,
    observed,
    principle,
)

from remem.edit.yaml_read import parse_document
from remem.model.confidence_history import Trajectory
from remem.views.confidence_history import trajectory

RULE = principle("PR-001", "Every upload is measured before it is kept", confidence=0.93)
FILES = {
    PRINCIPLES: file_of("principles", RULE),
    **observed("ST-040", check(1, "PR-001"), check(2, "PR-001")),
    **observed("ST-041", check(1, "PR-001", "contradict")),
}


def consolidated(shop: Desk) -> list[object]:
    value = parse_document(shop.read(CONSOLIDATED).encode()).value
    assert isinstance(value, dict)
    rows = value["consolidated"]
    assert isinstance(rows, list)
    return [row["moved"] for row in rows if isinstance(row, dict)]


def ledger(shop: Desk) -> Trajectory:
    library = shop.bench.library
    found = trajectory(library, library.resolve("shaktra:PR-001"))
    assert found is not None
    return found


def test_what_was_before_a_clamp_is_known_when_it_was_counted_here(tmp_path: Path) -> None:
    with desk(tmp_path, FILES) as shop:
        shop.do("consolidate", story="ST-040")
        shop.do("consolidate", story="ST-041")

        found = ledger(shop)

        assert consolidated(shop) == [
            {"PR-001": [0.93, 1.0]},
            {"PR-001": [1.0, 1.0]},
            {"PR-001": [1.0, 0.8]},
        ]
        assert [(row.before, row.after) for row in found.rows[1:]] == [
            (0.93, 1.0),
            (1.0, 1.0),
            (1.0, 0.8),
        ]
        assert [row.delta for row in found.rows[1:]] == [0.08, 0.08, -0.2]
        assert not any(row.about_before or row.about_after for row in found.rows)


def test_rows_that_kept_nothing_are_reckoned_as_before(tmp_path: Path) -> None:
    with desk(tmp_path, FILES) as shop:
        shop.do("consolidate", story="ST-040")
        kept = ("    moved", "      PR-001")
        rows = [row for row in shop.read(CONSOLIDATED).splitlines() if not row.startswith(kept)]
        shop.put({CONSOLIDATED: "\n".join(rows) + "\n"})

        found = ledger(shop)

        assert "moved" not in shop.read(CONSOLIDATED)
        assert [row.story for row in found.rows[1:]] == ["ST-040", "ST-040"]
        assert found.rows[1].about_before


def test_what_a_person_left_out_is_not_told_as_a_step(tmp_path: Path) -> None:
    with desk(tmp_path, FILES) as shop:
        shop.do("reject", "ST-041/OB-001", reason="a mistake")

        assert consolidated(shop) == [{}]
        assert "ST-041" not in {row.story for row in ledger(shop).rows}
