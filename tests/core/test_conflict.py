"""Does a decision still mean the same after others wrote? Real files, no screen, no command."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remem.base.errors import Conflict
from remem.core.library import Library
from remem.core.session import Session
from remem.core.settings import Places
from remem.core.still_as_shown import (
    KEPT,
    RECORD_KEEPING,
    Seen,
    View,
    difference,
    on_what_stands,
    renewed,
    view_of,
)
from remem.model.change import INTO_SHOWN, Intent, Json
from remem.model.entry import Entry, Ref, Status, WholeFile

STORE = """\
conventions:
  - id: conv-001
    rule: "Queues are drained before a deploy"
    applies_to: [backend-engineer]
  - id: conv-002
    rule: "Clocks are passed in"
    rationale: "Frozen tests"
    applies_to: [backend-engineer, architect]
    scope: project
    status: candidate
    seen: [{ref: sprint-1-retro, date: "2026-01-01"}]
"""
FOUND = """\
sprint: 3
findings:
  new_conventions:
    - rule: "Migrations run twice without harm"
      confidence: high
      evidence: "4 of 5 stories"
      recommendation: codify
"""
HILL = """\
# Hill

## Learnings

- The relay drops packets above forty per second
- Ask the harbour office before a schema change
"""


class Place:
    """A root whose files a test writes as an agent would."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "harbour"
        self.store = self.root / ".sniper" / "memory" / "conventions.yaml"
        self.retro = self.store.parent / "retros" / "sprint-3-retro.yaml"
        self.hill = self.root / ".squad" / "agents" / "hill" / "history.md"
        for path, text in ((self.store, STORE), (self.retro, FOUND), (self.hill, HILL)):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        self.bench = Session.open(self.root, Places.of(folder / "home"), door="cli")

    @property
    def library(self) -> Library:
        return self.bench.library

    def intent(self, name: str, verb: str = "approve", **arguments: Json) -> Intent:
        intent = self.bench.intend(verb, [self.library.resolve(name)], **arguments)
        self.bench.seen.note(self.library, intent.shown)
        return intent

    def becomes(self, path: Path, text: str) -> Library:
        path.write_text(text)
        return self.bench.refresh([path])

    def clash(self, intent: Intent) -> Conflict:
        with pytest.raises(Conflict) as raised:
            renewed(self.library, intent, self.bench.seen.view)
        return raised.value


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def view(is_now: Status = Status.CANDIDATE, kind: str = "convention", **fields: Json) -> View:
    return holding(fields, is_now, kind)


def holding(
    fields: Mapping[str, Json], status: Status = Status.CANDIDATE, kind: str = "convention"
) -> View:
    held: dict[str, Json] = {"rule": "Clocks are passed in", **fields}
    listed = held.get("applies_to")
    roles = tuple(str(role) for role in listed) if isinstance(listed, list) else None
    at = WholeFile(Path("c.yaml"))
    entry = Entry(Ref("sniper", "c"), kind, str(held["rule"]), status, at, "0", roles)
    return View(entry, held, "")


@pytest.mark.parametrize(
    ("now", "said"),
    [
        pytest.param(view(), "", id="nothing"),
        pytest.param(view(rule="Clocks  are\n passed in "), "", id="white space"),
        pytest.param(view(seen=[{"ref": "sprint-2"}]), "", id="met again"),
        pytest.param(view(evidence="9 of 9", updated_at="2026-05-05"), "", id="record keeping"),
        pytest.param(view(rationale=None, examples={}), "", id="empty fields"),
        pytest.param(view(rule="Clocks are global"), "its text changed", id="text"),
        pytest.param(view(Status.ACTIVE), "its status is now active", id="status"),
        pytest.param(
            view(Status.ACTIVE, status="confirmed"),
            "its status is now confirmed",
            id="the format's word",
        ),
        pytest.param(view(kind="decision"), "it is now `decision`", id="kind"),
        pytest.param(view(applies_to=["qa"]), "it is now for qa", id="roles"),
        pytest.param(view(scope="workspace"), "its scope is now workspace", id="scope"),
        pytest.param(view(severity="high"), "its severity is now high", id="severity"),
        pytest.param(view(rationale="Obey me"), "its `rationale` changed", id="what it rests on"),
        pytest.param(view(unheard_of="x"), "its `unheard_of` changed", id="unknown field"),
        pytest.param(
            view(Status.ACTIVE, rule="Clocks are global", severity="low"),
            "its text changed, its status is now active and its severity is now low",
            id="several",
        ),
    ],
)
def test_only_what_a_verb_judges_is_a_difference(now: View, said: str) -> None:
    assert difference(view(), now, Intent("approve")) == said


def test_roles_in_another_order_are_the_same_roles() -> None:
    before, now = view(applies_to=["a", "b"]), view(applies_to=["b", "a"])

    assert difference(before, now, Intent("approve")) == ""
    assert difference(before, view(), Intent("approve")) == "it is now for everyone"


@pytest.mark.parametrize(
    ("edited", "said"),
    [("evidence", "its `evidence` changed"), ("source.ref", ""), ("rationale", "")],
)
def test_a_field_that_an_edit_sets_counts_even_if_it_is_kept_for_the_record(
    edited: str, said: str
) -> None:
    intent = Intent("edit", {}, {"fields": {edited: "mine"}})

    assert difference(view(), view(evidence="theirs"), intent) == said


NAMES = st.sampled_from([*sorted(RECORD_KEEPING), "rationale", "examples", "odd"])
WORDS = st.sampled_from(["a", "a ", "a  b", "a\nb", "", "界"])


@settings(max_examples=80)
@given(old=st.dictionaries(NAMES, WORDS), new=st.dictionaries(NAMES, WORDS))
def test_what_differs_is_what_counts_whichever_way_and_order(
    old: dict[str, Json], new: dict[str, Json]
) -> None:
    intent = Intent("approve")

    there = difference(holding(old), holding(new), intent)
    back = difference(holding(new), holding(old), intent)

    def counting(fields: dict[str, Json]) -> dict[str, str]:
        flat = {name: " ".join(str(text).split()) for name, text in fields.items()}
        return {name: text for name, text in flat.items() if text and name not in RECORD_KEEPING}

    assert bool(there) == (counting(old) != counting(new))
    assert bool(there) == bool(back)
    turned = dict(reversed(new.items()))
    assert bool(difference(holding(old), holding(turned), intent)) == bool(there)


def test_a_comment_and_turned_keys_are_decided_on_with_the_newest_digest(place: Place) -> None:
    intent = place.intent("conv-002")
    turned = STORE.replace("    scope: project\n    status: candidate\n", "").replace(
        '    rationale: "Frozen tests"\n',
        "    status: candidate   # soon\n    scope: project\n    rationale: 'Frozen tests'\n",
    )
    library = place.becomes(place.store, turned)

    again = renewed(library, intent, place.bench.seen.view)

    (ref,) = intent.shown
    assert again.shown == {ref: library.entry(ref).digest}
    assert again.shown != intent.shown


def test_a_conflict_carries_the_text_shown_theirs_and_what_the_decision_would_write(
    place: Place,
) -> None:
    intent = place.intent("conv-002")
    place.becomes(place.store, STORE.replace("passed in", "global"))

    sides = place.clash(intent).sides

    assert sides.changed == "its text changed"
    assert "Clocks are passed in" in (sides.base or "")
    assert "Clocks are global" in (sides.theirs or "")
    assert "candidate" in (sides.theirs or "")
    assert "Clocks are global" in (sides.yours or "")
    assert "confirmed" in (sides.yours or "")
    assert sides.blocked == ""


def test_an_edit_is_shown_on_their_text(place: Place) -> None:
    intent = place.intent("conv-002", "edit", fields={"rationale": "mine"})
    place.becomes(place.store, STORE.replace("passed in", "global"))

    yours = place.clash(intent).sides.yours or ""

    assert "Clocks are global" in yours
    assert "mine" in yours


def test_what_is_taken_away_leaves_no_text_of_yours(place: Place) -> None:
    intent = place.intent("conv-002", "remove")
    place.becomes(place.store, STORE.replace("passed in", "global"))

    sides = place.clash(intent).sides

    assert (sides.yours, sides.blocked) == (None, "")


def test_a_decision_that_another_took_is_blocked_with_the_reason(place: Place) -> None:
    intent = place.intent("conv-002", "reject")
    place.becomes(place.store, STORE.replace("status: candidate", "status: confirmed"))

    sides = place.clash(intent).sides

    assert sides.changed == "its status is now confirmed"
    assert "does not wait" in sides.blocked


def test_what_another_approved_is_asked_about_and_approving_it_too_is_no_mistake(
    place: Place,
) -> None:
    intent = place.intent("conv-002")
    place.becomes(place.store, STORE.replace("status: candidate", "status: confirmed"))

    sides = place.clash(intent).sides

    assert (sides.changed, sides.blocked) == ("its status is now confirmed", "")


def test_an_entry_that_is_gone_is_a_conflict_that_keeps_what_was_typed(place: Place) -> None:
    intent = place.intent("conv-002", "edit", fields={"rationale": "mine"})
    place.becomes(place.store, STORE[: STORE.index("  - id: conv-002")])

    sides = place.clash(intent).sides

    assert sides.changed == "it is gone"
    assert (sides.now, sides.theirs) == ("", None)
    assert sides.yours == "rationale: mine\n"


def test_a_file_that_no_longer_reads_is_said_so(place: Place) -> None:
    intent = place.intent("conv-002")
    place.becomes(place.store, "conventions:\n  - id: [\n")

    assert place.clash(intent).sides.changed == "its file can no longer be read"


def test_what_nobody_kept_is_a_conflict_without_a_base(place: Place) -> None:
    (ref,) = place.intent("conv-002").shown

    sides = place.clash(Intent("approve", {ref: "0" * 32})).sides

    assert sides.changed == "it differs from what was shown"
    assert sides.base is None
    assert sides.theirs is not None


def test_a_finding_that_moved_down_is_still_the_one_that_was_decided_on(place: Place) -> None:
    ref = next(entry.ref for entry in place.library.of_kind("finding"))
    intent = place.bench.intend("approve", [place.library.entry(ref)])
    place.bench.seen.note(place.library, intent.shown)
    above = '  new_conventions:\n    - rule: "Another came first"\n      confidence: high\n'
    library = place.becomes(place.retro, FOUND.replace("  new_conventions:\n", above))

    (moved,) = renewed(library, intent, place.bench.seen.view).shown

    assert moved != ref
    assert library.entry(moved).title == "Migrations run twice without harm"
    assert library.entry(ref).title == "Another came first"


def test_more_evidence_on_a_finding_is_no_conflict(place: Place) -> None:
    entry = next(iter(place.library.of_kind("finding")))
    intent = place.bench.intend("approve", [entry])
    place.bench.seen.note(place.library, intent.shown)
    library = place.becomes(place.retro, FOUND.replace("4 of 5", "5 of 5"))

    again = renewed(library, intent, place.bench.seen.view)

    assert again.shown == {entry.ref: library.entry(entry.ref).digest}


def test_a_lesson_whose_text_makes_its_ref_is_found_again_by_what_it_says(place: Place) -> None:
    lesson = next(entry for entry in place.library.of_kind("lesson") if "relay" in entry.title)
    intent = place.bench.intend("remove", [lesson])
    place.bench.seen.note(place.library, intent.shown)
    place.becomes(place.hill, HILL.replace("forty", "fifty"))

    sides = place.clash(intent).sides

    assert sides.changed == "its text changed"
    assert "fifty" in (sides.theirs or "")
    assert list(on_what_stands(intent, sides).shown) == [Ref.parse(sides.now)]


def test_the_entry_that_takes_a_merge_in_is_bound_too(place: Place) -> None:
    into = place.library.resolve("conv-001")
    pins: dict[str, Json] = {"into": str(into.ref), INTO_SHOWN: into.digest}
    intent = place.intent("conv-002", "merge", **pins)
    place.bench.seen.note(place.library, {into.ref: into.digest})
    library = place.becomes(place.store, STORE.replace("drained", "filled"))

    sides = place.clash(intent).sides

    assert sides.ref == str(into.ref)
    assert "architect" in (sides.yours or "")
    on_now = on_what_stands(intent, sides)
    assert renewed(library, on_now, place.bench.seen.view) == on_now


def test_without_a_digest_nothing_is_bound(place: Place) -> None:
    intent = Intent("approve", {Ref("sniper", "conv-777", "harbour"): ""})

    assert renewed(place.library, intent, place.bench.seen.view) == intent


def test_only_the_latest_that_were_shown_are_kept(place: Place) -> None:
    seen = Seen()
    rules = "".join(f"  - id: conv-{n:04}\n    rule: Rule {n}\n" for n in range(KEPT + 5))
    library = place.becomes(place.store, f"conventions:\n{rules}")
    entries = list(library.of_kind("convention"))

    for entry in entries:
        seen.note(library, {entry.ref: entry.digest})

    assert seen.view(entries[0].ref, entries[0].digest) is None
    assert seen.view(entries[-1].ref, entries[-1].digest) == view_of(library, entries[-1])
