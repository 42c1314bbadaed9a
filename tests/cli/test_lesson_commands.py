"""Moving, pinning, merging, promoting and archiving lessons, and saying who a persona is."""

from pathlib import Path

import pytest
from tests.cli.conftest import MEMORY, Shell, document_of, write

MAIN = ".night-watch/agents/Rosa/memories/shop/main.md"
PROFILE = ".night-watch/agents/Rosa/persona.yaml"


def ref_of(shop: Shell, title: str) -> str:
    listed = shop("list", "--kind", "lesson", "--json").document["entries"]
    return str(next(entry["ref"] for entry in listed if title in entry["title"]))


def memory(shop: Shell) -> str:
    return (shop.home / MAIN).read_text()


def test_a_lesson_moves_and_comes_back(shop: Shell) -> None:
    moved = shop("move", ref_of(shop, "Retries"), "#2026-02-01")

    assert moved.code == 0, moved.err
    assert memory(shop).endswith("- The importer holds one row in memory\n- Retries need a cap\n")
    assert "3 units = 3 here · 0 lost, 0 added" in moved.err
    assert shop("undo").code == 0
    assert memory(shop) == MEMORY


def test_a_dry_run_shows_the_receipt_and_writes_nothing(shop: Shell) -> None:
    before = shop.digest()

    for arguments in (
        ["move", ref_of(shop, "Retries"), "#"],
        ["pin", ref_of(shop, "importer")],
        ["archive", "--before", "2026-02-01", "--persona", "Rosa"],
    ):
        answer = shop(*arguments, "--dry-run")
        assert answer.code == 0, answer.err
        assert "0 lost, 0 added" in answer.err
        document = document_of(shop(*arguments, "--dry-run", "--json"), "change")
        assert document["change"]["receipt"].endswith("0 lost, 0 added")

    assert shop.digest() == before


def test_a_pinned_lesson_stands_first(shop: Shell) -> None:
    shop("pin", ref_of(shop, "importer"))

    assert memory(shop).startswith("- The importer holds one row in memory\n- Ask for the failing")


def test_two_lessons_become_one(shop: Shell) -> None:
    answer = shop("merge", ref_of(shop, "importer"), "--into", ref_of(shop, "Retries"))

    assert answer.code == 0, answer.err
    assert "  - also (2026-02-01): The importer holds one row in memory\n" in memory(shop)


@pytest.mark.parametrize("level", ["convention", "learning"])
def test_a_lesson_becomes_a_candidate_of_the_project(shop: Shell, level: str) -> None:
    answer = shop("promote", ref_of(shop, "Retries"), "--to", level)

    assert answer.code == 0, answer.err
    assert memory(shop) == MEMORY
    titles = [item["title"] for item in shop("queue", "--json").document["items"]]
    assert "Retries need a cap" in titles


def test_archiving_needs_entries_or_a_day_and_not_both(shop: Shell) -> None:
    for arguments in (
        ["archive"],
        ["archive", "conv-001", "--before", "2026-02-01"],
        ["archive", "--persona", "Rosa"],
        ["archive", "--before", "2026-02-01"],
    ):
        answer = shop(*arguments)
        assert answer.code == 2
        assert "give either entries, or `--before` and `--persona`" in answer.err


def test_old_sections_lie_in_the_archive_afterwards(shop: Shell) -> None:
    shop("archive", "--before", "2026-02-01", "--persona", "rosa")

    archive = (shop.home / MAIN).with_name("archive.md")
    assert archive.read_text() == "## 2026-01-15\n- Retries need a cap\n"
    assert "2026-01-15" not in memory(shop)


def test_an_archived_lesson_is_found_and_restored_by_the_ref_that_it_had(shop: Shell) -> None:
    old = ref_of(shop, "Retries")
    shop("archive", old)
    new = ref_of(shop, "Retries")
    assert new != old

    shown, why = shop("show", old), shop("why", old)
    restored = shop("restore", old)

    assert "Retries need a cap" in shown.out
    assert f"note: `{old}` is now `{new}`" in shown.err
    assert f"`remem restore '{new}'` puts it in force" in why.out
    assert restored.code == 0, restored.err
    assert "- Retries need a cap\n" in memory(shop)
    shop("undo")
    shop("undo")
    assert memory(shop) == MEMORY


def test_a_lesson_is_edited_and_archived_by_a_ref_that_it_had_before(shop: Shell) -> None:
    old = ref_of(shop, "Retries")
    shop("edit", old, "text=Retries need a cap and a log line")
    between = ref_of(shop, "Retries")

    edited = shop("edit", old, "text=Retries need a cap, a log line and a test")
    now = ref_of(shop, "Retries")
    archived = shop("archive", old)

    assert f"note: `{old}` is now `{between}`" in edited.err
    assert f"note: `{old}` is now `{now}`" in archived.err
    assert archived.code == 0, archived.err
    assert "Retries" not in memory(shop)
    for _ in range(3):
        shop("undo")
    assert memory(shop) == MEMORY


SQUAD = {
    ".squad/team.md": (
        "# Team\n\n## Members\n\n| Name | Role | Charter | Status |\n|--|--|--|--|\n"
        "| Hill | Core | `.squad/agents/hill/charter.md` | Active |\n"
        "| Fury | Ops | `.squad/agents/fury/charter.md` | Active |\n"
    ),
    ".squad/decisions.md": (
        "# Decisions\n\n### 2026-01-05: Ports first\n\n**By:** Hill\n**What:** Ports go first.\n\n"
        "### 2026-03-05: Bells ring\n\n**By:** Fury\n**What:** Bells ring at noon.\n"
    ),
    **{
        f".squad/agents/{name}/{file}": text
        for name in ("hill", "fury")
        for file, text in {
            "charter.md": f"# {name.title()} — Core\n",
            "history.md": (
                f"# {name.title()}\n\n## Learnings\n\n### 2026-01-05\n\n- Old of {name}\n\n"
                f"### 2026-03-05\n\n- New of {name}\n"
            ),
        }.items()
    },
}


def test_old_sections_of_several_personas_go_as_one_change_and_come_back(shop: Shell) -> None:
    write(shop.root, SQUAD)
    before = shop.digest()
    day = ("archive", "--before", "2026-02-01", "--persona", "hill", "--persona", "fury")

    told = shop(*day, "--dry-run")
    assert (told.code, shop.digest()) == (0, before), told.err
    assert "- Old of hill" in told.out
    assert "over budget" not in told.out
    answer = shop(*day)

    assert answer.code == 0, answer.err
    for name in ("hill", "fury"):
        home = f".squad/agents/{name}"
        assert f"- Old of {name}" in shop.bytes_of(f"{home}/history-archive.md").decode()
        assert f"- Old of {name}" not in shop.bytes_of(f"{home}/history.md").decode()
        assert f"- New of {name}" in shop.bytes_of(f"{home}/history.md").decode()
    assert shop("undo").code == 0
    assert {name: shop.bytes_of(name).decode() for name in SQUAD} == SQUAD


def test_old_decisions_of_the_team_go_in_one_command(shop: Shell) -> None:
    write(shop.root, SQUAD)

    answer = shop("archive", "--team", "--before", "2026-02-01")

    assert answer.code == 0, answer.err
    assert "Ports first" in shop.bytes_of(".squad/decisions-archive.md").decode()
    assert "Ports first" not in shop.bytes_of(".squad/decisions.md").decode()
    again = shop("archive", "--team", "--before", "2026-02-01")
    assert "nothing here is dated before 2026-02-01" in again.err


def test_an_old_decision_takes_the_headings_of_its_own_text_along(shop: Shell) -> None:
    old = (
        "### 2026-01-05: Ports first\n\n**By:** Hill\n\n## Decision\n\nPorts go first.\n\n"
        "## Rationale\n\nThe bay is deep.\n"
    )
    stays = (
        "# Squad Decisions\n\n## Active Decisions\n\n",
        "\n## Governance\n\n- Decide together\n",
        "\n# Decision: Name the pier\n\n## Rationale\n\nSo that all find it.\n",
    )
    write(shop.root, SQUAD)
    write(shop.root, {".squad/decisions.md": f"{stays[0]}{old}{''.join(stays[1:])}"})

    answer = shop("archive", "--team", "--before", "2026-02-01")

    assert answer.code == 0, answer.err
    assert shop.bytes_of(".squad/decisions-archive.md").decode() == old
    left = shop.bytes_of(".squad/decisions.md").decode()
    assert [each for each in stays if each.strip() in left] == [*stays]
    assert "The bay is deep" not in left
    assert shop("undo").code == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--before", "yesterday", "--persona", "Rosa"), "`yesterday` is not a date"),
        (("--before", "2026-02-01", "--persona", "Nobody"), "no persona is called `Nobody`"),
        (("--before", "2020-01-01", "--persona", "Rosa"), "nothing here is dated before"),
        (("--before", "2026-02-01", "--team"), "no team here keeps decisions"),
    ],
)
def test_what_cannot_be_archived_by_its_date_says_why_and_writes_nothing(
    shop: Shell, arguments: tuple[str, ...], said: str
) -> None:
    before = shop.digest()

    answer = shop("archive", *arguments)

    assert said in answer.err
    assert shop.digest() == before


def test_a_profile_is_set_by_fields_and_shown(shop: Shell, tmp_path: Path) -> None:
    set_ = shop("persona", "edit", "Rosa", "role=Reviewer", "soul.whoIAm=Asks why")
    shown = shop("persona", "show", "Rosa")
    document = document_of(shop("persona", "show", "Rosa", "--json"), "persona-show")

    assert set_.code == 0, set_.err
    assert "# Rosa — Reviewer" in shown.out
    assert "Asks why" in shown.out
    assert document["profile"]["writable"] is True
    file = tmp_path / "profile.yaml"
    file.write_text((shop.home / PROFILE).read_text() + "# by hand\n")
    assert shop("persona", "edit", "Rosa", "--file", str(file)).code == 0
    assert (shop.home / PROFILE).read_bytes() == file.read_bytes()


def test_fields_and_a_file_exclude_each_other(shop: Shell) -> None:
    assert shop("persona", "edit", "Rosa").code == 2
    assert shop("persona", "edit", "Rosa", "role=x", "--file", "-").code == 2


def test_a_lesson_of_nobody_goes_to_a_plain_file_below_a_heading(shop: Shell) -> None:
    write(shop.root, {"CLAUDE.md": "# Shop\n\n- use tabs\n\n## Tests\n\n- run them\n"})

    added = shop("add", "lesson", "Never push", "--file", "CLAUDE.md", "--section", "Shop")

    assert added.code == 0
    assert (shop.root / "CLAUDE.md").read_text().startswith("# Shop\n\n- use tabs\n- Never push\n")
    assert shop("undo").code == 0
    assert "Never push" not in (shop.root / "CLAUDE.md").read_text()


@pytest.mark.parametrize("sign", ["", "#"])
def test_the_ids_that_show_lists_name_a_lesson_at_every_door(shop: Shell, sign: str) -> None:
    (line,) = [
        each
        for each in shop("persona", "show", "Rosa").out.splitlines()
        if each.endswith(" Retries need a cap")
    ]
    name = sign + line.split()[1].removeprefix("#")

    assert "Retries need a cap" in shop("show", name).out
    assert shop("why", name, "--persona", "Rosa").out.startswith("It is in the composed prompt")
    assert shop("history", name).code == 0
    assert shop("archive", name).code == 0
    assert "no entry" in shop("show", name[:-1]).err
    assert "- Retries need a cap" not in shop("compose", "--persona", "Rosa").out


def test_a_persona_shows_how_each_of_its_files_is_loaded(shop: Shell) -> None:
    write(shop.root, SQUAD)
    write(shop.root, {".ai-team/agents/hill/history.md": "# Hill\n\n- Ropes are dry\n"})
    write(shop.root, {".squad/agents/hill/history-archive.md": "- Sails are white\n"})

    shown = shop("persona", "show", "hill").out.splitlines()

    how = {
        line.partition(" · ")[0]: line.rpartition(" · ")[2] for line in shown if "/hill/" in line
    }
    assert how == {
        ".squad/agents/hill/history.md": "loaded: whole",
        ".squad/agents/hill/history-archive.md": "archive, never loaded",
        ".squad/agents/hill/charter.md": "loaded: whole",
        ".ai-team/agents/hill/history.md": "not loaded at startup",
    }


def test_an_approved_proposal_that_no_agent_loads_says_so(empty: Shell) -> None:
    write(empty.root, SQUAD)
    fields = '{title: "Node 22", decision: "Docs build on Node 22"}'
    proposal = f"kind: decision\nby: copilot\nfields: {fields}\n"
    write(empty.root, {".remem/proposals/2026-05-04-node-22.yaml": proposal})
    (item,) = document_of(empty("queue", "--json"), "queue")["items"]

    planned = empty("approve", item["id"], "--dry-run")
    done = empty("approve", item["id"])

    for told in (planned, done):
        assert told.code == 0, told.err
        assert "new file: `.sniper/memory/decisions.yaml`" in told.err
        assert "no agent here loads it" in told.err
