"""Holds a plug-in: it answers as every system does, and whatever it does wrong ends with it.

What it raises switches it off for the run. Its files stay in the list with the reason, shown and
not written, so that nothing of it counts as removed. What it plans is read again before anyone sees
it: no entry but the one that was meant may stand otherwise afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from remem.base.errors import NotPossible, Refused, RememError
from remem.core.draft import Sheet
from remem.core.plugins.contract import CODE, Plugin
from remem.core.system import Addition, Facets, Ground
from remem.model.change import Change, Create, Delete, Derived, Effect, Intent, Json, Splice
from remem.model.entry import Entry, FileSpan, Problem, Ref, Status, digest_of
from remem.model.prompt import Ask, Frame, Offer
from remem.model.record import Record
from remem.model.source import Source

if TYPE_CHECKING:
    from remem.core.checks.issue import Issue
    from remem.core.library import Library
    from remem.core.plugins.contract import Composer, Keeper, Reader
    from remem.core.verbs.args import Args
    from remem.core.verbs.verb import Writing
    from remem.core.waiting.item import Item
    from remem.core.waiting.kinds import Waiting

A = TypeVar("A", bound="Args")
T = TypeVar("T")
FIX: Final = "fix it, install another version, or uninstall it"


class Broken(Exception):
    """A plug-in gave what its contract does not allow."""


class Guarded:
    """A plug-in as a system."""

    def __init__(self, plugin: Plugin) -> None:
        """Take what was declared; nothing of it is made yet."""
        self.plugin = plugin
        self.name = plugin.name
        self.kinds = plugin.kinds if plugin.keeper is not None else ()
        self.facets = Facets(
            pairs=self.kinds,
            adds=self.kinds,
            warns=plugin.warns,
            text_fields=plugin.text_fields,
            places=plugin.places,
            problems=None if plugin.problems is None else self._issues,
            beside=None if plugin.beside is None else self._beside,
        )
        self.fault: Problem | None = None
        """Why it is switched off; `None` = it is not."""
        self._found: dict[Path, tuple[Source, ...]] = {}
        """What it found last at each root."""

    @cached_property
    def _reader(self) -> Reader:
        return self.plugin.reader()

    @cached_property
    def _keeper(self) -> Keeper:
        if self.plugin.keeper is None:
            raise NotPossible(f"`{self.name}` is read-only here")
        return self.plugin.keeper()

    @cached_property
    def _composer(self) -> Composer | None:
        return None if self.plugin.composer is None else self.plugin.composer()

    @property
    def reader(self) -> Guarded:
        """Itself: what is asked of any part is guarded alike."""
        return self

    @property
    def keeper(self) -> Guarded:
        """Itself too."""
        return self

    @property
    def composer(self) -> Guarded:
        """Itself too."""
        return self

    def discover(self, ground: Ground) -> Iterator[Source]:
        places = (ground.place(each) for each in self.plugin.places)
        if all(ground.disk.kind(place) is None for place in places):
            return
        known = self._found.get(ground.root, ())
        found = self._asked("discover", lambda: self._looked(ground), known)
        self._found[ground.root] = found
        for each in found:
            yield self._marked(each)

    def _looked(self, ground: Ground) -> tuple[Source, ...]:
        found = tuple(self._reader.discover(ground))
        bases = (ground.root, ground.home)
        for each in found:
            if each.format != self.name:
                raise Broken(f"it calls a source `{each.format}`")
            if not any(each.path.is_relative_to(base) for base in bases) or ".." in each.path.parts:
                raise Broken(f"`{each.path}` lies outside the root and the home folder")
        return found

    def read(self, source: Source, data: bytes, before: Source | None = None) -> Source:
        source = replace(source, data=data, digest=digest_of(data))
        nothing: tuple[tuple[Entry, ...], tuple[Problem, ...]] = ((), ())
        entries, problems = self._asked("read", lambda: self._read(source), nothing)
        return self._marked(
            replace(source, entries=entries, problems=(*source.problems, *problems))
        )

    def _read(self, source: Source) -> tuple[tuple[Entry, ...], tuple[Problem, ...]]:
        found = tuple(self._reader.read(source, source.data))
        for each in found:
            if not isinstance(each, Entry | Problem):
                raise Broken(f"it returned a {type(each).__name__} for an entry")
        entries = tuple(each for each in found if isinstance(each, Entry))
        seen = set[Ref]()
        for entry in entries:
            if [type(each) for each in (entry.title, entry.status)] != [str, Status]:
                raise Broken(f"it returned `{entry.ref}` without a text or a status")
            if (entry.ref.format, entry.ref.place) != (self.name, source.place):
                raise Broken(f"it returned `{entry.ref}` in `{source.name}`, another's address")
            if entry.ref in seen:
                raise Broken(f"it returned `{entry.ref}` twice")
            if entry.kind not in self.plugin.kinds:
                raise Broken(f"it returned `{entry.kind}`, a kind that it did not declare")
            if entry.digest != digest_of(_bytes_of(source, entry)):
                raise Broken(f"the digest of `{entry.ref}` is not that of its bytes")
            seen.add(entry.ref)
        problems = [replace(p, path=source.path) for p in found if isinstance(p, Problem)]
        return entries, tuple(problems)

    def waits(self, library: Library) -> Sequence[Waiting]:
        return ()

    def waiting(self, source: Source) -> Iterator[Entry]:
        return (entry for entry in source.entries if entry.status is Status.CANDIDATE)

    def record(self, source: Source, entry: Entry) -> Record | None:
        return None

    def fields(self, source: Source, entry: Entry) -> Mapping[str, Json]:
        return self._asked("fields", lambda: dict(self._reader.fields(source, entry)), {})

    def body(self, source: Source, entry: Entry) -> str:
        return _bytes_of(source, entry).decode("utf-8", "replace")

    def edit(self, source: Source, entry: Entry, fields: Mapping[str, Json]) -> tuple[Effect, ...]:
        def plan() -> tuple[Effect, ...]:
            effects = tuple(self._keeper.edit(source, entry, fields))
            after, changed = self._without(source, entry, effects)
            if changed is None:
                return effects
            now = self._reader.fields(after, changed)
            for name, wanted in fields.items():
                if now.get(name) != wanted:
                    raise Refused(f"`{name}` of `{entry.ref.id}` would not be what was asked for")
            return effects

        return self._planned("edit", plan)

    def set_status(self, source: Source, entry: Entry, status: Status) -> tuple[Effect, ...]:
        def plan() -> tuple[Effect, ...]:
            effects = tuple(self._keeper.set_status(source, entry, status))
            _, changed = self._without(source, entry, effects)
            if changed is not None and changed.status is not status:
                raise Refused(f"`{entry.ref.id}` would be {changed.status}, not {status}")
            return effects

        return self._planned("set_status", plan)

    def remove(self, source: Source, entry: Entry) -> tuple[Effect, ...]:
        def plan() -> tuple[Effect, ...]:
            effects = tuple(self._keeper.remove(source, entry))
            if len(source.entries) == 1 and effects == (_deleted(source),):
                return effects
            self._without(source, entry, effects, is_removed=True)
            return effects

        return self._planned("remove", plan)

    def add(
        self, ground: Ground, sources: Sequence[Source], kind: str, fields: Mapping[str, Json]
    ) -> Addition:
        def plan() -> Addition:
            addition = self._keeper.add(ground, sources, kind, fields)
            self._need_added(ground, sources, addition)
            return addition

        return self._planned("add", plan)

    def derived(self, ground: Ground, touched: Collection[Path]) -> tuple[Derived, ...]:
        return ()

    def render(self, ground: Ground, sources: Sequence[Source], path: Path) -> bytes | None:
        return None

    def frame(self, ground: Ground, sources: Sequence[Source], ask: Ask) -> Frame | None:
        return None

    def offers(self, ground: Ground, sources: Sequence[Source], ask: Ask) -> tuple[Offer, ...]:
        own = self._own(sources)
        return self._asked("offers", lambda: self._offered(own, ask), ()) if own else ()

    def _offered(self, own: Sequence[Source], ask: Ask) -> tuple[Offer, ...]:
        if self._composer is None:
            return ()
        offers = tuple(self._composer.offers(own, ask))
        known = {entry.ref for source in own for entry in source.entries}
        for offer in offers:
            refs = [each.ref for each in offer.pieces]
            refs += [each.ref for each in offer.verdicts]
            if not known.issuperset(refs) or len(refs) != len(set(refs)):
                raise Broken("it offered an entry that is not its own, or one entry twice")
        return offers

    def role_names(self, ground: Ground, sources: Sequence[Source]) -> tuple[str, ...]:
        own = self._own(sources)
        return self._asked("roles", lambda: self._roles(own), ()) if own else ()

    def _roles(self, own: Sequence[Source]) -> tuple[str, ...]:
        return () if self._composer is None else tuple(map(str, self._composer.roles(own)))

    def _issues(self, library: Library) -> tuple[Issue, ...]:
        """Return what it finds worth a look."""
        find = self.plugin.problems
        if find is None or not library.of_format(self.name):
            return ()
        return self._asked("problems", lambda: tuple(find(library)), ())

    def _beside(self, library: Library) -> str:
        say = self.plugin.beside
        return "" if say is None else self._asked("beside", lambda: str(say(library)), "")

    def bring(self, verbs: Iterable[Writing[Any]]) -> None:
        """Take the verbs that it may have, with the keys and commands that it may have."""
        self.facets = replace(self.facets, verbs=tuple(map(self._held, verbs)))

    def _held(self, verb: Writing[A]) -> Writing[A]:
        """Return a verb of its own whose failing switches it off."""

        def plan(library: Library, intent: Intent, args: A) -> Change:
            return self._planned(verb.id, lambda: verb.plan(library, intent, args))

        def why_not(library: Library, what: Item | Entry | None) -> str | None:
            off: str | None = "its plug-in is disabled; see Health"
            return self._asked(verb.id, lambda: verb.why_not(library, what), off)

        return replace(verb, plan=plan, why_not=why_not)

    def _own(self, sources: Sequence[Source]) -> tuple[Source, ...]:
        return tuple(each for each in sources if each.format == self.name)

    def _without(
        self, source: Source, entry: Entry, effects: Sequence[Effect], *, is_removed: bool = False
    ) -> tuple[Source, Entry | None]:
        """Return the file as it would be and the entry in it, if all others stand as they stood.

        `None` = nothing would change, or the entry would be gone.

        Raises:
            Refused: Others would stand otherwise.
        """
        if not effects:
            return source, None
        data = _spliced(source, effects)
        after = replace(source, data=data, digest=digest_of(data))
        entries, _ = self._read(after)
        place = [each.ref for each in source.entries].index(entry.ref)
        rest = [each.digest for each in entries]
        changed = None if is_removed or place >= len(entries) else entries[place]
        if changed is not None:
            rest.pop(place)
        if rest != [each.digest for each in source.entries if each.ref != entry.ref]:
            raise Refused(
                f"`{self.name}` would change more in `{source.name}` than `{entry.ref.id}`",
                hint="nothing is written; change the file by hand",
            )
        return replace(after, entries=entries), changed

    def _need_added(self, ground: Ground, sources: Sequence[Source], addition: Addition) -> None:
        """Let an addition add one entry and nothing else.

        Raises:
            Refused: It does not.
        """
        known = next((each for each in sources if each.path == addition.path), None)
        if known is not None:
            entries, _ = self._read(replace(known, data=_spliced(known, addition.effects)))
        else:
            made = [each for each in addition.effects if isinstance(each, Create)]
            places = [ground.place(each) for each in self.plugin.places]
            if not all(any(m.path.is_relative_to(p) for p in places) for m in made):
                raise Refused(f"`{self.name}` would create a file outside its own folders")
            if len(made) != len(addition.effects) or addition.path not in {m.path for m in made}:
                raise Refused(f"`{self.name}` would write more than a new file")
            return
        before = [each.digest for each in known.entries]
        now = [each.digest for each in entries if each.ref != addition.ref]
        if now != before or len(entries) != len(before) + 1:
            raise Refused(f"`{self.name}` would not add one entry to `{known.name}`")

    def _marked(self, source: Source) -> Source:
        """Return a source with the reason why the plug-in is switched off, if it is."""
        if self.fault is None or self.fault in source.problems:
            return source
        fault = replace(self.fault, path=source.path, blocks_writing=True)
        return replace(source, problems=(*source.problems, fault), writable=False)

    def _asked(self, part: str, call: Callable[[], T], otherwise: T) -> T:
        """Return what a part answers, or what stands in for it where it is switched off by now."""
        if self.fault is not None:
            return otherwise
        try:
            return call()
        except (Exception, SystemExit) as error:
            self.switch_off(part, error)
            return otherwise

    def _planned(self, part: str, plan: Callable[[], T]) -> T:
        """Return what a part plans.

        Raises:
            RememError: It cannot be done, as the plug-in or its proof says.
            NotPossible: The plug-in is switched off, or is now.
        """
        if self.fault is None:
            try:
                return plan()
            except RememError:
                raise
            except (Exception, SystemExit) as error:
                self.switch_off(part, error)
        assert self.fault is not None
        raise NotPossible(self.fault.message, hint=self.fault.hint)

    def switch_off(self, part: str, error: BaseException) -> None:
        """Take it out of this run, and keep why."""
        self.fault = fault(self.name, f"is disabled: `{part}` failed: {told(error)}", FIX)


def fault(name: str, what: str, hint: str) -> Problem:
    """Return what is wrong with a plug-in as a problem that Health and `status` show."""
    return Problem(CODE, f"the plug-in `{name}` {what}", hint)


def told(error: BaseException) -> str:
    """Return an error in one line: what kind it is, and what it says."""
    says = " ".join(str(error).split())
    kind = "" if isinstance(error, Broken) else type(error).__name__
    return ": ".join(part for part in (kind, says[:200]) if part)


def _bytes_of(source: Source, entry: Entry) -> bytes:
    if isinstance(entry.at, FileSpan):
        return source.data[entry.at.start : entry.at.end]
    return source.data


def _deleted(source: Source) -> Delete:
    return Delete(source.path, source.data, source.digest)


def _spliced(source: Source, effects: Sequence[Effect]) -> bytes:
    """Return a source's bytes as splices would leave them.

    Raises:
        Refused: Something else would be written.
    """
    sheet = Sheet(source.path, source.data, source.digest)
    for each in effects:
        if not isinstance(each, Splice) or each.path != source.path:
            raise Refused(f"more than `{source.name}` would be written", hint="nothing is written")
        if source.data[each.start : each.end] != each.old or each.planned_on != source.digest:
            raise Refused(f"it was planned on another `{source.name}`", hint="try again")
        sheet.put_on_base(each.start, each.end, each.new)
    return sheet.now
