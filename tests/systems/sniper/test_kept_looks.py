"""What was seen at a look over a large store is kept, and says what a new look says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from tests.sniper_files import CONVENTIONS
from tests.systems.sniper.test_kept_entries import EDITS, keep, opened, store

from remem.core.library import Library
from remem.edit.yaml_index import index, packed, unpacked
from remem.edit.yaml_read import MAX_EXACT
from remem.store.cache import Cache
from remem.store.io import Disk
from remem.systems.sniper.stores import StoreEntries, entries_of, may_be_read

LONG = f"# {'a long story ' * (MAX_EXACT // 13)}\n"
"""Of a smaller file every item is parsed at once, and nothing of a look is kept."""


def stores_of(library: Library) -> StoreEntries:
    return entries_of(next(each for each in library.sources if each.part == "conventions"))


def looked(library: Library) -> list[Any]:
    entries = stores_of(library)
    waiting = [entry.ref for entry in library.waiting()]
    return [waiting, [*may_be_read(entries)], [*entries.spans.items], entries.spans]


@settings(max_examples=8, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(first=EDITS, second=EDITS)
def test_a_look_finds_with_what_was_kept_what_it_finds_without(
    tmp_path_factory: pytest.TempPathFactory, first: Any, second: Any
) -> None:
    root = tmp_path_factory.mktemp("project")
    file = root / "shop" / CONVENTIONS
    file.parent.mkdir(parents=True)
    for edits in (first, first, [*first, *second]):
        file.write_text(LONG + store(edits))
        cache = Cache(Disk(), root / "cache")
        library = opened(root, cache)

        assert looked(library) == looked(opened(root, None))

        keep(library, cache)
        cache.close()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A large store of which a look was kept."""
    path = tmp_path / "shop" / CONVENTIONS
    path.parent.mkdir(parents=True)
    path.write_text(LONG + store([(3, "conv-{}", "Count twice", "    status: candidate\n")]))
    cache = Cache(Disk(), tmp_path / "cache")
    library = opened(tmp_path, cache)
    looked(library)
    keep(library, cache)
    cache.close()
    return path


def test_a_store_is_not_scanned_again_in_the_next_process(file: Path, tmp_path: Path) -> None:
    cache = Cache(Disk(), tmp_path / "cache")
    entries = stores_of(opened(tmp_path, cache))
    other = replace(entries.spans, ids=tuple(f"kept-{name}" for name in entries.spans.ids))
    kept = packed(other)
    assert kept is not None
    for source in opened(tmp_path, cache).sources:
        if source.part == "conventions":
            cache.put(kept, "items of a store", source.digest, "conventions")
    cache.keep()

    assert {name[:5] for name in stores_of(opened(tmp_path, cache)).spans.ids} == {"kept-"}


@pytest.mark.parametrize("part", [0, 1, 33, 2_000, -1])
def test_what_is_cut_off_is_no_index(file: Path, part: int) -> None:
    data = file.read_bytes()
    kept = packed(index(data, "conventions"))

    assert kept is not None
    assert unpacked(kept, data, "conventions") == index(data, "conventions")
    assert unpacked(kept[:part], data, "conventions") != index(data, "conventions")
    assert unpacked(kept, data[:5_000], "conventions") is None


def test_of_a_list_with_problems_no_index_is_kept() -> None:
    empty = index(f"{LONG}conventions:\n  - id: a\n  -\n".encode(), "conventions")

    assert empty.problems
    assert packed(empty) is None
