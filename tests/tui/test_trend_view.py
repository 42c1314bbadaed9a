"""Histories as bars and charts."""

from __future__ import annotations

from datetime import date, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from remem.model.trend import Grown, Growth
from remem.views.glyphs import ASCII, UNICODE
from remem.views.spans import width_of
from remem.views.trend import bars, chart_lines, columned, since_lines

FIRST = date(2026, 1, 1)
SERIES = st.lists(
    st.tuples(st.integers(0, 900), st.integers(0, 50_000)), min_size=1, max_size=40
).map(lambda found: [(FIRST + timedelta(days=day), tokens) for day, tokens in sorted(found)])


@settings(max_examples=120)
@given(SERIES, st.integers(1, 40))
def test_bars_are_as_wide_as_asked_whatever_the_history(
    series: list[tuple[date, int]], columns: int
) -> None:
    assert width_of(bars(series, columns, UNICODE)) == columns
    assert width_of(bars(series, columns, ASCII)) == columns


@settings(max_examples=120)
@given(SERIES, st.integers(1, 40))
def test_columns_hold_only_what_was_there_and_end_with_the_last(
    series: list[tuple[date, int]], columns: int
) -> None:
    values = columned(series, columns)

    assert set(values) <= {tokens for _, tokens in series}
    assert values[-1] == series[-1][1]
    assert len(values) <= columns


def test_what_stood_on_a_day_stands_until_another_is_known() -> None:
    series = [(FIRST, 10), (FIRST + timedelta(days=9), 40)]

    assert columned(series, 10) == [10] * 9 + [40]


def test_a_chart_names_its_top_and_both_days() -> None:
    series = [(FIRST, 1_000), (FIRST + timedelta(days=300), 4_200)]

    lines = [line.text for line in chart_lines(series, UNICODE, exact=False)]

    assert "≈4.2k" in lines[0]
    assert "2026-01-01" in lines[-1]
    assert "2026-10-28" in lines[-1]


@settings(max_examples=120)
@given(SERIES, st.integers(18, 60))
def test_a_chart_fits_its_pane_and_shows_the_last_day(
    series: list[tuple[date, int]], columns: int
) -> None:
    lines = [line.text for line in chart_lines(series, UNICODE, columns, exact=False)]

    assert all(len(line) <= columns for line in lines)
    assert not lines or lines[-1].endswith(series[-1][0].isoformat())


def test_a_single_day_has_no_chart() -> None:
    assert chart_lines([(FIRST, 1_000)], UNICODE, exact=True) == []


def test_in_ascii_a_chart_holds_nothing_else() -> None:
    series = [(FIRST, 1_000), (FIRST + timedelta(days=300), 4_200)]

    lines = [line.text for line in chart_lines(series, ASCII, exact=False)]

    assert all(line.isascii() for line in lines)


def test_writers_are_estimates_and_names_are_gated() -> None:
    files = (Grown("CLAUDE.md", 120),)
    writers = (Grown("A\x1b[31mda", 90), Grown("Ben", -12))
    growth = Growth((), FIRST, files, writers, exact=True, note="this clone is shallow")

    lines = [line.text for line in since_lines(growth, UNICODE)]

    assert "+120  CLAUDE.md" in lines
    assert any(line.startswith("≈+90") and "\x1b" not in line for line in lines)
    assert "≈-12  Ben" in lines
    assert lines[-1] == "this clone is shallow"


def test_in_ascii_bars_are_not_read_as_a_number() -> None:
    series = [(FIRST + timedelta(days=day), 100 * (day + 1)) for day in range(12)]

    drawn = "".join(part.text for part in bars(series, 12, ASCII))

    assert not any(sign.isdigit() for sign in drawn)
    assert len(set(drawn)) > 3


def test_what_grew_has_its_unit_and_stands_in_one_line_by_the_end_of_its_path() -> None:
    path = ".claude/agent-memory/release-captain/MEMORY.md"
    growth = Growth((), FIRST, (Grown(path, 806), Grown("CLAUDE.md", -9)), (), exact=True)

    head, *rows = [line.text for line in since_lines(growth, UNICODE, 30)]

    assert head == "token growth of all memory since 2026-01-01"
    assert rows == [f"+806  ‹{path[-23:]}", "  -9  CLAUDE.md"]
