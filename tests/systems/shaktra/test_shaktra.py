"""Shaktra's stores, stories and settings as entries, documents and byte-exact edits."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.shaktra_briefs import MEMORY, STORIES, open_files
from tests.shaktra_files import (
    ANTI_PATTERNS,
    PRINCIPLES,
    PROCEDURES,
    SETTINGS,
    anti_pattern,
    check,
    desk,
    file_of,
    observation,
    observed,
    principle,
    procedure,
)

from remem.base.errors import NotPossible, Refused
from remem.core.library import Library
from remem.core.verbs.verbs import plan
from remem.edit.lines import spliced
from remem.model.change import Intent, Json, Splice
from remem.model.entry import Status
from remem.systems.shaktra.documents import settings_of
from remem.systems.shaktra.faults import read_observation, read_settings, read_stored
from remem.systems.shaktra.lists import observed_in
from remem.systems.shaktra.records import DEFAULTS, MemorySettings, Settings, roles_for

UPLOAD = "Every upload is measured before its first byte is kept"
ODD = """\
# Kept by hand since March
# Two lines of header
principles:
  - id: PR-001        # the first
    text: 'Every upload is measured before its first byte is kept'
    categories: [ security, reliability ]
    guidance:
    - "Measure at the door"
    confidence:   0.76
    source_count: 3
    tags: [upload, size]
    roles: [developer]
    scope: project
    status: active
    source: ST-003
    created: 2026-01-05
    mood: grim        # nobody knows why

  - {id: PR-002, text: "Thumbnails are made by the worker", categories: [cost],
     guidance: [Queue it], confidence: 0.84, source_count: 5, tags: [], roles: [architect],
     scope: universal, status: archived, source: manual-seed, created: "2026-01-06"}
# the end
"""


def problems(library: Library) -> list[tuple[str, int]]:
    return [(problem.message, problem.line) for _, _, problem in library.problems()]


def edited(library: Library, name: str, **fields: Json) -> str:
    entry = library.resolve(f"shaktra:{name}")
    source = library.source_of(entry)
    effects = library.format_of(entry).keeper.edit(source, entry, fields)
    return spliced(source.data, [e for e in effects if isinstance(e, Splice)]).decode()


def test_a_store_is_read_as_it_was_written(tmp_path: Path) -> None:
    library = open_files(tmp_path, {PRINCIPLES: ODD})

    first, second = library.entries()

    assert (first.ref.id, first.title, first.status) == ("PR-001", UPLOAD, Status.ACTIVE)
    assert (second.status, second.roles, second.date) == (
        Status.ARCHIVED,
        ("architect",),
        "2026-01-06",
    )
    assert second.rank < first.rank
    assert problems(library) == []


def test_every_file_of_a_story_is_a_document_and_scratch_is_left_alone(tmp_path: Path) -> None:
    folder = f"{STORIES}/ST-040"
    files = {
        SETTINGS: "memory: {confidence_start: 0.5}\n",
        f"{STORIES}/ST-040.yml": "id: ST-040\n",
        f"{folder}/handoff.yml": "story_id: ST-040\n",
        f"{folder}/.briefing.yml": "story_context: {id: ST-040}\n",
        f"{folder}/diagnosis-BUG-7.yml": "bug_id: BUG-7\n",
        f"{folder}/.chunks/part-1.yml": "observations: []\n",
        f"{MEMORY}/lessons-archive.yml": "lessons: []\n",
        ".shaktra/observations/review-2026-05-01.yml": file_of(
            "observations", observation(1, "discovery", "Reviews wait for the night build")
        ),
        **observed("ST-040", check(1, "PR-001")),
    }

    library = open_files(tmp_path, files)

    assert [(source.name, source.part) for source in library.of_format("shaktra")] == [
        ("settings.yml", "settings"),
        ("lessons-archive.yml", "legacy"),
        ("ST-040/briefing.yml", "briefing"),
        ("ST-040/observations", "observations"),
        ("ST-040/diagnosis-BUG-7.yml", "document"),
        ("ST-040/handoff.yml", "handoff"),
        ("ST-040", "story"),
        ("observations/review-2026-05-01", "observations"),
    ]
    assert [str(entry.ref.without_place()) for entry in library.entries()] == [
        "shaktra:ST-040/OB-001",
        "shaktra:observations/review-2026-05-01/OB-001",
    ]
    (found,) = observed_in(library.of_format("shaktra"), "ST-040")
    assert [entry.ref.id for entry in found.entries] == ["ST-040/OB-001"]


@pytest.mark.parametrize(
    ("item", "message"),
    [
        pytest.param({"confidence": 1.5}, "`confidence` is `1.5`, not from 0 to 1", id="too-sure"),
        pytest.param({"text": "Too short"}, "`text` has 9 characters", id="short"),
        pytest.param({"text": "x" * 501}, "`text` has 501 characters", id="long"),
        pytest.param({"categories": []}, "`categories` has 0 items", id="no-category"),
        pytest.param({"categories": ["luck"]}, "`categories` is `luck`, which is not", id="luck"),
        pytest.param({"guidance": ["g"] * 6}, "`guidance` has 6 items", id="much-guidance"),
        pytest.param({"source_count": -1}, "`source_count` is `-1`, below 0", id="negative"),
        pytest.param({"id": "P-1"}, "`id` is `P-1`, not `PR-` and digits", id="id"),
        pytest.param({"created": "2026-02-31"}, "`created` is `2026-02-31`, not a date", id="date"),
        pytest.param({"scope": "world"}, "`scope` is `world`", id="scope"),
        pytest.param({"source": None}, "`source` is missing", id="missing"),
        pytest.param({"status": "asleep"}, "`status` is `asleep`, not one of", id="status"),
    ],
)
def test_what_is_wrong_with_a_principle_is_told_once(item: dict[str, Any], message: str) -> None:
    value = {**principle("PR-001", UPLOAD), **item}
    value = {name: each for name, each in value.items() if each is not None}

    record, _, faults = read_stored("principle", value)

    assert [fault.message[: len(message)] for fault in faults] == [message]
    assert 0 <= record.confidence <= 1


@pytest.mark.parametrize(
    ("item", "message"),
    [
        ({"importance": 11}, "`importance` is `11`, not from 1 to 10"),
        ({"importance": 0}, "`importance` is `0`, not from 1 to 10"),
        ({"type": "hunch"}, "`type` is `hunch`, which is not an observation type"),
        ({"phase": "lunch"}, "`phase` is `lunch`, which is not a phase"),
        ({"relationship": "adores"}, "`relationship` is `adores`, which is unknown"),
        ({"principle_id": "the first"}, "`principle_id` is `the first`, not an id"),
        ({"id": "7"}, "`id` is `7`, not `OB-` and digits"),
    ],
)
def test_what_is_wrong_with_an_observation_is_told_once(item: dict[str, Any], message: str) -> None:
    _, faults = read_observation({**check(1, "PR-001"), **item})

    assert [fault.message for fault in faults] == [message]


def test_two_observations_with_one_id_are_a_problem_of_each_with_its_line(tmp_path: Path) -> None:
    library = open_files(tmp_path, observed("ST-040", check(1, "PR-001"), check(1, "PR-002")))

    found = problems(library)

    assert [message for message, _ in found] == ["several entries have the id `OB-001`"] * 2
    assert [line for _, line in found] == [3, 12]


def test_settings_have_the_defaults_of_the_document() -> None:
    assert read_settings({})[0] == Settings()
    assert vars(MemorySettings()) == {
        "confidence_start": 0.6,
        "confidence_reinforce": 0.08,
        "confidence_weaken": 0.08,
        "confidence_contradict": 0.20,
        "confidence_archive": 0.2,
        "max_principles": 200,
        "max_anti_patterns": 100,
        "max_procedures": 50,
        "max_observations_per_story": 30,
        "briefing_confidence_threshold": 0.4,
        "retrieval_tier1_max": 100,
        "retrieval_tier2_max": 500,
        "max_briefing_entries": 15,
        "retrieval_chunk_size": 150,
    }
    assert Settings().incident.incident_confidence_multiplier == 1.5


def test_a_negative_penalty_is_read_by_its_amount_and_other_nonsense_as_the_default(
    tmp_path: Path,
) -> None:
    text = (
        "# ours\nmemory:\n  confidence_weaken: -0.1\n  max_principles: -3\n  confidence_start: 7\n"
    )
    library = open_files(tmp_path, {SETTINGS: text})

    read = settings_of(library.of_format("shaktra")).memory

    assert (read.confidence_weaken, read.max_principles, read.confidence_start) == (0.1, 200, 0.6)
    assert sorted(problems(library)) == [
        ("`memory.confidence_start` is `7`, not from 0 to 1", 5),
        ("`memory.confidence_weaken` is `-0.1`", 3),
        ("`memory.max_principles` is `-3`, below 0", 4),
    ]


def test_a_handoff_that_names_another_story_is_a_problem(tmp_path: Path) -> None:
    files = {f"{STORIES}/ST-040/handoff.yml": "# who\nstory_id: ST-041\n"}

    library = open_files(tmp_path, files)

    assert problems(library) == [("the hand-off of `ST-040` says `story_id: ST-041`", 2)]


@pytest.mark.parametrize(
    ("words", "roles"),
    [
        (("performance",), ("developer", "sw-engineer", "architect")),
        (("security", "Cost"), ("developer", "sw-engineer", "sw-quality", "architect")),
        (("testability",), ("developer", "sw-quality", "test-agent")),
        (("workflow",), ("sdm",)),
        (("post-mortem",), ("developer", "sw-engineer", "sw-quality", "cr-analyzer")),
        (("weather",), ("developer",)),
        ((), ("developer",)),
    ],
)
def test_categories_and_tags_say_who_has_to_know(
    words: tuple[str, ...], roles: tuple[str, ...]
) -> None:
    assert roles_for(words) == roles


def test_an_edit_changes_its_bytes_and_nothing_else(tmp_path: Path) -> None:
    library = open_files(tmp_path, {PRINCIPLES: ODD})

    assert edited(library, "PR-001", confidence="0.5") == ODD.replace("   0.76", "   0.5")
    assert edited(library, "PR-002", roles=["sdm"]) == ODD.replace("[architect]", "[sdm]")
    assert edited(library, "PR-001", mood=None) == ODD.replace(
        "    mood: grim        # nobody knows why\n", ""
    )


@pytest.mark.parametrize(
    ("name", "fields", "message"),
    [
        ("PR-001", {"confidence": 2}, "`confidence` is `2`, not from 0 to 1"),
        ("PR-001", {"colour": "red"}, "has no field `colour`"),
        ("PR-001", {"id": "PR-002"}, "the id `PR-002` is taken"),
        ("PR-001", {"text": ""}, "`text` is empty"),
        ("PR-001", {"status": "asleep"}, "`status` is `asleep`"),
    ],
)
def test_a_value_that_shaktra_does_not_take_is_refused(
    tmp_path: Path, name: str, fields: dict[str, Json], message: str
) -> None:
    library = open_files(tmp_path, {PRINCIPLES: ODD})

    with pytest.raises(NotPossible, match=message):
        edited(library, name, **fields)


def test_archiving_and_restoring_write_shaktras_own_words(tmp_path: Path) -> None:
    files = {PRINCIPLES: file_of("principles", principle("PR-001", UPLOAD, confidence=0.1))}
    with desk(tmp_path, files) as shop:
        shop.do("archive", "PR-001")
        archived = shop.fields("PR-001")
        shop.do("restore", "PR-001")
        restored = shop.fields("PR-001")

    assert (archived["status"], archived["confidence"]) == ("archived", 0.1)
    assert (restored["status"], restored["confidence"]) == ("active", 0.2)


def test_restoring_goes_by_the_threshold_of_the_settings(tmp_path: Path) -> None:
    item = principle("PR-001", UPLOAD, confidence=0.1, status="archived")
    files = {
        PRINCIPLES: file_of("principles", item),
        SETTINGS: "memory:\n  confidence_archive: 0.35\n",
    }
    with desk(tmp_path, files) as shop:
        shop.do("restore", "PR-001")

        assert shop.confidence("PR-001") == 0.35


@pytest.mark.parametrize(
    ("path", "kind", "text"),
    [
        (PRINCIPLES, "principle", "Ports above 9000 are taken on the build hosts"),
        (ANTI_PATTERNS, "anti_pattern", "Retrying without a limit"),
        (PROCEDURES, "procedure", "The gallery is looked at after each step"),
    ],
)
def test_adding_by_hand_seeds_an_entry_that_reads_without_a_problem(
    tmp_path: Path, path: str, kind: str, text: str
) -> None:
    with desk(tmp_path, {".shaktra/memory/.keep": ""}) as shop:
        fields: dict[str, Json] = {"guidance": ["Use lower ones"]} if kind == "principle" else {}
        done = shop.do("add", kind=kind, text=text, fields=fields, to="shaktra")
        (ref,) = done.change.touched
        added = shop.fields(ref.id)

        assert shop.read(path).startswith("# ")
        assert added["confidence"] == 0.6
        assert (added["source"], added["created"]) == ("manual-seed", "2026-05-04")
        assert list(added)[1:] == [name for name in DEFAULTS[kind] if name in added]
        assert problems(shop.bench.library) == []


def test_an_anti_pattern_goes_to_the_memory_that_is_here(tmp_path: Path) -> None:
    with desk(tmp_path, {PRINCIPLES: "principles: []\n"}) as shop:
        done = shop.do("add", kind="anti-pattern", text="Retrying without a limit")

        assert [str(ref.without_place()) for ref in done.change.touched] == ["shaktra:AP-001"]


def test_merging_by_hand_keeps_what_the_person_named(tmp_path: Path) -> None:
    files = {
        PRINCIPLES: file_of(
            "principles",
            principle("PR-001", UPLOAD, confidence=0.9, source_count=2, roles=["architect"]),
            principle("PR-002", "Uploads are measured first", source_count=3),
        )
    }
    with desk(tmp_path, files) as shop:
        before = shop.files()
        done = shop.do("merge", "PR-001", into="shaktra:PR-002")
        stays, leaves = shop.fields("PR-002"), shop.fields("PR-001")
        shop.bench.undo(done.id)

        assert (stays["confidence"], stays["source_count"], stays["supersedes"]) == (
            0.9,
            5,
            "PR-001",
        )
        assert stays["roles"] == ["developer", "architect"]
        assert leaves["status"] == "superseded"
        assert shop.files()[PRINCIPLES] == before[PRINCIPLES]


def test_entries_of_two_kinds_are_not_merged(tmp_path: Path) -> None:
    files = {
        PRINCIPLES: file_of("principles", principle("PR-001", UPLOAD)),
        PROCEDURES: file_of("procedures", procedure("PC-001", UPLOAD)),
    }
    with (
        desk(tmp_path, files) as shop,
        pytest.raises(NotPossible, match="`shaktra:PR-001` cannot be merged"),
    ):
        shop.plan("merge", "PR-001", into="shaktra:PC-001")


def test_an_observation_is_neither_removed_nor_archived(tmp_path: Path) -> None:
    with desk(tmp_path, observed("ST-040", check(1, "PR-001"))) as shop:
        for verb in ("remove", "archive"):
            with pytest.raises(NotPossible):
                shop.plan(verb, "ST-040/OB-001")


def test_a_store_that_does_not_parse_is_never_written(tmp_path: Path) -> None:
    library = open_files(tmp_path, {PRINCIPLES: 'principles:\n  - {id: PR-001, text: "x\n'})
    intent = Intent("add", arguments={"kind": "principle", "text": UPLOAD, "to": "shaktra"})

    assert list(library.entries()) == []
    with pytest.raises(Refused, match="does not parse, line "):
        plan(library, intent)


VALUES = st.sampled_from((0.0, 0.2, 0.35, 1.0))
TEXTS = st.text("a: #'\"é-[{", min_size=20, max_size=40).filter(lambda text: bool(text.strip()))


@settings(max_examples=20, deadline=None)
@given(
    name=st.sampled_from(("PR-001", "PR-002")),
    confidence=VALUES,
    text=TEXTS,
    newline=st.sampled_from(("\n", "\r\n")),
)
def test_an_edit_is_read_back_and_every_other_line_stays(
    name: str, confidence: float, text: str, newline: str
) -> None:
    with TemporaryDirectory() as folder:
        (Path(folder) / "shop" / MEMORY).mkdir(parents=True)
        path = Path(folder) / "shop" / PRINCIPLES
        path.write_bytes(ODD.replace("\n", newline).encode())
        library = open_files(Path(folder), {})
        before = path.read_bytes().decode()

        after = edited(library, name, confidence=confidence, text=text)

        path.write_bytes(after.encode())
        entry = library.refresh().resolve(f"shaktra:{name}")
        other = "PR-002" if name == "PR-001" else "PR-001"
        lines = [line for line in before.split(newline) if other in line or line.startswith("#")]
        assert entry.title == text
        assert all(line in after.split(newline) for line in lines)
        assert after.count(newline) == before.count(newline)


@settings(max_examples=20, deadline=None)
@given(
    data=st.binary(max_size=80)
    | st.text("observations: -[]{}&*#\n'\"x01", max_size=60).map(str.encode)
)
def test_any_bytes_are_read_without_an_exception(data: bytes) -> None:
    with TemporaryDirectory() as folder:
        root = Path(folder)
        for name in (PRINCIPLES, SETTINGS, f"{STORIES}/ST-1.yml", f"{STORIES}/ST-1/handoff.yml"):
            (root / "shop" / name).parent.mkdir(parents=True, exist_ok=True)
            (root / "shop" / name).write_bytes(data)
        (root / "shop" / STORIES / "ST-1" / ".observations.yml").write_bytes(data)

        library = open_files(root, {})

        assert len(library.of_format("shaktra")) == 5
        assert len(observed_in(library.sources, "ST-1")) == 1
        list(library.problems())


def test_an_entry_that_stands_elsewhere_now_is_taken_over(tmp_path: Path) -> None:
    items = [anti_pattern("AP-001", "Retrying without a limit"), anti_pattern("AP-002", "Guessing")]
    library = open_files(tmp_path, {ANTI_PATTERNS: file_of("anti_patterns", *items)})
    first = library.resolve("shaktra:AP-002")

    path = tmp_path / "shop" / ANTI_PATTERNS
    path.write_text(file_of("anti_patterns", items[1], items[0]))
    second = library.refresh().resolve("shaktra:AP-002")

    assert second.digest == first.digest
    assert second.at != first.at
