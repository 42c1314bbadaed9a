"""remem: the place where people curate what their AI agents remember."""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from remem.base.errors import NotPossible, Refused, RememError, Unacknowledged, UnknownRef
    from remem.code.code_reader import Gap, NoText, Reader, Text
    from remem.model.citation import BadCitation, Checked, Citation, CitationStatus, Place, Verdict
    from remem.provider import FactStore, VerifiedMemoryProvider
    from remem.systems.facts.database.row_records import (
        BadMemory,
        BadStore,
        StoreReadOnly,
        StoreUnavailable,
    )
    from remem.systems.facts.records import Event, EventName, Memory, Stats, Stored
    from remem.systems.facts.verdicts import Cited, History, Looked, NotHeld

_FROM: Final = {
    "remem.base.errors": ("NotPossible", "Refused", "RememError", "Unacknowledged", "UnknownRef"),
    "remem.code.code_reader": ("Gap", "NoText", "Reader", "Text"),
    "remem.model.citation": (
        *("BadCitation", "Checked", "Citation", "CitationStatus", "Place", "Verdict"),
    ),
    "remem.provider": ("FactStore", "VerifiedMemoryProvider"),
    "remem.systems.facts.records": ("Event", "EventName", "Memory", "Stats", "Stored"),
    "remem.systems.facts.database.row_records": (
        *("BadMemory", "BadStore", "StoreReadOnly", "StoreUnavailable"),
    ),
    "remem.systems.facts.verdicts": ("Cited", "History", "Looked", "NotHeld"),
}
_WHERE: Final = {name: module for module, names in _FROM.items() for name in names}

__all__ = [  # noqa: RUF022
    "VerifiedMemoryProvider",
    "FactStore", "Reader", "Text", "NoText", "Gap",
    "Memory", "Citation", "Place", "Verdict", "CitationStatus", "Checked",
    "Looked", "Cited", "History", "Event", "EventName", "Stats", "Stored",
    "RememError", "NotPossible", "NotHeld", "Refused", "Unacknowledged", "UnknownRef",
    "BadCitation", "BadMemory", "BadStore", "StoreReadOnly", "StoreUnavailable",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Load what is exported when it is asked for: every command imports this package."""
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_WHERE[name]), name)
