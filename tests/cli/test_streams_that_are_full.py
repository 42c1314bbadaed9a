"""No command stumbles where what it says finds no room."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from remem.cli.examples import EXAMPLES, ROOT
from remem.demo.build import build_demo, home_of

pytestmark = pytest.mark.slow

OTHERS = ("claude", "git", "code", "demo", "retro run", "persona reflect", "persona compact", "mcp")
"""What an example runs beside remem, and what asks a model or goes on until it is stopped."""

FINDING = ("check",)
"""What ends with 1 where it finds something."""


def lines() -> list[str]:
    """Return every example that is a command of its own, as it is written in the help."""
    texts = "\n".join((ROOT, *EXAMPLES.values())).replace("\\\n", " ")
    every = {re.sub(r"\s+#.*", "", line).strip() for line in texts.splitlines()}
    return sorted(
        line
        for line in every
        if line.startswith("remem ")
        and not set(line) & set("|<>&$\\")
        and not line.removeprefix("remem ").startswith(OTHERS)
    )


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_demo(tmp_path_factory.mktemp("full") / "demo")


@pytest.fixture(scope="module")
def environment(demo: Path) -> Mapping[str, str]:
    home = str(home_of(demo))
    return {**os.environ, "HOME": home, "REMEM_HOME": home, "NO_COLOR": "1"}


@pytest.mark.parametrize("line", lines())
def test_an_example_ends_in_order_where_no_stream_takes_a_word(
    demo: Path, environment: Mapping[str, str], line: str
) -> None:
    words = shlex.split(line)[1:]
    command = shlex.join([sys.executable, "-m", "remem", *words])
    # Half of them have no stream for errors at all; of the others it is read what they say there.
    is_closed = len(line) % 2 == 0

    done = subprocess.run(
        ["sh", "-c", f"{command} </dev/null >/dev/full{' 2>&-' if is_closed else ''}"],
        cwd=demo,
        env=environment,
        stderr=subprocess.PIPE,
        check=False,
    )

    assert done.returncode in (0, 1, 2)
    # An exception that nobody caught ends a program with 1 too.
    assert done.returncode != 1 or words[0] in FINDING
    for stumbled in (b"Traceback", b"stumbled", b"Exception ignored"):
        assert stumbled not in done.stderr
