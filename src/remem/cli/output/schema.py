"""The command `schema`, and where each JSON Schema comes from.

Schemas are generated from the models, never written; what stands under a field in its model becomes
its description.
"""

from __future__ import annotations

import ast
import inspect
import json
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from remem.base.text import count, did_you_mean
from remem.cli.failure import BadUsage
from remem.cli.invocation import Invocation
from remem.cli.options import common_options, pass_invocation
from remem.cli.out import emit, print_exact, say, show_text
from remem.store.cache_file import put
from remem.store.io import Disk

if TYPE_CHECKING:
    from pydantic.json_schema import JsonSchemaMode

    from remem.model.record import Record

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
SUFFIX: Final = ".schema.json"


@click.command("schema")
@click.argument("name", default="", metavar="[NAME]")
@click.option("--write", default="", metavar="DIR", help="Write every schema as a file in DIR.")
@common_options
@pass_invocation
def schema(invocation: Invocation, name: str, write: str) -> None:
    """Print the JSON Schemas of files and outputs.

    Without a NAME, list the names.
    """
    from remem.views.documents.made import SchemaReport

    names = _models()
    if name and name not in names:
        question = did_you_mean(name, names) or "`remem schema` lists the names"
        raise BadUsage(f"unknown schema `{name}`", hint=question)
    if not (name or write or invocation.as_json):
        for key in names:
            show_text(key)
        return
    chosen = {name: _schema(name)} if name else all_schemas()
    written: tuple[Path, ...] = ()
    if write:
        folder = Path(write).expanduser().absolute()
        files = {folder / f"{key}{SUFFIX}": _text(each).encode() for key, each in chosen.items()}
        written = tuple(path for path, data in files.items() if put(Disk(), path, data))
    if invocation.as_json:
        emit(SchemaReport(schemas=chosen, written=tuple(map(str, written))))
    elif write:
        say(f"{count(written, 'schema')} written, {len(chosen) - len(written)} unchanged")
    else:
        print_exact(_text(chosen[name]))


def schema_files() -> dict[str, bytes]:
    """Return what belongs below `schemas/`: path there → bytes."""
    return {f"{name}{SUFFIX}": _text(each).encode() for name, each in all_schemas().items()}


def all_schemas() -> dict[str, dict[str, Any]]:
    """Return every schema by its name; those of outputs begin with `output/`."""
    return {name: _schema(name) for name in _models()}


@cache
def _models() -> Mapping[str, tuple[type, JsonSchemaMode]]:
    """Return of each schema by its name what it is made of; making one takes some milliseconds."""
    from remem.views.documents.outputs import OUTPUTS

    files: dict[str, tuple[type, JsonSchemaMode]] = {
        name: (model, "validation") for name, model in _file_models().items()
    }
    return files | {f"output/{name}": (model, "serialization") for name, model in OUTPUTS.items()}


def _file_models() -> Mapping[str, type]:
    """Return the model of every file that remem knows."""
    from remem.core.settings import Config
    from remem.model.proposals_and_rejections import Proposal, Rejections
    from remem.systems.learnings.records import Learning
    from remem.systems.own.records import GateFindings
    from remem.systems.personas.profiles.persona_yaml import PersonaFile
    from remem.systems.shaktra import records
    from remem.systems.sniper.packs import pack_model
    from remem.systems.sniper.records import AntiPattern, Calibration, Convention, Decision
    from remem.systems.sniper.retro.retro_record import SprintRetro
    from remem.systems.workspace.records import Contract, FolderFile, ProjectsFile

    return {
        "config": Config,
        "conventions": _file("Conventions", conventions=tuple[Convention, ...]),
        "anti-patterns": _file("AntiPatterns", anti_patterns=tuple[AntiPattern, ...]),
        "decisions": _file("Decisions", decisions=tuple[Decision, ...]),
        "estimates": _file("Estimates", calibration=Calibration),
        "learning": Learning,
        "retro": SprintRetro,
        "persona": PersonaFile,
        "pack": pack_model(),
        "rejected": Rejections,
        "consolidated": records.Consumptions,
        "gate": GateFindings,
        "shaktra-principles": _file("Principles", principles=tuple[records.Principle, ...]),
        "shaktra-anti-patterns": _file(
            "ShaktraAntiPatterns", anti_patterns=tuple[records.AntiPattern, ...]
        ),
        "shaktra-procedures": _file("Procedures", procedures=tuple[records.Procedure, ...]),
        "shaktra-observations": records.Observations,
        "shaktra-briefing": records.Briefing,
        "shaktra-settings": records.Settings,
        "proposal": Proposal,
        "workspace": FolderFile,
        "workspace-projects": ProjectsFile,
        "contract": Contract,
    }


def _file(title: str, **keys: Any) -> type[Record]:
    """Return the model of a file that holds records below one key."""
    from remem.model.record import Record

    made: type[Record] = type(title, (Record,), {"__annotations__": keys, "__doc__": ""})
    return made


@cache
def _schema(name: str) -> dict[str, Any]:
    from pydantic import TypeAdapter
    from pydantic.json_schema import GenerateJsonSchema

    model, mode = _models()[name]

    class Described(GenerateJsonSchema):
        """Takes the text below a field for its description."""

        def dataclass_schema(self, schema: Any) -> dict[str, Any]:
            described = super().dataclass_schema(schema)
            texts = _field_texts(schema["cls"])
            for field, about in described.get("properties", {}).items():
                about.pop("title", None)
                if field in texts and "$ref" not in about:
                    about.setdefault("description", texts[field])
            return described

    found = TypeAdapter(model).json_schema(mode=mode, schema_generator=Described)
    return {"$schema": DIALECT, "$id": f"{name}{SUFFIX}", **found}


@cache
def _field_texts(model: type) -> Mapping[str, str]:
    """Return what stands below each field of a model, its bases' fields included."""
    texts: dict[str, str] = {}
    for each in reversed(model.__mro__):
        module = sys.modules.get(each.__module__)
        if module is not None and each.__module__.startswith("remem."):
            texts.update(_texts_in(module.__name__).get(each.__qualname__, {}))
    return texts


@cache
def _texts_in(module: str) -> Mapping[str, Mapping[str, str]]:
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    return {
        node.name: dict(_documented(node)) for node in tree.body if isinstance(node, ast.ClassDef)
    }


def _documented(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for field, below in zip(node.body, node.body[1:], strict=False):
        if not isinstance(field, ast.AnnAssign) or not isinstance(field.target, ast.Name):
            continue
        if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
            yield field.target.id, inspect.cleandoc(str(below.value.value)).replace("\n", " ")


def _text(schema: Mapping[str, Any]) -> str:
    return json.dumps(schema, indent=2) + "\n"
