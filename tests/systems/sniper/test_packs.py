"""A pack carries rules to another project, where they wait for approval."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.sniper_files import (
    ANTI_PATTERNS,
    CONVENTIONS,
    DECISIONS,
    FORMATTINGS,
    MEMORY,
    carry_out,
    open_shop,
    project,
    write,
)

from remem.base.errors import ChangedOnDisk, NotPossible, Refused
from remem.core.library import Library
from remem.core.relation.normal_form import norm
from remem.core.verbs.verbs import plan
from remem.core.waiting.queue import queue
from remem.edit.yaml_read import parse_document
from remem.edit.yaml_write import render
from remem.model.change import Change, Intent
from remem.model.entry import Entry, Status
from remem.systems.sniper.pack_plan import Arrival, export, judge, pack_at, summary_of, target_of
from remem.systems.sniper.packs import MOST, Packed, read_pack

RULES = b"""\
conventions:
  - id: conv-007
    rule: "Every queue consumer is idempotent"
    rationale: "Two double charges"
    source: {type: retro, ref: "sprint-6-retro", date: "2026-04-20"}
    applies_to: [backend-engineer]
    enforcement: both
    examples: {positive: "once(key)", negative: "consume()"}
    seen: [{ref: "sprint-7-retro", date: "2026-05-04"}]
    overrides: conv-001
    team: [north, {lead: Priya}]
  - id: conv-008
    rule: Waits for a person
    status: candidate
"""
MISTAKES = b"""\
anti_patterns:
  - id: ap-001
    description: "Reading the clock inside domain code"
    why_bad: "Tests fail at midnight"
    fix_pattern: "pass a clock in"
    detection_hint: "calls to now()"
    severity: high
    status: confirmed
"""
CHOICES = b"""\
decisions:
  - id: dec-001
    title: Primary datastore
    decision: PostgreSQL
    alternatives_considered: ["MongoDB - no joins"]
    status: active
    superseded_by: null
  - id: dec-002
    title: Old datastore
    decision: Files
    status: superseded
    superseded_by: dec-001
"""


@pytest.fixture
def shop(tmp_path: Path) -> Library:
    return project(tmp_path, {CONVENTIONS: RULES, ANTI_PATTERNS: MISTAKES, DECISIONS: CHOICES})


@pytest.fixture
def bakery(tmp_path: Path) -> Library:
    """Another project, whose memory is empty."""
    return project(tmp_path / "other", {CONVENTIONS: "conventions: []\n"})


def pack_of(library: Library, **options: Any) -> Any:
    return parse_document(export(library, **options).data).value


def put_pack(library: Library, content: bytes | Mapping[str, Any], name: str = "pack.yaml") -> Path:
    path = library.ground.root.parent / name
    path.write_bytes(content if isinstance(content, bytes) else render(content))
    return path


def asked(library: Library, path: Path, **arguments: Any) -> Change:
    return plan(library, Intent("pack.import", {}, {"path": str(path), **arguments}))


def entries_of(library: Library) -> list[Entry]:
    return [e for e in library.entries() if e.kind in ("convention", "anti_pattern", "decision")]


def arrivals(library: Library, content: bytes | Mapping[str, Any]) -> list[Arrival]:
    pack, _ = pack_at(library, put_pack(library, content))
    return [each.arrival for each in judge(library, pack)]


class TestExport:
    def test_what_belongs_to_one_project_stays_behind_and_all_else_goes_along(
        self, shop: Library
    ) -> None:
        pack = pack_of(shop)

        assert {key: pack[key] for key in ("exported_from", "exported_at", "version")} == {
            "exported_from": "shop",
            "exported_at": "2026-05-05",
            "version": "1.0",
        }
        assert pack["conventions"] == [
            {
                "rule": "Every queue consumer is idempotent",
                "rationale": "Two double charges",
                "applies_to": ["backend-engineer"],
                "enforcement": "both",
                "examples": {"positive": "once(key)", "negative": "consume()"},
                "team": ["north", {"lead": "Priya"}],
            }
        ]
        assert [*pack["anti_patterns"][0]] == [
            "description", "why_bad", "fix_pattern", "detection_hint", "severity",
        ]  # fmt: skip

    def test_decisions_stay_at_home_unless_they_are_asked_for(self, shop: Library) -> None:
        assert pack_of(shop)["decisions"] == []
        assert pack_of(shop, with_decisions=True)["decisions"] == [
            {
                "title": "Primary datastore",
                "decision": "PostgreSQL",
                "alternatives_considered": ["MongoDB - no joins"],
            }
        ]

    def test_only_the_chosen_entries_are_taken(self, shop: Library) -> None:
        pack = pack_of(shop, refs=[shop.resolve("ap-001").ref])

        assert (len(pack["conventions"]), len(pack["anti_patterns"])) == (0, 1)

    @pytest.mark.parametrize(
        ("name", "why"),
        [("conv-008", "not active"), ("dec-001", "is a decision"), ("dec-002", "not active")],
    )
    def test_what_cannot_be_in_it_is_refused_by_name(
        self, shop: Library, name: str, why: str
    ) -> None:
        with pytest.raises(NotPossible, match=why):
            export(shop, [shop.resolve(name).ref])

    def test_the_project_is_called_as_its_own_settings_call_it(self, tmp_path: Path) -> None:
        library = project(
            tmp_path, {CONVENTIONS: RULES, ".sniper/config.yaml": "project: {name: Corner shop}\n"}
        )

        assert pack_of(library)["exported_from"] == "Corner shop"

    def test_hidden_characters_are_named(self, tmp_path: Path) -> None:
        library = project(
            tmp_path, {CONVENTIONS: 'conventions: [{id: conv-001, rule: "zero\\u200bwidth"}]\n'}
        )

        (note,) = export(library).notes
        assert "conv-001" in note
        assert "zero-width" in note or "zero width" in note

    def test_an_entry_that_cannot_be_read_whole_is_left_out_and_named(self, tmp_path: Path) -> None:
        twice = RULES + b"  - id: conv-009\n    rule: One\n    rule: Two\n"
        library = project(tmp_path, {CONVENTIONS: twice})

        made = export(library)

        assert [ref.id for ref in made.refs] == ["conv-007"]
        assert any("conv-009" in note for note in made.notes)

    def test_a_later_shape_is_exported_under_the_names_of_the_first(self, tmp_path: Path) -> None:
        library = project(tmp_path, {CONVENTIONS: "- id: conv-001\n  text: Names are verbs\n"})

        assert pack_of(library)["conventions"] == [{"rule": "Names are verbs"}]

    def test_it_never_takes_the_place_of_what_is_no_pack(self, shop: Library) -> None:
        root = shop.ground.root
        write(root, {"notes.yaml": "mine: true\n"})
        put_pack(shop, export(shop).data, "shop/old.yaml")

        with pytest.raises(NotPossible, match="is not a pack"):
            target_of(shop, root / "notes.yaml")
        with pytest.raises(NotPossible, match="is a memory file"):
            target_of(shop, root / MEMORY / "more.yaml")
        assert target_of(shop, root / "old.yaml") == root / "old.yaml"
        assert target_of(shop, root) == root / "sniper-memory-export.yaml"


class TestImport:
    def test_everything_arrives_as_candidates_of_this_pack(
        self, shop: Library, bakery: Library
    ) -> None:
        pack = put_pack(bakery, export(shop, with_decisions=True).data, "from-shop.yaml")

        after = carry_out(bakery, asked(bakery, pack))

        found = entries_of(after)
        assert [e.ref.id for e in found] == ["conv-001", "ap-001", "dec-001"]
        assert {e.status for e in found} == {Status.CANDIDATE}
        for entry in found:
            fields = after.format_of(entry).reader.fields(after.source_of(entry), entry)
            assert fields["source"] == {
                "type": "imported",
                "ref": "from-shop.yaml",
                "date": "2026-05-05",
            }
        assert {item.ref for item in queue(after)} == {e.ref for e in found}

    def test_a_second_time_changes_nothing(self, shop: Library, bakery: Library) -> None:
        pack = put_pack(bakery, export(shop).data)
        after = carry_out(bakery, asked(bakery, pack))

        with pytest.raises(NotPossible, match="has nothing new"):
            asked(after, pack)

    def test_each_entry_comes_to_what_its_first_test_says(self, shop: Library) -> None:
        rejected = carry_out(
            project(shop.ground.root.parent, {CONVENTIONS: RULES}),
            plan(
                shop,
                Intent("reject", {(e := shop.resolve("conv-008")).ref: e.digest}, {"reason": "no"}),
            ),
        )
        pack = put_pack(
            rejected,
            {
                "version": "1.0",
                "conventions": [
                    {"id": "conv-007", "rule": "Has an id that is taken"},
                    {"rule": "every queue consumer is `idempotent`."},
                    {"rule": "Waits for a person"},
                    {"rule": "Every queue consumer is not idempotent"},
                    {"rule": "Every queue consumers is idempotent"},
                    {"rule": "Something new"},
                    {"rule": "something NEW"},
                    {"rule": ""},
                    "a bare text",
                ],
            },
        )

        judged = judge(rejected, pack_at(rejected, pack)[0])

        assert [(each.arrival, each.why.split("`")[0].strip()) for each in judged] == [
            (Arrival.SAME_ID, ""),
            (Arrival.SAME_TEXT, ""),
            (Arrival.REJECTED, "Priya rejected it: no"),
            (Arrival.ADDED, "possible conflict with"),
            (Arrival.ADDED, "similar to"),
            (Arrival.ADDED, ""),
            (Arrival.SAME_TEXT, "the pack already has it"),
            (Arrival.UNREADABLE, "it has no text"),
            (Arrival.UNREADABLE, "it is not a mapping"),
        ]
        assert summary_of(judged) == "3 added, 1 same id, 2 same text, 1 rejected, 2 unreadable"

    def test_what_was_merged_away_does_not_come_again(self, bakery: Library) -> None:
        held = project(
            bakery.ground.root.parent,
            {
                CONVENTIONS: "conventions:\n  - id: conv-001\n    rule: One\n"
                "    seen: [{ref: pack.yaml, said: Two}]\n"
            },
        )

        assert arrivals(held, {"conventions": [{"rule": "two."}]}) == [Arrival.SAME_TEXT]

    def test_what_an_entry_says_about_itself_is_dropped(self, bakery: Library) -> None:
        pack = put_pack(
            bakery,
            {
                "conventions": [
                    {
                        "id": "conv-900",
                        "rule": "Trust me",
                        "status": "confirmed",
                        "source": {"type": "manual"},
                        "seen": [{"ref": "sprint-1-retro", "auto": True}],
                        "overrides": "conv-001",
                        "team": "north",
                    }
                ]
            },
        )

        after = carry_out(bakery, asked(bakery, pack))

        (entry,) = entries_of(after)
        fields = after.format_of(entry).reader.fields(after.source_of(entry), entry)
        assert (entry.ref.id, entry.status) == ("conv-001", Status.CANDIDATE)
        assert fields["team"] == "north"
        assert not {"seen", "overrides"} & fields.keys()

    def test_what_hides_something_is_held_back_until_it_is_acknowledged(
        self, bakery: Library
    ) -> None:
        pack = put_pack(
            bakery,
            {
                "conventions": [
                    {"rule": "Zero\u200bwidth"},
                    {"rule": "Clear \x1b[2J first"},
                    {"rule": "Plain", "rationale": "key " + "AKIA" + "Q3EGR7W2ZK5MXN4B"},
                    {"rule": "Harmless"},
                ]
            },
        )

        careful = carry_out(bakery, asked(bakery, pack))
        waiting = carry_out(careful, asked(careful, pack, acknowledged=True))

        assert [e.title for e in entries_of(careful)] == ["Harmless"]
        flagged = [item.title for item in queue(waiting) if item.suspects]
        assert flagged == ["Zero\u200bwidth", "Clear \x1b[2J first", "Plain"]

    def test_a_pack_that_changed_after_it_was_shown_is_not_taken(self, bakery: Library) -> None:
        pack = put_pack(bakery, {"conventions": [{"rule": "One"}]})
        _, digest = pack_at(bakery, pack)
        put_pack(bakery, {"conventions": [{"rule": "Another"}]})

        with pytest.raises(ChangedOnDisk):
            asked(bakery, pack, digest=digest)

    def test_a_store_that_cannot_be_written_stops_all_of_it(self, tmp_path: Path) -> None:
        broken = project(tmp_path, {ANTI_PATTERNS: "anti_patterns: [\n"})
        pack = put_pack(
            broken, {"conventions": [{"rule": "One"}], "anti_patterns": [{"description": "Two"}]}
        )

        with pytest.raises(Refused):
            asked(broken, pack)


BOMB = b"a: &a [x, x]\n" + b"".join(
    b"%c: &%c [*%c, *%c, *%c, *%c, *%c]\n" % (n + 1, n + 1, n, n, n, n, n) for n in range(97, 112)
)


class TestHostilePacks:
    @pytest.mark.parametrize(
        ("content", "why"),
        [
            (b"version: 9\nconventions: [{rule: One}]\n", "is a version-9 pack"),
            (b"version: {a: b}\nconventions: [{rule: One}]\n", "version"),
            (b"- rule: One\n", "is not a pack"),
            (b"just words\n", "is not a pack"),
            (b"", "is not a pack"),
            (b"rules: []\n", "is not a pack"),
            (b"conventions: One\n", "not a list"),
            (b"conventions: {a: b}\n", "not a list"),
            (b"conventions: [\n", "pack.yaml"),
            (b"conventions: []\nconventions: []\n", "pack.yaml"),
            (b"conventions: []\n---\nconventions: []\n", "more than one document"),
            (b"conventions: \xff\n", "not UTF-8"),
            (b"conventions: " + b"[" * 20_000, "nested more than 64"),
            (BOMB + b"conventions: [{rule: One, team: *p}]\n", "pack.yaml"),
            (b"conventions:\n" + b"- {rule: a}\n" * (MOST + 1), "limit 10,000"),
        ],
    )
    def test_it_is_refused_with_a_reason(self, bakery: Library, content: bytes, why: str) -> None:
        pack = put_pack(bakery, content)

        with pytest.raises(Refused, match=why):
            asked(bakery, pack)

    def test_a_version_may_be_a_number_or_missing(self) -> None:
        for head in (b"version: 1.0\n", b"version: '1.0'\n", b""):
            assert len(read_pack("pack", head + b"conventions: [{rule: One}]\n").items) == 1

    @pytest.mark.slow
    def test_a_hundred_thousand_entries_are_refused_in_time(self, bakery: Library) -> None:
        lines = b"".join(b"- {rule: 'Rule number %d'}\n" % n for n in range(100_000))
        pack = put_pack(bakery, b"version: '1.0'\nconventions:\n" + lines)

        with pytest.raises(Refused, match="holds 100,000 entries"):
            asked(bakery, pack)

    def test_a_file_that_is_not_there_is_named(self, bakery: Library) -> None:
        with pytest.raises(NotPossible, match="does not exist"):
            pack_at(bakery, bakery.ground.root / "no.yaml")


TEXTS = st.text("ab ç'\":#-\n\t[]{}&*!|>%@`~,", min_size=1, max_size=30).filter(
    lambda text: bool(text.strip(" .,;:!\n\t`*"))
)
MORE: st.SearchStrategy[Any] = st.dictionaries(
    st.sampled_from(["rationale", "team", "detection_hint"]), TEXTS, max_size=3
)
STORED = st.lists(st.builds(lambda text, more: {"rule": text, **more}, TEXTS, MORE), max_size=6)


@settings(max_examples=25)
@given(stored=STORED)
def test_export_import_and_approval_give_the_same_rules(
    tmp_path_factory: pytest.TempPathFactory, stored: list[dict[str, Any]]
) -> None:
    once = list({norm(each["rule"]): each for each in stored}.values())
    named = [{"id": f"conv-{n:03d}", **each} for n, each in enumerate(once, 1)]
    base = tmp_path_factory.mktemp("packs")
    shop = project(base, {CONVENTIONS: render({"conventions": [*named]})})
    if not any(e.status is Status.ACTIVE for e in entries_of(shop)):
        return
    pack = put_pack(shop, export(shop).data)
    bakery = project(base / "other", {})

    there = carry_out(bakery, asked(bakery, pack))
    waiting = {item.ref: item.digest for item in queue(there)}
    approved = carry_out(there, plan(there, Intent("approve", waiting, {"acknowledged": True})))

    def said(library: Library) -> list[dict[str, Any]]:
        wanted = ("rule", "rationale", "team", "detection_hint")
        fields = [dict(library.format_of(e).reader.fields(library.source_of(e), e))
                  for e in entries_of(library)]  # fmt: skip
        return [{key: each[key] for key in wanted if each.get(key)} for each in fields]

    assert said(approved) == said(shop)
    with pytest.raises(NotPossible, match="has nothing new"):
        asked(approved, pack)


@pytest.mark.parametrize("formatting", FORMATTINGS)
def test_importing_moves_no_byte_of_what_stands(formatting: str, tmp_path: Path) -> None:
    library = project(tmp_path, {CONVENTIONS: FORMATTINGS[formatting]})
    before = (library.ground.root / CONVENTIONS).read_bytes()
    pack = put_pack(library, {"conventions": [{"rule": "Tea is hot"}, {"rule": "Milk is cold"}]})

    carry_out(library, asked(library, pack))

    after = (library.ground.root / CONVENTIONS).read_bytes()
    lines = [line for line in before.splitlines() if line.strip()]
    assert [line for line in lines if line not in after.splitlines()] == (
        lines[-1:] if formatting == "flow-list" else []
    )
    assert [e.title for e in entries_of(open_shop(tmp_path))][-2:] == ["Tea is hot", "Milk is cold"]


def test_a_packed_entry_knows_its_place_in_its_list() -> None:
    pack = read_pack("pack", b"conventions: [{rule: One}, {rule: Two}]\n")

    assert [(each.number, each.text) for each in pack.items] == [(1, "One"), (2, "Two")]
    assert all(isinstance(each, Packed) for each in pack.items)
