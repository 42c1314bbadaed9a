"""The command `applied`: counts who applied what, from logs, code and observations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO, Final

import click

from remem.base.text import count
from remem.cli.invocation import Invocation
from remem.cli.options import common_options, pass_invocation
from remem.cli.out import NOTHING, emit, print_table, say
from remem.code.ids_in_code import References, references
from remem.core.library import Library
from remem.store.io import real_path
from remem.systems.shaktra.applied import (
    PREFIXES,
    Logged,
    Use,
    busiest,
    count_log,
    unknown_ids,
    uses,
)
from remem.views.documents.shaktra import AppliedReport, PlaceReport, UseReport

_PIECE: Final = 1 << 20
"""Bytes of a log that are held at a time."""


@click.command("applied")
@click.argument("logs", nargs=-1, type=click.File("rb"), metavar="[LOG]...")
@click.option("--no-code", is_flag=True, help="Skip the search for ids in code.")
@common_options
@pass_invocation
def applied(invocation: Invocation, logs: tuple[BinaryIO, ...], no_code: bool) -> None:
    """Count which Shaktra entries were applied.

    LOG is agents' output; `-` is stdin. Lines like `MEMORY: [developer] applying PR-001 — …` are
    counted, and ids in code and observations. Nothing is stored.
    """
    session = invocation.session
    logged = count_log(_pieces(logs))
    code = References(searched=False) if no_code else references(session.root, PREFIXES)
    code = _but_for(session.root, code, [log.name for log in logs])
    library = session.library
    found = uses(library, logged, code)
    unknown = {name: sum(logged.of(name).values()) for name in unknown_ids(library, logged)}
    if invocation.as_json:
        emit(
            AppliedReport(
                entries=tuple(_use_report(library, use) for use in found),
                unknown=unknown,
                logs=len(logs),
                code_searched=code.searched,
                code_whole=code.whole,
            )
        )
        return
    _print(library, [*busiest(found)])
    _tell(library, found, code, logged, no_code=no_code)
    for name, times in unknown.items():
        say(f"note: `{name}` is in no store but was logged {count(times, 'time')}")


def _but_for(root: Path, code: References, logs: Sequence[str]) -> References:
    """Leave out what was found in the logs themselves: they may lie beside the code."""
    given = {real_path(Path.cwd() / name) for name in logs}
    found = tuple(each for each in code.found if real_path(root / each.path) not in given)
    return replace(code, found=found) if given else code


def _pieces(logs: Sequence[BinaryIO]) -> Iterator[bytes]:
    """Yield logs piece by piece, each ended as its last line may not be."""
    for log in logs:
        while piece := log.read(_PIECE):
            yield piece
        yield b"\n"


def _print(library: Library, found: Sequence[Use]) -> None:
    rows = [
        (
            library.short(use.entry.ref),
            str(use.times or NOTHING),
            str(len(use.references) or NOTHING),
            str(use.observed or NOTHING),
            str(len(use.briefed) or NOTHING),
            ", ".join(f"{agent} {times}" for agent, times in use.logged.items())
            or ("never applied" if use.is_neglected else NOTHING),
        )
        for use in found
    ]
    print_table(("REF", "LOGGED", "CODE", "OBSERVED", "BRIEFED", "BY"), rows)


def _tell(
    library: Library, found: Sequence[Use], code: References, logged: Logged, *, no_code: bool
) -> None:
    if not found:
        say("there are no Shaktra entries here")
    if not code.searched and not no_code:
        say("note: code was not searched: this is not a git repository, or git failed")
    if not code.whole:
        say("note: too many matches in code; not all were counted")
    total = sum(logged.counts.values())
    say(f"{count(total, 'application')} in the logs, {count(code.found, 'place')} in code")
    neglected = [library.short(use.entry.ref) for use in found if use.is_neglected]
    if neglected:
        say(f"briefed often and never applied: {', '.join(neglected)}")


def _use_report(library: Library, use: Use) -> UseReport:
    return UseReport(
        ref=library.short(use.entry.ref),
        title=use.entry.title,
        status=use.entry.status.value,
        logged=use.times,
        agents=dict(use.logged),
        code=tuple(PlaceReport(path=each.path, line=each.line) for each in use.references),
        observed=use.observed,
        briefed=use.briefed,
        neglected=use.is_neglected,
    )
