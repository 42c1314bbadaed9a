"""What the palette of the screens is told about the commands of the shell."""

import io

import pytest
from tests.cli.conftest import Shell

from remem.cli.generate import command_paths
from remem.cli.open import has_terminal
from remem.cli.typed_commands import typed_commands
from remem.tui.usable_verbs import ALSO
from remem.views.loose_match import rank, words_of


def test_the_screens_are_told_of_every_command_but_those_that_cannot_run_there() -> None:
    told = {each.path for each in typed_commands()}

    elsewhere = {path for path in command_paths() if path.split()[0] in {"demo", "hook"}}
    assert told == {*command_paths()} - elsewhere - {"mcp"}


def test_a_command_is_told_with_what_it_takes() -> None:
    (found,) = (each for each in typed_commands() if each.path == "retro run")

    assert found.summary
    assert any(name.startswith("--sprint") for name, _ in found.options)
    assert not any(name.startswith("--json") for name, _ in found.options)


def test_screens_are_drawn_where_textual_was_told_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert not has_terminal()

    monkeypatch.setenv("TEXTUAL_DRIVER", "textual.drivers.web_driver:WebDriver")

    assert has_terminal()


def test_the_help_of_a_command_is_broken_by_the_screen_alone() -> None:
    (check,) = (each for each in typed_commands() if each.path == "check")

    assert all(line == "" or line.endswith((".", "`")) for line in check.help.split("\n"))
    assert "2: rules could not be read." in check.help


def test_the_command_that_sets_the_budget_is_found_by_that_word() -> None:
    (setting,) = (each for each in typed_commands() if each.path == "config set")
    also = f"{setting.summary} {ALSO['remem config set']}"

    assert "tokens.budget" in setting.summary
    assert rank(words_of("budget"), setting.path, also) > 0


def test_what_runs_at_once_needs_no_words_and_writes_nothing(shop: Shell) -> None:
    found = [each for each in typed_commands() if each.reads]
    before = shop.digest()

    answers = {each.path: shop(*each.path.split()) for each in found}

    assert {path: answer.err for path, answer in answers.items() if answer.code > 1} == {}
    assert all(each.stands_alone for each in found)
    assert shop.digest() == before
    assert {"status", "queue", "history", "persona list"} <= answers.keys()


def test_a_command_that_has_to_be_told_something_does_not_stand_alone() -> None:
    found = {each.path: each.stands_alone for each in typed_commands()}

    alone = {"undo", "status", "learn prune", "history"}
    assert {path for path in (*alone, "archive", "search", "memory store") if found[path]} == alone
