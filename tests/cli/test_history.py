"""`remem history` tells of every door and of what came from outside."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.cli.conftest import Shell, document_of

from remem.core.settings import Places
from remem.store.external import Outside
from remem.store.io import Disk
from remem.store.journal import Journal

STORE = ".sniper/memory/conventions.yaml"


def note(shop: Shell, *, later: timedelta, gone: int = 0) -> None:
    """Note what a screen that was open would have seen."""
    journal = Journal(Disk(), Places.of(shop.home).state)
    path = Path(shop.root).resolve() / STORE
    time = datetime.now(UTC) + later
    vanished = [{"ref": f"sniper:conv-{number}"} for number in range(gone)]
    journal.note(Outside.of(time, path.parents[2], path, "writer", b"a\n", b"b\n", vanished))
    journal.close()


def test_changes_from_outside_stand_where_they_happened(shop: Shell) -> None:
    note(shop, later=timedelta(hours=-1))
    shop("approve", "conv-002")
    note(shop, later=timedelta(hours=1), gone=2)

    lines = shop("history").out.splitlines()

    assert [line.split("\t")[2] for line in lines] == [
        "external, another program",
        "person, cli",
        "external, another program",
    ]
    assert lines[0].endswith(f"edits {STORE} (2 entries vanished)")
    assert lines[2].endswith(f"edits {STORE}")


def test_the_limit_counts_both(shop: Shell) -> None:
    shop("approve", "conv-002")
    note(shop, later=timedelta(hours=1))

    assert len(shop("history", "--limit", "1").out.splitlines()) == 1
    assert len(shop("history", "--limit", "9" * 20).out.splitlines()) > 1


def test_json_tells_changes_from_outside_apart(shop: Shell) -> None:
    shop("approve", "conv-002")
    note(shop, later=timedelta(hours=1), gone=1)

    document = document_of(shop("history", "--json"), "history")

    assert len(document["changes"]) == 1
    (outside,) = document["outside"]
    assert (outside["number"], outside["cause"], outside["does"]) == (1, "writer", "edits")
    assert outside["path"].endswith(STORE)
    assert outside["vanished"] == 1


def test_a_damaged_history_is_said_and_stops_no_reader(shop: Shell) -> None:
    shop("approve", "conv-002")
    database = Places.of(shop.home).state / "journal.db"
    for file in database.parent.glob("journal.db-*"):
        file.unlink()
    database.write_bytes(b"no database at all" * 99)

    told = shop("history")

    assert told.code == 0
    assert "damaged" in told.err
