"""The command `detect`: what a machine checks of a rule, and where the code breaks it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import click

from remem.base.errors import NotPossible
from remem.cli.detect_told import Asked, told_of
from remem.cli.execute import acknowledge_option, carry_out, dry_run_option, pinned, shown_option
from remem.cli.failure import BadUsage
from remem.cli.invocation import Invocation, common_options, pass_invocation
from remem.cli.naming import entry_named
from remem.cli.out import emit, say, show_field, show_text
from remem.model.change import Json
from remem.model.detect import Detect
from remem.systems.sniper.detect_verbs import DETECT, CheckByMachine
from remem.systems.sniper.records import Convention, Stored
from remem.views.documents.checks import DetectReport

if TYPE_CHECKING:
    from remem.core.checks.compliance import Held
    from remem.model.entry import Entry

_SECONDS: Final = 20.0
_SHOWN: Final = 50
"""Matches that are listed; `--json` has all."""
_EACH: Final = 5
"""The same of each rule, where all are."""
_LOOKED_FOR: Final = ("forbid", "require", "beside")
_WORDS: Final = {True: "as it should be", False: "NOT as it should be", None: "not told"}


@click.command("detect")
@click.argument("ref", metavar="[REF]", default="")
@click.option("--all", "every", is_flag=True, help="Every hint that can be read exactly.")
@click.option("--forbid", default="", metavar="PATTERN", help="No added line may match it.")
@click.option("--require", default="", metavar="PATTERN", help="Every file must hold it somewhere.")
@click.option(
    "--beside", default="", metavar="FILE", help="Each folder with one of these files must have it."
)
@click.option(
    "--files",
    multiple=True,
    metavar="GLOB",
    help="Only these files; may be repeated. With `!` before it: not these.",
)
@click.option(
    "--within",
    multiple=True,
    type=click.Choice(["code", "strings", "texts", "comments"]),
    help="Only these parts of a file; may be repeated.",
)
@click.option("--ast", default="", metavar="LANGUAGE", help="The pattern is one of its syntax.")
@click.option("--message", default="", metavar="TEXT", help="What is said to a violation.")
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    default=None,
    metavar="N",
    help="Matches that are listed; 0 = all. Default: 50, with `--all` 5 of each rule.",
)
@click.option("--apply", "applies", is_flag=True, help="Write it into the entry.")
@acknowledge_option
@shown_option
@dry_run_option
@common_options
@pass_invocation
def detect(
    invocation: Invocation,
    ref: str,
    every: bool,
    forbid: str,
    require: str,
    beside: str,
    files: tuple[str, ...],
    within: tuple[str, ...],
    ast: str,
    message: str,
    limit: int | None,
    applies: bool,
    acknowledge: tuple[str, ...],
    digests: tuple[str, ...],
    dry_run: bool,
) -> None:
    """Show what a machine checks of a rule, and its matches.

    That is the entry's own `detect:`, else what its hint says, else what you give. With `--apply`
    it is written into the entry. With `--all` it is asked of every rule that is not checked yet.
    """
    from remem.systems.sniper.detect_plan import as_fields

    given = _given((forbid, require, beside), files, within, ast, message)
    if every:
        from remem.cli.detect_all import detect_all

        if ref or given or digests:
            raise BadUsage("`--all` takes every rule as it is", hint="name one rule, or `--all`")
        shown = _EACH if limit is None else limit
        detect_all(invocation, shown, applies=applies, dry_run=dry_run, acknowledge=acknowledge)
        return
    if not ref:
        raise BadUsage("which rule?", hint="name one, or `--all`")
    entry = entry_named(invocation.session.library, ref)
    asked = _asked(invocation, entry, given)
    if not (applies or dry_run):
        _tell(invocation, entry, asked, _SHOWN if limit is None else limit)
        return
    if asked.detect is None or asked.origin == "own":
        raise NotPossible(
            "there is nothing new to write",
            hint="say what it looks for with `--forbid` or `--require`",
        )
    arguments = CheckByMachine(detect=as_fields(asked.detect)).to_json()
    if acknowledge:
        arguments["acknowledged"] = [*acknowledge]
    intent = invocation.session.intend(DETECT.id, [entry], **arguments)
    carry_out(invocation, pinned(intent, digests), dry_run=dry_run)


def _given(
    looked_for: tuple[str, str, str],
    files: tuple[str, ...],
    within: tuple[str, ...],
    ast: str,
    message: str,
) -> dict[str, Json]:
    """Return what was given, as an entry holds it.

    Raises:
        BadUsage: It asks for several things, or gives a language and no pattern.
    """
    asked = {name: text for name, text in zip(_LOOKED_FOR, looked_for, strict=True) if text}
    if len(asked) > 1:
        names = " and ".join(f"`--{name}`" for name in asked)
        raise BadUsage(f"{names} exclude each other", hint="give one of them")
    if ast and not {"forbid", "require"} & set(asked):
        raise BadUsage("`--ast` says how a pattern is read", hint="give `--forbid` or `--require`")
    value: dict[str, Json] = {"files": list(files)} if files else {}
    for name, text in asked.items():
        value[name] = {"ast": ast, "pattern": text} if ast else text
    if within:
        value["within"] = within[0] if len(within) == 1 else list(within)
    return {**value, "message": message} if message else value


def _asked(invocation: Invocation, entry: Entry, given: dict[str, Json]) -> Asked:
    """Return what is looked for: what was given goes over what stands or is proposed."""
    from remem.systems.sniper.detect_plan import as_fields, detect_from, proposal_of

    library = invocation.session.library
    record = library.format_of(entry).record(library.source_of(entry), entry)
    if not isinstance(record, Stored):
        raise NotPossible(
            f"`{library.short(entry.ref)}` is not checked by machine",
            hint="conventions, anti-patterns and decisions are",
        )
    asked = Asked("own", record.detect) if record.detect is not None else Asked("none")
    proposed = proposal_of(library, entry)
    if proposed is not None:
        reading = proposed.reading
        asked = Asked("proposed", reading.detect, reading.said, reading.left)
    if not given:
        return asked
    under = as_fields(asked.detect) if asked.detect is not None else {}
    if any(name in given for name in _LOOKED_FOR):
        under = {name: value for name, value in under.items() if name in ("files", "message")}
    return replace(asked, origin="given", detect=detect_from({**under, **given}), said="", left="")


def _tell(invocation: Invocation, entry: Entry, asked: Asked, limit: int) -> None:
    from remem.core.checks.hints import judged_examples

    library = invocation.session.library
    record = library.format_of(entry).record(library.source_of(entry), entry)
    examples = record.examples if isinstance(record, Convention) else None
    is_ours = asked.origin in ("own", "given")
    held, note = _search(invocation, entry, asked.detect, is_ours=is_ours)
    told = judged_examples(asked.detect, examples) if asked.detect is not None else {}
    if invocation.as_json:
        name = library.short(entry.ref)
        emit(DetectReport(**told_of(name, entry.title, asked, held, told, note)))
        return
    show_text(f"{library.short(entry.ref)}: {' '.join(entry.title.split())}", bold=True)
    if asked.detect is None:
        say("nothing in it can be read exactly; `--forbid` or `--require` say what to look for")
        return
    _show_asked(asked)
    for name, rightly in told.items():
        show_field(f"{name} example", _WORDS[rightly])
    if note and not held.is_whole:
        say(note)
        return
    _show_held(held, limit)
    if note:
        say(note)
    if asked.origin != "own":
        say("nothing was written; `--apply` writes it into the entry")


def _show_asked(asked: Asked) -> None:
    from remem.systems.sniper.detect_plan import words_of

    assert asked.detect is not None
    origin = {"own": "its own `detect:`", "given": "given"}.get(asked.origin)
    show_field("check", origin or f"read from `{asked.said}`")
    for line in words_of(asked.detect):
        show_text(f"  {line}")
    if asked.left:
        show_field("not checked by it", asked.left)


def _show_held(held: Held, limit: int) -> None:
    show_text(held.told)
    for place, text in held.places(limit):
        show_text(f"  {place}  {text}".rstrip())
    if limit and len(held.violations) > limit:
        show_text(f"  and {len(held.violations) - limit} more; `--limit 0` lists all")
    for path, why in held.missed[:_SHOWN]:
        show_text(f"  not checked: {path} — {why}")
    if not held.is_whole:
        say(f"the search was stopped after {_SECONDS:g} s; there may be more")


def _search(
    invocation: Invocation, entry: Entry, detect: Detect | None, *, is_ours: bool
) -> tuple[Held, str]:
    """Return where the code breaks it, and what there is to say of that; not looked = no files."""
    from remem.core.checks.codebase import Codebase, code_root
    from remem.core.checks.compliance import Held

    nothing = Held((), 0, is_whole=False)
    if detect is None:
        return nothing, ""
    session = invocation.session
    try:
        root = code_root(session.root, session.library.source_of(entry).path)
        base = Codebase(session.disk, root)
        held = base.search(detect, seconds=_SECONDS)
        return held, base.hint_of_parts(detect, held, "`--within code`") if is_ours else ""
    except NotPossible as problem:
        return nothing, str(problem)
