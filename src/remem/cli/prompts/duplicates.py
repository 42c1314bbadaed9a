"""The command `duplicates`: rules that one agent is told more than once, and keeping one copy."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from remem.base.errors import Already
from remem.base.text import count
from remem.cli.apply_or_dry_run import carry_out, pinned, shown_option
from remem.cli.find_named import shown_path
from remem.cli.invocation import Invocation
from remem.cli.json_pieces import path_of
from remem.cli.out import emit, say, show_text
from remem.cli.verb_command import command_of
from remem.core.checks.contradictions import BESIDE, opposed_issues, why_opposed
from remem.core.relation.already_said import relation
from remem.core.relation.normal_form import Alike, Likeness
from remem.core.relation.pairs import Pair, pairs
from remem.core.verbs.verbs import KEEP_ONE, KeepOne
from remem.model.entry import Ref

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from remem.core.library import Library
    from remem.core.relation.duplicates import Told
    from remem.model.change import Intent

_PAIRS = 40
"""Similar or conflicting entries that are printed; `--json` has all."""
_AGENTS = 3
"""Agents that one rule names; `--json` has all."""


def list_or_keep(
    invocation: Invocation, intent: Intent, args: KeepOne, *, dry_run: bool, digests: Sequence[str]
) -> None:
    """Keep the copy that was named; list what is told twice where none was."""
    from remem.core.relation.duplicates import duplicate_rules, told_of

    session = invocation.session
    library = session.library
    if not args.keep:
        _tell(invocation, duplicate_rules(library, session.load_counter()))
        return
    entry = library.entry(Ref.parse(args.keep))
    found = told_of(library, entry.ref)
    if found is None:
        name = library.short(entry.ref)
        raise Already(f"`{name}` is not a duplicate", hint="`remem duplicates` lists them")
    asked = replace(intent, shown={each.ref: each.digest for each in found.copies})
    carry_out(invocation, pinned(asked, digests), dry_run=dry_run)


duplicates = command_of(KEEP_ONE, page=list_or_keep, more={"digests": shown_option})


def _tell(invocation: Invocation, rules: Sequence[Told]) -> None:
    told = {entry.ref for rule in rules for entry in rule.copies}
    found = _close(invocation.session.library)
    close = [each for each in found if not told.issuperset((each.first.ref, each.second.ref))]
    if invocation.as_json:
        _emit(invocation, rules, close)
        return
    if not rules:
        show_text("No duplicate rules.")
    library = invocation.session.library
    about = "" if invocation.session.counter.exact else "≈"
    for rule in rules:
        names = ", ".join(rule.agents[:_AGENTS])
        rest = len(rule.agents) - _AGENTS
        more = f" and {count(rest, 'other')}" if rest > 0 else ""
        exact = "" if rule.is_exact else ", in other words"
        show_text(
            f"{about}{count(rule.tokens, 'token')} at every start: {names}{more}, "
            f"{len(rule.copies)} times{exact}",
            bold=True,
        )
        ordered = (rule.keep, *(each for each in rule.copies if each.ref != rule.keep.ref))
        for entry in ordered:
            text = " ".join(entry.title.split())
            where = shown_path(invocation, path_of(entry.at))
            show_text(f"  {library.short(entry.ref)}  {where}\n    {text}")
    _tell_pairs(library, close)
    for system in library.formats:
        for sentence in system.facets.said_again(library) if system.facets.said_again else ():
            say(f"note: {sentence}")


def _close(library: Library) -> Iterator[Pair]:
    """Yield what is alike in stores, then rules that conflict in files which agents load."""
    yield from pairs(library)
    for issue in opposed_issues(library):
        beside = issue.arguments.get(BESIDE)
        if issue.ref is not None and isinstance(beside, str):
            first, second = library.entry(Ref.parse(beside)), library.entry(issue.ref)
            because = why_opposed(first, second)
            yield Pair(first, second, Likeness(Alike.CONTRADICTION, 0, because=because))


def _tell_pairs(library: Library, close: Sequence[Pair]) -> None:
    """Print which entries in force say nearly the same, or conflict, with the words that differ."""
    if not close:
        say("note: no rules are similar or in conflict; `remem queue` has what waits")
        return
    show_text("\nSimilar, or in conflict", bold=True)
    for pair in close[:_PAIRS]:
        one, other = library.short(pair.first.ref), library.short(pair.second.ref)
        because = f" ({pair.likeness.because})" if pair.likeness.because else ""
        show_text(f"{one} and {other}: {relation(pair.likeness.alike).rpartition(' ')[0]}{because}")
        for entry in (pair.first, pair.second):
            show_text(f"    {' '.join(entry.title.split())}")
    if len(close) > _PAIRS:
        say(f"note: {len(close) - _PAIRS:,} more; `--json` has all")
    say(
        "note: `remem merge REF --into REF` joins two; `remem supersede`, `remem scope` and "
        "`remem keep-both` settle a conflict"
    )


def _emit(invocation: Invocation, rules: Sequence[Told], close: Sequence[Pair]) -> None:
    from remem.views.documents.entries import (
        CopyReport,
        CostReport,
        DuplicatesReport,
        PairReport,
        RuleReport,
    )

    library, counter = invocation.session.library, invocation.session.counter
    emit(
        DuplicatesReport(
            encoding=counter.encoding,
            exact=counter.exact,
            rules=tuple(
                RuleReport(
                    keep=library.short(rule.keep.ref),
                    is_exact=rule.is_exact,
                    copies=tuple(
                        CopyReport(
                            ref=library.short(entry.ref),
                            kind=entry.kind,
                            path=shown_path(invocation, path_of(entry.at)),
                            text=entry.title,
                        )
                        for entry in rule.copies
                    ),
                    costs=tuple(
                        CostReport(agent=cost.agent, tokens=cost.tokens) for cost in rule.costs
                    ),
                )
                for rule in rules
            ),
            pairs=tuple(
                PairReport(
                    refs=(library.short(pair.first.ref), library.short(pair.second.ref)),
                    relation=relation(pair.likeness.alike),
                    because=pair.likeness.because,
                )
                for pair in close
            ),
        )
    )
