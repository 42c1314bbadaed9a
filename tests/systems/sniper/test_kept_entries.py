"""What a large store says with the cache is what it says without it, whatever was kept before."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from tests.sniper_files import CONVENTIONS, open_shop

from remem.core.library import Library
from remem.core.relation.in_force import KIND as WORDS
from remem.core.relation.in_force import against
from remem.model.source import KnowsSpans
from remem.store.cache import Cache, NoCache
from remem.store.io import Disk
from remem.systems.sniper.cached_entries import KIND, decoded, encoded
from remem.systems.sniper.stores import StoreEntries, entries_of
from remem.systems.sniper.summary import render_summary

FEW = 64
"""Entries that are parsed before the cache is asked."""
RULES = st.sampled_from(
    [
        "Every lamp is counted twice",
        "Never count a lamp twice",
        "Retry a webhook three times",
        "Webhooks are retried 5 times",
        "Zähle die Lampen | am Kai",
        "灯 must not be counted",
        "",
    ]
)
TAILS = st.sampled_from(
    [
        "    status: confirmed\n",
        "    status: candidate\n",
        "    status: odd\n",
        "    applies_to: [qa-engineer]\n    enforcement: spawn_prompt\n",
        "    applies_to: {}\n",
        "    examples: {positive: use it}\n    source: {type: retro, date: 2026-03-02}\n",
        "    rule: twice\n",
        "    # a note\n",
    ]
)
IDS = st.sampled_from(["conv-{}", "c-{}", "conv-7", ""])
EDITS = st.lists(st.tuples(st.integers(0, 400), IDS, RULES, TAILS), max_size=12)


def entry(number: int, name: str, rule: str, tail: str) -> str:
    head = f"  - id: {name.format(number)}\n    rule:" if name else "  - rule:"
    return f'{head} "{rule}"\n{tail}'


def store(edits: Sequence[tuple[int, str, str, str]]) -> str:
    """Return a store of 400 entries, with some of them taken out, put in or written otherwise."""
    items = [entry(n, "conv-{}", f"Case {n}: every lamp is lit", "") for n in range(1, 401)]
    for number, (at, *written) in enumerate(edits):
        match number % 3:
            case 0:
                items.insert(at, entry(1_000 + number, *written))
            case 1:
                items[at % len(items)] = entry(2_000 + number, *written)
            case _:
                del items[at % len(items)]
    return "conventions:\n" + "".join(items)


def opened(root: Path, cache: Cache | None) -> Library:
    """Return the library of a project, read anew, with a cache or without any."""
    library = open_shop(root)
    ground = replace(library.ground, given=replace(library.ground.given, cache=cache or NoCache()))
    return Library(0, ground, library.formats).refresh()


def said(library: Library) -> list[Any]:
    """Return all that is asked of a store at once, and of each of its entries."""
    source = next(each for each in library.sources if each.part == "conventions")
    entries = entries_of(source)
    return [
        [*against(library, "convention", "Count every lamp once on the quay")],
        [*against(library, "anti_pattern", "Webhooks are retried 4 times")],
        [*source.entries],
        [entries.printed(number) for number in range(len(entries))],
        render_summary(library.sources),
        [(entry, problem) for _, entry, problem in library.problems()],
        [*library.waiting()],
    ]


def keep(library: Library, cache: Cache) -> None:
    for source in library.sources:
        if isinstance(source.entries, KnowsSpans):
            source.entries.keep()
    cache.keep()


@settings(max_examples=6, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(first=EDITS, second=EDITS)
def test_a_store_says_with_what_was_kept_what_it_says_without(
    tmp_path_factory: pytest.TempPathFactory, first: Any, second: Any
) -> None:
    root = tmp_path_factory.mktemp("project")
    file = root / "shop" / CONVENTIONS
    file.parent.mkdir(parents=True)
    for edits in (first, [*first, *second], first):
        file.write_text(store(edits))
        cache = Cache(Disk(), root / "cache")

        assert said(opened(root, cache)) == said(opened(root, None))

        again = opened(root, cache)
        for each in again.sources:
            assert len([*each.entries]) == len(each.entries)
        keep(again, cache)
        cache.close()


@settings(max_examples=4, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(edits=EDITS, more=EDITS)
def test_a_store_that_changed_while_open_says_what_it_says_when_opened(
    tmp_path_factory: pytest.TempPathFactory, edits: Any, more: Any
) -> None:
    root = tmp_path_factory.mktemp("project")
    file = root / "shop" / CONVENTIONS
    file.parent.mkdir(parents=True)
    file.write_text(store(edits))
    cache = Cache(Disk(), root / "cache")
    library = opened(root, cache)
    said(library)
    keep(library, cache)
    half_read = opened(root, cache)
    half_read.entry(next(half_read.entries()).ref)

    file.write_text(store([*edits, *more]))

    assert said(half_read.refresh()) == said(library.refresh()) == said(opened(root, None))


def large(root: Path) -> StoreEntries:
    cache = Cache(Disk(), root / "cache")
    library = opened(root, cache)
    found = next(each for each in library.sources if each.part == "conventions")
    return entries_of(found)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project whose entries were all read and kept."""
    file = tmp_path / "shop" / CONVENTIONS
    file.parent.mkdir(parents=True)
    file.write_text(store([]))
    cache = Cache(Disk(), tmp_path / "cache")
    library = opened(tmp_path, cache)
    said(library)
    keep(library, cache)
    cache.close()
    return tmp_path


def kept_otherwise(root: Path, data: bytes, kind: str = KIND) -> None:
    """Keep something else for every run of the store."""
    cache = Cache(Disk(), root / "cache")
    for run in large(root).runs():
        cache.put(data, kind, run.name)
    assert cache.keep()
    cache.close()


def test_entries_are_taken_from_the_cache_and_not_parsed(root: Path) -> None:
    cache = Cache(Disk(), root / "cache")
    entries = large(root)
    for run in entries.runs():
        rows = [*decoded(cache.get(KIND, run.name) or b"", run.last - run.first)]
        cache.put(
            encoded([each and each._replace(title="it was kept") for each in rows]), KIND, run.name
        )
    cache.keep()

    titles = {entry.title for entry in [*large(root)][FEW:]}

    assert titles == {"it was kept"}


@pytest.mark.parametrize("kind", [KIND, WORDS])
@pytest.mark.parametrize(
    "other", [b"", b"{", b"[]", b"[1, 2]", b"null", b"[[0],[1],[2],[3],[4],[5]]", b'"\xff"']
)
def test_what_was_kept_in_another_shape_is_read_anew(root: Path, other: bytes, kind: str) -> None:
    kept_otherwise(root, other, kind)

    assert said(opened(root, Cache(Disk(), root / "cache"))) == said(opened(root, None))


def test_what_is_damaged_is_read_anew(root: Path) -> None:
    base = sqlite3.connect(root / "cache" / "answers.db")
    rows = base.execute("SELECT number, data FROM answer").fetchall()
    assert rows
    for number, data in rows:
        at = len(data) // 2
        other = data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
        base.execute("UPDATE answer SET data = ? WHERE number = ?", (other, number))
    base.commit()
    base.close()

    assert said(opened(root, Cache(Disk(), root / "cache"))) == said(opened(root, None))


def test_an_edit_leaves_what_was_kept_of_all_other_runs(root: Path) -> None:
    before = {run.name for run in large(root).runs()}
    file = root / "shop" / CONVENTIONS
    text = file.read_text()
    file.write_text(text.replace("Case 17: every", "Case 17: no"))

    after = {run.name for run in large(root).runs()}

    assert len(before) == len(after) > 2
    assert len(before - after) == 1


def test_an_entry_whose_id_a_new_one_takes_has_that_problem(root: Path) -> None:
    with (root / "shop" / CONVENTIONS).open("a") as file:
        file.write(entry(7, "conv-{}", "Every lamp is counted twice", ""))

    assert said(opened(root, Cache(Disk(), root / "cache"))) == said(opened(root, None))


def test_where_entries_repeat_others_nothing_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "shop" / CONVENTIONS
    file.parent.mkdir(parents=True)
    text = store([]).replace("rule: ", "rule: &said ", 1)
    file.write_text(text + "  - id: conv-900\n    rule: *said\n")

    assert large(tmp_path).runs() == ()
    assert said(opened(tmp_path, Cache(Disk(), tmp_path / "cache"))) == said(opened(tmp_path, None))


def test_few_entries_are_not_kept(tmp_path: Path) -> None:
    file = tmp_path / "shop" / CONVENTIONS
    file.parent.mkdir(parents=True)
    file.write_text("conventions:\n" + entry(1, "conv-{}", "Every lamp is lit", ""))

    assert large(tmp_path).runs() == ()
