"""How frames, layers and verdicts make a prompt."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from tests.given import Given

from remem.core.prompt.compose import compose
from remem.core.prompt.counter import Counter, Estimate
from remem.core.system import NO_FACETS, Composer, Facets, Ground
from remem.model.entry import Entry, Ref, Status, WholeFile
from remem.model.prompt import Ask, Frame, Offer, Piece, Prompt, Reason, Segment, Unit, Verdict
from remem.model.source import COMPOSED, ON_REQUEST, Loader, Source, SourceKind
from remem.store.io import Disk


@dataclass(frozen=True)
class Fixed:
    """A format that says the same to everybody."""

    name: str = "sniper"
    given: Frame | None = None
    layers: tuple[Offer, ...] = ()
    facets: Facets = NO_FACETS

    @property
    def composer(self) -> Composer:
        return self

    def role_names(self, ground: Ground, sources: Sequence[Source]) -> tuple[str, ...]:
        return ()

    def frame(self, ground: Ground, sources: Sequence[Source], ask: Ask) -> Frame | None:
        assert {source.format for source in sources} <= {self.name}
        return self.given

    def offers(self, ground: Ground, sources: Sequence[Source], ask: Ask) -> tuple[Offer, ...]:
        return self.layers


def offer(name: str, *texts: str, cap: int = 0, unit: Unit = Unit.TOKENS) -> Offer:
    pieces = tuple(
        Piece(Ref("sniper", f"{name}-{n}"), text, (n,)) for n, text in enumerate(texts, 1)
    )
    return Offer(name, pieces, cap=cap, unit=unit)


def entry(name: str, status: Status = Status.ACTIVE, roles: tuple[str, ...] | None = None) -> Entry:
    at = WholeFile(Path("store.yaml"))
    return Entry(Ref("sniper", name), "convention", name, status, at, digest="", roles=roles)


def store(*entries: Entry, loader: Loader = COMPOSED, archived: bool = False) -> Source:
    return Source(
        name="conventions",
        format="sniper",
        layout="",
        place="",
        kind=SourceKind.STORE,
        path=Path("store.yaml"),
        loader=loader,
        archived=archived,
        entries=entries,
    )


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    return Ground(root=tmp_path, home=tmp_path / "home", disk=Disk(), project="shop")


def composed(
    ground: Ground,
    *formats: Fixed,
    sources: Sequence[Source] = (),
    ask: Ask | None = None,
    counter: Counter | None = None,
) -> Prompt:
    asked = ask or Ask(role="backend-engineer")
    # Only what has a file is asked.
    empty = [replace(store(), format=each.name) for each in formats]
    return compose(Given(ground, formats, [*sources, *empty]), asked, counter or Estimate())


def test_memory_stands_where_the_frame_has_its_place(ground: Ground) -> None:
    frame = Frame(
        (
            Segment("process", "# Teammate\n\n## Project Memory\n"),
            Segment("memory", "", is_memory=True),
            Segment("rules", "\n## Rules"),
        )
    )

    prompt = composed(ground, Fixed(given=frame, layers=(offer("one", "- a"), offer("two", "- b"))))

    assert prompt.text == "# Teammate\n\n## Project Memory\n\n- a\n\n- b\n\n## Rules"
    assert [layer.name for layer in prompt.layers] == ["process", "one", "two", "rules"]


def test_memory_follows_a_frame_that_has_no_place_for_it(ground: Ground) -> None:
    frame = Frame((Segment("profile", "# Priya — Reviewer"),), note="an override is used")

    prompt = composed(ground, Fixed(given=frame, layers=(offer("one", "- a"),)))

    assert prompt.text == "# Priya — Reviewer\n\n- a"
    assert prompt.notes == ("an override is used",)


def test_layers_of_several_formats_follow_each_other_in_their_order(ground: Ground) -> None:
    project = Fixed("sniper", layers=(offer("project", "- a"),))
    learnings = Fixed("learnings", layers=(offer("learnings", "- b"),))

    prompt = composed(ground, project, learnings)

    assert prompt.text == "- a\n\n- b"


def test_the_first_format_that_has_a_frame_gives_it(ground: Ground) -> None:
    second = Fixed("persona", given=Frame((Segment("profile", "# Priya"),)))
    third = Fixed("learnings", given=Frame((Segment("agent", "# Agent"),)))

    assert composed(ground, Fixed(), second, third).text == "# Priya"


def test_the_whole_text_is_counted_as_one(ground: Ground, counter: Counter) -> None:
    frame = Frame((Segment("profile", "# Priya.\n"),))
    layers = (offer("one", "- Ends with a stop."), offer("two", "/starts with a slash"))

    prompt = composed(ground, Fixed(given=frame, layers=layers), counter=counter)

    assert prompt.tokens == counter.count(prompt.text)
    assert prompt.exact
    assert prompt.encoding == "o200k_base"
    assert [layer.tokens for layer in prompt.layers] == [
        counter.count(layer.text) for layer in prompt.layers
    ]


def test_a_budget_that_is_asked_for_holds_for_each_memory_layer_in_tokens(ground: Ground) -> None:
    layers = (
        offer("one", "- a a a a a a", "- b b b b b b", cap=500),
        offer("two", "- c", "- d d d d d d d d d d d", cap=9, unit=Unit.LINES),
    )

    prompt = composed(ground, Fixed(layers=layers), ask=Ask(role="qa", budget=4))

    assert [(layer.text, layer.budget, layer.unit) for layer in prompt.layers] == [
        ("- a a a a a a", 4, Unit.TOKENS),
        ("- c", 4, Unit.TOKENS),
    ]


def test_every_entry_of_a_composing_source_has_a_verdict(ground: Ground) -> None:
    taken = Fixed(
        layers=(
            Offer(
                "one",
                (Piece(Ref("sniper", "in"), "- in"),),
                verdicts=(Verdict(Ref("sniper", "off"), Reason.DISABLED, "it is switched off"),),
            ),
        )
    )
    sources = (
        store(
            entry("in"),
            entry("off"),
            entry("waits", Status.CANDIDATE),
            entry("others", roles=("frontend-engineer",)),
            entry("forgotten"),
        ),
        store(entry("archived"), archived=True),
        store(entry("request"), loader=ON_REQUEST),
    )

    prompt = composed(ground, taken, sources=sources)

    assert {v.ref.id: v.reason for v in prompt.verdicts} == {
        "in": None,
        "off": Reason.DISABLED,
        "waits": Reason.STATUS,
        "others": Reason.ROLE,
        "forgotten": Reason.SCOPE,
        "archived": Reason.STATUS,
    }
    assert all(v.detail for v in prompt.verdicts if not v.is_in)


def test_what_is_always_in_and_too_much_is_said_in_a_note(ground: Ground) -> None:
    piece = Piece(Ref("sniper", "ap-001"), "- four tokens here", always=True)

    prompt = composed(ground, Fixed(layers=(Offer("project memory", (piece,), cap=4),)))

    assert prompt.notes == ("required entries exceed the budget of project memory by 1 token",)


def test_nothing_at_all_is_an_empty_prompt(ground: Ground) -> None:
    prompt = composed(ground, Fixed())

    assert (prompt.text, prompt.tokens, prompt.layers) == ("", 0, ())
