"""`.learnings/`: each section with an id is one entry, with the fields and statuses of its form."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import Shell, write

LOG = ".learnings/LEARNINGS.md"
FIRST = """\
## [LRN-20260402-001] correction

**Logged**: 2026-04-02T00:00:00+08:00
**Priority**: high
**Status**: pending
**Area**: docs

### Summary
Ports are opened by the caller,
never by the pool

### Details
The pool once opened them.

```markdown
## [LRN-20250115-001] an example in a fence
**Status**: promoted
```

### Metadata
- Source: user_feedback
- Tags: ports

---
"""
SECOND = """\
## [LRN-20260403-002] best_practice

**Logged**: 2026-04-03
**Status**: resolved

### Summary
Tests name the harbour

### Resolution
- **Resolved**: 2026-04-04T09:00:00Z

---
"""
PAGE = f"# Learnings\n\n**Categories**: correction | insight\n\n{FIRST}\n{SECOND}"


@pytest.fixture(params=["\n", "\r\n"])
def log(request: pytest.FixtureRequest, shop: Shell) -> Shell:
    """A project whose log has one open entry and one that is settled, in either line end."""
    path = shop.root / LOG
    path.parent.mkdir()
    path.write_bytes(PAGE.replace("\n", request.param).encode())
    return shop


def lessons(shell: Shell) -> dict[str, dict[str, str]]:
    found = json.loads(shell("list", "--json").out)["entries"]
    return {e["title"]: e for e in found if e["ref"].startswith("plain:.learnings/")}


def open_ref(shell: Shell) -> str:
    return next(e["ref"] for t, e in lessons(shell).items() if t.startswith("Ports"))


def text_of(shell: Shell) -> str:
    """The log with LF, after a look at whether its line ends are still of one kind."""
    data = shell.bytes_of(LOG)
    if b"\r\n" in data:
        assert data.count(b"\r\n") == data.count(b"\n")
    return data.replace(b"\r\n", b"\n").decode()


def test_a_section_is_one_entry_with_its_fields_and_what_stands_around_stays_in_sight(
    log: Shell,
) -> None:
    found = {" ".join(title.split()): each["status"] for title, each in lessons(log).items()}
    shown = json.loads(log("show", open_ref(log), "--json").out)

    assert found == {
        "**Categories**: correction | insight": "active",
        "Ports are opened by the caller, never by the pool": "candidate",
        "Tests name the harbour": "active",
    }
    assert shown["fields"]["id"] == "LRN-20260402-001"
    assert shown["fields"]["category"] == "correction"
    assert (shown["fields"]["priority"], shown["fields"]["area"]) == ("high", "docs")
    assert "The pool once opened them." in shown["fields"]["details"]
    assert (shown["fields"]["source"], shown["fields"]["tags"]) == ("user_feedback", "ports")
    assert "metadata" not in shown["fields"], "what it names are fields of their own"


@pytest.mark.parametrize("section", ["问题", "摘要", "Problem"])
def test_what_an_entry_says_is_found_in_other_languages_and_edited_there(
    shop: Shell, section: str
) -> None:
    text = PAGE.replace("### Summary\nPorts", f"### {section}\nPorts")
    write(shop.root, {LOG: text})
    shown = "Ports are opened by the caller,\nnever by the pool"

    assert shown in lessons(shop)

    shop("edit", lessons(shop)[shown]["ref"], "text=Ports are lent")
    assert (shop.root / LOG).read_text() == text.replace(shown, "Ports are lent")


def test_a_summary_says_it_before_the_problem_above_it(shop: Shell) -> None:
    write(
        shop.root, {LOG: PAGE.replace("### Summary\nP", "### Problem\nIt hung\n\n### Summary\nP")}
    )

    assert "Ports are opened by the caller,\nnever by the pool" in lessons(shop)


def test_approving_resolves_it_and_says_when_and_undo_gives_back_the_bytes(log: Shell) -> None:
    before, ref = log.bytes_of(LOG), open_ref(log)
    (item,) = (i for i in json.loads(log("queue", "--json").out)["items"] if i["ref"] == ref)

    answer = log("approve", item["id"])

    assert answer.code == 0, answer.err
    after = text_of(log)
    resolved = after.partition("### Resolution\n- **Resolved**: ")[2]
    assert resolved[19:21] == "Z\n"
    assert resolved[21:].startswith("- **Notes**: approved in review\n\n---\n\n## [LRN-")
    assert after.count("**Status**: pending") == 0
    assert after.count("**Status**: promoted") == 1, "the example in the fence is nobody's status"
    assert open_ref(log) == ref, "a ref is the id's, whatever its status"
    log("undo")
    assert log.bytes_of(LOG) == before


def test_what_an_approval_would_write_is_what_differs_and_not_what_stands_between(
    log: Shell,
) -> None:
    told = log("approve", open_ref(log), "--dry-run").out

    signed = [line.rstrip() for line in told.splitlines() if line[:1] in ("-", "+")][2:]
    assert signed[:2] == ["-**Status**: pending", "+**Status**: resolved"]
    assert "+### Resolution" in signed
    assert not any("Ports" in line or "Summary" in line for line in signed)


def test_rejecting_says_in_the_log_that_it_will_not_be_fixed_and_why(log: Shell) -> None:
    before = log.bytes_of(LOG)

    answer = log("reject", open_ref(log), "--reason", "the pool is gone")

    assert answer.code == 0, answer.err
    assert "**Status**: wont_fix\n**Area**: docs" in text_of(log)
    assert "- **Notes**: the pool is gone\n" in text_of(log)
    assert lessons(log)["Ports are opened by the caller,\nnever by the pool"]["status"] == "invalid"
    assert not (log.root / ".remem/rejected.yaml").exists(), "the log itself says it"
    log("undo")
    assert log.bytes_of(LOG) == before


@pytest.mark.parametrize("to", ["CLAUDE.md", "convention"])
def test_promoting_brings_the_summary_there_and_says_so_in_the_log(log: Shell, to: str) -> None:
    write(log.root, {"CLAUDE.md": "# Shop\n\n- Be kind\n"})

    answer = log("promote", open_ref(log), "--to", to)

    assert answer.code == 0, answer.err
    assert "**Status**: promoted\n**Promoted**: " in text_of(log)
    said = "Ports are opened by the caller, never by the pool"
    place = to if to == "CLAUDE.md" else ".sniper/memory/conventions.yaml"
    assert said in log.bytes_of(place).decode()
    assert text_of(log).count("never by the pool") == 1, "it stays where it was logged"


def test_editing_changes_its_field_and_no_other_byte(log: Shell) -> None:
    before, ref = text_of(log), open_ref(log)

    answer = log("edit", ref, "text=Callers open ports", "priority=low", "status=in_progress")
    refused = log("edit", ref, "details=nothing")

    assert answer.code == 0, answer.err
    expected = before.replace(
        "Ports are opened by the caller,\nnever by the pool", "Callers open ports"
    )
    expected = expected.replace("**Priority**: high", "**Priority**: low")
    expected = expected.replace("**Status**: pending", "**Status**: in_progress", 1)
    assert text_of(log) == expected
    assert refused.code == 2
    assert "`text`, `status`, `priority`, `area` can be set" in refused.err


def test_archived_it_is_still_one_entry(log: Shell) -> None:
    answer = log("archive", open_ref(log))

    assert answer.code == 0, answer.err
    assert SECOND in text_of(log)
    assert "LRN-20260402-001" not in text_of(log)
    archived = [e for e in lessons(log).values() if e["status"] == "archived"]
    assert [e["title"].splitlines()[0] for e in archived] == ["Ports are opened by the caller,"]


def test_removing_takes_its_section_with_its_rule(log: Shell) -> None:
    log("remove", open_ref(log))

    assert text_of(log) == PAGE.replace(f"{FIRST}\n", "")


def test_a_page_without_ids_is_read_by_its_lines(shop: Shell, tmp_path: Path) -> None:
    write(shop.root, {".learnings/notes.md": "# Notes\n\n- one\n- two\n"})

    assert [*lessons(shop)] == ["one", "two"]


def archived_ref(shell: Shell) -> str:
    return next(e["ref"] for e in lessons(shell).values() if e["status"] == "archived")


def settled_ref(shell: Shell) -> str:
    return next(e["ref"] for t, e in lessons(shell).items() if t.startswith("Tests name"))


def test_restored_it_stands_among_the_others_again_by_its_id(log: Shell) -> None:
    before = log.bytes_of(LOG)
    log("archive", open_ref(log))
    away = log.bytes_of(LOG)

    answer = log("restore", archived_ref(log))

    assert answer.code == 0, answer.err
    assert log.bytes_of(LOG) == before
    assert open_ref(log).startswith(f"plain:{LOG}#")
    log("undo")
    assert log.bytes_of(LOG) == away


def test_a_restored_entry_goes_to_the_log_of_its_kind(log: Shell) -> None:
    errors = ".learnings/ERRORS.md"
    write(
        log.root,
        {errors: f"# Errors\n\n{SECOND.replace('LRN-', 'ERR-').replace('Tests', 'Errors')}"},
    )
    log("archive", next(e["ref"] for e in lessons(log).values() if "ERRORS" in e["ref"]))

    answer = log("restore", archived_ref(log))

    assert answer.code == 0, answer.err
    assert "[ERR-20260403-002]" in log.bytes_of(errors).decode()
    assert "ERR-" not in text_of(log)


def test_merged_it_is_archived_and_named_by_the_one_that_stays(log: Shell) -> None:
    before = log.bytes_of(LOG)

    answer = log("merge", open_ref(log), "--into", settled_ref(log))

    assert answer.code == 0, answer.err
    said = (
        "Tests name the harbour\n\n### Metadata\n- See Also: LRN-20260402-001\n"
        "- Recurrence-Count: 2\n- First-Seen: 2026-04-02\n- Last-Seen: 2026-04-03\n\n### Resolution"
    )
    assert said in text_of(log)
    assert "[LRN-20260402-001]" not in text_of(log)
    assert archived_ref(log).startswith("plain:.learnings/archive.md#")
    log("undo")
    assert log.bytes_of(LOG) == before


def test_an_entry_with_metadata_names_what_was_merged_into_it_there(log: Shell) -> None:
    log("merge", settled_ref(log), "--into", open_ref(log))

    assert "- Tags: ports\n- See Also: LRN-20260403-002\n- Recurrence-Count: 2\n" in text_of(log)


def test_merging_adds_up_how_often_both_were_met(log: Shell) -> None:
    counted = "- Tags: ports\n- Recurrence-Count: 3\n- Last-Seen: 2026-04-09"
    write(log.root, {LOG: text_of(log).replace("- Tags: ports", counted)})

    answer = log("merge", settled_ref(log), "--into", open_ref(log))

    assert answer.code == 0, answer.err
    assert "- Recurrence-Count: 4\n- Last-Seen: 2026-04-09\n- See Also: LRN-" in text_of(log)


def test_a_lesson_of_another_file_is_not_merged_into_a_log(log: Shell) -> None:
    write(log.root, {"CLAUDE.md": "# Shop\n\n- Be kind\n"})
    other = next(
        e["ref"]
        for e in json.loads(log("list", "--json").out)["entries"]
        if e["ref"].startswith("plain:CLAUDE.md")
    )

    answer = log("merge", other, "--into", open_ref(log))

    assert answer.code == 2
    assert "is not an entry of a log" in answer.err


def test_a_line_of_a_plain_file_comes_back_from_its_archive(shop: Shell) -> None:
    write(shop.root, {"CLAUDE.md": "# Shop\n\n- Be kind\n- Run tests\n"})
    found = {
        e["title"]: e["ref"]
        for e in json.loads(shop("list", "--json").out)["entries"]
        if "CLAUDE" in e["ref"]
    }
    shop("archive", found["Run tests"])
    away = next(
        e["ref"]
        for e in json.loads(shop("list", "--status", "archived", "--json").out)["entries"]
        if e["title"] == "Run tests"
    )

    answer = shop("restore", away)

    assert answer.code == 0, answer.err
    assert shop.bytes_of("CLAUDE.md").decode() == "# Shop\n\n- Be kind\n- Run tests\n"


def waiting(shell: Shell) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = json.loads(shell("queue", "--json").out)["items"]
    return [item for item in items if item["ref"].startswith("plain:.learnings/")]


def test_an_item_tells_its_id_and_how_urgent_and_how_often(log: Shell) -> None:
    seen = "- Recurrence-Count: 4\n- First-Seen: 2026-03-20\n- Last-Seen: 2026-04-02"
    write(log.root, {LOG: text_of(log).replace("- Tags: ports", seen)})

    (item,) = waiting(log)

    assert item["why"] == "LRN-20260402-001 · high priority · docs · correction · seen 4 times"
    assert "first seen 2026-03-20 · last seen 2026-04-02" in item["evidence"]
    assert (
        "seen 4 times within 30 days: the skill that logs it promotes that if it was in at least "
        "2 tasks, which the log does not say"
    ) in item["evidence"]


@pytest.mark.parametrize(
    ("count", "last"), [("2", "2026-04-02"), ("4", "2026-09-02"), ("often", "2026-04-02")]
)
def test_what_does_not_recur_as_the_skill_asks_is_not_said_to(
    log: Shell, count: str, last: str
) -> None:
    seen = f"- Recurrence-Count: {count}\n- First-Seen: 2026-03-20\n- Last-Seen: {last}"
    write(log.root, {LOG: text_of(log).replace("- Tags: ports", seen)})

    (item,) = waiting(log)

    assert not any("promotes what recurs" in fact for fact in item["evidence"])


def test_an_item_names_what_it_is_linked_to_by_id_and_by_pattern_key(log: Shell) -> None:
    key = "- Pattern-Key: net.ports"
    linked = f"{key}\n- See Also: LRN-20260403-002, LRN-20260101-009"
    page = text_of(log).replace("- Tags: ports", linked)
    page = page.replace("### Resolution", f"### Metadata\n{key}\n\n### Resolution")
    write(log.root, {LOG: page})

    (item,) = waiting(log)

    told = "\n".join(item["evidence"])
    assert "same pattern key `net.ports` as `plain:.learnings/LEARNINGS.md#" in told
    assert "see also LRN-20260403-002, active (`plain:.learnings/LEARNINGS.md#" in told
    assert "see also LRN-20260101-009, which is in no log here" in told


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ("in_progress", "candidate"),
        ("In progress (Ana)", "candidate"),
        ("✅ Resolved", "active"),
        ("won't fix", "invalid"),
        ("`promoted` → CLAUDE.md", "superseded"),
        ("pending | resolved", "active"),
    ],
)
def test_what_is_under_way_settled_or_a_template_does_not_wait(
    log: Shell, said: str, status: str
) -> None:
    write(log.root, {LOG: text_of(log).replace("**Status**: pending", f"**Status**: {said}")})

    assert waiting(log) == []
    assert lessons(log)["Ports are opened by the caller,\nnever by the pool"]["status"] == status


def test_what_will_not_be_fixed_is_not_restored_but_can_wait_again(log: Shell) -> None:
    log("reject", open_ref(log), "--reason", "the pool is gone")

    refused = log("restore", open_ref(log))
    log("edit", open_ref(log), "status=pending")

    assert refused.code == 2
    assert f"`remem edit {open_ref(log)} status=pending` lets it wait again" in refused.err
    assert [item["ref"] for item in waiting(log)] == [open_ref(log)]


@pytest.mark.parametrize("named", ["CLAUDE.md", "`CLAUDE.md` (section Ports), 2026-05-01"])
@pytest.mark.parametrize("where", ["head", "resolution"])
def test_a_promoted_entry_names_the_line_that_says_it_now(
    log: Shell, named: str, where: str
) -> None:
    line = "- Ports are opened by the caller, never by the pool"
    write(log.root, {"CLAUDE.md": f"# Shop\n\n- Be kind\n{line}\n"})
    page = text_of(log).replace("**Status**: pending", "**Status**: promoted")
    if where == "head":
        page = page.replace("**Area**: docs", f"**Area**: docs\n**Promoted**: {named}")
    else:
        page = page.replace(
            "ports\n\n---", f"ports\n\n### Resolution\n- **Promoted**: {named}\n\n---"
        )
    write(log.root, {LOG: page})

    assert f"went to: CLAUDE.md:4 · {line.removeprefix('- ')}" in log("show", open_ref(log)).out


def test_a_line_that_names_the_id_is_where_an_entry_went(log: Shell) -> None:
    write(log.root, {"CLAUDE.md": "# Shop\n\n- Be kind\n- Lend no port (LRN-20260402-001)\n"})
    page = text_of(log).replace("**Area**: docs", "**Area**: docs\n**Promoted**: CLAUDE.md")
    write(log.root, {LOG: page})

    assert "went to: CLAUDE.md:4 · Lend no port" in log("show", open_ref(log)).out


def test_an_entry_that_became_a_skill_names_its_file(log: Shell) -> None:
    write(log.root, {"skills/ports/SKILL.md": "---\nname: ports\ndescription: Ports\n---\n"})
    page = text_of(log).replace("**Area**: docs", "**Area**: docs\n**Skill-Path**: skills/ports")
    write(log.root, {LOG: page})

    assert "went to: skills/ports/SKILL.md" in log("show", open_ref(log)).out


@pytest.mark.parametrize("is_there", [True, False])
def test_health_tells_of_a_promotion_to_a_file_that_is_not_here(
    log: Shell, *, is_there: bool
) -> None:
    page = text_of(log).replace("**Area**: docs", "**Area**: docs\n**Promoted**: TOOLS.md (ports)")
    write(log.root, {LOG: page} | ({"TOOLS.md": "# Tools\n"} if is_there else {}))

    told = "promoted to `TOOLS.md`, which is neither here nor in `~/.openclaw/workspace`"
    assert (told in log("status").out) is not is_there


def test_in_a_workspace_of_openclaw_its_files_are_looked_for_there_alone(log: Shell) -> None:
    page = text_of(log).replace("**Area**: docs", "**Area**: docs\n**Promoted**: TOOLS.md")
    write(log.root, {LOG: page, "SOUL.md": "# Soul\n", "AGENTS.md": "# Agents\n"})

    assert "promoted to `TOOLS.md`, which is not here" in log("status").out


def test_a_promotion_to_the_workspace_in_the_home_folder_is_found(log: Shell) -> None:
    page = text_of(log).replace("**Area**: docs", "**Area**: docs\n**Promoted**: SOUL.md")
    write(log.root, {LOG: page})
    write(log.home, {".openclaw/workspace/SOUL.md": "- Be kind\n"})

    assert "promoted to" not in log("status").out
    assert "went to: ~/.openclaw/workspace/SOUL.md" in log("show", open_ref(log)).out


SWEPT = """\
## [ERR-20260402-{0:03}] openclaw_session_sweep

**Status**: pending

### Summary
Session-end sweep detected {0} possible errors in the session.

### Error
```text
Error: port {0} is in use
```

---
"""


def test_incidents_that_differ_in_a_number_do_not_conflict_and_tell_what_happened(
    shop: Shell,
) -> None:
    write(shop.root, {".learnings/ERRORS.md": "".join(map(SWEPT.format, (3, 4)))})

    first, second = waiting(shop)

    assert "error: Error: port 3 is in use" in first["evidence"]
    assert not any("conflict" in fact for fact in (*first["evidence"], *second["evidence"]))
    assert "conflict" not in shop("show", second["id"]).out


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_line_comes_back_from_its_archive_as_far_from_the_edge_as_the_others(
    shop: Shell, newline: str
) -> None:
    page = "# Shop\n\n   - Be kind\n   - Never push\n   - Run tests\n     twice\n"
    before = page.replace("\n", newline).encode()
    (shop.root / "CLAUDE.md").write_bytes(before)
    found = json.loads(shop("list", "--json").out)["entries"]
    shop("archive", next(e["ref"] for e in found if e["title"].startswith("Run tests")))
    away = json.loads(shop("list", "--status", "archived", "--json").out)["entries"]

    answer = shop("restore", next(e["ref"] for e in away if e["title"].startswith("Run tests")))

    assert answer.code == 0, answer.err
    assert shop.bytes_of("CLAUDE.md") == before


def test_in_a_workspace_of_openclaw_an_entry_is_promoted_to_its_soul(log: Shell) -> None:
    write(log.root, {"AGENTS.md": "- Read SOUL.md\n", "SOUL.md": "# Soul\n\n- Be kind\n"})

    answer = log("promote", open_ref(log), "--to", "SOUL.md")

    assert answer.code == 0, answer.err
    assert b"- Ports are opened by the caller, never by the pool\n" in log.bytes_of("SOUL.md")
    assert "went to: SOUL.md:4 ·" in log("show", open_ref(log)).out


def test_what_an_entry_points_to_is_in_its_json_as_on_the_screen(log: Shell) -> None:
    path = log.root / LOG
    page = path.read_bytes()
    end = b"\r\n" if b"\r\n" in page else b"\n"
    told = b"- Source: user_feedback" + end
    path.write_bytes(page.replace(told, told + b"- See Also: LRN-20260403-002" + end))

    answer = log("show", open_ref(log), "--json")

    (link,) = json.loads(answer.out)["links"]
    assert link["name"] == "see also"
    assert link["told"].endswith("· Tests name the harbour")
