"""A library that a test makes of sources of its own, as composing sees it."""

from collections.abc import Sequence
from dataclasses import dataclass

from remem.core.prompt.compose import Composing
from remem.core.system import Ground
from remem.model.source import Source


@dataclass(frozen=True, eq=False)
class Given:
    """Formats and sources, nothing of which is read."""

    ground: Ground
    formats: Sequence[Composing]
    sources: Sequence[Source] = ()

    def of_format(self, name: str) -> Sequence[Source]:
        return tuple(source for source in self.sources if source.format == name)
