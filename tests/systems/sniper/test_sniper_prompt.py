"""The memory layer and the spawn prompt, line by line as the format prescribes them."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sniper_files import ANTI_PATTERNS, CONVENTIONS, DECISIONS, MEMORY, project

from remem.core.prompt.compose import compose
from remem.core.prompt.counter import Estimate
from remem.model.detect import Examples
from remem.model.entry import Entry, Ref, Status, WholeFile
from remem.model.prompt import Ask, Offer, Reason, one_line, sentence
from remem.systems.registry import FORMATS
from remem.systems.sniper.layer import ABSENT, NOT_FOR_ROLE, TRUNCATED
from remem.systems.sniper.printing import piece, rest_of
from remem.systems.sniper.records import AntiPattern, Convention, Decision, Stored

SNIPER = next(each for each in FORMATS if each.name == "sniper")
FILES = {
    CONVENTIONS: """\
conventions:
  - id: conv-001
    rule: "Every queue consumer is idempotent"
    applies_to: [backend-engineer]
    examples: {positive: "consume(once(key), handler)", negative: "consume(handler)"}
  - id: conv-002
    rule: "Buttons have labels"
    applies_to: [frontend-engineer]
    enforcement: spawn_prompt
  - {id: conv-003, rule: "Names are verbs", enforcement: review_gate}
  - {id: conv-004, rule: "Waits", status: candidate}
""",
    ANTI_PATTERNS: """\
anti_patterns:
  - id: ap-001
    description: "Reading the clock inside domain code"
    fix_pattern: pass a clock in
    severity: high
  - {id: ap-002, description: "Sleeping in tests!", fix_pattern: "wait for it?", severity: low}
  - {id: ap-003, description: "Swallowed errors"}
""",
    DECISIONS: """\
decisions:
  - {id: dec-001, title: Primary datastore, decision: PostgreSQL}
  - {id: dec-002, title: Use tabs, decision: Use tabs}
  - {id: dec-003, title: Old, decision: gone, status: superseded, superseded_by: dec-001}
""",
}


def offer(root: Path, files: dict[str, str], ask: Ask) -> Offer:
    library = project(root, files)
    (found,) = SNIPER.composer.offers(library.ground, library.sources, ask)
    return found


def test_the_layer_of_a_role_is_printed_line_by_line(tmp_path: Path) -> None:
    library = project(tmp_path, FILES)

    prompt = compose(library, Ask(role="backend-engineer"), Estimate())

    assert (
        prompt.text
        == """\
## Project Memory — Conventions You Must Follow

- **conv-001:** Every queue consumer is idempotent
  Example: `consume(once(key), handler)`
  NOT: `consume(handler)`
- **conv-003:** Names are verbs

## Anti-Patterns — Do NOT Do These

- **ap-001 (HIGH):** Reading the clock inside domain code. Instead: pass a clock in.
- **ap-002 (LOW):** Sleeping in tests! Instead: wait for it?
- **ap-003 (MEDIUM):** Swallowed errors

## Key Decisions

- **dec-001:** Primary datastore — PostgreSQL
- **dec-002:** Use tabs"""
    )


def test_every_entry_has_its_verdict(tmp_path: Path) -> None:
    library = project(tmp_path, FILES)

    prompt = compose(library, Ask(role="backend-dev"), Estimate())

    out = {v.ref.id: v.reason for v in prompt.verdicts if not v.is_in}
    assert out == {
        "conv-002": Reason.ROLE,
        "conv-004": Reason.STATUS,
        "dec-003": Reason.STATUS,
    }
    assert len(prompt.verdicts) == 10


def test_the_steps_of_the_budget_are_those_of_the_format(tmp_path: Path) -> None:
    found = offer(tmp_path, FILES, Ask())

    order = [each.ref.id for each in sorted(found.pieces, key=lambda each: each.rank)]

    assert order == [
        "ap-001", "conv-001", "conv-003", "dec-001", "dec-002", "ap-003", "conv-002", "ap-002",
    ]  # fmt: skip
    assert [each.ref.id for each in found.pieces if each.always] == ["ap-001"]
    assert (found.cap, found.note) == (2000, TRUNCATED)


@pytest.mark.parametrize(
    ("files", "empty"),
    [
        pytest.param({".sniper/config.yaml": "{}\n"}, ABSENT, id="no-memory-files"),
        pytest.param({CONVENTIONS: "conventions: []\n"}, NOT_FOR_ROLE, id="nothing-for-the-role"),
    ],
)
def test_an_empty_layer_says_why(tmp_path: Path, files: dict[str, str], empty: str) -> None:
    found = offer(tmp_path, files, Ask(role="qa"))

    assert (found.pieces, found.empty) == ((), empty)


def test_a_sniper_folder_without_stores_is_a_project_without_memory(tmp_path: Path) -> None:
    found = offer(tmp_path, {".sniper/config.yaml": "memory: {}\n"}, Ask(role="qa"))

    assert found.empty == ABSENT


def test_without_sniper_there_is_no_layer(tmp_path: Path) -> None:
    library = project(tmp_path, {"README.md": "x"})

    assert SNIPER.composer.offers(library.ground, library.sources, Ask(role="qa")) == ()


def test_settings_turn_the_layer_off_and_change_its_budget(tmp_path: Path) -> None:
    small = offer(tmp_path, {**FILES, ".sniper/config.yaml": "memory: {token_budget: 90}\n"}, Ask())
    off = offer(tmp_path, {**FILES, ".sniper/config.yaml": "memory: {enabled: false}\n"}, Ask())

    assert (small.cap, len(small.pieces)) == (90, 8)
    assert (off.pieces, off.empty) == ((), "")
    assert {verdict.reason for verdict in off.verdicts} == {Reason.DISABLED}
    assert len(off.verdicts) == 10


def test_a_persona_gets_what_its_configured_roles_get(tmp_path: Path) -> None:
    files = {CONVENTIONS: "conventions:\n- {id: conv-001, rule: a, applies_to: [reviewer]}\n"
                          "- {id: conv-002, rule: b, applies_to: [architect]}\n"}  # fmt: skip

    found = offer(tmp_path, files, Ask(persona="carlos"))

    assert [each.ref.id for each in found.pieces] == ["conv-001"]


def lines_of(record: Stored) -> str:
    """Return the lines in a prompt of an entry with this record."""
    ref, at = Ref("sniper", record.id), WholeFile(Path("store.yaml"))
    entry = Entry(ref, record.kind, record.text, Status.ACTIVE, at, "")
    return piece(entry, rest_of(record, ref.id))


@pytest.mark.parametrize(
    ("positive", "printed"),
    [
        pytest.param("run()", "  Example: `run()`", id="one-line"),
        pytest.param("say `hi` twice", "  Example: ``say `hi` twice``", id="backtick"),
        pytest.param("`hi`", "  Example: `` `hi` ``", id="backtick-at-the-edge"),
        pytest.param("a ``b`` c", "  Example: ```a ``b`` c```", id="two-backticks"),
        pytest.param("a\n  b\n", "  Example:\n  ```\n  a\n    b\n  ```", id="lines"),
        pytest.param("```\nb", "  Example:\n  ````\n  ```\n  b\n  ````", id="fence-inside"),
        pytest.param("  ", "", id="blank"),
    ],
)
def test_examples_are_code_whatever_they_hold(positive: str, printed: str) -> None:
    record = Convention(id="conv-001", rule="x", examples=Examples(positive=positive))

    assert lines_of(record) == "\n".join(["- **conv-001:** x", *([printed] if printed else [])])


@given(text=st.text("a.!?…。！？ \n\r\u2028\t", max_size=12))
def test_a_printed_text_is_one_line_and_a_sentence_ends(text: str) -> None:
    line, ended = one_line(text), sentence(text)

    assert len(line.splitlines()) <= 1
    assert "\t" not in line
    assert ended in (line, f"{line}.")
    assert not ended or ended[-1] in ".!?…。！？"
    assert ended == line or line[-1] not in ".!?…。！？"


def test_line_breaks_become_blanks_and_an_empty_decision_shows_its_title() -> None:
    pattern = AntiPattern(id="ap-001", description="a\n  b", fix_pattern="c\r\nd", severity="high")
    decision = Decision(id="dec-001", title="Only\na title", decision="")

    assert lines_of(pattern) == "- **ap-001 (HIGH):** a b. Instead: c d."
    assert lines_of(decision) == "- **dec-001:** Only a title"


def test_entries_without_text_are_not_composed(tmp_path: Path) -> None:
    files = {
        CONVENTIONS: (
            "conventions:\n  - {id: conv-002}\n  - {id: conv-003, rule: '  '}\n"
            "  - {id: conv-004, examples: {positive: x}}\n  - {id: conv-005, rule: Say it}\n"
        ),
        ANTI_PATTERNS: "anti_patterns:\n  - {id: ap-001, severity: high}\n",
        DECISIONS: "decisions:\n  - {id: dec-001}\n  - {id: dec-002, decision: Use tabs}\n",
    }
    library = project(tmp_path, files)

    prompt = compose(library, Ask(), Estimate())

    assert "conv-005:** Say it\n\n## Key Decisions\n\n- **dec-002:** Use tabs" in prompt.text
    out = {v.ref.id: (v.reason, v.detail) for v in prompt.verdicts if not v.is_in}
    assert out == dict.fromkeys(
        ["conv-002", "conv-003", "conv-004", "ap-001", "dec-001"],
        (Reason.STATUS, "it has no text"),
    )


@pytest.mark.parametrize("mark", ["。", "！", "？"])
def test_a_sentence_that_ends_as_chinese_and_japanese_do_gets_no_second_stop(mark: str) -> None:
    pattern = AntiPattern(id="ap-001", description=f"ログに{mark}", fix_pattern=f"使う{mark}")

    assert lines_of(pattern) == f"- **ap-001 (MEDIUM):** ログに{mark} Instead: 使う{mark}"


def test_tabs_become_blanks_as_line_breaks_do() -> None:
    record = Convention(id="conv-001", rule="a\t\tb \t c\n\td")

    assert lines_of(record) == "- **conv-001:** a b c d"


SPAWN = {
    **FILES,
    ".sniper/spawn-prompts/_template.md": """\
# Teammate: {name}

## Your Role in the Lifecycle
{process_layer}

## Technical Expertise
{technical_layer}

## How You Think
{cognitive_layer}

## Project Memory
{memory_layer}

## Rules for This Session
You own {ownership}. Leave {unknown} alone.
""",
    ".sniper/personas/process/developer.md": "You build. {memory_layer} is text here.\n",
    ".sniper/packs/web/personas/process/developer.md": "You know the web.\n",
    ".sniper/personas/technical/backend.md": "You know queues.\n",
    ".sniper/config.yaml": "ownership: {backend: [src/api, src/jobs], frontend: [src/ui]}\n",
}


def test_the_spawn_prompt_stands_around_memory(tmp_path: Path) -> None:
    library = project(tmp_path, SPAWN)

    prompt = compose(library, Ask(role="backend-engineer"), Estimate())

    head, memory, tail = prompt.text.partition("## Project Memory — Conventions You Must Follow")
    assert (
        head
        == """\
# Teammate: backend-engineer

## Your Role in the Lifecycle
You build. {memory_layer} is text here.

You know the web.

## Technical Expertise
You know queues.

## How You Think
No specific cognitive style assigned. Apply balanced analytical thinking.

## Project Memory
"""
    )
    assert memory
    assert tail.endswith(
        "\n\n## Rules for This Session\nYou own src/api, src/jobs. Leave {unknown} alone."
    )


def test_each_layer_of_a_spawn_prompt_can_be_chosen(tmp_path: Path) -> None:
    template = SPAWN[".sniper/spawn-prompts/_template.md"].replace(
        "## Project Memory", "## Domain Context\n{domain_layer}\n\n## Project Memory"
    )
    more = {
        ".sniper/spawn-prompts/_template.md": template,
        ".sniper/personas/technical/database.md": "You know tables.\n",
        ".sniper/personas/cognitive/security-first.md": "You doubt input.\n",
        ".sniper/domain-packs/phones/context/telephony.md": "Calls ring.\n",
        ".sniper/domain-packs/other/context/telephony.md": "Not this pack.\n",
        ".sniper/config.yaml": SPAWN[".sniper/config.yaml"] + "domain_pack: phones\n",
    }
    library = project(tmp_path, {**SPAWN, **more})
    chosen = {
        "technical": "database",
        "cognitive": "security-first",
        "domain": "telephony",
        "name": "Data Keeper",
        "ownership": "frontend",
    }

    def text(**layers: str) -> tuple[str, tuple[str, ...]]:
        ask = Ask(role="backend-engineer", layers=tuple(layers.items()))
        found = compose(library, ask, Estimate())
        return found.text, found.notes

    whole, notes = text(**chosen)
    assert whole.startswith("# Teammate: Data Keeper\n")
    for part in ("You know tables.", "You doubt input.", "Calls ring.", "You own src/ui."):
        assert part in whole
    assert "Not this pack." not in whole
    assert not notes
    missing, (note,) = text(cognitive="gone", domain="gone")
    assert "No specific cognitive style assigned." in missing
    assert "No domain-specific context available." in missing
    assert "unknown cognitive layer `gone`; choose from `security-first`" in note


@pytest.mark.parametrize(
    "left_out",
    [".sniper/spawn-prompts/_template.md", ".sniper/personas/process/developer.md"],
)
def test_without_template_or_process_layer_there_is_only_memory(
    tmp_path: Path, left_out: str
) -> None:
    files = {name: text for name, text in SPAWN.items() if name != left_out}
    files.pop(".sniper/packs/web/personas/process/developer.md")
    library = project(tmp_path, files)

    assert (
        SNIPER.composer.frame(library.ground, library.sources, Ask(role="backend-engineer")) is None
    )

    ask = Ask(role="backend-engineer", layers=(("cognitive", "deep"), ("name", "Ines")))
    asked = compose(library, ask, Estimate())
    assert any(
        note.startswith("not composed: cognitive `deep`, name `Ines`; there is no ")
        for note in asked.notes
    )


def test_a_role_without_a_technical_layer_or_files_of_its_own_is_told_so(tmp_path: Path) -> None:
    files = {**SPAWN, ".sniper/personas/process/architect.md": "You design.\n"}
    library = project(tmp_path, files)

    frame = SNIPER.composer.frame(library.ground, library.sources, Ask(role="architect"))

    assert frame is not None
    text = "\n".join(segment.text for segment in frame.segments)
    assert "No specific technical expertise assigned." in text
    assert "No specific ownership assigned -- coordinate with team lead" in text


def test_role_names_are_those_of_entries_and_process_layers(tmp_path: Path) -> None:
    library = project(
        tmp_path,
        {**SPAWN, f"{MEMORY}/decisions.yaml": "decisions:\n- {id: dec-001, applies_to: [qa]}\n"},
    )

    names = SNIPER.composer.role_names(library.ground, library.sources)

    assert set(names) == {"developer", "backend-engineer", "frontend-engineer", "qa"}


NEWER = {
    ".sniper/config.yaml": """\
agents:
  base: [analyst, backend-dev]
  mixins: {analyst: [sceptic, gone]}
""",
    ".claude/agents/analyst.md": "---\nname: analyst\nisolation: worktree\n---\n\n# Analyst\n",
    ".claude/agents/backend-dev.md": "Build it.\n",
    ".claude/agents/README.md": "Not an agent.\n",
    ".claude/personas/cognitive/sceptic.md": "Doubt first.\n",
    ".claude/personas/cognitive/other.md": "Not asked for.\n",
    ".sniper/memory/learnings/L-20260504-7be1.yaml": """\
id: L-20260504-7be1
status: active
confidence: 0.5
created_at: "2026-05-04T10:00:00Z"
source: {type: retro}
learning: Freeze time
""",
}


def test_the_newer_generation_composes_agent_mixins_and_learnings(tmp_path: Path) -> None:
    library = project(tmp_path, NEWER)
    ask = Ask(role="analyst")

    prompt = compose(library, ask, Estimate())

    assert prompt.text == ("# Analyst\n\nDoubt first.\n\n## Learnings\n\n- [MEDIUM] Freeze time.")
    (note,) = prompt.notes
    assert note.startswith("the mixin `gone` does not exist; no protocol is in progress")


def test_the_newer_generation_adds_knowledge_before_memory_and_decisions_behind_it(
    tmp_path: Path,
) -> None:
    protocol = ".sniper/artifacts/SNPR-20260504-19aa"
    config = NEWER[".sniper/config.yaml"] + "knowledge: {max_total_tokens: 120}\n"
    asking = "---\nname: analyst\nknowledge_sources: [tides, lost]\n---\n# {protocol_id}\n"
    library = project(
        tmp_path,
        {
            **NEWER,
            ".sniper/config.yaml": config,
            ".claude/agents/analyst.md": asking,
            ".sniper/knowledge/manifest.yaml": """\
sources:
  - {topic: moon, file: moon.md, tokens: 100, tags: [tides]}
  - {topic: tides, file: tides.md, tokens: 30}
  - {topic: other, file: other.md, tokens: 1}
""",
            ".sniper/knowledge/moon.md": "The moon pulls.\n",
            ".sniper/knowledge/tides.md": "High at six.\nLow at noon.\n",
            ".sniper/knowledge/other.md": "Not asked for.\n",
            f"{protocol}/meta.yaml": "status: in_progress\n",
            f"{protocol}/decisions.yaml": """\
decisions:
  - {id: D-design-001, context: "Which store?", resolution: {selected_label: SQLite}}
  - {id: D-design-002, context: "Open still"}
""",
        },
    )

    prompt = compose(library, Ask(role="analyst"), Estimate())

    assert (
        prompt.text
        == """\
# SNPR-20260504-19aa

Doubt first.

## Domain Knowledge

The moon pulls.

High at six.

## Learnings

- [MEDIUM] Freeze time.

## Prior Decisions

- D-design-001: Which store? Decided: SQLite"""
    )
    (note,) = prompt.notes
    assert "the knowledge manifest has no `lost`" in note
    assert "`tides.md` is truncated: domain knowledge has 20 tokens left" in note


def test_the_newer_generation_says_nothing_of_memory_that_it_does_not_keep(tmp_path: Path) -> None:
    library = project(tmp_path, NEWER)

    texts = {
        role: compose(library, Ask(role=role), Estimate()).text
        for role in ("backend-engineer", "nobody")
    }

    assert texts["backend-engineer"].startswith("Build it.\n\n## Learnings")
    assert texts["nobody"].startswith("## Learnings")
    assert ABSENT not in "".join(texts.values())
    assert {"analyst", "backend-dev"} <= set(library.role_names())
    assert "README" not in library.role_names()


def test_both_generations_in_one_root_are_composed_together(tmp_path: Path) -> None:
    library = project(tmp_path, {**FILES, **NEWER})
    ask = Ask(role="analyst")

    text = compose(library, ask, Estimate()).text

    order = [text.index(each) for each in ("# Analyst", "## Project Memory", "## Learnings")]
    assert order == sorted(order)
