from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from logdocket.testing import Fault, __all__

DOCUMENT = (Path(__file__).parents[3] / "docs" / "testing.md").read_text(encoding="utf-8")


def test_the_document_tells_every_fault_as_the_code_does() -> None:
    """Word and sentence, in the same order, and no others."""
    tables = DOCUMENT.partition("\n## Faults\n")[2]
    told = re.findall(r"^\| `(\w+)` \| (.*) \|$", tables, re.M)
    assert told == [(fault.value, fault.sentence) for fault in Fault]


def test_the_document_names_all_that_is_public() -> None:
    """Whatever can be imported is explained."""
    assert [name for name in __all__ if f"`{name}" not in DOCUMENT] == []


def test_the_examples_of_the_document_run() -> None:
    """Each as it stands, its test functions called."""
    blocks = re.findall(r"^```python\n(.*?)^```$", DOCUMENT, re.M | re.S)
    ran = 0
    for block in blocks:
        names: dict[str, Any] = {}
        exec(compile(block, "docs/testing.md", "exec"), names)
        for name, made in names.items():
            if name.startswith("test_"):
                made()
                ran += 1
    assert ran >= 2


def test_every_sentence_is_its_own() -> None:
    """One sentence each, and no two alike."""
    sentences = [fault.sentence for fault in Fault]
    assert len(set(sentences)) == len(sentences)
    assert all(sentence.endswith(".") for sentence in sentences)


def test_a_fault_is_found_by_its_word() -> None:
    """As the command line gives it."""
    assert [Fault(fault.value) for fault in Fault] == list(Fault)
    with pytest.raises(ValueError, match="is not a valid Fault"):
        Fault("gremlin")
