"""Imports the plug-ins that are installed and registers them; what cannot be is told and left out.

remem's own systems are registered first, by the same function, so that nothing of them is taken.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import replace
from importlib import import_module
from pathlib import PurePosixPath
from typing import Any, Final

from remem.base.frozen import dataclass
from remem.core.plugins.contract import CONTRACT, Plugin
from remem.core.plugins.guard import FIX, Broken, Guarded, fault, told
from remem.core.plugins.installed import Installed
from remem.core.system import System
from remem.core.verbs.verb import Writing
from remem.model.entry import Problem

_NAME: Final = re.compile(r"[a-z]{2,24}")
_KIND: Final = re.compile(r"[a-z][a-z_]{0,30}")


@dataclass(frozen=True, slots=True)
class Loaded:
    """The plug-ins of this process."""

    systems: tuple[Guarded, ...] = ()
    refused: tuple[Problem, ...] = ()
    """Why some of them, or some of their keys, are left out."""

    @property
    def verbs(self) -> tuple[Writing[Any], ...]:
        """The verbs that they bring."""
        return tuple(verb for each in self.systems for verb in each.facets.verbs)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What is wrong with any of them by now."""
        return (*self.refused, *(each.fault for each in self.systems if each.fault is not None))


class Registry:
    """Every system by its name, and the words and keys that are taken."""

    def __init__(self) -> None:
        self.systems: dict[str, System] = {}
        self.problems: list[Problem] = []
        self._kinds: dict[str, str] = {}
        self._keys = dict.fromkeys(KEYS, "remem")

    def register(self, system: System) -> None:
        """Add a system.

        Raises:
            Broken: Its name is taken, or one of its kinds by another plug-in or by remem.
        """
        if system.name in self.systems:
            raise Broken(f"`{system.name}` is the name of another system")
        kinds = system.plugin.kinds if isinstance(system, Guarded) else system.kinds
        if isinstance(system, Guarded):
            for kind in kinds:
                if kind in self._kinds:
                    raise Broken(f"`{kind}` is a kind of `{self._kinds[kind]}`")
            system.bring([*self._let(system.name, system.plugin.verbs)])
        self._kinds |= {kind: self._kinds.get(kind, system.name) for kind in kinds}
        self.systems[system.name] = system

    def _let(self, name: str, verbs: Iterable[Writing[Any]]) -> Iterator[Writing[Any]]:
        """Yield verbs without the keys and commands that are taken already."""
        commands = set[str]()
        for verb in verbs:
            _need_own(name, verb)
            left = verb
            owner = self._keys.setdefault(verb.key, name) if verb.key else name
            if owner != name or any(part in self._keys for part in verb.key.split(",")[1:]):
                self._tell(name, f"cannot use the key `{verb.key}`: {_owned(owner)}")
                left = replace(left, key="")
            word = verb.command.partition(" ")[0]
            is_own = len(verb.command.split()) == 2 and word == name
            if word and (not is_own or verb.command in commands):
                self._tell(name, f"cannot use the command `{verb.command}`")
                left = replace(left, command="")
            commands.add(verb.command)
            if verb.tool:
                self._tell(name, f"cannot add the tool `{verb.tool}`: agents only get remem's own")
                left = replace(left, tool="")
            yield left

    def _tell(self, name: str, what: str) -> None:
        hint = "find it by name in `?` and the palette" if "key" in what else FIX
        self.problems.append(fault(name, what, hint))


def load(found: Sequence[Installed], own: Iterable[System]) -> Loaded:
    """Import and register what is installed; nothing that goes wrong is raised."""
    registry = Registry()
    for system in own:
        registry.register(system)
    systems: list[Guarded] = []
    for name in dict.fromkeys(each.name for each in found):
        same = [each for each in found if each.name == name]
        try:
            systems.append(_registered(registry, same))
        except Exception as error:
            registry.problems.append(fault(name, f"is not loaded: {told(error)}", _hint(error)))
    return Loaded(tuple(systems), tuple(registry.problems))


def _registered(registry: Registry, same: Sequence[Installed]) -> Guarded:
    if len(same) > 1:
        where = ", ".join(f"`{each.distribution}` in `{each.folder}`" for each in same)
        raise Broken(f"it is installed {len(same)} times: {where}")
    if not _NAME.fullmatch(same[0].name):
        raise Broken("its name must be lower-case letters only")
    if same[0].name in WORDS or same[0].name in COMMANDS:
        raise Broken("its name is reserved by remem")
    system = Guarded(_declared(same[0]))
    registry.register(system)
    return system


def _declared(found: Installed) -> Plugin:
    """Return what a plug-in declares; what it prints meanwhile is no data."""
    module, _, attribute = found.target.partition(":")
    with redirect_stdout(sys.stderr):
        try:
            plugin = getattr(import_module(module), attribute)()
        except SystemExit as error:
            raise Broken("it exited the program") from error
    if not isinstance(plugin, Plugin):
        raise Broken(f"`{found.target}` is a {type(plugin).__name__}, not a `Plugin`")
    if plugin.contract != CONTRACT:
        raise Broken(f"it needs contract {plugin.contract}; this version of remem has {CONTRACT}")
    if plugin.name != found.name:
        raise Broken(f"it calls itself `{plugin.name}`")
    for kind in plugin.kinds:
        if not _KIND.fullmatch(kind):
            raise Broken(f"`{kind}` cannot be a kind")
    if not plugin.kinds or not plugin.places:
        raise Broken("it declares no kind or no place")
    for place in plugin.places:
        parts = PurePosixPath(place.removeprefix("~/")).parts
        if not parts or parts[0] in ("/", "~", ".git") or ".." in parts:
            raise Broken(f"`{place}` cannot be a place")
    return plugin


def _need_own(name: str, verb: Writing[Any]) -> None:
    if not verb.id.startswith(f"{name}."):
        raise Broken(f"the id of its verb `{verb.id}` does not begin with `{name}.`")
    verb.args.params()  # raises for an argument of a type that no door can ask for


def _owned(owner: str) -> str:
    return "remem uses it" if owner == "remem" else f"the plug-in `{owner}` uses it"


def _hint(error: Exception) -> str:
    if isinstance(error, ModuleNotFoundError):
        return (
            f"install what it needs (`{error.name}`) in remem's environment, or "
            "uninstall the plug-in"
        )
    return FIX


WORDS: Final = frozenset(
    {
        "all",
        "facts",
        "learnings",
        "own",
        "personas",
        "proposal",
        "retro",
        "story",
    }
)
"""Names of rooms, and what stands for something else where a ref is meant."""
COMMANDS: Final = frozenset(
    {
        "add",
        "applied",
        "approve",
        "archive",
        "brief",
        "check",
        "compose",
        "config",
        "consolidate",
        "demo",
        "detect",
        "diff",
        "duplicates",
        "edit",
        "estimates",
        "export",
        "forget",
        "history",
        "hook",
        "import",
        "inbox",
        "init",
        "keep-both",
        "layout",
        "learn",
        "list",
        "mcp",
        "memory",
        "merge",
        "migrate",
        "move",
        "observe",
        "open",
        "persona",
        "pin",
        "promote",
        "queue",
        "redo",
        "reject",
        "remove",
        "restore",
        "retro",
        "reviewed",
        "schema",
        "scope",
        "screenshot",
        "search",
        "show",
        "snapshot",
        "merge-file",
        "status",
        "supersede",
        "told",
        "undo",
        "why",
        "workspace",
    }
)
"""Every command's name."""
KEYS: Final = frozenset(
    {
        ",",
        ".",
        "/",
        "0",
        "1",
        "2",
        "3",
        "4",
        "5",
        "?",
        "A",
        "B",
        "C",
        "D",
        "E",
        "F",
        "G",
        "H",
        "J",
        "K",
        "L",
        "M",
        "N",
        "O",
        "P",
        "R",
        "S",
        "T",
        "U",
        "W",
        "X",
        "Y",
        "[",
        "]",
        "a",
        "alt+down",
        "alt+shift+down",
        "alt+shift+up",
        "alt+up",
        "b",
        "backspace",
        "c",
        "colon",
        "ctrl+d",
        "ctrl+p",
        "ctrl+u",
        "ctrl+y",
        "ctrl+z",
        "d",
        "down",
        "e",
        "end",
        "enter",
        "escape",
        "f",
        "g",
        "home",
        "i",
        "j",
        "k",
        "l",
        "left",
        "m",
        "n",
        "o",
        "p",
        "pagedown",
        "pageup",
        "q",
        "r",
        "right",
        "s",
        "shift+tab",
        "space",
        "t",
        "tab",
        "u",
        "up",
        "v",
        "w",
        "x",
        "y",
        "z",
        "{",
        "}",
    }
)
"""Every key of the screens."""
