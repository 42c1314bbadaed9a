"""What is most worth a look, and in which order."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.code_files import commit, git

from remem.code.file_history import removed
from remem.core.checks.attention import BASE, MOST, Finding, Findings, Kind, findings
from remem.core.checks.broken_references import gone_issues
from remem.core.checks.issues import issues
from remem.core.prompt.counter import Estimate
from remem.core.session import Session
from remem.core.settings import Places
from remem.model.entry import Problem
from remem.model.trend import Grown, Growth

RULE = "Count every lamp on the quay before the first ferry leaves the harbour"


def found_at(root: Path, window: int = 200_000, growth: Growth | None = None) -> Findings:
    bench = Session.open(root, Places.of(root.parent / "home"), door="cli")
    library = bench.library
    found = findings(library, bench.agents(), Estimate(), window, issues(library), growth)
    bench.close()
    return found


def kinds(found: Findings) -> list[Kind]:
    return [each.kind for each in found.first]


def test_a_healthy_root_has_no_findings(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / ".claude").mkdir(parents=True)
    (root / "CLAUDE.md").write_text(f"# Rules\n\n- {RULE}\n")

    assert found_at(root) == Findings((), 0)


def test_hidden_characters_come_before_what_is_only_cut_off(tmp_path: Path) -> None:
    root = tmp_path / "root"
    memory = root / ".claude" / "agent-memory" / "captain" / "MEMORY.md"
    memory.parent.mkdir(parents=True)
    memory.write_text("".join(f"- {RULE} {number}\n" for number in range(400)))
    agent = root / ".claude" / "agents" / "captain.md"
    agent.parent.mkdir()
    agent.write_text("---\nname: captain\ndescription: d\nmemory: project\n---\nYou steer.\n")
    (root / "CLAUDE.md").write_text("- Ring\u200b twice\n")

    found = found_at(root)

    assert kinds(found)[:2] == [Kind.HIDDEN, Kind.CUT]
    cut = found.first[1]
    assert cut.agent is not None
    assert cut.agent.name == "captain"
    assert cut.tokens == sum(file.total - file.tokens for file in cut.agent.files)


def test_memory_without_a_definition_belongs_to_no_agent(tmp_path: Path) -> None:
    memory = tmp_path / "root" / ".claude" / "agent-memory" / "ghost" / "MEMORY.md"
    memory.parent.mkdir(parents=True)
    memory.write_text(f"- {RULE}\n")

    found = found_at(tmp_path / "root")

    assert Kind.NOBODY in kinds(found)
    assert any(each.path == memory for each in found.first)


def test_what_waits_or_was_archived_is_not_called_nobodys(tmp_path: Path) -> None:
    squad = tmp_path / "root" / ".squad"
    (squad / "agents" / "hill").mkdir(parents=True)
    (squad / "decisions" / "inbox").mkdir(parents=True)
    (squad / "agents" / "hill" / "history.md").write_text(f"# Hill\n\n- {RULE}\n")
    (squad / "agents" / "hill" / "history-archive.md").write_text("# Old\n\n- Ring twice\n")
    (squad / "decisions" / "inbox" / "hill-lamps.md").write_text("# Lamps\n\nNew ones\n")

    assert Kind.NOBODY not in kinds(found_at(tmp_path / "root"))


def test_what_a_repositorys_agent_loads_is_not_called_nobodys_in_its_workspace(
    tmp_path: Path,
) -> None:
    root = tmp_path / "root"
    squad = root / "repositories" / "boards" / ".squad" / "agents" / "hill"
    squad.mkdir(parents=True)
    (root / "workspace.yaml").write_text("name: acme\n")
    (squad / "charter.md").write_text("# Hill\n")
    (squad / "history.md").write_text(f"# Hill\n\n- {RULE}\n")

    assert Kind.NOBODY not in kinds(found_at(root / "repositories" / "boards"))
    assert Kind.NOBODY not in kinds(found_at(root))


def test_a_start_that_fills_its_share_of_the_window_is_named(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "CLAUDE.md").write_text(f"- {RULE}\n" * 4)

    assert Kind.WINDOW in kinds(found_at(root, window=500))
    assert Kind.WINDOW not in kinds(found_at(root, window=200_000))


def test_a_file_that_cannot_be_read_is_named_once(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / ".sniper" / "memory").mkdir(parents=True)
    (root / "CLAUDE.md").write_bytes(b"- Ring twice, at Ren\xe9's\n")
    (root / ".sniper" / "memory" / "conventions.yaml").write_text("conventions: [\n")

    told = [each.problem.message for each in found_at(root).first if each.kind is Kind.BROKEN]

    assert sorted(message.count("CLAUDE.md") for message in told) == [0, 1]
    assert [message.count("conventions") > 0 for message in sorted(told)] == [False, True]


def test_a_file_that_git_took_away_is_named_and_one_it_never_had_is_not(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "src").mkdir(parents=True)
    (root / "src" / "lamps.py").write_text("lamps = 3\n")
    (root / "CLAUDE.md").write_text(
        "- Lamps are counted in `src/lamps.py:1`.\n- Write tests like `src/example.py`.\n"
    )
    git(root, "init", "-q", "-b", "main")
    commit(root, "first")
    assert Kind.GONE not in kinds(found_at(root))

    (root / "src" / "lamps.py").unlink()
    commit(root, "second")

    gone = [each for each in found_at(root).first if each.kind is Kind.GONE]
    assert [each.problem.message for each in gone] == [
        "broken reference in `CLAUDE.md`: `src/lamps.py` no longer exists"
    ]
    assert gone[0].ref is not None


@pytest.mark.parametrize(
    "line",
    [
        "- Deleted `src/lamps.py`.",
        "- **Removed:** [the lamps](src/lamps.py)",
        "- Does `src/quay.py` exist? (fall back to `src/lamps.py` in old checkouts)",
        "- Does `src/lamps.py` exist?",
        "- Read `src/lamps.py` if it exists.",
        "| `src/lamps.py` | **Deleted** | Ada |",
        "- `src/lamps.py` (removed), `src/quay.py` (lamps go there)",
        "- `src/lamps.py` renamed to `lights.py`",
    ],
)
def test_a_line_that_says_itself_that_a_file_is_gone_is_no_broken_reference(
    tmp_path: Path, line: str
) -> None:
    assert gone_after_removal(tmp_path, line) == []


@pytest.mark.parametrize(
    "line",
    [
        "| `src/lamps.py` | Removed the switch; Load always visible |",
        "- `src/lamps.py` removed its switch",
        "- Exists: `src/lamps.py`",
        "- Removed the switch from `src/lamps.py`",
    ],
)
def test_a_line_that_says_what_was_done_in_a_file_that_is_gone_is_one(
    tmp_path: Path, line: str
) -> None:
    assert gone_after_removal(tmp_path, line) == [
        "broken reference in `CLAUDE.md`: `src/lamps.py` no longer exists"
    ]


def gone_after_removal(tmp_path: Path, line: str) -> list[str]:
    root = tmp_path / "root"
    (root / "src").mkdir(parents=True)
    (root / "src" / "lamps.py").write_text("lamps = 3\n")
    (root / "CLAUDE.md").write_text(f"{line}\n")
    git(root, "init", "-q", "-b", "main")
    commit(root, "first")
    (root / "src" / "lamps.py").unlink()
    commit(root, "second")
    bench = Session.open(root, Places.of(tmp_path / "home"), door="cli")
    messages = [issue.problem.message for issue in gone_issues(bench.library)]
    bench.close()
    return messages


def test_a_rule_that_is_told_twice_carries_the_verb_that_keeps_one(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / ".claude" / "rules").mkdir(parents=True)
    (root / "CLAUDE.md").write_text(f"- {RULE}\n")
    (root / ".claude" / "rules" / "quay.md").write_text(f"- {RULE}\n")

    twice = [each for each in found_at(root).first if each.kind is Kind.TWICE]

    assert len(twice) == 1
    assert twice[0].issue is not None
    assert twice[0].issue.verb
    assert twice[0].tokens > 0


def test_what_grew_most_is_named_once_the_whole_history_was_looked_at(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "CLAUDE.md").write_text(f"- {RULE}\n")
    files = (Grown("CLAUDE.md", 900), Grown("AGENTS.md", 300))
    whole = Growth((), date(2026, 4, 4), files, done=3, planned=3)
    part = Growth((), date(2026, 4, 4), files, done=2, planned=3)

    assert kinds(found_at(root, growth=whole)) == [Kind.GREW]
    assert kinds(found_at(root, growth=part)) == []


@pytest.mark.parametrize("kind", list(Kind))
def test_the_worth_is_explained_by_its_own_numbers(kind: Kind) -> None:
    finding = Finding(kind, Problem("x", "it is so"), tokens=1_250, place=2)

    points, why = BASE[kind]

    assert finding.worth == (points + 12) / 2
    assert str(points) in finding.because
    assert why in finding.because
    assert "divided by 2" in finding.because


@settings(max_examples=60)
@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_size_never_outweighs_the_step_from_harm_to_cost(small: int, big: int) -> None:
    harm = Finding(Kind.HIDDEN, Problem("x", "hidden"), tokens=small)
    paid = Finding(Kind.TWICE, Problem("x", "twice"), tokens=big)

    assert harm.worth > paid.worth


def test_one_kind_does_not_hide_all_others(tmp_path: Path) -> None:
    root = tmp_path / "root"
    rules = root / ".claude" / "rules"
    rules.mkdir(parents=True)
    for number in range(9):
        (rules / f"rule-{number}.md").write_text(f"- Ring\u200b {number} times\n")
    (root / "CLAUDE.md").write_text(f"- {RULE}\n" * 8)

    found = found_at(root, window=500)

    assert len(found.first) == MOST
    assert Kind.WINDOW in kinds(found)
    assert found.more >= 5
    assert [each.worth for each in found.first] == sorted(
        (each.worth for each in found.first), reverse=True
    )


def test_looking_twice_gives_the_same_order(tmp_path: Path) -> None:
    root = tmp_path / "root"
    rules = root / ".claude" / "rules"
    rules.mkdir(parents=True)
    for number in range(4):
        (rules / f"rule-{number}.md").write_text("- Ring\u200b twice\n")

    first, again = found_at(root), found_at(root)

    assert [each.path for each in first.first] == [each.path for each in again.first]


def test_files_taken_away_are_found_however_many_paths_a_memory_names(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "src").mkdir(parents=True)
    (root / "src" / "zz_lamps.py").write_text("lamps = 3\n")
    names = "".join(f"- See `src/made_up_{number}.py`.\n" for number in range(390))
    (root / "AGENTS.md").write_text(names.replace("made", "also"))
    (root / "CLAUDE.md").write_text(names + "- Lamps are counted in `src/zz_lamps.py`.\n")
    git(root, "init", "-q", "-b", "main")
    commit(root, "first")
    (root / "src" / "zz_lamps.py").unlink()
    commit(root, "second")

    messages = [each.problem.message for each in found_at(root).first if each.kind is Kind.GONE]

    assert messages == ["broken reference in `CLAUDE.md`: `src/zz_lamps.py` no longer exists"]


def test_what_could_not_be_looked_up_is_said_and_is_not_called_none(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "CLAUDE.md").write_text("- Lamps are counted in `src/lamps.py`.\n")
    git(root, "init", "-q", "-b", "main")
    tip = commit(root, "first")

    (root / ".git" / "objects" / tip[:2] / tip[2:]).unlink()

    assert told_at(root) == ["did not check 1 cited path in the git history: git failed"]


def test_a_shallow_clone_says_that_it_has_not_the_whole_history(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "src").mkdir(parents=True)
    (root / "src" / "lamps.py").write_text("lamps = 3\n")
    (root / "CLAUDE.md").write_text("- Lamps are counted in `src/lamps.py`.\n")
    git(root, "init", "-q", "-b", "main")
    commit(root, "first")
    (root / "src" / "lamps.py").unlink()
    commit(root, "second")
    clone = tmp_path / "clone"
    git(root, "clone", "-q", "--depth=1", root.as_uri(), str(clone))

    assert told_at(root) == ["broken reference in `CLAUDE.md`: `src/lamps.py` no longer exists"]
    assert told_at(clone) == [
        "did not check 1 cited path in the git history:"
        " this clone is shallow, and has only the last commits"
    ]


def test_a_walk_through_history_that_was_stopped_says_so(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / "CLAUDE.md").write_text("- Lamps.\n")
    commit(tmp_path, "first")

    stopped = removed(tmp_path, "state", seconds=0.0)

    assert stopped.why_partial == "git could not read the history within 0 seconds"


def told_at(root: Path) -> list[str]:
    bench = Session.open(root, Places.of(root.parent / "home"), door="cli")
    found = [issue.problem.message for issue in gone_issues(bench.library)]
    bench.close()
    return found
