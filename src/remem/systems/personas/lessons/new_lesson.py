"""Plans a new lesson, written as the persona's own tool would write it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from remem.base.errors import NotPossible, Refused
from remem.core.system import Addition, Ground
from remem.edit import markdown, markdown_edit
from remem.edit.markdown import Document
from remem.edit.markdown_edit import Edit
from remem.model.change import Create, Json
from remem.model.entry import Ref
from remem.model.layout import PERSONA, PROJECT, Layout, LayoutFile, Part, Reader
from remem.model.roles import persona_key
from remem.systems.personas.discover import base_of, source_at
from remem.systems.personas.edits import (
    FIELD,
    can_be_encoded,
    need_writable,
    parse_whole,
    passage_of,
    splices,
)
from remem.systems.personas.layer import layout_of
from remem.systems.personas.memory_files import where_units_go
from remem.systems.personas.read import ROOT_SECTION, read_source
from remem.systems.personas.source import PersonaSource
from remem.systems.personas.team.team_lists import folder_name

_FIELDS: Final = ("text", "persona", "file", "section", "layout", "project", "beside")
"""What says where a lesson goes and what it is; its file has room for nothing else."""


def plan_lesson(
    ground: Ground, sources: Sequence[PersonaSource], fields: Mapping[str, Json]
) -> Addition:
    """Plan to add one lesson to a persona's memory.

    Args:
        ground: Gives the date, and the project.
        sources: Those of this format.
        fields: `text` and `persona`; `layout`, `project` where several fit; `section` is the title
            of the heading that it goes below, where the file has one.

    Raises:
        NotPossible: A field is missing or unknown, or the persona has no memory there.
        Refused: The end of the file would swallow it.
    """
    _need_known(fields)
    text, persona = _text(fields), _field(fields, "persona")
    if not persona:
        raise NotPossible("a lesson needs an owner", hint="give its `persona` or `file`")
    name = _field(fields, "layout") or layout_of(sources, persona)
    project = _field(fields, "project") or ground.project
    source = memory_of(sources, persona, name, project)
    today = ground.given.clock.today().isoformat()
    if source is None:
        path, made = new_memory(ground, sources, persona, name, project)
        data = _new_section(made, today, text).encode()
        after = read_source(replace(made, path=path), data)
        return Addition(after.entries[-1].ref, path, (Create(path, data),))
    need_writable(source)
    return _addition(source, _lesson_edit(source, today, text, _field(fields, "section")))


def plan_in_file(source: PersonaSource, fields: Mapping[str, Json]) -> Addition:
    """Plan to add one lesson to a file of nobody's.

    Args:
        source: The file.
        fields: `text`; `section` is the heading that it goes below, `beside` the ref of an entry
            that stands below it. Without either it goes to the end.

    Raises:
        NotPossible: There is no text, a field is unknown, or the file is read only.
        Refused: What stands there would swallow it.
        UnknownRef: There is no such section or entry.
    """
    _need_known(fields)
    text, section, beside = _text(fields), _field(fields, "section"), _field(fields, "beside")
    need_writable(source)
    if source.file.reader is Reader.PARTED:
        return _addition(source, _part(source, text))
    if beside:
        heading = passage_of(source, Ref.parse(beside)).heading
    elif section:
        heading = where_units_go.section_named(source, section)
    else:
        return _addition(source, _at_the_end(parse_whole(source.data), text))
    if heading == ROOT_SECTION:
        return _addition(source, where_units_go.into_head(source, _bullet(text)))
    edit = markdown_edit.append_under(parse_whole(source.data), heading, _unmarked(text))
    return _addition(source, edit)


def _need_known(fields: Mapping[str, Json]) -> None:
    """Let no lesson be written with a field that its file cannot say, such as that it waits."""
    unknown = next((name for name in fields if name not in _FIELDS), None)
    if unknown == "status":
        raise NotPossible(
            "a lesson has no `status`: it is in force as soon as it is in its file",
            hint="omit it, or let the persona's tool propose it where it has an inbox",
        )
    if unknown is not None:
        raise NotPossible(
            f"a lesson has no field `{unknown}`",
            hint=f"it takes {', '.join(f'`{name}`' for name in _FIELDS)}",
        )


def _part(source: PersonaSource, text: str) -> Edit:
    """Plan to put an entry behind all others, parted by a line of `§`."""
    said = text.strip()
    if any(line.strip() == "§" for line in said.splitlines()):
        raise NotPossible("a line of `§` would part the entry in two", hint="remove that line")
    end = len(source.data.rstrip())
    return Edit(end, len(source.data), (f"\n§\n{said}" if end else said).encode())


def _addition(source: PersonaSource, edit: Edit) -> Addition:
    after = read_source(source, edit.apply(source.data))
    known = {entry.ref for entry in source.entries}
    ref = next((e.ref for e in reversed(after.entries) if e.ref not in known), None)
    if ref is None:
        raise Refused("the text would not be parsed as a lesson", hint="write it as one paragraph")
    return Addition(ref, source.path, splices(source.path, source.data, edit))


def memory_of(
    sources: Sequence[PersonaSource], persona: str, layout: str, project: str
) -> PersonaSource | None:
    """Return the file that a persona's new lessons go to."""
    own = [
        source
        for source in sources
        if source.layout == layout
        and not source.archived
        and source.part in {Part.MAIN, Part.WORKING}
        and persona_key(source.owner) == persona_key(persona)
        and source.project in {"", project}
    ]
    return next(iter(sorted(own, key=lambda source: source.part != Part.WORKING)), None)


def new_memory(
    ground: Ground, sources: Sequence[PersonaSource], persona: str, name: str, project: str
) -> tuple[Path, PersonaSource]:
    """Return where the first lesson of a known persona goes, and a source like it will be."""
    rules = next((each for each in ground.layouts if each.name == name), None)
    if rules is None:
        raise NotPossible(
            f"`{persona}` has no memory yet",
            hint="create a persona with `remem persona new`",
        )
    own = [s for s in sources if persona_key(s.owner) == persona_key(persona)]
    if own and all(source.archived for source in own):
        raise NotPossible(
            f"`{persona}` is archived", hint=f"`remem persona restore {persona}` brings it back"
        )
    owner = own[0].owner if own else persona
    file = rules.main
    if file is None:
        raise NotPossible(
            f"the layout `{name}` does not define the file for new memories",
            hint="create the file in your editor, then add to it",
        )
    base = base_of(ground, rules)
    folder = base / rules.folder.replace(PERSONA, folder_name(rules, owner))
    path = folder / file.pattern.replace(PROJECT, project)
    return path, _source_to_be(ground, rules, file, folder, path, owner, project)


def _source_to_be(
    ground: Ground,
    rules: Layout,
    file: LayoutFile,
    folder: Path,
    path: Path,
    owner: str,
    project: str,
) -> PersonaSource:
    parts = [owner, project if PROJECT in file.pattern else ""]
    ref_id = "/".join(filter(None, parts))
    return source_at(ground, rules, file, path, ref_id, owner=owner, folder=folder, ref_id=ref_id)


def _lesson_edit(source: PersonaSource, today: str, text: str, section: str) -> Edit:
    document = parse_whole(source.data)
    if source.file.reader is Reader.DATED:
        return markdown_edit.append(document, _new_section(source, today, text))
    wanted = section.strip().casefold()
    for index, heading in reversed(list(enumerate(document.headings))):
        if wanted and heading.title.casefold() == wanted:
            return markdown_edit.append_under(document, index, text)
    if Part.CHARTER in source.rules.order:
        return _dated_entry(document, today, text)
    return _at_the_end(document, text)


def _at_the_end(document: Document, text: str) -> Edit:
    units = document.units
    is_list = bool(units) and units[-1].kind is markdown.Kind.ITEM
    is_last = bool(units) and (
        not document.headings or document.headings[-1].start < units[-1].start
    )
    return markdown_edit.append(
        document, _bullet(text), blank_lines=0 if is_list and is_last else 1
    )


def _dated_entry(document: Document, today: str, text: str) -> Edit:
    """Append as Squad's agents do: a dated `###` below `## Learnings` at the end of the file."""
    last = document.headings[-1] if document.headings else None
    if last is not None and last.title.startswith(today):
        is_item = bool(document.units) and document.units[-1].kind is markdown.Kind.ITEM
        return markdown_edit.append(document, _bullet(text), blank_lines=0 if is_item else 1)
    has_learnings = any(h.title.casefold().startswith("learnings") for h in document.headings)
    above = "" if has_learnings else "## Learnings\n\n"
    return markdown_edit.append(document, f"{above}### {today}\n\n{_bullet(text)}", blank_lines=1)


def _new_section(source: PersonaSource, today: str, text: str) -> str:
    if source.file.reader is Reader.DATED:
        return f"## {today}\n{_bullet(text)}\n"
    if Part.CHARTER in source.rules.order:
        return f"# {source.owner} — History\n\n## Learnings\n\n### {today}\n\n{_bullet(text)}"
    return _bullet(text)


def _bullet(text: str) -> str:
    """Return one list item; a marker that was typed is not doubled."""
    first, *more = markdown_edit.split_lines(_unmarked(text))
    lines = [f"- {first}", *(f"  {line}".rstrip() for line in more)]
    return "\n".join(lines) + "\n"


def _unmarked(text: str) -> str:
    return text.strip().removeprefix("- ").strip()


def _text(fields: Mapping[str, Json]) -> str:
    text = _field(fields, FIELD)
    if not text.strip() or not can_be_encoded(text):
        raise NotPossible("a lesson needs a text", hint="give it as `text`")
    return text


def _field(fields: Mapping[str, Json], name: str) -> str:
    value = fields.get(name)
    return value if isinstance(value, str) else ""
