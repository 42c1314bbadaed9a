"""What older versions wrote into the history of a verb is planned, undone and done again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import pytest
from tests.hostile.random_verbs import CODE, Harbours, differing

from remem.base.errors import NotPossible
from remem.core.library import Library
from remem.core.relation.duplicates import duplicate_rules
from remem.core.verbs.verbs import planned
from remem.core.waiting.item import Why
from remem.model.change import Change, Intent, Json
from remem.model.entry import Entry, Status, digest_of
from remem.store.changes.steps import Removed, to_json
from remem.systems.personas.lessons.reflection import whose


def on(name: str, *entries: Entry, **arguments: Json) -> Intent:
    return Intent(name, {entry.ref: entry.digest for entry in entries}, arguments)


def first(library: Library, kind: str, status: Status = Status.ACTIVE) -> Entry:
    found = (e for e in library.of_kind(kind) if e.status is status)
    return next(e for e in found if e.ref.format == "sniper")


CANDIDATE = Status.CANDIDATE


def fact(library: Library) -> Entry:
    return next(e for e in library.of_kind("fact") if e.status is Status.ACTIVE)


def moved(library: Library) -> Entry:
    """Return the fact that `shop` stored about lines which were pushed down since."""
    return next(e for e in library.of_kind("fact") if "Ropes" in e.context)


def told_keep(library: Library) -> Intent:
    told = duplicate_rules(library)[0]
    return on("told.keep", *told.copies, keep=str(told.keep.ref))


def pack_import(library: Library) -> Intent:
    path = library.ground.root.parents[2] / "pack.yaml"
    arguments: dict[str, Json] = {"path": str(path), "digest": digest_of(path.read_bytes())}
    return Intent("pack.import", arguments={**arguments, "acknowledged": True})


def persona_compact(library: Library) -> Intent:
    lesson = next(
        e
        for e in library.of_kind("lesson")
        if library.source_of(e).owner
        and (memory := whose(library, library.source_of(e).owner).memory) is not None
        and memory is library.source_of(e)
    )
    arguments: dict[str, Json] = {
        "persona": library.source_of(lesson).owner,
        "layout": "",
        "base": "",
        "topic": "",
        "lines": [lesson.title, "Invented from nothing"],
        "accept": [0],
        "keep": [],
    }
    return Intent("persona.compact", arguments=arguments)


OLD: Mapping[str, Callable[[Library], Intent]] = {
    "memory.reanchor": lambda lib: on("memory.reanchor", moved(lib)),
    "memory.supersede": lambda lib: on(
        "memory.supersede", moved(lib), fact="Ropes are lettered", reason="They were counted twice"
    ),
    "memory.invalidate": lambda lib: on("memory.invalidate", fact(lib), reason="it is wrong"),
    "memory.retire": lambda lib: on("memory.retire", fact(lib), reason="nobody asks"),
    "told.keep": told_keep,
    "gate.record": lambda lib: Intent(
        "gate.record",
        arguments={
            "found": [
                {
                    "rule": lib.short(first(lib, "convention").ref),
                    "places": [{"path": CODE, "line": 3, "text": "rope(2)"}],
                }
            ],
            "looked": "--staged",
        },
    ),
    "detect": lambda lib: on(
        "detect", first(lib, "convention"), detect={"forbid": "nap"}, acknowledged=["a1"]
    ),
    "brief": lambda lib: Intent("brief", arguments={"story": "ST-104", "files": ["src/*.ts"]}),
    "observe": lambda lib: Intent(
        "observe",
        arguments={
            "fields": {"type": "discovery", "text": "Tea is hot", "importance": 5, "tags": ["tea"]},
            "story": "ST-104",
        },
    ),
    "consolidate": lambda lib: Intent(
        "consolidate", arguments={"story": "ST-104", "force": True, "acknowledged": True}
    ),
    "retro.ingest": lambda lib: Intent(
        "retro.ingest", arguments={"path": ".sniper/memory/retros/sprint-7-retro.yaml"}
    ),
    "retro.run": lambda lib: Intent(
        "retro.run",
        arguments={
            "document": {"sprint": 41, "date": "2026-11-20", "findings": {}},
            "asked": False,
            "again": False,
            "notes": ["no commits were looked at"],
        },
    ),
    "approve": lambda lib: on("approve", first(lib, "convention", CANDIDATE), acknowledged=True),
    "keep": lambda lib: on("keep", first(lib, "convention", CANDIDATE), acknowledged=True),
    "reject": lambda lib: on("reject", first(lib, "convention", CANDIDATE), reason="too specific"),
    "merge": lambda lib: on(
        "merge",
        first(lib, "convention", CANDIDATE),
        into=str(first(lib, "convention").ref),
        into_shown=first(lib, "convention").digest,
    ),
    "promote": lambda lib: on(
        "promote", first(lib, "convention", CANDIDATE), to="", acknowledged=True
    ),
    "init": lambda lib: Intent("init", arguments={"templates": True}),
    "pack.import": pack_import,
    "persona.reflect": lambda lib: Intent(
        "persona.reflect",
        arguments={
            "persona": "Ines",
            "layout": "",
            "apply": True,
            "door": "cli",
            "lessons": ["Ask who reads the manifest at night"],
            "evidence": "a review",
        },
    ),
    "persona.compact": persona_compact,
}
"""Verb id → an intent as the doors of 0.1 made it."""


@pytest.fixture(scope="module")
def harbours(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Harbours]:
    made = Harbours(tmp_path_factory.mktemp("older")).build()
    made.shell(
        *("memory", "store", "--subject", "Ropes", "--fact", "Ropes are numbered"),
        *("--cite", f"{CODE}:1-3"),
    )
    rules = made.root / ".claude" / "rules" / "tides.md"
    rules.parent.mkdir(parents=True)
    rules.write_text("- The tide is passed in\n", encoding="utf-8")
    made.code.write_text("# pushed down\n" + made.code.read_text(encoding="utf-8"))
    yield made
    made.close()


@pytest.mark.parametrize("name", OLD)
def test_an_intent_of_an_older_version_is_undone_and_done_again(
    harbours: Harbours, name: str
) -> None:
    bench = harbours.bench
    bench.refresh()
    before, asked = harbours.snapshot(), OLD[name](bench.library)

    done = bench.apply(asked)
    after = harbours.snapshot()
    kept = bench.journal.get(done.id).intent
    bench.undo(done.id)

    assert (kept.verb, dict(kept.arguments)) == (name, dict(asked.arguments))
    assert differing(harbours.snapshot(), before) == []
    assert as_written(bench.plan(kept)) == as_written(done.change)
    bench.redo(done.id)
    assert differing(harbours.snapshot(), after) == []
    bench.undo(done.id)
    assert differing(before, after) != []


def as_written(change: Change) -> tuple[str, int]:
    return change.title, len(change.effects)


def test_what_was_put_back_is_undone_and_done_again_without_what_it_was_put_back_from(
    harbours: Harbours,
) -> None:
    bench = harbours.bench
    bench.refresh()
    path = harbours.root / ".claude" / "rules" / "gulls.md"
    step = to_json(Removed(path, b"- Gulls are counted\n", 0o644))
    told: dict[str, Json] = {"from": "9" * 32, "text": "gulls", "steps": [step], "copies": []}
    before = harbours.snapshot()

    done = bench.apply(Intent("restore.from", arguments=told))
    kept = bench.journal.get(done.id).intent
    bench.undo(done.id)

    assert dict(kept.arguments) == {"from": "9" * 32, "text": "gulls"}
    assert differing(harbours.snapshot(), before) == []
    with pytest.raises(NotPossible, match="already back"):
        bench.plan(kept)
    bench.redo(done.id)
    assert path.read_bytes() == b"- Gulls are counted\n"
    bench.undo(done.id)


def test_what_was_lifted_to_the_workspace_by_promoting_is_planned_as_that(
    harbours: Harbours,
) -> None:
    bench = harbours.bench
    bench.refresh()
    kept = on("promote", first(bench.library, "convention"), to="workspace", keep=True)

    assert bench.plan(kept).intent.verb == "workspace.promote"


def test_what_an_older_version_decided_is_asked_for_again_where_it_was_reverted(
    harbours: Harbours,
) -> None:
    bench = harbours.bench
    bench.refresh()
    asked = OLD["detect"](bench.library)
    (ref,) = asked.shown
    path = bench.library.source_of(ref).path
    before = path.read_bytes()
    bench.apply(asked)
    after = path.read_bytes()
    note = b"# by hand: bytes that git knows would be a checkout\n"
    path.write_bytes(before + note)
    harbours.close()
    bench = harbours.bench
    bench.look()
    item = next(each for each in bench.queue() if each.ref == ref)

    bench.apply(Intent("approve", {ref: item.digest}))

    assert item.reason is Why.REVERTED
    assert path.read_bytes() == after + note
    bench.undo()
    bench.undo()


@pytest.mark.parametrize("name", ["memory.reanchor", "memory.supersede", "memory.invalidate"])
def test_what_was_asked_for_by_the_id_of_a_fact_is_read_as_well(
    harbours: Harbours, name: str
) -> None:
    kept = Intent(name, arguments={"by": "Robin", "session": "run-1"})

    with pytest.raises(NotPossible, match="nothing was selected"):
        planned(harbours.bench.library, kept)
