"""The bytes of a small git repository, made without git: nothing is run to build a demo.

Formats: one pack with its index, refs and the index of version 2 as git's own documentation has
them (gitformat-pack, gitformat-index, gitrepository-layout). Times are fixed, so that every commit
has the same name. Nothing is packed as a difference: three files hold it all, and that is enough.
"""

from __future__ import annotations

import struct
import zlib
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha1
from typing import Final

_FILE: Final = 0o100644
_KINDS: Final[Mapping[str, int]] = {"commit": 1, "tree": 2, "blob": 3}
"""Of an object, in a pack."""
_CONFIG: Final = b"[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n"


class Repository:
    """Collects commits, and gives the files below `.git`."""

    def __init__(self) -> None:
        """Begin without a commit."""
        self._objects: dict[str, tuple[str, bytes]] = {}
        self._branches: dict[str, str] = {}

    def commit(
        self,
        branch: str,
        files: Mapping[str, bytes],
        message: str,
        at: int,
        who: str = "remem demo",
    ) -> None:
        """Commit a whole tree onto a branch, which begins where the others are if it is new.

        Args:
            branch: It moves to the commit.
            files: Bytes by path: all that the commit holds.
            message: Its subject.
            at: Seconds since 1970, in UTC.
            who: The name of its author.
        """
        newest = next(reversed(self._branches.values()), "")
        parent = self._branches.get(branch, newest)
        lines = [f"tree {self._tree(files)}"]
        lines += [f"parent {parent}"] if parent else []
        signed = f"{who} <{who.lower().replace(' ', '.')}@example.invalid> {at} +0000"
        lines += [f"author {signed}", f"committer {signed}", "", message, ""]
        self._branches[branch] = self._add("commit", "\n".join(lines).encode())

    def files(
        self, branch: str, checked_out: Mapping[str, bytes], excluded: Sequence[str] = ()
    ) -> Iterator[tuple[str, bytes]]:
        """Yield every file of the repository by its path, `.git/HEAD` last.

        Args:
            branch: The one that is checked out.
            checked_out: What its commit holds.
            excluded: Patterns of files that git leaves alone here.
        """
        pack, index = self._packed()
        name = f".git/objects/pack/pack-{pack[-20:].hex()}"
        yield f"{name}.pack", pack
        yield f"{name}.idx", index
        for each, commit in self._branches.items():
            yield f".git/refs/heads/{each}", f"{commit}\n".encode()
        yield ".git/config", _CONFIG
        if excluded:
            yield ".git/info/exclude", "".join(f"{each}\n" for each in excluded).encode()
        yield ".git/index", self._index(checked_out)
        yield ".git/HEAD", f"ref: refs/heads/{branch}\n".encode()

    def _add(self, kind: str, data: bytes) -> str:
        name = sha1(b"%s %d\0%s" % (kind.encode(), len(data), data), usedforsecurity=False)
        self._objects.setdefault(name.hexdigest(), (kind, data))
        return name.hexdigest()

    def _packed(self) -> tuple[bytes, bytes]:
        """Return the pack of all objects, and the index that says where in it each one is."""
        pack = bytearray(b"PACK" + struct.pack(">2L", 2, len(self._objects)))
        places: dict[str, tuple[int, int]] = {}
        for name, (kind, data) in self._objects.items():
            row = _head(kind, len(data)) + zlib.compress(data, 1)
            places[name] = (zlib.crc32(row), len(pack))
            pack += row
        pack += sha1(pack, usedforsecurity=False).digest()
        names = sorted(places)
        firsts = [int(name[:2], 16) for name in names]
        index = b"\xfftOc" + struct.pack(">L", 2)
        index += struct.pack(">256L", *(bisect_right(firsts, each) for each in range(256)))
        index += b"".join(map(bytes.fromhex, names))
        for part in zip(*(places[name] for name in names), strict=True):
            index += struct.pack(f">{len(part)}L", *part)
        index += bytes(pack[-20:])
        return bytes(pack), index + sha1(index, usedforsecurity=False).digest()

    def _tree(self, files: Mapping[str, bytes]) -> str:
        """Add a folder with all below it, and return its name."""
        folders: dict[str, dict[str, bytes]] = {}
        here: dict[str, tuple[bytes, str]] = {}
        for path, data in files.items():
            first, slash, rest = path.partition("/")
            if slash:
                folders.setdefault(first, {})[rest] = data
            else:
                here[first] = (b"100644", self._add("blob", data))
        # git sorts a folder as if its name ended with a slash.
        here |= {f"{name}/": (b"40000", self._tree(below)) for name, below in folders.items()}
        rows = (
            b"%s %s\0%s" % (mode, name.rstrip("/").encode(), bytes.fromhex(each))
            for name, (mode, each) in sorted(here.items())
        )
        return self._add("tree", b"".join(rows))

    def _index(self, files: Mapping[str, bytes]) -> bytes:
        """Return an index that knows no file's times, so that git looks at each once."""
        rows = []
        for path, data in sorted(files.items()):
            name, blob = path.encode(), bytes.fromhex(self._add("blob", data))
            row = struct.pack(">6L", 0, 0, 0, 0, 0, 0) + struct.pack(">4L", _FILE, 0, 0, 0)
            row += blob + struct.pack(">H", len(name)) + name
            rows.append(row + b"\0" * (8 - len(row) % 8))
        index = b"DIRC" + struct.pack(">2L", 2, len(rows)) + b"".join(rows)
        return index + sha1(index, usedforsecurity=False).digest()


def _head(kind: str, size: int) -> bytes:
    """Return what stands before an object in a pack: its kind and how long it is."""
    head, size = bytearray([_KINDS[kind] << 4 | size & 15]), size >> 4
    while size:
        head[-1] |= 128
        head.append(size & 127)
        size >>= 7
    return bytes(head)
