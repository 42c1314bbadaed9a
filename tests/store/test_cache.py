"""What is kept for later is as it was kept, or it is absent: never wrong, never in the way."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import ParamSpec, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remem.store.cache import Cache
from remem.store.io import Disk

P = ParamSpec("P")
R = TypeVar("R")
PARTS = st.lists(st.one_of(st.text(), st.binary(), st.integers()), max_size=4)


def opened(folder: Path, *, day: int = 1, most: int = 1 << 20) -> Cache:
    return Cache(Disk(), folder, day, most=most)


def kept(folder: Path, **answers: bytes) -> Cache:
    cache = opened(folder)
    for name, data in answers.items():
        cache.put(data, "kind", name)
    assert cache.keep()
    cache.close()
    return opened(folder)


def test_another_process_finds_what_one_kept(tmp_path: Path) -> None:
    kept(tmp_path / "cache", one=b"1", two=b"")

    again = opened(tmp_path / "cache")

    assert again.get("kind", "one") == b"1"
    assert again.get("kind", "two") == b""
    assert again.get("kind", "three") is None
    assert again.get("other", "one") is None
    again.close()


def test_reading_makes_no_file(tmp_path: Path) -> None:
    cache = opened(tmp_path / "cache")

    assert cache.get("kind", "one") is None
    assert not cache.keep()
    assert [*tmp_path.iterdir()] == []


class Asked(Disk):
    """Remembers what it was asked about."""

    def __init__(self) -> None:
        self.about: list[str] = []

    def perform(self, name: str, call: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        self.about += [str(each) for each in args[:1]]
        return super().perform(name, call, *args, **kwargs)


def test_where_nothing_was_kept_the_code_is_not_looked_at(tmp_path: Path) -> None:
    disk, code = Asked(), tmp_path / "code"
    cache = Cache(disk, tmp_path / "cache", 1, code=code)

    assert cache.get("kind", "name") is None
    assert str(code) not in disk.about

    cache.put(b"answer", "kind", "name")
    assert cache.get("kind", "name") == b"answer"
    assert str(code) in disk.about


def test_what_is_to_be_kept_is_found_before_it_is(tmp_path: Path) -> None:
    cache = opened(tmp_path)

    cache.put(b"1", "kind", "one")

    assert cache.get("kind", "one") == b"1"


def test_of_what_changes_again_and_again_only_the_newest_answer_is_made_and_kept(
    tmp_path: Path,
) -> None:
    cache, made = opened(tmp_path), list[bytes]()

    def newest(of: str, answer: bytes) -> None:
        def make() -> bytes:
            made.append(answer)
            return answer

        cache.put_newest(of, make, "kind", answer)

    for number in range(5):
        newest("pairs", b"%d" % number)
    newest("words", b"7")
    assert not made
    assert cache.get("kind", b"4") == b"4"
    assert cache.get("kind", b"3") is None

    assert cache.keep()
    again = opened(tmp_path)

    assert sorted(made) == [b"4", b"4", b"7"]
    assert [again.get("kind", b"%d" % number) for number in (2, 3, 4, 7)] == [
        None, None, b"4", b"7",
    ]  # fmt: skip
    assert not cache.keep()
    again.close()


@given(one=PARTS, other=PARTS)
def test_answers_of_other_questions_are_never_taken_for_each_other(
    tmp_path_factory: pytest.TempPathFactory, one: list[str | bytes], other: list[str | bytes]
) -> None:
    cache = opened(tmp_path_factory.mktemp("cache"))

    cache.put(b"1", "kind", *one)

    is_same = list(map(repr, one)) == list(map(repr, other))
    assert (cache.get("kind", *other) == b"1") == is_same


def test_another_remem_finds_nothing_of_this_one(tmp_path: Path) -> None:
    code = tmp_path / "code"
    (code / "room").mkdir(parents=True)
    (code / "room" / "one.py").write_text("1\n")

    def this_one() -> Cache:
        return Cache(Disk(), tmp_path, code=code)

    cache = this_one()
    cache.put(b"1", "kind", "one")
    assert cache.keep()
    cache.close()
    assert this_one().get("kind", "one") == b"1"

    (code / "room" / "one.py").write_text("12\n")

    assert this_one().get("kind", "one") is None


@pytest.mark.parametrize("at", [0, 20, 2_000, 5_000, -10, -200])
def test_a_flipped_bit_anywhere_makes_an_answer_absent_or_leaves_it_right(
    tmp_path: Path, at: int
) -> None:
    answers = {f"n{number}": bytes([number]) * 300 for number in range(20)}
    cache = kept(tmp_path, **answers)
    data = bytearray(cache.path.read_bytes())
    data[at] ^= 0x10
    cache.path.write_bytes(bytes(data))

    found = {name: cache.get("kind", name) for name in answers}

    assert all(data in (None, answers[name]) for name, data in found.items())
    cache.put(b"new", "kind", "new")
    cache.keep()
    cache.close()
    again = opened(tmp_path)
    assert again.get("kind", "new") in (None, b"new")
    again.close()


@pytest.mark.parametrize("data", [b"", b"no database", b"SQLite format 3\0" + b"\xff" * 4_096])
def test_what_is_no_database_is_absent_and_a_new_one_takes_its_place(
    tmp_path: Path, data: bytes
) -> None:
    cache = opened(tmp_path)
    cache.path.write_bytes(data)
    assert cache.get("kind", "one") is None

    cache.put(b"1", "kind", "one")

    assert cache.keep()
    cache.close()
    assert opened(tmp_path).get("kind", "one") == b"1"


def test_a_folder_that_cannot_be_written_keeps_nothing_and_stops_nobody(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file stands where the folder would be")
    cache = opened(tmp_path / "cache")
    cache.put(b"1", "kind", "one")

    assert cache.get("kind", "one") == b"1"
    assert not cache.keep()


def test_one_that_somebody_is_writing_to_is_read_and_keeps_nothing_new(tmp_path: Path) -> None:
    cache = kept(tmp_path, one=b"1")
    script = (
        "import sqlite3, sys\n"
        f"base = sqlite3.connect({str(cache.path)!r}, isolation_level=None)\n"
        "base.execute('BEGIN EXCLUSIVE')\n"
        "print('now', flush=True)\n"
        "sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"now\n"

        assert cache.get("kind", "one") == b"1"
        cache.put(b"2", "kind", "two")
        assert not cache.keep()

        other.communicate(b"")
    cache.close()


def test_two_that_keep_at_once_lose_nothing_of_each_other(tmp_path: Path) -> None:
    script = (
        "import sys\n"
        "from pathlib import Path\n"
        "from remem.store.cache import Cache\n"
        "from remem.store.io import Disk\n"
        "for number in range(30):\n"
        "    cache = Cache(Disk(), Path(sys.argv[1]))\n"
        "    cache.put(b'1', 'kind', sys.argv[2], number)\n"
        "    while not cache.keep():\n"
        "        cache.put(b'1', 'kind', sys.argv[2], number)\n"
        "    cache.close()\n"
    )
    both = [
        subprocess.Popen([sys.executable, "-c", script, str(tmp_path), name]) for name in ("a", "b")
    ]

    assert [each.wait() for each in both] == [0, 0]
    cache = opened(tmp_path)
    assert all(cache.get("kind", name, n) == b"1" for name in ("a", "b") for n in range(30))
    cache.close()


def test_it_takes_no_more_than_it_may_and_lets_go_what_was_not_asked_for_longest(
    tmp_path: Path,
) -> None:
    noise = [Random(number).randbytes(4_000) for number in range(80)]
    for day, data in enumerate(noise):
        cache = opened(tmp_path, day=day, most=100_000)
        cache.put(data, "kind", day)
        cache.get("kind", 0)
        assert cache.keep()
        cache.close()

    cache = opened(tmp_path)
    assert cache.get("kind", 0) == noise[0]
    assert cache.get("kind", 1) is None
    assert cache.get("kind", len(noise) - 1) == noise[-1]
    cache.close()
    assert cache.path.stat().st_size < 200_000


def test_its_owner_alone_may_read_it(tmp_path: Path) -> None:
    cache = kept(tmp_path, one=b"1")

    assert cache.path.stat().st_mode & 0o077 == 0
