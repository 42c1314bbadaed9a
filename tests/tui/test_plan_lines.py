"""What a plan says first is what it writes, however much it has to tell."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from tests.demo_files import demo_at
from tests.sniper_files import clock, write

from remem.core.session import Session
from remem.core.settings import Places
from remem.demo.build import home_of
from remem.model.change import Intent
from remem.views.plan import all_in_brief, plan_lines
from remem.views.prompts.plan_impact import reach_lines
from remem.views.spans import plain


@contextmanager
def shop(root: Path, *lessons: str) -> Iterator[Session]:
    """Open a project with a Squad in which each of two agents was taught the same."""
    text = "# History\n\n## Learnings\n\n" + "".join(f"- {lesson}\n" for lesson in lessons)
    files = {f".squad/agents/{name}/history.md": text for name in ("hill", "vale")}
    write(root / "shop", {**files, ".squad/team.md": "# Team\n"})
    places = Places.of(root / "home")
    with closing(Session.open(root / "shop", places, door="tui", clock=clock())) as session:
        yield session


def told(session: Session, *titles: str) -> list[str]:
    """Return the lines of a plan that removes all lessons, or those with a title."""
    found = [e for e in session.library.of_kind("lesson") if not titles or e.title in titles]
    change = session.plan(Intent("remove", {each.ref: each.digest for each in found}))
    return [line.text for line in plan_lines(session, change)]


def test_a_plan_that_tells_much_first_says_what_it_writes(tmp_path: Path) -> None:
    with shop(tmp_path, *(f"Lamp {n} is lit" for n in range(7))) as session:
        lines = told(session)

    # The other has the same name: the folder tells them apart.
    assert lines[0] == "hill/history.md -7 lines and 1 more file"
    assert lines[1] == "- - Lamp 0 is lit"
    assert lines.index("Lamp 3 is lit  2 times") < lines.index(
        ".squad/agents/vale/history.md  edits"
    )


def test_a_plan_that_says_first_where_something_goes_writes_the_home_folder_as_people_do(
    tmp_path: Path,
) -> None:
    root = demo_at(tmp_path / "demo")
    with closing(Session.open(root, Places.of(home_of(root)), door="tui")) as session:
        change = session.plan(Intent("persona.archive", {}, {"persona": "Ines"}))

        told = plain(all_in_brief(session, session.preview(change)))

    assert told.startswith("Ines moves to `~/.night-watch/agents/.archived/Ines-")


def test_a_short_plan_says_it_once(tmp_path: Path) -> None:
    with shop(tmp_path, "Lamps are lit", "Ropes are dry") as session:
        lines = told(session, "Lamps are lit")

    assert not [line for line in lines if "more file" in line]
    assert lines[0] == "Lamps are lit  2 times"


def test_a_plan_says_whose_prompt_says_something_else_in_as_many_tokens(tmp_path: Path) -> None:
    with shop(tmp_path, "Lamp one is lit") as session:
        lesson = next(e for e in session.library.of_kind("lesson") if "hill" in str(e.ref))
        change = session.plan(session.intend("edit", [lesson], text="Lamp two is lit"))
        lines = [line.text for line in reach_lines(session, [change])]

    assert lines == ["other words, tokens unchanged: hill · Squad", ""]
