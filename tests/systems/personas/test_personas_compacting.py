from pathlib import Path

import pytest
from hypothesis import event, example, given, settings
from hypothesis import strategies as st
from tests.markdown_files import markdown_files
from tests.persona_files import CARLOS, shelf_at

from remem.base.errors import ChangedOnDisk, NotPossible, Refused, RememError
from remem.edit import markdown
from remem.model.change import Create, Splice
from remem.systems.personas.compacting.compacted_file import (
    MAX_REGION,
    NewLine,
    OldUnit,
    archived,
    compacted,
    line_count,
    region_of,
)
from remem.systems.personas.source import PersonaSource

MEMORY = "- Ask first\n\n## 2026-05-04\n- Retries need a cap\n- Cap: 5\n\n"
TODAY = "2026-05-05"


def memory(folder: Path, data: bytes | str, name: str = f"{CARLOS}/main.md") -> PersonaSource:
    under = "home" if name.startswith(".night-watch") else "root"
    folder.mkdir(exist_ok=True)
    shelf = shelf_at(folder, **{under: {name: data}})
    path = (folder / ("home" if under == "home" else "acme")) / name
    return next(s for s in shelf.sources if s.path == path and isinstance(s, PersonaSource))


def applied(splice: Splice, data: bytes) -> bytes:
    return data[: splice.start] + splice.new + data[splice.end :]


def test_the_whole_file_is_what_can_be_compacted(tmp_path: Path) -> None:
    region = region_of(memory(tmp_path, MEMORY))

    assert region.raw == MEMORY.encode()
    assert region.texts == ("Ask first", "Retries need a cap", "Cap: 5")
    assert [region.section_of(unit) for unit in range(3)] == ["", "2026-05-04", "2026-05-04"]


def test_new_lines_come_without_headings_and_with_the_blank_line_at_the_end(tmp_path: Path) -> None:
    region = region_of(memory(tmp_path, MEMORY))

    splice = compacted(region, [NewLine("Cap retries at 5"), OldUnit(0)])

    assert applied(splice, MEMORY.encode()) == b"- Cap retries at 5\n- Ask first\n\n"


def test_only_what_was_looked_at_is_replaced(tmp_path: Path) -> None:
    base = region_of(memory(tmp_path / "one", MEMORY)).base
    now = f"{MEMORY}## 2026-05-05\n- Came meanwhile\n"

    region = region_of(memory(tmp_path / "two", now), base)
    splice = compacted(region, [NewLine("Cap retries at 5")])

    assert applied(splice, now.encode()) == (
        b"- Cap retries at 5\n\n## 2026-05-05\n- Came meanwhile\n"
    )


def test_a_lesson_that_grew_since_stays_as_it_is(tmp_path: Path) -> None:
    base = region_of(memory(tmp_path / "one", MEMORY.rstrip("\n"))).base
    now = f"{MEMORY.rstrip()} and log each\n"

    region = region_of(memory(tmp_path / "two", now), base)
    splice = compacted(region, [NewLine("Cap the retries")])

    assert applied(splice, now.encode()) == b"- Cap the retries\n\n- Cap: 5 and log each\n"


def test_a_memory_that_was_edited_since_is_not_compacted(tmp_path: Path) -> None:
    base = region_of(memory(tmp_path / "one", MEMORY)).base

    with pytest.raises(ChangedOnDisk, match="changed in the part to compact"):
        region_of(memory(tmp_path / "two", MEMORY.replace("cap", "limit")), base)


@pytest.mark.parametrize("base", ["", "12", "-", "9999999-" + "0" * 32, "x" * 40])
def test_a_base_that_names_nothing_is_refused(tmp_path: Path, base: str) -> None:
    with pytest.raises(RememError):
        region_of(memory(tmp_path, MEMORY), base or "0-")


@pytest.mark.parametrize(
    ("data", "why"),
    [
        pytest.param("- a\n<<<<<<< HEAD\n- b\n=======\n- c\n>>>>>>> other\n", "merge conflict",
                     id="conflict"),
        pytest.param("- a\r\n>>>>>>> other\r\n- c\r\n", "merge conflict", id="conflict in CRLF"),
        pytest.param("", "it has no lessons yet", id="empty"),
        pytest.param("# Carlos\n\n## 2026-05-04\n", "it has no lessons yet", id="headings alone"),
        pytest.param(f"- {'word ' * 250_000}\n", "one entry alone is too long", id="one long line"),
    ],
)  # fmt: skip
def test_what_cannot_be_compacted_says_why(tmp_path: Path, data: str, why: str) -> None:
    with pytest.raises(NotPossible, match=why):
        region_of(memory(tmp_path, data))


@pytest.mark.parametrize(
    "lessons",
    [
        pytest.param(11_000, id="1.2 MB"),
        pytest.param(100_000, id="10 MB", marks=pytest.mark.slow),
    ],
)
def test_of_a_huge_memory_the_oldest_part_is_taken(tmp_path: Path, lessons: int) -> None:
    data = "".join(f"## 2026-01-01\n- Lesson {i} {'x' * 90}\n" for i in range(lessons))

    region = region_of(memory(tmp_path, data))

    assert 0.99 * MAX_REGION < len(region.raw) <= MAX_REGION + 20
    assert data.encode()[region.end :].startswith(b"## 2026-01-01\n")
    assert region_of(region.source, region.base) == region


def test_a_heading_inside_a_fence_is_no_section(tmp_path: Path) -> None:
    data = "- a\n\n```\n## 2026-05-04\n- no bullet\n```\n\n- b\n"
    region = region_of(memory(tmp_path, data))

    splice = compacted(region, [OldUnit(1), NewLine("a and b")])

    assert region.texts == ("a", "```\n## 2026-05-04\n- no bullet\n```", "b")
    assert applied(splice, data.encode()) == (
        b"```\n## 2026-05-04\n- no bullet\n```\n\n- a and b\n"
    )


@pytest.mark.parametrize("text", ["a\0b", "half \ud83d", "two\nlines", "- \n## 2026-01-01"])
def test_a_line_that_would_break_the_file_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(Refused):
        compacted(region_of(memory(tmp_path, MEMORY)), [NewLine(text)])


def test_new_lines_end_as_the_first_line_does(tmp_path: Path) -> None:
    data = b"- a\r\n- b\n## 2026-05-04\n- c\r\n"

    splice = compacted(region_of(memory(tmp_path, data)), [NewLine("a and c"), OldUnit(1)])

    assert applied(splice, data) == b"- a and c\r\n- b\r\n"


@pytest.mark.parametrize(
    ("name", "data", "stays"),
    [
        pytest.param(f"{CARLOS}/main.md", "\ufeff- a\n- b\n", "\ufeff", id="BOM"),
        pytest.param(f"{CARLOS}/main.md", "# Carlos\n\n- a\n- b\n", "# Carlos\n\n", id="title"),
        pytest.param(
            ".claude/agent-memory/dev/MEMORY.md",
            "---\nname: dev\n---\n# Memory\n\n## Tools\n\n- a\n- b\n",
            "---\nname: dev\n---\n# Memory\n\n",
            id="front matter",
        ),
        pytest.param(
            ".squad/agents/hill/history.md",
            "# Hill\n\n- Stack: Go\n\n## Learnings\n\n### 2026-05-04\n\n- a\n- b\n",
            "# Hill\n\n- Stack: Go\n\n## Learnings\n\n",
            id="Squad's learnings",
        ),
        pytest.param(
            ".squad/agents/hill/history.md",
            "# Hill\n\n- Stack: Go\n\n### 2026-05-04\n\n- a\n- b\n",
            "# Hill\n\n- Stack: Go\n\n",
            id="Squad's first date",
        ),
    ],
)
def test_what_stands_above_the_lessons_stays(
    tmp_path: Path, name: str, data: str, stays: str
) -> None:
    region = region_of(memory(tmp_path, data, name))

    splice = compacted(region, [NewLine("a and b")])

    assert region.texts == ("a", "b")
    assert applied(splice, data.encode()).decode() == f"{stays}- a and b\n"


def test_the_archive_gets_the_old_bytes_as_they_are(tmp_path: Path) -> None:
    data = b"- a\r\n- b\n## 2026-05-04\n- c"

    effect = archived(region_of(memory(tmp_path, data)), TODAY)

    assert isinstance(effect, Create)
    assert effect.path.name == "archive.md"
    assert effect.data == b"## 2026-05-05 \xc2\xb7 compacted from main.md\r\n\r\n" + data + b"\r\n"


def test_what_the_archive_holds_already_stays_above(tmp_path: Path) -> None:
    source = memory(tmp_path, MEMORY)
    (source.path.parent / "archive.md").write_bytes(b"## 2026-01-01\n\n- old")

    effect = archived(region_of(source), TODAY)

    assert isinstance(effect, Splice)
    assert (effect.start, effect.old) == (20, b"")
    assert effect.new.startswith(b"\n\n## 2026-05-05")
    assert MEMORY.encode() in effect.new


def test_an_archive_that_ends_in_an_open_fence_is_refused(tmp_path: Path) -> None:
    source = memory(tmp_path, MEMORY)
    (source.path.parent / "archive.md").write_bytes(b"```\nnever closed\n")

    with pytest.raises(Refused, match="would become part of an open block"):
        archived(region_of(source), TODAY)


def test_a_final_line_end_adds_no_line() -> None:
    assert [line_count(data) for data in (b"", b"a", b"a\n", b"a\n\nb")] == [0, 1, 1, 3]


@settings(max_examples=60)
@given(
    data=markdown_files(text_only=True),
    text=st.sampled_from(["One line", "`code` and *more*", "2. number"]),
)
@example(data=b"  - a\n\tcode\n\n- b", text="One line")
@example(data=b"- a\n```\nopen", text="One line")
def test_whatever_the_file_only_the_region_changes_and_the_archive_has_all_of_it(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, text: str
) -> None:
    source = memory(tmp_path_factory.mktemp("any"), data)
    try:
        region = region_of(source)
        splice = compacted(region, [NewLine(text), *map(OldUnit, range(region.count))])
        archive = archived(region, TODAY)
    except (NotPossible, Refused):
        event("refused")
        return

    after = applied(splice, data)
    units = markdown.parse(after).units
    assert isinstance(archive, Create)
    assert region.raw in archive.data
    assert after.startswith(data[: region.start])
    assert after.endswith(data[region.end :])
    assert len(units) == len(region.document.units) + 1
    assert text.encode() in after
