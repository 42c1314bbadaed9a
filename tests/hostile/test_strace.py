"""What the kernel sees is what `Disk.perform` saw; and deaths and errors that it deals out.

SQLite's own files are left out: it writes them itself, and syncs them.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pytest
from tests.failing_disk import HARMLESS, LOOKS
from tests.hostile.crashing import CASES, Ends, Harbour, ends_of, memory_folder, settled, violations
from tests.power_loss import DATABASES

BY_NAME: Final = {case.name: case for case in CASES}
COMMANDS: Final = {
    "approve a candidate": ("approve", "conv-002"),
    "reject": ("reject", "conv-002", "--reason", "wrong"),
    "rename a persona": ("persona", "rename", "Hill", "Mara"),
    "undo an approval": ("undo",),
}
CACHE: Final = "answers.db"
OPENS: Final = frozenset({"open", "openat", "openat2", "creat"})
EFFECTS: Final = (
    *OPENS,
    *("rename", "renameat", "renameat2", "link", "linkat", "symlink", "symlinkat"),
    *("unlink", "unlinkat", "mkdir", "mkdirat", "rmdir", "mknod", "mknodat"),
    *("write", "pwrite64", "writev", "pwritev", "pwritev2", "sendfile", "copy_file_range"),
    *("truncate", "ftruncate", "fallocate", "fsync", "fdatasync", "sync_file_range"),
    *("chmod", "fchmod", "fchmodat", "chown", "fchown", "lchown", "fchownat"),
    *("setxattr", "fsetxattr", "lsetxattr", "utimensat", "removexattr", "fremovexattr"),
)
MARKING: Final = """
import os, sys
from remem.store.io import Disk
marks = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

def perform(self, name, call, /, *args, **kwargs):
    os.write(marks, f"> {name}\\n".encode())
    try:
        return call(*args, **kwargs)
    finally:
        os.write(marks, f"< {name}\\n".encode())

Disk.perform = perform
from remem.cli.main import main
sys.argv = ["remem", *sys.argv[2:]]
sys.exit(main())
"""
PLAIN: Final = "import sys; from remem.cli.main import main; sys.exit(main())"

pytestmark = pytest.mark.slow


@pytest.fixture
def folder() -> Iterator[Path]:
    if not can_trace():
        pytest.skip("strace is not installed, or may not trace here")
    with TemporaryDirectory(dir=memory_folder()) as folder:
        yield Path(folder)


@cache
def can_trace() -> bool:
    if not shutil.which("strace"):
        return False
    done = subprocess.run(["strace", "-f", "true"], capture_output=True, check=False)
    return done.returncode == 0


@dataclass(frozen=True)
class Call:
    """One call of the system that may leave something behind."""

    name: str
    text: str

    @property
    def inside(self) -> str:
        """The call of `perform` that a mark is about; empty for what is no mark."""
        found = re.search(r'marks>, "([<>] \w+)', self.text)
        return found[1] if found else ""

    def paths(self, top: Path) -> list[Path]:
        found = re.findall(r'[<"]([^<>"]+)[>"]', self.text)
        return [Path(path) for path in found if path.startswith(f"{top}/")]

    def is_of_sqlite(self, top: Path) -> bool:
        """Tell whether all that it is about are databases, or the folder of one, for its names.

        The cache is one, too: what is told of prompts after a change is kept there.
        """
        names = (*DATABASES, CACHE)
        return all(
            path.name.startswith(names)
            or (self.name == "fdatasync" and any((path / name).exists() for name in names))
            for path in self.paths(top)
        )

    @property
    def is_effect(self) -> bool:
        return self.name not in OPENS or "O_CREAT" in self.text or "O_TRUNC" in self.text


def traced(harbour: Harbour, *command: str) -> list[Call]:
    """Run a command under strace and return its effects and its marks, thread by thread."""
    harbour.close()
    names = ",".join(f"?{name}" for name in EFFECTS)
    output = harbour.base / "trace"
    done = subprocess.run(
        [
            *("strace", "-ff", "-y", "-s", "64", "-o", str(output), "-e", f"trace={names}"),
            *("-e", "signal=none", sys.executable, "-B", "-c", MARKING),
            *(str(harbour.base / "marks"), *asked(harbour, command)),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    calls: list[Call] = []
    for part in sorted(harbour.base.glob("trace.*")):
        folders: dict[str, str] = {}
        for line in part.read_text(errors="replace").splitlines():
            found = re.match(r"(\w+)\((.*)", line)
            if found:
                # A call through a folder that is held open names it by its handle.
                held = re.sub(
                    r"/proc/self/fd/(\d+)", lambda m, at=folders: at.get(m[1], m[0]), found[2]
                )
                calls.append(Call(found[1], held))
            opened = re.match(r"open\w*\(.* = (\d+)<([^>]+)>", line)
            if opened:
                folders[opened[1]] = opened[2]
        part.unlink()
    return calls


def asked(harbour: Harbour, command: tuple[str, ...]) -> tuple[str, ...]:
    return ("--root", str(harbour.root), "--home", str(harbour.home), *command)


def outside_and_empty(calls: list[Call], top: Path) -> tuple[list[str], list[str]]:
    """Return the effects outside of any `perform`, and the performed effects without a trace."""
    outside: list[str] = []
    empty: list[str] = []
    current, seen = "", 0
    for call in calls:
        sign, _, name = call.inside.partition(" ")
        if sign == ">":
            current, seen = name, 0
        elif sign == "<":
            if not seen and current not in HARMLESS | LOOKS | {"journal"}:
                empty.append(current)
            current = ""
        elif call.is_effect and call.paths(top):
            seen += 1
            is_ours = not call.is_of_sqlite(top)
            if is_ours and (not current or current in HARMLESS | LOOKS):
                outside.append(f"{current}: {call.name}({call.text}")
    return outside, empty


def injected(harbour: Harbour, fault: str, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a command with a fault that strace deals out: `renameat2:signal=KILL:when=2`."""
    harbour.put_back()
    name = fault.partition(":")[0]
    return subprocess.run(
        [
            *("strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={name}"),
            *("-e", f"inject={fault}", sys.executable, "-B", "-c", PLAIN),
            *asked(harbour, command),
        ],
        capture_output=True,
        text=True,
        check=False,
    )


def opened(name: str, folder: Path) -> tuple[Harbour, Ends]:
    case = BY_NAME[name]
    harbour = case.at(folder)
    return harbour, ends_of(harbour, case)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_seam_sees_every_effect_but_those_of_sqlite(folder: Path, name: str) -> None:
    harbour, ends = opened(name, folder)
    harbour.put_back()

    calls = traced(harbour, *COMMANDS[name])

    assert harbour.picture() == ends.after
    marked = [call.inside for call in calls if call.inside.startswith(">")]
    assert len(marked) > 20
    assert outside_and_empty(calls, harbour.base / "live") == ([], [])


def test_an_effect_that_went_past_the_seam_would_be_seen(folder: Path) -> None:
    harbour, _ = opened("approve a candidate", folder)
    harbour.put_back()

    calls = traced(harbour, *COMMANDS["approve a candidate"])
    blind = [call for call in calls if call.inside not in ("> write", "< write")]

    outside, _ = outside_and_empty(blind, harbour.base / "live")
    assert outside


@pytest.mark.parametrize("name", ["approve a candidate", "rename a persona"])
def test_killed_by_the_kernel_at_a_rename_it_is_done_or_not_done(folder: Path, name: str) -> None:
    harbour, ends = opened(name, folder)
    killed = 0

    for call, when in product(("renameat2", "rename", "unlink"), (1, 2, 4)):
        done = injected(harbour, f"{call}:signal=KILL:when={when}", *COMMANDS[name])
        killed += done.returncode != 0

        assert ends.torn(harbour.picture(), appending=False) == []
        assert violations(harbour, ends) == []
    assert killed >= 3


@pytest.mark.parametrize("when", range(1, 7))
def test_an_error_of_the_kernel_at_a_sync_is_told_and_nothing_is_half_done(
    folder: Path, when: int
) -> None:
    harbour, ends = opened("approve a candidate", folder)

    done = injected(harbour, f"fsync:error=EIO:when={when}", *COMMANDS["approve a candidate"])

    assert done.returncode in (0, 2)
    if done.returncode:
        assert "approve" in done.stderr.lower() or "history" in done.stderr
    assert ends.torn(harbour.picture(), appending=False) == []
    found = settled(harbour, ends)
    assert found.wrong == []
    assert found.side == ("before" if done.returncode else "after")
