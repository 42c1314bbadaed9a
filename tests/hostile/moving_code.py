"""Code that moves under its citations, with the truth about every cited place.

A synthetic repository knows each of its lines by name, so that it can tell what became of a place
without reading any text; of a real history git's own backward blame tells it.
"""

from __future__ import annotations

import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random
from typing import Final

from remem.code.citations import filled
from remem.code.worktree import Worktree
from remem.model.citation import Citation, CitationStatus, Verdict
from remem.store.io import Disk

KINDS: Final = ("valid", "moved", "gone")
_ENDINGS: Final = (".py", ".ts", ".md", ".yaml")
_WORDS: Final = ("order", "invoice", "refund", "basket", "courier", "parcel", "ledger", "voucher")
_FILLER: Final = ("", "", "    return None", "}", "    pass", "# ---", "  - name: step")


@dataclass(frozen=True)
class Truth:
    """What became of a cited place."""

    kind: str
    """One of `KINDS`."""
    path: str = ""
    start: int = 0


@dataclass(frozen=True)
class Case:
    """A citation, what became of its place, and what was done to it."""

    citation: Citation
    truth: Truth
    deed: str


@dataclass
class Tally:
    """How verdicts stand beside the truth."""

    cells: Counter[tuple[str, str]] = field(default_factory=Counter)
    """(truth, verdict) → how often; a wrong place is `moved elsewhere`."""
    wrong: list[str] = field(default_factory=list)

    def add(self, case: Case, verdict: Verdict) -> None:
        said = "valid" if verdict.is_valid else str(verdict.status)
        if verdict.status is CitationStatus.MOVED and case.truth.kind == "moved":
            to = verdict.moved_to
            right = to is not None and (to.path, to.line_start) == (
                case.truth.path,
                case.truth.start,
            )
            said = "moved" if right else "moved elsewhere"
        self.cells[case.truth.kind, said] += 1
        if (case.truth.kind == "valid") is not (said == "valid"):
            self.wrong.append(
                f"{case.deed}: {case.citation} is {case.truth}, and was called {said}"
            )

    @property
    def places(self) -> int:
        return self.cells.total()

    @property
    def detected(self) -> float:
        """Share of the places that do not hold which were not called valid."""
        return 1 - self._share("valid", among=("moved", "gone"))

    @property
    def false_alarms(self) -> float:
        """Share of the places that hold which were not called valid."""
        return 1 - self._share("valid", among=("valid",))

    @property
    def moved_found(self) -> float:
        """Share of the places that moved which were found where they stand."""
        return self._share("moved", among=("moved",))

    def _share(self, said: str, among: Sequence[str]) -> float:
        whole = sum(number for (truth, _), number in self.cells.items() if truth in among)
        return sum(self.cells[truth, said] for truth in among) / whole if whole else 0.0

    def table(self) -> str:
        columns = sorted({said for _, said in self.cells})
        lines = ["truth".ljust(8) + "".join(said.rjust(17) for said in columns)]
        lines += [
            kind.ljust(8) + "".join(f"{self.cells[kind, said]:,}".rjust(17) for said in columns)
            for kind in KINDS
        ]
        return "\n".join(lines)


@dataclass
class _Line:
    name: int
    text: str


@dataclass
class Moving:
    """A repository whose every line has a name."""

    top: Path
    random: Random
    files: dict[str, list[_Line]] = field(default_factory=dict)
    renames: int = 0

    def __post_init__(self) -> None:
        self._names = count(1)

    def line(self, text: str) -> _Line:
        return _Line(next(self._names), text)

    def fill(self, files: int, lines: int) -> None:
        """Make files of unlike lines with the likes of `}` between them."""
        for number in range(files):
            ending = _ENDINGS[number % len(_ENDINGS)]
            path = f"src/{_WORDS[number % len(_WORDS)]}/part_{number}{ending}"
            self.files[path] = [self.new_line(ending) for _ in range(lines)]

    def new_line(self, ending: str) -> _Line:
        if self.random.random() < 0.2:
            return self.line(self.random.choice(_FILLER))
        one, two = self.random.sample(_WORDS, 2)
        mark = self.random.randrange(10**6)
        body = {
            ".py": f"{one}_{mark} = {two}.take({mark % 97})",
            ".ts": f"export const {one}{mark} = {two}({mark % 97})",
            ".md": f"The {one} {mark} waits for its {two}.",
            ".yaml": f"{one}_{mark}: {two}",
        }[ending]
        return self.line("    " * self.random.randrange(3) + body)

    def cited(self, path: str, start: int, end: int) -> list[int]:
        return [line.name for line in self.files[path][start - 1 : end]]

    def truth(self, citation: Citation, names: Sequence[int], before: Sequence[str]) -> Truth:
        """Tell what became of the lines with these names, which read as `before`."""
        path, start = citation.path, citation.line_start
        here = [line.text for line in self.files.get(path, [])[start - 1 : citation.line_end]]
        if _stripped(here, right_only=path.endswith(".py")) == _stripped(
            before, right_only=path.endswith(".py")
        ):
            return Truth("valid")
        for other, lines in self.files.items():
            known = {line.name: number for number, line in enumerate(lines)}
            if names[0] not in known:
                continue
            first = known[names[0]]
            now = lines[first : first + len(names)]
            together = [line.name for line in now] == list(names)
            if together and _stripped([line.text for line in now]) == _stripped(before):
                is_there = (other, first + 1) == (path, start)  # Python that was indented anew
                return Truth("gone") if is_there else Truth("moved", other, first + 1)
        return Truth("gone")

    def write(self, message: str) -> None:
        """Make a commit of what stands now."""
        for path in self.top.glob("src/*/*"):
            path.unlink()
        for name, lines in self.files.items():
            path = self.top / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("".join(f"{line.text}\n" for line in lines))
        git(self.top, "add", "-A")
        git(self.top, "commit", "-q", "--allow-empty", "-m", message)

    def disturb(self, path: str, first: int, last: int) -> str:
        """Do one thing to or near some lines of a file, and say what."""
        deed = self.random.choice(tuple(_DEEDS))
        _DEEDS[deed](self, path, first - 1, last)
        return deed


def _stripped(lines: Sequence[str], *, right_only: bool = False) -> list[str]:
    return [line.rstrip() if right_only else line.strip() for line in lines]


def _nothing(moving: Moving, path: str, first: int, last: int) -> None:
    pass


def _insert_above(moving: Moving, path: str, first: int, last: int) -> None:
    ending = path[path.rindex(".") :]
    new = [moving.new_line(ending) for _ in range(moving.random.randrange(1, 6))]
    at = moving.random.randrange(first + 1)
    moving.files[path][at:at] = new


def _insert_below(moving: Moving, path: str, first: int, last: int) -> None:
    moving.files[path][last:last] = [moving.line("x = 1"), moving.line("")]


def _delete(moving: Moving, path: str, first: int, last: int) -> None:
    del moving.files[path][first:last]


def _delete_above(moving: Moving, path: str, first: int, last: int) -> None:
    del moving.files[path][max(first - 2, 0) : first]


def _edit(moving: Moving, path: str, first: int, last: int) -> None:
    at = moving.random.randrange(first, last)
    old = moving.files[path][at]
    moving.files[path][at] = moving.line(f"{old.text} or {moving.random.randrange(10**6)}")


def _split(moving: Moving, path: str, first: int, last: int) -> None:
    at = moving.random.randrange(first, last)
    moving.files[path][at:at] = [moving.line(f"inserted_{moving.random.randrange(10**6)}()")]


def _move_within(moving: Moving, path: str, first: int, last: int) -> None:
    lines = moving.files[path]
    block = lines[first:last]
    del lines[first:last]
    at = moving.random.randrange(len(lines) + 1)
    lines[at:at] = block


def _move_to_another(moving: Moving, path: str, first: int, last: int) -> None:
    ending = path[path.rindex(".") :]
    others = [name for name in moving.files if name != path and name.endswith(ending)]
    if not others:
        return
    block = moving.files[path][first:last]
    del moving.files[path][first:last]
    lines = moving.files[moving.random.choice(others)]
    at = moving.random.randrange(len(lines) + 1)
    lines[at:at] = block


def _trailing_blanks(moving: Moving, path: str, first: int, last: int) -> None:
    for at in range(first, last):
        moving.files[path][at].text += moving.random.choice(("  ", "\t", "\r"))


def _indent(moving: Moving, path: str, first: int, last: int) -> None:
    for at in range(first, last):
        if moving.files[path][at].text:
            moving.files[path][at].text = "  " + moving.files[path][at].text


def _rename(moving: Moving, path: str, first: int, last: int) -> None:
    moving.renames += 1
    ending = path[path.rindex(".") :]
    moving.files[f"src/renamed/part_{moving.renames}{ending}"] = moving.files.pop(path)


def _remove_file(moving: Moving, path: str, first: int, last: int) -> None:
    if moving.random.random() < 0.3:
        del moving.files[path]


_DEEDS: Final = {
    "nothing": _nothing,
    "lines above": _insert_above,
    "lines below": _insert_below,
    "deleted": _delete,
    "lines above deleted": _delete_above,
    "edited": _edit,
    "a line between": _split,
    "moved within": _move_within,
    "moved to another file": _move_to_another,
    "blanks at the ends": _trailing_blanks,
    "indented": _indent,
    "renamed": _rename,
    "file removed": _remove_file,
}


def synthetic(top: Path, *, files: int, seed: int) -> Iterator[tuple[list[Case], Path]]:
    """Yield the cases of rounds of change, each on what the round before left."""
    top.mkdir()
    git(top, "init", "-q")
    moving = Moving(top, Random(seed))
    moving.fill(files, 60)
    moving.write("first")
    for _ in range(3):
        places = [_place(moving, path) for path in sorted(moving.files) for _ in range(4)]
        citations = filled(places, Worktree(Disk(), top))
        known = [
            (moving.cited(c.path, c.line_start, c.line_end), (c.snippet or "").split("\n"))
            for c in citations
        ]
        deeds = dict.fromkeys(map(str, citations), "")
        for path in sorted(moving.files):
            own = [c for c in citations if c.path == path]
            target = moving.random.choice(own)
            deed = moving.disturb(path, target.line_start, target.line_end)
            deeds |= {str(c): deed for c in own}
        moving.write("next")
        yield (
            [
                Case(c, moving.truth(c, names, before), deeds[str(c)])
                for c, (names, before) in zip(citations, known, strict=True)
            ],
            top,
        )


def _place(moving: Moving, path: str) -> Citation:
    """Return a place as agents cite one: with a line in it that says something."""
    lines = moving.files[path]
    while True:
        start = moving.random.randrange(1, len(lines))
        end = min(start + moving.random.randrange(6), len(lines))
        if any(len(line.text.strip()) >= 10 for line in lines[start - 1 : end]):
            return Citation(path, start, end)


def git(folder: Path, *arguments: str) -> str:
    """Run git on a test's own repository."""
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "gc.auto=0")
    command = ["git", "-C", str(folder), *who, "-c", "core.autocrlf=false", *arguments]
    done = subprocess.run(command, capture_output=True, check=True)
    return done.stdout.decode("utf-8", "replace")


def real(clone: Path, old: str, new: str, *, places: int, seed: int) -> list[Case]:
    """Return cases between two commits of a real history.

    A place holds where its text still stands; where it does not, git's blame, read backwards, says
    where each of its lines went.
    """
    random = Random(seed)
    names = [
        name
        for name in git(clone, "ls-tree", "-r", "--name-only", old).split()
        if name.endswith((".py", ".md", ".toml", ".tcss"))
    ]
    changed = set(git(clone, "diff", "--name-only", "--no-renames", old, new).split())
    # What nobody touched is too easy: most places are in files that changed.
    picked = random.sample(
        [name for name in names if name in changed], k=min(40, len(changed) // 2)
    )
    picked += random.sample(names, k=min(10, len(names)))
    found: list[Case] = []
    for name in picked:
        lines = git(clone, "show", f"{old}:{name}").split("\n")[:-1]
        if len(lines) < 8:
            continue
        went = _went(clone, old, new, name) if name in changed else {}
        now = _lines_at(clone, new, name)
        for _ in range(max(places // len(picked), 1)):
            case = _real_case(random, (name, lines, now), went, old)
            found += [case] if case is not None else []
    return found


def _real_case(
    random: Random,
    file: tuple[str, list[str], list[str]],
    went: dict[int, tuple[str, int]],
    old: str,
) -> Case | None:
    name, lines, now = file
    start = random.randrange(1, len(lines) - 6)
    end = start + random.randrange(6)
    said = lines[start - 1 : end]
    if not any(len(line.strip()) >= 10 for line in said):
        return None
    plain = Citation(name, start, end)
    citation = plain.at(name, start, old, said)
    here = now[start - 1 : end]
    right_only = name.endswith(".py")
    if _stripped(here, right_only=right_only) == _stripped(said, right_only=right_only):
        return Case(citation, Truth("valid"), "real")
    places = [went.get(number) for number in range(start, end + 1)]
    first = places[0]
    if first is None:
        return Case(citation, Truth("gone"), "real")
    wanted = [(first[0], first[1] + number) for number in range(len(said))]
    if places != wanted or first == (name, start):
        return Case(citation, Truth("gone"), "real")
    return Case(citation, Truth("moved", *first), "real")


def _lines_at(clone: Path, commit: str, name: str) -> list[str]:
    try:
        return git(clone, "show", f"{commit}:{name}").split("\n")[:-1]
    except subprocess.CalledProcessError:
        return []


def _went(clone: Path, old: str, new: str, name: str) -> dict[int, tuple[str, int]]:
    """Return where each line of a file at `old` stands at `new`; those that ended are left out."""
    end = git(clone, "rev-parse", new).strip()
    try:
        out = git(clone, "blame", "--reverse", "-s", "--porcelain", f"{old}..{new}", "--", name)
    except subprocess.CalledProcessError:
        return {}
    found: dict[int, tuple[str, int]] = {}
    files: dict[str, str] = {}
    head: list[str] = []
    for line in out.split("\n"):
        if line.startswith("\t"):
            # `head`: the last commit that has the line, its number there, its number at `old`.
            if head[0] == end:
                found[int(head[2])] = (files.get(end, name), int(head[1]))
        elif line.startswith("filename "):
            files[head[0]] = line.removeprefix("filename ")
        elif len(line) > 40 and line[40] == " " and " " not in line[:40]:
            head = line.split()
    return found
