"""Markdown as agents leave it: realistic lines joined with noise."""

from typing import Final

from hypothesis import strategies as st

BOM: Final = b"\xef\xbb\xbf"

_LINES: Final = (
    b"- keep the queue small",
    b"* measure before tuning",
    b"1. write the test",
    b"12) then the code",
    b"- ",
    b"  - below it",
    b" - a blank too far",
    b"    four blanks in",
    b"\tbehind a tab",
    b"went on without a mark",
    b"**Why:** it broke twice",
    b"> somebody said",
    b"| name | role |",
    b"|---|---|",
    b"```",
    b"~~~ text",
    b"  ```python",
    b"- ```",
    b"# Notes",
    b"## 2026-05-04",
    b"### 2026-05-04: Cache less #",
    b"#hashtag",
    b"   ## indented",
    b"    ## code",
    b"---",
    b"* * *",
    b"name: x",
    b"\xff\xfe",
    b"\xe2\x80\xa8 \xc2\x85",
    b"",
    b"",
    b"  ",
)
ENDS: Final = st.sampled_from([b"\n", b"\n", b"\r\n", b"\r"])
LINES: Final = st.sampled_from(_LINES) | st.binary(max_size=8)


@st.composite
def markdown_files(draw: st.DrawFn, *, text_only: bool = False, one_end: bool = False) -> bytes:
    """Draw a file; `text_only` leaves out what is not UTF-8, `one_end` mixes no line ends."""
    lines = draw(st.lists(st.sampled_from(_LINES) if text_only else LINES, max_size=14))
    if text_only:
        lines = [line for line in lines if not line.startswith(b"\xff")]
    end = draw(ENDS)
    ends = [end if one_end else draw(ENDS) for _ in lines]
    body = b"".join(line + end for line, end in zip(lines, ends, strict=True))
    if draw(st.booleans()):
        body = body.rstrip(b"\r\n")
    return (BOM if draw(st.booleans()) else b"") + body


_PIECES: Final = (
    st.just(b"")
    | st.sampled_from(_LINES)
    | st.lists(st.sampled_from(_LINES), min_size=2, max_size=4).map(b"\n".join)
    | st.sampled_from([b"\n", b"\r", b"\r\n", b"```\n", b"---\n", b"<!-- ", b"===\n", b"#"])
)


@st.composite
def edited_files(draw: st.DrawFn) -> tuple[bytes, bytes]:
    """Draw a file and what an edit anywhere makes of it."""
    data = draw(markdown_files())
    start = draw(st.integers(0, len(data)))
    end = draw(st.integers(start, min(len(data), start + 40)))
    return data, data[:start] + draw(_PIECES) + data[end:]
