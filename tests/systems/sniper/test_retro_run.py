from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from remem.base.clock import Clock
from remem.base.errors import NotPossible
from remem.core.library import Library, open_library
from remem.core.system import Given, Ground
from remem.core.verbs.args import BadArgument
from remem.core.verbs.verbs import plan
from remem.model.change import Create, Derived, Intent, Json
from remem.store.io import Disk
from remem.systems.registry import FORMATS
from remem.systems.sniper.retro.retro_answer import Reading
from remem.systems.sniper.retro.retro_facts import Failure, Measured, Planned, StoryMeasured
from remem.systems.sniper.retro.retro_run import (
    Known,
    Sprint,
    document,
    known_in,
    measured_before,
    unlooked,
)

CONVENTIONS = "conventions:\n  - {id: conv-001, rule: Be brief}\n"
MEASURED = Measured(
    range="a..b",
    commits=3,
    unassigned=1,
    estimated=3.0,
    actual=6.0,
    stories=(StoryMeasured(story="S-1", points=3.0, actual=6.0, commits=2),),
)


def library(root: Path, **retros: str) -> Library:
    memory = root / ".sniper" / "memory"
    (memory / "retros").mkdir(parents=True, exist_ok=True)
    (memory / "conventions.yaml").write_text(CONVENTIONS)
    for name, text in retros.items():
        (memory / "retros" / f"{name}.yaml").write_text(text)
    return open_library(Ground(root, root / "home", Disk(), "shop", given=Given(Clock())), FORMATS)


def intent(made: Json, **other: Json) -> Intent:
    return Intent("retro.run", arguments={"document": made, **other})


def made(answer: Reading | None = None, **other: Any) -> dict[str, Json]:
    return document(Sprint(4, **{"measured": MEASURED, **other}), Known(), answer, "2026-03-02")


def test_the_plan_makes_the_file_and_renders_the_summary(tmp_path: Path) -> None:
    change = plan(library(tmp_path), intent(made()))

    create, summary = change.effects
    assert isinstance(create, Create)
    assert isinstance(summary, Derived)
    assert create.path == tmp_path / ".sniper/memory/retros/sprint-4-retro.yaml"
    assert yaml.safe_load(create.data) == made()
    assert change.title == "Write the retro of sprint 4"


def test_the_head_of_the_file_says_whether_anyone_was_asked(tmp_path: Path) -> None:
    heads = []
    for asked in (True, False):
        effect = plan(library(tmp_path), intent(made(), asked=asked)).effects[0]
        assert isinstance(effect, Create)
        heads.append(effect.data.splitlines()[0])

    assert heads[0].endswith(b"the agent command answered.")
    assert heads[1].endswith(b"no agent command was asked for the rest.")


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param(None, id="nothing"),
        pytest.param({"findings": {}}, id="no-sprint"),
        pytest.param({"sprint": True}, id="a-truth-value"),
        pytest.param({"sprint": 4, "findings": []}, id="a-list"),
        pytest.param({"sprint": 4, "findings": {"new_conventions": ["x"]}}, id="a-text"),
        pytest.param({"sprint": 4, "note": "x" * 1_100_000}, id="too-big"),
    ],
)
def test_what_would_not_be_read_as_a_retro_is_not_written(tmp_path: Path, wrong: Json) -> None:
    with pytest.raises((NotPossible, BadArgument)):
        plan(library(tmp_path), intent(wrong))


def test_a_retro_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    opened = library(tmp_path, **{"sprint-4-retro": "not: yaml: at all"})

    with pytest.raises(NotPossible, match="sprint 4 already has a retro") as caught:
        plan(opened, intent(made()))

    assert "`remem retro ingest`" in caught.value.hint


def test_what_earlier_sprints_measured_is_found_oldest_first(tmp_path: Path) -> None:
    opened = library(
        tmp_path,
        a="sprint: 3\nfindings: {}\nmeasured: {estimated: 3}\n",
        b="sprint: 2\nfindings: {}\nmeasured: {estimated: 2}\n",
        c="sprint: 4\nfindings: {}\nmeasured: {estimated: 4}\n",
        d="sprint: 1\nfindings: {}\n",
        e="measured: {estimated: [\n",
    )

    assert [each.estimated for each in measured_before(opened, 4)] == [2, 3]


def test_a_failure_that_names_an_entry_is_tracked_in_its_words(tmp_path: Path) -> None:
    failures = (
        Failure("conv-001", "Be brief (see page 3)", 2),
        Failure("length", " be BRIEF.", 1),
        Failure("length", "Too long", 1),
        Failure("length", "Known elsewhere", 1, tracked=True),
    )

    found: Any = document(
        Sprint(4, MEASURED, failures=failures), known_in(library(tmp_path)), None, "2026-03-02"
    )

    listed = found["findings"]["review_gate_failures"]
    assert [each["already_tracked"] for each in listed] == [True, True, False, True]
    assert listed[0]["pattern"] == "Be brief"


def test_candidates_are_known_as_such(tmp_path: Path) -> None:
    store = tmp_path / ".sniper/memory/conventions.yaml"
    library(tmp_path)
    waits = '  - {id: conv-009, rule: "Retries have a budget", status: candidate}\n'
    store.write_text(CONVENTIONS + waits)
    opened = open_library(
        Ground(tmp_path, tmp_path / "home", Disk(), "shop", given=Given(Clock())), FORMATS
    )

    known = known_in(opened)

    assert known.waiting == {"conv-009"}
    assert {"conv-001", "conv-009"} <= known.texts.keys()


def test_misses_are_measured_and_not_asked_for() -> None:
    found: Any = made(Reading(estimation=("Migrations +30%",)))

    assert found["findings"]["estimation_calibration"] == {
        "overestimates": [],
        "underestimates": ["S-1"],
        "patterns": ["Migrations +30%"],
    }


@pytest.mark.parametrize(
    ("planned", "completed", "carried"),
    [
        pytest.param((Planned("S-1", done=True), Planned("S-2", done=False)), 1, 1, id="said"),
        pytest.param((Planned("S-1", done=True), Planned("S-2")), 1, 1, id="said-of-one"),
        pytest.param((Planned("S-1"), Planned("S-2")), 1, None, id="not-said"),
        pytest.param((), 1, None, id="no-file"),
    ],
)
def test_stories_are_completed_where_the_file_or_else_commits_say_so(
    planned: tuple[Planned, ...], completed: int, carried: int | None
) -> None:
    found = made(planned=planned)

    assert found["stories_completed"] == completed
    assert found.get("stories_carried_over") == carried


def test_what_nobody_knows_is_left_out() -> None:
    found: Any = made(measured=Measured())

    assert "stories_completed" not in found
    assert found["measured"] == {
        "commits": 0, "files": 0, "added": 0, "removed": 0, "unassigned": 0, "stories": [],
    }  # fmt: skip


def test_what_the_retro_does_not_rest_on_is_said() -> None:
    notes = " / ".join(unlooked(Sprint(4, MEASURED), ["first"]))

    assert notes.startswith("first / 1 commit of 3 (33 %) belongs to no story")
    assert "`--stories FILE`" in notes
    assert "no commits" in unlooked(Sprint(4, Measured()), ())[0]


TEXTS = st.text("aé\n\t:#-'\"\\{}[]&*!%@\x1b\u202e\u2028 ", min_size=1, max_size=12)


@settings(max_examples=60)
@given(rules=st.lists(TEXTS, max_size=3), positive=st.lists(TEXTS, max_size=3))
def test_whatever_was_answered_reads_back_as_it_was(
    rules: list[str], positive: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    conventions = tuple[dict[str, Json], ...]({"rule": rule, "evidence": rule} for rule in rules)
    whole = made(Reading(conventions=conventions, positive=tuple(positive)))

    change = plan(library(tmp_path_factory.mktemp("root")), intent(whole))

    create = change.effects[0]
    assert isinstance(create, Create)
    assert b"\x1b" not in create.data
    assert yaml.safe_load(create.data) == whole
