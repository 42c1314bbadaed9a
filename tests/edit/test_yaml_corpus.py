"""Edits on YAML that other people wrote: all done or refused, none wrong.

The files are whatever this machine's packages brought along; the judge is PyYAML, that the program
itself does not use. The full run wants 500 files: `pip install --no-deps lm-eval checkov` brings
14,000 more where the system has too few; `YAML_CORPUS` names a further folder.
"""

from __future__ import annotations

import io
import os
import random
import site
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from ruamel.yaml import YAML

from remem.base.errors import Refused
from remem.edit.yaml_edit import REMOVE, Edit, Removal, apply
from remem.edit.yaml_read import Value, compose
from remem.edit.yaml_splice import set_in_document
from remem.edit.yaml_tree import Kind, Malformed, Node, resolve

HARD = 'curated value: "x" # not a comment'
RECORD: dict[str, Value] = {"id": "new-001", "status": "approved: yes"}
Place = tuple[str | int, ...]


@dataclass(frozen=True)
class Job:
    """One edit of one file."""

    kind: str
    path: Place
    value: Value | Removal


def python_folders() -> list[Path]:
    return [*map(Path, site.getsitepackages()), Path(sys.base_prefix, "lib")]


def all_folders() -> list[Path]:
    named = [Path(folder) for folder in (os.environ.get("YAML_CORPUS", ""),) if folder]
    system = [Path(folder) for folder in ("/usr/share", "/usr/lib", "/usr/local/lib", "/opt")]
    return [*named, *python_folders(), *system]


def corpus(folders: list[Path], limit: int, most_bytes: int) -> list[Path]:
    """Return files taken in turn from every package, so that no single one fills the list."""
    groups: dict[str, list[Path]] = {}
    for folder in folders:
        for above, _, names in os.walk(folder):
            for name in names:
                path = Path(above, name)
                if path.suffix in (".yaml", ".yml") and is_fitting(path, most_bytes):
                    groups.setdefault(above, []).append(path)
    order = random.Random(7)
    queues = [order.sample(sorted(group), len(group)) for _, group in sorted(groups.items())]
    order.shuffle(queues)
    found: list[Path] = []
    while queues and len(found) < limit:
        found += [queue.pop() for queue in queues]
        queues = [queue for queue in queues if queue]
    return found[:limit]


def is_fitting(path: Path, most_bytes: int) -> bool:
    return path.is_file() and 20 <= path.stat().st_size <= most_bytes


def places(node: Node, path: Place = ()) -> Iterator[tuple[Place, Node]]:
    yield path, node
    for number, item in enumerate(node.items):
        yield from places(item, (*path, number))
    for key, child in node.pairs:
        if key.kind is Kind.SCALAR:
            yield from places(child, (*path, key.text))


def jobs(root: Node, order: random.Random) -> Iterator[Job]:
    """Choose up to three sets, two added and two removed items, and one key added and removed."""
    every = list(places(root))
    texts = [path for path, node in every if path and is_text(node)]
    lists = [(path, node) for path, node in every if node.items]
    maps = [(path, node) for path, node in every if len(node.pairs) > 1]
    for path in order.sample(texts, min(3, len(texts))):
        yield Job("set", path, HARD)
    for path, node in order.sample(lists, min(2, len(lists))):
        new: Value = dict(RECORD) if node.items[0].pairs else "new item: 1"
        yield Job("append", (*path, len(node.items)), new)
    longer = [(path, node) for path, node in lists if len(node.items) > 1]
    for path, node in order.sample(longer, min(2, len(longer))):
        yield Job("delete", (*path, order.randrange(len(node.items))), REMOVE)
    for path, node in order.sample(maps, min(1, len(maps))):
        yield Job("add key", (*path, "remem_new"), HARD)
        keys = [key.text for key, _ in node.pairs if key.kind is Kind.SCALAR]
        yield Job("remove key", (*path, order.choice(keys)), REMOVE)


def touches_shared(root: Node, job: Job) -> bool:
    """Say whether an alias names what the edit changes: such edits are refused by rule."""
    named = {node.text for node in root.walk() if node.kind is Kind.ALIAS}
    node, touched = root, [root]
    for step in job.path:
        below = dict(places_below(node)).get(step)
        if below is None:
            return any(part.anchor in named for part in touched)
        node = below
        touched.append(node)
    return any(part.anchor in named for part in [*touched, *node.walk()])


def places_below(node: Node) -> Iterator[tuple[str | int, Node]]:
    yield from enumerate(node.items)
    yield from ((key.text, child) for key, child in node.pairs)


def is_text(node: Node) -> bool:
    if node.kind is not Kind.SCALAR or node.tag:
        return False
    return bool(node.style) or isinstance(resolve(node.text), str)


def seen_by_pyyaml(data: bytes) -> Any:
    """Return text in lists and pairs; numbers and words keep the spelling that they have."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return plain(yaml.compose(data.decode("utf-8-sig"), Loader=loader), ())


def plain(node: Any, above: tuple[int, ...]) -> Any:
    if isinstance(node, yaml.MappingNode):
        if id(node) in above:
            return "recursive"
        return [[plain(k, above), plain(v, (*above, id(node)))] for k, v in node.value] + [{"map"}]
    if isinstance(node, yaml.SequenceNode):
        return (
            "recursive" if id(node) in above else [plain(c, (*above, id(node))) for c in node.value]
        )
    return None if node is None else node.value


def changed(value: Any, path: Place, new: Value | Removal) -> Any:
    """Return what PyYAML has to see once `new` stands at `path`."""
    if not path:
        return shown(new)
    step, rest = path[0], path[1:]
    if isinstance(step, int):
        if not rest and isinstance(new, Removal):
            return value[:step] + value[step + 1 :]
        old = value[step] if step < len(value) else None
        return [*value[:step], changed(old, rest, new), *value[step + 1 :]]
    at = next((n for n, pair in enumerate(value[:-1]) if pair[0] == step), len(value) - 1)
    if not rest and isinstance(new, Removal):
        return value[:at] + value[at + 1 :]
    old = value[at][1] if at < len(value) - 1 else None
    tail = value[at + 1 :] if at < len(value) - 1 else value[-1:]
    return [*value[:at], [step, changed(old, rest, new)], *tail]


def shown(value: Value | Removal) -> Any:
    if isinstance(value, dict):
        return [[key, shown(child)] for key, child in value.items()] + [{"map"}]
    return value


def only_spans_changed(data: bytes, edits: tuple[Edit, ...], after: bytes) -> bool:
    kept, at, shift = True, 0, 0
    for edit in edits:
        kept &= after[at + shift : edit.start + shift] == data[at : edit.start]
        shift += len(edit.new) - (edit.end - edit.start)
        at = edit.end
    return kept and after[at + shift :] == data[at:]


def edited_by_ruamel(text: str, job: Job) -> str:
    """Load, edit and dump with the settings that keep the most."""
    loader = YAML(typ="rt", pure=True)
    loader.preserve_quotes, loader.width = True, 10**9
    loader.explicit_start = text.startswith("---")
    tree = loader.load(text)
    above = tree
    for step in job.path[:-1]:
        above = above[step]
    if isinstance(job.value, Removal):
        del above[job.path[-1]]
    elif isinstance(job.path[-1], int) and job.path[-1] == len(above):
        above.append(job.value)
    else:
        above[job.path[-1]] = job.value
    out = io.StringIO()
    loader.dump(tree, out)
    return out.getvalue()


def only_lines_changed(old: bytes, new: bytes, edits: tuple[Edit, ...]) -> bool:
    """Say whether two texts differ only around the lines that the edits touch."""
    before, after = old.split(b"\n"), new.split(b"\n")
    short = min(len(before), len(after))
    top = next((n for n in range(short) if before[n] != after[n]), short)
    rest = short - top
    bottom = next((n for n in range(rest) if before[-1 - n] != after[-1 - n]), rest)
    first = old.count(b"\n", 0, edits[0].start) if edits else 0
    last = old.count(b"\n", 0, edits[-1].end) if edits else 0
    return top >= first - 1 and len(before) - bottom <= last + 2


def run(paths: list[Path], *, compared: int = 0) -> tuple[Counter[str], Counter[str]]:
    """Edit all files, and the first so many of them with ruamel too, which takes longer."""
    count: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    for number, path in enumerate(paths):
        data = path.read_bytes()
        try:
            root = compose(data, 3 if data.startswith(b"\xef\xbb\xbf") else 0)
            before = seen_by_pyyaml(data)
        except (Malformed, yaml.YAMLError, UnicodeDecodeError, RecursionError):
            count["files read only"] += 1
            continue
        if root is None:
            continue
        count["files"] += 1
        for job in jobs(root, random.Random(path.name)):
            compare = number < compared
            take(data, root, before, job, count, reasons, compare=compare, path=path)
    return count, reasons


def take(
    data: bytes, root: Node, before: Any, job: Job, count: Counter[str], reasons: Counter[str],
    *, compare: bool, path: Path,
) -> None:  # fmt: skip
    count[job.kind] += 1
    wanted = changed(before, job.path, job.value)
    edits: tuple[Edit, ...] = ()
    try:
        edits = set_in_document(data, job.path, job.value)
    except Refused as refused:
        count[f"{job.kind}: {'shared' if touches_shared(root, job) else 'refused'}"] += 1
        reasons[f"{job.kind}: {refused}"] += 1
    else:
        after = apply(data, edits)
        right = only_spans_changed(data, edits, after) and seen_by_pyyaml(after) == wanted
        count[f"{job.kind}: {'done' if right else 'wrong'}"] += 1
        if not right:
            reasons[f"WRONG {job.kind} {job.path} in {path}"] += 1
    if compare:
        by_ruamel(data, job, wanted, edits, count)


def by_ruamel(
    data: bytes, job: Job, wanted: Any, edits: tuple[Edit, ...], count: Counter[str]
) -> None:
    count[f"{job.kind}: given to ruamel"] += 1
    try:
        text = edited_by_ruamel(data.decode("utf-8-sig"), job)
        right = seen_by_pyyaml(text.encode()) == wanted
    except Exception:  # ruamel fails in many ways, and each counts the same here
        return
    count[f"{job.kind}: ruamel"] += right
    count[f"{job.kind}: ruamel, other lines kept"] += right and only_lines_changed(
        data, text.encode(), edits
    )


def report(count: Counter[str], reasons: Counter[str]) -> str:
    kinds = ("set", "append", "delete", "add key", "remove key")
    edits = sum(count[kind] for kind in kinds)
    share = 100 * totals(count)[0] / max(1, edits)
    lines = [f"{count['files']} files edited, {count['files read only']} read only"]
    lines.append(f"{edits} edits, {share:.1f} % done")
    for kind in kinds:
        parts = (
            "done",
            "refused",
            "shared",
            "wrong",
            "given to ruamel",
            "ruamel",
            "ruamel, other lines kept",
        )
        cells = [f"{part} {count[f'{kind}: {part}']}" for part in parts]
        lines.append(f"{kind:10} {count[kind]:5}: " + " · ".join(cells))
    return "\n".join(lines + [f"{number:5} {reason}" for reason, number in reasons.most_common(12)])


def totals(count: Counter[str]) -> tuple[int, int, int]:
    """Return how many edits were done, refused though nothing shared is touched, and wrong."""
    done, refused, wrong = (
        sum(number for name, number in count.items() if name.endswith(f": {end}"))
        for end in ("done", "refused", "wrong")
    )
    return done, refused, wrong


def test_edits_of_files_found_here_are_never_wrong() -> None:
    paths = corpus(python_folders(), 40, 4_000)
    if not paths:
        pytest.skip("no package on this machine brings YAML along")

    count, reasons = run(paths)

    done, refused, wrong = totals(count)
    assert wrong == 0, report(count, reasons)
    assert done >= 9 * refused, report(count, reasons)


@pytest.mark.slow
def test_of_the_edits_that_touch_nothing_shared_98_of_100_are_done_and_none_is_wrong() -> None:
    paths = corpus(all_folders(), 600, 12_000)
    assert len(paths) >= 500, "too few YAML files here: `pip install --no-deps lm-eval checkov`"

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        count, reasons = run(paths, compared=100)

    print("\n" + report(count, reasons))  # noqa: T201
    done, refused, wrong = totals(count)
    assert count["files"] >= 500
    assert wrong == 0, report(count, reasons)
    assert done >= 0.98 * (done + refused), report(count, reasons)
