"""What becomes of a decision once it is written, when others go on writing."""

import os
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from itertools import count
from pathlib import Path

import pytest
from tests.demo_files import demo_at

from remem.base.clock import Clock
from remem.base.errors import NotPossible, RememError
from remem.core.checks.issues import issues
from remem.core.library import FileChange, Library
from remem.core.observer import LISTED, Observer
from remem.core.session import Session
from remem.core.settings import Places
from remem.core.waiting.item import Why
from remem.demo.build import home_of
from remem.model.change import Intent, Json
from remem.model.done_by_others import Aside
from remem.model.entry import Status
from remem.store.history.external_changes import Outside
from remem.store.history.journal_records import Actor

STORE = b"""conventions:
  - id: conv-001
    rule: "Queues are drained before a deploy"
  - id: conv-002
    rule: "Clocks are passed in"
    status: candidate
"""
STALE = b"""  - id: conv-900
    rule: "Written by an agent that had read the file before"
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    memory = tmp_path / "harbour" / ".sniper" / "memory"
    memory.mkdir(parents=True)
    (memory / "conventions.yaml").write_bytes(STORE)
    return tmp_path / "harbour"


@pytest.fixture
def bench(root: Path) -> Iterator[Session]:
    bench = opened(root)
    bench.begin()
    yield bench
    bench.close()


def opened(root: Path, actor: Actor = "person") -> Session:
    ids = count(os.getpid() << 32)
    clock = Clock(lambda: datetime.now(UTC), lambda: f"{next(ids):016x}")
    return Session.open(root, Places.of(root.parent / "home"), door="tui", actor=actor, clock=clock)


def waiting(bench: Session) -> list[tuple[Why, str]]:
    """Return why each item waits, and the id of its entry."""
    return [(item.reason, item.ref.id) for item in bench.queue()]


WRITTEN_BY_AN_AGENT = (Why.WRITTEN, "conv-900")
"""What the stale writer adds waits for a look, whatever became of the decision."""


def store(root: Path) -> Path:
    return root / ".sniper" / "memory" / "conventions.yaml"


def approve(bench: Session) -> str:
    entry = bench.library.resolve("conv-002")
    return bench.apply(bench.intend("approve", [entry])).id


def write(root: Path, data: bytes, *, seconds_later: float = 0) -> None:
    """Write as an agent that locks nothing, at once or some seconds after."""
    store(root).write_bytes(data)
    if seconds_later:
        time = store(root).stat().st_mtime + seconds_later
        os.utime(store(root), (time, time))


def git(root: Path, *arguments: str, at: str = "") -> None:
    identity = ("-c", "user.name=Ines", "-c", "user.email=ines@example.org")
    dated = {"GIT_COMMITTER_DATE": at} if at else {}
    subprocess.run(
        ["git", *identity, *arguments],
        cwd=root,
        check=True,
        capture_output=True,
        env={**os.environ, **dated},
    )


def test_a_decision_that_a_stale_writer_takes_back_at_once_is_made_again(
    root: Path, bench: Session
) -> None:
    made = approve(bench)

    write(root, STORE + STALE)
    bench.refresh([store(root)])

    assert store(root).read_bytes() == STORE.replace(b"candidate", b"confirmed") + STALE
    assert [logged.id for logged in bench.past.changes()] == [made]
    assert waiting(bench) == [WRITTEN_BY_AN_AGENT]


def test_a_decision_that_is_taken_back_later_waits_and_is_not_fought_for(
    root: Path, bench: Session
) -> None:
    approve(bench)

    write(root, STORE + STALE, seconds_later=30)
    bench.refresh([store(root)])

    assert waiting(bench) == [(Why.REVERTED, "conv-002"), WRITTEN_BY_AN_AGENT]
    assert store(root).read_bytes() == STORE + STALE


def test_what_others_wrote_is_noted_before_the_next_decision_is_taken(
    root: Path, bench: Session
) -> None:
    write(root, STORE + STALE)
    bench.take_in([store(root)])
    assert bench.journal.outside(root, 10) == ()

    made = approve(bench)

    (noted,) = bench.journal.outside(root, 10)
    assert (noted.path, noted.cause) == (store(root), "writer")
    assert [logged.id for logged in bench.past.changes()] == [made]


def test_what_others_wrote_is_noted_before_the_program_ends(root: Path, bench: Session) -> None:
    write(root, STORE + STALE)
    bench.take_in([store(root)])

    bench.close()

    assert [each.path for each in opened(root).journal.outside(root, 10)] == [store(root)]


def test_one_key_makes_it_again(root: Path, bench: Session) -> None:
    approve(bench)
    write(root, STORE + STALE, seconds_later=30)
    bench.refresh([store(root)])
    item = bench.queue()[0]

    bench.apply(bench.intend("approve", [bench.library.entry(item.ref)]))

    assert bench.library.resolve("conv-002").status is Status.ACTIVE
    assert waiting(bench) == [WRITTEN_BY_AN_AGENT]


def test_what_was_taken_back_while_remem_was_closed_is_found_at_the_next_start(
    root: Path, bench: Session
) -> None:
    approve(bench)
    bench.close()
    write(root, STORE + STALE, seconds_later=30)

    later = opened(root)
    later.look()

    assert waiting(later) == [(Why.REVERTED, "conv-002"), WRITTEN_BY_AN_AGENT]
    later.close()


def test_a_door_that_only_reads_puts_nothing_right(root: Path, bench: Session) -> None:
    approve(bench)
    bench.close()
    write(root, STORE + STALE)

    later = opened(root)
    later.look()
    later.close()

    assert store(root).read_bytes() == STORE + STALE


def test_what_git_takes_back_is_noted_and_left(root: Path, bench: Session) -> None:
    git(root, "init", "--quiet")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "-m", "Begin")
    bench.refresh()
    approve(bench)

    git(root, "checkout", "--", ".")
    bench.refresh([store(root)])

    assert store(root).read_bytes() == STORE
    assert [item.reason for item in bench.queue()] == [Why.CANDIDATE]
    assert bench.library.aside.vanished == ()


@dataclass
class Branches:
    """A repository in which a decision was made and committed; `theirs` does not have it."""

    root: Path
    bench: Session

    def __post_init__(self) -> None:
        git(self.root, "init", "--quiet", "--initial-branch", "main")
        self.commit("Begin")
        git(self.root, "branch", "theirs")
        self.bench.refresh()
        self.change = approve(self.bench)
        self.commit("Decide")

    def commit(self, message: str, *, seconds_later: int = 0) -> None:
        moment = f"{int(time.time()) + seconds_later} +0000"
        git(self.root, "add", "--all")
        git(self.root, "commit", "--quiet", "-m", message, at=moment)

    def settled(self) -> str:
        return self.bench.journal.get(self.change).settled


@pytest.fixture
def branches(root: Path, bench: Session) -> Branches:
    return Branches(root, bench)


def test_what_a_writer_takes_back_after_a_commit_waits(branches: Branches) -> None:
    write(branches.root, STORE + STALE, seconds_later=30)
    branches.bench.refresh()

    assert waiting(branches.bench) == [(Why.REVERTED, "conv-002"), WRITTEN_BY_AN_AGENT]
    assert branches.settled() == ""


def test_what_a_writer_takes_back_and_commits_waits(branches: Branches) -> None:
    write(branches.root, STORE + STALE, seconds_later=30)
    branches.commit("Take it back", seconds_later=90)
    branches.bench.refresh()

    assert (Why.REVERTED, "conv-002") in waiting(branches.bench)
    assert branches.settled() == ""


def test_what_git_brings_back_is_followed_again(branches: Branches) -> None:
    git(branches.root, "switch", "--quiet", "theirs")
    branches.bench.refresh()
    away = branches.settled(), waiting(branches.bench)
    git(branches.root, "switch", "--quiet", "main")
    branches.bench.refresh()
    back = branches.settled(), waiting(branches.bench)
    write(branches.root, STORE + STALE, seconds_later=30)
    branches.bench.refresh()

    assert away == ("git", [(Why.CANDIDATE, "conv-002")])
    assert back == ("", [])
    assert waiting(branches.bench) == [(Why.REVERTED, "conv-002"), WRITTEN_BY_AN_AGENT]
    assert branches.settled() == ""


def test_what_a_writer_took_back_waits_on_whatever_git_and_others_do_after_it(
    branches: Branches,
) -> None:
    write(branches.root, STORE + STALE, seconds_later=30)
    branches.bench.refresh()
    git(branches.root, "switch", "--quiet", "--create", "aside")
    branches.commit("Take it back")
    branches.bench.refresh()
    once = waiting(branches.bench)
    write(branches.root, STORE + STALE + STALE.replace(b"900", b"901"), seconds_later=60)
    branches.bench.refresh()

    assert (Why.REVERTED, "conv-002") in once
    assert (Why.REVERTED, "conv-002") in waiting(branches.bench)
    assert branches.settled() == ""


def test_what_is_written_on_a_branch_without_a_decision_takes_none_back(branches: Branches) -> None:
    git(branches.root, "switch", "--quiet", "theirs")
    write(branches.root, STORE + STALE, seconds_later=30)
    branches.bench.refresh()
    once = waiting(branches.bench)
    write(branches.root, STORE + STALE + STALE.replace(b"900", b"901"), seconds_later=60)
    branches.bench.refresh()

    assert Why.REVERTED not in [reason for reason, _ in [*once, *waiting(branches.bench)]]
    assert branches.settled() == "git"


def test_what_was_taken_back_on_the_branch_that_git_went_back_to_is_found_at_the_next_start(
    branches: Branches,
) -> None:
    git(branches.root, "switch", "--quiet", "theirs")
    branches.bench.refresh()
    branches.bench.close()
    git(branches.root, "switch", "--quiet", "main")
    write(branches.root, STORE + STALE, seconds_later=30)

    later = opened(branches.root)
    later.begin()

    assert (Why.REVERTED, "conv-002") in waiting(later)
    assert later.journal.get(branches.change).settled == ""
    later.close()


def test_a_stash_is_noted_as_gits_doing(root: Path, bench: Session) -> None:
    git(root, "init", "--quiet")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "-m", "Begin")
    bench.refresh()
    approve(bench)

    git(root, "stash", "--quiet")
    bench.refresh([store(root)])

    assert store(root).read_bytes() == STORE
    assert bench.journal.outside(root)[0].cause == "git"
    assert [item.reason for item in bench.queue()] == [Why.CANDIDATE]


def test_what_is_written_and_committed_at_one_stroke_is_not_gits_doing(
    root: Path, bench: Session
) -> None:
    git(root, "init", "--quiet")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "-m", "Begin")
    bench.refresh()

    write(root, STORE + STALE)
    git(root, "commit", "--quiet", "--all", "-m", "Learn")
    git(root, "commit", "--quiet", "--amend", "-m", "Learn more")
    bench.refresh([store(root)])
    assert bench.journal.outside(root)[0].cause == "writer"

    git(root, "reset", "--quiet", "--hard", "HEAD~1")
    bench.refresh([store(root)])
    assert bench.journal.outside(root)[0].cause == "git"


def test_a_file_that_git_does_not_keep_is_not_gits_doing(root: Path, bench: Session) -> None:
    git(root, "init", "--quiet")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "-m", "Begin")
    bench.refresh()

    git(root, "checkout", "--quiet", "-b", "other")
    beside = store(root).with_name("anti-patterns.yaml")
    beside.write_bytes(b"anti_patterns:\n  - {id: ap-001, description: Clocks are read}\n")
    bench.refresh([beside])

    assert [(each.path, each.cause) for each in bench.past.outside(9)] == [(beside, "writer")]


def test_a_file_that_somebody_moves_back_is_not_gits_doing(root: Path, bench: Session) -> None:
    git(root, "init", "--quiet")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "-m", "Begin")
    aside = store(root).with_name("aside.yaml")
    aside.write_bytes(STORE)
    write(root, STORE + STALE)
    bench.refresh([store(root)])

    aside.replace(store(root))
    bench.refresh([store(root)])

    assert bench.journal.outside(root)[0].cause == "writer"
    assert len(bench.library.aside.vanished) == 1


def test_an_entry_that_an_agent_takes_out_is_listed_and_not_put_back(
    root: Path, bench: Session
) -> None:
    without = STORE.replace(
        b'  - id: conv-001\n    rule: "Queues are drained before a deploy"\n', b""
    )

    write(root, without)
    bench.refresh([store(root)])

    assert [lost.title for lost in bench.library.aside.vanished] == [
        "Queues are drained before a deploy"
    ]
    assert store(root).read_bytes() == without


def test_what_an_agent_took_out_stays_listed_however_much_is_written_after_it(
    root: Path, bench: Session
) -> None:
    write(root, STORE.replace(b"Clocks are passed in", b"Ids are drawn by the caller"))
    bench.refresh([store(root)])
    later = [
        Outside.of(datetime.now(UTC), root, store(root), "writer", b"%d" % n, b"%d" % (n + 1))
        for n in range(LISTED + 1)
    ]
    bench.journal.note(*later)

    with closing(opened(root)) as anew:
        anew.begin()
        for each in (bench, anew):
            each.refresh()
            assert [lost.title for lost in each.library.aside.vanished] == ["Clocks are passed in"]


def test_an_entry_that_came_back_and_vanished_again_is_listed_once(
    root: Path, bench: Session
) -> None:
    without = STORE.replace(
        b'  - id: conv-001\n    rule: "Queues are drained before a deploy"\n', b""
    )

    for data in (without, STORE, without):
        write(root, data)
        bench.refresh([store(root)])

    assert len(bench.journal.outside(root)) == 3
    assert [str(lost.ref) for lost in bench.library.aside.vanished] == ["sniper@harbour:conv-001"]


def test_a_root_that_is_gone_is_told_and_nothing_is_written_there(
    root: Path, bench: Session
) -> None:
    root.rename(root.with_name("elsewhere"))

    bench.refresh()

    assert next(w.problem.code for w in issues(bench.library)) == "root-gone"
    with pytest.raises(NotPossible, match="no longer exists"):
        bench.apply(Intent("add", arguments={"kind": "convention", "text": "Ropes are checked"}))
    assert not root.exists()

    root.with_name("elsewhere").rename(root)
    bench.refresh()
    assert all(w.problem.code != "root-gone" for w in issues(bench.library))


def test_a_file_that_is_empty_for_a_moment_loses_nothing(root: Path, bench: Session) -> None:
    write(root, b"")
    bench.refresh([store(root)])
    write(root, STORE + STALE)
    bench.refresh([store(root)])

    assert bench.library.aside.vanished == ()
    assert bench.queue()[0].reason is Why.CANDIDATE


def test_a_history_that_cannot_be_used_stops_nobody_from_looking(
    root: Path, bench: Session
) -> None:
    bench.close()
    state = bench.places.state
    state.mkdir(parents=True, exist_ok=True)
    (state / "journal.db").write_bytes(b"no database at all, and long enough to be one" * 20)

    write(root, STORE + STALE)
    bench.refresh([store(root)])

    assert bench.library.resolve("conv-900").title.startswith("Written by an agent")


def test_what_another_terminal_decided_is_not_taken_for_reverted_before_it_was_read(
    root: Path, bench: Session
) -> None:
    other = opened(root)
    other.begin()
    approve(bench)
    approved = store(root).read_bytes()

    other.look(writing=True)

    assert [item.reason for item in other.queue()] == [Why.CANDIDATE]
    other.refresh()
    assert other.queue() == ()
    assert store(root).read_bytes() == approved
    other.close()


def test_a_change_of_another_terminal_and_its_undo_are_both_its_own_however_late_they_are_seen(
    root: Path, bench: Session
) -> None:
    before, since = bench.library, bench.clock.now()
    other = opened(root)
    approve(other)
    approved, as_approved = store(root).read_bytes(), before.refresh()
    other.undo()
    other.close()
    observer = Observer(root, before.ground.disk, bench.journal, bench.clock, opened=since)

    observer.note(before, as_approved, [FileChange(store(root), STORE, approved)])
    observer.note(as_approved, before, [FileChange(store(root), approved, STORE)])
    assert bench.past.outside(9) == ()

    observer.note(before, as_approved, [FileChange(store(root), STORE, approved)])
    assert [each.path for each in bench.past.outside(9)] == [store(root)]  # a stranger's by now


class Interrupted(Observer):
    """Somebody decides while it looks for the first time."""

    decide: Callable[[], object] | None = None

    def look(self, library: Library, *, writing: bool) -> Aside:
        found = super().look(library, writing=writing)
        decide, self.decide = self.decide, None
        if decide is not None:
            decide()
        return found


def test_what_was_found_on_an_older_snapshot_is_not_laid_beside_a_newer_one(
    root: Path, bench: Session
) -> None:
    approve(bench)
    write(root, STORE + STALE, seconds_later=30)
    bench.refresh([store(root)])
    item = bench.queue()[0]
    intent = bench.intend("approve", [bench.library.entry(item.ref)])
    observer = Interrupted(root, bench.disk, bench.journal, bench.clock)
    observer.decide = partial(bench.apply, intent)
    bench.observer = observer

    bench.look(writing=True)

    assert waiting(bench) == [WRITTEN_BY_AN_AGENT]


@pytest.mark.slow
def test_no_decision_on_the_demo_is_taken_for_reverted_by_anybody(tmp_path: Path) -> None:
    project = demo_at(tmp_path / "demo")
    bench = Session.open(project, Places.of(home_of(project)), door="tui")
    bench.begin()
    done = 0

    for item in bench.queue():
        for verb in {*item.verbs} & {"approve", "reject", "keep", "promote"}:
            entry = bench.library.entry(item.ref)
            with suppress(RememError):  # what hides characters is not approved
                told = {"reason": "no"} if verb == "reject" else {}
                bench.apply(bench.intend(verb, [entry], **told))
                done += 1
                bench.look(writing=True)
                assert bench.library.aside.reverted == (), item.title
                bench.undo()

    assert done > len(bench.queue())
    bench.close()


def test_a_lesson_that_was_lifted_is_lifted_once_whatever_is_done_next(root: Path) -> None:
    memory = root / ".squad" / "agents" / "hill" / "history.md"
    memory.parent.mkdir(parents=True)
    memory.write_bytes(b"# Hill\n\n## Learnings\n\n- Lamps are counted twice\n")
    before = store(root).read_bytes()
    first = opened(root)
    (lesson,) = first.library.of_kind("lesson")

    first.apply(first.intend("promote", [lesson], to="convention"))
    second = opened(root)
    second.begin()

    rules = [entry.title for entry in second.library.of_kind("convention")]
    assert rules.count("Lamps are counted twice") == 1
    assert second.undo().exact
    assert store(root).read_bytes() == before
    for each in (first, second):
        each.close()


LESSON = "Lamps are counted twice"
RULE = "Rules without an id"


@pytest.mark.parametrize(
    ("verb", "text", "arguments"),
    [
        pytest.param("archive", LESSON, {}, id="archive"),
        pytest.param("edit", LESSON, {"text": "Lamps are counted once"}, id="edit"),
        pytest.param("merge", LESSON, {"into": "Buoys are lamps"}, id="merge"),
        pytest.param("remove", RULE, {}, id="remove"),
        pytest.param("reject", RULE, {"reason": "said twice"}, id="reject"),
        pytest.param("merge", RULE, {"into": "Clocks are passed in"}, id="merge-rules"),
    ],
)
def test_of_two_that_say_the_same_only_the_one_is_decided_on(
    root: Path, verb: str, text: str, arguments: dict[str, Json]
) -> None:
    memory = root / ".squad" / "agents" / "hill" / "history.md"
    memory.parent.mkdir(parents=True)
    lessons = f"- {LESSON}\n- Buoys are lamps\n- {LESSON}\n"
    memory.write_text(f"# Hill\n\n## Learnings\n\n{lessons}")
    store(root).write_bytes(STORE + f"  - {{rule: {RULE}, status: candidate}}\n".encode() * 2)
    bench = opened(root)
    by_title = {entry.title: entry for entry in [*bench.library.entries()][::-1]}
    if "into" in arguments:
        arguments = {"into": str(by_title[str(arguments["into"])].ref)}

    bench.apply(bench.intend(verb, [by_title[text]], **arguments))
    bench.close()
    after = memory.read_bytes(), store(root).read_bytes()
    later = opened(root)
    later.begin()

    assert later.library.aside.reverted == ()
    assert (memory.read_bytes(), store(root).read_bytes()) == after
    later.close()


def test_an_observation_that_was_left_out_is_not_taken_for_reverted(tmp_path: Path) -> None:
    project = demo_at(tmp_path / "demo")
    bench = Session.open(project, Places.of(home_of(project)), door="tui")
    bench.begin()
    item = next(item for item in bench.queue() if item.reason is Why.OBSERVED)

    bench.apply(bench.intend("reject", [bench.library.entry(item.ref)], reason="by chance"))
    bench.look(writing=True)

    assert bench.library.aside.reverted == ()
    assert item.ref not in {each.ref for each in bench.queue()}
    bench.close()


def test_after_a_rebase_each_change_is_still_whose_it_was_and_undone_with_its_parts(
    root: Path,
) -> None:
    rules = "".join(
        f'  - id: conv-{n:03}\n    rule: "Harbour rule {n} holds"\n    status: candidate\n\n'
        for n in range(1, 7)
    )
    store(root).write_text(f"conventions:\n{rules}")
    git(root, "init", "--quiet", "--initial-branch", "main")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "Begin")
    bench, agent = opened(root), opened(root, "agent")

    def decide(who: Session, name: str) -> None:
        who.apply(who.intend("approve", [who.library.resolve(name)]))

    with bench.as_one():
        decide(bench, "conv-002")
        decide(bench, "conv-004")
    decide(agent, "conv-006")
    agent.close()
    bench.refresh()
    git(root, "commit", "--all", "--quiet", "--message", "Decide")
    git(root, "switch", "--quiet", "--create", "theirs", "HEAD~1")
    store(root).write_text(f"# Ines keeps this\nconventions:\n{rules}")
    git(root, "commit", "--all", "--quiet", "--message", "Say who keeps it")
    bench.refresh()
    git(root, "rebase", "--quiet", "theirs", "main")
    bench.refresh()
    told = [(each.origin.actor, each.origin.follows, each.settled) for each in bench.past.changes()]
    left = waiting(bench)

    reverted = bench.undo()
    bench.close()

    head = reverted.logged.id
    assert [each[:2] for each in told] == [("agent", ""), ("person", head), ("person", "")]
    candidates = [(Why.CANDIDATE, f"conv-00{n}") for n in (1, 3, 5)]
    assert left == [*candidates, (Why.REWRITTEN, "conv-006")]  # what the agent decided
    assert [each.origin.follows for each in reverted.with_it] == [head]
    *persons, agents = rules.rpartition("candidate")
    assert store(root).read_text() == "".join(
        ("# Ines keeps this\nconventions:\n", persons[0], "confirmed", agents)
    )
