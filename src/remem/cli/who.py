"""What `why` prints where nobody is named: who gets a rule, how often, and who misses it."""

from __future__ import annotations

from typing import Final

from remem.base.errors import UnknownRef
from remem.cli.documents import path_of
from remem.cli.invocation import Invocation
from remem.cli.naming import shown_path
from remem.cli.out import emit, print_table, show_text
from remem.core.prompt.agents import ROLE
from remem.core.relation.who_gets import Cell, How, Listener, Matrix, Rule
from remem.views.documents.prompt import CopyReport, GetsReport, GotReport, RuleReport, WhyAllReport
from remem.views.glyphs import UNICODE
from remem.views.who_gets import (
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


def tell_all(invocation: Invocation, role: str, agent: str) -> None:
    """Print who gets which rule.

    Args:
        invocation: Where.
        role: Only what this role misses and another gets; empty = all rules.
        agent: The same of an agent or a persona.

    Raises:
        UnknownRef: Nobody of that name starts here.
    """
    invocation.session.load_counter()
    matrix = matrix_of(invocation.session)
    name = role or agent
    rules = matrix.rules if not name else _missed(matrix, name, is_role=bool(role))
    if invocation.as_json:
        counter = invocation.session.counter
        emit(
            WhyAllReport(
                encoding=counter.encoding,
                exact=counter.exact and all(each.exact for each in matrix.listeners),
                thorough=matrix.is_thorough,
                rules=tuple(rule_report(invocation, matrix, rule) for rule in rules),
            )
        )
        return
    if not rules:
        show_text(f"{name} gets every rule the others get." if name else _nothing(matrix))
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


def _missed(matrix: Matrix, name: str, *, is_role: bool) -> tuple[Rule, ...]:
    """Return what one of that name misses: of a role and an agent called alike, the one meant."""
    names = [each.name for each in matrix.listeners]
    called = [at for at, each in enumerate(names) if each.casefold() == name.casefold()]
    called.sort(key=lambda at: (matrix.listeners[at].tool == ROLE) is not is_role)
    place = next(iter(called), None)
    if place is None:
        there = ", ".join(f"`{each}`" for each in names[:9] if each)
        hint = f"here: {there}" if there else "no agents or roles here"
        raise UnknownRef(f"no agent or role is called `{name}`", hint=hint)
    return tuple(
        rule
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
    show_text("Agents that get it", bold=True)
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
