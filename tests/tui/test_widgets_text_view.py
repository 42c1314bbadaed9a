"""Long texts: what wraps, what is kept on a refill, what the gutter says."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.tui.journey import Journey
from textual.app import App, ComposeResult

from remem.store.changes.hunks import Hunk, file_diff
from remem.tui.textual_private import screen_text
from remem.tui.verbs import DOWN, LAST, OPEN, RIGHT, UP
from remem.tui.widgets.text_view import TextView
from remem.views.diff import FileDiff, diff_lines, one_line
from remem.views.long_text import (
    TextLine,
    markdown_lines,
    span_line,
    text_line,
    text_lines,
    waterline,
)
from remem.views.spans import Span, Tone, span
from remem.views.wrapping import wrap


class TextApp(App[None]):
    def __init__(self, view: TextView) -> None:
        super().__init__()
        self.view = view
        self.opened: list[object] = []

    def compose(self) -> ComposeResult:
        yield self.view

    def on_mount(self) -> None:
        self.view.focus()

    def on_text_view_opened(self, message: TextView.Opened) -> None:
        self.opened.append(message.line.ref)


def numbered(count: int) -> list[TextLine]:
    return [text_line(f"line {i} of a text", ref=i, number=i + 1) for i in range(count)]


async def test_bullets_wrap_under_their_words_and_tables_are_cut_with_a_sign() -> None:
    text = (
        "- a bullet whose words go on behind the edge\n| a table that goes on behind the edge too |"
    )
    view = TextView(markdown_lines(text))
    async with TextApp(view).run_test(size=(24, 6)) as pilot:
        journey = await Journey(pilot).rest()

        journey.sees("- a bullet whose words", "  go on behind the edge", "| a table that goes on…")

        await journey.use(RIGHT)
        journey.sees("‹", "go on behind")


@pytest.mark.slow
async def test_a_hundred_thousand_lines_open_and_end() -> None:
    view = TextView(numbered(100_000))
    async with TextApp(view).run_test(size=(60, 20)) as pilot:
        journey = await Journey(pilot).use(LAST)

        journey.sees("line 99999 of a text")


async def test_the_cursor_stops_at_lines_with_a_ref_and_opens_them() -> None:
    lines = [
        text_line("# heading"),
        text_line("first", ref="a"),
        text_line(""),
        text_line("x", ref="b"),
    ]
    app = TextApp(TextView(lines, has_cursor=True))
    async with app.run_test(size=(60, 20)) as pilot:
        journey = await Journey(pilot).rest()
        assert app.view.line == lines[1]

        await journey.use(DOWN, OPEN, UP, OPEN)

        assert app.opened == ["b", "a"]


async def test_a_refill_keeps_cursor_and_scroll_by_ref() -> None:
    view = TextView(numbered(100), has_cursor=True)
    async with TextApp(view).run_test(size=(60, 10)) as pilot:
        await pilot.press(*["pagedown"] * 3)
        line, top = view.line, view.lines[view.scroll_offset.y]

        view.show([*(text_line(f"new {i}", ref=f"n{i}") for i in range(20)), *numbered(100)])
        await pilot.pause()

        assert view.line == line
        assert view.lines[view.scroll_offset.y] == top


async def test_the_gutter_shows_tokens_numbers_and_the_layer_in_a_letter() -> None:
    lines = [text_line("a rule", number=7, tokens=12, layer=2, letter="M")]
    async with TextApp(TextView(lines, numbers=True)).run_test(size=(40, 4)) as pilot:
        (await Journey(pilot).rest()).sees("12 7 M│a rule")


async def test_the_waterline_goes_across_the_pane() -> None:
    lines = [text_line("in", ref=1), waterline("2,000 of 2,000 tokens"), text_line("out", ref=2)]
    app = TextApp(TextView(lines, has_cursor=True))
    async with app.run_test(size=(40, 4)) as pilot:
        journey = await Journey(pilot).use(DOWN)

        journey.sees("── 2,000 of 2,000 tokens ───────────────")
        assert app.view.line == lines[2]


async def test_find_marks_matches_and_returns_their_lines() -> None:
    view = TextView(text_lines("Zod here\nnothing\nand zod again"))
    async with TextApp(view).run_test(size=(40, 4)):
        assert view.find("zod") == (0, 2)
        assert view.find("") == ()


async def test_a_resize_keeps_the_line_at_the_top() -> None:
    view = TextView([text_line(f"{i} " + "word " * 20) for i in range(50)])
    async with TextApp(view).run_test(size=(80, 10)) as pilot:
        await pilot.press(*["pagedown"] * 3)
        number = screen_text(pilot.app).split(maxsplit=1)[0]

        await pilot.resize_terminal(40, 10)
        await pilot.pause()

        assert f"{number} word" in screen_text(pilot.app) or number == "word"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("[/foo] [@click=app.quit]x[/]", id="markup"),
        pytest.param("\x1b]52;c;x\x07\x9b2J\x7f", id="escapes"),
        pytest.param("\u202e\u200b\U000e0041", id="hidden"),
        pytest.param("x" * 10_000, id="long word"),
        pytest.param("e" + "\u0301" * 500, id="combining flood"),
    ],
)
async def test_hostile_lines_are_drawn_and_do_nothing(text: str) -> None:
    # `TextLine` by hand: drawing gates what nobody gated.
    view = TextView([TextLine(text, ref=1), replace(span_line((Span(text),)), wraps=False)])
    app = TextApp(view)
    async with app.run_test(size=(60, 10)) as pilot:
        await pilot.click(TextView, offset=(3, 0))
        await pilot.pause()

        shown = screen_text(app)
        assert app.is_running
        assert all(c.isprintable() or c == "\n" for c in shown)
        assert "\u202e" not in shown


async def test_an_empty_text_says_so() -> None:
    async with TextApp(TextView()).run_test(size=(40, 4)) as pilot:
        (await Journey(pilot).use(DOWN, LAST, OPEN)).sees("nothing to show")


HUNK = Hunk(3, ("  use old words",), ("  use new words", "  and more"), ("above",), ("below",))


def test_a_diff_shows_signs_line_numbers_and_the_words_that_differ() -> None:
    lines = diff_lines([FileDiff("a.yaml", (HUNK,))])

    assert [(line.sign, line.number, line.text) for line in lines] == [
        ("", 0, "a.yaml"),
        ("", 2, "above"),
        ("-", 3, "  use old words"),
        ("+", 0, "  use new words"),
        ("+", 0, "  and more"),
        ("", 4, "below"),
    ]
    assert Span("old", Tone.REMOVED_WORD) in lines[2].spans
    assert Span("new", Tone.ADDED_WORD) in lines[3].spans


def test_a_missing_last_newline_is_told_without_a_number_and_counted_as_no_line() -> None:
    (hunk,) = file_diff(b"a\nzzz", b"a\nqqq")
    told = "\\ No newline at end of file"

    lines = diff_lines([FileDiff("f", (hunk,))])

    assert (hunk.gone, hunk.came) == (1, 1)
    assert [(line.sign, line.number, line.text) for line in lines[1:]] == [
        ("", 1, "a"),
        ("-", 2, "zzz"),
        ("", 0, told),
        ("+", 0, "qqq"),
        ("", 0, told),
    ]


def test_unlike_sides_are_not_compared_by_word() -> None:
    lines = diff_lines([FileDiff("a", (Hunk(1, ("one two three",), ("zzzzz qqqq",)),))])

    assert {part.tone for line in lines[1:] for part in line.spans} == {Tone.REMOVED, Tone.ADDED}


def test_line_ends_of_windows_are_not_drawn() -> None:
    hunks = file_diff(b"a\r\nb\r\n", b"a\r\nc\r\n")

    assert [line.text for line in diff_lines([FileDiff("f", hunks)])] == ["f", "a", "b", "c"]


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        pytest.param(b"a\n", b"a\nb\nc\n", "+2 lines at the end, nothing else", id="at the end"),
        pytest.param(b"a\nb\n", b"a\nx\nb\n", "+1 line at line 2, nothing else", id="inside"),
        pytest.param(b"a\n", b"b\n", "", id="a change"),
        pytest.param(b"a\n", b"a\n", "", id="nothing"),
    ],
)
def test_a_pure_addition_is_said_in_one_line(before: bytes, after: bytes, said: str) -> None:
    assert one_line([FileDiff("f", file_diff(before, after))]) == said


async def test_a_diff_draws_signs_at_60_columns() -> None:
    lines = diff_lines([FileDiff("conventions.yaml", (HUNK,), "with a note")])
    view = TextView(lines, numbers=True)
    async with TextApp(view).run_test(size=(60, 12)) as pilot:
        journey = await Journey(pilot).rest()

        journey.sees(
            "conventions.yaml", "with a note", "3 -   use old words", "  +   use new words"
        )


def test_span_lines_keep_their_text() -> None:
    assert span_line((span("a\tb"), Span("c\td"))).text == "a⇥bc   d"


async def test_a_text_that_got_shorter_while_it_was_hidden_is_drawn_when_it_comes_back() -> None:
    view = TextView(text_lines("\n".join(map(str, range(50)))))
    async with TextApp(view).run_test(size=(40, 12)) as pilot:
        view.display = False
        await pilot.pause()
        view.show(text_lines("one"))

        view.display = True
        view.refresh()
        await pilot.pause()

        assert "one" in screen_text(pilot.app)


def test_a_continuation_hangs_under_the_value_of_a_field() -> None:
    pieces = [*wrap("rationale   Two passengers were charged twice", 24, 12)]

    assert [piece.indent for piece in pieces] == [0, *[12] * (len(pieces) - 1)]
    assert len(pieces) > 1


async def test_the_line_under_the_cursor_is_in_sight_at_first_though_others_stand_above() -> None:
    head = [text_line(f"heading {number}") for number in range(30)]
    view = TextView([*head, text_line("the first entry", ref="a")], has_cursor=True)
    async with TextApp(view).run_test(size=(40, 8)) as pilot:
        (await Journey(pilot).rest()).sees("the first entry")
