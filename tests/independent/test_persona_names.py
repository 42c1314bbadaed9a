"""Nothing points at who is gone: each verb on each layout, looked at by another hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.independent.persona_names import dangling, unlisted, words
from tests.independent.persona_round import NEW, Round, rounds
from tests.persona_files import add_database, write


def _squad(team: str) -> dict[str, str]:
    home = f"{team}/agents"
    return {
        f"{home}/hill/charter.md": (
            f"# Hill — Core\n\n- **Name:** Hill\n\nHill reads `{home}/hill/`.\n"
        ),
        f"{home}/hill/history.md": (
            "# Hill — History\n\n## Learnings\n\n- Ports first\n- Hill asks\n"
        ),
        f"{home}/fury/charter.md": "# Fury — Writer\n",
        f"{home}/fury/history.md": (
            f"# Fury — History\n\n- Ask Hill, see {home}/hill/charter.md\n- Rest\n"
        ),
        f"{team}/team.md": (
            "# Team\n\n## Coordinator\n\n| Name | Role | Notes |\n|--|--|--|\n"
            "| Squad | All | x |\n\n"
            "## Members\n\n| Name | Role | Charter | Status |\n|--|--|--|--|\n"
            "| Hill | Core | [agents/hill/charter.md](agents/hill/charter.md) | ✅ Active |\n"
            f"| Fury | Writer | `{home}/fury/charter.md` | ✅ Active |\n"
        ),
        f"{team}/routing.md": (
            "# Routing\n\n| Work | Route To | Examples |\n|--|--|--|\n"
            "| Ports | Hill 🔧 | Ask Hill |\n"
            "| Prose | Fury, Hill | x |\n\nHill is fast. The label is `squad:hill`.\n"
        ),
        f"{team}/casting/registry.json": (
            '{"agents": {\n  "hill": {"persistent_name": "Hill", "status": "active", '
            f'"charter": "{home}/hill/charter.md"}},\n'
            '  "fury": {"persistent_name": "Fury", "status": "active"}\n}}\n'
        ),
        f"{team}/log/2026-05-01.md": f"Hill wrote {home}/hill/history.md\n",
        ".github/agents/hill.agent.md": f"---\nname: Hill\n---\n\nYou are Hill: {home}/hill/\n",
        "docs/team.md": "Hill builds ports.\n",
    }


CLAUDE = {
    ".claude/agents/core/hill.md": "---\nname: hill\ndescription: d\nmemory: project\n---\nYou.\n",
    ".claude/agents/fury.md": (
        "---\nname: fury\ndescription: d\nmemory: project\ntools: Task(hill), Read\n---\n"
        "Call @agent-hill; read `.claude/agent-memory/hill/MEMORY.md`.\n"
    ),
    ".claude/agent-memory/hill/MEMORY.md": "- Ports first\n- Bells\n",
    ".claude/agent-memory/fury/MEMORY.md": "- Ask hill\n",
    "CLAUDE.md": "hill knows the ports.\n",
}
NIGHT = ".night-watch/agents"
LAYOUTS = {
    "squad": _squad(".squad"),
    "ai-team": _squad(".ai-team"),
    "both": {**_squad(".squad"), **_squad(".ai-team")},
    "claude": CLAUDE,
}


@pytest.mark.parametrize(
    "layout",
    ["squad", "claude", *(pytest.param(x, marks=pytest.mark.slow) for x in ("ai-team", "both"))],
)
def test_no_address_leads_to_who_is_gone_and_undo_gives_back_every_bit(
    layout: str, tmp_path: Path
) -> None:
    root, home = tmp_path / "acme", tmp_path / "home"
    home.mkdir()
    write(root, LAYOUTS[layout])
    (root / "docs").mkdir(exist_ok=True)
    (root / "docs").chmod(0o750)

    found = list(rounds(root, home))

    assert {each.verb for each in found} == {
        "persona.rename", "persona.archive", "persona.merge", "persona.restore",
        "persona.move", "sections.archive", "lesson.share", "persona.compact", "export",
        "collision", "persona.new", "persona.edit", "persona.absorb", "undo of all",
    }  # fmt: skip
    assert [each for each in found if not _is_clean(each)] == []


def _is_clean(each: Round) -> bool:
    clean = not each.dangles and not each.words_changed
    may_have_none = each.verb in ("sections.archive", "lesson.share", "persona.compact")
    may_have_none = may_have_none or each.verb == "persona.edit"
    must_be_refused = each.verb == "collision"
    return (
        clean
        and each.is_told
        and each.is_undone
        and (bool(each.refused) if must_be_refused else not each.refused or may_have_none)
    )


def test_night_watch_keeps_row_and_folder_alike(tmp_path: Path) -> None:
    root, home = tmp_path / "acme", tmp_path / "home"
    write(root, {"README.md": "Carlos builds.\n"})
    write(
        home, {f"{NIGHT}/{name}/memories/acme/main.md": "- a\n- b\n" for name in ("Carlos", "Zoë")}
    )
    add_database(home, {"id": "1", "name": "Carlos"}, {"id": "2", "name": "Zoë"})

    found = list(rounds(root, home))

    assert len([each for each in found if each.verb.startswith("persona.")]) == 23
    assert [each for each in found if not _is_clean(each)] == []


def test_the_other_hand_finds_what_points_nowhere(tmp_path: Path) -> None:
    write(tmp_path, _squad(".squad"))
    assert not dangling(tmp_path, "Hill", "hill")

    (tmp_path / ".squad/agents/hill").rename(tmp_path / ".squad/agents/gone")

    kinds = {each.partition(" ")[0] for each in dangling(tmp_path, "Hill", "hill")}
    assert kinds == {"path", "name", "roster", "charter", "route", "key"}
    assert words(tmp_path, "Hill")["docs/team.md"] == 1
    assert not words(tmp_path, NEW)
    assert not unlisted(tmp_path, "Fury", "fury")
    for name in ("team.md", "casting/registry.json", "agents/fury/charter.md"):
        (tmp_path / ".squad" / name).write_text("{}")
    (tmp_path / ".squad/agents/fury/charter.md").unlink()
    assert {*unlisted(tmp_path, "Fury", "fury")} == {
        "no charter .squad/agents/fury/charter.md",
        "0 rows of Fury",
    }
