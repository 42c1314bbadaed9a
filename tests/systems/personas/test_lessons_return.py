"""An archived lesson says where it stood, and goes back there on any machine."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.sniper_files import clock, write

from remem.base.errors import NotPossible, UnknownRef
from remem.core.library import Library
from remem.core.session import Session
from remem.core.settings import Places
from remem.core.verbs.verbs import RESTORE
from remem.model.change import Intent
from remem.model.entry import Entry, Status

HISTORY = ".squad/agents/hill/history.md"
ARCHIVE = ".squad/agents/hill/history-archive.md"
TEXT = (
    "# Hill — History\n\n## Learnings\n\n### 2026-02-20: Queues\n\n- Retry once\n- Never poll\n\n"
    "### 2026-03-01: Ports\n\n- Ports close at night\n"
)


def bench_at(root: Path) -> Session:
    """Open it as on another machine: nothing of what was done is known."""
    places = Places.of(root / "home")
    return Session.open(root / "shop", places, door="cli", clock=clock())


def lessons(library: Library) -> list[Entry]:
    return [e for e in library.of_kind("lesson") if e.ref.format == "persona"]


def does(root: Path, verb: str, *texts: str) -> None:
    with closing(bench_at(root)) as bench:
        found = [e for e in lessons(bench.library) if e.title in texts]
        bench.apply(Intent(verb, {e.ref: e.digest for e in found}))


def told(root: Path) -> Counter[tuple[str, str, str]]:
    with closing(bench_at(root)) as bench:
        found = [e for e in lessons(bench.library) if e.status is Status.ACTIVE]
        return Counter((e.title, e.context, e.date) for e in found)


def test_an_archived_lesson_carries_its_headings_and_its_date(tmp_path: Path) -> None:
    write(tmp_path / "shop", {HISTORY: TEXT, ".squad/team.md": "# Team\n"})

    does(tmp_path, "archive", "Retry once")

    text = (tmp_path / "shop" / ARCHIVE).read_text()
    assert text.partition(" · ")[2] == (
        "from history.md › Hill — History › Learnings › 2026-02-20: Queues\n\n- Retry once\n"
    )


@pytest.mark.parametrize("twice", [False, True])
def test_several_lessons_stand_in_the_archive_in_the_order_of_their_file(
    tmp_path: Path, *, twice: bool
) -> None:
    text = f"{TEXT}- Retry once\n" if twice else TEXT
    write(tmp_path / "shop", {HISTORY: text, ".squad/team.md": "# Team\n"})
    before = told(tmp_path)

    does(tmp_path, "archive", "Never poll", "Retry once", "Ports close at night")

    archived = (tmp_path / "shop" / ARCHIVE).read_text().splitlines()
    first = ["- Retry once", "- Never poll", "- Ports close at night"]
    lines = [line for line in archived if line.startswith("- ")]
    if twice:  # of two that say the same each goes, and nothing but their order is open
        assert sorted(lines) == sorted([*first, "- Retry once"])
    else:
        assert lines == first
    does(tmp_path, "restore", "Never poll", "Retry once", "Ports close at night")
    assert told(tmp_path) == before


def test_an_archived_lesson_goes_back_below_its_headings_without_a_history(tmp_path: Path) -> None:
    write(tmp_path / "shop", {HISTORY: TEXT, ".squad/team.md": "# Team\n"})
    before = told(tmp_path)
    does(tmp_path, "archive", "Retry once")
    (tmp_path / "home").rename(tmp_path / "another machine")

    does(tmp_path, "restore", "Retry once")

    assert told(tmp_path) == before
    assert (tmp_path / "shop" / ARCHIVE).read_text().strip() == ""


def test_a_lesson_comes_back_between_its_neighbours_whoever_wrote_meanwhile(tmp_path: Path) -> None:
    text = TEXT.replace("- Retry once\n", "- Retry once\n- Count the boats\n- Lock the gate\n")
    write(tmp_path / "shop", {HISTORY: text, ".squad/team.md": "# Team\n"})
    does(tmp_path, "archive", "Count the boats")
    path = tmp_path / "shop" / HISTORY
    path.write_text(path.read_text().replace("- Never poll\n", "- Never poll\n- Ask Ada\n"))

    does(tmp_path, "restore", "Count the boats")

    assert path.read_text() == text.replace("- Never poll\n", "- Never poll\n- Ask Ada\n")


def test_a_lesson_whose_neighbours_are_gone_comes_back_at_the_end_of_its_section(
    tmp_path: Path,
) -> None:
    text = TEXT.replace("- Retry once\n", "- Retry once\n- Count the boats\n")
    write(tmp_path / "shop", {HISTORY: text, ".squad/team.md": "# Team\n"})
    does(tmp_path, "archive", "Count the boats")
    path = tmp_path / "shop" / HISTORY
    others = path.read_text().replace("- Retry once\n- Never poll\n", "- Look\n- Listen\n- Poll\n")
    path.write_text(others)

    does(tmp_path, "restore", "Count the boats")

    assert path.read_text() == others.replace("- Poll\n", "- Poll\n- Count the boats\n")


@pytest.mark.parametrize("first", ["Count the boats", "Lock the gate"])
@pytest.mark.parametrize("written", ["", "- Ask Ada\n"], ids=["alone", "others wrote"])
def test_of_two_that_stood_together_each_comes_back_between_what_is_there(
    tmp_path: Path, first: str, written: str
) -> None:
    boats, gate = "- Count the boats\n", "- Lock the gate\n"
    text = TEXT.replace("- Retry once\n", f"- Retry once\n{boats}{gate}")
    write(tmp_path / "shop", {HISTORY: text, ".squad/team.md": "# Team\n"})
    does(tmp_path, "archive", "Count the boats", "Lock the gate")
    path = tmp_path / "shop" / HISTORY
    path.write_text(path.read_text().replace("- Never poll\n", f"- Never poll\n{written}"))
    whole = text.replace("- Never poll\n", f"- Never poll\n{written}")
    second = ({"Count the boats", "Lock the gate"} - {first}).pop()

    does(tmp_path, "restore", first)
    assert path.read_text() == whole.replace(f"- {second}\n", "")

    does(tmp_path, "restore", second)
    assert path.read_text() == whole


def test_a_neighbour_that_was_put_elsewhere_stays_there(tmp_path: Path) -> None:
    boats, gate = "- Count the boats\n", "- Lock the gate\n"
    text = TEXT.replace("- Retry once\n", f"- Retry once\n{boats}{gate}")
    write(tmp_path / "shop", {HISTORY: text, ".squad/team.md": "# Team\n"})
    does(tmp_path, "archive", "Count the boats", "Lock the gate")
    path = tmp_path / "shop" / HISTORY
    moved = path.read_text().replace("- Ports close at night\n", f"- Ports close at night\n{gate}")
    path.write_text(moved)

    does(tmp_path, "restore", "Count the boats")

    assert path.read_text().replace(boats, "") == moved


def test_of_two_that_were_archived_together_each_comes_back(tmp_path: Path) -> None:
    write(tmp_path / "shop", {HISTORY: TEXT, ".squad/team.md": "# Team\n"})
    before = told(tmp_path)
    does(tmp_path, "archive", "Retry once", "Never poll")

    does(tmp_path, "restore", "Never poll")
    does(tmp_path, "restore", "Retry once")

    assert told(tmp_path) == before


def test_headings_that_went_meanwhile_are_made_again(tmp_path: Path) -> None:
    write(tmp_path / "shop", {HISTORY: TEXT, ".squad/team.md": "# Team\n"})
    before = told(tmp_path)
    does(tmp_path, "archive", "Ports close at night")
    path = tmp_path / "shop" / HISTORY
    path.write_text(path.read_text().replace("### 2026-03-01: Ports\n", ""))

    does(tmp_path, "restore", "Ports close at night")

    assert told(tmp_path) == before


def test_a_heading_goes_with_its_last_lesson_unless_agents_append_below_it(tmp_path: Path) -> None:
    text = f"{TEXT}\n### Winches\n\n#### Grease\n\n- Winches are greased\n"
    write(tmp_path / "shop", {HISTORY: text, ".squad/team.md": "# Team\n"})

    does(tmp_path, "archive", "Retry once")
    assert "Queues" in (tmp_path / "shop" / HISTORY).read_text()
    does(tmp_path, "archive", "Never poll")
    does(tmp_path, "archive", "Ports close at night", "Winches are greased")

    assert (tmp_path / "shop" / HISTORY).read_text() == "# Hill — History\n\n## Learnings\n\n"
    does(tmp_path, "restore", "Never poll")
    assert "### 2026-02-20: Queues\n\n- Never poll" in (tmp_path / "shop" / HISTORY).read_text()


def test_what_stands_below_a_heading_of_an_older_archive_comes_back_below_it(
    tmp_path: Path,
) -> None:
    old = "# Archive\n\n## 2026-01-01: Ropes\n\n- Coil left\n- Coil dry\n"
    write(tmp_path / "shop", {HISTORY: TEXT, ARCHIVE: old, ".squad/team.md": "# Team\n"})

    does(tmp_path, "restore", "Coil dry")

    history, archive = tmp_path / "shop" / HISTORY, tmp_path / "shop" / ARCHIVE
    assert history.read_text() == f"{TEXT}\n## 2026-01-01: Ropes\n\n- Coil dry\n"
    assert archive.read_text() == old.replace("- Coil dry\n", "")
    does(tmp_path, "restore", "Coil left")
    assert history.read_text() == f"{TEXT}\n## 2026-01-01: Ropes\n\n- Coil dry\n- Coil left\n"
    assert archive.read_text().strip() == "# Archive"


def test_a_section_that_was_archived_by_its_date_comes_back_entry_by_entry(tmp_path: Path) -> None:
    write(tmp_path / "shop", {HISTORY: TEXT, ".squad/team.md": "# Team\n"})
    before = told(tmp_path)
    with closing(bench_at(tmp_path)) as bench:
        shown = {"persona": "hill", "before": "2026-03-02"}
        bench.apply(Intent("sections.archive", {}, {**shown}))
    assert "Ports close at night" not in (tmp_path / "shop" / HISTORY).read_text()

    for lesson in before - told(tmp_path):
        does(tmp_path, "restore", lesson[0])

    assert {text for text, _, _ in told(tmp_path)} == {text for text, _, _ in before}


@pytest.mark.parametrize("newest_first", [False, True])
@pytest.mark.parametrize("behind", ["", "## Ropes\n\n- Coil dry\n"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_dated_section_comes_back_to_its_date(
    tmp_path: Path, newline: str, behind: str, *, newest_first: bool
) -> None:
    days = [
        f"### 2026-0{month}-01: Tide {month}\n\n- Wait for tide {month}\n" for month in (2, 3, 4)
    ]
    days = days[::-1] if newest_first else days
    text = "\n".join(["# Hill — History\n\n## Learnings\n", *days, *([behind] if behind else [])])
    history = tmp_path / "shop" / HISTORY
    write(tmp_path / "shop", {HISTORY: "", ".squad/team.md": "# Team\n"})
    for month in (2, 3, 4):
        history.write_bytes(text.replace("\n", newline).encode())
        does(tmp_path, "archive", f"Wait for tide {month}")
        assert f"Tide {month}".encode() not in history.read_bytes()

        does(tmp_path, "restore", f"Wait for tide {month}")

        assert history.read_bytes() == text.replace("\n", newline).encode()


def test_a_section_archived_by_its_date_comes_back_to_it(tmp_path: Path) -> None:
    text = "# Hill\n\n" + "\n".join(f"## 2026-0{n}-01: T{n}\n\n- Tide {n}\n" for n in (2, 3, 4))
    write(tmp_path / "shop", {HISTORY: text, ".squad/team.md": "# Team\n"})
    with closing(bench_at(tmp_path)) as bench:
        bench.apply(Intent("sections.archive", {}, {"persona": "hill", "before": "2026-03-15"}))

    does(tmp_path, "restore", "Tide 3")
    does(tmp_path, "restore", "Tide 2")

    assert (tmp_path / "shop" / HISTORY).read_text() == text


def test_what_an_older_archive_holds_says_that_it_does_not_know(tmp_path: Path) -> None:
    files = {HISTORY: TEXT, ARCHIVE: "- Old\n", ".squad/team.md": "# Team\n"}
    write(tmp_path / "shop", files)

    with pytest.raises(NotPossible, match="does not record where it was"):
        does(tmp_path, "restore", "Old")


def test_the_key_is_offered_on_an_archived_lesson(tmp_path: Path) -> None:
    write(tmp_path / "shop", {HISTORY: TEXT, ".squad/team.md": "# Team\n"})
    does(tmp_path, "archive", "Never poll")

    with closing(bench_at(tmp_path)) as bench:
        entry = next(e for e in lessons(bench.library) if e.title == "Never poll")
        assert RESTORE.why_not(bench.library, entry) is None


_TITLES = (
    *("## Learnings", "### 2026-02-20: Queues", "### 2026-03-01: Tides", "### Lamps"),
    *("## Ports", "## 2026-01-05: Boats", "#### a › b", ""),
)
_HEADS = st.lists(st.sampled_from(_TITLES), min_size=1, max_size=5)
_ITEMS = st.lists(st.sampled_from(["one", "two", "three\n  more"]), max_size=3)


@settings(max_examples=10, deadline=None)
@given(data=st.data(), heads=_HEADS)
def test_archiving_and_restoring_any_lesson_gives_back_what_was_told(
    data: st.DataObject, heads: list[str]
) -> None:
    parts = (f"{head}\n\n" + "".join(f"- {i}\n" for i in data.draw(_ITEMS)) for head in heads)
    text = "# Hill\n\n- first\n\n" + "\n".join(parts)
    with TemporaryDirectory() as folder:
        root = Path(folder)
        write(root / "shop", {HISTORY: text, ".squad/team.md": "# Team\n"})
        before = told(root)
        with closing(bench_at(root)) as bench:
            entry = data.draw(st.sampled_from(lessons(bench.library)))
            bench.apply(Intent("archive", {entry.ref: entry.digest}))
        with closing(bench_at(root)) as bench:
            (away,) = (e for e in lessons(bench.library) if e.status is Status.ARCHIVED)
            bench.apply(Intent("restore", {away.ref: away.digest}))

        # Two sections may have one heading path: it goes back to the last of them.
        assert told(root) == before


_SPACED = st.tuples(st.integers(0, 2), st.integers(0, 2))
"""Blank lines above and below the dated headings of a file."""


@settings(max_examples=20, deadline=None)
@given(spaced=_SPACED, sizes=st.lists(st.integers(1, 3), min_size=3, max_size=4), pick=st.data())
def test_a_lesson_comes_back_to_the_bytes_of_a_file_that_did_not_change(
    spaced: tuple[int, int], sizes: list[int], pick: st.DataObject
) -> None:
    above, below = ("\n" * (gap + 1) for gap in spaced)
    sections = [
        f"### 2026-02-{day:02}{below}" + "\n".join(f"- {day} has {n}" for n in range(size))
        for day, size in enumerate(sizes, 1)
    ]
    text = f"# Hill\n\n## Learnings\n\n{above.join(sections)}\n"
    day = pick.draw(st.integers(1, len(sizes)))
    lesson = f"{day} has {pick.draw(st.integers(0, sizes[day - 1] - 1))}"
    with TemporaryDirectory() as folder:
        root = Path(folder)
        write(root / "shop", {HISTORY: text, ".squad/team.md": "# Team\n"})

        does(root, "archive", lesson)
        assert (root / "shop" / HISTORY).read_text() != text
        does(root, "restore", lesson)

        assert (root / "shop" / HISTORY).read_text() == text


def test_a_ref_names_a_lesson_whose_section_went_into_the_archive_and_back(tmp_path: Path) -> None:
    write(tmp_path / "shop", {HISTORY: TEXT, ".squad/team.md": "# Team\n"})
    with closing(bench_at(tmp_path)) as bench:
        before = next(e.ref for e in lessons(bench.library) if e.title == "Never poll")
        bench.apply(Intent("sections.archive", {}, {"persona": "hill", "before": "2026-03-02"}))

        archived = bench.library.resolve(str(before))

        assert (archived.title, archived.status) == ("Never poll", Status.ARCHIVED)
        bench.apply(Intent("restore", {archived.ref: archived.digest}))
        assert bench.library.resolve(str(archived.ref)).status is Status.ACTIVE


def test_a_ref_of_one_place_names_nothing_of_another(tmp_path: Path) -> None:
    other = ".ai-team/agents/hill/history.md"
    write(tmp_path / "shop", {HISTORY: "# Hill\n\n- Own\n", other: TEXT, ".squad/team.md": "# T\n"})
    with closing(bench_at(tmp_path)) as bench:
        there = next(e.ref for e in lessons(bench.library) if e.title == "Never poll")
        assert there.place == "ai-team"

        with pytest.raises(UnknownRef):
            bench.library.resolve(str(replace(there, place="squad")))


def test_in_a_layout_with_folders_below_the_persona_a_section_comes_back_too(
    tmp_path: Path,
) -> None:
    memory = ".night-watch/agents/Hill/memories/shop"
    files = {f"{memory}/main.md": "## 2026-03-01\n\n- New\n"}
    files[f"{memory}/archive.md"] = "## 2026-01-01\n\n- Old\n"
    write(tmp_path / "home", files)
    (tmp_path / "shop").mkdir()

    does(tmp_path, "restore", "Old")

    assert "- Old\n" in (tmp_path / "home" / memory / "main.md").read_text()
    assert "Old" not in (tmp_path / "home" / memory / "archive.md").read_text()


def test_a_dated_section_among_undated_ones_comes_back_below_its_own_heading(
    tmp_path: Path,
) -> None:
    text = (
        "# Hill\n\n## Learnings\n\n### Queues\n\n- Retry once\n\n### 2026-02-20: Boats\n\n- Count\n"
        "\n## Ports\n\n- Close at night\n"
    )
    write(tmp_path / "shop", {HISTORY: text, ".squad/team.md": "# Team\n"})
    before = told(tmp_path)
    does(tmp_path, "archive", "Count")

    does(tmp_path, "restore", "Count")

    assert told(tmp_path) == before
