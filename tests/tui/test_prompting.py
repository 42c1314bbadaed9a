from dataclasses import replace
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from tests.sniper_files import project

from remem.model.entry import Ref
from remem.model.prompt import Ask, Layer, LeftOut, Prompt, Reason, Unit, Verdict
from remem.views.glyphs import UNICODE
from remem.views.prompts.prompt import difference, gain, layer_lines, prompt_lines
from remem.views.spans import width_of

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


def test_only_where_something_had_no_room_it_is_said_that_nothing_else_fits(
    tmp_path: Path,
) -> None:
    kept, out = Ref("plain", "a"), Ref("plain", "b")
    shown = replace(prompt(Layer("CLAUDE.md", (), 40)), verdicts=(Verdict(kept, tokens=12),))
    full = replace(shown, verdicts=(*shown.verdicts, Verdict(out, Reason.BUDGET)))
    library = project(tmp_path, {})

    assert gain(shown, prompt(), library, kept, 40) == "frees 40 tokens"
    assert gain(full, prompt(), library, kept, 40) == "frees 40 tokens; nothing else would fit"


def test_what_an_archived_entry_makes_room_for_and_what_that_pushes_out_is_named(
    tmp_path: Path,
) -> None:
    gone, low, large = (Ref("plain", each) for each in ("gone", "low", "large"))
    layer = Layer("memory", (), 40)
    shown = replace(prompt(layer), verdicts=(Verdict(gone), Verdict(low)))
    without = replace(prompt(replace(layer, tokens=30)), verdicts=(Verdict(large),))

    told = gain(shown, without, project(tmp_path, {}), gone, 12)

    assert told == "frees 10 tokens; adds plain:large; drops plain:low"


def test_names_and_figures_stand_below_each_other() -> None:
    memory = Layer("project memory", (), 1_255, 1_800)
    facts = Layer("repository memories", (), 44)

    first, second = layer_lines(prompt(memory, facts), 44, UNICODE)

    texts = ["".join(part.text for part in line.spans) for line in (first, second)]
    assert texts[0].index("1,255") + len("1,255") == texts[1].index("44") + len("44")
    assert texts[1].startswith("R repository memories ")


def test_the_figures_add_up_to_the_prompt_by_what_stands_between_layers() -> None:
    both = replace(prompt(Layer("rules", (), 40), Layer("facts", (), 9)), tokens=50)

    texts = ["".join(part.text for part in line.spans) for line in layer_lines(both, 44, UNICODE)]

    assert [int(text.split()[-1]) for text in texts] == [40, 9, 1]
    assert "between layers" in texts[-1]


def test_a_name_is_not_cut_for_bars_that_no_layer_has() -> None:
    rules = Layer(".github/copilot-instructions.md", (), 255)

    (line,) = layer_lines(prompt(rules), 44, UNICODE)

    assert "".join(part.text for part in line.spans).rstrip().endswith("ons.md  255")


def test_only_what_has_a_budget_has_a_bar() -> None:
    memory = Layer("project memory", (), 255, 800)
    facts = Layer("repository memories", (), 254)

    lines = layer_lines(prompt(memory, facts), 80, UNICODE)

    assert [UNICODE.bar_full in part.text for part in lines[0].spans].count(True) == 1
    assert not any(UNICODE.bar_full in part.text for part in lines[1].spans)


def test_no_two_layers_have_one_letter_while_their_names_have_others() -> None:
    names = ["template", "process layer", "technical layer", "project memory", "learnings"]
    layers = [Layer(name, (), 9, 800 if name == "project memory" else None) for name in names]

    lines = layer_lines(prompt(*layers), 80, UNICODE)

    assert [line.spans[0].text.strip() for line in lines] == ["T", "R", "E", "P", "L"]


def test_the_waterline_counts_only_the_entries_of_a_left_file_as_in_it(tmp_path: Path) -> None:
    inside, other = Ref("plain", "inside"), Ref("plain", "other")
    out = (
        Verdict(inside, Reason.NOT_LOADED, layer="AGENTS.md"),
        Verdict(other, Reason.SCOPE, layer="css.md"),
    )
    left = (LeftOut(tmp_path / "AGENTS.md", "AGENTS.md", 40, "CLAUDE.md is read instead"),)
    library = project(tmp_path, {})

    def water(verdicts: tuple[Verdict, ...], left: tuple[LeftOut, ...]) -> str:
        shown = replace(prompt(), verdicts=verdicts, left=left)
        return next(line.text for line in prompt_lines(shown, library) if line.rule)

    assert water(out, left) == "1 entry in 1 file, 1 other entry out"
    assert water(out[:1], left) == "1 entry in 1 file out"
    assert water(out[1:], left) == "1 file, 1 other entry out"
    assert water(out, ()) == "2 entries out"


def test_only_an_estimate_is_marked_as_one_where_both_ways_are_compared() -> None:
    composed = prompt(Layer("memory", (), 1483))
    loaded = replace(prompt(Layer("CLAUDE.md", (), 39)), exact=False)

    told = difference(composed, loaded)

    assert told == "composed 1,483 tokens · as loaded ≈39: ≈1,444 tokens fewer"


def test_a_note_of_one_layer_does_not_cut_the_names_of_all() -> None:
    layers = (
        Layer("AGENTS.md", (), 69),
        Layer("release-captain", (), 2_033, 200, Unit.LINES),
    )

    narrow, wide = (
        ["".join(part.text for part in line.spans).rstrip() for line in lines]
        for lines in (layer_lines(prompt(*layers), width, UNICODE) for width in (34, 60))
    )

    assert narrow == ["A AGENTS.md           69", "R release-captain  2,033", "  at most 200 lines"]
    assert wide[1].endswith("2,033 · at most 200 lines")
