"""What looking for what agents wrote costs: a hook's snapshot, a prompt's line, an opening."""

import sys
from pathlib import Path
from time import process_time

from tests.bench.measure import Report, in_turns, process, process_cpu, python
from tests.bench.workspaces import rule

from remem.core.session import Session
from remem.core.settings import Places

REMEM = str(Path(sys.executable).with_name("remem"))


def rules(root: Path, files: int, entries: int) -> int:
    """Write that many rule files with that many entries each; return how many bytes they have."""
    folder, size = root / ".claude" / "rules", 0
    folder.mkdir(parents=True)
    for number in range(files):
        lines = (f"- {rule(number * entries + line)}\n" for line in range(entries))
        size += (folder / f"rule-{number}.md").write_text(f"# Rules {number}\n\n{''.join(lines)}")
    return size


def test_a_snapshot_of_what_did_not_change_against_bare_python(
    report: Report, tmp_path: Path
) -> None:
    rules(tmp_path / "root", 200, 20)
    where = ["--root", str(tmp_path / "root"), "--home", str(tmp_path / "home")]
    snapshot = [REMEM, "snapshot", *where]
    process(snapshot)

    taken, bare = in_turns(
        report.rounds * 3, lambda: process_cpu(snapshot), lambda: process_cpu(python("pass"))
    )

    report.plain(
        "`remem snapshot`, 200 unchanged files, CPU",
        "≤ 50 ms over bare Python",
        f"{taken:.0f} ms",
        f"{bare:.0f} ms: bare Python",
        f"+{taken - bare:.0f} ms",
    )
    process([REMEM, "status", "--no-growth", *where])
    short = [REMEM, "status", "--short", *where]
    taken, bare = in_turns(
        report.rounds * 3, lambda: process_cpu(short), lambda: process_cpu(python("pass"))
    )
    report.plain(
        "`remem status --short`, 200 files, CPU",
        "≤ 100 ms",
        f"{taken:.0f} ms",
        f"{bare:.0f} ms: bare Python",
        f"{taken:.0f} ms",
    )


def test_opening_where_nothing_changed_and_what_the_baseline_takes(
    report: Report, tmp_path: Path
) -> None:
    root, places = tmp_path / "root", Places.of(tmp_path / "home")
    size = rules(root, 1_000, 100)
    session = Session.open(root, places, door="tui")
    session.begin()
    session.close()
    session = Session.open(root, places, door="tui")
    for _ in session.library.complete():
        pass
    session.begin()

    def look() -> float:
        session.inbox._kept = None  # as the first look of a process
        begin = process_time()
        found = session.inbox.look(session.library)
        assert not found
        return (process_time() - begin) * 1_000

    (taken,) = in_turns(report.rounds, look)
    entries = sum(1 for _ in session.library.entries())
    assert entries == 100_000
    report.plain(
        "compare 100,000 entries in 1,000 files with the baseline, unchanged, CPU",
        "≤ 50 ms",
        f"{taken:.1f} ms",
        "",
    )
    kept = session.inbox.versions.path.stat().st_size
    report.plain(
        "the baseline of 100,000 entries",
        "≤ 0.5 × their bytes",
        f"{kept / 1024:,.0f} KiB",
        f"{size / 1024:,.0f} KiB of memory",
        f"{kept / size:.2f} ×",
    )
    session.close()
