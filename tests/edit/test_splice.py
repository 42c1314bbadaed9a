from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remem.base.errors import ChangedOnDisk
from remem.edit.lines import spliced
from remem.model.change import Splice
from remem.model.entry import digest_of

PATH = Path("store.yaml")


@st.composite
def bases_with_splices(draw: st.DrawFn) -> tuple[bytes, tuple[Splice, ...]]:
    base = draw(st.binary(max_size=60))
    cuts = sorted(draw(st.lists(st.integers(0, len(base)), max_size=8, unique=True)))
    pairs = list(zip(cuts[::2], cuts[1::2], strict=False))
    return base, tuple(
        Splice(PATH, start, end, base[start:end], draw(st.binary(max_size=6)), digest_of(base))
        for start, end in pairs
    )


@given(bases_with_splices())
def test_bytes_outside_the_splices_stay(case: tuple[bytes, tuple[Splice, ...]]) -> None:
    base, splices = case

    after = spliced(base, splices)

    outside = len(base) - sum(len(s.old) for s in splices)
    assert len(after) == outside + sum(len(s.new) for s in splices)
    if splices:
        assert after.startswith(base[: splices[0].start])
        assert after.endswith(base[splices[-1].end :])


def test_other_bytes_than_planned_are_not_overwritten() -> None:
    splice = Splice(PATH, 0, 3, b"old", b"new", "")

    with pytest.raises(ChangedOnDisk):
        spliced(b"OLD text", [splice])


def test_overlapping_splices_are_refused() -> None:
    splices = [Splice(PATH, 0, 3, b"abc", b"x", ""), Splice(PATH, 2, 4, b"cd", b"y", "")]

    with pytest.raises(ChangedOnDisk):
        spliced(b"abcd", splices)
