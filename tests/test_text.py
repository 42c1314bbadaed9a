"""The gate for text that remem did not write."""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from remem.base.text import count, hidden, safe_text

TECHNOLOGIST = "\U0001f469\U0001f3fd\u200d\U0001f4bb"
HEART_ON_FIRE = "\u2764\ufe0f\u200d\U0001f525"
ENGLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
SCOTLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"
OTHER_FLAG = "\U0001f3f4\U000e0065\U000e0076\U000e0069\U000e006c\U000e007f"
PERSIAN = "می\u200cخواهم"
HINDI = "क्\u200dष"
MALAYALAM = "അവന്\u200d വന്നു"

PIECES = st.sampled_from(
    [
        *("a", " ", "é", "界", "\n", "\r\n", "\t", "⟦U+200B⟧", TECHNOLOGIST, HEART_ON_FIRE),
        *(ENGLAND, OTHER_FLAG, PERSIAN, HINDI, "\u200d", "\u200c", "\u200b", "\ufe0f", "\ufe0e"),
        *("\u202e", "\u2066", "\x1b]0;x\x07", "\x9b31m", "\x7f", "\x00", "\u2028", "\ufeff"),
        *("\U000e0041", "\U000e007f", "\ud800", "\ue000", "\ufdd0", "\U0001ffff", "\u3164", "1"),
    ]
)
TEXTS = st.lists(PIECES | st.characters(), max_size=12).map("".join)
LET_THROUGH = frozenset("\u200c\u200d") | frozenset(map(chr, range(0xE0060, 0xE0080)))


def is_drawn(character: str) -> bool:
    """Tell whether a terminal draws it and does nothing else."""
    return unicodedata.category(character) not in {"Cc", "Cs", "Co", "Zl", "Zp"}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("\x1b]0;title\x07", "␛]0;title␇", id="control-pictures"),
        pytest.param("a\x7f", "a␡", id="delete"),
        pytest.param("\U000e0068\U000e0069", "⟦tag:h⟧⟦tag:i⟧", id="tags-decoded"),
        pytest.param("\x9b31m", "⟦U+009B⟧31m", id="c1"),
        pytest.param("a\u202eb", "a⟦U+202E⟧b", id="direction"),
        pytest.param("a\u200bb", "a⟦U+200B⟧b", id="zero-width"),
        pytest.param("\u2800\u3164", "⟦U+2800⟧⟦U+3164⟧", id="blank-signs"),
        pytest.param("so\u00adft", "so⟦U+00AD⟧ft", id="soft-hyphen"),
        pytest.param("a\ufeffb", "a⟦U+FEFF⟧b", id="bom-inside"),
        pytest.param("a\u2065b", "a⟦U+2065⟧b", id="reserved-and-invisible"),
        pytest.param("a\ufe01", "a⟦U+FE01⟧", id="variation-selector"),
        pytest.param("a\U000e0150", "a⟦U+E0150⟧", id="variation-selector-supplement"),
        pytest.param("\ue000\U00100000", "⟦U+E000⟧⟦U+100000⟧", id="private-use"),
        pytest.param("\ufdd0\U0002fffe", "⟦U+FDD0⟧⟦U+2FFFE⟧", id="non-characters"),
        pytest.param("\udc80", "⟦U+DC80⟧", id="lone-surrogate"),
        pytest.param("a\u2028b\u2029", "a⟦U+2028⟧b⟦U+2029⟧", id="separators"),
        pytest.param("a\u200db", "a⟦U+200D⟧b", id="joiner-in-a-latin-word"),
        pytest.param("\U0001f469\u200d\u200d\U0001f4bb", "👩⟦U+200D⟧⟦U+200D⟧💻", id="two-joiners"),
    ],
)
def test_what_a_reader_would_not_see_is_spelled_out(text: str, shown: str) -> None:
    assert safe_text(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        *(
            "plain",
            "naïve façade",
            "日本語",
            "Ελληνικά",
            "a\u00a0b",
            "\ufffd",
            "1\ufe0f\u20e3",
            "\u2764\ufe0f",
        ),
        *(TECHNOLOGIST, HEART_ON_FIRE, ENGLAND, SCOTLAND, PERSIAN, HINDI, MALAYALAM),
    ],
)
def test_emoji_flags_and_words_that_need_a_joiner_stay_whole(text: str) -> None:
    assert safe_text(text) == text
    assert hidden(text) == ()


def test_a_flag_that_nobody_flies_is_decoded() -> None:
    assert safe_text(OTHER_FLAG) == "\U0001f3f4⟦tag:e⟧⟦tag:v⟧⟦tag:i⟧⟦tag:l⟧⟦U+E007F⟧"


def test_line_breaks_stay_in_bodies_and_are_drawn_in_one_line() -> None:
    text = "first\n\tsecond"

    assert safe_text(text) == text
    assert safe_text(text, one_line=True) == "first⏎⇥second"


@given(TEXTS, st.booleans())
@example("\u094d\u200d\u200d", False)
def test_nothing_that_a_terminal_obeys_comes_through(text: str, one_line: bool) -> None:
    shown = safe_text(text, one_line=one_line)

    kept = frozenset() if one_line else frozenset("\n\t")
    assert all(is_drawn(c) or c in kept for c in shown)
    assert not {c for c in shown if unicodedata.category(c) == "Cf"} - LET_THROUGH - _visible()


def _visible() -> frozenset[str]:
    """Format characters that have a shape of their own: number signs of Arabic and Kaithi."""
    signs = (*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD)
    return frozenset(map(chr, signs))


def test_no_character_at_all_comes_through_that_is_not_drawn() -> None:
    everything = "".join(map(chr, range(0x110000)))

    shown = safe_text(everything, one_line=True)

    assert {c for c in shown if not is_drawn(c)} == set()
    assert {c for c in shown if unicodedata.category(c) == "Cf"} <= _visible()


@given(TEXTS, st.booleans())
def test_doing_it_twice_changes_nothing(text: str, one_line: bool) -> None:
    shown = safe_text(text, one_line=one_line)

    assert safe_text(shown, one_line=one_line) == shown


@given(TEXTS)
def test_every_hidden_character_is_named_where_it_stands(text: str) -> None:
    found = hidden(text)

    rebuilt, place = "", 0
    for character in found:
        rebuilt += text[place : character.offset] + character.shown
        place = character.offset + 1
    assert (rebuilt + text[place:]).replace("\r\n", "␍\n") == safe_text(text)
    assert all(character.kind for character in found)


def test_hidden_characters_are_told_by_kind() -> None:
    text = "a\x00\u202e\u200b\U000e0041\ufe00\u3164\ue000\u2028"

    kinds = [character.kind for character in hidden(text)]

    assert kinds == [
        "control",
        "direction",
        "zero width",
        "tag",
        "variation selector",
        "blank",
        "private use",
        "other",
    ]


def test_the_line_ends_of_windows_are_not_hidden_characters() -> None:
    assert hidden("one\r\ntwo\r\n") == ()
    assert [character.shown for character in hidden("over\rwritten")] == ["␍"]


def test_counts_agree_with_their_noun() -> None:
    assert count(1, "entry", "entries") == "1 entry"
    assert count(0, "entry", "entries") == "0 entries"
    assert count(["a", "b"], "token") == "2 tokens"
    assert count(12_345, "byte") == "12,345 bytes"
