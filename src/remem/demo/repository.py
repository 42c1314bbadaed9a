"""The bytes of a small git repository, made without git: nothing is run to build a demo.

Formats: loose objects, refs and the index of version 2 as git's own documentation has them
(gitformat-index, gitrepository-layout). Times are fixed, so that every commit has the same name.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Mapping
from hashlib import sha1
from typing import Final

_FILE: Final = 0o100644
_WHO: Final = "remem demo <demo@example.invalid>"
_CONFIG: Final = b"[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n"


class Repository:
    """Collects commits, and gives the files below `.git`."""

    def __init__(self) -> None:
        """Begin without a commit."""
        self._objects: dict[str, bytes] = {}
        self._branches: dict[str, str] = {}

    def commit(self, branch: str, files: Mapping[str, str], message: str, at: int) -> None:
        """Commit a whole tree onto a branch, which begins where the others are if it is new.

        Args:
            branch: It moves to the commit.
            files: Text by path: all that the commit holds.
            message: Its subject.
            at: Seconds since 1970, in UTC.
        """
        newest = next(reversed(self._branches.values()), "")
        parent = self._branches.get(branch, newest)
        lines = [f"tree {self._tree(files)}"]
        lines += [f"parent {parent}"] if parent else []
        lines += [f"author {_WHO} {at} +0000", f"committer {_WHO} {at} +0000", "", message, ""]
        self._branches[branch] = self._add("commit", "\n".join(lines).encode())

    def files(self, branch: str, checked_out: Mapping[str, str]) -> Iterator[tuple[str, bytes]]:
        """Yield every file of the repository by its path, `.git/HEAD` last.

        Args:
            branch: The one that is checked out.
            checked_out: What its commit holds.
        """
        for name, data in self._objects.items():
            yield f".git/objects/{name[:2]}/{name[2:]}", zlib.compress(data)
        for each, commit in self._branches.items():
            yield f".git/refs/heads/{each}", f"{commit}\n".encode()
        yield ".git/config", _CONFIG
        yield ".git/index", self._index(checked_out)
        yield ".git/HEAD", f"ref: refs/heads/{branch}\n".encode()

    def _add(self, kind: str, data: bytes) -> str:
        whole = b"%s %d\0%s" % (kind.encode(), len(data), data)
        name = sha1(whole, usedforsecurity=False).hexdigest()
        self._objects[name] = whole
        return name

    def _tree(self, files: Mapping[str, str]) -> str:
        """Add a folder with all below it, and return its name."""
        folders: dict[str, dict[str, str]] = {}
        here: dict[str, tuple[bytes, str]] = {}
        for path, text in files.items():
            first, slash, rest = path.partition("/")
            if slash:
                folders.setdefault(first, {})[rest] = text
            else:
                here[first] = (b"100644", self._add("blob", text.encode()))
        # git sorts a folder as if its name ended with a slash.
        here |= {f"{name}/": (b"40000", self._tree(below)) for name, below in folders.items()}
        rows = (
            b"%s %s\0%s" % (mode, name.rstrip("/").encode(), bytes.fromhex(each))
            for name, (mode, each) in sorted(here.items())
        )
        return self._add("tree", b"".join(rows))

    def _index(self, files: Mapping[str, str]) -> bytes:
        """Return an index that knows no file's times, so that git looks at each once."""
        rows = []
        for path, text in sorted(files.items()):
            name, blob = path.encode(), bytes.fromhex(self._add("blob", text.encode()))
            row = struct.pack(">6L", 0, 0, 0, 0, 0, 0) + struct.pack(">4L", _FILE, 0, 0, 0)
            row += blob + struct.pack(">H", len(name)) + name
            rows.append(row + b"\0" * (8 - len(row) % 8))
        data = b"DIRC" + struct.pack(">2L", 2, len(rows)) + b"".join(rows)
        return data + sha1(data, usedforsecurity=False).digest()
