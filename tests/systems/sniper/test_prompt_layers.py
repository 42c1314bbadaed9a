"""The layers of a SNIPER prompt, as a person chooses them on the screen."""

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.sniper_files import project

from remem.core.prompt.compose import compose
from remem.core.prompt.counter import Estimate
from remem.model.prompt import Ask
from remem.views.prompts.choices import layer_choices, name_typed, with_layer


def test_a_chosen_layer_is_asked_for_until_it_is_taken_back(tmp_path: Path) -> None:
    files = {
        ".sniper/personas/technical/backend.md": "You know queues.\n",
        ".sniper/personas/cognitive/security-first.md": "You doubt input.\n",
        ".sniper/config.yaml": "ownership: {frontend: [src/ui]}\n",
    }
    library = project(tmp_path, files)
    ask = Ask(role="developer")

    offered = {choice.name: choice.id for choice in layer_choices(library, ask)}
    asked = with_layer(ask, offered["security-first"])
    again = layer_choices(library, asked)

    assert offered.keys() == {"backend", "security-first", "frontend"}
    assert asked.layers == (("cognitive", "security-first"),)
    assert "security-first" in again[0].note
    assert with_layer(asked, again[0].id) == ask
    assert layer_choices(library, Ask(agent="mara")) == []


def test_a_name_that_is_typed_is_the_agents_where_a_template_says_it(tmp_path: Path) -> None:
    files = {
        ".sniper/spawn-prompts/_template.md": "# Teammate: {name}\n{process_layer}\n",
        ".sniper/personas/process/developer.md": "You build.\n",
    }
    library = project(tmp_path, files)
    ask = Ask(role="developer")

    typed = name_typed(library, ask)

    assert typed is not None
    assert with_layer(ask, f"{typed.id}API builder").layers == (("name", "API builder"),)
    assert name_typed(library, Ask(agent="mara")) is None
    assert name_typed(project(tmp_path / "b", {}), ask) is None


def test_a_mixin_of_the_newer_generation_can_be_chosen(tmp_path: Path) -> None:
    files = {
        ".sniper/config.yaml": "agents: {base: [developer]}\n",
        ".claude/agents/developer.md": "You build.\n",
        ".claude/personas/cognitive/security-first.md": "You doubt input.\n",
    }
    library = project(tmp_path, files)

    offered = [choice.name for choice in layer_choices(library, Ask(role="developer"))]

    assert offered == ["security-first"]


def test_several_threads_compose_at_once(tmp_path: Path) -> None:
    rules = "".join(f"  - {{id: conv-{n:03}, rule: Ships moor at quay {n}}}\n" for n in range(40))
    library = project(tmp_path, {".sniper/memory/conventions.yaml": f"conventions:\n{rules}"})
    alone = compose(library, Ask(role="developer"), Estimate()).text
    often = sys.getswitchinterval()

    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            asks = [Ask(role=f"developer-{number % 40}") for number in range(400)]
            told = [*pool.map(lambda ask: compose(library, ask, Estimate()).text, asks)]
    finally:
        sys.setswitchinterval(often)

    assert {*told} == {alone}
