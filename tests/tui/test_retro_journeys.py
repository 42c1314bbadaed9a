"""A person goes through what a retro found, by keys alone."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from random import Random

import pytest
from tests.tui.journey import until
from tests.tui.opened import MEMORY, Opened, opened

from remem.core.verbs.verbs import APPROVE, MERGE, REJECT
from remem.tui.refresh import NewsBar
from remem.tui.screens.browse import BrowseScreen
from remem.tui.verbs import (
    APPLY_PLAN,
    BROWSE,
    COMPARE,
    COPY,
    LEAVE,
    REDO,
    REVIEW,
    SKIP,
    SUGGESTED,
    UNDO,
    WHY,
)
from remem.tui.widgets.line_list import LineList
from remem.tui.widgets.tree_list import TreeList

CONVENTIONS = f"{MEMORY}/conventions.yaml"
STORES = tuple(f"{MEMORY}/{name}.yaml" for name in ("conventions", "anti-patterns", "estimates"))
RETROS = f"{MEMORY}/retros"
MEASURED = """\
sprint: {sprint}
date: "2026-0{sprint}-01"
stories_completed: 4
stories_carried_over: 0
measured: {{estimated: {estimated}, actual: {actual}}}
findings:
  estimation_calibration:
    underestimates: ["SLIP-9{sprint}1 took longer", "SLIP-9{sprint}2 took longer"]
"""
SUBJECTS = (
    "gangway lamps", "ticket stubs", "crew rosters", "fuel ledgers", "anchor logs", "radio calls",
    "deck chairs", "cargo seals", "harbour dues", "fog signals", "buoy maps", "menu cards",
    "engine notes", "towing lines", "pilot bookings", "rope lockers", "life vests", "mail bags",
    "tyre fenders", "ballast tanks", "paint stores", "customs forms", "berth lists", "gale flags",
    "night watches", "spare fuses", "tide clocks", "parrot cages",
)  # fmt: skip


async def came(desk: Opened, name: str, text: str) -> None:
    """Write a retro as an agent does, and let the screen hear of it."""
    file = desk.bench.root / RETROS / f"{name}.yaml"
    file.write_text(text)
    await asyncio.to_thread(desk.bench.refresh, {file})
    await desk.journey.rest()


def _decided(desk: Opened, number: int) -> bool:
    return len(desk.app.desk.done) == number


def retro_of(sprint: int, rules: Sequence[str], recommendation: str = "codify") -> str:
    """Return a retro with those conventions."""
    found = "".join(
        f'    - rule: "{rule}"\n      confidence: high\n      evidence: "4 of 5 stories"\n'
        f"      recommendation: {recommendation}\n      applies_to: [backend-engineer]\n"
        for rule in rules
    )
    head = f'sprint: {sprint}\ndate: "2026-05-18"\nstories_completed: 5\nstories_carried_over: 2\n'
    return f"{head}findings:\n  new_conventions:\n{found}"


async def stand_on(desk: Opened, file: str) -> None:
    """Put the cursor of Browse's tree on a file, and the focus there."""
    screen = desk.app.screen
    assert isinstance(screen, BrowseScreen)
    tree = screen.query_one("#tree", TreeList)
    assert tree.move_to(("source", desk.bench.root / MEMORY / file))
    screen.call_pane(tree)
    await desk.journey.rest()


async def stand_on_entry(desk: Opened, title: str, kind: str) -> None:
    entries = desk.app.screen.query_one("#entries", LineList)
    found = (e for e in desk.bench.library.entries() if title in e.title and e.kind == kind)
    assert entries.move_to(next(found).ref)
    await desk.journey.rest()


async def test_a_retro_stands_under_its_stories_and_its_categories(tmp_path: Path) -> None:
    async with opened(tmp_path, size=(120, 60)) as desk:
        desk.journey.sees("sprint-7-retro 8 stories done  0/8 decided")

        desk.journey.sees("new conventions", "5 of 7 to review", "positive patterns")

        await desk.go_to("Every change to a fare")
        desk.journey.sees("sprint-7-retro  2026-05-04 · stories: 8 done, 1 carried over")


async def test_where_a_groups_stories_have_no_room_its_decisions_keep_their_noun(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, size=(100, 30)) as desk:
        desk.journey.sees("sprint-7-retro         0/8 decided ")


@pytest.mark.slow
async def test_the_suggestions_of_a_group_are_one_plan_one_toast_and_one_undo(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as desk:
        await desk.go_to("Every change to a fare")
        before = {path: desk.read(path) for path in STORES}
        await desk.journey.use(SUGGESTED)
        desk.journey.sees("Keep as candidate (2)")
        await desk.journey.pilot.press("end")
        desk.journey.sees("6 items still need your decision")

        await desk.journey.use(APPLY_PLAN)
        changes = desk.bench.past.changes()
        assert len(changes) == 1
        desk.journey.sees("u to undo")
        after = {path: desk.read(path) for path in STORES}
        assert after != before

        await desk.journey.use(UNDO)
        assert {path: desk.read(path) for path in STORES} == before
        assert not desk.app.desk.done
        await desk.journey.use(REDO)
        assert {path: desk.read(path) for path in STORES} == after


@pytest.mark.slow
async def test_after_the_last_finding_of_a_retro_stands_its_summary(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        await came(desk, "sprint-8-retro", retro_of(8, ["Lamps are lit at dusk", "Ropes are dry"]))
        await desk.go_to("Lamps are lit")
        await desk.journey.use(APPROVE, REJECT)
        await desk.journey.reason("2")

        desk.journey.sees("2/2 decided ", "sprint-8-retro: all decided")
        await desk.journey.use(APPROVE)
        assert len(desk.app.desk.done) == 2
        await desk.journey.use(COPY)
        copied = desk.app.clipboard
        assert copied.startswith("# Review of sprint-8-retro in project\n\n2 decisions, 0 items")
        assert "- Lamps are lit at dusk" in copied
        assert "- Ropes are dry (too specific)" in copied
        assert "| backend-engineer |" in copied


@pytest.mark.slow
async def test_a_retro_that_comes_is_told_in_one_line_and_nothing_is_written(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, start="browse") as desk:
        before = {path: desk.read(path) for path in STORES}
        await came(desk, "sprint-8-retro", retro_of(8, ["Lamps are lit at dusk", "Ropes are dry"]))

        desk.journey.sees("sprint-8-retro came: 2 findings, 2 to review · 2 to see them")
        assert {path: desk.read(path) for path in STORES} == before
        assert not desk.bench.past.changes()

        await desk.journey.use(REVIEW)
        await desk.journey.use(BROWSE)
        desk.journey.sees_not("sprint-8-retro came")
        assert not desk.app.screen.query(NewsBar)


async def test_several_retros_share_the_line_and_a_broken_one_says_why(tmp_path: Path) -> None:
    async with opened(tmp_path, start="browse") as desk:
        await came(desk, "sprint-8-retro", "sprint: 8\nfindings: [\n")
        desk.journey.sees("sprint-8-retro is new but cannot be read · 5 to see why")

        await came(desk, "sprint-9-retro", retro_of(9, ["Lamps are lit at dusk"]))

        desk.journey.sees("2 retros came: 1 finding, 1 to review, 1 file cannot be read · 2 to see")


async def test_on_review_a_retro_that_comes_stands_in_the_queue_and_is_said(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as desk:
        await came(desk, "sprint-8-retro", retro_of(8, ["Lamps are lit at dusk"]))

        desk.journey.sees("came: 1 finding, 1 to review")
        assert not desk.app.screen.query(NewsBar)


@pytest.mark.slow
async def test_a_retro_is_compared_with_the_one_before_it_or_with_another(tmp_path: Path) -> None:
    async with opened(tmp_path, size=(140, 50)) as desk:
        rules = ["Boards show the age of what they show", "Lamps are lit at dusk"]
        await came(desk, "sprint-8-retro", retro_of(8, rules, "monitor"))
        await came(desk, "sprint-9-retro", retro_of(9, rules))
        await desk.go_to("Lamps are lit at dusk")

        await desk.journey.use(COMPARE)
        desk.journey.sees("sprint-8-retro → sprint-9-retro", "2 got worse · 0 recurring")
        desk.journey.sees("What sprint-9-retro changed in memory", "nothing yet")
        await desk.go_to("Lamps are lit at dusk")
        desk.journey.sees("got worse", "monitor ", "codify ", "sprint-8-retro     │ sprint-9-retro")

        await desk.journey.use(COMPARE)
        await desk.journey.types("sprint-6")
        await desk.journey.pilot.press("enter")
        await desk.journey.rest()
        desk.journey.sees("sprint-6-retro → sprint-9-retro", "Lamps are lit at dusk")
        await desk.journey.use(LEAVE)
        desk.journey.sees_not("sprint-6-retro → sprint-9-retro")
        assert not desk.bench.past.changes()


@pytest.mark.slow
async def test_a_row_of_two_retros_is_decided_on_by_the_keys_of_the_queue(tmp_path: Path) -> None:
    async with opened(tmp_path, size=(80, 24)) as desk:
        await came(desk, "sprint-8-retro", retro_of(8, ["Ropes are dry"], "monitor"))
        await came(desk, "sprint-9-retro", retro_of(9, ["Ropes are dry", "Lamps are lit"]))
        await desk.go_to("Feature flags")

        await desk.journey.use(COMPARE)
        desk.journey.sees("sprint-8-retro → sprint-9-retro", "got worse", "monitor→codify")
        await desk.go_to("Ropes are dry")
        await desk.journey.use(APPROVE)

        assert b"Ropes are dry" in desk.read(STORES[0])
        assert desk.cursor == next(i.id for i in desk.app.desk.items() if "Lamps" in i.title)
        desk.journey.sees("confirmed")


@pytest.mark.slow
@pytest.mark.parametrize("key", ["escape", "backspace"])
async def test_retros_side_by_side_say_how_to_go_back_and_the_cursor_is_where_it_was(
    tmp_path: Path, key: str
) -> None:
    async with opened(tmp_path, size=(120, 36)) as desk:
        await desk.go_to("Every change to a fare")
        before = desk.cursor

        await desk.journey.use(COMPARE)
        desk.journey.sees("sprint-6-retro → sprint-7-retro · esc back")
        await desk.journey.use(COPY)
        assert "What sprint-7-retro changed in memory" in desk.app.clipboard

        await desk.journey.pilot.press(key)
        await desk.journey.rest()
        desk.journey.sees_not("sprint-6-retro → sprint-7-retro")
        assert desk.cursor == before


@pytest.mark.slow
async def test_the_whole_effect_of_a_retro_on_memory_is_one_diff(tmp_path: Path) -> None:
    async with opened(tmp_path, size=(140, 60)) as desk:
        await came(desk, "sprint-8-retro", retro_of(8, ["Lamps are lit", "Ropes are dry", "Oil"]))
        await desk.go_to("Lamps are lit")
        await desk.journey.use(APPROVE, APPROVE)

        await desk.journey.use(COMPARE)

        desk.journey.sees('+     rule: "Lamps are lit"')
        desk.journey.sees('rule: "Ropes are dry"')
        desk.journey.sees_not('rule: "Oil"')


@pytest.mark.slow
async def test_an_estimation_pattern_is_taken_over_with_one_key_from_either_screen(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as desk:
        before = desk.read(STORES[2])
        queue = desk.app.screen.query_one("#queue", LineList)
        pattern = next(e for e in desk.bench.library.entries() if "offline behaviour" in e.title)
        assert queue.move_to(pattern.ref)
        (await desk.journey.rest()).sees("can go into estimates", "a Apply")

        await desk.journey.use(APPROVE)
        assert b"Stories with offline behaviour take +80%" in desk.read(STORES[2])
        desk.journey.sees("applied")
        await desk.journey.use(APPROVE)
        assert len(desk.bench.past.changes()) == 1
        await desk.journey.use(UNDO)
        assert desk.read(STORES[2]) == before

        await desk.journey.use(BROWSE)
        await stand_on_entry(desk, "offline behaviour", "finding")
        await desk.journey.use(APPROVE)
        assert b"Stories with offline behaviour take +80%" in desk.read(STORES[2])


@pytest.mark.slow
async def test_the_estimates_are_drawn_over_sprints_and_the_factor_is_taken_with_one_key(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, start="browse", size=(140, 50)) as desk:
        await stand_on(desk, "estimates.yaml")
        desk.journey.sees("velocity factor 0.85", "sprint 7  not measured", "3 more sprints")
        for sprint, actual in ((7, 10), (8, 20), (9, 20)):
            text = MEASURED.format(sprint=sprint, estimated=10 + sprint - 7, actual=actual)
            await came(desk, f"sprint-{sprint}-retro", text)

        desk.journey.sees("sprint 8   0.55 ██████░░░░│░░░░░  ↑↑")
        desk.journey.sees("(10 + 11 + 12) estimated / (10 + 20 + 20) actual", "= 33 / 50 = 0.66")

        await desk.journey.use(APPROVE)
        assert b"velocity_factor: 0.66" in desk.read(STORES[2])
        await desk.journey.use(APPROVE)
        assert len(desk.bench.past.changes()) == 1


@pytest.mark.slow
async def test_how_sure_a_learning_is_and_since_when_is_one_key_away(tmp_path: Path) -> None:
    async with opened(tmp_path, start="browse") as desk:
        await stand_on_entry(desk, "Let a hold run out", "learning")
        desk.journey.sees("confidence  0.", "events")

        await desk.journey.use(WHY)

        desk.journey.sees("confidence", "created", "0.5 → 0.55", "↑ 0.7")
        (await desk.journey.use(WHY)).sees("Source")
        await stand_on_entry(desk, "Boards show", "finding")
        (await desk.journey.use(WHY)).sees("Which agents get it", "none: its status is candidate")


async def test_why_an_agent_gets_an_entry_or_not_is_one_key_away(tmp_path: Path) -> None:
    async with opened(tmp_path, start="browse", size=(120, 40)) as desk:
        await stand_on_entry(desk, "Amounts are integers", "convention")

        await desk.journey.use(WHY)
        await desk.journey.rest()

        desk.journey.sees("Which agents get it", "backend-engineer", "does not get it: it is for")

        await desk.write(
            f"{MEMORY}/conventions.yaml",
            lambda data: data.replace(b"enforcement: review_gate", b"status: candidate"),
        )
        await desk.journey.rest()
        await desk.journey.rest()
        desk.journey.sees("none: its status is candidate")


async def test_signs_of_confidence_and_estimates_are_plain_where_only_ascii_is_drawn(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, start="browse", settings="glyphs: ascii\n") as desk:
        await stand_on_entry(desk, "Let a hold run out", "learning")
        await desk.journey.use(WHY)
        desk.journey.sees("confidence", " > ")
        desk.journey.sees_not("→", "▲", "↑")

        await stand_on(desk, "estimates.yaml")

        desk.journey.sees("^^ _")
        desk.journey.sees_not("↑", "↓")


@pytest.mark.slow
async def test_thirty_findings_are_decided_in_at_most_65_keys(tmp_path: Path) -> None:
    known = ("Errors of the API carry a code and a sentence for people and the id of the request",
             "Feature flags have one owner and the date on which they are removed")  # fmt: skip
    rules = [f"The {subject} are counted once a week" for subject in SUBJECTS]
    async with opened(tmp_path) as desk:
        await came(desk, "sprint-8-retro", retro_of(8, [*rules, *known]))
        await desk.go_to(rules[0])
        pilot, keys = desk.journey.pilot, 0
        of_retro = [item for item in desk.bench.queue() if item.group == "sprint-8-retro"]
        assert len(of_retro) == 30
        merges = {item.title for item in of_retro if item.title in known}
        assert len(merges) == 2

        for number, item in enumerate(of_retro):
            assert desk.cursor == item.id
            if item.title in merges:
                pressed = [MERGE.key, "enter"]
            elif number < 2:
                pressed = [SKIP.key]
            elif number < 10:
                pressed = [REJECT.key, str(number % 5 + 1), "enter"]
            else:
                pressed = [APPROVE.key]
            for key in pressed:
                await pilot.press(key)
                await desk.journey.rest()
            keys += len(pressed)
            await until(partial(_decided, desk, max(number - 1, 0)))
            await desk.journey.rest()

        made = [done.verb for done in desk.app.desk.done]
        assert (made.count("approve"), made.count("reject"), made.count("merge")) == (18, 8, 2)
        left = [item.title for item in desk.bench.queue() if item.group == "sprint-8-retro"]
        assert left == rules[:2]
        assert keys <= 65


@pytest.mark.slow
async def test_the_screen_is_never_blocked_while_a_thousand_findings_come(tmp_path: Path) -> None:
    """How near it comes to a frame is for the bench; here other tests have the machine as well."""
    worst: list[float] = []
    while len(worst) < 3 and min(worst, default=1.0) > 0.2:
        worst.append(await _worst_gap(tmp_path / str(len(worst))))

    assert min(worst) <= 0.2, worst


async def _worst_gap(folder: Path) -> float:
    """Return how long the screen could hear no key while a large retro came, in seconds of work."""
    words, chosen = [f"word{number}" for number in range(3_000)], Random(1)

    def text() -> str:
        return " ".join(chosen.sample(words, 9))

    def grow(project: Path) -> None:
        with (project / CONVENTIONS).open("a") as file:
            for number in range(1_000, 11_000):
                file.write(f"  - id: conv-{number}\n    rule: {text()}\n    status: confirmed\n")

    async with opened(folder, prepare=grow) as desk:
        gaps: list[float] = []
        beating = asyncio.create_task(_beat(gaps))
        await came(desk, "sprint-8-retro", retro_of(8, [text() for _ in range(1_000)]))
        beating.cancel()
        assert sum(item.group == "sprint-8-retro" for item in desk.bench.queue()) == 1_000
        return max(gaps)


async def _beat(gaps: list[float]) -> None:
    last = time.process_time()
    while True:
        await asyncio.sleep(0.002)
        now = time.process_time()
        gaps.append(now - last)
        last = now
