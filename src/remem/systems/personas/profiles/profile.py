"""Night Watch profiles: rows of its database or remem's own YAML, compiled as FORMATS 3.6 says."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import Any, Final

from remem.base.frozen import dataclass
from remem.edit.yaml_read import parse_document
from remem.model.change import Json, RowEdit
from remem.model.entry import Problem, digest_of
from remem.model.layout import Part
from remem.model.roles import persona_key
from remem.store.io import Unreadable
from remem.systems.personas.source import PersonaSource

TABLE: Final = "agent_personas"
COLUMNS: Final = (
    "id",
    "name",
    "role",
    "soul_json",
    "style_json",
    "skill_json",
    "model_config_json",
    "system_prompt_override",
    "is_active",
    "created_at",
    "updated_at",
)
_HIDDEN: Final = "***"


@dataclass(frozen=True, slots=True)
class Profile:
    """Who a persona is."""

    name: str
    role: str = ""
    soul: Mapping[str, Any] = field(default_factory=dict)
    style: Mapping[str, Any] = field(default_factory=dict)
    skill: Mapping[str, Any] = field(default_factory=dict)
    override: str = ""
    """Replaces the compiled profile; memory still follows."""
    model: Mapping[str, Any] = field(default_factory=dict)
    """Which model it runs on, values of its environment hidden."""
    is_active: bool = True
    row_id: str = ""
    """Key of its row; empty for a profile from a file."""
    updated_at: int = 0
    """Epoch milliseconds of its row."""

    def compiled(self) -> str:
        """Return the profile as a prompt carries it; empty parts are left out."""
        if self.override.strip():
            return self.override.strip("\n")
        title = f"# {self.name} — {self.role}" if self.role else f"# {self.name}"
        parts = [*_soul(self.soul), *_style(self.style), *_skill(self.skill)]
        return "\n\n".join([title, *parts])

    def differs_from(self, other: Profile) -> bool:
        return self.name != other.name or self.compiled() != other.compiled()


def read_database(source: PersonaSource) -> PersonaSource:
    """Return the source with its profiles as rows, and as text that holds no secret."""
    from remem.store.databases.rows import BadDatabase, read_rows

    try:
        rows = read_rows(source.path, TABLE, COLUMNS)
    except BadDatabase as error:
        problem = Problem(error.code, str(error), error.hint, path=source.path, blocks_writing=True)
        return replace(source, problems=(*source.placed, problem))
    rows = tuple(_as_coming(row, source) for row in rows)
    profiles = [_from_row(row) for row in rows]
    text = "\n\n".join(_shown(profile) for profile in profiles)
    data = text.encode("utf-8", "replace")
    problems = (*source.placed, *_row_problems(source.path, rows, profiles))
    return replace(source, data=data, digest=digest_of(data), rows=rows, problems=problems)


def _as_coming(row: Mapping[str, Any], source: PersonaSource) -> dict[str, Any]:
    """Return a row as a plan would leave it, where the source is read for a preview."""
    coming = source.disk.coming_rows(source.path)
    mine = (each for each in coming if each.table == TABLE and each.key.get("id") == row["id"])
    found = dict(row)
    for each in mine:
        found |= each.after
    return found


def profiles_of(source: PersonaSource) -> tuple[Profile, ...]:
    """Return the profiles that a database or a `persona.yaml` holds."""
    if source.rows:
        return tuple(_from_row(row) for row in source.rows)
    if source.part != Part.PROFILE or is_database(source):
        return ()
    value = parse_document(source.data).value
    return (_from_values(source.owner, value),) if isinstance(value, dict) else ()


def profile_in(owner: str, data: bytes) -> Profile:
    """Return the profile that the text of a `persona.yaml` holds."""
    return _from_values(owner, _mapping(parse_document(data).value))


def profile_of(sources: Sequence[PersonaSource], persona: str) -> Profile:
    """Return a persona's profile: its row, else its file, else its name only."""
    found = [
        profile
        for source in sources
        if source.part == Part.PROFILE and not source.archived
        for profile in profiles_of(source)
        if persona_key(profile.name) == persona_key(persona)
    ]
    with_row = [profile for profile in found if profile.row_id]
    return next(iter([*with_row, *found]), Profile(persona))


def differences(found: Sequence[PersonaSource]) -> Iterator[tuple[Path, Problem]]:
    """Yield the problem of each `persona.yaml` that says something else than its row.

    Looks at the disk, and only where there are both.
    """
    profiles = [source for source in found if source.part == Part.PROFILE and not source.archived]
    files = [source for source in profiles if not is_database(source)]
    if not files or len(files) == len(profiles):
        return
    databases = [read_database(source) for source in profiles if is_database(source)]
    for file in files:
        try:
            data = file.disk.read(file.path)
        except Unreadable:
            continue
        own = profiles_of(replace(file, data=data))
        row = profile_of(databases, file.owner)
        if own and row.row_id and row.differs_from(own[0]):
            yield file.path, _difference(file)


def _difference(source: PersonaSource) -> Problem:
    return Problem(
        "profile-differs",
        f"`{source.name}` and the database describe `{source.owner}` differently; "
        "the database row is used",
        "update the file, or archive it",
        path=source.path,
    )


def row_edit(database: Path, profile: Profile, after: Mapping[str, Json], now: int) -> RowEdit:
    """Plan to change columns of a profile's row, and when it was updated.

    Args:
        database: Where the row is.
        profile: As it was read.
        after: `name` or `is_active`.
        now: Epoch milliseconds.
    """
    read: dict[str, Json] = {"name": profile.name, "is_active": int(profile.is_active)}
    return RowEdit(
        database=database,
        table=TABLE,
        key={"id": profile.row_id},
        before={name: read[name] for name in after} | {"updated_at": profile.updated_at},
        after={**after, "updated_at": now},
    )


def is_database(source: PersonaSource) -> bool:
    """Tell whether the source is a tool's database of profiles."""
    return source.file.pattern == source.rules.database


def _from_row(row: Mapping[str, Any]) -> Profile:
    updated = row.get("updated_at")
    return Profile(
        name=_text(row.get("name")),
        role=_text(row.get("role")),
        soul=_object(row.get("soul_json")),
        style=_object(row.get("style_json")),
        skill=_object(row.get("skill_json")),
        override=_text(row.get("system_prompt_override")),
        model=_without_secrets(_object(row.get("model_config_json"))),
        is_active=row.get("is_active") not in (0, "0"),
        row_id=_text(row.get("id")),
        updated_at=updated if isinstance(updated, int) else 0,
    )


def _from_values(owner: str, value: Mapping[str, Any]) -> Profile:
    return Profile(
        name=_text(value.get("name")) or owner,
        role=_text(value.get("role")),
        soul=_mapping(value.get("soul")),
        style=_mapping(value.get("style")),
        skill=_mapping(value.get("skill")),
        override=_text(value.get("system_prompt_override")),
    )


def _row_problems(
    path: Path, rows: Sequence[Mapping[str, Any]], profiles: Sequence[Profile]
) -> Iterator[Problem]:
    for row, profile in zip(rows, profiles, strict=True):
        for column in ("soul_json", "style_json", "skill_json", "model_config_json"):
            if row.get(column) and not isinstance(_loaded(row[column]), dict):
                yield Problem(
                    "profile-json",
                    f"`{column}` of `{profile.name}` is not a JSON object",
                    "fix it in the tool that owns the database",
                    path=path,
                    field=column,
                )
    seen: set[str] = set()
    for profile in profiles:
        if profile.is_active and profile.name in seen:
            yield Problem(
                "duplicate-profile",
                f"several active rows are called `{profile.name}`; the first is used",
                "rename one of them in the tool that owns the database",
                path=path,
            )
        seen.add(profile.name)


def _shown(profile: Profile) -> str:
    state = "" if profile.is_active else "\n\n(not active)"
    model = f"\n\nmodel: {json.dumps(profile.model, ensure_ascii=False)}" if profile.model else ""
    return profile.compiled() + state + model


def _without_secrets(model: Mapping[str, Any]) -> Mapping[str, Any]:
    hidden = {
        key: dict.fromkeys(value, _HIDDEN)
        for key, value in model.items()
        if key == "envVars" and isinstance(value, dict)
    }
    return {**model, **hidden}


def _loaded(value: object) -> object:
    if not isinstance(value, str):
        return None
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return None


def _object(value: object) -> Mapping[str, Any]:
    return _mapping(_loaded(value))


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str:
    if value is None or isinstance(value, dict | list | bytes):
        return ""
    return str(value)


def _texts(value: object) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [text for each in values if (text := _text(each).strip())]


def _soul(soul: Mapping[str, Any]) -> Iterator[str]:
    yield from _paragraph("## Who I Am", soul.get("whoIAm"))
    yield from _bullets("## Worldview", _texts(soul.get("worldview")))
    opinions = list(_opinions(_mapping(soul.get("opinions"))))
    if opinions:
        yield "\n\n".join(["## Opinions", *opinions])
    yield from _bullets("## Tensions", _texts(soul.get("tensions")))
    wont = [f"Won't: {text}" for text in _texts(soul.get("boundaries"))]
    yield from _bullets("## Boundaries", wont)


def _opinions(opinions: Mapping[str, Any]) -> Iterator[str]:
    for domain, views in opinions.items():
        yield from _bullets(f"### {domain}", _texts(views))


def _style(style: Mapping[str, Any]) -> Iterator[str]:
    labels = (("Principles", "voicePrinciples"), ("Rhythm", "sentenceStructure"), ("Tone", "tone"))
    voice = [f"{label}: {text}" for label, key in labels if (text := _text(style.get(key)).strip())]
    parts = [
        *_bullets("### Rhetorical Moves", _texts(style.get("rhetoricalMoves"))),
        *_bullets("### Quick Reactions", _pairs("When {}: {}", style.get("quickReactions"))),
        *_listed("### Words I Use", style.get("wordsUsed")),
        *_listed("### Words I Never Use", style.get("wordsAvoided")),
        *_emoji(_mapping(style.get("emojiUsage"))),
        *_bullets(
            "### Anti-Patterns (Never Sound Like This)", _anti_patterns(style.get("antiPatterns"))
        ),
        *_bullets("### Examples of My Voice", _texts(style.get("goodExamples"))),
    ]
    if voice:
        yield from _bullets("## Voice & Style", voice)
    elif parts:
        yield "## Voice & Style"
    yield from parts


def _skill(skill: Mapping[str, Any]) -> Iterator[str]:
    yield from _bullets("## Operating Rules", _texts(skill.get("additionalInstructions")))
    yield from _bullets("## Modes", _pairs("**{}**: {}", skill.get("modes")))


def _emoji(usage: Mapping[str, Any]) -> Iterator[str]:
    if not usage:
        return
    favourites = " ".join(_texts(usage.get("favorites")))
    frequency = _text(usage.get("frequency")) or "moderate"
    yield f"### Emoji Use: {frequency}" + (f" ({favourites})" if favourites else "")
    if rules := "; ".join(_texts(usage.get("contextRules"))):
        yield f"### Emoji Context: {rules}"


def _anti_patterns(value: object) -> Iterable[str]:
    for each in value if isinstance(value, list) else []:
        pattern = _mapping(each)
        example, why = _text(pattern.get("example")).strip(), _text(pattern.get("why")).strip()
        if example:
            yield f"{example} ({why})" if why else example
        elif text := _text(each).strip():
            yield text


def _pairs(form: str, value: object) -> Iterable[str]:
    for key, each in _mapping(value).items():
        if text := "; ".join(_texts(each)):
            yield form.format(key, text)


def _listed(heading: str, value: object) -> Iterator[str]:
    if texts := _texts(value):
        yield f"{heading}: {', '.join(texts)}"


def _paragraph(heading: str, value: object) -> Iterator[str]:
    if text := _text(value).strip():
        yield f"{heading}\n\n{text}"


def _bullets(heading: str, texts: Iterable[str]) -> Iterator[str]:
    found = list(texts)
    if found:
        yield "\n".join([heading, "", *(f"- {text}" for text in found)])
