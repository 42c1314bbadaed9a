"""The first look at a root: who starts with what, what is worth a look, and how it grew."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.bench.starting import everyones_files
from tests.history_files import DAY, grown_repository
from tests.tui.journey import Journey
from tests.tui.opened import opened

from remem.base.clock import Clock
from remem.core.session import Session
from remem.core.settings import Places
from remem.core.verbs.verbs import ADD, APPROVE, EDIT, REJECT
from remem.systems.personas.persona_verbs import PERSONA_RENAME
from remem.tui.app import RememApp
from remem.tui.screens.browse import BrowseScreen
from remem.tui.screens.health import HealthScreen
from remem.tui.screens.prompt import PromptScreen
from remem.tui.screens.start import StartScreen
from remem.tui.textual_private import screen_text
from remem.tui.usable_verbs import usable_on
from remem.tui.verbs import (
    AGAIN,
    AGENT,
    COPY,
    FILTER,
    FIX,
    HEALTH,
    HELP,
    LEAVE,
    LOADED,
    NEXT_PANE,
    OPEN,
    PROMPT,
    ZOOM,
    every_verb,
    keys_of,
)
from remem.tui.widgets.line_list import LineList
from remem.views.list_rows import Row


def findings_on(journey: Journey) -> LineList:
    return journey.pilot.app.screen.query_one("#worth", LineList)


async def go_to_finding(journey: Journey, text: str) -> Row:
    """Put the cursor on a finding."""
    pane = findings_on(journey)
    row = next(row for row in pane.rows if text in row.label[0].text)
    pane.focus()
    pane.move_to(row.key)
    await journey.rest()
    return row


@asynccontextmanager
async def at(
    tmp_path: Path, files: dict[str, str], size: tuple[int, int] = (80, 24)
) -> AsyncIterator[tuple[Journey, Path]]:
    """Open a root with these files on Start."""
    root = tmp_path / "root"
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    root.mkdir(exist_ok=True)
    async with over(root, tmp_path, size) as journey:
        yield journey, root


@asynccontextmanager
async def over(
    root: Path, tmp_path: Path, size: tuple[int, int], clock: Clock | None = None
) -> AsyncIterator[Journey]:
    bench = Session.open(root, Places.of(tmp_path / "home"), door="tui", clock=clock)
    app = RememApp(bench, start="start")
    async with app.run_test(size=size, notifications=True) as pilot:
        yield await Journey(pilot).rest()
    bench.close()


def stands(root: Path) -> dict[str, bytes]:
    """Return every file below a root with its bytes."""
    return {str(p.relative_to(root)): p.read_bytes() for p in root.rglob("*") if p.is_file()}


@pytest.mark.slow
async def test_every_agent_stands_there_once_under_its_tool(tmp_path: Path) -> None:
    async with opened(tmp_path, start="start", size=(100, 70)) as desk:
        pane = desk.journey.pilot.app.screen.query_one("#who", LineList)
        keys = [row.key for row in pane.rows if not row.is_header]

        assert len(keys) == len(set(keys))
        agents = {("agent", agent.layout, agent.name) for agent in desk.bench.agents()}
        assert agents <= set(keys)
        desk.journey.sees("Night Watch · 4 agents", "Squad · 2 agents")


async def test_memory_that_is_meant_for_nobody_in_particular_is_shown_as_everyones(
    tmp_path: Path,
) -> None:
    rule = 'conventions:\n  - id: conv-001\n    rule: "Clocks are passed in"\n'

    async with at(tmp_path, {".sniper/memory/conventions.yaml": rule}) as (journey, _):
        journey.sees("Roles", "everyone")
        journey.pilot.app.screen.query_one("#who", LineList).move_to(("role", ""))

        await journey.use(OPEN)

        assert isinstance(journey.pilot.app.screen, PromptScreen)
        journey.sees("everyone · composed", "Clocks are passed in")


@pytest.mark.slow
async def test_file_names_and_tokens_are_readable_in_eighty_columns(tmp_path: Path) -> None:
    async with opened(tmp_path, start="start", size=(80, 60)) as desk:
        captain = next(a for a in desk.bench.agents() if a.name == "release-captain")

        desk.journey.sees(f"≈{captain.tokens:,}", "release-captain.md", " cut off ")
        desk.journey.sees("pier-tester.md, MEMORY.md")


@pytest.mark.slow
async def test_at_most_five_findings_stand_there_each_with_its_key(tmp_path: Path) -> None:
    async with opened(tmp_path, start="start") as desk:
        rows = [row for row in findings_on(desk.journey).rows if not row.is_header]

        assert 1 < len(rows) <= 5
        assert all(row.right[0].text in ("F", "e", "enter") for row in rows)
        assert all(row.right[1].text.strip() for row in rows)


@pytest.mark.slow
async def test_enter_on_a_part_that_is_cut_off_shows_the_start_it_is_cut_from(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, start="start") as desk:
        await go_to_finding(desk.journey, "release-captain never loads")

        await desk.journey.use(OPEN)

        assert isinstance(desk.journey.pilot.app.screen, PromptScreen)
        desk.journey.sees("Release captain")


@pytest.mark.slow
async def test_the_digit_of_health_goes_to_the_finding_under_the_cursor(tmp_path: Path) -> None:
    async with opened(tmp_path, start="start") as desk:
        cut = await go_to_finding(desk.journey, "release-captain never loads")

        await desk.journey.use(HEALTH)

        assert isinstance(desk.journey.pilot.app.screen, HealthScreen)
        problems = desk.journey.pilot.app.screen.query_one("#problems", LineList)
        assert problems.row is not None
        assert problems.row.label[0].text == cut.label[0].text


async def test_a_finding_says_why_it_stands_where_it_does_and_shows_its_place(
    tmp_path: Path,
) -> None:
    hidden = {"CLAUDE.md": "# Rules\n\n- Count the lamps.\n- Ring\u202e twice.\n"}
    async with at(tmp_path, hidden, (120, 36)) as (journey, _):
        await go_to_finding(journey, "hidden character")

        journey.sees("worth 90 points = 90", "Ring⟦U+202E⟧ twice.")


@pytest.mark.slow
async def test_enter_on_hidden_characters_goes_to_the_entry_that_holds_them(
    tmp_path: Path,
) -> None:
    hidden = {"CLAUDE.md": "# Rules\n\n- Count the lamps.\n- Ring\u202e twice.\n"}
    async with at(tmp_path, hidden, (120, 36)) as (journey, _):
        row = await go_to_finding(journey, "hidden character")

        await journey.use(OPEN)

        assert row.right[0].text == EDIT.key
        assert isinstance(journey.pilot.app.screen, BrowseScreen)
        journey.sees("Ring⟦U+202E⟧ twice.")


@pytest.mark.slow
async def test_the_key_of_a_rule_that_is_told_twice_asks_first_and_writes_nothing(
    tmp_path: Path,
) -> None:
    rule = "Count every lamp on the quay before the first ferry leaves the harbour."
    twice = {"CLAUDE.md": f"# Rules\n\n- {rule}\n", ".claude/rules/quay.md": f"- {rule}\n"}
    async with at(tmp_path, twice, (120, 36)) as (journey, root):
        before = stands(root)
        await go_to_finding(journey, "twice")

        await journey.use(FIX)

        assert not isinstance(journey.pilot.app.screen, StartScreen)
        assert stands(root) == before


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "shown"),
    [
        pytest.param("release-captain", "Release captain", id="loads files itself"),
        pytest.param("Bastien", "Bastien", id="composed persona"),
    ],
)
async def test_an_agent_opens_on_what_it_gets(tmp_path: Path, name: str, shown: str) -> None:
    async with opened(tmp_path, start="start") as desk:
        pane = desk.journey.pilot.app.screen.query_one("#who", LineList)
        agent = next(a for a in desk.bench.agents() if a.name == name)
        pane.move_to(("agent", agent.layout, agent.name))

        await desk.journey.use(OPEN)

        assert isinstance(desk.journey.pilot.app.screen, PromptScreen)
        desk.journey.sees(shown)


@pytest.mark.slow
async def test_help_is_never_greyed_and_names_no_key_that_does_nothing_here(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, start="start", size=(80, 60)) as desk:
        footer = screen_text(desk.app).splitlines()[-1]
        works = usable_on(desk.app.screen, desk.app.verbs)

        assert footer.rstrip().endswith("? Help")
        assert {HELP.id, OPEN.id, FILTER.id, COPY.id} <= works
        assert not works & {APPROVE.id, REJECT.id, ADD.id, AGAIN.id, PERSONA_RENAME.id}


@pytest.mark.slow
async def test_copying_gives_a_markdown_table_of_everyone(tmp_path: Path) -> None:
    async with opened(tmp_path, start="start") as desk:
        await desk.journey.use(COPY)

        copied = desk.journey.pilot.app.clipboard
        assert all(f"| {agent.name} |" in copied for agent in desk.bench.agents())
        assert "never loads" in copied


@pytest.mark.slow
async def test_a_filter_narrows_who_is_shown(tmp_path: Path) -> None:
    async with opened(tmp_path, start="start", size=(100, 60)) as desk:
        await desk.journey.use(FILTER)
        await desk.journey.types("wanj")

        desk.journey.sees("Wanjiru")
        desk.journey.sees_not("Bastien")


@pytest.mark.slow
async def test_a_repository_with_only_a_claude_file_says_who_starts_with_it(
    tmp_path: Path,
) -> None:
    async with at(tmp_path, {"CLAUDE.md": "# Rules\n\n- Count the lamps.\n"}) as (journey, root):
        journey.sees(
            "Claude Code · 1 agent", "CLAUDE.md", "nothing urgent", "5 lists every problem"
        )
        before = stands(root)

        for mode in ("browse", "review", "prompt", "history", "health", "start"):
            app = journey.pilot.app
            assert isinstance(app, RememApp)
            app.go_to_mode(mode)
            await journey.rest()

        assert stands(root) == before


async def test_an_empty_folder_says_so_and_what_to_press(tmp_path: Path) -> None:
    async with at(tmp_path, {}) as (journey, root):
        journey.sees("no agent and no memory was found here", "adds a first entry")

        assert stands(root) == {}


async def test_names_from_the_disk_are_never_read_as_markup(tmp_path: Path) -> None:
    rubbish = {
        ".claude/agents/[bold]x[", "CLAUDE.md",
    }  # fmt: skip
    files = dict.fromkeys(
        rubbish,
        "---\nname: '[/red]\x1b[31mred'\ndescription: d\nmemory: project\n---\nHi\n",
    )
    files[".claude/agent-memory/[@click=app.bell]/MEMORY.md"] = "- \x1b]0;title\x07 [/]\n"
    async with at(tmp_path, files, (120, 36)) as (journey, _):
        for _ in range(8):
            await journey.pilot.press("j")
        await journey.rest()

        journey.sees("CLAUDE.md")


@pytest.mark.slow
async def test_no_key_writes_unless_its_plan_was_accepted(tmp_path: Path) -> None:
    rule = "Count every lamp on the quay before the first ferry leaves the harbour."
    twice = {"CLAUDE.md": f"# Rules\n\n- {rule}\n", ".claude/rules/quay.md": f"- {rule}\n"}
    leaving = {"q", "ctrl+z", "u", "U", "ctrl+p"}
    async with at(tmp_path, twice, (80, 24)) as (journey, root):
        before = stands(root)
        await go_to_finding(journey, "twice")

        for key in dict.fromkeys(keys_of(verb.key)[0] for verb in every_verb() if verb.key):
            if key not in leaving and not key.isdigit():
                await journey.pilot.press(*(["space"] if key == " " else [key]), "escape")
        await journey.rest()

        assert stands(root) == before


@pytest.mark.parametrize(
    "size",
    [
        pytest.param((40, 12), id="tiny", marks=pytest.mark.slow),
        pytest.param((80, 24), id="80x24"),
        pytest.param((120, 36), id="120x36", marks=pytest.mark.slow),
    ],
)
async def test_the_detail_comes_when_it_is_called_and_goes_again(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with at(tmp_path, {"CLAUDE.md": "# Rules\n\n- Count the lamps.\n"}, size) as (journey, _):
        await journey.use(NEXT_PANE, NEXT_PANE, ZOOM)
        journey.sees("in this order")

        await journey.use(LEAVE, LEAVE)

        journey.sees("Claude Code")


async def test_the_history_of_a_repository_is_drawn_and_what_grew_is_named(tmp_path: Path) -> None:
    clock = Clock(lambda: datetime.fromtimestamp(100 * DAY, UTC))
    root = grown_repository(tmp_path / "root", commits=12, until=100)
    async with over(root, tmp_path, (120, 40), clock) as journey:
        pane = journey.pilot.app.screen.query_one("#who", LineList)

        row = next(row for row in pane.rows if not row.is_header)

        assert "█" in "".join(part.text for part in row.right)
        journey.sees("growth of all memory since", "CLAUDE.md", "author", "Ada")


@pytest.mark.slow
async def test_gone_to_later_it_fills_in_too(tmp_path: Path) -> None:
    async with opened(tmp_path, start="review", size=(80, 24)) as desk:
        await desk.journey.rest()
        await desk.journey.pilot.press("0")
        await desk.journey.rest()

        assert "looking for problems" not in screen_text(desk.app)


async def test_the_digit_of_prompt_shows_what_the_marked_agent_starts_with(tmp_path: Path) -> None:
    async with at(tmp_path, {"CLAUDE.md": "- Ropes are coiled clockwise\n"}) as (journey, _):
        await journey.use(PROMPT)

        journey.sees("Claude Code", "Ropes are coiled clockwise")
        app = journey.pilot.app
        assert isinstance(app, RememApp)
        assert (app.desk.ask.agent, app.desk.as_loaded) == ("Claude Code", True)


ROLES = {
    ".sniper/memory/conventions.yaml": (
        "conventions:\n"
        "  - id: conv-001\n    rule: Ropes are coiled\n    status: confirmed\n"
        "    applies_to: [rigger]\n"
    ),
}
REVIEWER = {
    ".claude/agents/reviewer.md": "---\nname: reviewer\ndescription: reads\n---\nRead it twice.\n",
}


async def test_the_digit_of_prompt_shows_what_the_marked_role_is_given(tmp_path: Path) -> None:
    async with at(tmp_path, {**ROLES, **REVIEWER}, size=(120, 36)) as (journey, _):
        who = journey.pilot.app.screen.query_one("#who", LineList)
        who.move_to(("role", "rigger"))
        await journey.rest()

        await journey.use(PROMPT)

        journey.sees("rigger · composed", "Ropes are coiled")


async def test_an_agent_for_whom_nothing_is_composed_is_offered_once_and_as_it_loads(
    tmp_path: Path,
) -> None:
    async with at(tmp_path, REVIEWER, size=(120, 36)) as (journey, _):
        await journey.pilot.press("2", "3")
        await journey.rest()
        journey.sees("as loaded")

        await journey.use(AGENT)
        rows = journey.pilot.app.screen.query_one("#choices", LineList).rows

        assert [each.label[0].text.strip() for each in rows] == ["reviewer"]


async def test_nobody_is_shown_the_other_way_where_that_is_an_empty_page(tmp_path: Path) -> None:
    async with at(tmp_path, {"CLAUDE.md": "- Ropes are coiled clockwise\n"}) as (journey, _):
        await journey.use(PROMPT)
        journey.sees_not("composed 0")

        await journey.use(LOADED)

        app = journey.pilot.app
        assert isinstance(app, RememApp)
        assert app.desk.as_loaded
        journey.sees("Ropes are coiled clockwise", "nothing is composed for Claude Code")


async def test_the_work_behind_a_screen_begins_once_its_first_frame_is_written(
    tmp_path: Path,
) -> None:
    root = everyones_files(tmp_path / "root", files=6)
    session = Session.open(root, Places.of(tmp_path / "home"), door="tui")
    app = Ordered(session)

    async with app.run_test(size=(80, 24)) as pilot:
        await Journey(pilot).rest()

    assert app.order.index("written") < app.order.index("begun")
    assert app.order.count("begun") == 1
    session.close()


class Ordered(RememApp):
    """Notes when a frame is handed to the terminal, and when the work behind it begins."""

    def __init__(self, session: Session) -> None:
        self.order: list[str] = []
        super().__init__(session)

    def post_display_hook(self) -> None:
        if not self._batch_count:
            self.order.append("written")
        super().post_display_hook()

    def _follow_disk(self) -> None:  # type: ignore[override]
        self.order.append("begun")
        super()._follow_disk()
