"""Asks git where it stands, what it has and what it leaves out; all through git and a few files."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Mapping
from hashlib import sha1, sha256
from pathlib import Path
from typing import Final, Protocol

from remem.base.errors import RememError
from remem.base.frozen import dataclass
from remem.code.git_process import INDEX_VARIABLE, run

_SECONDS: Final = 5
_LINKS: Final = 5
"""Refs that name another ref, before it is called a circle."""
_TIMES: Final = re.compile(r"^\s*([cm]time): (\d+):(\d+)", re.MULTILINE)
"""Of the file that the index has seen, in seconds and nanoseconds."""
_COMMIT: Final = re.compile(rb"[0-9a-f]{40}|[0-9a-f]{64}")


class _Stamped(Protocol):
    @property
    def size(self) -> int: ...


class Looks(Protocol):
    """What is needed of the seam for files."""

    def kind(self, path: Path) -> str | None: ...
    def stamp(self, path: Path) -> _Stamped | None: ...
    def read(self, path: Path) -> bytes: ...
    def times(self, path: Path) -> tuple[int, int] | None: ...


@dataclass(frozen=True, slots=True)
class _Repository:
    own: Path
    """Of this work tree: HEAD and the index."""
    shared: Path
    """Of all its work trees: branches and the stash."""


def person_at(folder: Path) -> str:
    """Return who decides in `folder`: by the name that git commits under, else who is logged in.

    In a container whose user has no name it is `someone`.
    """
    told = run(folder, "config", "--get", "user.name", seconds=_SECONDS)
    name = told.out.decode("utf-8", "replace").strip()
    if name:
        return name
    import getpass

    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return "someone"


def state(disk: Looks, folder: Path) -> str:
    """Return a token that is another one once git has moved; empty without a repository.

    It moves with HEAD, the commit it stands for, and the stash. Not with the index: `git status`
    rewrites that one as it likes, and what git puts into a work tree without moving HEAD it has as
    a blob, so that `knows` tells. Only a few small files are looked at, and nothing is run.

    Args:
        disk: The seam for files.
        folder: The work tree, or a folder in it.
    """
    found = _repository(disk, folder)
    if found is None:
        return ""
    own, shared = found.own, found.shared
    # Reftables name the commits of all branches in one list, and HEAD says nothing there.
    stamped = (
        shared / "packed-refs",
        shared / "logs" / "refs" / "stash",
        shared / "reftable" / "tables.list",
        own / "reftable" / "tables.list",
    )
    parts: list[object] = [_head(disk, found), _small(disk, shared / "refs" / "stash")]
    parts += [disk.stamp(path) for path in stamped]
    return sha256(repr(parts).encode("utf-8", "surrogateescape")).hexdigest()[:32]


def head_commit(disk: Looks, folder: Path) -> str:
    """Return the id of HEAD's commit as git's files say it, without starting git.

    Empty where they do not: before the first commit, with reftables, without a repository.
    """
    found = _repository(disk, folder)
    if found is None:
        return ""
    *names, last = _head(disk, found)
    if not last.strip() and names:
        last = _packed(disk, found, names[-1].removeprefix(b"ref:").strip())
    return last.strip().decode() if _COMMIT.fullmatch(last.strip()) else ""


def _packed(disk: Looks, found: _Repository, name: bytes) -> bytes:
    """Return the commit that the list of packed refs has for a branch."""
    before, named, _ = _small(disk, found.shared / "packed-refs").partition(b" " + name + b"\n")
    return before.rpartition(b"\n")[2] if named else b""


def knows(folder: Path, data: bytes) -> bool:
    """Tell whether git has these bytes as a file of some commit, stash or index.

    With line ends of its own making a work tree differs from what git has, so both are asked for.
    """
    if not data:
        return False  # every git has the empty file, and a writer who truncates leaves one
    texts = {data, data.replace(b"\r\n", b"\n")}
    blobs = [b"blob %d\0" % len(text) + text for text in texts]
    names = [make(blob).hexdigest() for blob in blobs for make in (sha1, sha256)]
    asked = "".join(f"{name}\n" for name in names).encode()
    answer = run(folder, "cat-file", "--batch-check", said=asked, seconds=_SECONDS)
    return any(line.split()[1:2] == [b"blob"] for line in answer.out.splitlines())


def committed_at(folder: Path, name: str, data: bytes) -> float | None:
    """Return when the last commit that changed a file was made, in seconds since the epoch.

    Args:
        folder: In the work tree.
        name: The file's path from there.
        data: Its bytes: where they are not those of that commit, the answer is `None`.
    """
    blob = run(folder, "cat-file", "blob", f"HEAD:./{name}", seconds=_SECONDS).out
    if not blob or blob.replace(b"\r\n", b"\n") != data.replace(b"\r\n", b"\n"):
        return None
    told = run(folder, "log", "-1", "--format=%ct", "--", f"./{name}", seconds=_SECONDS).out
    return float(told) if told.strip().isdigit() else None


def at_head(folder: Path, name: str) -> bytes | None:
    """Return what HEAD's commit has as a file; `None` = it has none.

    Args:
        folder: In the work tree.
        name: The file's path from there.
    """
    told = run(folder, "cat-file", "blob", f"HEAD:./{name}", seconds=_SECONDS)
    return told.out if told.code == 0 else None


def has_log(disk: Looks, folder: Path) -> bool:
    """Tell whether HEAD's log, by which `moved_over` goes, is kept."""
    found = _repository(disk, folder)
    return found is not None and bool(_small(disk, found.own / "logs" / "HEAD"))


def moved_over(disk: Looks, folder: Path, since: float) -> bool:
    """Tell whether HEAD was moved otherwise than by a commit made here, as its log has it.

    Args:
        disk: The seam for files.
        folder: The work tree, or a folder in it.
        since: Seconds since the epoch.
    """
    found = _repository(disk, folder)
    log = b"" if found is None else _small(disk, found.own / "logs" / "HEAD")
    for line in reversed(log.splitlines()):
        who, _, what = line.partition(b"\t")
        moment = who.split(b" ")[-2:-1]
        if not moment or not moment[0].isdigit() or int(moment[0]) < int(since):
            return False
        if not what.startswith(b"commit"):
            return True
    return False


def logs_of(disk: Looks, folder: Path) -> tuple[int, int]:
    """Return how long the logs of HEAD and of the stash are, in bytes; 0 = there is none."""
    found = _repository(disk, folder)
    if found is None:
        return 0, 0
    stamps = (
        disk.stamp(path)
        for path in (found.own / "logs" / "HEAD", found.shared / "logs" / "refs" / "stash")
    )
    head, stash = (0 if stamp is None else stamp.size for stamp in stamps)
    return head, stash


_MADE_HERE: Final = (b"commit: ", b"commit (amend): ", b"commit (initial): ")


def only_committed(disk: Looks, folder: Path, since: tuple[int, int]) -> bool:
    """Tell whether all that git did was commits made here, which write no file of the work tree.

    Args:
        disk: The seam for files.
        folder: The work tree, or a folder in it.
        since: What `logs_of` gave when it was looked last.
    """
    found = _repository(disk, folder)
    head, stash = since
    log = b"" if found is None else _small(disk, found.own / "logs" / "HEAD")
    if len(log) <= head or logs_of(disk, folder)[1] != stash:
        return False
    return all(line.partition(b"\t")[2].startswith(_MADE_HERE) for line in log[head:].splitlines())


def in_head(folder: Path, files: Mapping[Path, bytes]) -> Mapping[Path, bool]:
    """Return of files whether HEAD has them, and with these bytes; false = with others.

    Line ends of its own making count as git's. All lie in the work tree of `folder`.
    """
    top = folder_of(folder)
    names = {os.fsencode(os.path.relpath(path, top)): path for path in files}
    asked = b"".join(b"HEAD:" + name + b"\n" for name in names if b"\n" not in name)
    answer = run(top, "cat-file", "--batch-check", said=asked, seconds=_SECONDS)
    found: dict[Path, bool] = {}
    for name, line in zip(
        (n for n in names if b"\n" not in n), answer.out.splitlines(), strict=False
    ):
        parts, path = line.split(), names[name]
        if parts[1:2] == [b"blob"]:
            texts = (files[path], files[path].replace(b"\r\n", b"\n"))
            blobs = [b"blob %d\0" % len(text) + text for text in texts]
            made = {make(blob).hexdigest().encode() for blob in blobs for make in (sha1, sha256)}
            found[path] = parts[0] in made
    return found


def last_commit(folder: Path, path: Path, since: float = 0) -> str:
    """Return which commit changed a file last, and whose it is: `1a2b3c4 by Kim`; empty = none.

    Args:
        folder: In the work tree.
        path: The file.
        since: Seconds since the epoch; what was committed before did not write the file now.
    """
    asked = ("-1", "--format=%ct %h by %an", "--", str(path))
    told = run(folder, "log", *asked, seconds=_SECONDS).out.decode("utf-8", "replace").strip()
    moment, _, named = told.partition(" ")
    return named if moment.isdigit() and int(moment) >= int(since) else ""


def wrote(disk: Looks, path: Path) -> bool:
    """Tell whether git put a file where it is: its index knows the very file that lies there.

    The same bytes that anybody else moved or wrote there are a file that the index has not seen.
    While git is at work its index is not written yet, so that counts as git's.
    """
    found = _repository(disk, path.parent)
    if found is None:
        return False
    if disk.kind(found.own / "index.lock") is not None:
        return True
    told = run(path.parent, "ls-files", "--debug", "--", path.name, seconds=_SECONDS).out
    found_at = _TIMES.findall(told.decode("utf-8", "replace"))
    noted = {name: (int(seconds), int(rest)) for name, seconds, rest in found_at}
    now = dict(zip(("ctime", "mtime"), disk.times(path) or (), strict=False))
    return bool(now) and all(_is_at(noted.get(name), moment) for name, moment in now.items())


def _is_at(noted: tuple[int, int] | None, nanoseconds: int) -> bool:
    """Tell whether the index has that moment; some keep whole seconds alone."""
    seconds, rest = divmod(nanoseconds, 1_000_000_000)
    return noted is not None and noted[0] == seconds and noted[1] in (0, rest)


def folder_of(folder: Path) -> Path:
    """Return the top of the work tree that a folder lies in; the folder itself outside of git."""
    places = (each for each in (folder, *folder.parents) if (each / ".git").exists())
    return next(places, folder)


def index_of_commit(disk: Looks, top: Path) -> str:
    """Return the index of the commit under way whose hook this is; empty = the repository's own.

    `git commit -a` and `git commit FILE` commit from one that they make beside the one that lies
    there, and leave both as they were where a hook says no.
    """
    told, found = os.environ.get(INDEX_VARIABLE, ""), _repository(disk, top)
    if not told or found is None:
        return ""
    index = Path(os.path.realpath(top / told))
    return str(index) if index.parent == Path(os.path.realpath(found.own)) else ""


def _repository(disk: Looks, folder: Path) -> _Repository | None:
    for place in (folder, *folder.parents):
        kind = disk.kind(place / ".git")
        if kind is not None:
            own = place / ".git" if kind != "file" else _led_to(disk, place / ".git", b"gitdir:")
            return None if own is None else _Repository(own, _shared(disk, own))
    return None


def _shared(disk: Looks, own: Path) -> Path:
    return _led_to(disk, own / "commondir", b"") or own


def _led_to(disk: Looks, file: Path, prefix: bytes) -> Path | None:
    """Return where a file that holds a path leads; relative to the folder it lies in."""
    text = _small(disk, file)
    if not text.startswith(prefix) or not text[len(prefix) :].strip():
        return None
    return file.parent / os.fsdecode(text[len(prefix) :].strip())


def _head(disk: Looks, found: _Repository) -> tuple[bytes, ...]:
    """Return HEAD, what it names, and so on to a commit."""
    texts = [_small(disk, found.own / "HEAD")]
    for _ in range(_LINKS):
        if not texts[-1].startswith(b"ref:"):
            break
        name = os.fsdecode(texts[-1].removeprefix(b"ref:").strip())
        if not name.startswith("refs/") or ".." in name:
            break
        texts.append(_small(disk, found.own / name) or _small(disk, found.shared / name))
    return tuple(texts)


def _small(disk: Looks, path: Path) -> bytes:
    try:
        return disk.read(path)
    except RememError:
        return b""


_PATHS: Final = 500
"""Paths on one command line."""


def ignored_below(folder: Path) -> frozenset[str] | None:
    """Return the folders below one that git ignores, by their path from it.

    One of which nothing is kept stands for all that is in it. `None` = git says nothing of this
    folder: it has no repository around it, or is ignored itself.
    """
    how = ("--others", "--ignored", "--exclude-standard", "--directory", "--no-empty-directory")
    names = _names(folder, *how)
    if names is None or any(name in ("./", "/") for name in names):
        return None
    return frozenset(name.rstrip("/") for name in names if name.endswith("/"))


def kept_of(folder: Path, places: Collection[str]) -> frozenset[str]:
    """Return those places below a folder in which git keeps something."""
    ordered = sorted(places)[:_PATHS]
    if not ordered:
        return frozenset()
    names = tracked_below(folder, *ordered)
    return frozenset(each for each in ordered if any(n.startswith(f"{each}/") for n in names))


def tracked_below(folder: Path, *only: str) -> tuple[str, ...]:
    """Return the files below a folder that git keeps, by their path from it; none without git."""
    return _names(folder, "--", *only) or ()


def _names(folder: Path, *arguments: str) -> tuple[str, ...] | None:
    """Return what git lists; `None` = it gives no answer."""
    answer = run(folder, "ls-files", "-z", *arguments)
    if answer.code != 0:
        return None
    return tuple(os.fsdecode(name) for name in answer.out.split(b"\0") if name)
