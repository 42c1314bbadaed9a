"""What tools are called in settings and commands, apart from all that is known of them.

Plain files are found without the tables of `tool_data.py`, which take long to load.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

Said: TypeAlias = Sequence[tuple[str, Mapping[str, Any]]]
"""What each settings file of a tool is called and says, the one that wins first."""
CLAUDE: Final = "claude-code"
CODEX: Final = "codex"
GEMINI: Final = "gemini"
OPENCODE: Final = "opencode"
AIDER: Final = "aider"
HERMES: Final = "hermes"
CODEX_MEMORY: Final = ("codex-memory-summary", "codex-memory", "codex-memory-sources")
"""Layouts of what Codex keeps by itself."""
QWEN: Final = "qwen-code"
COPILOT: Final = "copilot"
CONTINUE: Final = "continue"
UNTRUSTED: Final = "Codex takes them once `~/.codex/config.toml` says that the project is trusted"
"""Why agents of a project count for nothing."""
CODEX_UNTRUSTED: Final = (
    "settings in the project's `.codex/config.toml`, which count once it is trusted"
)
"""What is not read of a project that no person trusts."""
QWEN_NOTES: Final = frozenset(
    {"qwen-memories", "qwen-memory", "qwen-memories-topics", "qwen-memory-topics"}
)
"""Layouts of the memory that it keeps itself."""
