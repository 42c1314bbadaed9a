"""What the demos say about who gets a rule: each copy is one, and every door says the same."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.cli.conftest import Shell

from remem.core.prompt.agents import agents_of
from remem.core.prompt.everyones_starts import ROLE
from remem.core.prompt.why import explain
from remem.core.relation.already_said import whole_of
from remem.core.relation.who_gets import How, Listener, Matrix
from remem.core.session import Session
from remem.core.settings import Places
from remem.demo.build import build_branch, build_crew, build_demo, home_of
from remem.model.prompt import Ask, Prompt
from remem.views.entries.entry_details import entry_lines
from remem.views.glyphs import UNICODE
from remem.views.prompts.who_gets import matrix_of

_BINDING = re.compile(
    "a|an|and|any|are|as|at|be|before|by|do|for|from|has|if|in|into|is|it|its|never|no|not|of|on|"
    "or|so|still|that|the|them|then|there|this|to|two|up|was|when|which|with|without"
)


@pytest.fixture(scope="module", params=[build_demo, build_crew, build_branch])
def session(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Session]:
    build: Callable[[Path], Path] = request.param
    project = build(tmp_path_factory.mktemp("place") / "demo")
    session = Session.open(project, Places.of(home_of(project)), door="cli")
    session.load_counter()
    yield session
    session.close()


@pytest.fixture(scope="module")
def matrix(session: Session) -> Matrix:
    return matrix_of(session)


def prompt_of(session: Session, listener: Listener) -> Prompt:
    """Return what `why --role` or `why --agent` explains of this one."""
    if listener.tool == ROLE:
        return session.compose(Ask(role=listener.name))
    library = session.library
    who = next(x for x in agents_of(library) if (x.tool, x.name) == (listener.tool, listener.name))
    return session.as_loaded(who.ask)


def words_of(text: str) -> set[str]:
    words = re.findall(r"[^\W\d_]+", text.casefold())
    return {word.removesuffix("s") for word in words if not _BINDING.fullmatch(word)}


def test_a_rule_counts_as_got_exactly_where_why_says_that_a_copy_is_in_the_prompt(
    session: Session, matrix: Matrix
) -> None:
    wrong = []
    for place, listener in enumerate(matrix.listeners):
        prompt = prompt_of(session, listener)
        for rule in matrix.rules:
            included = any(explain(entry, prompt).is_in for entry in rule.copies)
            if included is not (rule.cells[place].how is How.START):
                wrong.append((listener.name, listener.tool, str(rule.copies[0].ref)))

    assert matrix.listeners
    assert wrong == []


def test_every_copy_of_a_rule_has_most_of_the_words_of_the_shorter_text(
    session: Session, matrix: Matrix
) -> None:
    library = session.library
    strange = []
    for rule in matrix.rules:
        first, *others = (words_of(whole_of(library, entry)) for entry in rule.copies)
        for entry, words in zip(rule.copies[1:], others, strict=True):
            if words != first and len(words & first) <= min(len(words), len(first)) / 2:
                strange.append((rule.title, entry.title))

    assert strange == []


def test_the_size_of_an_entry_in_its_file_is_not_called_what_it_costs(session: Session) -> None:
    entry = next(session.library.entries())

    lines = [x.text for x in entry_lines(session.library, entry, session.counter, UNICODE)]

    assert any(re.fullmatch(r"tokens +\d+ in its file", line) for line in lines)
    assert not any(line.startswith("costs") for line in lines)


@pytest.mark.parametrize("who", [("--agent", "pier-tester"), ("--role", "pier-tester")])
def test_the_table_and_the_single_answer_agree_on_an_agent_that_a_role_is_called_like(
    tmp_path: Path, who: tuple[str, str]
) -> None:
    project = build_demo(tmp_path)
    shell = Shell(project, home_of(project))

    gets = shell("why", "conv-010", "--json").document["rule"]["gets"]
    answer = shell("why", "conv-010", *who, "--json").document["included"]

    is_role = who[0] == "--role"
    (told,) = (x["how"] for x in gets if (x["name"], x["tool"] == "role") == (who[1], is_role))
    assert answer is (told == "start") is is_role


def test_an_agent_counts_the_same_everywhere_and_a_persona_has_the_projects_rules_too(
    tmp_path: Path,
) -> None:
    project = build_demo(tmp_path)
    shell = Shell(project, home_of(project))

    composed = shell("why", "conv-009", "--persona", "Bastien", "--json").document
    loaded = shell("why", "conv-009", "--agent", "bastien", "--json").document
    (gets,) = (
        each["how"]
        for each in shell("why", "conv-009", "--json").document["rule"]["gets"]
        if each["name"] == "Bastien"
    )
    agents = shell("status", "--json").document["agents"]
    (starts_with,) = (each["tokens"] for each in agents if each["name"] == "Bastien")

    assert composed["included"]
    assert not loaded["included"]
    assert gets != "start"
    assert shell("compose", "--agent", "Bastien", "--json").document["tokens"] == starts_with
