"""When an entry changed between showing and deciding: does the decision still mean the same?

What was shown lately is kept here until it is decided on: the base of every comparison. This module
compares and words what changed; asking the person again is the doors'. Nothing is written, and the
same texts always give the same answer.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import Any, Final, TypeAlias

from remem.base.errors import Conflict, RememError, Sides
from remem.base.frozen import dataclass
from remem.core.library import Library
from remem.core.verbs.verbs import EDIT, MERGE, plan
from remem.edit.yaml_write import render
from remem.model.change import INTO_SHOWN, Intent, Json
from remem.model.entry import Entry, Ref, Row
from remem.model.source import KnowsRefs

KEPT: Final = 500
"""Entries; whoever decides on more at once is told of a conflict without the text that was."""


@dataclass(frozen=True, slots=True)
class View:
    """An entry as a person saw it, whole and free of the file it stood in."""

    entry: Entry
    fields: Mapping[str, Json]
    body: str


def view_of(library: Library, entry: Entry) -> View:
    """Return an entry with all that it says."""
    each, source = library.format_of(entry), library.source_of(entry)
    return View(entry, each.reader.fields(source, entry), each.reader.body(source, entry))


class Seen:
    """Remembers entries as they were shown, the latest `KEPT` of them."""

    def __init__(self) -> None:
        self._views: OrderedDict[tuple[Ref, str], View] = OrderedDict()
        self._lock = Lock()

    def note(self, library: Library, shown: Mapping[Ref, str]) -> None:
        """Keep what stands in the snapshot as it was shown; what changed already is left out."""
        for ref, digest in islice(shown.items(), KEPT):
            if self.view(ref, digest) is not None or not library.has(ref):
                continue
            entry = library.entry(ref)
            if entry.digest == digest:
                self._keep(view_of(library, entry))

    def view(self, ref: Ref, digest: str) -> View | None:
        """Return what was shown under a ref with that digest; `None` when it was not kept."""
        with self._lock:
            found = self._views.get((ref, digest))
            if found is not None:
                self._views.move_to_end((ref, digest))
            return found

    def _keep(self, view: View) -> None:
        with self._lock:
            self._views[view.entry.ref, view.entry.digest] = view
            while len(self._views) > KEPT:
                self._views.popitem(last=False)


_OF_TWO: Final = frozenset({"instead_of", "apart_from", "beside"})
"""Arguments that name the other of two entries, without which a decision means nothing."""

RECORD_KEEPING: Final = frozenset(
    {
        "already_tracked",
        "by",
        "confidence",
        "created",
        "created_at",
        "date",
        "door",
        "evidence",
        "failures",
        "last_seen",
        "last_used",
        "occurrences",
        "recommendation",
        "seen",
        "source",
        "stories",
        "updated",
        "updated_at",
        "why",
    }
)
"""Fields that tell where an entry comes from and how often it was met: no verb judges them.

Any other field counts, unknown ones too: to ask once too often costs a key, and text that nobody
saw costs more.
"""
_ROLES: Final = "applies_to"
_SAID_APART: Final = ("status", "scope", "severity", _ROLES)
_AS_LONG: Final = 0.5
"""Likeness from which the text in the place of one that is gone counts as what became of it."""


Shown: TypeAlias = Callable[[Ref, str], View | None]
"""Gives what was shown under a ref with a digest; `None` = nobody kept it."""


def difference(before: View, now: View, intent: Intent) -> str:
    """Return what changed that the verb judges, as a clause; empty = the decision means the same.

    White space, comments, the order of keys and what is only kept for the record do not count;
    fields that an edit sets do in any case.
    """
    edited = _edited(intent)
    old, new = _judged(before, edited), _judged(now, edited)
    return _listed(list(_differences(before, now, old, new)))


def renewed(library: Library, intent: Intent, shown: Shown) -> Intent:
    """Return the intent on what stands now, where that means the same as what was shown.

    Raises:
        Conflict: Something reads otherwise now, is gone, or cannot be read.
    """
    refs: dict[Ref, str] = {}
    waiting = dict(intent.waiting)
    for ref, digest in intent.shown.items():
        entry = _standing(library, intent, ref, digest, shown)
        now = entry.ref if entry else ref
        refs[now] = entry.digest if entry else digest
        if ref in waiting:
            waiting[now] = waiting.pop(ref)
    arguments = dict(intent.arguments)
    pinned = intent.text(INTO_SHOWN)
    if intent.verb == MERGE.id and pinned:
        into = _standing(library, intent, Ref.parse(intent.text("into")), pinned, shown)
        if into is not None:
            arguments |= {"into": str(into.ref), INTO_SHOWN: into.digest}
    return replace(intent, shown=refs, arguments=arguments, waiting=waiting)


def on_what_stands(intent: Intent, sides: Sides) -> Intent:
    """Return the intent as decided on the text that a conflict showed as theirs."""
    if not sides.now:
        return intent
    ref, now = Ref.parse(sides.ref), Ref.parse(sides.now)
    # What waits was drawn for another text.
    waiting = {each: kind for each, kind in intent.waiting.items() if each != ref}
    intent = replace(intent, items=(), waiting=waiting)
    if ref not in intent.shown:
        into: dict[str, Json] = {"into": str(now), INTO_SHOWN: sides.digest}
        return replace(intent, arguments={**intent.arguments, **into})
    pairs = ((now, sides.digest) if r == ref else (r, d) for r, d in intent.shown.items())
    return replace(intent, shown=dict(pairs))


def _standing(
    library: Library, intent: Intent, ref: Ref, digest: str, shown: Shown
) -> Entry | None:
    """Return the entry that the decision may go on with; `None` where no digest binds it."""
    entry = library.entry(ref) if library.has(ref) else None
    if not digest or (entry is not None and entry.digest == digest):
        return entry
    before = shown(ref, digest)
    moved = _moved(library, before, intent)
    if moved is not None:
        return moved
    if entry is None:
        entry = _successor(library, before)
        changed = "its text changed" if entry is not None else _gone(library, before)
    elif entry.is_read_only:
        changed = "it can no longer be parsed"
    elif before is None:
        changed = "it differs from what was shown"
    else:
        changed = difference(before, view_of(library, entry), intent)
    if not changed:
        return entry
    raise _conflict(library, intent, ref, changed, before, entry)


def _moved(library: Library, before: View | None, intent: Intent) -> Entry | None:
    """Return the one entry of the same file that says the same, where refs count or hash texts.

    There another text may stand under the old ref: what was decided on comes first.
    """
    if before is None:
        return None
    same = [
        entry
        for entry in _neighbours(library, before)
        if entry.digest == before.entry.digest
        or (
            _flat(entry.title) == _flat(before.entry.title)
            and not difference(before, view_of(library, entry), intent)
        )
    ]
    return same[0] if len(same) == 1 else None


def _successor(library: Library, before: View | None) -> Entry | None:
    """Return what became of a text whose ref is made of it, if something like it stands there."""
    from rapidfuzz import fuzz

    if before is None:
        return None
    title = before.entry.title
    ranked = [
        (fuzz.ratio(title, entry.title) / 100, -place, entry)
        for place, entry in enumerate(_neighbours(library, before))
    ]
    best = max(ranked, key=lambda each: each[:2], default=None)
    return best[2] if best is not None and best[0] >= _AS_LONG else None


def _neighbours(library: Library, before: View) -> Iterator[Entry]:
    """Yield the entries of its kind in its file, unless an id of its own tells it from them."""
    path = _path_of(before.entry)
    for source in library.of_format(before.entry.ref.format):
        if source.path == path and not isinstance(source.entries, KnowsRefs):
            yield from (entry for entry in source.entries if entry.kind == before.entry.kind)


def _gone(library: Library, before: View | None) -> str:
    path = _path_of(before.entry) if before is not None else None
    sources = (source for source in library.sources if source.path == path)
    broken = any(problem.blocks_writing for source in sources for problem in source.problems)
    return "its file can no longer be read" if broken else "it is gone"


def _path_of(entry: Entry) -> Path:
    return entry.at.database if isinstance(entry.at, Row) else entry.at.path


def _conflict(
    library: Library,
    intent: Intent,
    ref: Ref,
    changed: str,
    before: View | None,
    entry: Entry | None,
) -> Conflict:
    name = library.short(ref)
    sides = Sides(
        ref=str(ref),
        name=name,
        changed=changed,
        base=before.body if before is not None else None,
        theirs=view_of(library, entry).body if entry is not None else None,
        yours=_written(intent),
        now=str(entry.ref) if entry is not None else "",
        digest=entry.digest if entry is not None else "",
        blocked=changed,
    )
    if entry is not None:
        sides = _with_outcome(library, intent, sides)
    return Conflict(
        f"`{name}` changed after it was shown: {changed}",
        sides,
        hint="nothing was written; review the current text and decide again",
    )


def _with_outcome(library: Library, intent: Intent, sides: Sides) -> Sides:
    """Add what the decision would leave of what stands now; nothing is written."""
    on_now = on_what_stands(intent, sides)
    ref = Ref.parse(sides.now)
    arguments = {**on_now.arguments, "acknowledged": True}
    # Without digests: another entry of the same decision may have changed too.
    is_alone = ref in on_now.shown and not _OF_TWO & arguments.keys()
    shown = dict.fromkeys([ref] if is_alone else on_now.shown, "")
    try:
        change = plan(library, replace(on_now, shown=shown, arguments=arguments))
        after = library.preview(change.effects)
        left = change.touched.get(ref, ref)
        gone = left is None or not after.has(left)
        yours = None if gone or left is None else view_of(after, after.entry(left)).body
    except RememError as error:
        return replace(sides, blocked=str(error))
    return replace(sides, yours=yours, blocked="")


def _written(intent: Intent) -> str | None:
    """Return what was typed into fields, for where there is nothing left to set them on."""
    fields = intent.arguments.get("fields")
    if intent.verb != EDIT.id:
        return None
    if isinstance(fields, dict) and fields:
        return render(fields).decode()
    return intent.text("text") or None


def _edited(intent: Intent) -> frozenset[str]:
    fields = intent.arguments.get("fields")
    if intent.verb != EDIT.id or not isinstance(fields, Mapping):
        return frozenset()
    return frozenset(name.partition(".")[0] for name in fields)


def _judged(view: View, edited: Collection[str]) -> dict[str, Any]:
    """Return the fields that count, in a form in which only their meaning differs."""
    found = {
        name: _plain(value)
        for name, value in view.fields.items()
        if name in edited or name not in RECORD_KEEPING
    }
    return {name: value for name, value in found.items() if value not in (None, "", [], {})}


def _plain(value: Json) -> Any:
    if isinstance(value, str):
        return _flat(value)
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if isinstance(value, Mapping):
        return {
            name: _plain(each)
            for name, each in value.items()
            if name not in RECORD_KEEPING and each not in (None, "", [], {})
        }
    return value


def _flat(text: str) -> str:
    return " ".join(text.split())


def _differences(
    before: View, now: View, old: Mapping[str, Any], new: Mapping[str, Any]
) -> Iterator[str]:
    if before.entry.kind != now.entry.kind:
        yield f"it is now `{now.entry.kind}`"
    if _flat(before.entry.title) != _flat(now.entry.title):
        yield "its text changed"
    if before.entry.status is not now.entry.status:
        yield f"its status is now {new.get('status') or now.entry.status.value}"
    if _roles(before.entry) != _roles(now.entry):
        yield f"it is now for {', '.join(now.entry.roles or ()) or 'everyone'}"
    for name in ("scope", "severity"):
        if old.get(name) != new.get(name):
            yield f"its {name} is now {new.get(name) or 'not given'}"
    known = {_flat(before.entry.title), _flat(now.entry.title)}
    for name in dict.fromkeys((*old, *new)):
        is_text = {str(old.get(name)), str(new.get(name))} <= known
        if name not in _SAID_APART and not is_text and old.get(name) != new.get(name):
            yield f"its `{name}` changed"


def _roles(entry: Entry) -> frozenset[str]:
    return frozenset(entry.roles or ())


def _listed(clauses: list[str]) -> str:
    if len(clauses) < 2:
        return "".join(clauses)
    return f"{', '.join(clauses[:-1])} and {clauses[-1]}"
