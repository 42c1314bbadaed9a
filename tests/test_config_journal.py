"""What a person may say of the history, and nobody else."""

import pytest

from remem.core.settings import Keep, load_config


def test_the_history_is_kept_as_long_as_its_owner_says() -> None:
    config, problems = load_config({"journal": {"keep": {"days": 30, "megabytes": 8}}}, {})

    assert config.journal.keep == Keep(days=30, megabytes=8)
    assert problems == ()


def test_a_repository_cannot_shorten_the_history_of_its_reader() -> None:
    config, problems = load_config({}, {"journal": {"keep": {"megabytes": 1}}})

    assert config.journal.keep == Keep()
    assert [problem.code for problem in problems] == ["config-not-allowed"]


@pytest.mark.parametrize("keep", [{"days": 0}, {"megabytes": -1}, {"days": "long"}, "ever"])
def test_a_limit_that_means_nothing_falls_back_to_the_usual_one(keep: object) -> None:
    config, problems = load_config({"journal": {"keep": keep}}, {})

    assert config.journal.keep == Keep()
    assert {problem.field for problem in problems} == {"journal"}


def test_an_unknown_key_of_the_history_is_named_whole() -> None:
    _, problems = load_config({"journal": {"keep": {"years": 3}, "keeps": {}}}, {})

    assert [problem.field for problem in problems] == ["journal.keeps", "journal.keep.years"]
