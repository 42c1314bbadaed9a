"""What Start tells of one agent adds up."""

import re
from pathlib import Path

from remem.core.session import Session
from remem.core.settings import Places
from remem.demo.build import build_demo, home_of
from remem.views.glyphs import UNICODE
from remem.views.start_detail import agent_lines


def test_the_tokens_of_files_and_of_what_is_put_around_are_the_total(tmp_path: Path) -> None:
    project = build_demo(tmp_path / "demo")
    bench = Session.open(project, Places.of(home_of(project)), door="tui")

    agents = bench.agents()

    assert any(agent.tokens > sum(file.tokens for file in agent.files) for agent in agents)
    for agent in agents:
        lines = [line.text for line in agent_lines(bench, agent, None, UNICODE)]
        start = lines[: lines.index("enter shows the full context")]
        loaded = start[: start.index("not loaded at startup")] if agent.left else start
        told = [re.match(r"(?:  |plus )?≈?([\d,]+) tokens(?! never)", line) for line in loaded]
        total, *parts = (int(found[1].replace(",", "")) for found in told if found)
        # Files are counted one by one; where they meet, a token may be of both or a blank line's.
        assert abs(sum(parts) - total) <= len(agent.files) + len(agent.lists)
        assert total == agent.tokens
