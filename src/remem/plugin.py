"""All that a plug-in needs of remem, under one name; the contract is *not yet stable*.

`docs/plugins.md` explains it by an example. What is not named here may change without a word.
"""

from pathlib import Path

from remem.base.errors import NotPossible, Refused
from remem.core.checks.issue import Issue
from remem.core.library import Library
from remem.core.plugins.contract import CONTRACT, Composer, Keeper, Plugin, Reader
from remem.core.system import Addition, Ground
from remem.core.verbs.args import Args, argument, option
from remem.core.verbs.verb import Writing, needs
from remem.model.change import Change, Create, Delete, Effect, Intent, Json, Splice
from remem.model.entry import Entry, FileSpan, Problem, Ref, Status, WholeFile, digest_of
from remem.model.prompt import Ask, Offer, Piece, Reason, Section, Unit, Verdict
from remem.model.roles import matches
from remem.model.source import Source, SourceKind

__all__ = [
    "CONTRACT",
    "Addition",
    "Args",
    "Ask",
    "Change",
    "Composer",
    "Create",
    "Delete",
    "Effect",
    "Entry",
    "FileSpan",
    "Ground",
    "Intent",
    "Issue",
    "Json",
    "Keeper",
    "Library",
    "NotPossible",
    "Offer",
    "Piece",
    "Plugin",
    "Problem",
    "Reader",
    "Reason",
    "Ref",
    "Refused",
    "Section",
    "Source",
    "SourceKind",
    "Splice",
    "Status",
    "Unit",
    "Verdict",
    "WholeFile",
    "Writing",
    "argument",
    "digest_of",
    "matches",
    "needs",
    "option",
    "splice",
    "store",
]


def store(ground: Ground, system: str, path: Path) -> Source:
    """Return a file of entries as a source that was not read yet.

    Args:
        ground: Where it was found.
        system: The plug-in's name.
        path: The file; its name without the ending is what people call it.
    """
    return Source(path.stem, system, "", ground.project, SourceKind.STORE, path)


def splice(source: Source, start: int, end: int, new: bytes) -> Splice:
    """Return the effect that replaces bytes of a file that was read; offsets are from 0."""
    return Splice(source.path, start, end, source.data[start:end], new, source.digest)
