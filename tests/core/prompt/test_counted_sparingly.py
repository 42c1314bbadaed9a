"""What a plan does to prompts is told alike where nothing is counted for those who get the same."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from remem.base.clock import Clock
from remem.base.effects import Create
from remem.base.errors import RememError
from remem.cli.impact import impact_of
from remem.core.prompt import compose, tokens
from remem.core.prompt.agents_reached import agents_reached
from remem.core.prompt.asks import role_asks
from remem.core.session import Session
from remem.core.settings import Places
from remem.core.verbs.verbs import ARCHIVE
from remem.core.waiting.item import item_ids, kinds_drawn
from remem.demo.build import build_demo, home_of
from remem.model.change import Change, Intent
from remem.model.entry import Status

NOW = datetime(2026, 5, 4, 9, 30, tzinfo=UTC)


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    clock = Clock(lambda: NOW)
    project = build_demo(tmp_path / "demo", clock, night=True)
    found = Session.open(project, Places.of(home_of(project)), door="cli", clock=clock)
    yield found
    found.close()


def changes(session: Session) -> Iterator[Change]:
    """Yield what deciding plans, and archiving: of every place of the demo some."""
    for item in session.queue()[::6]:
        for verb in item.verbs:
            shown, drawn = {item.ref: item.digest}, kinds_drawn([item])
            intent = Intent(verb, shown, {"acknowledged": True}, item_ids([item]), drawn)
            yield from planned(session, intent)
    for source in session.library.sources:
        for entry in source.entries[::16]:
            if entry.status is Status.ACTIVE:
                yield from planned(session, session.intend(ARCHIVE.id, [entry]))


def planned(session: Session, intent: Intent) -> Iterator[Change]:
    try:
        yield session.plan(intent)
    except RememError:
        return


def test_those_who_are_offered_the_same_get_the_same(session: Session) -> None:
    held = 0
    for change in changes(session):
        after = session.library.preview(change.effects)
        asks = role_asks(session.library, after)
        differing = session.may_differ(asks, after)
        rest = [ask for ask in asks if ask not in differing]

        told = session.impact(change, rest, after)

        assert all(each.changes_nothing and not each.no_room for each in told), change.title
        held += len(rest)

    assert held > 100


def test_the_agents_that_a_change_reaches_are_the_same_however_they_are_found(
    session: Session,
) -> None:
    session.load_counter()
    reached = 0
    for change in changes(session):
        after = session.library.preview(change.effects)

        sparing = [*agents_reached(session, after, change.stands, sparing=True)]

        assert sparing == [*agents_reached(session, after, change.stands)], change.title
        reached += len(sparing)

    assert reached > 5


def test_an_agent_whose_list_of_others_changes_is_reached_though_no_entry_of_its_prompt_does(
    tmp_path: Path,
) -> None:
    definition = "---\nname: {}\ndescription: Helps.\n---\n\nHelp.\n"
    agents, home = tmp_path / "project" / ".claude" / "agents", tmp_path / "home"
    agents.mkdir(parents=True)
    (agents / "ann.md").write_text(definition.format("ann"))
    (agents.parents[1] / "CLAUDE.md").write_text("- Dock slowly.\n")
    session = Session.open(agents.parents[1], Places.of(home), door="cli")
    session.load_counter()
    after = session.library.preview((Create(agents / "bea.md", definition.format("bea").encode()),))

    sparing = [*agents_reached(session, after, (), sparing=True)]

    assert sparing == [*agents_reached(session, after, ())]
    assert "Claude Code" in {each.name for each in sparing}
    session.close()


def test_a_plan_that_changes_no_prompt_loads_no_vocabulary(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[object] = []
    monkeypatch.setattr(tokens, "_few_texts", lambda *asked: loaded.append(asked))
    finding = next(each for each in session.queue() if "reject" in each.verbs)
    change = next(planned(session, Intent("reject", {finding.ref: finding.digest})))

    reports = impact_of(session, change)

    assert (reports, loaded) == ((), [])


def test_only_the_roles_that_a_plan_reaches_are_composed(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    composed: list[str] = []
    one = compose.compose

    def noted(library: object, ask: object, *given: object) -> object:
        composed.append(ask.role)  # type: ignore[attr-defined]
        return one(library, ask, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(compose, "compose", noted)
    entry = next(e for s in session.library.sources for e in s.entries if e.ref.id == "dec-004")
    change = session.plan(session.intend(ARCHIVE.id, [entry]))

    reports = impact_of(session, change)

    assert {each.role for each in reports} == {"architect", "developer", "frontend-engineer"}
    assert set(composed) == {"architect", "developer", "frontend-engineer"}
