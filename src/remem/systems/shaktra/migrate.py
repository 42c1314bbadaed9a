"""Plans to make principles of Shaktra's older files: decisions and lessons (FORMATS 5.4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from remem.base.errors import Already, NotPossible, Refused
from remem.base.frozen import dataclass
from remem.base.text import count
from remem.core.checks.secrets import need_clean
from remem.core.library import Library
from remem.core.no_text_lost import need_kept
from remem.edit.yaml_read import parse_document
from remem.model.change import Change, Create, Effect, Intent, texts_in
from remem.model.entry import Ref
from remem.model.source import Source
from remem.systems.shaktra.edits import new_file
from remem.systems.shaktra.records import DEVELOPER, SHAKTRA, roles_for
from remem.systems.shaktra.source import LEGACY, MEMORY, STORES

DECIDED: Final = 0.7
"""Confidence of what was a decision."""
LEARNT: Final = 0.5
"""Confidence of what was a lesson."""
_ASSUMED: Final = "maintainability"
_MARK: Final = "migrated:"


@dataclass(frozen=True, slots=True)
class Migrated:
    """One principle, and what it was."""

    was: str
    value: Mapping[str, Any]


def plan_migrate(library: Library, intent: Intent) -> Change:
    """Plan to write principles from decisions and lessons, with a copy of the originals.

    Raises:
        NotPossible: There are principles already, or nothing to make them of.
        Refused: A file cannot be read.
        Unacknowledged: A text holds a secret or hidden characters.
    """
    files = _files(library)
    migrated = migrated_from(library)
    need_clean((text for each in migrated for text in texts_in(dict(each.value))), intent, "it")
    memory = library.ground.root / MEMORY
    effects: list[Effect] = []
    for kept in STORES:
        path = memory / f"{kept.part}.yml"
        if kept.part == "principles":
            effects.append(Create(path, new_file(kept, [each.value for each in migrated])))
        elif library.ground.disk.kind(path) is None:
            effects.append(Create(path, new_file(kept, [])))
    effects += [Create(_copy_of(library, source.path), source.data) for source in files]
    need_kept(library, effects)
    refs = [Ref(SHAKTRA, str(each.value["id"]), library.ground.project) for each in migrated]
    return Change(
        intent,
        f"Migrate {count(migrated, 'entry', 'entries')} to principles",
        tuple(effects),
        touched={ref: ref for ref in refs},
        receipt=_receipt(migrated),
    )


def migrated_from(library: Library) -> tuple[Migrated, ...]:
    """Return the principles that the older files make, decisions first.

    Raises:
        NotPossible: There are principles already, or nothing to make them of.
        Refused: A file cannot be read.
    """
    path = library.ground.root / MEMORY / "principles.yml"
    if library.ground.disk.kind(path) is not None:
        raise NotPossible(
            f"`{path}` already exists", hint="migrated entries would mix with learned ones"
        )
    decisions = [*_items(library, "decisions")]
    lessons = [*_items(library, "lessons")]
    if not decisions and not lessons:
        raise Already(
            "there is nothing to migrate", hint="`decisions.yml` or `lessons.yml` would have it"
        )
    ids = {str(item.get("id", "")): f"PR-{n:03d}" for n, item in enumerate(decisions, start=1)}
    today = library.ground.given.clock.today().isoformat()
    made = [_of_decision(item, n, ids, today) for n, item in enumerate(decisions, start=1)]
    after = len(made) + 1
    made += [_of_lesson(item, n, today) for n, item in enumerate(lessons, start=after)]
    return tuple(made)


def _files(library: Library) -> list[Source]:
    names = ("decisions.yml", "lessons.yml")
    own = (each for each in library.of_format(SHAKTRA) if each.part == LEGACY)
    return [each for each in own if each.path.name in names]


def _items(library: Library, key: str) -> Iterator[Mapping[str, Any]]:
    for source in _files(library):
        if source.path.stem != key:
            continue
        document = parse_document(source.data)
        if document.problems:
            raise Refused(
                f"`{source.path}` cannot be read: {document.problems[0].message}",
                hint=document.problems[0].hint,
            )
        value = document.value
        found = value.get(key) if isinstance(value, Mapping) else value
        for number, item in enumerate(found if isinstance(found, list) else (), start=1):
            if not isinstance(item, Mapping):
                raise Refused(
                    f"item {number} of `{source.path}` is not a mapping",
                    hint="fix it in an editor",
                )
            yield item


def _copy_of(library: Library, path: Path) -> Path:
    """Return where the copy of an original goes; one that is there already stays.

    Raises:
        NotPossible: There is another one.
    """
    copy = path.with_name(f"{path.name}.bak")
    if library.ground.disk.kind(copy) is not None:
        raise NotPossible(f"`{copy}` already exists", hint="move it away, and migrate again")
    return copy


def _of_decision(
    item: Mapping[str, Any], number: int, ids: Mapping[str, str], today: str
) -> Migrated:
    was = str(item.get("id") or f"DC-{number:03d}")
    categories = _texts(item.get("categories"))
    value: dict[str, Any] = {
        "id": f"PR-{number:03d}",
        "text": _text(item, "summary", "title"),
        "categories": [*(categories or [_ASSUMED])],
        "guidance": _texts(item.get("guidance")),
        "confidence": DECIDED,
        "source_count": 1,
        "tags": [*categories],
        "roles": [*roles_for(categories)],
        "scope": "project",
        "status": str(item.get("status") or "active"),
    }
    before = item.get("supersedes")
    if before:
        value["supersedes"] = ids.get(str(before), str(before))
    value |= {"source": f"{_MARK}{was}", "created": str(item.get("created") or today)}
    return Migrated(was, value)


def _of_lesson(item: Mapping[str, Any], number: int, today: str) -> Migrated:
    was = str(item.get("source") or item.get("id") or f"LS-{number:03d}")
    action = _text(item, "action")
    value: dict[str, Any] = {
        "id": f"PR-{number:03d}",
        "text": _text(item, "insight"),
        "categories": [_ASSUMED],
        "guidance": [action] if action else [],
        "confidence": LEARNT,
        "source_count": 1,
        "tags": [],
        "roles": [DEVELOPER],
        "scope": "project",
        "status": "active",
        "source": f"{_MARK}{was}",
        "created": str(item.get("date") or today),
    }
    return Migrated(was, value)


def _text(item: Mapping[str, Any], *names: str) -> str:
    return next((str(item[name]).strip() for name in names if item.get(name)), "")


def _texts(found: object) -> list[str]:
    if isinstance(found, str):
        return [found]
    return [str(each) for each in found] if isinstance(found, Sequence) else []


def _receipt(migrated: Sequence[Migrated]) -> str:
    decisions = sum(each.value["confidence"] == DECIDED for each in migrated)
    lessons = len(migrated) - decisions
    return f"{len(migrated)} principles = {decisions} decisions + {lessons} lessons"
