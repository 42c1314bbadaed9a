"""The verbs that write settings: one of them, or a layout in the root's own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from remem.core.library import Library
from remem.core.verbs.args import Args, argument, option
from remem.core.verbs.verb import Writing
from remem.model.change import Change, Intent


def _settings(library: Library) -> Iterator[tuple[str, str]]:
    from remem.core.settings import Config, settings_of

    return ((name, "") for name in settings_of(Config()))


class ConfigSet(Args):
    """Change one setting, such as `tokens.budget`.

    VALUE is YAML: a number, a word, `[a, list]`. The rest of the file stays as it is. Settings
    that start programs or open connections only work in your own file.
    """

    key: str = argument("KEY", offers=_settings)
    value: str | None = argument("[VALUE]", default=None)
    unset: bool = option("--default", "Remove it, so the default applies.", default=False)
    shared: bool = option(
        "--shared", "Write it for the team, into `.remem/config.yaml`.", default=False
    )


def _plan_set_setting(library: Library, intent: Intent, args: ConfigSet) -> Change:
    from remem.core.verbs.write_setting import plan_set_setting

    return plan_set_setting(library, intent, args)


SET_SETTING: Final = Writing(
    id="config.set",
    title="Set",
    help="Write a setting into your own or the team's config.",
    group="Keep",
    args=ConfigSet,
    plan=_plan_set_setting,
    command="config set",
)


class LayoutAdd(Args):
    """Read a folder as an agent's notes.

    FOLDER is inside the project. The layout is written to the team's `.remem/config.yaml`, where
    you can refine how its files are loaded.
    """

    folder: str = argument("FOLDER")
    tool: str = option("--tool", "Who loads it, if known.", default="")


def _plan_add_layout(library: Library, intent: Intent, args: LayoutAdd) -> Change:
    from remem.core.verbs.write_setting import plan_add_layout

    return plan_add_layout(library, intent, args)


ADD_LAYOUT: Final = Writing(
    id="layout.add",
    title="Add layout",
    group="Keep",
    args=LayoutAdd,
    plan=_plan_add_layout,
    command="layout add",
)


class MergeDriver(Args):
    """Let git merge memory files by entry."""


def _plan_merge_driver(library: Library, intent: Intent, _: MergeDriver) -> Change:
    from remem.core.verbs.merge_driver import plan_merge_driver

    return plan_merge_driver(library, intent)


MERGE_DRIVER: Final = Writing(
    id="merge.driver",
    title="Merge by entry",
    help="Let git merge memory files by entry.",
    group="Keep",
    args=MergeDriver,
    plan=_plan_merge_driver,
    shows="always",
    follows="never",
)

VERBS: Final = (ADD_LAYOUT, SET_SETTING, MERGE_DRIVER)
