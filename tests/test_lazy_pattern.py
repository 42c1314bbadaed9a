"""A lazy pattern finds what the compiled one finds."""

import re

import pytest

from remem.base.lazy_pattern import lazy_pattern

TEXT = "one: 1\nTwo: 2"


@pytest.mark.parametrize("method", ["match", "search", "fullmatch", "findall", "split"])
def test_it_finds_the_same(method: str) -> None:
    given = (r"(\w+): \d", re.IGNORECASE | re.MULTILINE)
    lazy, compiled = lazy_pattern(*given), re.compile(*given)

    for _ in range(2):
        ours, theirs = getattr(lazy, method)(TEXT), getattr(compiled, method)(TEXT)
        assert (ours[0] if isinstance(ours, re.Match) else ours) == (
            theirs[0] if isinstance(theirs, re.Match) else theirs
        )
    assert lazy.sub("x", TEXT) == compiled.sub("x", TEXT)
    assert lazy_pattern(rb"\d").findall(b"a1") == [b"1"]


def test_it_is_compiled_when_it_is_first_used() -> None:
    broken = lazy_pattern("(")

    with pytest.raises(re.error):
        broken.match("a")
