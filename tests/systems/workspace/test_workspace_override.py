"""Where levels disagree: what waits, what one key writes, and what is left alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.sniper_files import ANTI_PATTERNS, CONVENTIONS, splices_on
from tests.workspace_files import SHARED, conventions, files, opened, workspace

from remem.base.errors import NotPossible
from remem.core.checks.issues import issues
from remem.core.library import Library
from remem.core.verbs.verbs import plan
from remem.core.waiting.item import Item, Why
from remem.core.waiting.queue import queue
from remem.edit.lines import spliced
from remem.model.change import Change, Intent, touched_paths
from remem.systems.workspace.inherit import overridden

SPACES = "Indent every source file of the service with four spaces"
NO_SPACES = "Do not indent every source file of the service with four spaces"


def written(change: Change, path: Path) -> bytes:
    return spliced(path.read_bytes(), splices_on(change, path))


@pytest.fixture
def disagreeing(tmp_path: Path) -> Path:
    """A workspace whose repository `api` may contradict it, and `web` does not."""
    return workspace(tmp_path, [SPACES], {"api": ["One", NO_SPACES], "web": ["Two"]})


def waiting(library: Library) -> list[Item]:
    return [item for item in queue(library) if item.reason is Why.OVERRIDE]


def between(library: Library) -> list[str]:
    return [w.problem.message for w in issues(library) if w.problem.code == "between-levels"]


def test_a_contradiction_is_told_with_both_texts(disagreeing: Path) -> None:
    library = opened(disagreeing / "repositories" / "api")

    (item,) = waiting(library)
    (issue,) = between(library)

    assert NO_SPACES in issue
    assert SPACES in issue
    assert item.title == NO_SPACES
    assert SPACES in item.evidence[0]
    assert item.suggested == "approve"


def test_what_contradicts_the_workspace_overrides_nothing_before_a_person_says_so(
    disagreeing: Path,
) -> None:
    assert overridden(opened(disagreeing / "repositories" / "api").sources) == {}
    assert overridden(opened(disagreeing / "repositories" / "web").sources) == {}


def test_what_differs_in_a_number_is_asked_about_and_leaves_both_in_force(tmp_path: Path) -> None:
    case = "Case {}: every session of the service is written by one owner alone"
    root = workspace(tmp_path, [case.format(12)], {"api": [case.format(13)]})

    library = opened(root / "repositories" / "api")

    assert overridden(library.sources) == {}
    (issue,) = issues(library)
    assert "agents get both" in issue.problem.hint
    assert issue.problem.message == (
        "`sniper:conv-001`: possible conflict with `workspace:conv-001`: "
        f"{case.format(13)}; `workspace:conv-001`: {case.format(12)}"
    )


def test_an_id_of_ones_own_repository_is_never_ambiguous(disagreeing: Path) -> None:
    library = opened(disagreeing / "repositories" / "api")

    assert library.resolve("conv-001").title == "One"
    assert library.resolve("workspace:conv-001").title == SPACES


def test_approving_writes_the_override_into_the_repositorys_entry_alone(disagreeing: Path) -> None:
    library = opened(disagreeing / "repositories" / "api")
    (item,) = waiting(library)

    change = plan(library, Intent("approve", {item.ref: item.digest}))
    after = library.preview(change.effects)

    store = disagreeing / "repositories" / "api" / CONVENTIONS
    before = store.read_bytes()
    assert written(change, store) == before.replace(
        NO_SPACES.encode() + b'"', NO_SPACES.encode() + b'", overrides: "workspace:conv-001"'
    )
    assert [str(ref.without_place()) for ref in overridden(after.sources)] == ["workspace:conv-001"]
    assert waiting(after) == []
    assert between(after) == []


def test_rejecting_leaves_both_and_asks_no_more(disagreeing: Path) -> None:
    library = opened(disagreeing / "repositories" / "api")
    (item,) = waiting(library)

    change = plan(library, Intent("reject", {item.ref: item.digest}, {"reason": "both are meant"}))
    after = library.preview(change.effects)

    assert waiting(after) == []
    assert between(after) == []
    assert overridden(after.sources) == {}


def test_keeping_both_levels_with_a_reason_asks_no_more(disagreeing: Path) -> None:
    library = opened(disagreeing / "repositories" / "api")
    (item,) = waiting(library)
    told = {"reason": "the api is old"}

    change = plan(library, Intent("keep_both", {item.ref: item.digest}, told))
    after = library.preview(change.effects)

    assert "keep_both" in item.verbs
    assert change.reason == "the api is old"
    assert waiting(after) == []
    assert overridden(after.sources) == {}


def test_an_entry_that_overrides_one_is_given_another(tmp_path: Path) -> None:
    own = {"rule": "Tabs", "overrides": "conv-001"}
    root = workspace(tmp_path, ["One", "Two"], {"api": [own]})
    library = opened(root / "repositories" / "api")
    entry = library.resolve("sniper:conv-001")

    intent = Intent("workspace.override", {entry.ref: entry.digest}, {"of": "workspace:conv-002"})
    after = library.preview(plan(library, intent).effects)

    assert {ref.id for ref in overridden(after.sources)} == {"conv-001", "conv-002"}


def test_what_overrides_nothing_is_worth_a_look(tmp_path: Path) -> None:
    root = workspace(tmp_path, ["One"], {"api": [{"rule": "Tabs", "overrides": "conv-009"}]})

    (found,) = [
        w for w in issues(opened(root / "repositories/api"))
        if w.problem.code == "overrides-nothing"
    ]  # fmt: skip

    assert "`conv-009`" in found.problem.message


SECRETS = """\
anti_patterns:
  - {id: ap-001, description: "Secrets in code", severity: high}
  - {id: ap-002, description: "Mocks of our own parts", severity: medium}
"""
OURS = """\
anti_patterns:
  - {id: ap-001, description: "Keys beside the code"%s}
"""


@pytest.mark.parametrize(
    ("name", "of", "says"),
    [
        ("ap-001", "ap-001", "high-severity"),
        ("conv-001", "ap-002", "different kinds"),
        ("ap-001", "conv-001", "different kinds"),
    ],
)
def test_an_override_crosses_no_kind_and_drops_no_grave_anti_pattern(
    tmp_path: Path, name: str, of: str, says: str
) -> None:
    root = workspace(tmp_path, ["One"], {"api": ["Tabs"]})
    api = root / "repositories/api"
    files(root, {SHARED.replace("conventions", "anti-patterns"): SECRETS})
    files(api, {ANTI_PATTERNS: OURS % ""})
    library = opened(api)
    (own,) = [e for e in library.entries() if (e.ref.format, e.ref.id) == ("sniper", name)]

    asked = Intent("workspace.override", {own.ref: own.digest}, {"of": f"workspace:{of}"})
    with pytest.raises(NotPossible, match=says):
        plan(library, asked)

    files(api, {ANTI_PATTERNS: OURS % ", overrides: ap-001"})
    after = opened(api)
    assert overridden(after.sources) == {}
    assert [w.problem.code for w in issues(after) if "override" in w.problem.code] == [
        "overrides-in-vain"
    ]


def test_on_the_workspace_one_queue_names_the_repository(disagreeing: Path) -> None:
    library = opened(disagreeing)

    (item,) = waiting(library)
    change = plan(library, Intent("approve", {item.ref: item.digest}))

    assert item.group == "api · workspace"
    assert change.title.endswith("in api")
    paths = {path.relative_to(disagreeing).as_posix() for path in touched_paths(change.effects)}
    assert paths == {
        f"repositories/api/{CONVENTIONS}", "repositories/api/.sniper/memory/summary.md",
    }  # fmt: skip


def test_candidates_of_several_repositories_are_approved_in_one_change(tmp_path: Path) -> None:
    one, other = ({"rule": rule, "status": "candidate"} for rule in ("Names are verbs", "Log JSON"))
    root = workspace(tmp_path, [], {"api": [one], "web": [other]})
    library = opened(root)

    items = queue(library)
    change = plan(library, Intent("approve", {item.ref: item.digest for item in items}))
    after = library.preview(change.effects)

    assert [item.group.split(" · ")[0] for item in items] == ["api", "web"]
    assert len({item.id for item in items}) == 2
    assert change.title == "Approve 2 entries in 2 repositories"
    assert queue(after) == ()


def test_a_rejection_is_kept_in_the_repository_that_it_is_about(tmp_path: Path) -> None:
    candidate = {"rule": "Names are verbs", "status": "candidate"}
    root = workspace(tmp_path, [], {"api": [candidate], "web": []})
    library = opened(root)
    (item,) = queue(library)

    change = plan(library, Intent("reject", {item.ref: item.digest}))

    kept = [path for path in touched_paths(change.effects) if path.name == "rejected.yaml"]
    assert kept == [root / "repositories" / "api" / ".remem" / "rejected.yaml"]


def test_entries_of_two_repositories_are_not_merged(tmp_path: Path) -> None:
    root = workspace(tmp_path, [], {"api": ["One"], "web": ["One"]})
    library = opened(root)
    one, other = library.of_kind("convention")

    with pytest.raises(NotPossible, match="different repositories"):
        plan(library, Intent("merge", {one.ref: one.digest}, {"into": str(other.ref)}))


def test_an_entry_of_one_repository_does_not_supersede_one_of_another(tmp_path: Path) -> None:
    candidate = {"rule": "Two", "status": "candidate"}
    root = workspace(tmp_path, [], {"api": ["One"], "web": [candidate]})
    library = opened(root)
    old, new = library.of_kind("convention")
    shown = {new.ref: new.digest, old.ref: old.digest}

    with pytest.raises(NotPossible, match="different repositories") as refused:
        plan(library, Intent("supersede", shown, {"instead_of": str(old.ref)}))

    assert "promote one of them to the workspace" in refused.value.hint


def test_what_the_workspace_proposes_waits_where_the_workspace_is_open(tmp_path: Path) -> None:
    candidate = {"rule": "Names are verbs", "status": "candidate"}
    root = workspace(tmp_path, [candidate], {"api": []})
    inside = opened(root / "repositories" / "api")

    (item,) = queue(opened(root))

    assert queue(inside) == ()
    with pytest.raises(NotPossible, match="are rejected in the workspace"):
        plan(inside, Intent("reject", {item.ref: item.digest}))


def test_an_entry_of_the_workspace_is_edited_from_inside_a_repository(tmp_path: Path) -> None:
    root = workspace(tmp_path, ["One"], {"api": []})
    library = opened(root / "repositories" / "api")
    entry = library.resolve("workspace:conv-001")

    change = plan(library, Intent("edit", {entry.ref: entry.digest}, {"text": "Another"}))

    assert touched_paths(change.effects) == {root / SHARED}


def test_what_is_added_on_the_workspace_goes_to_all(tmp_path: Path) -> None:
    root = workspace(tmp_path, ["One"], {"api": []})
    library = opened(root)

    change = plan(library, Intent("add", {}, {"kind": "convention", "text": "Names are verbs"}))
    after = library.preview(change.effects)

    entry = after.resolve("workspace:conv-002")
    assert (
        after.format("workspace").reader.fields(after.source_of(entry), entry)["scope"]
        == "workspace"
    )


def test_a_project_whose_workspace_file_is_another_tools_adds_to_its_own_stores(
    tmp_path: Path,
) -> None:
    texts = {"workspace.yaml": "load_from: [app.py]\n", CONVENTIONS: conventions(["One"])}
    root = files(tmp_path / "shop", texts)
    library = opened(root)

    change = plan(library, Intent("add", {}, {"kind": "convention", "text": "Names are verbs"}))

    assert root / CONVENTIONS in touched_paths(change.effects)


def test_what_is_added_for_one_repository_goes_there(tmp_path: Path) -> None:
    root = workspace(tmp_path, ["One"], {"api": []})
    library = opened(root)
    arguments = {"kind": "convention", "text": "Names are verbs", "repository": "api"}

    change = plan(library, Intent("add", {}, dict(arguments)))

    assert root / "repositories" / "api" / CONVENTIONS in touched_paths(change.effects)
    assert root / SHARED not in touched_paths(change.effects)


@settings(max_examples=15, deadline=None)
@given(
    said=st.none() | st.sampled_from(["conv-001", ["conv-001"], ["x", "y"]]),
    crlf=st.booleans(),
    bare=st.booleans(),
)
def test_an_override_changes_no_other_byte(
    tmp_path_factory: pytest.TempPathFactory,
    said: str | list[str] | None,
    crlf: bool,
    bare: bool,
) -> None:
    root = workspace(tmp_path_factory.mktemp("w"), ["One", "Two"], {"api": []})
    own = {"rule": "Tabs", **({"overrides": said} if said is not None else {})}
    text = f"# kept\n{conventions(['First', own, 'Last'])}# kept too\n"
    if bare:
        text = "\n".join(line[2:] for line in text.splitlines() if line.startswith("  ")) + "\n"
    data = text.replace("\n", "\r\n" if crlf else "\n").encode()
    store = root / "repositories" / "api" / CONVENTIONS
    store.write_bytes(data)
    library = opened(root / "repositories" / "api")
    entry = next(e for e in library.of_kind("convention") if e.title == "Tabs")

    intent = Intent("workspace.override", {entry.ref: entry.digest}, {"of": "workspace:conv-002"})
    after = written(plan(library, intent), store)

    head = data.index(b"Tabs")
    tail = data.index(b"conv-003")
    assert after.startswith(data[:head])
    assert after.endswith(data[tail:])
    store.write_bytes(after)
    again = opened(root / "repositories" / "api")
    assert "conv-002" in {ref.id for ref in overridden(again.sources)}
