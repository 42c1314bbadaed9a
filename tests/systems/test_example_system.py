"""The example of a plug-in, on any bytes and by any edit: what every system of memory must pass."""

from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.example_system.example_system import register
from tests.hostile.corpus import MARKDOWN, YAML
from tests.plugin_files import TRAIL

from remem.base.errors import RememError
from remem.core.library import Library, open_library
from remem.core.plugins.guard import Guarded
from remem.core.system import Ground
from remem.model.change import Effect, Json, Splice
from remem.model.entry import Status
from remem.model.prompt import Ask
from remem.store.io import Disk
from remem.views.start import beside

HEADS = ("== signpost s1 [open]", "== pitfall p1 [proposed] qa, dev", "== signpost s1 [closed]")
LINES = st.one_of(
    st.sampled_from([*HEADS, "== ", "== road r [open]", "? why", "", " ", "é ✓", "\x0c", "\x85"]),
    st.text(max_size=12),
)
FILES = st.builds(
    lambda lines, end: end.join(lines).encode("utf-8", "surrogatepass"),
    st.lists(LINES, max_size=12),
    st.sampled_from(["\n", "\r\n", "\r"]),
)
FIELDS: st.SearchStrategy[dict[str, Json]] = st.dictionaries(
    st.sampled_from(["text", "why", "state", "roles", "id", "colour"]),
    st.one_of(st.none(), st.text(max_size=12), st.lists(st.text(max_size=5), max_size=2)),
    min_size=1,
    max_size=2,
)


def opened(root: Path, data: bytes) -> tuple[Guarded, Library]:
    folder = root / ".trail"
    folder.mkdir(exist_ok=True)
    (folder / "main.trail").write_bytes(data)
    system = Guarded(register())
    ground = Ground(root, root / "home", Disk(), "shop")
    return system, open_library(ground, (system,))


def look(system: Guarded, library: Library) -> None:
    for source in library.sources:
        for entry in source.entries:
            assert system.body(source, entry).encode() or not source.data
            assert system.fields(source, entry)["text"] == entry.title
    system.offers(library.ground, library.sources, Ask(role="qa"))
    system.role_names(library.ground, library.sources)
    assert system.fault is None


def spliced(data: bytes, effects: tuple[Effect, ...]) -> bytes:
    for each in effects:
        assert isinstance(each, Splice)
        data = data[: each.start] + each.new + data[each.end :]
    return data


@given(FILES)
def test_no_bytes_switch_it_off(data: bytes) -> None:
    with TemporaryDirectory() as folder:
        look(*opened(Path(folder), data))


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(data, id=name, marks=[pytest.mark.slow] if len(data) > 10**6 else [])
        for name, data in (*YAML.items(), *MARKDOWN.items())
    ],
)
def test_no_hostile_file_switches_it_off(data: bytes, tmp_path: Path) -> None:
    for before in (b"", TRAIL.encode(), b"== signpost s1 [open] "):
        look(*opened(tmp_path, before + data))


@given(FILES, FIELDS, st.sampled_from(Status))
def test_every_plan_is_proved_or_refused_and_touches_one_entry(
    data: bytes, fields: dict[str, Json], status: Status
) -> None:
    with TemporaryDirectory() as folder:
        system, library = opened(Path(folder), data)
        for source in library.sources:
            for entry in source.entries:
                others = [each.digest for each in source.entries if each is not entry]
                plans = (
                    partial(system.edit, source, entry, fields),
                    partial(system.set_status, source, entry, status),
                    partial(system.remove, source, entry),
                )
                for plan in plans:
                    with suppress(RememError):
                        _, after = opened(Path(folder), spliced(data, plan()))
                        left = [e.digest for each in after.sources for e in each.entries]
                        for digest in others:
                            left.remove(digest)
                        assert len(left) <= 1
        assert system.fault is None


@given(FILES, st.sampled_from(["signpost", "pitfall"]), FIELDS)
def test_what_is_added_is_one_entry(data: bytes, kind: str, fields: dict[str, Json]) -> None:
    with TemporaryDirectory() as folder:
        system, library = opened(Path(folder), data)
        before = [each.digest for each in library.entries()]
        with suppress(RememError):
            addition = system.add(library.ground, library.sources, kind, {"text": "New", **fields})
            _, after = opened(Path(folder), spliced(data, addition.effects))
            assert [e.digest for e in after.entries() if e.ref != addition.ref] == before
            assert after.has(addition.ref)
        assert system.fault is None


def test_start_says_what_it_has_beside_the_agents(tmp_path: Path) -> None:
    _, library = opened(tmp_path, TRAIL.encode())

    assert beside(library) == " · 1 marks in force"


def test_one_that_cannot_say_it_is_switched_off_and_start_goes_on(tmp_path: Path) -> None:
    _, library = opened(tmp_path, TRAIL.encode())

    def fails(library: Library) -> str:
        raise KeyError("marks")

    broken = Guarded(replace(register(), beside=fails))

    assert beside(open_library(library.ground, (broken,))) == ""
    assert broken.fault is not None
