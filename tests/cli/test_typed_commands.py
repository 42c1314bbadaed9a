"""What the palette of the screens is told about the commands of the shell."""

from remem.cli.generate import command_paths
from remem.cli.typed_commands import typed_commands


def test_the_screens_are_told_of_every_command_but_those_that_cannot_run_there() -> None:
    told = {each.path for each in typed_commands()}

    assert told == {*command_paths()} - {"demo", "mcp"}


def test_a_command_is_told_with_what_it_takes() -> None:
    (found,) = (each for each in typed_commands() if each.path == "retro run")

    assert found.summary
    assert any(name.startswith("--sprint") for name, _ in found.options)
    assert not any(name.startswith("--json") for name, _ in found.options)
