from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remem.core.agent.untrusted_text import BadAnswer
from remem.edit.yaml_write import render
from remem.systems.sniper.retro.retro_answer import Reading, read_answer
from remem.systems.sniper.retro.retro_record import read_retro

STORIES = ("STORY-1", "STORY-2", "STORY-3", "STORY-4", "STORY-5")
GOOD = """\
findings:
  new_conventions:
    - rule: "Every importer is idempotent"
      confidence: high
      evidence: "4 of 5 stories"
      recommendation: codify
      applies_to: [backend-engineer]
  new_anti_patterns:
    - description: "Dates are compared as text"
      occurrences: 3
      stories: [STORY-1, story-3]
      recommendation: codify
      severity: high
      applies_to: [backend-engineer]
  estimation_calibration:
    patterns: ["Stories with migrations take +30%"]
  positive_patterns:
    - "Each story has a test of its own"
"""


def read(text: str, stories: Sequence[str] = STORIES, total: int = 5) -> Reading:
    return read_answer(text, stories, total)


def convention(evidence: str, **other: str) -> str:
    lines = "".join(f"      {name}: {value}\n" for name, value in other.items())
    return (
        "findings:\n  new_conventions:\n    - rule: Be brief\n"
        f"      evidence: {evidence}\n      recommendation: codify\n{lines}"
    )


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(GOOD, id="bare"),
        pytest.param(f"```yaml\n{GOOD}```\n", id="fenced"),
        pytest.param(f"Here it is:\n\n```yaml\n{GOOD}```\n\nHope it helps!", id="prose-and-fence"),
        pytest.param(f"Here it is:\n{GOOD}\nHope it helps: a lot.", id="prose-without-fence"),
        pytest.param(f"~~~\n{GOOD}~~~", id="tildes"),
        pytest.param(f"```\nnot: this\n```\n\n````yml\n{GOOD}````", id="second-fence"),
        pytest.param(
            "  ```yaml\n" + "".join(f"  {line}\n" for line in GOOD.splitlines()), id="open"
        ),
        pytest.param(f"sprint: 99\ndate: never\n{GOOD}", id="with-a-head"),
        pytest.param("\ufeff" + GOOD.replace("\n", "\r\n"), id="bom-and-crlf"),
        pytest.param(
            "".join(f"{line[2:]}\n" for line in GOOD.splitlines()[1:]), id="without-findings"
        ),
    ],
)
def test_findings_are_found_in_what_stands_around_them(answer: str) -> None:
    found = read(answer)

    assert [each["rule"] for each in found.conventions] == ["Every importer is idempotent"]
    assert [each["stories"] for each in found.anti_patterns] == [["STORY-1", "STORY-3"]]
    assert found.estimation == ("Stories with migrations take +30%",)
    assert found.positive == ("Each story has a test of its own",)
    assert found.notes == ()


def test_what_is_taken_is_what_a_retro_has() -> None:
    found = read(GOOD)

    assert found.conventions[0] == {
        "rule": "Every importer is idempotent",
        "confidence": "high",
        "evidence": "4 of 5 stories",
        "recommendation": "codify",
        "applies_to": ["backend-engineer"],
    }
    assert found.anti_patterns[0]["recommendation"] == "codify"


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        pytest.param("I could not find anything, sorry.", "no `findings`", id="prose"),
        pytest.param("findings:\n  new_conventions: [a\n", "not YAML in line", id="cut-off"),
        pytest.param("findings: none\n", "no `findings`", id="a-word"),
        pytest.param("- a\n- b\n", "no `findings`", id="a-list"),
        pytest.param("findings:\n  - rule: a\n", "not sorted by kind: `new_c", id="unsorted"),
        pytest.param("```yaml\nfindings:\n  a: b: c\n```", "not YAML in line 3", id="fenced"),
        pytest.param("```\nfindings: {}\n---\na: 1\n```", "not YAML", id="two-documents"),
        pytest.param("findings:\n" + "  a: 1\n" * 50_000, "bytes", id="too-big"),
        pytest.param("findings: " + "[" * 100_000, "nested too deeply", id="deep"),
    ],
)
def test_an_answer_without_findings_is_refused_with_what_to_do(answer: str, words: str) -> None:
    with pytest.raises(BadAnswer) as caught:
        read(answer)

    assert words in str(caught.value)
    assert caught.value.hint


@pytest.mark.parametrize(
    ("evidence", "reason"),
    [
        pytest.param("2 of 5 stories", "2 of 5 stories, less than 60%", id="too-few"),
        pytest.param(
            "1 of 1 stories", "counts `1 of 1` stories, and there were 5", id="other-total"
        ),
        pytest.param("7 of 5 stories", "counts `7 of 5`", id="impossible"),
        pytest.param('""', "has no evidence", id="none"),
        pytest.param("seen all over", "fewer than 2 stories", id="vague"),
        pytest.param("STORY-1 and STORY-2", "2 of 5 stories", id="two-names"),
        pytest.param("STORY-1, STORY-8, STORY-9", "fewer than 2 stories", id="strange-names"),
    ],
)
def test_what_the_analysts_rules_speak_against_is_only_watched(evidence: str, reason: str) -> None:
    found = read(convention(evidence))

    assert [each["recommendation"] for each in found.conventions] == ["monitor"]
    [note] = found.notes
    assert reason in note
    assert note.startswith("line 3 of the answer: `Be brief`")


@pytest.mark.parametrize("evidence", ["3 of 5 stories", "3/5", "(story-1, STORY-2; STORY-5)"])
def test_six_in_ten_stories_are_enough(evidence: str) -> None:
    found = read(convention(evidence))

    assert [each["recommendation"] for each in found.conventions] == ["codify"]
    assert found.notes == ()


def test_without_known_stories_the_evidence_is_held_against_itself() -> None:
    few, enough = (read(convention(f"{n} of 4 stories"), (), 0) for n in (2, 3))

    assert few.conventions[0]["recommendation"] == "monitor"
    assert enough.conventions[0]["recommendation"] == "codify"


@pytest.mark.parametrize(
    ("stories", "recommended"),
    [
        ("[STORY-1, STORY-2]", "codify"),
        ("[STORY-1]", "monitor"),
        ("[STORY-1, story-1]", "monitor"),
        ("[STORY-1, STORY-77]", "monitor"),
        ("[]", "monitor"),
    ],
)
def test_a_mistake_has_to_show_in_two_stories_of_the_sprint(stories: str, recommended: str) -> None:
    found = read(
        "findings:\n  new_anti_patterns:\n    - description: Dates as text\n"
        f"      occurrences: 9\n      stories: {stories}\n      recommendation: codify\n"
    )

    assert [each["recommendation"] for each in found.anti_patterns] == [recommended]
    assert "STORY-77" not in str(found.anti_patterns)


def test_who_names_strange_stories_is_not_believed_how_often_it_happened() -> None:
    text = GOOD.replace("[STORY-1, story-3]", "[STORY-1, STORY-2, STORY-88]")

    said = [
        each.replace("occurrences: 3", "occurrences: 3\n      confidence: high")
        for each in (GOOD, text)
    ]

    [believed], [strange] = (read(each).anti_patterns for each in said)

    assert (believed["occurrences"], believed["confidence"]) == (3, "high")
    assert (strange["occurrences"], strange["confidence"]) == (2, "medium")


def test_no_confidence_is_written_that_the_agent_did_not_state() -> None:
    [mistake] = read(GOOD).anti_patterns

    assert mistake["occurrences"] == 3
    assert "confidence" not in mistake


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        pytest.param(
            "  new_ideas: [a]", "line 2 of the answer: `new_ideas` is not a kind", id="kind"
        ),
        pytest.param("  new_conventions:\n  - evidence: x", "has no text", id="no-text"),
        pytest.param("  new_conventions: yes please", "is not a list", id="no-list"),
        pytest.param("  positive_patterns: [{a: 1}]", "this is not text", id="a-mapping"),
        pytest.param(f"  positive_patterns: [{'x' * 2_001}]", "more than 2,000", id="long"),
        pytest.param("  review_gate_failures: [{pattern: x}]", "are measured", id="measured"),
        pytest.param(
            "  positive_patterns: [" + "a, " * 150 + "]", "more than 100 findings", id="many"
        ),
    ],
)
def test_what_is_left_out_is_said_with_its_place(lines: str, words: str) -> None:
    found = read(f"findings:\n{lines}\n")

    assert any(words in note for note in found.notes)
    assert all("of the answer" in note or "more note" in note for note in found.notes)
    assert len(found.notes) <= 2


def test_hidden_characters_are_kept_and_named() -> None:
    found = read('findings:\n  positive_patterns: ["all\\u202e good", "\\e[2J"]\n')

    assert found.positive == ("all\u202e good", "\x1b[2J")
    assert len(found.notes) == 2
    assert all("it needs your review" in note for note in found.notes)


def test_a_secret_is_blacked_out() -> None:
    key = "ghp_" + "a1B2" * 9

    found = read(f'findings:\n  positive_patterns: ["We use {key}"]\n')

    assert key not in str(found)
    assert any("redacted" in note for note in found.notes)


def test_a_flood_of_notes_is_cut() -> None:
    found = read("findings:\n" + "".join(f"  kind_{n}: []\n" for n in range(500)) + "  x: 1\n")

    assert len(found.notes) == 41
    assert found.notes[-1] == "461 more notes"


def test_aliases_that_multiply_are_no_trap() -> None:
    bomb = "findings:\n  a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"  {name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n"
        for before, name in zip("abcdefgh", "bcdefghi", strict=True)
    )

    try:
        found = read(bomb + "  positive_patterns: [*i]\n")
    except BadAnswer:
        return

    assert len(str(found)) < 100_000


WORDS = st.sampled_from(
    [
        "codify",
        "high",
        "4 of 5 stories",
        "STORY-1",
        "",
        "\x1b[31m",
        "a: b",
        "# c",
        "- d",
        "\u202e",
        3,
    ]
)
ITEMS = st.lists(
    st.one_of(
        WORDS,
        st.none(),
        st.dictionaries(
            st.sampled_from(
                ["rule", "description", "pattern", "evidence", "recommendation", "confidence",
                 "stories", "occurrences", "severity", "applies_to", "text", "failures"]
            ),
            WORDS | st.lists(WORDS, max_size=3),
            max_size=6,
        ),
    ),
    max_size=4,
)  # fmt: skip
SECTIONS = st.sampled_from(
    ["new_conventions", "new_anti_patterns", "review_gate_failures", "positive_patterns", "other"]
)


@settings(max_examples=150)
@given(
    found=st.dictionaries(SECTIONS, ITEMS | WORDS, max_size=4),
    prose=st.sampled_from(["", "So:\n", "```yaml\n", "> quoted\n"]),
)
def test_whatever_is_taken_reads_as_a_retro_without_faults(
    found: dict[str, Any], prose: str
) -> None:
    text = prose + render({"findings": found}).decode()

    try:
        taken = read(text)
    except BadAnswer:
        return

    retro = read_retro(
        {
            "sprint": 1,
            "findings": {
                "new_conventions": list(taken.conventions),
                "new_anti_patterns": list(taken.anti_patterns),
                "positive_patterns": list(taken.positive),
            },
        }
    )
    assert retro.faults == ()
    assert [fault for finding in retro.findings for fault in finding.faults] == []
    assert all(finding.text.strip() for finding in retro.findings)


def outcome(text: str) -> str:
    try:
        return str(read(text))
    except BadAnswer as refused:
        return refused.hint


@settings(max_examples=150)
@given(text=st.text("findgs:\n -`~\ty{}[]&*!|>'\"#\x1b%@", max_size=80))
def test_any_text_is_read_or_refused(text: str) -> None:
    assert outcome(text)
