"""A whole workspace that is open: what is followed, what is rendered, and what git may do."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.promoting import RULE, acme
from tests.sniper_files import CONVENTIONS
from tests.workspace_files import OWN_FILE, SHARED, conventions, files, opened, workspace

from remem.core.prompt.asks import ask_for, asker, role_asks
from remem.core.repositories import view_of_path, within
from remem.core.session import Session
from remem.core.settings import Places
from remem.core.setup import trees_of
from remem.model.prompt import Ask
from remem.views.review.item_card import card


@pytest.fixture
def fleet(tmp_path: Path) -> Path:
    """A workspace whose repositories each have a git of their own."""
    one = {"rule": "Consumers are idempotent", "applies_to": ["backend-engineer"]}
    root = workspace(tmp_path, ["Services log JSON"], {"api": [one], "web": ["Names are verbs"]})
    for name in ("api", "web"):
        repository = root / "repositories" / name
        _git(repository, "init", "--quiet", "--initial-branch", "main")
        _git(repository, "add", "--all")
        _git(repository, "commit", "--quiet", "--message", "Source")
    return root


@pytest.fixture
def bench(fleet: Path, tmp_path: Path) -> Iterator[Session]:
    made = Session.open(fleet, Places.of(tmp_path / "home"), door="tui")
    made.begin()
    yield made
    made.close()


def _git(root: Path, *arguments: str) -> None:
    names = ("-c", "user.name=Priya", "-c", "user.email=priya@example.org")
    subprocess.run(["git", "-C", str(root), *names, *arguments], check=True, capture_output=True)


def test_memory_of_every_repository_and_of_the_workspace_is_watched(tmp_path: Path) -> None:
    root = workspace(tmp_path, [], {"api": [], "web": []})

    whole, inside = (
        trees_of(each.ground, each.formats)
        for each in (opened(root), opened(root / "repositories/api"))
    )

    wanted = {root / "memory", root / "contracts", root / "repositories" / "api" / ".sniper"}
    assert wanted <= {*inside}
    assert wanted | {root / "repositories" / "web" / ".sniper"} <= {*whole}


def test_the_file_that_describes_a_workspace_is_watched_by_itself(tmp_path: Path) -> None:
    root = workspace(tmp_path, ["One"], {"api": []})

    library = opened(root / "repositories" / "api")

    assert root / "workspace.yaml" in {path for s in library.sources for path in s.rests_on}


def test_a_decision_renders_the_summary_of_its_repository_alone(bench: Session) -> None:
    library = bench.library
    entry = library.resolve("sniper@api:conv-001")

    bench.apply(bench.intend("edit", [entry], text="Every consumer is idempotent"))

    summary = bench.root / "repositories" / "api" / ".sniper" / "memory" / "summary.md"
    assert "Every consumer is idempotent" in summary.read_text()
    assert "Names are verbs" not in summary.read_text()
    assert not (bench.root / ".sniper").exists()


def test_undo_takes_a_change_of_two_repositories_back_at_once(bench: Session) -> None:
    stores = [bench.root / "repositories" / name / CONVENTIONS for name in ("api", "web")]
    before = [store.read_bytes() for store in stores]
    entries = [*bench.library.of_kind("convention")][1:]

    done = bench.apply(bench.intend("remove", entries))
    removed = [store.read_bytes() for store in stores]
    bench.undo()

    assert done.change.title == "Remove 2 entries in 2 repositories"
    assert all(was != now for was, now in zip(before, removed, strict=True))
    assert [store.read_bytes() for store in stores] == before


def test_what_git_does_in_one_repository_is_not_taken_for_a_writer(bench: Session) -> None:
    api = bench.root / "repositories" / "api"
    _git(api, "switch", "--quiet", "--create", "other")
    (api / CONVENTIONS).write_text(conventions([]))
    _git(api, "commit", "--quiet", "--all", "--message", "nothing is left")

    bench.refresh()

    assert bench.library.aside.vanished == ()


def test_what_a_writer_takes_out_of_one_repository_is_told(bench: Session) -> None:
    web = bench.root / "repositories" / "web" / CONVENTIONS
    web.write_text(conventions([]))
    bench.refresh()
    api = bench.library.resolve("sniper@api:conv-001")
    bench.apply(bench.intend("edit", [api], text="Every consumer is idempotent"))
    store = bench.root / "repositories" / "api" / CONVENTIONS

    store.write_text(conventions(["Another"]))
    bench.refresh()

    gone = [each.ref.place for each in bench.library.aside.vanished]
    reverted = [each.ref.place for each in bench.library.aside.reverted]
    assert "api" in {*gone, *reverted}


def test_a_prompt_is_asked_for_by_role_and_repository(fleet: Path) -> None:
    library = opened(fleet)

    asks = role_asks(library)

    assert asks == (Ask(role="backend-engineer", repository="api"), Ask(repository="web"))
    assert [asker(ask) for ask in asks] == ["backend-engineer · api", "everyone · web"]
    assert [ask_for(library, asker(ask)) for ask in asks] == [*asks]


def test_a_file_belongs_to_the_innermost_repository(tmp_path: Path) -> None:
    root = workspace(tmp_path, [], {"api": []})
    files(root / "repositories/api/tools/gen", {CONVENTIONS: conventions(["Two"])})
    files(root, {"workspace.yaml": "repositories:\n  - {path: repositories/api/tools/gen}\n"})
    library = opened(root)

    found = view_of_path(library, root / "repositories/api/tools/gen" / CONVENTIONS)

    assert found is within(library, "gen")


def test_settings_of_a_repository_count_in_its_view(tmp_path: Path) -> None:
    root = workspace(tmp_path, [], {"api": [], "web": []})
    files(root / "repositories/api", {".remem/config.yaml": "roles: {Rosa: [architect]}\n"})
    library = opened(root)

    assert within(library, "api").role_names() == ("architect",)
    assert within(library, "web").role_names() == ()


def test_a_project_that_is_its_own_workspace_is_one_of_its_repositories(tmp_path: Path) -> None:
    listed = "name: mono\nprojects: [{name: mono, path: .}, {name: shop, path: shop}]\n"
    root = files(
        tmp_path / "mono",
        {OWN_FILE: listed, CONVENTIONS: conventions(["One"]), f"shop/{SHARED}": "x"},
    )

    library = opened(root)

    assert [str(entry.ref) for entry in library.of_kind("convention")] == ["sniper@mono:conv-001"]
    assert [e.title for e in within(library, "mono").of_kind("convention")] == ["One"]
    assert [*within(library, "shop").of_kind("convention")] == []


def test_a_past_of_a_repository_inherits_what_the_workspace_says_now(
    fleet: Path, tmp_path: Path
) -> None:
    api = fleet / "repositories" / "api"
    (api / CONVENTIONS).write_text(conventions(["Every consumer is idempotent"]))
    bench = Session.open(api, Places.of(tmp_path / "home"), door="cli")

    past = bench.revisions()
    with past.reading():
        then, _ = past.at(past.commit("HEAD"))
        titles = [entry.title for entry in then.of_kind("convention")]
    bench.close()

    assert titles == ["Services log JSON", "Consumers are idempotent"]


def test_a_card_tells_what_lifting_a_rule_for_all_repositories_would_write(tmp_path: Path) -> None:
    whole = acme(tmp_path, api=[RULE], web=[RULE])
    (item,) = whole.queue()

    outlook = card(whole, item, {}).outlooks[0]

    assert (outlook.verb.id, outlook.reason) == ("workspace.promote", "")
    assert outlook.change is not None
    whole.close()
