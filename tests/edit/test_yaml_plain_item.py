"""What reads the commonest shape of an item without the parser gives its nodes, or none."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st

from remem.edit import yaml_events
from remem.edit.yaml_edit import Window
from remem.edit.yaml_read import plain_item
from remem.edit.yaml_tree import Malformed, Node

ENTRY = """\
  - id: conv-007
    rule: "Tests name what breaks: one sentence each"
    source: {type: retro, ref: 'sprint-4-retro', date: "2026-03-02"}
    applies_to: [backend-engineer, qa-engineer]
    status: candidate
"""
WORDS = st.sampled_from(
    [
        *("a", "conv-007", "2026-03-02", "null", "1.5", "yes", "a b", "src/x.py", "- a", "a-", "-"),
        *('"a b"', "'c: d'", '"# no"', '""', "''", '"a\\n"', "'it''s'", '"ü"', "ü", '"a" b'),
        *("a: b", "a:b", "a #b", "a#b", "|", ">-", "&x a", "*x", "!t a", "[", "{", "...", "?"),
        *("[a, b]", "[a,b]", "[a, 'b']", "[]", "{}", "{k: v}", "{k: v, l: [a]}", "[a, ]", "[a"),
        *('{type: retro, ref: "x", date: "2026"}', "{a: b}c", "a, b", "", " a", "a ", "x" * 1_030),
    ]
)
KEYS = st.sampled_from(["id", "rule", "a-b", "a b", "1", "_x", '"k"', "?", "<<", "id", "x" * 120])
BEFORE = st.sampled_from(["", "- ", "  ", "    ", "  - ", "    - ", "   ", "\t"])
BREAKS = st.sampled_from(["\n", "\n", "\n", "\n", "\n\n", "\r\n", " # c\n", "\n  # c\n", ""])
LINES = st.tuples(BEFORE, KEYS, st.sampled_from([": ", ": ", ": ", ":", ":  "]), WORDS, BREAKS)
WILD = st.lists(LINES.map("".join), min_size=1, max_size=6).map("".join)


@st.composite
def usual(draw: st.DrawFn) -> str:
    """Draw an item as people write it, in which one value may be anything."""
    width = draw(st.integers(0, 3))
    lines = draw(st.lists(st.tuples(KEYS, WORDS), min_size=1, max_size=5))
    texts = [f"{' ' * width}{'  ' if n else '- '}{k}: {v}\n" for n, (k, v) in enumerate(lines)]
    return "".join(texts) + draw(st.sampled_from(["", "\n", "\n\n"]))


def told(node: Node | None) -> object:
    """Return all that there is to a node and those below it."""
    if node is None:
        return None
    own = (node.kind, node.outer, node.start, node.end, node.text, node.style, node.flow)
    below = [told(item) for item in node.items], [(told(k), told(v)) for k, v in node.pairs]
    return (*own, node.anchor, node.tag, *below)


def exactly(data: bytes, start: int) -> object:
    try:
        return told(yaml_events.Builder(data, start, data[start:].decode()).build())
    except Malformed as error:
        return error.code


@settings(max_examples=400, deadline=None)
@given(text=usual() | WILD, above=st.sampled_from(["", "k:\n", "# ü\n"]))
@example(text=ENTRY, above="conventions:\n")
@example(text="- a: [b, \n", above="")
@example(text="- a: b\n  c: d\n e: f\n", above="")
@example(text="- a: b\n   c\n", above="")
@example(text="- a: b\n- c: d\n", above="")
def test_an_item_is_read_as_the_parser_reads_it_or_not_at_all(text: str, above: str) -> None:
    data = (above + text).encode()
    start = len(above.encode())

    found = plain_item(data, start, len(data))

    assert found is None or told(found) == exactly(data, start)


def test_an_entry_that_remem_wrote_is_read_without_the_parser() -> None:
    data = f"conventions:\n{ENTRY}".encode()

    assert plain_item(data, len(b"conventions:\n"), len(data)) is not None
    assert Window.of(data, len(b"conventions:\n"), len(data)).root is not None
