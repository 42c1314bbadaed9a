from pathlib import Path

from remem.core.session import Session
from remem.core.settings import Places
from remem.core.waiting.item import Why
from remem.demo.build import build_demo, home_of
from remem.views import review_groups
from remem.views.signs import reason_sign


def test_every_reason_to_wait_has_a_sign_of_its_own() -> None:
    drawn = {reason_sign(reason).text for reason in Why}

    assert len(drawn) == len(Why)


def test_a_kind_stands_at_an_item_unless_the_heading_above_tells_it(tmp_path: Path) -> None:
    bench = Session.open(build_demo(tmp_path), Places.of(home_of(tmp_path)), door="tui")
    found = review_groups.board(bench.library, bench.queue(), ())
    rows = [found.rows.row(place) for place in found.places]
    kinds = {
        item.title: "".join(part.text for part in row.right)
        for item, row in zip(bench.queue(), rows, strict=True)
    }
    bench.close()

    assert kinds["Tide tables as constants in code"] == ""
    assert "anti-pattern" in kinds.values()
