"""A persona's memory drawn as a document: a huge one has its costs where it is shown, and fast."""

from __future__ import annotations

from pathlib import Path

from tests.persona_files import write

from remem.base.clock import Clock
from remem.core.session import Session
from remem.core.settings import Places
from remem.views.entries.entry_details import source_lines
from remem.views.glyphs import glyphs_for
from remem.views.long_text import TextLine
from remem.views.prompts.memory_document import memory_lines, weigh

SMALL = 20_000
"""Bytes that are shown here, so that nothing has to be huge."""
MAIN = ".night-watch/agents/Vega/memories/acme/main.md"


def drawn(tmp_path: Path, text: str) -> list[TextLine]:
    write(tmp_path / "home", {MAIN: text})
    root = tmp_path / "acme"
    root.mkdir()
    bench = Session.open(root, Places.of(tmp_path / "home"), door="cli", clock=Clock())
    (source,) = (each for each in bench.library.sources if each.path.name == "main.md")
    weights = weigh(bench, source, loaded=False, most=SMALL)
    lines = memory_lines(source_lines(source, SMALL), source, weights, glyphs_for("unicode"), "c")
    bench.close()
    return lines


def test_a_huge_memory_has_costs_as_far_as_it_is_shown(tmp_path: Path) -> None:
    day = "## 2026-04-01\n" + "- The tide table has an edition.\n" * 40
    text = day * (2 * SMALL // len(day))

    lines = drawn(tmp_path, text)

    lessons = [line for line in lines if line.text.startswith("- The tide")]
    assert lines[-1].text.endswith("more bytes not shown")
    assert all(line.tokens for line in lessons[:-1])
    days = {line.tokens for line in lines if line.text.startswith("## ")}
    assert len(days - {None}) == 1


def test_a_section_that_goes_on_beyond_what_is_shown_has_no_wrong_number(tmp_path: Path) -> None:
    text = "# All\n\n## First\n- short\n\n## Last\n" + "- The tide table.\n" * (SMALL // 15)

    lines = drawn(tmp_path, text)

    tokens = {line.text: line.tokens for line in lines if line.text.startswith("#")}
    assert (tokens["# All"], tokens["## Last"]) == (None, None)
    assert tokens["## First"]


def test_a_small_memory_has_a_number_at_every_part(tmp_path: Path) -> None:
    lines = drawn(tmp_path, "# All\n\n## First\n- short\n")

    assert [line.text for line in lines if line.tokens] == ["# All", "## First", "- short"]
