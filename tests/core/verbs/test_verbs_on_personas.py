"""Verbs act on personas' files through their own format, several in one change."""

from pathlib import Path

import pytest
from tests.sniper_files import carry_out, project

from remem.core.library import Library
from remem.core.verbs.verbs import plan
from remem.core.waiting.queue import queue
from remem.model.change import Intent, Json

INBOX = ".squad/decisions/inbox"
TEAM: dict[str, str | bytes] = {
    ".squad/team.md": "# Team\n\n| Name | Role |\n|---|---|\n| Hill | Lead |\n",
    ".squad/agents/hill/charter.md": "# Hill — Lead\n",
    ".squad/agents/hill/history.md": (
        "# Hill — History\n\n## Learnings\n\n- First lesson\n- Second lesson\n- Third lesson\n"
    ),
    ".squad/decisions.md": "# Decisions\n\n### 2026-05-01: Use tabs\n**By:** Hill\n",
    f"{INBOX}/hill-queue.md": "### 2026-05-04: Use a queue\n**By:** Hill\n",
    f"{INBOX}/hill-clock.md": "### 2026-05-05: Pass a clock\n**By:** Hill\n",
}


def items(library: Library) -> dict[str, str]:
    return {str(item.ref): item.digest for item in queue(library)}


def intent(library: Library, verb: str) -> Intent:
    why: dict[str, Json] = {"reason": "wrong"} if verb == "reject" else {}
    return Intent(verb, {item.ref: item.digest for item in queue(library)}, why)


def test_inbox_files_wait_and_are_appended_to_the_decisions_in_one_change(tmp_path: Path) -> None:
    library = project(tmp_path, TEAM)
    assert len(items(library)) == 2

    change = plan(library, intent(library, "approve"))
    after = carry_out(library, change)

    text = (after.ground.root / ".squad/decisions.md").read_text()
    assert text.startswith(str(TEAM[".squad/decisions.md"]))
    assert text.count("### 2026-05-04: Use a queue") == 1
    assert text.count("### 2026-05-05: Pass a clock") == 1
    assert not list((after.ground.root / INBOX).iterdir())
    assert items(after) == {}
    assert all(ref is not None and after.has(ref) for ref in change.touched.values())


def test_inbox_files_found_the_decisions_when_there_are_none(tmp_path: Path) -> None:
    files = {name: text for name, text in TEAM.items() if name != ".squad/decisions.md"}
    library = project(tmp_path, files)

    after = carry_out(library, plan(library, intent(library, "approve")))

    text = (after.ground.root / ".squad/decisions.md").read_text()
    assert "Use a queue" in text
    assert "Pass a clock" in text


def test_rejected_inbox_files_go_and_do_not_come_back(tmp_path: Path) -> None:
    library = project(tmp_path, TEAM)

    after = carry_out(library, plan(library, intent(library, "reject")))

    assert (after.ground.root / ".squad/decisions.md").read_text() == TEAM[".squad/decisions.md"]
    rejected = (after.ground.root / ".remem/rejected.yaml").read_text()
    assert rejected.count("kind: decision") == 2
    again = project(tmp_path, {f"{INBOX}/hill-queue.md": TEAM[f"{INBOX}/hill-queue.md"]})
    assert items(again) == {}


@pytest.mark.parametrize("verb", ["archive", "remove"])
def test_two_lessons_leave_a_history_in_one_change(tmp_path: Path, verb: str) -> None:
    library = project(tmp_path, TEAM)
    lessons = {
        e.ref: e.digest for e in library.of_kind("lesson") if e.title[:5] in ("First", "Third")
    }
    assert len(lessons) == 2

    after = carry_out(library, plan(library, Intent(verb, lessons)))

    history = (after.ground.root / ".squad/agents/hill/history.md").read_text()
    assert history == "# Hill — History\n\n## Learnings\n\n- Second lesson\n"
    archived = [e.title for e in after.of_kind("lesson") if e.status.value == "archived"]
    assert sorted(archived) == (["First lesson", "Third lesson"] if verb == "archive" else [])
