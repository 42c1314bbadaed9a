"""Writing what a machine checks changes one entry, in whatever way its file is written."""

from pathlib import Path

import pytest
from tests.sniper_files import ANTI_PATTERNS, CONVENTIONS, FORMATTINGS, project

from remem.base.errors import NotPossible
from remem.core.library import Library
from remem.core.verbs.verbs import plan
from remem.core.waiting.queue import queue
from remem.model.change import Change, Intent, Splice

DETECT = {"files": ["src/**/*.py"], "forbid": r'^\s*"\bprint\(: #', "message": "log: it"}
HINT = b'anti_patterns:\n  - {id: ap-001, description: "Silence", detection_hint: %s, status: %s}\n'


def planned(library: Library, verb: str, name: str, **arguments: object) -> Change:
    entry = library.resolve(name)
    return plan(library, Intent(verb, {entry.ref: entry.digest}, arguments))  # type: ignore[arg-type]


@pytest.mark.parametrize("formatting", sorted(FORMATTINGS))
def test_a_check_is_written_into_its_entry_and_every_other_byte_stays(
    tmp_path: Path, formatting: str
) -> None:
    name = "conv-001" if len(formatting) % 2 else "conv-003"
    data = FORMATTINGS[formatting]
    library = project(tmp_path, {CONVENTIONS: data})

    change = planned(library, "detect", name, detect=DETECT)

    splices = [each for each in change.effects if isinstance(each, Splice)]
    after = library.preview(change.effects)
    assert splices
    assert all(each.old == b"" or b"\n" not in each.old.strip() for each in splices)
    for before in library.of_format("sniper")[0].entries:
        now = after.entry(before.ref)
        assert (now.title, now.roles, now.status) == (before.title, before.roles, before.status)
        fields = after.format_of(now).reader.fields(after.source_of(now), now)
        assert fields.get("detect") == (DETECT if before.ref.id == name else None)


@pytest.mark.parametrize(
    ("hint", "status", "waits"),
    [
        ('"empty catch blocks"', "confirmed", True),
        ('"empty catch blocks"', "candidate", False),
        ('"ask Rosa"', "confirmed", False),
        ('"empty catch blocks", detect: {forbid: x}', "confirmed", False),
        ('"empty catch blocks", seen: [{ref: r, auto: true}]', "confirmed", False),
        ('["empty catch blocks"]', "confirmed", False),
    ],
)
def test_only_a_rule_in_force_that_is_not_checked_and_reads_exactly_is_proposed(
    tmp_path: Path, hint: str, status: str, waits: bool
) -> None:
    library = project(tmp_path, {ANTI_PATTERNS: HINT % (hint.encode(), status.encode())})

    found = [item for item in queue(library) if item.reason == "detect"]

    assert bool(found) == waits


def test_what_waits_is_told_to_be_checked_or_is_sent_away(tmp_path: Path) -> None:
    library = project(tmp_path, {ANTI_PATTERNS: HINT % (b'"empty catch blocks"', b"confirmed")})

    approved = library.preview(planned(library, "approve", "ap-001").effects)
    rejected = library.preview(planned(library, "reject", "ap-001", reason="no").effects)

    for after in (approved, rejected):
        assert [item for item in queue(after) if item.reason == "detect"] == []
    again = planned(rejected, "approve", "ap-001")
    assert again.effects == ()
    assert again.notes == ("`sniper:ap-001` is already active",)


@pytest.mark.parametrize(
    "detect",
    [{}, {"forbid": "("}, {"forbid": "a", "require": "b"}, {"files": ["x"]}, {"forbid": 3.5}],
)
def test_what_cannot_be_looked_for_is_not_written(
    tmp_path: Path, detect: dict[str, object]
) -> None:
    library = project(tmp_path, {CONVENTIONS: FORMATTINGS["block"]})

    with pytest.raises(NotPossible):
        planned(library, "detect", "conv-001", detect=detect)
