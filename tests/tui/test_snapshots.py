"""How the six screens look: four sizes, in dark, light, a terminal's own colours and without any.

Taken with the Python and the Textual that are pinned; elsewhere they are left out, and never
updated. What the screens do is asserted in words in the journeys.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from tests.demo_files import demo_at
from tests.plain_files import Repo
from textual.pilot import Pilot
from textual.widgets import Input

from remem.base.errors import Sides
from remem.core.session import Session
from remem.core.settings import Places
from remem.core.verbs.verb import Verb
from remem.demo.build import home_of
from remem.tui.app import MODES, RememApp
from remem.tui.screens.changed_meanwhile import ConflictScreen
from remem.tui.screenshots import SHOTS, at_rest, draw, still_clock
from remem.tui.verbs import (
    COMPARE,
    EVERYWHERE,
    HELP,
    MOMENT,
    PALETTE,
    SUGGESTED,
    WHO,
    WHY,
    keys_of,
)
from remem.tui.widgets.line_list import LineList
from remem.tui.widgets.tree_list import TreeList

CHECKOUT = Path(__file__).parents[2]
PINS = (CHECKOUT / "constraints.txt").read_text().splitlines()
IS_PINNED = sys.version_info[:2] == (3, 11) and f"textual=={version('textual')}" in PINS
SIZES = ((60, 20), (80, 24), (120, 36), (200, 50))
SOME_SIZES = (
    pytest.param((60, 20), marks=pytest.mark.slow),
    (80, 24),
    pytest.param((100, 30), marks=pytest.mark.slow),
    (120, 36),
    pytest.param((200, 50), marks=pytest.mark.slow),
)
"""What the ordinary suite looks at."""
SnapCompare = Callable[..., bool]

_LOOKING = re.compile("(?:searching|reading)&#160;[^<]*…")
"""What a screen says while it looks for more."""


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the project of a demo that nothing writes to."""
    return demo_at(tmp_path_factory.mktemp("demo") / "demo")


@pytest.fixture
def pinned(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave pictures out where another version would draw other pixels."""
    monkeypatch.setenv("LOGNAME", "somebody")
    if IS_PINNED:
        return
    if request.config.getoption("update_snapshots"):
        pytest.exit("snapshots are taken with Python 3.11 and the Textual of constraints.txt", 4)
    pytest.skip("drawn with another Python or Textual")


def compare(
    snap_compare: SnapCompare, demo: Path, mode: str, size: tuple[int, int], theme: str
) -> bool:
    bench = Session.open(demo, Places.of(home_of(demo)), door="tui", clock=still_clock())
    bench.load_counter()
    app = RememApp(bench, start=mode)

    async def settle(pilot: Pilot[Any]) -> None:
        app.theme = theme
        if mode == "prompt":
            app.desk.choose(None, "backend-engineer")
            app.agent_chosen()
        await at_rest(app, pilot)

    return snap_compare(app, terminal_size=size, run_before=settle)


@pytest.mark.usefixtures("pinned")
@pytest.mark.parametrize("size", SOME_SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("mode", MODES)
def test_it_looks_like_this_in_the_dark(
    snap_compare: SnapCompare, demo: Path, mode: str, size: tuple[int, int]
) -> None:
    assert compare(snap_compare, demo, mode, size, "textual-dark")


@pytest.mark.slow
@pytest.mark.usefixtures("pinned")
@pytest.mark.parametrize("theme", ["textual-light", "ansi-dark"])
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("mode", MODES)
def test_it_looks_like_this_in_other_colours(
    snap_compare: SnapCompare, demo: Path, mode: str, size: tuple[int, int], theme: str
) -> None:
    assert compare(snap_compare, demo, mode, size, theme)


@pytest.mark.slow
@pytest.mark.usefixtures("pinned")
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("mode", MODES)
def test_it_looks_like_this_without_colours(
    snap_compare: SnapCompare,
    demo: Path,
    mode: str,
    size: tuple[int, int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    assert compare(snap_compare, demo, mode, size, "textual-dark")


@pytest.mark.usefixtures("pinned")
@pytest.mark.parametrize(
    ("overlay", "typed"), [(HELP, ""), (PALETTE, "retro"), (EVERYWHERE, "tide")]
)
def test_an_overlay_looks_like_this(
    snap_compare: SnapCompare, tmp_path: Path, overlay: Verb, typed: str
) -> None:
    demo = demo_at(tmp_path / "demo")  # what others looked at is found, too
    bench = Session.open(demo, Places.of(home_of(demo)), door="tui", clock=still_clock())
    bench.load_counter()
    app = RememApp(bench, start="review")

    async def settle(pilot: Pilot[Any]) -> None:
        app.theme = "textual-dark"
        await at_rest(app, pilot)
        await pilot.press(*keys_of(overlay.key)[:1])
        for line in app.screen.query(Input):
            line.cursor_blink = False
        await pilot.press(*typed)
        await at_rest(app, pilot)
        while _LOOKING.search(app.export_screenshot()):
            await at_rest(app, pilot)

    assert snap_compare(app, terminal_size=(80, 24), run_before=settle)


TEXT = "- id: conv-018\n  rule: Feature flags have {}\n  rationale: Eleven are old\n  status: {}\n"
CONFLICT = Sides(
    ref="sniper@demo:conv-018",
    name="sniper:conv-018",
    changed="its text changed",
    base=TEXT.format("an owner", "candidate"),
    theirs=TEXT.format("a mentor and an end", "candidate"),
    yours=TEXT.format("a mentor and an end", "confirmed"),
    now="sniper@demo:conv-018",
)


@pytest.mark.usefixtures("pinned")
@pytest.mark.parametrize(
    "size",
    [*SOME_SIZES[1:4], pytest.param((140, 40), marks=pytest.mark.slow)],
    ids=lambda size: f"{size[0]}x{size[1]}",
)
def test_a_conflict_looks_like_this(
    snap_compare: SnapCompare, demo: Path, size: tuple[int, int]
) -> None:
    bench = Session.open(demo, Places.of(home_of(demo)), door="tui", clock=still_clock())
    app = RememApp(bench, start="review")

    async def settle(pilot: Pilot[Any]) -> None:
        await at_rest(app, pilot)
        await app.push_screen(ConflictScreen("Approve", CONFLICT))
        await at_rest(app, pilot)

    assert snap_compare(app, terminal_size=size, run_before=settle)


async def _compared(app: RememApp, pilot: Pilot[Any]) -> None:
    queue = app.screen.query_one("#queue", LineList)
    item = next(item for item in app.desk.items() if item.group == "sprint-7-retro")
    assert queue.move_to(item.id)
    await at_rest(app, pilot)
    await pilot.press(COMPARE.key)


async def _suggested(app: RememApp, pilot: Pilot[Any]) -> None:
    await _compared(app, pilot)
    await at_rest(app, pilot)
    await pilot.press("escape", SUGGESTED.key)


async def _estimated(app: RememApp, pilot: Pilot[Any]) -> None:
    tree = app.screen.query_one("#tree", TreeList)
    sources = app.session.library.of_format("sniper")
    path = next(source.path for source in sources if source.part == "estimates")
    assert tree.move_to(("source", path))
    tree.focus()
    await pilot.pause()


async def _sure(app: RememApp, pilot: Pilot[Any]) -> None:
    entries = app.screen.query_one("#entries", LineList)
    found = (e for e in app.session.library.entries() if e.kind == "learning")
    assert entries.move_to(next(e.ref for e in found if e.title.startswith("Let a hold")))
    await at_rest(app, pilot)
    await pilot.press(WHY.key)


RETRO_STATES = {
    "compared": ("review", _compared),
    "suggested": ("review", _suggested),
    "estimates": ("browse", _estimated),
    "confidence": ("browse", _sure),
}


@pytest.mark.usefixtures("pinned")
@pytest.mark.parametrize(
    "size",
    [(80, 24), pytest.param((120, 36), marks=pytest.mark.slow)],
    ids=lambda size: f"{size[0]}x{size[1]}",
)
@pytest.mark.parametrize("state", RETRO_STATES)
def test_a_retro_looks_like_this(
    snap_compare: SnapCompare, demo: Path, state: str, size: tuple[int, int]
) -> None:
    mode, pose = RETRO_STATES[state]
    bench = Session.open(demo, Places.of(home_of(demo)), door="tui", clock=still_clock())
    bench.load_counter()
    app = RememApp(bench, start=mode)

    async def settle(pilot: Pilot[Any]) -> None:
        await at_rest(app, pilot)
        await pose(app, pilot)
        await at_rest(app, pilot)

    assert snap_compare(app, terminal_size=size, run_before=settle)


@pytest.mark.slow
@pytest.mark.parametrize("name", SHOTS)
@pytest.mark.usefixtures("pinned")
def test_the_screenshots_of_the_repository_are_those_of_this_code(name: str) -> None:
    """`python -m remem.cli.generate` draws them again."""
    assert (CHECKOUT / "screenshots" / f"{name}.svg").read_bytes() == draw([name])[name]


def test_there_is_a_screenshot_of_every_screen() -> None:
    assert {shot.mode for shot in SHOTS.values()} == set(MODES)
    assert SHOTS["review-80x24"].size == (80, 24)


@pytest.mark.slow
def test_a_screenshot_shows_no_path_and_no_version() -> None:
    for picture in draw(["start", "health"]).values():
        assert b"/tmp" not in picture
        assert version("textual").encode() not in picture


WORKED_ON = {
    "CLAUDE.md": "# Shop\n\n- Keep every line shorter than 100 characters\n- Never push to main\n",
    "AGENTS.md": "- Keep every line shorter than 88 characters\n",
    "web/CLAUDE.md": "- No inline styles in any page\n",
    ".claude/rules/css.md": "---\npaths: '**/*.css'\n---\n- Colours come from variables\n",
    ".cursor/rules/css.mdc": "---\nglobs: '*.css'\n---\n- Colours come from variables\n",
    "web/a.css": "p {}\n",
}


@pytest.mark.slow
@pytest.mark.usefixtures("pinned")
@pytest.mark.parametrize("size", [(80, 24), (120, 36)], ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("shown", ["later", "who"])
def test_a_later_moment_and_who_gets_a_rule_look_like_this(
    snap_compare: SnapCompare, tmp_path: Path, shown: str, size: tuple[int, int]
) -> None:
    repo = Repo(tmp_path).write(WORKED_ON)
    bench = Session.open(repo.root, Places.of(repo.home), door="tui", clock=still_clock())
    bench.load_counter()
    app = RememApp(bench, start="prompt")

    async def settle(pilot: Pilot[Any]) -> None:
        await at_rest(app, pilot)
        keys = {"later": (MOMENT.key, "enter"), "who": ("down", "down", WHO.key)}
        for key in keys[shown]:
            await pilot.press(key)
            await at_rest(app, pilot)

    assert snap_compare(app, terminal_size=size, run_before=settle)
