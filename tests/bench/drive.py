"""Works the screens from inside and writes down how long they took.

usage: python -m tests.bench.drive WHAT ROOT HOME REPORT    in a terminal
"""

import asyncio
import gc
import json
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from time import perf_counter
from typing import Any

from tests.bench.filtering import Filtered, Lines
from tests.bench.holding import Holding
from tests.bench.workspaces import MARKER, rule
from textual.app import App, ComposeResult
from textual.events import Key
from textual.widgets import Input, Label, Static

QUERIES = ("webhook loudly", "tide harbour 4", "retry never")
PATIENCE = 60.0
DECISIONS = 20


class Empty(App[None]):
    """What any Textual program costs."""

    def compose(self) -> ComposeResult:
        yield Static(MARKER, markup=False)


async def reached(is_so: Callable[[], bool]) -> None:
    """Give the app the processor until something is so."""
    end = perf_counter() + PATIENCE
    while not is_so():
        assert perf_counter() < end, "it was never so"
        await asyncio.sleep(0.0005)


async def refilled(pane: Any, rows: object) -> None:
    """Wait until a list shows other rows than these."""
    await reached(lambda: pane.rows is not rows)


async def renewed(app: Any, library: object) -> None:
    """Wait until a change stands and its files were read again."""
    await reached(lambda: app.session.library is not library)


async def read_card(app: App[Any]) -> None:
    """Wait as long as a person reads: until all that a card tells is there, and a while more."""
    await asyncio.sleep(0.5)
    await reached(lambda: all(each.is_finished or each.group == "watch" for each in app.workers))
    await asyncio.sleep(0.2)


async def drawn(app: App[Any]) -> None:
    """Wait until what is there now was drawn."""
    done = asyncio.Event()
    app.call_after_refresh(done.set)
    await done.wait()


async def press(app: App[Any], key: str, character: str | None = None) -> None:
    app.post_message(Key(key, character))
    await asyncio.sleep(0.05)
    await drawn(app)


async def browse(app: Any, entries: int) -> Any:
    """Go to Browse and return its list once it shows that many entries."""
    await press(app, "1", "1")
    await reached(lambda: len(app.screen.query(".pane-list")) == 1)
    await reached(lambda: len(app.screen.list_pane.rows) >= entries)
    await asyncio.sleep(0.5)
    return app.screen.list_pane


async def time_keys(app: Any) -> dict[str, list[float]]:
    """Type queries into the filter and time every key to its finished frame."""
    entries = app.session.library.sources[0].entries
    pane = await browse(app, len(entries))
    await asyncio.to_thread(app.session.load_counter)
    await asyncio.to_thread(lambda: [None for source in app.session.library.complete()])
    return await type_queries(app, pane)


async def time_bare_keys(app: Any) -> dict[str, list[float]]:
    """Do the same in a program that does nothing else."""
    pane = app.query_one(Lines)
    pane.rows = app.texts
    app.query_one(Input).focus()
    await asyncio.sleep(0.5)
    return await type_queries(app, pane)


async def type_queries(app: Any, pane: Any) -> dict[str, list[float]]:
    gc.collect()
    taken: list[float] = []
    counted: list[float] = []
    note = app.screen.query_one("#prompt-note", Label)
    for query in QUERIES:
        await press(app, "slash", "/") if app.screen.query("#tree") else None
        for letter in query:
            rows = pane.rows
            begin = perf_counter()
            app.post_message(Key("space" if letter == " " else letter, letter))
            if letter == " ":
                # A blank narrows nothing; its frame is the typed line alone.
                await asyncio.sleep(0.05)
                continue
            await refilled(pane, rows)
            await drawn(app)
            taken.append((perf_counter() - begin) * 1_000)
            await reached(lambda: "…" not in str(note.content))
            counted.append((perf_counter() - begin) * 1_000)
            await asyncio.sleep(0.05)
        if app.screen.query("#tree"):
            await press(app, "escape")
            await press(app, "escape")
        else:
            app.query_one(Input).value = ""
        await asyncio.sleep(0.2)
    return {"keys": taken, "counted": counted}


async def time_changes(app: Any) -> dict[str, list[float]]:
    """Change one entry on disk again and again, and time each change to its frame."""
    from watchfiles import awatch

    from remem.store.watch import DEBOUNCE_MS, STEP_MS

    store = app.session.root / ".sniper" / "memory" / "conventions.yaml"
    pane = await browse(app, len(app.session.library.sources[0].entries))
    data = store.read_bytes()
    bare = store.parent.parent / "bare"
    bare.mkdir()
    seen = asyncio.Event()

    async def watch_bare() -> None:
        async for _ in awatch(bare, step=STEP_MS, debounce=DEBOUNCE_MS):
            seen.set()

    watcher = asyncio.create_task(watch_bare())
    await asyncio.sleep(1)
    visible, noticed = [], []
    for number in range(20):
        rows = pane.rows
        text = data.replace(b"Case 1:", f"Case 1 ({number}):".encode(), 1)
        begin = perf_counter()
        store.write_bytes(text)
        await refilled(pane, rows)
        await drawn(app)
        visible.append((perf_counter() - begin) * 1_000)
        await asyncio.sleep(0.3)
        seen.clear()
        begin = perf_counter()
        (bare / "file").write_bytes(text)
        await seen.wait()
        noticed.append((perf_counter() - begin) * 1_000)
        await asyncio.sleep(0.3)
    watcher.cancel()
    store.write_bytes(data)
    return {"visible": visible, "noticed": noticed}


async def time_decisions(app: Any) -> dict[str, list[float]]:
    """Approve one item after another, and time each key until it stands and the next is drawn."""
    await press(app, "2", "2")
    await reached(lambda: len(app.screen.query("#queue")) == 1)
    queue = app.screen.query_one("#queue")
    await reached(lambda: len(queue.rows) > DECISIONS)
    await read_card(app)
    stands, drawn_next = [], []
    for _ in range(DECISIONS):
        rows, library = queue.rows, app.session.library
        begin = perf_counter()
        app.post_message(Key("a", "a"))
        await renewed(app, library)
        stands.append((perf_counter() - begin) * 1_000)
        await refilled(queue, rows)
        await drawn(app)
        drawn_next.append((perf_counter() - begin) * 1_000)
        await read_card(app)
    return {"stands": stands, "drawn": drawn_next}


async def weigh(app: Any) -> dict[str, float]:
    """Return the resident memory once everything is open and the tokenizer is loaded."""
    if isinstance(app, Empty | Holding):
        from remem.core.prompt.tokens import exact_counter
        from remem.store.io import Disk

        counter = await asyncio.to_thread(
            exact_counter, "o200k_base", Path(sys.argv[3]) / ".cache" / "remem", Disk()
        )
        assert counter.exact
        if isinstance(app, Holding):
            await asyncio.to_thread(app.hold, counter)
    else:
        await browse(app, len(app.session.library.sources[0].entries))
        await asyncio.to_thread(app.session.load_counter)
        await asyncio.to_thread(lambda: [None for source in app.session.library.complete()])
    await at_rest()
    gc.collect()
    return {"mebibytes": resident()}


async def at_rest() -> None:
    """Wait until no more memory is taken: on a busy machine threads are at work for long."""
    looks = [resident()]
    while len(looks) < 12 or max(looks[-12:]) - min(looks[-12:]) > 0.5:
        await asyncio.sleep(0.25)
        looks.append(resident())


def resident() -> float:
    """Return the mebibytes that this process has in memory."""
    status = Path("/proc/self/status").read_text()
    kibibytes = next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS"))
    return int(kibibytes) / 1024


WORK: dict[str, Callable[[Any], Awaitable[object]]] = {
    "keys": time_keys,
    "bare-keys": time_bare_keys,
    "changes": time_changes,
    "decisions": time_decisions,
    "weight": weigh,
    "bare-weight": weigh,
    "held-weight": weigh,
    "held-modules": weigh,
}


def make(what: str, root: Path, home: Path) -> App[None]:
    if what == "bare-keys":
        return Filtered([f"conv-{n:03d} {rule(n)}".lower() for n in range(1, 100_001)])
    if what.startswith("bare"):
        return Empty()
    if what.startswith("held"):
        return Holding(root, modules=what == "held-modules")
    from remem.tui.garbage_when_idle import give_back_memory

    give_back_memory()  # as the program does before it starts any thread
    from remem.core.session import Session
    from remem.core.settings import Places
    from remem.systems.registry import make_known
    from remem.tui.app import RememApp

    make_known()
    return RememApp(Session.open(root, Places.of(home), door="tui"))


def main() -> None:
    what, root, home, report = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), Path(sys.argv[4])
    if what == "bare":
        Empty().run()
        return
    app = make(what, root, home)
    failed: list[BaseException] = []

    async def work() -> None:
        try:
            report.write_text(json.dumps(await WORK[what](app)))
        except BaseException as error:
            failed.append(error)
            raise
        finally:
            app.exit()

    async def run() -> None:
        running = asyncio.create_task(app.run_async())
        await reached(lambda: app.is_running and bool(app.screen_stack))
        await asyncio.sleep(0.5)
        await asyncio.gather(running, work(), return_exceptions=True)

    asyncio.run(run())
    if failed:
        raise failed[0]


if __name__ == "__main__":
    main()
