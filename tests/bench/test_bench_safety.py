"""What agents and a person who decides cost each other, beside the usual way of writing."""

import statistics
from pathlib import Path

import pytest
from tests.bench.measure import Report
from tests.hostile.torture import SCENARIOS, Stretch, Sum, torture

LINES = {"A": 800, "B": 150, "W": 150, "A+B+W": 600}
EDITS = 8
STAGES = 4


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_lines_and_decisions_lost_under_traffic(
    report: Report, tmp_path: Path, scenario: str
) -> None:
    is_short = report.rounds < STAGES
    stages, lines = (1, LINES[scenario] // 2) if is_short else (STAGES, LINES[scenario])
    stretches = [Stretch(scenario, kind, stages, lines, EDITS) for kind in ("persona", "store")]

    found = torture(tmp_path / "remem", stretches)[scenario]
    control = torture(tmp_path / "plain", stretches, plain=True)[scenario]

    report.plain(
        f"agents {scenario}: lines lost; decisions lost; repeated lines",
        "0; 0; ≤ 1 %",
        _sentence(found),
        f"{_sentence(control)}: write and rename over",
        f"{len(found.lost)}; {len(found.edits_lost)}; {found.share_of_duplicates:.2%}",
    )
    report.plain(
        f"agents {scenario}: a decision while they write, p50; p99",
        "stated",
        _times(found),
        f"{_times(control)}: write, fsync, rename over",
    )
    assert found.edits
    assert len(control.lost) + len(control.edits_lost) > 0


def _sentence(found: Sum) -> str:
    return (
        f"{len(found.lost):,} of {found.written:,}; {len(found.edits_lost):,} of {found.edits:,};"
        f" {found.duplicates:,}"
    )


def _times(found: Sum) -> str:
    taken = found.milliseconds
    last = statistics.quantiles(taken, n=100)[-1] if len(taken) > 1 else taken[0]
    return f"{statistics.median(taken):.1f} ms; {last:.1f} ms"
