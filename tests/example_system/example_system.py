"""Trails: what a team learnt on the way, as signposts and pitfalls in `.trail/*.trail`.

    == signpost s1 [open] backend-engineer, qa-engineer
    Send the idempotency key with every retry.
    ? Two double charges in May.

`[proposed]` waits for a person, `[open]` is in force, `[closed]` is archived. Whoever has no role
after the state is for everyone. Lines above the first mark are nobody's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from remem.plugin import (
    CONTRACT,
    Addition,
    Ask,
    Create,
    Effect,
    Entry,
    FileSpan,
    Ground,
    Json,
    Library,
    NotPossible,
    Offer,
    Piece,
    Plugin,
    Problem,
    Ref,
    Section,
    Source,
    Status,
    digest_of,
    matches,
    splice,
    store,
)

NAME = "trail"
KINDS = ("signpost", "pitfall")
STATES = {"proposed": Status.CANDIDATE, "open": Status.ACTIVE, "closed": Status.ARCHIVED}
WORDS = {status: word for word, status in STATES.items()}
HEAD = re.compile(r"== (signpost|pitfall) ([\w-]+) \[(proposed|open|closed)\](?: (\S.*))?")
ID = re.compile(r"[\w-]+")


@dataclass(frozen=True)
class Mark:
    """One block of a file: where it stands, and what it says."""

    start: int
    end: int
    kind: str
    id: str
    state: str
    roles: tuple[str, ...]
    text: str
    why: str

    def render(self, newline: str) -> bytes:
        """Return the block without the blank lines after it."""
        roles = f" {', '.join(self.roles)}" if self.roles else ""
        lines = [f"== {self.kind} {self.id} [{self.state}]{roles}", *self.text.split("\n")]
        return newline.join([*lines, *([f"? {self.why}"] if self.why else [])]).encode()

    def fields(self) -> dict[str, Json]:
        held: dict[str, Json] = {"id": self.id, "text": self.text, "state": self.state}
        held |= {"roles": [*self.roles]} if self.roles else {}
        return held | ({"why": self.why} if self.why else {})


def marks(data: bytes) -> Iterator[Mark | Problem]:
    """Yield the blocks of a file in their order, and the lines that begin one and are none."""
    begins = [found.start() for found in re.finditer(rb"^== ", data, re.MULTILINE)]
    for start, after in zip(begins, [*begins[1:], len(data)], strict=False):
        block = data[start:after].rstrip()
        head, *body = block.decode("utf-8", "replace").splitlines()
        found = HEAD.fullmatch(head)
        said = [line for line in body if not line.startswith("? ")]
        if found is None or not said or b"\xef\xbf\xbd" in head.encode():
            line = data.count(b"\n", 0, start) + 1
            yield Problem("syntax", f"`{head[:60]}` begins no mark", "see the docs", line=line)
            continue
        kind, name, state, roles = found.groups()
        why = " ".join(line[2:].strip() for line in body if line.startswith("? "))
        names = tuple(each.strip() for each in (roles or "").split(",") if each.strip())
        end = start + len(block)
        yield Mark(start, end, kind, name, state, names, "\n".join(said).strip(), why)


def mark_at(source: Source, entry: Entry) -> Mark:
    """Return the block that an entry stands for."""
    assert isinstance(entry.at, FileSpan)
    found = next(marks(source.data[entry.at.start : entry.at.end]))
    assert isinstance(found, Mark)
    return found


class Reader:
    """Finds `.trail` files, and reads them."""

    def discover(self, ground: Ground) -> Iterator[Source]:
        for path in ground.disk.walk(ground.root / ".trail", 1, ".trail"):
            yield store(ground, NAME, path)

    def read(self, source: Source, data: bytes) -> Iterator[Entry | Problem]:
        met: dict[str, int] = {}
        for each in marks(data):
            if isinstance(each, Problem):
                yield each
                continue
            met[each.id] = met.get(each.id, 0) + 1
            twin = met[each.id] if met[each.id] > 1 else 0
            yield Entry(
                # Files may use one id each: the file's name is part of the address.
                Ref(NAME, f"{source.name}/{each.id}", source.place, twin),
                each.kind,
                each.text,
                STATES[each.state],
                FileSpan(source.path, each.start, each.end),
                digest_of(data[each.start : each.end]),
                roles=each.roles or None,
                rank=(each.kind != "pitfall", each.start),
            )

    def fields(self, source: Source, entry: Entry) -> Mapping[str, Json]:
        return mark_at(source, entry).fields()


class Keeper:
    """Plans what writing would do to a file."""

    def add(
        self, ground: Ground, sources: Sequence[Source], kind: str, fields: Mapping[str, Json]
    ) -> Addition:
        held = dict(fields)
        state = WORDS[Status(str(held.pop("status", Status.ACTIVE)))]
        path = sources[0].path if sources else ground.root / ".trail" / "main.trail"
        data = sources[0].data if sources else b""
        newline = newline_of(data)
        taken = {each.id for each in marks(data) if isinstance(each, Mark)}
        number = next(n for n in range(1, len(taken) + 2) if f"{kind[0]}{n}" not in taken)
        new = changed(Mark(0, 0, kind, f"{kind[0]}{number}", state, (), "", ""), held)
        gap = newline * (0 if not data else 1 if data.endswith(b"\n") else 2)
        text = gap.encode() + new.render(newline) + newline.encode()
        ref = Ref(NAME, f"{path.stem}/{new.id}", sources[0].place if sources else ground.project)
        if not sources:
            return Addition(ref, path, (Create(path, text),))
        return Addition(ref, path, (splice(sources[0], len(data), len(data), text),))

    def edit(self, source: Source, entry: Entry, fields: Mapping[str, Json]) -> tuple[Effect, ...]:
        return written(source, entry, changed(mark_at(source, entry), fields))

    def set_status(self, source: Source, entry: Entry, status: Status) -> tuple[Effect, ...]:
        if status not in WORDS:
            raise NotPossible(f"a trail has no word for {status}", hint="archive it")
        return written(source, entry, changed(mark_at(source, entry), {"state": WORDS[status]}))

    def remove(self, source: Source, entry: Entry) -> tuple[Effect, ...]:
        assert isinstance(entry.at, FileSpan)
        end = entry.at.end
        while source.data[end : end + 1] in (b"\r", b"\n"):
            end += 1
        return (splice(source, entry.at.start, end, b""),)


def changed(mark: Mark, fields: Mapping[str, Json]) -> Mark:
    """Return a mark with other fields; raises `NotPossible` for what would not be read again."""
    held = {**mark.fields(), **fields}
    for name, value in held.items():
        fits = isinstance(value, list) if name == "roles" else isinstance(value, str)
        if name not in ("id", "text", "state", "roles", "why") or not (fits or value is None):
            raise NotPossible(f"a mark does not take `{name}: {value}`", hint="see `remem show`")
    new = {name: str(held.get(name) or "") for name in ("id", "text", "state", "why")}
    listed = held.get("roles")
    roles = tuple(map(str, listed)) if isinstance(listed, list) else ()
    text = new["text"].strip()
    if not text or any(line.startswith(("== ", "? ")) for line in text.split("\n")):
        raise NotPossible("a mark has a text, and no line of it begins with `== ` or `? `")
    is_named = ID.fullmatch(new["id"]) and new["state"] in STATES
    if not is_named or any(set("\r\n") & set(each) for each in (new["why"], *roles)):
        raise NotPossible("the id, the state, the roles and the reason are one line each")
    return Mark(0, 0, mark.kind, new["id"], new["state"], roles, text, new["why"])


def written(source: Source, entry: Entry, mark: Mark) -> tuple[Effect, ...]:
    assert isinstance(entry.at, FileSpan)
    now = mark.render(newline_of(source.data))
    start, end = entry.at.start, entry.at.end
    return (splice(source, start, end, now),) if source.data[start:end] != now else ()


def newline_of(data: bytes) -> str:
    return "\r\n" if b"\r\n" in data else "\n"


class Composer:
    """Gives every role its marks, pitfalls first, within 400 tokens."""

    def roles(self, sources: Sequence[Source]) -> Iterator[str]:
        for source in sources:
            for entry in source.entries:
                yield from entry.roles or ()

    def offers(self, sources: Sequence[Source], ask: Ask) -> tuple[Offer, ...]:
        entries = [
            entry
            for source in sources
            for entry in source.entries
            if entry.status is Status.ACTIVE and matches(ask.role, entry.roles)
        ]
        pieces = tuple(Piece(e.ref, f"- {e.title}", e.rank, "trail") for e in entries)
        heading = {"trail": Section("trail", "## Trail")}
        return (Offer("trail", pieces, heading, cap=400),) if pieces else ()


def beside(library: Library) -> str:
    """Return what Start says of the trail, which belongs to no agent."""
    entries = [each for source in library.of_format(NAME) for each in source.entries]
    return f"{sum(each.status is Status.ACTIVE for each in entries)} marks in force"


def register() -> Plugin:
    return Plugin(
        contract=CONTRACT,
        name=NAME,
        kinds=KINDS,
        places=(".trail",),
        reader=Reader,
        keeper=Keeper,
        composer=Composer,
        warns=("pitfall",),
        beside=beside,
    )
