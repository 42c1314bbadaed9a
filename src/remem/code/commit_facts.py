"""Facts of a range of commits, from git itself: what each story changed, how often it was reviewed.

A commit belongs to the stories that its `Story:` trailers name, else to those of its subject, else
to the branch that brought it in: of a merge, of a ref that still stands, or of the range's own end.
A commit of which none of these tells anything belongs to no story. Nothing is read from the forge,
and nothing is guessed: the id of a story of the sprint counts wherever it stands as a word, any
other id only where people write nothing else, at the head of a subject or in its scope.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Final

from remem.base.errors import NotPossible
from remem.base.frozen import dataclass
from remem.code.git_process import run

MAX_COMMITS: Final = 5_000
ROOT: Final = "root"
"""What stands before the first commit, in a range."""
_SHOWN: Final = 12
"""Digits of an id in a range that was found."""
_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_MAX_BYTES: Final = 64 << 20
"""Of what git prints; a commit of a million files has some."""
_SECONDS: Final = 60.0
_HEADER: Final = "\x1e"
_VALUE: Final = "\x1f"
_FORMAT: Final = (
    f"%x1e%H%x00%P%x00%s%x00%(trailers:key=Story,valueonly,separator=%x{ord(_VALUE):02x})"
)
_COUNTS: Final = re.compile(r"(\d+|-)\t(\d+|-)\t(.*)", re.DOTALL)
_MERGED: Final = (
    re.compile(r"Merge (?:remote-tracking )?branch '([^']+)'"),
    re.compile(r"Merge pull request #\d+ from [^/\s]+/(\S+)"),
)
_REVIEW: Final = re.compile(
    r"(?:fixup|squash|amend)! |.*\b(?:address|after|apply|incorporate)\w*\b.*\breview\b"
    r"|.*\breview (?:comments?|feedback|findings|fixes|remarks|round)\b",
    re.IGNORECASE,
)
"""Subjects of commits that answer a review."""


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit of the range."""

    id: str
    parents: tuple[str, ...]
    subject: str
    trailers: tuple[str, ...]
    """What its `Story:` trailers name."""
    files: frozenset[str] = frozenset()
    added: int = 0
    removed: int = 0

    @property
    def answers_review(self) -> bool:
        return _REVIEW.match(self.subject) is not None


@dataclass(frozen=True, slots=True)
class StoryFacts:
    """What the range holds of one story."""

    story: str
    commits: tuple[Commit, ...]
    """Oldest first, merges left out."""

    @property
    def files(self) -> int:
        """Different files, under the names they had in each commit."""
        return len({name for commit in self.commits for name in commit.files})

    @property
    def added(self) -> int:
        return sum(commit.added for commit in self.commits)

    @property
    def removed(self) -> int:
        return sum(commit.removed for commit in self.commits)

    @property
    def reviews(self) -> int:
        """Rounds of review that show: runs of commits that answer one."""
        answers = [False, *(commit.answers_review for commit in self.commits)]
        return sum(now and not before for before, now in pairwise(answers))


@dataclass(frozen=True, slots=True)
class RangeFacts:
    """What a range holds."""

    asked: str
    base: str
    """The id of the commit that the range begins after; empty = it has the first one, too."""
    head: str
    commits: tuple[Commit, ...]
    """Oldest first, merges left out."""
    stories: tuple[StoryFacts, ...] = ()
    """By their first commit."""

    @property
    def files(self) -> int:
        return len({name for commit in self.commits for name in commit.files})

    @property
    def added(self) -> int:
        return sum(commit.added for commit in self.commits)

    @property
    def removed(self) -> int:
        return sum(commit.removed for commit in self.commits)

    @property
    def unassigned(self) -> int:
        """Commits of no story."""
        told = {commit.id for story in self.stories for commit in story.commits}
        return sum(commit.id not in told for commit in self.commits)


def range_facts(
    folder: Path, asked: str, known: Collection[str] = (), *, most: int = MAX_COMMITS
) -> RangeFacts:
    """Return the facts of `A..B`.

    Args:
        folder: In the repository.
        asked: As git writes it; an end that is left out is `HEAD`. `root..B` begins with the first
            commit of all.
        known: Ids of stories: a branch is theirs also where its name spells them otherwise.
        most: Commits that it may have.

    Raises:
        NotPossible: This is no range here, it has too many commits, or git gives no answer.
    """
    left, right = _ends(asked)
    base = "" if left == ROOT and not _is_commit(folder, ROOT) else _commit(folder, left)
    head = _commit(folder, right)
    merges_too = _log(folder, base, head, most)
    names = {name.casefold(): name for name in known}
    found = _Attribution(merges_too, names)
    found.take_messages()
    found.take_end(_branch(folder, right), head)
    found.take_branches(_tips(folder), head)
    commits = tuple(commit for commit in merges_too if len(commit.parents) < 2)
    return RangeFacts(asked, base, head, commits, tuple(found.stories(commits)))


def began(folder: Path, path: Path) -> str:
    """Return the id of the commit that brought a file in; empty where none did, or without git."""
    out, _ = _git(
        folder, "log", "-1", "--diff-filter=A", "--format=%H", "--", str(path), check=False
    )
    return out.decode("ascii", "replace").strip()


def length_of_head(folder: Path) -> int:
    """Return how many commits of `HEAD` are looked at, merges apart; 0 without git or commits."""
    words = ("rev-list", "--count", "--no-merges", f"--max-count={MAX_COMMITS}", "HEAD", "--")
    out, _ = _git(folder, *words, check=False)
    return int(out.strip() or 0)


def moment_of_head(folder: Path) -> datetime:
    """Return when the newest commit was made.

    Raises:
        NotPossible: There is none, or no git.
    """
    out, _ = _git(folder, "log", "-1", "--format=%cI", "HEAD", "--")
    return datetime.fromisoformat(out.decode("ascii").strip())


def span_of(folder: Path, known: Collection[str], since: str = "") -> str:
    """Return the range from the first commit whose message names one of these stories to the last.

    A project may begin to count anew, so it goes back from the last one, and no further than where
    each of the stories was named. It ends at `HEAD`, or before another sprint's stories begin.
    Empty where no commit names one, or without git.

    Args:
        folder: In the repository.
        known: Ids of the stories.
        since: Commits before that date are of something else; empty = they may be of these.
    """
    names = {name.casefold(): name for name in known}
    left, told, end = {*known}, set[str](), "HEAD"
    log = _log_of_head(folder, since)
    for commit in log:
        if len(commit.parents) > 1:
            continue
        found = {*named_in(commit, names)}
        if found & {*known}:
            told.add(commit.id)
            left -= found
        elif told and not left:
            break
        elif found and not told:
            end = ""  # another sprint's; what comes before it may be of these
        if not end and not found - {*known}:
            end = commit.id[:_SHOWN]
    return f"{_base_of(log, told)[:_SHOWN]}..{end}" if told else ""


def _base_of(log: Sequence[Commit], told: Collection[str]) -> str:
    """Return the last commit of the main line that none of these had come into yet.

    Args:
        log: From `HEAD` back, newest first.
        told: Ids of commits; a branch of theirs may have begun long before.
    """
    within = {*told}
    for commit in reversed(log):
        if within.intersection(commit.parents):
            within.add(commit.id)
    parents = {commit.id: commit.parents for commit in log}
    name = log[0].id
    while name in within:
        name = next(iter(parents.get(name, ())), ROOT)
    return name


def between(folder: Path, since: str, until: str = "") -> str:
    """Return the range of the commits of `HEAD` after one date and up to another; empty = none.

    Args:
        folder: In the repository.
        since: As ISO 8601 writes it; a day begins at its midnight.
        until: Empty = to `HEAD`.
    """
    base = _last_before(folder, since) or ROOT
    head = _last_before(folder, until)[:_SHOWN] if until else "HEAD"
    return f"{base[:_SHOWN]}..{head}" if head and _commits_in(folder, base, head) else ""


def added_lines(folder: Path, commits: Iterable[Commit], most: int) -> str:
    """Return what commits add, as far as it fits into `most` bytes; whole lines only."""
    ids = [commit.id for commit in commits]
    if not ids or most <= 0:
        return ""
    out, cut = _git(folder, "show", "-M", "-U1", "--format=", *ids, "--", most=most)
    text = out[:most].decode("utf-8", "replace")
    return text.rpartition("\n")[0] + "\n" if cut else text


def named_in(commit: Commit, known: Mapping[str, str]) -> tuple[str, ...]:
    """Return the stories that a commit's own message names: its trailers, else its subject."""
    trailers = dict.fromkeys(known.get(name.casefold(), name) for name in commit.trailers)
    return tuple(trailers) or stories_in(commit.subject, known)


class _Attribution:
    """Says which story a commit belongs to."""

    def __init__(self, commits: Sequence[Commit], known: Mapping[str, str]) -> None:
        self._commits = commits
        self._known = known
        self._place = {commit.id: place for place, commit in enumerate(commits)}
        self._by_message: dict[str, tuple[str, ...]] = {}
        self._by_branch: dict[str, str] = {}

    def take_messages(self) -> None:
        for commit in self._commits:
            names = named_in(commit, self._known)
            if names:
                self._by_message[commit.id] = names

    def take_end(self, branch: str, head: str) -> None:
        """Give the range's own line to the story that its branch is named for."""
        story = story_in(branch, self._known)
        for name in self._line(head):
            self._by_branch[name] = story

    def take_branches(self, tips: Mapping[str, str], head: str) -> None:
        """Follow every branch back to what older branches have, the oldest one first.

        Args:
            tips: Names of branches by the commit they stand on.
            head: The end of the range, whose own line is settled.
        """
        ends: list[tuple[int, str, str]] = []
        for place, commit in enumerate(self._commits):
            if commit.id in tips and commit.id != head:
                ends.append((place, commit.id, tips[commit.id]))
            if len(commit.parents) > 1:
                ends += ((place, parent, _merged(commit.subject)) for parent in commit.parents[1:])
        for _, start, branch in sorted(ends, key=lambda end: end[0]):
            story = story_in(branch, self._known)
            for name in self._before(start):
                self._by_branch[name] = story

    def stories(self, commits: Iterable[Commit]) -> Iterator[StoryFacts]:
        found: dict[str, list[Commit]] = {}
        for commit in commits:
            branch = self._by_branch.get(commit.id, "")
            for story in self._by_message.get(commit.id, (branch,) if branch else ()):
                found.setdefault(story, []).append(commit)
        return (StoryFacts(story, tuple(group)) for story, group in found.items())

    def _line(self, start: str) -> Iterator[str]:
        name = start
        while name in self._place:
            yield name
            name = next(iter(self._commits[self._place[name]].parents), "")

    def _before(self, start: str) -> Iterator[str]:
        """Yield a commit and those before it that belong to nothing yet."""
        waiting = [start]
        while waiting:
            name = waiting.pop()
            if name not in self._place or name in self._by_branch:
                continue
            yield name
            waiting += self._commits[self._place[name]].parents


def _merged(subject: str) -> str:
    """Return the branch that a merge's subject names."""
    return next((match[1] for each in _MERGED if (match := each.match(subject))), "")


def _log_of_head(folder: Path, since: str) -> tuple[Commit, ...]:
    """Return the last commits of `HEAD`, merges too, without their files, newest first."""
    out, _ = _git(
        folder,
        *("log", "-z", "--topo-order", f"--format={_FORMAT}"),
        *((f"--since={_moment(since)}",) if since else ()),
        *(f"--max-count={MAX_COMMITS}", "HEAD", "--"),
        check=False,
    )
    return tuple(_commits(out.decode("utf-8", "replace")))


def _moment(date: str) -> str:
    return f"{date} 00:00:00" if _DAY.fullmatch(date) else date


def _last_before(folder: Path, date: str) -> str:
    """Return the last commit of `HEAD` at or before a date; of a day alone, before it begins."""
    before = f"--before={_moment(date)}"
    out, _ = _git(folder, "rev-list", "-1", "--first-parent", before, "HEAD", check=False)
    return out.decode("ascii", "replace").strip()


def _commits_in(folder: Path, base: str, head: str) -> bool:
    asked = head if base == ROOT else f"{base}..{head}"
    out, _ = _git(folder, "rev-list", "-1", asked, "--", check=False)
    return bool(out.strip())


def _is_commit(folder: Path, name: str) -> bool:
    out, _ = _git(folder, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}", check=False)
    return bool(out.strip())


def _ends(asked: str) -> tuple[str, str]:
    left, dots, right = asked.strip().partition("..")
    odd = any(
        part.startswith((".", "-")) or part.split() not in ([], [part]) for part in (left, right)
    )
    if not dots or odd or not asked.isprintable():
        raise NotPossible(f"`{asked}` is not a range", hint="write `A..B`, as git does")
    return left or "HEAD", right or "HEAD"


def _commit(folder: Path, name: str) -> str:
    out, _ = _git(folder, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}", check=False)
    found = out.decode("ascii", "replace").strip()
    if not found:
        raise NotPossible(
            f"no commit `{name}` here",
            hint="see `git log`; a shallow clone only has recent commits",
        )
    return found


def _branch(folder: Path, name: str) -> str:
    """Return the branch that a name stands for, or an empty text."""
    out, _ = _git(folder, "rev-parse", "--symbolic-full-name", name, check=False)
    found = out.decode("utf-8", "replace").strip()
    return found if found.startswith(("refs/heads/", "refs/remotes/")) else ""


def _tips(folder: Path) -> Mapping[str, str]:
    """Return the names of branches by the commit they stand on."""
    form = "--format=%(objectname)%00%(refname:lstrip=2)"
    out, _ = _git(folder, "for-each-ref", form, "refs/remotes", "refs/heads", check=False)
    lines = out.decode("utf-8", "replace").splitlines()
    pairs = (line.partition("\0") for line in lines)
    return {name: branch for name, _, branch in pairs}


def _log(folder: Path, base: str, head: str, most: int) -> tuple[Commit, ...]:
    """Return the commits of a range, merges too, every one after its parents."""
    out, cut = _git(
        folder,
        *("log", "-z", "--topo-order", "-M", "-l400", "--numstat", f"--format={_FORMAT}"),
        *(f"--max-count={most + 1}", f"{base}..{head}" if base else head, "--"),
    )
    commits = tuple(_commits(out.decode("utf-8", "replace")))
    if cut or len(commits) > most:
        raise NotPossible(
            f"that range has more than {most:,} commits, or changes too many files",
            hint="limit it to one sprint",
        )
    return commits[::-1]


def _commits(text: str) -> Iterator[Commit]:
    """Read what git prints: NUL between all fields, a commit's files after it."""
    tokens = iter(text.split("\0"))
    header = next(tokens, "")
    while header.startswith(_HEADER):
        parents, subject, trailers = (next(tokens, "") for _ in range(3))
        files: set[str] = set()
        added = removed = 0
        following = ""
        for token in tokens:
            if token.startswith(_HEADER):
                following = token
                break
            counts = _COUNTS.fullmatch(token.lstrip("\n"))
            if counts is None:
                continue
            # A file that was renamed has its two names behind the counts.
            names = [counts[3]] if counts[3] else [next(tokens, ""), next(tokens, "")]
            files.add(names[-1])
            added += int(counts[1]) if counts[1] != "-" else 0
            removed += int(counts[2]) if counts[2] != "-" else 0
        yield Commit(
            id=header[1:],
            parents=tuple(parents.split()),
            subject=subject,
            trailers=tuple(name for each in trailers.split(_VALUE) if (name := each.strip())),
            files=frozenset(files),
            added=added,
            removed=removed,
        )
        header = following


def _git(
    folder: Path, *arguments: str, check: bool = True, most: int = _MAX_BYTES
) -> tuple[bytes, bool]:
    """Return what git prints, and whether there was more of it than `most` bytes.

    Raises:
        NotPossible: `check`, and git failed or took too long.
    """
    answer = run(folder, *arguments, seconds=_SECONDS, most=most)
    if len(answer.out) > most:
        return answer.out, True
    return (answer.out, False) if answer.code == 0 else _no_answer(check)


def _no_answer(check: bool) -> tuple[bytes, bool]:
    if check:
        raise NotPossible(
            "git failed in this repository",
            hint="check that `git log` works there and the clone is complete",
        )
    return b"", False


_STORY: Final = re.compile(r"(?<![A-Za-z0-9])(?:[A-Z][A-Z0-9]+|story)-\d+(?![A-Za-z0-9])")
"""In lower case anything could be meant: `release-2`, `sprint-3`."""
_NO_STORY: Final = frozenset({"CVE", "ISO", "PEP", "RFC", "SHA", "UTF"})
_SCOPE: Final = re.compile(r"\w+\(([^()]+)\)!?:")
"""Of a conventional commit: `feat(S03-S04): …`."""
_HEAD: Final = re.compile(r"\[?((?:[A-Z]{2,}|[Ss]tory)-\d+)(?:\]|:|\s+[-–—]\s)")
_SHORT: Final = re.compile(r"(?<![A-Za-z0-9])(?:[A-Z]{2,}-\d+|S\d{2,})(?![A-Za-z0-9])")
"""What names a story in a scope: `STORY-101`, `US-7`, and the `S01` of SNIPER."""
_PARTS: Final = re.compile(r"(.*?)(\d+)")
_THROUGH: Final = re.compile(r"\s*(?:-|–|—|\.\.\.?|to|through)\s*")
_NUMBERED: Final = re.compile(
    r"\bstor(?:y|ies)\s+#?(\d+(?:\s*(?:-|–|,|&|and|to|through)\s*#?\d+)*)", re.IGNORECASE
)
_LETTERED: Final = re.compile(r"(?<![A-Za-z0-9])(S\d+(?:\s*[-–,&]\s*S?\d+)*)(?![A-Za-z0-9])")
"""What a scope calls stories that are known by a number: `S5` of 5, `S05-S07`."""
_WIDEST: Final = 100
"""Stories that `S01-S99` may name."""


def story_in(name: str, known: Mapping[str, str]) -> str:
    """Return the story that a branch is named for, or an empty text.

    Args:
        name: Of the branch: `story/STORY-201-login`.
        known: Ids of stories by their folded text; one of these wins.
    """
    folded = name.casefold()
    for key in sorted(known, key=len, reverse=True):
        if not key.isdecimal() and re.search(_as_word(key), folded):
            return known[key]
    match = _STORY.search(name)
    return match[0].upper() if match and not _is_standard(match[0]) else ""


def stories_in(subject: str, known: Mapping[str, str]) -> tuple[str, ...]:
    """Return the stories that a commit's subject names, each once, in their order there.

    A range names all between its ends: `feat(S07-S09)` is S07, S08 and S09.

    Args:
        subject: The first line of the message.
        known: Ids of stories by their folded text.
    """
    found = [*_known_in(subject, known), *_numbered_in(subject, known)]
    for part in _told_in(subject):
        found += ((place, _known_as(name, known)) for place, name in _ids(part))
    return tuple(dict.fromkeys(name for _, name in sorted(found, key=lambda each: each[0])))


def _known_in(subject: str, known: Mapping[str, str]) -> Iterator[tuple[int, str]]:
    folded = subject.casefold()
    for key, name in known.items():
        if key.isdecimal():
            continue  # a bare number says nothing by itself
        for match in re.finditer(_as_word(key), folded):
            yield match.start(), name
            for between in _through(name, folded[match.end() :]):
                if between.casefold() in known:
                    yield match.start(), known[between.casefold()]


def _numbered_in(subject: str, known: Mapping[str, str]) -> Iterator[tuple[int, str]]:
    """Yield stories that are known by a number alone: `stories 4-7`, `feat(S5): …`."""
    numbers = {int(key): name for key, name in known.items() if key.isdecimal()}
    if not numbers:
        return
    scope = _SCOPE.match(subject)
    short = _LETTERED.finditer(subject, *scope.span(1)) if scope is not None else ()
    for match in (*_NUMBERED.finditer(subject), *short):
        for part in re.split(r",|&|\band\b", match[1]):
            ends = [int(digits[:6]) for digits in re.findall(r"\d+", part)]
            for number in range(min(ends), min(max(ends), min(ends) + _WIDEST) + 1):
                if number in numbers:
                    yield match.start(), numbers[number]


def _told_in(subject: str) -> Iterator[re.Match[str]]:
    """Yield where a subject names what it is about: its head, its scope."""
    for pattern in (_HEAD, _SCOPE):
        match = pattern.match(subject)
        if match is not None:
            yield match


def _ids(part: re.Match[str]) -> Iterator[tuple[int, str]]:
    for match in _SHORT.finditer(part[1]):
        if _is_standard(match[0]):
            continue
        place = part.start(1) + match.start()
        yield place, match[0]
        yield from ((place, name) for name in _through(match[0], part[1][match.end() :]))


def _through(first: str, rest: str) -> Iterator[str]:
    """Yield the ids after the first one up to the end of a range: of `S07`, `-S09`, S08 and S09."""
    parts, joint = _PARTS.fullmatch(first), _THROUGH.match(rest)
    if parts is None or joint is None:
        return
    prefix, digits = parts[1], parts[2]
    behind = rest[joint.end() :]
    last = re.match(rf"(?:{re.escape(prefix)})?(\d+)(?![A-Za-z0-9])", behind, re.IGNORECASE)
    if last is None or len(last[1]) > len(digits) + 2 or not prefix:
        return
    start, end = int(digits), int(last[1])
    for number in range(start + 1, min(end, start + _WIDEST) + 1):
        yield f"{prefix}{number:0{len(digits)}}"


def _known_as(name: str, known: Mapping[str, str]) -> str:
    """Return how the stories call what a scope calls so: of `S05` it may be `5`."""
    number = name.lstrip("S").lstrip("0")
    if name.startswith("S") and name.casefold() not in known and number.isdecimal():
        for key, each in known.items():
            if key.isdecimal() and key.lstrip("0") == number:
                return each
    return known.get(name.casefold(), name)


def _as_word(key: str) -> str:
    return rf"(?<![a-z0-9]){re.escape(key)}(?![a-z0-9])"


def _is_standard(name: str) -> bool:
    """Tell what looks like a story and is none: `UTF-8`, `RFC-2119`."""
    return name.partition("-")[0].upper() in _NO_STORY
