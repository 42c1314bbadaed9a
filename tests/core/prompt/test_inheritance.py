"""What agents of a repository get of its workspace, and what that repository overrides."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.sniper_files import ANTI_PATTERNS, CONVENTIONS
from tests.workspace_files import SHARED, conventions, files, opened, workspace

from remem.core.library import Library
from remem.core.prompt.compose import compose
from remem.core.prompt.counter import Estimate
from remem.core.repositories import within
from remem.model.prompt import Ask, Prompt, Reason
from remem.systems.workspace.rules import rules_of

BACKEND = Ask(role="backend-engineer")
TEXTS = ("Services log JSON", "Names are verbs", "Money is counted in cents")


def composed(library: Library, ask: Ask = BACKEND) -> Prompt:
    return compose(library, ask, Estimate())


def out(prompt: Prompt) -> dict[str, str]:
    """Return why each entry is out, by its short ref."""
    return {
        str(verdict.ref.without_place()): verdict.reason.value
        for verdict in prompt.verdicts
        if verdict.reason is not None
    }


def test_what_is_inherited_stands_first_and_says_so(tmp_path: Path) -> None:
    root = workspace(tmp_path, ["Services log JSON"], {"api": ["Consumers are idempotent"]})
    files(
        root,
        {
            "memory/anti-patterns.yaml": (
                "anti_patterns:\n  - {id: ap-001, description: Secrets in logs, severity: high}\n"
            ),
            f"repositories/api/{ANTI_PATTERNS}": (
                "anti_patterns:\n  - {id: ap-001, description: Reading the clock, severity: low}\n"
            ),
        },
    )

    text = composed(opened(root / "repositories" / "api")).text

    assert text == (
        "## Project Memory — Conventions You Must Follow\n\n"
        "- **conv-001 [WORKSPACE]:** Services log JSON\n"
        "- **conv-001:** Consumers are idempotent\n\n"
        "## Anti-Patterns — Do NOT Do These\n\n"
        "- **ap-001 [WORKSPACE] (HIGH):** Secrets in logs\n"
        "- **ap-001 (LOW):** Reading the clock"
    )


def test_a_repository_without_memory_of_its_own_inherits(tmp_path: Path) -> None:
    root = workspace(tmp_path, ["Services log JSON"], {})
    (root / "repositories" / "new").mkdir()

    text = composed(opened(root / "repositories" / "new")).text

    assert "- **conv-001 [WORKSPACE]:** Services log JSON" in text


@pytest.mark.parametrize(
    "overrides", ["conv-001", "workspace:conv-001", "workspace@acme:conv-001", ["x", "conv-001"]]
)
def test_what_an_entry_says_to_override_is_out(tmp_path: Path, overrides: str | list[str]) -> None:
    own = {"rule": "Services log text", "overrides": overrides}
    root = workspace(tmp_path, ["Services log JSON"], {"api": [own]})

    prompt = composed(opened(root / "repositories" / "api"))

    assert out(prompt) == {"workspace:conv-001": "overridden"}
    assert "Services log text" in prompt.text
    assert "Services log JSON" not in prompt.text


def test_the_same_text_is_told_once(tmp_path: Path) -> None:
    root = workspace(tmp_path, ["Services log `JSON`."], {"api": ["services  log json"]})

    prompt = composed(opened(root / "repositories" / "api"))

    assert out(prompt) == {"workspace:conv-001": "overridden"}


def test_who_does_not_get_the_repositorys_wording_keeps_the_workspaces(tmp_path: Path) -> None:
    own = {"rule": "Services log JSON", "applies_to": ["frontend-engineer"]}
    root = workspace(tmp_path, ["Services log JSON"], {"api": [own]})

    prompt = composed(opened(root / "repositories" / "api"))

    assert out(prompt) == {"sniper:conv-001": "role"}
    assert "- **conv-001 [WORKSPACE]:** Services log JSON" in prompt.text


@pytest.mark.parametrize("status", ["candidate", "superseded"])
def test_what_is_not_in_force_overrides_nothing(tmp_path: Path, status: str) -> None:
    own = {"rule": "Services log text", "overrides": "conv-001", "status": status}
    root = workspace(tmp_path, ["Services log JSON"], {"api": [own]})

    assert "[WORKSPACE]" in composed(opened(root / "repositories" / "api")).text


def test_equal_ids_override_nothing(tmp_path: Path) -> None:
    root = workspace(tmp_path, ["Services log JSON"], {"api": ["Consumers are idempotent"]})

    assert out(composed(opened(root / "repositories" / "api"))) == {}


def test_under_a_budget_the_repositorys_entries_go_in_first(tmp_path: Path) -> None:
    root = workspace(tmp_path, ["Services log JSON " * 30], {"api": ["Consumers are idempotent"]})

    prompt = composed(opened(root / "repositories" / "api"), Ask(budget=80))

    assert out(prompt) == {"workspace:conv-001": "budget"}
    assert "Consumers are idempotent" in prompt.text


def test_a_workspace_that_keeps_its_conventions_hands_none_down(tmp_path: Path) -> None:
    root = workspace(tmp_path, ["Services log JSON"], {"api": ["Consumers are idempotent"]})
    files(root, {"workspace.yaml": "config: {memory: {workspace_conventions: false}}\n"})

    assert out(composed(opened(root / "repositories" / "api"))) == {
        "workspace:conv-001": "disabled"
    }


def test_memory_that_is_switched_off_inherits_nothing(tmp_path: Path) -> None:
    root = workspace(tmp_path, ["Services log JSON"], {"api": ["Consumers are idempotent"]})
    files(root / "repositories/api", {".sniper/config.yaml": "memory: {enabled: false}\n"})

    prompt = composed(opened(root / "repositories" / "api"))

    assert out(prompt) == {"workspace:conv-001": "disabled", "sniper:conv-001": "disabled"}
    assert prompt.text == ""


@pytest.mark.parametrize(
    ("shared", "own"),
    [
        ("Use strict mode in every service", "Never use strict mode in every service"),
        ("Use strict mode", "Never use strict mode"),
    ],
)
def test_a_convention_that_contradicts_the_workspaces_leaves_both_until_a_person_decides(
    tmp_path: Path, shared: str, own: str
) -> None:
    root = workspace(tmp_path, [shared], {"api": [own], "web": ["Names are verbs"]})

    api = opened(root / "repositories" / "api")
    in_api = composed(api)

    assert shared in in_api.text
    assert own in in_api.text
    assert out(in_api) == {}
    assert {rule.title for rule in rules_of(api)} == {own, shared}


def test_every_entry_of_both_levels_has_one_verdict(tmp_path: Path) -> None:
    root = workspace(tmp_path, [*TEXTS, "Consumers are idempotent"], {"api": [*TEXTS[:2], "One"]})
    library = opened(root / "repositories" / "api")

    verdicts = [verdict.ref for verdict in composed(library).verdicts]

    assert sorted(verdicts) == sorted(entry.ref for entry in library.entries())


def test_the_gate_holds_what_is_inherited_and_not_what_is_overridden(tmp_path: Path) -> None:
    own = {"rule": "Services log text", "overrides": "conv-001"}
    root = workspace(tmp_path, ["Services log JSON", "Names are verbs"], {"api": [own], "web": []})

    in_api, in_web = (rules_of(opened(root / "repositories" / name)) for name in ("api", "web"))

    assert [rule.ref for rule in in_api] == ["workspace:conv-002", "sniper:conv-001"]
    assert [rule.ref for rule in in_web] == ["workspace:conv-001", "workspace:conv-002"]


RULES = st.lists(
    st.fixed_dictionaries(
        {"rule": st.sampled_from([*TEXTS, "Services log text", "Names are nouns"])},
        optional={
            "overrides": st.sampled_from(["conv-001", "workspace:conv-002", "conv-009"]),
            "applies_to": st.sampled_from([["backend-engineer"], ["architect"]]),
            "status": st.sampled_from(["confirmed", "candidate"]),
        },
    ),
    max_size=4,
)


@settings(max_examples=12, deadline=None)
@given(one=RULES, other=RULES)
def test_a_repositorys_override_never_leaks_into_another(
    one: list[dict[str, object]], other: list[dict[str, object]]
) -> None:
    with TemporaryDirectory() as folder:
        root = workspace(Path(folder).resolve(), TEXTS, {"api": one, "web": other})
        before = composed(opened(root / "repositories" / "web"))
        seen_from_above = composed(within(opened(root), "web"))

        files(root / "repositories" / "api", {CONVENTIONS: conventions([])})

        alone = composed(opened(root / "repositories" / "web"))
        assert before.text == seen_from_above.text == alone.text
        assert before.verdicts == seen_from_above.verdicts == alone.verdicts


@settings(max_examples=12, deadline=None)
@given(shared=RULES, own=RULES)
def test_what_is_overridden_is_exactly_what_is_named_or_said_by_who_counts(
    shared: list[dict[str, object]], own: list[dict[str, object]]
) -> None:
    with TemporaryDirectory() as folder:
        root = workspace(Path(folder).resolve(), [], {"api": own})
        files(root, {SHARED: conventions(shared)})

        prompt = composed(opened(root / "repositories" / "api"), Ask())

    active = [each for each in own if each.get("status") != "candidate"]
    named = {str(each.get("overrides")).removeprefix("workspace:") for each in active}
    texts = {each["rule"] for each in active}
    expected = {
        f"conv-{number:03d}"
        for number, each in enumerate(shared, 1)
        if each.get("status") != "candidate"
        and (f"conv-{number:03d}" in named or each["rule"] in texts)
    }
    found = {v.ref.id for v in prompt.verdicts if v.reason is Reason.OVERRIDDEN}
    assert found == expected
