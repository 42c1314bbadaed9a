"""What the rules make of a retro by themselves, and how a person overrides it."""

from __future__ import annotations

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.bench.measure import in_turns, worked
from tests.retro_files import (
    CONFIG,
    bytes_below,
    decided,
    ingested,
    memory_of,
    mistake,
    path_of,
    retro,
    rule,
)
from tests.sniper_files import ANTI_PATTERNS, CONVENTIONS, carry_out, open_shop, project, write

from remem.base.errors import NotPossible, Refused, RememError, UnknownRef
from remem.core.library import Library
from remem.core.prompt.compose import compose
from remem.core.prompt.counter import Estimate
from remem.core.verbs.verbs import plan
from remem.core.waiting.item import Item, Why
from remem.core.waiting.queue import queue
from remem.core.waiting.rejected import rejections
from remem.model.change import Intent
from remem.model.entry import Entry, Status
from remem.model.prompt import Ask
from remem.systems.sniper.retro.retro_ingest import Fate, judge, retro_at
from remem.views.review.retro import heads_of

RULE = "Every queue consumer is idempotent"
MISTAKE = "Reading the clock inside domain code"


def only(library: Library, kind: str = "convention") -> Entry:
    (entry,) = library.of_kind(kind)
    return entry


def fields_of(library: Library, entry: Entry) -> Any:
    return library.format_of(entry).reader.fields(library.source_of(entry), entry)


def fates(library: Library, sprint: int) -> list[Fate]:
    return [each.fate for each in judge(library, retro_at(library, path_of(sprint)))]


def items_of(library: Library, reason: Why) -> list[Item]:
    return [item for item in queue(library) if item.reason is reason]


def test_criterion_2_a_retro_is_read_into_its_categories(tmp_path: Path) -> None:
    data = retro(
        5,
        new_conventions=[rule(RULE)],
        new_anti_patterns=[mistake(MISTAKE)],
        review_gate_failures=[
            {"check": "errors", "failures": 2, "pattern": "No timeout on calls to the port"}
        ],
        estimation_calibration={
            "overestimates": ["SHOP-1"],
            "underestimates": ["SHOP-2"],
            "patterns": ["Stories with a port take +30%"],
        },
        positive_patterns=["Pairing on the importer"],
    )
    library = project(tmp_path, {path_of(5): data})

    (head,) = heads_of(library, {"sprint-5-retro"}).values()

    assert head.found == {
        "new conventions": 1,
        "anti-patterns": 1,
        "gate failures": 1,
        "estimation": 3,
        "positive patterns": 1,
    }
    assert (head.completed, head.carried_over) == (6, 1)
    assert [fate is Fate.NOTE for fate in fates(library, 5)] == [False] * 3 + [True] * 4


def test_criterion_3_codify_with_high_confidence_is_added_by_itself(tmp_path: Path) -> None:
    library = project(tmp_path, {path_of(5): retro(5, new_conventions=[rule(RULE)])})

    after = ingested(library, 5)

    entry = only(after)
    fields = fields_of(after, entry)
    assert (entry.title, entry.status, fields["status"]) == (RULE, Status.ACTIVE, "confirmed")
    assert fields["source"] == {"type": "retro", "ref": "sprint-5-retro", "date": "2026-06-04"}
    assert (fields["rationale"], fields["enforcement"]) == ("5 of 6 stories", "both")
    assert fields["applies_to"] == ["backend-engineer"]
    assert (tmp_path / "shop/.sniper/memory/summary.md").read_text().startswith("<!-- generated")


def test_criterion_8_a_layer_over_its_budget_drops_the_least_urgent_first(tmp_path: Path) -> None:
    found = [mistake(_long(f"High {n}"), ("A", "B", "C"), severity="high") for n in range(4)]
    found += [mistake(_long(f"Low {n}", 400), ("A", "B", "C"), severity="low") for n in range(8)]
    findings = {
        "new_anti_patterns": found,
        "new_conventions": [rule(_long(f"Rule {n}")) for n in range(30)],
    }
    library = ingested(project(tmp_path, {path_of(5): retro(5, **findings)}), 5)
    ask = Ask(role="backend-engineer")

    prompt = compose(library, ask, Estimate())

    first = {True: list[str](), False: list[str]()}
    for verdict in prompt.verdicts:
        first[verdict.is_in].append(library.entry(verdict.ref).title.split()[0])
    assert first[True].count("High") == 4
    assert set(first[True]) == {"High", "Rule"}
    assert first[False].count("Low") == 8
    assert sum(layer.tokens for layer in prompt.layers) <= 2000


def _long(start: str, length: int = 60) -> str:
    """Return a text of so many words that is like no other one."""
    random = Random(start)
    words = ("".join(random.choices("abcdefghij", k=6)) for _ in range(length))
    return f"{start} {' '.join(words)}"


def test_medium_confidence_becomes_a_candidate(tmp_path: Path) -> None:
    findings = {"new_conventions": [rule(RULE, "medium")], "new_anti_patterns": [mistake(MISTAKE)]}
    library = ingested(project(tmp_path, {path_of(5): retro(5, **findings)}), 5)

    assert only(library).status is Status.CANDIDATE
    assert only(library, "anti_pattern").status is Status.CANDIDATE
    assert fields_of(library, only(library, "anti_pattern"))["source"]["story"] == "SHOP-1"
    assert items_of(library, Why.ADDED) == []


@pytest.mark.parametrize("recommendation", ["codify", "monitor"])
def test_one_more_occurrence_lifts_a_candidate(tmp_path: Path, recommendation: str) -> None:
    first = retro(5, new_conventions=[rule(RULE, "medium")])
    second = retro(6, new_conventions=[rule(f"{RULE}.", "medium", recommendation)])
    library = project(tmp_path, {path_of(5): first, path_of(6): second})

    after = ingested(ingested(library, 5), 6)

    assert only(after).status is Status.ACTIVE
    assert [one["ref"] for one in fields_of(after, only(after))["seen"]] == ["sprint-6-retro"]
    assert [item.title for item in items_of(after, Why.ADDED)] == [RULE]


def test_a_gate_failure_lifts_a_candidate_only_in_a_later_sprint(tmp_path: Path) -> None:
    failed = [{"check": "clock", "pattern": MISTAKE, "failures": 1}]
    files: dict[str, str | bytes] = {
        path_of(5): retro(5, new_anti_patterns=[mistake(MISTAKE)]),
        path_of(4): retro(4, review_gate_failures=failed),
        path_of(6): retro(6, review_gate_failures=failed),
    }
    library = ingested(project(tmp_path, files), 5)

    earlier = ingested(library, 4)
    later = ingested(earlier, 6)

    assert earlier is library
    assert only(later, "anti_pattern").status is Status.ACTIVE


@pytest.mark.parametrize("recommendation", ["monitor", "ignore", None])
def test_what_is_not_recommended_stays_in_the_retro(
    tmp_path: Path, recommendation: str | None
) -> None:
    item = rule(RULE)
    item["recommendation"] = recommendation
    given_item = {name: value for name, value in item.items() if value is not None}
    library = project(tmp_path, {path_of(5): retro(5, new_conventions=[given_item])})

    assert ingested(library, 5) is library
    assert queue(library) == ()


def test_without_auto_codify_nothing_is_written_and_all_waits(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        path_of(5): retro(5, new_conventions=[rule(RULE)], new_anti_patterns=[mistake(MISTAKE)]),
        CONFIG: "memory: {auto_codify: false}\n",
    }
    library = project(tmp_path, files)

    assert ingested(library, 5) is library
    assert fates(library, 5) == [Fate.WAIT, Fate.WAIT]
    assert [item.title for item in queue(library)] == [RULE, MISTAKE]


def test_a_tracked_gate_failure_is_noted_once_in_its_entry(tmp_path: Path) -> None:
    failed = [{"check": "clock", "pattern": MISTAKE, "failures": 2, "already_tracked": True}]
    store = f'anti_patterns:\n  - id: ap-001   # old\n    description: "{MISTAKE}"\n'
    files: dict[str, str | bytes] = {
        ANTI_PATTERNS: store,
        path_of(5): retro(5, review_gate_failures=failed),
    }

    after = ingested(project(tmp_path, files), 5)
    again = ingested(after, 5)

    assert fields_of(after, only(after, "anti_pattern"))["seen"] == [
        {"ref": "sprint-5-retro", "date": "2026-06-04"}
    ]
    assert (tmp_path / "shop" / ANTI_PATTERNS).read_text().startswith(store)
    assert again is after


def test_an_untracked_gate_failure_waits_as_an_anti_pattern(tmp_path: Path) -> None:
    failed = [{"check": "clock", "pattern": MISTAKE, "failures": 3}]
    library = project(tmp_path, {path_of(5): retro(5, review_gate_failures=failed)})

    assert ingested(library, 5) is library
    (item,) = queue(library)
    assert (item.reason, item.kind) == (Why.GATE_FAILURE, "anti_pattern")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Every queue consumers is idempotent", id="near"),
        pytest.param("Every queue consumer is not idempotent", id="contradicting"),
        pytest.param("Deploy with \x1b[31mcare", id="escape"),
        pytest.param("Ports are opened\u202e slowly", id="hidden"),
        pytest.param("Use the key " + "AKIA" + "Q3EXRTYUJ2KLMN7P to deploy", id="secret"),
    ],
)
def test_what_a_person_has_to_see_waits(tmp_path: Path, text: str) -> None:
    store = f'conventions:\n  - id: conv-001\n    rule: "{RULE}"\n'
    library = project(
        tmp_path, {CONVENTIONS: store, path_of(5): retro(5, new_conventions=[rule(text)])}
    )

    assert ingested(library, 5) is library
    assert fates(library, 5) == [Fate.WAIT]
    assert [item.group for item in queue(library)] == ["sprint-5-retro"]


def test_a_retro_that_says_the_same_twice_adds_it_once(tmp_path: Path) -> None:
    found = [rule(RULE), rule(f"{RULE}."), rule("Every queue consumers is idempotent")]
    library = project(tmp_path, {path_of(5): retro(5, new_conventions=found)})

    assert fates(library, 5) == [Fate.CONFIRM, Fate.KNOWN, Fate.WAIT]
    assert only(ingested(library, 5)).title == RULE


def test_approving_what_was_ingested_takes_only_the_mark_off(tmp_path: Path) -> None:
    library = ingested(project(tmp_path, {path_of(5): retro(5, new_conventions=[rule(RULE)])}), 5)
    (item,) = items_of(library, Why.ADDED)
    before = (tmp_path / "shop" / CONVENTIONS).read_text()

    after = decided(library, "approve", only(library))

    text = (tmp_path / "shop" / CONVENTIONS).read_text()
    assert (item.suggested, item.group) == ("approve", "sprint-5-retro")
    assert before.startswith(text.rstrip("\n"))
    assert "auto" not in text
    assert queue(after) == ()


def test_approving_what_was_ingested_keeps_every_story_it_was_met_in(tmp_path: Path) -> None:
    found = [mistake(MISTAKE, ("SHOP-1", "SHOP-5", "SHOP-8"), confidence="high")]
    library = ingested(project(tmp_path, {path_of(5): retro(5, new_anti_patterns=found)}), 5)
    (before,) = fields_of(library, only(library, "anti_pattern"))["seen"]

    after = decided(library, "approve", only(library, "anti_pattern"))

    (place,) = fields_of(after, only(after, "anti_pattern"))["seen"]
    assert before == {**place, "auto": True}
    assert place["stories"] == ["SHOP-1", "SHOP-5", "SHOP-8"]


def test_rejecting_what_was_ingested_takes_it_out_and_says_why(tmp_path: Path) -> None:
    library = ingested(project(tmp_path, {path_of(5): retro(5, new_conventions=[rule(RULE)])}), 5)

    after = decided(library, "reject", only(library), reason="a tool does it")

    assert [*after.of_kind("convention")] == []
    (kept,) = rejections(after).values()
    assert (kept.text, kept.reason, kept.source) == (RULE, "a tool does it", "sprint-5-retro")
    assert ingested(after, 5) is after


def test_merging_what_was_ingested_leaves_no_mark(tmp_path: Path) -> None:
    store = 'conventions:\n  - id: conv-001\n    rule: "Names are verbs"\n'
    files: dict[str, str | bytes] = {
        CONVENTIONS: store,
        path_of(5): retro(5, new_conventions=[rule(RULE)]),
    }
    library = ingested(project(tmp_path, files), 5)
    (new,) = (entry for entry in library.of_kind("convention") if entry.title == RULE)

    after = decided(library, "merge", new, into="sniper:conv-001")

    assert fields_of(after, only(after))["seen"] == [
        {
            "ref": "sprint-5-retro",
            "date": "2026-06-04",
            "said": RULE,
            "evidence": "5 of 6 stories",
        }
    ]
    assert queue(after) == ()
    assert ingested(after, 5) is after


def test_a_finding_that_was_merged_leaves_the_queue(tmp_path: Path) -> None:
    store = f'conventions:\n  - id: conv-001\n    rule: "{RULE}"\n'
    found = [rule("Every queue consumers is idempotent"), rule("Ports are slow", "medium")]
    library = project(tmp_path, {CONVENTIONS: store, path_of(5): retro(5, new_conventions=found)})

    for item in queue(library):
        library = decided(library, "merge", library.entry(item.ref), into="sniper:conv-001")

    seen = fields_of(library, only(library))["seen"]
    assert [one["said"] for one in seen] == [each["rule"] for each in found]
    assert queue(library) == ()
    assert ingested(library, 5) is library


def test_a_bare_list_remembers_where_its_entries_were_met(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        CONVENTIONS: "- id: conv-001\n  text: Names are verbs\n  source: manual\n",
        path_of(5): retro(5, new_conventions=[rule(RULE), rule("Ports are slow", "medium")]),
    }

    after = ingested(project(tmp_path, files), 5)

    assert ingested(after, 5) is after
    assert [item.reason for item in queue(after)] == [Why.CANDIDATE, Why.ADDED]


def test_everything_that_a_retro_brings_is_one_change(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        CONVENTIONS: f"conventions:\n  - {{id: conv-001, rule: {RULE}, status: candidate}}\n",
        path_of(5): retro(
            5,
            new_conventions=[rule(RULE, "medium"), rule("Ports are slow")],
            new_anti_patterns=[mistake(MISTAKE)],
        ),
    }
    library = project(tmp_path, files)

    change = plan(library, Intent("retro.ingest", {}, {"path": path_of(5)}))

    assert change.title == "Ingest sprint-5-retro (1 confirmed, 1 kept, 1 promoted)"
    assert sorted(ref.id for ref in change.touched) == ["ap-001", "conv-001", "conv-002"]
    assert [ref.id for ref in change.intent.shown] == ["conv-001"]


BROKEN = {
    "not YAML": (b"sprint: 5\nfindings: [\n", "sprint-5-retro.yaml"),
    "half written": (
        retro(5, new_conventions=[rule(RULE)]).partition(b" stories")[0],
        "sprint-5-retro.yaml:",
    ),
    "no retro": (b"name: Priya\n", "sprint-5-retro.yaml"),
    "a list": (b"- one\n", "sprint-5-retro.yaml"),
    "another sprint": (retro(6, new_conventions=[rule(RULE)]), "sprint-5-retro.yaml:1"),
    "too many": (
        retro(5, positive_patterns=["x"] * 10_001, new_conventions=[rule(RULE)]),
        "sprint-5-retro.yaml:",
    ),
    "far too many": (
        retro(5, new_conventions=[rule(f"{RULE} {n}") for n in range(10_000)]),
        "sprint-5-retro.yaml",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_retro_is_refused_with_place_and_remedy(tmp_path: Path, name: str) -> None:
    data, place = BROKEN[name]
    library = project(tmp_path, {path_of(5): data})
    before = bytes_below(tmp_path)

    with pytest.raises(Refused, match="nothing was added") as caught:
        plan(library, Intent("retro.ingest", {}, {"path": path_of(5)}))

    assert place in str(caught.value)
    assert caught.value.hint
    assert bytes_below(tmp_path) == before


def test_a_retro_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnknownRef, match="no retro at"):
        plan(project(tmp_path, {}), Intent("retro.ingest", {}, {"path": path_of(5)}))


def test_findings_without_text_and_unknown_categories_are_problems_with_a_line(
    tmp_path: Path,
) -> None:
    data = (
        b"sprint: 5\nfindings:\n  new_conventions:\n"
        b'    - {rule: "", recommendation: codify, confidence: high}\n'
        b"    - {recommendation: codify, confidence: high}\n"
        b'    - {rule: "Ports are slow", recommendation: codify, confidence: high}\n'
        b"  new_ideas:\n    - buy a boat\n"
    )
    library = project(tmp_path, {path_of(5): data})

    after = ingested(library, 5)

    found = retro_at(library, path_of(5))
    every = [*found.problems, *(p for entry in found.entries for p in entry.problems)]
    assert {problem.line for problem in every} >= {4, 5, 7}
    assert all(problem.hint for problem in every)
    assert only(after).title == "Ports are slow"


TEXTS = [
    "Every queue consumer is idempotent",
    "Services log one line for each request",
    "Boards show the age of what they show",
    "Migrations run twice without harm",
    "Amounts are whole cents",
    "Never hold a lock over a call to a port",
]
findings = st.lists(
    st.builds(
        rule,
        st.sampled_from([*TEXTS, *(text.upper() for text in TEXTS), "", "a\u200bb"]),
        st.sampled_from(["high", "medium", "low"]),
        st.sampled_from(["codify", "monitor", "ignore", "perhaps"]),
    ),
    max_size=6,
)
failures = st.lists(
    st.builds(
        lambda text, tracked: {"pattern": text, "check": "c", "already_tracked": tracked},
        st.sampled_from(TEXTS),
        st.booleans(),
    ),
    max_size=2,
)


@settings(max_examples=25)
@given(first=findings, second=findings, failed=failures)
def test_ingesting_again_changes_nothing(
    first: list[dict[str, Any]], second: list[dict[str, Any]], failed: list[dict[str, Any]]
) -> None:
    with TemporaryDirectory() as name:
        root = Path(name)
        files: dict[str, str | bytes] = {
            path_of(5): retro(5, new_conventions=first, review_gate_failures=failed),
            path_of(6): retro(6, new_conventions=second, review_gate_failures=failed),
        }
        library = project(root, files)
        for sprint in (5, 6, 5, 6):
            library = ingested(library, sprint)
            before = bytes_below(root)

            again = ingested(library, sprint)

            assert again is library
            assert bytes_below(root) == before


@settings(max_examples=15)
@given(
    texts=st.permutations(TEXTS),
    cut=st.integers(1, 5),
    confidence=st.lists(st.sampled_from(["high", "medium"]), min_size=6, max_size=6),
)
def test_the_order_of_two_retros_on_different_findings_does_not_matter(
    texts: list[str], cut: int, confidence: list[str]
) -> None:
    found = [rule(text, sure) for text, sure in zip(texts, confidence, strict=True)]
    files: dict[str, str | bytes] = {
        path_of(5): retro(5, new_conventions=found[:cut]),
        path_of(6): retro(6, new_conventions=found[cut:]),
    }
    with TemporaryDirectory() as one, TemporaryDirectory() as other:
        forward = ingested(ingested(project(Path(one), files), 5), 6)
        backward = ingested(ingested(project(Path(other), files), 6), 5)

        assert memory_of(forward) == memory_of(backward)
        assert len(memory_of(forward)) == len(texts)


@settings(max_examples=25)
@given(found=findings, number=st.integers(0, 5), sprints=st.permutations([5, 6, 7]))
def test_what_was_rejected_never_comes_back(
    found: list[dict[str, Any]], number: int, sprints: list[int]
) -> None:
    with TemporaryDirectory() as name:
        root = Path(name)
        data = {path_of(n): retro(n, new_conventions=found) for n in sprints}
        library = ingested(project(root, {path_of(5): data[path_of(5)]}), 5)
        items = queue(library)
        if not items:
            return
        item = items[number % len(items)]
        entry = library.entry(item.ref)
        library = decided(library, "reject", entry, reason="no")

        write(root / "shop", data)
        library = open_shop(root)
        for sprint in sprints:
            library = ingested(library, sprint)

        texts = {entry.title.casefold() for entry in library.of_kind("convention")}
        assert item.title.casefold() not in texts
        assert item.title.casefold() not in {each.title.casefold() for each in queue(library)}


def test_a_plan_that_brings_nothing_says_what_the_retro_came_to(tmp_path: Path) -> None:
    library = project(
        tmp_path, {path_of(5): retro(5, new_conventions=[rule(RULE, "high", "monitor")])}
    )

    with pytest.raises(NotPossible, match="nothing new") as caught:
        plan(library, Intent("retro.ingest", {}, {"path": path_of(5)}))

    assert isinstance(caught.value, RememError)
    assert caught.value.hint == "1 watched"


@pytest.mark.slow
def test_a_thousand_findings_cost_at_most_eight_times_what_reading_ten_thousand_entries_does(
    tmp_path: Path,
) -> None:
    random = Random(7)
    vocabulary = ["".join(random.choices("abcdefghijklmnop", k=6)) for _ in range(2_000)]

    def sentence() -> str:
        return " ".join(random.choices(vocabulary, k=random.randint(6, 14)))

    known = [sentence() for _ in range(10_000)]
    row = "  - id: conv-{n:05d}\n    rule: {text}\n    status: {status}\n"
    rows = (
        row.format(n=n, text=text, status="candidate" if n % 20 == 0 else "confirmed")
        for n, text in enumerate(known)
    )
    found = [rule(known[n * 10] if n < 300 else sentence()) for n in range(600)]
    found += [rule(sentence(), "medium", "monitor") for _ in range(400)]
    write(
        tmp_path / "shop",
        {
            CONVENTIONS: "conventions:\n" + "".join(rows),
            path_of(5): retro(5, new_conventions=found),
        },
    )
    told: list[int] = []
    titles: list[str] = []

    def read() -> None:
        library = open_shop(tmp_path)
        assert sum(1 for _ in library.of_kind("convention")) == 10_000

    def hold_against() -> None:
        library = open_shop(tmp_path)
        told.clear()
        judge(library, retro_at(library, path_of(5)), lambda done, total: told.append(done))
        titles.append(plan(library, Intent("retro.ingest", {}, {"path": path_of(5)})).title)

    took, floor = in_turns(3, lambda: worked(hold_against), lambda: worked(read))

    assert {*titles} == {"Ingest sprint-5-retro (300 confirmed, 150 promoted)"}
    assert told == list(range(1, 1_001))
    assert took <= 8 * floor, (took, floor)


def test_a_tracked_gate_failure_counts_for_the_entry_that_its_check_names(tmp_path: Path) -> None:
    failures = [
        {
            "check": check,
            "failures": 2,
            "pattern": f"Met again in {check}",
            "already_tracked": tracked,
        }
        for check, tracked in (("ap-001: clocks", True), ("conv-404", True), ("ap-001", False))
    ]
    stored = "anti_patterns:\n  - {id: ap-001, description: Reading the clock, severity: high}\n"
    library = project(
        tmp_path, {ANTI_PATTERNS: stored, path_of(5): retro(5, review_gate_failures=failures)}
    )

    found = fates(library, 5)
    after = ingested(library, 5)

    assert found == [Fate.COUNT, Fate.WATCH, Fate.WAIT]
    assert fields_of(after, only(after, "anti_pattern"))["seen"] == [
        {"ref": "sprint-5-retro", "date": "2026-06-04", "evidence": "Met again in ap-001: clocks"}
    ]
    assert ingested(after, 5) is after


def test_two_near_findings_of_one_retro_are_seen_as_two(tmp_path: Path) -> None:
    texts = (RULE.replace("Every", "Each"), f"{RULE} now")
    findings = [{**rule(text), "evidence": text} for text in texts]
    stored = f"conventions:\n  - {{id: conv-001, rule: {RULE}}}\n"
    library = project(
        tmp_path, {CONVENTIONS: stored, path_of(5): retro(5, new_conventions=findings)}
    )
    waiting = [e for e in library.entries() if e.kind == "finding"]
    shown = {entry.ref: entry.digest for entry in waiting}

    change = plan(library, Intent("merge", shown, {"into": "sniper:conv-001"}))
    after = carry_out(library, change)

    seen = fields_of(after, only(after))["seen"]
    assert [one["said"] for one in seen] == [*texts]


OPPOSITES = [
    ("Throw errors from services", "Never throw errors from services"),
    (
        "API routes must use Zod to validate request bodies",
        "API routes must not use Zod to validate request bodies, the gateway does",
    ),
    ("The payment client has a timeout of 30 s", "The payment client has a timeout of 5 s"),
    ("All components use named exports, no default exports", "Components use default exports"),
]


@pytest.mark.parametrize(("standing", "found"), OPPOSITES)
def test_what_may_say_the_opposite_of_a_rule_in_force_waits_with_both_texts(
    tmp_path: Path, standing: str, found: str
) -> None:
    stores = {CONVENTIONS: f'conventions:\n  - {{id: conv-001, rule: "{standing}"}}\n'}
    library = project(tmp_path, {path_of(5): retro(5, new_conventions=[rule(found)]), **stores})

    (judged,) = judge(library, retro_at(library, path_of(5)))
    (item,) = queue(library)

    assert judged.fate is Fate.WAIT
    assert standing in judged.why
    assert "conv-001" in judged.why
    assert (item.title, item.suggested) == (found, "")
    assert any(standing in fact for fact in item.evidence)


def test_an_anti_pattern_in_the_words_of_a_rule_in_force_waits(tmp_path: Path) -> None:
    stores = {CONVENTIONS: 'conventions:\n  - {id: conv-001, rule: "Use default exports"}\n'}
    found = {**mistake("Use default exports"), "occurrences": 3}
    library = project(tmp_path, {path_of(5): retro(5, new_anti_patterns=[found]), **stores})

    (judged,) = judge(library, retro_at(library, path_of(5)))

    assert judged.fate is Fate.WAIT
    assert "one requires what the other warns against" in judged.why


def test_a_retro_puts_the_first_of_two_rules_about_one_thing_into_force(tmp_path: Path) -> None:
    both = [rule("Throw errors from services"), rule("Never throw errors from services")]

    assert fates(project(tmp_path, {path_of(5): retro(5, new_conventions=both)}), 5) == [
        Fate.CONFIRM,
        Fate.WAIT,
    ]


def test_a_candidate_that_is_met_again_waits_while_a_rule_in_force_may_oppose_it(
    tmp_path: Path,
) -> None:
    stores = {
        CONVENTIONS: (
            "conventions:\n"
            '  - {id: conv-001, rule: "Throw errors from services"}\n'
            '  - {id: conv-002, rule: "Never throw errors from services", status: candidate,'
            " source: {type: retro, ref: sprint-4-retro}}\n"
        )
    }
    found = rule("Never throw errors from services")
    library = project(tmp_path, {path_of(5): retro(5, new_conventions=[found]), **stores})

    (judged,) = judge(library, retro_at(library, path_of(5)))

    assert judged.fate is Fate.WAIT
    assert {item.suggested for item in queue(library)} == {""}


def test_nothing_goes_into_force_by_itself_while_the_settings_cannot_be_read(
    tmp_path: Path,
) -> None:
    broken = b"memory: {\n auto: x\n"
    found = retro(5, new_conventions=[rule(RULE)])
    library = project(tmp_path, {path_of(5): found, CONFIG: broken})

    (judged,) = judge(library, retro_at(library, path_of(5)))

    assert judged.fate is Fate.WAIT
    assert "cannot be read" in judged.why
