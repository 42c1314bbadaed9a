"""A person in a repository that has only plain files."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path

import pytest
from tests.plain_files import Repo
from tests.tui.journey import Journey, until
from tests.tui.opened import HeadlessApp, Opened

from remem.core.session import Session
from remem.core.settings import Places
from remem.core.verbs.verbs import ARCHIVE
from remem.tui.verbs import AGENT, APPLY_PLAN, BROWSE, DOWN, FIX, HEALTH, MOMENT, PROMPT, UNDO, WHO
from remem.tui.widgets.text_view import TextView

pytestmark = pytest.mark.slow
FILES = {
    "CLAUDE.md": "# Shop\n\n- use tabs\n- never push\n",
    "web/CLAUDE.md": "- no inline styles\n",
    ".cursor/rules/css.mdc": "---\nglobs: *.css\n---\n- variables only\n",
    "lessons-learned/a.md": "- the cache lies\n",
}


@asynccontextmanager
async def at(
    tmp_path: Path,
    start: str,
    size: tuple[int, int] = (120, 36),
    files: Mapping[str, str] = FILES,
) -> AsyncIterator[Opened]:
    repo = Repo(tmp_path).write(files)
    bench = Session.open(repo.root, Places.of(repo.home), door="tui")
    app = HeadlessApp(bench, start=start, seconds=count(1.0).__next__)
    async with app.run_test(size=size, notifications=True) as pilot:
        yield Opened(await Journey(pilot).rest(), bench, app)
    bench.close()


async def test_the_prompt_shows_lines_with_numbers_and_files_that_are_left_out(
    tmp_path: Path,
) -> None:
    async with at(tmp_path, "prompt") as desk:
        desk.journey.sees("Claude Code · as loaded", "- use tabs", "web/CLAUDE.md", "no inline")
        view = desk.app.screen.query_one("#prompt", TextView)
        assert [line.number for line in view.lines[:4]] == [1, 2, 3, 4]

        await desk.journey.use(AGENT)
        await desk.journey.types("in web/")
        await desk.journey.pilot.press("enter")
        await desk.journey.rest()
        desk.journey.sees("Claude Code in web/ · as loaded")

        await desk.journey.use(AGENT)
        await desk.journey.types("cursor")
        await desk.journey.pilot.press("enter")
        await desk.journey.rest()

        desk.journey.sees("Cursor · as loaded", "3 tokens · loaded only when the agent works")


async def test_archiving_a_rule_takes_it_out_of_the_start_and_undo_brings_it_back(
    tmp_path: Path,
) -> None:
    async with at(tmp_path, "browse") as desk:
        before = desk.read("CLAUDE.md")
        await desk.journey.use(ARCHIVE)

        assert desk.read("CLAUDE.md") == b"# Shop\n\n- never push\n"
        assert b"- use tabs\n" in desk.read("CLAUDE-archive.md")
        await desk.journey.use(PROMPT)
        desk.journey.sees("- never push").sees_not("- use tabs")

        await desk.journey.use(BROWSE, UNDO)

        assert desk.read("CLAUDE.md") == before


async def test_health_adds_a_layout_for_a_folder_that_looks_like_memory(tmp_path: Path) -> None:
    async with at(tmp_path, "browse") as desk:
        await desk.journey.use(HEALTH)
        desk.journey.sees("`lessons-learned/` looks like memory", "F Add layout")
        for _ in range(9):
            if "lessons-learned" in str(desk.cursor):
                break
            await desk.journey.use(DOWN)

        await desk.journey.use(FIX)
        desk.journey.sees("Read lessons-learned/ as notes", ".remem/config.yaml  creates")
        await desk.journey.use(APPLY_PLAN)

        await desk.journey.use(BROWSE)
        desk.journey.sees("the cache lies")


async def test_what_an_agent_writes_into_its_file_comes_to_the_screen(tmp_path: Path) -> None:
    async with at(tmp_path, "browse") as desk:
        await until(lambda: "live" in str(desk.app._watching))
        path = desk.bench.root / "web" / "CLAUDE.md"

        await asyncio.to_thread(path.write_text, "- no inline styles\n- dark first\n")

        await until(lambda: any(e.title == "dark first" for e in desk.bench.library.entries()))
        await desk.journey.rest()
        desk.journey.sees("dark first")


async def test_a_workspace_of_openclaw_that_begins_to_be_one_comes_to_the_screen(
    tmp_path: Path,
) -> None:
    files = {name: f"- of {name}\n" for name in ("AGENTS.md", "USER.md", "memory/may.md")}
    async with at(tmp_path, "browse", files=files) as desk:
        await until(lambda: "live" in str(desk.app._watching))
        assert [e.title for e in desk.bench.library.entries()] == ["of AGENTS.md"]

        await asyncio.to_thread((desk.bench.root / "SOUL.md").write_text, "- be kind\n")

        titles = {"be kind", "of USER.md", "of memory/may.md"}
        await until(lambda: titles <= {e.title for e in desk.bench.library.entries()})
        await desk.journey.rest()
        desk.journey.sees("be kind", "of USER.md")


async def test_a_new_daily_note_of_openclaw_comes_to_the_screen(tmp_path: Path) -> None:
    files = {name: f"- of {name}\n" for name in ("AGENTS.md", "SOUL.md", "memory/may.md")}
    async with at(tmp_path, "browse", files=files) as desk:
        await until(lambda: "live" in str(desk.app._watching))
        note = desk.bench.root / "memory" / "june.md"

        await asyncio.to_thread(note.write_text, "- it rained\n")

        await until(lambda: any(e.title == "it rained" for e in desk.bench.library.entries()))
        await desk.journey.rest()
        desk.journey.sees("it rained")


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_another_moment_shows_what_joined_by_which_file(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    work = {"web/page.html": "<p>\n", "web/a.css": "p {}\n", "x.py": "\n"}
    async with at(tmp_path, "prompt", size) as desk:
        for name, text in work.items():
            (desk.bench.root / name).write_text(text)
        desk.journey.sees("Claude Code · as loaded · at startup")

        await desk.journey.use(MOMENT)
        desk.journey.sees("When · now at startup", "after web/a.css", "after all ")
        await desk.journey.pilot.press("enter")
        await desk.journey.rest()
        desk.journey.sees(
            "Claude Code · as loaded · after web/a.css", "+ web/CLAUDE.md joins", "no inline styles"
        )
        assert desk.app.screen.query_one("#why", TextView).lines[0].text.endswith("after web/a.css")

        await desk.journey.use(MOMENT)
        desk.journey.sees("before any file is read")
        await desk.journey.pilot.press("enter")
        await desk.journey.rest()
        desk.journey.sees("Claude Code · as loaded · at startup")
        assert desk.bench.past.changes() == ()


async def test_a_moment_is_typed_and_further_files_are_added(tmp_path: Path) -> None:
    async with at(tmp_path, "prompt") as desk:
        for name in ("x.py", "web/new.css"):
            (desk.bench.root / name).write_text("\n")
            await desk.journey.use(MOMENT)
            await desk.journey.types(name)
            await desk.journey.pilot.press("enter")
            await desk.journey.rest()

        desk.journey.sees("after x.py, web/new.css", "+ web/CLAUDE.md joins")
        assert desk.app.desk.ask.files == ("x.py", "web/new.css")


async def test_a_path_that_is_not_there_is_told_and_files_are_named_in_the_title(
    tmp_path: Path,
) -> None:
    async with at(tmp_path, "prompt") as desk:
        for name in ("web/a.css", "x.py"):
            (desk.bench.root / name).write_text("\n")
        for typed in ("web/a.css", "x.py", "web/nowhere.css"):
            await desk.journey.use(MOMENT)
            await desk.journey.types(typed)
            await desk.journey.pilot.press("enter")
            await desk.journey.rest()

        desk.journey.sees("there is no file `web/nowhere.css` in `shop`: answered as if it were")
        desk.journey.sees("Claude Code · as loaded · after web/a.css, x.py, web/nowhere.css")
        assert desk.app.desk.ask.files == ("web/a.css", "x.py", "web/nowhere.css")


async def test_what_remem_composes_has_no_later_moment(tmp_path: Path) -> None:
    (tmp_path / "shop/.sniper/memory").mkdir(parents=True)
    store = "conventions:\n  - {id: conv-001, rule: Name events in the past, status: confirmed}\n"
    (tmp_path / "shop/.sniper/memory/conventions.yaml").write_text(store)
    bench = Session.open(tmp_path / "shop", Places.of(tmp_path / "home"), door="tui")
    app = HeadlessApp(bench, start="prompt", seconds=count(1.0).__next__)
    async with app.run_test(size=(120, 36), notifications=True) as pilot:
        journey = await Journey(pilot).rest()
        await journey.use(MOMENT)
        journey.sees("a composed prompt is complete at startup")
    bench.close()


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_who_gets_a_rule_stands_beside_all_rules_and_nothing_is_written(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with at(tmp_path, "prompt", size) as desk:
        (desk.bench.root / "web/a.css").write_text("p {}\n")
        await desk.journey.use(DOWN, DOWN, WHO)
        desk.journey.sees("Rules by agent", "use tabs", "none of its files has it")

        await desk.journey.types("inline")
        await desk.journey.pilot.press("down")
        await desk.journey.rest()
        desk.journey.sees("web/CLAUDE.md, when the agent works on")

        await desk.journey.types("zzz")
        desk.journey.sees("No matches")

        await desk.journey.pilot.press("escape")
        await desk.journey.rest()
        desk.journey.sees("Claude Code · as loaded")
        assert desk.bench.past.changes() == ()


async def test_enter_goes_from_the_matrix_to_the_entry(tmp_path: Path) -> None:
    async with at(tmp_path, "health") as desk:
        await desk.journey.use(WHO)
        await desk.journey.types("inline")
        await desk.journey.pilot.press("down", "enter")
        await desk.journey.rest()

        desk.journey.sees("[1 Browse]", "no inline styles")
