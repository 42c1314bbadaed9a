"""What the gate does not tell any more: `.remem/baseline.yaml`, which a team shares (FORMATS 1.9).

`check --baseline` begins it with all that old code breaks, and who turns a finding down in Review
adds its places. A place is its file and its line, wherever that stands; no code is kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from remem.base.errors import NotPossible
from remem.base.text import count
from remem.core.draft import Draft
from remem.core.library import Library
from remem.core.own_folder import BASELINE, FOLDER, ignore_file, shared_file, shared_list
from remem.edit import yaml_splice
from remem.edit.yaml_edit import apply
from remem.edit.yaml_index import index
from remem.edit.yaml_write import render
from remem.model.change import Change, Create, Effect, Intent, Json
from remem.model.detect import mark_of
from remem.model.source import MEND, Source, need_writable
from remem.systems.own.found_by_gate import spliced
from remem.systems.own.read_baseline import accepted_in, known_places
from remem.systems.own.records import Accepted

if TYPE_CHECKING:
    from remem.systems.own.own_verbs import GateBaseline

NAME: Final = f"{BASELINE}.yaml"


def plan_baseline(library: Library, intent: Intent, args: GateBaseline) -> Change:
    """Plan to accept all that is broken now; what was turned down by a person stays.

    Args:
        library: Of the repository.
        intent: What asks for it.
        args: All that the gate found; what an older baseline has besides is gone from the code.

    Raises:
        NotPossible: What was found cannot be read.
        Refused: The file cannot be written.
    """
    by_hand = {
        ref: {mark for mark, times in marks.items() if not times}
        for ref, marks in known_places(library).items()
    }
    items: list[dict[str, Json]] = []
    places = 0
    for one in args.found:
        rule = library.resolve(str(one.get("rule")))
        name = library.short(rule.ref)
        found = [*_marked(one.get("places"))]
        left = Counter(each for each in found if each[1] not in by_hand.get(name, ()))
        if left:
            places += sum(left.values())
            items.append(_item(library, name, rule.title, left))
    effects = _rewritten(library, items)
    title = f"Accept current violations: {count(places, 'place')} of {count(items, 'rule')}"
    return Change(intent, title, effects)


def turn_down(
    draft: Draft, rule: str, text: str, places: Sequence[tuple[str, str]], reason: str
) -> None:
    """Add to the draft that these places of a rule are no violations, however often they stand.

    Args:
        draft: Takes the effects.
        rule: The ref, as people write it.
        text: What the rule says.
        places: Path and mark of each.
        reason: Why.

    Raises:
        Refused: The file cannot be written.
    """
    library = draft.library
    item = _item(library, rule, text, Counter(dict.fromkeys(places, 0)), reason)
    there = _source_in(draft)
    if there is None:
        path = library.ground.root / FOLDER / NAME
        draft.take((*_seen_by_git(library), Create(path, render({BASELINE: [item]}))))
        return
    _need_writable(there)
    data = apply(there.data, yaml_splice.add_items(there.data, BASELINE, [item]))
    draft.take(spliced(there, data))


def _source_in(draft: Draft) -> Source | None:
    sources = draft.sources("remem")
    return next((each for each in sources if each.part == BASELINE), None)


def _rewritten(library: Library, items: Sequence[Mapping[str, Json]]) -> tuple[Effect, ...]:
    """Return what puts the items in the place of those that no person turned down."""
    source = shared_list(library.sources, BASELINE)
    if source is None:
        if not items:
            return ()
        path = library.ground.root / FOLDER / NAME
        made: list[Json] = [dict(each) for each in items]
        return (*_seen_by_git(library), Create(path, render({BASELINE: made})))
    _need_writable(source)
    before = accepted_in(source.data)
    told = [_plain(each) for each in before if not each.reason]
    if [_bare(each) for each in told] == [_bare(each) for each in items]:
        return ()
    data = source.data
    for number in reversed([n for n, each in enumerate(before) if not each.reason]):
        data = apply(data, yaml_splice.remove_item(data, index(data, BASELINE), number))
    if items:
        data = apply(data, yaml_splice.add_items(data, BASELINE, items))
    return spliced(source, data)


def _bare(item: Mapping[str, Json]) -> tuple[Json, Json]:
    """Return what counts of an item: who began it, and when, is no change."""
    return item["rule"], item["places"]


def _plain(item: Accepted) -> dict[str, Json]:
    return {"rule": item.rule, "places": [*item.places]}


def _item(
    library: Library,
    rule: str,
    text: str,
    places: Mapping[tuple[str, str], int],
    reason: str = "",
) -> dict[str, Json]:
    """Return what is kept of a rule: a place is `path#mark`, and `*3` behind one that is thrice."""
    told: list[Json] = [
        f"{path}#{mark}{f'*{times}' if times > 1 else ''}"
        for (path, mark), times in sorted(places.items())
    ]
    head: dict[str, Json] = {"rule": rule, "text": text}
    if reason:
        head["reason"] = reason
    by = library.by or "unknown"
    return {
        **head,
        "by": by,
        "date": library.ground.given.clock.today().isoformat(),
        "places": told,
    }


def _marked(places: object) -> Iterator[tuple[str, str]]:
    """Yield path and mark of each place that was found.

    Raises:
        NotPossible: It is no list of places.
    """
    if not isinstance(places, list):
        raise NotPossible("`found` names a rule and its places", hint="run `remem check`")
    for one in places:
        if isinstance(one, Mapping):
            path = str(one.get("path") or "")
            # A name that is not UTF-8 is kept as it can be written.
            shown = path.encode("utf-8", "backslashreplace").decode()
            yield shown, mark_of(path, str(one.get("text") or ""))


def _seen_by_git(library: Library) -> Iterable[Effect]:
    return (*ignore_file(library.ground), *shared_file(library.ground, NAME))


def _need_writable(source: Source) -> None:
    need_writable(source, hint=f"{MEND}, or remove the file")
