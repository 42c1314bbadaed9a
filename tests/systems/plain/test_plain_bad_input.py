"""Nothing that lies in a repository breaks the reading of plain files, or is changed by it."""

import os
import socket
from pathlib import Path

import pytest
from tests.plain_files import Repo

from remem.core.session import Session
from remem.core.settings import Places
from remem.core.setup import single_files, trees_of
from remem.store.io import Disk
from remem.systems.plain.instruction_folders import folders_below


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path)


def state(folder: Path) -> dict[str, tuple[int, bytes]]:
    return {
        str(path): (path.stat().st_mtime_ns, path.read_bytes())
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_looking_writes_nothing_and_asks_no_network(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.write({"CLAUDE.md": "- a\n@https://example.org/x.md\n", ".clinerules": "- b\n"})
    before = state(repo.root.parent)

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("somebody wants the network")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)

    bench = Session.open(repo.root, Places.of(repo.home), door="cli")

    assert [agent.name for agent in bench.agents()] == ["Claude Code", "Cline"]
    assert [bench.as_loaded(agent.ask).text for agent in bench.agents()]
    assert bench.queue() == ()
    assert state(repo.root.parent) == before


def test_folders_that_link_to_themselves_end(repo: Repo) -> None:
    repo.write({".claude/rules/a.md": "- a\n", "web/CLAUDE.md": "- b\n"})
    (repo.root / ".claude" / "rules" / "again").symlink_to(repo.root / ".claude" / "rules")
    (repo.root / "web" / "up").symlink_to(repo.root)
    (repo.root / "round").symlink_to("round")
    (repo.root / "CLAUDE.md").symlink_to("CLAUDE.md")

    assert repo.names() == ["web/CLAUDE.md", ".claude/rules/a.md"]


def test_no_link_leads_out_of_the_root(repo: Repo) -> None:
    outside = repo.root.parent / "elsewhere"
    outside.mkdir()
    (outside / "a.md").write_text("- not ours\n")
    (repo.root / ".claude").mkdir()
    (repo.root / ".claude" / "rules").symlink_to(outside)
    (repo.root / "AGENTS.md").symlink_to(outside / "a.md")

    assert repo.names() == []


def test_a_link_out_of_the_root_is_named_where_what_it_leads_to_is_not_read(repo: Repo) -> None:
    outside = repo.root.parent / "elsewhere"
    outside.mkdir()
    (outside / "a.md").write_text("- not ours\n")
    repo.write({".claude/rules/own.md": "- own\n", "GEMINI.md": "- g\n"})
    (repo.root / ".claude/rules/shared").symlink_to(outside)

    start, other = repo.start("Claude Code"), repo.start("Gemini CLI")

    said = "`.claude/rules/shared` points outside the project, where remem does not read"
    assert start.text == "- own"
    assert f"{said}; Claude Code may load what is there" in start.notes
    assert not any("leads out" in note for note in other.notes)
    found = [p for source in repo.library().sources for p in source.problems]
    assert [problem.message for problem in found] == [said]


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"\xff\xfe- a\n", id="no UTF-8"),
        pytest.param(b"- a\0\n", id="NUL"),
    ],
)
def test_a_file_that_is_no_text_is_shown_and_never_written(repo: Repo, data: bytes) -> None:
    repo.write({"CLAUDE.md": data, "AGENTS.md": "- a\n"})

    source = repo.source("CLAUDE.md")

    assert [problem.code for problem in source.problems] == ["not-text"]
    assert not source.is_writable
    assert "Claude Code" in repo.agents()


def test_an_empty_file_and_a_folder_in_a_files_place_load_nothing(repo: Repo) -> None:
    repo.write({"CLAUDE.md": "", "GEMINI.md/x.txt": "", ".cursorrules": "\n\n"})

    assert repo.start("Claude Code").text == ""
    assert repo.start("Cursor").text == ""
    assert "Gemini CLI" not in repo.agents()


def test_hundreds_of_notes_are_one_source_each_and_left_out_together(repo: Repo) -> None:
    repo.write({f"memory-bank/n{n:03}.md": f"- note {n}\n" for n in range(120)})
    repo.write({".clinerules": "- read them when you need them\n"})

    agent = repo.agents()["Cline"]

    assert [file.name for file in agent.files] == [".clinerules"]
    assert len(agent.left) == 120


@pytest.mark.slow
def test_ten_thousand_notes_cost_at_most_twice_as_much_each_as_a_thousand(tmp_path: Path) -> None:
    spent = {}
    for number in (1_000, 10_000):
        repo = Repo(tmp_path / str(number))
        repo.write({f"memory-bank/n{n}.md": f"# N\n\n- note {n}\n" for n in range(number)})
        begin = os.times()
        assert len(repo.library().of_format("plain")) == number
        end = os.times()
        spent[number] = end.user + end.system - begin.user - begin.system

    assert spent[10_000] < 20 * spent[1_000]


def test_where_not_all_folders_are_looked_through_the_upper_ones_are(repo: Repo) -> None:
    repo.write({"a/b/c/CLAUDE.md": "- deep\n", "z/CLAUDE.md": "- flat\n"})

    part, whole = (folders_below(Disk(), repo.root, most) for most in (3, 5))

    assert list(part.names) == ["", "a", "z"]
    assert not part.is_whole
    assert whole.is_whole


def test_rule_folders_are_watched_whole_and_single_files_by_themselves(repo: Repo) -> None:
    library = repo.write({"web/CLAUDE.md": "- a\n"}).library()

    trees = trees_of(library.ground, library.formats)
    files = set(single_files(library.ground, library.sources, library.formats))

    assert {repo.path(".claude/rules"), repo.path(".cursor/rules"), repo.path("memory-bank")} <= {
        *trees
    }
    assert repo.root not in trees
    assert {repo.path("CLAUDE.md"), repo.path("web/CLAUDE.md"), repo.path("AGENTS.md")} <= files
