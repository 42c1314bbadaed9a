"""Entries of a log: whatever is decided on one, every byte of the others stays."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tests.plain_files import Repo

from remem.base.errors import NotPossible, Refused
from remem.core.waiting.queue import likes, queue
from remem.edit.lines import spliced
from remem.model.change import Effect, Splice
from remem.model.entry import Entry, Status
from remem.systems.personas.logs import log_plans
from remem.systems.personas.memory_files import log_entries
from remem.systems.plain.format import Plain
from remem.systems.plain.source import PlainSource
from remem.views.review.item_card import Card, like_lines

LOG = ".learnings/ERRORS.md"
PIECES = st.sampled_from(
    (
        "**Status**: pending\n",
        "**status:** In progress\n",
        "**Priority**: high  \n",
        "**Logged**: 2026-04-02\n",
        "### Summary\nPorts are lent\n",
        "### Summary\n",
        "### Error\n```\n## [ERR-20250101-001] in a fence\n**Status**: promoted\n```\n",
        "### Error\n```\nnever closed\n",
        "### Metadata\n- Tags: a, b\n- **See Also**: ERR-20260402-001\n- Recurrence-Count: 3\n",
        "### Resolution\n- **Resolved**: 2026-04-03\n",
        "#### deeper\n- x\n",
        "> quoted\n",
        "prose \u202e \u200b [/bold] \x1b]0;x\x07 \U000e0041\n",
        "\n",
        "---\n",
        "***\n",
    )
)
ENTRIES = st.lists(st.lists(PIECES, max_size=7), min_size=1, max_size=4)
DECISIONS = st.sampled_from(("resolve", "won't fix", "start", "edit", "reopen"))
REASONS = st.sampled_from(
    ("no", "", "two\nlines", "## [ERR-20260402-009] no heading", "a \u202e b")
)


def page(entries: list[list[str]], head: str, newline: str) -> bytes:
    parts = (
        f"## [ERR-20260402-{number:03}] port_{number}\n\n" + "".join(pieces)
        for number, pieces in enumerate(entries, 1)
    )
    return (head + "".join(parts)).replace("\n", newline).encode()


def decide(source: PlainSource, entry: Entry, decision: str, reason: str) -> tuple[Effect, ...]:
    match decision:
        case "resolve":
            return Plain().set_status(source, entry, Status.ACTIVE)
        case "won't fix":
            return log_plans.plan_wont_fix(source, entry, reason)
        case "start":
            return log_plans.plan_under_way(source, entry)
        case "edit":
            return Plain().edit(source, entry, {"priority": "low", "area": "docs"})
        case _:
            return Plain().edit(source, entry, {"status": log_entries.PENDING})


def ids(source: PlainSource) -> list[str]:
    return [*log_entries.ids(source.data)]


def bodies(source: PlainSource) -> dict[str, str]:
    """What each entry of a log says, whole, by its ref; units around them too."""
    return {str(entry.ref): Plain().body(source, entry) for entry in source.entries}


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    entries=ENTRIES,
    head=st.sampled_from(("", "\ufeff# Errors\n\n- a line\n\n")),
    newline=st.sampled_from(("\n", "\r\n")),
    decision=DECISIONS,
    reason=REASONS,
    pick=st.integers(min_value=0, max_value=20),
)
@example([[], ["**Status**: pending\n"]], "", "\r\n", "won't fix", "two\nlines", 1)
@example([[]], "", "\n", "resolve", "", 0)
def test_a_decision_on_one_entry_leaves_every_byte_of_the_others(
    tmp_path_factory: pytest.TempPathFactory,
    entries: list[list[str]],
    head: str,
    newline: str,
    decision: str,
    reason: str,
    pick: int,
) -> None:
    data = page(entries, head, newline)
    source = Repo(tmp_path_factory.mktemp("log")).write({LOG: data}).source(LOG)
    named = [e for e in source.entries if Plain().body(source, e).startswith("## [ERR-")]
    chosen = named[pick % len(named)]

    try:
        effects = decide(source, chosen, decision, reason)
    except (Refused, NotPossible):
        return

    after = spliced(data, [effect for effect in effects if isinstance(effect, Splice)])
    again = Plain().read(source, after)
    assert isinstance(again, PlainSource)
    assert ids(again) == ids(source)
    before, now = bodies(source), bodies(again)
    assert {r: b for r, b in now.items() if r != str(chosen.ref)} == {
        r: b for r, b in before.items() if r != str(chosen.ref)
    }
    if newline == "\r\n":
        assert after.count(b"\r\n") == after.count(b"\n")
    wanted = {"resolve": Status.ACTIVE, "won't fix": Status.INVALID}.get(decision)
    entry = next(each for each in again.entries if each.ref == chosen.ref)
    assert entry.status is (wanted or entry.status)


@given(st.text(max_size=200))
@example("Promoted: " + "a/" * 50_000)
@example("- Promoted to: x" + " " * 100_000 + ".")
def test_whatever_an_entry_says_is_read(text: str) -> None:
    fields = log_entries.fields_of(text, "[LRN-20260402-001] x")

    assert fields["id"] == "LRN-20260402-001"
    assert log_entries.times_seen(fields) >= 0
    assert all(log_entries.lifted_to(text))
    assert log_entries.status_of(text) in Status


def test_a_file_in_a_very_long_line_is_found_soon(tmp_path: Path) -> None:
    said = "a/" * 200_000
    entry = f"## [LRN-20260402-001] x\n\n**Status**: promoted\n**Promoted**: {said}\n"
    library = Repo(tmp_path).write({".learnings/LEARNINGS.md": entry}).library()

    (found,) = library.entries()
    links = library.format_of(found).facets.links

    assert links is not None
    assert [*links(library, found)] == []


def logged(number: int, details: str, more: str = "") -> str:
    return (
        f"## [LRN-20260301-00{number}] correction\n\n"
        f"**Status**: pending\n**Area**: area {number}\n\n"
        "### Summary\nThe build failed because a dependency was missing\n\n"
        f"### Details\n{details}\n\n### Metadata\n- Source: {number}\n{more}\n---\n\n"
    )


@pytest.mark.parametrize(
    ("other", "told"),
    [
        ("It was node-gyp for the icon set.", ("similar to", "the text below it differs")),
        ("It was  `libpq-dev` on the CI machine", ("duplicate of", "")),
    ],
)
def test_two_with_one_summary_are_duplicates_only_if_their_details_are_one(
    tmp_path: Path, other: str, told: tuple[str, str]
) -> None:
    first = logged(1, "It was libpq-dev on the CI machine.")
    page = first + logged(2, other, "- See Also: LRN-20260301-001\n")
    library = Repo(tmp_path).write({".learnings/LEARNINGS.md": page}).library()

    found = [likes(library, item) for item in queue(library)]

    assert [[(like.reason, like.because) for like in each] for each in found] == [[told], [told]]


def test_a_card_says_that_the_text_below_differs_where_no_word_of_the_title_does(
    tmp_path: Path,
) -> None:
    page = logged(1, "It was libpq-dev.") + logged(2, "It was node-gyp.")
    library = Repo(tmp_path).write({".learnings/LEARNINGS.md": page}).library()
    item = queue(library)[0]

    lines = like_lines(library, Card(item, likes(library, item), (), 0, {}))

    (said,) = ("".join(part.text for part in line.spans) for line in lines)
    assert said.startswith("similar to ")
    assert said.endswith(" (the text below it differs)")
