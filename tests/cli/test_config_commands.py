"""`remem config`: where settings lie, which value counts, and setting one without losing a line."""

import pytest
from tests.cli.conftest import Shell, document_of

OWN = ".config/remem/config.yaml"
MINE = """\
# how I like it
theme: nord   # dark
tokens: {budget: 900}
"""


def test_the_paths_of_both_settings_files_are_printed_and_whether_they_are_there(
    empty: Shell,
) -> None:
    (empty.root / ".remem").mkdir()
    (empty.root / ".remem/config.yaml").write_text("glyphs: ascii\n")

    files = document_of(empty("config", "path", "--json"), "config-path")["files"]

    assert files == [
        {"whose": "user", "path": str(empty.home / OWN), "exists": False},
        {"whose": "root", "path": str(empty.root / ".remem/config.yaml"), "exists": True},
    ]
    assert str(empty.home / OWN) in empty("config", "path").out


def test_each_value_is_shown_with_the_file_that_it_comes_from(empty: Shell) -> None:
    _write(empty, MINE)
    (empty.root / ".remem").mkdir()
    (empty.root / ".remem/config.yaml").write_text("theme: dracula\nglyphs: ascii\neditor: vim\n")

    document = document_of(empty("config", "show", "--json"), "config-show")
    settings = {each["key"]: (each["value"], each["source"]) for each in document["settings"]}

    assert settings["theme"] == ("nord", "user")
    assert settings["glyphs"] == ("ascii", "root")
    assert settings["tokens.budget"] == ("900", "user")
    assert settings["tokens.window"] == ("200000", "default")
    assert settings["editor"] == ('""', "default")
    assert ["`editor` only works in your own config" in p["message"] for p in document["problems"]]


def test_a_password_in_the_database_address_is_not_shown(empty: Shell) -> None:
    _write(empty, "database: {url: 'postgresql://ann:s3cret@db.example/memory'}\n")

    shown = empty("config", "show", "database")

    assert "postgresql://ann:***@db.example/memory" in shown.out
    assert "s3cret" not in shown.out + shown.err


def test_setting_one_value_leaves_every_other_byte_and_is_undone_to_the_same(empty: Shell) -> None:
    _write(empty, MINE)

    done = empty("config", "set", "tokens.window", "128000")
    written = (empty.home / OWN).read_text()
    empty("undo")

    assert done.code == 0
    assert written == MINE.replace("{budget: 900}", "{budget: 900, window: 128000}")
    assert (empty.home / OWN).read_text() == MINE


def test_the_first_setting_makes_the_file_and_undo_takes_it_away(empty: Shell) -> None:
    done = document_of(empty("config", "set", "agent.command", "[claude, -p]", "--json"), "change")

    assert done["written"] is True
    assert document_of(empty("config", "show", "agent.command", "--json"), "config-show")[
        "settings"
    ] == [{"key": "agent.command", "value": '[claude, "-p"]', "source": "user"}]
    assert empty("undo").code == 0
    assert not (empty.home / OWN).exists()


def test_a_team_setting_goes_into_the_root_and_a_default_takes_it_out(empty: Shell) -> None:
    empty("config", "set", "theme", "nord", "--shared")
    shared = empty.root / ".remem/config.yaml"
    was = shared.read_text()
    empty("config", "set", "theme", "--default", "--shared")

    assert was == "theme: nord\n"
    assert "theme" not in shared.read_text()


def test_a_key_of_ones_own_may_have_dots(empty: Shell) -> None:
    empty("config", "set", "keymap.persona.rename", "N")
    empty("config", "set", "roles.Carlos", "[reviewer]")

    assert (empty.home / OWN).read_text() == (
        'keymap:\n  persona.rename: "N"\nroles:\n  Carlos: [reviewer]\n'
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["tokens.bugdet", "3"], "did you mean `tokens.budget`?"),
        (["tokens", "3"], "unknown setting `tokens`"),
        (["glyphs", "runes"], "`glyphs` cannot be used"),
        (["tokens.budget", "many"], "`tokens.budget` cannot be used"),
        (["agent.command", "3"], "it is a list, such as `[claude, --print]`"),
        (["theme", "[a"], "is not YAML"),
        (["theme"], "give a value, or `--default`"),
        (["editor", "vim", "--shared"], "`editor` only works in your own config"),
    ],
)
def test_what_would_not_count_is_refused_and_nothing_is_written(
    empty: Shell, arguments: list[str], said: str
) -> None:
    _write(empty, MINE)
    before = empty.digest()

    done = empty("config", "set", *arguments)

    assert done.code == 2
    assert said in done.err
    assert (empty.home / OWN).read_text() == MINE
    assert empty.digest() == before


def test_settings_that_do_not_parse_are_shown_with_what_is_wrong_and_never_rewritten(
    empty: Shell,
) -> None:
    broken = "theme: [nord\ntokens: {budget: 3}\n"
    _write(empty, broken)

    shown = document_of(empty("config", "show", "--json"), "config-show")
    done = empty("config", "set", "theme", "nord")

    assert shown["problems"][0]["path"] == str(empty.home / OWN)
    assert done.code == 2
    assert "cannot be read as settings" in done.err
    assert (empty.home / OWN).read_text() == broken


def _write(shell: Shell, text: str) -> None:
    path = shell.home / OWN
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_a_command_is_set_as_a_shell_takes_it(empty: Shell) -> None:
    empty("config", "set", "agent.command", "claude -p 'one word'")

    found = document_of(empty("config", "show", "agent.command", "--json"), "config-show")
    assert found["settings"][0]["value"] == '[claude, "-p", "one word"]'
    assert empty("config", "set", "agent.command", "claude 'open").code == 2
