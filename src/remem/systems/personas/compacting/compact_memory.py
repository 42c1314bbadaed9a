"""Plans the compaction of a persona's memory: few lines in place of many, the old text archived.

Each proposed line stands for the old units that it is traced to. One that is not accepted leaves
them as they are; a unit that no line stands for goes to the archive alone, unless it is kept.
Nothing is ever condensed here: the lines come from a model or a person, and are untrusted.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Final

from remem.base.errors import Already, NotPossible, Refused
from remem.base.frozen import dataclass
from remem.base.text import count
from remem.core.agent.consult import Question
from remem.core.draft import all_touched
from remem.core.library import Library
from remem.core.no_text_lost import need_kept
from remem.core.prompt.counter import Estimate
from remem.core.relation.subject import InForce, Standing
from remem.core.settings import Compaction
from remem.model.change import Change, Create, Intent, Splice
from remem.model.layout import Part
from remem.model.roles import persona_key
from remem.systems.personas.compacting.archive_sections import day_of
from remem.systems.personas.compacting.compact_answer import (
    Condensed,
    Target,
    compaction_prompt,
    read_condensed,
)
from remem.systems.personas.compacting.compact_trace import Traced, Verdict, trace
from remem.systems.personas.compacting.compacted_file import (
    NewLine,
    OldUnit,
    Region,
    archived,
    compacted,
    line_count,
    older,
    parts_of,
    region_of,
    section,
)
from remem.systems.personas.lessons.reflection import Whose, whose
from remem.systems.personas.memory_files.where_units_go import section_named
from remem.systems.personas.moving.several_personas import plan_in_turn
from remem.systems.personas.source import LESSON, PersonaSource, persona_sources

if TYPE_CHECKING:
    from remem.systems.personas.persona_verbs import PersonaCompact

_TARGET: Final = 50
_TARGET_OF_WORKING: Final = 60
"""Lines of a compacted `working.md` (FORMATS 3.3)."""


@dataclass(frozen=True, slots=True)
class Proposed:
    """What a compaction would make of a memory."""

    region: Region
    lines: tuple[Traced, ...]

    @property
    def dropped(self) -> tuple[int, ...]:
        """Indexes of the old units that no line stands for."""
        stood_for = {unit for line in self.lines for unit in line.units}
        return tuple(i for i in range(self.region.count) if i not in stood_for)

    def chosen(self, accept: Collection[int] | None = None) -> tuple[int, ...]:
        """Return the numbers of the lines that are accepted: those named, else the sound ones."""
        everything = range(len(self.lines))
        if accept is None:
            return tuple(i for i in everything if self.lines[i].verdict.is_taken)
        return tuple(i for i in everything if i in accept)

    def united(self) -> tuple[int, int] | None:
        """Return two units on one subject that a sound line makes one; `None` = there are none.

        One of them may say the opposite of the other, which no count of words tells.
        """
        texts = self.region.texts
        for number in self.chosen():
            units = sorted(self.lines[number].units)
            together = InForce(Standing(unit, LESSON, texts[unit]) for unit in units)
            for unit in units:
                others = together.against(LESSON, texts[unit])
                if others:
                    return unit, others[0].key
        return None

    def stays(self, chosen: Collection[int], keep: Collection[int] = ()) -> tuple[int, ...]:
        """Return the units that stay as they are: kept ones, and those of lines not accepted."""
        accepted = {unit for i in chosen for unit in self.lines[i].units}
        refused = (line for i, line in enumerate(self.lines) if i not in chosen)
        others = {unit for line in refused for unit in line.units}
        return tuple(sorted((others - accepted) | {i for i in keep if i < self.region.count}))

    def sum(self, chosen: Collection[int], keep: Collection[int] = ()) -> Sum:
        """Put every unit of the region into one of three classes."""
        accepted = [self.lines[i] for i in chosen]
        same = {line.units[0] for line in accepted if line.verdict is Verdict.KEPT}
        kept = same | set(self.stays(chosen, keep))
        others = [line for line in accepted if line.verdict is not Verdict.KEPT]
        traced = {unit for line in others for unit in line.units} - kept
        total = self.region.count
        archived_only = [i for i in range(total) if i not in kept and i not in traced]
        return Sum(total, len(kept), len(traced), len(others), len(archived_only))


@dataclass(frozen=True, slots=True)
class Sum:
    """How the units of a compacted memory add up."""

    units: int
    kept: int
    """Word for word."""
    traced: int
    """Stand behind an accepted line."""
    lines: int
    """Accepted lines that stand for others."""
    archived: int
    """Stand in the archive alone."""

    def told(self, archive: str) -> str:
        joined = f" + {self.traced:,} in {count(self.lines, 'line')}" if self.lines else ""
        left = f" + {self.archived:,} only in {archive}"
        return f"units {self.units:,} = {self.kept:,} kept{joined}{left}"


def offered(source: PersonaSource, above: Compaction) -> str:
    """Return why it is offered to compact a memory, as a clause; empty = it is short enough."""
    lines = line_count(source.data)
    if lines > above.lines:
        return f"{lines:,} lines (limit {above.lines:,})"
    if above.tokens:
        tokens = Estimate().count(source.data.decode("utf-8", "replace"))
        if tokens > above.tokens:
            return f"≈{tokens:,} tokens (limit {above.tokens:,})"
    return ""


def target_for(source: PersonaSource, settings: Compaction) -> Target:
    """Return how long a memory may be after its compaction."""
    own = _TARGET_OF_WORKING if source.part == Part.WORKING else _TARGET
    return Target(settings.target or own)


@dataclass(frozen=True, slots=True)
class Portion:
    """A part of a memory that one question is about."""

    region: Region
    target: Target
    about: str
    """`part 2 of 6`; empty where it is the only one."""


def parts_for(region: Region, settings: Compaction) -> tuple[Portion, ...]:
    """Return the parts in which a region is asked about, each with what may be left of it.

    What may be left of a long memory is shared out by how many units each part has. Where nobody
    said how much that is, all parts together stay below the length at which it is offered again.
    """
    whole = target_for(region.source, settings)
    parts = parts_of(region)
    if len(parts) == 1:
        return (Portion(region, whole, ""),)
    wanted = whole.bullets if settings.target else max(whole.bullets, settings.lines * 4 // 5)
    return tuple(
        Portion(
            part, _share(wanted * part.count // region.count, whole), f"part {n} of {len(parts)}"
        )
        for n, part in enumerate(parts, 1)
    )


def _share(bullets: int, whole: Target) -> Target:
    lines = min(max(bullets, 1), whole.bullets)
    return Target(lines, lines)


def first_parts(region: Region, many: int) -> Region:
    """Return the first parts of a region as one."""
    parts = parts_of(region)[:many]
    units = sum(part.count for part in parts)
    return replace(region, end=parts[-1].end, count=units)


def questions_for(
    found: Whose, region: Region, settings: Compaction
) -> tuple[Question[Condensed], ...]:
    """Return what a persona is asked about a memory, part by part."""
    role = found.persona.title or ", ".join(found.persona.roles)
    return tuple(
        Question(
            compaction_prompt(found.persona.name, role, part.region, part.target, part.about),
            partial(read_condensed, target=part.target),
            part.about,
        )
        for part in parts_for(region, settings)
    )


def joined(answers: Sequence[Condensed]) -> Condensed:
    """Return the answers to all parts as one."""
    lines = dict.fromkeys(line for each in answers for line in each.lines)
    return Condensed(tuple(lines), tuple(dict.fromkeys(n for each in answers for n in each.notes)))


def topic_name(source: PersonaSource) -> str:
    """Return how a file on one topic is called below its persona's folder; empty for no such."""
    return source.name.partition("/")[2] if source.part == Part.TOPIC else ""


def memory_or_topic(library: Library, found: Whose, topic: str) -> PersonaSource | None:
    """Return the file that is to be compacted: the memory, or the named one on a topic.

    Raises:
        NotPossible: The persona has no file on that topic there.
    """
    if not topic:
        return found.memory
    topics = [
        source
        for source in persona_sources(library.of_format("persona"))
        if source.part == Part.TOPIC
        and persona_key(source.owner) == persona_key(found.persona.name)
        and source.layout == found.layout
        and not source.archived
    ]
    for source in topics:
        if topic in (topic_name(source), topic_name(source).removesuffix(".md")):
            return source
    names = ", ".join(f"`{topic_name(source)}`" for source in topics) or "none"
    raise NotPossible(
        f"`{found.persona.name}` has no topic file `{topic}`", hint=f"its topic files: {names}"
    )


def compactable(
    library: Library,
    persona: str,
    layout: str = "",
    *,
    above: Compaction | None = None,
    topic: str = "",
    before: str = "",
    below: str = "",
) -> Region:
    """Return what of a persona's memory can be compacted now.

    Args:
        library: Where it remembers.
        persona: Whose memory.
        layout: Where several keep one of that name.
        above: The threshold; `None` = it was crossed before.
        topic: The file on one topic, below the persona's folder; empty = its memory.
        before: Only sections at the top that are dated before this day: `2026-03-01`.
        below: Only what stands below the heading with this title.

    Raises:
        UnknownRef: Nobody is called that, or there is no such heading.
        NotPossible: It has no memory, or one that is short enough.
    """
    found = whose(library, persona, layout)
    memory = memory_or_topic(library, found, topic)
    if memory is None:
        raise NotPossible(
            f"`{found.persona.name}` has no memory in this project",
            hint="`remem persona show` lists its files",
        )
    if above is not None and not offered(memory, above):
        lines = count(line_count(memory.data), "line")
        raise NotPossible(
            f"`{memory.name}` has {lines} (limit {above.lines:,}): it is short enough",
            hint=f"`remem persona compact {found.persona.name} --lines N` compacts a shorter one"
            f"{_elsewhere(library, found)}",
        )
    region = region_of(memory)
    if below:
        region = section(region, section_named(memory, below))
    return older(region, day_of(before)) if before else region


def _elsewhere(library: Library, found: Whose) -> str:
    """Return the options that name the persona's memories of other layouts, as a clause."""
    key = persona_key(found.persona.name)
    other = [
        f"`--layout {source.layout}` for another memory of {source.owner}"
        for source in persona_sources(library.of_format("persona"))
        if source.part == Part.MAIN
        and persona_key(source.owner) == key
        and source.layout != found.layout
        and not source.archived
    ]
    return "".join(f", {each}" for each in other)


def propose(region: Region, lines: Sequence[str]) -> Proposed:
    """Return what a compaction to these lines would make of a region."""
    return Proposed(region, _traced(tuple(lines), region.texts))


@lru_cache(maxsize=4)
def _traced(lines: tuple[str, ...], texts: tuple[str, ...]) -> tuple[Traced, ...]:
    return trace(lines, texts)


def plan_compact(library: Library, intent: Intent, args: PersonaCompact) -> Change:
    """Plan to put lines in the place of a persona's memory, and its old text into the archive.

    Args:
        library: Where it remembers.
        intent: What asks for it.
        args: Whose memory, what was looked at of it, and what was answered.

    Raises:
        UnknownRef: Nobody is called that.
        NotPossible: There is nothing to put in its place.
        ChangedOnDisk: The memory reads otherwise than it was looked at.
        Refused: The files would be read otherwise, or the units do not add up.
    """
    found = whose(library, args.persona, args.layout)
    memory = memory_or_topic(library, found, args.topic)
    if memory is None or not args.lines:
        raise NotPossible(
            "no new lines to replace the old ones",
            hint=(
                "`remem persona compact NAME` asks the agent for them; `--answer FILE` passes yours"
            ),
        )
    proposed = propose(region_of(memory, args.base), args.lines)
    region = proposed.region
    chosen = proposed.chosen(args.accept)
    keep = [each for each in args.keep if each >= 0]
    if not chosen:
        raise NotPossible(
            "no line of the answer was accepted",
            hint="`--accept LINES` takes lines all the same; `--anew` asks the agent again",
        )
    stays = proposed.stays(chosen, keep)
    splice = compacted(region, _pieces(proposed, chosen, stays))
    if splice.new == splice.old:
        raise Already("no change is needed", hint="the memory already has this text")
    archive = archived(region, library.ground.given.clock.today().isoformat())
    sums = proposed.sum(chosen, keep)
    _prove(region, archive, sums)
    after = memory.data[: splice.start] + splice.new + memory.data[splice.end :]
    effects = (archive, splice)
    need_kept(library, effects)
    before, told = line_count(memory.data), sums.told(archive.path.name)
    return Change(
        intent,
        f"Compact {found.persona.name}'s {topic_name(memory) or 'memory'}",
        effects,
        touched=all_touched(library, effects, {}),
        receipt=f"{told} · lines {before:,} → {line_count(after):,} · 0 lost",
        notes=tuple(_notes(proposed, chosen, memory)),
    )


def plan_compact_all(
    library: Library, intent: Intent, memories: Sequence[PersonaCompact]
) -> Change:
    """Plan to condense several memories in one change, each as `plan_compact` does.

    Raises:
        NotPossible: There is none, or one has no lines to put in its place.
        Refused: The files would be read otherwise, or the units do not add up.
    """
    if not memories:
        raise NotPossible("no memory to compact", hint="name at least one persona")

    def planned(args: PersonaCompact) -> Callable[[Library], Change]:
        return lambda now: plan_compact(now, intent, args)

    title = f"Compact {count(len(memories), 'memory', 'memories')}"
    return plan_in_turn(library, intent, [planned(args) for args in memories], title)


def _pieces(
    proposed: Proposed, chosen: Sequence[int], stays: Collection[int]
) -> Iterator[NewLine | OldUnit]:
    """Yield accepted lines in the order of the answer, then what stays in that of the file."""
    written: set[int] = set()
    for number in chosen:
        line = proposed.lines[number]
        if line.verdict is not Verdict.KEPT:
            yield NewLine(line.text)
        elif line.units[0] not in written:
            written.add(line.units[0])
            yield OldUnit(line.units[0])
    for unit in stays:
        if unit not in written:
            yield OldUnit(unit)


def _prove(region: Region, archive: Create | Splice, sums: Sum) -> None:
    """Refuse a compaction of which anything would be lost (DESIGN §3.2)."""
    held = archive.data if isinstance(archive, Create) else archive.new
    if region.raw not in held or sums.kept + sums.traced + sums.archived != sums.units:
        raise Refused("the units do not add up, so nothing is written")


def _notes(proposed: Proposed, chosen: Sequence[int], memory: PersonaSource) -> Iterator[str]:
    out = [i for i in range(len(proposed.lines)) if i not in chosen]
    invented = [i for i in out if proposed.lines[i].verdict is Verdict.INVENTED]
    if invented:
        yield f"{count(len(invented), 'line')} not found in the memory and left out"
    if len(out) > len(invented):
        yield f"{count(len(out) - len(invented), 'line')} not accepted; the old lines stay"
    for i in chosen:
        line = proposed.lines[i]
        if line.verdict is Verdict.INVENTED:
            yield f"`{line.text[:60]}` replaces no old line"
        elif line.verdict is Verdict.DOUBTFUL:
            yield f"`{line.text[:60]}`: {line.doubt}"
    if proposed.region.end < len(memory.data):
        rest = line_count(memory.data[proposed.region.end :])
        yield f"{count(rest, 'line')} added since stay as they are"
