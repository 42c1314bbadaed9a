"""A process whose N-th effect is its last one, or is refused: a call for a file, or a statement.

It is a process of its own, so that the system gives back what it held as it does after a crash.
Statements count whichever library sends them, those that only look do not.
"""

from __future__ import annotations

import errno
import os
import sqlite3
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, NoReturn, ParamSpec, TypeVar

from tests.failing_disk import ALLOWED_WHEN_FULL, HARMLESS, LOOKS

from remem.base.errors import RememError
from remem.store.io import Disk

P = ParamSpec("P")
R = TypeVar("R")
How = Literal["before", "after", "refused", "refused and on"]
KILLED: Final = 9
DONE: Final = 0
REFUSED: Final = 3
BROKEN: Final = 70
NEVER: Final = 1 << 30
_ONLY_LOOKS: Final = ("SELECT", "BEGIN", "PRAGMA", "ROLLBACK", "EXPLAIN")
_CODES: Final = {errno.ENOSPC: sqlite3.SQLITE_FULL, errno.EIO: sqlite3.SQLITE_IOERR}


@dataclass
class Effects:
    """Counts effects and ends, or refuses, the one at `at`."""

    at: int = NEVER
    how: How = "before"
    number: int = errno.EIO
    names: list[str] = field(default_factory=list)

    def pass_on(self, name: str, call: Callable[[], R], refusal: Callable[[], Exception]) -> R:
        self.names.append(name)
        count = len(self.names)
        is_on = self.how == "refused and on" and name not in ALLOWED_WHEN_FULL
        if self.how.startswith("refused") and (count == self.at or (is_on and count > self.at)):
            raise refusal()
        if (count, self.how) == (self.at, "before"):
            _end(KILLED)
        found = call()
        if (count, self.how) == (self.at, "after"):
            _end(KILLED)
        return found

    def error(self) -> OSError:
        return OSError(self.number, os.strerror(self.number))

    def sql_error(self) -> sqlite3.OperationalError:
        full = self.number == errno.ENOSPC
        error = sqlite3.OperationalError("database or disk is full" if full else "disk I/O error")
        error.sqlite_errorcode = _CODES[self.number]
        return error


class StruckDisk(Disk):
    """Passes every call for a file on to the count."""

    def __init__(self, effects: Effects) -> None:
        self._effects = effects

    def perform(self, name: str, call: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        if name in LOOKS or name in HARMLESS or name == "journal":  # that is a statement
            return call(*args, **kwargs)
        return self._effects.pass_on(name, lambda: call(*args, **kwargs), self._effects.error)


def strike_statements(effects: Effects) -> None:
    """Pass every statement of this process on to the count; there is no way back."""

    class StruckCursor(sqlite3.Cursor):
        connection: Struck

        def execute(self, sql: str, *given: Any) -> Any:
            return self.connection.passed(
                sql, lambda: super(StruckCursor, self).execute(sql, *given)
            )

        def executemany(self, sql: str, *given: Any) -> Any:
            return self.connection.passed(
                sql, lambda: super(StruckCursor, self).executemany(sql, *given)
            )

    class Struck(sqlite3.Connection):
        wrote = False
        """Since its transaction began: what only looked needs no room to end."""

        def passed(self, sql: str, call: Callable[[], R]) -> R:
            word = sql.split(None, 1)[0].upper() if sql.strip() else "SELECT"
            is_end = word in ("COMMIT", "ROLLBACK")
            if word in _ONLY_LOOKS or (is_end and not self.wrote):
                return call()
            self.wrote = not is_end
            return effects.pass_on(f"sql {word}", call, effects.sql_error)

        def cursor(self, factory: Any = StruckCursor) -> Any:
            return super().cursor(factory)

        def execute(self, sql: str, *given: Any) -> Any:
            return self.cursor().execute(sql, *given)

        def executemany(self, sql: str, *given: Any) -> Any:
            return self.cursor().executemany(sql, *given)

        def commit(self) -> None:
            self.passed("COMMIT", super().commit)

    connect = sqlite3.connect

    def struck(*args: Any, **given: Any) -> Any:
        return connect(*args, **{**given, "factory": Struck})

    sqlite3.connect = sqlite3.dbapi2.connect = struck


def run_struck(act: Callable[[Disk], object], effects: Effects, told: Path) -> int:
    """Let a process of its own act; return how it ended.

    Args:
        act: Is given the disk that it works on.
        effects: Which effect is struck, and how.
        told: Gets the effects' names and what was refused, or the traceback of what broke.
    """
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    code = BROKEN
    try:
        strike_statements(effects)
        try:
            act(StruckDisk(effects))
            said, code = "", DONE
        except RememError as error:
            said, code = f"{error}", REFUSED
        except BaseException:
            said = traceback.format_exc()
        told.write_text("\n".join((said.replace("\n", " ") if code else "", *effects.names)))
        if code == BROKEN:
            told.write_text(said)
    finally:
        _end(code)


def _end(code: int) -> NoReturn:
    sys.stdout.flush()
    os._exit(code)
