"""The commands of plug-ins: those of their verbs, in a group of the plug-in's name."""

from __future__ import annotations

import click

from remem.core.plugins.installed import installed_here


def groups() -> list[str]:
    """Return the names of plug-ins that bring commands; what is not installed costs nothing."""
    if not installed_here():
        return []
    from remem.core.registered import plug_ins

    loaded = plug_ins()
    systems = () if loaded is None else loaded.systems
    return [each.name for each in systems if any(verb.command for verb in each.facets.verbs)]


def group(name: str) -> click.Command | None:
    """Return the commands of the plug-in of that name; `None` = it brings none."""
    if name not in {each.name for each in installed_here()} or name not in groups():
        return None
    from remem.cli.verb_command import command_of
    from remem.core.registered import plug_ins

    loaded = plug_ins()
    assert loaded is not None
    system = next(each for each in loaded.systems if each.name == name)
    found = click.Group(name, help=f"Commands of the plug-in `{name}`.")
    for verb in system.facets.verbs:
        words = verb.command.split()
        if len(words) == 2:
            command = command_of(verb)
            command.name = words[1]
            found.add_command(command)
    return found
