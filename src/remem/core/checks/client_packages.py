"""By which packages code brings in a product that is not called after them: data, and no more.

A product that was turned down is known by its name and by these. Names are those of the registries
of Python, JavaScript, Go, Rust, Java, .NET, Ruby and PHP.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

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
