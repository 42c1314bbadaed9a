"""Reads plain values into a record: what does not fit becomes a fault, never an exception.

Values that are what the record wants already are read here, at the price of a few look-ups, and
give what pydantic would give, which a test holds them to. Anything else is `decode_slowly.py`'s.
Which fields there are is the models' business, and where they stand in a file is the formats'.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, fields
from functools import cache
from typing import Annotated, Any, Final, Literal, TypeAlias, TypeVar, Union, get_args, get_origin

from remem.model.entry import Status
from remem.model.record import (
    UNKNOWN,
    Before,
    Fault,
    Limit,
    Record,
)

R = TypeVar("R", bound=Record)


def read_record(model: type[R], value: Mapping[str, Any]) -> tuple[R, tuple[Fault, ...]]:
    """Return the record and what was wrong with it, each failing field once.

    A text that arrives as a number or a truth value is taken as written, one text where a list is
    wanted is a list of one, and what cannot be read gives way to the field's default. The fields
    that a model requires are texts or mappings.
    """
    record = exact(model, value)
    if record is not None:
        return record, ()
    from remem.model.decode_slowly import mended

    return mended(model, value)


def read_status(word: object, own: Mapping[str, Status]) -> tuple[Status, Fault | None]:
    """Read a format's own status word as one of the five (FORMATS 0.3).

    Args:
        word: What the file holds; `None` = the key is missing.
        own: The words of this kind of record.
    """
    if word is None:
        return Status.ACTIVE, None
    plain = str(word).strip().casefold()
    if plain in own:
        return own[plain], None
    wanted = ", ".join(f"`{each}`" for each in own)
    fault = Fault(
        "value", ("status",), f"`status` is `{word}`, not one of {wanted}", "use one of them"
    )
    return _NEIGHBOURS.get(plain, Status.CANDIDATE), fault


_NEIGHBOURS: Final[Mapping[str, Status]] = {
    "active": Status.ACTIVE,
    "confirmed": Status.ACTIVE,
    "validated": Status.ACTIVE,
    "deprecated": Status.ARCHIVED,
    "archived": Status.ARCHIVED,
    "superseded": Status.SUPERSEDED,
    "draft": Status.CANDIDATE,
    "proposed": Status.CANDIDATE,
    "pending": Status.CANDIDATE,
    "candidate": Status.CANDIDATE,
}

_Read: TypeAlias = Callable[[Any], Any]
_WHOLE: Final = 2**53
"""Up to here a whole number is the same number with a point."""


class _Unfit(Exception):
    """The value is not exactly what is wanted."""


def exact(model: type[R], value: Mapping[str, Any]) -> R | None:
    """Return the record, or `None` where anything in the value would have to be changed."""
    wanted: Any = model
    try:
        record: R = _reader(wanted)(value)
    except _Unfit:
        return None
    return record


@cache
def _reader(wanted: Any) -> _Read:
    if isinstance(wanted, type) and issubclass(wanted, Record):
        return _record(wanted)
    if wanted is Any:
        return _as_it_is
    if wanted is float:
        return _float
    if isinstance(wanted, type) and get_origin(wanted) is None:
        return _just(wanted)
    inner = get_args(wanted)
    match get_origin(wanted):
        case origin if origin is Annotated:
            return _annotated(*inner)
        case origin if origin is Literal:
            return _one_of(inner)
        case origin if origin in (Union, types.UnionType):
            return _either(tuple(_reader(each) for each in inner))
        case origin if origin is tuple:
            return _many(_reader(inner[0]))
        case _:
            return _mapping(_reader(inner[1]))


class _Readers(dict[str, _Read]):
    """What reads each field of a record, made when a file has it: most have few of many."""

    def __init__(self, model: type[Record]) -> None:
        super().__init__()
        self._model = model

    def __missing__(self, name: str) -> _Read:
        of = next(c for c in self._model.__mro__ if name in vars(c).get("__annotations__", ()))
        kind: Any = vars(of)["__annotations__"][name]
        if isinstance(kind, str):
            # As `typing.get_type_hints` does for all of them: names of the module come first.
            kind = eval(kind, {**vars(of)}, vars(sys.modules[of.__module__]))
        self[name] = reader = _reader(kind)
        return reader


def _record(model: type[Record]) -> _Read:
    known = fields(model)
    readers = _Readers(model)
    plain = {field.name: field.default for field in known if field.default is not MISSING}
    made = {f.name: f.default_factory for f in known if f.default_factory is not MISSING}
    names = frozenset(field.name for field in known)
    required = names - plain.keys() - made.keys()

    def read(value: Any) -> Record:
        if type(value) is not dict or not required <= value.keys():
            raise _Unfit
        state = {**plain, **{name: make() for name, make in made.items()}} if made else {**plain}
        unknown: dict[str, Any] = {}
        for key, item in value.items():
            if key in names:
                state[key] = readers[key](item)
            elif type(key) is str:
                unknown[key] = item
            else:
                raise _Unfit
        if unknown:
            state[UNKNOWN] = unknown
        record = object.__new__(model)
        vars(record).update(state)
        return record

    return read


def _as_it_is(value: Any) -> Any:
    return value


def _float(value: Any) -> float:
    if type(value) is float or (type(value) is int and abs(value) <= _WHOLE):
        return float(value)
    raise _Unfit


def _just(wanted: type) -> _Read:
    def read(value: Any) -> Any:
        if type(value) is wanted:
            return value
        raise _Unfit

    return read


def _annotated(wanted: Any, *marks: Any) -> _Read:
    inner = _reader(wanted)
    limits = [mark for mark in marks if isinstance(mark, Limit)]
    if limits:
        return _limited(inner, limits)
    changes = [mark.change for mark in marks if isinstance(mark, Before)]
    if not changes:
        return inner
    (change,) = changes
    return lambda value: inner(change(value))


def _limited(inner: _Read, limits: Sequence[Limit]) -> _Read:
    """Take a number that is not below its limit; other limits are left to pydantic."""
    least = [limit.bound for limit in limits if limit.name == "ge"]

    def read(value: Any) -> Any:
        if len(least) == len(limits) and all(inner(value) >= bound for bound in least):
            return value
        raise _Unfit

    return read


def _one_of(options: tuple[Any, ...]) -> _Read:
    def read(value: Any) -> Any:
        if type(value) is str and value in options:
            return value
        raise _Unfit

    return read


def _either(readers: tuple[_Read, ...]) -> _Read:
    def read(value: Any) -> Any:
        for reader in readers:
            try:
                return reader(value)
            except _Unfit:
                continue
        raise _Unfit

    return read


def _many(reader: _Read) -> _Read:
    def read(value: Any) -> tuple[Any, ...]:
        if type(value) not in (list, tuple):
            raise _Unfit
        return tuple([reader(each) for each in value])

    return read


def _mapping(reader: _Read) -> _Read:
    def read(value: Any) -> dict[str, Any]:
        if type(value) is not dict or not all(type(key) is str for key in value):
            raise _Unfit
        return {key: reader(each) for key, each in value.items()}

    return read
