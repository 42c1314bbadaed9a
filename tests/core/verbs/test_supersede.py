"""One entry takes the place of another: both in one change, and back in one undo."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path

import pytest
import yaml
from tests import learning_files as learning
from tests.shaktra_files import file_of, principle
from tests.workspace_files import workspace

from remem.base.errors import Already, Conflict, NotPossible, RememError
from remem.core.session import Session
from remem.core.settings import Places
from remem.core.verbs.verbs import SUPERSEDE
from remem.core.waiting.item import Why
from remem.model.change import Change, Intent
from remem.model.entry import Status

CONVENTIONS = ".sniper/memory/conventions.yaml"
DECISIONS = ".sniper/memory/decisions.yaml"
RULES = """\
conventions:
  - id: conv-001  # since the first sprint
    rule: Throw errors in domain code
    status: confirmed
  - id: conv-002
    rule: Never throw errors in domain code
    status: candidate
"""
CHOICES = """\
decisions:
  - id: dec-001
    title: Datastore
    choice: MySQL
    status: active
    superseded_by: null
  - id: dec-002
    title: Datastore
    choice: PostgreSQL
    status: candidate
    superseded_by: null
"""


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Session]:
    files = {CONVENTIONS: RULES, DECISIONS: CHOICES}
    with closing(at(tmp_path, files)) as opened:
        yield opened


def at(root: Path, files: Mapping[str, str]) -> Session:
    for name, text in files.items():
        path = root / "shop" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return Session.open(root / "shop", Places.of(root / "home"), door="cli")


def asked(bench: Session, new: str, old: str) -> Intent:
    entries = [bench.library.resolve(name) for name in (new, old)]
    shown = {entry.ref: entry.digest for entry in entries}
    bench.seen.note(bench.library, shown)
    return Intent(SUPERSEDE.id, shown, {"instead_of": str(entries[1].ref)})


def applied(bench: Session, new: str, old: str) -> Change:
    return bench.apply(asked(bench, new, old)).change


def statuses(bench: Session, *names: str) -> list[Status]:
    bench.refresh()
    return [bench.library.resolve(name).status for name in names]


def stands(bench: Session) -> dict[str, bytes]:
    return {name: (bench.root / name).read_bytes() for name in (CONVENTIONS, DECISIONS)}


def test_a_candidate_is_in_force_in_the_place_of_what_it_contradicts_until_it_is_undone(
    bench: Session,
) -> None:
    before = stands(bench)

    done = applied(bench, "conv-002", "conv-001")

    assert done.title == "Supersede sniper:conv-001 by sniper:conv-002"
    assert statuses(bench, "conv-002") == [Status.ACTIVE]
    assert b"conv-001" not in (bench.root / CONVENTIONS).read_bytes()
    (turned_down,) = yaml.safe_load((bench.root / ".remem/rejected.yaml").read_text())["rejected"]
    assert turned_down["text"] == "Throw errors in domain code"
    assert turned_down["reason"] == "superseded by sniper:conv-002"
    bench.undo()
    assert stands(bench) == before


def test_a_decision_names_the_one_that_took_its_place(bench: Session) -> None:
    applied(bench, "dec-002", "dec-001")

    old, new = yaml.safe_load((bench.root / DECISIONS).read_text())["decisions"]
    assert (old["status"], old["superseded_by"]) == ("superseded", "dec-002")
    assert (new["status"], new["superseded_by"]) == ("active", None)


def test_of_what_is_in_force_already_nothing_but_the_other_one_is_written(
    bench: Session,
) -> None:
    bench.apply(bench.intend("approve", [bench.library.resolve("dec-002")]))
    between = (bench.root / DECISIONS).read_text()

    applied(bench, "dec-002", "dec-001")

    after = (bench.root / DECISIONS).read_text()
    lines = zip(between.split("\n"), after.split("\n"), strict=True)
    assert [new for old, new in lines if old != new] == [
        "    status: superseded",
        "    superseded_by: dec-002",
    ]


def test_a_principle_names_the_one_whose_place_it_took(tmp_path: Path) -> None:
    kept = file_of(
        "principles",
        principle("PR-001", "Throw errors in domain code, always"),
        principle("PR-002", "Never throw errors in domain code"),
    )
    with closing(at(tmp_path, {".shaktra/memory/principles.yml": kept})) as bench:
        applied(bench, "PR-002", "PR-001")

        found = yaml.safe_load((bench.root / ".shaktra/memory/principles.yml").read_text())
        old, new = found["principles"]
        assert old["status"] == "superseded"
        assert new["supersedes"] == "PR-001"


def test_a_learning_notes_what_took_its_place(tmp_path: Path) -> None:
    names = ("L-20260222-aaaa", "L-20260223-bbbb")
    learning.learnings(tmp_path, *(learning.record(name, learning=name) for name in names))
    root = learning.path_of(tmp_path).parents[3]
    with closing(Session.open(root, Places.of(tmp_path / "home"), door="cli")) as bench:
        applied(bench, names[1], names[0])

        assert statuses(bench, *names) == [Status.SUPERSEDED, Status.ACTIVE]


def test_what_was_superseded_already_is_done(bench: Session) -> None:
    applied(bench, "dec-002", "dec-001")
    bench.refresh()

    with pytest.raises(Already):
        bench.plan(asked(bench, "dec-002", "dec-001"))


@pytest.mark.parametrize(
    ("new", "old"),
    [
        pytest.param("dec-002", "conv-002", id="a candidate makes no room"),
        pytest.param("conv-001", "conv-001", id="itself"),
    ],
)
def test_only_what_is_in_force_makes_room_and_nothing_takes_its_own_place(
    bench: Session, new: str, old: str
) -> None:
    before = stands(bench)

    with pytest.raises(NotPossible):
        bench.apply(asked(bench, new, old))

    assert stands(bench) == before


@pytest.mark.parametrize("of", ["conv-001", "conv-002"])
def test_neither_is_decided_on_after_its_text_changed(bench: Session, of: str) -> None:
    intent = asked(bench, "conv-002", "conv-001")
    path = bench.root / CONVENTIONS
    words = {"conv-001": "rule: Throw errors", "conv-002": "rule: Never throw errors"}
    path.write_text(path.read_text().replace(words[of], f"{words[of]} and warnings"))
    before = stands(bench)

    with pytest.raises(Conflict):
        bench.apply(intent)

    assert stands(bench) == before


def test_hidden_characters_in_the_new_one_are_acknowledged_first(bench: Session) -> None:
    path = bench.root / CONVENTIONS
    path.write_text(path.read_text().replace("Never throw", "Never\u202e throw"))
    bench.refresh()

    with pytest.raises(RememError, match="hidden"):
        bench.apply(asked(bench, "conv-002", "conv-001"))

    assert statuses(bench, "conv-001", "conv-002") == [Status.ACTIVE, Status.CANDIDATE]


def test_a_half_that_another_writer_took_back_waits_and_is_done_again_alone(
    bench: Session,
) -> None:
    applied(bench, "dec-002", "dec-001")
    path = bench.root / DECISIONS
    written = path.read_text().replace("superseded_by: dec-002", "superseded_by: null")
    path.write_text(written.replace("status: superseded", "status: active"))
    bench.refresh()
    (again,) = (item for item in bench.queue() if item.reason is Why.REVERTED)

    bench.apply(bench.intend("approve", [bench.library.entry(again.ref)]))

    assert statuses(bench, "dec-001", "dec-002") == [Status.ARCHIVED, Status.ACTIVE]


def test_what_all_repositories_share_makes_no_room_for_what_one_of_them_has(tmp_path: Path) -> None:
    own = {"rule": "Never indent with tabs in all code", "status": "candidate"}
    root = workspace(tmp_path, ["Indent with tabs in all code"], {"api": [own]})
    before = {path: path.read_bytes() for path in root.rglob("*.yaml")}
    repository = root / "repositories" / "api"
    with closing(Session.open(repository, Places.of(tmp_path / "home"), door="cli")) as bench:
        with pytest.raises(NotPossible, match="active in other repositories too"):
            applied(bench, "sniper:conv-001", "workspace:conv-001")

        (item,) = (each for each in bench.queue() if each.title == own["rule"])
        assert [str(ref) for ref in bench.opposed(item)] == ["workspace@acme:conv-001"]
    assert {path: path.read_bytes() for path in root.rglob("*.yaml")} == before
