"""The replay of memory's histories, on a repository that is made for it."""

import subprocess
from pathlib import Path
from random import Random

import pytest
from tests.independent import inbox_replay


@pytest.mark.slow
def test_every_revision_is_told_as_the_difference_and_git_alone_is_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    random, top = Random(1), tmp_path / "shop"
    top.mkdir()
    subprocess.run(["git", "init", "-q"], cwd=top, check=True)
    for number in range(8):
        rules = [f"- Rule {random.randrange(9)} of agents.\n" for _ in range(random.randrange(9))]
        text = "# Rules\n\n" + "".join(rules) + f"\n## Notes\n\nRevision {number} of it.\n"
        (top / "CLAUDE.md").write_text(text)
        who = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org")
        for words in (("add", "."), (*who, "commit", "-qm", f"Revision {number}")):
            subprocess.run(["git", *words], cwd=top, check=True)

    assert inbox_replay.main([str(top)]) == 0
    assert "1 files, 21 revisions" in capsys.readouterr().out
