"""Secrets that are known by the name to which they are assigned."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import Final

__all__ = ["KIND", "Where", "named", "where"]

KIND: Final = "Assigned Secret"

Where = str
"""``settings``, ``code`` or ``aside``: see ``where``."""

_WORD: Final = (
    r"(?:api|auth|access|secret|private|service|account|client|model|llm|openai|anthropic|azure"
    r"|signing|encryption|master|admin|deploy|db|database)[_-]?key"
    r"|secret|token|credential|passw(?:or)?d|passphrase|pwd"
)
_HINT: Final = re.compile(r"(?i)key|secret|token|credential|pass|pwd|bearer")
"""What every such name holds: few lines do."""
_NAME: Final = rf"(?<!\w)\w{{0,40}}?(?:{_WORD})(?:[_-]\w{{1,20}})?"
_QUOTED: Final = re.compile(
    rf"(?i:({_NAME}))['\"\])]{{0,2}}\s{{0,8}}(?::=|=>|={{1,3}}|:|,)\s{{0,8}}[rbf@]?"
    r"(?:\"([^\"\s]{8,200})\"|'([^'\s]{8,200})'|`([^`\s]{8,200})`)"
)
_BARE: Final = re.compile(
    rf"(?i:({_NAME}))['\"]?\s{{0,8}}[:=]\s{{0,8}}([^\s'\"`#;]{{8,200}})(?!\S)"
)
_ENVIRONMENT: Final = re.compile(
    r"(?:^|[\s;])(?:export\s+|ENV\s+|set\s+)?([A-Z][A-Z0-9_]*_KEY)\s?[= ]\s?"
    r"['\"]?([^\s'\"]{16,200})"
)
_BEARER: Final = re.compile(r"(?i:\b(bearer)\s{1,4})([\w.~+/-]{16,200})")
_QUERY: Final = re.compile(
    r"[?&](?i:(api_?key|key|token|access_token|secret))=([^&\s'\"`<>{}]{16,200})"
)
_OTHER: Final = re.compile(
    r"(?i)cache|idempoten|primary|foreign|partition|public|sort|group|page|next|max|min|stop"
    r"|start|count|limit|hash|digest|csrf|usage|_?tokens|_name|_env|_file|_path|_url|_id$|_type"
)
"""Parts of names that only look like the name of a secret."""

_SETTINGS: Final = frozenset(
    ".env .cfg .conf .cnf .ini .properties .toml .yaml .yml .envrc .sh .bash .tfvars .mk".split()
)
_SETTINGS_NAMES: Final = ("makefile", "dockerfile", "procfile", "justfile")
_ASIDE: Final = re.compile(
    r"(?i)(^|/)(tests?|specs?|__tests__|fixtures?|testdata|examples?|docs?|samples?)/"
    r"|(^|/)(test_|conftest)|[._-](test|spec|example|sample|template|dist)s?(\.\w+)?$"
    r"|\.(md|rst|txt|adoc|jsonl|csv|log)$"
)


def where(path: str) -> Where:
    """What kind of file ``path`` is: in ``settings`` values stand bare; ``aside`` are tests,
    examples and prose, where most values are made up.
    """
    name = posixpath.basename(path).lower()
    if _ASIDE.search(path):
        return "aside"
    bare = name.startswith((".env", *_SETTINGS_NAMES))
    return "settings" if bare or posixpath.splitext(name)[1] in _SETTINGS else "code"


def named(line: str, place: Where) -> Iterator[str]:
    """The values in ``line`` that stand under the name of a secret."""
    if not _HINT.search(line):
        return
    bare = (_BARE, _ENVIRONMENT) if place == "settings" else ()
    for pattern in (_QUOTED, _BEARER, _QUERY, *bare):
        for found in pattern.finditer(line):
            if not _OTHER.search(found[1]):
                yield next(value for value in found.groups()[1:] if value)
