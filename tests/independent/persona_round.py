"""Carries out each verb on the personas of a tree and asks the other hand what points nowhere.

`python -m tests.independent.persona_round TREE...` tries it on copies of real repositories.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from tests.independent.persona_names import dangling, tree, unlisted, words

from remem.base.clock import Clock
from remem.base.errors import RememError
from remem.core.session import Session
from remem.core.settings import Places
from remem.model.change import Intent, Json
from remem.systems.personas.lessons.shared_lessons import shared_lessons
from remem.systems.personas.moving.several_places import free_places, places_of
from remem.systems.personas.profiles.profile_edit import profile_file
from remem.systems.personas.source import persona_sources
from remem.systems.personas.team.people import Persona, everyone
from remem.systems.personas.team.squad_export import exported
from remem.systems.registry import make_known

NEW = "Quillon Vane"
NEW_FOLDER = "Quillon-Vane"
"""What Claude Code calls the folder of its memory."""
NEWER = "2026-03-20"
HOMES = (".night-watch", ".claude")
LISTS = ("team.md", "registry.json")


@dataclass(frozen=True)
class Round:
    """What one verb on one persona left behind, and whether it could be taken back."""

    verb: str
    persona: str
    dangles: Counter[str]
    """Addresses that lead nowhere afterwards and did not before."""
    words_changed: int
    """Words of prose that were changed though nobody asked: what is gone beyond addresses."""
    is_told: bool
    """The plan says how many lines go on naming them, where some do."""
    is_undone: bool
    refused: str = ""


def rounds(root: Path, home: Path, most: int = 2) -> Iterator[Round]:
    """Yield what each verb does to some personas of a tree; the tree is as before afterwards."""
    make_known()
    bench = Session.open(root, Places.of(home), door="cli", clock=Clock())
    try:
        some = _some(bench, most)
        for layout in sorted({s.layout for p in some for s in persona_sources(p.sources)}):
            yield _comes(bench, layout)
        for persona in some:
            yield from _all_verbs(bench, persona)
            yield _edited(bench, persona)
            yield from _recreated(bench, persona)
    finally:
        bench.close()


def _some(bench: Session, most: int) -> list[Persona]:
    """Return the personas with the largest memories; definitions alone, where nobody has any."""
    living = [p for p in everyone(bench.library) if not p.archived and p.sources]
    found = [p for p in living if p.units] or living
    return sorted(found, key=lambda p: -p.units)[:most]


def _all_verbs(bench: Session, persona: Persona) -> Iterator[Round]:
    others = [p.name for p in everyone(bench.library) if p.units and not p.archived]
    other = next((name for name in others if name != persona.name), "")
    yield _tried(bench, persona, "persona.rename", {"to": NEW})
    yield _tried(bench, persona, "persona.archive", {})
    if other:
        yield _tried(bench, persona, "persona.merge", {"into": other})
    yield from _all_moves(bench, persona)
    yield _moves_text(
        bench, persona, "sections.archive", {"persona": persona.name, "before": NEWER}
    )
    yield _moves_text(bench, persona, "sections.archive", {"team": True, "before": NEWER})
    yield _moves_text(bench, persona, "persona.compact", _compacted(persona))
    yield _exported(bench, persona)
    if other:
        yield _tried(bench, persona, "persona.archive", {"others": [other]})
        taken: dict[str, Json] = {"to": other, "beside": True}
        yield _tried(bench, persona, "persona.rename", taken, apart=True)
        for to in _like(other):
            yield _collides(bench, persona, to)
    for to in ("one", "decision", "convention"):
        yield _moves_text(bench, persona, "lesson.share", {"to": to})
    own = [s for s in persona_sources(persona.sources) if s.part != "definition"]
    folder = next((s.folder.name for s in own), persona.name)
    known = dangling(bench.root, persona.name, folder)
    try:
        bench.apply(Intent("persona.archive", arguments={"persona": persona.name}))
    except RememError:
        return
    yield _tried(bench, persona, "persona.restore", {}, began=known)
    bench.undo()


def _comes(bench: Session, layout: str) -> Round:
    """Make somebody: a team's lists lead to them, and no line of before is gone or changed."""
    before = whole(bench)
    new: dict[str, Json] = {"persona": NEW, "role": "Tester", "layout": layout}
    try:
        bench.apply(Intent("persona.new", arguments=new))
    except RememError as error:
        is_same = whole(bench) == before
        return Round("persona.new", layout, Counter(), 0, True, is_same, str(error))
    after = whole(bench)
    missing = unlisted(bench.root, NEW, "quillon-vane") + unlisted(bench.root, NEW, NEW)
    missing["nobody came"] += not words(bench.root, NEW) and before.keys() == after.keys()
    lost = (_lines(before) - _lines(after)).total()
    changed = {n for n in before if before[n] != after[n] and not n.endswith(LISTS)}
    missing.update(f"changed {name}" for name in changed if after[name][1] != before[name][1])
    bench.undo()
    return Round("persona.new", layout, +missing, lost, True, whole(bench) == before)


def _edited(bench: Session, persona: Persona) -> Round:
    """Edit a profile: one file changes, and who would get another name by it is refused."""
    before, verb = whole(bench), "persona.edit"
    try:
        file = profile_file(bench.library, persona.name)
        text = file.text.decode()
        said = text.replace("name:", f"name: {NEW} #", 1)
        arguments: dict[str, Json] = {"persona": persona.name, "text": said}
        try:
            bench.apply(Intent(verb, arguments=arguments))
        except RememError:
            wrong = Counter({"written though refused": int(whole(bench) != before)})
        else:
            wrong = Counter({"another name": int(text != said)})
            bench.undo()
        arguments["text"] = f"{text.rstrip()}\n# A line more.\n"
        bench.apply(Intent(verb, arguments=arguments))
    except RememError as error:
        return Round(verb, persona.name, Counter(), 0, True, whole(bench) == before, str(error))
    after = whole(bench)
    changed = [n for n in after if after[n] != before.get(n) and after[n][1]]  # no folders
    wrong[f"files {changed}"] += len(changed) != 1
    lost = (_lines(before) - _lines(after)).total()
    bench.undo()
    return Round(verb, persona.name, +wrong, lost, True, whole(bench) == before)


def _recreated(bench: Session, persona: Persona) -> Iterator[Round]:
    """Rename somebody, let an agent write under the old name, and put the two together.

    The folder of the old name is gone then, each line of it stands in the new one, and nothing
    else is touched. The same for who was archived.
    """
    own = [s for s in persona_sources(persona.sources) if s.part == "main" and s.path.is_file()]
    if not own:
        return
    for verb, more in (("persona.rename", {"to": NEW}), ("persona.archive", {})):
        start = whole(bench)
        arguments: dict[str, Json] = {"persona": persona.name, **more}
        try:
            bench.apply(Intent(verb, arguments=arguments))
        except RememError:
            continue
        old = own[0].folder
        for path in (own[0].path, old / "notes" / "a.md"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("- Told by an agent that knew them of old.\n")
        bench.refresh()
        bench.look()
        before = whole(bench)
        yield _absorbed(bench, old, verb.partition(".")[2])
        is_same = whole(bench) == before
        shutil.rmtree(old)
        bench.refresh()
        bench.undo()
        undone = is_same and whole(bench) == start
        yield Round("undo of all", persona.name, Counter(), 0, True, undone)


def _absorbed(bench: Session, old: Path, why: str) -> Round:
    before, verb = whole(bench), "persona.absorb"
    arguments: dict[str, Json] = {"persona": old.name}
    known = dangling(bench.root, old.name, old.name)
    try:
        bench.apply(Intent(verb, arguments=arguments))
    except RememError as error:
        is_same = whole(bench) == before
        return Round(verb, f"{old.name} {why}", Counter(), 0, True, is_same, str(error))
    after = whole(bench)
    lost = (_lines(before) - _lines(after)).total()
    wrong = dangling(bench.root, old.name, old.name) - known
    wrong["old folder stays"] += old.exists()
    bench.undo()
    return Round(verb, f"{old.name} {why}", +wrong, lost, True, whole(bench) == before)


def _all_moves(bench: Session, persona: Persona) -> Iterator[Round]:
    """Try to move a memory from each of its places to one where there is none, and two into one."""
    here = places_of(persona)
    free = [where.name for where in free_places(bench.library.ground, persona)]
    for one in here:
        if free:
            to: dict[str, Json] = {"from": one.name, "to": free[0]}
            yield _tried(bench, persona, "persona.move", to)
    if here[1:]:
        both: dict[str, Json] = {"from": here[0].name, "to": here[1].name}
        yield _tried(bench, persona, "persona.merge", both)


def _like(name: str) -> list[str]:
    """Return a name, and what a disk that folds case or Unicode takes for the same one."""
    wide = "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in name)
    forms = (name, name.upper(), name.title(), unicodedata.normalize("NFD", name), wide)
    return [*dict.fromkeys(forms)]


def _collides(bench: Session, persona: Persona, to: str) -> Round:
    """Rename somebody to who is there already: it must be refused, and nothing be written."""
    before, verb = whole(bench), f"collision {to.encode('unicode_escape').decode()}"
    try:
        bench.apply(Intent("persona.rename", arguments={"persona": persona.name, "to": to}))
    except RememError as error:
        is_same = whole(bench) == before
        return Round("collision", persona.name, Counter(), 0, True, is_same, str(error))
    bench.undo()
    return Round("collision", persona.name, Counter({verb: 1}), 0, True, whole(bench) == before)


def _compacted(persona: Persona) -> dict[str, Json]:
    """Return what condenses a memory to its first two lines."""
    main = next((s for s in persona_sources(persona.sources) if s.part == "main"), None)
    said = main.entries[:2] if main is not None else ()
    lines: list[Json] = [" ".join(entry.title.split()) for entry in said]
    return {
        "persona": persona.name,
        "layout": main.layout if main else "",
        "lines": lines,
        "accept": [*range(len(lines))],
    }


def _exported(bench: Session, persona: Persona) -> Round:
    """Export somebody: their files stand in it word for word, and nothing is touched."""
    before = whole(bench)
    try:
        data = exported(bench.library, [persona.name]).data
    except RememError as error:
        is_same = whole(bench) == before
        return Round("export", persona.name, Counter(), 0, True, is_same, str(error))
    told: dict[str, str] = json.loads(data)["files"]
    missing: Counter[str] = Counter()
    for source in persona_sources(persona.sources):
        text = source.path.read_bytes().decode() if source.path.suffix == ".md" else None
        missing[f"file {source.path}"] += text is not None and text not in told.values()
    return Round("export", persona.name, +missing, 0, True, whole(bench) == before)


def _moves_text(bench: Session, persona: Persona, verb: str, more: dict[str, Json]) -> Round:
    """Try a verb that puts text elsewhere: every line of before stands somewhere afterwards."""
    before = whole(bench)
    shown = {}
    if verb == "lesson.share":
        shared = shared_lessons(bench.library)
        entry = next(
            (c for s in shared for c in s.copies if persona.name.lower() in str(c.ref)), None
        )
        if entry is None:
            return Round(verb, persona.name, Counter(), 0, True, True, "shares nothing")
        shown = {entry.ref: entry.digest}
    try:
        bench.apply(Intent(verb, shown, more))
    except RememError as error:
        return Round(verb, persona.name, Counter(), 0, True, whole(bench) == before, str(error))
    after = whole(bench)
    lost = _lines(before) - _lines(after)
    gone = 0 if more.get("to") == "one" else lost.total()  # words of a merged copy are one lesson's
    bench.undo()
    return Round(verb, persona.name, Counter(), gone, True, whole(bench) == before)


def whole(bench: Session) -> dict[str, tuple[int, bytes]]:
    """Return all of the root, and of the home folder what personas have there; rows as text."""
    found = tree(bench.root)
    for name in HOMES:
        folder = bench.library.ground.home / name
        for inner, (mode, data) in tree(folder).items():
            if inner.endswith(".db"):
                with closing(sqlite3.connect(folder / inner)) as rows:
                    data = "\n".join(rows.iterdump()).encode()
            found[f"{name}/{inner}"] = (mode, data)
    return found


def _lines(files: dict[str, tuple[int, bytes]]) -> Counter[bytes]:
    return Counter(
        line
        for name, (_, data) in files.items()
        if name.endswith(".md")
        for line in map(bytes.strip, data.splitlines())
        if line
    )


def _tried(
    bench: Session,
    persona: Persona,
    verb: str,
    more: dict[str, Json],
    *,
    apart: bool = False,
    began: Mapping[str, int] | None = None,
) -> Round:
    root = bench.root
    own = [s for s in persona_sources(persona.sources) if s.part != "definition"]
    folder = next((s.folder.name for s in own), persona.name)
    names = (persona.name, folder)
    before, said = whole(bench), words(root, persona.name)
    known = dangling(root, *names) if began is None else Counter(began)
    arguments: dict[str, Json] = {"persona": persona.name, **more}
    try:
        change = bench.apply(Intent(verb, arguments=arguments)).change
    except RememError as error:
        is_same = whole(bench) == before
        return Round(verb, persona.name, Counter(), 0, True, is_same, str(error))
    left = dangling(root, *names) - known
    if verb == "persona.move" or "from" in more:  # they go on under their name, in another place
        left = Counter({each: n for each, n in left.items() if each[:5] in ("path ", "page ")})
    lost = sum(said.values()) - sum(words(root, persona.name).values())
    # Titles, name fields, routes, keys and rows are addresses: as many as were written anew.
    anew = (*words(root, NEW).values(), *words(root, NEW_FOLDER).values())
    written = sum(anew) if verb == "persona.rename" and not apart else lost
    is_told = any(" stay" in note for note in change.notes) or "from" in more
    is_told = is_told or verb == "persona.restore"
    said_now = words(root, persona.name)
    lists = ("registry.json", "team.md")  # who retired stays named there
    # What a merge adds below its own heading names them on purpose.
    prose = [p for p, n in said_now.items() if not p.endswith(lists) and n <= said[p]]
    is_told = is_told or not prose
    bench.undo()
    same = whole(bench) == before
    return Round(verb, persona.name, left, max(lost - written, 0), is_told, same)


def main(trees: list[str]) -> int:
    """Try each tree on a copy; print what was found."""
    bad = 0
    for name in trees:
        with tempfile.TemporaryDirectory() as folder:
            root, home = Path(folder) / Path(name).name, Path(folder) / "home"
            home.mkdir()
            clone = ["git", "clone", "-q", "--no-checkout", name, str(root)]
            if (Path(name) / ".git").exists() and not subprocess.run(clone, check=False).returncode:
                subprocess.run(["git", "checkout", "-q", "-f"], cwd=root, check=False)
            else:
                shutil.copytree(name, root, symlinks=True)
            for each in rounds(root, home):
                is_bad = bool(each.dangles or each.words_changed or not each.is_undone)
                bad += is_bad
                state = f"refused: {each.refused}" if each.refused else "done"
                print(  # noqa: T201 - it is run by hand
                    f"{root.name:28} {each.verb:16} {each.persona:18} {state[:90]} · dangling "
                    f"{sum(each.dangles.values())} · words changed {each.words_changed} · told "
                    f"{each.is_told} · undone {each.is_undone}",
                    *each.dangles,
                    flush=True,
                )
    return bad


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
