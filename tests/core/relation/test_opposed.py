"""Which texts about the same may speak against each other, and which only tell of the same."""

import pytest

from remem.core.relation.relation import may_oppose


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Throw errors from services", "Never throw errors from services"),
        ("Throw errors from services", "Throwing an error from a service is forbidden"),
        ("API routes must use Zod", "API routes must not use Zod for validation of bodies"),
        ("Use named exports", "Use default exports"),
        ("Always `git rebase` before you push", "Always `git merge` before you push"),
        ("Add a `retries` key to each client", "Remove the `retries` key from each client"),
        ("Never run `git worktree add` in CI", "Always run `git worktree add` in CI"),
        ("The payment client has a timeout of 30 s", "The payment client has a timeout of 5 s"),
        ("The build passes with no warnings", "The build passes with 3 warnings"),
        ("Retry a call 0 times", "Retry a call 3 times"),
        ("Never merge in sprint 3 of a quarter", "Always merge in sprint 3 of a quarter"),
        ("Run 4 at a time in CI", "Run 8 at a time in CI"),
        ("Always run 4 workers for the tests", "Always run 8 workers for the tests"),
        ("A run of the gauge takes 9 minutes", "A run of the gauge takes 10 minutes"),
        ("Dienste werfen Fehler", "Dienste werfen niemals Fehler"),
        ("Les services lèvent des erreurs", "Les services ne lèvent jamais des erreurs"),
        ("服务层缓存读取结果", "服务层不要缓存读取结果"),
        (
            "React components never use named exports; use default exports",
            "All React components use named exports, no default exports",
        ),
        (
            "Every service function that talks to the harbour master retries twice and then "
            "throws an error which names the berth and the boat",
            "A service function that talks to the harbour master never throws an error which "
            "names the boat, whatever the berth was",
        ),
    ],
)
def test_what_forbids_counts_or_puts_in_another_word_may_oppose(one: str, other: str) -> None:
    assert may_oppose(one, other)
    assert may_oppose(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "Plans should hold a story for tests of the store when there is a layer of state, even "
            "where that layer is thin",
            "Even when the layer of state is thin (say, a store of 27 lines that hands on to a "
            "pure engine), the plan should hold a story of its own for tests of the store: they "
            "catch what tests of either side would miss",
        ),
        ("Log every error", "Log every error with the harbour's name"),
        (
            "`git worktree remove {path}` + `git branch -d {branch}`",
            "Run: `git worktree add {path} -b {branch} {baseBranch}`",
        ),
        ("Use `git worktree add` for each issue", "Use `git worktree remove` for each issue"),
        ("Audit of Run 9 of the harbour's gauge", "Audit of Run 10 of the harbour's gauge"),
        ("Sprint 3 gate review of the pier", "Sprint 1 gate review of the pier: results"),
        ("The build has no warnings or errors", "Build: 0 errors, 0 warnings"),
        ("The build passes with no warnings", "The build passes with 0 warnings"),
        (
            "Never log a skipper's name in any line that leaves the harbour's own network",
            "No skipper's name is logged in lines that leave the network of the harbour, and "
            "nobody asks for it",
        ),
    ],
)
def test_what_says_the_same_in_other_words_does_not(one: str, other: str) -> None:
    assert not may_oppose(one, other)
    assert not may_oppose(other, one)
