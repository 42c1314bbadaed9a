"""What an item can be merged into: first what it is like, then what says most of the same words."""

from pathlib import Path

from remem.core.session import Session
from remem.core.settings import Places
from remem.views.review.item_card import merge_into

STORE = """conventions:
  - id: conv-001
    rule: "Buttons say what they do"
    status: confirmed
  - id: conv-002
    rule: "Deck space is counted in lane centimetres, never in cars"
    status: confirmed
  - id: conv-003
    rule: "Before a sailing closes, somebody checks the deck space and logs the lane centimetres"
    status: candidate
"""


def test_what_shares_words_with_an_item_comes_before_the_rest_of_its_file(tmp_path: Path) -> None:
    store = tmp_path / "port/.sniper/memory/conventions.yaml"
    store.parent.mkdir(parents=True)
    store.write_text(STORE)
    session = Session.open(tmp_path / "port", Places.of(tmp_path / "home"), door="tui")
    (item,) = session.queue()

    found = merge_into(session.library, item, session.likes(item))

    assert session.likes(item) == ()
    assert [ref.id for ref in found] == ["conv-002", "conv-001"]
    session.close()
