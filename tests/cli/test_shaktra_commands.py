"""The commands of Shaktra's cycle: observe, consolidate, migrate."""

from __future__ import annotations

import pytest
from tests.cli.conftest import Shell, document_of, write
from tests.shaktra_briefs import MEMORY, STORIES
from tests.shaktra_files import PRINCIPLES, check, file_of, observation, observed, principle

UPLOAD = "Every upload is measured before its first byte is kept"
FILES = {
    PRINCIPLES: file_of("principles", principle("PR-001", UPLOAD, confidence=0.76)),
    f"{STORIES}/ST-040.yml": "id: ST-040\n",
    **observed(
        "ST-040",
        check(1, "PR-001"),
        observation(2, "discovery", "Ports above 9000 are taken on the hosts", importance=8),
        check(3, "PR-404"),
    ),
}


@pytest.fixture
def gallery(empty: Shell) -> Shell:
    write(empty.root, FILES)
    return empty


def test_the_plan_is_shown_with_the_share_of_each_observation(gallery: Shell) -> None:
    before = gallery.digest()

    shown = gallery("consolidate", "ST-040")

    assert shown.out.splitlines() == [
        "shaktra:PR-001  0.76 → 0.84",
        "  OB-001  reinforce +0.08 → 0.84  it was checked against it",
        "new  principle  0.6  Ports above 9000 are taken on the hosts",
        "  ST-040/OB-002  importance 8",
        "left out  OB-003 (ST-040/observations:19): it names `PR-404`, which does not exist",
    ]
    assert "2 observations = 1 on entries + 1 in new ones" in shown.err
    assert "nothing was written; add `--apply` to write it" in shown.err
    assert gallery.digest() == before


def test_applying_is_one_change_and_doing_it_again_is_nothing(gallery: Shell) -> None:
    before = gallery.bytes_of(PRINCIPLES)

    done = document_of(gallery("consolidate", "ST-040", "--apply", "--json"), "consolidate")
    again = gallery("consolidate", "ST-040", "--apply")
    gallery("undo", done["id"])

    (entry,) = done["entries"]
    assert (entry["ref"], entry["before"], entry["after"]) == ("shaktra:PR-001", 0.76, 0.84)
    assert entry["because"][0]["observation"] == "ST-040/OB-001"
    assert [(each["kind"], each["proposed"]) for each in done["new"]] == [("principle", False)]
    assert (done["applied"], done["merged"], done["archived"]) == (True, [], [])
    assert [each["observation"] for each in done["left_out"]] == ["ST-040/OB-003"]
    assert (again.code, "nothing to consolidate" in again.err) == (0, True)
    assert gallery.bytes_of(PRINCIPLES) == before
    assert not (gallery.root / ".remem" / "consolidated.yaml").exists()


@pytest.mark.parametrize(
    "path", [".remem/config.yaml", ".shaktra/settings.yml", ".sniper/config.yaml"]
)
def test_nothing_is_consolidated_while_any_settings_file_cannot_be_read(
    gallery: Shell, path: str
) -> None:
    write(gallery.root, {path: "memory: {\n confidence_start: x\n"})
    before = gallery.digest()

    shown = gallery("consolidate", "ST-040")
    refused = gallery("consolidate", "ST-040", "--apply")
    problems = [each["path"] for each in gallery("status", "--json").document["problems"]]

    assert (shown.code, refused.code) == (0, 2)
    assert "shaktra:PR-001  0.76 → 0.84" in shown.out
    for told in (shown.err, refused.err):
        assert "cannot be read, so nothing is done automatically" in told
    assert gallery.digest() == before
    assert str(gallery.root / path) in problems


def test_a_person_counts_one_part_while_settings_cannot_be_read_and_nothing_else_follows(
    gallery: Shell,
) -> None:
    weak = file_of("principles", principle("PR-001", UPLOAD, confidence=0.25))
    against = observed("ST-040", check(1, "PR-001", "contradict"))
    write(
        gallery.root, {**against, PRINCIPLES: weak, ".shaktra/settings.yml": "memory: {\n a: x\n"}
    )

    done = gallery("approve", "ST-040/OB-001")

    assert done.code == 0, done.err
    assert b"confidence: 0.05" in gallery.bytes_of(PRINCIPLES)
    assert b"archived" not in gallery.bytes_of(PRINCIPLES)


def test_a_dry_run_shows_the_diff_and_writes_nothing(gallery: Shell) -> None:
    before = gallery.digest()

    dry = gallery("consolidate", "ST-040", "--apply", "--dry-run")

    assert "+    confidence: 0.84" in dry.out
    assert gallery.digest() == before


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("consolidate", "ST-404"), "there is no story `ST-404`"),
        (("observe", "ST-404", "--type", "discovery", "--text", "x"), "there is no story `ST-404`"),
        (("observe", "ST-040", "--type", "hunch", "--text", "x"), "`type` is `hunch`"),
        (
            ("observe", "ST-040", "--type", "discovery", "--text", "x", "--importance", "11"),
            "`importance` is `11`, not from 1 to 10",
        ),
        (("migrate", "shaktra"), "already exists"),
    ],
)
def test_bad_input_is_said_and_nothing_is_written(
    gallery: Shell, words: tuple[str, ...], message: str
) -> None:
    before = gallery.digest()

    answer = gallery(*words)

    assert (answer.code, message in answer.err) == (2, True)
    assert gallery.digest() == before


def test_an_observation_is_appended_and_counted(gallery: Shell) -> None:
    said = gallery(
        "observe", "ST-040", "--type", "consistency-check", "--text", "Not on replicas",
        "--agent", "sw-quality", "--phase", "quality", "--importance", "6", "--tags", "cache,db",
        "--principle", "PR-001", "--relationship", "contradict",
    )  # fmt: skip
    plan = document_of(gallery("consolidate", "ST-040", "--json"), "consolidate")

    assert said.out == "Observed ST-040/OB-004\n"
    assert plan["entries"][0]["after"] == 0.64
    assert (
        gallery.bytes_of(f"{STORIES}/ST-040/.observations.yml")
        .decode()
        .endswith(
            """\
  - id: OB-004
    agent: sw-quality
    phase: quality
    type: consistency-check
    importance: 6
    principle_id: PR-001
    relationship: contradict
    tags: [cache, db]
    text: "Not on replicas"
"""
        )
    )


def test_an_unknown_id_shows_in_status_with_its_line(gallery: Shell) -> None:
    said = gallery("status")

    assert "`OB-003` names `PR-404`, which does not exist" in said.out
    assert ".observations.yml:19" in said.out


def test_migrating_lists_first_and_writes_with_apply(empty: Shell) -> None:
    lessons = 'lessons:\n  - {id: LS-001, insight: "Retries without a limit fill the queue"}\n'
    write(empty.root, {f"{MEMORY}/lessons.yml": lessons})

    listed = document_of(empty("migrate", "shaktra", "--json"), "migrate-shaktra")
    done = empty("migrate", "shaktra", "--apply")

    (row,) = listed["principles"]
    assert (row["ref"], row["was"], row["confidence"]) == ("shaktra:PR-001", "LS-001", 0.5)
    assert done.out == "Migrated 1 entry to principles\n"
    assert b"migrated:LS-001" in empty.bytes_of(PRINCIPLES)


def test_a_principle_is_added_merged_and_found_by_its_own_words(gallery: Shell) -> None:
    text = "Previews are cleared by whoever made them"
    gallery("add", "principle", text, "--role", "architect", "--set", "categories=[cost]")
    merged = gallery("merge", "PR-002", "--into", "PR-001")
    shown = document_of(gallery("show", "PR-002", "--json"), "show")
    found = gallery("search", "whoever made them")

    assert merged.code == 0
    assert shown["entry"]["status"] == "superseded"
    assert "shaktra:PR-002" in found.out


def test_a_retro_is_refused_where_memory_learns_from_stories_until_it_is_asked_for(
    gallery: Shell,
) -> None:
    write(gallery.root, {".git/HEAD": "ref: refs/heads/main\n"})

    refused = gallery("retro", "run", "--sprint", "3")

    assert refused.code == 2
    assert "Shaktra learns without retros: `remem consolidate STORY`" in refused.err
    assert "create project memory with `remem init`" in refused.err
    assert not (gallery.root / ".sniper").exists()
    gallery("init")
    assert "learns without retros" not in gallery("retro", "run", "--sprint", "3").err
