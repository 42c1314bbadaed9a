"""Which new files finding minds by their names: of the others a preview looks for nothing anew."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.plain_files import Repo

from remem.core.library import Library
from remem.model.change import Create
from remem.systems.plain.discover import minds_new
from remem.systems.plain.source import plain_sources

TEXT = b"- Boards show the age of the oldest story\n"
THERE = {
    "AGENTS.md": "- Buttons say what they do\n",
    ".claude/settings.json": "{}\n",
    ".cursor/rules/tests.mdc": "- Tests name behaviour\n",
    ".learnings/LEARNINGS.md": "# Learnings\n",
    ".remem/rejected.yaml": "rejected: []\n",
    ".sniper/memory/conventions.yaml": "conventions: []\n",
    "services/api/main.py": "print()\n",
    "squad/agents/hill/history.md": "# Hill\n",
}
MINDED = (
    "CLAUDE.md",
    "services/api/AGENTS.md",
    "services/api/.rules",
    "services/api/opencode.json",
    "services/api/notes.md",
    ".cursor/rules/more.mdc",
    ".learnings/found.json",
    ".remem/notes.md",
    ".remem/.gitignore",
    ".remem/proposals",
    "squad/agents/hill/charter.md",
    "services/Dockerfile",
)
PASSED_OVER = (
    ".remem/kept.yaml",
    ".remem/consolidated.yaml",
    ".sniper/memory/decisions.yaml",
    "services/api/other.py",
    "package.json",
)


def found(library: Library) -> list[object]:
    plain = plain_sources(library.sources)
    return [(each.key, each.placed, each.rests_on, [e.ref for e in each.entries]) for each in plain]


@pytest.mark.parametrize("path", [*MINDED, *PASSED_OVER])
def test_a_preview_of_a_new_file_finds_what_is_found_once_it_is_there(
    tmp_path: Path, path: str
) -> None:
    repo = Repo(tmp_path).write(THERE)

    preview = repo.library().preview([Create(repo.path(path), TEXT)])

    repo.write({path: TEXT})
    assert found(preview) == found(repo.library())


def test_what_no_layout_ends_in_and_is_no_text_is_not_minded(tmp_path: Path) -> None:
    repo = Repo(tmp_path).write(THERE)
    minds = minds_new(repo.library().ground)

    assert [path for path in PASSED_OVER if minds(repo.path(path))] == []


def test_what_a_layout_of_the_person_ends_in_is_minded(tmp_path: Path) -> None:
    repo = Repo(tmp_path).write(
        {**THERE, ".gemini/settings.json": '{"context": {"fileName": "x.yaml"}}'}
    )
    minds = minds_new(repo.library().ground)

    assert minds(repo.path("services/x.yaml"))
    assert not minds(repo.path("services/y.yaml"))
