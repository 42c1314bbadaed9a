"""The summary's blocks say what their entries say, however often a store changes."""

from hypothesis import given, settings
from hypothesis import strategies as st

from remem.model.entry import Status
from remem.systems.sniper.summary_bullets import Block, block_of, carried, filled

Line = tuple[Status, str]
LINES = st.lists(
    st.tuples(st.sampled_from(list(Status)), st.sampled_from(["a", "b", "bc"])), max_size=300
)


def made(lines: list[Line], blocks: list[Block]) -> list[Block]:
    return filled(blocks, lambda first, last: block_of(lines[first:last]))


def said(blocks: list[Block]) -> list[bytes]:
    """Return the lines of each group, joined."""
    groups = len(Block(0, 0, (b"", b"", b"")).texts)
    return [b"\n".join(b.texts[n] for b in blocks if b.texts[n]) for n in range(groups)]


@settings(max_examples=150)
@given(lines=LINES, data=st.data())
def test_blocks_carried_over_and_filled_say_the_same_as_new_ones(
    lines: list[Line], data: st.DataObject
) -> None:
    blocks = made(lines, [Block(len(lines))])
    for _ in range(3):
        head = data.draw(st.integers(0, len(lines)))
        tail = data.draw(st.integers(0, len(lines) - head))
        new = data.draw(LINES.map(lambda found: found[:70]))
        lines = lines[:head] + new + lines[len(lines) - tail :]

        blocks = made(lines, carried(blocks, head, tail, len(lines)))

        fresh = made(lines, [Block(len(lines))])
        assert sum(block.length for block in blocks) == len(lines)
        assert sum(b.candidates for b in blocks) == sum(b.candidates for b in fresh)
        assert [part.split(b"\n") for part in said(blocks)] == [
            part.split(b"\n") for part in said(fresh)
        ]


def test_a_change_of_one_entry_makes_one_block_anew() -> None:
    lines = [(Status.ACTIVE, f"line {number}") for number in range(1_000)]
    blocks = made(lines, [Block(len(lines))])
    asked: list[tuple[int, int]] = []

    def make(first: int, last: int) -> Block:
        asked.append((first, last))
        return block_of(lines[first:last])

    filled(carried(blocks, 500, 499, 1_000), make)

    ((first, last),) = asked
    assert first <= 500 < last
    assert last - first <= 64
