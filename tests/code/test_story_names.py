import pytest

from remem.code.commit_facts import stories_in, story_in

KNOWN = {f"s{number:02}": f"S{number:02}" for number in range(1, 13)}


@pytest.mark.parametrize(
    ("subject", "stories"),
    [
        ("feat(S07-S09): the board", ("S07", "S08", "S09")),
        ("feat(S07-09): the board", ("S07", "S08", "S09")),
        ("feat: sprint 1 (S01, S02, S04)", ("S01", "S02", "S04")),
        ("test(S05)!: engine", ("S05",)),
        ("s02 and S05 meet", ("S02", "S05")),
        ("[STORY-7] login", ("STORY-7",)),
        ("fix(UTF-8): decode", ()),
        ("use S3 and ES06", ()),
        ("Story 4 is done", ()),
    ],
)
def test_a_subject_names_what_is_known_anywhere_and_the_rest_only_at_its_head(
    subject: str, stories: tuple[str, ...]
) -> None:
    assert stories_in(subject, KNOWN) == stories


def test_stories_that_are_numbered_need_the_word_before_them() -> None:
    known = {str(number): str(number) for number in range(1, 9)}

    assert stories_in("feat: engine for stories 4-6 and 8", known) == ("4", "5", "6", "8")
    assert stories_in("fix: 3 bugs in step 4", known) == ()


def test_a_scope_may_call_a_numbered_story_by_a_letter() -> None:
    known = {str(number): str(number) for number in range(1, 9)}

    assert stories_in("feat(S5): overlays", known) == ("5",)
    assert stories_in("feat(S05-S07): overlays", known) == ("5", "6", "7")
    assert stories_in("use S3 for uploads", known) == ()
    assert stories_in("feat(S5): overlays", {}) == ()


def test_a_range_without_end_names_no_million_of_stories() -> None:
    assert len(stories_in("feat(S01-S9999999): all", {})) == 2
    assert len(stories_in("feat(S01-S9999): all", {})) == 102


def test_a_standard_is_no_branch_s_story() -> None:
    assert story_in("fix/RFC-2119-words", {}) == ""
