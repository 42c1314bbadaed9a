"""Patterns as `.gitignore` has them are taken as git itself takes them."""

import subprocess
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from remem.model.ignored import is_ignored


@pytest.mark.parametrize(
    ("patterns", "path", "is_out"),
    [
        (["*.md"], "docs/a.md", True),
        (["/a.md"], "docs/a.md", False),
        (["docs"], "docs/a.md", True),
        (["docs/"], "docs", False),
        (["*.md", "!a.md"], "docs/a.md", False),
        (["!a.md", "*.md"], "docs/a.md", True),
        (["docs", "!docs/a.md"], "docs/a.md", True),
        (["{a,b}.md"], "a.md", False),
        (["A.md "], "a.MD", True),
        (["#a.md"], "#a.md", False),
        ([r"\#a.md"], "#a.md", True),
        ([r"\*.md"], "a.md", False),
        (["docs/**/a.md"], "docs/a.md", True),
        (["doc**/a.md"], "docs/x/a.md", False),
        (["", "!", "/"], "a.md", False),
        (["./a.md"], "a.md", False),
        (["docs//a.md"], "docs/a.md", True),
        (["[!a].md"], "a.md", True),
        (["[^b].md"], "a.md", False),
    ],
)
def test_a_pattern_keeps_out_what_it_is_about(patterns: list[str], path: str, is_out: bool) -> None:
    assert is_ignored(path, patterns) is is_out


_PART = st.text(alphabet="ab*?!", min_size=1, max_size=3)
_PATTERN = st.builds(
    lambda first, parts, last: first + "/".join(parts) + last,
    st.sampled_from(["", "", "/", "!", "**/"]),
    st.lists(st.one_of(_PART, st.sampled_from(["**", "[ab]", r"\*"])), min_size=1, max_size=3),
    st.sampled_from(["", "", "/", "/**"]),
)
_NAME = st.text(alphabet="ab!", min_size=1, max_size=2)
_PATH = st.lists(_NAME, min_size=1, max_size=3).map("/".join)


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    at = tmp_path_factory.mktemp("checkout")
    subprocess.run(["git", "init", "-q", str(at)], check=True)
    return at


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(_PATTERN, min_size=1, max_size=3), st.lists(_PATH, min_size=8, max_size=8))
def test_what_git_ignores_is_ignored(checkout: Path, patterns: list[str], paths: list[str]) -> None:
    (checkout / ".gitignore").write_text("\n".join(patterns) + "\n")
    said = subprocess.run(
        ["git", "check-ignore", "--no-index", "--stdin", "-z"],
        cwd=checkout,
        input="\0".join(paths),
        capture_output=True,
        text=True,
        check=False,
    )
    ignored = {*filter(None, said.stdout.split("\0"))}
    assert {path for path in paths if is_ignored(path, patterns)} == ignored


def test_many_stars_cost_no_more_than_the_path_is_long() -> None:
    begun = time.process_time()
    assert not is_ignored("a" * 200, ["*a" * 20 + "*b"])
    assert time.process_time() - begun < 2
