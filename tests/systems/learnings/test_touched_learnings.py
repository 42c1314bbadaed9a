"""What learnings and packs change is named whole, and followed when it is taken back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.core.test_touched import assert_names_all
from tests.learning_files import FOLDER, learnings, put, record
from tests.sniper_files import carry_out

from remem.core.history.followup import reverted
from remem.core.library import Library
from remem.core.verbs.verbs import all_verbs, plan
from remem.core.waiting.queue import queue
from remem.model.change import Change, Intent, Json
from remem.model.done_by_others import Aside, Reverted, intent_again
from remem.store.history.journal_records import Logged, Origin

DRAFT, SURE, OTHER, OLDER, GONE = (
    f"L-2026050{number}-000{number}" for number in range(1, 6)
)  # fmt: skip
OLD_SHAPE = (
    "id: {name}\nlearning: Older words\nstatus: active\nconfidence: 0.5\n"
    "created: '2026-05-04'\nsource: {{type: retro}}\n"
)
PACK = "conventions: [{rule: Tea is hot}]\nanti_patterns: [{description: Cold tea}]\n"


@pytest.fixture
def library(tmp_path: Path) -> Library:
    found = learnings(
        tmp_path,
        record(DRAFT, status="draft", learning="Sleep well"),
        record(
            SURE, confidence=0.8, learning="Freeze time in tests", applied_in=["SNPR-20260504-aaaa"]
        ),
        record(OTHER, learning="Name the harbour of a test"),
        record(GONE, status="deprecated", learning="Old", updated_at="2025-05-05T10:00:00Z"),
    )
    put(tmp_path, f"learnings/{OLDER}.yaml", OLD_SHAPE.format(name=OLDER))
    put(tmp_path, "pack.yaml", PACK)
    return found.refresh()


def on(library: Library, verb: str, *names: str, **arguments: Json) -> Intent:
    entries = [library.resolve(f"learning:{name}") for name in names]
    return Intent(verb, {entry.ref: entry.digest for entry in entries}, arguments)


ASKED: Mapping[str, Callable[[Library], Intent]] = {
    "learn.add": lambda lib: Intent("learn.add", {}, {"fields": {"learning": "Tea is hot"}}),
    "learn.confirm": lambda lib: on(lib, "learn.confirm", SURE),
    "learn.invalidate": lambda lib: on(lib, "learn.invalidate", SURE),
    "learn.reinforce": lambda lib: on(lib, "learn.reinforce", SURE, by="PR-1"),
    "learn.contradict": lambda lib: on(lib, "learn.contradict", SURE, OTHER),
    "learn.absence": lambda lib: on(lib, "learn.absence", SURE, protocol="SNPR-20260504-aaaa"),
    "learn.recurrence": lambda lib: on(lib, "learn.recurrence", SURE),
    "learn.supersede": lambda lib: on(lib, "learn.supersede", SURE, by=f"learning:{OTHER}"),
    "learn.decay": lambda lib: Intent("learn.decay", {}, {"as_of": "2027-05-05"}),
    "learn.curate": lambda lib: Intent("learn.curate", {}, {"as_of": "2027-05-05"}),
    "learn.merge": lambda lib: on(lib, "learn.merge", SURE, OTHER),
    "learn.upgrade": lambda lib: Intent("learn.upgrade"),
    "learn.prune": lambda lib: Intent("learn.prune"),
    "learn.record": lambda lib: on(lib, "learn.record", SURE, protocol="SNPR-20260504-bbbb"),
    "pack.import": lambda lib: Intent(
        "pack.import", {}, {"path": str(lib.ground.root / ".sniper/memory/pack.yaml")}
    ),
}
FOLLOWED = {
    "learn.add", "learn.confirm", "learn.invalidate", "learn.reinforce", "learn.absence",
    "learn.recurrence", "learn.supersede", "learn.decay", "learn.merge", "learn.upgrade",
}  # fmt: skip
"""The others are named in the ledger as what it does not follow."""


def test_every_verb_of_learnings_is_looked_at() -> None:
    verbs = {verb.id for verb in all_verbs() if verb.id.startswith("learn.")}

    assert ASKED.keys() - {"pack.import"} == verbs


@pytest.mark.parametrize("verb", ASKED)
def test_a_change_names_all_that_it_touches(verb: str, library: Library) -> None:
    change = plan(library, ASKED[verb](library))

    after = carry_out(library, change)

    if verb == "learn.prune":  # it moves a file, and the record in it stays what it was
        assert [ref.id for ref in change.touched] == [GONE]
    else:
        assert_names_all(library, after, change)


@pytest.mark.parametrize("verb", ASKED)
def test_what_another_writer_takes_back_is_told_of_and_done_again(
    verb: str, library: Library
) -> None:
    change = plan(library, ASKED[verb](library))
    before = files_of(library)
    after = carry_out(library, change)
    assert told(after, change) == ()

    taken_back = put_back(after, before)
    found = told(taken_back, change)

    assert bool(found) == (verb in FOLLOWED)
    if found:
        waiting = [i for i in queue(taken_back.with_aside(Aside(found))) if "reverted" in i.why]
        assert len(waiting) == len(found)
        redone = carry_out(taken_back, plan(taken_back, intent_again(found[:1])))
        assert len(told(redone, change)) < len(found) or verb == "learn.add"


def told(library: Library, change: Change) -> tuple[Reverted, ...]:
    made = datetime(2026, 5, 5, 9, 30, tzinfo=UTC)
    logged = Logged.of(change, "0" * 32, made, Origin(library.ground.root))
    late = (made + timedelta(minutes=5)).timestamp()
    return reverted(library, [logged], mtime=lambda path: late).reverted


def test_a_learning_that_gave_way_to_a_surer_one_is_not_taken_for_reverted(
    library: Library,
) -> None:
    surer, weaker = library.resolve(f"learning:{SURE}"), library.resolve(f"learning:{OTHER}")
    change = plan(library, Intent("merge", {surer.ref: surer.digest}, {"into": str(weaker.ref)}))
    assert change.touched[weaker.ref] == surer.ref

    after = carry_out(library, change)

    assert told(after, change) == ()


def test_a_finding_that_was_merged_into_a_learning_is_not_taken_for_reverted(
    library: Library,
) -> None:
    retros = library.ground.root / ".sniper/retros"
    retros.mkdir(parents=True)
    (retros / "SNPR-20260504-19aa.yaml").write_text(
        "protocol: feature\ncompleted_at: '2026-05-04T12:00:00Z'\n"
        "findings:\n  action_items: ['Name the pier in every log line']\n"
    )
    library = library.refresh()
    (item,) = [item for item in queue(library) if item.title == "Name the pier in every log line"]
    asked = Intent("merge", {item.ref: item.digest}, {"into": f"learning:{SURE}"})
    change = plan(library, asked)
    before = files_of(library)

    after = carry_out(library, change)

    assert told(after, change) == ()
    assert [each.ref for each in told(put_back(after, before), change)] == [item.ref]


def files_of(library: Library) -> Mapping[Path, bytes]:
    return {path: path.read_bytes() for path in library.ground.root.rglob("*") if path.is_file()}


def put_back(library: Library, before: Mapping[Path, bytes]) -> Library:
    """Return the library after all files were made what they were before."""
    for path in files_of(library).keys() - before.keys():
        path.unlink()
    for path, data in before.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return library.refresh()


def test_a_learning_that_was_added_and_taken_out_again_is_noticed_even_if_it_was_the_last(
    tmp_path: Path,
) -> None:
    empty = learnings(tmp_path)
    (tmp_path / "shop" / FOLDER).mkdir(parents=True)
    change = plan(empty.refresh(), ASKED["learn.add"](empty))
    after = carry_out(empty, change)

    (path,) = (tmp_path / "shop" / FOLDER).iterdir()
    path.unlink()

    assert len(told(after.refresh(), change)) == 1
