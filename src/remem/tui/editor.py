"""An entry's text in the person's own editor, and what they changed in it.

The terminal is handed over and taken back; what was typed is compared with what was given, and an
entry that changed meanwhile is refused by the digest that its intent carries.
"""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from textual.app import SuspendNotSupported

from remem.base.errors import NotPossible, RememError, UnknownRef
from remem.base.text import safe_text
from remem.edit.yaml_read import parse_document
from remem.edit.yaml_write import render
from remem.model.change import Json
from remem.model.entry import Ref
from remem.store.io import Disk

if TYPE_CHECKING:
    from remem.tui.app import RememApp

HEADER: Final = "Save to apply your changes; leave the file as it is to cancel."
KEPT: Final = (
    "Your text that was not saved. Delete this line to apply it; leave the file as it is to cancel."
)
_NOTHING: Final[Mapping[str, Json]] = MappingProxyType({})
_WITH_COLON: Final[Mapping[str, tuple[str, ...]]] = {
    "code": ("--wait", "--goto"),
    "codium": ("--wait", "--goto"),
    "cursor": ("--wait", "--goto"),
    "hx": (),
    "helix": (),
    "subl": ("--wait",),
    "zed": ("--wait",),
}
"""Editors that are told a line as `file:line`, with what makes them do so and wait."""
_MARK: Final = "# ! "
"""Begins the line that says why a text did not read."""


async def edited_fields(
    app: RememApp,
    ref: Ref,
    fields: Mapping[str, Json] | None = None,
    written: Mapping[str, Json] = _NOTHING,
) -> dict[str, Json] | None:
    """Return the fields that the person changed in the editor; `None` where nothing was changed.

    Fields that were taken out come as `None`. What does not read opens again with the reason at its
    top; saved as it is, it is left and kept for the next time.

    Args:
        app: Hands over the terminal.
        ref: Of the entry.
        fields: What is edited; `None` = what the entry holds.
        written: What was changed in it before, and stands in the text.
    """
    library = app.session.library
    try:
        entry, source = library.entry(ref), library.source_of(ref)
    except UnknownRef as error:
        app.show_error(error)
        return None
    before = dict(
        library.format_of(entry).reader.fields(source, entry) if fields is None else fields
    )
    kept = app.desk.unsaved.pop(ref, None)
    text = kept if isinstance(kept, bytes) else _offered(before, written, kept or _NOTHING)
    problem = _unread(before, kept) if isinstance(kept, bytes) else ""
    try:
        while True:
            given = _with_problem(text, problem)
            after, _ = _edit(app, given)
            if after == given and kept is None and not problem:
                return None
            if after == given:
                app.desk.unsaved[ref] = text if problem or kept is None else kept
                app.tell("not saved; your text is kept and opens again here")
                return None
            text = _without_problem(after)
            try:
                return changed_fields(before, text) or None
            except NotPossible as error:
                problem = str(error)
    except RememError as error:
        if text and (kept or problem):
            app.desk.unsaved[ref] = text
        app.show_error(error)
        return None


def _offered(
    before: Mapping[str, Json], written: Mapping[str, Json], kept: Mapping[str, Json]
) -> bytes:
    """Return the text to edit: the fields, with what was written before and not taken over.

    What was kept because somebody else had changed the entry stands below what it says now: only a
    person who saw both puts one in the place of the other.
    """
    fields = {**before, **written, **kept}
    header = HEADER
    if kept:
        now = {key: before[key] for key in kept if key in before}
        says = render(now).decode().rstrip("\n") if now else "nothing of this"
        header = f"{KEPT}\nWithout it the entry says:\n{says}"
    return render({key: value for key, value in fields.items() if value is not None}, header)


def _unread(before: Mapping[str, Json], text: bytes) -> str:
    """Return why a kept text did not read."""
    try:
        changed_fields(before, text)
    except NotPossible as error:
        return str(error)
    return ""


def _with_problem(text: bytes, problem: str) -> bytes:
    line = safe_text(problem, one_line=True)
    return f"{_MARK}{line}\n".encode() + text if line else text


def _without_problem(text: bytes) -> bytes:
    return text.partition(b"\n")[2] if text.startswith(_MARK.encode()) else text


def changed_fields(before: Mapping[str, Json], text: bytes) -> dict[str, Json]:
    """Return what differs between the fields and an edited text of them.

    Raises:
        NotPossible: The text does not read as fields.
    """
    document = parse_document(text)
    if document.problems or not isinstance(document.value, dict):
        why = document.problems[0].message if document.problems else "your text has no fields"
        raise NotPossible(f"your text is not valid YAML: {why}", hint="edit it again")
    after = document.value
    changed: dict[str, Json] = {
        key: value for key, value in after.items() if before.get(key) != value
    }
    return {**changed, **{key: None for key in before if key not in after}}


def editor_command(configured: str) -> list[str]:
    """Return the command for an entry's text: the configured one, `$VISUAL`, `$EDITOR`, `vi`."""
    command = configured or os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    return shlex.split(command)


def edited_text(app: RememApp, data: bytes, name: str, line: int = 0) -> bytes | None:
    """Let the person edit a whole text; `None` where they did not save it.

    What is saved as it was comes back as it was: of a text that was kept from before it is taken.

    Args:
        app: Hands over the terminal.
        data: The text.
        name: What the editor calls it.
        line: Where it begins, if the editor can be told; 0 = anywhere.

    Raises:
        NotPossible: The editor does not start, or ends with an error.
    """
    after, is_saved = _edit(app, data, name, line)
    return after if is_saved or after != data else None


def at_line(editor: str, path: Path, line: int) -> list[str]:
    """Return the arguments that make an editor open a file at a line, from 1; 0 = anywhere."""
    name = Path(editor).name
    if not line:
        return [str(path)]
    if name in _WITH_COLON:
        return [*_WITH_COLON[name], f"{path}:{line}"]
    return [f"+{line}", str(path)]


def _run(app: RememApp, command: Sequence[str]) -> None:
    # Textual takes NO_COLOR for itself; a program that we start still has to know.
    environment = {**os.environ, **({"NO_COLOR": "1"} if app.no_color else {})}
    try:
        with app.suspend():
            done = subprocess.run(command, env=environment, check=False)
    except SuspendNotSupported as error:
        raise NotPossible(
            "this terminal cannot run an editor",
            hint="use `remem edit` on the command line",
        ) from error
    except OSError as error:
        raise NotPossible(
            f"the editor `{command[0]}` failed to start: {error.strerror}",
            hint="set `editor` in your config, or `$EDITOR`",
        ) from error
    if done.returncode:
        raise NotPossible(f"the editor exited with code {done.returncode}; nothing was written")


def _edit(
    app: RememApp, data: bytes, name: str = "entry.yaml", line: int = 0
) -> tuple[bytes, bool]:
    """Run the editor on `data`; return what it left, and whether it wrote that."""
    disk = Disk()
    with TemporaryDirectory(prefix="remem-") as folder:
        path = Path(folder) / name
        disk.put_new(path, data, mode=0o600)
        before = disk.times(path)
        command = editor_command(app.session.config.editor)
        _run(app, [*command, *at_line(command[0], path, line)])
        return disk.read(path), disk.times(path) != before
