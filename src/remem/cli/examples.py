"""Examples of every command, for its `--help` and for the reference; loaded for these alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import click

ROOT: Final = """
remem                              # open the project around the current folder
remem demo                         # try it on a demo project
remem status                       # what every agent loads, what to review, what is wrong
remem queue                        # items to review, with ids
remem approve 8c45 --dry-run       # the diff, and what it does to every prompt
remem undo
"""
EXAMPLES: Final[Mapping[str, str]] = {
    "demo": """
remem demo
remem demo --at /tmp/demo          # run it again later to continue
remem demo --live                  # with agents that keep writing
remem demo --team                  # with a team of thirty
""",
    "init": """
remem init
remem init --templates --dry-run
""",
    "config path": "remem config path",
    "config show": """
remem config show
remem config show tokens
""",
    "config set": """
remem config set theme nord
remem config set agent.command '[claude, -p]'
remem config set tokens.budget 1500 --shared
remem config set theme --default
""",
    "status": """
remem status
remem status --agent "Claude Code"         # its context at startup, row by row
claude -p "/context" | remem status --against -
remem status --short                       # one line for a shell prompt
remem status --json
""",
    "list": """
remem list
remem list --kind anti-pattern
remem list --kind convention --role backend-engineer
remem list --system learning --status active
remem list --query "retry budget" --json
""",
    "show": """
remem show conv-012
remem show learning:L-20260406-7be1
""",
    "search": """
remem search "retry budget"
remem search "retry budget" --everywhere   # archives, history and git too
""",
    "add": """
remem add convention "Tests name the harbour" --role qa-engineer
remem add anti-pattern "Silent retries" --severity high
remem add convention "No print in src" --forbid 'print\\(' --files 'src/**'
remem add lesson "Run the linter first" --file CLAUDE.md --section Rules
remem add convention "Retries have a limit" --set status=candidate
""",
    "edit": """
remem edit conv-012 "rule=Tests name the harbour and the tide"
remem edit conv-012 "applies_to=[qa-engineer]" --dry-run
""",
    "remove": "remem remove conv-012 --dry-run",
    "archive": """
remem archive dec-004 --dry-run
remem archive --before 2026-03-01 --persona Ines --dry-run
remem archive --before 2026-03-01 --team --dry-run
""",
    "restore": """
remem restore dec-011
remem restore --event 29                   # everything that one event removed
remem restore --from 3f9c2a "retry budget" # text that a change or commit removed
""",
    "move": "remem move persona:Ines/project#924b12 Tomasz --dry-run",
    "pin": "remem pin persona:Ines/project#924b12",
    "layout list": "remem layout list",
    "layout add": "remem layout add notes/agents --dry-run",
    "queue": """
remem queue
remem queue sprint-7-retro                 # only what has these words: a group, a kind, a text
remem queue --impact                       # what approving each item does to prompts
remem queue --json
""",
    "inbox": """
remem inbox
remem inbox --json
""",
    "reviewed": """
remem reviewed 6d5f9b2d
remem reviewed --event 26
remem reviewed --all
""",
    "approve": """
remem approve 8c45 --dry-run
remem approve 7ce0 8c45                    # several items as one change
remem approve 03b3 --acknowledge d960ab    # after reviewing a ‼ warning
""",
    "reject": 'remem reject 5aaf --reason "a linter does it"',
    "promote": """
remem promote conv-012 --to workspace --dry-run
remem promote ap-003                       # approves a candidate
""",
    "merge": "remem merge 7ce0 --into conv-014 --dry-run",
    "supersede": "remem supersede f86a --instead-of conv-012 --dry-run",
    "scope": """
remem scope f86a --apart-from conv-012 --role qa-engineer --dry-run
remem scope f86a --apart-from conv-012 --role frontend-dev --other-role backend-dev
""",
    "keep-both": """
remem keep-both f86a --reason "each applies in its own service"
remem keep-both conv-014 --beside conv-012 --reason "decided case by case" --dry-run
""",
    "undo": """
remem undo
remem undo 3f9c2a                          # one change, by its id in `remem history`
remem undo --dry-run                       # only show what would come back
""",
    "redo": "remem redo",
    "snapshot": "remem snapshot",
    "forget": "remem forget CLAUDE.md",
    "history": """
remem history
remem history conv-012                     # only the changes of this entry
remem history 3f9c2a                       # what one change did, as a diff
remem history --limit 5 --json
""",
    "compose": """
remem compose --role backend-engineer
remem compose --persona Ines --budget 1500
remem compose --agent "Claude Code" --as-loaded
remem compose --agent "Claude Code" --touching 'src/**/*.py'
remem compose --role developer --story ST-103
""",
    "why": """
remem why conv-012 --role qa-engineer
remem why conv-012                         # which agents get it
remem why                                  # every rule and every agent
""",
    "diff": """
remem diff main...HEAD
remem diff HEAD~5 --role backend-engineer
remem diff main...HEAD --format markdown
""",
    "duplicates": """
remem duplicates
remem duplicates --keep conv-012 --dry-run
""",
    "retro list": "remem retro list",
    "retro show": """
remem retro show
remem retro show sprint-7-retro --json
""",
    "retro run": """
remem retro run                            # needs agent.command
remem retro run --sprint 8 --prompt-only   # or ask any agent yourself …
remem retro run --sprint 8 --answer answer.yaml
remem retro run --sprint 8 --range v1.7..HEAD --stories docs/stories
""",
    "retro ingest": """
remem retro ingest --dry-run
remem retro ingest --sprint 7
""",
    "retro diff": """
remem retro diff
remem retro diff 6 7
""",
    "estimates show": "remem estimates show",
    "estimates take": "remem estimates take --factor --dry-run",
    "learn list": "remem learn list",
    "learn add": 'remem learn add "Seed the tide table before the tests" --agent qa-engineer',
    "learn approve": "remem learn approve L-20260504-e5f6",
    "learn confirm": "remem learn confirm L-20260406-7be1",
    "learn invalidate": "remem learn invalidate L-20260406-7be1",
    "learn reinforce": "remem learn reinforce L-20260406-7be1 --by SLIP-14",
    "learn contradict": "remem learn contradict L-20260406-7be1 L-20260420-c3d4",
    "learn absence": "remem learn absence L-20260406-7be1 --protocol SNPR-20260504",
    "learn recurrence": "remem learn recurrence L-20260406-7be1 --protocol SNPR-20260504",
    "learn supersede": "remem learn supersede L-20260420-c3d4 --by L-20260406-7be1",
    "learn merge": """
remem learn merge L-20260406-7be1 L-20260420-c3d4
remem learn merge --proposed --dry-run
""",
    "learn upgrade": "remem learn upgrade --dry-run",
    "learn prune": "remem learn prune --dry-run",
    "learn decay": """
remem learn decay
remem learn decay --apply
""",
    "learn curate": """
remem learn curate
remem learn curate --apply
""",
    "persona list": """
remem persona list --sort tokens
remem persona list --new
""",
    "persona show": "remem persona show Ines",
    "persona new": 'remem persona new Carlos --role "backend engineer"',
    "persona edit": "remem persona edit Ines --file profile.yaml",
    "persona rename": """
remem persona rename Ines Inez --dry-run
remem persona rename Ines Inez --with-references
remem persona rename Ines Inez --in docs/team.md
""",
    "persona archive": "remem persona archive Bastien --dry-run",
    "persona restore": "remem persona restore Salome",
    "persona merge": """
remem persona merge Bastien --into Ines --dry-run
remem persona merge Ines --from night-watch --to squad
""",
    "persona move": "remem persona move Ines --from night-watch --to squad --dry-run",
    "persona diff": "remem persona diff Ines",
    "persona absorb": "remem persona absorb Ines --dry-run",
    "persona shared": """
remem persona shared
remem persona shared Ines
""",
    "persona share": "remem persona share persona:Ines/project#924b12 --to convention --dry-run",
    "persona export": "remem persona export Dunlin Petrel -o team.json",
    "persona reflect": """
remem persona reflect Ines --trigger pr_review --outcome approved --summary "Retries" --prompt-only
remem persona reflect Ines --trigger pr_review --outcome approved --summary "Retries" --answer -
""",
    "persona compact": """
remem persona compact release-captain                 # needs agent.command; shows the result
remem persona compact release-captain --prompt-only   # or ask any agent yourself …
remem persona compact release-captain --answer answer.md --apply
remem persona compact release-captain --before 2026-03-01
""",
    "merge-file": """
remem merge-file %O %A %B                  # git runs it; see `remem init --merge-driver`
""",
    "check": """
remem check                                # uncommitted changes
remem check --diff main...HEAD
remem check --staged --fail-on high        # in a pre-commit hook
remem check --all --rule ap-003
remem check --memory                       # memory itself too: gaps, duplicates, hidden text
remem check --baseline                     # accept current violations
remem check --diff main...HEAD --format sarif
""",
    "detect": """
remem detect ap-003
remem detect ap-003 --forbid 'print\\(' --files 'src/**/*.py' --apply
remem detect --all
""",
    "export": """
remem export -o rules.yaml
remem export conv-012 conv-014 --with-decisions
""",
    "import": """
remem import rules.yaml --dry-run
remem import rules.yaml
""",
    "workspace show": "remem workspace show",
    "workspace promote": "remem workspace promote conv-012 --dry-run",
    "workspace override": "remem workspace override conv-012 workspace:conv-005",
    "brief": """
remem brief ST-103
remem brief ST-103 --dry-run
""",
    "observe": """
remem observe ST-103 --type discovery --text "The cache is never cleared" --importance 7
""",
    "consolidate": """
remem consolidate ST-104                   # every step with its arithmetic
remem consolidate ST-104 --apply
""",
    "migrate shaktra": "remem migrate shaktra",
    "applied": "remem applied",
    "memory store": """
remem memory store --subject Sailings \\
  --fact "A sailing has a berth" --cite services/timetable/sailing.ts:1-3
""",
    "memory recent": "remem memory recent",
    "memory search": 'remem memory search "sailing berth"',
    "memory history": "remem memory history 5d0c",
    "memory search-path": "remem memory search-path services/timetable/sailing.ts",
    "memory verify": """
remem memory verify
remem memory verify 5d0c --ref main
""",
    "memory read-citation": "remem memory read-citation services/timetable/sailing.ts:1-3",
    "memory stats": "remem memory stats",
    "memory refresh": "remem memory refresh 5d0c",
    "memory invalidate": 'remem memory invalidate 5d0c --reason "the berth moved to the harbour"',
    "memory supersede": """
remem memory supersede 5d0c --fact "It has one berth" --cite services/timetable/sailing.ts:1-4
""",
    "memory log-applied": "remem memory log-applied 5d0c",
    "memory reanchor": "remem memory reanchor --dry-run",
    "memory retire": "remem memory retire --unused",
    "mcp install": "remem mcp install --client claude",
    "mcp doctor": "remem mcp doctor",
    "hook start": "remem hook start",
    "hook stop": "remem hook stop",
    "hook hold": "remem hook hold   # as a `PreToolUse` hook; reads the call on stdin",
    "mcp": """
claude mcp add remem -- remem mcp          # Claude Code
remem mcp                                  # any client, over stdio
""",
    "schema": """
remem schema
remem schema config
""",
    "screenshot": "remem screenshot --write pictures",
}
"""Command → lines as they are typed."""


def example_lines(path: str) -> tuple[str, ...]:
    """Return the examples of a command, a line each; none for a command of a plug-in."""
    return tuple(EXAMPLES.get(path, "").strip().splitlines())


def add_examples(command: click.Command, path: str) -> None:
    """Let the `--help` of a command, and of all below it, end with its examples."""
    lines = ROOT.strip().splitlines() if not path else example_lines(path)
    if lines:
        # `\b` keeps click from filling the lines like a paragraph.
        command.epilog = "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)
    if isinstance(command, click.Group) and path:
        for name, inner in command.commands.items():
            add_examples(inner, f"{path} {name}")
        command.epilog = "\b\nExamples:\n" + "\n".join(
            f"  {line}" for line in _first_of_each(command, path)
        )


def _first_of_each(group: click.Group, path: str) -> Iterator[str]:
    for name in group.commands:
        lines = example_lines(f"{path} {name}")
        if lines:
            yield lines[0].rstrip("\\ ")
