"""The labelled texts, and which half of them is held out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import yaml

FOLDER: Final = Path(__file__).parent
LABELS: Final = ("same", "paraphrase", "negation", "antonym", "number", "narrower", "other")
SETS: Final = ("first", "second", "third", "fourth")
OPPOSED: Final = ("negation", "antonym", "number")
WARNS: Final = "anti_pattern"
HELD: Final = ("3-", "5-")
"""How the subjects begin of which nothing is for tuning."""
TUNED: Final = "4-"
"""Those that are for tuning alone. The fourth set is of rules in public `CLAUDE.md`, `AGENTS.md`
and `GEMINI.md` files."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """Two texts, and how a person says that they relate."""

    id: str
    label: str
    language: str
    kind: str
    other_kind: str
    left: str
    right: str
    is_held_out: bool

    @property
    def set(self) -> str:
        """Whose set it is of: `first` to `fourth`, each by another author."""
        return {"2-": "second", "3-": "third", "4-": "fourth", "5-": "fourth"}.get(
            self.id[:2], "first"
        )

    @property
    def warns(self) -> tuple[bool, bool]:
        """Which of the two names what must not be."""
        return self.kind == WARNS, self.other_kind == WARNS


def is_held_out(subject: str) -> bool:
    """Tell in which half a subject is; texts of one subject are in one half."""
    if subject.startswith((*HELD, TUNED)):
        return subject.startswith(HELD)
    return sha256(subject.encode()).digest()[0] % 2 == 1


def parsed(path: Path) -> Any:
    """Return what a file of texts says, read by libyaml where it is there: ten times as fast."""
    return yaml.load(path.read_text("utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def subjects() -> Iterator[dict[str, Any]]:
    """Yield the subjects of all files, each with its language."""
    for path in sorted(FOLDER.glob("pairs-*.yaml")):
        language = path.stem.removeprefix("pairs-").replace("across", "en")
        for subject in parsed(path):
            yield {"language": language, **subject}


def labelled() -> Iterator[Labelled]:
    """Yield every pair in file order."""
    for subject in subjects():
        for label in LABELS:
            for number, text in enumerate(subject.get(label, ()), 1):
                yield Labelled(
                    id=f"{subject['id']}/{label}/{number}",
                    label=label,
                    language=subject["language"],
                    kind=subject["kind"],
                    other_kind=subject.get("as", subject["kind"]),
                    left=subject["text"].strip(),
                    right=text.strip(),
                    is_held_out=is_held_out(subject["id"]),
                )
