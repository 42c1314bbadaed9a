"""Then and now in lines: a prompt, an entry or a file as a commit has it, beside what stands here.

Pure: it reads two libraries and knows nothing of widgets. Which commit is meant the picker asks.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, Protocol

from remem.base.errors import RememError
from remem.base.frozen import dataclass
from remem.code.commit_ranges import recent_commits
from remem.core.history.memory_diff import AgentChange, agent_change, entry_changes
from remem.core.history.revisions import Revisions, day_of
from remem.core.library import Library
from remem.core.prompt.agents import as_loaded
from remem.core.prompt.compose import compose
from remem.core.prompt.everyones_starts import Start
from remem.core.session import Session
from remem.core.settings import Config
from remem.model.entry import Entry, Ref
from remem.model.prompt import Ask, Prompt
from remem.model.roles import audience
from remem.store.changes.hunks import file_diff
from remem.systems.sniper.retro.retro_entries import parsed
from remem.views.diff import FileDiff, diff_lines
from remem.views.glyphs import Glyphs
from remem.views.list_rows import Choice, label
from remem.views.long_text import TextLine, span_line, text_line
from remem.views.review.retro import retros_of
from remem.views.spans import Span, Tone, clip, plain, span

_COMMITS: Final = 30
_SECONDS: Final = 2.0
"""How long git may look for commits that can be chosen; any other can be typed."""
_COMMIT: Final = 7
"""Characters of a commit in a choice."""
_DAY_AND_COMMIT: Final = len("2026-05-04 ") + _COMMIT
_OF_RETRO: Final = "date of this retro"
"""Stands where a commit has its author."""
_FILES: Final = 300
_NAMED: Final = 8


class Subject(Protocol):
    """What is compared with how it was."""

    @property
    def name(self) -> str: ...

    def paths(self, session: Session) -> Collection[Path]: ...

    def lines(
        self, session: Session, then: Library, settings: Config, glyphs: Glyphs
    ) -> list[TextLine]: ...


def lines_then(
    session: Session, subject: Subject, past: Revisions, commit: str, glyphs: Glyphs
) -> list[TextLine]:
    """Return how something was at a commit beside how it is; what git does not have is named.

    Args:
        session: Knows how it is.
        subject: What is compared.
        past: Where it is looked up.
        commit: The commit.
        glyphs: What is drawn with.
    """
    paths = subject.paths(session)
    unknown = sorted(path for path in paths if not path.is_relative_to(past.top))
    named = ", ".join(label(session, path) for path in unknown[:_NAMED])
    more = f" and {len(unknown) - _NAMED} more" if len(unknown) > _NAMED else ""
    told = f"git does not have {named}{more}: how that was is not known"
    if unknown and len(unknown) == len(paths):
        return [text_line(told, Tone.WARN)]
    then, settings = past.at(commit)
    lines = subject.lines(session, then, settings, glyphs)
    return [text_line(f"{told}, it counts as it is now", Tone.WARN), *lines] if unknown else lines


def choices(session: Session, past: Revisions) -> list[Choice]:
    """Return what can be compared with: commits that changed memory, then retros by their day."""
    root = session.root
    paths = [str(s.path) for s in session.library.sources if s.path.is_relative_to(past.top)]
    below = [str(root)] if len(paths) > _FILES else paths
    try:
        commits = recent_commits(past.top, below or [str(root)], _COMMITS, _SECONDS)
    except RememError:
        commits = ()
    found = [
        Choice(c.commit, c.subject, _author(c.author), f"{c.day} {c.commit[:_COMMIT]}")
        for c in commits
    ]
    return [*found, *_retros(session.library)]


def _author(name: str) -> str:
    return plain(clip((span(name),), len(_OF_RETRO)))


def _retros(library: Library) -> Iterator[Choice]:
    by_day: dict[str, list[str]] = {}
    for source in reversed(retros_of(library)):
        record = parsed(source)[1]
        if record is not None and day_of(record.date) is not None:
            by_day.setdefault(record.date, []).append(source.path.stem)
    for day, names in by_day.items():
        # As wide as a day with its commit: the days of both stand below each other.
        yield Choice(day, ", ".join(names), _OF_RETRO, f"{day:{_DAY_AND_COMMIT}}")


@dataclass(frozen=True, slots=True)
class PromptThen:
    """Somebody's prompt."""

    name: str
    ask: Ask
    is_loaded: bool

    def paths(self, session: Session) -> Collection[Path]:
        library, now = session.library, self._now(session)
        refs = {verdict.ref for verdict in now.verdicts}
        return {library.source_of(ref).path for ref in refs if library.has(ref)}

    def _now(self, session: Session) -> Prompt:
        return session.as_loaded(self.ask) if self.is_loaded else session.compose(self.ask)

    def lines(
        self, session: Session, then: Library, settings: Config, glyphs: Glyphs
    ) -> list[TextLine]:
        now = self._now(session)
        before = self._then(session, then, settings)
        entries, _ = entry_changes(then, session.library)
        tool = "loaded" if self.is_loaded else "composed"
        change = agent_change(Start(self.name, tool, before), Start(self.name, tool, now), entries)
        lines = [*_numbers(change, glyphs), *_moves(change, then, session.library), TextLine("")]
        return [*lines, *_difference(self.name, _bytes(before), _bytes(now))]

    def _then(self, session: Session, then: Library, settings: Config) -> Prompt:
        ask, counter = self.ask, session.counter
        if self.is_loaded:
            return as_loaded(then, ask, counter)
        if not ask.budget and settings.tokens.budget:
            ask = replace(ask, budget=settings.tokens.budget)
        return compose(then, ask, counter)


@dataclass(frozen=True, slots=True)
class EntryThen:
    """One entry."""

    name: str
    ref: Ref

    def paths(self, session: Session) -> Collection[Path]:
        library = session.library
        return {library.source_of(self.ref).path} if library.has(self.ref) else ()

    def lines(
        self, session: Session, then: Library, settings: Config, glyphs: Glyphs
    ) -> list[TextLine]:
        library = session.library
        if not library.has(self.ref):
            return [text_line("it has since been removed", Tone.WARN)]
        changes, _ = entry_changes(then, library)
        found = next((c for c in changes if c.after and c.after.ref == self.ref), None)
        if found is None:
            return [text_line("unchanged since then", Tone.GOOD)]
        if found.before is None or found.after is None:
            return [text_line("it did not exist then", Tone.WARN)]
        one, two = found.before, found.after
        lines = [text_line(each, Tone.STRONG) for each in _circumstances(one, two, glyphs)]
        if found.was_at is not None:
            lines.append(text_line(f"it was in {found.was_at} then", Tone.STRONG))
        lines += [TextLine("")] if lines else []
        return [*lines, *_difference(self.name, _body(then, one), _body(library, two))]


@dataclass(frozen=True, slots=True)
class FileThen:
    """One file."""

    name: str
    path: Path

    def paths(self, session: Session) -> Collection[Path]:
        return (self.path,)

    def lines(
        self, session: Session, then: Library, settings: Config, glyphs: Glyphs
    ) -> list[TextLine]:
        before, now = (_data(library, self.path) for library in (then, session.library))
        if before is None:
            return [text_line("it did not exist then", Tone.WARN)]
        return _difference(self.name, before, now or b"")


def _data(library: Library, path: Path) -> bytes | None:
    return next((source.data for source in library.sources if source.path == path), None)


def _difference(name: str, before: bytes, after: bytes) -> list[TextLine]:
    hunks = file_diff(before, after)
    if not hunks:
        return [text_line("no differences", Tone.GOOD)]
    return diff_lines([FileDiff(name, hunks)])


def _numbers(change: AgentChange, glyphs: Glyphs) -> Iterator[TextLine]:
    about = "" if change.exact else "≈"
    one, two = change.impact.tokens_before, change.impact.tokens_after
    text = f"{about}{one:,} {glyphs.arrow} {about}{two:,} tokens ({two - one:+,})"
    yield text_line(text, Tone.STRONG)


def _moves(change: AgentChange, then: Library, now: Library) -> Iterator[TextLine]:
    found = change.impact
    moves: tuple[tuple[str, Tone, Sequence[Ref]], ...] = (
        ("added", Tone.GOOD, found.added),
        ("added to prompt", Tone.GOOD, found.let_in),
        ("reworded", Tone.PLAIN, change.reworded),
        ("dropped from prompt", Tone.WARN, found.pushed_out),
        ("gone", Tone.WARN, found.removed),
    )
    for what, tone, refs in moves:
        if refs:
            names = [(now if now.has(ref) else then).short(ref) for ref in refs[:_NAMED]]
            more = [f"and {len(refs) - _NAMED:,} more"] if len(refs) > _NAMED else []
            yield span_line((Span(f"{what}  ", tone), span(", ".join((*names, *more)))))


def _circumstances(one: Entry, two: Entry, glyphs: Glyphs) -> Iterator[str]:
    if one.status is not two.status:
        yield f"{one.status.value} {glyphs.arrow} {two.status.value}"
    if one.roles != two.roles:
        yield f"for {_roles(one)} {glyphs.arrow} for {_roles(two)}"


def _roles(entry: Entry) -> str:
    return audience(entry.roles, entry.phases)


def _body(library: Library, entry: Entry) -> bytes:
    text = library.format_of(entry).reader.body(library.source_of(entry), entry)
    return text.encode("utf-8", "surrogateescape")


def _bytes(prompt: Prompt) -> bytes:
    return f"{prompt.text}\n".encode("utf-8", "surrogateescape")
