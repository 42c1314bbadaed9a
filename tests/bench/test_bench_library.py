"""What deciding and composing cost once everything is open, against the bare work they stand on."""

import os
from pathlib import Path

import pytest
from tests.bench.measure import Report, in_turns, seconds
from tests.bench.workspaces import project

from remem.core.session import Session
from remem.core.settings import Places
from remem.model.prompt import Ask

ROLE = Ask(role="backend-engineer")


def opened(root: Path, home: Path) -> Session:
    """Return a session whose library is parsed and whose tokenizer is loaded."""
    session = Session.open(root, Places.of(home), door="cli")
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
    root = project(tmp_path / "project", 10_000, candidates=2)
    session = opened(root, tmp_path / "home")
    first, item, *_ = session.queue()
    memory = root / ".sniper" / "memory"

    def approve() -> float:
        entry = session.library.entry(item.ref)
        intent = session.intend("approve", [entry])
        taken = seconds(lambda: session.apply(intent))
        session.undo()
        return taken * 1_000

    # Makes the journal, and the summary that all later ones differ from in a few lines.
    session.apply(session.intend("approve", [session.library.entry(first.ref)]))
    approve()
    store = (memory / "conventions.yaml").read_bytes()
    summary = (memory / "summary.md").read_bytes()

    def write() -> float:
        def both() -> None:
            write_durably(tmp_path / "store", store)
            write_durably(tmp_path / "summary", summary)

        return seconds(both) * 1_000

    approved, written = in_turns(report.rounds, approve, write)

    ratio = report.ratio(
        "approve one among 10,000, durable",
        "≤ 2 ×",
        approved,
        written,
        "write + fsync of store and summary",
    )
    assert ratio > 0.1


def test_prompt_and_impact_after_a_keystroke(
    report: Report, thousand: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = opened(thousand, tmp_path / "home")
    # Where the vocabulary lies by now: tiktoken would download it otherwise.
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
