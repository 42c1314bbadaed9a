"""What `persona.yaml` holds: remem's own file for who a persona is (FORMATS 3.6).

Reading it stays tolerant and is `profile.py`'s concern; this is the shape that an editor
checks against.
"""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from remem.model.record import Record

Names = tuple[str, ...]


class BadExample(Record):
    """Something that the persona would never say, and why."""

    example: str
    why: str = ""


class EmojiUsage(Record):
    """How it uses emoji."""

    frequency: Literal["never", "rare", "moderate", "heavy"] = "moderate"
    favorites: Names = ()
    contextRules: str = ""  # noqa: N815 - Night Watch's own spelling, here and below


class Soul(Record):
    """What it stands for."""

    whoIAm: str = ""  # noqa: N815
    worldview: Names = ()
    opinions: dict[str, Names] = field(default_factory=dict)
    """Domain → what it thinks."""
    expertise: Names = ()
    interests: Names = ()
    tensions: Names = ()
    boundaries: Names = ()
    """What it will not do."""
    petPeeves: Names = ()  # noqa: N815


class Style(Record):
    """How it speaks."""

    voicePrinciples: str = ""  # noqa: N815
    sentenceStructure: str = ""  # noqa: N815
    tone: str = ""
    wordsUsed: Names = ()  # noqa: N815
    wordsAvoided: Names = ()  # noqa: N815
    rhetoricalMoves: Names = ()  # noqa: N815
    quickReactions: dict[str, str] = field(default_factory=dict)  # noqa: N815
    """Situation → what it says."""
    antiPatterns: tuple[BadExample, ...] = ()  # noqa: N815
    goodExamples: Names = ()  # noqa: N815
    badExamples: tuple[BadExample, ...] = ()  # noqa: N815
    emojiUsage: EmojiUsage = EmojiUsage()  # noqa: N815


class Skill(Record):
    """How it works."""

    modes: dict[str, str] = field(default_factory=dict)
    interpolationRules: str = ""  # noqa: N815
    additionalInstructions: Names = ()  # noqa: N815


class PersonaFile(Record):
    """Who a persona is, where no database says so."""

    name: str
    role: str = ""
    soul: Soul = Soul()
    style: Style = Style()
    skill: Skill = Skill()
    system_prompt_override: str = ""
    """Replaces the compiled profile; memory still follows."""
