"""`export` and `import`, as a person and as a script use them."""

from __future__ import annotations

import re

import yaml
from tests.cli.conftest import Shell, document_of, write

PACK = """\
exported_from: bakery
exported_at: "2026-02-02"
version: "1.0"
conventions:
  - rule: "Every queue consumer is not idempotent"
    applies_to: [backend-engineer]
  - rule: "Ovens are checked before dawn"
    applies_to: [backend-engineer]
  - id: conv-001
    rule: "Something with an id that is taken"
anti_patterns:
  - description: "Key \\e[2J in a rule"
decisions: []
"""
HELD = "review what was held back; `--acknowledge ID` imports it as a candidate"


def test_export_prints_a_pack_and_writes_nothing(shop: Shell) -> None:
    before = shop.digest()

    answer = shop("export")

    pack = yaml.safe_load(answer.raw)
    assert answer.code == 0
    assert [each["rule"] for each in pack["conventions"]] == ["Every queue consumer is idempotent"]
    assert pack["decisions"] == []
    assert shop.digest() == before


def test_export_to_a_file_can_be_said_again_and_takes_no_other_file_s_place(shop: Shell) -> None:
    target = shop.root / "pack.yaml"
    write(shop.root, {"notes.txt": "mine\n"})

    first = shop("export", "--with-decisions", "-o", str(target))
    again = shop("export", "ap-001", "-o", str(target))
    refused = shop("export", "-o", str(shop.root / "notes.txt"))

    assert (first.code, again.code, refused.code) == (0, 0, 2)
    assert first.raw == b""
    assert "3 entries exported to `pack.yaml`" in first.err
    pack = yaml.safe_load(target.read_text())
    assert (pack["conventions"], len(pack["anti_patterns"])) == ([], 1)
    assert "is not a pack" in refused.err
    assert shop.bytes_of("notes.txt") == b"mine\n"


def test_hidden_characters_are_told_on_stderr_and_exported_as_they_are(shop: Shell) -> None:
    write(
        shop.root,
        {".sniper/memory/conventions.yaml": 'conventions: [{id: conv-001, rule: "a\\u200bb"}]\n'},
    )

    answer = shop("export")

    assert yaml.safe_load(answer.raw)["conventions"] == [{"rule": "a\u200bb"}]
    assert "`sniper:conv-001` holds" in answer.err


def test_a_secret_that_goes_into_a_pack_is_told(shop: Shell) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    rule = f'conventions: [{{id: conv-001, rule: "Log in", rationale: "with {secret}"}}]\n'
    write(shop.root, {".sniper/memory/conventions.yaml": rule})

    answer = shop("export")

    assert secret in answer.out
    assert "`sniper:conv-001` looks like a GitHub token: `ghp_… (40 characters)`" in answer.err
    assert secret not in answer.err


def test_the_document_of_export_has_the_pack_in_it(shop: Shell) -> None:
    document = document_of(shop("export", "conv-001", "--json"), "export")

    assert (document["written"], document["entries"]) == (False, ["sniper:conv-001"])
    assert yaml.safe_load(document["text"])["version"] == "1.0"


def test_import_tells_what_each_entry_is_like_and_would_do_before_it_comes_in(shop: Shell) -> None:
    write(shop.root, {"pack.yaml": PACK})
    before = shop.digest()

    answer = shop("import", str(shop.root / "pack.yaml"), "--dry-run")

    assert answer.code == 0, answer.err
    assert "possible conflict with `sniper:conv-001`" in answer.out
    assert "once approved: included for backend-engineer (" in answer.out
    assert "backend-engineer: " in answer.out
    assert '+    rule: "Ovens are checked before dawn"' in answer.out
    assert "\x1b" not in answer.out
    assert "2 added, 1 same id, 1 held back" in answer.err
    assert HELD in answer.err
    assert shop.digest() == before


def test_a_rule_of_several_lines_is_told_on_one(shop: Shell) -> None:
    write(shop.root, {"pack.yaml": 'conventions: [{rule: "Ask first\\n# Then\\nanswer"}]\n'})

    answer = shop("import", str(shop.root / "pack.yaml"), "--dry-run")

    assert "added       Ask first # Then answer" in answer.out.splitlines()


def test_imported_entries_wait_and_one_undo_takes_all_of_them_back(shop: Shell) -> None:
    write(shop.root, {"pack.yaml": PACK})
    before = shop.bytes_of(".sniper/memory/conventions.yaml")

    done = document_of(shop("import", str(shop.root / "pack.yaml"), "--json"), "import")
    waiting = shop("queue", "--json").document["items"]
    again = shop("import", str(shop.root / "pack.yaml"))
    undone = shop("undo")

    added = [each["ref"] for each in done["entries"] if each["outcome"] == "added"]
    assert added == ["sniper:conv-003", "sniper:conv-004"]
    assert {ref for item in waiting for ref in [item["ref"]]} >= set(added)
    assert "it has nothing new; nothing was written" in again.err
    assert (again.code, undone.code) == (0, 0)
    assert shop.bytes_of(".sniper/memory/conventions.yaml") == before


def test_what_was_held_back_comes_in_when_it_is_acknowledged(shop: Shell) -> None:
    write(shop.root, {"pack.yaml": PACK})

    held = shop("import", str(shop.root / "pack.yaml"), "--dry-run").out
    ids = re.findall(r"\(([0-9a-f]{6})\)", held)
    seen = [word for each in ids for word in ("--acknowledge", each)]
    shop("import", str(shop.root / "pack.yaml"), *seen)

    assert b"\\u001b[2J" in shop.bytes_of(".sniper/memory/anti-patterns.yaml")
    assert "\x1b" not in shop("list").out


def test_a_secret_that_was_held_back_is_not_printed(shop: Shell) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    write(shop.root, {"pack.yaml": f'conventions: [{{rule: "Log in with {secret} first"}}]\n'})

    for how in ((), ("--dry-run",), ("--json",)):
        told = shop("import", str(shop.root / "pack.yaml"), *how)

        assert "held back" in told.out
        assert "Log in with ghp_… (40 characters) first" in told.out.replace("\\u2026", "…")
        assert secret not in told.out + told.err


def test_an_agent_cannot_be_told_to_take_a_file_that_is_no_pack(shop: Shell) -> None:
    write(shop.root, {"bad.yaml": "version: 9\nconventions: []\n"})

    refused = shop("import", str(shop.root / "bad.yaml"))
    missing = shop("import", str(shop.root / "none.yaml"), "--json")

    assert refused.code == 2
    assert "is a version-9 pack" in refused.err
    assert document_of(missing, "error")["error"]["code"] == "not-possible"


def test_add_learning_writes_a_record_in_force(shop: Shell) -> None:
    answer = shop(
        "add", "learning", "Check the tide", "--role", "qa-engineer", "--rationale", "two delays",
        "--set", "correction=Ask the harbour", "--set", "scope.files=[docs/**]",
    )  # fmt: skip

    (path,) = (shop.root / ".sniper/memory/learnings").iterdir()
    record = yaml.safe_load(path.read_text())
    assert answer.code == 0, answer.err
    assert (record["status"], record["confidence"]) == ("active", 0.9)
    assert record["source"] == {"type": "human", "detail": "two delays"}
    assert record["scope"] == {"agents": ["qa-engineer"], "files": ["docs/**"]}
    assert record["correction"] == "Ask the harbour"


def test_status_has_one_row_for_very_many_files(shop: Shell) -> None:
    record = "id: {id}\nstatus: active\nconfidence: 0.5\ncreated_at: '2026-05-04T10:00:00Z'\n"
    record += "source: {{type: human}}\nlearning: 'Case {id}'\n"
    names = [f"L-20260504-{number:04x}" for number in range(101)]
    write(
        shop.root,
        {f".sniper/memory/learnings/{name}.yaml": record.format(id=name) for name in names},
    )

    answer = shop("status")

    assert "101 files\tlearning\t101\t.sniper/memory/learnings/" in answer.out
    assert "L-20260504-0064.yaml" not in answer.out


def test_what_only_the_project_knows_is_left_out_of_a_rationale(shop: Shell) -> None:
    why = "Two outages. Established in Sprint 2, see STORY-051. 7 of 8 stories."
    shop("add", "convention", "Tie up early", "--rationale", why)

    pack, kept = shop("export"), shop("export", "--keep-rationale")

    assert 'rationale: "Two outages."' in pack.out or "rationale: Two outages." in pack.out
    assert "Sprint 2" not in pack.out
    assert "7 of 8" not in pack.out
    assert "`--keep-rationale` keeps it" in pack.err
    assert "Established in Sprint 2, see STORY-051." in kept.out
