"""What a tool has at its start of plain files: the exact lines, in its own order, and the rest.

Imports are followed as the tool follows them; what a limit, a rule or a missing approval keeps out
is named with its reason. What nobody can know from the files is named too.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import Final

from remem.base.frozen import dataclass
from remem.core.prompt.counter import Counter
from remem.core.system import Ground
from remem.model.entry import Problem
from remem.model.loader import Keeps, Loads, Tool
from remem.model.prompt import Ask, Joins, Layer, LeftOut, Line, Prompt, Reason, Verdict
from remem.model.source import WHOLE, Loader, LoaderKind, Source
from remem.store.io import real_path
from remem.systems.loading.load_rules import SEEN, Way, Work, excluded, for_some_files, ways_of
from remem.systems.loading.loader_cut import Cut, cut_of, whole_text
from remem.systems.loading.skill_lists import (
    alike,
    descriptions,
    kept_back,
    list_layer,
    names_of_memories,
    without_hidden,
)
from remem.systems.plain.discover import LED_OUT
from remem.systems.plain.import_syntax import Import, Reading, imports_in
from remem.systems.plain.source import SKILL, PlainSource, plain_sources
from remem.systems.plain.tools.tool_ids import OPENCODE

RULES: Final = "descriptions of rules"
"""Layer of a table of rules for some files."""
_NAMED: Final = "only its name is listed: the list is full, or another one is called alike"
_ALIKE: Final = "another one is called alike, and is listed in its place"
_LEAST_ROOM: Final = 64
"""Characters that must be left for a file; OpenClaw passes over all that come behind."""
_WINDOW: Final = 800_000
"""Characters of the smallest window that a model of today has: 200,000 tokens."""


@dataclass(frozen=True, slots=True)
class _Via:
    """How a tool came to a file."""

    loads: Loads
    """The row of the tool that came to the first of them."""
    is_users: bool
    """It began with a file of the person's own, whose imports need nobody's word."""
    chain: tuple[Path, ...] = ()
    """The files that import it, the outermost first."""

    def through(self, path: Path) -> _Via:
        return replace(self, chain=(*self.chain, path))


@dataclass(slots=True)
class Loading:
    """What one tool loads, gathered file by file."""

    tool: Tool
    ground: Ground
    folder: Path
    """Where it is started."""
    by_path: dict[Path, PlainSource]
    counter: Counter
    layers: list[Layer] = field(default_factory=list)
    sources: list[Source] = field(default_factory=list)
    """What is loaded, at least in part, in loading order."""
    cuts: list[Cut] = field(default_factory=list)
    """The same files, as they are cut."""
    others: list[tuple[PlainSource, str]] = field(default_factory=list)
    """What is not loaded, with the reason."""
    left: list[LeftOut] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    unseen: tuple[str, ...] = ()
    """What it is told of these files in words that nobody knows, and so nobody can count."""
    used: int = 0
    """Bytes, or characters, that count against the tool's limit for all files."""
    stopped: Problem | None = None
    """What keeps the tool from starting, and so from loading anything."""
    begins: bool = False
    """The first layer is the text of an agent, which stands for the tool's own system prompt."""
    _done: set[Path] = field(default_factory=set)
    _within: set[Path] = field(default_factory=set)
    """What is imported already: by all files, or by the one that no other one imports."""

    def take(self, way: Way) -> None:
        """Load what a row of the tool comes to, with all that it imports."""
        source, before = way.source, len(self.layers)
        if way.why or way.loads.lists:
            self._leave(source, way.why or SEEN)
        elif self._too_large(source):
            self._leave(source, self._too_large(source))
        elif (self.tool.quotes or source.path not in self._done) and whole_text(source).strip():
            loader = self._loader(way)
            if loader is None:
                self._leave(source, f"the {self._most} limit for all files together is reached")
                return
            via = _Via(way.loads, way.reached.scope == "user")
            self._within = set() if self.tool.quotes else self._done
            cut = _cut(source, loader, way.loads)
            self.used += cut.taken
            self._load(cut, via)
            self.begins = self.begins or way.loads.is_prompt
            if way.joins is not None:
                self.layers[before:] = self._joining(self.layers[before:], source, way.joins)

    @property
    def _most(self) -> str:
        most = self.tool.most_characters
        return f"{most:,} characters" if most else f"{self.tool.most_bytes:,} bytes"

    def _joining(
        self, layers: Sequence[Layer], source: PlainSource, joins: Joins
    ) -> Iterator[Layer]:
        """Yield what comes while the agent works, with what it imports."""
        for layer in layers:
            of = {line.path for line in layer.lines}
            imported = replace(joins, why=f"`{source.name}` imports it, and {joins.why}")
            yield replace(layer, joins=joins if source.path in of else imported)

    def _loader(self, way: Way) -> Loader | None:
        """Return how a file is cut; `None` = there is no room for any of it."""
        own = way.source.loader
        if way.loads.most_characters:
            room = self.tool.most_characters - self.used - way.loads.noted
            most = min(way.loads.most_characters, room)
            return None if room < _LEAST_ROOM else Loader(LoaderKind.ENDS, characters=most)
        if own.kind not in {LoaderKind.HEAD, LoaderKind.TAIL, LoaderKind.ENDS}:
            own = WHOLE
        if not self.tool.most_bytes or way.reached.scope == "user":
            return own
        room = self.tool.most_bytes - self.used
        self.used += len(way.source.data)
        if room <= 0:
            return None
        return own if len(way.source.data) <= room else Loader(LoaderKind.HEAD, bytes=room)

    def _load(self, cut: Cut, via: _Via) -> None:
        source = cut.source
        if not isinstance(source, PlainSource):
            return
        layer = cut.layer(self.counter)
        if source.path not in self._done:
            self.sources.append(source)
            self.cuts.append(cut)
            left = cut.left(layer.tokens, self.counter)
            if left is not None:
                self.left.append(left)
        self._done.add(source.path)
        self._within.add(source.path)
        follows = self.tool.imports > 0 and via.loads.imports
        follows = follows and cut.loader.kind is LoaderKind.WHOLE
        found = imports_in(source.data, self._reading, as_stripped=via.loads.keeps is Keeps.BARE)
        found = found if follows else ()
        inner = via.through(source.path)
        if self.tool.inlines and found:
            self._inline(cut, layer, found, inner)
            return
        self._add(layer)
        for each in found:
            target = self._imported(source, each, inner)
            if target is not None:
                self._load(_cut(target, WHOLE, via.loads), inner)

    @property
    def _reading(self) -> Reading:
        if self.tool.quotes:
            return Reading.SIGNED
        if self.tool.skips_indented:
            return Reading.OUTSIDE_CODE
        return Reading.PLAIN if self.tool.inlines else Reading.MARKED

    def _add(self, layer: Layer) -> None:
        if layer.lines:
            self.layers.append(layer)

    def _inline(self, cut: Cut, layer: Layer, found: Sequence[Import], via: _Via) -> None:
        """Load a file in the parts that its imports leave, each import behind its line.

        A line that says nothing but an import is replaced by what is imported, unless the tool
        quotes it.
        """
        source = cut.source
        lines: list[Line] = []
        for raw, line in zip(cut.lines, layer.lines, strict=True):
            here = [each for each in found if raw.start <= each.start <= raw.end]
            targets = [
                target
                for each in here
                if isinstance(source, PlainSource)
                and (target := self._imported(source, each, via)) is not None
            ]
            is_replaced = targets and line.text.strip() == f"@{here[0].path}"
            if self.tool.quotes or not is_replaced:
                lines.append(line)
            if targets:
                self._add(_part(layer, lines, self.counter))
                lines = []
            for target in targets:
                if target.path not in self._within:
                    self._load(_cut(target, WHOLE, via.loads), via)
        self._add(_part(layer, lines, self.counter))

    def _imported(self, source: PlainSource, each: Import, via: _Via) -> PlainSource | None:
        """Return the file that an import brings in, unless it is in already or may not be."""
        named = each.target(source.path, self.ground.home)
        target = real_path(named)
        said = f"`@{each.path}` in `{source.name}`"
        found = self.by_path.get(target)
        if target in via.chain:
            self.notes.append(f"{said} is circular; the file is loaded once")
        elif found is None:
            self._note_missing(said, each, target, via)
        elif target not in self._within and self._may_import(source, found, named, via):
            return found
        return None

    def _note_missing(self, said: str, each: Import, target: Path, via: _Via) -> None:
        kind = self.ground.disk.kind(target)
        if kind == "file":
            why = f"{said} imports it from outside, where remem does not read"
            if len(via.chain) > self.tool.imports:
                why = self._too_deep
            elif self._waits(target, via):
                why = f"{said} imports it from outside, {self._asks}"
            self.left.append(LeftOut(target, self._called(target), 0, why))
        elif kind is None and ("/" in each.path or each.path.endswith(".md")):
            self.notes.append(f"{said} does not exist")

    def _called(self, path: Path) -> str:
        root = self.ground.root
        return path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)

    def _may_import(self, source: PlainSource, found: PlainSource, named: Path, via: _Via) -> bool:
        shown = Path(os.path.normpath(named))
        why = excluded(self.tool, via.loads, found, shown) or self._too_large(found)
        if len(via.chain) > self.tool.imports:
            why = self._too_deep
        elif b"\0" in found.data:
            why = f"`{source.name}` imports it, but it is not text"
        elif self._waits(found.path, via):
            place = self._called(self.folder)
            outside = "outside" if place == "." else f"outside `{place}/`"
            why = f"`{source.name}` imports it from {outside}, {self._asks}"
        elif self.tool.stays and not found.path.is_relative_to(top := self._top_of(via.chain[0])):
            where = f"`{self.ground.shown(top)}/`"
            where = "the project" if top == self.ground.root else where
            why = (
                f"`{source.name}` imports it from outside of {where}, where {self.tool.title} stays"
            )
        elif not self.tool.asks_outside and self._is_outside(source, found):
            why = f"`{source.name}` imports it from outside, which {self.tool.title} may refuse"
        if why:
            self._leave(found, why)
        return not why

    def _too_large(self, source: PlainSource) -> str:
        """Say that a file is larger than the tool loads any; empty = it is not."""
        most = self.tool.file_bytes
        if not most or len(source.data) <= most:
            return ""
        return f"it has more than the {most:,} bytes that {self.tool.title} loads of a file"

    def _waits(self, target: Path, via: _Via) -> bool:
        """Tell whether a person has to let the tool import that file."""
        is_inside = target.is_relative_to(real_path(self.folder))
        return self.tool.asks_outside and not via.is_users and not is_inside

    def _top_of(self, path: Path) -> Path:
        """Return the top of the checkout that a file lies in, or the file's folder.

        Seen of Gemini CLI 0.61.0 and Qwen Code 0.24.4 on 2026-11-28.
        """
        ups = path.parents
        return next((up for up in ups if self.ground.disk.kind(up / ".git")), path.parent)

    def _is_outside(self, source: PlainSource, found: PlainSource) -> bool:
        root = self.ground.root
        return not found.path.is_relative_to(root) and source.path.is_relative_to(root)

    @property
    def _asks(self) -> str:
        return f"and {self.tool.title} asks for approval first; the answer is unknown"

    @property
    def _too_deep(self) -> str:
        return f"it is imported more than {self.tool.imports} files deep"

    def _leave(self, source: PlainSource, why: str) -> None:
        if source.path in self._done:
            return
        tokens = self.counter.count(whole_text(source))
        self.left.append(LeftOut(source.path, source.name, tokens, why))
        self.others.append((source, why))

    def put_in_what_settings_say(self) -> None:
        """Put the texts of the tool's settings behind a file that stands for its prompt."""
        at = int(self.begins)
        for number, said in enumerate(self.tool.said):
            lines = [
                Line(each, self.counter.count(each) if each else 0, None, said.settings, said.path)
                for each in said.text.strip("\n").split("\n")
            ]
            layer = list_layer(f"{said.key} of `{said.settings}`", lines, self.counter)
            self.layers.insert(at + number, layer)
            self.begins = self.begins or said.is_prompt

    def name_alone(self, ways: Sequence[Way], layer: Layer) -> None:
        """Say of what stands in a list by its name alone that this is so."""
        shown = {line.path for line in layer.lines}
        named = {way.source.path for way in ways if way.source.path not in shown}
        why = _NAMED if self.tool.listing_room else _ALIKE
        self.left = [replace(x, why=why) if x.path in named else x for x in self.left]

    def verdicts(self) -> Iterator[Verdict]:
        """Yield a verdict on every entry; reads each file whole."""
        for cut in self.cuts:
            yield from cut.verdicts(self.counter)
        for source, why in self.others:
            if source.path not in self._done:
                for entry in source.entries:
                    yield Verdict(entry.ref, Reason.NOT_LOADED, why, layer=source.name)


def load_tool(
    ground: Ground, sources: Sequence[Source], tool: Tool, ask: Ask, counter: Counter
) -> Loading:
    """Return what a tool loads when it is started as `ask` says.

    Args:
        ground: Where the root and the home folder are.
        sources: Those of a library; other formats' are passed over.
        tool: Whose rules count.
        ask: Says in which folder it is started, and what it works on.
        counter: Counts tokens.
    """
    plain = tuple(s for s in plain_sources(sources) if not s.archived)
    by_path = {source.path: source for source in plain}
    work = replace(Work.of(ground, tool, ask), included=tool.included)
    loading = Loading(tool, ground, work.folder, by_path, counter)
    ways = without_hidden(ground, tool, kept_back(tool, ways_of(tool, plain, work)))
    if tool.stopped is not None:
        ways = _stopped(loading, tool.stopped, ways)
    elif tool.id == OPENCODE and _has_its_own(ground, plain, work):
        ways = _begun(loading, plain, ask, ways)
    loading.notes += map(_line, tool.aside)
    names = [way for way in ways if way.kind is LoaderKind.NAMES_ONLY]
    for way in ways:
        loading.take(way)
    if loading.stopped is None:
        loading.put_in_what_settings_say()
    if names:
        loading.layers.append(names_of_memories(ground, names, counter))
    listed = [way for way in ways if way.loads.lists and way.why in ("", SEEN)]
    loading.unseen = _told_somehow(ways)
    at_start = [way for way in listed if way.joins is None]
    if at_start:
        layer = descriptions(ground, tool, at_start, work.folder, counter)
        loading.layers.append(layer)
        loading.notes += _many_described(tool, layer)
        loading.notes += _any_alike(tool, at_start)
        loading.name_alone(at_start, layer)
    tabled = tuple(for_some_files(ways, work)) if tool.tables_rules else ()
    if tabled:
        loading.layers.append(_rules_table(tabled, counter))
    for way in listed:
        if way.joins is not None:
            layer = descriptions(ground, tool, [way], work.folder, counter)
            loading.layers.append(replace(layer, joins=way.joins))
    # At the start stand the lists behind the files; what joins comes behind both.
    loading.layers.sort(key=lambda layer: layer.joins is not None)
    loading.notes += _unsure_when(tool, loading.layers)
    loading.notes += _alike_here(tool, ways)
    taken = {layer.name for layer in loading.layers}
    loading.notes += _unconfirmed(tool, ways, taken)
    loading.notes += _led_out(tool, plain)
    # What came in later after all is not left out any more.
    done = {source.path for source in loading.sources}
    loading.left = [each for each in loading.left if each.path not in done or each.part]
    return loading


def _has_its_own(ground: Ground, sources: Sequence[PlainSource], work: Work) -> bool:
    """Tell whether anything is there that OpenCode alone reads; few roots have it."""
    if any(way.layout.startswith("opencode-") for s in sources for way in s.reached):
        return True
    places = [ground.home / ".config/opencode", ground.home / ".opencode"]
    for up in (work.folder, *work.folder.parents):
        places += [up / name for name in (".opencode", "opencode.json", "opencode.jsonc")]
    return any(ground.disk.kind(place) is not None for place in places)


def _begun(
    loading: Loading, sources: Sequence[PlainSource], ask: Ask, ways: tuple[Way, ...]
) -> tuple[Way, ...]:
    """Return the ways as OpenCode begins, or with why it does not; it alone was seen to stop."""
    from remem.systems.loading.opencode_agents import beginning
    from remem.systems.plain.opencode_stops import stops

    begins = beginning(loading.ground, ask, ways)
    found = next(stops(loading.ground, sources, loading.folder), begins.problem)
    if found is not None:
        return _stopped(loading, found, ways)
    text = begins.text_of_settings(loading.counter)
    loading.layers += () if text is None else (text,)
    loading.notes += (begins.note,) if begins.note else ()
    begun = begins.put_first(ways)
    loading.begins = text is not None or begun is not ways
    return begun


def _stopped(loading: Loading, problem: Problem, ways: Sequence[Way]) -> tuple[Way, ...]:
    """Return the ways of a tool that does not start: it loads nothing."""
    loading.stopped = problem
    loading.notes.append(_line(problem))
    why = f"{loading.tool.title} does not start here"
    return tuple(replace(way, why=why, joins=None) for way in ways)


def _line(problem: Problem) -> str:
    where = f" (line {problem.line})" if problem.line else ""
    return f"{problem.message}{where}; {problem.hint}"


def tool_prompt(loading: Loading, ask: Ask, *, judged: bool = True) -> Prompt:
    """Return a tool's start, each line with its file, line and entry.

    Args:
        loading: What the tool loads.
        ask: What was asked for.
        judged: With a verdict on every entry; without, what is not loaded is not parsed.
    """
    tool, counter = loading.tool, loading.counter
    layers = [replace(each, gap=1 if at else 0) for at, each in enumerate(loading.layers)]
    return Prompt(
        ask=ask,
        encoding=counter.encoding,
        exact=counter.exact and tool.has_public_tokens,
        layers=tuple(layers),
        tokens=sum(layer.tokens for layer in layers),
        verdicts=tuple(loading.verdicts()) if judged else (),
        as_loaded=True,
        unseen=(*unseen(tool.title, begins=loading.begins), *tool.unseen, *loading.unseen),
        notes=tuple(dict.fromkeys(loading.notes)),
        left=tuple(loading.left),
    )


def _told_somehow(ways: Sequence[Way]) -> tuple[str, ...]:
    """Name the descriptions that a tool shows of files, where no rule says how it lists them."""
    listed = (way for way in ways if not (way.loads.lists or way.loads.lists_agents))
    told = [way.source.name for way in listed if way.why == SEEN]
    if not told:
        return ()
    if len(told) == 1:
        return (f"the description of `{told[0]}`",)
    return (f"the descriptions of `{told[0]}` and {len(told) - 1:,} more",)


def unseen(tool: str, *, composed: bool = False, begins: bool = False) -> tuple[str, ...]:
    """Return what nobody sees in files, whatever the tool.

    Args:
        tool: Its title.
        composed: It composes its prompts of profile and memory, which are counted.
        begins: The text of an agent, which is counted, stands for its own system prompt.
    """
    if composed:
        return (
            f"the rules that {tool} puts into every prompt",
            f"{tool}'s tool descriptions",
            "files the agent opens while working",
        )
    own = () if begins else (f"the system prompt of {tool}",)
    return (
        *own,
        f"{tool}'s tool descriptions",
        f"text that {tool} adds around the files",
        "files the agent opens while working",
    )


def skills_named(
    tool: Tool, sources: Sequence[Source], names: Sequence[str]
) -> tuple[PlainSource, ...]:
    """Return the skills of those names that an agent may be given, a project's before a person's.

    What only a person may call is none of them.
    """
    layouts = [loads.layout for loads in tool.loads if loads.lists]
    found: dict[str, tuple[bool, PlainSource]] = {}
    for source in plain_sources(sources):
        for way in source.reached:
            name, is_users = way.path.parent.name, way.scope == "user"
            known = found.get(name)
            is_skill = way.layout in layouts and way.path.name == SKILL
            may = source.loader.kind is not LoaderKind.BY_NAME
            if is_skill and may and (known is None or (known[0] and not is_users)):
                found[name] = is_users, source
    return tuple(found[name][1] for name in dict.fromkeys(names) if name in found)


def _rules_table(ways: Sequence[Way], counter: Counter) -> Layer:
    """Return the rows of a table of rules; what stands above them is the tool's own text."""
    lines = []
    for way in ways:
        path, told = way.reached.path, way.source.told
        is_users = way.reached.scope == "user"
        named = path if is_users else path.relative_to(way.reached.folder)
        described = " ".join(told.description.split()).replace("|", "\\|")
        text = f"| {', '.join(told.globs)} | '{named.as_posix()}' | {described} |"
        lines.append(Line(text, counter.count(text), None, way.source.name, way.source.path))
    return list_layer(RULES, lines, counter)


def _many_described(tool: Tool, layer: Layer) -> Iterator[str]:
    characters, share = len(layer.text), tool.listing_percent
    if share and characters > _WINDOW * share // 100:
        yield (
            f"not confirmed: the descriptions of skills have {characters:,} characters; beyond "
            f"{share} % of its model's window {tool.title} lists the names alone of those it uses "
            "least"
        )


def _any_alike(tool: Tool, ways: Sequence[Way]) -> Iterator[str]:
    pairs = [*alike(tool, ways)]
    if pairs:
        one, other = (way.source.name for way in pairs[0])
        more = f", and {len(pairs) - 1:,} more pairs," if len(pairs) > 1 else ""
        yield (
            f"not confirmed: `{one}` and `{other}`{more} are called alike; {tool.title} reads both "
            "at once and lists the one that it is done with last"
        )


def _alike_here(tool: Tool, ways: Sequence[Way]) -> Iterator[str]:
    """Say of which files of one folder the disk picks one."""
    if not tool.by_name:
        return
    from remem.systems.loading.rules_by_name import alike_in_a_folder

    for one, other in alike_in_a_folder(ways):
        yield (
            f"not confirmed: `{one.source.name}` and `{other.source.name}` are called alike; "
            f"{tool.title} takes the one that the disk lists last"
        )


def _unsure_when(tool: Tool, layers: Sequence[Layer]) -> Iterator[str]:
    """Say of which files it is not confirmed that they come while the agent works."""
    unsure = [x.name for x in layers if x.joins is not None and not x.joins.is_confirmed]
    if unsure:
        more = f" and {len(unsure) - 1} more" if len(unsure) > 1 else ""
        yield (
            f"not confirmed of `{unsure[0]}`{more}: neither a page of {tool.title} nor a run of it "
            "shows when it comes while the agent works"
        )


def _unconfirmed(tool: Tool, ways: Sequence[Way], taken: set[str]) -> Iterator[str]:
    """Yield what is not confirmed of the files that are loaded, each thing once."""
    for loads in tool.loads:
        names = [w.source.name for w in ways if w.loads is loads and not w.why]
        names = [name for name in names if name in taken]
        more = f" and {len(names) - 1} more" if len(names) > 1 else ""
        if names and (loads.unknown or not loads.proofs):
            what = loads.unknown or "neither the tool's documentation nor a test run confirms it"
            yield f"not confirmed of `{names[0]}`{more}: {what}"
        if len(names) > 1 and loads.by_disk:
            yield (
                f"`{names[0]}`{more} stand here by name; {tool.title} takes them in the order in "
                "which the disk lists their folders"
            )


def _led_out(tool: Tool, sources: Sequence[PlainSource]) -> Iterator[str]:
    layouts = {loads.layout for loads in tool.loads if not loads.no_links}
    for source in sources:
        for problem in source.placed:
            if problem.code == LED_OUT and problem.field in layouts:
                yield f"{problem.message}; {tool.title} may load what is there"


def _cut(source: PlainSource, loader: Loader, loads: Loads) -> Cut:
    return cut_of(source, loader, loads.keeps)


def _part(layer: Layer, lines: Sequence[Line], counter: Counter) -> Layer:
    tokens = counter.count("\n".join(line.text for line in lines))
    return replace(layer, lines=tuple(lines), tokens=tokens)
