import random
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from remem.edit.merge_lines import Clash
from remem.edit.patch import (
    Patch,
    merge_in,
    patch_between,
    patches_between,
    patches_of,
    put_on,
    reverse,
)
from remem.model.change import Splice

TEXTS = st.lists(st.sampled_from([b"a\n", b"b\r\n", b"c", b"\xff\n", b"\n"]), max_size=10).map(
    b"".join
)


@given(TEXTS, TEXTS)
def test_a_patch_between_two_texts_leads_there_and_back(before: bytes, after: bytes) -> None:
    patches = patch_between(before, after)

    assert put_on(before, patches) == after
    assert put_on(after, reverse(patches)) == before
    assert reverse(reverse(patches)) == patches


LINES = st.lists(st.integers(0, 12), max_size=30).map(
    lambda numbers: b"".join(b"line %d, of a length that no other text has\n" % n for n in numbers)
)


@given(LINES | TEXTS, LINES | TEXTS)
def test_patches_between_two_texts_lead_there_and_back(before: bytes, after: bytes) -> None:
    patches = patches_between(before, after)

    assert put_on(before, patches) == after
    assert put_on(after, reverse(patches)) == before


def test_places_far_apart_become_patches_of_their_own() -> None:
    before = b"".join(b"line %d, of a length that no other text has\n" % n for n in range(2_000))
    after = before.replace(b"line 3,", b"line three,").replace(b"line 1990,", b"line x,")

    patches = patches_between(before, after)

    assert [patch.line for patch in patches] == [4, 1991]
    assert sum(len(patch.old) + len(patch.new) for patch in patches) < 200


@given(TEXTS, st.data())
def test_patches_carry_what_stands_around_them_on_both_sides(
    base: bytes, data: st.DataObject
) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(base)), min_size=2, max_size=8)))
    splices = [
        Splice(Path("x"), start, end, base[start:end], b"new\n", "")
        for start, end in zip(cuts[::2], cuts[1::2], strict=False)
    ]

    patches = patches_of(base, splices)
    after = put_on(base, patches)

    assert after is not None
    for patch in patches:
        assert base[: patch.start].endswith(patch.above)
        assert base[patch.start + len(patch.old) :].startswith(patch.below)
    for patch in reverse(patches):
        assert after[: patch.start].endswith(patch.above)
        assert after[patch.start + len(patch.old) :].startswith(patch.below)


def test_a_patch_does_not_go_on_other_bytes() -> None:
    assert put_on(b"abc", [Patch(1, b"x", b"y")]) is None


def lines(*numbers: int) -> bytes:
    return b"".join(b"line number %d of many\n" % number for number in numbers)


def test_a_patch_finds_its_place_in_a_text_that_moved() -> None:
    base = lines(*range(20_000))
    patches = patch_between(base, base.replace(b"number 9000 of", b"number nine of"))
    now = lines(-3, -2, -1) + base.replace(b"number 500 of", b"number 5oo of")

    merged = merge_in(now, patches, len(base))

    assert merged == now.replace(b"number 9000 of", b"number nine of")


def test_a_patch_whose_surroundings_are_gone_has_no_place() -> None:
    base = lines(*range(20_000))
    patches = patch_between(base, base.replace(b"number 9000 of", b"number nine of"))

    merged = merge_in(lines(*range(100)), patches, len(base))

    assert isinstance(merged, Clash)


def test_a_patch_in_a_text_of_equal_lines_is_not_guessed_at() -> None:
    base = b"- same\n" * 20_000 + b"- other\n" + b"- same\n" * 20_000
    patches = patch_between(base, base.replace(b"other", b"changed"))

    merged = merge_in(b"- first\n" + base, patches, len(base))

    assert isinstance(merged, Clash)


def test_below_a_heading_that_changes_with_it_a_patch_knows_its_line() -> None:
    lines = b"".join(b"line %d of the harbour\n" % number for number in range(40_000))
    chance = random.Random(8)
    for counted in range(40):
        heading = chance.choice([b"# %d entries\n", b"# %d\n\n entries\n", b"\n\n# %05d\n"])
        text = heading % counted + lines
        at = chance.randrange(len(text) // 3, len(text))
        lines = lines[:at] + chance.choice([b"- one more\n", b"x", b"\n\n"]) + lines[at:]

        patches = patches_between(text, heading % (counted + 1) + lines)

        assert len(patches) == 2
        for patch in patches:
            assert patch.line == text.count(b"\n", 0, patch.start) + 1


def test_in_a_big_text_a_patch_knows_its_line_wherever_it_was_counted_before() -> None:
    text = b"".join(b"line %d of the harbour\n" % number for number in range(40_000))
    chance = random.Random(7)
    for _ in range(40):
        at = chance.randrange(len(text))
        other = text[:at] + chance.choice([b"x", b"x\n\n", b""]) + text[at + 3 :]

        for patch in patch_between(text, other):
            assert patch.line == text.count(b"\n", 0, patch.start) + 1

        text = other
