"""The commands on a workspace, and acceptance criteria 1, 4 and 5 of project memory."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from tests.cli.conftest import Shell, document_of, write
from tests.sniper_files import CONVENTIONS
from tests.workspace_files import conventions, workspace

SPACES = "Indent every source file of the service with four spaces"
NO_SPACES = "Do not indent every source file of the service with four spaces"


@pytest.fixture
def acme(tmp_path: Path) -> Shell:
    """A workspace of two repositories, of which `web` overrides what it inherits."""
    logs = {"rule": "Services log JSON", "applies_to": ["backend-engineer"]}
    own = {"rule": "Pages log text", "overrides": "conv-001"}
    root = workspace(
        tmp_path / "work",
        [logs, SPACES],
        {"api": ["Consumers are idempotent", NO_SPACES], "web": [own]},
    )
    listed = "name: acme\nrepositories:\n  - {name: api-service, path: repositories/api}\n"
    write(root, {"workspace.yaml": listed})
    (tmp_path / "home").mkdir()
    return Shell(root, tmp_path / "home")


def inside(acme: Shell, name: str) -> Shell:
    return Shell(acme.root / "repositories" / name, acme.home)


def test_show_tells_the_repositories_and_what_they_override(acme: Shell) -> None:
    document = document_of(acme("workspace", "show", "--json"), "workspace-show")

    (found,) = document["workspaces"]
    assert (found["name"], found["shape"], found["conventions"]) == ("acme", "folder", 2)
    rows = {each["name"]: (each["title"], each["entries"]) for each in found["repositories"]}
    assert rows == {"api": ("api-service", 2), "web": ("", 1)}
    assert document["overridden"] == [
        {
            "ref": "workspace:conv-001",
            "by": "sniper@web:conv-001",
            "repository": "web",
            "said": True,
        },
    ]


def test_show_inside_a_repository_reads_no_other_one(acme: Shell) -> None:
    document = document_of(inside(acme, "web")("workspace", "show", "--json"), "workspace-show")

    rows = document["workspaces"][0]["repositories"]
    assert {each["name"]: (each["here"], each["entries"]) for each in rows} == {
        "api": (False, None),
        "web": (True, 1),
    }


def test_show_without_a_workspace_says_what_one_is(shop: Shell) -> None:
    answer = shop("workspace", "show")

    assert answer.code == 0
    assert "`workspace.yaml`" in answer.err


@pytest.mark.parametrize("name", ["api", "api-service"])
def test_repo_picks_a_repository_of_the_workspace(acme: Shell, name: str) -> None:
    answer = acme("compose", "--repo", name, "--role", "backend-engineer")

    assert answer.out == inside(acme, "api")("compose", "--role", "backend-engineer").out
    assert "Consumers are idempotent" in answer.out


def test_repo_picks_a_sibling_from_inside_a_repository(acme: Shell) -> None:
    assert "Pages log text" in inside(acme, "api")("compose", "--repo", "web").out


def test_a_repository_that_is_not_there_is_named_with_those_that_are(acme: Shell) -> None:
    answer = acme("compose", "--repo", "shop")

    assert answer.code == 2
    assert "no repository is called `shop`" in answer.err
    assert "`api`, `web`" in answer.err


def test_repo_without_a_workspace_says_that_it_needs_one(shop: Shell) -> None:
    answer = shop("list", "--repo", "api")

    assert answer.code == 2
    assert "needs a workspace" in answer.err


def test_composing_for_no_repository_says_what_it_is(acme: Shell) -> None:
    answer = acme("compose")

    assert "Consumers are idempotent" not in answer.out
    assert "`--repo NAME` composes for one of `api`, `web`" in answer.err


def test_override_writes_which_entry_stands_in_for_which(acme: Shell) -> None:
    api = inside(acme, "api")

    answer = api("workspace", "override", "sniper:conv-002", "workspace:conv-002")

    assert answer.code == 0, answer.err
    assert 'overrides: "workspace:conv-002"' in api.bytes_of(CONVENTIONS).decode()
    got = api("why", "sniper:conv-002", "--role", "backend-engineer")
    assert got.out.startswith("It is in the prompt of `backend-engineer`")
    assert "`sniper:conv-002` of this repository overrides it" in api(
        "why", "workspace:conv-002"
    ).out.replace("\n", " ")


def test_a_bare_id_that_is_overridden_is_the_workspaces(acme: Shell) -> None:
    api = inside(acme, "api")

    refused = api("workspace", "override", "conv-002", "conv-077")
    answer = api("workspace", "override", "conv-002", "conv-002")

    assert refused.code == 2
    assert answer.code == 0, answer.err
    assert 'overrides: "workspace:conv-002"' in api.bytes_of(CONVENTIONS).decode()


def test_what_is_approved_on_the_workspace_is_in_the_repositorys_history(acme: Shell) -> None:
    (item,) = document_of(acme("queue", "--json"), "queue")["items"]

    acme("approve", item["id"])
    history = document_of(inside(acme, "api")("history", "--json"), "history")
    acme("undo")

    assert history["changes"][0]["title"].endswith("in api")
    assert b"overrides" not in inside(acme, "api").bytes_of(CONVENTIONS)


def test_looking_at_a_workspace_writes_nothing(acme: Shell) -> None:
    before = acme.digest()

    for command in (("status",), ("list",), ("queue",), ("workspace", "show"), ("compose",)):
        assert acme(*command).code == 0

    assert acme.digest() == before


def test_criterion_1_a_spawn_prompt_has_every_convention_for_its_role(shop: Shell) -> None:
    shared = conventions(
        [
            {"rule": "Consumers are idempotent", "applies_to": ["backend-engineer", "architect"]},
            {"rule": "Buttons say what they do", "applies_to": ["frontend-engineer"]},
            {"rule": "Names are verbs", "applies_to": ["backend-engineer"]},
        ]
    )
    write(shop.root, {CONVENTIONS: shared})

    text = shop("compose", "--role", "backend-engineer").out

    assert "- **conv-001:** Consumers are idempotent" in text
    assert "- **conv-003:** Names are verbs" in text
    assert "Buttons" not in text


def test_criterion_4_the_gate_checks_enforced_conventions_and_reports_violations(
    shop: Shell,
) -> None:
    rules = (
        "conventions:\n"
        "  - id: conv-001\n"
        "    rule: Prints are for scripts\n"
        "    enforcement: review_gate\n"
        "    detect: {forbid: 'print\\('}\n"
        "  - id: conv-002\n"
        "    rule: Told at the start alone\n"
        "    enforcement: spawn_prompt\n"
        "    detect: {forbid: 'print\\('}\n"
    )
    write(shop.root, {CONVENTIONS: rules})
    _git(shop.root, "init", "--quiet")
    write(shop.root, {"src/app.py": "print('hello')\n"})

    answer = shop("check")

    assert answer.code == 1
    assert "WARN conv-001: Prints are for scripts — 1 match (src/app.py:1)" in answer.out
    assert "conv-002" not in answer.out


def test_criterion_5_agents_in_a_repository_receive_both_levels(acme: Shell) -> None:
    text = inside(acme, "api")("compose", "--role", "backend-engineer").out

    assert "- **conv-001 [WORKSPACE]:** Services log JSON" in text
    assert "- **conv-001:** Consumers are idempotent" in text


def test_the_gate_in_a_repository_checks_the_workspaces_rules(acme: Shell) -> None:
    shared = 'conventions:\n  - {id: conv-001, rule: No tabs, detect: {forbid: "\\t"}}\n'
    write(acme.root, {"memory/conventions.yaml": shared})
    write(acme.root / "repositories" / "api", {"a.py": "if x:\n\tpass\n"})

    answer = inside(acme, "api")("check", "--files", "a.py")

    assert answer.code == 1
    assert "WARN conv-001 [WORKSPACE]: No tabs — 1 match (a.py:2)" in answer.out


def _git(root: Path, *arguments: str) -> None:
    subprocess.run(["git", "-C", str(root), *arguments], check=True, capture_output=True)


def test_every_repository_is_checked_at_the_root_of_its_workspace(acme: Shell) -> None:
    rules = "anti_patterns:\n  - {id: ap-001, description: No eval, detect: {forbid: 'eval'}}\n"
    for name in ("api", "web"):
        place = f"repositories/{name}"
        write(acme.root, {f"{place}/.sniper/memory/anti-patterns.yaml": rules})
        subprocess.run(["git", "init", "-q", str(acme.root / place)], check=True)
    write(acme.root, {"repositories/web/a.py": "eval(x)\n"})

    answer = acme("check")
    document = document_of(acme("check", "--json"), "check")
    sarif = json.loads(acme("check", "--format", "sarif").out)

    assert answer.code == 1
    assert "2 repositories, 1 broken rule" in answer.out
    (broken,) = [each for each in document["checks"] if each["violations"]]
    assert broken["repository"] == "web"
    assert [v["path"] for v in broken["violations"]] == ["repositories/web/a.py"]
    runs = {run["automationDetails"]["id"]: len(run["results"]) for run in sarif["runs"]}
    assert runs == {"remem/api": 0, "remem/web": 1}


def test_documents_of_export_and_import_have_a_part_for_each_repository(
    acme: Shell, tmp_path: Path
) -> None:
    packs = tmp_path / "packs"
    packs.mkdir()

    printed = document_of(acme("export", "--json"), "export")
    written = document_of(acme("export", "--json", "-o", str(packs)), "export")
    taken = document_of(acme("import", "--json", str(packs / "api.yaml")), "import")

    names = [each["repository"] for each in printed["repositories"]]
    assert len(names) > 1
    assert printed["repository"] is None
    assert not printed["written"]
    api = printed["repositories"][names.index("api")]
    assert api["text"] == (packs / "api.yaml").read_text()
    assert [each["repository"] for each in written["repositories"]] == names
    assert written["written"]
    assert [each["repository"] for each in taken["repositories"]] == names
    outcomes = {each["repository"]: each["entries"] for each in taken["repositories"]}
    assert all(each["outcome"] != "added" for each in outcomes["api"])
    assert any(each["outcome"] == "added" for name in names for each in outcomes[name])
    assert taken["written"]
    assert not taken["id"]


def test_every_repository_is_exported_and_takes_a_pack_in(acme: Shell, tmp_path: Path) -> None:
    packs = tmp_path / "packs"
    packs.mkdir()

    asked = acme("export")
    written = acme("export", "-o", str(packs))
    taken = acme("import", str(packs / "api.yaml"))

    assert (asked.code, written.code, taken.code) == (2, 0, 0)
    assert sorted(each.name for each in packs.iterdir()) == ["api.yaml", "web.yaml"]
    assert "Pages log text" in (packs / "web.yaml").read_text()
    stores = {
        name: (acme.root / "repositories" / name / CONVENTIONS).read_text()
        for name in ("api", "web")
    }
    assert stores["web"].count("Consumers are idempotent") == 1
    assert stores["api"].count("Consumers are idempotent") == 1


@pytest.mark.parametrize("settled", ["", "override", "keep-both"])
def test_a_prompt_of_two_levels_that_may_conflict_warns_until_somebody_settles_it(
    acme: Shell, settled: str
) -> None:
    api = inside(acme, "api")
    if settled == "override":
        api("workspace", "override", "conv-002", "workspace:conv-002")
    elif settled:
        done = api("keep-both", "conv-002", "--reason", "generated files differ")
        assert done.code == 0, done.err

    answer = api("compose", "--role", "backend-engineer")

    assert answer.code == 0, answer.err
    warning = "`sniper:conv-002` may conflict with `workspace:conv-002`, and this prompt has both"
    assert (warning in answer.err) == (not settled)
    assert ("workspace override sniper:conv-002 workspace:conv-002" in answer.err) != bool(settled)
    assert answer.out.count("four spaces") == (1 if settled == "override" else 2)


def test_packs_of_a_workspace_want_a_folder_that_is_there(acme: Shell) -> None:
    missing = acme("export", "-o", str(acme.root / "packs"))
    bare = acme("export")
    (acme.root / "packs").mkdir()
    done = acme("export", "-o", str(acme.root / "packs"))

    assert (missing.code, bare.code, done.code) == (2, 2, 0), done.err
    assert "is no folder" in missing.err
    assert "several packs need a folder to go to" in bare.err
    assert "`--repo`: `api`, `web`" in missing.err
    assert sorted(path.name for path in (acme.root / "packs").iterdir()) == ["api.yaml", "web.yaml"]


def test_where_no_role_is_named_sharing_still_says_whose_prompt_changes(tmp_path: Path) -> None:
    root = workspace(tmp_path / "work", [], {"api": ["Consumers are idempotent"], "web": ["Two"]})
    (tmp_path / "home").mkdir()
    told = Shell(root, tmp_path / "home")(
        "workspace", "promote", "conv-001", "--repo", "api", "--dry-run"
    )

    rows = [line.split("\t")[0] for line in told.out.splitlines() if line.startswith("everyone")]
    assert rows == ["everyone · api", "everyone · web"]


def test_a_repository_that_is_not_here_is_told_wherever_all_of_them_are_asked_for(
    acme: Shell,
) -> None:
    name = "workspace.yaml"
    text = (acme.root / name).read_text() + "  - {name: gone, path: repositories/moved}\n"
    write(acme.root, {name: text})
    for each in ("api", "web"):
        subprocess.run(["git", "init", "-q", str(acme.root / "repositories" / each)], check=True)

    answer = acme("check")
    document = document_of(acme("check", "--json"), "check")
    sarif = json.loads(acme("check", "--format", "sarif").out)

    assert answer.code == 0  # a part of a workspace may be all that was cloned
    assert "not read: workspace.yaml — `gone` is not open: there is no" in answer.out
    assert [each["path"] for each in document["unread"]] == [name]
    for run in sarif["runs"]:
        assert "`gone` is not open" in str(run["invocations"])
    assert "not read: workspace.yaml  `gone` is not open" in acme("list").err
    for called in ("gone", "moved"):
        refused = acme("list", "--repo", called)
        assert refused.code == 2
        assert f"the repository `{called}` is not open: there is no" in refused.err
    assert "no repository is called `other`" in acme("list", "--repo", "other").err


def test_a_repository_without_git_is_named_and_the_others_are_checked(acme: Shell) -> None:
    rules = "anti_patterns:\n  - {id: ap-001, description: No eval, detect: {forbid: 'eval'}}\n"
    web = acme.root / "repositories" / "web"
    write(web, {".sniper/memory/anti-patterns.yaml": rules, "b.py": "x = 1\n"})
    _git(web, "init", "-q")

    passed = acme("check")
    sarif = json.loads(acme("check", "--format", "sarif").out)
    write(web, {"a.py": "eval(x)\n"})
    broken = acme("check")
    document = document_of(acme("check", "--json"), "check")
    named = acme("check", "--files", "b.py")

    assert (passed.code, broken.code, named.code) == (2, 1, 0)
    assert "`api` was not checked: this is not a git repository; name the files" in passed.err
    assert "not read: api — this is not a git repository" in broken.out
    assert "WARN ap-001: No eval — 1 match (a.py:1)" in broken.out
    assert [each["path"] for each in document["unread"]] == ["api"]
    assert not sarif["runs"][0]["invocations"][0]["executionSuccessful"]
    assert "`api`: this is not a git repository" in acme("check", "--diff", "main...HEAD").err


@pytest.mark.parametrize("broken", ["x: [\n", "  - 5\n"])
def test_the_gate_is_not_passed_where_it_is_unknown_which_repositories_there_are(
    acme: Shell, broken: str
) -> None:
    write(acme.root, {"workspace.yaml": (acme.root / "workspace.yaml").read_text() + broken})
    for each in ("api", "web"):
        subprocess.run(["git", "init", "-q", str(acme.root / "repositories" / each)], check=True)

    answer = acme("check")
    sarif = json.loads(acme("check", "--format", "sarif").out)

    assert answer.code == 2
    assert "not read: workspace.yaml" in answer.out
    assert "what describes the workspace could not be read whole" in answer.err
    assert not any(run["invocations"][0]["executionSuccessful"] for run in sarif["runs"])
    assert "not read: workspace.yaml" in acme("list").err


def test_a_fault_of_what_repositories_share_is_told_once(acme: Shell) -> None:
    write(acme.root, {"memory/conventions.yaml": conventions(["Log in \u202e JSON"])})

    found = document_of(acme("check", "--memory", "--json"), "check")["memory"]
    told = acme("check", "--memory").out

    places = [(each["path"], each["line"], each["code"]) for each in found]
    assert ("memory/conventions.yaml", 2, "hidden-characters") in places
    assert any(path.startswith("repositories/web/") for path, _, _ in places)
    assert len(places) == len(set(places))
    assert told.count("hidden character") == 1
