"""What a card says of an entry that was written since a person looked: its diff, and its cost.

What agents start with is compared with what they would start with if it had not been written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final

from remem.base.errors import RememError
from remem.base.frozen import dataclass
from remem.core.history.memory_diff import agent_change, entry_changes
from remem.core.waiting.item import Item, item_ids, kinds_drawn
from remem.model.change import Intent
from remem.model.entry import Ref
from remem.views.diff import Kind, one_side, word_diff
from remem.views.long_text import TextLine, span_line, text_line, writes_head
from remem.views.spans import Span, Tone, plain, span

if TYPE_CHECKING:
    from remem.core.history.memory_diff import AgentChange
    from remem.core.library import Library
    from remem.core.prompt.everyones_starts import Start
    from remem.core.session import Session

_NAMED: Final = 6
"""Agents whose starts are told."""
_CUT: Final = 4
"""Entries that are named for each as no longer loaded, or loaded again."""
_LINES: Final = 40
"""Lines of a text that are shown."""


@dataclass(frozen=True, slots=True)
class Told:
    """What is known of one such entry, once it was worked out."""

    starts: Sequence[TextLine]
    """Tokens at the next start of whoever loads it, and what falls past a cut."""
    written: Sequence[TextLine]
    """What was written, word by word."""


def told(session: Session, item: Item) -> Told:
    """Return what an agent's write did; takes a moment, so it runs in a thread."""
    return Told(tuple(_starts(session, item)), tuple(_written(session.library, item.ref)))


def starts_if_approved(session: Session, item: Item) -> tuple[TextLine, ...]:
    """Return what agents would start with once an item is approved; nothing if it cannot be."""
    intent = _deciding("approve", item)
    now = session.library
    try:
        after = now.preview(session.plan(intent).effects)
    except RememError:
        return ()  # the card says why
    differing, _ = _between(session, now, after)
    return tuple(_told_starts(after, differing, ())) or (
        text_line("no agent starts with it", Tone.DIM),
    )


def _starts(session: Session, item: Item) -> Iterator[TextLine]:
    try:
        differing, out = changed_starts(session, item)
    except RememError as error:
        yield text_line(f"what it costs is not known: {error}", Tone.DIM)
        return
    if not differing and not out:
        yield text_line("no agent starts with it", Tone.DIM)
    yield from _told_starts(session.library, differing, out)


def _told_starts(
    library: Library, differing: Sequence[AgentChange], out: Sequence[tuple[str, str]]
) -> Iterator[TextLine]:
    yield from (text_line(f"{name}  does not start with it: {why}", Tone.WARN) for name, why in out)
    for each in differing[:_NAMED]:
        about = "" if each.exact else "≈"
        now, was = each.after.tokens, each.before.tokens
        head = (span(f"{each.name}  ", Tone.STRONG), Span(f"{about}{now - was:+,} tokens"))
        told = f" at the next start: {about}{was:,} → {about}{now:,}"
        yield span_line((*head, Span(told, Tone.DIM)))
        yield from _moved(library, each)
    if len(differing) > _NAMED:
        yield text_line(f"and {len(differing) - _NAMED} more", Tone.DIM)


def _moved(library: Library, change: AgentChange) -> Iterator[TextLine]:
    """Yield what is no longer loaded because of it, and what is again."""
    for refs, does, tone in (
        (change.impact.pushed_out, "falls past the cut", Tone.WARN),
        (change.impact.let_in, "is loaded again", Tone.GOOD),
    ):
        for ref in refs[:_CUT]:
            title = library.entry(ref).title if library.has(ref) else str(ref)
            yield text_line(f"  {does}: {title}", tone)
        if len(refs) > _CUT:
            yield text_line(f"  and {len(refs) - _CUT} more", tone)


def changed_starts(session: Session, item: Item) -> tuple[list[AgentChange], list[tuple[str, str]]]:
    """Return whose start is another one because of what was written, and who is not given it.

    Raises:
        RememError: It cannot be taken away, so that nobody knows what would be without it.
    """
    now = session.library
    without = now.preview(session.plan(_deciding("reject", item)).effects)
    differing, after = _between(session, without, now)
    out = [
        (start.name, verdict.detail or str(verdict.reason))
        for start in after
        for verdict in start.prompt.verdicts
        if verdict.ref == item.ref and not verdict.is_in
    ]
    return differing, out


def _deciding(verb: str, item: Item) -> Intent:
    shown, arguments = {item.ref: item.digest}, {"acknowledged": True}
    return Intent(verb, shown, arguments, item_ids([item]), kinds_drawn([item]))


def _between(
    session: Session, before: Library, after: Library
) -> tuple[list[AgentChange], list[Start]]:
    """Return whose start differs between two snapshots, and all starts of the later one."""
    from remem.core.prompt.everyones_starts import agent_starts

    entries, _ = entry_changes(before, after)
    was: dict[tuple[str, str], Start] = {e.key: e for e in agent_starts(before, session.counter)}
    now = {each.key: each for each in agent_starts(after, session.counter)}
    changes = (agent_change(was.get(k), now.get(k), entries) for k in {**now, **was})
    return [each for each in changes if not each.changes_nothing], [*now.values()]


def _written(library: Library, ref: Ref) -> Iterator[TextLine]:
    found = library.aside.unreviewed.get(ref)
    if found is None:
        return
    yield writes_head("what was removed" if found.what == "removed" else "what was written")
    before = found.text_before.decode("utf-8", "replace").strip()
    after = ""
    if found.what != "removed" and library.has(ref):
        entry = library.entry(ref)
        data = library.source_of(entry).data
        start, end = getattr(entry.at, "start", 0), getattr(entry.at, "end", len(data))
        after = data[start:end].decode("utf-8", "replace").strip()
    lines = list(_lines(before, after))
    yield from lines[:_LINES]
    if len(lines) > _LINES:
        yield text_line(f"and {len(lines) - _LINES:,} more lines", Tone.DIM)


def _lines(before: str, after: str) -> Iterator[TextLine]:
    """Yield the lines of both texts: what went before what came, never two words in one place."""
    pieces = word_diff(before, after)
    old = one_side(pieces, Kind.REMOVED, Tone.PLAIN, Tone.REMOVED_WORD) if before else []
    new = one_side(pieces, Kind.ADDED, Tone.PLAIN, Tone.ADDED_WORD) if after else []
    matcher = SequenceMatcher(None, [*map(plain, old)], [*map(plain, new)], autojunk=False)
    for kind, start, end, there, until in matcher.get_opcodes():
        if kind == "equal":
            yield from map(span_line, old[start:end])
            continue
        yield from (replace(span_line(line), sign="-") for line in old[start:end])
        yield from (replace(span_line(line), sign="+") for line in new[there:until])
