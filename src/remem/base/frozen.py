"""Makes frozen dataclasses whose methods are written when they are first called.

The standard library compiles six methods for each class, and those took a fifth of what a command
takes: of the classes that are loaded, most are never made or compared. All else is its doing.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:
    from collections.abc import Callable
    from typing import Any

    def dataclass(cls: type | None = None, /, **given: bool) -> Any:
        """Make a dataclass, as `dataclasses.dataclass` does with these options.

        A frozen one with slots gets its methods late; it is no base of one of the library's own.
        """
        if cls is not None:
            return dataclasses.dataclass(cls)
        is_late = given.get("frozen") and given.get("slots") and not given.get("order")
        return (lambda cls: _late(cls, dict(given))) if is_late else dataclasses.dataclass(**given)

    def _late(cls: type, given: dict[str, bool]) -> type:
        has_eq = given.pop("eq", True)
        own = vars(cls)
        # With `__eq__` in its body Python itself notes that there is no hash: that is not its own.
        has_hash = own.get("__hash__") is not None
        written = {each for each in ("__init__", "__repr__", "__eq__") if each in own}
        bases = (getattr(base, "__dataclass_params__", None) for base in cls.__mro__[1:])
        given["frozen"] = any(base.frozen for base in bases if base is not None)
        made = dataclasses.dataclass(init=False, repr=False, eq=False, **given)(cls)
        made.__dataclass_params__.frozen = True
        made.__setattr__, made.__delattr__ = _no_setting, _no_deleting
        made.__getstate__, made.__setstate__ = _state, _with_state
        if "__init__" not in written:
            made.__init__ = _when_called(made, "__init__", _init)
        if "__repr__" not in written:
            made.__repr__ = _repr
        if has_eq and "__eq__" not in written:
            made.__eq__ = _when_called(made, "__eq__", _eq)
        if has_eq and not has_hash:
            made.__hash__ = _when_called(made, "__hash__", _hash)
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

    def _hash(cls: type) -> Any:
        every = dataclasses.fields(cls)
        names = [each.name for each in every if (each.compare if each.hash is None else each.hash)]
        return _written("__hash__", ["self"], [f"return hash({_all_of('self', names)})"], {})

    def _all_of(value: str, names: list[str]) -> str:
        return "(" + "".join(f"{value}.{name}, " for name in names) + ")"

    def _written(name: str, takes: list[str], body: list[str], scope: dict[str, Any]) -> Any:
        exec("\n ".join([f"def {name}({', '.join(takes)}):", *body]), scope)
        return scope[name]
