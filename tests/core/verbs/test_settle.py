"""A conflict is settled without choosing a side: both stay, with a reason or each for its own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import yaml
from tests import learning_files as learning
from tests.core.verbs.test_supersede import CONVENTIONS, DECISIONS, RULES, at

from remem.base.errors import NotPossible, RememError
from remem.core.relation.pairs import pairs
from remem.core.session import Session
from remem.core.verbs.verbs import KEEP_BOTH, SCOPE
from remem.core.waiting.item import Why
from remem.edit.yaml_write import render
from remem.model.change import Intent, Json
from remem.model.entry import Status

NEITHER = """\
decisions:
  - id: dec-001
    title: Datastore
    status: active
"""
ROLES = ("conv-001", "conv-002")


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Session]:
    with closing(at(tmp_path, {CONVENTIONS: RULES, DECISIONS: NEITHER})) as opened:
        yield opened


def intent(bench: Session, verb: str, *names: str, **told: Json) -> Intent:
    entries = [bench.library.resolve(name) for name in names]
    shown = {entry.ref: entry.digest for entry in entries}
    bench.seen.note(bench.library, shown)
    return Intent(verb, shown, told)


def rejected(bench: Session) -> list[dict[str, str]]:
    found = yaml.safe_load((bench.root / ".remem/rejected.yaml").read_text())["rejected"]
    assert isinstance(found, list)
    return found


def stands(bench: Session) -> bytes:
    return (bench.root / CONVENTIONS).read_bytes()


def conflicts(bench: Session) -> int:
    bench.refresh()
    return sum(pair.is_contradiction for pair in pairs(bench.library))


def test_both_are_in_force_with_the_reason_and_are_not_told_again_until_one_changes(
    bench: Session,
) -> None:
    before = stands(bench)
    assert conflicts(bench) == 1

    done = bench.apply(
        intent(bench, KEEP_BOTH.id, *ROLES, reason="the two layers differ", beside="conv-001")
    ).change

    assert done.title == "Keep sniper:conv-002 beside sniper:conv-001"
    assert done.reason == "the two layers differ"
    assert bench.library.resolve("conv-002").status is Status.ACTIVE
    assert [each["reason"] for each in rejected(bench)] == ["the two layers differ"]
    assert conflicts(bench) == 0
    path = bench.root / CONVENTIONS
    path.write_text(path.read_text().replace("Never throw errors", "Never throw any errors"))
    assert conflicts(bench) == 1
    path.write_text(path.read_text().replace("Never throw any errors", "Never throw errors"))
    bench.refresh()
    bench.undo()
    assert stands(bench) == before
    assert conflicts(bench) == 1


def test_without_a_name_it_is_kept_beside_all_that_it_conflicts_with(bench: Session) -> None:
    bench.apply(intent(bench, KEEP_BOTH.id, "conv-002", reason="the two layers differ"))

    assert conflicts(bench) == 0


def test_two_that_are_in_force_already_are_kept_both_and_no_byte_of_them_changes(
    bench: Session,
) -> None:
    bench.apply(bench.intend("approve", [bench.library.resolve("conv-002")]))
    before = stands(bench)
    assert conflicts(bench) == 1

    bench.apply(intent(bench, KEEP_BOTH.id, *ROLES, reason="both hold", beside="conv-001"))

    assert stands(bench) == before
    assert conflicts(bench) == 0


@pytest.mark.parametrize("told", [{}, {"reason": "  "}])
def test_keeping_both_wants_a_reason(bench: Session, told: dict[str, Json]) -> None:
    with pytest.raises(RememError, match="reason"):
        bench.plan(intent(bench, KEEP_BOTH.id, *ROLES, beside="conv-001", **told))


def test_what_conflicts_with_nothing_is_simply_approved(tmp_path: Path) -> None:
    alone = {CONVENTIONS: RULES.replace("Throw errors in", "Paint the door of")}
    with closing(at(tmp_path, alone)) as bench, pytest.raises(NotPossible) as told:
        bench.plan(intent(bench, KEEP_BOTH.id, "conv-002", reason="both"))

    assert "no active entry" in str(told.value)
    assert "approve" in told.value.hint


def test_the_new_one_is_limited_to_a_role_the_old_one_to_another_in_one_change(
    bench: Session,
) -> None:
    before = stands(bench)

    done = bench.apply(
        intent(
            bench, SCOPE.id, *ROLES, apart_from="conv-001",
            roles=["backend-engineer"], other_roles=["qa-engineer"],
        )
    ).change  # fmt: skip

    assert done.title == "Limit the scope of sniper:conv-002 and sniper:conv-001"
    old, new = (bench.library.resolve(name) for name in ROLES)
    assert (old.roles, new.roles) == (("qa-engineer",), ("backend-engineer",))
    assert new.status is Status.ACTIVE
    assert b"# since the first sprint" in stands(bench)
    assert "is for backend-engineer" in rejected(bench)[0]["reason"]
    assert conflicts(bench) == 0
    bench.undo()
    assert stands(bench) == before


def test_the_old_one_alone_may_be_limited(bench: Session) -> None:
    done = bench.apply(
        intent(bench, SCOPE.id, *ROLES, apart_from="conv-001", other_roles=["qa-engineer"])
    ).change

    assert done.title == "Limit the scope of sniper:conv-001 beside sniper:conv-002"
    old, new = (bench.library.resolve(name) for name in ROLES)
    assert (old.roles, new.roles) == (("qa-engineer",), None)
    assert new.status is Status.ACTIVE


def test_a_role_that_no_agent_has_is_named_with_the_nearest_before_anything_is_written(
    tmp_path: Path,
) -> None:
    third = "  - {id: conv-003, rule: Lamps are lit, applies_to: [backend-engineer, qa-engineer]}\n"
    told: dict[str, Json] = {"roles": ["backend-engneer", "qa-engineer"]}
    with closing(at(tmp_path, {CONVENTIONS: RULES + third})) as bench:
        planned = bench.plan(intent(bench, SCOPE.id, *ROLES, apart_from="conv-001", **told))

    assert planned.notes == (
        "no agent has the role `backend-engneer`; nearest: `backend-engineer`",
    )
    assert planned.title == "Limit the scope of sniper:conv-002"


def test_both_for_one_role_would_not_be_apart(bench: Session) -> None:
    told: dict[str, Json] = {"roles": ["qa-engineer"], "other_roles": ["qa-engineer"]}

    with pytest.raises(NotPossible, match="both would still be for `qa-engineer`"):
        bench.plan(intent(bench, SCOPE.id, *ROLES, apart_from="conv-001", **told))


def test_what_has_no_field_for_files_is_refused_with_what_to_do(bench: Session) -> None:
    with pytest.raises(NotPossible) as told:
        bench.plan(intent(bench, SCOPE.id, *ROLES, apart_from="conv-001", files=["src/**"]))

    assert "cannot be limited to files: conventions have no field for them" in str(told.value)
    assert "keep-both" in told.value.hint


def test_without_roles_or_files_there_is_nothing_to_limit(bench: Session) -> None:
    with pytest.raises(NotPossible, match="which roles or files"):
        bench.plan(intent(bench, SCOPE.id, *ROLES, apart_from="conv-001"))


def test_a_learning_is_limited_to_files(tmp_path: Path) -> None:
    files = {
        f"{learning.FOLDER}/L-2026050{n}-000{n}.yaml": render(
            learning.record(f"L-2026050{n}-000{n}", learning=text, status=status)
        ).decode()
        for n, text, status in (
            (1, "Throw errors in domain code", "active"),
            (2, "Never throw errors in domain code", "draft"),
        )
    }
    with closing(at(tmp_path, files)) as bench:
        names = ("L-20260502-0002", "L-20260501-0001")
        asked = intent(
            bench, SCOPE.id, *names, apart_from=names[1],
            files=["src/api/**"], other_files=["src/core/**"],
        )  # fmt: skip
        bench.apply(asked)

        new, old = (
            yaml.safe_load(bench.library.source_of(bench.library.resolve(name)).data)
            for name in names
        )
    assert (new["status"], new["scope"]["files"]) == ("active", ["src/api/**"])
    assert old["scope"]["files"] == ["src/core/**"]


def test_half_of_it_that_another_writer_took_back_is_done_again_alone(bench: Session) -> None:
    bench.apply(
        intent(
            bench, SCOPE.id, *ROLES, apart_from="conv-001",
            roles=["backend-engineer"], other_roles=["qa-engineer"],
        )
    )  # fmt: skip
    path = bench.root / CONVENTIONS
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(line for line in lines if "qa-engineer" not in line))
    bench.refresh()
    bench.look()

    (item,) = [item for item in bench.queue() if item.reason is Why.REVERTED]
    bench.seen.note(bench.library, {item.ref: item.digest})
    bench.apply(Intent("approve", {item.ref: item.digest}, waiting={item.ref: item.waiting}))

    assert bench.library.resolve("conv-001").roles == ("qa-engineer",)


def test_two_sure_learnings_of_which_a_person_keeps_both_wait_no_more(tmp_path: Path) -> None:
    names = ("L-20260501-0001", "L-20260502-0002")
    event = {"timestamp": "2026-05-04T10:00:00Z", "event": "contradicted"}
    files = {
        f"{learning.FOLDER}/{name}.yaml": render(
            learning.record(
                name, learning=text, confidence=0.8, contradicted_by=[other], history=[event]
            )
        ).decode()
        for name, other, text in (
            (*names, "Throw errors in domain code"),
            (*reversed(names), "Never throw errors in domain code"),
        )
    }
    with closing(at(tmp_path, files)) as bench:
        assert [item.why.partition("` ")[2] for item in bench.queue()] == [
            "says the opposite, both with high confidence"
        ] * 2

        bench.apply(intent(bench, KEEP_BOTH.id, *names, reason="both hold", beside=names[1]))

        assert bench.queue() == ()
