"""Plans to write down what was noticed, as one observation at the end of a story's file.

Work without a story has a file of its own for each workflow and day.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from remem.base.errors import NotPossible
from remem.base.frozen import dataclass
from remem.base.text import count
from remem.core.checks.secrets import need_clean
from remem.core.library import Library
from remem.core.numbered_records import next_ids
from remem.edit import yaml_splice
from remem.model.change import Change, Create, Effect, Intent
from remem.model.entry import Ref
from remem.model.source import need_writable
from remem.systems.shaktra.documents import handoff_among, need_story, settings_of, value_of
from remem.systems.shaktra.edits import new_file
from remem.systems.shaktra.faults import read_observation
from remem.systems.shaktra.lists import observed_in
from remem.systems.shaktra.records import OF_WORKFLOWS, PHASES, SHAKTRA, WORKFLOWS, plain
from remem.systems.shaktra.source import (
    BY_PART,
    FOLDER,
    OBSERVATIONS,
    OBSERVED,
    ListSource,
    stores_among,
    story_folder,
)
from remem.systems.shaktra.source import WORKFLOWS as WORKFLOW_FILES

if TYPE_CHECKING:
    from remem.systems.shaktra.shaktra_verbs import Observe

KEPT: Final = BY_PART[OBSERVATIONS]
FIELDS: Final = (
    "agent",
    "phase",
    "type",
    "importance",
    "principle_id",
    "relationship",
    "severity",
    "resolved",
    "iterations",
    "tags",
    "text",
)
"""What is written after the id, in this order."""
_PHASE: Final = "code"
_IMPORTANCE: Final = 5


@dataclass(frozen=True, slots=True)
class _Place:
    """Where an observation goes."""

    name: str
    """What its refs begin with."""
    path: Path
    source: ListSource | None
    """The file, if there is one."""
    story: str = ""


def plan_observe(library: Library, intent: Intent, args: Observe) -> Change:
    """Plan to append one observation to a story, or to a workflow's file of today.

    Args:
        library: Where the story lies.
        intent: What asks for it.
        args: A story or a workflow, and what was noticed there.

    Raises:
        NotPossible: There is no such story, workflow or entry, a field is wrong, or the story has
            its fill.
        Refused: The file cannot be written.
        Unacknowledged: The text holds a secret or hidden characters.
    """
    place = _place(library, args)
    ids = () if place.source is None else place.source.index.ids
    item = _item(library, place.story, args.fields(), next_ids(KEPT.prefix, ids, 1)[0])
    need_clean([str(item.get("text", ""))], intent, "the observation")
    _refuse_faults(library, item)
    if place.story:
        _refuse_more(library, place.story, len(ids))
    else:
        _refuse_type(item)
    ref = Ref(SHAKTRA, f"{place.name}/{item['id']}", library.ground.project)
    effects = _written(place, item)
    return Change(intent, f"Observe {place.name}/{item['id']}", effects, touched={ref: ref})


def _place(library: Library, args: Observe) -> _Place:
    """Return where to write.

    Raises:
        NotPossible: Neither a story nor a workflow is named, or both, or there is no such one.
    """
    story, workflow = args.story, plain(args.workflow)
    sources = library.of_format(SHAKTRA)
    if bool(story) == bool(workflow):
        raise NotPossible(
            "an observation belongs to a story or a workflow",
            hint="name a story, or a workflow with `--workflow`",
        )
    if story:
        need_story(sources, story)
        path = story_folder(library.ground, story) / OBSERVED
        return _Place(story, path, next(iter(observed_in(sources, story)), None), story)
    if workflow not in WORKFLOWS:
        names = ", ".join(f"`{each}`" for each in WORKFLOWS)
        raise NotPossible(f"unknown workflow `{workflow}`", hint=f"known: {names}")
    if library.ground.disk.kind(library.ground.root / FOLDER) != "folder":
        raise NotPossible("there is no Shaktra memory here", hint="it is in `.shaktra`")
    stem = f"{workflow}-{library.ground.given.clock.today().isoformat()}"
    name = f"{OBSERVATIONS}/{stem}"
    there = next((s for s in observed_in(sources, "") if s.name == name), None)
    return _Place(name, library.ground.root / WORKFLOW_FILES / f"{stem}.yml", there)


def _refuse_type(item: Mapping[str, Any]) -> None:
    if item.get("type") not in OF_WORKFLOWS:
        names = " or ".join(f"`{each}`" for each in OF_WORKFLOWS)
        raise NotPossible(
            f"a workflow without a story cannot have a `{item.get('type')}`", hint=f"note a {names}"
        )


def _item(library: Library, story: str, fields: Mapping[str, Any], name: str) -> dict[str, Any]:
    known: dict[str, Any] = {
        "agent": library.by or "person",
        "phase": _phase(library, story),
        "importance": _IMPORTANCE,
        **fields,
    }
    kept = {each: known[each] for each in FIELDS if known.get(each) not in (None, "", [])}
    return {"id": name, **kept}


def _phase(library: Library, story: str) -> str:
    """Return the phase that the story's hand-off is in."""
    if not story:
        return _PHASE
    source = handoff_among(library.of_format(SHAKTRA), story)
    found = plain(value_of(source).get("current_phase")) if source is not None else ""
    return found if found in PHASES else _PHASE


def _refuse_faults(library: Library, item: Mapping[str, Any]) -> None:
    _, faults = read_observation(item)
    if faults:
        raise NotPossible(faults[0].message, hint=faults[0].hint or "see `remem observe --help`")
    name = item.get("principle_id")
    stores = stores_among(library.of_format(SHAKTRA))
    ids = [each for store in stores for each in store.index.ids]
    if name is not None and name not in ids:
        raise NotPossible(f"there is no entry `{name}`", hint="`remem list` shows all entries")


def _refuse_more(library: Library, story: str, there: int) -> None:
    most = settings_of(library.of_format(SHAKTRA)).memory.max_observations_per_story
    if there >= most:
        raise NotPossible(
            f"`{story}` has {count(range(there), 'observation')} (limit {most})",
            hint="raise `memory.max_observations_per_story` in `.shaktra/settings.yml`",
        )


def _written(place: _Place, item: Mapping[str, Any]) -> tuple[Effect, ...]:
    source = place.source
    if source is None:
        return (Create(place.path, new_file(KEPT, [item])),)
    need_writable(source)
    key = "" if source.index.items and not source.index.key else KEPT.key
    return source.splices(yaml_splice.add_items(source.data, key, [dict(item)]))
