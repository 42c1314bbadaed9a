"""Which entries a command lists: the options that `list` and `search` share, and what they mean.

They choose by what an entry is; which words it has is the command's own.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Any, Final

import click

from remem.base.errors import UnknownRef
from remem.base.frozen import dataclass
from remem.base.text import did_you_mean
from remem.cli.completion import complete_kinds, complete_roles
from remem.cli.failure import BadUsage
from remem.cli.find_named import kind_word, near_kind
from remem.cli.options import RenamedOption
from remem.core.library import Library
from remem.core.waiting.kinds import STATES, state_of
from remem.model.entry import Entry, Status, kind_text
from remem.model.roles import matches

STATUSES: Final = (*(status.value for status in Status), *STATES)
_OPTIONS: Final = (
    click.option("--layout", default="", help="Only this layout."),
    click.option(
        "--system",
        "--format",
        "system",
        cls=RenamedOption,
        default="",
        metavar="NAME",
        help="Only this system.",
    ),
    click.option(
        "--role", default="", help="Only entries for this role.", shell_complete=complete_roles
    ),
    click.option(
        "--status", "statuses", multiple=True, type=click.Choice(STATUSES), help="Only this status."
    ),
    click.option(
        "--kind",
        "kinds",
        multiple=True,
        metavar="KIND",
        help="Only this kind; repeatable.",
        shell_complete=complete_kinds,
    ),
)


@dataclass(frozen=True, slots=True)
class Narrowing:
    """What listed entries have to be; what is empty asks for nothing."""

    kinds: frozenset[str] = frozenset()
    statuses: tuple[str, ...] = ()
    role: str = ""
    system: str = ""
    layout: str = ""

    def known_in(self, library: Library) -> Narrowing:
        """Return it with the system by its own name.

        Raises:
            UnknownRef: No system is called so.
            BadUsage: Nothing is of a kind, whose name is nearly that of another.
        """
        system = system_named(library, self.system) if self.system else ""
        for kind in sorted(self.kinds):
            _need_kind(library, kind)
        return Narrowing(self.kinds, self.statuses, self.role, system, self.layout)

    def takes(self, library: Library, entry: Entry) -> bool:
        """Tell whether an entry is all that is asked for."""
        return (
            (not self.kinds or entry.kind in self.kinds)
            and (not self.statuses or state_of(library, entry) in self.statuses)
            and (not self.role or matches(self.role, entry.roles))
            and (not self.system or entry.ref.format == self.system)
            and (not self.layout or library.source_of(entry).layout == self.layout)
        )


def narrowing_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options; the command gets them together, as `narrowing`."""

    def run(
        *arguments: Any,
        kinds: tuple[str, ...],
        statuses: tuple[str, ...],
        role: str,
        system: str,
        layout: str,
        **others: Any,
    ) -> Any:
        wanted = frozenset(map(kind_word, kinds))
        asked = Narrowing(wanted, statuses, role, system, layout)
        return command(*arguments, narrowing=asked, **others)

    optioned: Callable[..., Any] = update_wrapper(run, command)
    for option in _OPTIONS:
        optioned = option(optioned)
    return optioned


def system_named(library: Library, name: str) -> str:
    """Return the name of the system that is meant, also by its plural: `learnings`.

    Raises:
        UnknownRef: No system is called so; the hint offers the nearest.
    """
    names = [each.name for each in library.formats]
    wanted = name.strip().casefold()
    for one in (wanted, wanted.removesuffix("s")):
        if one in names:
            return one
    listed = ", ".join(f"`{each}`" for each in names)
    near = did_you_mean(wanted, names)
    raise UnknownRef(
        f"no system is called `{name}`", hint=f"{near} the systems are {listed}".lstrip()
    )


def _need_kind(library: Library, kind: str) -> None:
    """Refuse a kind of which nothing is or can be."""
    near = near_kind(library, kind)
    if near == kind:
        return
    known = {entry.kind for entry in library.entries()}
    hint = f"did you mean `{kind_text(near)}`?" if near else ""
    hint = hint or f"the kinds here are {', '.join(f'`{kind_text(k)}`' for k in sorted(known))}"
    raise BadUsage(f"unknown kind `{kind_text(kind)}`", hint=hint)
