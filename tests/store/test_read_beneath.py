"""Reading below a folder: links stay inside, whoever changes them meanwhile."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar

import pytest

from remem.store.io import Disk

P = ParamSpec("P")
R = TypeVar("R")
DISK = Disk()
MOST = 100


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "inside" / "deep" / "er").mkdir(parents=True)
    (tmp_path / "inside" / "deep" / "er" / "a").write_bytes(b"in\0side")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "a").write_bytes(b"SECRET")
    return tmp_path / "inside"


def test_the_bytes_of_a_file(folder: Path) -> None:
    assert DISK.read_beneath(folder, "deep/er/a", MOST) == b"in\0side"


def test_twins_on_the_way_are_no_end(folder: Path) -> None:
    (folder / "a" / "a").mkdir(parents=True)
    (folder / "a" / "a" / "a").write_bytes(b"x")

    assert DISK.read_beneath(folder, "a/a/a", MOST) == b"x"


@pytest.mark.parametrize(
    ("link", "target", "found"),
    [
        ("deep/link", "er/a", b"in\0side"),
        ("link", "deep", b"in\0side"),
        ("link", "../outside", "outside"),
        ("deep/link", "../../outside/a", "outside"),
        ("link", "/etc", "outside"),
        ("link", "nowhere", "missing"),
        ("link", "link", "link"),
        ("link", ".", "missing"),
    ],
)
def test_links_lead_inside_or_nowhere(
    folder: Path, link: str, target: str, found: bytes | str
) -> None:
    (folder / link).symlink_to(target)
    way = "link/er/a" if link == "link" and found != "link" else link

    assert DISK.read_beneath(folder, way, MOST) == found


@pytest.mark.parametrize(
    ("path", "why"),
    [("deep", "folder"), ("deep/er/a/b", "missing"), ("no", "missing"), ("x\0", "name")],
)
def test_what_is_no_file_is_named(folder: Path, path: str, why: str) -> None:
    assert DISK.read_beneath(folder, path, MOST) == why


def test_a_pipe_holds_nobody_up(folder: Path) -> None:
    os.mkfifo(folder / "pipe")

    assert DISK.read_beneath(folder, "pipe", MOST) == "special"


def test_a_long_file_is_not_read(folder: Path) -> None:
    (folder / "long").write_bytes(b"x" * (MOST + 1))
    (folder / "short").write_bytes(b"x" * MOST)

    assert DISK.read_beneath(folder, "long", MOST) == "too big"
    assert DISK.read_beneath(folder, "short", MOST) == b"x" * MOST


def test_a_barred_name_is_outside_through_a_link_too(folder: Path) -> None:
    (folder / ".git").mkdir()
    (folder / ".git" / "config").write_bytes(b"token")
    (folder / "link").symlink_to(".git")

    assert DISK.read_beneath(folder, "link/config", MOST, frozenset({".git"})) == "outside"


def test_a_link_that_somebody_puts_there_meanwhile_is_not_followed(folder: Path) -> None:
    class Racing(Disk):
        """Swaps a folder for a link between looking where it leads and opening it."""

        swaps = 0

        def perform(
            self, name: str, call: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs
        ) -> R:
            if name == "read_beneath":
                self.swaps += 1
                if self.swaps == 1:
                    raise OSError(errno.ELOOP, "a link was here")
                (folder / "deep").rename(folder / "was")
                (folder / "deep").symlink_to("../outside")
            return super().perform(name, call, *args, **kwargs)

    (folder / "deep" / "a").write_bytes(b"inside")

    found = Racing().read_beneath(folder, "deep/a", MOST)

    assert found == "missing"
