"""Whether cited lines still stand as they were cited: the verdicts of FORMATS 6.3.

It compares and never decides what follows; where the code is read is the reader's business. A
memory is a hypothesis, and what could not be read is called unchecked, never held.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from pathlib import PurePosixPath
from typing import Final

from remem.base.frozen import dataclass
from remem.base.text import count
from remem.code.code_reader import Gap, NoText, Reader, Reading, Renamed, Text, plain_path
from remem.code.relocate import Found, Search, holds, places_in
from remem.code.symbols_and_keys import Failed, Held, NotJudged, judge
from remem.edit.lines import runs
from remem.model.citation import (
    MAX_LINES,
    BadCitation,
    Checked,
    Citation,
    CitationStatus,
    Place,
    Verdict,
    hash_of,
    require_place,
)

Progress = Callable[[int, int], None]
"""Told how many of how many were looked at."""

_STEP: Final = 50
"""Citations between two reports of progress."""
_SHOWN: Final = 5
"""Candidates that a verdict names."""
_LONG: Final = 20
"""Characters of one line that may be looked for in other files."""
_KEPT: Final = 40
"""Lines of what a claim is about that are kept with it."""


def verify(
    citations: Sequence[Citation], reader: Reader, *, progress: Progress | None = None
) -> tuple[Verdict, ...]:
    """Return a verdict on each citation, in their order; every file is read once.

    Args:
        citations: Of any number of memories.
        reader: Where the code is read.
        progress: Told from time to time; what it raises ends the check.
    """
    look = _Look(reader)
    look.read(citations)
    found: list[Verdict] = []
    for number, citation in enumerate(citations, 1):
        found.append(look.at(citation))
        if progress is not None and (number % _STEP == 0 or number == len(citations)):
            progress(number, len(citations))
    return _dated(look.elsewhere(found), reader)


def _dated(found: Sequence[Verdict], reader: Reader) -> tuple[Verdict, ...]:
    """Note the commit with what may be cited anew."""
    if not any(map(_may_be_cited_anew, found)):
        return tuple(found)
    commit = reader.commit()
    return tuple(
        replace(each, commit=commit) if _may_be_cited_anew(each) else each for each in found
    )


def unchecked(citations: Sequence[Citation], why: str) -> tuple[Verdict, ...]:
    """Say of citations that they could not be looked at."""
    status, nothing = CitationStatus.UNCHECKED, Checked.NOTHING
    return tuple(Verdict(each, status, nothing, exists=False, error=why) for each in citations)


def filled(citations: Sequence[Citation], reader: Reader) -> tuple[Citation, ...]:
    """Return citations with commit, hash and snippet, as they are stored.

    Raises:
        BadCitation: The lines of one are not there, or cannot be read now.
    """
    for citation in citations:
        require_place(citation)
    texts = reader.texts(list(dict.fromkeys(citation.path for citation in citations)))
    commit = reader.commit()
    return tuple(_filled(citation, texts[citation.path], commit) for citation in citations)


def _filled(citation: Citation, text: Reading, commit: str) -> Citation:
    if isinstance(text, Text) and citation.is_claim:
        return _filled_claim(citation, text, commit)
    if isinstance(text, NoText):
        raise BadCitation(
            f"`{citation.path}` cannot be cited: {text.why}",
            hint="cite a text file in this repository, relative to its root",
        )
    if citation.line_end > len(text.lines):
        there = count(text.lines, "line")
        cited = "line" if citation.line_start == citation.line_end else "lines"
        raise BadCitation(
            f"`{citation.path}` has {there}, and you cite {cited} {citation.lines}",
            hint="read it again and cite existing lines",
        )
    lines = _lines_at(text, citation)
    return citation.at(plain_path(citation.path), citation.line_start, commit, lines)


def _filled_claim(citation: Citation, text: Text, commit: str) -> Citation:
    """Return a claim with the place where it was found to hold."""
    try:
        found = judge(text.lines, citation)
    except NotJudged as error:
        hint = "cite the lines that prove it"
        raise BadCitation(f"`{citation}` cannot be judged: {error}", hint=hint) from None
    if isinstance(found, Failed):
        raise BadCitation(f"`{citation}` does not hold: {found.why}", hint="claim what is there")
    lines = text.lines[found.start - 1 : found.end]
    at = citation.at(plain_path(citation.path), found.start, commit, lines)
    return at if len(lines) <= _KEPT else replace(at, snippet=None)


def _lines_at(text: Text, citation: Citation) -> tuple[str, ...]:
    return text.lines[citation.line_start - 1 : citation.line_end]


@dataclass(slots=True)
class _Look:
    """One check of many citations."""

    reader: Reader
    texts: Mapping[str, Reading] = field(default_factory=dict)
    former: Mapping[tuple[str, str], Reading] = field(default_factory=dict)
    """What commits held, for citations that keep no text."""
    renamed: Mapping[str, Renamed] = field(default_factory=dict)
    moves: dict[tuple[str, str, str], Mapping[int, int]] = field(default_factory=dict)
    """By commit, path and path now: which line became which."""

    def read(self, citations: Sequence[Citation]) -> None:
        """Read every file that is cited, and what those hold that are gone is called now."""
        sound = [citation for citation in citations if _is_sound(citation)]
        self.texts = self.reader.texts(list(dict.fromkeys(each.path for each in sound)))
        asked = {(c.commit, c.path) for c in sound if c.commit and self._needs_former(c)}
        self.former = self.reader.texts_at(sorted(asked)) if asked else {}
        gone = {c.path: c.commit for c in sound if _is_missing(self.texts[c.path])}
        if gone:
            self.renamed = self.reader.renamed(gone)
            now = {path for paths in self.renamed.values() for path in paths}
            self.texts = {**self.texts, **self.reader.texts(sorted(now - set(self.texts)))}

    def _needs_former(self, citation: Citation) -> bool:
        """Tell whether the text of back then is needed: for what was cited, or where it went."""
        if citation.is_claim:
            return False
        text = self.texts[citation.path]
        if not citation.known_lines or not isinstance(text, Text):
            return True
        return hash_of(_lines_at(text, citation)) != citation.known_hash

    def _start(
        self,
        citation: Citation,
        path: str,
        now: Text,
        wanted: Sequence[str],
        places: Sequence[int],
    ) -> int:
        """Return the line at which cited lines stand now, of several places; 0 = at none.

        Where the version that was cited is at hand, the difference between the two says where each
        line went, and a twin that stood there before is none. Otherwise the nearest is taken, of
        those that are indented as they were where there are any.
        """
        if not places:
            return 0
        exact = [at for at in places if wanted and _is_exact(now.lines, at, wanted)]
        pool = exact or [*places]
        former = self.former.get((citation.commit, citation.path))
        known = isinstance(former, Text) and hash_of(_lines_at(former, citation))
        if isinstance(former, Text) and known == citation.known_hash:
            went = self._went(citation, path, former, now)
            moved = [went.get(line) for line in range(citation.line_start, citation.line_end + 1)]
            first = moved[0]
            is_whole = first is not None and moved == [*range(first, first + len(moved))]
            if first is not None and is_whole and first in places:
                return first
            came = {to: line for line, to in went.items()}
            pool = [at for at in pool if not _stood(at, len(moved), came)]
            pool = pool or [at for at in places if not _stood(at, len(moved), came)]
        was = citation.line_start
        return min(pool, key=lambda at: (abs(at - was), at), default=0)

    def _went(self, citation: Citation, path: str, former: Text, now: Text) -> Mapping[int, int]:
        """Return which line of the cited version became which of another text."""
        key = citation.commit, citation.path, path
        if key not in self.moves:
            self.moves[key] = {
                run.a + offset + 1: run.b + offset + 1
                for run in runs(_trimmed(former), _trimmed(now))
                for offset in range(run.length)
            }
        return self.moves[key]

    def at(self, citation: Citation) -> Verdict:
        """Judge by its own file alone, or by the one that it became."""
        if not _is_sound(citation):
            return _unsound(citation)
        text = self.texts[citation.path]
        if isinstance(text, NoText):
            return self._without_text(citation, text)
        if citation.is_claim:
            return _claimed(citation, text)
        wanted, known = self._wanted(citation)
        here = _lines_at(text, citation)
        reaches = citation.line_end <= len(text.lines)
        found = Verdict(
            citation, CitationStatus.VALID, content="\n".join(here), expected=_joined(wanted)
        )
        if not known:
            if reaches:
                return replace(
                    found,
                    status=CitationStatus.UNCHECKED,
                    checked=Checked.EXISTENCE,
                    error=_NOT_KEPT,
                )
            return replace(found, status=CitationStatus.OUT_OF_RANGE, checked=Checked.NOTHING)
        if reaches and hash_of(here) == known:
            return replace(found, expected=found.content)
        if reaches and wanted and holds(here, wanted):
            if citation.path.endswith((".py", ".pyi")):
                return replace(found, status=CitationStatus.CHANGED)
            return replace(found, checked=Checked.WHITESPACE)
        places = places_in(text.lines, wanted, known, citation.count)
        start = self._start(citation, citation.path, text, wanted, places)
        if start:
            return _moved(found, citation.path, text, start, len(wanted) or citation.count)
        if places:
            count = len(wanted) or citation.count
            twins = tuple(Place(citation.path, at, at + count - 1) for at in places[:_SHOWN])
            found = replace(found, candidates=twins)
        gone = CitationStatus.CHANGED if reaches else CitationStatus.OUT_OF_RANGE
        return replace(found, status=gone)

    def elsewhere(self, found: Sequence[Verdict]) -> tuple[Verdict, ...]:
        """Look in all other files for what is not where it was."""
        lost = {
            number: self._wanted(verdict.citation)[0]
            for number, verdict in enumerate(found)
            if verdict.status in _LOST
            and _is_sound(verdict.citation)
            and not verdict.citation.is_claim
        }
        wanted = {
            number: lines
            for number, lines in lost.items()
            if _is_telling(lines) and not _stands_there(found[number], lines)
        }
        if not wanted:
            return tuple(found)
        if self.reader.tracked() is None:
            return tuple(
                _not_searched(verdict) if number in wanted else verdict
                for number, verdict in enumerate(found)
            )
        places = Search(wanted).run(self.reader)
        likely = {
            number: [each for each in here if _may_go(found[number].citation, each.place.path)]
            for number, here in places.items()
        }
        fresh = self._without_copies(found, likely)
        return tuple(
            _told(verdict, fresh[number]) if fresh.get(number) else verdict
            for number, verdict in enumerate(found)
        )

    def _without_copies(
        self, found: Sequence[Verdict], likely: Mapping[int, Sequence[Found]]
    ) -> Mapping[int, Sequence[Found]]:
        """Leave out places that said the same when the lines were cited: nothing moved there."""
        asked = {
            (commit, each.place.path)
            for number, here in likely.items()
            if (commit := found[number].citation.commit)
            for each in here
        }
        former = self.reader.texts_at(sorted(asked)) if asked else {}

        def stood(citation: Citation, each: Found) -> bool:
            text = former.get((citation.commit, each.place.path))
            lines = each.text.split("\n")
            return isinstance(text, Text) and bool(places_in(text.lines, lines, "", len(lines)))

        return {
            number: [each for each in here if not stood(found[number].citation, each)]
            for number, here in likely.items()
        }

    def _wanted(self, citation: Citation) -> tuple[tuple[str, ...], str]:
        """Return the cited lines as far as they are at hand, and the hash they are compared by."""
        known, lines = citation.known_hash, citation.known_lines
        if lines or not citation.commit:
            return lines, known
        former = self.former.get((citation.commit, citation.path))
        if not isinstance(former, Text) or citation.line_end > len(former.lines):
            return (), known
        lines = _lines_at(former, citation)
        if known and hash_of(lines) != known:
            return (), known
        return lines, known or hash_of(lines)

    def _without_text(self, citation: Citation, text: NoText) -> Verdict:
        wanted, known = self._wanted(citation)
        found = Verdict(
            citation,
            CitationStatus.MISSING,
            exists=text.gap in {Gap.BINARY, Gap.UNREADABLE},
            expected=_joined(wanted),
            error=text.why,
        )
        if text.gap is Gap.UNREADABLE:
            return replace(found, status=CitationStatus.UNCHECKED, checked=Checked.NOTHING)
        if text.gap is Gap.BINARY:
            return replace(found, status=CitationStatus.CHANGED)
        if text.gap is Gap.OUTSIDE:
            return replace(found, checked=Checked.NOTHING)
        hints: list[Place] = []
        for path in self.renamed.get(citation.path, ()):
            now = self.texts.get(path)
            if not isinstance(now, Text):
                continue
            if citation.is_claim:
                if _claimed(replace(citation, path=path), now).is_valid:
                    hints.append(Place(path, 1, 1))
                continue
            places = places_in(now.lines, wanted, known, citation.count)
            start = self._start(citation, path, now, wanted, places)
            if start:
                return _moved(found, path, now, start, len(wanted) or citation.count)
            hints.append(Place(path, citation.line_start, citation.line_end))
        return replace(found, candidates=tuple(hints[:_SHOWN]))


_NOT_KEPT: Final = "the lines exist, but their cited text was never recorded"


def _may_be_cited_anew(verdict: Verdict) -> bool:
    return verdict.status in _CITED_ANEW or verdict.is_there


_CITED_ANEW: Final = frozenset({CitationStatus.MOVED, CitationStatus.CHANGED})
_LOST: Final = frozenset(
    {CitationStatus.MISSING, CitationStatus.CHANGED, CitationStatus.OUT_OF_RANGE}
)


def _is_sound(citation: Citation) -> bool:
    if citation.is_claim:
        return bool(plain_path(citation.path))
    return citation.is_in_order and citation.count <= MAX_LINES and bool(plain_path(citation.path))


def _unsound(citation: Citation) -> Verdict:
    nothing = Verdict(citation, CitationStatus.OUT_OF_RANGE, Checked.NOTHING, exists=False)
    if citation.line_start < 1 and not citation.is_claim:
        return replace(nothing, error="lines are counted from 1")
    if not citation.is_in_order and not citation.is_claim:
        return replace(nothing, error="it ends before it begins")
    if citation.count > MAX_LINES:
        return replace(nothing, error=f"it names more than {MAX_LINES:,} lines")
    error = f"`{citation.path}` is not a path inside the repository"
    return replace(nothing, status=CitationStatus.MISSING, error=error)


def _is_missing(text: Reading) -> bool:
    return isinstance(text, NoText) and text.gap is Gap.MISSING


def _is_telling(lines: Sequence[str]) -> bool:
    """Tell whether lines can be looked for in other files: short ones stand everywhere."""
    said = [line.strip() for line in lines]
    return any(said) and (len(lines) > 1 or len(said[0]) >= _LONG)


def _stands_there(verdict: Verdict, lines: Sequence[str]) -> bool:
    """Tell whether the lines stand where they were, with blanks that mean something."""
    return verdict.content is not None and holds(verdict.content.split("\n"), lines)


def _moved(found: Verdict, path: str, text: Text, start: int, count: int) -> Verdict:
    """Say that the lines stand elsewhere in a file."""
    to = Place(path, start, start + count - 1)
    said = "\n".join(text.lines[start - 1 : start - 1 + count])
    return replace(found, status=CitationStatus.MOVED, moved_to=to, moved_text=said, error="")


def _claimed(citation: Citation, text: Text) -> Verdict:
    """Judge a claim by the syntax of the file, wherever it stands there."""
    found = Verdict(citation, CitationStatus.VALID, Checked.SYNTAX, expected=citation.snippet)
    try:
        judged = judge(text.lines, citation)
    except NotJudged as error:
        unread = CitationStatus.UNCHECKED
        return replace(found, status=unread, checked=Checked.NOTHING, error=str(error))
    content = "\n".join(text.lines[judged.start - 1 : judged.end]) if judged.start else None
    if isinstance(judged, Held):
        return replace(found, content=content)
    gone = CitationStatus.CHANGED if judged.start else CitationStatus.MISSING
    return replace(found, status=gone, content=content, error=judged.why)


def _trimmed(text: Text) -> list[str]:
    return [line.rstrip() for line in text.lines]


def _is_exact(lines: Sequence[str], at: int, wanted: Sequence[str]) -> bool:
    """Tell whether lines are indented as they were, too."""
    here = lines[at - 1 : at - 1 + len(wanted)]
    return [line.rstrip() for line in here] == [line.rstrip() for line in wanted]


def _stood(at: int, count: int, came: Mapping[int, int]) -> bool:
    """Tell whether lines stood together before, in the version that was cited."""
    before = [came.get(line) for line in range(at, at + count)]
    first = before[0]
    return first is not None and before == [*range(first, first + count)]


def _may_go(citation: Citation, path: str) -> bool:
    """Tell whether lines can have moved into a file: a quotation in prose is no move."""
    return _kind_of(citation.path) == _kind_of(path)


def _kind_of(path: str) -> str:
    suffix = PurePosixPath(path).suffix.casefold()
    return next((kinds[0] for kinds in _SAME_KIND if suffix in kinds), suffix)


_SAME_KIND: Final = (
    (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"),
    (".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx", ".m", ".mm"),
    (".md", ".mdx", ".markdown", ".rst", ".txt", ".adoc"),
    (".py", ".pyi"),
    (".yml", ".yaml"),
    (".kt", ".kts"),
)
"""Endings of files between which lines move."""


def _not_searched(verdict: Verdict) -> Verdict:
    """Say that the lines may stand in a file that nobody looked into."""
    why = f"{verdict.error}; " if verdict.error else ""
    return replace(verdict, error=f"{why}the other files were not searched")


def _told(verdict: Verdict, found: Sequence[Found]) -> Verdict:
    """Say where in the tracked tree the lines of a verdict stand."""
    if len(found) == 1:
        place, text = found[0].place, found[0].text
        moved = CitationStatus.MOVED
        return replace(verdict, status=moved, moved_to=place, moved_text=text, error="")
    status = verdict.status
    if status is CitationStatus.OUT_OF_RANGE:
        status = CitationStatus.CHANGED
    return replace(verdict, status=status, candidates=tuple(each.place for each in found[:_SHOWN]))


def _joined(lines: Sequence[str]) -> str | None:
    return "\n".join(lines) if lines else None
