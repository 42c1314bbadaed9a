"""The real tokenizer, unpacked once a session."""

import pytest

from remem.disk.io import Disk
from remem.prompt.tokens import Counter, exact_counter


@pytest.fixture(scope="session")
def counter(tmp_path_factory: pytest.TempPathFactory) -> Counter:
    found = exact_counter("o200k_base", tmp_path_factory.mktemp("vocabulary"), Disk())
    assert found.exact
    return found
