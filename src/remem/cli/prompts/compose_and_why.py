"""The commands about what an agent will see: `compose` and `why`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from shlex import quote
from typing import Any, Final, TypeVar

import click

from remem.base.errors import NotPossible, UnknownRef
from remem.base.text import count, did_you_mean
from remem.cli.completion import complete_entries, complete_roles
from remem.cli.failure import BadUsage
from remem.cli.find_named import shown_path, tell_all_unread, tell_unread, who_is_there
from remem.cli.find_waiting_item import entry_wherever
from remem.cli.invocation import Invocation
from remem.cli.options import common_options, pass_invocation
from remem.cli.out import emit, print_exact, say, show_text
from remem.core.library import Library
from remem.core.prompt.agents import agents_of, reader_named
from remem.core.prompt.asks import EVERYONE
from remem.core.prompt.budget import fits_in_words
from remem.core.prompt.start_sum import is_list
from remem.core.prompt.why import Explanation
from remem.core.repositories import repositories_of, repository_of, within
from remem.core.session import Session
from remem.model.change import Intent
from remem.model.prompt import Ask, Layer, LeftOut, Prompt, Reason
from remem.model.roles import matches, persona_key
from remem.model.source import SourceKind
from remem.store.io import real_path
from remem.systems.facts.database.row_records import StoreUnavailable
from remem.systems.facts.source import FORMAT as VERIFIED
from remem.systems.facts.source import verified_sources
from remem.systems.learnings.records import LEARNING
from remem.systems.shaktra.records import SHAKTRA
from remem.systems.sniper.spawn_prompt import LAYERS
from remem.views.documents.prompt import (
    ComposeReport,
    ExcludedReport,
    JoinsReport,
    LayerReport,
    LeftReport,
    LineReport,
    RuleReport,
    WhyReport,
)
from remem.views.prompts.choices import (
    about_files,
    at_start,
    joins_line,
    moment_of,
    worked_on,
)

Decorated = TypeVar("Decorated", bound=Callable[..., Any])
_FOR_EVERYBODY: Final = (Reason.STATUS, Reason.EXPIRED, Reason.OVERRIDDEN, Reason.REJECTED)
"""Why an entry is out of every prompt, whoever asks."""
_ALIKE: Final = 5
"""Files with the same reason why they are not loaded that have a line each."""
_NAMED: Final = 9
"""Roles or personas that a hint names."""


def _layer_options() -> list[Callable[[Any], Any]]:
    """Return the options that choose a layer of the prompt where the role's own is not meant."""
    about = {
        "technical": "Technical layer; default: the role's.",
        "cognitive": "Cognitive layer, or one more mixin.",
        "domain": "Context of the domain pack.",
        "name": "The agent's name; default: its role.",
        "ownership": "Key of `ownership` in the settings; default: the technical layer's.",
        "protocol": "The protocol; default: the one in progress.",
    }
    return [click.option(f"--{name}", default="", help=text) for name, text in about.items()]


def asked_of(given: dict[str, Any], **more: Any) -> Ask:
    """Return whom and what options ask for; those of layers go together."""
    layers = tuple((name, given.pop(name)) for name in LAYERS if name in given)
    named = {name: value for name, value in given.items() if value}
    return Ask(**named, layers=tuple(each for each in layers if each[1]), **more)


def ask_options(command: Decorated) -> Decorated:
    """Add the options that say for whom and for what a prompt is composed."""
    for option in (
        click.option("--as-loaded", is_flag=True, help="Show the files an agent loads."),
        click.option(
            "--agent",
            default="",
            help="The agent; implies `--as-loaded`.",
        ),
        click.option("--layout", default="", help="The agent's layout, if it has several."),
        click.option("--folder", default="", metavar="DIR", help="Subfolder the agent starts in."),
        click.option("--phase", default="", help="The phase."),
        click.option(
            "--files",
            "--touching",
            multiple=True,
            metavar="GLOB",
            help=(
                "Files it works on, in order; repeatable. With `--as-loaded`: adds what they load."
            ),
        ),
        click.option("--task", default="", metavar="TEXT", help="The task text."),
        click.option("--story", default="", metavar="ID", help="The story it works on."),
        click.option(
            "--budget",
            type=click.IntRange(min=1),
            default=None,
            metavar="N",
            help="Replace the budget of each memory layer.",
        ),
        click.option(
            "--project", default="", help="Project whose memory a persona uses; default: this one."
        ),
        click.option("--persona", default="", help="The persona."),
        *_layer_options(),
        click.option("--role", default="", help="The role.", shell_complete=complete_roles),
        click.option("--allow-unknown", is_flag=True, help="Accept an unknown role or persona."),
    ):
        command = option(command)
    return command


@click.command("compose")
@ask_options
@click.option(
    "--record",
    default="",
    metavar="ID",
    help="Record this protocol in the included learnings and facts.",
)
@click.option(
    "--max-chars",
    type=click.IntRange(200),
    metavar="N",
    help="If it is longer, print where it is and its ten most important entries.",
)
@click.option("--write", is_flag=True, help="Write it to `.sniper/spawn-prompts/`.")
@click.option("--dry-run", is_flag=True, help="With `--write`: print the diff; write nothing.")
@common_options
@pass_invocation
def compose(
    invocation: Invocation,
    /,
    as_loaded: bool,
    record: str,
    max_chars: int | None,
    write: bool,
    dry_run: bool,
    allow_unknown: bool,
    **asked: Any,
) -> int:
    """Print an agent's prompt.

    `--role` and `--persona` compose one, with the project's rules. `--agent` shows what the
    agent's tool loads by itself.

    Exits with 4 if facts belong in the prompt but cannot be read; the prompt then says so and has
    everything else.
    """
    session = invocation.session
    ask = _placed(session, asked_of(asked))
    _warn_of_repositories(session)
    _need_story(session, ask)
    is_loaded = _is_loaded(ask, as_loaded)
    _need_known(invocation, ask, is_loaded=is_loaded, allow_unknown=allow_unknown)
    _warn_of_files(session, ask)
    if is_loaded:
        ask = _at_moment(session, _who_loads(session.library, ask))
    prompt = _prompt(session, ask, as_loaded=as_loaded)
    if record:
        _record(session, prompt, record)
        _record_memories(invocation, prompt, record)
    if write:
        _write(invocation, prompt, dry_run=dry_run)
        return 0
    is_short = not prompt.as_loaded and _lacks_facts(within(session.library, ask.repository))
    code = StoreUnavailable.exit_code if is_short else 0
    if invocation.as_json:
        emit(_compose_report(session.library, prompt))
        return code
    who = (("role", ask.role), ("persona", ask.persona), ("agent", ask.agent))
    whom = "".join(f" --{option} {quote(name)}" for option, name in who if name)
    if max_chars is not None:
        from remem.core.prompt.max_chars import within_characters

        whole = f"remem compose{whom}"
        print_exact(within_characters(session.library, prompt, max_chars, whole))
    else:
        print_exact(f"{prompt.text}\n" if prompt.text else "")
    _tell_loaded(invocation, prompt)
    composed = (s for s in session.library.sources if s.kind is not SourceKind.DOCUMENT)
    tell_all_unread(invocation, composed)
    _tell_joined(prompt)
    _tell_left(prompt.left)
    for note in (*prompt.notes, *(f"not shown: {each}" for each in prompt.unseen)):
        say(f"note: {note}")
    if not prompt.text:
        say("note: no composed prompt here; `remem compose --agent NAME` shows loaded files")
    _tell_total(prompt)
    return code


def _tell_total(prompt: Prompt) -> None:
    for line in fits_in_words(prompt):
        say(line)
    about = "" if prompt.exact else "≈"
    parts = ""
    if prompt.joined:
        first = at_start(prompt)
        came = prompt.tokens - first
        parts = f": {first:,} at the start, {came:,} more {moment_of(prompt.ask)}"
    say(f"{about}{count(prompt.tokens, 'token')} ({prompt.encoding}){parts}")


def _write(invocation: Invocation, prompt: Prompt, *, dry_run: bool) -> None:
    """Write a composed prompt to where SNIPER keeps them."""
    # Hooks compose at each start of an agent, and write nothing.
    from remem.cli.apply_or_dry_run import carry_out
    from remem.systems.sniper.sniper_verbs import SPAWN_WRITE, SpawnWrite

    if prompt.as_loaded:
        raise BadUsage("a loaded context cannot be written", hint="remove `--as-loaded`")
    name = dict(prompt.ask.layers).get("name") or prompt.ask.persona or prompt.ask.role
    if not name:
        raise BadUsage("a written prompt needs a name", hint="add `--role` or `--name`")
    for note in prompt.notes:
        say(f"note: {note}")
    args = SpawnWrite(name=name, text=prompt.text)
    carry_out(invocation, Intent(SPAWN_WRITE.id, arguments=args.to_json()), dry_run=dry_run)


@click.command("why")
@click.argument("ref", metavar="[REF]", required=False, default="", shell_complete=complete_entries)
@ask_options
@common_options
@pass_invocation
def why(
    invocation: Invocation, /, ref: str, as_loaded: bool, allow_unknown: bool, **asked: Any
) -> None:
    """Explain why an entry is in a prompt or not.

    Without a role or agent: which agents get the entry, from which file and how often, and which
    do not. Without an entry: the same for every rule; with a role or agent and no entry, every
    entry that is in its prompt or out, with the reason.
    """
    session = invocation.session
    is_of_all = not (ref or as_loaded or any(asked[name] for name in ("role", "persona", "agent")))
    if is_of_all:
        from remem.cli.prompts.who_gets import tell_all

        tell_all(invocation)
        return
    entry = entry_wherever(session, ref) if ref else None
    there = repository_of(session.library, entry.ref) if entry is not None else ""
    ask = _placed(session, asked_of(asked, repository=there))
    _need_story(session, ask)
    is_loaded = _is_loaded(ask, as_loaded)
    _need_known(invocation, ask, is_loaded=is_loaded, allow_unknown=allow_unknown)
    _warn_of_files(session, ask)
    if is_loaded:
        ask = _at_moment(session, _who_loads(session.library, ask))
    session.load_counter()
    if entry is None:
        from remem.cli.prompts.who_gets import tell_one

        tell_one(invocation, session.as_loaded(ask) if is_loaded else session.compose(ask))
        return
    found = session.why(entry.ref, ask, as_loaded=is_loaded)
    rule, tell = None, None
    if not (found.role or is_loaded):
        from remem.cli.prompts.who_gets import rule_report, tell_rule
        from remem.views.prompts.who_gets import matrix_of

        matrix = matrix_of(session)
        rule, tell = matrix.rule_of(entry.ref), tell_rule
    if invocation.as_json:
        told = rule_report(invocation, matrix, rule) if rule is not None else None
        emit(_why_report(session.library, found, told))
        return
    if rule is None or tell is None:
        is_of_one = found.role or is_loaded or found.reason in _FOR_EVERYBODY
        roles = () if is_of_one else session.roles()
        if roles:
            from remem.cli.prompts.who_gets import tell_roles

            tell_roles(invocation, entry, tuple(replace(ask, role=role) for role in roles))
            _tell_command(found, session.library)
        else:
            _tell_why(found, session.library)
        return
    if found.reason in _FOR_EVERYBODY:
        for sentence in found.sentences:
            show_text(sentence)
        _tell_command(found, session.library)
        show_text("")
    tell(invocation, matrix, rule)


def _why_report(library: Library, found: Explanation, rule: RuleReport | None) -> WhyReport:
    return WhyReport(
        rule=rule,
        ref=library.short(found.ref),
        role=found.role,
        included=found.is_in,
        reason=found.code,
        because=found.because,
        sentences=found.sentences,
        tokens=found.tokens,
        lacked=found.lacked,
        makes_room=tuple(library.short(each) for each in found.makes_room),
    )


def _tell_why(found: Explanation, library: Library) -> None:
    """Say why an entry is in somebody's prompt or not."""
    first, *rest = found.sentences
    show_text(first, bold=True)
    if found.is_in and found.because:
        show_text(f"Reason: {found.because}")
    for sentence in rest:
        if not found.is_in or sentence not in found.because:
            show_text(sentence)
    _tell_command(found, library)


def _tell_command(found: Explanation, library: Library) -> None:
    if found.does:
        show_text(f"`remem {found.does} {quote(library.short(found.ref))}` puts it in force")


def _tell_loaded(invocation: Invocation, prompt: Prompt) -> None:
    """Say which files an agent loads at the start, in their order; lists of skills as a whole."""
    if not prompt.as_loaded:
        return
    about = "" if prompt.exact else "≈"
    for layer in prompt.layers:
        if layer.joins is None:
            path = next((line.path for line in layer.lines if line.path is not None), None)
            is_file = path is not None and not is_list(layer)
            name = shown_path(invocation, path) if path is not None and is_file else layer.name
            say(f"loaded: {name}, {about}{count(layer.tokens, 'token')}")


def _tell_joined(prompt: Prompt) -> None:
    """Say what comes while the agent works, in the order in which it does, and why."""
    about = "" if prompt.exact else "≈"
    for layer in prompt.joined:
        name, between, why = joins_line(layer).partition(": ")
        say(f"{name}, {about}{count(layer.tokens, 'token')}{between}{why}")


def _tell_left(left: Sequence[LeftOut]) -> None:
    """Say what is not loaded: of many files with one reason the first, and how many more."""
    reasons: dict[str, list[LeftOut]] = {}
    for each in left:
        reasons.setdefault(each.why, []).append(each)
    for why, files in reasons.items():
        shown = files if len(files) <= _ALIKE else files[:1]
        for each in shown:
            part = f" {each.part}" if each.part else ""
            rest = len(files) - len(shown)
            more = f" and {count(rest, 'more file')}" if rest else ""
            say(f"not loaded: {each.name}{part}{more}: {why}")


def _lacks_facts(library: Library) -> bool:
    """Tell whether verified memory could not be read, so that a prompt has less than it might."""
    return any(source.unread for source in verified_sources(library.of_format(VERIFIED)))


def _record(session: Session, prompt: Prompt, protocol: str) -> None:
    """Note where learnings were applied; those that have it already stay as they are."""
    library = session.library
    entries = [library.entry(v.ref) for v in prompt.verdicts if v.is_in and library.has(v.ref)]
    learnings = [entry for entry in entries if entry.kind == LEARNING]
    try:
        done = session.apply(session.intend("learn.record", learnings, protocol=protocol))
    except NotPossible as error:
        say(f"note: {error}")
    else:
        for note in done.change.notes:
            say(f"note: {note}")
        say(f"{done.change.title}; `remem undo {done.id}` undoes it")


def _record_memories(invocation: Invocation, prompt: Prompt, protocol: str) -> None:
    """Log that verified memories were applied; once for each, however often it is asked."""
    used = [each.ref.id for each in prompt.verdicts if each.is_in and each.ref.format == VERIFIED]
    if not used:
        return
    from remem.cli.agents.memory_look import service_of

    logged = service_of(invocation).record(used, protocol, prompt.ask.persona or prompt.ask.role)
    say(f"logged the use of {count(logged, 'fact', 'facts')}")


def _placed(session: Session, ask: Ask) -> Ask:
    """Return the question with its folder, its files and its role as they are called here.

    Raises:
        NotPossible: There is no such folder.
    """
    if ask.role == EVERYONE and not session.roles():  # as `status` calls it where none is named
        ask = replace(ask, role="")
    root = within(session.library, ask.repository).ground.root
    files = tuple(path.removeprefix(f"{root}/").removeprefix("./") for path in ask.files)
    if not ask.folder:
        return replace(ask, files=files)
    folder = real_path(root / ask.folder)
    if session.disk.kind(folder) != "folder" or not folder.is_relative_to(root):
        hint = "name a subfolder, or omit `--folder`"
        raise NotPossible(f"there is no folder `{ask.folder}` in `{root}`", hint=hint)
    place = folder.relative_to(root).as_posix()
    return replace(ask, files=files, folder="" if place == "." else place)


def _at_moment(session: Session, ask: Ask) -> Ask:
    """Return the question with the files that its globs fit, where the agent is after them."""
    root = within(session.library, ask.repository).ground.root
    return replace(ask, files=worked_on(session.disk, root, ask.files))


def _warn_of_files(session: Session, ask: Ask) -> None:
    """Say which files are not there: work may begin with them, or a name is mistyped."""
    root = within(session.library, ask.repository).ground.root
    for told in about_files(session.disk, root, ask.files):
        say(f"note: {told}")


def _prompt(session: Session, ask: Ask, *, as_loaded: bool) -> Prompt:
    session.load_counter()
    return session.as_loaded(ask) if _is_loaded(ask, as_loaded) else session.compose(ask)


def _is_loaded(ask: Ask, as_loaded: bool) -> bool:
    return as_loaded or bool(ask.agent)


def _who_loads(library: Library, ask: Ask) -> Ask:
    """Return the question with an agent that is there: the only one, where none is named."""
    name, whoever = ask.agent or ask.persona, agents_of(library, ask.repository)
    there = tuple(who.name for who in whoever)
    if ask.layout or name in there or name in {who.layout for who in whoever}:
        return ask
    alike = [each for each in there if not name or each.casefold() == name.casefold()]
    if len(alike) == 1:
        return replace(ask, agent=alike[0])
    reader = reader_named(library, name, ask.repository) if name and not alike else None
    if reader is not None:
        return replace(ask, agent=reader.name)
    missing = f"no agent called `{name}` loads files here" if name else "it needs `--agent NAME`"
    raise UnknownRef(missing, hint=who_is_there(name, there))


def _need_known(invocation: Invocation, ask: Ask, *, is_loaded: bool, allow_unknown: bool) -> None:
    """Let no prompt be composed for a role or a persona that nobody has.

    One who loads files is never answered with what is composed: that would not be true of what
    they see.

    Raises:
        UnknownRef: This one is not here; or it is an agent that loads files.
    """
    session = invocation.session
    asked = [("role", ask.role, session.roles())]
    if not is_loaded:
        asked.append(("persona", ask.persona, _people(session.library)))
    for what, name, known in asked:
        if not name or _is_known(what, name, known):
            continue
        said = f"unknown {what} `{name}`"
        agent = _agent_called(session.library, name, ask.repository)
        if agent and not is_loaded and not allow_unknown:
            raise UnknownRef(
                said,
                hint=f"`{agent}` is an agent that loads its own files: `--agent {quote(agent)}`",
            )
        if not allow_unknown:
            tell_unread(invocation, session.library.sources)  # it may be named there
            raise UnknownRef(said, hint=_who_is_known(session.library, ask, what, name, known))
        say(f"warning: {said}")


def _who_is_known(library: Library, ask: Ask, what: str, name: str, known: Sequence[str]) -> str:
    """Return the hint for a role or a persona that nobody has: who is here, what can be done."""
    anyway = "`--allow-unknown` to compose it anyway"
    if known:
        question = did_you_mean(name, known, most=3) or f"the {what}s here are {_some(known)}."
        return f"{question} Use {anyway}"
    agents = agents_of(library, ask.repository)
    loaded = "`--agent NAME` to see what an agent loads" if agents else ""
    everyone = f"`--role {EVERYONE}` to see what every role gets" if what == "role" else ""
    ways = filter(None, (everyone, loaded, anyway))
    return f"no {what}s are known here. Use {', or '.join(ways)}"


def _agent_called(library: Library, name: str, repository: str) -> str:
    """Return the agent of that name that loads files here, however it is spelled; or nothing."""
    names = (who.name for who in agents_of(library, repository))
    return next((each for each in names if persona_key(each) == persona_key(name)), "")


def _is_known(what: str, name: str, known: Sequence[str]) -> bool:
    if what == "role":
        return any(matches(name, (each,)) for each in known)
    return persona_key(name) in map(persona_key, known)


def _people(library: Library) -> tuple[str, ...]:
    """Return the names of those who are not retired, and of those whom the settings give roles."""
    from remem.systems.personas.team.people import everyone

    living = (each.name for each in everyone(library) if not each.archived)
    return tuple(dict.fromkeys((*living, *library.ground.roles)))


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return ", ".join(f"`{name}`" for name in names[:_NAMED]) + more


def _warn_of_repositories(session: Session) -> None:
    """Say so when a prompt is composed for no repository in particular."""
    names = [each.name for each in repositories_of(session.library)]
    if names:
        say(
            "note: this is the shared memory; `--repo NAME` composes for one of "
            + ", ".join(f"`{name}`" for name in names[:9])
        )


def _need_story(session: Session, ask: Ask) -> None:
    """Let no prompt be composed for a story that is not there."""
    sources = session.library.of_format(SHAKTRA)
    if ask.story and sources:
        from remem.systems.shaktra.documents import need_story

        need_story(sources, ask.story)
    elif ask.story:
        say("warning: no system here has stories; `--story` has no effect")


def _compose_report(library: Library, prompt: Prompt) -> ComposeReport:
    return ComposeReport(
        role=prompt.ask.role,
        persona=prompt.ask.persona,
        encoding=prompt.encoding,
        exact=prompt.exact,
        as_loaded=prompt.as_loaded,
        tokens=prompt.tokens,
        files=prompt.ask.files,
        at_start=at_start(prompt),
        layers=tuple(_layer_report(library, layer) for layer in prompt.layers),
        included=tuple(library.short(v.ref) for v in prompt.verdicts if v.is_in),
        excluded=tuple(
            ExcludedReport(ref=library.short(v.ref), reason=v.reason.value, detail=v.detail)
            for v in prompt.verdicts
            if v.reason is not None
        ),
        notes=prompt.notes,
        unseen=prompt.unseen,
        left=tuple(
            LeftReport(
                file=str(each.path),
                tokens=each.tokens,
                first=each.first,
                part=each.part,
                why=each.why,
            )
            for each in prompt.left
        ),
        text=prompt.text,
    )


def _layer_report(library: Library, layer: Layer) -> LayerReport:
    return LayerReport(
        name=layer.name,
        tokens=layer.tokens,
        budget=layer.budget,
        unit=layer.unit.value,
        joins=None
        if layer.joins is None
        else JoinsReport(
            file=layer.joins.file, why=layer.joins.why, confirmed=layer.joins.is_confirmed
        ),
        lines=tuple(
            LineReport(
                text=line.text,
                tokens=line.tokens,
                ref=None if line.ref is None else library.short(line.ref),
                file="" if line.path is None else str(line.path),
                line=line.number,
            )
            for line in layer.lines
        ),
    )
