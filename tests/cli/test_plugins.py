"""A system of somebody else's gets what remem's own get, and can take nothing from them."""

import json
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.shell_completion import ShellComplete
from tests.cli.conftest import Shell, write
from tests.plugin_files import BROKEN, EXAMPLE, TRAIL, WITH_VERBS, install, install_example

from remem.cli.commands import COMMANDS, OLD_NAMES
from remem.cli.main import remem
from remem.core.plugins import register_plugins
from remem.core.session import Session
from remem.core.settings import Places
from remem.model.change import Intent, Json
from remem.systems.registry import FORMATS
from remem.tui.verbs import every_verb, keys_of

FAULTS: Mapping[str, tuple[str, str]] = {
    "import": ("raise OSError('no map')", "OSError: no map"),
    "exit": ("raise SystemExit(3)", "it exited the program"),
    "needs": ("import surveying", "No module named 'surveying'"),
    "register": ("def register(): raise KeyError('map')", "KeyError: 'map'"),
    "none": ("def register(): return None", "is a NoneType, not a `Plugin`"),
    "contract": ("def register(): return declared(contract=99)", "it needs contract 99"),
    "name": ("def register(): return declared(name='sniper')", "it calls itself `sniper`"),
    "kind": ("def register(): return declared(kinds=('decision',))", "`decision` is a kind of"),
    "place": ("def register(): return declared(places=('../x',))", "`../x` cannot be a place"),
    "argument": (
        f"{WITH_VERBS}\nclass Odd(Args):\n    x: complex = option('--x', 'X.')\n"
        "def register(): return declared(verbs=(verb('bad.odd', args=Odd),))",
        "`x` cannot be a `complex`",
    ),
    "unknown": ("def register(): return declared(colour='red')", "unexpected keyword argument"),
}
"""What is wrong as it is loaded: the code, and what is said of it."""
FAILING: Mapping[str, tuple[str, str]] = {
    "reader": ("def register(): return declared(reader=lambda: 1 / 0)", "`discover` failed"),
    "discover": ("def bad(self, ground): raise OSError('lost')\nReader.discover = bad", "lost"),
    "outside": (
        "def bad(self, ground):\n"
        "    yield store(ground, 'bad', ground.root / '..' / 'secret')\n"
        "Reader.discover = bad",
        "lies outside the root",
    ),
    "shadow": (
        "def bad(self, ground): yield store(ground, 'sniper', ground.root / 'a')\n"
        "Reader.discover = bad",
        "it calls a source `sniper`",
    ),
    "read": ("def bad(self, source, data): raise RecursionError\nReader.read = bad", "`read`"),
    "entries": ("def bad(self, source, data): yield 3\nReader.read = bad", "it returned a int"),
    "offers": (
        "def bad(self, sources, ask): raise ValueError('no budget')\nComposer.offers = bad",
        "`offers` failed: ValueError: no budget",
    ),
    "roles": ("def bad(self, sources): raise ValueError('x')\nComposer.roles = bad", "`roles`"),
    "problems": (
        "def register(): return declared(problems=lambda library: 1 / 0)",
        "`problems` failed: ZeroDivisionError",
    ),
}
"""What goes wrong while it runs: code below one that reads trails, and what is said of it."""
READS_TRAILS = """
def found(self, ground):
    for path in ground.disk.walk(ground.root / ".trail", 1, ".trail"):
        yield store(ground, "bad", path)

def entries(self, source, data):
    yield Entry(Ref("bad", source.name, source.place), "oddity", "Odd", Status.ACTIVE,
                WholeFile(source.path), digest_of(data), roles=("odd-role",))

def fields(self, source, entry):
    return {"text": entry.title}

Reader.discover, Reader.read, Reader.fields = found, entries, fields
"""


@dataclass(frozen=True)
class Place:
    """A root with trails, and the folder that plug-ins are installed into."""

    shell: Shell
    site: Path

    def of(self, *arguments: str) -> Any:
        answer = self.shell(*arguments, "--json")
        assert answer.code == 0, answer.out + answer.err
        return answer.document

    def plug_in_problems(self) -> list[str]:
        problems = self.of("status")["problems"]
        return [each["message"] for each in problems if each["code"] == "plug-in"]

    def bytes(self) -> bytes:
        return self.shell.bytes_of(".trail/main.trail")


@pytest.fixture(scope="session")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install_example(tmp_path_factory.mktemp("example"))


@pytest.fixture
def place(empty: Shell, example: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    """The example is installed, in a folder of its own each time."""
    site = shutil.copytree(example, tmp_path / "site")
    monkeypatch.syspath_prepend(str(site))
    write(empty.root, {".trail/main.trail": TRAIL})
    return Place(empty, site)


def test_its_entries_are_listed_shown_and_found(place: Place) -> None:
    listed = place.of("list", "--kind", "pitfall")["entries"]
    found = place.of("search", "idempotency")
    shown = place.of("show", "trail:main/s1")

    assert [(each["ref"], each["status"]) for each in listed] == [
        ("trail:main/p1", "candidate"),
        ("trail:main/p2", "candidate"),
    ]
    assert "trail:main/s1" in json.dumps(found)
    assert shown["fields"]["why"] == "Two double charges in May."


def test_its_candidates_wait_and_are_approved_and_rejected(place: Place) -> None:
    waiting = place.of("queue")["items"]

    place.of("approve", waiting[0]["id"])
    place.of("reject", waiting[1]["id"], "--reason", "a tool does it")

    assert [each["title"] for each in waiting] == [
        "Reading the clock inside domain code.",
        "Mocking the database.",
    ]
    assert (
        place.bytes()
        == TRAIL.replace("p1 [proposed]", "p1 [open]").encode().partition(b"== pitfall p2")[0]
    )
    assert place.of("queue")["items"] == []


def test_it_has_a_layer_in_prompts_under_its_budget(place: Place) -> None:
    composed = place.of("compose", "--role", "qa-engineer")
    small = place.of("compose", "--role", "qa-engineer", "--budget", "3")
    why = place.of("why", "trail:main/p1", "--role", "qa-engineer")

    assert [(each["name"], each["budget"]) for each in composed["layers"]] == [("trail", 400)]
    assert composed["text"] == "## Trail\n\n- Send the idempotency key with every retry."
    assert [each["reason"] for each in small["excluded"] if each["ref"].endswith("s1")] == [
        "budget"
    ]
    assert "candidate" in json.dumps(why)


def test_every_verb_on_it_is_in_the_history_and_undone_to_the_same_bytes(place: Place) -> None:
    done = [
        ("approve", "trail:main/p1"),
        ("reject", "trail:main/p2"),
        ("edit", "trail:main/s1", "why=Three in June."),
        ("archive", "trail:main/s1"),
        ("restore", "trail:main/s1"),
        ("add", "signpost", "Pin the base image.", "--role", "qa-engineer"),
        ("remove", "trail:main/s2"),
        ("promote", "trail:main/p1"),
    ]
    states = [place.bytes()]
    for arguments in done:
        answer = place.shell(*arguments)
        assert answer.code == 0, answer.err
        if place.bytes() != states[-1]:
            states.append(place.bytes())

    history = place.of("history")["changes"]
    while len(states) > 1:
        assert place.bytes() == states.pop()
        assert place.shell("undo").code == 0

    assert [each["title"].split()[0] for each in reversed(history)] == [
        *("Approve", "Reject", "Edit", "Archive", "Restore", "Add", "Remove"),
    ]
    assert place.bytes() == TRAIL.encode()


def test_what_an_agent_proposes_for_it_is_written_to_its_file_once_approved(place: Place) -> None:
    places = Places.of(place.shell.home)
    bench = Session.open(place.shell.root, places, door="mcp", actor="agent")
    fields: Json = {"text": "Pin the base image.", "roles": ["qa-engineer"]}
    bench.apply(Intent("propose", arguments={"kind": "signpost", "fields": fields, "by": "Ana"}))
    bench.close()
    item = next(i for i in place.of("queue")["items"] if i["title"] == "Pin the base image.")

    place.of("approve", item["id"])

    added = b"\n== signpost s2 [open] qa-engineer\nPin the base image.\n"
    assert place.bytes() == TRAIL.encode() + added
    assert place.shell("undo").code == 0
    assert place.bytes() == TRAIL.encode()


def test_its_problems_and_its_files_stand_in_status(place: Place) -> None:
    write(place.shell.root, {".trail/odd.trail": "== road r1 [open]\nNo such kind.\n"})

    status = place.of("status")

    assert [each["message"] for each in status["problems"]] == [
        "`== road r1 [open]` begins no mark"
    ]
    assert {"main", "odd"} <= {each["name"] for each in status["sources"]}


def test_the_shell_completes_its_refs_kinds_and_roles(place: Place) -> None:
    where = ["--root", str(place.shell.root), "--home", str(place.shell.home)]
    shell_complete = ShellComplete(remem, {}, "remem", "_REMEM_COMPLETE")

    def offered(*words: str, incomplete: str) -> list[str]:
        found = shell_complete.get_completions([*where, *words], incomplete)
        return [each.value for each in found]

    assert offered("show", incomplete="trail:") == [
        *("trail:main/s1", "trail:main/p1", "trail:main/p2"),
    ]
    assert offered("approve", incomplete="trail:") == ["trail:main/p1", "trail:main/p2"]
    assert offered("add", incomplete="sign") == ["signpost"]
    assert offered("compose", "--role", incomplete="qa") == ["qa-engineer"]


def test_what_a_plug_in_would_break_is_refused(place: Place) -> None:
    """Every plan is read again: no entry but the one that was meant may stand otherwise."""
    code = (
        BROKEN
        + READS_TRAILS
        + (
            "def edit(self, source, entry, fields):\n"
            "    return (splice(source, 0, len(source.data), b'gone'),)\n"
            "def entries(self, source, data):\n"
            "    for n, line in enumerate(data.split(b'\\n\\n')):\n"
            "        at = data.index(line)\n"
            "        yield Entry(Ref('bad', str(n), source.place), 'oddity', line.decode(),\n"
            "                    Status.ACTIVE, FileSpan(source.path, at, at + len(line)),\n"
            "                    digest_of(line))\n"
            "Reader.read, Keeper.edit = entries, edit\n"
        )
    )
    install(place.site, "bad", code)

    answer = place.shell("edit", "bad:1", "text=Other")

    assert answer.code == 2
    assert "would change more in `main` than `1`" in answer.err
    assert place.bytes() == TRAIL.encode()


@pytest.mark.parametrize("what", ["needs", "contract"])
def test_a_plug_in_that_cannot_be_loaded_is_named_and_the_rest_goes_on(
    place: Place, what: str
) -> None:
    _one_that_cannot_be_loaded(place, what)


@pytest.mark.slow
@pytest.mark.parametrize("what", sorted(FAULTS))
def test_every_plug_in_that_cannot_be_loaded_is_named(place: Place, what: str) -> None:
    _one_that_cannot_be_loaded(place, what)


def _one_that_cannot_be_loaded(place: Place, what: str) -> None:
    code, said = FAULTS[what]
    install(place.site, "bad", BROKEN + code)

    (message,) = place.plug_in_problems()

    assert message.startswith("the plug-in `bad` is not loaded: ")
    assert said in message
    assert len(place.of("list")["entries"]) == 3


@pytest.mark.parametrize("what", ["discover", "offers"])
def test_a_plug_in_that_raises_is_switched_off_and_named(place: Place, what: str) -> None:
    _one_that_fails(place, what)


@pytest.mark.slow
@pytest.mark.parametrize("what", sorted(FAILING))
def test_every_plug_in_that_fails_is_switched_off_and_named(place: Place, what: str) -> None:
    _one_that_fails(place, what)


def _one_that_fails(place: Place, what: str) -> None:
    code, said = FAILING[what]
    install(place.site, "bad", BROKEN + READS_TRAILS + code)

    messages = set(place.plug_in_problems())

    assert [said in each and "is disabled" in each for each in messages] == [True]
    assert [each["ref"] for each in place.of("list")["entries"] if "trail" in each["ref"]] != []
    assert "## Trail" in place.of("compose", "--role", "qa-engineer")["text"]


def test_a_plug_in_that_fails_while_it_plans_says_so_and_writes_nothing(place: Place) -> None:
    code = "def bad(*_): raise IndexError('off the map')\nKeeper.set_status = bad\n"
    install(place.site, "bad", BROKEN + READS_TRAILS + code)

    answer = place.shell("archive", "bad:main")

    assert answer.code == 2
    assert "`set_status` failed: IndexError: off the map" in answer.err
    assert place.bytes() == TRAIL.encode()
    assert place.shell("history").out == ""


def test_a_verb_of_its_own_has_a_command_is_in_the_history_and_undone(place: Place) -> None:
    _install_with_verbs(place, "bad", "verb('bad.say', say, Say, command='bad say')")

    done = place.shell("bad", "say", "--text", "Fog at noon")
    said = place.shell.bytes_of(".trail/said")
    undone = place.shell("undo")

    assert (done.code, said) == (0, b"Fog at noon")
    assert "Say it" in place.shell("history").out
    assert undone.code == 0
    assert not (place.shell.root / ".trail/said").exists()


def test_no_verb_takes_a_key_or_a_command_that_another_has(place: Place) -> None:
    _install_with_verbs(
        place, "bad", "verb('bad.one', key='a', command='list'), verb('bad.two', key='Z')"
    )
    _install_with_verbs(place, "worse", "verb('worse.one', key='Z', tool='memory_store')")

    assert place.plug_in_problems() == [
        "the plug-in `bad` cannot use the key `a`: remem uses it",
        "the plug-in `bad` cannot use the command `list`",
        "the plug-in `worse` cannot use the key `Z`: the plug-in `bad` uses it",
        "the plug-in `worse` cannot add the tool `memory_store`: agents only get remem's own",
    ]


def test_no_verb_takes_the_id_of_another_systems(place: Place) -> None:
    _install_with_verbs(place, "bad", "verb('approve')")

    (message,) = place.plug_in_problems()

    assert "the id of its verb `approve` does not begin with `bad.`" in message


def test_a_verb_that_fails_writes_nothing_and_switches_it_off(place: Place) -> None:
    _install_with_verbs(place, "bad", "verb('bad.fail', fail, command='bad fail')")

    answer = place.shell("bad", "fail")

    assert answer.code == 2
    assert "the plug-in `bad` is disabled: `bad.fail` failed: IndexError: off the map" in answer.err


def _install_with_verbs(place: Place, name: str, verbs: str) -> None:
    register = (
        f"def register():\n    return declared({name!r}, kinds=('{name}_kind',), verbs=({verbs},))"
    )
    install(place.site, name, f"{BROKEN}{WITH_VERBS}{register}\n")


@pytest.mark.parametrize(
    "name",
    [
        "sniper",
        *(pytest.param(each, marks=pytest.mark.slow) for each in ("facts", "list", "Trail")),
    ],
)
def test_no_plug_in_takes_a_name_of_remems_own(place: Place, name: str) -> None:
    install(place.site, name, f"{BROKEN}\ndef register(): return declared(name={name!r})")

    (message,) = place.plug_in_problems()

    assert message.startswith(f"the plug-in `{name}` is not loaded: ")


def test_one_that_is_installed_twice_is_not_loaded(place: Place) -> None:
    install(place.site, "trail", "", target="example_system:register", again="2.0")

    (message,) = place.plug_in_problems()

    assert "the plug-in `trail` is not loaded: it is installed 2 times: " in message
    assert "example_system-1.0" in message
    assert place.of("list")["entries"] == []


def test_what_lies_in_the_current_folder_is_not_run(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A repository that somebody cloned brings no code, even where Python would look there."""
    install(place.shell.root, "bad", "raise OSError('it ran')")
    monkeypatch.chdir(place.shell.root)
    monkeypatch.syspath_prepend("")
    monkeypatch.syspath_prepend(str(place.shell.root))

    assert place.plug_in_problems() == []


def test_once_it_is_taken_out_nothing_of_it_counts_as_removed(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.of("approve", "trail:main/p1")
    place.of("add", "signpost", "Pin the base image.")
    monkeypatch.setattr(sys, "path", [each for each in sys.path if each != str(place.site)])

    status = place.of("status")

    assert status["problems"] == []
    assert status["queue"] == 0
    assert place.shell("undo").code == 0


def test_in_a_process_of_its_own_it_is_found_by_where_it_is_installed(place: Place) -> None:
    answer = place.shell.process("list", env={"PYTHONPATH": str(place.site)})

    assert answer.out.count("trail:main/") == 3


@pytest.mark.slow
def test_pip_installs_it_from_its_folder_without_a_network(empty: Shell, tmp_path: Path) -> None:
    python = next(
        (
            found
            for found in (sys.executable, str(Path(sys.base_prefix, "bin", "python3")))
            if not subprocess.run(
                [found, "-m", "pip", "--version"], capture_output=True, check=False
            ).returncode
        ),
        None,
    )
    if python is None:
        pytest.skip("no pip here")
    folder = shutil.copytree(EXAMPLE, tmp_path / "example_system")
    options = ("--no-index", "--no-build-isolation", "--no-deps", "--no-cache-dir", "--quiet")
    subprocess.run(
        [python, "-m", "pip", "install", *options, "--target", tmp_path / "site", folder],
        check=True,
        capture_output=True,
    )
    write(empty.root, {".trail/main.trail": TRAIL})

    answer = empty.process("list", env={"PYTHONPATH": str(tmp_path / "site")})

    assert answer.out.count("trail:main/") == 3


def test_the_example_is_short_and_takes_all_from_one_module() -> None:
    lines = [
        line
        for path in sorted(EXAMPLE.glob("*.*"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]

    assert len(lines) <= 300
    imports = {line.split()[1] for line in lines if line.startswith(("from remem", "import remem"))}
    assert imports == {"remem.plugin"}


def test_what_is_reserved_is_what_the_doors_have() -> None:
    assert {*COMMANDS, *OLD_NAMES, "open"} == register_plugins.COMMANDS
    assert {key for verb in every_verb() for key in keys_of(verb.key)} == register_plugins.KEYS
    assert not register_plugins.WORDS & {each.name for each in FORMATS}
