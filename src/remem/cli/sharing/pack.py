"""The commands `export` and `import`: project memory as a file that other projects take in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Final

import click

from remem.base.errors import NotPossible
from remem.base.frozen import dataclass
from remem.base.text import count
from remem.cli.apply_or_dry_run import print_diff
from remem.cli.find_named import entries_named, need_one_repository, shown_path
from remem.cli.invocation import Invocation
from remem.cli.options import common_options, pass_invocation
from remem.cli.out import emit, err_on_terminal, print_exact, put_aside, say, show_text
from remem.cli.verb_command import command_of
from remem.core.checks.secrets import redacted
from remem.core.library import Library
from remem.core.prompt.impact import Impact, Measure, measure_of
from remem.core.repositories import repositories_of
from remem.model.change import Change, Intent
from remem.model.prompt import Ask, Prompt, one_line
from remem.store.cache_file import put
from remem.store.io import real_path
from remem.systems.sniper.pack_effects import PackEffects, effects_on_prompts, places_said
from remem.systems.sniper.pack_plan import (
    Arrival,
    Arriving,
    Export,
    export,
    judge,
    pack_at,
    summary_of,
    target_of,
)
from remem.systems.sniper.packs import Pack
from remem.systems.sniper.sniper_verbs import PACK_IMPORT, PackImport
from remem.views.documents.document import Document
from remem.views.documents.packs import (
    ArrivingReport,
    ExportedReport,
    ExportReport,
    ImportedReport,
    ImportReport,
    PlaceReport,
    RoleEffectReport,
)

_STEPS: Final = 500
"""Entries between two words about how far it is."""


@click.command("export")
@click.argument("refs", nargs=-1, metavar="[REF...]")
@click.option(
    "-o", "--output", default="", metavar="FILE",
    help="Output file, or a folder for packs; default: stdout.",
)  # fmt: skip
@click.option("--with-decisions", is_flag=True, help="Include decisions.")
@click.option("--keep-rationale", is_flag=True, help="Keep sprint and story names in rationales.")
@common_options
@pass_invocation
def export_pack(
    invocation: Invocation,
    refs: tuple[str, ...],
    output: str,
    with_decisions: bool,
    keep_rationale: bool,
) -> None:
    """Export project memory as a pack for other projects.

    A pack has all active rules, or only the REFs, without ids, sources and project-specific data.
    At a workspace root, `-o FOLDER` writes one pack per repository.
    """
    several = _several(invocation)
    is_printed = invocation.as_json and output in ("", "-")
    if several and refs:
        need_one_repository(invocation.session.library)
    if several and not is_printed and not Path(output or "-").expanduser().is_dir():
        names = ", ".join(f"`{each.root.name}`" for each in several)
        raise NotPossible(
            f"`{output}` is no folder" if output else "several packs need a folder to go to",
            hint=f"`-o FOLDER` takes one that is there; or choose `--repo`: {names}",
        )
    told: list[ExportedReport] = []
    for each in several or (invocation,):
        # Each has its own file: the folder is one, and so is the name of a pack.
        name = each.root.name if several else None
        path = output
        if several and not is_printed:
            path = str(Path(output).expanduser() / f"{name}.yaml")
        try:
            told.append(
                _export(each, refs, path, name, decisions=with_decisions, reasons=keep_rationale)
            )
        except NotPossible as nothing:
            if not several:
                raise
            say(f"{name}: {nothing}")
            told.append(_nothing_exported(name, str(nothing)))
    if invocation.as_json:
        emit(_whole_export(told) if several else ExportReport(**_values(told[0]), repositories=()))


def _several(invocation: Invocation) -> tuple[Invocation, ...]:
    """Return an invocation for each repository of a whole workspace; () = one folder is open."""
    found = repositories_of(invocation.session.library)
    return tuple(replace(invocation, root_given=str(each.path), repo_given="") for each in found)


def _export(
    invocation: Invocation,
    refs: tuple[str, ...],
    output: str,
    name: str | None,
    *,
    decisions: bool,
    reasons: bool,
) -> ExportedReport:
    library = invocation.session.library
    chosen = [entry.ref for entry in entries_named(library, refs)]
    made = export(library, chosen, with_decisions=decisions, keep_rationale=reasons)
    path = None if output in ("", "-") else target_of(library, real_path(Path(output).expanduser()))
    if path is not None:
        put(library.ground.disk, path, made.data)
    report = _export_report(library, made, path, name)
    if invocation.as_json:
        return report
    for note in made.notes:
        say(f"note: {note}")
    if path is None:
        print_exact(made.data.decode())
    else:
        what = count(made.refs, "entry", "entries")
        say(f"{what} exported to `{shown_path(invocation, path)}`")
    return report


def _export_report(
    library: Library, made: Export, path: Path | None, name: str | None
) -> ExportedReport:
    return ExportedReport(
        repository=name,
        path="" if path is None else str(path),
        written=path is not None,
        entries=tuple(map(library.short, made.refs)),
        notes=made.notes,
        text=made.data.decode(),
    )


def _nothing_exported(name: str | None, why: str) -> ExportedReport:
    return ExportedReport(
        repository=name, path="", written=False, entries=(), notes=(why,), text=""
    )


def _whole_export(told: Sequence[ExportedReport]) -> ExportReport:
    return ExportReport(
        repository=None,
        path="",
        written=any(each.written for each in told),
        entries=(),
        notes=(),
        text="",
        repositories=tuple(told),
    )


def _values(report: Document) -> dict[str, Any]:
    """Return what a document of one repository holds, for that of a command."""
    return {field.name: getattr(report, field.name) for field in fields(report)}


@dataclass(frozen=True, slots=True)
class _Told:
    """A pack as it is told: looked at, or taken in."""

    name: str
    pack: Pack
    judged: Sequence[Arriving]
    change: Change | None = None
    """`None` where it has nothing new."""
    effects: PackEffects | None = None
    """Only with `--dry-run`."""
    id: str = ""
    warnings: tuple[str, ...] = ()


def take_in(invocation: Invocation, intent: Intent, args: PackImport, *, dry_run: bool) -> None:
    """Take a pack in, and tell what becomes of each of its entries; of a workspace in each."""
    several = _several(invocation)
    reports: list[ImportedReport] = []
    for each in several or (invocation,):
        if several and not invocation.as_json:
            show_text(each.root.name, bold=True)
        told = _take_in(each, intent, args, dry_run=dry_run)
        if invocation.as_json:
            reports.append(_import_report(each, told, each.root.name if several else None))
        else:
            _tell(each, told)
    if invocation.as_json:
        whole = _whole_import(reports) if several else None
        emit(whole or ImportReport(**_values(reports[0]), repositories=()))


def _take_in(invocation: Invocation, intent: Intent, args: PackImport, *, dry_run: bool) -> _Told:
    session = invocation.session
    library = session.library
    path = Path(args.path)
    pack, digest = pack_at(library, path)
    judged = judge(library, pack, acknowledged=_acknowledged(intent), progress=_tell_progress)
    if not any(each.arrival is Arrival.ADDED for each in judged):
        return _Told(path.name, pack, judged)
    intent = replace(intent, arguments={**intent.arguments, "digest": digest})
    if dry_run:
        change = session.plan(intent)
        session.load_counter()

        def compose(ask: Ask, on: Library) -> Prompt:
            return session.compose(ask, library=on)

        effects = effects_on_prompts(library, path.name, judged, session.roles(), compose)
        return _Told(path.name, pack, judged, change, effects)
    done = session.apply(intent)
    return _Told(path.name, pack, judged, done.change, None, done.id, done.warnings)


def _acknowledged(intent: Intent) -> tuple[str, ...]:
    given = intent.arguments.get("acknowledged")
    return tuple(map(str, given)) if isinstance(given, list) else ()


def _real(name: str) -> str:
    return str(real_path(Path(name).expanduser()))


import_pack = command_of(PACK_IMPORT, page=take_in, reads={"path": _real})


def _tell_progress(done: int, total: int) -> None:
    if total > _STEPS and err_on_terminal() and (done % _STEPS == 0 or done == total):
        end = "\n" if done == total else ""
        put_aside(f"\r{done:,} of {total:,} entries{end}")


def _tell(invocation: Invocation, told: _Told) -> None:
    for each, lines in _told_of_each(told):
        show_text(f"{each.arrival:<12}{one_line(redacted(each.packed.text))}")
        for line in lines:
            show_text(f"{'':<12}{line}", dim=True)
    impacts = told.effects.impacts if told.effects else ()
    for found in impacts:
        show_text(_role_line(invocation.session.library, found, measure_of(impacts)))
    for warning in told.warnings:
        say(f"note: {warning}")
    say(f"{told.name}: {summary_of(told.judged)}")
    if any(each.arrival is Arrival.HELD for each in told.judged):
        say("review what was held back; `--acknowledge ID` imports it as a candidate")
    if told.change is None:
        say("it has nothing new; nothing was written")
    elif not told.id:
        print_diff(invocation, invocation.session.preview(told.change))
        say(f"{told.change.title}: nothing was written")
    else:
        say(
            f"`remem undo {told.id}` undoes it; `remem queue` lists the items "
            "to review for approval"
        )


def _told_of_each(told: _Told) -> Iterator[tuple[Arriving, list[str]]]:
    """Yield each entry with what there is to say about it."""
    refs = iter(told.effects.refs if told.effects else ())
    for each in told.judged:
        lines = [each.why] if each.why else []
        risky = dict.fromkeys(s.message for s in each.suspects if not s.is_kept_out)
        lines += [f"risky: {message}" for message in risky]
        if each.arrival is Arrival.ADDED and told.effects is not None:
            lines.append(f"once approved: {places_said(told.effects.places[next(refs)])}")
        yield each, lines


def _role_line(library: Library, found: Impact, measure: Measure) -> str:
    of = found.figures(measure)
    budget = f" of {of.budget:,}" if of.budget else ""
    line = f"{found.role}: {measure} {of.before:,} → {of.after:,}{budget} tokens"
    names = ", ".join(library.short(ref) for ref in found.pushed_out)
    return f"{line}; drops {names}" if names else line


def _whole_import(told: Sequence[ImportedReport]) -> ImportReport:
    return ImportReport(
        repository=None,
        pack=told[0].pack,
        exported_from=told[0].exported_from,
        exported_at=told[0].exported_at,
        written=any(each.written for each in told),
        id="",
        title="",
        entries=(),
        prompts=(),
        warnings=(),
        repositories=tuple(told),
    )


def _import_report(invocation: Invocation, told: _Told, name: str | None) -> ImportedReport:
    library = invocation.session.library
    return ImportedReport(
        repository=name,
        pack=told.name,
        exported_from=told.pack.exported_from,
        exported_at=told.pack.exported_at,
        written=bool(told.id),
        id=told.id,
        title=told.change.title if told.change else "",
        entries=tuple(_arriving_reports(library, told)),
        prompts=tuple(
            RoleEffectReport(
                role=each.role,
                tokens_before=each.tokens_before,
                tokens_after=each.tokens_after,
                budget=each.budget,
                pushed_out=tuple(map(library.short, each.pushed_out)),
                let_in=tuple(map(library.short, each.let_in)),
            )
            for each in (told.effects.impacts if told.effects else ())
        ),
        warnings=told.warnings,
    )


def _arriving_reports(library: Library, told: _Told) -> Iterator[ArrivingReport]:
    new = iter(() if told.change is None else told.change.touched.values())
    for each in told.judged:
        ref = next(new) if each.arrival is Arrival.ADDED else None
        places = told.effects.places[ref] if told.effects is not None and ref is not None else ()
        yield ArrivingReport(
            kind=each.packed.kind,
            text=redacted(each.packed.text),
            outcome=each.arrival,
            why=each.why,
            ref=library.short(ref) if ref is not None else None,
            like=library.short(each.known.ref) if each.known is not None else None,
            suspects=tuple(suspect.message for suspect in each.suspects),
            prompts=tuple(
                PlaceReport(role=place.role, tokens=place.tokens, reason=place.reason)
                for place in places
            ),
        )
