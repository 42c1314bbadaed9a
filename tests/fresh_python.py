"""Runs a script in a Python of its own, where nothing is loaded yet."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def holds(script: str, folder: Path | None = None) -> None:
    """Fail with what the script said unless it ends in order.

    Args:
        script: Its assertions are those of the test.
        folder: Where it runs; `None` = here.
    """
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
