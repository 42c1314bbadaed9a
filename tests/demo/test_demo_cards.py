"""The card of an item names everybody whose prompt its approval changes, as `approve` does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from remem.cli.impact import impact_of
from remem.core.session import Session
from remem.core.settings import Places
from remem.core.waiting.item import Item
from remem.demo.build import build_demo, home_of
from remem.views.glyphs import UNICODE
from remem.views.review.item_card import (
    Card,
    alike_lines,
    card_lines,
    cards,
    edited_on_card,
    table_lines,
)

NAMED = 8
"""Whoever else is reached has a line each, up to so many."""


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    project = build_demo(tmp_path)
    session = Session.open(project, Places.of(home_of(project)), door="cli")
    session.load_counter()
    yield session
    session.close()


def whole_card(session: Session, item: Item) -> Card:
    """Return the card as it is once everything is known."""
    *_, last = cards(session, item, {}, lambda: True)
    return last


def names_whom_the_command_names(session: Session, item: Item) -> bool:
    """Hold a card against what the command says; false = it plans nothing."""
    found = whole_card(session, item)
    if not found.outlooks or found.outlooks[0].change is None or found.starts:
        return False
    reports = impact_of(session, found.outlooks[0].change)
    drawn = "\n".join(line.text for line in table_lines(found, 110, UNICODE))
    who = {
        each.role or (f"{each.agent} · {each.tool}" if each.tool != each.agent else each.agent)
        for each in reports
        if each.before != each.after or each.pushed_out or each.let_in
    }
    missing = [each for each in who if each not in drawn]
    assert not missing or "more prompt" in drawn or "more role" in drawn, (item.title, missing)
    return True


def feature_flags(session: Session) -> Item:
    return next(each for each in session.queue() if "Feature flags" in each.title)


def test_a_card_names_whoever_else_gets_another_prompt(session: Session) -> None:
    item = next(each for each in session.queue() if each.title.startswith("Grey text"))
    assert names_whom_the_command_names(session, item)
    found = whole_card(session, item)
    named = {one.role for each in found.outlooks for one in each.impacts}
    told = [line.text for line in found.others]
    assert told
    assert not any(line.startswith(f"{role} ") for line in told for role in named)


@pytest.mark.slow(reason="every item of the demo is planned and composed for everybody, twice")
def test_every_card_names_whom_the_command_names(session: Session) -> None:
    compared = [names_whom_the_command_names(session, item) for item in session.queue()]
    assert sum(compared) > 10


def test_a_card_is_not_completed_once_the_person_went_on(session: Session) -> None:
    assert len([*cards(session, feature_flags(session), {}, lambda: False)]) == 1


def test_what_approving_writes_is_edited_on_the_card_and_nothing_else_is(session: Session) -> None:
    library, items = session.library, {item.title: item for item in session.queue()}

    def on_card(begin: str) -> bool:
        item = next(each for title, each in items.items() if title.startswith(begin))
        return edited_on_card(library, item) is not None

    assert on_card("Boards show the age")  # a finding
    assert on_card("A new harbour is sw")  # a proposal
    assert on_card("Give back a connection")  # a signal
    assert not on_card("Spreadsheets end with")  # what was observed is counted, not written anew
    assert not on_card("Berth before time")  # a file of its own, which is edited


def test_where_another_verb_is_suggested_the_card_still_names_whom_approving_reaches(
    tmp_path: Path,
) -> None:
    project = build_demo(tmp_path)
    (project / ".sniper/memory/retros/sprint-8-retro.yaml").write_text(
        'sprint: 8\ndate: "2026-05-05"\nfindings:\n  new_conventions:\n'
        "    - {rule: Lamps are trimmed before dusk, confidence: medium, recommendation: codify}\n"
    )
    session = Session.open(project, Places.of(home_of(project)), door="cli")
    session.load_counter()
    item = next(each for each in session.queue() if each.title.startswith("Lamps"))

    found = whole_card(session, item)
    drawn = [line.text for line in table_lines(found, 110, UNICODE)]
    session.close()

    assert found.outlooks[0].verb.id == item.suggested == "keep"
    assert "Approve also changes" in drawn
    assert any(line.startswith("sw-quality ") for line in drawn)


def test_what_is_similar_is_named_before_the_rest_is_counted(session: Session) -> None:
    facts = ("proposed by Ines", "similar to `a`: Lamps", "and 57 more active entries are similar")
    item = replace(feature_flags(session), evidence=facts)

    shown = [line.text for line in card_lines(item)]

    assert [line.text for line in alike_lines(item)] == [f"· {fact}" for fact in facts[1:]]
    assert f"· {facts[0]}" in shown
    assert not [line for line in shown if "57 more" in line]


def test_a_page_that_is_alike_does_not_fill_a_card(session: Session) -> None:
    item = replace(feature_flags(session), evidence=("similar to `a`: " + "word " * 400,))

    (told,) = [line.text for line in alike_lines(item)]

    assert told.startswith("· similar to `a`")
    assert (len(told) <= 322, told.endswith("…")) == (True, True)
