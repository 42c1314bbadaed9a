"""What agents log, what code names and what was observed tell who applied an entry."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.shaktra_briefs import FILES, STORIES, check_of, open_files

from remem.code.ids_in_code import Reference, References
from remem.core.library import Library
from remem.systems.shaktra.applied import Logged, Use, busiest, count_log, unknown_ids, uses

LINE = "MEMORY: [developer] applying PR-001 — the queue answers\n"
NO_CODE = References(searched=False)


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        pytest.param(LINE, {("PR-001", "developer"): 1}, id="one line"),
        pytest.param(LINE * 3, {("PR-001", "developer"): 3}, id="each time"),
        pytest.param(LINE.rstrip("\n"), {("PR-001", "developer"): 1}, id="without a line end"),
        pytest.param(f"12:01 | {LINE}", {("PR-001", "developer"): 1}, id="behind a time"),
        pytest.param(
            "MEMORY: [sw-quality] applying AP-001, PC-001 and PR-002 — x",
            {("AP-001", "sw-quality"): 1, ("PC-001", "sw-quality"): 1, ("PR-002", "sw-quality"): 1},
            id="several ids",
        ),
        pytest.param(
            '{"text": "MEMORY: [developer] applying PR-001 \\u2014 x\\nMEMORY: [a] applying PR-2"}',
            {("PR-001", "developer"): 1, ("PR-2", "a"): 1},
            id="inside JSON",
        ),
        pytest.param(
            "\x1b[32mMEMORY:\x1b[0m [\x1b[1mdeveloper\x1b[m] applying \x1b]8;;x\x07PR-001\x1b\\",
            {("PR-001", "developer"): 1},
            id="with colours and links",
        ),
        pytest.param("MEMORY: [agent] applying PR-NNN — …", {}, id="the words of a template"),
        pytest.param("MEMORY: [developer] read PR-001", {}, id="another word"),
        pytest.param("MEMORY: [] applying PR-001", {}, id="nobody"),
        pytest.param("MEMORY: [a\nb] applying PR-001", {}, id="two lines"),
        pytest.param("", {}, id="nothing"),
    ],
)
def test_the_lines_of_a_log_are_counted_by_entry_and_agent(
    text: str, counts: dict[tuple[str, str], int]
) -> None:
    assert count_log([text.encode()]).counts == counts


NOISE = st.sampled_from(
    [
        LINE,
        "MEMORY: ",
        "[developer] ",
        "applying ",
        "PR-001",
        ", PC-002",
        "\n",
        "\x1b[1m",
        "é",
        "x" * 600,
    ]
)


@settings(max_examples=80, deadline=None)
@given(text=st.lists(NOISE, max_size=12).map("".join), size=st.integers(1, 700))
def test_how_a_log_is_cut_makes_no_difference(text: str, size: int) -> None:
    data = text.encode()

    pieces = [data[at : at + size] for at in range(0, len(data), size)]

    assert count_log(pieces) == count_log([data])


def test_a_log_of_one_endless_line_is_counted_piece_by_piece() -> None:
    piece = b"x" * 65_536 + LINE.encode().rstrip(b"\n")

    assert count_log([piece] * 40).counts == {("PR-001", "developer"): 40}


@pytest.mark.slow
def test_a_log_of_a_hundred_megabytes_is_counted() -> None:
    row = b"\x1b[2m12:00:01\x1b[0m the worker is idle, and nobody asks it to do more\n"
    piece = (row * 16_384)[: 1 << 20]

    found = count_log(piece + LINE.encode() for _ in range(100))

    assert found.counts == {("PR-001", "developer"): 100}


def used(library: Library, logged: Logged, code: References = NO_CODE) -> dict[str, Use]:
    return {use.entry.ref.id: use for use in uses(library, logged, code)}


def test_an_entry_shows_who_applied_it_where_it_is_named_and_for_what_it_was_briefed(
    tmp_path: Path,
) -> None:
    brief = "relevant_principles:\n  - {id: PR-001, text: x, roles: []}\n"
    files = {
        **FILES,
        **check_of("ST-010", "reinforce"),
        f"{STORIES}/ST-010/.briefing.yml": brief,
    }
    logged = count_log([LINE.encode() * 2, b"MEMORY: [tester] applying PR-001\n"])
    code = References((Reference("src/a.py", 3, "PR-001"), Reference("src/a.py", 9, "PR-777")))

    use = used(open_files(tmp_path, files), logged, code)["PR-001"]

    assert use.logged == {"developer": 2, "tester": 1}
    assert use.references == (Reference("src/a.py", 3, "PR-001"),)
    assert (use.observed, use.briefed, use.is_neglected) == (1, ("ST-010",), False)


def in_three_briefings(tmp_path: Path) -> Library:
    files = dict(FILES)
    for story in ("ST-010", "ST-011", "ST-012"):
        rows = "  - {id: PR-001, text: x}\n  - {id: PR-002, text: x}\n"
        files |= check_of(story, "reinforce")
        files[f"{STORIES}/{story}/.briefing.yml"] = f"relevant_principles:\n{rows}"
    return open_files(tmp_path, files)


@pytest.mark.parametrize(
    ("log", "code", "is_neglected"),
    [
        pytest.param(b"", NO_CODE, True, id="nothing names it"),
        pytest.param(b"MEMORY: [a] applying PR-002", NO_CODE, False, id="a log does"),
        pytest.param(b"", References((Reference("a", 1, "PR-002"),)), False, id="code does"),
    ],
)
def test_what_is_briefed_often_and_never_applied_stands_out(
    tmp_path: Path, log: bytes, code: References, is_neglected: bool
) -> None:
    library = in_three_briefings(tmp_path)

    found = used(library, count_log([log]), code)

    assert found["PR-002"].is_neglected is is_neglected
    assert not found["PR-001"].is_neglected


def test_the_busiest_come_first_and_then_what_was_briefed_in_vain(tmp_path: Path) -> None:
    library = in_three_briefings(tmp_path)

    found = busiest(uses(library, count_log([b"MEMORY: [a] applying AP-001"]), NO_CODE))

    assert [use.entry.ref.id for use in found][:3] == ["AP-001", "PR-001", "PR-002"]


def test_ids_that_no_store_has_are_named(tmp_path: Path) -> None:
    logged = count_log([b"MEMORY: [a] applying PR-777, PR-001"])

    assert unknown_ids(open_files(tmp_path), logged) == ("PR-777",)
