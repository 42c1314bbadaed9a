"""What a change does to one prompt."""

from dataclasses import replace

from hypothesis import example, given, settings
from hypothesis import strategies as st

from remem.core.prompt.budget import fill
from remem.core.prompt.counter import Counter
from remem.core.prompt.impact import Impact, impact
from remem.model.entry import Ref
from remem.model.prompt import Ask, Layer, Offer, Piece, Prompt, Reason, Unit, Verdict

A, B, C, D = (Ref("sniper", name) for name in "abcd")


def prompt(*verdicts: Verdict, tokens: int = 10, layers: tuple[Layer, ...] = ()) -> Prompt:
    return Prompt(Ask(role="qa"), "o200k_base", True, layers, tokens, verdicts)


def test_what_found_no_room_is_told_from_what_was_taken_away() -> None:
    before = prompt(Verdict(A), Verdict(B), Verdict(C, Reason.BUDGET), Verdict(D, Reason.STATUS))
    after = prompt(Verdict(A, Reason.BUDGET), Verdict(C), Verdict(D), tokens=14)

    found = impact(before, after)

    assert found == Impact(
        role="qa",
        tokens_before=10,
        tokens_after=14,
        used_before=10,
        used_after=14,
        budget=0,
        pushed_out=(A,),
        let_in=(C,),
        added=(D,),
        removed=(B,),
    )
    assert found.difference == 4


def test_what_changes_beside_the_budget_is_counted_over_the_whole_prompt() -> None:
    held = Layer("memory", (), 18, budget=2_000)
    learnings = Layer("learnings", (), 50)
    before = prompt(Verdict(A), tokens=68, layers=(held, learnings))
    after = prompt(Verdict(A), Verdict(B), tokens=98, layers=(held, replace(learnings, tokens=80)))

    found = impact(before, after)
    same = impact(before, prompt(tokens=70, layers=(replace(held, tokens=20), learnings)))

    assert (found.used_before, found.used_after, found.budget) == (68, 98, 0)
    assert (same.used_before, same.used_after, same.budget) == (18, 20, 2_000)


def test_what_comes_into_force_and_finds_no_room_is_told() -> None:
    before = prompt(Verdict(A), Verdict(B, Reason.STATUS), Verdict(C, Reason.BUDGET))
    after = prompt(
        *(Verdict(A), Verdict(B, Reason.BUDGET), Verdict(C, Reason.BUDGET)),
        Verdict(D, Reason.ROLE),
    )

    found = impact(before, after, [A, B, C, D])

    assert found.no_room == (B,)
    assert found.changes_nothing


def test_equal_prompts_change_nothing() -> None:
    same = prompt(Verdict(A), Verdict(B, Reason.ROLE))

    assert impact(same, same).changes_nothing


def test_an_entry_in_two_layers_is_in_while_one_has_it() -> None:
    before = prompt(Verdict(A, Reason.LIMIT), Verdict(A))
    after = prompt(Verdict(A), Verdict(A, Reason.BUDGET))

    assert impact(before, after).changes_nothing


NAMED = st.lists(st.tuples(st.sampled_from("abcd"), st.booleans(), st.booleans()), max_size=8)
"""Entries of a prompt: a name, whether both prompts have one object of it, whether it is in."""


@settings(max_examples=100)
@given(before=NAMED, after=NAMED)
@example(before=[("a", True, True), ("a", False, True)], after=[("a", True, True)])
@example(before=[("a", True, True)], after=[("a", True, True), ("a", False, True)])
def test_what_comes_and_goes_does_not_depend_on_whose_objects_name_it(
    before: list[tuple[str, bool, bool]], after: list[tuple[str, bool, bool]]
) -> None:
    common = {name: Ref("sniper", name) for name in "abcd"}

    def of(named: list[tuple[str, bool, bool]]) -> Prompt:
        return prompt(
            *(
                Verdict(
                    common[name] if is_shared else Ref("sniper", name),
                    None if is_in else Reason.ROLE,
                )
                for name, is_shared, is_in in named
            )
        )

    found = impact(of(before), of(after))

    was = dict.fromkeys(name for name, _, is_in in before if is_in)
    now = dict.fromkeys(name for name, _, is_in in after if is_in)
    assert [ref.id for ref in found.removed] == [name for name in was if name not in now]
    assert [ref.id for ref in found.added] == [name for name in now if name not in was]


def test_budgets_in_tokens_are_summed_and_others_left_out() -> None:
    layers = (
        Layer("core lessons", (), 300, budget=1_000),
        Layer("working memory", (), 50, budget=2_000),
        Layer("MEMORY.md", (), 0, budget=200, unit=Unit.LINES),
        Layer("profile", (), 700),
    )

    found = impact(prompt(layers=layers[-1:]), prompt(layers=layers, tokens=1_100))

    assert (found.used_before, found.used_after, found.budget) == (10, 350, 3_000)
    assert found.tokens_after == 1_100


def test_approving_one_more_entry_pushes_the_last_one_out(counter: Counter) -> None:
    pieces = (
        Piece(A, "- Queue consumers are idempotent", (1,)),
        Piece(C, "- Freeze time in every test", (3,)),
    )
    offer = Offer("project memory", pieces, cap=18)
    candidate = Piece(B, "- Log JSON lines, one a request", (2,))
    approved = replace(offer, pieces=(pieces[0], candidate, pieces[1]))

    before, after = (fill(each, counter) for each in (offer, approved))
    assert all(verdict.is_in for verdict in before[1])
    found = impact(prompt(*before[1]), prompt(*after[1]))

    assert (found.added, found.pushed_out) == ((B,), (C,))
