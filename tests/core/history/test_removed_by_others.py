"""What another writer takes out of memory is told of and can be put back; what moved is not."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.sniper_files import CONVENTIONS, DECISIONS, FORMATTINGS, carry_out, project

from remem.core.history.removed_by_others import (
    KEPT,
    MANY,
    is_unsound,
    problem_of,
    still_gone,
    vanished,
)
from remem.core.library import Library, differences
from remem.core.verbs.verbs import plan
from remem.model.change import Intent
from remem.model.done_by_others import Aside, Vanished
from remem.model.entry import Entry, Ref
from remem.model.source import Source
from remem.store.history.journal_records import Logged, Origin

NOW = datetime(2026, 5, 5, 9, 30, tzinfo=UTC)
HILL = ".squad/agents/hill/history.md"
STORE = """\
# agreed in May
conventions:
  - id: conv-001
    rule: "Log lines are JSON"   # and nothing else
    applies_to: [qa]
  - id: conv-002
    rule: "Names are verbs"
  # the last one
  - id: conv-003
    rule: "Every lamp has a switch"
"""
HISTORY = """\
# Hill — History

## Learnings

### 2026-05-01

- Ports are counted twice
- Bells ring at noon

### 2026-05-02

- Nets dry in the sun
"""
FILES: dict[str, str | bytes] = {
    CONVENTIONS: STORE,
    DECISIONS: "decisions: []\n",
    ".squad/team.md": "# Team\n\n## Members\n\n| Name | Role |\n|---|---|\n| Hill | Tester |\n",
    ".squad/agents/hill/charter.md": "# Hill — Tester\n",
    HILL: HISTORY,
}


class Shop:
    """A project in which somebody else writes."""

    def __init__(self, tmp_path: Path, files: dict[str, str | bytes] | None = None) -> None:
        self.library = project(tmp_path, files or FILES)
        self.standing: list[Logged] = []
        self.was: Source | None = None

    def path(self, name: str) -> Path:
        return self.library.ground.root / name

    def writes(self, **files: bytes | None) -> tuple[Vanished, ...]:
        """Write files named by their last part as another writer, and return what vanished."""
        names = {"store": CONVENTIONS, "hill": HILL, "archive": f"{HILL[:-3]}-archive.md"}
        for name, data in files.items():
            path = self.path(names[name])
            path.unlink() if data is None else path.write_bytes(data)
        before, after = self.library, self.library.refresh()
        found = tuple(
            lost
            for change in differences(before, after)
            for lost in vanished(
                before, after, change, time=NOW, standing=self.standing, was=self.was
            )
        )
        self.library = after.with_aside(Aside(vanished=found))
        return found

    def restores(self, *lost: Vanished) -> Library:
        intent = Intent("restore", {each.ref: "" for each in lost})
        self.library = carry_out(self.library, plan(self.library, intent))
        return self.library


def without(text: str, *lines: str) -> bytes:
    return "".join(
        line for line in text.splitlines(keepends=True) if not any(part in line for part in lines)
    ).encode()


SECOND = ("conv-002", "Names are verbs")


def test_an_entry_that_left_a_store_is_told_and_goes_back_to_the_byte(tmp_path: Path) -> None:
    shop = Shop(tmp_path)

    found = shop.writes(store=without(STORE, *SECOND))
    shop.restores(*found)

    assert [(each.ref.id, each.kind, each.title) for each in found] == [
        ("conv-002", "convention", "Names are verbs")
    ]
    assert shop.path(CONVENTIONS).read_text() == STORE
    assert still_gone(shop.library, found, now=NOW) == ()


def test_a_lesson_goes_back_under_its_heading_though_others_wrote_since(tmp_path: Path) -> None:
    shop = Shop(tmp_path)
    found = shop.writes(hill=without(HISTORY, "Bells"))
    shop.path(HILL).write_text(shop.path(HILL).read_text() + "- Ropes are checked\n")
    shop.library = shop.library.refresh()

    shop.restores(*found)

    assert shop.path(HILL).read_text() == f"{HISTORY}- Ropes are checked\n"


def test_what_has_lost_its_place_goes_to_the_end_of_its_store(tmp_path: Path) -> None:
    shop = Shop(tmp_path)
    shop.writes(store=b"conventions: [{id: conv-009, rule: Tea is hot}]\n")
    found = shop.library.aside.vanished

    change = plan(shop.library, Intent("restore", {found[0].ref: ""}))
    after = carry_out(shop.library, change)

    assert len(found) == 3
    back = after.resolve("conv-001")
    fields = after.format_of(back).reader.fields(after.source_of(back), back)
    assert (fields["rule"], fields["applies_to"]) == ("Log lines are JSON", ["qa"])
    assert change.notes == (
        "its place in `conventions.yaml` was not found, so it is added at the end",
    )


def test_an_entry_whose_id_was_taken_comes_back_under_another(tmp_path: Path) -> None:
    shop = Shop(tmp_path)
    found = shop.writes(store=STORE.replace("Names are verbs", "Bridges close at night").encode())

    after = shop.restores(*found)

    assert [each.title for each in found] == ["Names are verbs"]
    assert after.resolve("conv-002").title == "Bridges close at night"
    assert after.resolve("conv-004").title == "Names are verbs"


@pytest.mark.parametrize(
    "edit",
    [
        pytest.param(lambda s: {"store": s.replace("are verbs", "are verbs.").encode()}, id="edit"),
        pytest.param(
            lambda s: {"store": s.replace("conv-002", "conv-011").encode()}, id="another id"
        ),
        pytest.param(
            lambda s: {"store": without(s, *SECOND) + b"  - {id: x, rule: Names are verbs}\n"},
            id="moved in its file",
        ),
        pytest.param(
            lambda s: {"hill": without(HISTORY, "Bells"), "archive": b"- Bells ring at noon\n"},
            id="moved to the archive",
        ),
        pytest.param(
            lambda s: {
                "hill": b"# Hill\n\n- bells ring at **noon**\n- ports are counted twice\n"
                b"- nets dry in the sun\n"
            },
            id="compacted",
        ),
        pytest.param(lambda s: {"store": b""}, id="suddenly empty"),
        pytest.param(lambda s: {"store": b"conventions:\n  - {id: conv"}, id="torn"),
        pytest.param(lambda s: {"hill": b"\xff\xfe"}, id="not text"),
    ],
)
def test_what_stands_somewhere_did_not_vanish(
    edit: Callable[[str], dict[str, bytes | None]], tmp_path: Path
) -> None:
    shop = Shop(tmp_path)

    found = shop.writes(**edit(STORE))

    assert found == ()


def test_after_a_torn_write_the_file_is_compared_with_what_it_said_before(tmp_path: Path) -> None:
    shop = Shop(tmp_path)
    shop.was = next(s for s in shop.library.sources if s.path == shop.path(CONVENTIONS))
    assert shop.writes(store=b"") == ()

    found = shop.writes(store=without(STORE, *SECOND))

    assert [each.ref.id for each in found] == ["conv-002"]


def test_a_file_that_is_gone_took_its_entries_with_it(tmp_path: Path) -> None:
    shop = Shop(tmp_path)

    found = shop.writes(hill=None)

    assert [each.title for each in found] == [
        "Ports are counted twice", "Bells ring at noon", "Nets dry in the sun",
    ]  # fmt: skip


def test_what_remem_itself_took_out_did_not_vanish(tmp_path: Path) -> None:
    shop = Shop(tmp_path)
    entry = shop.library.resolve("conv-002")
    change = plan(shop.library, Intent("remove", {entry.ref: entry.digest}))
    shop.standing = [Logged.of(change, "1" * 32, NOW, Origin(shop.library.ground.root))]

    found = shop.writes(store=without(STORE, *SECOND))

    assert found == ()


def test_of_very_many_a_hundred_are_listed_and_the_rest_is_counted(tmp_path: Path) -> None:
    rows = "".join(f'  - {{id: conv-{n:04}, rule: "Rule {n} of all"}}\n' for n in range(500))
    shop = Shop(tmp_path, {CONVENTIONS: f"conventions:\n{rows}"})

    found = shop.writes(store=b"conventions: []\n")

    assert len(found) == MANY
    assert {each.others for each in found} == {400}
    assert "400 others" in problem_of(found[0]).message


def test_a_row_goes_when_the_text_is_back_was_let_go_or_is_old(tmp_path: Path) -> None:
    shop = Shop(tmp_path)
    found = shop.writes(store=without(STORE, *SECOND), hill=without(HISTORY, "Bells"))
    names, bells = sorted(found, key=lambda each: each.kind)
    ends = NOW + KEPT

    kept = still_gone(shop.library, found, now=NOW)
    intent = Intent("reject", {names.ref: ""}, {"reason": "nobody needs it"})
    after = carry_out(shop.library, plan(shop.library, intent))

    assert set(kept) == {names, bells}
    assert still_gone(shop.library, found, now=ends) == ()
    assert still_gone(after, found, now=ends - timedelta(seconds=1)) == (bells,)


def test_a_vanished_entry_is_the_same_once_it_was_written_down(tmp_path: Path) -> None:
    (lost,) = Shop(tmp_path).writes(store=without(STORE, *SECOND))

    again = Vanished.from_json(lost.to_json())

    assert again == lost
    with pytest.raises(ValueError, match="not a vanished entry"):
        Vanished.from_json({"ref": "sniper:conv-001"})


def test_a_small_write_to_a_large_store_parses_little_of_it(tmp_path: Path) -> None:
    rows = [f'  - {{id: conv-{n:05}, rule: "Rule {n} of all"}}\n' for n in range(10_000)]
    shop = Shop(tmp_path, {CONVENTIONS: "conventions:\n" + "".join(rows)})
    (source,) = (s for s in shop.library.sources if s.part == "conventions")
    kept = "conventions:\n" + "".join(rows[:10] + rows[11:]) + '  - {id: x, rule: "More"}\n'

    found = shop.writes(store=kept.encode())

    assert [each.ref.id for each in found] == ["conv-00010"]
    known = getattr(source.entries, "known")  # noqa: B009
    assert sum(known(n) is not None for n in range(10_000)) < 200


@settings(max_examples=30, deadline=None)
@given(
    st.sampled_from(sorted(FORMATTINGS)),
    st.sets(st.sampled_from([1, 2, 3]), min_size=1, max_size=2),
)
def test_whatever_formatting_an_entry_vanishes_from_it_comes_back_once(
    tmp_path_factory: pytest.TempPathFactory, formatting: str, numbers: set[int]
) -> None:
    shop = Shop(tmp_path_factory.mktemp("shop"), {CONVENTIONS: FORMATTINGS[formatting]})
    told = {entry.ref: entry.title for entry in shop.library.of_kind("convention")}
    leaving = [ref for ref in told if int(ref.id[-1]) in numbers]
    change = plan(shop.library, Intent("remove", dict.fromkeys(leaving, "")))
    thinner = carry_out(shop.library, change)
    data = shop.path(CONVENTIONS).read_bytes()
    shop.library = thinner.refresh()
    shop.path(CONVENTIONS).write_bytes(FORMATTINGS[formatting])
    shop.library = shop.library.refresh()

    found = shop.writes(store=data)
    after = shop.restores(*found)

    assert {each.ref for each in found} == set(leaving)
    assert {e.ref: e.title for e in after.of_kind("convention")} == told
    assert not [problem for problem in after.problems() if problem[2].blocks_writing]


def test_a_ref_that_vanished_is_no_entry(tmp_path: Path) -> None:
    shop = Shop(tmp_path)
    (lost,) = shop.writes(store=without(STORE, *SECOND))

    found = shop.library.aside.vanished_at(lost.ref)

    assert (found, lost.digest) == (lost, "")
    assert shop.library.aside.vanished_at(Ref("sniper", "conv-077")) is None


class Counted(Sequence[Entry]):
    """Entries that count how often one is looked at."""

    looks = 0

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.entries = entries

    def __len__(self) -> int:
        return len(self.entries)

    def __getitem__(self, place: Any) -> Any:
        self.looks += 1
        return self.entries[place]


def test_of_rules_cut_to_one_pattern_many_that_are_gone_are_looked_for_as_one_is(
    tmp_path: Path,
) -> None:
    rules = "".join(
        f"  - {{id: conv-{n:03d}, rule: Late rule {n} of the port}}\n" for n in range(30)
    )
    library = project(tmp_path, {CONVENTIONS: f"conventions:\n{rules}"})
    path = library.ground.root / CONVENTIONS

    def looks(many: int) -> int:
        entries = Counted([*library.sources[0].entries])
        opened = tuple(
            replace(
                each,
                read=replace(each.read, entries=entries) if each.read.path == path else each.read,
            )
            for each in library.opened
        )
        gone = [
            Vanished(
                Ref("sniper", f"x{n}"),
                "convention",
                f"Late rule {n} of the port",
                path,
                NOW,
                b"",
                0,
            )
            for n in range(100, 100 + many)
        ]
        assert len(still_gone(replace(library, opened=opened), gone, now=NOW)) == many
        return entries.looks

    assert looks(200) == looks(1) > 30


def test_asking_whether_a_file_says_anything_copies_nothing_of_it(tmp_path: Path) -> None:
    library = project(tmp_path, FILES)
    large = replace(library.sources[0], data=b"\n" + b"x" * 2_000_000 + b"\n", problems=())
    tracemalloc.start()
    try:
        found = [is_unsound(large), is_unsound(replace(large, data=b" \n"))]
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert found == [False, True]
    assert most < 100_000
