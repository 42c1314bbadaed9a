"""The commands about layouts: where plain files of agents lie, and folders that none reads yet."""

from __future__ import annotations

import click

from remem.cli.invocation import Invocation
from remem.cli.options import common_options, pass_invocation
from remem.cli.out import emit, print_table
from remem.cli.verb_command import command_of
from remem.core.verbs.settings_verbs import ADD_LAYOUT
from remem.systems.plain.source import plain_sources
from remem.systems.plain.tools.loader_page import loaded_as
from remem.views.documents.settings import LayoutReport, LayoutsReport


@click.group("layout", context_settings={"help_option_names": ["-h", "--help"]})
@common_options
def layout() -> None:
    """Show where agents' files are and how they are loaded."""


@layout.command("list")
@common_options
@pass_invocation
def list_layouts(invocation: Invocation) -> None:
    """List the layouts of instruction files, and how many files each has here."""
    library = invocation.session.library
    counts: dict[str, int] = {}
    for source in plain_sources(library.sources):
        for reached in source.reached:
            counts[reached.layout] = counts.get(reached.layout, 0) + 1
    layouts = library.ground.plain
    if invocation.as_json:
        emit(
            LayoutsReport(
                layouts=tuple(
                    LayoutReport(
                        name=each.name,
                        tool=each.tool,
                        scope=each.scope,
                        files=each.files,
                        loader=loaded_as(each),
                        claim=each.claim,
                        found=counts.get(each.name, 0),
                    )
                    for each in layouts
                )
            )
        )
        return
    print_table(
        ("LAYOUT", "TOOL", "FILES", "LOADED", "HERE"),
        [
            (
                each.name,
                each.tool or "not known",
                ", ".join(each.files),
                loaded_as(each),
                str(counts.get(each.name, 0)),
            )
            for each in layouts
        ],
    )


layout.add_command(command_of(ADD_LAYOUT))
