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
    """`folder.module:attribute` in `remem.cli`; `verb:ID` where it is made of the verb."""
    help: str
    """The first sentence of the command's own help, word for word."""


GROUPS: Final[Mapping[str, Mapping[str, Known]]] = {
    "Get started": {
        "demo": Known("start.demo_and_init:demo", "Open a demo project to try remem on."),
        "init": Known("start.demo_and_init:init", "Create the files of a project memory."),
        "config": Known("start.settings:config", "Show and change settings."),
        "status": Known(
            "start.status:status",
            "Show the context at startup, items to review and problems.",
        ),
    },
    "Read memory": {
        "list": Known("reading.list_and_show:list_entries", "List entries."),
        "show": Known("reading.list_and_show:show", "Show one entry."),
        "search": Known("reading.search:search", "Search entries for a text."),
    },
    "Edit memory": {
        "add": Known("editing.add_archive_restore:add", "Add an entry."),
        "edit": Known("verb:edit", "Edit fields of an entry."),
        "remove": Known("verb:remove", "Remove entries from their files."),
        "archive": Known(
            "editing.add_archive_restore:archive",
            "Archive entries: remove them from every prompt.",
        ),
        "restore": Known(
            "editing.add_archive_restore:restore",
            "Restore archived or removed entries.",
        ),
        "move": Known("verb:move", "Move lessons to another section, file or persona."),
        "pin": Known("verb:lesson.pin", "Pin lessons to the top of the prompt."),
        "layout": Known(
            "editing.layout:layout",
            "Show where agents' files are and how they are loaded.",
        ),
    },
    "Review": {
        "queue": Known("review.queue:queue", "List items to review."),
        "inbox": Known("review.inbox:inbox", "List what agents wrote since you last looked."),
        "reviewed": Known("review.inbox:reviewed", "Mark what agents wrote as reviewed."),
        "approve": Known("review.decide:approve", "Approve items: add them to prompts."),
        "reject": Known("verb:reject", "Reject items with a reason."),
        "promote": Known("verb:promote", "Promote an entry to a wider level."),
        "merge": Known("review.decide:merge", "Merge an item into an existing entry."),
        "supersede": Known(
            "review.decide:supersede", "Replace an entry with one that conflicts with it."
        ),
        "scope": Known(
            "review.decide:scope",
            "Limit who gets an entry, or one in conflict with it.",
        ),
        "keep-both": Known(
            "review.decide:keep_both",
            "Keep both entries of a conflict, and record why.",
        ),
    },
    "History": {
        "undo": Known("history.history:undo", "Undo a change."),
        "redo": Known("history.history:redo", "Redo an undone change."),
        "snapshot": Known(
            "history.snapshot:snapshot",
            "Record the state of memory; nothing is marked as reviewed.",
        ),
        "forget": Known("review.inbox:forget", "Delete the stored versions of a memory file."),
        "merge-file": Known(
            "history.merge_file:merge_file",
            "Merge two versions of a memory file (git merge driver).",
        ),
        "history": Known(
            "history.history:history",
            "List changes, newest first: all, or those of some entries.",
        ),
    },
    "Prompts": {
        "compose": Known("prompts.compose_and_why:compose", "Print an agent's prompt."),
        "why": Known("prompts.compose_and_why:why", "Explain why an entry is in a prompt or not."),
        "diff": Known("prompts.diff:diff", "Show what a branch changes in every prompt."),
        "duplicates": Known(
            "prompts.duplicates:duplicates",
            "Find rules that are loaded twice, similar or in conflict.",
        ),
    },
    "Retros, learnings, personas": {
        "retro": Known("learning.retro:retro", "List, run and ingest retros."),
        "estimates": Known("learning.estimates:estimates", "Compare estimates with actual effort."),
        "learn": Known("learning.learn:learn", "Manage learnings and their confidence."),
        "persona": Known(
            "learning.persona:persona", "Manage personas: named agents with a memory."
        ),
    },
    "Check code": {
        "check": Known(
            "checks.check:check",
            "Check code against conventions, anti-patterns and decisions.",
        ),
        "detect": Known("checks.detect:detect", "Show a rule's check and its matches, or add one."),
    },
    "Share rules": {
        "export": Known(
            "sharing.pack:export_pack",
            "Export project memory as a pack for other projects.",
        ),
        "import": Known("sharing.pack:import_pack", "Import a pack from another project."),
    },
    "Workspaces": {
        "workspace": Known(
            "sharing.workspace:workspace", "Manage memory shared by several repositories."
        ),
    },
    "Shaktra": {
        "brief": Known("shaktra.brief:brief", "Write a story's briefing."),
        "observe": Known(
            "verb:observe",
            "Record an observation in a story or workflow.",
        ),
        "consolidate": Known(
            "shaktra.consolidate:consolidate",
            "Consolidate a story's observations into memory.",
        ),
        "migrate": Known("shaktra.migrate:migrate", "Migrate memory from an older layout."),
        "applied": Known("shaktra.applied:applied", "Count which Shaktra entries were applied."),
    },
    "Facts and agents": {
        "memory": Known(
            "agents.memory:memory",
            "Manage facts about code with the lines that prove them.",
        ),
        "mcp": Known(
            "agents.mcp_install_and_doctor:mcp",
            "Serve memory tools to agents over MCP (stdio).",
        ),
        "hook": Known("agents.hook:hook", "Answer the hooks of Claude Code."),
    },
    "Output": {
        "schema": Known("output.schema:schema", "Print the JSON Schemas of files and outputs."),
        "screenshot": Known("output.screenshot:screenshot", "Render the screens as SVG."),
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
        command = getattr(import_module(f"remem.cli.{module}"), attribute)
    assert isinstance(command, click.Command)
    return command
