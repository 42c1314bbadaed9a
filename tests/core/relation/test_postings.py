from remem.core.relation.postings import Postings, note, packed

TEXTS = (("lamp", "harbour"), ("harbour",), ("ferry", "quay"), ("harbour", "quay"))
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
