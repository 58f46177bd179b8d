from __future__ import annotations

import pytest

from logdocket.grading.probes.reproducibility.counted import counted

OUTPUTS = {
    "pytest": ("....\n==== 3 passed, 1 skipped in 0.12s ====\n", 3),
    "pytest that fails": (
        "FAILED a.py::b\n1 failed, 11 passed, 2 warnings in 65.02s (0:01:05)\n",
        12,
    ),
    "unittest": ("....\n-----\nRan 4 tests in 0.001s\n\nOK\n", 4),
    "node, as TAP": ("TAP version 13\nok 1 - a\n1..1\n# tests 7\n# pass 7\n", 7),
    "node, for people": ("✔ falls back (1.2ms)\nℹ tests 5\nℹ suites 0\nℹ pass 5\n", 5),
    "jest": ("Test Suites: 1 passed, 1 total\nTests:       1 failed, 3 passed, 4 total\n", 4),
    "vitest": (" Test Files  2 passed (2)\n      Tests  9 passed (9)\n", 9),
    "mocha": ("  ✓ a\n\n  6 passing (12ms)\n  1 failing\n", 7),
    "go": ("ok  \ta.example/b\t0.003s\n?   \ta.example/b/c\t[no test files]\n", 1),
    "go, in detail": (
        "=== RUN   TestA\n--- PASS: TestA (0.00s)\n--- FAIL: TestB (0.00s)\nFAIL\n",
        2,
    ),
    "cargo": (
        "test result: ok. 3 passed; 0 failed; 0 ignored\n\ntest result: ok. 2 passed; 0 failed\n",
        5,
    ),
    "deno": ("ok | 4 passed | 0 failed (12ms)\n", 4),
    "bun": (" 8 pass\n 1 fail\n", 9),
    "elixir": ("Finished in 0.1 seconds\n3 tests, 0 failures\n", 3),
    "rspec": ("6 examples, 0 failures\n", 6),
    "minitest": ("4 runs, 9 assertions, 0 failures, 0 errors, 0 skips\n", 4),
    "phpunit": ("OK (12 tests, 30 assertions)\n", 12),
    "maven": ("[INFO] Tests run: 7, Failures: 0, Errors: 0, Skipped: 0\n", 7),
    ".net": ("Passed!  - Failed:     0, Passed:     9, Skipped:     0, Total:     9\n", 9),
    "tap": ("1..2\nok 1 - a\nnot ok 2 - b\n", 2),
    "a script's own words": ("all 14 checks hold\n", 14),
    "a script's own marks": ("PASS: a\nPASS: b\n✓ c\n", 3),
    "in colour": ("\x1b[32m\x1b[1m5 passed\x1b[0m\x1b[32m in 0.01s\x1b[0m\n", 5),
    "none that pytest could load": (
        "collected 0 items / 1 error\n\n==== 1 error in 0.2s ====\n",
        None,
    ),
    "none by pytest": ("collected 0 items\n\n==== no tests ran in 0.01s ====\n", 0),
    "none by unittest": ("\nRan 0 tests in 0.000s\n\nOK\n", 0),
    "none by go": ("ok  \ta.example/b\t0.003s [no tests to run]\n", 0),
    "nothing": ("", None),
    "something else": ("Server is listening.\nDone.\n", None),
}


@pytest.mark.parametrize(("text", "count"), OUTPUTS.values(), ids=OUTPUTS)
def test_the_tests_are_counted(text: str, count: int | None) -> None:
    """In the words of each runner; what says nothing of tests is not counted as none."""
    assert counted(text) == count
