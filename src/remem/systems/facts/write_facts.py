"""What the verbs of verified memory write, planned from the rows that they concern alone.

Every door's verbs end in one change of rows; whoever carries it out puts it into the history.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeVar

from remem.base.errors import ChangedOnDisk, Refused
from remem.base.text import count
from remem.core.checks.secrets import redacted
from remem.model.change import Change, Intent, Json, RowEdit
from remem.model.citation import Citation
from remem.model.entry import Ref
from remem.systems.facts import row_edits
from remem.systems.facts.database.memory_store import MemoryStore
from remem.systems.facts.records import NOBODY, Actor, Correction, Memory, NewMemory, Stored
from remem.systems.facts.row_edits import Told
from remem.systems.facts.source import FORMAT

T = TypeVar("T")
Carry = Callable[[Change], object]
"""Carries a change of rows out; `ChangedOnDisk` where a row is another one by now."""

_TRIES: Final = 40
"""How often a verb is planned again on rows that others changed just then."""
_LONGEST: Final = 60
"""Characters of a subject in a title."""


class Writing:
    """The verbs that write, on one store; for all threads of a process."""

    def __init__(self, store: MemoryStore, carry: Carry, place: str = "") -> None:
        """Write nothing yet.

        Args:
            store: Where the rows are read that a verb concerns.
            carry: Carries out what was planned.
            place: How refs call the root that the memories are about.
        """
        self._store = store
        self._carry = carry
        self._place = place

    def store(self, new: NewMemory, actor: Actor = NOBODY) -> Stored:
        """Keep a memory, or refresh the active one with that repository, subject and fact.

        Raises:
            BadMemory: It has no citations, or a text that cannot be kept.
            Refused: Another tenant keeps the same fact.
            StoreUnavailable: It cannot be written now; nothing was.
        """
        row_edits.require(new)
        self._store.base.make()

        def plan() -> tuple[Stored, Change]:
            told = self._told(new.created_by, actor)
            kept = self._store.saying(new.repository, new.subject, new.fact)
            if kept is not None:
                edits = row_edits.renew(self._store.path, kept, new, told)
                return Stored(kept.id, "refreshed"), self._change("refresh", kept, edits, told)
            made, edits = row_edits.store(self._store.path, new, told, self._store.tenant)
            change = self._named("store", new.subject, {made: made}, edits, told)
            return Stored(made, "created"), change

        try:
            return self._carried(plan)
        except ChangedOnDisk as error:
            if self._store.saying(new.repository, new.subject, new.fact) is not None:
                raise
            raise Refused(
                f"`{new.subject}` belongs to another tenant",
                hint="reword it, or ask the owner to share it",
            ) from error

    def refresh(
        self,
        memory: Memory,
        by: str = "",
        actor: Actor = NOBODY,
        citations: Sequence[Citation] | None = None,
        **result: Any,
    ) -> Memory:
        """Note that an active memory held when it was looked at just now.

        Args:
            memory: As `held` gives it.
            by: Who looked.
            actor: For the event.
            citations: What proves it from now on; `None` = as before.
            result: Of the look, for the event.

        Raises:
            NotPossible: It is not active.
        """

        def plan(kept: Memory) -> tuple[Memory, Change]:
            told = self._told(by, actor)
            edits = row_edits.refresh(self._store.path, kept, told, citations, result)
            return row_edits.left(kept, edits), self._change("refresh", kept, edits, told)

        return self._on(memory, plan)

    def invalidate(
        self, memory: Memory, reason: str = "", by: str = "", actor: Actor = NOBODY
    ) -> Memory:
        """Take an active memory, as `held` gives it, out of use; it stays in the store.

        Raises:
            NotPossible: It is not active.
        """

        def plan(kept: Memory) -> tuple[Memory, Change]:
            told, result = self._told(by, actor), {"reason": reason or None}
            edits = row_edits.invalidate(self._store.path, kept, told, result)
            return row_edits.left(kept, edits), self._change(
                "invalidate", kept, edits, told, reason
            )

        return self._on(memory, plan)

    def supersede(self, memory: Memory, new: Correction, actor: Actor = NOBODY) -> str:
        """Put a corrected memory in the place of an active one; return the id of the new one.

        Args:
            memory: The one that goes, as `held` gives it.
            new: What holds now.
            actor: For the events.

        Raises:
            NotPossible: It is not active, or another active one has that fact.
            BadMemory: The new one has no citations, or a text that cannot be kept.
        """

        def plan(kept: Memory) -> tuple[str, Change]:
            told, reason = self._told(new.by, actor), new.reason
            cited = kept.citations if new.citations is None else new.citations
            made, edits = self._superseded(kept, cited, told, new.fact, reason)
            touched = {kept.id: made, made: made}
            change = self._named("supersede", kept.subject, touched, edits, told, reason or "")
            return made, change

        return self._on(memory, plan)

    def reanchor(
        self, anew: Mapping[str, Sequence[Citation]], by: str = "", actor: Actor = NOBODY
    ) -> Mapping[str, str]:
        """Put memories in the place of themselves with citations anew, all in one change.

        Args:
            anew: Id → the citations of what only moved.
            by: Who does.
            actor: For the events.

        Returns:
            Old id → new id.

        Raises:
            UnknownRef: One of them is not there.
            NotPossible: One of them is not active.
        """

        def plan() -> tuple[Mapping[str, str], Change]:
            told = self._told(by, actor)
            made: dict[str, str] = {}
            edits: list[RowEdit] = []
            subject = ""
            for memory, citations in anew.items():
                kept = self._store.held(memory)
                made[kept.id], more = self._superseded(kept, citations, told, kept.fact, None)
                edits += more
                subject = kept.subject
            what = subject if len(made) == 1 else ""
            touched = {**made, **{new: new for new in made.values()}}
            return made, self._named("reanchor", what, touched, edits, told)

        return self._carried(plan) if anew else {}

    def _superseded(
        self, kept: Memory, cited: Sequence[Citation], told: Told, fact: str, reason: str | None
    ) -> tuple[str, tuple[RowEdit, ...]]:
        same = self._store.saying(kept.repository, kept.subject, fact)
        keepers = () if same is None else (same.id,)
        return row_edits.supersede(
            self._store.path, kept, cited, told, keepers=keepers, fact=fact, reason=reason
        )

    def _on(self, memory: Memory, plan: Callable[[Memory], tuple[T, Change]]) -> T:
        """Carry out a plan on a memory as it was read; where it changed since, it is read again."""
        seen = [memory]
        return self._carried(lambda: plan(seen.pop() if seen else self._store.held(memory.id)))

    def _carried(self, plan: Callable[[], tuple[T, Change]]) -> T:
        for _ in range(_TRIES - 1):
            result, change = plan()
            try:
                self._carry(change)
            except ChangedOnDisk:
                continue
            return result
        result, change = plan()
        self._carry(change)
        return result

    def _told(self, by: str, actor: Actor) -> Told:
        return Told(by, self._store.now(), self._store.new_id(), actor)

    def _change(
        self, verb: str, kept: Memory, edits: Sequence[RowEdit], told: Told, reason: str = ""
    ) -> Change:
        return self._named(verb, kept.subject, {kept.id: kept.id}, edits, told, reason)

    def _named(
        self,
        verb: str,
        subject: str,
        touched: Mapping[str, str],
        edits: Sequence[RowEdit],
        told: Told,
        reason: str = "",
    ) -> Change:
        what = f"`{_short(subject)}`" if subject else count(len(touched) // 2, "fact")
        arguments: dict[str, Json] = {
            "by": told.by or told.actor.agent,
            "session": told.actor.session,
        }
        said = {name: value for name, value in arguments.items() if value}
        return Change(
            Intent(f"memory.{verb}", arguments=said),
            f"{_TITLES[verb]} {what}",
            tuple(edits),
            reason,
            {self._ref(old): self._ref(new) for old, new in touched.items()},
        )

    def _ref(self, memory: str) -> Ref:
        return Ref(FORMAT, memory, self._place)


_TITLES: Final = {
    "store": "Store",
    "refresh": "Refresh",
    "invalidate": "Invalidate",
    "supersede": "Supersede",
    "reanchor": "Re-anchor",
}


def _short(subject: str) -> str:
    line = " ".join(redacted(subject).split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
