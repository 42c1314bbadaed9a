"""A format that is loaded where it is found answers as the format itself does."""

from __future__ import annotations

from pathlib import Path

import pytest

from remem.core.library import Library, open_library
from remem.core.prompt.compose import compose
from remem.core.prompt.counter import Estimate
from remem.core.session import Session
from remem.core.settings import Places
from remem.core.system import Parts, System
from remem.core.waiting.kinds import Waiting
from remem.demo.build import build_demo, home_of
from remem.model.prompt import Ask
from remem.systems.registry import FORMATS, Late

LATE = [each for each in FORMATS if isinstance(each, Late)]
# A file of a persona or a plain text may lie anywhere, so only their own code can tell that
# there is none.
IN_PLACES = [each for each in LATE if each.name not in ("persona", "plain")]


def opened(root: Path, home: Path) -> Library:
    return Session.open(root, Places.of(home), door="cli").library


@pytest.mark.parametrize("each", LATE, ids=lambda each: each.name)
def test_it_is_declared_as_the_format_itself(each: Late) -> None:
    assert (each.name, each.kinds) == (each.whole.name, each.whole.kinds)


@pytest.mark.parametrize("each", FORMATS, ids=lambda each: each.name)
def test_of_what_its_reasons_to_wait_tell_what_became_is_declared(
    each: System, tmp_path: Path
) -> None:
    whole = each.whole if isinstance(each, Late) else each

    found = whole.waits(opened(tmp_path, tmp_path / "home"))

    telling = [waits for waits in found if type(waits).settled is not Waiting.settled]
    assert {*each.facets.settles} == {kind for waits in telling for kind in waits.claims}


@pytest.mark.parametrize("each", LATE, ids=lambda each: each.name)
def test_it_finds_and_offers_what_the_format_itself_does(each: Late, tmp_path: Path) -> None:
    demo = build_demo(tmp_path / "demo")

    library = opened(demo, home_of(demo))

    ground, sources = library.ground, library.of_format(each.name)
    ask = Ask(role="backend-engineer")
    described = [(found.key, found.path) for found in each.discover(ground)]
    assert described == [(found.key, found.path) for found in each.whole.discover(ground)]
    assert each.composer.offers(ground, sources, ask) == each.whole.offers(ground, sources, ask)
    assert each.composer.role_names(ground, sources) == each.whole.role_names(ground, sources)


def not_loaded() -> Parts:
    raise AssertionError("its code is not needed here")


@pytest.mark.parametrize("each", IN_PLACES, ids=lambda each: each.name)
def test_without_a_file_of_it_nothing_is_loaded_and_nothing_is_missing(
    each: Late, tmp_path: Path
) -> None:
    library = opened(tmp_path, tmp_path / "home")
    ground, sources = library.ground, library.of_format(each.name)
    ask = Ask(role="backend-engineer")
    fresh = Late(each.name, each.kinds, not_loaded, each._may_find)
    without = open_library(ground, (fresh,))

    assert list(fresh.discover(ground)) == list(each.whole.discover(ground)) == []
    assert compose(without, ask, Estimate()).text == ""
    assert each.whole.offers(ground, sources, ask) == ()
    assert each.whole.frame(ground, sources, ask) is None
    assert without.role_names() == each.whole.role_names(ground, sources) == ()


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("learning", ".sniper/memory/learnings/one.yaml"),
        ("learning", ".sniper/memory/archive/one.yaml"),
        ("learning", ".sniper/memory/signals/one.yaml"),
        ("learning", ".sniper/memory/velocity.yaml"),
        ("remem", ".remem/proposals/one.yaml"),
        ("shaktra", ".shaktra/settings.yml"),
        ("sniper", ".sniper/memory/decisions.yml"),
        ("sniper", ".sniper/retros/one.yaml"),
        ("verified", ".remem/memory.db"),
        ("workspace", "workspace.yaml"),
    ],
)
def test_one_file_of_it_is_enough(name: str, place: str, tmp_path: Path) -> None:
    path = tmp_path / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"")
    each = next(each for each in LATE if each.name == name)

    found = list(each.discover(opened(tmp_path, tmp_path / "home").ground))

    assert path in [source.path for source in found]
