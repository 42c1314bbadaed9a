import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import monotonic

import pytest
import yaml
from tests.cli.conftest import Answer, Shell, document_of, write

RETRO_4 = ".sniper/memory/retros/sprint-4-retro.yaml"
RETRO_9 = ".sniper/memory/retros/sprint-9-retro.yaml"
STORIES = """\
stories:
  - {id: STORY-1, points: 3, status: done}
  - {id: STORY-2, points: 2, status: done}
  - {id: STORY-3, points: 1, status: carried over}
"""
GATE = """\
WARN ap-001: Reading the clock — 3 matches (src/a.py:3)
WARN conv-009: Names are verbs — 1 match (src/b.py:3)
"""
ANSWER = """\
findings:
  new_conventions:
    - rule: "Importers log what they skip"
      confidence: high
      evidence: "2 of 2 stories"
      recommendation: codify
      applies_to: [backend-engineer]
  positive_patterns: ["Small commits"]
"""
Agent = Callable[[str], None]


def git(root: Path, *arguments: str) -> None:
    subprocess.run(
        ["git", "-C", str(root), *arguments],
        check=True,
        capture_output=True,
        env={
            **os.environ,
            "GIT_CONFIG_GLOBAL": os.devnull,
            **{f"GIT_{who}_NAME": "Mara" for who in ("AUTHOR", "COMMITTER")},
            **{f"GIT_{who}_EMAIL": "mara@example.org" for who in ("AUTHOR", "COMMITTER")},
        },
    )


@pytest.fixture
def sprint(shop: Shell) -> Shell:
    """The shop under git, after a sprint of two stories."""
    git(shop.root, "init", "-q", "-b", "main")
    git(shop.root, "add", ".")
    git(shop.root, "commit", "-q", "-m", "Begin")
    for number in (1, 2):
        write(shop.root, {f"src/story{number}.py": "line\n" * 40 * number})
        git(shop.root, "add", ".")
        git(shop.root, "commit", "-q", "-m", f"Work\n\nStory: STORY-{number}")
    write(shop.root, {"stories.yaml": STORIES, "gate.md": GATE})
    return shop


@pytest.fixture
def agent(sprint: Shell) -> Agent:
    """Write a program and make it the user's agent command."""

    def write_agent(text: str, timeout: int = 20) -> None:
        folder = sprint.home / ".config" / "remem"
        command = json.dumps([sys.executable, "-S", "agent.py"])
        settings = f"agent: {{command: {command}, timeout: {timeout}}}\n"
        script = f"import os, signal, sys, time\n{text}\n"
        write(folder, {"config.yaml": settings, "agent.py": script})

    return write_agent


def run(shell: Shell, *arguments: str) -> Answer:
    files = {name: str(shell.root / name) for name in ("stories.yaml", "gate.md")}
    given = ("--stories", files["stories.yaml"], "--gate", files["gate.md"])
    return shell("retro", "run", "--sprint", "4", *given, *arguments)


def test_without_an_agent_the_measured_parts_are_written_and_it_is_said(sprint: Shell) -> None:
    answer = run(sprint)

    assert answer.code == 0, answer.err
    retro = yaml.safe_load(sprint.bytes_of(RETRO_4))
    assert (retro["stories_completed"], retro["stories_carried_over"]) == (2, 1)
    assert retro["findings"]["new_conventions"] == []
    assert retro["findings"]["positive_patterns"] == []
    assert retro["findings"]["review_gate_failures"] == [
        {
            "check": "ap-001",
            "failures": 3,
            "pattern": "Reading the clock inside domain code",
            "already_tracked": True,
        },
        {
            "check": "conv-009",
            "failures": 1,
            "pattern": "Names are verbs",
            "already_tracked": False,
        },
    ]
    assert retro["measured"]["commits"] == 2
    assert [s.get("added") for s in retro["measured"]["stories"]] == [40, 80, 0]
    assert retro["measured"]["estimated"] == 5
    assert "no agent command is configured" in answer.err
    assert "no agent command was asked" in sprint.bytes_of(RETRO_4).decode()
    assert "`remem retro ingest --sprint 4` is the next step" in answer.err


def test_the_range_begins_where_the_retro_before_was_committed(sprint: Shell) -> None:
    answer = run(sprint)

    assert "looked at 2 commits and 2 stories" in answer.err


def test_the_range_may_be_named(sprint: Shell) -> None:
    run(sprint, "--range", "HEAD~1..HEAD")

    measured = yaml.safe_load(sprint.bytes_of(RETRO_4))["measured"]
    assert (measured["range"], measured["commits"]) == ("HEAD~1..HEAD", 1)


@pytest.mark.parametrize("further", [(), ("--range", "HEAD..HEAD"), ("--prompt-only",)])
def test_a_retro_that_would_hold_nothing_is_not_written_and_nobody_is_asked(
    sprint: Shell, agent: Agent, further: tuple[str, ...]
) -> None:
    agent(f"open('asked', 'w')\nprint({ANSWER!r})")

    answer = sprint("retro", "run", "--sprint", "9", *further)

    assert answer.code == 2
    assert "no data for sprint 9: no commits" in answer.err
    assert "`--range A..B` names its commits" in answer.err
    assert not (sprint.root / ".sniper/memory/retros/sprint-9-retro.yaml").exists()
    assert not (sprint.home / ".config" / "remem" / "asked").exists()


def test_without_a_retro_before_the_commits_are_those_that_name_the_stories(sprint: Shell) -> None:
    stories = str(sprint.root / "stories.yaml")

    answer = sprint("retro", "run", "--sprint", "9", "--stories", stories)

    assert answer.code == 0, answer.err
    measured = yaml.safe_load(sprint.bytes_of(RETRO_9))["measured"]
    assert (measured["commits"], "unassigned" in measured and measured["unassigned"]) == (2, 0)
    assert "commits that name its stories" in answer.err


def test_pages_of_stories_that_name_the_sprint_are_its_stories(sprint: Shell) -> None:
    page = "> **Status:** {}\n\n# Story {}\n\n> **Complexity:** M\n"
    write(
        sprint.root,
        {
            "docs/stories/S01-scaffold.md": page.format("Complete (Sprint 9)", "S01"),
            "docs/stories/S02-rules.md": "---\nid: S02\nsprint: 9\npoints: 3\n---\n# Rules\n",
            "docs/stories/S03-later.md": page.format("Planned", "S03"),
        },
    )
    git(sprint.root, "commit", "-q", "--allow-empty", "-m", "feat: begin sprint 9 (S01, S02)")

    answer = sprint("retro", "run", "--sprint", "9")

    assert answer.code == 0, answer.err
    retro = yaml.safe_load(sprint.bytes_of(RETRO_9))
    told = [(each["story"], each.get("points")) for each in retro["measured"]["stories"]]
    assert told == [("S01", None), ("S02", 3.0)]
    assert retro["stories_completed"] == 1


def test_commits_that_name_no_story_complete_none_and_leave_the_number_out(sprint: Shell) -> None:
    git(sprint.root, "commit", "-q", "--allow-empty", "-m", "Tidy up")

    answer = sprint("retro", "run", "--sprint", "9", "--range", "HEAD~1..HEAD")

    assert answer.code == 0, answer.err
    retro = yaml.safe_load(sprint.bytes_of(RETRO_9))
    assert "stories_completed" not in retro
    assert "1 commit of 1 (100 %) belongs to no story" in answer.err
    assert "count as completed" not in answer.err


def test_a_folder_of_stories_may_be_named_and_is_where_the_refusal_points(sprint: Shell) -> None:
    folder = ".sniper/artifacts/SNPR-20260309-c7d1/stories"
    write(sprint.root, {f"{folder}/S01-scaffold.md": "# S01\n\n**Story ID:** S01\n"})

    refused = sprint("retro", "run", "--sprint", "9")
    git(sprint.root, "commit", "-q", "--allow-empty", "-m", "feat(S01): scaffold")
    answer = sprint("retro", "run", "--sprint", "9", "--stories", str(sprint.root / folder))

    assert f"`--stories {folder}`" in refused.err
    assert answer.code == 0, answer.err
    assert "looked at 1 commit and 1 story" in answer.err


def test_stories_that_no_commit_names_are_told_with_what_was_looked_at(sprint: Shell) -> None:
    pages = {f"docs/stories/S0{n}-page.md": f"# Story S0{n}\n" for n in range(1, 6)}
    write(sprint.root, pages)

    answer = sprint("retro", "run", "--sprint", "9", "--stories", str(sprint.root / "docs/stories"))

    assert answer.code == 2
    assert "3 commits read, none names one of the 5 stories (`S01`, `S02`, `S03`, …)" in answer.err
    assert "no phase `sprint-9` with a date in `.sniper/config.yaml`" in answer.err
    assert "5 stories without a status" in answer.err
    assert "`--range A..B` names its commits" in answer.err
    assert not (sprint.root / RETRO_9).exists()


def test_a_retro_of_stories_with_a_status_says_why_it_has_no_commits(sprint: Shell) -> None:
    page = "---\nid: S7\nstatus: done\n---\n# Rules\n"
    name = "docs/stories/S7-rules.md"
    write(sprint.root, {name: page})

    answer = sprint("retro", "run", "--sprint", "9", "--stories", str(sprint.root / name))

    assert answer.code == 0, answer.err
    assert "no commits found: sprint 8 has no retro; 3 commits read, none names `S7`" in answer.err
    assert yaml.safe_load(sprint.bytes_of(RETRO_9))["stories_completed"] == 1


def test_the_dates_that_sniper_s_state_gives_are_the_sprint_s(sprint: Shell) -> None:
    state = "state:\n  phase_history:\n    - {phase: sprint-9, started_at: 2020-01-01T00:00:00Z}\n"
    write(sprint.root, {".sniper/config.yaml": state})

    answer = sprint("retro", "run", "--sprint", "9")

    assert answer.code == 0, answer.err
    assert "looked at 3 commits" in answer.err
    assert "as `.sniper/config.yaml` dates the sprint" in answer.err


def test_a_retro_without_decisions_is_made_again_and_undo_brings_the_first_back(
    sprint: Shell, agent: Agent
) -> None:
    run(sprint)
    first = sprint.bytes_of(RETRO_4)
    agent(f"print({ANSWER!r})")

    refused = run(sprint)
    shown = run(sprint, "--prompt-only")
    again = run(sprint, "--again")
    second = sprint.bytes_of(RETRO_4)
    undone = sprint("undo")

    assert (refused.code, shown.code, again.code) == (0, 0, 0), (shown.err, again.err)
    assert "`--again` replaces it" in refused.err
    assert b"Importers log what they skip" in second
    assert b"Importers log what they skip" not in first
    assert undone.code == 0
    assert sprint.bytes_of(RETRO_4) == first


def test_a_retro_with_decisions_is_not_made_again(sprint: Shell, agent: Agent) -> None:
    agent(f"print({ANSWER!r})")
    run(sprint)
    waiting = json.loads(sprint("queue", "--json").out)["items"]
    finding = next(each for each in waiting if "Importers log" in each["title"])
    sprint("approve", finding["id"])
    before = sprint.bytes_of(RETRO_4)

    answer = run(sprint, "--again")

    assert answer.code == 2
    assert "already has decisions" in answer.err
    assert sprint.bytes_of(RETRO_4) == before


def test_a_retro_that_a_person_wrote_is_never_made_again(sprint: Shell) -> None:
    retro = ".sniper/memory/retros/sprint-3-retro.yaml"
    before = sprint.bytes_of(retro)

    answer = sprint("retro", "run", "--sprint", "3", "--again", "--range", "HEAD~1..HEAD")

    assert answer.code == 2
    assert "was not made by `remem retro run`" in answer.err
    assert sprint.bytes_of(retro) == before


def test_without_a_repository_the_rest_is_still_measured(shop: Shell) -> None:
    write(shop.root, {"gate.md": GATE})

    answer = shop("retro", "run", "--sprint", "4", "--gate", str(shop.root / "gate.md"))

    assert answer.code == 0, answer.err
    assert b"Names are verbs" in shop.bytes_of(RETRO_4)
    assert "no commits found" in answer.err


def test_what_the_agent_finds_stands_in_the_retro(sprint: Shell, agent: Agent) -> None:
    agent(f"assert 'STORY-1' in sys.stdin.read()\nprint('Sure!\\n```yaml\\n' + {ANSWER!r} + '```')")

    answer = run(sprint)

    assert answer.code == 0, answer.err
    retro = yaml.safe_load(sprint.bytes_of(RETRO_4))
    [convention] = retro["findings"]["new_conventions"]
    assert convention["rule"] == "Importers log what they skip"
    assert convention["recommendation"] == "codify"
    assert retro["findings"]["positive_patterns"] == ["Small commits"]
    assert "asking" in answer.err
    shown = sprint("retro", "show", "4", "--json").document
    assert shown["findings"][0]["title"] == "Importers log what they skip"
    assert shown["retro"]["problems"] == []


def test_the_change_can_be_undone(sprint: Shell) -> None:
    before = sorted(sprint.root.glob(".sniper/**/*"))
    run(sprint)

    answer = sprint("undo")

    assert answer.code == 0, answer.err
    assert sorted(sprint.root.glob(".sniper/**/*")) == before


def test_a_dry_run_shows_the_file_and_writes_nothing(sprint: Shell, agent: Agent) -> None:
    agent(f"print({ANSWER!r})")
    before = sprint.digest()

    answer = run(sprint, "--dry-run", "--json")

    document = document_of(answer, "change")
    assert '+    - rule: "Importers log what they skip"' in document["change"]["effects"][0]["diff"]
    assert not document["written"]
    assert sprint.digest() == before


def test_the_prompt_alone_is_printed_and_nobody_asked(sprint: Shell, agent: Agent) -> None:
    agent("open('asked', 'w')")
    before = sprint.digest()

    plain, as_json = run(sprint, "--prompt-only"), run(sprint, "--prompt-only", "--json")

    assert (plain.code, as_json.code) == (0, 0), plain.err
    assert document_of(as_json, "retro-prompt")["prompt"] == plain.out
    assert "STORY-2 | 2 |" in plain.out
    assert "Every queue consumer is idempotent" in plain.out
    assert "+line" in plain.out
    assert sprint.digest() == before


def test_an_answer_may_come_from_a_file(sprint: Shell, agent: Agent) -> None:
    agent("open('asked', 'w')")
    write(sprint.root, {"answer.txt": f"Here you are\n\n{ANSWER}"})

    answer = run(sprint, "--answer", str(sprint.root / "answer.txt"))

    assert answer.code == 0, answer.err
    assert b"Importers log what they skip" in sprint.bytes_of(RETRO_4)
    assert not (sprint.home / ".config" / "remem" / "asked").exists()


def test_an_answer_that_is_not_utf_8_is_bad_input(sprint: Shell) -> None:
    (sprint.root / "answer.txt").write_bytes(ANSWER.encode() + b"caf\xe9\n")
    before = sprint.digest()

    answer = run(sprint, "--answer", str(sprint.root / "answer.txt"))

    assert answer.code == 2
    assert "not UTF-8 text" in answer.err
    assert sprint.digest() == before


def test_a_bad_answer_from_a_file_is_bad_input(sprint: Shell) -> None:
    write(sprint.root, {"answer.txt": "findings: [\n"})
    before = sprint.digest()

    answer = run(sprint, "--answer", str(sprint.root / "answer.txt"))

    assert answer.code == 2
    assert "not YAML in line" in answer.err
    assert sprint.digest() == before


@pytest.mark.parametrize(
    ("program", "words"),
    [
        pytest.param("sys.exit(3)", "exited with code 3", id="fails"),
        pytest.param("pass", "printed nothing", id="nothing"),
        pytest.param("print('All is well.')", "no `findings`", id="prose"),
        pytest.param("print('findings:\\n  a: b: c')", "not YAML in line 2", id="broken-yaml"),
        pytest.param("sys.stdout.buffer.write(b'\\xff')", "not UTF-8", id="not-utf-8"),
        pytest.param("print('x' * 2_000_000)", "more than 1,048,576 bytes", id="flood"),
        pytest.param("time.sleep(60)", "within 1 s", id="hangs"),
    ],
)
def test_an_agent_that_fails_ends_with_four_and_nothing_is_written(
    sprint: Shell, agent: Callable[..., None], program: str, words: str
) -> None:
    agent(program, timeout=1 if "sleep" in program else 20)
    before = sprint.digest()

    answer = run(sprint, "--json")

    assert answer.code == 4
    error = document_of(answer, "error")["error"]
    assert error["code"] == "agent-failed"
    assert words in error["message"]
    assert error["hint"]
    assert sprint.digest() == before


def test_an_answer_that_cannot_be_read_is_asked_for_once_more(sprint: Shell, agent: Agent) -> None:
    agent(
        f"again = 'could not be used' in sys.stdin.read()\nprint({ANSWER!r} if again else 'Sure!')"
    )

    answer = run(sprint)

    assert answer.code == 0, answer.err
    assert b"Importers log what they skip" in sprint.bytes_of(RETRO_4)
    assert "trying again" in answer.err


def test_a_retro_that_is_there_stays_and_nobody_is_asked(sprint: Shell, agent: Agent) -> None:
    agent(f"open('asked', 'w')\nprint({ANSWER!r})")
    before = sprint.bytes_of(".sniper/memory/retros/sprint-3-retro.yaml")

    answer = sprint("retro", "run", "--sprint", "3")

    assert answer.code == 0
    assert "sprint 3 already has a retro" in answer.err
    assert "`remem retro ingest`" in answer.err
    assert sprint.bytes_of(".sniper/memory/retros/sprint-3-retro.yaml") == before
    assert not (sprint.home / ".config" / "remem" / "asked").exists()


@pytest.mark.parametrize("name", ["retros/sprint-4-retro.yml", "retros/fourth.yaml"])
def test_a_retro_of_that_sprint_under_another_name_counts(sprint: Shell, name: str) -> None:
    write(sprint.root, {f".sniper/memory/{name}": "sprint: 4\nfindings: {}\n"})

    answer = run(sprint)

    assert answer.code == 0
    assert "sprint 4 already has a retro" in answer.err
    assert not (sprint.root / RETRO_4).exists()


def test_a_root_cannot_name_the_agent_command(sprint: Shell) -> None:
    trap = json.dumps([sys.executable, "-c", "open('sprung', 'w'); print('findings: {}')"])
    write(sprint.root, {".remem/config.yaml": f"agent: {{command: {trap}}}\n"})

    answer = run(sprint)

    assert answer.code == 0, answer.err
    assert "no agent command is configured" in answer.err
    assert not list(sprint.root.rglob("sprung"))
    assert not list(sprint.home.rglob("sprung"))


def test_escape_sequences_of_an_answer_reach_neither_terminal_nor_file(
    sprint: Shell, agent: Agent
) -> None:
    agent(
        "print('findings:')\n"
        "print('  positive_patterns: [\"a\\\\e[2Jb\"]')\n"
        "print('  \"new\\\\e[31mkind\": []')\n"
        "sys.stderr.write('\\x1b[2J')"
    )

    answer = run(sprint)

    assert answer.code == 0, answer.err
    assert "\x1b" not in answer.err + answer.out
    assert b"\x1b" not in sprint.bytes_of(RETRO_4)
    found = yaml.safe_load(sprint.bytes_of(RETRO_4))["findings"]["positive_patterns"]
    assert found == ["a\x1b[2Jb"]
    assert "it needs your review" in answer.err


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["--stories", "gate.md"], id="stories"),
        pytest.param(["--gate", "stories.yaml"], id="gate"),
        pytest.param(["--gate", "nowhere.md"], id="missing"),
        pytest.param(["--range", "main"], id="range"),
        pytest.param(["--range", "v1..v2"], id="unknown-range"),
        pytest.param(["--answer", "gate.md", "--prompt-only"], id="both"),
        pytest.param(["--sprint", "-1"], id="sprint"),
    ],
)
def test_bad_input_is_refused_with_a_hint_before_anything_is_written(
    sprint: Shell, arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(sprint.root)
    before = sprint.digest()

    answer = sprint("retro", "run", "--sprint", "4", *arguments)

    assert answer.code == 2
    assert answer.err.startswith("error: ")
    assert sprint.digest() == before


def test_a_folder_without_memory_is_told_what_makes_it(empty: Shell) -> None:
    answer = empty("retro", "run", "--sprint", "1")

    assert answer.code == 2
    assert "`remem init`" in answer.err
    assert list(empty.root.iterdir()) == []


def test_a_repository_without_memory_gets_its_folder_with_its_first_retro(empty: Shell) -> None:
    for step in (("init", "-q"), ("commit", "-q", "--allow-empty", "-m", "PAY-1: first")):
        git(empty.root, *step)

    answer = empty("retro", "run")

    assert answer.code == 0
    assert (empty.root / ".sniper/memory/retros/sprint-1-retro.yaml").exists()
    assert "sprint-1-retro" in empty("retro", "list").out


def test_a_first_retro_is_made_again_of_all_commits(empty: Shell) -> None:
    for step in (("init", "-q"), ("commit", "-q", "--allow-empty", "-m", "PAY-1: first")):
        git(empty.root, *step)
    assert empty("retro", "run").code == 0
    git(empty.root, "commit", "-q", "--allow-empty", "-m", "PAY-2: second")

    again = empty("retro", "run", "--again")

    assert again.code == 0
    assert "looked at 2 commits" in again.err
    assert [path.name for path in (empty.root / ".sniper/memory/retros").iterdir()] == [
        "sprint-1-retro.yaml"
    ]


HEEDING = """
import os, signal, sys
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, signal.SIG_DFL)
os.execv(sys.executable, [sys.executable, "-m", "remem", *sys.argv[1:]])
"""
"""Tests that run in the background hand on that such signals are ignored."""


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_who_ends_remem_ends_the_agent_too(
    sprint: Shell, agent: Agent, ending: signal.Signals
) -> None:
    agent(
        "signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "open('process', 'w').write(f'{os.getpid()}\\n')\ntime.sleep(60)"
    )
    noted = sprint.home / ".config" / "remem" / "process"
    places = ["--root", str(sprint.root), "--home", str(sprint.home)]
    running = subprocess.Popen(
        [sys.executable, "-c", HEEDING, *places, "retro", "run", "--sprint", "4"],
        stderr=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    assert until(lambda: noted.exists() and noted.read_text().endswith("\n"))

    running.send_signal(ending)

    assert running.wait(10) == 130
    process = Path(f"/proc/{noted.read_text().strip()}")
    assert until(lambda: not process.exists())
    assert not (sprint.root / RETRO_4).exists()


def until(is_so: Callable[[], bool]) -> bool:
    """Wait until something holds; give up after a while."""
    end = monotonic() + 120
    while monotonic() < end:
        if is_so():
            return True
        os.sched_yield()
    return False


def test_without_a_number_it_is_the_sprint_after_the_last_that_has_a_retro(sprint: Shell) -> None:
    answer = sprint("retro", "run", "--stories", str(sprint.root / "stories.yaml"))

    assert answer.code == 0, answer.err
    assert "sprint 4 (the one after `sprint-3-retro`); `--sprint N` chooses another" in answer.err
    assert yaml.safe_load(sprint.bytes_of(RETRO_4))["sprint"] == 4


def test_a_project_of_protocols_needs_neither_number_nor_stories(empty: Shell) -> None:
    folder = ".sniper/artifacts/SNPR-20260309-c7d1/stories"
    page = "---\nid: S0{0}\ntitle: Moor\nstatus: pending\n---\n"
    write(
        empty.root,
        {
            ".sniper/config.yaml": "protocols: {}\n",
            ".sniper/memory/velocity.yaml": "executions: []\n",
            **{f"{folder}/S0{n}-moor.md": page.format(n) for n in (1, 2)},
        },
    )
    git(empty.root, "init", "-q", "-b", "main")
    git(empty.root, "add", ".")
    git(empty.root, "commit", "-q", "-m", "Begin")
    for number in (1, 2):
        write(empty.root, {f"src/{number}.ts": "a\n"})
        git(empty.root, "add", ".")
        git(empty.root, "commit", "-q", "-m", f"feat(S0{number}): moor")

    answer = empty("retro", "run")

    assert answer.code == 0, answer.err
    assert "sprint 1 (no sprint has a retro yet)" in answer.err
    assert f"stories: those of `{folder}`" in answer.err
    retro = yaml.safe_load(empty.bytes_of(".sniper/memory/retros/sprint-1-retro.yaml"))
    assert (retro["stories_completed"], retro["measured"]["commits"]) == (2, 2)


def test_commits_are_told_by_twelve_digits_and_kept_whole(sprint: Shell) -> None:
    ids = subprocess.run(
        ["git", "-C", str(sprint.root), "rev-list", "HEAD"], capture_output=True, text=True
    ).stdout.split()

    answer = run(sprint, "--range", f"{ids[-1]}..{ids[0]}")

    assert f"in `{ids[-1][:12]}..{ids[0][:12]}`" in answer.err
    assert yaml.safe_load(sprint.bytes_of(RETRO_4))["measured"]["head"] == ids[0]


def test_the_first_retro_of_a_young_repository_is_about_all_of_its_commits(empty: Shell) -> None:
    git(empty.root, "init", "-q", "-b", "main")
    for number in (1, 2, 3):
        write(empty.root, {f"src/{number}.ts": "a\n"})
        git(empty.root, "add", ".")
        git(empty.root, "commit", "-q", "-m", f"PAY-{number} a step")

    answer = empty("retro", "run", "--prompt-only")

    assert answer.code == 0, answer.err
    assert "commits: root..HEAD (all: no other sprint has a retro)" in answer.err
    assert "looked at 3 commits" in answer.err


def test_the_first_retro_of_a_long_history_is_about_its_last_two_weeks(empty: Shell) -> None:
    git(empty.root, "init", "-q", "-b", "main")
    day, first = 86_400, 1_700_000_000
    commits = "".join(
        f"commit refs/heads/main\ncommitter A <a@example.invalid> {first + day * number} +0000\n"
        f"data 4\nstep\nM 644 inline src/{number}.ts\ndata 2\na\n\n"
        for number in range(501)
    )
    subprocess.run(
        ["git", "-C", str(empty.root), "fast-import", "--quiet"],
        input=commits.encode(),
        check=True,
    )

    answer = empty("retro", "run", "--prompt-only")

    assert answer.code == 0, answer.err
    assert "(its last two weeks: no other sprint has a retro)" in answer.err
    assert "looked at 14 commits" in answer.err
