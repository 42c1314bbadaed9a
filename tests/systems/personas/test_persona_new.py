"""A new persona with a soul, a style and a skill: where layouts keep them, and where none does."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.systems.personas.test_persona_lifecycle import SQUAD, House

from remem.base.errors import NotPossible, Unacknowledged
from remem.core.verbs.verbs import planned
from remem.edit.yaml_read import parse_document
from remem.model.change import Create, Intent, Json
from remem.model.prompt import Ask

SAID: dict[str, Json] = {
    "soul": {"whoIAm": "Reads before writing", "worldview": ["Small is kind"]},
    "style": "Short sentences.",
    "skill": "- Test first\n- Then write\n",
}


def test_what_is_said_stands_in_the_profile_and_in_the_prompt(tmp_path: Path) -> None:
    house = House(tmp_path)

    house.does("persona.new", persona="Vega", role="Tester", layout="night-watch", **SAID)

    file = house.home / ".night-watch/agents/Vega/persona.yaml"
    assert parse_document(file.read_bytes()).value == {
        "name": "Vega",
        "role": "Tester",
        "soul": SAID["soul"],
        "style": {"voicePrinciples": "Short sentences."},
        "skill": {"additionalInstructions": ["Test first", "Then write"]},
    }
    text = house.bench.compose(Ask(persona="Vega")).text
    assert text.startswith("# Vega — Tester\n\n## Who I Am\n\nReads before writing\n")
    assert "- Principles: Short sentences." in text
    assert "## Operating Rules\n\n- Test first\n- Then write" in text


def test_a_definition_says_it_in_prose(tmp_path: Path) -> None:
    house = House(tmp_path)

    house.does("persona.new", persona="vega", layout="claude-project", **SAID)

    text = (house.root / ".claude/agents/vega.md").read_text()
    assert "You are vega.\n\n## Who I Am\n\nReads before writing\n" in text
    assert text.endswith("- Test first\n- Then write\n")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        pytest.param({"layout": "squad"}, "has no `skill`, `soul`, `style`", id="no-place"),
        pytest.param({"soul": {"shoeSize": "44"}}, "no field `soul.shoeSize`", id="no-such-field"),
    ],
)
def test_what_cannot_be_kept_is_refused_and_nothing_is_made(
    tmp_path: Path, arguments: dict[str, Json], words: str
) -> None:
    house = House(tmp_path, root=SQUAD)
    before = house.tree()
    given: dict[str, Json] = {"layout": "night-watch", **SAID, **arguments}

    with pytest.raises(NotPossible, match=words):
        house.does("persona.new", persona="Vega", **given)

    assert house.tree() == before


def test_hidden_characters_are_looked_at_first(tmp_path: Path) -> None:
    house = House(tmp_path)

    with pytest.raises(Unacknowledged):
        house.does("persona.new", persona="Vega", soul="Kind\u202e and quick")


def test_any_text_comes_back_as_it_was_said(tmp_path: Path) -> None:
    library = House(tmp_path).bench.library

    @settings(max_examples=40)
    @given(st.text("ab:#'\"-\n\\{}[] é", min_size=1).filter(str.strip))
    def holds(text: str) -> None:
        change = planned(library, Intent("persona.new", {}, {"persona": "Vega", "style": text}))

        made = next(each for each in change.effects if isinstance(each, Create))
        value = parse_document(made.data).value
        assert isinstance(value, dict)
        assert value["style"] == {"voicePrinciples": text.strip()}

    holds()
