"""A retro as a person looks at it: states, comparison with another one, and what it did."""

from __future__ import annotations

from pathlib import Path

from tests.retro_files import decided, ingested, mistake, path_of, retro, rule
from tests.sniper_files import CONVENTIONS, project, write

from remem.base.clock import Clock
from remem.core.session import Session
from remem.core.settings import Places
from remem.core.waiting.kinds import decided as decided_on
from remem.core.waiting.queue import queue
from remem.model.change import Intent
from remem.systems.sniper.retro.retro_diff import retro_diff
from remem.systems.sniper.retro.retro_ingest import judge, retro_at
from remem.systems.sniper.retro.retro_view import retro_effect, why_not

RULE = "Every queue consumer is idempotent"


def test_every_finding_says_what_became_of_it(tmp_path: Path) -> None:
    store = 'conventions:\n  - {id: conv-001, rule: "Names are verbs"}\n'
    found = [
        rule(RULE),
        rule("Ports are slow", "medium"),
        rule("Names are verbs"),
        rule("Boards show their age", "high", "monitor"),
        rule("Branches have ships' names", "high", "ignore"),
        rule("Files end in a banner", "medium"),
        rule("Name is verbs"),
    ]
    files: dict[str, str | bytes] = {
        CONVENTIONS: store,
        path_of(5): retro(5, new_conventions=found[:-1]),
    }
    library = ingested(project(tmp_path, files), 5)
    banner = next(e for e in library.of_kind("convention") if "banner" in e.title)
    library = decided(library, "reject", banner, reason="no")

    findings = judge(library, retro_at(library, path_of(5)))
    became = [(decided_on(library, each.entry), each.fate) for each in findings]

    assert [fate if found is None else found.short(library) for found, fate in became] == [
        "confirmed sniper:conv-002",
        "kept sniper:conv-003",
        "known sniper:conv-001",
        "watched",
        "ignored",
        "rejected",
    ]


def test_two_retros_differ_in_what_recurs_is_new_went_and_got_worse(tmp_path: Path) -> None:
    before = retro(
        4,
        new_conventions=[rule(RULE, "high", "monitor"), rule("Ports are slow")],
        new_anti_patterns=[mistake("Tide tables as constants in code")],
    )
    after = retro(
        5,
        new_conventions=[rule("Every queue consumers is idempotent")],
        new_anti_patterns=[mistake("Amounts as floats")],
        review_gate_failures=[
            {"check": "tide", "failures": 4, "pattern": "Tide tables as constants in code"}
        ],
    )
    library = project(tmp_path, {path_of(4): before, path_of(5): after})

    found = retro_diff(library, retro_at(library, path_of(4)), retro_at(library, path_of(5)))

    assert [(str(each.course), each.side.finding.text) for each in found] == [
        ("got worse", "Every queue consumers is idempotent"),
        ("got worse", "Tide tables as constants in code"),
        ("new", "Amounts as floats"),
        ("gone", "Ports are slow"),
    ]
    rule_pair = found[0]
    assert rule_pair.before is not None
    assert rule_pair.before.finding.text == RULE
    assert rule_pair.changes() == (("recommendation", "monitor", "codify"),)


def test_what_is_met_less_often_got_better(tmp_path: Path) -> None:
    before = retro(
        4, new_anti_patterns=[mistake("Sleeping on watch", stories=("A-1", "A-2", "A-3"))]
    )
    after = retro(5, new_anti_patterns=[mistake("Sleeping on watch", stories=("A-1", "A-2"))])
    library = project(tmp_path, {path_of(4): before, path_of(5): after})

    (found,) = retro_diff(library, retro_at(library, path_of(4)), retro_at(library, path_of(5)))

    assert str(found.course) == "got better"


def test_what_the_queue_calls_seen_again_recurs_though_the_retro_before_is_silent(
    tmp_path: Path,
) -> None:
    files: dict[str, str | bytes] = {
        path_of(3): retro(3, new_conventions=[rule(RULE, "medium")]),
        path_of(4): retro(4, new_conventions=[rule("Ports are slow")]),
    }
    ingested(project(tmp_path, files), 3)
    again = retro(5, new_conventions=[rule(RULE, "medium")])
    library = project(tmp_path, {path_of(5): again})

    found = retro_diff(library, retro_at(library, path_of(4)), retro_at(library, path_of(5)))
    met = next(each for each in found if each.side.finding.text == RULE)

    assert (str(met.course), met.met) == ("recurring", ("sprint-3-retro",))
    assert met.known is not None
    assert met.known.ref.id == "conv-001"


def test_the_effect_of_a_retro_is_what_its_changes_did(tmp_path: Path) -> None:
    store = "conventions:\n  - {id: conv-001, rule: Names are verbs}\n"
    found = [rule(RULE), rule("Name are verbs")]
    write(
        tmp_path / "shop",
        {CONVENTIONS: store, path_of(5): retro(5, new_conventions=found)},
    )
    bench = Session.open(tmp_path / "shop", Places.of(tmp_path / "home"), door="cli", clock=Clock())
    bench.apply(Intent("retro.ingest", {}, {"path": path_of(5)}))
    (item,) = (item for item in bench.queue() if item.title == "Name are verbs")
    bench.apply(Intent("merge", {item.ref: item.digest}, {"into": "sniper:conv-001"}))
    other = Intent("add", {}, {"kind": "convention", "text": "Tea is hot", "fields": {}})
    bench.apply(other)

    library = bench.library
    history = [(each, bench.journal.steps(each.id)) for each in bench.past.changes()]
    (change,) = retro_effect(library, retro_at(library, path_of(5)), history)
    bench.close()

    assert change.before is not None
    assert change.after is not None
    assert RULE.encode() in change.after
    assert RULE.encode() not in change.before
    assert b"seen" not in change.before
    assert b"Tea is hot" in change.before


def test_what_two_retros_found_waits_once_with_the_newest(tmp_path: Path) -> None:
    failure = {"check": "tide", "failures": 2, "pattern": "Missing retry"}
    files: dict[str, str | bytes] = {
        path_of(sprint): retro(sprint, review_gate_failures=[failure]) for sprint in (4, 5)
    }
    library = project(tmp_path, files)

    (item,) = queue(library)
    older = retro_at(library, path_of(4))

    assert item.group == "sprint-5-retro"
    assert "found in sprint-4-retro too" in item.evidence
    assert why_not(library, older, older.entries[0]) == (
        "`sprint-5-retro` found it again; review it there"
    )
    rejected = decided(library, "reject", library.entry(item.ref), reason="no")
    assert queue(rejected) == ()
