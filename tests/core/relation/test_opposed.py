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


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Estimate: 600-800 lines changed, 2-3 days", "Estimate: 80 lines, 1 day"),
        ("BUG-PIER-1: the horn is not heard at the quay", "BUG-PIER-2: the horn is heard nowhere"),
        ("Build round 1 errors (7)", "Build round 2: 0 errors"),
        ("Result: 1290 passed, 2 skipped, 0 failed.", "Result: 1325 passed, 2 skipped, 0 failed."),
        ("`make quay` — 0 errors (1 old warning)", "`make pier` passes with 0 errors (3 warnings)"),
        ("Build and lint pass without errors", "All 256 tests pass, zero lint errors"),
        ("`src/quay.ts` - Updated 4 log statements", "`src/pier.ts` - Updated 7 log statements"),
        ("Added `QuayPattern` under `src/patterns/`", "Added `PierPattern` under `src/patterns/`"),
        (
            "### Contract of the quay\n\n**Date:** 2026-04-27\n**By:** Ada\n**Status:** approved",
            "### Contract of the pier\n\n**Date:** 2026-05-20\n**By:** Ada\n**Status:** proposed",
        ),
        ("Skills belong in `kit/`, not `.old/`", "Skills belong in `kit/`, not `.older/`"),
        (
            "`pier_*` crates must never depend on `quay`",
            "`quay` depends on `pier_*` crates, not the other way around",
        ),
        ("The pier must never call the quay", "The quay calls the pier"),
        (
            "Only runners start the crane. See the crane's rules.",
            "Neither writer starts the crane. Only runners start the crane.",
        ),
        ("See `docs/quay/` for its rules", "Any rule not covered in `docs/quay/` is asked for"),
        ("Line 233: `horn` is in `LOUD`", "Line 766: `bell` is not in `LOUD`"),
        ("**Crane 4.8** (at the pier), **Horn** (`bell 5`)", "**Crane** (v4.8.3)"),
        ("**Last updated:** 2026-02-03 by the crew", "**Last updated:** 2026-05-01 by the crew"),
        ("**最後更新**：2026-02-03 **維護者**：團隊", "**最後更新**：2026-05-01 **維護者**：團隊"),
        ("Task 5: Harbour Map Setup (cranes, horns)", "**Maps:** Harbour Map 3.9"),
        ("Follow the steps in ACTION 1 of the pier", "Follow the steps in ACTION 3 of the pier"),
        ("horn >= 7.0", "horn-bell >= 0.21 (bell_mode = loud)"),
        (
            "Committed: `quay: release v0.9.1` (commit 8ac8322)",
            "Committed: `quay: release v0.7.1` (commit 5300f24)",
        ),
        ("37 new tests added", "**Tests updated:** 8 test files updated to match the new pier"),
        ("**Files changed**: `src/pier.py` (1 line)", "**Files changed**: `src/a.py` (lines 5-9)"),
        (
            "`quay boat market remove {name}` — Remove a registered market",
            "`quay boat market list` — List registered markets",
        ),
        ("`piers (Access = open)` — public ones", "`piers (Access = closed)` — internal ones"),
        (
            "The pier's log is written by the crane at noon; the inline comment in its source "
            "misleads whoever reads it about the horn",
            "Do not add comments.",
        ),
        ("**Incorrect: 2 rings of the horn**", "**Incorrect: 3 rings of the horn**"),
        ("**Incorrect: no check of the crane**", "Checks of the crane"),
        ("❌ `horn.ring(2)` at the pier", "Call `horn.ring(5)` at the pier"),
        ("**Good:** ring the horn 2 times", "**Bad:** ring the horn 9 times"),
        (
            "11.2 [Use Single Crane Versions at Piers](#112-use-single-crane-versions-at-piers)",
            "Use 2 crane versions at piers",
        ),
        ("**Impact: LOW (avoids new rings)**", "**Impact: LOW (rings no new bells)**"),
        ("**Timestamp:** 2026-03-17T05:03:53Z", "**Timestamp:** 2026-03-16T21:11:01Z"),
        ("**Pier status:** ✅ Horn rings (1.6s, 0 faults)", "✅ Horn rings (1.4s, 0 faults)"),
        ("Piers 0-3 keep ringing without a fault ✅", "✅ No fault at piers 0-4"),
    ],
)
def test_what_names_or_reports_one_time_of_many_does_not(one: str, other: str) -> None:
    assert not may_oppose(one, other)
    assert not may_oppose(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Estimate for the crane: 3 days", "Estimate for the crane: 5 days"),
        ("Use UTF-8 for the log of the quay", "Use UTF-16 for the log of the quay"),
        ("Fixed the timeout to 30 s", "Fixed the timeout to 60 s"),
        ("The build must pass with 3 warnings at most", "The build must pass with 5 at most"),
        ("Builds may have 3 warnings", "Builds may have 5 warnings"),
        ("Allow zero warnings in a build", "Allow 5 warnings in a build"),
        ("The pier must never call the quay", "The pier calls the quay"),
        ("The pier must never call the quay", "The quay is called by the pier"),
        ("Never start the crane at night. Ask Ada.", "Start the crane at night. Ask Ada."),
        ("Move the release to 2026-03-01", "Move the release to 2026-04-01"),
        ("horn >= 7.0", "horn >= 6.0"),
        ("Horn 4.8.3 at the pier", "Horn 4.9.1 at the pier"),
        ("Weigh the pier's horns by 2", "Weigh the pier's horns by 2.5"),
        ("Prefer bells (of brass) over horns at the pier", "Prefer horns over bells at the pier"),
        ("Keep >= 3 horns at the pier", "Keep >= 5 horns at the pier"),
        ("`npm test` — runs all tests", "`pnpm test` — runs all tests"),
        ("`quay ring` — rings 3 horns", "`quay ring` — rings 5 horns"),
        (
            "Comments of the pier's code tell why the horn is as loud as it is at the quay at noon",
            "Do not add comments.",
        ),
        ("Pin the horn to 5300 lumens", "Pin the horn to 8000 lumens"),
        ("✅ Ring the horn 2 times", "✅ Ring the horn 5 times"),
        ("✅ Use `pnpm` for the pier", "Use `npm` for the pier"),
        ("**Package manager:** use pnpm 9", "**Package manager:** use pnpm 10"),
        ("Good piers have 3 horns", "Good piers have 5 horns"),
    ],
)
def test_what_asks_for_another_number_or_the_opposite_still_may(one: str, other: str) -> None:
    assert may_oppose(one, other)
    assert may_oppose(other, one)
