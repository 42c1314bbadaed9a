"""Stores are found, read when asked, and read again only where their bytes changed."""

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.sniper_files import (
    ANTI_PATTERNS,
    CONVENTIONS,
    DECISIONS,
    FORMATTINGS,
    MEMORY,
    open_shop,
    project,
)

from remem.base.errors import NotPossible, Refused
from remem.core.library import Library
from remem.model.entry import Entry, Ref, Status
from remem.model.source import Lazy, Source
from remem.systems.sniper.format import Sniper
from remem.systems.sniper.init_and_prompt_files import missing_files
from remem.systems.sniper.stores import StoreEntries, WordLook, entries_of

SNIPER = Sniper()


def store(library: Library, part: str = "conventions") -> Source:
    return next(source for source in library.sources if source.part == part)


def made(source: Source) -> list[Entry | None]:
    assert isinstance(source.entries, Lazy)
    return [source.entries.known(number) for number in range(len(source.entries))]


def many(count: int, odd: dict[int, str] | None = None) -> bytes:
    words = odd or {}
    items = (
        f"  - id: conv-{n:03d}\n    rule: Rule {n}\n    status: {words.get(n, 'confirmed')}\n"
        for n in range(1, count + 1)
    )
    return ("conventions:\n" + "".join(items)).encode()


def test_reading_finds_entries_and_parses_none(tmp_path: Path) -> None:
    library = project(tmp_path, {CONVENTIONS: many(20)})

    source = store(library)

    assert len(source.entries) == 20
    assert made(source) == [None] * 20


def test_only_bytes_that_may_be_a_candidate_are_parsed_for_the_queue(tmp_path: Path) -> None:
    odd = {4: "candidate", 9: "'proposed'", 12: '"confirmed"', 15: "wat # odd", 17: "Active"}
    library = project(tmp_path, {CONVENTIONS: many(20, odd)})
    source = store(library)

    waiting = [entry.ref.id for entry in SNIPER.waiting(source)]

    assert waiting == ["conv-004", "conv-009", "conv-015"]
    assert [entry is not None for entry in made(source)].count(True) == 3


STATUS_LINES = st.sampled_from(
    [
        "status: candidate", "status:   'draft'", '"status": pending', "status: confirmed",
        "status: confirmed # was candidate", "status:\n      candidate", "status: CANDIDATE",
        "rationale: 'its status: confirmed'", "status: |-\n      proposed", "", "rationale: status",
        "status: !!str draft", "<<: {status: candidate}",
    ]
)  # fmt: skip


@settings(max_examples=50)
@given(lines=st.lists(STATUS_LINES, min_size=1, max_size=6))
def test_no_candidate_is_ever_missed_by_the_look_at_the_bytes(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str]
) -> None:
    items = (
        f"  - id: conv-{n:03d}\n    rule: Rule {n}\n    {line}\n" for n, line in enumerate(lines)
    )
    library = project(
        tmp_path_factory.mktemp("w"), {CONVENTIONS: "conventions:\n" + "".join(items)}
    )
    source = store(library)

    waiting = {entry.ref for entry in SNIPER.waiting(source)}

    candidates = {e.ref for e in source.entries if e.status is Status.CANDIDATE}
    assert candidates <= waiting


def test_entries_whose_bytes_did_not_change_are_taken_over(tmp_path: Path) -> None:
    data = many(9)
    before = store(project(tmp_path, {CONVENTIONS: data}))
    list(before.entries)
    changed = data.replace(b"Rule 5", b"Rule five")

    after = SNIPER.read(replace(before, problems=()), changed, before)

    assert [entry is not None for entry in made(after)] == [True] * 4 + [False] + [True] * 4
    assert after.entries[0] is before.entries[0]
    assert [entry.title for entry in after.entries][4:6] == ["Rule five", "Rule 6"]
    fresh = SNIPER.read(replace(before, problems=()), changed)
    assert list(after.entries) == list(fresh.entries)


EDITS = st.tuples(
    st.integers(0, 400), st.integers(0, 40),
    st.sampled_from([b"", b"x", b"\n", b"  - id: conv-003\n    rule: n\n", b"# c\n", b"&a ", b'"']),
)  # fmt: skip


@settings(max_examples=60)
@given(data=st.sampled_from(list(FORMATTINGS.values())), edit=EDITS)
def test_reading_on_top_of_the_last_snapshot_equals_reading_afresh(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, edit: tuple[int, int, bytes]
) -> None:
    before = store(project(tmp_path_factory.mktemp("r"), {CONVENTIONS: data}))
    list(before.entries)
    start, length, new = edit
    changed = data[:start] + new + data[start + length :]

    summary_lines(before)
    after = SNIPER.read(replace(before, problems=()), changed, before)
    again = SNIPER.read(replace(before, problems=()), data, after)

    fresh = SNIPER.read(replace(before, problems=()), changed)
    assert list(after.entries) == list(fresh.entries)
    assert after.problems == fresh.problems
    assert list(again.entries) == list(before.entries)
    assert texts(after) == texts(fresh)
    assert summary_lines(after) == summary_lines(fresh)
    assert summary_lines(again) == summary_lines(before)


def test_of_a_store_that_changed_only_the_changed_entries_are_looked_at_again(
    tmp_path: Path,
) -> None:
    looked: list[int] = []
    find = WordLook(b"odd", re.compile(b"odd"))

    def look(data: bytes, start: int, end: int) -> Iterable[int]:
        looked.append(end - start)
        return find(data, start, end)

    data = many(300, {7: "odd", 90: "odd", 250: "odd"})
    before = store(project(tmp_path, {CONVENTIONS: data}))
    assert entries_of(before).hinted(look) == (6, 89, 249)
    changed = data.replace(b"Rule 90\n", b"Rule ninety is odd\n").replace(b"Rule 91\n", b"odd\n")
    once = SNIPER.read(replace(before, problems=()), changed, before)
    twice = SNIPER.read(replace(before, problems=()), b"# more\n" + changed, once)

    assert entries_of(once).hinted(look) == (6, 89, 90, 249)
    assert entries_of(twice).hinted(look) == (6, 89, 90, 249)
    assert [size < 200 for size in looked] == [False, True, False]


@pytest.mark.parametrize(
    ("status", "waits"),
    [
        ("confirmed", False),
        ("'confirmed'", False),
        ('"Active"  ', False),
        ("confirmed # by Ada", False),
        ('confirmed"', True),
        ("confirmed#1", True),
        ("confirmed, really", True),
        ("confirmed}", True),
        ("candidate", True),
    ],
)
def test_a_status_that_only_looks_confirmed_waits(status: str, waits: bool, tmp_path: Path) -> None:
    data = f"conventions:\n  - id: conv-001\n    rule: One\n    status: {status}\n"
    found = store(project(tmp_path, {CONVENTIONS: data.encode()}))

    assert bool([*SNIPER.waiting(found)]) == waits
    assert [entry.status is Status.CANDIDATE for entry in found.entries] == [waits]


def test_a_status_in_braces_is_seen_without_parsing(tmp_path: Path) -> None:
    data = (
        b"conventions:\n  - {id: conv-001, status: confirmed, rule: One}\n"
        b"  - {id: conv-002, rule: Two, status: active}\n"
        b"  - {id: conv-003, status: candidate, rule: Three}\n"
    )
    found = store(project(tmp_path, {CONVENTIONS: data}))

    assert [entry.ref.id for entry in SNIPER.waiting(found)] == ["conv-003"]
    assert [entries_of(found).known(n) is None for n in range(3)] == [True, True, False]


@settings(max_examples=60)
@given(data=st.sampled_from(list(FORMATTINGS.values())), edits=st.lists(EDITS, max_size=3))
def test_what_is_taken_over_is_what_a_look_at_all_finds(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, edits: list[tuple[int, int, bytes]]
) -> None:
    look = WordLook(b"status", re.compile(rb"status[^:\n]*:"))
    found = store(project(tmp_path_factory.mktemp("w"), {CONVENTIONS: data}))
    empty = replace(found, problems=())
    list(found.entries)

    for start, length, new in edits:
        entries_of(found).hinted(look)
        data = data[:start] + new + data[start + length :]
        found, fresh = SNIPER.read(empty, data, found), SNIPER.read(empty, data)

        assert entries_of(found).hinted(look) == entries_of(fresh).hinted(look)
        candidates = {e.ref for e in fresh.entries if e.status is Status.CANDIDATE}
        assert candidates <= {entry.ref for entry in SNIPER.waiting(found)}


def test_entries_say_of_themselves_which_are_those_of_the_last_snapshot(tmp_path: Path) -> None:
    data = many(9)
    before = store(project(tmp_path, {CONVENTIONS: data}))
    changed = data.replace(b"Rule 5", b"Rule five")
    after = SNIPER.read(replace(before, problems=()), changed, before)

    assert entries_of(after).unchanged(before.entries) == (4, 4)
    assert entries_of(after).unchanged(after.entries) == (9, 0)
    assert entries_of(after).unchanged([*before.entries]) == (0, 0)


def summary_lines(source: Source) -> tuple[int, int, list[list[bytes]]]:
    """Return how many entries and candidates the summary counts, and its lines group by group."""
    entries = source.entries
    assert isinstance(entries, StoreEntries)
    blocks = entries.blocks()
    groups = [[block.texts[group] for block in blocks if block.texts[group]] for group in range(3)]
    lines = [b"\n".join(texts).split(b"\n") for texts in groups]
    return sum(b.length for b in blocks), sum(b.candidates for b in blocks), lines


def texts(source: Source) -> list[tuple[str, str]]:
    entries = source.entries
    assert isinstance(entries, StoreEntries)
    printed = [entries.printed(number) for number in range(len(entries))]
    return [(each.bullet, each.piece) for each in printed]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(b"  - rule: First\n", b"", id="one-less-above-entries-without-an-id"),
        pytest.param(b"  - rule: First\n", b"  - rule: First\n    # c\n", id="one-line-more"),
        pytest.param(b"    id: conv-002\n", b"    id: conv-003\n", id="one-more-twin"),
        pytest.param(b"    id: conv-003\n", b"    id: conv-004\n", id="no-twins-any-more"),
        pytest.param(b"-003\n  - rule: L", b"-005\n  - rule: L", id="no-twin-below-any-more"),
        pytest.param(b"-003\n  - rule: L", b"-002\n  - rule: L", id="a-twin-of-one-above"),
    ],
)
def test_numbers_lines_and_twins_are_right_after_an_edit_elsewhere(
    tmp_path: Path, old: bytes, new: bytes
) -> None:
    rules = (
        b"conventions:\n  - rule: First\n  - rule: Second\n  - rule: Third\n    enforcement: odd\n"
        b"  - rule: Fourth\n    id: conv-002\n  - rule: Fifth\n    id: conv-003\n"
        b'  - rule: Sixth\n    id: conv-003\n  - rule: Last\n    id: "conv-\\x38"\n'
    )
    before = store(project(tmp_path, {CONVENTIONS: rules}))
    list(before.entries)
    changed = rules.replace(old, new, 1)

    after = SNIPER.read(replace(before, problems=()), changed, before)

    fresh = SNIPER.read(replace(before, problems=()), changed)
    assert list(after.entries) == list(fresh.entries)
    assert texts(after) == texts(fresh)


def test_duplicate_ids_are_twins_with_a_problem_on_each(tmp_path: Path) -> None:
    library = project(
        tmp_path,
        {CONVENTIONS: "conventions:\n- {id: conv-001, rule: a}\n- {id: conv-001, rule: b}\n"},
    )

    entries = list(library.entries())

    assert [entry.ref.twin for entry in entries] == [0, 2]
    assert [[p.code for p in entry.problems] for entry in entries] == [["duplicate-id"]] * 2
    assert [entry.problems[0].line for entry in entries] == [2, 3]


def test_odd_ids_of_two_stores_do_not_meet(tmp_path: Path) -> None:
    library = project(
        tmp_path,
        {
            CONVENTIONS: "conventions:\n- {id: 1, rule: a}\n- {rule: b}\n",
            ANTI_PATTERNS: "anti_patterns:\n- {id: 1, description: c}\n",
        },
    )

    refs = [str(entry.ref.without_place()) for entry in library.entries()]

    assert refs == ["sniper:conventions/1", "sniper:conventions/2", "sniper:anti-patterns/1"]
    assert len({entry.ref for entry in library.entries()}) == 3


def test_a_bare_list_is_read_and_written_in_its_own_words(tmp_path: Path) -> None:
    data = "- id: conv-001\n  text: Log JSON\n  source: retro\n  created: 2026-03-01\n"
    library = project(tmp_path, {CONVENTIONS: data})
    source, entry = store(library), library.resolve("conv-001")

    edited = SNIPER.edit(source, entry, {"rule": "Log JSON lines"})
    added = SNIPER.add(library.ground, library.sources, "convention", {"rule": "New"})

    assert (entry.title, entry.date) == ("Log JSON", "2026-03-01")
    after = library.preview([*edited, *added.effects])
    fields = SNIPER.fields(store(after), after.resolve("conv-001"))
    assert fields["text"] == "Log JSON lines"
    new = SNIPER.fields(store(after), after.entry(added.ref))
    assert (new["text"], new["source"], new["created"]) == ("New", "manual", "2026-05-05")


def test_both_endings_are_two_sources_and_a_problem(tmp_path: Path) -> None:
    library = project(
        tmp_path,
        {
            CONVENTIONS: "conventions:\n- {id: conv-001, rule: a}\n",
            f"{MEMORY}/conventions.yml": "conventions:\n- {id: conv-001, rule: b}\n",
        },
    )

    assert len({entry.ref for entry in library.entries()}) == 2
    assert [problem.code for _, _, problem in library.problems()] == ["two-files", "two-files"]


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"conventions:\n  - id: [\n", id="syntax"),
        pytest.param(b"\xff\xfe\x00", id="utf-16"),
        pytest.param(b"conventions: 5\n", id="no-list"),
        pytest.param(b"a: 1\n---\nconventions: []\n", id="two-documents"),
    ],
)
def test_a_file_that_does_not_parse_is_shown_and_not_written(tmp_path: Path, data: bytes) -> None:
    library = project(tmp_path, {CONVENTIONS: data})

    source = store(library)

    assert list(source.entries) == []
    assert not source.is_writable
    with pytest.raises(Refused):
        SNIPER.add(library.ground, library.sources, "convention", {"rule": "x"})


@pytest.mark.parametrize(
    ("data", "problems"),
    [
        pytest.param(b"", 0, id="empty-file"),
        pytest.param(b"# only a comment\n", 0, id="comment"),
        pytest.param(b"conventions:\n", 0, id="nothing-after-the-key"),
        pytest.param(b"conventions: []\n", 0, id="empty-list"),
        pytest.param(b"conventions:\n  -\n", 1, id="null-item"),
    ],
)
def test_an_empty_store_takes_its_first_entry(tmp_path: Path, data: bytes, problems: int) -> None:
    library = project(tmp_path, {CONVENTIONS: data})

    added = SNIPER.add(library.ground, library.sources, "convention", {"rule": "First"})

    assert len(store(library).problems) == problems
    after = library.preview(added.effects)
    assert [(e.ref.id, e.title) for e in after.entries()] == [("conv-001", "First")]


def test_adding_where_no_file_is_makes_one_with_the_defaults(tmp_path: Path) -> None:
    library = project(tmp_path, {".sniper/config.yaml": "project: {name: shop}\n"})

    added = SNIPER.add(
        library.ground, library.sources, "anti_pattern",
        {"description": "Sleeping in tests", "applies_to": ["qa"]},
    )  # fmt: skip

    after = library.preview(added.effects)
    entry = after.entry(Ref("sniper", "ap-001", "shop"))
    assert list(SNIPER.fields(after.source_of(entry), entry).items()) == [
        ("id", "ap-001"),
        ("description", "Sleeping in tests"),
        ("source", {"type": "manual", "ref": "user-added", "date": "2026-05-05"}),
        ("applies_to", ["qa"]),
        ("severity", "medium"),
        ("status", "confirmed"),
    ]


@pytest.mark.parametrize("kind", ["convention", "anti_pattern", "decision"])
def test_adding_writes_no_empty_text(tmp_path: Path, kind: str) -> None:
    library = project(tmp_path, {".sniper/config.yaml": "project: {name: shop}\n"})
    fields = {library.text_field(kind): "Sleep", "detection_hint": "", "rationale": " "}
    fields = {name: text for name, text in fields.items() if kind == "convention" or text.strip()}

    added = SNIPER.add(library.ground, library.sources, kind, fields)

    after = library.preview(added.effects)
    (entry,) = after.entries()
    texts = [*SNIPER.fields(after.source_of(entry), entry).values()]
    assert "" not in texts
    assert " " not in texts
    assert {"positive": "", "negative": ""} not in texts


def test_the_next_id_follows_the_highest_of_its_shape(tmp_path: Path) -> None:
    items = (f"- {{id: {name}, rule: a}}\n" for name in ("conv-7", "old-9000", "conv-999"))
    library = project(tmp_path, {CONVENTIONS: "conventions:\n" + "".join(items)})

    added = SNIPER.add(library.ground, library.sources, "convention", {"rule": "x"})

    assert added.ref.id == "conv-1000"


def test_a_decision_says_its_text_as_title_and_decision(tmp_path: Path) -> None:
    library = project(tmp_path, {DECISIONS: "decisions: []\n"})

    added = SNIPER.add(
        library.ground, library.sources, "decision", {"title": "Use X", "context": "why"}
    )

    after = library.preview(added.effects)
    fields = SNIPER.fields(store(after, "decisions"), after.entry(added.ref))
    assert (fields["decision"], fields["status"]) == ("Use X", "active")
    assert fields["superseded_by"] is None


def test_superseding_needs_the_decision_that_takes_its_place(tmp_path: Path) -> None:
    items = (f"- {{id: dec-00{n}, title: A, decision: a}}\n" for n in (1, 2))
    library = project(tmp_path, {DECISIONS: "decisions:\n" + "".join(items)})
    source, old = store(library, "decisions"), library.resolve("dec-001")

    effects = SNIPER.edit(source, old, {"superseded_by": "dec-002"})

    after = library.preview(effects)
    assert after.resolve("dec-001").status is Status.SUPERSEDED
    assert after.resolve("dec-002").status is Status.ACTIVE
    for missing in ("dec-009", "dec-001"):
        with pytest.raises(NotPossible, match="no other decision"):
            SNIPER.edit(source, old, {"superseded_by": missing})
    with pytest.raises(NotPossible, match="superseded by another one"):
        SNIPER.set_status(source, old, Status.SUPERSEDED)


def test_restoring_a_superseded_decision_forgets_its_successor(tmp_path: Path) -> None:
    data = (
        "decisions:\n- {id: dec-001, title: A, decision: a, status: superseded,"
        " superseded_by: dec-002}\n- {id: dec-002, title: B, decision: b}\n"
    )
    library = project(tmp_path, {DECISIONS: data})

    effects = SNIPER.set_status(
        store(library, "decisions"), library.resolve("dec-001"), Status.ACTIVE
    )

    after = library.preview(effects)
    fields = SNIPER.fields(store(after, "decisions"), after.resolve("dec-001"))
    assert (fields["status"], fields["superseded_by"]) == ("active", None)


def test_a_decision_is_archived_as_deprecated_and_a_convention_is_not(tmp_path: Path) -> None:
    library = project(
        tmp_path,
        {
            DECISIONS: "decisions:\n- {id: dec-001, title: A, decision: a}\n",
            CONVENTIONS: "conventions:\n- {id: conv-001, rule: a}\n",
        },
    )

    effects = SNIPER.set_status(
        store(library, "decisions"), library.resolve("dec-001"), Status.ARCHIVED
    )

    assert library.preview(effects).resolve("dec-001").status is Status.ARCHIVED
    with pytest.raises(NotPossible) as refused:
        SNIPER.set_status(store(library), library.resolve("conv-001"), Status.ARCHIVED)
    assert refused.value.hint == (
        "remove it instead: `remem remove sniper:conv-001`; undo brings it back"
    )


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        pytest.param({"colour": "red"}, "has no field `colour`", id="unknown-field"),
        pytest.param({"enforcement": "often"}, "`enforcement` is `often`", id="enumeration"),
        pytest.param({"status": "blessed"}, "`status` is `blessed`", id="status"),
        pytest.param({"rule": " "}, "`rule` is empty", id="empty-text"),
        pytest.param({"id": "conv-002"}, "the id `conv-002` is taken", id="taken-id"),
        pytest.param({"source.ref.x": "1"}, "`source.ref.x` is too deep", id="too-deep"),
    ],
)
def test_a_value_that_the_kind_does_not_take_is_refused(
    tmp_path: Path, fields: dict[str, str], message: str
) -> None:
    library = project(tmp_path, {CONVENTIONS: FORMATTINGS["block"]})

    with pytest.raises(NotPossible) as refused:
        SNIPER.edit(store(library), library.resolve("conv-001"), dict(fields))

    assert message in str(refused.value)


def test_a_dotted_path_changes_one_part_of_a_field(tmp_path: Path) -> None:
    data = b'conventions:\n- id: conv-001\n  rule: a\n  source: {type: retro, ref: "s-1"} # x\n'
    library = project(tmp_path, {CONVENTIONS: data})

    effects = SNIPER.edit(store(library), library.resolve("conv-001"), {"source.ref": "s-2"})

    after = store(library.preview(effects))
    assert after.data == data.replace(b'"s-1"', b'"s-2"')


def test_a_duplicate_key_makes_its_entry_read_only(tmp_path: Path) -> None:
    data = "conventions:\n- id: conv-001\n  rule: a\n  rule: b\n- {id: conv-002, rule: c}\n"
    library = project(tmp_path, {CONVENTIONS: data})
    source = store(library)

    first, second = list(source.entries)

    assert first.is_read_only
    assert first.problems[0].line == 4
    with pytest.raises(Refused):
        SNIPER.edit(source, first, {"rule": "c"})
    assert SNIPER.edit(source, second, {"rule": "d"})


def test_a_missing_folder_is_no_source_and_the_scaffold_makes_it(tmp_path: Path) -> None:
    library = project(tmp_path, {"README.md": "x", CONVENTIONS: "conventions: []\n"})
    (library.ground.root / CONVENTIONS).unlink()

    files = missing_files(open_shop(tmp_path).ground)

    after = library.refresh().preview(files)
    assert [source.part for source in after.sources] == [
        "conventions", "anti-patterns", "decisions", "estimates",
    ]  # fmt: skip
    assert [problem.message for _, _, problem in after.problems()] == []
    there = {str(each.path.relative_to(library.ground.root)): each.data for each in files}
    assert missing_files(project(tmp_path / "again", there).ground) == ()


def test_the_scaffold_leaves_what_is_there(tmp_path: Path) -> None:
    library = project(tmp_path, {f"{MEMORY}/decisions.yml": "decisions: []\n"})

    names = {effect.path.name for effect in missing_files(library.ground)}

    assert names == {"conventions.yaml", "anti-patterns.yaml", "estimates.yaml", ".gitkeep"}
