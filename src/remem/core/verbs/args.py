"""What a verb is told besides the entries it is about: one class for every door.

A field says what it is called on the command line, what it means and what it may be. The options of
a command, the JSON Schema of a tool, what completes them and the planner's typed parameter are read
from it; an intent carries it as plain JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, field, fields, replace
from typing import TYPE_CHECKING, Any, Final, Self, TypeAlias, dataclass_transform

from remem.base.errors import RememError
from remem.base.frozen import dataclass
from remem.model.change import Json
from remem.model.record import Frozen

if TYPE_CHECKING:
    from remem.core.library import Library
    from remem.model.citation import Citation

EVERY_VERBS: Final = frozenset({"acknowledged", "repository"})
"""Arguments of any intent: what was looked at and let through, and in which repository it is."""
Offers: TypeAlias = "Callable[[Library], Iterable[tuple[str, str]]]"
"""Gives texts that an argument may be, each with what it stands for."""
_PARAM: Final = "param"


class BadArgument(RememError):
    """An argument is missing, unknown, or of another type."""

    code = "bad-argument"


@dataclass(frozen=True, slots=True)
class Shape:
    """What an argument may be: the closed set that every door can ask for."""

    called: str
    """In a sentence: `the argument is not a text`."""
    fits: Callable[[Json], bool]
    schema: Mapping[str, Any]
    kept: Callable[[Any], object] = lambda value: value
    """Turns JSON into what the field holds."""


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_whole(value: Json) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _are_whole(value: Json) -> bool:
    return isinstance(value, list) and all(map(_is_whole, value))


def _is_texts(value: Json) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _is_objects(value: Json) -> bool:
    return isinstance(value, list) and all(isinstance(each, dict) for each in value)


_TEXT: Final = Shape("a text", lambda value: isinstance(value, str), {"type": "string"})
_NUMBER: Final = Shape("a number", _is_number, {"type": "number"}, float)
_WHOLE: Final = Shape("a whole number", _is_whole, {"type": "integer"})


def _citations(value: list[Json]) -> tuple[Citation, ...]:
    from remem.model.citation import BadCitation, citations_of

    if len(value) > _MOST_CITATIONS:
        raise BadCitation(
            f"{len(value)} citations are too many", hint="cite the lines that prove it"
        )
    return citations_of(value)


def _words(about: str) -> dict[str, str]:
    return {"type": "string", "description": about}


_MOST_CITATIONS: Final = 200
_LINE: Final = {"type": "integer", "minimum": 1}
_CITATIONS: Final = Shape(
    "a list of citations",
    lambda value: isinstance(value, list),
    {
        "type": "array",
        "minItems": 1,
        "items": {
            "type": "object",
            "properties": {
                "path": _words("Path from the repository root"),
                "line_start": _LINE,
                "line_end": _LINE,
                "sha": _words("Filled in when it is stored"),
                "snippet_hash": _words("Filled in when it is stored"),
                "symbol": _words("Instead of lines: what the file defines, `Berth.moor`"),
                "key": _words("Instead of lines: of a YAML, JSON or TOML file, `project.name`"),
                "equals": {"description": "The value that the symbol or key has"},
            },
            "required": ["path"],
        },
    },
    _citations,
)
_WHOLES: Final = Shape(
    "a list of whole numbers", _are_whole, {"type": "array", "items": {"type": "integer"}}, tuple
)
_OBJECT: Final = Shape("an object", lambda value: isinstance(value, dict), {"type": "object"})
SHAPES: Final[Mapping[str, Shape]] = {
    "str": _TEXT,
    "str | None": _TEXT,
    "bool": Shape("true or false", lambda value: isinstance(value, bool), {"type": "boolean"}),
    "bool | None": Shape(
        "true or false", lambda value: isinstance(value, bool), {"type": "boolean"}
    ),
    "int": _WHOLE,
    "int | None": _WHOLE,
    "float": _NUMBER,
    "float | None": _NUMBER,
    "tuple[str, ...]": Shape(
        "a list of texts", _is_texts, {"type": "array", "items": {"type": "string"}}, tuple
    ),
    "tuple[Citation, ...]": _CITATIONS,
    "tuple[Citation, ...] | None": _CITATIONS,
    "tuple[int, ...]": _WHOLES,
    "tuple[int, ...] | None": _WHOLES,
    "Json": Shape(
        "a text or an object",
        lambda value: isinstance(value, str | dict),
        {"type": ["string", "object"]},
    ),
    "Mapping[str, Json]": _OBJECT,
    "Mapping[str, Json] | None": _OBJECT,
    "tuple[Mapping[str, Json], ...]": Shape(
        "a list of objects", _is_objects, {"type": "array", "items": {"type": "object"}}, tuple
    ),
}
"""Annotation of a field, word for word, and what it may be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Param:
    """How one argument is asked for."""

    name: str = ""
    """Of the field; filled in where it is read."""
    help: str
    spelt: str = ""
    """On the command line: `--by`, or `TEXT` for one without a name; empty = only other doors."""
    hidden: tuple[str, ...] = ()
    """Older spellings that are still taken."""
    metavar: str = ""
    named: str = ""
    """In an intent, where that is no name for a field."""
    choices: Callable[[], Iterable[str]] | None = None
    """Asked when a command is made, so that declaring a verb loads nothing."""
    offers: Offers | None = None
    """What the shell completes it with."""
    least: float | None = None
    most: float | None = None
    in_schema: bool = True
    """Else only remem itself fills it in."""
    names_entry: bool = False
    """It is the ref of an entry, which may be written short."""
    ids_of: str = ""
    """The word of the system whose entries a bare id is looked for among; empty = the verb's."""
    required: bool = False
    default: object = None
    filled: bool = True
    """White space alone does not do where it is required; else its planner decides on that."""
    shape: Shape = _TEXT

    @property
    def carried(self) -> str:
        """What an intent calls it."""
        return self.named or self.name

    @property
    def is_option(self) -> bool:
        """Tell whether the command line takes it by a name."""
        return self.spelt.startswith("-")

    @property
    def is_fields(self) -> bool:
        """Tell whether it sets fields, each typed as `FIELD=VALUE`."""
        return self.shape is SHAPES["Mapping[str, Json]"]

    def holds(self, value: float) -> bool:
        """Tell whether a number lies between the least and the most."""
        above = self.least is None or value >= self.least
        return above and (self.most is None or value <= self.most)


def option(
    spelt: str,
    help: str,  # noqa: A002 - as click calls it
    *,
    hidden: tuple[str, ...] = (),
    metavar: str = "",
    choices: Callable[[], Iterable[str]] | None = None,
    within: tuple[float, float] | None = None,
    names_entry: bool = False,
    named: str = "",
    offers: Offers | None = None,
    default: Any = MISSING,
) -> Any:
    """Declare an argument that the command line takes as `spelt`; without a default it is needed.

    Args:
        spelt: `--by`.
        help: A sentence, for people and for agents.
        hidden: Older spellings that are still taken.
        metavar: What stands for the value in the usage.
        choices: The texts that it may be.
        within: The least and the greatest number that it may be.
        names_entry: It is the ref of an entry, which may be written short.
        named: What an intent calls it, where that is no name for a field: `from`.
        offers: What the shell completes it with.
        default: What it is where nothing was said.
    """
    least, most = within or (None, None)
    param = Param(
        help=help,
        spelt=spelt,
        hidden=hidden,
        metavar=metavar,
        choices=choices,
        least=least,
        most=most,
        names_entry=names_entry,
        named=named,
        offers=offers,
    )
    return field(default=default, metadata={_PARAM: param})


def argument(
    metavar: str,
    *,
    names_entry: bool = False,
    ids_of: str = "",
    offers: Offers | None = None,
    default: Any = MISSING,
    default_factory: Any = MISSING,
) -> Any:
    """Declare an argument that stands by itself on the command line: `NAME`, or `[KEY]` if any.

    Args:
        metavar: As the usage shows it; fields are `FIELD=VALUE...`.
        names_entry: As for an option; `offers` too.
        ids_of: The word of the system that a bare id is of; empty = of the verb's.
        offers: What the shell completes it with.
        default: What it is where nothing was said.
        default_factory: Makes that.
    """
    param = {
        _PARAM: Param(
            help="",
            spelt=metavar,
            names_entry=names_entry,
            ids_of=ids_of,
            offers=offers,
            filled=False,
        )
    }
    if default_factory is not MISSING:
        return field(default_factory=default_factory, metadata=param)
    return field(default=default, metadata=param)


def other_doors(
    help: str,  # noqa: A002 - as click calls it
    *,
    least: float | None = None,
    most: float | None = None,
    in_schema: bool = True,
    filled: bool = False,
    named: str = "",
    default: Any = MISSING,
    default_factory: Any = MISSING,
) -> Any:
    """Declare an argument that no option of a command gives.

    Args:
        help: A sentence, for people and for agents; may be empty where the name says it.
        least: The least number that it may be.
        most: The greatest.
        in_schema: No = agents are not told of it; remem itself fills it in.
        filled: White space alone does not do.
        named: As for an option.
        default: What it is where nothing was said.
        default_factory: Makes that.
    """
    param = {
        _PARAM: Param(
            help=help, least=least, most=most, in_schema=in_schema, filled=filled, named=named
        )
    }
    if default_factory is not MISSING:
        return field(default_factory=default_factory, metadata=param)
    return field(default=default, metadata=param)


@dataclass_transform(
    frozen_default=True, kw_only_default=True, field_specifiers=(option, argument, other_doors)
)
class Args(Frozen):
    """What a verb is told; its docstring is the help of the verb's command.

    It stands on `Frozen`, as records do: 0.05 ms for a class of three fields, against 0.02 ms for
    an empty one. `msgspec` makes one in 0.03 ms and would first cost 11 ms to import, in a program
    whose `--help` may take 60; and a decision has one instance, not a hundred thousand.
    """

    @classmethod
    def params(cls) -> tuple[Param, ...]:
        """Return how each argument is asked for, in the order of declaration."""
        return tuple(_param(each) for each in fields(cls))

    @classmethod
    def from_json(cls, given: Mapping[str, Json]) -> Self:
        """Return the arguments of an intent, typed.

        Raises:
            BadArgument: One is missing, unknown, or not what it has to be.
        """
        params = cls.params()
        known = {each.carried for each in params}
        unknown = next((name for name in given if name not in known | EVERY_VERBS), None)
        if unknown is not None:
            takes = ", ".join(f"`{each.carried}`" for each in params) or "no arguments"
            raise BadArgument(f"unknown argument `{unknown}`", hint=f"it takes {takes}")
        return cls(**{each.name: value for each in params for value in _read(each, given)})

    def to_json(self) -> dict[str, Json]:
        """Return what was said as an intent carries it; what is as by default is left out."""
        return {
            each.carried: [*value] if isinstance(value, tuple) else value
            for each in self.params()
            if (value := getattr(self, each.name)) != each.default or each.required
        }

    @classmethod
    def schema(cls) -> dict[str, Any]:
        """Return the JSON Schema of the arguments; no others are taken."""
        params = [each for each in cls.params() if each.in_schema]
        return {
            "type": "object",
            "properties": {each.carried: _schema(each) for each in params},
            "required": [each.carried for each in params if each.required],
            "additionalProperties": False,
        }


def _param(each: Field[Any]) -> Param:
    asked: Param = each.metadata[_PARAM]
    default, shape = _default(each), _shape(each)
    if default is MISSING:
        return replace(asked, name=each.name, required=True, shape=shape)
    return replace(asked, name=each.name, default=default, shape=shape)


def _shape(each: Field[Any]) -> Shape:
    # An annotation is its text, unless the module was written without that future.
    written = each.type.__name__ if isinstance(each.type, type) else str(each.type)
    if written not in SHAPES:
        known = ", ".join(f"`{name}`" for name in SHAPES)
        raise TypeError(f"`{each.name}` cannot be a `{written}`; use one of {known}")
    return SHAPES[written]


def _default(each: Field[Any]) -> object:
    return each.default if each.default_factory is MISSING else each.default_factory()


def _read(param: Param, given: Mapping[str, Json]) -> Sequence[object]:
    """Return the value of an argument as its only element, or nothing where it was left out."""
    value = given.get(param.carried)
    is_blank = param.filled and isinstance(value, str) and not value.strip()
    if param.required and (value is None or is_blank):
        raise BadArgument(f"`{param.carried}` is missing", hint=_hint(param))
    if value is None:
        return ()
    if not param.shape.fits(value):
        raise BadArgument(f"`{param.carried}` is not {param.shape.called}", hint=_hint(param))
    if param.choices is not None and value not in (known := [*param.choices()]):
        raise BadArgument(f"`{param.carried}` cannot be `{value}`", hint=f"use one of {known}")
    if isinstance(value, int | float) and not param.holds(value):
        raise BadArgument(f"`{param.carried}` cannot be {value:g}", hint=_hint(param))
    return (param.shape.kept(value),)


def _hint(param: Param) -> str:
    ends = (("at least", param.least), ("at most", param.most))
    within = [f"{word} {end:g}" for word, end in ends if end is not None]
    said = " and ".join((param.shape.called, *within))
    return f"`{param.carried}` is {said}" + (f": {param.help}" if param.help else "")


def _schema(param: Param) -> dict[str, Any]:
    found = dict(param.shape.schema)
    if param.choices is not None:
        found["enum"] = [*param.choices()]
    if param.least is not None:
        found["minimum"] = param.least
    if param.most is not None:
        found["maximum"] = param.most
    if param.default not in (None, "", ()) and not param.is_fields:
        found["default"] = param.default
    return {**found, "description": param.help} if param.help else found
