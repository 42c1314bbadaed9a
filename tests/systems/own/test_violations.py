"""What the gate finds becomes evidence by a person's decision, and once only."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.gate_files import (
    CONVENTIONS,
    GATE,
    PRINTS,
    RULES,
    bench_at,
    decide,
    record,
    shop_at,
    tree,
)
from tests.workspace_files import SHARED, workspace

from remem.base.errors import ChangedOnDisk, NotPossible, Refused, Unacknowledged
from remem.core.session import Session
from remem.core.verbs.verbs import APPROVE
from remem.edit.lines import spliced
from remem.model.change import Intent, Splice
from remem.model.detect import mark_of
from remem.model.entry import Status
from remem.systems.own.read_baseline import known_places
from remem.systems.own.violations import DECIDES
from remem.systems.sniper.pack_plan import export


def entry_of(root: Path, name: str) -> dict[str, object]:
    stored = yaml.safe_load((root / CONVENTIONS).read_text())["conventions"]
    found: dict[str, object] = next(each for each in stored if each["id"] == name)
    return found


def test_a_violation_waits_with_its_places_and_writes_nothing_into_memory(tmp_path: Path) -> None:
    bench = shop_at(tmp_path)

    record(bench, {"sniper:conv-001": PRINTS}, "--staged")
    (item,) = [each for each in bench.queue() if each.kind == "violation"]

    assert item.why == "the gate found `sniper:conv-001` violated in 2 places"
    assert item.evidence == (
        'src/a.py:2 print("a")',
        "src/a.py:9 print(b)",
        "found on 2026-05-04 with `remem check --staged`",
        DECIDES,
    )
    assert (item.suggested, item.verbs) == ("approve", ("approve", "reject"))
    assert (bench.root / CONVENTIONS).read_text() == RULES


def test_a_violation_of_an_anti_pattern_is_no_conflict_with_it(tmp_path: Path) -> None:
    anti_patterns = (
        "anti_patterns:\n  - {id: ap-001, description: Catching errors silently without logging, "
        "detect: {forbid: silent}}\n"
    )
    files = {CONVENTIONS: RULES, ".sniper/memory/anti-patterns.yaml": anti_patterns}
    bench = bench_at(tmp_path / "shop", files)

    record(bench, {"sniper:ap-001": PRINTS})
    (item,) = [each for each in bench.queue() if each.kind == "violation"]

    assert item.why == "the gate found `sniper:ap-001` violated in 2 places"
    assert (item.suggested, bench.opposed(item)) == ("approve", ())


def test_approving_adds_one_occurrence_and_leaves_every_other_byte(tmp_path: Path) -> None:
    bench = shop_at(tmp_path)
    record(bench, {"sniper:conv-001": PRINTS}, "--diff main..HEAD")

    decide(bench, "approve")

    marks = [mark_of(path, text) for path, _, text in PRINTS]
    added = (
        "    seen:\n"
        '      - ref: "check --diff main..HEAD"\n'
        '        date: "2026-05-04"\n'
        f'        places: ["src/a.py:2#{marks[0]}", "src/a.py:9#{marks[1]}"]\n'
    )
    before, after = RULES.split("\n\n", 1)
    assert (bench.root / CONVENTIONS).read_text() == f"{before}\n{added}\n{after}"
    assert yaml.safe_load((bench.root / GATE).read_text()) == {"findings": []}
    assert bench.library.resolve("conv-001").status is Status.ACTIVE


def test_the_same_place_is_never_counted_twice_even_in_another_checkout(tmp_path: Path) -> None:
    bench = shop_at(tmp_path)
    record(bench, {"sniper:conv-001": PRINTS})
    assert not record(bench, {"sniper:conv-001": PRINTS})  # it waits already
    decide(bench, "approve")

    # The line moved and was indented; elsewhere only what git carries is there.
    moved = [("src/a.py", 40, '    print("a")')]
    assert not record(bench, {"sniper:conv-001": moved})
    clone = shop_at(tmp_path / "clone", (bench.root / CONVENTIONS).read_text())

    assert not record(clone, {"sniper:conv-001": PRINTS})
    assert record(clone, {"sniper:conv-001": [("src/b.py", 2, 'print("a")')]})


def test_criterion_7_what_was_imported_is_confirmed_by_what_the_gate_found(tmp_path: Path) -> None:
    bench = shop_at(tmp_path)
    record(bench, {"sniper:conv-002": [("src/a.py", 3, "twice()")]})
    (item,) = bench.queue()

    assert item.why == "the gate found this candidate violated in 1 place"
    assert item.suggested == "approve"
    assert "src/a.py:3 twice()" in item.evidence
    bench.apply(Intent("approve", {item.ref: item.digest}))

    after = entry_of(bench.root, "conv-002")
    assert after["status"] == "confirmed"
    assert after["source"] == {"type": "imported", "ref": "pack.yaml", "date": "2026-01-01"}
    assert after["seen"] == [
        {
            "ref": "check",
            "date": "2026-05-04",
            "places": [f"src/a.py:3#{mark_of('src/a.py', 'twice()')}"],
        }
    ]
    assert bench.queue() == ()


def test_criterion_6_a_pack_says_nothing_of_where_the_gate_found_it(tmp_path: Path) -> None:
    bench = shop_at(tmp_path)
    record(bench, {"sniper:conv-001": PRINTS})
    decide(bench, "approve")

    pack = export(bench.library).data.decode()

    assert "No printing" in pack
    assert "src/a.py" not in pack


def test_rejecting_says_no_to_each_place_for_good(tmp_path: Path) -> None:
    bench = shop_at(tmp_path)
    record(bench, {"sniper:conv-001": PRINTS})

    decide(bench, "reject", reason="a script may print")

    (kept,) = yaml.safe_load((bench.root / ".remem/baseline.yaml").read_text())["baseline"]
    assert (kept["rule"], kept["reason"]) == ("sniper:conv-001", "a script may print")
    assert kept["places"] == sorted(f"src/a.py#{mark_of(path, text)}" for path, _, text in PRINTS)
    assert known_places(bench.library) == {
        "sniper:conv-001": {mark_of(path, text): 0 for path, _, text in PRINTS}
    }
    assert not record(bench, {"sniper:conv-001": PRINTS})
    assert (bench.root / CONVENTIONS).read_text() == RULES


def test_both_kinds_are_decided_in_one_change_that_undo_takes_back(tmp_path: Path) -> None:
    bench = shop_at(tmp_path)
    record(bench, {"sniper:conv-001": PRINTS, "sniper:conv-002": [("b.py", 1, "twice")]})
    bench.undo()
    bench.redo()
    before = tree(bench.root)

    decide(bench, "approve")
    bench.undo()

    assert tree(bench.root) == before


def test_more_than_fit_wait_for_the_next_time(tmp_path: Path) -> None:
    bench = shop_at(tmp_path)
    many = [("src/a.py", n, f"print({n})") for n in range(1, 81)]

    record(bench, {"sniper:conv-001": many})
    (item,) = [each for each in bench.queue() if each.kind == "violation"]
    decide(bench, "approve")
    again = record(bench, {"sniper:conv-001": many})

    assert "violated in 50 places" in item.why
    assert "and 45 more places" in item.evidence
    assert again
    (item,) = [each for each in bench.queue() if each.kind == "violation"]
    assert "violated in 30 places" in item.why


def test_new_places_join_those_that_wait_and_what_was_shown_before_conflicts(
    tmp_path: Path,
) -> None:
    bench = shop_at(tmp_path)
    record(bench, {"sniper:conv-001": PRINTS[:1]})
    (before,) = [each for each in bench.queue() if each.kind == "violation"]

    record(bench, {"sniper:conv-001": PRINTS})
    (after,) = [each for each in bench.queue() if each.kind == "violation"]

    assert "2 places" in after.why
    with pytest.raises(ChangedOnDisk):
        bench.apply(Intent("approve", {before.ref: before.digest}))


def reword(bench: Session, old: str, new: str) -> None:
    store = bench.root / CONVENTIONS
    store.write_text(store.read_text().replace(old, new))
    bench.refresh()


def test_what_broke_a_rule_of_other_words_is_no_evidence_until_the_gate_looked_again(
    tmp_path: Path,
) -> None:
    bench = shop_at(tmp_path)
    record(bench, {"sniper:conv-001": PRINTS})
    reword(bench, "No printing in the service", "Services write logs")
    before = tree(bench.root)

    (item,) = [each for each in bench.queue() if each.kind == "violation"]

    assert "the rule changed since" in item.why
    assert (item.suggested, item.verbs) == ("", ("reject",))
    assert "the rule changed since" in (APPROVE.why_not(bench.library, item) or "")
    with pytest.raises(NotPossible, match="the rule changed since"):
        bench.apply(Intent("approve", {item.ref: item.digest}))
    assert tree(bench.root) == before
    record(bench, {"sniper:conv-001": PRINTS[1:]})
    (item,) = [each for each in bench.queue() if each.kind == "violation"]
    assert (item.suggested, item.evidence[0]) == ("approve", "src/a.py:9 print(b)")


def test_a_candidate_of_other_words_is_approved_without_what_broke_its_old_ones(
    tmp_path: Path,
) -> None:
    bench = shop_at(tmp_path)
    record(bench, {"sniper:conv-002": [("src/a.py", 3, "twice()")]})
    title = bench.library.resolve("conv-002").title
    reword(bench, title, "Another thing altogether")

    (item,) = bench.queue()
    bench.apply(Intent("approve", {item.ref: item.digest}))
    (left,) = bench.queue()

    assert item.why == "unconfirmed candidate"
    assert "the rule changed since" in item.evidence[-1]
    assert "seen" not in entry_of(bench.root, "conv-002")
    assert (left.kind, left.verbs) == ("violation", ("reject",))


def test_what_is_left_of_a_rule_that_went_does_not_wait_and_is_cleared_away(tmp_path: Path) -> None:
    bench = shop_at(tmp_path)
    record(bench, {"sniper:conv-001": PRINTS, "sniper:conv-002": [("b.py", 1, "twice")]})
    bench.apply(bench.intend("remove", [bench.library.resolve("conv-001")]))

    assert [each.ref.id for each in bench.queue()] == ["conv-002"]
    record(bench, {})

    left = yaml.safe_load((bench.root / GATE).read_text())["findings"]
    assert [each["rule"] for each in left] == ["sniper:conv-002"]


def test_a_line_with_a_secret_is_not_copied(tmp_path: Path) -> None:
    bench = shop_at(tmp_path)
    secret = "AKIA" + "Q7RZ" * 4

    record(bench, {"sniper:conv-001": [("src/a.py", 4, f'print("{secret}")')]})

    assert secret not in (bench.root / GATE).read_text()
    assert not record(bench, {"sniper:conv-001": [("src/a.py", 4, f'print("{secret}")')]})


def test_a_path_that_hides_something_is_looked_at_first(tmp_path: Path) -> None:
    bench = shop_at(tmp_path)
    record(bench, {"sniper:conv-001": [("src/a\u200b.py", 4, "print(1)")]})

    with pytest.raises(Unacknowledged):
        decide(bench, "approve")
    decide(bench, "approve", acknowledged=True)

    assert "seen" in entry_of(bench.root, "conv-001")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("findings: [", id="no-yaml"),
        pytest.param("findings: 7", id="no-list"),
    ],
)
def test_a_file_that_does_not_parse_is_told_and_never_written(tmp_path: Path, text: str) -> None:
    bench = bench_at(tmp_path / "shop", {CONVENTIONS: RULES, GATE: text})

    with pytest.raises(Refused) as refused:
        record(bench, {"sniper:conv-001": PRINTS})

    assert "remove the file" in refused.value.hint
    assert (bench.root / GATE).read_text() == text
    assert [each.ref.id for each in bench.queue()] == ["conv-002"]
    assert any(source.name == "gate" for source, _, _ in bench.library.problems())


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("findings:\n  - rule: [a]\n    places: 3\n", id="odd-values"),
        pytest.param("findings:\n  - {rule: 'sniper:conv-001', text: x}\n", id="no-places"),
        pytest.param("findings:\n  - {places: [{path: a}]}\n  - {}\n", id="no-rules"),
        pytest.param("\ufefffindings: []\n", id="bom"),
    ],
)
def test_damaged_findings_wait_for_nobody_and_new_ones_do(tmp_path: Path, text: str) -> None:
    bench = bench_at(tmp_path / "shop", {CONVENTIONS: RULES, GATE: text})
    before = [each.ref.id for each in bench.queue()]

    record(bench, {"sniper:conv-001": PRINTS})

    assert before == ["conv-002"]
    assert [each.kind for each in bench.queue()] == ["convention", "violation"]


NAMES = st.sampled_from(["src/a.py", "src/ä b.py", "it's: odd#1.ts", "x"])
LINES = st.sampled_from(["print(1)", "  print(2)", "# print", "a: - 'b' \"c\"", ""])
PLACES = st.lists(st.tuples(NAMES, st.integers(1, 9_999), LINES), max_size=6)
RUNS = st.lists(st.tuples(st.sampled_from(["conv-001", "conv-002"]), PLACES), max_size=4)


@settings(max_examples=5)
@given(runs=RUNS)
def test_however_often_it_is_looked_each_place_is_counted_once(
    tmp_path_factory: pytest.TempPathFactory, runs: list[tuple[str, list[tuple[str, int, str]]]]
) -> None:
    bench = shop_at(tmp_path_factory.mktemp("run"))

    for name, places in (*runs, *runs):
        record(bench, {f"sniper:{name}": places})
        while any("the gate found" in each.why for each in bench.queue()):
            decide(bench, "approve")

    for name in ("conv-001", "conv-002"):
        seen = entry_of(bench.root, name).get("seen", [])
        assert isinstance(seen, list)
        marks = [place.rpartition("#")[2] for one in seen for place in one["places"]]
        told = {mark_of(p, text) for rule, found in runs if rule == name for p, _, text in found}
        assert sorted(marks) == sorted(told)


def test_a_decision_plans_splices_that_only_add(tmp_path: Path) -> None:
    bench = shop_at(tmp_path)
    record(bench, {"sniper:conv-001": PRINTS})
    (item,) = [each for each in bench.queue() if each.kind == "violation"]

    change = bench.plan(Intent("approve", {item.ref: item.digest}))

    store = bench.root / CONVENTIONS
    splices = [e for e in change.effects if isinstance(e, Splice) and e.path == store]
    assert all(each.only_adds for each in splices)
    assert len(spliced(store.read_bytes(), splices)) > len(RULES)


def test_what_breaks_a_rule_of_the_workspace_is_counted_there(tmp_path: Path) -> None:
    root = workspace(tmp_path, ["Services log JSON"], {"api": ["Only here"], "web": []})
    before = tree(root)
    bench = bench_at(root / "repositories/api", home=tmp_path / "home")
    rule = bench.library.short(bench.library.resolve("workspace:conv-001").ref)

    record(bench, {rule: [("src/a.py", 3, "log(x)")], "sniper:conv-001": PRINTS})
    waiting = [each.why for each in bench.queue()]
    decide(bench, "approve")
    after = (root / SHARED).read_text()
    bench.undo()
    bench.undo()

    assert waiting == [
        "the gate found `workspace:conv-001` violated in 1 place",
        "the gate found `sniper:conv-001` violated in 2 places",
    ]
    assert f"api/src/a.py:3#{mark_of('api/src/a.py', 'log(x)')}" in after
    assert tree(root) == before
