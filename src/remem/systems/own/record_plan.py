"""Plans to let what the gate found wait for a person (FORMATS 1.4, 1.9).

The same place of the same rule is kept once: not again while it waits, nor after it was counted or
rejected. Nothing of memory changes by it, and the file is local to the checkout.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from remem.base.errors import NotPossible
from remem.base.frozen import dataclass
from remem.base.text import count
from remem.core.checks.secrets import examine
from remem.core.library import Library
from remem.core.own_folder import FOLDER, ignore_file
from remem.edit.yaml_edit import REMOVE, Removal
from remem.edit.yaml_read import Value
from remem.edit.yaml_write import render
from remem.model.change import Change, Create, Effect, Intent, Json
from remem.model.detect import SNIPPET, mark_of
from remem.model.entry import Entry, Ref
from remem.systems.own.found_by_gate import KEY, PART, rewritten
from remem.systems.own.read_baseline import known_places
from remem.systems.own.records import Place
from remem.systems.own.violations import Found, found_at, found_by_gate, gate_source, marks_in

if TYPE_CHECKING:
    from remem.systems.own.own_verbs import GateRecord

MOST: Final = 50
"""Places of one rule that wait at a time: enough to judge it by, and a card can hold them."""


@dataclass(frozen=True, slots=True)
class _New:
    """Places of one rule that nobody knows yet."""

    rule: Entry
    places: tuple[Place, ...]
    left: int
    """How many more there are than may wait at a time."""


def plan_record(library: Library, intent: Intent, args: GateRecord) -> Change:
    """Plan to keep what the gate found and nobody knows yet.

    Args:
        library: Where the rules stand.
        intent: What asks for it.
        args: What was found.

    Raises:
        NotPossible: What was found cannot be read.
        Refused: The file of findings cannot be written.
        UnknownRef: A rule is not there.
    """
    waiting = found_by_gate(library)
    new = [each for each in _news(library, args, waiting) if each.places]
    notes = tuple(
        f"`{library.short(each.rule.ref)}` is broken in {count(each.left, 'more place')}: "
        "which can be recorded after these are decided"
        for each in new
        if each.left
    )
    effects = _effects(library, _writable(args.looked), waiting, new)
    places = count(sum(len(each.places) for each in new), "place")
    if not new:
        title = "Remove gate findings about removed entries"
        return Change(intent, title, effects, notes=("the gate found nothing new",))
    rules = count(len(new), "rule")
    title = f"Queue gate findings: {places} of {rules}"
    return Change(intent, title, effects, notes=notes)


def _news(library: Library, args: GateRecord, waiting: Mapping[Ref, Found]) -> Iterator[_New]:
    for one in args.found:
        if not isinstance(one.get("places"), list):
            raise NotPossible("`found` names a rule and its places", hint="run `remem check`")
        rule = library.resolve(str(one.get("rule")))
        known = {place.mark for place in _still(waiting.get(rule.ref))}
        fields = library.format_of(rule).reader.fields(library.source_of(rule), rule)
        counted = marks_in(fields) | known
        places: dict[str, Place] = {}
        # What stands outside of the root is shared, and counts what several repositories do.
        is_own = library.source_of(rule).path.is_relative_to(library.ground.root)
        home = "" if is_own else f"{library.ground.project}/"
        for each in _places(one["places"], home):
            places.setdefault(each.mark, each)
        accepted = known_places(library).get(library.short(rule.ref), {})
        fresh = [
            each for mark, each in places.items() if mark not in counted and mark not in accepted
        ]
        room = max(0, MOST - len(known))
        yield _New(rule, tuple(fresh[:room]), len(fresh[room:]))


def _still(waiting: Found | None) -> tuple[Place, ...]:
    """Return the places that wait already; what broke a rule of other words is no evidence now."""
    return waiting.places if waiting is not None and waiting.is_of_these_words else ()


def _places(told: object, home: str) -> Iterator[Place]:
    """Yield places as they are kept: a line that hides something is not copied.

    A name that is not UTF-8 is kept as it can be written.
    """
    for one in told if isinstance(told, list) else ():
        if not isinstance(one, Mapping):
            continue
        path, line, text = str(one.get("path") or ""), one.get("line"), str(one.get("text") or "")
        path = f"{home}{_writable(path)}"
        number = line if isinstance(line, int) else 0
        shown = "" if examine(text) else text.strip()[:SNIPPET]
        yield Place(path=path, line=number, mark=mark_of(path, text), text=shown)


def _effects(
    library: Library, looked: str, waiting: Mapping[Ref, Found], new: list[_New]
) -> tuple[Effect, ...]:
    source = gate_source(library)
    today = library.ground.given.clock.today().isoformat()
    if source is None:
        items = [_item(library, each, looked, today) for each in new]
        path = library.ground.root / FOLDER / f"{PART}.yaml"
        made = (*ignore_file(library.ground), Create(path, render({KEY: [*items]})))
        return made if items else ()
    numbers = {entry.ref: number for number, entry in enumerate(source.entries)}
    kept = [each for each in new if each.rule.ref in waiting]
    changed: dict[int, dict[str, Value | Removal]] = {
        numbers[found.entry.ref]: {
            "text": each.rule.title,
            "looked": looked or REMOVE,
            "date": today,
            "places": [*map(_plain, (*_still(found), *each.places))],
        }
        for each in kept
        for found in (waiting[each.rule.ref],)
    }
    gone = [numbers[entry.ref] for entry in source.entries if found_at(library, entry) is None]
    added = [_item(library, each, looked, today) for each in new if each not in kept]
    return rewritten(source, changed, gone, added)


def _item(library: Library, new: _New, looked: str, today: str) -> dict[str, Json]:
    return {
        "rule": library.short(new.rule.ref),
        "text": new.rule.title,
        **({"looked": looked} if looked else {}),
        "date": today,
        "places": [*map(_plain, new.places)],
    }


def _writable(name: str) -> str:
    return name.encode("utf-8", "backslashreplace").decode()


def _plain(place: Place) -> dict[str, Json]:
    kept: dict[str, Json] = {"path": place.path, "line": place.line, "mark": place.mark}
    return {**kept, "text": place.text} if place.text else kept
