"""A folder that looks like memory is named, and a verb adds a layout for it."""

from pathlib import Path

import pytest
from tests.plain_files import Repo

from remem.base.errors import NotPossible, RememError
from remem.core.checks.issues import UNKNOWN, issues
from remem.core.session import Session
from remem.core.settings import Places, load_config
from remem.core.verbs.settings_verbs import ADD_LAYOUT
from remem.model.layout import Layout
from remem.model.loader import PlainLayout

NOTES = {"lessons-learned/a.md": "- one\n", ".abacus/rules/style.md": "- two\n"}


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path).write(NOTES)


def opened(repo: Repo) -> Session:
    return Session.open(repo.root, Places.of(repo.home), door="cli")


def unknown(bench: Session) -> list[str]:
    return [
        str(issue.arguments["folder"])
        for issue in issues(bench.library)
        if issue.problem.code == UNKNOWN
    ]


def add(bench: Session, folder: str, tool: str = "") -> str:
    return bench.apply(bench.intend(ADD_LAYOUT.id, (), folder=folder, tool=tool)).id


def test_folders_that_look_like_memory_and_are_read_by_nobody_are_named(repo: Repo) -> None:
    repo.write({"memory-bank/a.md": "- known\n", "memories/code.py": "", ".git/notes/x.md": "-"})

    assert unknown(opened(repo)) == [".abacus/rules", "lessons-learned"]


def test_adding_a_layout_reads_the_folder_at_once_and_undo_forgets_it(repo: Repo) -> None:
    bench = opened(repo)

    change = add(bench, ".abacus/rules", "Abacus")

    (source,) = bench.library.of_format("plain")
    assert (source.name, source.layout) == (".abacus/rules/style.md", "abacus-rules")
    assert [entry.title for entry in source.entries] == ["two"]
    assert unknown(bench) == ["lessons-learned"]
    assert str(source.loader) == "not known"
    assert opened(repo).library.of_format("plain")[0].path == source.path
    bench.undo(change)
    assert bench.library.of_format("plain") == ()
    assert not (repo.root / ".remem" / "config.yaml").exists()


def test_settings_that_stand_keep_their_bytes(repo: Repo) -> None:
    kit = "  - name: kit\n    files: [kit/*.md]\n    base: root\n"
    text = f"# ours\ntokens: {{budget: 900}}\nlayouts:   # more\n{kit}"
    repo.write({".remem/config.yaml": text})
    bench = opened(repo)

    add(bench, "lessons-learned")

    after = (repo.root / ".remem" / "config.yaml").read_text()
    assert after.startswith(text)
    assert "name: lessons-learned" in after
    assert bench.problems == ()


def test_a_layout_that_says_how_it_is_loaded_makes_an_agent_of_its_tool(repo: Repo) -> None:
    layout = (
        "{name: aba, tool: Abacus, base: root, files: [.abacus/rules/*.md], loader: {kind: whole}}"
    )
    repo.write({".remem/config.yaml": f"layouts:\n  - {layout}\n"})

    (agent,) = opened(repo).agents()

    assert (agent.name, [file.name for file in agent.files]) == (
        "Abacus",
        [".abacus/rules/style.md"],
    )
    assert opened(repo).as_loaded(agent.ask).text == "- two"


@pytest.mark.parametrize("folder", ["", "gone", "../home", "."])
def test_only_a_folder_below_the_root_becomes_a_layout(repo: Repo, folder: str) -> None:
    with pytest.raises(RememError):
        add(opened(repo), folder)


def test_a_layout_is_added_once(repo: Repo) -> None:
    bench = opened(repo)
    add(bench, "lessons-learned")

    with pytest.raises(NotPossible, match="already"):
        add(bench, "lessons-learned")


def test_settings_take_layouts_of_both_kinds() -> None:
    memory = [{"pattern": "m.md"}]
    named = {"name": "kit", "base": "root", "folder": "kit/{persona}", "memory": memory}
    plain = {"name": "notes", "base": "root", "files": ["notes/*.md"], "loader": {"kind": "whole"}}

    config, problems = load_config({}, {"layouts": [named, plain]})

    assert problems == ()
    assert [type(each) for each in config.layouts] == [Layout, PlainLayout]


@pytest.mark.parametrize(
    ("layout", "field"),
    [
        pytest.param({"files": ["../x.md"]}, "files", id="climbs"),
        pytest.param({"files": []}, "files", id="no files"),
        pytest.param({"files": ["x.md"], "when": "always"}, "when", id="unknown key"),
        pytest.param({"files": ["x.md"], "loader": {"kind": "soon"}}, "loader", id="loader"),
    ],
)
def test_a_wrong_plain_layout_is_a_problem_that_names_what_is_wrong(
    layout: dict[str, object], field: str
) -> None:
    config, problems = load_config({}, {"layouts": [{"name": "notes", "base": "root", **layout}]})

    assert config.layouts == ()
    assert {problem.code for problem in problems} == {"config"}
    assert all(field in problem.message for problem in problems)
