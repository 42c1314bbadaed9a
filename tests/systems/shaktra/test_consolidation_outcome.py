"""Every number of Shaktra's rules, one by one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.shaktra_files import anti_pattern, check, observation, principle, procedure
from tests.systems.shaktra.consolidating import changed, memory, outcome, seen_in, settings, story

from remem.systems.shaktra.consolidation.outcome import MANY, consolidate
from remem.systems.shaktra.consolidation.similarity import (
    Match,
    best_match,
    jaccard,
    overlap,
)
from remem.systems.shaktra.consolidation.story import counted_by
from remem.systems.shaktra.consolidation.terms import Doubt, sentences_of

UPLOAD = "Every upload is measured before its first byte is kept"
THUMBS = "Thumbnails are made by the worker and never in the request"
BUCKET = "The gallery page reads the bucket of the storage by itself"


def finding(number: int, text: str = BUCKET, **fields: Any) -> dict[str, Any]:
    return observation(
        number,
        "quality-loop-finding",
        text,
        **{"resolved": False, "tags": ["storage"], **fields},
    )


@pytest.mark.parametrize(
    ("before", "said", "after"),
    [
        pytest.param(0.76, ("reinforce", "reinforce"), 0.92, id="two-reinforcements"),
        pytest.param(0.84, ("reinforce", "reinforce"), 1.0, id="up-to-one"),
        pytest.param(0.98, ("reinforce",), 1.0, id="never-above-one"),
        pytest.param(0.72, ("reinforce",), 0.80, id="one-reinforcement"),
        pytest.param(0.68, ("reinforce",), 0.76, id="of-a-procedure-too"),
        pytest.param(0.60, ("weaken",), 0.52, id="weakened"),
        pytest.param(0.84, ("contradict",), 0.64, id="contradicted"),
        pytest.param(0.30, ("contradict",), 0.10, id="contradicted-below-the-end"),
        pytest.param(0.05, ("contradict",), 0.0, id="never-below-zero"),
        pytest.param(0.98, ("reinforce", "contradict"), 0.80, id="clamped-at-each-step"),
    ],
)
def test_each_observation_moves_a_confidence_by_its_amount(
    before: float, said: tuple[str, ...], after: float
) -> None:
    found = memory(principle("PR-001", UPLOAD, confidence=before))

    result = outcome(found, *(check(n, "PR-001", word) for n, word in enumerate(said, 1)))

    assert changed(result, "PR-001").after == after


def test_a_trajectory_over_three_stories_is_that_of_the_document() -> None:
    path, item = [0.6], principle("PR-001", UPLOAD, confidence=0.6)

    for said in (("reinforce", "reinforce"), ("reinforce",), ("contradict",)):
        checks = (check(n, "PR-001", word) for n, word in enumerate(said, 1))
        after = changed(outcome(memory(item), *checks), "PR-001").after
        path.append(after)
        item = {**item, "confidence": after}

    assert path == [0.6, 0.76, 0.84, 0.64]


@pytest.mark.parametrize(
    ("confidence", "fate"),
    [
        pytest.param(0.28, "", id="it-stays-at-the-threshold"),
        pytest.param(0.27, "archived", id="it-goes-strictly-below"),
    ],
)
def test_an_entry_is_archived_strictly_below_the_threshold(confidence: float, fate: str) -> None:
    found = memory(principle("PR-001", UPLOAD, confidence=confidence))

    result = outcome(found, check(1, "PR-001", "weaken"))

    assert changed(result, "PR-001").fate == fate


def test_settings_take_the_place_of_every_default() -> None:
    rules = settings(confidence_start=0.5, confidence_reinforce=0.1, confidence_archive=0.45)
    found = memory(
        principle("PR-001", UPLOAD, confidence=0.4),
        principle("PR-002", THUMBS, confidence=0.4),
        rules=rules,
    )

    result = outcome(
        found,
        check(1, "PR-001"),
        observation(2, "discovery", "Ports above 9000 are taken on the hosts", importance=7),
    )

    assert changed(result, "PR-001").after == 0.5
    assert changed(result, "PR-002").fate == "archived"
    assert result.made[0].confidence == 0.5


def test_an_incident_weighs_half_as_much_again() -> None:
    found = memory(principle("PR-001", UPLOAD, confidence=0.4))

    result = outcome(
        found,
        check(1, "PR-001"),
        check(2, "PR-001", "weaken"),
        observation(3, "incident-learning", "The disk was full for an hour", importance=9),
        is_incident=True,
    )

    assert [share.delta for share in changed(result, "PR-001").shares] == [0.12, -0.08]
    assert result.made[0].confidence == 0.9


@pytest.mark.parametrize(
    ("kind", "more", "becomes"),
    [
        ("discovery", {}, "principle"),
        ("fix-rationale", {}, "principle"),
        ("deviation", {}, "principle"),
        ("observation", {}, "principle"),
        ("quality-loop-finding", {"resolved": True}, "principle"),
        ("quality-loop-finding", {"resolved": False}, "anti_pattern"),
        ("incident-learning", {}, "anti_pattern"),
        ("detection-gap", {}, "procedure"),
    ],
)
def test_each_type_is_a_candidate_for_its_store(
    kind: str, more: dict[str, Any], becomes: str
) -> None:
    result = outcome(memory(), observation(1, kind, BUCKET, importance=8, **more))

    assert [made.kind for made in result.made] == [becomes]


@pytest.mark.parametrize(
    ("importance", "made", "proposed"),
    [(10, 1, False), (7, 1, False), (6, 1, True), (4, 1, True), (3, 0, False), (1, 0, False)],
)
def test_importance_says_whether_a_principle_is_made_proposed_or_dropped(
    importance: int, made: int, proposed: bool
) -> None:
    result = outcome(memory(), observation(1, "discovery", UPLOAD, importance=importance))

    assert len(result.made) == made
    assert all(each.is_proposed is proposed for each in result.made)
    assert len(result.dropped) == 1 - made


@pytest.mark.parametrize(
    ("title", "categories", "guidance", "holds"),
    [
        pytest.param(0.61, 0.61, 0.0, True, id="two-of-three"),
        pytest.param(0.61, 0.0, 0.61, True, id="another-two"),
        pytest.param(0.60, 0.61, 0.60, False, id="strictly-above"),
        pytest.param(1.0, 0.0, 0.0, False, id="one-is-not-enough"),
    ],
)
def test_two_of_three_criteria_above_sixty_percent_are_a_match(
    title: float, categories: float, guidance: float, holds: bool
) -> None:
    entry = memory(principle("PR-001", UPLOAD)).held[0]

    assert Match(entry, title, categories, guidance).holds is holds


def test_an_observation_reinforces_what_says_the_same() -> None:
    found = memory(
        principle("PR-001", UPLOAD, tags=["upload"], categories=["security"]),
        principle("PR-002", THUMBS),
    )

    result = outcome(
        found, observation(1, "discovery", UPLOAD, tags=["upload", "security"], importance=9)
    )

    assert changed(result, "PR-001").fields == {
        "confidence": 0.68,
        "source_count": 2,
        "last_reinforced": "2026-05-04",
    }
    assert (result.made, len(result.changed)) == ((), 1)


def test_of_several_matches_the_highest_sum_wins_and_then_the_smaller_id() -> None:
    same = {"tags": ["upload"], "categories": ["security"], "guidance": [UPLOAD]}
    found = memory(
        principle("PR-010", UPLOAD, **same),
        principle("PR-009", UPLOAD, **same),
        principle("PR-001", f"{UPLOAD} or shown", **{**same, "tags": ["upload", "size"]}),
    )
    (seen,) = seen_in("ST-040", observation(1, "discovery", UPLOAD, tags=["upload", "security"]))

    match = best_match(seen, found.held)

    assert match is not None
    assert match.entry.record.id == "PR-009"


def test_an_empty_list_fails_its_criterion() -> None:
    assert jaccard(frozenset(), frozenset({"upload"})) == 0.0
    assert overlap((), ("a sentence",)) == 0.0


def test_overlap_is_the_mean_of_the_best_for_each_item_of_the_shorter_list() -> None:
    many = ("measure the upload", "keep nothing else", "tell the person")

    assert overlap(("measure the upload",), many) == 1.0
    assert overlap(many, ("measure the upload",)) == 1.0
    assert 0.5 <= overlap(("measure the upload", "zzz"), many) < 0.75


def test_findings_of_one_pattern_in_one_story_are_an_anti_pattern() -> None:
    result = outcome(
        memory(), finding(1, severity="P3"), finding(2, f"{BUCKET} again", severity="P0")
    )

    (made,) = result.made
    assert (made.kind, made.is_proposed, made.fields["severity"]) == ("anti_pattern", False, "P0")
    assert [each.name for each in made.by] == ["OB-001", "OB-002"]


def test_findings_without_a_severity_are_p2() -> None:
    (made,) = outcome(memory(), finding(1), finding(2)).made

    assert made.fields["severity"] == "P2"


def test_a_finding_counts_with_one_of_a_story_before() -> None:
    before = seen_in("ST-039", finding(4))

    (made,) = outcome(memory(), finding(1, f"{BUCKET} still"), recent=before).made

    assert [(each.story, each.name) for each in made.by] == [
        ("ST-040", "OB-001"),
        ("ST-039", "OB-004"),
    ]


@pytest.mark.parametrize(
    "second",
    [
        pytest.param({"tags": ["other"]}, id="no-shared-tag"),
        pytest.param({"resolved": True}, id="it-was-resolved"),
        pytest.param({"text": "Numbers are formatted for one country"}, id="another-text"),
    ],
)
def test_findings_of_different_patterns_are_at_most_proposed(second: dict[str, Any]) -> None:
    text = str(second.pop("text", BUCKET))

    result = outcome(memory(), finding(1), finding(2, text, **second))

    assert not [
        made for made in result.made if made.kind == "anti_pattern" and not made.is_proposed
    ]


def test_the_fix_of_an_anti_pattern_comes_from_a_rationale_with_a_shared_tag() -> None:
    fixes = (
        observation(3, "fix-rationale", "Ask the storage, never the bucket", tags=["storage"]),
        observation(4, "fix-rationale", "Print in colour where a terminal is", tags=["colour"]),
    )

    made = [
        m for m in outcome(memory(), finding(1), finding(2), *fixes).made if m.by[0].turn[0] == 1
    ]

    assert made[0].fields["recommended_approach"] == "Ask the storage, never the bucket"


@pytest.mark.parametrize(("importance", "proposed"), [(10, False), (9, False), (8, True)])
def test_a_grave_incident_is_an_anti_pattern_at_once(importance: int, proposed: bool) -> None:
    seen = observation(
        1, "incident-learning", "The disk was full for an hour", importance=importance
    )

    (made,) = outcome(memory(), seen).made

    assert (made.kind, made.is_proposed) == ("anti_pattern", proposed)


WORK = "The reviewer waits for the migration before the code is read"


@pytest.mark.parametrize(
    ("others", "procedures"),
    [
        pytest.param((("ST-038", 1), ("ST-039", 1)), 1, id="three-in-three-stories"),
        pytest.param((("ST-038", 2),), 1, id="three-in-two-stories"),
        pytest.param((("ST-038", 1),), 0, id="two-are-too-few"),
        pytest.param((), 0, id="one-is-too-few"),
    ],
)
def test_a_procedure_comes_of_three_observations_across_stories(
    others: tuple[tuple[str, int], ...], procedures: int
) -> None:
    before = tuple(
        each
        for name, many in others
        for each in seen_in(
            name,
            *(
                observation(n, "deviation", f"{WORK}, round {n}", tags=["review"])
                for n in range(1, many + 1)
            ),
        )
    )

    result = outcome(
        memory(), observation(9, "observation", WORK, tags=["review"]), everywhere=before
    )

    made = [each for each in result.made if each.kind == "procedure"]
    assert len(made) == procedures
    assert all(each.fields["source_count"] == 1 + len(before) for each in made)


def test_three_observations_in_one_story_are_no_procedure() -> None:
    seen = (observation(n, "observation", WORK, tags=["review"]) for n in (1, 2, 3))

    result = outcome(memory(), *seen)

    assert [(made.kind, made.is_proposed) for made in result.made] == [("principle", True)]


def test_entries_with_the_same_texts_become_one() -> None:
    found = memory(
        principle("PR-001", UPLOAD, guidance=["Measure the upload at the door"], source_count=2),
        principle(
            "PR-002",
            f"{UPLOAD}.",
            guidance=["Measure the upload at the door"],
            confidence=0.7,
            source_count=3,
            last_reinforced="2026-03-01",
            roles=["architect"],
        ),
    )

    result = outcome(found, observation(1, "discovery", "Nothing of note", importance=1))

    assert changed(result, "PR-002").fields == {
        "source_count": 5,
        "roles": ["architect", "developer"],
        "supersedes": "PR-001",
    }
    assert changed(result, "PR-001").fields == {"status": "superseded"}
    assert [(each.stays.record.id, each.overlap) for each in result.merged] == [("PR-002", 1.0)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Cache reads in the service layer", "Do not cache reads in the service layer"),
        ("Store money as integers", "Store money as integers but timestamps as UTC strings"),
        ("The payment client waits 30 s", "The payment client waits 5 s"),
        (UPLOAD, f"{UPLOAD}, and again when it ends"),
    ],
)
def test_entries_that_only_resemble_each_other_are_merged_by_a_person(one: str, other: str) -> None:
    found = memory(
        principle("PR-001", "What one team says", guidance=[one]),
        principle("PR-002", "Another opinion", guidance=[other]),
    )
    nothing = observation(1, "discovery", "Nothing of note", importance=1)

    by_itself = outcome(found, nothing)
    asked = consolidate(found, story(nothing), upkeep=frozenset({"PR-001", "PR-002"}))

    assert (by_itself.merged, by_itself.changed) == ((), ())
    assert len(by_itself.alike) == 1
    assert [each.leaves.record.id for each in asked.merged] == ["PR-002"]


@pytest.mark.parametrize("confidence", [0.3, 0.9])
def test_something_new_that_resembles_what_is_there_is_only_proposed(confidence: float) -> None:
    found = memory(principle("PR-001", THUMBS, guidance=[UPLOAD], confidence=confidence))

    result = outcome(found, observation(1, "discovery", UPLOAD, importance=9))

    (made,) = result.made
    assert (made.is_proposed, result.changed) == (True, ())
    assert [(doubt.name, doubt.text) for doubt in made.doubts] == [("PR-001", UPLOAD)]
    assert made.doubts[0].told.startswith("similar to `PR-001`")


def test_two_new_rules_about_one_thing_are_not_both_put_into_force() -> None:
    result = outcome(
        memory(),
        observation(1, "discovery", "Cache reads in the service layer", importance=9),
        observation(2, "discovery", "Never cache reads in the service layer", importance=9),
    )

    assert [made.is_proposed for made in result.made] == [False, True]
    assert [doubt.name for doubt in result.made[1].doubts] == ["OB-001"]
    assert result.made[1].doubts[0].told.startswith("possible conflict with `OB-001`")


@pytest.mark.parametrize(
    ("said", "after"),
    [
        pytest.param("Never cache reads in the service layer", 0.4, id="the-opposite"),
        pytest.param("Cache reads in the service layer for 5 minutes", 0.68, id="narrower"),
        pytest.param("Reads are cached, but outside of the service layer", 0.68, id="elsewhere"),
    ],
)
def test_what_may_say_the_opposite_moves_nothing_till_a_person_counts_it_and_then_never_bears_out(
    said: str, after: float
) -> None:
    rule = "Cache reads in the service layer"
    found = memory(principle("PR-001", rule, tags=["cache"], guidance=[rule]))
    seen = observation(1, "discovery", said, tags=["cache", "reliability"], importance=9)

    result = outcome(found, seen)
    approved = consolidate(found, story(seen), approved=True)

    (unsure,) = result.waiting
    assert (result.changed, result.made, result.dropped) == ((), (), ())
    assert unsure.by.record.text == said
    assert [(doubt.name, doubt.text) for doubt in unsure.doubts] == [("PR-001", rule)]
    assert changed(approved, "PR-001").after == unsure.share.after == after


def test_an_observation_waits_while_another_system_may_say_otherwise() -> None:
    doubt = Doubt("sniper:conv-001", "Uploads are never measured", "upload, measured")
    found = replace(memory(), elsewhere=lambda kind, text: (doubt,))

    (made,) = outcome(found, observation(1, "discovery", UPLOAD, importance=9)).made

    assert (made.is_proposed, made.doubts) == (True, (doubt,))


@pytest.mark.parametrize(
    ("first", "second", "merges"),
    [
        pytest.param("abcd efgh ijkl mnop", "abcd efgh ijkl mnop", True, id="the-same"),
        pytest.param("a" * 10, "a" * 10 + "b" * 5, False, id="eighty-percent-is-not-above"),
    ],
)
def test_overlap_has_to_be_strictly_above_eighty_percent(
    first: str, second: str, merges: bool
) -> None:
    found = memory(
        principle("PR-001", UPLOAD, guidance=[first]),
        principle("PR-002", THUMBS, guidance=[second]),
    )

    result = outcome(found, observation(1, "discovery", "Nothing of note", importance=1))

    assert bool(result.alike) is merges


_AP_TWINS = tuple(
    anti_pattern(name, BUCKET, recommended_approach="Ask the storage")
    for name in ("AP-001", "AP-002")
)


@pytest.mark.parametrize(
    "twins",
    [
        pytest.param(_AP_TWINS, id="ap"),
        pytest.param((procedure("PC-001", WORK), procedure("PC-002", WORK)), id="pc"),
    ],
)
def test_other_stores_are_merged_by_text_and_archive_the_one_that_leaves(
    twins: tuple[dict[str, Any], ...],
) -> None:
    result = outcome(memory(*twins), observation(1, "discovery", "Nothing of note", importance=1))

    (merged,) = result.merged
    assert merged.stays.record.id.endswith("-001")
    assert changed(result, merged.leaves.record.id).fate == "archived"


def test_above_a_cap_the_least_sure_go_first_and_then_the_oldest() -> None:
    rules = settings(max_principles=2)
    found = memory(
        principle("PR-001", UPLOAD, confidence=0.9),
        principle("PR-002", THUMBS, confidence=0.5, created="2026-02-01"),
        principle("PR-003", BUCKET, confidence=0.5, created="2026-01-01"),
        rules=rules,
    )

    result = outcome(
        found,
        observation(1, "discovery", "Ports above 9000 are taken on the build hosts", importance=8),
    )

    assert [each.entry.record.id for each in result.changed] == ["PR-002", "PR-003"]
    assert {each.fate for each in result.changed} == {"archived"}
    assert len(result.made) == 1


def test_what_is_archived_never_returns_on_its_own() -> None:
    found = memory(principle("PR-001", UPLOAD, status="archived", confidence=0.15))

    result = outcome(
        found,
        check(1, "PR-001"),
        observation(2, "discovery", UPLOAD, importance=10, tags=["reliability"]),
    )

    assert (result.changed, result.made) == ((), ())
    assert [each.why for each in result.dropped] == [
        "`PR-001` is archived; restore it if it is still true",
        "`PR-001` says it but is archived; restore it if it is still true",
    ]


def test_what_was_rejected_or_waits_is_not_made_again() -> None:
    found = memory(rejected=[UPLOAD], proposed=[THUMBS.lower()])

    result = outcome(
        found,
        observation(1, "discovery", UPLOAD, importance=9),
        observation(2, "discovery", THUMBS, importance=5),
    )

    assert result.made == ()
    assert [each.why for each in result.dropped] == [
        "it was rejected before: too specific",
        "a proposal says it, which now names this story too",
    ]


def test_a_story_that_says_a_thing_twice_makes_one_entry_with_two_sources() -> None:
    result = outcome(
        memory(),
        observation(1, "discovery", UPLOAD, importance=4),
        observation(2, "discovery", f"{UPLOAD}!", importance=9),
    )

    (made,) = result.made
    assert (made.is_proposed, made.confidence, made.fields["source_count"]) == (False, 0.6, 2)


def test_a_check_of_an_unknown_entry_is_left_out_and_can_count_later() -> None:
    found, told = (
        memory(),
        story(check(1, "PR-404"), observation(2, "discovery", "x", importance=1)),
    )

    result = consolidate(found, told)

    assert [each.why for each in result.left_out] == ["it names `PR-404`, which does not exist"]
    assert [each.name for each in counted_by(told, result)] == ["OB-002"]


def test_without_a_tag_among_the_categories_one_is_assumed_and_told() -> None:
    (made,) = outcome(memory(), observation(1, "discovery", UPLOAD, importance=8)).made

    assert made.fields["categories"] == ["maintainability"]
    assert made.notes == ("no tag of `OB-001` is a category; `maintainability` is assumed",)


def test_at_most_three_categories_and_five_sentences_are_taken() -> None:
    text = "One is done. Two is done. Three is done. Four is done. Five is done. Six is done."
    tags = ["security", "cost", "usability", "correctness"]

    (made,) = outcome(memory(), observation(1, "discovery", text, importance=8, tags=tags)).made

    assert made.fields["categories"] == ["security", "cost", "usability"]
    assert made.fields["guidance"] == text.replace(". ", ".\n").splitlines()[:5]


def test_a_text_that_is_too_long_for_a_principle_is_cut_between_sentences() -> None:
    text = " ".join(
        f"Sentence {n} says that the importer waits for its lock." for n in range(1, 20)
    )

    (made,) = outcome(memory(), observation(1, "discovery", text, importance=8)).made

    assert 400 < len(made.text) <= 500
    assert made.text.endswith("its lock.")


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Use a lock, e.g. a file. Then go on.", ("Use a lock, e.g. a file.", "Then go on.")),
        ("Version 1.2 holds it", ("Version 1.2 holds it",)),
        ("One\nline. Two?  Three!", ("One line.", "Two?", "Three!")),
        ("", ()),
    ],
)
def test_a_text_is_split_where_sentences_end(text: str, sentences: tuple[str, ...]) -> None:
    assert sentences_of(text) == sentences


def test_a_store_far_beyond_its_cap_is_not_compared_with_itself() -> None:
    rules = settings(max_principles=10_000)
    names = [f"PR-{n:03d}" for n in range(1, MANY + 2)]
    many = [principle(name, f"Rule {name} holds", guidance=["Ask"]) for name in names]

    result = outcome(memory(*many, rules=rules), check(1, "PR-001"), check(2, "PR-002"))

    assert [each.leaves.record.id for each in result.alike] == ["PR-002"]
