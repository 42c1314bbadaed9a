"""What settings of OpenCode name besides: instruction files, and folders of skills.

Seen of OpenCode 1.18.33 on 2026-11-28.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from posixpath import normpath
from typing import Any, Final

from remem.model.layout import Base, LoaderRule, Reader
from remem.model.loader import Front, Loads, PlainLayout, Proof, Where
from remem.model.source import LoaderKind
from remem.systems.plain.plain_layouts import OPENCODE_DOCS
from remem.systems.plain.tools.further_layouts import OPENCODE_SKILLS

Settings = Sequence[Mapping[str, Any]]
"""What each settings file says, the one that wins first."""
_SEEN: Final = "2026-11-28"
_VERSION: Final = "OpenCode 1.18.33"
_NAMED: Final = (
    Proof(
        says="`instructions` behind `AGENTS.md`, also of `~/`: of the person's settings, of "
        "`opencode.json`, `opencode.jsonc` and those in `.opencode`, each in its order",
        read=_SEEN,
        version=_VERSION,
    ),
)
_SKILLS: Final = (
    Proof(
        says="folders that `paths` of `skills` in its settings names, at any depth, also of `~/`; "
        "those of the settings that win alone; no pattern",
        read=_SEEN,
        version=_VERSION,
    ),
)
_STAGE: Final = 2
_STAGE_OF_SKILLS: Final = 3


def rows_named(settings: Settings) -> Iterator[Loads]:
    """Yield a row for each layout of `layouts_named`."""
    for layout in _instructions(settings):
        yield Loads(layout=layout.name, stage=_STAGE, proofs=_NAMED)
    for layout in _skills(settings):
        yield Loads(
            layout=layout.name,
            stage=_STAGE_OF_SKILLS,
            loader=LoaderKind.DESCRIBED,
            lists=True,
            no_dots_from=layout.files[0].count("/") - 1,
            proofs=_SKILLS,
        )


def layouts_named(settings: Settings) -> Iterator[PlainLayout]:
    """Yield a layout for each path that is named; none leads out of its base."""
    yield from _instructions(settings)
    yield from _skills(settings)


def _instructions(settings: Settings) -> Iterator[PlainLayout]:
    """Yield those of all settings, the person's first."""
    said = [value.get("instructions") for value in reversed(settings)]
    paths = [path for each in said if isinstance(each, list) for path in each]
    for number, (base, path) in _inside(paths):
        yield PlainLayout(
            name=f"opencode-instructions-{number}",
            tool="OpenCode",
            scope="user" if base is Base.HOME else "project",
            base=base,
            files=(path,),
            loader=LoaderRule(),
            archive="{name}-archive.md",
            claim=OPENCODE_DOCS,
        )


def _skills(settings: Settings) -> Iterator[PlainLayout]:
    """Yield those of the settings that win: a list takes the place of another one.

    A pattern is none to it, and nothing is called so.
    """
    said = (_paths_of(value.get("skills")) for value in settings)
    paths = next((each for each in said if each is not None), ())
    texts = [each for each in paths if isinstance(each, str)] if isinstance(paths, list) else []
    for number, (base, folder) in _inside([_straight(each) for each in texts if "*" not in each]):
        is_all = folder == "."
        yield PlainLayout(
            name=f"opencode-named-skills-{number}",
            tool="OpenCode",
            scope="user" if base is Base.HOME else "project",
            base=base,
            where=Where.HERE if is_all else Where.AROUND,
            files=("**/SKILL.md" if is_all else f"{folder}/**/SKILL.md",),
            reader=Reader.DOCUMENT,
            loader=LoaderRule(kind=LoaderKind.DESCRIBED),
            front=Front.OPEN_SKILL,
            archive="skills-archive.md" if is_all else f"{folder}-archive.md",
            claim=OPENCODE_SKILLS,
        )


def _straight(path: str) -> str:
    """Return a folder's path without what leads nowhere: `a/./b/../c` is `a/c`."""
    home = "~/" if path.startswith("~/") else ""
    return f"{home}{normpath(path.removeprefix(home))}"


def _paths_of(skills: object) -> object | None:
    """Return the folders of `skills`, which may have them alone; `None` = it names none."""
    return skills.get("paths") if isinstance(skills, dict) else skills


def _inside(paths: Sequence[object]) -> Iterator[tuple[int, tuple[Base, str]]]:
    """Yield paths with their number and base, each once; none that leads out of it."""
    texts = dict.fromkeys(path for path in paths if isinstance(path, str))
    for number, said in enumerate(texts, 1):
        path = said.removeprefix("~/").removeprefix("./")
        if path and "://" not in path and ".." not in path.split("/") and path[0] not in "/~":
            yield number, (Base.HOME if said.startswith("~/") else Base.ROOT, path)
