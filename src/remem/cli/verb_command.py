"""Makes the command of a verb from its declaration: every one of them asks and answers alike.

What a command does besides, before anything is decided, is a page: `listing`; what it does instead
of telling the change, too: `page`. Commands that only look are written by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from inspect import cleandoc
from typing import Any, Final, TypeAlias

import click

from remem.base.errors import Already, UnknownRef
from remem.cli.apply_or_dry_run import (
    acknowledge_option,
    carry_out,
    done_already,
    dry_run_option,
    pinned,
    shown_option,
    tell_nothing_to_do,
)
from remem.cli.completion import complete_entries, complete_items, completing
from remem.cli.find_named import entries_named, entry_named, fields_of
from remem.cli.invocation import Invocation
from remem.cli.options import RenamedOption, common_options, pass_invocation
from remem.core.verbs.args import Param
from remem.core.verbs.verb import A, Writing
from remem.model.change import Intent, Json

Listing: TypeAlias = Callable[[Invocation, Intent, A], None]
Page: TypeAlias = Callable[..., None]
"""Does what was asked: `(invocation, intent, args, *, dry_run, **more)`."""
Decorator: TypeAlias = Callable[[Callable[..., Any]], Callable[..., Any]]

KEEP: Final = "keep"
"""What `approve --as-candidate` is in the history."""
_REF: Final = "ref_"
"""Begins the names of arguments that are entries; no argument of a verb is called so."""
_apply_option = click.option(
    "--apply", is_flag=True, help="Write the changes; default: only list them."
)


class VerbCommand(click.Command):
    """The command of a verb that is told all it needs in words."""

    asked: Callable[[Sequence[str]], Intent | None] | None = None
    """Reads words into what is asked of the verb; `None` = it wants entries, or more than words.

    Raises:
        UsageError: They are no such words.
    """


def add_commands(
    group: click.Group, verbs: tuple[Writing[Any], ...], listings: Mapping[str, Listing[Any]]
) -> None:
    """Add the commands of verbs to a group, in their order.

    Args:
        group: Of the word that they stand under.
        verbs: Those without a command are left out.
        listings: Verb id → what its command lists as long as nothing is to be written.
    """
    for verb in verbs:
        if verb.command:
            group.add_command(command_of(verb, listing=listings.get(verb.id)))


def command_of(
    verb: Writing[A],
    *,
    says: str = "",
    listing: Listing[A] | None = None,
    page: Page | None = None,
    more: Mapping[str, Decorator] | None = None,
    first: Mapping[str, Decorator] | None = None,
    reads: Mapping[str, Callable[[str], Json]] | None = None,
    shared: Decorator = common_options,
    tries: Decorator = dry_run_option,
) -> click.Command:
    """Return the command of a verb.

    Args:
        verb: Its arguments are the options.
        says: Its help, where that is not what its arguments say.
        listing: What it does without `--apply` where its plan is judged, else without anything
            that says what is to be done.
        page: Does it and tells it, where that is more than the change.
        more: Options that only the page knows, by the name of what they give.
        first: As `more`, listed before what the verb asks for.
        reads: Argument → what turns the words that were typed into it: those of a file, for one.
        shared: Adds the options that it has with other commands.
        tries: Its `--dry-run`, where the page shows something else than a diff.
    """
    is_judged, pages = verb.shows == "judged", {**(first or {}), **(more or {})}

    def run(invocation: Invocation, **given: Any) -> None:
        told = {name: given.pop(name) for name in pages}
        dry_run = given.pop("dry_run")
        is_applied = is_judged and given.pop("apply")
        for name, read in (reads or {}).items():
            if given[name] is not None:
                given[name] = read(given[name])
        names = [*_refs_in({**given})]
        try:
            intent, args = _asked(invocation, verb, given)
        except UnknownRef:
            if not was_done(invocation, KEEP if told.get("as_candidate") else verb.id, names):
                raise
            return
        is_told = is_applied if is_judged else bool(intent.shown or intent.arguments)
        if listing is not None and not dry_run and not is_told:
            listing(invocation, intent, args)
            return
        if page is not None:
            page(invocation, intent, args, dry_run=dry_run, **told)
            return
        carry_out(invocation, intent, dry_run=dry_run)

    asked = _decorators(verb, (first or {}).values(), (more or {}).values())
    decorated = _asking(run, *asked, tries, shared)
    text = says or cleandoc(verb.args.__doc__ or "")
    command = click.command(verb.command.rpartition(" ")[2], help=text, cls=VerbCommand)(decorated)
    if not (verb.takes or page or listing or pages or is_judged):
        command.asked = _reader(command, verb, reads or {})
    return command


def _asking(run: Callable[..., None], *asked: Decorator) -> Callable[..., Any]:
    """Return what a command runs, with its options in the order in which help lists them."""
    decorated: Callable[..., Any] = pass_invocation(run)
    for decorator in reversed(asked):
        decorated = decorator(decorated)
    return decorated


def given_in(command: click.Command, words: Sequence[str]) -> dict[str, Any]:
    """Return what words give a command, as it is run with.

    Raises:
        UsageError: They are no words of it.
    """
    return {**command.make_context(command.name, [*words]).params}


def _reader(
    command: click.Command, verb: Writing[Any], reads: Mapping[str, Callable[[str], Json]]
) -> Callable[[Sequence[str]], Intent | None]:
    names = {each.name for each in verb.args.params()}

    def read(words: Sequence[str]) -> Intent | None:
        told = {name: each for name, each in given_in(command, words).items() if name in names}
        for name, opened in reads.items():
            if told.get(name) is not None:
                told[name] = opened(told[name])
        return Intent(verb.id, {}, verb.args(**told).to_json())

    return read


def was_done(invocation: Invocation, verb: str, names: Sequence[str]) -> bool:
    """Say that a verb was done to all that was named, where the history says so."""
    done = [invocation.session.past.done(verb, name) for name in names]
    before = [each for each in done if each is not None]
    if not before or len(before) < len(names):
        return False
    tell_nothing_to_do(invocation, Already(done_already(*before)), Intent(verb))
    return True


def _asked(invocation: Invocation, verb: Writing[A], given: dict[str, Any]) -> tuple[Intent, A]:
    """Return what a command line asks of a verb."""
    if verb.looks_back:
        invocation.session.look()

    def spelt_out(name: str, ids_of: str = verb.ids_of) -> str:
        # A bare id is searched for among the entries of its own system alone.
        return f"{ids_of}:{name}" if ids_of and ":" not in name else name

    names = [spelt_out(name) for name in _refs_in(given)]
    picked = _picked(invocation, verb, names)
    acknowledged, digests = given.pop("acknowledge", ()), given.pop("digests", ())
    for param in verb.args.params():
        if param.name not in given:
            continue
        if param.names_entry and given[param.name]:
            named = spelt_out(given[param.name], param.ids_of or verb.ids_of)
            given[param.name] = str(entry_named(invocation.session.library, named).ref)
        if param.is_fields:
            given[param.name] = dict(fields_of(given[param.name]))
    args = verb.args(**given)
    arguments = args.to_json()
    if acknowledged:
        arguments["acknowledged"] = [*acknowledged]
    return pinned(replace(picked, arguments=arguments), digests), args


def _picked(invocation: Invocation, verb: Writing[Any], names: Sequence[str]) -> Intent:
    """Return a verb on what was named; what reads the queue is loaded only for that."""
    if verb.from_queue:
        from remem.cli.find_waiting_item import waiting_or_entries
        from remem.core.waiting.item import item_ids, kinds_drawn

        items, shown = waiting_or_entries(invocation.session, names)
        return Intent(verb.id, shown, {}, item_ids(items), kinds_drawn(items))
    if _names_items(verb):
        from remem.cli.find_waiting_item import named
        from remem.core.waiting.item import item_ids, kinds_drawn

        items, shown = named(invocation.session, names)
        return Intent(verb.id, shown, {}, item_ids(items), kinds_drawn(items))
    if not names:
        return Intent(verb.id)  # the files need not be read for it
    try:
        entries = entries_named(invocation.session.library, names)
    except UnknownRef:
        from remem.cli.find_waiting_item import entries_wherever

        entries = entries_wherever(invocation.session, names)
    return Intent(verb.id, {entry.ref: entry.digest for entry in entries})


def _names_items(verb: Writing[Any]) -> bool:
    return verb.takes.startswith("ITEM")


def _decorators(
    verb: Writing[Any], first: Iterable[Decorator], more: Iterable[Decorator]
) -> Iterator[Decorator]:
    """Yield what asks for the entries, then for each argument, in the order of declaration."""
    for place, word in enumerate(verb.takes.split()):
        is_many = "..." in word
        yield click.argument(
            f"{_REF}{place}",
            nargs=-1 if is_many else 1,
            required=not word.startswith("["),
            metavar=word,
            shell_complete=complete_items if _names_items(verb) else complete_entries,
        )
    params = verb.args.params()
    yield from map(_argument, (each for each in params if each.spelt and not each.is_option))
    yield from first
    yield from map(_option, (each for each in params if each.is_option))
    yield from more
    if verb.shows == "judged":
        yield _apply_option
    if verb.acknowledges:
        yield acknowledge_option
    if verb.pinned:
        yield shown_option


def _refs_in(given: dict[str, Any]) -> Iterator[str]:
    """Take the entries that were named out of what was given, in their order."""
    for name in [each for each in given if each.startswith(_REF)]:
        value = given.pop(name)
        if isinstance(value, tuple):
            yield from value
        elif value:
            yield value


def _argument(param: Param) -> Decorator:
    is_many = param.is_fields or param.shape.schema["type"] == "array"
    many: dict[str, Any] = {"nargs": -1} if is_many else {}
    is_wanted = param.required if param.is_fields else not param.spelt.startswith("[")
    return click.argument(
        param.name, metavar=param.spelt, required=is_wanted, **many, **_completed(param)
    )


def _option(param: Param) -> Decorator:
    more: dict[str, Any] = {"metavar": param.metavar or None, "help": param.help}
    if param.shape.schema["type"] == "boolean":
        more |= {"is_flag": True, "default": param.default}
    else:
        # A default of `None` would be one: click would not ask for what is missing.
        more |= {"required": True} if param.required else {"default": param.default}
        more["type"] = _type(param)
        more["multiple"] = param.is_fields or param.shape.schema["type"] == "array"
        more["show_default"] = isinstance(param.default, int) and bool(param.default)
    names = (param.spelt, *param.hidden, param.name)
    return click.option(*names, cls=RenamedOption, **more, **_completed(param))


def _completed(param: Param) -> dict[str, Any]:
    if param.names_entry:
        return {"shell_complete": complete_entries}
    return {"shell_complete": completing(param.offers)} if param.offers is not None else {}


def _type(param: Param) -> click.ParamType[Any] | None:
    if param.choices is not None:
        return click.Choice(tuple(param.choices()))
    match param.shape.schema["type"]:
        case "number":
            return click.FLOAT if param.least is None else click.FloatRange(param.least, param.most)
        case "integer":
            return click.INT
        case _:
            return None
