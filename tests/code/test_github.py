"""Code read from a forge: what it says becomes lines or a reason, and never a wrong verdict."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.code.forge import COMMIT, Forge, running
from tests.code_files import VERSION, git, repository

from remem.base.clock import Clock
from remem.base.errors import NotPossible
from remem.code.choose_reader import reader_of, repository_of
from remem.code.citations import verify
from remem.code.code_reader import MOST, Gap, NoText, Reading, Text
from remem.code.github import Access, GitHub, GitHubFailed
from remem.code.worktree import Worktree
from remem.model.citation import Citation, CitationStatus
from remem.store.io import Disk

NOW = datetime(2026, 5, 4, 9, 30, tzinfo=UTC)


def spent(seconds: int) -> tuple[int, dict[str, str]]:
    """Return what the forge says when nothing is left until so many seconds from now."""
    reset = f"{NOW.timestamp() + seconds:.0f}"
    return 403, {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": reset}


@dataclass
class Waiting:
    """Stands still, and keeps for how long it was to wait."""

    waits: list[float] = field(default_factory=list)

    def access(self, forge: Forge) -> Access:
        return Access("t0ken", forge.api, Clock(now=lambda: NOW), self.waits.append)


@pytest.fixture(scope="module")
def server() -> Iterator[Forge]:
    with running(Forge()) as made:
        yield made


@pytest.fixture
def forge(server: Forge) -> Forge:
    vars(server).update(vars(Forge({"src/version.py": VERSION.encode()}, api=server.api)))
    return server


@pytest.fixture
def waiting() -> Waiting:
    return Waiting()


def read(forge: Forge, waiting: Waiting, path: str) -> Reading:
    return GitHub("ada/shop", waiting.access(forge)).texts([path])[path]


def gap(reading: Reading) -> Gap:
    assert isinstance(reading, NoText)
    return reading.gap


def test_a_file_comes_line_by_line(forge: Forge, waiting: Waiting) -> None:
    assert read(forge, waiting, "src/version.py") == Text(tuple(VERSION.splitlines()))
    assert forge.tokens == {"Bearer t0ken"}
    assert waiting.waits == []


def test_citations_are_judged_as_in_a_checkout(
    forge: Forge, waiting: Waiting, tmp_path: Path
) -> None:
    top = repository(tmp_path / "code")
    sha = git(top, "rev-parse", "HEAD")
    said = {3: "API_VERSION = 4", 4: "API_VERSION = 4", 1: "# Something else altogether"}
    plain = Citation("src/version.py", 1, 1)
    cited = [plain.at("src/version.py", at, sha, [text]) for at, text in said.items()]

    there = verify(cited, GitHub("ada/shop", waiting.access(forge)))
    here = verify(cited, Worktree(Disk(), top))

    assert [(each.status, each.moved_to) for each in there] == [
        (each.status, each.moved_to) for each in here
    ]


def test_a_file_that_is_not_there_is_missing(forge: Forge, waiting: Waiting) -> None:
    assert gap(read(forge, waiting, "src/gone.py")) is Gap.MISSING


def test_a_repository_that_the_token_cannot_see_is_no_missing_file(
    forge: Forge, waiting: Waiting
) -> None:
    """A forge says 404 of what one may not see: no memory is wrong for that."""
    reader = GitHub("ada/private", waiting.access(forge))

    with pytest.raises(NotPossible, match="has no `HEAD`"):
        reader.texts(["src/version.py"])


@pytest.mark.parametrize(
    ("said", "why"),
    [
        pytest.param({"type": "symlink", "target": "../x"}, "it is a link", id="link"),
        pytest.param({"type": "submodule"}, "it is a submodule", id="submodule"),
        pytest.param([{"name": "a"}], "it is a folder", id="folder"),
    ],
)
def test_what_is_no_file_has_no_lines(
    forge: Forge, waiting: Waiting, said: dict[str, str] | list[object], why: str
) -> None:
    forge.files["odd"] = said

    found = read(forge, waiting, "odd")

    assert found == NoText(Gap.BINARY, why)


def test_a_large_file_is_read_as_it_is(forge: Forge, waiting: Waiting) -> None:
    forge.files["long.txt"] = b"line\n" * 300_000

    found = read(forge, waiting, "long.txt")

    assert isinstance(found, Text)
    assert len(found.lines) == 300_000


def test_a_file_that_is_too_large_is_not_read(forge: Forge, waiting: Waiting) -> None:
    forge.files["huge.txt"] = {"type": "file", "size": MOST + 1, "encoding": "none", "content": ""}

    assert gap(read(forge, waiting, "huge.txt")) is Gap.UNREADABLE
    assert not [path for path in forge.asked if "raw" in path]


def test_a_binary_file_has_no_lines(forge: Forge, waiting: Waiting) -> None:
    forge.files["logo.png"] = b"\x89PNG\0\0"

    assert gap(read(forge, waiting, "logo.png")) is Gap.BINARY


@pytest.mark.parametrize("path", ["../x", "/etc/passwd", ".git/config", "a/../../b"])
def test_odd_paths_are_not_asked_for(forge: Forge, waiting: Waiting, path: str) -> None:
    assert gap(read(forge, waiting, path)) is Gap.OUTSIDE
    assert [path for path in forge.asked if "contents" in path] == []


def test_a_name_is_sent_as_a_name(forge: Forge, waiting: Waiting) -> None:
    forge.files["src/what? #1 ü.py"] = b"x\n"

    assert read(forge, waiting, "src/what? #1 ü.py") == Text(("x",))


@pytest.mark.parametrize(
    ("stumbles", "waits"),
    [
        pytest.param([(502, {}), (503, {})], [1.0, 2.0], id="broken twice"),
        pytest.param([(429, {"Retry-After": "7"})], [7.0], id="told how long"),
        pytest.param(
            [spent(20)],
            [21.0],
            id="told until when",
        ),
        pytest.param([(429, {})], [1.0], id="told nothing"),
    ],
)
def test_what_passes_is_waited_for(
    forge: Forge, waiting: Waiting, stumbles: list[tuple[int, dict[str, str]]], waits: list[float]
) -> None:
    forge.stumbles = stumbles

    found = read(forge, waiting, "src/version.py")

    assert isinstance(found, Text)
    assert waiting.waits == waits


def test_a_long_limit_is_told_and_not_waited_for(forge: Forge, waiting: Waiting) -> None:
    reader = GitHub("ada/shop", waiting.access(forge))
    assert reader.commit() == COMMIT
    forge.stumbles = [spent(3600)]

    found = verify([Citation("src/version.py", at, at) for at in range(1, 6)], reader)

    assert {each.status for each in found} == {CitationStatus.UNCHECKED}
    assert "60 min" in found[0].error
    assert waiting.waits == []


def test_after_giving_up_nothing_more_is_asked(forge: Forge, waiting: Waiting) -> None:
    reader = GitHub("ada/shop", waiting.access(forge))
    reader.commit()
    forge.stumbles = [(429, {"Retry-After": "999"})]

    found = reader.texts(["a", "b", "src/version.py"])

    assert {gap(each) for each in found.values()} == {Gap.UNREADABLE}
    assert len(forge.asked) == 2


@pytest.mark.parametrize("status", [401, 403, 500])
def test_what_stays_wrong_is_unreadable_and_not_missing(
    forge: Forge, waiting: Waiting, status: int
) -> None:
    reader = GitHub("ada/shop", waiting.access(forge))
    reader.commit()
    forge.stumbles = [(status, {})] * 9

    found = reader.texts(["src/version.py"])["src/version.py"]

    assert gap(found) is Gap.UNREADABLE
    assert f"{status}" in str(found)


def test_nobody_there_is_an_error_of_a_service(waiting: Waiting) -> None:
    reader = GitHub("ada/shop", Access("t", "http://127.0.0.1:9", sleep=waiting.waits.append))

    with pytest.raises(GitHubFailed, match="cannot be reached") as caught:
        reader.commit()

    assert caught.value.exit_code == 4
    assert waiting.waits == [1.0, 2.0, 4.0]


def test_a_renamed_repository_is_followed_on_its_own_host(forge: Forge, waiting: Waiting) -> None:
    assert GitHub("ada/moved", waiting.access(forge)).commit() == COMMIT


def test_the_token_does_not_go_to_another_host(forge: Forge, waiting: Waiting) -> None:
    with pytest.raises(GitHubFailed, match="another host"):
        GitHub("ada/strange", waiting.access(forge)).commit()


def test_renames_are_read_page_by_page(forge: Forge, waiting: Waiting) -> None:
    forge.renames = [(f"old/{n}.py", f"new/{n}.py") for n in range(5)]
    forge.files = {"new/4.py": VERSION.encode()}
    citation = Citation("old/4.py", 3, 3).at("old/4.py", 3, "a" * 40, ["API_VERSION = 4"])

    found = verify([citation], GitHub("ada/shop", waiting.access(forge)))[0]

    assert (found.status, str(found.moved_to)) == (CitationStatus.MOVED, "new/4.py:3")
    assert len([path for path in forge.asked if "compare" in path]) == 3


def test_the_same_bytes_under_another_name_are_found_by_two_trees(
    forge: Forge, waiting: Waiting
) -> None:
    """A comparison names no more than 300 files, and none where the commits are not related."""
    forge.past["a" * 40] = {"old.py": VERSION.encode()}
    forge.files = {"new.py": VERSION.encode()}
    forge.files |= {f"part{n}.py": b"other\n" for n in range(100)}
    citation = Citation("old.py", 3, 3).at("old.py", 3, "a" * 40, ["API_VERSION = 4"])

    found = verify([citation], GitHub("ada/shop", waiting.access(forge)))[0]

    assert (found.status, str(found.moved_to)) == (CitationStatus.MOVED, "new.py:3")
    assert len(forge.asked) < 10


LINES = ("API_VERSION = 4", "SPEAKS_TO_ALL_CLIENTS = True")


def test_a_small_tree_is_searched_as_a_checkout_is(forge: Forge, waiting: Waiting) -> None:
    forge.files = {"kept.py": b"other\n", "now.py": "\n".join(("# top", *LINES, "")).encode()}
    citation = Citation("gone.py", 1, 2).at("gone.py", 1, "", LINES)

    found = verify([citation], GitHub("ada/shop", waiting.access(forge)))[0]

    assert (found.status, str(found.moved_to)) == (CitationStatus.MOVED, "now.py:2-3")


@pytest.mark.parametrize("why", ["many", "large", "truncated", "refused"])
def test_a_tree_that_is_not_searched_is_called_so(forge: Forge, waiting: Waiting, why: str) -> None:
    number, size = {"many": (61, 1), "large": (9, 1 << 19)}.get(why, (3, 1))
    forge.files = {f"part{n}.py": b"x" * size for n in range(number)}
    forge.is_truncated = why == "truncated"
    citation = Citation("gone.py", 1, 2).at("gone.py", 1, "", LINES)
    forge.refuses = ("trees",) if why == "refused" else ()

    found = verify([citation], GitHub("ada/shop", waiting.access(forge)))[0]

    assert found.status is CitationStatus.MISSING
    assert found.error == "there is no such file; the other files were not searched"
    assert len(forge.asked) < 10


def test_the_commit_of_a_citation_is_asked_where_no_text_was_kept(
    forge: Forge, waiting: Waiting
) -> None:
    forge.past["b" * 40] = {"src/version.py": VERSION.encode()}
    forge.files["src/version.py"] = b"# new\n" + VERSION.encode()

    found = verify(
        [Citation("src/version.py", 3, 3, sha="b" * 40)],
        GitHub("ada/shop", waiting.access(forge), "main"),
    )[0]

    assert str(found.moved_to) == "src/version.py:4"


@pytest.mark.parametrize("name", ["shop", "ada/..", "../../x", "ada/shop/x", "ada shop", ""])
def test_odd_repositories_are_refused(name: str) -> None:
    with pytest.raises(NotPossible, match="is not a repository"):
        GitHub(name, Access("t"))


def test_a_token_travels_through_https_alone() -> None:
    with pytest.raises(NotPossible, match="https"):
        GitHub("ada/shop", Access("t", "http://forge.example.org"))


def test_the_token_is_nowhere_in_what_is_shown() -> None:
    assert "s3cret" not in repr(Access("s3cret"))


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://github.com/ada/shop.git", "ada/shop"),
        ("git@github.com:ada/shop.git", "ada/shop"),
        ("ssh://git@forge.example.org:22/ada/shop", "ada/shop"),
        ("", "code"),
    ],
)
def test_a_checkout_is_called_as_its_origin(tmp_path: Path, url: str, name: str) -> None:
    top = repository(tmp_path / "code", commits=False)
    if url:
        git(top, "remote", "add", "origin", url)

    assert repository_of(Disk(), top) == name


def test_another_repository_needs_a_token(tmp_path: Path) -> None:
    with pytest.raises(NotPossible, match="not the repository of this checkout"):
        reader_of(Disk(), repository(tmp_path / "code"), "ada/shop", environment={})


def test_the_environment_and_the_settings_say_where_and_how(tmp_path: Path, forge: Forge) -> None:
    reader = reader_of(
        Disk(),
        repository(tmp_path / "code"),
        "ada/shop",
        environment={"GITHUB_TOKEN": "from-environment"},
        api=forge.api,
    )

    assert reader.commit() == COMMIT
    assert forge.tokens == {"Bearer from-environment"}
