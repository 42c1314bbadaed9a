"""A person takes what agents observed item by item."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.opened import opened

from remem.core.verbs.verbs import APPROVE, REJECT
from remem.tui.verbs import REDO, UNDO

PRINCIPLES = ".shaktra/memory/principles.yml"
HANDOFF = ".shaktra/stories/ST-104/handoff.yml"


@pytest.mark.slow
@pytest.mark.parametrize("size", [(120, 36), (80, 24)], ids=["wide", "small"])
async def test_a_story_is_taken_item_by_item_and_captured_with_the_last(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with opened(tmp_path, size=size) as desk:
        before = desk.read(PRINCIPLES)
        await desk.go_to("Every import of sailings")
        desk.journey.sees("OB-001")

        await desk.journey.use(APPROVE)
        one = desk.read(PRINCIPLES)
        await desk.journey.use(REJECT)
        await desk.journey.reason("3")
        await desk.journey.use(APPROVE)

        after = desk.read(PRINCIPLES)
        assert one == before.replace(b"0.76", b"0.84").replace(
            b"source_count: 3", b"source_count: 4"
        ).replace(b"2026-03-30", b"2026-05-04")
        assert after.startswith(one)
        assert b"Spreadsheets end with thousands of empty rows" in after[len(one) :]
        assert b"memory_captured: true" in desk.read(HANDOFF)
        assert not [item for item in desk.bench.queue() if item.group == "ST-104"]


@pytest.mark.slow
async def test_undo_brings_the_item_and_the_bytes_back(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        before = desk.read(PRINCIPLES)
        await desk.go_to("Times are kept in UTC")
        desk.journey.sees("0.28 → 0.08", "archived")

        await desk.journey.use(APPROVE)
        archived = desk.read(PRINCIPLES)
        await desk.journey.use(UNDO)
        undone = desk.read(PRINCIPLES)
        await desk.journey.use(REDO)

        assert b"status: archived" in archived
        assert undone == before
        assert desk.read(PRINCIPLES) == archived
