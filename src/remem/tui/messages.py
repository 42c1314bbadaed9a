"""What the app tells its screens."""

from __future__ import annotations

from dataclasses import dataclass

from textual.message import Message

from remem.library import Library


@dataclass
class SnapshotChanged(Message, bubble=False):
    """There is a newer snapshot.

    The app hands it down itself; bubbling up again, it would never end.
    """

    library: Library
    own: bool
    """This program made the change; otherwise it came from outside."""


@dataclass
class CounterReady(Message, bubble=False):
    """Token counts are exact from now on, or somebody else's are asked for."""
