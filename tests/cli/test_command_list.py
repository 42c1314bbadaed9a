import subprocess
import sys

import click
import pytest
from tests.cli.conftest import Shell

from remem.cli.commands import COMMANDS, GROUPS
from remem.cli.main import remem, run
from remem.cli.output import schema


def modules_after(*arguments: str) -> set[str]:
    """Return what a process has loaded at the end of a command."""
    script = (
        "import sys\n"
        "from remem.cli.main import run\n"
        f"code = run({list(arguments)!r})\n"
        "sys.stdout.write('\\0' + ' '.join(sys.modules))\n"
        "sys.exit(code)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return {name.split(".")[0] for name in done.stdout.rpartition("\0")[2].split()}


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["-h"]])
def test_help_and_version_load_nothing_that_costs(arguments: list[str]) -> None:
    loaded = modules_after(*arguments)

    assert not loaded & {"pydantic", "textual", "rich", "ruamel", "tiktoken", "sqlite3", "ryaml"}


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["list", "--json"], id="list"),
        pytest.param(["compose", "--role", "backend-engineer"], id="compose"),
        pytest.param(["status"], id="status"),
        pytest.param(["queue"], id="queue"),
        pytest.param(["history"], id="history"),
    ],
)
def test_commands_never_load_textual(shop: Shell, arguments: list[str]) -> None:
    loaded = modules_after("--root", str(shop.root), "--home", str(shop.home), *arguments)

    assert "textual" not in loaded


def test_the_list_names_every_command_with_its_help() -> None:
    with click.Context(remem, info_name="remem") as ctx:
        page = remem.get_help(ctx)

    for heading, known in GROUPS.items():
        assert f"{heading}:" in page
        for name, each in known.items():
            assert f"{name} " in page
            assert each.help in page


@pytest.mark.parametrize("name", COMMANDS)
def test_the_table_says_what_the_command_says(name: str) -> None:
    with click.Context(remem) as ctx:
        command = remem.get_command(ctx, name)

    assert command is not None
    assert command.name == name
    assert command.help is not None
    assert command.help.splitlines()[0] == COMMANDS[name].help


def every_command() -> list[tuple[str, click.Command]]:
    found: list[tuple[str, click.Command]] = []
    with click.Context(remem) as ctx:
        for name in COMMANDS:
            command = remem.get_command(ctx, name)
            assert command is not None
            found.append((name, command))
            if isinstance(command, click.Group):
                found += [(f"{name} {inner}", each) for inner, each in command.commands.items()]
    return found


@pytest.mark.parametrize(("name", "command"), [pytest.param(*c, id=c[0]) for c in every_command()])
def test_every_command_has_help_and_the_common_options(name: str, command: click.Command) -> None:
    options = {option for each in command.params for option in each.opts}

    assert command.help
    assert {"--root", "--home", "--json"} <= options, name
    assert all(p.help for p in command.params if isinstance(p, click.Option)), name


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["list"], id="list"),
        pytest.param(["compose", "--role", "backend-engineer", "--json"], id="compose"),
        pytest.param(["queue", "--json"], id="queue"),
    ],
)
def test_sound_files_are_read_without_what_mends_the_others(
    shop: Shell, arguments: list[str]
) -> None:
    loaded = modules_after("--root", str(shop.root), "--home", str(shop.home), *arguments)

    assert not loaded & {"pydantic", "ruamel"}


def test_the_names_of_schemas_are_listed_without_making_one() -> None:
    assert "pydantic" not in modules_after("schema")


def test_one_schema_is_made_where_one_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def make(name: str) -> dict[str, str]:
        made.append(name)
        return {"title": name}

    monkeypatch.setattr(schema, "_schema", make)

    code = run(["schema", "config"])

    assert (code, made) == (0, ["config"])
