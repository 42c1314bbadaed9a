"""What a memory file holds after an edit is what reading all of it anew would find."""

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given, settings
from tests.markdown_files import edited_files
from tests.persona_files import CARLOS, shelf_at

from remem.edit.markdown import is_text
from remem.model.entry import Entry, FileSpan
from remem.systems.personas.read import passages, read_source
from remem.systems.personas.source import PersonaSource

HISTORY = ".squad/agents/hill/history.md"
MAIN = f"{CARLOS}/main.md"


@pytest.fixture(scope="module")
def sources() -> tuple[PersonaSource, ...]:
    """A memory that dated headings part, and one whose sections nest."""
    with TemporaryDirectory() as folder:
        shelf = shelf_at(Path(folder), root={HISTORY: "x"}, home={MAIN: "x"})
        found = [replace(s, entries=()) for s in shelf.sources if isinstance(s, PersonaSource)]
        return tuple(s for s in found if s.path.name in {"history.md", "main.md"})


def seen(entries: tuple[Entry, ...]) -> list[object]:
    spans = [(e.at.start, e.at.end) for e in entries if isinstance(e.at, FileSpan)]
    return [[replace(e, at=FileSpan(Path(), 0, 0)) for e in entries], spans]


@settings(max_examples=50)
@given(edit=edited_files())
@example(edit=(b"- a\n- a\n- b\n", b"- a\n- b\n"))
@example(edit=(b"- a\n- x\n- a\n", b"- a\n- a\n- a\n"))
@example(edit=(b"## x\n- a\n## y\n- b\n", b"## x\n- a\n## 2026-05-04\n- b\n"))
@example(edit=(b"# Learnings\n- a\n## x\n- b\n", b"# Learning\n- a\n## x\n- b\n"))
def test_entries_after_an_edit_are_those_of_the_whole_file(
    sources: tuple[PersonaSource, ...], edit: tuple[bytes, bytes]
) -> None:
    for source in sources:
        before = read_source(source, edit[0])
        looked_into = tuple(before.entries)
        # Of another name, so that nothing that is known of this file is used.
        other = replace(source, path=source.path.with_name("whole.md"))

        after = read_source(source, edit[1], before)

        whole = read_source(other, edit[1])
        assert seen(tuple(after.entries)) == seen(tuple(whole.entries))
        assert passages(after) == passages(whole)
        assert bool(after.entries) <= is_text(edit[1])
        assert looked_into == tuple(before.entries)


def test_a_lesson_far_from_the_edit_is_the_one_that_was_there(
    sources: tuple[PersonaSource, ...],
) -> None:
    before = read_source(sources[0], b"- first\n- second\n- third\n")
    first, _, third = before.entries

    after = read_source(sources[0], b"- first\n- zwei!!\n- third\n", before)

    assert after.entries[0] is first
    assert after.entries[2] is third
    assert after.entries[1].title == "zwei!!"


def test_twins_are_counted_anew_when_one_of_them_goes(sources: tuple[PersonaSource, ...]) -> None:
    before = read_source(sources[0], b"- same\n- other\n- same\n- more\n- same\n")
    assert len(before.entries) == 5

    after = read_source(sources[0], b"- other\n- same\n- more\n- same\n", before)

    assert [(e.title, e.ref.twin) for e in after.entries] == [
        ("other", 0),
        ("same", 0),
        ("more", 0),
        ("same", 2),
    ]
