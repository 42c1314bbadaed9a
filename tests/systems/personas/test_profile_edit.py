"""Who a persona is: written where its layout keeps that, or only read."""

from pathlib import Path

import pytest
from tests.persona_files import add_database
from tests.sniper_files import carry_out, open_shop, write

from remem.base.errors import ChangedOnDisk, NotPossible, RememError, Unacknowledged, UnknownRef
from remem.core.library import Library
from remem.core.prompt.compose import compose
from remem.core.prompt.counter import Estimate
from remem.core.verbs.verbs import plan
from remem.model.change import Create, Intent, Json, Splice
from remem.model.prompt import Ask
from remem.systems.personas.profiles.profile_edit import profile_file

AGENTS = "home/.night-watch/agents"
PROFILE = f"{AGENTS}/Carlos/persona.yaml"
MEMORY = f"{AGENTS}/Carlos/memories/shop/main.md"
AGENT = "shop/.claude/agents/rev.md"

WRITTEN = (
    "# ours\nname: Carlos   # the name\nrole: Tech Lead\nsoul:\n"
    '  whoIAm: "Cuts work small"\n  worldview: [small steps]\nstyle: {}\nskill: {}\n'
)


def workshop(folder: Path, files: dict[str, str]) -> Library:
    (folder / "shop").mkdir(exist_ok=True)
    write(folder, files)
    return open_shop(folder)


def edit(**arguments: Json) -> Intent:
    return Intent("persona.edit", {}, {"persona": "carlos", **arguments})


def prompt_of(library: Library) -> str:
    ask = Ask(persona="Carlos")
    return compose(library, ask, Estimate()).text


def test_a_field_is_set_and_no_other_byte_of_the_file_changes(tmp_path: Path) -> None:
    library = workshop(tmp_path, {PROFILE: WRITTEN})

    fields: dict[str, Json] = {
        "soul.worldview": ["small steps", "tests first"],
        "style.tone": "dry",
    }
    after = carry_out(library, plan(library, edit(fields=fields)))

    text = (tmp_path / PROFILE).read_text()
    assert text.startswith("# ours\nname: Carlos   # the name\nrole: Tech Lead\nsoul:\n")
    assert '  whoIAm: "Cuts work small"\n' in text
    assert "- Tone: dry" in prompt_of(after)
    assert "- tests first" in prompt_of(after)


def test_a_profile_that_is_not_there_yet_is_made_beside_the_memory(tmp_path: Path) -> None:
    library = workshop(tmp_path, {MEMORY: "- a lesson\n"})

    change = plan(library, edit(fields={"soul.whoIAm": "Cuts work small"}))
    after = carry_out(library, change)

    assert isinstance(change.effects[0], Create)
    assert change.effects[0].path == tmp_path / PROFILE
    assert prompt_of(after) == (
        "# Carlos\n\n## Who I Am\n\nCuts work small\n\n## Memory\n\n- a lesson"
    )


def test_a_whole_text_is_written_as_the_one_place_that_differs(tmp_path: Path) -> None:
    library = workshop(tmp_path, {PROFILE: WRITTEN})
    digest = profile_file(library, "carlos").digest

    change = plan(library, edit(text=WRITTEN.replace("Tech Lead", "Architect"), digest=digest))

    (effect,) = change.effects
    assert isinstance(effect, Splice)
    assert effect.old in b"Tech Lead"
    carry_out(library, change)
    assert (tmp_path / PROFILE).read_text() == WRITTEN.replace("Tech Lead", "Architect")


def test_an_agents_definition_is_its_profile(tmp_path: Path) -> None:
    text = "---\nname: rev\ndescription: d\nmemory: project\n---\n\nYou review.\n"
    library = workshop(tmp_path, {AGENT: text})

    after = carry_out(
        library, plan(library, edit(persona="rev", text=text + "You ask before you suggest.\n"))
    )

    assert (tmp_path / AGENT).read_text() == text + "You ask before you suggest.\n"
    with pytest.raises(NotPossible, match="no fields"):
        plan(after, edit(persona="rev", fields={"role": "x"}))


def test_a_row_of_the_database_is_only_read(tmp_path: Path) -> None:
    add_database(tmp_path / "home", {"id": "1", "name": "Carlos", "role": "Lead"})
    library = workshop(tmp_path, {PROFILE: WRITTEN, MEMORY: "- a\n"})

    with pytest.raises(NotPossible, match="database"):
        plan(library, edit(fields={"role": "x"}))


def test_a_charter_is_only_read(tmp_path: Path) -> None:
    library = workshop(tmp_path, {"shop/.squad/agents/carlos/charter.md": "# Carlos — Lead\n"})

    with pytest.raises(NotPossible, match=r"charter\.md"):
        plan(library, edit(fields={"role": "x"}))


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        pytest.param({"fields": {"soul.colour": "red"}}, NotPossible, id="no-such-field"),
        pytest.param({"fields": {"name": "Karl"}}, NotPossible, id="the-name"),
        pytest.param({"fields": {"style.emojiUsage": {"frequency": "x"}}}, NotPossible, id="enum"),
        pytest.param({"text": "name: [\n"}, NotPossible, id="no-yaml"),
        pytest.param({"text": "- a list\n"}, NotPossible, id="no-mapping"),
        pytest.param({"text": "name: Karl\nrole: x\n"}, NotPossible, id="another-name"),
        pytest.param({"text": " "}, NotPossible, id="blank"),
        pytest.param({"text": WRITTEN}, NotPossible, id="nothing-new"),
        pytest.param({"text": WRITTEN + "x: 1\n", "digest": "0" * 32}, ChangedOnDisk, id="stale"),
        pytest.param(
            {"fields": {"soul.whoIAm": "-----BEGIN RSA PRIVATE KEY-----\nMIIE"}},
            Unacknowledged,
            id="secret",
        ),
        pytest.param({"persona": "nobody", "fields": {"role": "x"}}, UnknownRef, id="nobody"),
    ],
)
def test_what_cannot_be_written_is_said_and_nothing_is(
    tmp_path: Path, arguments: dict[str, Json], error: type[RememError]
) -> None:
    library = workshop(tmp_path, {PROFILE: WRITTEN})

    with pytest.raises(error):
        plan(library, edit(**arguments))

    assert (tmp_path / PROFILE).read_text() == WRITTEN


def test_unknown_keys_and_comments_of_a_profile_survive_an_edit(tmp_path: Path) -> None:
    text = WRITTEN + "house: north   # ours too\n"
    library = workshop(tmp_path, {PROFILE: text})

    carry_out(library, plan(library, edit(fields={"role": "Architect"})))

    assert (tmp_path / PROFILE).read_text() == text.replace("Tech Lead", "Architect")
