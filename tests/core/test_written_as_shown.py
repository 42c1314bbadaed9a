"""What is written after a look at its plan has the names that the plan had."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

from tests.demo_files import demo_at

from remem.base.clock import Clock
from remem.core.session import Session
from remem.core.settings import Places
from remem.core.shown_plan import plan_of
from remem.demo.build import home_of
from remem.model.change import Change, Intent, Move

ARCHIVE = Intent("persona.archive", {}, {"persona": "Ines"})


def opened(tmp_path: Path) -> Session:
    """Open the demo with a clock on which a second goes by between two looks."""
    begins, seconds, numbers = datetime(2026, 5, 4, 9, 30, tzinfo=UTC), count(), count(1)
    clock = Clock(
        lambda: begins + timedelta(seconds=next(seconds)), lambda: f"{next(numbers):016x}"
    )
    root = demo_at(tmp_path / "demo")
    return Session.open(root, Places.of(home_of(root)), door="tui", clock=clock)


def targets(change: Change) -> list[Path]:
    return [each.target for each in change.effects if isinstance(each, Move)]


def test_an_archive_gets_the_folder_that_its_plan_named(tmp_path: Path) -> None:
    with closing(opened(tmp_path)) as session:
        plan = session.plan(ARCHIVE, session.clock.now())

        done = session.apply(ARCHIVE, plan_of(session, plan)).change

        assert targets(done) == targets(plan)
        assert done.title == plan.title
        assert all(path.exists() for path in targets(plan))


def test_where_that_name_was_taken_meanwhile_it_gets_another_one(tmp_path: Path) -> None:
    with closing(opened(tmp_path)) as session:
        plan = session.plan(ARCHIVE, session.clock.now())
        (taken,) = targets(plan)
        taken.mkdir()

        done = session.apply(ARCHIVE, plan_of(session, plan)).change

        assert [*taken.iterdir()] == []
        assert not set(targets(done)) & set(targets(plan))
