import re

import pytest
from tests.cli.conftest import CONVENTIONS, Shell, document_of, write

STORE = ".sniper/memory/conventions.yaml"

WRITING = [
    pytest.param(["add", "convention", "Names are verbs"], id="add"),
    pytest.param(["add", "lesson", "Look at the log first", "--persona", "Rosa"], id="add lesson"),
    pytest.param(["edit", "conv-001", "rationale=Because"], id="edit"),
    pytest.param(["remove", "conv-001", "ap-001"], id="remove"),
    pytest.param(["archive", "dec-001"], id="archive"),
    pytest.param(["approve", "conv-002"], id="approve"),
    pytest.param(["reject", "conv-002", "--reason", "a tool does it"], id="reject"),
    pytest.param(["promote", "conv-002"], id="promote"),
    pytest.param(["merge", "conv-002", "--into", "conv-001"], id="merge"),
    pytest.param(["supersede", "conv-002", "--instead-of", "conv-001"], id="supersede"),
    pytest.param(
        ["scope", "conv-002", "--apart-from", "conv-001", "--role", "qa-engineer"], id="scope"
    ),
    pytest.param(
        ["keep-both", "conv-002", "--beside", "conv-001", "--reason", "both hold"], id="keep both"
    ),
    pytest.param(["persona", "new", "Noor", "--role", "Slicer"], id="persona new"),
    pytest.param(["persona", "rename", "Rosa", "Mira"], id="persona rename"),
    pytest.param(["persona", "archive", "Rosa"], id="persona archive"),
    pytest.param(["persona", "edit", "Rosa", "role=Reviewer"], id="persona edit"),
    pytest.param(["move", "persona:Rosa/shop#69444f", "#2026-02-01"], id="move"),
    pytest.param(["pin", "persona:Rosa/shop#bec69e"], id="pin"),
]


@pytest.mark.parametrize("arguments", WRITING)
def test_a_dry_run_writes_nothing_and_says_what_it_would(shop: Shell, arguments: list[str]) -> None:
    before = shop.digest()

    text = shop(*arguments, "--dry-run")
    document = document_of(shop(*arguments, "--dry-run", "--json"), "change")

    assert text.code == 0
    assert text.raw
    assert "nothing was written" in text.err
    assert document["written"] is False
    assert document["change"]["id"] == ""
    assert document["change"]["effects"]
    assert shop.digest() == before


@pytest.mark.parametrize("arguments", WRITING)
def test_a_change_is_told_and_undone_to_the_same_bytes(shop: Shell, arguments: list[str]) -> None:
    shop("init")  # so that the state folder stands before the first look
    before = _memory(shop)

    done = document_of(shop(*arguments, "--json"), "change")
    after = _memory(shop)
    undone = document_of(shop("undo", "--json"), "change")
    restored = _memory(shop)
    redone = document_of(shop("redo", "--json"), "change")

    assert done["written"] is True
    assert done["undone"] is False
    assert done["change"]["effects"]
    assert after != before
    assert undone["undone"] is True
    assert undone["change"]["id"] == done["change"]["id"]
    assert restored == before
    assert redone["change"]["id"] == done["change"]["id"]
    assert _memory(shop) == after


def test_a_change_prints_its_title_and_how_to_take_it_back(shop: Shell) -> None:
    done = shop("remove", "ap-001")
    name = document_of(shop("history", "--json"), "history")["changes"][0]["id"]

    assert done.out == 'Removed sniper:ap-001 "Reading the clock inside domain co…"\n'
    assert f"`remem undo {name}` undoes it" in done.err
    assert f"`remem redo {name}` applies it again" in shop("undo", name).err


def test_every_writing_command_is_tried_here() -> None:
    from remem.cli.generate import command_paths, output_of

    tried = {" ".join(str(word) for word in case.values[0]) for case in WRITING}  # type: ignore[union-attr]
    tested_elsewhere = {
        "init", "undo", "redo", "restore", "persona restore", "persona absorb", "estimates take",
        "persona merge", "persona move",  # in test_persona_commands.py
        "persona share", "persona export",  # in tests/systems/personas
        "retro run",
        "workspace promote",  # in test_promote_commands.py
        "workspace override",  # in test_workspace_commands.py
        "layout add",  # in test_layout_commands.py
        "config set",  # in test_config_commands.py
        "memory retire",  # in test_memory_commands.py
        "reviewed",  # in test_inbox_commands.py
        "observe",  # in test_shaktra_commands.py
        "persona reflect",  # in test_persona_reflect_command.py
        "mcp install",  # in test_mcp_commands.py
        "hook start", "hook stop",  # there, too: they only print
        "hook hold",  # in tests/systems/plain/test_held_writes.py
    }  # fmt: skip
    writing = {path for path in command_paths() if output_of(path) == "change"}

    assert {
        path
        for path in writing - tested_elsewhere
        if not path.startswith("learn ")  # in test_learn_commands.py
        if not any(line.startswith(path) for line in tried)
    } == set()


def test_the_dry_run_is_a_unified_diff_with_derived_files_named(shop: Shell) -> None:
    answer = shop("approve", "conv-002", "--dry-run")

    lines = answer.out.splitlines()
    assert f"--- {STORE}" in lines
    assert "-    status: candidate" in lines
    assert "+    status: confirmed" in lines
    assert any(line.startswith(".sniper/memory/summary.md: ") for line in lines)


def test_an_edit_leaves_every_other_byte(shop: Shell) -> None:
    shop("edit", "conv-001", "rule=Every consumer is idempotent")

    expected = CONVENTIONS.replace("Every queue consumer", "Every consumer")
    assert shop.bytes_of(STORE).decode() == expected


def test_an_edit_takes_lists_nested_fields_and_null(shop: Shell) -> None:
    answer = shop(
        "edit", "conv-002", "applies_to=[qa, slicer]", "source.ref=sprint-9-retro", "rationale=null"
    )

    fields = document_of(shop("show", "conv-002", "--json"), "show")["fields"]
    assert answer.code == 0
    assert fields["applies_to"] == ["qa", "slicer"]
    assert fields["source"]["ref"] == "sprint-9-retro"
    assert "rationale" not in fields


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["edit", "conv-001", "rule"], "`rule` sets no field", id="no equals"),
        pytest.param(["edit", "conv-001", "=x"], "sets no field", id="no name"),
        pytest.param(["edit", "conv-001", "applies_to=[a"], "cannot be read", id="open list"),
        pytest.param(["edit", "conv-001", "colour=red"], "colour", id="no such field"),
        pytest.param(["edit", "conv-9999", "rule=x"], "no entry `conv-9999`", id="no entry"),
        pytest.param(["add", "convnetion", "x"], "unknown kind `convnetion`", id="kind"),
        pytest.param(["add", "convention", "x", "--severity", "high"], "`--severity`", id="option"),
        pytest.param(["add", "anti-pattern", "x", "--severity", "huge"], "severity", id="value"),
        pytest.param(["add", "convention", "  "], "empty", id="no text"),
        pytest.param(["add", "lesson", "x"], "persona", id="whose lesson"),
        pytest.param(["reject", "conv-001", "--reason", "x"], "does not wait", id="not waiting"),
        pytest.param(["approve", "zzz"], "no item in the queue", id="nothing selected"),
        pytest.param(["merge", "conv-002", "--into", "ap-001"], "", id="other kind"),
        pytest.param(["archive", "conv-001"], "", id="no archive"),
        pytest.param(["undo", "nope"], "`nope`", id="unknown change"),
        pytest.param(["persona", "rename", "Rosa", "../x"], "is not a valid name", id="climbing"),
        pytest.param(["persona", "restore", "Rosa"], "archived", id="not archived"),
        pytest.param(["persona", "new", "ROSA"], "taken", id="taken in another case"),
    ],
)
def test_what_cannot_be_done_ends_with_two_and_writes_nothing(
    shop: Shell, arguments: list[str], message: str
) -> None:
    before = _memory(shop)

    text = shop(*arguments)
    document = document_of(shop(*arguments, "--json"), "error")

    assert text.code == 2
    assert text.raw == b""
    assert message in text.err
    assert document["error"]["message"] in text.err
    assert document["error"]["hint"] in text.err
    assert _memory(shop) == before


def test_add_puts_options_into_the_fields_of_the_kind(shop: Shell) -> None:
    shop(
        *("add", "anti-pattern", "Retrying for ever", "--role", "backend-engineer"),
        *("--rationale", "It hides outages", "--severity", "high", "--set", "fix_pattern=cap it"),
    )

    fields = document_of(shop("show", "ap-002", "--json"), "show")["fields"]
    assert fields["description"] == "Retrying for ever"
    assert fields["applies_to"] == ["backend-engineer"]
    assert fields["why_bad"] == "It hides outages"
    assert fields["severity"] == "high"
    assert fields["fix_pattern"] == "cap it"


def test_add_takes_the_nested_fields_that_edit_takes(shop: Shell) -> None:
    made = [
        shop("add", "convention", "Fares are whole", "--set", "detect.forbid=cents", "--json"),
        shop("add", "convention", "Fares are round", "--json"),
    ]
    names = [document_of(each, "change")["change"]["touched"][0]["after"] for each in made]
    shop("edit", names[1], "detect.forbid=cents")

    shown = [document_of(shop("show", each, "--json"), "show")["fields"] for each in names]

    assert [each["detect"] for each in shown] == [{"forbid": "cents"}] * 2


def test_the_rationale_of_a_decision_is_its_context(shop: Shell) -> None:
    shop("add", "decision", "Use queues", "--rationale", "Peaks at noon")

    fields = document_of(shop("show", "dec-002", "--json"), "show")["fields"]
    assert fields["context"] == "Peaks at noon"


def test_a_secret_is_let_in_only_when_acknowledged(shop: Shell) -> None:
    text = "Use \u202ethe vault"

    refused = shop("add", "convention", text)
    (seen,) = re.findall(r"`--acknowledge ([0-9a-f]{6})`", refused.err)
    other = shop("add", "convention", text, "--acknowledge", "000000")
    taken = shop("add", "convention", text, "--acknowledge", seen)

    assert refused.code == 2
    assert "\u202e" not in refused.err
    assert other.code == 2
    assert taken.code == 0


def test_what_a_secret_looks_like_is_told_in_a_sentence(shop: Shell) -> None:
    secret = "AKIA" + "Q7RZ" * 4

    refused = shop("add", "convention", f"Deploy with {secret}")

    assert "contains what looks like an AWS access key" in refused.err
    assert secret not in refused.err


def test_init_makes_a_memory_and_then_has_nothing_to_do(empty: Shell) -> None:
    dry = empty("init", "--templates", "--dry-run")
    made = empty("init", "--templates")
    again = empty("init", "--templates")

    assert "+conventions: []" in dry.out
    assert made.code == 0
    assert (empty.root / ".sniper/memory/decisions.yaml").read_text().startswith("decisions:")
    assert (empty.root / ".sniper/templates/retro.yaml").exists()
    assert again.code == 0
    assert "already exists" in again.err


def test_init_leaves_what_is_there(shop: Shell) -> None:
    before = shop.bytes_of(STORE)

    answer = shop("init")

    assert answer.code == 0
    assert shop.bytes_of(STORE) == before
    assert (shop.root / ".sniper/memory/estimates.yaml").exists()


def test_undo_of_init_takes_the_folders_away_too(empty: Shell) -> None:
    empty("init", "--templates")

    empty("undo")

    assert not (empty.root / ".sniper").exists()


def test_an_archived_decision_comes_back(shop: Shell) -> None:
    shop("archive", "dec-001")
    archived = document_of(shop("show", "dec-001", "--json"), "show")["entry"]["status"]

    shop("restore", "dec-001")

    assert archived == "archived"
    assert document_of(shop("show", "dec-001", "--json"), "show")["entry"]["status"] == "active"


def test_an_archived_persona_comes_back(shop: Shell) -> None:
    memory = ".night-watch/agents/Rosa/memories/shop/main.md"
    before = (shop.home / memory).read_bytes()

    shop("persona", "archive", "Rosa")
    gone = not (shop.home / memory).exists()
    answer = shop("persona", "restore", "Rosa")

    assert gone
    assert answer.code == 0
    assert (shop.home / memory).read_bytes() == before


def test_a_rename_prints_a_receipt(shop: Shell) -> None:
    answer = shop("persona", "rename", "Rosa", "Mira")

    assert "0 lost" in answer.err


def test_a_finding_is_approved_by_the_start_of_its_id(shop: Shell) -> None:
    items = document_of(shop("queue", "--json"), "queue")["items"]
    finding = next(item for item in items if item["title"].startswith("Migrations"))

    shop("approve", finding["id"][:6])

    entry = document_of(shop("show", "conv-003", "--json"), "show")
    assert entry["fields"]["status"] == "confirmed"
    assert entry["fields"]["source"]["ref"] == "sprint-3-retro"
    assert len(document_of(shop("queue", "--json"), "queue")["items"]) == 1


def test_a_finding_may_be_taken_as_a_candidate_only(shop: Shell) -> None:
    shop("approve", "sniper:sprint-3-retro/new_conventions/1", "--as-candidate")

    entry = document_of(shop("show", "conv-003", "--json"), "show")["entry"]
    assert entry["status"] == "candidate"


def test_several_items_are_one_change(shop: Shell) -> None:
    before = _memory(shop)
    ids = [item["id"] for item in document_of(shop("queue", "--json"), "queue")["items"]]

    shop("approve", *ids)
    decided = document_of(shop("queue", "--json"), "queue")["items"]
    shop("undo")

    assert decided == []
    assert _memory(shop) == before


def test_a_rejected_finding_is_not_asked_again(shop: Shell) -> None:
    items = document_of(shop("queue", "--json"), "queue")["items"]

    for item in items:
        shop("reject", item["id"], "--reason", "too specific")

    assert document_of(shop("queue", "--json"), "queue")["items"] == []
    assert "too specific" in (shop.root / ".remem/rejected.yaml").read_text()


def test_the_history_knows_what_was_done_and_undone(shop: Shell) -> None:
    shop("approve", "conv-002")
    shop("remove", "ap-001")
    shop("undo")

    changes = document_of(shop("history", "--json"), "history")["changes"]

    assert [change["undone"] for change in changes] == [True, False]
    assert {change["door"] for change in changes} == {"cli"}
    assert {change["actor"] for change in changes} == {"person"}
    assert "(undone)" in shop("history").out.splitlines()[0]


def test_undo_works_in_another_process_to_the_same_bytes(shop: Shell) -> None:
    before = shop.bytes_of(STORE)

    done = shop.process("approve", "conv-002", "--json")
    between = shop.bytes_of(STORE)
    undone = shop.process("undo", done.document["change"]["id"])

    assert between != before
    assert undone.code == 0
    assert "Undone: Approve" in undone.out
    assert shop.bytes_of(STORE) == before


def test_undo_after_someone_else_wrote_keeps_their_line(shop: Shell) -> None:
    shop("approve", "conv-002")
    path = shop.root / STORE
    path.write_text(path.read_text().replace("# Kept by", "# Read and kept by"))

    answer = shop("undo")

    assert answer.code == 0
    assert "later changes were kept" in answer.err
    assert path.read_text() == CONVENTIONS.replace("# Kept by", "# Read and kept by")


def test_what_changed_on_disk_meanwhile_ends_with_three(shop: Shell) -> None:
    shop("approve", "conv-002")
    path = shop.root / STORE
    path.write_text(path.read_text().replace("status: confirmed", "status: superseded"))
    before = _memory(shop)

    text = shop.process("undo")
    document = shop.process("undo", "--json")

    assert text.code == 3
    assert text.raw == b""
    assert document.code == 3
    assert document_of(document, "error")["error"]["code"] == "changed-on-disk"
    assert _memory(shop) == before


def test_a_file_that_does_not_parse_is_not_written(shop: Shell) -> None:
    write(shop.root, {STORE: "conventions:\n  - id: [\n"})
    before = _memory(shop)

    answer = shop("add", "convention", "Names are verbs")

    assert answer.code == 2
    assert _memory(shop) == before


def _memory(shop: Shell) -> dict[str, bytes]:
    """Return every file of root and home but remem's own state and caches."""
    found: dict[str, bytes] = {}
    for base in (shop.root, shop.home):
        for path in sorted(base.rglob("*")):
            parts = path.relative_to(base).parts
            if path.is_file() and parts[0] not in {".local", ".cache"}:
                found[str(path)] = path.read_bytes()
    return found


@pytest.mark.parametrize("named", ["queue id", "ref", "bare id"])
@pytest.mark.parametrize("command", ["approve", "reject"])
def test_a_new_candidate_is_told_with_its_id_in_the_queue_and_decided_by_any_name(
    shop: Shell, command: str, named: str
) -> None:
    added = shop("add", "convention", "Retries have a limit", "--set", "status=candidate")
    items = document_of(shop("queue", "--json"), "queue")["items"]
    (item,) = [each for each in items if each["title"] == "Retries have a limit"]
    short = item["id"][:6]
    names = {"queue id": short, "ref": item["ref"], "bare id": item["ref"].split(":")[1]}

    decided = shop(command, names[named], *(["--reason", "no"] if command == "reject" else []))

    assert f"note: to review as {short}: `remem approve {short}` adds it to prompts" in added.err
    assert decided.code == 0, decided.err


def test_what_is_added_to_prompts_at_once_is_not_said_to_be_reviewed(shop: Shell) -> None:
    assert "to review" not in shop("add", "convention", "Retries have a limit").err


def test_what_is_done_again_is_called_redone(shop: Shell) -> None:
    shop("approve", "conv-002")

    assert shop("undo").out == "Undone: Approve sniper:conv-002\n"
    assert shop("redo").out == "Redone: Approve sniper:conv-002\n"


def test_the_effect_on_prompts_names_its_columns_in_a_pipe(shop: Shell) -> None:
    lines = shop("approve", "conv-002", "--dry-run").out.splitlines()

    assert "WHO\tMEMORY NOW\tAFTER\tBUDGET\tWHAT" in lines


def test_an_entry_that_gets_another_ref_is_told_with_it(shop: Shell) -> None:
    finding = "sniper:sprint-3-retro/new_conventions/1"
    lesson = shop("list", "--kind", "lesson", "--query", "retries").out.split("\t")[0]

    approved = shop("approve", finding)
    edited = shop("edit", lesson, "text=Retries need a cap and a log line")
    stays = shop("edit", "conv-001", "rationale=Because")

    became = shop("list", "--query", "migrations", "--kind", "convention").out.split("\t")[0]
    now = shop("list", "--kind", "lesson", "--query", "retries").out.split("\t")[0]
    assert f"note: `{finding}` is now `{became}`" in approved.err
    assert f"note: `{lesson}` is now `{now}`" in edited.err
    assert " is now " not in stays.err


def test_add_names_the_file_that_it_makes_and_that_no_agent_loads_it(empty: Shell) -> None:
    write(empty.root, {"CLAUDE.md": "- Tie up early\n", ".git/HEAD": "ref: refs/heads/main\n"})

    planned = empty("add", "convention", "Moor at the stern", "--dry-run")
    done = empty("add", "convention", "Moor at the stern")
    again = empty("add", "convention", "Fly the flag")

    for each in (planned, done):
        assert "note: new file: `.sniper/memory/conventions.yaml`" in each.err
        assert "note: no agent here loads it: only `remem compose` gives it to a role" in each.err
        assert "`remem add lesson TEXT --file CLAUDE.md` adds to a file that is loaded" in each.err
    assert "new file" not in again.err


def test_add_to_a_file_that_an_agent_loads_says_only_which_file_is_new(empty: Shell) -> None:
    agent = "---\nname: pier\ndescription: Moors\nmemory: project\n---\nYou moor ships.\n"
    write(empty.root, {".claude/agents/pier.md": agent})

    answer = empty("add", "lesson", "Moor at the stern", "--persona", "pier")

    assert "note: new file: `.claude/agent-memory/pier/MEMORY.md`" in answer.err
    assert "no agent here" not in answer.err


def test_a_role_that_nobody_has_is_told_with_the_nearest_one(shop: Shell) -> None:
    known = shop("add", "convention", "Logs are in English", "--role", "backend-engineer")
    typed = shop("add", "convention", "Logs name the harbour", "--role", "backend-enginer")

    assert "no agent has" not in known.err
    told = "note: no agent has the role `backend-enginer`; nearest: `backend-engineer`"
    assert told in typed.err.splitlines()


@pytest.mark.parametrize(
    "name", ["conv-009", "sniper:sprint-3-retro/new_conventions/1"], ids=["candidate", "finding"]
)
def test_what_else_a_decision_settles_is_told(shop: Shell, name: str) -> None:
    candidate = "  - {id: conv-009, rule: Migrations run twice without harm, status: candidate}\n"
    write(shop.root, {STORE: CONVENTIONS + candidate})
    waited = len(document_of(shop("queue", "--json"), "queue")["items"])

    alone, both = shop("approve", "conv-002"), shop("approve", name)

    assert len(document_of(shop("queue", "--json"), "queue")["items"]) == waited - 3
    told = 'note: 2 fewer wait: "Migrations run twice without harm" is settled by it'
    assert told in both.err.splitlines()
    assert "fewer wait" not in alone.err


def test_a_write_protected_file_is_refused_before_a_diff_of_it_is_shown(shop: Shell) -> None:
    store = shop.root / ".sniper/memory/conventions.yaml"
    store.chmod(0o444)
    before = shop.digest_of_memory()

    for more in ((), ("--dry-run",)):
        answer = shop("edit", "conv-001", "rule=Say what happens", *more)
        assert (answer.code, answer.out) == (2, "")
        assert "is write-protected; nothing was written" in answer.err
        assert f"`chmod u+w {store}`" in answer.err

    assert shop.digest_of_memory() == before


def test_a_write_protected_file_that_a_plan_moves_first_is_refused_in_a_dry_run_too(
    shop: Shell,
) -> None:
    name = ".claude/agents/captain.md"
    text = "---\nname: captain\ndescription: Sails\n---\n\nSail.\n"
    write(shop.root, {name: text, ".claude/agent-memory/captain/MEMORY.md": "- Sail at night\n"})
    (shop.root / name).chmod(0o444)

    for more in ((), ("--dry-run",)):
        answer = shop("persona", "rename", "captain", "skipper", *more)
        assert (answer.code, answer.out) == (2, "")
        assert f"`{shop.root / name}` is write-protected; nothing was written" in answer.err
