"""The command `screenshot`."""

from __future__ import annotations

from pathlib import Path

import click

from remem.cli.invocation import Invocation
from remem.cli.options import common_options, pass_invocation
from remem.cli.out import emit, show_text
from remem.views.documents.made import ScreenshotReport


@click.command("screenshot")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option(
    "--write", default="screenshots", metavar="DIR", help="Output folder.", show_default=True
)
@common_options
@pass_invocation
def screenshot(invocation: Invocation, names: tuple[str, ...], write: str) -> None:
    """Render the screens as SVG.

    They show the demo, so two renderings of one version are identical.
    """
    from remem.cli.open import draw_screens

    written = draw_screens(Path(write).expanduser().absolute(), names)
    if invocation.as_json:
        emit(ScreenshotReport(written=tuple(map(str, written))))
        return
    for path in written:
        show_text(str(path))
