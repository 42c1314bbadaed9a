"""What a log says is not settled waits in Review, in the words of the skill that keeps logs.

Approving says `resolved`, rejecting `wont_fix` with the reason in its *Resolution*, keeping
`in_progress`: then somebody works on it, and it waits no longer. All of it stands in the log, so no
list of remem's own is kept of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Final

from remem.core.draft import Draft, change, chosen
from remem.core.library import Library
from remem.core.verbs.verb import read_only
from remem.core.waiting.item import Item, Why, item_id, suspects_in
from remem.core.waiting.kinds import Act, OfEntries, need_waiting, usual
from remem.model.change import Change, Effect, Intent
from remem.model.entry import LESSON, Entry, FileSpan, Ref, Status
from remem.model.layout import Reader
from remem.model.source import Source
from remem.systems.personas import edits
from remem.systems.personas.logs import log_plans
from remem.systems.personas.logs.links import Names, logged, named_entries
from remem.systems.personas.memory_files import log_entries
from remem.systems.personas.source import PersonaSource

if TYPE_CHECKING:
    from remem.core.verbs.args import Args
    from remem.core.verbs.verbs import Promote, Reject

_OFTEN: Final = 3
"""The skill: promote where `Recurrence-Count >= 3` …"""
_WITHIN: Final = 30
"""… it occurred within a 30-day window …"""
_TASKS: Final = 2
"""… and it was "seen across at least 2 distinct tasks", which no field of the log says."""
_FENCES: Final = ("```", "~~~")
_NEXT: Final = ("suggested_action", "suggested_fix", "suggested_implementation")


class LoggedEntry(OfEntries):
    """An entry of a log that is neither settled nor under way, and says what is to be done."""

    order = 2
    claims = (LESSON,)
    status = Status.CANDIDATE
    asks_again = True
    stays = True
    sort = "logged"

    def __init__(self, system: str) -> None:
        """Take the name of the system whose logs these are."""
        self.system = system
        self.id = f"{system}.{self.sort}"

    def items(self, library: Library) -> Iterator[Item]:
        names = named_entries(library)
        for source in logs_of(library, self.system):
            for entry, text, heading in logged(source):
                is_open = entry.status is Status.CANDIDATE and self.is_mine(source, entry)
                if is_open and not log_entries.is_under_way(text):
                    told = log_entries.fields_of(text, heading)
                    yield _item(library, source, entry, told, names, self.id)

    def takes(self, library: Library, entry: Entry) -> bool:
        if entry.ref.format != self.system or entry.status is not Status.CANDIDATE:
            return False
        source = library.source_of(entry)
        return is_log(source) and self.is_mine(source, entry)

    def is_mine(self, source: Source, entry: Entry) -> bool:
        """Tell whether an entry is of this sort."""
        return not _is_incident(source, entry)

    def acts_on(self, library: Library, entry: Entry) -> Mapping[str, Act]:
        if not self.takes(library, entry):
            return {}
        acts = usual(library, entry)
        why_not = partial(read_only, library, entry)
        acts["approve"] = replace(acts["approve"], says="Resolve")
        acts["reject"] = Act(_plan_wont_fix, "Won't fix", why_not, _REASONS)
        acts["promote"] = Act(_promotion, why_not=why_not)
        acts["keep"] = Act(_plan_under_way, "Start", partial(_why_not_begun, library, entry))
        return acts


class LoggedIncident(LoggedEntry):
    """What went wrong, as a log has it: it asks for nothing, so it conflicts with nothing."""

    is_evidence = True
    sort = "incident"

    def is_mine(self, source: Source, entry: Entry) -> bool:
        return _is_incident(source, entry)


def _is_incident(source: Source, entry: Entry) -> bool:
    assert isinstance(entry.at, FileSpan)
    return source.data.startswith(_ERROR, source.data.index(b"[", entry.at.start))


_ERROR: Final = b"[ERR-"
_REASONS: Final = ("works as intended", "no longer applies", "not worth it", "not reproducible")


def is_log(source: Source) -> bool:
    """Tell whether a source is a log that agents write to, and not the archive of one."""
    if not isinstance(source, PersonaSource) or source.archived:
        return False
    return source.file.reader is Reader.LOG


def logs_of(library: Library, system: str) -> Iterator[PersonaSource]:
    """Yield the logs of a system that agents write to, in their order."""
    for source in library.of_format(system):
        if isinstance(source, PersonaSource) and is_log(source):
            yield source


def _item(
    library: Library,
    source: PersonaSource,
    entry: Entry,
    told: Mapping[str, str],
    names: Names,
    waiting: str,
) -> Item:
    suspects = suspects_in((entry.title, *told.values()))
    return Item(
        id=item_id(library, Why.CANDIDATE, source, entry.kind, entry.title),
        ref=entry.ref,
        digest=entry.digest,
        kind=entry.kind,
        title=entry.title,
        group=source.name,
        source=source.name,
        why=" · ".join(_in_short(told)),
        reason=Why.CANDIDATE,
        evidence=tuple(_evidence(library, entry, told, names)),
        roles=entry.roles,
        suggested="",
        verbs=("approve", "reject", "edit", "merge"),
        suspects=suspects,
        waiting=waiting,
        stands_by=source.path,
    )


def _in_short(told: Mapping[str, str]) -> Iterator[str]:
    """Yield what tells entries of a log apart: id, how urgent, of what, how often it was met."""
    yield told.get("id", "")
    status = told.get("status", "")
    yield from (s for s in (status,) if s and s.casefold() != log_entries.PENDING)
    if told.get("priority"):
        yield f"{told['priority']} priority"
    yield from filter(None, (told.get("area"), told.get("category")))
    seen = log_entries.times_seen(told)
    if seen > 1:
        yield f"seen {seen:,} times"


def _evidence(
    library: Library, entry: Entry, told: Mapping[str, str], names: Names
) -> Iterator[str]:
    """Yield what a person decides by: how often it was met, what it is linked to, what to do."""
    seen, first, last = (
        log_entries.times_seen(told),
        told.get("first_seen", ""),
        told.get("last_seen", ""),
    )
    if seen >= _OFTEN and _days(first, last) <= _WITHIN:
        yield (
            f"seen {seen:,} times within {_WITHIN} days: "
            f"the skill that logs it promotes that if it was in at least {_TASKS} tasks, "
            "which the log does not say"
        )
    when = " · ".join(
        f"{word} seen {day}" for word, day in (("first", first), ("last", last)) if day
    )
    if when:
        yield when
    lines = (" ".join(line.split()) for line in told.get("error", "").splitlines())
    happened = next((line for line in lines if line and not line.startswith(_FENCES)), "")
    if happened:
        yield f"error: {happened}"
    key = told.get("pattern_key", "")
    for other in names.with_key(key):
        if other.ref != entry.ref:
            yield f"same pattern key `{key}` as `{library.short(other.ref)}`: {_line(other)}"
    for name in log_entries.ids_in(told.get("see_also", "")):
        yield _see_also(library, name, names.by_id.get(name))
    for name in _NEXT:
        if told.get(name):
            yield f"{name.replace('_', ' ')}: {' '.join(told[name].split())}"


def _see_also(library: Library, name: str, there: Entry | None) -> str:
    if there is None:
        return f"see also {name}, which is in no log here"
    ref, status = library.short(there.ref), there.status.value
    return f"see also {name}, {status} (`{ref}`): {_line(there)}"


def _line(entry: Entry) -> str:
    return " ".join(entry.title.split())


def _days(first: str, last: str) -> int:
    """Return the days between two dates; a window that is not said is none."""
    try:
        return abs((date.fromisoformat(last[:10]) - date.fromisoformat(first[:10])).days)
    except ValueError:
        return _WITHIN + 1


def _why_not_begun(library: Library, entry: Entry) -> str | None:
    blocked = read_only(library, entry)
    if blocked is not None:
        return blocked
    source = library.source_of(entry)
    assert isinstance(source, PersonaSource)
    is_begun = log_entries.is_under_way(edits.logged_text(source, entry)[0])
    return "already in progress" if is_begun else None


def _promotion(library: Library, intent: Intent, args: Promote) -> Change:
    from remem.systems.personas.lessons.promote_lesson import plan_promotion

    return plan_promotion(library, intent, args)


def _plan_under_way(library: Library, intent: Intent, _: Args) -> Change:
    """Plan to say of entries that somebody works on them."""
    return _planned(library, intent, "Start", log_plans.plan_under_way)


def _plan_wont_fix(library: Library, intent: Intent, args: Reject) -> Change:
    """Plan to say of entries that nobody will act on them, and why."""

    def settled(source: PersonaSource, entry: Entry) -> tuple[Effect, ...]:
        return log_plans.plan_wont_fix(source, entry, args.reason)

    return _planned(library, intent, "Won't fix", settled, reason=args.reason)


def _planned(
    library: Library,
    intent: Intent,
    verb: str,
    plan: Callable[[PersonaSource, Entry], tuple[Effect, ...]],
    reason: str = "",
) -> Change:
    draft, touched = Draft(library), dict[Ref, Ref | None]()
    entries: Sequence[Entry] = chosen(library, intent)
    for entry in entries:
        need_waiting(library, entry)
        source, now = draft.find(entry.ref)
        assert isinstance(source, PersonaSource)
        draft.take(plan(source, now))
        touched[entry.ref] = entry.ref
    return change(library, intent, verb, draft, touched, reason=reason)
