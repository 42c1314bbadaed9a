"""An import by a relative path is an import of what the path leads to."""

import pytest

from remem.code.changed_lines import ChangedFile, Tree
from remem.core.checks.detect_from_prose import read_sentence
from remem.core.checks.gate import hold
from remem.core.checks.patterns import NotChecked
from remem.model.detect import Detect

MANIFESTS = {
    "package.json": ('{"dependencies": {', '  "knex": "^3.0.0"', "}}"),
    "shop/pyproject.toml": ('dependencies = ["sqlalchemy>=2"]',),
    "other/package.json": ('  "inner": "^3.0.0"',),
}
DECLARES = Tree.of(MANIFESTS, MANIFESTS.__getitem__)


def found(sentence: str, path: str, code: str, tree: Tree | None = None) -> list[int]:
    reading = read_sentence(sentence, unwanted=True)
    assert reading is not None, sentence
    held = hold(reading.detect, [ChangedFile(path, tuple(code.split("\n")), None)], tree=tree)
    return [each.line for each in held.violations]


@pytest.mark.parametrize(
    ("sentence", "path", "code", "lines"),
    [
        ("imports from core-do-not-import in src/adapters/", "src/adapters/http/a.ts",
         "import { a } from '../../core-do-not-import';\nimport b from './core-do-not-import-b';\n"
         "import {\n  c,\n} from '../../core-do-not-import/stream/c';", [1, 5]),
        ("imports from src/db/internal", "src/api/a.ts",
         "import a from '../db/internal';\nimport b from '../db/internals';\n"
         "import c from '../db/internal/c.js';\nimport d from './db/internal';\n"
         "const e = require('../db/internal');\nimport f from '../../../src/db/internal';",
         [1, 3, 5]),
        ("imports of `src/db`", "src/db/a.ts",
         "import b from './b';\nimport c from '../db/c';", []),
        ("imports of `src/db`", "src/db.ts", "export * from './db/all';", []),
        ("imports of shop.db.internal", "shop/api/a.py",
         "from ..db.internal import a\nfrom ..db import internal, b\nfrom ..db.internals import c\n"
         "from .db.internal import d\nfrom shop.db import (\n    b,\n    internal,\n)\n"
         "from ....shop.db import internal", [1, 2, 5]),
        ("imports of shop.db", "src/shop/api/a.py",
         "from .. import db as d\nfrom .. import dbs", [1]),
        ("imports of shop.db", "shop/db/a.py", "from . import b\nfrom .b import c", []),
        ("imports of `inner` in src/", "src/a.ts", "import a from './inner';", [1]),
        ("imports of `inner`", "other/src/a.ts", "import a from './inner';", []),
        ("imports of knex", "src/a.ts", "import a from './knex';\nimport b from 'knex';", [2]),
        ("imports of `sqlalchemy`", "shop/a.py", "from .sqlalchemy import a", []),
        ("imports of redis", "src/a.ts", "import a from './redis/client';", []),
        ("imports of src/db", "src/a.ts",
         "// import a from './db';\nconst b = `\nimport c from './db'\n`", []),
        ("imports of src/db", "src/a.go", 'import "./db"', []),
    ],
)  # fmt: skip
def test_a_relative_import_is_what_it_leads_to(
    sentence: str, path: str, code: str, lines: list[int]
) -> None:
    assert found(sentence, path, code, DECLARES) == lines


def test_where_no_manifest_is_known_a_bare_name_is_taken_for_a_package() -> None:
    assert found("imports of `inner` in src/", "src/a.ts", "import a from './inner';") == []


def test_only_added_lines_are_told() -> None:
    lines = ("import a from '../db';", "import b from '../db/b';", "import {", "c } from '../db';")
    reading = read_sentence("imports of src/db", unwanted=True)
    assert reading is not None

    held = hold(reading.detect, [ChangedFile("src/api/a.ts", lines, frozenset({2, 4}))])

    assert [each.line for each in held.violations] == [2, 4]


def test_modules_without_a_pattern_are_refused() -> None:
    with pytest.raises(NotChecked, match="`imports` only works beside"):
        hold(Detect(require="x", imports=("src/db",)), ())
