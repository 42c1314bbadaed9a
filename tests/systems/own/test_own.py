"""Proposals and rejections: remem's own files in a repository."""

from pathlib import Path

import pytest
from tests.sniper_files import project, write

from remem.base.errors import NotPossible
from remem.core.own_folder import IGNORED
from remem.model.change import Create, Delete, Json
from remem.model.entry import Ref, Status
from remem.systems.own.proposals import Own

OWN = Own()
NAME = ".remem/proposals/20260505-5eed5eed.yaml"
PROPOSAL = """\
# from the night shift
kind: convention
fields:
  rule: "Log JSON"   # as agreed
  applies_to: [qa]
evidence: "seen twice"
by: Maya
door: mcp
date: "2026-05-05"
why: "an agent proposed it"
"""


def test_a_proposal_is_a_candidate(tmp_path: Path) -> None:
    library = project(tmp_path, {NAME: PROPOSAL})

    (entry,) = library.entries()

    assert entry.ref.without_place() == Ref("remem", "20260505-5eed5eed")
    assert (entry.kind, entry.title, entry.status) == ("proposal", "Log JSON", Status.CANDIDATE)
    assert (entry.roles, entry.context, entry.problems) == (("qa",), "convention", ())


def test_a_proposal_is_added_with_the_day(tmp_path: Path) -> None:
    library = project(tmp_path, {"README.md": "x"})
    fields: dict[str, Json] = {"kind": "convention", "fields": {"rule": "Log JSON"}, "door": "mcp"}

    added = OWN.add(library.ground, library.sources, "proposal", fields)

    ignore, made = added.effects
    assert isinstance(ignore, Create)
    assert ignore.data == IGNORED
    assert isinstance(made, Create)
    assert made.path.match(".remem/proposals/20260505-????????.yaml")
    write(library.ground.root, {f".remem/proposals/{made.path.name}": made.data})
    entry = library.refresh().entry(added.ref)
    source = library.refresh().source_of(entry)
    assert OWN.fields(source, entry) == {**fields, "date": "2026-05-05"}


def test_editing_a_proposal_changes_its_fields_and_no_comment(tmp_path: Path) -> None:
    library = project(tmp_path, {NAME: PROPOSAL})
    (entry,) = library.entries()

    effects = OWN.edit(library.source_of(entry), entry, {"rule": "Log JSON lines"})

    (source,) = library.preview(effects).sources
    assert source.data == PROPOSAL.replace("Log JSON", "Log JSON lines").encode()
    with pytest.raises(NotPossible, match="no field `colour`"):
        OWN.edit(library.source_of(entry), entry, {"colour": "red"})


def test_a_proposal_is_edited_as_the_fields_that_it_holds_too(tmp_path: Path) -> None:
    library = project(tmp_path, {NAME: PROPOSAL})
    (entry,) = library.entries()
    source = library.source_of(entry)
    held = OWN.fields(source, entry)["fields"]
    assert isinstance(held, dict)

    effects = OWN.edit(source, entry, {"fields": {**held, "rule": "Log JSON lines"}})

    (after,) = library.preview(effects).sources
    assert after.data == PROPOSAL.replace("Log JSON", "Log JSON lines").encode()


def test_removing_a_proposal_deletes_its_file(tmp_path: Path) -> None:
    library = project(tmp_path, {NAME: PROPOSAL})
    (entry,) = library.entries()
    source = library.source_of(entry)

    (effect,) = OWN.remove(source, entry)

    assert effect == Delete(source.path, PROPOSAL.encode(), source.digest)


@pytest.mark.parametrize(
    "data",
    [
        pytest.param("kind: [\n", id="syntax"),
        pytest.param("- a\n", id="a-list"),
        pytest.param("", id="empty"),
        pytest.param("fields: 3\n", id="wrong-fields"),
    ],
)
def test_a_broken_proposal_is_a_problem(tmp_path: Path, data: str) -> None:
    library = project(tmp_path, {NAME: data})

    assert [problem.path for _, _, problem in library.problems()]


@pytest.mark.parametrize("data", ["rejected: 5\n", "rejected:\n- {kind: convention}\n", "- a\n"])
def test_a_broken_list_of_rejections_is_a_problem(tmp_path: Path, data: str) -> None:
    library = project(tmp_path, {".remem/rejected.yaml": data})

    assert [problem.path for _, _, problem in library.problems()]
    assert list(library.entries()) == []


def test_remem_keeps_no_entries_of_other_kinds(tmp_path: Path) -> None:
    library = project(tmp_path, {"README.md": "x"})

    with pytest.raises(NotPossible):
        OWN.add(library.ground, library.sources, "convention", {"rule": "x"})
