"""Lessons that wait in the queue, and the personas whose they are.

They go where their persona goes, in the same change: to its new name, its new place, to the one it
is merged into. While a persona is archived its lessons rest, and wait again when it is restored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from remem.core.relation.normal_form import exact
from remem.edit import yaml_splice
from remem.edit.yaml_read import parse_document
from remem.model.change import Delete, Effect, Json
from remem.model.entry import Ref
from remem.model.proposals_and_rejections import PROPOSAL
from remem.model.roles import persona_key
from remem.model.source import Source
from remem.systems.personas.source import FORMAT, LESSON, persona_sources, whose_lesson


def waiting_lessons(
    sources: Sequence[Source], persona: str, layout: str = ""
) -> Iterator[tuple[Source, Mapping[str, Json]]]:
    """Yield the proposals that hold a lesson of a persona, with its fields.

    Args:
        sources: Those of a library.
        persona: Whose.
        layout: In one place only; empty = in any.
    """
    for source in sources:
        if source.part != PROPOSAL or not source.is_writable:
            continue
        value = parse_document(source.data).value
        fields = value.get("fields") if isinstance(value, Mapping) else None
        if not isinstance(value, Mapping) or not isinstance(fields, Mapping):
            continue
        if value.get("target") not in (None, "", FORMAT):
            continue
        if whose_lesson(str(value.get("kind")), fields) != persona_key(persona):
            continue
        if not layout or fields.get("layout") in (None, "", layout):
            yield source, fields


def rests(sources: Sequence[Source], fields: Mapping[str, Json]) -> bool:
    """Tell whether a lesson's persona is archived in its place, and nobody is called so there."""
    key, layout = whose_lesson(LESSON, fields), fields.get("layout")
    own = [
        s.archived
        for s in persona_sources(sources)
        if persona_key(s.owner) == key and (not layout or s.layout == layout)
    ]
    return bool(own) and all(own)


def follow(
    sources: Sequence[Source],
    persona: str,
    goes_to: Callable[[str], Mapping[str, Json]],
    *,
    layout: str = "",
) -> Iterator[tuple[Ref, Effect]]:
    """Yield what takes waiting lessons along with their persona, with the ref of each.

    Args:
        sources: Those of a library.
        persona: As it was called.
        goes_to: Returns the fields that change, for the layout that a lesson is to go to.
        layout: Only what waits for this place.
    """
    for source, fields in waiting_lessons(sources, persona, layout):
        new = goes_to(str(fields.get("layout") or ""))
        ref = source.entries[0].ref
        if _waits_there(sources, source, {**fields, **new}):
            yield ref, Delete(source.path, source.data, source.digest)
            continue
        for name, value in new.items():
            if fields.get(name) != value:
                edits = yaml_splice.set_in_document(source.data, ("fields", name), value)
                yield from ((ref, effect) for effect in source.splices(edits))


def _waits_there(sources: Sequence[Source], source: Source, fields: Mapping[str, Json]) -> bool:
    """Tell whether the same lesson waits for the same persona already."""
    persona, layout = str(fields.get("persona") or ""), str(fields.get("layout") or "")
    return any(
        other is not source
        and fields.get("layout") == theirs.get("layout")
        and exact(str(fields.get("text") or ""), str(theirs.get("text") or ""))
        for other, theirs in waiting_lessons(sources, persona, layout)
    )
