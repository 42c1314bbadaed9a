"""What `retro run` prints when it is asked for the prompt alone."""

from remem.views.documents.base import Document, Text


class RetroPromptReport(Document):
    """`remem retro run --prompt-only`."""

    prompt: Text
    notes: tuple[Text, ...] = ()
    """What the retro would not rest on."""
