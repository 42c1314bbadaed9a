"""How two texts relate: what each rule of the comparison is for."""

import gc
import tracemalloc
from itertools import pairwise
from random import Random

import pytest

from remem.core.relation.relation import Related, relate
from remem.core.relation.subject import InForce, Standing

CONFLICT, SIMILAR, DIFFERENT = Related.CONFLICT, Related.SIMILAR, Related.DIFFERENT


@pytest.mark.parametrize(
    ("one", "other", "wanted"),
    [
        ("Cache images for 7 days.", "Images are cached for one week.", SIMILAR),
        (
            "Every change to a fare is replayed over last month's bookings before it is merged",
            "Fare replay over last month's bookings found 41 wrong fares before the merge",
            DIFFERENT,
        ),
        ("Every merge needs an approval.", "Every merge needs 2 approvals.", CONFLICT),
        ("Cache images for 7 days.", "Images are cached for two weeks.", CONFLICT),
        ("Log level in production is `warning`.", "Log level in production is `info`.", CONFLICT),
        ("Use port 8080 for the dev server.", "The dev server listens on port 3000.", CONFLICT),
        ("Sprints last two weeks.", "Sprints last 3 weeks.", CONFLICT),
        ("Run the linter before every commit.", "Never run the linter before a commit.", CONFLICT),
        (
            "Run the linter before every commit.",
            "There is no need to run the linter before commits.",
            CONFLICT,
        ),
        ("Tests must be deterministic.", "Tests need not be deterministic.", CONFLICT),
        ("Prefer async functions.", "Prefer sync functions.", CONFLICT),
        ("Enable source maps in production.", "Disable source maps in production.", CONFLICT),
        ("Enable source maps in production.", "Source maps are off in production.", CONFLICT),
        ("Functions should be pure.", "Functions shouldn't be pure.", CONFLICT),
        (
            "Put business logic into the domain layer.",
            "Business logic does not belong into the domain layer.",
            CONFLICT,
        ),
        (
            "Put business logic into the domain layer.",
            "Business logic belongs into the domain layer.",
            SIMILAR,
        ),
        (
            "Allow direct database access from handlers.",
            "Forbid direct database access from handlers.",
            CONFLICT,
        ),
        (
            "Direct database access from handlers is allowed.",
            "Handlers must not access the database directly.",
            CONFLICT,
        ),
        ("Use early returns.", "Don't use early returns.", CONFLICT),
        ("Deploy from main.", "Deploy from `release`.", CONFLICT),
        ("Write tests first.", "Write tests last.", CONFLICT),
        ("Validate on the server.", "Validate on the client.", DIFFERENT),
        ("Use dependency injection.", "Dependency injection is forbidden.", CONFLICT),
        ("Interfaces start with I.", "Interfaces don't start with I.", CONFLICT),
        ("Make fields private.", "Make fields public.", CONFLICT),
        (
            "Errors are returned as values.",
            "Errors are thrown and never returned as values.",
            CONFLICT,
        ),
        ("Use a global event bus.", "A global event bus is not used.", CONFLICT),
        ("Imports are sorted.", "Imports are not sorted.", CONFLICT),
        ("Keep the changelog up to date.", "Keep dependencies up to date.", DIFFERENT),
        (
            "The API rate limit is 100 requests per minute.",
            "The API rate limit is 100 requests per second.",
            CONFLICT,
        ),
        ("The build takes 5 minutes.", "The tests take 12 minutes.", DIFFERENT),
        (
            "Bugs are fixed on main first, then cherry-picked.",
            "Bugs are fixed on the release branch first, then merged into main.",
            DIFFERENT,
        ),
        ("Use `const` by default.", "Use `let` by default.", CONFLICT),
        ("Use single quotes in TypeScript.", "Use double quotes in TypeScript.", CONFLICT),
        ("Use LF line endings.", "Use CRLF line endings.", CONFLICT),
        ("Always use trailing commas.", "No trailing commas.", CONFLICT),
        ("Never log request bodies.", "Log request bodies at debug level.", CONFLICT),
        (
            "Feature branches are deleted after merge.",
            "Feature branches are kept after merge.",
            CONFLICT,
        ),
        (
            "Feature branches are deleted after merge.",
            "Delete feature branches once merged.",
            SIMILAR,
        ),
        ("Avoid global state.", "Global state is fine.", CONFLICT),
        ("Avoid global state.", "Global state should be avoided.", SIMILAR),
        ("Do not mock what you do not own.", "Mock what you do not own.", CONFLICT),
        ("Snapshots are committed.", "Do not commit snapshots.", CONFLICT),
        ("Use semicolons.", "Omit semicolons.", CONFLICT),
        ("Write docs in Markdown.", "Write docs in AsciiDoc.", CONFLICT),
        ("Tests use the real clock.", "Tests use a fake clock.", CONFLICT),
        ("Keine Logik in Templates.", "Logik gehört in Templates.", CONFLICT),
        ("Tests laufen parallel.", "Tests dürfen nicht parallel laufen.", CONFLICT),
        ("Backups werden 30 Tage aufbewahrt.", "Backups werden 90 Tage aufbewahrt.", CONFLICT),
        ("Variablen auf Englisch benennen.", "Variablen auf Deutsch benennen.", CONFLICT),
        ("接口必须鉴权。", "接口不需要鉴权。", CONFLICT),
        ("日志保留30天。", "日志保留90天。", CONFLICT),
        ("使用单引号。", "使用双引号。", CONFLICT),
        ("Use optimistic updates in forms.", "Forms use pessimistic updates.", CONFLICT),
        ("Store sessions in Redis.", "Store sessions in Postgres.", CONFLICT),
        ("Store sessions in Redis.", "Sessions are stored in Redis.", SIMILAR),
        ("All services expose /healthz.", "All services expose /health.", CONFLICT),
        (
            "Commit messages have at most 72 characters in the subject.",
            "The subject of commit messages has at most 50 characters.",
            CONFLICT,
        ),
        ("Retries use jitter.", "Retries use no jitter.", CONFLICT),
        (
            "Publish events after the transaction commits.",
            "Publish events before the transaction commits.",
            CONFLICT,
        ),
        ("Sessions expire after 30 minutes.", "Sessions expire after half an hour.", SIMILAR),
        ("A release needs one approval.", "A release needs two approvals.", CONFLICT),
        ("Run 4 workers.", "Run 8 workers.", CONFLICT),
        ("Buttons have rounded corners.", "Buttons have square corners.", CONFLICT),
        ("Use eager loading for relations.", "Use lazy loading for relations.", CONFLICT),
        ("Names of tables are plural.", "Table names are singular.", CONFLICT),
        ("Every module has an owner.", "Every module has a README.", DIFFERENT),
        ("Release on Mondays.", "Release on Fridays.", CONFLICT),
        ("CI must pass before merging.", "Merging is allowed before CI passes.", CONFLICT),
        ("Reviews are required.", "Reviews are optional.", CONFLICT),
        ("Use exact versions for dependencies.", "Use version ranges for dependencies.", CONFLICT),
    ],
)
def test_two_texts_relate(one: str, other: str, wanted: Related) -> None:
    assert relate(one, other).related is wanted
    assert relate(other, one).related is wanted


def test_a_conflict_names_the_words_that_decided_it() -> None:
    found = relate("Never throw errors from services", "Throw errors from services")

    assert found.words == ("throw", "errors", "services")
    assert found.because == "one rejects what the other requires: throw, errors, services"


def test_another_value_is_told_with_both() -> None:
    found = relate("The client times out after 30 s", "The client times out after 5 s")

    assert found.because == "one says `30 s`, the other `5 s`"


@pytest.mark.parametrize(
    "other",
    [
        "Team update (2026-03-10T14-44-23Z): root causes identified by Flight",
        "Root causes of 2026 identified",
    ],
)
def test_a_date_or_a_year_is_no_other_value_than_a_version(other: str) -> None:
    assert relate("Root causes identified in 9.4", other).related is not CONFLICT


@pytest.mark.parametrize(
    ("version", "wanted"), [("0.9.4", SIMILAR), ("0.9.5", CONFLICT), ("v9.4", CONFLICT)]
)
def test_a_version_is_one_number_with_its_letter_or_without(version: str, wanted: Related) -> None:
    assert relate("Pin ruff at v0.9.4 in CI", f"Pin ruff at {version} in CI").related is wanted


@pytest.mark.parametrize(
    ("one", "other", "wanted"),
    [
        ("PR #310 is merged.", "PR #311 is merged.", DIFFERENT),
        (
            "Issue 12 tracks the flaky login test.",
            "Issue 13 tracks the flaky login test.",
            DIFFERENT,
        ),
        (
            "PRs 42, 43 and 44 were merged to dev.",
            "PRs 42, 45 and 46 were merged to dev.",
            DIFFERENT,
        ),
        ("Merge PR #310 before PR #311.", "Merge PR #311 before PR #310.", DIFFERENT),
        ("Issue #12 needs 3 reviewers.", "Issue #14 needs 2 reviewers.", DIFFERENT),
        ("Issue #12 needs 3 reviewers.", "Issue #12 needs 2 reviewers.", CONFLICT),
        (
            "See https://github.com/cline/cline/pull/7566 when adding flags.",
            "See https://github.com/cline/cline/pull/7999 when adding flags.",
            DIFFERENT,
        ),
        (
            "Close the pool after each test (#310).",
            "Close the pool after each test (#311).",
            SIMILAR,
        ),
        (
            "Learned in PR #310: close the pool after each test.",
            "Close the pool after each test. Learned in issue 12.",
            SIMILAR,
        ),
        ("Retry a payment (#310).", "Never retry a payment (see #311).", CONFLICT),
        ("Close at most 5 issues a day.", "Close at most 9 issues a day.", CONFLICT),
        ("Issue 2 tokens per session.", "Issue 5 tokens per session.", CONFLICT),
        ("Text has the color #333.", "Text has the color #222.", CONFLICT),
    ],
)
def test_an_issue_has_its_number_for_its_name(one: str, other: str, wanted: Related) -> None:
    assert relate(one, other).related is wanted
    assert relate(other, one).related is wanted


@pytest.mark.parametrize(
    ("one", "other", "wanted"),
    [
        ("Never push without a review.", "Only push with a review.", DIFFERENT),
        ("Never push without a review.", "Always push without a review.", CONFLICT),
        (
            "Never use `dotnet run` to run the app; use `dotnet build`.",
            "To run the app use `dotnet build`, never `dotnet run`.",
            SIMILAR,
        ),
        ("Never use `eval` to parse answers.", "Use `eval` to parse answers.", CONFLICT),
        (
            "Response schemas use `.nullish()` instead of `.optional()`.",
            "Use `.nullish()` rather than `.optional()` in response schemas.",
            SIMILAR,
        ),
        ("Files are named in `kebab-case`.", "Name files in `kebab-case`.", SIMILAR),
        ("Files are named in `kebab-case`.", "Name files in `camelCase`.", CONFLICT),
        ("Keep PRs small.", "Keep pull requests small.", SIMILAR),
    ],
)
def test_rules_full_of_code_are_read_as_they_are_meant(
    one: str, other: str, wanted: Related
) -> None:
    assert relate(one, other).related is wanted
    assert relate(other, one).related is wanted


def test_another_date_is_another_value() -> None:
    found = relate("Released by 2026-03-01", "Released by 2026-04-01")

    assert found.because == "one says `2026-03-01`, the other `2026-04-01`"


def test_a_warning_in_the_words_of_a_rule_opposes_it_and_in_its_denial_agrees() -> None:
    rule, warning = "Never commit secrets", "Committing secrets"

    assert relate(rule, warning, warns=(False, True)).related is SIMILAR
    assert (
        relate("Use default exports", "Use default exports", warns=(False, True)).related
        is CONFLICT
    )
    assert relate("Use default exports", "Use default exports").related is Related.SAME


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("Copy orders from A1 to B2.", "Copy orders from B2 to A1.", id="the way"),
        pytest.param(
            "Before pushing run `make lint` twice and read what it says.",
            "Before pushing run `make check` twice and read what it says.",
            id="names in code",
        ),
        pytest.param(
            "Services live in one repository.",
            "Services live in their own repository.",
            id="number",
        ),
        pytest.param(
            "Cache reads in the service layer.",
            "Dread cache reads in the service layer.",
            id="verb",
        ),
        pytest.param(
            "Public functions carry a docstring that names its errors.",
            "Public functions carry a docstring that is pointless and names its errors.",
            id="what is told",
        ),
        pytest.param(
            "Keep the session of a signed-in user alive for a day.",
            "Frobnicate the session of a signed-in user for a day.",
            id="a word for a word",
        ),
    ],
)
def test_no_two_texts_are_similar_where_a_word_left_over_may_say_the_opposite(
    one: str, other: str
) -> None:
    assert relate(one, other).related in (CONFLICT, DIFFERENT)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Logs must not contain passwords.", "Passwords must not be in logs."),
        ("Logs enthalten keine Passwörter.", "Passwörter gehören nicht in Logs."),
        ("Prefer composition over inheritance.", "Composition is preferred to inheritance."),
        ("We use Vitest instead of Jest for unit tests.", "Unit tests run with Vitest, not Jest."),
        ("Deny by default.", "By default, deny."),
        ("Tests never sleep.", "Never sleep in tests."),
    ],
)
def test_a_denial_that_stands_elsewhere_in_the_sentence_is_no_conflict(
    one: str, other: str
) -> None:
    assert relate(one, other).related is not CONFLICT


@pytest.mark.slow
def test_what_agents_wrote_all_day_is_not_kept_once_it_is_gone() -> None:
    """Texts come and go for as long as a screen is open; only what stands may take memory."""
    words = [f"{one}{two}" for one in "bdfghklmn" for two in ("arrow", "ellow", "inder", "oster")]

    def work(day: int) -> None:
        random = Random(day)
        texts = [" ".join(random.sample(words, 7)) for _ in range(1_500)]
        for one, other in pairwise(texts):
            relate(one, other)
        found = InForce([Standing(text, "rule", text) for text in texts])
        found.against("rule", texts[0])

    work(0)
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for day in range(1, 4):
        work(day)
    gc.collect()
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()

    assert grown < 4_000_000


@pytest.mark.parametrize(
    ("one", "other", "related"),
    [
        ("All 42 tests pass", "All 40 tests pass", Related.DIFFERENT),
        (
            "Full test suite: 68/70 PASS (2 known crashes)",
            "Test suite: 69 passed, 1 known crash, PASS",
            Related.DIFFERENT,
        ),
        ("Merge only when 42 tests pass", "Merge only when 40 tests pass", Related.CONFLICT),
        ("Retry a failing test 3 times", "Retry a failing test 5 times", Related.CONFLICT),
    ],
)
def test_results_of_two_runs_are_no_conflict_and_numbers_of_a_rule_are(
    one: str, other: str, related: Related
) -> None:
    assert relate(one, other).related is related
    assert relate(other, one).related is related
