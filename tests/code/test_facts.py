import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from remem.base.errors import NotPossible
from remem.code.commit_facts import RangeFacts, added_lines, began, between, range_facts, span_of


class Project:
    """A repository that is committed to as people do."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir()
        self.git("init", "-q", "-b", "main")
        self.commit("Begin", {"README.md": "1\n"})
        self.git("tag", "start")

    def git(self, *arguments: str) -> str:
        done = subprocess.run(
            ["git", "-C", str(self.root), *arguments],
            check=True,
            capture_output=True,
            text=True,
            env={
                **os.environ,
                "GIT_CONFIG_GLOBAL": os.devnull,
                "GIT_CONFIG_SYSTEM": os.devnull,
                **{f"GIT_{who}_NAME": "Mara" for who in ("AUTHOR", "COMMITTER")},
                **{f"GIT_{who}_EMAIL": "mara@example.org" for who in ("AUTHOR", "COMMITTER")},
            },
        )
        return done.stdout.strip()

    def commit(self, message: str, files: Mapping[str, str]) -> None:
        for name, text in files.items():
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_text(text)
        self.git("add", ".")
        self.git("commit", "-q", "--allow-empty", "-m", message)

    def branch(self, name: str, *messages: str) -> None:
        """Commit one file for each message on a branch of its own."""
        self.git("checkout", "-q", "-b", name)
        for number, message in enumerate(messages):
            self.commit(message, {f"{name}/{number}.py": "a\nb\n"})

    def merge(self, name: str, *options: str) -> None:
        self.git("checkout", "-q", "main")
        self.git("merge", "-q", "--no-ff", *options, name)

    def sign_head(self) -> None:
        """Give the last commit a signature that whoever looks at it would have checked."""
        head, _, message = self.git("cat-file", "commit", "HEAD").partition("\n\n")
        armour = "-----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----"
        raw = self.root.with_name("commit")
        raw.write_text(f"{head}\ngpgsig {armour}\n\n{message}\n")
        self.git("update-ref", "HEAD", self.git("hash-object", "-t", "commit", "-w", str(raw)))

    def facts(self, asked: str = "start..main", *known: str) -> RangeFacts:
        return range_facts(self.root, asked, known)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path / "project")


def commits_of(found: RangeFacts) -> dict[str, int]:
    return {story.story: len(story.commits) for story in found.stories}


def test_lines_and_files_are_those_of_git(project: Project) -> None:
    project.commit("One\n\nStory: STORY-1", {"a.py": "1\n2\n3\n", "b.py": "1\n"})
    project.commit("Two\n\nStory: STORY-1", {"a.py": "1\n3\n4\n"})

    found = project.facts()

    [story] = found.stories
    assert (story.story, story.files, story.added, story.removed) == ("STORY-1", 2, 5, 1)
    assert (found.files, found.added, found.removed) == (2, 5, 1)
    assert found.base == project.git("rev-parse", "start")
    assert found.head == project.git("rev-parse", "main")
    assert found.unassigned == 0


def test_a_renamed_file_is_one_file_and_no_new_lines(project: Project) -> None:
    text = "".join(f"{number}\n" for number in range(40))
    project.commit("One", {"old name.py": text})
    project.git("tag", "before")
    project.git("mv", "old name.py", "new name.py")
    project.commit("Rename\n\nStory: STORY-1", {})

    [story] = project.facts("before..main").stories

    assert (story.files, story.added, story.removed) == (1, 0, 0)
    assert story.commits[0].files == {"new name.py"}


def test_a_binary_file_counts_as_a_file_without_lines(project: Project) -> None:
    (project.root / "picture").write_bytes(b"\0\1\2" * 50)
    project.commit("Draw\n\nStory: STORY-1", {})

    [story] = project.facts().stories

    assert (story.files, story.added) == (1, 0)


def test_names_of_files_may_hold_any_character(project: Project) -> None:
    names = ["a\nb.py", "tab\there", '\x1equote".py', "näme"]
    project.commit("Odd\n\nStory: STORY-1", dict.fromkeys(names, "1\n"))

    [story] = project.facts().stories

    assert story.commits[0].files == set(names)


def test_a_subject_that_looks_like_the_marks_between_commits_is_a_subject(project: Project) -> None:
    project.commit("\x1edeadbeef\x1f 3\t4\tfile\n\nStory: STORY-1", {"a.py": "1\n"})

    found = project.facts()

    assert len(found.commits) == 1
    assert (found.added, commits_of(found)) == (1, {"STORY-1": 1})


def test_a_merged_branch_brings_its_commits_to_its_story(project: Project) -> None:
    project.branch("story/STORY-201-login", "Log in", "Log out")
    project.merge("story/STORY-201-login")
    project.commit("Typo", {"README.md": "2\n"})
    project.git("branch", "-q", "-D", "story/STORY-201-login")

    found = project.facts()

    assert commits_of(found) == {"STORY-201": 2}
    assert found.unassigned == 1


def test_a_pull_request_names_its_branch(project: Project) -> None:
    project.branch("story/STORY-202", "Work")
    project.merge("story/STORY-202", "-m", "Merge pull request #17 from mara/feature/STORY-202-x")
    project.git("branch", "-q", "-D", "story/STORY-202")

    assert commits_of(project.facts()) == {"STORY-202": 1}


def test_a_branch_that_still_stands_tells_where_the_merge_does_not(project: Project) -> None:
    project.branch("story/STORY-203", "Work")
    project.merge("story/STORY-203", "-m", "Sprint done")

    assert commits_of(project.facts()) == {"STORY-203": 1}


def test_a_range_that_ends_on_a_storys_branch_is_that_story(project: Project) -> None:
    project.branch("story/STORY-204", "Work", "More")

    assert commits_of(project.facts("main..story/STORY-204")) == {"STORY-204": 2}
    assert commits_of(project.facts("main..")) == {"STORY-204": 2}
    project.git("checkout", "-q", "--detach")
    project.git("branch", "-q", "-D", "story/STORY-204")
    assert commits_of(project.facts("main..HEAD")) == {}


def test_a_tag_is_no_story(project: Project) -> None:
    project.commit("Work", {"a.py": "1\n"})
    project.git("tag", "SPRINT-3")

    assert commits_of(project.facts("start..SPRINT-3")) == {}


@pytest.mark.parametrize("name", ["release-2", "v1-2", "sprint-3"])
def test_a_branch_of_another_use_is_no_story(project: Project, name: str) -> None:
    project.branch(name, "Work")
    project.merge(name)

    found = project.facts()

    assert (found.stories, found.unassigned) == ((), 1)


def test_a_storys_branch_that_took_in_main_keeps_to_its_own(project: Project) -> None:
    project.branch("story/STORY-1", "One")
    project.git("checkout", "-q", "main")
    project.branch("story/STORY-2", "Two")
    project.merge("story/STORY-2")
    project.commit("On main", {"m.py": "1\n"})
    project.git("checkout", "-q", "story/STORY-1")
    project.git("merge", "-q", "--no-ff", "main")
    project.commit("One more", {"one.py": "1\n"})
    project.merge("story/STORY-1")

    found = project.facts()

    assert commits_of(found) == {"STORY-1": 2, "STORY-2": 1}
    assert found.unassigned == 1


def test_a_branch_off_a_branch_has_only_what_it_adds(project: Project) -> None:
    project.branch("story/STORY-1", "One")
    project.branch("story/STORY-2", "Two", "Three")
    project.merge("story/STORY-2")

    assert commits_of(project.facts()) == {"STORY-1": 1, "STORY-2": 2}


def test_a_trailer_wins_over_the_branch_and_may_name_two_stories(project: Project) -> None:
    project.branch("story/STORY-1", "One", "Shared\n\nStory: STORY-2\nstory: STORY-3\n")
    project.merge("story/STORY-1")

    found = project.facts()

    assert commits_of(found) == {"STORY-1": 1, "STORY-2": 1, "STORY-3": 1}
    assert found.added == 4


def test_the_stories_that_are_known_are_found_in_any_spelling(project: Project) -> None:
    project.branch("feature/login-page", "One", "Two\n\nStory: LOGIN-PAGE")
    project.merge("feature/login-page")

    assert commits_of(project.facts("start..main", "Login-Page", "page")) == {"Login-Page": 2}


def test_rounds_of_review_are_runs_of_commits_that_answer_one(project: Project) -> None:
    project.branch(
        "story/STORY-1",
        "Log in",
        "fixup! Log in",
        "Address review comments",
        "Log out",
        "squash! Log out",
        "Show reviews of a product",
    )
    project.merge("story/STORY-1")

    [story] = project.facts().stories

    assert story.reviews == 2


@pytest.mark.parametrize(
    "asked",
    ["", "main", "main...start", "--output=x..main", "a b..main", "..\x1b[2J", "start..-x"],
)
def test_what_is_no_range_is_refused_with_how_to_write_one(project: Project, asked: str) -> None:
    with pytest.raises(NotPossible) as caught:
        project.facts(asked)

    assert "`A..B`" in caught.value.hint


def test_a_commit_that_is_not_there_is_named(project: Project) -> None:
    with pytest.raises(NotPossible, match="no commit `v9` here"):
        project.facts("v9..main")


def test_a_folder_without_a_repository_has_no_facts(tmp_path: Path) -> None:
    with pytest.raises(NotPossible):
        range_facts(tmp_path, "A..B")


def test_a_range_without_commits_has_none(project: Project) -> None:
    assert project.facts("main..main").commits == ()


def test_more_commits_than_a_sprint_has_are_refused(project: Project) -> None:
    project.commit("One", {})
    project.commit("Two", {})

    with pytest.raises(NotPossible, match="more than 1 commits"):
        range_facts(project.root, "start..main", most=1)


def test_nothing_of_the_repository_is_run(project: Project) -> None:
    trap = project.root / "trap"
    trap.write_text("#!/bin/sh\ntouch sprung\n")
    trap.chmod(0o755)
    project.commit("One\n\nStory: STORY-1", {".gitattributes": "*.py diff=trap\n", "a.py": "1\n"})
    for key in ("diff.external", "diff.trap.textconv", "diff.trap.command", "core.pager"):
        project.git("config", key, str(trap))
    project.sign_head()
    project.git("config", "gpg.program", str(trap))
    project.git("config", "log.showSignature", "true")

    found = project.facts()
    text = added_lines(project.root, found.commits, 10_000)

    assert "+1" in text
    assert not list(project.root.rglob("sprung"))


def test_the_repository_stays_as_it_was(project: Project) -> None:
    project.commit("One", {"a.py": "1\n"})
    before = {path: path.stat().st_mtime_ns for path in project.root.rglob("*")}

    project.facts()

    assert {path: path.stat().st_mtime_ns for path in project.root.rglob("*")} == before


def test_added_lines_end_with_a_whole_line_at_the_limit(project: Project) -> None:
    project.commit("One", {"a.py": "".join(f"line {n}\n" for n in range(5_000))})

    text = added_lines(project.root, project.facts().commits, 2_000)

    assert 1_900 < len(text) <= 2_000
    assert text.endswith("\n")
    assert text.splitlines()[-1].startswith("+line ")


def test_the_commit_that_brought_a_file_in_is_found(project: Project) -> None:
    project.commit("Retro", {"retros/one.yaml": "sprint: 1\n"})
    brought = project.git("rev-parse", "HEAD")
    project.commit("Edit", {"retros/one.yaml": "sprint: 2\n"})

    assert began(project.root, project.root / "retros/one.yaml") == brought
    assert began(project.root, project.root / "retros/two.yaml") == ""
    assert began(project.root, project.root / "retros/*.yaml") == ""


def test_without_a_repository_nothing_brought_a_file_in(tmp_path: Path) -> None:
    assert began(tmp_path, tmp_path / "one.yaml") == ""


def test_a_commit_belongs_to_the_stories_that_its_subject_names(project: Project) -> None:
    project.commit("feat(S03-S05): rules and their tests", {"a.py": "1\n"})
    project.commit("fix: what S04 left open", {"b.py": "1\n"})
    project.commit("STORY-7: a page of its own", {"c.py": "1\n"})
    project.commit("docs: encode as UTF-8", {"d.py": "1\n"})

    found = project.facts("start..main", "S03", "S04")

    assert commits_of(found) == {"S03": 1, "S04": 2, "S05": 1, "STORY-7": 1}
    assert found.unassigned == 1


def test_a_trailer_says_more_than_the_subject(project: Project) -> None:
    project.commit("feat(S03): rules\n\nStory: S09", {"a.py": "1\n"})

    assert commits_of(project.facts()) == {"S09": 1}


def test_the_commits_of_stories_are_found_though_their_ids_were_used_before(
    project: Project,
) -> None:
    project.commit("feat(S01): of the first attempt", {"old.py": "1\n"})
    project.commit("Begin anew", {"old.py": ""})
    project.git("tag", "anew")
    project.branch("worktree-a", "feat(S01): scaffold", "feat(S02): rules")
    project.merge("worktree-a")
    project.commit("Answer the review", {"a.py": "1\n"})

    asked = span_of(project.root, ["S01", "S02"])

    assert asked == f"{project.git('rev-parse', 'anew')[:12]}..HEAD"
    assert commits_of(project.facts(asked, "S01", "S02")) == {"S01": 1, "S02": 1}
    assert span_of(project.root, ["S77"]) == ""


def test_the_stories_of_an_earlier_sprint_end_where_others_begin(project: Project) -> None:
    project.commit("feat(S01): first", {"a.py": "1\n"})
    project.commit("feat(S11): of the next sprint", {"b.py": "1\n"})

    found = project.facts(span_of(project.root, ["S01"]), "S01")

    assert commits_of(found) == {"S01": 1}


def test_a_range_may_begin_with_the_first_commit(project: Project) -> None:
    assert len(project.facts("root..HEAD").commits) == 1
    assert between(project.root, "2001-01-01").startswith("root..")
    assert between(project.root, "2098-01-01") == ""
