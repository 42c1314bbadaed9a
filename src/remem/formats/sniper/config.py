"""SNIPER's own settings: read for what they say about memory, never written (FORMATS 1.8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from remem.disk.yaml_read import parse_document
from remem.model.entry import Problem
from remem.model.sniper import Settings
from remem.model.source import Source
from remem.model.tolerant import Fault, read_record

PART = "config"


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
    """Return why settings are not read at all, so that each of them is the default."""
    _, _, problems = _read(source.data)
    return tuple(replace(each, path=source.path) for each in problems if each.blocks_writing)


@lru_cache(maxsize=64)
def _read(data: bytes) -> tuple[Settings, tuple[Fault, ...], tuple[Problem, ...]]:
    document = parse_document(data)
    value = document.value if isinstance(document.value, Mapping) else {}
    settings, faults = read_record(Settings, value)
    return settings, faults, document.problems


def _problem(source: Source, fault: Fault) -> Problem:
    hint = fault.hint or "the default is used"
    return Problem(fault.code, fault.message, hint, path=source.path, field=fault.field)
