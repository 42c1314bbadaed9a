"""A retro as a person looks at it: states, comparison with another one, and what it did."""

from __future__ import annotations

from pathlib import Path

from tests.retro_files import decided, ingested, mistake, path_of, retro, rule
from tests.sniper_files import CONVENTIONS, project, write

from remem.base.clock import Clock
from remem.core.session import Workbench
from remem.core.settings import Places
from remem.core.waiting.decided import decided as decided_on
from remem.model.change import Intent
from remem.systems.sniper.ingest import judge, retro_at
from remem.systems.sniper.retro_view import retro_diff, retro_effect

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

    diff = retro_diff(retro_at(library, path_of(4)), retro_at(library, path_of(5)))

    assert [pair.before.text for pair in diff.recurring] == [
        "Tide tables as constants in code",
        RULE,
    ]
    assert [each.text for each in diff.new] == ["Amounts as floats"]
    assert [each.text for each in diff.gone] == ["Ports are slow"]
    assert diff.worse == diff.recurring


def test_the_effect_of_a_retro_is_what_its_changes_did(tmp_path: Path) -> None:
    store = "conventions:\n  - {id: conv-001, rule: Names are verbs}\n"
    found = [rule(RULE), rule("Name are verbs")]
    write(
        tmp_path / "shop",
        {CONVENTIONS: store, path_of(5): retro(5, new_conventions=found)},
    )
    bench = Workbench(tmp_path / "shop", Places.of(tmp_path / "home"), door="cli", clock=Clock())
    bench.apply(Intent("retro.ingest", {}, {"path": path_of(5)}))
    (item,) = (item for item in bench.queue() if item.title == "Name are verbs")
    bench.apply(Intent("merge", {item.ref: item.digest}, {"into": "sniper:conv-001"}))
    other = Intent("add", {}, {"kind": "convention", "text": "Tea is hot", "fields": {}})
    bench.apply(other)

    library = bench.library
    history = [(each, bench.journal.steps(each.id)) for each in bench.history()]
    (change,) = retro_effect(library, retro_at(library, path_of(5)), history)
    bench.close()

    assert change.before is not None
    assert change.after is not None
    assert RULE.encode() in change.after
    assert RULE.encode() not in change.before
    assert b"seen" not in change.before
    assert b"Tea is hot" in change.before
