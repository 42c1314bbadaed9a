"""A plug-in in the screens: no line of them knows its name."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.plugin_files import BROKEN, TRAIL, WITH_VERBS, install, install_example
from tests.tui.opened import opened

from remem.core.verbs.verbs import APPROVE
from remem.tui.screens.browse import BrowseScreen
from remem.tui.verbs import AGENT, BROWSE, FILTER, HEALTH, PROMPT, UNDO
from remem.tui.widgets.line_list import LineList

FILE = ".trail/main.trail"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = install_example(tmp_path / "site")
    monkeypatch.syspath_prepend(str(folder))
    return folder


def with_trail(text: str = TRAIL) -> Callable[[Path], None]:
    def prepare(project: Path) -> None:
        file = project / FILE
        file.parent.mkdir()
        file.write_text(text, encoding="utf-8")

    return prepare


async def test_a_candidate_is_approved_by_key_reaches_the_prompt_and_is_undone(
    site: Path, tmp_path: Path
) -> None:
    async with opened(tmp_path, prepare=with_trail()) as desk:
        await desk.go_to("Mocking the database")
        desk.journey.sees("Mocking the database", "pitfall")

        await desk.journey.use(APPROVE)

        assert b"== pitfall p2 [open]" in desk.read(FILE)
        await desk.journey.use(PROMPT, AGENT)
        await desk.journey.types("qa-engineer")
        await desk.journey.pilot.press("enter")
        await desk.journey.rest()
        desk.journey.sees("trail", "/ 400")
        await desk.journey.use(FILTER)
        await desk.journey.types("Mocking")
        desk.journey.sees("- Mocking the database.")
        await desk.journey.pilot.press("escape")
        await desk.journey.use(UNDO)
        assert desk.read(FILE) == TRAIL.encode()


@pytest.mark.slow
async def test_its_files_stand_in_browse_and_what_is_written_outside_is_seen(
    site: Path, tmp_path: Path
) -> None:
    async with opened(tmp_path, start="browse", prepare=with_trail()) as desk:
        assert isinstance(desk.journey.pilot.app.screen, BrowseScreen)
        await desk.write(FILE, lambda data: data + b"\n== signpost s7 [open]\nMind the fog.\n")
        await desk.journey.rest()

        desk.journey.sees("main")
        assert "trail:main/s7" in {
            desk.bench.library.short(e.ref) for e in desk.bench.library.entries()
        }


@pytest.mark.slow
async def test_one_that_fails_stands_on_health_by_its_name(site: Path, tmp_path: Path) -> None:
    code = "def bad(self, ground): raise OSError('no map')\nReader.discover = bad\n"
    install(site, "bad", BROKEN + code)

    async with opened(tmp_path, start="browse", prepare=with_trail()) as desk:
        await desk.journey.use(HEALTH)
        problems = desk.journey.pilot.app.screen.query_one("#problems", LineList)

        rows = [row.label[0].text for row in problems.rows if not row.is_header]
        assert [row for row in rows if "`bad` is disabled" in row and "no map" in row]
        assert "plug-ins" in {row.label[0].text for row in problems.rows if row.is_header}
        await desk.journey.use(BROWSE)
        desk.journey.sees("main")


@pytest.mark.slow
async def test_a_verb_of_its_own_is_done_by_its_key_and_undone(site: Path, tmp_path: Path) -> None:
    register = (
        "def register():\n"
        "    verbs = (verb('bad.say', say, Say, key='Z'),)\n"
        "    return declared(verbs=verbs)\n"
    )
    install(site, "bad", BROKEN + WITH_VERBS + register)

    async with opened(tmp_path, start="browse", prepare=with_trail()) as desk:
        await desk.journey.pilot.press("Z")
        await desk.journey.rest()

        said = desk.bench.root / ".trail" / "said"
        assert said.exists()
        await desk.journey.use(UNDO)
        assert not said.exists()
