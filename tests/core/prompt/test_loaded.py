"""What agents that load files themselves have at their start."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from remem.core.library import Library, open_library
from remem.core.prompt.counter import Counter, Estimate
from remem.core.system import Ground
from remem.model.prompt import Ask, Prompt, Reason, Unit
from remem.store.io import Disk
from remem.systems.loading.loading_agents import agents, as_loaded
from remem.systems.personas.persona_layouts import BUILT_IN
from remem.systems.registry import FORMATS

DEFINITION = (
    "---\nname: priya\ndescription: d\nmemory: project\n---\nYou review changes to the shop.\n"
)


class Shop:
    """A project and a home folder on disk."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "shop"
        self.home = folder / "home"
        self.root.mkdir(parents=True)
        self.home.mkdir()

    def write(self, name: str, text: str | bytes) -> None:
        path = self.home / name[2:] if name.startswith("~/") else self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)

    def library(self) -> Library:
        ground = Ground(self.root, self.home, Disk(), project="shop", layouts=BUILT_IN)
        return open_library(ground, [each for each in FORMATS if each.name == "persona"])

    def loaded(self, name: str, counter: Counter | None = None, layout: str = "") -> Prompt:
        library = self.library()
        ask = Ask(agent=name, layout=layout)
        counter = counter or Estimate()
        return as_loaded(library.ground, library.sources, ask, counter)


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path)


def lessons(number: int, text: str = "lesson") -> str:
    return "".join(f"- {text} {n}\n" for n in range(1, number + 1))


def test_claude_gets_the_body_of_its_definition_and_the_head_of_its_memory(shop: Shop) -> None:
    shop.write(".claude/agents/priya.md", DEFINITION)
    shop.write(".claude/agent-memory/priya/MEMORY.md", lessons(230))

    prompt = shop.loaded("priya")

    definition, memory = prompt.layers
    assert prompt.as_loaded
    assert definition.text == "You review changes to the shop."
    assert (memory.budget, memory.unit) == (200, Unit.LINES)
    assert [line.text for line in memory.lines][-1] == "- lesson 200"
    assert memory.lines[-1].source.endswith("MEMORY.md:200")
    assert definition.lines[0].source.endswith("priya.md:6")


def test_each_line_knows_its_entry_and_what_lies_below_the_cut_is_not_loaded(shop: Shop) -> None:
    shop.write(".claude/agents/priya.md", DEFINITION)
    shop.write(".claude/agent-memory/priya/MEMORY.md", "# Notes\n\n" + lessons(230))

    prompt = shop.loaded("priya")

    memory = next(s for s in shop.library().sources if s.path.name == "MEMORY.md")
    refs = [entry.ref for entry in memory.entries]
    assert [line.ref for line in prompt.layers[-1].lines] == [None, None, *refs[:198]]
    assert [v.ref for v in prompt.verdicts if v.is_in] == refs[:198]
    out = [v for v in prompt.verdicts if not v.is_in]
    assert [v.ref for v in out] == refs[198:]
    assert {(v.reason, v.detail) for v in out} == {
        (Reason.NOT_LOADED, "the agent loads only the first 200 lines or 25,000 characters")
    }


def test_an_entry_that_the_cut_goes_through_is_not_in(shop: Shop) -> None:
    shop.write(".claude/agents/priya.md", DEFINITION)
    shop.write(
        ".claude/agent-memory/priya/MEMORY.md", lessons(199) + "- long\n  second line\n- last\n"
    )

    prompt = shop.loaded("priya")

    long = next(v for v in prompt.verdicts if v.detail.startswith("partly cut"))
    assert prompt.layers[-1].lines[-1].text == "- long"
    assert prompt.layers[-1].lines[-1].ref == long.ref
    assert not long.is_in


def test_memory_that_is_short_in_lines_and_long_is_cut_by_characters(shop: Shop) -> None:
    shop.write(".claude/agents/priya.md", DEFINITION)
    shop.write(".claude/agent-memory/priya/MEMORY.md", lessons(180, "é" * 200))

    memory = shop.loaded("priya").layers[-1]

    assert (memory.budget, memory.unit) == (25_000, Unit.CHARACTERS)
    assert 24_000 < len(memory.text) <= 25_000 < len(memory.text.encode())


def test_blank_lines_around_a_memory_count_for_nothing_and_are_not_missed(shop: Shop) -> None:
    shop.write(".claude/agents/priya.md", DEFINITION)
    shop.write(".claude/agent-memory/priya/MEMORY.md", "\n" * 300 + lessons(200) + "\n" * 9)

    prompt = shop.loaded("priya")

    assert [line.number for line in prompt.layers[-1].lines] == [*range(301, 501)]
    assert not prompt.left
    assert all(verdict.is_in for verdict in prompt.verdicts)
    memory = next(s for s in shop.library().sources if s.path.name == "MEMORY.md")
    assert not [problem for problem in memory.problems if problem.code == "over-limit"]


def test_a_picture_counts_two_characters_as_its_tool_counts_them(shop: Shop) -> None:
    shop.write(".claude/agents/priya.md", DEFINITION)
    shop.write(".claude/agent-memory/priya/MEMORY.md", "🐝" * 12_600 + "\n")

    prompt = shop.loaded("priya")

    assert prompt.layers[-1].text == "🐝" * 12_500
    assert [left.part for left in prompt.left] == ["from inside line 1 on"]
    memory = next(s for s in shop.library().sources if s.path.name == "MEMORY.md")
    assert "over-limit" in {problem.code for problem in memory.problems}


def test_topic_files_and_other_scopes_are_named_as_not_loaded(shop: Shop) -> None:
    shop.write(".claude/agents/priya.md", DEFINITION)
    shop.write(".claude/agent-memory/priya/MEMORY.md", "- in\n")
    shop.write(".claude/agent-memory/priya/topics/queues.md", "- a topic\n")
    shop.write(".claude/agent-memory-local/priya/MEMORY.md", "- local\n")
    shop.write(".claude/agent-memory/carlos/MEMORY.md", "- somebody else's\n")

    prompt = shop.loaded("priya")

    details = {v.detail for v in prompt.verdicts if v.reason is Reason.NOT_LOADED}
    assert details == {
        "the agent opens this file itself when it needs it",
        "it is in `local` memory, but the agent loads another place",
    }
    assert len(prompt.verdicts) == 3
    assert prompt.unseen[0] == "the system prompt of Claude Code"


def test_memory_that_another_layout_keeps_of_an_agent_is_named_by_that_layout(shop: Shop) -> None:
    shop.write(".squad/agents/hill/charter.md", "# Hill — Tester\n")
    shop.write(".squad/agents/hill/history.md", "## Learnings\n\n- now\n")
    shop.write(".ai-team/agents/hill/history.md", "## Learnings\n\n- before\n")

    prompt = shop.loaded("hill")

    details = {v.detail for v in prompt.verdicts if v.reason is Reason.NOT_LOADED}
    assert details == {"it is in the memory of `ai-team`, but the agent loads another place"}


def test_squad_gets_charter_decisions_and_the_whole_history_in_that_order(shop: Shop) -> None:
    shop.write(".squad/agents/hill/charter.md", "# Hill — Tester\n")
    shop.write(".squad/agents/hill/history.md", "## Learnings\n\n" + lessons(400))
    shop.write(".squad/agents/hill/history-archive.md", "- retired\n")
    shop.write(".squad/decisions.md", "### 2026-03-03: Use a fake clock\n**By:** Hill\n")

    prompt = shop.loaded("Hill")

    names = [layer.name.rpartition("/")[2] for layer in prompt.layers]
    assert names == ["charter.md", "decisions.md", "history.md"]
    assert len(prompt.layers[2].lines) == 402
    assert prompt.layers[2].budget is None
    retired = next(v for v in prompt.verdicts if not v.is_in)
    assert (retired.reason, retired.detail) == (Reason.STATUS, "it is archived")


def test_every_agent_of_a_squad_gets_its_wisdom_and_what_is_now(shop: Shop) -> None:
    shop.write(".squad/agents/hill/charter.md", "# Hill — Tester\n")
    shop.write(".squad/agents/hill/history.md", "- learnt\n")
    shop.write(".squad/identity/wisdom.md", "- wise\n")
    shop.write(".squad/identity/now.md", "- a release\n")

    prompt = shop.loaded("Hill")

    assert prompt.text == "# Hill — Tester\n\n- wise\n\n- a release\n\n- learnt"
    assert all(verdict.is_in for verdict in prompt.verdicts)


def test_night_watch_gets_its_profile_and_the_last_characters_words_cut(shop: Shop) -> None:
    shop.write("~/.night-watch/agents/Maya/persona.yaml", "name: Maya\nrole: Reviewer\n")
    text = "## 2026-05-04\n" + lessons(2_000, "é")
    shop.write("~/.night-watch/agents/Maya/memories/shop/main.md", text)
    shop.write("~/.night-watch/agents/Maya/memories/other/main.md", "- another project\n")

    prompt = shop.loaded("Maya")

    profile, memory = prompt.layers
    assert profile.text == "# Maya — Reviewer"
    assert memory.text == text[-8_000:].removesuffix("\n")
    assert (memory.budget, memory.unit) == (8_000, Unit.CHARACTERS)
    last = len(text.splitlines())
    assert memory.lines[-1].source.endswith(f":{last}")
    assert not any("other" in line.source for line in memory.lines)
    cut = [v for v in prompt.verdicts if "last 8,000 characters" in v.detail]
    assert cut
    assert all(not v.is_in for v in cut)


def test_the_bytes_of_a_file_reach_the_prompt_as_they_are(shop: Shop) -> None:
    shop.write(".squad/agents/hill/history.md", b"\xef\xbb\xbf- one\r\n- two\xff\r\n")

    prompt = shop.loaded("hill")

    assert prompt.text == "- one\r\n- two\ufffd\r"


def test_an_agent_that_nobody_knows_is_said_so(shop: Shop) -> None:
    prompt = shop.loaded("nobody")

    assert prompt.notes == ("no agent called `nobody` loads files here",)
    assert prompt.layers == ()


LINES = st.sampled_from(
    ["- one", "- two\n  more", "", "# Notes", "text é", "```\nx\n```", "## 2026-01-02"]
)


@settings(
    max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(lines=st.lists(LINES, max_size=20), end=st.sampled_from(["", "\n"]))
def test_a_file_loaded_whole_loses_nothing_and_every_entry_is_in(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], end: str
) -> None:
    shop = Shop(tmp_path_factory.mktemp("shop"))
    text = "\n".join(lines) + end
    shop.write(".squad/agents/hill/history.md", text)

    prompt = shop.loaded("hill")

    (source,) = (s for s in shop.library().sources if s.path.name == "history.md")
    assert prompt.text == text.removesuffix("\n")
    assert [v.ref for v in prompt.verdicts if v.is_in] == [entry.ref for entry in source.entries]
    lines_in = (line for layer in prompt.layers for line in layer.lines)
    shown = [line.ref for line in lines_in if line.ref is not None]
    assert list(dict.fromkeys(shown)) == [entry.ref for entry in source.entries]


def test_agents_tell_who_starts_with_what(shop: Shop, counter: Counter) -> None:
    shop.write(".claude/agents/priya.md", DEFINITION)
    shop.write(".claude/agent-memory/priya/MEMORY.md", lessons(400))
    shop.write(".claude/agents/plain.md", "---\nname: plain\ndescription: d\n---\nNo memory.\n")
    shop.write(".squad/agents/hill/history.md", "- one\n")
    shop.write("~/.night-watch/agents/Maya/memories/shop/main.md", "- two\n")
    library = shop.library()

    found = agents(library.ground, library.sources, counter)

    assert [(agent.name, agent.tool) for agent in found] == [
        ("Maya", "Night Watch"),
        ("plain", "Claude Code"),
        ("priya", "Claude Code"),
        ("hill", "Squad"),
    ]
    priya = found[2]
    assert not priya.exact
    assert [file.path.name for file in priya.files] == ["priya.md", "MEMORY.md"]
    definition, memory = priya.files
    assert (definition.is_cut, memory.is_cut) == (False, True)
    assert memory.total == counter.count(lessons(400).removesuffix("\n"))


def test_an_agents_tokens_are_those_of_its_start(shop: Shop, counter: Counter) -> None:
    shop.write(".claude/agents/priya.md", DEFINITION)
    shop.write(".claude/agent-memory-local/priya/MEMORY.md", "- not loaded\n")
    shop.write(".claude/agent-memory/priya/MEMORY.md", lessons(3))
    library = shop.library()

    (agent,) = agents(library.ground, library.sources, counter)

    start = as_loaded(library.ground, library.sources, agent.ask, counter)
    assert agent.layout == "claude-project"
    assert agent.tokens == start.tokens == sum(layer.tokens for layer in start.layers)
