"""The commands that are several verbs by their options: `add`, `archive`, `restore`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import click

from remem.base.text import did_you_mean
from remem.cli.apply_or_dry_run import (
    acknowledge_option,
    carry_out,
    dry_run_option,
    pinned,
    shown_option,
)
from remem.cli.completion import complete_entries, complete_kinds
from remem.cli.failure import BadUsage
from remem.cli.find_named import fields_of, kind_word
from remem.cli.find_waiting_item import entries_wherever, refs_wherever
from remem.cli.invocation import Invocation
from remem.cli.options import common_options, pass_invocation
from remem.cli.reading.search import put_back
from remem.cli.verb_command import VerbCommand, given_in
from remem.core.registered import all_systems, kinds_brought
from remem.core.verbs.verbs import ADD, ARCHIVE, RESTORE
from remem.model.change import Intent, Json
from remem.systems.learnings.learning_verbs import LEARN_ADD
from remem.systems.learnings.records import LEARNING
from remem.systems.personas.persona_verbs import SECTIONS_ARCHIVE


@click.command("add")
@click.argument("kind", metavar="KIND", shell_complete=complete_kinds)
@click.argument("text", metavar="TEXT")
@click.option("--role", "roles", multiple=True, help="Role it is for; repeatable.")
@click.option("--rationale", default="", metavar="TEXT", help="Its rationale.")
@click.option(
    "--severity",
    default="",
    help="Severity of an anti-pattern: `high`, `medium`, `low`; `P0` to `P3`.",
)
@click.option(
    "--forbid",
    default="",
    metavar="PATTERN",
    help="Check of a rule: pattern that no added line may match.",
)
@click.option(
    "--files", multiple=True, metavar="GLOB", help="With `--forbid`: only these files; repeatable."
)
@click.option("--persona", default="", metavar="NAME", help="Persona of a lesson.")
@click.option("--layout", default="", help="Place of a lesson, if several fit.")
@click.option("--file", default="", metavar="NAME", help="Plain file to add a lesson to.")
@click.option("--section", default="", metavar="TITLE", help="Heading to add a lesson under.")
@click.option(
    "--set", "settings", multiple=True, metavar="FIELD=VALUE", help="Any other field; repeatable."
)
@acknowledge_option
@dry_run_option
@common_options
@pass_invocation
def add(
    invocation: Invocation,
    kind: str,
    text: str,
    roles: tuple[str, ...],
    rationale: str,
    severity: str,
    forbid: str,
    files: tuple[str, ...],
    persona: str,
    layout: str,
    file: str,
    section: str,
    settings: tuple[str, ...],
    acknowledge: tuple[str, ...],
    dry_run: bool,
) -> None:
    """Add an entry.

    KIND is `convention`, `anti-pattern`, `decision`, `learning`, `lesson`, `principle` or
    `procedure`. A lesson goes to a persona's memory, or to an instruction file such as
    `CLAUDE.md`.
    """
    options: dict[str, Json] = {
        "role": list(roles),
        "rationale": rationale,
        "severity": severity,
        "forbid": _check(forbid, files),
        "persona": persona,
        "layout": layout,
        "file": file,
        "section": section,
    }
    given = {name: value for name, value in options.items() if value}
    named = _named_fields(invocation, kind, given)
    fields = {**named, **dict(fields_of(settings))}
    arguments: dict[str, Json] = {"kind": kind_word(kind), "text": text, "fields": fields}
    verb = ADD.id
    if kind_word(kind) == LEARNING:
        verb, arguments = LEARN_ADD.id, {"text": text, "fields": fields}
    if acknowledge:
        arguments["acknowledged"] = [*acknowledge]
    carry_out(invocation, Intent(verb, arguments=arguments), dry_run=dry_run)


def _check(forbid: str, files: Sequence[str]) -> dict[str, Json]:
    """Return the check of a rule as it is written; empty where none is given.

    Raises:
        BadUsage: There are files and no pattern.
        NotPossible: It is no pattern.
    """
    if not forbid:
        if files:
            raise BadUsage("`--files` needs a pattern", hint="add `--forbid PATTERN`")
        return {}
    from remem.systems.sniper.detect_plan import as_fields, detect_from

    return as_fields(detect_from({"forbid": forbid, **({"files": [*files]} if files else {})}))


@click.command("archive", cls=VerbCommand)
@click.argument("refs", nargs=-1, metavar="REF...", shell_complete=complete_entries)
@click.option(
    "--before", default="", metavar="DATE", help="Archive sections dated before this day."
)
@click.option(
    "--persona",
    "personas",
    multiple=True,
    metavar="NAME",
    help="Persona whose sections to archive; repeatable.",
)
@click.option("--team", is_flag=True, help="The decisions of the team.")
@click.option("--layout", default="", help="The place, if the persona has several.")
@shown_option
@dry_run_option
@common_options
@pass_invocation
def archive(
    invocation: Invocation,
    refs: tuple[str, ...],
    before: str,
    personas: tuple[str, ...],
    team: bool,
    layout: str,
    digests: tuple[str, ...],
    dry_run: bool,
) -> None:
    """Archive entries: remove them from every prompt.

    With `--before` and `--persona`, archive whole sections of a memory to the archive file beside
    it.
    """
    sections = _sections(refs, before, personas, layout, team=team)
    if sections is not None:
        carry_out(invocation, sections, dry_run=dry_run)
        return
    session = invocation.session
    intent = session.intend(ARCHIVE.id, entries_wherever(session, refs))
    carry_out(invocation, pinned(intent, digests), dry_run=dry_run)


def _sections(
    refs: Sequence[str], before: str, personas: Sequence[str], layout: str, *, team: bool
) -> Intent | None:
    """Return what is asked for by date; `None` = entries are.

    Raises:
        BadUsage: Both, or neither.
    """
    sections = {"before": before, "persona": next(iter(personas), ""), "layout": layout}
    given: dict[str, Json] = {name: each for name, each in sections.items() if each}
    if personas[1:]:
        given["others"] = [*personas[1:]]
    if team:
        given["team"] = True
    if bool(refs) == bool(given) or (given and not (before and (personas or team))):
        raise BadUsage(
            "give either entries, or `--before` and `--persona` or `--team`",
            hint="`remem archive --before 2026-03-01 --persona NAME` archives old sections",
        )
    return Intent(SECTIONS_ARCHIVE.id, arguments=given) if given else None


def _archive_asked(words: Sequence[str]) -> Intent | None:
    given = given_in(archive, words)
    names = ("refs", "before", "personas", "layout", "team")
    return _sections(**{name: given[name] for name in names})


archive.asked = _archive_asked


@click.command("restore")
@click.argument("refs", nargs=-1, metavar="REF...", shell_complete=complete_entries)
@click.option(
    "--from",
    "taken_by",
    default="",
    metavar="ID",
    help="Restore what this change or commit removed; REF is then the text to find.",
)
@click.option(
    "--event",
    type=int,
    metavar="NUMBER",
    help="Restore everything one event removed, by its number in `remem inbox`.",
)
@click.option(
    "--to",
    "place",
    default="",
    metavar="PLACE",
    help="Another place for lessons that agents took out: a file, or a persona.",
)
@acknowledge_option
@shown_option
@dry_run_option
@common_options
@pass_invocation
def restore(
    invocation: Invocation,
    refs: tuple[str, ...],
    taken_by: str,
    event: int | None,
    place: str,
    acknowledge: tuple[str, ...],
    digests: tuple[str, ...],
    dry_run: bool,
) -> None:
    """Restore archived or removed entries.

    With `--from`, restore text that a change or commit removed; find it with `remem search TEXT
    --everywhere`.
    """
    if taken_by:
        put_back(invocation, taken_by, " ".join(refs), acknowledged=acknowledge, dry_run=dry_run)
        return
    if not refs and event is None:
        raise BadUsage(
            "nothing to restore given", hint="give an entry, or `--from` with a change or commit"
        )
    invocation.session.look()
    named = refs_wherever(invocation.session, refs)
    if event is not None:
        from remem.cli.review.inbox import taken_at_once

        named |= taken_at_once(invocation.session, event)
    told: dict[str, Json] = {"acknowledged": [*acknowledge]} if acknowledge else {}
    intent = Intent(RESTORE.id, named, {**told, **({"to": place} if place else {})})
    carry_out(invocation, pinned(intent, digests), dry_run=dry_run)


def _named_fields(
    invocation: Invocation, kind: str, options: Mapping[str, Json]
) -> dict[str, Json]:
    """Return options under the names that the kind has for them.

    Raises:
        BadUsage: Nothing is called so, or the kind has no such option.
    """
    own = {
        kind: each
        for system in all_systems()
        for kind, each in system.facets.options_of_add.items()
    }
    known = own.get(kind_word(kind))
    if known is None:
        brought = kinds_brought(invocation.session.library)
        known = {"role": "roles"} if kind_word(kind) in brought else None
    if known is None:
        every = (*own, *brought)
        kinds = ", ".join(f"`{each.replace('_', '-')}`" for each in every)
        hint = did_you_mean(kind_word(kind), every).replace("_", "-") or f"the kinds are {kinds}"
        raise BadUsage(f"unknown kind `{kind}`", hint=hint)
    for option in options:
        if option not in known:
            takes = ", ".join(f"`--{each}`" for each in known)
            raise BadUsage(f"`--{option}` does not apply to a {kind}", hint=f"it takes {takes}")
    return {known[option]: value for option, value in options.items()}
