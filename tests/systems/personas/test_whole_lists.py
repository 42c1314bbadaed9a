"""A label that only introduces its bullets, and an item of a numbered list, go with their list."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.systems.personas.test_persona_lifecycle import House

from remem.base.errors import NotPossible
from remem.model.change import Change, Intent, Json
from remem.systems.personas.lessons.shared_lessons import lessons_of

MEMORY = ".claude/agent-memory/vega/MEMORY.md"
LABEL = "**Intro QA (2026-02-22):**\n\n- Ports first\n- Bells second\n"
NUMBERED = "1. Fetch\n2. Count\n   twice\n3. Tell\n"
TEXT = f"# Notes\n\n## Work\n\n- Alone\n\n{LABEL}\n## Steps\n\n{NUMBERED}\n## Rest\n\n- End\n"


def _house(at: Path, text: str = TEXT) -> House:
    return House(at, root={MEMORY: text})


def _does(of: House, verb: str, *titles: str, **more: Json) -> Change:
    (source,) = (s for s in of.bench.library.sources if s.path == of.root / MEMORY)
    found = [e for e in source.entries if any(e.title.startswith(title) for title in titles)]
    return of.bench.apply(Intent(verb, {e.ref: e.digest for e in found}, more)).change


def _text(of: House, name: str = "MEMORY.md") -> str:
    return (of.root / MEMORY).with_name(name).read_text()


@pytest.mark.parametrize(
    "picked",
    [("**Intro",), ("**Intro", "Ports", "Bells"), ("**Intro", "Bells")],
    ids=["the label", "all of it", "the label and one"],
)
def test_a_label_is_archived_with_its_bullets_in_their_order(
    tmp_path: Path, picked: tuple[str, ...]
) -> None:
    of = _house(tmp_path)

    change = _does(of, "archive", *picked)

    assert _text(of) == TEXT.replace(f"{LABEL}\n", "")
    assert _text(of, "archive.md").endswith(f"\n\n{LABEL}")
    told = [note for note in change.notes if "that belong to it go along" in note]
    assert bool(told) is (len(picked) < 3)
    of.bench.undo()
    assert _text(of) == TEXT


def test_a_label_goes_with_the_last_of_its_bullets_and_stays_with_the_others(
    tmp_path: Path,
) -> None:
    of = _house(tmp_path)

    _does(of, "archive", "Ports")
    assert "**Intro" in _text(of)
    _does(of, "archive", "Bells")

    assert _text(of) == TEXT.replace(f"{LABEL}\n", "")


@pytest.mark.parametrize("next_list", [NUMBERED, "* Star\n* Moon\n"], ids=["numbers", "stars"])
@pytest.mark.parametrize("picked", ["**Intro", "Ports"])
def test_a_list_of_another_kind_below_a_labels_list_is_not_the_labels(
    tmp_path: Path, next_list: str, picked: str
) -> None:
    text = f"# Notes\n\n{LABEL}\n{next_list}"
    of = _house(tmp_path, text)

    _does(of, "archive", picked)
    if picked == "Ports":
        _does(of, "archive", "Bells")

    assert _text(of) == f"# Notes\n\n{next_list}"
    assert _text(of, "archive.md").count("\n- ") == 2


@pytest.mark.parametrize("picked", [("Count",), ("Fetch", "Tell")])
@pytest.mark.parametrize("verb", ["archive", "remove"])
def test_a_numbered_list_goes_as_a_whole(
    tmp_path: Path, picked: tuple[str, ...], verb: str
) -> None:
    of = _house(tmp_path)

    _does(of, verb, *picked)

    assert _text(of) == TEXT.replace(f"{NUMBERED}\n", "")
    if verb == "archive":
        assert _text(of, "archive.md").endswith(f"\n\n{NUMBERED}")
    of.bench.undo()
    assert _text(of) == TEXT


def test_what_was_archived_together_comes_back_together(tmp_path: Path) -> None:
    of = _house(tmp_path)
    _does(of, "archive", "Count")
    (archive,) = (s for s in of.bench.library.sources if s.path.name == "archive.md")
    entry = archive.entries[1]

    of.bench.apply(Intent("restore", {entry.ref: entry.digest}))

    assert _text(of) == TEXT


def test_a_list_moves_as_a_whole(tmp_path: Path) -> None:
    of = _house(tmp_path)

    _does(of, "move", "Fetch", to="#Rest")

    assert "## Rest\n\n- End\n" in _text(of)
    assert _text(of).index("## Rest") < _text(of).index("1. Fetch") < _text(of).index("3. Tell")
    assert "## Steps\n\n## Rest" in _text(of)


def test_neither_is_a_lesson_that_could_be_in_several_memories(tmp_path: Path) -> None:
    of = _house(tmp_path)
    titles = [entry.title for entry, _ in lessons_of(of.bench.library)]
    assert titles == ["Alone", "Ports first", "Bells second", "End"]


OTHER = ".claude/agent-memory/orin/MEMORY.md"


@pytest.mark.parametrize("title", ["Count", "**Intro"])
def test_merging_leaves_no_gap_in_a_numbered_list_and_no_bullets_without_their_label(
    title: str, tmp_path: Path
) -> None:
    of = House(tmp_path, root={MEMORY: TEXT, OTHER: "- Count\n  twice\n- Ports first\n"})
    before = of.tree()
    every = [entry for source in of.bench.library.sources for entry in source.entries]
    into = next(e for e in every if "orin" in str(e.ref) and e.title.startswith("Count"))

    with pytest.raises(NotPossible, match="would leave a gap"):
        _does(of, "merge", title, into=str(into.ref))
    assert of.tree() == before

    item = next(e for e in every if "vega" in str(e.ref) and e.title.startswith("Count"))
    of.bench.apply(Intent("merge", {into.ref: into.digest}, {"into": str(item.ref)}))

    assert "1. Fetch\n2. Count (also orin)\n   twice\n3. Tell\n" in _text(of)
