from pathlib import Path

from tests.persona_files import AGENTS, CARLOS, ground_at, open_shelf, shelf_at, write

from remem.model.layout import Part
from remem.model.source import SourceKind
from remem.systems.personas.team.people import group

LESSON = "- a lesson\n"


def names(folder: Path, **files: dict[str, str | bytes]) -> list[str]:
    return [source.name for source in shelf_at(folder, **files).sources]


def test_night_watch_keeps_one_memory_a_project_and_two_generations(tmp_path: Path) -> None:
    shelf = shelf_at(
        tmp_path,
        home={
            f"{CARLOS}/main.md": LESSON,
            f"{AGENTS}/Priya/memories/acme/core.md": LESSON,
            f"{AGENTS}/Priya/memories/acme/working.md": LESSON,
            f"{AGENTS}/Priya/memories/other/main.md": LESSON,
            f"{AGENTS}/.archived/Dana-20260222T093000Z/memories/acme/main.md": LESSON,
            f"{AGENTS}/.archived/Eli-1767225600000/memories/acme/main.md": LESSON,
        },
    )

    found = [(s.name, s.owner, s.part, s.archived) for s in shelf.sources]

    assert found == [
        ("Carlos/acme", "Carlos", "main", False),
        ("Priya/other", "Priya", "main", False),
        ("Priya/acme/core.md", "Priya", "core", False),
        ("Priya/acme/working.md", "Priya", "working", False),
        ("Dana-20260222T093000Z/acme", "Dana", "main", True),
        ("Eli-1767225600000/acme", "Eli", "main", True),
    ]


def test_refs_name_persona_project_and_file_but_for_the_main_one(tmp_path: Path) -> None:
    shelf = shelf_at(
        tmp_path,
        root={
            ".claude/agent-memory/reviewer/MEMORY.md": LESSON,
            ".claude/agent-memory/reviewer/api/errors.md": LESSON,
            ".claude/agent-memory/MEMORY.md": LESSON,
            ".squad/agents/hill/history.md": LESSON,
            ".squad/decisions.md": "### 2026-05-04: Ship it\n",
            ".squad/decisions/inbox/hill-cache.md": "Cache less\n",
        },
        home={f"{CARLOS}/main.md": LESSON, f"{CARLOS}/core.md": LESSON},
    )

    ids = {
        str(entry.ref).rpartition("#")[0] for source in shelf.sources for entry in source.entries
    }

    assert ids == {
        "persona@night-watch:Carlos/acme",
        "persona@night-watch:Carlos/acme/core.md",
        "persona@claude-project:reviewer",
        "persona@claude-project:reviewer/api/errors.md",
        "persona@claude-project:%28shared%29",
        "persona@squad:hill",
        "persona@squad:decisions",
        "persona@squad:decisions/inbox/hill-cache.md",
    }


def test_only_the_scope_that_the_definition_names_is_loaded(tmp_path: Path) -> None:
    memory = {"MEMORY.md": LESSON}
    shelf = shelf_at(
        tmp_path,
        root={
            ".claude/agents/rev.md": "---\nname: reviewer\ndescription: d\n"
            "memory: local\n---\nYou review.\n",
            ".claude/agents/plain.md": "---\nname: plain\ndescription: d\n---\nYou do.\n",
            **{f".claude/agent-memory/reviewer/{n}": t for n, t in memory.items()},
            **{f".claude/agent-memory-local/reviewer/{n}": t for n, t in memory.items()},
            **{f".claude/agent-memory/plain/{n}": t for n, t in memory.items()},
            **{f".claude/agent-memory/stranger/{n}": t for n, t in memory.items()},
        },
    )

    codes = {
        f"{source.layout}:{source.owner}": [problem.code for problem in source.problems]
        for source in shelf.sources
        if source.kind is SourceKind.MEMORY
    }

    assert codes == {
        "claude-project:plain": ["scope"],
        "claude-project:reviewer": ["scope"],
        "claude-project:stranger": ["no-definition"],
        "claude-local:reviewer": ["several-places"],
    }


def test_of_a_memory_whose_definition_is_skipped_it_is_told_why_no_agent_loads_it(
    tmp_path: Path,
) -> None:
    shelf = shelf_at(
        tmp_path,
        root={
            ".claude/agents/reviewer.md": "---\nname: reviewer\nmemory: project\n---\nBody\n",
            ".claude/agent-memory/reviewer/MEMORY.md": LESSON,
        },
    )

    (told,) = [
        problem
        for source in shelf.sources
        for problem in source.problems
        if problem.code == "no-definition"
    ]

    assert told.message == (
        "no agent loads the memory of `reviewer`: Claude Code skips its definition, as its front "
        "matter has no `description`"
    )
    assert told.hint.startswith("add `name` and `description`")


def test_a_definition_belongs_to_the_name_in_its_front_matter(tmp_path: Path) -> None:
    shelf = shelf_at(
        tmp_path,
        home={
            ".claude/agents/rev.md": "---\nname: reviewer\ndescription: d\n"
            "memory: user\n---\nBody\n"
        },
    )

    assert [source.owner for source in shelf.sources] == ["reviewer"]


def test_old_and_new_squad_folders_are_two_places_of_one_persona(tmp_path: Path) -> None:
    shelf = shelf_at(
        tmp_path,
        root={
            ".squad/agents/hill/history.md": LESSON,
            ".ai-team/agents/Hill/history.md": LESSON,
            ".squad/agents/_alumni/fury/history.md": LESSON,
            ".squad/agents/_alumni/fury-2/charter.md": "# Fury — Writer\n",
            ".squad/agents/_alumni/agent-2/history.md": LESSON,
        },
    )

    people = group(shelf.sources, {})

    assert [(p.name, p.places, p.archived) for p in people] == [
        ("hill", ("squad", "ai-team"), False),
        ("agent-2", ("squad",), True),
        ("fury", ("squad",), True),
        ("fury", ("squad",), True),
    ]
    assert shelf.problems() == ["several-places"]


def test_names_that_differ_only_in_case_are_a_problem(tmp_path: Path) -> None:
    shelf = shelf_at(
        tmp_path,
        home={f"{CARLOS}/main.md": LESSON, f"{AGENTS}/carlos/memories/acme/main.md": LESSON},
    )

    assert shelf.problems() == ["name-clash", "name-clash"]


def test_a_place_reached_as_project_and_as_user_is_one_source(tmp_path: Path) -> None:
    ground = ground_at(tmp_path)
    write(ground.root, {".claude/agent-memory/rev/MEMORY.md": LESSON})
    (ground.home / ".claude").symlink_to(ground.root / ".claude")

    shelf = open_shelf(ground)

    assert [source.layout for source in shelf.sources] == ["claude-project"]


def test_a_link_out_of_the_root_is_not_followed(tmp_path: Path) -> None:
    ground = ground_at(tmp_path)
    write(tmp_path / "elsewhere", {"agents/hill/history.md": LESSON, "decisions.md": "### X\n"})
    (ground.root / ".squad").symlink_to(tmp_path / "elsewhere")
    write(ground.root, {".ai-team/agents/x/charter.md": "# X — Y\n"})
    (ground.root / ".ai-team/agents/y").symlink_to(tmp_path / "elsewhere/agents/hill")

    shelf = open_shelf(ground)

    assert [source.name for source in shelf.sources] == ["x/charter.md"]


def test_everyone_whom_the_registry_or_roster_names_is_there(tmp_path: Path) -> None:
    shelf = shelf_at(
        tmp_path,
        root={
            ".squad/agents/hill/charter.md": "# Hill — Backend\n",
            ".squad/team.md": "| Name | Role | Charter | Status |\n|--|--|--|--|\n"
            "| Hill | Core | x | ok |\n| Ralph | Monitor | — | off |\n\n"
            "| Name | Role |\n|-|-|\n| Z | z |\n",
            ".squad/casting/registry.json": '{"agents": {"hill": {"persistent_name": "Hill"},'
            ' "scribe": {"persistent_name": "Scribe"}, "odd": 3}}',
        },
    )

    people = group(shelf.sources, {"Hill": ("reviewer",)})

    assert [(p.name, p.title, p.places, p.roles) for p in people] == [
        ("Hill", "Backend", ("squad",), ("reviewer",)),
        ("Ralph", "Monitor", (), ()),
        ("Scribe", "", (), ()),
    ]


def test_a_name_with_dots_and_blanks_is_the_persona_with_hyphens(tmp_path: Path) -> None:
    shelf = shelf_at(
        tmp_path,
        root={".squad/agents/mary-ann/history.md": LESSON},
        home={f"{AGENTS}/Mary Ann/memories/acme/main.md": LESSON},
    )

    (person,) = group(shelf.sources, {})

    assert (person.places, person.units) == (("night-watch", "squad"), 2)


def test_files_over_what_their_tool_takes_are_a_problem(tmp_path: Path) -> None:
    shelf = shelf_at(
        tmp_path,
        root={
            ".squad/agents/hill/history.md": "- long\n" * 2_500,
            ".claude/agent-memory/rev/MEMORY.md": "- x\n" * 201,
            ".claude/agents/rev.md": "---\nname: rev\ndescription: d\nmemory: project\n---\n",
        },
        home={f"{CARLOS}/main.md": "- " + "x" * 8_000},
    )

    assert shelf.problems() == ["over-limit", "over-limit", "over-limit"]


def test_bytes_that_are_no_text_are_a_problem_and_never_written(tmp_path: Path) -> None:
    shelf = shelf_at(tmp_path, home={f"{CARLOS}/main.md": b"- fine\n- \xff\n"})

    (source,) = shelf.sources

    assert [problem.code for problem in source.problems] == ["not-text"]
    assert not source.is_writable
    assert len(source.entries) == 0


def test_memory_behind_a_link_is_read_or_told_at_the_definition_of_its_agent(
    tmp_path: Path,
) -> None:
    agents = {
        f".claude/agents/{name}.md": f"---\nname: {name}\ndescription: x\nmemory: project\n---\nx\n"
        for name in ("captain", "mate", "cook", "pilot", "guest")
    }
    files = {"shared/MEMORY.md": LESSON, ".claude/agent-memory/cook/MEMORY.md": LESSON}
    shelf_at(tmp_path, root={**agents, **files})
    write(tmp_path, {"elsewhere/MEMORY.md": LESSON})
    memory = tmp_path / "acme/.claude/agent-memory"
    (memory / "captain").symlink_to("../../shared")
    (memory / "pilot").symlink_to("captain")
    (memory / "guest").symlink_to(tmp_path / "elsewhere")
    (memory / "mate").mkdir()
    (memory / "mate/MEMORY.md").symlink_to("../../../shared/MEMORY.md")

    sources = open_shelf(ground_at(tmp_path)).sources

    read = {source.owner: source for source in sources if source.part == Part.MAIN}
    assert sorted(read) == ["captain", "cook"]
    assert read["captain"].path == memory / "captain/MEMORY.md"
    assert read["captain"].rests_on == (tmp_path / "acme/shared/MEMORY.md",)
    assert read["captain"].is_writable
    said = "the memory of `{}` is a link, which remem does not follow"
    assert {
        source.owner: (problem.message, problem.path)
        for source in sources
        for problem in source.problems
        if problem.code in ("behind-link", "shared-by-link")
    } == {
        "guest": (said.format("guest"), memory / "guest"),
        "mate": (said.format("mate"), memory / "mate/MEMORY.md"),
        "pilot": (
            "the memory of `pilot` is a link to what is shown with another persona alone",
            memory / "pilot",
        ),
    }


def test_a_project_and_a_home_that_are_links_themselves_rest_on_nothing_else(
    tmp_path: Path,
) -> None:
    (tmp_path / "there").mkdir()
    shelf_at(
        tmp_path / "there",
        home={f"{CARLOS}/main.md": LESSON},
        root={".claude/agent-memory/cook/MEMORY.md": LESSON},
    )
    (tmp_path / "here").symlink_to("there")

    sources = open_shelf(ground_at(tmp_path / "here")).sources

    assert len(sources) == 2
    assert all(not source.rests_on for source in sources)
