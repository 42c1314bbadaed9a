"""Browse: writing what a machine checks of the rule under the cursor.

What was typed and not written is kept as long as the entry stays as it is.
"""

from __future__ import annotations

from collections.abc import Mapping

from remem.core.checks.codebase import code_root
from remem.model.change import Intent, Json
from remem.model.entry import Ref
from remem.systems.sniper.detect_verbs import DETECT
from remem.tui.screens.shelves import ShelvesScreen


class CheckingScreen(ShelvesScreen):
    """Opens the panel in which a check by machine is written."""

    def __init__(self) -> None:
        super().__init__()
        self._unchecked: dict[tuple[Ref, str], Mapping[str, str]] = {}
        """Ref and digest → what was typed for it and is not written."""

    def action_detect(self) -> None:
        """Ask what is looked for, show what that writes, and write it."""
        entry, reason = self._entry, self.why_not(DETECT)
        if entry is None or reason:
            self.say(f"{DETECT.title}: {reason or 'nothing selected'}")
            return
        if self.is_unsteady():
            return
        from remem.core.checks.codebase import Codebase
        from remem.tui.screens.detect import DetectScreen
        from remem.views.detect import record_of, typed_at_first

        session = self.session
        library, key = session.library, (entry.ref, entry.digest)
        record = record_of(library, entry)
        if record is None:
            return
        self.saw({entry.ref: entry.digest})
        base = Codebase(session.disk, code_root(session.root, library.source_of(entry).path))
        typed = self._unchecked.get(key) or typed_at_first(library, entry)
        panel = DetectScreen(library.short(entry.ref), record, base, typed)

        async def answer(fields: dict[str, Json] | None) -> None:
            self._unchecked[key] = panel.typed
            if fields is not None:
                await self.carry_out(
                    Intent(DETECT.id, {entry.ref: entry.digest}, {"detect": fields})
                )

        self.app.push_screen(panel, answer)
