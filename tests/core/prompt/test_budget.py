"""What goes into a layer under a budget."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from remem.core.prompt.budget import fill
from remem.core.prompt.counter import Counter, Estimate
from remem.model.entry import Ref
from remem.model.prompt import Layer, Offer, Piece, Reason, Section, Unit

LONG = "Log JSON lines to standard output, one a request"
NOTE = "Note: some of it was left out. The rest lies beside."
TEXTS = st.sampled_from(
    [
        "- **conv-001:** Every queue consumer is idempotent",
        "- **ap-001 (HIGH):** Reading the clock inside domain code. Instead: pass a clock in.",
        "- Freeze time\n  NOT: `sleep(1)`\n",
        "```\nx = 1\n\n```",
        "/usr/bin is not a place for scripts",
        "  indented after a blank",
        "\n\nleads with blank lines",
        "ends with a full stop.",
        "ends with marks ///",
        "日本語の規則",
        "👩‍💻 reviews",
        "",
        "   ",
        "x",
    ]
)
SECTIONS = {
    "a": Section("a", "## Conventions"),
    "b": Section("b", "## Lessons", gap=0),
    "b1": Section("b1", "### Deep", parent="b"),
    "bare": Section("bare", ""),
}
ORDER = ["", "bare", "a", "b", "b1"]
MESSY = settings(
    max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)


@st.composite
def offers(draw: st.DrawFn) -> Offer:
    number = draw(st.integers(0, 9))
    chosen = draw(st.lists(st.sampled_from(ORDER), min_size=number, max_size=number))
    if draw(st.booleans()):
        chosen.sort(key=ORDER.index)
    pieces = tuple(
        Piece(
            Ref("sniper", f"conv-{index:03}"),
            draw(TEXTS),
            (draw(st.integers(0, 3)),),
            section,
            always=draw(st.integers(0, 7)) == 0,
            gap=draw(st.integers(0, 1)),
        )
        for index, section in enumerate(chosen)
    )
    return Offer(
        "project memory",
        pieces,
        SECTIONS,
        cap=draw(st.integers(1, 120)),
        unit=draw(st.sampled_from([Unit.TOKENS, Unit.TOKENS, *Unit])),
        note=draw(st.sampled_from(["", NOTE])),
    )


def size(text: str, unit: Unit, counter: Counter) -> int:
    match unit:
        case Unit.TOKENS:
            return counter.count(text)
        case Unit.LINES:
            return len(text.split("\n"))
        case Unit.BYTES:
            return len(text.encode())
        case Unit.CHARACTERS:
            return len(text)


def only(offer: Offer, refs: set[Ref], counter: Counter, *, note: bool = False) -> str:
    """Return the layer that these pieces alone would make."""
    kept = tuple(piece for piece in offer.pieces if piece.ref in refs)
    layer, _ = fill(replace(offer, pieces=kept), counter, 0)
    parts = [layer.text] if layer is not None else []
    return "\n\n".join([*parts, *([offer.note] if note else [])])


def used(layer: Layer | None, offer: Offer, counter: Counter) -> int:
    return size(layer.text, offer.unit, counter) if layer is not None else 0


def always_in(offer: Offer) -> set[Ref]:
    return {piece.ref for piece in offer.pieces if piece.always}


class Thirds:
    """Counts something that does not add up, and calls it exact."""

    encoding = "thirds"
    exact = True

    def count(self, text: str) -> int:
        return -(-len(text) // 3)


def all_kinds(counter: Counter) -> tuple[Counter, ...]:
    return (counter, Estimate(), Thirds())


@MESSY
@given(offer=offers())
def test_a_layer_keeps_its_budget_unless_what_is_always_in_breaks_it(
    counter: Counter, offer: Offer
) -> None:
    for each in all_kinds(counter):
        layer, verdicts = fill(offer, each)

        whole = only(offer, {piece.ref for piece in offer.pieces}, each)
        alone = only(offer, always_in(offer), each, note=bool(offer.note))
        fits = [not text or size(text, offer.unit, each) <= offer.cap for text in (whole, alone)]
        if any(fits):
            assert used(layer, offer, each) <= offer.cap
            assert layer is None or layer.over_budget == 0
        else:
            assert layer is not None
            assert layer.over_budget == used(layer, offer, each) - offer.cap
            assert {v.ref for v in verdicts if v.is_in} == always_in(offer)


@MESSY
@given(offer=offers())
@example(
    Offer(
        "slashes",
        tuple(Piece(Ref("sniper", str(n)), "/a.\n/") for n in range(6)),
        cap=17,
        note="/",
    )
)
def test_nothing_is_out_that_would_fit_beside_what_ranks_before_it(
    counter: Counter, offer: Offer
) -> None:
    for each in (counter, Estimate()):
        layer, verdicts = fill(offer, each)

        rank = {piece.ref: (piece.rank, n) for n, piece in enumerate(offer.pieces)}
        inside = {v.ref for v in verdicts if v.is_in}
        noted = layer is not None and bool(offer.note) and layer.text.endswith(offer.note)
        for verdict in verdicts:
            if verdict.is_in:
                continue
            before = {ref for ref in inside if rank[ref] < rank[verdict.ref]}
            text = only(offer, before | always_in(offer) | {verdict.ref}, each, note=noted)
            assert size(text, offer.unit, each) > offer.cap
            assert verdict.reason is Reason.BUDGET
            if each.exact or offer.unit is not Unit.TOKENS:
                assert verdict.lacked == size(text, offer.unit, each) - offer.cap


@MESSY
@given(offer=offers())
def test_pieces_stand_in_the_order_of_the_offer_whatever_their_rank(
    counter: Counter, offer: Offer
) -> None:
    layer, verdicts = fill(offer, counter)

    lines = layer.lines if layer is not None else ()
    shown = list(dict.fromkeys(line.ref for line in lines if line.ref is not None))
    inside = {v.ref for v in verdicts if v.is_in}
    assert shown == [piece.ref for piece in offer.pieces if piece.ref in inside]


@MESSY
@given(offer=offers())
def test_a_layer_says_of_itself_what_counting_it_again_says(counter: Counter, offer: Offer) -> None:
    layer, verdicts = fill(offer, counter)

    assert (layer, verdicts) == fill(offer, counter)
    assert sorted(v.ref for v in verdicts) == [piece.ref for piece in offer.pieces]
    if layer is not None:
        assert layer.tokens == counter.count(layer.text)
        assert (layer.budget, layer.unit) == (offer.cap, offer.unit)


@MESSY
@given(offer=offers())
def test_everything_is_in_and_no_note_where_everything_fits(counter: Counter, offer: Offer) -> None:
    whole = only(offer, {piece.ref for piece in offer.pieces}, counter)
    assume(whole)

    layer, verdicts = fill(offer, counter, size(whole, offer.unit, counter))

    assert layer is not None
    assert layer.text == whole
    assert all(v.is_in for v in verdicts)


@pytest.fixture
def three_sections() -> Offer:
    return Offer(
        "project memory",
        (
            Piece(Ref("sniper", "conv-001"), f"- **conv-001:** {LONG}", (2, 0), "conventions"),
            Piece(Ref("sniper", "conv-002"), "- **conv-002:** Freeze time", (5, 1), "conventions"),
            Piece(Ref("sniper", "ap-001"), "- **ap-001 (HIGH):** Sleeping", (1, 0), "anti", True),
            Piece(Ref("sniper", "dec-001"), "- **dec-001:** PostgreSQL", (3, 0), "decisions"),
        ),
        {
            "conventions": Section("conventions", "## Conventions"),
            "anti": Section("anti", "## Anti-Patterns"),
            "decisions": Section("decisions", "## Decisions"),
        },
        note=NOTE,
    )


def test_headings_stand_over_their_first_piece_with_a_blank_line_between_sections(
    counter: Counter, three_sections: Offer
) -> None:
    layer, _ = fill(three_sections, counter)

    assert layer is not None
    assert layer.text == (
        f"## Conventions\n\n- **conv-001:** {LONG}\n- **conv-002:** Freeze time\n\n"
        "## Anti-Patterns\n\n- **ap-001 (HIGH):** Sleeping\n\n"
        "## Decisions\n\n- **dec-001:** PostgreSQL"
    )
    assert layer.budget is None


def test_what_ranks_last_goes_first_and_a_note_ends_the_layer(
    counter: Counter, three_sections: Offer
) -> None:
    layer, verdicts = fill(three_sections, counter, 46)

    assert layer is not None
    assert layer.text.endswith(f"Sleeping\n\n## Decisions\n\n- **dec-001:** PostgreSQL\n\n{NOTE}")
    assert [(v.ref.id, v.is_in) for v in verdicts] == [
        ("ap-001", True),
        ("conv-001", False),
        ("dec-001", True),
        ("conv-002", False),
    ]
    out = next(v for v in verdicts if v.ref.id == "conv-001")
    assert (out.lacked, out.detail) == (5, "5 tokens over the budget of 46 tokens")
    assert out.layer == "project memory"


def test_the_note_is_reserved_before_anything_is_taken(
    counter: Counter, three_sections: Offer
) -> None:
    always = "## Anti-Patterns\n\n- **ap-001 (HIGH):** Sleeping"
    noted = f"{always}\n\n{NOTE}"
    cap = counter.count(always) + 10
    assert cap < counter.count(noted)

    layer, verdicts = fill(three_sections, counter, cap)

    assert layer is not None
    assert layer.text == noted
    assert layer.over_budget == counter.count(noted) - cap
    assert [v.ref.id for v in verdicts if v.is_in] == ["ap-001"]
    beside = f"{always}\n\n## Decisions\n\n- **dec-001:** PostgreSQL\n\n{NOTE}"
    lacked = next(v for v in verdicts if v.ref.id == "dec-001").lacked
    assert lacked == counter.count(beside) - cap


@pytest.mark.parametrize("cap", [1, 5, 12])
def test_a_budget_below_the_note_leaves_the_note(
    counter: Counter, three_sections: Offer, cap: int
) -> None:
    pieces = tuple(piece for piece in three_sections.pieces if not piece.always)

    layer, verdicts = fill(replace(three_sections, pieces=pieces), counter, cap)

    assert layer is not None
    assert layer.text == NOTE
    assert layer.over_budget == counter.count(NOTE) - cap
    assert not any(v.is_in for v in verdicts)


def test_that_there_is_nothing_is_said_whatever_the_budget(counter: Counter) -> None:
    layer, _ = fill(Offer("project memory", cap=1, empty="Nothing is for you."), counter)

    assert layer is not None
    assert layer.text == "Nothing is for you."
    assert layer.over_budget == layer.tokens - 1


def test_what_is_always_in_exceeds_the_budget_and_takes_nothing_else(
    counter: Counter, three_sections: Offer
) -> None:
    layer, verdicts = fill(three_sections, counter, 5)

    assert layer is not None
    assert layer.text == f"## Anti-Patterns\n\n- **ap-001 (HIGH):** Sleeping\n\n{NOTE}"
    assert layer.over_budget == layer.tokens - 5
    assert [v.ref.id for v in verdicts if v.is_in] == ["ap-001"]


def test_a_heading_that_leads_to_nothing_is_not_printed(counter: Counter) -> None:
    piece = Piece(Ref("persona", "hill#1"), "- Freeze time", section="deep")
    sections = {
        "top": Section("top", "## Learnings", gap=0),
        "deep": Section("deep", "### Clocks", parent="top"),
        "other": Section("other", "### Queues", parent="top"),
    }

    layer, _ = fill(Offer("persona memory", (piece,), sections), counter)

    assert layer is not None
    assert layer.text == "## Learnings\n### Clocks\n\n- Freeze time"


def test_an_offer_without_pieces_prints_its_empty_text_or_nothing(counter: Counter) -> None:
    printed, _ = fill(Offer("project memory", empty="Nothing yet.\nAdd some."), counter, 100)
    nothing, _ = fill(Offer("persona memory"), counter, 100)

    assert printed is not None
    assert [line.text for line in printed.lines] == ["Nothing yet.", "Add some."]
    assert nothing is None


class Watched:
    """A counter that remembers the long texts that it was asked for."""

    encoding = "o200k_base"
    exact = True

    def __init__(self, counter: Counter) -> None:
        self._counter = counter
        self.long: list[str] = []

    def count(self, text: str) -> int:
        self.long += [text] if len(text) > 1_000 else []
        return self._counter.count(text)


def test_a_long_page_is_counted_whole_only_when_it_is_filled(counter: Counter) -> None:
    texts = ["- Freeze time in every test.", "/var is no place for state", "  loosely indented"]
    pieces = tuple(
        Piece(Ref("sniper", f"c-{n}"), f"{texts[n % 3]} {n}", (n % 7, n)) for n in range(300)
    )
    watched = Watched(counter)

    layer, _ = fill(Offer("project memory", pieces, cap=1_500, note=NOTE), watched)

    assert layer is not None
    assert 1_480 < layer.tokens <= 1_500
    assert set(watched.long) == {layer.text}


def test_sums_of_estimates_are_rounded_once() -> None:
    pieces = tuple(Piece(Ref("sniper", f"c-{n}"), "- five") for n in range(100))

    layer, verdicts = fill(Offer("project memory", pieces, cap=175), Estimate())

    assert layer is not None
    assert layer.tokens == 175
    assert all(v.is_in for v in verdicts)


def test_a_detail_that_rests_on_an_estimate_says_so() -> None:
    pieces = tuple(Piece(Ref("sniper", f"c-{n}"), "- twelve abcd") for n in range(3))

    _, verdicts = fill(Offer("project memory", pieces, cap=4), Estimate())

    assert verdicts[1].detail == "≈3 tokens over the budget of 4 tokens"
