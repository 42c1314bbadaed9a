"""The commands that decide and are more than their verbs: they are bound to both entries."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Final

import click

from remem.cli.apply_or_dry_run import carry_out
from remem.cli.invocation import Invocation
from remem.cli.verb_command import command_of
from remem.core.relation.already_said import ConflictNote
from remem.core.verbs.verbs import (
    APPROVE,
    KEEP,
    KEEP_BOTH,
    MERGE,
    SCOPE,
    SUPERSEDE,
    Approve,
    KeepBoth,
    Merge,
    Scope,
    Supersede,
)
from remem.core.waiting.approve import conflicts_of
from remem.model.change import Intent
from remem.model.entry import Ref

_NAMED: Final = 3
"""Conflicts that are told after approving."""


def put_in(
    invocation: Invocation, intent: Intent, _: Approve, *, dry_run: bool, as_candidate: bool
) -> None:
    """Approve what was named, or keep it as a candidate."""
    asked = replace(intent, verb=KEEP.id) if as_candidate else intent
    told = [] if as_candidate else [*islice(_conflicts(invocation, intent), _NAMED)]
    carry_out(invocation, asked, dry_run=dry_run, conflicts=told)


def _conflicts(invocation: Invocation, intent: Intent) -> Iterator[ConflictNote]:
    """Yield what in force conflicts with what is approved: by then a person should know it."""
    library = invocation.session.library
    entries = (library.entry(ref) for ref in intent.shown if library.has(ref))
    for entry in entries:
        yield from conflicts_of(library, entry)


_as_candidate_option = click.option(
    "--as-candidate", is_flag=True, help="Add it to its store as a candidate only."
)
approve = command_of(APPROVE, page=put_in, more={"as_candidate": _as_candidate_option})


def put_into(invocation: Invocation, intent: Intent, args: Merge, *, dry_run: bool) -> None:
    """Merge what was named, bound to the entry that takes it in as it stands."""
    shown = invocation.session.library.entry(Ref.parse(args.into)).digest
    asked = replace(intent, arguments={**intent.arguments, "into_shown": shown})
    carry_out(invocation, asked, dry_run=dry_run)


merge = command_of(MERGE, page=put_into)


def take_place(invocation: Invocation, intent: Intent, args: Supersede, *, dry_run: bool) -> None:
    """Put what was named in the place of another entry, bound to both as they stand."""
    _bound_to(invocation, intent, args.instead_of, dry_run=dry_run)


supersede = command_of(SUPERSEDE, page=take_place)


def limit(invocation: Invocation, intent: Intent, args: Scope, *, dry_run: bool) -> None:
    """Limit what was named or the other entry, bound to both as they stand."""
    _bound_to(invocation, intent, args.apart_from, dry_run=dry_run)


scope = command_of(SCOPE, page=limit)


def keep_beside(invocation: Invocation, intent: Intent, args: KeepBoth, *, dry_run: bool) -> None:
    """Keep what was named beside another entry, bound to both as they stand."""
    _bound_to(invocation, intent, args.beside, dry_run=dry_run)


keep_both = command_of(KEEP_BOTH, page=keep_beside)


def _bound_to(invocation: Invocation, intent: Intent, other: str, *, dry_run: bool) -> None:
    """Carry out a verb on two entries; where one of them changed meanwhile, it is not done."""
    shown = dict(intent.shown)
    if other:
        entry = invocation.session.library.entry(Ref.parse(other))
        shown[entry.ref] = entry.digest
    carry_out(invocation, replace(intent, shown=shown), dry_run=dry_run)
