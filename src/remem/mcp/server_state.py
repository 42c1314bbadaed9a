"""What the tools for agents work on, for all calls of one server, and one call of a tool."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, TypeAlias

from remem.base.errors import NotPossible
from remem.base.frozen import dataclass
from remem.core.settings import Places
from remem.core.verbs.args import Args
from remem.store.io import real_path
from remem.systems.facts.records import Actor
from remem.systems.facts.service import VerifiedMemory

if TYPE_CHECKING:
    from remem.core.session import Session

Answer: TypeAlias = dict[str, Any]
"""What a tool answers, as JSON."""


@dataclass
class ServerState:
    """Everything that the tools work on, for all calls of one server."""

    root: Path
    places: Places
    run_id: str
    """Tells the uses of this run from those of others."""

    def __post_init__(self) -> None:
        # One at a time: the session reads again before it answers.
        self.lock = RLock()
        self.memory = VerifiedMemory(real_path(self.root), self.places, door="mcp", actor="agent")

    @cached_property
    def session(self) -> Session:
        """Opened when a tool first needs it: most agents only ever ask for verified memory."""
        from remem.core.session import Session
        from remem.systems.registry import make_known

        make_known()
        return Session.open(self.root, self.places, door="mcp", actor="agent")

    def warm_up(self) -> None:
        """Open, before a client asks for it, what its first call will need.

        Raises:
            RememError: It cannot be opened; so will the call, then.
        """
        self.memory.look(self.memory.store.recent(self.memory.repository, 1))

    def need_root(self) -> None:
        """Refuse when the folder is gone: nothing there is not the same as nothing known.

        Raises:
            NotPossible: It is.
        """
        if not all(map(self.memory.disk.kind, (self.root, self.memory.root))):
            raise NotPossible(
                f"the folder `{self.root}` no longer exists",
                hint="restart `remem mcp` in the project's new location",
            )

    def close(self) -> None:
        """Let go of the database and the history."""
        self.memory.close()
        if "session" in self.__dict__:
            self.session.close()


@dataclass(frozen=True, slots=True)
class Call:
    """One call of one tool."""

    state: ServerState
    args: Args
    """What the tool was told; its class says which tool it is."""
    client: str
    """What the client calls itself."""

    def actor(self, by: str = "") -> Actor:
        """On whose behalf it is."""
        return Actor(by or self.client, self.state.run_id)
