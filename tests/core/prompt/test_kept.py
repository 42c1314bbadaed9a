"""What is kept of prompts is invisible: only the time tells."""

import gc
import weakref
from pathlib import Path

from tests.sniper_files import CONVENTIONS, project

from remem.core.library import Library
from remem.core.prompt.compose import Prompts, compose
from remem.core.prompt.counter import Estimate
from remem.model.prompt import Ask, Prompt

STORE = "conventions:\n  - {id: conv-001, rule: Freeze time, applies_to: [qa]}\n"
COUNTER = Estimate()


def composed(library: Library, ask: Ask) -> Prompt:
    return compose(library, ask, COUNTER)


def test_a_snapshot_is_composed_once_for_each_ask(tmp_path: Path) -> None:
    library, prompts = project(tmp_path, {CONVENTIONS: STORE}), Prompts()

    first = prompts.of(library, Ask(role="qa"), COUNTER)
    again = prompts.of(library, Ask(role="qa"), COUNTER)
    other = prompts.of(library, Ask(role="architect"), COUNTER)

    assert again is first
    assert first == composed(library, Ask(role="qa"))
    assert other == composed(library, Ask(role="architect"))


def test_the_next_snapshot_and_another_counter_are_composed_anew(tmp_path: Path) -> None:
    library, prompts = project(tmp_path, {CONVENTIONS: STORE}), Prompts()
    prompts.of(library, Ask(), COUNTER)

    (tmp_path / "shop" / CONVENTIONS).write_text(STORE.replace("Freeze time", "Thaw time"))
    after = library.refresh()

    assert "Thaw time" in prompts.of(after, Ask(), COUNTER).text
    assert prompts.of(library, Ask(), Estimate("cl100k_base")).encoding == "cl100k_base"


def test_forgotten_prompts_are_composed_again(tmp_path: Path) -> None:
    library, prompts = project(tmp_path, {CONVENTIONS: STORE}), Prompts(most=1)

    first = prompts.of(library, Ask(role="qa"), COUNTER)
    prompts.of(library, Ask(role="architect"), COUNTER)
    again = prompts.of(library, Ask(role="qa"), COUNTER)

    assert again is not first
    assert again == first


def test_prompts_go_with_their_snapshot(tmp_path: Path) -> None:
    library, prompts = project(tmp_path, {CONVENTIONS: STORE}), Prompts()
    snapshot = weakref.ref(library)
    prompts.of(library, Ask(), COUNTER)

    del library
    gc.collect()

    assert snapshot() is None
