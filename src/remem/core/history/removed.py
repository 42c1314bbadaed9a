"""What a change or a commit took out of memory, found by a remembered phrase, and put back.

Steps of the past come in, as the journal keeps them or as git's two versions differ; what goes out
is the one step that took the phrase out, and the plan that puts it back where it stood. Nothing is
looked up here; what other programs took out is found in `removed_by_others.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from remem.base.errors import NotPossible, Refused
from remem.base.frozen import dataclass
from remem.core.checks.secrets import need_clean
from remem.core.draft import Draft, all_touched
from remem.core.library import Library
from remem.core.system import Addition, AddsMany
from remem.edit.merge_lines import Clash
from remem.edit.patch import Patch, merge_in, reverse, splice_to
from remem.edit.yaml_read import parse_document
from remem.model.change import Change, Create, Delete, Effect, Intent, Json, Splice, touched_paths
from remem.model.done_by_others import Vanished
from remem.model.entry import Entry, Ref
from remem.model.source import Source
from remem.store.changes.steps import Edited, Made, Removed, Step, from_json
from remem.store.paths import contained

if TYPE_CHECKING:
    from remem.core.verbs.verbs import PutBack

Kind = Literal["change", "outside", "commit"]

_AROUND: Final = 3
"""Lines above and below a difference in which a phrase may begin or end."""
SHORTEST: Final = 3
"""Signs that a phrase has at least: fewer are in everything."""
LONGEST: Final = 500


@dataclass(frozen=True, slots=True)
class Lost:
    """One file out of which a phrase was taken, and by what."""

    kind: Kind
    id: str
    """Of the change, the change from outside, or the commit."""
    time: datetime
    title: str
    """Of the change or the commit; what happened to the file for one from outside."""
    step: Edited | Removed
    text: str
    """The lines that had the phrase."""
    copies: tuple[Edited | Made, ...] = ()
    """Where the same change put it: a move, if it is still there."""

    @property
    def path(self) -> Path:
        return self.step.path


def plain(text: str) -> str:
    """Return a text so that case and line breaks make no difference."""
    return " ".join(text.casefold().split())


def lost_in(
    kind: Kind, name: str, time: datetime, title: str, steps: Sequence[Step], phrase: str
) -> Iterator[Lost]:
    """Yield each file out of which these steps took a phrase; an empty one fits everything."""
    wanted = plain(phrase)
    copies = tuple(
        step for step in steps if isinstance(step, Edited | Made) and _puts_in(step, wanted)
    )
    for step in steps:
        if isinstance(step, Edited | Removed):
            text = "\n".join(_taken_out(step, wanted))
            if text:
                yield Lost(kind, name, time, title, step, text, copies)


def _taken_out(step: Edited | Removed, wanted: str) -> Iterator[str]:
    """Yield the former lines of each place that no longer has the phrase."""
    if isinstance(step, Removed):
        lines = step.data.decode("utf-8", "replace").splitlines()
        if wanted in plain("\n".join(lines)):
            near = [line for line in lines if wanted in plain(line)]
            yield "\n".join(near or lines[: 2 * _AROUND])
        return
    for patch in step.patches:
        if lacks_now(patch, wanted):
            lines = _whole_lines(patch, patch.old).strip("\n").split("\n")
            yield "\n".join([line for line in lines if wanted in plain(line)] or lines)


def _puts_in(step: Edited | Made, wanted: str) -> bool:
    if not wanted:
        return False
    if isinstance(step, Made):
        return wanted in plain(step.data.decode("utf-8", "replace"))
    return any(lacks_now(patch, wanted) for patch in reverse(step.patches))


def lacks_now(patch: Patch, wanted: str) -> bool:
    """Tell whether a patch took a phrase out, as `plain` returns it; empty = whatever it took."""
    before = plain(_window(patch, patch.old))
    if not wanted:
        return bool(patch.old.strip())
    return before.count(wanted) > plain(_window(patch, patch.new)).count(wanted)


def _window(patch: Patch, middle: bytes) -> str:
    above = b"".join(patch.above.splitlines(keepends=True)[-_AROUND:])
    below = b"".join(patch.below.splitlines(keepends=True)[:_AROUND])
    return (above + middle + below).decode("utf-8", "replace")


def _whole_lines(patch: Patch, middle: bytes) -> str:
    """Return what stood there with the rest of its first and last line."""
    above = patch.above[patch.above.rfind(b"\n") + 1 :]
    below = b"" if middle.endswith(b"\n") else patch.below.partition(b"\n")[0]
    return (above + middle + below).decode("utf-8", "replace")


def plan_put_back(library: Library, intent: Intent, args: PutBack) -> Change:
    """Plan to put back what a change or a commit took out, where it stood.

    Where its place is gone it goes to the end of a persona's memory, or of a store's list under the
    next free id. A copy that the same change
    made is taken away, if it is as it was made.

    Args:
        library: The snapshot to plan on.
        intent: What asks for it.
        args: As `put_back_intent` gives it.

    Raises:
        NotPossible: It stands there already, or there is no place for it.
        Unacknowledged: It holds a secret or hidden characters.
        Refused: The file could not be read any more.
    """
    phrase, name = args.text, args.change
    plan = _PutBack(library, name, plain(phrase))
    for step in _steps(args.steps):
        plan.back(step)
    for step in _steps(args.copies):
        plan.without_copy(step)
    if not plan.effects:
        raise NotPossible("the removed text is already back", hint="`remem search` finds it")
    need_clean(_new_texts(plan.effects), intent, "the restored text")
    touched = all_touched(library, plan.effects, _said(library, plan.effects))
    paths = touched_paths(plan.effects)
    derived = [
        late
        for each in library.formats
        if each.facets.derives
        for late in each.keeper.derived(library.ground, paths)
    ]
    short = phrase if len(phrase) <= 40 else f"{phrase[:39]}…"
    title = f"Put back what {name[:12]} removed"
    if phrase:
        along = plan.brought - 1
        more = f" and {along:,} more that stood with it" if along > 0 else ""
        title = f"Put back `{short}`{more} from {name[:12]}"
    effects = (*plan.effects, *derived)
    # The history keeps what was done; the bytes of the past need not be in it twice.
    kept = type(args)(change=name, text=phrase).to_json()
    asked = Intent(intent.verb, intent.shown, kept)
    return Change(asked, title, effects, touched=touched, notes=tuple(plan.notes))


def _new_texts(effects: Sequence[Effect]) -> Iterator[str]:
    for effect in effects:
        if isinstance(effect, Splice):
            yield effect.new.decode("utf-8", "replace")
        elif isinstance(effect, Create):
            yield effect.data.decode("utf-8", "replace")


def _said(library: Library, effects: Sequence[Effect]) -> dict[Ref, Ref | None]:
    """Return what comes, goes and changes in files whose refs are not made of texts."""
    after = library.preview(effects)
    paths = touched_paths(effects)
    old = {e.ref: e.digest for s in library.sources if s.path in paths for e in s.entries}
    new = {e.ref: e.digest for s in after.sources if s.path in paths for e in s.entries}
    changed = {ref: ref for ref, digest in new.items() if old.get(ref) != digest}
    return {**changed, **dict.fromkeys(ref for ref in old if ref not in new)}


class _PutBack:
    """The plan in the making."""

    def __init__(self, library: Library, name: str, wanted: str) -> None:
        self._library = library
        self._sources: Mapping[Path, Source] = {s.path: s for s in library.sources}
        self._name = name
        self._wanted = wanted
        self.effects: list[Effect] = []
        self.notes: list[str] = []
        self.brought = 0
        """Entries that come back in their place."""

    def back(self, step: Step) -> None:
        source = self._sources.get(step.path) if isinstance(step, Edited | Removed) else None
        if isinstance(step, Removed) and source is None:
            self._whole_file(step)
        elif isinstance(step, Edited | Removed):
            if source is None:
                raise NotPossible(
                    f"`{step.path}` no longer exists",
                    hint="first restore what was archived or renamed, then try again",
                )
            self._into(source, step)

    def without_copy(self, step: Step) -> None:
        source = self._sources.get(step.path) if isinstance(step, Edited | Made) else None
        if source is None:
            return
        if isinstance(step, Made) and source.data == step.data:
            self.effects.append(Delete(source.path, source.data, source.digest))
        elif isinstance(step, Edited):
            merged = self._merged(source, step, backwards=True)
            if merged is not None:
                self.effects += splice_to(source.path, source.data, merged, source.digest)
                return
            self.notes.append(f"the copy in `{source.name}` stays")
        else:
            self.notes.append(f"the copy in `{source.name}` stays")

    def _whole_file(self, step: Removed) -> None:
        ground = self._library.ground
        roots = [base for base in (ground.root, ground.home) if step.path.is_relative_to(base)]
        if not roots:
            raise NotPossible(f"`{step.path}` is outside this project")
        contained(roots[0], step.path)
        if ground.disk.kind(step.path) is not None:
            raise NotPossible(f"`{step.path}` exists and is not memory", hint="move it away first")
        self.effects.append(Create(step.path, step.data))

    def _into(self, source: Source, step: Edited | Removed) -> None:
        if not source.is_writable:
            raise NotPossible(f"`{source.name}` is read only", hint="fix it first")
        merged = self._merged(source, step) if isinstance(step, Edited) else None
        if merged is not None:
            form = self._library.format(source.format)
            after = form.reader.read(replace(source, problems=()), merged)
            self.brought += len(after.entries) - len(source.entries)
            self.effects += splice_to(source.path, source.data, merged, source.digest)
            return
        is_store = self._library.format(source.format).facets.append_units is None
        lost = lost_entries(self._library, source, step, self._is_wanted) if is_store else []
        if lost:
            for added in add_back(self._library, source, lost):
                self.effects += added.effects
            self.notes.append(
                f"its place in `{source.name}` was not found, so it is added at the end"
            )
            return
        data = self._at_end(source, step)
        self.effects += splice_to(source.path, source.data, data, source.digest)

    def _is_wanted(self, text: str) -> bool:
        return self._wanted in plain(text)

    def _merged(self, source: Source, step: Edited, *, backwards: bool = False) -> bytes | None:
        """Return the file with the phrase where it stood; `None` where that place is gone.

        Args:
            source: The file as it stands.
            step: What was done to it.
            backwards: The step put the phrase in, and it is to go.
        """
        turned = reverse(step.patches)
        chosen = [
            back
            for patch, back in zip(step.patches, turned, strict=True)
            if lacks_now(back if backwards else patch, self._wanted)
        ]
        merged = merge_in(source.data, chosen, step.size_after)
        if isinstance(merged, Clash) or merged == source.data:
            return None
        form = self._library.format(source.format)
        after = form.reader.read(replace(source, problems=()), merged)
        return merged if after.is_writable else None

    def _at_end(self, source: Source, step: Edited | Removed) -> bytes:
        """Return the file with the units that have the phrase at its end."""
        standing = {plain(entry.title) for entry in source.entries}

        def is_wanted(text: str) -> bool:
            return self._is_wanted(text) and plain(text) not in standing

        append = self._library.format(source.format).facets.append_units
        data = append(source.data, self._pieces(step), is_wanted) if append else source.data
        if data == source.data:
            raise NotPossible(
                f"this text's place in `{source.name}` is gone, or the text is already back",
                hint=f"`remem undo {self._name}` undoes the whole change, if it is one of remem's",
            )
        self.notes.append(f"its place in `{source.name}` was not found, so it is added at the end")
        return data

    def _pieces(self, step: Edited | Removed) -> Iterator[bytes]:
        if isinstance(step, Removed):
            yield step.data
            return
        for patch in step.patches:
            if lacks_now(patch, self._wanted):
                yield _window(patch, patch.old).encode()


def _steps(values: Iterable[Mapping[str, Json]]) -> Iterator[Step]:
    for value in values:
        try:
            yield from_json(value)
        except ValueError as error:
            raise Refused(str(error), hint="search for the text again") from error


_ITEM: Final = re.compile(r"( *)- ")
Kept = tuple[str, Mapping[str, Json]]
"""Kind and fields of an entry."""


def lost_entries(
    library: Library, source: Source, step: Edited | Removed, has: Callable[[str], bool]
) -> list[Kept]:
    """Return the entries that a step took out of a store.

    Args:
        library: Knows how the store is read.
        source: The store as it stands.
        step: What was done to it.
        has: Tells whether a text is one that is looked for.
    """
    if isinstance(step, Removed):
        return [*_read(library, source, step.data, has)]
    key = _list_key(source.data)
    if not key:
        return []
    texts = [(p.above + p.old + p.below).decode("utf-8", "replace") for p in step.patches]
    blocks = dict.fromkeys(block for text in texts for block in _items(text) if has(block))
    alone = (f"{key}:\n{block}".encode() for block in blocks)
    return [kept for data in alone for kept in _read(library, source, data, has)]


def add_back(library: Library, source: Source, lost: Sequence[Kept]) -> tuple[Addition, ...]:
    """Plan to add entries at the end of their list, each under its own id if that is free.

    Raises:
        NotPossible: The format adds no such entries, or not several at once.
    """
    form, ground = library.format(source.format), library.ground
    kind = lost[0][0]
    if kind not in form.kinds or any(each != kind for each, _ in lost):
        raise NotPossible(
            f"a {kind} cannot be added at the end of `{source.name}`",
            hint="copy its text from `remem history` into the file",
        )
    taken = {entry.ref.id for entry in source.entries}
    fields: list[Mapping[str, Json]] = []
    for _, each in lost:
        is_free = each.get("id") not in taken
        fields.append({name: v for name, v in each.items() if name != "id" or is_free})
        taken.add(str(each.get("id")))
    sources = library.of_format(source.format)
    if len(fields) == 1:
        return (form.keeper.add(ground, sources, kind, fields[0]),)
    if not isinstance(form.keeper, AddsMany):
        raise NotPossible(
            f"`{source.name}` takes one {kind} at a time", hint="search for a longer phrase"
        )
    return form.keeper.add_all(ground, sources, kind, fields)


def _read(
    library: Library, source: Source, data: bytes, has: Callable[[str], bool]
) -> Iterator[Kept]:
    form = library.format(source.format)
    read = form.reader.read(replace(source, problems=()), data)
    standing = {entry.title for entry in source.entries}
    for entry in read.entries:
        if has(form.reader.body(read, entry)) and _is_sound(entry) and entry.title not in standing:
            yield entry.kind, form.reader.fields(read, entry)


def _is_sound(entry: Entry) -> bool:
    return not any(problem.blocks_writing for problem in entry.problems)


def _list_key(data: bytes) -> str:
    """Return the key of the one list that a store holds; empty where that is not so."""
    value = parse_document(data).value
    keys = (
        [key for key, each in value.items() if each is None or isinstance(each, list)]
        if (isinstance(value, dict))
        else []
    )
    return str(keys[0]) if len(keys) == 1 else ""


def _items(text: str) -> Iterator[str]:
    """Yield each whole item of a list: from its dash to the next one that stands as far left."""
    lines = text.splitlines(keepends=True)
    starts = [
        (number, len(match[1])) for number, line in enumerate(lines) if (match := _ITEM.match(line))
    ]
    if not starts:
        return
    left = min(indent for _, indent in starts)
    heads = [number for number, indent in starts if indent == left]
    for head, following in zip(heads, [*heads[1:], len(lines)], strict=True):
        yield "".join(lines[head:following])


def put_back(draft: Draft, lost: Vanished) -> tuple[Ref, str]:
    """Plan to put one entry back, and return its ref and what to tell of it.

    Raises:
        NotPossible: Its place is gone, and its format cannot add such an entry.
        Refused: The file cannot be written.
    """
    source = next((s for s in draft.sources(lost.ref.format) if s.path == lost.path), None)
    if source is not None and source.is_writable:
        placed = _in_its_place(draft, source, lost)
        if placed is not None:
            return placed, ""
    library = draft.library
    each = library.format(lost.ref.format)
    if lost.kind not in each.kinds:
        raise NotPossible(
            f"the place of `{library.short(lost.ref)}` in `{lost.path.name}` is gone",
            hint="copy its text from `remem history` into the file",
        )
    fields: dict[str, Json] = dict(lost.fields)
    if library.has(lost.ref):
        fields.pop("id", None)
    addition = each.keeper.add(library.ground, draft.sources(each.name), lost.kind, fields)
    draft.take(addition.effects)
    return addition.ref, f"its place in `{lost.path.name}` was not found, so it is added at the end"


def _in_its_place(draft: Draft, source: Source, lost: Vanished) -> Ref | None:
    """Take the text in where its neighbours stand; `None` where that would not read as before."""
    patch = Patch(lost.start, b"", lost.body, lost.above, lost.below)
    merged = merge_in(source.data, (patch,), lost.size - len(lost.body))
    if isinstance(merged, Clash):
        return None
    each = draft.library.format(source.format)
    after = each.reader.read(replace(source, problems=()), merged, source)
    if len(after.entries) != len(source.entries) + 1 or not after.is_writable:
        return None
    known = {entry.ref for entry in source.entries}
    added = [entry for entry in after.entries if entry.ref not in known]
    if len(added) != 1 or added[0].title != lost.title or added[0].problems:
        return None
    draft.take(splice_to(source.path, source.data, merged, source.digest))
    return added[0].ref
