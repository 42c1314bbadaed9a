"""No two modules need each other before either works."""

from tests.architecture.measure import circles


def test_no_two_modules_import_each_other_at_run_time() -> None:
    assert circles() == []
