"""A role reads of a story's briefing what is for it, and why it does not get the rest is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.shaktra_briefs import FILES, STORIES, open_files
from tests.shaktra_files import file_of, principle

from remem.core.library import Library
from remem.core.prompt.compose import compose
from remem.core.prompt.counter import Estimate
from remem.model.entry import Ref
from remem.model.prompt import Ask, Prompt, Reason

BRIEFING = f"{STORIES}/ST-040/.briefing.yml"
WRITTEN = """\
# By the orchestrator
story_context: {id: ST-040, keywords: [refund]}
relevant_principles:
  - id: PR-002
    text: "Cents, always"
    confidence: 0.84
    guidance: ["Parse once"]
    relevance: "Refunds are money."
    roles: [developer, sw-quality]
  - {id: PR-001, text: "Answer first", confidence: 0.76, roles: [developer],
     relevance: "A webhook."}
relevant_anti_patterns:
  - {id: AP-001, failed_approach: "Catch all", recommended_approach: "Catch some", severity: P1,
     relevance: "It calls the bank.", roles: [sw-quality]}
relevant_procedures: []
"""


def composed(library: Library, ask: Ask) -> Prompt:
    return compose(library, ask, Estimate())


def reasons(prompt: Prompt) -> dict[str, Reason | None]:
    return {verdict.ref.id: verdict.reason for verdict in prompt.verdicts}


def test_a_role_gets_exactly_its_part_of_the_briefing(tmp_path: Path) -> None:
    library = open_files(tmp_path, {**FILES, BRIEFING: WRITTEN})

    prompt = composed(library, Ask(role="developer", story="ST-040"))

    assert prompt.text == (
        "## Briefing\n\n### Principles\n\n"
        "- **PR-002** (0.84) Cents, always\n  - Parse once\n"
        "- **PR-001** (0.76) Answer first"
    )


def test_another_role_gets_another_part(tmp_path: Path) -> None:
    library = open_files(tmp_path, {**FILES, BRIEFING: WRITTEN})

    prompt = composed(library, Ask(role="sw-quality", story="ST-040"))

    assert prompt.text == (
        "## Briefing\n\n### Principles\n\n- **PR-002** (0.84) Cents, always\n  - Parse once\n\n"
        "### Anti-Patterns\n\n- **AP-001** (P1) Catch all → Catch some"
    )


def test_every_entry_has_a_verdict_and_its_reason(tmp_path: Path) -> None:
    library = open_files(tmp_path, {**FILES, BRIEFING: WRITTEN})

    prompt = composed(library, Ask(role="developer", story="ST-040"))

    assert reasons(prompt) == {
        "PR-001": None,
        "PR-002": None,
        "PR-003": Reason.CONFIDENCE,
        "PR-004": Reason.STATUS,
        "AP-001": Reason.ROLE,
        "PC-001": Reason.SCOPE,
        "PC-002": Reason.SCOPE,
    }
    left = prompt.verdict(Ref("shaktra", "PC-002", "shop"))
    assert left is not None
    assert "the briefing of ST-040 was written without it" in left.detail


def test_what_is_in_says_why(tmp_path: Path) -> None:
    library = open_files(tmp_path, {**FILES, BRIEFING: WRITTEN})

    prompt = composed(library, Ask(story="ST-040"))

    found = prompt.verdict(Ref("shaktra", "AP-001", "shop"))
    assert found is not None
    assert found.detail == "It calls the bank"


def test_without_a_briefing_what_would_be_written_is_shown_and_said(tmp_path: Path) -> None:
    library = open_files(tmp_path)

    prompt = composed(library, Ask(role="developer", story="ST-040"))

    assert "**AP-001**" in prompt.text
    assert prompt.notes == ("ST-040 has no briefing yet; showing what `remem brief ST-040` writes",)


def test_another_workflow_brings_other_procedures(tmp_path: Path) -> None:
    library = open_files(tmp_path)

    usual = composed(library, Ask(story="ST-040"))
    mending = composed(library, Ask(story="ST-040", phase="bugfix"))

    assert reasons(usual)["PC-002"] is None
    assert reasons(mending)["PC-002"] is Reason.SCOPE


def test_without_a_story_the_role_gets_the_surest(tmp_path: Path) -> None:
    library = open_files(tmp_path)

    prompt = composed(library, Ask(role="developer"))

    assert [line.ref.id for line in prompt.layers[0].lines if line.ref and "**" in line.text] == [
        *("PR-002", "PR-001"),
        "AP-001",
        "PC-002",
    ]
    assert reasons(prompt)["PC-001"] is Reason.ROLE


def test_what_is_archived_is_said_to_be_so_before_whom_it_is_for(tmp_path: Path) -> None:
    store = ".shaktra/memory/principles.yml"
    kept = principle("PR-001", "Cents, always")
    gone = principle("PR-002", "Floats, never", status="archived")
    library = open_files(tmp_path, {store: file_of("principles", kept, gone)})

    prompt = composed(library, Ask(role="sw-quality"))

    assert reasons(prompt) == {"PR-001": Reason.ROLE, "PR-002": Reason.STATUS}


def test_an_entry_without_text_is_out(tmp_path: Path) -> None:
    store = ".shaktra/memory/principles.yml"
    text = file_of("principles", principle("PR-001", " "), principle("PR-002", "Cents, always"))
    library = open_files(tmp_path, {store: text})

    prompt = composed(library, Ask())

    assert reasons(prompt)["PR-001"] is Reason.STATUS
    assert "PR-001" not in prompt.text
    assert "Cents, always" in prompt.text


def test_a_story_that_is_not_there_is_said_and_changes_nothing(tmp_path: Path) -> None:
    library = open_files(tmp_path)

    prompt = composed(library, Ask(role="developer", story="ST-999"))

    assert prompt.text == composed(library, Ask(role="developer")).text
    assert prompt.notes == ("unknown story `ST-999`; showing the prompt without a story",)


def test_ids_that_no_store_has_are_in_and_named(tmp_path: Path) -> None:
    foreign = WRITTEN.replace("PR-001", "PR-777").replace("PR-002", "PR-004")
    library = open_files(tmp_path, {**FILES, BRIEFING: foreign})

    prompt = composed(library, Ask(role="developer", story="ST-040"))

    assert "**PR-777** (0.76) Answer first" in prompt.text
    assert prompt.notes == (
        "the briefing names `PR-777`, which no store has",
        "the briefing names `PR-004`, no longer active",
    )


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("relevant_principles: [", id="does not parse"),
        pytest.param("- a list", id="no mapping"),
        pytest.param("a: 1\n---\nb: 2\n", id="two documents"),
    ],
)
def test_a_briefing_that_cannot_be_read_is_said_so(tmp_path: Path, text: str) -> None:
    library = open_files(tmp_path, {**FILES, BRIEFING: text})

    prompt = composed(library, Ask(role="developer", story="ST-040"))

    assert "**AP-001**" in prompt.text
    assert prompt.notes[0].startswith("`ST-040/briefing.yml` cannot be read")


def test_fields_of_another_shape_are_read_as_far_as_they_go_and_said(tmp_path: Path) -> None:
    odd = WRITTEN.replace("confidence: 0.84", "confidence: high").replace("P1", "bad")
    library = open_files(tmp_path, {**FILES, BRIEFING: odd})

    prompt = composed(library, Ask(role="sw-quality", story="ST-040"))

    assert "**PR-002** (0.60) Cents, always" in prompt.text
    assert "**AP-001** (P2) Catch all → Catch some" in prompt.text
    assert prompt.notes[0].startswith("in `ST-040/briefing.yml` `relevant_")
    assert prompt.notes[0].endswith("beside 1 other odd field")


def test_a_briefing_with_nothing_for_the_role_gives_no_layer(tmp_path: Path) -> None:
    library = open_files(tmp_path, {**FILES, BRIEFING: WRITTEN})

    prompt = composed(library, Ask(role="sdm", story="ST-040"))

    assert prompt.text == ""
    assert prompt.notes == ("the briefing of ST-040 has nothing for sdm",)


def test_a_root_without_shaktra_has_no_such_layer(tmp_path: Path) -> None:
    library = open_files(tmp_path, {"README.md": "x"})

    assert composed(library, Ask(role="developer", story="ST-040")).layers == ()


PIECES = st.sampled_from(
    [
        "relevant_principles",
        ":",
        "\n",
        "  - ",
        "id",
        ": ",
        "PR-001",
        "[",
        "]",
        "null",
        "{",
        "}",
        "7",
    ]
)


@settings(max_examples=40, deadline=None)
@given(text=st.lists(PIECES | st.text(max_size=4), max_size=14).map("".join))
def test_no_briefing_of_any_bytes_stops_composing(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    folder = tmp_path_factory.mktemp("any")
    library = open_files(folder, {**FILES, BRIEFING: "x: 1\n"})
    path = folder / "shop" / BRIEFING
    path.write_bytes(text.encode("utf-8", "surrogatepass"))

    prompt = composed(library.refresh({path}), Ask(role="developer", story="ST-040"))

    assert {"PR-001", "AP-001"} <= {verdict.ref.id for verdict in prompt.verdicts}
