"""The real tokenizer, unpacked once a session."""

import pytest

from remem.core.prompt.counter import Counter
from remem.core.prompt.tokens import exact_counter
from remem.store.io import Disk


@pytest.fixture(scope="session")
def counter(tmp_path_factory: pytest.TempPathFactory) -> Counter:
    found = exact_counter("o200k_base", tmp_path_factory.mktemp("vocabulary"), Disk())
    assert found.exact
    return found
