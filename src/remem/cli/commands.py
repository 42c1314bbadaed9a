"""Every command's name, where it stands and its one line of help.

It imports nothing of remem: `remem --help` is drawn from this table alone, and a command's module
is imported when it is run.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import Final, NamedTuple

import click

from remem.cli.sweeping import unswept


class Known(NamedTuple):
    """A command as the list of commands shows it."""

    target: str
    """`module:attribute` of the click command; `verb:ID` where it is made of the verb."""
    help: str
    """The first sentence of the command's own help, word for word."""


GROUPS: Final[Mapping[str, Mapping[str, Known]]] = {
    "Begin": {
        "demo": Known("remem.cli.begin:demo", "Open a demo workspace that may be broken at will."),
        "init": Known("remem.cli.begin:init", "Make the files of a project memory."),
        "config": Known("remem.cli.settings:config", "Show and change settings."),
        "status": Known("remem.cli.status:status", "Say who starts with what, and what waits."),
    },
    "Read": {
        "list": Known("remem.cli.entries:list_entries", "List entries."),
        "show": Known("remem.cli.entries:show", "Show one entry whole."),
        "search": Known("remem.cli.search:search", "Find entries that hold a text."),
    },
    "Write": {
        "add": Known("remem.cli.write:add", "Add an entry."),
        "edit": Known("verb:edit", "Set fields of an entry."),
        "remove": Known("verb:remove", "Take entries out of their files."),
        "archive": Known("remem.cli.write:archive", "Take entries out of every prompt."),
        "restore": Known(
            "remem.cli.write:restore",
            "Put archived or vanished entries back in their place.",
        ),
        "move": Known("verb:move", "Move lessons to another section, file or persona."),
        "pin": Known("verb:lesson.pin", "Put lessons first in the head of their memory."),
        "layout": Known(
            "remem.cli.layout:layout",
            "Say where plain files of agents lie and how they are loaded.",
        ),
    },
    "Decide": {
        "queue": Known("remem.cli.queue:queue", "List what waits for a decision."),
        "inbox": Known("remem.cli.inbox:inbox", "List what agents wrote since you looked."),
        "reviewed": Known(
            "remem.cli.inbox:reviewed", "Mark what agents wrote as reviewed; it stays as it stands."
        ),
        "approve": Known("remem.cli.decide:approve", "Put what waits into force."),
        "reject": Known("verb:reject", "Turn down what waits, and remember why."),
        "promote": Known("verb:promote", "Lift an entry one level up."),
        "merge": Known("remem.cli.decide:merge", "Put what waits into an entry that is there."),
        "supersede": Known(
            "remem.cli.decide:supersede", "Put an entry in the place of one that says otherwise."
        ),
    },
    "Time": {
        "undo": Known("remem.cli.history:undo", "Take back a change."),
        "redo": Known("remem.cli.history:redo", "Do again what was undone."),
        "snapshot": Known(
            "remem.cli.snapshot:snapshot", "Note how memory stands now; nothing counts as seen."
        ),
        "forget": Known(
            "remem.cli.inbox:forget", "Drop the versions that are kept of a memory file."
        ),
        "merge-file": Known(
            "remem.cli.merge_file:merge_file",
            "Merge two sides of a memory file by entry, as a merge driver of git.",
        ),
        "history": Known(
            "remem.cli.history:history",
            "List changes of every door and from outside, newest first.",
        ),
    },
    "Prompt": {
        "compose": Known("remem.cli.prompt:compose", "Print what an agent will see."),
        "why": Known("remem.cli.prompt:why", "Explain why an entry is in a prompt, or not."),
        "diff": Known("remem.cli.diff:diff", "Tell what a branch does to every prompt."),
        "duplicates": Known(
            "remem.cli.duplicates:duplicates", "Find rules that an agent is told more than once."
        ),
    },
    "Retros and personas": {
        "retro": Known(
            "remem.cli.retro:retro", "Read retrospectives, and take in what they found."
        ),
        "estimates": Known(
            "remem.cli.estimates:estimates", "Compare estimates with what sprints took."
        ),
        "learn": Known("remem.cli.learn:learn", "Tell what happened to learnings."),
        "persona": Known("remem.cli.persona:persona", "Look after agents that have a name."),
    },
    "Gate": {
        "check": Known(
            "remem.cli.check:check", "Hold code against conventions, anti-patterns and decisions."
        ),
        "detect": Known(
            "remem.cli.detect:detect", "Show what a machine checks of a rule, and its matches."
        ),
    },
    "Packs": {
        "export": Known(
            "remem.cli.pack:export_pack", "Print project memory as a pack for other projects."
        ),
        "import": Known(
            "remem.cli.pack:import_pack", "Take in a pack that another project exported."
        ),
    },
    "Workspace": {
        "workspace": Known(
            "remem.cli.workspace:workspace", "Look after what several repositories share."
        ),
    },
    "Shaktra": {
        "brief": Known("remem.cli.brief:brief", "Write what memory has for a story."),
        "observe": Known(
            "remem.cli.observe:observe",
            "Write down what was noticed in a story, or in work without one.",
        ),
        "consolidate": Known(
            "remem.cli.consolidate:consolidate", "Count what a story's agents observed."
        ),
        "migrate": Known(
            "remem.cli.migrate:migrate", "Bring memory of an older layout up to date."
        ),
        "applied": Known(
            "remem.cli.applied:applied", "Count who applied which entries of Shaktra's."
        ),
    },
    "Verified memory": {
        "memory": Known(
            "remem.cli.memory:memory", "Keep facts about the code with the lines that prove them."
        ),
        "mcp": Known("remem.cli.mcp:mcp", "Serve the tools of memory to an agent over stdio."),
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
OLD_NAMES: Final[Mapping[str, str]] = {"told": "duplicates"}
"""What commands were called once, which is still taken and nowhere shown."""


def load(target: str) -> click.Command:
    """Import a command, or make it of its verb."""
    module, attribute = target.split(":")
    if module == "verb":
        from remem.cli.verb_command import command_of
        from remem.core.verbs.verbs import verb
        from remem.systems.registry import make_known

        make_known()
        return command_of(verb(attribute))
    with unswept():
        command = getattr(import_module(module), attribute)
    assert isinstance(command, click.Command)
    return command
