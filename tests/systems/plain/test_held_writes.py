"""A hook of Claude Code holds back what it would write to auto memory, until a person decides.

The input is that of *Hooks reference*, `PreToolUse` (code.claude.com/docs/en/hooks).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from remem.base.errors import NotPossible, Unacknowledged
from remem.core.session import Session
from remem.core.settings import Places
from remem.core.waiting.item import Item, item_ids, kinds_drawn
from remem.model.change import Intent, Json
from remem.views.glyphs import UNICODE
from remem.views.review.item_card import card, table_lines

INDEX = "# Memory\n\n- [Tabs](tabs.md): use tabs\n"
PAGE = (Path(__file__).parents[3] / "docs" / "agents.md").read_text("utf-8")
LINE = "- [Tests](feedback_tests.md): prefer pytest\n"


def hook_of_the_page() -> list[str]:
    """Return the command that the page tells people to put into their settings."""
    told = json.loads(PAGE.partition("```json hold\n")[2].partition("```")[0])
    ((event, (group,)),) = told["hooks"].items()
    assert (event, group["matcher"]) == ("PreToolUse", "Write|Edit")
    (command,) = group["hooks"]
    assert (command["type"], command["command"]) == ("command", "remem")
    return [str(Path(sys.executable).with_name("remem")), *command["args"]]


class Desk:
    """A project, its auto memory, and the hook."""

    def __init__(self, top: Path) -> None:
        self.root, self.home = top / "shop", top / "home"
        self.root.mkdir()
        slug = "".join(c if c.isascii() and c.isalnum() else "-" for c in str(self.root))
        self.memory = self.home / ".claude" / "projects" / slug / "memory"
        self.memory.mkdir(parents=True)
        self.index = self.memory / "MEMORY.md"
        self.index.write_text(INDEX)

    def hook(self, tool: str, path: Path, root: Path | None = None, **given: Any) -> Any:
        """Run the hook as Claude Code does; return its answer, `None` = it says nothing."""
        told = {
            "session_id": "abc123",
            "transcript_path": "/home/me/.claude/projects/x/abc123.jsonl",
            "cwd": str(self.root),
            "permission_mode": "default",
            "hook_event_name": "PreToolUse",
            "tool_name": tool,
            "tool_input": {"file_path": str(path), **given},
            "tool_use_id": "toolu_01ABC123",
        }
        return self.runs(json.dumps(told), root)

    def runs(self, given: str, root: Path | None = None) -> Any:
        done = subprocess.run(
            [
                word.replace("${CLAUDE_PROJECT_DIR}", str(root or self.root))
                for word in hook_of_the_page()
            ],
            input=given,
            capture_output=True,
            text=True,
            env={**os.environ, "REMEM_HOME": str(self.home)},
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout) if done.stdout else None

    def adds_line(self) -> Any:
        last = INDEX.splitlines(keepends=True)[-1]
        return self.hook("Edit", self.index, old_string=last, new_string=last + LINE)

    def opened(self) -> Session:
        bench = Session.open(self.root, Places.of(self.home), door="tui")
        bench.begin()
        return bench


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def held(bench: Session) -> list[Item]:
    return [item for item in bench.queue() if item.waiting == "plain.held"]


def decide(bench: Session, verb: str, items: list[Item], **told: Json) -> None:
    shown = {item.ref: item.digest for item in items}
    bench.apply(Intent(verb, shown, told, item_ids(items), kinds_drawn(items)))


def test_a_write_is_denied_and_waits_and_approving_writes_it_exactly(desk: Desk) -> None:
    note = desk.memory / "feedback_tests.md"
    text = "---\nname: tests\ntype: feedback\n---\r\nPrefer pytest.  \nno newline"

    answer = desk.hook("Write", note, content=text)

    assert answer["hookSpecificOutput"]["hookEventName"] == "PreToolUse"
    assert answer["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert "Held back" in answer["hookSpecificOutput"]["permissionDecisionReason"]
    assert not note.exists()
    bench = desk.opened()
    (item,) = held(bench)
    assert item.title == "Prefer pytest."
    decide(bench, "approve", [item])
    assert note.read_bytes() == text.encode()
    assert held(bench) == []
    assert not bench.library.aside.unreviewed
    bench.undo()
    assert not note.exists()
    assert len(held(bench)) == 1


def test_an_edit_waits_and_rejecting_leaves_the_file(desk: Desk) -> None:
    assert desk.adds_line() is not None
    assert desk.adds_line() is not None  # the same again is the same item
    bench = desk.opened()
    (item,) = held(bench)

    decide(bench, "reject", [item], reason="too specific")

    assert (held(bench), desk.index.read_text()) == ([], INDEX)
    assert [*(desk.home / ".local/state/remem/held").iterdir()] == []


def test_several_are_written_in_their_order(desk: Desk) -> None:
    note = desk.memory / "feedback_tests.md"
    desk.hook("Write", note, content="Prefer unittest.\n")
    desk.hook("Edit", note, old_string="unittest", new_string="pytest")
    desk.adds_line()
    bench = desk.opened()

    decide(bench, "approve", held(bench))

    assert (note.read_text(), desk.index.read_text()) == ("Prefer pytest.\n", INDEX + LINE)


def test_what_was_written_meanwhile_stays(desk: Desk) -> None:
    desk.hook("Write", desk.index, content=INDEX + LINE)
    desk.adds_line()
    desk.index.write_text(INDEX.replace("# Memory", "# Notes"))
    bench = desk.opened()
    whole, edit = held(bench)

    decide(bench, "approve", [whole])

    assert desk.index.read_text() == INDEX.replace("# Memory", "# Notes") + LINE
    desk.index.write_text("# Nothing\n")
    bench.refresh()
    with pytest.raises(NotPossible, match="the text that it replaces is not in"):
        decide(bench, "approve", [edit])
    assert desk.index.read_text() == "# Nothing\n"


@pytest.mark.parametrize("name", ["README.md", "CLAUDE.md", "src/app.py", "docs/memory/a.md"])
def test_anything_else_is_written_as_always(desk: Desk, name: str) -> None:
    assert desk.hook("Write", desk.root / name, content="x") is None
    assert not (desk.home / ".local").exists()


def test_memory_of_subagents_and_of_work_trees_is_held_back_too(desk: Desk) -> None:
    assert desk.hook("Write", desk.root / ".claude/agent-memory/ada/MEMORY.md", content="- x\n")
    git = ("git", "-c", "user.name=a", "-c", "user.email=a@b")
    for words in (("init", "-q"), ("commit", "-qm", "x", "--allow-empty")):
        subprocess.run([*git, *words], cwd=desk.root, check=True)
    tree = desk.root.parent / "tree"
    subprocess.run([*git, "worktree", "add", "-q", str(tree)], cwd=desk.root, check=True)

    assert desk.hook("Write", desk.memory / "a.md", root=tree, content="- y\n")

    assert [item.title for item in held(desk.opened())] == ["x", "y"]


def test_another_project_does_not_see_it(desk: Desk, tmp_path: Path) -> None:
    desk.adds_line()
    other = tmp_path / "other"
    other.mkdir()

    assert held(Session.open(other, Places.of(desk.home), door="tui")) == []


def test_what_is_kept_is_its_owners_alone(desk: Desk) -> None:
    desk.adds_line()

    assert (desk.home / ".local/state/remem/held").stat().st_mode & 0o777 == 0o700


def test_a_secret_in_it_wants_to_be_acknowledged(desk: Desk) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    desk.hook("Write", desk.memory / "ci.md", content=f"The token is {token}\n")
    bench = desk.opened()
    (item,) = held(bench)
    assert item.suspects

    with pytest.raises(Unacknowledged):
        decide(bench, "approve", [item])
    decide(bench, "approve", [item], acknowledged=True)
    assert token in (desk.memory / "ci.md").read_text()


@pytest.mark.parametrize(
    "given", ["", "{", "[]", "{}", '{"tool_input": 1}', '{"tool_name": "Write"}']
)
def test_input_of_another_shape_stops_nothing(desk: Desk, given: str) -> None:
    assert desk.runs(given) is None


def test_what_cannot_be_held_back_is_written(desk: Desk) -> None:
    state = desk.home / ".local" / "state"
    state.mkdir(parents=True)
    (state / "remem").write_text("no folder")

    assert desk.adds_line() is None


def test_a_file_that_is_no_held_write_is_a_problem(desk: Desk) -> None:
    desk.adds_line()
    (desk.home / ".local/state/remem/held/broken.json").write_text("{")
    bench = desk.opened()

    assert len(held(bench)) == 1
    assert any(
        "no write that was held back" in p.message
        for s in bench.library.sources
        for p in s.problems
    )


def test_holding_back_is_a_change_that_is_undone_and_redone(desk: Desk) -> None:
    assert desk.adds_line() is not None
    bench = desk.opened()
    (logged,) = bench.past.changes()
    assert logged.intent.verb == "memory.hold"
    (kept,) = [path for path in Places.of(desk.home).held.iterdir() if path.suffix == ".json"]
    first = kept.read_bytes()

    bench.undo(logged.id)
    assert (kept.exists(), held(bench), desk.index.read_text()) == (False, [], INDEX)
    bench.redo(logged.id)
    assert kept.read_bytes() == first
    assert len(held(bench)) == 1


@pytest.mark.slow(reason="two processes of the hook")
def test_a_held_write_can_be_worded_anew(desk: Desk) -> None:
    note = desk.memory / "ropes.md"
    desk.hook("Write", note, content="Ropes are dry.\n")
    desk.adds_line()
    bench = desk.opened()
    whole, line = held(bench)

    decide(bench, "edit", [whole], text="Ropes are stored dry.\n")
    decide(bench, "edit", [line], fields={"new_string": "- [Tabs](tabs.md): use tabs, always\n"})
    with pytest.raises(NotPossible, match="only `content`"):
        decide(bench, "edit", held(bench)[:1], fields={"file_path": "/etc/passwd"})

    assert held(bench)[0].title == "Ropes are stored dry."
    decide(bench, "approve", held(bench))
    assert note.read_text() == "Ropes are stored dry.\n"
    assert desk.index.read_text() == INDEX.replace("use tabs", "use tabs, always")


def test_its_card_names_what_conflicts_and_what_the_next_start_costs(desk: Desk) -> None:
    desk.index.write_text("- Always push to the main branch\n")
    text = "- Always push to the main branch\n- Never push to the main branch\n"
    desk.hook("Write", desk.index, content=text)
    bench = desk.opened()
    (item,) = held(bench)

    assert [fact for fact in item.evidence if "possible conflict with" in fact]
    told = [line.text for line in table_lines(card(bench, item, {}), 80, UNICODE)]
    assert [line for line in told if line.startswith("Claude Code") and "at the next start" in line]
