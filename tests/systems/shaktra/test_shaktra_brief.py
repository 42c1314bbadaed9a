"""Writing a briefing changes its own file alone, and only where it says something else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.shaktra_briefs import FILES, MEMORY, PRINCIPLES, STORIES, open_files

from remem.base.errors import NotPossible, Refused, UnsafeName
from remem.core.library import Library
from remem.core.verbs.verbs import plan
from remem.edit.lines import spliced
from remem.edit.yaml_read import parse_document
from remem.model.change import Create, Intent, Splice
from remem.systems.shaktra.brief.brief_plan import Brief, brief_of
from remem.systems.shaktra.brief.briefing import fields_of, story_of
from remem.systems.shaktra.brief.rank import rank
from remem.systems.shaktra.documents import settings_of
from remem.systems.shaktra.layer import held_in
from remem.systems.shaktra.records import SHAKTRA
from remem.systems.shaktra.shaktra_verbs import BRIEF, BriefStory

BRIEFING = f"{STORIES}/ST-040/.briefing.yml"


def intent(story: str = "ST-040", **more: Any) -> Intent:
    return Intent(BRIEF.id, arguments={"story": story, **more})


def judged(library: Library, asked: Intent) -> Brief:
    return brief_of(library, BriefStory.from_json(asked.arguments))


def written(library: Library, asked: Intent) -> bytes:
    """Return what the briefing's file would hold."""
    effects = plan(library, asked).effects
    if isinstance(effects[0], Create):
        assert len(effects) == 1
        return effects[0].data
    splices = [effect for effect in effects if isinstance(effect, Splice)]
    assert len(splices) == len(effects)
    before = library.shown[splices[0].path]
    return spliced(before, splices)


def value_of(data: bytes) -> dict[str, Any]:
    value = parse_document(data).value
    assert isinstance(value, dict)
    return value


def test_a_new_briefing_holds_the_best_entries_with_their_relevance(tmp_path: Path) -> None:
    library = open_files(tmp_path)

    value = value_of(written(library, intent()))

    assert value["story_context"] == {
        "id": "ST-040",
        "keywords": [
            *("amount", "arrives", "bank", "booked", "call", "cents", "payment", "refund"),
            *("refund_worker", "refunds", "webhook", "worker"),
        ],
    }
    assert value["relevant_principles"] == [
        {
            "id": "PR-002",
            "text": "Money is counted in cents from the first line to the last",
            "confidence": 0.84,
            "guidance": ["Parse amounts once, at the border"],
            "relevance": "Its text mentions amount and cents.",
            "roles": ["developer", "sw-quality"],
        },
        {
            "id": "PR-001",
            "text": "Every webhook is answered before it is worked on",
            "confidence": 0.76,
            "guidance": ["Put the body on a queue and answer 202"],
            "relevance": "It is about webhook.",
            "roles": ["developer"],
        },
    ]
    assert value["relevant_anti_patterns"] == [
        {
            "id": "AP-001",
            "failed_approach": "Catching every error around the call of the bank",
            "recommended_approach": "Catch what the bank documents",
            "severity": "P1",
            "relevance": 'Triggered by "call the bank" in the story; '
            "its text mentions bank and call.",
            "roles": ["developer", "sw-quality"],
        }
    ]
    assert [each["id"] for each in value["relevant_procedures"]] == ["PC-002"]


def test_it_lies_in_the_folder_of_its_story(tmp_path: Path) -> None:
    library = open_files(tmp_path)

    (effect,) = plan(library, intent()).effects

    assert isinstance(effect, Create)
    assert effect.path == tmp_path / "shop" / BRIEFING


def test_writing_it_twice_changes_nothing(tmp_path: Path) -> None:
    library = open_files(tmp_path)
    data = written(library, intent()).decode()
    again = open_files(tmp_path / "again", {**FILES, BRIEFING: data})

    assert judged(again, intent()).effects == ()
    with pytest.raises(NotPossible, match="is up to date"):
        plan(again, intent())


def test_comments_and_keys_of_others_stay(tmp_path: Path) -> None:
    held = "# Read me first\nnoted: by hand   # mine\nrelevant_principles: []\n# the end\n"
    library = open_files(tmp_path, {**FILES, BRIEFING: held})

    data = written(library, intent())

    assert data.startswith(b"# Read me first\nnoted: by hand   # mine\nrelevant_principles:")
    assert b"# the end" in data
    assert value_of(data)["noted"] == "by hand"


@pytest.mark.parametrize("held", ["", "# only this\n", "# no line end"])
def test_a_file_without_values_is_filled(tmp_path: Path, held: str) -> None:
    library = open_files(tmp_path, {**FILES, BRIEFING: held})

    data = written(library, intent())

    assert data.startswith(held.encode())
    assert value_of(data)["story_context"]["id"] == "ST-040"


def test_a_briefing_that_cannot_be_read_is_not_written(tmp_path: Path) -> None:
    library = open_files(tmp_path, {**FILES, BRIEFING: "relevant_principles: ["})

    with pytest.raises(Refused, match="cannot be parsed, so it is not overwritten"):
        plan(library, intent())


def test_what_leaves_the_briefing_is_named(tmp_path: Path) -> None:
    held = "relevant_principles:\n  - {id: PR-777, text: Gone, confidence: 0.9, roles: []}\n"
    library = open_files(tmp_path, {**FILES, BRIEFING: held})

    assert "no longer briefed: `PR-777`" in plan(library, intent()).notes


def test_a_story_without_a_file_is_briefed_by_what_is_told(tmp_path: Path) -> None:
    library = open_files(tmp_path)

    change = plan(library, intent("ST-099", title="A webhook for invoices"))

    assert change.title == "Brief ST-099 with 2 entries"
    (effect,) = change.effects
    assert isinstance(effect, Create)
    assert effect.path.parent.name == "ST-099"


def test_files_are_words_and_may_lie_anywhere(tmp_path: Path) -> None:
    library = open_files(tmp_path)
    asked = intent("ST-099", files=["../../etc/webhook.conf", "/money/**/*.py", "C:\\refund.py"])

    found = judged(library, asked)

    assert {each.held.record.id for each in found.ranking.chosen} == {"PR-001", "PR-002", "PC-002"}
    assert {"webhook", "money", "refund"} <= {*found.story.keywords}


@pytest.mark.parametrize("name", ["", ".", "..", "../ST-040", "a/b", "/ST", "con", "x\x00"])
def test_no_name_leads_out_of_the_stories(tmp_path: Path, name: str) -> None:
    library = open_files(tmp_path)

    with pytest.raises((NotPossible, UnsafeName)):
        plan(library, intent(name, title="A webhook"))


def test_a_folder_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    open_files(tmp_path)
    (tmp_path / "shop" / STORIES / "ST-040").symlink_to(elsewhere)
    library = open_files(tmp_path)

    with pytest.raises(UnsafeName):
        plan(library, intent())


def test_an_unknown_story_is_named_with_those_there_are(tmp_path: Path) -> None:
    library = open_files(tmp_path)

    with pytest.raises(NotPossible) as error:
        plan(library, intent("ST-41"))

    assert error.value.hint == "known: `ST-040`"


def test_a_story_that_says_nothing_is_not_briefed(tmp_path: Path) -> None:
    library = open_files(tmp_path, {**FILES, f"{STORIES}/ST-041.yml": "title: To do it\n"})

    with pytest.raises(NotPossible, match="topic of `ST-041` is unknown"):
        plan(library, intent("ST-041"))


def test_a_story_whose_file_cannot_be_read_says_why(tmp_path: Path) -> None:
    library = open_files(tmp_path, {**FILES, f"{STORIES}/ST-041.yml": "title: [\n"})

    with pytest.raises(NotPossible, match="its file cannot be read"):
        plan(library, intent("ST-041"))


def test_an_unknown_workflow_is_refused_with_those_there_are(tmp_path: Path) -> None:
    library = open_files(tmp_path)

    with pytest.raises(NotPossible, match="unknown workflow `tdx`"):
        plan(library, intent(workflow="tdx"))


def test_a_root_without_stores_has_nothing_to_brief(tmp_path: Path) -> None:
    library = open_files(tmp_path, {f"{STORIES}/ST-040.yml": FILES[f"{STORIES}/ST-040.yml"]})

    with pytest.raises(NotPossible, match="no Shaktra memory"):
        plan(library, intent())


def test_settings_move_threshold_and_cap(tmp_path: Path) -> None:
    settings_file = "memory:\n  briefing_confidence_threshold: 0.3\n  max_briefing_entries: 1\n"
    library = open_files(tmp_path, {**FILES, ".shaktra/settings.yml": settings_file})

    ranking = judged(library, intent()).ranking

    assert [each.held.record.id for each in ranking.chosen] == ["AP-001"]
    assert "PR-003" not in {v.ref.id for v in ranking.out if v.reason and v.reason == "confidence"}


def test_hidden_characters_in_an_entry_are_told(tmp_path: Path) -> None:
    hidden = PRINCIPLES.replace("Every webhook", "Every\\u202e webhook")
    library = open_files(tmp_path, {**FILES, f"{MEMORY}/principles.yml": hidden})

    notes = plan(library, intent()).notes

    assert any(note.startswith("`PR-001` holds") for note in notes)


LINES = st.sampled_from(
    [
        "# a comment",
        "relevant_principles: []",
        "relevant_principles:\n  - {id: PR-001, text: Old}",
        "relevant_procedures:\n- id: PC-009\n  text: 'gone'",
        "story_context: {id: other}",
        "mine: [1, 2]   # kept",
        "",
    ]
)


@settings(max_examples=30, deadline=None)
@given(lines=st.lists(LINES, max_size=6, unique_by=lambda line: line.split(":")[0]))
def test_whatever_stood_there_the_file_says_what_is_wanted_and_keeps_the_rest(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str]
) -> None:
    held = "".join(f"{line}\n" for line in lines)
    library = open_files(tmp_path_factory.mktemp("held"), {**FILES, BRIEFING: held})
    sources = library.of_format(SHAKTRA)
    story = story_of(sources, "ST-040")
    ranking = rank(story, held_in(sources), settings_of(sources).memory)

    data = written(library, intent())

    value = value_of(data)
    wanted = fields_of(story, ranking)
    assert {name: value[name] for name in wanted} == wanted
    assert (b"# kept" in data) is ("# kept" in held)
    assert data.count(b"# a comment") == held.count("# a comment")
