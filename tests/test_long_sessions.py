"""What a program that stays open all day holds of files that agents write to all day."""

import gc
from itertools import pairwise
from pathlib import Path
from weakref import ref

from tests.sniper_files import write

from remem.core.relation.in_force import in_force
from remem.core.relation.pairs import pairs
from remem.core.session import Session
from remem.core.settings import Places
from remem.model.entry import digest_of
from remem.model.prompt import Ask
from remem.model.source import Source
from remem.views.health import PAIRS_SHOWN, health_items

MEMORY = ".claude/agent-memory/keeper/MEMORY.md"
VERSIONS = 20
VERSIONS_HELD = 4
HELD = 8
"""Versions of a file that may be there at a time: the newest, and what still compares with it."""


def test_old_versions_of_a_file_go_whatever_was_asked_of_them(tmp_path: Path) -> None:
    root = tmp_path / "harbour"
    definition = "---\nname: keeper\ndescription: d\nmemory: project\n---\nYou count the lamps.\n"
    write(root, {".claude/agents/keeper.md": definition, MEMORY: "# Memory\n\n- a lamp\n"})
    bench = Session.open(root, Places.of(tmp_path / "home"), door="tui")
    versions: list[ref[Source]] = []

    for number in range(VERSIONS):
        with (root / MEMORY).open("a") as file:
            file.write(f"- lamp {number} of `src/gone_{number}.py` was counted\n")
        library = bench.refresh([root / MEMORY])
        versions.append(ref(next(s for s in library.sources if s.path == root / MEMORY)))
        health_items(bench, bench.agents(), thorough=True)
        bench.compose(Ask(agent="keeper"))
        bench.queue()
    del library
    gc.collect()

    assert sum(version() is not None for version in versions) <= HELD
    bench.close()


def test_old_versions_of_a_store_go_whatever_it_was_compared_with(tmp_path: Path) -> None:
    store = ".sniper/memory/conventions.yaml"
    rule = "  - id: conv-{0:04d}\n    rule: Case {0} keeps its lamp lit in the harbour\n"
    root = tmp_path / "harbour"
    write(root, {store: "conventions:\n" + "".join(map(rule.format, range(20)))})
    bench = Session.open(root, Places.of(tmp_path / "home"), door="tui")
    versions: list[ref[Source]] = []

    for number in range(VERSIONS):
        with (root / store).open("a") as file:
            file.write(rule.format(100 + number))
        library = bench.refresh([root / store])
        versions.append(ref(next(s for s in library.sources if s.path == root / store)))
        assert any(pairs(library))
        in_force(library)
        health_items(bench, bench.agents(), thorough=True)
        bench.queue()
    del library
    gc.collect()

    assert sum(version() is not None for version in versions) <= VERSIONS_HELD
    bench.close()


def test_of_very_many_entries_that_are_alike_health_shows_the_first_and_counts_the_rest(
    tmp_path: Path,
) -> None:
    store = ".sniper/memory/conventions.yaml"
    rule = "  - id: conv-{0:04d}\n    rule: Case {0} keeps its lamp lit in the old harbour\n"
    root = tmp_path / "harbour"
    write(root, {store: "conventions:\n" + "".join(map(rule.format, range(60)))})
    bench = Session.open(root, Places.of(tmp_path / "home"), door="tui")
    many = sum(1 for _ in pairs(bench.library))

    found = health_items(bench, (), thorough=True)

    assert many > PAIRS_SHOWN
    assert sum(each.pair is not None for each in found) == PAIRS_SHOWN
    told = [each.problem.message for each in found if each.problem.code == "alike"]
    assert told == [f"{many - PAIRS_SHOWN:,} more similar pairs"]
    bench.close()


def test_what_many_writes_leave_is_looked_after_though_they_wait_as_few(tmp_path: Path) -> None:
    store = ".sniper/memory/conventions.yaml"
    rule = "  - id: conv-{0:04d}\n    rule: Case {0} keeps its lamp lit in the harbour\n"
    root = tmp_path / "harbour"
    tugs = "  - id: conv-0900\n    rule: Tugs give way to every ferry\n"
    write(root, {store: "conventions:\n" + tugs + "".join(map(rule.format, range(20)))})
    bench = Session.open(root, Places.of(tmp_path / "home"), door="tui")
    bench.begin()
    most, first = 0, (root / store).read_bytes()

    for number in range(40):
        text = (root / store).read_text()
        without = text.replace(tugs, "") if number == 30 else text
        (root / store).write_text(without + rule.format(100 + number))
        bench.take_in({root / store})
        most = max(most, bench.unfollowed)
    last = (root / store).read_bytes()
    bench.follow()

    assert most <= 9
    assert [each.title for each in bench.library.aside.vanished] == ["Tugs give way to every ferry"]
    noted = [(each.before, each.after) for each in reversed(bench.past.outside())]
    assert (noted[0][0], noted[-1][1]) == (digest_of(first), digest_of(last))
    assert all(one[1] == other[0] for one, other in pairwise(noted))
    bench.close()
