from hypothesis import given
from hypothesis import strategies as st

from remem.model.prompt import Ask, Layer, Prompt, Unit
from remem.views.glyphs import UNICODE
from remem.views.prompt import layer_lines
from remem.views.spans import Tone, width_of

LAYERS = st.builds(
    Layer,
    name=st.sampled_from(["project memory", "repository memories", "learnings", "Ines", "記憶"]),
    lines=st.just(()),
    tokens=st.integers(0, 99_999),
    budget=st.none() | st.integers(1, 99_999),
    unit=st.just(Unit.TOKENS),
)


def prompt(*layers: Layer) -> Prompt:
    total = sum(layer.tokens for layer in layers)
    return Prompt(Ask(role="architect"), "o200k_base", True, layers, total)


@given(st.lists(LAYERS, max_size=5), st.integers(44, 200))
def test_the_bars_of_all_layers_fit_into_the_pane(layers: list[Layer], width: int) -> None:
    lines = layer_lines(prompt(*layers), width, UNICODE)

    assert all(width_of(line.spans) <= width for line in lines)


def test_names_and_figures_stand_below_each_other() -> None:
    memory = Layer("project memory", (), 255, 800)
    facts = Layer("repository memories", (), 244)

    first, second = layer_lines(prompt(memory, facts), 44, UNICODE)

    texts = ["".join(part.text for part in line.spans) for line in (first, second)]
    assert texts[0].index("255") == texts[1].index("244")
    assert texts[1].startswith("R repository memories ")


def test_a_layer_without_a_budget_is_not_drawn_as_nearly_full() -> None:
    memory = Layer("project memory", (), 255, 800)
    facts = Layer("repository memories", (), 254)

    _, line = layer_lines(prompt(memory, facts), 80, UNICODE)

    assert Tone.WARN not in {part.tone for part in line.spans[1:]}
