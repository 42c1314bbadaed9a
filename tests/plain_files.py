"""Repositories with plain files of many tools in them, and what their agents start with."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from remem.core.library import Library, open_library
from remem.core.prompt.agents import Agent
from remem.core.prompt.counter import Estimate
from remem.core.system import Ground
from remem.model.prompt import Ask, LeftOut, Prompt
from remem.store.io import Disk
from remem.systems.loading.loading_agents import agents, as_loaded
from remem.systems.personas.persona_layouts import BUILT_IN
from remem.systems.plain.plain_layouts import PLAIN
from remem.systems.plain.source import PlainSource, plain_sources
from remem.systems.registry import FORMATS

SLUG = "{slug}"
"""Stands in a path for the root as Claude Code writes it."""


class Repo:
    """A root and a home folder on disk."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "shop"
        self.home = folder / "home"
        self.root.mkdir(parents=True)
        self.home.mkdir()

    def path(self, name: str) -> Path:
        slug = "".join(c if c.isascii() and c.isalnum() else "-" for c in str(self.root))
        name = name.replace(SLUG, slug)
        return self.home / name[2:] if name.startswith("~/") else self.root / name

    def write(self, files: Mapping[str, str | bytes]) -> Repo:
        for name, text in files.items():
            path = self.path(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode() if isinstance(text, str) else text)
        return self

    def ground(self) -> Ground:
        return Ground(self.root, self.home, Disk(), project="shop", layouts=BUILT_IN, plain=PLAIN)

    def library(self) -> Library:
        return open_library(self.ground(), [e for e in FORMATS if e.name in ("persona", "plain")])

    def source(self, name: str) -> PlainSource:
        path = self.path(name)
        return next(s for s in plain_sources(self.library().sources) if s.path == path)

    def names(self) -> list[str]:
        return [source.name for source in plain_sources(self.library().sources)]

    def agents(self) -> dict[str, Agent]:
        library = self.library()
        found = agents(library.ground, library.sources, Estimate())
        return {agent.name: agent for agent in found}

    def start(self, agent: str, *files: str, folder: str = "", layout: str = "") -> Prompt:
        library = self.library()
        ask = Ask(agent=agent, files=files, folder=folder, layout=layout)
        return as_loaded(library.ground, library.sources, ask, Estimate())


def layers(prompt: Prompt) -> list[str]:
    return [layer.name for layer in prompt.layers]


def left(prompt: Prompt, name: str) -> LeftOut:
    return next(each for each in prompt.left if each.name == name)
