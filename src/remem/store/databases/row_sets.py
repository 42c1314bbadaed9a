"""Edits of rows as one step: in a SQLite file by its path, or on the server that is configured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, Protocol
from urllib.parse import parse_qs, urlsplit

from remem.base.effects import RowEdit
from remem.base.errors import NotPossible
from remem.base.frozen import dataclass
from remem.store.changes.steps import RowsSet, Step
from remem.store.databases.rows import BUSY_SECONDS, rows_hold, set_rows

SCHEME: Final = "postgresql:"
"""How the place of a server begins, where the place of a file would stand."""


def is_served(place: Path) -> bool:
    """Tell whether a place is that of a server's database."""
    return place.parts[:1] == (SCHEME,)


def place_of(url: str) -> Path:
    """Return how a server's database is called where a file would be: never with a password."""
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return Path(f"{SCHEME}/?")
    socket = parse_qs(parts.query).get("host", [""])[0]
    host = f"{parts.hostname or socket.strip('/')}{port}"
    user = f"{parts.username}@" if parts.username else ""
    return Path(f"{SCHEME}/{user}{host}/{parts.path.strip('/')}")


class EditedRows(Protocol):
    """A database whose rows are edited by whoever holds its connections."""

    @property
    def path(self) -> Path: ...

    def stand(self, edits: Sequence[RowEdit]) -> bool: ...

    def write(self, edits: Sequence[RowEdit]) -> tuple[RowEdit, ...]: ...


class RowServer(EditedRows, Protocol):
    """A server's database, of which what it held when it was asked last is shown."""

    def ask(self) -> bool:
        """Ask whether anything changed and read it; tell whether other things are held now."""
        ...

    def close(self) -> None:
        """Give every connection back."""
        ...


@dataclass(frozen=True, slots=True)
class RowSets:
    """Where edits of rows go; those of one call are of one database."""

    server: EditedRows | None = None
    """A file goes by its path unless it is this one's."""
    busy: float = BUSY_SECONDS
    """Seconds that another program's transaction on a file is waited for."""

    def stand(self, edits: Sequence[RowEdit]) -> bool:
        """Tell whether every row is as its edit has it before.

        Raises:
            BadDatabase: The file is no database with those tables.
            StoreUnavailable: The server cannot be asked.
            NotPossible: They are rows of a server that is not the configured one.
        """
        server = self._server_of(edits)
        return rows_hold(edits) if server is None else server.stand(edits)

    def write(self, edits: Sequence[RowEdit]) -> tuple[RowEdit, ...]:
        """Carry out all edits in one transaction, or none.

        Returned are the edits with what their loose columns held.

        Raises:
            ChangedOnDisk: A row is not as its edit has it before.
            WriteFailed: The file stayed locked, or refused.
            StoreUnavailable: The server gave no answer.
            NotPossible: They are rows of a server that is not the configured one.
        """
        server = self._server_of(edits)
        return set_rows(edits, busy=self.busy) if server is None else server.write(edits)

    def have(self, steps: Sequence[Step]) -> bool:
        """Tell whether the rows that these steps added are there, whatever they hold by now.

        Raises:
            BadDatabase: The file is no database with those tables.
            StoreUnavailable: The server cannot be asked.
        """
        added = [
            replace(edit, before=edit.key, after={})
            for step in steps
            if isinstance(step, RowsSet)
            for edit in step.edits
            if not edit.before
        ]
        return bool(added) and self.stand(added)

    def _server_of(self, edits: Sequence[RowEdit]) -> EditedRows | None:
        place = edits[0].database
        if self.server is not None and self.server.path == place:
            return self.server
        if is_served(place):
            raise NotPossible(
                f"`{place}` is not the database that is configured",
                hint="set `REMEM_DATABASE_URL`, or `database.url` in your `config.yaml`",
            )
        return None
