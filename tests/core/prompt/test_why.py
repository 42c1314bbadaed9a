"""Why an entry is in or out, and what would let it in."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.plain_files import Repo

from remem.core.prompt.budget import fill
from remem.core.prompt.counter import Counter
from remem.core.prompt.why import explain
from remem.model.entry import Entry, Ref, Status, WholeFile
from remem.model.prompt import NO_TEXT, Ask, Offer, Piece, Prompt, Reason, Section, Verdict
from remem.views.prompts.prompt import why_lines

WORDS = st.lists(st.sampled_from(["retry", "clock", "queue", "idempotent", "log"]), max_size=9)


def an_entry(name: str) -> Entry:
    ref = Ref("sniper", name)
    return Entry(ref, "convention", name, Status.ACTIVE, WholeFile(Path("store.yaml")), digest="")


def prompt_of(offer: Offer, counter: Counter) -> Prompt:
    layer, verdicts = fill(offer, counter)
    layers = (layer,) if layer is not None else ()
    return Prompt(Ask(role="qa"), counter.encoding, counter.exact, layers, 0, verdicts)


def offer_of(*texts: str, cap: int) -> Offer:
    pieces = tuple(
        Piece(Ref("sniper", f"c-{n}"), f"- {text}", (n,)) for n, text in enumerate(texts, 1)
    )
    return Offer("project memory", pieces, cap=cap)


def is_let_in(offer: Offer, counter: Counter, waiting: Ref, gone: Ref) -> bool:
    kept = tuple(piece for piece in offer.pieces if piece.ref != gone)
    _, after = fill(replace(offer, pieces=kept), counter)
    return next(verdict for verdict in after if verdict.ref == waiting).is_in


def test_an_entry_that_is_in_says_what_it_costs_and_where_it_ranks(counter: Counter) -> None:
    prompt = prompt_of(offer_of("Log JSON", "Freeze time", cap=100), counter)

    found = explain(an_entry("c-2"), prompt)

    assert found.is_in
    assert found.role == "qa"
    assert found.sentences == (
        f"It is in the prompt of `qa` and costs {counter.count('- Freeze time')} tokens",
        "Priority 2 of 2 in project memory",
    )


def test_an_entry_out_for_budget_names_what_is_in_its_way(counter: Counter) -> None:
    first, second = "Log JSON lines to standard output, one a request", "Freeze time"
    offer = offer_of(first, second, "Queues are idempotent", cap=16)
    prompt = prompt_of(offer, counter)

    found = explain(an_entry("c-3"), prompt)

    assert not found.is_in
    assert found.reason is Reason.BUDGET
    assert found.lacked > 0
    assert found.makes_room == (Ref("sniper", "c-1"),)
    assert found.sentences == (
        f"It is not in the prompt of `qa`: {found.lacked} tokens over the budget of 16 tokens",
        "2 entries rank higher",
        "Removing one of these would make room: `sniper:c-1`",
    )


def test_an_entry_larger_than_the_budget_can_only_be_shortened(counter: Counter) -> None:
    prompt = prompt_of(offer_of("one two three four five six seven", cap=3), counter)

    found = explain(an_entry("c-1"), prompt)

    assert found.sentences[-1] == "Shorten it, or raise the budget"
    assert found.makes_room == ()


@settings(
    max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(
    texts=st.lists(WORDS.map(" ".join), min_size=2, max_size=8),
    sections=st.lists(st.sampled_from("abc"), min_size=8, max_size=8).map(sorted),
    always=st.integers(0, 3),
    cap=st.integers(5, 60),
)
def test_what_is_named_lets_it_in_and_where_nothing_is_named_nothing_does(
    counter: Counter, texts: list[str], sections: list[str], always: int, cap: int
) -> None:
    pieces = tuple(
        replace(piece, section=section, always=at < always)
        for at, (piece, section) in enumerate(
            zip(offer_of(*texts, cap=cap).pieces, sections, strict=False)
        )
    )
    headings = {key: Section(key, f"## What {key} stands for") for key in "abc"}
    offer = Offer("memory", pieces, headings, cap=cap, note="Note: some memory was left out.")
    prompt = prompt_of(offer, counter)

    for verdict in prompt.verdicts:
        if verdict.is_in:
            continue
        named = explain(an_entry(verdict.ref.id), prompt).makes_room
        letting = {
            each.ref
            for each in prompt.verdicts
            if each.is_in and is_let_in(offer, counter, verdict.ref, each.ref)
        }
        assert set(named) <= letting
        assert len(named) == min(len(letting), 3)


@pytest.mark.parametrize("reason", [reason for reason in Reason if reason is not Reason.BUDGET])
def test_every_other_reason_comes_with_what_to_do(reason: Reason, counter: Counter) -> None:
    verdicts = (Verdict(Ref("sniper", "c-1"), reason, "it is for reviewers"),)
    prompt = Prompt(Ask(persona="Priya"), counter.encoding, True, (), 0, verdicts)

    found = explain(an_entry("c-1"), prompt)

    assert found.sentences[0] == "It is not in the composed prompt of `Priya`: it is for reviewers"
    assert found.sentences[1].startswith("To include it: ")
    assert not any(sentence.endswith(".") for sentence in found.sentences)


@pytest.mark.parametrize(
    ("status", "remedy"),
    [
        pytest.param(Status.ACTIVE, "fix its citations", id="citation-changed"),
        pytest.param(Status.INVALID, "store the current fact as a new memory", id="invalid"),
    ],
)
def test_a_verified_memory_that_does_not_hold_is_not_to_be_approved(
    status: Status, remedy: str
) -> None:
    entry = replace(an_entry("m-1"), ref=Ref("verified", "m-1"), kind="fact", status=status)
    verdicts = (Verdict(entry.ref, Reason.STATUS, "`a.ts:4-6` changed"),)

    found = explain(entry, Prompt(Ask(), "o200k_base", True, (), 0, verdicts))

    assert found.sentences[-1] == f"To include it: {remedy}"


def test_an_entry_that_no_layer_asks_about_is_out(counter: Counter) -> None:
    found = explain(an_entry("c-1"), Prompt(Ask(), counter.encoding, True, (), 0))

    assert found.sentences == ("Not included: nothing of its file is in the prompt",)


def test_an_entry_that_stands_in_one_of_two_layers_is_in(counter: Counter) -> None:
    ref = Ref("sniper", "c-1")
    verdicts = (Verdict(ref, Reason.LIMIT), Verdict(ref, tokens=7))
    prompt = Prompt(Ask(), counter.encoding, True, (), 0, verdicts)

    assert explain(an_entry("c-1"), prompt).is_in


def test_what_has_no_text_is_to_be_written_and_not_approved(counter: Counter) -> None:
    entry = an_entry("c-1")
    verdict = Verdict(entry.ref, Reason.STATUS, NO_TEXT)
    prompt = replace(prompt_of(offer_of(cap=100), counter), verdicts=(verdict,))

    assert explain(entry, prompt).sentences == (
        "It is not in the prompt of `qa`: it has no text",
        "To include it: write what it says, or remove it",
    )


def test_what_is_out_names_its_reason_once_and_what_is_in_after_its_tokens(tmp_path: Path) -> None:
    rule = "---\npaths: web/**\n---\n- Strict types\n"
    repo = Repo(tmp_path).write({"CLAUDE.md": "- Use tabs\n", ".claude/rules/ts.md": rule})
    library, prompt = repo.library(), repo.start("Claude Code")

    def told(title: str) -> list[str]:
        entry = next(each for each in library.entries() if each.title == title)
        return [line.text for line in why_lines(explain(entry, prompt), library)]

    assert "Reason: `CLAUDE.md` is loaded at startup" in told("Use tabs")
    assert len([line for line in told("Strict types") if "works on `web/**`" in line]) == 1


@pytest.mark.parametrize(
    ("status", "remedy"), [(Status.CANDIDATE, "approve it"), (Status.ARCHIVED, "restore it")]
)
def test_what_is_not_in_force_is_said_to_be_let_in_by_the_one_verb_that_can(
    counter: Counter, status: Status, remedy: str
) -> None:
    entry = replace(an_entry("c-9"), status=status)
    out = Verdict(entry.ref, Reason.STATUS, layer="project memory")
    prompt = replace(prompt_of(offer_of("Log JSON", cap=100), counter), verdicts=(out,))

    found = explain(entry, prompt)

    assert any(f"{remedy}" in each for each in found.sentences)
    assert not any("approve or restore" in each for each in found.sentences)
