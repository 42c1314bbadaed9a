"""Frozen classes are made by `base/frozen.py`: what each would compile, every command would pay."""

import re
from pathlib import Path

import remem


def test_every_frozen_class_of_remem_is_made_so() -> None:
    modules = [each.read_text() for each in Path(remem.__file__).parent.rglob("*.py")]
    asks = re.compile(r"^from dataclasses import .*\bdataclass\b", re.MULTILINE)

    frozen_ones = [each for each in modules if "@dataclass(frozen=True, slots=True" in each]

    assert len(frozen_ones) > 200
    assert [each[:80] for each in frozen_ones if asks.search(each)] == []
