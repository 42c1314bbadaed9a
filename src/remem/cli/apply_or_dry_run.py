"""Executes an intent, or shows what it would write, and tells what happened.

The options that every command shares which writes stand here too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

import click

from remem.base.errors import Already, Conflict, NotPossible, UnknownRef
from remem.base.frozen import dataclass
from remem.base.text import count, safe_text
from remem.cli.failure import BadUsage
from remem.cli.find_named import shown_path
from remem.cli.invocation import Invocation
from remem.cli.out import emit, paint, say, show_text
from remem.core.library import Library
from remem.core.session import NothingToDo, Session
from remem.core.verbs.verbs import ADD, APPROVE, RESTORE
from remem.model.change import Change, Create, Intent
from remem.model.entry import Ref, Status
from remem.store.changes.commit import Reverted, Reverting
from remem.store.changes.hunks import unified
from remem.store.changes.preview import FilePreview, step_previews
from remem.store.history.journal_records import Logged
from remem.systems.learnings.learning_verbs import LEARN_ADD
from remem.views.change_titles import done
from remem.views.documents.changes import ChangeReport, ChangeWords, EffectReport, TouchedReport
from remem.views.documents.entries import ReachReport

if TYPE_CHECKING:
    from remem.core.relation.already_said import ConflictNote
    from remem.core.system import Facets
    from remem.core.waiting.item import Item
    from remem.model.prompt import Prompt

dry_run_option = click.option("--dry-run", is_flag=True, help="Print the diff; write nothing.")
acknowledge_option = click.option(
    "--acknowledge",
    multiple=True,
    metavar="ID",
    help="Continue despite a warning, by its id; repeatable.",
)
shown_option = click.option(
    "--shown",
    "digests",
    multiple=True,
    metavar="DIGEST",
    help="Decide only if the text still has this digest; one per item, in order.",
)

SHORT_ID: Final = 6
"""Digits of an item's id that a message names."""
_NAMED: Final = 5
"""Entries of a change whose new refs are told."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A change as it is told: planned, made, or taken back."""

    change: Change | Logged
    id: str = ""
    """Empty = only planned."""
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    undone: bool = False
    redone: bool = False
    reach: tuple[ReachReport, ...] | None = None
    """What it would do to prompts; `None` = it is no dry run."""
    previews: tuple[FilePreview, ...] | None = None
    """What it would do to files; `None` = as its change or the history tells."""


def carry_out(
    invocation: Invocation,
    intent: Intent,
    *,
    dry_run: bool,
    conflicts: Sequence[ConflictNote] = (),
) -> None:
    """Commit an intent and say what it did; with `dry_run` print what it would do.

    That there is nothing to do is said and is no error.

    Args:
        invocation: Where it is asked.
        intent: What is asked.
        dry_run: Write nothing.
        conflicts: What it conflicts with; what a note of the change says of the same entry is not
            said again.
    """
    session = invocation.session
    session.seen.note(session.library, intent.shown)
    try:
        if dry_run:
            from remem.cli.impact import impact_of
            from remem.store.changes.effects_to_steps import need_all_unprotected

            change = session.plan(intent)
            need_all_unprotected(session.disk, change.effects)
            told = (*_with(change, conflicts), *_of_new_files(invocation, change))
            _tell(invocation, Outcome(change, notes=told, reach=impact_of(session, change)))
            return
        before = session.library
        waited = session.queue() if intent.items else ()
        done = session.apply(intent)
    except NothingToDo as nothing:
        _tell(invocation, Outcome(nothing.change, notes=nothing.change.notes))
        return
    except Already as already:
        tell_nothing_to_do(invocation, already, intent)
        return
    except (NotPossible, UnknownRef):
        same = session.past.same(session.library, intent)
        if same is None:
            raise
        tell_nothing_to_do(invocation, Already(done_already(same)), intent)
        return
    except Conflict:
        alike = session.decided_alike(intent)
        if alike.keys() != intent.shown.keys():
            raise
        tell_nothing_to_do(invocation, Already(done_already(*_once(alike.values()))), intent)
        return
    told = (
        *_with(done.change, conflicts),
        *_renamed(session, done.change),
        *_to_review(session, done.change, before),
        *_settled(session, done.change, waited),
        *(() if invocation.is_quiet else _of_room(session, done.change, before)),
        *_of_new_files(invocation, done.change, session.library),
    )
    _tell(invocation, Outcome(done.change, done.id, told, done.warnings))


def _with(change: Change, conflicts: Sequence[ConflictNote]) -> tuple[str, ...]:
    """Return the notes of a change and what it conflicts with, each entry once."""
    if not conflicts:
        return change.notes
    from remem.core.relation.already_said import ConflictNote

    told = {each.ref for each in conflicts}
    own = (n for n in change.notes if not (isinstance(n, ConflictNote) and n.ref in told))
    return (*own, *conflicts)


def _of_new_files(
    invocation: Invocation, change: Change, after: Library | None = None
) -> Iterator[str]:
    """Yield which files an addition makes, and what to do where no agent gets what stands there.

    Prompts are made only where a file is new, which is once in a project; without `after` it is
    only planned.
    """
    made = [each.path for each in change.effects if isinstance(each, Create)]
    if not made or change.intent.verb not in (ADD.id, LEARN_ADD.id, APPROVE.id):
        return
    from remem.core.prompt.everyones_starts import agent_starts

    after = after or invocation.session.library.preview(change.effects)
    yield "new file: " + ", ".join(f"`{shown_path(invocation, path)}`" for path in made)
    added = {
        ref
        for ref in change.touched.values()
        if ref is not None and after.has(ref) and after.entry(ref).status is Status.ACTIVE
    }
    prompts = [each.prompt for each in agent_starts(after, invocation.session.counter)]
    if not (added and prompts) or any(_has(prompt, added) for prompt in prompts):
        return
    file = _loaded_by_most(after, prompts)
    where = f"; `remem add lesson TEXT --file {file}` adds to a file that is loaded" if file else ""
    yield f"no agent here loads it: only `remem compose` gives it to a role{where}"


def _has(prompt: Prompt, refs: set[Ref]) -> bool:
    return any(verdict.is_in and verdict.ref in refs for verdict in prompt.verdicts)


def _loaded_by_most(library: Library, prompts: list[Prompt]) -> str:
    """Return the file to add to by its name that most agents load; empty = they load none."""
    adding = [each.name for each in library.formats if _adds_by_file(each.facets)]
    names = {
        source.path: source.name
        for source in library.sources
        if source.format in adding and source.is_writable
    }
    loaded = [
        {line.path for layer in prompt.layers for line in layer.lines} & names.keys()
        for prompt in prompts
    ]
    times = {path: sum(path in each for each in loaded) for path in names}
    best = max(times, key=lambda path: times[path], default=None)
    return names[best] if best is not None and times[best] else ""


def _adds_by_file(facets: Facets) -> bool:
    """Tell whether `add lesson --file` adds to a file of this system."""
    return facets.claims_new is not None and facets.claims_new("lesson", {"file": "any"})


def _renamed(session: Session, change: Change) -> Iterator[str]:
    """Yield what the entries that were asked about are called now, where that is another ref."""
    short = session.library.short
    if len(change.intent.shown) > _NAMED:
        return
    for before in change.intent.shown:
        after = change.touched.get(before)
        if after is not None and after != before and session.library.has(after):
            yield f"`{short(before)}` is now `{short(after)}`"


def _to_review(session: Session, change: Change, before: Library) -> Iterator[str]:
    """Yield the ids in the queue of what a change added to be reviewed; `before` lacks that."""
    library = session.library
    if change.intent.shown:
        return
    came = (now for was, now in change.touched.items() if not before.has(was))
    added = {ref for ref in came if ref is not None and library.has(ref)}
    if all(library.entry(ref).status is not Status.CANDIDATE for ref in added):
        return
    for item in session.queue():
        if item.ref in added:
            name = item.id[:SHORT_ID]
            yield f"to review as {name}: `remem approve {name}` adds it to prompts"


def _settled(session: Session, change: Change, waited: Sequence[Item]) -> Iterator[str]:
    """Yield what else of what waited a decision settled, in one line."""
    if not waited:
        return
    from remem.core.waiting.queue import items_in_queue
    from remem.core.waiting.settled_with import settled_with
    from remem.views.review.fewer_wait import settled_line

    library = session.library
    if settled_with(change, library, waited, items_in_queue(library)):
        # What waits in the whole workspace alone is only in the queue, which takes longer.
        settled = settled_with(change, library, waited, session.queue())
        if settled:
            yield settled_line(len(change.intent.items), settled)


def _of_room(session: Session, change: Change, before: Library) -> Iterator[str]:
    """Yield what an addition pushes out of whose prompt, and where it finds no room itself."""
    if change.intent.verb not in (ADD.id, LEARN_ADD.id, APPROVE.id, RESTORE.id):
        return
    from remem.cli.impact import room_lines

    yield from room_lines(session, change, before)


def done_already(*before: Logged) -> str:
    """Return in a sentence that changes of the history did what is asked for."""
    return f"already done: {'; '.join(f'{each.title} ({each.id})' for each in before)}"


def _once(changes: Iterable[Logged]) -> Iterable[Logged]:
    return {each.id: each for each in changes}.values()


def tell_nothing_to_do(invocation: Invocation, already: Already, intent: Intent) -> None:
    """Say that all is as it was asked to be; nothing was written."""
    notes = (str(already), *((already.hint,) if already.hint else ()))
    _tell(invocation, Outcome(Change(intent, "Nothing to do", (), notes=notes), notes=notes))


def pinned(intent: Intent, digests: Sequence[str]) -> Intent:
    """Return the intent bound to what was seen earlier, where digests of that were given.

    Raises:
        BadUsage: There is not one for each entry.
    """
    if not digests:
        return intent
    if len(digests) != len(intent.shown):
        raise BadUsage(
            f"{count(digests, 'digest')} for {count(intent.shown, 'entry', 'entries')}",
            hint="give `--shown` once per item, in the same order",
        )
    return replace(intent, shown=dict(zip(intent.shown, digests, strict=True)))


def tell_reverted(invocation: Invocation, reverted: Reverted, *, undone: bool) -> None:
    """Say that a change of the history was taken back or done again."""
    kept = () if reverted.exact else ("later changes were kept",)
    word = "undone" if undone else "redone"
    along = tuple(f"{word} with it: {each.title} ({each.id})" for each in reverted.with_it)
    warnings = (*along, *kept, *reverted.warnings)
    logged = reverted.logged
    _tell(invocation, Outcome(logged, logged.id, (), warnings, undone, redone=not undone))


def tell_reverting(invocation: Invocation, found: Reverting, *, back: bool) -> None:
    """Show what an undo or a redo would do."""
    kept = () if found.exact else ("later changes would be kept",)
    word = "undone" if back else "redone"
    along = tuple(f"{word} with it: {each.title} ({each.id})" for each in found.with_it)
    rendered = (FilePreview(path, "regenerated") for path in found.rendered)
    previews = (*step_previews(found.steps), *rendered)
    named = replace(found.logged, title=f"{'Undo' if back else 'Redo'}: {found.logged.title}")
    if back:
        named = replace(named, receipt="")
    _tell(invocation, Outcome(named, warnings=(*along, *kept), previews=previews))


def _previews(session: Session, outcome: Outcome) -> tuple[FilePreview, ...]:
    """Return what a change would do, or what the history says that it did."""
    if outcome.previews is not None:
        return outcome.previews
    if isinstance(outcome.change, Change) and not outcome.id:
        return session.preview(outcome.change)
    return session.past.diff_of(session.journal.get(outcome.id))


def _tell(invocation: Invocation, outcome: Outcome) -> None:
    if invocation.as_json:
        emit(_report(invocation.session, outcome))
        return
    title = outcome.change.title
    for note in (*outcome.notes, *outcome.warnings):
        say(f"note: {note}")
    if not outcome.id:
        print_diff(invocation, _previews(invocation.session, outcome))
        if outcome.reach is not None:
            from remem.cli.impact import print_impact

            print_impact(outcome.reach)
        if outcome.change.receipt:
            say(outcome.change.receipt)
        say(f"{title}: nothing was written")
        return
    if outcome.undone or outcome.redone:
        show_text(f"{'Undone' if outcome.undone else 'Redone'}: {title}")
    else:
        show_text(done(title))
    if outcome.change.receipt and not outcome.undone:
        say(outcome.change.receipt)
    back, does = ("redo", "applies it again") if outcome.undone else ("undo", "undoes it")
    say(f"`remem {back} {outcome.id}` {does}")


def print_diff(invocation: Invocation, previews: Sequence[FilePreview]) -> None:
    """Print what a change does, file by file, as a unified diff."""
    for preview in previews:
        label = shown_path(invocation, preview.path)
        diff = unified(label, preview.hunks)
        if not diff or preview.lies_at is not None:
            show_text(f"{label}: {preview.told(partial(shown_path, invocation))}")
        for line in diff.splitlines():
            click.echo(paint(safe_text(line), fg=_colour(line)))


def _colour(line: str) -> str | None:
    if line.startswith(("+++", "---")):
        return None
    return {"+": "green", "-": "red", "@": "cyan"}.get(line[:1])


def effect_reports(previews: Sequence[FilePreview]) -> tuple[EffectReport, ...]:
    """Return what a change does, file by file, as JSON has it."""
    return tuple(
        EffectReport(path=str(each.path), does=each.does, diff=unified(str(each.path), each.hunks))
        for each in previews
    )


def _report(session: Session, outcome: Outcome) -> ChangeReport:
    change, library = outcome.change, session.library
    return ChangeReport(
        change=ChangeWords(
            id=outcome.id,
            verb=change.intent.verb,
            title=change.title,
            reason=change.reason,
            effects=effect_reports(_previews(session, outcome)),
            touched=tuple(
                TouchedReport(
                    before=library.short(before),
                    after=None if after is None else library.short(after),
                )
                for before, after in change.touched.items()
            ),
            receipt=change.receipt,
            notes=outcome.notes,
            warnings=outcome.warnings,
        ),
        written=bool(outcome.id),
        undone=outcome.undone,
        reach=outcome.reach or (),
    )
