from pathlib import Path

from tests.persona_files import AGENTS, CARLOS, Shelf, add_database, open_shelf, shelf_at

from remem.model.prompt import Ask, Offer, Reason
from remem.systems.personas.format import Personas
from remem.systems.personas.layer import loaded_text, loading_order

V1 = "- head\n\n## 2026-05-04\n- old\n\n## 2026-05-06\n- new\n- newer\n\n## 2026-05-06\n- last\n"


def offers(shelf: Shelf, persona: str, layout: str = "") -> tuple[Offer, ...]:
    ask = Ask(persona=persona, layout=layout)
    return Personas().offers(shelf.ground, shelf.sources, ask)


def by_priority(offer: Offer) -> list[str]:
    return [piece.text for piece in sorted(offer.pieces, key=lambda piece: piece.rank)]


def test_the_head_goes_in_first_then_sections_newest_to_oldest(tmp_path: Path) -> None:
    shelf = shelf_at(tmp_path, home={f"{CARLOS}/main.md": V1})

    (offer,) = offers(shelf, "carlos")

    assert [p.text for p in offer.pieces] == ["- head", "- old", "- new", "- newer", "- last"]
    assert by_priority(offer) == ["- head", "- last", "- new", "- newer", "- old"]
    assert (offer.layer, offer.cap) == ("persona memory", 2_000)


def test_headings_are_sections_below_the_one_of_memory(tmp_path: Path) -> None:
    shelf = shelf_at(tmp_path, home={f"{CARLOS}/main.md": V1})

    (offer,) = offers(shelf, "Carlos")

    section = offer.sections[offer.pieces[1].section]
    assert (section.heading, section.gap) == ("## 2026-05-04", 0)
    assert section.parent is not None
    assert offer.sections[section.parent].heading == "## Memory"
    assert offer.sections[offer.pieces[0].section].heading == "## Memory"


def test_core_and_working_memory_have_budgets_of_their_own(tmp_path: Path) -> None:
    shelf = shelf_at(
        tmp_path,
        home={
            f"{CARLOS}/core.md": "- [PATTERN] a\n- [DECISION] b\n",
            f"{CARLOS}/working.md": "## 2026-05-04 [TODO]\n- [TODO] c\n",
        },
    )

    found = offers(shelf, "Carlos")

    assert [(offer.layer, offer.cap) for offer in found] == [
        ("core lessons", 1_000),
        ("working memory", 2_000),
    ]
    assert found[0].sections["memory"].heading == "## Core Lessons"
    assert found[1].sections["memory"].heading == "## Working Memory"


def test_an_undated_section_is_no_older_than_what_stands_above_it(tmp_path: Path) -> None:
    text = (
        "## Core\n- head\n## Learnings\n### 2026-03-05 — A\n- a\n### 2026-03-01 — B\n- b\n"
        "### Undated\n- u\n"
    )
    shelf = shelf_at(tmp_path, root={".squad/agents/hill/history.md": text})

    (offer,) = offers(shelf, "hill")

    assert by_priority(offer) == ["- head", "- u", "- a", "- b"]


def test_another_project_another_place_and_archives_are_out_with_a_reason(tmp_path: Path) -> None:
    shelf = shelf_at(
        tmp_path,
        home={
            f"{CARLOS}/main.md": "- here\n",
            f"{AGENTS}/Carlos/memories/other/main.md": "- there\n",
            f"{AGENTS}/.archived/Carlos-20260101T000000Z/memories/acme/main.md": "- gone\n",
        },
        root={".squad/agents/carlos/history.md": "- squad\n"},
    )

    (offer,) = offers(shelf, "Carlos")

    assert [piece.text for piece in offer.pieces] == ["- here"]
    assert sorted(str(verdict.reason) for verdict in offer.verdicts) == [
        Reason.NOT_LOADED,
        Reason.SCOPE,
        Reason.STATUS,
    ]


def test_nobody_asked_for_and_nothing_remembered_add_nothing(tmp_path: Path) -> None:
    shelf = shelf_at(tmp_path, home={f"{CARLOS}/main.md": ""})

    assert offers(shelf, "") == ()
    assert all(not offer.pieces and not offer.empty for offer in offers(shelf, "Carlos"))
    assert Personas().frame(shelf.ground, shelf.sources, Ask()) is None


def test_an_agent_loads_its_definition_and_the_memory_of_its_scope(tmp_path: Path) -> None:
    shelf = shelf_at(
        tmp_path,
        root={
            ".claude/agents/rev.md": "---\nname: rev\ndescription: d\n"
            "memory: user\n---\n\nYou review.\n",
            ".claude/agent-memory/rev/MEMORY.md": "- project\n",
        },
        home={
            ".claude/agent-memory/rev/MEMORY.md": "- user\n",
            ".claude/agent-memory/rev/topic.md": "- topic\n",
        },
    )

    order = loading_order(shelf.sources, "rev")

    assert [(source.layout, source.part) for source in order] == [
        ("claude-project", "definition"),
        ("claude-user", "main"),
    ]
    assert loaded_text(order[0]) == b"You review.\n"
    assert loading_order(shelf.sources, "rev", "claude-project") == order[:1]


def test_topic_files_are_the_agents_own_to_open(tmp_path: Path) -> None:
    shelf = shelf_at(
        tmp_path,
        root={
            ".claude/agents/rev.md": "---\nname: rev\ndescription: d\nmemory: project\n---\n",
            ".claude/agent-memory/rev/MEMORY.md": "- main\n",
            ".claude/agent-memory/rev/deep/topic.md": "- topic\n",
        },
    )

    (offer,) = offers(shelf, "rev")

    assert [verdict.reason for verdict in offer.verdicts] == [Reason.NOT_LOADED]


def test_squad_loads_charter_then_the_teams_decisions_then_history(tmp_path: Path) -> None:
    shelf = shelf_at(
        tmp_path,
        root={
            ".squad/agents/hill/charter.md": "# Hill — Backend\n",
            ".squad/agents/hill/history.md": "- a\n",
            ".squad/agents/fury/history.md": "- b\n",
            ".squad/decisions.md": "### 2026-05-04: Ship\n",
            ".squad/decisions-archive.md": "### 2025-05-04: Old\n",
        },
    )

    order = loading_order(shelf.sources, "Hill")

    assert [source.name for source in order] == [
        "hill/charter.md",
        "decisions.md",
        "hill/history.md",
    ]
    assert [offer.layer for offer in offers(shelf, "hill")] == ["team decisions", "persona memory"]
    frame = Personas().frame(shelf.ground, shelf.sources, Ask(persona="hill"))
    assert frame is not None
    assert [segment.text for segment in frame.segments] == ["# Hill — Backend"]


def test_night_watch_loads_profile_then_memory_of_this_project(tmp_path: Path) -> None:
    shelf = shelf_at(
        tmp_path,
        home={
            f"{CARLOS}/main.md": "- a\n",
            f"{AGENTS}/Carlos/memories/other/main.md": "- b\n",
            f"{AGENTS}/Carlos/persona.yaml": "name: Carlos\nrole: Tester\n",
        },
    )

    order = loading_order(shelf.sources, "Carlos", "night-watch", "acme")

    assert [source.name for source in order] == ["Carlos/persona.yaml", "Carlos/acme"]


def test_a_persona_of_the_database_alone_has_a_frame(tmp_path: Path) -> None:
    shelf = shelf_at(tmp_path)
    add_database(shelf.ground.home, {"id": "1", "name": "Maya", "role": "Reviewer"})
    shelf = open_shelf(shelf.ground)

    frame = Personas().frame(shelf.ground, shelf.sources, Ask(persona="maya"))

    assert frame is not None
    assert [segment.text for segment in frame.segments] == ["# Maya — Reviewer"]


def test_the_definitions_of_a_root_name_its_roles(tmp_path: Path) -> None:
    shelf = shelf_at(
        tmp_path,
        root={".claude/agents/a.md": "---\nname: backend-dev\ndescription: d\n---\n"},
        home={".claude/agents/b.md": "---\nname: mine\ndescription: d\n---\n"},
    )

    assert Personas().role_names(shelf.ground, shelf.sources) == ("backend-dev",)
