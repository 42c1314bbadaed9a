"""What Start tells of one agent adds up."""

import re
from dataclasses import replace
from datetime import date
from pathlib import Path

from rich.cells import cell_len
from tests.demo_files import demo_at
from tests.tui.opened import opened

from remem.core.session import Session
from remem.core.settings import Places
from remem.demo.build import build_branch, home_of
from remem.model.trend import Growth, Point
from remem.tui.widgets.line_list import LineList
from remem.tui.widgets.text_view import TextView
from remem.views.glyphs import UNICODE
from remem.views.list_rows import Rows
from remem.views.spans import width_of
from remem.views.start import BARS, Depth, agent_lines, overview, start_rows


def test_the_tokens_of_files_and_of_what_is_put_around_are_the_total(tmp_path: Path) -> None:
    project = demo_at(tmp_path / "demo")
    bench = Session.open(project, Places.of(home_of(project)), door="tui")

    agents = bench.agents()

    assert any(agent.tokens > sum(file.tokens for file in agent.files) for agent in agents)
    for agent in agents:
        lines = [line.text for line in agent_lines(bench, agent, None, UNICODE)]
        start = lines[: next(at for at, text in enumerate(lines) if text.startswith("enter "))]
        loaded = start[: start.index("not loaded at startup")] if agent.left else start
        told = [re.match(r"(?:  )?≈?([\d,]+) tokens(?! never)", line) for line in loaded]
        total, *parts = (int(found[1].replace(",", "")) for found in told if found)
        # Files are counted one by one; where they meet, a token may be of both or a blank line's.
        assert abs(sum(parts) - total) <= len(agent.files) + len(agent.lists)
        assert total == agent.tokens


def test_of_a_persona_without_files_here_the_start_is_its_profile(tmp_path: Path) -> None:
    project = demo_at(tmp_path / "demo")
    bench = Session.open(build_branch(tmp_path / "demo"), Places.of(home_of(project)), door="tui")
    bastien = next(agent for agent in bench.agents() if agent.name == "Bastien")

    lines = [line.text for line in agent_lines(bench, bastien, None, UNICODE)]

    assert lines[1] == f"≈{bastien.tokens} tokens: its profile"
    assert "its profile" in lines
    told = lines[lines.index("not counted") :]
    assert "the rules that Night Watch puts into every prompt" in told
    assert not any("around the files" in line for line in lines)
    assert any(line.endswith("L there adds the project's rules") for line in lines)


def test_comments_that_a_tool_removes_are_no_loss_and_what_a_limit_cuts_off_is(
    tmp_path: Path,
) -> None:
    root = tmp_path / "root"
    memory = root / ".claude" / "agent-memory" / "captain" / "MEMORY.md"
    memory.parent.mkdir(parents=True)
    memory.write_text("".join(f"- Ring the bell {n} times\n" for n in range(300)))
    (root / ".claude" / "agents").mkdir()
    told = "---\nname: captain\ndescription: d\nmemory: project\n---\nYou steer.\n"
    (root / ".claude" / "agents" / "captain.md").write_text(told)
    (root / "CLAUDE.md").write_text("<!-- for those who keep this file -->\n\n- Ring twice\n")
    bench = Session.open(root, Places.of(tmp_path / "home"), door="tui")
    rows = start_rows(overview(bench, Depth.AGENTS), UNICODE, None, exact=False)
    own, captain = bench.agents()

    lines = [line.text for line in agent_lines(bench, own, None, UNICODE)]

    assert "cut off" not in _drawn(rows, "Claude Code")
    assert "cut off" in _drawn(rows, "captain")
    (comments,) = [file for file in own.files if file.is_cut]
    assert comments.total > comments.tokens
    assert f"  ≈{comments.total - comments.tokens} tokens more · {comments.why}" in lines
    assert sum(file.lost for file in captain.files) > 100


def test_a_tool_that_does_not_start_is_said_so_in_its_row_and_why_beside_it(tmp_path: Path) -> None:
    root = tmp_path / "root"
    command = root / ".opencode" / "command" / "go.md"
    command.parent.mkdir(parents=True)
    command.write_text("---\nsubtask: maybe\n---\nGo.\n")
    (root / ".opencode" / "agents").mkdir()
    (root / ".opencode" / "agents" / "ann.md").write_text("---\ndescription: d\n---\nHelp.\n")
    (root / "AGENTS.md").write_text("- Ring twice\n")
    bench = Session.open(root, Places.of(tmp_path / "home"), door="tui")

    rows = start_rows(overview(bench, Depth.AGENTS), UNICODE, None, exact=False)
    stopped = next(agent for agent in bench.agents() if agent.name == "OpenCode")
    lines = [line.text for line in agent_lines(bench, stopped, None, UNICODE)]

    said = {row.label[0].text.strip(): row.label[1].text for row in rows if len(row.label) > 1}
    assert (said["OpenCode"], said["Codex"]) == ("does not start", "AGENTS.md")
    assert lines[1] == "≈0 tokens: it does not start"
    assert "`subtask` is `maybe`" in lines[3]


def test_tokens_are_drawn_as_being_counted_until_the_vocabulary_is_there(tmp_path: Path) -> None:
    project = demo_at(tmp_path / "demo")
    bench = Session.open(project, Places.of(home_of(project)), door="tui")
    found = overview(bench, Depth.AGENTS)

    counting = start_rows(found, UNICODE, None, exact=False, settled=False)
    settled = start_rows(found, UNICODE, None, exact=False)

    assert _drawn(counting, "Night Watch · 4 agents") == "counting tokens …"
    assert _drawn(settled, "Night Watch · 4 agents") == "tokens at startup"
    captain = next(agent for agent in bench.agents() if agent.name == "release-captain")
    assert _drawn(settled, "release-captain").endswith(f"≈{captain.tokens:,}")
    assert f"{captain.tokens:,}" not in _drawn(counting, "release-captain")
    assert _drawn(counting, "release-captain").endswith("k")


def _drawn(rows: Rows, name: str) -> str:
    row = next(row for row in rows if row.label[0].text.strip() == name)
    return "".join(part.text for part in row.right)


def test_no_room_is_kept_for_graphs_where_no_start_changed(tmp_path: Path) -> None:
    project = demo_at(tmp_path / "demo")
    bench = Session.open(project, Places.of(home_of(project)), door="tui")
    found = overview(bench, Depth.AGENTS)
    days = [Point(date(2026, 1, day), {}) for day in (1, 2)]
    same = Growth(tuple(days))
    captain = next(agent for agent in found.agents if agent.name == "release-captain")
    who = (captain.layout, captain.name)
    grew = replace(
        same, points=(replace(days[0], tokens={who: 1}), replace(days[1], tokens={who: 9}))
    )

    other = next(each for each in found.agents if each.tool != captain.tool)
    keys = [("agent", *who), ("agent", other.layout, other.name)]
    widths = []
    for growth in (same, grew):
        rows = start_rows(found, UNICODE, growth, exact=False)
        wide = {row.key: width_of(row.right) for row in rows}
        widths.append([wide[key] for key in keys])

    assert [after - before for before, after in zip(*widths, strict=True)] == [BARS, 0]


async def test_the_chart_of_a_start_ends_with_today_whatever_the_width_of_its_pane(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, start="start", size=(100, 30)) as desk:
        who = desk.app.screen.query_one("#who", LineList)
        keys = map(who.rows.key, range(len(who.rows)))
        assert who.move_to(next(key for key in keys if isinstance(key, tuple) and "dunlin" in key))
        await desk.journey.rest()

        files = desk.app.screen.query_one("#files", TextView)
        chart = [line.text for line in files.lines if not line.wraps]

        assert files.show_vertical_scrollbar
        assert chart
        assert chart[-1].endswith("2026-05-04")
        assert max(map(len, chart)) <= files.line_width


def test_files_begin_in_one_column_behind_names_of_any_length(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / ".claude" / "agents").mkdir(parents=True)
    names = ("ada", "港長", "harbour-master-of-quays", "the-one-who-rings-all-of-the-bells")
    for name in names:
        told = f"---\nname: {name}\ndescription: d\n---\nYou steer.\n"
        (root / ".claude" / "agents" / f"{name}.md").write_text(told)
    (root / "CLAUDE.md").write_text("- Ring twice\n")
    bench = Session.open(root, Places.of(tmp_path / "home"), door="tui")

    rows = start_rows(overview(bench, Depth.AGENTS), UNICODE, None, exact=False)

    cells = [cell_len(row.label[0].text) for row in rows if not row.is_header]
    assert sorted({*cells}) == [25, len(names[3]) + 1]
