"""Reading without pydantic gives what pydantic gives, or leaves the value to it."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError
from tests.fresh_python import holds

from remem.core.settings import Config
from remem.model.proposals_and_rejections import Proposal, Rejections
from remem.model.record import Record, exact, field_names
from remem.systems.sniper.records import AntiPattern, Calibration, Convention, Decision, Settings
from remem.systems.sniper.retro.retro_record import Findings, SprintRetro

MODELS: tuple[type[Record], ...] = (
    *(Convention, AntiPattern, Decision, Calibration, Settings),
    *(SprintRetro, Findings, Rejections, Proposal, Config),
)
WORDS = st.sampled_from(["", "x", "HIGH", " both", "retro", "critical", "codify", "qa"])
PLAIN = st.none() | st.booleans() | st.integers(-3, 2**60) | st.floats(allow_nan=False) | WORDS
NAMES = {name for model in MODELS for name in field_names(model)}
INNER = sorted(NAMES | {"type", "ref", "rule", "forbid", "ast", "pattern", "budget", "reasons"})
JSON = st.recursive(
    PLAIN,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(INNER), inner, max_size=4)
    ),
    max_leaves=8,
)


@st.composite
def files(draw: st.DrawFn) -> tuple[type[Record], dict[Any, Any]]:
    """Return a model with values that have a chance to fit it."""
    model = draw(st.sampled_from(MODELS))
    value: dict[Any, Any] = dict.fromkeys(("id", "rule", "description", "title", "kind"), "text")
    names = st.sampled_from([*field_names(model), "owner"])
    return model, {**value, **draw(st.dictionaries(names, JSON, max_size=5))}


@given(files())
@example((Convention, {"id": "a", "rule": "b", "enforcement": "BOTH ", "detect": {"forbid": "x"}}))
@example((Convention, {"id": "a", "rule": "b", "kind": "mine", "source": {"type": "Retro"}}))
@example((Decision, {"id": "a", "title": "t", "decision": "d", "overrides": ["x"], "seen": []}))
@example((AntiPattern, {"id": "a", "description": "b", "severity": "critical"}))
@example((Findings, {"new_conventions": ["a text", {"rule": "x", "confidence": "HIGH"}]}))
@example((Calibration, {"velocity_factor": 1, "common_underestimates": [{"pattern": "p"}]}))
@example((Settings, {"memory": {"token_budget": 1500}, "ownership": {"backend": ["src"]}}))
@example((Config, {"tokens": {"budget": 0, "window": 1}, "roles": {"Ines": ["qa"]}, "x": 1}))
@example((Config, {"tokens": {"budget": -1}, "reject": {"reasons": ["a", "b"]}}))
@example((Config, {"layouts": [{"name": "a", "files": ["b"]}], "agent": {"command": ["x"]}}))
@example((Config, {"journal": {"keep": {"days": 0}}, "glyphs": "ascii"}))
@example((Proposal, {"kind": "lesson", "fields": {"text": {"deep": 1}}}))
def test_what_is_read_without_pydantic_is_what_pydantic_reads(
    found: tuple[type[Record], dict[Any, Any]],
) -> None:
    model, value = found

    record = exact(model, value)

    if record is not None:
        assert record == TypeAdapter[Any](model).validate_python(value)


@pytest.mark.parametrize(
    "value",
    [
        pytest.param({"rule": "no id"}, id="missing"),
        pytest.param({"id": "a", "rule": 7}, id="number"),
        pytest.param({"id": "a", "rule": "x", "applies_to": "qa"}, id="text-for-a-list"),
        pytest.param({"id": "a", "rule": "x", "scope": "galaxy"}, id="word"),
        pytest.param({"id": "a", "rule": "x", 3: "y"}, id="odd-key"),
    ],
)
def test_a_value_that_has_to_be_changed_is_left_alone(value: Mapping[str, Any]) -> None:
    assert exact(Convention, value) is None


@pytest.mark.parametrize(
    "value",
    [
        pytest.param({"tokens": {"budget": -1}}, id="budget"),
        pytest.param({"tokens": {"window": 0}}, id="window"),
    ],
)
def test_a_limit_holds_where_pydantic_reads(value: dict[str, Any]) -> None:
    assert exact(Config, value) is None
    with pytest.raises(ValidationError):
        TypeAdapter(Config).validate_python(value)


def test_settings_that_fit_are_read_without_pydantic() -> None:
    script = (
        "import sys\n"
        "from remem.core.settings import load_config\n"
        "told = {'tokens': {'budget': 9}, 'roles': {'Ines': ['qa']}, 'keymap': {'undo': 'z'}}\n"
        "config, problems = load_config(told, {})\n"
        "assert (config.tokens.budget, problems) == (9, ())\n"
        "assert 'pydantic' not in sys.modules\n"
        "assert load_config({'tokens': {'budget': -1}}, {})[1]\n"
    )

    holds(script)


def test_a_record_is_frozen_and_needs_its_fields() -> None:
    record = Convention(id="conv-001", rule="x")

    with pytest.raises(AttributeError):
        record.rule = "y"  # type: ignore[misc]
    with pytest.raises(TypeError, match="needs rule"):
        Convention(id="conv-001")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="has no ruel"):
        Convention(id="conv-001", rule="x", ruel="y")  # type: ignore[call-arg]
    assert {record, Convention(id="conv-001", rule="x")} == {record}


def test_records_load_no_pydantic() -> None:
    script = (
        "import sys\n"
        "from remem.systems.sniper.records import Convention\n"
        "from remem.model.record import read_record\n"
        "assert read_record(Convention, {'id': 'a', 'rule': 'b'})[1] == ()\n"
        "assert 'pydantic' not in sys.modules\n"
        "assert read_record(Convention, {'id': 'a', 'rule': 3})[1] != ()\n"
    )

    holds(script)


def test_where_an_entry_of_another_system_came_from_is_told_without_pydantic() -> None:
    script = (
        "import sys\n"
        "from remem.model.origin import origin_of\n"
        "found = origin_of({'source': {'type': 'gate_failure', 'ref': 'SNPR-1', 'detail': 'x'}})\n"
        "assert (found.type, found.ref) == ('', 'SNPR-1')\n"
        "assert origin_of({'source': {'type': ' Retro '}}).type == 'retro'\n"
        "assert 'pydantic' not in sys.modules\n"
    )

    holds(script)
