from pathlib import Path

import pytest
from tests.cli.conftest import Shell, document_of, write
from tests.demo_files import demo_at

from remem.demo.build import home_of

LAYER = """\
## Project Memory — Conventions You Must Follow

- **conv-001:** Every queue consumer is idempotent

## Anti-Patterns — Do NOT Do These

- **ap-001 (HIGH):** Reading the clock inside domain code. Instead: pass a clock in.

## Key Decisions

- **dec-001:** Primary datastore — PostgreSQL"""


def test_compose_prints_the_exact_text_to_a_pipe(shop: Shell) -> None:
    text = shop("compose", "--role", "backend-engineer")
    document = document_of(shop("compose", "--role", "backend-engineer", "--json"), "compose")

    assert text.out == f"{document['text']}\n"
    assert LAYER in text.out
    assert "tokens (o200k_base)" in text.err


def test_compose_is_made_safe_on_a_terminal_and_told_of(shop: Shell) -> None:
    store = 'conventions:\n  - {id: conv-001, rule: "a\\u202eb"}\n'
    write(shop.root, {".sniper/memory/conventions.yaml": store})

    pipe = shop("compose")
    screen = shop("compose", terminal=True)

    assert "a\u202eb" in pipe.out
    assert "\u202e" not in screen.out
    assert "1 hidden character" in pipe.err


def test_compose_says_what_is_in_and_why_the_rest_is_out(shop: Shell) -> None:
    document = document_of(shop("compose", "--role", "backend-engineer", "--json"), "compose")

    out = {each["ref"]: each["reason"] for each in document["excluded"]}
    assert set(document["included"]) == {"sniper:conv-001", "sniper:ap-001", "sniper:dec-001"}
    assert out["sniper:conv-002"] in {"role", "status"}
    assert document["exact"]
    lines = [line for layer in document["layers"] for line in layer["lines"]]
    assert "sniper:conv-001" in {line["ref"] for line in lines}


def test_a_budget_replaces_the_layers_own(shop: Shell) -> None:
    document = document_of(
        shop("compose", "--role", "backend-engineer", "--budget", "60", "--json"), "compose"
    )

    layer = next(each for each in document["layers"] if each["budget"])
    assert layer["budget"] == 60
    assert layer["tokens"] <= 60
    assert "budget" in {each["reason"] for each in document["excluded"]}


def test_how_much_of_a_budget_is_used_and_how_many_do_not_fit_is_said(shop: Shell) -> None:
    asked = ("--role", "backend-engineer", "--budget", "60")
    document = document_of(shop("compose", *asked, "--json"), "compose")
    layer = next(each for each in document["layers"] if each["budget"])
    many = sum(each["reason"] == "budget" for each in document["excluded"])
    fits = f"{layer['name']}: {layer['tokens']} of 60 tokens, {many} entr"

    assert many
    assert fits in shop("compose", *asked).err
    assert fits in shop("why", *asked).out


@pytest.mark.parametrize("budget", ["0", "-1", "many"])
def test_a_budget_is_a_positive_number(shop: Shell, budget: str) -> None:
    answer = shop("compose", "--budget", budget)

    assert answer.code == 2
    assert "`--budget`" in answer.err


def test_a_persona_is_composed_with_its_memory(shop: Shell) -> None:
    assert "- Retries need a cap" in shop("compose", "--persona", "Rosa").out


def test_naming_an_agent_that_loads_files_means_as_it_loads(shop: Shell) -> None:
    write(shop.root, {"CLAUDE.md": "Tabs only, please.\n"})
    named = document_of(shop("compose", "--agent", "claude code", "--json"), "compose")
    flagged = document_of(
        shop("compose", "--as-loaded", "--persona", "Claude Code", "--json"), "compose"
    )

    assert named["as_loaded"]
    assert named["text"] == flagged["text"]


def test_naming_an_agent_means_what_its_tool_loads_and_a_persona_what_is_composed(
    shop: Shell,
) -> None:
    """Rosa's tool is Night Watch."""
    named = document_of(shop("compose", "--agent", "rosa", "--json"), "compose")
    persona = document_of(shop("compose", "--persona", "Rosa", "--json"), "compose")
    loaded = shop("compose", "--agent", "Rosa", "--as-loaded", "--json").document

    assert named["text"] == loaded["text"]
    assert (named["as_loaded"], persona["as_loaded"]) == (True, False)
    for ref in named["included"]:
        assert shop("why", ref, "--agent", "Rosa", "--json").document["included"], ref


def test_why_of_an_agent_says_which_of_its_prompts_it_is_about(shop: Shell) -> None:
    shop("edit", "conv-001", "applies_to=[]")

    composed = shop("why", "conv-001", "--persona", "Rosa").out
    loaded = shop("why", "conv-001", "--agent", "Rosa").out

    assert composed.startswith("It is in the composed prompt of `Rosa` and costs ")
    assert loaded.startswith(
        "Not included: nothing of its file is in the prompt of `Rosa` as loaded"
    )


@pytest.mark.parametrize("command", [["compose"], ["why", "conv-001"]])
def test_a_role_that_nobody_has_is_refused_with_the_nearest(
    shop: Shell, command: list[str]
) -> None:
    near, far = (shop(*command, "--role", each) for each in ("backend-enginer", "zzz"))

    assert (near.code, near.out, far.code) == (2, "", 2)
    assert "unknown role `backend-enginer`" in near.err
    assert "did you mean `backend-engineer` or `frontend-engineer`?" in near.err
    assert "the roles here are `architect`, `backend-engineer`, `frontend-engineer`" in far.err
    assert "--allow-unknown" in near.err


def test_a_role_that_nobody_has_is_composed_where_that_is_allowed(shop: Shell) -> None:
    answer = shop("compose", "--role", "backend-enginer", "--allow-unknown")

    assert answer.code == 0
    assert "warning: unknown role `backend-enginer`" in answer.err
    assert answer.out.endswith("applies to this role.\n")


@pytest.mark.parametrize("option", ["--role", "--persona"])
def test_where_no_role_is_known_it_is_refused_with_what_can_be_done(
    empty: Shell, option: str
) -> None:
    alone = empty("compose", option, "backend-engineer")
    write(empty.root, {"CLAUDE.md": "- Land the boats\n"})
    beside = empty("compose", option, "backend-engineer")
    allowed = empty("compose", option, "backend-engineer", "--allow-unknown")

    what = option.removeprefix("--")
    assert (alone.code, beside.code, beside.out) == (2, 2, "")
    assert f"unknown {what} `backend-engineer`" in beside.err
    every = "`--role everyone` to see what every role gets, or " if what == "role" else ""
    ways = f"{every}`--allow-unknown` to compose it anyway"
    assert f"no {what}s are known here. Use {ways}" in alone.err
    loaded = f"{every.partition('`--allow')[0]}`--agent NAME` to see what an agent loads"
    assert f"Use {loaded}, or `--allow-unknown`" in beside.err
    assert (allowed.code, allowed.out) == (0, "")
    assert f"warning: unknown {what}" in allowed.err


def test_where_a_role_is_unknown_it_is_said_which_file_may_name_it(shop: Shell) -> None:
    for name in ("conventions", "anti-patterns", "decisions"):
        write(shop.root, {f".sniper/memory/{name}.yaml": f"{name}:\n  - {{id: conv-001\n"})

    answer = shop("compose", "--role", "architect")

    assert answer.code == 2
    assert "not read: .sniper/memory/conventions.yaml" in answer.err


@pytest.mark.parametrize("command", [["compose"], ["list"], ["retro", "list"]])
def test_a_folder_that_may_not_be_read_is_told_beside_what_is_printed(
    shop: Shell, command: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = shop.root / ".sniper" / "memory"
    monkeypatch.setattr("os.access", lambda path, mode: Path(path) != memory)

    answer = shop(*command)

    assert "not read: .sniper/memory/" in answer.err
    assert "no prompt has what is in it" in answer.err


@pytest.mark.parametrize("command", [["compose"], ["why", "ana"]])
def test_an_agent_that_loads_files_is_no_role_and_its_option_is_named(
    empty: Shell, command: list[str]
) -> None:
    write(
        empty.root,
        {
            ".squad/team.md": "## Members\n\n| Name | Role |\n|--|--|\n| Ana | Core |\n",
            ".squad/agents/ana/charter.md": "# Ana — Core\n",
            ".squad/agents/ana/history.md": "# Ana\n\n- Land the boats\n",
        },
    )
    ref = document_of(empty("list", "--json"), "list")["entries"][0]["ref"]
    asked = [ref if word == "ana" else word for word in command]

    answer = empty(*asked, "--role", "Ana")

    assert (answer.code, answer.out) == (2, "")
    assert "`--agent ana`" in answer.err
    assert "Land the boats" in empty("compose", "--agent", "ana").out


def test_what_is_archived_is_out_because_of_that(shop: Shell) -> None:
    lessons = document_of(shop("list", "--kind", "lesson", "--json"), "list")["entries"]
    assert shop("archive", lessons[0]["ref"]).code == 0
    gone = document_of(shop("list", "--status", "archived", "--json"), "list")["entries"]

    answer = shop("why", gone[0]["ref"], "--role", "backend-engineer")

    assert answer.out == (
        "Not included: it is archived, and prompts include only what is in force\n"
        f"`remem restore '{gone[0]['ref']}'` puts it in force\n"
    )


def test_another_name_of_a_role_is_known(shop: Shell) -> None:
    answer = shop("compose", "--role", "Backend-Dev")

    assert "Every queue consumer is idempotent" in answer.out
    assert "warning" not in answer.err


def test_a_persona_that_nobody_is_called_is_refused_with_the_nearest(shop: Shell) -> None:
    asked = ("compose", "--persona")
    mistyped, known = shop(*asked, "Roza"), shop(*asked, "rosa")
    allowed = shop(*asked, "Roza", "--allow-unknown")

    assert (mistyped.code, mistyped.out, allowed.code) == (2, "", 0)
    assert "unknown persona `Roza`" in mistyped.err
    assert "did you mean `Rosa`?" in mistyped.err
    assert "warning" in allowed.err
    assert "warning" not in known.err


def test_a_persona_to_whom_the_settings_give_a_role_is_known(shop: Shell) -> None:
    write(shop.root, {".remem/config.yaml": "roles:\n  Noor: [backend-engineer]\n"})

    answer = shop("compose", "--persona", "Noor")

    assert "Every queue consumer is idempotent" in answer.out
    assert "warning" not in answer.err


def test_an_agent_is_started_in_a_folder_however_it_is_named(shop: Shell) -> None:
    write(shop.root, {"CLAUDE.md": "- all\n", "web/CLAUDE.md": "- web\n"})
    started = ("compose", "--agent", "Claude Code", "--folder")

    named = [shop(*started, each).out for each in ("web", "./web/", str(shop.root / "web"))]
    in_root, nowhere = shop(*started, "."), shop(*started, "wbe")

    assert ["- web" in text for text in named] == [True] * 3
    assert "- web" not in in_root.out
    assert (nowhere.code, nowhere.out) == (2, "")
    assert "there is no folder `wbe`" in nowhere.err


def test_files_that_are_worked_on_may_be_named_by_their_whole_path(shop: Shell) -> None:
    write(shop.root, {"CLAUDE.md": "- all\n", "web/CLAUDE.md": "- web\n"})

    whole = str(shop.root / "web/app.ts")

    assert "- web" in shop("compose", "--agent", "Claude Code", "--files", whole).out


@pytest.mark.parametrize("whose", [("--agent", "Claude Code"), ("--role", "frontend-engineer")])
def test_files_that_are_not_there_are_named_and_those_that_are_not(
    shop: Shell, whose: tuple[str, str]
) -> None:
    write(shop.root, {"CLAUDE.md": "- all\n", "web/a.css": "\n"})
    (shop.root / "web/link.css").symlink_to("a.css")
    there = ("web/a.css", "./web/a.css", "web/link.css", "web", "web/*.css")

    for path in there:
        answer = shop("compose", *whose, "--files", path)
        assert (answer.code, "answered as if" in answer.err) == (0, False)
    lost = shop("compose", *whose, "--files", "web/b.css", "--files", "src/*.py")
    why = shop("why", "conv-001", *whose, "--files", "web/b.css")

    assert (lost.code, why.code) == (0, 0)
    assert "note: there is no file `web/b.css` in `shop`: answered as if it were made" in lost.err
    assert "note: no file in `shop` matches `src/*.py`: answered as if one were made" in lost.err
    assert "there is no file `web/b.css`" in why.err


def test_why_says_what_would_let_it_in(shop: Shell) -> None:
    document = document_of(shop("why", "conv-002", "--role", "frontend-engineer", "--json"), "why")
    text = shop("why", "conv-002", "--role", "frontend-engineer").out

    assert document["included"] is False
    assert document["reason"] == "status"
    assert document["because"] == "it is a candidate that needs a decision"
    assert text.splitlines() == [
        *document["sentences"],
        "`remem approve sniper:conv-002` puts it in force",
    ]
    assert "approve" in text


def test_why_of_what_is_in_names_its_tokens(shop: Shell) -> None:
    document = document_of(shop("why", "ap-001", "--role", "backend-engineer", "--json"), "why")

    assert document["included"] is True
    assert document["tokens"] > 5


def test_why_reads_the_loaded_prompt_when_asked(shop: Shell) -> None:
    entries = document_of(shop("persona", "show", "Rosa", "--json"), "persona-show")["entries"]

    document = document_of(shop("why", entries[0]["ref"], "--agent", "Rosa", "--json"), "why")

    assert document["included"] is True
    assert document["role"] == "Rosa"


@pytest.mark.parametrize(
    "beside", ["GEMINI.md", ".github/copilot-instructions.md", ".cursor/rules/a.mdc", "CLAUDE.md"]
)
def test_every_tool_that_reads_a_file_here_is_asked_for_by_name(empty: Shell, beside: str) -> None:
    write(empty.root, {"AGENTS.md": "- Land the boats\n", beside: "- Another tool's own\n"})

    named = {
        tool: empty("compose", "--agent", tool)
        for tool in ("Codex", "Cursor", "GitHub Copilot", "Windsurf", "Cline")
    }
    claude, serena = (empty("compose", "--agent", each) for each in ("claude-code", "Serena"))

    assert {tool: "Land the boats" in said.out for tool, said in named.items()} == dict.fromkeys(
        named, True
    )
    text = "Another tool's own" if beside == "CLAUDE.md" else "Land the boats"
    assert text in claude.out
    assert serena.code == 2


def test_tokens_are_called_exact_where_the_agents_model_counts_so_at_both_doors(
    empty: Shell,
) -> None:
    write(empty.root, {"AGENTS.md": "- Land the boats\n", "CLAUDE.md": "- Coil the ropes\n"})
    write(
        empty.root,
        {".claude/agents/noor.md": "---\nname: noor\ndescription: reads\n---\nRead twice.\n"},
    )
    agents = document_of(empty("status", "--no-growth", "--json"), "status")["agents"]

    composed = {
        each["name"]: document_of(empty("compose", "--agent", each["name"], "--json"), "compose")
        for each in agents
    }
    told = empty("compose", "--agent", "Claude Code").err

    expected = {"Codex": True, "Claude Code": False, "noor": False}
    assert {each["name"]: each["exact"] for each in agents} == expected
    assert {name: each["exact"] for name, each in composed.items()} == expected
    assert told.endswith("≈15 tokens (o200k_base)\n")


@pytest.mark.parametrize(
    ("number", "lines"),
    [
        (5, [f"m{at}.md" for at in range(5)]),
        (6, ["m0.md and 5 more files"]),
    ],
)
def test_many_files_that_are_not_loaded_for_one_reason_take_one_line(
    empty: Shell, number: int, lines: list[str]
) -> None:
    write(empty.root, {f".serena/memories/m{at}.md": "- a\n" for at in range(number)})

    answer = empty("compose", "--agent", "Serena")

    told = [line for line in answer.err.splitlines() if line.startswith("not loaded")]
    assert told == [
        f"not loaded: .serena/memories/{each}: only its name is loaded" for each in lines
    ]
    document = document_of(empty("compose", "--agent", "Serena", "--json"), "compose")
    assert len(document["left"]) == number


def test_a_prompt_is_written_where_sniper_keeps_them_when_it_is_asked_for(shop: Shell) -> None:
    asked = ("compose", "--role", "backend-engineer", "--name", "Backend Architect", "--write")

    dry = shop(*asked, "--dry-run")
    there = (shop.root / ".sniper/spawn-prompts").exists()
    done = shop(*asked)
    again = shop(*asked)
    written = shop.bytes_of(".sniper/spawn-prompts/backend-architect.md").decode()
    shop("undo")

    assert dry.code == 0, dry.err
    assert not there
    assert done.code == 0, done.err
    assert written == shop("compose", *asked[1:-1]).raw.decode()
    assert (again.code, "already" in again.err) == (0, True)
    assert not (shop.root / ".sniper/spawn-prompts/backend-architect.md").exists()


def test_the_moment_says_what_joins_and_why_in_text_and_json(shop: Shell) -> None:
    write(
        shop.root,
        {
            "CLAUDE.md": "- all\n",
            "src/CLAUDE.md": "- src\n",
            ".claude/rules/py.md": "---\npaths: '**/*.py'\n---\n- py\n",
            "src/a.py": "a = 1\n",
            "src/b.py": "b = 1\n",
        },
    )
    asked = ("compose", "--as-loaded", "--agent", "Claude Code")

    start = document_of(shop(*asked, "--json"), "compose")
    text = shop(*asked, "--touching", "src/*.py")
    later = document_of(shop(*asked, "--touching", "src/*.py", "--json"), "compose")

    assert (start["files"], start["at_start"]) == ([], start["tokens"])
    assert later["files"] == ["src/a.py", "src/b.py"]
    assert later["at_start"] == start["tokens"]
    assert later["tokens"] == sum(layer["tokens"] for layer in later["layers"])
    joined = {layer["name"]: layer["joins"] for layer in later["layers"] if layer["joins"]}
    assert joined["src/CLAUDE.md"] == {
        "file": "src/a.py",
        "why": "the agent works on `src/a.py`, below `src/`",
        "confirmed": True,
    }
    assert "py.md joins, " in text.err
    assert "which `**/*.py` matches" in text.err
    assert "more after src/a.py, src/b.py" in text.err


def test_a_glob_that_fits_no_file_stays_one_of_what_may_come(shop: Shell) -> None:
    write(shop.root, {"CLAUDE.md": "- all\n", "src/CLAUDE.md": "- src\n"})
    asked = ("compose", "--as-loaded", "--agent", "Claude Code", "--json")

    later = document_of(shop(*asked, "--touching", "src/new/*.py"), "compose")

    assert later["files"] == ["src/new/*.py"]
    assert [layer["name"] for layer in later["layers"] if layer["joins"]] == ["src/CLAUDE.md"]


RULES = {
    "CLAUDE.md": "- Keep lines shorter than 100 characters\n- Tests name the behaviour they hold\n",
    "AGENTS.md": "- Keep lines shorter than 88 characters\n",
    ".codex/config.toml": "",
    "AGENTS.override.md": "- Codex alone reads this rule here\n",
}


def test_why_without_an_entry_says_who_gets_which_rule(empty: Shell) -> None:
    write(empty.root, RULES)

    text = empty("why")
    document = document_of(empty("why", "--json"), "why-all")

    assert text.code == 0
    assert "1 Claude Code" in text.out
    assert "2 copies that differ: 2 texts; possible conflict" in text.out
    first = document["rules"][0]
    assert (first["drifted"], first["opposed"], len(first["copies"])) == (True, True, 2)
    gets = {each["name"]: each for each in first["gets"]}
    assert gets["Claude Code"]["how"] == "start"
    assert [each["path"] for each in gets["Claude Code"]["copies"]] == ["CLAUDE.md"]
    assert gets["Codex"]["why"]


def test_why_of_somebody_without_an_entry_says_what_they_miss(empty: Shell) -> None:
    write(empty.root, RULES)

    missed = document_of(empty("why", "--agent", "codex", "--json"), "why-all")["rules"]
    nobody = empty("why", "--agent", "nobody")
    heads, *rows = empty("why", "--agent", "codex").out.splitlines()[1:]

    assert {each["title"] for each in missed} == {
        "Keep lines shorter than 88 characters",
        "Tests name the behaviour they hold",
    }
    assert heads.split("\t") == ["IN PROMPT", "REF", "TOKENS", "WHY", "ENTRY"]
    told = {row.split("\t")[4]: (row.split("\t")[0], row.split("\t")[3]) for row in rows}
    assert told["Codex alone reads this rule here"] == (
        "yes",
        "`AGENTS.override.md` is loaded at startup",
    )
    assert told["Tests name the behaviour they hold"][0] == "no"
    assert all(why for _, why in told.values())
    assert nobody.code == 2
    assert "`Claude Code`" in nobody.err


def test_why_of_a_role_without_an_entry_lists_what_compose_includes_and_leaves_out(
    shop: Shell,
) -> None:
    composed = document_of(shop("compose", "--role", "architect", "--json"), "compose")

    listed = document_of(shop("why", "--role", "architect", "--json"), "why-all")["entries"]
    text = shop("why", "--role", "architect").out

    assert {e["ref"] for e in listed if e["included"]} == set(composed["included"])
    out = {e["ref"]: e["because"] for e in listed if not e["included"]}
    assert composed["excluded"]
    for each in composed["excluded"]:
        assert out[each["ref"]] == each["detail"]
    assert text.startswith(f"The prompt of `architect`: {len(composed['included'])} of ")
    assert "it is for backend-engineer" in text
    assert "1 architect" not in text


def test_why_of_an_entry_with_nobody_named_says_who_gets_it(empty: Shell) -> None:
    write(empty.root, RULES)
    ref = next(
        each["ref"]
        for each in document_of(empty("list", "--json"), "list")["entries"]
        if "Tests name" in each["title"]
    )

    text = empty("why", ref)
    rule = document_of(empty("why", ref, "--json"), "why")["rule"]
    named = document_of(empty("why", ref, "--agent", "codex", "--json"), "why")

    assert "Which agents get it" in text.out
    assert "no layer of the prompt" not in text.out
    assert {each["name"]: each["how"] for each in rule["gets"]} == {
        "Claude Code": "start",
        "Codex": "never",
    }
    assert named["rule"] is None


def test_where_nothing_is_composed_it_says_what_shows_the_files_instead(empty: Shell) -> None:
    write(empty.root, {"CLAUDE.md": "- Tie up early\n"})

    answer = empty("compose")

    assert (answer.code, answer.out) == (0, "")
    assert "`remem compose --agent NAME` shows loaded files" in answer.err


def test_what_is_loaded_is_named_file_by_file_before_the_other_notes(shop: Shell) -> None:
    write(
        shop.root,
        {"CLAUDE.md": "Read @docs/rules.md first.\n", "docs/rules.md": "Tabs only, please.\n"},
    )

    answer = shop("compose", "--agent", "Claude Code")
    quiet = shop("compose", "--agent", "Claude Code", "--quiet")
    composed = shop("compose", "--role", "backend-engineer")

    told = answer.err.splitlines()
    loaded = [line for line in told if line.startswith("loaded: ")]
    assert told[: len(loaded)] == loaded
    assert [line.split(", ")[0] for line in loaded] == [
        "loaded: CLAUDE.md",
        "loaded: docs/rules.md",
    ]
    tokens = [int(line.split()[-2].lstrip("≈")) for line in loaded]
    assert min(tokens) > 0
    assert sum(tokens) == int(told[-1].split()[0].lstrip("≈"))
    assert quiet.err == ""
    assert quiet.out == answer.out
    assert "loaded:" not in composed.err


def test_why_names_the_reason_of_what_is_in(shop: Shell) -> None:
    write(shop.root, {"CLAUDE.md": "Tabs only, please.\n"})
    learning = document_of(
        shop("learn", "add", "Freeze the clock", "--agent", "qa-engineer", "--json"), "change"
    )["change"]["touched"][0]["after"]
    entries = document_of(shop("list", "--json"), "list")["entries"]
    (plain,) = [each["ref"] for each in entries if each["ref"].startswith("plain:")]
    (mine, *_) = [each["ref"] for each in entries if each["ref"].startswith("persona")]
    shop("edit", "conv-001", "applies_to=[]")

    reasons = {
        ("ap-001", "--role", "backend-engineer"): "it is for backend-engineer",
        ("dec-001", "--role", "architect"): "it is for architect",
        ("conv-001", "--role", "architect"): "it is for all roles",
        (learning, "--role", "qa-engineer"): "it is for qa-engineer",
        (mine, "--persona", "Rosa"): "it is in the memory of Rosa",
        (plain, "--agent", "Claude Code"): "`CLAUDE.md` is loaded at startup",
    }
    for asked, reason in reasons.items():
        document = document_of(shop("why", *asked, "--json"), "why")
        assert (document["included"], document["reason"]) == (True, ""), asked
        assert document["because"] == reason, asked
        assert shop("why", *asked).out.splitlines()[1] == f"Reason: {reason}"


def test_why_has_a_code_and_words_for_whatever_is_out(shop: Shell) -> None:
    write(shop.root, {"CLAUDE.md": "Tabs only, please.\n"})
    entries = document_of(shop("list", "--json"), "list")["entries"]
    (plain,) = [each["ref"] for each in entries if each["ref"].startswith("plain:")]
    shop("archive", "dec-001")

    reasons = {
        ("ap-001", "--role", "architect"): ("role", "it is for backend-engineer"),
        (plain, "--role", "architect"): (
            "not_loaded",
            "nothing of its file is loaded there",
        ),
        ("dec-001", "--role", "architect"): ("status", "it is no longer active"),
    }
    for asked, (code, words) in reasons.items():
        document = document_of(shop("why", *asked, "--json"), "why")
        assert document["included"] is False, asked
        assert (document["reason"], document["because"]) == (code, words), asked


def test_why_names_the_file_that_a_learning_is_for(shop: Shell) -> None:
    ref = document_of(
        shop("learn", "add", "Freeze the clock", "--file", "tests/**", "--json"), "change"
    )["change"]["touched"][0]["after"]

    answer = shop("why", ref, "--role", "architect", "--files", "tests/tide.py")

    assert answer.out.splitlines()[1:] == [
        "Reason: it is for all roles; its files match `tests/tide.py`"
    ]


def test_of_a_fact_it_is_told_which_roles_have_it(tmp_path: Path) -> None:
    project = demo_at(tmp_path / "demo")
    demo = Shell(project, home_of(project))
    fact = "verified:5d0c9a1e-7b34-4c58-9f02-1a6be27d4c83"

    told = demo("why", fact)

    rows = {line.split("\t")[0]: line.split("\t")[1] for line in told.out.splitlines()[2:]}
    assert rows["backend-engineer"] == "yes"
    for role, answer in rows.items():
        included = document_of(demo("compose", "--role", role, "--json"), "compose")["included"]
        assert (fact in included) == (answer == "yes")
