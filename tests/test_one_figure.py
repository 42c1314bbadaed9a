"""What two places of remem tell of one thing is the same: one figure, one reason, one order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.cli.conftest import Shell, document_of

from remem.base.clock import Clock
from remem.cli.impact import impact_of
from remem.core.checks.attention import findings, is_dangerous
from remem.core.checks.issues import issues
from remem.core.checks.suspicious import HIDDEN_CHARACTERS
from remem.core.prompt.agents import agents_of
from remem.core.prompt.asks import WHO_IS_EVERYONE
from remem.core.session import Session
from remem.core.settings import Places
from remem.core.verbs.verbs import REMOVE
from remem.core.waiting.item import Item
from remem.demo.build import build_crew, build_demo, home_of
from remem.model.change import Intent, Json
from remem.store.changes.hunks import file_diff
from remem.store.changes.preview import FilePreview
from remem.systems.personas.persona_verbs import PERSONA_RENAME
from remem.systems.personas.team.team_table import team
from remem.systems.sniper.estimates import EstimatesView, SprintPoint
from remem.systems.sniper.retro import retro_entries
from remem.views import signs
from remem.views.entries.browse import everyone_in, source_tree, tokens_of
from remem.views.entries.entry_details import persona_lines
from remem.views.estimates import estimate_lines
from remem.views.glyphs import UNICODE
from remem.views.health import health_items
from remem.views.plan import short_plan
from remem.views.prompts.memory_document import weigh
from remem.views.prompts.plan_impact import reach_lines
from remem.views.review.compare_retros import comparison_board
from remem.views.review.groups import board, in_order
from remem.views.review.impact import RoleImpact
from remem.views.review.item_card import Card, brief_lines, card
from remem.views.review.retro import head_line
from remem.views.spans import Span, Tone
from remem.views.start import worth_row
from remem.views.team import start_lines, team_rows
from remem.views.wrapping import wrap

NOW = datetime(2026, 5, 4, 9, 30, tzinfo=UTC)


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """The demo after a night."""
    clock = Clock(lambda: NOW)
    project = build_demo(tmp_path_factory.mktemp("one") / "demo", clock, night=True)
    found = Session.open(project, Places.of(home_of(project)), door="tui", clock=clock)
    found.load_counter()
    yield found
    found.close()


def titled(session: Session, words: str) -> Item:
    return next(each for each in session.queue() if words in each.title)


def drawn(session: Session, words: str) -> Card:
    return card(session, titled(session, words), {})


def told(rows: object) -> dict[str, str]:
    return {
        "".join(part.text for part in row.label).strip(): "".join(p.text for p in row.right)
        for row in rows  # type: ignore[attr-defined]
    }


@pytest.mark.parametrize(
    "words", ["Spreadsheets end with", "only on a fast line", "berth closures"]
)
def test_a_card_counts_whole_prompts_in_every_column_where_one_has_to(
    session: Session, words: str
) -> None:
    found = drawn(session, words)
    columns = [outlook.impacts for outlook in found.outlooks if outlook.impacts]

    whole = {ask.role: session.compose(ask).tokens for ask in session.asks()}

    assert len(columns) > 1
    for column in columns:
        assert {each.role: (each.now, each.budget) for each in column} == {
            each.role: (whole[each.role], 0) for each in column
        }
    assert any(each.after > each.now for column in columns for each in column)


def test_no_card_mixes_memory_with_whole_prompts(session: Session) -> None:
    for item in session.queue():
        impacts = [each for out in card(session, item, {}).outlooks for each in out.impacts]

        now = {(each.role, each.now) for each in impacts}
        assert len({role for role, _ in now}) == len(now), item.title
        assert len({each.budget > 0 for each in impacts}) <= 1, item.title


def test_a_dry_run_and_the_queue_say_what_their_tokens_are_of(session: Session) -> None:
    shell = Shell(session.root, session.places.home)
    learning = titled(session, "only on a fast line").id
    rule = titled(session, "Slices end at something").id

    page = shell("approve", learning, "--dry-run").out
    reach = shell("approve", learning, "--dry-run", "--json").document["reach"]
    lines = shell("queue", "--impact").out

    assert "WHO\tWHOLE PROMPT NOW\tAFTER\tBUDGET\tWHAT\n" in page
    assert {each["measure"] for each in reach if each["role"]} == {"whole prompt"}
    assert "WHO\tMEMORY NOW\t" in shell("approve", rule, "--dry-run").out
    assert "backend-engineer: memory 791 → " in lines
    assert " of 800 (" in lines
    assert "architect: whole prompt 521 → 537 tokens (+16)" in lines


def test_the_queue_lists_items_in_the_order_of_review(session: Session) -> None:
    items = session.queue()
    shell = Shell(session.root, session.places.home)

    rows = [row.key for row in board(session.library, items, ()).rows]
    listed = [each["id"] for each in shell("queue", "--json").document["items"]]

    in_review = [key for key in rows if key in {each.id for each in items}]
    assert [each.id for each in in_order(session.library, items)] == in_review
    assert [each for each in listed if each in in_review] == in_review
    assert in_review != [each.id for each in items]


@pytest.mark.parametrize(
    ("words", "begins", "like"),
    [
        ("Retries use a budget", "candidate `sniper:conv-019` seen again", "Tomasz/project#"),
        ("Sharing one database", "the retro recommends it, 4 occurrences", "Ines/project#"),
    ],
)
def test_an_item_says_why_nothing_is_suggested(
    session: Session, words: str, begins: str, like: str
) -> None:
    shell = Shell(session.root, session.places.home)
    item = next(e for e in session.queue() if words in e.title and "retro" in e.group)

    page = shell("retro", "ingest", "--sprint", "7", "--dry-run").out

    assert item.suggested == ""
    assert item.why.startswith(f"{begins}, similar to `persona@night-watch:{like}")
    assert item.why.endswith(" (and 1 more): nothing is suggested")
    assert f"          {item.why.split(', ')[-1].partition(': nothing')[0]}: both say " in page
    assert f"to review: {item.why}\n" in shell("retro", "show", "7").out
    assert item.why in shell("queue").out


def test_what_estimates_can_take_is_called_so_in_every_list_of_retros(session: Session) -> None:
    library, items = session.library, session.queue()
    known = retro_entries.held(library)

    in_review = told(board(library, items, ()).rows)
    compared = told(comparison_board(library, items, *known[-2:])[0].rows)
    page = Shell(session.root, session.places.home)("retro", "diff").out

    title = next(each for each in in_review if each.startswith("SLIP-131"))
    assert in_review[title] == compared[title] == "can go into estimates"
    assert in_review["estimation"].endswith(" can go into estimates")
    assert "it is about estimates, and can be applied to them" in page


@pytest.fixture(scope="module")
def crew(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """The team of thirty."""
    project = build_crew(tmp_path_factory.mktemp("team") / "demo")
    clock = Clock(lambda: NOW)
    found = Session.open(project, Places.of(home_of(project)), door="tui", clock=clock)
    found.load_counter()
    yield found
    found.close()


def test_details_of_a_persona_come_to_the_tokens_of_its_row(crew: Session) -> None:
    member = next(each for each in team(crew.library, crew.counter) if each.name == "Amadi")

    lines = [line.text for line in start_lines(crew, member, UNICODE)]
    own = [line.text for line in persona_lines(member.persona, crew.library, crew.counter, UNICODE)]

    listed = [line for line in (*own, *lines) if "  " in line and " never loaded" not in line]
    found = [match for line in listed if (match := re.search(r"([\d,]+) tokens", line))]
    tokens = [int(match[1].replace(",", "")) for match in found]
    assert any(".squad/decisions.md" in line for line in lines)
    assert abs(sum(tokens) - member.tokens) <= len(tokens)
    assert f"≈{member.tokens:,} tokens at startup in all" in lines
    assert not [line for line in own if re.search(r" [\d,]+ tokens", line)], "as exact as the row"
    assert (
        lines[-1]
        == "1 lesson similar to those of others, as Health lists: Brannoc 1, Quentin 1, Zelda 1"
    )


def test_renaming_tells_the_start_of_the_persona_and_counts_who_reads_other_words(
    crew: Session,
) -> None:
    shell = Shell(crew.root, crew.places.home)

    page = shell("persona", "rename", "Anouk", "Solveig", "--dry-run", "--with-references")

    rows = page.out.split("WHO\t")[1].splitlines()[1:]
    assert [row.split("\t")[0] for row in rows] == ["anouk → solveig · Squad"]
    assert "other words, tokens unchanged: 29 agents" in page.err


def test_a_plan_and_the_command_line_tell_the_same_agents_of_a_rename(crew: Session) -> None:
    change = crew.plan(Intent(PERSONA_RENAME.id, {}, {"persona": "Anouk", "to": "Solveig"}))

    lines = [line.text for line in reach_lines(crew, [change])]

    named = next(each for each in impact_of(crew, change) if "→" in each.agent)
    (line,) = (each for each in lines if named.agent in each)
    assert f"{named.before:,} → " in line
    assert f"{named.after:,}" in line
    assert not [each for each in lines if "persona@squad:anouk" in each]


def test_figures_of_a_plan_stand_below_each_other_with_their_unit(session: Session) -> None:
    library = session.library
    entry = next(e for e in library.entries() if library.short(e.ref) == "sniper:conv-009")
    change = session.plan(Intent(REMOVE.id, {entry.ref: entry.digest}))

    lines = [line.text for line in reach_lines(session, [change]) if " → " in line.text]

    assert {re.sub(r" +", " ", line) for line in lines} >= {
        "architect memory 255 → 230 / 800 tokens -25",
        "developer memory 790 → 794 / 800 tokens +4",
    }
    for column in ("  memory", " → ", " / 800 tokens"):
        assert len({line.index(column) for line in lines}) == 1
    assert len({len(line) for line in lines}) == 1


def test_the_rest_of_what_a_file_gets_hangs_under_its_name(session: Session) -> None:
    item = titled(session, "Tests of a timetable")
    change = session.plan(Intent("approve", {item.ref: item.digest}))

    lines = short_plan(session, session.preview(change))

    (told,) = (line for line in lines if line.text.endswith(" at the end, nothing else"))
    assert [piece.indent for piece in wrap(told.text, 40, told.hang)] == [0, 2]


@pytest.mark.parametrize(
    ("action", "after", "told"),
    [
        ("removes", b"", "Approve removes notes.md -2 lines"),
        ("edits", b"", "Approve writes notes.md -2 lines"),
        ("edits", b"c\n", "Approve writes notes.md -2 +1 lines"),
    ],
)
def test_a_file_that_is_removed_is_told_so_and_nothing_comes_that_is_none(
    session: Session, action: str, after: bytes, told: str
) -> None:
    preview = FilePreview(session.root / "notes.md", action, file_diff(b"a\nb\n", after))
    found = drawn(session, "Tests of a timetable")
    first = replace(found.outlooks[0], title="Approve", previews=(preview,))

    head, *_ = brief_lines(session, replace(found, outlooks=(first,)))

    assert head.text == told


def test_what_leaves_a_prompt_stands_below_what_a_verb_writes(session: Session) -> None:
    role = RoleImpact("pilot", 700, 705, 800)
    drops = replace(role, role="mate", after=698, pushed_out=("ap-1 Grey text", "ap-2 Nets"))
    found = drawn(session, "Tests of a timetable")

    def third(*impacts: RoleImpact) -> str:
        first = replace(found.outlooks[0], impacts=impacts)
        return brief_lines(session, replace(found, outlooks=(first,)))[2].text

    assert third(replace(role, after=700)) == ""
    assert third(role) == "in prompts: pilot +5 tokens"
    assert third(role, drops) == (
        "in prompts: mate -2 tokens, 1 more · drops ap-1 Grey text and 1 more"
    )
    assert third(replace(role, after=700, no_room=("ap-3 Ropes",))) == (
        "in prompts: pilot ±0 tokens · over budget: ap-3 Ropes"
    )


def test_estimates_have_their_noun_and_no_head_over_bars_that_are_not_drawn() -> None:
    point = SprintPoint("sprint-6-retro", 6, "2026-04-20", None, None, 2, 1)
    measured = replace(point, estimated=10, actual=12)
    found = EstimatesView(0.85, "2026-04-06", 5, (), (point,), None)

    bare = [line.text for line in estimate_lines(found, UNICODE)]
    drawn = [line.text for line in estimate_lines(replace(found, sprints=(measured,)), UNICODE)]

    assert bare[1] == "a story of 5 points takes about 5.9 points"
    assert bare[3].split() == ["factor", "misses"]
    assert drawn[3].split() == ["factor", "1.0", "misses"]
    assert bare[3].index("misses") == bare[4].index("↑↑ ↓")


def test_a_retro_is_called_in_one_tone_in_the_queue_and_on_its_cards(session: Session) -> None:
    queue = board(session.library, session.queue(), ())
    listed = next(row for row in queue.rows if row.is_header)

    name = head_line(next(iter(queue.heads.values())))[0]

    assert listed.label[0] == Span(name.text)  # a head of a list is drawn as a heading
    assert name.tone is Tone.HEADING


@pytest.mark.parametrize(
    ("verb", "told", "says"),
    [
        ("persona.archive", {"persona": "Anouk"}, "anouk · Squad no longer starts"),
        ("persona.merge", {"persona": "Anouk", "into": "Zelda"}, "anouk · Squad no longer starts"),
        ("persona.restore", {"persona": "delphi"}, "delphi · Squad starts now"),
        ("persona.new", {"persona": "Zed", "layout": "squad"}, "zed · Squad starts now"),
    ],
)
def test_a_plan_and_the_command_line_tell_who_no_longer_starts_and_who_starts_now(
    crew: Session, verb: str, told: dict[str, Json], says: str
) -> None:
    change = crew.plan(Intent(verb, {}, told))

    lines = [line.text for line in reach_lines(crew, [change])]

    first = next(each for each in impact_of(crew, change) if each.agent)
    tokens = max(first.before, first.after)
    about = "" if first.exact else "≈"
    assert lines[0] == f"{says} (whole prompt {about}{tokens:,} tokens)"
    assert 0 in (first.before, first.after)
    assert first.starts in says
    assert [each for each in impact_of(crew, change) if each.starts] == [first]


def test_entries_in_archives_are_counted_apart_from_those_in_use(crew: Session) -> None:
    def told() -> str:
        library = crew.library
        nodes = source_tree(library, everyone_in(library), crew.counter, documents=False)
        return "".join(part.text for part in nodes[0].right)

    before = told()
    crew.apply(Intent("persona.merge", {}, {"persona": "Anouk", "into": "Zelda"}))
    after = told()
    crew.undo()

    used, _, away = before.partition(" + ")
    kept = int(away.removesuffix(" archived")) + 19
    assert after == f"{used} + {kept} archived"


def test_a_file_has_one_figure_on_start_in_browse_and_on_the_command_line(crew: Session) -> None:
    agent = next(each for each in crew.agents() if each.name == "anouk")
    sources = {source.path: source for source in crew.library.sources}

    page = Shell(crew.root, crew.places.home)("persona", "show", "Anouk", "--json")
    shown = document_of(page, "persona-show")

    told = {each["path"]: each["tokens"] for each in shown["persona"]["files"]}
    own = [each for each in agent.files if str(each.path) in told]
    assert len(own) == 2
    for each in own:
        assert tokens_of(sources[each.path], crew.counter) == each.total == told[str(each.path)]


def test_one_problem_has_one_sign_on_start_and_on_health(session: Session) -> None:
    first = findings(session.library, session.agents(), session.counter, 0, issues(session.library))

    on_health = {
        each.problem.message: is_dangerous(each.problem)
        for each in health_items(session, session.agents(), thorough=True)
    }

    hidden = [each for each in first.first if each.problem.code == HIDDEN_CHARACTERS]
    assert len(hidden) > 1
    for each in hidden:
        assert worth_row(each, "", "").glyph == signs.DANGER.drawn
        assert on_health[each.problem.message]


def test_a_team_of_nobody_is_told_apart_from_one_that_is_still_read() -> None:
    def heading(*, is_read: bool) -> str:
        return "".join(part.text for part in team_rows((), "name", is_read=is_read).row(0).label)

    assert heading(is_read=True).strip().startswith("no personas")
    assert heading(is_read=False).strip().startswith("reading …")


def test_memory_in_a_place_that_the_agent_does_not_load_is_nowhere_called_loaded(
    tmp_path: Path,
) -> None:
    root = tmp_path / "shop"
    charter, team = "# Nora\n\nKeeps the books.\n", "# Team\n"
    for folder in (".squad", ".ai-team"):
        (root / folder / "agents/nora").mkdir(parents=True)
        (root / folder / "team.md").write_text(team)
        (root / folder / "agents/nora/charter.md").write_text(charter)
    (root / ".squad/agents/nora/history.md").write_text("# Nora\n\n## Learnings\n\n- Count twice\n")
    (root / ".ai-team/agents/nora/history.md").write_text("# Nora\n\n## Learnings\n\n- Old news\n")
    session = Session.open(root, Places.of(tmp_path / "home"), door="tui")
    session.load_counter()
    (nora,) = (each for each in everyone_in(session.library) if each.name.casefold() == "nora")
    old = next(s for s in nora.sources if s.path.parts[-4:-3] == (".ai-team",) and s.entries)

    weights = weigh(session, old, loaded=True)
    told = [line.text for line in persona_lines(nora, session.library, session.counter, UNICODE)]
    (start,) = (each for each in agents_of(session.library) if each.name.casefold() == "nora")
    why = session.why(old.entries[0].ref, start.ask, as_loaded=True)
    session.close()

    assert not why.is_in
    assert not any(verdict.is_in for verdict in weights.verdicts.values())
    assert weights.budget == "not loaded at startup"
    assert any("ai-team: nora/history.md" in x and "not loaded: the agent" in x for x in told)
    assert "move it to a file that is loaded at startup" in " ".join(why.sentences)


def test_the_history_names_who_wrote_what_the_inbox_knows_the_writer_of(session: Session) -> None:
    outside = session.past.outside()
    writers = session.writers(outside)
    names = {each.path.name: writers[each.name] for each in outside}

    assert names["MEMORY.md"] == "hook of release-captain"
    assert {who for name, who in names.items() if name != "MEMORY.md"} == {"another program"}


def test_a_plan_and_the_command_line_say_who_everyone_is_where_no_role_is_named(
    tmp_path: Path,
) -> None:
    shell = Shell(tmp_path / "shop", tmp_path / "home")
    shell.root.mkdir()
    shell.home.mkdir()
    shell("add", "convention", "Retries have a limit", "--set", "status=candidate")
    bench = Session.open(shell.root, Places.of(shell.home), door="cli")
    (item,) = bench.queue()

    change = bench.plan(Intent("approve", {item.ref: item.digest}))

    lines = [line.text for line in reach_lines(bench, [change])]
    assert re.fullmatch(r"everyone  memory ≈[\d,]+ → ≈[\d,]+ / [\d,]+ tokens \+\d+", lines[0])
    assert WHO_IS_EVERYONE in lines
    assert WHO_IS_EVERYONE in shell("approve", item.id, "--dry-run").err
    bench.close()
