"""What remem says of a fixture, asked by its command line as anybody would."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tests.oracle.fixtures import Built, Said

_NOBODY = "unknown-ref"


@dataclass(frozen=True)
class Answer:
    """What an agent gets, as remem has it."""

    said: Said
    notes: tuple[str, ...] = ()


def question(built: Built, agent: str) -> list[str]:
    """Return the arguments that ask what an agent has at startup."""
    places = ["--root", str(built.root), "--home", str(built.home)]
    asked = [*places, "compose", "--as-loaded", "--json"]
    folder = ["--folder", built.fixture.start] if built.fixture.start else []
    return [*asked, "--agent", agent, *folder]


def answer_of(built: Built, document: Any) -> Answer:
    """Read what came of the question; an agent that nobody has gets nothing."""
    if "error" in document:
        assert document["error"]["code"] == _NOBODY, document
        return Answer(Said((), (), ()))
    lines = [line["text"] for layer in document["layers"] for line in layer["lines"]]
    return Answer(built.said_in("\n".join(lines)), tuple(document["notes"]))


def ask(built: Built, agent: str) -> Answer:
    """Ask in a process of its own."""
    command: Sequence[str] = (sys.executable, "-m", "remem", *question(built, agent))
    done = subprocess.run(command, cwd=built.root, capture_output=True, check=False)
    assert done.stdout, done.stderr.decode()
    return answer_of(built, json.loads(done.stdout))
