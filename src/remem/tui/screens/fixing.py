"""A screen that shows what is wrong: the verb that mends it is planned first, and shown.

What is wrong its subclasses say; how a verb is carried out every deciding screen has in common.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.binding import BindingType

from remem.base.errors import RememError
from remem.core.verbs.verbs import EDIT, KEEP_ONE, KeepOne
from remem.model.change import Intent
from remem.model.entry import Entry
from remem.systems.personas.persona_verbs import PERSONA_COMPACT
from remem.tui.screens.deciding import DecidingScreen
from remem.tui.verbs import FIX, bindings
from remem.views.change_titles import done
from remem.views.list_rows import Choice, label

if TYPE_CHECKING:
    from remem.core.checks.issue import Issue
    from remem.core.relation.duplicates import Told
    from remem.core.session import Session


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
            await self._choose_copy(issue)
            return
        shown = {entry.ref: entry.digest} if entry is not None else {}
        await self.show_planned(Intent(issue.verb, shown, issue.arguments))

    async def _choose_copy(self, issue: Issue) -> None:
        """Let a person choose the copy that stays; the suggested one is under the cursor."""
        from remem.core.relation.duplicates import told_of
        from remem.tui.screens.choose import ChooseScreen

        session = self.session
        if issue.ref is None:
            return
        # It is known of the snapshot that Health shows; of a newer one it takes a moment.
        told = await asyncio.to_thread(told_of, session.library, issue.ref)
        if told is None:
            self.say("no agent loads it twice any more")
            return
        shown = {entry.ref: entry.digest for entry in told.copies}
        choices = [_choice(session, entry, told) for entry in told.copies]
        choices.sort(key=lambda choice: not choice.right)

        async def take(chosen: str | None) -> None:
            if not chosen:
                return
            self.saw(shown)
            await self.show_planned(Intent(KEEP_ONE.id, shown, KeepOne(keep=chosen).to_json()))

        self.app.push_screen(ChooseScreen("Which copy to keep", choices), take)

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
        self.say(done(committed.change.title), *committed.warnings, undoable=True)

    def _offered(self, path: Path, now: bytes) -> bytes:
        """Return what to edit: the file, with what was typed into it and could not be written."""
        from remem.edit.merge_lines import Clash, keep_all, merge

        if path not in self._kept_texts:
            return now
        base, typed = self._kept_texts.pop(path)
        merged = merge(base, typed, now)
        return keep_all(typed, now) if isinstance(merged, Clash) else merged


def _choice(session: Session, entry: Entry, told: Told) -> Choice:
    path = session.library.source_of(entry).path
    is_best = entry.ref == told.keep.ref
    text = " ".join(entry.title.split())
    return Choice(str(entry.ref), label(session, path), text, "suggested" if is_best else "")
