import itertools
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.markdown_files import markdown_files
from tests.persona_files import CARLOS, shelf_at, write

from remem.base.errors import NotPossible
from remem.core.system import Ground
from remem.edit.markdown import parse
from remem.edit.markdown_edit import append, relined, split_lines
from remem.model.change import Splice
from remem.model.entry import FileSpan, Status
from remem.store.io import Disk
from remem.systems.personas.format import Personas
from remem.systems.personas.persona_layouts import BUILT_IN
from remem.systems.personas.read import read_source
from remem.systems.personas.source import PersonaSource

HISTORY = ".squad/agents/hill/history.md"
DECISIONS = ".squad/decisions.md"


def hex_of(section: str, text: str) -> str:
    return sha256(f"{section}\0{text}".encode()).hexdigest()


def found_in(folder: Path, name: str, text: str) -> PersonaSource:
    shelf = shelf_at(folder, root={name: text})
    return next(s for s in shelf.sources if isinstance(s, PersonaSource) and s.path.name in name)


def test_a_ref_is_made_of_the_dated_section_and_the_text(tmp_path: Path) -> None:
    text = "- head\n\n## 2026-05-04\n- flaky\n\n### Notes\n- more\n"
    shelf = shelf_at(tmp_path, home={f"{CARLOS}/main.md": text})

    entries = shelf.source("Carlos/acme").entries

    hexes = [("", "head"), ("2026-05-04", "flaky"), ("2026-05-04", "more")]
    assert [entry.ref.id for entry in entries] == [
        f"Carlos/acme#{hex_of(*pair)[:6]}" for pair in hexes
    ]
    assert [entry.context for entry in entries] == ["", "2026-05-04", "2026-05-04 › Notes"]
    assert [entry.date for entry in entries] == ["", "2026-05-04", "2026-05-04"]


def test_identical_twins_are_numbered_from_two(tmp_path: Path) -> None:
    shelf = shelf_at(tmp_path, home={f"{CARLOS}/main.md": "- x\n- y\n- x\n- x\n"})

    twins = [entry.ref.twin for entry in shelf.source("Carlos/acme").entries]

    assert twins == [0, 0, 2, 3]


def test_a_clash_of_six_digits_makes_both_refs_longer(tmp_path: Path) -> None:
    """The two texts were searched for: their hashes share their first six digits."""
    one, other = _clashing_texts()
    shelf = shelf_at(tmp_path, home={f"{CARLOS}/main.md": f"- {one}\n- {other}\n- alone\n"})

    ids = [entry.ref.id.partition("#")[2] for entry in shelf.source("Carlos/acme").entries]

    assert [len(each) for each in ids] == [7, 7, 6]
    assert ids[:2] == [hex_of("", one)[:7], hex_of("", other)[:7]]


def _clashing_texts() -> tuple[str, str]:
    seen: dict[str, str] = {}
    number = 0
    while True:
        text = f"lesson {number}"
        full = hex_of("", text)
        known = seen.setdefault(full[:6], text)
        if known != text and hex_of("", known)[6] != full[6]:
            return known, text
        number += 1


def test_squad_sections_nest_and_carry_their_path(tmp_path: Path) -> None:
    text = (
        "# Hill — History\n\n## Core Context\n- core\n\n## Learnings\n\n"
        "### 2026-03-03 — Lore (#874)\n- a\n#### Detail\n- b\n### Later (March 2026)\n- c\n"
    )
    source = found_in(tmp_path, HISTORY, text)

    assert [(entry.title, entry.context, entry.date) for entry in source.entries] == [
        ("core", "Hill — History › Core Context", ""),
        ("a", "Hill — History › Learnings › 2026-03-03 — Lore (#874)", "2026-03-03"),
        ("b", "Hill — History › Learnings › 2026-03-03 — Lore (#874) › Detail", "2026-03-03"),
        ("c", "Hill — History › Learnings › Later (March 2026)", ""),
    ]


def test_decisions_begin_at_dated_headings_of_any_level_and_at_level_three(tmp_path: Path) -> None:
    text = (
        "# Log\n\nPreface.\n\n### 2026-05-01: Only a title\n\n## 2026-05-02: Cache\n**By:** Hill\n"
        "**What:** Less cache\n\n#### Detail\ntext\n\n### Undated\nbody  \n"
    )
    source = found_in(tmp_path, DECISIONS, text)

    entries = source.entries

    assert [(entry.kind, entry.title, entry.date) for entry in entries] == [
        ("decision", "Preface.", ""),
        ("decision", "Only a title", "2026-05-01"),
        ("decision", "Cache", "2026-05-02"),
        ("decision", "Undated", ""),
    ]
    fields = Personas().fields(source, entries[2])
    assert (fields["by"], fields["what"]) == ("Hill", "Less cache")
    assert Personas().body(source, entries[3]) == "### Undated\nbody  "


def test_a_log_that_repeats_top_headings_has_its_decisions_there(tmp_path: Path) -> None:
    text = "# Log\n\n# Cache\n**Date:** 2026-05-02\n\n### Why\nslow\n\n# Ship\nnow\n"
    source = found_in(tmp_path, DECISIONS, text)

    found = [(entry.title, entry.date) for entry in source.entries]

    assert found == [("Cache", "2026-05-02"), ("Ship", "")]


def test_a_log_of_two_forms_is_read_alike_before_and_after_a_dated_decision_comes(
    tmp_path: Path,
) -> None:
    text = (
        "# Decisions\n\n## Basics\n\n### Strict types\n**By:** Ann\n\n### Hooks\n**By:** Bo\n\n"
        "# Decision: Review batch\n**By:** Cy\n\n## Why\nslow\n\n### First step\ngo\n\n"
        "# Decision: Triage\n\n### Wins\nnow\n"
    )
    before = [entry.title for entry in found_in(tmp_path, DECISIONS, text).entries]
    more = text + "\n### 2026-05-03: Canary\n**By:** Di\n"
    after = [entry.title for entry in found_in(tmp_path, DECISIONS, more).entries]

    assert before == ["Strict types", "Hooks", "Decision: Review batch", "Decision: Triage"]
    assert after == [*before, "Canary"]


@pytest.mark.parametrize(
    "moment", ["2026-07-15T19-17-33", "2026-07-17T16:53:53-0500", "2026-07-17 21:34", "2026-07-17"]
)
def test_the_moment_in_front_of_a_decision_is_no_part_of_its_title(
    tmp_path: Path, moment: str
) -> None:
    text = f"# Decisions\n\n### {moment}: Ship it\n**By:** Di\n"

    (entry,) = found_in(tmp_path, DECISIONS, text).entries

    assert (entry.title, entry.date) == ("Ship it", moment[:10])


def test_an_inbox_file_waits_as_one_decision(tmp_path: Path) -> None:
    source = found_in(tmp_path, ".squad/decisions/inbox/hill-x.md", "### 2026-05-04: Ship\n- a\n")

    (entry,) = Personas().waiting(source)

    assert (entry.kind, entry.title, entry.status) == ("decision", "Ship", Status.CANDIDATE)
    assert Personas().body(source, entry) == "### 2026-05-04: Ship\n- a\n"


def test_what_lies_in_an_archive_is_archived(tmp_path: Path) -> None:
    shelf = shelf_at(
        tmp_path,
        root={
            ".squad/agents/hill/history-archive.md": "- old\n",
            ".squad/agents/_alumni/fury/history.md": "- gone\n",
        },
    )

    statuses = [entry.status for source in shelf.sources for entry in source.entries]

    assert statuses == [Status.ARCHIVED, Status.ARCHIVED]
    assert not shelf.source("hill/history-archive.md").is_writable


@settings(max_examples=70)
@given(data=markdown_files(text_only=True))
@example(data=b"### 2026-05-04: A\n\n# B\n### C\ntext")
def test_every_line_of_a_memory_is_in_one_entry_however_it_is_read(data: bytes) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        files = {HISTORY: data, DECISIONS: data, ".squad/decisions/inbox/a.md": data}
        write(folder, files)
        ground = Ground(folder, folder / "home", Disk(), "acme", layouts=BUILT_IN)
        personas = Personas()
        sources = [personas.read(source, data) for source in personas.discover(ground)]

    for source in sources:
        assert len({entry.ref for entry in source.entries}) == len(source.entries)
        covered = sorted(
            (entry.at.start, entry.at.end) if isinstance(entry.at, FileSpan) else (0, len(data))
            for entry in source.entries
        )
        assert all(one[1] <= two[0] for one, two in itertools.pairwise(covered))
        rest = data
        for start, end in reversed(covered):
            rest = rest[:start] + rest[end:]
        plain = rest.decode("utf-8-sig").splitlines()
        assert all(_is_no_memory(line) for line in plain)


def _is_no_memory(line: str) -> bool:
    """Headings, rules and blanks are shown around entries, not as entries."""
    stripped = line.strip()
    return not stripped or stripped.startswith("#") or not set(stripped) - set("-* ")


def test_entries_that_did_not_change_are_those_of_the_last_snapshot(tmp_path: Path) -> None:
    shelf = shelf_at(tmp_path, home={f"{CARLOS}/main.md": "- a\n- b\n"})
    before = shelf.source("Carlos/acme")
    first, _ = before.entries

    after = read_source(before, b"- a\n- c\n", before)

    assert after.entries[0] is first
    assert after.entries[1].title == "c"


def test_a_decision_at_any_level_with_fields_keeps_its_own_sections(tmp_path: Path) -> None:
    text = (
        "# Decisions\n\n## Use ports\n\n**By:** Hill\n**Date:** 2026-02-01\n\n### Context\n\nc\n\n"
        "### Decision\n\nd\n\n## 2026-03-01: Use bells\n\nb\n\n### Alone\n\na\n"
    )
    source = found_in(tmp_path, DECISIONS, text)

    found = [(entry.title, entry.date) for entry in source.entries if entry.title != "Decisions"]

    assert found == [
        ("Use ports", "2026-02-01"),
        ("Use bells", "2026-03-01"),
        ("Alone", ""),
    ]


def test_a_heading_of_the_same_level_or_above_ends_a_decision(tmp_path: Path) -> None:
    text = (
        "# Log\n\n## Use ports\n\n**By:** Hill\n\n### Context\n\nc\n\n## Rules of the log\n\nr\n\n"
        "### 2026-03-01: Use bells\n\nb\n\n# Retrospective\n\nt\n"
    )
    source = found_in(tmp_path, DECISIONS, text)

    found = [entry.title for entry in source.entries]

    assert found == ["Use ports", "Rules of the log", "Use bells", "Retrospective"]


INBOX = ".squad/decisions/inbox/hill-x.md"
SAID = "### 2026-05-04: Ship\n**By:** Hill\n**What:** Go\n\nA detail\n"


@pytest.mark.parametrize("place", [INBOX, DECISIONS])
def test_a_decision_is_edited_by_its_fields_as_by_its_text(tmp_path: Path, place: str) -> None:
    source = found_in(tmp_path, place, SAID)
    entry = (*source.entries, *(Personas().waiting(source) if place == INBOX else ()))[0]

    effects = Personas().edit(source, entry, {"title": "Ship it", "what": "Go now"})

    (splice,) = effects
    assert isinstance(splice, Splice)
    after = SAID.replace("Ship", "Ship it").replace("**What:** Go", "**What:** Go now")
    data = SAID.encode()
    assert data[: splice.start] + splice.new + data[splice.end :] == after.encode()
    with pytest.raises(NotPossible, match="no field `colour`"):
        Personas().edit(source, entry, {"colour": "red"})


def test_a_line_that_comes_takes_the_line_end_of_its_neighbours(tmp_path: Path) -> None:
    mixed = "# Log\r\n\r\n### 2026-05-04: Ship\r\nGo\r\n\r\n### 2026-05-05: Stay\nNow\n"
    document = parse(mixed.encode())

    edit = append(document, "### 2026-05-06: Rest\nHome\n", blank_lines=1)

    assert edit.apply(document.data) == mixed.encode() + b"\n### 2026-05-06: Rest\nHome\n"


@given(lines=st.lists(st.text("ab ", max_size=3), min_size=1), crlf=st.booleans())
def test_a_block_with_the_lines_that_it_has_keeps_its_bytes(lines: list[str], crlf: bool) -> None:
    old = (b"\r\n" if crlf else b"\n").join(line.encode() for line in lines)

    assert relined(old, split_lines(old.decode()), b"\n").rstrip(b"\r\n") == old.rstrip(b"\r\n")
