"""A text whose only denial stands aside turns nothing down."""

from remem.core.relation.relation import Related, relate


def test_a_denial_that_only_gives_a_reason_opposes_nothing() -> None:
    one = "Use deploy tests because not branch merge, backup"

    assert relate(one, "Keep merge tests and deploy branch").related is Related.DIFFERENT
