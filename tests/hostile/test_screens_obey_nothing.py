"""A project whose every text wants something from the terminal: the screens show it, and obey none.

What may not reach a terminal is written down here by what terminals do, and not by what our gate
replaces.
"""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import struct
import sys
import termios
import unicodedata
from collections.abc import Iterator
from fcntl import ioctl
from pathlib import Path
from time import monotonic

import pytest
from tests.tui.journey import Journey
from textual.strip import Strip

from remem.core.session import Session
from remem.core.settings import Places
from remem.tui.app import MODES, RememApp

TAGGED = "".join(chr(0xE0000 + ord(letter)) for letter in "obey")
PAYLOAD = (
    "[/foo][@click=app.quit]x[/][$primary] \x1b[31mred\x1b]52;c;cHduZWQ=\x07\x1b]0;pwned\x07"
    f"\x9b2Jgone \u202egnihton\u202c \u2066a\u2069 \u200bzero {TAGGED} \u2028line \x08\x08\x7f end"
)
LONG = "A lamp " * 1_500
OBEYED = (b"\x1b]52;c;cHduZWQ", b"\x1b]0;pwned", b"\xc2\x9b", "\u202e".encode(), "\u200b".encode())
"""What of the payload a terminal would act on, as bytes; the frame's own sequences are others."""
NAME = "[@click=app.quit]x\u202egnp\x1b[31m"
"""Legal as the name of a file on Linux."""


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="")


@pytest.fixture
def poisoned(tmp_path: Path) -> tuple[Path, Path]:
    """Return a root and a home in which every text is poisoned."""
    root, home = tmp_path / "[b]root[/]", tmp_path / "home"
    memory, text = root / ".sniper" / "memory", json.dumps(PAYLOAD)
    write(
        root / ".sniper/config.yaml", f"memory: {{token_budget: 500}}\nproject: {{name: {text}}}\n"
    )
    write(
        memory / "conventions.yaml",
        "conventions:\n"
        f"  - {{id: conv-001, rule: {text}, rationale: {text}, applies_to: [{text}],"
        f" source: {{type: {text}, ref: {text}}}}}\n"
        f"  - {{id: {text}, rule: {json.dumps(LONG + PAYLOAD)}, status: candidate}}\n"
        f"  - {{id: conv-003, rule: short, status: {text}, enforcement: {text}}}\n",
    )
    write(
        memory / "anti-patterns.yaml",
        f"anti_patterns:\n  - {{id: ap-001, description: {text}, fix_pattern: {text},"
        f" severity: high}}\n",
    )
    write(memory / f"retros/sprint-{NAME}-retro.yaml", f"sprint: {text}\nfindings: [{text}\n")
    write(
        memory / "retros/sprint-2-retro.yaml",
        "sprint: 2\nfindings:\n  new_conventions:\n"
        f"    - {{rule: {text}, confidence: high, recommendation: codify, evidence: {text}}}\n"
        f"  positive_patterns: [{text}]\n",
    )
    lessons = (
        f"# {PAYLOAD}\n\n## {PAYLOAD}\n\n- {PAYLOAD}\n- {LONG}\n\n```{PAYLOAD}\n{PAYLOAD}\n```\n"
    )
    write(root / f".squad/agents/{NAME}/history.md", lessons)
    write(root / f".squad/agents/{NAME}/charter.md", f"# {PAYLOAD}\n\n{PAYLOAD}\n")
    write(
        root / ".squad/team.md", f"# Team\n\n| Name | Role |\n|---|---|\n| {NAME} | {PAYLOAD} |\n"
    )
    write(root / ".squad/decisions.md", f"# Decisions\n\n### {PAYLOAD}\n\n{PAYLOAD}\n")
    write(
        root / f".claude/agents/{NAME}.md",
        f"---\nname: {text}\ndescription: d\nmemory: project\n---\n{PAYLOAD}\n",
    )
    write(root / f".claude/agent-memory/{NAME}/MEMORY.md", lessons * 60)
    write(home / f".night-watch/agents/{NAME}/memories/p/main.md", lessons)
    write(root / "CLAUDE.md", lessons)
    write(root / ".remem/config.yaml", f"theme: {text}\n{text}: {text}\nagent: {{command: [x]}}\n")
    return root, home


def strips(app: RememApp) -> list[Strip]:
    return app.screen._compositor.render_strips()


def obeyed(strip: Strip) -> Iterator[str]:
    """Yield what a terminal, or Textual, would obey in a line."""
    for segment in strip:
        if segment.control:
            yield repr(segment.control)
        if segment.style is not None and "@click" in segment.style.meta:
            yield f"a click: {segment.style.meta}"
        for letter in segment.text:
            is_tag = 0xE0000 <= ord(letter) <= 0xE007F
            if unicodedata.category(letter) in ("Cc", "Cf", "Zl", "Zp", "Cs", "Co") or is_tag:
                yield f"U+{ord(letter):04X}"


@pytest.mark.slow
@pytest.mark.parametrize(
    "mode",
    [m if m == "browse" else pytest.param(m, marks=pytest.mark.slow) for m in MODES],
)
@pytest.mark.parametrize(
    "size",
    [
        pytest.param((80, 24), marks=pytest.mark.slow, id="80x24"),
        pytest.param((140, 40), id="140x40"),
    ],
)
async def test_nothing_that_is_obeyed_reaches_a_line_of_any_screen(
    poisoned: tuple[Path, Path], mode: str, size: tuple[int, int]
) -> None:
    root, home = poisoned
    bench = Session.open(root, Places.of(home), door="tui")
    app = RememApp(bench, start=mode)
    async with app.run_test(size=size, notifications=True) as pilot:
        journey = await Journey(pilot).rest()
        seen = ""

        for key in (
            "j",
            "j",
            "tab",
            "j",
            "G",
            "shift+tab",
            "shift+tab",
            "j",
            "j",
            "j",
            "question_mark",
        ):
            await pilot.press(key)
            await journey.rest()
            found = [sign for strip in strips(app) for sign in obeyed(strip)]
            assert found == [], f"after `{key}`"
            seen += "".join(strip.text for strip in strips(app))

        assert app.is_running
        assert mode == "history" or any(sign in seen for sign in ("[@click", "␛", "⟦U+202E⟧"))


@pytest.mark.slow
@pytest.mark.parametrize("keys", ["f", "R", "colon", "o", "i"])
async def test_nothing_that_is_obeyed_reaches_an_overlay(
    poisoned: tuple[Path, Path], keys: str
) -> None:
    root, home = poisoned
    app = RememApp(Session.open(root, Places.of(home), door="tui"), start="browse")
    async with app.run_test(size=(100, 30), notifications=True) as pilot:
        journey = await Journey(pilot).rest()
        await pilot.press("shift+tab", *"jjjjjjjjj")

        await pilot.press(keys)
        await journey.rest()

        assert [sign for strip in strips(app) for sign in obeyed(strip)] == []
        assert app.is_running


@pytest.mark.slow
def test_every_key_on_every_screen_of_a_real_terminal_and_none_of_it_gets_through(
    poisoned: tuple[Path, Path],
) -> None:
    root, home = poisoned
    every = [chr(code) for code in range(33, 127) if chr(code) not in set("q012345")]
    keys = [*every, "\r", "\t", " ", "\x7f", "\x04", "\x15", "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D"]
    presses = [
        key for screen in "012345" for each in keys for key in (screen, each, "\x1b", "\x1b")
    ]

    drawn, status = in_a_terminal([str(root), "--home", str(home)], presses)

    assert os.waitstatus_to_exitcode(status) == 0, drawn[-2_000:]
    assert [payload for payload in OBEYED if payload in drawn] == []
    assert not any(letter.encode() in drawn for letter in TAGGED)
    assert b"conventions" in drawn


def in_a_terminal(arguments: list[str], presses: list[str]) -> tuple[bytes, int]:
    """Press keys one after the other, leave with `q`, and return what was drawn."""
    command = [str(Path(sys.executable).with_name("remem")), *arguments]
    quiet = {**os.environ, "TERM": "xterm-256color", "EDITOR": "true", "VISUAL": "true"}
    child, screen = pty.fork()
    if child == 0:
        ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 36, 120, 0, 0))
        os.execve(command[0], command, quiet)
    drawn = bytearray(_read_until(screen, 2.0))
    for press in presses:
        os.write(screen, press.encode())
        drawn += _read_until(screen, 0.02)
    # A busy machine is still at keys pressed long ago; what counts is that it comes to its end.
    end = monotonic() + 300
    while monotonic() < end:
        # Out of what is open, and of what is typed there. A letter that comes within a fifth of a
        # second after an escape is read as one with it, and each round would be like the last.
        for _ in range(2):
            os.write(screen, b"\x1b")
            drawn += _read_until(screen, 0.3)
        os.write(screen, b"q")
        drawn += _read_until(screen, 0.5)
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            os.close(screen)
            return bytes(drawn), status
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(screen)
    pytest.fail(f"it did not end: {bytes(drawn[-1_000:])!r}")


def _read_until(screen: int, quiet: float) -> bytes:
    """Read until nothing comes for so many seconds."""
    drawn, end = bytearray(), monotonic() + 120
    while monotonic() < end and select.select([screen], [], [], quiet)[0]:
        try:
            part = os.read(screen, 65_536)
        except OSError:
            break
        if not part:
            break
        drawn += part
    return bytes(drawn)
