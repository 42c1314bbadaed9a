"""What a decision does to prompts is told before it is taken, as text and as a document."""

from __future__ import annotations

from tests.cli.conftest import ANTI_PATTERNS, Shell, document_of, write

from remem.core.session import Session
from remem.core.settings import Places
from remem.core.verbs.verbs import APPROVE
from remem.views.review.item_card import card

SETTINGS = ".sniper/config.yaml"
ASKED = ("compose", "--role", "frontend-engineer", "--json")


def test_a_dry_run_says_whose_prompt_changes_and_by_how_much(shop: Shell) -> None:
    before = shop.digest()

    text = shop("approve", "sniper:conv-002", "--dry-run")
    told = document_of(shop("approve", "sniper:conv-002", "--dry-run", "--json"), "change")

    (reach,) = told["reach"]
    layers = document_of(shop(*ASKED), "compose")["layers"]
    assert (reach["role"], reach["budget"], reach["exact"]) == ("frontend-engineer", 2000, True)
    assert reach["before"] == sum(layer["tokens"] for layer in layers)
    assert reach["added"] == ["sniper:conv-002"]
    line = next(line for line in text.out.splitlines() if line.startswith("frontend-engineer"))
    more = reach["after"] - reach["before"]
    assert line.split("\t")[1:] == [
        f"{reach['before']}",
        f"{reach['after']} ({more:+})",
        "2,000",
        "includes sniper:conv-002",
    ]
    assert shop.digest() == before

    shop("approve", "sniper:conv-002")

    layers = document_of(shop(*ASKED), "compose")["layers"]
    assert sum(layer["tokens"] for layer in layers) == reach["after"]


def test_what_drops_out_and_what_comes_in_is_named(shop: Shell) -> None:
    long = f"  - {{id: ap-002, description: '{'Sleeping ' * 22}', severity: low}}\n"
    patterns = ".sniper/memory/anti-patterns.yaml"
    write(shop.root, {SETTINGS: "memory:\n  token_budget: 100\n"})
    write(shop.root, {patterns: f"{ANTI_PATTERNS}{long}"})
    asked = ("compose", "--role", "backend-engineer", "--json")
    was = set(document_of(shop(*asked), "compose")["included"])

    told = document_of(shop("archive", "sniper:dec-001", "--dry-run", "--json"), "change")
    text = shop("archive", "sniper:dec-001", "--dry-run")

    reach = next(each for each in told["reach"] if each["role"] == "backend-engineer")
    shop("archive", "sniper:dec-001")
    now = set(document_of(shop(*asked), "compose")["included"])
    assert reach["removed"] == ["sniper:dec-001"]
    assert set(reach["let_in"]) == now - was
    assert reach["let_in"]
    assert "removes sniper:dec-001; adds sniper:" in text.out


def test_an_agent_that_loads_the_file_is_told_of_too(empty: Shell) -> None:
    write(empty.root, {"CLAUDE.md": "# Shop\n\n- use tabs\n- never push\n"})
    listed = document_of(empty("list", "--json"), "list")["entries"]
    ref = next(each["ref"] for each in listed if "never push" in each["title"])

    told = document_of(empty("archive", ref, "--dry-run", "--json"), "change")
    text = empty("archive", ref, "--dry-run")

    reach = next(each for each in told["reach"] if each["agent"] == "Claude Code")
    assert (reach["tool"], reach["role"], reach["exact"]) == ("Claude Code", "", False)
    assert reach["after"] < reach["before"]
    assert len(reach["removed"]) == 1
    assert f"Claude Code\t≈{reach['before']}\t≈{reach['after']} " in text.out


def test_a_decision_that_no_prompt_feels_says_so(shop: Shell) -> None:
    told = document_of(shop("reject", "sniper:conv-002", "--dry-run", "--json"), "change")
    text = shop("reject", "sniper:conv-002", "--dry-run")
    done = shop("reject", "sniper:conv-002")

    assert told["reach"] == []
    assert "no prompt changes" in text.err
    assert "no prompt changes" not in done.err


def test_the_queue_says_what_letting_each_in_does_to_prompts(shop: Shell) -> None:
    before = shop.digest()

    plain = document_of(shop("queue", "--json"), "queue")["items"]
    items = document_of(shop("queue", "--impact", "--json"), "queue")["items"]
    text = shop("queue", "--impact").out

    assert {each["impact"] is None for each in plain} == {True}
    waiting = next(each for each in items if each["ref"] == "sniper:conv-002")
    (reach,) = waiting["impact"]
    dry = document_of(shop("approve", waiting["id"], "--dry-run", "--json"), "change")["reach"]
    assert reach in dry
    more = reach["after"] - reach["before"]
    assert (
        f"frontend-engineer: memory {reach['before']} → {reach['after']} of 2,000 ({more:+})"
        in text
    )
    assert shop.digest() == before


def test_a_role_that_gets_it_under_another_name_is_told_of_too(shop: Shell) -> None:
    for_developers = "  - {id: ap-002, description: Sleeping, applies_to: [developer]}\n"
    write(shop.root, {".sniper/memory/anti-patterns.yaml": f"{ANTI_PATTERNS}{for_developers}"})

    items = document_of(shop("queue", "--impact", "--json"), "queue")["items"]
    dry = document_of(shop("approve", "sniper:conv-002", "--dry-run", "--json"), "change")["reach"]

    waiting = next(each for each in items if each["ref"] == "sniper:conv-002")
    assert [each["role"] for each in waiting["impact"]] == ["frontend-engineer", "developer"]
    assert sorted(each["role"] for each in waiting["impact"]) == sorted(
        each["role"] for each in dry if each["role"]
    )
    session = Session.open(shop.root, Places.of(shop.home), door="cli")
    item = next(each for each in session.queue() if each.ref.id == "conv-002")
    (approve,) = (each for each in card(session, item, {}).outlooks if each.verb is APPROVE)
    assert [each.role for each in approve.impacts] == ["frontend-engineer", "developer"]


def test_what_an_addition_pushes_out_is_said_where_it_is_made(shop: Shell) -> None:
    long = f"  - {{id: ap-002, description: '{'Sleeping ' * 22}', severity: low}}\n"
    write(shop.root, {SETTINGS: "memory:\n  token_budget: 110\n"})
    write(shop.root, {".sniper/memory/anti-patterns.yaml": f"{ANTI_PATTERNS}{long}"})
    asked = ("compose", "--role", "backend-engineer", "--json")
    rule = "Each of the consumers of each of the queues takes each of its messages at most once"
    was = set(document_of(shop(*asked), "compose")["included"])

    added = shop("add", "convention", rule, "--role", "backend-engineer")

    now = document_of(shop(*asked), "compose")
    gone = was - set(now["included"])
    used = next(each["tokens"] for each in now["layers"] if each["budget"])
    (told,) = [line for line in added.err.splitlines() if "drops" in line]
    assert gone
    assert {each.removeprefix("drops ") for each in told.split(" · ") if "drops" in each} == gone
    assert f" → {used} of 110 (" in told


def test_what_is_written_is_told_in_the_words_of_its_dry_run(shop: Shell) -> None:
    write(shop.root, {SETTINGS: "memory:\n  token_budget: 20\n"})
    asked = ("add", "convention", "Each of the consumers of each of the queues takes it once")

    dry = shop(*asked, "--dry-run")
    made = shop(*asked)

    over = "over budget: sniper:conv-003"
    assert over in dry.err + dry.out
    assert over in made.err


def test_an_addition_that_has_room_says_nothing_of_prompts(shop: Shell) -> None:
    assert "→" not in shop("add", "convention", "Queues have an owner").err
