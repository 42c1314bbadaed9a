"""What does not fit a record is mended or left out, and that always comes to an end."""

import pytest

from remem.model.record import read_record
from remem.systems.workspace.records import Contract


@pytest.mark.parametrize(
    "value", [{"name": "a", "version": 1}, {}, {"contract": "text"}, {"contract": ["x"]}]
)
def test_a_part_that_is_missing_is_empty_and_named(value: dict[str, object]) -> None:
    record, faults = read_record(Contract, value)

    assert record.contract.name == ""
    assert "contract" in {fault.field for fault in faults}
