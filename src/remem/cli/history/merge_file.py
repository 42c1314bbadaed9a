"""The command `merge-file`: what git runs to merge a memory file, entry by entry."""

from __future__ import annotations

from pathlib import Path

import click

from remem.cli.invocation import Invocation
from remem.cli.options import common_options, pass_invocation

_YAML = (".yaml", ".yml")


@click.command("merge-file")
@click.argument("base", metavar="%O", type=click.Path(dir_okay=False))
@click.argument("ours", metavar="%A", type=click.Path(dir_okay=False))
@click.argument("theirs", metavar="%B", type=click.Path(dir_okay=False))
@click.option("--path", "name", default="", metavar="%P", help="What the file is called.")
@click.option("--marks", default=7, metavar="%L", help="Length of the conflict markers.")
@common_options
@pass_invocation
def merge_file(
    invocation: Invocation, base: str, ours: str, theirs: str, name: str, marks: int
) -> None:
    """Merge two versions of a memory file (git merge driver).

    Entries of both sides are kept. An entry that both sides changed, or one changed and the other
    removed, is a conflict in git's format and exits with 1. The result is written to %A, as git
    expects; `remem init --merge-driver` sets it up.
    """
    from remem.base.text import count
    from remem.cli.out import emit, say
    from remem.edit.merge_entries import merge_entries
    from remem.store.cache_file import put
    from remem.store.io import Disk
    from remem.views.documents.entries import MergeFileReport

    disk = Disk()
    paths = [Path.cwd() / each for each in (base, ours, theirs)]
    one, two, three = (disk.read(path) if disk.kind(path) else b"" for path in paths)
    is_yaml = Path(name or ours).suffix in _YAML
    merged = merge_entries(one, two, three, is_yaml=is_yaml, marks=marks)
    put(disk, paths[1], merged.data)
    if invocation.as_json:
        emit(MergeFileReport(path=name or ours, conflicts=merged.conflicts))
    elif merged.conflicts:
        say(f"`{name or ours}`: {count(merged.conflicts, 'conflict')} left for you")
    if merged.conflicts:
        click.get_current_context().exit(1)
