import os
import pty
import shlex
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import click
import pytest
from tests.cli.conftest import Shell

from remem.base.errors import ChangedOnDisk, UnknownRef
from remem.base.text import did_you_mean, hidden
from remem.cli.failure import failure_of, tell, unknown_command


def test_an_error_is_a_sentence_and_a_hint_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    tell(failure_of(UnknownRef("no entry `x`", hint="look again")), as_json=False)

    out, err = capsys.readouterr()
    assert out == ""
    assert err == "error: no entry `x`\n\nhint: look again\n"


def test_an_error_without_a_hint_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    tell(failure_of(UnknownRef("no entry `x`")), as_json=False)

    assert capsys.readouterr().err == "error: no entry `x`\n"


def test_what_changed_on_disk_ends_with_three() -> None:
    assert failure_of(ChangedOnDisk("`a` changed")).exit_code == 3


def test_an_error_shows_no_escape_sequence(capsys: pytest.CaptureFixture[str]) -> None:
    tell(failure_of(UnknownRef("no entry `\x1b]0;x\x07`", hint="\u202e")), as_json=False)

    assert hidden(capsys.readouterr().err.replace("\n", "")) == ()


@pytest.mark.parametrize(
    ("error", "message"),
    [
        pytest.param(
            click.UsageError("Missing argument 'REF'."), "missing argument `REF`", id="full stop"
        ),
        pytest.param(
            click.NoSuchOption("--x", possibilities=["--xy"]), "no such option `--x`", id="option"
        ),
    ],
)
def test_words_of_the_option_parser_are_put_into_ours(
    error: click.ClickException, message: str
) -> None:
    failure = failure_of(error)

    assert failure.message == message
    assert failure.exit_code == 2


def test_a_near_miss_asks_whether_that_was_meant() -> None:
    assert unknown_command("lst", ["list", "show"]).hint == "did you mean `list`?"


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        pytest.param(["statsu"], "hint: did you mean `status`?", id="command"),
        pytest.param(["retire"], "hint: did you mean `archive`?", id="word of other tools"),
        pytest.param(["learn", "deprecate"], "did you mean `remem archive`?", id="inner word"),
        pytest.param(["list", "--kind", "foo"], "hint: the kinds here are", id="kind"),
        pytest.param(["search", "a", "--kind", "foo"], "hint: the kinds here are", id="its kind"),
        pytest.param(["list", "--kidn", "x"], "hint: did you mean `--kind`?", id="option"),
        pytest.param(["list", "--kin", "x"], "hint: did you mean `--kind`?", id="short option"),
        pytest.param(["history", "--seen", "x"], "hint: see `remem history --help`", id="far"),
        pytest.param(
            ["edit", "conv-001", "--set", "x"], "hint: see `remem edit --help`", id="far 2"
        ),
        pytest.param(["persona", "renam"], "hint: did you mean `rename`?", id="inner command"),
        pytest.param(["show"], "; see `remem show --help`", id="missing"),
        pytest.param(["list", "--status", "gone"], "`remem list --help`", id="choice"),
        pytest.param(["zzzz"], "hint: `remem --help` lists the commands", id="nothing near"),
    ],
)
def test_bad_usage_ends_with_two_and_says_what_to_do(
    shop: Shell, arguments: list[str], hint: str
) -> None:
    answer = shop(*arguments)

    assert answer.code == 2
    assert answer.raw == b""
    assert answer.err.startswith("error: ")
    assert hint in answer.err


def test_with_json_an_error_is_a_document_on_stdout(shop: Shell) -> None:
    answer = shop("show", "--json", "--nope")

    assert answer.code == 2
    assert answer.err == ""
    assert answer.document["error"]["code"] == "usage"


def test_json_after_the_end_of_options_is_an_argument(shop: Shell) -> None:
    answer = shop("search", "--", "--json")

    assert answer.code == 0
    assert answer.raw == b""


def test_a_group_without_a_command_prints_its_help_and_ends_with_two(shop: Shell) -> None:
    answer = shop("persona")

    assert answer.code == 2
    assert "rename" in answer.err
    assert "error:" not in answer.err


def test_a_folder_that_is_not_there_is_said(empty: Shell) -> None:
    answer = empty("--root", str(empty.root / "gone"), "status")

    assert answer.code == 2
    assert "no folder" in answer.err


def test_a_stumble_is_a_sentence_and_no_traceback(shop: Shell) -> None:
    script = (
        "import sys\n"
        "import remem.cli.roots as roots\n"
        "from remem.cli.main import run\n"
        "def stumble(*_): raise RuntimeError('boom')\n"
        "roots.named = stumble\n"
        "sys.exit(run(['--root', '.', 'status']))\n"
    )
    plain = _python(script, shop.root)
    debugging = _python(script, shop.root, REMEM_DEBUG="1")

    assert plain.returncode == 2
    assert "Traceback" not in plain.stderr
    assert "error: internal error: RuntimeError: boom" in plain.stderr
    assert "Traceback" in debugging.stderr


def test_a_reader_that_goes_away_is_no_error(shop: Shell) -> None:
    command = f"{sys.executable} -m remem --root {shop.root} list | true"

    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True, check=False
    )

    assert done.stderr == ""
    assert done.returncode in {0, 141}


def test_screens_that_end_by_an_error_are_not_taken_for_a_closed_pipe(shop: Shell) -> None:
    script = (
        "from remem.tui.app import RememApp\n"
        "RememApp.on_mount = lambda app: {}['gone']\n"
        "from remem.cli.main import run\n"
        f"raise SystemExit(run(['--root', {str(shop.root)!r}]))\n"
    )
    child, screen = pty.fork()
    if child == 0:
        os.execve(sys.executable, [sys.executable, "-c", script], dict(os.environ))

    with suppress(OSError):  # what Linux says when the other side is closed
        while os.read(screen, 65_536):
            pass
    _, status = os.waitpid(child, 0)
    os.close(screen)

    assert os.waitstatus_to_exitcode(status) == 1


def _python(script: str, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", script],
        cwd=cwd,
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("arguments", [["list"], ["list", "--json"], ["nosuch", "--json"]])
def test_an_answer_that_cannot_be_printed_is_said_and_is_no_finding(
    shop: Shell, arguments: list[str]
) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "remem", "--root", str(shop.root), *arguments],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )

    assert done.returncode == 2
    assert done.stderr.startswith("error: ")
    assert "Traceback" not in done.stderr
    assert "stumbled" not in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["show", "nothing"],
        ["show", "nothing", "--json"],
        ["mcp", "--nosuch"],
        [],
        ["persona"],
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("streams", [">/dev/full 2>/dev/full", ">&- 2>/dev/full"])
def test_no_door_stumbles_when_neither_stream_takes_a_word(
    shop: Shell, arguments: list[str], streams: str
) -> None:
    command = shlex.join([sys.executable, "-m", "remem", "--root", str(shop.root), *arguments])

    done = subprocess.run(["sh", "-c", f"{command} </dev/null {streams}"], check=False)

    assert done.returncode == 2


def test_a_decision_whose_note_finds_no_room_is_made_all_the_same(shop: Shell) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "remem", "--root", str(shop.root), "approve", "conv-002"],
            stdout=subprocess.PIPE,
            stderr=full,
            text=True,
            check=False,
        )

    assert done.returncode == 0
    assert "candidate" not in (shop.root / ".sniper/memory/conventions.yaml").read_text()


def test_streams_that_are_closed_are_no_error(shop: Shell) -> None:
    command = f"{sys.executable} -m remem --root {shop.root} list"

    done = subprocess.run(
        ["sh", "-c", f"{command} <&- >&-"], capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("typed", ["roza", "ROZA", "Roza"])
def test_the_nearest_name_is_found_in_any_case_and_told_as_it_is_written(typed: str) -> None:
    assert did_you_mean(typed, ["Bastien", "Rosa"]) == "did you mean `Rosa`?"
    assert not did_you_mean(typed, ["Bastien"])


@pytest.mark.parametrize(
    ("command", "example"),
    [
        (["diff"], "remem diff main...HEAD"),
        (["show"], "remem show conv-012"),
        (["workspace", "promote"], "remem workspace promote conv-012 --dry-run"),
        (["brief"], "remem brief ST-103"),
    ],
)
def test_a_missing_argument_is_answered_with_an_example(
    shop: Shell, command: list[str], example: str
) -> None:
    answer = shop(*command)

    assert answer.code == 2
    assert f"hint: for example `{example}`; see `remem {command[0]}" in answer.err


def test_an_option_without_its_value_does_not_send_to_the_wrong_help(shop: Shell) -> None:
    answer = shop("list", "--kind")

    assert "option `--kind` requires an argument" in answer.err
    assert "hint: see `--help` of the command" in answer.err
