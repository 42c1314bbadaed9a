"""What deciding and composing cost once everything is open, against the bare work they stand on."""

import os
import sqlite3
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from tests.bench.approving import replace
from tests.bench.measure import Report, in_turns, seconds
from tests.bench.workspaces import project

from remem.core.prompt.tokens import place_vocabulary
from remem.core.session import Session
from remem.core.settings import Places
from remem.model.prompt import Ask
from remem.store.history.journal_records import Door

ROLE = Ask(role="backend-engineer")


def opened(root: Path, home: Path, door: Door = "cli") -> Session:
    """Return a session whose library is parsed and whose tokenizer is loaded."""
    session = Session.open(root, Places.of(home), door=door)
    session.load_counter()
    for _ in session.library.complete():
        pass
    return session


def write_durably(path: Path, data: bytes) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    try:
        os.write(handle, data)
        os.fsync(handle)
    finally:
        os.close(handle)


def test_approving_among_ten_thousand_against_bare_writes(report: Report, tmp_path: Path) -> None:
    root = project(tmp_path / "project", 10_000, candidates=report.rounds * 2 + 2)
    session = opened(root, tmp_path / "home")
    memory = root / ".sniper" / "memory"
    approve = _approving(session)

    seen = project(tmp_path / "seen", 10_000, candidates=report.rounds * 2 + 2)
    at_screens = opened(seen, tmp_path / "home-of-screens", door="tui")
    at_screens.begin()
    approve_seen = _approving(at_screens)

    def write() -> float:
        store, summary = (memory / name for name in ("conventions.yaml", "summary.md"))
        files = ((tmp_path / each.name, each.read_bytes()) for each in (store, summary))

        def both() -> None:
            for path, data in files:
                write_durably(path, data)

        return seconds(both) * 1_000

    bare = _bare(tmp_path / "bare", memory)
    approved, shown, needed, written = in_turns(
        report.rounds * 2, approve, approve_seen, bare, write
    )

    floor = "write + fsync of store and summary"
    ratio = report.ratio("approve one among 10,000, durable", "≤ 2 ×", approved, written, floor)
    report.ratio("and what cannot be left out of it", "stated", needed, written, floor)
    report.ratio(
        "the same in the screens, which note what was seen", "stated", shown, written, floor
    )
    assert ratio > 0.1


def _approving(session: Session) -> Callable[[], float]:
    """Return what approves one more, in milliseconds; the first two make the history and more."""
    turn = iter(session.queue())

    def approve() -> float:
        # Another one each time: what was approved before says nothing about its bytes.
        entry = session.library.entry(next(turn).ref)
        intent = session.intend("approve", [entry])
        return seconds(lambda: session.apply(intent)) * 1_000

    approve()  # makes the journal, and the summary that all later ones differ from in a few lines
    approve()
    return approve


def _bare(folder: Path, memory: Path) -> Callable[[], float]:
    """Return what approves one more in copies of the store and the summary, without remem."""
    (folder / "running").mkdir(parents=True)
    names = ("conventions.yaml", "summary.md")
    held = {folder / name: (memory / name).read_bytes() for name in names}
    for path, data in held.items():
        path.write_bytes(data)
    state = sqlite3.connect(folder / "history.db")
    state.execute("PRAGMA journal_mode = WAL")
    state.execute("PRAGMA synchronous = FULL")
    state.execute("CREATE TABLE changes (what TEXT)")
    cases = count(5_000)

    def approve() -> float:
        old = b"Case %d:" % next(cases)
        return seconds(lambda: replace(held, old, old.upper(), state)) * 1_000

    return approve


def test_prompt_and_impact_after_a_keystroke(
    report: Report, thousand: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = opened(thousand, tmp_path / "home")
    # Where the vocabulary lies then: tiktoken would download it otherwise.
    place_vocabulary("o200k_base", session.places.cache, session.disk)
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(session.places.cache))
    entries = [session.library.entry(item.ref) for item in session.queue()]
    changes = [session.plan(session.intend("approve", [entry])) for entry in entries]
    prompt = session.compose(ROLE)
    encode = __import__("tiktoken").get_encoding("o200k_base").encode_ordinary
    turn = iter(changes * report.rounds)

    def look() -> float:
        change = next(turn)
        return 1_000 * seconds(lambda: (session.compose(ROLE), session.impact(change, [ROLE])))

    look()
    looked, encoded = in_turns(
        report.rounds * 3, look, lambda: 1_000 * seconds(lambda: encode(prompt.text))
    )

    report.plain(
        "prompt and impact after a keystroke, 1,000 pieces",
        "≤ 10 ms",
        f"{looked:.1f} ms",
        f"{encoded:.2f} ms: encoding the prompt once",
    )
    assert looked > encoded
