"""The verbs of a SNIPER project: its memory, retros, estimates, spawn page, packs and checks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from remem.core.library import Library
from remem.core.verbs.args import Args, argument, option, other_doors
from remem.core.verbs.verb import Writing, needs, read_only
from remem.model.change import Change, Intent, Json
from remem.model.entry import Entry


def _can_take(library: Library, entry: Entry) -> str | None:
    from remem.systems.sniper.estimates import can_take

    return can_take(library, entry)


class RetroIngest(Args):
    """Do what the rules make of a retro."""

    path: str = other_doors("Path of the retro's file.")


def _plan_ingest(library: Library, intent: Intent, args: RetroIngest) -> Change:
    from remem.systems.sniper.retro.retro_ingest import plan_ingest

    return plan_ingest(library, intent, args)


RETRO_INGEST: Final = Writing(
    id="retro.ingest",
    title="Ingest retro",
    group="Decide",
    args=RetroIngest,
    plan=_plan_ingest,
)


class RetroRun(Args):
    """Make a sprint's retro from its commits, gate reports and stories.

    `agent.command` in your settings is asked for patterns: any program that reads a prompt on
    stdin and answers on stdout. Without one, only measured data is written.
    """

    document: Mapping[str, Json] = other_doors("The retro's content.", default_factory=dict)
    asked: bool = other_doors("A model contributed to it.", default=False)
    again: bool = option(
        "--again", "Replace a retro made by `retro run` that has no decisions.", default=False
    )
    notes: tuple[str, ...] = other_doors("Notes for the reviewer.", default=())


def _plan_retro_run(library: Library, intent: Intent, args: RetroRun) -> Change:
    from remem.systems.sniper.retro.retro_run import plan_retro_run

    return plan_retro_run(library, intent, args)


RETRO_RUN: Final = Writing(
    id="retro.run",
    title="Run retro",
    group="Keep",
    args=RetroRun,
    plan=_plan_retro_run,
    command="retro run",
    follows="never",
)


class Init(Args):
    """Create the files of a project memory.

    Existing files stay as they are.
    """

    templates: bool = option(
        "--templates",
        "Add example records, a retro analyst and its team.",
        default=False,
    )


def _plan_init(library: Library, intent: Intent, args: Init) -> Change:
    from remem.systems.sniper.init_and_prompt_files import plan_init

    return plan_init(library, intent, args)


INIT: Final = Writing(
    id="init",
    title="Set up",
    help="Create an empty project memory.",
    group="Keep",
    args=Init,
    plan=_plan_init,
    command="init",
    follows="never",
)


class SpawnWrite(Args):
    """Write a composed prompt into `.sniper/spawn-prompts/`."""

    name: str = other_doors("The agent's name.", filled=True)
    text: str = other_doors("The prompt.")


def _plan_spawn_write(library: Library, intent: Intent, args: SpawnWrite) -> Change:
    from remem.systems.sniper.init_and_prompt_files import plan_spawn_write

    return plan_spawn_write(library, intent, args)


SPAWN_WRITE: Final = Writing(
    id="spawn.write",
    title="Write spawn prompt",
    group="Keep",
    args=SpawnWrite,
    plan=_plan_spawn_write,
    follows="never",
)


class EstimatesTake(Args):
    """Apply a retro's estimation patterns.

    REF is a finding about estimates: `sniper:sprint-7-retro/patterns/1`.
    """

    factor: bool = option("--factor", "Apply the proposed velocity factor.", default=False)


def _plan_take(library: Library, intent: Intent, args: EstimatesTake) -> Change:
    from remem.systems.sniper.estimates import plan_take

    return plan_take(library, intent, args)


ESTIMATES_TAKE: Final = Writing(
    id="estimates.take",
    title="Apply",
    key="a",
    help="Apply the pattern to the estimates.",
    group="Decide",
    why_not=needs(_can_take),
    args=EstimatesTake,
    plan=_plan_take,
    command="estimates take",
    takes="[REF...]",
    acknowledges=True,
)


class PackImport(Args):
    """Import a pack from another project.

    New entries become candidates, as one change. `--dry-run` shows for each what it resembles, and
    what approving all would do to prompts.
    """

    path: str = argument("FILE")
    digest: str = other_doors("Digest of the file that was shown.", default="")


def _plan_import(library: Library, intent: Intent, args: PackImport) -> Change:
    from remem.systems.sniper.pack_plan import plan_import

    return plan_import(library, intent, args)


PACK_IMPORT: Final = Writing(
    id="pack.import",
    title="Import pack",
    help="Import a pack; new entries become candidates.",
    group="Keep",
    args=PackImport,
    plan=_plan_import,
    command="import",
    acknowledges=True,
    follows="never",
)


class CheckByMachine(Args):
    """Show a rule's check and its matches, or add one.

    Uses the entry's `detect:`, else a check derived from its hint, else the pattern you give.
    `--apply` writes it into the entry; `--all` covers every rule without a check.
    """

    detect: Mapping[str, Json] | None = other_doors(
        "The pattern; default: derived from the entry's hint.", default=None
    )


def _plan_detect(library: Library, intent: Intent, args: CheckByMachine) -> Change:
    from remem.systems.sniper.detect_plan import plan_detect

    return plan_detect(library, intent, args)


_SNIPER: Final = "sniper"


def _is_no_rule(library: Library, entry: Entry) -> str | None:
    is_kept_so = entry.ref.format == _SNIPER or library.is_shared(entry.ref)
    if not is_kept_so or entry.kind not in library.format_of(entry).facets.text_fields:
        return "only conventions, anti-patterns and decisions can have checks"
    return read_only(library, entry)


DETECT: Final = Writing(
    id="detect",
    title="Add check",
    key="D",
    help="Add an automatic check, with live matches.",
    group="Decide",
    why_not=needs(_is_no_rule),
    args=CheckByMachine,
    plan=_plan_detect,
    shows="always",
    command="detect",
    takes="[REF]",
    pinned=True,
    acknowledges=True,
)

VERBS: Final = (
    RETRO_INGEST,
    ESTIMATES_TAKE,
    RETRO_RUN,
    INIT,
    SPAWN_WRITE,
    PACK_IMPORT,
    DETECT,
)
