"""What is asked of every row of the queue is found out once for each snapshot."""

from collections import Counter
from pathlib import Path

import pytest

from remem.core.library import Library
from remem.core.waiting.kinds import Decided
from remem.model.entry import Entry, Ref
from remem.systems.sniper.waiting import Findings
from remem.tui.screenshots import demo_bench
from remem.views.review.groups import board


def test_what_became_of_a_finding_is_found_out_once_for_the_queue_and_all_its_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = demo_bench(tmp_path)
    find, asked = Findings.settled, Counter[Ref]()

    def counted(kind: Findings, library: Library, entry: Entry) -> Decided | None:
        asked[entry.ref] += 1
        return find(kind, library, entry)

    monkeypatch.setattr(Findings, "settled", counted)

    items = session.queue()
    board(session.library, items, ())
    assert set(asked.values()) == {1}

    # Another snapshot is another answer: what was approved is settled there.
    item = next(item for item in items if item.group == "sprint-6-retro")
    session.apply(session.intend("approve", [session.library.entry(item.ref)]))
    asked.clear()
    session.queue()
    assert asked[item.ref] == 1
