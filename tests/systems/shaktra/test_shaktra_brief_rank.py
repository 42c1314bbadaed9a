"""What a story is briefed with is counted, and every number of it can be told."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remem.model.entry import Entry, Ref, Status, WholeFile
from remem.model.prompt import Reason
from remem.systems.shaktra.brief.rank import (
    Held,
    Judge,
    Matched,
    Said,
    best_of,
    rank,
    said_by,
    tier_of,
)
from remem.systems.shaktra.brief.story import STOP_WORDS, Story, read_story
from remem.systems.shaktra.records import AntiPattern, MemorySettings, Principle, Procedure, Stored

SETTINGS = MemorySettings()
REFUNDS = Story("ST-040", title="Refunds through the webhook", tags=("payment",))


STATUSES = [status for status in Status if status not in {Status.FINDING, Status.IGNORED}]
"""Those of an entry in a store; a finding never stands there."""


def principle(number: int = 1, confidence: float = 0.6, **fields: Any) -> Principle:
    given: dict[str, Any] = {"text": "Nothing in common", "tags": ("webhook",), **fields}
    return Principle(id=f"PR-{number:03}", confidence=confidence, **given)


def held(record: Stored, status: Status = Status.ACTIVE, *, twin: int = 0) -> Held:
    ref = Ref("shaktra", record.id, "shop", twin)
    entry = Entry(ref, record.kind, record.says, status, WholeFile(Path("store.yml")), "")
    return Held(entry, record, said_by(record))


def matched_by(story: Story, said: Said) -> Matched:
    return Judge(story, SETTINGS, "tdd").match(said)


def ids_of(entries: Sequence[Held], story: Story = REFUNDS, **more: str) -> list[str]:
    return [each.held.record.id for each in rank(story, entries, SETTINGS, **more).chosen]


@pytest.mark.parametrize(
    ("story", "keywords"),
    [
        pytest.param(Story("s", title="Pay for it now"), (), id="three letters are too few"),
        pytest.param(Story("s", title="Book the fare"), ("book", "fare"), id="four are enough"),
        pytest.param(Story("s", title="With these from here"), (), id="stop words"),
        pytest.param(Story("s", title="Login login LOGIN"), ("login",), id="distinct, case folded"),
        pytest.param(Story("s", description="a 4004 b2b2"), (), id="digits are no letters"),
        pytest.param(
            Story("s", title="pre-commit"), ("commit", "pre-commit"), id="joined words and parts"
        ),
        pytest.param(Story("s", files=("src/db.py",)), ("db",), id="a file's stem, however short"),
        pytest.param(
            Story("s", files=("app/user_mail.test.py",)),
            ("mail", "test", "user", "user_mail"),
            id="a stem is joined words",
        ),
        pytest.param(Story("s", files=("src/**/*.py", "../..")), (), id="patterns have no stem"),
        pytest.param(Story("s", tags=("Crème",)), ("crème",), id="any alphabet"),
    ],
)
def test_keywords_are_the_words_that_say_something(story: Story, keywords: tuple[str, ...]) -> None:
    assert story.keywords == keywords


def test_a_story_is_read_from_title_description_criteria_tags_and_files() -> None:
    told = {
        "id": "ST-001",
        "title": "Alpha",
        "description": "bravo",
        "acceptance_criteria": [{"id": "AC-1", "given": "charlie", "priority": "must"}, "delta"],
        "tags": ["echoes"],
        "files": ["src/foxtrot.py"],
        "notes": "golfing is not looked at",
    }

    story = read_story("ST-001", told)

    assert story.keywords == ("alpha", "bravo", "charlie", "delta", "echoes", "foxtrot")


@pytest.mark.parametrize("value", [None, [], "text", {"title": 7, "files": {"a": None}}, {1: 2}])
def test_a_story_of_another_shape_says_what_it_can(value: object) -> None:
    assert read_story("ST-001", value).id == "ST-001"


def test_what_is_given_takes_the_place_of_what_the_file_says() -> None:
    story = REFUNDS.told(title="Invoices", files=("src/print.py",))

    assert story.keywords == ("invoices", "payment", "print")


@pytest.mark.parametrize(
    ("record", "semantic"),
    [
        pytest.param(principle(tags=("webhook",)), 2, id="a tag counts two"),
        pytest.param(principle(tags=("Webhook ",)), 2, id="tags as they are compared"),
        pytest.param(principle(tags=(), categories=("payment",)), 2, id="so does a category"),
        pytest.param(principle(tags=(), text="About refunds"), 1, id="a word counts one"),
        pytest.param(
            principle(tags=(), guidance=("Answer the webhook",)), 1, id="guidance is text"
        ),
        pytest.param(
            principle(tags=("webhook",), text="The webhook"), 2, id="one keyword counts once"
        ),
        pytest.param(principle(tags=(), text="A refundsman"), 0, id="parts of words count nothing"),
        pytest.param(principle(tags=("webhook", "payment"), text="refunds"), 5, id="they add up"),
        pytest.param(principle(tags=("web",)), 0, id="no matches"),
    ],
)
def test_semantic_is_two_for_a_name_and_one_for_a_word(record: Stored, semantic: int) -> None:
    assert matched_by(REFUNDS, said_by(record)).semantic == semantic


def test_semantic_ends_at_ten() -> None:
    words = ("alpha", "bravo", "charlie", "delta", "echoes", "foxtrot")
    story = Story("s", tags=words)

    assert matched_by(story, said_by(principle(tags=words))).semantic == 10


@pytest.mark.parametrize(
    ("triggers", "semantic"),
    [
        pytest.param(("through the",), 8, id="a substring of the story's text"),
        pytest.param(("THROUGH THE",), 8, id="case ignored"),
        pytest.param(("ugh th",), 8, id="not only whole words"),
        pytest.param(("webhook",), 8, id="a trigger that is a keyword counts as both"),
        pytest.param(("", "  "), 0, id="an empty one triggers nothing"),
        pytest.param(("by telegram",), 0, id="one that is not said"),
    ],
)
def test_a_trigger_lifts_an_anti_pattern_to_eight(triggers: tuple[str, ...], semantic: int) -> None:
    record = AntiPattern(id="AP-001", failed_approach="Another thing", trigger_patterns=triggers)

    assert matched_by(REFUNDS, said_by(record)).semantic == semantic


def test_a_trigger_does_not_pull_down_what_matches_more() -> None:
    words = ("alpha", "bravo", "charlie", "delta", "echoes")
    record = AntiPattern(id="AP-001", failed_approach="x", tags=words, trigger_patterns=("alpha",))

    assert matched_by(Story("s", tags=words), said_by(record)).semantic == 10


def test_the_score_is_semantic_times_confidence() -> None:
    (only,) = rank(REFUNDS, [held(principle(confidence=0.76))], SETTINGS).chosen

    assert only.score == 1.52


@pytest.mark.parametrize(
    ("confidence", "is_in"),
    [pytest.param(0.4, True, id="at the threshold"), pytest.param(0.3999, False, id="below it")],
)
def test_a_briefing_begins_at_the_threshold(confidence: float, is_in: bool) -> None:
    ranking = rank(REFUNDS, [held(principle(confidence=confidence))], SETTINGS)

    assert bool(ranking.chosen) is is_in
    assert [verdict.reason for verdict in ranking.out] == ([] if is_in else [Reason.CONFIDENCE])


@pytest.mark.parametrize("status", [s for s in STATUSES if s is not Status.ACTIVE])
def test_only_what_is_in_force_is_briefed(status: Status) -> None:
    ranking = rank(REFUNDS, [held(principle(), status)], SETTINGS)

    assert [verdict.reason for verdict in ranking.out] == [Reason.STATUS]
    assert ranking.active == 0


@pytest.mark.parametrize(
    ("applies_to", "workflow", "is_in"),
    [
        pytest.param(("tdd",), "tdd", True, id="its own workflow"),
        pytest.param(("review",), "tdd", False, id="another one"),
        pytest.param(("general",), "tdd", True, id="general is for every one"),
        pytest.param(("review", "Bugfix "), "bugfix", True, id="one of several"),
        pytest.param((), "tdd", True, id="none is named"),
    ],
)
def test_procedures_are_for_their_workflow(
    applies_to: tuple[str, ...], workflow: str, is_in: bool
) -> None:
    record = Procedure(id="PC-001", text="Try it", tags=("webhook",), applies_to=applies_to)

    ranking = rank(REFUNDS, [held(record)], SETTINGS, workflow)

    assert bool(ranking.chosen) is is_in
    assert [verdict.reason for verdict in ranking.out] == ([] if is_in else [Reason.SCOPE])


def test_what_speaks_of_nothing_in_the_story_is_out() -> None:
    ranking = rank(REFUNDS, [held(principle(tags=()))], SETTINGS)

    assert [verdict.reason for verdict in ranking.out] == [Reason.SCOPE]


def test_all_three_stores_share_one_cap_and_the_best_come_first() -> None:
    tight = MemorySettings(max_briefing_entries=2)
    entries = [
        held(principle(1, 0.5)),
        held(AntiPattern(id="AP-001", failed_approach="x", tags=("webhook",), confidence=0.9)),
        held(Procedure(id="PC-001", text="y", tags=("webhook",), confidence=0.7)),
    ]

    ranking = rank(REFUNDS, entries, tight)

    assert [each.held.record.id for each in ranking.chosen] == ["AP-001", "PC-001"]
    (out,) = ranking.out
    assert out.reason is Reason.LIMIT
    assert "it scores 1, and 2 others rank higher" in out.detail


def test_equal_scores_go_by_confidence_and_then_by_id() -> None:
    two_and_low = principle(10, 0.4, tags=(), text="refunds, webhook, payment")  # 3 x 0.4
    one_and_high = principle(9, 0.6, tags=("webhook",))  # 2 x 0.6
    same = principle(2, 0.6, tags=("payment",))

    assert ids_of([held(two_and_low), held(one_and_high), held(same)]) == [
        "PR-002",
        "PR-009",
        "PR-010",
    ]


@pytest.mark.parametrize(
    ("active", "tier"), [(0, 1), (100, 1), (101, 2), (500, 2), (501, 3), (10_000, 3)]
)
def test_tiers_begin_above_their_bounds(active: int, tier: int) -> None:
    assert tier_of(active, SETTINGS) == tier


def test_without_a_story_the_surest_come_first() -> None:
    few = MemorySettings(max_briefing_entries=2)
    entries = [held(principle(n, c)) for n, c in ((3, 0.5), (2, 0.9), (1, 0.5), (4, 0.39))]

    best, out = best_of(entries, few)

    assert [each.record.id for each in best] == ["PR-002", "PR-001"]
    assert {v.ref.id: v.reason for v in out} == {
        "PR-003": Reason.LIMIT,
        "PR-004": Reason.CONFIDENCE,
    }


@pytest.mark.parametrize(
    ("matched", "sentence"),
    [
        (Matched(names=("mail",)), "It is about mail."),
        (Matched(words=("mail", "user")), "Its text mentions mail and user."),
        (
            Matched(triggers=("raw\nSQL",), names=("a", "b", "c"), words=("d",)),
            'Triggered by "raw SQL" in the story; it is about a, b and c; its text mentions d.',
        ),
        (
            Matched(words=tuple("abcdefgh")),
            "Its text mentions a, b, c, d, e, f and 2 more words.",
        ),
    ],
)
def test_the_relevance_is_one_sentence_of_what_matched(matched: Matched, sentence: str) -> None:
    assert matched.relevance == sentence


WORDS = st.sampled_from(["webhook", "payment", "refunds", "ledger", "mail", "sql", "raw sql", ""])
CONFIDENCES = st.sampled_from([0.0, 0.1, 0.39, 0.4, 0.5, 0.6, 0.7, 0.8, 1.0])
RECORDS = st.one_of(
    st.builds(
        Principle,
        id=st.integers(1, 30).map("PR-{:03}".format),
        text=WORDS,
        tags=st.lists(WORDS, max_size=3).map(tuple),
        confidence=CONFIDENCES,
    ),
    st.builds(
        AntiPattern,
        id=st.integers(1, 30).map("AP-{:03}".format),
        failed_approach=WORDS,
        trigger_patterns=st.lists(WORDS, max_size=2).map(tuple),
        confidence=CONFIDENCES,
    ),
)
ENTRIES = st.lists(
    st.builds(held, RECORDS, st.sampled_from(STATUSES)),
    max_size=25,
    unique_by=lambda h: h.record.id,
)


@settings(max_examples=60, deadline=None)
@given(entries=ENTRIES, most=st.integers(0, 6), data=st.data())
def test_the_ranking_is_total_stable_and_capped(
    entries: list[Held], most: int, data: st.DataObject
) -> None:
    capped = MemorySettings(max_briefing_entries=most)
    story = Story("s", title="Refunds by raw sql", tags=("payment", "mail"))

    ranking = rank(story, entries, capped)
    shuffled = rank(story, data.draw(st.permutations(entries)), capped)

    assert [each.held.entry.ref for each in ranking.chosen] == [
        each.held.entry.ref for each in shuffled.chosen
    ]
    assert len(ranking.chosen) <= most
    told = [each.held.entry.ref for each in ranking.chosen] + [v.ref for v in ranking.out]
    assert sorted(told) == sorted(each.entry.ref for each in entries)
    scores = [each.score for each in ranking.chosen]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < each.matched.semantic <= 10 for each in ranking.chosen)


@settings(max_examples=60, deadline=None)
@given(text=st.text("abcdefg -_'’.é1 ", max_size=60))
def test_keywords_stand_in_the_story_and_are_no_stop_words(text: str) -> None:
    story = Story("s", description=text)

    assert all(word in story.text for word in story.keywords)
    assert not STOP_WORDS & {*story.keywords}
    assert list(story.keywords) == sorted({*story.keywords})


@pytest.mark.parametrize(
    ("title", "entry"),
    [
        ("Improve emails", principle(text="Every email is validated once", tags=())),
        ("Validating of addresses", principle(text="Email validation lies at the border", tags=())),
        ("Plan the retries", principle(text="Nothing in common", tags=("retry",))),
    ],
)
def test_words_with_other_endings_are_the_same_word(title: str, entry: Principle) -> None:
    assert ids_of([held(entry)], Story("ST-041", title=title)) == ["PR-001"]


def test_words_that_only_begin_alike_are_not() -> None:
    entry = principle(text="The planet turns", tags=())

    assert ids_of([held(entry)], Story("ST-041", title="Plan the work")) == []
