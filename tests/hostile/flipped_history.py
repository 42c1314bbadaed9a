"""One bit of a history is another one: what every door says then, and what undo does.

`python -m tests.hostile.flipped_history [STEP] [log]` tries every STEP-th byte that is not zero, of
the database or of the log that a crash left beside it, each with one of its bits, and prints what
does not hold; all of them take an hour.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.hostile.crashing import MEMORY, convention, memory_folder

from remem.base.clock import Clock
from remem.base.errors import RememError
from remem.core.session import Session
from remem.core.settings import Places
from remem.store.history.journal_records import Actor
from remem.systems.registry import make_known

CHANGES: Final = 6
_BEGAN: Final = datetime(2026, 11, 20, 8, tzinfo=UTC)
_PAGE: Final = 4096
_HEAD_OF_PAGE: Final = 8
_HEAD_OF_LOG: Final = 32
_HEAD_OF_FRAME: Final = 24
_INNER: Final = 5
"""What a page of a table begins with that leads to others."""
_VERSION: Final = range(60, 64)
"""Where the head says which remem wrote it: another one looks like that of a newer remem."""


@dataclass
class Logbook:
    """A root with a history: a person's decisions, one of two parts, an agent's, one taken back."""

    base: Path
    is_of_log: bool = False
    """The changes stand in the log that a crash left, and its bits are flipped."""

    def build(self) -> Logbook:
        seconds, ids = count(), count(1)
        self._clock = Clock(
            lambda: _BEGAN + timedelta(seconds=next(seconds)),
            lambda: f"{next(ids):08x}{'0' * 24}",
        )
        self.root = self.base / "live" / "shop"
        self.places = Places.of(self.base / "live" / "home")
        store = self.root / MEMORY / "conventions.yaml"
        store.parent.mkdir(parents=True)
        store.write_text("conventions:\n" + "".join(map(convention, range(1, 7))))
        self.flipped = self.places.state / ("journal.db-wal" if self.is_of_log else "journal.db")
        with closing(self.bench()) as first:
            _approve(first, "conv-001")
            self._decide()  # while the first has it open, nothing leaves the log
            with closing(self.bench()) as bench:
                self.history = bench.past.changes()
            assert len(self.history) == CHANGES
            if self.is_of_log:
                shutil.copytree(self.base / "live", self.base / "kept")
        if not self.is_of_log:
            shutil.copytree(self.base / "live", self.base / "kept")
        self.data = (self.base / "kept" / self.flipped.relative_to(self.base / "live")).read_bytes()
        return self

    def _decide(self) -> None:
        with closing(self.bench()) as bench, bench.as_one():
            _approve(bench, "conv-002")
            _approve(bench, "conv-003")
        with closing(self.bench("agent")) as bench:
            _approve(bench, "conv-004")
        with closing(self.bench()) as bench:
            _approve(bench, "conv-005")
            bench.undo()
            self.before = self.files()
            _approve(bench, "conv-006")
        self.after = self.files()

    def bench(self, actor: Actor = "person") -> Session:
        return Session.open(self.root, self.places, door="cli", actor=actor, clock=self._clock)

    def files(self) -> dict[str, bytes]:
        found = (path for path in self.root.rglob("*") if path.is_file())
        return {str(path.relative_to(self.root)): path.read_bytes() for path in found}

    def said_bytes(self) -> list[int]:
        """Return where something stands, page by page in turn, so that a few are of every page."""
        pages: dict[int, list[int]] = {}
        for at, byte in enumerate(self.data):
            if byte:
                pages.setdefault(at // 4096, []).append(at)
        most = max(map(len, pages.values()))
        turns = ([page[n] for page in pages.values() if n < len(page)] for n in range(most))
        return [at for turn in turns for at in turn]

    def wrong_with(self, at: int, bit: int) -> list[str]:
        """Flip a bit; return what does not hold at any door, or of undo, or of what is kept."""
        self.flip(at, bit)
        is_newer = at in _VERSION and not self.is_of_log
        shown = 0 if self._takes_more(at) else CHANGES - 1
        wrong = self._wrong(is_newer=is_newer, shown=shown)
        return [f"bit {bit} of byte {at}: {each}" for each in wrong]

    def _takes_more(self, at: int) -> bool:
        """Tell whether more than one row goes with a byte: it says how to read a page."""
        within = (at - _HEAD_OF_LOG) % (_HEAD_OF_FRAME + _PAGE) - _HEAD_OF_FRAME
        place = within if self.is_of_log else at % _PAGE
        return place < _HEAD_OF_PAGE or self.data[at - place] == _INNER

    def flip(self, at: int, bit: int) -> None:
        """Put everything back as it was, but for one bit."""
        shutil.rmtree(self.base / "live")
        shutil.copytree(self.base / "kept", self.base / "live")
        flipped = bytearray(self.data)
        flipped[at] ^= 1 << bit
        self.flipped.write_bytes(flipped)

    def _wrong(self, *, is_newer: bool, shown: int) -> Iterator[str]:
        with closing(self.bench()) as bench:
            yield from self._wrong_to_readers(bench)
        told = False
        for _ in range(2):  # the first may put the history aside
            with closing(self.bench()) as bench:
                try:
                    bench.undo()
                except RememError as error:
                    told = True
                    if self.files() != self.after:
                        yield f"refused, and changed: {error}"
                    continue
                if self.files() != self.before:
                    yield "undo took back something else"
                break
        if is_newer:
            return
        with closing(self.bench()) as bench:
            kept = {each.id for each in bench.past.changes()}
            told = told or bool(bench.told())
            lost = [each.id for each in self.history if each.id not in kept]
            if lost or bench.journal.damage() is not None:
                yield f"lost: {lost}"
            whole = [each for each in bench.past.changes() if not each.pruned]
            if len(whole) < shown:
                yield f"only {len(whole)} can be shown"

    def _wrong_to_readers(self, bench: Session) -> Iterator[str]:
        bench.look()
        history, _ = bench.past.changes(), bench.queue()
        told = [*bench.problems, *bench.told()]
        bench.pending()
        told += bench.told()
        try:
            bench.past.outside()
            for each in history:
                bench.past.diff_of(each)
        except RememError as error:
            told.append(str(error))
        if history != self.history and not told:
            yield "nobody is told that the history is another one"


def _approve(bench: Session, name: str) -> None:
    bench.apply(bench.intend("approve", [bench.library.resolve(name)]))


def bit_of(at: int) -> int:
    """Return the bit that is flipped of a byte, another one for each neighbour."""
    return (at * 7 + 3) % 8


def main(words: Sequence[str]) -> int:
    """Try every STEP-th byte and print what does not hold."""
    make_known()
    step = int(words[0]) if words else 1
    with TemporaryDirectory(dir=memory_folder()) as folder:
        book = Logbook(Path(folder), is_of_log="log" in words[1:]).build()
        tried = book.said_bytes()[::step]
        wrong = [each for at in tried for each in book.wrong_with(at, bit_of(at))]
    sys.stdout.write("\n".join((*wrong, f"{len(tried)} tried, {len(wrong)} wrong")) + "\n")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
