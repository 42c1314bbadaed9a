"""Plain files as data: where they lie, how they are read, and which tool loads them when.

A row says where its knowledge comes from and what could not be confirmed. What fits a row is found
in `systems/plain/`; what a tool makes of it is reckoned in `systems/loading/as_loaded.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, Literal

from remem.base.frozen import dataclass
from remem.model.entry import Problem
from remem.model.layout import AS_WRITTEN, Base, LoaderRule, Pattern, Reader
from remem.model.record import Limit
from remem.model.source import LoaderKind

HOOK_PRINTS: Final = "what the hook "
"""How it begins what a tool's hook adds to a start, in words."""
MOVED_OUT: Final = "moved-out"
"""Code of the problem that a tool keeps memory where remem does not read."""
STOPS: Final = "stops-tool"
"""Code of the problem that a tool does not start because of a file."""
FOR_A_PERSON: Final = "only a person starts it"
"""Why an agent is not listed that may stand in the place of another one."""
Linked = Literal["", "file", "folder"]
"""What of a file that a tool finds is a link: it, or the folder that it lies in."""
_NOT_KNOWN: Final = LoaderRule(kind=LoaderKind.NOT_KNOWN)


class Front(StrEnum):
    """Whose keys the front matter of a rule file has."""

    NONE = ""
    """There is none, or it decides nothing."""
    PATHS = "paths"
    """`paths`: globs; without it the rule is always loaded."""
    CURSOR = "cursor"
    """`alwaysApply`, `globs`, `description`; without any of them the rule is loaded by its name."""
    APPLY_TO = "applyTo"
    """`applyTo`: globs, parted by commas; without it, and with all files, the file is loaded."""
    TRIGGER = "trigger"
    """`trigger` with `globs` or `description`."""
    INCLUSION = "inclusion"
    """`inclusion`: always, which is also said by nothing, by `fileMatchPattern`, or on request."""
    CONTINUE = "continue"
    """`globs` and `regex` wait for files, `alwaysApply` says yes or no; else it is loaded."""
    OPEN_SKILL = "open skill"
    """`name` and `description` are listed, and both are needed."""
    SKILL = "skill"
    """`description` and `when_to_use` are listed; `paths` and `disable-model-invocation` say when
    not."""


class Where(StrEnum):
    """In which folders a layout's patterns are looked for."""

    HERE = "here"
    """In its base alone."""
    BELOW = "below"
    """In every folder of the root."""
    AROUND = "around"
    """In every folder of the root, and in those above it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainLayout:
    """Files that belong to no named agent: instructions, rules, notes."""

    __pydantic_config__: ClassVar[Mapping[str, Any]] = AS_WRITTEN

    name: Annotated[str, Limit("pattern", r"^[a-z0-9][a-z0-9-]*$")]
    files: Annotated[tuple[Pattern, ...], Limit("min_length", 1)]
    """Below the base, or below each folder that `where` says."""
    tool: str = ""
    """What people call the tool that loads them; empty = not known."""
    scope: Annotated[str, Limit("pattern", r"^(project|local|user|managed|)$")] = ""
    base: Base = Base.ROOT
    where: Where = Where.HERE
    reader: Reader = Reader.OUTLINE
    loader: LoaderRule = _NOT_KNOWN
    front: Front = Front.NONE
    imports: Annotated[int, Limit("ge", 0)] = 0
    """How many `@` imports deep its tool follows; 0 = it follows none."""
    mark: Annotated[int, Limit("ge", 0)] = 0
    """Characters that the tool allows in one file; more is a problem; 0 = no such limit."""
    archive: str = ""
    """Name of the file that takes archived units: `{name}` is the file's own without its ending.

    It is put beside the file, or, where a pattern takes whole folders, beside the topmost of them,
    so that the tool does not load it.
    """
    claim: str = ""
    """Where the knowledge about it comes from."""


class Below(StrEnum):
    """What a tool does with a file that lies below the folder it was started in."""

    NEVER = "never"
    ON_WORK = "on work"
    """Loaded when the agent works on a file in that folder."""
    AT_START = "at start"


class Above(StrEnum):
    """How far up from the folder it was started in a tool looks."""

    NONE = "none"
    CHECKOUT = "checkout"
    """To the top of the checkout; nowhere without one."""
    TOP = "top"
    """In the top of the checkout alone; the folders between are passed over."""
    ONLY_TOP = "only top"
    """In the top of the checkout alone, in the working folder alone without one."""
    ONLY_CHECKOUT = "only checkout"
    """In the top of the checkout alone; nowhere without one."""
    PROJECT = "project"
    """To the top of the checkout, or to the root where there is none."""
    ALL = "all"


class Listing(StrEnum):
    """In which order a tool lists skills, and what of those that are called alike."""

    FOLDERS = "folders"
    """Row by row, the nearest folder first; of those that are called alike the first."""
    ALL = "all"
    """All that have name and description, also those that are called alike."""
    LAST = "last"
    """Row by row, each folder's last name first; of those that are called alike the last, where the
    first of them stood."""
    SCOPES = "scopes"
    """By name, a project's before a person's, and all that are called alike."""
    NAMES = "names"
    """All by their names, as `collated` sorts them, wherever they lie; only what has name and
    description."""
    PLACES = "places"
    """By name, the working folder's first, then those above it, then a person's row by row, then
    commands; of those that are called alike the first."""


class AgentList(StrEnum):
    """In which order a tool lists the agents of its rows, and which of those called alike."""

    NONE = ""
    """It has no such rows, or lists none."""
    NAMES = "names"
    """By name; the person's before the project's, these before those of another tool."""
    FILES = "files"
    """File by file, the project's first, and of those that are called alike the first; none
    without a name that it takes, a description and a task."""
    SLUGS = "slugs"
    """File by file, and of those that are called alike the first; none whose front matter has
    another key or kind of name than its form allows."""
    MODES = "modes"
    """By name as `collated` sorts; of those that are called alike the one that is read last: the
    person's in the home folder, then the highest folder's. None that only a person starts."""
    ROLES = "roles"
    """By name; of those that are called alike the nearest folder's, and the project's before the
    person's. None without name, description and instructions."""


class Names(StrEnum):
    """Which names of a skill a tool takes that stand in its front matter."""

    ANY = "any"
    WORDS = "words"
    """Those of letters, digits, `_`, `.`, `:` and `-`."""
    TEXTS = "texts"
    """Those that are no number, date or switch to a reader of YAML."""


class Keeps(StrEnum):
    """What a tool hands on of a file's front matter and of its comments."""

    TEXT = "text"
    """All of it, but for front matter that says when a rule is loaded."""
    FRONT = "front matter"
    """That front matter too."""
    NO_FRONT = "no front matter"
    """Comments, and no front matter whatever it says."""
    BODY = "body"
    """The same, but all of a file that is front matter and nothing else."""
    BARE = "neither"
    """No front matter, and no HTML comment that stands by itself."""
    TIDIED = "tidied"
    """Both, but of several blank lines one, and no entry that is for another project."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """What shows that a rule is so: a sentence of the tool's own page, or what the tool did."""

    says: str
    """The sentence as it stands there; of a run, what was seen."""
    page: str = ""
    """Its address; empty = the tool was run."""
    read: str
    """The day on which it was read or seen, `2026-11-23`."""
    version: str = ""
    """Of the tool, where page or run names one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A rule that holds for all files of a tool."""

    rule: str
    proof: Proof


@dataclass(frozen=True, slots=True, kw_only=True)
class Loads:
    """That a tool loads the files of a layout, and when."""

    layout: str
    is_own: bool = True
    """Such a file alone tells that the tool is used here; a shared one does not."""
    stage: int = 1
    """Stages are loaded one after the other; within one, folder by folder from above."""
    above: Above = Above.NONE
    below: Below = Below.NEVER
    below_alone: bool = False
    """It is the row of folders below; what the tool starts with has another one."""
    unless: tuple[str, ...] = ()
    """Layouts of which a file on the way keeps this one out."""
    unless_beside: tuple[str, ...] = ()
    """Layouts of which a file in the same folder keeps this one out."""
    unless_there: tuple[str, ...] = ()
    """Layouts of which any file keeps this one out, wherever it lies."""
    nearest: bool = False
    """Of its files on the way up only the first is taken: the nearest folder's, by its patterns."""
    even_empty: bool = False
    """A file beside it that is empty keeps it out as well."""
    never: str = ""
    """Why the tool loads none of them, though they lie among its files."""
    loader: LoaderKind | None = None
    """How this tool loads it where another one loads it otherwise."""
    lists: bool = False
    """The tool lists name and description of each at its start; the agent asks for the rest."""
    lists_agents: bool = False
    """They are agents, of which the tool lists name and description at its start."""
    are_commands: bool = False
    """They are listed behind all skills, and called after their places."""
    most_parts: int = 0
    """How many parts a path below its folder may have: those deeper are left alone; 0 = any."""
    called: str = ""
    """What a tool calls the file that goes by names; empty = its name without ending."""
    names_below: str = ""
    """Of whose names only are loaded: the folder that they begin from; empty = the pattern's."""
    every: tuple[str, ...] = ()
    """Globs that this tool takes for all files: a rule with one of them is loaded at the start."""
    keeps: Keeps = Keeps.TEXT
    imports: bool = True
    """What these files import is followed, where the tool follows imports."""
    most_characters: int = 0
    """Characters that one of them may have: of a longer one come beginning and end; 0 = any."""
    noted: int = 0
    """Characters that a note before them takes of what all files may have."""
    no_links: bool = False
    """A link is not followed, wherever it leads."""
    no_linked_files_from: int = -1
    """How deep, from 0, files that are links begin to be passed over; -1 = none are."""
    no_linked_folders_from: int = -1
    """The same of folders that are links, with what is in them."""
    no_dots_from: int = -1
    """How deep, from 0, folders with a dot in front begin to be passed over; -1 = none are."""
    files_first: bool = False
    """The files of a folder come before those of the folders in it."""
    by_disk: bool = False
    """The tool takes the files of a folder as the disk lists them; remem shows them by name."""
    proofs: tuple[Proof, ...] = ()
    """Without any it is shown as not confirmed."""
    unknown: str = ""
    """What could not be confirmed, as one sentence without a full stop."""
    late: tuple[Proof, ...] = ()
    """What shows when its files join while the agent works; without any it is not confirmed."""
    late_order: int = 0
    """Its place among what joins from one folder, where that is another one than at the start."""
    is_prompt: bool = False
    """Its text stands for the tool's own system prompt."""
    denied: tuple[Denied, ...] = ()
    """What of these files, and of those that they import, settings do not let it read."""


@dataclass(frozen=True, slots=True)
class Denied:
    """What settings do not let a tool read, and so does not reach its agent."""

    folder: Path
    """The patterns are for what lies below it."""
    patterns: tuple[str, ...]
    """As `.gitignore` has them."""
    settings: str
    """The file that says so."""


@dataclass(frozen=True, slots=True)
class SettingsText:
    """A text of its settings that a tool puts before all files."""

    key: str
    text: str
    settings: str
    """What the settings file is called."""
    path: Path
    is_prompt: bool = False
    """It stands for the tool's own system prompt."""


@dataclass(frozen=True, slots=True)
class Hidden:
    """A skill or a command that settings keep out of a tool's list."""

    name: str
    """Empty = it is told by its path."""
    why: str
    path: Path | None = None
    folds: bool = False
    """The tool minds no case; the name here has small letters."""
    is_command: bool = False
    has_name: bool = False
    """Its name stays in the list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A tool that loads plain files by itself."""

    id: str
    title: str
    """What people call it; also the name of its agent."""
    also: tuple[str, ...] = ()
    """Other names that it is asked for by."""
    loads: tuple[Loads, ...]
    """In the order of one folder."""
    imports: int = 0
    """How many `@` imports deep it follows; 0 = it follows none."""
    inlines: bool = False
    """An import stands where its `@` is; otherwise it comes after the file."""
    quotes: bool = False
    """What is imported stands behind its `@path`, which stays, and again in each file that no other
    one imports."""
    skips_indented: bool = False
    """What stands indented as code imports nothing."""
    from_below: bool = False
    """The nearest folder's files come first."""
    ends_first: bool = False
    """The top's files and the working folder's come before those between, which come from below."""
    file_bytes: int = 0
    """A larger file is not loaded at all; 0 = no such limit."""
    by_name: bool = False
    """It takes its files by their names without ending, whatever folder they come from."""
    listing: Listing = Listing.FOLDERS
    names: Names = Names.ANY
    """A skill with another one has the name of its folder, or is not listed without one."""
    follows_no: Linked = ""
    """A skill of which this is a link is not listed."""
    leaves_hidden: bool = False
    """It lists no skill that says that only a person may call it."""
    lists_any_alike: bool = False
    """Of skills that are called alike it lists the one that it came to the end of last."""
    listing_room: int = 0
    """Characters that the list of skills may have; what comes behind is named alone; 0 = any."""
    listing_percent: int = 0
    """Per cent of its model's window that the list may have, where remem cannot know that window;
    what its user needs least is named alone beyond it; 0 = no such rule."""
    listing_taken: int = 0
    """Characters of it that its own skills take, which stand before commands."""
    tables_rules: bool = False
    """At its start stands a table of its rules for some files: globs, path and description."""
    lists_agents: bool = False
    """Its agents are listed with their descriptions too, though not to one of them."""
    unlisted: tuple[str, ...] = ()
    """Names of agents that its settings do not let it call."""
    memory_off: str = ""
    """Why its named agents get no memory; empty = they do."""
    hidden: tuple[Hidden, ...] = ()
    """Skills and commands that its settings keep out of its list."""
    begins: tuple[str, str] = ("", "")
    """The agent with which its settings let a session begin, and the settings file."""
    agents: AgentList = AgentList.NONE
    """How it lists the agents that its rows find."""
    takes_agents_of: tuple[str, ...] = ()
    """Titles of tools whose definitions of agents it lists as its own."""
    listed: int = 0
    """Characters of a description that are listed at most; 0 = all."""
    asks_outside: bool = False
    """An import of a project's file from outside the working folder waits for a person's word."""
    stays: bool = False
    """No import leads out of the checkout that the first importing file lies in, or, where there is
    none, of that file's folder."""
    excludes: tuple[tuple[str, str], ...] = ()
    """Globs of whole paths that its settings keep out, each with the settings file."""
    most_bytes: int = 0
    """What the files of the project may have together; 0 = no such limit."""
    most_characters: int = 0
    """The same in characters, for a tool that counts them as it hands them on."""
    has_public_tokens: bool = False
    """Everyone can run the tokenizer of its models: what remem counts is what they count."""
    included: frozenset[Path] = frozenset()
    """Folders whose files count as those of the folders above the one that it is started in."""
    marks: tuple[str, ...] = (".git",)
    """Names in a folder that is the top of its project, as its settings have them."""
    said: tuple[SettingsText, ...] = ()
    """In the order in which they stand, behind a file that stands for its system prompt."""
    stopped: Problem | None = None
    """What keeps it from starting, and so from loading anything."""
    aside: tuple[Problem, ...] = ()
    """Settings that it cannot take, and so passes over."""
    facts: tuple[Fact, ...] = ()
    """Rules for all of its files, with what proves them."""
    unseen: tuple[str, ...] = ()
    """What its agent also gets, beyond what every tool adds."""


def without(tool: Tool, layouts: frozenset[str], why: str) -> Tool:
    """Return a tool that loads none of these layouts, with the reason."""
    loads = (replace(x, never=why) if x.layout in layouts else x for x in tool.loads)
    return replace(tool, loads=tuple(loads))
