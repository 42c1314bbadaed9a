"""What the persona memory of Night Watch promises about reading and composing, row by row."""

from pathlib import Path

import pytest
from tests.given import Given
from tests.persona_files import CARLOS, Shelf, add_database, shelf_at, text_after

from remem.core.prompt.compose import compose
from remem.core.prompt.counter import Estimate
from remem.model.prompt import Ask, Prompt
from remem.systems.personas.format import Personas
from remem.systems.registry import FORMATS

PERSONAS = Personas()
COUNTER = Estimate()


def prompt_of(shelf: Shelf, persona: str = "Carlos") -> Prompt:
    systems = [each for each in FORMATS if each.name == "persona"]
    return compose(Given(shelf.ground, systems, shelf.sources), Ask(persona=persona), COUNTER)


def test_should_read_empty_memory_for_new_persona(tmp_path: Path) -> None:
    add_database(tmp_path / "home", {"id": "1", "name": "Nova", "role": "Implementer"})
    shelf = shelf_at(tmp_path)

    prompt = prompt_of(shelf, "Nova")

    assert prompt.text == "# Nova — Implementer"


def test_should_append_reflection_with_date_header(tmp_path: Path) -> None:
    shelf = shelf_at(tmp_path, home={f"{CARLOS}/main.md": "- head\n"})

    added = PERSONAS.add(
        shelf.ground, shelf.sources, "lesson", {"text": "Cap retries", "persona": "Carlos"}
    )

    assert text_after(added.path, added.effects) == "- head\n## 2026-05-04\n- Cap retries\n\n"


@pytest.mark.parametrize("lessons", [1, 60, 400])
def test_should_truncate_memory_to_token_budget(tmp_path: Path, lessons: int) -> None:
    text = "".join(f"## 2026-05-{day:02d}\n- {'word ' * 8}{day}\n" for day in range(1, 29))
    shelf = shelf_at(tmp_path, home={f"{CARLOS}/main.md": text * (lessons // 20 + 1)})

    (layer,) = [layer for layer in prompt_of(shelf).layers if layer.budget]

    assert layer.tokens <= 2_000
    assert layer.budget == 2_000


def test_should_include_memory_section_when_memory_is_provided(tmp_path: Path) -> None:
    shelf = shelf_at(
        tmp_path,
        home={
            f"{CARLOS}/main.md": "- Ask first\n",
            ".night-watch/agents/Carlos/persona.yaml": (
                "name: Carlos\nrole: Lead\nsoul: {whoIAm: I cut work}\nstyle: {tone: dry}\n"
                "skill: {additionalInstructions: [Say what you left out]}\n"
            ),
        },
    )

    text = prompt_of(shelf).text

    parts = ["# Carlos — Lead", "## Who I Am", "## Voice & Style", "## Operating Rules"]
    places = [text.index(part) for part in (*parts, "## Memory\n\n- Ask first")]
    assert places == sorted(places)
    assert text.endswith("## Memory\n\n- Ask first")


@pytest.mark.parametrize("memory", ["", "\n\n", "## 2026-05-04\n\n"])
def test_should_omit_memory_section_when_empty(tmp_path: Path, memory: str) -> None:
    profile = {".night-watch/agents/Carlos/persona.yaml": "name: Carlos\nrole: Lead\n"}
    without = prompt_of(shelf_at(tmp_path, home=profile)).text

    shelf = shelf_at(tmp_path, home={**profile, f"{CARLOS}/main.md": memory})

    assert prompt_of(shelf).text == without == "# Carlos — Lead"


def test_memory_follows_a_prompt_override_and_the_prompt_says_so(tmp_path: Path) -> None:
    row = {"id": "1", "name": "Carlos", "role": "Lead", "system_prompt_override": "Be brief."}
    add_database(tmp_path / "home", row)
    shelf = shelf_at(tmp_path, home={f"{CARLOS}/main.md": "- Ask first\n"})

    prompt = prompt_of(shelf)

    assert prompt.text == "Be brief.\n\n## Memory\n\n- Ask first"
    assert any("override" in note for note in prompt.notes)


@pytest.mark.parametrize("name", ["Maya", "Carlos", "Priya", "Dev", "Zoë", "Night Owl"])
def test_custom_personas_get_memory_without_being_known(tmp_path: Path, name: str) -> None:
    shelf = shelf_at(
        tmp_path, home={f".night-watch/agents/{name}/memories/acme/main.md": "- Ask first\n"}
    )

    assert prompt_of(shelf, name).text == f"# {name}\n\n## Memory\n\n- Ask first"
