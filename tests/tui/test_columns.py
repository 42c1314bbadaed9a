"""Figures of different lengths end in one column; a key is never told with half a verb."""

import pytest
from rich.cells import cell_len

from remem.views.glyphs import ASCII, UNICODE, Glyphs
from remem.views.review.impact import RoleImpact, VerbImpact, impact_lines
from remem.views.signs import legend, who_gets_signs
from remem.views.spans import Spans
from remem.views.team import NOTHING


def text_of(line: Spans) -> str:
    return "".join(part.text for part in line)


APPROVE = VerbImpact(
    "a",
    "Approve",
    (
        RoleImpact("qa-engineer", 99, 121, 800),
        RoleImpact("backend-engineer", 1_791, 1_796, 8_000),
    ),
)


def test_roles_one_below_the_other_have_their_figures_in_columns() -> None:
    _, first, second = (text_of(line) for line in impact_lines([APPROVE], 41, UNICODE))

    assert first.index("→") == second.index("→")
    assert first.index("+22") + len("+22") == second.index("+5") + len("+5")
    assert max(map(cell_len, (first, second))) <= 41
    assert first.index("121") + len("121") == second.index("1,796") + len("1,796")


@pytest.mark.parametrize("width", range(60, 130, 7))
def test_the_head_of_a_table_has_whole_words_and_says_what_is_counted(width: int) -> None:
    keep = VerbImpact("c", "Keep as candidate", APPROVE.roles)

    head = text_of(impact_lines([APPROVE, keep], width, UNICODE)[0])

    assert UNICODE.more not in head
    assert "a Approve" in head
    assert "c Keep" in head
    assert head.rstrip().endswith("tokens")
    assert cell_len(head) <= width


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
def test_the_legend_has_each_sign_of_who_gets_it_and_the_arrow(glyphs: Glyphs) -> None:
    explained = {sign.text for sign, _ in legend(glyphs)}

    assert {*who_gets_signs(glyphs), glyphs.arrow, glyphs.up, glyphs.down, "^"} <= explained
    assert {glyphs.more, glyphs.before, "⋯", NOTHING} <= explained
