"""Digests are those of the bytes, however they were come by."""

from hashlib import sha256

import pytest

from remem.base.digests import (
    begin_digest,
    begin_digest_of_new,
    forget_digest,
    remember_digest,
)
from remem.base.effects import digest_of

BIG = 300_000


@pytest.mark.parametrize("size", [0, 10, BIG], ids=["nothing", "little", "much"])
def test_a_digest_that_another_thread_works_out_is_that_of_the_bytes(size: int) -> None:
    data = b"begun" * (size // 5)

    begin_digest(data)

    assert digest_of(data) == sha256(data).hexdigest()[:32]


@pytest.mark.parametrize("size", [0, 10, BIG], ids=["nothing", "little", "much"])
def test_what_was_just_made_has_the_digest_of_its_bytes_however_it_is_asked_for(size: int) -> None:
    data = b"made!" * (size // 5)

    begin_digest_of_new(data)

    assert digest_of(bytes(bytearray(data))) == sha256(data).hexdigest()[:32]
    assert digest_of(data) == sha256(data).hexdigest()[:32]


def test_a_digest_is_there_where_no_thread_can_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("remem.base.digests.start_new_thread", refuse)
    data = b"without a thread" * (BIG // 16)

    begin_digest_of_new(data)

    assert digest_of(data) == sha256(data).hexdigest()[:32]


def test_equal_bytes_have_the_digest_that_is_remembered_and_others_have_their_own() -> None:
    data = b"a line of text\n" * (BIG // 15)
    remember_digest(data, "known")

    assert digest_of(bytes(bytearray(data))) == "known"
    assert digest_of(data[:-1] + b"!") == sha256(data[:-1] + b"!").hexdigest()[:32]
    assert digest_of(data[:-1]) == sha256(data[:-1]).hexdigest()[:32]


def test_what_was_not_asked_for_lately_is_worked_out_anew() -> None:
    data = b"asked for long ago" * (BIG // 18)
    remember_digest(data, "known")

    for number in range(80):
        digest_of(b"%d" % number * BIG)

    assert digest_of(data) == sha256(data).hexdigest()[:32]


def test_equal_bytes_are_not_worked_out_again_and_keep_their_digest() -> None:
    data = b"written and read again" * (BIG // 22)
    remember_digest(data, "known")
    again = bytes(bytearray(data))

    begin_digest(again)

    assert digest_of(again) == digest_of(data) == "known"


def test_what_is_forgotten_is_worked_out_anew() -> None:
    data = b"looked at and never written" * (BIG // 27)
    remember_digest(data, "known")

    forget_digest(data)

    assert digest_of(data) == sha256(data).hexdigest()[:32]
