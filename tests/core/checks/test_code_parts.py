"""Code, strings and comments are told apart, and what cannot be is said so."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remem.core.checks.code_parts import PARTS, masked


def seen(path: str, text: str, *within: str) -> str | None:
    found = masked(path, text, within)
    return None if found is None else " ".join(found.split())


@pytest.mark.parametrize(
    ("path", "text", "code", "comments"),
    [
        ("a.ts", "let a = 'x // y' // z", "let a = ' '", "// z"),
        ("a.ts", "f(`a ${g('q')} b`) /* c */", "f(` ${g(' ')} `)", "/* c */"),
        ("a.ts", "a = b / c; d = e / f", "a = b / c; d = e / f", ""),
        ("a.ts", "x.replace(/\"it's/g, '') // y", "x.replace(/ , '')", "// y"),
        ("a.tsx", "<p>Don't</p> // x", "<p>Don't</p>", "// x"),
        ("a.py", "x = 'a # b'  # c", "x = ' '", "# c"),
        ("a.py", '"""\nprint(1)\n"""\nprint(2)', '""" """ print(2)', ""),
        ("a.py", "f'{now()} at {{x}}'", "f' now() '", ""),
        ("a.cs", '@"c:\\" + $"{A()}" // x', '@" " + $" A() "', "// x"),
        ("a.cs", "char c = '\"'; // x", "char c = ' ';", "// x"),
        ("a.cs", 'var a = """\n  goto b\n  """;', 'var a = """ """;', ""),
        ("a.go", "s := `raw // no` // yes", "s := ` `", "// yes"),
        ("a.rs", "fn f<'a>(x: &'a str) {} // y", "fn f<'a>(x: &'a str) {}", "// y"),
        ("a.sh", "echo $# 'a # b' # c", "echo $# ' '", "# c"),
        ("a.py", "f'{d[\"k\"]!r:>{w}} # x'  # y", "f' d[\" \"]!r:>{w} '", "# y"),
        ("a.py", "f'{{{a}}} {' # y", "f' a '", "# y"),
        ("a.cs", '$"[{string.Join(",", a)}] // x"; // y', '$" string.Join(" ", a) ";', "// y"),
        ("a.ts", 'f(a => /"/.test(a)) // y', "f(a => / .test(a))", "// y"),
        ("a.ts", "`${a.replace(/`}/g, 'b')}` // y", "`${a.replace(/ , ' ')}`", "// y"),
        ("a.tsx", "<p>http://x.org</p> // y", "<p>http://x.org</p>", "// y"),
        ("a.rs", 'r#"a " b"# /* c /* d */ e */ x', 'r#" "# x', "/* c /* d */ e */"),
        ("a.rs", '"a\n// b" // y', '" "', "// y"),
        ("a.rs", "b'#' '\"' b\"'\" // y", "b' ' ' ' b\" \"", "// y"),
        ("a.swift", "/* c /* d */ e */ x", "x", "/* c /* d */ e */"),
        ("a.sql", "select 1 -- x", "select 1", "-- x"),
    ],
)
def test_each_part_is_seen_by_itself(path: str, text: str, code: str, comments: str) -> None:
    assert seen(path, text, "code") == code
    assert seen(path, text, "comments") == comments


def test_a_string_of_one_line_is_told_from_a_text_of_several() -> None:
    text = "a = 'one'\nb = '''two\nthree'''"

    assert seen("a.py", text, "strings") == "one"
    assert seen("a.py", text, "texts") == "two three"


def test_a_language_that_is_not_known_is_not_guessed() -> None:
    assert masked("notes.md", "# title", ("code",)) is None


SIGNS = st.sampled_from([*"'\"`/*#{}$\\\n ax", "${", "//", "/*", '"""', "'''", "f'", '@"', '$"'])


@settings(max_examples=150, deadline=None)
@given(signs=st.lists(SIGNS, max_size=30), path=st.sampled_from(["a.ts", "a.py", "a.cs", "a.go"]))
def test_parts_cover_a_text_and_keep_every_place(signs: list[str], path: str) -> None:
    text = "".join(signs)

    found = [(masked(path, text, (part,)) or "").split("\n") for part in PARTS]

    assert masked(path, text, PARTS) == text
    for number, line in enumerate(text.split("\n")):
        shown = [each[number].ljust(len(line)) for each in found]
        for place, sign in enumerate(line):
            assert [each[place] for each in shown if each[place] != " "] == [sign] * (sign != " ")
