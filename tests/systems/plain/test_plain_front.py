"""When a rule file is loaded, by front matter as editors and people write it."""

import pytest

from remem.model.loader import Front
from remem.model.source import Loader, LoaderKind
from remem.systems.plain.front_matter import ruled

WHOLE, BY_PATH = LoaderKind.WHOLE, LoaderKind.BY_PATH
DESCRIBED, BY_NAME = LoaderKind.DESCRIBED, LoaderKind.BY_NAME
NOT_KNOWN = Loader(LoaderKind.NOT_KNOWN)


@pytest.mark.parametrize(
    ("front", "kind", "globs", "description"),
    [
        pytest.param("alwaysApply: true # for all", WHOLE, (), "", id="comment"),
        pytest.param("alwaysApply : true", WHOLE, (), "", id="blank-before-the-colon"),
        pytest.param("description: >-\n  when\n  asked", DESCRIBED, (), "when asked", id="block"),
        pytest.param("description:\n  when asked", DESCRIBED, (), "when asked", id="next-line"),
        pytest.param("description: 'a # b'", DESCRIBED, (), "a # b", id="quoted-hash"),
        pytest.param("description: don't # do", DESCRIBED, (), "don't", id="apostrophe"),
        pytest.param("globs: null\ndescription: ~", BY_NAME, (), "", id="null"),
        pytest.param("globs: # none yet", BY_NAME, (), "", id="only-a-comment"),
        pytest.param("globs: [\n  'a/**', # a\n  b/*\n]", BY_PATH, ("a/**", "b/*"), "", id="flow"),
        pytest.param("globs:\n  # a\n  - a/** # b", BY_PATH, ("a/**",), "", id="items"),
        pytest.param("globs: *.ts,*.{js,jsx}", BY_PATH, ("*.ts", "*.{js,jsx}"), "", id="no-yaml"),
        pytest.param(
            "globs: *.ts\ndescription: ask # me", BY_PATH, ("*.ts",), "ask", id="comment-in-no-yaml"
        ),
    ],
)
def test_a_rule_of_cursor_says_when_it_is_loaded(
    front: str, kind: LoaderKind, globs: tuple[str, ...], description: str
) -> None:
    found = ruled(f"---\n{front}\n---\n- rule\n".encode(), Front.CURSOR, NOT_KNOWN)

    assert (found.loader.kind, found.told.globs) == (kind, globs)
    assert found.told.description == description
    assert found.problem is None


@pytest.mark.parametrize(
    ("front", "whose", "kind"),
    [
        pytest.param('paths: ["a/**",\n  "b/**"]', Front.PATHS, BY_PATH, id="paths"),
        pytest.param("paths: null", Front.PATHS, WHOLE, id="no-paths"),
        pytest.param('applyTo: "src/**" # all', Front.APPLY_TO, BY_PATH, id="applyTo"),
        pytest.param("trigger: always_on # all", Front.TRIGGER, WHOLE, id="trigger"),
    ],
)
def test_comments_and_lists_over_lines_are_read_for_every_tool(
    front: str, whose: Front, kind: LoaderKind
) -> None:
    found = ruled(f"---\n{front}\n---\n- rule\n".encode(), whose, NOT_KNOWN)

    assert found.loader.kind is kind
    assert found.problem is None


@pytest.mark.parametrize(
    ("front", "said"),
    [
        pytest.param(
            'description: "Say \\"hi\\" in C:\\\\tmp \\u00e9"', 'Say "hi" in C:\\tmp é', id="double"
        ),
        pytest.param("description: 'It''s a test'", "It's a test", id="single"),
        pytest.param(
            "description: >-\n  One line\n  and two # kept\n\n  more",
            "One line and two # kept more",
            id="folded",
        ),
        pytest.param(
            "description: |\n  One\n    deeper # kept\n  three",
            "One   deeper # kept three",
            id="block",
        ),
        pytest.param(
            "description: Use when: a colon breaks it # kept",
            "Use when: a colon breaks it # kept",
            id="no-yaml",
        ),
        pytest.param(
            'description: Plain # gone\nwhen_to_use: "With \\"quotes\\""',
            'Plain - With "quotes"',
            id="when-to-use",
        ),
        pytest.param("description: Plain\n  goes on below", "Plain goes on below", id="goes-on"),
        pytest.param(
            "description: 50% off & `code` \\n raw", "50% off & `code` \\n raw", id="plain"
        ),
        pytest.param('description: "Two\n  lines # kept"', "Two lines # kept", id="quoted-lines"),
        pytest.param("description: 港湾 # gone", "港湾", id="other-letters"),
        pytest.param(
            'description: "one\\u2028two\\tthree\\u0085four"', "one two three four", id="controls"
        ),
    ],
)
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_the_description_of_a_skill_is_what_claude_code_lists(
    front: str, said: str, ends: str
) -> None:
    """As version 2.1.332 sent it to its model on 2026-11-27; other letters by YAML."""
    text = f"---\nname: pier\n{front}\n---\nBody\n".replace("\n", ends)

    found = ruled(text.encode(), Front.SKILL, NOT_KNOWN)

    assert (found.told.name, found.told.description) == ("pier", said)


def test_a_list_that_nothing_closes_is_told_with_its_line() -> None:
    text = b"---\ndescription: x\nglobs: [a/**\nalwaysApply: true\n---\n- rule\n"

    found = ruled(text, Front.CURSOR, NOT_KNOWN)

    assert found.loader.kind is WHOLE
    assert found.problem is not None
    assert found.problem.line == 3
