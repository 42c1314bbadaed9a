import sys

from remem.core.relation.postings import Marks, Postings, has, note, packed

TEXTS = (("lamp", "harbour"), ("harbour",), ("ferry", "quay"), ("harbour", "quay"))
ONE_MARK = ("plumless", "buckeroo")
"""Two words that have one checksum, `crc32`."""
WHERE = {"lamp": [0], "harbour": [0, 1, 3], "ferry": [2], "quay": [2, 3]}


def _noted() -> Postings:
    noted: Postings = {}
    for place, words in enumerate(TEXTS):
        note(noted, words, place)
    return noted


def test_each_word_leads_to_its_texts_in_order() -> None:
    assert {word: list(places) for word, places in _noted().items()} == WHERE
    assert {word: list(places) for word, places in packed(WHERE).items()} == WHERE


def test_words_that_only_one_text_has_share_its_place() -> None:
    noted: Postings = {}
    note(noted, ("tide", "gauge"), 4)
    kept = packed({"tide": [4], "gauge": [4]})

    assert noted["tide"] is noted["gauge"]
    assert kept["tide"] is kept["gauge"]


def test_of_each_text_it_is_known_whether_it_has_a_word() -> None:
    for postings in (_noted(), packed(_noted())):
        for place, words in enumerate(TEXTS):
            assert {word for word in WHERE if has(postings, word, place)} == {*words}
        assert not has(postings, "anchor", 0)


def test_places_of_long_runs_are_told_apart() -> None:
    noted: Postings = {}
    for place in range(1_000):
        note(noted, (f"w{place % 400}",), place)

    assert list(noted["w7"]) == [7, 407, 807]
    assert has(packed(noted), "w399", 799)
    assert not has(packed(noted), "w399", 798)


def test_what_is_packed_takes_a_fraction_of_the_lists() -> None:
    lists = {f"w{n}": [*range(n, 250, 3)] for n in range(100)}

    kept = packed(lists)

    assert {word: [*places] for word, places in kept.items()} == lists
    assert 3 * sum(map(sys.getsizeof, kept.values())) < sum(map(sys.getsizeof, lists.values()))


def test_a_mark_leads_to_each_text_of_that_form_and_to_hardly_any_other() -> None:
    forms = [f"the lamp at quay {n % 700} is lit" for n in range(1_000)]
    marks = Marks(forms)

    for form in forms[:700]:
        assert [*marks.places(form)] == [n for n, each in enumerate(forms) if each == form]
    assert not [*marks.places("no text says this")]


def test_forms_of_one_mark_lead_to_both_texts() -> None:
    one, other = ONE_MARK
    marks = Marks(("lamp", one, other))

    assert [*marks.places(one)] == [*marks.places(other)] == [1, 2]
