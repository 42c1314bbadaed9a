"""Every effect has one seam (DESIGN §3.9), and none is taken from anywhere else."""

import ast

import pytest
from tests.architecture.code import callers_of, dotted, importers_of, modules, outside

from remem.code.git_process import _SAFELY

AGENT_SIMULATION = "demo/live.py"
"""Writes as agents do that have never heard of remem."""

PATH_METHODS = {
    *("read_text", "read_bytes", "write_text", "write_bytes", "iterdir", "glob", "rglob", "lstat"),
    *("touch", "mkdir", "unlink", "rmdir", "symlink_to", "hardlink_to", "chmod", "readlink"),
}
"""What only a `Path` does; the harmless looks `is_file` and `is_dir` are not among them."""
SHARED_METHODS = {"open", "rename", "resolve", "stat"}
"""What a `Path` does, and other things too."""
OS_FUNCTIONS = {
    *("open", "fdopen", "read", "write", "fsync", "replace", "rename", "renames", "remove"),
    *("removedirs", "unlink", "mkdir", "makedirs", "rmdir", "listdir", "scandir", "walk", "stat"),
    *("lstat", "link", "symlink", "truncate", "ftruncate", "chmod", "chown", "utime"),
}


def touches_files(name: str) -> bool:
    receiver, _, method = name.rpartition(".")
    owner = receiver.rpartition(".")[2].lstrip("_").lower()
    if not receiver:
        return name == "open"
    if owner == "disk":
        return False
    if owner in {"os", "io", "codecs"}:
        return method in OS_FUNCTIONS
    if method in SHARED_METHODS:
        return owner.endswith(("path", "folder", "file", "root", "home"))
    return method in PATH_METHODS


def test_only_one_module_touches_files() -> None:
    # The pictures' demo, in a folder of its own, has the date of the pictures on its files.
    allowed = ("store/io.py", "store/linux.py", AGENT_SIMULATION, "tui/screenshots.py")
    assert callers_of(touches_files, allowed=allowed) == []


@pytest.mark.parametrize(
    "name",
    ["open", "os.replace", "path.write_text", "self.path.unlink", "Path.open", "().read_text"],
)
def test_that_rule_sees(name: str) -> None:
    assert touches_files(name)


def test_nothing_copies_or_makes_temporary_files_behind_the_seam() -> None:
    # The editor and the pictures' demos have folders of their own, which nobody else looks into.
    allowed = ("tui/editor.py", "tui/screenshots.py", "cli/generate.py")
    found = importers_of({"shutil", "tempfile"}, allowed=allowed)

    # The name of the folder for temporary files is a look, and `which` finds a program.
    harmless = ("tempfile", "tempfile.gettempdir", "shutil", "shutil.which")
    assert [place for place in found if not place.endswith(tuple(f" {h}" for h in harmless))] == []


def test_sql_is_spoken_by_the_stores_alone() -> None:
    # The demo makes its database in memory and writes its bytes through the seam for files.
    allowed = (
        "store/cache.py", "store/history/dated_versions.py", "store/history/journal_checksums.py",
        "store/history/journal_database.py", "store/history/journal_salvage.py",
        "store/databases/rows.py", "systems/facts/database/", "demo/build.py",
    )  # fmt: skip

    assert importers_of({"sqlite3", "sqlalchemy"}, allowed=allowed) == []


def starts_a_program(name: str) -> bool:
    receiver, _, function = name.rpartition(".")
    if receiver.rpartition(".")[2] in {"os", "pty"}:
        return function in {"system", "popen", "startfile", "fork", "forkpty"} or (
            function.startswith(("exec", "spawn", "posix_spawn"))
        )
    return function.startswith(("create_subprocess_", "subprocess_")) or function == "Popen"


def test_programs_are_run_only_for_git_the_model_the_person_and_the_demo() -> None:
    allowed = (
        *("code/git_process.py", "core/agent/runner.py", "tui/editor.py", AGENT_SIMULATION),
        "tui/screens/command.py",  # remem itself, as it is typed
        "tui/tmux_clipboard.py",  # tmux, where remem runs inside it
    )

    assert importers_of({"subprocess", "pty"}, allowed=allowed) == []
    assert callers_of(starts_a_program, allowed=allowed) == []


@pytest.mark.parametrize(
    "name",
    [
        *("os.system", "os.execvp", "os.posix_spawn", "subprocess.Popen", "Popen", "pty.spawn"),
        *("asyncio.create_subprocess_exec", "loop.subprocess_exec", "os.fork"),
    ],
)
def test_that_rule_sees_a_program(name: str) -> None:
    assert starts_a_program(name)


def test_a_model_is_asked_in_one_place_alone() -> None:
    """Doors and systems bring questions; how often one asks, and what is kept, is decided once."""
    asks = {
        module.name
        for module in modules()
        for node in module.nodes
        if isinstance(node, ast.ImportFrom)
        and node.module == "remem.core.agent.runner"
        and any(alias.name == "ask" for alias in node.names)
    }

    # The other one runs clients of the server, which are no models.
    assert asks == {"core/agent/consult.py", "cli/agents/mcp_install_and_doctor.py"}


def test_git_is_started_in_one_place_alone() -> None:
    # What may start other programs hands them no `git`, and the one place has one such call.
    named = [
        f"{module.name}:{node.lineno}"
        for module in outside("code/git_process.py")
        for node in module.nodes
        if isinstance(node, ast.List | ast.Tuple) and _begins_with_git(node)
    ]
    here = next(module for module in modules() if module.name == "code/git_process.py")

    assert named == []
    assert len([name for name, _ in here.calls if starts_a_program(name)]) == 1


def test_that_rule_sees_git() -> None:
    command = ast.parse('["git", "log"]', mode="eval").body

    assert isinstance(command, ast.List)
    assert _begins_with_git(command)


def _begins_with_git(node: ast.List | ast.Tuple) -> bool:
    """Tell whether this is the beginning of a command; the word stands in other lists too."""
    match node.elts:
        case [ast.Constant(value="git" | "/usr/bin/git"), ast.Constant(value=str(second)), *_]:
            return second.startswith("-") or second in _SAFELY
        case [ast.Constant(value="git" | "/usr/bin/git"), ast.Starred(), *_]:
            return True
        case _:
            return False


def test_time_and_chance_come_from_the_clock() -> None:
    def tells_the_time(name: str) -> bool:
        receiver, _, method = name.rpartition(".")
        last = receiver.rpartition(".")[2]
        if last in {"datetime", "date"}:
            return method in {"now", "utcnow", "today", "fromtimestamp"}
        return last == "time" and method in {"time", "time_ns", "localtime", "gmtime"}

    assert callers_of(tells_the_time, allowed=("base/clock.py",)) == []
    assert importers_of({"random", "secrets", "uuid"}, allowed=("base/clock.py",)) == []


def test_the_network_is_used_for_the_forge_alone() -> None:
    names = {"socket", "http", "urllib.request", "requests", "httpx"}

    assert importers_of(names, allowed=("code/github.py",)) == []


def test_yaml_is_dumped_nowhere_else_than_in_its_writer() -> None:
    def dumps(name: str) -> bool:
        receiver, _, method = name.rpartition(".")
        return method in {"dump", "dumps", "dump_all", "safe_dump"} and receiver != "json"

    assert callers_of(dumps, allowed=("edit/yaml_write.py",)) == []


def test_only_doors_and_what_holds_plug_ins_catch_everything() -> None:
    """Nobody knows what somebody else's code raises, and one plug-in must not end the program."""

    def names(caught: ast.expr | None) -> set[str]:
        each = caught.elts if isinstance(caught, ast.Tuple) else [caught]
        return {"Exception" if one is None else dotted(one) for one in each}

    found = [
        f"{module.name}:{node.lineno}"
        for module in outside("cli/", "mcp/", "tui/", "core/plugins/")
        for node in module.nodes
        if isinstance(node, ast.ExceptHandler)
        and names(node.type) & {"Exception", "BaseException"}
        and not any(isinstance(inner, ast.Raise) for inner in ast.walk(node))
    ]

    assert found == []


def test_only_the_screens_know_textual() -> None:
    assert importers_of({"textual"}, allowed=("tui/",)) == []


def test_the_code_was_found() -> None:
    assert {"store/io.py", "base/clock.py", "tui/content.py"} <= {
        module.name for module in modules()
    }
