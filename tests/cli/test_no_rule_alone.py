"""`remem check --memory`: what says something only by what stands above it conflicts with none."""

import pytest
from tests.cli.conftest import Shell, write


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("`crane lift`", "`crane lower`", id="code-alone"),
        pytest.param("_(crane not yet painted)_", "_(crane painted by Ada)_", id="in-brackets"),
        pytest.param("**Crane**", "Do not `crane lift` unless Ada asks", id="one-word-in-bold"),
        pytest.param(
            "and cranes of the quay are not painted.", "Paint cranes of the quay", id="half"
        ),
    ],
)
def test_what_is_no_rule_alone_is_no_conflict(shop: Shell, one: str, other: str) -> None:
    rules = (one, other, "Paint the boats", "Do not paint the boats")
    write(shop.root, {"CLAUDE.md": "".join(f"- {each}\n" for each in rules)})

    told = [
        line for line in shop("check", "--memory").out.splitlines() if "possible conflict" in line
    ]

    assert len(told) == 1
    assert "Do not paint the boats" in told[0]


def test_a_rule_in_small_letters_conflicts_as_any_other(shop: Shell) -> None:
    rules = ("paint the boats. Ask Ada.", "never paint the boats")
    write(shop.root, {"CLAUDE.md": "".join(f"- {each}\n" for each in rules)})

    assert "possible conflict" in shop("check", "--memory").out
