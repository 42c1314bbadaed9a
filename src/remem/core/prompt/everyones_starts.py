"""Everyone who starts with memory, each with the prompt that they get.

A role is composed; an agent is shown with what its tool loads by itself, also where remem could
compose more for it: Start, Team, `status`, effects and comparisons all count the same. It only
gathers: what is in a prompt is decided where prompts are made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from remem.base.frozen import dataclass
from remem.core.library import Library
from remem.core.prompt.agents import agents_of, as_loaded, sharing
from remem.core.prompt.asks import EVERYONE
from remem.core.prompt.compose import compose
from remem.core.prompt.counter import Counter
from remem.model.prompt import Ask, Prompt

ROLE = "role"


@dataclass(frozen=True, slots=True)
class Start:
    """Somebody, and what they start with."""

    name: str
    tool: str
    """The tool of an agent; `role` for a role."""
    prompt: Prompt

    @property
    def key(self) -> tuple[str, str]:
        """What makes it the same one at another time."""
        return self.tool, self.name.casefold()


def starts(library: Library, counter: Counter, budget: int = 0) -> tuple[Start, ...]:
    """Return everybody's start: the roles by name, then the agents tool by tool.

    Args:
        library: Whose memory.
        counter: Counts tokens.
        budget: Replaces the budget of every memory layer of a role; 0 = each one's own.
    """
    return (*everyones_starts(library, counter, budget), *agent_starts(library, counter))


def everyones_starts(library: Library, counter: Counter, budget: int = 0) -> Iterator[Start]:
    """Yield what every role starts with; where none is named, what is composed for everyone."""
    if names := library.role_names():
        yield from role_starts(library, counter, names, budget)
        return
    prompt = compose(library, Ask(budget=budget), counter)
    if prompt.text:
        yield Start(EVERYONE, ROLE, prompt)


def role_starts(
    library: Library, counter: Counter, roles: Iterable[str], budget: int = 0
) -> Iterator[Start]:
    """Yield what some roles start with."""
    for role in roles:
        yield Start(role, ROLE, compose(library, Ask(role=role, budget=budget), counter))


def agent_starts(library: Library, counter: Counter) -> Iterator[Start]:
    """Yield what every agent starts with by itself."""
    among = sharing(library, counter)
    for who in agents_of(library):
        yield Start(who.name, who.tool, as_loaded(library, who.ask, counter, among))
