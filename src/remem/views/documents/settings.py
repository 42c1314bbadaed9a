"""What `config path` and `config show` print."""

from __future__ import annotations

from remem.views.documents.document import Document, Part, Text


class SettingsFileReport(Part):
    """A file that settings may stand in."""

    whose: str
    """`user` (yours, on this machine) or `root` (shared by the team)."""
    path: Text
    exists: bool


class ConfigPathReport(Document):
    """`remem config path`."""

    files: tuple[SettingsFileReport, ...]


class SettingReport(Part):
    """A setting with the value that counts."""

    key: Text
    """As `config set` takes it: `tokens.budget`."""
    value: Text
    """In YAML, on one line; a password in a URL is left out."""
    source: str
    """Where the value comes from: `default`, `user`, `root`, or `environment`."""


class SettingsProblemReport(Part):
    """Something in a settings file that does not count."""

    path: Text
    message: Text
    hint: Text


class ConfigShowReport(Document):
    """`remem config show`."""

    settings: tuple[SettingReport, ...]
    problems: tuple[SettingsProblemReport, ...]


class LayoutReport(Part):
    """Where files of one kind lie."""

    name: Text
    tool: Text
    """Empty = not known."""
    scope: str
    files: tuple[Text, ...]
    """Patterns below the root or the home folder."""
    loader: str
    """In words: how its files are loaded."""
    claim: Text
    """Where that is known from."""
    found: int
    """Files that are there."""


class LayoutsReport(Document):
    """`remem layout list`."""

    layouts: tuple[LayoutReport, ...]
