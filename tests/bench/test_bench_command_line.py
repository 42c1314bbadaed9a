"""What a command costs from start to end, each in a process of its own."""

import sys
from pathlib import Path

import pytest
from tests.bench.measure import Report, in_turns, process, process_cpu, python
from tests.bench.workspaces import project

REMEM = str(Path(sys.executable).with_name("remem"))

COUNT_ONE_WORD = """
import os, sys
import click, pydantic
os.environ["TIKTOKEN_CACHE_DIR"] = sys.argv[1]
import tiktoken
assert tiktoken.get_encoding("o200k_base").encode_ordinary("word")
"""


def test_help_against_bare_python(report: Report) -> None:
    help_, bare = in_turns(
        report.rounds * 3,
        lambda: process([REMEM, "--help"]),
        lambda: process(python("pass")),
    )

    report.plain(
        "`remem --help`",
        "≤ 60 ms over bare Python",
        f"{help_:.0f} ms",
        f"{bare:.0f} ms: bare Python",
        f"+{help_ - bare:.0f} ms",
    )
    assert help_ > bare


def test_compose_against_a_process_that_counts_one_word(
    report: Report, thousand: Path, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    options = ["--root", str(thousand), "--home", str(home), "--json"]
    compose = [REMEM, "compose", "--role", "backend-engineer", *options]
    process(compose)  # unpacks the vocabulary into the cache of that home

    composed, counted = in_turns(
        report.rounds,
        lambda: process(compose),
        lambda: process(python(COUNT_ONE_WORD, str(home / ".cache" / "remem"))),
    )

    floor_is = "click, pydantic, one word with tiktoken"
    ratio = report.ratio(
        "`remem compose --json`, 1,000 entries, cold", "≤ 1.4 ×", composed, counted, floor_is
    )
    assert ratio > 0.1  # or nothing was composed


@pytest.mark.parametrize(
    "words",
    [
        ("show", "{}"),
        ("approve", "{}", "--dry-run"),
        ("add", "convention", "Buoys are painted before the season", "--dry-run"),
    ],
    ids=lambda words: words[0],
)
def test_one_entry_among_ten_thousand_against_one_among_ten(
    report: Report, ten_thousand: Path, tmp_path: Path, words: tuple[str, ...]
) -> None:
    home = ["--home", str(tmp_path / "home")]

    def command(root: Path, last: str) -> list[str]:
        return [REMEM, *(word.format(last) for word in words), "--root", str(root), *home]

    among_many = command(ten_thousand, "conv-10000")
    among_few = command(project(tmp_path / "few", 10), "conv-010")
    process(among_many)  # keeps what was read of the store, as any command before it does

    many, few = in_turns(
        report.rounds, lambda: process_cpu(among_many), lambda: process_cpu(among_few)
    )

    named = " ".join(each for each in words if each == words[0] or each == "--dry-run")
    what = f"`remem {named}` of one among 10,000, CPU"
    assert report.ratio(what, "stated", many, few, "the same among 10") > 0.5
