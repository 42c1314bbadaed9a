"""The lines at the top and the bottom, the impact table and the tree, at every width."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tui.journey import Journey
from textual.app import App, ComposeResult

from remem.tui.verbs import DOWN, LEFT, RIGHT
from remem.tui.widgets.key_bar import KeyBar, KeyHint, hint_at, key_line
from remem.tui.widgets.top_bar import SCREENS, TopBar, TopState, Watching, screen_at, top_line
from remem.tui.widgets.tree_list import TreeList
from remem.views.glyphs import ASCII, UNICODE
from remem.views.list_rows import Node
from remem.views.review.impact import RoleImpact, VerbImpact, impact_lines
from remem.views.spans import plain, spans, width_of

STATE = TopState("a-project", 2, 12, True, "backend-engineer", 1_905, 2_000)
APPROVE = KeyHint("review.approve", "a", "Approve", "decide")
MERGE = KeyHint("review.merge", "m", "Merge", "decide", "nothing is like it")
FILTER = KeyHint("find.filter", "/", "Filter", "find")
UNDO = KeyHint("undo", "u", "Undo", "time")
HELP = KeyHint("help", "?", "Help", "program")


@pytest.mark.parametrize(
    ("width", "shown"),
    [
        pytest.param(60, ("0 Start", "[2 Review 12]", "5 Health"), id="60"),
        pytest.param(80, ("a-project", "0 Start", "[2 Review 12]", "5 Health"), id="80"),
        pytest.param(100, ("0 Start", "[2 Review]", "12 to review"), id="100"),
        pytest.param(120, ("0 Start", "[2 Review 12]", "5 Health", "1.9k/2.0k tokens"), id="120"),
        pytest.param(160, ("5 Health", "12 to review", "1,905/2,000", "█", "live"), id="160"),
    ],
)
def test_the_top_line_gives_up_detail_before_meaning(width: int, shown: tuple[str, ...]) -> None:
    line = plain(top_line(STATE, width, UNICODE))

    assert [text for text in shown if text not in line] == []


@given(
    root=st.text(min_size=1, max_size=30),
    agent=st.text(max_size=30),
    used=st.integers(0, 10**7),
    waiting=st.integers(0, 999),
    screen=st.integers(0, 5),
)
def test_at_80_columns_every_screen_has_its_name_whatever_else_there_is_to_tell(
    root: str, agent: str, used: int, waiting: int, screen: int
) -> None:
    state = TopState(root, screen, waiting, True, agent, used, 2_000)

    line = plain(top_line(state, 80, UNICODE))

    assert [name for place, name in enumerate(SCREENS) if f"{place} {name}" not in line] == []
    assert f"[{screen} {SCREENS[screen]}" in line


@given(width=st.integers(20, 200), waiting=st.integers(0, 10**6), used=st.integers(0, 10**7))
def test_the_top_line_has_the_width_of_the_screen(width: int, waiting: int, used: int) -> None:
    state = TopState("r\u202eoot", 1, waiting, False, "界" * 30, used, 2_000, exact=False)

    assert width_of(top_line(state, width, UNICODE)) == width


def test_estimates_and_a_broken_watcher_are_told_without_colour() -> None:
    state = TopState("r", 0, 3, False, "a", 2_100, 2_000, exact=False, watching=Watching.BROKEN)

    line = plain(top_line(state, 160, UNICODE))

    assert "≈3 to review" in line
    assert "≈2,100/2,000!" in line
    assert "✗ not watching" in line
    assert plain(top_line(state, 160, ASCII)).isascii()


def test_each_screen_can_be_clicked_where_its_name_is() -> None:
    line = top_line(STATE, 120, UNICODE)
    text = plain(line)

    found = [screen_at(line, text.index(name)) for name in ("0 Start", "2 Review", "5 Health")]

    assert found == [0, 2, 5]
    assert screen_at(line, text.index("a-project")) is None
    assert screen_at(line, text.index("1.9k")) is None


def test_the_key_line_shows_what_can_act_and_nothing_else() -> None:
    line = plain(key_line((APPROVE, MERGE, FILTER), (UNDO, HELP), 80, UNICODE))

    assert "a Approve │ / Filter" in line
    assert "Merge" not in line


@given(width=st.integers(60, 200), count=st.integers(0, 40), title=st.text(max_size=30))
def test_undo_and_help_are_never_pushed_out(width: int, count: int, title: str) -> None:
    hints = [KeyHint(f"v{i}", "x", title, f"g{i // 3}") for i in range(count)]

    line = plain(key_line(hints, (UNDO, HELP), width, UNICODE))

    assert line.endswith("u Undo  ? Help ")


def test_an_undo_that_cannot_act_keeps_its_place_in_brackets() -> None:
    blocked = replace(UNDO, blocked="already undone")

    assert plain(key_line((APPROVE,), (blocked, HELP), 60, UNICODE)).endswith("(u Undo)  ? Help ")


@given(width=st.integers(10, 160), count=st.integers(0, 12))
def test_the_key_line_has_the_width_of_the_screen(width: int, count: int) -> None:
    hints = [
        KeyHint(f"v{i}", "ctrl+d", "A title", f"g{i // 3}", "no" * (i % 2)) for i in range(count)
    ]

    assert width_of(key_line(hints, (UNDO, HELP), width, UNICODE)) == width


class BarApp(App[None]):
    def __init__(self) -> None:
        super().__init__()
        self.heard: list[object] = []

    def compose(self) -> ComposeResult:
        yield TopBar()
        yield KeyBar()

    def on_mount(self) -> None:
        self.query_one(TopBar).state = STATE
        bar = self.query_one(KeyBar)
        bar.hints, bar.pinned = (APPROVE, MERGE, FILTER), (UNDO, HELP)

    def on_top_bar_screen_chosen(self, message: TopBar.ScreenChosen) -> None:
        self.heard.append(message.number)

    def on_key_bar_pressed(self, message: KeyBar.Pressed) -> None:
        self.heard.append(message.verb)


async def test_clicks_on_the_bars_say_what_was_meant() -> None:
    app = BarApp()
    async with app.run_test(size=(120, 4)) as pilot:
        top = plain(top_line(STATE, 120, UNICODE))
        keys = plain(key_line((APPROVE, MERGE, FILTER), (UNDO, HELP), 120, UNICODE))

        await pilot.click(TopBar, offset=(top.index("4 History"), 0))
        for name in ("Approve", "u Undo", "? Help"):
            await pilot.click(KeyBar, offset=(keys.index(name), 0))
        await pilot.pause()

        assert app.heard == [4, "review.approve", "undo", "help"]
        assert hint_at((APPROVE,), (), 80, UNICODE, 70) is None


IMPACTS = (
    VerbImpact(
        "a",
        "Approve",
        (
            RoleImpact("backend", 1_820, 1_905, 2_000, let_in=("Log in [/foo] JSON",)),
            RoleImpact("quality", 1_990, 2_080, 2_000, pushed_out=("Retry with jitter",)),
        ),
    ),
    VerbImpact("r", "Reject", (RoleImpact("backend", 1_820, 1_820, 2_000),)),
)


def test_wide_impact_is_a_column_for_each_verb() -> None:
    lines = [plain(line) for line in impact_lines(IMPACTS, 100, UNICODE)]

    assert lines[0].split() == ["memory", "now", "a", "Approve", "r", "Reject", "tokens"]
    assert lines[1].split()[:7] == ["backend", "1,820", "1,905", "+85", "1,820", "±0", "/"]
    assert "2,080!+90" in lines[2]
    assert lines[3:] == [
        "a backend ↑ adds Log in [/foo] JSON",
        "a quality ↓ drops Retry with jitter",
    ]


def test_narrow_impact_is_a_block_for_each_verb() -> None:
    lines = [plain(line) for line in impact_lines(IMPACTS, 40, UNICODE)]

    assert lines == [
        "a Approve  memory, in tokens",
        "  backend 1,820 → 1,905  / 2,000 +85",
        "    ↑ adds Log in [/foo] JSON",
        "  quality 1,990 → 2,080! / 2,000 +90",
        "    ↓ drops Retry with jitter",
        "r Reject  no prompt changes",
    ]


@pytest.mark.parametrize("width", [40, 100])
def test_a_verb_says_what_it_brings_into_force_in_vain(width: int) -> None:
    role = RoleImpact("backend", 1_990, 1_990, 2_000, no_room=("Log in JSON",))

    text = "\n".join(
        plain(line) for line in impact_lines((VerbImpact("a", "Approve", (role,)),), width, UNICODE)
    )

    assert "over budget: Log in JSON" in text
    assert "no prompt changes" not in text


class OneApp(App[None]):
    def __init__(self, view: TreeList) -> None:
        super().__init__()
        self.view = view

    def compose(self) -> ComposeResult:
        yield self.view

    def on_mount(self) -> None:
        self.view.focus()


TREE = (
    Node(
        "sniper",
        spans("sniper"),
        spans("1,514"),
        (Node("conv", spans("conventions")), Node("anti", spans("[/foo]\x1b"))),
    ),
    Node("squad", spans("squad"), children=(Node("hill", spans("Hill")),), is_folded=True),
)


async def test_a_tree_folds_unfolds_and_goes_to_what_a_row_lies_in() -> None:
    view = TreeList(TREE)
    async with OneApp(view).run_test(size=(40, 10)) as pilot:
        journey = await Journey(pilot).rest()
        journey.sees("▾ sniper", "conventions", "[/foo]␛", "▸ squad").sees_not("Hill")

        await journey.use(DOWN, LEFT)
        assert key_of(view) == "sniper"

        (await journey.use(LEFT)).sees("▸ sniper").sees_not("conventions")
        (await journey.use(RIGHT, RIGHT)).sees("▾ sniper", "conventions")
        assert key_of(view) == "conv"


def key_of(view: TreeList) -> object:
    return view.row.key if view.row else None


async def test_folding_survives_a_refill() -> None:
    view = TreeList(TREE)
    async with OneApp(view).run_test(size=(40, 10)) as pilot:
        journey = await Journey(pilot).use(LEFT)

        view.show_tree((*TREE, Node("new", spans("new"))))

        (await journey.rest()).sees("▸ sniper", "new").sees_not("conventions")


async def test_a_click_on_the_sign_folds() -> None:
    async with OneApp(TreeList(TREE)).run_test(size=(40, 10)) as pilot:
        await pilot.click(TreeList, offset=(3, 0))

        (await Journey(pilot).rest()).sees("▸ sniper")
