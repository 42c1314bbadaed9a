"""Memory that was only laid out takes every verb, and undoing them leaves what was laid out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from tests.shaktra_files import ANTI_PATTERNS, PRINCIPLES, PROCEDURES, SETTINGS, Desk, desk

from remem.base.errors import NotPossible
from remem.model.change import Json
from remem.model.prompt import Ask

STORY: Final = ".shaktra/stories/ST-001.yml"
FILES: Final = {
    SETTINGS: """\
project:
  name: ""             # filled in by whoever starts
tdd:
  coverage_threshold: 90
memory:
  confidence_start: 0.6
  max_briefing_entries: 15
""",
    PRINCIPLES: "# What to do\n# Kept by the curator\nprinciples: []\n",
    ANTI_PATTERNS: "# What fails\n# Kept by the curator\nanti_patterns: []\n",
    PROCEDURES: "# How the work runs\n# Kept by the curator\nprocedures: []\n",
    STORY: "id: ST-001\ntitle: Upload limits for the gallery\n",
}
UPLOAD: Final = "Every upload is measured before anything of it is kept"
PORTS: Final = "Ports above nine thousand are taken by the scanner"
SEEN: Final[dict[str, Json]] = {"type": "discovery", "agent": "developer", "tags": ["upload"]}


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Desk]:
    with desk(tmp_path, FILES) as opened:
        yield opened


def test_everything_is_done_from_nothing_and_taken_back_to_nothing(shop: Desk) -> None:
    before = shop.files()

    fields: dict[str, Json] = {"tags": ["upload"], "guidance": ["Measure it first"]}
    shop.do("add", kind="principle", text=UPLOAD, fields=fields)
    shop.do("edit", "PR-001", fields={"confidence": 0.7})
    shop.do("archive", "PR-001")
    shop.do("restore", "PR-001")
    shop.do("observe", story="ST-001", **{**SEEN, "importance": 8, "text": PORTS})
    shop.do("observe", workflow="review", **{**SEEN, "text": "Reviews wait for a day"})
    shop.do("consolidate", story="ST-001")
    shop.do("brief", story="ST-001")
    shop.do("remove", "PR-002")

    assert shop.read(PRINCIPLES).startswith("# What to do\n# Kept by the curator\nprinciples:\n")
    assert "PR-001" in shop.read(".shaktra/stories/ST-001/.briefing.yml")
    for _ in range(9):
        shop.bench.undo()
    after = {name: data for name, data in shop.files().items() if not name.startswith(".remem/")}
    assert after == before


@pytest.mark.parametrize(
    ("verb", "arguments", "message"),
    [
        ("brief", {"story": "ST-404"}, "there is no story `ST-404`"),
        ("consolidate", {"story": "ST-404"}, "there is no story `ST-404`"),
        ("migrate.shaktra", {}, "principles"),
    ],
)
def test_what_cannot_be_done_with_nothing_says_so(
    shop: Desk, verb: str, arguments: dict[str, Json], message: str
) -> None:
    before = shop.files()

    with pytest.raises(NotPossible, match=message):
        shop.do(verb, **arguments)

    assert shop.files() == before


def test_consolidating_a_story_that_observed_nothing_is_nothing(shop: Desk) -> None:
    planned = shop.plan("consolidate", story="ST-001")

    assert planned.effects == ()
    assert planned.title == "Consolidate ST-001: nothing to consolidate"


def test_an_empty_memory_is_composed_as_empty_and_is_well(shop: Desk) -> None:
    prompt = shop.bench.compose(Ask(role="developer", story="ST-001"))

    assert prompt.verdicts == ()
    assert not list(shop.bench.library.problems())
    assert shop.bench.queue() == ()
