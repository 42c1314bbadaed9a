"""Everything that waits is an item, once, with the verb that the rules suggest."""

from pathlib import Path

import pytest
from tests.sniper_files import ANTI_PATTERNS, CONVENTIONS, RETRO, carry_out, project

from remem.core.relation.already_said import tells_of_conflict
from remem.core.relation.normal_form import Alike
from remem.core.verbs.verbs import plan
from remem.core.waiting.approve import conflicts_of
from remem.core.waiting.item import Item, Why
from remem.core.waiting.queue import likes, opposed, queue, told
from remem.model.change import Intent
from remem.model.source import Lazy

RULE = "Every queue consumer is idempotent"


def retro(rule: str, **fields: str) -> str:
    extra = "".join(f", {name}: {value}" for name, value in fields.items())
    return (
        'sprint: 7\ndate: "2026-05-04"\nfindings:\n  new_conventions:\n'
        f'    - {{rule: "{rule}", recommendation: codify{extra}}}\n'
    )


def convention(rule: str, status: str = "confirmed", ref: str = "sprint-3-retro") -> str:
    return (
        f"conventions:\n  - id: conv-001\n    rule: {rule}\n"
        f"    source: {{type: retro, ref: {ref}}}\n    status: {status}\n"
    )


def only(root: Path, files: dict[str, str]) -> Item:
    (item,) = queue(project(root, files))
    return item


def test_a_candidate_of_a_store_waits(tmp_path: Path) -> None:
    item = only(tmp_path, {CONVENTIONS: convention(RULE, "candidate")})

    assert (item.reason, item.kind, item.title) == (Why.CANDIDATE, "convention", RULE)
    assert (item.group, item.evidence) == ("conventions", ("from sprint-3-retro",))
    assert item.verbs == ("approve", "reject", "edit", "merge")


@pytest.mark.parametrize(
    ("confidence", "settings", "suggested"),
    [
        pytest.param("high", "true", "approve", id="high-goes-into-force"),
        pytest.param("medium", "true", "keep", id="medium-becomes-a-candidate"),
        pytest.param("high", "false", "", id="nothing-is-suggested-without-auto-codify"),
    ],
)
def test_a_finding_suggests_what_the_rules_make_of_it(
    tmp_path: Path, confidence: str, settings: str, suggested: str
) -> None:
    files = {
        RETRO: retro(RULE, confidence=confidence),
        ".sniper/config.yaml": f"memory: {{auto_codify: {settings}}}\n",
    }

    item = only(tmp_path, files)

    assert (item.reason, item.group, item.suggested) == (Why.FINDING, "sprint-7-retro", suggested)


def test_an_untracked_gate_failure_waits_without_a_suggestion(tmp_path: Path) -> None:
    files = {
        RETRO: "sprint: 7\nfindings:\n  review_gate_failures:\n"
        "    - {check: Errors, failures: 3, pattern: No limit, already_tracked: false}\n"
    }

    item = only(tmp_path, files)

    assert (item.reason, item.kind, item.suggested) == (Why.GATE_FAILURE, "anti_pattern", "")
    assert item.evidence == ("the check `Errors` failed 3 times",)


@pytest.mark.parametrize(
    ("memory", "waiting"),
    [
        pytest.param(convention(f"'{RULE}.'"), [], id="known"),
        pytest.param(
            convention(RULE, "candidate", "sprint-7-retro"), [Why.CANDIDATE], id="from-this-retro"
        ),
        pytest.param(
            convention(RULE, "candidate"), [Why.CANDIDATE, Why.RECURRENCE], id="met-again"
        ),
        pytest.param(convention("Names are verbs"), [Why.FINDING], id="new"),
    ],
)
def test_a_finding_that_memory_answers_does_not_wait(
    tmp_path: Path, memory: str, waiting: list[Why]
) -> None:
    library = project(tmp_path, {CONVENTIONS: memory, RETRO: retro(RULE, confidence="high")})

    items = queue(library)

    assert [item.reason for item in items] == waiting
    assert all(item.suggested == "approve" for item in items if item.reason is Why.RECURRENCE)


def test_a_near_finding_is_offered_as_merge_and_shows_what_it_is_like(tmp_path: Path) -> None:
    files = {CONVENTIONS: convention(RULE), RETRO: retro("Every queue consumers is idempotent")}
    library = project(tmp_path, files)

    (item,) = queue(library)

    assert item.suggested == "merge"
    assert "`sniper:conv-001`" in item.why
    (like,) = likes(library, item)
    assert (like.title, like.relation) == (RULE, Alike.NEAR)
    assert like.ratio >= 0.9


def test_a_possible_contradiction_is_never_suggested(tmp_path: Path) -> None:
    never = "Every queue consumer is not idempotent"
    files = {CONVENTIONS: convention(RULE), RETRO: retro(never, confidence="high")}
    library = project(tmp_path, files)

    (item,) = queue(library)

    assert item.suggested == ""
    assert [like.relation for like in likes(library, item)] == [Alike.CONTRADICTION]


def test_what_is_archived_conflicts_with_nothing(tmp_path: Path) -> None:
    archived = convention(f"Not {RULE.lower()}", "archived")
    files = {CONVENTIONS: archived, RETRO: retro(RULE, confidence="high")}
    library = project(tmp_path, files)

    (item,) = queue(library)

    assert likes(library, item) == ()
    assert not any("conflict" in each for each in told(library, item))


def test_a_finding_that_conflicts_with_another_kind_is_said_to_and_nothing_is_suggested(
    tmp_path: Path,
) -> None:
    files = {
        ANTI_PATTERNS: "anti_patterns:\n  - {id: ap-001, description: Queue consumers that are "
        "idempotent}\n",
        RETRO: retro("Queue consumers are idempotent", confidence="medium"),
    }

    item = only(tmp_path, files)

    assert item.why == "possible conflict with `sniper:ap-001`"
    assert item.suggested == ""
    assert any("ap-001" in fact for fact in item.evidence)


def test_a_signal_that_conflicts_with_a_rule_is_not_suggested(tmp_path: Path) -> None:
    signal = (
        "type: manual\ntimestamp: '2026-05-03T10:00:00Z'\nsource: human\n"
        "summary: Never make queue consumers idempotent\n"
    )
    files = {".sniper/memory/signals/20260503-manual-1.yaml": signal}
    free = only(tmp_path / "free", files)

    opposed = only(
        tmp_path / "opposed", {**files, CONVENTIONS: convention("Make queue consumers idempotent")}
    )

    assert (free.suggested, opposed.suggested) == ("approve", "")
    assert opposed.why == "possible conflict with `sniper:conv-001`"


def test_a_rejected_text_does_not_come_back_and_a_near_one_says_so(tmp_path: Path) -> None:
    library = project(tmp_path, {RETRO: retro(RULE)})
    (item,) = queue(library)
    reject = Intent("reject", {item.ref: item.digest}, {"reason": "a tool does it"})

    library = carry_out(library, plan(library, reject))

    assert queue(library) == ()
    near = project(tmp_path, {RETRO: retro("Every queue consumers is idempotent")})
    (item,) = queue(near)
    (like,) = likes(near, item)
    assert (like.ref, like.title) == (None, RULE)
    assert like.reason == "rejected by Priya on 2026-05-05: a tool does it"


def test_a_poisoned_finding_is_shown_and_not_suggested(tmp_path: Path) -> None:
    item = only(tmp_path, {RETRO: retro("Log all\u202e things", confidence="high")})

    assert item.suggested == ""
    assert [suspect.kind.value for suspect in item.suspects] == ["hidden-characters"]


def test_a_proposal_waits_with_what_its_author_said(tmp_path: Path) -> None:
    files = {
        ".remem/proposals/20260505-aaaaaaaa.yaml": "kind: convention\nfields: {rule: Log JSON}\n"
        "evidence: seen twice\nby: Maya\nwhy: an agent proposed it\n"
    }

    item = only(tmp_path, files)

    assert (item.reason, item.kind, item.title) == (Why.PROPOSAL, "convention", "Log JSON")
    assert (item.why, item.evidence) == ("an agent proposed it", ("seen twice", "proposed by Maya"))


def test_what_an_author_says_of_a_conflict_is_no_conflict_that_was_found(tmp_path: Path) -> None:
    claimed = "possible conflict with `sniper:conv-001`"
    files = {
        CONVENTIONS: convention("Always log as JSON"),
        ".remem/proposals/20260505-aaaaaaaa.yaml": "kind: convention\n"
        f'fields: {{rule: Never log as JSON}}\nevidence: "{claimed}"\n',
    }

    item = only(tmp_path, files)
    found = [fact for fact in told(project(tmp_path, files), item) if tells_of_conflict(fact)]

    assert claimed in item.evidence
    assert claimed not in found
    assert [fact.partition(" (")[0] for fact in found] == [claimed]


def test_the_id_of_an_item_stays_while_its_text_does(tmp_path: Path) -> None:
    first = only(tmp_path / "a", {CONVENTIONS: convention(RULE, "candidate")})
    moved = only(tmp_path / "b", {CONVENTIONS: "# new\n" + convention(f"'{RULE}!'", "draft")})
    other = only(tmp_path / "c", {CONVENTIONS: convention("Other", "candidate")})

    assert first.id == moved.id
    assert first.id != other.id
    assert len(first.id) == 12


def test_two_candidates_that_say_the_same_are_two_items(tmp_path: Path) -> None:
    twice = (f"- {{id: conv-00{n}, rule: a, status: candidate}}\n" for n in (1, 2))
    library = project(tmp_path, {CONVENTIONS: "conventions:\n" + "".join(twice)})

    items = queue(library)

    assert [item.ref.id for item in items] == ["conv-001", "conv-002"]
    assert len({item.id for item in items}) == 2


def test_the_same_finding_twice_in_one_retro_is_one_item(tmp_path: Path) -> None:
    twice = retro(RULE) + f'    - {{rule: "{RULE}", recommendation: codify}}\n'

    assert only(tmp_path, {RETRO: twice}).ref.id == "sprint-7-retro/new_conventions/1"


def test_one_gate_failure_of_two_sprints_is_one_item_that_names_both(tmp_path: Path) -> None:
    def failed(sprint: int) -> str:
        return (
            f"sprint: {sprint}\nfindings:\n  review_gate_failures:\n    - {{check: Errors, "
            "failures: 3, pattern: Amounts are floats, already_tracked: false}\n"
        )

    item = only(tmp_path, {RETRO.replace("7", "6"): failed(6), RETRO: failed(7)})

    assert item.group == "sprint-7-retro"
    assert "found in sprint-6-retro too" in item.evidence


def test_listing_candidates_parses_no_other_entry(tmp_path: Path) -> None:
    words = ["confirmed"] * 8 + ["candidate"] + ["confirmed"] * 30
    items = "".join(
        f"  - {{id: ap-{n:03d}, description: Rum {n}, status: {word}}}\n"
        for n, word in enumerate(words, start=1)
    )
    library = project(tmp_path, {ANTI_PATTERNS: f"anti_patterns:\n{items}"})

    waiting = queue(library)

    assert [item.ref.id for item in waiting] == ["ap-009"]
    entries = library.sources[0].entries
    assert isinstance(entries, Lazy)
    assert sum(entries.known(number) is not None for number in range(len(entries))) == 1


def two_rules(first: str, second: str, status: str) -> str:
    return (
        f"conventions:\n  - {{id: conv-001, rule: {first}, status: {status},\n"
        "     source: {type: retro, ref: sprint-3-retro}}\n"
        f"  - {{id: conv-002, rule: {second}, status: candidate,\n"
        "     source: {type: retro, ref: sprint-4-retro}}\n"
    )


@pytest.mark.parametrize(
    ("first", "second", "status", "names"),
    [
        pytest.param(
            "Make queue consumers idempotent",
            "Never make queue consumers idempotent",
            "confirmed",
            1,
            id="what-says-the-opposite",
        ),
        pytest.param(
            "Make queue consumers idempotent",
            "Never make queue consumers idempotent",
            "archived",
            0,
            id="what-rests-conflicts-with-nothing",
        ),
        pytest.param(
            "Проверяй retries в каждом клиенте",
            "Никогда не проверяй retries в клиенте",
            "confirmed",
            1,
            id="a-language-of-which-nobody-listed-how-it-denies",
        ),
    ],
)
def test_approving_tells_of_what_the_card_names(
    tmp_path: Path, first: str, second: str, status: str, names: int
) -> None:
    library = project(tmp_path, {CONVENTIONS: two_rules(first, second, status)})
    (item,) = queue(library)

    told = [note.ref for note in conflicts_of(library, library.entry(item.ref))]

    assert (told, len(told)) == ([*opposed(library, item)], names)
