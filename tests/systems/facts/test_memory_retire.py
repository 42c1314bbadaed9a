"""Retiring verified memories: what is proposed, what one decision does, and that it comes back."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.systems.facts.test_fact_problems import NOW, fill

from remem.base.clock import Clock
from remem.base.errors import Conflict, NotPossible
from remem.core.session import Session
from remem.core.settings import Places
from remem.model.change import Intent, RowEdit
from remem.systems.facts import RETIRE
from remem.systems.facts.database.lazy_rows import read_memories
from remem.systems.facts.database.row_records import DATABASE
from remem.systems.facts.fact_verbs import MemoryRetire
from remem.systems.facts.retire import plan_retire

FERRY = "acme/ferry"


def opened(root: Path) -> Session:
    return Session.open(root, Places.of(root / "home"), door="cli", clock=Clock(now=lambda: NOW))


def active(root: Path) -> list[str]:
    return [each.subject for each in read_memories(root / DATABASE).active]


def test_beyond_the_limit_what_served_least_goes(tmp_path: Path) -> None:
    fill(tmp_path, 6, days=100)
    bench = opened(tmp_path)

    change = plan_retire(bench.library, Intent(RETIRE), MemoryRetire(repository=FERRY), limit=3)

    assert [each.partition(":")[0] for each in change.notes] == ["s1", "s2", "s3"]
    assert change.title == "Retire 3 facts"
    bench.close()


def test_what_was_never_used_goes_and_one_undo_brings_it_back(tmp_path: Path) -> None:
    fill(tmp_path, 6, days=100)
    before = [each.row for each in read_memories(tmp_path / DATABASE)]
    bench = opened(tmp_path)

    done = bench.apply(Intent(RETIRE, {}, {"unused": True}))

    assert active(tmp_path) == ["s0"]
    assert done.change.title == "Retire 5 facts"
    assert done.change.notes[0].startswith("s1: f (used never, refreshed 2026-01-24)")
    bench.undo()
    assert [each.row for each in read_memories(tmp_path / DATABASE)] == before
    bench.close()


def test_what_becomes_of_a_row_is_told_in_one_order(tmp_path: Path) -> None:
    fill(tmp_path, 6, days=100)
    bench = opened(tmp_path)

    change = bench.plan(Intent(RETIRE, {}, {"unused": True}))

    rows = [each for each in change.effects if isinstance(each, RowEdit) and each.before]
    assert {tuple(each.after) for each in rows} == {
        ("status", "last_verified_at", "last_verified_by", "citations")
    }
    bench.close()


def test_those_that_are_marked_go_and_no_other(tmp_path: Path) -> None:
    fill(tmp_path, 4, days=1)
    bench = opened(tmp_path)
    chosen = [each for each in bench.library.of_kind("fact") if each.context in {"s1", "s3"}]

    bench.apply(bench.intend(RETIRE, chosen, reason="nobody asked for them"))

    assert active(tmp_path) == ["s0", "s2"]
    with pytest.raises((NotPossible, Conflict)):
        bench.apply(bench.intend(RETIRE, chosen))
    bench.close()


def test_where_nothing_is_too_much_nothing_is_retired(tmp_path: Path) -> None:
    fill(tmp_path, 3, days=1)
    bench = opened(tmp_path)

    with pytest.raises(NotPossible, match="nothing to retire"):
        bench.plan(Intent(RETIRE, {}, {"repository": FERRY}))
    bench.close()


def test_hundreds_are_one_line_of_the_plan_each_way(tmp_path: Path) -> None:
    fill(tmp_path, 40, days=100)
    bench = opened(tmp_path)

    shown = bench.preview(bench.plan(Intent(RETIRE, {}, {"unused": True})))

    assert [each.does.rpartition(", ")[2] for each in shown] == ["39 times", "39 times"]
    bench.close()
