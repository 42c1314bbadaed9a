"""`detect --all`: every hint that can be read exactly, with what it finds in the code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from remem.base.errors import NotPossible
from remem.base.frozen import dataclass
from remem.base.text import count
from remem.cli.detect_told import Asked, told_of
from remem.cli.execute import carry_out
from remem.cli.out import emit, say, show_field, show_text
from remem.model.change import Json
from remem.systems.sniper.detect_verbs import DETECT
from remem.views.documents.checks import DetectAllReport, RuleReport

if TYPE_CHECKING:
    from remem.cli.invocation import Invocation
    from remem.core.checks.compliance import Held
    from remem.core.library import Library
    from remem.systems.sniper.detect_plan import Proposed

_SECONDS: Final = 60.0
"""That all searches take at most."""


@dataclass(frozen=True, slots=True)
class _Read:
    """A rule whose hint can be read, and what it finds."""

    proposed: Proposed
    held: Held
    note: str
    """Why no code was looked at; empty = it was."""
    parts: str = ""
    """How many matches stand in comments or strings, and how to leave them out."""


def detect_all(
    invocation: Invocation, limit: int, *, applies: bool, dry_run: bool, acknowledge: Sequence[str]
) -> None:
    """Show what every readable hint finds; with `applies` write them in one change."""
    from remem.systems.sniper.detect_plan import proposals

    library = invocation.session.library
    found = tuple(proposals(library))
    if applies or dry_run:
        if not found:
            _nothing(invocation, library)
            return
        arguments: dict[str, Json] = {"acknowledged": [*acknowledge]} if acknowledge else {}
        intent = invocation.session.intend(DETECT.id, [each.entry for each in found], **arguments)
        carry_out(invocation, intent, dry_run=dry_run)
        return
    read = tuple(_searched(invocation, found))
    others = _unread(library)
    if invocation.as_json:
        emit(
            DetectAllReport(
                rules=tuple(_report(library, each) for each in read),
                unread=tuple(others),
            )
        )
        return
    if not read:
        _nothing(invocation, library)
    for each in read:
        _show(library, each, limit)
    if others:
        names = ", ".join(f"`{name}`" for name in others[: limit or len(others)])
        more = len(others) - limit if limit else 0
        tail = f" and {more} more" if more > 0 else ""
        say(f"no machine can read {count(others, 'rule')}: {names}{tail}")
        say(f"say what it looks for: `remem detect {others[0]} --forbid PATTERN --apply`")
    if read:
        say(f"nothing was written; `remem detect --all --apply` writes {_them(read)}")


def _them(read: Sequence[_Read]) -> str:
    return f"all {len(read)} into their rules" if len(read) > 1 else "it into its rule"


def _nothing(invocation: Invocation, library: Library) -> None:
    if invocation.as_json:
        emit(DetectAllReport(rules=(), unread=tuple(_unread(library))))
    else:
        say("no hint that is not checked yet can be read exactly")


def _unread(library: Library) -> tuple[str, ...]:
    """Return the rules that the gate cannot check, and whose words no machine reads."""
    from remem.systems.sniper.detect_plan import proposals
    from remem.systems.workspace.rules import rules_of

    readable = {library.short(each.entry.ref) for each in proposals(library)}
    return tuple(
        rule.ref
        for rule in rules_of(library)
        if rule.detect is None and rule.turned_down is None and rule.ref not in readable
    )


def _searched(invocation: Invocation, found: Sequence[Proposed]) -> Iterator[_Read]:
    """Yield each rule with what it finds; the files are listed once for a repository."""
    from time import monotonic

    from remem.core.checks.codebase import Codebase, code_root
    from remem.core.checks.compliance import Held

    session, library = invocation.session, invocation.session.library
    bases: dict[object, Codebase] = {}
    end = monotonic() + _SECONDS
    for each in found:
        root = code_root(session.root, each.source.path)
        base = bases.setdefault(root, Codebase(session.disk, root))
        try:
            detect = each.reading.detect
            held = base.search(detect, seconds=max(0.0, end - monotonic()))
            ask = f"`remem detect {library.short(each.entry.ref)} --within code`"
            yield _Read(each, held, "", base.hint_of_parts(detect, held, ask))
        except NotPossible as problem:
            yield _Read(each, Held((), 0, is_whole=False), str(problem))


def _show(library: Library, read: _Read, limit: int) -> None:
    from remem.systems.sniper.detect_plan import words_of

    proposed, held = read.proposed, read.held
    title = " ".join(proposed.entry.title.split())
    show_text(f"{library.short(proposed.entry.ref)}: {title}", bold=True)
    show_field("read from", f"`{proposed.reading.said}`")
    for line in words_of(proposed.reading.detect):
        show_text(f"  {line}", dim=True)
    if proposed.reading.left:
        show_field("not checked by it", proposed.reading.left)
    if read.note:
        show_text(f"  {read.note}")
        return
    stopped = "" if held.is_whole else ", stopped before the last file"
    show_text(f"  {held.told}{stopped}")
    for place, text in held.places(limit):
        show_text(f"    {place}  {text}".rstrip())
    more = len(held.violations) - limit if limit else 0
    if more > 0:
        show_text(f"    and {more} more")
    if read.parts:
        show_text(f"  {read.parts}", dim=True)


def _report(library: Library, read: _Read) -> RuleReport:
    reading, entry = read.proposed.reading, read.proposed.entry
    asked = Asked("proposed", reading.detect, reading.said, reading.left)
    name = library.short(entry.ref)
    return RuleReport(**told_of(name, entry.title, asked, read.held, {}, read.note or read.parts))
