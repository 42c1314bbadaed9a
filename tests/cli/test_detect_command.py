"""`detect` and `check --ask-agent`: what a machine checks, and what an agent thinks."""

import json
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.conftest import Answer, Shell, document_of, write
from tests.cli.test_check_command import git

from remem.core.checks.detect_in_code import Codebase
from remem.store.io import Disk
from remem.systems.sniper.records import Convention
from remem.views.entries.detect import look, looked_lines

ANTI_PATTERNS = """\
# Ours.
anti_patterns:
  - id: ap-001
    description: "Queries in route handlers"   # since sprint 3
    detection_hint: "imports from prisma/drizzle/knex in files under routes/ or handlers/"
    severity: high
  - id: ap-002
    description: "Catching errors silently"
    detection_hint: "catch blocks with empty bodies or only user-facing error returns"
  - {id: ap-003, description: "Long functions", detection_hint: "read it"}
  - id: ap-004
    description: "Printing"
    detection_hint: "print statements"
    status: candidate
"""
CODE = 'import { db } from "@prisma/client";\ntry { a() } catch (e) {}\n'


@pytest.fixture
def hinted(shop: Shell) -> Shell:
    """The shop with hints that can be read and code that they speak against."""
    write(shop.root, {".sniper/memory/anti-patterns.yaml": ANTI_PATTERNS, "routes/a.ts": CODE})
    return shop


@pytest.fixture
def service(hinted: Shell) -> Shell:
    """The same under git."""
    git(hinted.root, "init", "-q", "-b", "main")
    git(hinted.root, "add", "-A")
    git(hinted.root, "commit", "-q", "-m", "Begin")
    return hinted


def waiting(shell: Shell) -> dict[str, str]:
    """Return what waits to be checked by machine: ref → suggested verb."""
    items = document_of(shell("queue", "--json"), "queue")["items"]
    return {each["ref"]: each["suggested"] for each in items if "automatically" in each["why"]}


def test_only_rules_in_force_whose_hint_reads_exactly_wait(hinted: Shell) -> None:
    assert waiting(hinted) == {"sniper:ap-001": "approve", "sniper:ap-002": ""}


def test_a_proposal_is_shown_with_its_matches_and_writes_nothing(service: Shell) -> None:
    before = service.digest()

    answer = service("detect", "ap-001", "--json")

    found = document_of(answer, "detect")
    assert found["origin"] == "proposed"
    assert [(each["path"], each["line"]) for each in found["matches"]] == [("routes/a.ts", 1)]
    assert found["whole"]
    assert "not covered: user-facing" in service("detect", "ap-002").out
    assert service.digest() == before


def test_approving_writes_the_check_and_not_another_byte(service: Shell) -> None:
    before = service.bytes_of(".sniper/memory/anti-patterns.yaml")

    assert service("approve", "sniper:ap-001").code == 0

    after = service.bytes_of(".sniper/memory/anti-patterns.yaml")
    start = before.index(b"    severity: high\n") + len(b"    severity: high\n")
    end = len(after) - (len(before) - start)
    assert (after[:start], after[end:]) == (before[:start], before[start:])
    assert after[start:end].startswith(b"    detect:\n      files:\n")
    assert "WARN ap-001" in service("check", "--all").out
    assert waiting(service) == {"sniper:ap-002": ""}
    assert service("undo").code == 0
    assert service.bytes_of(".sniper/memory/anti-patterns.yaml") == before


def test_a_proposal_that_was_rejected_does_not_come_back(hinted: Shell) -> None:
    before = hinted.bytes_of(".sniper/memory/anti-patterns.yaml")

    hinted("reject", "sniper:ap-002", "--reason", "too little")

    assert waiting(hinted) == {"sniper:ap-001": "approve"}
    assert hinted.bytes_of(".sniper/memory/anti-patterns.yaml") == before
    hinted("undo")
    assert "sniper:ap-002" in waiting(hinted)


def test_a_check_of_ones_own_is_tried_and_then_written(service: Shell) -> None:
    asked = ("detect", "ap-003", "--forbid", r"a\(\)", "--files", "routes/*", "--message", "no")

    tried = service(*asked)
    plan = service(*asked, "--dry-run")
    written = service(*asked, "--apply")

    assert "routes/a.ts:2" in tried.out
    assert '+  - {id: ap-003, description: "Long functions"' in plan.out
    assert written.code == 0
    assert document_of(service("detect", "ap-003", "--json"), "detect")["origin"] == "own"
    assert "routes/a.ts:2): no" in service("check", "--all").out


def test_another_check_says_that_it_replaces_one_and_the_same_that_it_is_there(
    service: Shell,
) -> None:
    asked = ("detect", "ap-003", "--forbid", r"a\(\)", "--files", "routes/*", "--apply")
    assert "Added check" in service(*asked).out

    again = service(*asked)
    other = service("detect", "ap-003", "--forbid", r"b\(\)", "--apply")

    assert r"already has this check: forbids a\(\), in routes/*" in again.err
    assert "Replaced check of" in other.out
    assert r"the check of `sniper:ap-003` was: forbids a\(\), in routes/*" in other.err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("ap-003", "--forbid", "("), "not a valid pattern"),
        (("ap-003", "--forbid", "x", "--require", "y"), "exclude each other"),
        (("ap-003", "--forbid", "x", "--ast", "klingon"), "not a supported language"),
        (
            ("ap-003", "--forbid", "a = 1\nb = 2", "--ast", "python"),
            "not a single expression in python",
        ),
        (("ap-003", "--ast", "python"), "add `--forbid`"),
        (("ap-003", "--apply"), "nothing new to write"),
        (("ap-003", "--forbid", "a\u200bb", "--apply"), "hidden"),
        (("ap-999",), "ap-999"),
        (("persona:Rosa",), "Rosa"),
    ],
)
def test_what_is_no_check_is_refused_in_words(
    hinted: Shell, options: tuple[str, ...], words: str
) -> None:
    if "--ast" in options:
        pytest.importorskip("ast_grep_py")
    before = hinted.digest()

    answer = hinted("detect", *options)

    assert answer.code != 0
    assert words in answer.err
    assert hinted.digest() == before


@pytest.mark.parametrize(
    ("options", "is_told"),
    [
        (["--forbid", "gone"], True),
        (["--forbid", "gone", "--within", "code", "--within", "comments"], True),
        (["--forbid", "gone", "--within", "code"], False),
        (["--forbid", "# gone"], False),
    ],
    ids=["everywhere", "in two parts", "in code", "about comments"],
)
def test_matches_in_comments_are_told_of_a_pattern_that_a_person_writes(
    service: Shell, options: list[str], is_told: bool
) -> None:
    write(service.root, {"src/a.py": "gone()\n# gone for good\nx = 1  # gone\n"})

    answer = service("detect", "ap-003", *options, "--files", "src/*.py")

    said = "2 of 3 matches are in comments or strings; `--within code` excludes them"
    assert (said in answer.err) is is_told


@pytest.mark.parametrize(
    ("pattern", "is_told"), [(r"\)\s*x", True), (r"\)[ \t]*x", False), (r"\)[\s]*x", False)]
)
def test_matches_that_run_over_a_line_end_are_told_of_a_pattern_that_a_person_writes(
    service: Shell, pattern: str, is_told: bool
) -> None:
    write(service.root, {"src/a.py": "gone() x\ngone()\nx = 1\n"})

    answer = service(
        "detect", "ap-003", "--forbid", pattern, "--files", "src/*.py", "--within", "code"
    )

    assert (r"1 of 2 matches run over a line end; `[ \t]` in place" in answer.err) is is_told


def test_what_a_pattern_requires_is_told_as_missing(service: Shell) -> None:
    write(service.root, {"src/a.py": "x = 1\n", "src/b.py": "# New.\n"})

    answer = service("detect", "ap-003", "--require", "# New", "--files", "src/[ab].py")

    assert "missing in 1 of 2 files\n  src/a.py\n" in answer.out


def test_the_screen_tells_of_matches_in_comments_too(service: Shell) -> None:
    write(service.root, {"src/a.py": "gone()\n# gone for good\nx = 1  # gone\n"})
    record = Convention(id="conv-001", rule="Nothing is gone")
    typed = {"forbid": "gone", "files": "src/*.py"}

    found = look(Codebase(Disk(), service.root), record, typed, lambda: False)

    (said,) = [line.text for line in looked_lines(found) if "comments" in line.text]
    assert said == "2 of 3 matches are in comments or strings; `only in: code` excludes them"


def test_a_pattern_that_backtracks_forever_is_stopped_and_told(service: Shell) -> None:
    write(service.root, {f"src/{number}.py": "a" * 60 + "!\n" for number in range(40)})
    begun = time.process_time()

    answer = service("detect", "ap-003", "--forbid", "^(a|a)*$")

    assert "more than 100 ms" in answer.out
    assert "timed out in 3 earlier files" in answer.out
    assert time.process_time() - begun < 5


def test_without_a_repository_it_says_that_no_code_was_looked_at(shop: Shell) -> None:
    write(shop.root, {".sniper/memory/anti-patterns.yaml": ANTI_PATTERNS})

    answer = shop("detect", "ap-001")

    assert answer.code == 0
    assert "not a git repository" in answer.err
    assert "match" not in answer.out


Asks = Callable[[str], None]


@pytest.fixture
def agent(service: Shell) -> Asks:
    """Make a program the user's agent command; it prints what it is told to."""

    def write_agent(program: str) -> None:
        folder = service.home / ".config" / "remem"
        command = json.dumps([sys.executable, "-S", "agent.py"])
        settings = f"agent: {{command: {command}, timeout: 20}}\n"
        write(folder, {"config.yaml": settings, "agent.py": f"import sys\n{program}\n"})

    return write_agent


def opinion(verdict: str, *lines: str) -> str:
    said = [{"rule": "ap-003", "verdict": verdict, "because": "it is long", "lines": list(lines)}]
    return f"sys.stdin.read()\nprint({json.dumps(json.dumps(said))})"


def asked(service: Shell, *options: str) -> Answer:
    write(service.root, {"src/new.py": "x = 1\ny = 2\n"})
    return service("check", "--ask-agent", *options)


def test_an_opinion_is_shown_apart_and_does_not_change_the_exit_code(
    service: Shell, agent: Asks
) -> None:
    agent(opinion("breaks", "src/new.py:2", "src/new.py:77"))

    answer = asked(service)

    assert answer.code == 0
    assert "Opinion of the agent, not checked" in answer.out
    words = "OPINION ap-003: Long functions — thinks it is violated: it is long (src/new.py:2)"
    assert words in answer.out
    assert "`src/new.py:77`, which is not a line of the change" in answer.out
    assert re.search(r"SKIP \d rules? not checked: .*\(.*ap-003", answer.out)


@pytest.mark.parametrize(
    ("said", "code"),
    [
        (opinion("breaks", "src/new.py:1"), 1),
        (opinion("breaks", "src/old.py:1"), 0),
        (opinion("keeps"), 0),
    ],
    ids=["founded", "unfounded", "kept"],
)
def test_only_a_founded_opinion_fails_the_gate_and_only_when_asked_to(
    service: Shell, agent: Asks, said: str, code: int
) -> None:
    agent(said)

    assert asked(service, "--fail-on-opinion").code == code


def test_an_answer_may_stand_in_a_file_and_the_question_can_be_read(service: Shell) -> None:
    said = json.dumps([{"rule": "ap-003", "verdict": "unsure"}])
    write(service.root, {"src/new.py": "x = 1\n", "../answer.json": said})

    prompt = service("check", "--prompt-only")
    answer = service("check", "--answer", str(service.root.parent / "answer.json"), "--json")

    assert "1: x = 1" in prompt.out
    assert "ap-003" in prompt.out
    (found,) = document_of(answer, "check")["opinions"]
    assert (found["ref"], found["verdict"], found["lines"]) == ("sniper:ap-003", "unsure", [])


def test_memory_itself_is_no_line_that_an_agent_is_asked_about(service: Shell) -> None:
    rule = "conventions:\n  - {id: conv-009, rule: Kept by heart}\n"
    write(service.root, {"src/new.py": "x = 1\n", ".sniper/memory/conventions.yaml": rule})

    prompt = service("check", "--prompt-only")

    assert "1: x = 1" in prompt.out
    assert ".sniper/memory" not in prompt.out


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("print('no idea')", "has no JSON array"),
        ("sys.exit(3)", "exited with code 3"),
        ("print('[' * 90000)", "no JSON"),
    ],
)
def test_what_the_machine_found_is_told_though_the_agent_fails(
    service: Shell, agent: Asks, program: str, words: str
) -> None:
    agent(program)

    answer = asked(service)

    assert answer.code == 4
    assert words in answer.out
    assert "Convention Checks" in answer.out


def test_without_an_agent_command_it_says_what_to_set(service: Shell) -> None:
    answer = asked(service)

    assert answer.code == 4
    assert "agent.command" in answer.out


def test_nothing_is_asked_where_nothing_was_added(service: Shell, agent: Asks) -> None:
    agent("open('asked', 'w')")

    answer = service("check", "--ask-agent")

    assert answer.code == 0
    assert "no lines were added" in answer.out
    assert not list(Path(service.home).rglob("asked"))


def test_every_hint_that_can_be_read_is_shown_and_written_at_once(service: Shell) -> None:
    rules = """\
anti_patterns:
  - id: ap-001
    description: "Loud services"
    detection_hint: "print() calls in src/"
  - id: ap-002
    description: "Guesses"
    detection_hint: "ask Rosa"
  - id: ap-003
    description: "Star imports"
    detection_hint: "star imports"
"""
    path = service.root / ".sniper/memory/anti-patterns.yaml"
    write(service.root, {".sniper/memory/anti-patterns.yaml": rules, "src/loud.py": "print(1)\n"})

    shown = service("detect", "--all")
    listed = document_of(service("detect", "--all", "--json"), "detect-all")
    assert path.read_text() == rules
    written = service("detect", "--all", "--apply")
    after = service("detect", "--all")

    assert "src/loud.py:1  print(1)" in shown.out
    assert "`remem detect --all --apply` writes" in shown.err
    assert "no pattern was found in 2 rules: `sniper:conv-001`, `sniper:ap-002`" in shown.err
    assert re.search(r"1 match, \d+ files? searched", shown.out)
    assert {"sniper:ap-001", "sniper:ap-003"} <= {each["ref"] for each in listed["rules"]}
    assert "sniper:ap-002" in listed["unread"]
    assert written.code == 0
    assert path.read_text().count("within: code") == 2
    assert "no more hints can become checks" in after.err
    service("undo")
    assert path.read_text() == rules


def test_a_hint_that_is_read_in_part_says_what_its_check_leaves_out(service: Shell) -> None:
    rules = """\
anti_patterns:
  - id: ap-001
    description: "Silence"
    detection_hint: "empty catch blocks or only user-facing error returns"
"""
    write(service.root, {".sniper/memory/anti-patterns.yaml": rules})

    written = service("detect", "--all", "--apply")

    assert written.code == 0
    assert "not covered: user-facing error returns" in written.err


def test_the_gate_names_readable_hints_without_loading_what_decides(service: Shell) -> None:
    rules = 'anti_patterns:\n- {id: ap-001, description: "A", detection_hint: "star imports"}\n'
    write(service.root, {".sniper/memory/anti-patterns.yaml": rules})
    script = (
        "import sys\nfrom remem.cli.main import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "sys.exit('remem.core.waiting.approve' in sys.modules)"
    )

    done = subprocess.run(
        [sys.executable, "-c", script, "check", "--all", "--root", str(service.root)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert "`remem detect --all --apply` adds checks" in done.stdout
    assert done.returncode == 0


def test_a_rule_is_added_together_with_its_check(service: Shell) -> None:
    write(service.root, {"src/a.py": "print(1)\n", "docs/a.py": "print(2)\n"})

    service("add", "convention", "No print in src", "--forbid", r"print\(", "--files", "src/**")
    told = service("check")

    assert told.code == 1
    assert "src/a.py:1" in told.out
    assert "docs/a.py" not in told.out


@pytest.mark.parametrize(
    ("kind", "options", "says"),
    [
        ("convention", ["--files", "src/**"], "`--files` needs a pattern"),
        ("convention", ["--forbid", "("], "pattern"),
        ("lesson", ["--forbid", "a"], "`--forbid` does not apply to a lesson"),
    ],
)
def test_a_check_that_is_none_adds_nothing(
    service: Shell, kind: str, options: list[str], says: str
) -> None:
    before = service.digest()

    told = service("add", kind, "No print", *options)

    assert told.code == 2
    assert says in told.err
    assert service.digest() == before
