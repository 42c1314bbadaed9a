"""Projects of any size, made of sentences that look like what people keep."""

from pathlib import Path

MARKER = "Quayside lamps are counted twice"
"""The text of the one candidate; nothing else on any screen holds it."""

_THINGS = (
    *("retry budget", "queue consumer", "deck plan", "fare rule", "migration", "webhook"),
    *("manifest", "tide table", "hold", "refund", "health check", "feature flag", "outbox"),
    *("session", "board", "export"),
)
_CLAIMS = (
    *("carries its own expiry", "is replayed before it is merged", "names its sailing"),
    *("is written by one owner", "fails loudly and once", "has a way back"),
    *("is measured on the device", "never waits for the network"),
    *("is extended and not renamed", "is read from the published edition"),
)
_ROLES = ("backend-engineer", "frontend-engineer", "qa-engineer", "devops-engineer")
_STYLES = ("both", "review_gate", "spawn_prompt")


def rule(number: int) -> str:
    """Return a sentence that no other number has."""
    thing = _THINGS[number % len(_THINGS)]
    claim = _CLAIMS[number // len(_THINGS) % len(_CLAIMS)]
    return f"Case {number}: every {thing} {claim}, also in harbour {number % 97}"


def project(folder: Path, entries: int, *, candidates: int = 1, role: str = "") -> Path:
    """Write a SNIPER project with that many conventions below `folder`, candidates included.

    Args:
        folder: Where; made if it is missing.
        entries: All conventions.
        candidates: How many of them wait, at the end of the file; the last one says `MARKER`.
        role: Give every entry this one; else they take turns.
    """
    memory = folder / ".sniper" / "memory"
    (memory / "retros").mkdir(parents=True)
    (folder / ".sniper" / "config.yaml").write_text("memory: {token_budget: 2000}\n")
    (memory / "anti-patterns.yaml").write_text("anti_patterns: []\n")
    (memory / "decisions.yaml").write_text("decisions: []\n")
    rules = [rule(number) for number in range(1, entries + 1)]
    # As long as the one that remem renders, so that replacing it is the work it will be.
    (memory / "summary.md").write_text(
        "<!-- generated from the YAML beside it; edits are lost -->\n"
        + "".join(f"- **conv-000** {text} · {_ROLES[0]} · both\n" for text in rules)
    )
    with (memory / "conventions.yaml").open("w") as file:
        file.write("# one store of many\nconventions:\n")
        for number in range(1, entries + 1):
            waits = number > entries - candidates
            text = MARKER if number == entries and candidates else rules[number - 1]
            file.write(_entry(number, text, role, waits=waits))
    return folder


def _entry(number: int, text: str, role: str, *, waits: bool) -> str:
    return (
        f"  - id: conv-{number:03d}\n"
        f'    rule: "{text}"\n'
        f'    rationale: "Seen in {number % 7 + 1} of 8 stories"\n'
        f'    source: {{type: retro, ref: "sprint-{number % 9}-retro", date: "2026-03-02"}}\n'
        f"    applies_to: [{role or _ROLES[number % len(_ROLES)]}]\n"
        f"    enforcement: {_STYLES[number % len(_STYLES)]}\n"
        f"    status: {'candidate' if waits else 'confirmed'}\n"
    )
