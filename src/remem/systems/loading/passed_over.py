"""What tools that are used at a root pass over for what stands in it, and what stops a tool."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from remem.core.checks.issue import Issue
from remem.core.library import Library
from remem.edit.markdown import front_matter_end
from remem.model.entry import Problem
from remem.model.loader import FOR_A_PERSON, Below, Listing, Loads, Tool
from remem.model.prompt import Ask
from remem.systems.loading.agent_refusals import why_unlisted
from remem.systems.loading.load_rules import Work, ways_of
from remem.systems.loading.opencode_agents import beginning
from remem.systems.plain.front_forms import fault_of
from remem.systems.plain.opencode_stops import stops
from remem.systems.plain.source import FORMAT, PlainSource, Reached, plain_sources
from remem.systems.plain.taken_values import Fault
from remem.systems.plain.tools.tool_ids import OPENCODE
from remem.systems.plain.tools.tools_of_project import set_tools, used_tools

PASSED_OVER: Final = "passed-over"


def issues(library: Library) -> Iterator[Issue]:
    """Yield each agent, skill and command that a tool in use passes over, and what stops one.

    What lies below the root, where the tool looks only once it is started there, is left alone.
    """
    ground = library.ground
    around = {ground.root, *ground.root.parents}
    sources = [s for s in plain_sources(library.of_format(FORMAT)) if not s.archived]
    for tool in used_tools(ground, set_tools(ground), sources):
        rows = {
            row.layout: row
            for row in tool.loads
            if row.lists or row.lists_agents or (tool.by_name and not row.never)
        }
        for source in sources:
            for reached in source.reached:
                row = rows.get(reached.layout)
                if row is None or row.never:
                    continue
                is_here = reached.scope == "user" or reached.folder in around
                if is_here or row.below is not Below.NEVER:
                    yield from _issue(tool, row, source, reached)
                    break
        if tool.stopped is not None:
            yield Issue(tool.stopped)
        yield from map(Issue, tool.aside)
        if tool.id == OPENCODE:
            yield from map(Issue, stops(ground, sources, ground.root))
            ask = Ask(agent=tool.title)
            ways = ways_of(tool, sources, Work.of(ground, tool, ask))
            problem = beginning(ground, ask, ways).problem
            if problem is not None:
                yield Issue(problem)


def _issue(tool: Tool, row: Loads, source: PlainSource, reached: Reached) -> Iterator[Issue]:
    if tool.by_name:
        yield from _of_a_rule(source)
        return
    if source.path.suffix == ".md" and not front_matter_end(source.data):
        return
    kind = "agent" if row.lists_agents else "command" if row.are_commands else "skill"
    fault = fault_of(tool.id, kind, source.data)
    if fault is not None and fault.stops:
        return
    why = _why(tool, row, source, reached, fault)
    if why:
        yield Issue(
            Problem(
                PASSED_OVER,
                f"{tool.title} skips `{source.name}` as {'an' if kind == 'agent' else 'a'} {kind}: "
                f"{why}",
                "correct its front matter, or keep it as documentation",
                source.path,
                fault.line if fault is not None else 1,
            )
        )


def _of_a_rule(source: PlainSource) -> Iterator[Issue]:
    """Yield why Cline, which alone goes by names, takes no rule from a file."""
    from remem.systems.plain.cline_rules import cline_rule

    rule = cline_rule(source.data)
    if rule.why and not rule.is_off:
        said = rule.why.removeprefix("Cline skips it: ")
        message = f"Cline skips `{source.name}` as a rule: {said}"
        hint = "correct its front matter, or take it out"
        yield Issue(Problem(PASSED_OVER, message, hint, source.path, rule.line))


def _why(tool: Tool, row: Loads, source: PlainSource, reached: Reached, fault: Fault | None) -> str:
    if fault is not None:
        return fault.said
    if row.lists_agents:
        why = why_unlisted(tool, source, reached)
        return "" if why == FOR_A_PERSON else why.removeprefix(f"{tool.title} skips it: ")
    parts = source.told.parts
    return parts.refusal if parts is not None and tool.listing is Listing.PLACES else ""
