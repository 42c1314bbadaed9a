"""A product that was turned down is known by what brings it in, and by nothing else."""

from collections import Counter

import pytest

from remem.core.checks.code_imports import _PACKAGES, packages_of


def test_each_package_is_of_one_product() -> None:
    every = Counter(name for names in _PACKAGES.values() for name in names.split())

    assert [name for name, times in every.items() if times > 1] == []


@pytest.mark.parametrize(
    ("product", "package"),
    [
        ("MongoDB", "odmantic"),
        ("Postgres", "pg8000"),
        ("Redis", "@redis/client"),
        ("Memcached", "python-memcached"),
        ("Kafka", "@confluentinc/kafka-javascript"),
        ("Sentry", "raven"),
    ],
)
def test_clients_of_the_registries_are_known(product: str, package: str) -> None:
    assert package in packages_of(product)


@pytest.mark.parametrize(
    ("product", "name"),
    [("Redis", "lettuce"), ("Redis", "redis-py"), ("Supabase", "supabase-py")],
)
def test_what_registries_do_not_have_or_call_another_thing_is_no_client(
    product: str, name: str
) -> None:
    assert name not in packages_of(product)
