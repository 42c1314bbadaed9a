from pathlib import Path

import pytest
from tests.reflecting import LESSONS, MEMORY, NIGHT, Desk, above, desk
from tests.systems.personas.test_persona_lifecycle import House

from remem.base.errors import ChangedOnDisk, NotPossible, UnknownRef
from remem.core.agent.untrusted_text import BadAnswer
from remem.core.checks.issues import issues
from remem.core.settings import load_config
from remem.model.change import Json
from remem.systems.personas.compacting.compact_answer import Target, read_condensed
from remem.systems.personas.compacting.compact_memory import (
    compactable,
    offered,
    propose,
    target_for,
)
from remem.systems.personas.compacting.compacted_file import region_of
from remem.systems.personas.persona_verbs import PERSONA_COMPACT
from remem.systems.personas.source import PersonaSource

GOOD = ("Update barrel files with every module", "Prefer contract tests for the billing client")


def source_of(found: Desk) -> PersonaSource:
    return compactable(found.bench.library, "Rosa").source


def test_should_compact_when_over_threshold(tmp_path: Path) -> None:
    long = "".join(f"- Lesson {number} about the importer\n" for number in range(160))
    answer = "".join(f"- Lesson {number} about the importer\n" for number in range(25))

    with desk(tmp_path, long) as found:
        target = target_for(source_of(found), above(150))
        lines = read_condensed(answer, target).lines
        found.bench.apply(found.compact(*lines))

        after = found.memory.read_text().splitlines()
        assert target == Target(50)
        assert len(after) == 25 <= target.lines


def test_the_old_text_stands_in_the_archive_and_undo_brings_it_back(tmp_path: Path) -> None:
    with desk(tmp_path) as found:
        committed = found.bench.apply(found.compact(*GOOD))

        assert found.memory.read_text() == f"- {GOOD[0]}\n- {GOOD[1]}\n\n"
        assert found.archive.read_text() == (f"## 2026-05-04 · compacted from main.md\n\n{MEMORY}")
        assert committed.change.receipt == (
            "units 6 = 1 kept + 1 in 1 line + 4 only in archive.md · lines 18 → 3 · 0 lost"
        )
        found.bench.undo()
        assert found.memory.read_bytes() == MEMORY.encode()
        assert not found.archive.exists()


def test_the_archive_is_written_before_the_memory(tmp_path: Path) -> None:
    with desk(tmp_path) as found:
        change = found.bench.plan(found.compact(*GOOD))

        paths = [each.path for each in change.effects]  # type: ignore[union-attr]
        assert paths == [found.archive, found.memory]


def test_an_invented_line_is_left_out_unless_it_is_accepted(tmp_path: Path) -> None:
    invented = "Kubernetes pods need liveness probes"

    with desk(tmp_path) as found:
        change = found.bench.plan(found.compact(*GOOD, invented))
        asked = found.bench.plan(found.compact(*GOOD, invented, accept=[0, 1, 2]))

        assert change.notes == ("1 line not found in the memory and left out",)
        assert asked.notes == (f"`{invented}` replaces no old line",)


def test_a_line_that_is_not_accepted_leaves_its_old_lines_as_they_are(tmp_path: Path) -> None:
    with desk(tmp_path) as found:
        change = found.bench.apply(found.compact(*GOOD, accept=[1])).change

        assert found.memory.read_text() == f"- {LESSONS[1]}\n- {LESSONS[2]}\n\n"
        assert change.notes == ("1 line not accepted; the old lines stay",)
        assert change.receipt.startswith("units 6 = 2 kept + 4 only in archive.md")


def test_a_line_in_doubt_leaves_its_old_line_as_it_is(tmp_path: Path) -> None:
    with desk(tmp_path) as found:
        found.bench.apply(found.compact("The importer reads 500 rows at once", GOOD[0]))

        assert found.memory.read_text() == f"- {GOOD[0]}\n- {LESSONS[3]}\n\n"


def test_a_dropped_line_can_be_kept(tmp_path: Path) -> None:
    with desk(tmp_path) as found:
        proposed = propose(region_of(source_of(found)), GOOD)
        found.bench.apply(found.compact(*GOOD, keep=[5]))

        assert proposed.dropped == (0, 3, 4, 5)
        assert found.memory.read_text().endswith(f"- {LESSONS[5]}\n\n")


@pytest.mark.parametrize("numbers", [[], [7], [-1]])
def test_without_an_accepted_line_nothing_happens(tmp_path: Path, numbers: list[int]) -> None:
    with (
        desk(tmp_path) as found,
        pytest.raises(NotPossible, match="no line of the answer was accepted") as refused,
    ):
        found.bench.plan(found.compact(*GOOD, accept=numbers))
    assert "`--anew` asks the agent again" in refused.value.hint


def test_lines_that_came_since_it_was_looked_at_stay(tmp_path: Path) -> None:
    with desk(tmp_path) as found:
        base = compactable(found.bench.library, "Rosa").base
        with found.memory.open("a") as file:
            file.write("## 2026-05-04\n- Came meanwhile\n")
        found.bench.refresh()

        change = found.bench.apply(found.compact(*GOOD, base=base)).change

        assert found.memory.read_text() == (
            f"- {GOOD[0]}\n- {GOOD[1]}\n\n## 2026-05-04\n- Came meanwhile\n"
        )
        assert change.notes == ("2 lines added since stay as they are",)
        found.bench.undo()
        assert found.memory.read_text() == f"{MEMORY}## 2026-05-04\n- Came meanwhile\n"


def test_a_memory_that_was_edited_since_is_left_alone(tmp_path: Path) -> None:
    with desk(tmp_path) as found:
        base = compactable(found.bench.library, "Rosa").base
        found.memory.write_text(MEMORY.replace("flaky", "slow"))

        with pytest.raises(ChangedOnDisk, match="changed in the part to compact"):
            found.bench.apply(found.compact(*GOOD, base=base))
        assert found.memory.read_text() == MEMORY.replace("flaky", "slow")
        assert not found.archive.exists()


def test_every_entry_says_what_became_of_it(tmp_path: Path) -> None:
    with desk(tmp_path) as found:
        before = {entry.ref for entry in source_of(found).entries}

        change = found.bench.apply(found.compact(*GOOD)).change

        assert before <= set(change.touched)
        known = [ref for ref in change.touched.values() if ref is not None]
        assert all(found.bench.library.has(ref) for ref in known)


def test_what_was_compacted_is_not_told_as_vanished(tmp_path: Path) -> None:
    with desk(tmp_path) as found:
        found.bench.apply(found.compact(*GOOD))

        found.bench.look()

        assert found.bench.library.aside.vanished == ()


@pytest.mark.parametrize(
    ("name", "first"),
    [
        pytest.param(".claude/agent-memory/Rosa/MEMORY.md", "# Memory\n\n", id="Claude"),
        pytest.param(".squad/agents/Rosa/history.md", "# Rosa\n\n## Learnings\n\n", id="Squad"),
        pytest.param(f"{NIGHT}/working.md", "", id="v2"),
    ],
)
def test_every_layout_keeps_its_title_and_has_its_archive(
    tmp_path: Path, name: str, first: str
) -> None:
    old = f"{first}- {LESSONS[0]}\n- {LESSONS[2]}\n"
    with desk(tmp_path, old, name) as found:
        region = compactable(found.bench.library, "Rosa")
        found.bench.apply(found.compact(GOOD[0]))

        source = compactable(found.bench.library, "Rosa").source
        archive = source.path.parent / source.rules.unit_archive
        assert source.data.decode() == f"{first}- {GOOD[0]}\n"
        assert region.raw in archive.read_bytes()
        found.bench.undo()
        assert source.path.read_text() == old


def test_it_is_offered_strictly_above_150_lines(tmp_path: Path) -> None:
    with desk(tmp_path, "- a lesson\n" * 150) as found:
        exactly = source_of(found)
        assert offered(exactly, above(150)) == ""
        with pytest.raises(NotPossible, match=r"has 150 lines \(limit 150\)"):
            compactable(found.bench.library, "Rosa", above=above(150))
        assert offered(exactly, above(149)) == "150 lines (limit 149)"
        assert offered(exactly, above(150, tokens=10)).endswith("tokens (limit 10)")


def test_health_names_a_memory_over_the_threshold_with_the_verb_that_mends_it(
    tmp_path: Path,
) -> None:
    with desk(tmp_path, "".join(f"- lesson {n}\n" for n in range(151))) as found:
        long = list(issues(found.bench.library))

    with desk(tmp_path / "short", "- a lesson\n" * 150) as found:
        assert not [w for w in issues(found.bench.library) if w.verb == "persona.compact"]
    assert [(w.verb, w.arguments["persona"], w.problem.message) for w in long] == [
        ("persona.compact", "Rosa", "the memory of `Rosa` has 151 lines (limit 150)")
    ]


def test_the_settings_move_the_threshold_and_the_target(tmp_path: Path) -> None:
    config, problems = load_config({}, {"compaction": {"lines": 5, "target": 4, "colour": 1}})

    assert [problem.message for problem in problems] == ["`compaction.colour` is not a setting"]
    with desk(tmp_path) as found:
        assert offered(source_of(found), config.compaction) == "18 lines (limit 5)"
        assert target_for(source_of(found), config.compaction).bullets == 4


def test_a_root_cannot_have_memory_compacted_unasked() -> None:
    config, problems = load_config({}, {"agent": {"compacts": True}})

    assert not config.agent.compacts
    assert [problem.field for problem in problems] == ["agent"]


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        pytest.param("Nothing to say.", "no line that begins with `- `", id="no bullets"),
        pytest.param("- x\n" + "".join(f"- {n}\n" for n in range(400)), r"401 bullets \(limit 25\)",
                     id="400 bullets"),
        pytest.param(f"- {'word ' * 400}", "1,999 characters; a bullet is one", id="a page"),
    ],
)  # fmt: skip
def test_an_answer_of_another_shape_is_none(answer: str, why: str) -> None:
    with pytest.raises(BadAnswer, match=why):
        read_condensed(answer, Target(50))


def test_markdown_around_the_answer_is_left_out_and_named() -> None:
    found = read_condensed("Here:\n```\n# Memory\n- one\n- two\n```\n", Target(50))

    assert found.lines == ("one", "two")
    assert found.notes == ("dropped from the answer: 1 line outside the bullets, `Here:`",)


def test_nobody_and_nothing_to_compact_say_so(tmp_path: Path) -> None:
    with desk(tmp_path) as found:
        library = found.bench.library
        with pytest.raises(UnknownRef, match="no persona is called `Ada`"):
            compactable(library, "Ada")
        with pytest.raises(NotPossible, match="no new lines"):
            found.bench.plan(found.compact())
        with pytest.raises(NotPossible, match="no layout is called `moon`"):
            compactable(library, "Rosa", "moon")


TOPICS = ".claude/agent-memory/vega"
LONG = "".join(f"- Lesson {number} about the importer\n" for number in range(160))


def test_a_file_on_one_topic_is_compacted_as_a_memory_is(tmp_path: Path) -> None:
    house = House(tmp_path, root={f"{TOPICS}/MEMORY.md": "- a\n", f"{TOPICS}/deep/import.md": LONG})
    file = house.root / TOPICS / "deep" / "import.md"
    (issue,) = (each for each in issues(house.bench.library) if each.verb == PERSONA_COMPACT.id)
    region = compactable(
        house.bench.library, "vega", above=above(150), topic=str(issue.arguments["topic"])
    )
    lines: list[Json] = [f"Lesson {number} about the importer" for number in range(20)]

    change = house.does(PERSONA_COMPACT.id, **issue.arguments, base=region.base, lines=lines)

    assert issue.problem.message == "`deep/import.md` of `vega` has 160 lines (limit 150)"
    assert change.title == "Compact vega's deep/import.md"
    assert file.read_text().count("- Lesson") == 20
    assert LONG in file.with_name("archive.md").read_text()
    house.bench.undo()
    assert file.read_text() == LONG
    assert not file.with_name("archive.md").exists()


def test_a_topic_that_is_not_there_names_those_that_are(tmp_path: Path) -> None:
    house = House(tmp_path, root={f"{TOPICS}/MEMORY.md": "- a\n", f"{TOPICS}/tides.md": LONG})

    with pytest.raises(NotPossible, match="no topic file `ebb`") as told:
        compactable(house.bench.library, "vega", topic="ebb")

    assert told.value.hint == "its topic files: `tides.md`"
