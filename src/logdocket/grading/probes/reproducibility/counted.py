"""How many tests a runner says that it ran."""

from __future__ import annotations

import re
from typing import Final

from logdocket.grading.probes.reproducibility.tail import colourless

__all__ = ["counted"]

_RUNNERS: Final[tuple[tuple[str, str], ...]] = (
    # Each with the number of the tests that ran, passed or not. All matches of a runner add up.
    ("pytest", r"\b(\d+) (?:passed|failed|xfailed|xpassed)\b(?=.* in [\d.]+ ?m?s)"),
    ("unittest", r"^Ran (\d+) tests? in "),
    ("node --test", r"^(?:#|ℹ) tests (\d+)"),
    ("jest", r"^Tests:\s.*?(\d+) total"),
    ("vitest", r"^\s*Tests\s+(?:.*?\| )?(\d+) passed"),
    ("mocha", r"^\s*(\d+) (?:passing|failing)\b"),
    ("go test", r"^(?:\s*--- (?:PASS|FAIL): |ok\s+\S+\s+(?:[\d.]+s|\(cached\))(?! \[no tests))()"),
    ("cargo test", r"^test result: \w+\. (\d+) passed"),
    ("deno test", r"^(?:ok|FAILED) \| (\d+) passed"),
    ("bun test", r"^\s*(\d+) (?:pass|fail)$"),
    ("ExUnit", r"^(?:\d+ doctests?, )?(\d+) tests?, \d+ failures?"),
    ("RSpec", r"^(\d+) examples?, \d+ failures?"),
    ("minitest", r"^(\d+) (?:runs|tests), \d+ assertions"),
    ("PHPUnit", r"^(?:OK \(|Tests: )(\d+)(?: tests?)?,"),
    ("Surefire", r"^(?:\[\w+\] )?Tests run: (\d+),.*(?<!Time elapsed)$"),
    (".NET", r"\bTotal(?: tests)?:\s+(\d+)"),
    ("TAP", r"^(?:not )?ok \d+\b()"),
)
_OWN: Final[tuple[tuple[str, str], ...]] = (
    # What scripts of one's own may say.
    ("a count", r"\b(\d+)(?:/\d+)? (?:tests?|checks?|specs?|cases?|examples?|assertions?)\b"),
    ("marks", r"^\s*(?:ok|pass(?:ed)?|\[(?:ok|pass)\]|✓|✔|✅|PASS:?|OK:?)\s+\S()"),
)
_COMPILED: Final = tuple(
    tuple(re.compile(shape, re.M) for _, shape in table) for table in (_RUNNERS, _OWN)
)
_NONE: Final = re.compile(
    r"(?im)^=* ?no tests (?:ran|found)|^Ran 0 tests|\bcollected 0 items\b(?! / \d+ error)"
    r"|\[no tests? (?:to run|files)"
)


def counted(text: str) -> int | None:
    """The number of tests that ran by what ``text`` says; None where it says nothing of it."""
    text = colourless(text)
    runners, own = _COMPILED
    total = _total(runners, text)
    if total is None and _NONE.search(text):
        return 0
    return _total(own, text) if total is None else total


def _total(shapes: tuple[re.Pattern[str], ...], text: str) -> int | None:
    """The sum of what the first of ``shapes`` finds that finds more than 0."""
    for shape in shapes:
        total = sum(int(number) if number else 1 for number in shape.findall(text))
        if total:
            return total
    return None
