"""Whatever versions of a file a crash leaves, they fold into what others made of it."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from remem.edit.patch import patches_of, put_on
from remem.model.change import Splice
from remem.model.entry import digest_of
from remem.store.changes.steps import Edited
from remem.store.changes.without_step import Found, fold, is_addition, is_begun, tail_after, without

PATH = Path("store.yaml")
LINES = [b"- id: conv-%03d\n  status: candidate\n" % number for number in range(12)]
BASE = b"conventions:\n" + b"".join(LINES)


def step_on(base: bytes, *splices: tuple[int, int, bytes]) -> tuple[Edited, bytes]:
    """Return an edit of `base` and the bytes that it makes."""
    made = [
        Splice(PATH, start, end, base[start:end], new, digest_of(base))
        for start, end, new in splices
    ]
    patches = patches_of(base, made)
    after = put_on(base, patches)
    assert after is not None
    return Edited(PATH, digest_of(base), len(base), patches), after


def confirm(number: int) -> tuple[Edited, bytes]:
    at = BASE.index(b"candidate", BASE.index(b"conv-%03d" % number))
    return step_on(BASE, (at, at + 9, b"confirmed"))


def added(line: bytes) -> tuple[Edited, bytes]:
    return step_on(BASE, (len(BASE), len(BASE), line))


numbers = st.integers(0, 11)
tails = st.lists(st.binary(min_size=1, max_size=12).map(lambda b: b.hex().encode()), max_size=4)


def lines(texts: list[bytes]) -> bytes:
    return b"".join(b"# " + text + b"\n" for text in texts)


@given(numbers, tails)
def test_a_live_file_that_grew_loses_the_step_and_nothing_else(
    number: int, more: list[bytes]
) -> None:
    step, after = confirm(number)

    assert without(step, after + lines(more)) == BASE + lines(more)


@given(numbers, tails, tails)
def test_what_was_added_before_and_after_the_swap_is_in_the_fold(
    number: int, early: list[bytes], late: list[bytes]
) -> None:
    step, after = confirm(number)
    found = Found(after + lines(late), old=BASE + lines(early))

    want, is_off = fold(step, found)

    assert is_off
    assert want.startswith(BASE)
    assert {*want[len(BASE) :].splitlines()} == {*lines(early + late).splitlines()}


@given(numbers, numbers, tails)
def test_a_fold_that_was_put_in_place_folds_to_itself(
    number: int, theirs: int, more: list[bytes]
) -> None:
    step, after = confirm(number)
    other = BASE.replace(LINES[theirs], b"- id: conv-%03d\n" % (theirs + 100))
    want, _ = fold(step, Found(after + lines(more), old=other))

    again, is_off = fold(step, Found(want, old=other, gone=after + lines(more)))

    assert is_off
    assert set(want.splitlines()) == set(again.splitlines())


@given(numbers, numbers)
def test_what_another_writer_rewrote_before_the_swap_comes_back_whole(
    number: int, theirs: int
) -> None:
    step, after = confirm(number)
    other = BASE.replace(LINES[theirs], b"")

    assert fold(step, Found(after, old=other)) == (other, True)


@given(st.integers(0, 30), tails)
def test_an_addition_that_came_in_part_goes_whole(cut: int, more: list[bytes]) -> None:
    line = b"- id: conv-900\n  rule: new\n"
    step, after = added(line)
    torn = after[: len(BASE) + min(cut, len(line))]

    assert is_addition(step)
    assert without(step, torn) == BASE
    assert without(step, after + lines(more)) == BASE + lines(more)
    assert without(step, BASE + lines(more)) == BASE + lines(more)


@given(
    st.integers(3, 27), st.sampled_from([b"- id: conv-901\n", b"## Later\n", b"- nested: - deep\n"])
)
def test_what_another_appends_to_half_an_addition_keeps_its_own_line(cut: int, line: bytes) -> None:
    mine = b"- Tie the boat before the rain\n"
    step, after = added(mine)

    assert without(step, after[: len(BASE) + cut] + line) == BASE + line


@given(st.integers(0, 30), st.text("- #ab1.\n", max_size=6))
def test_a_line_that_only_begins_as_an_addition_does_is_somebody_elses(cut: int, end: str) -> None:
    mine = b"- Tie the boat before the rain\n"
    step, _ = added(mine)
    theirs = mine[:cut].removesuffix(b"\n") + b"x" + end.encode()

    assert without(step, BASE + theirs) == BASE + theirs


@given(numbers)
def test_what_was_staged_and_never_swapped_in_was_not_begun(number: int) -> None:
    step, after = confirm(number)

    assert not is_begun(step, Found(BASE + b"# theirs\n", new=after))
    assert not is_begun(step, Found(BASE + b"# theirs\n"))
    assert is_begun(step, Found(after, new=BASE))
    assert is_begun(step, Found(after, old=BASE))


def test_a_tail_is_told_only_from_whole_lines() -> None:
    assert tail_after(b"a\n", b"a\nb\n") == b"b\n"
    assert tail_after(b"a", b"ab\n") is None
    assert tail_after(b"a\n", b"b\n") is None
    assert tail_after(b"a", b"a") == b""
