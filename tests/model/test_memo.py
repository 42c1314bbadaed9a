import gc
from weakref import ref

from remem.model.memo import kept


class Thing:
    pass


def test_what_was_made_is_made_once_for_each_thing_and_question() -> None:
    asked: list[int] = []

    @kept
    def doubled(thing: Thing, number: int) -> int:
        asked.append(number)
        return 2 * number

    one, other = Thing(), Thing()

    assert [doubled(one, 1), doubled(one, 1), doubled(one, 2), doubled(other, 1)] == [2, 2, 4, 2]
    assert asked == [1, 2, 1]


def test_a_thing_goes_when_nobody_else_has_it() -> None:
    @kept
    def named(thing: Thing) -> str:
        return "it"

    thing = Thing()
    named(thing)
    gone = ref(thing)
    del thing
    gc.collect()

    assert gone() is None
