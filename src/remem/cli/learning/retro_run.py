"""The command `retro run`: it measures a sprint, asks a model about it, and makes its retro."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import click

from remem.base.frozen import dataclass
from remem.base.text import count
from remem.cli.apply_or_dry_run import carry_out
from remem.cli.ask_agent import (
    answer_option,
    consulted_once,
    need_one_way,
    prompt_only_option,
)
from remem.cli.failure import BadUsage
from remem.cli.find_named import shown_path
from remem.cli.invocation import Invocation
from remem.cli.out import emit, print_exact, say
from remem.cli.verb_command import command_of
from remem.code import commit_facts
from remem.code.commit_facts import RangeFacts
from remem.model.change import Intent
from remem.model.entry import Problem
from remem.systems.sniper.retro.retro_answer import Reading, read_answer
from remem.systems.sniper.retro.retro_facts import (
    Failure,
    Planned,
    measure,
    read_gate,
    read_listed,
    read_stories,
    read_story,
    together,
)
from remem.systems.sniper.retro.retro_run import (
    MAX_STORIES,
    Known,
    Sprint,
    document,
    known_in,
    measured_before,
    need_something,
    retro_path,
    retro_prompt,
    unlooked,
)
from remem.systems.sniper.retro.sprint_range import (
    FoundRange,
    next_sprint,
    page_folders,
    range_of_first,
    range_of_sprint,
    stories_of_protocol,
    stories_of_sprint,
    story_pages,
)
from remem.systems.sniper.sniper_verbs import RETRO_RUN, RetroRun
from remem.views.documents.retros import RetroPromptReport

_WHOLE_ID: Final = re.compile(r"\b[0-9a-f]{40,64}\b")
"""The name of a commit as it is written whole; twelve digits tell it."""
_MATERIAL: Final = 200_000
"""Bytes of added lines that a prompt holds, over all stories."""

_file = click.Path(path_type=Path)


@dataclass(frozen=True, slots=True)
class _Looked:
    """What was found out before anyone is asked."""

    sprint: Sprint
    known: Known
    facts: RangeFacts | None
    missed: tuple[str, ...]
    notes: tuple[str, ...]


_first = {
    "sprint": click.option(
        "--sprint",
        type=click.IntRange(0, 99_999),
        metavar="N",
        help="Sprint number; default: the one after the last retro.",
    ),
    "stories": click.option(
        "--stories",
        type=_file,
        metavar="FILE",
        help="Its stories, with their points: a file, or a folder with a page for each; default: "
        "the pages below `docs/stories` and `.sniper/artifacts` that name the sprint, else those "
        "of the newest protocol.",
    ),
    "asked": click.option(
        "--range",
        "asked",
        default="",
        metavar="A..B",
        help="Its commits; `root..B` begins with the first. Default: those since the retro before "
        "it was committed, else those that its stories or dates give; of a first retro all, in a "
        "long history its last two weeks.",
    ),
    "gates": click.option(
        "--gate",
        "gates",
        type=_file,
        multiple=True,
        metavar="FILE",
        help="A gate's report; repeatable.",
    ),
    "prompt_only": prompt_only_option,
    "answer": answer_option,
}


def ask_and_make(
    invocation: Invocation,
    intent: Intent,
    args: RetroRun,
    *,
    dry_run: bool,
    sprint: int | None,
    stories: Path | None,
    asked: str,
    gates: tuple[Path, ...],
    prompt_only: bool,
    answer: str,
) -> None:
    """Measure a sprint, ask about it, and write its retro."""
    need_one_way(prompt_only, answer)
    session = invocation.session
    library = session.library
    if sprint is None:
        sprint, why = next_sprint(library, again=args.again)
        say(f"sprint {sprint} ({why}); `--sprint N` chooses another")
    if not prompt_only:
        retro_path(library, sprint, again=args.again)
    looked = _look(invocation, sprint, stories, asked, gates)
    folders = [shown_path(invocation, folder) for folder in page_folders(library)]
    need_something(looked.sprint, folders, looked.missed)
    if prompt_only:
        _print_prompt(invocation, looked)
        return
    reading, missing = _findings(invocation, looked, answer)
    made = document(looked.sprint, looked.known, reading, session.clock.today().isoformat())
    notes = (
        *unlooked(looked.sprint, (*looked.notes, *missing), looked.missed),
        *(reading.notes if reading else ()),
    )
    told = replace(args, document=made, asked=reading is not None, notes=notes)
    carry_out(invocation, replace(intent, arguments=told.to_json()), dry_run=dry_run)
    if not dry_run:
        say(f"`remem retro ingest --sprint {sprint}` is the next step")


def _look(
    invocation: Invocation, sprint: int, stories: Path | None, asked: str, gates: Sequence[Path]
) -> _Looked:
    """Find out everything that can be measured."""
    library = invocation.session.library
    problems: list[Problem] = []
    planned = _planned(invocation, sprint, stories, problems)
    failures: list[Failure] = []
    for gate in gates:
        found, wrong = read_gate(gate, _read(invocation, gate))
        _refuse_nothing_read(found, wrong)
        failures += found
        problems += wrong
    found_range, missed = _facts(invocation, sprint, asked, planned)
    if stories is None and not planned and found_range is None:
        folder, guessed = stories_of_protocol(library)
        found_range, missed = _facts(invocation, sprint, asked, guessed)
        if folder is not None and found_range is not None:
            # Pages alone, of which no commit tells, may be of any sprint.
            planned = guessed
            say(f"stories: those of `{shown_path(invocation, folder)}`; `--stories` chooses others")
    if found_range is None and stories is None and not planned:
        first = range_of_first(library, sprint)
        found_range, missed = _measured(invocation, first, ()) if first.asked else (None, missed)
    if found_range is not None:
        seen, told = count(found_range.commits, "commit"), len(found_range.stories)
        asked_for = _WHOLE_ID.sub(lambda each: each[0][:12], found_range.asked)
        say(f"looked at {seen} and {count(told, 'story', 'stories')} in `{asked_for}`")
    measured = measure(found_range, planned, measured_before(library, sprint))
    notes = tuple(_sentence(invocation, problem) for problem in problems)
    whole = Sprint(sprint, measured, planned, together(failures))
    return _Looked(whole, known_in(library), found_range, missed, notes)


def _planned(
    invocation: Invocation, sprint: int, stories: Path | None, problems: list[Problem]
) -> tuple[Planned, ...]:
    """Return the stories of the file or folder, else those whose own pages name the sprint."""
    library = invocation.session.library
    if stories is None:
        return stories_of_sprint(library, sprint)
    if invocation.session.disk.kind(stories.absolute()) == "file" and stories.suffix == ".md":
        page = read_story(stories, _read(invocation, stories))
        listed = read_listed(_read(invocation, stories)) if page is None else (page,)
        if listed:
            return listed
    if invocation.session.disk.kind(stories.absolute()) != "folder":
        planned, wrong = read_stories(stories, _read(invocation, stories))
        _refuse_nothing_read(planned, wrong)
        problems += wrong
        return planned
    planned = story_pages(library, stories.absolute())
    if not planned:
        hint = "each page is a file like `S01-login.md`, or names its id in its front matter"
        raise BadUsage(f"no story pages in `{stories}`", hint=hint)
    return planned


def _facts(
    invocation: Invocation, sprint: int, asked: str, planned: Sequence[Planned]
) -> tuple[RangeFacts | None, tuple[str, ...]]:
    """Return what the sprint's commits show; where nothing says which they are, what was tried."""
    root, names = invocation.session.root, [each.story for each in planned]
    if asked:
        return commit_facts.range_facts(root, asked, names), ()
    return _measured(invocation, range_of_sprint(invocation.session.library, sprint, names), names)


def _measured(
    invocation: Invocation, found: FoundRange, names: Sequence[str]
) -> tuple[RangeFacts | None, tuple[str, ...]]:
    if not found.asked:
        return None, found.missed
    named = _WHOLE_ID.sub(lambda each: each[0][:12], found.asked)
    say(f"commits: {named} ({found.why}); `--range A..B` chooses others")
    return commit_facts.range_facts(invocation.session.root, found.asked, names), ()


def _read(invocation: Invocation, path: Path) -> bytes:
    return invocation.session.disk.read(path.absolute())


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


def _sentence(invocation: Invocation, problem: Problem) -> str:
    where = shown_path(invocation, problem.path) if problem.path else ""
    line = f":{problem.line}" if problem.line else ""
    return f"{where}{line}: {problem.message}"


def _findings(
    invocation: Invocation, looked: _Looked, answer: str
) -> tuple[Reading | None, tuple[str, ...]]:
    """Return what a model found, and why nobody was asked."""
    if not answer and not invocation.session.config.agent.command:
        why = "no agent command is configured: the retro only has measured data"
        return None, (f"{why}; set one with `remem config set agent.command`",)
    prompt = "" if answer else _prompt(invocation, looked)
    return consulted_once(invocation, prompt, lambda text: _reading(looked, text), answer), ()


def _reading(looked: _Looked, text: str) -> Reading:
    sprint = looked.sprint
    return read_answer(text, sprint.stories, sprint.completed or 0)


def _prompt(invocation: Invocation, looked: _Looked) -> str:
    roles = invocation.session.roles()
    return retro_prompt(looked.sprint, looked.known, roles, _material(invocation, looked))


def _material(invocation: Invocation, looked: _Looked) -> Mapping[str, str]:
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
                commit_facts.added_lines(invocation.session.root, commits[:50], share),
            )
        )
        for story, commits in groups.items()
    }


def _print_prompt(invocation: Invocation, looked: _Looked) -> None:
    prompt, notes = (
        _prompt(invocation, looked),
        unlooked(looked.sprint, looked.notes, looked.missed),
    )
    if invocation.as_json:
        emit(RetroPromptReport(prompt=prompt, notes=notes))
        return
    for note in notes:
        say(f"note: {note}")
    print_exact(prompt)


run = command_of(RETRO_RUN, page=ask_and_make, first=_first)
