"""What is told of files that come: by the system whose they are, once, and nothing that went."""

from __future__ import annotations

from pathlib import Path

import pytest

from remem.core.arrivals import Arrival, arrivals, came, stamps_of
from remem.core.session import Session
from remem.core.settings import Places

RETRO = """\
sprint: 3
findings:
  new_conventions:
    - rule: "Migrations run twice without harm"
      confidence: high
      evidence: "4 of 5 stories"
      recommendation: codify
"""


@pytest.fixture
def session(tmp_path: Path) -> Session:
    (tmp_path / "harbour" / ".sniper" / "memory" / "retros").mkdir(parents=True)
    return Session.open(tmp_path / "harbour", Places.of(tmp_path / "home"), door="tui")


def test_a_retro_that_comes_is_told_once_with_what_of_it_waits(session: Session) -> None:
    before = stamps_of(session.library)
    path = session.root / ".sniper" / "memory" / "retros" / "sprint-3-retro.yaml"
    path.write_text(RETRO)
    library = session.refresh([path])

    new = came(before, stamps_of(library))

    assert new == {path}
    assert arrivals(library, new, session.queue()) == (Arrival("sprint-3-retro", "retro", 1, 1),)
    path.unlink()
    assert arrivals(session.refresh([path]), new, session.queue()) == ()


def test_a_retro_that_cannot_be_read_is_told_as_that(session: Session) -> None:
    path = session.root / ".sniper" / "memory" / "retros" / "sprint-4-retro.yaml"
    path.write_text("findings: [\n")
    library = session.refresh([path])

    (told,) = arrivals(library, {path}, session.queue())

    assert told.is_broken
