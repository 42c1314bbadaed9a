"""Every command has examples, and each of them is a command line that remem takes."""

import re
import shlex

import click
import pytest

from remem.cli.commands import COMMANDS, load
from remem.cli.examples import EXAMPLES, ROOT, add_examples, example_lines
from remem.cli.generate import command_paths

LINES = [line for text in (ROOT, *EXAMPLES.values()) for line in text.strip().splitlines()]


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
