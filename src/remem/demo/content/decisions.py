"""The demo's decisions: folded texts, alternatives with reasons, some superseded."""

from typing import Final

DECISIONS: Final = """\
decisions:
    # Four spaces here; the file began its life in another editor.
    - id: dec-001
      title: "Primary datastore"
      context: "Capacity, holds and bookings have to change together"
      decision: "PostgreSQL, one database per service"
      alternatives_considered:
        - "MongoDB — no transaction across holds and bookings when we looked"
        - "SQLite per ship — reconciling by hand"
      source: {type: manual, ref: "kick-off", date: "2026-01-26"}
      applies_to: [backend-engineer, architect, devops-engineer]
      status: active
      superseded_by: null

    - id: dec-002
      title: "Event transport"
      context: "Scanners and boards need changes within seconds"
      decision: "RabbitMQ with one queue per consumer"
      alternatives_considered:
        - "Kafka — three brokers for 40 events a minute"
      source: {type: manual, ref: "kick-off", date: "2026-01-26"}
      applies_to: [backend-engineer, architect]
      status: superseded
      superseded_by: dec-007

    - id: dec-003
      title: "Timetables are computed ahead, never on request"
      context: "A tide window takes 300 ms to compute and is asked for 50 times a second"
      decision: >-
        A nightly job writes the sailings of the next 400 days; a corrected tide
        table or a closed berth recomputes only the days it touches
      alternatives_considered:
        - "Compute on request with a cache — cold on the first morning of a season"
      source: {type: retro, ref: "sprint-1-retro", date: "2026-02-09"}
      applies_to: [backend-engineer, architect]
      status: active
      superseded_by: null

    - id: dec-004
      title: "Scanner app"
      context: "Rugged Android devices, bought by the ports"
      decision: "Native Kotlin, no web view"
      alternatives_considered:
        - "Web app with a service worker — camera start took 2.1 s on the device"
        - "Flutter — no vendor library for the barcode engine"
      source: {type: manual, ref: "device trial", date: "2026-02-05"}
      applies_to: [frontend-engineer, architect]
      status: active
      superseded_by: null

    - id: dec-005
      title: "Public booking pages"
      context: "Most travellers come from a search engine, on a phone"
      decision: "React with server rendering; no client state library"
      alternatives_considered: ["Plain templates — the deck plan is interactive"]
      source: {type: manual, ref: "kick-off", date: "2026-01-26"}
      applies_to: [frontend-engineer]
      status: active
      superseded_by: null

    - id: dec-006
      title: "Payments"
      context: "Two countries, three currencies, one accountant"
      decision: "One provider behind our own Payments port; refunds are commands of their own"
      alternatives_considered:
        - "Call the provider's library directly — its retries clash with ours"
      source: {type: retro, ref: "sprint-2-retro", date: "2026-02-23"}
      applies_to: [backend-engineer]
      status: active
      superseded_by: null
      detection_hint: "imports of the provider's library outside adapters/payments"

    - id: dec-007
      title: "Event transport, second round"
      context: "Replays after a scanner's days offline need a log, not a queue"
      decision: "NATS JetStream with one stream per harbour and an outbox table in each service"
      alternatives_considered:
        - "RabbitMQ streams — no per-key replay in the version that we may run"
        - "Polling the outbox — 4 s until a board changes"
      source: {type: retro, ref: "sprint-3-retro", date: "2026-03-09"}
      applies_to: [backend-engineer, architect, devops-engineer]
      status: active
      superseded_by: null

    - id: dec-008
      title: "Deployments"
      context: "Ports are ours to break between 23:30 and 04:30 only"
      decision: >
        Continuous to staging, one window a night to production,
        freeze when a storm is forecast
      alternatives_considered: ["Continuous to production — boarding cannot be retried"]
      source: {type: retro, ref: "sprint-4-retro", date: "2026-03-23"}
      applies_to: [devops-engineer, reviewer]
      status: active
      superseded_by: null

    - id: dec-009
      title: "Disruption notices go through one service"
      context: "Text messages, mail and boards said three different things on 11 March"
      decision: "The notices service owns wording and order; others only state what happened"
      alternatives_considered: ["Shared library — versions drift between services"]
      source: {type: retro, ref: "sprint-4-retro", date: "2026-03-23"}
      applies_to: [backend-engineer, frontend-engineer]
      status: active
      superseded_by: null

    - id: dec-010
      title: "Ports get a read-only export instead of database access"
      context: "A port's spreadsheet locked the holds table"
      decision: "Parquet files per day in the port's bucket"
      alternatives_considered:
        - "Read replica — they would depend on our tables"
      source: {type: manual, ref: "port meeting", date: "2026-04-16"}
      applies_to: [backend-engineer, devops-engineer]
      status: active
      superseded_by: null

    - id: dec-011
      title: "Own identity service for port staff"
      context: "Ports had no directory that we could use"
      decision: "Own accounts with passkeys"
      alternatives_considered: ["Hosted login — staff share devices"]
      source: {type: manual, ref: "kick-off", date: "2026-01-26"}
      applies_to: [backend-engineer]
      status: deprecated       # all five ports have a directory since April
      superseded_by: null

    - id: dec-012
      title: "Weather source"
      context: "Cancellations follow gust forecasts per harbour"
      decision: "Buy the marine forecast of the national service, hourly"
      alternatives_considered: []
      source: {type: retro, ref: "sprint-6-retro", date: "2026-04-20"}
      applies_to: [backend-engineer, architect]
      status: candidate
      superseded_by: null
"""
