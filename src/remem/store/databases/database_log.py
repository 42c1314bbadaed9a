"""Reads the log that SQLite keeps beside a database until its pages are written into it.

SQLite takes the first frame whose checksum does not fit for the end of a log, and drops what stands
behind it without a word: of a history the last changes would be gone, and undo would take back an
older one. So a log that a crash left is read here before SQLite does: whether changes stand behind
such a frame, and what the database would be with all of them. The format is
https://sqlite.org/fileformat2.html#the_write_ahead_log.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from remem.base.frozen import dataclass

_HEAD: Final = struct.Struct(">8I")
_FRAME: Final = struct.Struct(">6I")
_SUMMED: Final = 24
"""Bytes of the head that its checksum is of."""
_SUMMED_OF_FRAME: Final = 8
"""Those of the head of a frame; its page follows."""
_MAGIC: Final[Mapping[int, str]] = {0x377F0682: "<", 0x377F0683: ">"}
"""How a log begins, and so in which order its checksums read the bytes of a word."""
_ORDERS: Final = "<>" if sys.byteorder == "little" else "><"
_VERSION: Final = 3007000
_MANY: Final = 1 << 20
"""Pages that no history has."""
_USUAL: Final = 4096
_PAGE_SIZES: Final = frozenset(1 << power for power in range(9, 17))
_WORD: Final = 0xFFFFFFFF

Sums = tuple[int, int]
"""The two words of a checksum; that of a frame goes on from that of the frame before."""


@dataclass(frozen=True, slots=True)
class Log:
    """What a log says, whether or not SQLite would believe it."""

    is_broken: bool
    """Whether SQLite would stop before a transaction that was written."""
    page_size: int
    pages: Mapping[int, bytes]
    """By number, from 1, as the last transaction left them."""

    def applied_to(self, database: bytes) -> bytes:
        """Return the database with the pages of the log in their places, never less than it was."""
        image, most = bytearray(database), len(database) // self.page_size + len(self.pages)
        for number, page in self.pages.items():
            at = (number - 1) * self.page_size
            if 0 < number <= most:
                image.extend(bytes(max(0, at + self.page_size - len(image))))
                image[at : at + self.page_size] = page
        return bytes(image)


@dataclass(frozen=True, slots=True)
class _Frame:
    number: int
    size: int
    """Pages of the database where it ends a transaction; else 0."""
    page: bytes
    is_proven: bool
    """Its checksum says that it is as it was written, perhaps after one bit was put right."""
    is_believed: bool
    """SQLite reads on."""


def read_log(data: bytes) -> Log:
    """Read a log up to the end of its last transaction.

    The power may go away before the last frames are on the disk: so ends a log of which nothing
    was promised that is not in it. One bit that is another one does not come about like that.
    """
    head = _head(data[: _HEAD.size])
    if head is None:
        return Log(False, _USUAL, {})
    frames = [*_frames(data, head)]
    stop = next((at for at, each in enumerate(frames) if not each.is_believed), len(frames))
    if frames and not head.is_believed:
        stop = 0
    ends = [at for at, each in enumerate(frames) if each.size and (at != stop or each.is_proven)]
    last = max(ends, default=-1)
    pages = {each.number: each.page for each in frames[: last + 1]}
    return Log(last >= stop, head.page_size, pages)


@dataclass(frozen=True, slots=True)
class _Head:
    page_size: int
    salts: tuple[int, int] | None
    """What each frame of this log repeats, unlike those left of an earlier one; `None` = unknown"""
    order: str
    seeds: Sequence[Sums]
    """What the checksum of the first frame may go on from."""
    is_believed: bool


def _head(data: bytes) -> _Head | None:
    if len(data) < _HEAD.size:
        return None
    words = _HEAD.unpack(data)
    stored, order = words[6:], _MAGIC.get(words[0], _ORDERS[0])
    sums = _sums(data[:_SUMMED], order, (0, 0))
    if sums == stored and words[0] in _MAGIC:
        return _Head(words[2], words[4:6], order, (stored,), True)
    for order in _ORDERS:
        right = _with_one_bit_right(data[:_SUMMED], order, (0, 0), stored, _is_head)
        if right is not None and _sums(right, order, (0, 0)) == stored:
            words = _HEAD.unpack(right + data[_SUMMED:])
            return _Head(words[2], words[4:6], order, (stored,), False)
    page_size = words[2] if words[2] in _PAGE_SIZES else _USUAL
    return _Head(page_size, None, _ORDERS[0], (stored, sums), False)


def _frames(data: bytes, head: _Head) -> Iterator[_Frame]:
    """Yield the frames that are of this log; between them others may stand that are of none."""
    step = _FRAME.size + head.page_size
    salts, seeds = head.salts, head.seeds
    for at in range(_HEAD.size, len(data) - step + 1, step):
        number, size, *rest = _FRAME.unpack_from(data, at)
        stored, is_same = (rest[2], rest[3]), salts is None or salts == (rest[0], rest[1])
        if not seeds and not is_same:
            continue
        salts = salts or (rest[0], rest[1])
        page = data[at + _FRAME.size : at + step]
        said = data[at : at + _SUMMED_OF_FRAME] + page
        found = [_sums(said, head.order, seed) for seed in seeds]
        if stored in found:
            yield _Frame(number, size, page, is_proven=True, is_believed=is_same)
            seeds = (stored,)
        elif is_same:
            tried = (
                _with_one_bit_right(said, head.order, seed, stored, _is_frame) for seed in seeds
            )
            right = next((each for each in tried if each is not None), None)
            number, size = struct.unpack_from(">2I", right or said)
            page = (right or said)[_SUMMED_OF_FRAME:]
            yield _Frame(number, size, page, is_proven=right is not None, is_believed=False)
            seeds = (stored, *found[:1])
        else:
            seeds = ()


def _sums(data: bytes, order: str, seed: Sums) -> Sums:
    one, two = seed
    words = iter(struct.unpack(f"{order}{len(data) // 4}I", data))
    for first, second in zip(words, words, strict=True):
        one = (one + first + two) & _WORD
        two = (two + second + one) & _WORD
    return one, two


def _with_one_bit_right(
    data: bytes, order: str, seed: Sums, stored: Sums, fits: Callable[[bytes], bool]
) -> bytes | None:
    """Return the bytes that a checksum was of, if one bit of them or of it is another one.

    The checksum is linear: a bit adds or takes away the same whatever the rest is. High bits of
    many words do so alike: then it is not known which one it was, and the bytes stay as they are.
    """
    found = _sums(data, order, seed)
    is_of_sums = sum((a ^ b).bit_count() for a, b in zip(found, stored, strict=True)) == 1
    missing = tuple((one - two) & _WORD for one, two in zip(stored, found, strict=True))
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    right: list[bytes] = [data] if is_of_sums and fits(data) else []
    is_any = is_of_sums
    adds: list[Sums] = [(0, 1), (1, 1)]  # what either word of the last pair adds to the sums
    for place in range(len(words) - 1, -1, -1):
        to_one, to_two = adds[0]
        for bit in range(32):
            change = -(1 << bit) if words[place] >> bit & 1 else 1 << bit
            if (to_one * change & _WORD, to_two * change & _WORD) == missing:
                is_any = True
                word = struct.pack(f"{order}I", words[place] ^ 1 << bit)
                other = data[: place * 4] + word + data[place * 4 + 4 :]
                if len(right) < 2 and fits(other):
                    right.append(other)
        adds = [adds[1], ((to_one + to_two) & _WORD, (to_one + 2 * to_two) & _WORD)]
    if len(right) == 1:
        return right[0]
    return data if is_any else None


def _is_head(data: bytes) -> bool:
    magic, version, page_size, number = struct.unpack_from(">4I", data)
    is_usual = version == _VERSION and page_size in _PAGE_SIZES and number < _MANY
    return is_usual and magic in _MAGIC


def _is_frame(data: bytes) -> bool:
    number, size = map(int, struct.unpack_from(">2I", data))
    return 0 < number < _MANY and size < _MANY
