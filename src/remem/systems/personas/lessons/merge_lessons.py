"""Plans that lessons which say the same become one, with what each of them rested on.

Entries of a log become one as well: the form of a log has no place for a second wording, but it has
`See Also`, so the others go to its archive and the one names them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from remem.base.errors import NotPossible
from remem.base.text import count
from remem.core.draft import Draft, change, chosen
from remem.core.library import Library
from remem.core.no_text_lost import need_kept
from remem.core.relation.normal_form import exact
from remem.core.verbs.keep_one import losers
from remem.edit import markdown_edit
from remem.edit.markdown import Kind
from remem.model.change import Change, Effect, Intent
from remem.model.entry import Entry, Ref, Status
from remem.model.roles import persona_key
from remem.model.source import Source
from remem.systems.personas.edits import (
    is_logged,
    log_effects,
    need_writable,
    passage_of,
    plan_archive,
)
from remem.systems.personas.lessons.lesson_pages import Pages, by_source, is_lesson
from remem.systems.personas.memory_files import log_entries, where_units_go
from remem.systems.personas.memory_files.whole_lists import stands_alone
from remem.systems.personas.read import DATE, document_of
from remem.systems.personas.source import PersonaSource

_CITED: Final = re.compile(r"\(ref: [^()\n]*\)")
"""Where a lesson of a working memory was learnt (FORMATS 3.3)."""


def plan_merge_lessons(library: Library, intent: Intent, into: Entry) -> Change:
    """Plan to put lessons into another one: it stays as it is worded and where it stands.

    Where the others were learnt, when, by whom, and their words where these differ are added to it.

    To prose nothing can be added: it takes in only what says the same word for word.

    Raises:
        NotPossible: One is no lesson of a persona's memory, or it is the one that takes them.
        Refused: A file would be read otherwise.
    """
    entries = chosen(library, intent)
    leaving = [entry for entry in entries if entry.ref != into.ref]
    wrong = next((e for e in (*leaving, into) if not is_lesson(library, e)), None)
    if len(leaving) < len(entries) or wrong is not None:
        wrong = wrong or into
        raise NotPossible(
            f"`{library.short(wrong.ref)}` cannot be merged into `{library.short(into.ref)}`",
            hint="merge two lessons of personas",
        )
    if any(is_logged_entry(library, entry) for entry in (*leaving, into)):
        return plan_merge_logged(library, intent, into, leaving)
    found = by_source(library, [into, *leaving], where_units_go.unit_of)
    _need_no_gaps(library, leaving)
    home, (unit, *_) = next(iter(found.values()))
    old, is_bullet = _text_of(home, unit)
    if not is_bullet and not all(exact(entry.title, into.title) for entry in leaving):
        raise NotPossible(
            "only a bullet can absorb another lesson", hint="merge the other way round, or edit it"
        )
    new = _united(library, home, into, leaving) if is_bullet else old
    pages = Pages(library)
    pages.open(home)
    gone = [unit_ for unit_ in found[home.path][1] if unit_ != unit]
    if gone:
        pages.put(home, where_units_go.left(home, gone))
    place = unit - sum(1 for each in gone if each < unit)
    now = pages.now(home)
    if new != old:
        edit = markdown_edit.replace_unit(document_of(now.data), place, new)
        now = pages.put(now, (edit,))
    pages.expect([old, *(entry.title for entry in leaving)], now.entries[place].title)
    for source, units in found.values():
        if source.path != home.path:
            pages.put(pages.open(source), where_units_go.left(source, units))
    stays = now.entries[place].ref
    said: dict[Ref, Ref | None] = {entry.ref: stays for entry in (*leaving, into)}
    names = (
        library.short(leaving[0].ref) if len(leaving) == 1 else count(leaving, "lesson", "lessons")
    )
    title = f"Merge {names} into {library.short(into.ref)}"
    notes = tuple(losers(library, into, leaving))
    return pages.change(intent, title, said, tail=f" + {len(leaving):,} merged", notes=notes)


def _need_no_gaps(library: Library, leaving: Sequence[Entry]) -> None:
    """Refuse to take out of a list what would leave a gap in it, or bullets without their label.

    Raises:
        NotPossible: One is an item of a numbered list, or only introduces one.
    """
    for source, units in by_source(library, leaving, where_units_go.unit_of).values():
        document = document_of(source.data)
        unit = next((each for each in units if not stands_alone(document, each)), None)
        if unit is not None:
            is_label = document.units[unit].kind is not Kind.ITEM
            what = "only introduces a list" if is_label else "is an item of a numbered list"
            raise NotPossible(
                f"`{document.text(document.units[unit])[:60]}` {what}, and would leave a gap",
                hint="merge the other one into it, or edit the list",
            )


def _text_of(source: PersonaSource, unit: int) -> tuple[str, bool]:
    """Return the text of a lesson, and whether it is a bullet: nothing can be added to another."""
    document = document_of(source.data)
    return document.text(document.units[unit]), document.units[unit].kind is Kind.ITEM


def _united(library: Library, home: PersonaSource, into: Entry, leaving: Sequence[Entry]) -> str:
    """Return the text of a lesson with what the others rested on."""
    first, *more = into.title.split("\n")
    below: list[str] = []
    for entry in leaving:
        cited = [ref for ref in _CITED.findall(entry.title) if ref not in first]
        first += "".join(f" {ref}" for ref in dict.fromkeys(cited))
        whence = ", ".join(_whence(library, home, into, entry))
        if not exact(_CITED.sub("", entry.title), _CITED.sub("", into.title)):
            head, *rest = _CITED.sub("", entry.title).strip().split("\n")
            below += [f"- also{f' ({whence})' if whence else ''}: {head.rstrip()}"]
            below += [f"  {line}" for line in rest]
        elif whence and f"(also {whence})" not in first:
            first += f" (also {whence})"
    return "\n".join([first, *more, *below])


def _whence(library: Library, home: PersonaSource, into: Entry, entry: Entry) -> Iterator[str]:
    """Yield who else learnt a lesson, and when, where that differs."""
    owner = library.source_of(entry).owner
    if persona_key(owner) != persona_key(home.owner):
        yield owner
    if entry.date and entry.date != into.date:
        yield entry.date


SEE_ALSO = "See Also"


def is_logged_entry(library: Library, entry: Entry) -> bool:
    """Tell whether an entry is one of a log, and not in its archive."""
    source = library.source_of(entry)
    if not isinstance(source, PersonaSource) or entry.status is Status.ARCHIVED:
        return False
    return is_logged(source, entry)


def plan_merge_logged(
    library: Library, intent: Intent, into: Entry, leaving: Sequence[Entry]
) -> Change:
    """Plan to archive entries of a log, and to name and count them in the one that stays.

    Raises:
        NotPossible: One is no entry of a log, or its file is read only.
        Refused: A file would be read otherwise.
    """
    wrong = next((e for e in (*leaving, into) if not is_logged_entry(library, e)), None)
    if wrong is not None:
        raise NotPossible(
            f"`{library.short(wrong.ref)}` is not an entry of a log",
            hint="merge two entries of `.learnings/`",
        )
    draft, touched = Draft(library), dict[Ref, Ref | None]({into.ref: into.ref})
    names = [_name(*draft.find(entry.ref)) for entry in leaving]
    met = [_fields(*draft.find(entry.ref)) for entry in (into, *leaving)]
    for entry in leaving:
        source, now = draft.find(entry.ref)
        draft.take(plan_archive(_own(source), now))
        touched[entry.ref] = into.ref
    source, now = draft.find(into.ref)
    home = _own(source)
    need_writable(home)
    passage, newline = passage_of(home, now.ref), document_of(home.data).newline
    text = log_entries.with_metadata(passage.text, SEE_ALSO, ", ".join(names), newline)
    draft.take(log_effects(home, passage, text))
    before = _text(home, now)
    need_kept(library, draft.effects(), {before: _text(*draft.find(into.ref))})
    draft.take(_counted(*draft.find(into.ref), met))
    return change(library, intent, "Merge", draft, touched)


def _counted(source: Source, entry: Entry, met: Sequence[Mapping[str, str]]) -> tuple[Effect, ...]:
    """Plan to set in the one that stays how often all of them were met, and when."""
    home = _own(source)
    passage, newline = passage_of(home, entry.ref), document_of(home.data).newline
    text = passage.text
    for name, value in _met(met):
        text = log_entries.with_metadata(text, name, value, newline, more=False)
    return log_effects(home, passage, text)


def _met(met: Sequence[Mapping[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield how often entries were met together, and when first and last, as the skill counts."""
    yield "Recurrence-Count", str(sum(max(1, log_entries.times_seen(each)) for each in met))
    first, last = (
        [d[0] for name in names for each in met if (d := DATE.search(each.get(name, "")))]
        for names in (("first_seen", "logged"), ("last_seen", "logged"))
    )
    if first and last:
        yield "First-Seen", min(first)
        yield "Last-Seen", max(last)


def _fields(source: Source, entry: Entry) -> Mapping[str, str]:
    passage = passage_of(_own(source), entry.ref)
    return log_entries.fields_of(passage.text, passage.section)


def _own(source: Source) -> PersonaSource:
    assert isinstance(source, PersonaSource)
    return source


def _text(source: Source, entry: Entry) -> str:
    passage = passage_of(_own(source), entry.ref)
    return source.data[passage.start : passage.end].decode()


def _name(source: Source, entry: Entry) -> str:
    return passage_of(_own(source), entry.ref).known_as
