"""What comes into a store has an id that no other has, and the change tells it as it is."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.sniper_files import CONVENTIONS, carry_out, project

from remem.base.errors import NotPossible
from remem.core.verbs.verbs import plan
from remem.model.change import Intent
from remem.model.entry import Status

STORE = """\
conventions:
  - {id: conv-001, rule: Log JSON}
  - {id: conv-002, rule: Names are verbs}
"""
PROPOSAL = ".remem/proposals/20260505-aaaaaaaa.yaml"


def test_approving_a_proposal_puts_it_into_force_under_an_id_of_its_own(tmp_path: Path) -> None:
    theirs = "{rule: Use X, id: conv-001, status: candidate}"
    files = {CONVENTIONS: STORE, PROPOSAL: f"kind: convention\nfields: {theirs}\n"}
    library = project(tmp_path, files)

    change = plan(library, Intent("approve", {library.resolve("remem:20260505-aaaaaaaa").ref: ""}))
    after = carry_out(library, change)

    (ref,) = change.touched.values()
    assert ref is not None
    assert (ref.id, after.entry(ref).status) == ("conv-003", Status.ACTIVE)
    assert [e.ref.id for e in after.of_kind("convention")] == ["conv-001", "conv-002", "conv-003"]


@pytest.mark.parametrize("name", ["conv-900", "house-1"])
def test_an_id_that_is_given_names_the_entry_in_the_change_too(tmp_path: Path, name: str) -> None:
    library = project(tmp_path, {CONVENTIONS: STORE})
    adding = Intent("add", {}, {"kind": "convention", "text": "Tea", "fields": {"id": name}})

    editing = Intent("edit", {library.resolve("conv-001").ref: ""}, {"fields": {"id": name}})

    for change in (plan(library, adding), plan(library, editing)):
        after = library.preview(change.effects)
        (ref,) = change.touched.values()
        assert ref is not None
        assert after.entry(ref).ref.id.endswith(name)


@pytest.mark.parametrize("name", ["conv-001", ""])
def test_an_id_that_is_taken_is_given_to_no_second_entry(tmp_path: Path, name: str) -> None:
    library = project(tmp_path, {CONVENTIONS: STORE})

    with pytest.raises(NotPossible, match="taken or empty"):
        plan(
            library, Intent("add", {}, {"kind": "convention", "text": "T", "fields": {"id": name}})
        )
