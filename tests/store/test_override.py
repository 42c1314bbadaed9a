"""A folder that something else holds reads as the same folder on a disk would."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remem.base.errors import WriteFailed
from remem.store.io import Disk, Unreadable
from remem.store.replaced_folder import Held

NAMES = st.sampled_from(["a", "b", "c.md", "ü", "x y", ".git-ish"])
PATHS = st.lists(NAMES, min_size=1, max_size=3).map("/".join)
LINKS = st.sampled_from(["a", "../a", "b/c.md", "../../..", "/etc", "c.md", "."])


@dataclass(frozen=True)
class Thing:
    """A file, or a link by the name of its target."""

    kind: str
    object: str


def held(disk: Disk, top: Path, files: dict[str, bytes], links: dict[str, str]) -> Held:
    objects = {f"{number:040x}": data for number, data in enumerate(files.values(), 1)}
    objects |= {f"{number:040x}": os.fsencode(to) for number, to in enumerate(links.values(), 900)}
    things = {path: Thing("file", f"{number:040x}") for number, path in enumerate(files, 1)}
    things |= {path: Thing("link", f"{number:040x}") for number, path in enumerate(links, 900)}
    return Held(disk, top, things, objects.get)


def without_clashes(paths: dict[str, bytes]) -> dict[str, bytes]:
    """Leave out files that would have to be folders too."""
    folders = {parent.as_posix() for path in paths for parent in Path(path).parents}
    return {path: data for path, data in paths.items() if path not in folders}


def read(disk: Disk, path: Path) -> bytes | str:
    try:
        return disk.read(path)
    except Unreadable as error:
        return error.why


@settings(max_examples=25)
@given(files=st.dictionaries(PATHS, st.binary(max_size=8), max_size=6), asked=PATHS)
def test_what_is_held_reads_as_on_a_disk(files: dict[str, bytes], asked: str) -> None:
    files = without_clashes(files)
    with TemporaryDirectory() as folder:
        real = Path(folder) / "real"
        real.mkdir()
        for path, data in files.items():
            (real / path).parent.mkdir(parents=True, exist_ok=True)
            (real / path).write_bytes(data)
        top = Path(folder) / "held"
        disk = held(Disk(), top, files, {})

        for path in {asked, *files, *(p for f in files for p in map(str, Path(f).parents))}:
            assert disk.kind(top / path) == Disk().kind(real / path)
            assert disk.names(top / path) == Disk().names(real / path)
            assert read(disk, top / path) == read(Disk(), real / path)


def test_a_folder_whose_name_only_begins_alike_is_the_disks(tmp_path: Path) -> None:
    (tmp_path / "held-too").mkdir()
    (tmp_path / "held-too" / "a").write_bytes(b"on disk")
    top = tmp_path / "held"

    disk = held(Disk(), top, {"a": b"held", "beside-too/a": b"held"}, {})

    assert disk.read(tmp_path / "held-too" / "a") == b"on disk"
    assert disk.read(top / "a") == b"held"
    assert disk.kind(top) == "folder"


def test_only_what_is_named_is_as_on_the_disk_and_all_below_it(tmp_path: Path) -> None:
    top = tmp_path / "top"
    for name in ("beside/deep/a", "besides/a"):
        (top / name).parent.mkdir(parents=True)
        (top / name).write_bytes(b"on disk")

    disk = Held(Disk(), top, {"besides/a": Thing("file", "1")}, {"1": b"held"}.get, ["beside"])

    assert disk.read(top / "beside" / "deep" / "a") == b"on disk"
    assert disk.read(top / "besides" / "a") == b"held"


@settings(max_examples=25)
@given(links=st.dictionaries(NAMES, LINKS, max_size=3), asked=PATHS)
def test_links_are_followed_inside_and_lead_nowhere_else(links: dict[str, str], asked: str) -> None:
    with TemporaryDirectory() as folder:
        top = Path(folder) / "held"
        secret = Path(folder) / "a"
        secret.write_bytes(b"outside")
        inside = {"a/c.md": b"1", "b/c.md": b"2"}
        files = {path: data for path, data in inside.items() if path.split("/")[0] not in links}
        disk = held(Disk(), top, files, links)

        found = read(disk, top / asked)

        assert found in {b"1", b"2", "missing", "link", "folder"}


def test_a_circle_of_links_ends() -> None:
    disk = held(Disk(), Path("/held"), {}, {"a": "b", "b": "a"})

    assert disk.names(Path("/held/a")) == ()
    assert disk.kind(Path("/held/a")) == "link"
    assert disk.kind(Path("/held/a/b")) is None


def test_what_lies_beside_is_as_on_the_disk_unless_it_is_held(tmp_path: Path) -> None:
    for name in ("mine/now.md", "both/now.md", "other.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"now")
    things = {"both/then.md": Thing("file", "01")}

    disk = Held(Disk(), tmp_path, things, {"01": b"then"}.get, ["mine", "both", "gone.md"])

    assert disk.names(tmp_path) == ("both", "gone.md", "mine")
    assert disk.read(tmp_path / "mine/now.md") == b"now"
    assert disk.names(tmp_path / "both") == ("then.md",)
    assert disk.kind(tmp_path / "other.md") is None
    assert disk.stamp(tmp_path / "both/then.md") is not None


def test_nothing_can_be_written_to_it(tmp_path: Path) -> None:
    disk = held(Disk(), tmp_path, {"a.md": b"then"}, {})

    with pytest.raises(WriteFailed):
        disk.create(tmp_path / "new.md")
    with pytest.raises(WriteFailed):
        disk.unlink(tmp_path / "a.md")
