"""Reflection and compaction as a person goes through them: asked, waited for, looked at, applied.

What is asked and planned is the agent's and the curation's; everything is written by `carry_out`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from shlex import quote
from typing import Any, Final, TypeAlias

from remem.base.errors import RememError
from remem.base.text import count
from remem.core.agent.answers import Answers
from remem.core.agent.consult import Asker, consult, how_many_are_kept
from remem.core.agent.consult import Question as AgentQuestion
from remem.core.agent.runner import AgentFailed, Progress
from remem.core.library import Library
from remem.core.session import Session
from remem.model.change import Intent, Json
from remem.systems.personas.compacting.compact_answer import Condensed
from remem.systems.personas.compacting.compact_memory import (
    Proposed,
    compactable,
    joined,
    memory_or_topic,
    offered,
    propose,
    questions_for,
    topic_name,
)
from remem.systems.personas.compacting.compacted_file import Region, line_count
from remem.systems.personas.discover import FORMAT
from remem.systems.personas.lessons.reflection import (
    TRIGGERS,
    Lessons,
    Occasion,
    memory_of,
    most_lessons,
    read_lessons,
    reflection_prompt,
    whose,
)
from remem.systems.personas.persona_verbs import (
    PERSONA_COMPACT,
    PERSONA_REFLECT,
    PERSONAS_COMPACT,
    PersonaCompact,
    PersonaReflect,
)
from remem.systems.personas.source import persona_sources
from remem.tui.screens.asking import AskingScreen
from remem.tui.screens.compact import Chosen, CompactScreen
from remem.tui.screens.deciding import DecidingScreen
from remem.tui.widgets.input_line import Purpose, Question
from remem.views.long_text import TextLine, text_line
from remem.views.plan import plan_lines
from remem.views.spans import Tone

REFLECT: Final = "reflect"
Subject: TypeAlias = tuple[str, ...]
"""`reflect`, persona, layout, and what was answered so far: trigger, outcome."""
Tell: TypeAlias = Callable[[Progress], None]


def why_no_agent(session: Session, command: str) -> str | None:
    """Return why no agent can be asked, and how to ask by hand; `None` = one can."""
    if session.config.agent.command:
        return None
    return (
        "no agent command is configured (`remem config set agent.command`); "
        f"by hand: `remem persona {command} --prompt-only`"
    )


def why_not_compact(library: Library, persona: str, layout: str, topic: str = "") -> str | None:
    """Return why a memory is not offered to be compacted; `None` = it is."""
    sources = persona_sources(library.of_format(FORMAT))
    memory = memory_of(library.ground, sources, persona, layout)
    if topic:
        memory = memory_or_topic(library, whose(library, persona, layout), topic)
    if memory is None:
        return "it has no memory in this project"
    if not memory.is_writable:
        return memory.why_read_only
    if offered(memory, library.ground.compaction):
        return None
    above = library.ground.compaction.lines
    return f"its memory is only {line_count(memory.data):,} lines long (limit {above:,})"


def compact(screen: DecidingScreen, persona: str, layout: str = "", topic: str = "") -> None:
    """Ask for a shorter memory, show what came of it, and apply what the person takes."""
    session = screen.session
    library = session.library
    try:
        found = whose(library, persona, layout)
        region = compactable(library, persona, layout, above=library.ground.compaction, topic=topic)
    except RememError as error:
        screen.remem.show_error(error)
        return
    questions = questions_for(found, region, library.ground.compaction)
    answers = answers_of(session)

    def ask(tell: Tell, cancel: Callable[[], bool]) -> tuple[Proposed, Sequence[str]]:
        answer = joined(consult(questions, _asker(session, tell, cancel)))
        return propose(region, answer.lines), answer.notes

    def show(outcome: Any) -> None:
        match outcome:
            case None:
                kept = how_many_are_kept(questions, answers)
                told = f"; {count(kept, 'answer')} of {len(questions)} kept" if kept else ""
                screen.say(f"stopped; nothing was written{told}")
            case RememError():
                _tell_failure(screen, outcome, f"compact {quote(found.persona.name)}")
            case (Proposed() as proposed, notes):
                if notes:
                    screen.say(*notes)
                _choose(screen, proposed, found.persona.name, found.place)
            case _:
                raise AssertionError("the overlay answers with what it was given")

    parts = f" in {len(questions)} parts" if len(questions) > 1 else ""
    title = f"Compact {found.persona.name}'s memory: {count(region.count, 'unit')}{parts}"
    screen.app.push_screen(AskingScreen(title, ask), show)


def compact_all(screen: DecidingScreen, personas: Sequence[str]) -> None:
    """Ask for shorter memories of several personas, and show what all of it would write."""
    session = screen.session
    library, answers = session.library, answers_of(session)
    asked: list[tuple[str, Region, Sequence[AgentQuestion[Condensed]]]] = []
    left: list[str] = []
    for name in personas:
        try:
            found = whose(library, name)
            region = compactable(library, name, above=library.ground.compaction)
        except RememError as error:
            left.append(str(error))
            continue
        asked.append((found.place, region, questions_for(found, region, library.ground.compaction)))
    if not asked:
        screen.say("none of them is long enough to compact", *left[:3])
        return
    every = [question for _, _, questions in asked for question in questions]

    def ask(tell: Tell, cancel: Callable[[], bool]) -> list[PersonaCompact]:
        found = iter(consult(every, _asker(session, tell, cancel)))
        return [
            PersonaCompact(
                persona=region.source.owner,
                layout=place,
                base=region.base,
                lines=joined([next(found) for _ in questions]).lines,
            )
            for place, region, questions in asked
        ]

    async def show(outcome: Any) -> None:
        match outcome:
            case None:
                kept = how_many_are_kept(every, answers)
                told = f"; {count(kept, 'answer')} of {len(every)} kept" if kept else ""
                screen.say(f"stopped; nothing was written{told}")
            case RememError():
                _tell_failure(screen, outcome, f"compact {quote(personas[0])}")
            case [*told]:
                memories: list[Json] = [each.to_json() for each in told]
                if left:
                    screen.say(*left[:3])
                await screen.carry_out(Intent(PERSONAS_COMPACT.id, {}, {"memories": memories}))
            case _:
                raise AssertionError("the overlay answers with what it was given")

    parts = count(len(every), "part")
    title = f"Compact {count(len(asked), 'memory', 'memories')} in {parts}"
    screen.app.push_screen(AskingScreen(title, ask), show)


def _choose(screen: DecidingScreen, proposed: Proposed, persona: str, layout: str) -> None:
    session, region = screen.session, proposed.region

    def intent_of(chosen: Chosen) -> Intent:
        args = PersonaCompact(
            persona=persona,
            layout=layout,
            topic=topic_name(region.source),
            base=region.base,
            lines=tuple(line.text for line in proposed.lines),
            accept=tuple(chosen.accept),
            keep=tuple(chosen.keep),
        )
        return Intent(PERSONA_COMPACT.id, arguments=args.to_json())

    def writes(chosen: Chosen) -> list[TextLine]:
        try:
            return plan_lines(session, session.plan(intent_of(chosen)))
        except RememError as error:
            return [text_line(str(error), Tone.WARN)]

    async def apply(chosen: Chosen | None) -> None:
        if chosen is None:
            screen.say("left as it stands; the answer is kept, the same key shows it again")
        else:
            await screen.carry_out(intent_of(chosen), seen=True)

    title = f"Compact {persona}'s memory · {region.source.path.name}"
    archive = region.source.rules.unit_archive
    shown = CompactScreen(title, archive, proposed, writes, seconds=screen.remem.seconds)
    screen.app.push_screen(shown, apply)


def ask_what_happened(screen: DecidingScreen, subject: Subject) -> None:
    """Ask for what a reflection still lacks: trigger, outcome, summary, one after the other."""
    match len(subject):
        case 3:
            stock = tuple(TRIGGERS)[:5]
            label = f"What {subject[1]} reflects on"
            screen.ask(Question(Purpose.REASON, label, subject, stock=stock))
        case 4:
            screen.ask(Question(Purpose.NAME, "outcome", subject))
        case _:
            screen.ask(Question(Purpose.NAME, "what happened", subject))


def heard(screen: DecidingScreen, subject: Subject, text: str) -> None:
    """Take one of the answers; after the last one the persona is asked."""
    if not text.strip():
        screen.say("a reflection needs to know what happened")
    elif len(subject) < 5:
        ask_what_happened(screen, (*subject, text.strip()))
    else:
        _, persona, layout, trigger, outcome = subject
        reflect(screen, persona, layout, Occasion(trigger, outcome, text.strip()))


def reflect(screen: DecidingScreen, persona: str, layout: str, occasion: Occasion) -> None:
    """Ask a persona what it learnt; its lessons wait in Review."""
    session = screen.session
    try:
        found = whose(session.library, persona, layout)
        prompt = reflection_prompt(session.library, found, occasion)
    except RememError as error:
        screen.remem.show_error(error)
        return
    most = most_lessons(found)

    def ask(tell: Tell, cancel: Callable[[], bool]) -> Lessons:
        question = AgentQuestion(prompt, lambda text: read_lessons(text, most))
        (found,) = consult([question], _asker(session, tell, cancel, anew=True))
        return found

    async def keep(outcome: Any) -> None:
        match outcome:
            case None:
                screen.say("cancelled; nothing was written")
            case RememError():
                _tell_failure(screen, outcome, f"reflect {quote(found.persona.name)}")
            case Lessons(texts=texts, notes=notes):
                args = PersonaReflect(
                    persona=found.persona.name,
                    layout=found.place,
                    lessons=tuple(texts),
                    evidence=occasion.evidence,
                    door=session.door,
                )
                with screen.one_toast():
                    await screen.carry_out(Intent(PERSONA_REFLECT.id, arguments=args.to_json()))
                    screen.say(*notes)
            case _:
                raise AssertionError("the overlay answers with what it was given")

    screen.app.push_screen(AskingScreen(f"What did {found.persona.name} learn?", ask), keep)


def _tell_failure(screen: DecidingScreen, error: RememError, command: str) -> None:
    """Say what was wrong; where nobody can be asked, also how to ask by hand."""
    if isinstance(error, AgentFailed) and error.why == "no-command":
        by_hand = f"`remem persona {command} --prompt-only` prints the prompt to ask by hand"
        error = AgentFailed(str(error), error.why, hint=f"{error.hint}; {by_hand}")
    screen.remem.show_error(error)


def _asker(
    session: Session, tell: Tell, cancel: Callable[[], bool], *, anew: bool = False
) -> Asker:
    settings, folder = session.config.agent, session.places.config
    return Asker(settings, folder, answers_of(session), anew, tell, cancel)


def answers_of(session: Session) -> Answers:
    """Return where the paid answers of the user's command are kept."""
    command = tuple(session.config.agent.command)
    return Answers(session.disk, session.places.cache, session.clock, command)
