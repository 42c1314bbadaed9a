"""Names in the order in which a person sorts them, and most tools list them."""

from typing import Final
from unicodedata import combining, normalize

_ORDER: Final = {
    sign: rank
    for rank, sign in enumerate(
        " _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz"
    )
}
"""ASCII as the root collation of the Unicode CLDR has it (UTS #10)."""


def collated(name: str) -> tuple[list[int], list[bool], str]:
    """Return what sorts a name as `localeCompare` does.

    Punctuation comes before digits, and digits before letters; accents and capitals count only
    where the rest is equal, small letters first. What is not Latin follows by its code points.
    """
    bare = [sign for sign in normalize("NFD", name.replace("ß", "ss")) if not combining(sign)]
    ranks = [_ORDER.get(sign.lower(), len(_ORDER) + ord(sign)) for sign in bare]
    return ranks, [sign.isupper() for sign in bare], name
