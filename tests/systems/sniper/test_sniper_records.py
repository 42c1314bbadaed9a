"""Records are read tolerantly: what does not fit is a fault, and the rest is kept."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remem.model.entry import Status
from remem.model.record import field_names, read_record, read_status
from remem.model.roles import aliases, matches
from remem.systems.sniper.records import (
    CONFIRMED,
    DECIDED,
    RECORDS,
    Convention,
    Decision,
    from_bare,
)


def test_unknown_keys_are_kept_at_every_level() -> None:
    value = {
        "id": "conv-001",
        "rule": "x",
        "owner": "Maya",
        "source": {"type": "retro", "by": "Jo"},
    }

    record, faults = read_record(Convention, value)

    assert faults == ()
    assert record.unknown == {"owner": "Maya"}
    assert record.source is not None
    assert record.source.unknown == {"by": "Jo"}


@pytest.mark.parametrize(
    ("value", "field", "message"),
    [
        pytest.param({"rule": 12}, "rule", "`rule` is the number `12`, not a text", id="number"),
        pytest.param(
            {"rule": True}, "rule", "`rule` is the truth value `true`, not a text", id="truth"
        ),
        pytest.param({}, "rule", "`rule` is missing", id="missing"),
        pytest.param({"rule": None}, "rule", "`rule` is missing", id="nothing-after-the-colon"),
        pytest.param({"rule": ["a"]}, "rule", "`rule` is a list: input should be a valid string",
                     id="list"),
        pytest.param(
            {"rule": "x", "applies_to": "qa"}, "applies_to",
            "`applies_to` is text, not a list", id="text-for-a-list",
        ),
        pytest.param(
            {"rule": "x", "applies_to": ["qa", 3]}, "applies_to.2",
            "`applies_to.2` is the number `3`, not a text", id="number-in-a-list",
        ),
        pytest.param(
            {"rule": "x", "applies_to": ["qa", None]}, "applies_to.2",
            "`applies_to.2` is empty", id="nothing-in-a-list",
        ),
        pytest.param(
            {"rule": "x", "enforcement": "often"}, "enforcement",
            "`enforcement` is `often`: input should be 'review_gate', 'spawn_prompt' or 'both'",
            id="enumeration",
        ),
        pytest.param(
            {"rule": "x", "detect": {"forbid": 3}}, "detect.forbid",
            "`detect.forbid` is the number `3`, not a text", id="union",
        ),
    ],
)  # fmt: skip
def test_each_failing_field_is_one_fault(value: dict[str, Any], field: str, message: str) -> None:
    _, faults = read_record(Convention, {"id": "conv-001", **value})

    assert [(fault.field, fault.message) for fault in faults] == [(field, message)]


def test_a_failing_field_leaves_the_others_as_they_are() -> None:
    value = {"id": "conv-001", "rule": 7, "applies_to": "qa", "scope": "galaxy", "rationale": "why"}

    record, faults = read_record(Convention, value)

    assert (record.rule, record.applies_to, record.scope) == ("7", ("qa",), None)
    assert record.rationale == "why"
    assert {fault.field for fault in faults} == {"rule", "applies_to", "scope"}


WORDS = st.text(max_size=4)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats(allow_nan=False) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=6,
)
FIELDS = sorted({name for model in RECORDS.values() for name in field_names(model)})


@given(kind=st.sampled_from(sorted(RECORDS)), value=st.dictionaries(st.sampled_from(FIELDS), JSON))
def test_no_value_is_too_odd_to_be_read(kind: str, value: dict[str, Any]) -> None:
    untouched = repr(value)

    record, faults = read_record(RECORDS[kind], value)

    assert isinstance(record.text, str)
    assert len({fault.path for fault in faults}) == len(faults)
    assert repr(value) == untouched


@pytest.mark.parametrize(
    ("word", "own", "status", "is_fault"),
    [
        pytest.param(None, CONFIRMED, Status.ACTIVE, False, id="missing"),
        pytest.param(" Confirmed ", CONFIRMED, Status.ACTIVE, False, id="case-and-blanks"),
        pytest.param("candidate", DECIDED, Status.CANDIDATE, False, id="own"),
        pytest.param("deprecated", DECIDED, Status.ARCHIVED, False, id="decision"),
        pytest.param("active", CONFIRMED, Status.ACTIVE, True, id="a-neighbours-active"),
        pytest.param("deprecated", CONFIRMED, Status.ARCHIVED, True, id="a-neighbours-deprecated"),
        pytest.param("pending", DECIDED, Status.CANDIDATE, True, id="pending"),
        pytest.param("blessed", CONFIRMED, Status.CANDIDATE, True, id="unknown-waits"),
    ],
)
def test_a_status_word_is_read_as_one_of_five(
    word: str | None, own: Mapping[str, Status], status: Status, is_fault: bool
) -> None:
    found, fault = read_status(word, own)

    assert (found, fault is not None) == (status, is_fault)


def test_a_bare_list_item_is_read_under_the_names_of_the_store() -> None:
    item = {"id": "dec-001", "text": "Postgres", "source": "retro", "created": "2026-03-01"}

    record, faults = read_record(Decision, from_bare("decision", item))

    assert faults == ()
    assert (record.title, record.decision) == ("Postgres", "Postgres")
    assert record.source is not None
    assert (record.source.type, record.source.date) == ("retro", "2026-03-01")


@pytest.mark.parametrize(
    ("asked", "given_roles", "receives"),
    [
        ("Backend-Engineer", ["backend-engineer"], True),
        ("backend-engineer", ["developer"], True),
        ("developer", ["frontend-engineer"], True),
        ("backend-dev", ["backend-engineer"], True),
        ("backend-engineer", ["backend-dev"], True),
        ("frontend-engineer", ["backend-engineer"], False),
        ("fullstack-dev", ["frontend-dev"], True),
        ("backend-engineer", ["fullstack-dev"], False),
        ("qa", ["qa", "architect"], True),
        ("qa", ["qa-engineer"], False),
        ("qa", [], True),
        ("qa", None, True),
        ("", ["architect"], True),
    ],
)
def test_a_role_receives_what_it_and_its_aliases_are_named_in(
    asked: str, given_roles: list[str] | None, receives: bool
) -> None:
    assert matches(asked, given_roles) is receives


def test_aliases_name_each_role_once_and_itself() -> None:
    assert aliases(" QA ") == {"qa"}
    assert aliases("backend-dev") == {"backend-dev", "backend-engineer", "developer"}
