"""What repositories share goes to their workspace by a person's verb, and comes back whole."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.gate_files import bench_at, tree
from tests.promoting import RULE, Rules, acme, inside, lift, stored
from tests.sniper_files import CONVENTIONS
from tests.workspace_files import SHARED, files

from remem.base.errors import (
    ChangedOnDisk,
    Conflict,
    NotPossible,
    Refused,
    RememError,
    Unacknowledged,
)
from remem.core.repositories import within
from remem.core.session import Session
from remem.model.change import Intent
from remem.model.entry import Entry
from remem.model.prompt import Ask


def in_force(bench: Session, text: str, **ask: str) -> int:
    return bench.compose(Ask(**ask)).text.count(text)  # type: ignore[arg-type]


def test_a_promoted_entry_stands_above_with_the_next_id_there_and_leaves_its_file(
    tmp_path: Path,
) -> None:
    mine = {"rule": RULE, "rationale": "Two double charges", "applies_to": ["backend-engineer"]}
    bench = acme(tmp_path, ["Services log JSON"], api=[mine, "Only here"])

    done = bench.apply(lift(bench, "sniper@api:conv-001"))

    above = stored(bench.root)[-1]
    assert (above["id"], above["rule"], above["scope"]) == ("conv-002", RULE, "workspace")
    assert above["rationale"] == "Two double charges"
    assert [each["rule"] for each in stored(bench.root, "api")] == ["Only here"]
    assert done.change.title == "Promote sniper:conv-001 to the workspace"
    assert done.change.receipt == (
        "1 entry added to the workspace · 1 removed below: sniper:conv-001"
    )


def test_its_source_and_where_it_was_met_go_with_it(tmp_path: Path) -> None:
    bench = acme(tmp_path, api=["x"])
    text = (
        "conventions:\n  - id: conv-009\n    rule: Tests name claims\n"
        '    source: {type: retro, ref: sprint-6-retro, date: "2026-04-20"}\n'
        "    seen: [{ref: sprint-7-retro}]\n    owner: Mara\n"
        "    detect: {forbid: 'test_[0-9]'}\n"
    )
    files(bench.root / "repositories/api", {CONVENTIONS: text})
    bench.refresh()

    bench.apply(lift(bench, "sniper@api:conv-009"))

    above = stored(bench.root)[-1]
    assert above["source"] == {"type": "retro", "ref": "sprint-6-retro", "date": "2026-04-20"}
    assert (above["seen"], above["owner"]) == ([{"ref": "sprint-7-retro"}], "Mara")
    assert above["detect"] == {"forbid": "test_[0-9]"}


def test_keeping_it_below_leaves_the_repository_as_it_was(tmp_path: Path) -> None:
    bench = acme(tmp_path, api=[RULE], web=["Other"])
    before = tree(bench.root / "repositories")

    bench.apply(lift(bench, "sniper@api:conv-001", keep=True))

    assert tree(bench.root / "repositories") == before
    assert in_force(bench, RULE, role="qa", repository="api") == 1
    assert in_force(bench, RULE, role="qa", repository="web") == 1


@pytest.mark.parametrize("keep", [True, False])
def test_what_was_lifted_is_not_taken_for_reverted(tmp_path: Path, keep: bool) -> None:
    bench = acme(tmp_path, api=[RULE], web=["Other"])

    bench.apply(lift(bench, "sniper@api:conv-001", keep=keep))
    bench.look(writing=True)

    assert bench.library.aside.reverted == ()
    assert [each["rule"] for each in stored(bench.root)] == [RULE]


def test_every_repository_inherits_it_once_and_says_what_that_costs(tmp_path: Path) -> None:
    roles = {"applies_to": ["qa"]}
    bench = acme(
        tmp_path, api=[{"rule": RULE, **roles}], web=[{"rule": "Other", **roles}], lib=["Third"]
    )
    change = bench.plan(lift(bench, "sniper@api:conv-001"))

    reach = {ask.repository: found for ask, found in bench.reach(change) if ask.role == "qa"}
    bench.apply(lift(bench, "sniper@api:conv-001"))

    assert set(reach) >= {"api", "web"}
    assert reach["web"].used_after > reach["web"].used_before
    assert [str(ref) for ref in reach["web"].added] == ["workspace@acme:conv-001"]
    for name in ("api", "web"):
        assert in_force(bench, RULE, role="qa", repository=name) == 1


def test_copies_that_say_the_same_leave_with_it_and_nothing_of_them_is_lost(
    tmp_path: Path,
) -> None:
    bench = acme(
        tmp_path,
        api=[{"rule": RULE, "applies_to": ["backend-engineer"]}],
        web=[{"rule": f"{RULE.lower()}.", "applies_to": ["qa"], "rationale": "Lost a message"}],
        lib=[{"rule": RULE, "enforcement": "spawn_prompt"}, "Third"],
        app=[{"rule": RULE, "detection_hint": "look at the consumers"}],
    )
    files(bench.root / "repositories/lib", {CONVENTIONS: _with_hint("prints")})
    files(bench.root / "repositories/app", {CONVENTIONS: _with_hint("logs")})
    bench.refresh()

    change = bench.apply(lift(bench, "sniper@api:conv-001")).change

    above = stored(bench.root)[-1]
    assert (stored(bench.root, "api"), stored(bench.root, "web")) == ([], [])
    assert above["rationale"] == "Lost a message"
    hints = {above["detection_hint"]} | {
        each["detection_hint"] for name in ("lib", "app") for each in stored(bench.root, name)
    }
    assert hints == {"prints", "logs"}
    assert any("with another `detection_hint` and stays" in note for note in change.notes)


def _with_hint(hint: str) -> str:
    return f"conventions:\n  - {{id: conv-001, rule: '{RULE}', detection_hint: {hint}}}\n"


def test_what_several_repositories_say_is_proposed_once(tmp_path: Path) -> None:
    bench = acme(
        tmp_path,
        ["Services log JSON"],
        api=[RULE, "Services log JSON", "Handlers never retry a payment by themselves at night"],
        web=[RULE, "Services log JSON", "Handlers never retry a payment by themselves in night"],
        lib=[RULE, "Handlers retry a payment by themselves at night"],
    )

    items = [each for each in bench.queue() if each.reason == "shared"]

    assert [(each.title, each.why) for each in items] == [
        (RULE, "3 repositories say the same"),
        (
            "Handlers never retry a payment by themselves at night",
            "2 repositories say something similar",
        ),
    ]
    assert [each.suggested for each in items] == ["workspace.promote", ""]
    assert items[0].verbs == ("workspace.promote", "reject")


def test_a_proposal_that_is_turned_down_does_not_come_back(tmp_path: Path) -> None:
    bench = acme(tmp_path, api=[RULE], web=[RULE])
    (item,) = bench.queue()

    bench.apply(Intent("reject", {item.ref: item.digest}, {"to": "workspace", "reason": "own"}))

    assert bench.queue() == ()
    assert stored(bench.root, "api")[0]["rule"] == RULE
    bench.undo()
    assert bench.queue() == (item,)


def test_nothing_is_proposed_from_inside_a_repository_or_promoted_by_itself(
    tmp_path: Path,
) -> None:
    bench = acme(tmp_path, api=[RULE], web=[RULE])
    text = "name: acme\nconfig: {memory: {auto_promote: true}}\n"
    files(bench.root, {"workspace.yaml": text})
    before = tree(bench.root)

    waiting = inside(bench, "api").queue()
    bench.refresh()

    assert waiting == ()
    assert len(bench.queue()) == 1
    assert tree(bench.root) == before


def test_a_finding_that_others_have_too_can_be_taken_up_for_all(tmp_path: Path) -> None:
    bench = acme(tmp_path, api=["Other"], web=[RULE])
    files(
        bench.root / "repositories/api", {".sniper/memory/retros/sprint-7-retro.yaml": _retro(RULE)}
    )
    bench.refresh()
    (item,) = [each for each in bench.queue() if each.reason == "finding"]

    assert item.suggested == "workspace.promote"
    assert "web says the same" in item.evidence
    bench.apply(Intent("workspace.promote", {item.ref: item.digest}))

    assert stored(bench.root)[-1]["rule"] == RULE
    source = stored(bench.root)[-1]["source"]
    assert isinstance(source, dict)
    assert source["ref"] == "sprint-7-retro"
    assert stored(bench.root, "web") == []
    assert bench.queue() == ()


def _retro(rule: str) -> str:
    finding = f"{{rule: '{rule}', confidence: high, evidence: 5 of 6, recommendation: codify}}"
    return f"sprint: 7\nfindings:\n  new_conventions:\n    - {finding}\n"


@pytest.mark.parametrize("side", ["above", "web"])
def test_either_side_takes_it_back_to_the_byte(tmp_path: Path, side: str) -> None:
    bench = acme(tmp_path, ["Services log JSON"], api=[RULE, "a"], web=[RULE, "b"])
    before = tree(bench.root)
    bench.apply(lift(bench, "sniper@api:conv-001"))
    after = tree(bench.root)

    other = bench if side == "above" else inside(bench, side)
    other.undo()
    undone = tree(bench.root)
    bench.refresh()
    other.redo()

    assert undone == before
    assert tree(bench.root) == after


def test_from_inside_a_repository_the_others_are_left_alone_and_undo_works_above(
    tmp_path: Path,
) -> None:
    bench = acme(tmp_path, api=[RULE], web=[RULE])
    before = tree(bench.root)
    api = inside(bench, "api")

    intent = api.intend("promote", [api.library.resolve("conv-001")], to="workspace")
    reach = api.reach(api.plan(intent))
    api.apply(intent)

    assert {ask.repository for ask, _ in reach} <= {"api", "web"}
    assert (stored(bench.root, "api"), len(stored(bench.root, "web"))) == ([], 1)
    bench.refresh()
    bench.undo()
    assert tree(bench.root) == before


@pytest.mark.parametrize(
    ("rules", "name", "told"),
    [
        pytest.param([{"rule": RULE, "status": "candidate"}], "", "approve it first", id="waits"),
        pytest.param(["Services log JSON"], "", "already says it", id="known"),
        pytest.param([{"rule": RULE, "overrides": "conv-001"}], "", "overrides", id="overrides"),
        pytest.param([RULE], "workspace:conv-001", "already in the workspace", id="above"),
    ],
)
def test_what_cannot_rise_says_why(tmp_path: Path, rules: Rules, name: str, told: str) -> None:
    bench = acme(tmp_path, ["Services log JSON"], api=rules)

    with pytest.raises(NotPossible, match=told):
        bench.plan(lift(bench, name or "sniper@api:conv-001"))


def test_a_successor_stays_while_another_decision_names_it(tmp_path: Path) -> None:
    bench = acme(tmp_path, api=["x"])
    decisions = (
        "decisions:\n  - {id: dec-001, title: A, decision: A, status: superseded,"
        " superseded_by: dec-002}\n  - {id: dec-002, title: B, decision: B, status: active}\n"
    )
    files(bench.root / "repositories/api", {".sniper/memory/decisions.yaml": decisions})
    bench.refresh()

    with pytest.raises(NotPossible, match="as what took its place"):
        bench.plan(lift(bench, "sniper@api:dec-002"))

    assert bench.plan(lift(bench, "sniper@api:dec-002", keep=True)).effects


def test_a_secret_is_looked_at_before_all_repositories_get_it(tmp_path: Path) -> None:
    secret = "AKIA" + "Q7RZ" * 4
    bench = acme(tmp_path, api=[f"The key is {secret}"])

    with pytest.raises(Unacknowledged):
        bench.plan(lift(bench, "sniper@api:conv-001"))


def test_ids_that_are_taken_above_are_passed_over(tmp_path: Path) -> None:
    bench = acme(tmp_path, api=[RULE, "Second"])
    taken = "conventions:\n  - {id: conv-007, rule: a}\n  - {id: conv-007, rule: b}\n"
    files(bench.root, {SHARED: taken + "  - {id: rule-99, rule: c}\n"})
    bench.refresh()

    bench.apply(lift(bench, "sniper@api:conv-001", "sniper@api:conv-002"))

    assert [each["id"] for each in stored(bench.root)[3:]] == ["conv-008", "conv-009"]


def test_an_entry_that_changed_meanwhile_is_not_promoted(tmp_path: Path) -> None:
    bench = acme(tmp_path, api=[RULE], web=[RULE])
    intent = lift(bench, "sniper@api:conv-001")
    path = bench.root / "repositories/api" / CONVENTIONS
    path.write_text(path.read_text().replace("idempotent", "quick"))

    with pytest.raises((ChangedOnDisk, Conflict)):
        bench.apply(intent)

    assert stored(bench.root) == []
    assert stored(bench.root, "web")[0]["rule"] == RULE


def test_lines_that_came_to_the_workspace_meanwhile_are_kept(tmp_path: Path) -> None:
    bench = acme(tmp_path, ["Services log JSON"], api=[RULE])
    intent = lift(bench, "sniper@api:conv-001")
    with (bench.root / SHARED).open("a") as shared:
        shared.write("  - {id: conv-002, rule: Came meanwhile}\n")

    bench.apply(intent)

    assert [(each["id"], each["rule"]) for each in stored(bench.root)] == [
        ("conv-001", "Services log JSON"),
        ("conv-002", "Came meanwhile"),
        ("conv-003", RULE),
    ]


@pytest.mark.parametrize(
    "text", [pytest.param("conventions: [", id="broken"), pytest.param("a: 1\n---\nb: 2\n", id="2")]
)
def test_a_workspace_file_that_cannot_be_written_changes_nothing_below(
    tmp_path: Path, text: str
) -> None:
    bench = acme(tmp_path, api=[RULE])
    files(bench.root, {SHARED: text})
    bench.refresh()
    before = tree(bench.root)

    with pytest.raises(Refused):
        bench.apply(lift(bench, "sniper@api:conv-001"))

    assert tree(bench.root) == before


def test_the_newer_shape_needs_a_folder_for_memory(tmp_path: Path) -> None:
    root = tmp_path / "acme"
    config = "name: acme\nprojects: [{name: api, path: api}, {name: web, path: web}]\n"
    store = f"conventions:\n  - {{id: conv-001, rule: {RULE}}}\n"
    files(root, {".sniper-workspace/config.yaml": config, f"api/{CONVENTIONS}": store})
    files(root, {f"web/{CONVENTIONS}": store})
    bench = bench_at(root)

    with pytest.raises(NotPossible, match="has no memory folder"):
        bench.plan(lift(bench, "sniper@api:conv-001"))
    more = "memory: {directory: .sniper-workspace/memory}\n"
    files(root, {".sniper-workspace/config.yaml": config + more})
    bench.refresh()
    bench.apply(lift(bench, "sniper@api:conv-001"))

    above = yaml.safe_load((root / ".sniper-workspace/memory/conventions.yaml").read_text())
    assert [each["rule"] for each in above["conventions"]] == [RULE]
    bench.undo()
    assert not (root / ".sniper-workspace/memory").exists()


TEXTS = st.sampled_from(
    [RULE, f"{RULE.upper()}!", "Services log JSON", "Ünïcode: 'quoted' # no comment", "a", "- b"]
)
ITEMS = st.fixed_dictionaries(
    {"rule": TEXTS},
    optional={
        "rationale": st.sampled_from(["", "why: because", "2026-01-01"]),
        "applies_to": st.lists(st.sampled_from(["qa", "backend-engineer"]), unique=True),
    },
)
STORES = st.lists(ITEMS, min_size=1, max_size=3)


@settings(max_examples=6)
@given(api=STORES, web=STORES, shared=st.lists(TEXTS, max_size=1), keep=st.booleans())
def test_promoting_loses_no_rule_and_undo_gives_every_byte_back(
    tmp_path_factory: pytest.TempPathFactory,
    api: Rules,
    web: Rules,
    shared: Sequence[str],
    keep: bool,
) -> None:
    bench = acme(tmp_path_factory.mktemp("ws"), shared, api=api, web=web)
    before = tree(bench.root)
    chosen = bench.library.resolve("sniper@api:conv-001")
    roles = ("qa", "backend-engineer")

    try:
        bench.apply(bench.intend("workspace.promote", [chosen], keep=keep))
    except RememError:
        assert tree(bench.root) == before
        return

    assert all(_has(bench, chosen, role, name) for role in roles for name in ("api", "web"))
    bench.undo()
    assert tree(bench.root) == before


def _has(bench: Session, entry: Entry, role: str, repository: str) -> bool:
    """Tell whether those get a rule who are to get it, in every repository."""
    is_for = entry.roles is None or role in entry.roles
    text = " ".join(entry.title.split()).casefold().strip("!")
    composed = bench.compose(Ask(role=role, repository=repository)).text.casefold()
    return not is_for or text in composed


def test_the_first_rule_of_a_role_reaches_that_role_and_not_everyone(tmp_path: Path) -> None:
    mine = {"rule": RULE, "applies_to": ["backend-engineer"]}
    bench = acme(tmp_path, api=[mine, "Only here"], web=["Names are verbs"])
    assert within(bench.library, "web").role_names() == ()

    told = bench.reach(bench.plan(lift(bench, "sniper@api:conv-001")))

    reached = {(ask.repository, ask.role) for ask, each in told if not each.changes_nothing}
    assert reached == {("api", "backend-engineer"), ("web", "backend-engineer")}
