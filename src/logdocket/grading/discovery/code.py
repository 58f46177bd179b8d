"""What the code itself names where no document does: where the ledger is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from logdocket.grading.discovery.files import Files, lines
from logdocket.grading.discovery.hint import Hint
from logdocket.grading.ledger.files import ENDINGS

__all__ = ["told"]

_CODE: Final = (".py", ".js", ".mjs", ".cjs", ".ts", ".go", ".rs", ".rb", ".ex", ".java", ".kt")
_MOST: Final = 60
"""Files of code that are read."""
_URL: Final = re.compile(r"[\"'](?:GET )?(/[\w/-]{0,40}ledger)[\"']")
_FILE: Final = re.compile(
    r"[\"']((?:[\w.-]{1,40}/){0,3}[\w.-]{0,40}ledger[\w-]{0,20}"
    rf"\.(?:{'|'.join(ENDINGS)}))[\"']"
)
_TEST: Final = re.compile(r"(^|/)(tests?|spec)/|(^|/)test_|[._]test\.|conftest")


def told(files: Files) -> Iterator[Hint]:
    """Paths in quotes that name a ledger, tests left out."""
    paths = [path for path in files.paths if path.endswith(_CODE) and not _TEST.search(path)]
    for path in paths[:_MOST]:
        text = files.text(path)
        if "ledger" not in text:
            continue
        for number, line in lines(text):
            if "ledger" not in line:
                continue
            for key, shape in (("ledger.url", _URL), ("ledger.file", _FILE)):
                for match in shape.finditer(line):
                    yield Hint(key, match[1], f"{path}:{number}", 9)
