"""A screen that shows what is wrong: the verb that mends it is planned first, and shown.

What is wrong its subclasses say; how a verb is carried out every deciding screen has in common.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.binding import BindingType

from remem.base.errors import RememError
from remem.core.verbs.verbs import EDIT, KEEP_ONE
from remem.model.change import Intent
from remem.model.entry import Entry
from remem.systems.personas.persona_verbs import PERSONA_COMPACT
from remem.tui.screens.deciding import DecidingScreen
from remem.tui.screens.panes import TO_UNDO
from remem.tui.verbs import FIX, bindings
from remem.views.change_titles import done

if TYPE_CHECKING:
    from remem.core.checks.issue import Issue


class FixingScreen(DecidingScreen):
    """Mends what is under the cursor with one key."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings((FIX,))]

    def __init__(self) -> None:
        super().__init__()
        self._kept_texts: dict[Path, tuple[bytes, bytes]] = {}
        """What was typed into a file and could not be written, and into which text."""

    async def mend(self, issue: Issue, entry: Entry | None) -> None:
        """Show what the verb of an issue would write."""
        if self.is_unsteady():
            return
        if issue.verb == PERSONA_COMPACT.id:
            from remem.tui import reflect_and_compact

            # A model is asked first: there is nothing to plan before it answers.
            names = ("persona", "layout", "topic")
            reflect_and_compact.compact(
                self, *(str(issue.arguments.get(name, "")) for name in names)
            )
            return
        if issue.verb == KEEP_ONE.id:
            from remem.tui import choose_copy

            await choose_copy.choose_copy(self, issue)
            return
        shown = {entry.ref: entry.digest} if entry is not None else {}
        await self.show_planned(Intent(issue.verb, shown, issue.arguments))

    def file_of(self, found: Entry | None, *paths: Path | None) -> Path | None:
        """Return the file that `e` opens for a problem; `None` = it edits an entry, or nothing."""
        if found is not None and not EDIT.why_not(self.session.library, found):
            return None
        path = next((path for path in paths if path is not None), None)
        is_there = path is not None and self.session.disk.kind(path) == "file"
        return path if is_there else None

    async def open_at(self, path: Path, line: int) -> None:
        """Open the file of a problem in the editor, at its line, and write what was made of it."""
        from remem.tui.editor import edited_text

        before, text = b"", b""
        try:
            before = self.session.disk.read(path)
            offered = self._offered(path, before)
            written = edited_text(self.remem, offered, path.name, line)
            text = offered if written is None else written
            if text == before:
                return
            if written is None:
                self._kept_texts[path] = (before, offered)
                self.say("not saved; your text is kept and opens again here")
                return
            committed = await asyncio.to_thread(self.session.write_file, path, before, text)
        except RememError as error:
            if text:
                self._kept_texts[path] = (before, text)
            self.remem.show_error(error)
            await asyncio.to_thread(self.session.take_in)
            return
        await self.renew(own=True)
        self.say(f"{done(committed.change.title)}{TO_UNDO}", *committed.warnings)

    def _offered(self, path: Path, now: bytes) -> bytes:
        """Return what to edit: the file, with what was typed into it and could not be written."""
        from remem.edit.merge_lines import Clash, keep_all, merge

        if path not in self._kept_texts:
            return now
        base, typed = self._kept_texts.pop(path)
        merged = merge(base, typed, now)
        return keep_all(typed, now) if isinstance(merged, Clash) else merged
