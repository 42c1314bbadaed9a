"""A persona that gets another name keeps the roles that the settings give it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.persona_files import write

from remem.core.session import Session
from remem.core.settings import Places
from remem.model.change import Intent, Json
from remem.systems.personas.team.people import group

SQUAD = {
    ".squad/team.md": "# Team\n\n## Members\n\n| Name | Role |\n|---|---|\n| Rosa | Lead |\n",
    ".squad/agents/rosa/charter.md": "# Rosa\n",
    ".squad/agents/rosa/history.md": "## Learnings\n\n- Ask for exact cents\n",
}
BLOCK = "# Ours\nroles:\n  Ana: [qa]\n  {}: [reviewer, slicer]  # both\ntheme: nord\n"


def session_at(folder: Path, settings: str) -> Session:
    root = folder / "shop"
    write(root, {**SQUAD, ".remem/config.yaml": settings})
    return Session.open(root, Places.of(folder / "home"), door="cli")


def roles(session: Session) -> dict[str, tuple[str, ...]]:
    library = session.library
    return {each.name: each.roles for each in group(library.sources, library.ground.roles)}


def rename(**more: Json) -> Intent:
    return Intent("persona.rename", arguments={"persona": "Rosa", "to": "Ada Key", **more})


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (BLOCK.format("Rosa"), BLOCK.format("Ada Key")),
        (BLOCK.format('"rosa"'), BLOCK.format("Ada Key")),
        ("roles: {Ana: [qa], Rosa: [reviewer, slicer]}\n",
         "roles: {Ana: [qa], Ada Key: [reviewer, slicer]}\n"),
        ("# Rosa: leads\nroles:\r\n  'Rosa' : [reviewer, slicer]\r\n",
         "# Rosa: leads\nroles:\r\n  Ada Key : [reviewer, slicer]\r\n"),
    ],
)  # fmt: skip
def test_a_renamed_persona_keeps_its_roles(tmp_path: Path, before: str, after: str) -> None:
    session = session_at(tmp_path, before)
    file = session.root / ".remem/config.yaml"
    assert roles(session)["Rosa"] == ("reviewer", "slicer")

    session.apply(rename())

    assert file.read_bytes().decode() == after
    assert roles(session)["Ada Key"] == ("reviewer", "slicer")
    session.undo()
    assert file.read_bytes().decode() == before
    assert roles(session)["Rosa"] == ("reviewer", "slicer")
    session.close()


def test_what_a_rename_would_show_has_the_roles_of_the_new_name(tmp_path: Path) -> None:
    session = session_at(tmp_path, BLOCK.format("Rosa"))

    after = session.library.preview(session.plan(rename()).effects)

    assert after.ground.roles == {"Ana": ("qa",), "Ada Key": ("reviewer", "slicer")}
    session.close()


@pytest.mark.parametrize("settings", ["roles: [Rosa]\n", "roles:\n  Rosa: [a\n", "theme: nord\n"])
def test_settings_that_give_no_roles_stay_as_they_are(tmp_path: Path, settings: str) -> None:
    session = session_at(tmp_path, settings)

    session.apply(rename())

    assert (session.root / ".remem/config.yaml").read_text() == settings
    session.close()


def test_roles_of_one_name_are_not_given_to_another_that_has_some(tmp_path: Path) -> None:
    settings = "roles:\n  Rosa: [reviewer]\n  Ada Key: [qa]\n"
    session = session_at(tmp_path, settings)

    session.apply(rename())

    assert (session.root / ".remem/config.yaml").read_text() == settings
    session.close()


def test_roles_in_the_users_own_settings_follow_and_count_at_once(tmp_path: Path) -> None:
    write(tmp_path / "shop", SQUAD)
    places = Places.of(tmp_path / "home")
    own = places.config / "config.yaml"
    own.parent.mkdir(parents=True)
    own.write_text("theme: nord\nroles: {Rosa: [reviewer]}\n")
    session = Session.open(tmp_path / "shop", places, door="cli")
    assert roles(session)["Rosa"] == ("reviewer",)

    session.apply(rename())

    assert own.read_text() == "theme: nord\nroles: {Ada Key: [reviewer]}\n"
    assert roles(session)["Ada Key"] == ("reviewer",)
    session.undo()
    assert roles(session)["Rosa"] == ("reviewer",)
    session.close()
