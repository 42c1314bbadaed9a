"""The figures of the house can be taken, and the walks through it are what they are about."""

from pathlib import Path

from tests.architecture.measure import walks


def test_each_walk_that_is_measured_arrives(tmp_path: Path) -> None:
    found = dict(walks(tmp_path))

    assert len(found) == 6
    assert all(any(sign.isdigit() and sign != "0" for sign in told) for told in found.values())
