import errno
import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import ParamSpec, TypeVar

import pytest

from remem.base.clock import Clock
from remem.base.errors import ChangedOnDisk, NotPossible, Unacknowledged
from remem.core.library import Library
from remem.core.session import Session
from remem.core.settings import Places
from remem.model.change import Intent
from remem.model.entry import Status, digest_of
from remem.model.prompt import Ask
from remem.store.io import Disk

P = ParamSpec("P")
R = TypeVar("R")

CONVENTIONS = b"""# what we agreed on
conventions:
  - id: conv-001          # the first
    rule: "Queues are drained before a deploy"
    applies_to: [backend-engineer]

  - id: conv-002
    rule: 'Clocks are passed in'
    applies_to: [backend-engineer]
    status: candidate
"""


def still_clock() -> Clock:
    ids: Iterator[int] = count(1)
    return Clock(lambda: datetime(2026, 5, 4, 9, 30, tzinfo=UTC), lambda: f"{next(ids):016x}")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    memory = tmp_path / "harbour" / ".sniper" / "memory"
    memory.mkdir(parents=True)
    (memory / "conventions.yaml").write_bytes(CONVENTIONS)
    return tmp_path / "harbour"


def opened(root: Path, disk: Disk | None = None) -> Session:
    places = Places.of(root.parent / "home")
    return Session.open(root, places, door="cli", clock=still_clock(), disk=disk)


def tree(folder: Path) -> dict[str, str]:
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): digest_of(path.read_bytes()) for path in files}


def conventions(root: Path) -> Path:
    return root / ".sniper" / "memory" / "conventions.yaml"


def approve(bench: Session, name: str = "conv-002") -> Intent:
    return bench.intend("approve", [bench.library.resolve(name)])


def test_looking_writes_nothing(root: Path) -> None:
    before = tree(root.parent)
    bench = opened(root)

    bench.queue()
    bench.agents()
    bench.compose(Ask(role="backend-engineer"))
    bench.impact(bench.plan(approve(bench)), [Ask(role="backend-engineer")])
    bench.past.changes()
    bench.pending()
    bench.refresh()

    assert tree(root.parent) == before


def test_approving_changes_one_word_and_renders_the_summary(root: Path) -> None:
    bench = opened(root)

    bench.apply(approve(bench))

    after = conventions(root).read_bytes()
    assert after == CONVENTIONS.replace(b"status: candidate", b"status: confirmed")
    assert b"Clocks are passed in" in (root / ".sniper" / "memory" / "summary.md").read_bytes()
    assert bench.library.resolve("conv-002").status is Status.ACTIVE


def test_what_others_wrote_meanwhile_is_in_the_summary_and_still_told_as_theirs(
    root: Path,
) -> None:
    decisions = conventions(root).with_name("decisions.yaml")
    decisions.write_bytes(b"decisions: []\n")
    bench = opened(root)
    decisions.write_bytes(b"decisions:\n  - {id: dec-001, title: T, decision: Tides first}\n")

    bench.apply(approve(bench))
    bench.refresh([decisions])

    assert b"Tides first" in conventions(root).with_name("summary.md").read_bytes()
    assert [change.path for change in bench.journal.outside(bench.root)] == [decisions]


def test_undo_and_redo_reach_the_same_bytes_after_a_restart(root: Path) -> None:
    before = tree(root)
    bench = opened(root)
    bench.apply(approve(bench))
    done = tree(root)

    opened(root).undo()
    assert tree(root) == before

    opened(root).redo()
    assert tree(root) == done


def test_undo_keeps_what_somebody_wrote_since(root: Path) -> None:
    bench = opened(root)
    bench.apply(approve(bench))
    line = b'  - id: conv-003\n    rule: "An agent was here"\n'
    with conventions(root).open("ab") as file:
        file.write(line)

    reverted = opened(root).undo()

    assert not reverted.exact
    assert conventions(root).read_bytes() == CONVENTIONS + line


def test_late_bytes_that_are_no_text_are_told_until_what_belongs_there_is_in_the_file(
    root: Path,
) -> None:
    bench = opened(root)
    with conventions(root).open("ab", buffering=0) as held:
        bench.apply(approve(bench))
        written = conventions(root).read_bytes()
        held.write(b"  - id: conv-009\n    rule: caf\xe9\n")
    bench.told()
    bench.settle()

    told, problems = bench.told(), [*opened(root).problems]
    kept = [each.cause for each in bench.past.outside()]
    conventions(root).write_bytes(written + b"  - id: conv-009\n")
    half_mended = opened(root).problems
    conventions(root).write_bytes(written + "  - id: conv-009\n    rule: café\n".encode())
    mended = opened(root).problems

    assert len(told) == 1
    assert "conventions.yaml" in told[0]
    assert "kept in the history" in told[0]
    assert [(each.code, each.path) for each in problems] == [("late-bytes", conventions(root))]
    assert kept == ["late"]
    assert [each.code for each in half_mended] == ["late-bytes"]
    assert mended == ()


def test_there_is_nothing_to_undo_at_first(root: Path) -> None:
    with pytest.raises(NotPossible):
        opened(root).undo()


def test_undo_leaves_other_roots_alone(root: Path, tmp_path: Path) -> None:
    other = tmp_path / "elsewhere"
    (other / ".sniper" / "memory").mkdir(parents=True)
    conventions(other).write_bytes(CONVENTIONS)
    for place in (root, other):
        bench = opened(place)
        bench.apply(approve(bench))

    opened(root).undo()

    assert conventions(root).read_bytes() == CONVENTIONS
    assert conventions(other).read_bytes() != CONVENTIONS


def test_a_verb_is_planned_again_when_an_agent_wrote_meanwhile(root: Path) -> None:
    bench = opened(root)
    intent = approve(bench)
    line = b'  - id: conv-003\n    rule: "Written after the look"\n'
    with conventions(root).open("ab") as file:
        file.write(line)

    bench.apply(intent)

    wanted = CONVENTIONS.replace(b"status: candidate", b"status: confirmed") + line
    assert conventions(root).read_bytes() == wanted


def test_an_entry_that_changed_meanwhile_is_not_decided_on(root: Path) -> None:
    bench = opened(root)
    intent = approve(bench)
    theirs = CONVENTIONS.replace(b"Clocks are passed in", b"Clocks are global")
    conventions(root).write_bytes(theirs)

    with pytest.raises(ChangedOnDisk):
        bench.apply(intent)

    assert conventions(root).read_bytes() == theirs


def test_hidden_characters_have_to_be_acknowledged(root: Path) -> None:
    poisoned = CONVENTIONS.replace(b"Clocks are", "Clocks\U000e0041\U000e0042 are".encode())
    conventions(root).write_bytes(poisoned)
    bench = opened(root)

    with pytest.raises(Unacknowledged):
        bench.apply(approve(bench))
    assert conventions(root).read_bytes() == poisoned

    entry = bench.library.resolve("conv-002")
    bench.apply(bench.intend("approve", [entry], acknowledged=True))
    assert bench.library.resolve("conv-002").status is Status.ACTIVE


def test_a_rejected_candidate_leaves_and_comes_back_to_the_byte(root: Path) -> None:
    bench = opened(root)

    bench.apply(
        bench.intend("reject", [bench.library.resolve("conv-002")], reason="a tool does it")
    )

    assert b"conv-002" not in conventions(root).read_bytes()
    record = (root / ".remem" / "rejected.yaml").read_text()
    assert "a tool does it" in record
    assert "2026-05-04" in record

    bench.undo()
    assert conventions(root).read_bytes() == CONVENTIONS
    assert not (root / ".remem" / "rejected.yaml").exists()


def test_what_others_write_is_told_as_a_change_from_outside(root: Path) -> None:
    bench = opened(root)
    heard: list[bool] = []
    bench.subscribe(lambda _library, own: heard.append(own))
    conventions(root).write_bytes(CONVENTIONS + b"# more\n")

    bench.refresh([conventions(root)])

    assert heard == [False]
    assert [change.path for change in bench.journal.outside(bench.root)] == [conventions(root)]


def test_remems_own_writes_are_not_changes_from_outside(root: Path) -> None:
    bench = opened(root)
    heard: list[tuple[Library, bool]] = []
    bench.subscribe(lambda library, own: heard.append((library, own)))

    bench.apply(approve(bench))
    bench.refresh([conventions(root)])

    assert not bench.journal.outside(bench.root)
    assert all(own for _, own in heard)


def test_impact_tells_what_a_role_would_be_given_more(root: Path) -> None:
    bench = opened(root)

    (found,) = bench.impact(bench.plan(approve(bench)), [Ask(role="backend-engineer")])

    assert found.tokens_after > found.tokens_before
    assert [ref.id for ref in found.added] == ["conv-002"]


def test_a_settings_file_that_does_not_parse_is_a_problem(root: Path) -> None:
    (root / ".remem").mkdir()
    (root / ".remem" / "config.yaml").write_bytes(b"theme: [nord\n")

    bench = opened(root)

    assert bench.problems
    assert bench.problems[0].line


def test_nothing_lies_outside_the_home_that_was_named(root: Path) -> None:
    home = root.parent / "home"
    bench = opened(root)

    bench.apply(approve(bench))

    journal = [path for path in tree(root.parent) if "journal" in path]
    assert journal
    assert all(path.startswith("home/") for path in journal)
    assert bench.places.state.is_relative_to(home)


class Shut(Disk):
    """Forbids what is in one folder, as another user's mode does."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def perform(self, name: str, call: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        path = args[0] if args and isinstance(args[0], Path) else None
        if path == self._folder and call is os.access:
            return False  # type: ignore[return-value]
        if path is not None and (path == self._folder and name == "names"):
            raise PermissionError(errno.EACCES, "Permission denied")
        if path is not None and self._folder in path.parents:
            raise PermissionError(errno.EACCES, "Permission denied")
        return call(*args, **kwargs)


@pytest.mark.parametrize("name", [".sniper", ".sniper/memory", ".squad/agents/hill"])
def test_a_folder_of_memory_that_may_not_be_read_is_told_and_not_taken_for_empty(
    root: Path, name: str
) -> None:
    (root / ".squad/agents/hill").mkdir(parents=True)

    bench = opened(root, Shut(root / name))

    (problem,) = (each for each in bench.limits() if each.code == "forbidden")
    assert problem.path == root / name
    assert problem.message.endswith("(permission denied): no prompt has what is in it")
    assert opened(root).shut_folders() == ()
