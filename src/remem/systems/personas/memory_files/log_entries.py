"""Logs of what an agent met: `.learnings/`, where a heading with an id begins each entry.

The form is that of the skill that writes them (the page is the layout's claim): below
`## [LRN-20260301-001] correction` stand bold fields, `### Summary` and further sections; `pending`
becomes `resolved`, `wont_fix` or `promoted`, and what became of it goes into `### Resolution`.
An edit changes the one field, section or block that it is about, and no other byte.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from remem.edit import markdown_edit
from remem.edit.markdown import Document, Kind, parse
from remem.edit.markdown_edit import Edit
from remem.model.entry import Status

PENDING: Final = "pending"
IN_PROGRESS: Final = "in_progress"
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
_TO_CHOOSE: Final = "|"
"""Stands for the status of a template."""
_STATUSES: Final[Mapping[str, Status]] = {
    RESOLVED: Status.ACTIVE,
    **dict.fromkeys(("applied", "closed", "completed", "done", "fixed"), Status.ACTIVE),
    **dict.fromkeys(("implemented", "integrated", "shipped", "verified"), Status.ACTIVE),
    **dict.fromkeys(("active", "confirmed", "validated"), Status.ACTIVE),
    _TO_CHOOSE: Status.ACTIVE,
    PROMOTED: Status.SUPERSEDED,
    "promoted_to_skill": Status.SUPERSEDED,
    WONT_FIX: Status.INVALID,
    **dict.fromkeys(("declined", "wontfix", "won't_fix"), Status.INVALID),
}
_UNDER_WAY: Final = frozenset({IN_PROGRESS, "investigating", "wip"})
_STATUS_WORD: Final = re.compile(r"[^\w]*(?P<word>\w[\w'’-]*(?:[ ](?:progress|fix)\b)?)")
_BULLET: Final = re.compile(
    r"^[ \t]*[-*+][ \t]+(?:\*\*)?(?P<name>[A-Z][\w /-]{0,30}?)(?:\*\*:|:\*\*|:)"
    r"(?P<value>.*)"
)
_LIFTED: Final = re.compile(
    r"^[ \t]*(?:[-*+][ \t]+)?(?:\*\*)?(?:Promoted(?:[ -][Tt]o)?|Skill-Path)(?:\*\*:|:\*\*|:)"
    r"(?P<value>[^\r\n]*)",
    re.MULTILINE,
)
_OTHER_ID: Final = re.compile(r"\b[A-Z]{2,8}-\d{8}-\w+")
_METADATA: Final = "metadata"
_RESOLUTION: Final = "resolution"
_DESCRIBES: Final = frozenset({_METADATA, _RESOLUTION})
"""Sections that tell when and of what an entry is, and what became of it."""
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
        is_metadata = title.casefold() == _METADATA
        rest = "\n".join(_taken_apart(said, found)) if is_metadata else said
        if rest.strip():
            found.setdefault(_name(title), _plain(rest))
    return {name: value for name, value in found.items() if value}


def _taken_apart(said: str, found: dict[str, str]) -> Iterator[str]:
    """Put what metadata names into fields of their own; yield the lines that name nothing new."""
    for line in said.splitlines():
        bullet = _BULLET.match(line)
        if bullet is None or _name(bullet["name"]) in found:
            yield line
        else:
            found[_name(bullet["name"])] = bullet["value"].strip()


def status_of(text: str) -> Status:
    """Return what an entry's `Status` says; what is not settled waits, but for a template.

    That leaves the choice: `open | resolved`.
    """
    return _STATUSES.get(_status_word(text), Status.CANDIDATE)


def is_under_way(text: str) -> bool:
    """Tell whether an entry's `Status` says that somebody works on it."""
    return _status_word(text) in _UNDER_WAY


def _status_word(text: str) -> str:
    """Return the first word of an entry's `Status` as the skill spells it; empty = it has none."""
    found = (f["value"] for f in _FIELD.finditer(_head(text)) if f["name"].casefold() == STATUS)
    said = next(found, "")
    match = _STATUS_WORD.match(said)
    if match is None:
        return ""
    if "|" in said:
        return _TO_CHOOSE
    return re.sub(r"[ -]", "_", match["word"].casefold().replace("’", "'"))


def times_seen(fields: Mapping[str, str]) -> int:
    """Return how often an entry says that it was met; 0 = it does not say."""
    match = re.match(r"[0-9]{1,6}", fields.get("recurrence_count", ""))
    return int(match[0]) if match is not None else 0


def ids_in(text: str) -> tuple[str, ...]:
    """Return the ids of entries that a text names, each once."""
    return tuple(dict.fromkeys(_OTHER_ID.findall(text)))


def lifted_to(text: str) -> tuple[str, ...]:
    """Return what an entry says of where it was promoted to, wherever it says so."""
    if "romoted" not in text and "Skill-Path" not in text:
        return ()
    data = text.encode()
    fences = [u for u in parse(data).units if u.kind is Kind.FENCE]
    found = (
        match["value"].strip()
        for match in _LIFTED.finditer(text)
        if not any(u.start <= len(text[: match.start()].encode()) < u.end for u in fences)
    )
    return tuple(filter(None, dict.fromkeys(found)))


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
    below = f"{newline}{text.lstrip(chr(13) + chr(10))}" if text else ""
    return f"{newline}{newline}{line}{below}"


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


def below_summary(text: str) -> str:
    """Return what the sections of an entry say besides its summary, by their titles.

    What describes the entry, and what became of it, is left out.
    """
    kept = without_rule(text)
    place = _summary(kept)
    return "\n".join(
        f"{title.casefold()}\n{kept[start:end].strip()}"
        for start, end, title in _spans(kept)
        if (start, end) != place and title.casefold() not in _DESCRIBES
    )


def with_resolution(text: str, lines: Sequence[str], newline: str) -> str:
    """Return an entry with what became of it, behind all that it says and before its rule.

    A resolution that is there takes the lines at its end.
    """
    kept = without_rule(text)
    tail = text[len(kept) :]
    has = any(title.casefold() == _RESOLUTION for title, _ in _sections(kept))
    head = "" if has else f"{newline}{newline}### Resolution"
    return kept + head + "".join(f"{newline}- {line}" for line in lines) + tail


def with_metadata(text: str, name: str, value: str, newline: str, *, more: bool = True) -> str:
    """Return an entry whose metadata names a value more, behind those that are there.

    Args:
        text: What stands below its heading.
        name: As it is written, `See Also`.
        value: One line.
        newline: The file's line end.
        more: False = the value takes the place of what is there.
    """
    line = re.compile(rf"^[ \t]*[-*][ \t]+{re.escape(name)}:[ \t]*(?P<said>[^\r\n]*)", re.MULTILINE)
    kept = len(without_rule(text))
    end, resolved = 0, kept
    for start, stop, title in _spans(text):
        if title.casefold() == _METADATA:
            there = line.search(text, start, stop)
            if there is not None:
                if not more:
                    return text[: there.start("said")] + value + text[there.end() :]
                parted = ", " if there["said"].strip() else ""
                return text[: there.end()].rstrip(" \t") + parted + value + text[there.end() :]
            end = start + len(text[start : min(stop, kept)].rstrip())
        elif title.casefold() == _RESOLUTION:
            resolved = text.rindex("###", 0, start)
    if end:
        return f"{text[:end]}{newline}- {name}: {value}{text[end:]}"
    before, behind = text[:resolved].rstrip(), text[resolved:]
    gap = newline * 2 if resolved < kept else ""
    return f"{before}{newline * 2}### Metadata{newline}- {name}: {value}{gap}{behind}"


def _head(text: str) -> str:
    """Return what stands above the first section of an entry."""
    sections = _taken_in_sections(text)
    return text[: sections[0].heading] if sections else text


def _sections(text: str) -> Iterator[tuple[str, str]]:
    for start, end, title in _spans(text):
        yield title, text[start:end]


def _spans(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield where the text of each section starts and ends, in characters, and its title."""
    yield from ((each.start, each.end, each.title) for each in _taken_in_sections(text))


class _Section(NamedTuple):
    """Where a section of an entry stands, in characters."""

    heading: int
    start: int
    end: int
    title: str


@lru_cache(maxsize=256)
def _taken_in_sections(text: str) -> tuple[_Section, ...]:
    """Take an entry apart; what is read of it is asked for one after the other."""
    data = text.encode()
    headings = parse(data).headings
    ends = [*(each.start for each in headings[1:]), len(data)]
    if text.isascii():
        return tuple(
            _Section(each.start, each.end, end, each.title)
            for each, end in zip(headings, ends, strict=False)
        )

    def characters(at: int) -> int:
        return len(data[:at].decode())

    return tuple(
        _Section(characters(each.start), characters(each.end), characters(end), each.title)
        for each, end in zip(headings, ends, strict=False)
    )


def _plain(text: str) -> str:
    return "\n".join(text.strip().splitlines())


def _name(text: str) -> str:
    return text.strip().casefold().replace(" ", "_").replace("-", "_")
