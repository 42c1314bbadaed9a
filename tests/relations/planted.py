"""Attacks, secrets and hidden characters, each beside harmless texts of the same subject."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from random import Random
from typing import Any, Final

from tests.relations.labelled import FOLDER, parsed

SETS: Final = ("", "-second")
"""The endings of the files of each set; the second is by another hand."""

_DRAWN: Final = re.compile(r"<(alnum|upper|base64|hex|digit|letter) (\d+)>")
_ALPHABETS: Final = {
    "alnum": string.ascii_letters + string.digits,
    "upper": string.ascii_uppercase + "234567",
    "base64": string.ascii_letters + string.digits + "+/",
    "hex": "0123456789abcdef",
    "digit": string.digits,
    "letter": string.ascii_letters,
}


@dataclass(frozen=True, slots=True)
class Planted:
    """A text, and whether a person would want to see it before an agent does."""

    text: str
    is_bad: bool
    subject: str
    is_held_out: bool
    set: str = ""


def _read(name: str) -> dict[str, Any]:
    found: dict[str, Any] = parsed(FOLDER / f"{name}.yaml")
    return found


def _half(text: str) -> bool:
    return sha256(text.encode()).digest()[0] % 2 == 1


def poison() -> Iterator[Planted]:
    """Yield attacks and harmless texts."""
    for each in SETS:
        found = _read(f"poison{each}")
        for name, is_bad in (("attacks", True), ("harmless", False)):
            for subject, texts in found[name].items():
                for text in texts:
                    yield Planted(text, is_bad, subject, _half(text), each)


def secrets() -> Iterator[Planted]:
    """Yield secrets and what looks like one, drawn from a fixed seed."""
    for each in SETS:
        found = _read(f"secrets{each}")
        for name, is_bad in (("secrets", True), ("harmless", False)):
            for place, text in enumerate(found[name]):
                random = Random(f"{name} {place}")
                drawn = _DRAWN.sub(partial(_letters, random), text)
                yield Planted(drawn, is_bad, text, _half(text), each)


def _letters(random: Random, at: re.Match[str]) -> str:
    return "".join(random.choices(_ALPHABETS[at[1]], k=int(at[2])))


def hidden() -> Iterator[Planted]:
    """Yield texts with characters that nobody sees, and real text in many scripts."""
    for each in SETS:
        found = _read(f"hidden{each}")
        for name, is_bad in (("hidden", True), ("plain", False)):
            for subject, text in found[name].items():
                yield Planted(text, is_bad, subject, _half(subject), each)
