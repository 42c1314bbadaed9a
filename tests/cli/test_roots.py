from pathlib import Path

import pytest

from remem.cli.roots import MARKERS, NoRoot, discover, named
from remem.store.io import Disk

DISK = Disk()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    return home


def folder(*parts: str | Path) -> Path:
    path = Path(*parts)
    path.mkdir(parents=True, exist_ok=True)
    return path


@pytest.mark.parametrize("marker", MARKERS)
def test_the_nearest_folder_with_a_marker_is_the_root(marker: str, home: Path) -> None:
    project = folder(home, "code", "shop")
    if marker.endswith(".yaml"):
        (project / marker).write_text("")
    else:
        folder(project, marker)
    below = folder(project, "src", "api")

    assert discover(DISK, below, home) == project


def test_of_two_marked_folders_the_nearer_one_wins(home: Path) -> None:
    outer = folder(home, "mono")
    inner = folder(outer, "api")
    folder(outer, ".sniper")
    folder(inner, ".squad")

    assert discover(DISK, folder(inner, "src"), home) == inner


def test_the_search_ends_at_the_top_of_the_checkout(home: Path) -> None:
    outer = folder(home, "mono")
    folder(outer, ".sniper")
    checkout = folder(outer, "api")
    folder(checkout, ".git")
    start = folder(checkout, "src")

    assert discover(DISK, start, home) == start


def test_a_marker_at_the_top_of_the_checkout_counts(home: Path) -> None:
    checkout = folder(home, "api")
    folder(checkout, ".git")
    folder(checkout, ".sniper")

    assert discover(DISK, folder(checkout, "src"), home) == checkout


def test_a_checkout_whose_git_folder_is_a_file_is_one_too(home: Path) -> None:
    folder(home, "mono", ".sniper")
    checkout = folder(home, "mono", "worktree")
    (checkout / ".git").write_text("gitdir: elsewhere\n")

    assert discover(DISK, checkout, home) == checkout


def test_the_home_folder_is_never_found(home: Path) -> None:
    folder(home, ".sniper")
    start = folder(home, "notes")

    assert discover(DISK, start, home) == start


def test_what_lies_above_the_home_folder_is_never_found(home: Path) -> None:
    folder(home.parent, ".squad")
    start = folder(home, "notes")

    assert discover(DISK, start, home) == start


def test_the_home_folder_itself_is_the_current_folder_and_nothing_more(home: Path) -> None:
    folder(home, ".sniper")

    assert discover(DISK, home, home) == home


def test_outside_the_home_folder_the_search_goes_on(home: Path) -> None:
    project = folder(home.parent, "srv", "shop")
    folder(project, ".sniper")

    assert discover(DISK, folder(project, "src"), home) == project


def test_a_home_reached_by_a_link_is_still_the_home(home: Path) -> None:
    folder(home, ".sniper")
    link = home.parent / "me"
    link.symlink_to(home)
    start = folder(home, "notes")

    assert discover(DISK, link / "notes", link) == start


def test_a_named_folder_is_taken_as_it_is(home: Path) -> None:
    folder(home, "mono", ".sniper")
    inner = folder(home, "mono", "docs")

    assert named(DISK, str(inner)) == inner


def test_a_named_folder_may_be_a_link(home: Path) -> None:
    link = home / "link"
    link.symlink_to(folder(home, "mono"))

    assert named(DISK, str(link)) == link


def test_a_file_is_no_root(home: Path) -> None:
    file = home / "notes.md"
    file.write_text("x")

    with pytest.raises(NoRoot, match="is not a folder") as caught:
        named(DISK, str(file))

    assert str(home) in caught.value.hint


def test_a_folder_that_is_not_there_is_no_root(home: Path) -> None:
    with pytest.raises(NoRoot, match="no folder"):
        named(DISK, str(home / "gone"))
