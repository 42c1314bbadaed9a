"""What a workspace is: several repositories that share memory, and the files that say so.

Two systems keep one (FORMATS 1.13): a folder with `memory/` and `repositories/`, or
`.sniper-workspace/config.yaml` in a folder above. Only shapes and words; finding them on disk is
`systems/workspace`'s concern.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final

from remem.model.record import Record, Shaped
from remem.systems.sniper.records import Names

WORKSPACE: Final = "workspace"
"""The format of what a workspace holds, and the name space of its refs."""
PROMOTE: Final = "workspace.promote"
LEAVE: Final = "workspace.leave"
"""Its verbs, as people's history and keymaps name them."""
CONTRACT: Final = "contract"


class ListedRepository(Record):
    """A repository as `workspace.yaml` lists it."""

    name: str = ""
    path: str = ""
    role: str = ""
    language: str = ""
    sniper_enabled: bool | None = None
    exposes: tuple[Any, ...] = ()
    consumes: tuple[Any, ...] = ()


class SharingSettings(Record):
    """What a workspace hands down to its repositories."""

    workspace_conventions: bool = True
    auto_promote: bool = False
    """Read and not obeyed: promoting is a person's verb."""


class FolderSettings(Record):
    """The settings in `workspace.yaml`."""

    memory: SharingSettings = SharingSettings()


class FolderFile(Record):
    """`workspace.yaml`."""

    name: str = ""
    description: str = ""
    version: str = ""
    repositories: tuple[ListedRepository, ...] = ()
    dependency_graph: Any = None
    config: FolderSettings = FolderSettings()
    state: Any = None


class ListedProject(Record):
    """A project as `.sniper-workspace/config.yaml` lists it."""

    name: str = ""
    path: str = ""
    type: str = ""


class SharedDecision(Record):
    """An architectural decision that all projects share."""

    id: Annotated[str, Shaped(r"^ADR-\d+$")] = ""
    title: str = ""
    decision: str = ""
    rationale: str = ""
    date: str = ""


class Shared(Record):
    """What the newer shape says by itself, without a file for it."""

    conventions: Names = ()
    anti_patterns: Names = ()
    architectural_decisions: tuple[SharedDecision, ...] = ()


class MemoryPlace(Record):
    """Where files of memory lie."""

    directory: str = ""


class ProjectsFile(Record):
    """`.sniper-workspace/config.yaml`."""

    name: str = ""
    projects: tuple[ListedProject, ...] = ()
    shared: Shared = Shared()
    memory: MemoryPlace = MemoryPlace()


class Agreement(Record):
    """Who agreed on a contract, and which version of it."""

    name: str
    between: Names = ()
    version: Annotated[str, Shaped(r"^\d+\.\d+\.\d+")] = ""
    last_updated: str = ""
    updated_by: str = ""


class Endpoint(Record):
    """One request that a repository answers for others."""

    path: str
    method: str
    description: str = ""
    request_body: Any = None
    query_params: Any = None
    response: Any = None


class SharedType(Record):
    """A type that several repositories use."""

    name: str
    repo: str = ""
    path: str = ""
    definition: Any = None


class Event(Record):
    """A message that one repository sends and others read."""

    name: str
    producer: str = ""
    consumers: Names = ()
    payload: Any = None


class Contract(Record):
    """An interface between repositories; read only."""

    contract: Agreement
    endpoints: tuple[Endpoint, ...] = ()
    shared_types: tuple[SharedType, ...] = ()
    events: tuple[Event, ...] = ()


def contracts_in(value: object) -> list[tuple[tuple[int | str, ...], Mapping[str, Any]]]:
    """Return each contract that a file holds, with where it stands in it.

    A file is one contract, or has several below `contracts:` (FORMATS 1.13).
    """
    if not isinstance(value, Mapping):
        return []
    several = value.get("contracts")
    if isinstance(several, list):
        return [
            (("contracts", number), each)
            for number, each in enumerate(several)
            if isinstance(each, Mapping)
        ]
    return [((), value)] if value else []
