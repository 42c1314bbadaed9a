"""Few texts are counted as tiktoken counts them, without it."""

import subprocess
import sys
import unicodedata
from pathlib import Path
from weakref import WeakValueDictionary, ref

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from remem.core.prompt import few_texts, tokens
from remem.core.prompt.counter import ENCODINGS, Counter
from remem.core.prompt.few_texts import FewTexts, Ranks
from remem.core.prompt.tokens import _few_texts, exact_counter
from remem.store.io import Disk

FORMS = ("a{c}b", "A{c}b {c}", "1{c}2", " {c}{c}\n", "a'{c} a{c}'s", ".{c}/ {c}x", "\n{c} \n")
"""Where a character may stand in words, beside them and between them."""


@pytest.fixture(scope="module", params=ENCODINGS)
def both(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[FewTexts, Counter]:
    folder = tmp_path_factory.mktemp("vocabulary")
    few = _few_texts(request.param, folder, Disk())
    return few, exact_counter(request.param, folder, Disk())


@pytest.fixture(autouse=True)
def _without_end(monkeypatch: pytest.MonkeyPatch, both: tuple[FewTexts, Counter]) -> None:
    monkeypatch.setattr(both[0], "_left", 1 << 40)


@given(text=st.text())
@example(text="It's 12345 ships, WE'LL see: don’t\r\n\r\n\t  // done  ")
@example(text="─" * 120 + "\n" + "=" * 400 + "\n" + "ab" * 200)
@example(text="<|endoftext|> 日本語のテキスト naïve café 🚀✅ Ünïcödé")
def test_a_text_has_as_many_tokens_as_tiktoken_finds(
    both: tuple[FewTexts, Counter], text: str
) -> None:
    few, whole = both

    assert few.size(text) in (None, whole.count(text))


def test_a_page_of_prose_is_counted_without_tiktoken(both: tuple[FewTexts, Counter]) -> None:
    few, whole = both
    text = Path(__file__).read_text(encoding="utf-8") * 3

    assert few.size(text) == whole.count(text)


def test_counters_share_one_vocabulary_that_goes_with_the_last_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held: WeakValueDictionary[str, Ranks] = WeakValueDictionary()
    monkeypatch.setattr(tokens, "_ranks_in_use", held)
    one = _few_texts("o200k_base", tmp_path / "one", Disk())
    ranks = ref(held["o200k_base"])

    two = _few_texts("o200k_base", tmp_path / "two", Disk())
    assert two.size("a page of prose") == one.size("a page of prose")
    del one
    assert ranks() is held["o200k_base"]

    del two
    assert ranks() is None


@pytest.mark.slow
def test_every_character_is_split_off_as_tiktoken_does_or_left_to_it(
    both: tuple[FewTexts, Counter],
) -> None:
    few, whole = both
    characters = [chr(each) for each in range(0x20000)]

    differ = []
    for at in range(0, len(characters), 64):
        settled = [each for each in characters[at : at + 64] if few.size(each) is not None]
        text = "\n".join("x " + form.format(c=each) for each in settled for form in FORMS)
        if few.size(text) != whole.count(text):
            differ.append((settled[0], settled[-1]))

    assert differ == []


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("a\U0003fffeb", id="a character that nobody has named"),
        pytest.param("a\ud800b", id="half a character"),
        pytest.param("a" * 1_001, id="a word that takes long to merge"),
    ],
)
def test_what_may_be_counted_otherwise_is_left_to_tiktoken(
    both: tuple[FewTexts, Counter], text: str
) -> None:
    assert both[0].size(text) is None


def test_letters_that_came_to_unicode_late_are_left_to_tiktoken(
    both: tuple[FewTexts, Counter],
) -> None:
    late = [
        each for each in map(chr, range(0x1E900, 0x1E944)) if unicodedata.category(each) != "Cn"
    ]

    assert late
    assert all(both[0].size(each) is None for each in late)


def test_from_many_texts_on_tiktoken_counts(
    both: tuple[FewTexts, Counter], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(both[0], "_left", few_texts._MOST)
    text = "Sail at dawn. " * 10_000

    sizes = [both[0].size(text) for _ in range(5)]

    assert sizes == [sizes[0]] * 4 + [None]


COUNTED = """
import sys
from pathlib import Path
from remem.core.prompt import tokens
from remem.store.io import Disk

counter = tokens.exact_counter("o200k_base", Path(sys.argv[1]), Disk(), few=True)
told = [counter.exact, counter.count("hello world"), bool(tokens._encoders)]
told += [counter.count("hello world " * 100_000), bool(tokens._encoders), counter.exact]
print(told)
"""


def test_one_counter_counts_few_texts_without_tiktoken_and_many_with_it(tmp_path: Path) -> None:
    command = [sys.executable, "-c", COUNTED, str(tmp_path)]

    done = subprocess.run(command, capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[True, 2, False, 200001, True, True]"


def test_for_nothing_no_vocabulary_is_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[object] = []
    monkeypatch.setattr(tokens, "_few_texts", lambda *asked: loaded.append(asked))
    counter = exact_counter("o200k_base", tmp_path, Disk(), few=True)

    number = counter.count("")

    assert (number, loaded) == (0, [])
