import json
import os
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
    assert "SKIP conv-001" in answer.out
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

    assert service("check").code == 1
    assert service("check", "--fail-on", "medium").code == 0


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
    "pattern", ["'('", "{ast: klingon, pattern: x}"], ids=["no pattern", "no language"]
)
def test_what_is_no_pattern_is_told_and_never_passed(service: Shell, pattern: str) -> None:
    rule = f"conventions:\n  - {{id: conv-001, rule: odd, detect: {{forbid: {pattern}}}}}\n"
    write(service.root, {".sniper/memory/conventions.yaml": rule, "src/new.py": "x\n"})

    answer = service("check", "--json")

    assert outcomes(answer)["conv-001"] == "skip"
    assert answer.code == 0


def test_a_range_and_the_index_are_looked_at_by_themselves(service: Shell) -> None:
    write(service.root, {"src/new.py": "# New.\nprint(1)\n"})
    assert service("check", "--staged").code == 0
    git(service.root, "add", "-A")
    assert service("check", "--staged").code == 1
    git(service.root, "commit", "-q", "-m", "More")

    assert service("check").code == 0
    assert service("check", "--diff", "HEAD~1..HEAD").code == 1


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--diff", "nowhere..HEAD"), "no commit"),
        (("--diff", ""), "is not a commit"),
        (("--diff", "", "--staged"), "exclude each other"),
        (("--staged", "--all"), "exclude each other"),
        (("--files", "docs/**"), "names no file"),
        (("--files", "src/gone.py"), "`src/gone.py` names no file"),
        (("--files", "src/old.py", "--files", "docs"), "`docs` names no file"),
    ],
)
def test_what_cannot_be_looked_at_is_refused_in_words(
    service: Shell, options: tuple[str, ...], words: str
) -> None:
    answer = service("check", *options)

    assert answer.code == 2
    assert words in answer.err


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
    assert "each file is named by itself" in answer.err


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
    assert "was not checked" in answer.err
    assert "no rule to check" not in answer.err
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
    assert "forbids and requires" in answer.out


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


def test_faults_of_memory_have_a_place_in_sarif(shop: Shell) -> None:
    answer = shop("check", "--memory", "--format", "sarif")

    run = json.loads(answer.out)["runs"][0]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    for result in run["results"]:
        place = result["locations"][0]["physicalLocation"]
        assert rules[result["ruleIndex"]] == result["ruleId"]
        assert place["region"]["startLine"] >= 1
    assert any(result["ruleId"].startswith("memory/") for result in run["results"])
