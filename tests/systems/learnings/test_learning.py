"""What waits, what a person decides on learnings, and that undo would have all it needs."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests.learning_files import FOLDER, FREEZE, learnings, path_of, put, record
from tests.sniper_files import carry_out, open_shop, write

from remem.base.errors import NotPossible, Refused, Unacknowledged
from remem.core.library import Library
from remem.core.verbs.verbs import plan
from remem.core.waiting.kinds import decided
from remem.core.waiting.queue import queue
from remem.core.waiting.rejected import suppressed
from remem.model.change import Delete, Intent, Move
from remem.model.entry import Status
from remem.systems.learnings.records import Learning
from remem.systems.learnings.source import record_of
from remem.views import confidence_history as drawn
from remem.views.confidence_history import trajectory

SIGNAL = """\
type: manual
source: Priya
timestamp: "2026-05-03T10:00:00Z"
summary: "Boards show the age of what they show"
affected_files: ["boards/**"]
"""
RETRO = """\
protocol: feature
completed_at: "2026-05-04T12:00:00Z"
findings:
  went_well: ["The pier was dry"]
  needs_improvement: ["Reviews take a tide"]
  action_items:
    - "Freeze time in every scheduler test!"
    - "Name the harbour in every log line"
    - detail: "Ask before a berth moves"
  learning_ids: [L-20260504-7be1]
"""
PROTOCOL = "SNPR-20260504-19aa"


def decide(library: Library, verb: str, *names: str, **arguments: Any) -> Library:
    shown = {library.resolve(f"learning:{name}").ref: "" for name in names}
    return carry_out(library, plan(library, Intent(verb, shown, arguments)))


def of(library: Library, name: str = FREEZE) -> Learning:
    found = record_of(library.source_of(library.resolve(f"learning:{name}")))
    assert found is not None
    return found


def test_a_draft_waits_and_approving_it_is_an_event(tmp_path: Path) -> None:
    library = learnings(tmp_path, record(status="draft"))
    (item,) = queue(library)

    after = decide(library, "approve", FREEZE)

    assert (item.kind, item.why) == ("learning", "draft")
    assert of(after).status == "active"
    (told,) = of(after).history
    assert (told.event, told.actor, told.confidence_delta) == ("confidence_adjusted", "human", 0)
    assert told.detail == "approved: draft -> active"
    assert of(after).updated_at == "2026-05-05T09:30:00Z"
    assert queue(after) == ()


def test_a_rejected_draft_stays_as_wrong_and_does_not_come_back(tmp_path: Path) -> None:
    library = learnings(tmp_path, record(status="draft"))

    after = decide(library, "reject", FREEZE, reason="The fixture does it")

    assert (of(after).status, of(after).confidence) == ("deprecated", 0.0)
    assert of(after).history[-1].event == "human_invalidated"
    assert after.resolve(f"learning:{FREEZE}").status is Status.INVALID
    assert suppressed(after, "learning", "freeze time in every scheduler test.") is not None


@pytest.mark.parametrize(
    ("fields", "why", "event"),
    [
        ({"expires_at": "2026-05-05T00:00:00Z"}, "expired on", "confidence_adjusted"),
        (
            {"history": [{"timestamp": "2026-05-04T11:00:00Z", "event": "recurrence_detected"}]},
            "the problem recurred",
            "human_confirmed",
        ),
    ],
)
def test_what_is_in_force_may_wait_and_approving_keeps_it(
    tmp_path: Path, fields: dict[str, Any], why: str, event: str
) -> None:
    library = learnings(tmp_path, record(**fields))
    (item,) = queue(library)

    after = decide(library, "approve", FREEZE)

    assert item.why.startswith(why)
    assert of(after).history[-1].event == event
    assert of(after).expires_at == ""
    assert queue(after) == ()


def test_two_sure_opposites_wait_until_one_is_confirmed(tmp_path: Path) -> None:
    other = "L-20260505-0002"
    library = learnings(tmp_path, record(confidence=0.8), record(other, confidence=0.7))

    both = decide(library, "learn.contradict", FREEZE, other)
    after = decide(decide(both, "approve", FREEZE), "learn.invalidate", other)

    assert len(queue(both)) == 2
    assert (of(after).confidence, of(after, other).status) == (0.9, "deprecated")
    assert queue(after) == ()


def test_a_signal_becomes_a_learning_and_its_file_goes_to_the_archive(tmp_path: Path) -> None:
    put(tmp_path, "signals/20260503-manual-1.yaml", SIGNAL)
    library = open_shop(tmp_path)
    (item,) = queue(library)

    change = plan(library, Intent("approve", {item.ref: item.digest}))

    (move,) = (effect for effect in change.effects if isinstance(effect, Move))
    assert move.target == tmp_path / "shop/.sniper/memory/archive/signals/20260503-manual-1.yaml"
    after = library.preview(change.effects)
    (entry,) = after.of_kind("learning")
    found = of(after, entry.ref.id)
    assert (found.learning, found.confidence) == ("Boards show the age of what they show", 0.9)
    assert (found.source.type, found.scope.files) == ("human", ("boards/**",))
    assert queue(after) == ()


def test_a_protocols_retro_proposes_what_its_learnings_do_not_say(tmp_path: Path) -> None:
    learnings(tmp_path, record())
    write(tmp_path / "shop", {f".sniper/retros/{PROTOCOL}.yaml": RETRO})
    library = open_shop(tmp_path)
    items = {item.title: item for item in queue(library)}

    item = items["Name the harbour in every log line"]
    after = carry_out(library, plan(library, Intent("approve", {item.ref: item.digest})))

    assert [*items] == [
        "Reviews take a tide",
        "Name the harbour in every log line",
        "Ask before a berth moves",
    ]
    (made,) = (e for e in after.of_kind("learning") if e.title == item.title)
    found = of(after, made.ref.id)
    assert (found.status, found.confidence) == ("active", 0.5)
    assert (found.source.type, found.source.protocol_id) == ("retro", PROTOCOL)
    assert item.title not in {each.title for each in queue(after)}


def test_a_protocols_retro_proposes_only_so_many(tmp_path: Path) -> None:
    write(
        tmp_path / "shop",
        {
            ".sniper/config.yaml": "learning: {max_per_retro: 2}\n",
            f".sniper/retros/{PROTOCOL}.yaml": RETRO,
        },
    )

    titles = [item.title for item in queue(open_shop(tmp_path))]

    assert titles == ["Freeze time in every scheduler test!", "Name the harbour in every log line"]


def test_a_finding_that_says_the_same_reinforces_once(tmp_path: Path) -> None:
    learnings(tmp_path, record())
    write(tmp_path / "shop", {f".sniper/retros/{PROTOCOL}.yaml": RETRO})
    library = open_shop(tmp_path)
    finding = library.resolve(f"sniper:{PROTOCOL}/action_items/2")
    intent = Intent("merge", {finding.ref: ""}, {"into": f"learning:{FREEZE}"})

    after = carry_out(library, plan(library, intent))

    assert (of(after).confidence, of(after).reinforced_by) == (0.65, (PROTOCOL,))
    with pytest.raises(NotPossible):
        plan(after, intent)


def test_a_finding_that_was_merged_into_a_learning_of_other_words_no_longer_waits(
    tmp_path: Path,
) -> None:
    learnings(tmp_path, record())
    write(tmp_path / "shop", {f".sniper/retros/{PROTOCOL}.yaml": RETRO})
    library = open_shop(tmp_path)
    items = {item.title: item for item in queue(library)}
    item = items["Name the harbour in every log line"]
    intent = Intent("merge", {item.ref: item.digest}, {"into": f"learning:{FREEZE}"})

    after = carry_out(library, plan(library, intent))

    assert item.title not in {each.title for each in queue(after)}
    found = decided(after, after.entry(item.ref))
    assert found is not None
    assert found.told(after) == f"merged into `learning:{FREEZE}`"
    again = plan(after, Intent("approve", {item.ref: item.digest}))
    assert again.effects == ()


def test_a_merge_is_one_change_and_the_second_time_there_is_nothing_to_merge(
    tmp_path: Path,
) -> None:
    other = "L-20260505-0002"
    library = learnings(
        tmp_path,
        record(reinforced_by=["E-1"]),
        record(other, learning="freeze time in every scheduler test.", confidence=0.7),
    )

    change = plan(library, Intent("learn.merge", {}, {"proposed": True}))
    after = carry_out(library, change)

    assert of(after, other).reinforced_by == ("E-1",)
    assert of(after).superseded_by == other
    assert after.resolve(f"learning:{FREEZE}").status is Status.SUPERSEDED
    with pytest.raises(NotPossible):
        plan(after, Intent("learn.merge", {}, {"proposed": True}))


TWIN = "L-20260505-0002"
CONFIG = ".sniper/config.yaml"


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"learning": "Freeze the time in every scheduler test"}, id="near"),
        pytest.param({"correction": "Let the clock run"}, id="other-correction"),
    ],
)
def test_learnings_whose_texts_differ_are_united_only_by_a_person_who_names_them(
    tmp_path: Path, fields: dict[str, str]
) -> None:
    library = learnings(tmp_path, record(), record(TWIN, **fields))

    with pytest.raises(NotPossible, match="no duplicate learnings"):
        plan(library, Intent("learn.merge", {}, {"proposed": True}))

    named = {library.resolve(f"learning:{name}").ref: "" for name in (FREEZE, TWIN)}
    assert plan(library, Intent("learn.merge", named)).effects


def test_the_same_learnings_are_not_united_while_something_in_force_may_say_otherwise(
    tmp_path: Path,
) -> None:
    against = record("L-20260506-0003", learning="Never freeze time in a scheduler test")
    library = learnings(tmp_path, record(), record(TWIN), against)

    with pytest.raises(NotPossible):
        plan(library, Intent("learn.merge", {}, {"proposed": True}))


def test_a_learning_decays_only_by_name_while_something_in_force_may_say_otherwise(
    tmp_path: Path,
) -> None:
    told = {"as_of": "2026-09-02"}
    other = record("L-20260506-0003", learning="Berths are numbered from the pier")
    against = record(TWIN, learning="Never freeze time in a scheduler test")
    library = learnings(tmp_path, record(), against, other)

    change = plan(library, Intent("learn.decay", {}, told))
    after = carry_out(library, change)
    named = plan(
        library, Intent("learn.decay", {library.resolve(f"learning:{FREEZE}").ref: ""}, told)
    )

    assert [ref.id for ref in change.touched] == [other["id"]]
    assert (of(after).confidence, of(after, TWIN).confidence) == (0.5, 0.5)
    assert "Never freeze time in a scheduler test" in change.notes[0]
    assert [ref.id for ref in named.touched] == [FREEZE]
    with pytest.raises(NotPossible, match="needs a person"):
        plan(after, Intent("learn.decay", {}, told))


def test_no_learning_decays_or_is_united_by_itself_while_settings_cannot_be_read(
    tmp_path: Path,
) -> None:
    learnings(tmp_path, record(), record(TWIN))
    write(tmp_path / "shop", {CONFIG: "memory: {\n a: x\n"})
    library = open_shop(tmp_path)

    with pytest.raises(NotPossible, match="cannot be read"):
        plan(library, Intent("learn.merge", {}, {"proposed": True}))
    with pytest.raises(NotPossible, match="cannot be read"):
        plan(library, Intent("learn.decay", {}, {"as_of": "2026-09-02"}))


def test_decay_is_one_change_for_all_and_twice_is_once(tmp_path: Path) -> None:
    library = learnings(tmp_path, record(), record("L-20260504-0002", status="draft"))
    intent = Intent("learn.decay", {}, {"as_of": "2026-09-02"})

    after = carry_out(library, plan(library, intent))

    assert of(after).confidence == 0.45
    with pytest.raises(NotPossible):
        plan(after, intent)


def test_a_file_that_cannot_be_edited_keeps_no_other_learning_from_decaying(
    tmp_path: Path,
) -> None:
    learnings(tmp_path, record(), record("L-20260504-0002", learning="Ask twice before a release"))
    stuck = path_of(tmp_path, "L-20260504-0002")
    stuck.write_text(f"{stuck.read_text()}history: &h []\nreinforced_by: *h\n")
    library = open_shop(tmp_path)
    named = library.resolve("learning:L-20260504-0002").ref

    change = plan(library, Intent("learn.decay", {}, {"as_of": "2026-09-02"}))

    assert of(carry_out(library, change)).confidence == 0.45
    why = "`L-20260504-0002.yaml`: other places use the anchor `&h`"
    assert change.notes == (f"`learning:L-20260504-0002` was left as it is: {why}",)
    with pytest.raises(Refused, match=re.escape(why)):
        plan(library, Intent("learn.decay", {named: ""}, {"as_of": "2026-09-02"}))


@pytest.mark.parametrize(("as_of", "goes"), [("2026-10-31", False), ("2026-11-01", True)])
def test_what_is_deprecated_for_half_a_year_goes_to_the_archive(
    tmp_path: Path, as_of: str, goes: bool
) -> None:
    library = learnings(tmp_path, record(status="deprecated"))
    intent = Intent("learn.prune", {}, {"as_of": as_of})

    if not goes:
        with pytest.raises(NotPossible):
            plan(library, intent)
        return
    change = plan(library, intent)

    (move,) = change.effects
    assert isinstance(move, Move)
    after = library.preview(change.effects)
    assert after.resolve(f"learning:{FREEZE}").status is Status.ARCHIVED
    assert path_of(tmp_path).exists()


def test_what_lies_in_the_archive_is_brought_back_whole(tmp_path: Path) -> None:
    put(tmp_path, f"archive/{FREEZE}.yaml", json.dumps(record(status="deprecated")))
    library = open_shop(tmp_path)

    change = plan(library, Intent("restore", {library.resolve(f"learning:{FREEZE}").ref: ""}))
    after = carry_out(library, change)

    assert any(isinstance(effect, Delete) for effect in change.effects)
    assert of(after).status == "active"
    assert (tmp_path / "shop" / FOLDER / f"{FREEZE}.yaml").exists()
    assert not (tmp_path / "shop/.sniper/memory/archive" / f"{FREEZE}.yaml").exists()


def test_noting_a_protocol_twice_changes_nothing(tmp_path: Path) -> None:
    library = learnings(tmp_path, record())

    after = decide(library, "learn.record", FREEZE, protocol=PROTOCOL)

    assert of(after).applied_in == (PROTOCOL,)
    assert of(after).history == ()
    with pytest.raises(NotPossible):
        decide(after, "learn.record", FREEZE, protocol=PROTOCOL)


def test_a_persons_learning_is_in_force_and_an_agents_waits(tmp_path: Path) -> None:
    library = learnings(tmp_path)
    mine = decide(library, "learn.add", fields={"learning": "Ask the pier first"})
    theirs = decide(
        mine, "learn.add", fields={"learning": "Bring a rope", "source": {"type": "retro"}},
        actor="retro-analyst",
    )  # fmt: skip

    found = {
        of(theirs, e.ref.id).learning: of(theirs, e.ref.id) for e in theirs.of_kind("learning")
    }

    assert found["Ask the pier first"].status == "active"
    assert found["Ask the pier first"].confidence == 0.9
    assert found["Bring a rope"].status == "draft"
    assert found["Bring a rope"].confidence == 0.5
    assert found["Bring a rope"].history[0].actor == "retro-analyst"
    assert len(found) == 2


def test_an_override_is_a_little_less_sure(tmp_path: Path) -> None:
    library = learnings(tmp_path)

    after = decide(library, "learn.add", fields={"learning": "Ask first"}, override=True)

    (entry,) = after.of_kind("learning")
    assert of(after, entry.ref.id).confidence == 0.85


def test_a_secret_does_not_become_a_learning_unseen(tmp_path: Path) -> None:
    library = learnings(tmp_path, record(status="draft", learning="Use ghp_" + "a1B2" * 9))

    with pytest.raises(Unacknowledged):
        decide(library, "approve", FREEZE)


def test_another_learning_takes_the_place_of_one(tmp_path: Path) -> None:
    other = "L-20260505-0002"
    library = learnings(tmp_path, record(), record(other, learning="Pass the clock in"))

    after = decide(library, "learn.supersede", FREEZE, by=f"learning:{other}")

    assert (of(after).status, of(after).superseded_by) == ("deprecated", other)
    assert "superseded by" in of(after).history[-1].detail
    with pytest.raises(NotPossible, match="superseded"):
        decide(after, "learn.reinforce", FREEZE, by="E-1")


def test_a_confidence_tells_how_it_came_about(tmp_path: Path) -> None:
    library = learnings(tmp_path, record(history=[
        {"timestamp": "2026-05-04T10:00:00Z", "event": "created", "actor": "retro-analyst"},
        {"timestamp": "2026-05-05T10:00:00Z", "event": "reinforced", "confidence_delta": 0.15},
        {"timestamp": "2026-05-06T10:00:00Z", "event": "recurrence_detected",
         "confidence_delta": -0.2},
    ]))  # fmt: skip

    found = trajectory(library, library.resolve(f"learning:{FREEZE}"))

    assert found is not None
    assert [(row.before, row.delta, row.after) for row in found.rows] == [
        (None, None, 0.55),
        (0.55, 0.15, 0.7),
        (0.7, -0.2, 0.5),
    ]
    assert found.points == (0.55, 0.7, 0.5)
    assert found.up is not None
    assert (found.up.at, found.up.away) == (0.7, "2 reinforcements")
    assert found.down is not None
    assert (found.down.at, found.down.away) == (0.4, "3 idle steps")
    assert drawn.sparkline(found.points) == "▅▆▅"
    first, *_ = drawn.lines(found)
    assert "".join(each.text for each in first) == "confidence 0.5 ▅▆▅ active · 3 events"


def test_a_confidence_that_nobody_wrote_is_about_what_it_is_read_as(tmp_path: Path) -> None:
    library = learnings(tmp_path, record(confidence=None))

    found = trajectory(library, library.resolve(f"learning:{FREEZE}"))

    assert found is not None
    assert (found.now, found.approximate) == (0.5, True)
    assert drawn.summary(found)[1].text == "≈0.5"
