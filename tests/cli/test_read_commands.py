import os
from itertools import pairwise
from pathlib import Path

import pytest
from tests.cli.conftest import CONVENTIONS, Shell, document_of, write

from remem.base.text import hidden
from remem.core.session import Session
from remem.core.settings import Places
from remem.views.health import distinct, health_items

READING = [
    pytest.param(["status"], "status", id="status"),
    pytest.param(["list"], "list", id="list"),
    pytest.param(["show", "conv-001"], "show", id="show"),
    pytest.param(["search", "clock"], "search", id="search"),
    pytest.param(["search", "clock", "--everywhere"], "search", id="search everywhere"),
    pytest.param(["queue"], "queue", id="queue"),
    pytest.param(["history"], "history", id="history"),
    pytest.param(["compose", "--role", "backend-engineer"], "compose", id="compose"),
    pytest.param(["compose", "--persona", "Rosa"], "compose", id="compose persona"),
    pytest.param(["compose", "--agent", "Rosa"], "compose", id="compose as loaded"),
    pytest.param(["why", "conv-002", "--role", "backend-engineer"], "why", id="why"),
    pytest.param(["retro", "list"], "retro-list", id="retro list"),
    pytest.param(["retro", "show", "3"], "retro-show", id="retro show"),
    pytest.param(["persona", "list"], "persona-list", id="persona list"),
    pytest.param(["persona", "show", "Rosa"], "persona-show", id="persona show"),
]


@pytest.mark.parametrize(("arguments", "schema"), READING)
def test_reading_prints_a_document_of_its_schema(
    shop: Shell, arguments: list[str], schema: str
) -> None:
    answer = shop(*arguments, "--json")

    assert answer.code == 0
    document_of(answer, schema)


@pytest.mark.parametrize(("arguments", "schema"), READING)
def test_reading_an_empty_folder_is_no_stumble(
    empty: Shell, arguments: list[str], schema: str
) -> None:
    answer = empty(*arguments, "--json")

    if answer.code:
        assert document_of(answer, "error")["error"]["code"] == "unknown-ref"
    else:
        document_of(answer, schema)


@pytest.mark.parametrize(("arguments", "schema"), READING)
def test_reading_writes_nothing(shop: Shell, arguments: list[str], schema: str) -> None:
    before = shop.digest()

    shop(*arguments)

    assert schema
    assert shop.digest() == before


@pytest.mark.parametrize(("arguments", "schema"), READING)
def test_no_listing_carries_what_a_terminal_obeys(
    shop: Shell, arguments: list[str], schema: str
) -> None:
    write(
        shop.root,
        {
            ".sniper/memory/conventions.yaml": (
                'conventions:\n  - {id: conv-001, rule: "The clock \\e]0;x\\a and \\u202e", '
                'rationale: "\\u200b", applies_to: ["\\e[31mred"], status: candidate}\n'
                "  - {id: conv-002, rule: clock}\n"
            )
        },
    )

    answer = shop(*arguments, terminal=True)

    assert schema
    visible = answer.out.replace("\n", "").replace("\x1b[1m", "").replace("\x1b[2m", "")
    plain = visible.replace("\x1b[0m", "").replace("\x1b[31m", "")
    assert hidden(plain) == ()
    assert hidden(answer.err.replace("\n", "")) == ()


def test_list_filters_by_kind_with_hyphen_or_underscore(shop: Shell) -> None:
    hyphen = document_of(shop("list", "--kind", "anti-pattern", "--json"), "list")
    underscore = document_of(shop("list", "--kind", "anti_pattern", "--json"), "list")

    assert hyphen == underscore
    assert [entry["ref"] for entry in hyphen["entries"]] == ["sniper:ap-001"]


@pytest.mark.parametrize(
    ("arguments", "refs"),
    [
        pytest.param(["--kind", "convention", "--status", "candidate"], ["conv-002"], id="status"),
        pytest.param(["--kind", "decision", "--role", "architect"], ["dec-001"], id="role"),
        pytest.param(["--kind", "decision", "--role", "frontend-dev"], [], id="other role"),
        pytest.param(["--format", "sniper", "--query", "QUEUE every"], ["conv-001"], id="words"),
        pytest.param(["--layout", "night-watch", "--query", "importer"], ["Rosa"], id="layout"),
    ],
)
def test_list_keeps_what_was_asked_for(shop: Shell, arguments: list[str], refs: list[str]) -> None:
    answer = shop("list", *arguments)

    found = [line.split("\t")[0].partition(":")[2] for line in answer.out.splitlines()]
    assert [name.split("/")[0] for name in found] == refs


def test_list_in_a_pipe_is_one_line_an_entry_with_tabs(shop: Shell) -> None:
    lines = shop("list", "--kind", "convention").out.splitlines()

    assert lines[0] == (
        "sniper:conv-001\tconvention\tactive\tbackend-engineer\tEvery queue consumer is idempotent"
        "\tboth"
    )


def test_list_on_a_terminal_has_headings(shop: Shell) -> None:
    first = shop("list", "--query", "clock", terminal=True).out.splitlines()[0]

    assert "REF" in first
    assert "TITLE" in first


def test_an_unknown_format_is_said(shop: Shell) -> None:
    answer = shop("list", "--format", "snipre")

    assert answer.code == 2
    assert "no system is called `snipre`" in answer.err


@pytest.mark.parametrize(
    ("name", "system"), [("learnings", "learning"), ("Personas", "persona"), ("sniper", "sniper")]
)
def test_a_system_is_named_by_its_plural_too(shop: Shell, name: str, system: str) -> None:
    answer = shop("list", "--system", name, "--json")

    refs = [each["ref"] for each in document_of(answer, "list")["entries"]]
    assert answer.code == 0
    assert all(ref.partition(":")[0].partition("@")[0] == system for ref in refs)
    assert bool(refs) == (system != "learning")


def test_an_unknown_system_offers_the_nearest(shop: Shell) -> None:
    assert "did you mean `sniper`? the systems are" in shop("list", "--system", "snipre").err


@pytest.mark.parametrize("query", ["charge", "double charges", "charges in one NIGHT", "consumers"])
def test_a_query_looks_where_search_does_in_either_number(shop: Shell, query: str) -> None:
    listed = document_of(shop("list", "--system", "sniper", "--query", query, "--json"), "list")

    assert [each["ref"] for each in listed["entries"]] == ["sniper:conv-001"]


@pytest.mark.parametrize(
    "options",
    [
        ["--kind", "anti-pattern"],
        ["--system", "personas"],
        ["--role", "backend-engineer"],
        ["--status", "active", "--system", "sniper"],
        ["--layout", "night-watch"],
    ],
)
def test_search_takes_the_options_of_list(shop: Shell, options: list[str]) -> None:
    def refs(*words: str) -> set[str]:
        answer = shop(*words, "--json")
        return {each["ref"] for each in document_of(answer, words[0])["entries"]}

    found = refs("search", "in", *options)

    assert found == refs("list", "--query", "in", *options) & refs("search", "in")
    assert set() < found < refs("search", "in")


def test_search_refuses_what_list_refuses(shop: Shell) -> None:
    for options in (["--kind", "anti-patterns"], ["--system", "snipre"]):
        assert shop("search", "in", *options).err == shop("list", *options).err != ""


def test_search_finds_what_is_archived_when_asked_for_it(shop: Shell) -> None:
    assert shop("archive", "dec-001").code == 0

    assert shop("search", "PostgreSQL").out == ""
    assert "dec-001" in shop("search", "PostgreSQL", "--status", "archived").out


def test_an_empty_list_says_why(shop: Shell, empty: Shell) -> None:
    answer = shop("list", "--query", "nothing-like-this")

    assert answer.out == ""
    assert "matches" in answer.err


def test_a_folder_without_memory_says_what_to_do(empty: Shell) -> None:
    assert "`remem init`" in empty("list").err


def test_a_project_without_an_entry_is_not_called_one_without_memory(empty: Shell) -> None:
    empty("init")

    answer = empty("list")

    assert "add one with `remem add`" in answer.err
    assert "remem init" not in answer.err


def test_a_listing_or_a_prompt_names_what_is_missing_from_it(shop: Shell) -> None:
    write(shop.root, {".sniper/memory/conventions.yaml": "conventions:\n  - {id: conv-001\n"})

    for command in ("list", "compose"):
        answer = shop(command)

        assert answer.code == 0
        assert "not read: .sniper/memory/conventions.yaml:3" in answer.err
    assert shop("list", "--kind", "convention").err.count("not read:") == 1


def test_a_prompt_misses_no_document_that_is_never_composed(shop: Shell) -> None:
    write(shop.root, {".sniper/memory/retros/sprint-3-retro.yaml": "findings: [\n"})

    assert "not read:" in shop("list").err
    assert "not read:" not in shop("compose").err


def test_a_folder_whose_name_is_not_utf_8_is_a_project_like_any(shop: Shell) -> None:
    root = Path(os.fsdecode(os.fsencode(shop.root) + b"\xff"))
    shop.root.rename(root)
    odd = Shell(root, shop.home)
    write(root, {"a.py": "one\n"})

    stored = odd("memory", "store", "--subject", "A", "--fact", "It is one", "--cite", "a.py:1-1")
    added = odd("add", "convention", "Names are verbs")

    assert (stored.code, added.code) == (0, 0)
    assert "It is one" in odd("memory", "recent").out
    assert "Names are verbs" in odd("list").out
    for command in ("status", "check --files a.py", "history", "undo"):
        assert odd(*command.split()).code == 0
    assert "Names are verbs" not in odd("list").out


def test_show_prints_fields_place_and_problems(shop: Shell) -> None:
    write(
        shop.root,
        {".sniper/memory/decisions.yaml": "decisions:\n  - {id: dec-001, title: 7, decision: x}\n"},
    )

    answer = shop("show", "dec-001")

    assert ".sniper/memory/decisions.yaml:2" in answer.out
    assert "decision: x" in answer.out
    assert "problem: " in answer.err


def test_show_of_a_candidate_names_what_in_force_may_say_otherwise_whole(shop: Shell) -> None:
    rules = (
        "conventions:\n"
        '  - {id: conv-001, rule: "Buttons never say what they do, and icons do"}\n'
        "  - {id: conv-002, rule: Buttons say what they do, status: candidate}\n"
    )
    write(shop.root, {".sniper/memory/conventions.yaml": rules})

    of_candidate = shop("show", "conv-002").out
    (conflict,) = document_of(shop("show", "conv-002", "--json"), "show")["conflicts"]

    assert conflict.startswith("possible conflict with `sniper:conv-001`")
    assert conflict.endswith(": Buttons never say what they do, and icons do")
    assert conflict in of_candidate
    assert "possible conflict" not in shop("show", "conv-001").out


def test_show_of_a_near_miss_asks(shop: Shell) -> None:
    answer = shop("show", "conv-01")

    assert answer.code == 2
    assert "hint: did you mean `conv-001`?" in answer.err


def test_a_near_miss_is_found_whatever_its_case(shop: Shell) -> None:
    assert "did you mean `conv-001`?" in shop("show", "CONV-001").err


def test_show_of_nothing_near_points_to_the_list(shop: Shell) -> None:
    assert "`remem list`" in shop("show", "zzzzzzzzzzz").err


def test_search_looks_into_every_field(shop: Shell) -> None:
    answer = shop("search", "double CHARGES")

    assert [line.split("\t")[0] for line in answer.out.splitlines()] == ["sniper:conv-001"]


def test_search_shows_the_words_where_the_title_does_not(shop: Shell) -> None:
    long = f"{'Before it ' * 20}two double\n  charges{' and after it' * 20}"
    store = CONVENTIONS.replace("Two double charges in one night", long)
    write(shop.root, {".sniper/memory/conventions.yaml": store})

    in_pipe = shop("search", "double CHARGES").out
    on_screen = shop("search", "double CHARGES", terminal=True).out
    in_title = shop("search", "queue consumer").out

    (row,) = in_pipe.splitlines()
    *_, title, found = row.split("\t")
    assert title == "Every queue consumer is idempotent"
    field, _, snippet = found.partition(": ")
    assert field == "rationale"
    assert "Before it two double charges and after it" in snippet
    assert snippet.startswith("…")
    assert snippet.endswith("…")
    assert len(snippet) == 80
    assert "\x1b[1m\x1b[4mdouble charges\x1b[0m" in on_screen
    assert in_title.endswith("\tEvery queue consumer is idempotent\t\n")


def test_search_finds_a_word_in_the_other_number_behind_what_has_it_as_typed(shop: Shell) -> None:
    store = CONVENTIONS.replace("Buttons say what they do", "Stories name queue consumers")
    write(shop.root, {".sniper/memory/conventions.yaml": store})

    plural = shop("search", "queue Consumers").out
    singular = shop("search", "story", terminal=True).out
    in_field = shop("search", "double charge nights", terminal=True)

    assert [line.split("\t")[0] for line in plural.splitlines()] == [
        "sniper:conv-002",
        "sniper:conv-001",
    ]
    assert "conv-002" in singular
    assert "conv-001" not in in_field.out
    assert (
        shop("search", "in one nights", terminal=True).out.count("\x1b[1m\x1b[4min one night") == 1
    )


def test_search_everywhere_finds_archives_and_the_history(shop: Shell) -> None:
    shop("persona", "archive", "Rosa")
    shop("remove", "ap-001")

    near = shop("search", "retries need a cap")
    wide = shop("search", "retries need a cap", "--everywhere")
    changes = shop("search", "ap-001", "--everywhere", "--json")

    assert near.out == ""
    assert "Retries need a cap" in wide.out
    assert document_of(changes, "search")["changes"][0]["title"].startswith("Remove")


def test_status_says_who_starts_with_what(shop: Shell) -> None:
    report = document_of(shop("status", "--json"), "status")

    agents = {agent["name"]: agent for agent in report["agents"]}
    assert agents["Rosa"]["tool"] == "Night Watch"
    assert agents["backend-engineer"]["tool"] == "sniper"
    assert agents["backend-engineer"]["exact"]
    assert agents["backend-engineer"]["tokens"] > 20
    assert report["counts"]["convention"] == {"active": 1, "candidate": 1}
    assert report["queue"] == 2
    assert report["pending"] == []


def test_status_names_what_is_wrong_with_line_and_column(shop: Shell) -> None:
    write(shop.root, {".sniper/memory/decisions.yaml": "decisions:\n  - id: [\n"})

    report = document_of(shop("status", "--json"), "status")
    text = shop("status").out

    problem = report["problems"][0]
    assert problem["path"].endswith("decisions.yaml")
    assert problem["line"] > 0
    assert "1 problem" in text
    assert ".sniper/memory/decisions.yaml:" in text


def test_every_table_of_a_piped_status_names_its_columns(shop: Shell) -> None:
    lines = shop("status").out.splitlines()

    headings = [
        "AGENT\tTOOL\tTOKENS\tNEVER LOADED\tFROM",
        "ROLE\tSYSTEMS\tTOKENS\tFROM",
        "SOURCE\tSYSTEM\tENTRIES\tFILE",
        "KIND\tCOUNT",
    ]
    assert [line for line in lines if line in headings] == headings
    for before, line in pairwise(lines):
        if "\t" in line and "\t" not in before:
            assert line == line.upper(), "a table begins without its headings"
    (role,) = [line for line in lines if line.startswith("architect\t")]
    assert len(role.split("\t")) == 4


def test_status_says_who_starts_with_a_plain_file(shop: Shell) -> None:
    write(shop.root, {"AGENTS.md": "Be brief.\n"})

    agents = document_of(shop("status", "--json"), "status")["agents"]

    codex = next(agent for agent in agents if agent["name"] == "Codex")
    assert codex["files"][0]["path"] == str(shop.root / "AGENTS.md")


def test_status_says_which_tool_does_not_start_and_why(empty: Shell) -> None:
    agent = "---\ndescription: d\nmode: maybe\n---\nHelp.\n"
    write(empty.root, {".opencode/agents/ann.md": agent, "AGENTS.md": "- Ring twice\n"})

    text, document = empty("status").out, empty("status", "--json").document["agents"]

    assert "OpenCode\tOpenCode\t≈0\t\tnothing: it does not start\n" in text
    stopped = {each["name"]: each["stopped"] for each in document}
    assert "`mode` is `maybe`" in stopped["OpenCode"]
    assert stopped["Codex"] == ""


def test_status_reports_settings_that_a_root_may_not_have(shop: Shell) -> None:
    write(shop.root, {".remem/config.yaml": "editor: rm\n"})

    report = document_of(shop("status", "--json"), "status")

    assert [problem["code"] for problem in report["problems"]] == ["config-not-allowed"]


def test_the_queue_prints_ids_that_decide(shop: Shell) -> None:
    items = document_of(shop("queue", "--json"), "queue")["items"]
    text = shop("queue").out

    assert {item["title"] for item in items} == {
        "Buttons say what they do",
        "Migrations run twice without harm",
    }
    assert all(item["id"] in text for item in items)
    assert "suggested: approve" in text


def test_the_queue_is_narrowed_by_words_of_group_kind_and_text(shop: Shell) -> None:
    every = document_of(shop("queue", "--json"), "queue")["items"]
    first = every[0]
    word = first["title"].split()[-1]

    found = document_of(shop("queue", first["kind"].upper(), word, "--json"), "queue")["items"]
    none = shop("queue", "unheard-of")

    assert first["id"] in [each["id"] for each in found]
    assert all(word.lower() in each["title"].lower() for each in found)
    assert (none.code, none.out) == (0, "")
    assert "no item to review has `unheard-of`" in none.err


def test_an_empty_queue_says_so(empty: Shell) -> None:
    answer = empty("queue")

    assert answer.out == ""
    assert "nothing to review" in answer.err


def test_a_retro_is_named_by_its_number_or_its_file(shop: Shell) -> None:
    by_number = shop("retro", "show", "3").out
    by_file = shop("retro", "show", "sprint-3-retro.yaml").out

    assert by_number == by_file
    assert "? Migrations run twice without harm" in by_number
    assert "- Feature flags have an owner" in by_number


FOUND = """\
sprint: 8
date: "2026-04-20"
stories_completed: 6
stories_carried_over: 2
findings:
  new_conventions:
    - rule: "Ports are closed at night"
      recommendation: monitor
      evidence: "2 of 6 stories"
  new_anti_patterns:
    - description: "Sleeping on watch"
      occurrences: 2
      stories: [STORY-81, STORY-84]
      severity: high
      recommendation: codify
      mood: bad
"""


def test_a_retro_is_shown_with_all_that_it_says_and_why_what_does_not_wait_does_not(
    shop: Shell,
) -> None:
    write(shop.root, {".sniper/memory/retros/sprint-8-retro.yaml": FOUND})

    told = shop("retro", "show")
    report = document_of(shop("retro", "show", "8", "--json"), "retro-show")

    assert "sprint-8-retro · 2026-04-20 · 2 findings · stories: 6 done, 2 carried over" in told.out
    assert "occurrences: 2 · stories: STORY-81, STORY-84 · severity: high" in told.out
    assert "the retro recommends: monitor" in told.out
    assert "problem: sprint-8-retro.yaml:" in told.err
    assert "`mood` is not known here" in told.err
    assert "confidence" not in told.out.replace("to review: the retro recommends it: met", "")
    rule, mistake = report["findings"]
    assert (rule["waiting"], rule["why"]) == (False, "the retro recommends: monitor")
    assert (rule["confidence"], rule["severity"], rule["occurrences"]) == (None, None, None)
    assert (mistake["waiting"], mistake["severity"], mistake["occurrences"]) == (True, "high", 2)
    assert mistake["stories"] == ["STORY-81", "STORY-84"]
    assert (report["retro"]["stories_completed"], report["retro"]["sprint"]) == (6, 8)


def test_lists_about_estimates_are_told_apart_and_unknown_keys_are_named(shop: Shell) -> None:
    found = """\
sprint: 9
highs: [fast]
lows: [slow]
findings:
  estimation_calibration:
    overestimates: [STORY-1]
    underestimates: [STORY-2]
  review_gate_failures:
    - {check: Lint, failures: 2, pattern: "Lamps left on", already_tracked: true}
"""
    write(shop.root, {".sniper/memory/retros/sprint-9-retro.yaml": found})

    told = shop("retro", "show", "9")

    assert "estimation: overestimates\n- STORY-1" in told.out
    assert "estimation: underestimates\n- STORY-2" in told.out
    assert "marked as tracked, but no entry covers it" in told.out
    assert "`highs`, `lows` are not part of a retro and are ignored" in told.err


def test_an_unknown_retro_asks(shop: Shell) -> None:
    answer = shop("retro", "show", "sprint-4-retro")

    assert answer.code == 2
    assert "did you mean `sprint-3-retro`?" in answer.err


def test_a_persona_is_shown_with_its_files(shop: Shell) -> None:
    answer = shop("persona", "show", "rosa")

    assert "Rosa" in answer.out
    assert "~/.night-watch/agents/Rosa/memories/shop/main.md" in answer.out
    assert "#69444f Retries need a cap" in answer.out


def test_an_unknown_persona_asks(shop: Shell) -> None:
    answer = shop("persona", "show", "Rose")

    assert answer.code == 2
    assert "did you mean `Rosa`?" in answer.err


def test_status_ends_with_the_project_memory_in_one_line(shop: Shell) -> None:
    last = shop("status").out.rstrip().splitlines()[-1]

    assert last.startswith("Project memory: ")
    assert last.endswith("· 1 retro file")
    assert "confirmed" in last
    assert "candidate" in last


def test_status_counts_the_problems_that_health_counts(shop: Shell) -> None:
    twice = CONVENTIONS.replace(
        "Buttons say what they do", "Every consumer of a queue is idempotent"
    )
    settings = "memory:\n  token_budget: 60\n"
    write(shop.root, {".sniper/memory/conventions.yaml": twice, ".sniper/config.yaml": settings})
    session = Session.open(shop.root, Places.of(shop.home), door="tui")
    session.load_counter()

    page, told = shop("status").out, shop("status", "--json").document["problems"]
    found = distinct(health_items(session, session.agents(), thorough=True))
    session.close()

    assert [each["message"] for each in told] == [each.problem.message for each in found]
    assert any(each["code"] == "over-budget" for each in told)
    assert f"\n{len(found)} problems\n" in page
    assert "\nbudgets  backend-engineer: " in page


def test_retros_read_and_files_of_retros_have_two_names_in_status(shop: Shell) -> None:
    write(shop.root, {".sniper/memory/retros/sprint-4-retro.yaml": 'sprint: 4\nfindings: "open\n'})

    page = shop("status").out

    assert "\n1 sprint retro read · the last is sprint-3-retro" in page
    assert page.rstrip().endswith("· 2 retro files")


def test_a_list_of_one_kind_shows_what_its_entries_weigh(shop: Shell) -> None:
    assert (
        "\tEvery queue consumer is idempotent\tboth\n" in shop("list", "--kind", "convention").out
    )
    assert "\tboth" not in shop("list").out


def test_a_kind_that_nothing_is_of_is_refused_with_the_nearest_or_all(shop: Shell) -> None:
    refused = shop("list", "--kind", "conventions")

    assert refused.code == 2
    assert "did you mean `convention`?" in refused.err
    assert shop("list", "--kind", "finding").code == 0
    assert shop("list", "--kind", "fact").code == 0
    wrong = shop("list", "--kind", "zebra")
    assert wrong.code == 2
    assert "the kinds here are `anti-pattern`, `convention`" in wrong.err


def test_status_names_the_place_of_a_secret_and_of_hidden_characters(shop: Shell) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6"
    (shop.root / "CLAUDE.md").write_text(
        f"- The crane opens with {token}\n- Ropes are\N{ZERO WIDTH SPACE}coiled\n"
    )

    answer = shop("status")

    assert "what looks like a secret (a GitHub token), 1 place, first in line 1" in answer.out
    assert "1 hidden character (zero width), first" in answer.out
    assert token not in answer.out


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        pytest.param(["anti-patterns"], "--kind anti-pattern", id="plural"),
        pytest.param(["anti_pattern"], "--kind anti-pattern", id="underscore"),
        pytest.param(["Conventoin"], "--kind convention", id="misspelled"),
        pytest.param(["conventions", "decisions"], "--kind convention --kind decision", id="two"),
        pytest.param(["retry", "budget"], "--query 'retry budget'", id="no kind"),
    ],
)
def test_a_kind_without_its_option_is_answered_with_the_command_that_was_meant(
    shop: Shell, words: list[str], meant: str
) -> None:
    answer = shop("list", *words)

    assert answer.code == 2
    assert f"did you mean `remem list {meant}`?" in answer.err


def test_a_kind_in_the_plural_is_named_as_it_is_written(shop: Shell) -> None:
    answer = shop("list", "--kind", "anti-patterns")

    assert (answer.code, answer.out) == (2, "")
    assert "did you mean `anti-pattern`?" in answer.err


def test_a_kind_is_spelled_with_a_hyphen_wherever_people_read_it(shop: Shell) -> None:
    commands = [["list"], ["show", "ap-001"], ["search", "clock", "--everywhere"], ["status"]]

    for command in commands:
        out = shop(*command).out
        assert "anti-pattern" in out.replace("anti-patterns.yaml", "")
        assert "anti_pattern" not in out

    (entry,) = document_of(shop("list", "--kind", "anti-pattern", "--json"), "list")["entries"]
    assert entry["kind"] == "anti_pattern"


def test_an_item_is_shown_by_its_id_in_the_queue(shop: Shell) -> None:
    items = document_of(shop("queue", "--json"), "queue")["items"]
    (item,) = [each for each in items if each["ref"] == "sniper:conv-002"]

    by_id = shop("show", item["id"][:6])

    assert by_id.code == 0
    assert by_id.out == shop("show", "conv-002").out == shop("show", "sniper:conv-002").out
    assert shop("history", item["id"]).err == "no changes of `sniper:conv-002` yet\n"
    assert shop("show", "beef").code == 2


def test_show_of_what_waits_tells_what_its_card_tells(shop: Shell) -> None:
    rules = (
        "conventions:\n"
        '  - {id: conv-001, rule: "Buttons never say what they do, and icons do"}\n'
        "  - {id: conv-003, rule: Buttons of a form say what they do there, status: candidate}\n"
        "  - {id: conv-002, rule: Buttons say what they do, status: candidate}\n"
    )
    write(shop.root, {".sniper/memory/conventions.yaml": rules})
    waiting = document_of(shop("queue", "--json"), "queue")["items"]
    (item,) = [each for each in waiting if each["title"] == "Buttons say what they do"]

    told = shop("show", item["id"]).out
    by_ref = shop("show", "conv-002").out
    document = document_of(shop("show", item["id"], "--json"), "show")["item"]

    assert f"to review: {item['id']} · {item['why']}" in told
    assert "- possible conflict with `sniper:conv-001` (" in told
    assert "similar to `sniper:conv-003` (" in told
    assert by_ref == told
    assert (document["why"], document["suggested"]) == (item["why"], item["suggested"])
    assert set(item["evidence"]) <= set(document["evidence"])


def test_show_of_what_does_not_wait_names_no_review(shop: Shell) -> None:
    assert "to review" not in shop("show", "conv-001").out
    assert document_of(shop("show", "conv-001", "--json"), "show")["item"] is None
