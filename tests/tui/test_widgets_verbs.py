"""Verbs become keys, a table and a keymap that holds no surprise."""

from __future__ import annotations

from collections import Counter

import pytest
from textual.app import App, ComposeResult
from textual.binding import Binding

from remem.base.errors import BadConfig
from remem.tui.textual_private import screen_text
from remem.tui.verbs import (
    DOWN,
    OVERLAY,
    PRESETS,
    UI_VERBS,
    bindings,
    every_verb,
    key_table,
    keymap,
    keys_of,
    shown_keys,
)
from remem.tui.widgets.line_list import LineList
from remem.tui.widgets.text_view import TextView
from remem.tui.widgets.tree_list import TreeList
from remem.views.list_rows import Row, Rows
from remem.views.spans import spans


def test_no_two_verbs_of_the_screens_share_a_key_or_an_id() -> None:
    keys = Counter(key for verb in UI_VERBS for key in keys_of(verb.key))
    theirs = {key for verb in every_verb() if verb not in UI_VERBS for key in keys_of(verb.key)}
    ids = Counter(verb.id for verb in (*every_verb(), *OVERLAY))

    assert theirs.isdisjoint(keys)

    assert [key for key, times in keys.items() if times > 1] == []
    assert [name for name, times in ids.items() if times > 1] == []


def test_keys_are_safe_on_other_keyboards_and_in_terminals() -> None:
    keys = {key for verb in every_verb() for key in keys_of(verb.key)}

    assert keys.isdisjoint({"ctrl+h", "ctrl+i", "ctrl+j", "ctrl+m", "\\", "@"})
    # Brackets want a third finger on many keyboards, so another key does the same.
    for verb in every_verb():
        mine = {*keys_of(verb.key)}
        assert not mine & {*"[]{}"} or mine - {*"[]{}"}, verb.id


@pytest.mark.parametrize("widget", [LineList, TextView, TreeList])
def test_every_bound_action_exists(widget: type[LineList] | type[TextView]) -> None:
    for binding in widget.BINDINGS:
        assert isinstance(binding, Binding)
        assert hasattr(widget, f"action_{binding.action}"), binding.action


@pytest.mark.parametrize("preset", PRESETS)
def test_presets_are_valid_keymaps(preset: str) -> None:
    mapped = keymap({"preset": preset}, UI_VERBS)

    assert {name: mapped[name] for name in PRESETS[preset]} == PRESETS[preset]


def test_two_verbs_may_swap_their_keys() -> None:
    mapped = keymap({"undo": "L", "show.loaded": "u"}, UI_VERBS)

    assert mapped == {"undo": "L", "show.loaded": "u"}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        pytest.param({"undo": "L"}, "puts `show.loaded` and `undo` on one key: `L`", id="clash"),
        pytest.param({"undo": "j"}, "puts `move.down` and `undo` on one key: `j`", id="second key"),
        pytest.param({"undo": ":"}, "puts `palette` and `undo` on one key: `:`", id="named key"),
        pytest.param({"nope": "x"}, "unknown command in `keymap`: `nope`", id="unknown verb"),
        pytest.param({"preset": "emacs"}, "unknown `keymap.preset`: `emacs`", id="unknown preset"),
        pytest.param({"undo": ""}, "has no key for `undo`", id="empty"),
        pytest.param({"undo": "hyper+x"}, "puts `undo` on an unknown key: `hyper+x`", id="no key"),
        pytest.param({"undo": "ctrl+m"}, "terminals send for `enter`", id="sent for another"),
    ],
)
def test_a_keymap_that_cannot_be_is_refused_with_a_reason(
    settings: dict[str, str], message: str
) -> None:
    with pytest.raises(BadConfig) as refused:
        keymap(settings, UI_VERBS)

    assert message in str(refused.value)
    assert refused.value.hint


def test_a_verb_that_shares_its_key_leaves_it_to_the_others() -> None:
    mapped = keymap({"archive": "Z"}, every_verb())

    assert mapped["archive"] == "Z"
    assert mapped["persona.archive"] == "x"
    assert keymap({"archive": "Z", "persona.archive": "Z"}, every_verb())["persona.archive"] == "Z"


class MappedApp(App[None]):
    def compose(self) -> ComposeResult:
        yield LineList(Rows.of([Row(i, spans(f"entry {i}")) for i in range(5)]))

    def on_mount(self) -> None:
        self.set_keymap(keymap({"move.down": "é,x", "show.order": "j"}, UI_VERBS))
        self.query_one(LineList).focus()


async def test_a_mapped_key_moves_and_the_old_one_does_not() -> None:
    app = MappedApp()
    async with app.run_test(size=(40, 6)) as pilot:
        await pilot.press("j", "down")
        assert app.query_one(LineList).cursor == 0

        await pilot.press("x", "é")

        assert app.query_one(LineList).cursor == 2
        assert "entry 4" in screen_text(app)


def test_the_key_table_names_every_verb_once() -> None:
    table = key_table()

    assert table.startswith("| group | keys | do |\n|---|---|---|\n")
    assert table.count("\n") == len([verb for verb in every_verb() if verb.key]) + 2
    assert "| Move | `j` `↓` | Move down. |" in table
    assert "`,`" in table


def test_keys_are_drawn_as_people_know_them() -> None:
    assert shown_keys(DOWN) == ("j", "↓")
    assert shown_keys(DOWN, {"move.down": "comma"}) == (",",)
    assert bindings((DOWN,)) == [
        Binding("j,down", "move_down", "Down", tooltip="Move down.", id="move.down")
    ]


def test_what_goes_on_and_what_goes_back_are_named_alike() -> None:
    pairs = [
        (each, other)
        for each in UI_VERBS
        for other in UI_VERBS
        if each.id.endswith(".next") and other.id == each.id.removesuffix("next") + "previous"
    ]

    assert len(pairs) > 1
    for on, back in pairs:
        assert back.title == on.title.replace("Next", "Previous")
