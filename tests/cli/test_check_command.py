import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from tests.cli.conftest import Answer, Shell, document_of, write

CONVENTIONS = """\
conventions:
  - id: conv-001
    rule: "Every queue consumer is idempotent"
    enforcement: both
    detection_hint: "look at the consumers"
  - id: conv-002
    rule: "No printing in the service"
    enforcement: review_gate
    detect: {files: ["src/**/*.py"], forbid: '\\bprint\\(', message: "log instead"}
  - id: conv-003
    rule: "Every module says what it is"
    enforcement: both
    detect: {files: ["src/**/*.py"], require: '^# '}
  - id: conv-004
    rule: "Names are verbs"
    enforcement: spawn_prompt
    detect: {forbid: "x"}
  - id: conv-005
    rule: "Not yet agreed"
    status: candidate
    detect: {forbid: "x"}
"""
ANTI_PATTERNS = """\
anti_patterns:
  - id: ap-001
    description: "Swallowing errors"
    severity: low
    detect:
      files: ["*.py", "src/"]
      forbid: {ast: python, pattern: "eval($A)"}
"""
CODE = '# A service.\nprint("begin")\n'


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
def service(shop: Shell) -> Shell:
    """The shop under git, with rules that a machine checks and one file that breaks one already."""
    write(
        shop.root,
        {
            ".sniper/memory/conventions.yaml": CONVENTIONS,
            ".sniper/memory/anti-patterns.yaml": ANTI_PATTERNS,
            "src/old.py": CODE,
        },
    )
    git(shop.root, "init", "-q", "-b", "main")
    git(shop.root, "add", "-A")
    git(shop.root, "commit", "-q", "-m", "Begin")
    return shop


def outcomes(answer: Answer) -> dict[str, str]:
    found = document_of(answer, "check")
    return {each["ref"].partition(":")[2]: each["outcome"] for each in found["checks"]}


def test_without_a_change_nothing_is_broken_and_nothing_is_called_passed(service: Shell) -> None:
    answer = service("check", "--json")

    assert answer.code == 0
    assert set(outcomes(answer).values()) == {"skip"}


def test_only_added_lines_count_and_each_is_told_with_its_place(service: Shell) -> None:
    write(service.root, {"src/old.py": CODE + 'x = 1\nprint("more")\n'})

    answer = service("check")

    assert answer.code == 1
    assert "WARN conv-002: No printing in the service — 1 match (src/old.py:4): log instead" in (
        answer.out
    )
    assert "SKIP 1 rule not checked: 1 with only a hint (conv-001)" in answer.out
    assert "PASS conv-003: Every module says what it is — 1 file checked" in answer.out
    assert "2 conventions checked, 1 violations" in answer.out


def test_a_renamed_file_breaks_only_what_it_adds_or_what_its_new_place_asks_for(
    service: Shell,
) -> None:
    write(service.root, {"lib/tool.py": "# A tool.\nprint(2)\nprint(3)\n"})
    git(service.root, "add", "-A")
    git(service.root, "commit", "-q", "-m", "More")
    git(service.root, "mv", "src/old.py", "src/renamed.py")

    renamed = service("check", "--staged", "--json")
    git(service.root, "mv", "lib/tool.py", "src/tool.py")
    moved = document_of(service("check", "--staged", "--json"), "check")

    assert renamed.code == 0
    assert outcomes(renamed)["conv-002"] == "skip"
    places = [(v["path"], v["line"]) for each in moved["checks"] for v in each["violations"]]
    assert places == [("src/tool.py", 2), ("src/tool.py", 3)]


def test_all_counts_lines_that_stood_there_before(service: Shell) -> None:
    answer = service("check", "--all", "--json")

    assert answer.code == 1
    found = document_of(answer, "check")
    broken = {each["ref"]: each["violations"] for each in found["checks"] if each["violations"]}
    assert broken == {
        "sniper:conv-002": [{"path": "src/old.py", "line": 2, "text": 'print("begin")'}]
    }


def test_a_file_that_lacks_what_is_required_is_told_as_lacking_it_and_not_as_a_match(
    service: Shell,
) -> None:
    write(service.root, {"src/new.py": "x = 1\n"})

    answer = service("check", "--files", "src/*.py")

    assert (
        "WARN conv-003: Every module says what it is — missing in 1 file (src/new.py)" in answer.out
    )


def test_what_is_required_may_name_the_ends_of_a_line_as_what_is_forbidden_may(
    service: Shell,
) -> None:
    rule = (
        "conventions:\n"
        "  - {id: conv-001, rule: careful, detect: {require: '^import annotations$'}}\n"
        "  - {id: conv-002, rule: first, detect: {require: '\\A# '}}\n"
    )
    files = {"src/a.py": "# A.\nimport annotations\nx = 1\n", "src/b.py": "x = 1\n# B.\n"}
    write(service.root, {".sniper/memory/conventions.yaml": rule, **files})

    answer = service("check", "--files", "src/a.py", "--files", "src/b.py", "--json")

    found = document_of(answer, "check")["checks"]
    broken = {each["ref"]: [v["path"] for v in each["violations"]] for each in found}
    assert broken["sniper:conv-001"] == ["src/b.py"]
    assert broken["sniper:conv-002"] == ["src/b.py"]


def test_a_pattern_of_syntax_finds_what_a_line_of_text_hides(service: Shell) -> None:
    pytest.importorskip("ast_grep_py")
    write(service.root, {"src/new.py": "# New.\n# eval(x)\ny = eval(\n    x\n)\n"})

    answer = service("check", "--json")

    found = document_of(answer, "check")
    places = {
        each["ref"]: [place["line"] for place in each["violations"]] for each in found["checks"]
    }
    assert places["sniper:ap-001"] == [3]


@pytest.mark.parametrize(
    ("file", "text", "broken"),
    [
        ("src/db.py", "from mongodb import client\n", True),
        ("package.json", '  "mongodb": "6"\n', True),
        ("src/db.py", "import pymongo\n", True),
        ("package.json", '  "mongoose": "8"\n', True),
        ("src/db.py", "# Not MongoDB, so no mongoose.\n", False),
        ("src/db.py", "import mongodb_like\n", False),
    ],
)
def test_a_decision_is_broken_by_bringing_in_what_it_turned_down(
    service: Shell, file: str, text: str, broken: bool
) -> None:
    write(service.root, {file: text})

    answer = service("check", "--json")

    assert outcomes(answer)["dec-001"] == ("warn" if broken else "pass")


def test_the_floor_decides_what_ends_with_one(service: Shell) -> None:
    pytest.importorskip("ast_grep_py")
    write(service.root, {"src/new.py": "# New.\neval(x)\n"})

    failed, passed = service("check"), service("check", "--fail-on", "medium")

    assert (failed.code, passed.code) == (1, 0)
    assert "passed" not in failed.err
    assert "failed: a rule that blocks, or is of severity low or higher, is broken" in failed.err
    assert "failed" not in passed.err
    assert "passed: nothing here is as severe as `--fail-on medium`" in passed.err


def test_a_strict_gate_blocks_on_what_it_enforces_alone(service: Shell) -> None:
    write(
        service.root,
        {
            ".sniper/config.yaml": "review_gates: {after_sprint: strict}\n",
            "src/new.py": "# New.\nprint(1)\n",
        },
    )

    answer = service("check", "--fail-on", "high")

    assert answer.code == 1
    assert "(blocking)" in answer.out


def test_a_pattern_that_takes_forever_is_stopped_and_told(service: Shell) -> None:
    rule = "conventions:\n  - {id: conv-001, rule: slow, detect: {forbid: '^(a|a)*$'}}\n"
    write(service.root, {".sniper/memory/conventions.yaml": rule, "src/new.py": "a" * 60 + "!\n"})

    answer = service("check")

    assert answer.code == 0
    assert "SKIP conv-001" in answer.out
    assert "more than 100 ms" in answer.out


@pytest.mark.parametrize(
    "pattern", ["'('", "{ast: klingon, pattern: x}"], ids=["no pattern", "not a supported language"]
)
def test_what_is_no_pattern_is_told_and_never_passed(service: Shell, pattern: str) -> None:
    rule = f"conventions:\n  - {{id: conv-001, rule: odd, detect: {{forbid: {pattern}}}}}\n"
    write(service.root, {".sniper/memory/conventions.yaml": rule, "src/new.py": "x\n"})

    answer = service("check", "--json")
    told = service("check").out

    assert outcomes(answer)["conv-001"] == "skip"
    assert answer.code == 0
    assert "SKIP conv-001: odd — not checked: `" in told
    assert "SKIP 1 rule not checked: 1 as told above" in told
    assert "not affected" not in told


@pytest.mark.parametrize(
    ("detect", "odd"),
    [("{forbids: x}", ", and does not know `forbids`"), ("{files: ['src/**']}", "")],
)
def test_a_check_that_looks_for_nothing_is_told_and_is_no_missing_check(
    service: Shell, detect: str, odd: str
) -> None:
    rule = f"conventions:\n  - {{id: conv-001, rule: odd, detect: {detect}}}\n"
    write(service.root, {".sniper/memory/conventions.yaml": rule, "src/new.py": "x\n"})

    answer = service("check")

    assert answer.code == 0
    told = f"SKIP conv-001: odd — not checked: its `detect:` looks for nothing{odd} (write"
    assert told in answer.out
    assert "without `detect:`" not in answer.out


def test_a_range_and_the_index_are_looked_at_by_themselves(service: Shell) -> None:
    write(service.root, {"src/new.py": "# New.\nprint(1)\n"})
    assert service("check", "--staged").code == 0
    git(service.root, "add", "-A")
    assert service("check", "--staged").code == 1
    git(service.root, "commit", "-q", "-m", "More")

    assert service("check").code == 0
    assert service("check", "--diff", "HEAD~1..HEAD").code == 1


def test_edited_memory_is_no_checked_file_that_has_edits(service: Shell) -> None:
    rules = service.root / ".sniper/memory/conventions.yaml"
    rules.write_text(CONVENTIONS.replace("log instead", "use the log"))
    write(service.root, {"src/new.py": "# New.\nx = 1\n"})
    git(service.root, "add", "-A")
    git(service.root, "commit", "-q", "-m", "More")
    rules.write_text(CONVENTIONS)

    assert "uncommitted" not in service("check", "--diff", "HEAD~1..HEAD").err


def test_a_broken_rule_is_told_with_its_severity(service: Shell) -> None:
    write(service.root, {"src/new.py": "# New.\nprint(eval('1'))\n"})

    told = service("check").out.splitlines()

    severities = [told[at + 1] for at, line in enumerate(told) if line.startswith(("WARN", "FAIL"))]
    assert severities == ["  severity: medium", "  severity: low"]


def test_a_range_says_which_of_its_files_have_edits_that_it_does_not_hold(service: Shell) -> None:
    write(service.root, {"src/new.py": "# New.\nx = 1\n", "src/more.py": "# More.\n"})
    git(service.root, "add", "-A")
    git(service.root, "commit", "-q", "-m", "More")
    ranges = ("--diff", "HEAD~1..HEAD"), ("--diff", "HEAD~1...")
    told = "note: 1 checked file has uncommitted edits outside this range; `remem check` checks"

    clean = [service("check", *each) for each in ranges]
    (service.root / "src/more.py").write_text("# More.\n")  # written anew, and the same
    os.utime(service.root / "src/more.py", (1, 1))
    write(service.root, {"src/old.py": CODE + "x = 1\n"})  # is not in the range
    elsewhere = [service("check", *each) for each in ranges]
    write(service.root, {"src/new.py": "# New.\nprint(1)\n"})
    edited = [service("check", *each) for each in ranges]
    past = service("check", "--diff", "HEAD~1..main")
    git(service.root, "commit", "-q", "-a", "-m", "Most")
    write(service.root, {"src/new.py": "# New.\n"})
    shorter = service("check", "--diff", "HEAD~1..HEAD")

    assert not any("uncommitted" in each.err for each in (*clean, *elsewhere, past))
    assert all(told in each.err for each in edited)
    assert {each.code for each in edited} == {0}
    assert told in shorter.err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--diff", "nowhere..HEAD"), "no commit"),
        (("--diff", ""), "is not a commit"),
        (("--diff", "", "--staged"), "cannot be combined"),
        (("--staged", "--all"), "cannot be combined"),
        (("--files", "docs/**"), "matches no file"),
        (("--files", "src/gone.py"), "`src/gone.py` matches no file"),
        (("--files", "src/old.py", "--files", "docs"), "`docs` matches no file"),
    ],
)
def test_what_cannot_be_looked_at_is_refused_in_words(
    service: Shell, options: tuple[str, ...], words: str
) -> None:
    answer = service("check", *options)

    assert answer.code == 2
    assert words in answer.err


def test_a_violation_names_the_comment_that_allows_it(service: Shell) -> None:
    write(service.root, {"src/new.py": "# A.\nprint(1)\n"})
    told = service("check")
    (comment,) = re.findall(r"^next: .*`(remem: allow .*) REASON`$", told.out, re.MULTILINE)

    write(service.root, {"src/new.py": f"# A.\nprint(1)  # {comment} it is a script\n"})
    allowed = service("check")

    assert (told.code, allowed.code) == (1, 0)
    assert "next: mend it" not in allowed.out


def test_a_violation_takes_the_place_of_no_rule(service: Shell) -> None:
    write(service.root, {"src/new.py": "# A.\neval(it)\n"})
    service("check", "--record")
    (item,) = document_of(service("queue", "violation", "--json"), "queue")["items"]
    rules = ".sniper/memory/anti-patterns.yaml"
    before = service.bytes_of(rules)

    refused = service("supersede", item["id"], "--instead-of", "ap-001")

    assert (refused.code, service.bytes_of(rules)) == (2, before)
    assert "would take the place of `sniper:ap-001`" in refused.err


def test_markdown_shows_no_markup_of_a_rule_or_a_file(service: Shell) -> None:
    rule = (
        "conventions:\n"
        "  - {id: conv-001, rule: '[x](y) <b>\\u202e', detect: {forbid: '\\bprint\\('}}\n"
    )
    write(service.root, {".sniper/memory/conventions.yaml": rule, "src/_new_.py": "print(1)\n"})

    answer = service("check", "--format", "markdown")

    assert "## Memory Compliance" in answer.out
    assert "\\[x\\](y) \\<b\\>" in answer.out
    assert "src/\\_new\\_.py" in answer.out


def test_sarif_names_rule_file_line_and_what_was_not_checked(service: Shell) -> None:
    write(service.root, {"src/a b.py": "# New.\nprint(1)\n"})

    answer = service("check", "--format", "sarif")

    run = json.loads(answer.out)["runs"][0]
    (result,) = run["results"]
    place = result["locations"][0]["physicalLocation"]
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == "sniper:conv-002"
    assert place["artifactLocation"]["uri"] == "src/a%20b.py"
    assert place["region"] == {"startLine": 2, "snippet": {"text": "print(1)"}}
    told = run["invocations"][0]["toolExecutionNotifications"]
    notes = [each["message"]["text"] for each in told]
    assert any("conv-001" in note and "not checked" in note for note in notes)


def test_checking_writes_nothing(service: Shell) -> None:
    write(service.root, {"src/new.py": "print(1)\n"})
    before = service.digest()

    service("check")
    service("check", "--all", "--format", "sarif")

    assert service.digest() == before


def test_without_a_repository_named_files_are_checked(shop: Shell) -> None:
    write(
        shop.root,
        {".sniper/memory/conventions.yaml": CONVENTIONS, "src/new.py": "# New.\nprint(1)\n"},
    )

    assert shop("check").code == 2
    assert shop("check", "--files", "src/new.py").code == 1


@pytest.mark.parametrize(
    "named", ["src", "src/", ".", "./src/[id].py", "src/[id].py", "src/*.py", "{root}/src/[id].py"]
)
def test_files_are_named_by_folder_glob_or_name_whatever_signs_it_holds(
    service: Shell, named: str
) -> None:
    write(service.root, {"src/[id].py": "# New.\nprint(1)\n"})

    answer = service("check", "--json", "--files", named.format(root=service.root))

    found = document_of(answer, "check")["checks"]
    places = [each["path"] for check in found for each in check["violations"]]
    assert answer.code == 1
    assert "src/[id].py" in places


def test_without_a_repository_a_glob_cannot_be_followed_and_that_is_said(shop: Shell) -> None:
    write(shop.root, {"src/new.py": "print(1)\n"})

    answer = shop("check", "--files", "src/*.py")

    assert answer.code == 2
    assert "name each file" in answer.err


@pytest.mark.parametrize("text", ["conventions:\n  - {id: conv-001, rule: x\n", None])
def test_rules_that_cannot_be_read_are_not_passed_over_in_silence(
    service: Shell, text: str | None
) -> None:
    name = ".sniper/memory/conventions.yaml"
    (service.root / name).unlink()
    if text is None:
        (service.root / name).symlink_to(service.root / "src")
    else:
        write(service.root, {name: text})

    answer = service("check")
    document = service("check", "--json")
    (run,) = json.loads(service("check", "--format", "sarif").out)["runs"]

    assert (answer.code, document.code) == (2, 2)
    assert f"not read: {name}" in answer.out
    assert "were not checked" in answer.err
    assert "no rules to check" not in answer.err
    assert document_of(document, "check")["unread"][0]["path"].startswith(name)
    (told,) = run["invocations"]
    assert not told["executionSuccessful"]
    assert any(name in each["message"]["text"] for each in told["toolExecutionNotifications"])


def test_a_workspace_that_cannot_be_read_is_not_taken_for_one_without_rules(
    service: Shell,
) -> None:
    name = ".sniper-workspace/config.yaml"
    text = "name: fleet\nprojects: [{name: gone, path: gone}]\nshared: {conventions: [Be kind]}\n"
    write(service.root.parent, {name: text})
    fine = service("check", "--json")
    write(service.root.parent, {name: f"{text}x: [\n"})

    answer = service("check", "--json")

    assert fine.code == 0
    assert answer.code == 2
    (unread,) = document_of(answer, "check")["unread"]
    assert name in unread["path"]
    problems = service("status", "--json").document["problems"]
    assert sum(name in (each["path"] or "") for each in problems) == 1


def test_settings_that_cannot_be_read_do_not_open_a_strict_gate(service: Shell) -> None:
    config = "review_gates:\n  after_sprint: strict\n"
    broken = {".sniper/config.yaml": f"{config}  x: [\n", "src/new.py": "# New.\nprint(1)\n"}
    write(service.root, broken)

    answer = service("check", "--fail-on", "high")

    assert answer.code == 2
    assert "not read: .sniper/config.yaml:4" in answer.out


def test_a_file_in_which_a_pattern_was_stopped_is_told_beside_what_was_found(
    service: Shell,
) -> None:
    rule = (
        "conventions:\n"
        "  - {id: conv-001, rule: slow, detect: {forbid: '^(a|a)*$', message: \"no\\n  as\"}}\n"
    )
    files = {"src/new.py": "a" * 60 + "!\n", "src/other.py": "aaa\n"}
    write(service.root, {".sniper/memory/conventions.yaml": rule, **files})
    slow = "not checked in src/new.py: the pattern takes more than 100 ms"

    answer = service("check", "--files", "src/new.py", "--files", "src/other.py")
    (run,) = json.loads(service("check", "--all", "--format", "sarif").out)["runs"]

    assert answer.code == 1
    assert f"1 match (src/other.py:1): no as; {slow}" in answer.out
    assert [each["message"]["text"] for each in run["results"]] == ["no\n  as"]
    notes = [
        each["message"]["text"] for each in run["invocations"][0]["toolExecutionNotifications"]
    ]
    assert any(note.startswith(f"sniper:conv-001 was {slow}") for note in notes)


def test_a_rule_that_forbids_and_requires_is_not_passed_by_half_of_it(service: Shell) -> None:
    rule = "conventions:\n  - {id: conv-001, rule: both, detect: {forbid: X, require: Y}}\n"
    write(service.root, {".sniper/memory/conventions.yaml": rule})

    answer = service("check", "--all", "--json")

    assert outcomes(answer)["conv-001"] == "skip"
    assert "has both `forbid` and `require`" in answer.out


def test_names_that_are_not_utf_8_are_told_and_recorded(service: Shell) -> None:
    odd = os.fsencode(service.root) + b"/src/n\xffw.py"
    Path(os.fsdecode(odd)).write_text("# New.\nprint(1)\n")
    learning = os.fsencode(service.root) + b"/.sniper/memory/learnings/L\xff.yaml"
    Path(os.fsdecode(learning)).parent.mkdir()
    Path(os.fsdecode(learning)).write_text("id: [\n")

    (run,) = json.loads(service("check", "--memory", "--format", "sarif").out)["runs"]
    recorded = service("check", "--record")

    places = [each["locations"][0]["physicalLocation"] for each in run["results"]]
    uris = {place["artifactLocation"]["uri"] for place in places}
    assert {"src/n%FFw.py", ".sniper/memory/learnings/L%FF.yaml"} <= uris
    assert "1 new place waits" in recorded.err
    assert "learning:L%FF" in service("list").out
    assert service("show", "learning:L%FF").code == 0


def test_the_question_for_an_agent_is_a_document_too(service: Shell) -> None:
    write(service.root, {"src/new.py": "print(1)\n"})

    answer = service("check", "--prompt-only", "--json")
    formed = service("check", "--prompt-only", "--format", "json")

    assert "Every queue consumer is idempotent" in document_of(answer, "check-prompt")["prompt"]
    assert formed.out == answer.out


def test_memory_itself_is_only_looked_at_when_asked(service: Shell) -> None:
    rules = (
        "conventions:\n"
        '  - {id: conv-001, rule: "Log in \\u202e JSON", applies_to: [qa], rationale: "so"}\n'
        "  - {id: conv-001, rule: Names are verbs}\n"
    )
    write(service.root, {".sniper/memory/conventions.yaml": rules})

    assert document_of(service("check", "--json"), "check")["memory"] == []
    answer = service("check", "--memory", "--json", "--fail-on", "high")

    found = {
        (each["code"], each["line"], each["severity"])
        for each in document_of(answer, "check")["memory"]
    }
    assert answer.code == 1
    assert ("hidden-characters", 2, "high") in found
    assert ("duplicate-id", 3, "high") in found
    assert ("no-rationale", 3, "low") in found


def test_memory_can_be_looked_at_without_a_repository(shop: Shell) -> None:
    answer = shop("check", "--memory")

    assert answer.code == 1
    assert "LOW" in answer.out
    assert shop("check", "--memory", "--fail-on", "high").code == 0


def test_a_fault_of_memory_names_its_entry_once_and_its_file_below_the_home(shop: Shell) -> None:
    odd = "Trust the mirror\N{TAG LATIN SMALL LETTER A}"
    write(shop.home, {".night-watch/agents/Rosa/memories/shop/main.md": f"- {odd}\n"})
    write(
        shop.root,
        {
            "CLAUDE.md": "- Never log secrets in production\n",
            "AGENTS.md": "- Always log secrets in production\n",
        },
    )

    lines = shop("check", "--memory").out.splitlines()

    (hidden,) = [line for line in lines if "hidden character" in line and "line 1" in line]
    (conflict,) = [line for line in lines if "possible conflict" in line]
    assert hidden.endswith("(~/.night-watch/agents/Rosa/memories/shop/main.md:1)")
    assert re.match(r"HIGH plain:\S+: possible conflict with `plain:", conflict)


def test_faults_of_memory_have_a_place_in_sarif(shop: Shell) -> None:
    answer = shop("check", "--memory", "--format", "sarif")

    run = json.loads(answer.out)["runs"][0]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    for result in run["results"]:
        place = result["locations"][0]["physicalLocation"]
        assert rules[result["ruleIndex"]] == result["ruleId"]
        assert place["region"]["startLine"] >= 1
    assert any(result["ruleId"].startswith("memory/") for result in run["results"])


def test_a_baseline_lets_a_project_with_old_violations_begin_and_tells_only_new_ones(
    service: Shell,
) -> None:
    write(service.root, {"src/old.py": CODE + "print(2)\nprint(2)\n", "src/bare.py": "x = 1\n"})
    before = service("check", "--all", "--json")
    tried = service("check", "--baseline", "--dry-run")
    path = service.root / ".remem/baseline.yaml"
    assert not path.exists()

    begun = service("check", "--baseline")
    again = service("check", "--all")
    write(service.root, {"src/old.py": CODE + "print(2)\n\nprint(2)\nprint(2)\nprint(4)\n"})
    later = document_of(service("check", "--all", "--json"), "check")

    assert (before.code, tried.code, begun.code, again.code) == (1, 0, 0, 0)
    assert tried.err.splitlines()[0] == (
        "the baseline would accept 4 violations of 2 rules; the report lists them"
    )
    assert "nothing was written" in tried.err.splitlines()[-1]
    assert begun.err.splitlines()[0] == (
        "the baseline accepts 4 violations of 2 rules; the report lists them"
    )
    assert "4 places accepted: 4 in the baseline" in again.out
    assert "only new violations are reported" in begun.err
    kept = path.read_text()
    assert "src/old.py#" in kept
    assert "print(" not in kept
    assert "!baseline.yaml" in (service.root / ".remem/.gitignore").read_text()
    broken = {c["ref"]: [v["line"] for v in c["violations"]] for c in later["checks"]}
    assert broken["sniper:conv-002"] == [6, 7]
    bytes_before = path.read_bytes()
    service("check", "--baseline")
    assert path.read_bytes() != bytes_before
    again = service("check", "--baseline")
    assert (again.code, "nothing was written" in again.err) == (0, True)
    service("undo")
    assert path.read_bytes() == bytes_before


def test_of_a_file_with_thousands_of_violations_a_new_one_is_told_behind_the_accepted_ones(
    service: Shell,
) -> None:
    old = "# Old.\n" + "".join(f"print({number})\n" for number in range(2_500))
    write(service.root, {"src/old.py": old})
    begun = service("check", "--baseline")
    write(service.root, {"src/old.py": f"{old}print('new')\n"})

    later = document_of(service("check", "--all", "--json"), "check")

    assert "accepts 2,500 violations" in begun.err
    (rule,) = (check for check in later["checks"] if check["ref"] == "sniper:conv-002")
    assert [each["line"] for each in rule["violations"]] == [2_502]
    assert rule["accepted"] == 2_500


def test_a_baseline_tells_lines_that_break_a_rule_from_equal_ones_that_do_not(
    service: Shell,
) -> None:
    rules = """\
conventions:
  - {id: conv-001, rule: "No blanks at the end", detect: {files: ["src/**"], forbid: '[ ]$'}}
  - {id: conv-002, rule: "No printing", detect: {files: ["src/**"], forbid: 'print', within: code}}
  - {id: conv-003, rule: "No empty lines", detect: {files: ["src/**"], forbid: '^$'}}
"""
    old = '# A.\n"""\nprint(1)\n"""\nprint(1)\nx = 1\nx = 1 \n\ny = 1\n'
    write(service.root, {".sniper/memory/conventions.yaml": rules, "src/old.py": old})
    git(service.root, "add", "-A")
    git(service.root, "commit", "-q", "-m", "Old")

    begun, again = service("check", "--baseline"), service("check", "--all")
    write(service.root, {"src/old.py": f"{old}\nprint(1)\nx = 1 \n"})

    assert (begun.code, again.code) == (0, 0)
    for looks in ((), ("--all",)):
        later = document_of(service("check", "--json", *looks), "check")
        places = [(c["ref"], v["line"]) for c in later["checks"] for v in c["violations"]]
        assert places == [
            ("sniper:conv-001", 12),
            ("sniper:conv-002", 11),
            ("sniper:conv-003", 10),
        ]


def test_a_baseline_of_more_than_a_megabyte_is_read_and_one_that_is_broken_is_told(
    service: Shell,
) -> None:
    write(service.root, {"src/old.py": CODE + "print(2)\n", "src/bare.py": "# B.\n"})
    service("check", "--baseline")
    path = service.root / ".remem/baseline.yaml"
    gone = "".join(f"      - src/gone{number}.py#0123456789ab\n" for number in range(35_000))
    path.write_text(f"{path.read_text()}  - rule: sniper:conv-003\n    places:\n{gone}")
    assert path.stat().st_size > 1 << 20

    whole = service("check", "--all")
    path.write_text("baseline: [\n")
    broken = service("check", "--all")

    assert whole.code == 0
    assert broken.code == 1
    assert "the baseline cannot be read, so that it accepts nothing" in broken.out


def test_what_a_person_rejected_does_not_fail_again(service: Shell) -> None:
    write(service.root, {"src/new.py": "# New.\nprint(2)\n"})
    assert service("check", "--record").code == 1
    (item,) = [i for i in document_of(service("queue", "--json"), "queue")["items"]
               if i["kind"] == "violation"]  # fmt: skip

    service("reject", item["id"], "--reason", "a script may print")

    answer = service("check")
    assert answer.code == 0
    assert "1 place accepted: 1 in the baseline" in answer.out
    service("check", "--baseline")
    assert "a script may print" in (service.root / ".remem/baseline.yaml").read_text()


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        pytest.param("# A.\nprint(1)  # remem: allow conv-002 a script\n", [], id="beside"),
        pytest.param("# A.\n# remem: allow sniper:conv-002 a script\nprint(1)\n", [], id="above"),
        pytest.param("# A.\nx = 1  # remem: allow conv-002 it\nprint(1)\n", [3], id="elsewhere"),
        pytest.param("# A.\nprint(1)  # remem: allow conv-002\n", [2], id="no reason"),
        pytest.param("# A.\nprint(1)  # remem: allow conv-003 it\n", [2], id="another rule"),
    ],
)
def test_a_line_allows_what_stands_beside_it_if_it_says_why(
    service: Shell, code: str, lines: list[int]
) -> None:
    write(service.root, {"src/new.py": code})

    found = document_of(service("check", "--json"), "check")

    told = [v["line"] for c in found["checks"] for v in c["violations"]]
    assert told == lines
    assert any("without a reason" in note for note in found["notes"]) == code.endswith("conv-002\n")


def test_one_rule_and_all_of_its_places_can_be_asked_for(service: Shell) -> None:
    write(service.root, {"src/new.py": "# A.\n" + "".join(f"print({n})\n" for n in range(6))})

    short = service("check")
    whole = service("check", "--rule", "conv-002", "--limit", "0")
    unknown = service("check", "--rule", "conv-004")

    assert "(src/new.py:2, src/new.py:3, src/new.py:4, 3 more)" in short.out
    assert "src/new.py:7): log instead" in whole.out
    assert "conv-003" not in whole.out
    assert (unknown.code, "not a rule that the gate enforces" in unknown.err) == (2, True)


def test_what_nobody_writes_is_passed_over_and_named(service: Shell) -> None:
    write(
        service.root,
        {
            "src/bundle.py": "print(1);" * 1_000 + "\n",
            "src/made_pb2.py": "print(1)\n",
            "src/made.py": "# Code generated by a tool. DO NOT EDIT.\nprint(1)\n",
        },
    )

    answer = service("check")

    assert answer.code == 0
    assert "3 files skipped: src/bundle.py — minified or generated" in answer.out


def test_code_in_which_a_picture_was_pasted_is_checked_like_any_other(service: Shell) -> None:
    rest = "".join(f"value_{number} = compute({number})\n" for number in range(400))
    write(service.root, {"src/icons.py": f"# Icons.\nLOGO = '{'A' * 6_000}'\n{rest}print(1)\n"})

    found = document_of(service("check", "--json"), "check")

    assert found["passed_over"] == []
    assert [v["line"] for c in found["checks"] for v in c["violations"]] == [403]


def test_a_line_is_told_in_two_hundred_characters(service: Shell) -> None:
    write(service.root, {"src/new.py": f"# A.\nprint('{'x' * 900}')\n"})

    found = document_of(service("check", "--json"), "check")
    sarif = json.loads(service("check", "--format", "sarif").out)

    (text,) = [v["text"] for c in found["checks"] for v in c["violations"]]
    (result,) = sarif["runs"][0]["results"]
    assert len(text) == 200
    snippet = result["locations"][0]["physicalLocation"]["region"]["snippet"]["text"]
    assert len(snippet) == 200


def test_a_report_for_code_hosts_says_what_to_do_and_knows_a_finding_again(
    service: Shell,
) -> None:
    rules = """\
anti_patterns:
  - id: ap-001
    description: "Swallowing errors"
    why_bad: "nobody hears of them"
    fix_pattern: "log and raise"
    detect: {files: ["src/**/*.py"], forbid: '^pass$'}
"""
    write(service.root, {".sniper/memory/anti-patterns.yaml": rules, "src/new.py": "# A.\npass\n"})

    def prints() -> tuple[dict[str, str], dict[str, str]]:
        run = json.loads(service("check", "--format", "sarif").out)["runs"][0]
        (result,) = run["results"]
        (rule,) = [r for r in run["tool"]["driver"]["rules"] if r["id"] == "sniper:ap-001"]
        return result["partialFingerprints"], rule["help"]

    first, help_ = prints()
    write(service.root, {"src/new.py": "# A.\n\n\npass\n"})
    second, _ = prints()

    assert first == second
    assert help_["text"] == "because: nobody hears of them\ninstead: log and raise"
    assert "  instead: log and raise" in service("check").out


def test_a_new_folder_needs_the_file_that_a_rule_asks_for(service: Shell) -> None:
    rules = """\
anti_patterns:
  - id: ap-001
    description: "Folders without an index"
    detect: {files: ["lib/**/*.ts"], beside: index.ts}
"""
    write(service.root, {".sniper/memory/anti-patterns.yaml": rules, "lib/old/a.ts": "x\n"})
    git(service.root, "add", "-A")
    git(service.root, "commit", "-q", "-m", "More")
    write(
        service.root,
        {"lib/old/b.ts": "x\n", "lib/new/a.ts": "x\n", "lib/good/index.ts": "x\n"},
    )

    since = service("check")
    git(service.root, "add", "-A")
    staged = service("check", "--staged")
    git(service.root, "commit", "-q", "-m", "New")
    between = service("check", "--diff", "HEAD~1..HEAD")
    every = service("check", "--all")

    one = "Folders without an index — 1 folder without `index.ts` (lib/new/)"
    assert [one in each.out for each in (since, staged, between)] == [True] * 3
    assert "2 folders without `index.ts` (lib/new/, lib/old/)" in every.out


DECIDED = """\
decisions:
  - id: dec-001
    title: "PostgreSQL"
    decision: "We keep relational data in PostgreSQL"
    alternatives_considered: ["MongoDB — too loose", "Jest: slow"]
"""


@pytest.mark.parametrize(
    ("path", "text", "hits"),
    [
        pytest.param("a.py", "from pymongo import MongoClient\n", 1, id="client package"),
        pytest.param("a.ts", "import {\n  Schema,\n} from 'mongoose'\n", 1, id="several lines"),
        pytest.param("package.json", '{"devDependencies": {\n  "@types/jest": "1"\n}}\n', 1,
                     id="manifest"),
        pytest.param("package.json", '{"scripts": {\n  "test": "jest"\n}}\n', 0, id="a script"),
        pytest.param("data.json", '{"a": "require(\'jest\')"}\n', 0, id="data"),
        pytest.param("a.md", "use MongoDB here\nimport jest\n", 0, id="prose"),
        pytest.param("a.py", '"""\nuse mongodb\n"""\n', 0, id="docstring"),
        pytest.param("a.ts", "import x from './mongodb/old'\n", 0, id="the project's own"),
        pytest.param("A.cs", "using MongoDB.Driver;\n", 1, id="name space"),
        pytest.param("go.mod", "require go.mongodb.org/mongo-driver v1.2\n", 1, id="module"),
    ],
)  # fmt: skip
def test_a_decision_is_held_against_manifests_and_imports_alone(
    service: Shell, path: str, text: str, hits: int
) -> None:
    write(service.root, {".sniper/memory/decisions.yaml": DECIDED, path: text})

    found = document_of(service("check", "--json"), "check")

    (told,) = [c for c in found["checks"] if c["kind"] == "decision"]
    assert len(told["violations"]) == hits
    assert told["decision"] == "We keep relational data in PostgreSQL"


@pytest.mark.parametrize(
    ("declared", "code"), [("zod", 1), ("inner-core", 0)], ids=["no-package", "a-package"]
)
def test_a_relative_import_breaks_a_rule_about_the_module_that_it_leads_to(
    service: Shell, declared: str, code: int
) -> None:
    rule = '  - {id: ap-002, description: "x", detection_hint: "imports of inner-core in src/"}\n'
    stored = {".sniper/memory/anti-patterns.yaml": f"anti_patterns:\n{rule}"}
    write(service.root, {**stored, "package.json": f'{{"dependencies": {{\n"{declared}": "1"}}}}'})
    assert service("detect", "ap-002", "--apply").code == 0
    git(service.root, "add", "-A")
    git(service.root, "commit", "-qm", "rules")
    write(service.root, {"src/a/b.ts": "import { c } from '../inner-core/c';\n"})

    answers = [service("check", "--rule", "ap-002"), service("check", "--all", "--rule", "ap-002")]
    git(service.root, "add", "-A")
    answers.append(service("check", "--staged", "--rule", "ap-002"))
    git(service.root, "commit", "-qm", "code")
    answers.append(service("check", "--diff", "HEAD~1..HEAD", "--rule", "ap-002"))

    assert [answer.code for answer in answers] == [code] * 4


def test_a_check_without_uncommitted_lines_says_how_a_branch_is_checked(service: Shell) -> None:
    hint = "`remem check --diff main...HEAD` checks a branch"

    assert hint in service("check").err
    assert hint not in service("check", "--all").err
    (service.root / "src/old.py").write_text(f'{CODE}print("more")\n')
    assert hint not in service("check").err
