"""Where an archived unit stood, as the heading above it in the archive says, and its way back.

`## 2026-05-04 · from history.md › Learnings › 2026-02-20: Queues`: the day it was archived, its
file, and the headings above it, of which one may hold its own date. Whoever reads the archive can
put it back, on any machine, without a history of what was done.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from remem.edit import markdown_edit
from remem.edit.markdown import Document
from remem.edit.markdown_edit import Edit

SEPARATOR: Final = " › "
_FROM: Final = re.compile(r"\d{4}-\d{2}-\d{2} · from (?P<file>[^›/\\]+?)(?: › (?P<path>.+))?")


def heading_for(day: str, file: str, path: Sequence[str]) -> str:
    """Return the title of the section of an archive that takes units from a place."""
    return SEPARATOR.join((f"{day} · from {file}", *path))


def origin_in(title: str) -> tuple[str, str] | None:
    """Return the file and the heading path that such a title names; `None` = it names none."""
    match = _FROM.fullmatch(title)
    return (match["file"].strip(), match["path"] or "") if match is not None else None


def put_under(document: Document, path: str, block: str) -> Edit:
    """Plan to put units at the end of the section with that heading path, made anew if it is gone.

    Args:
        document: The file that they go to.
        path: The headings above them, ` › ` between two; empty = none.
        block: Whole lines that end in LF.

    Raises:
        Refused: What stands there would be read otherwise.
    """
    if not path:
        return markdown_edit.insert_under(document, -1, block)
    paths = [_path(document, number) for number in range(len(document.headings))]
    if path in paths:
        return markdown_edit.insert_under(document, len(paths) - 1 - paths[::-1].index(path), block)
    missing, level = path.split(SEPARATOR), 1
    last = document.path(len(paths) - 1) if paths else ()
    for heading in last:  # only below what the end of the file is in can a heading be added
        if len(missing) > 1 and missing[0] == heading.title:
            missing, level = missing[1:], heading.level
        else:
            break
    heads = (f"{'#' * min(level + n, 6)} {title}\n\n" for n, title in enumerate(missing, 1))
    return markdown_edit.append(document, f"{''.join(heads)}{block}", blank_lines=1)


def _path(document: Document, number: int) -> str:
    return SEPARATOR.join(heading.title for heading in document.path(number))
