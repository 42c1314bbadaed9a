"""A persona's memory file as a document: what each part costs, and what of it reaches the prompt.

Pure but for composing, which a thread does: `weigh` makes the numbers, `memory_lines` draws them
beside the text as it stands. Nothing of the file is left out or rewritten.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Final

from remem.base.frozen import dataclass
from remem.base.text import count
from remem.core.prompt.agents import agents_called
from remem.core.prompt.counter import Counter
from remem.core.session import Session
from remem.edit.markdown import Document, is_text
from remem.model.entry import Entry, FileSpan, Ref
from remem.model.prompt import Ask, Prompt, Verdict
from remem.model.source import Source, SourceKind
from remem.systems.personas.read import document_of
from remem.systems.personas.source import PersonaSource
from remem.views.entries.entry_details import SHOWN
from remem.views.glyphs import Glyphs
from remem.views.long_text import TextLine, span_line, text_line, waterline
from remem.views.spans import Span, Tone, number

_UNWEIGHED: Final = "not counted here"
_IN: Final = 2
"""Number of the layer tone for what reaches the prompt."""
_OUT: Final = 6
_MOST_WATERLINES: Final = 8
"""Changes between in and out of which each is drawn; where there are more the gutter tells."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What a file costs and what of it is in."""

    loaded: bool
    """As the agent's tool loads it, not as remem composes."""
    exact: bool
    used: int = 0
    """Tokens of the units that are in."""
    budget: str = ""
    """What bounds it, in words."""
    verdicts: Mapping[Ref, Verdict] = field(default_factory=dict, repr=False)
    tokens: Mapping[Ref, int] = field(default_factory=dict, repr=False)
    sections: Mapping[int, int] = field(default_factory=dict, repr=False)
    """Start of a heading in the file → tokens of its whole section."""
    project: str = ""
    """Whose prompt it is, where that is not the project that is open."""
    most: int = SHOWN
    """Bytes of the file that are shown."""


def is_memory(source: Source | None) -> bool:
    """Tell whether a source is a persona's memory, whose lessons have a cost."""
    return (
        isinstance(source, PersonaSource)
        and source.kind is SourceKind.MEMORY
        and bool(source.owner)
        and source.path.suffix == ".md"
    )


def weigh(session: Session, source: Source, *, loaded: bool, most: int = SHOWN) -> Weights:
    """Count a file and find out what of it reaches the prompt of its persona.

    Args:
        session: Asked for the prompt.
        source: The file.
        loaded: As an agent loads it; else as remem composes it.
        most: Bytes of it that are shown.
    """
    counter = session.counter
    if not isinstance(source, PersonaSource) or not is_text(source.data):
        return Weights(loaded, counter.exact)
    ask = Ask(persona=source.owner, layout=source.layout, project=source.project)
    if loaded:
        layout = _layout_loaded(session, source)
        prompt = session.as_loaded(replace(ask, agent=source.owner, layout=layout))
    else:
        prompt = session.compose(ask)
    known = {verdict.ref: verdict for verdict in prompt.verdicts}
    verdicts = {e.ref: known[e.ref] for e in source.entries if e.ref in known}
    shown = {e.ref: e for e in _shown(source, most)}
    reached = (e for e in source.entries if e.ref in verdicts and verdicts[e.ref].is_in)
    tokens = {e.ref: counter.count(_raw(source, e)) for e in (*shown.values(), *reached)}
    used = sum(tokens[ref] for ref, verdict in verdicts.items() if verdict.is_in)
    return Weights(
        loaded,
        counter.exact,
        used,
        _bound(source, prompt, loaded=loaded),
        verdicts,
        tokens,
        dict(_section_tokens(document_of(source.data[:most]), counter, whole=len(source.data))),
        source.project if source.project != session.library.ground.project else "",
        most,
    )


def memory_lines(
    plain: Sequence[TextLine], source: Source, weights: Weights | None, glyphs: Glyphs, key: str
) -> list[TextLine]:
    """Return a file's lines with costs in the gutter, marks of what is in, and waterlines.

    Args:
        plain: The file as it stands, numbered.
        source: The file.
        weights: What `weigh` found; `None` while it is being counted.
        glyphs: Signs of the screen.
        key: The key that switches between loaded and composed.
    """
    if weights is None or not weights.tokens:
        held = f"{count(source.entries, 'lesson')} in {len(source.data):,} bytes"
        more = "counting what reaches the prompt …" if weights is None else _UNWEIGHED
        return [text_line(f"{held} · {more}", Tone.DIM), TextLine(""), *plain]
    marks = dict(_marks(source, weights, glyphs))
    lines = [_marked(line, marks.get(line.number)) for line in plain]
    head = [span_line(_summary(source, weights, glyphs, key)), TextLine("")]
    return [*head, *_with_waterlines(lines, weights)]


def reaches(entry: Entry, weights: Weights) -> str:
    """Return in words whether an entry is in; empty where nobody asked."""
    verdict = weights.verdicts.get(entry.ref)
    if verdict is None:
        return ""
    where = "as loaded" if weights.loaded else "as composed"
    where += f" for `{weights.project}`" if weights.project else ""
    return f"in, {where}" if verdict.is_in else f"out, {where}: {verdict.detail}"


def _layout_loaded(session: Session, source: PersonaSource) -> str:
    """Return the layout whose files its agent loads: memory in another place reaches no prompt."""
    called = agents_called(session.library, source.owner, repository=source.repository)
    layouts = [each.layout for each in called]
    return source.layout if source.layout in layouts or not layouts else layouts[0]


def _bound(source: PersonaSource, prompt: Prompt, *, loaded: bool) -> str:
    refs = {entry.ref for entry in source.entries}
    if loaded:
        read = {layer.name for layer in prompt.layers}
        is_read = any(v.is_in or v.layer in read for v in prompt.verdicts if v.ref in refs)
        return f"loaded: {source.loader}" if is_read else "not loaded at startup"
    for layer in prompt.layers:
        if layer.budget and any(line.ref in refs for line in layer.lines):
            return f"budget of {layer.budget:,} {layer.unit}"
    return f"budget of {source.file.budget:,} tokens" if source.file.budget else ""


def _raw(source: Source, entry: Entry) -> str:
    if isinstance(entry.at, FileSpan):
        return source.data[entry.at.start : entry.at.end].decode("utf-8", "replace")
    return source.data.decode("utf-8", "replace")


def _shown(source: Source, most: int) -> Iterator[Entry]:
    """Yield the lessons that a pane shows: counting all of a huge file would serve nobody."""
    for entry in source.entries:
        if isinstance(entry.at, FileSpan) and entry.at.start >= most:
            return
        yield entry


def _section_tokens(
    document: Document, counter: Counter, *, whole: int
) -> Iterator[tuple[int, int]]:
    """Yield each heading with the tokens of all that stands in its section, subsections too.

    Args:
        document: The part that is shown.
        counter: Counts.
        whole: Bytes of the file; a section that ends beyond what is shown is left out.
    """
    headings = document.headings
    size = len(document.data)
    for number_, heading in enumerate(headings):
        rest = headings[number_ + 1 :]
        end = next((h.start for h in rest if h.level <= heading.level), size)
        if end < size or size == whole:
            text = document.data[heading.start : end].decode("utf-8", "replace")
            yield heading.start, counter.count(text)


@dataclass(frozen=True, slots=True)
class _Mark:
    tokens: int | None = None
    ref: Ref | None = None
    is_in: bool | None = None
    letter: str = ""
    detail: str = ""


def _marks(source: Source, weights: Weights, glyphs: Glyphs) -> Iterator[tuple[int, _Mark]]:
    """Yield what stands beside each line, by its number in the file."""
    lines = _Lines(source.data)
    for start, tokens in weights.sections.items():
        yield lines.number(start), _Mark(tokens)
    for entry in _shown(source, weights.most):
        if not isinstance(entry.at, FileSpan):
            continue
        first = lines.number(entry.at.start)
        last = first + source.data.count(b"\n", entry.at.start, entry.at.end)
        verdict = weights.verdicts.get(entry.ref)
        is_in = verdict.is_in if verdict is not None else None
        letter = "" if is_in is None else glyphs.waiting if is_in else glyphs.paused
        detail = verdict.detail if verdict is not None else ""
        for line in range(first, last + 1):
            tokens_ = weights.tokens[entry.ref] if line == first else None
            yield line, _Mark(tokens_, entry.ref, is_in, letter if line == first else "", detail)


class _Lines:
    """Numbers of lines by offsets that are asked for in any order."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0
        self._number = 1

    def number(self, offset: int) -> int:
        if offset < self._at:
            self._at, self._number = 0, 1
        self._number += self._data.count(b"\n", self._at, offset)
        self._at = offset
        return self._number


def _marked(line: TextLine, mark: _Mark | None) -> TextLine:
    if mark is None or not line.number:
        return line
    layer = 0 if mark.is_in is None else _IN if mark.is_in else _OUT
    return replace(line, tokens=mark.tokens, ref=mark.ref, layer=layer, letter=mark.letter)


def _with_waterlines(lines: Iterable[TextLine], weights: Weights) -> list[TextLine]:
    """Draw a line wherever the text goes from what is in to what is out, and back."""
    found: list[TextLine] = []
    drawn = 0
    is_in = True
    for line in lines:
        verdict = weights.verdicts.get(line.ref) if isinstance(line.ref, Ref) else None
        if verdict is not None and verdict.is_in != is_in:
            is_in = verdict.is_in
            text = "back in the prompt" if is_in else f"not in the prompt: {verdict.detail}"
            found.append(waterline(text))
            drawn += 1
        found.append(line)
    return found if drawn <= _MOST_WATERLINES else [line for line in found if not line.rule]


def _summary(source: Source, weights: Weights, glyphs: Glyphs, key: str) -> tuple[Span, ...]:
    held = sum(1 for verdict in weights.verdicts.values() if verdict.is_in)
    used = number(weights.used, exact=weights.exact, glyphs=glyphs)
    other = "composed" if weights.loaded else "loaded"
    where = f" for `{weights.project}`" if weights.project else ""
    return (
        Span(f"{held:,} of {len(source.entries):,} lessons reach the prompt{where}", Tone.STRONG),
        Span(f" · {used} tokens without headings", Tone.PLAIN),
        Span(f" · {weights.budget}" if weights.budget else "", Tone.DIM),
        Span(f" · {key} as {other}", Tone.DIM),
    )
