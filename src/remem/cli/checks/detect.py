"""The command `detect`: what a machine checks of a rule or of all, and where the code breaks it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import click

from remem.base.errors import NotPossible
from remem.base.frozen import dataclass
from remem.base.text import count
from remem.cli.apply_or_dry_run import carry_out
from remem.cli.failure import BadUsage
from remem.cli.invocation import Invocation
from remem.cli.out import emit, say, show_field, show_text
from remem.cli.verb_command import command_of
from remem.model.change import Intent, Json
from remem.model.detect import AstPattern, Detect
from remem.systems.sniper.records import Convention, Stored
from remem.systems.sniper.sniper_verbs import DETECT, CheckByMachine
from remem.views.documents.checks import (
    DetectAllReport,
    DetectReport,
    PatternReport,
    RuleReport,
    UnreadReport,
    ViolationReport,
)

if TYPE_CHECKING:
    from remem.core.checks.gate import Held
    from remem.core.library import Library
    from remem.model.entry import Entry
    from remem.systems.sniper.detect_plan import Proposed

_SECONDS: Final = 20.0
_SHOWN: Final = 50
"""Matches that are listed; `--json` has all."""
_EACH: Final = 5
"""The same of each rule, where all are."""
_LOOKED_FOR: Final = ("forbid", "require", "beside")
_WORDS: Final = {True: "as expected", False: "WRONG RESULT", None: "unknown"}


_first = {
    "every": click.option(
        "--all", "every", is_flag=True, help="Show every hint that can become a check."
    ),
    "forbid": click.option(
        "--forbid", default="", metavar="PATTERN", help="Pattern that no added line may match."
    ),
    "require": click.option(
        "--require", default="", metavar="PATTERN", help="Pattern that every file must contain."
    ),
    "beside": click.option(
        "--beside", default="", metavar="FILE", help="File that every matching folder must contain."
    ),
    "files": click.option(
        "--files",
        multiple=True,
        metavar="GLOB",
        help="Only these files; repeatable. Prefix with `!` to exclude.",
    ),
    "within": click.option(
        "--within",
        multiple=True,
        type=click.Choice(["code", "strings", "texts", "comments"]),
        help="Only these parts of a file; repeatable.",
    ),
    "ast": click.option(
        "--ast",
        default="",
        metavar="LANGUAGE",
        help="Treat the pattern as syntax of this language.",
    ),
    "message": click.option(
        "--message", default="", metavar="TEXT", help="Message shown for a violation."
    ),
    "limit": click.option(
        "--limit",
        type=click.IntRange(min=0),
        default=None,
        metavar="N",
        help="Matches to list; 0 = all. Default: 50; with `--all` 5 per rule.",
    ),
    "applies": click.option("--apply", "applies", is_flag=True, help="Write it into the entry."),
}


def show_or_add(
    invocation: Invocation,
    intent: Intent,
    args: CheckByMachine,
    *,
    dry_run: bool,
    every: bool,
    limit: int | None,
    applies: bool,
    **told: Any,
) -> None:
    """Show what a check finds, or write it into its rule."""
    from remem.systems.sniper.detect_plan import as_fields

    given = _given(**told)
    if every:
        if intent.shown or given:
            raise BadUsage(
                "`--all` cannot be combined with a rule", hint="name one rule, or use `--all`"
            )
        shown = _EACH if limit is None else limit
        detect_all(invocation, intent, shown, writes=applies or dry_run, dry_run=dry_run)
        return
    if not intent.shown:
        raise BadUsage("no rule given", hint="name one, or use `--all`")
    (entry,) = map(invocation.session.library.entry, intent.shown)
    asked = _asked(invocation, entry, given)
    if not (applies or dry_run):
        _tell(invocation, entry, asked, _SHOWN if limit is None else limit)
        return
    if asked.detect is None or asked.origin == "own":
        raise NotPossible(
            "nothing new to write",
            hint="set a pattern with `--forbid` or `--require`",
        )
    written = replace(args, detect=as_fields(asked.detect)).to_json()
    told_all = {**intent.arguments, **written}
    carry_out(invocation, replace(intent, arguments=told_all), dry_run=dry_run)


def _given(
    *, files: tuple[str, ...], within: tuple[str, ...], ast: str, message: str, **looked_for: str
) -> dict[str, Json]:
    """Return what was given, as an entry holds it.

    Raises:
        BadUsage: It asks for several things, or gives a language and no pattern.
    """
    asked = {name: text for name in _LOOKED_FOR if (text := looked_for[name])}
    if len(asked) > 1:
        names = " and ".join(f"`--{name}`" for name in asked)
        raise BadUsage(f"{names} exclude each other", hint="use only one of them")
    if ast and not {"forbid", "require"} & set(asked):
        raise BadUsage("`--ast` needs a pattern", hint="add `--forbid` or `--require`")
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
    record = library.format_of(entry).reader.record(library.source_of(entry), entry)
    if not isinstance(record, Stored):
        raise NotPossible(
            f"`{library.short(entry.ref)}` cannot have a check",
            hint="only conventions, anti-patterns and decisions can",
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
    from remem.core.checks.detect_from_prose import judged_examples

    library = invocation.session.library
    record = library.format_of(entry).reader.record(library.source_of(entry), entry)
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
        say("no check can be derived; use `--forbid` or `--require`")
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
        say("nothing was written; add `--apply` to write it into the entry")


def _show_asked(asked: Asked) -> None:
    from remem.systems.sniper.detect_plan import words_of

    assert asked.detect is not None
    origin = {"own": "its own `detect:`", "given": "given"}.get(asked.origin)
    show_field("check", origin or f"read from `{asked.said}`")
    for line in words_of(asked.detect):
        show_text(f"  {line}")
    if asked.left:
        show_field("not covered", asked.left)


def _show_held(held: Held, limit: int) -> None:
    show_text(held.told)
    for place, text in held.places(limit):
        show_text(f"  {place}  {text}".rstrip())
    if limit and len(held.violations) > limit:
        show_text(f"  and {len(held.violations) - limit} more; `--limit 0` lists all")
    for path, why in held.missed[:_SHOWN]:
        show_text(f"  not checked: {path} — {why}")
    if not held.is_whole:
        say(f"the search stopped after {_SECONDS:g} s; there may be more")


def _search(
    invocation: Invocation, entry: Entry, detect: Detect | None, *, is_ours: bool
) -> tuple[Held, str]:
    """Return where the code breaks it, and what there is to say of that; not looked = no files."""
    from remem.core.checks.detect_in_code import Codebase, code_root
    from remem.core.checks.gate import Held

    nothing = Held((), 0, is_whole=False)
    if detect is None:
        return nothing, ""
    session = invocation.session
    try:
        root = code_root(session.root, session.library.source_of(entry).path)
        base = Codebase(session.disk, root)
        held = base.search(detect, seconds=_SECONDS)
        if not is_ours:
            return held, ""
        told = (
            base.hint_of_parts(detect, held, "`--within code`"),
            base.hint_of_lines(detect, held),
        )
        return held, "; ".join(filter(None, told))
    except NotPossible as problem:
        return nothing, str(problem)


@dataclass(frozen=True, slots=True)
class Asked:
    """What is looked for, and where that comes from."""

    origin: str
    detect: Detect | None = None
    said: str = ""
    left: str = ""


def told_of(
    ref: str, title: str, asked: Asked, held: Held, told: Mapping[str, bool | None], note: str
) -> dict[str, Any]:
    """Return what a report says of one rule."""
    return {
        "ref": ref,
        "title": title,
        "origin": asked.origin,
        "said": asked.said,
        "left": asked.left,
        "detect": _pattern(asked.detect) if asked.detect is not None else None,
        "matches": tuple(
            ViolationReport(path=each.path, line=each.line, text=each.snippet)
            for each in held.violations
        ),
        "files": held.files,
        "whole": held.is_whole,
        "unread": tuple(UnreadReport(path=path, why=why) for path, why in held.missed),
        "examples": dict(told),
        "note": note,
    }


def _pattern(detect: Detect) -> PatternReport:
    forbid, require = detect.forbid, detect.require
    syntax = next((each for each in (forbid, require) if isinstance(each, AstPattern)), None)
    return PatternReport(
        files=detect.files or (),
        forbid=forbid.pattern if isinstance(forbid, AstPattern) else forbid,
        require=require.pattern if isinstance(require, AstPattern) else require,
        ast=syntax.ast if syntax is not None else None,
        beside=detect.beside,
        within=detect.parts,
        imports=detect.imports or (),
        message=detect.message,
    )


_SECONDS_FOR_ALL: Final = 60.0
"""That all searches take at most."""


@dataclass(frozen=True, slots=True)
class _Read:
    """A rule whose hint can be read, and what it finds."""

    proposed: Proposed
    held: Held
    note: str
    """Why no code was looked at; empty = it was."""
    parts: str = ""
    """How many matches stand in comments or strings, and how to leave them out."""


def detect_all(
    invocation: Invocation, intent: Intent, limit: int, *, writes: bool, dry_run: bool
) -> None:
    """Show what every readable hint finds; with `writes` write them, in one change."""
    from remem.systems.sniper.detect_plan import proposals

    library = invocation.session.library
    found = tuple(proposals(library))
    if writes:
        if not found:
            _nothing(invocation, library)
            return
        shown = {each.entry.ref: each.entry.digest for each in found}
        carry_out(invocation, replace(intent, shown=shown), dry_run=dry_run)
        for proposed in found:
            if proposed.reading.left:
                name = library.short(proposed.entry.ref)
                say(f"`{name}` is checked in part; not covered: {proposed.reading.left}")
        return
    read = tuple(_searched(invocation, found))
    others = _unread(library)
    if invocation.as_json:
        emit(
            DetectAllReport(
                rules=tuple(_report(library, each) for each in read),
                unread=tuple(others),
            )
        )
        return
    if not read:
        _nothing(invocation, library)
    for each in read:
        _show(library, each, limit)
    if others:
        names = ", ".join(f"`{name}`" for name in others[: limit or len(others)])
        more = len(others) - limit if limit else 0
        tail = f" and {more} more" if more > 0 else ""
        say(f"no pattern was found in {count(others, 'rule')}: {names}{tail}")
        say(f"to give one: `remem detect {others[0]} --forbid PATTERN --apply`")
    if read:
        say(f"nothing was written; `remem detect --all --apply` writes {_them(read)}")


def _them(read: Sequence[_Read]) -> str:
    return f"all {len(read)} into their rules" if len(read) > 1 else "it into its rule"


def _nothing(invocation: Invocation, library: Library) -> None:
    if invocation.as_json:
        emit(DetectAllReport(rules=(), unread=tuple(_unread(library))))
    else:
        say("no more hints can become checks")


def _unread(library: Library) -> tuple[str, ...]:
    """Return the rules that the gate cannot check, and whose words no machine reads."""
    from remem.systems.sniper.detect_plan import proposals
    from remem.systems.workspace.rules import rules_of

    readable = {library.short(each.entry.ref) for each in proposals(library)}
    return tuple(
        rule.ref
        for rule in rules_of(library)
        if rule.detect is None and rule.turned_down is None and rule.ref not in readable
    )


def _searched(invocation: Invocation, found: Sequence[Proposed]) -> Iterator[_Read]:
    """Yield each rule with what it finds; the files are listed once for a repository."""
    from time import monotonic

    from remem.core.checks.detect_in_code import Codebase, code_root
    from remem.core.checks.gate import Held

    session, library = invocation.session, invocation.session.library
    bases: dict[object, Codebase] = {}
    end = monotonic() + _SECONDS_FOR_ALL
    for each in found:
        root = code_root(session.root, each.source.path)
        base = bases.setdefault(root, Codebase(session.disk, root))
        try:
            detect = each.reading.detect
            held = base.search(detect, seconds=max(0.0, end - monotonic()))
            ask = f"`remem detect {library.short(each.entry.ref)} --within code`"
            yield _Read(each, held, "", base.hint_of_parts(detect, held, ask))
        except NotPossible as problem:
            yield _Read(each, Held((), 0, is_whole=False), str(problem))


def _show(library: Library, read: _Read, limit: int) -> None:
    from remem.systems.sniper.detect_plan import words_of

    proposed, held = read.proposed, read.held
    title = " ".join(proposed.entry.title.split())
    show_text(f"{library.short(proposed.entry.ref)}: {title}", bold=True)
    show_field("read from", f"`{proposed.reading.said}`")
    for line in words_of(proposed.reading.detect):
        show_text(f"  {line}", dim=True)
    if proposed.reading.left:
        show_field("not covered", proposed.reading.left)
    if read.note:
        show_text(f"  {read.note}")
        return
    stopped = "" if held.is_whole else ", stopped early"
    show_text(f"  {held.told}{stopped}")
    for place, text in held.places(limit):
        show_text(f"    {place}  {text}".rstrip())
    more = len(held.violations) - limit if limit else 0
    if more > 0:
        show_text(f"    and {more} more")
    if read.parts:
        show_text(f"  {read.parts}", dim=True)


def _report(library: Library, read: _Read) -> RuleReport:
    reading, entry = read.proposed.reading, read.proposed.entry
    asked = Asked("proposed", reading.detect, reading.said, reading.left)
    name = library.short(entry.ref)
    return RuleReport(**told_of(name, entry.title, asked, read.held, {}, read.note or read.parts))


detect = command_of(DETECT, page=show_or_add, first=_first)
