"""What a check by machine finds, as lines: in the code base, and in an entry's examples.

Pure but for searching, which runs in a thread; it knows nothing of widgets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from remem.base.errors import RememError
from remem.base.frozen import dataclass
from remem.base.text import count
from remem.core.checks.detect_from_prose import judged_examples
from remem.core.checks.detect_in_code import Codebase, code_root
from remem.core.checks.gate import Held
from remem.core.library import Library
from remem.core.session import Session
from remem.core.waiting.item import Item, Why
from remem.model.change import Json
from remem.model.detect import AstPattern, Detect, Examples
from remem.model.entry import Entry
from remem.systems.sniper.detect_plan import as_fields, detect_from, proposal_of
from remem.systems.sniper.records import Convention, Stored
from remem.views.long_text import TextLine, span_line, text_line
from remem.views.spans import Span, Tone, span

FIELDS: Final = ("forbid", "require", "beside", "files", "within", "ast", "message")
"""What can be typed, in order."""
_SHOWN: Final = 200
_ON_A_CARD: Final = 8
_CARD_SECONDS: Final = 1.5


@dataclass(frozen=True, slots=True)
class Looked:
    """What a check finds, or why it cannot be one."""

    problem: str = ""
    examples: tuple[tuple[str, str, bool | None], ...] = ()
    """Name, text, and whether it is judged rightly; `None` = it cannot be told."""
    held: Held | None = None
    unsearched: str = ""
    """Why no code was looked at."""
    parts: str = ""
    """How many matches stand in comments or strings, and how to leave them out."""


def record_of(library: Library, entry: Entry) -> Stored | None:
    """Return the record of a rule."""
    record = library.format_of(entry).reader.record(library.source_of(entry), entry)
    return record if isinstance(record, Stored) else None


def typed_at_first(library: Library, entry: Entry) -> dict[str, str]:
    """Return what stands in the fields when they open: what is checked, else what is proposed."""
    record = record_of(library, entry)
    detect = record.detect if record is not None else None
    if detect is None:
        proposed = proposal_of(library, entry)
        detect = proposed.reading.detect if proposed is not None else None
    if detect is None:
        return {}
    pattern = detect.forbid if detect.forbid is not None else detect.require
    name = "forbid" if detect.forbid is not None else "require"
    if detect.beside is not None:
        name, pattern = "beside", detect.beside
    text = pattern.pattern if isinstance(pattern, AstPattern) else pattern or ""
    return {
        name: text,
        "files": " ".join(detect.files or ()),
        "ast": pattern.ast if isinstance(pattern, AstPattern) else "",
        "within": " ".join(detect.parts),
        "imports": " ".join(detect.imports or ()),
        "message": detect.message or "",
    }


def fields_of(typed: Mapping[str, str]) -> dict[str, Json]:
    """Return what was typed as an entry holds it.

    Raises:
        NotPossible: It is no check yet.
    """
    value: dict[str, Json] = {}
    files: list[Json] = [*typed.get("files", "").split()]
    if files:
        value["files"] = files
    for name in ("forbid", "require"):
        pattern, syntax = typed.get(name, ""), typed.get("ast", "").strip()
        if pattern:
            value[name] = {"ast": syntax, "pattern": pattern} if syntax else pattern
    if typed.get("beside", "").strip():
        value["beside"] = typed["beside"].strip()
    parts: list[Json] = [*typed.get("within", "").split()]
    if parts:
        value["within"] = parts[0] if len(parts) == 1 else parts
    modules: list[Json] = [*typed.get("imports", "").split()]
    if modules:
        value["imports"] = modules
    if typed.get("message", "").strip():
        value["message"] = typed["message"].strip()
    return as_fields(detect_from(value))


def look(
    base: Codebase, record: Stored, typed: Mapping[str, str], stop: Callable[[], bool]
) -> Looked:
    """Hold what was typed against the examples and the code; takes a moment, and can be stopped."""
    if not any(typed.get(name) for name in ("forbid", "require", "beside")):
        return Looked(problem="type a forbidden or a required pattern")
    try:
        detect = detect_from(fields_of(typed))
    except RememError as error:
        return Looked(problem=_said(error))
    told = _examples(detect, record)
    try:
        held = base.search(detect, stop=stop)
        return Looked(
            examples=told, held=held, parts=base.hint_of_parts(detect, held, "`only in: code`")
        )
    except RememError as error:
        return Looked(examples=told, unsearched=_said(error))


def _examples(detect: Detect, record: Stored) -> tuple[tuple[str, str, bool | None], ...]:
    examples = record.examples if isinstance(record, Convention) else None
    texts = examples or Examples()
    return tuple(
        (name, getattr(texts, name), rightly)
        for name, rightly in judged_examples(detect, examples).items()
    )


def looked_lines(looked: Looked) -> Iterator[TextLine]:
    """Yield what was found."""
    if looked.problem:
        yield text_line(looked.problem, Tone.WARN)
        return
    for name, text, rightly in looked.examples:
        yield _example_line(name, text, rightly)
    if looked.unsearched:
        yield text_line(looked.unsearched, Tone.WARN)
    if looked.held is not None:
        yield from _held_lines(looked.held, _SHOWN)
    if looked.parts:
        yield text_line(looked.parts, Tone.WARN)


def _example_line(name: str, text: str, rightly: bool | None) -> TextLine:
    words = {True: "as expected", False: "WRONG RESULT", None: "unknown"}
    tone = {True: Tone.GOOD, False: Tone.BAD, None: Tone.DIM}[rightly]
    flat = " ".join(text.split())
    return span_line(
        (span(f"{name} example ", Tone.DIM), Span(words[rightly], tone), span(f"  {flat}"))
    )


def _held_lines(held: Held, most: int) -> Iterator[TextLine]:
    stopped = "" if held.is_whole else ", stopped early"
    yield text_line(f"{held.told}{stopped}", Tone.STRONG)
    for place, text in held.places(most):
        yield span_line((span(place, Tone.CODE), span(f"  {text}")))
    if len(held.violations) > most:
        yield text_line(f"and {len(held.violations) - most} more", Tone.DIM)
    for path, why in held.missed[:3]:
        yield text_line(f"not checked: {path} — {why}", Tone.WARN)
    if len(held.missed) > 3:
        yield text_line(f"and {count(len(held.missed) - 3, 'more file')} not checked", Tone.WARN)


def card_lines_of(session: Session, item: Item, is_wanted: Callable[[], bool]) -> list[TextLine]:
    """Return where the code breaks what is proposed to be checked; runs in a thread."""
    library = session.library
    if item.reason is not Why.DETECT or not library.has(item.ref):
        return []
    entry = library.entry(item.ref)
    proposed = proposal_of(library, entry)
    if proposed is None:
        return []
    detect = proposed.reading.detect
    base = Codebase(session.disk, code_root(session.root, proposed.source.path))
    try:
        held = base.search(detect, seconds=_CARD_SECONDS, stop=lambda: not is_wanted())
    except RememError as error:
        return [text_line(_said(error), Tone.DIM)]
    return [text_line("in the current code", Tone.HEADING), *_held_lines(held, _ON_A_CARD)]


def _said(error: RememError) -> str:
    return f"{error} ({error.hint})" if error.hint else str(error)
