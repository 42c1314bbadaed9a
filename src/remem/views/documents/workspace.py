"""What `workspace show` prints."""

from __future__ import annotations

from typing import Any

from remem.views.documents.document import Document, Part, Text
from remem.views.documents.entries import ProblemReport


class RepositoryReport(Part):
    """One repository of a workspace."""

    name: Text
    """What `--repo` takes."""
    title: Text
    """What the workspace calls it; empty = nothing else."""
    path: Text
    role: Text
    language: Text
    exposes: tuple[Any, ...]
    consumes: tuple[Any, ...]
    open: bool
    missing: Text
    """Why it is not open; empty = it is."""
    here: bool
    """It is the repository that was opened."""
    entries: int | None
    """Entries in force; `null` = it was not read."""
    waiting: int | None
    """Entries that wait; `null` = it was not read."""


class OverriddenReport(Part):
    """An entry of the workspace that does not count in a repository."""

    ref: Text
    by: Text
    """The repository's entry that counts in its place."""
    repository: Text
    said: bool
    """It says so in `overrides:`; else it has the same text."""


class SharedReport(Part):
    """One workspace."""

    name: Text
    shape: str
    path: Text
    config: Text | None
    """The file that describes it; `null` = its folders do."""
    memory: Text | None
    """Where its entries are added; `null` = it has no place for them."""
    conventions: int
    anti_patterns: int
    decisions: int
    contracts: int
    repositories: tuple[RepositoryReport, ...]
    problems: tuple[ProblemReport, ...]


class WorkspaceShowReport(Document):
    """`remem workspace show`."""

    workspaces: tuple[SharedReport, ...]
    overridden: tuple[OverriddenReport, ...]
    """What the repositories that are open do not inherit."""
