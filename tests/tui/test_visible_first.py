"""What changes on disk is on the screen before anything is worked out of it."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from tests.sniper_files import CONVENTIONS, DECISIONS, project
from tests.tui.journey import Journey, until
from tests.tui.opened import opened

from remem.base import turns
from remem.core.session import Session
from remem.core.settings import Places
from remem.core.waiting.item import Item
from remem.model.entry import Entry, Ref
from remem.store.changes.recovery import Recovered
from remem.systems.sniper.stores import entries_of
from remem.tui.app import RememApp, six_screens
from remem.tui.screens.browse import BrowseScreen
from remem.tui.textual_private import screen_text
from remem.tui.verbs import FILTER
from remem.tui.widgets.line_list import LineList
from remem.views.entries.entry_list import SOON, Entries, Refs, entry_filter
from remem.views.list_rows import Row, Rows


def store(count: int) -> bytes:
    rules = (f"  - id: conv-{n:04d}\n    rule: Case {n} keeps its lamp lit\n" for n in range(count))
    return f"conventions:\n{''.join(rules)}".encode()


class Telling(Session):
    """Tells what the screen showed whenever something is worked out."""

    app: RememApp | None = None
    heard: list[tuple[str, str]]
    shown: Event

    def queue(self) -> tuple[Item, ...]:
        self._tell_of("queue")
        return super().queue()

    def follow(self) -> None:
        self._tell_of("follow")
        super().follow()

    def _tell_of(self, what: str) -> None:
        if self.app is not None:
            self.heard.append((what, screen_text(self.app)))
            self.shown.set()


class Hesitating(BrowseScreen):
    """Takes long to gather what it shows: whatever does not wait for it comes first."""

    def load(self) -> Any:
        if isinstance(self.session, Telling) and self.session.app is not None:
            self.session.shown.wait(0.2)
        return super().load()


async def test_the_queue_and_what_became_of_decisions_wait_until_a_change_is_drawn(
    tmp_path: Path,
) -> None:
    root = project(tmp_path, {CONVENTIONS: store(30)}).ground.root
    bench = Telling.open(root, Places.of(tmp_path / "home"), door="tui")
    file = bench.root / CONVENTIONS
    app = RememApp(bench, {**six_screens(), "browse": Hesitating}, start="browse")
    async with app.run_test(size=(120, 36)) as pilot:
        journey = await Journey(pilot).rest()
        bench.heard, bench.shown, bench.app = [], Event(), app

        file.write_bytes(file.read_bytes().replace(b"Case 2 keeps", b"Case two keeps"))
        await asyncio.to_thread(bench.take_in, {file})
        await until(lambda: len(bench.heard) > 1)
        await journey.rest()

        assert {what for what, _ in bench.heard} == {"queue", "follow"}
        assert all("Case two keeps its lamp lit" in shown for _, shown in bench.heard)
        bench.app = None
    bench.close()


async def test_what_follows_from_a_decision_waits_for_the_frame_that_shows_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = project(tmp_path, {CONVENTIONS: store(30)}).ground.root
    bench = Telling.open(root, Places.of(tmp_path / "home"), door="tui")
    app = RememApp(bench, start="browse")
    async with app.run_test(size=(120, 36)) as pilot:
        await Journey(pilot).rest()
        monkeypatch.setattr(turns, "_MOST", 30.0)
        bench.heard, bench.shown, bench.app = [], Event(), app

        turns.key_pressed()
        app.follow_others()
        for _ in range(5):
            await asyncio.to_thread(lambda: None)
        assert bench.heard == []

        turns.frame_drawn()
        await until(lambda: [what for what, _ in bench.heard] == ["follow"])
        bench.app = None
    bench.close()


class Late(Session):
    """Finds out what was written only when it may."""

    may_begin: Event

    def begin(self) -> tuple[Recovered, ...]:
        self.may_begin.wait(30)
        return super().begin()


async def test_nobody_is_told_to_be_caught_up_before_it_is_known_what_was_written(
    tmp_path: Path,
) -> None:
    root, places = tmp_path / "shop", Places.of(tmp_path / "home")
    root.mkdir()
    (root / "CLAUDE.md").write_text("# Rules\n\n- Use tabs.\n")
    seen = Session.open(root, places, door="cli")
    seen.begin_inbox()
    seen.close()
    (root / "CLAUDE.md").write_text("# Rules\n\n- Use tabs.\n- Never push to main.\n")

    bench = Late.open(root, places, door="tui")
    bench.may_begin = Event()
    app = RememApp(bench, start="review")
    async with app.run_test(size=(120, 36)) as pilot:
        await until(lambda: "looking for what was written" in screen_text(app))
        assert "All caught up" not in screen_text(app)

        bench.may_begin.set()
        await Journey(pilot).rest()
        Journey(pilot).sees("Never push to main.").sees_not("looking for what was written")
    bench.close()


class Counted(Entries):
    """Tells which entries were asked for."""

    asked: frozenset[int] = frozenset()

    def __getitem__(self, index: int | slice) -> Entry:  # type: ignore[override]
        assert isinstance(index, int)
        self.asked |= {index}
        return super().__getitem__(index)


def test_after_a_change_a_filter_reads_the_changed_entry_and_no_other(tmp_path: Path) -> None:
    library = project(tmp_path, {CONVENTIONS: store(SOON + 50)})
    before = entry_filter(Entries(library.sources), {})
    file = library.ground.root / CONVENTIONS
    file.write_bytes(file.read_bytes().replace(b"Case 7 ", b"Case seven "))

    changed = library.refresh([file])
    entries = Counted(changed.sources)
    after = entry_filter(entries, {}, before)

    assert entries.asked == {7}
    assert list(after.search.find("case seven")) == [7]
    assert list(after.search.find("2041 keeps kind:convention")) == [2041]
    fresh = entry_filter(Entries(changed.sources), {})
    for typed in ("case 20", "status:active", "!status:active", "role:qa lamp", "kind:x"):
        assert list(after.search.find(typed)) == list(fresh.search.find(typed))


def test_an_entry_that_changed_is_the_only_one_that_is_parsed_for_it(tmp_path: Path) -> None:
    library = project(tmp_path, {CONVENTIONS: store(200)})
    before = entry_filter(Entries(library.sources), {})
    file = library.ground.root / CONVENTIONS
    file.write_bytes(file.read_bytes().replace(b"Case 7 ", b"Case seven "))
    changed = library.refresh([file])
    source = next(source for source in changed.sources if source.part == "conventions")

    entry_filter(Entries(changed.sources), {}, before)

    entries = entries_of(source)
    was = [entry for entry in library.entries() if entry.kind == "convention"]
    known = [entries.known(number) for number in range(len(entries))]
    assert [number for number, entry in enumerate(known) if entry is not was[number]] == [7]


class Asked(Entries):
    """Tells of how many entries the ref was asked for."""

    refs = 0

    def ref(self, index: int) -> Ref:
        self.refs += 1
        return super().ref(index)


def test_a_row_of_a_large_store_is_found_by_its_ref_without_making_all_refs(
    tmp_path: Path,
) -> None:
    files = {CONVENTIONS: store(SOON + 50), DECISIONS: b"decisions:\n  - decision: Sail\n"}
    library = project(tmp_path, files).refresh()
    entries = Asked(library.sources)
    rows = Rows(Refs(entries), lambda index: Row(entries.ref(index), ()))
    every = [entry.ref for entry in library.entries()]
    gone = replace(every[5], id="conv-9999")

    entries.refs = 0
    places = [rows.find(ref) for ref in (every[2_000], every[-1], gone)]

    assert places == [2_000, len(every) - 1, None]
    assert entries.refs < 250


@pytest.mark.slow
async def test_a_large_store_is_filtered_by_what_others_wrote_into_it_meanwhile(
    tmp_path: Path,
) -> None:
    def prepare(root: Path) -> None:
        (root / CONVENTIONS).write_bytes(store(SOON + 50))

    async with opened(tmp_path, start="browse", prepare=prepare) as desk:
        await desk.write(CONVENTIONS, lambda data: data.replace(b"Case 7 ", b"Case seven "))
        await desk.journey.rest()
        pane = desk.journey.pilot.app.screen.query_one("#entries", LineList)

        await desk.journey.use(FILTER)
        await desk.journey.types("case seven")

        assert len(pane.rows) == 1


class Unread(Session):
    """Parses nothing that nobody looks at before it is let."""

    may: Event

    def begin(self) -> tuple[Recovered, ...]:
        self.may.wait(60)
        return super().begin()


async def test_a_filter_shows_its_first_rows_before_all_of_a_large_store_is_read(
    tmp_path: Path,
) -> None:
    root = project(tmp_path, {CONVENTIONS: store(SOON + 50)}).ground.root
    session = Unread.open(root, Places.of(tmp_path / "home"), door="tui")
    session.may = Event()
    app = RememApp(session, start="browse")
    async with app.run_test(size=(120, 36)) as pilot:
        await until(lambda: "Case 9 keeps" in screen_text(app))
        pane = app.screen.query_one("#entries", LineList)

        await pilot.press("slash", *"case", "space", *"17")
        await until(lambda: "Case 18 keeps" not in screen_text(app))
        first = [row.label[0].text for row in pane.rows]
        shown = screen_text(app)

        await pilot.press(*"77")  # too far down to be found so soon
        await until(lambda: len(pane.rows) > SOON)
        unsure = screen_text(app)

        session.may.set()
        await until(lambda: len(pane.rows) == 1)
        journey = await Journey(pilot).rest()
        journey.sees("Case 1777 keeps", "1 of 2,050")
    session.close()
    assert first[:2] == ["Case 17 keeps its lamp lit", "Case 117 keeps its lamp lit"]
    assert len(first) < 80
    assert "reading …" in shown
    assert "reading …" in unsure


async def test_nobody_is_said_to_be_missing_before_all_was_read(tmp_path: Path) -> None:
    root = project(tmp_path, {"notes/readme.md": "# Notes\n"}).ground.root
    session = Unread.open(root, Places.of(tmp_path / "home"), door="tui")
    session.may = Event()
    app = RememApp(session, start="prompt")
    async with app.run_test(size=(120, 36)) as pilot:
        await until(lambda: "reading …" in screen_text(app))
        unsure = screen_text(app)

        session.may.set()
        await until(lambda: "no role or agent was found here" in screen_text(app))
        (await Journey(pilot).rest()).sees_not("reading …")
    session.close()
    assert "no role or agent" not in unsure
