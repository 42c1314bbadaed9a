"""Text as programs in JavaScript count it: what is blank to them, and how long a text is."""

from __future__ import annotations

from typing import Final

JS_BLANK: Final = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
"""What `trim()` takes off."""


def js_length(text: str) -> int:
    """Return the length of a text in units of UTF-16: a sign beyond the first plane counts two."""
    return len(text) + sum(sign > "\uffff" for sign in text) if not text.isascii() else len(text)


def js_head(text: str, most: int) -> str:
    """Return the first units of a text; a sign that would be torn in two is left out."""
    if js_length(text) <= most:
        return text
    return text.encode("utf-16-le", "surrogatepass")[: 2 * most].decode("utf-16-le", "ignore")


def is_js_blank(data: bytes) -> bool:
    """Tell whether nothing but blanks stands in UTF-8 text."""
    return not data.strip() or not data.decode("utf-8", "replace").strip(JS_BLANK)
