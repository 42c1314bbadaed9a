"""Text from disk becomes spans that say the same, draw the same width, and obey nothing."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from remem.tui.ascii_lines import TABLE, in_ascii
from remem.tui.content import content
from remem.views.diff import Kind, word_diff
from remem.views.glyphs import ASCII, UNICODE
from remem.views.long_text import markdown_lines, text_line
from remem.views.signs import SIGNS, who_gets_signs
from remem.views.spans import (
    Span,
    Tone,
    change,
    clip,
    highlight,
    mark_hidden,
    number,
    plain,
    short_number,
    spans,
    token_bar,
    width_of,
)
from remem.views.wrapping import wrap

HOSTILE = (
    "[/foo] [bold]x",
    "[@click=app.quit]press[/]",
    "\x1b]0;title\x07 and \x1b[2J",
    "\x9b31m c1",
    "a\u202eb\u200bc",
    "tag \U000e0069\U000e0067",
    "two\nlines\tand a tab",
)
PROSE = st.text("ab c\t-é界\u202e\n[", max_size=40)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_literal_and_printable(text: str) -> None:
    shown = plain(spans(text))

    assert shown.isprintable()
    assert content(text).plain.replace("\n", "").replace("\t", "").isprintable()


def test_content_never_reads_markup() -> None:
    text = "[bold]not bold[/bold] [@click=app.quit]x[/]"

    assert content(text).plain == text
    assert content(text).spans == []


@given(text=PROSE, query=st.text("ab c", max_size=3))
def test_highlighting_changes_tones_and_never_text(text: str, query: str) -> None:
    parts = spans(Span(text[:7], Tone.DIM), Span(text[7:], Tone.GOOD))

    assert plain(highlight(parts, query)) == plain(parts)
    assert plain(mark_hidden(parts)) == plain(parts)


def test_a_match_may_cross_spans_and_ignores_case() -> None:
    parts = spans(Span("use Zo", Tone.DIM), Span("d here"))

    marked = [part.text for part in highlight(parts, "zod") if part.tone is Tone.MATCH]

    assert "".join(marked) == "Zod"


def test_hidden_characters_get_a_tone_of_their_own() -> None:
    parts = mark_hidden(spans("a\u202eb"))

    assert Span("⟦U+202E⟧", Tone.HIDDEN) in parts


@given(text=PROSE, width=st.integers(0, 20))
def test_clipped_text_fits(text: str, width: int) -> None:
    shown = clip(spans(text), width)

    assert width_of(shown) <= width


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
@given(used=st.integers(0, 5000), budget=st.integers(0, 5000), width=st.integers(3, 40))
def test_a_token_bar_keeps_its_width_and_tells_full_from_over(
    glyphs: object, used: int, budget: int, width: int
) -> None:
    chosen = ASCII if glyphs is ASCII else UNICODE

    bar = plain(token_bar(used, budget, width, chosen))

    assert cell_len(bar) == width
    assert (chosen.bar_over in bar) == (budget > 0 and used > budget)
    if budget > 0 and used < budget:
        assert chosen.bar_rest in bar


def test_ascii_signs_are_ascii() -> None:
    assert "".join(plain(token_bar(5, 9, 12, ASCII))).isascii()
    assert number(1204, exact=False, glyphs=ASCII) == "~1,204"


def test_estimates_carry_their_sign() -> None:
    assert number(1204) == "1,204"
    assert number(1204, exact=False) == "≈1,204"
    assert [short_number(n) for n in (980, 1_240, 34_400, 1_250_000)] == [
        "980",
        "1.2k",
        "34k",
        "1.2M",
    ]


@given(old=PROSE, new=PROSE)
def test_a_word_diff_holds_both_texts(old: str, new: str) -> None:
    pieces = word_diff(old, new)

    assert "".join(text for kind, text in pieces if kind is not Kind.ADDED) == old
    assert "".join(text for kind, text in pieces if kind is not Kind.REMOVED) == new


def test_a_changed_phrase_is_one_piece() -> None:
    pieces = word_diff("never trust the client input at all", "never trust any user input at all")

    assert (Kind.REMOVED, "the client") in pieces
    assert (Kind.ADDED, "any user") in pieces


@given(text=PROSE, width=st.integers(2, 30))
def test_wrapped_rows_hold_every_word_and_fit(text: str, width: int) -> None:
    line = text_line(text).text

    rows = list(wrap(line, width))

    shown = "".join(line[row.start : row.end] for row in rows)
    assert shown.replace(" ", "") == line.replace(" ", "")
    assert all(
        row.indent + cell_len(line[row.start : row.end]) <= width or row.end - row.start == 1
        for row in rows
    )


def test_a_bullet_hangs_under_its_words() -> None:
    text = "  - keep the query parameterised everywhere"

    rows = list(wrap(text, 24))

    assert [" " * row.indent + text[row.start : row.end] for row in rows] == [
        "  - keep the query",
        "    parameterised",
        "    everywhere",
    ]


def test_tables_and_fences_do_not_wrap() -> None:
    text = "# Rules\n- a bullet\n| a | b |\n```py\n- code\n```\n- after"

    wraps = {line.text: line.wraps for line in markdown_lines(text)}

    assert wraps == {
        "# Rules": True,
        "- a bullet": True,
        "| a | b |": False,
        "```py": False,
        "- code": False,
        "```": False,
        "- after": True,
    }


def test_in_ascii_what_did_not_change_is_not_drawn_as_about_nothing() -> None:
    assert change(5, 5).translate(TABLE) == "=0"


def test_in_ascii_no_two_signs_of_the_legend_look_alike() -> None:
    names = ("cursor", "suggested", "marked", "changed", "folded", "open", "more", "up", "down")
    drawn = [getattr(ASCII, name) for name in (*names, "about", "waiting", "paused", "broken")]
    before_rows = {in_ascii(sign.drawn.text) for sign in SIGNS}

    assert len(set(drawn)) == len(drawn)
    assert before_rows & set(drawn) == {ASCII.about, ASCII.broken}
    assert before_rows.isdisjoint(who_gets_signs(ASCII)[:2])


def test_in_ascii_what_is_under_way_is_not_drawn_as_what_was_cut() -> None:
    assert in_ascii("reading …") == "reading.."
    assert in_ascii("Errors of the API…") == f"Errors of the API{ASCII.more}"
    assert in_ascii("  … and 5 more") == " .. and 5 more"


def test_in_ascii_texts_keep_bullets_and_paths_that_are_no_signs() -> None:
    assert in_ascii("• Rules › Tests → CI") == "* Rules > Tests > CI"


def test_a_number_is_never_cut() -> None:
    text = spans("never loads ≈198 of ≈2,320 tokens, from 0.28 to 0.08")

    shown = {plain(clip(text, width)) for width in range(1, 60)}

    assert "never loads ≈198 of…" in shown
    assert not [each for each in shown if each.endswith(" …")]
    assert not [each for each in shown if re.search(r" (≈19|≈2|≈2,|0.|0.0)…$", each)]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        (
            "printed as HIGH, with the correction · 1 reinforcement",
            ["printed as HIGH, with the correction", "· 1 reinforcement"],
        ),
        (
            "it was told by somebody and costs 1,204 tokens",
            ["it was told by somebody and costs", "1,204 tokens"],
        ),
        (
            "a line that ends with a number, line 142, as they do",
            ["a line that ends with a number, line 142,", "as they do"],
        ),
        (
            "it writes facts.yaml +9 lines and 1 more file",
            ["it writes facts.yaml +9 lines", "and 1 more file"],
        ),
    ],
)
def test_a_number_stands_in_the_row_of_its_noun(text: str, rows: list[str]) -> None:
    assert [text[piece.start : piece.end] for piece in wrap(text, 41)] == rows


@pytest.mark.parametrize("width", range(14, 30))
def test_the_sign_of_a_hidden_character_stands_in_one_row(width: int) -> None:
    text = "Approve ⟦tag: ⟧what ⟦tag:y⟧⟦tag: ⟧⟦U+202E⟧ it says and 3 more ⟦tag: ⟧"

    rows = [text[piece.start : piece.end] for piece in wrap(text, width)]

    assert [row.count("⟦") for row in rows] == [row.count("⟧") for row in rows]


def test_a_path_longer_than_a_row_breaks_between_folders() -> None:
    path = "~/.night-watch/agents/Bastien/memories/project/main.md"

    assert [path[piece.start : piece.end] for piece in wrap(path, 36)] == [
        "~/.night-watch/agents/Bastien/",
        "memories/project/main.md",
    ]
    assert next(wrap("/" + "a" * 50, 36)).end == 36
