"""Writes that Hermes staged, as files: `~/.hermes/pending/{memory,skills}/ID.json`.

Where `memory.write_approval` or `skills.write_approval` is on, Hermes writes what it wants to
remember there instead of into memory (`tools/write_approval.py` of NousResearch/hermes-agent, read
on 2026-11-25): `id`, `subsystem`, `action`, `summary`, `origin`, `created_at`, and as `payload` the
exact arguments of the write.

It waits in Review, and approving it writes what Hermes would write. `apply_memory_pending` of its
`tools/memory_tool.py` (read on 2026-11-25): the entries of `memories/MEMORY.md` or `USER.md` are
parted by a line `§`; equal ones are one, and the whole file is written anew, its entries joined. An
entry that is there is not added again; `replace` and `remove` act on exactly the entry that was
pinned when they were staged; a write that would pass the limit, or on a file that somebody else
wrote into, is refused. So is what comes here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from remem.base.clock import moment_at
from remem.base.errors import NotPossible
from remem.base.frozen import dataclass
from remem.base.text import count
from remem.core.checks.secrets import need_clean
from remem.core.draft import chosen
from remem.core.library import Library
from remem.core.relation.already_said import told_of
from remem.core.system import Ground
from remem.core.verbs.verb import read_only
from remem.core.waiting.item import Item, Why, hashed, suspects_in
from remem.core.waiting.kinds import (
    Act,
    OfEntries,
)
from remem.edit.patch import splice_to
from remem.edit.yaml_read import parse_document
from remem.model.change import Change, Create, Delete, Effect, Intent, Json
from remem.model.entry import LESSON, Entry, Problem, Ref, Status, WholeFile, digest_of
from remem.model.source import ON_REQUEST, Source, SourceKind
from remem.systems.hermes.facets import HELD, NAME, PENDING
from remem.systems.waiting_only import WaitingOnly, plan_dropped

if TYPE_CHECKING:
    from remem.core.library import Library
    from remem.core.verbs.verbs import Approve, Reject
    from remem.core.waiting.kinds import Waiting


SUBSYSTEMS: Final = ("memory", "skills")
_PLACE: Final = "user"


class Hermes(WaitingOnly):
    """What Hermes holds back, behind the one protocol."""

    name = NAME
    called = "a write that Hermes holds back"
    adds = "only Hermes stages writes"
    adds_elsewhere = "add the text to a file that it loads"

    def discover(self, ground: Ground) -> Iterator[Source]:
        for subsystem in SUBSYSTEMS:
            for path in ground.disk.walk(ground.usual(PENDING) / subsystem, 1, ".json"):
                name = ground.shown(path)
                document = SourceKind.DOCUMENT
                yield Source(name, NAME, "", _PLACE, document, path, ON_REQUEST, part=subsystem)

    def read(self, source: Source, data: bytes, before: Source | None = None) -> Source:
        source = replace(source, data=data, digest=digest_of(data))
        held = held_in(data)
        if held is None:
            message = f"`{source.name}` is not a write that Hermes staged"
            problem = Problem("shape", message, "check what wrote it", source.path)
            return replace(source, problems=(*source.problems, problem))
        entry = Entry(
            ref=Ref(NAME, f"{source.part}/{source.path.stem}", source.place),
            kind=HELD,
            title=held.text or held.summary or source.path.stem,
            status=Status.CANDIDATE,
            at=WholeFile(source.path),
            digest=source.digest,
            date=held.created,
            context=held.action,
        )
        return replace(source, entries=(entry,))

    def edit(self, source: Source, entry: Entry, fields: Mapping[str, Json]) -> tuple[Effect, ...]:
        held = held_in(source.data)
        assert held is not None
        return splice_to(source.path, source.data, held.edited(source.data, fields), source.digest)

    def waits(self, library: Library) -> Sequence[Waiting]:

        return (HeldBack(),)

    def fields(self, source: Source, entry: Entry) -> Mapping[str, Json]:
        held = held_in(source.data)
        return dict(held.payload) if held is not None else {}

    def body(self, source: Source, entry: Entry) -> str:
        return source.data.decode("utf-8", "replace")


_LATEST: Final = 1 << 36
"""Seconds since the epoch that still are a date."""


@dataclass(frozen=True, slots=True)
class Held:
    """One write that Hermes staged."""

    id: str
    subsystem: str
    action: str
    summary: str
    origin: str
    created: str
    """The day; empty = it does not say."""
    payload: Mapping[str, Any]

    @property
    def text(self) -> str:
        """What it would write, for people and for the gate that looks for secrets."""
        said = [self.payload.get(name) for name in _TEXTS]
        said += [each.get("content") for each in self.operations if isinstance(each, dict)]
        return "\n".join(each for each in said if isinstance(each, str) and each)

    @property
    def operations(self) -> Sequence[Any]:
        found = self.payload.get("operations")
        return found if isinstance(found, list) else ()

    def edited(self, data: bytes, fields: Mapping[str, Json]) -> bytes:
        """Return its file with another text to write; every other byte stays.

        Raises:
            NotPossible: It writes several texts, or something else was to be changed.
        """
        mine = [name for name in _TEXTS if isinstance(self.payload.get(name), str)]
        if len(mine) != 1 or self.operations:
            raise NotPossible(
                "this write has not exactly one text",
                hint="approve it and edit the entries, or reject it",
            )
        given = {mine[0] if name == "text" else name: value for name, value in fields.items()}
        text = given.get(mine[0])
        if {*given} != {*mine} or not isinstance(text, str) or not text.strip():
            raise NotPossible(
                f"only `{mine[0]}` can be edited, to a text", hint="reject it instead"
            )
        said = data.decode("utf-8")
        wanted = json.loads(said.removeprefix("\ufeff"))
        wanted["payload"][mine[0]] = text
        for found in re.finditer(rf'"{mine[0]}"\s*:\s*"', said):
            _, end = json.JSONDecoder().raw_decode(said, found.end() - 1)
            made = f"{said[: found.end() - 1]}{json.dumps(text, ensure_ascii=False)}{said[end:]}"
            if json.loads(made.removeprefix("\ufeff")) == wanted:
                return made.encode("utf-8")
        raise NotPossible(f"`{mine[0]}` was not found in its file", hint="reject it instead")


_TEXTS: Final = ("content", "new_string", "file_content")


@lru_cache(maxsize=256)
def held_in(data: bytes) -> Held | None:
    """Return the write that a file holds; `None` = it is none."""
    try:
        told = json.loads(data.decode("utf-8-sig"))
    except ValueError:
        return None
    if not isinstance(told, dict) or not isinstance(told.get("payload"), dict):
        return None
    at = told.get("created_at")
    day = ""
    if isinstance(at, int | float) and 0 < at < _LATEST:
        day = moment_at(int(at * 1_000_000)).date().isoformat()
    words = {name: str(told.get(name) or "") for name in ("id", "subsystem", "summary", "origin")}
    action = str(told["payload"].get("action") or told.get("action") or "")
    return Held(action=action, created=day, payload=told["payload"], **words)


PARTED: Final = "\n§\n"
_FILES: Final[Mapping[str, tuple[str, str, int]]] = {
    "memory": ("MEMORY.md", "memory_char_limit", 2_200),
    "user": ("USER.md", "user_char_limit", 1_375),
}
"""Target of a write: its file, the setting of its limit, and that limit."""
_SKILLS: Final = "remem does not write Hermes skills; run `/skills approve {}` in Hermes"


class HeldBack(OfEntries):
    """A write that Hermes staged for a person to approve."""

    id = "hermes.held"
    order = 6
    claims = (HELD,)
    system = NAME
    is_loaded = True

    def items(self, library: Library) -> Iterator[Item]:
        for source in library.of_format(NAME):
            for entry in source.entries:
                yield _item(library, entry)

    def acts_on(self, library: Library, entry: Entry) -> Mapping[str, Act]:
        why_not = partial(read_only, library, entry)
        held = _held(library, entry)
        is_skill = held.subsystem == "skills"
        return {
            "approve": Act(
                plan_held, why_not=lambda: _SKILLS.format(held.id) if is_skill else why_not()
            ),
            "reject": Act(_plan_dropped, why_not=why_not),
        }


def _held(library: Library, entry: Entry) -> Held:
    held = held_in(library.source_of(entry).data)
    assert held is not None
    return held


def _item(library: Library, entry: Entry) -> Item:
    source, held = library.source_of(entry), _held(library, entry)
    old = held.payload.get("matched_entry") or held.payload.get("old_text")
    facts = (
        f"instead of: {old}" if held.action == "replace" and old else "",
        f"removes: {old}" if held.action == "remove" and old else "",
        *(_told(each) for each in held.operations if isinstance(each, dict)),
        f"staged by its {held.origin.replace('_', ' ')}" if held.origin else "",
    )
    target = _FILES.get(str(held.payload.get("target") or "memory"), ("",))[0]
    where = f"skill `{held.payload.get('name')}`" if held.subsystem == "skills" else f"`{target}`"
    return Item(
        id=hashed(HeldBack.id, str(source.path), source.digest),
        ref=entry.ref,
        digest=entry.digest,
        kind=entry.kind,
        title=entry.title,
        group="held back by Hermes",
        source=source.name,
        why=f"Hermes wants to {held.action or 'write'} it in {where} and asks first",
        reason=Why.PROPOSAL,
        evidence=(*(fact for fact in facts if fact), *told_of(library, LESSON, held.text)),
        roles=None,
        suggested="",
        verbs=("approve", "reject", "edit"),
        suspects=suspects_in((held.text,)),
        waiting=HeldBack.id,
        stands_by=source.path,
    )


def _told(operation: Mapping[str, Any]) -> str:
    old, new = (str(operation.get(name) or "") for name in ("old_text", "content"))
    return f"{operation.get('action')}: {' -> '.join(filter(None, (old, new)))}"


def plan_held(library: Library, intent: Intent, _: Approve) -> Change:
    """Plan to write what Hermes would write, and to remove what it staged.

    Raises:
        NotPossible: Hermes would refuse it.
        Unacknowledged: It holds a secret or hidden characters.
    """
    texts: dict[Path, list[str]] = {}
    entries = chosen(library, intent)
    effects: list[Effect] = []
    for entry in entries:
        held, source = _held(library, entry), library.source_of(entry)
        if held.subsystem == "skills":
            raise NotPossible(_SKILLS.format(held.id), hint="or reject it here")
        need_clean((held.text,), intent, f"`{library.short(entry.ref)}`")
        path, limit = _target(library, source.path, held)
        raw = _raw(library, path)
        if path not in texts:
            texts[path] = _entries(raw)
        if held.action != "add":
            _need_sound(raw, limit, path)
        texts[path] = _done(held, texts[path], limit)
        effects.append(Delete(source.path, source.data, source.digest))
    written = [each for path, said in texts.items() for each in _written(library, path, said)]
    touched = {entry.ref: None for entry in entries}
    return Change(
        intent, f"Approve {_named(library, intent)} of Hermes", (*written, *effects), "", touched
    )


def _plan_dropped(library: Library, intent: Intent, args: Reject) -> Change:
    title = f"Reject {_named(library, intent)} of Hermes"
    return plan_dropped(library, intent, title, args.reason)


def _named(library: Library, intent: Intent) -> str:
    refs = [*intent.shown]
    return library.short(refs[0]) if len(refs) == 1 else count(refs, "write")


def _target(library: Library, staged: Path, held: Held) -> tuple[Path, int]:
    """Return the file that a write goes to, and how many characters it may have."""
    found = _FILES.get(str(held.payload.get("target") or "memory"))
    if found is None:
        raise NotPossible(f"unknown Hermes memory `{held.payload.get('target')}`", hint="reject it")
    name, setting, limit = found
    home = staged.parents[2]
    disk = library.ground.disk
    if disk.kind(home / "config.yaml") == "file":
        settings = parse_document(disk.read(home / "config.yaml")).value
        memory = settings.get("memory") if isinstance(settings, Mapping) else None
        own = memory.get(setting) if isinstance(memory, Mapping) else None
        limit = own if isinstance(own, int) and not isinstance(own, bool) else limit
    return home / "memories" / name, limit


def _raw(library: Library, path: Path) -> bytes | None:
    disk = library.ground.disk
    return disk.read(path) if disk.kind(path) == "file" else None


def _entries(raw: bytes | None) -> list[str]:
    try:
        text = (raw or b"").decode()
    except UnicodeDecodeError:
        raise NotPossible("the memory of Hermes is not UTF-8", hint="fix it first") from None
    found = (each.strip() for each in text.replace("\r\n", "\n").split(PARTED))
    return list(dict.fromkeys(each for each in found if each))


def _need_sound(raw: bytes | None, limit: int, path: Path) -> None:
    """Refuse what Hermes refuses: to write anew a file that others wrote into."""
    text = (raw or b"").decode("utf-8", "replace").replace("\r\n", "\n")
    parts = [each.strip() for each in text.split(PARTED) if each.strip()]
    if text.strip() != PARTED.join(parts) or any(len(each) > limit for each in parts):
        raise NotPossible(
            f"`{path.name}` has text that Hermes did not write, so Hermes would not rewrite it",
            hint="separate its entries by lines of `§`, or reject this",
        )


def _done(held: Held, entries: list[str], limit: int) -> list[str]:
    """Return the entries as Hermes would leave them."""
    single = (
        [{**held.payload, "action": held.action}] if held.action != "batch" else held.operations
    )
    now = [*entries]
    for operation in single:
        now = _one(operation if isinstance(operation, dict) else {}, now)
    if now != entries and len(PARTED.join(now)) > limit:
        used = f"{len(PARTED.join(now)):,} of {limit:,} characters"
        raise NotPossible(
            f"Hermes would refuse it: its memory would grow to {used}",
            hint="remove something from it first, or reject this",
        )
    return now


def _one(operation: Mapping[str, Any], entries: list[str]) -> list[str]:
    action, content = operation.get("action"), str(operation.get("content") or "").strip()
    if action in ("add", "replace") and not content:
        raise NotPossible("it has no text", hint="reject it")
    if action == "add":
        return entries if content in entries else [*entries, content]
    if action not in ("replace", "remove"):
        raise NotPossible(f"unknown Hermes action `{action}`", hint="reject it")
    pinned = str(operation.get("matched_entry") or "")
    if not pinned:
        raise NotPossible(
            "it names no entry, so Hermes would refuse it",
            hint="reject it, and let the agent ask again",
        )
    if pinned.strip() not in entries:
        raise NotPossible("the entry it was staged for is gone or has changed", hint="reject it")
    at = entries.index(pinned.strip())
    return [*entries[:at], *([content] if action == "replace" else []), *entries[at + 1 :]]


def _written(library: Library, path: Path, entries: list[str]) -> Iterator[Effect]:
    raw, new = _raw(library, path), PARTED.join(entries).encode()
    if raw is None:
        yield Create(path, new)
    elif entries != _entries(raw):
        yield from splice_to(path, raw, new, digest_of(raw))
