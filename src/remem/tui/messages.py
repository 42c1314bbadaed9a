"""What the app tells its screens."""

from __future__ import annotations

from textual.message import Message

from remem.base.frozen import dataclass
from remem.core.library import Library


@dataclass
class SnapshotMade(Message, bubble=False):
    """There is a newer snapshot, says the thread that made it to the app."""

    library: Library
    """The newest one when this is heard."""
    own: bool
    """This program made the change; otherwise it came from outside."""


@dataclass
class SnapshotChanged(Message, bubble=False):
    """There is a newer snapshot, says the app to its screens.

    It holds none: a screen that is busy would keep as many of them as it has messages to hear.
    """

    number: int
    own: bool
    """This program made the change; otherwise it came from outside."""


@dataclass
class EntriesRead(Message, bubble=False):
    """Every entry was parsed once: what is made of all of them is soon there."""


@dataclass
class CounterReady(Message, bubble=False):
    """Token counts are exact from now on, or somebody else's are asked for."""
