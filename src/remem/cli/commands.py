"""Every command's name, where it stands and its one line of help.

It imports nothing of remem: `remem --help` is drawn from this table alone, and a command's module
is imported when it is run.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import Final, NamedTuple

import click

from remem.cli.garbage_collection import unswept


class Known(NamedTuple):
    """A command as the list of commands shows it."""

    target: str
    """`module:attribute` of the click command; `verb:ID` where it is made of the verb."""
    help: str
    """The first sentence of the command's own help, word for word."""


GROUPS: Final[Mapping[str, Mapping[str, Known]]] = {
    "Get started": {
        "demo": Known("remem.cli.demo_and_init:demo", "Open a demo project to try remem on."),
        "init": Known("remem.cli.demo_and_init:init", "Create the files of a project memory."),
        "config": Known("remem.cli.settings:config", "Show and change settings."),
        "status": Known(
            "remem.cli.status:status", "Show the context at startup, items to review and problems."
        ),
    },
    "Read memory": {
        "list": Known("remem.cli.list_and_show:list_entries", "List entries."),
        "show": Known("remem.cli.list_and_show:show", "Show one entry."),
        "search": Known("remem.cli.search:search", "Search entries for a text."),
    },
    "Edit memory": {
        "add": Known("remem.cli.add_archive_restore:add", "Add an entry."),
        "edit": Known("verb:edit", "Edit fields of an entry."),
        "remove": Known("verb:remove", "Remove entries from their files."),
        "archive": Known(
            "remem.cli.add_archive_restore:archive",
            "Archive entries: remove them from every prompt.",
        ),
        "restore": Known(
            "remem.cli.add_archive_restore:restore",
            "Restore archived or removed entries.",
        ),
        "move": Known("verb:move", "Move lessons to another section, file or persona."),
        "pin": Known("verb:lesson.pin", "Pin lessons to the top of the prompt."),
        "layout": Known(
            "remem.cli.layout:layout",
            "Show where agents' files are and how they are loaded.",
        ),
    },
    "Review": {
        "queue": Known("remem.cli.queue:queue", "List items to review."),
        "inbox": Known("remem.cli.inbox:inbox", "List what agents wrote since you last looked."),
        "reviewed": Known("remem.cli.inbox:reviewed", "Mark what agents wrote as reviewed."),
        "approve": Known("remem.cli.decide:approve", "Approve items: add them to prompts."),
        "reject": Known("verb:reject", "Reject items with a reason."),
        "promote": Known("verb:promote", "Promote an entry to a wider level."),
        "merge": Known("remem.cli.decide:merge", "Merge an item into an existing entry."),
        "supersede": Known(
            "remem.cli.decide:supersede", "Replace an entry with one that conflicts with it."
        ),
        "scope": Known(
            "remem.cli.decide:scope",
            "Limit who gets an entry, or one in conflict with it.",
        ),
        "keep-both": Known(
            "remem.cli.decide:keep_both",
            "Keep both entries of a conflict, and record why.",
        ),
    },
    "History": {
        "undo": Known("remem.cli.history:undo", "Undo a change."),
        "redo": Known("remem.cli.history:redo", "Redo an undone change."),
        "snapshot": Known(
            "remem.cli.snapshot:snapshot",
            "Record the state of memory; nothing is marked as reviewed.",
        ),
        "forget": Known("remem.cli.inbox:forget", "Delete the stored versions of a memory file."),
        "merge-file": Known(
            "remem.cli.merge_file:merge_file",
            "Merge two versions of a memory file (git merge driver).",
        ),
        "history": Known(
            "remem.cli.history:history",
            "List changes, newest first: all, or those of some entries.",
        ),
    },
    "Prompts": {
        "compose": Known("remem.cli.compose_and_why:compose", "Print an agent's prompt."),
        "why": Known(
            "remem.cli.compose_and_why:why", "Explain why an entry is in a prompt or not."
        ),
        "diff": Known("remem.cli.diff:diff", "Show what a branch changes in every prompt."),
        "duplicates": Known(
            "remem.cli.duplicates:duplicates",
            "Find rules that are loaded twice, similar or in conflict.",
        ),
    },
    "Retros, learnings, personas": {
        "retro": Known("remem.cli.retro:retro", "List, run and ingest retros."),
        "estimates": Known(
            "remem.cli.estimates:estimates", "Compare estimates with actual effort."
        ),
        "learn": Known("remem.cli.learn:learn", "Manage learnings and their confidence."),
        "persona": Known(
            "remem.cli.persona:persona", "Manage personas: named agents with a memory."
        ),
    },
    "Check code": {
        "check": Known(
            "remem.cli.check:check", "Check code against conventions, anti-patterns and decisions."
        ),
        "detect": Known(
            "remem.cli.detect:detect", "Show a rule's check and its matches, or add one."
        ),
    },
    "Share rules": {
        "export": Known(
            "remem.cli.pack:export_pack", "Export project memory as a pack for other projects."
        ),
        "import": Known("remem.cli.pack:import_pack", "Import a pack from another project."),
    },
    "Workspaces": {
        "workspace": Known(
            "remem.cli.workspace:workspace", "Manage memory shared by several repositories."
        ),
    },
    "Shaktra": {
        "brief": Known("remem.cli.brief:brief", "Write a story's briefing."),
        "observe": Known(
            "verb:observe",
            "Record an observation in a story or workflow.",
        ),
        "consolidate": Known(
            "remem.cli.consolidate:consolidate", "Consolidate a story's observations into memory."
        ),
        "migrate": Known("remem.cli.migrate:migrate", "Migrate memory from an older layout."),
        "applied": Known("remem.cli.applied:applied", "Count which Shaktra entries were applied."),
    },
    "Facts and agents": {
        "memory": Known(
            "remem.cli.memory:memory", "Manage facts about code with the lines that prove them."
        ),
        "mcp": Known(
            "remem.cli.mcp_install_and_doctor:mcp", "Serve memory tools to agents over MCP (stdio)."
        ),
        "hook": Known("remem.cli.hook:hook", "Answer the hooks of Claude Code."),
    },
    "Output": {
        "schema": Known("remem.cli.schema:schema", "Print the JSON Schemas of files and outputs."),
        "screenshot": Known("remem.cli.screenshot:screenshot", "Render the screens as SVG."),
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

        return command_of(verb(attribute))
    with unswept():
        command = getattr(import_module(module), attribute)
    assert isinstance(command, click.Command)
    return command
