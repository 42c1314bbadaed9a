import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from tests.cli.conftest import (
    ANTI_PATTERNS,
    CONVENTIONS,
    DECISIONS,
    RETRO,
    Shell,
    document_of,
    schemas,
)

from remem.cli.generate import (
    COMMAND,
    KEYS_BEGIN,
    KEYS_END,
    command_paths,
    generated_texts,
    output_of,
    reference,
    stale_files,
    with_keys,
)
from remem.cli.output.schema import SUFFIX
from remem.edit.yaml_read import parse_document
from remem.store.cache_file import put
from remem.store.io import Disk
from remem.views.documents.outputs import OUTPUTS

CHECKOUT = Path(__file__).parents[2]
SCHEMAS = CHECKOUT / "schemas"
WRITTEN = sorted(
    str(path.relative_to(SCHEMAS)).removesuffix(SUFFIX) for path in SCHEMAS.rglob(f"*{SUFFIX}")
)
"""Every schema by its name, as the folder has them: to make them takes seconds."""


def test_what_is_generated_is_fresh() -> None:
    disk = Disk()
    stale = stale_files(disk, generated_texts(disk, CHECKOUT), CHECKOUT)

    names = [str(path.relative_to(CHECKOUT)) for path in stale]
    assert names == [], f"stale; run `{COMMAND}`"


@pytest.mark.parametrize("name", WRITTEN)
def test_every_schema_is_one(name: str) -> None:
    Draft202012Validator.check_schema(schemas()[name])


@pytest.mark.parametrize(
    ("name", "text"),
    [
        pytest.param("conventions", CONVENTIONS, id="conventions"),
        pytest.param("anti-patterns", ANTI_PATTERNS, id="anti-patterns"),
        pytest.param("decisions", DECISIONS, id="decisions"),
        pytest.param("retro", RETRO, id="retro"),
        pytest.param("config", "tokens: {budget: 1500}\nglyphs: ascii\n", id="config"),
        pytest.param("persona", "name: Rosa\nrole: QA\nsoul: {whoIAm: I test}\n", id="persona"),
    ],
)
def test_a_good_file_passes_its_schema(name: str, text: str) -> None:
    value = parse_document(text.encode()).value

    assert [*Draft202012Validator(schemas()[name]).iter_errors(value)] == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        pytest.param("conventions", {"conventions": [{"id": "c1", "rule": "x"}]}, id="id"),
        pytest.param("conventions", {"conventions": [{"id": "conv-1"}]}, id="no rule"),
        pytest.param("config", {"glyphs": "emoji"}, id="glyphs"),
        pytest.param("rejected", {"rejected": [{"kind": "convention"}]}, id="rejected"),
    ],
)
def test_a_bad_file_does_not(name: str, value: object) -> None:
    assert [*Draft202012Validator(schemas()[name]).iter_errors(value)]


def test_every_key_of_an_output_that_needs_words_has_them() -> None:
    status = schemas()["output/status"]

    assert status["properties"]["queue"]["description"] == "How many items wait for a decision."


def test_every_output_belongs_to_a_command() -> None:
    # The prompts are printed by `--prompt-only --json` of `check`, `retro run`, `persona reflect`,
    # all hints by `detect --all --json`, all rules by `why --json`, rows and a line by `status`.
    asked_for = {"error", "check-prompt", "detect-all", "retro-prompt", "persona-prompt"}
    asked_for |= {"why-all", "status-against", "status-short", "personas-compact"}
    printed = {output_of(path) for path in command_paths()} | asked_for

    assert printed == set(OUTPUTS)


def test_the_reference_names_every_command_and_option() -> None:
    page = reference()

    for path in command_paths():
        assert f"### `remem {path}`" in page
    assert "`--dry-run`" in page
    assert "### `remem mcp`" in page  # what it writes is a protocol
    assert page.count("`--json`:") == len(command_paths())
    assert "`--json`" not in page.partition("### `remem mcp`")[2].partition("\n#")[0]


def test_the_table_of_keys_goes_between_its_markers() -> None:
    page = f"# A\n{KEYS_BEGIN}old\n{KEYS_END}# B\n"

    fresh = with_keys(page, "| new |\n")

    assert fresh == f"# A\n{KEYS_BEGIN}\n| new |\n\n{KEYS_END}# B\n"
    assert with_keys(fresh, "| new |\n") == fresh
    assert with_keys("# no markers\n", "| new |\n") == "# no markers\n"


def test_a_stale_file_is_found(tmp_path: Path) -> None:
    disk = Disk()
    (tmp_path / "schemas").mkdir()
    (tmp_path / "schemas" / "gone.schema.json").write_text("{}")
    (tmp_path / "CLI.md").write_text("old")
    texts = {tmp_path / "CLI.md": b"new", tmp_path / "missing.md": b"x"}

    stale = stale_files(disk, texts, tmp_path)

    assert [path.name for path in stale] == ["CLI.md", "missing.md", "gone.schema.json"]


def test_only_what_differs_is_written(tmp_path: Path) -> None:
    disk, path = Disk(), tmp_path / "a" / "b.json"

    assert put(disk, path, b"1")
    assert not put(disk, path, b"1")
    assert put(disk, path, b"2")

    assert path.read_bytes() == b"2"
    assert [each.name for each in path.parent.iterdir()] == ["b.json"]


def test_schema_lists_names_and_prints_one(empty: Shell) -> None:
    names = empty("schema").out.splitlines()
    one = empty("schema", "output/list")

    assert names == list(schemas())
    assert sorted(names) == WRITTEN
    assert json.loads(one.out) == schemas()["output/list"]


def test_schema_asks_about_a_near_miss(empty: Shell) -> None:
    answer = empty("schema", "confg")

    assert answer.code == 2
    assert "did you mean `config`?" in answer.err


def test_schema_writes_a_folder(empty: Shell, tmp_path: Path) -> None:
    target = tmp_path / "out"

    written = document_of(empty("schema", "--write", str(target), "--json"), "schema")["written"]
    again = document_of(empty("schema", "--write", str(target), "--json"), "schema")["written"]

    assert len(written) == len(schemas())
    assert again == []
    assert (target / "output" / "list.schema.json").is_file()
