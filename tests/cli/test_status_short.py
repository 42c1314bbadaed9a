"""One line for a shell prompt: what was found last, and how much changed since."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.cli.conftest import Shell, document_of, write


def test_before_anybody_looked_it_says_so(shop: Shell) -> None:
    answer = shop("status", "--short")

    assert (answer.code, answer.out) == (0, "remem: run `remem status` once\n")
    document = document_of(shop("status", "--short", "--json"), "status-short")
    assert (document["root"], document["review"], document["at"]) == (None, None, None)


def test_it_tells_what_queue_and_status_found(shop: Shell) -> None:
    items = len(document_of(shop("queue", "--json"), "queue")["items"])
    assert items

    line = shop("status", "--short").out
    shop("status", "--no-growth")

    assert line == f"remem: {items} to review\n"
    assert shop("status", "--short").out == line


def test_it_says_that_files_changed_since(shop: Shell) -> None:
    shop("queue")
    store = shop.root / ".sniper/memory/conventions.yaml"
    store.write_bytes(store.read_bytes() + b"\n")

    document = document_of(shop("status", "--short", "--json"), "status-short")

    assert document["changed"] == 1
    assert "1 place changed since" in shop("status", "--short").out
    shop("queue")
    assert "changed" not in shop("status", "--short").out


def test_a_new_file_beside_those_that_were_read_is_seen(shop: Shell) -> None:
    shop("queue")
    write(shop.root, {".sniper/memory/decisions-new.yaml": "decisions: []\n"})

    assert "changed since" in shop("status", "--short").out


def test_a_note_that_is_broken_or_another_roots_is_none(shop: Shell) -> None:
    shop("queue")
    (note,) = (shop.home / ".cache/remem/looked").iterdir()

    for broken in (b"", b"{", b"[]", b'{"form": 9}', note.read_bytes().replace(b"shop", b"xxxx")):
        note.write_bytes(broken)
        assert shop("status", "--short").out == "remem: run `remem status` once\n"


def test_nothing_that_reads_memory_is_loaded_for_it(shop: Shell) -> None:
    shop("queue")
    code = (
        "import sys\n"
        "from remem.cli.main import run\n"
        "assert run(sys.argv[1:]) == 0\n"
        "costly = {'sqlite3', 'remem.core.library', 'remem.core.settings', 'remem.systems'}\n"
        "assert not costly & set(sys.modules), costly & set(sys.modules)\n"
    )
    where = ("--root", str(shop.root), "--home", str(shop.home))

    done = subprocess.run(
        [sys.executable, "-c", code, "status", "--short", *where],
        capture_output=True,
        text=True,
        env={**os.environ},
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert "to review" in done.stdout
