"""From a change to the lines of its plan: what it does, to which files, and what to know first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from remem.base.text import count
from remem.core.derived_files import without_same
from remem.core.session import Session
from remem.core.shown_plan import ShownPlan, shown_plan
from remem.core.verbs import verbs
from remem.model.change import Change, Intent
from remem.store.changes.preview import FilePreview, previews
from remem.store.overlay import Overlay
from remem.views.diff import FileDiff, diff_lines, one_line
from remem.views.list_rows import label
from remem.views.long_text import TextLine, safe_line, span_line, text_line
from remem.views.prompts.plan_impact import reach_lines
from remem.views.spans import Span, Spans, Tone, span

_HANG: Final = 2
"""Cells that what does not fit beside a file's name is moved in."""
_FOLD: Final = 6
"""Lines above the diffs from which on a plan says first, in brief, what it writes."""
_SEVERAL = 2
"""Entries from which on a plan names each: a diff alone does not tell what was chosen."""


def plan_lines(
    session: Session, change: Change, reached: Sequence[TextLine] = ()
) -> list[TextLine]:
    """Return notes and receipt, whom it reaches, then what every file would get.

    Args:
        session: Previews the change.
        change: What would be written.
        reached: What it does to the prompts, of `reach_lines`; it takes a while to gather.
    """
    shown = [each for each in session.preview(change) if not _is_review(session, each)]
    known, named = [*_known_first(change)], [*_named_lines(session, change)]
    above = len(known) + len(reached) + len(named)
    brief = _brief_lines(session, shown) if above > _FOLD else ()
    return [*known, *brief, *reached, *named, *file_lines(session, shown)]


def _brief_lines(session: Session, shown: Sequence[FilePreview]) -> Iterator[TextLine]:
    """Yield what is written in two lines, for where the diffs begin below the fold."""
    if shown:
        yield span_line(all_in_brief(session, shown))
        yield first_written(shown)
        yield TextLine("")


def _is_review(session: Session, preview: FilePreview) -> bool:
    """Tell whether a file is where remem remembers what was reviewed; it is nobody's to read."""
    return preview.path.is_relative_to(session.inbox.reviewed)


def _named_lines(session: Session, change: Change) -> Iterator[TextLine]:
    """Yield the texts of several that are decided on at once."""
    library, shown = session.library, change.intent.shown
    if len(shown) < _SEVERAL:
        return
    unreviewed = library.aside.unreviewed
    titles: dict[str, int] = {}
    for ref in shown:
        title = library.entry(ref).title if library.has(ref) else ""
        written = unreviewed.get(ref)
        if written is not None:
            title = f"{written.what}: {written.title}"
        if change.intent.verb == verbs.SUPERSEDE.id:
            goes = str(ref) == change.intent.text("instead_of")
            title = f"{'goes' if goes else 'new'}: {title}"
        title = title or library.short(ref)
        titles[title] = titles.get(title, 0) + 1
    for title, times in titles.items():
        several = (Span(f"  {times} times", Tone.DIM),) if times > 1 else ()
        yield span_line((span(title), *several), wraps=False)
    yield TextLine("")


def plan_in_turn(
    session: Session, intents: Sequence[Intent], *, reaches: bool = True
) -> tuple[list[TextLine], list[ShownPlan]]:
    """Return the plans of intents that follow each other, each on what the one before leaves.

    As lines, and as what a later plan of each is compared with.

    Args:
        session: Plans them.
        intents: In their order.
        reaches: Tell what they do to the prompts.

    Raises:
        RememError: One of them cannot be done.
    """
    lines: list[TextLine] = []
    plans: list[ShownPlan] = []
    changes: list[Change] = []
    session.plan(intents[0])  # it looks up who decides; the rest is planned on previews
    library = session.library
    for intent in intents:
        change = verbs.plan(library, intent)
        changes.append(change)
        disk = library.ground.disk
        lines += [text_line(change.title, Tone.HEADING), *_known_first(change)]
        left = library.preview(change.effects)
        shown = previews(disk, without_same(library, change.effects, left), library.shown)
        plans.append(shown_plan(change, shown, session.inbox.reviewed))
        lines += file_lines(session, [each for each in shown if not _is_review(session, each)])
        lines += [TextLine("")]
        after = Overlay(disk, change.effects, library.shown)
        library = replace(left, ground=replace(left.ground, disk=after))
    return [*(reach_lines(session, changes) if reaches else ()), *lines], plans


def _known_first(change: Change) -> Iterator[TextLine]:
    for note in change.notes:
        yield text_line(note, Tone.WARN)
    if change.receipt:
        yield text_line(change.receipt, Tone.GOOD)
    if change.reason:
        yield text_line(change.reason, Tone.DIM)


def file_lines(session: Session, previews: Sequence[FilePreview]) -> list[TextLine]:
    """Return the diffs of files, with their names as seen from the root."""
    return [line for preview in previews for line in _file(session, preview)]


def short_plan(session: Session, previews: Sequence[FilePreview]) -> list[TextLine]:
    """Return one line per file that is only added to, and the whole diff of every other."""
    lines: list[TextLine] = []
    for preview in previews:
        summary = one_line([_diff(session, preview)]) if preview.only_adds else ""
        if summary:
            name = label(session, preview.path)
            told = (Span(name, Tone.HEADING), Span(f"  {summary}", Tone.GOOD))
            lines.append(span_line(told, hang=_HANG))
        else:
            lines += _file(session, preview)
    return lines


def all_in_brief(session: Session, previews: Sequence[FilePreview]) -> Spans:
    """Return in a few words what happens to the first file, and to how many more."""
    if not previews:
        return (Span("nothing"),)
    more = len(previews) - 1
    rest = (Span(f" and {count(more, 'more file')}", Tone.DIM),) if more else ()
    return (*_in_brief(session, previews[0]), *rest)


def _in_brief(session: Session, preview: FilePreview) -> Spans:
    """Return in a few words what happens to a file: its name, lines that go and that come."""
    name = span(_short_name(session, preview.path), Tone.HEADING)
    if not preview.hunks:
        return (name, Span(f" {preview.told(partial(label, session))}", Tone.DIM))
    gone = sum(hunk.gone for hunk in preview.hunks)
    came = sum(hunk.came for hunk in preview.hunks)
    if gone and not came:
        return (name, Span(f" -{count(gone, 'line')}", Tone.REMOVED))
    if gone:
        parts = (Span(f" -{gone}", Tone.REMOVED), Span(f" +{came} lines", Tone.ADDED))
        return (name, *parts)
    return (name, Span(f" +{count(came, 'line')}", Tone.ADDED))


def _short_name(session: Session, path: Path) -> str:
    """Return the name of a file, with as many folders as tell it from others of that name."""
    sources = session.library.sources
    others = {s.path for s in sources if s.path.name == path.name and s.path != path}
    parts = label(session, path).split("/")
    for length in range(1, len(parts)):
        end = path.parts[-length:]
        if not any(other.parts[-length:] == end for other in others):
            return "/".join(parts[-length:])
    return "/".join(parts)


def first_written(previews: Sequence[FilePreview]) -> TextLine:
    """Return the first line that comes, or else goes, as a diff has it; empty where none does.

    A key that has its value on the lines below says nothing by itself.
    """
    hunks = [hunk for each in previews for hunk in each.hunks]
    for sign, tone, lines in (
        ("+", Tone.ADDED, (line for hunk in hunks for line in hunk.after)),
        ("-", Tone.REMOVED, (line for hunk in hunks for line in hunk.before)),
    ):
        told = [each.strip() for each in lines if each.strip()]
        if told:
            line = next((each for each in told if not each.endswith(":")), told[0])
            return span_line((Span(f"{sign} {safe_line(line)}", tone),), wraps=False)
    return TextLine("")


def _file(session: Session, preview: FilePreview) -> Iterator[TextLine]:
    if preview.hunks:
        yield from diff_lines([_diff(session, preview)])
        return
    name = label(session, preview.path)
    yield span_line(
        (Span(name, Tone.HEADING), Span(f"  {preview.told(partial(label, session))}", Tone.DIM))
    )


def _diff(session: Session, preview: FilePreview) -> FileDiff:
    return FileDiff(label(session, preview.path), preview.hunks, preview.does)
