"""Who gets a rule and who misses it: rules × those who start here, with the copies that drifted.

A rule is an entry or a unit of a plain file, with all that says the same or nearly so. Read only:
it gathers starts and holds their verdicts against the one relation of texts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import cache, cached_property, lru_cache
from typing import Final, TypeAlias

from remem.base.frozen import dataclass
from remem.core.library import Library
from remem.core.prompt.agents import agents_of, as_loaded, sharing
from remem.core.prompt.counter import Counter
from remem.core.prompt.everyones_starts import ROLE, Start, agent_starts, role_starts
from remem.core.relation.alike_in_library import SHORTEST, rules_in_force, said_in_force
from remem.core.relation.already_said import whole_of
from remem.core.relation.content_words import content_words
from remem.core.relation.normal_form import Alike, Likeness, norm
from remem.core.relation.pairs import alike_texts
from remem.core.relation.relation import ALIKE
from remem.model.entry import Entry, Ref
from remem.model.prompt import Prompt

_COMPARED: Final = 4_000
"""Texts of which those that differ in a number, or negate, are looked for too."""
_HELD: Final = 64
"""Copies of one rule that are told; a text that stands oftener is a template."""
_SHARED: Final = 2
"""Content words that two copies have in common at least; numbers are none."""
_REASONS: Final = 256
_NOWHERE: Final = "none of its files has it"
_NOT_COMPOSED: Final = "its file is in no layer that roles get"
_FRONT: Final = "---\n"
"""How front matter begins, which tells a tool about a file and is no rule."""
_COMMENT: Final = ("<!--", "-->")


class How(StrEnum):
    """How somebody gets a rule."""

    START = "start"
    LATER = "later"
    """While it works: by a file that it touches."""
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class Listener:
    """Somebody who starts here: a column."""

    name: str
    tool: str
    """The tool of an agent; `role` for a role."""
    exact: bool
    """Its tokens are those that its model counts; else they carry `≈`."""


@dataclass(frozen=True, slots=True)
class Heard:
    """One copy of a rule that somebody gets."""

    ref: Ref
    layer: str
    """The file or the layer that brings it."""
    tokens: int
    joins: str = ""
    """Why it comes while they work; empty = it is there from the start."""


@dataclass(frozen=True, slots=True)
class Cell:
    """What one listener gets of one rule."""

    heard: tuple[Heard, ...] = ()
    """At the start; where nothing is there then, what comes later."""
    why: str = ""
    """Why they get none, one sentence without a full stop."""

    @property
    def how(self) -> How:
        if not self.heard:
            return How.NEVER
        return How.LATER if self.heard[0].joins else How.START

    @property
    def times(self) -> int:
        return len(self.heard)

    @property
    def tokens(self) -> int:
        return sum(each.tokens for each in self.heard)


@dataclass(frozen=True)
class Rule:
    """One rule: a row."""

    copies: tuple[Entry, ...]
    """All that says it, in the library's order."""
    texts: int
    """How many different texts they have."""
    files: int
    """In how many files they stand."""
    is_opposed: bool
    """Two of them differ in a number, or one negates."""
    is_own: bool
    """It stands in memories of named agents alone, which nobody else is meant to get."""
    cells: tuple[Cell, ...]
    """In the order of the listeners."""

    @property
    def title(self) -> str:
        return self.copies[0].title

    @property
    def drifted(self) -> bool:
        """Its copies in several files do not say the same any more."""
        return self.texts > 1 and self.files > 1

    @cached_property
    def missing(self) -> int:
        """How many get none of it."""
        return sum(cell.how is How.NEVER for cell in self.cells)


@dataclass(frozen=True, slots=True)
class Matrix:
    """Rules × those who start here."""

    listeners: tuple[Listener, ...]
    rules: tuple[Rule, ...]
    """What drifted first, then what most miss that others get; memories of named agents last."""
    is_thorough: bool
    """Texts that differ in a number, or negate, were looked for too."""

    def rule_of(self, ref: Ref) -> Rule | None:
        """Return the rule that an entry is a copy of."""
        return next((x for x in self.rules if any(e.ref == ref for e in x.copies)), None)


def who_gets(library: Library, counter: Counter, files: Sequence[str] = ()) -> Matrix:
    """Return who gets which rule that is in force.

    Args:
        library: Whose rules and agents.
        counter: Counts tokens.
        files: What agents may work on, below the root; without any nothing comes later.
    """
    found = [*_starts(library, counter, files)]
    listeners = tuple(Listener(s.name, s.tool, s.prompt.exact) for s, _ in found)
    heard = [(start.tool == ROLE, *_heard(start.prompt, later)) for start, later in found]
    said = said_in_force(library, shortest=1)
    is_thorough = sum(map(len, said)) <= _COMPARED
    alike = tuple(map(_alike, said)) if is_thorough else _same(library)
    places = {source.path: place for place, source in enumerate(library.sources)}
    rules = [
        _rule(library, group, heard, is_opposed)
        for texts, pairs in zip(said, alike, strict=True)
        for group, is_opposed in _groups(library, texts, pairs)
        if not _is_no_rule(library, group[0])
    ]
    rules.sort(key=lambda rule: places[library.source_of(rule.copies[0]).path])
    rules.sort(key=_rank)
    return Matrix(listeners, tuple(rules), is_thorough)


def _is_no_rule(library: Library, entry: Entry) -> bool:
    """Tell what a tool or a writer is told: front matter, and a comment that stands alone."""
    if entry.title.startswith(_FRONT):
        return True
    said = whole_of(library, entry).strip() if entry.title.startswith(_COMMENT[0]) else ""
    return said.endswith(_COMMENT[1]) and said.count(_COMMENT[1]) == 1


def _rank(rule: Rule) -> tuple[bool, bool, bool, int]:
    got = len(rule.cells) - rule.missing
    return not rule.drifted, rule.is_own, not (rule.missing and got), -rule.missing


def _starts(
    library: Library, counter: Counter, files: Sequence[str]
) -> Iterator[tuple[Start, Prompt | None]]:
    """Yield everybody's start, and what agents that load files have after working on all.

    A role for which nothing is composed is left out where an agent is called like it.
    """
    named = {""}
    among = sharing(library, counter)
    asks = {(who.tool, who.name): who.ask for who in agents_of(library)}
    for start in agent_starts(library, counter):
        ask = asks.get((start.tool, start.name))
        later = None
        if ask is not None and files and start.prompt.as_loaded:
            asked = replace(ask, files=tuple(files))
            later = as_loaded(library, asked, counter, among)
        named.add(start.name.casefold())
        yield start, later
    for start in role_starts(library, counter, library.role_names() or ("",)):
        is_agent = start.name.casefold() in named
        if not is_agent or any(verdict.is_in for verdict in start.prompt.verdicts):
            yield start, None


_Known: TypeAlias = tuple[bool, dict[Ref, Heard], dict[Ref, str]]
"""Whether it is a role; what it gets, by ref; and why not, by ref."""


def _heard(start: Prompt, later: Prompt | None) -> tuple[dict[Ref, Heard], dict[Ref, str]]:
    got: dict[Ref, Heard] = {}
    out: dict[Ref, str] = {}
    for verdict in start.verdicts:
        if verdict.is_in:
            got[verdict.ref] = Heard(verdict.ref, verdict.layer, verdict.tokens)
        elif verdict.ref not in out:
            out[verdict.ref] = verdict.detail
    if later is None:
        return got, out
    joins = {layer.name: layer.joins.why for layer in later.joined if layer.joins is not None}
    for verdict in later.verdicts:
        if verdict.is_in and verdict.ref not in got and verdict.layer in joins:
            why = joins[verdict.layer]
            got[verdict.ref] = Heard(verdict.ref, verdict.layer, verdict.tokens, why)
    return got, out


def _groups(
    library: Library, said: Mapping[str, Sequence[Entry]], alike: Mapping[tuple[str, str], Alike]
) -> Iterator[tuple[tuple[Entry, ...], bool]]:
    """Yield the copies of each rule, and whether two of them may say opposite things.

    Each copy is like the first one: what is only like another copy may be about something else.
    What differs in a number or negates is a copy only where it lies in another file: in one file
    it is another rule.
    """
    places = {form: {library.source_of(e).path for e in entries} for form, entries in said.items()}
    likes: dict[str, set[str]] = {}
    for one, two in alike:
        likes.setdefault(one, set()).add(two)
        likes.setdefault(two, set()).add(one)
    contrary = {pair for pair, each in alike.items() if each is Alike.CONTRADICTION}

    def is_another(form: str, other: str) -> bool:
        opposed = (form, other) in contrary or (other, form) in contrary
        return opposed and not places[form].isdisjoint(places[other])

    first_of: dict[str, str] = {}
    copies: dict[str, list[str]] = {}
    order = {form: place for place, form in enumerate(said)}
    for form in said:
        near = sorted(likes.get(form, set()) & copies.keys(), key=order.__getitem__)
        found = (x for x in near if not any(is_another(form, each) for each in copies[x]))
        first_of[form] = first = next(found, form)
        copies.setdefault(first, []).append(form)
    opposed = {first_of[one] for one, two in contrary if first_of[one] == first_of[two]}
    for first, forms in copies.items():
        group = [entry for form in forms for entry in said[form]]
        yield tuple(group[:_HELD]), first in opposed


def _alike(said: Mapping[str, Sequence[Entry]]) -> Mapping[tuple[str, str], Alike]:
    forms = [form for form in said if len(form) >= SHORTEST]
    return _copies((forms[a], forms[b], each) for (a, b), each in alike_texts(forms).items())


def _same(library: Library) -> tuple[Mapping[tuple[str, str], Alike], ...]:
    """Return the pairs of a large library: those that say nearly the same, which are kept."""
    texts = rules_in_force(library)
    return tuple(_copies((*pair, like) for pair, like in each.alike.items()) for each in texts)


def _copies(pairs: Iterable[tuple[str, str, Likeness]]) -> dict[tuple[str, str], Alike]:
    """Return the pairs that are one rule in two wordings.

    Two that may contradict can share no more than their subject, and two that are similar no more
    than a word: these are told elsewhere, and neither is a copy.
    """

    @cache
    def words(form: str) -> frozenset[str]:
        return frozenset(word for word in content_words(form) if not word[0].isdigit())

    def is_one_rule(one: str, two: str, likeness: Likeness) -> bool:
        if likeness.alike is Alike.CONTRADICTION and likeness.ratio < ALIKE:
            return False
        mine, theirs = words(one), words(two)
        shared = len(mine & theirs)
        return shared >= _SHARED and shared > min(len(mine), len(theirs)) / 2

    return {(one, two): like.alike for one, two, like in pairs if is_one_rule(one, two, like)}


def _rule(
    library: Library, group: tuple[Entry, ...], heard: Sequence[_Known], is_opposed: bool
) -> Rule:
    return Rule(
        copies=group,
        texts=len({norm(whole_of(library, entry)) for entry in group}),
        files=len({library.source_of(entry).path for entry in group}),
        is_opposed=is_opposed,
        is_own=all(library.source_of(entry).owner for entry in group),
        cells=tuple(_cell(group, *each) for each in heard),
    )


def _cell(
    group: Sequence[Entry], is_role: bool, got: Mapping[Ref, Heard], out: Mapping[Ref, str]
) -> Cell:
    mine = [got[entry.ref] for entry in group if entry.ref in got]
    first = [each for each in mine if not each.joins] or mine
    nowhere = _NOT_COMPOSED if is_role else _NOWHERE
    if not mine:
        return _none(next((out[entry.ref] for entry in group if entry.ref in out), nowhere))
    return Cell(tuple(first))


@lru_cache(maxsize=_REASONS)
def _none(why: str) -> Cell:
    """Return what somebody gets who gets none: most cells of a large matrix, for a few reasons."""
    return Cell(why=why)
