"""Lessons that several personas have: which they are, and what becomes of them.

One of them stays and the others are merged into it, or what they say becomes a decision of the team
or a rule of the project, and they go into their archives. A lesson that says the opposite is no
copy: that is told by the one relation of texts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from remem.base.errors import NotPossible
from remem.base.frozen import dataclass
from remem.base.text import count
from remem.core.checks.issue import Issue
from remem.core.checks.secrets import need_clean
from remem.core.draft import Draft, change, chosen, take_out
from remem.core.library import Library
from remem.core.no_text_lost import need_kept
from remem.core.relation.normal_form import Alike, norm
from remem.core.relation.pairs import same_forms
from remem.core.repositories import views
from remem.core.waiting.approve import add
from remem.core.waiting.kinds import Coming
from remem.edit import markdown_edit
from remem.edit.markdown import Kind
from remem.model.change import Change, Create, Effect, Intent, Json
from remem.model.entry import Entry, FileSpan, Problem, Ref, Status
from remem.model.layout import Part, Reader
from remem.model.roles import persona_key
from remem.model.source import SourceKind
from remem.systems.personas.compacting.compact_trace import words_of
from remem.systems.personas.edits import parse_whole, passage_of, read_beside, splices
from remem.systems.personas.lessons.lesson_pages import is_lesson
from remem.systems.personas.lessons.merge_lessons import plan_merge_lessons
from remem.systems.personas.lessons.promote_lesson import known_notes, roles_of
from remem.systems.personas.memory_files.whole_lists import stands_alone
from remem.systems.personas.read import document_of, passages
from remem.systems.personas.source import LESSON, PersonaSource, persona_sources

if TYPE_CHECKING:
    from collections.abc import Mapping

    from remem.systems.personas.persona_verbs import LessonShare

_SHARE: Final = "lesson.share"
ONE: Final = "one"
DECISION_LEVEL: Final = "decision"
CONVENTION_LEVEL: Final = "convention"
_TOLD: Final = 12
"""Shared lessons that are told of one by one; the rest are counted."""


@dataclass(frozen=True, slots=True)
class Shared:
    """One lesson that several personas have, word for word or nearly."""

    copies: tuple[Entry, ...]
    """In the library's order."""
    owners: tuple[str, ...]
    is_exact: bool

    @property
    def text(self) -> str:
        return " ".join(self.copies[0].title.split())


_FOUND: WeakKeyDictionary[Library, tuple[Shared, ...]] = WeakKeyDictionary()


def shared_lessons(library: Library) -> tuple[Shared, ...]:
    """Return the lessons that several living personas have, those of the most personas first."""
    if library not in _FOUND:
        found = [each for view in views(library) for each in _shared(view)]
        _FOUND[library] = tuple(sorted(found, key=lambda each: -len(each.owners)))
    return _FOUND[library]


def lessons_of(library: Library) -> Iterator[tuple[Entry, PersonaSource]]:
    """Yield every lesson that a living persona is given or could open, with its file.

    A label that only introduces its list, an item of a numbered list, and a comment that a template
    left, is none by itself.
    """
    for source in persona_sources(library.sources):
        is_memory = source.kind is SourceKind.MEMORY and source.part != Part.ARCHIVE
        if is_memory and source.owner and not source.archived and source.part != Part.TEAM:
            document = document_of(source.data)
            pairs = zip(source.entries, passages(source), strict=True)
            yield from (
                (entry, source)
                for entry, passage in pairs
                if entry.kind == LESSON
                and not entry.title.lstrip().startswith("<!--")
                and (passage.unit < 0 or stands_alone(document, passage.unit))
            )


def _shared(library: Library) -> Iterator[Shared]:
    lessons = [*lessons_of(library)]
    owners = [persona_key(source.owner) for _, source in lessons]
    groups: dict[int, list[int]] = {}
    exact: dict[int, bool] = {}
    first: dict[int, int] = {}
    forms = [norm(entry.title) for entry, _ in lessons]
    for (one, other), likeness in sorted(same_forms(forms).items()):
        if likeness.alike is not Alike.EXACT and not _is_one_lesson(forms[one], forms[other]):
            continue
        head = first.setdefault(one, one)
        # What is like a copy, and not like the first, would drift: it is a group of its own.
        if head != one and likeness.alike is not Alike.EXACT:
            continue
        if first.setdefault(other, head) == head:
            group = groups.setdefault(head, [head])
            group += [] if other in group else [other]
            exact[head] = exact.get(head, True) and likeness.alike is Alike.EXACT
    for head, places in groups.items():
        if len({owners[place] for place in places}) > 1:
            names = dict.fromkeys(lessons[place][1].owner for place in places)
            yield Shared(tuple(lessons[p][0] for p in places), tuple(names), exact[head])


def _is_one_lesson(one: str, other: str) -> bool:
    """Tell whether texts that are alike letter by letter speak of the same things.

    A word more or less is the same lesson. One word in the place of another is not: what holds for
    releases need not hold for refunds.
    """
    return len(words_of(one).keys() ^ words_of(other).keys()) <= 1


def shared_issues(library: Library) -> Iterator[Issue]:
    """Yield the lessons that most personas share, and one row for how many more there are."""
    found = shared_lessons(library)
    for shared in found[:_TOLD]:
        entry = shared.copies[0]
        same = "have the same lesson" if shared.is_exact else "have nearly the same lesson"
        problem = Problem(
            "shared-lesson",
            f"{_names(shared.owners)} {same}: {_short(shared.text)}",
            "keep it in one memory, or make it a decision of the team or a rule",
            path=library.source_of(entry).path,
            line=_line_of(library, entry),
        )
        yield Issue(problem, entry.ref, _SHARE, {"to": ONE})
    if len(found) > _TOLD:
        more = count(len(found) - _TOLD, "more lesson")
        problem = Problem(
            "shared-lesson",
            f"{more} in several memories",
            "`remem persona shared` lists them all",
            path=library.source_of(found[_TOLD].copies[0]).path,
        )
        yield Issue(problem)


def _line_of(library: Library, entry: Entry) -> int:
    """Return the line a lesson begins on, from 1; 0 where lines mean nothing."""
    at, data = entry.at, library.source_of(entry).data
    return data.count(b"\n", 0, at.start) + 1 if isinstance(at, FileSpan) else 0


def plan_share(library: Library, intent: Intent, args: LessonShare) -> Change:
    """Plan what becomes of lessons that several personas have.

    Of one that is named alone, all copies are meant.

    Raises:
        NotPossible: Something is no lesson, nobody else has it, or there is no team to decide.
        Unacknowledged: A lesson holds a secret or hidden characters.
        Refused: A file would be read otherwise, or a text would be lost.
    """
    named = chosen(library, intent)
    entries = named if len(named) > 1 else [*_copies(library, named[0])]
    wrong = next((entry for entry in entries if not is_lesson(library, entry)), None)
    if wrong is not None:
        raise NotPossible(f"`{library.short(wrong.ref)}` is not a persona's lesson")
    if args.to == ONE:
        if len(entries) < 2:
            raise NotPossible(
                f"nobody else has `{library.short(entries[0].ref)}`",
                hint="there is nothing to keep",
            )
        home = next((entry for entry in entries if _is_bullet(library, entry)), entries[0])
        shown = {entry.ref: entry.digest for entry in entries if entry.ref != home.ref}
        planned = plan_merge_lessons(library, _with(intent, shown), home)
        where = library.source_of(home).name
        title = f"Keep {count(entries, 'lesson')} in {where}: {library.short(home.ref)}"
        return replace(planned, title=title)
    if args.to not in (DECISION_LEVEL, CONVENTION_LEVEL):
        raise NotPossible(
            f"a lesson cannot become `{args.to}`" if args.to else "what it becomes is missing",
            hint=f"say `{ONE}`, `{DECISION_LEVEL}` or `{CONVENTION_LEVEL}`",
        )
    text = " ".join(entries[0].title.split())
    need_clean((text,), intent, f"`{library.short(entries[0].ref)}`")
    draft = Draft(library)
    touched: dict[Ref, Ref | None] = {entry.ref: None for entry in entries}
    notes: list[str] = []
    if args.to == CONVENTION_LEVEL:
        notes += known_notes(library, CONVENTION_LEVEL, text)
        ref = add(draft, _rule(library, entries, text), Status.ACTIVE)
        touched[ref] = ref
    else:
        draft.take(_decided(library, entries, text))
    take_out(draft, entries, lambda each, s, entry: each.set_status(s, entry, Status.ARCHIVED))
    need_kept(library, draft.effects())
    word = "a rule" if args.to == CONVENTION_LEVEL else "a decision of the team"
    planned = change(library, intent, f"Make {word} of", draft, touched, notes=tuple(notes))
    told = f"{count(len(entries), 'lesson')} = {len(entries):,} in archives · 0 lost, 1 added"
    return _told(planned, told)


def _copies(library: Library, entry: Entry) -> Sequence[Entry]:
    every = shared_lessons(library)
    found = next((s.copies for s in every if any(c.ref == entry.ref for c in s.copies)), (entry,))
    return [entry, *(each for each in found if each.ref != entry.ref)]


def _is_bullet(library: Library, entry: Entry) -> bool:
    """Tell whether an entry can take others in."""
    source = library.source_of(entry)
    assert isinstance(source, PersonaSource)
    passage = passage_of(source, entry.ref)
    return passage.unit >= 0 and document_of(source.data).units[passage.unit].kind is Kind.ITEM


def _with(intent: Intent, shown: Mapping[Ref, str]) -> Intent:
    return Intent(intent.verb, shown, intent.arguments)


def _told(planned: Change, receipt: str) -> Change:
    return Change(
        planned.intent,
        planned.title,
        planned.effects,
        planned.reason,
        planned.touched,
        receipt,
        planned.notes,
    )


def _rule(library: Library, entries: Sequence[Entry], text: str) -> Coming:
    roles = [roles_of(library.ground.roles, library.source_of(e).owner) for e in entries]
    fields: dict[str, Json] = {
        "rule": text,
        "rationale": f"learnt by {_whence(library, entries)}",
        "source": {
            "type": "manual",
            "ref": str(entries[0].ref),
            "date": library.ground.given.clock.today().isoformat(),
        },
    }
    if all(roles):  # one who may be anybody means everyone
        fields["applies_to"] = [*dict.fromkeys(role for each in roles for role in each)]
    return Coming(CONVENTION_LEVEL, text, fields)


def _decided(library: Library, entries: Sequence[Entry], text: str) -> tuple[Effect, ...]:
    """Plan to append a decision to the log that the team reads.

    Raises:
        NotPossible: None of them is on a team that keeps decisions.
    """
    source = next(
        (s for e in entries if isinstance(s := library.source_of(e), PersonaSource) and _log(s)),
        None,
    )
    if source is None:
        raise NotPossible(
            "no team that keeps decisions has them",
            hint=f"make it a rule: `--to {CONVENTION_LEVEL}`",
        )
    pattern = _log(source)
    base = source.folder.parents[len(source.rules.folder.split("/")) - 1]
    path = base / pattern
    today = library.ground.given.clock.today().isoformat()
    owners = dict.fromkeys(library.source_of(entry).owner for entry in entries)
    block = (
        f"### {today}: {_short(text)}\n\n**By:** {', '.join(owners)}\n**What:** {text}\n"
        f"**Why:** learnt by {_whence(library, entries)}\n"
    )
    data = read_beside(source, path)
    if data is None:
        return (Create(path, f"# Decisions\n\n{block}".encode()),)
    edit = markdown_edit.append(parse_whole(data), block, blank_lines=1)
    return splices(path, data, edit)


def _log(source: PersonaSource) -> str:
    shared = (f.pattern for f in source.rules.shared if f.reader is Reader.DECISIONS)
    return next(shared, "")


def _whence(library: Library, entries: Sequence[Entry]) -> str:
    told = (
        f"{library.source_of(entry).owner}{f' ({entry.date})' if entry.date else ''}"
        for entry in entries
    )
    return ", ".join(dict.fromkeys(told))


def _names(owners: Sequence[str]) -> str:
    if len(owners) > 3:
        return f"{', '.join(owners[:2])} and {len(owners) - 2} others"
    return " and ".join((", ".join(owners[:-1]), owners[-1]))


def _short(text: str) -> str:
    return f"{text[:72]}…" if len(text) > 72 else text
