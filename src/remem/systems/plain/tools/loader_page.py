"""The table of loaders as a page: each layout, how each tool loads it, and where that is said.

It is made from the data alone, so that page and program say the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from remem.model.layout import Base, Layout
from remem.model.loader import (
    Above,
    Below,
    Front,
    Keeps,
    Listing,
    Loads,
    Names,
    PlainLayout,
    Proof,
    Tool,
    Where,
)
from remem.model.source import LoaderKind
from remem.systems.plain.plain_layouts import PLAIN
from remem.systems.plain.tools.openclaw import OPENCLAW, OPENCLAW_LAYOUTS
from remem.systems.plain.tools.tool_data import TOOLS

_HEAD: Final = """\
# What each tool loads, and how remem knows

This page is made from `systems/plain/plain_layouts.py`, the tables of `systems/plain/tools/`
(`tool_data.py`, `proofs.py`, `late_proofs.py`, `further_layouts.py`, `further_tools.py`,
`openclaw.py`) and `systems/personas/persona_layouts.py`; a test holds it against them. *Not known*
is what neither the tool's own documentation says nor a run of it shows; remem shows it as *not
confirmed*, and never guesses.

A proof is a sentence of the tool's page with the day on which it was read, or what the tool itself
was seen to load: its first request, sent to a stub of the model, with an empty environment and a
home of its own. Where both disagree, the run decides. What joins *while it works* was seen in its
second request, after the stub had asked it to read a file.

Files marked *test* are the fixtures of `tests/systems/plain/test_plain_layouts.py`, one for
each layout.
"""
_WHERE: Final[Mapping[Where, str]] = {
    Where.HERE: "",
    Where.BELOW: "in every folder",
    Where.AROUND: "in every folder, and above the root",
}
_NAMES: Final[Mapping[Names, str]] = {
    Names.WORDS: "a name of a skill counts if it has only letters, digits, `_`, `.`, `:` and `-`",
    Names.TEXTS: "a skill counts if name and description are no number, date or switch in YAML",
}
_GLOBS: Final = frozenset(
    {Front.PATHS, Front.CURSOR, Front.APPLY_TO, Front.TRIGGER, Front.INCLUSION, Front.CONTINUE}
)
_FRONT: Final[Mapping[Front, str]] = {
    Front.NONE: "",
    Front.PATHS: "`paths` in its front matter: only for files that they fit",
    Front.CURSOR: "`alwaysApply`: always; `globs`: for files that they fit; `description`: the "
    "agent decides; none of them: by its name",
    Front.APPLY_TO: "for files that `applyTo` fits; without it, and with all files, always",
    Front.TRIGGER: "`trigger` says: always, by `globs`, by description, by its name",
    Front.INCLUSION: "`inclusion` says: always, as without it; by `fileMatchPattern`; by "
    "description; by its name",
    Front.CONTINUE: "always; with `globs` or `regex` for files that they fit; not with "
    "`alwaysApply: false` alone",
    Front.OPEN_SKILL: "name and description are listed; not without a description, and by "
    "most tools not without a name",
    Front.SKILL: "name and description are listed; not with `disable-model-invocation`, and with "
    "`paths` only for files that they fit",
}


def loaded_as(layout: PlainLayout) -> str:
    """Return in words how a layout's files are loaded, whichever tool it is."""
    if layout.front is not Front.NONE:
        return _FRONT[layout.front]
    return str(layout.loader.loader())


def loaders_page(named: Sequence[Layout]) -> str:
    """Return `docs/loaders.md`, with these layouts of named agents."""
    return "\n".join((_HEAD, *_tools(), *_nobody(), *_named(named))) + "\n"


def _tools() -> Iterator[str]:
    layouts = {layout.name: layout for layout in (*PLAIN, *OPENCLAW_LAYOUTS)}
    for tool in (*TOOLS, OPENCLAW):
        yield f"## {tool.title}\n"
        yield "| files | loaded | scope | not known |"
        yield "|---|---|---|---|"
        for loads in tool.loads:
            yield _row(layouts[loads.layout], loads)
        yield ""
        yield from _facts(tool)
        yield from _proofs(tool, layouts)


def _row(layout: PlainLayout, loads: Loads) -> str:
    cells = (
        _files(layout),
        _when(layout, loads),
        layout.scope,
        "; ".join(_not_known(layout, loads)),
    )
    return f"| {' | '.join(cells)} |"


def _not_known(layout: PlainLayout, loads: Loads) -> Iterator[str]:
    if loads.unknown:
        yield loads.unknown
    elif not loads.proofs:
        yield "no page and no run shows this rule"
    is_below = loads.below is Below.ON_WORK and layout.where is not Where.HERE
    if (is_below or layout.front in _GLOBS) and not (loads.never or loads.late):
        yield "when they join while the agent works"


def _files(layout: PlainLayout) -> str:
    where = _WHERE[layout.where]
    test = "" if layout in OPENCLAW_LAYOUTS else f" (test: `{layout.name}`)"
    return f"{_named_files(layout)} {where}".strip() + test


def _named_files(layout: PlainLayout) -> str:
    home = "~/" if layout.base is Base.HOME else ""
    return ", ".join(f"`{home}{name}`" for name in layout.files)


def _when(layout: PlainLayout, loads: Loads) -> str:
    if loads.never:
        return f"never: {loads.never}"
    said = "not known" if loads.loader is LoaderKind.NOT_KNOWN else loaded_as(layout)
    if loads.lists_agents:
        said = "name and description are listed to the one that may call it"
    if loads.loader is LoaderKind.WHOLE and loads.keeps is Keeps.FRONT:
        said = "whole, with its front matter"
    parts = [said]
    if loads.above is Above.ALL:
        parts.append("those above the working folder too")
    elif loads.above is Above.PROJECT:
        parts.append("those above too, up to the top of the checkout")
    elif loads.above is Above.CHECKOUT:
        parts.append("those above too, up to the top of the checkout, and none without one")
    elif loads.above is Above.ONLY_TOP:
        parts.append("those of the top of the checkout alone, of the working folder without one")
    elif loads.above is Above.ONLY_CHECKOUT:
        parts.append("that of the top of the checkout alone, and none without one")
    if layout.where is not Where.HERE:
        below = {
            Below.NEVER: "those below never",
            Below.ON_WORK: "those below when the agent works there",
            Below.AT_START: "those below at the start",
        }
        parts.append(f"{below[loads.below]}{', and no others' if loads.below_alone else ''}")
    parts += [f"not where `{name}` is" for name in loads.unless]
    parts += [f"not beside `{name}`" for name in loads.unless_beside]
    if loads.most_parts == 1:
        parts.append("the file alone, no folder of that name")
    if loads.files_first:
        parts.append("the files of a folder before those of the folders in it")
    if loads.by_disk:
        parts.append("in the order in which the disk lists them")
    if loads.keeps is Keeps.BARE:
        parts.append("front matter and comments taken out")
    if loads.keeps in (Keeps.NO_FRONT, Keeps.BODY):
        parts.append("front matter taken out")
    if loads.nearest:
        parts.append("the nearest alone")
    if loads.most_characters:
        parts.append(f"of more than {loads.most_characters:,} characters beginning and end")
    if loads.no_links:
        parts.append("a link never")
    if loads.no_linked_files_from >= 0:
        parts.append("no file in it that is a link")
    if loads.no_linked_folders_from >= 0:
        parts.append("no folder in it that is a link")
    if loads.no_dots_from >= 0:
        parts.append("no folder with a dot in front below")
    if layout.mark:
        parts.append(f"at most {layout.mark:,} characters")
    return "; ".join(parts)


def _facts(tool: Tool) -> Iterator[str]:
    if tool.imports:
        how = "where they stand" if tool.inlines else "behind the file"
        yield f"- `@` imports are followed {tool.imports} files deep, {how}"
    if tool.most_bytes:
        yield f"- all files of the project together: at most {tool.most_bytes:,} bytes"
    if tool.most_characters:
        yield f"- all files together: at most {tool.most_characters:,} characters"
    if tool.listing is Listing.LAST:
        yield "- skills of one folder are listed from the last name to the first"
        yield "- of skills that are called alike, the one in the lowest row of the table is listed"
    if tool.lists_any_alike:
        yield "- of skills that are called alike, the one that it happens to read last is listed"
    if tool.leaves_hidden:
        yield "- a skill with `disable-model-invocation: true` is not listed"
    if tool.follows_no:
        yield f"- no skill whose {tool.follows_no} is a link is listed"
    if tool.names is not Names.ANY:
        yield f"- {_NAMES[tool.names]}"
    yield from (f"- not shown: {each}" for each in tool.unseen)
    yield ""


def _proofs(tool: Tool, layouts: Mapping[str, PlainLayout]) -> Iterator[str]:
    """Yield what proves each rule, below the table of the tool."""
    yield "Proofs:\n"
    for loads in tool.loads:
        named = _named_files(layouts[loads.layout])
        yield from (f"- {named}: {_said(proof)}" for proof in loads.proofs)
        yield from (f"- {named}, while it works: {_said(proof)}" for proof in loads.late)
    yield from (f"- {fact.rule}: {_said(fact.proof)}" for fact in tool.facts)
    yield ""


def _said(proof: Proof) -> str:
    """Return a sentence with where and when it was read or seen."""
    of = f", {proof.version}" if proof.version else ""
    if proof.page:
        return f"“{proof.says}” ({_link(proof.page)}, read {proof.read}{of})"
    return f"seen: {proof.says} (run {proof.read}{of})"


def _nobody() -> Iterator[str]:
    loaded = {loads.layout for tool in TOOLS for loads in tool.loads}
    yield "## Loaded by no tool by itself\n"
    yield "| files | loaded | scope | said by |"
    yield "|---|---|---|---|"
    for layout in PLAIN:
        if layout.name not in loaded:
            cells = (_files(layout), loaded_as(layout), layout.scope, _link(layout.claim))
            yield f"| {' | '.join(cells)} |"
    yield ""


def _named(layouts: Sequence[Layout]) -> Iterator[str]:
    yield "## Named agents\n"
    yield "| files | tool | loaded | scope | known from |"
    yield "|---|---|---|---|---|"
    for layout in layouts:
        yield from _persona_rows(layout)


def _persona_rows(layout: Layout) -> Iterator[str]:
    home = "~/" if layout.base is Base.HOME else ""
    for file in layout.memory:
        loader = "composed" if layout.composed else str(file.loader.loader())
        name = f"`{home}{layout.folder}/{file.pattern}`"
        yield f"| {name} | {layout.tool} | {loader} | {layout.scope} | {layout.claim} |"


def _link(claim: str) -> str:
    if not claim.startswith("https://"):
        return claim or "not known"
    host = claim.removeprefix("https://").partition("/")[0]
    return f"[{host}]({claim})"
