"""Reads code out of git's own store: many files of one commit by a few programs.

Git is handed nothing but commits written as such and paths of a listing made here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Final

from remem.base.errors import NotPossible
from remem.base.frozen import dataclass
from remem.code.code_reader import (
    MOST,
    Gap,
    NoText,
    Reading,
    Renamed,
    Text,
    below_submodule,
    outside,
    plain_path,
    text_of,
    too_big,
)
from remem.code.git_process import Answer, run

_SECONDS: Final = 60.0
_CHUNK: Final = 32 << 20
"""Bytes of blobs that are held at once."""
_GENERATIONS: Final = 5
"""Renames of one file that are followed."""
_PATHS: Final = 500
"""Paths on one command line."""
_FATAL: Final = "fatal: "
_LINKS: Final = 40
"""Links that are followed one after another, as the system does."""
_LINK: Final = "120000"
_MODULE: Final = "160000"
_MISSING: Final = NoText(Gap.MISSING, "there is no such file")
_NOT_KNOWN: Final = NoText(Gap.MISSING, "git has no such commit or file")


@dataclass(frozen=True, slots=True)
class _Leaf:
    """A file in the listing of a commit."""

    mode: str
    name: str
    """Of its object."""


class Blobs:
    """The code of one commit."""

    def __init__(self, top: Path, ref: str = "HEAD") -> None:
        """Say which commit is read; it is looked up when something is asked.

        Args:
            top: The top of the work tree, or a bare repository.
            ref: As git writes it.

        Raises:
            NotPossible: This can be no ref.
        """
        if not ref or ref.startswith("-") or ref.split() != [ref] or not ref.isprintable():
            raise NotPossible(f"`{ref}` is not a ref", hint="name a branch, a tag or a commit")
        self._top = top
        self._ref = ref
        self._commit: str | None = None
        self._leaves: Mapping[str, _Leaf] | None = None

    def commit(self) -> str:
        """Return the id of the commit.

        Raises:
            NotPossible: There is none of that name.
        """
        if self._commit is None:
            self._commit = commit_of(self._top, self._ref)
        if not self._commit:
            raise NotPossible(
                f"no commit `{self._ref}` here",
                hint="see `git log`; a shallow clone only has recent commits",
            )
        return self._commit

    def texts(self, paths: Collection[str], most: int = MOST) -> Mapping[str, Reading]:
        found: dict[str, Reading] = {}
        wanted: dict[str, str] = {}
        for path in paths:
            plain = plain_path(path)
            leaf = self._at(plain) if plain else outside(path)
            if isinstance(leaf, NoText):
                found[path] = leaf
            else:
                wanted[path] = leaf.name
        read = blobs(self._top, set(wanted.values()), most)
        return {**found, **{path: read[name] for path, name in wanted.items()}}

    def texts_at(self, places: Collection[tuple[str, str]]) -> Mapping[tuple[str, str], Reading]:
        return texts_at(self._top, places)

    def renamed(self, since: Mapping[str, str]) -> Mapping[str, Renamed]:
        return renames(self._top, since, self.commit(), self._listed())

    def tracked(self) -> Collection[str]:
        leaves = self._listed().items()
        return [path for path, leaf in leaves if leaf.mode not in {_LINK, _MODULE}]

    def _at(self, path: str) -> _Leaf | NoText:
        """Return the file that a path leads to, through links as in a work tree."""
        listed = self._listed()
        for _ in range(_LINKS):
            step = next((step for step in _steps(path) if step in listed), "")
            leaf = listed.get(step)
            if leaf is None:
                return self._without_leaf(path)
            if leaf.mode == _MODULE:
                kind = NoText(Gap.BINARY, f"`{path}` is a submodule")
                return kind if step == path else below_submodule(step)
            if leaf.mode != _LINK:
                return leaf if step == path else _MISSING
            path = plain_path(normpath(join(dirname(step), self._target(leaf)) + path[len(step) :]))
            if not path:
                return NoText(Gap.OUTSIDE, "it points outside the repository")
        return NoText(Gap.MISSING, "it is a broken link")

    def _target(self, link: _Leaf) -> str:
        text = blobs(self._top, {link.name})[link.name]
        return "\n".join(text.lines) if isinstance(text, Text) else ""

    def _without_leaf(self, path: str) -> NoText:
        folder = f"{path}/"
        if any(name.startswith(folder) for name in self._listed()):
            return NoText(Gap.BINARY, f"`{path}` is a folder")
        return _MISSING

    def _listed(self) -> Mapping[str, _Leaf]:
        if self._leaves is None:
            out = ask(self._top, "ls-tree", "-r", "-z", "--full-tree", self.commit())
            self._leaves = dict(_leaves(out))
        return self._leaves


def _steps(path: str) -> Iterator[str]:
    """Yield the folders that a path goes through, from the top, then the path."""
    at = path.find("/")
    while at >= 0:
        yield path[:at]
        at = path.find("/", at + 1)
    yield path


def _leaves(out: bytes) -> Iterator[tuple[str, _Leaf]]:
    for line in out.split(b"\0"):
        head, tab, path = line.partition(b"\t")
        fields = head.decode("ascii", "replace").split()
        if tab and len(fields) == 3:
            yield path.decode("utf-8", "surrogateescape"), _Leaf(fields[0], fields[2])


def commit_of(top: Path, ref: str) -> str:
    """Return the id of the commit that a ref stands for; empty where there is none."""
    out = ask(top, "rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}")
    return out.decode("ascii", "replace").strip()


def texts_at(top: Path, places: Collection[tuple[str, str]]) -> Mapping[tuple[str, str], Reading]:
    """Return what files held at commits; all of them through the same two programs."""
    named = {place: plain_path(place[1]) for place in places if place[0].isalnum()}
    asked = {place: f"{place[0]}:{path}" for place, path in named.items() if path}
    read = blobs(top, set(asked.values()))
    return {place: read[asked[place]] if place in asked else _NOT_KNOWN for place in places}


def blobs(top: Path, names: Collection[str], most: int = MOST) -> Mapping[str, Reading]:
    """Return files by the names of their objects: an id, or `COMMIT:PATH`."""
    found: dict[str, Reading] = {}
    waiting: list[tuple[str, str]] = []
    held = 0
    for name, (kind, size, identity) in _described(top, list(names)):
        if kind != "blob":
            found[name] = _NOT_KNOWN
            continue
        if size > most:
            found[name] = too_big(most)
            continue
        if held + size > _CHUNK:
            found.update(_contents(top, waiting))
            waiting, held = [], 0
        waiting.append((name, identity))
        held += size
    found.update(_contents(top, waiting))
    return found


def _described(top: Path, names: Sequence[str]) -> Iterator[tuple[str, tuple[str, int, str]]]:
    """Yield kind, size and id of each object; the kind of what is not there is empty."""
    if not names:
        return
    form = "--batch-check=%(objecttype) %(objectsize) %(objectname)"
    done = _run(top, "cat-file", form, said=_lines(names))
    lines = done.out.splitlines()
    if done.code or len(lines) != len(names):
        raise _no_answer(done.error)
    for name, line in zip(names, lines, strict=True):
        fields = line.decode("utf-8", "replace").split(" ")
        is_known = len(fields) == 3 and fields[0] in {"blob", "tree", "commit", "tag"}
        yield name, (fields[0], int(fields[1]), fields[2]) if is_known else ("", 0, "")


def _contents(top: Path, wanted: Sequence[tuple[str, str]]) -> Iterator[tuple[str, Reading]]:
    if not wanted:
        return
    out = ask(top, "cat-file", "--batch", said=_lines(identity for _, identity in wanted))
    at = 0
    for name, _ in wanted:
        end = out.find(b"\n", at)
        fields = out[at:end].split(b" ") if end >= 0 else []
        if len(fields) != 3:
            raise _no_answer()
        start, size = end + 1, int(fields[2])
        yield name, text_of(out[start : start + size])
        at = start + size + 1


def renames(
    top: Path, since: Mapping[str, str], commit: str, standing: Collection[str]
) -> Mapping[str, Renamed]:
    """Return what files that are gone are called now, as far as git can tell.

    First what changed since the commit in which each was known, then what the commits that took
    them away put in their place, for a few generations.

    Args:
        top: The top of the work tree.
        since: Path → commit in which it was there; empty = not known.
        commit: Where it is gone; empty = the index.
        standing: The paths that there are now.
    """
    found: dict[str, list[str]] = {path: [] for path in since}
    for known in sorted({each for each in since.values() if each}):
        now = dict(_pairs(_since(top, known, commit)))
        for path, was in since.items():
            if was == known and now.get(path) in standing:
                found[path].append(now[path])
    names = {path: path for path, names in found.items() if not names}
    for _ in range(_GENERATIONS if commit else 0):
        if not names:
            break
        moved = _taken_away(top, commit, set(names.values()))
        names = {path: moved[name] for path, name in names.items() if name in moved}
        for path in [path for path, name in names.items() if name in standing]:
            found[path].append(names.pop(path))
    return {path: tuple(dict.fromkeys(each)) for path, each in found.items() if each}


def _since(top: Path, known: str, commit: str) -> bytes:
    form = ("-r", "-z", "-M", "-l1000", "--diff-filter=R", "--name-status")
    if not commit_of(top, known):
        return b""
    if not commit:
        return ask(top, "diff-index", "--cached", *form, known, "--")
    return ask(top, "diff-tree", *form, known, commit, "--")


def _taken_away(top: Path, commit: str, paths: Collection[str]) -> Mapping[str, str]:
    """Return the names that the last commits without these files gave them."""
    form = ("-m", "--no-renames", "--diff-filter=D", "--format=%H", "--max-count=2000")
    ordered = sorted(paths)
    parts = (ordered[at : at + _PATHS] for at in range(0, len(ordered), _PATHS))
    printed = b"".join(ask(top, "log", *form, commit, "--", *part) for part in parts)
    commits = dict.fromkeys(printed.split())
    if not commits:
        return {}
    how = ("-r", "-z", "-m", "-M", "-l1000", "--diff-filter=R", "--name-status")
    said = b"".join(name + b"\n" for name in commits)
    pairs = _pairs(ask(top, "diff-tree", "--stdin", "--no-commit-id", *how, said=said))
    moved: dict[str, str] = {}
    for old, new in pairs:
        moved.setdefault(old, new)  # the newest commit comes first
    return moved


def _pairs(out: bytes) -> Iterator[tuple[str, str]]:
    """Read `R100 NUL old NUL new NUL`, over and over."""
    tokens = iter(out.decode("utf-8", "surrogateescape").split("\0"))
    for token in tokens:
        if token.lstrip("\n").startswith("R"):
            yield next(tokens, ""), next(tokens, "")


def ask(top: Path, *arguments: str, said: bytes = b"", seconds: float = _SECONDS) -> bytes:
    """Return what git prints; nothing where it fails.

    Raises:
        NotPossible: There is no git, or it takes too long.
    """
    done = _run(top, *arguments, said=said, seconds=seconds)
    return b"" if done.code else done.out


def listed(top: Path, *arguments: str, index: str = "") -> bytes:
    """Return what git prints, where nothing means that there is nothing.

    Args:
        top: The top of the work tree.
        arguments: Of git.
        index: Another one than the repository's own.

    Raises:
        NotPossible: It fails, as in a repository that another user owns; the message has its words.
    """
    done = _run(top, *arguments, index=index)
    if done.code:
        raise _no_answer(done.error)
    return done.out


def need_answer(top: Path) -> None:
    """Refuse a repository about which git says nothing; `NotPossible` tells why."""
    listed(top, "rev-parse", "--git-dir")


def _run(
    top: Path, *arguments: str, said: bytes = b"", seconds: float = _SECONDS, index: str = ""
) -> Answer:
    answer = run(top, *arguments, said=said, seconds=seconds, index=index)
    if answer.code is None:
        raise _no_answer()
    return answer


def _lines(names: Iterable[str]) -> bytes:
    return b"".join(f"{name}\n".encode("utf-8", "surrogateescape") for name in names)


def _no_answer(said: bytes = b"") -> NotPossible:
    told = said.decode("utf-8", "replace").splitlines()
    words = next((line.removeprefix(_FATAL) for line in told if line.startswith(_FATAL)), "")
    hint = "check that `git log` works there and the clone is complete"
    if b"promisor remote" in said:
        hint = "this clone is partial; `git fetch --refetch --no-filter` fetches the rest"
    return NotPossible("git failed in this repository" + (f": {words}" if words else ""), hint=hint)
