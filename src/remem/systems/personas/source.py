"""A persona's source: what every source has, and the layout that it was found by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any, Final

from remem.base.clock import Clock
from remem.base.frozen import dataclass
from remem.model.change import Json
from remem.model.entry import LESSON as LESSON
from remem.model.entry import Problem, Ref
from remem.model.layout import Layout, LayoutFile, Part, Reader
from remem.model.roles import persona_key
from remem.model.source import Source
from remem.store.io import Disk

FORMAT: Final = "persona"
_HEADED: Final = frozenset({Reader.DECISIONS, Reader.WHOLE})


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PersonaSource(Source):
    """One file of a persona, a team or a tool's database of profiles."""

    rules: Layout
    file: LayoutFile
    folder: Path
    """The persona's folder; for what a team shares, the base."""
    ref_id: str
    """What its entries' ids have before the `#`."""
    project: str = ""
    """Whose memory it is, where a persona keeps several apart."""
    disk: Disk
    clock: Clock
    placed: tuple[Problem, ...] = ()
    """What discovery found wrong; reading adds its own to `problems`."""
    takes_from: tuple[Path, ...] = ()
    """Of an archive that belongs to no persona: the files whose units it takes."""
    rows: tuple[Mapping[str, Any], ...] = field(default=(), repr=False)
    """Profiles, where the source is a database."""

    def is_home_of(self, ref: Ref, kind: str) -> bool:
        return self.ref_id == ref.id.partition("#")[0]

    @property
    def is_headed(self) -> bool:
        return self.file.reader in _HEADED

    @property
    def is_over_mark(self) -> bool:
        """Tell whether the file is larger than its tool says that it should be."""
        return 0 < self.file.mark < len(self.data)

    @property
    def unit_archive(self) -> Path:
        """The file that takes archived units; of a team's log, that for its decisions."""
        if self.part == Part.TEAM and self.file.reader is Reader.DECISIONS:
            for file in self.rules.shared:
                if file.part is Part.ARCHIVE and file.reader is Reader.DECISIONS:
                    return self.folder / file.pattern
        return self.path.parent / self.rules.unit_archive


def persona_sources(sources: Sequence[Source]) -> tuple[PersonaSource, ...]:
    """Return those of named agents and teams; plain files are no persona's."""
    return tuple(s for s in sources if isinstance(s, PersonaSource) and s.format == FORMAT)


def whose_lesson(kind: str, fields: Mapping[str, Json]) -> str:
    """Return what stands for the persona that a lesson is of; empty for everything else."""
    name = fields.get("persona")
    return persona_key(name) if kind == LESSON and isinstance(name, str) else ""
