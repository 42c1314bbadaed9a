"""Lost and found: what took a phrase out of memory, and the way back."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.test_touched import assert_names_all
from tests.persona_files import write
from tests.systems.personas.test_persona_lifecycle import House

from remem.base.clock import Clock
from remem.base.errors import NotPossible, Unacknowledged, UnknownRef
from remem.core.history.removed import Lost
from remem.core.history.search_history import HistorySearch
from remem.core.system import Given
from remem.core.verbs.verbs import put_back_intent
from remem.model.change import Intent
from remem.model.entry import Ref

STORE = ".sniper/memory/conventions.yaml"
HISTORY = ".squad/agents/hill/history.md"
CONVENTIONS = """\
conventions:
  # ours
  - id: conv-001
    rule: "Every queue consumer is idempotent"
  - id: conv-002
    rule: "Services log JSON"
  - id: conv-003
    rule: "Names are verbs"
"""
MEMORY = """\
# Hill — History

## Learnings

### 2026-05-01

- Ports are counted
  twice a day
- Bells ring at noon
- Nets dry in the sun
"""


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path, root={STORE: CONVENTIONS, HISTORY: MEMORY})


def git(root: Path, *arguments: str) -> None:
    who = ("-c", "user.name=A", "-c", "user.email=a@b", "-c", "commit.gpgsign=false")
    subprocess.run(["git", "-C", str(root), *who, *arguments], check=True, capture_output=True)


def commit(house: House, message: str, **files: str | None) -> None:
    """Write or remove files by name, and commit all."""
    for name, text in files.items():
        path = house.root / {"store": STORE, "history": HISTORY}[name]
        if text is None:
            path.unlink()
        else:
            path.write_text(text)
    if not (house.root / ".git").exists():
        git(house.root, "init", "-q")
    git(house.root, "add", "-A")
    git(house.root, "commit", "-q", "--allow-empty", "-m", message)
    house.bench.refresh()


def back(house: House, lost: list[Lost], phrase: str) -> str:
    """Put back what was lost and return the title of the change."""
    return house.bench.apply(put_back_intent(lost, phrase)).change.title


def lesson(house: House, title: str) -> Ref:
    return next(e.ref for e in house.bench.library.entries() if e.title.startswith(title))


def test_the_change_that_removed_a_phrase_is_named_and_puts_it_back_where_it_stood(
    house: House,
) -> None:
    ref = lesson(house, "Ports")
    entry = house.bench.library.entry(ref)
    house.bench.apply(house.bench.intend("remove", [entry]))

    (lost,) = house.bench.history_search.in_history("counted twice A DAY").lost
    title = back(house, [lost], "counted twice A DAY")

    assert (lost.kind, lost.path) == ("change", house.root / HISTORY)
    assert lost.text == "- Ports are counted\n  twice a day"
    assert title == f"Put back `counted twice A DAY` from {lost.id}"
    assert (house.root / HISTORY).read_text() == MEMORY


def test_what_was_put_back_can_be_undone(house: House) -> None:
    entry = house.bench.library.entry(lesson(house, "Bells"))
    house.bench.apply(house.bench.intend("remove", [entry]))
    without = (house.root / HISTORY).read_text()
    back(house, [*house.bench.history_search.in_history("bells ring").lost], "bells ring")

    house.bench.undo()

    assert (house.root / HISTORY).read_text() == without


def test_a_store_gets_its_entry_back_among_its_neighbours_with_what_others_wrote(
    house: House,
) -> None:
    house.bench.apply(house.bench.intend("remove", [house.bench.library.resolve("conv-002")]))
    later = (house.root / STORE).read_text().replace("verbs", "verbs, always")
    (house.root / STORE).write_text(later)
    house.bench.refresh()

    (lost,) = house.bench.history_search.in_history("services log").lost
    before = house.bench.library
    change = house.bench.apply(put_back_intent([lost], "services log")).change

    assert_names_all(before, house.bench.library, change)

    assert (house.root / STORE).read_text() == CONVENTIONS.replace("verbs", "verbs, always")


def test_an_archived_unit_comes_back_and_its_copy_goes(house: House) -> None:
    entry = house.bench.library.entry(lesson(house, "Nets"))
    house.bench.apply(house.bench.intend("archive", [entry]))
    archive = house.root / ".squad/agents/hill/history-archive.md"
    assert "Nets dry" in archive.read_text()

    (lost,) = house.bench.history_search.in_history("nets dry").lost
    before = house.bench.library
    change = house.bench.apply(put_back_intent([lost], "nets dry")).change

    assert_names_all(before, house.bench.library, change)

    assert (house.root / HISTORY).read_text() == MEMORY
    assert not archive.exists()


def test_what_another_writer_took_out_is_named_as_theirs(house: House) -> None:
    (house.root / HISTORY).write_text(MEMORY.replace("- Bells ring at noon\n", ""))
    house.bench.refresh()

    (lost,) = house.bench.history_search.in_history("bells ring").lost
    back(house, [*house.bench.history_search.by_name(lost.id, "bells ring")], "bells ring")

    assert lost.kind == "outside"
    assert lost.title == "another program edits history.md"
    assert (house.root / HISTORY).read_text() == MEMORY


def test_what_a_persona_lost_before_it_was_renamed_comes_back_under_its_new_name(
    house: House,
) -> None:
    commit(house, "all")
    commit(house, "Tidy", history=MEMORY.replace("- Nets dry in the sun\n", ""))
    entry = house.bench.library.entry(lesson(house, "Bells"))
    house.bench.apply(house.bench.intend("remove", [entry]))
    house.does("persona.rename", persona="Hill", to="Vega")

    for phrase in ("bells ring", "nets dry"):
        search = house.bench.history_search
        found = (*search.in_history(phrase).lost, *search.in_git(phrase).lost)
        back(house, [found[-1]], phrase)

    assert (house.root / ".squad/agents/vega/history.md").read_text() == MEMORY


def test_the_history_does_not_keep_what_came_back_twice(house: House) -> None:
    entry = house.bench.library.entry(lesson(house, "Bells"))
    house.bench.apply(house.bench.intend("remove", [entry]))
    back(house, [*house.bench.history_search.in_history("bells ring").lost], "bells ring")

    newest = house.bench.past.changes()[0]

    assert set(newest.intent.arguments) == {"from", "text"}


def test_a_place_that_is_gone_sends_a_unit_to_the_end(house: House) -> None:
    entry = house.bench.library.entry(lesson(house, "Bells"))
    house.bench.apply(house.bench.intend("remove", [entry]))
    (house.root / HISTORY).write_text("# Other\n\nAll was written anew.\n")
    house.bench.refresh()

    (lost,) = (
        x for x in house.bench.history_search.in_history("bells ring").lost if x.kind == "change"
    )
    change = house.bench.apply(put_back_intent([lost], "bells ring")).change

    text = (house.root / HISTORY).read_text()
    assert text == "# Other\n\nAll was written anew.\n\n- Bells ring at noon\n"
    assert "is added at the end" in change.notes[0]


def test_an_undone_change_took_nothing(house: House) -> None:
    entry = house.bench.library.entry(lesson(house, "Bells"))
    house.bench.apply(house.bench.intend("remove", [entry]))

    house.bench.undo()

    assert house.bench.history_search.in_history("bells ring").lost == ()


def test_text_that_stands_again_is_not_put_back_twice(house: House) -> None:
    entry = house.bench.library.entry(lesson(house, "Bells"))
    house.bench.apply(house.bench.intend("remove", [entry]))
    lost = [*house.bench.history_search.in_history("bells ring").lost]
    back(house, lost, "bells ring")

    with pytest.raises(NotPossible):
        back(house, lost, "bells ring")

    assert (house.root / HISTORY).read_text() == MEMORY


def test_a_commit_that_removed_a_phrase_is_named_and_puts_it_back(house: House) -> None:
    commit(house, "all")
    commit(house, "Tidy", history=MEMORY.replace("- Ports are counted\n  twice a day\n", ""))
    commit(house, "Later", store=CONVENTIONS + "  - id: conv-004\n    rule: More\n")

    in_history = house.bench.history_search.in_git("Ports are COUNTED twice")
    (lost,) = in_history.lost
    back(house, [*house.bench.history_search.by_name(lost.id[:9], "ports are")], "ports are")

    assert (lost.kind, lost.title, in_history.is_whole) == ("commit", "Tidy", True)
    assert (house.root / HISTORY).read_text() == MEMORY


def test_a_file_that_a_commit_removed_comes_back_whole(house: House) -> None:
    commit(house, "all")
    commit(house, "Drop Hill", history=None)

    (lost,) = house.bench.history_search.in_git("bells ring at noon").lost
    back(house, [lost], "bells ring at noon")

    assert lost.text == "- Bells ring at noon"
    assert (house.root / HISTORY).read_text() == MEMORY


HOSTILE = [
    pytest.param("--output=/tmp/owned", id="option"),
    pytest.param("-S--all", id="dash"),
    pytest.param("a.*b[ (\\|{3}$^", id="pattern"),
    pytest.param("line one\nline two", id="newline"),
    pytest.param("nul\0inside", id="nul"),
    pytest.param("half \ud800 a pair", id="surrogate"),
    pytest.param("$(touch /tmp/owned) `id` ; rm", id="shell"),
    pytest.param("x" * 501, id="too long"),
    pytest.param("  \n ", id="blank"),
]


@pytest.mark.parametrize("phrase", HOSTILE)
def test_a_hostile_phrase_finds_itself_or_nothing(house: House, phrase: str) -> None:
    commit(house, "all")
    before = house.tree()

    found = (
        house.bench.history_search.in_history(phrase).lost,
        house.bench.history_search.in_git(phrase).lost,
    )

    assert found == ((), ())
    assert house.tree() == before


@pytest.mark.parametrize("phrase", ["--output=x", "a.*b[ (\\|{3}$^", "one\n  two"])
def test_signs_that_git_or_a_pattern_would_obey_are_found_as_they_are(
    house: House, phrase: str
) -> None:
    commit(house, "all", history=f"{MEMORY}- Mind {phrase} here\n")
    commit(house, "gone", history=MEMORY)

    (lost,) = house.bench.history_search.in_git(phrase).lost

    assert lost.title == "gone"


def test_without_a_repository_or_a_commit_git_has_nothing(house: House) -> None:
    without = house.bench.history_search.in_git("bells ring")
    git(house.root, "init", "-q")

    empty = house.bench.history_search.in_git("bells ring")

    assert without == empty
    assert (empty.lost, empty.is_whole) == ((), True)


def test_a_search_that_runs_out_of_time_says_so(tmp_path: Path) -> None:
    house = House(tmp_path, root={HISTORY: MEMORY, STORE: CONVENTIONS})
    commit(house, "all")
    entry = house.bench.library.entry(lesson(house, "Bells"))
    house.bench.apply(house.bench.intend("remove", [entry]))
    hours = (datetime(2026, 5, 4, hour, tzinfo=UTC) for hour in range(24))
    ground = replace(house.bench.library.ground, given=Given(Clock(now=lambda: next(hours))))

    in_git = house.bench.history_search.in_git("bells ring", seconds=0.000001)
    late = HistorySearch(house.root, house.bench.journal, house.bench.library.on(ground))
    in_history = late.in_history("bells ring")

    assert not in_git.is_whole
    assert (in_history.lost, in_history.is_whole) == ((), False)


def test_a_project_below_the_top_of_a_repository_is_looked_through(tmp_path: Path) -> None:
    house = House(tmp_path, root={HISTORY: MEMORY})
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "all")
    (house.root / HISTORY).write_text(MEMORY.replace("- Bells ring at noon\n", ""))
    git(tmp_path, "commit", "-qam", "gone")
    house.bench.refresh()

    (lost,) = house.bench.history_search.in_git("bells ring").lost
    back(house, [lost], "bells ring")

    assert (house.root / HISTORY).read_text() == MEMORY


def test_a_repositorys_own_filters_are_not_run(house: House) -> None:
    mark = house.root / "ran"
    commit(house, "all")
    git(house.root, "config", "diff.evil.textconv", f"touch {mark} &&")
    git(house.root, "config", "diff.external", f"touch {mark} &&")
    write(house.root, {".gitattributes": "*.md diff=evil\n"})
    commit(house, "gone", history="# Hill — History\n")

    (lost,) = house.bench.history_search.in_git("bells ring").lost

    assert lost.title == "gone"
    assert not mark.exists()


def test_names_that_are_neither_change_nor_commit_and_what_took_nothing(house: House) -> None:
    commit(house, "all")

    with pytest.raises(UnknownRef):
        house.bench.history_search.by_name("--all", "x")
    with pytest.raises(NotPossible, match="did not remove `bells`"):
        house.bench.history_search.by_name("HEAD", "bells")


def test_hidden_characters_come_back_only_when_they_were_seen(house: House) -> None:
    secret = "the key is \u202eturned"
    (house.root / HISTORY).write_text(f"{MEMORY}- Use {secret}\n")
    house.bench.refresh()
    entry = house.bench.library.entry(lesson(house, "Use the key"))
    house.bench.apply(house.bench.intend("remove", [entry]))
    (lost,) = house.bench.history_search.in_history("the key is").lost
    intent = put_back_intent([lost], "the key is")

    with pytest.raises(Unacknowledged):
        house.bench.plan(intent)
    seen = replace(intent, arguments={**intent.arguments, "acknowledged": True})
    house.bench.apply(seen)

    assert secret in (house.root / HISTORY).read_text()


WORDS = st.sampled_from(["tea", "bell", "net", "rope", "tide"])
UNITS = st.lists(st.tuples(WORDS, WORDS, WORDS), min_size=2, max_size=7, unique=True)


@settings(max_examples=8, deadline=None)
@given(UNITS, st.data())
def test_whatever_unit_a_change_took_out_comes_back_to_the_byte(
    tmp_path_factory: pytest.TempPathFactory, units: list[tuple[str, str, str]], data: st.DataObject
) -> None:
    lines = [f"- {' '.join(words)}" for words in units]
    text = "# Hill\n\n" + "\n".join(lines) + "\n"
    house = House(tmp_path_factory.mktemp("house"), root={HISTORY: text})
    taken = data.draw(st.sampled_from(lines))
    entry = house.bench.library.entry(lesson(house, taken.removeprefix("- ")))
    house.bench.apply(house.bench.intend("remove", [entry]))

    lost = [*house.bench.history_search.in_history(taken.removeprefix("- ")).lost]
    back(house, lost, taken.removeprefix("- "))
    house.bench.close()

    assert (house.root / HISTORY).read_text() == text


OTHERS = """\
conventions:
  - id: conv-{number}
    rule: "Written anew by someone"
"""


@pytest.mark.parametrize(("number", "name"), [("001", "conv-002"), ("002", "conv-003")])
def test_a_store_whose_place_is_gone_gets_its_entry_back_at_the_end_of_its_list(
    house: House, number: str, name: str
) -> None:
    ref = Ref("sniper", "conv-002", house.root.name)
    house.bench.apply(Intent("remove", {ref: ""}))
    (house.root / STORE).write_text(OTHERS.format(number=number))
    house.bench.refresh()
    phrase = "Services log JSON"

    lost = [*house.bench.history_search.in_history(phrase).lost]
    title = back(house, lost[:1], phrase)

    assert title.startswith("Put back `Services log JSON`")
    found = [(e.ref.id, e.title) for e in house.bench.library.of_kind("convention")]
    assert found == [(f"conv-{number}", "Written anew by someone"), (name, phrase)]
    house.bench.undo()
    assert (house.root / STORE).read_text() == OTHERS.format(number=number)
