"""What is hurried in ruamel gives what ruamel gives: the same events at the same places."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from remem.edit.yaml_events import _Yaml

PIECES = st.sampled_from(
    [
        *("a", "b: ", "key:", "- ", "-", "? ", ": ", "\n", "\n  ", "\n    ", "\r\n", " ", "\t"),
        *("[", "]", "{", "}", ", ", '"q"', "'it''s'", '"', "'", "&x ", "*x", "!!str ", "!t "),
        *("|", ">-", "|+\n", "# c", " # c\n", "---\n", "...\n", "%YAML 1.2\n", "<<: ", "ü", "\x85"),
        *("x" * 1_030, "1.5", "2026-01-05", "\ufeff"),
    ]
)
FAILURES = (YAMLError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
TEXTS = st.lists(PIECES, max_size=24).map("".join)


def told(yaml: YAML, text: str) -> list[object]:
    """Return each event with its place, and how the reading ended."""
    found: list[object] = []
    events = ((repr(e), e.start_mark.index, e.end_mark.index) for e in yaml.parse(text))
    try:
        found.extend(events)
    except FAILURES as error:
        found.append((type(error), str(error)))
    return found


@settings(max_examples=150, deadline=None)
@given(text=TEXTS)
@example(text="- id: PR-001\n  tags: [a, b]\n  text: |+\n    one\n\n  note: 'x'\n")
@example(text="? a\n: b\n")
@example(text="a: 'x\nb: y\n")
def test_the_events_are_those_of_ruamel_itself(text: str) -> None:
    assert told(_Yaml(), text) == told(YAML(typ="safe", pure=True), text)
