import os
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from tests.code_files import git
from tests.full_disk import Mounted, nothing_grows

from remem.base.errors import NotPossible, RememError, Unacknowledged, UnknownRef
from remem.core.checks.secrets import Kind
from remem.core.settings import Config, Database, Places
from remem.model.citation import BadCitation, Citation, CitationStatus
from remem.systems.facts.database.row_records import BadMemory
from remem.systems.facts.records import Actor, EventName, NewMemory
from remem.systems.facts.service import VerifiedMemory
from remem.systems.facts.verdicts import NotHeld

REPO = "dock"
CODE = "first\nsecond\nthird\nfourth\n"
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
HIDDEN = "Number berths\u202e from the pier"
MARA = Actor("Mara", "run-1")


def new(fact: str = "Berths are numbered", path: str = "src/berth.ts", start: int = 2) -> NewMemory:
    return NewMemory(REPO, "berths", fact, (Citation(path, start, start + 1),))


def events(service: VerifiedMemory) -> dict[str, int]:
    return {name.value: n for name, n in service.telemetry(REPO).counts.items() if n}


def test_what_is_kept_is_anchored_in_the_code_as_it_is(service: VerifiedMemory) -> None:
    kept = service.keep(new(), MARA)

    (citation,) = service.store.get(kept.stored.id).citations
    assert citation.snippet == "second\nthird"
    assert len(citation.snippet_hash) == 64
    assert citation.sha == ""
    assert kept.warnings == ()
    assert events(service) == {"created": 1}


def test_the_database_is_kept_out_of_git_and_nothing_else_is_written(
    service: VerifiedMemory, dock: Path
) -> None:
    service.keep(new())
    service.recent(REPO, 5)
    service.close()

    written = {str(path.relative_to(dock)) for path in dock.rglob("*") if path.is_file()}
    assert written == {"src/berth.ts", ".remem/memory.db", ".remem/.gitignore"}
    assert (dock / "src/berth.ts").read_text() == CODE
    assert (dock / ".remem/.gitignore").read_text().splitlines()[1] == "*"


@pytest.mark.parametrize(
    ("path", "start"),
    [
        pytest.param("src/none.ts", 1, id="no such file"),
        pytest.param("src/berth.ts", 4, id="beyond the end"),
        pytest.param("src/berth.ts", 0, id="line 0"),
        pytest.param("src/berth.ts", -3, id="negative"),
        pytest.param("../secret", 1, id="leaves the folder"),
        pytest.param("/etc/passwd", 1, id="absolute"),
    ],
)
def test_a_place_that_is_not_there_keeps_nothing(
    service: VerifiedMemory, dock: Path, path: str, start: int
) -> None:
    (dock.parent / "secret").write_text("one\ntwo\n")

    with pytest.raises(BadCitation):
        service.keep(new(path=path, start=start))

    assert not (dock / ".remem").exists()


@pytest.mark.parametrize("fact", ["", "x" * 3_000])
def test_a_text_that_cannot_be_kept_is_refused_before_anything_is_made(
    service: VerifiedMemory, dock: Path, fact: str
) -> None:
    for keeps in (service.try_out, service.keep):
        with pytest.raises(BadMemory):
            keeps(new(fact))

    assert not (dock / ".remem").exists()


def test_without_a_history_no_database_is_made(dock: Path, tmp_path: Path) -> None:
    places = Places.of(tmp_path / "home")
    places.state.parent.mkdir(parents=True)
    places.state.write_text("in the way")
    service = VerifiedMemory(dock, places)

    with pytest.raises(RememError, match="history"):
        service.keep(new())

    assert not (dock / ".remem").exists()


def test_lines_beyond_a_file_are_told_with_how_many_it_has(
    service: VerifiedMemory, dock: Path
) -> None:
    (dock / "one.py").write_text("x = 1\n")

    with pytest.raises(BadCitation, match=r"`one\.py` has 1 line, and you cite lines 2-3"):
        service.keep(new(path="one.py"))


def test_a_memory_without_citations_is_not_kept(service: VerifiedMemory) -> None:
    with pytest.raises(BadMemory, match="needs citations"):
        service.keep(NewMemory(REPO, "berths", "They are numbered", ()))


@pytest.mark.parametrize("text", [HIDDEN, f"The token is {SECRET}", "a\U000e0069b", "\x1b]0;x\x07"])
def test_hidden_characters_and_secrets_are_kept_only_once_acknowledged(
    service: VerifiedMemory, text: str
) -> None:
    with pytest.raises(Unacknowledged, match="needs a person's review") as told:
        service.keep(new(text))
    assert SECRET not in str(told.value)

    kept = service.keep(new(text), acknowledged=told.value.ids)

    assert {finding.kind for finding in kept.findings} <= {Kind.HIDDEN, Kind.SECRET}
    assert service.recent(REPO, 1)[0].findings == kept.findings != ()


def test_a_risky_instruction_is_kept_with_a_badge_and_only_once_acknowledged(
    service: VerifiedMemory,
) -> None:
    risky = new("Commit with `git commit --no-verify`")
    with pytest.raises(Unacknowledged, match="needs a person's review") as told:
        service.keep(risky)
    assert service.recent(REPO, 1) == ()

    kept = service.keep(risky, acknowledged=told.value.ids)

    assert [finding.kind for finding in kept.findings] == [Kind.RISKY]


def test_a_secret_in_the_code_is_not_copied(service: VerifiedMemory, dock: Path) -> None:
    (dock / "src/berth.ts").write_text(f"key = '{SECRET}'\nsecond\nthird\n")

    made = service.keep(new(start=1)).stored.id

    (citation,) = service.store.get(made).citations
    assert citation.snippet is None
    assert service.recent(REPO, 1)[0].verdict is CitationStatus.VALID
    assert SECRET.encode() not in (dock / ".remem/memory.db").read_bytes()


def test_nothing_is_given_out_without_a_verdict(service: VerifiedMemory, dock: Path) -> None:
    service.keep(new())
    (dock / "src/berth.ts").write_text("zero\n" + CODE)
    moved = service.recent(REPO, 5, MARA)
    (dock / "src/berth.ts").unlink()
    missing = service.search_path(REPO, "./src/berth.ts", 5, MARA)

    assert [each.verdict for each in (*moved, *missing)] == ["moved", "missing"]
    assert events(service) == {"created": 1, "retrieved": 2, "verified_invalid": 2}


def test_a_memory_of_another_repository_is_unchecked(service: VerifiedMemory) -> None:
    made = service.keep(new()).stored.id
    kept = service.store.get(made)
    foreign = NewMemory("acme/other", "s", "f", kept.citations)
    service.writing.store(foreign)

    (looked,) = service.recent("acme/other", 5)

    assert looked.verdict is CitationStatus.UNCHECKED
    assert "not the repository" in looked.verdicts[0].error
    with pytest.raises(NotPossible, match="not the repository"):
        service.keep(NewMemory("acme/third", "s", "f", kept.citations))


def test_this_checkout_has_one_name_however_it_is_written(service: VerifiedMemory) -> None:
    cited = new().citations

    kept = service.keep(NewMemory("Dock", "berths", "Berths are numbered", cited))
    again = service.keep(new())

    assert again.stored.id == kept.stored.id
    for written in (REPO, "DOCK"):
        assert [each.memory.id for each in service.recent(written, 9)] == [kept.stored.id]
        assert service.search_path(written, "src/berth.ts", 9)
        assert service.stats(written).active == 1
        assert service.usage(written)
    assert service.check("doCK", service.store.get(kept.stored.id).citations)[0].is_valid
    assert events(service)["verified_valid"] == 5


def test_a_checkout_keeps_the_facts_that_it_had_before_it_had_an_origin(
    dock: Path, tmp_path: Path
) -> None:
    places = Places.of(tmp_path / "home")
    git(dock, "init", "-q")
    with closing(VerifiedMemory(dock, places, environment={})) as service:
        kept = service.keep(new()).stored.id
    git(dock, "remote", "add", "origin", "git@example.org:acme/harbour.git")

    with closing(VerifiedMemory(dock, places, environment={})) as service:
        again = service.keep(replace(new(), repository="acme/harbour"))
        later = service.keep(replace(new("Piers have lamps"), repository="acme/harbour")).stored.id

        assert (again.stored.id, again.stored.status) == (kept, "refreshed")
        for name in ("acme/harbour", REPO):
            assert {each.memory.id for each in service.recent(name, 9)} == {kept, later}
            assert {each.memory.id for each in service.search(name, "berths", 9)} >= {kept}
            assert len(service.search_path(name, "src/berth.ts", 9)) == 2
            assert service.stats(name).active == 2
            assert len(service.usage(name)) == 2
        assert [each.verdict for each in service.verify(service.every_active())] == ["valid"] * 2
        assert service.refresh(kept).verification_count == 1


def test_only_what_holds_is_refreshed(service: VerifiedMemory, dock: Path) -> None:
    made = service.keep(new()).stored.id

    held = service.refresh(made, "Mara")
    (dock / "src/berth.ts").write_text("other\n" * 9)
    with pytest.raises(NotHeld, match=r"berth\.ts:2-3 changed") as told:
        service.refresh(made, "Mara")

    assert held.verification_count == service.store.get(made).verification_count == 1
    assert "supersede" in told.value.hint
    assert events(service) == {"created": 1, "refreshed": 1, "verified_invalid": 1}


def test_a_row_whose_citations_cannot_be_read_never_holds(service: VerifiedMemory) -> None:
    made = service.keep(new()).stored.id
    with service.store.base.writing() as sql:
        sql.exec_driver_sql(
            """UPDATE agent_memory SET citations = json_insert(citations, '$[1]', 'nothing')"""
        )

    (looked,) = service.recent(REPO, 1)

    assert [each.is_valid for each in looked.verdicts] == [True]
    assert looked.verdict is CitationStatus.MISSING
    with pytest.raises(NotHeld, match="its citations cannot be read"):
        service.refresh(made)


def test_verifying_logs_one_verdict_for_each_memory(service: VerifiedMemory, dock: Path) -> None:
    service.keep(new("one"))
    service.keep(new("two", start=3))
    (dock / "src/berth.ts").write_text("first\nsecond\nthird\nother\n")
    seen: list[tuple[int, int]] = []

    looked = service.verify(
        service.store.every_active(REPO), MARA, progress=lambda *done: seen.append(done)
    )

    assert {each.memory.fact: each.verdict for each in looked} == {
        "one": CitationStatus.VALID,
        "two": CitationStatus.CHANGED,
    }
    assert seen == [(2, 2)]
    assert events(service) == {"created": 2, "verified_valid": 1, "verified_invalid": 1}
    assert service.telemetry(REPO).average_ms is not None


def test_verdicts_are_given_on_a_full_disk_though_nothing_can_be_logged(
    service: VerifiedMemory, dock: Path, tmp_path: Path
) -> None:
    service.keep(new("one"))
    service.close()
    (dock / "src/berth.ts").write_text("first\n")
    full = os.statvfs_result((4096, 4096, 1000, 0, 0, 1000, 900, 900, 0, 255))
    places = Places.of(tmp_path / "home")
    there = VerifiedMemory(dock, places, config=Config(), disk=Mounted(full), environment={})

    with nothing_grows():
        (looked,) = there.verify(there.every_active(REPO), MARA)

    assert looked.verdict is CitationStatus.OUT_OF_RANGE
    assert "the disk is full" in there.unlogged
    there.close()
    assert "verified_invalid" not in events(service)


def test_checking_the_citations_of_a_memory_is_logged_for_it_alone(service: VerifiedMemory) -> None:
    service.keep(new("one"))
    service.keep(new("two", start=3))

    verdicts = service.check(REPO, [Citation("src/berth.ts", 2, 3)], actor=MARA)
    service.check(REPO, [Citation("src/berth.ts", 1, 1)])

    assert verdicts[0].is_valid
    assert events(service) == {"created": 2, "verified_valid": 1}


def test_superseding_is_checked_like_storing(service: VerifiedMemory, dock: Path) -> None:
    made = service.keep(new()).stored.id
    (dock / "src/berth.ts").write_text("only\n")

    with pytest.raises(NotHeld):
        service.supersede(made, "They are lettered")
    with pytest.raises(BadCitation):
        service.supersede(made, "They are lettered", [Citation("src/berth.ts", 2, 3)])
    with pytest.raises(Unacknowledged):
        service.supersede(made, HIDDEN, [Citation("src/berth.ts", 1, 1)])
    with pytest.raises(Unacknowledged):
        service.supersede(made, "Push with --no-verify", [Citation("src/berth.ts", 1, 1)])
    better = service.supersede(made, "They are lettered", [Citation("src/berth.ts", 1, 1)])

    assert service.store.get(better).citations[0].snippet == "only"
    with pytest.raises(NotPossible, match="superseded, not active"):
        service.supersede(made, "again")


def test_what_only_moved_is_anchored_anew(service: VerifiedMemory, dock: Path) -> None:
    service.keep(new())
    (dock / "src/berth.ts").write_text("zero\n" + CODE)
    (moved,) = service.look(service.store.every_active(REPO))

    (made,) = service.reanchor([moved], MARA).values()

    kept = service.store.get(made)
    assert (kept.citations[0].line_start, kept.citations[0].line_end) == (3, 4)
    assert kept.created_by == "Mara"
    (held,) = service.look([kept])
    assert held.verdict is CitationStatus.VALID
    with pytest.raises(NotPossible, match="did more than move"):
        service.reanchor([held])


def test_a_place_is_read_without_any_memory(service: VerifiedMemory) -> None:
    there = service.read_citation(REPO, Citation("src/berth.ts", 2, 3))
    beyond = service.read_citation(REPO, Citation("src/berth.ts", 4, 9))
    none = service.read_citation(REPO, Citation("src/none.ts", 1, 1))

    assert (there.content, there.error) == ("second\nthird", "")
    assert (beyond.content, beyond.error) == ("fourth", "the file has 4 lines")
    assert (none.content, none.error) == (None, "there is no such file")
    with pytest.raises(BadCitation):
        service.read_citation(REPO, Citation("src/berth.ts", 3, 2))


def test_beyond_the_soft_limit_what_served_nobody_is_named(dock: Path, tmp_path: Path) -> None:
    service = VerifiedMemory(dock, Places.of(tmp_path / "home"), environment={}, limit=2)
    first = service.keep(new("one")).stored.id
    second = service.keep(new("two")).stored.id
    service.log_applied(first, MARA)

    kept = service.keep(new("three"))

    assert "more than 2 active facts" in kept.warnings[0]
    assert [memory.id for memory in kept.retire] == [second, kept.stored.id]
    assert service.keep(new("three")).warnings == ()
    service.close()


def test_the_environment_names_the_database_before_the_configuration(
    dock: Path, tmp_path: Path
) -> None:
    config = Config(database=Database(url="postgresql://a@configured/x"))
    places = Places.of(tmp_path / "home")

    told = VerifiedMemory(
        dock, places, config=config, environment={"REMEM_DATABASE_URL": "postgres://b@told/x"}
    )
    configured = VerifiedMemory(dock, places, config=config, environment={})

    assert "told" in told.store.name
    assert "configured" in configured.store.name


def test_an_unknown_memory_is_told_everywhere(service: VerifiedMemory) -> None:
    service.keep(new())

    for verb in (service.refresh, service.invalidate, service.log_applied, service.named):
        with pytest.raises(UnknownRef):
            verb("0b8e0000-0000-4000-8000-000000000000")
    with pytest.raises(BadMemory, match="the limit is 0"):
        service.recent(REPO, 0)
    with pytest.raises(BadMemory, match="not a path"):
        service.search_path(REPO, "../x", 5)
    assert EventName.APPLIED.value not in events(service)
