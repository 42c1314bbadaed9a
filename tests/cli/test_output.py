import io
from collections.abc import Callable
from contextlib import redirect_stdout

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remem.base.text import hidden
from remem.cli.out import cell_width, emit, print_exact, print_table
from remem.views.documents.made import ErrorReport, ErrorWords


class Terminal(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


def printed(kind: type[io.TextIOWrapper], act: Callable[[], None]) -> bytes:
    raw = io.BytesIO()
    stream = kind(raw, "utf-8", write_through=True)
    with redirect_stdout(stream):
        act()
    return raw.getvalue()


def on_terminal(width: int, monkeypatch: pytest.MonkeyPatch, *rows: tuple[str, ...]) -> list[str]:
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("NO_COLOR", "1")
    return printed(Terminal, lambda: print_table(("REF", "TITLE"), rows)).decode().splitlines()


def in_pipe(*rows: tuple[str, ...]) -> str:
    out = io.StringIO()
    with redirect_stdout(out):
        print_table(("REF", "TITLE"), rows)
    return out.getvalue()


def test_a_table_is_aligned_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = on_terminal(40, monkeypatch, ("conv-001", "Short"), ("ap-1", "Shorter"))

    assert lines == ["REF       TITLE", "conv-001  Short", "ap-1      Shorter"]


def test_wide_letters_take_two_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = on_terminal(40, monkeypatch, ("規約", "a"), ("abcd", "b"))

    assert lines == ["REF   TITLE", "規約  a", "abcd  b"]


def test_a_long_title_ends_at_the_edge(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = on_terminal(40, monkeypatch, ("conv-001", "A title that goes on to the very edge"))

    assert lines[1] == "conv-001  A title that goes on to the v…"
    assert cell_width(lines[1]) == 40


def test_a_title_without_room_beside_the_rest_stands_below_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ref = "persona@claude-project:release-captain"

    title = "A title that goes on to the edge and on"

    lines = on_terminal(40, monkeypatch, (ref, title), ("a", ""))

    assert lines == ["REF", "    TITLE", ref, "    A title that goes on to the edge an…", "a"]


def test_values_stay_below_their_headings_where_a_row_needs_several_lines(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    monkeypatch.setenv("NO_COLOR", "1")
    heads = ("NAME", "TOKENS", "OVER", "WRITTEN", "PLACES")
    rows = [("Ana", "", "", "2026-05-04", "squad"), ("Bo", "12", "", "", "night-watch")]

    lines = printed(Terminal, lambda: print_table(heads, rows)).decode().splitlines()

    assert lines == [
        "NAME  TOKENS  WRITTEN",
        "    PLACES",
        "Ana           2026-05-04",
        "    squad",
        "Bo    12",
        "    night-watch",
    ]


def test_a_pipe_gets_whole_cells_between_tabs() -> None:
    text = in_pipe(("conv-001", "A title " * 40), ("ap-1", "tab\there\nand line"))

    assert text == "conv-001\t" + "A title " * 40 + "\nap-1\ttab⇥here⏎and line\n"


def test_an_empty_table_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    assert on_terminal(40, monkeypatch) == []
    assert in_pipe() == ""


@given(title=st.text("a\x1b\x07\u202e\u200b\t\n界", max_size=12))
@settings(max_examples=60)
def test_no_cell_carries_what_a_terminal_obeys(title: str) -> None:
    text = in_pipe((title, "x"))

    assert text.count("\n") == 1
    assert text.count("\t") == 1
    assert hidden(text.replace("\t", "").replace("\n", "")) == ()


def test_exact_text_reaches_a_pipe_byte_for_byte(capsys: pytest.CaptureFixture[str]) -> None:
    text = "one\u200btwo\x1b[31m"

    out = printed(io.TextIOWrapper, lambda: print_exact(text))

    assert out == text.encode()
    err = capsys.readouterr().err
    assert "2 hidden characters" in err
    assert "\x1b" not in err


def test_exact_text_is_made_safe_on_a_terminal() -> None:
    out = printed(Terminal, lambda: print_exact("red\x1b[31m"))

    assert b"\x1b" not in out
    assert out.endswith(b"\n")


def test_a_document_is_ascii(capsys: pytest.CaptureFixture[str]) -> None:
    words = ErrorWords(code="failed", message="né\u202e \udcff", hint="")

    emit(ErrorReport(error=words))

    out = capsys.readouterr().out
    assert out.isascii()
    assert "\\u202e" in out
    assert "\\\\udcff" in out
