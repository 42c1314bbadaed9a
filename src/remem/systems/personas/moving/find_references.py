"""Where a root names a persona: addresses that its tool follows, and words that people wrote.

An address is a path to the persona's folder, a target of the routing, a name field, a label or a
heading of its own: it is changed with the persona, so that nothing points at who is gone. A word in
prose is told, and written only when that is asked for. Records (logs, archives) keep what they
said; a decision that waits in an inbox is none yet.

Nothing here writes; files are read as they are when the plan is made.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Final

from remem.base.errors import NotPossible, UnsafeName
from remem.base.frozen import dataclass
from remem.code.worktree import Worktree
from remem.core.system import Ground
from remem.edit.markdown import front_matter_end
from remem.model.change import Splice
from remem.model.entry import digest_of
from remem.model.layout import Base, Layout, Part
from remem.model.roles import persona_key
from remem.store.io import Unreadable
from remem.store.paths import contained
from remem.systems.personas.discover import base_of
from remem.systems.personas.team.squad import keys_in, slug

NOBODY: Final = "—"
"""Stands in a cell whose last name went."""
_BIGGEST: Final = 1_000_000
"""Bytes of a file above which it is not looked through."""
_DEEP: Final = 8
_SHALLOW: Final = 4
"""Folders below one another that are looked through where git does not say what belongs here."""
GITHUB_AGENTS: Final = ".github/agents"
"""Where a team's definitions for other tools lie."""
_TOOLS: Final = (".github", ".copilot", ".claude")
"""Folders of a root whose files tools follow, beside the layout's own."""
_RECORDS: Final = frozenset(
    {"log", "logs", "orchestration-log", "sessions", "_alumni", ".archived", "templates"}
)
_ROUTES: Final = frozenset(
    {
        "agent",
        "agents",
        "assigned to",
        "assignee",
        "backup",
        "facilitator",
        "handler",
        "lead",
        "member",
        "owner",
        "owners",
        "participants",
        "primary",
        "responsible",
        "reviewer",
        "reviewers",
        "route to",
        "routes to",
        "secondary",
        "who",
    }
)
"""Headings of columns, and first cells of rows, that say who does something."""
_TABLES: Final = frozenset({"routing", "ceremonies"})
"""Files beside the personas' folder whose tables say who does what."""
_BY_AGENT: Final = ("agentModelOverrides", "agentReasoningEffortOverrides")
"""Settings of a team that are told by agent."""
_PARTS: Final = re.compile(r"(\s*(?:,|;|/|\+|&|→|\band\b|\bor\b)\s*)")
_WORD: Final = re.compile(r"\w")
_TAIL: Final = re.compile(r"[\w./-]*")
_FILE: Final = re.compile(r"\.[a-z][a-z0-9]{0,4}\.?$")
"""How what follows a word ends where both are of the name of a file."""
_HEADING: Final = re.compile(r"^#{1,6}[ \t]+(?P<title>.+?)[ \t]*$", re.MULTILINE)
_FIELD: Final = re.compile(
    r"^[ \t]*(?:[-*+] )?\*\*(?:Name|Handle|Agent):\*\*[ \t]*(?P<value>.+?)[ \t]*$",
    re.MULTILINE | re.IGNORECASE,
)
_NAME_KEY: Final = re.compile(
    r"^name[ \t]*:[ \t]*[\"']?(?P<value>[^\"'\r\n#]+?)[\"']?[ \t]*$", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Going:
    """Who goes from one place of a layout, and what takes its place."""

    layout: Layout
    name: str
    """As people write it."""
    place: str
    """The folder below that of all personas: `hill`, `_alumni/hill`."""
    folder: Path
    to_name: str
    """What it is called from now on; empty = nobody takes its work."""
    to_place: str
    """Where the folder lies from now on, as `place`, or from the top where it starts with `/`."""
    is_replaced: bool = False
    """Another takes the work over: targets of the routing change, who goes keeps the name."""
    files: tuple[tuple[str, str], ...] = ()
    """Files that leave a folder one by one: the path below it, and the new one from the top."""

    @property
    def is_renamed(self) -> bool:
        return self.is_going and bool(self.to_name) and not self.is_replaced

    @property
    def is_going(self) -> bool:
        """Nobody is called so any more."""
        return self.to_name != self.name


@dataclass(frozen=True, slots=True)
class Found:
    """One place of a text that names somebody; offsets in characters."""

    start: int
    end: int
    new: str | None
    """What is written there; `None` = it is told only."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line that goes on naming somebody, as it is told."""

    path: Path
    number: int
    text: str
    is_followed: bool
    """A tool follows what this file names."""


@dataclass(frozen=True, slots=True)
class Looked:
    """What was found in the files of a root."""

    splices: tuple[Splice, ...]
    """Addresses, and the words that were asked for."""
    words: tuple[Line, ...]
    """Prose that goes on naming who is gone, where nothing was asked for."""
    records: int
    """Places in records, which keep what they said."""
    left: tuple[tuple[Path, str], ...]
    """Work and settings of nobody: the file, and what its table calls it, or which setting."""


def looked(
    ground: Ground,
    goings: Sequence[Going],
    *,
    memories: Collection[Path] = (),
    quiet: Collection[Path] = (),
    taken: Callable[[Path, bool], bool] = lambda path, is_followed: False,
    spans: Iterable[Splice] = (),
) -> Looked:
    """Find every place below the root and in the layouts' folders that names who goes.

    Args:
        ground: Where is looked.
        goings: Who goes, one for each place.
        memories: Files of memory, which are looked at wherever they lie. What they say of labels
            was so when it was written.
        quiet: Files whose words need not be told.
        taken: Whether the words of a file are rewritten too; told whether a tool follows it.
        spans: What the plan writes already: nothing of that is looked at again.
    """
    written: dict[Path, list[Splice]] = {}
    for splice in spans:
        written.setdefault(splice.path, []).append(splice)
    needles = {
        needle.encode()
        for going in goings
        for needle in (going.name, going.name.upper(), going.place.rpartition("/")[2])
        if needle
    }
    splices: list[Splice] = []
    words: list[Line] = []
    left: list[tuple[Path, str]] = []
    records = 0
    for path, layouts in _files(ground, goings, memories).items():
        data = _read(ground, path)
        if data is None or not any(needle in data for needle in needles):
            continue
        text = data.decode("utf-8", "surrogateescape")
        if any(is_record(ground, going.layout, path) for going in goings):
            records += sum(1 for going in goings for _ in _names_in(text, going))
            continue
        found: list[Found] = []
        for going in (each for each in goings if each.layout.name in layouts):
            addresses, lost = _addresses(ground, going, path, text, memories)
            found = _apart([*found, *addresses])
            left += [(path, work) for work in lost]
        told = [
            each
            for going in goings
            if path not in quiet and (going.is_renamed or not path.is_relative_to(going.folder))
            for each in _words_in(text, going, found)
        ]
        if taken(path, bool(layouts)):
            found = _apart([*found, *(each for each in told if each.new is not None)])
            told = [each for each in told if each.new is None]
        known = written.get(path, [])
        splices += _splices(path, data, text, found, known)
        lasting = [each for each in told if not _in(text, each, known)]
        words += [_line(path, text, each.start, is_followed=bool(layouts)) for each in lasting]
    return Looked(tuple(splices), tuple(dict.fromkeys(words)), records, tuple(left))


def paths_followed(data: bytes, goings: Iterable[Going]) -> bytes:
    """Return a text that was taken over, with its paths to who went leading where they lie now."""
    text = data.decode("utf-8", "surrogateescape")
    for going in goings:
        for each in reversed(_apart(_paths(text, going, is_inside=True))):
            text = f"{text[: each.start]}{each.new}{text[each.end :]}"
    return text.encode("utf-8", "surrogateescape")


def is_record(ground: Ground, layout: Layout, path: Path) -> bool:
    """Tell whether a file says what was, so that nothing in it is changed afterwards."""
    top = base_of(ground, layout) / layout.folder.partition("/")[0]
    if not path.is_relative_to(top):
        return False
    inner = path.relative_to(top)
    is_archive = "archive" in inner.stem.casefold()
    is_history = inner.stem == "casting-history" or inner.parts[-2:] == ("casting", "history.json")
    return is_archive or is_history or not _RECORDS.isdisjoint(inner.parts[:-1])


def _files(ground: Ground, goings: Sequence[Going], more: Iterable[Path]) -> dict[Path, set[str]]:
    """Return the files that are looked at, and the layouts whose tools follow what they name."""
    found: dict[Path, set[str]] = {}
    for layout in {going.layout.name: going.layout for going in goings}.values():
        base = base_of(ground, layout)
        names = (layout.folder.partition("/")[0], *(_TOOLS if layout.base is Base.ROOT else ()))
        for name in dict.fromkeys(names):
            try:
                inside = contained(base, base / name)
            except UnsafeName:
                continue  # a link out of the root is not followed
            for path in ground.disk.walk(inside, _DEEP):
                found.setdefault(path, set()).add(layout.name)
    tree = Worktree(ground.disk, ground.root)
    tracked = tree.tracked()
    others = (
        ground.disk.walk(ground.root, _SHALLOW)
        if tracked is None
        else (tree.top / name for name in sorted(tracked))
    )
    for path in (*more, *others):
        if path not in found and (tracked is not None or ".git" not in path.parts):
            is_inside = path.is_relative_to(ground.root) or path in more
            if is_inside and ground.disk.kind(path) == "file":
                found[path] = set()
    return found


def _read(ground: Ground, path: Path) -> bytes | None:
    stamp = ground.disk.stamp(path)  # none for a file as a plan would leave it
    if stamp is not None and stamp.size > _BIGGEST:
        return None
    try:
        data = ground.disk.read(path)
    except Unreadable as error:
        if error.why == "failed":  # it may name who goes, and nobody can tell
            raise NotPossible(str(error), hint="try again; nothing was written") from error
        return None
    return None if b"\0" in data[:4_096] else data


def _addresses(
    ground: Ground, going: Going, path: Path, text: str, memories: Collection[Path]
) -> tuple[list[Found], list[str]]:
    """Return the addresses of a file that a tool follows, and the work that nobody is left for."""
    base = base_of(ground, going.layout)
    home = going.layout.home_of_personas
    top = base / home.partition("/")[0]
    is_team = Part.CHARTER in going.layout.order
    is_own = path.is_relative_to(going.folder)
    if is_own and not going.is_renamed:
        # What goes into an archive, or elsewhere, goes as it is; what stays beside it follows.
        stays = going.files and not any(path == going.folder / old for old, _ in going.files)
        return (_apart(_paths(text, going, is_inside=True)) if stays else []), []
    found = list(_paths(text, going, is_inside=path.is_relative_to(top)))
    left: list[str] = []
    if is_team:
        found += [] if path in memories else _labels(text, going)
        found += _inboxes(text, going) if is_own else ()
        if path == top / "config.json" and going.is_going:
            keys, left = _settings(text, going)
            found += keys
        is_table = path.parent == top and path.stem in _TABLES
        if is_table and going.is_going:
            cells, nobody = _targets(text, going)
            found += cells
            left += nobody
        if path.parent == base / GITHUB_AGENTS and going.is_renamed:
            found += _definition_name(text, going)
    elif going.is_renamed and Part.DEFINITION in going.layout.order:
        found += _calls(text, going)
    if is_own and going.is_renamed:
        found += _own_titles(text, going)
    return _apart(found), left


def _paths(text: str, going: Going, *, is_inside: bool) -> Iterator[Found]:
    home, last = going.layout.home_of_personas, going.layout.home_of_personas.rpartition("/")[2]
    folder = f"{re.escape(home)}/{re.escape(going.place)}"
    for old, new in going.files:
        here = rf"{folder}|{last}/{re.escape(going.place)}" if is_inside else folder
        for match in re.finditer(rf"(?<![\w./-])(?:~/)?(?:{here})/{re.escape(old)}(?!\w)", text):
            yield Found(match.start(), match.end(), new)
    if not going.to_place:
        return
    # A place from the top has its own beginning.
    before = r"(?:~/)?" if going.to_place[:1] == "/" else ""
    for match in re.finditer(rf"(?<![\w.-]){before}{folder}(?![\w-])", text):
        new = going.to_place if going.to_place[:1] == "/" else f"{home}/{going.to_place}"
        yield Found(match.start(), match.end(), new.removeprefix("/"))
    if is_inside and going.to_place[:1] != "/":
        for match in re.finditer(rf"(?<![\w./-]){last}/{re.escape(going.place)}(?=/)", text):
            yield Found(match.start(), match.end(), f"{last}/{going.to_place}")
        for match in _drawn(text, going):
            yield Found(*match.span("place"), going.to_place)


def _drawn(text: str, going: Going) -> Iterator[re.Match[str]]:
    """Yield the folder where it stands by itself: before a file of it, or as a branch of a tree."""
    layout = going.layout
    patterns = [file.pattern for file in (*layout.memory, *layout.profiles)]
    names = {pattern.rpartition("/")[2] for pattern in patterns if "*" not in pattern}
    files = "|".join(re.escape(name) for name in sorted(names))
    place = re.escape(going.place)
    yield from re.finditer(rf"(?<![\w./-])(?P<place>{place})/(?:{files})(?![\w-])", text)
    # A tree may be of other folders: only below that of all personas is the branch theirs.
    home = re.compile(
        rf"(?<![\w-]){re.escape(layout.home_of_personas.rpartition('/')[2])}/?[ \t]*$", re.MULTILINE
    )
    branch = rf"(?:──|--|ΓöÇ)[ \t]*(?P<place>{place})/?(?=[ \t]*$|[ \t]+(?:#|←|<-))"
    for match in re.finditer(branch, text, re.MULTILINE):
        if home.search(text, max(0, text.rfind("```", 0, match.start())), match.start()):
            yield match


def _labels(text: str, going: Going) -> Iterator[Found]:
    if not going.to_name or not going.is_going:
        return
    old = "|".join(map(re.escape, _keys(going)))
    for match in re.finditer(rf"(?<![\w-])squad:(?:{old})(?![\w-])", text):
        yield Found(match.start(), match.end(), f"squad:{slug(going.to_name)}")


def _keys(going: Going) -> tuple[str, ...]:
    """Return what a team's files call somebody where they write no name."""
    last = going.place.rpartition("/")[2]
    return tuple(dict.fromkeys((persona_key(going.name), slug(going.name), last)))


def _inboxes(text: str, going: Going) -> Iterator[Found]:
    """Yield who is said to write what waits in the inbox: `decisions/inbox/hill-{slug}.md`."""
    names = "|".join(map(re.escape, dict.fromkeys((going.name, *_keys(going)))))
    for match in re.finditer(rf"(?<=decisions/inbox/)(?:{names})(?=-[\[{{<*$(])", text):
        yield Found(match.start(), match.end(), slug(going.to_name))


def _settings(text: str, going: Going) -> tuple[list[Found], list[str]]:
    """Return what changes in a team's settings, and which of them are for nobody now."""
    found: list[Found] = []
    left: list[str] = []
    for field in _BY_AGENT:
        for key in dict.fromkeys((*_keys(going), going.name)):
            span = keys_in(text, field, key)
            if span is None:
                continue
            if going.is_renamed:
                found.append(Found(*span, slug(going.to_name)))
            else:
                left.append(f"`{key}` in `{field}`")
    return found, left


def unowned(ground: Ground, layout: Layout) -> Iterator[tuple[Path, str]]:
    """Yield the work that a team's tables give to nobody: the file, and what its row calls it."""
    if Part.CHARTER not in layout.order:
        return
    top = base_of(ground, layout) / layout.home_of_personas.partition("/")[0]
    for name in sorted(_TABLES):
        path = top / f"{name}.md"
        data = _read(ground, path) if ground.disk.kind(path) == "file" else None
        text = data.decode("utf-8", "surrogateescape") if data is not None else ""
        for row in _who_rows(text):
            if all(cell == NOBODY for _, _, cell, _ in row):
                yield path, row[0][3]


def _targets(text: str, going: Going) -> tuple[list[Found], list[str]]:
    """Return what changes in the cells that say who does something, and what nobody does now."""
    found: list[Found] = []
    left: list[str] = []
    for row in _who_rows(text):
        anew = [(start, end, cell, _named_anew(cell, going)) for start, end, cell, _ in row]
        named = [Found(start, end, new) for start, end, _, new in anew if new is not None]
        found += named
        is_left = all(cell == NOBODY if new is None else new == NOBODY for _, _, cell, new in anew)
        left += [row[0][3]] if named and is_left else []
    return found, left


def _who_rows(text: str) -> Iterator[Sequence[tuple[int, int, str, str]]]:
    """Yield the cells of `_who_cells` row by row: who comes first, and who stands in."""
    for _, row in groupby(_who_cells(text), key=lambda cell: text.count("\n", 0, cell[0])):
        yield [*row]


def _who_cells(text: str) -> Iterator[tuple[int, int, str, str]]:
    """Yield each cell that says who does something, with where it stands and its row's work."""
    columns: list[str] = []
    at = 0
    for line in text.splitlines(keepends=True):
        spans = _cells(line)
        texts = [line[start:end] for start, end in spans]
        plain = [re.sub(r"[*`]", "", each).strip().casefold() for each in texts]
        if not spans:
            columns = []
        elif not columns:
            columns = plain
        else:
            is_row = bool(plain) and plain[0] in _ROUTES
            for number, (start, end) in enumerate(spans):
                is_who = number < len(columns) and columns[number] in _ROUTES
                if is_who or (is_row and number):
                    yield at + start, at + end, texts[number], texts[0]
        at += len(line)


def _named_anew(cell: str, going: Going) -> str | None:
    """Return a cell with the new name, or without who is gone; `None` = they are not named."""
    named = _name_pattern(going)
    if named is None or not (named.search(cell) or cell.casefold() == going.place):
        return None
    takes = going.to_name and not re.search(rf"(?<![\w-]){re.escape(going.to_name)}(?![\w-])", cell)
    if takes or going.is_renamed:
        new = named.sub(lambda _: going.to_name, cell)
        return slug(going.to_name) if new == cell else new
    parts = _PARTS.split(cell)
    kept = [
        (parts[number - 1] if number else "", part)
        for number, part in enumerate(parts)
        if number % 2 == 0 and not named.search(part) and _WORD.search(part)
    ]
    rest = "".join(join + part for join, part in kept)
    rest = rest.removeprefix(kept[0][0]) if kept else ""
    return rest.strip() or NOBODY


def _definition_name(text: str, going: Going) -> Iterator[Found]:
    """Yield the `name` of the persona's definition beside the team's folder."""
    match = _NAME_KEY.search(text, 0, len(text) and _front_matter_chars(text))
    keys = {persona_key(going.name), persona_key(going.place)}
    if match is None or persona_key(match["value"]) not in keys:
        return
    is_shown = match["value"] == going.name
    new = going.to_name if is_shown else slug(going.to_name)
    yield Found(match.start("value"), match.end("value"), new)


def _front_matter_chars(text: str) -> int:
    data = text.encode("utf-8", "surrogateescape")
    return len(data[: front_matter_end(data)].decode("utf-8", "surrogateescape"))


def _calls(text: str, going: Going) -> Iterator[Found]:
    """Yield where an agent is called by its name, as Claude Code takes it."""
    name = rf"{re.escape(going.name)}(?![\w-])"
    forms = (
        rf"(?<![\w-])@agent-(?P<name>{name})",
        rf"subagent_type[\"']?[ \t]*[:=][ \t]*[\"']?(?P<name>{name})",
        rf"^agent:[ \t]*[\"']?(?P<name>{name})",
        rf"\"agent\"\s*:\s*\"(?P<name>{name})(?=\")",
        rf"(?<![\w-])(?:Task|Agent)\([^()\n]*?(?<![\w-])(?P<name>{name})",
        rf"\.claude/agents/(?:[\w-]+/)*(?P<name>{name})(?=\.md)",
    )
    for form in forms:
        for match in re.finditer(form, text, re.MULTILINE):
            yield Found(match.start("name"), match.end("name"), going.to_name)


def _own_titles(text: str, going: Going) -> Iterator[Found]:
    """Yield the name in the first heading of a file of the persona's own, and in name fields."""
    named = _name_pattern(going)
    heading = _HEADING.search(text)
    places = [heading.span("title")] if heading is not None else []
    places += [match.span("value") for match in _FIELD.finditer(text)]
    for start, end in places:
        inside = named.search(text, start, end) if named is not None else None
        if inside is not None:
            yield Found(inside.start(), inside.end(), going.to_name)
        elif text[start:end] == going.place:
            yield Found(start, end, slug(going.to_name))


def _name_pattern(going: Going) -> re.Pattern[str] | None:
    return re.compile(rf"(?<![\w-]){re.escape(going.name)}(?![\w-])") if going.name else None


def _names_in(text: str, going: Going) -> Iterator[Found]:
    named = _name_pattern(going)
    if named is not None:
        yield from (Found(match.start(), match.end(), None) for match in named.finditer(text))
    home = re.escape(going.layout.home_of_personas)
    if going.to_place:
        for match in re.finditer(rf"(?<![\w.-]){home}/{re.escape(going.place)}(?![\w-])", text):
            yield Found(match.start(), match.end(), None)


def _words_in(text: str, going: Going, found: Sequence[Found]) -> Iterator[Found]:
    """Yield where prose names who goes, outside of the addresses."""
    if not going.is_going:
        return
    spellings = _spellings(going)
    names = "|".join(map(re.escape, spellings))
    for match in re.finditer(rf"(?<![\w-])(?:{names})(?![\w-])", text) if names else ():
        is_address = any(a.start < match.end() and match.start() < a.end for a in found)
        if not is_address and not _is_file_name(text, match.end()):
            new = spellings[match[0]] if going.is_renamed else None
            yield Found(match.start(), match.end(), new)


def _spellings(going: Going) -> dict[str, str]:
    """Return how prose writes a name, in capitals too, each with the new name written alike."""
    if not going.name:
        return {}
    return {going.name.upper(): going.to_name.upper(), going.name: going.to_name}


def _is_file_name(text: str, end: int) -> bool:
    """Tell whether a word is part of the path of a file, which keeps its name."""
    tail = _TAIL.match(text, end)
    return tail is not None and _FILE.search(tail[0]) is not None


def _apart(found: Iterable[Found]) -> list[Found]:
    """Return what was found in order, the first of those that overlap."""
    kept: list[Found] = []
    for each in sorted(found, key=lambda f: (f.start, -f.end)):
        if not kept or kept[-1].end <= each.start:
            kept.append(each)
    return kept


def _in(text: str, each: Found, known: Sequence[Splice]) -> bool:
    start, end = _bytes_at(text, each)
    return any(k.start <= start < k.end or start <= k.start < end for k in known)


def _bytes_at(text: str, each: Found) -> tuple[int, int]:
    start = len(text[: each.start].encode("utf-8", "surrogateescape"))
    return start, start + len(text[each.start : each.end].encode("utf-8", "surrogateescape"))


def _splices(
    path: Path, data: bytes, text: str, found: Sequence[Found], known: Sequence[Splice]
) -> Iterator[Splice]:
    digest = digest_of(data)
    for each in _apart(found):
        start, end = _bytes_at(text, each)
        new = (each.new or "").encode("utf-8", "surrogateescape")
        if data[start:end] != new and not _in(text, each, known):
            yield Splice(path, start, end, data[start:end], new, digest)


def _line(path: Path, text: str, at: int, *, is_followed: bool) -> Line:
    first = text.rfind("\n", 0, at) + 1
    last = text.find("\n", at)
    shown = text[first : last if last >= 0 else len(text)]
    return Line(path, text.count("\n", 0, at) + 1, shown, is_followed)


def _cells(line: str) -> list[tuple[int, int]]:
    """Return where the text of each cell of a table's row stands; none for another line."""
    if not line.lstrip().startswith("|"):
        return []
    bars = [at for at, sign in enumerate(line) if sign == "|" and line[at - 1 : at] != "\\"]
    rest = line[bars[-1] + 1 :].rstrip("\r\n")
    ends = [*bars[1:], *([len(line.rstrip("\r\n"))] if rest.strip() else [])]
    spans = []
    for start, end in zip(bars, ends, strict=False):
        cell = line[start + 1 : end]
        left = start + 1 + len(cell) - len(cell.lstrip())
        spans.append((left, max(left, start + 1 + len(cell.rstrip()))))
    return spans
