"""Whatever a person does with what an agent wrote answers it, and is undone like any change."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.core.inbox.test_inbox import NAME, RULES, at, decide, inbox, looked, told

from remem.base.errors import NotPossible
from remem.core.session import Session
from remem.core.settings import Places
from remem.model.change import Intent, Json

NOTE = "Prefer pytest."


def written(top: Path) -> Session:
    """Return a project in which an agent wrote one rule and took out another."""
    looked(top).write_text(RULES.replace("- Never push to main.\n", "") + f"- {NOTE}\n")
    return at(top)


def new(bench: Session, verb: str, **given: Json) -> None:
    decide(bench, verb, [item for item in inbox(bench) if item.title == NOTE], **given)


@pytest.mark.parametrize(
    ("place", "file"),
    [
        (".claude/rules/tests.md", "shop/.claude/rules/tests.md"),
        ("AGENTS.md", "shop/AGENTS.md"),
        ("~/.claude/CLAUDE.md", "home/.claude/CLAUDE.md"),
    ],
)
def test_what_an_agent_wrote_is_promoted_to_a_file_that_is_made(
    tmp_path: Path, place: str, file: str
) -> None:
    bench = written(tmp_path)
    before = (tmp_path / "shop" / NAME).read_bytes()

    new(bench, "promote", to=place)

    assert (tmp_path / file).read_text() == f"- {NOTE}\n"
    assert NOTE not in (tmp_path / "shop" / NAME).read_text()
    assert told(bench) == [("removed", "Never push to main.")]
    bench.undo()
    assert (tmp_path / "shop" / NAME).read_bytes() == before
    assert not (tmp_path / file).exists()
    assert ("new", NOTE) in told(bench)


def test_it_is_promoted_to_a_persona_and_to_a_convention(tmp_path: Path) -> None:
    memory = tmp_path / "shop" / ".claude" / "agent-memory" / "clerk" / "MEMORY.md"
    memory.parent.mkdir(parents=True)
    memory.write_text("# Clerk\n\n- Counts twice.\n")
    (tmp_path / "shop" / ".sniper").mkdir(parents=True)
    bench = written(tmp_path)

    new(bench, "promote", to="convention")
    assert told(bench) == [("removed", "Never push to main.")]
    assert any(item.title == NOTE and item.kind == "convention" for item in bench.queue())
    bench.undo()
    new(bench, "promote", to="clerk")

    assert NOTE in memory.read_text()
    assert told(bench) == [("removed", "Never push to main.")]


def test_a_name_that_no_tool_loads_is_no_place(tmp_path: Path) -> None:
    bench = written(tmp_path)

    for place in ("notes/of-mine.md", "nobody", "../CLAUDE.md"):
        with pytest.raises(Exception, match=r"no plain file|nobody is called|nothing is called"):
            new(bench, "promote", to=place)
    with pytest.raises(NotPossible):
        new(bench, "promote")


@pytest.mark.parametrize("verb", ["promote", "restore"])
def test_what_was_taken_out_comes_back_at_another_place(tmp_path: Path, verb: str) -> None:
    bench = written(tmp_path)
    gone = [item for item in inbox(bench) if item.title == "Never push to main."]

    decide(bench, verb, gone, to=".claude/rules/git.md")

    rules = tmp_path / "shop" / ".claude" / "rules" / "git.md"
    assert rules.read_text() == "- Never push to main.\n"
    assert told(bench) == [("new", NOTE)]
    bench.undo()
    assert not rules.exists()
    assert len(told(bench)) == 2
    bench.close()
    assert len(told(at(tmp_path))) == 2


def test_it_is_archived_and_restored(tmp_path: Path) -> None:
    bench = written(tmp_path)

    new(bench, "archive")

    assert told(bench) == [("removed", "Never push to main.")]
    bench.undo()
    assert len(told(bench)) == 2


def test_a_card_tells_what_says_the_same_and_what_says_otherwise(tmp_path: Path) -> None:
    file = looked(tmp_path, "# Rules\n\n- Always push to main.\n- Use tabs in Makefiles.\n")
    (file.parent / "AGENTS.md").write_text("- Never push to main.\n- Use tabs in Makefiles.\n")
    bench = at(tmp_path)

    found = {item.title: item for item in inbox(bench)}

    assert any("possible conflict with" in fact for fact in found["Never push to main."].evidence)
    assert found["Never push to main."].suggested == ""
    assert any("duplicate of" in fact for fact in found["Use tabs in Makefiles."].evidence)
    assert found["Use tabs in Makefiles."].suggested == "approve"


def test_what_an_agent_writes_through_remem_names_its_door(tmp_path: Path) -> None:
    file = looked(tmp_path)
    agent = Session.open(file.parent, Places.of(tmp_path / "home"), door="mcp", actor="agent")
    agent.begin()
    text: Json = {"text": NOTE, "file": NAME}
    agent.apply(Intent("add", arguments={"kind": "lesson", "text": NOTE, "fields": text}))
    agent.close()

    (item,) = inbox(at(tmp_path))

    assert item.why.endswith("agent through remem (mcp)")


def test_a_rename_that_also_rewrites_what_is_nobodys_memory_is_done_and_nothing_of_it_waits(
    tmp_path: Path,
) -> None:
    files = {
        ".squad/agents/hill/history.md": "# Hill\n\n- Counts the boats.\n",
        ".squad/agents/hill/charter.md": "# Hill — Core\n",
        ".squad/team.md": "## Members\n\n| Name | Role |\n|--|--|\n| Hill | Core |\n",
        "docs/team.md": "Hill builds, and whoever asks Hill is told so by Hill.\n",
    }
    for name, text in files.items():
        path = tmp_path / "shop" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    bench = at(tmp_path)
    before = {path: path.read_bytes() for path in (tmp_path / "shop").rglob("*.md")}

    bench.apply(
        Intent(
            "persona.rename",
            arguments={"persona": "Hill", "to": "Al", "files": ["docs/team.md"]},
        )
    )

    assert (tmp_path / "shop" / "docs" / "team.md").read_text() == (
        "Al builds, and whoever asks Al is told so by Al.\n"
    )
    assert told(bench) == []
    bench.undo()
    assert {path: path.read_bytes() for path in before} == before
    assert told(bench) == []


def test_what_waits_of_a_memory_waits_on_when_its_persona_is_renamed(tmp_path: Path) -> None:
    shop = tmp_path / "shop"
    memory = shop / ".squad/agents/hill/history.md"
    memory.parent.mkdir(parents=True)
    memory.write_text("# Hill\n\n- Counts the boats.\n- Rings the bell.\n- Lights the lamp.\n")
    (shop / ".squad/team.md").write_text(
        "## Members\n\n| Name | Role |\n|--|--|\n| Hill | Core |\n"
    )
    at(tmp_path).close()
    memory.write_text("# Hill\n\n- Counts the boats.\n- Keep ledgers in ink, signed twice.\n")
    bench = at(tmp_path)
    waits = [
        ("new", "Keep ledgers in ink, signed twice."),
        ("removed", "Lights the lamp."),
        ("removed", "Rings the bell."),
    ]
    before = {(item.title, item.group) for item in inbox(bench)}
    assert sorted(told(bench)) == waits

    bench.apply(Intent("persona.rename", arguments={"persona": "Hill", "to": "Al"}))

    assert sorted(told(bench)) == waits
    assert {title for title, _ in before} == {item.title for item in inbox(bench)}
    bench.close()
    again = at(tmp_path)
    assert sorted(told(again)) == waits
    decide(again, "restore", [item for item in inbox(again) if item.title == "Rings the bell."])
    assert "- Rings the bell.\n" in (shop / ".squad/agents/al/history.md").read_text()
    again.undo()
    again.undo()
    assert sorted(told(again)) == waits
    again.apply(Intent("persona.rename", arguments={"persona": "Hill", "to": "Al"}))
    again.apply(Intent("persona.rename", arguments={"persona": "Al", "to": "Hill"}))
    assert sorted(told(again)) == waits
