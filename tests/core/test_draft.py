"""Plans on top of each other come out as splices against the bytes on disk."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sniper_files import CONVENTIONS, FORMATTINGS, project

from remem.base.errors import Refused, UnknownRef
from remem.core.draft import Draft, Sheet
from remem.edit.lines import spliced
from remem.model.change import Create, Splice
from remem.model.entry import digest_of

PATH = Path("store.yaml")
PUTS = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 8), st.binary(max_size=5)), max_size=8)


@given(base=st.binary(max_size=20), puts=PUTS)
def test_a_sheet_gives_one_set_of_splices_for_any_series_of_puts(
    base: bytes, puts: list[tuple[int, int, bytes]]
) -> None:
    sheet, wanted = Sheet(PATH, base), base

    for at, length, new in puts:
        start = min(at, len(wanted))
        end = min(start + length, len(wanted))
        sheet.put(start, end, new)
        wanted = wanted[:start] + new + wanted[end:]

    splices = [effect for effect in sheet.effects() if isinstance(effect, Splice)]
    assert sheet.now == wanted
    assert spliced(base, splices) == wanted
    assert {splice.planned_on for splice in splices} <= {digest_of(base)}


@given(base=st.binary(min_size=6, max_size=20), news=st.lists(st.binary(max_size=3), max_size=4))
def test_puts_on_the_base_keep_their_order_at_one_place(base: bytes, news: list[bytes]) -> None:
    sheet = Sheet(PATH, base)

    for new in news:
        sheet.put_on_base(len(base), len(base), new)
    sheet.put_on_base(1, 3, b"!")
    for new in news:
        sheet.put_on_base(0, 0, new)

    joined = b"".join(news)
    assert sheet.now == joined + base[:1] + b"!" + base[3:] + joined
    with pytest.raises(Refused, match="overlap"):
        sheet.put_on_base(2, 4, b"?")


def test_a_sheet_of_a_new_file_creates_it() -> None:
    sheet = Sheet(PATH, None)
    sheet.put(0, 0, b"ac")

    sheet.put(1, 1, b"b")

    assert sheet.effects() == (Create(PATH, b"abc"),)


def test_an_entry_that_has_left_the_draft_is_not_found(tmp_path: Path) -> None:
    library = project(tmp_path, {CONVENTIONS: FORMATTINGS["block"]})
    draft, entry = Draft(library), library.resolve("conv-002")
    each = library.format_of(entry)

    draft.take(each.keeper.remove(*draft.find(entry.ref)))

    assert draft.find(library.resolve("conv-003").ref)[1].title == "Names are verbs"
    with pytest.raises(UnknownRef, match="is chosen twice"):
        draft.find(entry.ref)


def test_one_file_is_not_made_twice_with_different_bytes(tmp_path: Path) -> None:
    draft = Draft(project(tmp_path, {CONVENTIONS: FORMATTINGS["block"]}))
    draft.take([Create(tmp_path / "new.md", b"a")])

    draft.take([Create(tmp_path / "new.md", b"a")])

    with pytest.raises(Refused, match="would be created twice"):
        draft.take([Create(tmp_path / "new.md", b"b")])
