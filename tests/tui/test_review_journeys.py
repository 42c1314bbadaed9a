"""A person reviews what waits, by keys alone, while agents write."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from threading import Thread, current_thread, main_thread

import pytest
from tests.tui.opened import MEMORY, opened
from tests.tui.test_steady_hands import toasts
from textual import events

from remem.core.verbs.verbs import APPROVE, EDIT, KEEP, KEEP_BOTH, MERGE, REJECT, SCOPE, SUPERSEDE
from remem.model.entry import Status
from remem.store.cache_file import KeptText
from remem.tui.messages import EntriesRead
from remem.tui.screens.base import RememScreen
from remem.tui.textual_private import screen_text
from remem.tui.verbs import (
    AGAIN,
    APPLY_PLAN,
    CANCEL_PLAN,
    COPY,
    COPY_REVIEW,
    DIFF,
    DOWN,
    FILTER,
    LAST,
    LEAVE,
    MARK,
    MARK_RANGE,
    NEXT_PANE,
    OPEN,
    REDO,
    SKIP,
    SUGGESTED,
    TAKE_IN,
    UNDO,
    WHY,
)
from remem.tui.widgets.line_list import LineList
from remem.views.screen_state import Desk

CONVENTIONS = f"{MEMORY}/conventions.yaml"
ANTI_PATTERNS = f"{MEMORY}/anti-patterns.yaml"
STORES = (CONVENTIONS, ANTI_PATTERNS, f"{MEMORY}/decisions.yaml", f"{MEMORY}/summary.md")


async def test_a_retro_is_reviewed_from_first_to_last_item_and_undone_to_the_same_bytes(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as desk:
        before = {path: desk.read(path) for path in STORES}
        group = [item for item in desk.bench.queue() if item.group == "sprint-6-retro"]
        await desk.go_to(group[0].title)

        await desk.journey.use(APPROVE)
        desk.journey.sees("1/3", f'Approved "{group[0].title[:20]}')
        assert desk.cursor == group[1].id
        await desk.journey.use(KEEP)
        await desk.journey.use(REJECT)
        await desk.journey.reason("2")

        await desk.journey.rest()
        conventions, anti_patterns = desk.read(CONVENTIONS), desk.read(ANTI_PATTERNS)
        assert not [item for item in desk.bench.queue() if item.group == "sprint-6-retro"]
        assert conventions.startswith(before[CONVENTIONS])
        assert b"Boards show the age of what they show" in conventions[len(before[CONVENTIONS]) :]
        assert anti_patterns.startswith(before[ANTI_PATTERNS])
        assert b"status: candidate" in anti_patterns[len(before[ANTI_PATTERNS]) :]
        assert b"too specific" in desk.read(".remem/rejected.yaml")

        await desk.journey.use(UNDO, UNDO, UNDO)
        assert {path: desk.read(path) for path in STORES} == before


async def test_no_key_waits_while_a_review_is_written_down_that_the_next_opening_goes_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, wrote = KeptText.write, list[Thread]()

    def noted(kept: KeptText, text: str) -> None:
        wrote.append(current_thread())
        write(kept, text)

    monkeypatch.setattr(KeptText, "write", noted)
    async with opened(tmp_path) as desk:
        first, second, *_ = [i for i in desk.bench.queue() if i.group == "sprint-6-retro"]
        await desk.go_to(first.title)

        await desk.journey.use(APPROVE)
        assert [done.title for done in Desk(desk.bench).done] == [first.title]
        await desk.journey.use(KEEP)
        assert [done.title for done in Desk(desk.bench).done] == [first.title, second.title]
        await desk.journey.use(UNDO)
        assert [done.title for done in Desk(desk.bench).done] == [first.title]
        assert wrote
        assert main_thread() not in wrote


@pytest.mark.slow
async def test_an_undo_names_what_was_decided_by_its_words(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        item = next(item for item in desk.bench.queue() if item.group == "sprint-6-retro")
        await desk.go_to(item.title)
        await desk.journey.use(APPROVE)
        assert desk.bench.past.changes()[0].title.startswith("Approve sniper:sprint-6-retro/")

        await desk.journey.use(UNDO)
        desk.journey.sees(f'Undone: Approve "{item.title[:20]}')
        await desk.journey.use(REDO)
        desk.journey.sees(f'Redone: Approve "{item.title[:20]}')


MET_AGAIN = "Retries use a budget per sailing"


async def test_what_else_a_decision_settles_is_said_beside_it(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        waited = len(desk.bench.queue())
        one, other = [each for each in desk.bench.queue() if each.title.startswith(MET_AGAIN)]
        assert one.ref != other.ref

        await desk.go_to(one.title)
        await desk.journey.use(APPROVE)

        assert len(desk.bench.queue()) == waited - 2
        (said,) = [text for text in toasts(desk) if text.startswith("Approved")]
        assert said.endswith(f'\n2 fewer wait: "{one.title[:47]}…" is settled by it')


async def test_nothing_is_said_beside_a_decision_that_settles_nothing_else(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        waited = len(desk.bench.queue())

        await desk.journey.use(APPROVE)

        assert len(desk.bench.queue()) == waited - 1
        desk.journey.sees_not("fewer wait")


def opposed(project: Path) -> None:
    """Add a candidate, and what active says the opposite."""
    with (project / CONVENTIONS).open("a") as file:
        file.write("  - {id: conv-801, rule: Gangways are lit by day, status: candidate}\n")
        file.write("  - {id: conv-802, rule: No gangway is lit before dusk falls}\n")


async def test_the_card_of_a_candidate_shows_what_in_force_may_say_otherwise(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, prepare=opposed, size=(160, 60)) as desk:
        await desk.go_to("Gangways are lit by day")
        (item,) = [item for item in desk.bench.queue() if "Gangways" in item.title]

        desk.journey.sees("possible conflict with `sniper:conv-802`", "dusk falls")
        assert not any("conflict" in fact for fact in item.evidence)


async def test_why_goes_to_the_reason_where_that_is_out_of_sight(tmp_path: Path) -> None:
    async with opened(tmp_path, size=(80, 24)) as desk:
        await desk.go_to("The scanner never boards")
        await desk.journey.rest()
        desk.journey.sees("possible conflict with").sees_not("  why  ")

        (await desk.journey.use(WHY)).sees("  why  ")


@pytest.mark.slow
async def test_a_candidate_takes_the_place_of_what_it_contradicts_after_its_plan(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, prepare=opposed, size=(120, 36)) as desk:
        before = desk.read(CONVENTIONS)
        await desk.go_to("Gangways are lit by day")
        desk.journey.sees("S Supersede")

        await desk.journey.use(SUPERSEDE)
        desk.journey.sees("Supersede sniper:conv-802 by sniper:conv-801", "dusk falls")
        assert desk.read(CONVENTIONS) == before
        await desk.journey.use(APPLY_PLAN)

        assert b"conv-802" not in desk.read(CONVENTIONS)
        assert desk.bench.library.resolve("conv-801").status is Status.ACTIVE
        await desk.journey.use(UNDO)
        assert desk.read(CONVENTIONS) == before


async def test_what_nothing_contradicts_takes_no_place(tmp_path: Path) -> None:
    async with opened(tmp_path, size=(120, 36)) as desk:
        item = next(each for each in desk.bench.queue() if not desk.bench.opposed(each))
        await desk.go_to(item.title)
        desk.journey.sees_not("S Supersede")

        await desk.journey.use(SUPERSEDE)

        desk.journey.sees("no active entry conflicts with it")
        assert not desk.bench.past.changes()


async def test_the_footer_marks_the_key_of_what_is_suggested(tmp_path: Path) -> None:
    async with opened(tmp_path, size=(120, 36)) as desk:
        item = next(each for each in desk.bench.queue() if each.suggested == "keep")

        await desk.go_to(item.title)

        desk.journey.sees("a Approve", "›c Keep as candidate")


async def test_letters_typed_faster_than_the_screen_decide_one_item_each(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        await desk.go_to("Feature flags")
        first = [item.title for item in desk.bench.queue()][:2]

        await desk.journey.pilot.press("a", "a")

        await desk.journey.rest()
        titles = [done.title for done in desk.app.desk.done]
        assert titles == first


@pytest.mark.slow
async def test_a_rejection_asks_why_and_keeps_what_was_typed_when_it_is_left(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as desk:
        await desk.journey.use(REJECT)
        desk.journey.sees("Reject because", "1 already covered")
        await desk.journey.types("we never ag")
        await desk.journey.use(LEAVE)
        (await desk.journey.use(REJECT)).sees("we never ag")

        await desk.journey.types("reed")
        await desk.journey.pilot.press("enter")

        await desk.journey.rest()
        assert b"we never agreed" in desk.read(".remem/rejected.yaml")


@pytest.mark.slow
async def test_enter_on_an_empty_reason_says_that_none_was_given(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        await desk.journey.use(REJECT)

        await desk.journey.pilot.press("enter")

        await desk.journey.rest()
        assert b"no reason given" in desk.read(".remem/rejected.yaml")


@pytest.mark.slow
async def test_a_misfire_undone_returns_to_its_item_and_redo_decides_it_again(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as desk:
        await desk.go_to("Feature flags")
        await desk.journey.use(DOWN)
        item, before = desk.cursor, desk.read(CONVENTIONS)
        await desk.journey.use(APPROVE, LAST)

        await desk.journey.use(UNDO)

        assert desk.cursor == item
        assert desk.read(CONVENTIONS) == before
        desk.journey.sees("0/26 decided")
        (await desk.journey.use(REDO)).sees("1/25 decided")


@pytest.mark.slow
async def test_the_last_decision_is_done_again_on_the_next_item(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        await desk.go_to("Feature flags")
        await desk.journey.use(REJECT)
        await desk.journey.reason("3")
        assert isinstance(desk.app.screen, RememScreen)
        assert desk.app.screen.hint(AGAIN).title == "Again: Reject (wrong)"

        await desk.journey.use(AGAIN)

        desk.journey.sees("2/3")
        assert desk.read(".remem/rejected.yaml").count(b"reason: wrong") == 2


async def test_an_agent_appends_while_a_filter_is_typed_and_nothing_moves(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        await desk.journey.use(FILTER)
        await desk.journey.types("tide")
        cursor, count = desk.cursor, len(desk.bench.queue())

        await desk.write(
            ANTI_PATTERNS,
            lambda data: (
                data + b"- id: ap-090\n  description: Trusting a tide gauge that froze\n"
                b"  status: candidate\n"
            ),
        )
        await desk.journey.rest()

        await desk.journey.types(" ")
        assert len(desk.bench.queue()) == count + 1
        assert desk.cursor == cursor
        desk.journey.sees("filter items", "tide", "Trusting a tide gauge", "of 27")


@pytest.mark.slow
async def test_an_item_that_vanishes_under_the_cursor_is_not_decided_for_another(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as desk:
        await desk.go_to("Feature flags")
        before = desk.read(ANTI_PATTERNS)
        await desk.write(CONVENTIONS, lambda data: data.replace(b"status: candidate", b""))
        await desk.journey.rest()
        desk.journey.sees("this row is gone; move the cursor before you decide")

        await desk.journey.use(APPROVE)

        assert not desk.bench.past.changes()
        assert desk.read(ANTI_PATTERNS) == before
        await desk.journey.use(DOWN, APPROVE)
        assert len(desk.bench.past.changes()) == 1


@pytest.mark.slow
async def test_a_key_that_comes_before_the_screen_knows_decides_nothing(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        await desk.go_to("Feature flags")
        file = desk.bench.root / CONVENTIONS
        after = file.read_bytes().replace(b"status: candidate", b"status: confirmed")
        file.write_bytes(after)

        await desk.journey.use(APPROVE)

        assert file.read_bytes() == after
        assert not desk.bench.past.changes()


@pytest.mark.parametrize("row", ["offline behaviour", "Pair on the first story"])
async def test_what_is_marked_is_decided_from_a_row_that_waits_for_nothing_too(
    tmp_path: Path, row: str
) -> None:
    async with opened(tmp_path) as desk:
        await desk.go_to("Feature flags")
        await desk.journey.use(MARK)
        queue = desk.app.screen.query_one("#queue", LineList)
        finding = next(e for e in desk.bench.library.entries() if row in e.title)
        assert queue.move_to(finding.ref)
        (await desk.journey.rest()).sees(" a Approve", "r Reject").sees_not("a Apply")

        await desk.journey.use(APPROVE)

        (change,) = desk.bench.past.changes()
        assert (change.intent.verb, [ref.id for ref in change.intent.shown]) == (
            "approve",
            ["conv-018"],
        )


async def test_marks_show_their_plan_first_and_esc_writes_nothing_and_says_so(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as desk:
        await desk.go_to("Feature flags")
        await desk.journey.use(MARK, MARK)

        await desk.journey.use(APPROVE)
        desk.journey.sees("Approve 2 entries", "Cancel (esc)", "Approve (enter)")
        await desk.journey.pilot.press("escape")
        await desk.journey.rest()
        desk.journey.sees("Approve 2 entries: cancelled; nothing was written")
        assert not desk.bench.past.changes()

        await desk.journey.use(APPROVE)
        await desk.journey.pilot.press("enter")
        await desk.journey.rest()
        desk.journey.sees("Approved 2 entries · u to undo")
        assert [change.title for change in desk.bench.past.changes()] == ["Approve 2 entries"]


async def test_the_newest_retro_stands_first_and_the_candidates_of_the_stores_after_them(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as desk:
        queue = desk.app.screen.query_one("#queue", LineList)

        keys = [row.key for row in queue.rows if isinstance(row.key, tuple)]
        heads = [key[1] for key in keys if key[0] == "group"]

        assert heads[:3] == ["sprint-7-retro", "SNPR-20260504-9f3c", "sprint-6-retro"]
        assert not [name for name in heads[3:] if name.endswith("-retro")]
        assert desk.cursor in {i.id for i in desk.bench.queue() if i.group == heads[0]}


@pytest.mark.slow
async def test_all_suggestions_of_a_group_wait_for_yes(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        await desk.go_to("Tests of a timetable")
        await desk.journey.use(SUGGESTED)
        desk.journey.sees("Accept", "sprint-7-retro")
        await desk.journey.use(CANCEL_PLAN)
        assert not desk.bench.past.changes()
        wanted = {
            item.id
            for item in desk.bench.queue()
            if item.group == "sprint-7-retro" and item.suggested in ("approve", "keep")
        }

        await desk.journey.use(SUGGESTED)
        await desk.journey.use(APPLY_PLAN)

        assert wanted
        assert not wanted & {item.id for item in desk.bench.queue()}


async def test_hidden_characters_are_shown_and_acknowledged_before_they_come_in(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as desk:
        await desk.go_to("Harbour webhooks")
        before = desk.read(CONVENTIONS)

        await desk.journey.use(APPROVE)
        desk.journey.sees(
            "Suspicious content: review before approving", "⟦", "Approve anyway (space enter)"
        )
        assert desk.read(CONVENTIONS) == before

        await desk.journey.use(TAKE_IN, APPLY_PLAN)
        assert len(desk.bench.past.changes()) == 1


async def test_an_addition_is_one_line_until_its_diff_is_asked_for(tmp_path: Path) -> None:
    async with opened(tmp_path, size=(140, 40)) as desk:
        await desk.go_to("Boards show the age")
        desk.journey.sees("+9 lines at the", "Approve writes", "491 → 506 / 800 +15")

        (await desk.journey.use(DIFF)).sees("+ ", "rule:")


async def test_the_first_line_that_is_written_is_in_sight_on_a_small_terminal(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, size=(80, 24)) as desk:
        await desk.go_to("Boards show the age")

        desk.journey.sees("Approve writes", "+ - id: ")


async def test_a_diff_is_found_below_a_text_that_reads_like_its_heading(tmp_path: Path) -> None:
    def prepare(project: Path) -> None:
        with (project / ANTI_PATTERNS).open("a") as store:
            store.write("- {id: ap-900, description: Log all that it writes, status: candidate}\n")

    async with opened(tmp_path, size=(80, 24), prepare=prepare) as desk:
        await desk.go_to("Log all that it writes")
        await desk.journey.rest()

        (await desk.journey.use(DIFF)).sees("Approve writes").sees_not("  why  ")


async def test_a_greyed_key_says_why_it_does_nothing(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        await desk.go_to("Boards show the age")

        await desk.journey.use(AGAIN)

        desk.journey.sees("no decision to repeat yet")


async def test_a_finding_is_edited_on_its_card_and_approved_as_that(tmp_path: Path) -> None:
    editor = tmp_path / "editor"
    editor.write_text(
        "import re, sys\nfrom pathlib import Path\n"
        "file = Path(sys.argv[1])\n"
        "file.write_text(re.sub('^rule: .*$', 'rule: Boards age', file.read_text(), flags=re.M))\n"
    )
    settings = f"editor: {sys.executable} {editor}\n"
    async with opened(tmp_path, settings=settings) as desk:
        await desk.go_to("Boards show the age")
        before = desk.read(CONVENTIONS)

        (await desk.journey.use(EDIT)).sees("edited", "rule: Boards age")
        assert (desk.read(CONVENTIONS), len(desk.bench.past.changes())) == (before, 0)

        (await desk.journey.use(APPROVE)).sees('Approved "Boards age"')
        assert [done.title for done in desk.app.desk.done] == ["Boards age"]
        assert b"Boards age" in desk.read(CONVENTIONS)
        assert not [item for item in desk.bench.queue() if "Boards show" in item.title]

        await desk.go_to("Merging texts for travellers")
        await desk.journey.use(AGAIN)
        assert desk.read(CONVENTIONS).count(b"Boards age") == 1
        assert len(desk.bench.past.changes()) == 2

        await desk.journey.use(UNDO, UNDO)
        assert desk.read(CONVENTIONS) == before


async def test_what_went_well_is_read_and_not_counted(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        good = next(
            entry
            for entry in desk.bench.library.of_kind("finding")
            if entry.context == "positive_patterns" and entry.ref.id.startswith("sprint-7")
        )
        assert desk.app.screen.query_one("#queue", LineList).move_to(good.ref)
        await desk.journey.rest()
        desk.journey.sees("positive patterns", "info only", "0/26 decided")

        await desk.journey.use(APPROVE)

        desk.journey.sees("it needs no decision")
        assert not desk.bench.past.changes()


@pytest.mark.slow
async def test_a_merge_asks_into_what_with_the_likest_first(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        await desk.go_to("Boards show the age")
        (await desk.journey.use(MERGE)).sees("Merge into", "sniper:conv-001")

        await desk.journey.pilot.press("enter")

        await desk.journey.rest()
        assert desk.bench.past.changes()[0].title.startswith("Merge")


@pytest.mark.slow
async def test_a_merge_of_what_is_marked_offers_what_fits_it_and_names_it(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        await desk.go_to("Tests of a timetable")
        await desk.journey.use(MARK)
        await desk.go_to("Slices end")
        (await desk.journey.use(MERGE)).sees('Merge "Tests of a timetable name the harbour')

        await desk.journey.pilot.press("enter")

        await desk.journey.rest()
        assert desk.bench.past.changes()[0].intent.arguments["into"] == "sniper@project:conv-014"


@pytest.mark.slow
async def test_what_conflicts_with_one_of_the_marked_is_not_offered_to_take_them_in(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as desk:
        await desk.go_to("The scanner never boards")
        await desk.journey.use(MARK)
        await desk.go_to("Slices end")
        await desk.journey.use(MARK)

        (await desk.journey.use(MERGE)).sees("Merge 2 items into", "sniper:conv-014")

        desk.journey.sees_not("sniper:conv-012")


@pytest.mark.slow
async def test_approving_what_conflicts_says_so_once_it_is_done(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        await desk.go_to("The scanner never boards")
        await desk.journey.use(APPROVE)
        assert "possible conflict with `sniper:conv-012`" in toasts(desk)[-1]

        await desk.go_to("Replay a night of berth closures")
        await desk.journey.use(APPROVE)
        assert "conflict" not in toasts(desk)[-1]


@pytest.mark.slow
async def test_what_was_decided_so_far_is_copied_at_any_time(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        await desk.journey.use(COPY_REVIEW)
        desk.journey.sees("nothing was decided yet")

        await desk.go_to("Replay a night of berth closures")
        await desk.journey.use(APPROVE, COPY_REVIEW)

        copied = desk.journey.pilot.app.clipboard
        assert "Replay a night of berth closures before a release" in copied
        assert "| backend-engineer |" in copied


@pytest.mark.slow
async def test_after_the_last_item_stands_a_summary_that_can_be_copied(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        await desk.journey.use(MARK_RANGE, LAST, REJECT)
        await desk.journey.reason("1")
        await desk.journey.use(APPLY_PLAN)

        desk.journey.sees("All caught up", "all decided", "already covered")
        await desk.journey.use(COPY)
        copied = desk.journey.pilot.app.clipboard
        assert "| backend-engineer |" in copied
        assert copied.count("(already covered)") == 26


@pytest.mark.slow
async def test_an_edit_that_does_not_read_is_kept_and_opens_again(tmp_path: Path) -> None:
    editor = tmp_path / "editor"
    editor.write_text(
        "import re, sys\nfrom pathlib import Path\n"
        "file = Path(sys.argv[1]); text = file.read_text()\n"
        "if 'is not valid YAML' in text: text = text.replace('[An', 'An')\n"
        "else: text = re.sub('^rule: .*$', 'rule: [An owner for each flag', text, flags=re.M)\n"
        "file.write_text(text)\n"
    )
    settings = f"editor: {sys.executable} {editor}\n"
    async with opened(tmp_path, settings=settings) as desk:
        await desk.go_to("Feature flags")

        await desk.journey.use(EDIT)

        assert b"An owner for each flag" in desk.read(CONVENTIONS)
        assert len(desk.bench.past.changes()) == 1


@pytest.mark.parametrize(
    "size",
    [
        (50, 16),
        *(pytest.param(size, marks=pytest.mark.slow) for size in ((60, 20), (80, 24), (140, 40))),
    ],
)
async def test_review_works_at_every_size(tmp_path: Path, size: tuple[int, int]) -> None:
    async with opened(tmp_path, size=size) as desk:
        await desk.go_to("Feature flags")
        await desk.journey.use(OPEN)
        desk.journey.sees("Feature flags have an owner")
        assert not desk.bench.past.changes()

        await desk.journey.use(NEXT_PANE, LEAVE, SKIP, APPROVE)

        assert len(desk.bench.past.changes()) == 1


@pytest.mark.slow
async def test_both_are_kept_with_a_reason_after_their_plan(tmp_path: Path) -> None:
    async with opened(tmp_path, prepare=opposed, size=(80, 24)) as desk:
        before = desk.read(CONVENTIONS)
        await desk.go_to("Gangways are lit by day")
        desk.journey.sees("S Supersede · l Limit scope · b Keep both")

        await desk.journey.use(KEEP_BOTH)
        desk.journey.sees("Keep both because", "each applies in its own place")
        await desk.journey.types("day boats leave early")
        await desk.journey.pilot.press("enter")
        await desk.journey.rest()
        desk.journey.sees("Keep sniper:conv-801 beside sniper:conv-802")
        assert desk.read(CONVENTIONS) == before
        await desk.journey.use(APPLY_PLAN)

        assert desk.bench.library.resolve("conv-801").status is Status.ACTIVE
        assert b"day boats leave early" in desk.read(".remem/rejected.yaml")
        await desk.journey.use(UNDO)
        assert desk.read(CONVENTIONS) == before


@pytest.mark.slow
async def test_roles_that_were_typed_are_taken_whatever_the_list_has(tmp_path: Path) -> None:
    async with opened(tmp_path, prepare=opposed, size=(120, 36)) as desk:
        await desk.go_to("Gangways are lit by day")
        await desk.journey.use(SCOPE)
        await desk.journey.types("roles, for")
        desk.journey.sees("as typed")
        desk.journey.sees_not("no change")
        for _ in range(len("roles, for")):
            await desk.journey.pilot.press("backspace")
        await desk.journey.types("qa-eng, reviewer")
        await desk.journey.pilot.press("enter")
        await desk.journey.rest()
        await desk.journey.pilot.press("enter")
        await desk.journey.rest()

        desk.journey.sees("Limit the scope of sniper:conv-801", "no agent has the role `qa-eng`")
        desk.journey.sees("nearest: `qa-engineer`")
        desk.journey.sees_not("conv-801 and", "no agent has the role `reviewer`")


@pytest.mark.slow
async def test_the_new_one_and_the_old_one_are_limited_to_a_role_each(tmp_path: Path) -> None:
    async with opened(tmp_path, prepare=opposed, size=(120, 36)) as desk:
        before = desk.read(CONVENTIONS)
        await desk.go_to("Gangways are lit by day")

        await desk.journey.use(SCOPE)
        desk.journey.sees("1 of 2 · Who gets this", "Gangways are lit by day", "qa-engineer")
        await desk.journey.types("qa-engineer")
        await desk.journey.pilot.press("enter")
        await desk.journey.rest()
        desk.journey.sees("2 of 2 · Who gets this", "No gangway is lit")
        await desk.journey.types("backend-dev")
        await desk.journey.pilot.press("enter")
        await desk.journey.rest()
        desk.journey.sees("Limit the scope of", "applies_to")
        assert desk.read(CONVENTIONS) == before
        await desk.journey.use(APPLY_PLAN)

        new, old = (desk.bench.library.resolve(name) for name in ("conv-801", "conv-802"))
        assert (new.roles, old.roles) == (("qa-engineer",), ("backend-dev",))
        await desk.journey.use(UNDO)
        assert desk.read(CONVENTIONS) == before


@pytest.mark.slow
async def test_what_the_estimates_can_take_is_still_there_once_its_retro_is_decided(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as desk:
        group = [item for item in desk.bench.queue() if item.group == "sprint-7-retro"]
        await desk.go_to(group[0].title)
        for _ in group:
            await desk.journey.use(REJECT)
            await desk.journey.reason("2")
            await desk.journey.rest()
        desk.journey.sees("8/8 decided ", "can go into estimates")

        await desk.journey.use(DOWN)
        desk.journey.sees("Apply writes", "estimates.yaml")
        await desk.journey.use(APPROVE)
        assert len(desk.bench.past.changes()) == len(group) + 1
        # The next of them is under the cursor, and nothing else is approved by the same key.
        await desk.journey.use(APPROVE)
        await desk.journey.use(APPROVE)
        taken = [each.intent.verb for each in desk.bench.past.changes()[:3]]
        assert set(taken) == {"estimates.take"}


async def test_esc_leaves_the_diff_that_d_opened(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        await desk.go_to("Boards show the age")
        short = screen_text(desk.app)

        await desk.journey.use(DIFF)
        assert screen_text(desk.app) != short
        await desk.journey.use(LEAVE)

        assert screen_text(desk.app) == short


@pytest.mark.slow
async def test_skipping_the_last_row_goes_on_with_the_first_that_was_not_skipped(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as desk:
        first = desk.cursor
        await desk.journey.use(LAST)
        await desk.journey.use(SKIP)

        assert desk.cursor == first


@pytest.mark.slow
async def test_skipping_goes_past_what_is_decided(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        group = [item for item in desk.bench.queue() if item.group == "sprint-6-retro"]
        await desk.go_to(group[1].title)
        await desk.journey.use(REJECT)
        await desk.journey.reason("2")
        await desk.go_to(group[0].title)

        await desk.journey.use(SKIP)

        assert desk.cursor == group[2].id


async def test_what_is_marked_and_hidden_by_a_filter_shows_its_plan_first(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        await desk.go_to("Feature flags")
        await desk.journey.use(MARK, FILTER)
        await desk.journey.types("slices")
        await desk.journey.pilot.press("enter")
        await desk.journey.rest()

        await desk.journey.use(APPROVE)

        desk.journey.sees("Approve", "Feature flags", "Cancel (esc)")
        assert not desk.bench.past.changes()


async def test_a_reason_for_what_is_marked_says_so(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        await desk.journey.use(MARK)
        await desk.journey.use(REJECT)

        desk.journey.sees("Reject 1 marked because", "esc leaves")


async def test_a_reason_counts_of_what_is_marked_only_what_waits(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        await desk.go_to("Slices end")
        await desk.journey.use(MARK, MARK, MARK)  # two that stand below it need no decision
        await desk.go_to("Tests of a timetable")
        await desk.journey.use(MARK)

        await desk.journey.use(REJECT)

        desk.journey.sees("Reject 2 marked because")


@pytest.mark.slow
async def test_a_filter_that_loses_its_last_item_shows_none_that_only_reads_like_it(
    tmp_path: Path,
) -> None:
    def prepare(project: Path) -> None:
        with (project / CONVENTIONS).open("a") as file:
            file.write("  - {id: conv-801, rule: Lanterns are trimmed, status: candidate}\n")
            file.write("  - {id: conv-802, rule: One lantern hangs aft, status: candidate}\n")

    async with opened(tmp_path, prepare=prepare) as desk:
        await desk.journey.use(FILTER)
        await desk.journey.types("lanterns")
        await desk.journey.pilot.press("enter")
        desk.journey.sees("Lanterns are trimmed").sees_not("One lantern hangs aft")

        await desk.journey.use(REJECT)
        await desk.journey.reason("1")

        desk.journey.sees_not("One lantern hangs aft")
        assert len(desk.bench.past.changes()) == 1


async def test_words_typed_after_a_refused_key_settle_and_decide_nothing(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        await desk.go_to("Boards show the age")
        queue = desk.app.screen.query_one("#queue", LineList)
        queue.unsettle()
        before = desk.cursor

        await desk.journey.types("r svas ra")

        desk.journey.sees("another row came under the cursor; move the cursor")
        assert (desk.cursor, queue.marked) == (before, ())
        assert not desk.bench.past.changes()


async def test_reading_the_rest_of_memory_settles_no_row_that_others_changed(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as desk:
        await desk.go_to("Boards show the age")
        queue = desk.app.screen.query_one("#queue", LineList)
        queue.unsettle()

        desk.app.post_message(EntriesRead())
        await desk.journey.rest()
        await desk.journey.rest()

        assert not queue.is_settled


async def test_a_reason_is_no_longer_asked_for_what_gives_way_to_two_retros(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        group = [item for item in desk.bench.queue() if item.group == "sprint-6-retro"]
        await desk.go_to(group[0].title)

        for key in ("t", "r"):  # at once, as fingers do
            desk.app.post_message(events.Key(key, key))
        await desk.journey.rest()
        desk.journey.sees("→ sprint-7-retro · esc back")
        desk.journey.sees_not("Reject because")
        await desk.journey.use(LEAVE)

        assert not desk.bench.past.changes()
        assert len([i for i in desk.bench.queue() if i.group == "sprint-6-retro"]) == len(group)


async def test_where_nothing_ever_waited_nothing_is_counted(tmp_path: Path) -> None:
    def empty(project: Path) -> None:
        for each in project.iterdir():
            shutil.rmtree(each) if each.is_dir() else each.unlink()

    async with opened(tmp_path, prepare=empty) as desk:
        desk.journey.sees("All caught up")
        desk.journey.sees_not("decided")
