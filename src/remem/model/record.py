"""What a record is, and how plain values are read into one.

A record is a frozen class whose annotations say what a file may hold. Values that are what it wants
already are read here, at the price of a few look-ups, and give what pydantic would give, which a
test holds them to. All others are read with pydantic: what can be told is taken as it was meant,
and what does not fit becomes a fault, never an exception. What an annotation says beyond a type
(how a value is changed, limited or shaped) is a mark.

Pydantic takes longer to load than a thousand entries take to read, so it is loaded where a value
does not fit: it asks the marks what they mean then, and until then they are data. Which fields
there are is the models' business, and where they stand in a file is the formats'.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, FrozenInstanceError, fields
from functools import cache
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Final,
    Literal,
    TypeAlias,
    TypeVar,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
)

from remem.base.errors import NotPossible
from remem.base.frozen import dataclass, with_fields
from remem.model.entry import Status

if TYPE_CHECKING:
    from pydantic import TypeAdapter
    from pydantic_core import ErrorDetails

UNKNOWN: Final = "_unknown"


@dataclass_transform(frozen_default=True, kw_only_default=True)
class Frozen:
    """A dataclass that is set up in a tenth of the time: its methods are written once, here."""

    def __init_subclass__(cls) -> None:
        with_fields(cls)

    def __init__(self, **values: Any) -> None:
        state: dict[str, Any] = {}
        for each in fields(self):  # type: ignore[arg-type]
            if each.name in values:
                state[each.name] = values.pop(each.name)
            elif each.default_factory is not MISSING:
                state[each.name] = each.default_factory()
            elif each.default is not MISSING:
                state[each.name] = each.default
            else:
                raise TypeError(f"{type(self).__name__} needs {each.name}")
        if values:
            raise TypeError(f"{type(self).__name__} has no {', '.join(values)}")
        vars(self).update(state)

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"cannot assign to {name}")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"cannot delete {name}")

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and _values(other) == _values(self)

    def __hash__(self) -> int:
        return hash(_values(self))

    def __repr__(self) -> str:
        names = (each.name for each in fields(self))  # type: ignore[arg-type]
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{type(self).__name__}({shown})"


class Record(Frozen):
    """One record as a file holds it: frozen, unknown keys kept."""

    __pydantic_config__: ClassVar[Mapping[str, Any]] = {
        "extra": "ignore",
        "json_schema_extra": {"additionalProperties": True},
    }

    @property
    def unknown(self) -> Mapping[str, Any]:
        """What the file says under keys that the record does not have."""
        found: Mapping[str, Any] = vars(self).get(UNKNOWN, {})
        return found


def _values(record: Any) -> tuple[Any, ...]:
    return tuple([getattr(record, each.name) for each in fields(record)])


def field_names(model: type[Record]) -> tuple[str, ...]:
    """Return the keys that a record has, those of its bases first."""
    return tuple(field.name for field in fields(model))


Path: TypeAlias = tuple[int | str, ...]


@dataclass(frozen=True, slots=True)
class Fault:
    """A field that is not what its record wants."""

    code: str
    """`missing`, `type`, `value` or `shape`."""
    path: Path
    """Keys and places in lists, from 0."""
    message: str
    hint: str = ""

    @property
    def field(self) -> str:
        """The path as people read it, places from 1: `seen.2.ref`."""
        return dotted(self.path)


def dotted(path: Path) -> str:
    """Return a path as people read it, places in lists from 1."""
    return ".".join(str(step + 1) if isinstance(step, int) else step for step in path)


@dataclass(frozen=True, slots=True)
class Before:
    """Marks a field whose value is changed before it is looked at."""

    change: Callable[[object], object]

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], Any]) -> Any:
        from pydantic_core.core_schema import no_info_before_validator_function

        return no_info_before_validator_function(self.change, handler(source))


@dataclass(frozen=True, slots=True)
class Shaped:
    """Marks a text whose shape a JSON Schema checks; reading takes any."""

    pattern: str

    def __get_pydantic_json_schema__(
        self, schema: Any, handler: Callable[[Any], dict[str, Any]]
    ) -> dict[str, Any]:
        return {**handler(schema), "pattern": self.pattern}


@dataclass(frozen=True, slots=True)
class After:
    """Marks a value that is looked at once its type is right; `check` raises `ValueError`."""

    check: Callable[[Any], Any]

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], Any]) -> Any:
        from pydantic_core.core_schema import no_info_after_validator_function

        return no_info_after_validator_function(self.check, handler(source))


@dataclass(frozen=True, slots=True)
class Limit:
    """Marks a bound in pydantic's own word: `ge`, `min_length`, `pattern`."""

    name: str
    bound: int | str

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], Any]) -> Any:
        return {**handler(source), self.name: self.bound}


def lower(value: object) -> object:
    """Read an enumeration's word as people write it."""
    return value.strip().casefold() if isinstance(value, str) else value


Word = Before(lower)
"""Marks a word that is read in small letters, whatever way it is written."""


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
    return _mended(model, value)


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


def status_word(
    kind: str, words: Mapping[str, Status], status: Status, *, supersede: str, instead: str
) -> str:
    """Return a kind's own word for a status that a person gives an entry.

    Args:
        kind: As messages call it: `SNIPER decision`.
        words: Its words.
        status: What is wanted.
        supersede: What to do to have an entry superseded, which names the other one.
        instead: What to do where there is no such word.

    Raises:
        NotPossible: It has no word for it, or takes more than a word.
    """
    word = next((word for word, meant in words.items() if meant is status), None)
    if word is None:
        names = " or ".join(f"`{each}`" for each in words)
        raise NotPossible(f"a {kind} can only be {names}", hint=instead)
    if status is Status.SUPERSEDED:
        name = kind.rpartition(" ")[2]
        raise NotPossible(f"a {name} is superseded by another one", hint=supersede)
    return word


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


def _mended(model: type[R], value: Mapping[str, Any]) -> tuple[R, tuple[Fault, ...]]:
    """Return what `read_record` promises, with pydantic: only where that has to be."""
    plain: dict[str, Any] = _copy(value)
    complaints = _complaints(model, plain)
    faults: dict[Path, Fault] = {}
    while complaints:
        # A union complains once a branch; one is enough.
        places = {_place(plain, each): each for each in reversed(complaints)}
        # From the back, so that taking out one item of a list leaves the places of those before it.
        found = [_mend(plain, path, each) for path, each in places.items()]
        for fault in reversed(found):
            if fault is not None:
                faults.setdefault(fault.path, fault)
        complaints = _complaints(model, plain)
    record: R = _validated(model, plain)
    _keep_unknown(record, plain)
    return record, tuple(faults.values())


@cache
def _adapter_of(model: Any) -> TypeAdapter[Any]:
    from pydantic import TypeAdapter

    return TypeAdapter(model)


def _validated(model: Any, value: Mapping[str, Any]) -> Any:
    return _adapter_of(model).validate_python(value)


def _keep_unknown(record: Record, value: Mapping[str, Any]) -> None:
    names = field_names(type(record))
    vars(record)[UNKNOWN] = {key: each for key, each in value.items() if key not in names}
    for name in names:
        inner, found = getattr(record, name), value.get(name)
        many = inner if isinstance(inner, tuple) else (inner,)
        for each, held in zip(many, found if isinstance(found, list) else (found,), strict=False):
            if isinstance(each, Record) and isinstance(held, Mapping):
                _keep_unknown(each, held)


def _complaints(model: type[Record], value: Mapping[str, Any]) -> list[ErrorDetails]:
    from pydantic import ValidationError

    try:
        _validated(model, value)
    except ValidationError as error:
        return error.errors(include_url=False)
    return []


def _copy(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _copy(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_copy(each) for each in value]
    return value


def _place(value: Any, detail: ErrorDetails) -> Path:
    """Return where a complaint's value stands; its last step is new where a field is missing.

    The branches of a union are named in a complaint's path too, and lead nowhere.
    """
    steps = detail["loc"]
    for number, step in enumerate(steps):
        if isinstance(value, dict) and step in value:
            value = value[str(step)]
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        elif detail["type"] == "missing" and number == len(steps) - 1:
            return steps
        else:
            return steps[:number]
    return steps


def _mend(value: dict[str, Any], path: Path, detail: ErrorDetails) -> Fault | None:
    """Change what one complaint is about so that the next look passes it.

    An empty text stands for what is missing, and where that does not fit, an empty mapping.
    """
    holder, last, name = _inner(value, path[:-1]), path[-1], dotted(path)
    if isinstance(holder, dict) and last not in holder:
        holder[last] = ""
        return Fault("missing", path, f"`{name}` is missing", f"add `{last}`")
    found = holder[last]
    if detail["type"] == "string_type" and isinstance(found, int | float):
        holder[last] = _as_written(found)
        kind = "truth value" if isinstance(found, bool) else "number"
        message = f"`{name}` is the {kind} `{_as_written(found)}`, not a text"
        return Fault("type", path, message, "put it in quotes")
    if detail["type"] in ("tuple_type", "list_type") and isinstance(found, str):
        holder[last] = [found]
        return Fault("type", path, f"`{name}` is text, not a list", "write `[…]` around it")
    if detail["type"] in ("dict_type", "dataclass_type") and found == "":
        holder[last] = {}
    else:
        del holder[last]
    if found is None:
        # `key:` with nothing after it is an absent field; in a list something is missing.
        return (
            Fault("type", path, f"`{name}` is empty", "remove it")
            if isinstance(last, int)
            else None
        )
    wanted = detail["msg"][:1].lower() + detail["msg"][1:]
    return Fault("value", path, f"`{name}` is {_shown(found)}: {wanted}")


def _inner(value: Any, path: Path) -> Any:
    for step in path:
        value = value[step]
    return value


def _as_written(found: object) -> str:
    return str(found).lower() if isinstance(found, bool) else str(found)


def _shown(found: object) -> str:
    if isinstance(found, Mapping):
        return "a mapping"
    if isinstance(found, list | tuple):
        return "a list"
    return f"`{found}`"
