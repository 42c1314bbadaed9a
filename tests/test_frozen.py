"""A class of ours is what the standard library would have made of it, only sooner."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar, Generic, TypeVar

import pytest

from remem.base import frozen

T = TypeVar("T")
Maker = Callable[..., Any]
OFTEN = 20
"""More calls than are answered before a method is written."""
MAKERS: tuple[Maker, Maker] = (frozen.dataclass, dataclasses.dataclass)


def made(maker: Maker) -> dict[str, Any]:
    """Return classes of every shape that remem has, from one of the two makers."""

    @maker(frozen=True, slots=True)
    class Place:
        line: int
        text: str = "none"
        notes: list[str] = dataclasses.field(default_factory=list, hash=False)
        seen: int = dataclasses.field(default=0, compare=False, repr=False)

    @maker(frozen=True, slots=True)
    class Wide(Place):
        more: tuple[int, ...] = ()

    @maker(frozen=True, slots=True, kw_only=True)
    class Named:
        one: int
        two: int = 2
        three: int = dataclasses.field(init=False, default=3)

    @maker(frozen=True, slots=True, eq=False, weakref_slot=True)
    class Itself:
        one: int

    @maker(frozen=True, slots=True)
    class Own:
        one: int

        def __post_init__(self) -> None:
            if self.one < 0:
                raise ValueError("below nothing")

        def __eq__(self, other: object) -> bool:
            return isinstance(other, type(self))

        def __repr__(self) -> str:
            return "mine"

    @maker(frozen=True, slots=True)
    class Hashed:
        one: int

        def __hash__(self) -> int:
            return 7

    @maker(frozen=True, slots=True, order=True)
    class Ordered:
        one: int

    @maker
    class Loose:
        one: int

    @maker(slots=True)
    class Counted:
        one: int
        many: list[int] = dataclasses.field(default_factory=list)

        def __post_init__(self) -> None:
            self.one += 1

    @maker(frozen=True, slots=True)
    class Marked(Generic[T]):
        """Says something of itself."""

        one: int
        known: ClassVar[int] = 5
        _: dataclasses.KW_ONLY
        two: int = 2

    @maker(frozen=True, slots=True)
    class Further(Marked[int]):
        one: int = 1
        three: str = dataclasses.field(default="", kw_only=True)

    every: tuple[Any, ...] = (
        Place,
        Wide,
        Named,
        Itself,
        Own,
        Hashed,
        Ordered,
        Loose,
        Counted,
        Marked,
        Further,
    )
    return {each.__name__: each for each in every}


def told(act: Callable[[], object]) -> object:
    """Return what comes of something: a value, or the error with its words."""
    try:
        return act()
    except Exception as error:
        return type(error).__name__, str(error)


ACTS: dict[str, Callable[[dict[str, Any]], object]] = {
    "it is written as its fields": lambda of: repr(of["Place"](1, "a", ["b"], 4)),
    "what has a default may be left out": lambda of: repr(of["Wide"](1)),
    "a list of its own for each": lambda of: of["Place"](1).notes is not of["Place"](1).notes,
    "a field too few": lambda of: of["Place"](),
    "a field too many": lambda of: of["Place"](1, "a", [], 0, 5),
    "a name that nobody knows": lambda of: of["Place"](1, other=2),
    "names only": lambda of: of["Named"](1),
    "named": lambda of: repr(of["Named"](one=1)),
    "what is not taken": lambda of: of["Named"](one=1, three=4),
    "equal": lambda of: of["Place"](1, seen=3) == of["Place"](1, seen=4),
    "other values": lambda of: of["Place"](1) == of["Place"](2),
    "another class": lambda of: of["Place"](1) == of["Wide"](1),
    "something else": lambda of: of["Place"](1) == 1,
    "hashes alike": lambda of: hash(of["Place"](1, notes=["a"])) == hash((1, "none")),
    "is itself alone": lambda of: of["Itself"](1) == of["Itself"](1),
    "its own words": lambda of: (repr(of["Own"](1)), of["Own"](1) == of["Own"](2)),
    "a hash beside its own equality": lambda of: hash(of["Own"](1)) == hash((1,)),
    "its own hash": lambda of: hash(of["Hashed"](1)),
    "is looked at when it is made": lambda of: of["Own"](-1),
    "in order": lambda of: of["Ordered"](1) < of["Ordered"](2),
    "as far": lambda of: (of["Ordered"](1) <= of["Ordered"](1), of["Ordered"](1) >= of["Loose"](1)),
    "further": lambda of: of["Ordered"](1) > of["Ordered"](2),
    "given twice": lambda of: of["Place"](1, line=2),
    "one that changed": lambda of: of["Loose"](1) == of["Loose"](2),
    "one that may change has no hash": lambda of: hash(of["Loose"](1)),
    "it counts on": lambda of: repr(of["Counted"](1, many=[2])),
    "one that may change": lambda of: setattr(of["Loose"](1), "one", 2),
    "of a kind": lambda of: repr((of["Marked"](1, two=3), of["Marked"].known)),
    "by name alone": lambda of: of["Marked"](1, 2),
    "of a kind of a kind": lambda of: repr(of["Further"](two=4, three="a")),
    "what it says": lambda of: [of[each].__doc__ for each in ("Marked", "Own", "Further")][:1],
    "how each field is": lambda of: [
        (each.name, each.type, each.default, each.kw_only, each.init)
        for kind in of.values()
        for each in dataclasses.fields(kind)
    ],
    "nothing is set": lambda of: setattr(of["Wide"](1), "line", 2),
    "nothing is deleted": lambda of: delattr(of["Wide"](1), "line"),
    "replaced": lambda of: repr(dataclasses.replace(of["Wide"](1), text="b")),
    "its fields": lambda of: [each.name for each in dataclasses.fields(of["Wide"])],
    "as a tuple": lambda of: dataclasses.astuple(of["Wide"](1, more=(2,))),
    "matched by place": lambda of: [each.__match_args__ for each in of.values()],
    "copied": lambda of: repr((copy.copy(of["Wide"](1)), copy.deepcopy(of["Wide"](1)))),
    "known as frozen": lambda of: [each.__dataclass_params__.frozen for each in of.values()],
    "its slots": lambda of: [getattr(each, "__slots__", None) for each in of.values()],
}


@pytest.mark.parametrize("claim", ACTS)
def test_a_class_does_as_the_librarys_at_first_and_when_it_is_called_often(claim: str) -> None:
    classes = [made(each) for each in MAKERS]

    for _ in range(OFTEN):
        ours, theirs = (told(partial(ACTS[claim], each)) for each in classes)
        assert ours == theirs


def test_a_default_that_all_would_share_is_refused() -> None:
    for maker in MAKERS:
        with pytest.raises(ValueError, match="default"):

            @maker(frozen=True, slots=True)
            class Sharing:
                many: list[int] = []  # noqa: RUF012


@frozen.dataclass(frozen=True, slots=True)
class Kept:
    """Stands where it can be pickled."""

    one: int


def test_a_frozen_class_can_be_pickled() -> None:
    assert pickle.loads(pickle.dumps(Kept(3))) == Kept(3)


def test_a_method_is_written_when_it_is_called_often() -> None:
    place = made(frozen.dataclass)["Place"]
    before = place.__init__

    place(1)
    assert place.__init__ is before
    for _ in range(OFTEN):
        place(1)

    assert place.__init__ is not before
    assert place.__init__.__qualname__.endswith("Place.__init__")
