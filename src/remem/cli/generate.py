"""Makes everything that is generated: `python -m remem.cli.generate`.

It writes `schemas/`, `CLI.md`, `docs/loaders.md`, the table of keys in `README.md` and
`screenshots/` of a checkout. With `--check` nothing is written and what is stale is named.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from remem.cli.open import draw_screens, key_table
from remem.cli.reference import reference
from remem.cli.schema import schema_files
from remem.store.cache_file import put
from remem.store.io import Disk, Unreadable
from remem.systems.plain.table import loaders_page

COMMAND: Final = "python -m remem.cli.generate"
CHECKOUT: Final = Path(__file__).parents[3]
KEYS_BEGIN: Final = "<!-- keys: begin -->\n"
KEYS_END: Final = "<!-- keys: end -->\n"
DRAWN_WITH: Final = "8.2.8"
"""The Textual that the screenshots are drawn with; another one moves pixels."""


def generated_texts(disk: Disk, checkout: Path) -> Mapping[Path, bytes]:
    """Return every generated text of a checkout: path → bytes."""
    texts = {checkout / "schemas" / name: data for name, data in schema_files().items()}
    texts[checkout / "CLI.md"] = reference().encode()
    texts[checkout / "docs/loaders.md"] = loaders_page().encode()
    readme = checkout / "README.md"
    texts[readme] = with_keys(disk.read(readme).decode(), key_table()).encode()
    return texts


def with_keys(page: str, table: str) -> str:
    """Return the page with the table between its two markers; a page without them as it is."""
    before, begin, rest = page.partition(KEYS_BEGIN)
    _, end, after = rest.partition(KEYS_END)
    return f"{before}{begin}\n{table}\n{end}{after}" if begin and end else page


def stale_files(disk: Disk, texts: Mapping[Path, bytes], checkout: Path) -> list[Path]:
    """Return what differs from `texts`, and schemas that nothing generates any more."""
    differing = [path for path, data in texts.items() if _read(disk, path) != data]
    lying = disk.walk(checkout / "schemas", 2, ".json")
    return differing + [path for path in lying if path not in texts]


def main(arguments: Sequence[str]) -> int:
    """Write or check every generated file and return the exit code."""
    disk = Disk()
    texts = generated_texts(disk, CHECKOUT)
    if "--check" in arguments:
        stale = stale_files(disk, texts, CHECKOUT)
        for path in stale:
            sys.stdout.write(f"stale: {path.relative_to(CHECKOUT)}\n")
        return 1 if stale else 0
    for path in stale_files(disk, texts, CHECKOUT):
        if path in texts:
            put(disk, path, texts[path])
        else:
            disk.unlink(path)
        sys.stdout.write(f"{path.relative_to(CHECKOUT)}\n")
    if _textual_version() == DRAWN_WITH:
        draw_screens(CHECKOUT / "screenshots", ())
    else:
        sys.stderr.write(f"screenshots are drawn with Textual {DRAWN_WITH} and were left alone\n")
    return 0


def _read(disk: Disk, path: Path) -> bytes | None:
    try:
        return disk.read(path)
    except Unreadable:
        return None


def _textual_version() -> str:
    from importlib.metadata import version

    return version("textual")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
