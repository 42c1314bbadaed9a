"""Which tools there are for a project, as their own settings and a person's layouts have them.

Settings are read where the tool reads them. What cannot be read changes nothing, as for the tool.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from remem.base.errors import Problem
from remem.base.frozen import dataclass
from remem.base.lazy_pattern import lazy_pattern
from remem.core.system import Ground
from remem.model.layout import Base, LoaderRule
from remem.model.loader import (
    HOOK_PRINTS,
    MOVED_OUT,
    STOPS,
    Below,
    Keeps,
    Loads,
    PlainLayout,
    Proof,
    Tool,
    Where,
    without,
)
from remem.store.io import Unreadable
from remem.systems.plain.plain_layouts import (
    AGENTS,
    CLAUDE_AGENTS,
    CLAUDE_DOCS,
    CODEX_DOCS,
    GEMINI_DOCS,
    MOVED_NOTES,
    NOTES,
    PLAIN,
    QWEN_DOCS,
)
from remem.systems.plain.source import PlainSource
from remem.systems.plain.tools.further_layouts import AIDER_DOCS
from remem.systems.plain.tools.tool_ids import (
    AIDER,
    CLAUDE,
    CODEX,
    GEMINI,
    HERMES,
    OPENCODE,
    QWEN,
    QWEN_NOTES,
    Said,
)
from remem.systems.plain.tools.usual_folders import as_usual, usual_layouts, usual_names

if TYPE_CHECKING:
    from remem.systems.plain.tools.settings_texts import Settings

_AGENTS_MD: Final = frozenset({AGENTS, CLAUDE_AGENTS})
_MANAGED: Final = "managed-only"
_HOOKED: Final = 10_000
"""Characters of a hook's output that reach the agent whole."""
_PREVIEW: Final = 2_000
_SETTINGS: Final = 3
"""The stage of what a person's own layouts add."""
_SETTINGS_FILES: Final[Mapping[str, tuple[tuple[str, ...], str]]] = {
    CLAUDE: ((".claude/settings.local.json", ".claude/settings.json"), ".claude/settings.json"),
    GEMINI: ((".gemini/settings.json",), ".gemini/settings.json"),
    CODEX: ((), ".codex/config.toml"),
    OPENCODE: (
        (
            ".opencode/opencode.jsonc",
            ".opencode/opencode.json",
            "opencode.jsonc",
            "opencode.json",
        ),
        ".config/opencode/opencode.jsonc",
    ),
    QWEN: ((".qwen/settings.json",), ".qwen/settings.json"),
    AIDER: ((".aider.conf.yml",), ".aider.conf.yml"),
    HERMES: ((), ".hermes/config.yaml"),
}
"""Tool → its settings files in the folder that it is started in, and the one of the person."""
_PROMPTED: Final = (GEMINI, QWEN, CODEX)
"""Tools whose system prompt a file may stand for."""
_HELD: Final = (CLAUDE, GEMINI, QWEN)
"""Tools whose settings are held here against what they take."""
_INCLUDED: Final = ("context", "includeDirectories")
_OF_SKILLS: Final = ("skillOverrides", "skills", "slashCommands")
_ENVIRONMENT: Final = (".gemini/.env", ".qwen/.env", ".env")
"""Files that may give Gemini CLI and Qwen Code the variable that names it."""
_USERS_OTHERS: Final[Mapping[str, tuple[str, ...]]] = {
    OPENCODE: (".config/opencode/opencode.json", ".config/opencode/config.json"),
}
"""Tool → the person's settings that count where that file does not say otherwise."""
_NAMING: Final = (
    (CODEX, "Codex", CODEX_DOCS, 0),
    (GEMINI, "Gemini CLI", GEMINI_DOCS, 5),
    (QWEN, "Qwen Code", QWEN_DOCS, 5),
)
"""Tools whose settings name instruction files: id, title, page, depth of imports."""
_NAMING_ITS_OWN: Final = (
    (GEMINI, "Gemini CLI", GEMINI_DOCS, ".gemini", frozenset({"GEMINI.md"})),
    (QWEN, "Qwen Code", QWEN_DOCS, ".qwen", frozenset({"QWEN.md", "AGENTS.md"})),
)
"""Those that look for the names in a person's own folder too: that, and which have a row there."""
_HAS_ONE: Final[Mapping[str, Set[str]]] = {
    CODEX: {"AGENTS.md", "AGENTS.override.md"},
    GEMINI: {"GEMINI.md", "AGENTS.md"},
    QWEN: {"QWEN.md", "AGENTS.md"},
}
"""Names that have a row already."""
_FILE_NAME: Final = ("context", "fileName")
_FALLBACKS: Final = ("project_doc_fallback_filenames",)
_NOTES_OF_QWEN: Final = ("memory", "enableManagedAutoMemory")
_TRUST: Final = ("security", "folderTrust", "enabled")
_GEMINI_MD: Final = "gemini-md"
_GEMINI_ROWS: Final = {"GEMINI.md": _GEMINI_MD, "AGENTS.md": AGENTS}
_QWEN_ROWS: Final = {
    "QWEN.md": ("qwen-user", "qwen-md"),
    "AGENTS.md": ("qwen-user-agents-md", AGENTS),
}
"""Name → the layouts of a person's file and of the project's."""
_NAMED_BY_QWEN: Final = (
    Proof(
        says="`context.fileName`: name by name, the person's before those of the folders, and no "
        "other name; the project's settings before the person's",
        read="2026-11-28",
        version="Qwen Code 0.24.4",
    ),
)
_MOVED: Final = (
    Proof(
        says="To store auto memory in a different location, set `autoMemoryDirectory` in your "
        "`settings.json`. […] The value must be an absolute path or start with `~/`.",
        page=CLAUDE_DOCS,
        read="2026-11-25",
    ),
)
_NO_PATTERN: Final = lazy_pattern(r"[*?\[\]{}]")
_READS: Final = (
    Proof(
        says="You can also configure aider to always load your conventions file in the "
        "`.aider.conf.yml` config file",
        page=AIDER_DOCS,
        read="2026-11-25",
    ),
)
_NAME: Final = lazy_pattern(r"(?!\.{1,2}$)[^/\\*?\[\]{}\0]+")
"""Names of files that are looked for; none leads to another folder."""
_PATH: Final = lazy_pattern(r"(?:(?!\.{0,2}/)[^/\\*?\[\]{}$\0]+/)*(?!\.{1,2}$)[^/\\*?\[\]{}$\0]+")
"""Names that may lead into a folder below, and nowhere else; none with a variable in it."""
SETTINGS_FOLDERS: Final = frozenset(
    (".codex", *(name.partition("/")[0] for names, _ in _SETTINGS_FILES.values() for name in names))
)
"""Folders in which settings of tools lie."""
SIGNS_OF_OPENCLAW: Final = ("SOUL.md", "IDENTITY.md")
"""Files that make a root a workspace of OpenClaw when they come, beside those of all tools."""
_BUILT_IN: Final = frozenset(layout.name for layout in PLAIN)
_NOT_IN_AN_ID: Final = lazy_pattern(r"[^a-z0-9]+")


def tools_of(layouts: Sequence[PlainLayout]) -> tuple[Tool, ...]:
    """Return the tools that are known, and those that a person's layouts name.

    Args:
        layouts: All of a ground; those that no tool's rules name are loaded as they say themselves.
    """
    from remem.systems.plain.tools.tool_data import TOOLS

    known = {loads.layout for tool in TOOLS for loads in tool.loads}
    added: dict[str, list[Loads]] = {}
    for layout in layouts:
        if layout.tool and layout.name not in known and layout.name not in _BUILT_IN:
            own = Loads(layout=layout.name, stage=_SETTINGS, below=Below.AT_START)
            added.setdefault(layout.tool, []).append(own)
    named = (replace(t, loads=(*t.loads, *added.pop(t.title, ()))) for t in TOOLS)
    tools = tuple(named)
    more = (
        Tool(id=_NOT_IN_AN_ID.sub("-", title.casefold()).strip("-"), title=title, loads=(*own,))
        for title, own in added.items()
    )
    return (*tools, *more)


def used_tools(
    ground: Ground, tools: Sequence[Tool], sources: Sequence[PlainSource]
) -> tuple[Tool, ...]:
    """Return the tools of which a file is there that they, above all others, read.

    Where a project has no tool's own file but `AGENTS.md`, it is every tool that reads that. Where
    it lies only below the root, most would start with nothing: then only those that start with it,
    or have it for their own.
    """
    found = {way.layout for source in sources for way in source.reached}
    projects = {way.layout for s in sources for way in s.reached if way.scope != "user"}
    own = {loads.layout for tool in tools for loads in tool.loads if loads.is_own}
    if projects & own == {AGENTS} and _lies_above(ground.root, sources):
        return tuple(t for t in tools if any(_starts_with(loads, found) for loads in t.loads))
    if projects & own == {AGENTS}:
        return tuple(t for t in tools if any(_has_for_its_own(loads, found) for loads in t.loads))
    return tuple(t for t in tools if found & {loads.layout for loads in t.loads if loads.is_own})


def _lies_above(root: Path, sources: Sequence[PlainSource]) -> bool:
    """Tell whether an `AGENTS.md` lies in the root or above it."""
    ways = (way for source in sources for way in source.reached if way.layout == AGENTS)
    return any(root == way.folder or way.folder in root.parents for way in ways)


def _has_for_its_own(loads: Loads, found: Set[str]) -> bool:
    is_read = loads.layout == AGENTS and loads.below is Below.AT_START
    return loads.layout in found and (loads.is_own or is_read)


def reading_tools(
    tools: Sequence[Tool], sources: Sequence[PlainSource], listing: Set[str] = frozenset()
) -> tuple[Tool, ...]:
    """Return the tools that have a row for a file that is there, whoever it was written for.

    Args:
        tools: All.
        sources: The files.
        listing: Titles of those that list agents.
    """
    found = {way.layout for source in sources for way in source.reached}
    return tuple(
        tool
        for tool in tools
        if tool.title in listing or any(x.layout in found and not x.never for x in tool.loads)
    )


def _starts_with(loads: Loads, found: Set[str]) -> bool:
    return loads.layout in found and (loads.is_own or loads.layout == AGENTS)


def tool_named(name: str, tools: Sequence[Tool] | None = None) -> Tool | None:
    """Return the tool with that id, title or other name, case ignored.

    Args:
        name: As somebody wrote it.
        tools: Among which; default: all that are known.
    """
    from remem.systems.plain.tools.tool_data import TOOLS

    wanted, among = name.strip().casefold(), TOOLS if tools is None else tools
    names = ((t, (t.id, *(name.casefold() for name in (t.title, *t.also)))) for t in among)
    return next((tool for tool, known in names if wanted in known), None)


def set_tools(ground: Ground, folder: str = "") -> tuple[Tool, ...]:
    """Return the tools of a ground as their settings have them.

    Args:
        ground: Whose project and home folder.
        folder: Where below the root they are started.
    """
    tools = [_as_set(ground, tool, ground.root / folder) for tool in tools_of(ground.plain)]
    if _may_be_openclaw(ground):
        from remem.systems.plain.tools.openclaw import openclaw

        tools += filter(None, (openclaw(ground),))
    usual = usual_names(ground)
    return tuple(as_usual(tool, usual) for tool in tools) if usual else tuple(tools)


def _may_be_openclaw(ground: Ground) -> bool:
    """Tell whether the root has the file that only a workspace of OpenClaw has, or its place."""
    is_its_place = ground.root.parent.name.startswith(".openclaw")
    return is_its_place or ground.disk.kind(ground.root / SIGNS_OF_OPENCLAW[0]) is not None


def settings_files(ground: Ground, folder: Path) -> Iterator[Path]:
    """Yield every file, there or not, whose settings count for a tool that is started there."""
    for tool in _SETTINGS_FILES:
        yield from (path for path, _ in _places(ground, folder, tool))
    yield folder / ".codex/config.toml"
    yield ground.usual(".gemini/projects.json")
    if _may_be_openclaw(ground):
        from remem.systems.plain.tools.openclaw_settings import settings_of_openclaw

        yield settings_of_openclaw(ground)
    yield from (up / name for up in (folder, ground.home) for name in _ENVIRONMENT)


def _places(ground: Ground, folder: Path, tool: str) -> Iterator[tuple[Path, str]]:
    """Yield a tool's settings files and what they are called, the one that wins first."""
    names, users = _SETTINGS_FILES[tool]
    if tool == CLAUDE:
        yield from _of_checkout(ground, folder, names[0])
    yield from ((folder / name, ground.shown(folder / name)) for name in names)
    for user in (users, *_USERS_OTHERS.get(tool, ())):
        path = ground.usual(user)
        yield path, f"~/{path.relative_to(ground.home).as_posix()}"


def _of_checkout(ground: Ground, folder: Path, name: str) -> Iterator[tuple[Path, str]]:
    """Yield a person's settings of the checkout that a folder lies in; they win in all of it.

    Seen of Claude Code 2.1.332 on 2026-11-28: those that a team shares count in their folder alone.
    """
    for up in (folder, *folder.parents):
        if ground.disk.kind(up / ".git"):
            if up != folder:
                yield up / name, ground.shown(up / name)
            return


def _as_set(ground: Ground, tool: Tool, folder: Path) -> Tool:
    found = _by_settings(ground, tool, folder)
    if tool.id not in _HELD or not any(
        ground.disk.kind(path) for path, _ in _places(ground, folder, tool.id)
    ):
        return found
    from remem.systems.plain.tools.settings_texts import held

    problems = tuple(held(ground, tool, _places(ground, folder, tool.id)))
    if not problems:
        return found
    stopped = next((each for each in problems if each.code == STOPS), found.stopped)
    aside = tuple(each for each in problems if each.code != STOPS)
    return replace(found, stopped=stopped, aside=aside)


def _by_settings(ground: Ground, tool: Tool, folder: Path) -> Tool:
    if tool.id == CLAUDE:
        said = [*_settings(ground, folder, CLAUDE)]
        tool = _claude(ground, tool, said)
        if folder != ground.root:
            from remem.systems.plain.tools.claude_notes import with_own_notes

            tool = with_own_notes(ground, tool, folder)
        keys = {key for _, value in said for key in value}
        if keys & {"outputStyle", "agent"}:
            from remem.systems.plain.tools.claude_styles import styled

            tool = styled(ground, tool, said, is_below=folder != ground.root)
        if "permissions" in keys:
            from remem.systems.plain.tools.claude_permissions import permitted

            tool = permitted(ground, tool, said, folder)
        return _with_hidden(tool, said)
    if tool.id in _PROMPTED:
        return _prompted(ground, tool, folder)
    if tool.id == OPENCODE:
        return _opencode(ground, tool)
    if tool.id == AIDER:
        rows = (Loads(layout=x.name, stage=0, proofs=_READS) for x in _read_by_aider(ground))
        return replace(tool, loads=(*rows, *tool.loads))
    if tool.id == HERMES and ground.disk.kind(ground.usual(_SETTINGS_FILES[HERMES][1])):
        from remem.systems.plain.tools.hermes_settings import hermes

        return hermes(ground, tool)
    return tool


def _prompted(ground: Ground, tool: Tool, folder: Path) -> Tool:
    """Return a tool whose system prompt a file may stand for, as its settings have it."""
    said = _said(ground, folder, tool.id)
    if tool.id == GEMINI:
        tool = _gemini(ground, tool, said)
        if folder == ground.root and keeps_memory(ground):
            from remem.systems.plain.tools.gemini_memory import with_memory

            tool = with_memory(tool)
        elif keeps_memory(ground):
            text = f"the memory that it keeps of `{ground.shown(folder)}/` alone"
            tool = replace(tool, unseen=(*tool.unseen, text))
    elif tool.id == QWEN:
        tool = _qwen(ground, tool, said)
        if folder != ground.root:
            from remem.systems.plain.tools.qwen_below import started_below

            tool = started_below(ground, tool, folder)
    elif said or ground.disk.kind(ground.usual(_SETTINGS_FILES[CODEX][1])):
        from remem.systems.plain.tools.codex_settings import codex, with_names

        names = (_layout_of(CODEX, name) for name in _names_set(CODEX, said)[1])
        tool = with_names(tool, names)
        tool = codex(ground, folder, tool, said, [*_settings(ground, folder, CODEX)])
    if any(_within(value, *_INCLUDED) for _, value in said):
        from remem.systems.plain.tools.gemini_folders import with_folders

        tool = with_folders(ground, tool, folder, said) if tool.id != CODEX else tool
    tool = _with_hidden(tool, said)
    if not _may_have_prompt(ground, folder, tool.id, said):
        return tool
    from remem.systems.plain.tools.prompt_files import with_prompt

    return with_prompt(ground, tool, folder, said)


def _with_hidden(tool: Tool, said: Said) -> Tool:
    if not any(key in value for _, value in said for key in _OF_SKILLS):
        return tool
    from remem.systems.plain.tools.hidden_skills import with_hidden

    return with_hidden(tool, said)


def keeps_memory(ground: Ground) -> bool:
    """Tell whether Gemini CLI keeps memory of projects for this person; few have any."""
    return ground.disk.kind(ground.usual(".gemini/tmp")) == "folder"


def _said(ground: Ground, folder: Path, tool: str) -> Said:
    """Return what a tool's settings say, with those of the folders that a person trusts."""
    users = [*_settings(ground, folder, tool)]
    if tool != CODEX or not users:
        return users
    from remem.systems.plain.tools.codex_settings import codex_settings

    return [*codex_settings(ground, folder, users)]


def _may_have_prompt(ground: Ground, folder: Path, tool: str, said: Said) -> bool:
    """Tell whether anything is there that could name a file for a system prompt; seldom it is."""
    if tool == CODEX:
        return any("model_instructions_file" in value for _, value in said)
    if any("env" in value for _, value in said):
        return True
    ups = dict.fromkeys((folder, *folder.parents, ground.home))
    return any(ground.disk.kind(up / name) == "file" for up in ups for name in _ENVIRONMENT)


def _read_by_aider(ground: Ground) -> Iterator[PlainLayout]:
    """Yield a layout for each file that `read` in Aider's settings names; none leads out."""
    for _, value in _settings(ground, ground.root, AIDER):
        said = value.get("read")
        names = [said] if isinstance(said, str) else said
        if not isinstance(names, list):
            continue
        for number, path in enumerate(names, 1):
            if not isinstance(path, str) or not _leads_below(path):
                continue
            yield PlainLayout(
                name=f"aider-read-{number}",
                tool="Aider",
                scope="project",
                files=(path.removeprefix("./"),),
                loader=LoaderRule(),
                archive="{name}-archive.md",
                claim=AIDER_DOCS,
            )
        return


def _leads_below(path: str) -> bool:
    is_glob = any(sign in path for sign in "*?[")
    return bool(path) and not is_glob and ".." not in path.split("/") and path[0] not in "/~"


def _opencode(ground: Ground, tool: Tool) -> Tool:
    """Return OpenCode with the files and folders that its settings name."""
    said = [value for _, value in _settings(ground, ground.root, OPENCODE)]
    if not said:
        return tool
    from remem.systems.plain.tools.opencode_named import rows_named

    return replace(tool, loads=(*tool.loads, *rows_named(said)))


def _named_by_opencode(ground: Ground) -> Iterator[PlainLayout]:
    said = [value for _, value in _settings(ground, ground.root, OPENCODE)]
    if said:
        from remem.systems.plain.tools.opencode_named import layouts_named

        yield from layouts_named(said)


@dataclass(frozen=True, slots=True)
class SettingsFile:
    """Settings that say something of an agent or of a reference."""

    name: str
    """As people call it."""
    path: Path


def of_opencode(
    ground: Ground, folder: str, key: str
) -> Iterator[tuple[str, Mapping[str, Any], SettingsFile]]:
    """Yield what settings of OpenCode say below a key, name by name, what counts less first.

    Args:
        ground: Where the root and the home folder are.
        folder: Where below the root it is started.
        key: As `agent`; its names have keys each.
    """
    for value, place in settings_of_opencode(ground, folder):
        said = value.get(key)
        for name, values in said.items() if isinstance(said, dict) else ():
            if isinstance(values, dict):
                yield name, values, place


def settings_of_opencode(
    ground: Ground, folder: str
) -> Iterator[tuple[Mapping[str, Any], SettingsFile]]:
    """Yield what each settings file of OpenCode says, what counts less first."""
    start = ground.root / folder
    ups = [up for up in (start, *start.parents) if up.is_relative_to(ground.root)]
    places = dict(place for up in reversed(ups) for place in _places(ground, up, OPENCODE))
    users = [path for path in places if not path.is_relative_to(ground.root)]
    for at in (*reversed(users), *_inner_last(places, ups)):
        try:
            data = ground.disk.read(at)
        except Unreadable:
            continue
        found = _as_settings(OPENCODE, at, data)
        if found.fault is None:
            yield found.value, SettingsFile(ground.shown(at), at)


def _inner_last(places: Mapping[Path, str], ups: Sequence[Path]) -> Iterator[Path]:
    """Yield settings of a project from above, in each folder what counts less first."""
    for up in reversed(ups):
        names = reversed(_SETTINGS_FILES[OPENCODE][0])
        yield from (up / name for name in names if up / name in places)


def _settings(ground: Ground, folder: Path, tool: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield what each settings file is called and says, the one that wins first."""
    for path, name in _places(ground, folder, tool):
        try:
            data = ground.disk.read(path)
        except Unreadable:
            continue
        found = _as_settings(tool, path, data)
        if found.fault is None:
            yield name, found.value


def _as_settings(tool: str, path: Path, data: bytes) -> Settings:
    from remem.systems.plain.tools.settings_texts import settings_of  # most roots have none

    return settings_of(tool, path, data)


def set_layouts(ground: Ground) -> Iterator[PlainLayout]:
    """Yield a layout for each further name of instruction files that tools' settings give."""
    yield from usual_layouts(ground)
    if _may_be_openclaw(ground):
        from remem.systems.plain.tools.openclaw import openclaw_layouts

        yield from openclaw_layouts(ground)
    yield from _named_by_opencode(ground)
    of_claude = [*_settings(ground, ground.root, CLAUDE)]
    if any("outputStyle" in value for _, value in of_claude):
        from remem.systems.plain.tools.claude_styles import style_layouts

        yield from style_layouts(ground, of_claude)
    notes = _moved_notes(of_claude)
    if notes is not None:
        from remem.systems.plain.tools.claude_notes import layouts_of_moved

        yield from layouts_of_moved(ground, notes)
    yield from _read_by_aider(ground)
    named = {title: (tool, _said(ground, ground.root, tool)) for tool, title, _, _ in _NAMING}
    if keeps_memory(ground):
        from remem.systems.plain.tools.gemini_memory import memory_layouts

        yield from memory_layouts(ground, named["Gemini CLI"][1])
    if any(_may_have_prompt(ground, ground.root, *each) for each in named.values()):
        from remem.systems.plain.tools.prompt_files import prompt_layouts

        yield from prompt_layouts(ground, [(t, title, said) for title, (t, said) in named.items()])
    for tool, title, claim, imports in _NAMING:
        for name in _names_set(tool, named[title][1])[1]:
            yield PlainLayout(
                name=_layout_of(tool, name),
                tool=title,
                scope="project",
                where=Where.AROUND,
                files=(name,),
                loader=LoaderRule(),
                imports=imports,
                archive="{name}-archive.md",
                claim=claim,
            )
    for tool, title, claim, folder, known in _NAMING_ITS_OWN:
        for name in _names_set(tool, [*_settings(ground, ground.root, tool)], known)[1]:
            yield PlainLayout(
                name=_users_layout(tool, name),
                tool=title,
                scope="user",
                base=Base.HOME,
                files=(f"{folder}/{name}",),
                loader=LoaderRule(),
                imports=5,
                archive=f"{folder}/{name}-archive.md",
                claim=claim,
            )


def _layout_of(tool: str, name: str) -> str:
    return f"{tool}-{_NOT_IN_AN_ID.sub('-', name.casefold()).strip('-')}"


def _names_set(
    tool: str, found: Said, known: Set[str] = frozenset()
) -> tuple[str, tuple[str, ...]]:
    """Return which file sets names, and those of them that no layout has.

    Args:
        tool: Whose.
        found: Its settings.
        known: Names that have a layout; empty = those of a project.
    """
    for file, value in found:
        names = _names_said(tool, value)
        if names:
            form = _NAME if tool == CODEX else _PATH
            plain = (name for name in names if form.fullmatch(name))
            return file, tuple(name for name in plain if name not in (known or _HAS_ONE[tool]))
    return "", ()


def _names_said(tool: str, value: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of instruction files that settings give, one or many, as they stand."""
    said = _within(value, *(_FALLBACKS if tool == CODEX else _FILE_NAME))
    names = said if isinstance(said, list) else [said]
    texts = (name for name in names if isinstance(name, str))
    return tuple(name if tool == CODEX else name.removeprefix("./") for name in texts)


def _claude(ground: Ground, tool: Tool, found: Said) -> Tool:
    if not found:
        return tool
    from remem.systems.plain.tools.claude_settings import instruction_files, start_hooks

    excludes = tuple(
        (glob, name)
        for name, value in found
        if isinstance(globs := value.get("claudeMdExcludes"), list)
        for glob in globs
        if isinstance(glob, str)
    )
    printed = tuple(
        f"{HOOK_PRINTS}`{command}` of `{name}` prints; of more than {_HOOKED:,} characters "
        f"{_PREVIEW:,} arrive"
        for name, value in found
        for command in start_hooks(value)
    )
    tool = replace(tool, excludes=excludes, unseen=(*tool.unseen, *printed))
    off = next(((n, v) for n, v in found if isinstance(v.get("autoMemoryEnabled"), bool)), None)
    if off is not None and off[1]["autoMemoryEnabled"] is False:
        why = f"`autoMemoryEnabled` in `{off[0]}` is off"
        tool = replace(without(tool, NOTES, why), memory_off=why)
    elif (moved := _moved_notes(found)) is not None:
        from remem.systems.plain.tools.claude_notes import layouts_of_moved, why_unread

        name, where = moved
        here = [*layouts_of_moved(ground, moved)]
        why = f"`autoMemoryDirectory` in `{name}` puts the notes into `{where}`"
        tool = without(tool, NOTES, why)
        rows = (
            Loads(
                layout=each.name, stage=2, keeps=Keeps.TEXT if number else Keeps.BARE, proofs=_MOVED
            )
            for number, each in enumerate(here)
        )
        unseen = () if here else (f"the notes in `{where}`: {why_unread(moved)}",)
        tool = replace(tool, loads=(*tool.loads, *rows), unseen=(*tool.unseen, *unseen))
    mode = instruction_files(found)
    if mode == "claude-md":
        return without(tool, _AGENTS_MD, "the user's `instructionFiles` names `CLAUDE.md` only")
    if mode == "claude-md-and-agents-md":
        return replace(tool, loads=tuple(_together(tool.loads)))
    if mode == _MANAGED:
        rest = frozenset(each.layout for each in tool.loads) - NOTES - MOVED_NOTES
        return without(tool, rest, "the user's `instructionFiles` allows the managed file only")
    return tool


def _moved_notes(found: Said) -> tuple[str, str] | None:
    """Return which file puts the notes elsewhere, and where, as the tool takes it."""
    for name, value in found:
        where = value.get("autoMemoryDirectory")
        if isinstance(where, str) and where.startswith(("/", "~/")):
            return name, where
    return None


def unread_notes(ground: Ground) -> Problem | None:
    """Return that Claude Code keeps its notes where remem does not read; `None` = it does not."""
    found = [*_settings(ground, ground.root, CLAUDE)]
    moved = _moved_notes(found)
    off = any(value.get("autoMemoryEnabled") is False for _, value in found)
    if moved is None or off:
        return None
    from remem.systems.plain.tools.claude_notes import layouts_of_moved, why_unread

    if any(True for _ in layouts_of_moved(ground, moved)):
        return None
    name, where = moved
    return Problem(
        MOVED_OUT,
        f"`autoMemoryDirectory` in `{name}` puts Claude Code's notes into `{where}`, which remem "
        f"does not read: {why_unread(moved)}",
        "move it to a folder inside your home folder",
    )


def _together(loads: Sequence[Loads]) -> Iterator[Loads]:
    """Yield the rows of a tool that reads `AGENTS.md` too, behind the `CLAUDE.md` of its folder."""
    shared = [each for each in loads if each.layout in _AGENTS_MD]
    for each in loads:
        if each.layout not in _AGENTS_MD:
            yield each
        if each.layout == "claude-dot-md":
            yield from (replace(x, unless=(), unless_beside=(), unknown="") for x in shared)


def _gemini(ground: Ground, tool: Tool, found: Said) -> Tool:
    named = ((file, _names_said(GEMINI, value)) for file, value in found)
    file, names = next((each for each in named if each[1]), ("", ()))
    if not names:
        return tool
    # Files are found by the names that the settings at the root give.
    there = {*_names_set(GEMINI, [*_settings(ground, ground.root, GEMINI)])[1], *_HAS_ONE[GEMINI]}
    lost = (name for name in names if name not in there)
    unseen = (f"files called `{name}`, which `{file}` names" for name in lost)
    return replace(_named(tool, names), unseen=(*tool.unseen, *unseen))


def _named(tool: Tool, names: Sequence[str]) -> Tool:
    """Return Gemini CLI with names that are set, a folder's by their paths, beside its own."""
    users, own = tool.loads[0], next(each for each in tool.loads if each.layout == _GEMINI_MD)
    rest = (each for each in tool.loads if each not in (users, own))
    more = tuple(dict.fromkeys((*filter(_PATH.fullmatch, names), "GEMINI.md")))
    homes = (
        replace(users, layout=users.layout if name == "GEMINI.md" else _users_layout(GEMINI, name))
        for name in more
    )
    here = (
        replace(own, layout=_GEMINI_ROWS.get(name) or _layout_of(GEMINI, name))
        for name in sorted(more)
    )
    return replace(tool, loads=(*homes, *here, *rest))


def _users_layout(tool: str, name: str) -> str:
    return _layout_of(f"{tool}-user", name)


def _qwen(ground: Ground, tool: Tool, found: Said) -> Tool:
    named = ((file, _names_said(QWEN, value)) for file, value in found)
    file, said = next((each for each in named if each[1]), ("", ()))
    if said:
        there = _QWEN_ROWS.keys() | {*_names_set(QWEN, [*_settings(ground, ground.root, QWEN)])[1]}
        names = [name for name in said if name in there]
        lost = (name for name in said if name and name not in names)
        unseen = (f"files called `{name}`, which `{file}` names" for name in lost)
        tool = replace(tool, loads=tuple(_named_by_qwen(tool, names)))
        tool = replace(tool, unseen=(*tool.unseen, *unseen))
    off = next((file for file, v in found if _within(v, *_NOTES_OF_QWEN) is False), "")
    if off:
        tool = without(tool, QWEN_NOTES, f"`enableManagedAutoMemory` in `{off}` is off")
    asks = next((file for file, v in found if _within(v, *_TRUST) is True), "")
    if not asks:
        return tool
    why = f"`folderTrust` in `{asks}` is on: it counts once a person trusts the folder"
    users = {*QWEN_NOTES, "qwen-user-rules", *(each for each, _ in _QWEN_ROWS.values())}
    users |= {_users_layout(QWEN, name) for name in said}
    loads = (
        row if row.lists or row.lists_agents or row.layout in users else replace(row, unknown=why)
        for row in tool.loads
    )
    return replace(tool, loads=tuple(loads))


def _named_by_qwen(tool: Tool, names: Sequence[str]) -> Iterator[Loads]:
    """Yield the rows of Qwen Code with the names that its settings give, and no others."""
    rows = {row.layout: row for row in tool.loads}
    users, own = rows["qwen-user"], rows["qwen-md"]
    known = {layout for both in _QWEN_ROWS.values() for layout in both}
    for at, name in enumerate(names):
        layouts = _QWEN_ROWS.get(name, (_users_layout(QWEN, name), _layout_of(QWEN, name)))
        for row, layout in zip((users, own), layouts, strict=True):
            stage = min(at, rows["qwen-local-md"].stage - 1)
            is_own = row is users or layout == own.layout
            yield replace(row, layout=layout, stage=stage, is_own=is_own, proofs=_NAMED_BY_QWEN)
    yield from (row for row in tool.loads if row.layout not in known)


def _within(value: object, *keys: str) -> object:
    """Return what settings say below some keys; `None` = nothing."""
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value
