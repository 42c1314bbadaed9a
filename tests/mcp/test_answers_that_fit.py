"""What tools answer to agents: no longer than they ask for, nothing twice, the best first."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.mcp.clients import agent
from tests.mcp.test_tools import REPO, ask

from remem.base.errors import RememError
from remem.core.settings import Places
from remem.mcp.fitting_answers import as_text, tokens_of
from remem.mcp.server_state import ServerState
from remem.mcp.tools import TOOLS
from remem.model.citation import Citation
from remem.systems.facts.records import NewMemory

PLUGIN_PREFIX = "mcp__plugin_remem_remem__"
"""What Claude Code puts before the tools of a plug-in's server."""


@pytest.fixture
def state(tmp_path: Path) -> Iterator[ServerState]:
    root = tmp_path / REPO
    (root / "src").mkdir(parents=True)
    (root / "src/berth.ts").write_text("".join(f"line {each}\n" for each in range(6000)))
    (root / "src/pump.ts").write_text("start\nstop\n")
    found = ServerState(root, Places.of(tmp_path / "home"), "run-1")
    yield found
    found.close()


def store(state: ServerState, fact: str, *places: tuple[str, int], subject: str = "berths") -> str:
    cited = [{"path": path, "line_start": line, "line_end": line} for path, line in places]
    made = ask(state, "memory_store", subject=subject, fact=fact, citations=cited)
    return str(made["id"])


GIVING = ("memory_get_recent", "memory_search_by_path", "memory_search")


@pytest.mark.slow
@pytest.mark.parametrize("most", [300, 2_000])
@pytest.mark.parametrize("hashes", [False, True])
def test_five_thousand_citations_and_a_subject_of_a_thousand_characters_fit(
    state: ServerState, most: int, hashes: bool
) -> None:
    many = tuple(Citation("src/berth.ts", number, number) for number in range(1, 5001))
    new = NewMemory(REPO, "berth " * 166, "一" * 200, many)
    name = state.memory.keep(new).stored.id  # the command line takes as many
    cited = [each.to_json() for each in many[:100]]
    calls: dict[str, dict[str, Any]] = {
        "memory_get_recent": {"hashes": hashes},
        "memory_search_by_path": {"path": "src/berth.ts", "hashes": hashes},
        "memory_search": {"query": "berth", "hashes": hashes},
        "memory_history": {"memory_id": name},
        "memory_stats": {},
        "memory_compose": {"role": "backend-engineer"},
        "memory_verify_citations": {"citations": cited, "hashes": hashes},
        "memory_read_citation": {"path": "src/berth.ts", "line_start": 1, "line_end": 2_000},
    }
    assert set(calls) == {tool.name for tool in TOOLS if "max_tokens" in tool.schema["properties"]}

    for tool, given in calls.items():
        found = ask(state, tool, **given, max_tokens=most)
        assert tokens_of(as_text({"untrusted": True, **found})) <= most + 10, tool
        if tool in GIVING:
            assert found["memories"][0]["id"] == name


def test_what_every_answer_holds_is_said_once(state: ServerState) -> None:
    for number in range(5):
        store(state, f"Fact {number}", ("src/berth.ts", number + 1))

    text = as_text(ask(state, "memory_get_recent"))

    assert text.count(f'"{REPO}"') == 1
    assert text.count('"src/berth.ts"') == 5
    assert "null" not in text
    assert "[]" not in text


def test_only_what_was_told_counts_as_given_out(state: ServerState) -> None:
    for number in range(60):
        store(state, f"Fact {number}", ("src/berth.ts", number + 1))

    found = ask(state, "memory_get_recent", limit=60, max_tokens=600)

    events = ask(state, "memory_stats")["events"]
    assert events["retrieved"] == events["verified_valid"] == len(found["memories"]) < 10
    assert len(found["memories"]) + found["left_out"] == 60


def test_words_find_memories_that_nobody_refreshed_for_long(state: ServerState) -> None:
    wanted = store(state, "The pump runs dry before pier 7", ("src/pump.ts", 1), subject="pumps")
    for number in range(60):
        store(state, f"Fact {number}", ("src/berth.ts", number + 1))

    found = ask(state, "memory_search", query="Why does a pump run dry?")
    none = ask(state, "memory_search", query="xebec")

    assert [each["id"] for each in found["memories"]] == [wanted]
    assert found["memories"][0]["verdict"] == "valid"
    assert none["memories"] == []
    assert "memory_store" in none["hint"]


def test_a_question_without_a_word_is_refused(state: ServerState) -> None:
    with pytest.raises(RememError, match="no word"):
        ask(state, "memory_search", query="?! -")


def test_a_task_gets_what_it_names_then_what_it_is_about_then_the_latest(
    state: ServerState,
) -> None:
    about = store(state, "Whistles are blown twice", ("src/berth.ts", 1), subject="whistles")
    cites = store(state, "It has two steps", ("src/pump.ts", 1), subject="pumps")
    latest = [store(state, f"Fact {number}", ("src/berth.ts", number + 2)) for number in range(9)]

    found = ask(state, "memory_get_recent", task="Let src/pump.ts blow a whistle", limit=4)

    order = [each["id"] for each in found["memories"]]
    assert order == [cites, about, latest[-1], latest[-2]]


def test_words_are_not_looked_for_where_the_files_of_a_task_fill_the_answer(
    state: ServerState, monkeypatch: pytest.MonkeyPatch
) -> None:
    cites = [store(state, f"Step {number}", ("src/pump.ts", 1)) for number in range(3)]

    def fail(*_: object) -> None:
        raise AssertionError("it was looked for")

    monkeypatch.setattr(state.memory.store, "search", fail)
    monkeypatch.setattr(state.memory.store, "recent", fail)
    found = ask(state, "memory_get_recent", task="Let src/pump.ts blow a whistle", limit=3)

    assert {each["id"] for each in found["memories"]} == {*cites}


def test_the_history_of_a_memory_says_what_took_its_place_and_why(state: ServerState) -> None:
    first = store(state, "Berths are numbered", ("src/berth.ts", 1))
    better = ask(state, "memory_supersede", old_memory_id=first, new_fact="Berths are lettered")
    second = better["new_memory_id"]
    ask(state, "memory_invalidate", memory_id=second, reason="they have no marks")

    found = ask(state, "memory_history", memory_id=first)

    assert [(each["id"], each["status"]) for each in found["chain"]] == [
        (first, "superseded"),
        (second, "invalid"),
    ]
    assert found["chain"][0]["superseded_by"] == second
    assert found["events"][0]["event"] == "verified_invalid"
    assert found["events"][0]["reason"] == "they have no marks"


def test_a_claim_is_kept_judged_and_followed_without_lines(state: ServerState) -> None:
    code = state.root / "src/limits.py"
    code.write_text("LIMIT = 4\n")
    claim = {"path": "src/limits.py", "symbol": "LIMIT", "equals": 4}
    ask(state, "memory_store", subject="limit", fact="It is 4", citations=[claim])
    code.write_text("# moved down\n\nLIMIT: int = 4\n")

    held = ask(state, "memory_get_recent")["memories"][0]
    checked = ask(state, "memory_verify_citations", citations=[claim])
    code.write_text("LIMIT = 5\n")
    broken = ask(state, "memory_search", query="limit")["memories"][0]

    assert held["verdict"] == "valid"
    assert (held["citations"][0]["symbol"], held["citations"][0]["equals"]) == ("LIMIT", "4")
    assert checked["valid"] is True
    assert broken["verdict"] == "changed"
    assert broken["citations"][0]["error"] == "`LIMIT` is `5`"
    wrong = {**claim, "equals": 4}
    with pytest.raises(RememError, match="does not hold"):
        ask(state, "memory_store", subject="limit", fact="It is 4 still", citations=[wrong])


def test_what_hides_in_a_text_is_written_out_and_other_scripts_are_not() -> None:
    assert as_text({"a": "进港 ü"}) == '{"a":"进港 ü"}'
    assert as_text({"a": "x\u202ey\u200bz\ud800"}) == '{"a":"x\\u202ey\\u200bz\\ud800"}'
    assert json.loads(as_text({"a": "\u202e"})) == {"a": "\u202e"}


def test_names_of_tools_are_taken_by_every_client_with_the_prefix_of_a_plug_in() -> None:
    assert all(len(PLUGIN_PREFIX + tool.name) <= 64 for tool in TOOLS)


async def test_a_first_call_finds_the_server_warm(state: ServerState, tmp_path: Path) -> None:
    store(state, "Berths are numbered", ("src/berth.ts", 1))

    async with agent(state.root, tmp_path / "home") as pilot:
        found = await pilot.asks("memory_get_recent")

    assert found["memories"][0]["verdict"] == "valid"
