"""A thousand agents: nobody's start is looked for among the files of all others."""

import sys
from pathlib import Path

from tests.plain_files import Repo

from remem.core.library import Library
from remem.core.prompt.agents import agents_of, as_loaded, sharing
from remem.core.prompt.counter import Estimate
from remem.core.prompt.everyones_starts import role_starts

FEW = 50
TIMES = 4
FIXED = 1.25
"""What of each agent's share may grow with their number: sorting, and names that are long."""


def _crew(folder: Path, number: int) -> Library:
    repo = Repo(folder)
    for each in range(number):
        head = f"---\nname: agent-{each}\ndescription: Does {each}\nmemory: project\n---\n"
        definition, memory = f"You do {each}.\n", f"# Memory\n\n- learned {each}\n"
        repo.write({f".claude/agents/agent-{each}.md": head + definition})
        repo.write({f".claude/agent-memory/agent-{each}/MEMORY.md": memory})
    return repo.library()


def _calls(library: Library) -> int:
    """Return how many functions are called to say what everybody starts with."""
    called = 0

    def count(_frame: object, event: str, _of: object) -> None:
        nonlocal called
        called += event == "call"

    for _ in library.entries():
        pass
    sys.setprofile(count)
    try:
        among = sharing(library, Estimate())
        prompts = [as_loaded(library, who.ask, Estimate(), among) for who in agents_of(library)]
        composed = [*role_starts(library, Estimate(), [who.name for who in agents_of(library)])]
    finally:
        sys.setprofile(None)
    assert len(prompts) == len(composed)
    assert all("- learned " in prompt.text for prompt in prompts)
    return called


def test_four_times_as_many_agents_take_four_times_the_work(tmp_path: Path) -> None:
    few = _calls(_crew(tmp_path / "few", FEW))
    many = _calls(_crew(tmp_path / "many", TIMES * FEW))

    assert many / few < TIMES * FIXED
