"""What waits can be reworded first: approving writes the new words, and stands by them."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.retro_files import path_of, retro, rule
from tests.sniper_files import CONVENTIONS
from tests.workspace_files import files

from remem.base.errors import NotPossible
from remem.core.session import Session
from remem.core.settings import Places
from remem.core.waiting.kinds import decided
from remem.model.change import Intent, Json
from remem.systems.sniper.retro.retro_ingest import judge

STORE = """conventions:
  - id: conv-001
    rule: "Clocks are passed in"   # since the outage
    status: candidate
"""
NEW: dict[str, Json] = {"rule": "Gulls are counted by the hour", "rationale": None}


@pytest.fixture
def bench(tmp_path: Path) -> Session:
    found = retro(7, new_conventions=[rule("Count every gull")])
    files(tmp_path / "shop", {path_of(7): found.decode(), CONVENTIONS: STORE})
    return Session.open(tmp_path / "shop", Places.of(tmp_path / "home"), door="tui")


@pytest.mark.parametrize("title", ["Count every gull", "Clocks are passed in"])
def test_it_is_one_change_that_stands_and_is_undone_to_the_same_bytes(
    bench: Session, title: str
) -> None:
    item = next(each for each in bench.queue() if each.title == title)
    store = bench.root / CONVENTIONS
    before = store.read_bytes()

    done = bench.apply(Intent("approve", {item.ref: item.digest}, {"fields": NEW}, (item.id,)))
    after = store.read_text()
    bench.look()
    reverted, waiting = bench.library.aside.reverted, [each.title for each in bench.queue()]
    bench.undo(done.id)

    assert "Gulls are counted by the hour" in after
    assert (reverted, title in waiting) == ((), False)
    assert store.read_bytes() == before
    assert title in [each.title for each in bench.queue()]


def test_a_finding_that_was_reworded_is_confirmed_and_not_merged(bench: Session) -> None:
    item = next(each for each in bench.queue() if each.title == "Count every gull")

    bench.apply(Intent("approve", {item.ref: item.digest}, {"fields": NEW}, (item.id,)))

    became = decided(bench.library, bench.library.entry(item.ref))
    assert became is not None
    assert became.state == "confirmed"


def test_ingesting_its_retro_again_says_that_it_became_the_entry(bench: Session) -> None:
    item = next(each for each in bench.queue() if each.title == "Count every gull")
    bench.apply(Intent("approve", {item.ref: item.digest}, {"fields": NEW}, (item.id,)))
    retro_file = next(s for s in bench.library.sources if s.path == bench.root / path_of(7))

    (judged,) = judge(bench.library, retro_file)

    became = decided(bench.library, bench.library.entry(item.ref))
    assert became is not None
    assert judged.why == f"{became.told(bench.library)}, edited"


def test_a_field_that_its_kind_does_not_have_is_refused(bench: Session) -> None:
    item = next(each for each in bench.queue() if each.title == "Clocks are passed in")

    with pytest.raises(NotPossible, match="gulls"):
        bench.plan(Intent("approve", {item.ref: item.digest}, {"fields": {"gulls": "many"}}))
