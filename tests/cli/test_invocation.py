import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import Answer, Shell, document_of, write

from remem.cli.main import run
from remem.demo.build import build_branch, build_demo, home_of


def test_options_stand_before_or_after_the_command(shop: Shell) -> None:
    before = shop("--json", "list")
    after = shop("list", "--json")

    assert before.raw == after.raw


def test_an_option_behind_the_command_counts_where_none_stands_before_it(
    shop: Shell, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(shop.root)
    monkeypatch.setenv("REMEM_HOME", str(shop.home))

    assert run(["compose", "--role", "backend-engineer", "--quiet"]) == 0

    assert capsys.readouterr().err == ""


def test_the_option_beside_the_command_wins(shop: Shell, tmp_path: Path) -> None:
    other = tmp_path / "other"
    write(other, {".squad/team.md": "# Team\n"})

    report = document_of(shop("status", "--root", str(other), "--json"), "status")

    assert report["root"] == str(other)


def test_without_a_root_the_project_around_the_current_folder_is_taken(
    shop: Shell, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    below = shop.root / "src" / "api"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)

    assert run(["--home", str(shop.home), "status"]) == 0

    assert capsys.readouterr().out.splitlines()[0] == str(shop.root)


def test_the_home_folder_may_come_from_the_environment(shop: Shell) -> None:
    answer = _process(shop, "status", "--json", REMEM_HOME=str(shop.home))

    report = document_of(answer, "status")
    assert report["home"] == str(shop.home)
    assert "Rosa" in {agent["name"] for agent in report["agents"]}


def test_everything_lies_below_another_home(shop: Shell) -> None:
    answer = shop("approve", "conv-002")

    assert answer.code == 0
    assert (shop.home / ".local/state/remem/journal.db").is_file()


def test_a_folder_in_the_place_of_a_command_opens_it(shop: Shell) -> None:
    answer = shop.process(str(shop.root))

    assert answer.code == 2
    assert f"the TUI of `{shop.root}` needs a terminal" in answer.err
    assert "`remem status`" in answer.err


def test_no_command_opens_the_root(shop: Shell) -> None:
    assert f"the TUI of `{shop.root}` needs a terminal" in shop.process().err


def test_a_commands_name_wins_over_a_folder(shop: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    (shop.root / "list").mkdir()
    monkeypatch.chdir(shop.root)

    assert "conv-001" in shop("list").out
    assert str(shop.root / "list") in shop("./list").err


def test_a_folder_without_a_slash_opens_too(shop: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    (shop.root / "docs").mkdir()
    monkeypatch.chdir(shop.root)

    assert str(shop.root / "docs") in shop("docs").err


def test_a_missing_folder_is_said_before_the_terminal(shop: Shell) -> None:
    answer = shop(str(shop.root / "gone"))

    assert answer.code == 2
    assert "no folder" in answer.err


def test_the_demo_is_built_beside_a_pipe_and_not_opened(tmp_path: Path) -> None:
    shell = Shell(tmp_path, tmp_path / "nobody")

    text = shell("demo", "--at", str(tmp_path / "demo"))
    document = document_of(shell("demo", "--at", str(tmp_path / "demo"), "--json"), "demo")

    assert text.out == f"{tmp_path / 'demo' / 'project'}\n"
    assert f"--home {tmp_path / 'demo' / 'home'}" in text.err
    assert document == {
        "project": str(tmp_path / "demo" / "project"),
        "home": str(tmp_path / "demo" / "home"),
    }


def test_the_line_that_the_demo_prints_leads_a_shell_to_it(tmp_path: Path) -> None:
    shell = Shell(tmp_path, tmp_path / "nobody")
    done = shell("demo", "--at", str(tmp_path / "the demo"))
    line = done.err.split("run commands on it after `")[1].split("`")[0]
    told = subprocess.run(
        ["sh", "-ec", f'{line} && pwd && echo "$REMEM_HOME"'],
        capture_output=True,
        text=True,
        check=True,
    )

    project, home = told.stdout.splitlines()
    assert (Path(project), Path(home)) == (
        tmp_path / "the demo" / "project",
        tmp_path / "the demo" / "home",
    )


def test_the_demo_overwrites_nothing(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")

    answer = Shell(tmp_path, tmp_path)("demo", "--at", str(tmp_path))

    assert answer.code == 2
    assert (tmp_path / "mine.txt").read_text() == "mine"


def _process(shop: Shell, *arguments: str, **env: str) -> Answer:
    """Run a command that is told its home by the environment alone."""
    done = subprocess.run(
        [sys.executable, "-m", "remem", "--root", str(shop.root), *arguments],
        capture_output=True,
        check=False,
        env={**os.environ, **env},
    )
    return Answer(done.returncode, done.stdout, done.stderr.decode())


def test_the_demo_has_a_branch_that_breaks_three_rules(tmp_path: Path) -> None:
    project = build_demo(tmp_path / "demo")
    shell = Shell(build_branch(tmp_path / "demo"), home_of(project))

    answer = shell("check", "--diff", "main...HEAD")

    warned = [line for line in answer.out.splitlines() if line.startswith("WARN")]
    assert answer.code == 1
    assert [line[5:].partition(":")[0] for line in warned] == ["conv-001", "ap-001", "ap-002"]
    told = shell("diff", "main...HEAD").out
    assert "1 entry added in 1 file" in told
    assert "Bastien" not in told


def test_the_demo_opens_one_repository(tmp_path: Path) -> None:
    answer = Shell(tmp_path, tmp_path)("demo", "--team", "--branch", "--at", str(tmp_path / "demo"))

    assert answer.code == 2
    assert "give one" in answer.err
    assert not (tmp_path / "demo").exists()
