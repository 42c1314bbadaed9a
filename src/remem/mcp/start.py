"""Starts the server: what its first call needs is loaded while the SDK is."""

from __future__ import annotations

from pathlib import Path
from threading import Thread

from remem.base.clock import Clock
from remem.core.settings import Places
from remem.mcp.calls import House


def serve(root: Path, places: Places) -> None:
    """Answer the tools' calls until the client goes away."""
    house = House(root, places, Clock().new_id()[:12])
    Thread(target=house.warm_up, daemon=True).start()
    from remem.mcp.server import answer_calls

    answer_calls(house)
