"""Tells how sure an entry is and how that came about, for `remem show`."""

from __future__ import annotations

from remem.cli.out import NOTHING, print_table, show_text
from remem.model.trajectory import Row, Threshold, Trajectory
from remem.views.documents.learnings import ConfidenceReport, ConfidenceRow, ThresholdReport

_POINTS = 12
"""Of the way to now that one line holds; the newest are kept."""


def confidence_report(found: Trajectory) -> ConfidenceReport:
    """Return the ledger as a document has it."""
    return ConfidenceReport(
        now=found.now,
        approximate=found.approximate,
        rows=tuple(
            ConfidenceRow(
                time=row.time,
                event=row.event,
                delta=row.delta,
                before=row.before,
                after=row.after,
                by=row.by,
                detail=row.detail,
                story=row.story,
                approximate=row.about_before or row.about_after,
            )
            for row in found.rows
        ),
        points=found.points,
        up=_threshold(found.up),
        down=_threshold(found.down),
        what_if=found.what_if,
    )


def print_confidence(found: Trajectory) -> None:
    """Print the ledger below an entry: a line for each event, then what comes next."""
    about = "≈ " if found.approximate else ""
    path = " → ".join(f"{point:g}" for point in found.points[-_POINTS:])
    is_about = any(row.about_before for row in found.rows)
    way = f" ({'≈ ' if is_about else ''}{path})" if len(found.points) > 1 else ""
    show_text(f"\nconfidence {about}{found.now:g}{way}", bold=True)
    print_table(
        ("TIME", "EVENT", "DELTA", "BEFORE", "AFTER", "BY", "DETAIL"),
        [_cells(row) for row in found.rows],
    )
    for sign, each in (("above", found.up), ("below", found.down)):
        if each is not None:
            show_text(f"next {sign}: {each.at:g}, {each.means} ({each.away})", dim=True)
    for sentence in found.what_if:
        show_text(sentence, dim=True)


def _cells(row: Row) -> tuple[str, ...]:
    delta = NOTHING if row.delta is None else f"{row.delta:+g}"
    before, after = (
        NOTHING if each is None else f"{'≈ ' if about else ''}{each:g}"
        for each, about in ((row.before, row.about_before), (row.after, row.about_after))
    )
    when = " ".join(filter(None, (row.story, row.time)))
    return (when or NOTHING, row.event, delta, before, after, row.by or NOTHING, row.detail)


def _threshold(found: Threshold | None) -> ThresholdReport | None:
    if found is None:
        return None
    return ThresholdReport(at=found.at, means=found.means, away=found.away)
