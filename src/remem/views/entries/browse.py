"""From a snapshot to what Browse lists: the tree of sources, and the entries of one of its nodes.

Pure: it reads the library and a counter of tokens, and knows nothing of widgets. Entries of large
stores are made when their row is drawn; what has to read all of them says so.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Sequence
from dataclasses import field
from pathlib import Path
from typing import Final

from remem.base.frozen import dataclass
from remem.core.library import Library
from remem.core.prompt.counter import Counter
from remem.core.relation.normal_form import norm
from remem.core.repositories import name_of, repositories_of, views
from remem.core.waiting.kinds import decided
from remem.model.entry import Entry, Status, kind_text
from remem.model.layout import Part
from remem.model.source import Source, SourceKind
from remem.systems.loading.loader_cut import whole_text
from remem.systems.personas.source import LESSON, PersonaSource
from remem.systems.personas.team.people import Persona, everyone
from remem.systems.plain.source import PlainSource
from remem.systems.sniper.records import ESTIMATES
from remem.views import signs
from remem.views.entries.entry_list import Entries, Refs
from remem.views.list_rows import Node, Row, Rows
from remem.views.signs import warned
from remem.views.spans import Span, Spans, Tone, short_number, span

ALL: Final = ("all",)
ORDERS: Final = ("file", "tokens", "date", "likeness")
"""Ways to order a list of entries; likeness is to the entry under the cursor."""
_GROUPED_ABOVE: Final = 100
"""Files of one folder that are shown as one: nobody walks over more."""
_FOLD_ABOVE: Final = 12
"""Sections of a file that are shown unfolded at first."""
_ENTRIES: Final = 4
_TOKENS: Final = 6
"""Cells of the two columns at the right of the tree."""
_COUNTED: Final = 1_000_000
"""Bytes of a file above which its tokens are not counted for the tree."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """The entries of one node of the tree, ready to be listed."""

    key: Hashable
    order: str
    entries: Sequence[Entry] = field(repr=False)
    rows: Rows = field(repr=False)
    library: Library = field(repr=False)
    """Where they stand: what became of a finding is looked up when its row is drawn."""


def shelf(library: Library, key: Hashable, personas: Sequence[Persona]) -> Shelf:
    """Return what a node of the tree holds, in the order of its files; nothing is parsed."""
    sources, section = _sources_of(library, key, personas)
    entries = Entries(sources, section)
    whose = _is_of_several(key)
    rows = Rows(Refs(entries), lambda i: entry_row(library, entries[i], whose=whose))
    return Shelf(key, "file", entries, rows, library)


def arranged(plain: Shelf, order: str, counter: Counter, like: Entry | None) -> Shelf:
    """Return a shelf in another order; reads every entry.

    Args:
        plain: In the order of its files.
        order: One of `ORDERS`.
        counter: For the most tokens first.
        like: Whose words come first by likeness; `None` = the first entry's.
    """
    if order == "file":
        return plain
    entries = list(plain.entries)
    match order:
        case "tokens":
            entries.sort(key=lambda entry: counter.count(entry.title), reverse=True)
        case "date":
            entries.sort(key=lambda entry: entry.date, reverse=True)
        case _:
            entries = _by_likeness(entries, like or entries[0]) if entries else []
    refs = [entry.ref for entry in entries]
    library = plain.library
    whose = _is_of_several(plain.key)
    rows = Rows(refs, lambda index: entry_row(library, entries[index], whose=whose))
    return Shelf(plain.key, order, entries, rows, library)


def _by_likeness(entries: Sequence[Entry], like: Entry) -> list[Entry]:
    from rapidfuzz import fuzz, process

    texts = [norm(entry.title) for entry in entries]
    found = process.extract(
        norm(like.title), texts, scorer=fuzz.token_set_ratio, processor=None, limit=None
    )
    places = [place for _, _, place in found if entries[place].ref != like.ref]
    return [*(e for e in entries if e.ref == like.ref), *(entries[place] for place in places)]


def _sources_of(
    library: Library, key: Hashable, personas: Sequence[Persona]
) -> tuple[Sequence[Source], str | None]:
    match key:
        case ("format", str(name)):
            return [s for s in library.of_format(name) if not s.repository], None
        case ("format", str(name), str(repository)):
            return [s for s in library.of_format(name) if s.repository == repository], None
        case ("repository", str(repository)):
            return [s for s in library.sources if s.repository == repository], None
        case ("persona", _, _):
            found = persona_of(key, personas)
            return (found.sources if found else ()), None
        case ("source", path):
            return [s for s in library.sources if s.path == path], None
        case ("folder", path):
            return [s for s in library.sources if s.path.parent == path], None
        case ("section", path, str(section)):
            return [s for s in library.sources if s.path == path], section
        case _:
            return library.sources, None


def everyone_in(library: Library) -> tuple[Persona, ...]:
    """Return everyone, in a workspace those of one repository apart from those of another."""
    return tuple(
        persona
        for view in views(library)
        for persona in everyone(view)
        if max((s.repository for s in persona.sources), default="") == name_of(view)
    )


def persona_of(key: Hashable, personas: Sequence[Persona]) -> Persona | None:
    """Return the persona that a node of the tree is, or lies in."""
    match key:
        case ("persona", str(name), str(folder)):
            return next((p for p in personas if (p.name, p.folder) == (name, folder)), None)
        case ("source", path) | ("section", path, _):
            return next((p for p in personas for s in p.sources if s.path == path), None)
        case _:
            return None


def source_of(key: Hashable, library: Library) -> Source | None:
    """Return the source that a node of the tree is, or lies in."""
    match key:
        case ("source", path) | ("section", path, _):
            return next((s for s in library.sources if s.path == path), None)
        case _:
            return None


def _is_of_several(key: Hashable) -> bool:
    """Tell whether a node of the tree may hold lessons of several personas."""
    match key:
        case ("persona" | "source" | "section" | "folder", *_):
            return False
        case _:
            return True


def entry_row(library: Library, entry: Entry, *, whose: bool = False) -> Row:
    """Return the line of an entry in a list; of a decided finding it says what became of it.

    Args:
        library: Where it stands.
        entry: The entry.
        whose: A persona's lesson says whose it is.
    """
    found = decided(library, entry)
    is_open = entry.status in (Status.ACTIVE, Status.CANDIDATE) and found is None
    owner = library.source_of(entry).owner if whose and entry.kind == LESSON else ""
    right = owner or entry.date or kind_text(entry.kind)
    own = signs.BY_STATUS[entry.status if found is None else Status.ACTIVE]
    return Row(
        entry.ref,
        (span(entry.row_text, Tone.PLAIN if is_open else Tone.DIM),),
        signs.worst(own, entry.problems),
        (span(right if found is None else found.short(library), Tone.DIM),),
        entry.digest,
    )


def source_tree(
    library: Library, personas: Sequence[Persona], counter: Counter, *, documents: bool
) -> tuple[Node, ...]:
    """Return formats, their sources and personas, and the sections of personas' files.

    Args:
        library: What is open.
        personas: Everyone in it.
        counter: For the tokens at the right.
        documents: Sources without entries are shown too.
    """
    nodes = [Node(ALL, (span("everything", Tone.STRONG),), (_held(library.sources),))]
    persons = {id(source) for persona in personas for source in persona.sources}
    nodes += _formats(library, "", personas, persons, counter, documents=documents)
    for each in repositories_of(library):
        inner = _formats(library, each.name, personas, persons, counter, documents=documents)
        held = _held([s for s in library.sources if s.repository == each.name])
        role = (span(f"  {each.role}", Tone.DIM),) if each.role else ()
        label = (span(each.name, Tone.STRONG), *role)
        nodes.append(Node(("repository", each.name), label, (held,), tuple(inner)))
    return tuple(nodes)


def _formats(
    library: Library,
    repository: str,
    personas: Sequence[Persona],
    persons: Collection[int],
    counter: Counter,
    *,
    documents: bool,
) -> Iterator[Node]:
    """Yield a node for each format of one repository; without a name, of what they share."""
    for each in library.formats:
        sources = [s for s in library.of_format(each.name) if s.repository == repository]
        mine = [
            persona
            for persona in personas
            if any(s.format == each.name for s in persona.sources)
            and max(s.repository for s in persona.sources) == repository
        ]
        children = [_persona(persona, counter, documents=documents) for persona in mine]
        others = (s for s in sources if id(s) not in persons)
        children += _files([s for s in others if documents or _holds_something(s)], counter)
        if children:
            label = (span(each.facets.called or each.name, Tone.HEADING),)
            key = ("format", each.name, repository) if repository else ("format", each.name)
            yield Node(key, label, (_held(sources),), tuple(children))


def _files(sources: Sequence[Source], counter: Counter) -> Iterator[Node]:
    """Yield a node for each file, and one for all files of a folder that holds very many."""
    folders: dict[Path, list[Source]] = {}
    for source in sources:
        folders.setdefault(source.path.parent, []).append(source)
    for source in sources:
        beside = folders[source.path.parent]
        if len(beside) <= _GROUPED_ABOVE:
            yield _source(source, counter)
        elif source is beside[0]:
            yield _folder(source.path.parent, beside, counter)


def _folder(path: Path, sources: Sequence[Source], counter: Counter) -> Node:
    """Return the node of a folder; its tokens fill in once they can be counted exactly."""
    wrong = warned(problem for source in sources for problem in source.problems)
    tokens = sum(tokens_of(source, counter) for source in sources) if counter.exact else 0
    held = sum(len(source.entries) for source in sources)
    label = (span(f"{path.name}/", Tone.PLAIN),)
    return Node(("folder", path), label, (*wrong, *_size(held, tokens, counter)))


def files_in(library: Library, path: Path) -> Sequence[Source]:
    """Return the sources that a folder of the tree stands for."""
    return _sources_of(library, ("folder", path), ())[0]


def _holds_something(source: Source) -> bool:
    if source.part == ESTIMATES:
        return True  # it is drawn, and patterns are taken over into it
    return bool(len(source.entries) or source.problems or source.kind is not SourceKind.DOCUMENT)


def _held(sources: Sequence[Source]) -> Span:
    """Return how many entries are in use, and how many more lie in archives."""
    total = sum(len(source.entries) for source in sources)
    away = sum(len(s.entries) for s in sources if s.archived or s.part == Part.ARCHIVE)
    if not away:
        return Span(f"{total:>{_ENTRIES},}{'':{_TOKENS}}", Tone.DIM)
    return Span(f"{total - away:,} + {away:,} archived", Tone.DIM)


def _persona(persona: Persona, counter: Counter, *, documents: bool) -> Node:
    tone = Tone.DIM if persona.archived else Tone.STRONG
    title = (span(f"  {persona.title}", Tone.DIM),) if persona.title else ()
    shown = [s for s in persona.sources if documents or _holds_something(s)]
    # The same files as the units: what lies in an archive is counted there.
    counted = (s for s in persona.sources if s.kind is SourceKind.MEMORY)
    tokens = sum(tokens_of(s, counter) for s in counted if s.part != Part.ARCHIVE)
    return Node(
        ("persona", persona.name, persona.folder),
        (span(persona.folder or persona.name, tone), *title),
        _size(persona.units, tokens, counter),
        tuple(_source(source, counter) for source in shown),
        is_folded=persona.archived,
    )


def _source(source: Source, counter: Counter) -> Node:
    tone = Tone.DIM if source.archived else Tone.PLAIN
    name = source.name.removeprefix(f"{source.owner}/") if source.owner else source.name
    layout = (span(f"  {source.layout}", Tone.DIM),) if source.layout else ()
    sections = _sections(source, counter) if source.owner and source.entries else ()
    size = _size(len(source.entries), tokens_of(source, counter), counter)
    return Node(
        ("source", source.path),
        (span(name, tone), *layout),
        (*warned(source.problems), *size),
        sections,
        is_folded=len(sections) > _FOLD_ABOVE,
    )


def tokens_of(source: Source, counter: Counter) -> int:
    """Return the tokens of a whole file, as its tool hands it on: what Start and prompts count.

    0 for one that is too large to count each time.
    """
    if not source.data or len(source.data) > _COUNTED or b"\0" in source.data[:1024]:
        return 0
    return counter.count(whole_text(source))


def _size(entries: int, tokens: int, counter: Counter) -> Spans:
    """Return how many entries and how many tokens, each at the end of a column of its own."""
    held = f"{entries:,}" if entries else ""
    cost = short_number(tokens, exact=counter.exact) if tokens else ""
    return (Span(f"{held:>{_ENTRIES}}{cost:>{_TOKENS}}", Tone.DIM),)


def _sections(source: Source, counter: Counter) -> tuple[Node, ...]:
    """Return one node per heading path that entries stand under, in file order."""
    texts: dict[str, list[str]] = {}
    for entry in source.entries:
        texts.setdefault(entry.context, []).append(entry.title)
    return tuple(
        Node(
            ("section", source.path, context),
            (span(context.rpartition(" › ")[2] or "(head)"),),
            _size(len(titles), counter.count("\n".join(titles)), counter),
        )
        for context, titles in texts.items()
        if len(texts) > 1
    )


PERSONA = "persona"
KINDS = ("convention", "anti_pattern", "decision", "learning")


@dataclass(frozen=True, slots=True)
class Home:
    """The memory that a new lesson goes to."""

    called: str
    fields: tuple[tuple[str, str], ...]


def home_of(
    node: Hashable, persona: Persona | None, source: Source | None, entry: Entry | None
) -> Home | None:
    """Return where a lesson goes; `None` = no memory is under the cursor.

    Args:
        node: That of the tree.
        persona: Who is under the cursor of the tree, if anybody is.
        source: The file under either cursor.
        entry: The one under the cursor of the list, unless the person is in the tree.
    """
    if persona is not None and persona.archived:
        return None
    if isinstance(source, PlainSource):
        return None if source.archived else _in_file(source, node, entry)
    if isinstance(source, PersonaSource) and source.owner and not source.archived:
        return Home(f"of {source.owner}", (("persona", source.owner), ("layout", source.layout)))
    return Home(f"of {persona.name}", (("persona", persona.name),)) if persona is not None else None


def _in_file(source: PlainSource, node: Hashable, entry: Entry | None) -> Home:
    file = ("file", source.name)
    if entry is not None:
        where = f"in {source.name} › {entry.context}" if entry.context else f"in {source.name}"
        return Home(where, (file, ("beside", str(entry.ref))))
    match node:
        case ("section", _, str(title)):
            return Home(f"in {source.name} › {title}", (file, ("section", title)))
        case _:
            return Home(f"at the end of {source.name}", (file,))


def asked_kind(kind: str, home: Home | None) -> str:
    """Return what is asked for, in words."""
    words = kind_text(kind)
    return f"{words} {home.called}" if kind == LESSON and home is not None else words
