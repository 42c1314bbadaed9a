"""What `check` found, in words: a section for each kind of rule (FORMATS 1.9)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from remem.base.frozen import dataclass
from remem.base.text import count, safe_text
from remem.cli.checks.check_opinion import Heard, opinion_lines
from remem.cli.find_named import path_told
from remem.core.registered import obeyed_kinds
from remem.model.detect import Check, Compliance, Outcome, Severity, Violation

if TYPE_CHECKING:
    from remem.base.errors import RememError
    from remem.cli.checks.check_memory import Fault
    from remem.cli.checks.check_record import Accepted, Recorded
    from remem.model.entry import Problem

_HELP: Final = ("decision", "instead", "because")
"""What a rule says to whoever broke it, in the order in which it helps."""
_NAMED: Final = 3
"""Rules and files that one line names."""
_ONLY_A_REPOSITORY: Final = frozenset({"no-repository", "lost-link", "too-many"})
"""Where a repository is listed and not here, as in a workspace of which a part was cloned."""


@dataclass(frozen=True, slots=True)
class Checked:
    """One repository after it was looked at."""

    name: str
    """Of several; empty = it is the only one."""
    root: Path
    found: Compliance
    wrong: tuple[Fault, ...]
    heard: Heard
    recorded: Recorded | None
    accepted: Accepted | None
    unread_rules: int
    """Files of rules that could not be read."""
    failed: bool
    floor: Severity
    """What weighs as much as this, or more, fails."""
    readable: int
    """Rules that were not checked, and whose hint a machine can read."""
    asks_memory: bool
    uncommitted: int
    """Files of a range that have edits which the range does not include."""
    is_unchanged: bool = False
    """Uncommitted lines were asked for, and there are none."""


@dataclass(frozen=True, slots=True)
class Lost:
    """What of a workspace was not looked at: it would read as a pass."""

    unread: tuple[tuple[str, str], ...] = ()
    """Files and why."""
    rules: bool = False
    """What says which repositories there are could not be read whole."""
    code: bool = False
    """There is a repository whose code could not be looked at."""

    @property
    def is_whole(self) -> bool:
        """All that is here was looked at."""
        return not (self.rules or self.code)

    @classmethod
    def of(cls, problems: Sequence[Problem], root: Path) -> Lost:
        """Return it, from why repositories are not open."""
        return cls(
            tuple((_file_of(each, root), each.message) for each in problems),
            rules=any(each.code not in _ONLY_A_REPOSITORY for each in problems),
        )

    def also(self, refused: Sequence[tuple[str, RememError]]) -> Lost:
        """Return it with repositories, by name, in which nothing could be looked at."""
        told = tuple((name, str(error)) for name, error in refused)
        return replace(self, unread=(*self.unread, *told), code=self.code or bool(told))


def _file_of(problem: Problem, root: Path) -> str:
    place = place_of(problem.path or root, root)
    return f"{place}:{problem.line}" if problem.line else place


def told(done: Sequence[Checked], home: Path, limit: int, lost: Lost) -> Iterator[str]:
    """Yield all that was found, line by line.

    Args:
        done: Each repository.
        home: The home folder; what lies below it is told with `~`.
        limit: Places that are named of each rule; 0 = all, and what was not checked one by one.
        lost: What of a workspace was not looked at.
    """
    for number, each in enumerate(done):
        if each.name:
            yield from ([""] if number else [])
            yield f"# {each.name}"
        yield from lines_of(each.found, limit, each.readable)
        yield from opinion_lines(each.heard)
        yield from memory_lines(each.wrong, each.root, home, asked=each.asks_memory)
    if len(done) > 1:
        broken = sum(bool(c.violations) for each in done for c in each.found.checks)
        yield ""
        yield f"{count(done, 'repository', 'repositories')}, {count(broken, 'broken rule')}"
    for path, why in lost.unread:
        yield f"not read: {path} — {why}"


def lines_of(found: Compliance, limit: int = _NAMED, readable: int = 0) -> Iterator[str]:
    """Yield the section that a review shows (FORMATS 1.9), line by line."""
    yield "## Memory Compliance"
    obeyed = obeyed_kinds()
    for kind, each in obeyed.items():
        yield ""
        yield f"### {each.heading}"
        checks = found.of_kind(kind)
        shown = [one for one in checks if is_checked(one) or not limit or one.missed]
        for check in shown:
            yield from _lines(check, limit)
        if not shown:
            yield "none" if not checks else "none was checked"
    yield ""
    yield "### Summary"
    for kind, each in obeyed.items():
        checks = found.of_kind(kind)
        checked = sum(map(is_checked, checks))
        violations = sum(len(one.violations) for one in checks)
        yield f"{checked} {each.many} checked, {violations} {each.hits}"
    broken = [each.ref for each in found.checks if each.violations]
    if broken:
        rule, what = (broken[0], "it") if len(broken) == 1 else ("RULE", "each")
        yield f"next: mend {what}, or end its line with the comment `remem: allow {rule} REASON`"
    yield from _not_checked(found, readable)
    yield from _accepted(found)
    yield from _passed_over(found)
    for note in found.notes:
        yield f"note: {note}"
    for path, why in found.unread:
        yield f"not read: {path} — {why}"


def _not_checked(found: Compliance, readable: int) -> Iterator[str]:
    """Yield one line for all rules that were not checked, with the next step."""
    skipped = [each for each in found.checks if not is_checked(each)]
    if not skipped:
        return
    hinted = [each for each in skipped if unchecked_for_a_hint(each)]
    bare = [each for each in skipped if each.detail == "it has no `detect:`"]
    faulty = sum(bool(each.missed) for each in skipped)
    others = len(skipped) - len(hinted) - len(bare) - faulty
    parts = []
    if hinted:
        parts.append(f"{len(hinted)} with only a hint ({_names(hinted)})")
    if bare:
        parts.append(f"{len(bare)} without `detect:` ({_names(bare)})")
    if faulty:
        parts.append(f"{faulty} as told above")
    if others:
        parts.append(f"{others} not affected")
    yield f"SKIP {count(skipped, 'rule')} not checked: {', '.join(parts)}"
    if readable:
        can = "can be read" if readable > 1 else "can be read by a machine"
        yield f"next: {readable} of them {can}: `remem detect --all --apply` adds checks"
    elif hinted or bare:
        name = (hinted or bare)[0].ref
        yield f"next: `remem detect {name} --forbid PATTERN --apply`, or ask: `--ask-agent`"


def _accepted(found: Compliance) -> Iterator[str]:
    known = sum(each.known for each in found.checks)
    allowed = sum(each.allowed for each in found.checks)
    if known or allowed:
        parts = [f"{known} in the baseline"] if known else []
        parts += [f"{allowed} by a comment in the code"] if allowed else []
        yield f"{count(known + allowed, 'place')} accepted: {', '.join(parts)}"


def _passed_over(found: Compliance) -> Iterator[str]:
    files = found.passed_over
    if files:
        shown = "; ".join(f"{path} — {why}" for path, why in files[:_NAMED])
        more = f"; and {len(files) - _NAMED} more" if len(files) > _NAMED else ""
        yield f"{count(files, 'file')} skipped: {shown}{more}"


def _names(checks: Sequence[Check]) -> str:
    more = f" and {len(checks) - _NAMED} more" if len(checks) > _NAMED else ""
    return ", ".join(each.id for each in checks[:_NAMED]) + more


def memory_lines(wrong: Sequence[Fault], root: Path, home: Path, *, asked: bool) -> Iterator[str]:
    """Yield what is wrong with memory itself, the heaviest first."""
    if not asked:
        return
    yield ""
    yield "### Memory"
    for fault in sorted(wrong, key=lambda each: -each.severity.weight):
        path = fault.problem.path
        line = f":{fault.problem.line}" if fault.problem.line else ""  # 0 = the whole file
        place = f"{path_told(path, root, home)}{line}" if path is not None else ""
        named = f"{fault.ref}: " if fault.ref else ""
        told = f"{named}{fault.problem.message.removeprefix(f'`{fault.ref}`: ')}"
        yield f"{fault.severity.upper()} {told}{f' ({place})' if place else ''}"
    yield f"{count(len(wrong), 'fault')} found"


def place_of(path: Path, root: Path) -> str:
    """Return a path as it is told: from the root where it lies below it."""
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)


def is_checked(check: Check) -> bool:
    """Tell whether a rule was held against something."""
    return check.outcome is not Outcome.SKIP


def unchecked_for_a_hint(check: Check) -> bool:
    """Tell whether a rule was not checked because only people can read it yet."""
    no_pattern = check.rule.detect is None and check.rule.turned_down is None
    return not is_checked(check) and no_pattern and bool(check.rule.says("look at"))


def _lines(check: Check, limit: int) -> Iterator[str]:
    blocking = " (blocking)" if check.blocks and check.violations else ""
    yield f"{check.outcome.upper()} {check.id}: {check.title} — {_told(check, limit)}{blocking}"
    if check.violations:
        yield f"  severity: {check.severity.value}"
        for word in _HELP:
            said = " ".join(check.rule.says(word).split())
            if said:
                yield f"  {word}: {said}"


def _told(check: Check, limit: int) -> str:
    detail = " ".join(check.detail.split())
    if not is_checked(check):
        return check.missed or (f"not checked: {detail}" if detail else "not checked")
    if not check.violations:
        folders = check.rule.detect is not None and check.rule.detect.beside is not None
        return f"{count(check.files, 'folder' if folders else 'file')} checked"
    shown = check.violations[:limit] if limit else check.violations
    places = ", ".join(place_named(check, each) for each in shown)
    more = len(check.violations) - len(shown)
    tail = f", {more} more" if more > 0 else ""
    said = f": {detail}" if detail else ""
    missed = f"; {check.missed}" if check.missed else ""
    return f"{_found(check)} ({places}{tail}){said}{missed}"


def _found(check: Check) -> str:
    times, detect = len(check.violations), check.rule.detect
    if detect is not None and detect.beside is not None:
        return f"{count(times, 'folder')} without `{detect.beside}`"
    if check.is_missing:
        return f"missing in {count(times, 'file')}"
    return count(times, "match", "matches")


def place_named(check: Check, place: Violation) -> str:
    """Return where it is: what lacks something has no line."""
    return place.path if check.is_missing else f"{place.path}:{place.line}"


def markdown(line: str) -> str:
    """Return a line as Markdown: a check is a bullet, and no text of a rule becomes markup."""
    if line.startswith("#") or not line:
        return line
    text = safe_text(line, one_line=True)
    indent = "  " if text.startswith("  ") else ""
    escaped = "".join(f"\\{char}" if char in "\\`*_[]<>|#" else char for char in text.strip())
    return f"{indent}- {escaped}"


def below(done: Checked, root: Path) -> str:
    """Return what stands before the paths of a repository where several are told."""
    return f"{place_of(done.root, root)}/" if done.name else ""
