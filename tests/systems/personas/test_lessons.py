"""Lessons move, are pinned, merged and archived; every unit is somewhere afterwards."""

from collections import Counter
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.markdown_files import markdown_files
from tests.sniper_files import carry_out, open_shop, project, take_back, write
from tests.systems.personas.test_persona_lifecycle import House

from remem.base.errors import NotPossible, Refused, UnknownRef
from remem.core.library import Library
from remem.core.verbs.verbs import plan
from remem.model.change import Change, Create, Intent, Splice
from remem.model.entry import Entry, Status

AGENTS = "home/.night-watch/agents"
CARLOS = f"{AGENTS}/Carlos/memories/shop/main.md"
PRIYA = f"{AGENTS}/Priya/memories/shop/main.md"
REV = "shop/.claude/agent-memory/rev/MEMORY.md"
HILL = "shop/.squad/agents/hill/history.md"

FILES = {
    CARLOS: (
        "- Ask first\n\n## 2026-02-01\n- Old lesson\n- Second old one\n\n"
        "## 2026-05-04\n- New lesson\n"
    ),
    PRIYA: "## 2026-05-04\n- Tests first\n",
    HILL: "# Hill — History\n\n## Core Context\n\n- Boards are loud\n\n## Learnings\n",
}


def workshop(folder: Path, files: dict[str, str]) -> Library:
    (folder / "shop").mkdir(exist_ok=True)
    write(folder, files)
    return open_shop(folder)


def lesson(library: Library, title: str) -> Entry:
    return next(e for e in library.of_kind("lesson") if e.title.startswith(title))


def asked(library: Library, verb: str, *titles: str, **arguments: str) -> Change:
    entries = [lesson(library, title) for title in titles]
    return plan(library, Intent(verb, {e.ref: e.digest for e in entries}, dict(arguments)))


def words(library: Library) -> Counter[str]:
    return Counter(" ".join(e.title.split()) for e in library.of_kind("lesson"))


@pytest.mark.parametrize(
    ("titles", "place", "file", "expected"),
    [
        pytest.param(
            ("New",),
            "#2026-02-01",
            CARLOS,
            "- Ask first\n\n## 2026-02-01\n- Old lesson\n- Second old one\n- New lesson\n\n"
            "## 2026-05-04\n",
            id="another-section",
        ),
        pytest.param(
            ("Old", "New"),
            "#",
            CARLOS,
            "- Ask first\n- Old lesson\n- New lesson\n\n## 2026-02-01\n- Second old one\n\n"
            "## 2026-05-04\n",
            id="two-to-the-head",
        ),
        pytest.param(
            ("New",), "Priya", PRIYA, "## 2026-05-04\n- Tests first\n- New lesson\n", id="same-date"
        ),
        pytest.param(
            ("Old", "Second"),
            "priya@night-watch",
            PRIYA,
            "## 2026-05-04\n- Tests first\n\n## 2026-02-01\n- Old lesson\n- Second old one\n",
            id="its-date-begins-a-section",
        ),
        pytest.param(
            ("Ask",),
            "Priya",
            PRIYA,
            "- Ask first\n\n## 2026-05-04\n- Tests first\n",
            id="undated-to-the-head",
        ),
        pytest.param(
            ("Old",),
            "hill",
            HILL,
            "# Hill — History\n\n## Core Context\n\n- Boards are loud\n\n## Learnings\n\n"
            "### 2026-02-01\n\n- Old lesson\n",
            id="as-squad-dates-it",
        ),
        pytest.param(
            ("Old",),
            "hill#core context",
            HILL,
            "# Hill — History\n\n## Core Context\n\n- Boards are loud\n- Old lesson\n\n"
            "## Learnings\n",
            id="a-named-section-of-another",
        ),
    ],
)
def test_lessons_move_to_the_place_that_is_named(
    tmp_path: Path, titles: tuple[str, ...], place: str, file: str, expected: str
) -> None:
    library = workshop(tmp_path, FILES)

    change = asked(library, "move", *titles, to=place)
    after = carry_out(library, change)

    assert (tmp_path / file).read_text() == expected
    assert words(after) == words(library)
    assert change.receipt.endswith("0 lost, 0 added")
    assert all(ref is not None and after.has(ref) for ref in change.touched.values())


def test_a_lesson_comes_to_its_new_file_before_it_leaves_the_old_one(tmp_path: Path) -> None:
    library = workshop(tmp_path, FILES)

    change = asked(library, "move", "New", to="Priya")

    paths = [effect.path for effect in change.effects if isinstance(effect, Splice)]
    assert paths == [tmp_path / PRIYA, tmp_path / CARLOS]
    assert change.receipt == "5 units = 3 here + 2 in Priya/shop · 0 lost, 0 added"


def test_a_lesson_that_stands_there_already_shows_no_move(tmp_path: Path) -> None:
    library = workshop(tmp_path, FILES)

    with pytest.raises(NotPossible, match="no change is needed"):
        asked(library, "move", "Second", to="#2026-02-01")


def test_the_first_lesson_that_moves_to_a_persona_makes_its_memory(tmp_path: Path) -> None:
    library = workshop(tmp_path, {**FILES, f"{AGENTS}/Maya/memories/other/main.md": "- x\n"})

    change = asked(library, "move", "New", to="Maya")
    after = carry_out(library, change)

    made = f"{AGENTS}/Maya/memories/shop/main.md"
    assert (tmp_path / made).read_text() == "## 2026-05-04\n- New lesson\n"
    assert isinstance(change.effects[0], Create)
    assert words(after) == words(library)


@pytest.mark.parametrize(
    ("place", "error"),
    [
        pytest.param("", NotPossible, id="nowhere"),
        pytest.param("Nobody", UnknownRef, id="nobody"),
        pytest.param("#No such section", UnknownRef, id="no-section"),
        pytest.param("/none.md", UnknownRef, id="no-file"),
    ],
)
def test_a_place_that_is_none_is_said(tmp_path: Path, place: str, error: type[Exception]) -> None:
    library = workshop(tmp_path, FILES)

    with pytest.raises(error):
        asked(library, "move", "New", to=place)


def test_only_lessons_move(tmp_path: Path) -> None:
    library = project(tmp_path, {".squad/decisions.md": "### 2026-05-01: Use tabs\ntext\n"})
    (entry,) = library.of_kind("decision")

    with pytest.raises(NotPossible, match="is not a persona's lesson"):
        plan(library, Intent("move", {entry.ref: entry.digest}, {"to": "#"}))


def test_a_pinned_lesson_is_the_first_bullet_of_the_head(tmp_path: Path) -> None:
    library = workshop(tmp_path, FILES)

    after = carry_out(library, asked(library, "lesson.pin", "New"))

    assert (tmp_path / CARLOS).read_text().startswith("- New lesson\n- Ask first\n\n## 2026-02-01")
    assert lesson(after, "New").date == ""
    with pytest.raises(NotPossible, match="already"):
        asked(after, "lesson.pin", "New")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "# Rev\n\n## 2026-05-04\n\n- a\n",
            "# Rev\n\n- a\n\n## 2026-05-04\n\n",
            id="below-the-title",
        ),
        pytest.param(
            "## 2026-05-04\n- a\n- b\n", "- a\n\n## 2026-05-04\n- b\n", id="above-everything"
        ),
        pytest.param(
            "# Rev\n\nprose\n\n## 2026-05-04\n- a\n- b\n",
            "# Rev\n\nprose\n\n- a\n\n## 2026-05-04\n- b\n",
            id="behind-prose",
        ),
    ],
)
def test_a_head_without_bullets_gets_its_first(tmp_path: Path, text: str, expected: str) -> None:
    library = workshop(tmp_path, {REV: text})

    carry_out(library, asked(library, "lesson.pin", "a"))

    assert (tmp_path / REV).read_text() == expected


def test_equal_lessons_become_one_that_tells_who_learnt_it_when(tmp_path: Path) -> None:
    files = {
        CARLOS: "## 2026-05-04\n- Cap the retries (ref: src/a.ts#L1)\n",
        PRIYA: "## 2026-03-02\n- cap the retries. (ref: src/b.ts#L9)\n",
    }
    library = workshop(tmp_path, files)
    into = lesson(library, "Cap")

    change = asked(library, "merge", "cap", into=str(into.ref))
    after = carry_out(library, change)

    assert (tmp_path / CARLOS).read_text() == (
        "## 2026-05-04\n- Cap the retries (ref: src/a.ts#L1) (ref: src/b.ts#L9)"
        " (also Priya, 2026-03-02)\n"
    )
    assert (tmp_path / PRIYA).read_text() == "## 2026-03-02\n"
    assert change.receipt == "2 units = 0 here + 1 in Carlos/shop + 1 merged · 0 lost, 0 added"
    assert {after.entry(ref).title[:3] for ref in change.touched.values() if ref} == {"Cap"}


def test_the_words_of_a_merged_lesson_stay_below_the_one_that_takes_it(tmp_path: Path) -> None:
    text = "## 2026-05-04\n- Cap the retries\n- Retries need a cap\n  in every client\n"
    library = workshop(tmp_path, {CARLOS: text})
    into = lesson(library, "Cap")

    carry_out(library, asked(library, "merge", "Retries", into=str(into.ref)))

    assert (tmp_path / CARLOS).read_text() == (
        "## 2026-05-04\n- Cap the retries\n  - also: Retries need a cap\n    in every client\n"
    )


def test_twins_of_one_section_become_one_whichever_goes(tmp_path: Path) -> None:
    library = workshop(tmp_path, {CARLOS: "## 2026-05-04\n- Same\n- Other\n- Same\n"})
    first, _, second = library.of_kind("lesson")

    for gone, into in ((first, second), (second, first)):
        intent = Intent("merge", {gone.ref: gone.digest}, {"into": str(into.ref)})
        change = plan(library, intent)
        assert change.receipt == "3 units = 2 here + 1 merged · 0 lost, 0 added"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("prose\n\n- a\n", id="into-prose"),
        pytest.param("| a |\n\n- a\n", id="into-a-table"),
    ],
)
def test_only_a_bullet_takes_another_lesson(tmp_path: Path, text: str) -> None:
    library = workshop(tmp_path, {CARLOS: text})
    into, other = library.of_kind("lesson")

    with pytest.raises(NotPossible):
        plan(library, Intent("merge", {other.ref: other.digest}, {"into": str(into.ref)}))


def test_a_lesson_merges_only_with_a_lesson(tmp_path: Path) -> None:
    write(tmp_path, {"shop/.sniper/memory/conventions.yaml": "conventions:\n- {id: c, rule: x}\n"})
    library = workshop(tmp_path, FILES)
    (rule,) = library.of_kind("convention")

    with pytest.raises(NotPossible):
        asked(library, "merge", "New", into=str(rule.ref))
    into = str(lesson(library, "New").ref)
    with pytest.raises(NotPossible):
        plan(library, Intent("merge", {rule.ref: rule.digest}, {"into": into}))


@pytest.mark.parametrize(
    ("level", "kind"), [("convention", "convention"), ("learning", "learning")]
)
def test_a_lesson_lifted_waits_for_a_person_and_says_where_it_is_from(
    tmp_path: Path, level: str, kind: str
) -> None:
    write(tmp_path, {"shop/.sniper/config.yaml": "name: shop\n"})
    library = workshop(tmp_path, FILES)

    after = carry_out(library, asked(library, "promote", "New", to=level))

    (made,) = after.of_kind(level)
    assert (made.title, made.status) == ("New lesson", Status.CANDIDATE)
    fields = after.format_of(made).reader.fields(after.source_of(made), made)
    assert str(lesson(library, "New").ref) in str(fields["source"])
    assert (tmp_path / CARLOS).read_text() == FILES[CARLOS]


@pytest.mark.parametrize("level", ["", "core", "workspace"])
def test_a_lesson_has_no_other_level(tmp_path: Path, level: str) -> None:
    library = workshop(tmp_path, FILES)

    with pytest.raises(NotPossible) as error:
        asked(library, "promote", "New", **({"to": level} if level else {}))

    assert "convention" in error.value.hint


def test_old_sections_go_whole_to_the_archive_beside_their_file(tmp_path: Path) -> None:
    library = workshop(tmp_path, FILES)

    intent = Intent("sections.archive", {}, {"persona": "carlos", "before": "2026-05-01"})
    change = plan(library, intent)
    after = carry_out(library, change)

    archive = (tmp_path / CARLOS).with_name("archive.md")
    assert (tmp_path / CARLOS).read_text() == "- Ask first\n\n## 2026-05-04\n- New lesson\n"
    assert archive.read_text() == "## 2026-02-01\n- Old lesson\n- Second old one\n"
    assert change.receipt == ("4 units of Carlos/shop = 2 here + 2 in archive.md · 0 lost, 0 added")
    assert lesson(after, "Old").status is Status.ARCHIVED
    assert words(after) == words(library)


@pytest.mark.parametrize("stands", ["absent", "old", "new"])
def test_old_sections_of_several_files_of_a_folder_go_into_one_archive_and_back(
    tmp_path: Path, stands: str
) -> None:
    memory = ".claude/agent-memory/hill"
    archive = f"{memory}/archive.md"
    files: dict[str, str | bytes] = {
        f"{memory}/MEMORY.md": "- Ask\n\n## 2026-01-01\n- One\n\n## 2026-05-01\n- Late\n",
        f"{memory}/ports.md": "# Ports\n\n## 2026-01-02\n- Two\n- Three\n",
        f"{memory}/bells.md": (
            b"\xef\xbb\xbf## 2026-01-03\r\n- Four\r\n\r\n## 2026-05-02\r\n- B\r\n"
        ),
        f"{memory}/deep/ropes.md": "## 2026-01-04\n- Five\n",
        f"{memory}/later.md": "## 2026-05-03\n- Later\n",
    }
    if stands == "old":
        files[archive] = "## 2025-01-01\n- Zero"
    elif stands == "new":
        files[archive] = "## 2025-01-01\r\n- Zero\r\n"
    of = House(tmp_path, root=files)
    (of.root / f"{memory}/ports.md").chmod(0o640)
    before, modes = of.tree(), _modes(of.root)

    change = of.does("sections.archive", persona="hill", before="2026-03-01")

    text = (of.root / archive).read_text()
    assert [text.count(f"- {word}") for word in ("One", "Two", "Three", "Four", "Late")] == [
        1, 1, 1, 1, 0
    ]  # fmt: skip
    assert ("Zero" in text) == (stands != "absent")
    assert (of.root / f"{memory}/deep/archive.md").read_text() == "## 2026-01-04\n- Five\n"
    assert (of.root / f"{memory}/ports.md").read_text().strip() == "# Ports"
    assert change.title == "Archive 4 sections of hill before 2026-03-01"
    assert sorted(change.receipt.split(" · ")) == sorted(
        [
            "3 units of hill/MEMORY.md = 2 here + 1 in archive.md",
            "2 units of hill/bells.md = 1 here + 1 in archive.md",
            "2 units of hill/ports.md = 0 here + 2 in archive.md",
            "1 unit of hill/deep/ropes.md = 0 here + 1 in archive.md",
            "0 lost, 0 added",
        ]
    )
    assert (of.root / f"{memory}/ports.md").stat().st_mode & 0o777 == 0o640
    of.bench.undo()
    assert (of.tree(), _modes(of.root)) == (before, modes)


def _modes(root: Path) -> dict[str, int]:
    return {str(path): path.lstat().st_mode for path in root.rglob("*")}


def test_undated_sections_are_not_old_and_newer_ones_hold_what_they_lie_in(tmp_path: Path) -> None:
    text = (
        "# Hill — History\n\n## Facts\n- a\n\n## Learnings — X (2026-01-01)\n- b\n\n"
        "### 2026-05-02 — Later\n- c\n\n## 2026-01-03 — Y\n- d\n\n```\n## 2026-01-01\n```\n"
    )
    library = workshop(tmp_path, {HILL: text})

    change = plan(
        library, Intent("sections.archive", {}, {"persona": "hill", "before": "2026-03-01"})
    )
    carry_out(library, change)

    archive = (tmp_path / HILL).with_name("history-archive.md").read_text()
    assert archive == "## 2026-01-03 — Y\n- d\n\n```\n## 2026-01-01\n```\n"
    assert (tmp_path / HILL).read_text() == text[: text.index("## 2026-01-03")]
    assert change.notes == ("1 old section of `hill/history.md` stay: they contain newer ones",)


@pytest.mark.parametrize(
    ("persona", "before", "error"),
    [
        pytest.param("carlos", "yesterday", NotPossible, id="no-day"),
        pytest.param("carlos", "2020-01-01", NotPossible, id="nothing-older"),
        pytest.param("nobody", "2026-01-01", UnknownRef, id="nobody"),
    ],
)
def test_what_cannot_be_archived_is_said(
    tmp_path: Path, persona: str, before: str, error: type[Exception]
) -> None:
    library = workshop(tmp_path, FILES)

    with pytest.raises(error):
        plan(library, Intent("sections.archive", {}, {"persona": persona, "before": before}))


@settings(max_examples=40, deadline=None)
@given(data=markdown_files(text_only=True), pick=st.integers(0, 20), to=st.integers(-1, 5))
def test_moving_within_any_file_keeps_every_unit_and_can_be_taken_back(
    data: bytes, pick: int, to: int
) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "shop").mkdir()
        write(folder, {REV: data})
        library = open_shop(folder)
        entries = list(library.of_kind("lesson"))
        assume(entries)
        entry = entries[pick % len(entries)]
        titles = [e.context.rpartition(" › ")[2] for e in entries if e.context]
        place = f"#{titles[to % len(titles)]}" if to >= 0 and titles else "#"
        try:
            change = plan(library, Intent("move", {entry.ref: entry.digest}, {"to": place}))
        except (Refused, NotPossible, UnknownRef):
            return
        after = carry_out(library, change)

        assert words(after) == words(library)
        assert take_back(change, folder / REV) == data


@settings(max_examples=30, deadline=None)
@given(
    one=markdown_files(text_only=True), other=markdown_files(text_only=True), pick=st.integers(0)
)
def test_moving_between_any_two_files_keeps_every_unit(one: bytes, other: bytes, pick: int) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "shop").mkdir()
        write(folder, {CARLOS: one, PRIYA: other})
        library = open_shop(folder)
        entries = [e for e in library.of_kind("lesson") if "Carlos" in e.ref.id]
        assume(entries)
        entry = entries[pick % len(entries)]
        try:
            change = plan(library, Intent("move", {entry.ref: entry.digest}, {"to": "Priya"}))
        except (Refused, NotPossible):
            return
        after = carry_out(library, change)

        assert words(after) == words(library)
        for path, before in ((CARLOS, one), (PRIYA, other)):
            assert take_back(change, folder / path) == before


def test_eleven_memories_put_together_have_as_many_units_as_before(tmp_path: Path) -> None:
    sections = "## 2026-0{m}-1{n}\n- Lesson {n} of {m}\n  went on\n\nprose {n}\n\n| {n} | {m} |\n"
    files = {
        f"{AGENTS}/P{n}/memories/shop/main.md": f"- head {n}\n\n"
        + "\n".join(sections.format(m=m, n=n % 10) for m in range(1, 6))
        for n in range(11)
    }
    library = workshop(tmp_path, files)
    moving = [e for e in library.of_kind("lesson") if not e.ref.id.startswith("P0/")]

    intent = Intent("move", {e.ref: e.digest for e in moving}, {"to": "P0"})
    change = plan(library, intent)
    after = carry_out(library, change)

    units = 11 * (1 + 5 * 3)
    here = [e for e in after.of_kind("lesson") if e.ref.id.startswith("P0/")]
    assert len(list(library.of_kind("lesson"))) == units
    assert len(here) == units
    assert words(after) == words(library)
    assert change.receipt.startswith(f"{units} units = ")


def test_no_two_entries_ever_share_a_ref_after_a_move(tmp_path: Path) -> None:
    text = "## 2026-05-04\n- Same\n- Same\n\n## 2026-05-05\n- Same\n"
    library = workshop(tmp_path, {CARLOS: text})
    last = list(library.of_kind("lesson"))[-1]

    change = plan(library, Intent("move", {last.ref: last.digest}, {"to": "#2026-05-04"}))
    after = carry_out(library, change)

    refs = [e.ref for e in after.of_kind("lesson")]
    assert all(one != other for one, other in combinations(refs, 2))
    assert len(refs) == 3


@pytest.mark.parametrize("name", ["status", "severity"])
def test_what_a_lessons_file_cannot_say_is_refused_and_not_left_out(
    name: str, tmp_path: Path
) -> None:
    library = workshop(tmp_path, FILES)
    fields = {"text": "Retry once", "persona": "hill", name: "candidate"}

    with pytest.raises(NotPossible, match=f"a lesson has no .*`{name}`"):
        plan(library, Intent("add", arguments={"kind": "lesson", "fields": {**fields}}))
