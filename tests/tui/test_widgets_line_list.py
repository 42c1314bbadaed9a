"""A list keeps its place, draws only what is seen, and tells what the person points at."""

from __future__ import annotations

from collections.abc import Hashable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tui.journey import Journey
from textual.app import App, ComposeResult
from textual.strip import Strip

from remem.tui.textual_private import screen_text
from remem.tui.verbs import DOWN, HALF_DOWN, LAST, MARK, MARK_RANGE, OPEN, UP
from remem.tui.widgets.line_list import LOST_SECONDS, LineList
from remem.tui.widgets.line_view import empty_text
from remem.views.glyphs import ASCII, UNICODE, Glyphs
from remem.views.list_rows import Row, Rows
from remem.views.spans import spans


class ListApp(App[None]):
    """One list and what it said."""

    def __init__(self, view: LineList, glyphs: Glyphs = UNICODE) -> None:
        super().__init__()
        self.glyphs = glyphs
        self.view = view
        self.heard: list[str] = []

    def compose(self) -> ComposeResult:
        yield self.view

    def on_mount(self) -> None:
        self.view.focus()

    def on_line_list_opened(self, message: LineList.Opened) -> None:
        self.heard.append(f"opened {message.row.key}")

    def on_line_list_highlighted(self, message: LineList.Highlighted) -> None:
        self.heard.append(f"on {message.row.key if message.row else None}")

    def on_line_list_unsettled(self, message: LineList.Unsettled) -> None:
        self.heard.append(f"{'vanished' if message.vanished else 'changed'} {message.row.key}")


def row(key: Hashable, *, version: str = "", is_header: bool = False) -> Row:
    return Row(key, spans(f"entry {key}"), version=version, is_header=is_header)


def rows_of(*keys: Hashable) -> Rows:
    return Rows.of([row(key) for key in keys])


async def test_a_long_list_makes_only_the_rows_that_are_seen() -> None:
    made: set[int] = set()

    def make(index: int) -> Row:
        made.add(index)
        return row(index)

    view = LineList(Rows(range(100_000), make))
    async with ListApp(view).run_test(size=(60, 20)) as pilot:
        journey = await Journey(pilot).use(LAST)

        journey.sees("entry 99999")
        assert len(made) < 100


async def test_a_row_that_stays_in_sight_is_made_once_however_it_is_narrowed() -> None:
    made: list[int] = []

    def make(index: int) -> Row:
        made.append(index)
        return row(index)

    rows = Rows(range(100_000), make)
    view = LineList(rows)
    async with ListApp(view).run_test(size=(60, 20)) as pilot:
        journey = await Journey(pilot).rest()
        made.clear()

        view.show(rows.narrowed(range(0, 100_000, 2)), decided=True)
        await journey.rest()

        assert sorted(made) == sorted({*made})
        assert made[0] > 18


async def test_movement_passes_headers_and_shows_the_one_above() -> None:
    view = LineList(
        Rows.of([row("h1", is_header=True), row(1), row("h2", is_header=True), row(2), row(3)])
    )
    async with ListApp(view).run_test(size=(40, 3)) as pilot:
        journey = await Journey(pilot).rest()
        assert view.row == row(1)

        await journey.use(DOWN)
        assert view.row == row(2)

        await journey.use(DOWN, UP, UP)
        journey.sees("entry h1", "entry 1")


async def test_arrows_and_letters_do_the_same() -> None:
    view = LineList(rows_of(*range(9)))
    async with ListApp(view).run_test(size=(40, 5)) as pilot:
        await pilot.press("down", "j", "up", "k", "pagedown", "end")

        assert view.cursor == 8


async def test_a_refill_keeps_cursor_marks_and_the_line_on_the_screen() -> None:
    view = LineList(rows_of(*range(100)))
    async with ListApp(view).run_test(size=(40, 10)) as pilot:
        journey = await Journey(pilot).use(HALF_DOWN, HALF_DOWN, HALF_DOWN, MARK)
        seat = view.cursor - view.scroll_offset.y

        view.show(rows_of(*range(-30, 100)))
        await journey.rest()

        assert view.row == row(16)
        assert view.marked == (15,)
        assert view.cursor - view.scroll_offset.y == seat


@settings(max_examples=60, deadline=None)
@given(
    before=st.lists(st.integers(0, 30), unique=True, min_size=1),
    after=st.lists(st.integers(0, 30), unique=True),
    data=st.data(),
)
def test_the_place_is_the_same_row_or_the_nearest_that_is_left(
    before: list[int], after: list[int], data: st.DataObject
) -> None:
    index = data.draw(st.integers(0, len(before) - 1))
    old, new = rows_of(*before), rows_of(*after)

    place = new.place_of(old, index)

    if before[index] in after:
        assert place is not None
        assert new.key(place) == before[index]
    else:
        assert place is None
        nearest = new.nearest_to(old, index)
        assert 0 <= nearest < max(len(after), 1)
        following = [key for key in before[index + 1 :] if key in after]
        if following:
            assert new.key(nearest) == following[0]


@given(st.lists(st.integers(0, 60), unique=True).map(sorted), st.integers(0, 60))
def test_narrowing_keeps_the_row_or_takes_the_next_one(shown: list[int], index: int) -> None:
    whole = rows_of(*range(61))

    narrowed = whole.narrowed(shown)

    place = narrowed.place_of(whole, index)
    if index in shown:
        assert place is not None
        assert narrowed.key(place) == index
    elif shown:
        nearest = narrowed.key(narrowed.nearest_to(whole, index))
        assert nearest == min((key for key in shown if key > index), default=shown[-1])


async def test_a_row_that_vanishes_under_the_cursor_unsettles_until_the_next_movement() -> None:
    view = LineList(rows_of(1, 2, 3))
    app = ListApp(view)
    async with app.run_test(size=(40, 10)) as pilot:
        journey = await Journey(pilot).use(DOWN)

        view.show(rows_of(1, 3))
        await journey.rest()

        assert not view.is_settled
        assert view.row == row(3)
        assert "vanished 2" in app.heard
        await journey.use(UP)
        assert view.is_settled


@pytest.mark.slow
@given(
    keys=st.lists(st.integers(0, 60), min_size=1, max_size=40, unique=True),
    index=st.integers(0, 39),
    marked=st.sets(st.integers(0, 60)),
    left=st.sets(st.integers(0, 60)),
    seconds=st.floats(0, LOST_SECONDS),
)
@settings(max_examples=40, deadline=None)
async def test_what_vanishes_and_comes_back_soon_leaves_cursor_marks_and_scroll_as_they_were(
    keys: list[int], index: int, marked: set[int], left: set[int], seconds: float
) -> None:
    now = [100.0]
    view = LineList(rows_of(*keys), clock=lambda: now[0])
    async with ListApp(view).run_test(size=(40, 8)) as pilot:
        view.move_to(keys[index % len(keys)])
        view.mark([key for key in keys if key in marked])
        await pilot.pause()
        before = view.row, set(view.marked), view.scroll_offset.y
        assert before[0] is not None
        gone = before[0].key

        view.show(rows_of(*(key for key in keys if key in left and key != gone)))
        now[0] += seconds
        view.show(rows_of(*keys, "new"))
        await pilot.pause()

        assert (view.row, set(view.marked), view.scroll_offset.y) == before
        assert view.is_settled


@pytest.mark.parametrize("seconds", [LOST_SECONDS + 0.1, 60.0])
async def test_what_comes_back_late_is_not_jumped_to(seconds: float) -> None:
    now = [100.0]
    view = LineList(rows_of(1, 2, 3), clock=lambda: now[0])
    async with ListApp(view).run_test(size=(40, 10)) as pilot:
        await Journey(pilot).use(LAST)

        view.show(rows_of(1))
        now[0] += seconds
        view.show(rows_of(1, 2, 3))
        await pilot.pause()

        assert view.row == row(1)
        assert not view.is_settled


async def test_whoever_moved_meanwhile_is_left_where_they_went() -> None:
    view = LineList(rows_of(1, 2, 3), clock=lambda: 100.0)
    async with ListApp(view).run_test(size=(40, 10)) as pilot:
        journey = await Journey(pilot).use(LAST)

        view.show(rows_of(1, 2))
        await journey.use(UP)
        view.show(rows_of(1, 2, 3))
        await pilot.pause()

        assert view.row == row(1)
        assert view.is_settled


async def test_what_comes_back_changed_unsettles_where_it_stands() -> None:
    view = LineList(Rows.of([row(1), row(2, version="a")]), clock=lambda: 100.0)
    app = ListApp(view)
    async with app.run_test(size=(40, 10)) as pilot:
        await Journey(pilot).use(LAST)

        view.show(rows_of(1))
        view.show(Rows.of([row(1), row(2, version="b")]))
        await pilot.pause()

        assert view.row == row(2, version="b")
        assert not view.is_settled
        assert "changed 2" in app.heard


async def test_a_row_that_changes_under_the_cursor_unsettles() -> None:
    view = LineList(Rows.of([row(1, version="a")]))
    app = ListApp(view)
    async with app.run_test(size=(40, 10)) as pilot:
        view.show(Rows.of([row(1, version="b")]))
        await pilot.pause()

        assert not view.is_settled
        assert "changed 1" in app.heard


async def test_a_filter_that_leads_to_another_row_settles_what_was_unsettled() -> None:
    view = LineList(Rows.of([row(1, version="a"), row(2)]))
    async with ListApp(view).run_test(size=(40, 10)) as pilot:
        changed = Rows.of([row(1, version="b"), row(2)])
        view.show(changed)
        await pilot.pause()
        assert not view.is_settled

        view.show(changed.narrowed([1]))
        await pilot.pause()

        assert view.row == row(2)
        assert view.is_settled


async def test_what_the_person_decided_does_not_unsettle() -> None:
    view = LineList(rows_of(1, 2, 3))
    async with ListApp(view).run_test(size=(40, 10)) as pilot:
        view.show(rows_of(2, 3), decided=True)
        await pilot.pause()

        assert view.is_settled
        assert view.row == row(2)


async def test_changed_rows_are_marked_until_the_cursor_was_there() -> None:
    view = LineList(rows_of(1, 2, 3))
    async with ListApp(view).run_test(size=(40, 10)) as pilot:
        view.show(rows_of(1, 2, 3), changed=[2])
        journey = await Journey(pilot).rest()
        journey.sees("•")

        await journey.use(DOWN)

        journey.sees_not("•")


async def test_a_range_is_marked_to_the_cursor_and_skips_headers() -> None:
    view = LineList(Rows.of([row(1), row("h", is_header=True), row(2), row(3)]))
    async with ListApp(view).run_test(size=(40, 10)) as pilot:
        journey = await Journey(pilot).use(MARK_RANGE, DOWN)
        journey.sees("✓")

        await journey.use(MARK_RANGE, DOWN)

        assert list(view.marked) == [1, 2]
        assert view.clear_marks()
        assert list(view.marked) == []
        assert not view.clear_marks()


async def test_a_range_that_is_being_drawn_ends_where_the_list_now_ends() -> None:
    view = LineList(rows_of(*range(9)))
    async with ListApp(view).run_test(size=(40, 12)) as pilot:
        journey = await Journey(pilot).rest()
        await journey.use(DOWN, MARK_RANGE, LAST)

        view.show(rows_of(0, 1, 2))
        await journey.rest()

        assert view.marked == (1, 2)


async def test_marks_of_what_is_gone_are_dropped_and_of_what_is_filtered_kept() -> None:
    whole = rows_of(1, 2, 3)
    view = LineList(whole)
    async with ListApp(view).run_test(size=(40, 10)) as pilot:
        await Journey(pilot).use(MARK, MARK)

        view.show(whole.narrowed([2]))
        assert list(view.marked) == [1, 2]

        view.show(rows_of(2, 3))
        assert list(view.marked) == [2]


async def test_a_click_selects_and_a_double_click_opens() -> None:
    app = ListApp(LineList(rows_of(1, 2, 3)))
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.click(LineList, offset=(5, 1))
        assert app.view.row == row(2)
        assert "opened 2" not in app.heard

        await pilot.click(LineList, offset=(5, 2), times=2)
        await Journey(pilot).use(UP, OPEN)

        assert [said for said in app.heard if said.startswith("opened")] == ["opened 3", "opened 2"]


async def test_an_empty_list_says_why_and_what_to_press() -> None:
    view = LineList(empty=empty_text("nothing waits", "1", "browse entries"))
    async with ListApp(view).run_test(size=(40, 10)) as pilot:
        journey = await Journey(pilot).use(DOWN, OPEN, MARK)
        journey.sees("reading …")  # nobody told it yet

        view.show(rows_of())
        await journey.rest()

        journey.sees("nothing waits", "1 browse entries")
        assert view.row is None


async def test_a_list_may_empty_and_fill_again() -> None:
    view = LineList(rows_of(1, 2))
    async with ListApp(view).run_test(size=(40, 10)) as pilot:
        view.show(rows_of())
        journey = await Journey(pilot).use(DOWN)
        journey.sees("nothing here")

        view.show(rows_of(7, 8))
        await journey.rest()

        assert view.row == row(7)


HOSTILE = (
    pytest.param("[/foo] [bold]x", "[/foo] [bold]x", id="markup"),
    pytest.param("[@click=app.quit]here[/]", "[@click=app.quit]here[/]", id="action"),
    pytest.param("\x1b]0;t\x07\x1b[2Jgone", "␛]0;t␇␛[2Jgone", id="escapes"),
    pytest.param("a\u202eb", "a⟦U+202E⟧b", id="direction"),
    pytest.param("one\ntwo", "one⏎two", id="newline"),
)


@pytest.mark.parametrize(("text", "shown"), HOSTILE)
async def test_hostile_labels_are_drawn_and_do_nothing(text: str, shown: str) -> None:
    # Not gated by whoever made the row: drawing has to do it.
    view = LineList(Rows.of([Row(1, ((*spans("x"),)[0]._replace(text=text),))]))
    app = ListApp(view)
    async with app.run_test(size=(60, 5)) as pilot:
        Journey(pilot).sees(shown)
        for x in (1, 6, 9, 20):
            await pilot.click(LineList, offset=(x, 0))

        assert app.is_running
        assert all(character.isprintable() or character == "\n" for character in screen_text(app))


async def test_ascii_glyphs_draw_ascii_only() -> None:
    view = LineList(rows_of(*range(40)))
    async with ListApp(view, ASCII).run_test(size=(40, 10)) as pilot:
        journey = await Journey(pilot).use(MARK)
        view.show(rows_of(*range(40)), changed=[5])
        await journey.rest()

        journey.sees(" X  ", "> ", "  M")
        for y in range(9):
            assert view.render_line(y).text.isascii()


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 36), (200, 60)])
async def test_lines_fill_the_pane_at_every_size(size: tuple[int, int]) -> None:
    view = LineList(Rows.of([Row(i, spans("界" * 90), right=spans("1,204")) for i in range(100)]))
    async with ListApp(view).run_test(size=size) as pilot:
        await pilot.pause()

        widths = {view.render_line(y).cell_length for y in range(size[1])}

        assert widths == {view.line_width}


class Counting(LineList):
    """Counts the lines that are drawn."""

    drawn = 0

    def render_line(self, y: int) -> Strip:
        self.drawn += 1
        return super().render_line(y)


async def test_of_a_list_that_is_filled_again_only_the_lines_that_changed_are_drawn() -> None:
    view = Counting(rows_of(*range(100)))
    async with ListApp(view).run_test(size=(60, 20)) as pilot:
        journey = await Journey(pilot).rest()
        view.drawn = 0

        view.show(Rows.of([row(n) if n != 3 else Row(3, spans("other words")) for n in range(100)]))
        await journey.rest()

        journey.sees("other words")
        assert view.drawn == 1


@pytest.mark.slow
@settings(max_examples=10, deadline=None)
@given(fills=st.lists(st.lists(st.integers(0, 30), unique=True, max_size=30), max_size=8))
async def test_whatever_it_is_filled_with_nothing_old_stays_on_the_screen(
    fills: list[list[int]],
) -> None:
    view = LineList(rows_of(*range(20)))
    async with ListApp(view).run_test(size=(60, 12)) as pilot:
        journey = await Journey(pilot).use(DOWN, MARK)

        for number, keys in enumerate(fills):
            words = [Row(key, spans(f"{key % (number + 1)} of {key}")) for key in keys]
            view.show(Rows.of(words), changed=keys[:1] if number % 2 else ())
            await journey.rest()
            shown = screen_text(pilot.app)
            view.refresh()
            await journey.rest()

            assert screen_text(pilot.app) == shown
