"""What an agent proposes: a file in `.remem/proposals/` that waits for a person (FORMATS 6.4, 7).

Nothing here puts anything into memory, and what a person rejected does not come back this way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from remem.base.errors import NotPossible, Refused
from remem.core.library import Library
from remem.core.own_folder import OWN
from remem.core.relation.already_said import alike
from remem.core.relation.normal_form import Alike, norm
from remem.core.system import System
from remem.core.waiting.kinds import coming_of
from remem.core.waiting.rejected import suppressed
from remem.model.change import Change, Intent, Json, texts_in
from remem.model.entry import Entry
from remem.model.proposals_and_rejections import PROPOSAL, Proposal, text_of
from remem.model.roles import persona_key

if TYPE_CHECKING:
    from remem.core.verbs.propose_verbs import Propose

_LONGEST: Final = 20_000
"""Characters of all texts of a proposal: a person reads it before it comes into force."""
_SHOWN: Final = 60
"""Characters of the text in the history's title."""


class Rejected(Refused):
    """A person said no to it before; the message has the reason."""

    code = "rejected"


def plan_propose(library: Library, intent: Intent, args: Propose) -> Change:
    """Plan to put an entry into the queue.

    Raises:
        NotPossible: Nothing keeps that kind, it has no text or no owner, or it is known already.
        Rejected: A person rejected it before.
    """
    kind, fields = args.kind.strip().lower().replace("-", "_"), args.fields
    if not fields:
        raise NotPossible("a proposal needs fields", hint='give `{"rule": "…"}`, as its kind has')
    home = _home(library, kind, args.target)
    proposal = Proposal(kind=kind, target=args.target, fields=dict(fields))
    text = text_of(proposal)
    if not text:
        raise NotPossible(
            f"a `{kind}` needs a text",
            hint="give its text as `rule`, `description`, `title`, `learning` or `text`",
        )
    if sum(map(len, texts_in(dict(fields)))) > _LONGEST:
        message = f"a proposal can have at most {_LONGEST:,} characters"
        raise NotPossible(message, hint="shorten it")
    own_field = home.facets.text_fields.get(kind, "")
    if own_field and not fields.get(own_field):
        given = next(name for name, value in fields.items() if value == text)
        raise NotPossible(
            f"a `{kind}` keeps its text in `{own_field}`, not in `{given}`",
            hint=f'give `{{"{own_field}": "…"}}`',
        )
    whose = library.whose(kind, fields)
    claims = home.facets.claims_new
    if kind in home.facets.owned and not whose and not (claims and claims(kind, fields)):
        # The agent can still say it; a person who approves it could only guess.
        raise NotPossible(
            f"a `{kind}` needs an owner", hint="say whose it is: give `persona` in its fields"
        )
    _need_new(library, kind, text, whose)
    value: dict[str, Json] = {"kind": kind, "target": args.target, "fields": dict(fields)}
    said = {
        "evidence": args.evidence,
        "by": args.by or library.by,
        "door": args.door,
        "why": args.why,
    }
    value |= {name: text for name, text in said.items() if text}
    own = library.format(OWN)
    added = own.keeper.add(library.ground, library.of_format(OWN), PROPOSAL, value)
    title = f"Propose {kind.replace('_', ' ')}: {' '.join(text.split())[:_SHOWN]}"
    return Change(intent, title, added.effects, touched={added.ref: added.ref})


def _home(library: Library, kind: str, target: str) -> System:
    """Return the system that would keep it, or say what there is."""
    keeping = [each for each in library.formats if kind in each.kinds and each.name != OWN]
    if not keeping:
        kinds = sorted({each for one in library.formats for each in one.kinds} - {PROPOSAL})
        names = ", ".join(f"`{each}`" for each in kinds)
        raise NotPossible(f"no system here stores a `{kind}`", hint=f"the kinds are {names}")
    named = [each for each in keeping if target in ("", each.name)]
    if not named:
        names = ", ".join(f"`{each.name}`" for each in keeping)
        raise NotPossible(f"`{target}` stores no `{kind}`", hint=f"use {names}, or leave it out")
    return named[0]


def _need_new(library: Library, kind: str, text: str, whose: str) -> None:
    """Refuse what is known; of a lesson, what its own persona knows.

    Raises:
        Rejected: A person turned it down.
        NotPossible: It stands in memory, or waits.
    """
    rejection = suppressed(library, kind, text, whose)
    if rejection is not None:
        raise Rejected(
            f"rejected on {rejection.date} by {rejection.by}: {rejection.reason}",
            hint="propose it again only if your text addresses this",
        )
    same = (
        each
        for each in alike(library, kind, text)
        if whose in ("", persona_key(library.source_of(each.entry).owner))
    )
    known = next((each for each in same if each.alike is Alike.EXACT), None)
    if known is not None:
        name = library.short(known.entry.ref)
        raise NotPossible(f"`{name}` already says it", hint="propose only what is new")
    waits = (each for each in _waiting(library) if _says(library, each, kind, text, whose))
    waiting = next(waits, None)
    if waiting is not None:
        name = library.short(waiting.ref)
        raise NotPossible(f"already in the queue: `{name}`", hint="a person will decide")


def _waiting(library: Library) -> list[Entry]:
    return [entry for entry in library.of_kind(PROPOSAL) if entry.ref.format == OWN]


def _says(library: Library, entry: Entry, kind: str, text: str, whose: str) -> bool:
    coming = coming_of(library, entry)
    return coming.whose == whose and coming.kind == kind and norm(coming.text) == norm(text)
