"""Retros of protocols, older and newer ones: what waits of them, and what is said of the rest."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.learning_files import record
from tests.sniper_files import carry_out, open_shop, project, write

from remem.base.errors import Refused
from remem.core.library import Library
from remem.core.verbs.verbs import plan
from remem.core.waiting.kinds import state_of
from remem.core.waiting.queue import find_item, queue
from remem.edit.yaml_write import render
from remem.model.change import Intent, Json
from remem.systems.sniper.retro.retro_ingest import Fate, judge, readable, retro_at, summary_of

NAME = "SNPR-20260504-19aa"
FILE = f".sniper/retros/{NAME}.yaml"
NEWER = f"""\
id: {NAME}
protocol: full
date: 2026-05-04
phases:
  - name: discover
    gate: pass
    attempts: 1
outcome:
  verdict: success
what_went_well:
  - id: W1
    area: berths
    detail: >
      Berths were planned
      before the boats.
what_needs_improvement:
  - id: I1
    area: log_lines
    detail: >
      Two harbours logged under one name.
    action: >
      Name the harbour in every log line,
      also in tests.
  - id: I2
    area: weather
    detail: Nobody looked at the tide table
  - id: I3
    area: clocks
    detail: A test slept
    action: Freeze time in every scheduler test
metrics:
  gate_pass_rate: "100%"
"""


def shop(root: Path, retro: str, files: Mapping[str, str] | None = None) -> Library:
    return project(root, {FILE: retro, **(files or {})})


def test_what_needs_improvement_in_a_newer_retro_waits_with_what_to_do_first(
    tmp_path: Path,
) -> None:
    items = queue(shop(tmp_path, NEWER))

    assert [item.title for item in items] == [
        "Name the harbour in every log line, also in tests.",
        "Nobody looked at the tide table",
        "Freeze time in every scheduler test",
    ]
    assert items[0].evidence[:2] == (
        "about I1 log lines",
        "Two harbours logged under one name.",
    )
    assert not any("confidence" in item.why for item in items)


def test_at_most_so_many_learnings_wait_of_a_newer_retro_those_that_say_what_to_do_first(
    tmp_path: Path,
) -> None:
    config = {".sniper/config.yaml": "learning: {max_per_retro: 2}\n"}

    items = queue(shop(tmp_path, NEWER, config))

    assert {item.title for item in items} == {
        "Name the harbour in every log line, also in tests.",
        "Freeze time in every scheduler test",
    }


def test_approving_an_improvement_writes_the_learning_that_the_original_would(
    tmp_path: Path,
) -> None:
    library = shop(tmp_path, NEWER)
    first, second, _ = queue(library)

    for item in (first, second):
        change = plan(library, Intent("approve", {item.ref: item.digest}, {}))
        library = carry_out(library, change)

    fields = [
        library.format("learning").reader.fields(source, source.entries[0])
        for source in library.of_format("learning")
        if source.entries
    ]
    found = {str(each["learning"]): each for each in fields}
    acted = found["Name the harbour in every log line, also in tests."]
    assert (acted["status"], acted["confidence"]) == ("active", 0.5)
    assert acted["source"] == {
        "type": "retro",
        "protocol_id": NAME,
        "detail": "what needs improvement, item 1 (I1 log_lines): "
        "Two harbours logged under one name.",
    }
    assert found["Nobody looked at the tide table"]["confidence"] == 0.4
    assert [item.title for item in queue(library)] == ["Freeze time in every scheduler test"]


def test_an_item_that_was_approved_as_a_learning_is_told_to_be_confirmed(tmp_path: Path) -> None:
    library = project(tmp_path, {FILE: NEWER})
    item = queue(library)[0]
    library = carry_out(library, plan(library, Intent("approve", {item.ref: item.digest})))

    assert state_of(library, library.entry(item.ref)) == "confirmed"


def test_what_a_learning_of_the_same_retro_says_does_not_wait_again(tmp_path: Path) -> None:
    made = record(source={"type": "retro", "protocol_id": NAME})
    learning = f".sniper/memory/learnings/{made['id']}.yaml"
    library = project(tmp_path, {FILE: NEWER, learning: render(made)})

    titles = [item.title for item in queue(library)]

    assert titles == [
        "Name the harbour in every log line, also in tests.",
        "Nobody looked at the tide table",
    ]


def test_a_card_names_the_learnings_that_came_of_its_retro_already(tmp_path: Path) -> None:
    made = record(source={"type": "retro", "protocol_id": NAME}, learning="Tie up early")
    learning = f".sniper/memory/learnings/{made['id']}.yaml"
    library = project(tmp_path, {FILE: NEWER, learning: render(made)})

    facts = next(iter(queue(library))).evidence

    assert f"1 learning already came from this retro: `learning:{made['id']}`" in facts


def test_a_retro_of_a_protocol_is_judged_as_it_stands_in_the_queue(tmp_path: Path) -> None:
    library = shop(tmp_path, NEWER)
    source = retro_at(library, FILE)

    judged = judge(library, source)

    assert readable(source).about[0] == "outcome: verdict success"
    assert [each.fate for each in judged] == [Fate.NOTE, Fate.WAIT, Fate.WAIT, Fate.WAIT]
    assert summary_of(judged) == "3 open, 1 note"
    assert {each.entry.ref for each in judged if each.fate is Fate.WAIT} == {
        item.ref for item in queue(library)
    }


@pytest.mark.parametrize(
    ("retro", "named"),
    [
        pytest.param("lessons: [Tie up early]\nwho: Hana\n", "`lessons`, `who`", id="no-shape"),
        pytest.param("protocol: full\nlessons: [Tie up early]\n", "`lessons`", id="a-strange-key"),
        pytest.param(
            "protocol: full\nfindings: {lessons: [Tie up early]}\n",
            "`findings.lessons`",
            id="a-strange-list",
        ),
        pytest.param(
            "what_needs_improvement:\n  - {id: I1, cure: Tie up early}\n", "`cure`", id="an-item"
        ),
        pytest.param("sprint: 7\nlessons: [Tie up early]\n", "`lessons`", id="of-a-sprint"),
    ],
)
def test_what_is_not_understood_in_a_retro_is_a_problem_that_names_its_keys(
    tmp_path: Path, retro: str, named: str
) -> None:
    source = retro_at(shop(tmp_path, retro), FILE)

    problems = [*source.problems, *(p for entry in source.entries for p in entry.problems)]

    assert [problem for problem in problems if named in problem.message]


def test_a_retro_of_no_known_shape_is_not_ingested_and_the_reason_names_its_keys(
    tmp_path: Path,
) -> None:
    source = retro_at(shop(tmp_path, "lessons: [Tie up early]\n"), FILE)

    with pytest.raises(Refused, match="`lessons`"):
        readable(source)


LEARNT = f"""\
id: L001
source: {NAME}
date: 2026-05-04
title: "Every log line names its harbour"
learning: >
  Log lines that do not name the harbour cannot be told apart later. Every line of the log should
  name the harbour it comes of, in tests as well.
applies_to: [implement]
effectiveness: untested
"""


def test_what_became_a_learning_in_other_words_waits_no_more(tmp_path: Path) -> None:
    kept = {".sniper/memory/learnings/L001-harbours.yaml": LEARNT}

    library = shop(tmp_path, NEWER, kept)

    assert [item.title for item in queue(library)] == [
        "Nobody looked at the tide table",
        "Freeze time in every scheduler test",
    ]
    source = retro_at(library, FILE)
    entry = next(each for each in source.entries if each.title.startswith("Name the harbour"))
    assert state_of(library, entry) == "confirmed"
    assert "became `learning:L001-harbours`" in [each.why for each in judge(library, source)]


def test_a_learning_answers_one_item_of_a_list_and_no_second_one(tmp_path: Path) -> None:
    twice = NEWER.replace("action: Freeze time in every scheduler test", _AGAIN)
    kept = {".sniper/memory/learnings/L001-harbours.yaml": LEARNT}

    titles = [item.title for item in queue(shop(tmp_path, twice, kept))]

    assert len(titles) == 2
    assert "Name the boat and the harbour in every test" in titles


_AGAIN = "action: Name the boat and the harbour in every test"


def test_an_improvement_that_was_reworded_when_it_was_approved_waits_no_more(
    tmp_path: Path,
) -> None:
    library = shop(tmp_path, NEWER)
    item = queue(library)[0]
    reworded: dict[str, Json] = {"learning": "A log without places is no log"}

    change = plan(library, Intent("approve", {item.ref: item.digest}, {"fields": reworded}))
    library = carry_out(library, change)

    assert item.ref not in [each.ref for each in queue(library)]
    assert state_of(library, library.entry(item.ref)) == "confirmed"


def test_a_learning_about_the_same_that_forbids_nothing_is_called_no_conflict(
    tmp_path: Path,
) -> None:
    kept = {
        ".sniper/memory/learnings/L001-harbours.yaml": LEARNT.replace(NAME, "SNPR-20260401-0001")
    }
    library = shop(tmp_path, NEWER, kept)

    (item,) = (each for each in queue(library) if each.title.startswith("Name the harbour"))
    told = [each for each in item.evidence if "L001-harbours" in each]

    assert told
    assert told[0].startswith("similar to `learning:L001-harbours`")


def test_a_finding_is_never_listed_as_active_whatever_became_of_it(tmp_path: Path) -> None:
    retro = """\
sprint: 7
date: "2026-05-04"
findings:
  new_conventions:
    - {rule: "Masts are counted", recommendation: codify}
    - {rule: "Ropes are dry", recommendation: codify}
    - {rule: "Sails are white", recommendation: ignore}
    - {rule: "Oars are oiled", recommendation: monitor}
    - {rule: "Boats have names", recommendation: codify}
  positive_patterns: ["The pier was dry"]
"""
    store = "conventions:\n  - {id: conv-001, rule: Boats have names, status: confirmed}\n"
    library = project(
        tmp_path,
        {
            ".sniper/memory/retros/sprint-7-retro.yaml": retro,
            ".sniper/memory/conventions.yaml": store,
        },
    )
    rope = next(item for item in queue(library) if item.title == "Ropes are dry")
    reject = Intent("reject", {rope.ref: rope.digest}, {"reason": "they never are"})
    library = carry_out(library, plan(library, reject))

    found = {
        entry.title: state_of(library, entry)
        for entry in library.entries()
        if entry.kind == "finding"
    }

    assert found == {
        "Masts are counted": "candidate",
        "Ropes are dry": "rejected",
        "Sails are white": "ignored",
        "Oars are oiled": "finding",
        "Boats have names": "known",
        "The pier was dry": "finding",
    }


def test_a_card_names_a_confidence_only_where_the_retro_says_one(tmp_path: Path) -> None:
    retro = """\
sprint: 7
findings:
  new_conventions:
    - {rule: "Masts are counted", recommendation: codify}
    - {rule: "Ropes are dry", recommendation: codify, confidence: high}
  new_anti_patterns:
    - {description: "Sailing at night", recommendation: codify, occurrences: 2}
"""
    library = project(tmp_path, {".sniper/memory/retros/sprint-7-retro.yaml": retro})

    assert [item.why for item in queue(library)] == [
        "the retro recommends it",
        "the retro recommends it with high confidence",
        "the retro recommends it, 2 occurrences",
    ]


def test_a_finding_of_a_newer_retro_stays_the_same_item_when_another_one_changes(
    tmp_path: Path,
) -> None:
    library = shop(tmp_path, NEWER)
    item = queue(library)[2]
    write(tmp_path / "shop", {FILE: NEWER.replace("Nobody looked", "Nobody ever looked")})

    assert find_item(open_shop(tmp_path), item.id).digest == item.digest
