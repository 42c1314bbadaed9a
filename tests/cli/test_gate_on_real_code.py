"""The counts of `docs/gate-on-real-code.md` are those that the gate gives."""

import ast
import re
import shutil
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.cli.conftest import Shell, document_of, write
from tests.cli.test_check_command import git

from remem.code.changed_lines import ChangedFile
from remem.core.checks.detect_from_prose import read_sentence
from remem.core.checks.gate import hold

PAGE = (Path(__file__).parents[2] / "docs" / "gate-on-real-code.md").read_text("utf-8")
PROJECTS = ("click", "httpx", "sqlalchemy", "textual")
ROW = re.compile(r"\| (ap-\d+) \| \w+ \| .+ \| (\d+) \| (\d+) \| (\d+) \|")


def rules() -> str:
    return PAGE.partition("```yaml\n")[2].partition("```")[0]


def folder_of(name: str) -> Path:
    spec = find_spec(name)
    assert spec is not None
    assert spec.origin
    return Path(spec.origin).parent


def need_versions() -> None:
    """Skip where the counts would be those of other code."""
    named = re.search(r"^Versions: (.+)\.$", PAGE, re.MULTILINE)
    assert named is not None
    for each in named[1].split(", "):
        name, _, wanted = each.partition(" ")
        try:
            found = version(name)
        except PackageNotFoundError:
            pytest.skip(f"{name} is not installed")
        if found != wanted:
            pytest.skip(f"{name} is {found} here, and the counts are of {wanted}")


@pytest.mark.slow
def test_the_gate_finds_on_real_code_what_the_page_says(empty: Shell) -> None:
    need_versions()
    pytest.importorskip("ast_grep_py")
    for name in PROJECTS:
        ignored = shutil.ignore_patterns("*.so", "*.pyc", "__pycache__", "*.pyi", "*.svg")
        shutil.copytree(folder_of(name), empty.root / name, ignore=ignored)
    write(empty.root, {".sniper/memory/anti-patterns.yaml": rules()})
    git(empty.root, "init", "-q", "-b", "main")
    entries = yaml.safe_load(rules())["anti_patterns"]

    hinted = [f"sniper:{entry['id']}" for entry in entries if "detect" not in entry]
    assert empty("approve", *hinted).code == 0
    answer = empty("check", "--all", "--json")

    checks: dict[str, Any] = {
        each["ref"].partition(":")[2]: each for each in document_of(answer, "check")["checks"]
    }
    told = {row[0]: tuple(map(int, row[1:])) for row in ROW.findall(PAGE)}
    places = {
        f"{one['path']}:{one['line']}" for each in checks.values() for one in each["violations"]
    }
    false = re.findall(r"^- `(\S+:\d+)`$", PAGE, re.MULTILINE)
    assert {name: len(each["violations"]) for name, each in checks.items()} == {
        name: hits for name, (hits, _, _) in told.items()
    }
    assert all(hits == true + wrong for hits, true, wrong in told.values())
    assert set(false) <= places
    assert len(false) == sum(wrong for _, _, wrong in told.values())


@pytest.mark.slow
def test_every_empty_block_that_is_found_is_one_to_pythons_own_parser() -> None:
    need_versions()
    reading = read_sentence("empty except blocks", unwanted=True)
    assert reading is not None
    found, there = set[tuple[str, int]](), set[tuple[str, int]]()

    for name in ("click", "httpx", "textual"):
        for path in sorted(folder_of(name).rglob("*.py")):
            text = path.read_text("utf-8")
            if "except" not in text:
                continue
            file = ChangedFile(f"{name}/{path.name}", tuple(text.splitlines()), None)
            found |= {(str(path), each.line) for each in hold(reading.detect, [file]).violations}
            nodes = ast.walk(ast.parse(text))
            handlers = (node for node in nodes if isinstance(node, ast.ExceptHandler))
            there |= {(str(path), node.lineno) for node in handlers if passes_over(node)}

    assert found <= there
    assert f"finds {len(found)} `except` clauses" in PAGE
    assert f"knows {len(there - found)} more" in PAGE


def passes_over(node: ast.ExceptHandler) -> bool:
    """Tell whether an exception is caught and nothing is done about it."""
    return len(node.body) == 1 and isinstance(node.body[0], ast.Pass)
