"""The demo's large team: thirty agents of a Squad in a repository of its own.

Their lessons are put together from what each of them looks after; the same each time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from typing import Final

_LAST: Final = date(2026, 5, 4)
"""The day of the demo."""
_PEOPLE: Final = """\
Amadi|Lead|releases
Brannoc|Booking Engineer|holds
Calla|Booking Engineer|quotas
Dorrit|Fare Engineer|fares
Eskil|Fare Engineer|refunds
Fenna|Timetable Engineer|timetables
Gideon|Timetable Engineer|gust forecasts
Halima|Boarding Engineer|gate lists
Isolde|Boarding Engineer|scanners
Jorun|Board Engineer|quay boards
Kasper|Payment Engineer|payments
Linnea|Payment Engineer|invoices
Mbali|Data Engineer|passenger counts
Noor|Data Engineer|exports
Osric|Platform Engineer|queues
Petra|Platform Engineer|deployments
Quentin|Platform Engineer|backups
Ronja|Security Reviewer|keys
Sefu|Security Reviewer|audit trails
Tamsin|Tester|contract tests
Ulla|Tester|load tests
Viggo|Tester|replays
Wren|Technical Writer|runbooks
Xanthe|Designer|seat maps
Yusuf|Accessibility Reviewer|screen readers
Zelda|Translator|notices
Anouk|Support Analyst|call-centre tickets
Bastian|Cost Analyst|cloud bills
Scribe|Session Logger|session logs
Ralph|Work Monitor|open issues
"""
_RETIRED: Final = ("Corin|Kiosk Engineer|kiosks", "Delphi|Prototype Engineer|prototypes")
_INACTIVE: Final = "Bastian"
_STEMS: Final = (
    "The nightly check of {it} runs at 02:{n:02}; what changes later is seen a day late",
    "{It} are read in pages of {m}; a larger page times out behind the harbour's proxy",
    "Never edit {it} by hand in production: the job of 04:{n:02} writes over it",
    "Two reviewers for {it} found {n} slips that one had passed",
    "The test data for {it} lies in `fixtures/{slug}` and ages: renew it each quarter",
    "{It} of Velhas come without a time zone; take them as harbour time",
    "A retry of {it} is safe up to {n} times, then the provider blocks us for an hour",
    "When {it} look empty, ask first whether the ferry was chartered that day",
    "The dashboard of {it} counts cancelled ones too; subtract them before you alarm anybody",
    "Ask before {it} are rounded: billing keeps {n} decimals and we keep two",
    "The oldest {it} still have the 2023 layout; the reader takes both",
    "A slow query on {it} was the missing index on `sailing_id`, again",
)
_SHARED: Final = (
    "Ports are counted twice a day, and the second count is the one that counts",
    "Say the sailing's id in every log line: without it nobody finds the passenger",
    "A migration goes out a night before the code that needs it",
    "What the call centre reports first is usually true",
)


def _slug(topic: str) -> str:
    return topic.replace(" ", "-")


def _lesson(person: int, number: int, topic: str) -> str:
    place = (person * 5 + number) % len(_STEMS)
    stem = _STEMS[place]
    n, m = 3 + place * 7 % 24, 50 * (1 + place % 9)
    text = stem.format(it=topic, It=topic.capitalize(), n=n, m=m, slug=_slug(topic))
    return text if number < len(_STEMS) else f"{text} (seen again in sprint {number})"


def _history(person: int, name: str, topic: str) -> str:
    many = 4 + (person * 11) % 17 + (230 if name in ("Amadi", "Petra") else 0)
    parts = [
        f"# {name} — History\n\n## Core Context\n\n"
        f"- Slipway sells ferry tickets; {topic} are mine\n\n## Learnings\n"
    ]
    for first in range(0, many, 3):
        day = _LAST - timedelta(days=(many - first) * (2 if many > 40 else 6) + person)
        lessons = [_lesson(person, number, topic) for number in range(first, min(first + 3, many))]
        parts.append(f"\n### {day.isoformat()}\n\n" + "".join(f"- {text}\n" for text in lessons))
    if person % 4 == 0:
        parts.append(f"- {_SHARED[person // 4 % len(_SHARED)]}\n")
    if person % 6 == 1:
        parts.append(f"- {_SHARED[person // 6 % len(_SHARED)]}\n")
    return "".join(parts)


def _charter(name: str, role: str, topic: str) -> str:
    return (
        f"# {name} — {role}\n\n> Looks after {topic}.\n\n## Identity\n\n- **Name:** {name}\n"
        f"- **Role:** {role}\n\n## What I Own\n\n"
        f"- {topic.capitalize()}, from the port to the till\n\n## Boundaries\n\n"
        f"**I handle:** {topic}.\n\n**I don't handle:** what others own; I ask them.\n\n"
        "After a decision that others should know, write it to "
        f"`.squad/decisions/inbox/{name.lower()}-{{slug}}.md`.\n"
    )


def _people() -> Iterator[tuple[int, str, str, str]]:
    for number, line in enumerate(_PEOPLE.splitlines()):
        name, role, topic = line.split("|")
        yield number, name, role, topic


def _team() -> str:
    rows = "".join(
        f"| {name} | {role} | `.squad/agents/{name.lower()}/charter.md` | "
        f"{'🚫 Inactive' if name == _INACTIVE else '✅ Active'} |\n"
        for _, name, role, _ in _people()
    )
    return (
        "# Slipway crew\n\n## Coordinator\n\n| Name | Role | Notes |\n|------|------|-------|\n"
        "| Squad | Coordinator | Routes work, enforces handoffs. |\n\n"
        "## Members\n\n| Name | Role | Charter | Status |\n"
        f"|------|------|---------|--------|\n{rows}"
    )


def _routing() -> str:
    rows = "".join(f"| {t.capitalize()} | {n} | {r} |\n" for _, n, r, t in _people())
    head = "# Routing\n\n## Work Type → Agent\n\n| Work Type | Agent | Examples |\n|--|--|--|\n"
    return f"{head}{rows}"


def _registry() -> str:
    agents = ",\n".join(
        f'    "{name.lower()}": {{"persistent_name": "{name}", "universe": "exempt", '
        '"created_at": "2025-11-03T08:00:00Z", "legacy_named": false, "status": '
        f'"{"inactive" if name == _INACTIVE else "active"}"}}'
        for _, name, _, _ in _people()
    )
    return f'{{\n  "agents": {{\n{agents}\n  }}\n}}\n'


_DECIDED: Final = (
    ("{It} have one owner", "Whoever wants them changed writes what they need, and waits a day."),
    ("{It} go out before noon", "Two mornings a week, so that whoever did it is still at work."),
    ("{It} get a runbook", "It is read aloud once a quarter; what nobody understood is mended."),
    ("{It} are counted at night", "The sum of the job is what the Monday meeting looks at."),
    ("{It} of two years are kept", "Older ones lie in the cold store, where a query takes hours."),
    ("{It} are tried on Velhas first", "Its port is calm: a week there shows what a storm would."),
    ("{It} may be switched off", "One flag in the console; the call centre may turn it too."),
    ("{It} are shown in both languages", "Portuguese first on the islands, Italian in Porto Fino."),
    ("{It} leave out birthdays", "A postcode is enough for the harbour, and less can leak."),
    ("{It} cost money to look at", "Only the dashboard asks the provider, once a day."),
    ("{It} are drawn without colour", "Red and green look alike to one captain in twelve."),
    ("{It} need a second pair of eyes", "One reviewer from another pier, named in the commit."),
    ("{It} wait in a queue", "When the line to the port drops, nothing is lost but minutes."),
    ("{It} stay out of e-mail", "A link that expires is sent; an attachment lives forever."),
    ("{It} follow the tide table", "The edition of the harbour master, never the one on the web."),
)


def _decisions() -> str:
    parts = ["# Decisions\n"]
    for number, (_, name, _, topic) in enumerate(_people()):
        day = _LAST - timedelta(days=5 + number * 6)
        why = _STEMS[number % len(_STEMS)].format(it=topic, It=topic, n=9, m=90, slug="x")
        head, what = _DECIDED[number % len(_DECIDED)]
        parts.append(
            f"\n### {day.isoformat()}: {head.format(It=topic.capitalize())}\n\n"
            f"**By:** {name}\n**What:** {what}\n**Why:** {why}\n"
        )
    return "".join(parts)


def _files() -> Iterator[tuple[str, str]]:
    for number, name, role, topic in _people():
        home = f".squad/agents/{name.lower()}"
        yield f"{home}/charter.md", _charter(name, role, topic)
        yield f"{home}/history.md", _history(number, name, topic)
    for number, line in enumerate(_RETIRED, 40):
        name, role, topic = line.split("|")
        home = f".squad/agents/_alumni/{name.lower()}"
        yield f"{home}/charter.md", _charter(name, role, topic)
        yield f"{home}/history.md", _history(number, name, topic)
    yield ".squad/team.md", _team()
    yield ".squad/routing.md", _routing()
    yield ".squad/casting/registry.json", _registry()
    yield ".squad/decisions.md", _decisions()
    yield (
        ".squad/identity/wisdom.md",
        "# Team wisdom\n\n- The timetable is a promise\n- Ask the port before the map\n",
    )


def files() -> Mapping[str, str]:
    """Return the files of the crew's repository by path, the same each time."""
    return dict(_files())
