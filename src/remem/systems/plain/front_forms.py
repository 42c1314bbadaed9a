"""What tools hold front matter against, and for which of its values they pass a whole file over.

Every rule here was seen of the tool itself: it was started on files that differ in one value
(OpenCode 1.18.33, Gemini CLI 0.61.0, GitHub Copilot 1.0.102, Qwen Code 0.24.4, Codex 0.171.0,
Claude Code 2.1.332, Continue 1.5.47, Cline 3.0.65; each asked on 2026-11-28). What was not asked is
let through.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, Literal

from remem.base.frozen import dataclass
from remem.edit.markdown import front_matter_end, front_matter_text
from remem.systems.plain.taken_values import (
    COUNT,
    KEYS,
    NUMBER,
    SWITCH,
    SWITCHES,
    TEXT,
    TEXT_OR_TEXTS,
    TEXTS,
    Fault,
    Takes,
    are_mappings,
    are_permissions,
    is_colour,
    is_text,
    is_texts,
    line_of,
    one_of,
    or_nothing,
    shown,
)
from remem.systems.plain.tools.tool_ids import (
    CLAUDE,
    CODEX,
    CONTINUE,
    COPILOT,
    GEMINI,
    OPENCODE,
    QWEN,
)

What = Literal["agent", "skill", "command"]
_BARE_LINE: Final = re.compile(rb"(?:\xef\xbb\xbf)?---\r?\n")
_GEMINI_TOOL: Final = re.compile(
    r"\*|mcp_\*|mcp_[A-Za-z0-9.:-][\w.:-]*(?:_\*)?|discovered_tool_.*|glob|write_todos|write_file"
    r"|google_web_search|web_fetch|replace|run_shell_command|grep_search|search_file_content"
    r"|read_many_files|read_file|list_directory|activate_skill|ask_user|get_internal_docs"
    r"|tracker_(?:create_task|update_task|get_task|list_tasks|add_dependency|visualize)"
    r"|(?:enter|exit)_plan_mode|update_topic|complete_task|invoke_agent|read_mcp_resource"
    r"|list_mcp_resources"
)
_APPROVALS: Final = ("default", "plan", "auto-edit", "yolo", "auto", "bubble")
_SANDBOXES: Final = ("read-only", "workspace-write", "danger-full-access")
_POLICIES: Final = ("untrusted", "on-failure", "on-request", "never")
_AS_COPILOT: Final = frozenset({"coding-agent", "cloud-agent"})
"""Agents whose exclusion keeps a rule from Copilot's command line too."""
_MODES: Final = ("subagent", "primary", "all")


_WITH_COLON: Final = re.compile(
    rb"^(?P<key>[A-Za-z_][\w-]*:[ \t]+)(?P<value>[^\s\"'|>#][^\r\n]*:[^\r\n]*)", re.MULTILINE
)
_WITH_SIGN: Final = re.compile(
    rb"^(?P<key>[A-Za-z_][\w-]*:[ \t]+)(?P<value>[@`\[{][^\r\n]*|[^\s\"'|>#][^\r\n]*: [^\r\n]*)",
    re.MULTILINE,
)

WITH_ODD_SIGN: Final = re.compile(
    rb"^(?P<key>[A-Za-z_-]+:[ \t]+)"
    rb"(?P<value>(?![\"'])(?=[^\r\n]*(?:[{}\[\]*&#!|>%@`]|: ))[^\r\n]+)",
    re.MULTILINE,
)
"""Values that Claude Code reads once more in quotes."""


@dataclass(frozen=True, slots=True)
class Form:
    """What a tool takes in the front matter of one kind of file."""

    keys: Mapping[str, Takes]
    """Those that it holds against something; a key that is not there always fits."""
    closed: bool = False
    """It passes a file over that has another key."""
    must_parse: bool = True
    """It passes a file over whose front matter is no YAML."""
    mends: re.Pattern[bytes] | None = None
    """It reads what is no YAML once more, with quotes around values as this finds them."""
    needs_bare_line: bool = False
    """It takes no blanks behind the first `---`."""
    stops: bool = False
    """With a wrong value the tool does not even start."""


def _are_gemini_tools(value: Any) -> bool:
    return is_texts(value) and all(_GEMINI_TOOL.fullmatch(each) for each in value)


def _are_copilot_servers(value: Any) -> bool:
    return are_mappings(value) and all(map(_is_copilot_server, value.values()))


def _is_copilot_server(value: Mapping[str, Any]) -> bool:
    is_remote = value.get("type") in ("http", "sse") and is_text(value.get("url"))
    is_local = is_text(value.get("command")) and isinstance(value.get("args"), list)
    return isinstance(value.get("tools"), list) and (is_remote or is_local)


def _is_mapping_of_lists(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(each, list) for each in value.values())


_OPENCODE_COMMAND: Final = Form(
    {**dict.fromkeys(("description", "agent", "model", "variant"), TEXT), "subtask": SWITCH},
    must_parse=False,
    mends=_WITH_COLON,
    stops=True,
)
_FORMS: Final[Mapping[tuple[str, What], Form]] = {
    (OPENCODE, "agent"): Form(
        {
            **dict.fromkeys(("description", "model", "variant"), TEXT),
            **dict.fromkeys(("temperature", "top_p"), NUMBER),
            **dict.fromkeys(("steps", "maxSteps"), COUNT),
            **dict.fromkeys(("disable", "hidden"), SWITCH),
            "name": or_nothing(TEXT),
            "mode": one_of(*_MODES),
            "tools": SWITCHES,
            "permission": Takes(
                "`allow`, `ask` or `deny`, or tools with one of them each", are_permissions
            ),
            "color": Takes("`#rrggbb` or a colour of its theme, as `primary`", is_colour),
            "options": KEYS,
        },
        mends=_WITH_COLON,
        stops=True,
    ),
    (OPENCODE, "command"): _OPENCODE_COMMAND,
    (GEMINI, "agent"): Form(
        {
            **dict.fromkeys(("name", "description", "display_name", "model"), TEXT),
            "kind": one_of("local", "remote"),
            "tools": Takes("a list of names of its own tools", _are_gemini_tools),
            "mcp_servers": Takes("servers with keys each", are_mappings),
            "temperature": NUMBER,
            **dict.fromkeys(("max_turns", "timeout_mins"), COUNT),
        },
        closed=True,
        needs_bare_line=True,
    ),
    (COPILOT, "agent"): Form(
        {
            **dict.fromkeys(("name", "description"), TEXT),
            "tools": TEXT_OR_TEXTS,
            "model": Takes(
                "a text or a list of texts", lambda v: is_text(v) or (bool(v) and is_texts(v))
            ),
            **dict.fromkeys(("infer", "disable-model-invocation", "user-invocable"), SWITCH),
            "skills": TEXTS,
            "github": KEYS,
            "hooks": Takes("events with a list each", _is_mapping_of_lists),
            "mcp-servers": or_nothing(
                Takes(
                    "servers with `tools`, and `command` and `args`, or `type` and `url`",
                    _are_copilot_servers,
                )
            ),
        }
    ),
    (QWEN, "agent"): Form(
        {
            "description": Takes("a text", lambda v: v is not None and not isinstance(v, dict)),
            "model": Takes("a text", lambda v: not isinstance(v, dict)),
            "background": Takes("`true` or `false`", lambda v: not isinstance(v, dict)),
            "approvalMode": or_nothing(one_of(*_APPROVALS)),
        },
        must_parse=False,
        needs_bare_line=True,
    ),
    (QWEN, "skill"): Form(
        {
            "description": Takes("a text", lambda v: v is not None and not isinstance(v, dict)),
            "allowedTools": Takes("a list", lambda v: v is None or isinstance(v, list)),
            "model": or_nothing(TEXT),
        },
        must_parse=False,
        needs_bare_line=True,
    ),
    (QWEN, "command"): Form(
        {
            "description": or_nothing(TEXT),
            "argument-hint": or_nothing(TEXT),
            "when_to_use": or_nothing(TEXT),
            "disable-model-invocation": or_nothing(SWITCH),
        },
        must_parse=False,
        needs_bare_line=True,
    ),
    (CODEX, "agent"): Form(
        {
            **dict.fromkeys(("model", "model_provider", "model_reasoning_effort"), TEXT),
            "sandbox_mode": one_of(*_SANDBOXES),
            "nickname_candidates": TEXTS,
            "approval_policy": Takes(
                "`untrusted`, `on-failure`, `on-request` or `never`",
                lambda v: v in _POLICIES or (isinstance(v, dict) and v.keys() == {"granular"}),
            ),
            "mcp_servers": Takes("servers with keys each", are_mappings),
            "skills": KEYS,
            "tools": KEYS,
        },
    ),
    (CODEX, "skill"): Form(
        {
            "name": Takes("a text", lambda v: not isinstance(v, list)),
            "metadata": or_nothing(KEYS),
        },
        mends=_WITH_SIGN,
    ),
    (OPENCODE, "skill"): Form({}, mends=_WITH_COLON),
    (GEMINI, "skill"): Form({}, must_parse=False, needs_bare_line=True),
    (CLAUDE, "agent"): Form(
        {"hooks": Takes("events with a list each", lambda v: v is None or isinstance(v, dict))},
        must_parse=False,
    ),
    (CONTINUE, "skill"): Form({"name": TEXT, "description": TEXT}),
}


@lru_cache(maxsize=2048)
def fault_of(tool: str, what: What, data: bytes) -> Fault | None:
    """Return why a tool does not take a file of that kind; `None` = it does, as far as is known.

    Args:
        tool: Its id.
        what: What the file is to it.
        data: The file.
    """
    form = _FORMS.get((tool, what))
    if form is None:
        return None
    return _fault_in_toml(form, data) if (tool, what) == (CODEX, "agent") else _fault(form, data)


def waits(tool: str, what: What, data: bytes) -> str:
    """Say what keeps a file from a tool's list at the start; empty = nothing does."""
    if (tool, what) != (QWEN, "skill"):
        return ""
    is_held = (values_of(data) or {}).get("paths") not in (None, [])
    return "its `paths` keep it from the list at the start" if is_held else ""


def excludes(tool: str, data: bytes) -> str:
    """Say why a rule is kept from a tool, as it asks for itself; empty = it is not."""
    said = (values_of(data) or {}).get("excludeAgent") if tool == COPILOT else None
    named = _AS_COPILOT & {*filter(is_text, said if isinstance(said, list) else [said])}
    return f"its `excludeAgent` is `{min(named)}`" if named else ""


def fault_in(
    tool: str, what: What, values: Mapping[str, Any], data: bytes, start: int = 0
) -> Fault | None:
    """Return what a tool does not take among values that its settings have of such a file.

    Args:
        tool: Its id.
        what: What they are about.
        values: They.
        data: The settings.
        start: Where in them the values begin, at the earliest.
    """
    form = _FORMS.get((tool, what))
    return None if form is None else next(_wrong(form, values, data, start), None)


@lru_cache(maxsize=512)
def values_of(data: bytes, mends: re.Pattern[bytes] | None = None) -> Mapping[str, Any] | None:
    """Return the values of front matter as a reader of YAML has them; `None` = it has none.

    Args:
        data: The file.
        mends: Finds the values that are read once more in quotes where it is no YAML.
    """
    inner = front_matter_text(data)
    if not inner.strip():
        return {}
    found = _parsed(inner)
    if found is None and mends is not None:
        found = _parsed(mends.sub(_quoted, inner))
    return found


def _quoted(match: re.Match[bytes]) -> bytes:
    said = match["value"].rstrip().replace(b"'", b"''")
    return b"".join((match["key"], b"'", said, b"'"))


def _parsed(inner: bytes) -> Mapping[str, Any] | None:
    from remem.edit.yaml_read import parse_document  # few roots have such a file

    read = parse_document(inner)
    if any(problem.code != "key" for problem in read.problems):
        return None
    if read.value is None:
        return {}
    return read.value if isinstance(read.value, dict) else {}


def _fault(form: Form, data: bytes) -> Fault | None:
    if not front_matter_end(data):
        return None
    if form.needs_bare_line and not _BARE_LINE.match(data):
        return Fault("blanks stand behind its first `---`", 1)
    values = values_of(data, form.mends)
    if values is None:
        said = "its front matter is no YAML that can be read"
        return Fault(said, 1) if form.must_parse else None
    return next(_wrong(form, values, data), None)


def _fault_in_toml(form: Form, data: bytes) -> Fault | None:
    import tomllib  # few have such a file

    try:
        values = tomllib.loads(data.decode())
    except ValueError:
        return Fault("it is no TOML that can be read", 1)
    return next(_wrong(form, values, data), None)


def _wrong(form: Form, values: Mapping[str, Any], data: bytes, start: int = 0) -> Iterator[Fault]:
    for key, value in values.items():
        takes, line = form.keys.get(key), line_of(key, data, start)
        if takes is None and form.closed:
            yield Fault(f"it takes no `{key}`", line, form.stops)
        elif takes is not None and not takes.fits(value):
            yield Fault(f"`{key}` is {shown(value)}, and it takes {takes.said}", line, form.stops)
