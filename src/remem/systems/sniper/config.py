"""SNIPER's own settings: read for what they say about memory, never written (FORMATS 1.8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from remem.edit.yaml_read import parse_document
from remem.model.entry import Problem
from remem.model.record import (
    Fault,
    read_record,
)
from remem.model.source import Source
from remem.systems.sniper.records import Settings

PART = "config"
_AUTOMATIC: Final = (("memory",), ("memory", "auto_codify"))


def settings_of(sources: Sequence[Source]) -> Settings:
    """Return the settings that stand among the sources; without any, the defaults."""
    for source in sources:
        if source.part == PART:
            return _read(source.data)[0]
    return Settings()


def settings_in(data: bytes) -> Settings:
    """Return the settings that a file holds; what cannot be used is the default."""
    return _read(data)[0]


def read_config(source: Source) -> tuple[Problem, ...]:
    """Return what is wrong with the settings; what cannot be used falls back to its default."""
    _, faults, problems = _read(source.data)
    found = [replace(problem, path=source.path, blocks_writing=False) for problem in problems]
    return (*found, *(_problem(source, fault) for fault in faults))


def unread(source: Source) -> tuple[Problem, ...]:
    """Return why settings are not read, so that the default may not be what a person set.

    That is the whole file, or its word on what happens by itself.
    """
    _, faults, problems = _read(source.data)
    return (
        *(replace(each, path=source.path) for each in problems if each.blocks_writing),
        *(_problem(source, fault) for fault in faults if fault.path[:2] in _AUTOMATIC),
    )


def unread_among(sources: Sequence[Source]) -> tuple[Problem, ...]:
    """Return why the settings among the sources are not read; () = they are, or there are none."""
    return tuple(each for source in sources if source.part == PART for each in unread(source))


@lru_cache(maxsize=64)
def _read(data: bytes) -> tuple[Settings, tuple[Fault, ...], tuple[Problem, ...]]:
    document = parse_document(data)
    value, problems = document.value, document.problems
    if not problems and not isinstance(value, Mapping | None):
        message, hint = "settings are `key: value` lines", "write `memory:` with its keys below"
        problems = (Problem("shape", message, hint, line=1, blocks_writing=True),)
    settings, faults = read_record(Settings, value if isinstance(value, Mapping) else {})
    return settings, faults, problems


def _problem(source: Source, fault: Fault) -> Problem:
    hint = fault.hint or "the default is used"
    return Problem(fault.code, fault.message, hint, path=source.path, field=fault.field)
