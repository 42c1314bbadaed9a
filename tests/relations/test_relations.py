"""How two texts relate, on pairs that were labelled by hand; only held-out ones count."""

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.relations.labelled import OPPOSED, SETS, Labelled, labelled
from tests.relations.planted import Planted, hidden, poison, secrets

from remem.core.checks.risks import RISKS
from remem.core.checks.secrets import Kind, examine
from remem.core.relation.comparable_text import BEGINS, read
from remem.core.relation.relation import (
    Related,
    Relation,
    _Both,
    _cannot_relate,
    _have_little_in_common,
    relate,
)
from remem.core.relation.subject import InForce, Standing
from remem.core.relation.token_patterns import (
    CJK,
    characters_in,
    finding,
    naming,
    plain_words,
    token_pattern,
    words_alone,
)

HELD_OUT = [pair for pair in labelled() if pair.is_held_out]


def called(pair: Labelled) -> Related:
    return relate(pair.left, pair.right, warns=pair.warns).related


def share(of: list[Labelled], *answers: Related) -> float:
    met = Counter(called(pair) for pair in of)
    return sum(met[answer] for answer in answers) / len(of)


def test_the_set_is_large_and_half_of_it_is_held_out() -> None:
    every = [*labelled()]

    assert len(every) >= 600
    assert 0.4 < len(HELD_OUT) / len(every) < 0.7
    assert {pair.set for pair in HELD_OUT} == {*SETS}
    assert len([pair for pair in every if pair.set == "third"]) >= 120
    assert {pair.language for pair in every} == {"en", "de", "zh"}


def test_no_conflict_and_nothing_else_that_differs_is_called_the_same() -> None:
    wrong = [
        pair.id
        for pair in labelled()
        if pair.label not in ("same", "paraphrase") and called(pair) is Related.SAME
    ]

    assert wrong == []


@pytest.mark.parametrize("name", SETS)
def test_nine_of_ten_conflicts_are_found_and_none_is_called_similar(name: str) -> None:
    opposed = [pair for pair in HELD_OUT if pair.set == name and pair.label in OPPOSED]

    assert share(opposed, Related.CONFLICT) >= 0.90
    assert share(opposed, Related.SIMILAR, Related.SAME) == 0


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize(("label", "most"), [("other", 0.03), ("paraphrase", 0.05)])
def test_few_others_are_called_a_conflict(label: str, most: float, name: str) -> None:
    of = [pair for pair in HELD_OUT if pair.set == name and pair.label == label]

    assert share(of, Related.CONFLICT) <= most


@pytest.mark.parametrize("name", SETS)
def test_duplicates_and_near_paraphrases_are_found(name: str) -> None:
    of = [p for p in HELD_OUT if p.set == name and p.label in ("same", "paraphrase")]

    assert share(of, Related.SAME, Related.SIMILAR) >= 0.70


def test_it_does_not_matter_which_text_comes_first() -> None:
    turned = [
        pair.id
        for pair in labelled()
        if relate(pair.left, pair.right, warns=pair.warns)
        != relate(pair.right, pair.left, warns=pair.warns[::-1])
    ]

    assert turned == []


@pytest.mark.slow
def test_no_automatism_puts_a_contradiction_into_force_in_a_thousand_random_rounds() -> None:
    random = Random(17)
    every = [*labelled()]
    opposed = {
        frozenset(((pair.kind, pair.left), (pair.other_kind, pair.right)))
        for pair in every
        if pair.label in OPPOSED
    }
    standing = 0

    for _ in range(1_000):
        rounds = random.sample(every, 12)
        texts = [(p.kind, p.left) for p in rounds] + [(p.other_kind, p.right) for p in rounds]
        random.shuffle(texts)
        known: InForce[int] = InForce()
        entered: list[tuple[str, str]] = []
        for place, (kind, text) in enumerate(texts):
            if not known.against(kind, text):
                known.add(Standing(place, kind, text))
                entered.append((kind, text))
        standing += len(entered)
        assert [both for both in opposed if both <= {*entered}] == []

    assert standing > 10_000


def found(planted: list[Planted], kind: Kind) -> tuple[float, float]:
    """Return recall and precision."""
    flagged = [p for p in planted if any(f.kind is kind for f in examine(p.text))]
    right = sum(p.is_bad for p in flagged)
    return right / sum(p.is_bad for p in planted), right / len(flagged)


@pytest.mark.parametrize(
    ("planted", "kind", "least", "precise"),
    [
        pytest.param([*poison()], Kind.RISKY, 0.90, 0.95, id="instructions"),
        pytest.param([*secrets()], Kind.SECRET, 0.95, 0.95, id="secrets"),
        pytest.param([*hidden()], Kind.HIDDEN, 1.0, 1.0, id="hidden characters"),
    ],
)
def test_what_is_planted_is_found_and_what_looks_like_it_is_not(
    planted: list[Planted], kind: Kind, least: float, precise: float
) -> None:
    held_out = [p for p in planted if p.is_held_out]
    second = [p for p in planted if p.set]
    for each in (planted, held_out, second):
        recall, precision = found(each, kind)

        assert recall >= least
        assert precision >= precise


def test_attacks_are_found_in_lower_case_as_in_any_case() -> None:
    texts = [each.text for each in poison()]
    texts += [
        path.read_text("utf-8")
        for path in sorted((Path(__file__).parents[2] / "docs").glob("*.md"))
    ]
    assert any(text != text.lower() for text in texts)

    for risk in RISKS:
        for text in texts:
            given = [match.span() for match in risk.pattern.finditer(text)]
            lowered = [match.span() for match in risk.lower_pattern.finditer(text.lower())]
            assert lowered == given


@settings(max_examples=300)
@given(st.lists(st.sampled_from([*"0123459.,:%٣²", " am", " pm", " uhr", " Port ", " -"])))
def test_any_spelling_of_numbers_can_be_compared(parts: list[str]) -> None:
    text = f"Serve on {''.join(parts)} only."

    assert relate(text, "Serve on 127.0.0.1:5000 only.") is not None


def test_a_text_is_cut_into_the_same_words_whatever_is_not_tried_for_in_it() -> None:
    texts = [text for pair in labelled() for text in (pair.left, pair.right)]
    texts += [path.read_text("utf-8") for path in Path(__file__).parents[2].glob("docs/*.md")]

    for text in texts:
        folded = text.casefold()
        every = [(m.lastgroup, m.span()) for m in finding(True, True, CJK).finditer(folded)]
        cjk = characters_in(folded)
        assert [
            (m.lastgroup, m.span()) for m in token_pattern(folded, cjk).finditer(folded)
        ] == every
        is_plain = naming(cjk).search(folded) is None
        assert is_plain == (naming(CJK).search(folded) is None)
        if is_plain:
            assert words_alone(cjk).findall(folded) == [folded[slice(*at)] for _, at in every]


@given(st.text(st.sampled_from("aß é—–→🎉_0'’あ漢가ก。，")))
def test_words_are_found_the_same_whether_or_not_others_run_together(text: str) -> None:
    cjk = characters_in(text)

    assert bool(cjk) == any(character in "あ漢" for character in text)
    assert plain_words(cjk).findall(text) == plain_words(CJK).findall(text)


_SAID_BESIDE = (
    "not",
    "never",
    "`src/a.py`",
    "5",
    "30 s",
    "Redis",
    "before",
    "prefer",
    "over",
    "remote",
)


def _varied(text: str, random: Random, others: list[str]) -> str:
    """Return a text with a few of its words replaced, left out, added, bent or moved."""
    words = text.split()
    for _ in range(random.randrange(4)):
        at = random.randrange(len(words))
        match random.randrange(5):
            case 0:
                words[at] = random.choice(random.choice(others).split())
            case 1:
                words.insert(at, random.choice(_SAID_BESIDE))
            case 2 if len(words) > 2:
                del words[at]
            case 3:
                words[at] += random.choice(("s", "ing", "ed", "er"))
            case _:
                words = words[at:] + words[:at]
    return " ".join(words)


def test_what_is_told_apart_at_once_is_different_after_a_whole_comparison() -> None:
    random = Random(23)
    pairs = [(pair.left, pair.right) for pair in labelled()]
    texts = sorted({text for pair in pairs for text in pair})
    pairs += [(text, _varied(text, random, texts)) for text in texts * 4]
    pairs += [(random.choice(texts), _varied(random.choice(texts), random, texts)) for _ in texts]
    told = 0

    for one, other in pairs:
        first, second = sorted((read(one), read(other)), key=lambda text: text.form)
        common = first.stems & second.stems
        begins = {stem[:BEGINS] for stem in common}
        endings = len((first.begins & second.begins) - begins)
        if _have_little_in_common(first, second, common, endings) or first.form == second.form:
            continue
        if _cannot_relate(first, second, common, endings):
            told += 1
            whole = _Both(first, second, first.signs, second.signs).relation()
            assert whole == Relation(Related.DIFFERENT), (one, other)

    assert told > 200


def test_a_text_that_prefers_twice_or_a_number_is_compared_as_any_other() -> None:
    once = "Favor composition over inheritance."
    twice = "composition over inheritance. prefer Favor"

    assert relate(once, twice).related is not Related.SAME
    assert relate(once, twice) == relate(twice, once)
