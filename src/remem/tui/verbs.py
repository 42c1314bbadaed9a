"""Verbs that only the screen has, and how verbs of both kinds become keys.

Keys, footer, help, palette, keymap and the README's table all read these declarations; a verb that
decides something is declared in `core/verbs/verbs.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Final

from textual.binding import Binding, BindingType
from textual.keys import Keys

from remem.base.errors import BadConfig
from remem.core.verbs.verb import Verb
from remem.core.verbs.verbs import all_verbs
from remem.systems.registry import make_known


def _ui(id: str, title: str, key: str, help: str, group: str) -> Verb:  # noqa: A002 - fields of `Verb`
    return Verb(id=id, title=title, key=key, help=help, group=group)


DOWN: Final = _ui("move.down", "Down", "j,down", "Move down.", "Move")
UP: Final = _ui("move.up", "Up", "k,up", "Move up.", "Move")
FIRST: Final = _ui("move.first", "First", "g,home", "Go to the first row.", "Move")
LAST: Final = _ui("move.last", "Last", "G,end", "Go to the last row.", "Move")
HALF_DOWN: Final = _ui("move.half_down", "Half down", "ctrl+d", "Move half a page down.", "Move")
HALF_UP: Final = _ui("move.half_up", "Half up", "ctrl+u", "Move half a page up.", "Move")
PAGE_DOWN: Final = _ui("move.page_down", "Page down", "pagedown", "Move a page down.", "Move")
PAGE_UP: Final = _ui("move.page_up", "Page up", "pageup", "Move a page up.", "Move")
LEFT: Final = _ui("move.left", "Left", "left", "Fold, or scroll left.", "Move")
RIGHT: Final = _ui("move.right", "Right", "right", "Unfold, or scroll right.", "Move")
NEXT_GROUP: Final = _ui(
    "group.next", "Next group", "],alt+down", "Go to the next group or section.", "Move"
)
PREVIOUS_GROUP: Final = _ui(
    "group.previous", "Previous group", "[,alt+up", "Go to the previous group or section.", "Move"
)
NEXT_SOURCE: Final = _ui(
    "source.next", "Next source", "},alt+shift+down", "Go to the next source or retro.", "Move"
)
PREVIOUS_SOURCE: Final = _ui(
    "source.previous",
    "Previous source",
    "{,alt+shift+up",
    "Go to the previous source or retro.",
    "Move",
)
DETAIL_DOWN: Final = _ui("detail.down", "Detail down", "J", "Scroll the detail pane down.", "Move")
DETAIL_UP: Final = _ui("detail.up", "Detail up", "K", "Scroll the detail pane up.", "Move")

START: Final = _ui("screen.start", "Start", "0", "Show the context at startup.", "Go")
BROWSE: Final = _ui("screen.browse", "Browse", "1", "Browse sources and entries.", "Go")
REVIEW: Final = _ui("screen.review", "Review", "2", "Review candidates and findings.", "Go")
PROMPT: Final = _ui("screen.prompt", "Prompt", "3", "Show an agent's prompt.", "Go")
HISTORY: Final = _ui("screen.history", "History", "4", "Show, undo and redo changes.", "Go")
HEALTH: Final = _ui("screen.health", "Health", "5", "Show problems and fix them.", "Go")
NEXT_PANE: Final = _ui("pane.next", "Next pane", "tab", "Go to the next pane.", "Go")
PREVIOUS_PANE: Final = _ui(
    "pane.previous", "Previous pane", "shift+tab", "Go to the previous pane.", "Go"
)
OPEN: Final = _ui("open", "Open", "enter", "Open the row; decides nothing.", "Go")
BACK: Final = _ui("back", "Back", "backspace", "Go back.", "Go")

FILTER: Final = _ui("find.filter", "Filter", "/", "Filter this list.", "Find")
NEXT_MATCH: Final = _ui("find.next", "Next", "n", "Go to the next match.", "Find")
PREVIOUS_MATCH: Final = _ui("find.previous", "Previous", "N", "Go to the previous match.", "Find")
EVERYWHERE: Final = _ui(
    "find.everywhere", "Find", "f", "Search entries, archives and history.", "Find"
)

MARK: Final = _ui("mark.toggle", "Mark", "space", "Mark the row and move down.", "Mark")
MARK_RANGE: Final = _ui("mark.range", "Range", "v", "Mark a range from here.", "Mark")
LEAVE: Final = _ui(
    "leave", "Leave", "escape", "Close the overlay; clear text, marks or filter.", "Mark"
)

WHY: Final = _ui("show.why", "Why", "w", "Explain why it is in the prompt or not.", "See")
WHO: Final = _ui("show.who", "Who gets it", "W", "Show which agents get each rule.", "See")
TEAM: Final = _ui(
    "show.team",
    "Team",
    "E",
    "Show the team: tokens, growth, last write.",
    "See",
)
ARCHIVE_OLD: Final = _ui(
    "archive.old", "Archive by date", "O", "Archive sections older than a date.", "Decide"
)
DIFF: Final = _ui("show.diff", "Diff", "d", "Show the diff.", "See")
COMPARE: Final = _ui(
    "show.compare", "Past", "t", "Compare with another date, revision or retro.", "See"
)
LOADED: Final = _ui("show.loaded", "Loaded", "L", "Switch between loaded and composed.", "See")
MOMENT: Final = _ui(
    "show.moment", "When", "T", "Choose when: at startup or after reading files.", "See"
)
AGENT: Final = _ui("show.agent", "Agent", "o", "Choose an agent, or a layer of its prompt.", "See")
ZOOM: Final = _ui("show.zoom", "Zoom", "z", "Zoom the pane.", "See")
HIDDEN: Final = _ui("show.hidden", "Hidden", "H", "Show hidden rows.", "See")
ORDER: Final = _ui("show.order", "Order", ",", "Sort by file, tokens, date or similarity.", "See")
COPY: Final = _ui("copy", "Copy", "y", "Copy to the clipboard.", "See")
PACK_EXPORT: Final = _ui("pack.export", "Export", "Y", "Export the marked ones to a file.", "See")

COPY_REVIEW: Final = _ui(
    "review.copy", "Copy summary", "ctrl+y", "Copy what was decided so far as Markdown.", "See"
)

FIX: Final = _ui("fix", "Fix", "F", "Fix the problem; shows the plan first.", "Decide")
SKIP: Final = _ui("skip", "Skip", "s", "Skip to the next item.", "Decide")
AGAIN: Final = _ui("again", "Again", ".", "Repeat the last decision here.", "Decide")
SUGGESTED: Final = _ui(
    "suggested", "Accept group", "A", "Accept every suggestion in this group.", "Decide"
)

UNDO: Final = _ui(
    "undo", "Undo", "u", "Undo the last change; on History, the one under the cursor.", "Time"
)
REDO: Final = _ui("redo", "Redo", "U", "Redo the last undone change.", "Time")

PALETTE: Final = _ui("palette", "Commands", "colon,ctrl+p", "Open the command palette.", "Program")
HELP: Final = _ui("help", "Help", "?", "Show all keys.", "Program")
QUIT: Final = _ui("quit", "Quit", "q", "Quit remem.", "Program")
SUSPEND: Final = _ui("suspend", "Suspend", "ctrl+z", "Suspend; `fg` resumes.", "Program")

APPLY_PLAN: Final = _ui("plan.apply", "Apply", "enter", "Apply the plan.", "Plan")
TAKE_IN: Final = _ui(
    "plan.part", "Include", "space", "Include or exclude the offered part.", "Plan"
)
CANCEL_PLAN: Final = _ui(
    "plan.cancel", "No", "escape", "Close the plan; nothing is written.", "Plan"
)
CANCEL_CHOICE: Final = _ui("choice.cancel", "Leave", "escape", "Cancel.", "Plan")
RESTORE_FOUND: Final = _ui(
    "find.restore", "Put back", "ctrl+r", "Put back text found in the history.", "Plan"
)
DECIDE_NOW: Final = _ui(
    "conflict.decide", "Decide", "enter", "Apply the decision to the current text.", "Plan"
)
EDIT_NOW: Final = _ui("conflict.edit", "Edit", "e", "Edit again, starting from your text.", "Plan")
WHOLE_DIFF: Final = _ui("conflict.diff", "Full diff", "d", "Show every changed line.", "Plan")
LEAVE_WAITING: Final = _ui(
    "conflict.leave", "Decide later", "escape", "Decide later; your text is kept.", "Plan"
)
OTHER_RETRO: Final = _ui("compare.other", "Another", "t", "Choose another retro or date.", "Plan")
CLOSE_COMPARE: Final = _ui("compare.close", "Close", "escape,q", "Close the comparison.", "Plan")
CLOSE_HELP: Final = _ui("help.close", "Close", "escape,?", "Close the help.", "Plan")

MOVING: Final = (DOWN, UP, FIRST, LAST, HALF_DOWN, HALF_UP, PAGE_DOWN, PAGE_UP)
SIDEWAYS: Final = (LEFT, RIGHT)
JUMPING: Final = (NEXT_GROUP, PREVIOUS_GROUP, NEXT_SOURCE, PREVIOUS_SOURCE)
DETAIL: Final = (DETAIL_DOWN, DETAIL_UP)
SCREENS: Final = (START, BROWSE, REVIEW, PROMPT, HISTORY, HEALTH)
PANES: Final = (NEXT_PANE, PREVIOUS_PANE, BACK)
FINDING: Final = (FILTER, NEXT_MATCH, PREVIOUS_MATCH, EVERYWHERE)
MARKING: Final = (MARK, MARK_RANGE)
SEEING: Final = (
    WHY,
    WHO,
    TEAM,
    DIFF,
    COMPARE,
    LOADED,
    AGENT,
    MOMENT,
    ZOOM,
    HIDDEN,
    ORDER,
    COPY,
    PACK_EXPORT,
    COPY_REVIEW,
)
DECIDING: Final = (FIX, SKIP, AGAIN, SUGGESTED, ARCHIVE_OLD)
TIME: Final = (UNDO, REDO)
PROGRAM: Final = (PALETTE, HELP, QUIT, SUSPEND)
UI_VERBS: Final[tuple[Verb, ...]] = (
    *MOVING,
    *SIDEWAYS,
    *JUMPING,
    *DETAIL,
    *SCREENS,
    *PANES,
    OPEN,
    *FINDING,
    *MARKING,
    LEAVE,
    *SEEING,
    *DECIDING,
    *TIME,
    *PROGRAM,
)
"""Every verb of the screens, but for those of overlays."""
CONFLICTING: Final = (DECIDE_NOW, EDIT_NOW, WHOLE_DIFF, LEAVE_WAITING)
COMPARING: Final = (OTHER_RETRO, CLOSE_COMPARE)
FINDING_BACK: Final = (RESTORE_FOUND, TAKE_IN)
OVERLAY: Final = (
    APPLY_PLAN,
    CANCEL_PLAN,
    CANCEL_CHOICE,
    CLOSE_HELP,
    *FINDING_BACK,
    *CONFLICTING,
    *COMPARING,
)
"""Verbs that share no screen with the others, so that their keys may be the same."""

PRESETS: Final[Mapping[str, Mapping[str, str]]] = {
    "vim": {},
    "plain": {
        DOWN.id: "down",
        UP.id: "up",
        FIRST.id: "home",
        LAST.id: "end",
        HALF_DOWN.id: "alt+pagedown",
        HALF_UP.id: "alt+pageup",
        DETAIL_DOWN.id: "shift+down",
        DETAIL_UP.id: "shift+up",
    },
    # The top row of a French keyboard gives these without shift.
    "azerty": {
        START.id: "0,à",
        BROWSE.id: "1,&",
        REVIEW.id: "2,é",
        PROMPT.id: '3,"',
        HISTORY.id: "4,'",
        HEALTH.id: "5,(",
    },
}
"""Named keymaps; `vim` is how the verbs are declared."""

_UNSAFE: Final = {
    "ctrl+h": "backspace",
    "ctrl+i": "tab",
    "ctrl+j": "enter",
    "ctrl+m": "enter",
    "ctrl+[": "escape",
}
"""Keys that a terminal sends for other keys."""
_NAMES: Final = {
    "colon": ":",
    "comma": ",",
    "full_stop": ".",
    "question_mark": "?",
    "slash": "/",
    "minus": "-",
    "plus": "+",
}
_SHOWN: Final = {
    "escape": "esc",
    "backspace": "bksp",
    "pagedown": "pgdn",
    "pageup": "pgup",
    "down": "↓",
    "up": "↑",
    "left": "←",
    "right": "→",
}


@cache
def every_verb() -> tuple[Verb, ...]:
    """Return every verb but for those of overlays, as help, keymap and the README have them.

    It loads what each system declares, and no key needs that: screens bind what they name.
    """
    make_known()
    return (*all_verbs(), *UI_VERBS)


def bindings(verbs: Iterable[Verb]) -> list[BindingType]:
    """Return the bindings; `move.down` runs `action_move_down`, so that a search finds it."""
    return [
        Binding(_textual_keys(verb.key), action_of(verb), verb.title, tooltip=verb.help, id=verb.id)
        for verb in verbs
        if verb.key
    ]


def action_of(verb: Verb) -> str:
    """Return the name of the action, without `action_`."""
    return verb.id.replace(".", "_")


def keys_of(key: str) -> tuple[str, ...]:
    """Split what a verb or a keymap gives: `j,down`; a comma of its own is the key `,`."""
    if key == ",":
        return (",",)
    return tuple(part.strip() for part in key.split(",") if part.strip())


def keymap(settings: Mapping[str, str], verbs: Sequence[Verb]) -> dict[str, str]:
    """Return the keymap that Textual is given: verb id → keys.

    Args:
        settings: Verb id → key, or `preset` → a name in `PRESETS`; as the configuration has it.
        verbs: Every verb that can be bound; those that are declared with one key may share it,
            because only one of them can act at a time.

    Raises:
        BadConfig: An unknown id or preset, a key that cannot be, or two verbs on one key.
    """
    named = settings.get("preset", "vim")
    if named not in PRESETS:
        raise BadConfig(f"unknown `keymap.preset`: `{named}`", hint=f"use {_one_of(PRESETS)}")
    known = {verb.id for verb in verbs}
    chosen = {verb: key for verb, key in settings.items() if verb != "preset"}
    for verb in chosen:
        if verb not in known:
            raise BadConfig(
                f"unknown command in `keymap`: `{verb}`", hint="`?` lists every command with its id"
            )
    wanted = {verb: key for verb, key in PRESETS[named].items() if verb in known} | chosen
    for verb, key in wanted.items():
        _check_keys(verb, key)
    _check_clashes(wanted, verbs)
    # Textual takes a key from all who share it when one of them gets another.
    left = {verb.key for verb in verbs if verb.id in wanted}
    sharing = {verb.id: verb.key for verb in verbs if verb.key and verb.key in left}
    return {verb: _textual_keys(key) for verb, key in (sharing | wanted).items()}


def key_shown(verb: Verb, mapped: Mapping[str, str] | None = None) -> str:
    """Return the first key of a verb as it is drawn: `j`, `ctrl+d`, `esc`.

    Args:
        verb: Whose key.
        mapped: What `keymap` returned.
    """
    return shown_keys(verb, mapped)[0]


def shown_keys(verb: Verb, mapped: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """Return all keys of a verb as they are drawn."""
    key = (mapped or {}).get(verb.id, verb.key)
    return tuple(_SHOWN.get(part, _NAMES.get(part, part)) for part in keys_of(key))


def key_table(verbs: Sequence[Verb] = ()) -> str:
    """Return the README's table of keys as Markdown, grouped in the order of declaration.

    Args:
        verbs: Whose keys; default: every verb's.
    """
    groups: dict[str, list[Verb]] = {}
    for verb in verbs or every_verb():
        groups.setdefault(verb.group, []).append(verb)
    rows = [
        f"| {group} | {' '.join(f'`{key}`' for key in shown_keys(verb))} | {_cell(verb.help)} |"
        for group, members in groups.items()
        for verb in members
        if verb.key
    ]
    return "\n".join(("| group | keys | do |", "|---|---|---|", *rows)) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _textual_keys(key: str) -> str:
    """Return keys as Textual splits them: its comma is a name."""
    return ",".join("comma" if part == "," else part for part in keys_of(key))


def _check_keys(verb: str, key: str) -> None:
    parts = keys_of(key)
    if not parts:
        raise BadConfig(
            f"`keymap` has no key for `{verb}`", hint="remove the line to keep the default"
        )
    for part in parts:
        *modifiers, last = part.split("+") if part != "+" else ["+"]
        if part in _UNSAFE:
            raise BadConfig(
                f"`keymap` puts `{verb}` on `{part}`, which terminals send for `{_UNSAFE[part]}`",
                hint="choose another key",
            )
        if not set(modifiers) <= {"ctrl", "shift", "alt"} or not _is_key(last):
            raise BadConfig(
                f"`keymap` puts `{verb}` on an unknown key: `{part}`",
                hint="use a letter, a sign, `ctrl+x` or a name like `pagedown`",
            )


def _is_key(name: str) -> bool:
    return len(name) == 1 or name in _NAMES or name in {key.value for key in Keys}


def _check_clashes(wanted: Mapping[str, str], verbs: Sequence[Verb]) -> None:
    """Refuse a key that the map gives to one verb while another has it."""
    owners: dict[str, str] = {}
    declared = {verb.id: verb.key for verb in verbs}
    for verb in sorted(verbs, key=lambda verb: verb.id in wanted):
        for key in keys_of(wanted.get(verb.id, verb.key)):
            name = _NAMES.get(key, key)
            other = owners.setdefault(name, verb.id)
            if declared[other] == verb.key:
                continue
            if verb.id in wanted or other in wanted:
                raise BadConfig(
                    f"`keymap` puts `{other}` and `{verb.id}` on one key: `{name}`",
                    hint="give one of them another key",
                )


def _one_of(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
