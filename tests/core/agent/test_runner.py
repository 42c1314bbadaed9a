import os
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from time import monotonic

import pytest

from remem.core.agent.runner import AgentFailed, Answer, Progress, ask

LONG = 20.0
"""Seconds that no test comes near to."""


@pytest.fixture
def program(tmp_path: Path) -> Callable[[str], list[str]]:
    """Write a program and return the command that runs it."""

    def write(text: str) -> list[str]:
        path = tmp_path / "agent.py"
        path.write_text(f"import os, signal, sys, time\n{text}\n")
        return [sys.executable, "-S", "-E", str(path)]

    return write


def failure(command: list[str], folder: Path, **limits: float) -> AgentFailed:
    with pytest.raises(AgentFailed) as caught:
        ask(command, "prompt", folder=folder, timeout=limits.pop("timeout", LONG), **limits)  # type: ignore[arg-type]
    return caught.value


def is_gone(process: int) -> bool:
    """Wait until a process has ended; a zombie that nobody reaped has."""
    end = monotonic() + 60
    while monotonic() < end:
        try:
            state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return True
        if state in "ZX":
            return True
        os.sched_yield()
    return False


def test_the_prompt_goes_in_and_the_answer_comes_out(
    program: Callable[[str], list[str]], tmp_path: Path
) -> None:
    command = program("sys.stdout.write(sys.stdin.read().upper())")

    answer = ask(command, "größe " * 50_000, folder=tmp_path, timeout=LONG)

    assert isinstance(answer, Answer)
    assert answer.text == "GRÖSSE " * 50_000
    assert answer.attempts == 1


def test_no_shell_reads_the_command(tmp_path: Path) -> None:
    command = [sys.executable, "-S", "-c", "import sys; print(sys.argv[1])", "$HOME; `id` *"]

    answer = ask(command, "", folder=tmp_path, timeout=LONG)

    assert answer.text == "$HOME; `id` *\n"


def test_it_runs_in_the_folder_that_was_named(
    program: Callable[[str], list[str]], tmp_path: Path
) -> None:
    (tmp_path / "own").mkdir()

    answer = ask(
        program("print(os.getcwd(), os.environ['PWD'])"),
        "",
        folder=tmp_path / "own",
        timeout=LONG,
    )

    assert answer.text.split() == [str(tmp_path / "own")] * 2


def test_a_program_that_never_reads_its_prompt_may_answer(
    program: Callable[[str], list[str]], tmp_path: Path
) -> None:
    command = program("os.close(0); print('so be it')")

    answer = ask(command, "x" * 1_000_000, folder=tmp_path, timeout=LONG)

    assert answer.text == "so be it\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    "ignores", [pytest.param("", id="hangs"), pytest.param("signal.SIG_IGN", id="ignores-sigterm")]
)
def test_a_program_that_hangs_is_stopped_with_all_that_it_started(
    program: Callable[[str], list[str]], tmp_path: Path, ignores: str
) -> None:
    deaf = f"signal.signal(signal.SIGTERM, {ignores})\n" if ignores else ""
    command = program(
        f"{deaf}child = os.fork()\n"
        "open('processes', 'a').write(f'{os.getpid()}\\n')\n"
        "while True: time.sleep(60)"
    )

    failed = failure(command, tmp_path, timeout=1.0)

    assert failed.why == "time"
    assert failed.exit_code == 4
    assert "agent.timeout" in failed.hint
    processes = (tmp_path / "processes").read_text().split()
    assert len(processes) == 2
    assert all(is_gone(int(each)) for each in processes)


def test_a_child_that_keeps_the_pipe_open_does_not_keep_the_answer(
    program: Callable[[str], list[str]], tmp_path: Path
) -> None:
    command = program(
        "child = os.fork()\nif not child:\n    while True: time.sleep(60)\nprint(child, flush=True)"
    )

    answer = ask(command, "", folder=tmp_path, timeout=LONG)

    assert answer.seconds < LONG / 2
    assert is_gone(int(answer.text))


def test_a_child_that_left_the_group_does_not_keep_the_answer_either(
    program: Callable[[str], list[str]], tmp_path: Path
) -> None:
    command = program(
        "ready, done = os.pipe()\n"
        "child = os.fork()\n"
        "if not child:\n"
        "    os.setsid(); os.write(done, b'.')\n"
        "    while True: time.sleep(60)\n"
        "os.read(ready, 1)\n"
        "print(child, flush=True)"
    )

    answer = ask(command, "", folder=tmp_path, timeout=LONG)

    os.kill(int(answer.text), signal.SIGKILL)
    assert answer.seconds < LONG / 2


def test_a_flood_is_stopped_at_the_limit(
    program: Callable[[str], list[str]], tmp_path: Path
) -> None:
    command = program(
        "open('process', 'w').write(str(os.getpid()))\n"
        "for _ in range(100): sys.stdout.write('x' * 1_000_000)\n"
        "open('finished', 'w')"
    )

    failed = failure(command, tmp_path)

    assert failed.why == "too-big"
    assert "1,048,576 bytes" in str(failed)
    assert is_gone(int((tmp_path / "process").read_text()))
    assert not (tmp_path / "finished").exists()


def test_an_endless_stderr_neither_blocks_nor_fills_memory(
    program: Callable[[str], list[str]], tmp_path: Path
) -> None:
    command = program("while True: sys.stderr.write('trouble ' * 10_000)")

    failed = failure(command, tmp_path, timeout=1.0)

    assert failed.why == "time"


def test_what_a_program_says_last_on_stderr_is_told_without_its_secrets(
    program: Callable[[str], list[str]], tmp_path: Path
) -> None:
    key = "ghp_" + "a1B2" * 9
    command = program(
        "sys.stderr.write('x' * 500_000 + '\\nfirst\\n')\n"
        f"sys.stderr.write('the key {key} is not known\\n')\n"
        "sys.exit(7)"
    )

    failed = failure(command, tmp_path)

    assert failed.why == "exit"
    assert str(failed) == f"`{sys.executable}` exited with code 7"
    assert "first / the key" in failed.hint
    assert key not in failed.hint
    assert len(failed.hint) < 600


def test_a_program_that_a_signal_ends_says_so(
    program: Callable[[str], list[str]], tmp_path: Path
) -> None:
    failed = failure(program("os.kill(os.getpid(), signal.SIGKILL)"), tmp_path)

    assert "was killed by signal 9" in str(failed)
    assert "--prompt-only" in failed.hint


@pytest.mark.parametrize(
    ("text", "why"),
    [
        pytest.param("pass", "empty", id="nothing"),
        pytest.param("print('  \\n\\n')", "empty", id="blanks"),
        pytest.param("sys.stdout.buffer.write(b'findings: \\xff')", "encoding", id="not-utf-8"),
    ],
)
def test_an_answer_that_is_none_is_refused(
    program: Callable[[str], list[str]], tmp_path: Path, text: str, why: str
) -> None:
    failed = failure(program(text), tmp_path)

    assert failed.why == why
    assert failed.hint


def test_what_is_wrong_with_the_bytes_says_where(
    program: Callable[[str], list[str]], tmp_path: Path
) -> None:
    failed = failure(program("sys.stdout.buffer.write(b'findings: \\xff')"), tmp_path)

    assert str(failed).endswith("byte 11")


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(["no-such-program-anywhere"], id="missing"),
        pytest.param(["/"], id="a-folder"),
        pytest.param(["a\0b"], id="a-name-that-cannot-be"),
    ],
)
def test_a_command_that_cannot_start_names_the_setting(command: list[str], tmp_path: Path) -> None:
    failed = failure(command, tmp_path)

    assert failed.why == "cannot-start"
    assert "agent.command" in failed.hint


def test_no_command_is_a_failure_of_its_own(tmp_path: Path) -> None:
    assert failure([], tmp_path).why == "no-command"


def test_a_program_of_the_root_is_not_found_by_its_name_alone(
    program: Callable[[str], list[str]], tmp_path: Path
) -> None:
    own = tmp_path / "config"
    own.mkdir()
    program("print('from the root')")

    failed = failure(["./agent.py"], own)

    assert failed.why == "cannot-start"


def test_a_failure_is_tried_again_as_often_as_was_said(
    program: Callable[[str], list[str]], tmp_path: Path
) -> None:
    command = program(
        "open('tries', 'a').write('x')\n"
        "if len(open('tries').read()) < 3: sys.exit(1)\n"
        "print('third')"
    )

    answer = ask(command, "", folder=tmp_path, timeout=LONG, retries=2)

    assert (answer.text, answer.attempts) == ("third\n", 3)


def test_after_the_last_try_the_failure_stands(
    program: Callable[[str], list[str]], tmp_path: Path
) -> None:
    command = program("open('tries', 'a').write('x'); sys.exit(1)")

    failed = failure(command, tmp_path, retries=1)

    assert failed.why == "exit"
    assert (tmp_path / "tries").read_text() == "xx"


def test_a_program_that_hangs_is_not_tried_again(
    program: Callable[[str], list[str]], tmp_path: Path
) -> None:
    command = program("open('tries', 'a').write('x')\nwhile True: time.sleep(60)")

    failure(command, tmp_path, timeout=1.0, retries=3)

    assert (tmp_path / "tries").read_text() == "x"


def test_cancelling_ends_the_program(program: Callable[[str], list[str]], tmp_path: Path) -> None:
    command = program(
        "open('process', 'w').write(str(os.getpid()))\nprint('.', flush=True)\n"
        "while True: time.sleep(60)"
    )
    wanted = threading.Event()

    def on_progress(progress: Progress) -> None:
        if progress.received:
            wanted.set()

    with pytest.raises(AgentFailed) as caught:
        ask(
            command,
            "",
            folder=tmp_path,
            timeout=LONG,
            on_progress=on_progress,
            cancel=wanted.is_set,
        )

    assert caught.value.why == "cancelled"
    assert is_gone(int((tmp_path / "process").read_text()))


def test_ctrl_c_ends_the_program_too(program: Callable[[str], list[str]], tmp_path: Path) -> None:
    command = program(
        "signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "open('process', 'w').write(str(os.getpid()))\nprint('.', flush=True)\n"
        "while True: time.sleep(60)"
    )

    def interrupt(progress: Progress) -> None:
        if progress.received:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ask(command, "", folder=tmp_path, timeout=LONG, on_progress=interrupt)

    assert is_gone(int((tmp_path / "process").read_text()))


def test_a_program_that_closes_its_output_and_goes_on_is_waited_for(
    program: Callable[[str], list[str]], tmp_path: Path
) -> None:
    command = program("os.write(1, b'done'); os.close(1); time.sleep(0.2); open('finished', 'w')")

    answer = ask(command, "", folder=tmp_path, timeout=LONG)

    assert answer.text == "done"
    assert (tmp_path / "finished").exists()
