"""A receipt says that nothing is lost only where every text stands somewhere afterwards, whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.sniper_files import CONVENTIONS, clock, project, write

from remem.base.errors import Refused, RememError
from remem.core.library import Library
from remem.core.no_text_lost import Standing, lines_of, lost, need_kept
from remem.core.relation.duplicates import duplicate_rules
from remem.core.relation.pairs import pairs
from remem.core.session import Session
from remem.core.settings import Places
from remem.core.verbs.verbs import ARCHIVE, plan
from remem.model.change import Delete, Effect, Intent, Splice
from remem.model.entry import Entry, FileSpan, digest_of

DECISIONS = ".squad/decisions.md"
BOARD = ".squad/agents/hill/history.md"
ALTERNATIVES = (
    "### 2026-01-01: Logging\n\nWe log to a file.\n\n### Alternatives considered\n\n"
    "Console logging only: rejected, nobody reads it.\n\n"
    "### 2026-01-02: Colours\n\nEight of them.\n\n### Alternatives considered\n\n"
    "True colour: rejected, half the terminals cannot.\n"
)


def log_of(root: Path, text: str = ALTERNATIVES) -> Library:
    return project(root, {DECISIONS: text, BOARD: "# Hill\n", ".squad/team.md": "# Team\n"})


def decisions(library: Library) -> list[Entry]:
    return [e for e in library.of_kind("decision") if e.ref.format == "persona"]


def test_decisions_of_one_heading_and_two_texts_are_no_copies(tmp_path: Path) -> None:
    library = log_of(tmp_path)
    same = [e for e in decisions(library) if e.title == "Alternatives considered"]

    assert len(same) == 2
    assert duplicate_rules(library) == ()
    assert [pair for pair in pairs(library) if pair.first in same] == []


def test_keeping_one_of_two_headings_refuses_and_loses_nothing(tmp_path: Path) -> None:
    library = log_of(tmp_path)
    one, other = (e for e in decisions(library) if e.title == "Alternatives considered")
    shown = {one.ref: one.digest, other.ref: other.digest}

    with pytest.raises(RememError, match="does not say what"):
        plan(library, Intent("told.keep", shown, {"keep": str(one.ref)}))


def test_decisions_of_one_text_are_copies_under_whatever_heading_level(tmp_path: Path) -> None:
    text = "### Ship on Fridays\n\n**By:** Hill\nWe never do, but for the pilot.\n\n"
    library = log_of(tmp_path, text + "### Other\n\nx\n\n" + text)
    one, *_, other = decisions(library)

    assert [(p.first, p.second) for p in pairs(library)] == [(one, other)]


def test_what_a_store_keeps_with_a_rule_is_lost_with_it(tmp_path: Path) -> None:
    rule = "Every queue consumer is idempotent"
    stored = f'- id: conv-001\n    rule: "{rule}"\n    rationale: a retry delivered twice\n'
    files = {"CLAUDE.md": f"- {rule}\n", CONVENTIONS: f"conventions:\n  {stored}"}
    write(tmp_path / "shop", files)
    library = open_library(tmp_path)
    copies = [e for e in library.entries() if e.title == rule]
    shown = {each.ref: each.digest for each in copies}
    (bullet,) = (e for e in copies if e.kind != "convention")
    (kept,) = (e for e in copies if e.kind == "convention")

    with pytest.raises(Refused, match="a retry delivered twice"):
        plan(library, Intent("told.keep", shown, {"keep": str(bullet.ref)}))
    assert plan(library, Intent("told.keep", shown, {"keep": str(kept.ref)})).receipt


def test_what_is_rewritten_in_its_store_is_looked_for_in_no_other_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = (
        "decisions:\n  - id: dec-001\n    title: One queue\n"
        '    decision: "Every consumer is idempotent"\n    status: active\n'
    )
    files = {"CLAUDE.md": "- Be brief\n", ".sniper/memory/decisions.yaml": stored}
    write(tmp_path / "shop", files)
    library = open_library(tmp_path)
    (rule,) = library.of_kind("decision")
    read: list[str] = []
    add = Standing.add

    def noted(standing: Standing, text: str) -> None:
        read.append(text)
        add(standing, text)

    monkeypatch.setattr(Standing, "add", noted)

    change = plan(library, Intent(ARCHIVE.id, {rule.ref: rule.digest}))

    assert change.effects
    assert "Every consumer is idempotent" in read
    assert not any("Be brief" in text for text in read)


def open_library(root: Path) -> Library:
    places = Places.of(root / "home")
    with closing(Session.open(root / "shop", places, door="cli", clock=clock())) as bench:
        return bench.library


LINES = st.lists(st.sampled_from(["a b", "c d", "e f", "- g", "  h", ""]), min_size=1, max_size=4)
UNITS = st.lists(LINES.map("\n".join), min_size=1, max_size=6)


@settings(max_examples=300)
@given(before=UNITS, kept=st.data())
def test_a_text_is_never_called_kept_when_a_line_of_it_is_gone(
    before: list[str], kept: st.DataObject
) -> None:
    after = "\n\n".join(kept.draw(st.lists(st.sampled_from(before))))
    there = Counter(lines_of(after))

    missing = lost(before, [after])

    assert all(text in missing for text in before if Counter(lines_of(text)) - there)
    assert set(missing) <= {text for text in before if text not in after}


HEADINGS = st.sampled_from(["Alternatives considered", "Decision", "Queues"])
WORDS = st.sampled_from(
    ["Use a queue.", "Never poll.", "**By:** Hill", "- one\n- two", "Why: cost"]
)
SECTIONS = st.lists(
    st.tuples(HEADINGS, st.lists(WORDS, min_size=1, max_size=3)), min_size=2, max_size=6
)


def _text(sections: Sequence[tuple[str, list[str]]]) -> str:
    return "".join(f"### {head}\n\n" + "\n".join(body) + "\n\n" for head, body in sections)


@settings(max_examples=60, deadline=None)
@given(sections=SECTIONS, gone=st.sets(st.integers(0, 5), min_size=1))
def test_taking_any_sections_out_is_refused_unless_their_whole_text_stands_elsewhere(
    sections: list[tuple[str, list[str]]], gone: set[int]
) -> None:
    with TemporaryDirectory() as folder:
        library = log_of(Path(folder), _text(sections))
        entries = decisions(library)
        out = [entry for number, entry in enumerate(entries) if number in gone]
        stays = [e for e in entries if e not in out]
        data = library.source_of(entries[0]).data
        effects: list[Effect] = []
        for entry in out:
            assert isinstance(entry.at, FileSpan)
            at = entry.at
            old = data[at.start : at.end]
            effects.append(Splice(at.path, at.start, at.end, old, b"", digest_of(data)))
        is_lost = any(not _stands(data, entry, stays) for entry in out)

        if is_lost:
            with pytest.raises(Refused, match="would be lost"):
                need_kept(library, effects)
        else:
            need_kept(library, effects)


def _stands(data: bytes, entry: Entry, others: Sequence[Entry]) -> bool:
    """Tell it in another way than remem does: by the bytes of whole sections."""

    def said(each: Entry) -> str:
        assert isinstance(each.at, FileSpan)
        return data[each.at.start : each.at.end].decode().rstrip() + "\n"

    return any(said(other).startswith(said(entry)) for other in others)


def test_a_file_that_goes_takes_its_units_along(tmp_path: Path) -> None:
    library = log_of(tmp_path)
    source = library.source_of(decisions(library)[0])

    with pytest.raises(Refused, match="4 units"):
        need_kept(library, [Delete(source.path, source.data, source.digest)])
