"""Two states of one root: what came, went, moved, was reworded, and what starts do."""

from __future__ import annotations

from pathlib import Path

from tests.sniper_files import ANTI_PATTERNS, CONVENTIONS, DECISIONS, project, write

from remem.core.history.memory_diff import Compared, EntryChange, compared, entry_changes
from remem.core.library import Library
from remem.core.prompt.counter import Estimate

HILL = ".squad/agents/hill/history.md"
PETREL = ".squad/agents/petrel/history.md"
ROWS = "".join(
    f'  - {{id: conv-{n:03}, rule: "Rule number {n} says something of its own {"x" * 40}"}}\n'
    for n in range(1, 9)
)


def conventions(*rules: str) -> str:
    rows = "".join(
        f'  - {{id: conv-{n:03}, rule: "{rule}", applies_to: [backend-engineer]}}\n'
        for n, rule in enumerate(rules, 1)
    )
    return f"conventions:\n{rows}"


def both(folder: Path, before: dict[str, str], after: dict[str, str]) -> tuple[Library, Library]:
    old = project(folder, dict(before))
    for name in before.keys() - after.keys():
        (folder / "shop" / name).unlink()
    write(folder / "shop", dict(after))
    return old, old.refresh()


def happened(changes: tuple[EntryChange, ...]) -> list[tuple[str, str]]:
    return [(each.happened, each.entry.title) for each in changes]


def test_entries_come_go_and_are_reworded(tmp_path: Path) -> None:
    old, new = both(
        tmp_path,
        {CONVENTIONS: conventions("Names are verbs", "Logs are one line", "Tests run alone")},
        {CONVENTIONS: conventions("Names are verbs", "Logs are one JSON line") + "#\n"},
    )

    found, files = entry_changes(old, new)

    assert happened(found) == [
        ("changed", "Logs are one JSON line"),
        ("removed", "Tests run alone"),
    ]
    assert [path.name for path in files] == ["conventions.yaml"]


def test_a_lesson_whose_words_make_its_name_is_one_that_changed(tmp_path: Path) -> None:
    old, new = both(
        tmp_path,
        {HILL: "# Hill\n\n- Boards are loud at noon\n- Ask first\n"},
        {HILL: "# Hill\n\n- Boards are very loud at noon\n- Ask first\n- Tests before code\n"},
    )

    found, _ = entry_changes(old, new)

    assert happened(found) == [
        ("changed", "Boards are very loud at noon"),
        ("added", "Tests before code"),
    ]
    assert found[0].before is not None
    assert found[0].before.ref != found[0].entry.ref


def test_what_another_persona_has_now_moved(tmp_path: Path) -> None:
    old, new = both(
        tmp_path,
        {HILL: "# Hill\n\n- Boards are loud\n", PETREL: "# Petrel\n\n- Ask first\n"},
        {HILL: "# Hill\n", PETREL: "# Petrel\n\n- Ask first\n- Boards are loud\n"},
    )

    found, _ = entry_changes(old, new)

    assert happened(found) == [("moved", "Boards are loud")]
    assert found[0].was_at == tmp_path / "shop" / HILL


def test_the_same_files_are_no_change(tmp_path: Path) -> None:
    files = {CONVENTIONS: conventions("Names are verbs"), HILL: "- Ask first\n"}
    old, new = both(tmp_path, files, files)

    assert entry_changes(old, new) == ((), ())


def of(states: Compared, name: str) -> dict[str, list[str]]:
    agent = next(each for each in states.agents if each.name == name)
    found = agent.impact
    parts = {
        "in": found.added,
        "added to prompt": found.let_in,
        "pushed": found.pushed_out,
        "out": found.removed,
        "reworded": agent.reworded,
    }
    return {what: [ref.id for ref in refs] for what, refs in parts.items() if refs}


def test_a_rule_that_comes_can_push_another_out_of_a_budget(tmp_path: Path) -> None:
    config = {".sniper/config.yaml": "memory: {token_budget: 120}\n"}
    old, new = both(
        tmp_path,
        {CONVENTIONS: conventions("Names are verbs", "a" * 300), **config},
        {
            CONVENTIONS: conventions("Names are verbs", "a" * 300),
            ANTI_PATTERNS: "anti_patterns:\n  - {id: ap-001, severity: high, description: "
            f"{'b' * 200}, applies_to: [backend-engineer]}}\n",
            **config,
        },
    )

    states = compared(old, new, Estimate())

    assert of(states, "backend-engineer") == {"in": ["ap-001"], "pushed": ["conv-002"]}


def test_a_reworded_rule_is_neither_in_nor_out(tmp_path: Path) -> None:
    old, new = both(
        tmp_path,
        {CONVENTIONS: conventions("Names are verbs"), HILL: "- Boards are loud at noon\n"},
        {CONVENTIONS: conventions("Names are nouns"), HILL: "- Boards are loud at night\n"},
    )

    states = compared(old, new, Estimate())

    assert of(states, "backend-engineer") == {"reworded": ["conv-001"]}
    assert list(of(states, "hill")) == ["reworded"]


def test_a_rule_of_which_only_what_no_prompt_has_changed_is_not_reworded(tmp_path: Path) -> None:
    rules = conventions("Names are verbs", "Names are short")
    old, new = both(
        tmp_path,
        {CONVENTIONS: rules},
        {CONVENTIONS: rules.replace("id: conv-001", "scope: project, id: conv-001")},
    )
    found, _ = entry_changes(old, new)
    assert happened(found) == [("changed", "Names are verbs")]

    states = compared(old, new, Estimate())

    assert all(not agent.reworded for agent in states.agents)


def test_agents_that_come_and_go_are_told_whole(tmp_path: Path) -> None:
    old, new = both(
        tmp_path,
        {HILL: "- Boards are loud\n", DECISIONS: "decisions: []\n"},
        {PETREL: "- Ask first\n", DECISIONS: "decisions: []\n"},
    )

    states = compared(old, new, Estimate())

    squad = {a.name: (a.is_new, a.is_gone) for a in states.agents if a.tool == "Squad"}
    assert squad == {"petrel": (True, False), "hill": (False, True)}


def test_what_replaces_the_budget_may_differ_at_both_ends(tmp_path: Path) -> None:
    files = {CONVENTIONS: f"conventions:\n{ROWS}", HILL: "- x\n"}
    old, new = both(tmp_path, files, files)

    states = compared(old, new, Estimate(), (0, 60))

    roles = [agent for agent in states.agents if agent.tool == "role"]
    assert all(agent.impact.pushed_out for agent in roles)
