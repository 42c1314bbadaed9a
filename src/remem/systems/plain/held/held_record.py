"""One call of a tool that a hook held back: the file that keeps it, and what the call would write.

The call is kept as the tool was asked to make it (*Hooks reference*, `PreToolUse` input), with what
its file said then.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from remem.base.errors import NotPossible
from remem.base.frozen import dataclass
from remem.edit.merge_lines import Clash, merge
from remem.model.change import Json

_FORM: Final = 1
TOOLS: Final = ("Write", "Edit", "MultiEdit")
"""Tools that write files and say on a hook's input what they will write."""


@dataclass(frozen=True, slots=True)
class HeldWrite:
    """One call of a tool that was held back."""

    path: Path
    tool: str
    given: Mapping[str, Any]
    """Its arguments, as the tool has them."""
    before: str | None
    """What the file said when it was held back; `None` = it was not there."""
    at: int
    """Microseconds since the epoch."""
    session: str = ""

    @property
    def call(self) -> str:
        """What tells it apart: the same call on the same text is the same."""
        said = json.dumps([str(self.path), self.tool, self.given, self.before], sort_keys=True)
        return sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    @property
    def edits(self) -> Sequence[Mapping[str, Any]]:
        several = self.given.get("edits")
        if not isinstance(several, list):
            return (self.given,)
        return [each for each in several if isinstance(each, dict)]

    @property
    def text(self) -> str:
        """What it would bring into memory, for people and for what looks for secrets."""
        if self.tool == "Write":
            return _without(_said(self.given, "content"), self.before or "")
        pairs = [
            [_said(each, name) for name in ("new_string", "old_string")] for each in self.edits
        ]
        return "\n".join(_without(new, old) for new, old in pairs)

    @property
    def title(self) -> str:
        """The first line of it, front matter apart; of what only takes something out, the file."""
        lines = self.text.splitlines()
        if lines[:1] == ["---"] and "---" in lines[1:]:
            lines = lines[lines.index("---", 1) + 1 :]
        said = (line.strip().lstrip("-*# ").strip() for line in lines)
        return next((line for line in said if line), f"edits {self.path.name}")

    def written(self, now: bytes | None) -> bytes:
        """Return what the file holds once the call is made on what stands there now.

        Raises:
            NotPossible: The file changed so that the call cannot be made any more.
        """
        if self.tool == "Write":
            return self._whole(now)
        for each in self.edits:
            now = _replaced(self.path, each, now)
        return now if now is not None else b""

    def _whole(self, now: bytes | None) -> bytes:
        new = _said(self.given, "content").encode("utf-8", "surrogatepass")
        before = None if self.before is None else self.before.encode("utf-8", "surrogatepass")
        if now in (before, new):
            return new
        if now is None or before is None:
            what = "was removed" if now is None else "was written"
            raise NotPossible(
                f"`{self.path.name}` {what} since", hint="reject it, or write it anew"
            )
        merged = merge(before, now, new)
        if isinstance(merged, Clash):
            raise NotPossible(
                f"`{self.path.name}` was changed since, in line {merged.line} too",
                hint="reject it, or edit the file",
            )
        return merged

    def edited(self, fields: Mapping[str, Json]) -> bytes:
        """Return the file that keeps the call with another text to write.

        Raises:
            NotPossible: It writes several texts, or something else was to be changed.
        """
        name = "content" if self.tool == "Write" else "new_string"
        if self.given.get("edits") is not None:
            raise NotPossible("this call edits several places", hint="approve it, edit the file")
        given = {name if key == "text" else key: value for key, value in fields.items()}
        text = given.get(name)
        if {*given} != {name} or not isinstance(text, str):
            raise NotPossible(f"only `{name}` can be edited, to a text", hint="reject it instead")
        return replace(self, given={**self.given, name: text}).as_bytes()

    def as_bytes(self) -> bytes:
        told = {
            "form": _FORM,
            "path": str(self.path),
            "tool": self.tool,
            "input": dict(self.given),
            "before": self.before,
            "at": self.at,
            "session": self.session,
        }
        return json.dumps(told, indent=1).encode()


@lru_cache(maxsize=256)
def held_in(data: bytes) -> HeldWrite | None:
    """Return the call that a file holds; `None` = it is none."""
    try:
        told = json.loads(data)
    except ValueError:
        return None
    if not isinstance(told, dict) or told.get("form") != _FORM:
        return None
    given, before, path = told.get("input"), told.get("before"), told.get("path")
    if not isinstance(path, str) or told.get("tool") not in TOOLS or not isinstance(given, dict):
        return None
    at, is_text = told.get("at"), before is None or isinstance(before, str)
    if not is_text or not isinstance(at, int) or not 0 < at < 1 << 56:
        return None
    return HeldWrite(Path(path), told["tool"], given, before, at, str(told.get("session") or ""))


def _without(new: str, old: str) -> str:
    known = {*old.splitlines()}
    return "\n".join(line for line in new.splitlines() if line not in known)


def _said(given: Mapping[str, Any], name: str) -> str:
    found = given.get(name)
    return found if isinstance(found, str) else ""


def _replaced(path: Path, given: Mapping[str, Any], now: bytes | None) -> bytes:
    old, new = (_said(given, name) for name in ("old_string", "new_string"))
    if now is None:
        if old:
            raise NotPossible(f"`{path.name}` is not there", hint="reject it")
        return new.encode("utf-8", "surrogatepass")
    if b"\r\n" in now and "\r\n" not in old + new:  # the tool reads and writes such files so
        old, new = old.replace("\n", "\r\n"), new.replace("\n", "\r\n")
    was, becomes = (each.encode("utf-8", "surrogatepass") for each in (old, new))
    times = now.count(was) if was else 0
    if not times:
        raise NotPossible(
            f"the text that it replaces is not in `{path.name}`", hint="reject it, or edit the file"
        )
    is_all = given.get("replace_all") is True
    if times > 1 and not is_all:
        raise NotPossible(
            f"the text that it replaces is in `{path.name}` {times} times",
            hint="reject it, or edit the file",
        )
    return now.replace(was, becomes)
