"""Every private Textual call of remem: a release that moves one breaks here and nowhere else."""

from __future__ import annotations

import traceback
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from rich.text import Text
from textual._styles_cache import StylesCache
from textual.app import App
from textual.await_complete import AwaitComplete
from textual.css.styles import RenderStyles
from textual.css.stylesheet import Stylesheet
from textual.dom import DOMNode
from textual.events import ScreenResume
from textual.filter import Monochrome, NoColor
from textual.notifications import Notification, Notify
from textual.screen import ModalScreen, Screen
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget
from textual.worker import Worker
from textual.worker_manager import WorkerManager

from remem.base.text import safe_text

if TYPE_CHECKING:
    _Part = App[None]
else:
    _Part = object  # Textual takes long to make a class of its own, and these are parts of one app
_divide = Strip.divide
_crop_extend = Strip.crop_extend


class SilentlyFatal(_Part):
    """An app that dies without showing anybody's text.

    Textual prints the values of local variables, and those hold entries; a person may paste such a
    report where others read it.
    """

    def _fatal_error(self) -> None:
        self.bell()
        error = self._exception
        frames = traceback.format_tb(error.__traceback__) if error is not None else []
        name = type(error).__name__ if error is not None else "unknown"
        said = f"{''.join(frames)}\nerror: remem failed: {name}\n\n"
        hint = "hint: no half-finished change is left behind; open it again, and report these lines"
        self._exit_renderables.append(Text(safe_text(said + hint)))
        self._close_messages_no_wait()


OPENED_WITH: Final = "textual-dark"
"""The theme of a dark terminal, where no other is chosen."""
READABLE_AT_FIRST: Final = {"text-secondary": "#779CB7", "block-cursor-foreground": "#FFFFFF"}
"""What `contrast.readable` makes of that theme: the colours that it changes."""


class ReadableText(_Part):
    """Makes coloured text of any theme stand out from every ground that it is drawn on."""

    def get_css_variables(self) -> dict[str, str]:
        found = super().get_css_variables()
        if self.current_theme.name == OPENED_WITH:
            self.theme_variables = {**found, **READABLE_AT_FIRST}
            return self.theme_variables
        from remem.tui.contrast import readable  # the first frame is drawn without it

        self.theme_variables = {**found, **readable(found)}
        return self.theme_variables


class MakesRoom(Screen[None]):
    """A screen that gives a toast room."""

    def make_room(self, said: Sequence[str]) -> bool:
        """Make room for a toast that says this, none where nothing is said.

        False where that is not known yet, as nothing was laid out.
        """
        raise NotImplementedError


@dataclass
class Told(Notification):
    """What is told in a toast, and whether it goes with the screen of which it is told."""

    stays: bool = False
    """It is to be read wherever one is: what failed, and what can be undone anywhere."""


class OneToast(_Part):
    """An app that shows what it said last, and not what it said before that besides."""

    _said: Notification | None = None

    def _on_notify(self, event: Notify) -> None:
        # Textual calls the handler of every class; its own comes after this one and adds.
        self._notifications.clear()
        self._said = event.notification

    def push_screen(self, screen: Any, *arguments: Any, **more: Any) -> Any:
        """Show a screen; over an overlay no toast of before lies on what it asks."""
        if isinstance(screen, ModalScreen):
            self.clear_notifications()
        return super().push_screen(screen, *arguments, **more)

    def leave_said(self) -> None:
        """Take away what was said of a screen that is left, unless it is told so that it stays."""
        said = self._said
        if said is None or said.severity == "error" or (isinstance(said, Told) and said.stays):
            return
        self.clear_notifications()

    def _refresh_notifications(self) -> None:
        super()._refresh_notifications()
        self._make_room()

    def _unnotify(self, notification: Notification, refresh: bool = True) -> None:
        super()._unnotify(notification, refresh)
        self._make_room()

    def _make_room(self) -> None:
        """Let the screen draw nothing that is read where the toast stands, or will."""
        screen = self.screen if self._screen_stack else None
        if not isinstance(screen, MakesRoom):
            return
        if not screen.make_room([each.message for each in self._notifications]):
            screen.call_after_refresh(self._make_room)

    def withdraw(self, text: str) -> None:
        """Take a toast away that is not true any more, if it is the one that is shown."""
        if self._said is not None and self._said.message == text:
            self._said = None
            self.clear_notifications()


class ParsesOnce(_Part):
    """An app that parses a style sheet once, and not again for each screen that is new.

    Textual parses all there are when a screen brings a sheet, and once more when a mode makes its
    screen; both cost as much as a first frame may.
    """

    def _load_screen_css(self, screen: Screen[Any]) -> None:
        if screen.CSS or self.css_monitor is not None:
            super()._load_screen_css(screen)
            return
        for path in screen.css_path:
            if not self.stylesheet.has_source(str(path)):
                self.stylesheet.read(path)
        self.stylesheet.update(screen)
        screen._css_update_count = self._css_update_count  # noqa: SLF001


class StyledOnce(MakesRoom):
    """A screen that is styled once and drawn once before its first frame.

    Textual looks the styles up again when the screen hears how wide it is, as it has other classes
    then, and when it is shown, as it may have changed while it was not. And it draws what was laid
    out in a batch of updates, though nothing of that comes to the terminal.
    """

    _was_shown = False
    is_held_back = False
    """Something is to be drawn as soon as the batch is over."""

    def take_width(self) -> None:
        """Take the classes of the app's width before there is anything to be styled by them."""
        at_widths = self.app.HORIZONTAL_BREAKPOINTS or []
        self.add_class(*self._get_breakpoint_classes(self.app.size.width, at_widths))

    def _on_screen_resume(self, event: ScreenResume) -> None:
        # Textual calls the handler of every class; its own comes after this one.
        event.refresh_styles = event.refresh_styles and self._was_shown
        self._was_shown = True

    def _compositor_refresh(self) -> None:
        self.is_held_back = bool(self.app._batch_count)  # noqa: SLF001
        if not self.is_held_back:
            super()._compositor_refresh()


class DrawsAfterBatches(_Part):
    """An app that draws what its screen held back while there was a batch of updates."""

    def _end_batch(self) -> None:
        super()._end_batch()
        stack = self._screen_stacks.get(self._current_mode)
        screen = stack[-1] if stack else None
        if isinstance(screen, StyledOnce) and screen.is_held_back and not self._batch_count:
            screen.call_later(screen._compositor_refresh)  # noqa: SLF001


class ForgetsWork(_Part):
    """An app that keeps nothing of work that is done.

    A worker, its task and what the task runs in hold each other, and the worker holds what it was
    called with, or what it fell over in the middle of: a snapshot of all there is, until somebody
    looks for garbage.
    """

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._workers = _Workers(self)


class _Workers(WorkerManager):
    def _remove_worker(self, worker: Worker[Any]) -> None:
        super()._remove_worker(worker)
        worker._task = None  # noqa: SLF001
        worker._work = _done  # noqa: SLF001
        if worker._error is not None:  # noqa: SLF001
            _without_frames(worker._error)  # noqa: SLF001


def _without_frames(error: BaseException) -> None:
    """Let an error go on saying what it says, and hold nothing of where it was raised."""
    within: BaseException | None = error
    while within is not None:
        inner = within.__cause__ or within.__context__
        within.__traceback__ = within.__cause__ = within.__context__ = None
        within = inner


def _done() -> None:
    """Stand where the work was."""


class ForgetsWidgets(_Part):
    """An app that keeps nothing of widgets that were taken off the screen.

    Textual 8.2 remembers two colours for each widget's cache of drawn lines, and by that the caches
    of the last 1,024 widgets with every line in them: 2 MiB for each minute in which dialogs and
    help open and close. To work the colours out again takes microseconds. A widget holds itself in
    many ways, and its lines, the most of it, until somebody looks for garbage.
    """

    def pop_screen(self) -> AwaitComplete:
        screen = self.screen
        popped = super().pop_screen()
        self.call_after_refresh(self._forget_lines, [screen, *screen.walk_children(Widget)])
        return popped

    def _forget_lines(self, widgets: Iterable[Widget]) -> None:
        for each in widgets:
            each._styles_cache.clear()  # noqa: SLF001
        self.forget_widgets()

    def forget_widgets(self) -> None:
        StylesCache.get_inner_outer.cache_clear()


class ForgetsLines(_Part):
    """An app that keeps no line that is not drawn any more, and no style that was worked out anew.

    Textual 8.2 keeps with each drawn line what was cut from it, and of most that is the line
    itself. It styles a node for each component class whenever anything about a widget changes, and
    the node and its styles hold each other. Nobody but the garbage collector would find either:
    nine tenths of what it would have to look for while one watches.
    """

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.stylesheet = _Stylesheet(variables=self.get_css_variables())
        Strip.divide = _cut  # type: ignore[method-assign, assignment]
        Strip.crop_extend = _fitted  # type: ignore[method-assign, assignment]


def _cut(strip: Strip, cuts: Iterable[int]) -> Sequence[Strip]:
    """Divide a line as Textual does, and do not keep it with itself."""
    within = [cut for cut in cuts if cut <= strip.cell_length]
    return [strip] if within == [strip.cell_length] else _divide(strip, within)


def _fitted(strip: Strip, start: int, end: int, style: Any) -> Strip:
    """Crop or extend a line as Textual does, and do not keep it with itself."""
    is_whole = start <= 0 and end == strip.cell_length
    return strip if is_whole else _crop_extend(strip, start, end, style)


class _Stylesheet(Stylesheet):
    def _process_component_classes(self, node: DOMNode) -> None:
        before = tuple(node._component_styles.values())  # noqa: SLF001
        super()._process_component_classes(node)
        for styles in before:
            styles.base.node = styles.inline.node = None


class StyledLate(ScrollView):
    """A scrolling widget whose component classes are styled when they are first drawn.

    Textual styles all of them whenever anything about a widget changes, its focus too. A pane has
    two dozen and draws in five.
    """

    def _get_component_classes(self) -> frozenset[str]:  # type: ignore[override]
        return frozenset(self._component_styles)

    def get_component_styles(self, *names: str) -> RenderStyles:
        for name in super()._get_component_classes().intersection(names):
            if name not in self._component_styles:
                self._component_styles[name] = self._styled(name).styles
        return super().get_component_styles(*names)

    def _styled(self, name: str) -> DOMNode:
        node = DOMNode(classes=name)
        node._attach(self)  # noqa: SLF001
        self.app.stylesheet.apply(node)
        return node


def screen_text(app: App[Any]) -> str:
    """Return what is on the screen now, overlays included, without spaces at the right."""
    strips = app.screen._compositor.render_strips()  # noqa: SLF001
    return "\n".join(strip.text.rstrip() for strip in strips)


def drawn_text(app: App[Any]) -> str:
    """Return what draws on a terminal all that is on the screen now, colours and places with it."""
    strips = app.screen._compositor.render_strips()  # noqa: SLF001
    rows = (strip.render(app.console) for strip in strips)
    return "".join(f"\x1b[{number};1H{row}" for number, row in enumerate(rows, 1))


def refit_no_color(app: App[Any]) -> None:
    """Fit the way in which `NO_COLOR` is honoured to the theme; call it when the theme changed.

    Textual chooses once, for the theme that it starts with; an ANSI theme that comes later would be
    black on black.
    """
    if not app.no_color:
        return
    others = [each for each in app._filters if not isinstance(each, Monochrome | NoColor)]  # noqa: SLF001
    app._filters = [*others, NoColor() if app.native_ansi_color else Monochrome()]  # noqa: SLF001
