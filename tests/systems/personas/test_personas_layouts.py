from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError
from tests.persona_files import ground_at, open_shelf, write

from remem.model.layout import Layout
from remem.model.source import LoaderKind
from remem.systems.personas.persona_layouts import BUILT_IN


def layout(**values: Any) -> Layout:
    return TypeAdapter(Layout).validate_python(
        {"name": "notes", "folder": "notes/{persona}", "memory": [{"pattern": "main.md"}], **values}
    )


def test_the_names_of_the_built_in_layouts_are_those_that_people_write() -> None:
    names = [each.name for each in BUILT_IN]

    assert names == [
        "night-watch",
        "claude-project",
        "claude-local",
        "claude-user",
        "squad",
        "ai-team",
    ]


def test_every_built_in_layout_could_stand_in_a_configuration() -> None:
    adapter = TypeAdapter(Layout)

    for each in BUILT_IN:
        assert adapter.validate_python(adapter.dump_python(each, mode="json")) == each


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        pytest.param({"folder": "../{persona}"}, "stays in its base", id="climbs"),
        pytest.param({"folder": "/etc/{persona}"}, "not below the layout's base", id="absolute"),
        pytest.param({"folder": "C:/x/{persona}"}, "not below the layout's base", id="drive"),
        pytest.param({"folder": "~/x/{persona}"}, "not below the layout's base", id="home"),
        pytest.param({"folder": "a\\{persona}"}, "backslash", id="backslash"),
        pytest.param({"folder": "notes"}, "its last part", id="no-persona"),
        pytest.param({"memory": [{"pattern": "a/../../b.md"}]}, "stays in its base", id="memory"),
        pytest.param({"memory": [{"pattern": "{who}.md"}]}, "not a placeholder", id="placeholder"),
        pytest.param({"archive": "old/x"}, "needs `{persona}` once", id="archive"),
        pytest.param({"unit_archive": "../x.md"}, "stays in its base", id="unit-archive"),
        pytest.param({"database": "/var/x.db"}, "not below the layout's base", id="database"),
        pytest.param({"memory": []}, "at least 1 item", id="no-memory"),
        pytest.param({"base": "home", "scope": "local"}, "lies in the root", id="scope"),
        pytest.param(
            {"memory": [{"pattern": "m.md", "loader": {"kind": "head"}}]}, "needs", id="no-limit"
        ),
        pytest.param({"colour": "red"}, "Unexpected keyword", id="unknown-key"),
    ],
)
def test_a_layout_that_cannot_be_used_says_why(values: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValidationError, match=sentence.replace("{", r"\{").replace("}", r"\}")):
        layout(**values)


def test_a_users_layout_is_read_like_a_built_in_one(tmp_path: Path) -> None:
    ground = ground_at(tmp_path)
    own = layout(
        base="home",
        memory=[
            {"pattern": "log-*.md", "loader": {"kind": "tail", "characters": 50}},
            {"pattern": "{project}/deep.md", "part": "topic"},
        ],
    )
    write(ground.home, {"notes/Maya/log-1.md": "- one\n", "notes/Maya/acme/deep.md": "- two\n"})

    shelf = open_shelf(replace(ground, layouts=(*BUILT_IN, own)))

    assert [source.name for source in shelf.sources] == ["Maya/log-1.md", "Maya/acme/deep.md"]
    assert [entry.title for source in shelf.sources for entry in source.entries] == ["one", "two"]
    assert shelf.sources[0].loader.kind is LoaderKind.TAIL


def test_units_that_were_archived_are_read_back_in_any_layout(tmp_path: Path) -> None:
    ground = ground_at(tmp_path)
    own = layout(memory=[{"pattern": "*.md"}])
    write(ground.root, {"notes/Maya/a.md": "- same\n", "notes/Maya/b.md": "- same\n"})
    write(ground.root, {"notes/Maya/archive.md": "- old\n"})

    shelf = open_shelf(replace(ground, layouts=(own,)))

    found = [(source.name, source.part) for source in shelf.sources]
    assert found == [
        ("Maya/a.md", "main"),
        ("Maya/b.md", "main"),
        ("Maya/archive.md", "archive"),
    ]
    refs = [entry.ref for source in shelf.sources for entry in source.entries]
    assert len(set(refs)) == 3
