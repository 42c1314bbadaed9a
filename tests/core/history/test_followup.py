"""A decision that another writer takes back is told of, and nothing that still stands is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.sniper_files import (
    ANTI_PATTERNS,
    CONVENTIONS,
    DECISIONS,
    RETRO,
    carry_out,
    open_shop,
    project,
)

from remem.base.errors import ChangedOnDisk
from remem.core.history.followup import Checked, reverted
from remem.core.library import Library
from remem.core.verbs.verbs import APPROVE, ARCHIVE, REJECT, plan
from remem.core.waiting.item import Why
from remem.core.waiting.queue import find_item, queue
from remem.model.change import Intent, Json
from remem.model.done_by_others import Aside, Reverted, intent_again
from remem.model.entry import Ref, Status
from remem.store.history.journal_records import Logged, Origin

NOW = datetime(2026, 5, 5, 9, 30, tzinfo=UTC)
SPRINT_7 = """\
sprint: 7
date: "2026-05-04"
findings:
  new_conventions:
    - rule: "Clocks are passed in"
      confidence: high
      recommendation: codify
"""
STORES: dict[str, str | bytes] = {
    CONVENTIONS: """\
conventions:
  - {id: conv-001, rule: "Log JSON", applies_to: [qa]}
  - id: conv-002
    rule: "Names are verbs"
    status: candidate
  - {id: conv-003, rule: "Every lamp has a switch", status: candidate}
  - {id: conv-004, rule: "Clocks come from outside", status: candidate}
""",
    ANTI_PATTERNS: "anti_patterns: []\n",
    DECISIONS: "decisions:\n  - {id: dec-001, title: Datastore, decision: PostgreSQL}\n",
    RETRO: SPRINT_7,
    ".squad/team.md": "# Team\n\n## Members\n\n| Name | Role |\n|---|---|\n| Hill | Tester |\n",
    ".squad/agents/hill/charter.md": "# Hill — Tester\n",
    ".squad/agents/hill/history.md": (
        "# Hill — History\n\n## Learnings\n\n### 2026-05-01\n\n- Ports are counted\n- Bells ring\n"
    ),
}
FINDING = "sniper:sprint-7-retro/new_conventions/1"


class Desk:
    """A person who decides, another writer, and the changes that stand."""

    def __init__(self, tmp_path: Path) -> None:
        self.library = project(tmp_path, STORES)
        self.standing: list[Logged] = []
        self.written = NOW + timedelta(minutes=5)
        self.checked: Checked | None = None

    def decides(self, verb: str, *names: str, **arguments: Json) -> Desk:
        shown = {entry.ref: entry.digest for entry in map(self.library.resolve, names)}
        return self.carries_out(Intent(verb, shown, arguments))

    def carries_out(self, intent: Intent) -> Desk:
        change = plan(self.library, intent)
        self.library = carry_out(self.library, change)
        number = f"{len(self.standing):032x}"
        time = NOW + timedelta(seconds=len(self.standing))
        logged = Logged.of(change, number, time, Origin(self.library.ground.root))
        self.standing.insert(0, logged)
        return self

    def file(self, name: str) -> Path:
        return self.library.ground.root / name

    def writes(self, name: str, data: bytes) -> Desk:
        self.file(name).write_bytes(data)
        self.library = self.library.refresh()
        return self

    def check(self) -> tuple[Reverted, ...]:
        self.checked = reverted(
            self.library,
            self.standing,
            mtime=lambda path: self.written.timestamp(),
            checked=self.checked,
        )
        self.library = self.library.with_aside(Aside(self.checked.reverted))
        return self.checked.reverted

    def status(self, name: str) -> Status:
        return self.library.resolve(name).status


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def decisions() -> Sequence[tuple[str, Callable[[Desk], Desk]]]:
    """Return what a person may decide, and the file that another writer then puts back."""
    hill = ".squad/agents/hill/history.md"

    def lesson(desk: Desk) -> str:
        return next(str(e.ref) for e in desk.library.entries() if e.title == "Bells ring")

    return (
        (CONVENTIONS, lambda d: d.decides("approve", "conv-002")),
        (CONVENTIONS, lambda d: d.decides("approve", "conv-002", "conv-003")),
        (CONVENTIONS, lambda d: d.decides("promote", "conv-003")),
        (CONVENTIONS, lambda d: d.decides("reject", "conv-003")),
        (CONVENTIONS, lambda d: d.decides("approve", FINDING)),
        (CONVENTIONS, lambda d: d.decides("keep", FINDING)),
        (CONVENTIONS, lambda d: d.decides("merge", FINDING, into="conv-004")),
        (CONVENTIONS, lambda d: d.decides("merge", "conv-002", into="conv-003")),
        (CONVENTIONS, lambda d: d.decides("merge", "conv-003", into="conv-002")),
        (CONVENTIONS, lambda d: d.decides("edit", "conv-001", fields={"rule": "JSON lines"})),
        (CONVENTIONS, lambda d: d.decides("remove", "conv-001")),
        (CONVENTIONS, lambda d: d.carries_out(
            Intent("add", arguments={"kind": "convention", "text": "Tea is hot", "fields": {}})
        )),
        (DECISIONS, lambda d: d.decides("archive", "dec-001")),
        (hill, lambda d: d.decides("edit", lesson(d), fields={"text": "Bells are rung"})),
        (hill, lambda d: d.decides("remove", lesson(d))),
    )  # fmt: skip


@pytest.mark.parametrize("number", range(len(decisions())))
def test_what_a_stale_writer_puts_back_is_told_and_one_key_does_it_again(
    desk: Desk, number: int
) -> None:
    name, decide = decisions()[number]
    before = desk.file(name).read_bytes()
    decide(desk)
    decided = desk.file(name).read_bytes()
    assert desk.check() == ()

    desk.writes(name, before)
    found = desk.check()

    logged = desk.standing[0]
    assert {each.change for each in found} == {logged.id}
    assert not any(each.early for each in found)
    assert {each.path for each in found} == {desk.file(name)}
    desk.carries_out(intent_again(found))
    assert desk.file(name).read_bytes() == decided
    assert desk.check() == ()


def test_a_rejected_finding_is_told_when_the_list_of_rejections_is_put_back(desk: Desk) -> None:
    desk.decides("reject", "conv-003")
    before = desk.file(".remem/rejected.yaml").read_bytes()
    desk.decides("reject", FINDING)
    assert desk.check() == ()

    desk.writes(".remem/rejected.yaml", before)
    found = desk.check()

    assert [each.ref.id for each in found] == ["sprint-7-retro/new_conventions/1"]
    assert found[0].path == desk.file(".remem/rejected.yaml")


def test_what_was_written_within_two_seconds_of_the_commit_is_early(desk: Desk) -> None:
    before = desk.file(CONVENTIONS).read_bytes()
    desk.decides("approve", "conv-002").writes(CONVENTIONS, before)
    desk.written = NOW + timedelta(seconds=2)

    (found,) = desk.check()

    assert found.early


def test_an_edit_on_top_of_a_decision_is_nobodys_revert(desk: Desk) -> None:
    desk.decides("approve", "conv-002")
    text = desk.file(CONVENTIONS).read_bytes().replace(b"Names are verbs", b"Verbs are names")

    desk.writes(CONVENTIONS, text)

    assert desk.check() == ()


def test_a_decision_that_took_another_one_back_stands_for_both(desk: Desk) -> None:
    desk.decides("archive", "dec-001").decides("restore", "dec-001")

    found = desk.check()

    assert found == ()


def test_of_two_decisions_that_are_reverted_together_the_older_comes_first(desk: Desk) -> None:
    before = desk.file(CONVENTIONS).read_bytes()
    desk.decides("approve", "conv-002")
    desk.decides("edit", "conv-002", fields={"rule": "Names say what is done"})
    decided = desk.file(CONVENTIONS).read_bytes()
    desk.writes(CONVENTIONS, before)

    first = desk.check()
    desk.writes(CONVENTIONS, desk.file(CONVENTIONS).read_bytes())
    approve = plan(desk.library, intent_again(first))
    desk.library = carry_out(desk.library, approve)
    second = desk.check()
    desk.library = carry_out(desk.library, plan(desk.library, intent_again(second)))

    assert [each.intent.verb for each in (*first, *second)] == ["approve", "edit"]
    assert desk.file(CONVENTIONS).read_bytes() == decided
    assert desk.check() == ()


@pytest.mark.parametrize(
    "data", [b"", b"conventions: [\n", b"  \n"], ids=["empty", "torn", "blank"]
)
def test_a_file_that_says_nothing_reverts_nothing(desk: Desk, data: bytes) -> None:
    desk.decides("approve", FINDING).decides("approve", "conv-002")

    desk.writes(CONVENTIONS, data)

    assert desk.check() == ()


def test_an_entry_that_another_one_took_the_id_of_at_once_was_reverted(desk: Desk) -> None:
    before = desk.file(CONVENTIONS).read_bytes()
    desk.decides("approve", FINDING)
    theirs = before + b"  - {id: conv-005, rule: Bridges are closed at night}\n"

    desk.writes(CONVENTIONS, theirs)
    late = desk.check()
    desk.checked, desk.written = None, NOW + timedelta(seconds=1)
    early = desk.check()

    assert late == ()
    assert [each.early for each in early] == [True]


def test_a_check_looks_only_at_places_that_changed_and_keeps_what_it_found(desk: Desk) -> None:
    before = desk.file(CONVENTIONS).read_bytes()
    desk.decides("approve", "conv-002").writes(CONVENTIONS, before)
    first = desk.check()

    desk.writes(".squad/agents/hill/history.md", b"# Hill\n\n- Bells ring\n")
    again_checked = desk.check()
    desk.standing.clear()

    assert again_checked == first != ()
    assert desk.check() == ()


def test_a_reverted_approval_is_one_item_under_the_reason_that_it_was_reverted(desk: Desk) -> None:
    before = desk.file(CONVENTIONS).read_bytes()
    desk.decides("approve", "conv-002").writes(CONVENTIONS, before).check()

    items = [item for item in queue(desk.library) if item.ref.id == "conv-002"]

    assert [item.reason for item in items] == [Why.REVERTED]
    assert items[0].why.startswith("reverted by another program: `Approve sniper:conv-002` of ")
    assert (items[0].suggested, "edit" in items[0].verbs) == ("approve", True)
    assert find_item(desk.library, items[0].id) == items[0]


def test_approving_a_reverted_archiving_archives_again(desk: Desk) -> None:
    before = desk.file(DECISIONS).read_bytes()
    desk.decides("archive", "dec-001").writes(DECISIONS, before).check()
    (item,) = [item for item in queue(desk.library) if item.reason is Why.REVERTED]

    blocked = APPROVE.why_not(desk.library, item)
    desk.carries_out(Intent("approve", {item.ref: item.digest}))

    assert blocked is None
    assert desk.standing[0].intent.verb == ARCHIVE.id
    assert desk.status("dec-001") is Status.ARCHIVED
    assert desk.check() == ()


def test_rejecting_a_reverted_archiving_leaves_the_entry_and_is_kept(desk: Desk) -> None:
    before = desk.file(DECISIONS).read_bytes()
    desk.decides("archive", "dec-001").writes(DECISIONS, before).check()
    (item,) = [item for item in queue(desk.library) if item.reason is Why.REVERTED]

    blocked = REJECT.why_not(desk.library, item)
    desk.carries_out(Intent("reject", {item.ref: item.digest}, {"reason": "still in use"}))

    assert blocked is None
    assert desk.file(DECISIONS).read_bytes() == before
    assert b"still in use" in desk.file(".remem/rejected.yaml").read_bytes()
    assert desk.check() == ()
    assert desk.standing[0].title == "Leave sniper:dec-001 as it is"


def test_an_added_entry_that_was_reverted_waits_although_nothing_has_its_ref(desk: Desk) -> None:
    before = desk.file(CONVENTIONS).read_bytes()
    add = Intent("add", arguments={"kind": "convention", "text": "Tea is hot", "fields": {}})
    desk.carries_out(add).writes(CONVENTIONS, before).check()

    (item,) = [item for item in queue(desk.library) if item.reason is Why.REVERTED]
    desk.carries_out(Intent("approve", {item.ref: item.digest}))

    assert (item.title, item.kind, item.digest) == ("Tea is hot", "convention", "")
    assert desk.library.resolve("conv-005").title == "Tea is hot"


def test_a_candidate_whose_rejection_was_reverted_is_approved_as_any_other(desk: Desk) -> None:
    before = desk.file(CONVENTIONS).read_bytes()
    desk.decides("reject", "conv-003").writes(CONVENTIONS, before).check()
    (item,) = [item for item in queue(desk.library) if item.reason is Why.REVERTED]

    desk.carries_out(Intent("approve", {item.ref: item.digest}))

    assert item.suggested == "reject"
    assert desk.status("conv-003") is Status.ACTIVE


def test_a_reverted_decision_is_not_done_again_on_an_entry_that_changed_since(desk: Desk) -> None:
    before = desk.file(DECISIONS).read_bytes()
    desk.decides("archive", "dec-001").writes(DECISIONS, before).check()
    (item,) = [item for item in queue(desk.library) if item.reason is Why.REVERTED]

    desk.writes(DECISIONS, before.replace(b"PostgreSQL", b"SQLite"))

    with pytest.raises(ChangedOnDisk):
        plan(desk.library, Intent("approve", {item.ref: item.digest}))


def test_reverted_decisions_of_different_kinds_are_made_again_as_one_change(desk: Desk) -> None:
    stores = [desk.file(name).read_bytes() for name in (DECISIONS, CONVENTIONS)]
    desk.decides("archive", "dec-001").decides("remove", "conv-001")
    decided = [desk.file(name).read_bytes() for name in (DECISIONS, CONVENTIONS)]
    desk.writes(DECISIONS, stores[0]).writes(CONVENTIONS, stores[1])
    found = desk.check()
    shown = {each.ref: "" for each in found}

    change = plan(desk.library, Intent("approve", shown))

    after = desk.library.preview(change.effects).shown
    assert len(shown) == 2
    assert [after[desk.library.ground.root / name] for name in (DECISIONS, CONVENTIONS)] == decided
    candidate = desk.library.resolve("conv-002").ref
    mixed = plan(desk.library, Intent("approve", {**shown, candidate: ""}))
    assert desk.library.preview(mixed.effects).entry(candidate).status is Status.ACTIVE


def test_five_hundred_changes_among_ten_thousand_entries_are_checked_without_parsing_them(
    tmp_path: Path,
) -> None:
    many = 10_000
    items = "".join(f'  - {{id: conv-{n:05}, rule: "Rule {n}"}}\n' for n in range(many))
    library = project(tmp_path, {CONVENTIONS: f"conventions:\n{items}"})
    place, root = library.ground.project, library.ground.root
    refs = [Ref("sniper", f"conv-{n * 20:05}", place) for n in range(500)]
    intents = [Intent("edit", {ref: "0" * 32}, {"fields": {"rule": "x"}}) for ref in refs]
    standing = [
        Logged(f"{n:032x}", NOW, Origin(root), "Edit", intent, touched={ref: ref})
        for n, (ref, intent) in enumerate(zip(refs, intents, strict=True))
    ]
    (source,) = (s for s in library.sources if s.part == "conventions")

    checked = reverted(library, standing, mtime=lambda path: None)

    known = getattr(source.entries, "known")  # noqa: B009
    assert sum(known(n) is not None for n in range(many)) == 500
    assert checked.reverted == ()


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from(["approve", "reject", "edit", "remove"]), min_size=1, max_size=3))
def test_whatever_was_decided_on_different_entries_all_of_it_is_told_or_stands(
    tmp_path_factory: pytest.TempPathFactory, verbs: list[str]
) -> None:
    desk = Desk(tmp_path_factory.mktemp("shop"))
    before = desk.file(CONVENTIONS).read_bytes()
    names = ["conv-002", "conv-003", "conv-004"]
    for verb, name in zip(verbs, names, strict=False):
        arguments: dict[str, Json] = {"fields": {"rule": f"New {name}"}} if verb == "edit" else {}
        desk.decides(verb, name, **arguments)
    decided = desk.file(CONVENTIONS).read_bytes()
    stood = desk.check()
    desk.writes(CONVENTIONS, before)

    for each in desk.check():
        desk.library = carry_out(desk.library, plan(desk.library, each.intent))

    assert stood == ()
    assert desk.file(CONVENTIONS).read_bytes() == decided
    assert reverted(desk.library, desk.standing, mtime=lambda path: None).reverted == ()


def test_what_stands_beside_memory_stays_over_a_refresh_and_tells_snapshots_apart(
    desk: Desk, tmp_path: Path
) -> None:
    aside = Aside(reverted=())
    before = desk.file(CONVENTIONS).read_bytes()
    desk.decides("approve", "conv-002").writes(CONVENTIONS, before).check()

    kept = desk.library.refresh()
    other: Library = kept.with_aside(aside)

    assert kept.aside == desk.library.aside != aside
    assert other.number > kept.number
    assert other.with_aside(replace(aside)) is other
    assert open_shop(tmp_path).aside == aside
