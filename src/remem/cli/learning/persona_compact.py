"""The command `persona compact`: few lines in place of a long memory, each shown with its trace."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import click

from remem.base.errors import NotPossible, RememError
from remem.base.text import count
from remem.cli.apply_or_dry_run import carry_out, print_diff
from remem.cli.ask_agent import answers_of, consulted, need_one_way, prompt_only_option
from remem.cli.failure import BadUsage
from remem.cli.find_named import shown_path
from remem.cli.invocation import Invocation
from remem.cli.out import emit, print_exact, say, show_text
from remem.cli.verb_command import command_of
from remem.core.agent.consult import Question, how_many_are_kept
from remem.core.relation.in_force import unread_settings
from remem.core.settings import Compaction
from remem.model.change import Change, Intent, Json
from remem.store.changes.hunks import unified
from remem.systems.personas.compacting.compact_answer import Condensed
from remem.systems.personas.compacting.compact_memory import (
    Proposed,
    compactable,
    first_parts,
    joined,
    offered,
    propose,
    questions_for,
    topic_name,
)
from remem.systems.personas.compacting.compact_trace import Traced, Verdict
from remem.systems.personas.compacting.compacted_file import Region, region_of
from remem.systems.personas.lessons.reflection import Whose, whose
from remem.systems.personas.persona_verbs import PERSONA_COMPACT, PERSONAS_COMPACT, PersonaCompact
from remem.views.documents.people import (
    NewLineReport,
    OldLineReport,
    PersonaCompactReport,
    PersonaPromptReport,
    PersonasCompactReport,
)

_ALL: Final = "all"
_RANGE: Final = re.compile(r"(\d{1,6})(?:-(\d{1,6}))?")
_COLOURS: Final = {Verdict.INVENTED: "red", Verdict.DOUBTFUL: "yellow"}


_first = {
    "others": click.argument("others", nargs=-1, metavar="[NAME]..."),
    "lines": click.option(
        "--lines", type=click.IntRange(0), metavar="N", help="Compact only above this many lines."
    ),
    "tokens": click.option(
        "--tokens", type=click.IntRange(0), metavar="N", help="Or above this many tokens."
    ),
    "target": click.option(
        "--target", type=click.IntRange(1), metavar="N", help="Target number of lines."
    ),
}
_more = {
    "before": click.option(
        "--before", default="", metavar="DAY", help="Only sections dated before that day."
    ),
    "section": click.option(
        "--section", default="", metavar="TITLE", help="Only what stands below that heading."
    ),
    "part": click.option(
        "--part", type=click.IntRange(1), metavar="N", help="The part that a prompt is for."
    ),
    "parts": click.option(
        "--parts", type=click.IntRange(1), metavar="N", help="Only the first N parts."
    ),
    "apply": click.option("--apply", is_flag=True, help="Write it; the old text is archived."),
    "accept": click.option(
        "--accept", default="", metavar="LINES", help="Answer lines to use: `1,3-5` or `all`."
    ),
    "keep": click.option(
        "--keep", default="", metavar="LINES", help="Old lines to keep: `7` or `2,9-11`."
    ),
    "base": click.option(
        "--base", default="", metavar="BASE", help="The base that `--prompt-only` printed."
    ),
    "prompt_only": prompt_only_option,
    "answers": click.option(
        "--answer",
        "answers",
        multiple=True,
        metavar="FILE",
        help="Use this answer instead of running the agent; `-` = stdin. Once for each part, in "
        "order.",
    ),
    "anew": click.option("--anew", is_flag=True, help="Ask again what was answered already."),
}


def ask_and_condense(
    invocation: Invocation,
    intent: Intent,
    args: PersonaCompact,
    *,
    dry_run: bool,
    part: int | None,
    apply: bool,
    accept: str,
    keep: str,
    prompt_only: bool,
    answers: tuple[str, ...],
    anew: bool,
    others: tuple[str, ...],
    **wanted: Any,
) -> None:
    """Ask for fewer lines, and show or write what came of them."""
    need_one_way(prompt_only, answers[0] if answers else "")
    names = tuple(dict.fromkeys((args.persona, *others)))
    if names[1:]:
        _need_what_fits_several(args, part, accept, keep, wanted, prompt_only=prompt_only)
        asked = [replace(args, persona=name) for name in names]
        _condense_several(
            invocation, asked, wanted, answers, anew=anew, apply=apply, dry_run=dry_run
        )
        return
    found = whose(invocation.session.library, args.persona, args.layout)
    settings = _settings(invocation, wanted)
    region = _region(invocation, args, settings, wanted)
    questions = questions_for(found, region, settings)
    if prompt_only:
        _print_prompt(invocation, questions, part or 1, region)
        units = len(region.source.entries)
        if region.count < units:
            say(f"note: it is about {region.count:,} of {count(units, 'unit')}; the others stay")
        return
    is_known = answers or how_many_are_kept(questions, answers_of(invocation)) == len(questions)
    if (accept or keep) and not is_known:
        raise BadUsage(
            "`--accept` and `--keep` need an answer",
            hint="look at it first, or give it with `--answer FILE`",
        )
    condensed = joined(consulted(invocation, questions, answers, anew=anew))
    proposed = propose(region, condensed.lines)
    told = _told(
        args.persona,
        found.place,
        region,
        condensed,
        accept=_numbers("--accept", accept, len(proposed.lines)) if accept else None,
        keep=_numbers("--keep", keep, region.count) if keep else (),
    )
    for note in condensed.notes:
        say(f"note: {note}")
    if apply:
        carry_out(invocation, replace(intent, arguments=told.to_json()), dry_run=dry_run)
    else:
        _show(invocation, proposed, told)


def _need_what_fits_several(
    args: PersonaCompact,
    part: int | None,
    accept: str,
    keep: str,
    wanted: Mapping[str, Any],
    *,
    prompt_only: bool,
) -> None:
    """Refuse options that say something of one memory.

    Raises:
        BadUsage: One of them was given.
    """
    of_one = {
        "--topic": args.topic,
        "--base": wanted["base"],
        "--section": wanted["section"],
        "--part": part,
        "--parts": wanted["parts"],
        "--accept": accept,
        "--keep": keep,
        "--prompt-only": prompt_only,
    }
    for option in (each for each, value in of_one.items() if value):
        raise BadUsage(f"`{option}` works on one persona", hint="name only one")


def _condense_several(
    invocation: Invocation,
    asked: Sequence[PersonaCompact],
    wanted: Mapping[str, Any],
    answers: tuple[str, ...],
    *,
    anew: bool,
    apply: bool,
    dry_run: bool,
) -> None:
    """Ask for fewer lines of several memories, and show them, or write them as one change.

    Raises:
        NotPossible: One has no memory, or all are short enough.
    """
    settings, library = _settings(invocation, wanted), invocation.session.library
    found: list[tuple[Whose, Region, Sequence[Question[Condensed]]]] = []
    left: list[NotPossible] = []
    for args in asked:
        who = whose(library, args.persona, args.layout)
        try:
            region = _region(invocation, args, settings, wanted)
        except NotPossible as short:
            left.append(short)
            continue
        found.append((who, region, questions_for(who, region, settings)))
    if not found:
        raise left[0]
    every = [question for _, _, questions in found for question in questions]
    condensed = iter(consulted(invocation, every, answers, anew=anew))
    made: list[tuple[Proposed, PersonaCompact]] = []
    for who, region, questions in found:
        whole = joined([next(condensed) for _ in questions])
        told = _told(who.persona.name, who.place, region, whole)
        made.append((propose(region, whole.lines), told))
        for note in whole.notes:
            say(f"note: {note}")
    for each in left:
        say(f"note: {each}")
    if apply:
        memories: list[Json] = [told.to_json() for _, told in made]
        intent = Intent(PERSONAS_COMPACT.id, arguments={"memories": memories})
        carry_out(invocation, intent, dry_run=dry_run)
    elif invocation.as_json:
        emit(PersonasCompactReport(memories=tuple(_reported(invocation, *each) for each in made)))
    else:
        for proposed, told in made:
            _show(invocation, proposed, told)


def _region(
    invocation: Invocation,
    args: PersonaCompact,
    settings: Compaction,
    wanted: Mapping[str, Any],
) -> Region:
    """Return what is to be compacted: all that is too long, or the part that was asked for."""
    base, before, below = wanted["base"], wanted["before"], wanted["section"]
    region = compactable(
        invocation.session.library,
        args.persona,
        args.layout,
        above=None if base or before or below else settings,
        topic=args.topic,
        before=before,
        below=below,
    )
    if base:
        region = region_of(region.source, base)
    return first_parts(region, wanted["parts"]) if wanted["parts"] is not None else region


def compact_unasked(invocation: Invocation, name: str, layout: str) -> None:
    """Compact a memory that grew over its threshold: only sound lines, as the settings ask.

    What came before it stands, so that nothing which goes wrong here is an error. It only shows
    what it would do where lines of different texts on one subject would become one: a person tells
    whether they say the same.
    """
    session = invocation.session
    off = unread_settings(session.library)
    if off:
        say(f"note: the memory was not compacted: {off}")
        return
    memory = whose(session.library, name, layout).memory
    settings = session.library.ground.compaction
    if memory is None or not offered(memory, settings):
        return
    try:
        region = region_of(memory)
        questions = questions_for(whose(session.library, name, layout), region, settings)
        condensed = joined(consulted(invocation, questions))
        proposed, args = propose(region, condensed.lines), _told(name, layout, region, condensed)
        united = proposed.united()
        if united:
            _show_unasked(invocation, name, proposed, args, united)
            return
        done = session.apply(_intent(args))
    except RememError as error:
        say(f"note: the memory was not compacted: {error}")
        return
    say(f"{done.change.title}: {done.change.receipt}")
    say(f"`remem undo {done.id}` undoes it")


def _show_unasked(
    invocation: Invocation,
    name: str,
    proposed: Proposed,
    args: PersonaCompact,
    united: tuple[int, int],
) -> None:
    """Show a compaction that waits for a person, and why it waits."""
    if not invocation.as_json:
        _show(invocation, proposed, args)
    one, other = (_old(proposed.region, unit) for unit in united)
    say(f"note: the memory was not compacted: «{one}» and «{other}» would become one line")
    say(f"`remem persona compact {name}` asks again and shows the source of each line")


def _settings(invocation: Invocation, wanted: Mapping[str, Any]) -> Compaction:
    """Return when it is offered, and to how much; options go before settings."""
    settings = invocation.session.library.ground.compaction
    given = {key: wanted[key] for key in ("lines", "tokens", "target") if wanted[key] is not None}
    return replace(settings, **given)


def _print_prompt(
    invocation: Invocation, questions: Sequence[Question[Condensed]], part: int, region: Region
) -> None:
    many = len(questions)
    if part > many:
        raise BadUsage(f"no part {part}", hint=f"the memory has {count(many, 'part')}")
    prompt = questions[part - 1].prompt
    if invocation.as_json:
        emit(PersonaPromptReport(prompt=prompt, base=region.base, part=part, parts=many))
        return
    print_exact(prompt)
    if many > 1:
        say(f"part {part} of {many}; `--part N` prints another, each has an answer of its own")
    say(f"`--answer FILE --base {region.base}` applies the answer; newer lines stay")


def _told(
    name: str,
    layout: str,
    region: Region,
    condensed: Condensed,
    *,
    accept: tuple[int, ...] | None = None,
    keep: tuple[int, ...] = (),
) -> PersonaCompact:
    return PersonaCompact(
        persona=name,
        layout=layout or region.source.layout,
        topic=topic_name(region.source),
        base=region.base,
        lines=tuple(condensed.lines),
        accept=accept,
        keep=keep,
    )


def _intent(args: PersonaCompact) -> Intent:
    return Intent(PERSONA_COMPACT.id, arguments=args.to_json())


def _numbers(option: str, text: str, total: int) -> tuple[int, ...]:
    """Read `1,3-5` as numbers from 0, in order.

    Raises:
        BadUsage: It is none, or names a line that is not there.
    """
    if text.strip() == _ALL:
        return tuple(range(total))
    found: set[int] = set()
    for part in text.replace(" ", "").split(","):
        match = _RANGE.fullmatch(part)
        if match is None:
            raise BadUsage(f"`{option}` cannot be `{text}`", hint="write `1,3-5` or `all`")
        first, last = int(match[1]), int(match[2] or match[1])
        if not 1 <= first <= last <= total:
            raise BadUsage(f"`{option}` names line {part} of {total}", hint="lines count from 1")
        found |= set(range(first - 1, last))
    return tuple(sorted(found))


def _show(invocation: Invocation, proposed: Proposed, args: PersonaCompact) -> None:
    """Print each line with its trace, what is dropped, and the diff."""
    session = invocation.session
    if invocation.as_json:
        emit(_reported(invocation, proposed, args))
        return
    change = session.plan(_intent(args))
    chosen = proposed.chosen(args.accept)
    region = proposed.region
    path = shown_path(invocation, region.source.path)
    show_text(f"{path} · {count(region.count, 'unit')}", bold=True)
    for number, line in enumerate(proposed.lines):
        _print_line(region, number, line, accepted=number in chosen)
    if proposed.dropped:
        show_text(f"\ndropped: {count(proposed.dropped, 'old line')}", bold=True)
        for unit in proposed.dropped:
            show_text(f"{unit + 1:4}  {_old(region, unit)}", dim=True)
    show_text()
    print_diff(invocation, session.preview(change))
    for note in change.notes:
        say(f"note: {note}")
    say(change.receipt)
    say("nothing was written; the same command with `--apply` writes what you saw")


def _print_line(region: Region, number: int, line: Traced, *, accepted: bool) -> None:
    sign = "+" if accepted else "·"
    show_text(f"{sign}{number + 1:3}  {line.verdict:8}  {line.text}", fg=_COLOURS.get(line.verdict))
    why = line.doubt
    if line.verdict is Verdict.INVENTED:
        why = "not based on any old line" + (f"; {line.doubt}" if line.doubt else "")
    if why:
        show_text(f"                ! {why}")
    if line.verdict is not Verdict.KEPT:
        for unit in line.units:
            show_text(f"                ← {unit + 1}  {_old(region, unit)}", dim=True)


def _old(region: Region, unit: int) -> str:
    section = region.section_of(unit)
    first = region.texts[unit].splitlines()[0]
    return f"{section} · {first}" if section else first


def _reported(
    invocation: Invocation, proposed: Proposed, args: PersonaCompact
) -> PersonaCompactReport:
    change = invocation.session.plan(_intent(args))
    return _report(invocation, proposed, change, proposed.chosen(args.accept))


def _report(
    invocation: Invocation, proposed: Proposed, change: Change, chosen: Collection[int]
) -> PersonaCompactReport:
    region = proposed.region
    previews = invocation.session.preview(change)
    return PersonaCompactReport(
        persona=region.source.owner,
        path=str(region.source.path),
        base=region.base,
        units=region.count,
        lines=tuple(
            NewLineReport(
                number=number + 1,
                text=line.text,
                verdict=line.verdict.value,
                accepted=number in chosen,
                known=round(line.known, 2),
                new=line.new,
                doubt=line.doubt,
                stands_for=tuple(_old_lines(region, line.units)),
            )
            for number, line in enumerate(proposed.lines)
        ),
        dropped=tuple(_old_lines(region, proposed.dropped)),
        diff="".join(unified(str(each.path), each.hunks) for each in previews),
        receipt=change.receipt,
        notes=change.notes,
    )


def _old_lines(region: Region, units: Iterable[int]) -> Iterable[OldLineReport]:
    return (
        OldLineReport(number=unit + 1, section=region.section_of(unit), text=region.texts[unit])
        for unit in units
    )


compact = command_of(PERSONA_COMPACT, page=ask_and_condense, first=_first, more=_more)
