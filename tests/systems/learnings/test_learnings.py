"""Learnings in every shape are read as they are, and only what the schema allows is written."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from tests.learning_files import FOLDER, FREEZE, learnings, path_of, put, record
from tests.sniper_files import carry_out, open_shop, write

from remem.base.errors import NotPossible, RememError
from remem.cli.output.schema import all_schemas
from remem.core.library import Library
from remem.core.verbs.verbs import plan
from remem.edit.yaml_read import parse_document
from remem.model.change import Intent
from remem.model.entry import Entry, Status
from remem.model.globs import is_inside, overlaps
from remem.model.prompt import Ask, Reason
from remem.model.source import Lazy
from remem.systems.learnings.format import Learnings
from remem.systems.learnings.records import Learning

NUMBERED = """\
id: L001
source: SNPR-20260420-0001
date: 2026-04-20
category: testing
title: Frozen clocks
learning: Freeze time in every scheduler test
applies_to: [review]
effectiveness: proven
"""
DATED = """\
# found by the pier
id: L-20260504-7be1
status: active
confidence: 0.5
created: "2026-05-04"   # a bare day
updated: 2026-05-05
source: {type: retro, protocol: SNPR-20260504-19aa, phase: review}
learning: 'Freeze time in every scheduler test'
history: []
"""
MARKDOWN = """\
---
id: L-7
status: active
confidence: 0.95
source: {type: human}
created: "2026-05-04"
---

# Frozen clocks

**Learning:** Freeze time in every
scheduler test.

**Anti-pattern:** Sleeping.

It cost us a night.
"""


def only(library: Library) -> Entry:
    (found,) = library.of_kind("learning")
    return found


def read(library: Library) -> Learning:
    entry = only(library)
    found = library.format_of(entry).reader.record(library.source_of(entry), entry)
    assert isinstance(found, Learning)
    return found


def upgrade(library: Library, **said: Any) -> Library:
    entry = only(library)
    return carry_out(library, plan(library, Intent("learn.upgrade", {entry.ref: ""}, said)))


def conforming(path: Path) -> bool:
    value = parse_document(path.read_bytes()).value
    return bool(Draft202012Validator(all_schemas()["learning"]).is_valid(value))


def test_a_record_is_known_by_its_file_before_anything_is_parsed(tmp_path: Path) -> None:
    library = learnings(tmp_path, record(status="active"), record("L-20260504-0002"))

    assert [*library.waiting()] == []
    assert library.resolve(f"learning:{FREEZE}").title == "Freeze time in every scheduler test"
    other = library.of_format("learning")[0].entries
    assert isinstance(other, Lazy)
    assert not other.is_complete


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"status": "draft"}, Status.CANDIDATE),
        ({"status": "validated"}, Status.ACTIVE),
        ({"status": "deprecated"}, Status.ARCHIVED),
        ({"status": "deprecated", "superseded_by": "L-20260504-0002"}, Status.SUPERSEDED),
        (
            {
                "status": "deprecated",
                "history": [{"timestamp": "2026-05-05T10:00:00Z", "event": "human_invalidated"}],
            },
            Status.INVALID,
        ),
        ({"status": "proposed"}, Status.CANDIDATE),
        ({"status": "maybe"}, Status.CANDIDATE),
    ],
)
def test_a_status_is_one_of_the_five(
    tmp_path: Path, fields: dict[str, Any], status: Status
) -> None:
    library = learnings(tmp_path, record(**fields))

    assert only(library).status is status


def test_null_stands_for_absent_without_a_problem(tmp_path: Path) -> None:
    put(tmp_path, f"learnings/{FREEZE}.yaml", "")
    text = json.dumps({**record(), "expires_at": None, "scope": {"agents": None}})
    path_of(tmp_path).write_text(text)

    entry = only(open_shop(tmp_path))

    assert entry.problems == ()
    assert entry.roles is None


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        (DATED, {"created", "updated", "source.protocol", "source.phase"}),
        ("learning: a\nid: L-1\n", {"id", "status", "confidence", "created_at", "source"}),
        (f"id: {FREEZE}\nlearning: 3\nconfidence: high\ntags: [a]\nhistory: [{{x: 1}}]\n",
         {"learning", "confidence", "tags", "history.1.timestamp", "history.1.event",
          "history.1.x", "status", "created_at", "source"}),
    ],
)  # fmt: skip
def test_each_field_that_does_not_conform_is_one_problem(
    tmp_path: Path, text: str, fields: set[str]
) -> None:
    put(tmp_path, f"learnings/{FREEZE}.yaml", text)

    problems = only(open_shop(tmp_path)).problems

    assert {each.field for each in problems} >= fields
    assert len({each.field for each in problems}) == len(problems)
    assert all(each.message and each.hint and each.path for each in problems)


def test_a_dated_record_is_upgraded_in_its_place(tmp_path: Path) -> None:
    put(tmp_path, f"learnings/{FREEZE}.yaml", DATED)
    library = open_shop(tmp_path)
    before = read(library)

    after = upgrade(library)

    assert (before.created_at, before.scope.phases) == ("2026-05-04T00:00:00Z", ("review",))
    assert read(after) == before
    assert only(after).problems == ()
    assert conforming(path_of(tmp_path))
    text = path_of(tmp_path).read_text()
    assert text.startswith("# found by the pier\nid: L-20260504-7be1\nstatus: active\n")
    assert 'created_at: "2026-05-04T00:00:00Z"   # a bare day\n' in text
    assert "learning: 'Freeze time in every scheduler test'\n" in text


PUBLISHED = """\
id: L-20260504-7be1
status: active
confidence: 0.5
source: {type: retro, protocol_id: SNPR-20260504-9f3c}
learning: Freeze time in every scheduler test
created_at: 2026-05-04
history:
  - {event: created, timestamp: 2026-05-04, actor: human}
"""


def test_days_in_a_record_of_the_published_names_are_upgraded_to_times(tmp_path: Path) -> None:
    put(tmp_path, f"learnings/{FREEZE}.yaml", PUBLISHED)
    library = open_shop(tmp_path)

    after = upgrade(library)

    assert [each.message for each in only(library).problems] == [
        "`created_at` is a date without a time",
        "`history.1.timestamp` is a date without a time",
    ]
    assert only(after).problems == ()
    assert read(after).created_at == "2026-05-04T00:00:00Z"
    assert read(after).history[0].timestamp == "2026-05-04T00:00:00Z"


def test_what_cannot_be_upgraded_is_named_and_holds_no_other_back(tmp_path: Path) -> None:
    put(tmp_path, f"learnings/{FREEZE}.yaml", PUBLISHED)
    bad = PUBLISHED.replace("7be1", "0c0d").replace("event: created", "event: exploded")
    put(tmp_path, "learnings/L-20260504-0c0d.yaml", bad)
    library = open_shop(tmp_path)

    change = plan(library, Intent("learn.upgrade"))

    assert [ref.id for ref in change.touched] == [FREEZE]
    (note,) = change.notes
    assert note == "`L-20260504-0c0d`: `exploded` of `history` would be lost and is left as is"


def test_an_unknown_key_of_an_event_is_counted_from_one(tmp_path: Path) -> None:
    text = PUBLISHED.replace("timestamp: 2026-05-04, actor: human", "by: Mara")
    put(tmp_path, f"learnings/{FREEZE}.yaml", text)

    messages = [each.message for each in only(open_shop(tmp_path)).problems]

    assert "unknown key in a learning: `history.1.by`" in messages


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("L001-frozen.yaml", NUMBERED, ("category: testing", "title: Frozen clocks", "was L001")),
        ("frozen.md", MARKDOWN, ("title: Frozen clocks", "It cost us a night.", "was L-7")),
    ],
)
def test_other_shapes_become_a_new_file_under_a_repeatable_id(
    tmp_path: Path, name: str, text: str, told: tuple[str, ...]
) -> None:
    put(tmp_path, f"learnings/{name}", text)
    library = open_shop(tmp_path)
    intent = Intent("learn.upgrade", {only(library).ref: ""})
    twice = [plan(library, intent).touched for _ in range(2)]

    after = carry_out(library, plan(library, intent))

    entry = only(after)
    assert twice[0] == twice[1]
    assert entry.problems == ()
    assert conforming(path_of(tmp_path, entry.ref.id))
    assert not (tmp_path / "shop" / FOLDER / name).exists()
    assert all(each in read(after).source.detail for each in told)
    assert read(after).learning.startswith("Freeze time in every")


def test_a_numbered_record_that_is_proven_is_validated(tmp_path: Path) -> None:
    put(tmp_path, "learnings/L001-frozen.yaml", NUMBERED)

    found = read(open_shop(tmp_path))

    assert (found.status, found.confidence) == ("validated", 0.8)
    assert found.scope.phases == ("review",)
    assert found.source.protocol_id == "SNPR-20260420-0001"


def test_an_upgrade_asks_for_what_the_file_does_not_say(tmp_path: Path) -> None:
    put(tmp_path, f"learnings/{FREEZE}.yaml", DATED.replace("confidence: 0.5\n", ""))
    library = open_shop(tmp_path)

    with pytest.raises(NotPossible, match="`confidence`"):
        upgrade(library)

    assert read(upgrade(library, confidence=0.6)).confidence == 0.6


def test_an_upgrade_never_loses_a_word(tmp_path: Path) -> None:
    put(tmp_path, f"learnings/{FREEZE}.yaml", DATED + "history: [{event: pier}]\n")
    text = DATED.replace("history: []", "history: [{event: pier, timestamp: 2026-05-05}]")
    put(tmp_path, f"learnings/{FREEZE}.yaml", text)

    with pytest.raises(RememError):
        upgrade(open_shop(tmp_path))

    assert path_of(tmp_path).read_text() == text


def test_a_verb_writes_an_older_shape_as_the_schema_wants_it(tmp_path: Path) -> None:
    put(tmp_path, f"learnings/{FREEZE}.yaml", DATED)
    library = open_shop(tmp_path)

    done = carry_out(library, plan(library, Intent("archive", {only(library).ref: ""})))

    assert only(done).status is Status.ARCHIVED
    assert conforming(path_of(tmp_path))
    assert "# a bare day" in path_of(tmp_path).read_text()


def test_a_verb_refuses_an_older_shape_of_which_a_status_must_be_said(tmp_path: Path) -> None:
    text = "".join(line for line in DATED.splitlines(True) if not line.startswith("status:"))
    put(tmp_path, f"learnings/{FREEZE}.yaml", text)
    library = open_shop(tmp_path)

    with pytest.raises(NotPossible) as refused:
        plan(library, Intent("learn.confirm", {only(library).ref: ""}))

    assert "remem learn upgrade" in refused.value.hint


TEXTS = st.text("ab:#'\"é\n -", min_size=1, max_size=20).filter(lambda text: bool(text.strip()))


@settings(max_examples=6, deadline=None)
@given(text=TEXTS, detail=TEXTS, flow=st.booleans())
def test_an_edit_changes_what_was_asked_for_and_conforms(
    tmp_path_factory: pytest.TempPathFactory, text: str, detail: str, flow: bool
) -> None:
    root = tmp_path_factory.mktemp("edit")
    library = learnings(root, record())
    if flow:
        path_of(root).write_text("# kept\n" + json.dumps(record()) + "\n")
        library = open_shop(root)
    intent = Intent(
        "edit", {only(library).ref: ""}, {"fields": {"learning": text, "source.detail": detail}}
    )

    after = carry_out(library, plan(library, intent))

    found = read(after)
    assert (found.learning, found.source.detail) == (text, detail)
    assert found.source.protocol_id == "SNPR-20260504-19aa"
    assert found.history[-1].detail == "edited: learning, source"
    assert only(after).problems == ()
    assert conforming(path_of(root))
    assert not flow or path_of(root).read_text().startswith("# kept\n")


@pytest.mark.parametrize("field", ["confidence", "status", "history", "pier", "scope.pier"])
def test_what_events_tell_is_not_edited(tmp_path: Path, field: str) -> None:
    library = learnings(tmp_path, record())

    with pytest.raises(NotPossible):
        plan(library, Intent("edit", {only(library).ref: ""}, {"fields": {field: "1"}}))


def composed(library: Library, ask: Ask) -> tuple[list[str], dict[str, Reason | None]]:
    (offer,) = Learnings().offers(library.ground, library.of_format("learning"), ask)
    texts = [piece.text for piece in offer.pieces]
    return texts, {verdict.ref.id[-4:]: verdict.reason for verdict in offer.verdicts}


def test_a_learning_without_text_is_out_and_other_stops_than_ours_end_a_sentence(
    tmp_path: Path,
) -> None:
    library = learnings(
        tmp_path,
        record("L-20260504-0001", learning="  "),
        record("L-20260504-0002", learning="時計を\t止める。"),
    )

    texts, out = composed(library, Ask())

    assert texts == ["- [MEDIUM] 時計を 止める。"]
    assert out == {"0001": Reason.STATUS}


def test_sure_ones_come_first_and_say_what_to_avoid(tmp_path: Path) -> None:
    library = learnings(
        tmp_path,
        record("L-20260504-0001", learning="API errors carry\na code field", confidence=0.69,
               correction="never printed"),
        record("L-20260504-0002", learning="Freeze time!", confidence=0.7, anti_pattern="sleeping",
               correction="Use the fake clock"),
        record("L-20260504-0003", learning="Old", confidence=0.39),
        record("L-20260504-0004", learning="Gone", expires_at="2026-05-05T00:00:00Z"),
        record("L-20260504-0005", learning="Later", expires_at="2026-05-06T00:00:00Z",
               confidence=0.4),
        record("L-20260504-0006", learning="Draft", status="draft", confidence=0.9),
    )  # fmt: skip

    texts, out = composed(library, Ask())

    assert texts == [
        "- [HIGH] Freeze time! Anti-pattern: sleeping. Instead: Use the fake clock.",
        "- [MEDIUM] API errors carry a code field.",
        "- [MEDIUM] Later.",
    ]
    assert out == {
        "0003": Reason.CONFIDENCE,
        "0004": Reason.EXPIRED,
        "0006": Reason.STATUS,
    }


@pytest.mark.parametrize(
    ("scope", "ask", "reason"),
    [
        ({"agents": ["qa"]}, Ask(role="dev"), Reason.ROLE),
        ({"agents": ["QA"]}, Ask(role="qa"), None),
        ({"agents": ["developer"]}, Ask(role="backend-engineer"), None),
        ({"agents": ["qa"]}, Ask(), None),
        ({"phases": ["review"]}, Ask(phase="plan"), Reason.SCOPE),
        ({"phases": ["review"]}, Ask(role="qa"), None),
        ({"files": ["src/**/*.py"]}, Ask(files=("src/a/b.py",)), None),
        ({"files": ["src/*.py"]}, Ask(files=("src/a/b.py",)), Reason.SCOPE),
        ({"files": ["services/**"]}, Ask(role="backend-engineer", files=("web/a.ts",)), None),
        ({"files": ["services/**"]}, Ask(role="qa", files=("web/a.ts",)), Reason.SCOPE),
        ({"files": []}, Ask(files=("web/a.ts",)), None),
    ],
)
def test_a_scope_holds_only_against_what_was_asked(
    tmp_path: Path, scope: dict[str, Any], ask: Ask, reason: Reason | None
) -> None:
    write(tmp_path / "shop", {".sniper/config.yaml": "ownership: {backend: [services/booking]}\n"})
    library = learnings(tmp_path, record(scope=scope))

    texts, out = composed(library, ask)

    assert [*out.values()] == ([reason] if reason else [])
    assert bool(texts) == (reason is None)


def test_the_limit_and_the_least_confidence_are_settings(tmp_path: Path) -> None:
    config = "learning: {composition_limit: 1, min_confidence: 0.45}\n"
    write(tmp_path / "shop", {".sniper/config.yaml": config})
    names = [f"L-20260504-000{n}" for n in range(3)]
    library = learnings(
        tmp_path, *(record(n, confidence=c) for n, c in zip(names, (0.5, 0.6, 0.42), strict=True))
    )

    texts, out = composed(library, Ask())

    assert len(texts) == 1
    assert out == {"0000": Reason.LIMIT, "0002": Reason.CONFIDENCE}


SIGNAL = """\
type: pr_review_comment
source: "PR 41"
timestamp: "2026-05-03T10:00:00Z"
summary: "Sleeping test"
learning: "Freeze time in every scheduler test"
relevance_tags: [scheduler]
affected_files: ["tests/scheduler/test_tide.py"]
"""


def test_without_learnings_the_best_signals_stand_for_them(tmp_path: Path) -> None:
    put(tmp_path, "signals/20260503-pr-1.yaml", SIGNAL)
    put(tmp_path, "signals/20260503-pr-2.yaml", SIGNAL.replace("scheduler", "web"))
    ask = Ask(files=("tests/scheduler/**",), task="mend the scheduler")

    texts, out = composed(open_shop(tmp_path), ask)
    put(tmp_path, f"learnings/{FREEZE}.yaml", json.dumps(record()))
    later, _ = composed(open_shop(tmp_path), ask)

    assert texts == ["- Freeze time in every scheduler test."]
    assert out == {"pr-2": Reason.SCOPE}
    assert later == ["- [MEDIUM] Freeze time in every scheduler test."]


@pytest.mark.parametrize(
    ("path", "glob", "inside"),
    [
        ("src/a.py", "src/**", True),
        ("src/a/b.py", "**/*.py", True),
        ("a.py", "**/*.py", True),
        ("src/a.pyc", "src/*.py", False),
        ("src/a.ts", "src/*.{ts,tsx}", True),
        ("src/[x.py", "src/[x.py", True),
        ("src/b1", "src/b[0-9]", True),
        ("x" * 40 + "!", "*x" * 20, False),
    ],
)
def test_a_glob_means_what_people_mean(path: str, glob: str, inside: bool) -> None:
    assert is_inside(path, glob) is inside


def test_a_path_overlaps_a_glob_up_to_its_first_wildcard() -> None:
    assert overlaps("services/", "services/booking/**")
    assert overlaps("services/booking/api.py", "services/**")
    assert not overlaps("services/", "web/**")


def test_velocity_is_shown_and_never_written(tmp_path: Path) -> None:
    put(tmp_path, "velocity.yaml", "executions: 3\n")

    (source,) = open_shop(tmp_path).of_format("learning")

    assert [each.field for each in source.problems] == ["executions"]
    assert not source.is_writable
