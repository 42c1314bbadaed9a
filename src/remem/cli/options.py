"""The options that every command has, and how a command gets what they say.

`--root`, `--home`, `--repo` and `--json` may stand before or after a command's name; the one beside
the command wins.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from remem.cli.invocation import Invocation

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


class RenamedOption(click.Option):
    """An option whose help shows one spelling, though older ones are taken."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        known, self.opts = self.opts, self.opts[:1]
        try:
            return super().get_help_record(ctx)
        finally:
            self.opts = known


pass_invocation = click.make_pass_decorator(Invocation, ensure=True)


def common_options(command: Decorated) -> Decorated:
    """Add the options that every command has, which go to the session and not to the function."""
    return _REPO(root_options(command))


def root_options(command: Decorated) -> Decorated:
    """Add them without `--repo`, where that names the repository that a fact is about."""
    for option in (_QUIET, _JSON, _HOME, _ROOT):
        command = option(command)
    return command


def _keep(name: str) -> Callable[[click.Context, click.Parameter, object], None]:
    def keep(ctx: click.Context, _: click.Parameter, value: object) -> None:
        if value:
            setattr(ctx.ensure_object(Invocation), name, value)

    return keep


_ROOT = click.option(
    "--root",
    metavar="DIR",
    expose_value=False,
    callback=_keep("root_given"),
    help="Project folder; default: the project around the current folder.",
)
_HOME = click.option(
    "--home",
    metavar="DIR",
    expose_value=False,
    callback=_keep("home_given"),
    help="Home folder with user-level memory; also `REMEM_HOME`.",
)
_REPO = click.option(
    "--repo",
    metavar="NAME",
    expose_value=False,
    callback=_keep("repo_given"),
    help="Repository of the workspace; default: the current one.",
)
_JSON = click.option(
    "--json",
    is_flag=True,
    expose_value=False,
    callback=_keep("as_json"),
    help="Print one JSON document on stdout, errors included.",
)
_QUIET = click.option(
    "--quiet",
    is_flag=True,
    expose_value=False,
    callback=_keep("is_quiet"),
    help="Print no notes on stderr; errors and warnings still appear.",
)
