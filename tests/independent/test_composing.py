"""What `compose` prints of random projects is what the format's own words give."""

import pytest
from tests.independent.composing import differing


def test_a_few_random_projects_are_composed_as_by_another_hand() -> None:
    assert list(differing(12, 7)) == []


@pytest.mark.slow
def test_a_thousand_random_projects_are_composed_as_by_another_hand() -> None:
    assert list(differing(1_000, 1)) == []
