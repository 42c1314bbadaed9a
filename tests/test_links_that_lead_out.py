"""No link leads a write out of the root or the home folder that it was meant for."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

import pytest
from tests.failing_disk import HARMLESS, LOOKS, CountingDisk
from tests.hostile.crashing import (
    APPROVE,
    ARCHIVE,
    CASES,
    MEMORY,
    RENAME,
    Act,
    Case,
    Harbour,
    approve_finding,
    undo,
)
from tests.persona_files import write

from remem.base.errors import RememError
from remem.core.session import Session
from remem.model.change import Intent
from remem.store.write_bounds import Bounds, LedOut

HOME_MEMORY: Final = ".night-watch/agents/Hill/memories/acme/main.md"


@pytest.fixture
def harbour(tmp_path: Path) -> Iterator[Harbour]:
    harbour = Harbour(tmp_path).build()
    write(harbour.home, {HOME_MEMORY: "# Hill\n\n- Ask for a test\n"})
    yield harbour
    harbour.close()


@pytest.fixture
def other(harbour: Harbour) -> Path:
    """Another project beside the root."""
    other = harbour.base / "other"
    other.mkdir()
    return other


def edit_at_home(bench: Session) -> object:
    (entry,) = (each for each in bench.library.entries() if "Ask for a test" in each.title)
    return bench.apply(bench.intend("edit", [entry], text="Ask for two tests"))


def lead(folder: Path, to: Path) -> None:
    """Let a folder lie elsewhere and be a link where it was."""
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.move(folder, to)
    folder.symlink_to(os.path.relpath(to, folder.parent))


def below(folder: Path) -> Mapping[str, bytes | None]:
    """Return every file and folder below one, links not followed."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
    }


@pytest.mark.parametrize("act", [APPROVE, approve_finding], ids=["candidate", "finding"])
def test_nothing_is_written_through_a_link_that_leads_out_of_the_root(
    harbour: Harbour, other: Path, act: Act
) -> None:
    lead(harbour.root / MEMORY, other / MEMORY)
    before, within = below(other), below(harbour.root)

    with pytest.raises(LedOut) as led:
        act(harbour.bench())

    assert led.value.link == harbour.root / MEMORY
    assert f"leads to `{other / MEMORY}`, out of `{harbour.root}`" in str(led.value)
    assert led.value.hint
    assert below(other) == before
    assert below(harbour.root) == within


@pytest.mark.parametrize("linked", [".sniper", ".squad", ".squad/agents"])
@pytest.mark.parametrize("act", [APPROVE, RENAME, ARCHIVE], ids=["approve", "rename", "archive"])
def test_what_a_link_leads_out_to_stays_as_it_is_also_where_it_is_not_even_read(
    harbour: Harbour, other: Path, linked: str, act: Act
) -> None:
    lead(harbour.root / linked, other / linked)
    before = below(other)

    with suppress(RememError):
        act(harbour.bench())

    assert below(other) == before


def test_a_linked_folder_of_remem_itself_is_refused_as_what_it_is(
    harbour: Harbour, other: Path
) -> None:
    (other / ".remem").mkdir()
    (harbour.root / ".remem").symlink_to(other / ".remem")
    bench = harbour.bench()
    intent = Intent("reject", {item.ref: item.digest for item in bench.queue()}, {"reason": "no"})

    with pytest.raises(LedOut, match=r"`.*/\.remem` is a link that leads to"):
        bench.apply(intent)

    assert below(other) == {".remem": None}


def test_what_a_link_leads_out_to_is_read_and_named_in_health(
    harbour: Harbour, other: Path
) -> None:
    lead(harbour.root / MEMORY, other / MEMORY)
    lead(harbour.root / ".squad", other / ".squad")

    bench = harbour.bench()
    problem, squad = (each for each in bench.limits() if each.code == "leads-out")

    assert bench.library.resolve("conv-002").title
    assert problem.path == harbour.root / MEMORY
    assert squad.path == harbour.root / ".squad"
    assert f"leads to `{other / MEMORY}`, out of `{harbour.root}`" in problem.message


def test_a_plan_that_a_link_leads_out_is_refused_before_it_is_shown(
    harbour: Harbour, other: Path
) -> None:
    lead(harbour.root / MEMORY, other / MEMORY)
    bench = harbour.bench()

    with pytest.raises(LedOut):
        bench.plan(bench.intend("approve", [bench.library.resolve("conv-002")]))


def test_a_link_inside_the_root_is_written_through_and_shown_with_where_it_leads(
    harbour: Harbour,
) -> None:
    lead(harbour.root / MEMORY, harbour.root / "kept" / "memory")
    bench = harbour.bench()
    change = bench.plan(bench.intend("approve", [bench.library.resolve("conv-002")]))

    (preview, *_) = bench.preview(change)
    APPROVE(bench)

    real = harbour.root / "kept" / "memory" / "conventions.yaml"
    assert preview.lies_at == real
    assert f"edits, at `{real}`" in preview.does
    assert b"status: candidate" not in real.read_bytes()
    assert not [each for each in bench.limits() if each.code == "leads-out"]
    bench.undo()
    assert b"status: candidate" in real.read_bytes()


def test_a_linked_repository_of_one_root_is_not_written_from_another(
    harbour: Harbour, other: Path
) -> None:
    bounds = Bounds((harbour.root, harbour.root / "api"), (harbour.home,))
    (harbour.root / "web").mkdir()
    (harbour.root / "api").mkdir()
    (harbour.root / "api" / "memory").symlink_to(harbour.root / "web")

    with pytest.raises(LedOut):
        bounds.check([harbour.root / "api" / "memory" / "store.yaml"])


def test_folders_of_the_home_may_lie_elsewhere_in_it(harbour: Harbour) -> None:
    lead(harbour.home / ".night-watch", harbour.home / "dotfiles" / "night-watch")

    edit_at_home(harbour.bench())

    memory = harbour.home / "dotfiles" / HOME_MEMORY.removeprefix(".")
    assert memory.read_bytes().endswith(b"- Ask for two tests\n")


def test_a_folder_of_the_home_that_lies_outside_of_it_is_read_and_not_written(
    harbour: Harbour, other: Path
) -> None:
    lead(harbour.home / ".night-watch", other / "night-watch")
    before = below(other)
    bench = harbour.bench()

    for act in (RENAME, edit_at_home):
        with pytest.raises(LedOut, match="night-watch` is a link"):
            act(bench)

    assert below(other) == before
    assert [s for s in bench.library.sources if s.path.is_relative_to(harbour.home)]
    assert [each for each in bench.limits() if each.code == "leads-out"]


def test_a_root_and_a_home_that_are_reached_through_links_are_worked_on_as_ever(
    tmp_path: Path,
) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "way").symlink_to(tmp_path / "real")
    harbour = Harbour(tmp_path / "way").build()

    harbour.do(APPROVE)
    harbour.do(RENAME)
    harbour.do(undo)
    harbour.do(undo)

    assert b"status: candidate" in (harbour.root / MEMORY / "conventions.yaml").read_bytes()


class Swapping(CountingDisk):
    """Lets a folder go for a link to another one just before, or in, the N-th call."""

    def __init__(self, at: int, folder: Path, to: Path) -> None:
        super().__init__()
        self.at = at
        self.folder = folder
        self.to = to

    def perform(self, name, call, /, *args, **kwargs):  # type: ignore[no-untyped-def]
        if name not in LOOKS and len(self.calls) + 1 == self.at:
            self.folder.rename(self.folder.with_name("away"))
            self.folder.symlink_to(self.to)
        return super().perform(name, call, *args, **kwargs)


def swapped_at_every(harbour: Harbour, case: Case, linked: str, step: int) -> Iterator[str]:
    """Yield at which calls a link that came meanwhile was written through."""
    harbour.put_back()
    counting = CountingDisk()
    case.act(harbour.bench(counting))
    harbour.close()
    effects = [n for n, name in enumerate(counting.calls, 1) if name not in HARMLESS]
    for at in effects[::step]:
        harbour.put_back()
        other = harbour.base / "other"
        shutil.rmtree(other, ignore_errors=True)
        shutil.copytree(harbour.root / linked, other)
        before = below(other)
        bench = harbour.bench()
        bench.committer  # noqa: B018
        harbour.close()
        disk = Swapping(at, harbour.root / linked, other)
        with suppress(RememError):
            case.act(harbour.bench(disk))
        harbour.close()
        if not disk.folder.is_symlink():
            continue
        harbour.bench().begin()
        harbour.close()
        if below(other) != before:
            yield f"{case.name}, {linked}, call {at} ({disk.calls[at - 1]})"


SWAPPED: Final = {
    "approve a candidate": MEMORY,
    "approve a finding": MEMORY,
    "rename a persona": ".squad/agents",
    "archive a persona": ".squad",
    "undo an approval": MEMORY,
}


@pytest.mark.parametrize("name", SWAPPED)
def test_a_link_that_takes_the_place_of_a_folder_meanwhile_is_not_written_through(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.fsync", lambda _: None)
    case = next(case for case in CASES if case.name == name)

    assert [*swapped_at_every(case.at(tmp_path), case, SWAPPED[name], 5)] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", SWAPPED)
def test_a_link_that_comes_at_any_moment_is_not_written_through(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.fsync", lambda _: None)
    case = next(case for case in CASES if case.name == name)

    assert [*swapped_at_every(case.at(tmp_path), case, SWAPPED[name], 1)] == []
