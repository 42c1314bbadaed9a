"""The group `hook`: what Claude Code runs at a start, at a stop, and before it writes memory.

All read what the tool tells them on stdin, print what its page documents, and never keep an agent
from working: what goes wrong is said on stderr, and the session goes on.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import click

from remem.base.clock import Clock
from remem.base.errors import Already, RememError
from remem.base.text import safe_text
from remem.cli.invocation import Invocation
from remem.cli.options import pass_invocation, root_options
from remem.cli.out import print_exact, say
from remem.code.work_state import changed_since, work_state
from remem.store.cache_file import put_cached
from remem.store.io import Disk

MOST: Final = 9_500
"""Characters of what a hook prints: of more than 10,000 an agent gets a preview and a path."""
_BEGINS: Final = frozenset({"", "startup", "clear"})
"""How a session starts that has no memory in it yet; after `resume` and `compact` it has."""
_LONGEST: Final = 1 << 20
_HELD: Final = (
    "Held back, not written: the person you work for reviews what is remembered first. It waits in "
    "remem with its text. Do not write it again, here or elsewhere; go on with your work."
)
"""What an agent is told of a write that was held back."""
_FILES: Final = 20
"""Changed files that an agent is reminded of."""


@click.group("hook", context_settings={"help_option_names": ["-h", "--help"]})
@root_options
def hook() -> None:
    """Answer the hooks of Claude Code."""


@hook.command("start")
@click.option(
    "--role", default="", metavar="ROLE", help="Role to compose for; default: what all roles get."
)
@click.option("--persona", default="", metavar="NAME", help="A named agent.")
@click.option("--max-chars", default=MOST, type=click.IntRange(500), help=f"Default: {MOST:,}.")
@root_options
@pass_invocation
def start(invocation: Invocation, role: str, persona: str, max_chars: int) -> None:
    """Print memory for a session that starts (`SessionStart`).

    What is longer than a hook may print becomes a pointer with the ten entries that matter most.
    """
    told = _told()
    if told.get("source", "") not in _BEGINS:
        return
    note = _Note(invocation, told)
    note.write(work_state(note.disk, invocation.root), asked=False)
    from remem.core.prompt.max_chars import within_characters
    from remem.model.prompt import Ask

    session = invocation.session
    session.load_counter()
    prompt = session.compose(Ask(role=role, persona=persona))
    whom = f" --role {role}" if role else f" --persona {persona}" if persona else ""
    print_exact(within_characters(session.library, prompt, max_chars, f"remem compose{whom}"))


@hook.command("stop")
@click.option("--persona", default="", metavar="NAME", help="Persona that learns; default: none.")
@root_options
@pass_invocation
def stop(invocation: Invocation, persona: str) -> None:
    """Ask an agent what it learnt (`Stop`): once in a session, and only if files changed."""
    told = _told()
    if told.get("stop_hook_active") is True:
        return
    note = _Note(invocation, told)
    known = note.read()
    if known.get("asked") is True:
        return
    now, began = work_state(note.disk, invocation.root), known.get("began")
    changed = changed_since(began, now) if isinstance(began, dict) else ()
    # Where nobody saw the session start, it counts from here on.
    note.write(now, asked=bool(changed))
    if changed:
        text = _question(invocation, persona, changed[:_FILES])
        answer = {"hookSpecificOutput": {"hookEventName": "Stop", "additionalContext": text}}
        print_exact(json.dumps(answer) + "\n")


@hook.command("hold")
@root_options
@pass_invocation
def hold(invocation: Invocation) -> None:
    """Hold back writes to auto memory until you approve them (`PreToolUse`).

    They wait in Review and in `remem queue`: approving writes exactly what Claude Code would have
    written, rejecting drops it. Everything else is written as always.
    """
    told = _told()
    if not _may_write_memory(told):
        return
    try:
        is_held = _held_back(invocation, told)
    except (RememError, OSError) as error:
        # What cannot be held back is written, and waits in the inbox like any other write.
        say(f"remem could not hold this write back: {error}")
        return
    if is_held:
        answer = {
            "hookSpecificOutput": {
                "hookEventName": "PreToolUse",
                "permissionDecision": "deny",
                "permissionDecisionReason": _HELD,
            }
        }
        print_exact(json.dumps(answer) + "\n")


def _may_write_memory(told: Mapping[str, Any]) -> bool:
    """Tell whether a call may be one that is held back, before anything is loaded for it."""
    given = told.get("tool_input")
    path = given.get("file_path") if isinstance(given, dict) else None
    return isinstance(path, str) and path.endswith(".md")


def _held_back(invocation: Invocation, told: Mapping[str, Any]) -> bool:
    from remem.core.session import Session
    from remem.model.change import Intent
    from remem.store.cache_file import make_folders
    from remem.systems.plain.held.held_verbs import HOLD
    from remem.systems.plain.held.held_writes import is_auto_memory
    from remem.systems.registry import make_known

    make_known()
    session = Session.open(
        invocation.root, invocation.places, door="cli", actor="agent", clock=invocation.clock
    )
    try:
        ground = session.library.ground
        if not is_auto_memory(ground, Path(told["tool_input"]["file_path"])):
            return False
        assert ground.held is not None
        if ground.disk.kind(ground.held) is None:
            make_folders(ground.disk, ground.held.parent)
            with suppress(FileExistsError):
                ground.disk.mkdir(ground.held, 0o700)
        with suppress(Already):
            session.apply(Intent(HOLD.id, arguments={"call": dict(told)}))
        return True
    finally:
        session.close()


def _question(invocation: Invocation, persona: str, files: Sequence[str]) -> str:
    what = f"Changed files: {safe_text(', '.join(files))}. "
    if not persona:
        return (
            f"{what}If this session taught you something that will hold in later ones, propose it "
            "now: a rule with `memory_propose`, a fact about the code with `memory_store` and the "
            "lines that prove it. What does not last, leave out; if there is nothing, stop."
        )
    from remem.systems.personas.lessons.reflection import Occasion, reflection_prompt, whose

    library = invocation.session.library
    found = whose(library, persona, "")
    occasion = Occasion("session_end", "done", what.strip(), tuple(files))
    return (
        f"{reflection_prompt(library, found, occasion)}\n"
        f"Pass your answer to: remem persona reflect {json.dumps(persona)} --trigger session_end "
        "--outcome done --summary 'what you did' --answer -"
    )


def _told() -> dict[str, Any]:
    """Return what the tool says on stdin; nothing where a person runs it by hand."""
    if sys.stdin is None or sys.stdin.isatty():
        return {}
    try:
        found = json.loads(sys.stdin.read(_LONGEST))
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


class _Note:
    """What is known of one session, in the user's cache."""

    def __init__(self, invocation: Invocation, told: dict[str, Any]) -> None:
        self.disk = Disk()
        name = f"{invocation.root}\0{told.get('session_id', '')}"
        file = f"{sha256(name.encode('utf-8', 'surrogateescape')).hexdigest()[:24]}.json"
        self._path: Path = invocation.places.cache / "hooks" / file
        self._clock = invocation.clock or Clock()

    def read(self) -> dict[str, Any]:
        try:
            found = json.loads(self.disk.read(self._path))
        except (OSError, ValueError, RememError):
            return {}
        return found if isinstance(found, dict) else {}

    def write(self, began: Mapping[str, str], *, asked: bool) -> None:
        data = json.dumps({"began": dict(began), "asked": asked}).encode()
        with suppress(OSError):
            put_cached(self.disk, self._path, data, self._clock)
