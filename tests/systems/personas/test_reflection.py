import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from remem.core.agent.untrusted_text import BadAnswer
from remem.systems.personas.lessons.reflection import LESSONS, bullets_in, read_lessons

KEY = "AKIA" + "Q7XW3MZK2PLV5TRB"


def test_the_lines_that_begin_with_a_dash_are_the_lessons() -> None:
    lessons = read_lessons("- Retries need a cap\n- Ask for the failing input first\n")

    assert lessons.texts == ("Retries need a cap", "Ask for the failing input first")
    assert lessons.notes == ()


def test_markdown_around_the_bullets_is_left_out_and_named() -> None:
    answer = "Sure, here they are:\n\n```markdown\n## Lessons\n- Retries need a cap\n```\nBye\n"

    lessons = read_lessons(answer)

    assert lessons.texts == ("Retries need a cap",)
    assert lessons.notes == (
        "dropped from the answer: 2 lines outside the bullets, `Sure, here they are:`",
    )


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param("I learnt nothing today.\n", id="prose"),
        pytest.param("", id="empty"),
        pytest.param("-\n- \n-   \n", id="dashes alone"),
        pytest.param("--- \n***\n", id="rules"),
    ],
)
def test_an_answer_without_bullets_says_so(answer: str) -> None:
    with pytest.raises(BadAnswer, match="no line that begins with `- `") as caught:
        read_lessons(answer)

    assert "--answer FILE" in caught.value.hint


def test_400_bullets_are_no_answer() -> None:
    flood = "".join(f"- Lesson number {number}\n" for number in range(400))

    with pytest.raises(BadAnswer, match=r"400 bullets \(limit 3\)"):
        read_lessons(flood)


def test_a_few_bullets_too_many_leave_the_first_ones() -> None:
    lessons = read_lessons("- one lesson\n- another\n- a third\n- a fourth\n- a fifth\n")

    assert lessons.texts == ("one lesson", "another", "a third")
    assert lessons.notes == (f"dropped from the answer: 2 further bullets (limit {LESSONS})",)


def test_a_wrapped_bullet_is_one_line() -> None:
    assert bullets_in("- The cache has\n  to be warm\n\n  not this\n")[0] == [
        "The cache has to be warm"
    ]


@pytest.mark.parametrize("mark", ["*", "+", "•", "1.", "2)"])
def test_other_marks_of_a_list_count_where_there_is_no_dash(mark: str) -> None:
    assert read_lessons(f"{mark} Retries need a cap\n").texts == ("Retries need a cap",)
    assert read_lessons(f"- A dash\n{mark} Another\n").texts == ("A dash",)


def test_a_bullet_that_is_a_page_is_left_out_with_its_length() -> None:
    lessons = read_lessons(f"- {'word ' * 200}\n- Retries need a cap\n")

    assert lessons.texts == ("Retries need a cap",)
    assert "has 999 characters and was dropped" in lessons.notes[0]


def test_a_secret_is_blacked_out_before_anyone_keeps_it() -> None:
    lessons = read_lessons(f"- The deploy key is {KEY}\n")

    assert KEY not in lessons.texts[0]
    assert lessons.notes == ("a secret in the answer was redacted",)


def test_the_same_bullet_twice_is_one_lesson() -> None:
    assert read_lessons("- Retries need a cap\n- Retries need a cap\n").texts == (
        "Retries need a cap",
    )


PIECES = st.sampled_from(["- ", "* ", "1. ", "  ", "\n", "\r\n", "\0", "\u2028", "```", "# ", "-"])


@settings(max_examples=80)
@given(text=st.lists(PIECES | st.text(max_size=6), max_size=20).map("".join))
@example(text="- a\0b\n")
@example(text="- a\u2028- b\x85- c")
def test_whatever_is_answered_a_lesson_is_one_plain_line(text: str) -> None:
    try:
        lessons = read_lessons(text)
    except BadAnswer:
        return

    assert 1 <= len(lessons.texts) <= LESSONS
    for lesson in lessons.texts:
        assert lesson == lesson.strip()
        assert len(lesson.splitlines()) == 1
        assert "\0" not in lesson
