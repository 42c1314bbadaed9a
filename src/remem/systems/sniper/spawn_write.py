"""Plans to write a composed prompt to where SNIPER keeps them: `.sniper/spawn-prompts/NAME.md`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from remem.base.errors import Already, NotPossible
from remem.core.library import Library
from remem.model.change import Change, Create, Effect, Intent, Splice
from remem.model.entry import digest_of
from remem.store.paths import new_name

if TYPE_CHECKING:
    from remem.systems.sniper.retro_verbs import SpawnWrite

FOLDER: Final = ".sniper/spawn-prompts"
_ODD: Final = re.compile(r"[^\w-]+")


def plan_spawn_write(library: Library, intent: Intent, args: SpawnWrite) -> Change:
    """Plan to write a prompt; one that stands there is replaced, as SNIPER does it.

    Raises:
        Already: It stands there as it is.
        NotPossible: The prompt is empty, or is named like the template.
        UnsafeName: The name can be no file's.
    """
    name = new_name(slug(args.name))
    if not args.text.strip():
        raise NotPossible("the prompt is empty", hint="`remem compose --role ROLE` shows it")
    path = library.ground.root / FOLDER / f"{name}.md"
    data = f"{args.text}\n".encode()
    effect: Effect = Create(path, data)
    if library.ground.disk.kind(path) is not None:
        old = library.ground.disk.read(path)
        if old == data:
            raise Already(f"`{FOLDER}/{name}.md` holds this prompt already")
        effect = Splice(path, 0, len(old), old, data, digest_of(old))
    return Change(intent, f"Write the prompt of {args.name}", (effect,))


def slug(name: str) -> str:
    """Return how SNIPER names the file of a prompt: `Backend Architect` is `backend-architect`."""
    return _ODD.sub("", "-".join(name.casefold().split())).strip("-_")
