from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remem.base.errors import UnknownRef
from remem.model.entry import Entry, Problem, Ref, Status, WholeFile, digest_of

NAMES = st.text("aZ0 ~#/@:%é界.\x00\u202e-\udcff", min_size=1)
"""The last sign is a byte of a file's name that is not UTF-8."""


@given(name=NAMES, place=st.just("") | NAMES, twin=st.sampled_from([0, 2, 17]))
def test_a_ref_reads_what_it_wrote(name: str, place: str, twin: int) -> None:
    ref = Ref("persona", name, place, twin)

    assert Ref.parse(str(ref)) == ref


@given(name=NAMES)
def test_a_written_ref_holds_no_sign_that_a_terminal_obeys(name: str) -> None:
    assert str(Ref("sniper", name)).isascii()
    assert str(Ref("sniper", name)).isprintable()


@pytest.mark.parametrize("text", ["", "conv-001", "sniper:", ":conv-001", "Sniper:x", "a b:c"])
def test_a_text_that_is_no_ref_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(UnknownRef) as caught:
        Ref.parse(text)

    assert "sniper:conv-001" in caught.value.hint


def test_a_ref_is_written_as_people_know_it() -> None:
    assert str(Ref("sniper", "conv-001")) == "sniper:conv-001"
    assert str(Ref("persona", "hill#3f2a9c", "squad")) == "persona@squad:hill#3f2a9c"
    assert str(Ref("sniper", "conv-001", twin=2)) == "sniper:conv-001~2"


def test_an_entry_with_a_blocking_problem_is_read_only() -> None:
    entry = Entry(
        Ref("sniper", "conv-001"), "convention", "x", Status.ACTIVE, WholeFile(Path("a")), ""
    )
    broken = Entry(
        entry.ref,
        entry.kind,
        entry.title,
        entry.status,
        entry.at,
        "",
        problems=(Problem("duplicate-key", "`rule` stands twice", blocks_writing=True),),
    )

    assert not entry.is_read_only
    assert broken.is_read_only


def test_digests_tell_bytes_apart() -> None:
    assert digest_of(b"a") != digest_of(b"b")
    assert len(digest_of(b"")) == 32
