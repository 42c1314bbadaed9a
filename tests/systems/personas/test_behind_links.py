"""What lies behind links among agents and their memory is followed while a root is open."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.persona_files import write
from tests.store.test_watch import watching

from remem.core.session import Session
from remem.core.settings import Places
from remem.core.setup import watched_trees
from remem.model.prompt import Ask

AGENT = "---\nname: {0}\ndescription: x\nmemory: project\n---\nYou are the {0}.\n"


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Session]:
    home, root = tmp_path / "home", tmp_path / "acme"
    files = {"docs/agents/mate.md": AGENT.format("mate"), "shared/MEMORY.md": "- Dock.\n"}
    write(root, {"CLAUDE.md": "- all\n", **files})
    home.mkdir()
    (root / ".claude/agent-memory").mkdir(parents=True)
    (root / ".claude/agents").symlink_to("../docs/agents")
    (root / ".claude/agent-memory/mate").symlink_to("../../shared")
    found = Session.open(root, Places.of(home), door="tui")
    found.begin()
    yield found
    found.close()


async def test_what_an_agent_writes_behind_a_link_is_seen_and_shown(bench: Session) -> None:
    memory = bench.root / "shared/MEMORY.md"
    assert "Dock." in bench.as_loaded(Ask(agent="mate")).text

    async with watching(bench.watcher(), bench.root / "CLAUDE.md") as seen:
        (bench.root / ".claude/agent-memory/mate/MEMORY.md").write_text("- Anchor.\n")
        await seen.until(memory)

    bench.refresh({memory})
    assert "Anchor." in bench.as_loaded(Ask(agent="mate")).text


async def test_an_agent_that_comes_to_a_linked_folder_is_seen_and_listed(bench: Session) -> None:
    cook = bench.root / "docs/agents/cook.md"

    async with watching(bench.watcher(), bench.root / "CLAUDE.md") as seen:
        cook.write_text(AGENT.format("cook"))
        await seen.until(cook)

    bench.refresh({cook})
    assert bench.as_loaded(Ask(agent="cook")).text.startswith("You are the cook.")


def test_a_lesson_that_a_person_edits_behind_a_link_is_nobody_elses_news(bench: Session) -> None:
    bench.begin_inbox()
    (lesson,) = (each for each in bench.library.entries() if each.title == "Dock.")

    bench.apply(bench.intend("edit", [lesson], text="Anchor."))
    bench.refresh({bench.root / "shared/MEMORY.md"})

    assert bench.library.aside.unreviewed == {}
    assert (bench.root / "shared/MEMORY.md").read_text() == "- Anchor.\n"


def test_the_prompt_of_an_agent_names_the_memory_that_is_shown_with_another_one(
    bench: Session,
) -> None:
    (bench.root / "docs/agents/zed.md").write_text(AGENT.format("zed"))
    (bench.root / ".claude/agent-memory/zed").symlink_to("../../shared")
    bench.refresh()

    unseen = {name: bench.as_loaded(Ask(agent=name)).unseen for name in ("mate", "zed")}

    told = "the memory of `zed` is a link to what is shown with another persona alone"
    assert f"its memory: {told}" in unseen["zed"]
    assert not any("memory" in each and "link" in each for each in unseen["mate"])


@pytest.mark.parametrize(
    ("to", "is_watched"), [("../docs/agents", True), ("../../elsewhere", False), ("..", False)]
)
def test_where_a_linked_folder_lies_is_watched_only_inside_and_not_above(
    bench: Session, to: str, is_watched: bool
) -> None:
    (bench.root.parent / "elsewhere").mkdir()
    agents = bench.root / ".claude/agents"
    agents.unlink()
    agents.symlink_to(to)

    trees = watched_trees(bench.library.ground, bench.library.formats)

    assert agents in trees
    assert (agents.resolve() in trees) is is_watched
