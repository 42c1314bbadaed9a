import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from remem.edit.lines import common_prefix, common_suffix, runs, split_lines
from remem.edit.merge_lines import Clash, merge

LINES = st.lists(st.sampled_from([b"a\n", b"b\n", b"c\r\n", b"\n", b"a\n"]), max_size=12)
TEXTS = st.builds(lambda lines, end: b"".join(lines) + end, LINES, st.sampled_from([b"", b"end"]))


@given(st.binary(max_size=30))
def test_lines_joined_are_the_text_again(data: bytes) -> None:
    lines = split_lines(data)

    assert b"".join(lines) == data
    assert all(line.endswith(b"\n") for line in lines[:-1])


@given(st.text("ab", max_size=20), st.text("ab", max_size=20))
def test_common_ends_are_as_long_as_counting_says(one: str, two: str) -> None:
    a, b = one.encode(), two.encode()

    prefix, suffix = common_prefix(a, b), common_suffix(a, b)

    room = range(min(len(a), len(b)) + 1)
    assert prefix == max(n for n in room if a[:n] == b[:n])
    assert suffix == max(n for n in room if a[len(a) - n :] == b[len(b) - n :])


@given(LINES, LINES)
def test_runs_are_equal_lines_in_order_on_both_sides(a: list[bytes], b: list[bytes]) -> None:
    at_a = at_b = 0
    for run in runs(a, b):
        assert run.a >= at_a
        assert run.b >= at_b
        assert run.length > 0
        assert a[run.a : run.a + run.length] == b[run.b : run.b + run.length]
        at_a, at_b = run.a + run.length, run.b + run.length


@settings(max_examples=50)
@given(LINES, LINES)
def test_runs_found_by_lines_that_occur_once_are_as_true(a: list[bytes], b: list[bytes]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("remem.edit.lines._SMALL", 2)
        test_runs_are_equal_lines_in_order_on_both_sides.hypothesis.inner_test(a, b)  # type: ignore[attr-defined]


def test_a_moved_block_in_a_long_text_keeps_all_other_lines_matched() -> None:
    a = [b"line %d\n" % n for n in range(3_000)]
    b = [*a[:10], *a[20:2_990], b"new\n", *a[2_990:]]

    matched = sum(run.length for run in runs(a, b))

    assert matched == 2_990


@given(TEXTS, TEXTS)
def test_a_side_that_changed_nothing_gives_the_other(base: bytes, side: bytes) -> None:
    assert merge(base, side, base) == side
    assert merge(base, base, side) == side
    assert merge(base, side, side) == side


@given(TEXTS, TEXTS, TEXTS)
@example(b"a\n", b"a\nend", b"a\nb\n")
def test_a_merge_holds_every_line_that_either_side_added_and_none_that_either_took(
    base: bytes, ours: bytes, theirs: bytes
) -> None:
    merged = merge(base, ours, theirs)
    if isinstance(merged, Clash):
        return

    lines = {line.rstrip(b"\n") for line in split_lines(merged)}
    old = {line.rstrip(b"\n") for line in split_lines(base)}
    for side in (ours, theirs):
        assert {line.rstrip(b"\n") for line in split_lines(side)} - old <= lines
    both = set(split_lines(ours)) | set(split_lines(theirs))
    assert {line.rstrip(b"\n") for line in both} >= lines


@pytest.mark.parametrize(
    ("ours", "theirs", "merged"),
    [
        pytest.param(b"A\nb\nc\n", b"a\nb\nC\n", b"A\nb\nC\n", id="far-apart"),
        pytest.param(b"A\nb\nc\n", b"a\nB\nc\n", b"A\nB\nc\n", id="neighbours"),
        pytest.param(b"a\nc\n", b"a\nb\nx\nc\n", b"a\nx\nc\n", id="insert-below-a-removal"),
        pytest.param(b"a\nc\n", b"a\nx\nb\nc\n", b"a\nx\nc\n", id="insert-above-a-removal"),
        pytest.param(b"a\n1\nb\nc\n", b"a\n2\nb\nc\n", b"a\n1\n2\nb\nc\n", id="one-place"),
        pytest.param(b"a\nb\nc\nx\n", b"a\nb\nc\nx\n", b"a\nb\nc\nx\n", id="equal"),
        pytest.param(b"a\nb\nc\nx", b"a\nb\nc\ny\n", b"a\nb\nc\nx\ny\n", id="no-line-is-glued"),
        pytest.param(b"", b"a\nb\nc\nx\n", b"x\n", id="append-to-what-is-removed"),
    ],
)
def test_changes_that_do_not_overlap_are_both_made(
    ours: bytes, theirs: bytes, merged: bytes
) -> None:
    assert merge(b"a\nb\nc\n", ours, theirs) == merged


@pytest.mark.parametrize(
    ("ours", "theirs", "line"),
    [
        pytest.param(b"a\nB\nc\n", b"a\nX\nc\n", 2, id="both-rewrote"),
        pytest.param(b"a\nB\nc\n", b"a\nc\n", 2, id="rewrote-and-removed"),
        pytest.param(b"X\n", b"a\nnew\nb\nc\n", 2, id="inserted-inside-a-rewrite"),
    ],
)
def test_changes_of_the_same_lines_clash(ours: bytes, theirs: bytes, line: int) -> None:
    assert merge(b"a\nb\nc\n", ours, theirs) == Clash(line)


def test_a_clash_deep_in_a_text_knows_its_line() -> None:
    head = b"same\n" * 50

    assert merge(head + b"a\n", head + b"b\n", head + b"c\n") == Clash(51)
