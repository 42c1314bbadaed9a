"""Prompt: an agent, what it gets line by line, and why what is out is out."""

from __future__ import annotations

import asyncio
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar, Final

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.message import Message
from textual.widgets import Label
from textual.worker import get_current_worker

from remem.base.assets import asset_dir
from remem.base.errors import RememError
from remem.base.frozen import dataclass
from remem.core.library import Library
from remem.core.prompt.agents import Agent, agents_called, as_loaded, is_composed
from remem.core.prompt.asks import asker
from remem.core.prompt.why import explain
from remem.core.repositories import within
from remem.core.verbs.verb import Verb
from remem.core.verbs.verbs import ARCHIVE, REMOVE
from remem.model.change import Intent
from remem.model.entry import Entry, Ref
from remem.model.prompt import Ask, Prompt, Verdict
from remem.systems.shaktra.shaktra_verbs import BRIEF, BriefStory
from remem.tui.content import content
from remem.tui.screens.choose import AS_TYPED, ChooseScreen
from remem.tui.screens.compare_past import compare_with_past
from remem.tui.screens.deciding import DecidingScreen, Target
from remem.tui.verbs import (
    AGENT,
    COMPARE,
    COPY,
    FILTER,
    LOADED,
    MOMENT,
    OPEN,
    UNDO,
    WHO,
    WHY,
    bindings,
)
from remem.tui.widgets.key_bar import KeyHint
from remem.tui.widgets.line_view import READING, empty_text
from remem.tui.widgets.text_view import TextView
from remem.views.compare_past import PromptThen
from remem.views.long_text import TextLine, text_line
from remem.views.prompts.choices import (
    FOLDER,
    LAYER,
    OF_AGENT,
    OF_ROLE,
    STORY,
    about_files,
    agent_choices,
    asked_for,
    at_moment,
    folder_choices,
    layer_choices,
    moment_choices,
    moment_of,
    name_typed,
    role_choices,
    started_in,
    story_choices,
    whose_prompt,
    with_layer,
)
from remem.views.prompts.prompt import (
    difference,
    first_joined,
    gain,
    layer_lines,
    prompt_lines,
    why_lines,
)
from remem.views.spans import Tone, number

_NOBODY: Final = empty_text("no role or agent was found here", "o", "chooses one")
NO_MOMENT = "no file here loads anything more; type a path to try one"


@dataclass(frozen=True, slots=True)
class _Shown:
    prompt: Prompt
    other: Prompt | None
    """The same agent the other way: composed, or as loaded."""
    lines: Sequence[TextLine]
    agents: tuple[Agent, ...]
    verdicts: Mapping[Ref, Verdict]
    matches: Sequence[str]
    """The lines' texts for finding, in lower case."""
    is_read: bool
    """All memory was read before."""
    whose: Hashable
    """Who was asked for, whatever the moment, the story and the way."""


@dataclass(frozen=True, slots=True)
class _Turned:
    """A prompt that was left for the same one's the other way."""

    left: Ask
    line: int
    ref: Hashable
    """Of what stood under the cursor."""
    to: Ask


class PromptScreen(DecidingScreen):
    """Shows exactly what an agent gets."""

    CSS_PATH = asset_dir("styles") / "prompt.tcss"
    NUMBER = 3
    FILTERS = "find lines"
    VERBS: ClassVar[tuple[Verb, ...]] = (
        *(AGENT, LOADED, MOMENT, WHY, COMPARE, OPEN, FILTER, ARCHIVE, COPY, UNDO),
        *(WHO, BRIEF),
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings((AGENT, LOADED, MOMENT, WHY, WHO, COMPARE, BRIEF))
    ]

    @dataclass
    class Gained(Message):
        """What the prompt would be without the entry under the cursor was composed."""

        request: int
        text: str

    @dataclass
    class Traced(Message):
        """Since when an entry stands as it does was looked up."""

        entry: Entry
        sentences: tuple[str, ...]

    def __init__(self) -> None:
        super().__init__()
        self._data: _Shown | None = None
        self._traced: PromptScreen.Traced | None = None
        self._why_at = 0
        """The line below the layers at which the reason begins."""
        self._gain_request = 0
        self._is_other = False
        """Somebody else was chosen: their prompt begins at its top."""
        self._is_later = False
        """Another moment was chosen: what joined last is shown."""
        self._turned: _Turned | None = None
        """Where the cursor was before it was shown the other way."""
        self._back_to: _Turned | None = None
        """It is shown as it was before: the cursor goes back to where it was."""

    def compose_panes(self) -> ComposeResult:
        lines = TextView(
            id="prompt",
            classes="pane pane-list",
            has_cursor=True,
            numbers=True,
            empty=READING,
        )
        lines.border_title = content("Prompt")
        yield lines
        why = TextView(id="why", classes="pane pane-detail", empty=empty_text("no entry here"))
        why.border_title = content("Layers · tokens")
        yield why

    def compose_status(self) -> ComposeResult:
        yield Label(id="status")

    @property
    def stamp(self) -> Hashable:
        return super().stamp, self.desk.ask, self.desk.as_loaded

    @property
    def place(self) -> Hashable:
        line = self._view.line
        return line.ref if line is not None else None

    def return_to_place(self, key: Hashable) -> None:
        if key is not None and key != self.place:
            self._view.go_to_ref(key)

    @property
    def _view(self) -> TextView:
        return self.query_one("#prompt", TextView)

    def load(self) -> _Shown:
        session = self.session
        if not self.desk.is_chosen:
            self._choose_first()
        is_read = self.remem.is_read  # asked first: what comes meanwhile is not in it
        ask = self.desk.ask
        whose = (ask.role, ask.persona, ask.repository, ask.agent, ask.layout)
        prompt = self.desk.prompt()
        lines = prompt_lines(prompt, session.library)
        verdicts: dict[Ref, Verdict] = {}
        for verdict in prompt.verdicts:
            if verdict.is_in or verdict.ref not in verdicts:
                verdicts[verdict.ref] = verdict
        matches = [line.text.lower() for line in lines]
        other, agents = self._the_other_way(), session.agents()
        return _Shown(prompt, other, lines, agents, verdicts, matches, is_read, whose)

    def _choose_first(self) -> None:
        session = self.session
        named = (asker(ask) for ask in session.asks() if session.compose(ask).text)
        first = next(filter(None, named), None)
        agents = session.agents()
        if first is not None:
            self.desk.choose(None, first)
        elif agents:
            self.desk.choose(agents[0])
        self.remem.measure()

    def _the_other_way(self) -> Prompt | None:
        """Return the prompt composed instead of loaded, or the other way; `None` = it is empty."""
        session, other = self.session, self._other_ask()
        if other is None:
            return None
        prompt = session.compose(other) if self.desk.as_loaded else session.as_loaded(other)
        return prompt if prompt.text else None

    def _other_ask(self) -> Ask | None:
        """Return what shows the same one the other way; an agent may be called like a role."""
        ask, library = self.desk.ask, self.session.library
        name = ask.agent or ask.persona
        if self.desk.as_loaded:
            is_role = not is_composed(library, ask.layout) and name in library.role_names()
            return Ask(role=name) if is_role else Ask(persona=name, layout=ask.layout)
        if name:
            return Ask(agent=name, persona=name, layout=ask.layout)
        called = agents_called(library, ask.role) if ask.role else ()
        return called[0].ask if called else None

    def fill(self, data: _Shown, *, own: bool) -> None:
        is_first = self._data is None or self._data.whose != data.whose
        self._is_other |= is_first
        self._data = data
        view, before = self._view, None if self._is_other else self.place
        view.show(data.lines, fresh=self._is_other, empty=_NOBODY if data.is_read else READING)
        if self._is_other:
            # The other pane speaks of the first entry, which may stand below the fold.
            self.call_after_refresh(lambda: view.go_to(view.cursor))
        self._is_other = False
        if data.prompt.as_loaded == self.desk.as_loaded:
            self._go_back()
        if self._is_later and data.prompt.ask.files == self.desk.ask.files:
            place = first_joined(data.prompt, data.lines)
            view.go_to(place)
            self.call_after_refresh(view.put_at_top, place)
            self._is_later = False
        elif before is not None and self.place != before:
            view.go_to_ref(before)
            self.call_after_refresh(lambda: view.go_to(view.cursor))
        way = "as loaded" if self.desk.as_loaded else "composed"
        way = f"{way} · {moment_of(self.desk.ask)}" if self.desk.as_loaded else way
        view.border_title = content(f"{whose_prompt(self.desk.ask, self.desk.whose)} · {way}")
        tokens = number(data.prompt.tokens, exact=data.prompt.exact, glyphs=self.remem.glyphs)
        view.show_subtitle(f"{tokens} tokens · {data.prompt.encoding}")
        self._point_at()

    @on(TextView.Highlighted, "#prompt")
    def _point_at(self) -> None:
        self._draw_why()
        self._gain_request += 1
        entry = self._entry
        status = self.query_one("#status", Label)
        if entry is None or self._data is None:
            status.update(content(""))
        else:
            self._reckon(self._gain_request, self._data, entry)
        self.refresh_bars()

    @on(TextView.Resized, "#why")
    def _draw_why(self) -> None:
        """Draw the layers, then why the entry under the cursor is in or out."""
        view, data = self.query_one("#why", TextView), self._data
        if data is None:
            return
        # With room for the scrollbar, there or not: its coming must not draw other bars.
        lines = layer_lines(data.prompt, max(view.size.width - 1, 20), self.remem.glyphs)
        if data.other is not None:
            pair = (data.prompt, data.other)
            composed, loaded = reversed(pair) if data.prompt.as_loaded else pair
            lines.append(text_line(difference(composed, loaded)))
        entry, self._why_at = self._entry, len(lines) + 1
        if entry is not None:
            owner = self.session.library.source_of(entry.ref).owner
            found = explain(entry, data.prompt, owner)
            lines += [TextLine(""), *why_lines(found, self.session.library)]
            lines += [TextLine(""), *self._since(entry)] if self._traced is not None else []
        view.show(lines)

    def _since(self, entry: Entry) -> list[TextLine]:
        """Return since when an entry stands so, if that was asked of this one."""
        traced = self._traced
        if traced is None or (traced.entry.ref, traced.entry.digest) != (entry.ref, entry.digest):
            return []
        return [text_line(sentence, Tone.DIM) for sentence in traced.sentences]

    @work(thread=True, exclusive=True, group="trace", exit_on_error=False, description="trace")
    def _trace(self, entry: Entry) -> None:
        self.post_message(self.Traced(entry, self.session.past.traced(self.session.library, entry)))

    @on(Traced)
    def _tell_since(self, message: Traced) -> None:
        self._traced = message
        self._draw_why()

    @work(thread=True, exclusive=True, group="gain", exit_on_error=False, description="gain")
    def _reckon(self, request: int, data: _Shown, entry: Entry) -> None:
        """Compose the prompt without the entry, where it can be archived."""
        session, prompt = self.session, data.prompt
        if get_current_worker().is_cancelled:
            return
        verdict = data.verdicts.get(entry.ref)
        name = session.library.short(entry.ref)
        # Its hash alone has room in one line, whatever the file is called.
        name = entry.ref.mark or name
        text = f"{name} is not in the prompt; w explains why"
        if verdict is not None and verdict.is_in:
            text = f"{name} can only be removed in its own file"
            for asked in (ARCHIVE, REMOVE):  # some formats keep no archive
                try:
                    change = session.plan(Intent(asked.id, {entry.ref: entry.digest}))
                    without = self._again(prompt, session.library.preview(change.effects))
                except RememError:
                    continue
                does = "archiving" if asked is ARCHIVE else "removing"
                told = gain(prompt, without, session.library, entry.ref, verdict.tokens)
                text = f"{does} {name} {told}"
                break
        self.post_message(self.Gained(request, text))

    def _again(self, prompt: Prompt, library: Library) -> Prompt:
        """Make the same prompt on another snapshot."""
        session = self.session
        if not prompt.as_loaded:
            return session.compose(prompt.ask, library=library)
        library = within(library, prompt.ask.repository)
        return as_loaded(library, prompt.ask, session.counter)

    @on(Gained)
    def _tell_gain(self, message: Gained) -> None:
        if message.request == self._gain_request:
            self.query_one("#status", Label).update(content(message.text))

    @property
    def _entry(self) -> Entry | None:
        line = self._view.line
        library = self.session.library
        if line is None or not isinstance(line.ref, Ref) or not library.has(line.ref):
            return None
        return library.entry(line.ref)

    def targets(self) -> Sequence[Target]:
        return [self._entry] if self._entry is not None else []

    def why_not(self, asked: Verb) -> str | None:
        if asked is LOADED:
            has_other = self._data is not None and self._data.other is not None
            return None if has_other else self._only_way
        if asked is MOMENT and not self.desk.as_loaded:
            return "a composed prompt is complete at startup; choose an agent with o"
        if asked is BRIEF:
            return None if self.desk.ask.story else "no story selected; o chooses one"
        if asked in (WHY, OPEN):
            return None if self._entry is not None else "no entry selected"
        return super().why_not(asked)

    def hint(self, verb: Verb) -> KeyHint:
        shown = super().hint(verb)
        if verb is not LOADED:
            return shown
        return replace(shown, title="Composed" if self.desk.as_loaded else "As loaded")

    @property
    def _only_way(self) -> str:
        """Say why there is no other way to show this one."""
        name = self.desk.ask.agent or self.desk.ask.persona
        if not name:
            return "roles load no files; choose an agent with o"
        does = "nothing is composed for" if self.desk.as_loaded else "no file is loaded by"
        return f"{does} {name}: this is all it starts with"

    def texts_to_copy(self) -> str:
        return self._data.prompt.text if self._data is not None else ""

    @on(TextView.Opened, "#prompt")
    def action_open_entry(self) -> None:
        if self._entry is not None:
            self.remem.show_entry(self._entry.ref)

    def action_show_why(self) -> None:
        view = self.query_one("#why", TextView)
        if not view.size.height:  # what is seen already takes no focus from the prompt
            self.call_pane(view)
        # Below the layers, which fill a small screen; once the pane has its new size.
        self.call_after_refresh(lambda: view.put_at_top(self._why_at))
        if self._entry is not None:
            self._trace(self._entry)

    async def action_show_compare(self) -> None:
        """Show the same one's prompt at another time."""
        name = whose_prompt(self.desk.ask, self.desk.whose)
        await compare_with_past(self, PromptThen(name, self.desk.ask, self.desk.as_loaded))

    def action_show_loaded(self) -> None:
        """Show it the other way; back again, the cursor is on the line that was left."""
        came, ask = self._turned, self.desk.ask
        self._back_to = came if came is not None and came.to == ask else None
        other = self._back_to.left if self._back_to is not None else self._other_ask()
        if other is None:
            return
        self._turned = _Turned(ask, self._view.cursor, self.place, other)
        self.desk.ask, self.desk.as_loaded = other, not self.desk.as_loaded
        self._ask_again()

    def _go_back(self) -> None:
        """Put the cursor on the line that was left, or on what stood there."""
        back, self._back_to = self._back_to, None
        if back is None:
            return
        view = self._view
        view.go_to(back.line)
        if self.place != back.ref:
            view.go_to_ref(back.ref)
        self.call_after_refresh(lambda: view.go_to(view.cursor))

    async def action_show_agent(self) -> None:
        roles = await asyncio.to_thread(role_choices, self.session)
        agents = agent_choices(self._data.agents if self._data is not None else ())
        stories = story_choices(self.session.library, self.desk.ask.story)
        folders = folder_choices(self.session.library, self.desk.ask)
        layers = layer_choices(self.session.library, self.desk.ask)
        choices = [*roles, *agents, *folders, *stories, *layers]
        name = name_typed(self.session.library, self.desk.ask)
        title = "Choose agent or layer" if layers else "Choose agent"
        title = f"{title} · or type its name" if name is not None else title
        screen = ChooseScreen(
            title, choices, typed=name is not None, typed_as=name if name is not None else AS_TYPED
        )
        self.app.push_screen(screen, self._chosen)

    async def action_show_moment(self) -> None:
        """Choose when the agent is looked at; a further file is added to those before."""
        reason = self.why_not(MOMENT)
        if reason:
            self.say(f"{MOMENT.title}: {reason}")
            return
        choices = await asyncio.to_thread(moment_choices, self.session, self.desk.ask)
        title = f"When · now {moment_of(self.desk.ask)} · or type a file path"
        screen = ChooseScreen(title, choices, typed=True, none=NO_MOMENT)
        self.app.push_screen(screen, self._at_moment)

    async def _at_moment(self, chosen: str | None) -> None:
        if chosen is None:
            return
        ask = self.desk.ask
        self.desk.ask = await asyncio.to_thread(at_moment, self.session, ask, chosen)
        new = [path for path in self.desk.ask.files if path not in ask.files]
        root = within(self.session.library, ask.repository).ground.root
        for told in about_files(self.session.disk, root, new):
            self.say(told)
        self._is_later = bool(self.desk.ask.files)
        self._ask_again()

    def _chosen(self, chosen: str | None) -> None:
        if chosen is None or self._data is None:
            return
        if chosen.startswith(STORY):
            self.desk.ask, self.desk.as_loaded = asked_for(self.desk.ask, chosen), False
        elif chosen.startswith(LAYER):
            self.desk.ask, self.desk.as_loaded = with_layer(self.desk.ask, chosen), False
        elif chosen.startswith(FOLDER):
            self.desk.ask, self.desk.as_loaded = started_in(self.desk.ask, chosen), True
        elif chosen.startswith(OF_ROLE):
            story = self.desk.ask.story
            self.desk.choose(None, chosen.removeprefix(OF_ROLE))
            self.desk.ask = replace(self.desk.ask, story=story)
        else:
            self.desk.choose(self._data.agents[int(chosen.removeprefix(OF_AGENT))])
        self._is_other, self._turned = True, None
        self.call_pane(self.query_one("#prompt", TextView))
        self._ask_again()

    async def action_brief(self) -> None:
        """Show what the story's briefing would say, and write it if that is wanted."""
        if self.is_unsteady():
            return
        arguments = BriefStory(story=self.desk.ask.story).to_json()
        await self.show_planned(Intent(BRIEF.id, arguments=arguments))

    def _ask_again(self) -> None:
        """Show somebody else's prompt, or the same one's the other way."""
        self.renew_later(own=True)
        self.remem.measure()

    def filter_rows(self, text: str) -> tuple[int, int]:
        """Find instead of narrowing: the exact text stays whole."""
        self._view.find(text)
        found = self._found(text)
        if found:
            self._view.go_to(next((at for at in found if at >= self._view.cursor), found[0]))
        return len(found), len(self._view.lines)

    def _found(self, text: str) -> list[int]:
        needle = text.lower()
        if not needle or self._data is None:
            return []
        return [at for at, line in enumerate(self._data.matches) if needle in line]

    def action_find_next(self) -> None:
        self._step_match(1)

    def action_find_previous(self) -> None:
        self._step_match(-1)

    def _step_match(self, step: int) -> None:
        """Go to the next place where the typed text stands, around the end too."""
        view, found = self._view, self._found(self._filter)
        if not self._filter:
            self.say_nothing_is_searched()
            return
        if not found:
            self.say("no matches")
            return
        if step > 0:
            view.go_to(next((at for at in found if at > view.cursor), found[0]))
        else:
            view.go_to(next((at for at in reversed(found) if at < view.cursor), found[-1]))
