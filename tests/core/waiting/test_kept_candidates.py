"""Keeping as a candidate is a decision: it finishes the item until something new is known."""

from __future__ import annotations

from pathlib import Path

import yaml
from tests.retro_files import decided as done
from tests.retro_files import memory_of, mistake, path_of, retro, rule
from tests.sniper_files import CONVENTIONS, carry_out, project, write

from remem.core.library import Library
from remem.core.verbs.verbs import plan
from remem.core.waiting.queue import queue
from remem.model.change import Intent
from remem.model.entry import Entry

RULE = "Every queue consumer is idempotent"
IGNORE = ".remem/.gitignore"


def shop_with(root: Path, *sprints: int) -> Library:
    found = {path_of(s): retro(s, new_conventions=[rule(RULE, "medium")]) for s in sprints}
    return project(root, found)


def finding(library: Library, sprint: int = 5) -> Entry:
    stem = f"sprint-{sprint}-retro/"
    return next(e for e in library.of_kind("finding") if e.ref.id.startswith(stem))


def convention(library: Library) -> Entry:
    (entry,) = library.of_kind("convention")
    return entry


def kept_in(root: Path) -> list[dict[str, str]]:
    found = yaml.safe_load((root / "shop/.remem/kept.yaml").read_text())["kept"]
    return [{**each, "fingerprint": each["fingerprint"][:0]} for each in found]


def test_keeping_a_finding_as_a_candidate_finishes_it_and_the_team_shares_that(
    tmp_path: Path,
) -> None:
    library = shop_with(tmp_path, 5)

    library = done(library, "keep", finding(library))

    assert queue(library) == ()
    assert memory_of(library) == {("convention", RULE, "candidate")}
    (kept,) = kept_in(tmp_path)
    assert list(kept) == ["ref", "fingerprint", "date", "by"]
    assert kept["ref"] == "sniper:conv-001"
    assert "!kept.yaml" in (tmp_path / "shop" / IGNORE).read_text().splitlines()


def test_a_retro_is_done_once_each_suggestion_was_followed(tmp_path: Path) -> None:
    found = {
        "new_conventions": [rule(RULE, "medium"), rule("Ports close at night")],
        "new_anti_patterns": [mistake("Reading the clock in domain code")],
    }
    library = project(tmp_path, {path_of(5): retro(5, **found)})

    for _ in range(3):
        item = queue(library)[0]
        library = carry_out(library, plan(library, Intent(item.suggested, {item.ref: item.digest})))

    assert queue(library) == ()


def test_a_kept_candidate_that_is_met_again_waits_again(tmp_path: Path) -> None:
    library = shop_with(tmp_path, 5)
    library = done(library, "keep", finding(library))
    again = {path_of(6): retro(6, new_conventions=[rule(RULE, "medium")])}
    write(tmp_path / "shop", again)

    (item,) = queue(library.refresh())

    assert (item.reason, item.suggested) == ("recurrence", "approve")


def test_a_kept_candidate_that_another_program_met_elsewhere_waits_again(tmp_path: Path) -> None:
    text = f"conventions:\n  - id: conv-001\n    rule: {RULE}\n    status: candidate\n"
    library = project(tmp_path, {CONVENTIONS: text})
    library = done(library, "keep", convention(library))
    assert queue(library) == ()

    seen = "    seen:\n      - {type: retro, ref: sprint-6-retro, date: 2026-06-18}\n"
    (tmp_path / "shop" / CONVENTIONS).write_text(text + seen)

    (item,) = queue(library.refresh())
    assert item.ref == convention(library.refresh()).ref


def test_keeping_what_was_met_again_counts_it_and_finishes_it(tmp_path: Path) -> None:
    library = shop_with(tmp_path, 5, 6)
    library = done(library, "keep", finding(library, 5))

    library = done(library, "keep", finding(library, 6))

    assert queue(library) == ()
    assert "sprint-6-retro" in (tmp_path / "shop" / CONVENTIONS).read_text()
    assert len(kept_in(tmp_path)) == 1


def test_a_kept_candidate_whose_text_changed_waits_again(tmp_path: Path) -> None:
    library = shop_with(tmp_path, 5)
    library = done(library, "keep", finding(library))
    path = tmp_path / "shop" / CONVENTIONS
    path.write_text(path.read_text().replace("idempotent", "idempotent and logged"))

    waiting = {item.ref for item in queue(library.refresh())}

    assert convention(library.refresh()).ref in waiting


def test_a_candidate_of_a_store_can_be_kept_and_put_into_force_later(tmp_path: Path) -> None:
    text = f"conventions:\n  - id: conv-001\n    rule: {RULE}\n    status: candidate\n"
    library = project(tmp_path, {CONVENTIONS: text})

    library = done(library, "keep", convention(library))

    assert queue(library) == ()
    assert (tmp_path / "shop" / CONVENTIONS).read_text() == text
    entry = convention(library)
    again = plan(library, Intent("keep", {entry.ref: entry.digest}))
    assert (again.effects, len(again.notes)) == ((), 1)
    assert memory_of(done(library, "approve", entry)) == {("convention", RULE, "active")}


def test_git_sees_what_is_kept_where_an_older_list_of_ignored_files_lies(tmp_path: Path) -> None:
    old = "*\n!.gitignore\n!rejected.yaml\n# ours\n"
    write(tmp_path / "shop", {IGNORE: old})
    library = shop_with(tmp_path, 5)

    done(library, "keep", finding(library))

    now = (tmp_path / "shop" / IGNORE).read_text()
    assert now == "*\n!.gitignore\n!rejected.yaml\n!kept.yaml\n# ours\n"
