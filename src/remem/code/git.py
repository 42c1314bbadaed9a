"""Asks git, through git itself; nothing of a repository is ever run."""

import subprocess
from pathlib import Path


def user_name(folder: Path) -> str:
    """Return the name that git would commit under in `folder`; empty without git or a name."""
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), "config", "--get", "user.name"],
            capture_output=True,
            text=True,
            timeout=5,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired, UnicodeDecodeError):
        return ""
    return done.stdout.strip()
