"""What `why` prints where nobody is named: who gets a rule, how often, and who misses it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from remem.base.errors import UnknownRef
from remem.base.text import count
from remem.cli.find_named import shown_path
from remem.cli.invocation import Invocation
from remem.cli.json_pieces import path_of
from remem.cli.out import emit, print_table, show_text
from remem.core.library import Library
from remem.core.prompt.budget import fits_in_words
from remem.core.prompt.everyones_starts import ROLE
from remem.core.prompt.why import because_of, target_of
from remem.core.relation.who_gets import Cell, How, Listener, Matrix, Rule
from remem.model.entry import Entry
from remem.model.prompt import Ask, Prompt
from remem.views.documents.prompt import (
    CopyReport,
    GetsReport,
    GotReport,
    InOrOutReport,
    RuleReport,
    WhyAllReport,
)
from remem.views.glyphs import UNICODE
from remem.views.prompts.who_gets import (
    called,
    copies_in_words,
    head_of,
    legend,
    matrix_of,
    place_of,
    signs_of,
)

_SHOWN: Final = 40
"""Rules that have a line each; `--json` has all."""
_TITLE: Final = 72
"""Characters of a rule in one line."""
_HOW: Final = {How.START: "at startup", How.LATER: "later", How.NEVER: "never"}


def tell_one(invocation: Invocation, prompt: Prompt) -> None:
    """Print what is in somebody's prompt and what is out, each with the reason.

    Args:
        invocation: Where.
        prompt: What they are given.

    Raises:
        UnknownRef: Nobody of that name starts here.
    """
    ask = prompt.ask
    matrix = matrix_of(invocation.session)
    missed = _missed(matrix, ask.role or ask.persona or ask.agent, is_role=bool(ask.role))
    entries = tuple(_in_or_out(invocation.session.library, prompt, missed))
    if invocation.as_json:
        rules = tuple(rule_report(invocation, matrix, rule) for rule, _ in missed)
        emit(_all_report(invocation, matrix, rules, entries))
        return
    about = "" if prompt.exact else "≈"
    library = invocation.session.library
    asked = {verdict.ref for verdict in prompt.verdicts if library.has(verdict.ref)}
    inside = sum(each.included for each in entries)
    target = target_of(prompt)
    others = len(entries) - len(asked)
    more = f"; {others:,} more reach others" if others > 0 else ""
    show_text(
        f"{target[:1].upper()}{target[1:]}: {inside:,} of "
        f"{count(asked, 'entry', 'entries')}, {about}{count(prompt.tokens, 'token')}{more}",
        bold=True,
    )
    for line in fits_in_words(prompt):
        show_text(line)
    print_table(
        ("IN PROMPT", "REF", "TOKENS", "WHY", "ENTRY"),
        [
            (
                "yes" if each.included else "no",
                each.ref,
                f"{about}{each.tokens:,}" if each.tokens else "",
                each.because,
                each.title,
            )
            for each in entries
        ],
        labelled=True,
    )


def tell_roles(invocation: Invocation, entry: Entry, asks: Sequence[Ask]) -> None:
    """Print which of some roles have an entry in their prompt, and why others have not."""
    session = invocation.session
    show_text(f"Which roles have {session.library.short(entry.ref)} in their prompt", bold=True)
    rows: list[tuple[str, ...]] = []
    for ask in asks:
        found = session.why(entry.ref, ask)
        about = "" if session.counter.exact else "≈"
        tokens = f"{about}{found.tokens:,}" if found.tokens else ""
        rows.append((ask.role, "yes" if found.is_in else "no", tokens, found.because))
    print_table(("ROLE", "IN PROMPT", "TOKENS", "WHY"), rows, labelled=True)


def _in_or_out(
    library: Library, prompt: Prompt, missed: Sequence[tuple[Rule, Cell]]
) -> Iterator[InOrOutReport]:
    """Yield what is in, in the order of the prompt, what is out, and what others get beside it."""
    told = {verdict.ref: verdict for verdict in prompt.verdicts if verdict.is_in}
    for verdict in prompt.verdicts:
        told.setdefault(verdict.ref, verdict)
    for verdict in told.values():
        if library.has(verdict.ref):
            entry = library.entry(verdict.ref)
            why = because_of(entry, verdict, prompt, library.source_of(entry.ref).owner)
            yield _report_of(library, entry, why, verdict.tokens, included=verdict.is_in)
    for rule, cell in missed:
        # What stands in memories of other agents alone is not meant for this one.
        if not (rule.is_own or any(entry.ref in told for entry in rule.copies)):
            yield _report_of(library, rule.copies[0], cell.why, 0, included=False)


def _report_of(
    library: Library, entry: Entry, why: str, tokens: int, *, included: bool
) -> InOrOutReport:
    title = " ".join(entry.title.split())
    return InOrOutReport(
        ref=library.short(entry.ref), title=title, included=included, tokens=tokens, because=why
    )


def _all_report(
    invocation: Invocation,
    matrix: Matrix,
    rules: tuple[RuleReport, ...],
    entries: tuple[InOrOutReport, ...] = (),
) -> WhyAllReport:
    counter = invocation.session.counter
    return WhyAllReport(
        encoding=counter.encoding,
        exact=counter.exact and all(each.exact for each in matrix.listeners),
        thorough=matrix.is_thorough,
        rules=rules,
        entries=entries,
    )


def tell_all(invocation: Invocation) -> None:
    """Print who gets which rule."""
    invocation.session.load_counter()
    matrix = matrix_of(invocation.session)
    rules = matrix.rules
    if invocation.as_json:
        told = tuple(rule_report(invocation, matrix, rule) for rule in rules)
        emit(_all_report(invocation, matrix, told))
        return
    if not rules:
        show_text(_nothing(matrix))
        return
    for place, each in enumerate(matrix.listeners):
        show_text(f"{head_of(place)} {called(each)}")
    show_text(legend(UNICODE), dim=True)
    print_table(
        ("GETS", "RULE", "COPIES", "REF"),
        [_row(invocation, rule) for rule in rules[:_SHOWN]],
    )
    rest = len(rules) - _SHOWN
    if rest > 0:
        show_text(f"… and {rest:,} more; `remem why --json` lists all")
    if not matrix.is_thorough:
        show_text("Too many rules: differences in numbers were not compared.")


def _nothing(matrix: Matrix) -> str:
    return "No active rules here." if matrix.listeners else "No agent loads memory at startup here."


def _missed(matrix: Matrix, name: str, *, is_role: bool) -> tuple[tuple[Rule, Cell], ...]:
    """Return what one of that name misses, each with why it does.

    Of a role and an agent called alike, the one that is meant.
    """
    names = [each.name for each in matrix.listeners]
    called = [at for at, each in enumerate(names) if each.casefold() == name.casefold()]
    called.sort(key=lambda at: (matrix.listeners[at].tool == ROLE) is not is_role)
    place = next(iter(called), None)
    if place is None:
        there = ", ".join(f"`{each}`" for each in names[:9] if each)
        hint = f"here: {there}" if there else "no agents or roles here"
        raise UnknownRef(f"no agent or role is called `{name}`", hint=hint)
    return tuple(
        (rule, rule.cells[place])
        for rule in matrix.rules
        if rule.cells[place].how is How.NEVER and rule.missing < len(rule.cells)
    )


def _row(invocation: Invocation, rule: Rule) -> tuple[str, str, str, str]:
    title = " ".join(rule.title.split())
    title = f"{title[: _TITLE - 1]}…" if len(title) > _TITLE else title
    copies = copies_in_words(rule) if len(rule.copies) > 1 else ""
    ref = invocation.session.library.short(rule.copies[0].ref)
    return signs_of(rule, UNICODE), title, copies, ref


def tell_rule(invocation: Invocation, matrix: Matrix, rule: Rule) -> None:
    """Print who gets one rule and who misses it, and its copies."""
    show_text("Which agents get it", bold=True)
    library = invocation.session.library
    rows = []
    for listener, cell in zip(matrix.listeners, rule.cells, strict=True):
        about = "" if listener.exact else "≈"
        tokens = f"{about}{cell.tokens:,}" if cell.heard else ""
        places = [
            f"{place_of(library, x.ref, x.layer)}{f', when {x.joins}' if x.joins else ''}"
            for x in cell.heard
        ]
        times = f"{cell.times}" if cell.heard else ""
        where = "; ".join(places) or cell.why
        rows.append((called(listener), _HOW[cell.how], times, tokens, where))
    print_table(("WHO", "GETS IT", "TIMES", "TOKENS", "FROM / WHY NOT"), rows)
    if len(rule.copies) > 1:
        show_text(f"\n{copies_in_words(rule)}", bold=True)
        for entry in rule.copies:
            text = " ".join(entry.title.split())
            where = shown_path(invocation, path_of(entry.at))
            show_text(f"  {library.short(entry.ref)}  {where}\n    {text}")


def rule_report(invocation: Invocation, matrix: Matrix, rule: Rule) -> RuleReport:
    """Return a rule as a document has it."""
    library = invocation.session.library
    return RuleReport(
        title=rule.title,
        drifted=rule.drifted,
        opposed=rule.is_opposed,
        own=rule.is_own,
        texts=rule.texts,
        missing=rule.missing,
        copies=tuple(
            CopyReport(
                ref=library.short(entry.ref),
                path=shown_path(invocation, path_of(entry.at)),
                text=entry.title,
            )
            for entry in rule.copies
        ),
        gets=tuple(
            _gets(invocation, listener, cell)
            for listener, cell in zip(matrix.listeners, rule.cells, strict=True)
        ),
    )


def _gets(invocation: Invocation, listener: Listener, cell: Cell) -> GetsReport:
    library = invocation.session.library
    return GetsReport(
        name=listener.name,
        tool=listener.tool,
        how=cell.how.value,
        times=cell.times,
        tokens=cell.tokens,
        copies=tuple(
            GotReport(
                ref=library.short(each.ref),
                path=shown_path(invocation, library.source_of(each.ref).path),
                tokens=each.tokens,
                joins=each.joins,
            )
            for each in cell.heard
        ),
        why=cell.why,
    )
