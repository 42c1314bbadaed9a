"""What is read again after a change is what reading the whole file would give."""

from hypothesis import example, given, settings
from tests.markdown_files import edited_files

from remem.edit.markdown import Document, parse
from remem.edit.markdown_reparse import parse_again


@settings(max_examples=120)
@given(edit=edited_files())
@example(edit=(b"---\nname: x\n- a\n- b\n", b"---\nname: x\n- a\n---\n- b\n"))
@example(edit=(b"---\nname: xyzxyz\n---\n- a\n- b\n", b"---\n- a\n- b\n"))
@example(edit=(b"- a\n\n```\nx\n```\n\n- b\n", b"- a\n\nx\n```\n\n- b\n"))
@example(edit=(b"# a\n\nx\n\n## b\n\ny\n", b"# a\n\nx\n\ny\n"))
@example(edit=(b"text\r# h\rmore", b"text\r\n# h\rmore"))
@example(edit=(b"Title\n===\n\n- a\n", b"Title\nb\n===\n\n- a\n"))
@example(edit=(b"<!-- a\n- b -->\n- c\n", b"- b -->\n- c\n"))
@example(edit=(b"## a\n- x\n## b\n- y\n", b"### a\n- x\n## b\n- y\n"))
def test_reading_again_is_reading_the_whole(edit: tuple[bytes, bytes]) -> None:
    before, after = edit

    again, whole = parse_again(parse(before), after).document, parse(after)

    assert (again.headings, again.units) == (whole.headings, whole.units)


@settings(max_examples=50)
@given(edit=edited_files())
def test_what_is_kept_has_the_text_that_it_had(edit: tuple[bytes, bytes]) -> None:
    before, after = map(parse, edit)

    again = parse_again(before, after.data)

    assert again.head + again.tail <= min(len(before.units), len(after.units))
    assert before.units[: again.head] == after.units[: again.head]
    assert raws(before, again.tail) == raws(after, again.tail)
    heads = [[(h.level, h.title) for h in document.headings] for document in (before, after)]
    assert again.same_headings == (heads[0] == heads[1])


def raws(document: Document, tail: int) -> list[bytes]:
    return [document.raw(unit) for unit in document.units[len(document.units) - tail :]]


def test_only_what_stands_around_the_edit_is_read_again() -> None:
    sections = [f"## 2026-05-{n:02}\n\n- lesson {n}\n- another {n}\n\n" for n in range(1, 29)]
    before = "".join(sections).encode()

    again = parse_again(parse(before), before.replace(b"- lesson 14", b"- a lesson 14"))

    assert again.head + again.tail == 56 - 2
    assert again.same_headings
