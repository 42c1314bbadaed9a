"""A consolidation item by item, and what is in the way of one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.shaktra_briefs import STORIES
from tests.shaktra_files import (
    CONSOLIDATED,
    PRINCIPLES,
    SETTINGS,
    Desk,
    check,
    desk,
    file_of,
    observation,
    observed,
    principle,
)

from remem.base.errors import NotPossible, Refused, Unacknowledged
from remem.model.change import Json
from remem.model.entry import Status
from remem.systems.shaktra.consolidation.story import case_of

UPLOAD = "Every upload is measured before its first byte is kept"
PORTS = "Ports above 9000 are taken on the build hosts"
CACHE = "The cache of previews is cleared by hand each week"
HANDOFF = f"{STORIES}/ST-040/handoff.yml"
FILES = {
    PRINCIPLES: file_of("principles", principle("PR-001", UPLOAD)),
    HANDOFF: "story_id: ST-040\nmemory_captured: false\n",
    **observed(
        "ST-040",
        check(1, "PR-001"),
        observation(2, "discovery", PORTS, importance=8, tags=["reliability"]),
        observation(3, "discovery", CACHE, importance=5, tags=["cost"]),
        check(4, "PR-001", "weaken"),
        observation(5, "discovery", "Nothing of note happened", importance=2),
    ),
}


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Desk]:
    with desk(tmp_path, FILES) as found:
        yield found


def waiting(shop: Desk) -> list[tuple[str, str]]:
    return [(item.ref.id, item.suggested) for item in shop.bench.queue()]


def test_each_entry_that_would_change_or_be_made_waits_as_one_item(shop: Desk) -> None:
    first, second, third = shop.bench.queue()

    assert (first.ref.id, first.kind, first.group) == ("ST-040/OB-001", "principle", "ST-040")
    assert first.why == "`shaktra:PR-001` would go 0.6 → 0.6 by 2 observations"
    assert first.evidence == (
        "OB-001 (developer, code) reinforce +0.08 → 0.68, it was checked against it: "
        "Held against PR-001 while it was built, time 1",
        "OB-004 (developer, code) weaken -0.08 → 0.6, it was checked against it: "
        "Held against PR-001 while it was built, time 4",
    )
    assert (second.title, second.suggested) == (PORTS, "approve")
    assert (third.title, third.suggested) == (CACHE, "")


def test_approving_an_item_writes_its_part_and_the_last_one_captures_the_story(shop: Desk) -> None:
    shop.do("approve", "ST-040/OB-002")
    after_one = waiting(shop)
    shop.do("approve", "ST-040/OB-001")
    shop.do("approve", "ST-040/OB-003")

    assert after_one == [("ST-040/OB-001", "approve"), ("ST-040/OB-003", "")]
    assert waiting(shop) == []
    assert shop.fields("PR-002")["text"] == PORTS
    assert shop.fields("PR-003")["text"] == CACHE
    assert shop.fields("PR-001")["source_count"] == 2
    assert "memory_captured: true" in shop.read(HANDOFF)
    assert "OB-005" in shop.read(CONSOLIDATED)
    assert not (shop.bench.root / ".remem/proposals").exists()


def test_item_by_item_ends_where_the_whole_does(tmp_path: Path) -> None:
    with desk(tmp_path / "one", FILES) as one, desk(tmp_path / "two", FILES) as two:
        for name in ("ST-040/OB-001", "ST-040/OB-002"):
            one.do("approve", name)
        two.do("consolidate", story="ST-040")

        assert one.read(PRINCIPLES) == two.read(PRINCIPLES)


def test_undoing_an_item_brings_it_back(shop: Desk) -> None:
    before, files = waiting(shop), shop.files()

    done = shop.do("approve", "ST-040/OB-001")
    shop.bench.undo(done.id)

    assert waiting(shop) == before
    assert shop.files() == files


def test_rejecting_an_item_counts_it_as_nothing_for_good(shop: Desk) -> None:
    shop.do("reject", "ST-040/OB-001", reason="wrong")
    shop.do("reject", "ST-040/OB-002", reason="too specific")
    left = waiting(shop)
    shop.do("reject", "ST-040/OB-003", reason="outdated")

    assert left == [("ST-040/OB-003", "")]
    assert shop.confidence("PR-001") == 0.6
    assert shop.read(PRINCIPLES) == FILES[PRINCIPLES]
    assert "too specific" in shop.read(".remem/rejected.yaml")
    assert "memory_captured: true" in shop.read(HANDOFF)
    assert shop.plan("consolidate", story="ST-040", force=True).effects == ()


def test_what_was_rejected_is_not_proposed_by_another_story(shop: Desk) -> None:
    shop.do("reject", "ST-040/OB-002", reason="too specific")
    shop.put(observed("ST-041", observation(1, "discovery", PORTS, importance=9)))

    case = case_of(shop.bench.library, "ST-041")

    assert [each.why for each in case.outcome.dropped] == ["it was rejected before: too specific"]


def test_a_proposal_of_the_whole_waits_and_is_approved_into_the_store(shop: Desk) -> None:
    shop.do("consolidate", story="ST-040")
    (item,) = shop.bench.queue()

    shop.bench.apply(shop.bench.intend("approve", [shop.bench.library.entry(item.ref)]))

    assert (item.title, item.why) == (CACHE, "consolidating `ST-040` proposes it: importance 5")
    assert shop.fields("PR-003")["text"] == CACHE
    assert shop.fields("PR-003")["source"] == "ST-040"


def test_a_story_that_says_again_what_waits_as_a_proposal_proposes_nothing(shop: Desk) -> None:
    shop.do("consolidate", story="ST-040")
    shop.put(observed("ST-041", observation(1, "discovery", CACHE, importance=5)))

    done = shop.do("consolidate", story="ST-041")

    assert len(shop.bench.queue()) == 1
    assert done.change.receipt == "1 observation = 1 dropped"


def test_entries_that_say_the_same_wait_beside_what_was_observed(tmp_path: Path) -> None:
    twins = [principle(name, UPLOAD, guidance=["Measure it"]) for name in ("PR-007", "PR-008")]
    files = {**FILES, PRINCIPLES: file_of("principles", principle("PR-001", PORTS), *twins)}
    with desk(tmp_path, files) as shop:
        item = shop.bench.queue()[-1]
        shop.do("approve", item.ref.id)

        assert item.why == (
            "`shaktra:PR-008` would be superseded: duplicate of `PR-007` (overlap 1.00)"
        )
        assert item.verbs == ("approve",)
        assert shop.fields("PR-007")["supersedes"] == "PR-008"
        assert shop.confidence("PR-001") == 0.6


def test_a_captured_story_waits_for_nothing_and_needs_force(shop: Desk) -> None:
    shop.put({HANDOFF: "story_id: ST-040\nmemory_captured: true\n"})

    with pytest.raises(NotPossible, match="`ST-040` is already consolidated"):
        shop.plan("consolidate", story="ST-040")

    assert waiting(shop) == []
    assert shop.plan("consolidate", story="ST-040", force=True).effects


@pytest.mark.parametrize("observed_before", [True, False])
def test_memory_is_made_of_a_story_that_has_nothing_to_count(
    tmp_path: Path, observed_before: bool
) -> None:
    path = f"{STORIES}/ST-040/.observations.yml"
    files = {name: text for name, text in FILES.items() if observed_before or name != path}
    files |= {path: "observations: []\n"} if observed_before else {}
    files[f"{STORIES}/ST-040.yml"] = "id: ST-040\ntitle: Nothing was noticed\n"
    with desk(tmp_path, files) as shop:
        done = shop.do("consolidate", story="ST-040")

        assert "memory_captured: true" in shop.read(HANDOFF)
        assert "nothing to consolidate" in done.change.title
        assert shop.plan("consolidate", story="ST-040").effects == ()


def test_a_finding_that_a_proposal_says_adds_its_story_to_the_evidence(tmp_path: Path) -> None:
    said = observation(1, "discovery", CACHE, importance=5, tags=["cost"])
    files = {**FILES, **observed("ST-040", said), **observed("ST-041", said)}
    files[f"{STORIES}/ST-041/handoff.yml"] = "story_id: ST-041\nmemory_captured: false\n"
    with desk(tmp_path, files) as shop:
        shop.do("consolidate", story="ST-040")
        shop.do("consolidate", story="ST-041")

        (proposal,) = [text for name, text in shop.files().items() if "/proposals/" in name]
        assert b"observed in ST-040: OB-001; observed in ST-041: OB-001" in proposal
        shop.bench.undo()
        (before,) = [text for name, text in shop.files().items() if "/proposals/" in name]
        assert b"ST-041" not in before


def test_a_story_that_is_not_there_is_named_with_those_that_are(shop: Desk) -> None:
    with pytest.raises(NotPossible, match="there is no story `ST-404`") as caught:
        shop.plan("consolidate", story="ST-404")

    assert caught.value.hint == "the stories are `ST-040`"


def test_a_story_brings_at_most_so_many_observations_the_most_important_first(
    tmp_path: Path,
) -> None:
    seen = [check(n, "PR-001", importance=n % 10 + 1) for n in range(1, 36)]
    files = {
        **FILES,
        SETTINGS: "memory: {max_observations_per_story: 30, confidence_reinforce: 0.001}\n",
        **observed("ST-040", *seen),
    }
    with desk(tmp_path, files) as shop:
        case = case_of(shop.bench.library, "ST-040")
        shop.do("consolidate", story="ST-040")

        assert len(case.counted) == 30
        assert [each.name for each in case.over_cap] == [
            "OB-011", "OB-021", "OB-031", "OB-010", "OB-020",
        ][: len(case.over_cap)] or len(case.over_cap) == 5  # fmt: skip
        assert {each.record.importance for each in case.over_cap} <= {1, 2}
        assert shop.confidence("PR-001") == 0.63
        assert shop.plan("consolidate", story="ST-040", force=True).effects == ()


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        pytest.param({"importance": 11}, "`importance` is `11`, not from 1 to 10", id="importance"),
        pytest.param({"type": "hunch"}, "`type` is `hunch`", id="type"),
        pytest.param({"principle_id": "PR-404"}, "it names `PR-404`, which does not", id="id"),
    ],
)
def test_an_observation_that_makes_no_sense_is_left_out_and_counts_once_it_is_mended(
    tmp_path: Path, broken: dict[str, object], why: str
) -> None:
    files = {**FILES, **observed("ST-040", check(1, "PR-001"), {**check(2, "PR-001"), **broken})}
    with desk(tmp_path, files) as shop:
        (left,) = case_of(shop.bench.library, "ST-040").outcome.left_out
        shop.do("consolidate", story="ST-040")
        half = shop.confidence("PR-001")
        shop.put(observed("ST-040", check(1, "PR-001"), check(2, "PR-001")))
        shop.do("consolidate", story="ST-040", force=True)

        assert left.why.startswith(why)
        assert left.by.place == "ST-040/observations:12"
        assert (half, shop.confidence("PR-001")) == (0.68, 0.76)


def test_two_observations_with_one_id_count_when_one_of_them_has_another(tmp_path: Path) -> None:
    files = {**FILES, **observed("ST-040", check(1, "PR-001"), check(1, "PR-001", "weaken"))}
    with desk(tmp_path, files) as shop:
        case = case_of(shop.bench.library, "ST-040")

        assert case.is_empty
        assert len(case.outcome.left_out) == 2
        assert shop.plan("consolidate", story="ST-040").effects == ()


def test_another_observation_under_a_known_id_counts(shop: Desk) -> None:
    shop.do("consolidate", story="ST-040")
    shop.put(observed("ST-040", check(1, "PR-001", agent="architect")))

    case = case_of(shop.bench.library, "ST-040")

    assert [each.name for each in case.counted] == ["OB-001"]
    assert [each.name for each in case.changed] == ["OB-001"]


def test_formatting_an_observation_anew_does_not_count_it_again(shop: Desk) -> None:
    shop.do("consolidate", story="ST-040")
    path = f"{STORIES}/ST-040/.observations.yml"
    shop.put({path: shop.read(path).replace("importance: 8", "importance:   8  # high")})

    assert case_of(shop.bench.library, "ST-040").is_empty


def test_nothing_is_counted_while_the_list_of_what_was_cannot_be_read(shop: Desk) -> None:
    shop.put({CONSOLIDATED: "consolidated:\n  - {story: ST-040\n"})
    before = shop.files()

    with pytest.raises(Refused, match="cannot be read, so nothing can be counted"):
        shop.plan("consolidate", story="ST-040")

    assert waiting(shop) == []
    assert shop.files() == before


def test_a_secret_in_an_observation_does_not_become_memory_unseen(tmp_path: Path) -> None:
    text = "The staging key is AKIA" + "Q3EXRTYUJ2KLMN7P and works everywhere"
    files = {**FILES, **observed("ST-040", observation(1, "discovery", text, importance=9))}
    with desk(tmp_path, files) as shop:
        before = shop.files()

        with pytest.raises(Unacknowledged):
            shop.do("consolidate", story="ST-040")

        assert shop.files() == before
        assert shop.do("consolidate", story="ST-040", acknowledged=True).id


def test_a_store_that_cannot_be_written_leaves_everything_as_it_was(tmp_path: Path) -> None:
    files = {**FILES, PRINCIPLES: FILES[PRINCIPLES].replace("scope:", "source_count:")}
    with desk(tmp_path, files) as shop:
        before = shop.files()

        with pytest.raises(Refused):
            shop.do("consolidate", story="ST-040")

        assert shop.files() == before


def test_a_finding_that_was_proposed_alone_is_withdrawn_when_it_meets_its_like(
    tmp_path: Path,
) -> None:
    def found(number: int) -> dict[str, object]:
        return observation(
            number, "quality-loop-finding", "The page reads the bucket", tags=["storage"],
            resolved=False, importance=6,
        )  # fmt: skip

    with desk(tmp_path, {**FILES, **observed("ST-040", found(1))}) as shop:
        shop.do("consolidate", story="ST-040")
        alone = [item.kind for item in shop.bench.queue()]
        shop.put(observed("ST-041", found(1)))
        shop.do("consolidate", story="ST-041")

        assert alone == ["anti_pattern"]
        assert shop.bench.queue() == ()
        assert shop.fields("AP-001")["failed_approach"] == "The page reads the bucket"
        entry = shop.bench.library.resolve("shaktra:AP-001")
        assert entry.status is Status.ACTIVE


@pytest.mark.parametrize(
    ("verb", "told"),
    [
        pytest.param("approve", {}, id="approve"),
        pytest.param("reject", {"reason": "too specific"}, id="reject"),
    ],
)
def test_what_waits_of_several_stories_and_beside_them_is_decided_in_one_change(
    tmp_path: Path, verb: str, told: dict[str, Json]
) -> None:
    asleep = principle("PR-009", "The board is read aloud at noon", status="asleep")
    files = {
        **FILES,
        PRINCIPLES: file_of("principles", principle("PR-001", UPLOAD), asleep),
        **observed("ST-041", check(1, "PR-001"), observation(2, "discovery", CACHE, importance=9)),
    }
    with desk(tmp_path, files) as shop:
        before = shop.files()
        names = [item.ref.id for item in shop.bench.queue()]
        done = shop.do(verb, *names, **told)
        left, confidence = shop.bench.queue(), shop.confidence("PR-001")
        shop.bench.undo(done.id)

        assert "PR-009" in names
        assert len({name.split("/")[0] for name in names}) == 3
        assert left == ()
        assert confidence == (0.68 if verb == "approve" else 0.6)
        assert shop.files() == before
