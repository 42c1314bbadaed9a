"""What a briefing costs among ten thousand entries, against the bare look at every word of them."""

from pathlib import Path

from tests.bench.measure import Report, in_turns, seconds
from tests.shaktra_briefs import MEMORY, STORIES, STORY, open_files

from remem.systems.shaktra.brief.brief_plan import brief_of
from remem.systems.shaktra.brief.rank import tier_of
from remem.systems.shaktra.records import MemorySettings
from remem.systems.shaktra.shaktra_verbs import BriefStory

MANY = 10_000
THINGS = ("webhook", "ledger", "invoice", "payment", "report", "parser", "cache", "session")


def store(many: int) -> str:
    """Return principles that differ in what they are about."""
    rows = [
        f"""\
  - id: PR-{number:05}
    text: "The {THINGS[number % 8]} of part {number} is closed before the {THINGS[number % 7]}"
    categories: [reliability]
    guidance: ["Close the {THINGS[number % 5]} in the order of number {number}", "Log its end"]
    confidence: {0.3 + number % 70 / 100:.2f}
    source_count: 2
    tags: [{THINGS[number % 8]}, part{number % 90}]
    roles: [developer]
    scope: project
    status: active
    source: ST-001
    created: "2026-01-05"
"""
        for number in range(1, many + 1)
    ]
    return "principles:\n" + "".join(rows)


def test_a_briefing_from_ten_thousand_entries(report: Report, tmp_path: Path) -> None:
    files = {f"{MEMORY}/principles.yml": store(MANY), f"{STORIES}/ST-040.yml": STORY}
    library = open_files(tmp_path, files)
    args = BriefStory(story="ST-040")
    texts = [entry.title for entry in library.entries()]
    assert tier_of(MANY, MemorySettings()) == 3

    briefed, looked = in_turns(
        report.rounds,
        lambda: 1_000 * seconds(lambda: brief_of(library, args)),
        lambda: 1_000 * seconds(lambda: [set(text.casefold().split()) for text in texts]),
    )

    report.plain(
        "a briefing from 10,000 entries",
        "≤ 100 ms",
        f"{briefed:.1f} ms",
        f"{looked:.1f} ms: the words of their titles",
    )
    assert briefed > 0
