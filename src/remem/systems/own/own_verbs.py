"""The verbs that keep what the gate found or accepts, and that put the server into a program."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from remem.core.library import Library
from remem.core.verbs.args import Args, other_doors
from remem.core.verbs.verb import Writing
from remem.model.change import Change, Intent, Json


class GateRecord(Args):
    """Let what the gate found wait in Review."""

    found: tuple[Mapping[str, Json], ...] = other_doors(
        "What breaks which rule: `{rule, places: [{path, line, text}]}` each.", default=()
    )
    looked: str = other_doors(
        "What was checked, as options of `check`; default: the work tree.", default=""
    )


def _plan_record(library: Library, intent: Intent, args: GateRecord) -> Change:
    from remem.systems.own.record_plan import plan_record

    return plan_record(library, intent, args)


GATE_RECORD: Final = Writing(
    id="gate.record",
    title="Record findings",
    group="Keep",
    args=GateRecord,
    plan=_plan_record,
)


class GateBaseline(Args):
    """Accept all that is broken now: the gate tells only what is new."""

    found: tuple[Mapping[str, Json], ...] = other_doors(
        "What breaks which rule: `{rule, places: [{path, line, text}]}` each.", default=()
    )


def _plan_baseline(library: Library, intent: Intent, args: GateBaseline) -> Change:
    from remem.systems.own.write_baseline import plan_baseline

    return plan_baseline(library, intent, args)


GATE_BASELINE: Final = Writing(
    id="gate.baseline",
    title="Accept current violations",
    group="Keep",
    args=GateBaseline,
    plan=_plan_baseline,
)


class McpInstall(Args):
    """Add remem's server to a client in this project."""

    client: str = other_doors("`claude`, `cursor`, `vscode`, …")
    server: tuple[str, ...] = other_doors(
        "The command that starts the server", default=("remem", "mcp")
    )


def _plan_install(library: Library, intent: Intent, args: McpInstall) -> Change:
    from remem.systems.own.mcp_clients import plan_install

    return plan_install(library, intent, args)


MCP_INSTALL: Final = Writing(
    id="mcp.install",
    title="Add remem's server to a client",
    help="Create the project's file that tells a client to start remem's server.",
    group="Keep",
    args=McpInstall,
    plan=_plan_install,
    shows="always",
    follows="never",
)

VERBS: Final = (
    GATE_RECORD,
    GATE_BASELINE,
    MCP_INSTALL,
)
