"""The commands about remem's own settings: where they lie, what counts, and setting one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import click

from remem.base.text import did_you_mean
from remem.cli.failure import BadUsage
from remem.cli.find_named import shown_path
from remem.cli.invocation import Invocation
from remem.cli.options import common_options, pass_invocation
from remem.cli.out import emit, print_table, say
from remem.cli.verb_command import command_of
from remem.core.settings import (
    USER_ONLY,
    Config,
    read_config,
    read_settings,
    settings_files,
    settings_of,
)
from remem.core.verbs.settings_verbs import SET_SETTING
from remem.core.verbs.write_setting import ROOT, USER
from remem.edit.yaml_write import flow
from remem.views.documents.settings import (
    ConfigPathReport,
    ConfigShowReport,
    SettingReport,
    SettingsFileReport,
    SettingsProblemReport,
)

_PASSWORD: Final = re.compile(r"(?<=://)([^\s/@:]*):[^\s/@]*@")


@click.group("config", context_settings={"help_option_names": ["-h", "--help"]})
@common_options
def config() -> None:
    """Show and change settings."""


@config.command("path")
@common_options
@pass_invocation
def path(invocation: Invocation) -> None:
    """Print the paths of your settings and the team's."""
    disk = invocation.session.disk
    files = settings_files(invocation.root, invocation.places)
    report = ConfigPathReport(
        files=tuple(
            SettingsFileReport(whose=whose, path=str(file), exists=disk.kind(file) == "file")
            for whose, file in files.items()
        )
    )
    if invocation.as_json:
        emit(report)
        return
    print_table(
        ("WHOSE", "FILE", ""),
        [
            (
                "yours" if each.whose == USER else "team",
                each.path,
                "" if each.exists else "does not exist yet",
            )
            for each in report.files
        ],
    )


@config.command("show")
@click.argument("key", default="", metavar="[KEY]")
@common_options
@pass_invocation
def show(invocation: Invocation, key: str) -> None:
    """Print every setting, its value and the file it comes from.

    KEY is one setting, or a group such as `tokens`.
    """
    disk, root, places = invocation.session.disk, invocation.root, invocation.places
    loaded, problems = read_config(disk, root, places)
    given = {
        whose: read_settings(disk, file)[0] for whose, file in settings_files(root, places).items()
    }
    settings = tuple(
        SettingReport(key=name, value=_shown(name, value, places.database), source=source)
        for name, value in settings_of(loaded).items()
        if not key or name == key or name.startswith(f"{key}.")
        for source in [_source(name, given, places.database)]
    )
    if not settings:
        raise _unknown(key)
    report = ConfigShowReport(
        settings=settings,
        problems=tuple(
            SettingsProblemReport(path=str(each.path or ""), message=each.message, hint=each.hint)
            for each in problems
        ),
    )
    if invocation.as_json:
        emit(report)
        return
    print_table(
        ("SETTING", "VALUE", "FROM"), [(each.key, each.value, each.source) for each in settings]
    )
    for problem in report.problems:
        where = f"{shown_path(invocation, problem.path)}: " if problem.path else ""
        say(f"problem: {where}{problem.message}\n  hint: {problem.hint}")


config.add_command(command_of(SET_SETTING))


def _unknown(key: str) -> BadUsage:
    hint = did_you_mean(key, settings_of(Config())) or "`remem config show` lists them"
    return BadUsage(f"unknown setting `{key}`", hint=hint)


def _shown(name: str, value: Any, address: str) -> str:
    if name == "database.url":
        return _PASSWORD.sub(r"\1:***@", address or value)
    if name == "layouts":
        return ", ".join(each.name for each in value)
    if isinstance(value, Mapping):
        return flow({key: _plain(each) for key, each in value.items()})
    return flow(_plain(value))


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _source(name: str, given: Mapping[str, Mapping[str, Any]], address: str) -> str:
    """Return which file a setting's value comes from; the user's comes before the root's."""
    if name == "database.url" and address:
        return "environment"
    for whose in (USER, ROOT):
        if _stands_in(given[whose], name) and not (
            whose == ROOT and name.partition(".")[0] in USER_ONLY
        ):
            return whose
    return "default"


def _stands_in(values: Mapping[str, Any], name: str) -> bool:
    inner: Any = values
    for step in name.split("."):
        if not isinstance(inner, Mapping) or step not in inner:
            return False
        inner = inner[step]
    return True
