"""Plans edits of memory files: one text, one removal, one move to an archive.

Moving reads the file that the text goes to through the source's disk: its bytes are not those of
the source that the text comes from. Nothing here writes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Final

from remem.base.errors import NotPossible, Refused, UnknownRef
from remem.edit import markdown, markdown_edit
from remem.edit.markdown import Document, Heading
from remem.edit.markdown_edit import Edit
from remem.model.change import Create, Delete, Effect, Json, Splice
from remem.model.entry import Entry, Ref, Status, WholeFile, digest_of
from remem.model.layout import Part, Reader
from remem.store.io import Unreadable
from remem.systems.personas.memory_files import log_entries
from remem.systems.personas.memory_files.decision_parts import parts_of
from remem.systems.personas.memory_files.whole_lists import whole_list
from remem.systems.personas.read import (
    DATE,
    PARTING,
    Passage,
    document_of,
    is_dated,
    passages,
    read_source,
)
from remem.systems.personas.source import PersonaSource

FIELD: Final = "text"
"""The one field that a lesson has."""
_PARTS: Final = 2
"""Headings down to this level part a file, `## Learnings`: agents append below them."""


def plan_fields(
    source: PersonaSource, entry: Entry, fields: Mapping[str, Json], whose: str
) -> tuple[Effect, ...]:
    """Plan to set the one field that an entry has.

    Raises:
        NotPossible: Another field is named, or the text cannot be set; `whose` says of what.
        Refused: It would change what stands around it.
    """
    text = fields.get(FIELD)
    others = [name for name in fields if name != FIELD]
    if others and is_logged(source, entry):
        return _plan_log_fields(source, entry, fields)
    if others or not isinstance(text, str):
        raise NotPossible(
            f"`{others[0] if others else FIELD}` is not a field you can set here",
            hint=f"{whose} has only the field `{FIELD}`",
        )
    return plan_text(source, entry, text)


_LOG_FIELDS: Final[Mapping[str, str]] = {
    "status": "Status",
    "priority": "Priority",
    "area": "Area",
}
"""Fields of a log's entry that can be set, as they are written."""


def is_logged(source: PersonaSource, entry: Entry) -> bool:
    """Tell whether an entry is one of a log, which names itself and says its status."""
    return source.file.reader is Reader.LOG and bool(passage_of(source, entry.ref).known_as)


def logged_text(source: PersonaSource, entry: Entry) -> tuple[str, str]:
    """Return what stands below the heading of a log's entry, and the heading's title."""
    passage = passage_of(source, entry.ref)
    return passage.text, passage.section


def _plan_log_fields(
    source: PersonaSource, entry: Entry, fields: Mapping[str, Json]
) -> tuple[Effect, ...]:
    need_writable(source)
    passage = passage_of(source, entry.ref)
    text, newline = passage.text, document_of(source.data).newline
    for name, value in fields.items():
        said = value.strip() if isinstance(value, str) else ""
        if name == FIELD and said and can_be_encoded(said):
            text = _with_summary(source, replace(passage, text=text), said)
            continue
        is_line = bool(said) and len(said.splitlines()) == 1 and can_be_encoded(said)
        if name not in _LOG_FIELDS or not is_line:
            known = ", ".join(f"`{each}`" for each in (FIELD, *_LOG_FIELDS))
            raise NotPossible(
                f"`{name}` cannot be set so in a log's entry",
                hint=f"{known} can be set; edit the rest in your editor",
            )
        text = log_entries.with_field(text, _LOG_FIELDS[name], said, newline)
    return log_effects(source, passage, text)


def _with_summary(source: PersonaSource, passage: Passage, said: str) -> str:
    text = log_entries.with_summary(passage.text, said, document_of(source.data).newline)
    if text is None:
        raise NotPossible(
            f"`{passage.known_as}` has no summary to edit", hint="edit the file in your editor"
        )
    return text


def _log_status(source: PersonaSource, entry: Entry, status: Status) -> tuple[Effect, ...]:
    """Plan to give a log's entry the status that its form has for that, and say when."""
    if entry.status in (Status.INVALID, Status.SUPERSEDED) and status is Status.ACTIVE:
        raise NotPossible(
            "it is not archived: its log says that it is settled",
            hint=f"`remem edit {entry.ref} status={log_entries.PENDING}` lets it wait again",
        )
    words = {
        Status.ACTIVE: log_entries.RESOLVED,
        Status.INVALID: log_entries.WONT_FIX,
        Status.CANDIDATE: log_entries.PENDING,
    }
    if status not in words:
        raise NotPossible(
            f"a log cannot store the status `{status.value}`", hint="archive or remove it"
        )
    passage, newline = passage_of(source, entry.ref), document_of(source.data).newline
    text = log_entries.with_field(passage.text, "Status", words[status], newline)
    if status is not Status.CANDIDATE:
        now = source.clock.now().strftime("%Y-%m-%dT%H:%M:%SZ")
        said = (
            "approved in review"
            if status is Status.ACTIVE
            else "turned down in review, for the reason in `.remem/rejected.yaml`"
        )
        lines = (f"**Resolved**: {now}", f"**Notes**: {said}")
        text = log_entries.with_resolution(text, lines, newline)
    return log_effects(source, passage, text)


def plan_promoted(source: PersonaSource, entry: Entry, to: str) -> tuple[Effect, ...]:
    """Plan to say in a log that an entry was lifted, and where to."""
    need_writable(source)
    passage, newline = passage_of(source, entry.ref), document_of(source.data).newline
    text = log_entries.with_field(passage.text, "Status", log_entries.PROMOTED, newline)
    return log_effects(source, passage, log_entries.with_field(text, "Promoted", to, newline))


def plan_text(source: PersonaSource, entry: Entry, text: str) -> tuple[Effect, ...]:
    """Plan to give an entry another text.

    Raises:
        NotPossible: The text is empty, or the source is read only.
        Refused: It would change what stands around it.
    """
    need_writable(source)
    if not text.strip():
        raise NotPossible("a lesson needs a text", hint="remove the lesson instead")
    if not can_be_encoded(text):
        raise NotPossible(
            "the text contains NUL or a broken character", hint="type that part again"
        )
    passage = passage_of(source, entry.ref)
    if passage.known_as:
        return log_effects(source, passage, _with_summary(source, passage, text))
    if passage.unit >= 0:
        edit = markdown_edit.replace_unit(document_of(source.data), passage.unit, text)
    else:
        edit = _replaced_block(source, passage, text)
    return splices(source.path, source.data, edit)


def plan_removal(source: PersonaSource, entry: Entry) -> tuple[Effect, ...]:
    """Plan to take an entry out; a file that is one entry goes whole.

    Raises:
        NotPossible: The source is read only.
        Refused: What stands around it would be read otherwise.
    """
    need_writable(source)
    if isinstance(entry.at, WholeFile):
        return (Delete(source.path, source.data, source.digest),)
    passage = _whole(source, passage_of(source, entry.ref))
    return splices(source.path, source.data, _removal(source, passage))


def _whole(source: PersonaSource, passage: Passage) -> Passage:
    """Return a decision up to the end of the last of its parts."""
    parts = parts_of(source, passage)
    return replace(passage, end=parts[-1].end) if parts else passage


def plan_archive(source: PersonaSource, entry: Entry) -> tuple[Effect, ...]:
    """Plan to move a unit to its layout's archive file: there first, then out of here.

    Raises:
        NotPossible: The entry is no unit of memory, or a file is read only.
        Refused: One of the files would be read otherwise.
    """
    need_writable(source)
    if source.file.reader is Reader.PARTED:
        raise NotPossible(
            f"`{source.name}` has no archive", hint="promote it to another file, or remove it"
        )
    passage = _whole(source, passage_of(source, entry.ref))
    removal = splices(source.path, source.data, _removal(source, passage, is_archived=True))
    raw = source.data[passage.start : passage.end]
    if passage.unit >= 0:
        document = document_of(source.data)
        path = [heading.title for heading in document.path(passage.heading)]
        title = heading_for(source.clock.today().isoformat(), source.path.name, path)
        block = units_block(document, units_with(source, passage))
        return (_archived(source.unit_archive, source, block, f"## {title}"), *removal)
    target = source.unit_archive if passage.known_as else _decisions_archive(source)
    return (_archived(target, source, _as_block(raw), ""), *removal)


def log_effects(source: PersonaSource, passage: Passage, text: str) -> tuple[Splice, ...]:
    """Plan to let an entry of a log say another text below its heading.

    Raises:
        Refused: It would be read as another entry, or as several.
    """
    start = document_of(source.data).headings[passage.heading].end
    edit = Edit(start, passage.end, text.encode())
    _checked_block(source, passage, edit, same_count=True)
    # A field at its top and a section at its end are two changes, and not the text between them.
    each = markdown_edit.parted(source.data, edit)
    return tuple(splice for one in each for splice in splices(source.path, source.data, one))


def plan_return(source: PersonaSource, entry: Entry) -> tuple[Effect, ...]:
    """Plan to put an archived unit back into its file, below the headings that it stood under.

    Raises:
        NotPossible: The archive does not say where it stood, or its persona is archived.
        Refused: One of the files would be read otherwise.
    """
    if source.archived and not source.takes_from:
        raise NotPossible(
            f"`{source.owner}` is archived",
            hint=f"`remem persona restore {source.owner}` restores it",
        )
    # Nobody edits an archive, but what remem put there it takes out again.
    passage, document = passage_of(source, entry.ref), parse_whole(source.data)
    if passage.known_as:
        return _logged_again(source, passage)
    title = document.headings[passage.heading].title if passage.heading >= 0 else ""
    origin = origin_in(title)
    if passage.unit < 0 or origin is None:
        return _below_its_heading(source, passage, document)
    file, path = origin
    beside = source.path.with_name(file)
    target = next((each for each in source.takes_from if each.name == file), beside)
    units = units_with(source, passage)
    data = read_beside(source, target)
    edit = put_under(parse_whole(data or b""), path, units_block(document, units))
    out = _without(document, units, with_empty_section=True)
    back = (Create(target, edit.new),) if data is None else splices(target, data, edit)
    return (*back, *splices(source.path, source.data, out))


def _below_its_heading(
    source: PersonaSource, passage: Passage, document: Document
) -> tuple[Effect, ...]:
    """Plan to put back a unit of a whole section that was archived: the section is its place.

    It goes below the heading of that title and level in the persona's memory, which is made anew
    where it is gone: by its date, else at the end.

    Raises:
        NotPossible: It stands below no such heading, or belongs to no one memory.
    """
    main = source.rules.main
    heading = document.headings[passage.heading] if passage.heading >= 0 else None
    is_section = heading is not None and heading.level > 1
    if passage.unit < 0 or main is None or heading is None or not is_section or not source.owner:
        raise NotPossible(
            "an archived unit does not record where it was",
            hint="undo the change that archived it, or copy its text back by hand",
        )
    target = source.path.with_name(PurePosixPath(main.pattern).name)
    data = read_beside(source, target)
    now = parse_whole(data or b"")
    units = units_with(source, passage)
    block = units_block(document, units)
    same = [
        number
        for number, each in enumerate(now.headings)
        if (each.title, each.level) == (heading.title, heading.level)
    ]
    if same:
        edit = markdown_edit.insert_under(now, same[-1], block)
    else:
        beside = [number for number, each in enumerate(now.headings) if each.level == heading.level]
        spacing = markdown_edit.spacing_of(now, beside)
        section = _section(heading.level, heading.title, block, spacing)
        edit = _among_dated(now, beside, heading.title, block) or markdown_edit.append(
            now, section, blank_lines=spacing.above
        )
    out = _without(document, units, with_empty_section=True)
    back = (Create(target, edit.new),) if data is None else splices(target, data, edit)
    return (*back, *splices(source.path, source.data, out))


def plan_merged_decision(source: PersonaSource) -> tuple[Effect, ...]:
    """Plan to append an inbox file to the team's decisions after a blank line, then remove it.

    What stands there already is not appended again: only the file goes.

    Raises:
        Refused: The end of the decisions would swallow it.
    """
    need_writable(source)
    target = decisions_path(source)
    text = _merged(source)
    delete = Delete(source.path, source.data, source.digest)
    data = read_beside(source, target)
    if data is None:
        return (Create(target, text.encode()), delete)
    if line_in(lines_of(data), source):
        return (delete,)
    edit = markdown_edit.append(parse_whole(data), text, blank_lines=1)
    return (*splices(target, data, edit), delete)


def line_in(lines: bytes, source: PersonaSource) -> int:
    """Return at which line of a log an inbox file begins, word for word; 0 = it is not there.

    Args:
        lines: The log, as `lines_of` returns it.
        source: The inbox file.
    """
    at = lines.find(f"\n{_merged(source)}".encode())
    return 0 if at < 0 else lines.count(b"\n", 0, at + 1)


def lines_of(data: bytes) -> bytes:
    """Return what `line_in` looks through: the lines of a file, each between two line feeds."""
    return b"\n" + data.replace(b"\r\n", b"\n") + b"\n"


def _merged(source: PersonaSource) -> str:
    """Return an inbox file as it is appended."""
    return source.data.decode("utf-8-sig").strip().replace("\r\n", "\n") + "\n"


def parse_whole(data: bytes) -> Document:
    """Take apart bytes that are text; others are refused.

    Raises:
        Refused: They are not UTF-8, or hold NUL.
    """
    if not markdown.is_text(data):
        raise Refused("the file is not UTF-8 text", hint="save it as UTF-8 and try again")
    return document_of(data)


def need_writable(source: PersonaSource) -> None:
    """Refuse a source that is only for reading.

    Raises:
        NotPossible: It is.
    """
    if not source.is_writable:
        raise NotPossible(source.why_read_only, hint="edit the file in your editor")


def can_be_encoded(text: str) -> bool:
    """Tell whether a file may hold the text: no NUL, no half of a pair."""
    return "\0" not in text and not any("\ud800" <= char <= "\udfff" for char in text)


def passage_of(source: PersonaSource, ref: Ref) -> Passage:
    """Return where an entry stands in its file.

    Raises:
        UnknownRef: The file no longer has it.
    """
    for known, passage in zip(source.entries, passages(source), strict=True):
        if known.ref == ref:
            return passage
    raise UnknownRef(f"`{ref}` is not in `{source.name}`", hint="refresh and try again")


def _logged_again(source: PersonaSource, passage: Passage) -> tuple[Effect, ...]:
    """Plan to put an entry of a log back among the others, by its id.

    Raises:
        Refused: One of the files would be read otherwise.
    """
    found = [(path, read_beside(source, path) or b"") for path in source.takes_from]
    target, data = log_entries.log_of(passage.known_as, found)
    block = _as_block(source.data[passage.start : passage.end])
    edit = log_entries.put_among(parse_whole(data), passage.known_as, block)
    before, after = ({*log_entries.ids(each)} for each in (data, edit.apply(data)))
    if after != {*before, passage.known_as} or passage.known_as in before:
        raise Refused(
            f"`{passage.known_as}` would not be one more entry of `{target.name}`",
            hint="copy its text back in an editor",
        )
    return (
        *splices(target, data, edit),
        *splices(source.path, source.data, _removal(source, passage)),
    )


def splices(path: Path, data: bytes, edit: Edit) -> tuple[Splice, ...]:
    """Return the effect of an edit; none where it changes nothing."""
    old = data[edit.start : edit.end]
    if old == edit.new:
        return ()
    return (Splice(path, edit.start, edit.end, old, edit.new, digest_of(data)),)


def units_with(source: PersonaSource, passage: Passage) -> range:
    """Return the units that go where one goes: `whole_list`."""
    return whole_list(document_of(source.data), passage.unit)


def _removal(source: PersonaSource, passage: Passage, *, is_archived: bool = False) -> Edit:
    document = document_of(source.data)
    is_unit = passage.unit >= 0
    if is_unit and document.units[passage.unit].kind is markdown.Kind.FRONT_MATTER:
        raise NotPossible("front matter belongs to its file", hint="edit the file instead")
    if not is_unit:
        return _removed_block(source, passage)
    # FORMATS 3.3: in `working.md` an emptied dated section goes with its last bullet.
    takes_heading = source.part == Part.WORKING and passage.heading == passage.group
    if is_archived and passage.heading >= 0:
        # Its archive names the heading. A part of the file stays where it is, though empty: what
        # comes back comes to its place.
        takes_heading = takes_heading or _goes_empty(document.headings[passage.heading])
    above = _goes_empty if is_archived else markdown_edit.stays
    units = units_with(source, passage)
    return _without(document, units, with_empty_section=takes_heading, above=above)


def _goes_empty(heading: Heading) -> bool:
    """Tell whether a heading goes into the archive with the last that stood below it."""
    return heading.level > _PARTS or is_dated(heading)


def _without(
    document: Document,
    units: range,
    *,
    with_empty_section: bool,
    above: Callable[[Heading], bool] = markdown_edit.stays,
) -> Edit:
    """Plan to take out units that stand beside each other."""
    if len(units) == 1:
        return markdown_edit.remove_unit(
            document, units[0], with_empty_section=with_empty_section, above=above
        )
    from remem.edit.patch import patch_between  # it merges lines, which a first frame does not need

    now = document
    for unit in reversed(units):
        takes = with_empty_section and unit == units[0]
        edit = markdown_edit.remove_unit(now, unit, with_empty_section=takes, above=above)
        now = markdown.parse(edit.apply(now.data))
    (patch,) = patch_between(document.data, now.data)
    return Edit(patch.start, patch.start + len(patch.old), patch.new)


def units_block(document: Document, units: range) -> str:
    """Return units that stand beside each other as whole lines, as `unit_block` does for one.

    Raises:
        Refused: They would be read otherwise by themselves.
    """
    first, last = document.units[units[0]], document.units[units[-1]]
    if len(units) == 1:
        return unit_block(document.raw(first))
    block = _as_block(document.data[first.start : last.end])
    if len(markdown.parse(block.encode()).units) != len(units):
        raise Refused(
            "this list would be read otherwise in the archive", hint="move it in your editor"
        )
    return block


def _replaced_block(source: PersonaSource, passage: Passage, text: str) -> Edit:
    """Plan to replace a decision, heading and all, or a whole file.

    Lines that stay keep their bytes.
    """
    start = passage.start
    if start == 0 and source.data.startswith(markdown.BOM):
        start = len(markdown.BOM)
    lines = markdown_edit.split_lines(text.strip("\r\n"))
    end = start + len(source.data[start : passage.end].rstrip())
    newline = document_of(source.data).newline_at(end).encode()
    edit = Edit(start, end, markdown_edit.relined(source.data[start:end], lines, newline))
    return _checked_block(source, passage, edit, same_count=True)


def _removed_block(source: PersonaSource, passage: Passage) -> Edit:
    if source.file.reader is Reader.PARTED:
        return _checked_block(source, passage, _without_part(source, passage), same_count=False)
    following = source.data[passage.end :]
    stop = passage.end + len(following) - len(following.lstrip())
    return _checked_block(source, passage, Edit(passage.start, stop, b""), same_count=False)


def _without_part(source: PersonaSource, passage: Passage) -> Edit:
    """Plan to take out an entry and the line that parts it from the one below, or above."""
    data = source.data
    below = PARTING.search(data, passage.end)
    if below is not None and not data[passage.end : below.start()].strip():
        return Edit(passage.start, below.end(), b"")
    above = [*PARTING.finditer(data, 0, passage.start)]
    start = above[-1].start() if above else passage.start
    stop = len(data[:start].rstrip()) if above else start
    return Edit(stop, passage.end, b"")


def _checked_block(
    source: PersonaSource, passage: Passage, edit: Edit, *, same_count: bool
) -> Edit:
    own = range(passage.start, passage.end)
    others = (p for p in passages(source) if p.start != passage.start and p.start not in own)
    before = [source.data[p.start : p.end] for p in others]
    after = read_source(source, edit.apply(source.data))
    found = [after.data[p.start : p.end] for p in passages(after)]
    if same_count:
        index = passages(source).index(passage)
        found = [*found[:index], *found[index + 1 :]]
    if found == before:
        return edit
    raise Refused(
        "this edit would change how the decisions around it are parsed",
        hint="keep its heading, or edit the file in an editor",
    )


def _as_block(raw: bytes) -> str:
    """Return bytes as whole lines that end in LF."""
    return "".join(f"{line.decode()}\n" for line in raw.splitlines())


def append_units(data: bytes, pieces: Iterable[bytes], is_wanted: Callable[[str], bool]) -> bytes:
    """Return a file with units of some pieces of text at its end.

    Args:
        data: The file.
        pieces: What the units stand in.
        is_wanted: Tells it of each unit's text.

    Raises:
        Refused: The file is no text, or a unit would not be one by itself.
    """
    for piece in pieces:
        document = document_of(piece)
        for unit in document.units:
            if is_wanted(document.text(unit)):
                block = unit_block(document.raw(unit))
                data = markdown_edit.append(parse_whole(data), block, blank_lines=1).apply(data)
    return data


def unit_block(raw: bytes) -> str:
    """Return a unit as whole lines, moved to the left edge if it is the same unit there.

    Indented by a blank or two it would become a part of the item above it in its new place.

    Raises:
        Refused: It would not be one unit by itself.
    """
    block = _as_block(raw)
    lines = [f"{line}\n" for line in block.removesuffix("\n").split("\n")]
    width = len(block) - len(block.lstrip(" "))
    left = "".join(line[min(width, len(line) - len(line.lstrip(" "))) :] for line in lines)
    for each in (left, block):
        units = markdown.parse(each.encode()).units
        whole = (0, len(each.encode()) - 1)
        if [(unit.start, unit.end) for unit in units] == [whole]:
            return each
    raise Refused(
        "this unit would be parsed differently in the archive", hint="move it in your editor"
    )


def _archived(target: Path, source: PersonaSource, unit: str, title: str) -> Effect:
    """Return what puts a unit at the end of an archive, below a heading if there is to be one."""
    data = read_beside(source, target)
    if data is None:
        return Create(target, (f"{title}\n\n{unit}" if title else unit).encode())
    document = parse_whole(data)
    if not title:
        return splices(target, data, markdown_edit.append(document, unit, blank_lines=1))[0]
    last = document.headings[-1] if document.headings else None
    if last is not None and (last.level, last.title) == (2, title.removeprefix("## ")):
        is_item = unit.startswith(("- ", "* ", "+ "))
        edit = markdown_edit.append(document, unit, blank_lines=0 if is_item else 1)
    else:
        edit = markdown_edit.append(document, f"{title}\n\n{unit}", blank_lines=1)
    return splices(target, data, edit)[0]


def _decisions_archive(source: PersonaSource) -> Path:
    """Return the file that a team's retired decisions go to.

    Raises:
        NotPossible: The layout has none.
    """
    for file in source.rules.shared:
        if file.part is Part.ARCHIVE and source.part == Part.TEAM:
            return source.folder / file.pattern
    raise NotPossible("this entry has no archive to go to", hint="remove it, or edit the file")


def read_beside(source: PersonaSource, target: Path) -> bytes | None:
    """Return the bytes of the file that text goes to; `None` if it is not there yet."""
    try:
        return source.disk.read(target)
    except Unreadable as error:
        if error.why == "missing":
            return None
        raise NotPossible(str(error), hint=error.hint) from error


def decisions_path(source: PersonaSource) -> Path:
    """Return the log that agents read: the first decisions file of the layout."""
    pattern = next(
        (f.pattern for f in source.rules.shared if f.reader is Reader.DECISIONS), "decisions.md"
    )
    return source.folder / pattern


def status_effects(source: PersonaSource, entry: Entry, status: Status) -> tuple[Effect, ...]:
    """Plan to give an entry that status; its place in the files is its status.

    Raises:
        NotPossible: There is no such place, or none to come back from.
    """
    if status is entry.status:
        return ()
    is_log = is_logged(source, entry) and entry.status is not Status.ARCHIVED
    if is_log and status is not Status.ARCHIVED:
        need_writable(source)
        return _log_status(source, entry, status)
    if status is Status.ARCHIVED and (entry.status is Status.ACTIVE or is_log):
        return plan_archive(source, entry)
    if entry.status is Status.CANDIDATE and status is Status.ACTIVE:
        return plan_merged_decision(source)
    if entry.status is Status.CANDIDATE:
        return plan_removal(source, entry)
    if entry.status is Status.ARCHIVED and status is Status.ACTIVE:
        return plan_return(source, entry)
    raise NotPossible(
        f"a persona's memory cannot store the status `{status.value}`", hint="archive or remove it"
    )


SEPARATOR: Final = " › "
_FROM: Final = re.compile(r"\d{4}-\d{2}-\d{2} · from (?P<file>[^›/\\]+?)(?: › (?P<path>.+))?")


def heading_for(day: str, file: str, path: Sequence[str]) -> str:
    """Return the title of the section of an archive that takes units from a place."""
    return SEPARATOR.join((f"{day} · from {file}", *path))


def origin_in(title: str) -> tuple[str, str] | None:
    """Return the file and the heading path that such a title names; `None` = it names none."""
    match = _FROM.fullmatch(title)
    return (match["file"].strip(), match["path"] or "") if match is not None else None


def put_under(document: Document, path: str, block: str) -> Edit:
    """Plan to put units at the end of the section with that heading path.

    A section that is gone is made anew: among dated ones by its date, else at the end of what it
    was a part of; where that is gone as well, at the end of the file.

    Args:
        document: The file that they go to.
        path: The headings above them, ` › ` between two; empty = none.
        block: Whole lines that end in LF.

    Raises:
        Refused: What stands there would be read otherwise.
    """
    if not path:
        return markdown_edit.insert_under(document, -1, block)
    paths = [_path(document, number) for number in range(len(document.headings))]
    if path in paths:
        return markdown_edit.insert_under(document, _last_place(paths, path), block)
    *above, title = path.split(SEPARATOR)
    upper = SEPARATOR.join(above)
    if not above or upper in paths:
        parent = _last_place(paths, upper) if above else -1
        beside = [number for number, each in enumerate(document.headings) if each.parent == parent]
        edit = _among_dated(document, beside, title, block)
        edit = edit or _at_end_of(document, parent, beside, title, block)
        if edit is not None:
            return edit
    missing, level = [*above, title], 1
    last = document.path(len(paths) - 1) if paths else ()
    for heading in last:  # only below what the end of the file is in can a heading be added
        if len(missing) > 1 and missing[0] == heading.title:
            missing, level = missing[1:], heading.level
        else:
            break
    spacing = markdown_edit.spacing_of(document, ())
    heads = [_section(min(level + n, 6), title, "", spacing) for n, title in enumerate(missing, 1)]
    return markdown_edit.append(document, "".join((*heads, block)), blank_lines=spacing.above)


def _last_place(paths: Sequence[str], path: str) -> int:
    return len(paths) - 1 - paths[::-1].index(path)


def _among_dated(document: Document, beside: Sequence[int], title: str, block: str) -> Edit | None:
    """Plan to make a dated section anew among other dated ones; `None` = it or they have no date.

    They are dated upwards or downwards; which, the first and the last of them tell. It takes their
    level.

    Args:
        document: The file.
        beside: The headings of those that it comes among.
        title: Of its heading.
        block: What stands below it; whole lines that end in LF.

    Raises:
        Refused: What stands there would be read otherwise.
    """
    mine = DATE.search(title)
    found = ((number, DATE.search(document.headings[number].title)) for number in beside)
    dated = [(number, match[0]) for number, match in found if match is not None]
    if mine is None or not dated:
        return None
    last, level = dated[-1][0], document.headings[dated[-1][0]].level
    dated = [each for each in dated if document.headings[each[0]].level == level]
    spacing = markdown_edit.spacing_of(document, (number for number, _ in dated))
    section = _section(level, title, block, spacing)
    is_newest_first = dated[0][1] > dated[-1][1]
    behind = [
        *(n for n, date in dated if (date < mine[0] if is_newest_first else date > mine[0])),
        # Else it comes behind all that is below the last.
        *(n for n in range(last + 1, len(document.headings)) if _is_upper(document, n, level)),
    ]
    if not behind:
        return markdown_edit.append(document, section, blank_lines=spacing.above)
    return markdown_edit.insert_section(document, behind[0], section, blank_lines=spacing.above)


def _at_end_of(
    document: Document, parent: int, beside: Sequence[int], title: str, block: str
) -> Edit | None:
    """Plan to make a section anew as the last one below a heading; `None` = the file ends there.

    Args:
        document: The file.
        parent: The heading; -1 = none.
        beside: The headings right below it.
        title: Of the section's own.
        block: What stands below that; whole lines that end in LF.

    Raises:
        Refused: What stands there would be read otherwise.
    """
    upper = document.headings[parent].level if parent >= 0 else 0
    later = range(parent + 1, len(document.headings))
    behind = next((n for n in later if _is_upper(document, n, upper)), -1)
    if behind < 0:
        return None
    level = document.headings[beside[-1]].level if beside else min(upper + 1, 6)
    spacing = markdown_edit.spacing_of(document, beside)
    section = _section(level, title, block, spacing)
    return markdown_edit.insert_section(document, behind, section, blank_lines=spacing.above)


def _is_upper(document: Document, number: int, level: int) -> bool:
    return document.headings[number].level <= level


def _section(level: int, title: str, block: str, spacing: markdown_edit.Spacing) -> str:
    """Return a section as whole lines that end in LF."""
    gap = "\n" * (spacing.below + 1)
    return f"{'#' * level} {title}{gap}{block}"


def _path(document: Document, number: int) -> str:
    return SEPARATOR.join(heading.title for heading in document.path(number))
