"""Verified memory as a format: what is read, what reaches a prompt, what follows the code."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from tests.code_files import git
from tests.memory_files import change, opened, push_down, shop, store

from remem.core.session import Session
from remem.model.entry import Entry, Row, Status
from remem.model.prompt import Ask, Reason

ANY = Ask(role="reviewer")


@pytest.fixture
def top(tmp_path: Path) -> Path:
    return shop(tmp_path)


def memory(bench: Session, words: str) -> Entry:
    return next(each for each in bench.library.of_kind("fact") if words in each.title)


def test_a_row_is_an_entry(top: Path) -> None:
    found = memory(opened(top), "two files")

    assert found.status is Status.ACTIVE
    assert found.context == "Version constants"
    assert found.at == Row(top / ".remem" / "memory.db", "agent_memory", found.ref.id)
    assert str(found.ref) == f"verified@shop:{found.ref.id}"


def test_the_block_is_what_agents_know(top: Path) -> None:
    bench = opened(top)
    calls, two = memory(bench, "Every call"), memory(bench, "two files")

    text = bench.compose(ANY).text

    assert text.startswith(
        "## Repository Memories\n\n"
        "Check each memory against its cited lines before you rely on it.\n\n### Memory 1: "
    )
    assert (
        "Version constants\n"
        "**Fact:** The API version stands in two files that change together.\n"
        "**Why:** Clients break when they differ.\n"
        "**Citations:**\n"
        "  - `src/version.py` (lines 3-3)\n"
        "  - `src/client.ts` (lines 2-2)\n"
        f"**ID:** `{two.ref.id}` (for refresh/invalidate)"
    ) in text
    assert calls.ref.id in text


def test_a_store_without_memories_says_so(top: Path) -> None:
    with closing(sqlite3.connect(top / ".remem" / "memory.db")) as base, base:
        base.execute("UPDATE agent_memory SET status = 'invalid'")

    assert opened(top).compose(ANY).text == "No repository memories available."


def test_without_a_store_there_is_no_layer(top: Path) -> None:
    (top / ".remem" / "memory.db").unlink()

    assert opened(top).compose(ANY).text == ""


@pytest.mark.parametrize(
    ("deed", "words"),
    [
        ("moved", "`src/client.ts:3-5` moved to line 5"),
        ("changed", "`src/client.ts:3-5` changed"),
        ("gone", "`src/client.ts:3-5` is missing"),
    ],
)
def test_what_no_longer_holds_is_left_out_and_says_why(top: Path, deed: str, words: str) -> None:
    client = top / "src" / "client.ts"
    if deed == "moved":
        push_down(client)
    elif deed == "changed":
        change(client, "send(path)", "post(path)")
    else:
        git(top, "rm", "-q", "src/client.ts")
    bench = opened(top)

    prompt = bench.compose(ANY)

    verdict = prompt.verdict(memory(bench, "Every call").ref)
    assert verdict is not None
    assert (verdict.reason, verdict.detail) == (Reason.STATUS, words)
    assert "Every call" not in prompt.text
    assert "asked for, never copied" in prompt.text


def test_what_nobody_checked_is_used_by_nobody(top: Path) -> None:
    """Of another repository nothing can be checked here."""
    store(top, "Elsewhere", "Over there it is so.", [("src/version.py", 1, 1)], repo="ada/else")
    bench = opened(top)

    prompt = bench.compose(ANY)

    verdict = prompt.verdict(memory(bench, "Over there").ref)
    assert verdict is not None
    assert "it is about `ada/else`" in verdict.detail
    assert "Over there" not in prompt.text


def test_what_a_budget_leaves_is_numbered_without_a_gap(top: Path) -> None:
    rest = opened(top).compose(ANY).tokens
    store(top, "Long", "It is long. " * 150, [("src/version.py", 3, 3)])
    bench = opened(top)
    assert "### Memory 1: Long" in bench.compose(ANY).text

    found = bench.compose(replace(ANY, budget=rest + 10))

    heads = [line for line in found.text.split("\n") if line.startswith("### Memory ")]
    assert [head.split(":")[0] for head in heads] == [f"### Memory {n}" for n in (1, 2, 3)]
    assert "It is long" not in found.text


def test_only_the_best_twenty_are_in(top: Path) -> None:
    for number in range(22):
        store(top, f"Rule {number}", f"Rule {number} holds.", [("src/version.py", 3, 3)])

    prompt = opened(top).compose(ANY)

    assert prompt.text.count("### Memory ") == 20
    assert sum(verdict.reason is Reason.LIMIT for verdict in prompt.verdicts) == 5


def test_a_text_with_breaks_makes_no_heading_of_its_own(top: Path) -> None:
    store(top, "A\n## B", "One\n\n## Rules\nTwo", [("src/version.py", 3, 3)], why="x\r\n# y")

    text = opened(top).compose(ANY).text

    assert ": A ## B\n**Fact:** One ## Rules Two\n**Why:** x # y\n" in text
    assert [line for line in text.split("\n") if line.startswith("#")] == [
        "## Repository Memories",
        *[line for line in text.split("\n") if line.startswith("### Memory ")],
    ]


def test_a_memory_whose_lines_nobody_kept_is_left_out_as_not_compared(top: Path) -> None:
    with closing(sqlite3.connect(top / ".remem" / "memory.db")) as base, base:
        base.execute(
            "UPDATE agent_memory SET citations = ? WHERE subject = 'Calls'",
            ['[{"path": "src/client.ts", "line_start": 3, "line_end": 5}]'],
        )

    prompt = opened(top).compose(ANY)

    assert "Every call" not in prompt.text
    assert any("not checked" in note for note in prompt.notes)
    assert any("was not compared" in each.detail for each in prompt.verdicts)


def test_a_memory_that_cites_nothing_is_left_out(top: Path) -> None:
    with closing(sqlite3.connect(top / ".remem" / "memory.db")) as base, base:
        base.execute("UPDATE agent_memory SET citations = '[]' WHERE subject = 'Calls'")
    bench = opened(top)

    verdict = bench.compose(ANY).verdict(memory(bench, "Every call").ref)

    assert verdict is not None
    assert "it has no citations" in verdict.detail


def test_when_a_cited_file_changes_the_screens_hear_of_it(top: Path) -> None:
    bench, heard = opened(top), [0]
    before = memory(bench, "Every call")
    bench.subscribe(lambda library, own: heard.append(library.number))

    change(top / "src" / "client.ts", "send(path)", "post(path)")
    bench.refresh({top / "src" / "client.ts"})

    assert len(heard) == 2
    assert "Every call" not in bench.compose(ANY).text
    assert memory(bench, "Every call").digest != before.digest


def test_a_full_look_sees_that_a_cited_file_changed(top: Path) -> None:
    bench = opened(top)
    assert "Every call" in bench.compose(ANY).text

    change(top / "src" / "client.ts", "send(path)", "post(path)")
    bench.refresh()

    assert "Every call" not in bench.compose(ANY).text


def test_other_files_are_not_looked_at_again(top: Path) -> None:
    bench = opened(top)
    before = bench.library.of_format("verified")

    (top / "src" / "other.ts").write_text("x\n")
    bench.refresh({top / "src" / "other.ts"})
    bench.refresh()

    assert bench.library.of_format("verified") == before


def test_the_watcher_is_told_which_files_matter(top: Path) -> None:
    rests = {path for source in opened(top).library.sources for path in source.rests_on}

    assert rests == {top / "src" / "version.py", top / "src" / "client.ts"}


def test_a_database_that_is_none_is_a_problem_and_nothing_more(top: Path) -> None:
    (top / ".remem" / "memory.db").write_bytes(b"not a database")

    bench = opened(top)

    assert [problem.code for _, _, problem in bench.library.problems()] == ["bad-database"]
    assert "could not be read now" in bench.compose(ANY).text


def test_looking_leaves_no_trace(top: Path) -> None:
    before = {path: path.read_bytes() for path in top.rglob("*") if path.is_file()}

    bench = opened(top)
    bench.compose(ANY)
    bench.queue()
    list(bench.library.complete())

    assert {path: path.read_bytes() for path in top.rglob("*") if path.is_file()} == before


def test_opening_without_a_store_loads_no_sqlalchemy(tmp_path: Path) -> None:
    import subprocess
    import sys

    code = (
        "import sys; from pathlib import Path; from remem.core.settings import Places\n"
        "from remem.core.reading_session import ReadingSession\n"
        "from remem.model.prompt import Ask\n"
        "from remem.systems.registry import make_known; make_known()\n"
        "root = Path(sys.argv[1])\n"
        "bench = ReadingSession.open(root, Places.of(root / 'home'), door='cli')\n"
        "bench.compose(Ask(role='reviewer'))\n"
        "print(*(name for name in ('sqlalchemy', 'httpx', 'pygments') if name in sys.modules))"
    )

    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == ""


def test_what_agents_note_of_their_reading_moves_no_screen(top: Path) -> None:
    bench, heard = opened(top), [0]
    bench.queue()
    bench.subscribe(lambda library, own: heard.append(library.number))

    with closing(sqlite3.connect(top / ".remem" / "memory.db")) as base, base:
        base.execute(
            "INSERT INTO agent_memory_telemetry (id, memory_id, event, created_at)"
            " SELECT 'x', id, 'retrieved', '2026-05-04' FROM agent_memory LIMIT 1"
        )
    bench.refresh({top / ".remem" / "memory.db"})

    assert heard == [0]
