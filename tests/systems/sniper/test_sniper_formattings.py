"""Whatever a store looks like, a verb changes what it is about and nothing else."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.sniper_files import CONVENTIONS, FORMATTINGS, carry_out, project, splices_on, take_back

from remem.base.errors import Already
from remem.core.library import Library
from remem.core.verbs.verbs import plan
from remem.model.change import Change, Intent, Json
from remem.model.entry import FileSpan, Status

EVERY = pytest.mark.parametrize(
    "data", [pytest.param(data, id=name) for name, data in FORMATTINGS.items()]
)


def decided(library: Library, verb: str, *names: str, **arguments: Json) -> Change:
    shown = {entry.ref: entry.digest for entry in map(library.resolve, names)}
    return plan(library, Intent(verb, shown, arguments))


def held(library: Library) -> dict[str, Mapping[str, Any]]:
    """Return the fields of every convention by id."""
    return {
        entry.ref.id: library.format_of(entry).reader.fields(library.source_of(entry), entry)
        for entry in library.of_kind("convention")
    }


def rest_of(library: Library, data: bytes, name: str) -> tuple[bytes, bytes]:
    """Return what stands before and after one entry."""
    at = library.resolve(name).at
    assert isinstance(at, FileSpan)
    return data[: at.start], data[at.end :]


@EVERY
def test_three_conventions_are_read_from_every_formatting(tmp_path: Path, data: bytes) -> None:
    library = project(tmp_path, {CONVENTIONS: data})

    entries = list(library.entries())

    assert [(entry.ref.id, entry.title, entry.status) for entry in entries] == [
        ("conv-001", "Every queue consumer is idempotent", Status.ACTIVE),
        ("conv-002", "Services log JSON", Status.CANDIDATE),
        ("conv-003", "Names are verbs", Status.ACTIVE),
    ]
    assert [entry.problems for entry in entries] == [(), (), ()]


@EVERY
def test_approving_changes_one_word(tmp_path: Path, data: bytes) -> None:
    library = project(tmp_path, {CONVENTIONS: data})

    change = decided(library, "approve", "conv-002")
    after = carry_out(library, change)

    path = library.ground.root / CONVENTIONS
    assert path.read_bytes() == data.replace(b"candidate", b"confirmed")
    assert after.resolve("conv-002").status is Status.ACTIVE
    assert take_back(change, path) == data


@EVERY
def test_editing_leaves_every_byte_around_the_entry(tmp_path: Path, data: bytes) -> None:
    library = project(tmp_path, {CONVENTIONS: data})
    before, behind = rest_of(library, data, "conv-002")
    fields: dict[str, Json] = {"rule": 'Log: "JSON" # only', "rationale": "grep"}

    change = decided(library, "edit", "conv-002", fields=fields)
    after = carry_out(library, change)

    path = library.ground.root / CONVENTIONS
    written = path.read_bytes()
    assert written.startswith(before)
    assert written.endswith(behind)
    assert held(after)["conv-002"] == {
        "id": "conv-002",
        "rule": 'Log: "JSON" # only',
        "applies_to": ["backend-engineer"],
        "status": "candidate",
        "rationale": "grep",
    }
    assert take_back(change, path) == data


@EVERY
def test_adding_keeps_every_byte_that_was_there(tmp_path: Path, data: bytes) -> None:
    library = project(tmp_path, {CONVENTIONS: data})
    held_before = held(library)

    change = decided(library, "add", kind="convention", text="Barrel files: none")
    after = carry_out(library, change)

    path = library.ground.root / CONVENTIONS
    assert [splice.old for splice in splices_on(change, path)] == [b""]
    assert held(after) == {**held_before, "conv-004": held(after)["conv-004"]}
    assert held(after)["conv-004"]["rule"] == "Barrel files: none"
    assert take_back(change, path) == data


@EVERY
@pytest.mark.parametrize("name", ["conv-001", "conv-002", "conv-003"])
def test_removing_keeps_the_others_and_every_comment(
    tmp_path: Path, data: bytes, name: str
) -> None:
    library = project(tmp_path, {CONVENTIONS: data})
    held_before = held(library)
    before, behind = rest_of(library, data, name)

    change = decided(library, "remove", name)
    after = carry_out(library, change)

    path = library.ground.root / CONVENTIONS
    assert held(after) == {key: value for key, value in held_before.items() if key != name}
    for line in (before + behind).splitlines():
        if line.strip().startswith(b"#"):
            assert line in path.read_bytes()
    assert take_back(change, path) == data


@EVERY
def test_removing_all_leaves_an_empty_list(tmp_path: Path, data: bytes) -> None:
    library = project(tmp_path, {CONVENTIONS: data})

    change = decided(library, "remove", "conv-003", "conv-001", "conv-002")
    after = carry_out(library, change)

    path = library.ground.root / CONVENTIONS
    assert held(after) == {}
    assert [problem.message for _, _, problem in after.problems()] == []
    assert take_back(change, path) == data


@EVERY
def test_several_decisions_in_one_change_are_taken_back_together(
    tmp_path: Path, data: bytes
) -> None:
    retro = (
        "sprint: 7\nfindings:\n  new_conventions:\n"
        '    - {rule: "Clocks are passed in", recommendation: codify}\n'
        '    - {rule: "Money is an integer", recommendation: codify}\n'
    )
    files: dict[str, str | bytes] = {
        CONVENTIONS: data,
        ".sniper/memory/retros/sprint-7-retro.yaml": retro,
    }
    library = project(tmp_path, files)
    found = "sniper:sprint-7-retro/new_conventions"

    change = decided(library, "approve", f"{found}/1", "conv-002", f"{found}/2")
    after = carry_out(library, change)

    path = library.ground.root / CONVENTIONS
    rules = {name: fields["rule"] for name, fields in held(after).items()}
    assert rules["conv-004"] == "Clocks are passed in"
    assert rules["conv-005"] == "Money is an integer"
    assert held(after)["conv-002"]["status"] == "confirmed"
    changed = b"".join(splice.old for splice in splices_on(change, path))
    assert changed.strip(b'"') == b"candidate"
    assert take_back(change, path) == data


TEXTS = st.text("ab:#-[]{}'\"\\,&*!|>%@` é界\u2028\n\t0", min_size=1, max_size=24).filter(
    lambda text: bool(text.strip())
)
VERBS = st.one_of(
    st.tuples(st.just("edit"), TEXTS),
    st.tuples(st.just("add"), TEXTS),
    st.tuples(st.just("remove"), st.just("")),
)


@settings(max_examples=40)
@given(
    data=st.sampled_from(list(FORMATTINGS.values())),
    steps=st.lists(VERBS, min_size=1, max_size=3),
    pick=st.integers(0, 5),
)
def test_any_series_of_verbs_writes_what_was_meant_and_can_be_taken_back(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, steps: list[tuple[str, str]], pick: int
) -> None:
    library = project(tmp_path_factory.mktemp("shop"), {CONVENTIONS: data})
    path = library.ground.root / CONVENTIONS

    for verb, text in steps:
        names = list(held(library))
        before, wanted = path.read_bytes(), {k: v.get("rule") for k, v in held(library).items()}
        name = names[pick % len(names)] if names else ""
        if verb != "add" and not names:
            continue
        if verb == "add":
            try:
                change = decided(library, "add", kind="convention", text=text, acknowledged=True)
            except Already:
                continue  # one of them says it
            (added,) = change.touched
            wanted[added.id] = text.strip()
        elif verb == "edit" and text != wanted[name]:
            change = decided(library, "edit", name, text=text, acknowledged=True)
            wanted[name] = text
        elif verb == "edit":
            continue
        else:
            change = decided(library, "remove", name)
            del wanted[name]
        library = carry_out(library, change)

        assert {key: value.get("rule") for key, value in held(library).items()} == wanted
        assert take_back(change, path) == before
