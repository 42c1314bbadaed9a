"""Finds plain files: where their layouts say, in the root, above it, and in the home folder.

Each file is one source, however many layouts come to it; what they import is a source too.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cache, lru_cache
from itertools import chain
from pathlib import Path
from typing import Final

from remem.base.errors import UnsafeName
from remem.base.frozen import dataclass
from remem.base.lazy_pattern import lazy_pattern
from remem.core.system import Ground
from remem.model.entry import Problem
from remem.model.layout import (
    PERSONA,
    PROJECT,
    Base,
    Layout,
    LoaderRule,
    Part,
    Reader,
    fixed_folder,
)
from remem.model.loader import Keeps, Linked, PlainLayout, Where
from remem.model.source import LoaderKind, Source, SourceKind
from remem.store.io import Disk, Unreadable, real_path
from remem.store.paths import contained
from remem.systems.plain.import_syntax import Reading, imports_in
from remem.systems.plain.instruction_folders import (
    MOST_FOLDERS,
    Folders,
    Walker,
    folders_below,
    is_taken_for_file,
    part_pattern,
)
from remem.systems.plain.opencode_commands import command_files, command_folders
from remem.systems.plain.plain_layouts import ROOT_NAME, WORK_TREES
from remem.systems.plain.source import FORMAT, IMPORTED, PlainSource, Reached, file_of, rules_of
from remem.systems.plain.tools.tools_of_project import (
    SETTINGS_FOLDERS,
    SIGNS_OF_OPENCLAW,
    keeps_memory,
    set_layouts,
    set_tools,
    settings_files,
    used_tools,
)
from remem.systems.plain.tools.usual_folders import usual_names

LED_OUT: Final = "leads-out"
"""Code of the problem of a link; its field names the layout that comes to it."""
_HOME_PLACE: Final = "user"
"""Place in the refs of what lies in the home folder; the root's have none."""
_MARKDOWN: Final = frozenset({".md", ".mdc", ".markdown", ".txt", ""})
_NOT_A_LETTER: Final = lazy_pattern(r"[^A-Za-z0-9]")
_WORKTREE: Final = lazy_pattern(rb"gitdir: (?P<main>/.+)/\.git/worktrees/[^/\r\n]+\s*")
"""What git leaves in a work tree that stands beside the main one."""
_IMPORT: Final = PlainLayout(
    name=IMPORTED,
    files=("*",),
    loader=LoaderRule(kind=LoaderKind.IMPORTED),
    archive="{name}-archive.md",
    claim="the file that imports it",
)


@dataclass(slots=True)
class _Found:
    """Files by their real place, in the order in which layouts came to them."""

    ways: dict[Path, list[tuple[PlainLayout, Reached]]] = field(default_factory=dict)
    led_out: dict[tuple[Path, str], Problem] = field(default_factory=dict)
    """Link and layout → that it was not followed."""

    def add(self, layout: PlainLayout, real: Path, reached: Reached) -> None:
        ways = self.ways.setdefault(real, [])
        if all(known.layout != layout.name for _, known in ways):
            ways.append((layout, reached))


def discover(ground: Ground) -> Iterator[PlainSource]:
    """Yield every plain file, unread, each place once: the root's own, then the user's."""
    folders = folders_below(ground.disk, ground.root)
    found = _Found()
    layouts = [*layouts_here(ground)]
    above = _above(ground, layouts)
    for layout in layouts:
        for folder in _starts(ground, layout, folders, above):
            _look(ground, found, layout, folder)
    named = {layout.name for layout in layouts[len(ground.plain) :]}
    sources = [
        _resting(ground, _source(ground, real, ways), named) for real, ways in found.ways.items()
    ]
    sources = [*_read_by_somebody(ground, sources)]
    imported = [*_imported(ground, sources)]
    every = (*sources, *imported)
    archives = {each.archive for each in every} - {each.path for each in every}
    archives -= found.ways.keys()
    if sources:
        partial = () if folders.is_whole else (_partial(ground.root),)
        shown = {way.path for source in sources for way in source.reached}
        known = shown | archives | {source.path for source in every}
        unknown = unknown_files(ground, folders, known)
        placed = (*partial, *found.led_out.values(), *unknown)
        rests_on = (*_settings_here(ground, folders), *command_files(ground, ground.root))
        sources[0] = replace(sources[0], placed=placed, problems=placed, rests_on=rests_on)
    yield from sources
    yield from imported
    owners: dict[Path, list[PlainSource]] = {}
    for each in every:
        owners.setdefault(each.archive, []).append(each)
    for path in sorted(archives):
        if ground.disk.kind(path) == "file":
            yield _archived(ground, owners[path], path)


def _read_by_somebody(ground: Ground, sources: list[PlainSource]) -> Iterator[PlainSource]:
    """Yield all but what a tool was moved away from, and no tool that is used here still reads."""
    usual = frozenset(usual_names(ground).values())
    left = [each for each in sources if usual.issuperset(way.layout for way in each.reached)]
    if not left:
        yield from sources
        return
    used = used_tools(ground, set_tools(ground), [each for each in sources if each not in left])
    read = {row.layout for tool in used for row in tool.loads}
    for source in sources:
        if source not in left or any(way.layout in read for way in source.reached):
            yield source


def _resting(ground: Ground, source: PlainSource, named: Collection[str]) -> PlainSource:
    """Return a source that rests on tools' settings where these alone bring a tool to it."""
    if not any(way.layout in named for way in source.reached):
        return source
    return replace(source, rests_on=tuple(settings_files(ground, ground.root)))


def _settings_here(ground: Ground, folders: Folders) -> Iterator[Path]:
    """Yield the settings files of tools: those of the root whether they are there or not."""
    found = dict.fromkeys(settings_files(ground, ground.root))
    for place, names in folders.names.items():
        if place and not names.isdisjoint(SETTINGS_FOLDERS):
            found |= dict.fromkeys(settings_files(ground, ground.root / place))
    yield from found


def is_within(ground: Ground, path: Path) -> bool:
    """Tell whether a file lies in the root or in the home folder, its links followed."""
    for base in (ground.root, ground.home):
        try:
            contained(base, path)
        except UnsafeName:
            continue
        return True
    return False


def _above(ground: Ground, layouts: Iterable[PlainLayout]) -> Mapping[Path, frozenset[str]]:
    """Return the folders above the root, from above, each with the names in it to look for there.

    Many layouts look for the same names, so the disk is asked for each of them once.
    """
    firsts = set().union(*(_firsts(each) for each in layouts if each.where is Where.AROUND))
    return {
        parent: frozenset(first for first in firsts if ground.disk.kind(parent / first))
        for parent in reversed(ground.root.parents)
    }


def _starts(
    ground: Ground, layout: PlainLayout, folders: Folders, above: Mapping[Path, frozenset[str]]
) -> Iterator[Path]:
    """Yield the folders that a layout's patterns are looked for in, from above."""
    if layout.base is Base.HOME:
        yield ground.home
        return
    firsts = _firsts(layout)
    if layout.where is Where.AROUND:
        yield from (parent for parent, names in above.items() if not names.isdisjoint(firsts))
    if layout.where is Where.HERE:
        yield ground.root
        return
    for place, names in folders.names.items():
        if not names.isdisjoint(firsts):
            yield ground.root / place


def _firsts(layout: PlainLayout) -> frozenset[str]:
    """Return what stands in a folder first where a layout's patterns lead to something."""
    return frozenset(pattern.partition("/")[0] for pattern in layout.files)


def layouts_here(ground: Ground) -> Iterator[PlainLayout]:
    """Yield the layouts of a ground for its project, those that tools' settings add last."""
    for layout in (*ground.plain, *set_layouts(ground)):
        yield at_root(layout, ground)


def minds_new(ground: Ground) -> Callable[[Path], bool]:
    """Return what tells whether a new file may change what is found, by its name.

    Every folder is looked into, so every new name is met. Of what is taken for a file without
    asking, one matters that a layout's pattern ends in or that looks like memory; any text may be
    such, and anything in a log, as what teams and logs keep is told by more than its name.
    """
    last = {
        pattern.rpartition("/")[2] for layout in layouts_here(ground) for pattern in layout.files
    }
    patterns = [part_pattern(part) for part in last]

    def minds(path: Path) -> bool:
        name = path.name
        if not is_taken_for_file(name) or name.endswith(_TEXTS) or name in SETTINGS_FOLDERS:
            return True
        is_in_log = path.parent.name == _LOGS
        return is_in_log or any(each.fullmatch(name) for each in patterns)

    return minds


def at_root(layout: PlainLayout, ground: Ground) -> PlainLayout:
    """Return the layout with the project's name in the place that is kept for it."""
    if any(WORK_TREES in pattern for pattern in layout.files):
        names = [_slug(path) for path in _other_folders(ground)]
        files = tuple(p.replace(WORK_TREES, name) for p in layout.files for name in names)
    elif any(ROOT_NAME in pattern for pattern in layout.files):
        files = layout.files
    else:
        return layout
    slug = _slug(_project(ground))
    files = tuple(pattern.replace(ROOT_NAME, slug) for pattern in files)
    return replace(layout, files=files, archive=layout.archive.replace(ROOT_NAME, slug))


def _slug(path: Path) -> str:
    """Return a path as Claude Code writes it in a name."""
    # It counts as JavaScript does: a sign beyond the first 65,536 is two.
    return _NOT_A_LETTER.sub(lambda sign: "-" * (1 + (sign[0] > "\uffff")), str(path))


def _other_folders(ground: Ground) -> list[Path]:
    """Return other folders under which notes of the repository may lie: its work trees, the root.

    Notes that were kept there before Claude Code took all of them together are still there.
    """
    top = _project(ground)
    found = {ground.root: None} if ground.root != top else {}
    trees = top / ".git" / "worktrees"
    for name in sorted(ground.disk.names(trees)):
        try:
            said = ground.disk.read(trees / name / "gitdir")
        except Unreadable:
            continue
        place = Path(os.path.normpath(trees / name / os.fsdecode(said.strip()))).parent
        found[place] = None
    return [each for each in found if each != top]


def _project(ground: Ground) -> Path:
    """Return whose notes Claude Code keeps: all folders and work trees of a repository have one."""
    places = (ground.root, *ground.root.parents)
    top = next((p for p in places if ground.disk.kind(p / ".git") is not None), None)
    if top is None or ground.disk.kind(top / ".git") != "file":
        return top or ground.root
    try:
        said = ground.disk.read(top / ".git")
    except Unreadable:
        return top
    found = _WORKTREE.match(said)
    return Path(os.fsdecode(found["main"])) if found is not None else top


def _look(ground: Ground, found: _Found, layout: PlainLayout, folder: Path) -> None:
    is_above = layout.base is Base.ROOT and not folder.is_relative_to(ground.root)
    inside = None if is_above or layout.base is Base.HOME else ground.root
    walker = Walker(ground.disk, inside)
    for order, pattern in enumerate(layout.files):
        for shown, real in walker.matching(folder, pattern):
            if shown != _archive_of(layout, folder, shown):
                linked = _linked(ground.disk, shown) if shown != real else ""
                reached = Reached(layout.name, folder, shown, order, layout.scope, linked)
                found.add(layout, real, reached)
    for link in walker.led_out:
        found.led_out[link, layout.name] = _led_out(ground.root, link, layout.name)


def _linked(disk: Disk, path: Path) -> Linked:
    if disk.kind(path) == "link":
        return "file"
    return "folder" if disk.kind(path.parent) == "link" else ""


def _archive_of(layout: PlainLayout, folder: Path, path: Path) -> Path:
    """Return where archived units of a file go: where no tool loads it from."""
    if not layout.archive:
        return path.with_name("archive.md")
    return _archive_in(folder, layout.archive.replace("{name}", path.stem))


@lru_cache(maxsize=256)
def _archive_in(folder: Path, archive: str) -> Path:
    return folder / archive


def _source(ground: Ground, real: Path, ways: list[tuple[PlainLayout, Reached]]) -> PlainSource:
    layout, first = ways[0]
    name, place, ref_id, is_ours = _named(ground, real)
    kind = layout.loader.loader()
    return PlainSource(
        name=name,
        format=FORMAT,
        layout=layout.name,
        place=place,
        kind=SourceKind.DOCUMENT if layout.reader is Reader.DOCUMENT else SourceKind.MEMORY,
        path=real,
        loader=kind,
        scope=layout.scope,
        part=Part.TOPIC.value,
        writable=is_ours,
        rules=rules_of(layout),
        file=file_of(layout, Part.TOPIC),
        folder=first.folder,
        ref_id=ref_id,
        disk=ground.disk,
        clock=ground.given.clock,
        plain=layout,
        reached=tuple(reached for _, reached in ways),
        archive=_archive_of(layout, first.folder, first.path),
    )


def _named(ground: Ground, path: Path) -> tuple[str, str, str, bool]:
    """Return what people call a file, the place and id of its refs, and if it may be written."""
    # Taking texts apart costs a third of what paths cost, and there may be thousands of files.
    text, root, home = str(path), f"{ground.root}/", f"{ground.home}/"
    if text.startswith(root):
        name = text.removeprefix(root)
        return name, "", name, True
    if text.startswith(home) and not root.startswith(f"{path.parent}/"):
        name = text.removeprefix(home)
        return f"~/{name}", _HOME_PLACE, name, True
    return text, _HOME_PLACE, text.lstrip("/"), False


def _archived(ground: Ground, owners: Sequence[PlainSource], path: Path) -> PlainSource:
    """Return the archive of files, as those have it in common."""
    owner = owners[0]
    name, place, ref_id, _ = _named(ground, path)
    reader = Reader.LOG if owner.plain.reader is Reader.LOG else Reader.OUTLINE
    file = replace(file_of(owner.plain, Part.ARCHIVE), reader=reader)
    loader = LoaderRule(kind=LoaderKind.NOT_KNOWN).loader()
    return replace(
        owner, name=name, place=place, ref_id=ref_id, path=path, part=Part.ARCHIVE.value,
        archived=True, loader=loader, file=file, reached=(), placed=(), archive=path,
        takes_from=tuple(each.path for each in owners),
    )  # fmt: skip


@cache
def _stripped() -> frozenset[str]:
    """Return the layouts of which no agent sees front matter and comments, nor imports in them."""
    from remem.systems.plain.tools.tool_data import TOOLS

    every = (loads for tool in TOOLS for loads in tool.loads)
    return frozenset(loads.layout for loads in every if loads.keeps is Keeps.BARE)


def _imported(ground: Ground, sources: list[PlainSource]) -> Iterator[PlainSource]:
    """Yield the files that are there only because others import them, each once."""
    known = {source.path for source in sources}
    left = [
        (source.path, source.plain.imports, source.layout in _stripped())
        for source in sources
        if source.plain.imports
    ]
    while left:
        path, depth, is_stripped = left.pop(0)
        try:
            data = ground.disk.read(path)
        except Unreadable:
            continue
        # Every tool's own reading: which of them counts is known where its start is made.
        marked = imports_in(data, as_stripped=is_stripped)
        others = (imports_in(data, how) for how in (Reading.PLAIN, Reading.SIGNED))
        for each in dict.fromkeys((*marked, *chain.from_iterable(others))):
            real = real_path(each.target(path, ground.home))
            if real in known or not is_within(ground, real) or ground.disk.kind(real) != "file":
                continue
            known.add(real)
            reached = Reached(IMPORTED, real.parent, real)
            source = _source(ground, real, [(_IMPORT, reached)])
            if real.suffix.casefold() not in _MARKDOWN:
                source = replace(
                    source,
                    kind=SourceKind.DOCUMENT,
                    file=replace(source.file, reader=Reader.DOCUMENT),
                )
            yield source
            if depth > 1:
                left.append((real, depth - 1, is_stripped))


def _led_out(root: Path, link: Path, layout: str) -> Problem:
    return Problem(
        LED_OUT,
        f"`{link.relative_to(root).as_posix()}` points outside the project, where "
        "remem does not read",
        "copy its target into the project, or move it to your home folder",
        path=link,
        field=layout,
    )


def _partial(root: Path) -> Problem:
    return Problem(
        "partial",
        f"only {MOST_FOLDERS:,} folders were searched for instruction files",
        "open the part of the repository you work in",
        path=root,
    )


UNCONFIRMED: Final = "not-confirmed"
"""Code of the problem of files that look like memory and are read by nothing here."""
UNREAD: Final = "not-read"
"""Code of the problem of a folder whose texts a tool loads when a person calls for one."""
_ADD_LAYOUT: Final = "layout.add"
"""Id of the verb by which such a folder is read from then on; its declaration loads too much."""
_NAMES: Final = frozenset(
    {"AGENTS.md", "AGENT.md", "AGENTS.local.md", "AGENTS.override.md", "CLAUDE.md", "MEMORY.md"}
    | {
        "CLAUDE.local.md",
        "GEMINI.md",
        "QWEN.md",
        "QWEN.local.md",
        "WARP.md",
        "CRUSH.md",
        "SKILL.md",
        ".rules",
    }
    | {".cursorrules", ".windsurfrules", ".clinerules", ".roorules", ".goosehints", "airules.md"}
    | {".augment-guidelines", "copilot-instructions.md", ".github-copilot-instructions.md"}
)
_SKILL: Final = "SKILL.md"
_SKILLS: Final = "skills"
_SHOWN: Final = 3
"""Files of a folder that are named."""
_ENDS: Final = (".agent.md", ".chatmode.md", ".prompt.md", ".instructions.md", ".mdc")
_TEXTS: Final = (".md", ".mdc", ".txt")
_KINDS: Final = (
    "rules|memory|memories|steering|agents?|commands?|skills|instructions|prompts|workflows"
    "|microagents|droids|guidelines|chatmodes|output-styles|identity|knowledge|templates"
    "|prototypes|specs|modes"
)
_FOLDER: Final = lazy_pattern(
    r"(?P<top>(?:.*/)?(?:\.learnings|\.(?:claude|cursor|github|windsurf|devin|clinerules|cline|roo|kilocode|kiro"
    r"|junie|opencode|continue|amazonq|openhands|agents?|gemini|qwen|codex|factory|augment|trae"
    r"|serena|squad|ai-team|copilot|rulesync|aiassistant|warp|idx|zed|goose|squad-templates)"
    rf"(?:-[a-z]+)?/(?:extensions/[^/]+/)?(?:{_KINDS})))(?:/.*)?"
)
"""A folder in which texts for agents lie: of a tool, or a log of learnings."""
_LOGS: Final = ".learnings"
"""The folder whose pages are read in the root alone; whatever else lies there is named."""
_SHARED: Final = lazy_pattern(rf"(?P<top>(?:.*/)?(?:{_KINDS}))(?:/.*)?")
_CALLED: Final = lazy_pattern(r"(?:.*/)?\.[^/]+/(?:commands?|prompts|templates|workflows)")
"""A folder whose texts are no memory: a person calls for one of them, or fills it in."""
_PIPELINES: Final = lazy_pattern(r"(?:.*/)?\.github/workflows(?:/.*)?")
"""What a forge runs; no agent reads it."""


def unknown_files(ground: Ground, folders: Folders, known: Collection[Path]) -> Iterator[Problem]:
    """Yield a problem for each file or folder that looks like memory and is read by nothing.

    Args:
        ground: Says which files belong to named agents.
        folders: The folders of the root with the names in them.
        known: What plain layouts came to, as it is found and where it lies.
    """
    owned = [_pattern(each) for layout in ground.layouts for each in _patterns(layout)]
    teams = _teams(ground)
    skills = {path.parent for path in known if path.name == _SKILL}
    groups: dict[str, list[str]] = {}
    for place, names in folders.names.items():
        folder = _FOLDER.fullmatch(place) if not _PIPELINES.fullmatch(place) else None
        inside = ground.root / place
        is_skills = not skills.isdisjoint((inside, *inside.parents))
        team = next((e for e in teams if place == e or place.endswith(f"/{e}")), "")
        for name in names:
            is_teams = bool(team) and name in teams[team]
            is_log = folder is not None and folder["top"].rpartition("/")[2] == _LOGS
            is_log = is_log and not name.startswith(".")
            if not (is_teams or is_log) and not _looks_so(name, is_inside=folder is not None):
                continue
            if is_skills and name not in _NAMES:  # its page says when an agent opens them
                continue
            path = f"{place}/{name}" if place else name
            if ground.root / path in known or any(each.fullmatch(path) for each in owned):
                continue
            inner = folder or _SHARED.fullmatch(place)
            top = inner["top"] if inner is not None else place if is_teams else path
            top = path if top == _LOGS else top
            groups.setdefault(top, []).append(path)
    for top, paths in sorted(groups.items()):
        files = [path for path in paths if ground.disk.kind(ground.root / path) == "file"]
        if files:
            yield _problem(ground.root, top, files)


def _teams(ground: Ground) -> dict[str, set[str]]:
    """Return the folders of teams by their layouts, each with the texts that lie right in it.

    Below the root, where no tool reads them, they look the same.
    """
    found: dict[str, set[str]] = {}
    for layout in ground.layouts:
        for file in layout.shared if layout.base is Base.ROOT else ():
            folder, _, name = file.pattern.rpartition("/")
            if folder and name.endswith(_TEXTS) and "*" not in file.pattern:
                found.setdefault(folder, set()).add(name)
    return found


def _looks_so(name: str, *, is_inside: bool) -> bool:
    if name in _NAMES or name.endswith(_ENDS):
        return True
    return is_inside and name.endswith(_TEXTS) and name != "README.md"


def _problem(root: Path, top: str, files: Sequence[str]) -> Problem:
    what = f"`{top}`" if files == [top] else f"`{top}/`"
    number = "1 file" if len(files) == 1 else f"{len(files):,} files"
    said = "" if files == [top] else f" ({number})"
    if _CALLED.fullmatch(top):
        return _called(root / top, f"{what}{said}")
    return Problem(
        UNCONFIRMED,
        f"{what}{said} looks like memory, but no known tool loads it",
        _how_to_read(top, files),
        path=root / top,
        mends="" if files == [top] else _ADD_LAYOUT,
        mends_with=() if files == [top] else (("folder", top),),
        listed_under="files that no known tool loads",
    )


def _how_to_read(top: str, files: Sequence[str]) -> str:
    """Name files of a folder, and say what makes agents or remem read them."""
    if files == [top]:
        return "`remem layout add FOLDER` adds it"
    names = sorted(path.removeprefix(f"{top}/") for path in files)
    more = f" and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else ""
    listed = ", ".join(f"`{name}`" for name in names[:_SHOWN])
    is_flat = top.rpartition("/")[2] == _SKILLS and not all("/" in name for name in names)
    how = f"tools load a skill from `NAME/{_SKILL}`; " if is_flat else ""
    return f"{listed}{more}; {how}`remem layout add {top}` adds the folder"


def _called(folder: Path, what: str) -> Problem:
    kind = "templates" if folder.name == "templates" else "commands"
    return Problem(
        UNREAD,
        f"{what} looks like {kind}, which remem does not read",
        "if agents start with these files, `remem layout add FOLDER` adds them",
        path=folder,
        listed_under="folders that remem does not read",
    )


def _patterns(layout: Layout) -> Iterator[str]:
    """Yield the patterns of a root's files that belong to named agents."""
    if layout.base is not Base.ROOT:
        return
    for file in layout.memory:
        yield f"{layout.folder}/{file.pattern}"
    if layout.unit_archive:
        yield f"{layout.folder}/**/{layout.unit_archive}"
    yield from (file.pattern for file in layout.shared)
    for file in layout.profiles:
        is_deep = file.part is Part.DEFINITION
        yield file.pattern.replace(PERSONA, "**/*") if is_deep else file.pattern
    if layout.archive:
        yield f"{layout.archive.partition(PERSONA)[0]}**/*"


def _pattern(pattern: str) -> re.Pattern[str]:
    text = re.escape(pattern.replace(PERSONA, "*").replace(PROJECT, "*"))
    text = text.replace(r"\*\*/", "(?:.*/)?").replace(r"\*", "[^/]*")
    return re.compile(text)


def watched_folders(ground: Ground) -> Iterator[Path]:
    """Yield the folders that layouts take in whole, at this root; none is the root itself."""
    bases = {Base.ROOT: ground.root, Base.HOME: ground.home}
    for layout in layouts_here(ground):
        base = bases[layout.base]
        for pattern in layout.files:
            folder = fixed_folder(base, pattern) if "*" in pattern else base
            if folder != base:
                yield folder
    yield from command_folders(ground, ground.root)
    if keeps_memory(ground):
        from remem.systems.plain.tools.gemini_memory import memory_to_come

        yield from memory_to_come(ground)


def watched_files(ground: Ground, sources: Sequence[Source]) -> Iterator[Path]:
    """Yield files that are watched by themselves: they lie where all else is no memory."""
    for source in sources:
        if isinstance(source, PlainSource):
            yield from (source.path, *(reached.path for reached in source.reached))
    bases = {Base.ROOT: ground.root, Base.HOME: ground.home}
    yield from (ground.root / name for name in SIGNS_OF_OPENCLAW)
    for layout in layouts_here(ground):
        for pattern in layout.files:
            if "*" not in pattern and layout.where is not Where.BELOW:
                yield bases[layout.base] / pattern
