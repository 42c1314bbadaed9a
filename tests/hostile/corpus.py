"""Bytes that a store, a retro or a persona's memory may hold without anybody's good will."""

from typing import Final

_BOMB: Final = b"a: &a [x, x, x, x, x, x, x, x, x]\n" + b"".join(
    b"%c: &%c [%s]\n" % (name, name, b", ".join([b"*%c" % (name - 1)] * 9))
    for name in range(ord("b"), ord("j"))
)

_A: Final = b"conventions:\n  - id: conv-001\n    rule: a\n"

YAML: Final[dict[str, bytes]] = {
    "empty": b"",
    "only a comment": b"# nothing yet\n",
    "null list": b"conventions:\n",
    "NUL": b'conventions:\n  - id: conv-001\n    rule: "a\x00b"\n',
    "invalid UTF-8": b'conventions:\n  - id: conv-001\n    rule: "caf\xe9"\n',
    "UTF-16": "conventions: []\n".encode("utf-16"),
    "BOM": b'\xef\xbb\xbfconventions:\n  - id: conv-001\n    rule: "a"\n',
    "CRLF": b'conventions:\r\n  - id: conv-001\r\n    rule: "a"\r\n',
    "duplicate keys": b'conventions:\n  - id: conv-001\n    rule: "a"\n    rule: "b"\n',
    "tabs": b'conventions:\n\t- id: conv-001\n\t  rule: "a"\n',
    "anchor and alias": b"x: &r [qa]\n" + _A + b"    applies_to: *r\n",
    "alias bomb": _BOMB + b"conventions: *i\n",
    "alias of itself": b"conventions: &c [*c]\n",
    "2,000 deep": b"conventions: " + b"[" * 2_000 + b"]" * 2_000 + b"\n",
    "20 MB scalar": b'conventions:\n  - id: conv-001\n    rule: "' + b"x" * 20_000_000 + b'"\n',
    "two documents": b"conventions: []\n---\nconventions: []\n",
    "text on top": b"just words\n",
    "list of texts": b"- a\n- b\n",
    "null items": b"conventions:\n  -\n  - ~\n  - id: conv-001\n    rule: a\n",
    "unknown enumeration": _A + b"    enforcement: shouting\n",
    "unknown status": _A + b"    status: maybe\n",
    "duplicate ids": _A + b"  - id: conv-001\n    rule: b\n",
    "no such date": _A + b"    source: {date: 2026-02-30}\n",
    "huge number": b"conventions:\n  - id: conv-001\n    rule: " + b"9" * 6_000 + b"\n",
    "lone surrogate": b'conventions:\n  - id: conv-001\n    rule: "\\ud800"\n',
    "python tag": b"conventions:\n  - !!python/object/apply:os.system [id]\n",
    "merge key": b"base: &b {rule: a}\nconventions:\n  - <<: *b\n    id: conv-001\n",
    "unclosed": b'conventions:\n  - id: conv-001\n    rule: "a\n',
    "terminal": b"conventions:\n  - id: conv-001\n    rule: "
    b'"\\e]0;x\\a\\e[31m\\u202e\\u200b[/b][@click=q]"\n',
    "tag characters": _A.replace(b"a\n", "a\U000e0041\U000e0042\n".encode()),
}
"""What a store or a retro may be."""

BLOCKED: Final = frozenset(
    {
        "NUL",
        "invalid UTF-8",
        "UTF-16",
        "tabs",
        "alias bomb",
        "alias of itself",
        "2,000 deep",
        "20 MB scalar",
        "two documents",
        "text on top",
        "unclosed",
    }
)
"""Those that are shown with a problem and never written."""

MARKDOWN: Final[dict[str, bytes]] = {
    "empty": b"",
    "NUL": b"## 2026-05-04\n- a\x00b\n",
    "invalid UTF-8": b"## 2026-05-04\n- caf\xe9\n",
    "UTF-16": "## 2026-05-04\n- a\n".encode("utf-16"),
    "BOM and CRLF": b"\xef\xbb\xbf## 2026-05-04\r\n- a\r\n- b\r\n",
    "no such date": b"## 2026-02-30\n- a\n",
    "2,000 deep": b"".join(b"  " * depth + b"- x\n" for depth in range(2_000)),
    "open fence": b"## 2026-05-04\n```\n- not a lesson\n## 2026-05-05\n",
    "long line": b"- " + b"x" * 200_000 + b"\n",
    "terminal": b"- \x1b]0;x\x07\x1b[31m \xe2\x80\xae [/b] [@click=app.quit]x[/]\n",
}
"""What a persona's memory may be."""

_L: Final = b"id: L-20260504-7be1\nlearning: a\n"

LEARNINGS: Final[dict[str, bytes]] = {
    **YAML,
    "no mapping inside": _L + b"source: 3\nscope: [a]\nhistory: {a: b}\n",
    "lists of nothing": _L + b"history: [~, 3, [], {}]\napplied_in: [~, {a: b}]\n",
    "numbers for words": b"id: 7\nstatus: 1\nlearning: 9\nsource: {type: 3}\ncreated_at: 4\n",
    "odd confidence": _L + b"confidence: .nan\n",
    "endless confidence": _L + b"confidence: -.inf\n",
    "true confidence": _L + b"confidence: true\n",
    "no such time": _L + b"created_at: 2026-02-30T25:00:00Z\nexpires_at: yesterday\n",
    "hostile globs": _L
    + b"status: active\nscope: {files: ['"
    + b"*x" * 60
    + b"', '[', '{{{,}']}\n",
    "numbered, of nothing": b"source: x\ndate: ~\neffectiveness: [proven]\napplies_to: {a: b}\n",
    "front matter": b"---\nid: L-1\n---\n**Learning:** \x1b[31ma\n",
    "broken front matter": b"---\nid: [\n---\n# a\n",
    "open front matter": b"---\nid: L-1\n",
}
"""What a learning, in YAML or Markdown, or a signal may be."""
