from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from tests.markdown_files import markdown_files
from tests.persona_files import AGENTS, CARLOS, ground_at, open_shelf, shelf_at, text_after

from remem.base.errors import NotPossible, Refused
from remem.model.change import Create, Delete, Splice
from remem.model.entry import FileSpan, Status
from remem.store.overlay import Overlay
from remem.systems.personas.format import Personas

PERSONAS = Personas()
MEMORY = ".claude/agent-memory/rev/MEMORY.md"
HISTORY = ".squad/agents/hill/history.md"


def test_an_edit_replaces_one_units_bytes(tmp_path: Path) -> None:
    shelf = shelf_at(tmp_path, home={f"{CARLOS}/main.md": "- a\r\n- b\r\n"})
    source = shelf.source("Carlos/acme")

    effects = PERSONAS.edit(source, source.entries[0], {"text": "better"})

    assert [(e.old, e.new) for e in effects if isinstance(e, Splice)] == [(b"- a", b"- better")]
    assert text_after(source.path, effects) == "- better\r\n- b\r\n"


def test_the_same_text_plans_nothing(tmp_path: Path) -> None:
    shelf = shelf_at(tmp_path, home={f"{CARLOS}/main.md": "- a\nlazy\n"})
    source = shelf.source("Carlos/acme")

    assert PERSONAS.edit(source, source.entries[0], {"text": "a\nlazy"}) == ()


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"colour": "red"}, id="unknown-field"),
        pytest.param({"text": None}, id="no-text"),
        pytest.param({"text": "  "}, id="blank"),
        pytest.param({"text": "a\0b"}, id="nul"),
        pytest.param({"text": "\ud800"}, id="surrogate"),
    ],
)
def test_what_is_no_text_is_not_possible(tmp_path: Path, fields: dict[str, str | None]) -> None:
    shelf = shelf_at(tmp_path, home={f"{CARLOS}/main.md": "- a\n"})
    source = shelf.source("Carlos/acme")

    with pytest.raises(NotPossible):
        PERSONAS.edit(source, source.entries[0], dict(fields))


def test_a_read_only_file_is_never_planned_on(tmp_path: Path) -> None:
    shelf = shelf_at(tmp_path, root={".squad/agents/hill/history-archive.md": "- a\n"})
    source = shelf.source("hill/history-archive.md")

    with pytest.raises(NotPossible, match="read-only here"):
        PERSONAS.edit(source, source.entries[0], {"text": "b"})
    with pytest.raises(NotPossible, match="read-only here"):
        PERSONAS.remove(source, source.entries[0])


def test_archiving_a_unit_appends_to_the_archive_before_it_leaves(tmp_path: Path) -> None:
    shelf = shelf_at(
        tmp_path,
        root={MEMORY: "# Rev\n\n- a\n- b\n", MEMORY.replace("MEMORY", "archive"): "# Old\n\n- z"},
    )
    source = shelf.source("rev/MEMORY.md")
    archive = source.path.with_name("archive.md")

    effects = PERSONAS.set_status(source, source.entries[1], Status.ARCHIVED)

    assert [e.path for e in effects if isinstance(e, Splice)] == [archive, source.path]
    assert text_after(archive, effects) == (
        "# Old\n\n- z\n\n## 2026-05-04 · from MEMORY.md › Rev\n\n- b\n"
    )
    assert text_after(source.path, effects) == "# Rev\n\n- a\n"


def test_the_first_archived_unit_makes_the_layouts_own_file(tmp_path: Path) -> None:
    shelf = shelf_at(tmp_path, root={HISTORY: "## Learnings\n- a\n  more\n"})
    source = shelf.source("hill/history.md")

    effects = PERSONAS.set_status(source, source.entries[0], Status.ARCHIVED)

    text = "## 2026-05-04 · from history.md › Learnings\n\n- a\n  more\n"
    assert effects[0] == Create(source.path.with_name("history-archive.md"), text.encode())


def test_a_second_unit_of_the_day_joins_the_first(tmp_path: Path) -> None:
    text = "## 2026-05-04 · from MEMORY.md\n\n- a\n"
    shelf = shelf_at(tmp_path, root={MEMORY: "  - b\n", f"{Path(MEMORY).parent}/archive.md": text})
    source = shelf.source("rev/MEMORY.md")

    effects = PERSONAS.set_status(source, source.entries[0], Status.ARCHIVED)

    assert text_after(source.path.with_name("archive.md"), effects) == f"{text}- b\n"


def test_front_matter_stays_with_its_file(tmp_path: Path) -> None:
    shelf = shelf_at(tmp_path, root={MEMORY: "---\nname: x\n---\n- a\n"})
    source = shelf.source("rev/MEMORY.md")

    with pytest.raises(NotPossible, match="front matter"):
        PERSONAS.set_status(source, source.entries[0], Status.ARCHIVED)


def test_an_archived_unit_does_not_come_back_by_itself(tmp_path: Path) -> None:
    shelf = shelf_at(tmp_path, root={f"{Path(MEMORY).parent}/archive.md": "- a\n"})
    source = shelf.source("rev/archive.md")

    with pytest.raises(NotPossible, match="where it was") as error:
        PERSONAS.set_status(source, source.entries[0], Status.ACTIVE)

    assert "undo" in error.value.hint


def test_an_emptied_section_of_working_memory_goes_with_its_last_bullet(tmp_path: Path) -> None:
    text = "- [TODO] head\n\n## 2026-05-04 [TODO]\n- [TODO] only\n\n## 2026-05-05\n- b\n"
    shelf = shelf_at(tmp_path, home={f"{CARLOS}/working.md": text, f"{CARLOS}/main.md": text})
    working, main = shelf.source("Carlos/acme/working.md"), shelf.source("Carlos/acme")

    gone = text_after(working.path, PERSONAS.remove(working, working.entries[1]))
    kept = text_after(main.path, PERSONAS.remove(main, main.entries[1]))

    assert "2026-05-04" not in gone
    assert "2026-05-04" in kept


def test_approving_an_inbox_file_appends_it_and_then_removes_it(tmp_path: Path) -> None:
    shelf = shelf_at(
        tmp_path,
        root={
            ".squad/decisions.md": "### 2026-05-01: Old\nkept",
            ".squad/decisions/inbox/hill-x.md": "### 2026-05-04: New\r\n**By:** Hill\r\n",
        },
    )
    source = shelf.source("decisions/inbox/hill-x.md")

    effects = PERSONAS.set_status(source, source.entries[0], Status.ACTIVE)

    log = shelf.source("decisions.md").path
    assert (
        text_after(log, effects)
        == "### 2026-05-01: Old\nkept\n\n### 2026-05-04: New\n**By:** Hill\n"
    )
    assert effects[-1] == Delete(source.path, source.data, source.digest)


def test_approving_an_inbox_file_that_was_merged_already_only_removes_it(tmp_path: Path) -> None:
    text = "### 2026-05-04: New\n**By:** Hill\n"
    shelf = shelf_at(
        tmp_path,
        root={
            ".squad/decisions.md": f"# Log\n\n{text}\n### Old\n".replace("\n", "\r\n"),
            ".squad/decisions/inbox/hill-x.md": text,
            ".squad/decisions/inbox/hill-y.md": text.replace("Hill", "Hil"),
        },
    )
    merged, part = (shelf.source(f"decisions/inbox/hill-{name}.md") for name in "xy")

    assert PERSONAS.set_status(merged, merged.entries[0], Status.ACTIVE) == (
        Delete(merged.path, merged.data, merged.digest),
    )
    assert len(PERSONAS.set_status(part, part.entries[0], Status.ACTIVE)) == 2


def test_rejecting_an_inbox_file_removes_it(tmp_path: Path) -> None:
    shelf = shelf_at(tmp_path, root={".squad/decisions/inbox/x.md": "Ship\n"})
    source = shelf.source("decisions/inbox/x.md")

    assert PERSONAS.remove(source, source.entries[0]) == (
        Delete(source.path, b"Ship\n", source.digest),
    )


def test_a_decision_moves_to_the_teams_archive(tmp_path: Path) -> None:
    shelf = shelf_at(
        tmp_path, root={".squad/decisions.md": "### 2026-05-01: A\ntext\n\n### 2026-05-02: B\n"}
    )
    source = shelf.source("decisions.md")

    effects = PERSONAS.set_status(source, source.entries[0], Status.ARCHIVED)

    assert effects[0] == Create(
        source.path.with_name("decisions-archive.md"), b"### 2026-05-01: A\ntext\n"
    )
    assert text_after(source.path, effects) == "### 2026-05-02: B\n"


def test_a_decision_that_would_become_two_is_refused(tmp_path: Path) -> None:
    shelf = shelf_at(tmp_path, root={".squad/decisions.md": "### 2026-05-01: A\ntext\n"})
    source = shelf.source("decisions.md")

    with pytest.raises(Refused):
        PERSONAS.edit(source, source.entries[0], {"text": "### 2026-05-01: A\n### 2026-05-02: B"})


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("", "## 2026-05-04\n- new\n\n", id="empty"),
        pytest.param("- head", "- head\n## 2026-05-04\n- new\n\n", id="no-line-end"),
        pytest.param(
            "## 2026-05-04\n- a\n\n",
            "## 2026-05-04\n- a\n\n## 2026-05-04\n- new\n\n",
            id="same-day",
        ),
        pytest.param("- a\r\n", "- a\r\n## 2026-05-04\r\n- new\r\n\r\n", id="crlf"),
    ],
)
def test_a_lesson_is_appended_as_a_reflection(tmp_path: Path, before: str, after: str) -> None:
    shelf = shelf_at(tmp_path, home={f"{CARLOS}/main.md": before})

    added = PERSONAS.add(
        shelf.ground, shelf.sources, "lesson", {"text": "- new", "persona": "carlos"}
    )

    assert text_after(added.path, added.effects) == after
    assert added.ref.id.startswith("Carlos/acme#")


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        pytest.param(MEMORY, "# R\n\n- a\n", "# R\n\n- a\n- new\n", id="claude-list"),
        pytest.param(MEMORY, "# R\n\nprose\n", "# R\n\nprose\n\n- new\n", id="claude-prose"),
        pytest.param(
            HISTORY,
            "# Hill — History\n\n## Learnings\n\n### 2026-05-01 — A\n\n- a\n",
            "# Hill — History\n\n## Learnings\n\n### 2026-05-01 — A\n\n- a\n\n"
            "### 2026-05-04\n\n- new\n",
            id="squad",
        ),
        pytest.param(
            HISTORY,
            "# Hill — History\n",
            "# Hill — History\n\n## Learnings\n\n### 2026-05-04\n\n- new\n",
            id="squad-without-learnings",
        ),
        pytest.param(
            HISTORY,
            "## Learnings\n\n### 2026-05-04\n\n- a\n",
            "## Learnings\n\n### 2026-05-04\n\n- a\n- new\n",
            id="squad-same-day",
        ),
    ],
)
def test_a_lesson_is_appended_as_the_tool_itself_would(
    tmp_path: Path, name: str, before: str, after: str
) -> None:
    shelf = shelf_at(tmp_path, root={name: before})
    persona = Path(name).parent.name

    added = PERSONAS.add(shelf.ground, shelf.sources, "lesson", {"text": "new", "persona": persona})

    assert text_after(added.path, added.effects) == after


def test_a_lesson_goes_below_the_section_that_is_named(tmp_path: Path) -> None:
    shelf = shelf_at(tmp_path, root={MEMORY: "# R\n\n## Api\n- a\n\n## Ui\n- b\n"})

    added = PERSONAS.add(
        shelf.ground, shelf.sources, "lesson", {"text": "new", "persona": "rev", "section": "api"}
    )

    assert text_after(added.path, added.effects) == "# R\n\n## Api\n- a\n- new\n\n## Ui\n- b\n"


def test_the_first_lesson_of_a_project_makes_its_file(tmp_path: Path) -> None:
    shelf = shelf_at(tmp_path, home={f"{AGENTS}/Carlos/memories/other/main.md": "- a\n"})

    added = PERSONAS.add(shelf.ground, shelf.sources, "lesson", {"text": "b", "persona": "carlos"})

    path = shelf.ground.home / CARLOS / "main.md"
    assert added.effects == (Create(path, b"## 2026-05-04\n- b\n\n"),)
    assert added.ref.id.startswith("Carlos/acme#")


def test_a_lesson_of_nobody_and_other_kinds_are_not_possible(tmp_path: Path) -> None:
    ground = ground_at(tmp_path)
    shelf = open_shelf(ground)

    for kind, fields in [
        ("convention", {"text": "x", "persona": "a"}),
        ("lesson", {"text": "x"}),
        ("lesson", {"text": "", "persona": "a"}),
        ("lesson", {"text": "x", "persona": "nobody"}),
    ]:
        with pytest.raises(NotPossible):
            PERSONAS.add(ground, shelf.sources, kind, dict(fields))


@settings(max_examples=60)
@example(data=b"    ## code\n", pick=0)
@example(data=b"    ## code\n12) then the code\n", pick=0)
@given(data=markdown_files(text_only=True), pick=st.integers(min_value=0))
def test_a_unit_is_in_exactly_one_of_both_files_after_archiving(data: bytes, pick: int) -> None:
    with TemporaryDirectory() as name:
        shelf = shelf_at(Path(name), root={MEMORY: data})
        source = shelf.source("rev/MEMORY.md")
        assume(source.entries)
        entry = source.entries[pick % len(source.entries)]
        try:
            effects = PERSONAS.set_status(source, entry, Status.ARCHIVED)
        except (Refused, NotPossible):
            return
        disk = Overlay(shelf.ground.disk, effects)
        live = PERSONAS.read(source, disk.read(source.path))
        archived = PERSONAS.read(source, disk.read(source.path.with_name("archive.md")))

    assert isinstance(entry.at, FileSpan)
    before = sorted(each.title.split() for each in source.entries)
    after = sorted(each.title.split() for each in [*live.entries, *archived.entries])
    assert after == before
    assert [each.title.split() for each in archived.entries] == [entry.title.split()]
