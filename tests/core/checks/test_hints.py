"""Hints become checks only where they have one exact meaning."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remem.code.changed_lines import ChangedFile
from remem.core.checks.detect_from_prose import agrees, judged_examples, read_sentence
from remem.core.checks.gate import hold
from remem.model.detect import Detect, Examples
from remem.systems.sniper.detect_plan import read_hint
from remem.systems.sniper.records import AntiPattern, Convention

SEED = "imports from prisma/drizzle/knex in files under routes/ or handlers/"


def found(sentence: str, path: str, code: str, *, unwanted: bool = True) -> list[int]:
    """Return the lines of a file that a sentence speaks against."""
    reading = read_sentence(sentence, unwanted=unwanted)
    assert reading is not None, sentence
    held = hold(reading.detect, [ChangedFile(path, tuple(code.split("\n")), None)])
    return [each.line for each in held.violations]


@pytest.mark.parametrize(
    ("sentence", "path", "code", "lines"),
    [
        (SEED, "routes/a.ts", 'import { db } from "@prisma/client";\nimport x from "zod";', [1]),
        (SEED, "api/handlers/a.js", 'const knex = require("knex");', [1]),
        (SEED, "handlers/a.ts", 'import {\n  pg,\n} from "drizzle-orm/pg-core";', [3]),
        (SEED, "lib/a.ts", 'import knex from "knex";', []),
        (SEED, "routes/a.ts", '// import knex from "knex";\nconst s = "knex";', []),
        (SEED, "routes/a.md", 'import knex from "knex";', []),
        ("imports of `sqlalchemy` in src/domain", "src/domain/a.py", "import os, sqlalchemy", [1]),
        ("imports of `sqlalchemy`", "a.py", "from sqlalchemy.orm import Session", [1]),
        ("imports of `sqlalchemy`", "a.py", "from sqlalchemy_utils import x", []),
        ("importing `lodash`", "a.ts", 'import a from "lodash/fp";', [1]),
        ("importing `lodash`", "a.ts", 'import b from "lodash-es";', []),
        ("calls to now() or today() below src/domain", "src/domain/a.py", "t = now()", [1]),
        ("calls to now()", "a.py", "def now():\n    clock.now()\n# now()\nx = now ()", [4]),
        ("calls of `datetime.now`", "a.py", "datetime.now(UTC)\nmy.datetime.now()", [1]),
        ("calls to save()", "a.ts", "  async save() {\n    save();", [2]),
        ("empty catch blocks", "A.java", "} catch (Exception e) { }\n} catch (E e) {log();}", [1]),
        ("catch blocks with empty bodies", "a.ts", "try { a() } catch {}", [1]),
        ("bare except clauses", "a.py", "except:\nexcept ValueError:", [1]),
        ("star imports", "a.py", "from os import *\nfrom os import path", [1]),
        ("console.log statements", "a.tsx", "console.log(1)\nlog.info(1)", [1]),
        ("print statements in src/**/*.py", "src/a/b.py", "print(1)\npprint(1)\nx.print(1)", [1]),
        ("`any` types", "a.ts", "let a: any;\nlet many: many;\nf(x as any)", [1, 3]),
        ("default exports", "a.js", "export default App;\nexport const a = 1;", [1]),
        ("imports of pickle", "a.py", "import pickle\nfrom typing import Any", [1]),
        ("imports of knex", "a.ts", 'import knex from "./db";\nimport knex, { a } from "b";', []),
        ("imports of System.Linq", "a.cs", "using System.Linq;\nusing System.Linqs;", [1]),
        ("imports of System.Linq", "a.cs", "global using static System.Linq.Enumerable;", [1]),
        ("imports of System.Linq", "a.cs", "using L = System.Linq;\nusing var a = Linq();", [1]),
        ("imports of java.util", "a.java", "import static java.util.List;\nimport java.io;", [1]),
        ("`it.skip` or `test.skip` in src/", "src/a.ts", "it.skip()\ntest.skip()\nit()", [1, 2]),
        ("`== None` or `!= None`", "a.py", "a == None\nb != None\nc is None", [1, 2]),
        ("calls to .wait() or `.result()`", "a.py", "a.wait()\nwait()\nb.result ()", [1, 3]),
        ("@ts-ignore comments", "a.ts", "// @ts-ignore x\nx('@ts-ignore')", [1]),
        ("eslint-disable comments", "a.ts", "/* eslint-disable-next-line x */\ndisable()", [1]),
        ("several imports on one line", "a.py", "import a, b\nimport a\nfrom a import b, c", [1]),
        ("lambda assigned to a name", "a.py", "f = lambda: 1\ng(key=lambda: 1)", [1]),
        ("uses of `this.` in .cs files", "a.cs", "this.A();\n// this.B", [1]),
        ("uses of `this.` in .cs files", "a.ts", "this.a()", []),
        ("`#region` in C# code", "A.cs", "#region X\n  #region\nvar a = 1;", [1, 2]),
        ("`dynamic` in .cs files under src/", "src/a.cs", "dynamic a;", [1]),
        ("`dynamic` in .cs files under src/", "lib/a.cs", "dynamic a;", []),
        ("`var` declarations in .ts and .tsx files", "a.tsx", "var a = 1", [1]),
        ("`var` declarations in .ts files", "a.js", "var a = 1", []),
        ("imports of knex in TypeScript files under routes/", "routes/a.ts",
         'import k from "knex";', [1]),
        ("`String.` or `Int32.` in .cs files", "a.cs", "String.Join(a);\nInt32.Parse(b);", [1, 2]),
        ("`String.` or `Int32.` in .cs files", "a.js", "String.raw`x`", []),
        ("imports of Optional, Union from typing", "a.py",
         "from typing import Any, Optional\nfrom typing import (\n    Any,\n    Union,\n)\n"
         "from my import Optional\nimport typing", [1, 4]),
        ("imports of `waitFor` from @testing-library/react", "a.ts",
         "import { render, waitFor } from '@testing-library/react';\n"
         "import { waitFor } from './mine';\nimport { render } from '@testing-library/react';",
         [1]),
        ("imports from `@acme/*/src`", "a.ts",
         "import a from '@acme/server/src';\nimport b from '@acme/src';\n"
         "import c from '@acme/a/src/b';", [1, 3]),
        (".format() calls in shop/", "shop/a.py", '"{}".format(1)\nformat(1)', [1]),
        ("`# type: ignore` comments without a code", "a.py",
         "a()  # type: ignore\nb()  # type: ignore[arg-type]\nc = '# type: ignore'", [1]),
        ("noqa without a code", "a.py", "a()  # noqa\nb()  # noqa: S307", [1]),
        ("lines that contain `password =`", "a.ini", "password = x\npasswords = y", [1]),
        ("TODO comments without a ticket", "a.go", "// TODO later\n// TODO SHOP-12\ntodo()", [1]),
        ("TODO or FIXME without an issue", "a.py", "# FIXME x\n# TODO #12", [1]),
    ],
)  # fmt: skip
def test_what_a_hint_names_is_found_and_nothing_that_looks_like_it(
    sentence: str, path: str, code: str, lines: list[int]
) -> None:
    assert found(sentence, path, code) == lines


@pytest.mark.parametrize(
    ("sentence", "path", "code", "lines"),
    [
        ("empty catch blocks", "a.ts", "} catch (e) {\n  // fine\n}\n} catch { log() }", [1]),
        ("empty except blocks", "a.py",
         "try:\n  a()\nexcept (A, B):  # why\n  # so\n  pass\nexcept C:\n  pass\n  b()", [3]),
        ("print() calls", "a.py", '"""\n>>> print(1)\n"""\nx = "print(2)"\nprint(3)', [5]),
        ("default exports", "a.ts", "const t = `\nexport default 1\n`\nexport default t", [4]),
        ("TODO comments without a ticket", "a.py", "x = '# TODO: later'\n# TODO: now", [2]),
        ("`as any` casts in packages/**/src", "packages/a/src/b.ts", "x as any\n// as any", [1]),
        ("process.exit() calls outside of cli-entry.ts", "src/a.ts", "process.exit(1)", [1]),
        ("process.exit() calls outside of cli-entry.ts", "src/cli-entry.ts", "process.exit(1)", []),
        ("readFileSync or writeFileSync in src/", "src/a.ts", "readFileSync(a)\nreadFile(b)", [1]),
        ("console.error in files under routes/", "routes/a.ts", "console.error(1)", [1]),
        ("imports of fs, path, os without the node: prefix", "a.ts",
         "import fs from 'fs'\nimport p from 'node:path'\nimport x from 'os-x'", [1]),
        ("`var` declarations", "a.ts", "var a = 1\nlet variable = 2 // var b", [1]),
        ("`@ts-ignore` comments", "a.ts", "// @ts-ignore\nconst a = '@ts-ignore'", [1]),
        ("method calls of `hasOwnProperty`", "a.js", "a.hasOwnProperty(b)\nhasOwnProperty(b)", [1]),
        ("triple-slash references", "a.ts", '/// <reference types="x" />\n/// text', [1]),
        ("calls to `new Array()`", "a.ts", "new Array<string>(3)\nnew ArrayBuffer(3)", [1]),
        ("inline type imports", "a.ts", "import {type A} from 'a'\nimport type {B} from 'b'", [1]),
        ("uses of `arguments`", "a.js", "f(arguments)\nx.arguments\nt = {arguments: 1}", [1]),
        ("uses of `DateTime.Now`", "A.cs", "var a = System.DateTime.Now;\nDateTime.NowX", [1]),
        ("`goto` statements", "A.cs", "goto done;\n// goto x\ngotoHere();", [1]),
        ("f-strings in logging calls", "a.py", 'logger.info(f"{x}")\nlogger.info("%s", x)', [1]),
        ("mutable default arguments", "a.py", "def f(a, b=[]):\n  x = []\ndef g(a: dict = {}): ...",
         [1, 3]),
        ("lambda assignments", "a.py", "f = lambda x: x\nsort(\n    key=lambda x: x,\n)", [1]),
        ("explicit `any` types", "a.ts",
         "type A<T = any> = (x: B<any>) =>\n  any[]\nexpect.any(A)\n// as any\nany(1)", [1, 2]),
        ("comparisons to None with `==`", "a.py", "if a == None: ...\nif a is None: ...", [1]),
        ("async void methods", "A.cs", "public async void A() {}\nasync Task B() {}", [1]),
        ("trailing whitespace", "a.md", "a \nb", [1]),
        ("`this.` prefixes", "A.cs", "this.A();\n// this.B\nx.this", [1]),
        ("calls to save()", "a.py", "async def save(a):\n    save(b)", [2]),
    ],
)  # fmt: skip
def test_a_hint_means_code_or_comments_and_never_what_looks_like_it_elsewhere(
    sentence: str, path: str, code: str, lines: list[int]
) -> None:
    assert found(sentence, path, code) == lines


def test_a_folder_that_lacks_its_index_is_read() -> None:
    for sentence in (
        "new folders under src/ without index.ts",
        "directories in src/ missing an `index.ts`",
    ):
        reading = read_sentence(sentence, unwanted=True)

        assert reading is not None
        assert reading.detect.beside == "index.ts"
        assert reading.detect.files == ("**/src/**/*.{ts,tsx}",)


@pytest.mark.parametrize(
    ("sentence", "code", "lines"),
    [
        ("Never use `console.log`", "console.log(1)", [1]),
        ("No default exports", "export default x", [1]),
        ("Never use default exports", "export default x", [1]),
        ("Do not use star imports", "import a from 'b'", []),
        ("Do not import `pg`.", 'import pg from "pg"', [1]),
        ("Avoid empty catch blocks", "catch (e) {}", [1]),
        ("Don't call `eval()`", "eval(x)", [1]),
    ],
)
def test_a_rule_that_says_no_by_itself_is_read(sentence: str, code: str, lines: list[int]) -> None:
    assert found(sentence, "src/a.js", code, unwanted=False) == lines


@pytest.mark.parametrize(
    "sentence",
    [
        "a float literal next to a name that holds price",
        "imports of the provider's library outside adapters/payments",
        "imports of the database",
        "imports from db/knex/internal",
        "imports from ../other",
        "imports of knex in test files under src/",
        "imports of knex in handlers",
        "`it.only` or `test.only` in test files",
        "calls to now() or reading the clock in domain code",
        "`var` declarations in .py files",
        "`dynamic` in .cs files outside the core",
        "imports of knex unless in tests",
        "calls to the database",
        "calls to now() without a clock",
        "Using `any` type for API response bodies",
        "catch blocks with empty bodies or in tests",
        "catch blocks with empty bodies, except in main()",
        "No imports of zod",
        "missing `await`",
        "Reading the clock inside domain code",
        "",
        "empty catch blocks " * 40,
    ],
)
def test_what_could_mean_something_else_is_not_read(sentence: str) -> None:
    assert read_sentence(sentence, unwanted=True) is None


def test_a_thing_that_is_named_and_not_called_unwanted_is_not_forbidden() -> None:
    assert read_sentence("imports of zod in routes/", unwanted=False) is None
    assert read_sentence("look for `print()` calls", unwanted=False) is None


def test_a_part_that_was_not_read_is_named() -> None:
    hint = "catch blocks with empty bodies or only user-facing error returns"

    reading = read_sentence(hint, unwanted=True)

    assert reading is not None
    assert (reading.said, reading.left) == (
        "catch blocks with empty bodies",
        "user-facing error returns",
    )


def test_a_file_that_must_hold_a_text_is_found_by_its_lack() -> None:
    sentence = "Every Python file under src/ starts with `# Copyright`"

    reading = read_sentence(sentence, unwanted=False)

    assert reading is not None
    files = [
        ChangedFile("src/a.py", ("# Copyright 2026", "x"), None),
        ChangedFile("src/b.py", ("x", "# Copyright"), None),
        ChangedFile("src/b.ts", ("x",), None),
    ]
    assert [each.path for each in hold(reading.detect, files).violations] == ["src/b.py"]


def test_examples_that_speak_against_a_reading_win() -> None:
    rule = "Never use `console.log`"
    right = Examples(positive="log.info(x)", negative="console.log(x)")
    wrong = Examples(positive="console.log(x)  // in scripts", negative="")

    assert read_hint(Convention(id="conv-001", rule=rule, examples=right)) is not None
    assert read_hint(Convention(id="conv-001", rule=rule, examples=wrong)) is None


def test_a_hint_that_cannot_be_read_is_not_replaced_by_the_text() -> None:
    entry = AntiPattern(id="ap-001", description="Empty catch blocks", detection_hint="ask Rosa")

    assert read_hint(entry) is None


def test_each_example_is_judged_by_itself() -> None:
    examples = Examples(positive="a\nb", negative="x")

    told = judged_examples(Detect(forbid="^b$"), examples)

    assert told == {"positive": False, "negative": False}
    assert not agrees(Detect(forbid="^b$"), examples)
    assert judged_examples(Detect(require="^a"), examples) == {"positive": True, "negative": True}
    assert judged_examples(Detect(forbid="("), examples) == {"positive": None, "negative": None}


WORDS = st.sampled_from(
    ["imports", "of", "from", "`pg`", "knex", "a/b/c", "in", "src/", "or", "and", ",", "calls to",
     "now()", "no", "never", "empty", "catch", "blocks", "files", "under", "`", "any", "types",
     "TODO", "without", "ticket", "\\", "(", "é", "\u202e", "x" * 90]
)  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(words=st.lists(WORDS, max_size=12), unwanted=st.booleans())
def test_whatever_is_read_can_be_held_against_code(words: list[str], unwanted: bool) -> None:
    reading = read_sentence(" ".join(words), unwanted=unwanted)

    if reading is not None:
        file = ChangedFile("src/a.py", ("import pg", "now()"), None)
        assert hold(reading.detect, [file]).missed == ()
