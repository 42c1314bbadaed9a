"""The one shape of every system: find sources, read entries, plan effects, offer to a prompt."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias, runtime_checkable

from remem.base.clock import Clock
from remem.base.frozen import dataclass
from remem.core.settings import Compaction
from remem.model.change import Change, Derived, Effect, Intent, Json
from remem.model.entry import Entry, Problem, Ref, Status
from remem.model.layout import Layout
from remem.model.loader import PlainLayout
from remem.model.prompt import Ask, Frame, Offer
from remem.model.record import Record
from remem.model.source import Source
from remem.model.workspace import Inside, Workspace
from remem.store.cache import Cache, NoCache
from remem.store.io import Disk

if TYPE_CHECKING:
    from remem.core.arrivals import Arrival
    from remem.core.checks.issue import Issue
    from remem.core.library import Library
    from remem.core.verbs.verb import Writing
    from remem.core.verbs.verbs import Promote
    from remem.core.waiting.item import Evidence, Item
    from remem.core.waiting.kinds import Waiting
    from remem.model.citation import Citation, Verdict
    from remem.model.confidence_history import Trajectory
    from remem.model.done_by_others import RecreatedFolder
    from remem.store.databases.row_sets import RowServer
    from remem.store.history.journal_records import Logged

Prove: TypeAlias = "Callable[[str, Sequence[Citation]], tuple[Verdict, ...]]"
"""Checks citations of a repository against the code; never asks the network."""


SHARED: Final = "default"
"""The tenant whose facts everyone sees."""


def unproved(repository: str, citations: Sequence[Citation]) -> tuple[Verdict, ...]:
    """Say of citations that nobody looked whether they hold."""
    from remem.model.citation import Checked, CitationStatus, Verdict

    unchecked = CitationStatus.UNCHECKED
    return tuple(Verdict(each, unchecked, Checked.NOTHING, exists=False) for each in citations)


@dataclass(frozen=True, slots=True)
class Given:
    """What a library works with and does not make itself: tests and doors give their own."""

    clock: Clock = field(default_factory=Clock)
    prove: Prove = unproved
    """How verified memory is checked; only what was checked reaches a prompt."""
    server: RowServer | None = None
    """What keeps rows in place of the root's own file; `None` = that file does."""
    repository: Callable[[Path], Ground] | None = None
    """Gives the ground of a repository, with its own settings; `None` = this one's."""
    cache: Cache = field(default_factory=NoCache)
    """What was worked out before, by whichever process."""


@dataclass(frozen=True, slots=True)
class Served:
    """What a system is told that may keep rows on a server."""

    disk: Disk
    clock: Clock
    root: Path
    url: str
    """Address of the database; its password is never shown."""
    tenant: str


def moved_name(name: str, moved: Mapping[str, str | None]) -> str | None:
    """Return what is below the home where tools moved it; `None` = it lies outside."""
    for usual, now in moved.items():
        if name == usual or name.startswith(f"{usual}/"):
            return None if now is None else f"{now}{name.removeprefix(usual)}"
    return name


@dataclass(frozen=True, slots=True)
class Ground:
    """Where one library looks, as the settings have it. Who decides is the library's concern."""

    root: Path
    home: Path
    disk: Disk
    project: str
    """Base name of the root: the folder name of a persona's memory of this project."""
    given: Given = field(default_factory=Given)
    layouts: tuple[Layout, ...] = ()
    """The built-in ones, then the user's and the root's own."""
    plain: tuple[PlainLayout, ...] = ()
    """Those of files that belong to no named agent, in the same order."""
    roles: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Persona → roles, from the configuration."""
    compaction: Compaction = field(default_factory=Compaction)
    """When a persona's memory is offered to be compacted."""
    tenant: str = SHARED
    """Whose verified memory is read, besides everyone's."""
    night_watch_home: Path | None = None
    """What `$NIGHT_WATCH_HOME` says; moves only that tool's database (FORMATS 3.1)."""
    moved: Mapping[str, str | None] = field(default_factory=dict)
    """Folder of the home folder in which a tool usually keeps its files → the one below the home
    where they lie; `None` = outside of it, where remem does not read."""
    held: Path | None = None
    """Where writes lie that a hook held back; `None` = none is."""
    settings: Path | None = None
    """The user's own `config.yaml`; `None` = none is meant to be written."""
    unread: tuple[Problem, ...] = ()
    """Why a file of remem's own settings is not read at all."""
    inside: Inside | None = None
    """Of which workspace this is one repository, where it was opened with the others."""

    @property
    def settings_files(self) -> tuple[Path, ...]:
        """Remem's own settings: what a team shares at the root, then the user's own, if any."""
        shared = self.root / ".remem" / "config.yaml"
        return (shared,) if self.settings is None else (shared, self.settings)

    def place(self, name: str) -> Path:
        """Return where something lies that is named below the root or, with `~/`, the home."""
        return self.home / name[2:] if name.startswith("~/") else self.root / name

    def usual(self, name: str) -> Path:
        """Return where something lies now that a tool usually keeps in the home folder."""
        return self.home / (moved_name(name, self.moved) or name)

    def shown(self, path: Path) -> str:
        """Return how `place` takes a path: below the root, else below the home."""
        if path.is_relative_to(self.root):
            return path.relative_to(self.root).as_posix()
        if path.is_relative_to(self.home):
            return f"~/{path.relative_to(self.home).as_posix()}"
        return str(path)


@dataclass(frozen=True, slots=True)
class Addition:
    """What adding an entry would write."""

    ref: Ref
    path: Path
    effects: tuple[Effect, ...]


@runtime_checkable
class AddsMany(Protocol):
    """A system that plans several new entries at once, without looking anew for each of them."""

    def add_all(
        self,
        ground: Ground,
        sources: Sequence[Source],
        kind: str,
        several: Sequence[Mapping[str, Json]],
    ) -> tuple[Addition, ...]:
        """Plan to add entries of one kind, in their order; as `Keeper.add` does for one.

        The effects are those of the first of them.
        """
        ...

    def add(
        self, ground: Ground, sources: Sequence[Source], kind: str, fields: Mapping[str, Json]
    ) -> Addition:
        """Plan to add one entry; it is several of which there is one."""
        (addition,) = self.add_all(ground, sources, kind, [fields])
        return addition


class Workspaces(Protocol):
    """What finds workspaces: by files of a system's own, without reading any memory."""

    def at(self, ground: Ground) -> tuple[Workspace, ...]:
        """Return the workspaces that a root is, or belongs to, as its files say now."""
        ...

    def is_one(self, ground: Ground) -> bool:
        """Tell whether the root itself is a workspace, and all of its repositories are open."""
        ...

    def sets_bounds(self, path: Path) -> bool:
        """Tell whether a file may say which workspace or which repositories there are."""
        ...


class Arriving(Protocol):
    """Tells of files that come while somebody looks on, as an agent writes one when it is done."""

    def sources(self, library: Library) -> Sequence[Source]:
        """Return these files, those that cannot be read too; nothing is loaded or read for it."""
        ...

    def arrival(self, source: Source, items: Sequence[Item]) -> Arrival:
        """Return what is told of one of them, beside what waits."""
        ...


Joined: TypeAlias = Callable[[Offer, "Offer | None", Sequence[Source]], Offer]
"""Returns one offer of a system's own and that of the system that it joins, if that has one; both
are made of these sources."""
Moves: TypeAlias = Callable[[str], Sequence[tuple[Path, Path]]]
"""Gives the folders that a change of the history moved: from where, to where."""
AppendUnits: TypeAlias = Callable[[bytes, Iterable[bytes], Callable[[str], bool]], bytes]
"""Returns a file with units of some pieces of text at its end: those whose text is wanted."""
Note: TypeAlias = "Callable[[System, Source, Entry, Mapping[str, Json], str], tuple[Effect, ...]]"
"""Plans to note that an entry was met once more: where, and in which words."""


@dataclass(frozen=True, slots=True)
class Obeyed:
    """How doors speak of a kind of rule that code is held against."""

    heading: str
    """Above the rules of the kind in a report."""
    many: str
    hits: str
    """What is counted beside them."""
    asks: str
    """What a model is told of each: `follow`, `avoid`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Facets:
    """What core asks of a system before it is loaded; a function imports what is dear when called.

    Each may be absent: then the system has nothing of that sort.
    """

    places: tuple[str, ...] = ()
    """Folders and files that its memory lies in, below the root or, with `~/`, the home folder.
    They are watched, beside what layouts name."""
    finds: tuple[str, ...] = ()
    """Kinds of entries that it finds and nobody adds: they are there only where something is."""
    moved_by: Mapping[str, str] = field(default_factory=dict)
    """Variables of the environment by which a tool keeps elsewhere what usually lies in a folder of
    the home folder: that one's name."""
    called: str = ""
    """What lists call all that it keeps; empty = its name."""
    settles: tuple[str, ...] = ()
    """The kinds of entries of which its reasons to wait tell what became of them; lists ask it of
    every entry."""
    is_shared: bool = False
    """What it keeps is shared by all repositories of a workspace."""
    pairs: tuple[str, ...] = ()
    """The kinds of which two entries that say the same are a pair that a person may merge."""
    warns: tuple[str, ...] = ()
    """The kinds that name what is wrong, so that the same words ask for the opposite."""
    text_fields: Mapping[str, str] = field(default_factory=dict)
    """The field that has an entry's text, by kind; of any other kind it is `text`."""
    met_in: Callable[[Mapping[str, Json]], frozenset[str]] | None = None
    """Where an entry was met, by its fields; `None` = a candidate of it cannot be kept as one."""
    note: Note | None = None
    """`None` = its entries do not say where they were met."""
    confirm: Note | None = None
    """As `note`, and puts the entry into force."""
    names_by_text: bool = False
    """Refs of its entries are made of their texts, so that a change may rename others."""
    files_apart: tuple[str, ...] = ()
    """The kinds of which each entry is a file of its own: where none is, one can still come."""
    unfollowed: tuple[str, ...] = ()
    """The kinds of which a decision that is reverted is not told: they say what they said, and wait
    again by themselves."""
    promoted_as_copy: tuple[str, ...] = ()
    """The kinds that stay as they are when they are promoted: another entry comes of them."""
    derives: bool = False
    """It renders files of others that change; its `derived` is asked for no other system."""
    fixed: Mapping[str, str] = field(default_factory=dict)
    """Why nobody writes to an entry, archives or removes it, by the kinds of which that is so."""
    edited: tuple[str, ...] = ()
    """Those of these kinds whose text can be edited all the same."""
    restored_from_page: tuple[str, ...] = ()
    """The kinds whose archive is a page that is only shown; an entry in it says where it stood."""
    merges: tuple[str, ...] = ()
    """The kinds of which one entry can be put into another."""
    merge: Callable[[Library, Intent, Entry], Change] | None = None
    """Plans to put what an intent shows into an entry of such a kind."""
    supersede: Callable[[Library, Entry, Entry], tuple[Effect, ...] | None] | None = None
    """Plans what an old entry writes of the new one of the system that takes its place; it, or what
    it returns, is `None` where the old one is archived and names nobody."""
    promote: Callable[[Library, Intent, Promote], Change] | None = None
    """Plans to promote entries that stay as they are."""
    rises: Callable[[Library, Entry], bool] | None = None
    """Tells whether this system is the level above an entry of another one."""
    lifted: Callable[[Library, Intent], Intent] | None = None
    """Returns what promoting means where it leads to this system; else the intent as it is."""
    confidence: Mapping[str, Callable[[Library, Entry], Trajectory | None]] = field(
        default_factory=dict
    )
    """Reads how sure an entry is and how that came about, by the kinds of which that is kept."""
    whose: Callable[[str, Mapping[str, Json]], str] | None = None
    """What stands for the one whom such an entry belongs to; empty = nobody."""
    origin: Callable[[str, str, str], Mapping[str, Json]] | None = None
    """Returns the fields of an entry of a kind that say who proposed it, and on which day."""
    owned: frozenset[str] = frozenset()
    """The kinds of which every entry belongs to somebody."""
    is_away: Callable[[Library, Mapping[str, Json]], bool] | None = None
    """Tells whether the one that such fields name rests, so that nobody is asked about them."""
    claims_new: Callable[[str, Mapping[str, Json]], bool] | None = None
    """Tells whether a new entry goes here though another system keeps its kind."""
    to_add: Callable[[Source, Entry], Mapping[str, Json]] | None = None
    """What `add` takes to make such an entry again; `None` = the fields that it has."""
    goes_with: Callable[[Source, Entry], tuple[Ref, ...]] | None = None
    """The entries of a file that leave it where one leaves, itself too; `None` = it alone."""
    said_again: Callable[[Library], Iterator[str]] | None = None
    """Sentences on what its memory says more than once and no pair of `duplicates` tells of."""
    append_units: AppendUnits | None = None
    """Puts lost pieces of text at the end of a file; `None` = its files hold records."""
    recreated: Callable[[Library, Sequence[Logged], Moves], tuple[RecreatedFolder, ...]] | None = (
        None
    )
    """What remem moved away and another writer made again."""
    server: Callable[[Served], RowServer | None] | None = None
    """Makes what asks the server that keeps its rows, where one is configured."""
    layouts: Callable[[], tuple[Layout, ...]] = tuple
    """Loads its built-in layouts of named agents."""
    plain_layouts: Callable[[], tuple[PlainLayout, ...]] = tuple
    """Loads its built-in layouts of plain files."""
    watched_folders: Callable[[Ground], Iterable[Path]] | None = None
    """Tells the folders that its files come into, besides `places` and what layouts name."""
    watched_files: Callable[[Ground, Sequence[Source]], Iterable[Path]] | None = None
    """Tells the files that are watched by themselves, whether they are there or not."""
    minds_new: Callable[[Ground], Callable[[Path], bool]] | None = None
    """Makes what tells whether a new file, by its path, may change what it finds at one repository,
    besides what it asks the disk about that path; `None` = any may that it comes to."""
    arriving: Callable[[], Arriving] | None = None
    """Makes what tells of files that come; `None` = nobody is told of any."""
    passed_over: Callable[[Ground], Mapping[str, str]] | None = None
    """Tells the folders that it does not look into, by their path below the root, and why."""
    workspaces: Workspaces | None = None
    """Finds the repositories that share memory with this one."""
    learns_with: str = ""
    """The command by which it learns from work that is done; empty = from a sprint's retro."""
    joins: str = ""
    """The system into whose layer of a prompt its own goes."""
    joined: Joined | None = None
    """Puts it there."""
    evidence: Callable[[Library], Mapping[Ref, Evidence]] | None = None
    """Finds what waits beside entries of other systems and speaks for them."""
    problems: Callable[[Library], Iterable[Issue]] | None = None
    """Finds what is worth a look though no file is broken."""
    links: Callable[[Library, Entry], Iterable[tuple[str, str]]] | None = None
    """Finds what the fields of an entry point to, as it stands here, each with its word in front;
    `None` = they point to nothing."""
    says_below: Callable[[Source, Entry], str] | None = None
    """Returns what an entry says below its title, without what only describes it: two of one title
    that differ in it are no duplicates. `None` = all that an entry says is compared."""
    beside: Callable[[Library], str] | None = None
    """Says in a few words what Start shows beside the agents, of memory that belongs to none of
    them; empty = nothing. Asked where something of the system is found."""
    verbs: tuple[Writing[Any], ...] = ()
    """What a plug-in lets a person do; the verbs of remem's own systems stand in their list."""
    options_of_add: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By the kinds that `add` makes here: the field that each of its options fills."""
    roles_field: Mapping[str, str] = field(default_factory=dict)
    """By kind: the field that says for which roles an entry is, if no option of `add` fills it."""
    files_field: Mapping[str, str] = field(default_factory=dict)
    """By kind: the field that says for which files an entry is, as globs."""
    obeyed: Mapping[str, Obeyed] = field(default_factory=dict)
    """How a report and a question to a model speak of the kinds that code is held against."""
    lesson_becomes: Mapping[str, str] = field(default_factory=dict)
    """The kinds that a lesson can become, and what that means, in words."""
    adds: tuple[str, ...] = ()
    """The kinds of a plug-in that doors offer to add beside those that they know."""
    faults: Callable[[Library], Iterable[tuple[Entry, Problem]]] | None = None
    """Tells what is missing or doubtful in its entries, in file order; `None` = nobody looks."""
    unread: Callable[[Sequence[Source]], Iterable[Problem]] | None = None
    """Why its own settings are not read; `None` = it has none."""


NO_FACETS: Final = Facets()


class Reader(Protocol):
    """Finds a system's files and says what stands in them; it writes nothing.

    Every method is pure but for `discover`, which lists folders through `ground.disk`. Bytes come
    in through `Source.data`.
    """

    def discover(self, ground: Ground) -> Iterator[Source]:
        """Yield every source under the root and the home folder, unread, in a steady order."""
        ...

    def read(self, source: Source, data: bytes, before: Source | None = None) -> Source:
        """Return `source` with data, entries and problems; entries may be `Lazy`.

        `before` is the same source in the last snapshot: entries whose bytes did not change are
        taken over from it. Nothing in `data` raises: what is wrong becomes a `Problem`.
        """
        ...

    def waiting(self, source: Source) -> Iterator[Entry]:
        """Yield at least every candidate, without parsing entries whose bytes cannot be one."""
        ...

    def record(self, source: Source, entry: Entry) -> Record | None:
        """Return the typed record, unknown keys kept; `None` where the format has none."""
        return None

    def fields(self, source: Source, entry: Entry) -> Mapping[str, Json]:
        """Return what the entry holds, in file order, as plain values."""
        ...

    def body(self, source: Source, entry: Entry) -> str:
        """Return the entry's raw text as it stands in its file."""
        ...


class Keeper(Protocol):
    """Plans what writing to a system's memory would do; the effects are carried out elsewhere."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of entries that `add` takes."""
        ...

    def edit(self, source: Source, entry: Entry, fields: Mapping[str, Json]) -> tuple[Effect, ...]:
        """Plan to set fields; a field given as `None` is taken out.

        Raises:
            NotPossible: The format has no such field, or the value is not one it takes.
            Refused: The bytes cannot be changed without risk to others.
        """
        ...

    def set_status(self, source: Source, entry: Entry, status: Status) -> tuple[Effect, ...]:
        """Plan to give the entry that status in the format's own word; nothing if it has it.

        Raises:
            NotPossible: The format has no word for it.
        """
        ...

    def remove(self, source: Source, entry: Entry) -> tuple[Effect, ...]:
        """Plan to take the entry out of its file."""
        ...

    def add(
        self, ground: Ground, sources: Sequence[Source], kind: str, fields: Mapping[str, Json]
    ) -> Addition:
        """Plan to add an entry of `kind`, with the format's defaults, at the end of its store."""
        ...

    def derived(self, ground: Ground, touched: Collection[Path]) -> tuple[Derived, ...]:
        """Return the files to render again after `touched` changed; most systems have none."""
        return ()

    def render(self, ground: Ground, sources: Sequence[Source], path: Path) -> bytes | None:
        """Return the bytes of a derived file; `None` = leave it alone."""
        return None


class Composer(Protocol):
    """Says what of a system's memory reaches a prompt, before any budget has spoken."""

    def frame(self, ground: Ground, sources: Sequence[Source], ask: Ask) -> Frame | None:
        """Return the text around memory for that role or persona, if this format has one."""
        return None

    def offers(self, ground: Ground, sources: Sequence[Source], ask: Ask) -> tuple[Offer, ...]:
        """Return the memory layers for that role or persona, before any budget."""
        return ()

    def role_names(self, ground: Ground, sources: Sequence[Source]) -> tuple[str, ...]:
        """Return the roles that this format's files name."""
        return ()


class Parts(Reader, Keeper, Composer, Protocol):
    """All that one system's code answers: its reader, its keeper, its composer, and what waits.

    What a class that stands on it may leave out, the system has not: records, reasons why something
    waits, derived files, a part in prompts.
    """

    name: str

    def waits(self, library: Library) -> Sequence[Waiting]:
        """Return its own reasons why something waits; a candidate of a store needs none."""
        return ()


class System(Protocol):
    """A system as core knows it: what is told of it without loading it, and its parts.

    The reader, the keeper and the composer are loaded when one is first asked for.
    """

    name: str
    facets: Facets

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of entries that its keeper takes."""
        ...

    def discover(self, ground: Ground) -> Iterator[Source]:
        """Yield what its reader would find; where that is nothing, without loading it."""
        ...

    def waits(self, library: Library) -> Sequence[Waiting]:
        """Return its own reasons why something waits in a library."""
        ...

    @property
    def reader(self) -> Reader:
        """What reads its files."""
        ...

    @property
    def keeper(self) -> Keeper:
        """What plans writing to them."""
        ...

    @property
    def composer(self) -> Composer:
        """What offers them to prompts."""
        ...
