"""Every command's name, where it stands and its one line of help.

It imports nothing of remem: `remem --help` is drawn from this table alone, and a command's module
is imported when it is run.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import Final, NamedTuple

import click


class Known(NamedTuple):
    """A command as the list of commands shows it."""

    target: str
    """`module:attribute` of the click command."""
    help: str
    """The first sentence of the command's own help, word for word."""


GROUPS: Final[Mapping[str, Mapping[str, Known]]] = {
    "Begin": {
        "demo": Known("remem.cli.begin:demo", "Open a demo workspace that may be broken at will."),
        "init": Known("remem.cli.begin:init", "Make the files of a project memory."),
        "status": Known("remem.cli.status:status", "Say who starts with what, and what waits."),
    },
    "Read": {
        "list": Known("remem.cli.entries:list_entries", "List entries."),
        "show": Known("remem.cli.entries:show", "Show one entry whole."),
        "search": Known("remem.cli.entries:search", "Find entries that hold a text."),
    },
    "Write": {
        "add": Known("remem.cli.write:add", "Add an entry."),
        "edit": Known("remem.cli.write:edit", "Set fields of an entry."),
        "remove": Known("remem.cli.write:remove", "Take entries out of their files."),
        "archive": Known("remem.cli.write:archive", "Take entries out of every prompt."),
        "restore": Known("remem.cli.write:restore", "Put archived entries back in force."),
    },
    "Decide": {
        "queue": Known("remem.cli.decide:queue", "List what waits for a decision."),
        "approve": Known("remem.cli.decide:approve", "Put what waits into force."),
        "reject": Known("remem.cli.decide:reject", "Turn down what waits, and remember why."),
        "promote": Known("remem.cli.decide:promote", "Lift an entry one level up."),
        "merge": Known("remem.cli.decide:merge", "Put what waits into an entry that is there."),
    },
    "Time": {
        "undo": Known("remem.cli.history:undo", "Take back a change."),
        "redo": Known("remem.cli.history:redo", "Do again what was undone."),
        "history": Known("remem.cli.history:history", "List changes, newest first."),
    },
    "Prompt": {
        "compose": Known("remem.cli.prompt:compose", "Print what an agent will see."),
        "why": Known("remem.cli.prompt:why", "Explain why an entry is in a prompt, or not."),
    },
    "Retros and personas": {
        "retro": Known("remem.cli.retro:retro", "Read retrospectives."),
        "persona": Known("remem.cli.persona:persona", "Look after agents that have a name."),
    },
    "Generated": {
        "schema": Known("remem.cli.schema:schema", "Print the JSON Schemas of files and outputs."),
        "screenshot": Known("remem.cli.screenshot:screenshot", "Draw the screens as SVG."),
    },
}
"""Headings of the list of commands, in order, with what stands below each."""

COMMANDS: Final[Mapping[str, Known]] = {
    name: known for group in GROUPS.values() for name, known in group.items()
}


def load(target: str) -> click.Command:
    """Import a command; `target` is `module:attribute`."""
    module, attribute = target.split(":")
    command = getattr(import_module(module), attribute)
    assert isinstance(command, click.Command)
    return command
