"""Whatever is done in whatever order, the store says what a plain list of memories would say."""

import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.memory_files import Keeping

from remem.base.errors import NotPossible
from remem.model.citation import Citation
from remem.systems.facts.database.lazy_rows import read_memories
from remem.systems.facts.records import NewMemory

FACTS = st.sampled_from(["one", "two", "thr\u00e9e", "it's", "a\nb", "💡", "%"])
PATHS = st.sampled_from(["a.py", "b c.py", "ü/%_.ts", "A.py"])
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["store", "refresh", "invalidate", "supersede"]),
        FACTS,
        st.lists(PATHS, min_size=1, max_size=3),
        st.integers(min_value=0, max_value=7),
    ),
    max_size=14,
)


@dataclass
class Plain:
    """What is kept, without a database."""

    rows: list[dict[str, object]] = field(default_factory=list)

    def active(self) -> list[dict[str, object]]:
        return [row for row in self.rows if row["status"] == "active"]

    def with_fact(self, fact: str) -> dict[str, object] | None:
        return next((row for row in self.active() if row["fact"] == fact), None)


@given(steps=STEPS)
@settings(max_examples=15)
def test_any_life_of_memories_is_kept_as_it_was_lived(
    steps: list[tuple[str, str, list[str], int]],
) -> None:
    plain = Plain()

    with tempfile.TemporaryDirectory() as folder:
        store = Keeping.open(Path(folder) / "memory.db")
        for verb, fact, paths, pick in steps:
            do(store, plain, verb, fact, tuple(Citation(each, 1, 1) for each in paths), pick)
        kept = {memory.id: memory for memory in store.all()}
        found = {path: ids(store.search_path("r/r", path)) for path in ("a.py", "b c.py", "A.py")}
        without = read_memories(Path(folder) / "memory.db")
        store.close()

    assert set(kept) == {row["id"] for row in plain.rows}
    assert {each.id for each in without} == set(kept)
    for row in plain.rows:
        memory = kept[str(row["id"])]
        assert (memory.fact, memory.status, memory.citations) == (
            row["fact"],
            row["status"],
            row["citations"],
        )
        assert memory.superseded_by == row["by"]
    for path, names in found.items():
        cited = {str(row["id"]) for row in plain.active() if path in paths_of(row)}
        assert names == cited
    for memory in kept.values():
        if memory.supersedes:
            assert kept[memory.supersedes].superseded_by == memory.id


def do(
    store: Keeping,
    plain: Plain,
    verb: str,
    fact: str,
    citations: tuple[Citation, ...],
    pick: int,
) -> None:
    """Do one step to both."""
    if verb == "store":
        done = store.store(NewMemory("r/r", "s", fact, citations))
        row = plain.with_fact(fact)
        assert done.status == ("created" if row is None else "refreshed")
        if row is None:
            plain.rows.append(made(done.id, fact, citations))
        else:
            row["citations"] = citations
        return
    if not plain.rows:
        return
    row = plain.rows[pick % len(plain.rows)]
    name, may = str(row["id"]), row["status"] == "active"
    if verb == "supersede":
        other = plain.with_fact(fact)
        may = may and (other is None or other is row)
    try:
        if verb == "refresh":
            store.refresh(name)
        elif verb == "invalidate":
            store.invalidate(name)
            row["status"] = "invalid"
        else:
            new = store.supersede(name, fact, citations)
            row |= {"status": "superseded", "by": new}
            plain.rows.append(made(new, fact, citations))
    except NotPossible:
        assert not may
    else:
        assert may


def made(name: str, fact: str, citations: tuple[Citation, ...]) -> dict[str, object]:
    return {"id": name, "fact": fact, "status": "active", "citations": citations, "by": ""}


def ids(memories: tuple[object, ...]) -> set[str]:
    return {str(memory.id) for memory in memories}  # type: ignore[attr-defined]


def paths_of(row: dict[str, object]) -> set[str]:
    citations = row["citations"]
    assert isinstance(citations, tuple)
    return {each.path for each in citations}
