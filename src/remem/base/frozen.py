"""Makes dataclasses whose methods are written when they are called, and needed more than once.

The standard library compiles six methods for each class, and those took a fifth of what a command
takes: of the classes that are loaded, most are never made or compared. All else is its doing.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass

    def with_fields(cls: type) -> None:
        """Note the fields of a class whose methods stand in a base, each to be given by name."""

else:
    from collections.abc import Callable, Iterable
    from copy import copy
    from functools import partial
    from types import MemberDescriptorType
    from typing import Any, ClassVar, Final

    _FEW: Final = 8
    """Calls for which writing a method takes longer than going through the fields."""
    _LATE: Final = frozenset({"frozen", "slots", "eq", "order", "kw_only", "weakref_slot"})
    _ORDER: Final = {"__lt__": "<", "__le__": "<=", "__gt__": ">", "__ge__": ">="}

    def dataclass(cls: type | None = None, /, **given: bool) -> Any:
        """Make a dataclass, as `dataclasses.dataclass` does with these options.

        It gets its methods late, unless it has them from elsewhere; it is no base of one of the
        library's own.
        """
        if not _LATE.issuperset(given):
            return dataclasses.dataclass(**given) if cls is None else dataclasses.dataclass(cls)
        return (lambda cls: _late(cls, dict(given))) if cls is None else _late(cls, {})

    def with_fields(cls: type) -> None:
        """Note the fields of a class whose methods stand in a base, each to be given by name."""
        given = {"kw_only": True}
        made = _quickly(cls, given) or _by_the_library(cls, given)
        made.__dataclass_params__ = _PARAMS[False]

    def _late(cls: type, given: dict[str, bool]) -> type:
        has_eq, has_order = given.pop("eq", True), given.pop("order", False)
        is_frozen = given.pop("frozen", False)
        own = vars(cls)
        if own.get("__doc__") is None:
            cls.__doc__ = cls.__name__  # or the library asks the class how it is called
        # With `__eq__` in its body Python itself notes that there is no hash: that is not its own.
        has_hash = own.get("__hash__") is not None
        written = {each for each in ("__init__", "__repr__", "__eq__") if each in own}
        made = _quickly(cls, given) or _by_the_library(cls, given)
        made.__dataclass_params__ = _PARAMS[is_frozen]
        if is_frozen:
            made.__setattr__, made.__delattr__ = _no_setting, _no_deleting
            if given.get("slots"):
                made.__getstate__, made.__setstate__ = _state, _with_state
        if "__init__" not in written:
            made.__init__ = _first_calls(made)
        if "__repr__" not in written:
            made.__repr__ = _repr
        if has_eq and "__eq__" not in written:
            made.__eq__ = _when_called(made, "__eq__", _eq)
        if has_eq and not has_hash:
            made.__hash__ = _when_called(made, "__hash__", _hash) if is_frozen else None
        if has_order:
            for name, sign in _ORDER.items():
                setattr(made, name, _when_called(made, name, partial(_compared, sign=sign)))
        return made

    def _by_the_library(cls: type, given: dict[str, bool]) -> Any:
        bases = (getattr(base, "__dataclass_params__", None) for base in cls.__mro__[1:])
        is_frozen = any(base.frozen for base in bases if base is not None)
        more = {**given, "frozen": is_frozen}
        return dataclasses.dataclass(init=False, repr=False, eq=False, **more)(cls)

    @dataclasses.dataclass(init=False, repr=False, eq=False)
    class _Open:
        """Shows what the library notes; with words of its own, or it is asked how it is called."""

        one: int = 0
        two: ClassVar[int] = 0

    _PARAMS: Final = {False: _Open.__dataclass_params__, True: copy(_Open.__dataclass_params__)}
    _PARAMS[True].frozen = True
    _ORDINARY, _OF_CLASS = (each._field_type for each in _Open.__dataclass_fields__.values())  # noqa: SLF001
    """What tells a field from a variable of the class, which the library notes as well."""
    _UNREAD: Final = frozenset({"__annotate__", "__annotate_func__"})
    """Where a later Python keeps annotations that nobody asked for yet."""
    _UNUSUAL: Final = ("ClassVar", "InitVar", "KW_ONLY")
    """What makes something else than a field of an annotation: left to the library."""

    def _quickly(cls: type, given: dict[str, bool]) -> Any:
        """Make what the library makes, in half the time; `None` where that is not simple."""
        own = vars(cls)
        told = own.get("__annotations__", {})
        if "__slots__" in own or not _UNREAD.isdisjoint(own):
            return None
        found: dict[str, dataclasses.Field[Any]] = {}
        for base in cls.__mro__[-1:0:-1]:
            found.update(vars(base).get("__dataclass_fields__", ()))
        if any(each._field_type not in (_ORDINARY, _OF_CLASS) for each in found.values()):  # noqa: SLF001
            return None
        if not all(type(kind) is str for kind in told.values()):
            return None
        if any(each in kind for kind in told.values() for each in _UNUSUAL):
            return None
        for name, kind in told.items():
            value = getattr(cls, name, dataclasses.MISSING)
            if type(value) is not dataclasses.Field:
                is_slot = type(value) is MemberDescriptorType
                value = dataclasses.field(default=dataclasses.MISSING if is_slot else value)
            elif value.default is dataclasses.MISSING:
                delattr(cls, name)
            else:
                setattr(cls, name, value.default)
            if value.default.__class__.__hash__ is None:
                raise ValueError(f"{cls.__name__}.{name} would share its default with all others")
            value.name, value.type, value._field_type = name, kind, _ORDINARY  # noqa: SLF001
            if value.kw_only is dataclasses.MISSING:
                value.kw_only = given.get("kw_only", False)
            found[name] = value
        cls.__dataclass_fields__ = found
        real = [each for each in found.values() if each._field_type is _ORDINARY]  # noqa: SLF001
        if "__match_args__" not in own:
            named = [each.name for each in real if each.init and not each.kw_only]
            cls.__match_args__ = tuple(named)
        return _slotted(cls, given, [each.name for each in real]) if given.get("slots") else cls

    def _slotted(cls: Any, given: dict[str, bool], names: Iterable[str]) -> Any:
        """Make the class anew with slots for its fields, as the library does."""
        inherited: set[str] = set()
        for base in cls.__mro__[1:-1]:
            inherited.update(vars(base).get("__slots__", ()))
        wanted = (*names, "__weakref__") if given.get("weakref_slot") else (*names,)
        left = {"__dict__", "__weakref__", *names}
        body = {name: value for name, value in vars(cls).items() if name not in left}
        body["__slots__"] = tuple([each for each in wanted if each not in inherited])
        made = type(cls)(cls.__name__, cls.__bases__, body)
        made.__qualname__ = cls.__qualname__
        return made

    def _no_setting(self: object, name: str, value: object) -> None:
        raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")

    def _no_deleting(self: object, name: str) -> None:
        raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")

    def _state(self: Any) -> list[Any]:
        return [getattr(self, each.name) for each in dataclasses.fields(self)]

    def _with_state(self: Any, state: list[Any]) -> None:
        for each, value in zip(dataclasses.fields(self), state, strict=True):
            object.__setattr__(self, each.name, value)

    def _repr(self: Any) -> str:
        told = (each.name for each in dataclasses.fields(self) if each.repr)
        parts = ", ".join(f"{name}={getattr(self, name)!r}" for name in told)
        return f"{type(self).__qualname__}({parts})"

    def _when_called(cls: type, name: str, write: Callable[[type], Any]) -> Any:
        def method(*args: Any, **options: Any) -> Any:
            real = write(cls)
            real.__qualname__ = f"{cls.__qualname__}.{name}"
            setattr(cls, name, real)
            return real(*args, **options)

        method.__name__ = name
        return method

    def _first_calls(cls: type) -> Any:
        """Return what makes the first few instances; what is made more often gets its own."""
        calls = 0

        def made(self: Any, *args: Any, **options: Any) -> None:
            nonlocal calls
            calls += 1
            if calls > _FEW or not _is_filled(self, args, options):
                real = _init(cls)
                real.__qualname__ = f"{cls.__qualname__}.__init__"
                cls.__init__ = real
                real(self, *args, **options)
            elif hasattr(cls, "__post_init__"):
                self.__post_init__()

        made.__name__ = "__init__"
        return made

    def _is_filled(self: Any, args: tuple[Any, ...], options: dict[str, Any]) -> bool:
        """Set the fields; false where what is given is not what they take, which is told later."""
        place = named = 0
        for each in dataclasses.fields(self):
            if each.init and not each.kw_only and place < len(args):
                value = args[place]
                place += 1
            elif each.init and each.name in options:
                value = options[each.name]
                named += 1
            elif each.default is not dataclasses.MISSING:
                value = each.default
            elif each.default_factory is not dataclasses.MISSING:
                value = each.default_factory()
            elif each.init:
                return False
            else:
                continue
            object.__setattr__(self, each.name, value)
        return place == len(args) and named == len(options)

    def _init(cls: type) -> Any:
        scope: dict[str, Any] = {"_keep": object.__setattr__, "_MISSING": dataclasses.MISSING}
        ordered, named, body = list[str](), list[str](), list[str]()
        for each in dataclasses.fields(cls):
            name, value = each.name, each.name
            taken = name
            if each.default is not dataclasses.MISSING:
                scope[f"_default_{name}"] = each.default
                taken = f"{name}=_default_{name}"
                value = name if each.init else f"_default_{name}"
            elif each.default_factory is not dataclasses.MISSING:
                scope[f"_make_{name}"] = each.default_factory
                taken = f"{name}=_MISSING"
                value = f"_make_{name}()"
                if each.init:
                    value += f" if {name} is _MISSING else {name}"
            elif not each.init:
                continue
            if each.init:
                (named if each.kw_only else ordered).append(taken)
            body.append(f"_keep(self, {name!r}, {value})")
        if hasattr(cls, "__post_init__"):
            body.append("self.__post_init__()")
        options = ["*", *named] if named else []
        return _written("__init__", ["self", *ordered, *options], body or ["pass"], scope)

    def _eq(cls: type) -> Any:
        names = [each.name for each in dataclasses.fields(cls) if each.compare]
        body = [
            "if other.__class__ is not self.__class__: return NotImplemented",
            f"return {_all_of('self', names)} == {_all_of('other', names)}",
        ]
        return _written("__eq__", ["self", "other"], body, {})

    def _compared(cls: type, sign: str) -> Any:
        names = [each.name for each in dataclasses.fields(cls) if each.compare]
        body = [
            "if other.__class__ is not self.__class__: return NotImplemented",
            f"return {_all_of('self', names)} {sign} {_all_of('other', names)}",
        ]
        return _written("compared", ["self", "other"], body, {})

    def _hash(cls: type) -> Any:
        every = dataclasses.fields(cls)
        names = [each.name for each in every if (each.compare if each.hash is None else each.hash)]
        return _written("__hash__", ["self"], [f"return hash({_all_of('self', names)})"], {})

    def _all_of(value: str, names: list[str]) -> str:
        return "(" + "".join(f"{value}.{name}, " for name in names) + ")"

    def _written(name: str, takes: list[str], body: list[str], scope: dict[str, Any]) -> Any:
        exec("\n ".join([f"def {name}({', '.join(takes)}):", *body]), scope)
        return scope[name]
