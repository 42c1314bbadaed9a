"""A workspace of OpenClaw: its agent starts with more files than `AGENTS.md`."""

from pathlib import Path

import pytest
from tests.plain_files import Repo

WORKSPACE = {
    "AGENTS.md": "- read SOUL.md\n",
    "SOUL.md": "- be kind\n",
    "USER.md": "- likes tea\n",
    "MEMORY.md": "- moved in May\n",
    "TOOLS.md": "- git needs a key\n",
}


def test_its_agent_starts_with_all_of_its_files(tmp_path: Path) -> None:
    repo = Repo(tmp_path).write(WORKSPACE)

    agent = repo.agents()["OpenClaw"]

    names = ["AGENTS.md", "SOUL.md", "TOOLS.md", "USER.md", "MEMORY.md"]
    assert [file.path.name for file in agent.files if file.tokens] == names


@pytest.mark.parametrize(
    "left_out", [{"SOUL.md"}, {"AGENTS.md"}], ids=["no-soul", "soul-by-itself"]
)
def test_elsewhere_such_names_are_anybodys(tmp_path: Path, left_out: set[str]) -> None:
    files = {name: text for name, text in WORKSPACE.items() if name not in left_out}
    repo = Repo(tmp_path).write(files)

    assert "OpenClaw" not in repo.agents()
    assert not {"TOOLS.md", "USER.md", "MEMORY.md"} & {*repo.names()}
