"""Which workspace a root belongs to, which repositories it has, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.sniper_files import CONVENTIONS
from tests.workspace_files import OWN_FILE, SHARED, conventions, files, opened, told, workspace

from remem.base.errors import NotPossible, Refused
from remem.core.prompt.compose import compose
from remem.core.prompt.counter import Estimate
from remem.core.repositories import not_open, repositories_of, views, within, workspaces_of
from remem.model.entry import Ref, Status
from remem.model.prompt import Ask, Reason
from remem.model.workspace import Shape

PROJECTS = """\
name: platform
projects:
  - {name: shop, path: shop, type: service}
  - {name: site, path: apps/site}
shared:
  conventions: ["Services log JSON", "Money is counted in cents"]
  anti_patterns: ["Secrets in logs"]
  architectural_decisions:
    - {id: ADR-001, title: "Queue", decision: "NATS", rationale: "small", date: "2026-02-01"}
memory: {directory: .sniper-workspace/memory}
"""
CONTRACT = """\
contract: {name: orders, between: [api, web], version: 1.2.0, last_updated: "2026-02-01"}
endpoints:
  - {path: /orders, method: GET, response: {orders: list}}
shared_types: []
events: []
"""


def names(root: Path) -> list[str]:
    return [each.name for each in repositories_of(opened(root))]


def test_a_workspace_is_found_by_walking_up_from_any_repository_inside(tmp_path: Path) -> None:
    root = workspace(tmp_path, ["Services log JSON"], {"api": ["Consumers are idempotent"]})

    library = opened(root / "repositories" / "api")

    assert [each.root for each in workspaces_of(library)] == [root]
    assert [str(entry.ref) for entry in library.entries()] == [
        "workspace@acme:conv-001",
        "sniper@api:conv-001",
    ]
    assert library.short(Ref("workspace", "conv-001", "acme")) == "workspace:conv-001"


def test_a_repository_elsewhere_finds_its_workspace_by_its_settings(tmp_path: Path) -> None:
    root = workspace(tmp_path, ["Services log JSON"], {})
    settings = "workspace: {enabled: true, workspace_path: ../../acme}\n"
    repository = files(tmp_path / "far" / "api", {".sniper/config.yaml": settings})

    assert [each.root for each in workspaces_of(opened(repository))] == [root]


@pytest.mark.parametrize("ref", ["..", "../.sniper-workspace", "../.sniper-workspace/config.yaml"])
def test_the_newer_settings_may_name_folder_or_file(tmp_path: Path, ref: str) -> None:
    files(tmp_path, {OWN_FILE: "name: platform\n"})
    repository = files(tmp_path / "shop", {".sniper/config.yaml": f"workspace: {{ref: {ref}}}\n"})

    (found,) = workspaces_of(opened(repository))

    assert (found.shape, found.root) == (Shape.PROJECTS, tmp_path)


def test_settings_that_name_no_workspace_are_a_problem(tmp_path: Path) -> None:
    settings = "workspace: {enabled: true, workspace_path: ../gone}\n"
    repository = files(tmp_path / "api", {".sniper/config.yaml": settings})

    library = opened(repository)

    assert workspaces_of(library) == ()
    assert any("`workspace.workspace_path` names" in message for message in told(library))


def test_both_shapes_are_both_read_and_said_to_be_two(tmp_path: Path) -> None:
    root = workspace(tmp_path, ["Services log JSON"], {"api": []})
    files(root, {OWN_FILE: "name: acme\nshared: {conventions: [Names are verbs]}\n"})

    library = opened(root / "repositories" / "api")

    refs = [str(entry.ref) for entry in library.entries()]
    assert refs == ["workspace@acme:conv-001", "workspace@acme/projects:shared/conv/1"]
    assert any("both describe a workspace" in message for message in told(library))


def test_the_home_folder_and_what_lies_above_it_are_no_workspace(tmp_path: Path) -> None:
    home = tmp_path / "home"
    files(home, {"workspace.yaml": "name: mine\n"})
    files(tmp_path, {"workspace.yaml": "name: everyone's\n"})
    repository = files(home / "code" / "api", {CONVENTIONS: conventions(["Names are verbs"])})

    assert workspaces_of(opened(repository, home)) == ()


def test_a_workspace_may_hold_the_home_folder_beside_its_repositories(tmp_path: Path) -> None:
    files(tmp_path, {"workspace.yaml": "name: all\nrepositories: [{name: api, path: api}]\n"})
    repository = files(tmp_path / "api", {CONVENTIONS: conventions(["Names are verbs"])})

    (found,) = workspaces_of(opened(repository, tmp_path / "home"))

    assert (found.name, found.root) == ("all", tmp_path)


def test_texts_of_the_newer_shape_are_entries_for_every_role(tmp_path: Path) -> None:
    files(tmp_path, {OWN_FILE: PROJECTS, "shop/.sniper/config.yaml": ""})
    files(tmp_path / ".sniper-workspace", {SHARED: conventions(["Names are verbs"])})

    library = opened(tmp_path / "shop")

    entries = {library.short(entry.ref): entry for entry in library.entries()}
    assert [*entries] == [
        "workspace:shared/conv/1",
        "workspace:shared/conv/2",
        "workspace:shared/ap/1",
        "workspace:ADR-001",
        "workspace:conv-001",
    ]
    assert {entry.status for entry in entries.values()} == {Status.ACTIVE}
    assert {entry.roles for entry in entries.values()} == {None}
    decision = library.format("workspace").reader.fields(
        library.source_of(entries["workspace:ADR-001"]), entries["workspace:ADR-001"]
    )
    assert (decision["decision"], decision["rationale"]) == ("NATS", "small")


def test_texts_of_the_newer_shape_are_changed_by_hand(tmp_path: Path) -> None:
    files(tmp_path, {OWN_FILE: PROJECTS})
    library = opened(tmp_path)
    entry = library.resolve("workspace:shared/conv/1")
    each, source = library.format("workspace"), library.source_of(entry)

    acts: tuple[Callable[[], object], ...] = (
        lambda: each.keeper.edit(source, entry, {"rule": "Services log text"}),
        lambda: each.keeper.set_status(source, entry, Status.ARCHIVED),
        lambda: each.keeper.remove(source, entry),
    )
    for act in acts:
        with pytest.raises((NotPossible, Refused)):
            act()


def test_a_memory_directory_outside_the_workspace_is_refused(tmp_path: Path) -> None:
    text = "name: platform\nmemory: {directory: ../../elsewhere}\n"
    root = files(tmp_path / "deep" / "platform", {OWN_FILE: text})

    library = opened(root)

    assert workspaces_of(library)[0].memory is None
    assert any("is outside the workspace" in message for message in told(library))


def test_opened_on_the_workspace_every_repository_is_open(tmp_path: Path) -> None:
    root = workspace(tmp_path, ["Services log JSON"], {"api": ["One"], "web": ["Two", "Three"]})

    library = opened(root)

    assert library.is_whole
    assert [each.name for each in repositories_of(library)] == ["api", "web"]
    assert [str(entry.ref) for entry in library.entries()] == [
        "workspace@acme:conv-001",
        "sniper@api:conv-001",
        "sniper@web:conv-001",
        "sniper@web:conv-002",
    ]


def test_a_view_is_what_opening_that_repository_alone_gives(tmp_path: Path) -> None:
    root = workspace(tmp_path, ["Services log JSON"], {"api": ["One"], "web": ["Two"]})
    library = opened(root)

    view, alone = within(library, "api"), opened(root / "repositories" / "api")

    assert [e.ref for e in view.entries()] == [e.ref for e in alone.entries()]
    assert view.ground.root == alone.ground.root
    assert len(views(library)) == 3


def test_a_missing_repository_is_a_problem_and_the_rest_works(tmp_path: Path) -> None:
    root = workspace(tmp_path, [], {"api": ["One"]})
    files(root, {"workspace.yaml": "repositories:\n  - {name: gone, path: repositories/gone}\n"})

    assert names(root) == ["api"]
    assert any("`gone` is not open: there is no" in message for message in told(opened(root)))


@pytest.mark.parametrize(
    ("path", "why"),
    [
        pytest.param("", "it has no `path`", id="empty"),
        pytest.param("workspace.yaml", "is not a folder", id="a-file"),
        pytest.param("..", "it contains the workspace", id="above"),
        pytest.param("repositories/loop", "its link is circular", id="a-loop"),
        pytest.param("../nobody", "it is the home folder", id="home"),
    ],
)
def test_what_cannot_be_a_repository_says_why(tmp_path: Path, path: str, why: str) -> None:
    root = workspace(tmp_path, [], {"api": ["One"]})
    (tmp_path / "nobody").mkdir()
    (root / "repositories" / "loop").symlink_to("loop")
    listed = f'repositories:\n  - {{name: odd, path: "{path}"}}\n'
    files(root, {"workspace.yaml": listed})

    library = opened(root, tmp_path / "nobody" if path.endswith("nobody") else None)

    assert [each.name for each in repositories_of(library)] == ["api"]
    assert any(why in message for message in told(library))


def test_a_repository_is_one_however_many_ways_lead_to_it(tmp_path: Path) -> None:
    root = workspace(tmp_path, [], {"api": ["One"]})
    (root / "repositories" / "again").symlink_to("api")
    twice = "repositories:\n" + "  - {name: api, path: repositories/api}\n" * 2
    files(root, {"workspace.yaml": twice})

    library = opened(root)

    assert names(root) == ["api"]
    assert len([e for e in library.entries() if e.ref.format == "sniper"]) == 1
    assert any("`api` is listed twice" in message for message in told(library))


@pytest.mark.parametrize("names_it", [True, False])
def test_a_repository_outside_that_does_not_name_the_workspace_is_given_nothing_of_it(
    tmp_path: Path, *, names_it: bool
) -> None:
    root = workspace(tmp_path, ["Services log JSON"], {})
    far = files(tmp_path / "far", {CONVENTIONS: conventions(["Far alone"])})
    files(root, {"workspace.yaml": "name: acme\nrepositories: [{path: ../far}]\n"})
    if names_it:
        files(far, {".sniper/config.yaml": "workspace: {enabled: true, workspace_path: ../acme}\n"})

    seen = compose(within(opened(root), "far"), Ask(), Estimate())
    itself = compose(opened(far), Ask(), Estimate())

    assert seen.text == itself.text
    assert ("Services log JSON" in seen.text) == names_it
    why = [each.detail for each in seen.verdicts if each.reason is Reason.NOT_LOADED]
    assert any("does not name it" in each for each in why) != names_it


def test_a_link_that_leads_to_no_repository_is_called_by_its_own_name(tmp_path: Path) -> None:
    root = workspace(tmp_path, [], {"api": ["One"]})
    below = root / "repositories"
    (below / "notes").write_text("no repository")
    for name, target in (("lost", "nowhere"), ("two", "loop"), ("loop", "two"), ("pen", "notes")):
        (below / name).symlink_to(target)

    library = opened(root)

    assert set(told(library)) == {
        f"`lost` is not open: there is no `{below / 'nowhere'}`",
        "`loop` is not open: its link is circular",
        "`two` is not open: its link is circular",
    }
    (found,) = workspaces_of(library)
    gone = {each.name: each.path for each in found.repositories if each.missing}
    assert gone == {name: below / name for name in ("lost", "loop", "two")}
    assert {each.path for each in found.problems} == {below / name for name in gone}
    assert {each.hint for each in found.problems} == {
        "remove the link, or make it lead to a repository"
    }


def test_a_linked_repository_is_read_where_it_lies(tmp_path: Path) -> None:
    root = workspace(tmp_path, [], {})
    elsewhere = files(tmp_path / "src" / "api", {CONVENTIONS: conventions(["One"])})
    (root / "repositories" / "api").symlink_to(elsewhere)

    assert [each.path for each in repositories_of(opened(root))] == [elsewhere]


def test_a_repository_inside_another_is_read_by_itself(tmp_path: Path) -> None:
    root = workspace(tmp_path, [], {"api": ["One"]})
    files(root / "repositories/api/tools/gen", {CONVENTIONS: conventions(["Two"])})
    files(root, {"workspace.yaml": "repositories:\n  - {path: repositories/api/tools/gen}\n"})

    library = opened(root)

    assert {str(e.ref) for e in library.of_kind("convention")} == {
        "sniper@api:conv-001",
        "sniper@gen:conv-001",
    }
    assert any("is inside the repository `api`" in message for message in told(library))


def test_repositories_of_one_name_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    root = workspace(tmp_path, [], {})
    listed = "repositories:\n  - {path: new/api}\n  - {path: old/api}\n"
    files(root, {"workspace.yaml": listed})
    files(root, {f"{age}/api/{CONVENTIONS}": conventions([age]) for age in ("new", "old")})

    library = opened(root)

    assert names(root) == ["new/api", "old/api"]
    assert library.resolve("sniper@old/api:conv-001").title == "old"


def test_unreadable_memory_of_one_repository_leaves_the_others_alone(tmp_path: Path) -> None:
    root = workspace(tmp_path, ["Services log JSON"], {"api": ["One"], "web": []})
    (root / "repositories" / "web" / CONVENTIONS).write_bytes(b"conventions: [\xff")

    library = opened(root)

    assert [e.title for e in within(library, "api").entries()] == ["Services log JSON", "One"]
    broken = [s for s in library.sources if s.problems]
    assert [source.repository for source in broken] == ["web"]


def test_a_file_that_describes_nothing_is_a_problem_and_no_end(tmp_path: Path) -> None:
    root = workspace(tmp_path, ["Services log JSON"], {"api": ["One"]})
    files(root, {"workspace.yaml": "- just\n- a list\n"})

    library = opened(root)

    assert names(root) == ["api"]
    assert told(library)


def test_contracts_are_browsed_and_validated(tmp_path: Path) -> None:
    root = workspace(tmp_path, [], {"api": [], "web": []})
    wrong = CONTRACT.replace("1.2.0", "latest").replace("[api, web]", "[api, shop]")
    files(
        root,
        {
            "contracts/orders.contract.yaml": CONTRACT,
            "memory/contracts.yaml": "contracts:\n" + _item(wrong) + _item(CONTRACT),
        },
    )

    library = opened(root)

    found = [e for e in library.entries() if e.kind == "contract"]
    assert [library.short(entry.ref) for entry in found] == [
        "workspace:contract/orders",
        "workspace:contract/orders/2",
        "workspace:contract/orders",
    ]
    messages = [problem.message for problem in found[0].problems]
    assert "`version` is `latest`, which is not a semantic version" in messages
    assert "`shop` is not a repository of this workspace" in messages
    assert found[2].problems == ()


def _item(text: str) -> str:
    first, *rest = text.splitlines()
    return "".join(f"{'  - ' if line is first else '    '}{line}\n" for line in [first, *rest])


def test_a_repository_that_is_listed_later_comes_in_with_the_next_look(tmp_path: Path) -> None:
    root = workspace(tmp_path, [], {"api": ["One"]})
    late = files(tmp_path / "late", {CONVENTIONS: conventions(["Two"])})
    library = opened(root)

    files(root, {"workspace.yaml": f"repositories:\n  - {{path: {late}}}\n"})
    library = library.refresh([root / "workspace.yaml"])

    assert [e.title for e in library.of_kind("convention")] == ["Two", "One"]


def test_a_repository_elsewhere_that_does_not_name_its_workspace_is_told(tmp_path: Path) -> None:
    root = workspace(tmp_path, ["Services log JSON"], {"api": ["Consumers are idempotent"]})
    files(root, {"workspace.yaml": "name: acme\nrepositories: [{name: far, path: ../far}]\n"})
    far = files(tmp_path / "far", {CONVENTIONS: conventions(["Say so"])})
    alone = [str(entry.ref) for entry in opened(far).entries()]

    found = [message for message in told(opened(root)) if "`far`" in message]
    files(far, {".sniper/config.yaml": "workspace:\n  ref: ../acme\n"})

    assert alone == ["sniper@far:conv-001"]
    assert [message.partition(":")[0] for message in found] == [
        "`far` is outside the workspace and does not name it"
    ]
    assert not_open(opened(root)) == ()
    assert not any("`far`" in message for message in told(opened(root)))
    assert "workspace@acme:conv-001" in [str(entry.ref) for entry in opened(far).entries()]
