from collections.abc import Iterator
from pathlib import Path

import pytest

import remem
from remem.model.citation import Citation
from remem.provider import VerifiedMemoryProvider
from remem.systems.facts.verdicts import NotHeld


@pytest.fixture
def provider(tmp_path: Path) -> Iterator[VerifiedMemoryProvider]:
    root = tmp_path / "dock"
    root.mkdir()
    (root / "berth.ts").write_text("first\nsecond\nthird\n")
    with VerifiedMemoryProvider(root, agent="pilot", session="run-1", home=tmp_path) as found:
        yield found


def test_the_package_exports_it_and_nothing_it_does_not_have() -> None:
    assert remem.VerifiedMemoryProvider is VerifiedMemoryProvider
    assert all(isinstance(getattr(remem, name), type) for name in remem.__all__)
    assert set(remem._WHERE) == set(remem.__all__)
    with pytest.raises(AttributeError, match="no attribute 'Anything'"):
        remem.Anything  # noqa: B018


def test_every_method_is_there_to_be_awaited_too() -> None:
    methods = {
        name
        for name, each in vars(VerifiedMemoryProvider).items()
        if callable(each) and not name.startswith("_")
    }
    waiting = {name for name in methods if f"a{name}" in methods}

    assert methods - waiting - {f"a{name}" for name in waiting} == {"close"}


def test_a_framework_looks_facts_up_follows_and_reads_them(
    provider: VerifiedMemoryProvider, tmp_path: Path
) -> None:
    first = provider.store("berths", "They are numbered", ["berth.ts:2"]).id
    provider.store("piers", "They are of wood", ["berth.ts:1"])
    (tmp_path / "dock" / "berth.ts").write_text("new\nfirst\nsecond\nthird\n")

    looked = provider.get(first)
    made = provider.reanchor()
    read = provider.read_citation("berth.ts:2-3")

    assert looked.verdict is remem.CitationStatus.MOVED
    assert set(made) >= {first}
    assert provider.get(made[first]).verdict is remem.CitationStatus.VALID
    assert [each.memory.fact for each in provider.search("numbered")] == ["They are numbered"]
    assert [each.memory.id for each in provider.history(first).chain] == [first, made[first]]
    assert read.content == "first\nsecond"
    with pytest.raises(remem.UnknownRef):
        provider.get("00000000-0000-4000-8000-000000000000")
    with pytest.raises(remem.BadCitation):
        provider.verify([("app.py")])


def test_a_prompt_for_a_task_fits_its_budget_with_what_fits_the_task_first(
    provider: VerifiedMemoryProvider,
) -> None:
    provider.store("whistles", "Two blasts before leaving", ["berth.ts:1"])
    for number in range(9):
        provider.store(f"s{number}", f"Fact {number} of the pier", ["berth.ts:2"])

    short = provider.for_prompt(budget_tokens=120, task="blow the whistle")
    none = provider.for_prompt(budget_tokens=5)

    assert short.count("### Memory") == 1
    assert "Two blasts" in short
    assert none == "No repository memories available.\n"


def test_a_framework_stores_gets_and_uses(provider: VerifiedMemoryProvider) -> None:
    stored = provider.store("berths", "They are numbered", ["berth.ts:1-2"], "Two ferries met")
    again = provider.store("berths", "They are numbered", [Citation("berth.ts", 1, 2)])
    (memory,) = provider.usable()

    used = provider.use(memory.id)

    assert (stored.status, again.status, memory.id) == ("created", "refreshed", stored.id)
    assert (memory.created_by, used.verification_count) == ("pilot", 1)
    assert provider.stats().active == 1
    assert [each.memory.id for each in provider.search_path("berth.ts")] == [stored.id]


def test_the_prompt_has_what_holds_and_nothing_else(
    provider: VerifiedMemoryProvider, tmp_path: Path
) -> None:
    empty = provider.for_prompt()
    made = provider.store("berths", "They are numbered", ["berth.ts:1"], "Two ferries met").id
    provider.store("piers", "They are not", [{"path": "berth.ts", "line_start": 3, "line_end": 3}])
    (tmp_path / "dock" / "berth.ts").write_text("first\nsecond\nchanged\n")

    assert empty == "No repository memories available.\n"
    assert provider.for_prompt() == (
        "## Repository Memories\n\n"
        "Check each memory against its cited lines before you rely on it.\n\n"
        "### Memory 1: berths\n"
        "**Fact:** They are numbered\n"
        "**Why:** Two ferries met\n"
        "**Citations:**\n"
        "  - `berth.ts` (lines 1-1)\n"
        f"**ID:** `{made}` (for refresh/invalidate)\n"
    )


def test_what_does_not_hold_cannot_be_used(
    provider: VerifiedMemoryProvider, tmp_path: Path
) -> None:
    made = provider.store("berths", "They are numbered", ["berth.ts:1"]).id
    (tmp_path / "dock" / "berth.ts").write_text("changed\nsecond\n")

    with pytest.raises(NotHeld):
        provider.use(made)

    better = provider.supersede(made, "They are lettered", ["berth.ts:2"])
    assert provider.invalidate(better, "neither").status == "invalid"
    assert provider.usable() == ()


async def test_all_of_it_can_be_awaited(provider: VerifiedMemoryProvider) -> None:
    async with provider as memory:
        made = (await memory.astore("berths", "They are numbered", ["berth.ts:1"])).id
        looked = await memory.arecent()
        found = await memory.asearch_path("berth.ts")
        (verdict,) = await memory.averify(["berth.ts:1"])
        (usable,) = await memory.ausable()
        used = await memory.ause(made)
        refreshed = await memory.arefresh(made)
        await memory.alog_applied(made)
        prompt = await memory.afor_prompt()
        better = await memory.asupersede(made, "They are lettered", ["berth.ts:2"])
        gone = await memory.ainvalidate(better)
        stats = await memory.astats()

    assert [each.memory.id for each in (*looked, *found)] == [made, made]
    assert verdict.is_valid
    assert usable.id == used.id == refreshed.id == made
    assert made in prompt
    assert (gone.status, stats.active, stats.superseded, stats.invalid) == ("invalid", 0, 1, 1)


def test_what_a_new_fact_may_conflict_with_is_named_and_stays(
    provider: VerifiedMemoryProvider,
) -> None:
    first = provider.store("berths", "Berths are numbered from the north", ["berth.ts:2"]).id

    stored = provider.store("berths", "Berths are never numbered from the north", ["berth.ts:1"])

    assert (stored.status, stored.conflicts) == ("created", (first,))
    assert provider.get(first).memory.fact == "Berths are numbered from the north"
