"""Which layers of a composed prompt can be chosen, as choices and as what is asked then.

Pure: it knows what the project keeps and nothing of widgets.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from remem.core.library import Library
from remem.model.prompt import Ask
from remem.systems.sniper.spawn import layers_of
from remem.views.choice import Choice

LAYER: Final = "layer "
"""What the id of such a choice begins with; what follows is `kind=name`, or `kind=` for none."""


def layer_choices(library: Library, ask: Ask) -> list[Choice]:
    """Return the layers that a role's prompt may have instead of its own, chosen ones first."""
    if not ask.role:
        return []
    chosen = dict(ask.layers)
    choices = [
        Choice(f"{LAYER}{kind}=", f"no {kind} of its own choice", f"{kind} · now {name}")
        for kind, name in chosen.items()
    ]
    for kind, names in layers_of(library).items():
        choices += [
            Choice(
                f"{LAYER}{kind}={name}",
                name,
                "ownership" if kind == "ownership" else f"{kind} layer",
            )
            for name in names
            if chosen.get(kind) != name
        ]
    return choices


def with_layer(ask: Ask, chosen: str) -> Ask:
    """Return what is asked once a layer is chosen: everything else stays."""
    kind, _, name = chosen.removeprefix(LAYER).partition("=")
    layers = {**dict(ask.layers), kind: name}
    return replace(ask, layers=tuple(each for each in layers.items() if each[1]))
