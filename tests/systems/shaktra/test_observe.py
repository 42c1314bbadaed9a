"""Observations are written one by one, validated, at the end of their story's file."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from tests.shaktra_briefs import STORIES
from tests.shaktra_files import PRINCIPLES, SETTINGS, check, desk, file_of, observed, principle

from remem.base.errors import NotPossible, RememError, Unacknowledged
from remem.model.change import Json, Splice
from remem.systems.shaktra.records import PHASES, RELATIONSHIPS, SEVERITIES, TYPES, WORKFLOWS
from remem.systems.shaktra.shaktra_verbs import Observe

PATH = f"{STORIES}/ST-040/.observations.yml"
FILES = {
    PRINCIPLES: file_of(
        "principles", principle("PR-001", "Every upload is measured before it is kept")
    ),
    f"{STORIES}/ST-040.yml": "id: ST-040\n",
    f"{STORIES}/ST-040/handoff.yml": "story_id: ST-040\ncurrent_phase: quality\n",
}
SEEN: dict[str, Json] = {"type": "discovery", "text": "Ports above 9000 are taken", "agent": "dev"}


def test_the_first_observation_makes_the_file_and_takes_its_phase_from_the_handoff(
    tmp_path: Path,
) -> None:
    with desk(tmp_path, FILES) as shop:
        shop.do("observe", story="ST-040", **SEEN)

        assert shop.read(PATH) == (
            "# Observations: what agents noticed\n"
            "observations:\n"
            "  - id: OB-001\n"
            "    agent: dev\n"
            "    phase: quality\n"
            "    type: discovery\n"
            "    importance: 5\n"
            '    text: "Ports above 9000 are taken"\n'
        )


def test_the_next_one_goes_to_the_end_and_touches_nothing_else(tmp_path: Path) -> None:
    with desk(tmp_path, {**FILES, **observed("ST-040", check(7, "PR-001"))}) as shop:
        before = shop.read(PATH)
        fields: dict[str, Json] = {
            **SEEN,
            "type": "consistency-check",
            "principle_id": "PR-001",
            "relationship": "weaken",
            "importance": 6,
            "tags": ["cache"],
        }
        done = shop.do("observe", story="ST-040", **fields)
        after = shop.read(PATH)
        shop.bench.undo(done.id)

        (effect,) = done.change.effects
        assert isinstance(effect, Splice)
        assert effect.only_adds
        assert after.startswith(before)
        assert "  - id: OB-008\n" in after.removeprefix(before)
        assert shop.read(PATH) == before


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"type": "hunch"}, "`type` is `hunch`, which is not an observation type"),
        ({"importance": 11}, "`importance` is `11`, not from 1 to 10"),
        ({"importance": 0}, "`importance` is `0`, not from 1 to 10"),
        ({"phase": "lunch"}, "`phase` is `lunch`, which is not a phase"),
        ({"text": ""}, "`text` is missing"),
        ({"type": "consistency-check"}, "`principle_id` is missing"),
        (
            {"type": "consistency-check", "principle_id": "PR-001"},
            "`relationship` is missing",
        ),
        (
            {"type": "consistency-check", "principle_id": "PR-9", "relationship": "weaken"},
            "there is no entry `PR-9`",
        ),
        ({"type": "quality-loop-finding"}, "`resolved` is missing"),
        ({"mood": "grim"}, "unknown argument `mood`"),
    ],
)
def test_what_is_wrong_is_refused_and_nothing_is_written(
    tmp_path: Path, fields: dict[str, Json], message: str
) -> None:
    with desk(tmp_path, FILES) as shop:
        before = shop.files()

        with pytest.raises(RememError) as caught:
            shop.do("observe", story="ST-040", **{**SEEN, **fields})

        assert str(caught.value) == message
        assert shop.files() == before


def test_a_finding_without_its_outcome_is_refused_with_what_to_say(tmp_path: Path) -> None:
    with desk(tmp_path, FILES) as shop, pytest.raises(RememError) as caught:
        shop.do("observe", story="ST-040", **{**SEEN, "type": "quality-loop-finding"})

    assert caught.value.hint.startswith("say whether it is resolved")


def test_a_story_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with (
        desk(tmp_path, FILES) as shop,
        pytest.raises(NotPossible, match="there is no story `ST-404`"),
    ):
        shop.do("observe", story="ST-404", **SEEN)


def test_a_story_that_has_its_fill_takes_no_more(tmp_path: Path) -> None:
    seen = observed("ST-040", check(1, "PR-001"), check(2, "PR-001"))
    full = {**FILES, **seen, SETTINGS: "memory: {max_observations_per_story: 2}\n"}
    with (
        desk(tmp_path, full) as shop,
        pytest.raises(NotPossible, match=r"`ST-040` has 2 observations \(limit 2\)"),
    ):
        shop.do("observe", story="ST-040", **SEEN)


def test_work_without_a_story_has_a_file_for_each_workflow_and_day(tmp_path: Path) -> None:
    path = ".shaktra/observations/review-2026-05-04.yml"
    with desk(tmp_path, FILES) as shop:
        shop.do("observe", workflow="review", **SEEN)
        done = shop.do("observe", workflow="Review", **{**SEEN, "type": "observation"})

        names = [e.ref.id for e in shop.bench.library.of_kind("observation")]
        assert names == [f"observations/review-2026-05-04/OB-00{n}" for n in (1, 2)]
        assert shop.read(path).startswith("# Observations: what agents noticed\nobservations:\n")
        assert "phase: code\n" in shop.read(path)
        assert done.change.title == "Observe observations/review-2026-05-04/OB-002"


@pytest.mark.parametrize(
    ("arguments", "fields", "message"),
    [
        ({}, {}, "an observation belongs to a story or a workflow"),
        ({"story": "ST-040", "workflow": "tdd"}, {}, "an observation belongs to a story or a wor"),
        ({"workflow": "lunch"}, {}, "unknown workflow `lunch`"),
        (
            {"workflow": "tdd"},
            {"type": "deviation"},
            "a workflow without a story cannot have a `devia",
        ),
    ],
)
def test_a_workflow_takes_only_what_belongs_there(
    tmp_path: Path, arguments: dict[str, Json], fields: dict[str, Json], message: str
) -> None:
    with desk(tmp_path, FILES) as shop, pytest.raises(NotPossible, match=message):
        shop.do("observe", **arguments, **{**SEEN, **fields})


def test_a_secret_is_not_written_down_unseen(tmp_path: Path) -> None:
    text = "The staging key is AKIA" + "Q3EXRTYUJ2KLMN7P"
    with desk(tmp_path, FILES) as shop, pytest.raises(Unacknowledged):
        shop.do("observe", story="ST-040", **{**SEEN, "text": text})


def test_agents_that_append_at_the_same_time_lose_nothing(tmp_path: Path) -> None:
    with desk(tmp_path, {**FILES, **observed("ST-040", check(1, "PR-001"))}) as shop:
        path = shop.bench.root / PATH
        begun = threading.Event()

        def agent() -> None:
            for number in range(20):
                with path.open("a", encoding="utf-8") as file:
                    file.write(
                        f"  - {{id: AG-{number}, agent: qa, phase: code, type: discovery, "
                        f"importance: 3, text: from the agent {number}}}\n"
                    )
                begun.set()

        other = threading.Thread(target=agent)
        other.start()
        begun.wait(5)
        for _ in range(5):
            shop.do("observe", story="ST-040", **SEEN)
        other.join()
        shop.bench.refresh()

        names = [entry.ref.id for entry in shop.bench.library.of_kind("observation")]
        assert {f"ST-040/AG-{number}" for number in range(20)} <= {*names}
        assert {f"ST-040/OB-{number:03d}" for number in range(1, 7)} <= {*names}
        assert len(names) == 26


def test_what_an_older_version_wrote_into_the_history_is_understood() -> None:
    typed = Observe.from_json({"story": "ST-040", **SEEN, "importance": 8})

    assert Observe.from_json({"story": "ST-040", "fields": {**SEEN, "importance": 8}}) == typed


def test_its_help_names_the_words_that_are_taken() -> None:
    told = {each.name: each.help for each in Observe.params()}

    known = {
        "workflow": WORKFLOWS,
        "type": TYPES,
        "phase": PHASES,
        "relationship": RELATIONSHIPS,
        "severity": SEVERITIES,
    }
    for name, words in known.items():
        assert ", ".join(words) in told[name]
