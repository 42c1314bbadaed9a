"""A plan was shown, and a file moves before the yes: nothing is written that was not shown."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
import yaml
from tests.tui.journey import until
from tests.tui.opened import MEMORY, Opened, opened

from remem.core.verbs.verbs import APPROVE, KEEP, PROMOTE, REJECT, SUPERSEDE
from remem.core.waiting.kinds import UNREVIEWED
from remem.model.change import Intent, Json
from remem.model.done_by_others import Unreviewed
from remem.systems.personas.persona_verbs import PERSONA_RENAME, SECTIONS_ARCHIVE
from remem.tui.screens.deciding import DecidingScreen
from remem.tui.verbs import APPLY_PLAN, CANCEL_PLAN, MARK, SUGGESTED

ANTI_PATTERNS = f"{MEMORY}/anti-patterns.yaml"
CONVENTIONS = f"{MEMORY}/conventions.yaml"
HISTORY = ".squad/agents/dunlin/history.md"
LEAD = b"Anouk | Support Lead"


def without_two(data: bytes) -> bytes:
    lines = data.splitlines(keepends=True)
    bullets = [place for place, line in enumerate(lines) if line.startswith(b"- ")]
    return b"".join(line for place, line in enumerate(lines) if place not in bullets[1:3])


async def two_go(desk: Opened) -> list[Unreviewed]:
    """Take two lessons out of a file as an agent does, and return them as they wait."""

    def gone() -> list[Unreviewed]:
        found = desk.bench.library.aside.unreviewed.values()
        return [each for each in found if not each.digest]

    await desk.write(HISTORY, without_two)
    await until(lambda: len(gone()) == 2)
    await desk.journey.rest()
    return gone()


@pytest.mark.slow
async def test_a_store_that_went_while_all_suggestions_were_shown_is_not_made_anew(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, size=(120, 60)) as desk:
        await desk.go_to("Tests of a timetable")
        conventions = desk.read(CONVENTIONS)
        await desk.journey.use(SUGGESTED)
        desk.journey.sees("anti-patterns.yaml  edits")
        store = desk.bench.root / ANTI_PATTERNS
        store.rename(store.with_name("anti-old.yaml"))
        await asyncio.to_thread(desk.bench.refresh)
        await desk.journey.rest()

        await desk.journey.use(APPLY_PLAN)

        desk.journey.sees("anti-patterns.yaml", "changed after it was shown: it no longer exists")
        assert not store.exists()
        assert desk.read(CONVENTIONS) == conventions
        assert not desk.bench.past.changes()
        await desk.journey.use(CANCEL_PLAN)
        assert not store.exists()

        await desk.journey.use(SUGGESTED)
        desk.journey.sees("anti-patterns.yaml  creates")
        await desk.journey.use(APPLY_PLAN)
        assert store.exists()


@pytest.mark.slow
async def test_what_went_is_made_anew_after_a_second_yes(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        await desk.go_to("Tests of a timetable")
        await desk.journey.use(SUGGESTED)
        store = desk.bench.root / ANTI_PATTERNS
        store.unlink()
        await asyncio.to_thread(desk.bench.refresh)
        await desk.journey.rest()

        await desk.journey.use(APPLY_PLAN)
        assert not store.exists()
        await desk.journey.use(APPLY_PLAN)

        assert store.exists()
        assert desk.bench.past.changes()


@pytest.mark.slow
async def test_lines_that_an_agent_adds_meanwhile_do_not_ask_again(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        await desk.go_to("Tests of a timetable")
        await desk.journey.use(SUGGESTED)
        await desk.write(CONVENTIONS, lambda data: b"# tidy\n" + data)
        await desk.write(ANTI_PATTERNS, lambda data: b"# tidy\n" + data)
        await desk.journey.rest()

        await desk.journey.use(APPLY_PLAN)

        assert desk.bench.past.changes()
        assert desk.read(ANTI_PATTERNS).startswith(b"# tidy\n")


@pytest.mark.slow
async def test_what_is_put_back_does_not_make_the_file_anew_that_went(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        gone = [each.title for each in await two_go(desk)]
        for title in gone:
            await desk.go_to(title)
            await desk.journey.use(MARK)
        await desk.journey.use(REJECT)
        await desk.journey.reason("1")
        await desk.journey.rest()
        desk.journey.sees("history.md  edits")
        file = desk.bench.root / HISTORY
        file.unlink()
        await asyncio.to_thread(desk.bench.refresh)
        await desk.journey.rest()

        await desk.journey.use(APPLY_PLAN)

        desk.journey.sees("changed after it was shown: it no longer exists")
        assert not file.exists()
        assert not desk.bench.past.changes()


@pytest.mark.slow
async def test_a_plan_whose_lines_changed_is_shown_again(tmp_path: Path) -> None:
    async with opened(tmp_path, start="browse", crew=True) as desk:
        intent = Intent(PERSONA_RENAME.id, {}, {"persona": "Anouk", "to": "Solveig"})
        screen = desk.app.screen
        assert isinstance(screen, DecidingScreen)
        await screen.carry_out(intent)
        await desk.journey.rest()
        team = ".squad/team.md"
        await desk.write(
            team, lambda data: data.replace(b"Anouk | Support Analyst", b"Anouk | Support Lead")
        )
        await desk.journey.rest()

        await desk.journey.use(APPLY_PLAN)

        desk.journey.sees("team.md", "changed after it was shown: other lines would change")
        assert not desk.bench.past.changes()
        await desk.journey.use(APPLY_PLAN)
        assert LEAD.replace(b"Anouk", b"Solveig") in desk.read(team)


async def test_a_target_that_does_not_parse_is_called_so_with_its_line(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        await desk.go_to("Sending a disruption notice")
        await desk.write(ANTI_PATTERNS, lambda data: data + b'\n  - id: "x\n')
        await desk.go_to("Sharing one database session")
        await desk.journey.use(KEEP)

        desk.journey.sees("`anti-patterns.yaml` does not parse, line ")
        desk.journey.sees_not("read-only")


async def test_lessons_that_are_put_elsewhere_are_counted_as_added(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        shown = {each.ref: "" for each in await two_go(desk)}

        change = desk.bench.plan(
            Intent(PROMOTE.id, shown, {"to": "Tomasz"}, (), dict.fromkeys(shown, UNREVIEWED))
        )

        assert change.receipt.endswith("here · 0 lost, 2 added")
        assert " units + 2 = " in change.receipt


async def test_promoting_what_waits_and_has_no_wider_level_says_that(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        await desk.go_to("Every import of sailings can")
        desk.journey.sees("suggests approve")
        await desk.journey.use(PROMOTE)

        desk.journey.sees("Promote: there is no wider level; approve it instead")


async def test_the_footer_offers_all_suggestions_only_where_there_are_any(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        await desk.go_to("A new harbour is switched o")
        desk.journey.sees_not("A Accept group")
        await desk.journey.use(SUGGESTED)
        desk.journey.sees("no suggestions in this group")

        await desk.go_to("Tests of a timetable")
        desk.journey.sees("A Accept group")


async def test_no_message_of_before_lies_over_a_dialog(tmp_path: Path) -> None:
    async with opened(tmp_path, size=(80, 24)) as desk:
        await desk.go_to("Tests of a timetable")
        desk.app.notify("cancelled; nothing was written", timeout=900)
        await desk.journey.rest()
        desk.journey.sees("cancelled; nothing was written")

        await desk.journey.use(SUGGESTED)

        desk.journey.sees_not("cancelled; nothing was written")
        desk.journey.sees("Cancel (esc)", "(enter)")


@pytest.mark.slow
async def test_marks_of_several_kinds_are_told_by_what_becomes_of_each(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        gone = [each.title for each in await two_go(desk)]
        for title in (*gone, "Every import of sailings can"):
            await desk.go_to(title)
            await desk.journey.use(MARK)

        await desk.journey.use(APPROVE)
        desk.journey.sees("Decide on 3 entries: mark as reviewed 2, approve 1")
        await desk.journey.use(APPLY_PLAN)
        told = "Decide on 3 entries: mark as reviewed 2, approve 1"
        assert [change.title for change in desk.bench.past.changes()] == [told]


@pytest.mark.slow
async def test_superseding_names_both_texts_the_prompts_and_the_new_entry(tmp_path: Path) -> None:
    async with opened(tmp_path, size=(120, 50)) as desk:
        await desk.go_to("The scanner never boards")
        await desk.journey.use(SUPERSEDE)
        desk.journey.sees("new: The scanner never boards", "goes: ", " / 800 ")

        await desk.journey.use(APPLY_PLAN)
        reason = yaml.safe_load(desk.read(".remem/rejected.yaml"))["rejected"][-1]["reason"]

        new = desk.bench.library.resolve(reason.removeprefix("superseded by "))
        assert new.title.startswith("The scanner never boards")
        assert "sprint-7-retro" not in reason


async def test_all_suggestions_are_shown_with_what_they_do_to_the_prompts(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        await desk.go_to("Tests of a timetable")
        await desk.journey.use(SUGGESTED)
        desk.journey.sees("no prompt changes")


@pytest.mark.slow
async def test_archiving_sections_is_shown_with_what_each_agent_starts_with(tmp_path: Path) -> None:
    async with opened(tmp_path, start="browse", crew=True, size=(120, 50)) as desk:
        screen = desk.app.screen
        assert isinstance(screen, DecidingScreen)
        told: dict[str, Json] = {"persona": "Anouk", "before": "2026-03-01"}
        await screen.carry_out(Intent(SECTIONS_ARCHIVE.id, {}, told))
        await desk.journey.rest()
        desk.journey.sees("anouk · Squad", " tokens -")
