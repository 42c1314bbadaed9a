"""What a prompt can be asked for, as choices and as what is asked then.

That is when an agent is looked at (at its start, after it worked on a file, after a compaction), in
which folder it is started, for which story, and which layers are shown. Pure: it knows the library
and nothing of widgets.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from remem.base.errors import NotPossible
from remem.base.text import count
from remem.core.library import Library
from remem.core.prompt.asks import EVERYONE, asker
from remem.core.repositories import within
from remem.model.globs import is_inside
from remem.model.prompt import Ask, Layer, Prompt
from remem.store.io import Disk, real_path
from remem.systems.plain.source import plain_sources
from remem.systems.shaktra.brief.briefing import briefings_among, story_of
from remem.systems.shaktra.documents import story_names
from remem.systems.shaktra.records import SHAKTRA
from remem.systems.sniper.spawn_prompt import has_name, layers_of
from remem.views.list_rows import Choice
from remem.views.spans import number

if TYPE_CHECKING:
    from remem.core.prompt.agents import Agent
    from remem.core.reading_session import ReadingSession

AT_START: Final = "start"
ALL_FILES: Final = "all"
CHANGED: Final = "changed"
AFTER: Final = "after "
"""What the id of a file's choice begins with."""
_NAMED: Final = 3
"""Files that a moment names; more are counted."""
_WILD: Final = frozenset("*?[{")
MOST: Final = 20_000
"""Files of a project that are tried; more change nothing that these do not show."""


def files_here(disk: Disk, root: Path) -> tuple[str, ...]:
    """Return the files below a root that an agent may work on, sorted: what git does not ignore."""
    from remem.code.changed_lines import Changes

    changes = Changes(disk, root)
    if changes.has_git:
        return tuple(sorted(changes.named()))
    from remem.systems.plain.instruction_folders import folders_below

    found = folders_below(disk, root)
    folders = {*found.names, *found.passed}
    paths = (
        f"{place}/{name}" if place else name
        for place, names in found.names.items()
        for name in names
    )
    return tuple(sorted(path for path in paths if path not in folders))


def worked_on(disk: Disk, root: Path, asked: Sequence[str]) -> tuple[str, ...]:
    """Return the files that were asked for, in order, each glob as the files that it fits here.

    What fits none stays as it is: it may be there later.
    """
    if not any(_WILD & set(path) for path in asked):
        return tuple(dict.fromkeys(asked))
    here = files_here(disk, root)
    files: list[str] = []
    for path in asked:
        fits = [each for each in here if is_inside(each, path)] if _WILD & set(path) else []
        files += fits or [path]
    return tuple(dict.fromkeys(files))


def about_files(disk: Disk, root: Path, files: Sequence[str]) -> Iterator[str]:
    """Yield which files are not there: they may be made yet, or their names are mistyped."""
    for path in files:
        if _WILD & set(path) and path in worked_on(disk, root, [path]):
            yield f"no file in `{root.name}` matches `{path}`: answered as if one were made"
        elif not _WILD & set(path) and disk.kind(real_path(root / path)) is None:
            yield f"there is no file `{path}` in `{root.name}`: answered as if it were made"


def moment_of(ask: Ask) -> str:
    """Return a moment in words: `at startup`, `after src/a.py, src/b.py`, `after 12 files`."""
    if not ask.files:
        return "at startup"
    few = len(ask.files) <= _NAMED
    return f"after {', '.join(ask.files) if few else count(ask.files, 'file')}"


def at_start(prompt: Prompt) -> int:
    """Return the tokens that are there before the agent works on anything."""
    return prompt.tokens - sum(layer.tokens for layer in prompt.joined)


def joins_line(layer: Layer) -> str:
    """Return why a part comes, as one line; what no page and no run shows is labelled."""
    assert layer.joins is not None
    label = "" if layer.joins.is_confirmed else " (not confirmed)"
    return f"{layer.name} joins{label}: {layer.joins.why}"


def moment_choices(session: ReadingSession, ask: Ask) -> list[Choice]:
    """Return the moments at which the chosen agent has something else: slow in large projects."""
    root = within(session.library, ask.repository).ground.root
    here = code_here(session, root)
    everything = session.as_loaded(replace(ask, files=here))
    now = {(layer.name, layer.text) for layer in session.as_loaded(ask).layers}
    exact = "" if everything.exact else "≈"
    choices = [Choice(AT_START, "at startup", "before any file is read")] if ask.files else []
    found: dict[str, list[Layer]] = {}
    for layer in everything.joined:
        if layer.joins is not None and (layer.name, layer.text) not in now:
            found.setdefault(layer.joins.file, []).append(layer)
    also = "and " if ask.files else ""
    for file, layers in found.items():
        names = ", ".join(layer.name for layer in layers[:2])
        more = f" +{len(layers) - 2}" if len(layers) > 2 else ""
        tokens = f"+{exact}{sum(layer.tokens for layer in layers):,} tokens"
        choices.append(Choice(f"{AFTER}{file}", f"{also}after {file}", f"{names}{more}", tokens))
    if found:
        total = f"+{exact}{sum(each.tokens for each in everything.joined):,} tokens"
        choices.append(Choice(ALL_FILES, f"after all {count(here, 'file')}", "", total))
    changed = changed_here(session.disk, root)
    if changed:
        note = "changed since the last commit"
        choices.append(Choice(CHANGED, f"after {count(changed, 'file')}", note))
    return choices


def code_here(session: ReadingSession, root: Path) -> tuple[str, ...]:
    """Return the files that an agent may work on; those that hold memory are none of its work."""
    memory = {source.path for source in session.library.sources}
    here = (path for path in files_here(session.disk, root) if root / path not in memory)
    return tuple(here)[:MOST]


def changed_here(disk: Disk, root: Path) -> tuple[str, ...]:
    """Return the files that were changed since the last commit; none without git."""
    from remem.code.changed_lines import Changes

    try:
        return tuple(each.path for each in Changes(disk, root).since_head().files)
    except NotPossible:
        return ()


def at_moment(session: ReadingSession, ask: Ask, chosen: str) -> Ask:
    """Return what is asked once a moment is chosen: a further file is added to those before."""
    root = within(session.library, ask.repository).ground.root
    if chosen == AT_START:
        return replace(ask, files=())
    if chosen == ALL_FILES:
        return replace(ask, files=code_here(session, root))
    if chosen == CHANGED:
        return replace(ask, files=changed_here(session.disk, root))
    further = _paths(session.disk, root, chosen.removeprefix(AFTER))
    return replace(ask, files=tuple(dict.fromkeys((*ask.files, *further))))


def _paths(disk: Disk, root: Path, typed: str) -> tuple[str, ...]:
    return worked_on(disk, root, [typed.strip().removeprefix(f"{root}/").removeprefix("./")])


OF_ROLE: Final = "role "
"""What the id of such a choice begins with; what follows is the role as `asker` names it."""
OF_AGENT: Final = "agent "
"""What the id of such a choice begins with; what follows is its place among the agents."""


def role_choices(session: ReadingSession) -> list[Choice]:
    """Return every role that a prompt is composed for, and its tokens; slow in large stores."""
    choices = []
    for ask in session.asks():
        prompt = session.compose(ask)
        if prompt.text:
            name = asker(ask)
            note = f"role in {ask.repository}" if ask.repository else "role"
            note = f"{note} · composed"
            told = _cost(prompt)
            choices.append(Choice(f"{OF_ROLE}{name}", name or EVERYONE, note, told))
    return choices


def agent_choices(agents: Sequence[Agent]) -> list[Choice]:
    """Return every agent that starts here, its tool, and the tokens that it starts with.

    A role of the same name is told apart by what is shown of it: a prompt that remem composes.
    """
    return [
        Choice(f"{OF_AGENT}{place}", agent.name, f"{agent.tool} · as loaded", _cost(agent))
        for place, agent in enumerate(agents)
    ]


def _cost(of: Prompt | Agent) -> str:
    return f"{number(of.tokens, exact=of.exact)} tokens"


STORY: Final = "story "
"""What the id of such a choice begins with; what follows is the story, or nothing for none."""


def story_choices(library: Library, asked: str) -> list[Choice]:
    """Return every story, what it is about and whether it is briefed, and a way back to none."""
    sources = library.of_format(SHAKTRA)
    briefed = {source.path.parent.name for source in briefings_among(sources)}
    choices = [Choice(STORY, "no story", "story")] if asked else []
    for name in story_names(sources):
        title = " ".join(story_of(sources, name).title.split())
        note = f"story · {title}" if title else "story"
        choices.append(
            Choice(f"{STORY}{name}", name, note, "briefed" if name in briefed else "no briefing")
        )
    return choices


def asked_for(ask: Ask, chosen: str) -> Ask:
    """Return what is asked once a story is chosen: the role stays, files are composed."""
    story = chosen.removeprefix(STORY)
    if ask.agent:
        return Ask(persona=ask.agent, layout=ask.layout, story=story)
    return replace(ask, story=story)


def whose_prompt(ask: Ask, whose: str) -> str:
    """Return whose prompt it is, as its pane is headed."""
    place = f" in {ask.folder}/" if ask.folder else ""
    name = dict(ask.layers).get("name", "")
    called = f" called {name}" if name else ""
    return " · ".join(filter(None, (f"{whose or EVERYONE}{called}{place}", ask.story)))


LAYER: Final = "layer "
"""What the id of such a choice begins with; what follows is `kind=name`, or `kind=` for none."""


def layer_choices(library: Library, ask: Ask) -> list[Choice]:
    """Return the layers that a role's prompt may have instead of its own, chosen ones first."""
    if not ask.role:
        return []
    chosen = dict(ask.layers)
    choices = [
        Choice(f"{LAYER}{kind}=", f"no {kind}", f"{kind} · now {name}")
        for kind, name in chosen.items()
    ]
    for kind, names in layers_of(library).items():
        choices += [
            Choice(
                f"{LAYER}{kind}={name}",
                name,
                "ownership" if kind == "ownership" else f"{kind} layer",
            )
            for name in names
            if chosen.get(kind) != name
        ]
    return choices


def name_typed(library: Library, ask: Ask) -> Choice | None:
    """Return what a typed text would be chosen as, the agent's name; `None` = nothing says it."""
    return (
        Choice(f"{LAYER}name=", "", "as the agent's name")
        if ask.role and has_name(library)
        else None
    )


def with_layer(ask: Ask, chosen: str) -> Ask:
    """Return what is asked once a layer is chosen: everything else stays."""
    kind, _, name = chosen.removeprefix(LAYER).partition("=")
    layers = {**dict(ask.layers), kind: name}
    return replace(ask, layers=tuple(each for each in layers.items() if each[1]))


FOLDER: Final = "folder "
"""What the id of such a choice begins with; what follows is the folder below the root."""


def folder_choices(library: Library, ask: Ask) -> list[Choice]:
    """Return the folders that the chosen agent gets something else in, and the way back."""
    if not ask.agent:
        return []
    back = [Choice(FOLDER, f"{ask.agent} in the root", "folder")] if ask.folder else []
    return back + [
        Choice(f"{FOLDER}{place}", f"{ask.agent} in {place}/", "folder")
        for place in sorted({*_folders(library)})
        if place != ask.folder
    ]


def started_in(ask: Ask, chosen: str) -> Ask:
    """Return what is asked once a folder is chosen."""
    return replace(ask, folder=chosen.removeprefix(FOLDER))


def _folders(library: Library) -> Iterator[str]:
    root = library.ground.root
    for source in plain_sources(library.sources):
        for reached in source.reached:
            if root in reached.folder.parents and source.plain.files != ("*",):
                yield reached.folder.relative_to(root).as_posix()
