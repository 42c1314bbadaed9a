"""Plug-ins as they are installed: the example from its folder, and others that go wrong."""

import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

EXAMPLE = Path(__file__).parent / "example_system"
TRAIL = """\
Trail of the shop team.

== signpost s1 [open] backend-engineer, qa-engineer
Send the idempotency key with every retry.
? Two double charges in May.

== pitfall p1 [proposed]
Reading the clock inside domain code.

== pitfall p2 [proposed]
Mocking the database.
"""
BROKEN = """
from remem.plugin import *
import example_system as example

class Reader(example.Reader):
    def discover(self, ground):
        return ()
class Keeper(example.Keeper): pass
class Composer(example.Composer): pass

def declared(name="bad", contract=CONTRACT, kinds=("oddity",), places=(".trail",), **more):
    parts = dict(reader=Reader, keeper=Keeper, composer=Composer)
    return Plugin(contract=contract, name=name, kinds=kinds, places=places, **{**parts, **more})

def register():
    return declared()
"""
"""A plug-in that reads nothing of its own; what a test adds goes below it."""


def install_example(folder: Path) -> Path:
    """Install the example from its folder without a network, as `pip install --target` would."""
    build = (
        "import sys; sys.dont_write_bytecode = True; sys.path.insert(0, sys.argv[1])\n"
        "import wheel_of_it; print(wheel_of_it.build_wheel(sys.argv[2]))"
    )
    folder.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        [sys.executable, "-S", "-c", build, EXAMPLE, folder],
        capture_output=True,
        text=True,
        check=True,
    )
    wheel = folder / done.stdout.strip()
    with ZipFile(wheel) as packed:
        packed.extractall(folder)
    wheel.unlink()
    return folder


def install(folder: Path, name: str, code: str, *, target: str = "", again: str = "") -> None:
    """Install a plug-in that consists of one module, or name it once `again` under a version."""
    module = target.partition(":")[0] or f"plug_{name}_{abs(hash(code)) % 10**8}"
    if code:
        (folder / f"{module}.py").write_text(code, encoding="utf-8")
    info = folder / f"plug_{name}-{again or '1.0'}.dist-info"
    info.mkdir(parents=True)
    text = f"[remem.systems]\n{name} = {target or f'{module}:register'}\n"
    (info / "entry_points.txt").write_text(text, encoding="utf-8")


WITH_VERBS = """
class Tidy(Args):
    '''Write every mark anew.'''

def tidy(library, intent, args):
    return Change(intent, "Tidy the trail", (), touched={ref: ref for ref in intent.shown})

class Say(Args):
    '''Say what is new on the trail.'''

    text: str = option("--text", "What is said.", metavar="TEXT", default="")

def say(library, intent, args):
    path = library.ground.root / ".trail" / "said"
    return Change(intent, "Say it", (Create(path, args.text.encode()),))

def fail(library, intent, args):
    raise IndexError("off the map")

def verb(name, plan=tidy, args=Tidy, **more):
    return Writing(id=name, title=name.title(), group="Trail", args=args, plan=plan, **more)
"""
"""Goes between what is declared and a `register` of its own."""
