from __future__ import annotations

import re

import pytest

from logdocket import errors
from logdocket.errors import (
    BadContext,
    BadModel,
    BlankLine,
    InputError,
    LedgerUnavailable,
    LineTooLong,
    LogdocketError,
    ModelError,
    NotALedger,
    NotText,
    SchemaTooNew,
    StoreError,
    UnaccountedCall,
)

CLASSES = [
    value
    for value in vars(errors).values()
    if isinstance(value, type) and issubclass(value, LogdocketError)
]


def drawn() -> dict[str, str]:
    """Each class of the picture at the top of the module, with the one it hangs from."""
    parents: dict[str, str] = {}
    above = ["LogdocketError"]
    for line in (errors.__doc__ or "").splitlines():
        found = re.match(r"    ([│ ]*)[├└]── (\w+)", line)
        if found is not None:
            depth = len(found[1]) // 4 + 1
            parents[found[2]] = above[depth - 1]
            above[depth:] = [found[2]]
    return parents


def test_the_picture_shows_every_error_where_it_belongs() -> None:
    """Who reads the top of the file knows the whole tree."""
    real = {kind.__name__: kind.__bases__[0].__name__ for kind in CLASSES}
    del real["LogdocketError"]
    assert drawn() == real


def test_every_error_has_a_word_of_its_own() -> None:
    """Machines tell errors apart by these, so no two share one."""
    words = [kind.word for kind in CLASSES]
    assert len(set(words)) == len(words)
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*", word) for word in words)
    assert all("word" in vars(kind) for kind in CLASSES)


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_every_error_says_what_happened(kind: type[LogdocketError]) -> None:
    """In the first line of its docstring, as a sentence."""
    assert kind.__doc__ is not None
    assert kind.__doc__.strip().endswith(".")


def test_one_branch_catches_every_fault_of_a_line() -> None:
    """A caller who refuses bad input needs one except."""
    assert set(InputError.__subclasses__()) == {BlankLine, LineTooLong, NotText, BadContext}


def test_one_branch_catches_every_fault_of_the_database() -> None:
    """And one more for a database that cannot serve."""
    assert set(StoreError.__subclasses__()) == {LedgerUnavailable, SchemaTooNew, NotALedger}


def test_one_branch_catches_every_fault_of_the_model() -> None:
    """And one for a model that cannot be asked."""
    assert set(ModelError.__subclasses__()) == {BadModel, UnaccountedCall}
