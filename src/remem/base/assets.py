"""Finds `styles/` and `schemas/`, in an installed wheel and in a checkout."""

from functools import cache
from pathlib import Path
from typing import Literal

from remem.base.errors import RememError


@cache
def asset_dir(kind: Literal["styles", "schemas"]) -> Path:
    """Return the folder of that kind.

    An editable install runs from `src/` while the build backend copies the folders elsewhere, so
    that the checkout is looked at when the package has none.

    Raises:
        RememError: Neither place has it; the message names both.
    """
    packaged = Path(__file__).resolve().parents[1] / kind
    if packaged.is_dir():
        return packaged
    checkout = Path(__file__).resolve().parents[3] / kind
    if checkout.is_dir():
        return checkout
    raise RememError(
        f"`{kind}` is neither in `{packaged}` nor in `{checkout}`",
        hint="reinstall remem; its files are incomplete",
    )
