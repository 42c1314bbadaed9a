"""What tools' own settings change of their start is followed while a root is open."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.plain_files import Repo
from tests.store.test_watch import watching

from remem.core.library import Library
from remem.core.session import Session
from remem.core.settings import Places
from remem.model.prompt import Ask

OUT = json.dumps({"claudeMdExcludes": ["**/CLAUDE.md"]})
NAMED = 'project_doc_fallback_filenames = ["GEMINI.md"]'
RENAMED = json.dumps({"context": {"fileName": "CLAUDE.md"}})


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    files = {"CLAUDE.md": "- claude\n", "GEMINI.md": "- gemini\n", "web/CLAUDE.md": "- web\n"}
    return Repo(tmp_path).write({**files, "web/.claude/rules/a.md": "- rule\n"})


@pytest.fixture
def bench(repo: Repo) -> Iterator[Session]:
    found = Session.open(repo.root, Places.of(repo.home), door="tui")
    yield found
    found.close()


@pytest.mark.parametrize(
    ("file", "text", "agent", "folder"),
    [
        pytest.param(".claude/settings.json", OUT, "Claude Code", "", id="shared"),
        pytest.param(".claude/settings.local.json", OUT, "Claude Code", "", id="local"),
        pytest.param("~/.claude/settings.json", OUT, "Claude Code", "", id="user"),
        pytest.param("web/.claude/settings.json", OUT, "Claude Code", "web", id="nested"),
        pytest.param(".gemini/settings.json", RENAMED, "Gemini CLI", "", id="gemini"),
        pytest.param("~/.codex/config.toml", NAMED, "Codex", "", id="codex"),
        pytest.param("~/.gemini/settings.json", RENAMED, "Gemini CLI", "", id="gemini of a user"),
    ],
)
def test_settings_that_come_change_and_go_each_make_a_snapshot_that_is_told(
    repo: Repo, bench: Session, file: str, text: str, agent: str, folder: str
) -> None:
    told: list[Library] = []
    bench.subscribe(lambda library, own: told.append(library))
    path, ask = repo.path(file), Ask(agent=agent, folder=folder)
    before = bench.as_loaded(ask).text

    repo.write({file: text})
    bench.refresh({path})
    came = bench.as_loaded(ask).text
    repo.write({file: "{}"})
    bench.refresh({path})
    changed = bench.as_loaded(ask).text
    path.unlink()
    bench.refresh()

    assert before == changed == bench.as_loaded(ask).text
    assert came != before
    assert [library.number for library in told] == sorted({library.number for library in told})
    assert len(told) == 3


@pytest.mark.parametrize("file", [".claude/settings.json", ".gemini/settings.json"])
async def test_settings_in_a_folder_that_comes_later_are_watched(
    repo: Repo, bench: Session, file: str
) -> None:
    bench.refresh()
    watcher = bench.watcher()

    async with watching(watcher, repo.path("CLAUDE.md")) as seen:
        repo.write({file: "{}"})

        await seen.until(repo.path(file))


async def test_memory_that_gemini_begins_to_keep_while_remem_is_open_is_watched(
    repo: Repo, bench: Session
) -> None:
    listed = json.dumps({"projects": {str(repo.root): "shop-2"}})
    repo.write({"~/.gemini/projects.json": listed, "~/.gemini/tmp/shop-2/logs.json": "[]"})
    bench.refresh()
    memory = repo.path("~/.gemini/tmp/shop-2/memory/MEMORY.md")

    async with watching(bench.watcher(), repo.path("CLAUDE.md")) as seen:
        repo.write({"~/.gemini/tmp/shop-2/memory/MEMORY.md": "- Ask the pilot.\n"})

        await seen.until(memory)

    bench.refresh({memory})
    assert "pilot" in bench.as_loaded(Ask(agent="Gemini CLI")).text


def test_a_file_that_no_tool_reads_makes_no_snapshot_that_is_told(
    repo: Repo, bench: Session
) -> None:
    told: list[Library] = []
    bench.subscribe(lambda library, own: told.append(library))

    repo.write({".claude/other.json": "{}"})
    bench.refresh({repo.path(".claude/other.json")})

    assert told == []
