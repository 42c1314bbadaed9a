"""Keeps a team's roster and registry in step: who joins, who retires, who comes back.

Every edit is one piece of bytes, tried and read again; where a list is written in a way that does
not allow it, there is no edit, and whoever asked says so.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NoReturn

from remem.base.errors import Refused
from remem.base.frozen import dataclass
from remem.edit.markdown_edit import Edit
from remem.model.change import Splice
from remem.model.entry import digest_of
from remem.model.layout import Part
from remem.model.roles import persona_key
from remem.systems.personas.source import PersonaSource
from remem.systems.personas.team import squad

ACTIVE: Final = "Active"
RETIRED: Final = "Retired"
_PLAIN: Final = re.compile(r"\bactive\b", re.IGNORECASE)
_WAS: Final = re.compile(rf"{RETIRED} \(was (?P<word>.+)\)")
"""A status that says what it was before, where that says more than that somebody works here."""
_OUT: Final = re.compile(r"retired|inactive|alumni|archived|removed", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Newcomer:
    """Who joins a team."""

    name: str
    role: str
    charter: str
    """Path of the charter, as rows write it."""
    since: str
    """`2026-02-20T05:18:49Z`."""


def is_out(status: str) -> bool:
    """Tell whether a word of a list says that somebody works here no longer."""
    return _OUT.search(status) is not None


def enlisted(source: PersonaSource, who: Newcomer) -> Iterator[Splice]:
    """Yield what puts a newcomer on a roster or into a registry; nothing for other files."""
    if source.part == Part.ROSTER:
        row = _member_of(source.data, who.name)
        if row is None:
            yield from _spliced(source, _row_added(source.data, who) or _no_table(source, who.name))
        elif not _place_in(row.charter):
            word = _word_for_active(source.data) if is_out(row.status) else row.status
            edit = _row_set(source.data, who.name, word, who.name, who.name, who.charter)
            yield from _spliced(source, edit or _no_row(source, who.name))
        elif is_out(row.status):
            yield from returned(source, _place_in(row.charter), who, who.name)
    elif source.part == Part.REGISTRY:
        yield from _spliced(source, _agent_added(source.data, who))


def retired(source: PersonaSource, folder: str, place: str) -> Iterator[Splice]:
    """Yield what says that somebody retired.

    Args:
        source: A roster or a registry; nothing comes of other files.
        folder: The folder's name so far.
        place: Where it lies now, below the personas' folder: `_alumni/hill`.

    Raises:
        Refused: The roster has no row of that name, or one that cannot be written.
    """
    if source.part == Part.ROSTER:
        word = _word_for_retired(source.data, folder)
        edit = _row_set(source.data, folder, word, folder, place)
        yield from _spliced(source, edit or _no_row(source, folder))
    elif source.part == Part.REGISTRY:
        yield from _spliced(source, _status_set(source.data, folder, "retired"))


def returned(source: PersonaSource, place: str, who: Newcomer, folder: str) -> Iterator[Splice]:
    """Yield what says that somebody is back, on a row of their own if they have none.

    Args:
        source: A roster or a registry; nothing comes of other files.
        place: Where the folder lay, below the personas' folder.
        who: For a row that is written anew.
        folder: The folder's name now.

    Raises:
        Refused: The roster has no table to put a row into, or a row that cannot be written.
    """
    if source.part == Part.ROSTER:
        row = _member_of(source.data, folder)
        if row is None:
            edit = _row_added(source.data, who) or _no_table(source, who.name)
        else:
            was = _WAS.fullmatch(row.status)
            word = _word_for_active(source.data) if was is None else was["word"]
            edit = _row_set(source.data, folder, word, place, folder) or _no_row(source, folder)
        yield from _spliced(source, edit)
    elif source.part == Part.REGISTRY:
        yield from _spliced(source, _status_set(source.data, folder, "active"))


def renamed_member(source: PersonaSource, folder: str, name: str, new_folder: str) -> Edit:
    """Plan to write another name into somebody's row of a roster.

    Raises:
        Refused: There is no row of that name, or it cannot be written.
    """
    member = _member_of(source.data, folder)
    if member is None:
        return _no_row(source, folder)
    edit = squad.rename_member(source.data, member, name, folder, new_folder)
    after = squad.roster(edit.apply(source.data))
    return edit if any(each.name == name for each in after) else _no_row(source, folder)


def has_row(source: PersonaSource, folder: str) -> bool:
    """Tell whether a roster has a row of that name."""
    return _member_of(source.data, folder) is not None


def _no_row(source: PersonaSource, folder: str) -> NoReturn:
    if squad.members_table(source.data) is None:
        _no_table(source, folder)
    row = "a row that can be changed" if has_row(source, folder) else "a row"
    raise Refused(
        f"`{source.name}` has no {row.removeprefix('a ')} of `{folder}`, and would name somebody "
        "who is gone; nothing was written",
        hint=f"give `{folder}` a row in the table below `## Members`, then do it again",
    )


def _no_table(source: PersonaSource, name: str) -> NoReturn:
    raise Refused(
        f"`{source.name}` has no table of members for `{name}`; nothing was written",
        hint="write `## Members` with `| Name | Role | Charter | Status |`, then do it again",
    )


def lists(source: PersonaSource, folder: str) -> bool:
    """Tell whether a roster or registry has an entry of that name, at work or not."""
    if source.part == Part.ROSTER:
        return has_row(source, folder)
    return _key_of(source.data, folder) is not None


def names_in(source: PersonaSource) -> Iterator[frozenset[str]]:
    """Yield the names that each row or entry of a list goes by, at work or not."""
    if source.part == Part.ROSTER:
        yield from (frozenset({member.name}) for member in squad.roster(source.data))
    for key, agent in squad.registry(source.data).items() if source.part == Part.REGISTRY else ():
        yield frozenset({key, squad.registered_name(key, agent)})


def names(source: PersonaSource, folder: str) -> bool:
    """Tell whether a roster or registry has somebody of that name who works here."""
    if source.part == Part.ROSTER:
        row = _member_of(source.data, folder)
        return row is not None and not is_out(row.status)
    key = _key_of(source.data, folder)
    return key is not None and not is_out(str(squad.registry(source.data)[key].get("status", "")))


def _spliced(source: PersonaSource, edit: Edit | None) -> Iterator[Splice]:
    if edit is None or source.data[edit.start : edit.end] == edit.new:
        return
    old = source.data[edit.start : edit.end]
    yield Splice(source.path, edit.start, edit.end, old, edit.new, digest_of(source.data))


def _member_of(data: bytes, folder: str) -> squad.Member | None:
    for member in squad.roster(data):
        if persona_key(member.name) == persona_key(folder) or f"/{folder}/" in member.charter:
            return member
    return None


def _row_added(data: bytes, who: Newcomer) -> Edit | None:
    table = squad.members_table(data)
    if table is None or _member_of(data, who.name) is not None:
        return None
    newline = "\r\n" if b"\r\n" in data else "\n"
    known = {
        "name": who.name,
        "role": who.role or "Member",
        "charter": _as_written(data, who.charter),
        "status": _word_for_active(data),
    }
    cells = [known.get(column, "—").replace("|", "/") for column in table.columns]
    row = f"| {' | '.join(cells)} |"
    text = f"{row}{newline}" if table.is_ended else f"{newline}{row}"
    edit = Edit(table.end, table.end, text.encode())
    before = [_facts(member) for member in squad.roster(data)]
    after = [_facts(member) for member in squad.roster(edit.apply(data))]
    is_added = after[:-1] == before and after[-1:] and after[-1][0] == who.name
    return edit if is_added else None


def _as_written(data: bytes, charter: str) -> str:
    """Return a path as most rows write theirs: in backticks, or plain."""
    lines = [line for line in data.decode("utf-8", "replace").splitlines() if "/charter.md" in line]
    ticked = sum("/charter.md`" in line for line in lines)
    return f"`{charter}`" if ticked * 2 > len(lines) else charter


def _row_set(
    data: bytes, folder: str, status: str, old: str, new: str, charter: str = ""
) -> Edit | None:
    """Plan another status and place for a row; without a column for status a retired one goes.

    Args:
        data: The roster.
        folder: Whose row it is.
        status: The word for it.
        old: The place that paths in the row have so far.
        new: The one that they get.
        charter: What the row's column of charters is to say; empty = what it says.
    """
    member, table = _member_of(data, folder), squad.members_table(data)
    if member is None or table is None:
        return None
    if "status" not in table.columns:
        return _row_gone(data, member) if is_out(status) else _moved(data, member, old, new)
    row = data[member.start : member.end].decode("utf-8", "surrogateescape")
    spans = _cell_spans(row)
    at = table.columns.index("status")
    if at >= len(spans):
        return None
    cells = {at: status}
    if charter and "charter" in table.columns[: len(spans)]:
        cells[table.columns.index("charter")] = _as_written(data, charter)
    for place, text in sorted(cells.items(), reverse=True):
        start, end = spans[place]
        row = f"{row[:start]}{text}{row[end:]}"
    row = squad.in_another_folder(row, old, new)
    edit = Edit(member.start, member.end, row.encode("utf-8", "surrogateescape"))
    after = _member_of(edit.apply(data), folder)
    is_set = after is not None and (after.name, after.role) == (member.name, member.role)
    return edit if is_set and after is not None and after.status == status else None


def _moved(data: bytes, member: squad.Member, old: str, new: str) -> Edit:
    row = data[member.start : member.end].decode("utf-8", "surrogateescape")
    row = squad.in_another_folder(row, old, new)
    return Edit(member.start, member.end, row.encode("utf-8", "surrogateescape"))


def _row_gone(data: bytes, member: squad.Member) -> Edit:
    end = member.end
    end += len(data[end:]) - len(data[end:].removeprefix(b"\r"))
    end += len(data[end:]) - len(data[end:].removeprefix(b"\n"))
    return Edit(member.start, end, b"")


def _cell_spans(row: str) -> list[tuple[int, int]]:
    """Return where the text of each cell of a row stands, without the blanks around it."""
    bars = [place for place, sign in enumerate(row) if sign == "|"]
    ends = [*bars[1:], *([len(row)] if row[bars[-1] + 1 :].strip() else [])]
    spans: list[tuple[int, int]] = []
    for start, end in zip(bars, ends, strict=False):
        cell = row[start + 1 : end]
        left = len(cell) - len(cell.lstrip())
        spans.append((start + 1 + left, max(start + 1 + left, start + 1 + len(cell.rstrip()))))
    return spans


def _place_in(charter: str) -> str:
    """Return where a row says that a folder lies, below that of all personas: `_alumni/hill`."""
    return charter.partition("/agents/")[2].rpartition("/")[0]


def _word_for_retired(data: bytes, folder: str) -> str:
    """Return the status of who retires; what the others do not tell for the return stays in it."""
    member = _member_of(data, folder)
    others = [each for each in squad.roster(data) if each != member]
    if member is None or member.status in ("", _plain_word(others)) or is_out(member.status):
        return RETIRED
    return f"{RETIRED} (was {member.status})"


def _word_for_active(data: bytes) -> str:
    return _plain_word(squad.roster(data))


def _plain_word(members: Sequence[squad.Member]) -> str:
    """Return the plain word for those who work here, as most rows write it."""
    words = (each.status for each in members)
    plain = [word for word in words if _PLAIN.search(word) and not is_out(word)]
    return Counter(plain).most_common(1)[0][0] if plain else ACTIVE


def _facts(member: squad.Member) -> tuple[str, str, str, str]:
    return (member.name, member.role, member.charter, member.status)


def _key_of(data: bytes, folder: str) -> str | None:
    for key, agent in squad.registry(data).items():
        called = squad.registered_name(key, agent)
        if persona_key(folder) in {persona_key(key), persona_key(called)}:
            return key
    return None


def _status_set(data: bytes, folder: str, status: str) -> Edit | None:
    key = _key_of(data, folder)
    if key is None:
        return None
    text = data.decode("utf-8", "surrogateescape")

    def wanted(agents: dict[str, Any]) -> None:
        agents[key] = {**agents[key], "status": status}

    at = squad.value_at(text, "agents", key, "status")
    if at is not None:
        _, end = json.JSONDecoder(strict=False).raw_decode(text, at)
        edit = squad.edit_at(text, at, end, json.dumps(status))
    else:
        place = squad.value_at(text, "agents", key)
        found = squad.inserted(text, place, "status", status) if place is not None else None
        if found is None:
            return None
        edit = found
    return _checked(data, edit, wanted)


def _agent_added(data: bytes, who: Newcomer) -> Edit | None:
    """Plan a new agent; one that is known by that name only gets its status back."""
    if _key_of(data, who.name) is not None:
        return _status_set(data, who.name, "active")
    if _loaded(data) is None:
        return None
    text = data.decode("utf-8", "surrogateescape")
    at = squad.value_at(text, "agents")
    key = squad.slug(who.name)
    value = {
        "persistent_name": who.name,
        "universe": "exempt",
        "created_at": who.since,
        "legacy_named": False,
        "status": "active",
    }
    edit = squad.inserted(text, at, key, value) if at is not None else None

    def wanted(agents: dict[str, Any]) -> None:
        agents[key] = value

    return _checked(data, edit, wanted) if edit is not None else None


def _checked(data: bytes, edit: Edit, wanted: Callable[[dict[str, Any]], None]) -> Edit | None:
    """Return the edit if the registry then says just that, in its old order."""
    before, after = _loaded(data), _loaded(edit.apply(data))
    if before is None or after is None:
        return None
    wanted(before["agents"])
    return edit if _in_order(before) == _in_order(after) else None


def _loaded(data: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None
    is_registry = isinstance(value, dict) and isinstance(value.get("agents"), dict)
    return value if is_registry else None


def _in_order(value: Mapping[str, Any]) -> str:
    """Return a value so that the order of its members counts too."""
    return json.dumps(value, ensure_ascii=False)
