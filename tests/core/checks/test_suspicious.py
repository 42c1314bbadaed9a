"""What looks like a secret stands among what is worth a look, and is never printed there."""

from pathlib import Path

from tests.plain_files import Repo

from remem.core.checks.issues import issues
from remem.core.checks.suspicious import SECRET

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6"


def test_a_secret_in_any_file_of_memory_is_worth_a_look_and_is_not_printed(tmp_path: Path) -> None:
    repo = Repo(tmp_path).write(
        {
            "CLAUDE.md": f"- Ropes are coiled\n- The crane opens with {TOKEN}\n",
            ".serena/memories/crane.md": "- The crane is old\n",
        }
    )

    found = [issue for issue in issues(repo.library()) if issue.problem.code == SECRET]

    (issue,) = found
    assert (issue.problem.path, issue.problem.line) == (repo.root / "CLAUDE.md", 2)
    assert "a GitHub token" in issue.problem.message
    assert TOKEN not in f"{issue.problem.message} {issue.problem.hint}"
    assert issue.ref is not None
