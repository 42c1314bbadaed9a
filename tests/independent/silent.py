"""Looks from outside for what remem passes over in silence; it imports nothing of remem.

Run as `python -m tests.independent.silent --remem PROGRAM [--most N] FOLDER…`. Each folder is
copied to a scratch place first. It reads YAML, Markdown and git by itself, and holds what it finds
there against what the command line prints:

records  Each text, number and key of a retro, a learning or a store stands in what is shown of it,
         or in a problem that names the file.
lines    Each line below a heading of `.learnings/` stands in an entry.
prompts  Each role that the files name is composed: as it is, with each layer that the project
         has, and with a small budget. Every rule in force is in or out with a reason; a layer that
         was asked for is there, no layer goes over its budget without a word.
commits  Each commit of a sprint belongs to the stories that its own words name, and the ones that
         name none are counted and said.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from tests.independent.replay import Outcome, Remem

RULES = {"convention", "anti_pattern", "decision", "learning", "principle", "procedure"}
LAYERS = {
    "--technical": (".sniper/personas/technical", ".claude/personas/technical"),
    "--cognitive": (".sniper/personas/cognitive", ".claude/personas/cognitive"),
    "--domain": (".sniper/domain-packs/*/context",),
}
SMALL = 60
NUMBER = re.compile(r"^\s*\d+[.)]\s")
PLAIN = re.compile(r"[\W_]+")


def plain(text: object) -> str:
    """A text without marks and white space, so that how it is laid out does not matter."""
    return PLAIN.sub(" ", str(text)).strip().casefold()


def leaves(value: object, keys: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], object]]:
    """Every scalar of a document with the keys that lead to it."""
    if isinstance(value, Mapping):
        for key, below in value.items():
            yield from leaves(below, (*keys, str(key)))
    elif isinstance(value, list):
        for below in value:
            yield from leaves(below, keys)
    elif value is not None and value != "":
        yield keys, value


def front_matter(text: str) -> str:
    """The YAML that a page begins with; of a YAML file all of it."""
    if text.startswith("---\n"):
        return text[4:].split("\n---", 1)[0]
    return text


def told_of(remem: Remem, path: Path, status: Mapping[str, Any], shown: str) -> str:
    """All that is printed of a file: what was shown of it, and its problems."""
    problems = [each for each in status["problems"] if each.get("path") == str(path)]
    said = shown + json.dumps(problems, ensure_ascii=False)
    said = re.sub(r"\\u([0-9a-f]{4})", lambda found: chr(int(found[1], 16)), said)
    return f" {plain(said)} "


def records(remem: Remem, most: int) -> Outcome:
    """Hold each record of a sprint against what is shown of it."""
    outcome = Outcome("records")
    status = remem.document("status")
    entries = remem.entries()
    memory = remem.root / ".sniper"
    retros = [*memory.glob("retros/*.y*ml"), *memory.glob("memory/retros/*.y*ml")]
    for path in sorted(retros):
        shown = remem.run("retro", "show", path.stem)
        if shown.returncode:
            outcome.faults.append(f"{path}: `retro show` ends with {shown.returncode}")
            continue
        both = shown.stdout + shown.stderr + remem.run("retro", "show", path.stem, "--json").stdout
        outcome.notes["retros"] += 1
        compare(outcome, path, told_of(remem, path, status, both))
    stores = [*memory.glob("memory/*.y*ml"), *memory.glob("memory/learnings/*")]
    stores += remem.root.glob(".shaktra/memory/*.y*ml")
    for path in sorted(stores):
        if path.name == "summary.md":
            continue
        refs = [each["ref"] for each in entries if each["path"] == str(path)]
        both = "".join(remem.run("show", ref, "--json").stdout for ref in refs[:most])
        if path.stem == "estimates":
            both += remem.run("estimates", "show", "--json").stdout
        if not refs and str(path) in {each.get("path") for each in status["sources"]}:
            outcome.notes["documents that are listed and shown as they are"] += 1
            continue
        outcome.notes["stores and learnings"] += 1
        if len(refs) <= most:
            compare(outcome, path, told_of(remem, path, status, both))
    return outcome


def compare(outcome: Outcome, path: Path, told: str) -> None:
    """Note every leaf of a file whose text and whose key are both missing in what was told."""
    try:
        document = yaml.safe_load(front_matter(path.read_text("utf-8")))
    except (yaml.YAMLError, UnicodeDecodeError):
        if not told.strip(" []"):
            outcome.faults.append(f"{path}: it does not parse, and nothing says so")
        return
    for keys, value in leaves(document):
        outcome.tried += 1
        words = plain(value)
        if words and f" {words} " in told:
            continue
        if len(words) < 12 and any(f" {plain(key)} " in told for key in keys if plain(key)):
            continue
        if not words and f" {keys[0]} " in told:
            continue
        outcome.faults.append(f"{path}: {'.'.join(keys)}: {str(value)[:60]!r} is told nowhere")


def lines(remem: Remem, most: int) -> Outcome:
    """Hold each line of the pages of `.learnings/` against the entries made of them."""
    outcome = Outcome("lines")
    by_path: dict[str, list[str]] = {}
    for entry in remem.entries():
        by_path.setdefault(entry["path"], []).append(entry["ref"])
    status = remem.document("status")
    for path in sorted(remem.root.glob(".learnings/*.md")):
        refs = by_path.get(str(path), [])
        outcome.notes["pages"] += 1
        outcome.notes["entries"] += len(refs)
        if len(refs) > most:
            outcome.notes["pages with too many entries to show"] += 1
            continue
        shown = "".join(remem.run("show", ref).stdout for ref in refs)
        told = told_of(remem, path, status, shown)
        try:
            text = path.read_text("utf-8")
        except UnicodeDecodeError:
            if "utf 8" not in told:
                outcome.faults.append(f"{path}: it is no UTF-8, and nothing says so")
            outcome.notes["pages that are no UTF-8, and told"] += 1
            continue
        below = False
        for number, line in enumerate(text.splitlines(), 1):
            below = below or line.startswith("##")
            if not below or not plain(line):
                continue
            outcome.tried += 1
            # An id in brackets is told as one field, what stands behind it as another.
            parts = re.split(r"[\[\]]", line) if re.match(r"#+ \[", line) else [line]
            parts[0] = NUMBER.sub("", parts[0])
            if any(f" {plain(part)} " not in told for part in parts if plain(part)):
                outcome.faults.append(f"{path}:{number}: {line[:60]!r} is in no entry")
    return outcome


def roles_of(root: Path) -> list[str]:
    """The roles that the files of a SNIPER project name."""
    found: set[str] = set()
    for name in ("conventions", "anti-patterns", "decisions"):
        path = root / ".sniper/memory" / f"{name}.yaml"
        if path.is_file():
            for keys, value in leaves(yaml.safe_load(path.read_text("utf-8"))):
                if keys[-1] == "applies_to":
                    found.add(str(value))
    for path in root.glob(".sniper/memory/learnings/*.yaml"):
        for keys, value in leaves(yaml.safe_load(path.read_text("utf-8"))):
            if keys[-2:] == ("scope", "agents"):
                found.add(str(value))
    found |= {path.stem for path in root.glob(".sniper/personas/process/*.md")}
    if (root / ".sniper").is_dir():
        found |= {path.stem for path in root.glob(".claude/agents/*.md")}
    return sorted(found)


def prompts(remem: Remem, most: int) -> Outcome:
    """Compose for each role as it is, with each layer, and with a small budget."""
    outcome = Outcome("prompts")
    rules = {
        each["ref"]
        for each in remem.entries()
        if each["kind"] in RULES and each["status"] == "active"
    }
    for place, role in enumerate(roles_of(remem.root)):
        bare = composed(remem, outcome, rules, role)
        composed(remem, outcome, rules, role, "--budget", str(SMALL))
        for option, folders in LAYERS.items():
            pages = [page for each in folders for page in sorted(remem.root.glob(f"{each}/*.md"))]
            # Every layer for one role, and one of each kind for the others.
            for page in pages if place == 0 else pages[place % len(pages) :][:1] if pages else []:
                told = composed(remem, outcome, rules, role, option, page.stem)
                said = last_line(page)
                if said and said not in plain(told.get("text", "")):
                    outcome.faults.append(f"{role} {option} {page.stem}: its text is not there")
                outcome.notes["layers asked for"] += 1
        named = composed(remem, outcome, rules, role, "--name", "Zebulon")
        if "Zebulon" not in named.get("text", "") and has_name(remem.root):
            outcome.faults.append(f"{role} --name: the name is not there")
        if not bare.get("text", "").strip():
            outcome.faults.append(f"{role}: nothing is composed, and nothing says why")
        outcome.notes["roles"] += 1
    return outcome


def has_name(root: Path) -> bool:
    """Tell whether the project's template has a place for a name."""
    pages = root.glob(".sniper/spawn-prompts/_template.md")
    return any("{name}" in page.read_text("utf-8") for page in pages)


def last_line(page: Path) -> str:
    """The last line of a page that has words and no place to fill."""
    told = [line for line in page.read_text("utf-8").splitlines() if plain(line)]
    told = [line for line in told if "{" not in line]
    return plain(told[-1]) if told else ""


def composed(
    remem: Remem, outcome: Outcome, rules: set[str], role: str, *further: str
) -> Mapping[str, Any]:
    """One prompt, after a look at whether it accounts for every rule and keeps its budgets."""
    words = ("compose", "--role", role, *further)
    done = remem.run(*words, "--json")
    outcome.tried += 1
    said = " ".join(words)
    if done.returncode:
        outcome.faults.append(f"{said}: ends with {done.returncode}: {done.stdout[:200]}")
        return {}
    told: Mapping[str, Any] = json.loads(done.stdout)
    inside = set(told["included"])
    outside = {each["ref"]: each["reason"] for each in told["excluded"]}
    outcome.faults += [
        f"{said}: {ref} is neither in nor out" for ref in rules - inside - {*outside}
    ]
    outcome.faults += [f"{said}: {ref} is in and out" for ref in inside & {*outside}]
    outcome.faults += [
        f"{said}: {ref} is out without a reason" for ref, why in outside.items() if not why
    ]
    for layer in told["layers"]:
        budget = layer["budget"]
        if budget is not None and layer["tokens"] > budget and layer["unit"] == "tokens":
            if "exceed" in " ".join(told["notes"]) + done.stderr:
                outcome.notes["layers over their budget, and told"] += 1
            else:
                outcome.faults.append(f"{said}: {layer['name']} is over its budget, untold")
    outcome.notes["rules out by reason"] += len(outside)
    return told


def commits(remem: Remem, most: int) -> Outcome:
    """Attribute the commits of a sprint by hand, and hold the measured ones against it."""
    outcome = Outcome("commits")
    if not (remem.root / ".git").is_dir() or not (remem.root / ".sniper").is_dir():
        return outcome
    if not (remem.root / ".sniper/memory").is_dir():
        remem.run("init")
    folders = [path for path in remem.root.glob(".sniper/artifacts/*/stories") if path.is_dir()]
    folders += [path for path in [remem.root / "docs/stories"] if path.is_dir()]
    given_ways: list[tuple[str, ...]] = [("--stories", str(folder)) for folder in folders]
    for given in given_ways or [()]:
        for spread in ((), ("--range", "root..HEAD")):
            attributed(remem, outcome, (*given, *spread))
    return outcome


def attributed(remem: Remem, outcome: Outcome, given: Sequence[str]) -> None:
    done = remem.run("retro", "run", "--sprint", "901", *given, "--dry-run", "--json")
    if done.returncode:
        error = json.loads(done.stdout)["error"]
        if not error["message"] or not error["hint"]:
            outcome.faults.append(f"retro run {given}: refused without a word")
        outcome.notes["refused, with what to give"] += 1
        return
    change = json.loads(done.stdout)["change"]
    (diff,) = (each["diff"] for each in change["effects"] if "retros/" in each["path"])
    text = "\n".join(line[1:] for line in diff.splitlines()[3:] if line.startswith("+"))
    measured = yaml.safe_load(text)["measured"]
    if "range" not in measured:
        outcome.notes["no commits, and told"] += 1
        if "no commits found: " not in " ".join(change["notes"]):
            outcome.faults.append(f"retro run {given}: no commits, and nothing says so")
        return
    stories = [str(each["story"]) for each in measured["stories"]]
    scope = measured["range"]
    log = subprocess.run(
        ["git", "log", "--format=%H%x1f%P%x1f%B%x1e", measured["head"], *not_before(measured)],
        cwd=remem.root,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    own: dict[str, set[str]] = {}
    for part in log.split("\x1e"):
        if part.strip():
            commit, parents, message = part.strip().split("\x1f")
            if len(parents.split()) < 2:
                own[commit] = named(message, stories)
    outcome.tried += len(own)
    outcome.notes["commits"] += len(own)
    unassigned = sum(not names for names in own.values())
    outcome.notes["commits of no story, and told"] += measured["unassigned"]
    if len(own) != measured["commits"]:
        outcome.faults.append(f"{scope}: {len(own)} commits, measured {measured['commits']}")
    if unassigned != measured["unassigned"]:
        outcome.faults.append(
            f"{scope}: {unassigned} commits name no story, measured {measured['unassigned']}"
        )
    if unassigned and "belong" not in " ".join(change["notes"]):
        outcome.faults.append(f"{scope}: {unassigned} commits of no story, and nothing says so")
    for each in measured["stories"]:
        count = sum(str(each["story"]) in names for names in own.values())
        if count != each["commits"]:
            outcome.faults.append(
                f"{scope}: {each['story']} has {count} commits, measured {each['commits']}"
            )


def not_before(measured: Mapping[str, Any]) -> tuple[str, ...]:
    return (f"^{measured['base']}",) if measured.get("base") else ()


def named(message: str, stories: Sequence[str]) -> set[str]:
    """The stories that a message's subject or its trailers name, `S03-S05` naming three."""
    subject, _, body = message.partition("\n")
    told = "\n".join([subject, *re.findall(r"^Story: *(.+)$", body, re.IGNORECASE | re.MULTILINE)])
    found: set[str] = set()
    if any(story.isdecimal() for story in stories):
        scope = "".join(re.findall(r"^\w+\(([^)]*)\)", subject))
        spoken = re.findall(r"\bstor(?:y|ies) ((?:[\d#&,–-]|and|\s)+)", told, re.IGNORECASE)
        for part in re.split(r"[&,]|and", ",".join([*spoken, *re.findall(r"S[\dS–-]+", scope)])):
            ends = [int(each) for each in re.findall(r"\d+", part)]
            found |= {str(n) for n in range(min(ends), max(ends) + 1)} if ends else set()
        found = {story for story in stories if story.lstrip("0") in found}
    for story in stories:
        word = rf"(?<![\w-]){re.escape(story)}(?!\w)"
        if not story.isdecimal() and re.search(word, told, re.IGNORECASE):
            found.add(story)
    for letters, first, second in re.findall(r"\b([A-Z]+)(\d+)\s*[-–]\s*(?:[A-Z]+)?(\d+)", told):
        width = len(first)
        span = {f"{letters}{n:0{width}}" for n in range(int(first), int(second) + 1)}
        found |= span & set(stories)
    return found


Look = Callable[[Remem, int], Outcome]
LOOKS: Mapping[str, Look] = {
    "records": records,
    "lines": lines,
    "prompts": prompts,
    "commits": commits,
}


def silent(
    program: str, folder: Path, most: int, looks: Sequence[str] = tuple(LOOKS)
) -> list[Outcome]:
    """Copy a folder and look at the copy in each way."""
    with tempfile.TemporaryDirectory(prefix="silent-") as scratch:
        root = Path(scratch).resolve() / folder.name
        shutil.copytree(folder, root, symlinks=True)
        home = Path(scratch).resolve() / "home"
        home.mkdir()
        return [LOOKS[name](Remem(program, root, home), most) for name in looks]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--remem", default="remem")
    parser.add_argument(
        "--most", type=int, default=60, help="show at most so many entries of a file"
    )
    parser.add_argument("--look", choices=LOOKS, action="append", default=[])
    parser.add_argument("folders", nargs="+", type=Path)
    args = parser.parse_args()
    faults = 0
    for folder in args.folders:
        for outcome in silent(args.remem, folder.resolve(), args.most, args.look or tuple(LOOKS)):
            if outcome.tried or outcome.notes:
                sys.stdout.write(f"{outcome.line(folder.name)}\n")
            for fault in outcome.faults:
                sys.stdout.write(f"  {fault}\n")
            faults += len(outcome.faults)
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
