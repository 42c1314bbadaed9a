"""What stands in the repository beside the code."""

import re
import subprocess
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]

MACHINE = re.compile(
    r"/(?:work|root)/\w|/home/\w+/\.venv|py(?:pi)\.org|pythonhosted|registry\.(?:npmjs|yarnpkg)"
    r"|index-url|devpi|artifactory"
)
"""Folders of one machine, and hosts that serve packages."""


def texts() -> list[tuple[str, str]]:
    """Return every file that git tracks or would track, with its text."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a checkout")
    paths = [REPOSITORY / name for name in listed.stdout.split("\0") if name]
    return [
        (path.relative_to(REPOSITORY).as_posix(), path.read_text("utf-8", errors="replace"))
        for path in paths
        if path.is_file()
    ]


def test_the_repository_names_no_machine() -> None:
    own = Path(__file__).relative_to(REPOSITORY).as_posix()
    found = [
        f"{name}: {match[0]}"
        for name, text in texts()
        if name != own
        for match in MACHINE.finditer(text)
    ]

    assert found == []


def test_the_changelog_tells_what_is_not_released() -> None:
    headings = re.findall(r"^## (.*)$", (REPOSITORY / "CHANGELOG.md").read_text(), re.MULTILINE)

    assert headings[0] == "[Unreleased]"


def test_constraints_are_names_and_versions() -> None:
    lines = (REPOSITORY / "constraints.txt").read_text().splitlines()

    assert lines
    odd = [line for line in lines if not re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.+!]+", line)]
    assert odd == []


def test_constraints_hold_every_dependency() -> None:
    import tomllib

    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    held = {_name(line) for line in (REPOSITORY / "constraints.txt").read_text().splitlines()}

    assert {_name(line) for line in wanted} - held == set()


@pytest.mark.parametrize(
    "page", ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE"]
)
def test_the_page_stands(page: str) -> None:
    assert (REPOSITORY / page).read_text().strip()


@pytest.mark.parametrize("page", ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"])
def test_links_of_the_pages_lead_somewhere(page: str) -> None:
    text = (REPOSITORY / page).read_text()
    links = re.findall(r"\]\((?!https?:)([^)#]+)", text)

    assert [link for link in links if not (REPOSITORY / link).exists()] == []


def test_the_architecture_page_names_every_room() -> None:
    page = (REPOSITORY / "ARCHITECTURE.md").read_text()
    rooms = [
        path.name + ("/" if path.is_dir() else "")
        for path in (REPOSITORY / "src" / "remem").iterdir()
        if not path.name.startswith("_") and path.suffix in {"", ".py"}
    ]

    assert [room for room in rooms if f"`{room}`" not in page] == []


def test_the_architecture_page_is_one_page_and_names_every_system() -> None:
    page = (REPOSITORY / "ARCHITECTURE.md").read_text(encoding="utf-8")
    folders = (REPOSITORY / "src" / "remem" / "systems").iterdir()
    systems = [path.name for path in folders if (path / "facets.py").is_file()]

    assert len(page.splitlines()) <= 90
    assert len(systems) > 7
    assert [name for name in systems if f"`{name}`" not in page] == []


def _name(requirement: str) -> str:
    match = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert match, requirement
    return re.sub(r"[-_.]+", "-", match[0]).lower()


@pytest.mark.parametrize(
    ("page", "least"),
    [("ARCHITECTURE.md", 30), ("CONTRIBUTING.md", 6), ("docs/how-changes-are-written.md", 6)],
)
def test_every_module_that_a_page_names_is_there(page: str, least: int) -> None:
    text = (REPOSITORY / page).read_text(encoding="utf-8")
    source = REPOSITORY / "src" / "remem"
    # A name without a folder stands for a module in whichever folder the row is about.
    named = re.findall(r"`(?:src/remem/)?([a-z_/]+\.py)`", text)

    missing = [
        name
        for name in named
        if not any(
            (top / name).is_file() for top in (source, REPOSITORY, REPOSITORY / "tests/oracle")
        )
        and not [*source.rglob(name)]
    ]

    assert len(named) >= least
    assert missing == []
