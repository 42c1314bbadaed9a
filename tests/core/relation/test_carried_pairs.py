"""What was compared in one version of some texts is known in the next, and changes no answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from pathlib import Path
from typing import TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.bench.workspaces import rule
from tests.sniper_files import CONVENTIONS as STORE
from tests.sniper_files import write

from remem.core.checks.contradictions import opposed_issues
from remem.core.relation import pairs as pairs_module
from remem.core.relation.comparable_text import Reading, reading
from remem.core.relation.likenesses import Compared, Likenesses
from remem.core.relation.matching import likeness
from remem.core.relation.normal_form import Likeness
from remem.core.relation.pairs import (
    Carried,
    alike_texts,
    compared_forms,
    compared_texts,
    pairs,
    problem_of,
)
from remem.core.session import Session
from remem.core.settings import Places

Compare: TypeAlias = Callable[[Sequence[str], Compared | None], Compared]
Edit: TypeAlias = Callable[[list[str]], list[str]]
BOTH = pytest.mark.parametrize("compare", [compared_texts, compared_forms])
MANY = 60
FEW: dict[str, int] = {"_SMALL": 2, "_COMPARED": 3, "_COMMON": 3, "_CROWD": 4, "_NEIGHBOURS": 2}
"""With so few texts each is held against each; with these bounds they meet as 10,000 do."""

SAID_OFTEN = "tide tides lamp lamps queue Queue port 10 20 log the is never always not not."
LONG = ("each quartermaster counts the harbourlights", "a quartermaster counts all harbourlights")
words = st.sampled_from(SAID_OFTEN.split())
few_words = st.lists(words, min_size=1, max_size=6).map(" ".join)
near_by_letters = st.builds(
    lambda text, end, is_turned: " ".join(sorted(text.split(), reverse=is_turned)) + end,
    st.sampled_from(LONG),
    st.sampled_from(["", "s", ".", " 10", " 20", " on", " at"]),
    st.booleans(),
)
a_text = few_words | few_words | near_by_letters
some_texts = st.lists(a_text, max_size=14)
a_place = st.integers(0, 13)


def _put(place: int, new: list[str]) -> Edit:
    return lambda texts: [*texts[:place], *new, *texts[place:]]


def _swap(place: int, text: str) -> Edit:
    return lambda texts: [*texts[:place], text, *texts[place + 1 :]]


def _take_out(place: int, many: int) -> Edit:
    return lambda texts: [*texts[:place], *texts[place + many :]]


def _move(start: int, end: int) -> Edit:
    def move(texts: list[str]) -> list[str]:
        rest = [*texts[:start], *texts[start + 1 :]]
        return [*rest[:end], *texts[start : start + 1], *rest[end:]]

    return move


def _say_again(place: int, end: int) -> Edit:
    """Say a text a second time, with other capitals or with the same."""
    return lambda texts: [
        *texts[:end],
        *(each.upper() if end % 2 else each for each in texts[place : place + 1]),
        *texts[end:],
    ]


an_edit = st.one_of(
    st.builds(_put, a_place, st.lists(a_text, min_size=1, max_size=3)),
    st.builds(_swap, a_place, a_text),
    st.builds(_take_out, a_place, st.integers(1, 3)),
    st.builds(_move, a_place, a_place),
    st.builds(_say_again, a_place, a_place),
    st.just(lambda texts: [*reversed(texts)]),
    st.just(sorted),
)
a_change = st.lists(an_edit, min_size=1, max_size=3)


@BOTH
@settings(max_examples=500)
@given(first=some_texts, changes=st.lists(a_change, min_size=1, max_size=8), is_kept=st.booleans())
def test_after_any_edits_the_pairs_are_those_of_comparing_anew(
    compare: Compare, first: list[str], changes: list[list[Edit]], is_kept: bool
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        for name, number in FEW.items():
            patch.setattr(pairs_module, name, number)
        known: Compared | None = compare(first, None)
        texts = first
        for edits in changes:
            if is_kept and known is not None:
                # As it comes from the cache: what was compared and is not alike is not kept there.
                known = Compared(known.texts, Likenesses.from_bytes(known.found.to_bytes()))
            texts = reduce(lambda texts, edit: edit(texts), edits, texts)
            known = compare(texts, known)

            assert known.found.to_bytes() == compare(texts, None).found.to_bytes()


class Counted:
    """How many pairs were compared."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.pairs: list[frozenset[str]] = []
        patch.setattr(pairs_module, "likeness", self._likeness)

    def _likeness(
        self, one: str, other: str, read: Callable[[str], Reading] = reading
    ) -> Likeness | None:
        self.pairs.append(frozenset((one, other)))
        return likeness(one, other, read)


@pytest.mark.parametrize("many", [MANY, 450])
def test_of_a_new_version_only_texts_that_are_new_are_compared(
    many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [rule(16 * number) for number in range(many)]
    texts.insert(20, texts[3])
    known = Carried("texts", compared_texts)
    counted = Counted(monkeypatch)
    known.among("", texts)
    first = len(counted.pairs)

    changed = [*texts[:7], "Every fare rule is written twice", *texts[8:-1], rule(16 * many)]
    found = known.among("", changed)
    new = {changed[7], changed[-1]}
    counted.pairs, again = [], counted.pairs[first:]

    assert again
    assert first > 10 * len(again)
    assert all(pair & new for pair in again)
    assert known.among("", [*changed]) is found
    assert not counted.pairs
    assert found.to_bytes() == alike_texts(changed).to_bytes()


RULES = ".claude/rules"
RULE = "  - {{id: conv-{:03d}, rule: {}}}\n"
SAID = {
    f"{RULES}/a.md": "- Always pin the versions of the queue\n- Names are verbs in code\n",
    f"{RULES}/b.md": "- Keep the lamps of the quay lit\n",
    STORE: "conventions:\n  - {id: conv-001, rule: Every tide is counted twice}\n",
}
LATER: list[dict[str, str | None]] = [
    {f"{RULES}/b.md": "- Never pin the versions of the queue\n"},
    {f"{RULES}/a.md": "- Names are not verbs in code\n- Always pin the versions of the queue\n"},
    {f"{RULES}/b.md": None, f"{RULES}/0.md": "- Never pin the versions of the queue\n"},
    {f"{RULES}/c.md": "- Names are verbs in code\n"},
    {STORE: "conventions:\n" + RULE.format(1, "Every tide is counted twice")
     + RULE.format(2, "Every tide is not counted twice")},
    {STORE: "conventions:\n" + RULE.format(2, "Every tide is not counted twice")
     + RULE.format(3, "every tide is not counted twice.") + RULE.format(1, "Lamps are lit")},
    {f"{RULES}/a.md": None},
]  # fmt: skip


def test_while_files_change_health_tells_what_it_tells_of_the_same_files_opened_anew(
    tmp_path: Path,
) -> None:
    root = tmp_path / "harbour"
    write(root, SAID)
    bench = Session.open(root, Places.of(tmp_path / "home"), door="tui")
    told = [_told(bench)]

    for files in LATER:
        for name, text in files.items():
            (root / name).unlink() if text is None else (root / name).write_text(text)
        bench.refresh([root / name for name in files])
        told.append(_told(bench))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(pairs_module, "_ALIKE", Carried("alike texts", compared_texts))
            anew = Session.open(root, Places.of(tmp_path / "other-home"), door="cli")
            assert told[-1] == _told(anew)
            anew.close()

    assert len({*map(tuple, told)}) > len(LATER) // 2
    bench.close()


def _told(session: Session) -> list[str]:
    library = session.library
    problems = [problem_of(library, pair) for pair in pairs(library)]
    problems += [issue.problem for issue in opposed_issues(library)]
    return [f"{x.path and x.path.name}:{x.line} {x.message} ({x.hint})" for x in problems]


def test_lists_of_texts_are_carried_each_for_itself_and_a_bounded_number_of_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pairs_module, "_CARRIED", 2)
    known = Carried("texts", compared_texts)
    texts = [rule(16 * number) for number in range(20)]
    counted = Counted(monkeypatch)

    for of in ("harbour", "quay", "harbour", "quay"):
        known.among(of, texts if of == "harbour" else texts[:-1])
    once = len(counted.pairs)
    known.among("pier", texts[:3])
    known.among("quay", texts[:-1])
    at_most = len(counted.pairs)
    known.among("harbour", texts)

    assert at_most - once <= 3
    assert len(counted.pairs) > at_most + 20
