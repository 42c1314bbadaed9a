"""Every command has examples; each is a command that remem takes, and names what the demo has."""

import io
import re
import shlex
import shutil
from pathlib import Path

import click
import pytest
from tests.cli.conftest import Shell

from remem.cli.commands import COMMANDS, load
from remem.cli.examples import EXAMPLES, ROOT, add_examples, example_lines
from remem.cli.generate import command_paths
from remem.demo.build import build_demo, home_of

LINES = [line for text in (ROOT, *EXAMPLES.values()) for line in text.strip().splitlines()]
WHOLE = {
    re.sub(r"\s+#.*", "", line)
    for text in (ROOT, *EXAMPLES.values())
    for line in text.replace("\\\n", "").strip().splitlines()
}
"""The examples without what is said of them, each on one line."""
LACKING = {
    "| remem status --against -": "pipe it in",
    "remem restore --from 3f9c2a": "no change has an id starting with `3f9c2a`",
    "remem undo 3f9c2a": "no change has an id starting with `3f9c2a`",
    "remem history 3f9c2a": "no entry `3f9c2a`",
    "remem layout add notes/agents": "no folder `notes/agents`",
    "remem approve 03b3 --acknowledge": "contains 1 hidden character",
    "--to workspace": "there is no workspace above it",
    "remem workspace promote": "there is no workspace above it",
    "remem workspace override": "no entry `workspace:conv-005`",
    "remem retro run --sprint 8 --range": "docs/stories` does not exist",
    "remem estimates take --factor": "3 more sprints measured",
    "remem learn absence": "was not applied in",
    "--file profile.yaml": "profile.yaml` does not exist",
    "remem persona rename Ines Inez --in": "does not name `Ines`",
    "remem persona merge Ines --from": "has no memory in `squad` yet",
    "remem persona diff Ines": "has only one place here",
    "remem persona absorb Ines": "no recreated folder is called `Ines`",
    "--answer": "answer",
    "remem import rules.yaml": "rules.yaml` does not exist",
    "remem migrate shaktra": "already exists",
}
"""Part of an example → what it is told on the demo, which lacks what the example is for."""
ELSEWHERE = re.compile("remem$|remem (demo|mcp|screenshot)|claude mcp")
"""Begins what opens screens, serves a client, or makes a place of its own."""


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo after a night, and beside it the same to start each example from."""
    at = tmp_path_factory.mktemp("harbour")
    build_demo(at / "demo", night=True)
    (at / "demo").rename(at / "kept")
    return at


@pytest.mark.slow(reason="a whole demo for each of some two hundred commands")
@pytest.mark.parametrize("line", sorted(each for each in WHOLE if not ELSEWHERE.match(each)))
def test_an_example_names_what_the_demo_has(
    line: str, harbour: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.rmtree(harbour / "demo", ignore_errors=True)
    shutil.copytree(harbour / "kept", harbour / "demo", symlinks=True)
    root = harbour / "demo" / "project"
    monkeypatch.chdir(root)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO()))

    answer = Shell(root, home_of(root))(*shlex.split(line.rpartition("| ")[2])[1:])

    told = next((told for part, told in LACKING.items() if part in line), "")
    assert (answer.code == 2) == bool(told), answer.err
    assert told in answer.err


@pytest.mark.parametrize("path", command_paths())
def test_every_command_has_examples(path: str) -> None:
    assert example_lines(path)


@pytest.mark.parametrize("line", sorted({re.sub(r"\s+#.*", "", line) for line in LINES}))
def test_an_example_is_taken_as_it_is_written(line: str) -> None:
    command = line.rpartition("| ")[2].removeprefix("claude mcp add remem -- ")
    program, *words = shlex.split(command.rstrip("\\ "))

    if program == "remem" and words and not line.endswith("\\"):
        parse(load(COMMANDS[words[0]].target), words[1:], words[0])


def test_help_ends_with_them() -> None:
    command = load(COMMANDS["check"].target)
    add_examples(command, "check")

    page = command.get_help(click.Context(command, info_name="check"))

    assert "Examples:\n    remem check " in page


def parse(command: click.Command, words: list[str], name: str) -> None:
    while isinstance(command, click.Group) and words:
        inner = command.commands.get(words[0])
        assert inner is not None, words
        command, name, words = inner, words[0], words[1:]
    if words or not isinstance(command, click.Group):
        command.make_context(name, [*words])
