"""When two texts say the same."""

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.demo_files import demo_at
from tests.sniper_files import CONVENTIONS, project

from remem.core.relation.already_said import Matchers, alike, whole_text
from remem.core.relation.matching import Matcher, likeness
from remem.core.relation.normal_form import Alike, Likeness, exact, fingerprint, norm
from remem.core.session import Session
from remem.core.settings import Places
from remem.demo.build import home_of
from remem.model.entry import Entry

WORDS = st.sampled_from(
    ["validate", "the", "input", "of", "every", "form", "before", "a", "call", "never", "3", "not"]
)
RULES = st.lists(WORDS, min_size=1, max_size=14).map(" ".join)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        pytest.param("  Use `uv`,\n not **pip**. ", "use uv, not pip", id="marks-and-blanks"),
        pytest.param("_Always_ run snake_case tests", "always run snake_case tests", id="edges"),
        pytest.param("Straße FULL　ＷＩＤＴＨ", "strasse full width", id="nfkc-casefold"),
        pytest.param("...", "", id="only-punctuation"),
        pytest.param("ends; :!", "ends", id="ends"),
    ],
)
def test_the_normal_form_keeps_only_the_words(text: str, wanted: str) -> None:
    assert norm(text) == wanted


def test_the_fingerprint_is_the_documented_hash_of_kind_and_normal_form() -> None:
    wanted = hashlib.sha256(b"convention\0use uv").hexdigest()

    assert fingerprint("convention", "**Use** `uv`.") == wanted
    assert fingerprint("anti_pattern", "Use uv") != wanted


def test_texts_that_differ_in_marks_only_are_the_same() -> None:
    assert exact("Freeze time in tests.", "freeze `time` in  tests")
    assert likeness("Freeze time in tests.", "freeze time in tests") == Likeness(Alike.EXACT, 1.0)


def test_other_order_of_words_is_near() -> None:
    found = likeness(
        "Before every call the input is validated by the form",
        "The input is validated by the form before every call",
    )

    assert found == Likeness(
        Alike.NEAR, 1.0, because="both say before, call, input, validated, form"
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(
            "Commit the lock file together with every change of the dependencies",
            "Do not commit the lock file together with every change of the dependencies",
            id="english",
        ),
        pytest.param(
            "The worker doesn't retry a failed call to the billing service",
            "The worker does retry a failed call to the billing service",
            id="contraction",
        ),
        pytest.param(
            "Always validate the whole input of a form on the server before it is put in a table",
            "Never validate the whole input of a form on the server before it is put in a table",
            id="always-never",
        ),
        pytest.param(
            "Always avoid global state in modules that are shared between workers and the server",
            "Never avoid global state in modules that are shared between workers and the server",
            id="always-never-with-a-negation-in-both",
        ),
        pytest.param(
            "Retry 3 times before the call fails",
            "Retry 5 times before the call fails",
            id="numbers",
        ),
        pytest.param(
            "Die Migration wird nicht vor dem Start des Dienstes ausgeführt und geprüft",
            "Die Migration wird vor dem Start des Dienstes ausgeführt und geprüft",
            id="german",
        ),
        pytest.param(
            "Les données sont validées par le serveur avec chaque appel du client",
            "Les données ne sont pas validées par le serveur avec chaque appel du client",
            id="french",
        ),
        pytest.param(
            "The worker doesn’t retry a failed call to the billing service",
            "The worker does retry a failed call to the billing service",
            id="typographic-apostrophe",
        ),
    ],
)
def test_near_texts_that_oppose_each_other_are_a_possible_contradiction(
    one: str, other: str
) -> None:
    for found in (likeness(one, other), likeness(other, one)):
        assert found is not None
        assert found.alike is Alike.CONTRADICTION
        assert found.checked


def test_two_negated_texts_do_not_contradict_each_other() -> None:
    found = likeness(
        "Do not commit generated files to the main branch",
        "Do not commit the generated files to the main branch",
    )

    assert found is not None
    assert (found.alike, found.checked) == (Alike.NEAR, True)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(
            "Bisogna convalidare i dati per ogni chiamata del cliente che arriva",
            "Bisogna convalidare i dati per ogni chiamata del cliente che non arriva",
            id="italian",
        ),
        pytest.param(
            "Проверяйте данные формы перед каждым вызовом сервиса",
            "Проверяйте все данные формы перед каждым вызовом сервиса",
            id="russian",
        ),
    ],
)
def test_a_language_without_a_list_of_negations_is_not_checked(one: str, other: str) -> None:
    found = likeness(one, other)

    assert found is not None
    assert (found.alike, found.checked) == (Alike.NEAR, False)


def test_short_english_rules_are_checked_without_common_words() -> None:
    found = likeness(
        "Validate form input strictly, server side", "Validate form inputs strictly, server side"
    )

    assert found is not None
    assert (found.alike, found.checked) == (Alike.NEAR, True)


@pytest.mark.parametrize(
    ("one", "other"), [("", ""), ("...", "!"), ("Freeze time", "Log JSON lines")]
)
def test_texts_with_nothing_in_common_or_nothing_at_all_are_not_alike(one: str, other: str) -> None:
    assert likeness(one, other) is None


@given(RULES, RULES)
def test_likeness_does_not_depend_on_who_is_asked_first(one: str, other: str) -> None:
    assert likeness(one, other) == likeness(other, one)


@given(st.lists(RULES, max_size=8), RULES)
def test_the_matcher_finds_what_comparing_one_by_one_finds(texts: list[str], wanted: str) -> None:
    matcher = Matcher(enumerate(texts))

    found = {match.key: match.likeness for match in matcher.like(wanted)}

    one_by_one = {key: likeness(wanted, text) for key, text in enumerate(texts)}
    assert found == {key: like for key, like in one_by_one.items() if like is not None}


def test_the_matcher_gives_the_same_text_first_and_then_the_most_alike() -> None:
    texts = {
        "other": "Log JSON lines to standard output",
        "far": "Validate all of the input of the form before a call",
        "same": "validate the input of the form before the call.",
        "close": "Validate the inputs of the form before the call",
    }

    found = Matcher(texts.items()).like("Validate the input of the form before the call")

    assert [match.key for match in found] == ["same", "far", "close"]


@given(
    st.lists(st.lists(RULES | st.just(""), max_size=6), min_size=2, max_size=4),
    st.lists(RULES, min_size=1, max_size=2),
)
def test_a_matcher_that_takes_over_finds_what_a_new_one_finds(
    versions: list[list[str]], wanted: list[str]
) -> None:
    matcher: Matcher[int] | None = None

    for texts in versions:
        matcher = Matcher(enumerate(texts), matcher)
        for text in wanted:
            assert matcher.like(text) == Matcher(enumerate(texts)).like(text)
            assert matcher.like(text) == matcher.like(text)


class Slow(list[Entry]):
    """Entries that another thread may begin to read before this one is done."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        super().__init__(entries)
        self.read = 0
        self.again = Event()

    def __iter__(self) -> Iterator[Entry]:
        self.read += 1
        if self.read > 1:
            self.again.set()
        self.again.wait(0.2)
        return super().__iter__()


def test_two_threads_that_ask_for_what_is_alike_read_the_entries_once(tmp_path: Path) -> None:
    library = project(tmp_path, {CONVENTIONS: "conventions:\n  - rule: Use zod\n"})
    source = next(each for each in library.sources if len(each.entries))
    entries = Slow(source.entries)
    sources = (replace(source, entries=entries),)
    matchers = Matchers()

    with ThreadPoolExecutor() as threads:
        made = [threads.submit(matchers.of, "convention", sources) for _ in range(2)]
        one, other = (each.result() for each in made)

    assert one is other
    assert entries.read == 1


@given(st.text(" _*`a-Ü\t\n.ﬁ\u2028", max_size=12))
def test_the_short_way_to_the_normal_form_is_the_long_way(text: str) -> None:
    folded = unicodedata.normalize("NFKC", text).casefold().replace("`", "").replace("*", "")
    bare = re.sub(r"(?<![^\W_])_+|_+(?![^\W_])", "", folded)

    assert norm(text) == re.sub(r"\s+", " ", bare).strip(" .,;:!")


def test_one_sentence_that_denies_another_sets_no_page_against_a_page() -> None:
    page = " ".join(f"The fare of leg {n} is kept with its ticket." for n in range(30))

    assert likeness("Cache the timetable", "Never cache the timetable") is not None
    one, other = f"{page} Cache the timetable.", f"{page} Never cache the timetable."
    found = likeness(one, other)

    assert found is None or found.alike is Alike.NEAR


def test_every_entry_of_many_files_is_found_by_its_own_text(tmp_path: Path) -> None:
    demo = demo_at(tmp_path / "demo")
    session = Session.open(demo, Places.of(home_of(demo)), door="cli")
    library = session.library
    lost = [
        entry.ref
        for source in library.sources
        for entry in source.entries
        if norm(text := whole_text(source, entry))
        and not any(
            known.entry.ref == entry.ref and known.alike is Alike.EXACT
            for known in alike(library, entry.kind, text)
        )
    ]
    session.close()

    assert sum(bool(len(source.entries)) for source in library.sources) > 10
    assert lost == []
