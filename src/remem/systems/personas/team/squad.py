"""What is particular to Squad: decisions by heading, roster, registry, a charter's title."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from remem.base.frozen import dataclass
from remem.edit.markdown import BOM, Document
from remem.edit.markdown_edit import Edit

_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_DATE_AT_START: Final = re.compile(r"\W*\d{4}-\d{2}-\d{2}")
_DATE_AND_COLON: Final = re.compile(
    r"\W*\d{4}-\d{2}-\d{2}"
    r"(?:[T ]\d{2}[-:]\d{2}(?:[-:]\d{2}(?:\.\d+)?)?(?:Z|[-+]\d{2}:?\d{2})?)?\s*[:—–-]?\s*"
)
_NO_WORD: Final = re.compile(r"[\W_]+")
_FIELD: Final = re.compile(
    r"^[ \t]*(?:[-*+] )?\*\*(?P<name>[A-Z][A-Za-z ]{0,30}):\*\*[ \t]*(?P<value>.*)$", re.MULTILINE
)
_DECIDED: Final = re.compile(
    rb"^[ \t]*(?:[-*+] )?\*\*(?:By|Author|Date|Decided by):\*\*", re.MULTILINE | re.IGNORECASE
)
_POINTERS: Final = frozenset({"merged_into", "succeeded_by"})
"""Fields of a registry that name another agent by its key."""
_DECODER: Final = json.JSONDecoder(strict=False)
_SPACE: Final = re.compile(r"[ \t\r\n]*")
_TITLE: Final = re.compile(
    r"^\ufeff?#[ \t]+(?P<name>\S.*?)[ \t]+[—–-][ \t]+(?P<role>\S.*)$", re.MULTILINE
)


def entry_headings(document: Document) -> tuple[int, ...]:
    """Return the indexes of the headings that begin a decision, in file order.

    A heading with a date at its start, one right above the fields of a decision (`**By:**`,
    `**Date:**` …) at the upper three levels, or any `###` that lies below no undated one of those.
    A log with more headings of level one than dated ones keeps an entry at each of them that does
    not itself begin with such a decision. A heading of the same level or above ends an entry, and
    begins one that has what stands below it.
    """
    headings = document.headings
    dated = {i for i, heading in enumerate(headings) if _DATE_AT_START.match(heading.title)}
    told = {number for number in range(len(headings)) if _has_fields(document, number)}
    top = [index for index, heading in enumerate(headings) if heading.level == 1]
    # Counted, so that one more decision in another form is read beside the others, as it stands.
    is_by_top = len(top) > max(sum(_DATE.search(each.title) is not None for each in headings), 1)
    if is_by_top and _is_bare_title(document, top):
        top = top[1:]
    whole = {at for at in top if is_by_top and not _holds(document, at, dated | told)}
    own = {
        number
        for number, heading in enumerate(headings)
        if heading.level == 3 and not _is_inside(document, number, (told - dated) | whole)
    }
    inside = {number for number in told if _is_inside(document, number, whole)}
    return tuple(_with_what_ends_them(document, own | dated | whole | (told - inside)))


def _is_bare_title(document: Document, top: Sequence[int]) -> bool:
    """Tell whether the first heading is the log's own: the next begins with nothing in between."""
    first, second = (document.headings[at] for at in top[:2])
    return top[0] == 0 and not document.data[first.end : second.start].strip()


def _holds(document: Document, top: int, sure: Collection[int]) -> bool:
    """Tell whether a heading holds decisions: the first below it that could begin one, does."""
    below = range(top + 1, len(document.headings))
    for number, heading in zip(below, document.headings[top + 1 :], strict=True):
        if heading.level == 1:
            return False
        if heading.level == 3 or number in sure:
            return number in sure
    return False


def _with_what_ends_them(document: Document, entries: Collection[int]) -> Iterator[int]:
    """Yield the headings of entries, and each other that ends one."""
    level = 0
    for number, heading in enumerate(document.headings):
        if number in entries or heading.level <= level:
            yield number
            level = heading.level


def _has_fields(document: Document, number: int) -> bool:
    """Tell whether the fields of a decision stand right below a heading."""
    headings = document.headings
    heading = headings[number]
    if heading.level > 3:
        return False
    end = headings[number + 1].start if number + 1 < len(headings) else len(document.data)
    return _DECIDED.search(document.data, heading.end, end) is not None


def _is_inside(document: Document, number: int, sure: Collection[int]) -> bool:
    at = document.headings[number].parent
    while at >= 0:
        if at in sure:
            return True
        at = document.headings[at].parent
    return False


def without_date(title: str) -> str:
    """Return a heading's text without the date and colon that it starts with."""
    match = _DATE_AND_COLON.match(title)
    return title[match.end() :] or title if match is not None else title


def title_of(text: str) -> str:
    """Return the first line that says something, without heading marks and date."""
    for line in text.splitlines():
        plain = line.strip().lstrip("#").strip()
        if plain:
            return without_date(plain)
    return ""


def decision_fields(text: str) -> dict[str, str]:
    """Return the bold fields of a decision, names in lower case, the first of each."""
    fields: dict[str, str] = {}
    for match in _FIELD.finditer(text):
        fields.setdefault(match["name"].casefold(), match["value"].strip())
    return fields


def with_decision_fields(text: str, title: str, fields: Mapping[str, str]) -> str | None:
    """Return a decision that says other things in its fields; `None` where it has no such field.

    Args:
        text: All of it, its heading too.
        title: What its heading calls it now.
        fields: `title`, `date`, or the name of a bold field in lower case: what it is to say.
    """
    for name, said in fields.items():
        if name == "title":
            at = text.find(title)
            found = (at, at + len(title)) if title and at >= 0 else None
        else:
            every = (m for m in _FIELD.finditer(text) if m["name"].casefold() == name)
            match = next(every, None) or (_DATE.search(text) if name == "date" else None)
            found = match.span("value" if match.re is _FIELD else 0) if match is not None else None
        if found is None:
            return None
        end = text[found[1] - 1 : found[1]] == "\r"
        text = f"{text[: found[0]]}{said}{text[found[1] - end :]}"
    return text


def charter_title(data: bytes) -> tuple[str, str]:
    """Return name and role of a charter's title; empty texts where it has none."""
    match = _TITLE.search(data.decode("utf-8", "replace"))
    return (match["name"], match["role"].strip()) if match is not None else ("", "")


def retitle_charter(data: bytes, name: str) -> Edit | None:
    """Plan to write another name into `# {Name} — {Role}`; `None` if there is no such title."""
    text = data.decode("utf-8", "surrogateescape")
    match = _TITLE.search(text)
    if match is None:
        return None
    return edit_at(text, match.start("name"), match.end("name"), name)


@dataclass(frozen=True, slots=True)
class Member:
    """A row of the roster in `team.md`."""

    name: str
    role: str
    charter: str
    status: str
    start: int
    """Of the row, in bytes."""
    end: int

    @property
    def folder(self) -> str:
        """The folder that its charter lies in; empty = it names none."""
        match = _CHARTER.search(self.charter)
        return match["folder"] if match is not None else ""


@dataclass(frozen=True, slots=True)
class Table:
    """The table of `team.md` that says who is on the team."""

    columns: tuple[str, ...]
    """In lower case."""
    members: tuple[Member, ...]
    end: int
    """Where a row is added: behind the last one, line end included."""
    is_ended: bool


def roster(data: bytes) -> tuple[Member, ...]:
    """Return who is on the team, in file order."""
    found = members_table(data)
    return found.members if found is not None else ()


def members_table(data: bytes) -> Table | None:
    """Return the table that is the roster; `None` where there is none.

    It is the one below `## Members`, or below `## Team Roster` as older teams have it. A file
    without either has it where a table has a column for charters, else where the first one has
    names and roles. The coordinator's is never it: nobody there has a memory.
    """
    tables = tuple(_tables(data))
    below = [table for heading, table in tables if heading == _MEMBERS]
    if below or _has_heading(data, _MEMBERS):
        return next((table for table in below if "name" in table.columns), None)
    older = [each for heading, each in tables if heading == _ROSTER and "name" in each.columns]
    if older:
        return older[0]
    named = [
        table
        for heading, table in tables
        if {"name", "role"} <= set(table.columns) and heading != _COORDINATOR
    ]
    with_charters = [table for table in named if "charter" in table.columns]
    return next(iter((*with_charters, *named)), None)


_MEMBERS: Final = "members"
_ROSTER: Final = "team roster"
_COORDINATOR: Final = "coordinator"
_CHARTER: Final = re.compile(r"agents/(?P<folder>[^/\s`)\]]+)/charter\.md")
_HEADING: Final = re.compile(rb"[ ]{0,3}#{1,6}[ \t]+(?P<title>.*?)[ \t#]*$")
_FENCE: Final = (b"```", b"~~~")


def _lines(data: bytes) -> Iterator[tuple[int, bytes, str | None]]:
    """Yield where each line outside of fenced code starts, the line, and the heading it is."""
    at = len(BOM) if data.startswith(BOM) else 0
    fence = b""
    for line in data[at:].splitlines(keepends=True):
        mark = line.strip()[:3]
        if mark in _FENCE and fence in (b"", mark):
            fence = b"" if fence else mark
        elif not fence:
            match = _HEADING.match(line.rstrip(b"\r\n"))
            title = match["title"].decode("utf-8", "replace") if match is not None else None
            yield at, line, None if title is None else title.strip().casefold()
        at += len(line)


def _has_heading(data: bytes, wanted: str) -> bool:
    return any(heading == wanted for _, _, heading in _lines(data))


def _tables(data: bytes) -> Iterator[tuple[str, Table]]:
    """Yield each table with the heading that it stands below."""
    under = ""
    rows: list[tuple[int, bytes]] = []
    for at, line, heading in (*_lines(data), (len(data), b"", None)):
        if cells(line):
            rows.append((at, line))
            continue
        if rows:
            yield under, _table_of(rows)
            rows = []
        under = under if heading is None else heading


def _table_of(rows: Sequence[tuple[int, bytes]]) -> Table:
    columns = tuple(text.casefold() for text in cells(rows[0][1]))
    members = []
    for at, line in rows[1:]:
        texts = cells(line)
        if all(set(text) <= set("-: ") for text in texts):
            continue
        row = dict(zip(columns, texts, strict=False))
        members.append(
            Member(
                _unmarked(row.get("name", "")),
                row.get("role", ""),
                row.get("charter", ""),
                row.get("status", ""),
                at,
                at + len(line.rstrip(b"\r\n")),
            )
        )
    last, line = rows[-1]
    return Table(columns, tuple(members), last + len(line), line.endswith((b"\n", b"\r")))


def rename_member(data: bytes, member: Member, name: str, old: str, new: str) -> Edit:
    """Plan to change a row's name, and the folder in its charter's path."""
    row = data[member.start : member.end].decode("utf-8", "surrogateescape")
    cell = rf"(\|\s*{_OPENING}){re.escape(member.name)}({_CLOSING}\s*\|)"
    changed = re.sub(cell, lambda found: f"{found[1]}{name}{found[2]}", row, count=1)
    changed = in_another_folder(changed, old, new)
    return Edit(member.start, member.end, changed.encode("utf-8", "surrogateescape"))


def in_another_folder(row: str, old: str, new: str) -> str:
    """Return a row whose charter lies in another folder: `agents/{old}/`, from wherever."""
    return re.sub(rf"(?<![\w-])agents/{re.escape(old)}/", lambda _: f"agents/{new}/", row)


_OPENING: Final = r"(?:\*\*|`|\[)*"
_CLOSING: Final = r"(?:\*\*|`|\]\([^()|]*\))*"
_MARKED: Final = re.compile(rf"{_OPENING}(?P<name>.*?){_CLOSING}")


def _unmarked(cell: str) -> str:
    """Return a name without what makes it a link, bold or code: `[Hill](https://…)` is Hill."""
    match = _MARKED.fullmatch(cell)
    return match["name"] if match is not None else cell


def cells(line: bytes) -> list[str]:
    """Return the texts of a table's row; none for another line."""
    text = line.decode("utf-8", "replace").strip().lstrip("\ufeff")
    if not text.startswith("|"):
        return []
    return [cell.strip() for cell in text.strip("|").split("|")]


def registry(data: bytes) -> dict[str, Mapping[str, Any]]:
    """Return the agents of `casting/registry.json` by key; none if it cannot be read."""
    try:
        value = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return {}
    agents = value.get("agents") if isinstance(value, dict) else None
    if not isinstance(agents, dict):
        return {}
    return {key: agent for key, agent in agents.items() if isinstance(agent, dict)}


def registered_name(key: str, agent: Mapping[str, Any]) -> str:
    """Return what an agent of the registry is called: older ones have no name of their own."""
    names = (agent.get("persistent_name"), agent.get("name"))
    return next((name for name in names if isinstance(name, str) and name), key)


def rename_registered(data: bytes, key: str, name: str, new_key: str) -> bytes | None:
    """Return the registry with an agent's new key and name, and the old one as `previous_name`.

    Who was merged into that agent, or succeeded by it, points at the new key. `None` if it has no
    name there, or would say anything else besides.
    """
    text = data.decode("utf-8", "surrogateescape")
    agent = registry(data).get(key)
    at = value_at(text, "agents")
    if agent is None or at is None:
        return None
    old = registered_name(key, agent)
    wanted: dict[str, Any] = dict(agent)
    wanted |= {field: name for field in ("persistent_name", "name") if field in agent}
    wanted |= {"handle": new_key} if agent.get("handle") == key else {}
    if not {"persistent_name", "name"} & set(agent):
        return None
    wanted |= {
        field: in_another_folder(value, key, new_key)
        for field, value in agent.items()
        if isinstance(value, str) and f"agents/{key}/" in value
    }
    for field in agent:
        place = value_at(text, "agents", key, field)
        if place is not None and wanted[field] != agent[field]:
            text = _written(text, place, wanted[field])
    place = value_at(text, "agents", key)
    if old != name and place is not None:
        wanted["previous_name"] = old
        known = value_at(text, "agents", key, "previous_name")
        edit = None if known is not None else inserted(text, place, "previous_name", old)
        if known is not None:
            text = _written(text, known, old)
        elif edit is not None:
            text = edit.apply(text.encode("utf-8", "surrogateescape")).decode(
                "utf-8", "surrogateescape"
            )
    spot = _key_at(text, at, key)
    if spot is not None and new_key != key:
        _, end = _DECODER.raw_decode(text, spot)
        text = f"{text[:spot]}{json.dumps(new_key, ensure_ascii=False)}{text[end:]}"
    others = {each: _pointing(value, key, new_key) for each, value in registry(data).items()}
    for each, value in others.items():
        for field in _POINTERS & value.keys() if each != key else ():
            place = value_at(text, "agents", each, field)
            if place is not None and value[field] != registry(data)[each][field]:
                text = _written(text, place, value[field])
    after = text.encode("utf-8", "surrogateescape")
    expected = {
        new_key if each == key else each: wanted if each == key else value
        for each, value in others.items()
    }
    return after if json.dumps(registry(after)) == json.dumps(expected) else None


def _pointing(agent: Mapping[str, Any], key: str, new_key: str) -> dict[str, Any]:
    """Return what a registry says of somebody, with who took over under the new key."""
    return {
        field: new_key if field in _POINTERS and value == key else value
        for field, value in agent.items()
    }


def slug(name: str) -> str:
    """Return what folder, key and label of a member are called: lower-case kebab, as Squad does it.

    Letters of other alphabets stay, where Squad would leave nothing.
    """
    return _NO_WORD.sub("-", name.lower()).strip("-") or name


def keys_in(text: str, field: str, key: str) -> tuple[int, int] | None:
    """Return where a key of the JSON object that a top-level field holds is written.

    Offsets in characters, quotes left out; `None` = there is no such key, or the text is no JSON.
    """
    try:
        at = value_at(text, field)
        spot = _key_at(text, at, key) if at is not None else None
        if spot is None:
            return None
        _, end = _DECODER.raw_decode(text, spot)
    except (ValueError, RecursionError):
        return None
    return spot + 1, end - 1


def _written(text: str, at: int, value: str) -> str:
    _, end = _DECODER.raw_decode(text, at)
    return f"{text[:at]}{json.dumps(value, ensure_ascii=False)}{text[end:]}"


def _key_at(text: str, at: int, key: str) -> int | None:
    """Return where the last `key` of the JSON object at `at` is written."""
    at = _skip(text, at)
    found = None
    if text[at : at + 1] != "{":
        return None
    at = _skip(text, at + 1)
    while text[at : at + 1] == '"':
        start = at
        name, at = _DECODER.raw_decode(text, at)
        found = start if name == key else found
        _, at = _DECODER.raw_decode(text, _skip(text, _skip(text, at) + 1))
        at = _skip(text, at)
        if text[at : at + 1] == ",":
            at = _skip(text, at + 1)
    return found


def value_at(text: str, *steps: str) -> int | None:
    """Return where the value below these keys starts in a JSON text; `None` if there is none."""
    at = 1 if text.startswith("\ufeff") else 0
    for step in steps:
        found = _member(text, at, step)
        if found is None:
            return None
        at = found
    return at


def _member(text: str, at: int, key: str) -> int | None:
    """Return where the value of the last `key` of the JSON object at `at` starts."""
    spot = _key_at(text, at, key)
    if spot is None:
        return None
    _, end = _DECODER.raw_decode(text, spot)
    return _skip(text, _skip(text, end) + 1)


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match is not None else at


def edit_at(text: str, start: int, end: int, new: str) -> Edit:
    """Plan an edit; offsets in characters become offsets in bytes."""
    before = len(text[:start].encode("utf-8", "surrogateescape"))
    old = len(text[start:end].encode("utf-8", "surrogateescape"))
    return Edit(before, before + old, new.encode())


def inserted(text: str, at: int, key: str, value: object) -> Edit | None:
    """Plan to add a member at the end of the JSON object at `at`, written as those in it are."""
    decoder = json.JSONDecoder(strict=False)
    found, end = decoder.raw_decode(text, at)
    if not isinstance(found, dict):
        return None
    close = end - 1
    inside = text[at + 1 : close]
    last = at + 1 + len(inside.rstrip())
    lead = inside[: len(inside) - len(inside.lstrip())]
    comma = "," if found else ""
    if "\n" not in inside:
        plain = json.dumps(value, ensure_ascii=False)
        gap = " " if found else ""
        return edit_at(text, last, last, f"{comma}{gap}{json.dumps(key)}: {plain}")
    line = text[text.rfind("\n", 0, at) + 1 : at]
    outer = line[: len(line) - len(line.lstrip())]
    indent = lead.rpartition("\n")[2] if found else f"{outer}  "
    step = indent.removeprefix(outer) or "  "
    newline = "\r\n" if "\r\n" in inside else "\n"
    rendered = json.dumps(value, ensure_ascii=False, indent=step)
    rendered = rendered.replace("\n", f"{newline}{indent}")
    tail = "" if found else f"{newline}{outer}"
    stop = last if found else close
    added = f"{comma}{newline}{indent}{json.dumps(key, ensure_ascii=False)}: {rendered}{tail}"
    return edit_at(text, last, stop, added)
