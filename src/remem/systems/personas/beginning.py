"""What the file that says who a persona is begins with, for each layout that has one."""

from __future__ import annotations

import json

from remem.model.layout import Part


def first_profile(part: Part, name: str, role: str, scope: str) -> str:
    """Return the text of a first profile, charter or definition; empty for other files.

    Args:
        part: What the file is.
        name: The persona's.
        role: Who it is in a few words; may be empty.
        scope: The memory that a definition loads.
    """
    match part:
        case Part.PROFILE:
            who = f"name: {_quoted(name)}\nrole: {_quoted(role)}\n"
            return f"{who}soul: {{}}\nstyle: {{}}\nskill: {{}}\n"
        case Part.DEFINITION:
            who = f"name: {_quoted(name)}\ndescription: {_quoted(role or name)}\n"
            body = f"You are {name}, {role}.\n" if role else f"You are {name}.\n"
            return f"---\n{who}memory: {scope}\n---\n\n{body}"
        case Part.CHARTER:
            return f"# {name} — {role or 'Member'}\n\n## Responsibilities\n\n## Boundaries\n"
        case _:
            return ""


def _quoted(text: str) -> str:
    """Return text in double quotes, as YAML and JSON both read it."""
    return json.dumps(text, ensure_ascii=False)
