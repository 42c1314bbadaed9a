"""What entries gave to a layer is kept from one snapshot to the next, and nobody sees it."""

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.sniper_files import CONVENTIONS, project

from remem.core.library import Library
from remem.model.prompt import Piece, Verdict
from remem.systems.sniper.layer import Given

ROLES = (("backend-engineer",), ("qa", "architect"), ())
ITEMS = st.lists(
    st.builds(
        "  - {{id: conv-{:03d}, rule: No {}, status: {}, applies_to: [{}]}}\n".format,
        st.integers(1, 6),
        st.integers(0, 3),
        st.sampled_from(["confirmed", "candidate"]),
        st.sampled_from(["", "qa", "backend-dev", "backend-engineer, qa"]),
    ),
    min_size=1,
    max_size=7,
)


def offered(given_: Given, library: Library, asked: tuple[str, ...]) -> list[Piece | Verdict]:
    (source,) = (each for each in library.sources if each.part == "conventions")
    return given_.by(source, asked)


@settings(max_examples=60, deadline=None)
@given(
    versions=st.lists(ITEMS, min_size=2, max_size=4),
    asked=st.lists(st.sampled_from(ROLES), min_size=4, max_size=4),
    most=st.sampled_from([0, 3, 1_000]),
)
def test_what_is_kept_changes_no_offer(
    versions: list[list[str]], asked: list[tuple[str, ...]], most: int
) -> None:
    kept = Given(most)
    with TemporaryDirectory() as folder:
        library = project(Path(folder), {CONVENTIONS: "conventions: []\n"})
        for version, roles in zip(versions, asked, strict=False):
            (library.ground.root / CONVENTIONS).write_text("conventions:\n" + "".join(version))
            library = library.refresh()

            found = [offered(kept, library, roles) for _ in range(2)]

            assert found == [offered(Given(), library, roles)] * 2


def test_an_entry_that_stayed_gives_the_same_object(tmp_path: Path) -> None:
    head = "conventions:\n  - {id: conv-001, rule: First}\n  - {id: conv-002, rule: Second}\n"
    library, kept = project(tmp_path, {CONVENTIONS: head}), Given()
    first, _ = offered(kept, library, ())

    (library.ground.root / CONVENTIONS).write_text(f"{head}  - {{id: conv-003, rule: Third}}\n")
    again, _, third = offered(kept, library.refresh(), ())

    assert again is first
    assert isinstance(third, Piece)


def test_whoever_does_not_get_an_entry_is_told_so_by_one_object(tmp_path: Path) -> None:
    """A hundred thousand entries are refused to several roles at once, and all of it is kept."""
    items = "".join(f"  - {{id: conv-{n:03d}, rule: No {n}, applies_to: [qa]}}\n" for n in (1, 2))
    library, kept = project(tmp_path, {CONVENTIONS: f"conventions:\n{items}"}), Given()

    one, two = offered(kept, library, ("architect",))
    again = offered(kept, library, ("backend-engineer",))

    assert isinstance(one, Verdict)
    assert isinstance(two, Verdict)
    assert one.detail is two.detail
    assert again[0] is one
    assert again[1] is two


def test_what_was_asked_for_longest_ago_is_let_go_first(tmp_path: Path) -> None:
    store = "conventions:\n  - {id: conv-001, rule: First}\n"
    kept, one, two, three = (
        Given(most=2),
        *(project(tmp_path / name, {CONVENTIONS: store}) for name in ("one", "two", "three")),
    )
    (first,), (second,) = offered(kept, one, ()), offered(kept, two, ())
    offered(kept, one, ())

    offered(kept, three, ())

    assert offered(kept, one, ())[0] is first
    assert offered(kept, two, ())[0] is not second
