"""Plans what a person says about who a persona is: the file that its layout keeps that in.

A row of a tool's database and a team's charter are only read (FORMATS 3.6, 4.2). Where there is no
file yet the first one is made.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from remem.base.errors import Already, ChangedOnDisk, NotPossible, UnknownRef
from remem.base.frozen import dataclass
from remem.core.checks.secrets import need_clean
from remem.core.library import Library
from remem.edit import yaml_splice
from remem.edit.markdown import is_text
from remem.edit.yaml_edit import REMOVE
from remem.edit.yaml_read import parse_document
from remem.model.change import Change, Create, Effect, Intent, Json, Splice, texts_in
from remem.model.layout import PERSONA, Layout, Part
from remem.model.record import field_names, read_record
from remem.model.roles import persona_key
from remem.systems.personas.claude_agents import read_definition
from remem.systems.personas.discover import base_of
from remem.systems.personas.edits import need_writable
from remem.systems.personas.layer import definition_source, layout_of
from remem.systems.personas.profiles.persona_yaml import PersonaFile, Skill, Soul, Style
from remem.systems.personas.profiles.profile import is_database, profile_of
from remem.systems.personas.source import PersonaSource, persona_sources

if TYPE_CHECKING:
    from remem.systems.personas.persona_verbs import PersonaEdit

PARTS: Final[Mapping[str, type[Soul] | type[Style] | type[Skill]]] = {
    "soul": Soul,
    "style": Style,
    "skill": Skill,
}
_OWN: Final = ("role", "system_prompt_override")


@dataclass(frozen=True, slots=True)
class ProfileFile:
    """The file that says who a persona is."""

    persona: str
    path: Path
    text: bytes
    """What it holds; for one that is not there yet, what it would begin with."""
    source: PersonaSource | None = None
    """`None` = it is not there yet."""

    @property
    def is_yaml(self) -> bool:
        return self.path.suffix == ".yaml"

    @property
    def digest(self) -> str:
        """Digest of the file; empty for one that is not there yet."""
        return self.source.digest if self.source is not None else ""


def profile_file(library: Library, persona: str, layout: str = "") -> ProfileFile:
    """Return the file that a person may edit to say who a persona is.

    Args:
        library: Where to look.
        persona: Its name; spelling as in `persona_key`.
        layout: The place; empty = the one that it is composed from.

    Raises:
        UnknownRef: Nobody is called that.
        NotPossible: Its layout keeps that where remem only reads.
    """
    sources = persona_sources(library.sources)
    layout = layout or layout_of(sources, persona)
    rules = next((each for each in library.ground.layouts if each.name == layout), None)
    if rules is None:
        raise UnknownRef(
            f"no persona is called `{persona}`", hint="`remem persona list` lists them"
        )
    own = [s for s in sources if persona_key(s.owner) == persona_key(persona) and not s.archived]
    name = own[0].owner if own else persona
    if Part.DEFINITION in rules.order:
        source = definition_source(sources, persona)
        return _known(name, source) if source is not None else _first(library, rules, name)
    if Part.PROFILE not in rules.order:
        kept = next((s.name for s in own if s.part == Part.CHARTER), rules.tool or rules.name)
        raise NotPossible(
            f"the profile of `{name}` is in `{kept}`, which remem does not edit",
            hint="edit that file in your editor",
        )
    if profile_of(sources, persona).row_id:
        raise NotPossible(
            f"the profile of `{name}` is in the database of {rules.tool}; remem does not edit it",
            hint=f"edit it in {rules.tool}",
        )
    files = (s for s in own if s.part == Part.PROFILE and not is_database(s))
    source = next(files, None)
    return _known(name, source) if source is not None else _first(library, rules, name)


def plan_profile(library: Library, intent: Intent, args: PersonaEdit) -> Change:
    """Plan to write who a persona is.

    Args:
        library: Where it stands.
        intent: What asks for it.
        args: `fields` by dotted path, `null` takes one out; or `text`, the whole file, with
            `digest` of what it was edited from.

    Raises:
        NotPossible: It is only read, a field is wrong, or nothing would change.
        ChangedOnDisk: The file is no longer what the text was edited from.
        Unacknowledged: It holds a secret or hidden characters.
    """
    if bool(args.fields) == (args.text is not None):
        raise NotPossible("no fields or file given", hint="write `FIELD=VALUE`, or `--file FILE`")
    file = profile_file(library, args.persona, args.layout)
    if file.source is not None:
        need_writable(file.source)
    if args.digest is not None and args.digest != file.digest:
        raise ChangedOnDisk(
            f"`{file.path.name}` changed after it was shown",
            hint="edit the current version again",
        )
    need_clean(texts_in(args.fields or args.text), intent, f"the profile of `{file.persona}`")
    after = args.text.encode() if args.text is not None else with_fields(file, args.fields)
    need_profile(file, after)
    effects = tuple(_effects(file, after))
    if not effects:
        raise Already("no change is needed")
    return Change(intent, f"Edit the profile of {file.persona}", effects)


def _known(name: str, source: PersonaSource) -> ProfileFile:
    return ProfileFile(name, source.path, source.data, source)


def _first(library: Library, rules: Layout, name: str) -> ProfileFile:
    for file in rules.profiles:
        path = base_of(library.ground, rules) / file.pattern.replace(PERSONA, name)
        return ProfileFile(name, path, first_profile(file.part, name, "", rules.scope).encode())
    raise NotPossible(
        f"`{rules.name}` has no profile for personas", hint="add `profiles` to the layout"
    )


def with_fields(file: ProfileFile, fields: Mapping[str, Json]) -> bytes:
    """Return the file with fields set, nothing else touched.

    Raises:
        NotPossible: It is prose, or a profile has no such field.
    """
    if not file.is_yaml:
        raise NotPossible(
            f"`{file.path.name}` is prose and has no fields",
            hint="pass its full text with `--file`",
        )
    data = file.text
    for name, value in fields.items():
        path = _path(name)
        edits = yaml_splice.set_in_document(data, path, REMOVE if value is None else value)
        for edit in reversed(edits):
            data = data[: edit.start] + edit.new + data[edit.end :]
    return data


def _path(name: str) -> tuple[str, ...]:
    """Return the keys down to a field.

    Raises:
        NotPossible: A profile has no such field.
    """
    first, *rest = name.split(".")
    model = PARTS.get(first)
    if model is None and first in _OWN and not rest:
        return (first,)
    if model is not None and (not rest or rest[0] in field_names(model)):
        return (first, *rest)
    known = field_names(model) if model is not None else (*_OWN, *PARTS)
    raise NotPossible(
        f"a profile has no field `{name}`",
        hint="there are " + ", ".join(f"`{first}.{n}`" if model else f"`{n}`" for n in known),
    )


def need_profile(file: ProfileFile, after: bytes) -> None:
    """Refuse a text that would not be read as this persona's profile.

    Raises:
        NotPossible: It would not.
    """
    if not is_text(after) or not after.strip():
        raise NotPossible("a profile is text", hint="remove NUL bytes, or add text")
    if not file.is_yaml:
        before, now = (read_definition(text, file.path.stem).name for text in (file.text, after))
        if before != now:
            raise _renamed(before, now)
        return
    document = parse_document(after)
    if document.problems or not isinstance(document.value, dict):
        why = document.problems[0].message if document.problems else "your text has no fields"
        raise NotPossible(f"your text is not valid YAML: {why}", hint="edit it again")
    record, faults = read_record(PersonaFile, document.value)
    if faults:
        raise NotPossible(faults[0].message, hint=faults[0].hint or "edit it again")
    if persona_key(record.name) != persona_key(file.persona):
        raise _renamed(file.persona, record.name)


def _renamed(before: str, now: str) -> NotPossible:
    return NotPossible(
        f"`name` would be `{now}` in the profile of `{before}`",
        hint="`remem persona rename` renames everything else too",
    )


def _effects(file: ProfileFile, after: bytes) -> Iterator[Effect]:
    if file.source is None:
        yield Create(file.path, after)
    elif after != file.text:
        yield _difference(file.path, file.text, after, digest=file.source.digest)


def _difference(path: Path, before: bytes, after: bytes, *, digest: str) -> Splice:
    """Return the one splice between two texts: what they begin and end with alike stays."""
    most = min(len(before), len(after))
    start = next((i for i in range(most) if before[i] != after[i]), most)
    rest = most - start
    tail = next((i for i in range(rest) if before[-1 - i] != after[-1 - i]), rest)
    end = len(before) - tail
    return Splice(path, start, end, before[start:end], after[start : len(after) - tail], digest)


def first_profile(part: Part, name: str, role: str, scope: str) -> str:
    """Return the text of a first profile, charter or definition; empty for other files.

    Args:
        part: What the file is.
        name: The persona's.
        role: Who it is in a few words; may be empty.
        scope: The memory that a definition loads.
    """
    match part:
        case Part.PROFILE:
            who = f"name: {_quoted(name)}\nrole: {_quoted(role)}\n"
            return f"{who}soul: {{}}\nstyle: {{}}\nskill: {{}}\n"
        case Part.DEFINITION:
            who = f"name: {_quoted(name)}\ndescription: {_quoted(role or name)}\n"
            body = f"You are {name}, {role}.\n" if role else f"You are {name}.\n"
            return f"---\n{who}memory: {scope}\n---\n\n{body}"
        case Part.CHARTER:
            return f"# {name} — {role or 'Member'}\n\n## Responsibilities\n\n## Boundaries\n"
        case _:
            return ""


def _quoted(text: str) -> str:
    """Return text in double quotes, as YAML and JSON both read it."""
    return json.dumps(text, ensure_ascii=False)
