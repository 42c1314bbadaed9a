"""Which files and lines a change adds: in the work tree, in the index, or between two commits.

Lines are compared here and not by git, so that no filter, driver or difference program of anybody's
configuration runs; git lists the files and hands out what it has. Line ends do not count.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import field, replace
from functools import cached_property
from pathlib import Path
from typing import Final

from remem.base.errors import NotPossible
from remem.base.frozen import dataclass
from remem.code.blobs import blobs, commit_of, listed, texts_at
from remem.code.code_reader import Gap, NoText, Reading, Text
from remem.code.commit_ranges import ends_of
from remem.code.git import index_of_commit
from remem.code.worktree import Looks, Worktree, top_of
from remem.edit.lines import runs

_LINKS: Final = frozenset({"120000", "160000"})
_PATHS: Final = 500
"""Paths on one command line."""


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """A file as it is after a change."""

    path: str
    """From the root, with slashes."""
    lines: tuple[str, ...]
    added: frozenset[int] | None
    """Numbers of the lines that came, from 1; `None` = all of them."""
    was: str = ""
    """Its path before the change, where that was another one."""

    @property
    def adds(self) -> bool:
        """False: it was only given another name."""
        return self.added is None or bool(self.added)

    def is_added(self, line: int) -> bool:
        return self.added is None or line in self.added


class Tree:
    """All files before and after a change; nobody is asked before they are needed."""

    def __init__(
        self,
        before: Callable[[], Iterable[str]],
        after: Callable[[], Iterable[str]],
        read: Callable[[str], Sequence[str]] = lambda _: (),
    ) -> None:
        """Keep who to ask for their names, and for the lines of one as it is after it."""
        self._before, self._after, self._read = before, after, read
        self._known: dict[str, Sequence[str]] = {}

    @classmethod
    def of(cls, names: Iterable[str], read: Callable[[str], Sequence[str]] = lambda _: ()) -> Tree:
        """Return one that is all new."""
        return cls(tuple, lambda: names, read)

    def read(self, path: str) -> Sequence[str]:
        """Return the lines of a file after the change; none where it has no text."""
        if path not in self._known:
            self._known[path] = self._read(path)
        return self._known[path]

    @cached_property
    def before(self) -> frozenset[str]:
        return frozenset(self._before())

    @cached_property
    def after(self) -> frozenset[str]:
        return frozenset(self._after())


@dataclass(frozen=True, slots=True)
class Looked:
    """What was found to look at."""

    files: tuple[ChangedFile, ...]
    unread: tuple[tuple[str, str], ...] = ()
    """Paths that could not be read, each with the reason."""
    tree: Tree = field(default_factory=lambda: Tree.of(()))
    uncommitted: tuple[str, ...] = ()
    """Of a range that ends at HEAD: its files that the work tree has otherwise."""


@dataclass(frozen=True, slots=True)
class _Pair:
    path: str
    """Path from the repository root."""
    old: str
    """Name of the object before; empty = there was none."""
    new: str
    """Name of the object after; empty = it is read from the work tree."""
    was: str = ""
    """Its path before, where it was renamed."""


class Changes:
    """Looks for changes below one root."""

    def __init__(self, disk: Looks, root: Path) -> None:
        """Find the repository that the root lies in; nothing is read yet."""
        self._disk = disk
        self._tree = Worktree(disk, root)
        self.has_git = top_of(disk, root) is not None
        self._top = self._tree.top
        below = root.relative_to(self._top).as_posix() if root != self._top else ""
        self._prefix = f"{below}/" if below else ""

    def between(self, asked: str) -> Looked:
        """Return what came between two commits: `A..B`, `A...B`, or since `A`.

        Raises:
            NotPossible: No repository, or no such commits.
        """
        self._need_git()
        ends = ends_of(self._top, asked)
        if not ends.new:
            return self._since(ends.old)
        out = listed(self._top, "diff-tree", *_RAW, ends.old, ends.new, "--")
        tree = Tree(
            lambda: self._at(ends.old),
            lambda: self._at(ends.new),
            lambda path: self._lines_at(ends.new, path),
        )
        found = replace(self._compared(_pairs(out)), tree=tree)
        if ends.new_name != "HEAD":
            return found
        files = {each.path for each in found.files}
        return replace(found, uncommitted=self._edited(ends.new, files))

    def staged(self) -> Looked:
        """Return what the next commit would add; in a hook of one, what that one would."""
        self._need_git()
        index = index_of_commit(self._disk, self._top)
        base = commit_of(self._top, "HEAD") or self._nothing()
        out = listed(self._top, "diff-index", "--cached", *_RAW, base, "--", index=index)

        def staged() -> list[str]:
            return self._below(listed(self._top, "ls-files", "-z", "--cached", index=index))

        tree = Tree(lambda: self._at(base), staged, self.lines)
        return replace(self._compared(_pairs(out)), tree=tree)

    def since_head(self) -> Looked:
        """Return what the work tree has more than the last commit, untracked files included."""
        self._need_git()
        return self._since(commit_of(self._top, "HEAD") or self._nothing())

    def whole(self, paths: Collection[str] | None = None) -> Looked:
        """Return files with all their lines, as they lie in the work tree.

        Args:
            paths: From the root; `None` = every file that git tracks or would.

        Raises:
            NotPossible: Every file is asked for, and there is no repository to name them.
        """
        tree = Tree.of(())
        if paths is None:
            self._need_git()
            paths = [path.removeprefix(self._prefix) for path in self._listed()]
            tree = Tree.of(paths, self.lines)
        elif self.has_git:
            asked = {path.rpartition("/")[0] for path in paths}

            def elsewhere() -> list[str]:
                return [name for name in self.named() if name.rpartition("/")[0] not in asked]

            tree = Tree(elsewhere, self.named, self.lines)
        read = self._tree.texts([self._prefix + path for path in paths])
        found = self._told((path, None, reading, "") for path, reading in read.items())
        return replace(found, tree=tree)

    def named(self) -> tuple[str, ...]:
        """Return the paths of all files below the root that git tracks or would."""
        if not self.has_git:
            return ()
        return tuple(path.removeprefix(self._prefix) for path in self._listed())

    def _edited(self, commit: str, files: Collection[str]) -> tuple[str, ...]:
        """Return which of these files hold something else in the work tree than in a commit."""
        if not files:
            return ()
        # Asked for some files alone, git looks at no others.
        asked = [self._prefix + path for path in files] if len(files) <= _PATHS else []
        out = listed(self._top, "diff-index", *_RAW, "--no-renames", commit, "--", *asked)
        pairs = [
            pair
            for pair in _pairs(out)
            if pair.old and pair.path.removeprefix(self._prefix) in files
        ]
        if not pairs:
            return ()
        # What git lists may be a file that was only written anew.
        objects = blobs(self._top, {pair.old for pair in pairs})
        lying = self._tree.texts([pair.path for pair in pairs])
        edited = (pair.path for pair in pairs if objects[pair.old] != lying[pair.path])
        return tuple(path.removeprefix(self._prefix) for path in edited)

    def _since(self, base: str) -> Looked:
        out = listed(self._top, "diff-index", *_RAW, base, "--")
        pairs = [replace(pair, new="") for pair in _pairs(out)]
        known = {pair.path for pair in pairs}
        fresh = [path for path in self._untracked() if path not in known]
        found = self._compared([*pairs, *(_Pair(path, "", "") for path in fresh)])
        return replace(found, tree=Tree(lambda: self._at(base), self._lying, self.lines))

    def lines(self, path: str) -> Sequence[str]:
        """Return the lines of a file as it lies in the work tree; none where it has no text."""
        return _lines_of(self._tree.texts([self._prefix + path])[self._prefix + path])

    def _lines_at(self, commit: str, path: str) -> Sequence[str]:
        place = (commit, self._prefix + path)
        return _lines_of(texts_at(self._top, [place])[place])

    def _at(self, commit: str) -> list[str]:
        """Return the names of all files of a commit."""
        return self._below(listed(self._top, "ls-tree", "-r", "-z", "--name-only", commit))

    def _lying(self) -> list[str]:
        """Return the names of all files that lie in the work tree."""
        gone = set(self._below(listed(self._top, "ls-files", "-z", "--deleted")))
        return [name for name in self.named() if name not in gone]

    def _below(self, out: bytes) -> list[str]:
        names = (os.fsdecode(path) for path in out.split(b"\0") if path)
        return [n.removeprefix(self._prefix) for n in names if n.startswith(self._prefix)]

    def _compared(self, pairs: Collection[_Pair]) -> Looked:
        inside = [pair for pair in pairs if pair.path.startswith(self._prefix)]
        names = {name for pair in inside for name in (pair.old, pair.new) if name}
        objects = {name: _held(read) for name, read in blobs(self._top, names).items()}
        lying = self._tree.texts([pair.path for pair in inside if not pair.new])
        return self._told(
            (
                pair.path,
                objects[pair.old] if pair.old else NO_LINES,
                objects[pair.new] if pair.new else lying[pair.path],
                pair.was,
            )
            for pair in inside
        )

    def _told(self, found: Iterable[tuple[str, Reading | None, Reading, str]]) -> Looked:
        files: list[ChangedFile] = []
        unread: list[tuple[str, str]] = []
        for path, old, new, was in found:
            short = path.removeprefix(self._prefix)
            if old is _LOST:
                new = old  # what came cannot be told
            if isinstance(new, NoText):
                if new.gap not in _NO_CODE:
                    unread.append((short, new.why))
                continue
            if not was.startswith(self._prefix) and was:
                old, was = NO_LINES, ""  # what comes from outside of the root is new to it
            before = old.lines if isinstance(old, Text) else ()
            added = None if old is None else added_lines(before, new.lines)
            if added is None or added or was:
                files.append(ChangedFile(short, new.lines, added, was.removeprefix(self._prefix)))
        return Looked(tuple(files), tuple(unread))

    def _listed(self) -> list[str]:
        tracked = self._tree.tracked() or ()
        every = dict.fromkeys((*tracked, *self._untracked()))
        return [path for path in every if path.startswith(self._prefix)]

    def _untracked(self) -> list[str]:
        """Return files that nobody added; links and other repositories are none."""
        out = listed(self._top, "ls-files", "-z", "--others", "--exclude-standard")
        names = (os.fsdecode(path) for path in out.split(b"\0") if path)
        kind, top = self._disk.kind, self._top
        return [each for each in names if each[-1] != "/" and kind(top / each) != "link"]

    def _nothing(self) -> str:
        """Return the name of the empty tree: what a repository without commits starts from."""
        out = listed(self._top, "hash-object", "-t", "tree", "--stdin")
        return out.decode("ascii").strip()

    def _need_git(self) -> None:
        if not self.has_git:
            raise NotPossible("this is not a git repository", hint="name the files with `--files`")


def _lines_of(reading: Reading) -> Sequence[str]:
    return reading.lines if isinstance(reading, Text) else ()


def _held(read: Reading) -> Reading:
    """Return what an object holds that git named; that it has none such is no empty file."""
    is_lost = isinstance(read, NoText) and read.gap is Gap.MISSING
    return _LOST if is_lost else read


NO_LINES: Final = Text(())
_LOST: Final = NoText(Gap.UNREADABLE, "this clone lacks its object; `git fsck` names all it lacks")
_NO_CODE: Final = frozenset({"binary", "missing"})
"""Gaps that are nothing to tell: programs and pictures, and what went meanwhile."""
_RAW: Final = ("-r", "-z", "--raw", "-M", "-l1000", "--no-abbrev", "--diff-filter=AMRT")


def added_lines(old: Sequence[str], new: Sequence[str]) -> frozenset[int]:
    """Return the numbers of the lines in `new`, from 1, that `old` does not have in their place."""
    start = tail = 0
    most = min(len(old), len(new))
    while start < most and old[start] == new[start]:
        start += 1
    while tail < most - start and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    before, after = old[start : len(old) - tail], new[start : len(new) - tail]
    added = frozenset(range(start + 1, start + len(after) + 1))
    if not before or not after:
        return added
    # A line that stands on one side alone came or went; only the others have to be matched.
    known, left = set(before), set(after)
    places = [number for number, line in enumerate(after, start + 1) if line in known]
    standing = [new[number - 1] for number in places]
    same = runs([line for line in before if line in left], standing)
    return added.difference(*(places[each.b : each.b + each.length] for each in same))


def _pairs(out: bytes) -> list[_Pair]:
    """Read `:mode mode name name status NUL path NUL`, over and over.

    Of a renamed file both paths follow, the old one first.
    """
    tokens = iter(out.split(b"\0"))
    found: list[_Pair] = []
    for head in tokens:
        fields = head.decode("ascii", "replace").lstrip(":").split()
        if len(fields) != 5:
            continue
        was = os.fsdecode(next(tokens, b"")) if fields[4].startswith("R") else ""
        path = os.fsdecode(next(tokens, b""))
        if fields[1] not in _LINKS:
            found.append(_Pair(path, _object(fields[2]), _object(fields[3]), was))
    return found


def _object(name: str) -> str:
    return "" if not name.strip("0") else name
