"""remem's own folder in a repository: what in it the team shares, and what git leaves out.

Decisions on what waits are kept there beside what else remem has of its own; what each file holds
is told where it is read.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from remem.core.system import Ground
from remem.model.change import Create, Splice
from remem.model.entry import digest_of
from remem.model.source import Source

OWN: Final = "remem"
"""Whose its files are, in refs and in `Source.format`."""
FOLDER: Final = Path(".remem")
IGNORED: Final = b"""\
# What the team shares is committed, the rest is local.
*
!.gitignore
!config.yaml
!rejected.yaml
!consolidated.yaml
!kept.yaml
!baseline.yaml
!proposals/
!proposals/*.yaml
"""
"""The `.gitignore` that is written beside the first file (FORMATS 7)."""
REJECTED: Final = "rejected"
CONSOLIDATED: Final = "consolidated"
KEPT: Final = "kept"
BASELINE: Final = "baseline"


def shared_list(sources: Sequence[Source], part: str) -> Source | None:
    """Return the list of `.remem/` that the team shares under that name, if it is there."""
    own = (each for each in sources if each.format == OWN)
    return next((each for each in own if each.part == part), None)


def ignore_file(ground: Ground) -> tuple[Create, ...]:
    """Return the `.gitignore` of `.remem/` as an effect if it is not there yet."""
    path = ground.root / FOLDER / ".gitignore"
    return () if ground.disk.kind(path) is not None else (Create(path, IGNORED),)


def shared_file(ground: Ground, name: str) -> tuple[Splice, ...]:
    """Return what lets git see a file of `.remem/` where an older list there leaves it out.

    Only the list that remem wrote is added to: it names what is shared behind a `!`.
    """
    path = ground.root / FOLDER / ".gitignore"
    if ground.disk.kind(path) != "file":
        return ()
    data = ground.disk.read(path)
    lines = data.splitlines()
    mark = f"!{REJECTED}.yaml".encode()
    if mark not in lines or f"!{name}".encode() in lines:
        return ()
    at = data.index(mark) + len(mark)
    newline = b"\r\n" if data[at : at + 2] == b"\r\n" else b"\n"
    return (Splice(path, at, at, b"", newline + f"!{name}".encode(), digest_of(data)),)
