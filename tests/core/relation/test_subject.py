"""What a text is about, and what makes an automatism wait."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remem.core.relation.content_words import content_words
from remem.core.relation.normal_form import norm
from remem.core.relation.subject import InForce, Overlaps, Standing, against

RULE, WRONG = "convention", "anti_pattern"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Throw errors from services", "Never throw errors from services"),
        ("Throw errors from services", "Throwing an error from a service is forbidden"),
        (
            "API routes must use Zod for validation",
            "API routes must not use Zod for validation of bodies",
        ),
        ("Use named exports", "Use default exports"),
        ("The payment client has a timeout of 30 s", "The search client has a timeout of 5 s"),
        ("Store money as integers", "Store money as integers but timestamps as UTC strings"),
        ("Cache reads in the service layer", "Do not cache reads in the service layer"),
        ("Dienste werfen Fehler", "Dienste werfen niemals Fehler"),
        ("Les services lèvent des erreurs", "Les services ne lèvent jamais des erreurs"),
        ("服务层缓存读取结果", "服务层不要缓存读取结果"),
        ("サービス層で読み取りをキャッシュする", "サービス層で読み取りをキャッシュしない"),
        ("서비스 계층에서 읽기를 캐시한다", "서비스 계층에서 읽기를 캐시하지 않는다"),
    ],
)
def test_opposites_subsets_and_other_numbers_are_about_the_same_and_wait(
    one: str, other: str
) -> None:
    assert against(RULE, one, RULE, other)
    assert against(RULE, other, RULE, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Throw errors from services", "Name tests as sentences"),
        ("Always use strict mode", "Never use default exports"),
        ("Always use tabs", "Always use linters"),
        ("服务层缓存读取结果", "数据库迁移需要评审"),
    ],
)
def test_other_subjects_do_not_wait(one: str, other: str) -> None:
    assert against(RULE, one, RULE, other) is None


def test_the_same_text_waits_in_another_kind_alone() -> None:
    assert against(RULE, "Use default exports.", RULE, "use  default exports") is None
    assert against(RULE, "Use default exports", WRONG, "use default exports.") == (
        "default",
        "exports",
    )
    assert against(RULE, "→", WRONG, "→") == ()


def test_the_explanation_names_the_shared_words_as_the_text_writes_them() -> None:
    assert against(RULE, "Never throw errors from services", RULE, "Throwing an error") == (
        "throw",
        "errors",
    )


def test_numbers_and_code_are_content_and_negations_are_not() -> None:
    assert [*content_words("Do not call `is` with 30 s").values()] == ["call", "is", "30", "s"]
    assert [*content_words("Never use it").values()] == ["never", "use", "it"]


def test_everything_in_force_that_speaks_against_it_is_named_in_order() -> None:
    known = InForce(
        Standing(text, kind, text)
        for kind, text in (
            (RULE, "Throw errors from services"),
            (RULE, "Name tests as sentences"),
            (WRONG, "Never throw errors from services"),
            (RULE, "never throw errors from services."),
        )
    )

    found = known.against(RULE, "Never throw errors from services")

    assert [(each.kind, each.key) for each in found] == [
        (RULE, "Throw errors from services"),
        (WRONG, "Never throw errors from services"),
    ]


WORDS = st.sampled_from(["cache", "reads", "never", "write", "tests", "30", "`is`"])
TEXTS = st.text() | st.lists(WORDS, max_size=6).map(" ".join)


@given(one=TEXTS, other=TEXTS)
def test_waiting_is_mutual_and_never_for_the_same_text(one: str, other: str) -> None:
    there, back = against(RULE, one, RULE, other), against(RULE, other, RULE, one)

    assert (there is None) == (back is None)
    assert norm(one) != norm(other) or there is None


def test_of_very_many_about_the_same_those_that_share_most_are_shown_and_all_are_counted() -> None:
    texts = [f"Count the lamps of quay {name} at dusk" for name in range(200)]
    texts[150] = "Count the lamps of quay 7 at dusk and the ropes beside the pier"
    many = InForce([Standing(number, RULE, text) for number, text in enumerate(texts)])

    found = many.against(RULE, "Count the lamps and the ropes beside the pier of each quay at dusk")
    apart = {norm(text): (lambda key: key < 190) for text in texts}
    without = many.against(RULE, "Count the lamps at dusk", apart)

    assert isinstance(found, Overlaps)
    assert [each.key for each in found] == [*range(200)]
    assert found[3].text == texts[3]
    assert 150 in {each.key for each in found.nearest(12)}
    assert len(found.nearest(12)) == 12
    assert [each.key for each in without] == [*range(190, 200)]


def test_texts_are_the_same_by_their_form_and_not_by_its_checksum() -> None:
    """`plumless` and `buckeroo` have one `crc32`; nobody is asked about what others say."""
    known = InForce([Standing(0, RULE, "Plumless"), Standing(1, RULE, "Buckeroo")])
    apart = {norm("plumless"): lambda key: key == 1}

    said = known.against("anti_pattern", "plumless")

    assert [each.key for each in said] == [0]
    assert [each.key for each in known.against("anti_pattern", "plumless", apart)] == [0]
