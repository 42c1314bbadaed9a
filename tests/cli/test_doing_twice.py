"""Doing nothing twice: each command that writes is done, and done again in the same words.

The second time nothing is to do: it ends with 0, says so, writes nothing, and its JSON is that of
a command that wrote nothing.
"""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from tests.cli.conftest import Shell, document_of

from remem.cli.commands import COMMANDS, load
from remem.demo.build import build_demo, home_of

FACT = "5d0c9a1e-7b34-4c58-9f02-1a6be27d4c83"
LEARNING = "L-20260420-c3d4"
LESSON = "persona@night-watch:Bastien/project#25491a"
FINDING = "sniper:sprint-7-retro/new_conventions/1"

TWICE = [
    "init",
    "init --templates",
    "config set theme textual-dark",
    "add convention 'Name every harbour' --role x",
    "add lesson 'Look at the sea' --persona Tomasz",
    "edit conv-001 rationale=Because",
    "remove conv-018",
    "archive dec-001",
    "archive --persona Tomasz --before 2026-04-01",
    "restore dec-011",
    "move persona@night-watch:Bastien/project#25491a Wanjiru",
    "pin persona@night-watch:Bastien/project#25491a",
    "layout add services",
    "mcp install --client cursor",
    "approve conv-001",
    "approve conv-018",
    "approve dec-012",
    "approve sniper:sprint-6-retro/new_conventions/2",
    "approve {signal}",
    "approve {draft}",
    "approve {inbox}",
    "approve {proposal}",
    "approve {principle}",
    "approve {protocol}",
    "approve --as-candidate conv-018",
    "approve --as-candidate sniper:sprint-6-retro/new_conventions/2",
    "reject conv-018 --reason no",
    "reject sniper:conv-018 --reason no",
    "reject sniper:sprint-6-retro/new_conventions/2 --reason no",
    "reject {signal} --reason no",
    "reject {draft} --reason no",
    "reject {inbox} --reason no",
    "reject {proposal} --reason no",
    "reject {principle} --reason no",
    "reject {protocol} --reason no",
    "promote conv-018",
    "promote {again}",
    "merge conv-018 --into conv-001",
    f"merge {FINDING} --into conv-014",
    "merge {near} --into conv-014",
    "supersede conv-018 --instead-of conv-001",
    "scope conv-018 --apart-from conv-001 --role qa-engineer",
    "keep-both conv-018 --beside conv-001 --reason both",
    "supersede dec-012 --instead-of dec-001",
    "undo",
    "redo",
    "retro ingest --sprint 7",
    "retro run --sprint 7",
    "estimates take sniper:sprint-6-retro/underestimates/1",
    "compose --role backend-engineer --write",
    "detect conv-001 --forbid nowhere --apply",
    "check --all --baseline",
    "check --all --record",
    "duplicates --keep conv-001",
    "learn add 'Count the boats'",
    f"learn absence {LEARNING} --protocol P",
    "learn approve L-20260504-e5f6",
    "learn contradict L-20260406-7be1 L-20260420-c3d4",
    f"learn invalidate {LEARNING}",
    f"learn reinforce {LEARNING} --by X",
    f"learn supersede {LEARNING} --by L-20260406-7be1",
    "learn merge --proposed",
    "learn prune",
    "learn upgrade",
    "learn decay --apply",
    "learn curate --apply",
    "persona new Ann --role x",
    "persona archive Tomasz",
    "persona restore Salome-20260220T081500Z",
    "persona rename Tomasz Tom",
    "persona edit Ann role=Pilot",
    "persona merge Tomasz --into Wanjiru",
    "persona move pier-tester --from claude-local --to claude-user",
    "consolidate ST-104 --apply",
    "brief ST-104",
    f"memory invalidate {FACT} --reason gone",
    f"memory retire {FACT} --reason gone --apply",
]
QUICK = {"undo", "redo", "approve conv-018", "remove conv-018", "persona new Ann --role x"}

OTHERWISE = {
    "demo": "opens the demo as it was left",
    "export": "prints the same pack again",
    "import": "is told by `test_pack_commands`: it has nothing new",
    "learn confirm": "a person may confirm a learning as often as it held",
    "learn recurrence": "a problem may come back in a protocol more than once",
    "memory refresh": "counts each time that a fact held",
    "memory reanchor": "is told by `test_memory_commands`: 0 memories re-anchored",
    "memory store": "is told by `test_memory_criteria`: the fact is kept once",
    "memory supersede": "says which memory took its place",
    "observe": "an agent may notice the same twice",
    "migrate shaktra": "needs the older layout; it never mixes with what was learnt",
    "workspace override": "needs a workspace: `test_workspace_commands`",
    "workspace promote": "needs a workspace: `test_promote_commands`",
    "persona share": "adds nothing that is there: `test_shared`",
    "persona absorb": "needs a recreated: `test_persona_commands`",
    "persona compact": "needs an answer: `test_persona_commands`",
    "persona reflect": "needs an answer: `test_persona_reflect_command`",
    "reviewed": "needs something unreviewed: `test_inbox_commands`",
    "screenshot": "draws the same again",
    "schema": "prints the same again",
}
"""Commands that write and are not walked here, each with why."""


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo in its repository, built once and copied for each test."""
    return build_demo(tmp_path_factory.mktemp("harbour") / "demo").parent


@pytest.fixture
def shell(harbour: Path, tmp_path: Path) -> Shell:
    shutil.copytree(harbour, tmp_path / "demo", symlinks=True)
    return Shell(tmp_path / "demo" / "project", home_of(tmp_path / "demo" / "project"))


def spelt(shell: Shell, line: str) -> list[str]:
    """Return the words of a command line, with the ids of what waits."""
    if "{" in line:
        titles = {
            "signal": "Give back a connection",
            "draft": "Show a closed berth",
            "inbox": "Berth before time",
            "proposal": "A new harbour is switched on",
            "principle": "Every import of sailings",
            "protocol": "Reviewers saw the boards",
            "again": "Retries use a budget",
            "near": "Tests of a timetable",
        }
        items = document_of(shell("queue", "--json"), "queue")["items"]
        names = {
            name: next(i["id"] for i in reversed(items) if i["title"].startswith(title))
            for name, title in titles.items()
        }
        line = line.format(**names)
    return shlex.split(line)


@pytest.mark.parametrize(
    "line",
    [line if line in QUICK else pytest.param(line, marks=pytest.mark.slow) for line in TWICE],
)
def test_doing_again_what_is_done_says_so_and_ends_with_0(shell: Shell, line: str) -> None:
    words = spelt(shell, line)
    if line in ("undo", "redo"):
        shell("approve", "conv-018")
    if line.startswith("persona edit"):
        shell("persona", "new", "Ann", "--role", "x", "--layout", "night-watch")
    if line.startswith("learn absence"):
        shell("compose", "--role", "backend-engineer", "--record", "P")
    if line == "redo":
        shell("undo")

    first = shell(*words)
    after = shell.digest_of_memory()
    again = shell(*words)
    report = shell(*words, "--json")

    assert first.code == 0, first.err
    assert (again.code, report.code) == (0, 0), again.err
    said = again.err.lower()
    assert "nothing" in said or "already" in said
    assert "error" not in again.err
    assert "error" not in report.document
    assert report.document.get("written", False) is False
    assert shell.digest_of_memory() == after


def test_every_command_that_writes_is_done_twice_or_it_is_said_why_not() -> None:
    walked = {" ".join(path) for path in (_named(shlex.split(line)) for line in TWICE)}

    assert set(_writing()) - walked - set(OTHERWISE) == set()
    assert set(OTHERWISE) & walked == set()


def test_what_was_done_and_then_undone_is_no_longer_done(shop: Shell) -> None:
    shop("remove", "conv-002")
    shop("undo")

    again = shop("remove", "conv-002")

    assert again.code == 0
    assert "Remove" in again.out


def test_another_verb_on_what_is_gone_is_an_error_still(shop: Shell) -> None:
    shop("remove", "conv-002")

    answer = shop("approve", "conv-002")

    assert answer.code == 2
    assert "conv-002" in answer.err


def test_a_name_that_was_never_there_is_an_error_twice(shop: Shell) -> None:
    assert [shop("remove", "conv-099").code for _ in range(2)] == [2, 2]


def _named(words: list[str]) -> list[str]:
    command = load(COMMANDS[words[0]].target)
    return words[:2] if isinstance(command, click.Group) else words[:1]


def _writing() -> Iterator[str]:
    """Yield the name of every command that writes: it can be tried out, or it is a name below."""
    for name, known in COMMANDS.items():
        for path, command in _leaves(load(known.target), name):
            options = {each for param in command.params for each in param.opts}
            if "--dry-run" in options or path in ("undo", "redo", "demo"):
                yield path


def _leaves(command: click.Command, path: str) -> Iterator[tuple[str, click.Command]]:
    if isinstance(command, click.Group):
        for name, each in command.commands.items():
            yield from _leaves(each, f"{path} {name}")
    else:
        yield path, command
