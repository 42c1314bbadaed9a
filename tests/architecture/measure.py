"""Prints how big the house is and how far one walks in it: `python -m tests.architecture.measure`.

With `approve`, the modules that the plan of an approval passes, in their order, each with the
function by which it is entered first and from where, and what is called in it how often. Figures
to hold one version against another by; nothing here is a test.
"""

from __future__ import annotations

import ast
import io
import subprocess
import sys
import time
import tokenize
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

import grimp
from tests.architecture.code import PACKAGE, Module, modules

from remem.core.prompt.compose import compose
from remem.core.session import Session
from remem.core.settings import Places
from remem.demo.build import build_demo, home_of
from remem.model.change import Intent
from remem.model.prompt import Ask
from remem.systems.registry import make_known

make_known()
_ROUNDS = 5
_FIRST_PLAN = """
import sys, time
from pathlib import Path
from tests.architecture.measure import approval, opened
from remem.tui.preload import load_planners

load_planners()
_, bench = opened(Path(sys.argv[1]))
intent = approval(bench)
times = []
for _ in range(20):
    start = time.thread_time()
    bench.plan(intent)
    times.append(time.thread_time() - start)
print(times[0] / min(times), times[1] / min(times))
"""
"""What plans in a process that the screens loaded, and has planned nothing yet."""
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass
class Walk:
    """What was called between two moments, of remem alone."""

    calls: int = 0
    modules: dict[str, str] = field(default_factory=dict)
    """File → how it was entered first."""
    functions: dict[str, Counter[str]] = field(default_factory=dict)
    """File → which of its functions were called, and how often."""

    def __str__(self) -> str:
        return f"{self.calls:,} calls through {len(self.modules)} modules"


@contextmanager
def walking() -> Iterator[Walk]:
    """Count what is called inside, in this thread."""
    walk, home = Walk(), str(PACKAGE)
    library = {str(PACKAGE / "base" / name) for name in ("frozen.py", "lazy_pattern.py")}

    def note(frame: FrameType, event: str, _: Any) -> None:
        file = frame.f_code.co_filename
        is_ours = file.startswith(home) and file not in library  # in the standard library's place
        if event == "call" and is_ours and frame.f_code.co_name != "<module>":
            walk.calls += 1
            walk.functions.setdefault(file, Counter())[frame.f_code.co_qualname] += 1
            if file not in walk.modules:
                walk.modules[file] = f"{frame.f_code.co_qualname}  <- {_caller(frame, home)}"

    sys.setprofile(note)
    try:
        yield walk
    finally:
        sys.setprofile(None)


def _caller(frame: FrameType, home: str) -> str:
    """Return which of our functions led to a call."""
    above = frame.f_back
    while above is not None and not above.f_code.co_filename.startswith(home):
        above = above.f_back
    if above is None:
        return "the test"
    return f"{Path(above.f_code.co_filename).relative_to(home)} {above.f_code.co_qualname}"


def lines_of(module: Module) -> tuple[int, int]:
    """Return how many lines of a module are code, and how many have comments."""
    code: set[int] = set()
    comments: set[int] = set()
    skipped = {tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    for token in tokenize.generate_tokens(io.StringIO(module.text).readline):
        if token.type == tokenize.COMMENT:
            comments.add(token.start[0])
        elif token.type not in skipped:
            code.update(range(token.start[0], token.end[0] + 1))
    for node in module.nodes:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            code.difference_update(range(node.lineno, (node.end_lineno or 0) + 1))
    return len(code), len(comments)


def functions() -> list[Function]:
    return [
        node
        for module in modules()
        for node in module.nodes
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def used_once() -> tuple[int, int]:
    """Return how many private functions are named in one place, and how many there are."""
    private = [
        node.name
        for node in functions()
        if node.name.startswith("_") and not node.name.startswith("__")
    ]
    named = Counter(
        node.id if isinstance(node, ast.Name) else node.attr
        for module in modules()
        for node in module.nodes
        if isinstance(node, ast.Name | ast.Attribute)
    )
    return sum(named[name] == 1 for name in private), len(private)


def imported_at_run_time() -> dict[str, set[str]]:
    """Return what each module imports, inside functions too; what only types need is no import."""
    graph = grimp.build_graph("remem", cache_dir=None, exclude_type_checking_imports=True)
    return {name: graph.find_modules_directly_imported_by(name) for name in sorted(graph.modules)}


def circles() -> list[list[str]]:
    """Return the groups of modules that import each other."""
    found = components(imported_at_run_time())
    return sorted(sorted(group) for group in found if len(group) > 1)


def components(below: dict[str, set[str]]) -> list[set[str]]:
    """Return the strongly connected components (Kosaraju, without recursion)."""
    order: list[str] = []
    seen: set[str] = set()
    for start in below:
        stack = [(start, iter(below[start]))] if start not in seen else []
        seen.add(start)
        while stack:
            name, rest = stack[-1]
            ahead = next((each for each in rest if each not in seen), None)
            if ahead is None:
                order.append(name)
                stack.pop()
            else:
                seen.add(ahead)
                stack.append((ahead, iter(below[ahead])))
    above: dict[str, set[str]] = {name: set() for name in below}
    for name, imported in below.items():
        for each in imported:
            above[each].add(name)
    found: list[set[str]] = []
    left = set(below)
    for name in reversed(order):
        group, wait = set[str](), [name] if name in left else []
        while wait:
            each = wait.pop()
            if each in left:
                left.remove(each)
                group.add(each)
                wait.extend(above[each] & left)
        if group:
            found.append(group)
    return found


def spread(of: list[int]) -> str:
    return f"median {median(of):.0f}, p95 {quantiles(of, n=20)[-1]:.0f}, most {max(of)}"


def opened(folder: Path) -> tuple[Path, Session]:
    """Return the demo, built there, and a session at it."""
    demo = build_demo(folder / "demo")
    bench = Session.open(demo, Places.of(home_of(demo)), door="cli")
    bench.begin()
    return demo, bench


def approval(bench: Session) -> Intent:
    """Return the approval of a candidate of the demo."""
    item = next(each for each in bench.queue() if each.ref.id == "conv-018")
    return bench.intend("approve", [bench.library.entry(item.ref)])


def walks(folder: Path) -> Iterator[tuple[str, str]]:
    """Walk through the demo: compose, a changed file, a plan, an approval, the gate."""
    demo, bench = opened(folder)
    ask = Ask(role="backend-engineer")
    library, counter = bench.library, bench.load_counter()

    def prompt() -> object:
        return compose(library, ask, counter)

    yield "compose, warm", str(_second(prompt))
    intent = approval(bench)
    first = _timed(lambda: bench.plan(intent))
    warm = min(_timed(lambda: bench.plan(intent)) for _ in range(_ROUNDS))
    known = _second(lambda: bench.plan(intent))
    anew = Session.open(demo, Places.of(home_of(demo)), door="cli")
    with walking() as walk:
        anew.plan(intent)
    anew.close()
    first_of_screens, second_of_screens = _plans_of_the_screens(folder)
    yield (
        "first plan beside a warm one",
        f"{walk.calls - known.calls:,} calls more, {first / warm:.1f} × the time with imports, "
        f"{first_of_screens:.1f} × in the screens; the second one, which makes nothing anew, "
        f"{second_of_screens:.1f} ×",
    )
    yield "plan of an approval, warm", str(known)
    with walking() as walk:
        bench.apply(intent)
    yield "approval to durable bytes", str(walk)
    with walking() as walk:
        bench.undo()
    yield "undo of it", str(walk)
    bench.close()
    script = (
        "import sys; from remem.cli.main import run\n"
        "assert run(['check', '--diff', 'HEAD', '--root', sys.argv[1]]) in (0, 1)\n"
        "print(sum(name.startswith('remem') for name in sys.modules), file=sys.stderr)\n"
    )
    _break_a_rule(demo)
    done = subprocess.run(
        [sys.executable, "-c", script, str(demo)], capture_output=True, text=True, check=True
    )
    yield "modules that `check` imports", done.stderr.split()[-1]


def _plans_of_the_screens(folder: Path) -> tuple[float, float]:
    """Return what their first two plans take beside a warm one; medians of some processes.

    In the second one all is made that the first one makes. What it takes longer than later ones is
    the interpreter's, which suits code to its values over the first calls.
    """
    found = [
        subprocess.check_output(
            [sys.executable, "-c", _FIRST_PLAN, str(folder / f"first-{number}")]
        )
        for number in range(_ROUNDS)
    ]
    first, second = zip(*(map(float, each.split()) for each in found), strict=True)
    return median(first), median(second)


def _break_a_rule(root: Path) -> None:
    """Break one of a repository's rules after its last commit."""
    (root / "src").mkdir(exist_ok=True)
    (root / "src" / "total.py").write_text("total = float(price)\n")
    subprocess.run(["git", "add", "-A"], cwd=root, check=True)


def _second(act: Callable[[], object]) -> Walk:
    act()
    with walking() as walk:
        act()
    return walk


def _timed(act: Callable[[], object]) -> float:
    start = time.thread_time()
    act()
    return time.thread_time() - start


def import_time(name: str) -> float:
    """Return the shortest of some imports in processes of their own, in seconds."""
    script = f"import time; a = time.perf_counter(); import {name}; print(time.perf_counter() - a)"
    return min(
        float(subprocess.check_output([sys.executable, "-c", script])) for _ in range(_ROUNDS)
    )


def print_approval() -> None:
    """Print which modules the plan of an approval passes."""
    with TemporaryDirectory() as folder:
        _, bench = opened(Path(folder))
        intent = approval(bench)
        known = _second(lambda: bench.plan(intent))
        bench.close()
    for number, (file, how) in enumerate(known.modules.items(), 1):
        called = known.functions[file]
        sys.stdout.write(f"{number:3} {Path(file).relative_to(PACKAGE)}  {how}\n")
        told = (f"{name} {count}" for name, count in called.most_common())
        sys.stdout.write(f"    {called.total()} calls: {', '.join(told)}\n")
    sys.stdout.write(f"{known}\n")


def main() -> None:
    """Print everything."""
    counted = [lines_of(module) for module in modules()]
    sizes = [module.text.count("\n") for module in modules() if module.text]
    lengths = [(node.end_lineno or 0) - node.lineno + 1 for node in functions()]
    once, private = used_once()
    found = circles()
    rows = [
        ("files with code", f"{len(sizes):,}"),
        ("lines of code", f"{sum(code for code, _ in counted):,}"),
        ("lines with comments", f"{sum(comments for _, comments in counted):,}"),
        (
            "statements",
            f"{sum(isinstance(n, ast.stmt) for m in modules() for n in m.nodes):,}",
        ),
        ("lines of a file", spread(sizes)),
        ("lines of a function", spread(lengths)),
        ("private functions used once", f"{once:,} of {private:,} ({once / private:.0%})"),
        ("import circles", f"{len(found)}, of {', '.join(str(len(each)) for each in found)}"),
    ]
    with TemporaryDirectory() as folder:
        rows += walks(Path(folder))
    textual, screens = import_time("textual.app"), import_time("remem.tui.app")
    rows.append(("import of the screens", f"{screens / textual:.2f} × that of Textual's app"))
    for name, value in rows:
        sys.stdout.write(f"{name:<30} {value}\n")


if __name__ == "__main__":
    print_approval() if sys.argv[1:] == ["approve"] else main()
