import subprocess
from pathlib import Path
from shutil import which

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from remem.edit.patch import patch_between, patches_of, reverse
from remem.model.change import Splice
from remem.store.changes.hunks import (
    NO_LAST_NEWLINE,
    Hunk,
    file_diff,
    hunks,
    patch_diff,
    step_diff,
    unified,
)
from remem.store.changes.steps import Made, Moved, Removed, Rendered

PATH = Path("store.yaml")
TEN = b"".join(b"line %d\n" % n for n in range(1, 11))
TEXTS = st.builds(
    lambda lines, end: "".join(lines) + end,
    st.lists(st.sampled_from(["a\n", "b\n", "c\n", "\n", "é\n"]), max_size=14),
    st.sampled_from(["", "end"]),
).map(str.encode)


def splice(base: bytes, start: int, end: int, new: bytes) -> Splice:
    return Splice(PATH, start, end, base[start:end], new, "")


def replacing(base: bytes, old: bytes, new: bytes) -> Splice:
    at = base.index(old)
    return splice(base, at, at + len(old), new)


def test_an_edit_inside_a_line_shows_the_line_and_three_around_it() -> None:
    (hunk,) = hunks(TEN, [replacing(TEN, b"5", b"five")])

    assert hunk == Hunk(
        5,
        ("line 5",),
        ("line five",),
        ("line 2", "line 3", "line 4"),
        ("line 6", "line 7", "line 8"),
    )


def test_an_addition_at_the_end_shows_nothing_that_goes() -> None:
    (hunk,) = hunks(TEN, [splice(TEN, len(TEN), len(TEN), b"line 11\n")])

    assert hunk == Hunk(11, (), ("line 11",), ("line 8", "line 9", "line 10"))


def test_an_insertion_between_lines_shows_nothing_that_goes() -> None:
    (hunk,) = hunks(TEN, [splice(TEN, 7, 7, b"new\n")])

    assert (hunk.line, hunk.before, hunk.after) == (2, (), ("new",))


def test_two_edits_of_one_line_are_one_hunk() -> None:
    found = hunks(TEN, [replacing(TEN, b"3", b"three"), splice(TEN, 14, 18, b"LINE")])

    assert [(hunk.before, hunk.after) for hunk in found] == [(("line 3",), ("LINE three",))]


def test_edits_at_both_ends_of_a_last_line_without_an_end_are_one_hunk() -> None:
    found = hunks(b"end", [splice(b"end", 0, 0, b"x"), splice(b"end", 3, 3, b"y")])

    assert [(hunk.before[0], hunk.after[0]) for hunk in found] == [("end", "xendy")]


def test_edits_on_both_sides_of_a_line_end_that_goes_are_one_hunk() -> None:
    found = hunks(b"a\n", [splice(b"a\n", 0, 2, b"x"), splice(b"a\n", 2, 2, b"y")])

    assert [(hunk.before, hunk.after) for hunk in found] == [(("a",), ("xy", NO_LAST_NEWLINE))]


def test_hunks_that_stand_close_do_not_show_each_others_lines() -> None:
    first, second = hunks(TEN, [replacing(TEN, b"4", b"four"), replacing(TEN, b"6", b"six")])

    assert first.below == ("line 5",)
    assert second.above == ("line 5",)


def test_a_last_line_without_an_end_is_told() -> None:
    (hunk,) = file_diff(b"a", b"a\n")

    assert (hunk.before, hunk.after) == (("a", NO_LAST_NEWLINE), ("a",))


def test_a_new_file_is_all_addition() -> None:
    assert file_diff(b"", b"a\nb\n") == (Hunk(1, (), ("a", "b")),)
    assert file_diff(b"a\n", b"") == (Hunk(1, ("a",), ()),)
    assert file_diff(b"a\n", b"a\n") == ()


def test_bytes_that_are_no_text_are_shown_and_never_raised() -> None:
    assert file_diff(b"", b"\xff\n")[0].after == ("\ufffd",)


def test_a_unified_diff_names_ranges_as_other_tools_do() -> None:
    text = unified("store.yaml", hunks(TEN, [replacing(TEN, b"10\n", b"10\nline 11\n")]))

    assert text == (
        "--- store.yaml\n+++ store.yaml\n@@ -8,3 +8,4 @@\n line 8\n line 9\n line 10\n+line 11\n"
    )
    assert unified("store.yaml", ()) == ""


@given(TEXTS, st.data())
def test_hunks_around_splices_tell_what_a_diff_of_the_files_tells(
    base: bytes, data: st.DataObject
) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(base)), min_size=2, max_size=6)))
    news = st.sampled_from([b"", b"x", b"new\n", b"\n"])
    splices = [
        splice(base, start, end, data.draw(news))
        for start, end in zip(cuts[::2], cuts[1::2], strict=False)
    ]
    after = bytearray(base)
    for one in reversed(splices):
        after[one.start : one.end] = one.new

    found = hunks(base, splices)

    assert applied(base, found) == bytes(after).decode("utf-8", "replace")


@given(TEXTS, TEXTS)
def test_hunks_of_two_files_lead_from_one_to_the_other(before: bytes, after: bytes) -> None:
    assert applied(before, file_diff(before, after)) == after.decode("utf-8", "replace")


def applied(base: bytes, found: tuple[Hunk, ...]) -> str:
    """Carry out hunks on lines, with a missing last end as a line of its own."""
    lines = with_mark(base.decode("utf-8", "replace"))
    for hunk in reversed(found):
        at = hunk.line - 1
        assert tuple(lines[at : at + len(hunk.before)]) == hunk.before
        lines[at : at + len(hunk.before)] = hunk.after
        assert tuple(lines[at - len(hunk.above) : at]) == hunk.above
    if not lines:
        return ""
    text = "\n".join(line for line in lines if line != NO_LAST_NEWLINE)
    return text if lines[-1] == NO_LAST_NEWLINE else text + "\n"


def with_mark(text: str) -> list[str]:
    if not text:
        return []
    lines = text.split("\n")
    last = lines.pop()
    return [*lines, last, NO_LAST_NEWLINE] if last else lines


@given(TEXTS, TEXTS)
def test_what_the_journal_keeps_tells_the_same_diff(before: bytes, after: bytes) -> None:
    found = patch_diff(patch_between(before, after))

    assert applied(before, found) == after.decode("utf-8", "replace")


def test_a_diff_from_the_journal_knows_its_line_in_a_long_file() -> None:
    base = b"".join(b"line %d\n" % n for n in range(1, 20_001))
    patches = patches_of(base, [replacing(base, b"9000", b"nine"), replacing(base, b"12000", b"x")])

    found = patch_diff(patches)
    back = patch_diff(reverse(patches))

    assert [(hunk.line, hunk.before) for hunk in found] == [
        (9_000, ("line 9000",)),
        (12_000, ("line 12000",)),
    ]
    assert [(hunk.line, hunk.after) for hunk in back] == [
        (9_000, ("line 9000",)),
        (12_000, ("line 12000",)),
    ]


def test_a_step_without_text_has_no_diff() -> None:
    assert step_diff(Made(PATH, b"a\n")) == (Hunk(1, (), ("a",)),)
    assert step_diff(Removed(PATH, b"a\n", None)) == (Hunk(1, ("a",), ()),)
    assert step_diff(Rendered(PATH, "test", b"a\n", None)) == (Hunk(1, ("a",), ()),)
    assert step_diff(Moved(PATH, PATH, 1)) == ()


@pytest.mark.skipif(which("patch") is None, reason="needs `patch`")
@settings(max_examples=15)
@given(TEXTS, TEXTS)
@example(b"a\nb\na\nb\nb\n", b"a\nb\nb\nend")
@example(b"a\na\na\nend", b"a\na\na\na\nend")
def test_a_unified_diff_is_understood_by_patch(
    tmp_path_factory: pytest.TempPathFactory, before: bytes, after: bytes
) -> None:
    if before == after or not before or not after:
        return
    path = tmp_path_factory.mktemp("patch") / "store.yaml"
    path.write_bytes(before)

    subprocess.run(
        ["patch", "--quiet", str(path)],
        input=unified("store.yaml", file_diff(before, after)).encode(),
        check=True,
    )

    assert path.read_bytes() == after
