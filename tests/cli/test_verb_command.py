"""The command of a verb is its declaration: its options, what completes them, what they refuse."""

from __future__ import annotations

import json
from inspect import cleandoc

import click
import pytest
from click.shell_completion import ShellComplete
from tests.cli.conftest import Shell, document_of, write
from tests.learning_files import FOLDER, FREEZE, record

from remem.cli.commands import COMMANDS
from remem.cli.main import remem
from remem.core.verbs.verb import Writing
from remem.core.verbs.verbs import all_verbs

COMMANDED = [verb for verb in all_verbs() if verb.command]


def command_of(path: str) -> click.Command:
    with click.Context(remem) as ctx:
        name, *inner = path.split()
        assert name in COMMANDS
        found = remem.get_command(ctx, name)
        for each in inner:
            assert isinstance(found, click.Group)
            found = found.commands[each]
    assert found is not None
    return found


@pytest.mark.parametrize("verb", COMMANDED, ids=lambda verb: verb.id)
def test_a_verb_is_typed_as_it_is_declared(verb: Writing) -> None:  # type: ignore[type-arg]
    command = command_of(verb.command)

    options = {each for param in command.params for each in param.opts}
    spelt = [each.spelt for each in verb.args.params() if each.spelt.startswith("-")]
    declared = {each.partition("/")[0] for each in spelt}
    assert declared | {"--dry-run", "--json"} <= options
    assert command.help == cleandoc(verb.args.__doc__ or "")


def with_learning(shell: Shell) -> Shell:
    write(shell.root, {f"{FOLDER}/{FREEZE}.yaml": json.dumps(record())})
    return shell


def test_an_older_spelling_is_taken_and_not_shown(shop: Shell) -> None:
    shell = with_learning(shop)

    page = shell("learn", "reinforce", "--help").out
    new = shell("learn", "reinforce", FREEZE, "--by", "E-1", "--as", "mary", "--dry-run", "--json")
    old = shell(
        "learn", "reinforce", FREEZE, "--by", "E-1", "--actor", "mary", "--dry-run", "--json"
    )

    assert "--as NAME" in page
    assert "--actor" not in page
    for answer in (new, old):
        assert "actor: mary" in document_of(answer, "change")["change"]["effects"][0]["diff"]


def test_the_shell_completes_entries_and_choices(shop: Shell) -> None:
    shell = with_learning(shop)
    where = ["--root", str(shell.root), "--home", str(shell.home), "learn"]

    def offered(*words: str, incomplete: str) -> dict[str, str | None]:
        shell_complete = ShellComplete(remem, {}, "remem", "_REMEM_COMPLETE")
        found = shell_complete.get_completions([*where, *words], incomplete)
        return {each.value: each.help for each in found}

    before = shell.digest()
    assert offered("confirm", incomplete=FREEZE[:6]) == {FREEZE: record()["learning"]}
    assert offered("confirm", incomplete="learning:L") == {
        f"learning:{FREEZE}": record()["learning"]
    }
    assert [*offered("supersede", FREEZE, "--by", incomplete=FREEZE[:4])] == [FREEZE]
    assert [*offered("add", "--source", incomplete="re")] == ["retro"]
    assert shell.digest() == before


def test_what_is_missing_is_bad_usage(shop: Shell) -> None:
    shell = with_learning(shop)

    answers = [
        shell("learn", "confirm"),
        shell("learn", "reinforce", FREEZE),
        shell("learn", "reinforce", FREEZE, "--by", " "),
        shell("learn", "upgrade", "--confidence", "3"),
    ]

    assert [answer.code for answer in answers] == [2, 2, 2, 2]
    assert "REF..." in answers[0].err
    assert "--by" in answers[1].err
    assert "`by` is missing" in answers[2].err


def test_the_shell_completes_what_waits(shop: Shell) -> None:
    where = ["--root", str(shop.root), "--home", str(shop.home)]
    items = document_of(shop("queue", "--json"), "queue")["items"]
    before = shop.digest()

    def offered(verb: str, incomplete: str) -> dict[str, str | None]:
        shell_complete = ShellComplete(remem, {}, "remem", "_REMEM_COMPLETE")
        found = shell_complete.get_completions([verb, *where], incomplete)
        return {each.value: each.help for each in found}

    assert items
    for verb in ("approve", "reject"):
        assert offered(verb, "") == {each["id"]: each["title"] for each in items}
        assert offered(verb, items[0]["id"][:6]) == {items[0]["id"]: items[0]["title"]}
        assert offered(verb, items[0]["ref"]) == {items[0]["ref"]: items[0]["title"]}
    assert shop.digest() == before
