"""What verified memory is, told without loading it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from remem.base.text import count
from remem.core.system import Facets, Served
from remem.model.entry import FACT

if TYPE_CHECKING:
    from remem.core.checks.issue import Issue
    from remem.core.library import Library
    from remem.store.databases.row_sets import RowServer


def _issues(library: Library) -> Iterator[Issue]:
    from remem.systems.facts.problems import upkeep_issues
    from remem.systems.facts.stale import stale_issues

    yield from stale_issues(library)
    yield from upkeep_issues(library)


def _beside(library: Library) -> str:
    """Count the facts that are active, whether they hold or not; none of them is parsed."""
    from remem.systems.facts.source import FORMAT, verified_sources

    number = sum(len(source.active) for source in verified_sources(library.of_format(FORMAT)))
    return f"{count(number, 'fact')} stored" if number else ""


def _server(served: Served) -> RowServer:
    from remem.systems.facts.database.server_rows import MemoryServer

    def repositories() -> tuple[str, ...]:
        from remem.code.choose_reader import names_of

        return names_of(served.disk, served.root)

    return MemoryServer(
        served.url, served.tenant, repositories, disk=served.disk, clock=served.clock
    )


FACETS: Final = Facets(
    finds=("fact",),
    server=_server,
    problems=_issues,
    beside=_beside,
    fixed={FACT: "facts cannot be edited; supersede or invalidate them"},
)
