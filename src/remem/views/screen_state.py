"""What the screens share while one person works: the agent, the last decision, what was done.

It holds no widgets and writes nothing; screens read it and ask the session.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict, field
from threading import Lock
from typing import TYPE_CHECKING

from remem.base.frozen import dataclass
from remem.core.library import Library
from remem.core.prompt.asks import ask_for, asker
from remem.model.change import Json
from remem.model.entry import Ref
from remem.model.prompt import Ask, Prompt

if TYPE_CHECKING:
    from remem.core.prompt.agents import Agent
    from remem.core.session import Session
    from remem.core.waiting.item import Item


@dataclass(frozen=True, slots=True)
class Decision:
    """A verb with its arguments, as `.` repeats it."""

    verb: str
    arguments: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Done:
    """One decision of this session, for the summary at the end of a review."""

    change: str
    verb: str
    title: str
    group: str
    reason: str = ""
    """Why, or what it was merged into or put in the place of."""
    called: str = ""
    """What the verb is called on such a card: `Mark as reviewed`; empty = by its own name."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where the person was: a screen and the row under its cursor."""

    mode: str
    key: Hashable = None


@dataclass
class Desk:
    """One person's work in one session."""

    session: Session
    ask: Ask = field(default_factory=Ask)
    """Whose prompt the top line and the Prompt screen show."""
    as_loaded: bool = False
    is_chosen: bool = False
    """Somebody was chosen; everyone's prompt is one that a person may choose too."""
    compared: tuple[str, str] | None = None
    """The retros that Review shows side by side, the earlier first, by their files' stems."""
    last: Decision | None = None
    done: list[Done] = field(default_factory=list)
    skipped: set[str] = field(default_factory=set)
    """Ids of items that were left for later with the key that skips."""
    trail: list[Place] = field(default_factory=list)
    """Where `backspace` leads to, the newest last."""
    wanted: Hashable = None
    """The row that the next screen should put its cursor on: on Browse an entry or a source."""
    unsaved: dict[Ref, Mapping[str, Json] | bytes] = field(default_factory=dict)
    """What was written in the editor and could not be taken over: fields, or what does not read."""
    began: Library = field(init=False)
    """The snapshot of the beginning, which the summary of a review compares with."""
    _undone: list[Done] = field(default_factory=list)
    _prompts: tuple[Hashable, Prompt | None] = (None, None)
    _lock: Lock = field(default_factory=Lock)
    is_left: bool = True
    """The next opening goes on with this review."""
    _keeping: Lock = field(default_factory=Lock)

    earlier: frozenset[str] = frozenset()
    """Changes decided before this opening, in the review that was left: known by their titles."""

    def __post_init__(self) -> None:
        self.began = self.session.library
        self._go_on()

    def _go_on(self) -> None:
        """Take up the review that was left, without what was taken back since."""
        try:
            told = json.loads(self.session.left_review.read() or "{}")
            found = [Done(**each) for each in told.get("done", ())] if told.get("left") else []
        except (ValueError, TypeError, AttributeError):
            return
        if not found:
            return
        stands = {logged.id for logged in self.session.past.changes() if not logged.undone}
        self.done = [done for done in found if done.change in stands]
        self.earlier = frozenset(done.change for done in self.done)

    def decided(self, done: Sequence[Done]) -> None:
        """Remember decisions, for the summary."""
        self.done += done

    def leave_review(self, *, goes_on: bool) -> None:
        """Write down how far the review is when the program ends."""
        self.is_left = goes_on
        self.keep_review()

    def keep_review(self) -> None:
        """Write down how far the review is; with nothing left, the next one begins anew.

        It waits for the disk, and no key should wait with it. Whoever writes last writes what holds
        by then.
        """
        with self._keeping:
            told = {"left": self.is_left, "done": [asdict(each) for each in self.done]}
            self.session.left_review.write(json.dumps(told))

    def items(self) -> tuple[Item, ...]:
        """Return the queue of the newest snapshot."""
        return self.session.queue()

    def prompt(self) -> Prompt:
        """Return the chosen agent's prompt on the newest snapshot, made once for both."""
        with self._lock:
            session, ask, as_loaded = self.session, self.ask, self.as_loaded
            wanted = (session.library.number, session.counter.exact, ask, as_loaded)
            known, prompt = self._prompts
            if prompt is None or known != wanted:
                prompt = session.as_loaded(ask) if as_loaded else session.compose(ask)
                self._prompts = wanted, prompt
            return prompt

    def choose(self, agent: Agent | None, role: str = "") -> None:
        """Take an agent, with what it loads as its row had it, or a role."""
        self.is_chosen = True
        if agent is None:
            self.ask, self.as_loaded = ask_for(self.session.library, role), False
        else:
            self.ask, self.as_loaded = Ask(agent=agent.name, layout=agent.layout), True

    @property
    def whose(self) -> str:
        """The chosen role, persona or agent in a word; empty for everyone's."""
        return asker(self.ask)

    def undone(self, change: str) -> None:
        """Forget a decision that was taken back."""
        self._undone += [done for done in self.done if done.change == change]
        self.done = [done for done in self.done if done.change != change]

    def redone(self, change: str) -> None:
        """Remember a decision that stands again."""
        self.done += [done for done in self._undone if done.change == change]
        self._undone = [done for done in self._undone if done.change != change]
