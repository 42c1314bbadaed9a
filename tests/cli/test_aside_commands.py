"""What others reverted, took out or made again, as the commands tell of it and mend it."""

from __future__ import annotations

import os
from pathlib import Path

from tests.cli.conftest import Shell, document_of, write

from remem.core.session import Session
from remem.core.settings import Places

STORE = ".sniper/memory/conventions.yaml"
DECISIONS = ".sniper/memory/decisions.yaml"
LONG_AFTER = 4_000_000_000
"""Seconds since the epoch: no decision is as young as a file that was written then."""


def put_back(shop: Shell, name: str, data: bytes) -> None:
    """Write what stood there before, as an agent does that read it long ago."""
    (shop.root / name).write_bytes(data)
    os.utime(shop.root / name, (LONG_AFTER, LONG_AFTER))


def seen_by_a_screen(shop: Shell, name: str, data: bytes | None) -> None:
    """Let another writer write while a screen is open, and close the screen."""
    bench = Session.open(shop.root, Places.of(shop.home), door="tui")
    bench.begin()
    path = shop.root / name
    path.unlink() if data is None else path.write_bytes(data)
    bench.refresh()
    bench.close()


def test_a_reverted_decision_waits_in_the_queue_until_it_is_done_again(shop: Shell) -> None:
    before = shop.bytes_of(DECISIONS)
    shop("archive", "dec-001")
    decided = shop.bytes_of(DECISIONS)
    put_back(shop, DECISIONS, before)

    items = document_of(shop("queue", "--json"), "queue")["items"]
    (item,) = (item for item in items if item["group"] == "reverted")
    digest = shop.digest()
    status = document_of(shop("status", "--json"), "status")
    unwritten = shop.digest() == digest
    done = shop("approve", item["id"])

    assert item["why"].startswith("reverted by another program: `Archive sniper:dec-001` of ")
    assert (item["suggested"], item["verbs"]) == ("approve", ["approve", "reject"])
    assert status["queue"] == len(items)
    assert unwritten
    assert (done.code, done.out) == (0, "Archived sniper:dec-001\n")
    assert shop.bytes_of(DECISIONS) == decided


def test_a_reverted_decision_is_let_go_by_rejecting_it(shop: Shell) -> None:
    before = shop.bytes_of(DECISIONS)
    shop("archive", "dec-001")
    put_back(shop, DECISIONS, before)

    done = shop("reject", "dec-001", "--reason", "still in use")
    items = document_of(shop("queue", "--json"), "queue")["items"]

    assert (done.code, done.out) == (0, "Left sniper:dec-001 as it is\n")
    assert shop.bytes_of(DECISIONS) == before
    assert not [item for item in items if item["group"] == "reverted"]


def test_what_others_removed_waits_in_review_and_is_no_problem_as_well(shop: Shell) -> None:
    before = shop.bytes_of(STORE)
    seen_by_a_screen(shop, STORE, before[: before.index(b"\n  - id: conv-002")] + b"\n")

    problems = document_of(shop("status", "--json"), "status")["problems"]
    waiting = document_of(shop("queue", "--json"), "queue")["items"]
    done = shop("restore", "conv-002")
    left = document_of(shop("queue", "--json"), "queue")["items"]

    assert "vanished" not in {problem["code"] for problem in problems}
    (lost,) = (item for item in waiting if "Buttons say what they do" in item["title"])
    assert done.code == 0, done.err
    assert shop.bytes_of(STORE) == before
    assert lost["id"] not in {item["id"] for item in left}


def test_what_others_removed_from_an_archive_is_a_problem_until_it_is_restored(
    shop: Shell,
) -> None:
    name = ".squad/agents/_alumni/gull/history.md"
    text = "# Gull\n\n## Learnings\n\n- Nets dry in the sun\n- Ropes are coiled\n"
    write(shop.root, {name: text})
    seen_by_a_screen(shop, name, text.replace("- Ropes are coiled\n", "").encode())

    told = document_of(shop("status", "--json"), "status")["problems"]
    (lost,) = (problem for problem in told if problem["code"] == "vanished")
    done = shop(*lost["hint"].split("`")[1].split()[1:])
    left = document_of(shop("status", "--json"), "status")["problems"]

    assert lost["message"].startswith("Ropes are coiled (removed by another program at ")
    assert done.code == 0, done.err
    assert shop.bytes_of(name).decode() == text
    assert not [problem for problem in left if problem["code"] == "vanished"]


def test_what_vanished_comes_back_although_another_entry_took_its_id(shop: Shell) -> None:
    before = shop.bytes_of(STORE)
    seen_by_a_screen(shop, STORE, before[: before.index(b"\n  - id: conv-002")] + b"\n")
    shop("add", "convention", "Names are verbs")

    again = shop("restore", "sniper:conv-002", "--dry-run")

    assert again.code == 0, again.err
    assert '+    rule: "Buttons say what they do"' in again.out


def test_a_ghost_is_a_problem_until_it_is_merged(shop: Shell) -> None:
    home = shop.home / ".night-watch/agents"
    shop("persona", "rename", "Rosa", "Mira")
    write(home, {"Rosa/memories/shop/main.md": "## 2026-02-03\n- Nets dry in the sun\n"})

    told = document_of(shop("status", "--json"), "status")["problems"]
    planned = shop("persona", "absorb", "Rosa", "--dry-run")
    done = shop("persona", "absorb", "Rosa", "--json")
    left = document_of(shop("status", "--json"), "status")["problems"]

    (recreated,) = (problem for problem in told if problem["code"] == "ghost")
    assert recreated["message"].startswith("`Rosa` was renamed to `Mira`")
    assert "+- Nets dry in the sun" in planned.out
    receipt = document_of(done, "change")["change"]["receipt"]
    assert receipt.startswith("units 1 = 1 in Mira/")
    assert b"Nets dry" in Path(home / "Mira/memories/shop/main.md").read_bytes()
    assert not (home / "Rosa/memories/shop/main.md").exists()
    assert not [problem for problem in left if problem["code"] == "ghost"]
