"""A workspace of OpenClaw: what its agent starts with, as OpenClaw 2026.9.6 was seen to hand on."""

import json
from pathlib import Path

import pytest
from tests.plain_files import Repo, layers, left

from remem.core.checks.issues import issues
from remem.core.setup import single_files, trees_of
from remem.model.loader import STOPS
from remem.model.prompt import Prompt, Verdict
from remem.systems.plain.tools.openclaw import OPENCLAW, OPENCLAW_LAYOUTS

WORKSPACE = {
    "AGENTS.md": "- read SOUL.md\n",
    "SOUL.md": "- be kind\n",
    "IDENTITY.md": "- a gull\n",
    "USER.md": "- likes tea\n",
    "BOOTSTRAP.md": "- ask for a name\n",
    "MEMORY.md": "- moved in May\n",
    "TOOLS.md": "- git needs a key\n",
    "HEARTBEAT.md": "- look at the tide\n",
    "memory/2026/may.md": "- it rained\n",
}

_SETTINGS = "~/.openclaw/openclaw.json"


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path).write({name: WORKSPACE[name] for name in ("AGENTS.md", "SOUL.md")})


def said(prompt: Prompt, name: str) -> list[str]:
    layer = next(each for each in prompt.layers if each.name == name)
    return [line.text for line in layer.lines]


def verdict(repo: Repo, prompt: Prompt, name: str, title: str) -> Verdict:
    entry = next(each for each in repo.source(name).entries if each.title == title)
    return next(each for each in prompt.verdicts if each.ref == entry.ref)


def test_its_agent_starts_with_its_files_in_its_order(repo: Repo) -> None:
    start = repo.write(WORKSPACE).start("OpenClaw")

    names = ["AGENTS.md", "SOUL.md", "IDENTITY.md", "USER.md", "BOOTSTRAP.md", "MEMORY.md"]
    assert layers(start) == names


def test_what_older_versions_handed_on_is_not_loaded_and_says_why(repo: Repo) -> None:
    start = repo.write(WORKSPACE).start("OpenClaw")

    assert "since 2026.8.1" in left(start, "TOOLS.md").why
    assert "since 2026.8.1" in left(start, "HEARTBEAT.md").why


def test_daily_notes_are_read_and_loaded_on_request(repo: Repo) -> None:
    start = repo.write(WORKSPACE).start("OpenClaw")

    assert [entry.title for entry in repo.source("memory/2026/may.md").entries] == ["it rained"]
    assert "opens this file itself" in left(start, "memory/2026/may.md").why


@pytest.mark.parametrize(
    "left_out", [{"SOUL.md"}, {"AGENTS.md", "IDENTITY.md"}], ids=["no-soul", "soul-by-itself"]
)
def test_elsewhere_such_names_are_anybodys(tmp_path: Path, left_out: set[str]) -> None:
    files = {name: text for name, text in WORKSPACE.items() if name not in left_out}
    repo = Repo(tmp_path).write(files)

    assert "OpenClaw" not in repo.agents()
    assert not {"TOOLS.md", "USER.md", "MEMORY.md"} & {*repo.names()}


@pytest.mark.parametrize("place", [".openclaw/workspace", ".openclaw-work/workspace-ann"])
def test_where_openclaw_puts_its_workspaces_any_of_its_files_is_enough(
    tmp_path: Path, place: str
) -> None:
    repo = Repo(tmp_path)
    repo.root = repo.home / place
    repo.write({"USER.md": "- likes tea\n"})

    start = repo.start("OpenClaw")

    assert layers(start) == ["USER.md"]
    assert "that `SOUL.md` is missing" in start.unseen


def test_of_several_blank_lines_one_is_handed_on_and_none_at_the_end(repo: Repo) -> None:
    start = repo.write({"SOUL.md": "\n\n\n- kind  \n\n\n\n- calm \n \n\n"}).start("OpenClaw")

    assert said(start, "SOUL.md") == ["", "", "- kind  ", "", "- calm"]
    assert start.left == ()


def test_blank_lines_that_end_in_a_carriage_return_all_stay(repo: Repo) -> None:
    start = repo.write({"SOUL.md": "\ufeff- kind\r\n\r\n\r\n\r\n- calm\r\n"}).start("OpenClaw")

    assert said(start, "SOUL.md") == ["- kind", "", "", "", "- calm"]


def test_of_a_long_file_come_the_beginning_and_the_end(repo: Repo) -> None:
    repo.write({"SOUL.md": "\n".join(f"- kind {at:04}" for at in range(2_500))})

    start = repo.start("OpenClaw")

    lines = said(start, "SOUL.md")
    head = 1_244
    assert (lines[0], lines[-1]) == ("- kind 0000", "- kind 2499")
    # As OpenClaw says itself: "kept 14920+4973 chars of 29999".
    assert len("\n".join(lines[:head])) == 14_920
    assert len("\n".join(lines[head:])) == 4_973
    assert left(start, "SOUL.md").part == "lines 1,244-2,086"
    assert left(start, "SOUL.md").why == (
        "the agent loads only the beginning and end, 20,000 characters together"
    )


def test_the_user_file_has_less_room_and_a_sign_beyond_the_first_plane_counts_twice(
    repo: Repo,
) -> None:
    start = repo.write({"USER.md": "🌊" * 4_500}).start("OpenClaw")

    # Of 9,000 characters of JavaScript it keeps 2,922 and 974.
    assert [len(line) for line in said(start, "USER.md")] == [1_461, 487]


def test_of_long_instructions_the_rules_between_come_too(repo: Repo) -> None:
    rules = "".join(
        f"boats lie at pier {at:04}\n" if at % 10 else f"- pier {at:04} must be free\n\n"
        for at in range(2_000)
    )
    start = repo.write({"AGENTS.md": rules}).start("OpenClaw")

    lines = said(start, "AGENTS.md")
    assert lines.count("- pier 0010 must be free") == 2
    assert verdict(repo, start, "AGENTS.md", "pier 0800 must be free").is_in
    assert not verdict(repo, start, "AGENTS.md", "pier 1700 must be free").is_in
    assert left(start, "AGENTS.md").tokens


def test_all_its_files_share_a_room(repo: Repo) -> None:
    long = "\n".join(f"- full {at:04}" for at in range(3_000))
    files = dict.fromkeys(("AGENTS.md", "SOUL.md", "IDENTITY.md"), long)

    start = repo.write({**files, "USER.md": "- likes tea\n"}).start("OpenClaw")

    assert layers(start) == ["AGENTS.md", "SOUL.md", "IDENTITY.md", "USER.md"]
    again = repo.write({"USER.md": long, "MEMORY.md": long}).start("OpenClaw")
    assert layers(again) == ["AGENTS.md", "SOUL.md", "IDENTITY.md", "USER.md"]
    assert "limit for all files together" in left(again, "MEMORY.md").why


def test_a_link_is_not_followed(repo: Repo) -> None:
    repo.write({"docs/gull.md": "- a gull\n"})
    repo.path("IDENTITY.md").symlink_to("docs/gull.md")

    start = repo.start("OpenClaw")

    assert layers(start) == ["AGENTS.md", "SOUL.md"]
    assert left(start, "docs/gull.md").why == (
        "`IDENTITY.md` is a link, which OpenClaw does not follow"
    )


def test_an_entry_for_one_project_is_left_out_of_memory(repo: Repo) -> None:
    memory = "# Notes\n\n- one\n- two <!-- project: pier -->\n  more\n- three\n"
    start = repo.write({"MEMORY.md": memory}).start("OpenClaw")

    assert said(start, "MEMORY.md") == ["# Notes", "", "- one", "- three"]
    assert left(start, "MEMORY.md").part == "lines 4-5"
    assert "only while the agent works on that" in left(start, "MEMORY.md").why


def test_every_row_names_a_layout_and_is_proven() -> None:
    own = {loads.layout for loads in OPENCLAW.loads} - {"agents-md", "agents-skills"}

    assert own == {layout.name for layout in OPENCLAW_LAYOUTS}
    assert all(loads.proofs for loads in OPENCLAW.loads)


def test_what_begins_a_workspace_is_watched_before_there_is_one(tmp_path: Path) -> None:
    repo = Repo(tmp_path).write({"CLAUDE.md": "- a\n"})
    library = repo.library()

    files = set(single_files(library.ground, library.sources, library.formats))

    assert {repo.path("SOUL.md"), repo.path("IDENTITY.md")} <= files


def test_in_a_workspace_its_files_and_its_folder_of_notes_are_watched(repo: Repo) -> None:
    library = repo.library()

    files = set(single_files(library.ground, library.sources, library.formats))

    assert {repo.path("USER.md"), repo.path("MEMORY.md"), repo.path("BOOTSTRAP.md")} <= files
    assert repo.path("memory") in trees_of(library.ground, library.formats)
    assert repo.root not in trees_of(library.ground, library.formats)


def test_of_its_skills_the_descriptions_are_told_of(repo: Repo) -> None:
    skill = "---\nname: moor\ndescription: Moor a boat\n---\n\nTie it.\n"
    repo.write({"skills/moor/SKILL.md": skill, "skills/sail/SKILL.md": skill})

    start = repo.start("OpenClaw")

    assert "the descriptions of `skills/moor/SKILL.md` and 1 more" in start.unseen
    assert "decides" in left(start, "skills/moor/SKILL.md").why


def test_a_note_on_a_missing_file_takes_room_from_those_behind_it(repo: Repo) -> None:
    full = dict.fromkeys(("SOUL.md", "IDENTITY.md"), "a" * 30000)
    repo.write({"AGENTS.md": "- a\n", **full, "USER.md": "b" * 4_000, "MEMORY.md": "c" * 20_000})

    start = repo.start("OpenClaw")

    # Of 60,000 characters the others take 3, twice 19,999 and 4,000.
    (memory,) = (each for each in start.layers if each.name == "MEMORY.md")
    assert said(start, "USER.md") == ["b" * 4_000]
    assert memory.budget == 15_999 - len(f"[MISSING] Expected at: {repo.root}/BOOTSTRAP.md")


def test_what_an_old_template_quotes_of_heartbeats_is_no_rule(repo: Repo) -> None:
    quoted = (
        "Default heartbeat prompt:\n`Read HEARTBEAT.md if it exists. You must. HEARTBEAT_OK.`\n"
    )
    filler = "".join(f"boats lie at pier {at:04}\n" for at in range(700))
    start = repo.write({"AGENTS.md": f"{filler}\n{quoted}\n{filler}"}).start("OpenClaw")

    assert left(start, "AGENTS.md").tokens
    assert not [line for line in said(start, "AGENTS.md") if "heartbeat" in line.casefold()]


def _set(repo: Repo, said: dict[str, object], **entries: dict[str, object]) -> Repo:
    agents = {"defaults": {"workspace": str(repo.root), **said}, "entries": entries}
    return repo.write({_SETTINGS: json.dumps({"agents": agents})})


def test_what_its_settings_let_a_file_have_is_what_it_gets(repo: Repo) -> None:
    repo.write({"SOUL.md": "a" * 9_000, "USER.md": "b" * 9_000})
    start = _set(repo, {"bootstrapMaxChars": 5_000, "bootstrapTotalMaxChars": 8_000}).start(
        "OpenClaw"
    )

    budgets = {layer.name: layer.budget for layer in start.layers}
    assert budgets["SOUL.md"] == 5_000
    assert budgets["USER.md"] in range(1, 8_000 - 5_000)


def test_an_agents_own_settings_count_in_its_own_workspace_alone(repo: Repo) -> None:
    repo.write({"SOUL.md": "a" * 9_000})
    entries = {"ann": {"workspace": str(repo.root), "bootstrapMaxChars": 4_000}}
    elsewhere = {"bob": {"workspace": "~/other", "bootstrapMaxChars": 3_000}}

    start = _set(repo, {"bootstrapMaxChars": 5_000}, **elsewhere, **entries).start("OpenClaw")

    assert [layer.budget for layer in start.layers if layer.name == "SOUL.md"] == [4_000]


def test_an_agent_in_the_older_list_has_its_own_settings_too(repo: Repo) -> None:
    repo.write({"SOUL.md": "a" * 9_000})
    entry = {"id": "ann", "bootstrapMaxChars": 4_000}
    agents = {"defaults": {"workspace": str(repo.root)}, "list": [entry]}

    start = repo.write({_SETTINGS: json.dumps({"agents": agents})}).start("OpenClaw")

    assert [layer.budget for layer in start.layers if layer.name == "SOUL.md"] == [4_000]
    assert f"whether `{_SETTINGS}` has a key that keeps OpenClaw from starting" in start.unseen


def test_settings_of_another_workspace_say_nothing_of_this_one(repo: Repo) -> None:
    _set(repo, {"workspace": "~/other", "contextInjection": "never"})

    assert repo.start("OpenClaw").text


def test_where_its_settings_hand_nothing_on_the_reason_is_named(repo: Repo) -> None:
    start = _set(repo, {"contextInjection": "never"}).start("OpenClaw")

    assert start.text == ""
    assert left(start, "SOUL.md").why == f"`contextInjection` in `{_SETTINGS}` is `never`"


@pytest.mark.parametrize(
    ("key", "value", "takes"),
    [
        ("bootstrapMaxChars", 0, "a number from 1 on"),
        ("bootstrapTotalMaxChars", "9", "a number from 1 on"),
        ("contextInjection", "sometimes", "`always`, `continuation-skip` or `never`"),
    ],
)
def test_a_value_that_openclaw_does_not_take_keeps_it_from_starting(
    repo: Repo, key: str, value: object, takes: str
) -> None:
    _set(repo, {key: value})

    (problem,) = (each.problem for each in issues(repo.library()) if each.problem.code == STOPS)
    assert problem.message == (
        f"OpenClaw does not start here because of `{_SETTINGS}`: `{key}` in it takes {takes}, and "
        "has something else"
    )
    assert repo.start("OpenClaw").text == ""


def test_settings_that_remem_cannot_read_are_named(repo: Repo) -> None:
    repo.write({_SETTINGS: "{agents: 'a'}"})

    unread = f"what `{_SETTINGS}` says: remem cannot read it"
    assert unread in repo.start("OpenClaw").unseen
