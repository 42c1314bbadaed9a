import json
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.mcp.clients import agent
from tests.workspace_files import SHARED, conventions, files

from remem.base.errors import NotPossible, RememError
from remem.cli.main import run
from remem.core.settings import Places
from remem.core.verbs.propose import Rejected
from remem.mcp.calls import _CALLS, answer
from remem.mcp.fitting_answers import as_text, tokens_of
from remem.mcp.server_state import Answer, Call, ServerState
from remem.mcp.tools import TOOLS
from remem.model.change import Intent
from remem.systems.facts.database.lazy_rows import read_memories

REPO = "dock"
HERE = {"path": "src/berth.ts", "line_start": 1, "line_end": 2}
RULES = """\
conventions:
  - id: conv-001
    rule: "Berths are numbered from the pier"
    source: {type: manual, ref: user-added, date: "2026-01-20"}
    applies_to: [backend-engineer]
"""


STORE = {"repo": REPO, "subject": "s", "fact": "f", "citations": [HERE]}
NOBODY = "0b8e0000-0000-4000-8000-000000000000"
FAILING: list[tuple[str, str, dict[str, Any]]] = [
    ("bad-argument", "memory_store", {"repo": REPO}),
    ("bad-argument", "memory_store", {**STORE, "color": "red"}),
    ("bad-argument", "memory_store", {**STORE, "fact": 7}),
    ("bad-argument", "memory_store", {**STORE, "citations": "src/berth.ts"}),
    ("bad-argument", "memory_store", {**STORE, "fact": "x" * 30_000}),
    ("bad-argument", "memory_get_recent", {"repo": REPO, "limit": "many"}),
    ("bad-argument", "memory_compose", {"role": "x", "files": [1]}),
    ("bad-argument", "memory_compose", {"role": "x", "budget": 0}),
    ("bad-argument", "memory_get_recent", {"limit": 0}),
    ("bad-argument", "memory_get_recent", {"limit": 1000}),
    ("bad-argument", "memory_get_recent", {"max_tokens": 5}),
    ("bad-memory", "memory_store", {**STORE, "citations": []}),
    ("bad-memory", "memory_store", {**STORE, "subject": " "}),
    ("bad-memory", "memory_search_by_path", {"repo": REPO, "path": "../x"}),
    ("bad-citation", "memory_store", {**STORE, "citations": [{**HERE, "line_start": 0}]}),
    ("bad-citation", "memory_store", {**STORE, "citations": [{**HERE, "line_end": 0}]}),
    ("bad-citation", "memory_store", {**STORE, "citations": [{**HERE, "path": "/etc/hosts"}]}),
    ("bad-citation", "memory_store", {**STORE, "citations": [{"path": "src/berth.ts"}]}),
    ("bad-citation", "memory_store", {**STORE, "citations": ["src/berth.ts:1"]}),
    ("bad-citation", "memory_read_citation", {"repo": REPO, **HERE, "line_start": 9}),
    ("unacknowledged", "memory_store", {**STORE, "fact": "hid\u202eden"}),
    ("unacknowledged", "memory_store", {**STORE, "fact": "Commit with `git commit --no-verify`"}),
    ("not-possible", "memory_store", {**STORE, "repo": "acme/other"}),
    ("not-possible", "memory_verify_citations", {"repo": "acme/other", "citations": [HERE]}),
    ("unknown-ref", "memory_refresh", {"memory_id": NOBODY}),
    ("unknown-ref", "memory_invalidate", {"memory_id": "' OR 1=1"}),
    ("unknown-ref", "memory_supersede", {"old_memory_id": NOBODY, "new_fact": "f"}),
    ("unknown-ref", "memory_log_applied", {"memory_id": ""}),
    ("unknown-ref", "memory_why", {"ref": "conv-999", "role": "x"}),
    ("bad-argument", "memory_why", {"ref": "conv-001"}),
    ("bad-argument", "memory_compose", {}),
    ("unknown-ref", "memory_compose", {"persona": "Nobody"}),
    ("not-possible", "memory_propose", {"kind": "convention", "fields": {}}),
]
"""The code of an error, and the call that ends in it."""


@pytest.fixture
def dock(tmp_path: Path) -> Path:
    root = tmp_path / REPO
    for folder in ("src", ".sniper/memory", ".remem"):
        (root / folder).mkdir(parents=True)
    (root / "src/berth.ts").write_text("first\nsecond\nthird\n")
    (root / ".sniper/memory/conventions.yaml").write_text(RULES)
    return root


async def test_every_tool_does_what_its_description_says(dock: Path, tmp_path: Path) -> None:
    async with agent(dock, tmp_path / "home") as pilot:
        stored = await pilot.asks(
            "memory_store",
            repo=REPO,
            subject="berths",
            fact="They are numbered",
            citations=[HERE],
            reason="Two ferries met",
            created_by="pilot",
        )
        old = stored["id"]
        recent = await pilot.asks("memory_get_recent", repo=REPO, limit=5)
        about = await pilot.asks("memory_search_by_path", repo=REPO, path="src/berth.ts")
        place = await pilot.asks("memory_read_citation", repo=REPO, **HERE)
        checked = await pilot.asks("memory_verify_citations", repo=REPO, citations=[HERE])
        refreshed = await pilot.asks("memory_refresh", memory_id=old, verified_by="pilot")
        better = await pilot.asks(
            "memory_supersede", old_memory_id=old, new_fact="They are lettered"
        )
        new = better["new_memory_id"]
        applied = await pilot.asks("memory_log_applied", memory_id=new, session_id="run-1")
        invalid = await pilot.asks("memory_invalidate", memory_id=new, reason="neither")
        again = await pilot.asks("memory_invalidate", memory_id=new, reason="neither")
        stats = await pilot.asks("memory_stats", repo=REPO)
        proposed = await pilot.asks(
            "memory_propose", kind="convention", fields={"rule": "Ferries whistle twice"}
        )
        prompt = await pilot.asks("memory_compose", role="backend-engineer")
        why = await pilot.asks("memory_why", ref="conv-001", role="backend-engineer")

    assert stored["status"] == "created"
    (memory,) = recent["memories"]
    assert (memory["id"], memory["verdict"], memory["reason"]) == (old, "valid", "Two ferries met")
    assert memory["citations"][0]["status"] == "valid"
    assert about["memories"][0]["id"] == old
    assert (place["content"], place["exists"]) == ("first\nsecond", True)
    assert (checked["valid"], checked["valid_count"], checked["invalid_count"]) == (True, 1, 0)
    assert checked["citations"][0]["status"] == "valid"
    assert (refreshed["success"], refreshed["verification_count"]) == (True, 1)
    assert applied["logged"] is True
    assert invalid["success"] is True
    assert again == invalid
    assert (stats["active_count"], stats["superseded_count"], stats["invalid_count"]) == (0, 1, 1)
    assert len(proposed["item"]) == 12
    assert "Berths are numbered" in prompt["text"]
    assert why["included"] is True
    events = {
        "created": 1,
        "retrieved": 2,
        "verified_valid": 3,
        "verified_invalid": 1,
        "corrected": 1,
        "refreshed": 1,
        "superseded": 1,
        "applied": 1,
    }
    assert stats["events"] == events
    assert [each.fact for each in read_memories(dock / ".remem/memory.db")] == [
        "They are numbered",
        "They are lettered",
    ]


def ask(state: ServerState, tool: str, **arguments: Any) -> Answer:
    """Call a tool without the protocol."""
    (declared,) = [each for each in TOOLS if each.name == tool]
    return answer(Call(state, declared.read(arguments), "pilot"))


@pytest.fixture
def state(dock: Path, tmp_path: Path) -> Iterator[ServerState]:
    places = Places.of(tmp_path / "home")
    found = ServerState(dock, places, "run-1")
    yield found
    found.close()


def fact(state: ServerState, said: str, subject: str = "berth numbers") -> Answer:
    return ask(state, "memory_store", subject=subject, fact=said, citations=[HERE])


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Berths are numbered from the pier", "Berths are never numbered from the pier"),
        ("Numbers begin after the crane", "Numbers begin before the crane"),
        ("A berth is held for 30 seconds", "A berth is held for 5 seconds"),
        ("The store is `sqlite`", "The store is `postgres`"),
    ],
)
def test_a_fact_that_contradicts_another_is_answered_with_it_and_changes_nothing_in_it(
    state: ServerState, dock: Path, first: str, second: str
) -> None:
    old = fact(state, first)
    before = read_memories(dock / ".remem" / "memory.db")

    new = fact(state, second)

    assert old["conflicts"] == []
    assert "hint" not in old
    assert (new["status"], new["id"] != old["id"]) == ("created", True)
    assert [(each["id"], each["fact"]) for each in new["conflicts"]] == [(old["id"], first)]
    assert new["conflicts"][0]["because"]
    assert "memory_supersede" in new["hint"]
    after = read_memories(dock / ".remem" / "memory.db")
    assert [each for each in after if each.id == old["id"]] == [*before]


def test_the_same_fact_in_other_signs_is_counted_and_not_stored_twice(
    state: ServerState, dock: Path
) -> None:
    old = fact(state, "Berths are numbered from the pier")

    again = fact(state, "berths are numbered  from the pier.", "Berth numbers")

    assert (again["id"], again["status"]) == (old["id"], "refreshed")
    assert len(read_memories(dock / ".remem" / "memory.db")) == 1


def test_facts_of_other_subjects_are_no_conflict(state: ServerState) -> None:
    fact(state, "It is 30 seconds", "timeout of the crane")

    assert fact(state, "It is 5 minutes", "pause between two tides")["conflicts"] == []


def test_what_an_agent_proposes_waits_for_a_person(state: ServerState, dock: Path) -> None:
    rule = {"rule": "Ferries\u200b whistle twice"}

    made = ask(state, "memory_propose", kind="convention", fields=rule, evidence="the log of May")

    (proposal,) = (dock / ".remem/proposals").iterdir()
    text = proposal.read_text()
    assert made["ref"] == f"remem:{proposal.stem}"
    assert [item.id for item in state.session.queue()] == [made["item"]]
    assert [finding["kind"] for finding in made["findings"]] == ["hidden-characters"]
    assert "door: mcp" in text
    assert "by: pilot" in text
    assert "the log of May" in text
    assert (dock / ".sniper/memory/conventions.yaml").read_text() == RULES
    with pytest.raises(NotPossible, match="already in the queue"):
        ask(state, "memory_propose", kind="convention", fields=rule)


def test_an_approved_proposal_names_who_proposed_it(state: ServerState, dock: Path) -> None:
    ask(state, "memory_propose", kind="convention", fields={"rule": "Ferries whistle twice"})
    (item,) = state.session.queue()

    state.session.apply(Intent("approve", {item.ref: item.digest}))

    text = (dock / ".sniper/memory/conventions.yaml").read_text()
    assert "user-added" in text.partition("conv-002")[0]
    assert "proposed by pilot" in text.partition("conv-002")[2]


def test_an_agents_proposal_is_taken_back_by_its_id_and_never_as_a_persons_last_change(
    state: ServerState, dock: Path
) -> None:
    ask(state, "memory_propose", kind="convention", fields={"rule": "Ferries whistle twice"})
    bench = state.session

    with pytest.raises(NotPossible, match="nothing to undo"):
        bench.undo()
    assert [*(dock / ".remem").glob("proposals/*")] != []

    bench.undo(bench.journal.changes(bench.root)[0].id)

    assert [*(dock / ".remem").glob("proposals/*")] == []


def test_every_tool_that_writes_is_in_the_history_and_undone_to_the_same_bytes_and_rows(
    state: ServerState, dock: Path
) -> None:
    first = ask(state, "memory_store", **STORE)["id"]
    calls: dict[str, dict[str, Any]] = {
        "memory_store": {**STORE, "fact": "g"},
        "memory_refresh": {"memory_id": first},
        "memory_supersede": {"old_memory_id": first, "new_fact": "h", "new_citations": [HERE]},
        "memory_invalidate": {"memory_id": first, "reason": "it is wrong"},
        "memory_propose": {"kind": "convention", "fields": {"rule": "Ferries whistle twice"}},
    }
    # A use is telemetry, which nobody takes back.
    assert {*calls, "memory_log_applied"} == {tool.name for tool in TOOLS if tool.writes}
    bench = state.session
    for name, given in calls.items():
        before, stood = _standing(dock), len(bench.journal.changes(bench.root))

        ask(state, name, **given)

        newest, *older = bench.journal.changes(bench.root)
        assert (newest.origin.door, len(older)) == ("mcp", stood), name
        assert _standing(dock) != before, name
        bench.undo(newest.id)
        assert _standing(dock) == before, name


def _standing(dock: Path) -> dict[str, object]:
    """Return every file of memory with its bytes, and of facts every row but of looking at them."""
    found: dict[str, object] = {
        str(path): path.read_bytes()
        for path in sorted(dock.rglob("*"))
        if path.is_file() and "memory.db" not in path.name
    }
    with closing(sqlite3.connect(dock / ".remem/memory.db")) as sql:
        tables = sql.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        for (name,) in tables:
            # What the index of words keeps for itself is its own; what it answers is not.
            if "telemetry" not in name and not name.startswith("memory_text_"):
                found[name] = sorted(map(repr, sql.execute(f"SELECT * FROM {name}")))
    return found


def test_what_was_rejected_is_refused_with_the_reason(state: ServerState) -> None:
    rule = {"rule": "All files end in a banner comment"}
    made = ask(state, "memory_propose", kind="convention", fields=rule)
    bench = state.session
    entry = bench.library.resolve(made["ref"])
    bench.apply(bench.intend("reject", [entry], reason="the linter does it"))

    with pytest.raises(Rejected, match="the linter does it"):
        ask(state, "memory_propose", kind="convention", fields=rule)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"kind": "poem", "fields": {"text": "Roses"}}, "stores a `poem`"),
        ({"kind": "convention", "fields": {}}, "needs fields"),
        ({"kind": "convention", "fields": {"rationale": "x"}}, "needs a text"),
        ({"kind": "convention", "fields": {"rule": "x" * 30_000}}, "at most"),
        (
            {"kind": "convention", "fields": {"rule": "x"}, "target": "learning"},
            "stores no `convention`",
        ),
        (
            {"kind": "convention", "fields": {"rule": "berths are numbered from the pier."}},
            "already says it",
        ),
        (
            {"kind": "convention", "fields": {"text": "Berths have lamps"}},
            "keeps its text in `rule`, not in `text`",
        ),
    ],
)
def test_what_cannot_be_proposed_is_refused(
    state: ServerState, dock: Path, arguments: dict[str, object], says: str
) -> None:
    with pytest.raises(NotPossible, match=says):
        ask(state, "memory_propose", **arguments)

    assert not (dock / ".remem/proposals").exists()


def many(state: ServerState, number: int) -> None:
    for place in range(number):
        ask(state, "memory_store", subject=f"s{place}", fact=f"Fact {place}", citations=[HERE])


@pytest.mark.parametrize(
    ("tool", "arguments", "listed"),
    [
        ("memory_get_recent", {"limit": 200}, "memories"),
        ("memory_search_by_path", {"path": "src/berth.ts"}, "memories"),
        ("memory_stats", {}, "usage"),
    ],
)
def test_every_answer_is_capped_and_counts_what_it_leaves_out(
    state: ServerState, tool: str, arguments: dict[str, object], listed: str
) -> None:
    many(state, 30)

    short = ask(state, tool, **arguments, max_tokens=400)
    whole = ask(state, tool, **arguments, max_tokens=20_000)

    assert tokens_of(as_text(short)) <= 400
    assert len(short[listed]) + short["left_out"] == len(whole[listed]) == 30
    assert "left_out" not in whole


def test_what_a_prompt_leaves_out_is_counted_and_only_the_first_named(state: ServerState) -> None:
    many(state, 30)

    prompt = ask(state, "memory_compose", role="backend-engineer", budget=20, max_tokens=5_000)

    left = prompt["excluded"]
    assert left["count"] == sum(left["reasons"].values()) > 10
    assert len(left["first"]) == 10


def test_an_agent_that_loads_files_is_told_what_it_loads_without_a_role(
    state: ServerState, dock: Path
) -> None:
    files(
        dock / ".squad",
        {
            "agents/hill/charter.md": "# Hill — Core\n",
            "agents/hill/history.md": "# Hill\n\n## Learnings\n\n- Name the berth\n",
        },
    )

    prompt = ask(state, "memory_compose", persona="Hill")
    lesson = next(e for e in state.session.library.entries() if e.title == "Name the berth")
    why = ask(state, "memory_why", ref=str(lesson.ref), persona="hill")

    assert "- Name the berth" in prompt["text"]
    assert why["included"]


def test_of_several_agents_of_one_name_none_is_taken_before_one_is_named_by_its_layout(
    state: ServerState, dock: Path
) -> None:
    files(
        dock,
        {
            ".squad/agents/hill/charter.md": "# Hill — Core\n",
            ".squad/agents/hill/history.md": "# Hill\n\n## Learnings\n\n- Name the berth\n",
            ".claude/agents/hill.md": "---\nname: hill\ndescription: d\n---\nYou moor boats.\n",
        },
    )

    with pytest.raises(RememError, match="2 agents are called `Hill`") as refused:
        ask(state, "memory_compose", persona="Hill")
    prompt = ask(state, "memory_compose", persona="Hill", layout="squad")

    assert "`claude-project` or `squad`" in refused.value.hint
    assert "- Name the berth" in prompt["text"]
    assert "moor" not in prompt["text"]


def test_a_role_that_is_mistyped_is_told_from_those_that_there_are(
    state: ServerState, dock: Path
) -> None:
    rule = '- {id: conv-001, rule: "Clocks are passed in", applies_to: [backend-engineer]}'
    files(dock / ".sniper", {"memory/conventions.yaml": f"conventions:\n  {rule}\n"})

    meant = ask(state, "memory_compose", role="backend-engineer")
    mistyped = ask(state, "memory_compose", role="backend-enginer")

    assert "hint" not in meant
    assert "unknown role `backend-enginer`" in mistyped["hint"]
    assert "`backend-engineer`" in mistyped["hint"]


def test_a_long_prompt_is_cut_between_lines_and_says_so(state: ServerState) -> None:
    many(state, 30)

    prompt = ask(state, "memory_compose", role="backend-engineer", max_tokens=300)

    assert prompt["text"].endswith("\n")
    assert prompt["left_out_characters"] > 0
    assert prompt["tokens"] > 300


def test_hashes_are_given_only_where_they_are_asked_for(state: ServerState) -> None:
    many(state, 1)

    plain = ask(state, "memory_get_recent")
    asked = ask(state, "memory_get_recent", hashes=True)

    assert "hash" not in json.dumps(plain)
    assert asked["memories"][0]["citations"][0]["snippet_hash"]


def test_a_repository_nobody_has_memories_of_is_answered_with_those_that_are_known(
    state: ServerState,
) -> None:
    many(state, 1)

    here, elsewhere = ask(state, "memory_get_recent"), ask(state, "memory_stats")
    mistyped = ask(state, "memory_get_recent", repo="o/other")

    assert (here["repo"], len(here["memories"]), elsewhere["repo"]) == (REPO, 1, REPO)
    assert mistyped["memories"] == []
    assert f"this checkout is `{REPO}`" in mistyped["hint"]


def test_every_tool_has_a_name_that_every_client_takes() -> None:
    assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,40}", tool.name) for tool in TOOLS)


async def test_the_dotted_names_are_taken_and_never_listed(dock: Path, tmp_path: Path) -> None:
    async with agent(dock, tmp_path / "home") as pilot:
        listed = [tool.name for tool in (await pilot.session.list_tools()).tools]

        assert (await pilot.asks("memory.stats")) == (await pilot.asks("memory_stats"))
        assert not [name for name in listed if "." in name]


def test_an_agent_sees_the_prompt_of_a_role_and_why(state: ServerState) -> None:
    prompt = ask(state, "memory_compose", role="backend-engineer")
    why = ask(state, "memory_why", ref="conv-001", role="backend-engineer")
    not_for = ask(state, "memory_why", ref="conv-001", role="qa-engineer")

    assert "Berths are numbered from the pier" in prompt["text"]
    assert prompt["tokens"] > 0
    assert prompt["excluded"] == {"count": 0, "reasons": {}, "first": []}
    assert (why["included"], why["reason"], why["because"]) == (
        True,
        "",
        "it is for backend-engineer",
    )
    assert (not_for["included"], not_for["reason"]) == (False, "role")
    assert not_for["because"] == "it is for backend-engineer"


def test_a_file_that_is_not_there_is_told_with_the_prompt_for_it(state: ServerState) -> None:
    there = ask(state, "memory_compose", role="backend-engineer", files=["src/berth.ts"])
    lost = ask(state, "memory_compose", role="backend-engineer", files=["src/birth.ts"])

    assert "there is no file" not in there.get("hint", "")
    assert "there is no file `src/birth.ts`" in lost["hint"]


def test_no_prompt_is_composed_for_a_story_that_is_not_there(
    state: ServerState, dock: Path
) -> None:
    elsewhere = ask(state, "memory_compose", role="qa-engineer", story="ST-002")
    files(dock / ".shaktra", {"memory/principles.yml": "", "stories/ST-001.yml": "id: ST-001\n"})

    with pytest.raises(NotPossible, match="no story `ST-002`"):
        ask(state, "memory_compose", role="qa-engineer", story="ST-002")

    assert elsewhere["text"]
    assert ask(state, "memory_compose", role="qa-engineer", story="ST-001")["text"]


def test_why_of_a_repositorys_entry_is_told_as_composed_there(tmp_path: Path) -> None:
    shared = tmp_path / "shop/sniper-workspace"
    files(
        tmp_path / "shop",
        {
            "sniper-workspace/workspace.yaml": "name: shop\nrepositories:\n"
            "  - {name: api, path: ../api}\n  - {name: web, path: ../web}\n",
            f"sniper-workspace/{SHARED}": conventions(["Names are verbs"]),
            "api/.sniper/memory/conventions.yaml": conventions(["Queues are idempotent"]),
            "web/.sniper/memory/conventions.yaml": conventions(["Pages have titles"]),
        },
    )
    with closing(ServerState(shared, Places.of(tmp_path / "home"), "s")) as state:
        why = ask(state, "memory_why", ref="sniper@api:conv-001", role="qa-engineer")

    assert why["included"] is True


@pytest.mark.parametrize(("code", "tool", "arguments"), FAILING)
def test_what_cannot_be_done_is_told(
    state: ServerState, code: str, tool: str, arguments: dict[str, Any]
) -> None:
    with pytest.raises(RememError) as told:
        ask(state, tool, **arguments)

    assert told.value.code == code
    assert str(told.value)


@pytest.mark.parametrize("tool", ["memory_get_recent", "memory_stats", "memory_propose"])
def test_a_project_that_is_gone_is_told_and_not_taken_for_an_empty_one(
    state: ServerState, dock: Path, tool: str
) -> None:
    given: dict[str, Any] = {"repo": REPO}
    if tool == "memory_propose":
        given = {"kind": "convention", "fields": {"rule": "Ropes are checked"}}
    dock.rename(dock.with_name("elsewhere"))

    with pytest.raises(NotPossible, match="no longer exists"):
        ask(state, tool, **given)

    assert not dock.exists()


@pytest.mark.slow
async def test_every_error_reaches_the_client(dock: Path, tmp_path: Path) -> None:
    async with agent(dock, tmp_path / "home") as pilot:
        found = [await pilot.fails(tool, **arguments) for _, tool, arguments in FAILING]
        nope = await pilot.fails("memory.nope")
        await pilot.asks("memory_store", **STORE)
        (dock / "src/berth.ts").write_text("changed\n" * 4)
        stale = await pilot.fails(
            "memory_refresh", memory_id=read_memories(dock / ".remem/memory.db")[0].id
        )

    assert [error["code"] for error in found] == [code for code, _, _ in FAILING]
    assert all(error["message"] for error in found)
    assert (nope["code"], stale["code"]) == ("bad-argument", "not-held")
    assert "supersede" in stale["hint"]


def test_each_tool_is_declared_and_done() -> None:
    assert {tool.args for tool in TOOLS} == set(_CALLS)
    assert all(tool.description.endswith(".") for tool in TOOLS)
    assert len(json.dumps([tool.schema for tool in TOOLS])) < 12_000


def test_the_door_for_agents_never_loads_the_screens() -> None:
    script = (
        "import sys, remem.mcp.server\n"
        "assert 'textual' not in sys.modules\n"
        "assert 'sqlalchemy' not in sys.modules\n"
    )

    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)

    assert done.returncode == 0, done.stderr


def test_a_server_introduces_itself_before_it_loads_what_calls_need(dock: Path) -> None:
    loaded = "[name for name in ('sqlalchemy', 'remem.mcp.calls', 'ruamel') if name in sys.modules]"
    script = (
        "import sys\n"
        "from pathlib import Path\n"
        "from remem.core.settings import Places\n"
        "import remem.mcp.server as server\n"
        "from remem.mcp.start_server import Opening\n"
        f"opening = Opening(Path({str(dock)!r}), Places.of(Path({str(dock / 'home')!r})))\n"
        "server.made(opening)\n"
        f"print({loaded})\n"
        "opening.begin()\n"
        "opening.begin()\n"
        "assert opening.state is opening.state\n"
        "opening.close()\n"
        f"print({loaded})\n"
    )

    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)

    assert done.stdout.decode().splitlines() == ["[]", "['sqlalchemy', 'remem.mcp.calls']"]
    assert not done.stderr


def test_a_server_whose_client_leaves_at_once_ends_without_a_word(dock: Path) -> None:
    command = [sys.executable, "-m", "remem", "mcp", "--root", str(dock)]
    command += ["--home", str(dock / "home")]
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}}
    hello |= {"clientInfo": {"name": "brief", "version": "1"}}
    said = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
    ]

    done = subprocess.run(
        command,
        input="".join(json.dumps(each) + "\n" for each in said).encode(),
        capture_output=True,
        timeout=60,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, b"")
    assert b"serverInfo" in done.stdout


def test_whoever_writes_all_its_questions_into_a_pipe_gets_every_answer(dock: Path) -> None:
    command = [sys.executable, "-m", "remem", "mcp", "--root", str(dock)]
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}}
    hello |= {"clientInfo": {"name": "brief", "version": "1"}}
    call = {"name": "memory_get_recent", "arguments": {}}
    said: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": hello},
        {"method": "notifications/initialized"},
        *({"id": number, "method": "tools/list"} for number in range(2, 5)),
        *({"id": number, "method": "tools/call", "params": call} for number in range(5, 8)),
    ]

    done = subprocess.run(
        [*command, "--home", str(dock / "home")],
        input="".join(json.dumps({"jsonrpc": "2.0", **each}) + "\n" for each in said).encode(),
        capture_output=True,
        timeout=60,
        check=False,
    )

    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert sorted(each["id"] for each in answers) == [*range(1, 8)]
    assert all("result" in each for each in answers)


def test_without_the_sdk_it_says_what_to_install(
    dock: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)

    code = run(["--root", str(dock), "mcp"])

    assert code == 2
    assert "pip install 'remem[mcp]'" in capsys.readouterr().err


@pytest.mark.slow
async def test_twenty_agents_that_write_at_once_lose_nothing(dock: Path, tmp_path: Path) -> None:
    agents, each = 20, 6
    ids: list[str] = []

    async def work(number: int) -> None:
        async with agent(dock, tmp_path / "home") as pilot:
            for turn in range(each):
                fact = f"fact {turn}" if turn % 2 else f"fact {number} {turn}"
                made = await pilot.asks(
                    "memory_store", repo=REPO, subject="berths", fact=fact, citations=[HERE]
                )
                await pilot.asks("memory_log_applied", memory_id=made["id"])
                ids.append(made["id"])

    async with anyio.create_task_group() as group:
        for number in range(agents):
            group.start_soon(work, number)

    async with agent(dock, tmp_path / "home") as pilot:
        stats = await pilot.asks("memory_stats", repo=REPO)
    kept = read_memories(dock / ".remem/memory.db")
    assert len(ids) == agents * each
    assert {memory.id for memory in kept} == set(ids)
    assert stats["active_count"] == agents * each // 2 + each // 2
    assert stats["events"]["applied"] == agents * each
    assert stats["events"]["created"] == stats["active_count"]
    assert stats["events"]["created"] + stats["events"]["refreshed"] == agents * each
