import json
from dataclasses import replace
from pathlib import Path

from tests.persona_files import AGENTS, add_database, ground_at, open_shelf, write

from remem.systems.personas.profiles.profile import Profile, profile_of, profiles_of
from remem.systems.personas.source import persona_sources

SOUL = {
    "whoIAm": "I keep builds green.",
    "worldview": ["Small steps win"],
    "opinions": {"testing": ["Contract first"], "empty": []},
    "tensions": ["Speed against care"],
    "boundaries": ["guess at prices"],
    "expertise": ["never compiled"],
    "petPeeves": ["never compiled either"],
}
STYLE = {
    "voicePrinciples": "Short",
    "sentenceStructure": "Plain",
    "tone": "Dry",
    "rhetoricalMoves": ["Ask first"],
    "quickReactions": {"a red build": "Who broke it?"},
    "wordsUsed": ["ship", "trim"],
    "wordsAvoided": ["leverage"],
    "emojiUsage": {"frequency": "rare", "favorites": ["🔧"], "contextRules": "never in errors"},
    "antiPatterns": [{"example": "Great question!", "why": "flattery"}],
    "goodExamples": ["Green. Next."],
    "badExamples": [{"example": "x", "why": "y"}],
}
SKILL = {
    "additionalInstructions": ["Run the tests"],
    "modes": {"review": "look twice"},
    "interpolationRules": "never compiled",
}
COMPILED = """\
# Maya — Builder

## Who I Am

I keep builds green.

## Worldview

- Small steps win

## Opinions

### testing

- Contract first

## Tensions

- Speed against care

## Boundaries

- Won't: guess at prices

## Voice & Style

- Principles: Short
- Rhythm: Plain
- Tone: Dry

### Rhetorical Moves

- Ask first

### Quick Reactions

- When a red build: Who broke it?

### Words I Use: ship, trim

### Words I Never Use: leverage

### Emoji Use: rare (🔧)

### Emoji Context: never in errors

### Anti-Patterns (Never Sound Like This)

- Great question! (flattery)

### Examples of My Voice

- Green. Next.

## Operating Rules

- Run the tests

## Modes

- **review**: look twice"""


def test_a_profile_compiles_in_its_order_and_leaves_out_what_is_empty() -> None:
    profile = Profile("Maya", "Builder", SOUL, STYLE, SKILL)

    assert profile.compiled() == COMPILED
    assert Profile("Maya").compiled() == "# Maya"


def test_an_override_replaces_the_compiled_profile() -> None:
    assert Profile("Maya", soul=SOUL, override="You are Maya.\n").compiled() == "You are Maya."


def test_what_is_not_of_the_expected_kind_is_left_out() -> None:
    soul = {"worldview": 3, "opinions": ["x"], "boundaries": {"a": 1}, "whoIAm": None}
    style = {"antiPatterns": ["plain", 4, {}], "emojiUsage": "no", "wordsUsed": "one"}

    text = Profile("M", soul=soul, style=style).compiled()

    assert "## Worldview\n\n- 3" in text
    assert "## Opinions" not in text
    assert "- plain" in text
    assert "### Words I Use: one" in text


def test_the_row_comes_before_the_file_and_a_difference_is_a_problem(tmp_path: Path) -> None:
    ground = ground_at(tmp_path)
    yaml = f"{AGENTS}/Maya/persona.yaml"
    write(ground.home, {yaml: "name: Maya\nrole: Tester\nsoul: {whoIAm: me}\n"})
    without_row = open_shelf(ground)
    add_database(ground.home, {"id": "1", "name": "Maya", "role": "Builder"})
    with_row = open_shelf(ground)

    assert profile_of(persona_sources(without_row.sources), "maya").role == "Tester"
    assert profile_of(persona_sources(with_row.sources), "maya").role == "Builder"
    assert without_row.problems() == []
    assert with_row.problems() == ["profile-differs"]


def test_values_of_the_environment_and_other_tables_are_never_shown(tmp_path: Path) -> None:
    ground = ground_at(tmp_path)
    model = {"model": "m-1", "envVars": {"TOKEN": "enc:v1:abc"}}
    add_database(ground.home, {"id": "1", "name": "Maya", "model_config_json": json.dumps(model)})

    (source,) = open_shelf(ground).sources

    assert b"enc:v1" not in source.data
    assert b'"TOKEN": "***"' in source.data
    (profile,) = profiles_of(persona_sources([source])[0])
    assert profile.model == {"model": "m-1", "envVars": {"TOKEN": "***"}}
    assert "enc:v1" not in repr(source)


def test_json_that_does_not_parse_and_rows_of_one_name_are_problems(tmp_path: Path) -> None:
    ground = ground_at(tmp_path)
    add_database(
        ground.home,
        {"id": "1", "name": "Maya", "soul_json": "{broken"},
        {"id": "2", "name": "Maya"},
    )

    assert open_shelf(ground).problems() == ["profile-json", "duplicate-profile"]


def test_a_file_that_is_no_database_is_a_problem(tmp_path: Path) -> None:
    ground = ground_at(tmp_path)
    write(ground.home, {".night-watch/state.db": "not a database, whatever its name says\n" * 9})

    shelf = open_shelf(ground)

    assert shelf.problems() == ["bad-database"]
    assert list(ground.home.rglob("*-wal")) == []


def test_the_variable_moves_only_the_database(tmp_path: Path) -> None:
    ground = ground_at(tmp_path)
    moved = tmp_path / "elsewhere"
    path = add_database(moved, {"id": "1", "name": "Maya"})
    ground = replace(ground, night_watch_home=path.parent)

    (source,) = open_shelf(ground).sources

    assert source.path == path
