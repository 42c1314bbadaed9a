"""What goes into a pack, and what becomes of each entry that one brings (FORMATS 1.12).

Entries arrive as candidates, all of one pack in one change; putting them into force is a person's,
one by one, as with every candidate.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from remem.base.errors import ChangedOnDisk, NotPossible
from remem.base.frozen import dataclass
from remem.base.text import count, hidden
from remem.core.checks.secrets import Finding as Suspect
from remem.core.checks.secrets import Kind, examine
from remem.core.draft import Draft, all_touched
from remem.core.library import Library
from remem.core.relation.already_said import alike
from remem.core.relation.in_force import against, explained
from remem.core.relation.normal_form import Alike, norm
from remem.core.waiting.item import suspects_in
from remem.core.waiting.rejected import suppressed
from remem.model.change import Change, Intent, Json, texts_in
from remem.model.entry import Entry, Ref, Status, digest_of
from remem.store.io import Unreadable
from remem.systems.sniper import edits
from remem.systems.sniper.config import settings_of
from remem.systems.sniper.packs import (
    NAME,
    Pack,
    Packed,
    is_pack,
    pack_bytes,
    read_pack,
    without_sprints,
)
from remem.systems.sniper.records import DECISION, RECORDS, from_bare
from remem.systems.sniper.seen import REASONS, merged_into
from remem.systems.sniper.stores import FOLDER, entries_of, stores_among

if TYPE_CHECKING:
    from remem.systems.sniper.sniper_verbs import PackImport

Progress: TypeAlias = Callable[[int, int], None]
"""Told how many entries were looked at, and of how many."""

Seen: TypeAlias = Collection[str] | Literal[True]
"""What hides in a pack and was acknowledged: the ids, or all of it."""


class Arrival(StrEnum):
    """What becomes of one entry of a pack."""

    ADDED = "added"
    """It becomes a candidate."""
    SAME_ID = "same id"
    """An entry here has the id that it brings along."""
    SAME_TEXT = "same text"
    """Memory says it already, or the pack says it twice."""
    REJECTED = "rejected"
    """A person sent it away before."""
    HELD = "held back"
    """It holds a secret or hidden characters, which nobody has acknowledged."""
    UNREADABLE = "unreadable"
    """It is no entry."""


@dataclass(frozen=True, slots=True)
class Arriving:
    """One entry of a pack and what becomes of it."""

    packed: Packed
    arrival: Arrival
    why: str
    """One sentence without a full stop; empty where there is nothing to tell."""
    known: Entry | None = None
    """The entry that says the same, or nearly, or the opposite."""
    suspects: tuple[Suspect, ...] = ()


@dataclass(frozen=True, slots=True)
class Export:
    """A pack that was made."""

    data: bytes
    refs: tuple[Ref, ...]
    notes: tuple[str, ...] = ()
    """What was left out, and what hides in the texts."""


def export(
    library: Library,
    refs: Iterable[Ref] = (),
    *,
    with_decisions: bool = False,
    keep_rationale: bool = False,
) -> Export:
    """Return the pack of what is active here.

    Args:
        library: Where from.
        refs: Only these; none = all.
        with_decisions: Decisions are taken along too.
        keep_rationale: Sentences that name a sprint or a story go along, too.

    Raises:
        NotPossible: One of the refs cannot be in a pack, or there is nothing to export.
    """
    wanted = set(refs)
    for ref in wanted:
        _need_packable(library, library.entry(ref), with_decisions=with_decisions)
    stored: dict[str, list[Mapping[str, Any]]] = {}
    taken: list[Ref] = []
    notes: list[str] = []
    for source in stores_among(library.of_format("sniper")):
        entries = entries_of(source)
        for number, entry in enumerate(entries):
            if entry.status is not Status.ACTIVE or (wanted and entry.ref not in wanted):
                continue
            if entry.kind == DECISION and not with_decisions:
                continue
            if entry.is_read_only or not entry.title.strip():
                notes.append(f"`{library.short(entry.ref)}` cannot be parsed and is left out")
                continue
            value = entries.value(number)
            value = from_bare(entry.kind, value) if entries.is_bare else value
            value = value if keep_rationale else _for_others(library, entry, value, notes)
            stored.setdefault(entry.kind, []).append(value)
            taken.append(entry.ref)
            notes += _told_of(library, entry, value)
    if not taken:
        raise NotPossible(
            "there is nothing to export",
            hint="a pack contains active conventions and anti-patterns",
        )
    settings = settings_of(library.of_format("sniper"))
    project = settings.project.name or library.ground.root.name
    date = library.ground.given.clock.today().isoformat()
    return Export(pack_bytes(project, date, stored), tuple(taken), tuple(notes))


def _for_others(
    library: Library, entry: Entry, value: Mapping[str, Any], notes: list[str]
) -> Mapping[str, Any]:
    """Return what an entry says without the sprints and stories that its reasons name."""
    said = {name: text for name in REASONS if isinstance(text := value.get(name), str)}
    kept = {name: without_sprints(text) for name, text in said.items()}
    if kept == said:
        return value
    name = library.short(entry.ref)
    named = " and ".join(f"`{each}`" for each in said if kept[each] != said[each])
    notes.append(
        f"{named} of `{name}` mentions a sprint or story, which is stripped; "
        "`--keep-rationale` keeps it"
    )
    # A reason of which nothing is left is no reason.
    return {key: kept.get(key, each) for key, each in value.items() if kept.get(key, each) != ""}


def _need_packable(library: Library, entry: Entry, *, with_decisions: bool) -> None:
    name = library.short(entry.ref)
    if entry.ref.format != "sniper" or entry.kind not in RECORDS:
        raise NotPossible(
            f"`{name}` cannot be in a pack",
            hint="a pack contains conventions, anti-patterns and decisions",
        )
    if entry.status is not Status.ACTIVE:
        raise NotPossible(f"`{name}` is not active", hint="approve or restore it first")
    if entry.kind == DECISION and not with_decisions:
        raise NotPossible(
            f"`{name}` is a decision; most decisions concern one project",
            hint="add `--with-decisions` to include it",
        )


def _told_of(library: Library, entry: Entry, value: Mapping[str, Any]) -> Iterator[str]:
    """Yield what those who get the pack would be given with an entry."""
    texts, name = [*texts_in(dict(value))], library.short(entry.ref)
    kinds = sorted({each.kind for text in texts for each in hidden(text)})
    if kinds:
        yield f"`{name}` holds {', '.join(kinds)}"
    secrets = dict.fromkeys(
        each.message for text in texts for each in examine(text) if each.kind is Kind.SECRET
    )
    for message in secrets:
        yield f"`{name}` {message}, which the pack has in full; remove it before you share the pack"


def target_of(library: Library, path: Path) -> Path:
    """Return the file that a pack may be written to; in a folder it has a name of its own.

    Raises:
        NotPossible: Something else stands there, or it would be read as memory.
    """
    disk = library.ground.disk
    path = path / NAME if disk.kind(path) == "folder" else path
    if library.ground.root / FOLDER in path.parents:
        raise NotPossible(f"`{path}` is a memory file", hint="name another file")
    kind = disk.kind(path)
    if kind is not None and (kind != "file" or not is_pack(disk.read(path))):
        raise NotPossible(
            f"`{path}` exists and is not a pack", hint="name another file; nothing was written"
        )
    return path


def pack_at(library: Library, path: Path) -> tuple[Pack, str]:
    """Return the pack in a file, and the digest of its bytes.

    Raises:
        NotPossible: There is no such file.
        Refused: It is no pack.
    """
    try:
        data = library.ground.disk.read(path)
    except Unreadable as error:
        raise NotPossible(str(error), hint=error.hint or "name a pack file") from None
    return read_pack(path.name, data), digest_of(data)


def judge(
    library: Library, pack: Pack, *, acknowledged: Seen = (), progress: Progress | None = None
) -> tuple[Arriving, ...]:
    """Return what becomes of every entry of a pack, in its order; nothing is written."""
    stores = stores_among(library.of_format("sniper"))
    ids = {name for source in stores for name in entries_of(source).spans.ids if name}
    taken: set[tuple[str, str]] = set()
    found: list[Arriving] = []
    for packed in pack.items:
        arriving = _arriving(library, packed, ids, taken, acknowledged=acknowledged)
        if arriving.arrival is Arrival.ADDED:
            taken.add((packed.kind, norm(packed.text)))
        found.append(arriving)
        if progress is not None:
            progress(len(found), len(pack.items))
    return tuple(found)


def _arriving(
    library: Library,
    packed: Packed,
    ids: set[str],
    taken: set[tuple[str, str]],
    *,
    acknowledged: Seen,
) -> Arriving:
    if packed.fault:
        return Arriving(packed, Arrival.UNREADABLE, packed.fault)
    if packed.name in ids:
        return Arriving(packed, Arrival.SAME_ID, f"`{packed.name}` is here")
    if (packed.kind, norm(packed.text)) in taken:
        return Arriving(packed, Arrival.SAME_TEXT, "the pack already has it")
    matches = alike(library, packed.kind, packed.text)
    first = matches[0] if matches else None
    if first is not None and first.alike is Alike.EXACT:
        why = f"`{library.short(first.entry.ref)}` says it"
        return Arriving(packed, Arrival.SAME_TEXT, why, first.entry)
    merged = merged_into(library, packed.kind, packed.text)
    if merged is not None:
        why = f"merged into `{library.short(merged.ref)}`"
        return Arriving(packed, Arrival.SAME_TEXT, why, merged)
    rejected = suppressed(library, packed.kind, packed.text)
    if rejected is not None:
        why = f"{rejected.by} rejected it: {rejected.reason}"
        return Arriving(packed, Arrival.REJECTED, why)
    suspects = suspects_in((packed.text, *texts_in(dict(packed.fields))))
    hidden = [each for each in suspects if each.is_kept_out]
    stops = [f"{each.message} ({each.id})" for each in hidden]
    if acknowledged is not True and not {each.id for each in hidden} <= {*acknowledged}:
        return Arriving(packed, Arrival.HELD, "; ".join(stops), suspects=suspects)
    if first is None:
        doubts = against(library, packed.kind, packed.text)
        stops = [explained(library, doubts), *stops] if doubts else stops
        return Arriving(packed, Arrival.ADDED, "; ".join(stops), suspects=suspects)
    name = library.short(first.entry.ref)
    is_near = first.alike is Alike.NEAR
    why = f"similar to `{name}`" if is_near else f"possible conflict with `{name}`"
    return Arriving(packed, Arrival.ADDED, "; ".join((why, *stops)), first.entry, suspects)


def plan_import(library: Library, intent: Intent, args: PackImport) -> Change:
    """Plan to take a pack in: what is new in it becomes candidates.

    Args:
        library: Where to.
        intent: What was acknowledged in it is let in.
        args: Which file, as it was shown.

    Raises:
        NotPossible: It has nothing new, or there is no such file.
        Refused: It is no pack, or a store cannot be written.
        ChangedOnDisk: It is no longer what was shown.
    """
    path = Path(args.path)
    pack, digest = pack_at(library, path)
    if args.digest not in ("", digest):
        raise ChangedOnDisk(
            f"`{path.name}` changed after it was shown", hint="review it again and decide"
        )
    judged = judge(library, pack, acknowledged=_seen(intent))
    return change_of(library, intent, path.name, judged)


def change_of(
    library: Library,
    intent: Intent,
    name: str,
    judged: Sequence[Arriving],
    *,
    in_force: bool = False,
) -> Change:
    """Return the change that adds what is new in a pack.

    Args:
        library: Where to.
        intent: What was asked.
        name: Of the pack's file.
        judged: What becomes of its entries.
        in_force: As if all of them had been approved: to tell what that would do to prompts.

    Raises:
        NotPossible: Nothing is new.
        Refused: A store cannot be written.
    """
    coming = _coming(library, name, judged, in_force=in_force)
    told = summary_of(judged)
    if not coming:
        raise NotPossible(f"`{name}` has nothing new", hint=told)
    draft, refs = Draft(library), list[Ref]()
    for kind, several in coming.items():
        sources = draft.sources("sniper")
        additions = edits.add_all(library.ground, sources, kind, several, foreign=True)
        draft.take(additions[0].effects)
        refs += [addition.ref for addition in additions]
    effects = draft.effects()
    touched = all_touched(library, effects, {ref: ref for ref in refs})
    title = f"Import {name} ({count(refs, 'entry', 'entries')})"
    return Change(intent, title, effects, touched=touched, notes=(told,))


def _seen(intent: Intent) -> Seen:
    given = intent.arguments.get("acknowledged")
    return [str(each) for each in given] if isinstance(given, list) else given is True or ()


def _coming(
    library: Library, name: str, judged: Sequence[Arriving], *, in_force: bool
) -> dict[str, list[Mapping[str, Json]]]:
    origin: dict[str, Json] = {
        "type": "imported",
        "ref": name.encode("utf-8", "replace").decode(),
        "date": library.ground.given.clock.today().isoformat(),
    }
    coming: dict[str, list[Mapping[str, Json]]] = {}
    for each in judged:
        if each.arrival is Arrival.ADDED:
            fields: dict[str, Json] = {**each.packed.fields, "source": origin}
            if not in_force:
                fields["status"] = "candidate"
            coming.setdefault(each.packed.kind, []).append(fields)
    return coming


_ORDER: Final = tuple(Arrival)


def summary_of(judged: Sequence[Arriving]) -> str:
    """Return how many entries come to what: `12 added, 3 same text`."""
    numbers = Counter(each.arrival for each in judged)
    parts = (f"{numbers[each]:,} {each}" for each in _ORDER if numbers[each])
    return ", ".join(parts) or "the pack is empty"
