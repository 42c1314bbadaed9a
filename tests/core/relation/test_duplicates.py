"""A rule that one agent is told twice is found wherever its copies stand, with what it costs."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.markdown_files import markdown_files
from tests.sniper_files import CONVENTIONS, clock, write

from remem.base.errors import ChangedOnDisk, NotPossible
from remem.core.library import Library
from remem.core.relation.alike_in_library import rules_in_force
from remem.core.relation.duplicates import Told, duplicate_rules, issue_of, told_issues
from remem.core.relation.matching import likeness
from remem.core.relation.normal_form import Alike, norm
from remem.core.session import Session
from remem.core.settings import Places
from remem.core.verbs.verbs import KeepOne, needs_plan, plan
from remem.model.change import Intent
from remem.model.entry import Entry

RULE = "Every queue consumer is idempotent"
LEARNING = ".sniper/memory/learnings/l.yaml"
CLAUDE = "CLAUDE.md"
RULES = ".claude/rules/queues.md"
HILL = ".squad/agents/hill/history.md"
ARCHIVE = ".squad/agents/hill/history-archive.md"


def open_shop(root: Path) -> Session:
    places = Places.of(root / "home")
    return Session.open(root / "shop", places, door="cli", clock=clock())


def project(root: Path, files: dict[str, str]) -> Library:
    write(root / "shop", dict(files))
    return open_shop(root).library


def conventions(*rules: str, to: str = "backend-engineer") -> str:
    rows = "".join(
        f'  - {{id: conv-{n:03}, rule: "{rule}", applies_to: [{to}]}}\n'
        for n, rule in enumerate(rules, 1)
    )
    return f"conventions:\n{rows}"


def places(library: Library, told: Told) -> list[str]:
    root = library.ground.root
    return [str(library.source_of(e).path.relative_to(root)) for e in told.copies]


def asked(told: Told, stays: Entry | None = None) -> Intent:
    shown = {entry.ref: entry.digest for entry in told.copies}
    return Intent("told.keep", shown, {"keep": str((stays or told.keep).ref)})


def copy_in(library: Library, told: Told, place: str) -> Entry:
    return dict(zip(places(library, told), told.copies, strict=True))[place]


def test_copies_in_two_files_that_one_agent_loads_are_one_finding(tmp_path: Path) -> None:
    files = {CLAUDE: f"# Shop\n\n- {RULE}\n", RULES: f"- {RULE}.\n- Queues have names\n"}
    library = project(tmp_path, files)

    (told,) = duplicate_rules(library)

    assert places(library, told) == [CLAUDE, RULES]
    assert told.is_exact
    assert told.agents == ("Claude Code",)
    assert told.tokens == -(-len(f"- {RULE}") // 4)


def test_a_store_and_a_file_are_one_agents_where_role_and_agent_have_one_name(
    tmp_path: Path,
) -> None:
    agent = "---\nname: backend-engineer\ndescription: d\n---\nYou mend the backend.\n"
    files = {
        CLAUDE: f"- {RULE}\n",
        CONVENTIONS: conventions(RULE),
        ".claude/agents/backend-engineer.md": agent,
    }
    library = project(tmp_path, files)

    (told,) = duplicate_rules(library)

    assert sorted(places(library, told)) == [CONVENTIONS, CLAUDE]
    assert told.agents == ("backend-engineer",)


def test_a_link_alone_is_no_rule_and_one_with_words_is(tmp_path: Path) -> None:
    links = "- [Standards of the Pier](./pier.md) ⭐\n- [Moor](./moor.md): at the first pier\n"
    library = project(tmp_path, {CLAUDE: f"# See\n\n{links}", RULES: f"# See also\n\n{links}"})

    (told,) = duplicate_rules(library)

    assert told.keep.title == "[Moor](./moor.md): at the first pier"


def test_copies_that_no_one_agent_loads_are_nobodys_concern(tmp_path: Path) -> None:
    files = {CONVENTIONS: conventions(RULE), HILL: f"- {RULE}\n"}

    assert duplicate_rules(project(tmp_path, files)) == ()


def test_nearly_the_same_counts_and_the_opposite_does_not(tmp_path: Path) -> None:
    near = "Every queue consumer here is idempotent"
    opposite = "Every queue consumer is not idempotent"
    library = project(tmp_path, {CLAUDE: f"- {RULE}\n", RULES: f"- {near}\n- {opposite}\n"})

    found = duplicate_rules(library)

    assert [(told.is_exact, len(told.copies)) for told in found] == [(False, 2)]
    against = likeness(RULE, opposite)
    assert against is not None
    assert against.alike is Alike.CONTRADICTION


def test_rules_that_differ_in_a_number_alone_are_no_pairs_that_anybody_keeps(
    tmp_path: Path,
) -> None:
    numbered = [f"Every berth of harbour {number} is inspected at noon" for number in range(40)]
    again = "Each berth of harbour 7 is inspected at noon"
    rules = "".join(f"- {rule}\n" for rule in (*numbered, again))

    (texts, _) = rules_in_force(project(tmp_path, {CLAUDE: rules}))

    assert [sorted(pair) for pair in texts.alike] == [sorted(map(norm, (numbered[7], again)))]


def test_a_copy_below_the_cut_of_its_file_costs_nothing(tmp_path: Path) -> None:
    agent = "---\nname: rev\ndescription: d\nmemory: project\n---\nReview.\n"
    lines = "".join(f"- Line {n} of many others\n" for n in range(220))
    files = {
        ".claude/agents/rev.md": agent,
        ".claude/agent-memory/rev/MEMORY.md": f"{lines}- {RULE}\n",
        CLAUDE: f"- {RULE}\n",
    }

    assert duplicate_rules(project(tmp_path, files)) == ()


def test_the_dearest_rule_comes_first(tmp_path: Path) -> None:
    long = "A migration that drops a column runs a week after the code that used it was removed"
    library = project(tmp_path, {CLAUDE: f"- {RULE}\n- {long}\n", RULES: f"- {RULE}\n- {long}\n"})

    found = duplicate_rules(library)

    assert [told.keep.title for told in found] == [long, RULE]


def test_new_words_are_compared_with_what_was_found_before(tmp_path: Path) -> None:
    library = project(tmp_path, {CLAUDE: f"- {RULE}\n- Names are verbs everywhere\n"})
    assert duplicate_rules(library) == ()
    write(tmp_path / "shop", {RULES: f"- {RULE}\n- Names are verbs anywhere\n"})

    library = library.refresh()
    assert len(duplicate_rules(library)) == 1
    write(tmp_path / "shop", {RULES: "- Names are verbs everywhere!\n"})

    found = duplicate_rules(library.refresh())
    assert [told.keep.title for told in found] == ["Names are verbs everywhere"]


def test_health_is_told_once_what_two_like_entries_of_one_store_are(tmp_path: Path) -> None:
    files = {CONVENTIONS: conventions(RULE, RULE), CLAUDE: "- Names are verbs everywhere\n"}
    library = project(tmp_path, files)

    assert len(duplicate_rules(library)) == 1
    assert [*told_issues(library)] == []


def test_the_worry_names_who_pays_and_the_verb(tmp_path: Path) -> None:
    library = project(tmp_path, {CLAUDE: f"- {RULE}\n", RULES: f"- {RULE}\n"})
    (told,) = duplicate_rules(library)

    issue = issue_of(library, told)

    assert issue.verb == "told.keep"
    assert KeepOne.from_json(issue.arguments) == KeepOne(keep=str(told.keep.ref))
    assert issue.problem.message.startswith("Claude Code starts with the same rule twice, for ≈")
    assert [*told_issues(library)] == [issue]


@pytest.mark.parametrize("stays", [CLAUDE, RULES])
def test_keeping_one_takes_the_other_out_and_undo_brings_every_byte_back(
    tmp_path: Path, stays: str
) -> None:
    files = {CLAUDE: f"# Shop\r\n\r\n- {RULE}\r\n- b\r\n", RULES: f"- a\n- {RULE}\n\n"}
    write(tmp_path / "shop", dict(files))
    bench = open_shop(tmp_path)
    (told,) = duplicate_rules(bench.library)
    intent = asked(told, copy_in(bench.library, told, stays))

    done = bench.apply(intent)

    assert needs_plan(intent)
    assert done.change.receipt.startswith("4 units in 2 files = 3 here + 1 said by ")
    assert done.change.receipt.endswith("· 0 lost, 0 added")
    assert duplicate_rules(bench.library) == ()
    assert (tmp_path / "shop" / stays).read_bytes() == files[stays].encode()
    bench.undo()
    assert {path: (tmp_path / "shop" / path).read_bytes() for path in files} == {
        path: text.encode() for path, text in files.items()
    }
    bench.close()


def test_other_words_go_to_the_archive_where_there_is_one(tmp_path: Path) -> None:
    near = "Every queue consumer here is idempotent"
    team = "### 2026-01-01: Queues\n"
    write(tmp_path / "shop", {HILL: f"- {RULE}\n\n- {near}\n", ".squad/decisions.md": team})
    bench = open_shop(tmp_path)
    (told,) = duplicate_rules(bench.library)

    done = bench.apply(asked(told))

    assert f"- {near}" in (tmp_path / "shop" / ARCHIVE).read_text()
    assert "1 archived" in done.change.receipt
    assert any("words it differently" in note for note in done.change.notes)
    bench.close()


def test_who_would_no_longer_be_told_is_said_first(tmp_path: Path) -> None:
    agent = "---\nname: backend-engineer\ndescription: d\n---\nYou mend the backend.\n"
    files = {
        CLAUDE: f"- {RULE}\n",
        CONVENTIONS: conventions(RULE, to="backend-engineer, architect"),
        ".claude/agents/backend-engineer.md": agent,
    }
    library = project(tmp_path, files)
    (told,) = duplicate_rules(library)

    change = plan(library, asked(told, copy_in(library, told, CLAUDE)))

    assert any(note.startswith("architect") and "would lose it" in note for note in change.notes)


def test_what_is_no_copy_is_not_taken_out(tmp_path: Path) -> None:
    library = project(tmp_path, {CLAUDE: f"- {RULE}\n- Names are verbs everywhere\n"})
    one, other = (entry for entry in library.entries() if entry.kind == "lesson")

    with pytest.raises(NotPossible, match="does not say what"):
        plan(
            library,
            Intent(
                "told.keep",
                {one.ref: one.digest, other.ref: other.digest},
                {"keep": str(one.ref)},
            ),
        )
    with pytest.raises(NotPossible, match="name all copies"):
        plan(library, Intent("told.keep", {one.ref: one.digest}, {"keep": str(one.ref)}))
    with pytest.raises(ChangedOnDisk):
        plan(library, Intent("told.keep", {one.ref: "0", other.ref: ""}, {"keep": str(one.ref)}))


# A file that is no text has no entries that could say anything twice.
_READABLE = markdown_files().map(lambda data: data.decode("utf-8", "ignore").encode())


@settings(max_examples=8)
@given(before=_READABLE, after=_READABLE, stays=st.booleans())
def test_no_other_byte_of_any_file_changes_and_undo_brings_all_back(
    before: bytes, after: bytes, stays: bool
) -> None:
    line = f"- {RULE}\n".encode()
    with TemporaryDirectory() as folder:
        root = Path(folder)
        # Below a heading, so that nothing more belongs to the copies.
        write(
            root / "shop",
            {CLAUDE: line + b"\n## More\n\n" + before, RULES: line + b"\n## More\n\n" + after},
        )
        with closing(open_shop(root)) as bench:
            found = [told for told in duplicate_rules(bench.library) if len(told.copies) == 2]
            plain = [told for told in found if {c.title for c in told.copies} == {RULE}]
            assume(plain)
            files = {path: (root / "shop" / path).read_bytes() for path in (CLAUDE, RULES)}

            bench.apply(asked(plain[0], plain[0].copies[stays]))

            now = {path: (root / "shop" / path).read_bytes() for path in files}
            assert sum(now[path] != data for path, data in files.items()) == 1
            for path, data in files.items():
                assert now[path] == data or now[path] in _less_one_line(data, line)
            bench.undo()
            assert {path: (root / "shop" / path).read_bytes() for path in files} == files


def _less_one_line(data: bytes, line: bytes) -> list[bytes]:
    """Return a file without one of its lines, and without a blank line beside it."""
    lines = data.splitlines(keepends=True)
    found = [n for n, each in enumerate(lines) if each.strip() == line.strip()]
    left = [[*lines[:n], *lines[n + 1 :]] for n in found]
    left += [[*lines[:n], *lines[n + 2 :]] for n in found]
    left += [[*lines[: max(n - 1, 0)], *lines[n + 1 :]] for n in found]
    return [b"".join(each) for each in left]


def test_the_copy_that_stays_is_not_taken_for_a_decision_that_was_reverted(tmp_path: Path) -> None:
    write(tmp_path / "shop", {CLAUDE: f"# Shop\n\n- {RULE}\n", RULES: f"- {RULE}\n"})
    with closing(open_shop(tmp_path)) as bench:
        (told,) = duplicate_rules(bench.library)

        bench.apply(asked(told))
        bench.look(writing=True)

        assert bench.library.aside.reverted == ()
