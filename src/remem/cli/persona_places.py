"""Personas in several places: `persona diff`, and what `persona show` says of it."""

from __future__ import annotations

from itertools import combinations

import click

from remem.base.errors import UnknownRef
from remem.base.text import count, did_you_mean
from remem.cli.invocation import Invocation, common_options, pass_invocation
from remem.cli.out import emit, say, show_text
from remem.model.roles import persona_key
from remem.systems.personas.group import Persona
from remem.systems.personas.people import everyone
from remem.systems.personas.places import (
    Difference,
    difference,
    name_two,
    place_named,
    places_of,
    shared_places,
)
from remem.views.documents.people import PersonaDiffReport

_from_option = click.option("--from", "one", default="", metavar="PLACE", help="The current place.")
_to_option = click.option("--to", "other", default="", metavar="PLACE", help="The other place.")


@click.command("diff")
@click.argument("name", metavar="NAME")
@_from_option
@_to_option
@common_options
@pass_invocation
def diff(invocation: Invocation, name: str, one: str, other: str) -> None:
    """Compare two places of a persona, unit by unit."""
    library = invocation.session.library
    found = persona_named(everyone(library), name)
    places = places_of(found)
    if not one and not other and len(places) == 2:
        first, second = places
    elif one and other:
        first, second = (
            place_named(library.ground, found, each, is_used=True) for each in (one, other)
        )
    else:
        raise name_two(found)
    told = difference(found, first, second)
    if invocation.as_json:
        emit(
            PersonaDiffReport(
                name=found.name,
                one=first.name,
                other=second.name,
                both=tuple((str(left.ref), str(right.ref)) for left, right in told.both),
                only_one=tuple(str(entry.ref) for entry in told.only_one),
                only_other=tuple(str(entry.ref) for entry in told.only_other),
            )
        )
        return
    show_text(difference_text(told), bold=True)
    for sign, entries in (("-", told.only_one), ("+", told.only_other)):
        for entry in entries:
            show_text(f"{sign} {entry.title}")


def print_places(invocation: Invocation, found: Persona) -> None:
    """Print how each two places of a persona differ, and who else keeps memory in one of them."""
    for told in shared_places(found, invocation.session.namesakes()):
        say(f"note: {told}")
    for one, other in combinations(places_of(found), 2):
        show_text(difference_text(difference(found, one, other)), dim=True)


def difference_text(told: Difference) -> str:
    """Return how two places differ, in a line."""
    return (
        f"{told.one.name} and {told.other.name}: {count(len(told.both), 'unit')} in both, "
        f"{len(told.only_one):,} only in {told.one.name}, "
        f"{len(told.only_other):,} only in {told.other.name}"
    )


def persona_named(known: tuple[Persona, ...], name: str) -> Persona:
    """Return the living persona of that name, else the archived one of that name or folder.

    Raises:
        UnknownRef: Nobody is called so, or several archived ones are.
    """
    key = persona_key(name)
    living = [each for each in known if not each.archived and persona_key(each.name) == key]
    if living:
        return living[0]
    found = [each for each in known if each.archived and name == each.folder]
    found = found or [each for each in known if persona_key(each.name) == key]
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(f"`{each.folder}`" for each in found)
        raise UnknownRef(f"`{name}` was archived {len(found)} times", hint=f"use one of {names}")
    hint = did_you_mean(name, (each.name for each in known)) or "`remem persona list` lists them"
    raise UnknownRef(f"no persona is called `{name}`", hint=hint)
