"""Learnings that are worth a look are named, with the verb that mends it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.learning_files import FOLDER, learnings, path_of, put, record
from tests.sniper_files import carry_out, clock, open_shop, write

from remem.base.errors import NotPossible
from remem.core.checks.issue import Issue
from remem.core.library import Library
from remem.core.verbs.verbs import plan
from remem.model.change import Intent
from remem.model.entry import Status
from remem.systems.learnings.problems import CROWDED_ABOVE, learning_issues

OLD = "L-20251101-0aa1"
CREATED = "2025-11-01T10:00:00Z"


def idle(name: str = OLD, **fields: Any) -> dict[str, Any]:
    """Return a record to which nothing happened since November; the clock says May."""
    return record(name, created_at=CREATED, source={"type": "retro"}, **fields)


def codes(library: Library) -> list[str]:
    return [issue.problem.code for issue in learning_issues(library)]


def the(library: Library, code: str) -> Issue:
    (found,) = (issue for issue in learning_issues(library) if issue.problem.code == code)
    return found


def mended(library: Library, issue: Issue) -> Library:
    """Return the library after the verb of an issue was used on what it names."""
    shown = {issue.ref: library.entry(issue.ref).digest} if issue.ref else {}
    return carry_out(library, plan(library, Intent(issue.verb, shown, issue.arguments)))


def protocol_retro(root: Path, name: str) -> None:
    write(
        root / "shop",
        {f".sniper/retros/{name}.yaml": f"protocol: {name}\ncompleted_at: '2026-05-01T10:00:00Z'\n"
         "findings: {went_well: [Tea]}\n"},
    )  # fmt: skip


class TestStale:
    def test_an_idle_learning_that_no_late_protocol_used_is_stale_until_it_is_archived(
        self, tmp_path: Path
    ) -> None:
        library = learnings(tmp_path, idle(applied_in=["SNPR-20251102-aaaa"]))
        for number in range(5):
            protocol_retro(tmp_path, f"SNPR-2026040{number + 1}-bbbb")
        library = open_shop(tmp_path)

        issue = the(library, "stale")
        after = mended(library, issue)

        assert "idle for 184 days, and in none of the last 5 protocols" in issue.problem.message
        assert [e.status for e in after.of_kind("learning")] == [Status.ARCHIVED]
        assert "stale" not in codes(after)

    @pytest.mark.parametrize(
        ("why", "fields"),
        [
            ("it was used lately", {"applied_in": ["SNPR-20260420-bbbb"]}),
            ("something happened", {"history": [
                {"timestamp": "2026-04-01T10:00:00Z", "event": "reinforced"}
            ]}),
            ("a person is sure", {"source": {"type": "human"}, "confidence": 0.9}),
            ("draft", {"status": "draft"}),
            ("it is retired", {"status": "deprecated", "updated_at": "2026-05-01T10:00:00Z"}),
        ],
    )  # fmt: skip
    def test_it_is_not_where(self, why: str, fields: dict[str, Any], tmp_path: Path) -> None:
        library = learnings(tmp_path, {**idle(), **fields})

        assert "stale" not in codes(library), why

    def test_ninety_days_are_not_yet_stale(self, tmp_path: Path) -> None:
        library = learnings(
            tmp_path,
            idle("L-20260204-0001", updated_at=None) | {"created_at": "2026-02-04T10:00:00Z"},
            idle("L-20260203-0002", updated_at=None) | {"created_at": "2026-02-03T10:00:00Z"},
        )

        found = [w.ref.id for w in learning_issues(library) if w.problem.code == "stale" and w.ref]
        assert found == ["L-20260203-0002"]

    def test_velocity_and_settings_say_which_protocols_are_the_last(self, tmp_path: Path) -> None:
        runs = "executions: [{protocol: SNPR-20260504-cccc, completed_at: '2026-05-04'}]\n"
        library = learnings(
            tmp_path,
            idle(applied_in=["SNPR-20251102-aaaa"]),
            **{"velocity.yaml": runs, "../config.yaml": "learning: {staleness_threshold: 1}\n"},
        )

        assert "none of the last 1 protocols" in the(library, "stale").problem.message


class TestSpecDrift:
    SCOPED: Sequence[str] = ("services/**",)

    def drifted(self, tmp_path: Path, **fields: Any) -> Library:
        put(tmp_path, "../../docs/spec.md", "# what we build\n")
        scope = {"files": [*self.SCOPED]}
        return learnings(tmp_path, record(**{"scope": scope, **fields}))

    def test_a_plan_that_changed_later_is_named_until_the_learning_is_confirmed(
        self, tmp_path: Path
    ) -> None:
        library = self.drifted(tmp_path)
        os.utime(tmp_path / "shop/docs/spec.md", (clock().now().timestamp() - 60,) * 2)

        issue = the(library, "spec-drift")
        after = mended(library, issue)

        assert issue.problem.message.startswith("`docs/spec.md` changed since")
        assert issue.verb == "learn.confirm"
        assert "spec-drift" not in codes(after)

    def test_one_that_is_older_or_concerns_no_files_is_not(self, tmp_path: Path) -> None:
        library = self.drifted(tmp_path, scope=None)
        assert "spec-drift" not in codes(library)

        library = self.drifted(tmp_path)
        os.utime(tmp_path / "shop/docs/spec.md", (1_000_000_000,) * 2)
        assert "spec-drift" not in codes(library)

    def test_a_clone_that_is_new_does_not_make_a_plan_new(self, tmp_path: Path) -> None:
        library = self.drifted(tmp_path)
        dated = {**os.environ, "GIT_COMMITTER_DATE": "2026-01-02T10:00:00Z"}
        for arguments in (
            ["init", "-q"],
            ["add", "docs"],
            ["-c", "user.name=P", "-c", "user.email=p@e", "commit", "-qm", "plan"],
        ):
            subprocess.run(["git", *arguments], cwd=tmp_path / "shop", env=dated, check=True)

        assert "spec-drift" not in codes(library.refresh())

        put(tmp_path, "../../docs/spec.md", "# what we build now\n")
        assert "spec-drift" in codes(library.refresh())


class TestUpkeep:
    def test_more_than_thirty_in_force_ask_for_curation(self, tmp_path: Path) -> None:
        texts = [f"Learning {chr(97 + n % 26)} number {n * 7919}" for n in range(CROWDED_ABOVE + 1)]
        many = [record(f"L-20260504-{n:04x}", learning=text) for n, text in enumerate(texts)]

        assert "crowded" not in codes(learnings(tmp_path / "a", *many[:-1]))
        issue = the(learnings(tmp_path / "b", *many), "crowded")

        assert issue.problem.message == "31 active learnings (recommended: 30)"
        assert issue.verb == "learn.merge"

    def test_idle_ones_decay_old_ones_are_put_away_older_shapes_are_upgraded(
        self, tmp_path: Path
    ) -> None:
        retired = {"status": "deprecated", "updated_at": "2025-10-01T10:00:00Z"}
        older = record("L-20260504-0003") | {"created": "2026-05-04"}
        del older["created_at"]
        library = learnings(tmp_path, idle(), idle("L-20251101-0002") | retired, older)

        found = {w.problem.code: w for w in learning_issues(library) if not w.ref}

        assert {code: issue.verb for code, issue in found.items()} == {
            "decay-due": "learn.decay",
            "prune-due": "learn.prune",
            "older-shape": "learn.upgrade",
        }
        for code, issue in found.items():
            library = mended(library, issue)
            assert code not in codes(library)

    def test_nothing_is_said_where_nothing_is_amiss(self, tmp_path: Path) -> None:
        assert codes(learnings(tmp_path, record())) == []


class TestUpgradeFollowsNames:
    NUMBERED = (
        "id: L001\nsource: SNPR-20260401-aaaa\ndate: 2026-04-01\ncategory: tests\n"
        "title: Clocks\nlearning: Freeze the clock\neffectiveness: proven\n"
    )

    def test_learnings_that_refer_to_an_upgraded_one_call_it_by_its_new_id(
        self, tmp_path: Path
    ) -> None:
        refers = record("L-20260504-0002", contradicted_by=["L001"], reinforced_by=["PR-1", "L001"])
        library = learnings(tmp_path, refers)
        put(tmp_path, "learnings/L001-clock.yaml", self.NUMBERED)
        library = library.refresh()

        change = plan(library, Intent("learn.upgrade"))
        after = carry_out(library, change)

        new = next(e.ref.id for e in after.of_kind("learning") if e.title == "Freeze the clock")
        text = path_of(tmp_path, "L-20260504-0002").read_text()
        assert "L001" not in text.replace(new, "")
        assert f"reinforced_by: [PR-1, {new}]" in text.replace('"', "") or new in text
        assert {ref.id for ref in change.touched} == {"L001-clock", "L-20260504-0002"}

    def test_what_needs_an_answer_does_not_keep_the_others_from_it(self, tmp_path: Path) -> None:
        library = learnings(tmp_path, record("L-20260504-0002") | {"created": "2026-05-04"})
        put(tmp_path, f"../../{FOLDER}/L-20260504-0004.yaml",
            "id: L-20260504-0004\nlearning: Tea\nsource: {type: human}\n"
            "created_at: '2026-05-04T10:00:00Z'\n")  # fmt: skip
        library = library.refresh()

        change = plan(library, Intent("learn.upgrade"))

        assert [ref.id for ref in change.touched] == ["L-20260504-0002"]
        assert any("L-20260504-0004" in note for note in change.notes)
        entry = library.resolve("learning:L-20260504-0004")
        with pytest.raises(NotPossible):
            plan(library, Intent("learn.upgrade", {entry.ref: entry.digest}))
