"""What cannot be left out of an approval that is durable: the floor that remem is held against."""

import os
import sqlite3
from hashlib import sha256
from pathlib import Path
from threading import Thread

from remem.store.linux import exchange


def put(path: Path, data: bytes) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
    os.write(handle, data)
    os.fsync(handle)
    os.close(handle)


def sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    os.fsync(handle)
    os.close(handle)


def intend(folder: Path) -> None:
    put(folder / "intent", b"what undoes it")
    sync(folder)


def replace(held: dict[Path, bytes], old: bytes, new: bytes, state: sqlite3.Connection) -> None:
    """Replace a text once in each file that holds these bytes, and record it."""
    folder, digests = next(iter(held)).parent, dict[str, str]()
    threads = [intent := Thread(target=intend, args=(folder / "running",))]
    intent.start()
    for path, base in held.items():
        assert path.read_bytes() == base  # as it was shown
        data = held[path] = base.replace(old, new, 1)
        threads.append(Thread(target=lambda d=data: digests.update({sha256(d).hexdigest(): ""})))
        threads[-1].start()
        put(path.with_suffix(".new"), data)
        intent.join()  # durable before a name changes
        exchange(path.with_suffix(".new"), path)
        assert path.with_suffix(".new").read_bytes() == base  # nobody wrote meanwhile
    sync(folder)
    for thread in threads:
        thread.join()
    with state:
        state.execute("INSERT INTO changes VALUES (?)", (repr(digests),))
    for path in (*(each.with_suffix(".new") for each in held), folder / "running" / "intent"):
        path.unlink()
