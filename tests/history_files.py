"""Repositories whose memory grew over time, made in one go without a work of many processes."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.code_files import git

DAY = 86_400
AUTHORS = ("Ada", "Ben")
LINE = "- Number {} of the rules that people added while the harbour grew around them.\n"


def grown_repository(top: Path, *, commits: int, until: int, every: int = 7, late: int = 0) -> Path:
    """Make a repository in which `CLAUDE.md` gets a line with each commit, by two authors in turn.

    Args:
        top: Where.
        commits: How many.
        until: Day of the last one, counted from 1970.
        every: Days between them.
        late: Day of one more commit; 0 = there is none.
    """
    top.mkdir(parents=True)
    git(top, "init", "-q", "-b", "main")
    told, text = [], "# Rules\n\n"
    days = [until - (commits - 1 - number) * every for number in range(commits)]
    for number, day in enumerate([*days, late] if late else days):
        text += LINE.format(number)
        who = AUTHORS[number % len(AUTHORS)]
        told.append(
            f"commit refs/heads/main\ncommitter {who} <{who}@example.org> {day * DAY} +0000\n"
            f"data 4\nnote\nM 100644 inline CLAUDE.md\ndata {len(text)}\n{text}\n"
        )
    command = ["git", "-C", str(top), "fast-import", "--quiet"]
    subprocess.run(command, input="".join(told).encode(), check=True)
    git(top, "reset", "-q", "--hard")
    return top
