"""What `add` says of a file that did not exist before: its name, and whether any agent gets it."""

from __future__ import annotations

from collections.abc import Iterator

from remem.base.effects import Create
from remem.cli.invocation import Invocation
from remem.cli.naming import shown_path
from remem.core.library import Library
from remem.core.prompt.agents import agent_starts
from remem.model.change import Change
from remem.model.entry import Ref, Status
from remem.model.prompt import Prompt
from remem.systems.plain.source import FORMAT


def notes_on_new_files(invocation: Invocation, change: Change, after: Library) -> Iterator[str]:
    """Yield which files an addition makes, and what to do where no agent gets what stands there.

    Prompts are made only where a file is new, which is once in a project.

    Args:
        invocation: Where.
        change: What was added.
        after: What stands once it is.
    """
    made = [each.path for each in change.effects if isinstance(each, Create)]
    if not made:
        return
    yield "new file: " + ", ".join(f"`{shown_path(invocation, path)}`" for path in made)
    added = {
        ref
        for ref in change.touched.values()
        if ref is not None and after.has(ref) and after.entry(ref).status is Status.ACTIVE
    }
    prompts = [each.prompt for each in agent_starts(after, invocation.session.counter)]
    if not (added and prompts) or any(_has(prompt, added) for prompt in prompts):
        return
    file = _loaded_by_most(after, prompts)
    where = f"; `remem add lesson TEXT --file {file}` adds to a file that is loaded" if file else ""
    yield f"no agent here loads it: only `remem compose` gives it to a role{where}"


def _has(prompt: Prompt, refs: set[Ref]) -> bool:
    return any(verdict.is_in and verdict.ref in refs for verdict in prompt.verdicts)


def _loaded_by_most(library: Library, prompts: list[Prompt]) -> str:
    """Return the instruction file that most agents load; empty = they load none."""
    names = {
        source.path: source.name
        for source in library.sources
        if source.format == FORMAT and source.is_writable
    }
    loaded = [
        {line.path for layer in prompt.layers for line in layer.lines} & names.keys()
        for prompt in prompts
    ]
    times = {path: sum(path in each for each in loaded) for path in names}
    best = max(times, key=lambda path: times[path], default=None)
    return names[best] if best is not None and times[best] else ""
