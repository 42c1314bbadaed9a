"""What a change says when the system refuses it: its title, the reason, what to do."""

from remem.base.errors import RememError, WriteFailed, reason, remedy


def write_failed(title: str, error: Exception) -> WriteFailed:
    """Return the error that tells of a change which was not made, and left every file alone."""
    return WriteFailed(f"{why_failed(title, error)}; no file was changed", hint=hint_of(error))


def why_failed(title: str, error: Exception) -> str:
    """Return the sentence that a change was not made, and why."""
    what = reason(error) if isinstance(error, OSError) else str(error)
    return f"`{title}` was not applied: {what}"


def hint_of(error: Exception) -> str:
    """Return what to do about an error."""
    if isinstance(error, RememError):
        return error.hint
    return remedy(error) if isinstance(error, OSError) else "try again"
