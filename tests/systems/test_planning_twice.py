"""What is planned twice is planned the same: the file that a card names is the one written."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from remem.base.clock import Clock
from remem.base.errors import RememError
from remem.core.library import Library
from remem.core.session import Session
from remem.core.settings import Places
from remem.core.verbs.verbs import APPROVE, MERGE
from remem.core.waiting.item import Item, item_ids, kinds_drawn
from remem.demo.build import build_demo, home_of
from remem.model.change import Change, Create, Intent, Json
from remem.model.entry import Ref
from remem.model.proposals_and_rejections import PROPOSAL
from remem.systems.learnings import edits
from remem.systems.own.proposals import Own

NOW = datetime(2026, 5, 4, 9, 30, tzinfo=UTC)


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    """The demo after a night, with random names as a person gets them."""
    clock = Clock(lambda: NOW)
    project = build_demo(tmp_path / "demo", clock, night=True)
    found = Session.open(project, Places.of(home_of(project)), door="tui", clock=clock)
    yield found
    found.close()


def intents(session: Session, item: Item) -> Iterator[Intent]:
    into = [str(like.ref) for like in session.likes(item) if like.ref is not None]
    for name in item.verbs:
        told: dict[str, Json] = {"acknowledged": True}
        if name == MERGE.id and into:
            told["into"] = into[0]
        shown, drawn = {item.ref: item.digest}, kinds_drawn([item])
        yield Intent(name, shown, told, item_ids([item]), drawn)


def planned(session: Session, intent: Intent) -> Change | None:
    try:
        return session.plan(intent)
    except RememError:
        return None


def test_every_verb_of_every_item_plans_the_same_bytes_twice(session: Session) -> None:
    asked = [intent for item in session.queue() for intent in intents(session, item)]

    once, again = ([planned(session, each) for each in asked] for _ in range(2))

    assert sum(each is not None for each in once) > 60
    for one, two in zip(once, again, strict=True):
        assert (one and (one.effects, one.touched)) == (two and (two.effects, two.touched))


def test_the_file_that_a_card_names_is_the_one_that_a_key_writes(session: Session) -> None:
    item = next(each for each in session.queue() if "fast line" in each.title)
    shown, drawn = {item.ref: item.digest}, kinds_drawn([item])
    card = session.plan(Intent(APPROVE.id, shown, {"acknowledged": True}, waiting=drawn))
    (named,) = (each.path for each in card.effects if isinstance(each, Create))

    session.apply(Intent(APPROVE.id, shown, {}, item_ids([item]), drawn))

    assert named.is_file()


def test_two_new_learnings_in_the_same_words_have_two_files(session: Session) -> None:
    ground, sources = session.library.ground, session.library.of_format("learning")
    several: list[dict[str, Json]] = [
        {"text": "Boards go dark at night", "source": {"type": "human"}}
    ] * 2

    one, two = edits.add_all(ground, sources, several)
    (first,) = edits.add_all(ground, sources, several[:1])

    assert one.ref != two.ref
    assert first.effects == one.effects


def test_what_is_proposed_again_has_a_file_of_its_own(session: Session) -> None:
    rule: dict[str, Json] = {"rule": "Boards go dark"}
    fields: dict[str, Json] = {"kind": "convention", "target": "sniper", "fields": rule}
    library = session.library
    one = Own().add(library.ground, library.of_format("remem"), PROPOSAL, fields)
    after = library.preview(one.effects)

    two = Own().add(after.ground, after.of_format("remem"), PROPOSAL, fields)

    assert isinstance(one.ref, Ref)
    assert two.ref != one.ref
    assert Own().add(library.ground, library.of_format("remem"), PROPOSAL, fields) == one


@pytest.mark.slow
def test_what_a_preview_takes_over_is_what_it_would_find_itself(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = session.library
    asked = [intent for item in session.queue() for intent in intents(session, item)]
    changes = [change for intent in asked if (change := planned(session, intent)) is not None]

    previews = [as_read(library.preview(change.effects)) for change in changes]

    monkeypatch.setattr(Library, "_finding_the_same", lambda *_: ())
    assert previews == [as_read(library.preview(change.effects)) for change in changes]


def as_read(library: Library) -> list[object]:
    return [
        (each.key, each.place, each.owner, each.data, each.problems, [e.ref for e in each.entries])
        for each in library.sources
    ]
