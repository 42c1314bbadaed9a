"""The directions between rooms, and what the fast doors never load."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.fresh_python import holds

REPOSITORY = Path(__file__).resolve().parents[2]


def test_every_room_imports_only_rooms_below_it() -> None:
    tool = Path(sys.executable).with_name("lint-imports")

    done = subprocess.run(
        [tool, "--no-cache", "--config", "rooms.toml"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["--help"], id="help"),
        pytest.param(["--version"], id="version"),
        pytest.param(
            ["compose", "--role", "qa-engineer", "--allow-unknown", "--json"], id="compose"
        ),
        pytest.param(["list", "--json"], id="list"),
        pytest.param(["status"], id="status"),
    ],
)
def test_the_command_line_never_loads_textual(arguments: list[str], tmp_path: Path) -> None:
    memory = tmp_path / ".sniper" / "memory"
    memory.mkdir(parents=True)
    (memory / "conventions.yaml").write_text("conventions:\n  - id: conv-001\n    rule: Be brief\n")
    script = (
        "import sys\n"
        "from remem.cli.main import main\n"
        f"sys.argv = ['remem', *{arguments!r}]\n"
        "try:\n"
        "    main()\n"
        "except SystemExit as end:\n"
        "    assert not end.code, end.code\n"
        "assert 'textual' not in sys.modules, 'textual was loaded'\n"
    )

    holds(script, tmp_path)


def test_help_loads_nothing_that_costs() -> None:
    script = (
        "import sys\n"
        "from remem.cli.main import main\n"
        "sys.argv = ['remem', '--help']\n"
        "try:\n"
        "    main()\n"
        "except SystemExit:\n"
        "    pass\n"
        "costly = {'textual', 'pydantic', 'tiktoken', 'watchfiles', 'ruamel', 'sqlite3'}\n"
        "costly |= {'sqlalchemy', 'mcp', 'httpx', 'rapidfuzz'}\n"
        "assert not costly & set(sys.modules), costly & set(sys.modules)\n"
    )

    holds(script)


def test_what_tells_lists_what_became_of_a_finding_loads_nothing_that_decides() -> None:
    script = (
        "import sys\n"
        "import remem.systems.learnings.waiting, remem.systems.sniper.waiting\n"
        "decides = {'remem.core.verbs.verb', 'remem.core.waiting.approve'}\n"
        "assert not decides & set(sys.modules), decides & set(sys.modules)\n"
    )

    holds(script)


def test_the_gate_loads_what_a_rule_needs_and_no_more(tmp_path: Path) -> None:
    memory = tmp_path / ".sniper" / "memory"
    memory.mkdir(parents=True)
    (memory / "conventions.yaml").write_text(
        "conventions:\n  - id: conv-001\n    rule: Be brief\n"
        "    detect: {forbid: TODO, within: comments}\n"
    )
    (memory / "summary.md").write_text("# Project memory\n")
    (memory / "retros").mkdir()
    (memory / "retros" / "sprint-1.yaml").write_text("new_conventions:\n  - rule: Be kind\n")
    (tmp_path / ".sniper" / "config.yaml").write_text("memory: {auto_codify: false}\n")
    (tmp_path / ".remem").mkdir()
    (tmp_path / ".remem" / "gate.yaml").write_text("findings: []\n")
    (tmp_path / "a.py").write_text("x = 1  # TODO\n")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    script = (
        "import sys\n"
        "from remem.cli.main import run\n"
        "assert run(['check']) == 1\n"
        "ours = [name for name in sys.modules if name.startswith('remem')]\n"
        "assert len(ours) <= 120, len(ours)\n"
        "rooms = ('remem.views', 'remem.tui', 'remem.core.verbs', 'remem.core.prompt',\n"
        "         'remem.systems.plain.format', 'remem.systems.plain.discover',\n"
        "         'remem.systems.workspace.format', 'remem.systems.loading',\n"
        "         'remem.systems.sniper.retro.retro_entries',\n"
        "         'remem.systems.sniper.spawn_prompt')\n"
        "odd = [name for name in ours if name.startswith(rooms)]\n"
        "assert not odd, odd\n"
        "costly = {'textual', 'pydantic', 'sqlite3', 'rapidfuzz', 'difflib', 'secrets', 'gzip'}\n"
        "assert not costly & set(sys.modules), costly & set(sys.modules)\n"
    )

    holds(script, tmp_path)
