"""Bad input at every door: nothing crashes, nothing is written, the rest keeps working."""

import json
from pathlib import Path

import pytest
from tests.hostile.corpus import BLOCKED, MARKDOWN, YAML

from remem.base.errors import RememError
from remem.cli.main import run
from remem.core.session import Session
from remem.core.settings import Places
from remem.model.entry import digest_of
from remem.model.prompt import Ask

ANTI = b'anti_patterns:\n  - id: ap-001\n    description: "Sleeping in tests"\n    severity: high\n'


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "harbour"
    (root / ".sniper" / "memory" / "retros").mkdir(parents=True)
    (root / ".sniper" / "memory" / "anti-patterns.yaml").write_bytes(ANTI)
    return root


def opened(root: Path) -> Session:
    return Session.open(root, Places.of(root.parent / "home"), door="cli")


def tree(folder: Path) -> dict[str, str]:
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): digest_of(path.read_bytes()) for path in files}


def look_everywhere(bench: Session) -> None:
    """Do all that looking can do; none of it may raise."""
    for source in bench.library.complete():
        for entry in source.entries:
            each = bench.library.format_of(entry)
            each.reader.body(source, entry)
            each.reader.fields(source, entry)
    bench.queue()
    bench.agents()
    for role in bench.roles():
        bench.compose(Ask(role=role))
    bench.compose(Ask(persona="Ana"))


@pytest.mark.parametrize("name", YAML)
def test_a_store_of_any_bytes_leaves_the_rest_working(root: Path, name: str) -> None:
    path = root / ".sniper" / "memory" / "conventions.yaml"
    path.write_bytes(YAML[name])
    before = tree(root.parent)

    bench = opened(root)
    look_everywhere(bench)

    assert bench.library.resolve("ap-001").title == "Sleeping in tests"
    assert "Sleeping in tests" in bench.compose(Ask(role="qa")).text
    assert tree(root.parent) == before


@pytest.mark.parametrize("name", sorted(BLOCKED))
def test_what_cannot_be_read_is_told_and_never_written(root: Path, name: str) -> None:
    path = root / ".sniper" / "memory" / "conventions.yaml"
    path.write_bytes(YAML[name])
    bench = opened(root)
    intent = bench.intend("add", [], kind="convention", text="Clocks are passed in")

    with pytest.raises(RememError):
        bench.apply(intent)

    problems = [found for source, _, found in bench.library.problems() if source.path == path]
    assert problems
    assert all(problem.message for problem in problems)
    assert path.read_bytes() == YAML[name]


@pytest.mark.parametrize("name", YAML)
def test_a_retro_of_any_bytes_leaves_the_rest_working(root: Path, name: str) -> None:
    (root / ".sniper" / "memory" / "retros" / "sprint-1-retro.yaml").write_bytes(YAML[name])
    before = tree(root.parent)

    bench = opened(root)
    look_everywhere(bench)

    assert bench.library.resolve("ap-001").title == "Sleeping in tests"
    assert tree(root.parent) == before


@pytest.mark.parametrize("place", ["config.yaml", "memory/estimates.yaml", "spawn-prompts/x.md"])
@pytest.mark.parametrize("name", ["NUL", "UTF-16", "alias bomb", "2,000 deep", "unclosed"])
def test_any_file_beside_the_stores_may_be_broken(root: Path, place: str, name: str) -> None:
    path = root / ".sniper" / place
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(YAML[name])

    bench = opened(root)
    look_everywhere(bench)

    assert bench.library.resolve("ap-001").title == "Sleeping in tests"


@pytest.mark.parametrize("name", YAML)
def test_settings_of_any_bytes_are_problems_and_not_errors(root: Path, name: str) -> None:
    (root / ".remem").mkdir()
    (root / ".remem" / "config.yaml").write_bytes(YAML[name])

    look_everywhere(opened(root))


@pytest.mark.parametrize("name", MARKDOWN)
@pytest.mark.parametrize(
    "place",
    [
        "home/.night-watch/agents/Ana/memories/harbour/main.md",
        "harbour/.claude/agent-memory/ana/MEMORY.md",
        "harbour/.claude/agents/ana.md",
        "harbour/.squad/agents/ana/history.md",
        "harbour/.squad/agents/ana/charter.md",
        "harbour/.squad/decisions.md",
        "harbour/.squad/decisions/inbox/ana-berths.md",
    ],
)
def test_a_memory_of_any_bytes_leaves_the_rest_working(root: Path, place: str, name: str) -> None:
    path = root.parent / place
    path.parent.mkdir(parents=True)
    path.write_bytes(MARKDOWN[name])
    before = tree(root.parent)

    bench = opened(root)
    look_everywhere(bench)

    assert bench.library.resolve("ap-001").title == "Sleeping in tests"
    assert tree(root.parent) == before


@pytest.mark.parametrize(
    "arguments",
    [
        ["status"],
        ["list"],
        ["queue"],
        ["compose", "--role", "qa", "--allow-unknown"],
        ["persona", "list"],
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("name", YAML)
def test_every_listing_prints_one_json_document(
    root: Path, capsys: pytest.CaptureFixture[str], name: str, arguments: list[str]
) -> None:
    (root / ".sniper" / "memory" / "conventions.yaml").write_bytes(YAML[name])
    places = ["--root", str(root), "--home", str(root.parent / "home")]

    code = run([*arguments, *places, "--json"])

    printed = capsys.readouterr().out
    assert code == 0
    assert isinstance(json.loads(printed), dict)
    assert printed.isascii()


@pytest.mark.parametrize("command", ["status", "list", "queue"])
def test_listings_print_nothing_that_a_terminal_obeys(
    root: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    (root / ".sniper" / "memory" / "conventions.yaml").write_bytes(YAML["terminal"])

    run([command, "--root", str(root), "--home", str(root.parent / "home")])

    printed = capsys.readouterr().out
    assert all(character.isprintable() or character in "\n\t" for character in printed)
    assert "\u202e" not in printed


@pytest.mark.parametrize("name", ["..", "../x", "a/b", "/etc", ".", "", "CON", "a\x00b", "x" * 200])
def test_a_persona_cannot_be_called_anything(root: Path, name: str) -> None:
    main = root.parent / "home" / ".night-watch" / "agents" / "Ana" / "memories" / "harbour"
    main.mkdir(parents=True)
    (main / "main.md").write_bytes(b"- a lesson\n")
    before = tree(root.parent)
    bench = opened(root)

    with pytest.raises(RememError):
        bench.apply(bench.intend("persona.rename", [], persona="Ana", to=name))

    memory = {path: digest for path, digest in tree(root.parent).items() if ".local" not in path}
    assert memory == before


def test_a_memory_that_leads_out_of_the_root_by_a_link_is_not_read(root: Path) -> None:
    secret = root.parent / "secret"
    secret.mkdir()
    (secret / "MEMORY.md").write_bytes(b"- a line from elsewhere\n")
    agents = root / ".claude" / "agent-memory"
    agents.mkdir(parents=True)
    (agents / "ana").symlink_to(secret)

    bench = opened(root)

    assert not any("elsewhere" in entry.title for entry in bench.library.entries())


def test_a_persona_that_vanishes_while_open_is_gone_without_a_word_lost(root: Path) -> None:
    folder = root.parent / "home" / ".night-watch" / "agents" / "Ana"
    main = folder / "memories" / "harbour" / "main.md"
    main.parent.mkdir(parents=True)
    main.write_bytes(b"- a lesson\n")
    bench = opened(root)
    intent = bench.intend("persona.rename", [], persona="Ana", to="Bea")
    main.unlink()
    main.parent.rmdir()

    bench.refresh()

    assert not any(entry.kind == "lesson" for entry in bench.library.entries())
    main.parent.parent.rmdir()
    folder.rmdir()
    bench.refresh()
    with pytest.raises(RememError):
        bench.apply(intent)


@pytest.mark.parametrize("make", ["missing", "empty", "file"])
def test_any_root_can_be_opened(tmp_path: Path, make: str) -> None:
    root = tmp_path / "root"
    if make == "empty":
        root.mkdir()
    if make == "file":
        root.write_bytes(b"not a folder")

    bench = opened(root)

    look_everywhere(bench)
    assert bench.library.sources == ()
