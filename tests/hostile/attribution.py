"""Tells for every lost line who lost it: an agent by its own stale rewrite, or somebody else.

Each rewrite of an agent is an event with what stood there (the victim, as it ended: late lines of
other agents too) and what was written over it. A lost mark is laid at an agent's door only if the
last event that saw it, saw it in the victim and not in what was written. A mark that an event wrote
again was alive after it; whoever lost it then is no agent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tests.hostile.agents import marks


@dataclass(frozen=True)
class Losses:
    """What became of the lines of one run."""

    written: int
    by_agents: frozenset[bytes]
    by_others: frozenset[bytes]
    """Whose last trace is not the rewrite of an agent."""
    duplicates: int
    """Lines that stand more than once, counted without the first."""


@dataclass(frozen=True)
class _Rewrite:
    victim: frozenset[bytes]
    written: frozenset[bytes]


def losses(notes: Path, files: Sequence[Path]) -> Losses:
    """Compare what the agents finished with what stands in the files."""
    finished = finished_marks(notes)
    found = [mark for file in files if file.exists() for mark in marks(file.read_bytes())]
    lost = set(finished) - set(found)
    destroyed: set[bytes] = set()
    for rewrite in _rewrites(notes):
        destroyed |= rewrite.victim - rewrite.written
        destroyed -= rewrite.written
    return Losses(
        written=len(finished),
        by_agents=frozenset(lost & destroyed),
        by_others=frozenset(lost - destroyed),
        duplicates=len(found) - len(set(found)),
    )


def finished_marks(notes: Path) -> list[bytes]:
    return [mark for log in sorted(notes.glob("*.log")) for mark in log.read_bytes().split()]


def _rewrites(notes: Path) -> list[_Rewrite]:
    """Return the rewrites in the order of time.

    What is truncated and written in a file that another agent had replaced by then changes nothing
    that anybody sees; what stood in that file was lost by the replacing.
    """
    rewrites: list[_Rewrite] = []
    replaced: dict[str, int] = {}
    for victim in sorted(notes.glob("*.victim")):
        inode = victim.stem.partition(".")[2]
        stood = frozenset(marks(victim.read_bytes()))
        if inode in replaced:
            earlier = rewrites[replaced[inode]]
            rewrites[replaced[inode]] = replace(earlier, victim=earlier.victim | stood)
            continue
        if not inode:
            replaced[str(victim.stat().st_ino)] = len(rewrites)
        written = victim.with_name(f"{victim.stem}.written").read_bytes()
        rewrites.append(_Rewrite(stood, frozenset(marks(written))))
    return rewrites
