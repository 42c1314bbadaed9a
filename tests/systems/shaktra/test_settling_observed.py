"""What was observed and conflicts is settled like any conflict."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.shaktra_briefs import STORIES
from tests.shaktra_files import (
    ANTI_PATTERNS,
    PRINCIPLES,
    Desk,
    anti_pattern,
    desk,
    file_of,
    observation,
    observed,
    principle,
)

from remem.base.errors import NotPossible
from remem.core.waiting.item import Item
from remem.model.change import Committed, Intent, Json
from remem.model.entry import Ref

THROW = "Throw typed errors from every service method"
NEVER = "Never throw typed errors from any service method"
PORTS = "Ports above 9000 are taken on the build hosts"
HANDOFF = f"{STORIES}/ST-040/handoff.yml"
OPEN = {HANDOFF: "story_id: ST-040\nmemory_captured: false\n"}
AGAINST = {
    **OPEN,
    PRINCIPLES: file_of("principles", principle("PR-001", THROW)),
    **observed("ST-040", observation(1, "discovery", NEVER, importance=8, tags=["reliability"])),
}
PAIR = {
    **OPEN,
    PRINCIPLES: file_of(
        "principles",
        principle("PR-001", THROW, guidance=["Measure it"], confidence=0.9),
        principle("PR-002", NEVER, guidance=["Measure it"]),
    ),
    **observed("ST-040", observation(1, "discovery", PORTS, importance=8)),
}


def item_of(shop: Desk, name: str) -> Item:
    return next(each for each in shop.bench.queue() if each.ref.id == name)


def settle(shop: Desk, verb: str, name: str, other: str, **told: Json) -> Committed:
    item, library = item_of(shop, name), shop.bench.library
    beside = library.resolve(f"shaktra:{other}")
    shown = {item.ref: item.digest, beside.ref: beside.digest}
    return shop.bench.apply(Intent(verb, shown, told, waiting={item.ref: item.waiting}))


def refs(*names: str) -> tuple[Ref, ...]:
    return tuple(Ref("shaktra", name, "shop") for name in names)


def waiting(shop: Desk) -> list[str]:
    return [item.ref.id for item in shop.bench.queue()]


@pytest.mark.parametrize(("files", "name"), [(AGAINST, "ST-040/OB-001"), (PAIR, "PR-002")])
def test_a_card_knows_what_it_conflicts_with_and_suggests_nothing(
    tmp_path: Path, files: Mapping[str, str], name: str
) -> None:
    with desk(tmp_path, files) as shop:
        item = item_of(shop, name)

        assert shop.bench.opposed(item) == refs("PR-001")
        assert item.suggested == ""


def test_an_observation_supersedes_the_entry_that_it_contradicts(tmp_path: Path) -> None:
    with desk(tmp_path, AGAINST) as shop:
        before = shop.files()
        settle(shop, "supersede", "ST-040/OB-001", "PR-001", instead_of="shaktra:PR-001")

        assert shop.fields("PR-001")["status"] == "superseded"
        assert shop.confidence("PR-001") == 0.6
        assert (shop.fields("PR-002")["text"], shop.fields("PR-002")["supersedes"]) == (
            NEVER,
            "PR-001",
        )
        assert "memory_captured: true" in shop.read(HANDOFF)
        assert waiting(shop) == []

        shop.bench.undo()
        assert {path: shop.files()[path] for path in before} == before


def test_an_observation_is_kept_beside_the_entry_and_does_not_count_against_it(
    tmp_path: Path,
) -> None:
    with desk(tmp_path, AGAINST) as shop:
        why = "services that nobody calls from outside"
        settle(shop, "keep_both", "ST-040/OB-001", "PR-001", reason=why, beside="shaktra:PR-001")

        assert (shop.confidence("PR-001"), shop.fields("PR-001")["status"]) == (0.6, "active")
        assert shop.fields("PR-002")["text"] == NEVER
        assert why in shop.read(".remem/rejected.yaml")
        assert waiting(shop) == []


def test_an_observation_becomes_an_entry_for_some_roles_alone(tmp_path: Path) -> None:
    with desk(tmp_path, AGAINST) as shop:
        told: dict[str, Any] = {"apart_from": "shaktra:PR-001", "other_roles": ["architect"]}
        settle(shop, "scope", "ST-040/OB-001", "PR-001", roles=["developer"], **told)

        assert shop.fields("PR-002")["roles"] == ["developer"]
        assert shop.fields("PR-001")["roles"] == ["architect"]
        assert waiting(shop) == []


def test_two_entries_that_conflict_are_never_merged(tmp_path: Path) -> None:
    with desk(tmp_path, PAIR) as shop:
        item = item_of(shop, "PR-002")

        assert (item.why, item.verbs) == (
            "possible conflict with `PR-001` (overlap 1.00)",
            ("reject",),
        )
        with pytest.raises(NotPossible):
            shop.do("approve", "PR-002")
        assert shop.fields("PR-001")["source_count"] == 1


def test_of_two_entries_that_conflict_either_stays(tmp_path: Path) -> None:
    with desk(tmp_path / "one", PAIR) as shop:
        settle(shop, "supersede", "PR-002", "PR-001", instead_of="shaktra:PR-001")
        assert shop.fields("PR-001")["status"] == "superseded"
        assert shop.fields("PR-002")["supersedes"] == "PR-001"
        assert waiting(shop) == ["ST-040/OB-001"]
    with desk(tmp_path / "other", PAIR) as shop:
        shop.do("reject", "PR-002", reason="the surer one stays")
        assert shop.fields("PR-002")["status"] == "superseded"
        assert shop.fields("PR-001")["supersedes"] == "PR-002"
        assert (shop.confidence("PR-001"), shop.fields("PR-001")["source_count"]) == (0.9, 1)
        assert waiting(shop) == ["ST-040/OB-001"]


def test_two_entries_that_are_kept_with_a_reason_are_not_asked_about_again(tmp_path: Path) -> None:
    with desk(tmp_path, PAIR) as shop:
        before = shop.read(PRINCIPLES)
        settle(
            shop, "keep_both", "PR-002", "PR-001", reason="two products", beside="shaktra:PR-001"
        )

        assert shop.read(PRINCIPLES) == before
        assert waiting(shop) == ["ST-040/OB-001"]
        shop.bench.undo()
        assert waiting(shop) == ["ST-040/OB-001", "PR-002"]


def test_an_anti_pattern_is_limited_in_its_own_field(tmp_path: Path) -> None:
    warns = observation(
        1, "incident-learning", THROW, importance=9, severity="P1", tags=["reliability"]
    )
    files = {
        **OPEN,
        PRINCIPLES: file_of("principles", principle("PR-001", THROW)),
        ANTI_PATTERNS: file_of("anti_patterns", anti_pattern("AP-001", "Log in a loop")),
        **observed("ST-040", warns),
    }
    with desk(tmp_path, files) as shop:
        item = item_of(shop, "ST-040/OB-001")
        assert shop.bench.opposed(item) == refs("PR-001")

        told: dict[str, Any] = {"apart_from": "shaktra:PR-001"}
        settle(shop, "scope", "ST-040/OB-001", "PR-001", roles=["sw-quality"], **told)

        assert shop.fields("AP-002")["roles"] == ["sw-quality"]
        assert shop.fields("AP-002")["failed_approach"] == THROW


def test_a_card_begins_with_what_was_observed_and_names_what_it_is_held_against(
    tmp_path: Path,
) -> None:
    with desk(tmp_path, AGAINST) as shop:
        item = item_of(shop, "ST-040/OB-001")

        assert item.title == NEVER
        assert item.evidence[-1].startswith("possible conflict with `PR-001`")
        assert item.evidence[-1].endswith(THROW)
        assert not [each for each in item.evidence if NEVER in each]
