"""What a large memory of a persona costs: its first frame, and one edit of it."""

from pathlib import Path
from statistics import median
from time import perf_counter

import pytest
from tests.bench.measure import Report, shown
from tests.bench.openings import report_openings

from remem.core.session import Session
from remem.core.settings import Places
from remem.model.change import Intent

MEMORY = ".claude/agent-memory/captain/MEMORY.md"
LESSON = "- {n}: a lesson about tides, berths and the boards of {n} harbours, whose words are many "
SHOWN = "captain"


def memory(folder: Path, size: int) -> Path:
    """Make a project with one memory of so many bytes; 800 lessons are 150 kB."""
    sections: list[str] = []
    held = number = 0
    while held < size:
        lines = [LESSON.format(n=number + i) + "so " * 30 for i in range(20)]
        sections.append(f"## 2026-{number // 28 % 12 + 1:02d}-{number % 28 + 1:02d} — Tides\n\n")
        sections.append("\n".join(lines) + "\n\n")
        held += len(sections[-1])
        number += 20
    path = folder / "project" / MEMORY
    path.parent.mkdir(parents=True)
    path.write_text("".join(sections))
    return folder / "project"


@pytest.mark.parametrize(
    ("size", "goals"),
    [(150_000, ("≤ 1.25 ×", "≤ 1.7 ×")), (10_000_000, ("reported", "reported"))],
    ids=["150 kB", "10 MB"],
)
def test_first_frame_of_a_large_memory_against_an_empty_app(
    report: Report, tmp_path: Path, size: int, goals: tuple[str, str]
) -> None:
    what = f"a memory of {size / 1_000_000:g} MB"
    report_openings(report, what, memory(tmp_path, size), tmp_path, SHOWN, goals)


@pytest.mark.parametrize("size", [150_000, 10_000_000], ids=["150 kB", "10 MB"])
def test_an_edit_of_one_lesson_in_a_large_memory(report: Report, tmp_path: Path, size: int) -> None:
    root = memory(tmp_path, size)
    bench = Session.open(root, Places.of(tmp_path / "home"), door="cli")
    took: list[float] = []
    copied: list[float] = []

    for number in range(1 + max(report.rounds // 3, 1)):  # the first one loads what edits need
        lessons = list(bench.library.of_kind("lesson"))
        entry = lessons[len(lessons) // 2]
        fields = {"text": f"{entry.title} {number}"}
        start = perf_counter()
        bench.apply(Intent("edit", {entry.ref: entry.digest}, {"fields": dict(fields)}))
        took.append((perf_counter() - start) * 1_000)
        start = perf_counter()
        (root / "copy.md").write_bytes((root / MEMORY).read_bytes())
        copied.append((perf_counter() - start) * 1_000)
    bench.close()

    report.plain(
        f"edit one lesson, a memory of {size / 1_000_000:g} MB",
        "reported",
        f"{shown(median(took[1:]))} ms",
        f"{shown(median(copied[1:]))} ms: read and write of the file",
    )
    assert (root / MEMORY).stat().st_size > size
