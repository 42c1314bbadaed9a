"""Valid is compared: what nobody could compare is never called valid, at no door."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.mcp.clients import agent
from tests.systems.facts.test_service import REPO, events, new

from remem import VerifiedMemoryProvider
from remem.cli.main import run
from remem.core.session import Session
from remem.core.settings import Places
from remem.mcp.calls import answer
from remem.mcp.server_state import Call, ServerState
from remem.mcp.tools import TOOLS
from remem.model.citation import Citation, CitationStatus
from remem.model.prompt import Ask
from remem.systems.facts.database.row_records import StoreUnavailable
from remem.systems.facts.records import EventName
from remem.systems.facts.service import VerifiedMemory
from remem.systems.facts.verdicts import NotHeld

BERTH = "src/berth.ts"
HERE = {"path": BERTH, "line_start": 2, "line_end": 3}
AWAY = "postgresql://nobody@127.0.0.1:1/away?connect_timeout=2"


def write(dock: Path, text: str) -> None:
    (dock / BERTH).write_text(text)


def forget_lines(service: VerifiedMemory) -> None:
    """Leave rows as the original tool writes them: no hash, no text."""
    with service.store.base.writing() as sql:
        sql.exec_driver_sql("UPDATE agent_memory SET citations = ?", (json.dumps([HERE]),))


def test_a_bare_citation_is_compared_with_what_a_memory_keeps_of_the_place(
    service: VerifiedMemory, dock: Path
) -> None:
    service.keep(new())
    write(dock, "first\nother\nthird\nfourth\n")

    (verdict,) = service.check(REPO, [Citation(BERTH, 2, 3)])

    assert verdict.status is CitationStatus.CHANGED
    told = events(service)
    assert (told.get("verified_valid", 0), told["verified_invalid"]) == (0, 1)


@pytest.mark.parametrize(
    "citation",
    [
        pytest.param(Citation(BERTH, 2, 3), id="bare"),
        pytest.param(Citation(f"./{BERTH}", 2, 3), id="written otherwise"),
    ],
)
def test_a_place_that_no_memory_keeps_is_unchecked_and_logged_for_nobody(
    service: VerifiedMemory, citation: Citation
) -> None:
    service.keep(new(start=3))

    (verdict,) = service.check(REPO, [citation])

    assert verdict.status is CitationStatus.UNCHECKED
    assert events(service) == {"created": 1}


def test_a_hash_of_the_new_text_does_not_make_a_memory_valid(
    service: VerifiedMemory, dock: Path
) -> None:
    made = service.keep(new()).stored.id
    write(dock, "first\nother\nthird\nfourth\n")
    forged = service.keep(new("They are lettered")).stored.id
    (given,) = service.store.get(forged).citations
    service.invalidate(forged)

    (verdict,) = service.check(REPO, [given])

    assert verdict.status is CitationStatus.CHANGED
    assert service.store.get(made).has_held is False


def test_the_worst_of_two_memories_of_one_place_is_told(
    service: VerifiedMemory, dock: Path
) -> None:
    service.keep(new("one"))
    write(dock, "first\nother\nthird\nfourth\n")
    service.keep(new("two"))

    (verdict,) = service.check(REPO, [Citation(BERTH, 2, 3)])

    assert verdict.status is CitationStatus.CHANGED
    told = events(service)
    assert (told["verified_valid"], told["verified_invalid"]) == (1, 1)


def test_inherited_citations_follow_lines_that_moved(service: VerifiedMemory, dock: Path) -> None:
    made = service.keep(new()).stored.id
    write(dock, "zero\nnull\nfirst\nsecond\nthird\nfourth\n")

    better = service.supersede(made, "They are lettered")

    (citation,) = service.store.get(better).citations
    assert (citation.line_start, citation.line_end, citation.snippet) == (4, 5, "second\nthird")


@pytest.mark.parametrize(
    "code",
    [
        pytest.param("first\nother\nthird\nfourth\n", id="changed"),
        pytest.param("first\n", id="out of range"),
        pytest.param(None, id="missing"),
    ],
)
def test_inherited_citations_that_say_something_else_are_refused(
    service: VerifiedMemory, dock: Path, code: str | None
) -> None:
    made = service.keep(new()).stored.id
    (dock / BERTH).unlink()
    if code is not None:
        write(dock, code)

    with pytest.raises(NotHeld) as told:
        service.supersede(made, "They are lettered")

    assert "cite the lines" in told.value.hint
    assert [each.id for each in service.store.all()] == [made]
    assert service.store.get(made).status == "active"


def test_lines_that_nobody_kept_are_not_inherited(service: VerifiedMemory) -> None:
    made = service.keep(new()).stored.id
    forget_lines(service)

    with pytest.raises(NotHeld, match="was not compared"):
        service.supersede(made, "They are lettered")


async def test_rows_without_a_hash_are_unchecked_at_every_door(
    service: VerifiedMemory, dock: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = service.keep(new()).stored.id
    forget_lines(service)
    home = tmp_path / "home"

    async with agent(dock, home) as pilot:
        recent = await pilot.asks("memory_get_recent", repo=REPO)
        about = await pilot.asks("memory_search_by_path", repo=REPO, path=BERTH)
        checked = await pilot.asks("memory_verify_citations", repo=REPO, citations=[HERE])
        prompt = await pilot.asks("memory_compose", role="anyone")
    code = run(["memory", "verify", "--json", "--root", str(dock), "--home", str(home)])
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    with VerifiedMemoryProvider(dock, home=home) as provider:
        usable = provider.usable()
    bench = Session.open(dock, Places.of(home), door="tui")
    out = [each.detail for each in bench.compose(Ask(role="anyone")).verdicts]
    bench.close()

    verdicts = [each["memories"][0]["verdict"] for each in (recent, about)]
    assert verdicts == ["unchecked", "unchecked"]
    assert (checked["valid"], checked["status"], checked["unchecked_count"]) == (
        False,
        "unchecked",
        1,
    )
    assert made not in prompt["text"]
    assert (code, told["results"][0]["status"], told["unchecked_count"]) == (1, "unchecked", 1)
    assert usable == ()
    assert out == [f"`{BERTH}:2-3` was not compared: {told['results'][0]['citations'][0]['error']}"]
    counted = events(service)
    assert not counted.keys() & {"verified_valid", "verified_invalid"}


def test_a_refresh_keeps_the_lines_so_that_they_are_compared_from_then_on(
    service: VerifiedMemory, dock: Path
) -> None:
    made = service.keep(new()).stored.id
    forget_lines(service)

    service.refresh(made, "Mara")
    (citation,) = service.store.get(made).citations
    (held,) = service.recent(REPO, 1)
    write(dock, "first\nother\nthird\nfourth\n")
    (changed,) = service.recent(REPO, 1)

    assert citation.snippet == "second\nthird"
    assert len(citation.snippet_hash) == 64
    assert (held.verdict, changed.verdict) == (CitationStatus.VALID, CitationStatus.CHANGED)
    with pytest.raises(NotHeld):
        service.refresh(made, "Mara")


def test_what_is_given_out_is_logged_as_it_was_found(service: VerifiedMemory, dock: Path) -> None:
    service.keep(new("one"))
    service.keep(new("two", start=3))
    write(dock, "first\nsecond\nthird\nother\n")

    service.recent(REPO, 5)

    told = service.telemetry(REPO).counts
    assert told[EventName.RETRIEVED] == 2
    assert (told[EventName.VERIFIED_VALID], told[EventName.VERIFIED_INVALID]) == (1, 1)


def test_a_row_that_lost_a_citation_is_in_no_prompt(
    service: VerifiedMemory, dock: Path, tmp_path: Path
) -> None:
    service.keep(new())
    with service.store.base.writing() as sql:
        sql.exec_driver_sql(
            """UPDATE agent_memory SET citations = json_insert(citations, '$[1]', 'nothing')"""
        )

    bench = Session.open(dock, Places.of(tmp_path / "home"), door="cli")
    prompt = bench.compose(Ask(role="anyone"))
    bench.close()

    assert "Berths are numbered" not in prompt.text
    assert "citation 2" in prompt.verdicts[0].detail


@pytest.fixture
def away(monkeypatch: pytest.MonkeyPatch) -> str:
    """Nobody answers at the address of the database."""
    monkeypatch.setenv("REMEM_DATABASE_URL", AWAY)
    return AWAY


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("memory_compose", {"role": "anyone"}),
        ("memory_get_recent", {"repo": REPO}),
        ("memory_search_by_path", {"repo": REPO, "path": BERTH}),
        ("memory_verify_citations", {"repo": REPO, "citations": [HERE]}),
    ],
)
def test_a_store_that_cannot_be_reached_is_an_error_to_agents(
    dock: Path, tmp_path: Path, away: str, tool: str, given: dict[str, Any]
) -> None:
    state = ServerState(dock, Places.of(tmp_path / "home"), "run-1")
    tools = {each.name: each for each in TOOLS}

    with pytest.raises(StoreUnavailable, match="postgresql"):
        answer(Call(state, tools[tool].read(given), "pilot"))
    state.close()


@pytest.mark.parametrize("as_json", [False, True])
def test_a_prompt_says_that_memory_could_not_be_read_and_ends_with_4(
    dock: Path, tmp_path: Path, away: str, capsys: pytest.CaptureFixture[str], as_json: bool
) -> None:
    given = [
        "compose",
        "--role",
        "anyone",
        "--allow-unknown",
        "--root",
        str(dock),
        "--home",
        str(tmp_path / "home"),
    ]

    code = run([*given, "--json"] if as_json else given)

    out, err = capsys.readouterr()
    assert code == 4
    assert "could not be read now" in out
    assert "No repository memories" not in out
    assert as_json or "not read: postgresql:" in err
