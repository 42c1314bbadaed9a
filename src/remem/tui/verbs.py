"""Verbs that only the screen has, and how verbs of both kinds become keys.

Keys, footer, help, palette, keymap and the README's table all read these declarations; a verb that
decides something is declared in `core/verbs/verbs.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from textual.binding import Binding, BindingType
from textual.keys import Keys

from remem.base.errors import BadConfig
from remem.core.verbs.verb import Verb
from remem.core.verbs.verbs import all_verbs
from remem.systems.registry import make_known


def _ui(id: str, title: str, key: str, help: str, group: str) -> Verb:  # noqa: A002 - fields of `Verb`
    return Verb(id=id, title=title, key=key, help=help, group=group)


DOWN: Final = _ui("move.down", "Down", "j,down", "Go one down.", "Move")
UP: Final = _ui("move.up", "Up", "k,up", "Go one up.", "Move")
FIRST: Final = _ui("move.first", "First", "g,home", "Go to the first.", "Move")
LAST: Final = _ui("move.last", "Last", "G,end", "Go to the last.", "Move")
HALF_DOWN: Final = _ui("move.half_down", "Half down", "ctrl+d", "Go half a pane down.", "Move")
HALF_UP: Final = _ui("move.half_up", "Half up", "ctrl+u", "Go half a pane up.", "Move")
PAGE_DOWN: Final = _ui("move.page_down", "Page down", "pagedown", "Go a pane down.", "Move")
PAGE_UP: Final = _ui("move.page_up", "Page up", "pageup", "Go a pane up.", "Move")
LEFT: Final = _ui("move.left", "Left", "left", "Fold, or see more at the left.", "Move")
RIGHT: Final = _ui("move.right", "Right", "right", "Unfold, or see more at the right.", "Move")
NEXT_GROUP: Final = _ui(
    "group.next", "Next group", "],alt+down", "Go to the next group or section.", "Move"
)
PREVIOUS_GROUP: Final = _ui(
    "group.previous", "Group before", "[,alt+up", "Go to the group or section before.", "Move"
)
NEXT_SOURCE: Final = _ui(
    "source.next", "Next source", "},alt+shift+down", "Go to the next source or retro.", "Move"
)
PREVIOUS_SOURCE: Final = _ui(
    "source.previous",
    "Source before",
    "{,alt+shift+up",
    "Go to the source or retro before.",
    "Move",
)
DETAIL_DOWN: Final = _ui("detail.down", "Detail down", "J", "Scroll the detail down.", "Move")
DETAIL_UP: Final = _ui("detail.up", "Detail up", "K", "Scroll the detail up.", "Move")

START: Final = _ui("screen.start", "Start", "0", "See who starts with what.", "Go")
BROWSE: Final = _ui("screen.browse", "Browse", "1", "See sources and entries.", "Go")
REVIEW: Final = _ui("screen.review", "Review", "2", "Decide what is to review.", "Go")
PROMPT: Final = _ui("screen.prompt", "Prompt", "3", "See what an agent gets.", "Go")
HISTORY: Final = _ui("screen.history", "History", "4", "See and undo changes.", "Go")
HEALTH: Final = _ui("screen.health", "Health", "5", "See what is wrong and mend it.", "Go")
NEXT_PANE: Final = _ui("pane.next", "Next pane", "tab", "Go to the next pane.", "Go")
PREVIOUS_PANE: Final = _ui("pane.previous", "Pane before", "shift+tab", "Go one pane back.", "Go")
OPEN: Final = _ui("open", "Open", "enter", "Open it; never decides.", "Go")
BACK: Final = _ui("back", "Back", "backspace", "Go back to where you were.", "Go")

FILTER: Final = _ui("find.filter", "Filter", "/", "Filter what is shown here.", "Find")
NEXT_MATCH: Final = _ui("find.next", "Next", "n", "Go to the next match.", "Find")
PREVIOUS_MATCH: Final = _ui("find.previous", "Before", "N", "Go to the match before.", "Find")
EVERYWHERE: Final = _ui(
    "find.everywhere", "Find", "f", "Find everywhere, archives and journal too.", "Find"
)

MARK: Final = _ui("mark.toggle", "Mark", "space", "Mark it and go on.", "Mark")
MARK_RANGE: Final = _ui("mark.range", "Range", "v", "Mark from here to where you go.", "Mark")
LEAVE: Final = _ui(
    "leave", "Leave", "escape", "One level back: overlay, typed text, marks, filter.", "Mark"
)

WHY: Final = _ui("show.why", "Why", "w", "See why it is in or out.", "See")
WHO: Final = _ui("show.who", "Who", "W", "See who gets this rule, and who misses it.", "See")
TEAM: Final = _ui(
    "show.team",
    "Team",
    "E",
    "See everyone in a table: tokens, growth, last write.",
    "See",
)
ARCHIVE_OLD: Final = _ui(
    "archive.old", "Archive old", "O", "Archive the sections of the team before a day.", "Decide"
)
DIFF: Final = _ui("show.diff", "Diff", "d", "See what would be written.", "See")
COMPARE: Final = _ui("show.compare", "Compare", "t", "Compare with another time or retro.", "See")
LOADED: Final = _ui("show.loaded", "Loaded", "L", "Switch: as loaded, or composed.", "See")
MOMENT: Final = _ui(
    "show.moment", "Moment", "T", "Choose the time: at the start, or after some files.", "See"
)
AGENT: Final = _ui("show.agent", "Agent", "o", "Choose the agent.", "See")
ZOOM: Final = _ui("show.zoom", "Zoom", "z", "Give the pane the whole screen.", "See")
HIDDEN: Final = _ui("show.hidden", "Hidden", "H", "Show what is hidden.", "See")
ORDER: Final = _ui("show.order", "Order", ",", "Order by file, tokens, date, likeness.", "See")
COPY: Final = _ui("copy", "Copy", "y", "Copy it.", "See")
PACK_EXPORT: Final = _ui(
    "pack.export", "Export pack", "", "Write the marked entries to a file for others.", "See"
)

COPY_REVIEW: Final = _ui(
    "review.copy", "Copy the review", "", "Copy what was decided as Markdown.", "See"
)

FIX: Final = _ui("fix", "Fix", "F", "Mend it: what the row says, its plan first.", "Decide")
SKIP: Final = _ui("skip", "Skip", "s", "Leave it for later and go on.", "Decide")
AGAIN: Final = _ui("again", "Again", ".", "Do the last decision again, here.", "Decide")
SUGGESTED: Final = _ui(
    "suggested", "All suggested", "A", "Do what is suggested for the rest of the group.", "Decide"
)

UNDO: Final = _ui("undo", "Undo", "u", "Take the last change back.", "Time")
REDO: Final = _ui("redo", "Redo", "U", "Bring back what was undone.", "Time")

PALETTE: Final = _ui("palette", "Commands", "colon,ctrl+p", "Find a command by name.", "Program")
HELP: Final = _ui("help", "Help", "?", "See every key.", "Program")
QUIT: Final = _ui("quit", "Quit", "q", "Leave remem.", "Program")
SUSPEND: Final = _ui("suspend", "Suspend", "ctrl+z", "Go to the shell; `fg` comes back.", "Program")

APPLY_PLAN: Final = _ui("plan.apply", "Apply", "enter", "Do what the plan shows.", "Plan")
TAKE_IN: Final = _ui("plan.part", "Take it in", "space", "Take what is offered in or out.", "Plan")
CANCEL_PLAN: Final = _ui("plan.cancel", "No", "escape", "Leave the plan; nothing happens.", "Plan")
CANCEL_CHOICE: Final = _ui("choice.cancel", "Leave", "escape", "Choose nothing.", "Plan")
RESTORE_FOUND: Final = _ui(
    "find.restore", "Put back", "ctrl+r", "Put back what was found in the past.", "Plan"
)
DECIDE_NOW: Final = _ui("conflict.decide", "Decide", "enter", "Decide on what stands now.", "Plan")
EDIT_NOW: Final = _ui("conflict.edit", "Edit", "e", "Write it anew, with your text in it.", "Plan")
WHOLE_DIFF: Final = _ui("conflict.diff", "Full diff", "d", "See every line that differs.", "Plan")
LEAVE_WAITING: Final = _ui(
    "conflict.leave", "Leave it for later", "escape", "Decide nothing; your text is kept.", "Plan"
)
OTHER_RETRO: Final = _ui("compare.other", "Another", "t", "Choose another retro or time.", "Plan")
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
make_known()  # keys are bound while the classes of the screens are made
ALL_VERBS: Final[tuple[Verb, ...]] = (*all_verbs(), *UI_VERBS)
"""Every verb but for those of overlays, as help, keymap and the README have them."""
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
        raise BadConfig(
            f"`keymap.preset` names no preset: `{named}`", hint=f"use {_one_of(PRESETS)}"
        )
    known = {verb.id for verb in verbs}
    chosen = {verb: key for verb, key in settings.items() if verb != "preset"}
    for verb in chosen:
        if verb not in known:
            raise BadConfig(
                f"`keymap` names no verb: `{verb}`", hint="`?` shows every verb with its id"
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


def key_table(verbs: Sequence[Verb] = ALL_VERBS) -> str:
    """Return the README's table of keys as Markdown, grouped in the order of declaration."""
    groups: dict[str, list[Verb]] = {}
    for verb in verbs:
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
            f"`keymap` gives `{verb}` no key", hint="leave the line out to keep its own"
        )
    for part in parts:
        *modifiers, last = part.split("+") if part != "+" else ["+"]
        if part in _UNSAFE:
            raise BadConfig(
                f"terminals send for `{_UNSAFE[part]}` what `keymap` gives `{verb}`: `{part}`",
                hint="choose another key",
            )
        if not set(modifiers) <= {"ctrl", "shift", "alt"} or not _is_key(last):
            raise BadConfig(
                f"`keymap` gives `{verb}` what is no key: `{part}`",
                hint="write a letter, a sign, `ctrl+x`, or a name like `pagedown`",
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
                    hint=f"give `{other}` another key too",
                )


def _one_of(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
