from pathlib import Path

from tests.demo_files import demo_at

from remem.core.session import Session
from remem.core.settings import Places
from remem.core.waiting.item import Why
from remem.demo.build import home_of
from remem.views.review import groups
from remem.views.signs import reason_sign
from remem.views.spans import plain


def test_every_reason_to_wait_has_a_sign_of_its_own() -> None:
    drawn = {reason_sign(reason).text for reason in Why}

    assert len(drawn) == len(Why)


def test_a_kind_stands_at_an_item_unless_the_heading_above_tells_it(tmp_path: Path) -> None:
    bench = Session.open(demo_at(tmp_path), Places.of(home_of(tmp_path)), door="tui")
    found = groups.board(bench.library, bench.queue(), ())
    rows = [found.rows.row(place) for place in found.places]
    kinds = {
        item.title: "".join(part.text for part in row.right)
        for item, row in zip(bench.queue(), rows, strict=True)
    }
    bench.close()

    assert kinds["Tide tables as constants in code"] == ""
    assert "anti-pattern" in kinds.values()


def test_a_category_is_named_whole_where_the_queue_is_narrow(tmp_path: Path) -> None:
    bench = Session.open(demo_at(tmp_path), Places.of(home_of(tmp_path)), door="tui")
    found = groups.board(bench.library, bench.queue(), ())
    rows = [found.rows.row(place) for place in range(len(found.rows))]

    row = next(row for row in rows if plain(row.label).strip() == "estimation")

    assert plain(row.right) == "3 of 3 can go into estimates"
    assert plain(row.narrow) == "3 of 3 to apply"
