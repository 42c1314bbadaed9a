"""Logs of what an agent met: `.learnings/`, where a heading with an id begins each entry.

The form is that of the skill that writes them (the page is the layout's claim): below
`## [LRN-20260301-001] correction` stand bold fields, `### Summary` and further sections; `pending`
becomes `resolved`, `wont_fix` or `promoted`, and what became of it goes into `### Resolution`.
An edit changes the one field, section or block that it is about, and no other byte.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from remem.edit import markdown_edit
from remem.edit.markdown import Document, parse
from remem.edit.markdown_edit import Edit
from remem.model.entry import Status

PENDING: Final = "pending"
RESOLVED: Final = "resolved"
WONT_FIX: Final = "wont_fix"
PROMOTED: Final = "promoted"
STATUS: Final = "status"

_ID: Final = re.compile(r"\[(?P<id>[A-Z]{2,8}-\d{8}-\w+)\]\s*(?P<rest>.*)")
_FIELD: Final = re.compile(
    r"^[ \t]*\*\*(?P<name>[A-Z][A-Za-z /-]{0,30})(?:\*\*:|:\*\*)[ \t]*(?P<value>[^\r\n]*?)"
    r"(?=[ \t]*\r?$)",
    re.MULTILINE,
)
_SAYS: Final = (
    *("summary", "requested capability", "zusammenfassung", "摘要", "概要", "总结", "總結", "要約"),
    *("problem", "问题", "問題", "問題点"),
)
"""Sections whose text tells an entry in short, the surest first, in languages that logs have."""
_STATUSES: Final[Mapping[str, Status]] = {
    RESOLVED: Status.ACTIVE,
    **dict.fromkeys(("applied", "closed", "completed", "done", "fixed"), Status.ACTIVE),
    PROMOTED: Status.SUPERSEDED,
    "promoted_to_skill": Status.SUPERSEDED,
    WONT_FIX: Status.INVALID,
}
_RULE: Final = re.compile(r"(?:\r?\n|^)[ \t]*(?:-{3,}|\*{3,}|_{3,})[ \t]*\s*\Z")


def entry_headings(document: Document) -> Iterator[tuple[int, int]]:
    """Yield the index of each heading that begins an entry, and where in the file it ends.

    It ends at the next heading of its level or above, or at the next one with an id.
    """
    headings = document.headings
    for number, heading in enumerate(headings):
        if _ID.match(heading.title) is None:
            continue
        ends = (
            other.start
            for other in headings[number + 1 :]
            if other.level <= heading.level or _ID.match(other.title) is not None
        )
        yield number, next(ends, len(document.data))


def ids(data: bytes) -> Iterator[str]:
    """Yield the ids of a log's entries, in its order."""
    document = parse(data)
    yield from (id_of(document.headings[at].title) for at, _ in entry_headings(document))


_FILES: Final[Mapping[str, str]] = {
    "LRN": "LEARNINGS.md",
    "ERR": "ERRORS.md",
    "FEAT": "FEATURE_REQUESTS.md",
}
"""Where the skill logs what, by how the ids begin."""


def log_of(name: str, logs: Sequence[tuple[Path, bytes]]) -> tuple[Path, bytes]:
    """Return the log that an entry with that id belongs in: where the others of its kind are.

    Args:
        name: The id.
        logs: At least one.
    """
    kind = name.partition("-")[0]
    holds = (log for log in logs if any(each.startswith(f"{kind}-") for each in ids(log[1])))
    called = (log for log in logs if log[0].name.casefold() == _FILES.get(kind, "").casefold())
    return next(holds, None) or next(called, None) or logs[0]


def put_among(document: Document, name: str, block: str) -> Edit:
    """Plan to put an entry into a log: where its id has its place, at the end where none has.

    Args:
        document: The log.
        name: The entry's id.
        block: Whole lines that end in LF, with the rule that parts it from the next.
    """
    at = [
        (document.headings[n], id_of(document.headings[n].title))
        for n, _ in entry_headings(document)
    ]
    is_newest_first = len(at) > 1 and _day(at[0][1]) > _day(at[-1][1])
    for heading, other in at:
        if (_day(other) < _day(name)) if is_newest_first else (_day(other) > _day(name)):
            text = f"{block.rstrip()}\n\n".replace("\n", document.newline)
            return Edit(heading.start, heading.start, text.encode())
    return markdown_edit.append(document, block, blank_lines=1)


def _day(name: str) -> str:
    """Return what ids of one log are ordered by."""
    return name.partition("-")[2]


def id_of(title: str) -> str:
    """Return the id that a heading begins with; empty = none."""
    match = _ID.match(title)
    return match["id"] if match is not None else ""


def without_rule(text: str) -> str:
    """Return an entry without the rule that parts it from the next."""
    return _RULE.sub("", text.rstrip()).rstrip()


def title_of(text: str, heading: str) -> str:
    """Return what an entry says in short: its summary, else what its heading calls it.

    Args:
        text: What stands below its heading.
        heading: The heading's title.
    """
    place = _summary(text)
    if place is not None and text[slice(*place)].strip():
        return _plain(text[slice(*place)])
    match = _ID.match(heading)
    return (match["rest"].strip() if match is not None else "") or heading


def fields_of(text: str, heading: str) -> dict[str, str]:
    """Return an entry's id, category, bold fields and sections, by names in lower case."""
    match = _ID.match(heading)
    found = {"id": match["id"], "category": match["rest"].strip()} if match is not None else {}
    for field in _FIELD.finditer(_head(text)):
        found.setdefault(_name(field["name"]), field["value"])
    for title, said in _sections(without_rule(text)):
        if said.strip():
            found.setdefault(_name(title), _plain(said))
    return {name: value for name, value in found.items() if value}


def status_of(text: str) -> Status:
    """Return what an entry's `Status` says; what is not settled waits."""
    for field in _FIELD.finditer(_head(text)):
        if field["name"].casefold() == STATUS:
            words = re.split(
                r"[\s(—–:,;]", field["value"].strip().strip("`").casefold(), maxsplit=1
            )
            return _STATUSES.get(words[0], Status.CANDIDATE)
    return Status.CANDIDATE


def with_field(text: str, name: str, value: str, newline: str) -> str:
    """Return an entry with a bold field set; a new one stands below the status, else at the top.

    Args:
        text: What stands below the heading.
        name: As it is written.
        value: One line.
        newline: The file's line end.
    """
    fields = [*_FIELD.finditer(_head(text))]
    for field in fields:
        if field["name"].casefold() == name.casefold():
            return text[: field.start("value")] + value + text[field.end("value") :]
    line = f"**{name}**: {value}"
    before = next((each for each in fields if each["name"].casefold() == STATUS.casefold()), None)
    if before is not None:
        at = before.end() + len(text[before.end() :]) - len(text[before.end() :].lstrip(" \t"))
        return f"{text[:at]}{newline}{line}{text[at:]}"
    return f"{newline}{newline}{line}{newline}{text.lstrip(chr(13) + chr(10))}" if text else line


def with_summary(text: str, said: str, newline: str) -> str | None:
    """Return an entry with another summary; `None` where it has no section for one."""
    place = _summary(text)
    if place is None:
        return None
    start, end = place
    old = text[start:end]
    lead = old[: len(old) - len(old.lstrip())]
    tail = old[len(old.rstrip()) :]
    new = newline.join(said.strip().splitlines())
    return text[:start] + lead + new + tail + text[end:]


def _summary(text: str) -> tuple[int, int] | None:
    """Return where the text stands that tells an entry in short; `None` where nothing does."""
    found = [
        (not text[start:end].strip(), _SAYS.index(title.casefold()), start, end)
        for start, end, title in _spans(text)
        if title.casefold() in _SAYS
    ]
    return min(found)[2:] if found else None


def with_resolution(text: str, lines: Sequence[str], newline: str) -> str:
    """Return an entry with what became of it, behind all that it says and before its rule.

    A resolution that is there takes the lines at its end.
    """
    kept = without_rule(text)
    tail = text[len(kept) :]
    has = any(title.casefold() == "resolution" for title, _ in _sections(kept))
    head = "" if has else f"{newline}{newline}### Resolution"
    return kept + head + "".join(f"{newline}- {line}" for line in lines) + tail


def with_metadata(text: str, name: str, value: str, newline: str) -> str:
    """Return an entry whose metadata names a value more, behind those that are there.

    Args:
        text: What stands below its heading.
        name: As it is written, `See Also`.
        value: One line.
        newline: The file's line end.
    """
    line = re.compile(rf"^[ \t]*[-*][ \t]+{re.escape(name)}:[ \t]*(?P<said>[^\r\n]*)", re.MULTILINE)
    kept = len(without_rule(text))
    end, resolved = 0, kept
    for start, stop, title in _spans(text):
        if title.casefold() == "metadata":
            there = line.search(text, start, stop)
            if there is not None:
                parted = ", " if there["said"].strip() else ""
                return text[: there.end()].rstrip(" \t") + parted + value + text[there.end() :]
            end = start + len(text[start : min(stop, kept)].rstrip())
        elif title.casefold() == "resolution":
            resolved = text.rindex("###", 0, start)
    if end:
        return f"{text[:end]}{newline}- {name}: {value}{text[end:]}"
    before, behind = text[:resolved].rstrip(), text[resolved:]
    gap = newline * 2 if resolved < kept else ""
    return f"{before}{newline * 2}### Metadata{newline}- {name}: {value}{gap}{behind}"


def _head(text: str) -> str:
    """Return what stands above the first section of an entry."""
    first = next(_spans(text), None)
    if first is None:
        return text
    data = text.encode()
    return data[: parse(data).headings[0].start].decode()


def _sections(text: str) -> Iterator[tuple[str, str]]:
    for start, end, title in _spans(text):
        yield title, text[start:end]


def _spans(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield where the text of each section starts and ends, in characters, and its title."""
    data = text.encode()
    headings = parse(data).headings
    for number, heading in enumerate(headings):
        stop = headings[number + 1].start if number + 1 < len(headings) else len(data)
        start = len(data[: heading.end].decode())
        yield start, len(data[:stop].decode()), heading.title


def _plain(text: str) -> str:
    return "\n".join(text.strip().splitlines())


def _name(text: str) -> str:
    return text.strip().casefold().replace(" ", "_").replace("-", "_")
