"""The walks through the house can be measured, and none gets longer."""

import re
from pathlib import Path

from tests.architecture.measure import walks


def test_deciding_and_the_gate_cross_no_more_than_they_did(tmp_path: Path) -> None:
    """Each may only shrink; the first plan costs hardly more than the next one."""
    found = {
        name: [float(each.replace(",", "")) for each in re.findall(r"\d[\d,.]*", told)]
        for name, told in walks(tmp_path)
    }

    assert found["first plan beside a warm one"][0] <= 420
    calls, modules = found["plan of an approval, warm"]
    assert calls <= 925
    assert modules <= 25
    assert found["approval to durable bytes"][1] <= 71
    assert (
        found["modules that `check` imports"][0] <= 115
    )  # one compiles patterns late, two know click alone
