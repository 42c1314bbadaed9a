"""A path lies in a glob or not, however the glob is held."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from remem.model.globs import is_inside

PIECES = st.sampled_from(["a", "b", "/", "*", "**", "**/", "?", "[ab]", "[!a]", ".", "{a,b}", "\n"])


def fits(path: str, glob: str) -> bool:
    """Read a glob without braces by its words, trying every way."""
    if not glob:
        return not path
    if glob.startswith("**"):
        rest = glob.lstrip("*")
        if not rest.startswith("/"):
            return any(fits(path[at:], rest) for at in range(len(path) + 1))
        starts = [0, *(at + 1 for at, sign in enumerate(path) if sign == "/")]
        return any(fits(path[at:], rest[1:]) for at in starts)
    if glob[0] == "*":
        return fits(path, glob[1:]) or (path[:1] not in ("", "/") and fits(path[1:], glob))
    if not path:
        return False
    if glob.startswith("[") and "]" in glob[2:]:
        end = glob.index("]", 2)
        signs = glob[1:end]
        has = path[0] not in signs[1:] if signs.startswith("!") else path[0] in signs
        return path[0] != "/" and has and fits(path[1:], glob[end + 1 :])
    same = path[0] == glob[0] if glob[0] != "?" else path[0] != "/"
    return same and fits(path[1:], glob[1:])


@settings(max_examples=600, deadline=None)
@given(
    parts=st.lists(PIECES, min_size=1, max_size=7),
    path=st.text("ab/.\n", max_size=8).filter(lambda path: not path.startswith("./")),
)
@example(parts=["a", "/", "**/", "b", "/", "**/", "*", ".", "a"], path="a/x/b/c.a")
@example(parts=["**/", "a", "/", "**"], path="a/")
@example(parts=["**", "/", "**", "/", "**", "/", "**", "/", "a"], path="a")
def test_a_glob_means_what_its_words_say(parts: list[str], path: str) -> None:
    glob = "".join(parts)
    ways = [glob.replace("{a,b}", each) for each in "ab"] if glob.count("{a,b}") == 1 else [glob]
    if glob.count("{a,b}") > 1 or glob.startswith("./"):
        return

    assert is_inside(path, glob) is (path == glob or any(fits(path, each) for each in ways))


@pytest.mark.parametrize("stars", [3, 4, 30])
def test_a_glob_that_nearly_fits_takes_no_time(stars: int) -> None:
    assert not is_inside("a" * 300, "a*" * stars + "b*")


def test_a_file_of_any_folder_may_lie_at_the_root() -> None:
    assert is_inside("main.py", "**/main.py")
    assert is_inside("src/main.py", "**/main.py")
    assert not is_inside("domain.py", "**/main.py")
    assert not is_inside("src/ab/c.py", "src/**/b/*.py")
