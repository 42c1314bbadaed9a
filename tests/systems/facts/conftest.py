from collections.abc import Iterator
from pathlib import Path

import pytest

from remem.core.settings import Places
from remem.systems.facts.service import VerifiedMemory


@pytest.fixture
def dock(tmp_path: Path) -> Path:
    """A folder with code and no git."""
    root = tmp_path / "dock"
    (root / "src").mkdir(parents=True)
    (root / "src" / "berth.ts").write_text("first\nsecond\nthird\nfourth\n")
    return root


@pytest.fixture
def service(dock: Path, tmp_path: Path) -> Iterator[VerifiedMemory]:
    found = VerifiedMemory(dock, Places.of(tmp_path / "home"), environment={})
    yield found
    found.close()
