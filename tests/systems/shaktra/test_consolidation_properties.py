"""What holds for every story and every memory: bounds, order, caps, and doing it again."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tests.shaktra_briefs import STORIES
from tests.shaktra_files import (
    ANTI_PATTERNS,
    PRINCIPLES,
    PROCEDURES,
    anti_pattern,
    desk,
    file_of,
    observation,
    observed,
    principle,
    procedure,
)
from tests.systems.shaktra.consolidating import KINDS, memory, story
from tests.systems.shaktra.consolidating import settings as rules

from remem.systems.shaktra.consolidation.outcome import consolidate
from remem.systems.shaktra.consolidation.similarity import SAME, overlap, same_pairs
from remem.systems.shaktra.consolidation.story import case_of, counted_by
from remem.systems.shaktra.consolidation.terms import Held, Outcome
from remem.systems.shaktra.records import RELATIONSHIPS, TYPES

TEXTS = (
    "Every upload is measured before its first byte is kept",
    "Every upload is measured before its last byte is kept",
    "Thumbnails are made by the worker and never in the request",
    "The gallery page reads the bucket of the storage by itself",
    "The gallery page reads the bucket of the storage by itself again",
    "Retries end after five times. Then a person is asked.",
)
TAGS = ("storage", "upload", "security", "review")
NAMES = ("PR-001", "PR-002", "AP-001", "PC-001", "PR-404")
CONFIDENCES = st.sampled_from((0.0, 0.1, 0.2, 0.21, 0.3, 0.6, 0.84, 0.96, 1.0))
MAKERS = {"PR": principle, "AP": anti_pattern, "PC": procedure}


@st.composite
def entries(draw: st.DrawFn) -> list[dict[str, Any]]:
    made = []
    for name in ("PR-001", "PR-002", "PR-003", "AP-001", "AP-002", "PC-001"):
        status = draw(st.sampled_from(("active", "active", "archived")))
        text = draw(st.sampled_from(TEXTS))
        tags = draw(st.lists(st.sampled_from(TAGS), max_size=3, unique=True))
        maker = MAKERS[name[:2]]
        made.append(maker(name, text, confidence=draw(CONFIDENCES), status=status, tags=tags))
    return made


@st.composite
def observations(draw: st.DrawFn) -> list[dict[str, Any]]:
    made = []
    for number in range(1, draw(st.integers(1, 7)) + 1):
        fields: dict[str, Any] = {
            "importance": draw(st.integers(1, 10)),
            "tags": draw(st.lists(st.sampled_from(TAGS), max_size=3, unique=True)),
            "resolved": draw(st.booleans()),
            "principle_id": draw(st.sampled_from(NAMES)),
            "relationship": draw(st.sampled_from(RELATIONSHIPS)),
        }
        kind, text = draw(st.sampled_from(TYPES)), draw(st.sampled_from(TEXTS))
        made.append(observation(number, kind, text, **fields))
    return made


def told(found: Outcome) -> object:
    """Return an outcome in a shape that can be compared."""
    return (
        [(each.entry.record.id, dict(each.fields), each.fate) for each in found.changed],
        [(each.kind, dict(each.fields), each.is_proposed) for each in found.made],
        [(each.by.name, each.why) for each in found.dropped],
        [(each.by.name, each.why) for each in found.left_out],
    )


def after(items: list[dict[str, Any]], found: Outcome) -> list[dict[str, Any]]:
    """Return the entries as a consolidation would leave them."""
    fields: dict[str, Mapping[str, Any]] = {e.entry.record.id: e.fields for e in found.changed}
    left = [{**item, **fields.get(str(item["id"]), {})} for item in items]
    prefixes = {kind: prefix for prefix, kind in KINDS.items()}
    for number, made in enumerate(found.made, 900):
        if not made.is_proposed:
            name = f"{prefixes[made.kind]}-{number}"
            left.append({**MAKERS[name[:2]](name, made.text), **made.fields})
    return left


WORDS = st.lists(
    st.sampled_from(("use", "used", "the", "queue", "queues", "storage", "store", "é", "a" * 50)),
    min_size=1,
    max_size=6,
).map(" ".join)


@settings(max_examples=150, deadline=None)
@given(one=WORDS, other=WORDS)
@example(one="abcd", other="dcba")
@example(one="use the queue", other="queue")
def test_the_quick_look_misses_no_texts_that_say_the_same(one: str, other: str) -> None:
    pair = (
        held_as("PR-001", one),
        held_as("PR-002", other),
    )

    assert bool(same_pairs(pair)) is (overlap((one,), (other,)) > SAME)


def held_as(name: str, guidance: str) -> Held:
    (found,) = memory(principle(name, f"Rule {name} holds", guidance=[guidance])).held
    return found


@settings(max_examples=30, deadline=None)
@given(items=entries(), seen=observations())
def test_confidence_stays_between_nothing_and_certain(
    items: list[dict[str, Any]], seen: list[dict[str, Any]]
) -> None:
    found = consolidate(memory(*items), story(*seen))

    for changed in found.changed:
        assert 0 <= changed.after <= 1
        assert all(0 <= share.after <= 1 for share in changed.shares)
    assert all(0 <= made.confidence <= 1 for made in found.made)


@settings(max_examples=30, deadline=None)
@given(items=entries(), seen=observations(), seed=st.integers(0, 99))
def test_the_order_of_observations_makes_no_difference(
    items: list[dict[str, Any]], seen: list[dict[str, Any]], seed: int
) -> None:
    mixed, turned = [*seen], [*items]
    Random(seed).shuffle(mixed)

    one = consolidate(memory(*items), story(*seen))
    other = consolidate(memory(*turned), story(*mixed))

    assert told(one) == told(other)


@settings(max_examples=30, deadline=None)
@given(items=entries(), seen=observations())
def test_every_observation_is_counted_once_or_told_why_not(
    items: list[dict[str, Any]], seen: list[dict[str, Any]]
) -> None:
    found, asked = memory(*items), story(*seen)

    result = consolidate(found, asked)

    on_entries = [share.by.name for each in result.changed for share in each.shares]
    made = [by.name for each in result.made for by in each.by]
    left = [each.by.name for each in (*result.dropped, *result.left_out)]
    left += [each.by.name for each in result.waiting]
    assert sorted([*on_entries, *made, *left]) == [item["id"] for item in seen]
    assert {each.name for each in counted_by(asked, result)} == {*on_entries, *made} | {
        each.by.name for each in result.dropped
    }


@settings(max_examples=30, deadline=None)
@given(items=entries(), seen=observations())
def test_what_is_archived_stays_as_it_is(
    items: list[dict[str, Any]], seen: list[dict[str, Any]]
) -> None:
    found = consolidate(memory(*items), story(*seen))

    archived = {item["id"] for item in items if item["status"] == "archived"}
    assert not archived & {each.entry.record.id for each in found.changed}


@settings(max_examples=25, deadline=None)
@given(items=entries(), seen=observations(), most=st.integers(0, 4))
def test_no_store_has_more_in_force_than_its_cap(
    items: list[dict[str, Any]], seen: list[dict[str, Any]], most: int
) -> None:
    few = rules(max_principles=most, max_anti_patterns=most, max_procedures=most)

    left = after(items, consolidate(memory(*items, rules=few), story(*seen)))

    for prefix in KINDS:
        active = [e for e in left if e["id"].startswith(prefix) and e["status"] == "active"]
        assert len(active) <= most


@settings(max_examples=25, deadline=None)
@given(items=entries(), seen=observations())
def test_rules_without_observations_settle_after_one_time(
    items: list[dict[str, Any]], seen: list[dict[str, Any]]
) -> None:
    left = after(items, consolidate(memory(*items), story(*seen)))

    again = consolidate(memory(*left), story())

    assert (again.changed, again.made) == ((), ())


@settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(items=entries(), seen=observations())
def test_on_disk_it_is_done_once_and_undone_to_the_byte(
    items: list[dict[str, Any]], seen: list[dict[str, Any]]
) -> None:
    by_kind = {prefix: [e for e in items if e["id"].startswith(prefix)] for prefix in MAKERS}
    files = {
        PRINCIPLES: file_of("principles", *by_kind["PR"]),
        ANTI_PATTERNS: file_of("anti_patterns", *by_kind["AP"]),
        PROCEDURES: file_of("procedures", *by_kind["PC"]),
        f"{STORIES}/ST-040/handoff.yml": "story_id: ST-040\nmemory_captured: false\n",
        **observed("ST-040", *seen),
    }
    with TemporaryDirectory() as folder, desk(Path(folder), files) as shop:
        before = shop.files()
        if not shop.plan("consolidate", story="ST-040").effects:
            return

        done = shop.do("consolidate", story="ST-040")
        once = shop.files()
        waits = case_of(shop.bench.library, "ST-040").outcome.waiting
        again = shop.plan("consolidate", story="ST-040", force=True)
        shop.bench.undo(done.id)

        # What waits is judged anew on what is active by then.
        assert waits or again.effects == ()
        assert once != before
        assert shop.files() == before
