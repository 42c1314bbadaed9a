"""What the tools do that need all memory, and not the verified alone: propose, compose, why.

Loaded when one of them is first called. Whoever calls holds the state's lock.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from remem.base.errors import UnknownRef
from remem.core.checks.secrets import examine
from remem.core.library import Library
from remem.core.prompt.agents import agents_called, agents_of, is_composed
from remem.core.repositories import repository_of
from remem.core.session import Session
from remem.core.verbs.args import BadArgument
from remem.core.verbs.propose_verbs import PROPOSE, Propose
from remem.mcp.fitting_answers import as_text, counted, cut_lines, tokens_of
from remem.mcp.server_state import Answer, Call
from remem.mcp.tools import Compose, Why
from remem.model.change import Intent, texts_in
from remem.model.prompt import Ask
from remem.model.roles import matches
from remem.systems.facts.database.row_records import StoreUnavailable
from remem.systems.facts.source import FORMAT as VERIFIED
from remem.systems.facts.source import verified_sources
from remem.systems.shaktra.documents import need_story
from remem.systems.shaktra.records import SHAKTRA
from remem.views.entries.fact_answers import told_findings
from remem.views.prompts.choices import about_files

_ROLES: Final = 8
"""Roles or agents that are named to whom asks for another one."""
_ABOUT: Final = 60
"""Tokens that `memory_compose` needs to say that the text goes on."""


def answer_from_library(call: Call, args: Propose | Compose | Why) -> Answer:
    """Do what was asked and return what to tell.

    Raises:
        RememError: It cannot be done.
    """
    if isinstance(args, Propose):
        return _propose(call, args)
    return _compose(call, args) if isinstance(args, Compose) else _why(call, args)


def _propose(call: Call, args: Propose) -> Answer:
    by = args.by or call.client
    why = f"{by or 'an agent'} proposed it"
    asked = {**args.to_json(), "by": by, "door": "mcp", "why": why}
    session = call.state.session
    session.refresh()
    done = session.apply(Intent(PROPOSE.id, arguments=asked))
    made = next(ref for ref in done.change.touched.values() if ref is not None)
    item = next((each for each in session.queue() if each.ref == made), None)
    name = session.library.short(made)
    findings = [each for text in texts_in(args.fields) for each in examine(text)]
    return {
        "item": item.id if item is not None else name,
        "ref": name,
        "findings": [each.to_values() for each in told_findings(findings)],
    }


def _compose(call: Call, args: Compose) -> Answer:
    session = call.state.session
    session.refresh()
    _need_facts(session.library)
    ask, is_loaded = _asked(session.library, args)
    ask = replace(ask, story=args.story, files=args.files, budget=args.budget or 0)
    stories = session.library.of_format(SHAKTRA)
    if ask.story and stories:
        need_story(stories, ask.story)
    session.load_counter()
    prompt = session.as_loaded(ask) if is_loaded else session.compose(ask)
    short = session.library.short
    out = [
        {"ref": short(each.ref), "reason": each.reason.value, "detail": each.detail}
        for each in prompt.verdicts
        if each.reason is not None
    ]
    left_out = counted(out)
    while len(left_out["first"]) > 1 and _length(left_out) > args.max_tokens // 4:
        left_out["first"].pop()
    about: Answer = {
        "tokens": prompt.tokens,
        "encoding": prompt.encoding,
        "exact": prompt.exact,
        "excluded": left_out,
    }
    about_ask = (
        *_about_role(session, ask.role),
        *about_files(session.disk, session.root, ask.files),
    )
    hints = [*about_ask, *(prompt.notes if is_loaded else ())]
    room = args.max_tokens - _length({**about, "hint": "; ".join(hints)}) - _ABOUT
    text = cut_lines(prompt.text, prompt.tokens, room)
    if len(text) < len(prompt.text):
        # Written as JSON it is longer than it reads: what that comes to is cut once more.
        text = cut_lines(text, _length({"text": text}), room)
        about["left_out_characters"] = len(prompt.text) - len(text)
        hints.append("cut here; raise `max_tokens` for more")
    found = {"text": text, **about}
    return {**found, "hint": "; ".join(hints)} if hints else found


def _asked(library: Library, args: Compose | Why) -> tuple[Ask, bool]:
    """Return whose prompt is meant, and whether it is what an agent loads by itself.

    Raises:
        BadArgument: Nobody is named.
        UnknownRef: There is no such agent, or several; the hint names those that there are.
    """
    if args.role or not args.persona:
        if not args.role:
            raise BadArgument("`role` is missing", hint="name a `role`, or an agent as `persona`")
        return Ask(role=args.role, persona=args.persona), False
    named = agents_called(library, args.persona, layout=args.layout)
    if not named:
        names = ", ".join(f"`{who.name}`" for who in agents_of(library)[:_ROLES]) or "none"
        raise UnknownRef(f"no agent is called `{args.persona}`", hint=f"agents here: {names}")
    if len(named) > 1:
        layouts = " or ".join(f"`{who.layout}`" for who in named)
        several = f"{len(named)} agents are called `{args.persona}`"
        raise UnknownRef(several, hint=f"name one by its `layout`: {layouts}")
    name, layout = named[0].name, named[0].layout
    if is_composed(library, layout):
        return Ask(persona=name, layout=layout), False
    return Ask(agent=name, layout=layout), True


def _length(part: Answer) -> int:
    return tokens_of(as_text(part))


def _about_role(session: Session, role: str) -> Iterator[str]:
    """Say that a role is not known where others are: it may be mistyped."""
    known = session.roles()
    if role and not known:
        yield "no roles are known here: this is what everyone gets"
    elif role and not any(matches(role, (each,)) for each in known):
        names = ", ".join(f"`{each}`" for each in known[:_ROLES])
        yield f"unknown role `{role}`; roles here: {names}"


def _need_facts(library: Library) -> None:
    """Compose nothing without verified memory: an agent would take it that there is none.

    Raises:
        StoreUnavailable: It cannot be read now.
    """
    for source in verified_sources(library.of_format(VERIFIED)):
        if source.unread:
            raise StoreUnavailable(source.unread.message, hint=source.unread.hint)


def _why(call: Call, args: Why) -> Answer:
    session = call.state.session
    session.refresh()
    session.load_counter()
    entry = session.library.resolve(args.ref)
    ask, is_loaded = _asked(session.library, args)
    there = repository_of(session.library, entry.ref)
    found = session.why(entry.ref, replace(ask, repository=there), as_loaded=is_loaded)
    return {
        "ref": session.library.short(entry.ref),
        "role": found.role,
        "included": found.is_in,
        "reason": found.code,
        "because": found.because,
        "sentences": list(found.sentences),
        "tokens": found.tokens,
    }
