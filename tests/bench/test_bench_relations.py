"""How two texts are told apart, on pairs labelled by hand, and what it costs among 10,000."""

import re
from collections import Counter
from functools import partial
from itertools import product
from random import Random

import pytest
from rapidfuzz import fuzz
from tests.bench.measure import Report, p95, shown, worked
from tests.bench.workspaces import rule
from tests.relations.labelled import LABELS, OPPOSED, SETS, Labelled, labelled
from tests.relations.planted import Planted, hidden, poison, secrets

from remem.core.checks.secrets import Kind, examine
from remem.core.relation.matching import Matcher
from remem.core.relation.normal_form import norm
from remem.core.relation.pairs import alike_texts, compared_texts
from remem.core.relation.relation import Related, relate

MANY = 10_000
_NEGATION = re.compile(r"\b(?:no|not|never|cannot|avoid|without|\w+n't|nicht|nie|niemals|keine?)\b")
GOALS = {
    "same": "≥ 70 % found",
    "paraphrase": "≥ 70 % found, ≤ 5 % a conflict",
    "other": "≤ 3 % a conflict, none the same",
    "narrower": "none the same",
}


def by_relation(pair: Labelled) -> Related:
    return relate(pair.left, pair.right, warns=pair.warns).related


def by_ratio(pair: Labelled) -> Related:
    """Tell as rapidfuzz alone does."""
    ratio = fuzz.token_sort_ratio(norm(pair.left), norm(pair.right))
    if ratio == 100:
        return Related.SAME
    return Related.SIMILAR if ratio >= 90 else Related.DIFFERENT


def by_first_release(pair: Labelled) -> Related:
    """Tell as 0.1 did: near by letters, and one denies or gives other numbers."""
    one, other = norm(pair.left), norm(pair.right)
    near = by_ratio(pair)
    if one == other or near is Related.DIFFERENT:
        return Related.SAME if one == other else near
    differs = (_NEGATION.search(one) is None) != (_NEGATION.search(other) is None)
    numbers = sorted(re.findall(r"\d+", one)) != sorted(re.findall(r"\d+", other))
    return Related.CONFLICT if differs or numbers else Related.SIMILAR


def test_labelled_pairs(report: Report) -> None:
    held_out = [pair for pair in labelled() if pair.is_held_out]

    for name, label in product(SETS, LABELS):
        of = [pair for pair in held_out if pair.set == name and pair.label == label]
        if not of:
            continue
        cells = {
            by: ", ".join(f"{n} {each}" for each, n in Counter(map(tell, of)).most_common())
            for by, tell in (
                ("relation", by_relation),
                ("rapidfuzz", by_ratio),
                ("0.1", by_first_release),
            )
        }
        report.plain(
            f"relations, held out, {name} set: {len(of)} of `{label}` are called",
            GOALS.get(label, "≥ 90 % a conflict, none the same or similar"),
            cells["relation"],
            f"rapidfuzz: {cells['rapidfuzz']}; 0.1: {cells['0.1']}",
            missed(of),
        )


def missed(of: list[Labelled]) -> str:
    """Return the names of those that are called wrongly."""
    wrong = [pair.id for pair in of if not _is_right(pair.label, by_relation(pair))]
    return f"missed: {', '.join(wrong)}" if wrong else "all"


def _is_right(label: str, called: Related) -> bool:
    if label in OPPOSED:
        return called is Related.CONFLICT
    if label in ("same", "paraphrase"):
        return called in (Related.SAME, Related.SIMILAR)
    return called not in (Related.CONFLICT, Related.SAME)


def test_planted_texts(report: Report) -> None:
    for name, every, kind, goal in (
        ("instructions", [*poison()], Kind.RISKY, "≥ 90 %; ≥ 95 %"),
        ("secrets", [*secrets()], Kind.SECRET, "≥ 95 %; ≥ 95 %"),
        ("hidden characters", [*hidden()], Kind.HIDDEN, "100 %; 100 %"),
    ):
        held_out = [each for each in every if each.is_held_out]
        recall, precision = found(held_out, kind)
        report.plain(
            f"planted, held out: {name}, recall; precision",
            goal,
            f"{recall:.1%}; {precision:.1%}",
            f"{len(held_out)} texts",
        )


def found(planted: list[Planted], kind: Kind) -> tuple[float, float]:
    flagged = [p for p in planted if any(f.kind is kind for f in examine(p.text))]
    right = sum(p.is_bad for p in flagged)
    return right / sum(p.is_bad for p in planted), right / len(flagged)


def test_ten_thousand_texts(report: Report) -> None:
    texts = ten_thousand()
    asked = [pair.right for pair in labelled() if pair.language == "en"][:200]

    taken = worked(lambda: alike_texts(texts)) * 1_000
    matcher = Matcher(enumerate(texts))
    each = [worked(partial(matcher.like, text)) * 1_000 for text in asked]

    report.plain("relations: all pairs of 10,000 texts", "≤ 1 s", f"{taken:,.0f} ms of CPU", "")
    report.plain("relations: one text against 10,000, p95", "≤ 20 ms", f"{shown(p95(each))} ms", "")


@pytest.mark.parametrize("pattern", ["their own words", "one pattern"])
def test_one_of_ten_thousand_texts_changes(report: Report, pattern: str) -> None:
    texts = ten_thousand() if pattern == "their own words" else [*map(rule, range(MANY))]
    before = compared_texts(texts)
    changed = [*texts[:500], "Every lamp is counted once more", *texts[501:], "Late lamps"]

    taken = worked(lambda: compared_texts(changed, before)) * 1_000
    anew = worked(lambda: compared_texts(changed)) * 1_000

    report.plain(
        f"relations: two of 10,000 texts of {pattern} changed",
        "≤ 1 s",
        f"{taken:,.0f} ms of CPU",
        f"{anew:,.0f} ms: compared anew",
    )


def ten_thousand() -> list[str]:
    """Return texts made of the labelled ones, half of the words of each another one."""
    random = Random(7)
    known = [pair.left for pair in labelled() if pair.language == "en"]
    ends = ("ba", "ke", "lo", "mi", "nu", "ra", "so", "ti", "ve", "zu")
    made_up = ["".join(random.choices(ends, k=3)) for _ in range(3_000)]
    texts: list[str] = []
    while len(texts) < MANY:
        words = random.choice(known).split()
        for _ in range(max(2, len(words) // 2)):
            words[random.randrange(len(words))] = random.choice(made_up)
        texts.append(" ".join(words))
    return texts
