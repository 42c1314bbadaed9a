"""remem: the place where people curate what their AI agents remember."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from remem.provider import VerifiedMemoryProvider

__all__ = ["VerifiedMemoryProvider"]


def __getattr__(name: str) -> Any:
    """Load what is exported when it is asked for: every command imports this package."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from remem.provider import VerifiedMemoryProvider

    return VerifiedMemoryProvider
