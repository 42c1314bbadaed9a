"""remem's plug-in inside whole sessions of Claude Code; run on request, as `test_oracle.py` is."""

import json
import subprocess
from pathlib import Path

import pytest
from tests.oracle.claude_session import Session, session, text, use
from tests.oracle.tools import CLAUDE

from remem.cli.main import run
from remem.core.session import Session as Bench
from remem.core.settings import Places
from remem.mcp.tools import TOOLS
from remem.model.change import Intent

pytestmark = pytest.mark.oracle
RULE = "Ropes are coiled clockwise"
SERVER = "mcp__plugin_remem_remem__"
ASKED = "Stop hook additional context: Changed files: "


@pytest.fixture
def program(request: pytest.FixtureRequest) -> Path:
    folder = request.config.getoption("oracle")
    if not folder:
        pytest.skip("`--oracle FOLDER` names no installed tools")
    found = Path(folder).absolute() / "node_modules" / ".bin" / CLAUDE.program
    if not found.exists():
        pytest.skip(f"there is no `{found}`")
    return found


@pytest.fixture
def pier(tmp_path: Path) -> Path:
    root = tmp_path / "pier"
    (root / ".sniper/memory").mkdir(parents=True)
    (root / "berths.py").write_text("LIMIT = 4\n")
    rule = f"conventions:\n  - id: conv-001\n    rule: {RULE}\n    status: confirmed\n"
    (root / ".sniper/memory/conventions.yaml").write_text(rule)
    for each in (("init", "-q"), ("add", "."), ("commit", "-qm", "first")):
        who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
        subprocess.run(["git", "-C", str(root), *who, *each], check=True)
    return root


def fact_at(root: Path, home: Path) -> None:
    told = ["--subject", "berths", "--fact", "A pier has four berths", "--cite", "berths.py:1"]
    assert run(["--root", str(root), "--home", str(home), "memory", "store", *told]) == 0


WRITES = ("--allowedTools", f"Write,{SERVER}memory_get_recent")


def test_a_session_starts_with_memory_and_is_asked_once_what_it_taught(
    program: Path, pier: Path, tmp_path: Path
) -> None:
    turns = [
        use("Write", file_path=str(pier / "new.py"), content="x = 1\n"),
        text("It is written."),
        text("Nothing lasts."),
    ]

    found = session(program, pier, tmp_path / "home", "hi", turns, *WRITES)

    assert len(found.requests) == 3, found.output
    assert found.says(0).count(RULE) == 1
    assert [ASKED in found.says(number) for number in range(3)] == [False, False, True]
    assert "new.py" in found.says(2).split(ASKED)[1]


def test_a_session_that_changes_nothing_is_not_asked(
    program: Path, pier: Path, tmp_path: Path
) -> None:
    found = session(program, pier, tmp_path / "home", "hi", [text("Hello.")])

    assert len(found.requests) == 1, found.output


def test_a_session_that_goes_on_is_not_given_its_memory_again(
    program: Path, pier: Path, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    session(program, pier, home, "hi", [text("Hello.")])

    found = session(program, pier, home, "again", [text("Hello again.")], "--continue")

    assert "Hello again." in found.output
    assert found.says(0).count(RULE) == 1


def test_the_plug_ins_server_is_connected_and_asked(
    program: Path, pier: Path, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    fact_at(pier, home)
    turns = [use(f"{SERVER}memory_get_recent", task="moor at a berth"), text("Four.")]

    found = session(program, pier, home, "how many berths?", turns, *WRITES)

    ours = {name for name in found.tools(0) if name.startswith(SERVER)}
    assert ours == {f"{SERVER}{tool.name}" for tool in TOOLS}
    assert max(map(len, ours)) <= 64
    assert "A pier has four berths" in tool_result(found)


def test_the_hook_holds_a_memory_back_and_approving_writes_it(
    program: Path, pier: Path, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    settings = home / ".claude" / "settings.json"
    settings.parent.mkdir(parents=True)
    page = (Path(__file__).parents[2] / "docs" / "agents.md").read_text("utf-8")
    settings.write_text(page.partition("```json hold\n")[2].partition("```")[0])
    slug = "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in str(pier))
    note = home / ".claude" / "projects" / slug / "memory" / "ropes.md"
    said = "---\nname: ropes\n---\nRopes are stored dry.\n"
    turns = [
        use("Write", file_path=str(note), content=said),
        use("Write", file_path=str(pier / "new.py"), content="x = 1\n"),
        text("Done."),
    ]

    found = session(program, pier, home, "remember it", turns, "--allowedTools", "Write")

    assert str(note.parent) in json.dumps(found.requests[0])
    assert "Held back, not written" in tool_result(found)
    assert not note.exists()
    assert (pier / "new.py").read_text() == "x = 1\n"
    opened = Bench.open(pier, Places.of(home), door="cli")
    (item,) = [each for each in opened.queue() if each.waiting == "plain.held"]
    assert item.title == "Ropes are stored dry."
    opened.apply(Intent("approve", {item.ref: item.digest}, {}, (item.id,)))
    assert note.read_text() == said


def tool_result(found: Session) -> str:
    blocks = [
        block
        for message in found.requests[1]["messages"]
        if isinstance(message["content"], list)
        for block in message["content"]
        if block["type"] == "tool_result"
    ]
    return json.dumps(blocks)


def test_memory_that_is_too_long_arrives_as_a_pointer_that_is_whole(
    program: Path, pier: Path, tmp_path: Path
) -> None:
    stores = pier / ".sniper/memory/conventions.yaml"
    with stores.open("a") as file:
        for number in range(2, 400):
            rule = f"Rope {number} is coiled on pin {number * 7} and never below it"
            file.write(f"  - id: conv-{number:03}\n    rule: {rule}\n    status: confirmed\n")
    (pier / ".remem").mkdir()
    (pier / ".remem/config.yaml").write_text("tokens:\n  budget: 9000\n")

    found = session(program, pier, tmp_path / "home", "hi", [text("Hello.")])

    said = found.says(0)
    assert "remem compose" in said
    assert "Rope 390 is" not in said
    assert "persisted-output" not in said
