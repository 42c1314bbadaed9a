"""A decision is planned again while it means the same; where it may not, nothing is written."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.retro_files import path_of, retro, rule
from tests.sniper_files import CONVENTIONS
from tests.workspace_files import files, workspace

from remem.base.errors import Conflict, NotPossible, PlanChanged
from remem.core.session import Session
from remem.core.settings import Places
from remem.core.shown_plan import plan_of
from remem.core.waiting.item import Why
from remem.model.change import Intent
from remem.model.entry import Ref

SPACES = "Indent every source file of the service with four spaces"
STORE = b"""conventions:
  - id: conv-001
    rule: "Clocks are passed in"
    status: candidate
  - id: conv-002
    rule: "Queues are drained"
    status: candidate
"""


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "harbour" / ".sniper" / "memory" / "conventions.yaml"
    path.parent.mkdir(parents=True)
    path.write_bytes(STORE)
    return path


@pytest.fixture
def bench(store: Path) -> Session:
    return Session.open(store.parents[2], Places.of(store.parents[3] / "home"), door="cli")


def approve(bench: Session, *names: str) -> Intent:
    return bench.intend("approve", [bench.library.resolve(name) for name in names])


def test_a_comment_between_look_and_commit_does_not_stop_it(store: Path, bench: Session) -> None:
    intent = approve(bench, "conv-001")
    theirs = STORE.replace(b'passed in"\n', b'passed in"   # always\n    evidence: 4 stories\n')
    store.write_bytes(theirs)

    done = bench.apply(intent)

    assert store.read_bytes() == theirs.replace(b"candidate", b"confirmed", 1)
    (before,) = done.change.intent.shown.values()
    assert before not in intent.shown.values()
    bench.undo()
    assert store.read_bytes() == theirs


def test_another_meaning_between_look_and_commit_writes_nothing(
    store: Path, bench: Session
) -> None:
    intent = approve(bench, "conv-001")
    theirs = STORE.replace(b"passed in", b"global")
    store.write_bytes(theirs)

    with pytest.raises(Conflict) as raised:
        bench.apply(intent)

    sides = raised.value.sides
    assert "passed in" in (sides.base or "")
    assert "global" in (sides.theirs or "")
    assert "confirmed" in (sides.yours or "")
    assert store.read_bytes() == theirs
    assert bench.past.changes() == ()


def test_what_was_shown_is_remembered_over_later_snapshots(store: Path, bench: Session) -> None:
    intent = approve(bench, "conv-001")
    bench.seen.note(bench.library, intent.shown)
    for word in (b"global", b"local", b"passed  in"):
        store.write_bytes(STORE.replace(b"passed in", word))
        bench.refresh([store])

    bench.apply(intent)

    assert b"passed  in" in store.read_bytes()
    assert b"confirmed" in store.read_bytes()


def test_one_of_many_that_reads_otherwise_holds_all_of_them_back(
    store: Path, bench: Session
) -> None:
    intent = approve(bench, "conv-001", "conv-002")
    theirs = STORE.replace(b"drained", b"filled")
    store.write_bytes(theirs)

    with pytest.raises(Conflict, match="conv-002"):
        bench.apply(intent)

    assert store.read_bytes() == theirs


def test_what_another_turned_down_where_nothing_was_before_is_not_approved(tmp_path: Path) -> None:
    found = retro(7, new_conventions=[rule("Count every gull"), rule("Whistle at night")])
    files(tmp_path / "shop", {path_of(7): found.decode()})
    places = Places.of(tmp_path / "home")
    mine, theirs = (Session.open(tmp_path / "shop", places, door="cli") for _ in range(2))
    gulls, whistle = mine.queue()
    mine.apply(Intent("approve", {whistle.ref: whistle.digest}))
    before = (tmp_path / "shop" / CONVENTIONS).read_bytes()
    theirs.apply(Intent("reject", {gulls.ref: gulls.digest}, {"reason": "they are countless"}))

    with pytest.raises(NotPossible, match="they are countless"):
        mine.apply(Intent("approve", {gulls.ref: gulls.digest}))

    assert (tmp_path / "shop" / CONVENTIONS).read_bytes() == before


def test_a_yes_to_one_question_is_none_to_the_next_one_about_the_same_entry(
    tmp_path: Path,
) -> None:
    own = {"rule": f"Do not {SPACES.lower()}", "detection_hint": "no empty catch blocks"}
    root = workspace(tmp_path, [SPACES], {"api": [own]}) / "repositories" / "api"
    places = Places.of(tmp_path / "home")
    mine, theirs = (Session.open(root, places, door="cli") for _ in range(2))
    (checked,) = mine.queue()
    theirs.apply(Intent("reject", {checked.ref: checked.digest}, {"reason": "no machine can"}))
    mine.refresh()
    (asked,) = mine.queue()
    before = (root / CONVENTIONS).read_bytes()

    with pytest.raises(NotPossible, match="no longer needs the decision you saw"):
        mine.apply(Intent("approve", {checked.ref: checked.digest}, items=(checked.id,)))

    assert (checked.reason, asked.reason, asked.ref) == (Why.DETECT, Why.OVERRIDE, checked.ref)
    assert (root / CONVENTIONS).read_bytes() == before


def test_a_file_that_went_between_look_and_commit_is_not_made_anew(
    store: Path, bench: Session
) -> None:
    add = Intent("add", {}, {"kind": "convention", "fields": {"rule": "Lamps are green"}})
    shown = plan_of(bench, bench.plan(add))
    store.rename(store.with_name("old.yaml"))

    with pytest.raises(PlanChanged, match="changed after it was shown: it no longer exists"):
        bench.apply(add)
    with pytest.raises(PlanChanged, match="it no longer exists"):
        bench.apply(add, shown)

    assert PlanChanged.exit_code == 3
    assert not store.exists()
    assert not bench.past.changes()
    bench.apply(add)
    assert b"Lamps are green" in store.read_bytes()


def test_a_plan_that_was_shown_may_move_but_not_change(store: Path, bench: Session) -> None:
    second = Intent("remove", {ref_of(bench, "conv-002"): ""})
    shown = plan_of(bench, bench.plan(second))
    store.write_bytes(b"# tidied\n" + STORE.replace(b"passed in", b"passed on"))
    bench.apply(second, shown)
    bench.undo()

    shown = plan_of(bench, bench.plan(second))
    store.write_bytes(STORE.replace(b"are drained", b"are dry"))
    bench.refresh()
    with pytest.raises(PlanChanged, match="other lines would change"):
        bench.apply(second, shown)


def ref_of(bench: Session, name: str) -> Ref:
    return bench.library.resolve(name).ref


def test_the_outcome_of_superseding_an_entry_that_changed_knows_both_of_them(
    store: Path, bench: Session
) -> None:
    stands = STORE.replace(b"candidate", b"confirmed", 1)
    store.write_bytes(stands)
    bench.refresh()
    old, new = (bench.library.resolve(name) for name in ("conv-001", "conv-002"))
    intent = bench.intend("supersede", [new, old])
    intent = replace(intent, arguments={"instead_of": str(old.ref)})
    bench.seen.note(bench.library, intent.shown)
    store.write_bytes(stands.replace(b"are passed in", b"are never passed in"))

    with pytest.raises(Conflict) as raised:
        bench.apply(intent)

    assert raised.value.sides.changed == "its text changed"
    assert not raised.value.sides.blocked
