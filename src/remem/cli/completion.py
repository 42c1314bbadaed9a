"""What the shell offers while a command line is typed; it reads memory and writes nothing."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from remem.base.errors import RememError
from remem.cli.invocation import Invocation
from remem.model.entry import kind_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import click
    from click.shell_completion import CompletionItem

    from remem.core.library import Library
    from remem.core.verbs.args import Offers

    Completes = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]

MOST = 200
"""Refs that are offered; who has more goes on typing."""


def complete_entries(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Return the entries whose ref or bare id begins as what was typed, each with its title."""
    from click.shell_completion import CompletionItem

    found: list[CompletionItem] = []
    with ctx, suppress(RememError):  # where there is no such folder, running the command says so
        library = ctx.ensure_object(Invocation).session.library
        for entry in library.entries():
            name = library.short(entry.ref) if ":" in incomplete else entry.ref.id
            if name.startswith(incomplete):
                found.append(CompletionItem(name, help=entry.title))
                if len(found) == MOST:
                    break
    return found


def complete_items(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Return what waits whose id or ref begins as what was typed, each with its title."""
    from click.shell_completion import CompletionItem

    found: list[CompletionItem] = []
    with ctx, suppress(RememError):
        session = ctx.ensure_object(Invocation).session
        for item in session.queue():
            ref = session.library.short(item.ref)
            name = ref if incomplete and ref.startswith(incomplete) else item.id
            if name.startswith(incomplete):
                found.append(CompletionItem(name, help=item.title))
    return found[:MOST]


def complete_kinds(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Return the kinds that entries are of, or can be added as, that begin as what was typed."""

    def kinds(library: Library) -> set[str]:
        held = {entry.kind for entry in library.entries()}
        return held | {kind for each in library.formats for kind in each.kinds}

    spelled = str if "_" in incomplete else kind_text
    return _words(ctx, lambda library: map(spelled, kinds(library)), incomplete)


def complete_roles(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Return the roles that begin as what was typed."""
    return _words(ctx, lambda library: library.role_names(), incomplete)


def _words(
    ctx: click.Context, words: Callable[[Library], Iterable[str]], incomplete: str
) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    with ctx, suppress(RememError):
        library = ctx.ensure_object(Invocation).session.library
        fitting = (word for word in words(library) if word.startswith(incomplete))
        return [CompletionItem(word) for word in sorted(fitting)]
    return []


def completing(offers: Offers) -> Completes:
    """Return what completes an argument from texts that its verb offers."""

    def complete(
        ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        with ctx, suppress(RememError):
            library = ctx.ensure_object(Invocation).session.library
            return [
                CompletionItem(text, help=about)
                for text, about in offers(library)
                if text.casefold().startswith(incomplete.casefold())
            ]
        return []

    return complete
