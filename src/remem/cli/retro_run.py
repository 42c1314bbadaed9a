"""The command `retro run`: it measures a sprint, asks a model about it, and makes its retro."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import click

from remem.base.frozen import dataclass
from remem.base.text import count
from remem.cli.asking import answer_text, ended_together, progress_line
from remem.cli.execute import carry_out, dry_run_option
from remem.cli.failure import BadUsage
from remem.cli.naming import shown_path
from remem.cli.out import emit, print_exact, say
from remem.cli.session import Session, common_options, pass_session
from remem.code import facts
from remem.code.facts import RangeFacts
from remem.core.agent.prompts import BadAnswer, once_more
from remem.core.agent.runner import AgentFailed, ask
from remem.model.change import Intent
from remem.model.entry import Problem
from remem.systems.sniper.retro_answer import Reading, read_answer
from remem.systems.sniper.retro_facts import (
    Failure,
    Planned,
    measure,
    read_gate,
    read_stories,
    together,
)
from remem.systems.sniper.retro_prompt import MAX_STORIES, retro_prompt
from remem.systems.sniper.retro_run import (
    Known,
    Sprint,
    document,
    known_in,
    measured_before,
    need_something,
    retro_path,
    unlooked,
)
from remem.systems.sniper.retro_verbs import RETRO_RUN, RetroRun
from remem.systems.sniper.sprint_range import (
    next_sprint,
    page_folders,
    range_of_sprint,
    stories_of_protocol,
    stories_of_sprint,
    story_pages,
)
from remem.views.documents.retro_run import RetroPromptReport

_WHOLE_ID: Final = re.compile(r"\b[0-9a-f]{40,64}\b")
"""The name of a commit as it is written whole; twelve digits tell it."""
_MATERIAL: Final = 200_000
"""Bytes of added lines that a prompt holds, over all stories."""
_RETRIES: Final = 1

_file = click.Path(path_type=Path)


@dataclass(frozen=True, slots=True)
class _Looked:
    """What was found out before anyone is asked."""

    sprint: Sprint
    known: Known
    facts: RangeFacts | None
    notes: tuple[str, ...]


@click.command("run")
@click.option(
    "--sprint",
    type=click.IntRange(0, 99_999),
    metavar="N",
    help="Which sprint; default: the one after the last that has a retro.",
)
@click.option(
    "--stories",
    type=_file,
    metavar="FILE",
    help="Its stories, with their points: a file, or a folder with a page for each; default: the "
    "pages below `docs/stories` and `.sniper/artifacts` that name the sprint, else those of the "
    "newest protocol.",
)
@click.option(
    "--range",
    "asked",
    default="",
    metavar="A..B",
    help="Its commits; `root..B` begins with the first. Default: those since the retro before it "
    "was committed, else those that its stories or dates give.",
)
@click.option(
    "--gate",
    "gates",
    type=_file,
    multiple=True,
    metavar="FILE",
    help="A gate's report; repeatable.",
)
@click.option("--prompt-only", is_flag=True, help="Print the prompt; ask nobody, write nothing.")
@click.option("--answer", type=_file, metavar="FILE", help="Take this answer; ask nobody.")
@click.option(
    "--again", is_flag=True, help="Make it again, if `retro run` made it and nobody decided on it."
)
@dry_run_option
@common_options
@pass_session
def run(
    session: Session,
    sprint: int | None,
    stories: Path | None,
    asked: str,
    gates: tuple[Path, ...],
    prompt_only: bool,
    answer: Path | None,
    again: bool,
    dry_run: bool,
) -> None:
    """Make a sprint's retro from its commits, gate reports and stories.

    Patterns are asked of `agent.command`, which your own settings name: any program that reads a
    prompt on stdin and answers on stdout. Without one the measured parts are written.
    """
    if prompt_only and answer:
        raise BadUsage("`--prompt-only` and `--answer` exclude each other", hint="give one of them")
    workbench = session.workbench
    library = workbench.library
    if sprint is None:
        sprint, why = next_sprint(library)
        say(f"sprint {sprint} ({why}); `--sprint N` names another")
    if not prompt_only:
        retro_path(library, sprint, again=again)
    looked = _look(session, sprint, stories, asked, gates)
    need_something(looked.sprint, [shown_path(session, f) for f in page_folders(library)])
    if prompt_only:
        _print_prompt(session, looked)
        return
    reading, missing = _findings(session, looked, answer)
    made = document(looked.sprint, looked.known, reading, workbench.clock.today().isoformat())
    notes = (
        *unlooked(looked.sprint, (*looked.notes, *missing)),
        *(reading.notes if reading else ()),
    )
    args = RetroRun(document=made, asked=reading is not None, again=again, notes=notes)
    carry_out(session, Intent(RETRO_RUN.id, arguments=args.to_json()), dry_run=dry_run)
    if not dry_run:
        say(f"`remem retro ingest --sprint {sprint}` is next")


def _look(
    session: Session, sprint: int, stories: Path | None, asked: str, gates: Sequence[Path]
) -> _Looked:
    """Find out everything that can be measured."""
    library = session.workbench.library
    problems: list[Problem] = []
    planned = _planned(session, sprint, stories, problems)
    failures: list[Failure] = []
    for gate in gates:
        found, wrong = read_gate(gate, _read(session, gate))
        _refuse_nothing_read(found, wrong)
        failures += found
        problems += wrong
    found_range = _facts(session, sprint, asked, planned)
    if stories is None and not planned and found_range is None:
        folder, guessed = stories_of_protocol(library)
        found_range = _facts(session, sprint, asked, guessed)
        if folder is not None and found_range is not None:
            # Pages alone, of which no commit tells, may be of any sprint.
            planned = guessed
            say(f"stories: those of `{shown_path(session, folder)}`; `--stories` names others")
    if found_range is not None:
        seen, told = count(found_range.commits, "commit"), len(found_range.stories)
        asked_for = _WHOLE_ID.sub(lambda each: each[0][:12], found_range.asked)
        say(f"looked at {seen} and {count(told, 'story', 'stories')} in `{asked_for}`")
    measured = measure(found_range, planned, measured_before(library, sprint))
    notes = tuple(_sentence(session, problem) for problem in problems)
    whole = Sprint(sprint, measured, planned, together(failures))
    return _Looked(whole, known_in(library), found_range, notes)


def _planned(
    session: Session, sprint: int, stories: Path | None, problems: list[Problem]
) -> tuple[Planned, ...]:
    """Return the stories of the file or folder, else those whose own pages name the sprint."""
    library = session.workbench.library
    if stories is None:
        return stories_of_sprint(library, sprint)
    if session.workbench.disk.kind(stories.absolute()) != "folder":
        planned, wrong = read_stories(stories, _read(session, stories))
        _refuse_nothing_read(planned, wrong)
        problems += wrong
        return planned
    planned = story_pages(library, stories.absolute())
    if not planned:
        hint = "each page is a file like `S01-login.md`, or names its id in its front matter"
        raise BadUsage(f"no page in `{stories}` is a story", hint=hint)
    return planned


def _facts(
    session: Session, sprint: int, asked: str, planned: Sequence[Planned]
) -> RangeFacts | None:
    """Return what the sprint's commits show; `None` where nothing says which they are."""
    root, names = session.workbench.root, [each.story for each in planned]
    if not asked:
        found = range_of_sprint(session.workbench.library, sprint, names)
        asked = found.asked
        if found.why:
            say(f"commits: {asked} ({found.why}); `--range A..B` names others")
    return facts.range_facts(root, asked, names) if asked else None


def _read(session: Session, path: Path) -> bytes:
    return session.workbench.disk.read(path.absolute())


def _refuse_nothing_read(found: Sequence[object], problems: Sequence[Problem]) -> None:
    """Stop where a file that was given says nothing: a retro without it would mislead.

    Raises:
        BadUsage: What is wrong with the file.
    """
    if found or not problems:
        return
    first = problems[0]
    line = f":{first.line}" if first.line else ""
    raise BadUsage(f"`{first.path}`{line}: {first.message}", hint=first.hint)


def _sentence(session: Session, problem: Problem) -> str:
    where = shown_path(session, problem.path) if problem.path else ""
    line = f":{problem.line}" if problem.line else ""
    return f"{where}{line}: {problem.message}"


def _findings(
    session: Session, looked: _Looked, answer: Path | None
) -> tuple[Reading | None, tuple[str, ...]]:
    """Return what a model found, and why nobody was asked."""
    if answer is not None:
        text = answer_text(_read(session, answer))
        return _reading(looked, text), ()
    settings = session.workbench.config.agent
    if not settings.command:
        why = "no agent command is configured: only what was measured stands in the retro"
        return None, (f"{why}; `remem config set agent.command` names one",)
    prompt = _prompt(session, looked)
    try:
        return _reading(looked, _ask(session, prompt)), ()
    except BadAnswer as bad:
        say(f"{bad}; asking once more")
        prompt = once_more(prompt, str(bad))
    try:
        return _reading(looked, _ask(session, prompt)), ()
    except BadAnswer as bad:
        raise AgentFailed(str(bad), "unusable", hint=bad.hint) from bad


def _reading(looked: _Looked, text: str) -> Reading:
    sprint = looked.sprint
    return read_answer(text, sprint.stories, sprint.completed or 0)


def _prompt(session: Session, looked: _Looked) -> str:
    roles = session.workbench.roles()
    return retro_prompt(looked.sprint, looked.known, roles, _material(session, looked))


def _material(session: Session, looked: _Looked) -> Mapping[str, str]:
    """Return subjects and added lines of each story, each with the same share of the room."""
    if looked.facts is None:
        return {}
    told = looked.facts.stories[:MAX_STORIES]
    groups = {story.story: story.commits for story in told}
    if not groups:
        groups = {"": looked.facts.commits}
    share = _MATERIAL // len(groups)
    return {
        story: "\n".join(
            (
                *(f"commit: {commit.subject}" for commit in commits[:50]),
                facts.added_lines(session.workbench.root, commits[:50], share),
            )
        )
        for story, commits in groups.items()
    }


def _print_prompt(session: Session, looked: _Looked) -> None:
    prompt, notes = _prompt(session, looked), unlooked(looked.sprint, looked.notes)
    if session.as_json:
        emit(RetroPromptReport(prompt=prompt, notes=notes))
        return
    for note in notes:
        say(f"note: {note}")
    print_exact(prompt)


def _ask(session: Session, prompt: str) -> str:
    """Ask the command of the user's own settings; whatever ends remem ends it, too."""
    settings, places = session.workbench.config.agent, session.places
    with progress_line(settings.command[0]) as on_progress, ended_together():
        answer = ask(
            settings.command,
            prompt,
            folder=places.config,
            timeout=settings.timeout,
            retries=_RETRIES,
            on_progress=on_progress,
        )
    return answer.text
