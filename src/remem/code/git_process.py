"""Starts git: nothing else in the house does.

Nothing of a repository is ever run: no hook, filter, pager, difference or signature program, no
file system monitor, no fetch, no helper that asks for a password; a clone, or a folder that came
with a `.git` of its own, may name a program in each of these places. And git's own locks are not
taken, so that nobody's command fails because of us.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Timer
from typing import Final

from remem.base.frozen import dataclass

Process = subprocess.Popen[bytes]
INDEX_VARIABLE: Final = "GIT_INDEX_FILE"
_SECONDS: Final = 60.0
_WHERE: Final = frozenset(
    f"GIT_{name}"
    for name in (
        *("DIR", "WORK_TREE", "INDEX_FILE", "COMMON_DIR", "NAMESPACE", "PREFIX"),
        *("OBJECT_DIRECTORY", "ALTERNATE_OBJECT_DIRECTORIES"),
    )
)
"""What a hook's environment says of another repository than the one asked about."""
_QUIET: Final = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "",  # empty = no program asks, not even that of the configuration
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",  # an older git knows no GIT_NO_LAZY_FETCH
    "LC_ALL": "C",
}
_SETTINGS: Final = (
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
    "core.pager=cat",
    "core.askPass=",
    "core.sshCommand=false",
    "credential.helper=",  # empty = forget those that were named before
    "gpg.program=false",
    "log.showSignature=false",
    "submodule.recurse=false",
    "diff.submodule=short",  # else git starts another one in there, and that one its drivers
    "safe.bareRepository=explicit",  # a folder that only looks like a repository is none
    "blame.ignoreRevsFile=",
)
"""Given on the command line, which has the last word, and which every git understands."""
_DIFFERS: Final = ("--no-ext-diff", "--no-textconv")
_LOGS: Final = (*_DIFFERS, "--no-show-signature", "--no-color")
_SAFELY: Final[Mapping[str, tuple[str, ...]]] = {
    "blame": ("--no-textconv",),
    "cat-file": (),
    "config": (),
    # In a submodule git would start itself, and that one the filters that the submodule names.
    "diff-index": (*_DIFFERS, "--ignore-submodules=all"),
    "diff-tree": _DIFFERS,
    "for-each-ref": (),
    "grep": ("--no-textconv", "--no-recurse-submodules", "--no-color"),
    "hash-object": (),
    "log": _LOGS,
    "ls-files": (),
    "ls-tree": (),
    "merge-base": (),
    "rev-list": (),
    "rev-parse": (),
    "show": _LOGS,
}
"""The commands that are asked, with what takes programs from them that a driver may name.

Drivers bear any name, so that no setting could take them all away.
"""
_FILTER_KEYS: Final = {"clean": "", "smudge": "", "process": "", "required": "false"}


@dataclass(frozen=True, slots=True)
class Answer:
    """What git said."""

    out: bytes = b""
    error: bytes = b""
    code: int | None = None
    """`None`: it could not be started, or was stopped."""
    is_whole: bool = True
    """False: it was stopped by the time or by the number of bytes; `out` is what came before."""


def run(
    folder: Path,
    command: str,
    *arguments: str,
    said: bytes = b"",
    seconds: float = _SECONDS,
    most: int | None = None,
    index: str = "",
    is_literal: bool = True,
) -> Answer:
    """Ask git and wait for what it says; what goes wrong is told in the answer.

    Args:
        folder: In the repository.
        command: Of git's.
        arguments: The command's.
        said: What it reads.
        seconds: How long it may take.
        most: Bytes that are taken in, one more to see that there were more; `None` = all of them.
        index: Another one than the repository's own.
        is_literal: Paths are no patterns.
    """
    try:
        process = start(
            folder,
            *(command, *arguments),
            index=index,
            is_literal=is_literal,
            tells_errors=most is None,
        )
    except (OSError, ValueError):
        return Answer()
    with process:
        if most is None:
            return _all(process, said, seconds)
        assert process.stdin is not None
        with suppress(OSError):
            process.stdin.close()
        return _some(process, most, seconds)


def start(
    folder: Path,
    command: str,
    *arguments: str,
    index: str = "",
    is_literal: bool = True,
    tells_errors: bool = False,
) -> Process:
    """Start git, with pipes to and from it; the caller stops it.

    Args:
        folder: In the repository.
        command: Of git's.
        arguments: The command's.
        index: Another one than the repository's own.
        is_literal: Paths are no patterns.
        tells_errors: There is a pipe for errors too, which the caller empties.

    Raises:
        OSError: There is no git.
        ValueError: An argument that no program can be given.
    """
    reads_files = command == "diff-index" and "--cached" not in arguments
    unfiltered = _without_filters(folder) if reads_files else {}
    plain = (f"{key}={value}" for key, value in unfiltered.items() if "=" not in key)
    settings = [part for setting in (*_SETTINGS, *plain) for part in ("-c", setting)]
    literal = ("--literal-pathspecs",) if is_literal else ()
    return subprocess.Popen(
        [
            *("git", "--no-pager", *literal, *settings, "-C", str(folder)),
            *(command, *_SAFELY[command], *arguments),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE if tells_errors else subprocess.DEVNULL,
        env=_environment(index, {k: v for k, v in unfiltered.items() if "=" in k}),
    )


def _all(process: Process, said: bytes, seconds: float) -> Answer:
    try:
        out, error = process.communicate(said, timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        out, error = process.communicate()
        return Answer(out, error, is_whole=False)
    return Answer(out, error, process.returncode)


def _some(process: Process, most: int, seconds: float) -> Answer:
    assert process.stdout is not None
    with _stopping(process, seconds) as is_late:
        out = process.stdout.read(most + 1)
        if len(out) > most:
            process.kill()
            return Answer(out, is_whole=False)
        process.wait()
    return Answer(out, is_whole=False) if is_late else Answer(out, code=process.returncode)


@contextmanager
def _stopping(process: Process, seconds: float) -> Iterator[list[bool]]:
    """Kill a program that takes longer; the list has something in it then."""
    late: list[bool] = []

    def stop() -> None:
        late.append(True)
        process.kill()

    timer = Timer(seconds, stop)
    timer.daemon = True
    timer.start()
    try:
        yield late
    finally:
        timer.cancel()


def _without_filters(folder: Path) -> Mapping[str, str]:
    """Return settings that leave no filter to run, for a command that looks into the work tree.

    Of a file that was written in the very second of the index git compares the content, and hands
    it to whatever the configuration names as its filter.
    """
    named = run(folder, "config", "-z", "--name-only", "--get-regexp", r"^filter\..*").out
    names = {os.fsdecode(name).rpartition(".")[0] for name in named.split(b"\0") if name}
    return {f"{name}.{key}": value for name in sorted(names) for key, value in _FILTER_KEYS.items()}


def _environment(index: str, settings: Mapping[str, str]) -> Mapping[str, str]:
    """Return the environment in which git asks nobody, locks nothing and fetches nothing.

    Args:
        index: Another one than the repository's own.
        settings: Those with a `=` in their name, which on the command line would end the name.
    """
    kept = {name: value for name, value in os.environ.items() if name not in _WHERE}
    told = kept.get("GIT_CONFIG_COUNT", "")
    first = int(told) if told.isdigit() else 0
    added: dict[str, str] = {}
    for number, (key, value) in enumerate(settings.items(), first):
        added |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    if added:
        added["GIT_CONFIG_COUNT"] = str(first + len(settings))
    return {**kept, **_QUIET, **added, **({INDEX_VARIABLE: index} if index else {})}
