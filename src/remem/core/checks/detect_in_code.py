"""Holds a `detect:` against the code as it lies in the work tree, in bounded time.

Only files that it is about are read, some at a time, so that it can be stopped between them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from time import monotonic
from typing import Final

from remem.base.errors import NotPossible
from remem.base.text import count
from remem.code.changed_lines import ChangedFile, Changes, Tree
from remem.code.worktree import Looks
from remem.core.checks.code_parts import CODE, language_of
from remem.core.checks.gate import Held, hold, is_about
from remem.core.checks.generated_files import why_passed_over
from remem.model.detect import Detect

SECONDS: Final = 3.0
"""That a search takes at most."""
_AT_ONCE: Final = 32
"""Files that are read between two looks at the clock."""


class Codebase:
    """Every file below a root that git tracks or would; their names are asked for once."""

    def __init__(self, disk: Looks, root: Path) -> None:
        """Find the repository; nothing is read yet."""
        self._changes = Changes(disk, root)

    def search(
        self,
        detect: Detect,
        *,
        seconds: float = SECONDS,
        stop: Callable[[], bool] = lambda: False,
    ) -> Held:
        """Return where code breaks it, as far as was looked.

        Args:
            detect: What is looked for.
            seconds: After them the rest is left out.
            stop: Asked between files; true ends it as well.

        Raises:
            NotPossible: There is no repository, or nothing that can be looked for.
        """
        end = monotonic() + seconds
        names = [path for path in self._names if is_about(path, detect)]
        files = self._read(names)
        tree = Tree.of(self._names, self._changes.lines)
        return hold(detect, files, lambda: stop() or monotonic() > end, tree)

    def outside_code(self, detect: Detect, held: Held) -> int:
        """Return how many matches of a pattern of text stand in comments or strings.

        0 also where all of them do: then the pattern is about those.
        """
        is_wider = not detect.parts or (CODE in detect.parts and len(detect.parts) > 1)
        if not (isinstance(detect.forbid, str) and is_wider and held.violations and held.is_whole):
            return 0
        inside = self.search(replace(detect, within=CODE))
        there = {(each.path, each.line) for each in inside.violations}
        gone = [
            each
            for each in held.violations
            if language_of(each.path) is not None and (each.path, each.line) not in there
        ]
        return len(gone) if inside.is_whole and len(gone) < len(held.violations) else 0

    def hint_of_parts(self, detect: Detect, held: Held, ask: str) -> str:
        """Return what holding a pattern against code alone would leave out; empty = nothing.

        Args:
            detect: The pattern.
            held: What it finds.
            ask: How a person asks for code alone, where the sentence is shown.
        """
        beside = self.outside_code(detect, held)
        if not beside:
            return ""
        total = count(held.violations, "match", "matches")
        return f"{beside} of {total} are in comments or strings; {ask} excludes them"

    def hint_of_lines(self, detect: Detect, held: Held) -> str:
        r"""Return what a pattern finds only because its `\s` takes in line ends; empty = nothing.

        Args:
            detect: A pattern that a person wrote.
            held: What it finds.
        """
        if not (isinstance(detect.forbid, str) and detect.parts and held.is_whole):
            return ""
        narrow = _on_one_line(detect.forbid)
        if narrow == detect.forbid or not held.violations:
            return ""
        inside = self.search(replace(detect, forbid=narrow))
        there = {(each.path, each.line) for each in inside.violations}
        over = sum((each.path, each.line) not in there for each in held.violations)
        total = count(held.violations, "match", "matches")
        said = rf"{over} of {total} run over a line end; `[ \t]` in place of `\s` excludes them"
        return said if over and inside.is_whole else ""

    @cached_property
    def _names(self) -> tuple[str, ...]:
        if not self._changes.has_git:
            raise NotPossible(
                "not a git repository, so no code is checked",
                hint="create one with `git init`",
            )
        return self._changes.named()

    def _read(self, names: Sequence[str]) -> Iterator[ChangedFile]:
        for first in range(0, len(names), _AT_ONCE):
            found = self._changes.whole(names[first : first + _AT_ONCE]).files
            yield from (file for file in found if not why_passed_over(file))


_TOKEN: Final = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]")


def _on_one_line(pattern: str) -> str:
    """Return a pattern whose blanks are none of a line's end; classes stay as they are."""
    return _TOKEN.sub(lambda found: r"[^\S\n]" if found[0] == r"\s" else found[0], pattern)


def code_root(root: Path, store: Path) -> Path:
    """Return the folder of the repository whose memory a store is."""
    folders = (each.parent for each in store.parents if each.name == ".sniper")
    return next(folders, root)
