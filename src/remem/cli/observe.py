"""The command `observe`: writes down what was noticed while a story was worked on."""

from __future__ import annotations

import click

from remem.cli.execute import acknowledge_option, carry_out, dry_run_option
from remem.cli.invocation import Invocation, RenamedOption, common_options, pass_invocation
from remem.model.change import Intent, Json
from remem.systems.shaktra.records import PHASES, RELATIONSHIPS, SEVERITIES, TYPES, WORKFLOWS
from remem.systems.shaktra.shaktra_verbs import OBSERVE, Observe


@click.command("observe")
@click.argument("story", default="", metavar="[STORY]")
@click.option(
    "--workflow",
    default="",
    metavar="NAME",
    help=f"Workflow, for work without a story: one of {', '.join(WORKFLOWS)}.",
)
@click.option("--type", "kind", required=True, metavar="TYPE", help=f"One of {', '.join(TYPES)}.")
@click.option("--text", required=True, metavar="TEXT", help="The observation.")
@click.option(
    "--as",
    "--agent",
    "agent",
    cls=RenamedOption,
    default="",
    metavar="NAME",
    help="Author; default: you.",
)
@click.option(
    "--phase", default="", help=f"One of {', '.join(PHASES)}; default: that of the hand-off."
)
@click.option(
    "--importance", type=int, default=5, show_default=True, help="Importance from 1 to 10."
)
@click.option("--tags", multiple=True, metavar="TAG", help="Tags; repeatable or comma-separated.")
@click.option("--principle", default="", metavar="ID", help="The entry that was checked.")
@click.option(
    "--relationship", default="", help=f"Result of the check: {', '.join(RELATIONSHIPS)}."
)
@click.option("--severity", default="", help=f"Severity of a finding: {', '.join(SEVERITIES)}.")
@click.option("--resolved/--unresolved", default=None, help="Of a finding.")
@click.option("--iterations", type=int, default=None, help="Review rounds of a finding.")
@acknowledge_option
@dry_run_option
@common_options
@pass_invocation
def observe(
    invocation: Invocation,
    story: str,
    workflow: str,
    kind: str,
    text: str,
    agent: str,
    phase: str,
    importance: int,
    tags: tuple[str, ...],
    principle: str,
    relationship: str,
    severity: str,
    resolved: bool | None,
    iterations: int | None,
    acknowledge: tuple[str, ...],
    dry_run: bool,
) -> None:
    """Record an observation in a story or workflow.

    STORY is a file or folder in `.shaktra/stories`; the observation is appended to the story's
    file and counted by `remem consolidate`. With `--workflow` it goes to today's file in
    `.shaktra/observations`.
    """
    given: dict[str, Json] = {
        "type": kind,
        "text": text,
        "agent": agent,
        "phase": phase,
        "importance": importance,
        "tags": [tag.strip() for each in tags for tag in each.split(",") if tag.strip()],
        "principle_id": principle,
        "relationship": relationship,
        "severity": severity,
        "resolved": resolved,
        "iterations": iterations,
    }
    fields: dict[str, Json] = {
        name: each for name, each in given.items() if each not in (None, "", [])
    }
    arguments = Observe(story=story, workflow=workflow, fields=fields).to_json()
    if acknowledge:
        arguments["acknowledged"] = [*acknowledge]
    carry_out(invocation, Intent(OBSERVE.id, arguments=arguments), dry_run=dry_run)
