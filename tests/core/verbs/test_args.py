"""What a verb is told is read once, typed, and told in a sentence where it does not fit."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from tests.demo_files import demo_at
from tests.sniper_files import clock

from remem.core.checks.issues import issues
from remem.core.session import Session
from remem.core.settings import Places
from remem.core.verbs.args import Args, BadArgument, argument, option, other_doors
from remem.core.verbs.verb import Writing
from remem.core.verbs.verbs import all_verbs, verb
from remem.demo.build import home_of
from remem.model.change import Json


class Moor(Args):
    """Make a ship fast."""

    ship: str = argument("SHIP")
    flag: str = option("--flag", "Of which country.")
    berth: str = option("--berth", "Where it lies.", choices=lambda: ("north", "south"), default="")
    ropes: tuple[str, ...] = option("--rope", "What holds it; repeatable.", default=())
    length: float | None = option("--length", "In metres.", within=(1, 400), default=None)
    at_night: bool = option("--at-night", "Without a pilot.", default=False)
    papers: Mapping[str, Json] = other_doors("What the captain brought.", default_factory=dict)
    fathoms: tuple[int, ...] = other_doors("As they were sounded.", named="from", default=())
    cargo: tuple[Mapping[str, Json], ...] = other_doors("What is on board.", default=())


def test_what_was_said_is_carried_as_json_and_read_back() -> None:
    said = Moor(
        ship="Rosa",
        flag="PT",
        ropes=("bow", "stern"),
        length=12,
        papers={"from": "Porto"},
        fathoms=(4, 3),
        cargo=({"tea": 2},),
    )

    carried = said.to_json()

    assert carried == {
        "ship": "Rosa",
        "flag": "PT",
        "ropes": ["bow", "stern"],
        "length": 12,
        "papers": {"from": "Porto"},
        "from": [4, 3],
        "cargo": [{"tea": 2}],
    }
    assert Moor.from_json(carried) == said


def test_what_every_intent_may_carry_is_nobodys_argument() -> None:
    given: dict[str, Json] = {
        "ship": "Rosa",
        "flag": "PT",
        "acknowledged": ["a1"],
        "repository": "api",
    }

    assert Moor.from_json(given) == Moor(ship="Rosa", flag="PT")


@pytest.mark.parametrize(
    ("odd", "message"),
    [
        pytest.param({"ship": None}, "`ship` is missing", id="missing"),
        pytest.param({"flag": " "}, "`flag` is missing", id="blank"),
        pytest.param({"mast": 2}, "unknown argument `mast`", id="unknown"),
        pytest.param({"ship": ["R"]}, "`ship` is not a text", id="text"),
        pytest.param({"ropes": "bow"}, "`ropes` is not a list of texts", id="list"),
        pytest.param({"ropes": [1]}, "`ropes` is not a list of texts", id="texts"),
        pytest.param({"length": True}, "`length` is not a number", id="number"),
        pytest.param({"length": 900}, "`length` cannot be 900", id="range"),
        pytest.param({"berth": "east"}, "`berth` cannot be `east`", id="choice"),
        pytest.param({"at_night": "yes"}, "`at_night` is not true or false", id="flag"),
        pytest.param({"from": [True]}, "`from` is not a list of whole numbers", id="numbers"),
        pytest.param({"cargo": ["tea"]}, "`cargo` is not a list of objects", id="objects"),
        pytest.param({"papers": []}, "`papers` is not an object", id="object"),
    ],
)
def test_what_does_not_fit_is_told_with_a_way_out(odd: dict[str, Json], message: str) -> None:
    given: dict[str, Json] = {"ship": "Rosa", "flag": "PT", **odd}

    with pytest.raises(BadArgument, match=message) as told:
        Moor.from_json(given)

    assert told.value.hint
    is_blank = odd == {"flag": " "}
    assert is_blank or [*Draft202012Validator(Moor.schema()).iter_errors(given)]


def test_the_schema_takes_what_is_taken() -> None:
    given: dict[str, Json] = {
        "ship": "Rosa",
        "flag": "PT",
        "berth": "north",
        "ropes": ["bow"],
        "length": 3.5,
        "at_night": True,
    }

    Draft202012Validator.check_schema(Moor.schema())
    assert [*Draft202012Validator(Moor.schema()).iter_errors(given)] == []
    assert Moor.from_json(given).berth == "north"


@pytest.mark.parametrize("declared", all_verbs(), ids=lambda each: each.id)
def test_every_verb_declares_what_it_is_told(declared: Writing[Any]) -> None:
    Draft202012Validator.check_schema(declared.args.schema())
    assert declared.args.__doc__
    assert {each.name for each in declared.args.params() if not each.help} <= {
        each.name for each in declared.args.params() if each.spelt
    }


def test_every_problem_asks_its_verb_for_what_it_takes(tmp_path: Path) -> None:
    root = demo_at(tmp_path / "demo")
    (root / "CLAUDE.md").write_text("- Ropes are coiled by hand\n", encoding="utf-8")
    rules = root / ".claude" / "rules" / "ropes.md"
    rules.parent.mkdir(parents=True, exist_ok=True)
    rules.write_text("- Ropes are coiled by hand\n", encoding="utf-8")
    bench = Session.open(root, Places.of(home_of(root)), door="cli", clock=clock())

    asked = [each for each in issues(bench.library) if each.verb]
    bench.close()

    assert {"told.keep", "persona.compact"} <= {each.verb for each in asked}
    for each in asked:
        assert verb(each.verb).args.from_json(each.arguments)
