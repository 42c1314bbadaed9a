"""Plans what a reflection adds to a persona's memory: one dated section at the end (FORMATS 3.2).

It knows in which file a persona's new lessons go, and writes them as the tool of that layout does.
Nothing that stands there is touched.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from remem.base.errors import NotPossible, Refused
from remem.core.system import Ground
from remem.edit import markdown, markdown_edit
from remem.model.change import Create, Effect
from remem.model.layout import Part, Reader
from remem.model.roles import persona_key
from remem.systems.personas.effects import can_be_encoded, need_writable, parse_whole, splices
from remem.systems.personas.lesson import plan_lesson
from remem.systems.personas.offer import layout_of
from remem.systems.personas.source import PersonaSource

CATEGORIES: Final = ("OBSERVATION", "HYPOTHESIS", "TODO")
"""What a lesson of `working.md` can be (FORMATS 3.3)."""
_CATEGORY: Final = re.compile(r"\[([A-Z]+)\] ")


def memory_of(
    ground: Ground, sources: Sequence[PersonaSource], persona: str, layout: str = ""
) -> PersonaSource | None:
    """Return the file that a persona's lessons of this project go to; `None` = not there yet.

    Args:
        ground: Gives the project.
        sources: Those of this format.
        persona: Its name; spelling as in `persona_key`.
        layout: Where several keep a memory of that name, `night-watch/other` for another project's;
            empty = the one that is loaded.
    """
    layout, _, project = layout.partition("/")
    name = layout or layout_of(sources, persona)
    own = [
        source
        for source in sources
        if source.layout == name
        and not source.archived
        and source.part in {Part.MAIN, Part.WORKING}
        and persona_key(source.owner) == persona_key(persona)
        and source.project in {"", project or ground.project}
    ]
    return next(iter(sorted(own, key=lambda source: source.part != Part.WORKING)), None)


def plan_section(
    ground: Ground,
    sources: Sequence[PersonaSource],
    persona: str,
    lessons: Sequence[str],
    layout: str = "",
) -> tuple[Effect, ...]:
    """Plan to append lessons under the date of today; each is one line.

    Raises:
        NotPossible: There is no lesson, the persona has no memory there, or it is read only.
        Refused: The end of the file would swallow them.
    """
    if not lessons:
        raise NotPossible("there is no lesson to keep", hint="an answer needs lines like `- …`")
    if not all(map(can_be_encoded, lessons)):
        raise NotPossible("a lesson contains NUL or a broken character", hint="remove that lesson")
    source = memory_of(ground, sources, persona, layout)
    today = ground.given.clock.today().isoformat()
    if source is None:
        return (_first(ground, sources, persona, lessons, layout),)
    need_writable(source)
    document = parse_whole(source.data)
    block, blank_lines = _block(source, document, today, lessons)
    edit = markdown_edit.append(document, block, blank_lines=blank_lines)
    if len(markdown.parse(block.encode()).units) != len(lessons):
        raise Refused(
            "the text would not be parsed as lessons", hint="write each as one plain line"
        )
    return splices(source.path, source.data, edit)


def _first(
    ground: Ground,
    sources: Sequence[PersonaSource],
    persona: str,
    lessons: Sequence[str],
    layout: str,
) -> Create:
    """Make the file, where a first lesson would make it."""
    fields = {"persona": persona, "text": lessons[0], "layout": layout}
    path = plan_lesson(ground, sources, fields).path
    section = f"## {ground.given.clock.today().isoformat()}\n{_bullets(lessons)}\n"
    return Create(path, section.encode())


def _block(
    source: PersonaSource, document: markdown.Document, today: str, lessons: Sequence[str]
) -> tuple[str, int]:
    """Return what is appended, and how many blank lines stand before it."""
    bullets = _bullets(lessons)
    if source.file.reader is Reader.DATED:
        # One reflection is a heading, its lessons and a blank line; those of one day repeat it.
        return f"## {today}{_category(source, lessons)}\n{bullets}\n", 0
    if Part.CHARTER not in source.rules.order:
        return f"## {today}\n\n{bullets}", 1
    last = document.headings[-1] if document.headings else None
    if last is not None and last.title.startswith(today):
        is_item = bool(document.units) and document.units[-1].kind is markdown.Kind.ITEM
        return bullets, 0 if is_item else 1
    has_learnings = any(h.title.casefold().startswith("learnings") for h in document.headings)
    above = "" if has_learnings else "## Learnings\n\n"
    return f"{above}### {today}\n\n{bullets}", 1


def _category(source: PersonaSource, lessons: Sequence[str]) -> str:
    match = _CATEGORY.match(lessons[0]) if source.part == Part.WORKING else None
    return f" [{match[1]}]" if match is not None and match[1] in CATEGORIES else ""


def _bullets(lessons: Sequence[str]) -> str:
    return "".join(f"- {lesson}\n" for lesson in lessons)
