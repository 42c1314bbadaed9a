"""A plan names a derived file, as a summary is, only where its bytes would be others."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.demo_files import demo_at

from remem.core import derived_files
from remem.core.session import Session
from remem.core.settings import Places
from remem.demo.build import home_of
from remem.model.change import Change
from remem.views.plan import plan_in_turn

SUMMARY = ".sniper/memory/summary.md"


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    root = demo_at(tmp_path / "demo")
    session = Session.open(root, Places.of(home_of(root)), door="tui")
    yield session
    session.close()


def planned(session: Session, verb: str, title: str, **arguments: str) -> Change:
    item = next(each for each in session.queue() if each.title.startswith(title))
    return session.plan(session.intend(verb, [session.library.entry(item.ref)], **arguments))


def merge(session: Session) -> Change:
    into = str(session.library.resolve("conv-014").ref)
    return planned(session, "merge", "Tests of a timetable name", into=into)


def names(session: Session, change: Change) -> list[str]:
    return [session.library.ground.shown(each.path) for each in session.preview(change)]


def test_a_merge_that_leaves_the_summary_as_it_stands_does_not_name_it(session: Session) -> None:
    before = (session.root / SUMMARY).read_bytes()
    change = merge(session)

    named = names(session, change)
    session.apply(change.intent)

    assert named == [".sniper/memory/conventions.yaml"]
    assert (session.root / SUMMARY).read_bytes() == before


def test_a_summary_that_is_too_long_to_be_rendered_for_a_look_is_named(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = (session.root / SUMMARY).stat().st_size
    change = merge(session)

    monkeypatch.setattr(derived_files, "_MOST", size)
    assert names(session, change) == [".sniper/memory/conventions.yaml"]
    monkeypatch.setattr(derived_files, "_MOST", size - 1)
    assert names(session, change) == [".sniper/memory/conventions.yaml", SUMMARY]


def test_what_changes_the_summary_names_it(session: Session) -> None:
    change = planned(session, "approve", "Slices end at something")

    assert names(session, change) == [".sniper/memory/conventions.yaml", SUMMARY]


def test_a_summary_that_is_out_of_date_or_missing_is_named(session: Session) -> None:
    summary = session.root / SUMMARY
    current = summary.read_bytes()
    summary.write_bytes(current + b"- and a line of before\n")
    session.refresh()
    assert names(session, merge(session)) == [".sniper/memory/conventions.yaml", SUMMARY]

    summary.unlink()
    session.refresh()
    assert names(session, merge(session)) == [".sniper/memory/conventions.yaml", SUMMARY]


def test_a_summary_that_somebody_wrote_themselves_is_left_alone_and_not_named(
    session: Session,
) -> None:
    (session.root / SUMMARY).write_bytes(b"# What we know\n")
    session.refresh()

    change = planned(session, "approve", "Slices end at something")

    assert names(session, change) == [".sniper/memory/conventions.yaml"]


def test_plans_that_follow_each_other_do_not_name_it_either(session: Session) -> None:
    lines, _ = plan_in_turn(session, [merge(session).intent], reaches=False)

    assert not [line.text for line in lines if "summary.md" in line.text]
