"""The verdicts of FORMATS 6.3, one claim each, on real files and a real git."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import ParamSpec, TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.code_files import VERSION, cite, commit, git, repository

from remem.code.blobs import Blobs
from remem.code.citations import filled, verify
from remem.code.code_reader import Reading, Renamed, Text
from remem.code.worktree import Worktree
from remem.model.citation import BadCitation, Checked, Citation, CitationStatus, Verdict, hash_of
from remem.store.io import Disk

VALID, MOVED, CHANGED = CitationStatus.VALID, CitationStatus.MOVED, CitationStatus.CHANGED
MISSING, OUT, UNCHECKED = (
    CitationStatus.MISSING,
    CitationStatus.OUT_OF_RANGE,
    CitationStatus.UNCHECKED,
)


P = ParamSpec("P")
R = TypeVar("R")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return repository(tmp_path_factory.mktemp("made") / "code")


@pytest.fixture
def top(tmp_path: Path, made: Path) -> Path:
    return shutil.copytree(made, tmp_path / "code")


def check(top: Path, *citations: Citation) -> list[Verdict]:
    return list(verify(citations, Worktree(Disk(), top)))


def one(top: Path, citation: Citation) -> Verdict:
    return check(top, citation)[0]


def test_storing_fills_in_commit_lines_and_hash(top: Path) -> None:
    found = cite(top, "src/version.py", 6, 7)

    assert found.sha == git(top, "rev-parse", "HEAD")
    assert found.snippet == "def spoken() -> int:\n    return API_VERSION"
    assert found.snippet_hash == hash_of(["def spoken() -> int:", "    return API_VERSION"])


def test_what_stands_as_it_was_cited_holds(top: Path) -> None:
    found = one(top, cite(top, "src/version.py", 3, 3))

    assert (found.status, found.checked, found.content) == (VALID, Checked.TEXT, "API_VERSION = 4")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("API_VERSION = 4\n", "API_VERSION = 4  \t\n", id="blanks at the end"),
        pytest.param("\n", "\r\n", id="other line ends"),
        pytest.param('"""What', '\ufeff"""What', id="a mark at the start"),
    ],
)
def test_blanks_at_the_end_change_nothing(top: Path, old: str, new: str) -> None:
    citation = cite(top, "src/version.py", 1, 3)

    (top / "src" / "version.py").write_text(VERSION.replace(old, new), newline="")

    assert one(top, citation).status is VALID


def test_indentation_counts_in_python_alone(top: Path) -> None:
    python, script = cite(top, "src/version.py", 3, 3), cite(top, "src/client.ts", 3, 5)

    for name in ("version.py", "client.ts"):
        path = top / "src" / name
        path.write_text("".join(f"  {line}\n" for line in path.read_text().splitlines()))

    assert one(top, python).status is CHANGED
    assert (one(top, script).status, one(top, script).checked) == (VALID, Checked.WHITESPACE)


def test_lines_that_moved_in_their_file_are_found_nearest_to_where_they_were(top: Path) -> None:
    path = top / "src" / "client.ts"
    path.write_text("one()\ntwo()\nsame()\n" + "x()\n" * 5)
    citation = cite(top, "src/client.ts", 3, 3)

    path.write_text("same()\ntwo()\nthree()\nfour()\n  same()\n")

    found = one(top, citation)
    assert (found.status, str(found.moved_to)) == (MOVED, "src/client.ts:1")


def test_what_moved_to_another_file_is_found_in_the_tracked_tree(top: Path) -> None:
    citation = cite(top, "src/version.py", 6, 7)

    (top / "src" / "version.py").write_text("API_VERSION = 4\n" * 9)
    (top / "src" / "spoken.py").write_text("\n\n" + VERSION.split("\n\n\n")[1])
    git(top, "add", "-A")

    found = one(top, citation)
    assert (found.status, found.new_path, str(found.moved_to)) == (
        MOVED,
        "src/spoken.py",
        "src/spoken.py:3-4",
    )


def test_several_places_are_named_and_none_is_chosen(top: Path) -> None:
    citation = cite(top, "src/version.py", 6, 7)

    (top / "src" / "version.py").write_text("x = 1\n" * 9)
    for name in ("one", "two"):
        (top / "src" / f"{name}.py").write_text(VERSION)
    git(top, "add", "-A")

    found = one(top, citation)
    assert (found.status, found.moved_to) == (CHANGED, None)
    assert [str(each) for each in found.candidates] == ["src/one.py:6-7", "src/two.py:6-7"]


def test_a_short_line_is_not_looked_for_in_other_files(top: Path) -> None:
    citation = cite(top, "src/client.ts", 1, 1)

    (top / "src" / "client.ts").write_text("x\n" * 5)
    (top / "src" / "other.ts").write_text("// client\n")
    git(top, "add", "-A")

    assert one(top, citation).status is CHANGED


def test_a_changed_line_shows_both_texts(top: Path) -> None:
    citation = cite(top, "src/version.py", 3, 3)

    (top / "src" / "version.py").write_text(VERSION.replace("= 4", "= 5"))

    found = one(top, citation)
    assert found.status is CHANGED
    assert (found.expected, found.content) == ("API_VERSION = 4", "API_VERSION = 5")


def test_lines_beyond_the_end_are_out_of_range(top: Path) -> None:
    citation = cite(top, "src/client.ts", 3, 5)

    (top / "src" / "client.ts").write_text("a\nb\nc\n")

    assert one(top, citation).status is OUT


@pytest.mark.parametrize("how", ["committed", "staged", "renamed twice"])
def test_a_renamed_file_is_followed(top: Path, how: str) -> None:
    citation = cite(top, "src/version.py", 1, 1)

    git(top, "mv", "src/version.py", "src/speech.py")
    if how != "staged":
        commit(top, "rename")
    if how == "renamed twice":
        git(top, "mv", "src/speech.py", "src/voice.py")
        commit(top, "rename again")

    found = one(top, citation)
    name = "src/voice.py" if how == "renamed twice" else "src/speech.py"
    assert (found.status, str(found.moved_to)) == (MOVED, f"{name}:1")


def test_a_rename_is_followed_without_a_known_commit(top: Path) -> None:
    """A copy of the line elsewhere makes the tree ambiguous: only git's rename can tell."""
    citation = replace(cite(top, "src/version.py", 6, 7), sha="")
    (top / "copy.py").write_text(VERSION)
    commit(top, "copy")

    git(top, "mv", "src/version.py", "src/speech.py")
    commit(top, "rename")

    assert str(one(top, citation).moved_to) == "src/speech.py:6-7"


def test_a_file_that_is_gone_with_its_lines_is_missing(top: Path) -> None:
    citation = cite(top, "src/version.py", 6, 7)

    git(top, "rm", "-q", "src/version.py")
    commit(top, "gone")

    found = one(top, citation)
    assert (found.status, found.exists, found.expected) == (MISSING, False, citation.snippet)


def test_without_a_hash_the_commit_says_what_was_cited(top: Path) -> None:
    citation = Citation("src/version.py", 3, 3, sha=git(top, "rev-parse", "HEAD"))

    before = one(top, citation)
    (top / "src" / "version.py").write_text("\n\n" + VERSION)

    assert (before.status, before.checked) == (VALID, Checked.TEXT)
    assert str(one(top, citation).moved_to) == "src/version.py:5"


@pytest.mark.parametrize("sha", ["", "f" * 40, "not-a-commit"])
def test_what_cannot_be_compared_is_not_called_compared(top: Path, sha: str) -> None:
    found = one(top, Citation("src/version.py", 3, 3, sha=sha))

    assert (found.status, found.checked) == (UNCHECKED, Checked.EXISTENCE)
    assert str(found).endswith("not compared")
    assert found.anew == found.citation


def test_a_forged_snippet_does_not_move_a_citation(top: Path) -> None:
    citation = replace(cite(top, "src/version.py", 3, 3), snippet="def spoken() -> int:")

    (top / "src" / "version.py").write_text(VERSION.replace("= 4", "= 5"))

    assert one(top, citation).status is CHANGED


def test_a_hash_alone_is_enough_to_find_lines_again(top: Path) -> None:
    citation = replace(cite(top, "src/version.py", 6, 7), snippet=None, sha="")

    (top / "src" / "version.py").write_text("# new\n" + VERSION)

    assert str(one(top, citation).moved_to) == "src/version.py:7-8"


@pytest.mark.parametrize(
    ("start", "end"), [(0, 3), (-4, 2), (9, 3), (1, 10**9)], ids=["zero", "minus", "back", "huge"]
)
def test_lines_that_no_file_has_are_out_of_range(top: Path, start: int, end: int) -> None:
    found = one(top, Citation("src/version.py", start, end))

    assert found.status is OUT
    assert found.error


@pytest.mark.parametrize(
    "path",
    [
        "../secret",
        "/etc/passwd",
        "src/../../secret",
        ".git/config",
        "src/.GIT/x",
        "a\0b",
        "~/x",
        ".",
    ],
)
def test_nothing_outside_the_repository_is_read(top: Path, path: str) -> None:
    (top.parent / "secret").write_text("SECRET\n")

    for reader in (Worktree(Disk(), top), Blobs(top)):
        found = verify([Citation(path, 1, 1)], reader)[0]

        assert (found.status, found.checked) == (MISSING, Checked.NOTHING)
        assert (found.content, found.exists) == (None, False)


@pytest.mark.parametrize("link", ["file", "folder", "git"])
def test_links_out_of_the_repository_lead_nowhere(top: Path, link: str) -> None:
    outside = top.parent / "outside"
    outside.mkdir()
    (outside / "secret").write_text("SECRET\n")
    (top / ".git" / "secret").write_text("SECRET\n")
    target = {"file": outside / "secret", "folder": outside, "git": top / ".git"}[link]
    (top / "link").symlink_to(target)

    found = one(top, Citation("link" if link == "file" else "link/secret", 1, 1))

    assert (found.status, found.content, found.checked) == (MISSING, None, Checked.NOTHING)


def test_a_link_inside_the_repository_is_followed(top: Path) -> None:
    (top / "link").symlink_to("src")

    assert one(top, Citation("link/version.py", 3, 3)).content == "API_VERSION = 4"


def test_a_link_inside_the_repository_is_followed_at_a_commit_too(top: Path) -> None:
    (top / "link").symlink_to("src")
    (top / "src" / "speaks.py").symlink_to("../link/version.py")
    (top / "away").symlink_to("../secret")
    (top / "round").symlink_to("round")
    commit(top, "links")
    cited = [cite(top, path, 3, 3) for path in ("link/version.py", "src/speaks.py")]

    held = verify(cited, Blobs(top))
    led_away = verify([Citation("away", 1, 1), Citation("round", 1, 1)], Blobs(top))

    assert [(each.status, each.content) for each in held] == [(VALID, "API_VERSION = 4")] * 2
    assert [each.error for each in led_away] == [
        "it points outside the repository",
        "it is a broken link",
    ]


def test_lines_of_a_submodule_that_is_not_there_are_not_called_wrong(
    top: Path, made: Path, tmp_path: Path
) -> None:
    git(top, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(made), "sub")
    commit(top, "a submodule")
    citation = cite(top, "sub/src/version.py", 3, 3)
    git(tmp_path, "clone", "-q", str(top), "fresh")

    here = one(top, citation)
    elsewhere = [one(tmp_path / "fresh", citation), *verify([citation], Blobs(top))]

    assert here.status is VALID
    assert [each.status for each in elsewhere] == [UNCHECKED] * 2
    assert all("the submodule `sub` is not checked out" in each.error for each in elsewhere)


def test_what_has_no_lines_does_not_hold(top: Path) -> None:
    (top / "logo.bin").write_bytes(b"\0\1\2" * 99)
    os.mkfifo(top / "pipe")

    found = check(top, *(Citation(path, 1, 1) for path in ("logo.bin", "src", "pipe")))

    assert [each.status for each in found] == [CHANGED] * 3
    assert all(each.error for each in found)


def test_a_file_of_a_gigabyte_is_not_read(top: Path) -> None:
    with (top / "big.txt").open("wb") as file:
        file.truncate(1 << 30)

    found = one(top, Citation("big.txt", 1, 1))

    assert (found.status, found.checked) == (UNCHECKED, Checked.NOTHING)
    assert "larger than" in found.error


def test_a_file_that_may_not_be_read_is_not_called_wrong(top: Path) -> None:
    class Forbidding(Disk):
        def perform(
            self, name: str, call: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs
        ) -> R:
            if name == "read_beneath":
                raise PermissionError(errno.EACCES, "not for you")
            return super().perform(name, call, *args, **kwargs)

    found = verify([Citation("src/version.py", 1, 1)], Worktree(Forbidding(), top))[0]

    assert (found.status, found.error) == (UNCHECKED, "permission denied")


def test_bytes_that_are_no_text_are_compared_all_the_same(top: Path) -> None:
    (top / "latin.txt").write_bytes(b"caf\xe9\nbar\n")
    citation = cite(top, "latin.txt", 1, 1)

    (top / "latin.txt").write_bytes(b"new\ncaf\xe9\nbar\n")

    assert str(one(top, citation).moved_to) == "latin.txt:2"


def test_a_repository_without_commits(tmp_path: Path) -> None:
    top = repository(tmp_path / "new", commits=False)
    citation = cite(top, "src/version.py", 3, 3)

    (top / "src" / "version.py").rename(top / "src" / "other.py")

    assert citation.sha == ""
    assert one(top, citation).status is MISSING


def test_a_folder_without_git(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(VERSION)
    citation = cite(tmp_path, "a.py", 3, 3)
    there = one(tmp_path, citation)

    (tmp_path / "a.py").unlink()

    assert (there.status, citation.sha) == (VALID, "")
    assert one(tmp_path, citation).status is MISSING


def test_a_detached_head(top: Path) -> None:
    citation = cite(top, "src/version.py", 3, 3)
    (top / "src" / "version.py").write_text("\n" + VERSION)
    later = commit(top, "later")

    git(top, "checkout", "-q", "--detach", later)

    assert str(one(top, citation).moved_to) == "src/version.py:4"
    assert one(top, citation).commit == later


def test_a_shallow_clone_knows_what_it_can(top: Path, tmp_path: Path) -> None:
    told, bare = cite(top, "src/version.py", 3, 3), Citation("src/version.py", 3, 3)
    bare = replace(bare, sha=told.sha)
    (top / "src" / "version.py").write_text("\n" + VERSION)
    commit(top, "later")

    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{top}", "shallow")

    found = check(tmp_path / "shallow", told, bare)
    assert str(found[0].moved_to) == "src/version.py:4"
    assert found[1].checked is Checked.EXISTENCE


def test_a_folder_of_the_repository_cites_from_the_top(top: Path) -> None:
    reader = Worktree(Disk(), top / "src")

    assert verify([Citation("src/version.py", 3, 3)], reader)[0].content == "API_VERSION = 4"


def test_progress_is_told_to_the_end(top: Path) -> None:
    told: list[tuple[int, int]] = []

    verify(
        [Citation("src/version.py", 1, 1)] * 120,
        Worktree(Disk(), top),
        progress=lambda done, of: told.append((done, of)),
    )

    assert told == [(50, 120), (100, 120), (120, 120)]


@pytest.mark.parametrize(
    ("path", "start", "end"),
    [("nowhere.py", 1, 1), ("src/version.py", 7, 8), ("src/version.py", 0, 1), ("../x", 1, 1)],
)
def test_what_is_not_there_is_not_stored(top: Path, path: str, start: int, end: int) -> None:
    with pytest.raises(BadCitation):
        filled([Citation(path, start, end)], Worktree(Disk(), top))


def test_checking_writes_nothing(top: Path) -> None:
    shutil.copytree(top, top.parent / "before", symlinks=True)
    citations = [cite(top, "src/version.py", 3, 3), Citation("gone.py", 1, 2)]

    check(top, *citations)

    for path in (top.parent / "before").rglob("*"):
        twin = top / path.relative_to(top.parent / "before")
        assert path.is_dir() or path.read_bytes() == twin.read_bytes()
    assert len([*top.rglob("*")]) == len([*(top.parent / "before").rglob("*")])


class Memory:
    """Reads files that never were on a disk."""

    def __init__(self, **files: str) -> None:
        self.files = {
            name.replace("_", "."): Text(tuple(t.split("\n"))) for name, t in files.items()
        }

    def commit(self) -> str:
        return ""

    def texts(self, paths: object, most: int = 0) -> dict[str, Reading]:
        return {path: self.files[path] for path in self.files}

    def texts_at(self, places: object) -> dict[tuple[str, str], Reading]:
        return {}

    def renamed(self, since: object) -> dict[str, Renamed]:
        return {}

    def tracked(self) -> list[str]:
        return [*self.files]


TEXTS = st.lists(
    st.sampled_from(["a", " a", "b ", "", "}", "return x", "c\t"]), min_size=1, max_size=9
)


@given(lines=TEXTS, above=TEXTS, below=TEXTS, data=st.data())
@settings(max_examples=60)
def test_citing_anew_what_moved_makes_it_hold(
    lines: list[str], above: list[str], below: list[str], data: st.DataObject
) -> None:
    start = data.draw(st.integers(1, len(lines)))
    end = data.draw(st.integers(start, len(lines)))
    citation = Citation("a.ts", start, end).at("a.ts", start, "", lines[start - 1 : end])
    later = Memory(a_ts="\n".join([*above, *lines, *below]))

    verdict = verify([citation], later)[0]

    anew = verdict.anew
    assert verdict.status in {VALID, MOVED} or not any(
        line.strip() for line in lines[start - 1 : end]
    )
    if anew is not None:
        again = verify([anew], later)[0]
        assert again.status is VALID
        assert verdict.status is not MOVED or holds_the_same(citation, anew)


def holds_the_same(one: Citation, two: Citation) -> bool:
    stripped = [[line.strip() for line in (each.snippet or "").split("\n")] for each in (one, two)]
    return stripped[0] == stripped[1]
