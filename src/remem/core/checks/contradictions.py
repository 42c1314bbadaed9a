"""Rules of files that agents load and that possibly conflict with each other.

Two entries of a store that do so are a pair, and Health settles them; files that tools load by
themselves have no pairs, and are compared here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from typing import Final, TypeAlias

from remem.base.lazy_pattern import lazy_pattern
from remem.core.checks.issue import Issue
from remem.core.checks.surroundings import Surroundings, are_beside_each_other
from remem.core.library import Library
from remem.core.prompt.counter import Estimate
from remem.core.prompt.everyones_starts import agent_starts
from remem.core.relation.certain import certain_conflict
from remem.core.relation.comparable_text import ASKS, LIGHT, about
from remem.core.relation.normal_form import Alike, norm
from remem.core.relation.oppositions import NOT
from remem.core.relation.pairs import kinds_of_pairs, pairs_among
from remem.core.relation.relation import By
from remem.core.relation.told_once import asks
from remem.core.waiting.rejected import kept_both
from remem.model.entry import Entry, FileSpan, Problem, Ref, Status
from remem.model.memo import kept_together
from remem.model.source import LoaderKind, Source, SourceKind

CONTRADICTION: Final = "contradiction"
BESIDE: Final = "beside"
"""Argument of what is found: the ref of the entry that it conflicts with."""
_NAMED: Final = 3
"""Tools that are named which load both."""
_LOADED: Final = frozenset({LoaderKind.WHOLE, LoaderKind.HEAD, LoaderKind.TAIL, LoaderKind.ENDS})
_MOST: Final = 1_500
"""Entries that are compared; of more nothing is told."""
_LONG: Final = 400
"""Characters of a text that still is one rule."""
_PAGES: Final = ("```", "~~~", "|", "---")
"""How an example begins, a table, or front matter: what they say is not one rule, and depends on
where they say it."""
_LITERAL: Final = re.compile(r"\W*`[\w-]+\s*[:=]\s*[\[{(][^`]*`\W*")
"""A setting with a list, whole: of what it is set stands above it."""
_REPORT: Final = re.compile(
    r"\W*(?:(?:bug|defect|issue)[-\w]*\s?#?\d+|root cause|symptoms?|problem|bug|defect)\W*[:–—]",
    re.IGNORECASE,
)
"""How what went wrong begins: it says how something is, and not how it has to be."""
_PIECE: Final = re.compile(r"\W*not (?:the|an?|every|just|only|from|in|on)\b", re.IGNORECASE)
"""The rest of a sentence that began above: `NOT the whole output`."""
_CODE_ALONE: Final = re.compile(r"\W*`[^`\n]+`\W*")
"""Code and no word of what is to be done with it."""
_ASIDE: Final = re.compile(r"[\s_*]*\([^()]*\)[\s_*.]*")
"""All in brackets: it stands in for something, or speaks of what stands above."""
_NAME: Final = re.compile(r"\s*(?:\*\*|__)[^\W\d_]+(?:\*\*|__)\s*")
"""One word in bold: the heading of what stands below."""
_GOES_ON: Final = re.compile(r"\s*(?:of|and|or|but|which|than)\b")
"""The rest of a sentence that began above. Other small letters tell nothing: people write so."""
_TITLE: Final = re.compile(r"\W*(?:[A-Z]\w*\W+){1,3}[A-Z]\w*\W*")
"""A few words with capitals: the title of something that stands elsewhere."""
_ONE_CASE: Final = 0.5
"""Share of the words of the shorter condition from which on two are the same case."""
_COPIES: Final = 8
"""Places of one rule that are looked at: any of them may stand beside what it conflicts with."""
_SERIES: Final = 3
"""Others that a rule conflicts with; what differs from more is one of a numbered series."""

_BEGINS: Final = re.compile(r"^\W*(?:\w{1,2}[.)]\W+)?")
"""What may stand before the words of a line: `**3. `."""
Around: TypeAlias = Callable[[Path], Surroundings]
_CASE: Final = lazy_pattern(
    r"[\s*_>]*([^→]{1,120}(?=→)"
    r"|(?:if|when|whenever|unless|once|while|before|after|in case|only)\b[^,:]*)",
    re.IGNORECASE,
)
"""A condition at the beginning of a rule, `If it is approved, …`, or a branch, `**No** → Init`."""
_STEP: Final = lazy_pattern(rb"[ \t]*\d+[.)][ \t]")


def opposed_issues(library: Library) -> Iterator[Issue]:
    """Yield each rule that possibly conflicts with one before it."""
    known = kinds_of_pairs(library)
    sources = tuple(source for source in library.sources if _is_loaded(source))
    is_kept = kept_both(library.sources)
    loading: Mapping[str, frozenset[Ref]] | None = None
    for seconds, firsts in _opposed(sources, known):
        twos = [library.entry(each) for each in seconds]
        ones = [library.entry(each) for each in firsts]
        if is_kept is not None:
            ones = [each for each in ones if not is_kept(each.title, twos[0].title)]
        if not ones:
            continue
        loading = loading or _loading(library)
        # What one agent is told twice comes before what two agents are told each.
        among = loading
        one, two = max(
            product(ones, twos), key=lambda pair: len(_loads(among, pair[0].ref, pair[1].ref))
        )
        first, second = one.ref, two.ref
        who = _told(_loads(loading, first, second))
        name, other = library.short(second), library.short(first)
        line = _line(library.source_of(two), two)
        message = f"`{name}`: possible conflict with `{other}`: {two.title}"
        because = why_opposed(one, two)
        reason = f"{because}; " if because else ""
        hint = f"{who}; {reason}reword the wrong one, or keep both; `{other}`: {one.title}"
        problem = Problem(CONTRADICTION, message, hint, library.source_of(two).path, line)
        yield Issue(problem, second, arguments={BESIDE: str(first)})


def why_opposed(one: Entry, other: Entry) -> str:
    """Return which words of two rules conflict, in one clause; empty where none was named."""
    found = certain_conflict(one.title, other.title)
    return found.because if found is not None else ""


def _loading(library: Library) -> Mapping[str, frozenset[Ref]]:
    """Return what each tool or agent loads at its start, by its name."""
    loaded: dict[str, frozenset[Ref]] = {}
    for start in agent_starts(library, Estimate()):
        refs = frozenset(each.ref for each in start.prompt.verdicts if each.is_in)
        loaded[start.name] = loaded.get(start.name, frozenset()) | refs
    return loaded


def _loads(loading: Mapping[str, frozenset[Ref]], one: Ref, other: Ref) -> list[str]:
    return [name for name, refs in loading.items() if one in refs and other in refs]


def _told(names: Sequence[str]) -> str:
    if not names:
        return "no agent loads both, so agents are told different things"
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"{', '.join(names[:_NAMED])}{more} {'loads' if len(names) == 1 else 'load'} both"


def _is_loaded(source: Source) -> bool:
    is_memory = source.kind is SourceKind.MEMORY and not source.archived
    return is_memory and source.loader.kind in _LOADED


@kept_together
def _opposed(
    sources: tuple[Source, ...], known: tuple[str, ...]
) -> tuple[tuple[tuple[Ref, ...], tuple[Ref, ...]], ...]:
    """Return each rule with those before it that it possibly conflicts with, all copies of both.

    Sources are compared by identity: what did not change is not compared again.
    """
    entries: list[Entry] = []
    for source in sources:
        entries += [each for each in source.entries if _is_rule(each) and each.kind not in known]
        if len(entries) > _MOST:
            return ()
    where = frozenset(source.repository for source in sources)
    alike = pairs_among(entries, (CONTRADICTION, where))
    copies = {p.first.ref: [p.first.ref] for p in alike}
    for pair in alike:
        if pair.likeness.alike is Alike.EXACT and len(copies[pair.first.ref]) < _COPIES:
            copies[pair.first.ref].append(pair.second.ref)
    owners = {source.path: source.owner for source in sources}
    opposed = [(p.first, p.second) for p in alike if p.is_contradiction]
    opposed = [each for each in opposed if not _are_of_themselves(owners, *each)]
    opposed = [(a, b) for a, b in opposed if not _are_cases(a.title, b.title)]
    texts = {source.path: source.data for source in sources}
    around = cache(lambda path: Surroundings(texts[path]))
    opposed = [each for each in opposed if not _are_branches(texts, around, *each)]
    pairs = [(a.ref, b.ref) for a, b in opposed if _are_against(around, a, b)]
    others = Counter(ref for pair in pairs for ref in pair)
    found: dict[Ref, tuple[Ref, ...]] = {}
    for first, second in pairs:
        if min(others[first], others[second]) <= _SERIES:
            found[second] = (*found.get(second, ()), *copies[first])
    return tuple((tuple(copies.get(second, (second,))), firsts) for second, firsts in found.items())


def _are_against(around: Around, first: Entry, second: Entry) -> bool:
    """Tell whether a conflict is certain, read with what stands around both."""
    found = certain_conflict(first.title, second.title)
    if found is None:
        return False
    one, two = first.at, second.at
    if not (isinstance(one, FileSpan) and isinstance(two, FileSpan)):
        return True
    mine, theirs = around(one.path), around(two.path)
    if mine.goes_on(one.start) or theirs.goes_on(two.start):
        return False
    # Of `Never:` and its item against the opposite of the item both say the same.
    if mine.is_forbidden(one.start, first.title) != theirs.is_forbidden(two.start, second.title):
        return False
    # What does not work, and that it has to, is one plan.
    if (mine.is_wrong(one.start) and theirs.is_open(two.start)) or (
        mine.is_open(one.start) and theirs.is_wrong(two.start)
    ):
        return False
    if mine.is_dated(one.start, first.title) and theirs.is_dated(two.start, second.title):
        return asks(first.title) and asks(second.title)
    if found.by not in (By.VALUED, By.NAMED) or one.path != two.path:
        return True
    return not are_beside_each_other(mine.headings(one.start), theirs.headings(two.start))


def _are_branches(texts: Mapping[Path, bytes], around: Around, first: Entry, second: Entry) -> bool:
    """Tell whether two rules are parts of one procedure: each holds in its own case, or turn.

    `If it is approved, …` and `If it is rejected, …` of one file do not conflict, nor do steps of
    its numbered lists; a list below `If it is approved:` is of that case. With the same condition,
    or in two files, they may.
    """
    one, two = first.at, second.at
    if not (isinstance(one, FileSpan) and isinstance(two, FileSpan) and one.path == two.path):
        return False
    mine = _condition(first.title) or _condition_above(around(one.path).lead(one.start))
    theirs = _condition(second.title) or _condition_above(around(two.path).lead(two.start))
    if mine or theirs:
        return mine != theirs
    return all(_STEP.match(texts[each.path], each.start) for each in (one, two))


def _are_of_themselves(owners: Mapping[Path, str], first: Entry, second: Entry) -> bool:
    """Tell whether two memories say the same, each of its own persona: `Hill is ready for work`.

    Or what each did with the other one: `paired with Vega`, and `paired with Hill`; or two files of
    one name, each of its own folder: `for whoever works in core/`.
    """
    one, two = first.at, second.at
    if not (isinstance(one, FileSpan) and isinstance(two, FileSpan)):
        return False
    people = [owners.get(each.path, "") or _part_of(each.path, owners) for each in (one, two)]
    if not all(people) or one.path == two.path:
        return False
    own, other = map(re.escape, people)
    told = []
    for each, me, you in ((first, own, other), (second, other, own)):
        name = rf"(?i)(?<!\w)(?:{me}|(?<=with ){you}|(?<=mit ){you})(?!\w)"
        told.append(norm(re.sub(name, "", each.title)))
    return told[0] == told[1]


def _part_of(path: Path, files: Iterable[Path]) -> str:
    """Return the folder that a file is of, where another file of its name is of another one."""
    is_of_many = any(each.name == path.name and each.parent != path.parent for each in files)
    return path.parent.name if is_of_many else ""


def _are_cases(one: str, other: str) -> bool:
    """Tell whether each of two rules is of a case of its own, wherever it stands."""
    mine, theirs = (about(_condition(each)) for each in (one, other))
    return bool(mine and theirs) and len(mine & theirs) < _ONE_CASE * min(len(mine), len(theirs))


def _condition(text: str) -> str:
    """Return the case in which alone a rule holds, in normal form; empty = always."""
    found = _CASE.match(text)
    return norm(found[1]) if found is not None else ""


def _condition_above(lead: str) -> str:
    """Return the case that the line names which a list stands below, as `_condition` does."""
    text = _BEGINS.sub("", lead)
    return _condition(text) if text.rstrip(" *_`").endswith(":") else ""


def _is_rule(entry: Entry) -> bool:
    is_comment = entry.title.lstrip().startswith("<!--")
    is_page = entry.title.lstrip().startswith(_PAGES)
    # What a lead-in says stands below it, and a question of a checklist says nothing.
    is_lead_in = entry.title.rstrip(" *_`").endswith((":", "?", "？"))
    is_short = len(entry.title) <= _LONG
    if entry.status is not Status.ACTIVE or not is_short or _is_fragment(entry.title):
        return False
    return not (is_comment or is_page or is_lead_in)


def _is_fragment(text: str) -> bool:
    """Tell whether a text says something only by what stands above it or elsewhere."""
    if _LITERAL.fullmatch(text) or _REPORT.match(text) or _PIECE.match(text):
        return True
    if _GOES_ON.match(text) or any(each.fullmatch(text) for each in (_CODE_ALONE, _ASIDE, _NAME)):
        return True
    return _TITLE.fullmatch(text) is not None and not _tells(text)


def _tells(text: str) -> bool:
    """Tell whether a title asks for something, or turns something down: `Keep Functions Small`."""
    words = re.findall(r"\w+", text.casefold())
    return words[0] in ASKS | LIGHT or not NOT.isdisjoint(words) or any(map(str.isdigit, text))


def _line(source: Source, entry: Entry) -> int:
    return source.data.count(b"\n", 0, getattr(entry.at, "start", 0)) + 1
