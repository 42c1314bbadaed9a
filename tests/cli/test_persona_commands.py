"""Whole personas from the command line: nothing to do, several places, merging, lost and found."""

from __future__ import annotations

import pytest
from tests.cli.conftest import MEMORY, Shell, document_of, write

USER = ".claude/agent-memory/rosa/MEMORY.md"
NOOR = ".night-watch/agents/Noor/memories/{project}/main.md"


def add(shop: Shell, name: str, text: str) -> None:
    """Write a file of the home folder."""
    path = shop.home / name.format(project=shop.root.name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.mark.parametrize("verb", [["rename", "Nobody", "X"], ["archive", "Nobody"]])
def test_a_name_that_nobody_has_is_refused_with_the_nearest(shop: Shell, verb: list[str]) -> None:
    add(shop, ".night-watch/agents/Nobby/memories/{project}/main.md", "- a\n")

    answer = shop("persona", *verb)

    assert answer.code == 2
    assert "no persona is called `Nobody`" in answer.err
    assert "did you mean `Nobby`?" in answer.err


def test_what_a_persona_starts_with_adds_up_to_what_the_list_says(shop: Shell) -> None:
    files = {
        ".squad/team.md": "# Team\n\n## Members\n\n| Name | Role |\n|---|---|\n| Petra | Lead |\n",
        ".squad/decisions.md": "# Decisions\n\n### 2026-01-02: Ships sail\nWith the tide.\n",
        ".squad/agents/petra/charter.md": "# Petra\n\nLooks after the tide.\n",
        ".squad/agents/petra/history.md": "## Learnings\n\n- The pier is 40 m long\n",
    }
    write(shop.root, files)

    rows = document_of(shop("persona", "list", "--json"), "persona-list")["personas"]
    (listed,) = [each["tokens_at_start"] for each in rows if each["name"] == "Petra"]
    (told,) = [x for x in shop("persona", "show", "Petra").out.splitlines() if " at startup: " in x]

    sum_told, _, parts = told.partition(" tokens at startup: ")
    assert int(sum_told.lstrip("≈")) == listed > 0
    assert sum(int(each.split()[0]) for each in parts.split(" + ")) == listed
    assert "of its own files" in parts
    assert "of .squad/decisions.md" in parts


def test_a_prompt_to_compact_says_which_units_it_leaves_out(shop: Shell) -> None:
    core = "## Core Context\n\n- Ferries sail\n\n## Learnings\n\n### 2026-01-02\n\n"
    lessons = "".join(f"- Lesson {number} of the pier\n" for number in range(1, 9))
    files = {
        ".squad/team.md": "# Team\n\n## Members\n\n| Name | Role |\n|---|---|\n| Petra | Lead |\n",
        ".squad/agents/petra/history.md": f"# Petra\n\n{core}{lessons}",
    }
    write(shop.root, files)

    answer = shop("persona", "compact", "Petra", "--lines", "3", "--prompt-only")

    assert "8 notes" in answer.out
    assert "9 units" in shop("persona", "show", "Petra").out
    assert "note: it is about 8 of 9 units; the others stay" in answer.err


def test_who_is_archived_is_so_already(shop: Shell) -> None:
    add(shop, ".night-watch/agents/Nobby/memories/{project}/main.md", "- a\n")
    shop("persona", "archive", "Nobby")

    again = shop("persona", "archive", "nobby")

    assert again.code == 0, again.err
    assert "`nobby` is already archived" in again.err


def test_one_persona_is_merged_into_another_with_a_receipt_and_comes_apart_again(
    shop: Shell,
) -> None:
    add(shop, NOOR, "- Ask twice\n")

    planned = shop("persona", "merge", "Rosa", "--into", "Noor", "--dry-run")
    done = shop("persona", "merge", "Rosa", "--into", "Noor")
    names = [p["name"] for p in _listed(shop) if not p["archived"]]
    shop("undo")

    assert planned.code == done.code == 0
    assert "+- Ask for the failing input first" in planned.out
    assert "units 4 = 1 of Noor + 3 of Rosa · 0 lost, 0 added" in done.err
    assert names == ["Noor"]
    assert [p["name"] for p in _listed(shop) if not p["archived"]] == ["Noor", "Rosa"]


def test_places_of_one_persona_are_compared_merged_and_moved(shop: Shell) -> None:
    add(shop, USER, "- Retries need a cap\n- Only here\n")
    watched = f"night-watch/{shop.root.name}"

    listed = next(p for p in _listed(shop) if p["name"] == "Rosa")
    shown = shop("persona", "show", "Rosa")
    told = document_of(shop("persona", "diff", "Rosa", "--json"), "persona-diff")
    text = shop("persona", "diff", "Rosa")
    places = ["--from", watched, "--to", "claude-user"]
    moved = shop("persona", "move", "Rosa", *places)
    merged = document_of(shop("persona", "merge", "Rosa", *places, "--json"), "change")

    assert listed["places"] == [watched, "claude-user"]
    difference = f"{watched} and claude-user: 1 unit in both, 2 only in {watched}"
    assert difference in shown.out
    assert difference in text.out
    assert "+ Only here" in text.out
    assert [len(told[part]) for part in ("both", "only_one", "only_other")] == [1, 2, 1]
    assert moved.code == 2
    assert "already has a memory in `claude-user`" in moved.err
    assert merged["change"]["receipt"].startswith("units 5 = 2 of claude-user + 3 of night-watch")


def test_a_memory_is_moved_to_a_place_that_has_none(shop: Shell) -> None:
    done = shop("persona", "move", "Rosa", "--to", "claude-user")

    assert done.code == 0
    assert (shop.home / ".claude/agent-memory/Rosa/MEMORY.md").read_text() == MEMORY


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["merge", "Rosa"], id="into nobody"),
        pytest.param(["merge", "Rosa", "--into", "Noor", "--to", "squad"], id="both ways"),
        pytest.param(["merge", "Rosa", "--from", "squad"], id="half a way"),
        pytest.param(["move", "Rosa"], id="nowhere"),
        pytest.param(["diff", "Rosa"], id="one place"),
        pytest.param(["diff", "Nobody"], id="nobody"),
    ],
)
def test_who_says_too_little_is_told_what_is_missing(shop: Shell, arguments: list[str]) -> None:
    answer = shop("persona", *arguments)

    assert answer.code == 2
    assert "hint: " in answer.err


def test_a_lost_phrase_is_found_in_the_history_and_put_back(shop: Shell) -> None:
    ref = document_of(shop("search", "retries need", "--json"), "search")["entries"][0]["ref"]
    shop("remove", ref)

    found = document_of(shop("search", "Retries  NEED", "--everywhere", "--json"), "search")
    text = shop("search", "retries need", "--everywhere")
    name = found["lost"][0]["id"]
    planned = shop("restore", "--from", name, "retries", "need", "--dry-run")
    done = shop("restore", "--from", name, "retries need")

    assert found["entries"] == []
    assert (found["lost"][0]["by"], found["lost"][0]["text"]) == ("change", "- Retries need a cap")
    assert f"removed by change {name}" in text.out
    assert "+- Retries need a cap" in planned.out
    assert done.code == 0
    shop("undo")
    assert shop("restore", "--from", name).out == f"Put back what {name} removed\n"
    path = shop.home / f".night-watch/agents/Rosa/memories/{shop.root.name}/main.md"
    assert path.read_text() == MEMORY


def test_what_took_nothing_and_no_name_at_all_are_errors(shop: Shell) -> None:
    unknown = shop("restore", "--from", "zzzz", "retries")
    nothing = shop("restore")

    assert (unknown.code, nothing.code) == (2, 2)
    assert "no change has an id starting with `zzzz`" in unknown.err
    assert "`--from`" in nothing.err


def _listed(shop: Shell) -> list[dict[str, object]]:
    found = document_of(shop("persona", "list", "--json"), "persona-list")["personas"]
    assert isinstance(found, list)
    return found


def test_other_files_of_a_persona_are_listed_as_not_loaded(shop: Shell) -> None:
    (shop.home / ".night-watch/agents/Rosa/tides.md").write_text("High water at noon.\n")

    shown = shop("persona", "show", "Rosa")

    assert any("tides.md · not loaded · " in line for line in shown.out.splitlines())


def test_an_archived_persona_is_shown_with_what_brings_it_back(shop: Shell) -> None:
    shop("persona", "archive", "Rosa")

    shown = shop("persona", "show", "Rosa")

    assert shown.code == 0, shown.err
    assert "archived" in shown.out.splitlines()[0]
    assert "it is archived; restore it first" in shown.out
    assert "no persona is called" not in shown.out


def test_the_list_names_its_columns_in_a_pipe_too(shop: Shell) -> None:
    heads, first, *_ = shop("persona", "list").out.splitlines()

    assert heads.split("\t")[:3] == ["PERSONA", "UNREVIEWED", "TOKENS"]
    assert len(first.split("\t")) == len(heads.split("\t"))


def test_a_folder_that_moves_is_named_alike_before_and_after(shop: Shell) -> None:
    shown = shop("persona", "rename", "Rosa", "Rosalind", "--dry-run").out

    moved = next(line for line in shown.splitlines() if ": moves to " in line)
    before, after = moved.split(": moves to ")
    assert before.partition("Rosa")[0] == after.strip("`").partition("Rosa")[0]
