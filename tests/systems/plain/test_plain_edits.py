"""Plain files are edited by units, and nobody else's byte changes."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.plain_files import Repo

from remem.base.errors import NotPossible, Refused, UnknownRef
from remem.core.session import Session
from remem.core.settings import Places
from remem.edit.lines import spliced
from remem.model.change import Intent, Json, Splice
from remem.model.entry import Entry, Status
from remem.systems.personas.edits import parse_whole, put_under
from remem.systems.plain.format import Plain

BLOCKS = st.sampled_from(
    (
        *("- a rule\n", "- **b** with `code`\n  and more\n", "## Part\n", "\n", "prose\r\n"),
        *("1. one\n", "```\n- no rule\n```\n", "| a | b |\n", "- \u202eodd\n", "<!-- kept -->\n"),
        "@docs/x.md\n",
    )
)
FRONT = st.sampled_from(["", "---\nglobs: *.ts\nalwaysApply: false\n---\n", "\ufeff"])


@pytest.fixture
def bench(tmp_path: Path) -> Session:
    repo = Repo(tmp_path)
    repo.write(
        {
            "CLAUDE.md": "# Shop\r\n\r\n- use tabs\r\n- never push\r\n",
            "AGENTS.md": "# Agents\n\n- run the tests\n",
            ".cursor/rules/a.mdc": "---\nglobs: *.ts\n---\n- typed\n- tested\n",
        }
    )
    return Session.open(repo.root, Places.of(repo.home), door="cli")


def entry(bench: Session, title: str) -> Entry:
    return next(each for each in bench.library.entries() if each.title == title)


def everything(bench: Session) -> dict[str, bytes]:
    files = (path for path in bench.root.rglob("*") if path.is_file())
    return {path.relative_to(bench.root).as_posix(): path.read_bytes() for path in files}


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(front=FRONT, blocks=st.lists(BLOCKS, max_size=8), pick=st.integers(min_value=0))
def test_a_new_text_for_one_unit_leaves_every_other_byte(
    tmp_path_factory: pytest.TempPathFactory, front: str, blocks: list[str], pick: int
) -> None:
    repo = Repo(tmp_path_factory.mktemp("edit"))
    data = (front + "".join(blocks)).encode()
    source = repo.write({".cursor/rules/a.mdc": data}).source(".cursor/rules/a.mdc")
    if not source.entries:
        return
    chosen = source.entries[pick % len(source.entries)]

    try:
        effects = Plain().edit(source, chosen, {"text": "another text"})
    except (Refused, NotPossible):
        return

    splices = [effect for effect in effects if isinstance(effect, Splice)]
    after = spliced(data, splices)
    for splice in splices:
        assert after.startswith(data[: splice.start])
        assert after.endswith(data[splice.end :])
    again = Plain().read(source, after)
    assert len(again.entries) == len(source.entries)
    kept = [e.title for e in source.entries if e.ref != chosen.ref]
    assert [e.title for e in again.entries if e.title != "another text"] == kept


@pytest.mark.parametrize("verb", ["edit", "archive", "remove"])
def test_what_a_verb_did_is_taken_back_to_the_same_bytes(bench: Session, verb: str) -> None:
    before = everything(bench)
    arguments: dict[str, Json] = {"fields": {"text": "use spaces"}} if verb == "edit" else {}

    done = bench.apply(bench.intend(verb, [entry(bench, "use tabs")], **arguments))

    assert everything(bench)["AGENTS.md"] == before["AGENTS.md"]
    assert b"- never push\r\n" in everything(bench)["CLAUDE.md"]
    assert everything(bench) != before
    bench.undo(done.id)
    assert everything(bench) == before


def test_an_archived_rule_lies_where_no_tool_loads_it(bench: Session) -> None:
    bench.apply(bench.intend("archive", [entry(bench, "typed")]))

    archive = bench.root / ".cursor" / "rules-archive.md"
    assert "- typed" in archive.read_text()
    assert entry(bench, "typed").status.value == "archived"
    assert all(source.path != archive for source in bench.library.sources if not source.archived)


def test_units_move_between_plain_files_with_a_receipt(bench: Session) -> None:
    done = bench.apply(bench.intend("move", [entry(bench, "never push")], to="AGENTS.md#Agents"))

    assert everything(bench)["AGENTS.md"] == b"# Agents\n\n- run the tests\n- never push\n"
    assert everything(bench)["CLAUDE.md"] == b"# Shop\r\n\r\n- use tabs\r\n"
    assert done.change.receipt == "3 units = 1 here + 2 in AGENTS.md · 0 lost, 0 added"


def test_units_move_to_a_section_of_their_own_file(bench: Session) -> None:
    (bench.root / "GEMINI.md").write_text("# A\n\n- one\n\n# B\n\n- two\n")
    bench.refresh()

    bench.apply(bench.intend("move", [entry(bench, "one")], to="#B"))

    assert (bench.root / "GEMINI.md").read_text() == "# A\n\n# B\n\n- two\n- one\n"


def test_a_rule_moves_to_a_named_agents_memory_and_back(bench: Session) -> None:
    memory = bench.root / ".claude" / "agent-memory" / "ana" / "MEMORY.md"
    memory.parent.mkdir(parents=True)
    memory.write_text("# Notes\n\n- known\n")
    bench.refresh()
    before = everything(bench)

    bench.apply(bench.intend("move", [entry(bench, "run the tests")], to="ana#Notes"))
    assert memory.read_text() == "# Notes\n\n- known\n- run the tests\n"
    bench.apply(bench.intend("move", [entry(bench, "run the tests")], to="AGENTS.md#Agents"))

    assert memory.read_bytes() == before[".claude/agent-memory/ana/MEMORY.md"]
    assert everything(bench)["AGENTS.md"].split() == before["AGENTS.md"].split()


def test_a_unit_cannot_move_to_a_file_that_is_not_there(bench: Session) -> None:
    with pytest.raises(Exception, match=r"no plain file `docs/x\.md`"):
        bench.plan(bench.intend("move", [entry(bench, "never push")], to="docs/x.md#Shop"))


def test_two_units_of_plain_files_become_one(bench: Session) -> None:
    into = entry(bench, "never push")

    bench.apply(bench.intend("merge", [entry(bench, "run the tests")], into=str(into.ref)))

    assert everything(bench)["AGENTS.md"] == b"# Agents\n\n"
    assert "run the tests" in everything(bench)["CLAUDE.md"].decode()


def test_what_is_loaded_follows_what_is_written_by_others(bench: Session) -> None:
    path = bench.root / "CLAUDE.md"
    path.write_text("- new\n")

    bench.refresh({path})

    assert entry(bench, "new").ref.id.startswith("CLAUDE.md#")


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(front=FRONT, blocks=st.lists(BLOCKS, max_size=8), pick=st.integers(min_value=0))
def test_a_lesson_beside_another_stands_below_its_heading_and_moves_no_other_byte(
    tmp_path_factory: pytest.TempPathFactory, front: str, blocks: list[str], pick: int
) -> None:
    repo = Repo(tmp_path_factory.mktemp("add"))
    data = (front + "".join(blocks)).encode()
    source = repo.write({".cursor/rules/a.mdc": data}).source(".cursor/rules/a.mdc")
    fields: dict[str, Json] = {"text": "a new one", "file": source.name}
    chosen = source.entries[pick % len(source.entries)] if source.entries else None
    if chosen is not None:
        fields["beside"] = str(chosen.ref)

    try:
        added = Plain().add(repo.ground(), [source], "lesson", fields)
    except (Refused, NotPossible):
        return

    (splice,) = (effect for effect in added.effects if isinstance(effect, Splice))
    after = repo.write({".cursor/rules/a.mdc": spliced(data, [splice])}).source(source.name)
    made = next(each for each in after.entries if each.ref == added.ref)
    assert splice.old == b""
    assert made.title == "a new one"
    assert len(after.entries) == len(source.entries) + 1
    assert chosen is None or made.context == chosen.context


def test_a_lesson_goes_to_the_end_or_below_the_heading_that_is_named(tmp_path: Path) -> None:
    text = "# Shop\r\n\r\n1. first\r\n\r\n## Tests\r\n\r\nprose\r\n"
    repo = Repo(tmp_path).write({"CLAUDE.md": text})

    def with_lesson(**more: Json) -> bytes:
        fields: dict[str, Json] = {"text": "- new", "file": "CLAUDE.md", **more}
        added = Plain().add(repo.ground(), [repo.source("CLAUDE.md")], "lesson", fields)
        return spliced(text.encode(), [e for e in added.effects if isinstance(e, Splice)])

    assert with_lesson() == f"{text}\r\n- new\r\n".encode()
    assert with_lesson(section="Shop") == text.replace("first", "first\r\n2. new").encode()
    assert with_lesson(section="Shop › Tests") == f"{text}\r\n- new\r\n".encode()


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("convention", {"text": "x", "file": "CLAUDE.md"}),
        ("lesson", {"text": "x"}),
        ("lesson", {"text": " ", "file": "CLAUDE.md"}),
        ("lesson", {"text": "x", "file": "no.md"}),
        ("lesson", {"text": "x", "file": "CLAUDE.md", "section": "Nowhere"}),
        ("lesson", {"text": "x", "file": "CLAUDE.md", "beside": "plain:CLAUDE.md#000000"}),
    ],
)
def test_a_lesson_without_a_place_or_a_text_is_not_added(
    tmp_path: Path, kind: str, fields: dict[str, Json]
) -> None:
    repo = Repo(tmp_path).write({"CLAUDE.md": "# Shop\n\n- use tabs\n"})

    with pytest.raises((NotPossible, UnknownRef)) as caught:
        Plain().add(repo.ground(), [repo.source("CLAUDE.md")], kind, fields)

    assert caught.value.hint


def test_what_is_archived_of_an_imported_file_stays_in_sight_and_comes_back(
    tmp_path: Path,
) -> None:
    repo = Repo(tmp_path)
    text = "# Piers\n\n- moor first\n- ring twice\n"
    repo.write({"CLAUDE.md": "See @docs/piers.md\n", "docs/piers.md": text})
    bench = Session.open(repo.root, Places.of(repo.home), door="cli")
    moor = entry(bench, "moor first")

    bench.apply(Intent("archive", {moor.ref: moor.digest}))

    (away,) = [each for each in bench.library.entries() if each.status is Status.ARCHIVED]
    assert away.title == "moor first"
    assert "docs/piers-archive.md" in [source.name for source in bench.library.sources]
    bench.apply(Intent("restore", {away.ref: away.digest}))
    assert (repo.root / "docs" / "piers.md").read_text() == text
    bench.close()


def test_a_part_that_is_made_anew_stands_in_the_part_that_it_was_of() -> None:
    piers = "# Shop\n\n## Piers\n\n### Ropes\n\n- moor first\n"
    fares = "\n## Fares\n\n- ask first\n"
    data = f"{piers}{fares}".encode()

    edit = put_under(parse_whole(data), "Shop › Piers › Bells", "- ring twice\n")

    assert edit.apply(data).decode() == f"{piers}\n### Bells\n\n- ring twice\n{fares}"
