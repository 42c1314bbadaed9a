"""What cannot be left out of an approval that is durable: the floor that remem is held against.

A store and the summary change together, and after a power loss at any moment both are as before or
both as after, with what undoes them. Each step waits for the disk because of the next one:

1. The bytes of the intent and its name in `running`. A name of the store changes next; were the
   power lost then, nothing else would tell that the store is ahead of its summary and its history,
   or what takes it back. `fsync` of a file says nothing of its name, so the folder is one more.
   It goes on while the store is written, as that is still under a name that nobody reads.
2. The bytes of the new store, before they get its name: else the name may lead to an empty file,
   and what was there before is gone.
3. The bytes of the new summary, for the same reason: agents load it without remem, so that it
   cannot wait until somebody renders it again. It is made from the store as that stands by then,
   and so comes after it. With both at once the program is a tenth faster at most.
4. The folder of both: a history that tells of a change whose names were lost would undo what is
   not there.
5. The record in the history: from here on the change stands. SQLite waits once, with its log and
   `synchronous = FULL`; with less the intent below may be gone for good, and the record as well.

What clears up waits for nothing: an intent that came back is settled by the record. The names are
exchanged, not replaced, and read once more: what others wrote between the look and the exchange
lies under the other name, and is not lost. The digests are what an undo is held against; they are
made while the disk works.

A bare write has two of these waits and none of the promises.
"""

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
