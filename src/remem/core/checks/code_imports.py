"""What the lines of a file bring in: names of modules in imports, of packages in manifests.

A decision is held against these alone: a name in prose, in a script or in a path of the project's
own is nothing that is brought in. A product is brought in by its client packages, too, which are
not called after it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from remem.code.changed_lines import ChangedFile

SCRIPTS: Final = ("js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts")
PYTHON: Final = ("py", "pyi")
"""Endings of the languages that have relative imports."""
FROM: Final = r"(?:(?:(?!\b(?:import|export)\b)[\w$*{},\s])+?\bfrom\s*)?"
"""What stands between `import` and the module, over several lines too."""
_QUOTED: Final = r"[\"'`](?P<name{0}>[^\"'`\n]+)[\"'`]"
_SCRIPT: Final = re.compile(
    r"^\s*(?:import|export)\s+(?:type\s+)?(?:[^\"'`;]*?\bfrom\s*)?" + _QUOTED.format(1)
    + r"|^\s*\}\s*from\s*" + _QUOTED.format(2)
    + r"|\b(?:require|import)\s*\(\s*" + _QUOTED.format(3)
)  # fmt: skip
_PYTHON: Final = re.compile(
    r"^\s*from\s+(?P<name1>[\w.]+)\s+import\b"
    r"|^\s*import\s+(?P<name2>[\w.]+(?:\s+as\s+\w+)?(?:\s*,\s*[\w.]+(?:\s+as\s+\w+)?)*)\s*(?:[;#]|$)"
    r"|\b(?:import_module|__import__)\(\s*[\"'](?P<name3>[\w.]+)[\"']"
)
_DOTTED: Final = re.compile(
    r"^\s*(?:global\s+)?(?:import|using)\s+(?:static\s+|\w+\s*=\s*)?(?P<name1>[\w.]+)"
)
_RUST: Final = re.compile(
    r"^\s*(?:pub(?:\([^)]*\))?\s+)?(?:use|extern\s+crate)\s+(?:::)?(?P<name1>[\w:]+)"
)
_GO: Final = re.compile(r"^\s*(?:import\s+)?(?:[\w.]+\s+)?\"(?P<name1>[^\"\s]+)\"\s*(?://.*)?$")
_PHP: Final = re.compile(
    r"^\s*use\s+(?:function\s+|const\s+)?(?P<name1>[\w\\]+)"
    r"|\b(?:require|include)(?:_once)?\s*\(?\s*[\"'](?P<name2>[^\"']+)[\"']"
)
_RUBY: Final = re.compile(r"^\s*(?:require|load|autoload\b.*,)\s*\(?\s*[\"'](?P<name1>[^\"']+)")
_INCLUDED: Final = re.compile(r"^\s*#\s*include\s*[<\"](?P<name1>[^>\"]+)")
_ELIXIR: Final = re.compile(r"^\s*(?:alias|import|use|require)\s+(?P<name1>[\w.]+)")
_IN_CODE: Final[Mapping[str, re.Pattern[str]]] = {
    ending: pattern
    for endings, pattern in (
        ("js jsx mjs cjs ts tsx mts cts vue svelte astro dart", _SCRIPT),
        ("py pyi ipynb", _PYTHON),
        ("java kt kts scala cs fs swift groovy", _DOTTED),
        ("rs", _RUST),
        ("go", _GO),
        ("php", _PHP),
        ("rb", _RUBY),
        ("c h cc cpp hpp m mm", _INCLUDED),
        ("ex exs", _ELIXIR),
    )
    for ending in endings.split()
}
_KEY: Final = re.compile(r"^\s*\"(?P<name1>[^\"]+)\"\s*:")
_NAMED: Final = re.compile(
    r"^\s*[\"']?(?P<name1>@?[A-Za-z][\w./@-]*)(?:\[[^\]]*\])?[\"']?\s*(?:[=<>~!;:@,]|$)"
    r"|[\"'](?P<name2>@?[A-Za-z][\w./@-]*)(?:\[[^\]]*\])?\s*(?:[=<>~!;@][^\"']*)?[\"']"
)
_ANYTHING: Final = re.compile(r"^(?P<name1>.*)$")
_MANIFESTS: Final[Mapping[str, re.Pattern[str]]] = {
    **dict.fromkeys(("package.json", "composer.json", "deno.json"), _KEY),
    **dict.fromkeys(
        ("pyproject.toml", "setup.py", "setup.cfg", "pipfile", "environment.yml", "cargo.toml",
         "pubspec.yaml"),
        _NAMED,
    ),
    **dict.fromkeys(
        ("go.mod", "gemfile", "pom.xml", "build.gradle", "build.gradle.kts", "mix.exs",
         "package.swift", "packages.config", "directory.packages.props"),
        _ANYTHING,
    ),
}  # fmt: skip
_REQUIREMENTS: Final = re.compile(r"(?:^|[/-])(?:requirements|constraints)[\w.-]*\.(?:txt|in)$")
_PROJECTS: Final = re.compile(r"\.(?:cs|fs|vb)proj$")
_COMMENT: Final = re.compile(r"^\s*(?:#|//|<!--|--)")


def brought_in(file: ChangedFile) -> Iterator[tuple[int, str]]:
    """Yield the number of each added line that brings something in, with the names it brings.

    What stands in the project itself, as `./parts` does, is not brought in.
    """
    pattern = _pattern_for(file.path)
    if pattern is None:
        return
    for line, text in enumerate(file.lines, 1):
        if not file.is_added(line) or (_COMMENT.match(text) and pattern is not _INCLUDED):
            continue
        names = [
            name
            for match in pattern.finditer(text)
            for name in match.groupdict().values()
            if name and not name.startswith((".", "/", "#", "~/", "@/"))
        ]
        if names:
            yield line, " ".join(names)


def is_manifest(path: str) -> bool:
    """Tell whether a file names the packages that a project needs."""
    pattern = _pattern_for(path)
    return pattern is not None and pattern not in _IN_CODE.values()


def declared_in(manifest: ChangedFile, name: str) -> bool:
    """Tell whether a manifest names a package; `-` and `_` are one sign in it, as for pip."""
    wanted = _plain(name)
    return any(
        wanted == _plain(each)
        for _, names in brought_in(manifest)
        for each in re.split(r"[^\w@/.-]+", names)
    )


def _plain(name: str) -> str:
    return name.casefold().replace("_", "-")


def brings_something(path: str) -> bool:
    """Tell whether a file is code or a manifest."""
    return _pattern_for(path) is not None


def _pattern_for(path: str) -> re.Pattern[str] | None:
    name = path.rpartition("/")[2].casefold()
    if name in _MANIFESTS:
        return _MANIFESTS[name]
    if _REQUIREMENTS.search(path.casefold()):
        return _NAMED
    if _PROJECTS.search(name):
        return _ANYTHING
    return _IN_CODE.get(name.rpartition(".")[2]) if "." in name else None


_PACKAGES: Final[Mapping[str, str]] = {
    "mongodb mongo": "mongoose pymongo mongoengine motor beanie odmantic flask-pymongo"
    " @nestjs/mongoose mongoid MongoDB.Driver mongo-driver typegoose @typegoose/typegoose",
    "mysql mariadb": "mysql2 pymysql mysqlclient aiomysql asyncmy MySQLdb mysql-connector-python"
    " go-sql-driver MySqlConnector MySql.Data mysql-connector-java mysql-connector-j",
    "postgresql postgres": "pg pg-promise postgres psycopg psycopg2 psycopg2-binary asyncpg"
    " psycopg-pool pg8000 pg-native @types/pg @neondatabase/serverless pgx lib/pq Npgsql"
    " tokio-postgres slonik",
    "sqlite": "sqlite3 better-sqlite3 aiosqlite rusqlite go-sqlite3 Microsoft.Data.Sqlite",
    "sqlserver mssql": "tedious pymssql pyodbc Microsoft.Data.SqlClient System.Data.SqlClient",
    "oracle": "oracledb cx_Oracle godror Oracle.ManagedDataAccess",
    "redis": "ioredis aioredis @redis/client redis-om go-redis jedis io.lettuce lettuce-core"
    " StackExchange.Redis predis",
    "memcached": "pymemcache python-memcached aiomcache pylibmc memjs gomemcache EnyimMemcached"
    " dalli",
    "rabbitmq": "amqplib amqp-connection-manager pika aio-pika amqp amqp091-go RabbitMQ.Client"
    " bunny lapin",
    "kafka apachekafka": "kafkajs kafka-python confluent-kafka aiokafka sarama kafka-go rdkafka"
    " node-rdkafka @confluentinc/kafka-javascript faust-streaming Confluent.Kafka kafka-clients",
    "nats": "nats-py nats.ws nats.go async-nats NATS.Client",
    "elasticsearch elastic": "elasticsearch-dsl @elastic/elasticsearch go-elasticsearch"
    " Elastic.Clients.Elasticsearch",
    "dynamodb": "pynamodb dynamoose @aws-sdk/client-dynamodb @aws-sdk/lib-dynamodb"
    " dynamodb-onetable AWSSDK.DynamoDBv2",
    "cassandra": "cassandra-driver scylla-driver gocql scylla CassandraCSharpDriver",
    "neo4j": "neo4j-driver py2neo neomodel",
    "firebase firestore": "firebase-admin @google-cloud/firestore google-cloud-firestore",
    "supabase": "@supabase/supabase-js",
    "graphql": "graphql-request graphql-tag graphql-core graphql-yoga type-graphql @apollo/client"
    " @apollo/server apollo-server urql graphene strawberry strawberry-graphql ariadne gqlgen"
    " HotChocolate",
    "grpc": "@grpc/grpc-js @grpc/proto-loader grpcio google.golang.org/grpc tonic Grpc.Net.Client",
    "websocket websockets": "ws @types/ws socket.io socket.io-client python-socketio"
    " flask-socketio websocket-client reconnecting-websocket",
    "jest": "ts-jest babel-jest @jest/globals @types/jest jest-environment-jsdom",
    "mocha": "ts-mocha @types/mocha",
    "enzyme": "enzyme-adapter-react-16 @types/enzyme",
    "webpack": "webpack-cli webpack-dev-server ts-loader html-webpack-plugin",
    "redux": "react-redux @reduxjs/toolkit redux-saga redux-thunk",
    "express": "@types/express express-async-handler",
    "moment momentjs": "moment-timezone",
    "lodash": "lodash-es @types/lodash",
    "prisma": "@prisma/client",
    "drizzle": "drizzle-orm drizzle-kit",
    "tailwind tailwindcss": "tailwind-merge @tailwindcss/vite",
    "celery": "django-celery-beat",
    "newtonsoft newtonsoftjson jsonnet": "Newtonsoft.Json",
    "automapper": "AutoMapper.Extensions.Microsoft.DependencyInjection",
    "entityframework efcore": "Microsoft.EntityFrameworkCore",
    "hibernate": "org.hibernate hibernate-core",
    "junit4": "org.junit.Test",
    "auth0": "auth0-python @auth0/nextjs-auth0 @auth0/auth0-react",
    "stripe": "@stripe/stripe-js @stripe/react-stripe-js Stripe.net",
    "openai": "@ai-sdk/openai langchain-openai Azure.AI.OpenAI",
    "sentry": "@sentry/node @sentry/browser @sentry/react @sentry/nextjs sentry-sdk raven",
    "datadog": "dd-trace ddtrace datadog-metrics hot-shots @datadog/browser-rum",
}
_BY_NAME: Final[Mapping[str, Sequence[str]]] = {
    name: packages.split() for names, packages in _PACKAGES.items() for name in names.split()
}


def packages_of(product: str) -> Sequence[str]:
    """Return the packages that bring in a product, whatever signs its name is written with."""
    return _BY_NAME.get(re.sub(r"[^a-z0-9]+", "", product.lower()), ())


def is_package(name: str) -> bool:
    """Tell whether a name is known to be a product, one of its packages, or of Python's own."""
    first = name.split(".", 1)[0]
    return bool(packages_of(name)) or name in _EVERY_PACKAGE or first in sys.stdlib_module_names


_EVERY_PACKAGE: Final = frozenset(each for packages in _BY_NAME.values() for each in packages)
