"""remem's own settings: what they are, where they lie, which file may say what, what is wrong.

A file is read as plain values, which are validated together: the user's own over the root's.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from remem.base.frozen import dataclass
from remem.base.user_folders import told_environment, user_folders
from remem.edit.yaml_read import parse_document
from remem.model.entry import Problem
from remem.model.layout import Layout
from remem.model.loader import PlainLayout
from remem.model.record import Limit, Record, exact, field_names
from remem.store.io import Disk, Unreadable

if TYPE_CHECKING:
    from pydantic import TypeAdapter

    from remem.core.system import Ground

USER_ONLY: Final = ("agent", "editor", "database", "github", "keymap", "journal")
"""Keys that start programs, open connections, rebind keys or shorten the user's one history: not
for a cloned repository."""

OPEN_KEYS: Final = ("keymap", "roles")
"""Settings whose keys are the user's own words."""

ADDRESS: Final = "REMEM_DATABASE_URL"
"""The variable that names a server's database of verified memory."""

STOCK_REASONS: Final = (
    "already covered",
    "too specific",
    "wrong",
    "outdated",
    "a tool does it",
)


@dataclass(frozen=True, slots=True)
class Places:
    """Folders that are not the root's: the user's own."""

    home: Path
    config: Path
    state: Path
    cache: Path
    database: str = ""
    """Where verified memory is kept, as the environment says; empty = as the settings say."""
    night_watch: Path | None = None
    """Where Night Watch says that its database lies; not asked for another home (FORMATS 3.1)."""
    environment: Mapping[str, str] = field(default_factory=dict, hash=False)
    """In which tools say that they keep their files elsewhere; empty for another home."""

    @property
    def own(self) -> tuple[Path, ...]:
        """The folders that may hold memory or the history, and that links may lead among."""
        told = (self.home, self.config, self.state, self.night_watch)
        return tuple(each for each in told if each is not None)

    @property
    def held(self) -> Path:
        """The folder of writes that a hook held back; its owner alone may read it."""
        return self.state / "held"

    @classmethod
    def of(cls, home: Path | None) -> Places:
        """Return the user's folders; with another home everything lies under that home."""
        if home is not None:
            home = home.expanduser().absolute()
            return cls(home, *user_folders(home), os.environ.get(ADDRESS, ""))
        told = os.environ.get("NIGHT_WATCH_HOME")
        return cls(
            Path.home(),
            *user_folders(None),
            os.environ.get(ADDRESS, ""),
            Path(told) if told else None,
            dict(told_environment(home)),
        )


class Tokens(Record):
    """How tokens are counted."""

    encoding: Literal["o200k_base", "cl100k_base"] = "o200k_base"
    """The vocabulary that budgets are counted with."""
    budget: Annotated[int, Limit("ge", 0)] = 0
    """Replaces every memory layer's own budget; 0 = each one's own."""
    window: Annotated[int, Limit("ge", 1)] = 200_000
    """Tokens of the context window that an agent's start is held against."""


class Reject(Record):
    """How rejecting asks why."""

    reasons: tuple[str, ...] = STOCK_REASONS
    """Up to five; `1` to `5` take them while the line is empty."""


class Watch(Record):
    """How changes on disk are noticed."""

    polling: bool = False
    """For network drives, where the system reports no changes."""


class AgentCommand(Record):
    """The program that is asked where a language model is needed."""

    command: tuple[str, ...] = ()
    """The program and its arguments; it reads a prompt on stdin and answers on stdout."""
    timeout: Annotated[int, Limit("ge", 1)] = 300
    """Seconds until it is stopped."""
    compacts: bool = False
    """After `persona reflect --apply` memory over its threshold is compacted unasked."""


class Compaction(Record):
    """When it is offered to compact a persona's memory, and how long it may be afterwards."""

    lines: Annotated[int, Limit("ge", 1)] = 150
    """Offered for a memory of more lines."""
    tokens: Annotated[int, Limit("ge", 0)] = 0
    """Offered for a memory of more tokens, too; 0 = only lines count."""
    target: Annotated[int, Limit("ge", 0)] = 0
    """Lines that it may have afterwards; 0 = 50, and 60 for `working.md`."""


class Database(Record):
    """Where verified memory is kept."""

    url: str = ""
    """`postgresql://…`; empty = each root's own `.remem/memory.db`.

    `REMEM_DATABASE_URL` comes first.
    """
    tenant: str = "default"
    """Whose memories are read and written; `default` is everyone's."""


class Forge(Record):
    """Where code is read that is not checked out here."""

    api: str = ""
    """Where GitHub's API begins; empty = the public one. The token is in the environment."""


class Keep(Record):
    """How much of the history is kept; the last changes always are."""

    days: Annotated[int, Limit("ge", 1)] = 400
    """After so many days a change cannot be taken back any more."""
    megabytes: Annotated[int, Limit("ge", 1)] = 256
    """What the history may use on disk; beyond it the oldest changes go first."""


class History(Record):
    """How the journal, the history of all that was changed, is kept."""

    keep: Keep = Keep()


class Config(Record):
    """Everything that a person can set."""

    tokens: Tokens = Tokens()
    roles: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Persona → the roles it works in: `{Carlos: [reviewer, slicer]}`."""
    layouts: tuple[Layout | PlainLayout, ...] = ()
    """Further places where agents keep files: with `folder`, named agents; with `files`, nobody's.
    """
    reject: Reject = Reject()
    watch: Watch = Watch()
    journal: History = History()
    agent: AgentCommand = AgentCommand()
    compaction: Compaction = Compaction()
    database: Database = Database()
    github: Forge = Forge()
    theme: str = ""
    """A Textual theme; empty = follow the terminal."""
    glyphs: Literal["unicode", "ascii"] = "unicode"
    keymap: Mapping[str, str] = field(default_factory=dict)
    """Verb id → key, or `preset` → `vim`, `plain`, `azerty`."""
    editor: str = ""
    """Command for an entry's text; empty = `$VISUAL`, then `$EDITOR`."""


def settings_of(config: Config) -> dict[str, Any]:
    """Return every setting by its key, `tokens.budget` for one inside another, in their order."""
    return dict(_leaves(config, ""))


def _leaves(record: Record, prefix: str) -> Iterator[tuple[str, Any]]:
    for name in field_names(type(record)):
        value = getattr(record, name)
        if isinstance(value, Record):
            yield from _leaves(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


def setting_path(key: str) -> tuple[str, ...]:
    """Return the keys that lead to a setting in a file; empty = there is no such setting.

    Below `keymap` and `roles` stands one key of the user's own, which may have dots in it.
    """
    first, _, rest = key.partition(".")
    if first in OPEN_KEYS:
        return (first, rest) if rest else (first,)
    return tuple(key.split(".")) if key in settings_of(Config()) else ()


def read_config(disk: Disk, root: Path, places: Places) -> tuple[Config, tuple[Problem, ...]]:
    """Return the settings of the user and of the root, and what is wrong with them."""
    files = settings_files(root, places)
    user, bad_user = read_settings(disk, files["user"])
    shared, bad_shared = read_settings(disk, files["root"])
    config, problems = load_config(user, shared)
    return config, (*bad_user, *bad_shared, *problems)


def roles_at(disk: Disk, ground: Ground) -> Mapping[str, tuple[str, ...]]:
    """Return the roles that settings give personas, read through another disk."""
    shared, *own = (read_settings(disk, each)[0] for each in ground.settings_files)
    return load_config(own[0] if own else {}, shared)[0].roles


def settings_files(root: Path, places: Places) -> Mapping[str, Path]:
    """Return where settings lie: the `user`'s own, and the `root`'s that a team shares."""
    return {"user": places.config / "config.yaml", "root": root / ".remem" / "config.yaml"}


def read_settings(disk: Disk, path: Path) -> tuple[Mapping[str, Any], tuple[Problem, ...]]:
    """Return what one settings file holds, unvalidated, and what is wrong with its shape."""
    if disk.kind(path) is None:
        return {}, ()
    try:
        document = parse_document(disk.read(path))
    except Unreadable as error:
        return {}, (Problem(error.why, str(error), error.hint, path=path, blocks_writing=True),)
    problems = tuple(replace(problem, path=path) for problem in document.problems)
    if document.value is None or isinstance(document.value, dict):
        return document.value or {}, problems
    message, hint = "settings are `key: value` lines", "write `theme: nord`"
    wrong = Problem("shape", message, hint, path=path, blocks_writing=True)
    return {}, (*problems, wrong)


def load_config(
    user: Mapping[str, Any], root: Mapping[str, Any]
) -> tuple[Config, tuple[Problem, ...]]:
    """Put the user's settings over the root's and validate them.

    Args:
        user: What the user's own `config.yaml` holds.
        root: What the root's `.remem/config.yaml` holds.

    Returns:
        The settings that can be used, defaults in place of what cannot, and what is wrong.
    """
    problems = [
        Problem(
            "config-not-allowed",
            f"`{key}` only works in your own config, not in the project's `.remem/config.yaml`",
            "move it to your own config; `remem config path` shows the file",
            field=key,
        )
        for key in USER_ONLY
        if key in root
    ]
    shared = {key: value for key, value in root.items() if key not in USER_ONLY}
    merged = {**shared, **user}
    if isinstance(shared.get("roles"), Mapping) and isinstance(user.get("roles"), Mapping):
        merged["roles"] = {**shared["roles"], **user["roles"]}
    merged, found = _root_layouts(merged, shared, user)
    problems += found
    config, invalid = _validated(merged) if merged else (Config(), [])
    return config, (*problems, *invalid, *_unknown(merged))


def _root_layouts(
    merged: dict[str, Any], root: Mapping[str, Any], user: Mapping[str, Any]
) -> tuple[dict[str, Any], list[Problem]]:
    """Join both lists; a root's layout has to stay inside that root (DESIGN §3.7)."""
    theirs, mine = root.get("layouts") or [], user.get("layouts") or []
    if not theirs and not mine:
        return {key: value for key, value in merged.items() if key != "layouts"}, []
    if not isinstance(theirs, list) or not isinstance(mine, list):
        return merged, []
    outside = [
        layout for layout in theirs if isinstance(layout, Mapping) and layout.get("base") != "root"
    ]
    problems = [
        Problem(
            "config-not-allowed",
            f"the layout `{layout.get('name', '?')}` points outside the project",
            "set `base: root`, or move it to your own config",
            field="layouts",
        )
        for layout in outside
    ]
    return {**merged, "layouts": [*[t for t in theirs if t not in outside], *mine]}, problems


def _validated(values: dict[str, Any]) -> tuple[Config, list[Problem]]:
    """Validate; a key with a wrong value falls back to its default and is reported."""
    read = exact(Config, values)
    if read is not None:
        return read, []
    # pydantic takes longer to load than all the rest, and knows what is wrong.
    from pydantic import ValidationError

    adapter = _adapter()
    try:
        return adapter.validate_python(values), []
    except ValidationError as error:
        wrong = {str(detail["loc"][0]) for detail in error.errors()}
        problems = [
            Problem(
                "config",
                f"`{'.'.join(map(str, detail['loc']))}` cannot be used: {_why(detail)}",
                "see `schemas/config.schema.json`",
                field=str(detail["loc"][0]),
            )
            for detail in error.errors()
            if _is_meant(detail["loc"], values)
        ]
    rest = {key: value for key, value in values.items() if key not in wrong}
    return adapter.validate_python(rest), problems


@cache
def _adapter() -> TypeAdapter[Config]:
    """Return what validates settings; making it takes longer than any other part of a look."""
    from pydantic import TypeAdapter

    return TypeAdapter(Config)


def _is_meant(place: tuple[Any, ...], values: Mapping[str, Any]) -> bool:
    """Tell whether a fault is about the kind of layout that a person wrote, not the other one."""
    if len(place) < 3 or place[0] != "layouts":
        return True
    given = values["layouts"][place[1]]
    is_plain = isinstance(given, Mapping) and "files" in given
    return bool(place[2] == (PlainLayout if is_plain else Layout).__name__)


def _why(detail: Mapping[str, Any]) -> str:
    if detail["type"] == "unexpected_keyword_argument":
        return "unknown key"
    if detail["type"] == "tuple_type":
        return "it is a list, such as `[claude, --print]`"
    return str(detail["msg"]).lower()


def _unknown(values: Mapping[str, Any]) -> list[Problem]:
    journal = values.get("journal")
    parts: list[tuple[str, type[Record], object]] = [
        ("", Config, values),
        ("tokens.", Tokens, values.get("tokens")),
        ("reject.", Reject, values.get("reject")),
        ("watch.", Watch, values.get("watch")),
        ("agent.", AgentCommand, values.get("agent")),
        ("compaction.", Compaction, values.get("compaction")),
        ("database.", Database, values.get("database")),
        ("github.", Forge, values.get("github")),
        ("journal.", History, journal),
        ("journal.keep.", Keep, journal.get("keep") if isinstance(journal, Mapping) else None),
    ]
    return [
        Problem(
            "config-unknown",
            f"`{prefix}{key}` is not a setting",
            "see `schemas/config.schema.json`",
            field=prefix + key,
        )
        for prefix, part, given in parts
        if isinstance(given, Mapping)
        for key in given
        if key not in field_names(part)
    ]
