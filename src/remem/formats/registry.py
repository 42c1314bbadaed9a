"""Every format that remem reads, one line each; prompts put their layers in this order."""

from typing import Final

from remem.formats.learnings.format import Learnings
from remem.formats.own import Own
from remem.formats.personas.format import Personas
from remem.formats.plain.format import Plain
from remem.formats.protocol import Format
from remem.formats.shaktra.format import Shaktra
from remem.formats.sniper.format import Sniper
from remem.formats.verified.format import Verified
from remem.formats.workspace.format import Workspaces

FORMATS: Final[tuple[Format, ...]] = (
    Workspaces(),
    Sniper(),
    Learnings(),
    Personas(),
    Plain(),
    Shaktra(),
    Verified(),
    Own(),
)

UNREAD: Final[tuple[str, ...]] = ()
"""Places below a root that hold memory of systems that no format here reads."""
