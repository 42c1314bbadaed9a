"""Makes the demo's verified memory in memory, so that its bytes are written like others."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from remem.demo.content.memories import Fact
from remem.model.citation import Citation
from remem.systems.facts.records import EventName, id_from
from remem.systems.facts.tables import store_of

_REPOSITORY: Final = "project"


def store_bytes(facts: Sequence[Fact], files: Mapping[str, str]) -> bytes:
    """Return a store of verified memory that holds these facts (FORMATS 6.1).

    Args:
        facts: Each after those that it supersedes.
        files: The code that they cite, by its path.
    """
    replaced = {each.superseded_by: each.id for each in facts if each.superseded_by}
    rows = [_row(each, files, replaced.get(each.id)) for each in facts]
    events = [event for each in facts for event in _events(each, corrects=each.id in replaced)]
    return store_of(rows, events)


def _row(fact: Fact, files: Mapping[str, str], supersedes: str | None) -> Mapping[str, object]:
    cited = [
        Citation(path, start, end).at(path, start, "", files[path].split("\n")[start - 1 : end])
        for path, start, end in fact.places
    ]
    return {
        "id": fact.id,
        "repo": _REPOSITORY,
        "subject": fact.subject,
        "fact": fact.fact,
        "reason": fact.reason or None,
        "citations": [each.to_json() for each in cited],
        "created_by": fact.by,
        "created_at": _morning(fact),
        "refreshed_at": _morning(fact),
        "status": "superseded" if fact.superseded_by else "active",
        "supersedes_id": supersedes,
        "superseded_by_id": fact.superseded_by or None,
    }


def _events(fact: Fact, *, corrects: bool) -> Iterator[Mapping[str, object]]:
    names = [EventName.CORRECTED if corrects else EventName.CREATED]
    names += [EventName.VERIFIED_VALID, EventName.APPLIED] if fact.held else []
    names += [EventName.SUPERSEDED] if fact.superseded_by else []
    for number, name in enumerate(names):
        yield {
            "id": id_from(fact.id, name.value),
            "memory_id": fact.id,
            "event": name.value,
            "agent_id": fact.by,
            "created_at": _morning(fact) + timedelta(seconds=number),
        }


def _morning(fact: Fact) -> datetime:
    return datetime.fromisoformat(f"{fact.day}T09:30").replace(tzinfo=UTC)
