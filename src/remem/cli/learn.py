"""The commands about learnings: every event of their life, and their upkeep."""

from __future__ import annotations

from collections.abc import Sequence

import click

from remem.base.text import count
from remem.cli.decide import acknowledge_option
from remem.cli.execute import carry_out, dry_run_option
from remem.cli.naming import entries_named, entry_named
from remem.cli.out import emit, print_table, say
from remem.cli.session import Session, common_options, pass_session
from remem.model.change import Intent, Json
from remem.systems.learnings.records import LEARNING, STARTS
from remem.systems.learnings.upkeep import day_of, decay_waits, decaying, proposals
from remem.views.documents.learnings import DecayReport, DecayRow, GroupReport, MergeReport

refs_argument = click.argument("refs", nargs=-1, required=True, metavar="REF...")
detail_option = click.option("--detail", default="", metavar="TEXT", help="Kept in its history.")
by_agent_option = click.option(
    "--actor", default="", metavar="NAME", help="The agent that says so; default: a person."
)


@click.group("learn", context_settings={"help_option_names": ["-h", "--help"]})
@common_options
def learn() -> None:
    """Tell what happened to learnings."""


@learn.command("add")
@click.argument("text", metavar="TEXT")
@click.option("--avoid", default="", metavar="TEXT", help="What not to do.")
@click.option("--instead", default="", metavar="TEXT", help="What to do instead.")
@click.option("--agent", "agents", multiple=True, help="Who it is for; repeatable.")
@click.option("--phase", "phases", multiple=True, help="Where it applies; repeatable.")
@click.option("--file", "files", multiple=True, metavar="GLOB", help="For what; repeatable.")
@click.option(
    "--source", default="human", type=click.Choice(tuple(STARTS)), help="How it came about."
)
@click.option("--protocol", default="", metavar="ID", help="The protocol that it comes from.")
@click.option("--expires", default="", metavar="TIME", help="Until when it holds.")
@click.option("--override", is_flag=True, help="It goes against a recommendation.")
@by_agent_option
@detail_option
@acknowledge_option
@dry_run_option
@common_options
@pass_session
def add(
    session: Session,
    text: str,
    avoid: str,
    instead: str,
    agents: tuple[str, ...],
    phases: tuple[str, ...],
    files: tuple[str, ...],
    source: str,
    protocol: str,
    expires: str,
    override: bool,
    actor: str,
    detail: str,
    acknowledge: tuple[str, ...],
    dry_run: bool,
) -> None:
    """Write a new learning.

    A person's own is in force at once; with `--actor` it is a draft that waits for one.
    """
    origin = {"type": source, "protocol_id": protocol, "detail": detail}
    scope = {"agents": list(agents), "phases": list(phases), "files": list(files)}
    texts = {"learning": text, "anti_pattern": avoid, "correction": instead, "expires_at": expires}
    fields: dict[str, Json] = {name: each for name, each in texts.items() if each}
    fields["source"] = {name: each for name, each in origin.items() if each}
    given: dict[str, Json] = {name: list(each) for name, each in scope.items() if each}
    if given:
        fields["scope"] = given
    arguments: dict[str, Json] = {"fields": fields, **_said(actor=actor)}
    arguments |= {"override": True} if override else {}
    arguments |= {"acknowledged": [*acknowledge]} if acknowledge else {}
    carry_out(session, Intent("learn.add", arguments=arguments), dry_run=dry_run)


@learn.command("approve")
@refs_argument
@acknowledge_option
@dry_run_option
@common_options
@pass_session
def approve(
    session: Session, refs: tuple[str, ...], acknowledge: tuple[str, ...], dry_run: bool
) -> None:
    """Put drafts into force, and keep what waits."""
    arguments: dict[str, Json] = {"acknowledged": [*acknowledge]} if acknowledge else {}
    _tell(session, "approve", refs, arguments, dry_run=dry_run)


@learn.command("confirm")
@refs_argument
@detail_option
@dry_run_option
@common_options
@pass_session
def confirm(session: Session, refs: tuple[str, ...], detail: str, dry_run: bool) -> None:
    """Say that learnings are right."""
    _tell(session, "learn.confirm", refs, _said(detail=detail), dry_run=dry_run)


@learn.command("invalidate")
@refs_argument
@detail_option
@dry_run_option
@common_options
@pass_session
def invalidate(session: Session, refs: tuple[str, ...], detail: str, dry_run: bool) -> None:
    """Say that learnings are wrong."""
    _tell(session, "learn.invalidate", refs, _said(detail=detail), dry_run=dry_run)


@learn.command("reinforce")
@refs_argument
@click.option("--by", required=True, metavar="ID", help="The event or learning that bears it out.")
@by_agent_option
@detail_option
@dry_run_option
@common_options
@pass_session
def reinforce(
    session: Session, refs: tuple[str, ...], by: str, actor: str, detail: str, dry_run: bool
) -> None:
    """Say what bears learnings out."""
    said = _said(by=by, actor=actor, detail=detail)
    _tell(session, "learn.reinforce", refs, said, dry_run=dry_run)


@learn.command("contradict")
@click.argument("ref", metavar="REF")
@click.argument("other", metavar="OTHER")
@by_agent_option
@detail_option
@dry_run_option
@common_options
@pass_session
def contradict(
    session: Session, ref: str, other: str, actor: str, detail: str, dry_run: bool
) -> None:
    """Say that two learnings are opposites."""
    said = _said(actor=actor, detail=detail)
    _tell(session, "learn.contradict", (ref, other), said, dry_run=dry_run)


@learn.command("absence")
@refs_argument
@click.option("--protocol", required=True, metavar="ID", help="Where it was applied.")
@by_agent_option
@detail_option
@dry_run_option
@common_options
@pass_session
def absence(
    session: Session, refs: tuple[str, ...], protocol: str, actor: str, detail: str, dry_run: bool
) -> None:
    """Say that a problem stayed away where its learning was applied."""
    said = _said(protocol=protocol, actor=actor, detail=detail)
    _tell(session, "learn.absence", refs, said, dry_run=dry_run)


@learn.command("recurrence")
@refs_argument
@click.option("--protocol", default="", metavar="ID", help="Where it came back.")
@by_agent_option
@detail_option
@dry_run_option
@common_options
@pass_session
def recurrence(
    session: Session, refs: tuple[str, ...], protocol: str, actor: str, detail: str, dry_run: bool
) -> None:
    """Say that a problem came back although its learning was known."""
    said = _said(protocol=protocol, actor=actor, detail=detail)
    _tell(session, "learn.recurrence", refs, said, dry_run=dry_run)


@learn.command("supersede")
@refs_argument
@click.option("--by", required=True, metavar="REF", help="The learning that takes its place.")
@dry_run_option
@common_options
@pass_session
def supersede(session: Session, refs: tuple[str, ...], by: str, dry_run: bool) -> None:
    """Put one learning in the place of others."""
    target = entry_named(session.workbench.library, by)
    _tell(session, "learn.supersede", refs, {"by": str(target.ref)}, dry_run=dry_run)


@learn.command("merge")
@click.argument("refs", nargs=-1, metavar="[REF...]")
@click.option("--proposed", is_flag=True, help="Merge what says the same, ten groups at most.")
@dry_run_option
@common_options
@pass_session
def merge(session: Session, refs: tuple[str, ...], proposed: bool, dry_run: bool) -> None:
    """Unite learnings that say the same.

    The surest stays, the others name it as the one in their place. Without a REF it only lists
    what could be merged.
    """
    if refs or proposed:
        _tell(session, "learn.merge", refs, {"proposed": proposed}, dry_run=dry_run)
        return
    library = session.workbench.library
    groups = tuple(
        GroupReport(
            refs=tuple(library.short(entry.ref) for entry in group),
            titles=tuple(entry.title for entry in group),
        )
        for group in proposals(library)
    )
    if session.as_json:
        emit(MergeReport(groups=groups))
        return
    print_table(("LEARNINGS", "TITLE"), [(" ".join(g.refs), g.titles[0]) for g in groups])
    say(f"{count(groups, 'group')} could be merged; nothing was written")


@learn.command("upgrade")
@click.argument("refs", nargs=-1, metavar="[REF...]")
@click.option("--status", default="", help="For a file that has none: `active`, `draft`.")
@click.option("--confidence", type=click.FloatRange(0, 1), help="For a file that has none.")
@dry_run_option
@common_options
@pass_session
def upgrade(
    session: Session,
    refs: tuple[str, ...],
    status: str,
    confidence: float | None,
    dry_run: bool,
) -> None:
    """Write older shapes as the schema wants them.

    Without a REF all learnings that are not so are upgraded, in one change.
    """
    said: dict[str, Json] = {**_said(status=status)}
    said |= {} if confidence is None else {"confidence": confidence}
    _tell(session, "learn.upgrade", refs, said, dry_run=dry_run)


@learn.command("prune")
@click.option("--as-of", default="", metavar="DATE", help="The day to reckon from; default: today.")
@dry_run_option
@common_options
@pass_session
def prune(session: Session, as_of: str, dry_run: bool) -> None:
    """Put away what has been deprecated for long.

    The files move to `.sniper/memory/archive/`; nothing is deleted.
    """
    _tell(session, "learn.prune", (), _said(as_of=as_of), dry_run=dry_run)


@learn.command("decay")
@click.argument("refs", nargs=-1, metavar="[REF...]")
@click.option("--as-of", default="", metavar="DATE", help="The day to reckon from; default: today.")
@click.option("--apply", is_flag=True, help="Write it; without this it is only listed.")
@dry_run_option
@common_options
@pass_session
def decay(session: Session, refs: tuple[str, ...], as_of: str, apply: bool, dry_run: bool) -> None:
    """Take off confidence for idle time.

    It begins after 120 days on which nothing happened, with 0.05 for every 30 days. Running it
    twice for one day takes nothing off the second time.
    """
    intent = _intent(session, "learn.decay", refs, _said(as_of=as_of))
    if apply or dry_run:
        carry_out(session, intent, dry_run=dry_run)
        return
    library = session.workbench.library
    day = day_of(library, intent)
    rows = [
        DecayRow(
            ref=library.short(entry.ref),
            title=entry.title,
            anchor=found.anchor.date().isoformat(),
            idle=found.idle,
            steps=found.steps,
            before=reading.record.confidence,
            after=found.after,
            deprecates=found.deprecates,
            waits=decay_waits(library, intent, entry),
        )
        for entry, _, reading, found in decaying(library, intent, day)
    ]
    if session.as_json:
        emit(DecayReport(as_of=day.isoformat(), decays=tuple(rows)))
        return
    print_table(("REF", "SINCE", "IDLE", "CONFIDENCE", "TITLE"), [_decay_row(row) for row in rows])
    waiting = [row for row in rows if row.waits]
    for row in waiting:
        say(f"note: `{row.ref}` waits until it is named: {row.waits}")
    how = "; `--apply` writes it" if len(rows) > len(waiting) else ""
    say(f"{count(rows, 'learning')} would decay as of {day}{how}")


def _decay_row(row: DecayRow) -> Sequence[str]:
    after = f"{row.before:g} → {row.after:g}" + (", deprecated" if row.deprecates else "")
    return (row.ref, row.anchor, count(row.idle, "day"), after, row.title)


def _said(**texts: str) -> dict[str, Json]:
    """Return the arguments that were given."""
    return {name: text for name, text in texts.items() if text}


def _intent(session: Session, verb: str, refs: Sequence[str], arguments: dict[str, Json]) -> Intent:
    entries = entries_named(session.workbench.library, map(_with_format, refs))
    return session.workbench.intend(verb, entries, **arguments)


def _with_format(name: str) -> str:
    """Read a bare id as a learning's, so that nothing else is searched for it."""
    return name if ":" in name else f"{LEARNING}:{name}"


def _tell(
    session: Session,
    verb: str,
    refs: Sequence[str],
    arguments: dict[str, Json],
    *,
    dry_run: bool,
) -> None:
    carry_out(session, _intent(session, verb, refs, arguments), dry_run=dry_run)
