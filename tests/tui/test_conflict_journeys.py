"""An agent writes between the look and the key: nothing is decided that was not seen."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest
from tests.tui.opened import MEMORY, Opened, opened
from textual.app import App

from remem.base.errors import Sides
from remem.base.text import hidden
from remem.core.session import Session
from remem.core.settings import Places
from remem.core.verbs.verb import Verb
from remem.core.verbs.verbs import APPROVE, EDIT, MERGE, REJECT
from remem.core.waiting.item import item_ids, kinds_drawn
from remem.demo.build import home_of
from remem.model.change import Intent, Json
from remem.tui.screens.changed_meanwhile import Answer, ConflictScreen
from remem.tui.textual_private import screen_text
from remem.tui.verbs import (
    AGAIN,
    APPLY_PLAN,
    DECIDE_NOW,
    DOWN,
    EDIT_NOW,
    FILTER,
    LEAVE_WAITING,
    MARK,
    NEXT_PANE,
    WHOLE_DIFF,
)
from remem.tui.widgets.line_list import LineList

CONVENTIONS = f"{MEMORY}/conventions.yaml"
OLD = b"Feature flags have an owner"
NEW = b"Feature flags have a mentor"


def silently(desk: Opened, path: str, edit: Callable[[bytes], bytes]) -> bytes:
    """Write as an agent does, and let nobody tell the screen."""
    desk.app._has_begun = False
    if desk.app._watcher is not None:
        desk.app._watcher.stop()
    file = desk.bench.root / path
    file.write_bytes(edit(file.read_bytes()))
    return file.read_bytes()


def renamed(data: bytes) -> bytes:
    assert OLD in data
    return data.replace(OLD, NEW)


@pytest.mark.slow
async def test_a_text_that_changed_under_the_key_is_shown_three_ways_and_waits(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, size=(140, 40)) as desk:
        await desk.go_to("Feature flags")
        theirs = silently(desk, CONVENTIONS, renamed)

        await desk.journey.use(APPROVE)

        desk.journey.sees("its text changed", "as shown", "now", "yours", "an owner", "a mentor")
        await desk.journey.pilot.press("a", "y")
        await desk.journey.use(LEAVE_WAITING)
        desk.journey.sees("left as it is", "•? Feature flags have a")
        assert desk.read(CONVENTIONS) == theirs
        assert not desk.bench.past.changes()


@pytest.mark.slow
async def test_deciding_on_what_stands_now_keeps_the_others_text(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        await desk.go_to("Feature flags")
        theirs = silently(desk, CONVENTIONS, renamed)
        await desk.journey.use(APPROVE)

        await desk.journey.use(DECIDE_NOW)

        assert NEW in desk.read(CONVENTIONS)
        assert desk.read(CONVENTIONS) != theirs
        assert [change.title for change in desk.bench.past.changes()] == ["Approve sniper:conv-018"]


async def test_more_evidence_and_a_comment_do_not_stop_a_decision(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        await desk.go_to("Feature flags")
        before = desk.bench.item(desk.cursor)
        silently(
            desk,
            CONVENTIONS,
            lambda data: data.replace(
                b"    status: candidate",
                b"    evidence: 9 of 9 stories  # met again\n    status:   candidate",
                1,
            ),
        )

        await desk.journey.use(APPROVE)

        assert before.ref not in [item.ref for item in desk.bench.queue()]
        assert b"9 of 9 stories" in desk.read(CONVENTIONS)
        assert len(desk.bench.past.changes()) == 1


@pytest.mark.slow
async def test_a_reason_that_was_typed_survives_the_conflict(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        await desk.go_to("Feature flags")
        await desk.journey.use(REJECT)
        await desk.journey.types("nobody asked")
        await desk.write(CONVENTIONS, renamed)
        await desk.journey.rest()

        await desk.journey.pilot.press("enter")
        await desk.journey.rest()
        desk.journey.sees("its text changed")
        (await desk.journey.use(EDIT_NOW)).sees("Reject because", "nobody asked")
        await desk.journey.types(" twice")
        await desk.journey.pilot.press("enter")
        await desk.journey.rest()

        assert b"nobody asked twice" in desk.read(".remem/rejected.yaml")
        assert NEW in desk.read(".remem/rejected.yaml")


async def test_what_is_said_over_a_conflict_hides_no_key_of_it_and_the_key_says_what_the_card_says(
    tmp_path: Path,
) -> None:
    path, note = ".squad/agents/dunlin/history.md", "The tide table is read at four."
    async with opened(tmp_path, size=(80, 24)) as desk:
        await desk.write(path, lambda data: data + f"- {note}\n".encode())
        await desk.journey.rest()
        await desk.go_to(note)
        desk.journey.sees("Discard")
        await desk.journey.use(REJECT)
        await desk.write(path, lambda data: data.replace(b"at four", b"at five"))
        await desk.journey.rest()

        await desk.journey.pilot.press("enter")
        await desk.journey.rest()
        desk.app.notify("another row came under the cursor", markup=False)
        await desk.journey.rest()

        desk.journey.sees("changed after it was shown", "enter Discard what stands now")
        desk.journey.sees_not("Reject")


@pytest.mark.slow
async def test_a_reason_waits_for_the_next_time_when_the_item_is_left(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        await desk.go_to("Feature flags")
        await desk.journey.use(REJECT)
        await desk.journey.types("nobody asked")
        await desk.write(CONVENTIONS, renamed)
        await desk.journey.pilot.press("enter")
        await desk.journey.rest()
        await desk.journey.use(LEAVE_WAITING)
        await desk.go_to("a mentor")

        await desk.journey.use(REJECT)

        desk.journey.sees("Reject because", "nobody asked")


def an_editor_during_which_an_agent_writes(tmp_path: Path) -> str:
    """Return settings with an editor that sets the rationale while the rule is reworded."""
    script = tmp_path / "editor"
    script.write_text(
        "import re, sys\nfrom pathlib import Path\n"
        f"store = Path({str(tmp_path / 'demo')!r}).rglob('conventions.yaml')\n"
        "file = Path(sys.argv[1]); text = file.read_text()\n"
        f"Path({str(tmp_path / 'given')!r}).write_text(text)\n"
        f"if Path({str(tmp_path / 'leaves')!r}).exists(): sys.exit()\n"
        "if 'rationale: mine' in text:\n"
        "    file.write_text(text.replace('rationale: mine', 'rationale: mine again'))\n"
        "else:\n"
        "    file.write_text(re.sub('^rationale: .*$', 'rationale: mine', text, flags=re.M))\n"
        "    for each in store:\n"
        f"        each.write_bytes(each.read_bytes().replace({OLD!r}, {NEW!r}))\n"
    )
    return f"editor: {sys.executable} {script}\n"


@pytest.mark.slow
@pytest.mark.parametrize("start", ["review", "browse"])
async def test_what_was_written_in_the_editor_is_offered_again_on_the_new_text(
    tmp_path: Path, start: str
) -> None:
    settings = an_editor_during_which_an_agent_writes(tmp_path)
    async with opened(tmp_path, start=start, settings=settings) as desk:
        if start == "browse":
            await desk.journey.use(FILTER)
            await desk.journey.types(f"kind:convention {OLD.decode()}")
            await desk.journey.pilot.press("enter")
            await desk.journey.rest()
        else:
            await desk.go_to("Feature flags")

        await desk.journey.use(EDIT)
        desk.journey.sees("its text changed")
        await desk.journey.use(EDIT_NOW)

        assert b"mine again" in desk.read(CONVENTIONS)
        assert NEW in desk.read(CONVENTIONS)
        assert len(desk.bench.past.changes()) == 1


@pytest.mark.slow
async def test_a_kept_text_that_is_left_as_it_is_writes_over_nobody(tmp_path: Path) -> None:
    settings = an_editor_during_which_an_agent_writes(tmp_path)
    async with opened(tmp_path, settings=settings) as desk:
        await desk.go_to("Feature flags")
        await desk.journey.use(EDIT)
        await desk.journey.use(LEAVE_WAITING)
        written = desk.read(CONVENTIONS)
        (tmp_path / "leaves").touch()
        await desk.go_to("a mentor")  # it changed under the cursor
        await desk.go_to(NEW.decode())
        await desk.journey.rest()

        await desk.journey.use(EDIT)
        given = (tmp_path / "given").read_text()
        await desk.journey.use(EDIT)

        assert desk.read(CONVENTIONS) == written
        assert not desk.bench.past.changes()
        assert "rationale: mine" in given
        assert "Delete this line to apply it" in given
        assert "# rationale: " in given
        assert (tmp_path / "given").read_text() == given


@pytest.mark.slow
async def test_an_edit_taken_on_the_new_text_is_not_offered_once_more(tmp_path: Path) -> None:
    settings = an_editor_during_which_an_agent_writes(tmp_path)
    async with opened(tmp_path, settings=settings) as desk:
        await desk.go_to("Feature flags")
        await desk.journey.use(EDIT)
        assert desk.app.desk.unsaved

        await desk.journey.use(DECIDE_NOW)

        assert b'rationale: "mine"' in desk.read(CONVENTIONS)
        assert NEW in desk.read(CONVENTIONS)
        assert not desk.app.desk.unsaved


@pytest.mark.slow
async def test_a_plan_that_was_accepted_asks_again_for_what_changed_while_it_was_read(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as desk:
        await desk.go_to("Feature flags")
        await desk.journey.use(MARK, MARK, APPROVE)
        desk.journey.sees("Approve 2 entries")
        silently(desk, CONVENTIONS, renamed)

        await desk.journey.use(APPLY_PLAN)
        desk.journey.sees("its text changed")
        assert not desk.bench.past.changes()

        await desk.journey.use(DECIDE_NOW)
        assert [change.title for change in desk.bench.past.changes()] == ["Approve 2 entries"]


@pytest.mark.slow
async def test_a_merge_asks_again_when_the_entry_that_takes_it_in_changed(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        await desk.go_to("Feature flags")
        await desk.go_to("Boards show the age")
        await desk.journey.use(MERGE)
        silently(
            desk, CONVENTIONS, lambda data: data.replace(b"rule: ", b"rule: Never say that ", 1)
        )

        await desk.journey.pilot.press("enter")
        await desk.journey.rest()

        desk.journey.sees(
            [
                "sniper:conv-001",
                "changed",
                "after",
                "it",
                "was",
                "shown:",
                "its",
                "text",
                "changed",
            ][0]
        )
        assert not desk.bench.past.changes()


@pytest.mark.slow
async def test_a_decision_that_another_took_is_shown_and_doing_it_too_marks_it_as_reviewed(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, size=(140, 40)) as desk:
        await desk.go_to("Feature flags")
        theirs = silently(
            desk,
            CONVENTIONS,
            lambda data: data.replace(b"status: candidate", b"status: confirmed", 1),
        )
        await desk.journey.use(APPROVE)
        desk.journey.sees("its status is now confirmed")

        await desk.journey.use(DECIDE_NOW)

        assert "as reviewed" in desk.bench.past.changes()[0].title
        assert desk.read(CONVENTIONS) == theirs


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Callable[[Opened], Session]]:
    """Gives another door at the root of a screen, which tells the screen nothing."""
    made: list[Session] = []

    def door(desk: Opened) -> Session:
        silently(desk, CONVENTIONS, lambda data: data)
        made.append(Session.open(desk.bench.root, Places.of(home_of(desk.bench.root)), door="cli"))
        return made[-1]

    yield door
    for session in made:
        session.close()


def decide(door: Session, verb: Verb, *titles: str, **arguments: Json) -> None:
    """Decide on what waits, as it is shown there."""
    picked = [item for item in door.queue() if any(title in item.title for title in titles)]
    assert len(picked) == len(titles)
    shown = {item.ref: item.digest for item in picked}
    door.apply(Intent(verb.id, shown, arguments, item_ids(picked), kinds_drawn(picked)))


@pytest.mark.parametrize("verb", [APPROVE, REJECT], ids=["approve", "reject"])
async def test_the_same_decision_of_somebody_else_is_a_line_and_the_queue_goes_on(
    tmp_path: Path, elsewhere: Callable[[Opened], Session], verb: Verb
) -> None:
    async with opened(tmp_path) as desk:
        await desk.go_to("Feature flags")
        first = desk.cursor
        if verb is REJECT:
            await desk.journey.use(REJECT)
            await desk.journey.types("nobody asked")
        decide(elsewhere(desk), verb, "Feature flags")
        theirs = desk.read(CONVENTIONS)

        await desk.journey.pilot.press("enter" if verb is REJECT else verb.key)
        await desk.journey.rest()

        desk.journey.sees("Already", "nothing to do").sees_not("as shown")
        assert desk.read(CONVENTIONS) == theirs
        assert len(desk.bench.past.changes()) == 1
        assert desk.cursor not in (first, None)
        await desk.journey.use(APPROVE)
        assert len(desk.bench.past.changes()) == 2


@pytest.mark.slow
async def test_of_several_the_plan_is_shown_for_those_that_nobody_else_decided_on(
    tmp_path: Path, elsewhere: Callable[[Opened], Session]
) -> None:
    async with opened(tmp_path) as desk:
        await desk.go_to("Feature flags")
        await desk.journey.use(MARK, MARK, APPROVE)
        desk.journey.sees("Approve 2 entries")
        decide(elsewhere(desk), APPROVE, "Feature flags")

        await desk.journey.use(APPLY_PLAN)
        desk.journey.sees("Already approved sniper:conv-018")
        assert len(desk.bench.past.changes()) == 1

        await desk.journey.use(APPLY_PLAN)
        newest, _ = desk.bench.past.changes()
        assert len(newest.intent.shown) == 1


@pytest.mark.slow
async def test_another_decision_of_somebody_else_is_asked_about(
    tmp_path: Path, elsewhere: Callable[[Opened], Session]
) -> None:
    async with opened(tmp_path, size=(140, 40)) as desk:
        await desk.go_to("Feature flags")
        decide(elsewhere(desk), REJECT, "Feature flags", reason="not ours")

        await desk.journey.use(APPROVE)

        desk.journey.sees("it is gone", "as shown")
        assert len(desk.bench.past.changes()) == 1


@pytest.mark.slow
async def test_the_same_decision_on_another_text_is_asked_about(
    tmp_path: Path, elsewhere: Callable[[Opened], Session]
) -> None:
    async with opened(tmp_path, size=(140, 40)) as desk:
        await desk.go_to("Feature flags")
        decide(elsewhere(desk), APPROVE, "Feature flags")
        silently(desk, CONVENTIONS, renamed)

        await desk.journey.use(APPROVE)

        desk.journey.sees("its text changed", "an owner", "a mentor")
        assert len(desk.bench.past.changes()) == 1


@pytest.mark.slow
async def test_what_is_gone_can_only_be_left(tmp_path: Path) -> None:
    async with opened(tmp_path, start="browse") as desk:
        await desk.journey.use(FILTER)
        await desk.journey.types(f"kind:convention {OLD.decode()}")
        await desk.journey.pilot.press("enter")
        await desk.journey.rest()
        theirs = silently(desk, CONVENTIONS, lambda data: data[: data.index(b"- id: conv-002")])

        await desk.journey.use(APPROVE)
        desk.journey.sees("it is gone")
        await desk.journey.use(DECIDE_NOW, EDIT_NOW, LEAVE_WAITING)

        assert desk.read(CONVENTIONS) == theirs


async def test_no_verb_key_acts_on_what_changed_under_the_cursor_until_it_moves(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as desk:
        await desk.go_to("Feature flags")
        await desk.journey.use(DOWN, APPROVE)
        await desk.go_to("Feature flags")
        await desk.write(CONVENTIONS, renamed)
        await desk.journey.rest()
        before, done = desk.read(CONVENTIONS), len(desk.bench.past.changes())
        desk.journey.sees("move the cursor before you decide")

        await desk.journey.use(APPROVE, REJECT, EDIT, MERGE, AGAIN)

        desk.journey.sees_not("Reject because", "Merge into")
        assert desk.read(CONVENTIONS) == before
        assert len(desk.bench.past.changes()) == done
        queue = desk.journey.pilot.app.screen.query_one(".pane-list", LineList)
        assert not queue.is_settled


HOSTILE = "- [bold]x[/]\x1b]0;owned\x07 \u202eevil\u202c \U000e0041 {name!r} " + "wide界" * 30


class ConflictApp(App[None]):
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012 - Textual declares it as a field
        (0, "-one"),
        (60, "-stacked"),
        (90, "-two"),
        (132, "-three"),
    ]

    def __init__(self, sides: Sides) -> None:
        super().__init__()
        self.sides = sides
        self.answers: list[Answer | None] = []

    def on_mount(self) -> None:
        self.push_screen(
            ConflictScreen("Approve", self.sides, seconds=count(1.0).__next__), self.answers.append
        )


def sides(base: str | None, theirs: str | None, yours: str | None) -> Sides:
    return Sides("sniper:c", "sniper:c", "its text changed", base, theirs, yours, "sniper:c", "d")


@pytest.mark.parametrize("size", [(50, 16), (80, 24), (120, 36), (140, 40)])
@pytest.mark.slow
async def test_hostile_text_is_only_text_in_all_three(size: tuple[int, int]) -> None:
    texts = (f"{HOSTILE} one", f"{HOSTILE} two", f"{HOSTILE} three")
    async with ConflictApp(sides(*texts)).run_test(size=size) as pilot:
        for _ in texts:
            await pilot.pause()
            shown = screen_text(pilot.app)

            assert "[bold]x[/]" in shown
            assert "⟦U+202E⟧" in shown
            assert hidden(shown.replace("\n", "")) == ()
            await pilot.press(NEXT_PANE.key)


@pytest.mark.parametrize("size", [(80, 24), (140, 40)])
async def test_the_whole_difference_and_the_texts_take_turns(size: tuple[int, int]) -> None:
    app = ConflictApp(sides("rule: a\n", "rule: b\n", "rule: b\nstatus: confirmed\n"))
    async with app.run_test(size=size) as pilot:
        await pilot.press(WHOLE_DIFF.key)
        await pilot.pause()
        assert "as shown → now" in screen_text(app)
        assert "now → yours" in screen_text(app)

        await pilot.press(WHOLE_DIFF.key)
        await pilot.pause()
        assert "as shown → now" not in screen_text(app)


@pytest.mark.parametrize(
    ("key", "answer"),
    [("enter", Answer.DECIDE), ("e", Answer.EDIT), ("escape", None)],
)
async def test_only_a_key_that_says_so_answers(key: str, answer: Answer | None) -> None:
    app = ConflictApp(sides("a", "b", "c"))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("a", "space", "j", "right", "pagedown")
        assert app.answers == []

        await pilot.press(key)
        await pilot.pause()

        assert app.answers == [answer]
