"""Memories of a real size: in parts, the old alone, gone on with, nothing paid for twice."""

from __future__ import annotations

import sys
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.reflecting import NIGHT, above, desk
from tests.systems.personas.test_persona_lifecycle import House

from remem.base.clock import Clock
from remem.base.errors import Already, NotPossible
from remem.core.agent.answers import Answers
from remem.core.agent.consult import Asker, Question, consult, how_many_are_kept
from remem.core.agent.runner import AgentFailed, Progress
from remem.core.agent.untrusted_text import BadAnswer
from remem.core.checks.issues import issues
from remem.core.settings import AgentCommand, Compaction
from remem.model.change import Intent, Json
from remem.store.io import Disk
from remem.systems.personas.compacting.compact_answer import Target, read_condensed
from remem.systems.personas.compacting.compact_memory import compactable, joined, questions_for
from remem.systems.personas.compacting.compacted_file import parts_of
from remem.systems.personas.lessons.reflection import whose


def _memory(lessons: int, a_day: int = 4) -> str:
    """Return dated sections in which no two lessons are alike."""
    first = date(2024, 1, 1)
    days = range(-(-lessons // a_day))
    return "".join(
        f"## {first + timedelta(days=day)}\n"
        + "".join(
            f"- The importer of lane {day * a_day + n} reads the ledger of harbour {day} at once\n"
            for n in range(min(a_day, lessons - day * a_day))
        )
        + "\n"
        for day in days
    )


@given(lessons=st.integers(1, 300), a_day=st.integers(1, 90), most=st.integers(200, 9_000))
def test_the_parts_put_together_are_the_whole(
    tmp_path_factory: pytest.TempPathFactory, lessons: int, a_day: int, most: int
) -> None:
    with desk(tmp_path_factory.mktemp("desk"), _memory(lessons, a_day)) as found:
        region = compactable(found.bench.library, "Rosa")

    parts = parts_of(region, most)

    assert b"".join(part.raw for part in parts) == region.raw
    assert [u for part in parts for u in part.units] == [*region.units]
    assert all(part.units[-1].end - part.start <= most or part.count == 1 for part in parts)


def test_two_thousand_lessons_are_asked_about_in_parts_with_a_budget_each(tmp_path: Path) -> None:
    with desk(tmp_path, _memory(2_000)) as found:
        region = compactable(found.bench.library, "Rosa")
        questions = questions_for(whose(found.bench.library, "Rosa"), region, Compaction())

        answers = []
        for question, part in zip(questions, parts_of(region), strict=True):
            assert len(question.prompt) < 36_000
            assert part.raw.decode().startswith("## ")  # cut between sections
            lines = [text for text in part.texts if "importer" in text]
            answers.append(
                question.read(
                    "".join(f"- {line}\n" for line in lines[: min(25, part.count * 120 // 2_000)])
                )
            )
            with pytest.raises(BadAnswer):
                question.read("".join(f"- line {n}\n" for n in range(26)))
        condensed = joined(answers)
        change = found.bench.apply(found.compact(*condensed.lines, base=region.base)).change

        assert len(questions) > 3
        assert "units 2,000 = " in change.receipt
        assert len(found.memory.read_text().splitlines()) < above(150).lines
        assert not [w for w in issues(found.bench.library) if w.verb == "persona.compact"]
        found.bench.undo()
        assert found.memory.read_text() == _memory(2_000)


def test_only_old_sections_are_taken_where_that_is_asked_for(tmp_path: Path) -> None:
    text = "- Ask first\n\n" + _memory(40)
    with desk(tmp_path, text) as found:
        region = compactable(found.bench.library, "Rosa", before="2024-01-06")

        found.bench.apply(found.compact("Lanes read ledgers at once", base=region.base))

        assert region.raw.decode() == _memory(20)
        now = found.memory.read_text()
        assert now.startswith("- Ask first\n\n")
        assert now.endswith(_memory(40).removeprefix(_memory(20)))
        with pytest.raises(Already, match="dated before 2020"):
            compactable(found.bench.library, "Rosa", before="2020-01-01")
        with pytest.raises(NotPossible, match="is not a date"):
            compactable(found.bench.library, "Rosa", before="spring")


def test_one_section_is_compacted_below_its_heading(tmp_path: Path) -> None:
    text = "# Notes\n\n## Ports\n\n- Ports are counted at noon\n- Ports count\n\n## Bells\n\n- b\n"
    house = House(tmp_path, root={".claude/agent-memory/vega/MEMORY.md": text})
    region = compactable(house.bench.library, "vega", below="Ports")

    house.does(
        "persona.compact", persona="vega", base=region.base, lines=["Ports are counted at noon"]
    )

    after = (house.root / ".claude/agent-memory/vega/MEMORY.md").read_text()
    assert after == text.replace("- Ports count\n", "")


def test_another_projects_memory_of_a_persona_is_due_and_compacted_by_its_place(
    tmp_path: Path,
) -> None:
    other = f"{NIGHT.rpartition('/')[0]}/quay/main.md"
    with desk(tmp_path) as found:
        path = tmp_path / "home" / other
        path.parent.mkdir(parents=True)
        path.write_text(_memory(160))
        found.bench.refresh()
        (due,) = (w for w in issues(found.bench.library) if w.verb == "persona.compact")
        region = compactable(found.bench.library, "Rosa", "night-watch/quay")

        lines: list[Json] = ["Lanes read ledgers at once"]
        arguments: dict[str, Json] = {**due.arguments, "base": region.base, "lines": lines}
        change = found.bench.plan(Intent("persona.compact", {}, arguments))

        assert "in `quay` has" in due.problem.message
        assert due.arguments["layout"] == "night-watch/quay"
        assert {effect.path.parent for effect in change.effects} == {path.parent}  # type: ignore[union-attr]
        with pytest.raises(NotPossible, match="no memory in `night-watch/moon`"):
            compactable(found.bench.library, "Rosa", "night-watch/moon")


@pytest.mark.parametrize(
    ("lines", "bullets"), [(1, 1), (2, 2), (20, 20), (30, 25), (50, 25), (60, 30), (100, 50)]
)
def test_a_target_allows_as_many_bullets_as_lines_up_to_twenty_five(
    lines: int, bullets: int
) -> None:
    text = "".join(f"- Lesson {n}\n" for n in range(bullets))
    assert len(read_condensed(text, Target(lines)).lines) == bullets
    with pytest.raises(BadAnswer):
        read_condensed(f"{text}- one more\n", Target(lines))


class _Desk:
    """Questions to a program that counts how often it is asked."""

    def __init__(self, folder: Path, program: str) -> None:
        self.count = folder / "count"
        self.count.write_text("")
        says = f"import sys\nopen({str(self.count)!r}, 'a').write('x')\nq = sys.stdin.read()\n"
        clock = Clock(lambda: datetime.now(UTC), lambda: f"{len(self.count.read_text()):08x}" * 2)
        settings = AgentCommand(command=(sys.executable, "-c", f"{says}{program}"))
        self.answers = Answers(Disk(), folder / "cache", clock, settings.command)
        self.told: list[Progress] = []
        self.asker = Asker(settings, folder, self.answers, on_progress=self.told.append)

    def ask(self, *prompts: str) -> list[str]:
        return consult(self.questions(*prompts), self.asker)

    @staticmethod
    def questions(*prompts: str) -> list[Question[str]]:
        def read(text: str) -> str:
            if "bad" in text:
                raise BadAnswer("it is bad", hint="mend it")
            return text.strip()

        return [Question(prompt, read) for prompt in prompts]


def test_a_consultation_that_failed_goes_on_where_it_was(tmp_path: Path) -> None:
    credit = tmp_path / "credit"
    has_credit = f"__import__('os').path.exists({str(credit)!r})"
    program = f"print(q.upper()) if 'three' not in q or {has_credit} else sys.exit('no credit')"
    fails = _Desk(tmp_path, program)
    with pytest.raises(AgentFailed) as told:
        fails.ask("one", "two", "three")
    asked = len(fails.count.read_text())

    credit.touch()
    works = _Desk(tmp_path, program)

    assert "2 answers of 3 kept" in told.value.hint
    assert how_many_are_kept(works.questions("one", "two", "three"), works.answers) == 2
    assert works.ask("one", "two", "three") == ["ONE", "TWO", "THREE"]
    assert asked == 4  # the third is tried twice
    assert len(works.count.read_text()) == 1
    assert {(each.part, each.parts) for each in works.told} <= {(3, 3)}


def test_what_one_command_answered_is_no_answer_of_another(tmp_path: Path) -> None:
    assert _Desk(tmp_path, "print('of one')").ask("why") == ["of one"]

    other = _Desk(tmp_path, "print('of another')")

    assert how_many_are_kept(other.questions("why"), other.answers) == 0
    assert other.ask("why") == ["of another"]
    assert _Desk(tmp_path, "print('of one')").ask("why") == ["of one"]


def test_a_question_that_is_repeated_is_no_part_of_the_answer(tmp_path: Path) -> None:
    long = "Answer with a bad line, such as this one.\n" * 10

    assert _Desk(tmp_path, "print(q + '\\nfine')").ask(long) == ["fine"]
    with pytest.raises(AgentFailed, match="only repeats the question"):
        _Desk(tmp_path, "print(q)").ask(long)


def test_an_answer_that_cannot_be_used_is_kept_and_named(tmp_path: Path) -> None:
    at = _Desk(tmp_path, "print('bad')")

    with pytest.raises(AgentFailed, match="it is bad") as told:
        at.ask("one")

    path = at.answers.path_of("one")
    assert str(path) in told.value.hint
    assert path.read_text() == "bad\n"
    assert how_many_are_kept(at.questions("one"), at.answers) == 0
