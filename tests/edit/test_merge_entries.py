"""Three-way merges of memory files: what both sides wrote stays, by an independent model."""

from __future__ import annotations

import subprocess
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remem.edit.merge_entries import merge_entries

BASE = b"# Rules\n\n- Use tabs.\n- Never push to main.\n- Run the suite.\n"


def merged(base: bytes, ours: bytes, theirs: bytes, *, is_yaml: bool = False) -> bytes:
    found = merge_entries(base, ours, theirs, is_yaml=is_yaml)
    assert found.conflicts == 0, found.data.decode()
    return found.data


def test_entries_of_both_sides_stay_where_git_sees_a_conflict(tmp_path: Path) -> None:
    ours, theirs = BASE + b"- Prefer pytest.\n", BASE + b"- Prefer ruff.\n"
    assert git_merge(tmp_path, BASE, ours, theirs)[0] == 1

    assert merged(BASE, ours, theirs) == BASE + b"- Prefer pytest.\n- Prefer ruff.\n"


def test_what_one_side_took_out_is_gone_and_what_both_wrote_stands_once() -> None:
    ours = b"# Rules\n\n- Use tabs.\n- Run the suite.\n- Prefer pytest.\n"
    theirs = BASE + b"- Prefer pytest.\n- Prefer ruff.\n"

    assert merged(BASE, ours, theirs) == ours + b"- Prefer ruff.\n"


def test_an_entry_that_both_changed_is_a_conflict_as_git_writes_it(tmp_path: Path) -> None:
    ours, theirs = BASE.replace(b"tabs", b"two tabs"), BASE.replace(b"tabs", b"no tabs")

    found = merge_entries(BASE, ours, theirs)

    assert found.conflicts == 1
    assert found.data == git_merge(tmp_path, BASE, ours, theirs)[1]


def test_an_entry_that_one_changed_and_the_other_took_out_is_a_conflict() -> None:
    found = merge_entries(
        BASE, BASE.replace(b"- Use tabs.\n", b""), BASE.replace(b"Use tabs", b"Use two tabs")
    )

    assert found.conflicts == 1
    assert b"<<<<<<< ours\n=======\n- Use two tabs.\n>>>>>>> theirs\n" in found.data


def test_a_heading_stays_where_the_other_side_wrote_below_it() -> None:
    base = b"# A\n\n- One.\n\n# B\n\n- Two.\n"

    gone = merged(base, b"# A\n\n- One.\n", base.replace(b"One", b"One thing"))
    kept = merged(base, b"# A\n\n- One.\n", base + b"- Three.\n")

    assert gone == b"# A\n\n- One thing.\n"
    assert kept == b"# A\n\n- One.\n\n# B\n\n- Three.\n"


def test_sections_that_both_began_are_one() -> None:
    made = b"# Memory\n\n## 2026-05-04\n\n"

    assert merged(b"", made + b"- One.\n", made + b"- Two.\n") == made + b"- One.\n- Two.\n"


def test_records_of_a_store_are_told_apart_by_their_names() -> None:
    base = b"version: 1\nconventions:\n  - id: conv-1\n    rule: Use tabs\n"
    one = base + b"  - id: conv-2\n    rule: Prefer pytest\n"
    two = base.replace(b"tabs", b"two tabs") + b"  - id: conv-3\n    rule: Prefer ruff\n"

    assert merged(base, one, two, is_yaml=True) == two.replace(
        b"  - id: conv-3", b"  - id: conv-2\n    rule: Prefer pytest\n  - id: conv-3"
    )
    same_name = merge_entries(base, one, two.replace(b"conv-3", b"conv-2"), is_yaml=True)
    assert same_name.conflicts == 1


def test_a_file_that_is_no_text_is_a_conflict() -> None:
    assert merge_entries(b"a", b"b\0", b"c").conflicts == 1


def git_merge(top: Path, base: bytes, ours: bytes, theirs: bytes) -> tuple[int, bytes]:
    for name, data in (("ours", ours), ("base", base), ("theirs", theirs)):
        (top / name).write_bytes(data)
    found = subprocess.run(
        ["git", "merge-file", "-p", "ours", "base", "theirs"], cwd=top, capture_output=True
    )
    return found.returncode, found.stdout


ENTRIES = st.lists(st.integers(0, 40), max_size=8, unique=True)


def text(entries: list[str]) -> bytes:
    return ("# Rules\n\n" + "".join(f"- {entry}\n" for entry in entries)).encode()


def named(number: int) -> str:
    words = ("harbour", "ferry", "ticket", "engine", "anchor", "bell", "crew", "deck", "sail")
    return " ".join(words[(number * step + step) % 9] for step in (1, 2, 4, 5, 7)) + f" {number}"


@st.composite
def histories(draw: st.DrawFn) -> tuple[list[str], list[str], list[str]]:
    """Return a base and two sides that add, take out and reorder entries of their own."""
    base = [named(number) for number in draw(ENTRIES)]
    sides = []
    for first in (100, 200):
        left = [entry for entry in base if draw(st.booleans()) or draw(st.booleans())]
        new = [named(first + number) for number in draw(ENTRIES)]
        shared = [named(300 + number) for number in draw(st.lists(st.integers(0, 3), unique=True))]
        for entry in (*new, *shared):
            left.insert(draw(st.integers(0, len(left))), entry)
        sides.append(left)
    return base, sides[0], sides[1]


@given(histories())
def test_nothing_that_a_side_wrote_is_lost_and_nothing_comes_back(
    history: tuple[list[str], list[str], list[str]],
) -> None:
    base, one, two = history

    found = merge_entries(text(base), text(one), text(two))

    lines = [line for line in found.data.decode().splitlines() if line.startswith("- ")]
    stands = Counter(line.removeprefix("- ") for line in lines)
    wanted = {e for e in {*base, *one, *two} if (e in one and e in two) or e not in base}
    if found.conflicts == 0:
        assert stands == Counter(wanted)
    else:  # what one took out may look like what the other wrote anew
        assert {*stands} >= wanted - {*base}
    assert merge_entries(text(base), text(one), text(base)).data == text(one)
    assert merge_entries(text(base), text(base), text(two)).data == text(two)


@given(histories())
def test_both_orders_of_the_sides_have_the_same_entries(
    history: tuple[list[str], list[str], list[str]],
) -> None:
    base, one, two = (text(each) for each in history)

    first, second = merge_entries(base, one, two), merge_entries(base, two, one)

    assert first.conflicts == second.conflicts
    assert Counter(first.data.splitlines()) - Counter([b"<<<<<<< ours"]) == Counter(
        second.data.splitlines()
    ) - Counter([b"<<<<<<< ours"])


@pytest.mark.parametrize("eol", [b"\n", b"\r\n"])
def test_line_ends_stay(eol: bytes) -> None:
    base = BASE.replace(b"\n", eol)

    found = merged(base, base + b"- One." + eol, base + b"- Two.")

    assert found == base + b"- One." + eol + b"- Two."
