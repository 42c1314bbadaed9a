"""What every command shares: where to look, how to answer, and the session to ask.

It does not import click, which the screens do not need; `options.py` has what is typed.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from remem.base.frozen import dataclass

if TYPE_CHECKING:
    from pathlib import Path

    from remem.base.clock import Clock
    from remem.cli.first_frame import Taken
    from remem.core.session import Session
    from remem.core.settings import Places
    from remem.store.io import Disk


@dataclass
class Invocation:
    """One run of one command."""

    root_given: str = ""
    home_given: str = ""
    repo_given: str = ""
    as_json: bool = False
    is_quiet: bool = False
    is_for_gate: bool = False
    """Only rules are read, and what the gate knows."""
    clock: Clock | None = None
    """Tells the time and makes ids; `None` = the system's."""
    disk: Disk | None = None
    """What the root is looked for with; `None` = the system's."""
    taken: Taken | None = None
    """The terminal, where it shows the first frame of the screens already."""

    @cached_property
    def home(self) -> Path | None:
        """The home folder that was asked for by option or `REMEM_HOME`; `None` = the user's own."""
        from pathlib import Path

        given = self.home_given or os.environ.get("REMEM_HOME", "")
        return Path(given).expanduser().absolute() if given else None

    @cached_property
    def root(self) -> Path:
        """The folder that was named, else the project around the current folder.

        Raises:
            NoRoot: What was named is no folder.
            UnknownRef: No repository of its workspace is called what was asked for.
        """
        from pathlib import Path

        from remem.cli.roots import discover, named, repository
        from remem.store.io import Disk

        disk, home = self.disk or Disk(), self.home or Path.home()
        given = self.root_given
        root = named(disk, given) if given else discover(disk, Path.cwd(), home)
        return repository(disk, root, home, self.repo_given) if self.repo_given else root

    @cached_property
    def places(self) -> Places:
        from remem.core.settings import Places

        return Places.of(self.home)

    @cached_property
    def session(self) -> Session:
        """Everything open at the root; reading it writes nothing."""
        import click

        session = opened_at(self, self.root)
        click.get_current_context().call_on_close(session.close)
        tell_unfinished(session)
        click.get_current_context().call_on_close(lambda: tell_unfinished(session))
        return session


def opened_at(invocation: Invocation, root: Path) -> Session:
    """Return what lies at another root, opened as this session would; the caller closes it."""
    from remem.core.session import Session

    return Session.open(
        root,
        invocation.places,
        door="cli",
        clock=invocation.clock,
        is_for_gate=invocation.is_for_gate,
    )


def tell_unfinished(session: Session) -> None:
    """Say what was settled or mended of the past, and what could not be."""
    tell(session.told())


def tell(told: Iterable[str]) -> None:
    """Say each of these on its own line, beside what was asked for."""
    for each in told:
        from remem.cli.out import say

        say(f"note: {each}")
