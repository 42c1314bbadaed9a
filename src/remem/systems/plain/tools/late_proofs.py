"""What proves when files join while an agent works: by a folder, by a glob, because it opens them.

The rows of a tool stand in the order in which files of one folder join. A run is the second request
of the tool: the stub of the model asked it to read a file.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from remem.model.loader import Proof
from remem.systems.plain.plain_layouts import (
    AGENTS,
    CLAUDE_AGENTS,
    CLAUDE_DOCS,
    COPILOT_DOCS,
    CURSOR_DOCS,
    GEMINI_DOCS,
)

_READ: Final = "2026-11-23"
_CLAUDE: Final = "Claude Code 2.1.330"
_WINDSURF: Final = "https://docs.windsurf.com/windsurf/cascade/agents-md"
_CLINE: Final = "https://docs.cline.bot/features/cline-rules/conditional-rules"


def _claude(says: str) -> tuple[Proof, ...]:
    return (Proof(says=says, read=_READ, version=_CLAUDE),)


def _page(page: str, says: str) -> tuple[Proof, ...]:
    return (Proof(says=says, page=page, read=_READ),)


_BESIDE: Final = (
    "any directories nested in the path of a file it is working on",
    "a file with an `applyTo` value applies only to matching files",
)
_CONDITIONAL: Final = _page(_CLINE, "Rules activate only when you’re working with matching files")

LATE: Final[Mapping[tuple[str, str], tuple[Proof, ...]]] = {
    ("claude-code", "claude-user-rules"): _claude(
        "those with `paths` that fit a file that was read, before those of the project"
    ),
    ("claude-code", "claude-md"): _claude(
        "of each folder between the working folder and a file that was read, from above, each "
        "once, with its imports behind it"
    ),
    ("claude-code", "claude-dot-md"): _claude("behind the `CLAUDE.md` of its folder"),
    ("claude-code", "claude-local-md"): _claude(
        "before the rules of its folder, not behind them as at the start"
    ),
    ("claude-code", "claude-rules"): _claude(
        "of a folder below first those without `paths`, then those that fit; of the working folder "
        "those that fit, behind all of the folders below"
    ),
    ("claude-code", AGENTS): (
        *_page(
            CLAUDE_DOCS,
            "a subdirectory's `AGENTS.md`, when Claude opens a file there with the Read tool",
        ),
        *_claude("where no `CLAUDE.md` stands there or above"),
    ),
    ("claude-code", CLAUDE_AGENTS): _claude("behind the `AGENTS.md` of its folder"),
    ("claude-code", "claude-skills"): _claude(
        "those of a folder below, and those with `paths` that fit, are listed then"
    ),
    ("cursor", "cursor-rules"): (
        Proof(
            says="Apply to Specific Files | When file matches a specified pattern",
            page=CURSOR_DOCS,
            read=_READ,
            version="from copies of it",
        ),
    ),
    ("copilot", AGENTS): _page(COPILOT_DOCS, _BESIDE[0]),
    ("copilot", "copilot-paths"): _page(COPILOT_DOCS, _BESIDE[1]),
    ("copilot", "copilot-user-paths"): _page(COPILOT_DOCS, _BESIDE[1]),
    ("gemini", "gemini-md"): _page(
        GEMINI_DOCS,
        "When a tool accesses a file or directory, the CLI automatically scans for `GEMINI.md` "
        "files in that directory and its ancestors up to a trusted root.",
    ),
    ("windsurf", AGENTS): _page(
        _WINDSURF,
        "the content is applied only when Cascade reads or edits files inside that directory",
    ),
    ("cline", "cline-rules"): _CONDITIONAL,
    ("cline", "cline-dot-rules"): _CONDITIONAL,
}
