"""What looks like a secret stands among what is worth a look, and is never printed there."""

from pathlib import Path

from tests.plain_files import Repo

from remem.core.checks.problems import worries
from remem.core.checks.secret_problems import SECRET

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6"


def test_a_secret_in_any_file_of_memory_is_worth_a_look_and_is_not_printed(tmp_path: Path) -> None:
    repo = Repo(tmp_path).write(
        {
            "CLAUDE.md": f"- Ropes are coiled\n- The crane opens with {TOKEN}\n",
            ".serena/memories/crane.md": "- The crane is old\n",
        }
    )

    found = [worry for worry in worries(repo.library()) if worry.problem.code == SECRET]

    (worry,) = found
    assert (worry.problem.path, worry.problem.line) == (repo.root / "CLAUDE.md", 2)
    assert "a GitHub token" in worry.problem.message
    assert TOKEN not in f"{worry.problem.message} {worry.problem.hint}"
    assert worry.ref is not None
