"""Lists what can be done and does what is chosen of it, where the person is: palette and help.

What a verb does is its screen's; a command of the shell runs as another process.
"""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from textual.dom import DOMNode
from textual.screen import Screen

from remem.base.errors import RememError
from remem.tui.palette import COMMAND, LINE, THEME, VERB, PaletteScreen
from remem.tui.preload import screen_class
from remem.tui.screens.choose import ChooseScreen
from remem.tui.screens.command import CommandScreen
from remem.tui.screens.deciding import DecidingScreen
from remem.tui.screens.help import HelpScreen
from remem.tui.usable_verbs import Offer, is_brought, offers
from remem.tui.verbs import SCREENS, action_of
from remem.views.list_rows import Choice

if TYPE_CHECKING:
    from remem.tui.app import RememApp
    from remem.views.typed_command import TypedCommand

_Bound: TypeAlias = Mapping[str | None, tuple[str, DOMNode]]
"""What the keys of a screen do and on what, by the id of the verb."""


def offers_on(app: RememApp, screen: Screen[Any]) -> list[Offer]:
    """Return every verb, with why it does nothing where the person is."""
    made = {each.title: screen_class(each.id.removeprefix("screen.")) for each in SCREENS}
    return offers(screen, app.verbs, {title: each.VERBS for title, each in made.items()})


def show_help(app: RememApp) -> None:
    """Show the keys and the signs of the screen where the person is."""
    app.push_screen(HelpScreen(offers_on(app, app.screen), app.keys))


def show_palette(app: RememApp) -> None:
    """List every command; what is chosen is done where the person was."""
    screen = app.screen
    # Read while the screen has the keys.
    bound = {
        active.binding.id: (active.binding.action, active.node)
        for active in screen.active_bindings.values()
    }
    do_verb = partial(_do_verb, app, screen, bound)
    found = {f"{VERB}{each.verb.id}": each for each in offers_on(app, screen)}
    decides = isinstance(screen, DecidingScreen)
    palette = PaletteScreen([*found.values()], app.keys, app.commands, decides=decides)

    async def do(chosen: str | None) -> None:
        if chosen is None:
            return
        if chosen == THEME:
            _choose_theme(app)
        elif chosen.startswith(COMMAND):
            command = palette.commands[chosen]
            alike = (o for o in found.values() if command.is_of(o.verb) and not o.why_not)
            offer = next(alike, None) if command.stands_alone else None
            await (do_verb(offer) if offer else _do_command(app, screen, command))
        elif chosen.startswith(LINE):
            line = palette.line(chosen.removeprefix(LINE))
            if line is not None:
                await _do_line(app, screen, *line)
        else:
            await do_verb(found[chosen])

    app.push_screen(palette, do)


async def _do_verb(app: RememApp, screen: Screen[Any], bound: _Bound, offer: Offer) -> None:
    """Do what the key of a verb does where the person was, or say why it does nothing there."""
    if offer.why_not:
        app.tell(f"{offer.verb.title}: {offer.why_not}")
        return
    acts = offer.keyed
    action = f"brought('{acts.id}')" if is_brought(screen, acts) else action_of(acts)
    await app.run_action(*bound.get(acts.id, (action, screen)))


async def _do_command(app: RememApp, screen: Screen[Any], command: TypedCommand) -> None:
    """Show the plan of what nothing has to be typed for; let the rest be typed."""
    if command.stands_alone and command.asks is not None:
        await _do_line(app, screen, command, "")
    else:
        _type_command(app, screen, command)


async def _do_line(app: RememApp, screen: Screen[Any], command: TypedCommand, rest: str) -> None:
    """Show the plan of what a typed line asks for; what is no verb's is left to be run."""
    try:
        asks = command.asks if isinstance(screen, DecidingScreen) else None
        intent = asks(shlex.split(rest)) if asks is not None else None
        if intent is None or not isinstance(screen, DecidingScreen):
            _type_command(app, screen, command, rest)
            return
        change = await asyncio.to_thread(app.session.plan, intent, app.session.clock.now())
    except ValueError as error:
        app.tell(f"{command.path}: {error}")
    except RememError as error:
        app.show_error(error)
    else:
        await screen.show_plan(intent, change)


def _type_command(
    app: RememApp, screen: Screen[Any], command: TypedCommand, rest: str = ""
) -> None:
    """Let a command of the shell be typed, with what is under the cursor in it, or `rest`."""
    targets = screen.targets() if isinstance(screen, DecidingScreen) else ()
    refs = [str(each.ref) for each in targets]

    def ran(has_run: bool | None) -> None:
        if has_run:
            app.catch_up()

    app.push_screen(CommandScreen(command, refs, app.where, rest), ran)


def _choose_theme(app: RememApp) -> None:
    def take(chosen: str | None) -> None:
        if chosen is not None:
            app.theme = chosen

    names = sorted(app.available_themes)
    choices = [Choice(name, name, "in use" if name == app.theme else "") for name in names]
    app.push_screen(ChooseScreen("Theme", choices), take)
