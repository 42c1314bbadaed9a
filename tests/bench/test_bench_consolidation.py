"""What consolidating a story costs, against the bare comparison of its texts with memory's."""

from __future__ import annotations

from pathlib import Path
from random import Random

from rapidfuzz import fuzz
from tests.bench.measure import Report, in_turns, seconds
from tests.shaktra_briefs import open_files
from tests.shaktra_files import (
    ANTI_PATTERNS,
    PRINCIPLES,
    PROCEDURES,
    anti_pattern,
    check,
    file_of,
    observation,
    observed,
    principle,
    procedure,
)

from remem.core.library import Library
from remem.core.verbs.verbs import plan
from remem.model.change import Intent
from remem.systems.shaktra.consolidation.similarity import same_pairs
from remem.systems.shaktra.consolidation.story import case_of

STARTS = (
    "up",
    "ga",
    "bu",
    "sto",
    "pre",
    "led",
    "web",
    "par",
    "ca",
    "ses",
    "re",
    "que",
    "ex",
    "clo",
)
ENDS = (
    "load",
    "llery",
    "cket",
    "rage",
    "view",
    "ger",
    "voice",
    "hook",
    "ser",
    "sion",
    "nant",
    "port",
)
WORDS = tuple(start + end for start in STARTS for end in ENDS)
TAGS = ("storage", "upload", "security", "review", "cost", "time", "queue", "board")


def sentence(random: Random, words: int = 11) -> str:
    return " ".join(random.choice(WORDS) for _ in range(words)).capitalize()


def filled(root: Path) -> tuple[Library, Intent]:
    """Return a project whose stores are as full as they may be, with one full story."""
    random = Random(7)

    def tags() -> list[str]:
        return random.sample(TAGS, 3)

    principles = [
        principle(
            f"PR-{n:03d}",
            sentence(random),
            tags=tags(),
            guidance=[sentence(random), sentence(random)],
        )
        for n in range(1, 201)
    ]
    failures = [anti_pattern(f"AP-{n:03d}", sentence(random), tags=tags()) for n in range(1, 101)]
    work = [procedure(f"PC-{n:03d}", sentence(random), tags=tags()) for n in range(1, 51)]
    kinds = ("discovery", "observation", "quality-loop-finding", "detection-gap", "fix-rationale")
    seen = [check(n, f"PR-{n:03d}") for n in range(1, 11)] + [
        observation(
            n,
            kinds[n % len(kinds)],
            f"{sentence(random)}. {sentence(random)}.",
            importance=n % 10 + 1,
            tags=tags(),
            resolved=bool(n % 2),
        )
        for n in range(11, 31)
    ]
    files = {
        PRINCIPLES: file_of("principles", *principles),
        ANTI_PATTERNS: file_of("anti_patterns", *failures),
        PROCEDURES: file_of("procedures", *work),
        **observed("ST-040", *seen),
    }
    return open_files(root, files), Intent("consolidate", arguments={"story": "ST-040"})


def test_thirty_observations_against_three_hundred_and_fifty_entries(
    report: Report, tmp_path: Path
) -> None:
    library, intent = filled(tmp_path)
    texts = [entry.title for entry in library.entries()]
    seen = [entry.title for entry in library.of_kind("observation")]

    def once() -> None:
        case_of.cache_clear()
        same_pairs.cache_clear()
        plan(library, intent)

    planned, compared = in_turns(
        report.rounds,
        lambda: 1_000 * seconds(once),
        lambda: (
            1_000
            * seconds(lambda: [fuzz.token_set_ratio(one, two) for one in seen for two in texts])
        ),
    )

    report.plain(
        "30 observations against 350 entries",
        "≤ 200 ms",
        f"{planned:.1f} ms",
        f"{compared:.1f} ms: each text compared with each",
    )
    assert planned > 0
