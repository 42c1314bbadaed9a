"""Edits of rows as one step: in a SQLite file by its path, or on the server that is configured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from remem.disk.memory_server import is_served
from remem.disk.rows import rows_hold, set_rows
from remem.errors import NotPossible
from remem.model.change import RowEdit


class ServerRows(Protocol):
    """A server whose rows are edited."""

    path: Path

    def stand(self, edits: Sequence[RowEdit]) -> bool: ...

    def write(self, edits: Sequence[RowEdit]) -> None: ...


@dataclass(frozen=True, slots=True)
class RowSets:
    """Where edits of rows go; those of one call are of one database."""

    server: ServerRows | None = None

    def stand(self, edits: Sequence[RowEdit]) -> bool:
        """Tell whether every row is as its edit has it before.

        Raises:
            BadDatabase: The file is no database with those tables.
            StoreUnavailable: The server cannot be asked.
            NotPossible: They are rows of a server that is not the configured one.
        """
        server = self._server_of(edits)
        return rows_hold(edits) if server is None else server.stand(edits)

    def write(self, edits: Sequence[RowEdit]) -> None:
        """Carry out all edits in one transaction, or none.

        Raises:
            ChangedOnDisk: A row is not as its edit has it before.
            WriteFailed: The file stayed locked, or refused.
            StoreUnavailable: The server gave no answer.
            NotPossible: They are rows of a server that is not the configured one.
        """
        server = self._server_of(edits)
        if server is None:
            set_rows(edits)
        else:
            server.write(edits)

    def _server_of(self, edits: Sequence[RowEdit]) -> ServerRows | None:
        place = edits[0].database
        if not is_served(place):
            return None
        if self.server is None or self.server.path != place:
            raise NotPossible(
                f"`{place}` is not the database that is configured",
                hint="name it as `REMEM_DATABASE_URL`, or in your `config.yaml`",
            )
        return self.server
