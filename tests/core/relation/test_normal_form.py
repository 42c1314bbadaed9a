"""Which texts are in a language of which we know how it denies."""

from itertools import product

from remem.core.relation.normal_form import is_listed


def test_the_words_and_letters_of_two_texts_tell_their_language_together() -> None:
    english, turkish, german = "lamps are lit at dusk", "her rıhtım için bir fener", "licht brennt"
    for one, other in product((english, turkish, german, "", "渡船 停泊"), repeat=2):
        assert is_listed(one, other) == is_listed(f"{one} {other}")
    assert is_listed(english, german)
    assert not is_listed(turkish, "her ve bir")
