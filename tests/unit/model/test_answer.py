from __future__ import annotations

import json
import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from logdocket.line import Answer, Severity
from logdocket.model.answer import Junk, Wrong, parse

FIELDS = {
    "service": "billing",
    "severity": "high",
    "first_seen": "2026-01-02T03:04:05Z",
    "evidence": 'card {refused} by "bank"',
}
GOOD = json.dumps(FIELDS)
ANSWER = Answer(
    service="billing",
    severity=Severity.HIGH,
    first_seen="2026-01-02T03:04:05Z",
    evidence='card {refused} by "bank"',
)


def but(**changes: object) -> str:
    """The good answer with some fields changed, or left out where they are None."""
    return json.dumps({k: v for k, v in {**FIELDS, **changes}.items() if v is not None})


ACCEPTED = {
    "bare": GOOD,
    "on several lines": json.dumps(FIELDS, indent=2),
    "fenced": f"```json\n{GOOD}\n```",
    "fenced without a language": f"```\n{GOOD}\n```",
    "prose before": f"Here is the ticket you asked for:\n\n{GOOD}",
    "prose after": f"{GOOD}\n\nLet me know if you need anything else!",
    "prose and fence": f"Sure! It's:\n```json\n{GOOD}\n```\nHope that helps.",
    "prose with braces": f"The set {{a, b}} is no object. {GOOD} Nor is {{x}}.",
    "prose with quotes": f'The "answer" is {GOOD}, as "asked".',
    "byte order mark": f"\ufeff{GOOD}",
    "in a list": f"[{GOOD}]",
    "more fields": but(note="x", tags=["a", {"b": 1}], count=3.5),
    "a whole ticket": but(confidence=0.97, needs_human=False),
    "senseless confidence": but(confidence="very"),
    "severity in capitals": but(severity=" HIGH "),
}


@pytest.mark.parametrize("text", ACCEPTED.values(), ids=ACCEPTED)
def test_one_object_counts_whatever_stands_around_it(text: str) -> None:
    """Models chat; what they say besides does not matter."""
    assert parse(text) == ANSWER


JUNK = {
    "nothing": ("", Wrong.NO_OBJECT),
    "prose": ("I cannot help with that.", Wrong.NO_OBJECT),
    "a string": (json.dumps("text"), Wrong.NO_OBJECT),
    "an empty list": ("[]", Wrong.NO_OBJECT),
    "null": ("null", Wrong.NO_OBJECT),
    "two objects": (f"{GOOD}\n{GOOD}", Wrong.SEVERAL_OBJECTS),
    "two objects in fences": (f"```\n{GOOD}\n```\n```\n{GOOD}\n```", Wrong.SEVERAL_OBJECTS),
    "two in a list": (f"[{GOOD},{GOOD}]", Wrong.SEVERAL_OBJECTS),
    "a second one that breaks off": (f'{GOOD} {{"service": "x', Wrong.SEVERAL_OBJECTS),
    "an empty one beside": (f"{{}} {GOOD}", Wrong.SEVERAL_OBJECTS),
    "breaks off": (GOOD[:-10], Wrong.INVALID_JSON),
    "single quotes": (str(FIELDS), Wrong.INVALID_JSON),
    "trailing comma": (GOOD[:-1] + ",}", Wrong.INVALID_JSON),
    "a comment": (GOOD[:-1] + " // done\n}", Wrong.INVALID_JSON),
    "smart quotes": (GOOD.replace('"', "”"), Wrong.NO_OBJECT),
    "a line break in a string": (GOOD.replace("card", "ca\nrd"), Wrong.INVALID_JSON),
    "an object in a JSON string": (json.dumps(GOOD), Wrong.INVALID_JSON),
    "NaN": (GOOD[:-1] + ', "confidence": NaN}', Wrong.BAD_NUMBER),
    "infinity": (GOOD[:-1] + ', "confidence": -Infinity}', Wrong.BAD_NUMBER),
    "too large a number": (GOOD[:-1] + ', "n": 1e999}', Wrong.BAD_NUMBER),
    "too many digits": (GOOD[:-1] + f', "n": {"9" * 5000}}}', Wrong.BAD_NUMBER),
    "a field twice": (GOOD[:-1] + ', "severity": "low"}', Wrong.DUPLICATE_FIELD),
    "nested too deeply": ('{"a":' * 200_000 + "1" + "}" * 200_000, Wrong.TOO_DEEP),
    "a field missing": (but(evidence=None), Wrong.MISSING_FIELD),
    "an unknown severity": (but(severity="urgent"), Wrong.UNKNOWN_SEVERITY),
    "a number for a string": (but(service=7), Wrong.WRONG_TYPE),
    "an object for a string": (but(evidence={"quote": "x"}), Wrong.WRONG_TYPE),
    "needs_human as a word": (but(needs_human="true"), Wrong.WRONG_TYPE),
    "blank evidence": (but(evidence=" \n"), Wrong.BLANK_FIELD),
    "a blank service": (but(service=""), Wrong.BLANK_FIELD),
}


@pytest.mark.parametrize(("text", "wrong"), JUNK.values(), ids=JUNK)
def test_anything_else_is_junk_and_says_why(text: str, wrong: Wrong) -> None:
    """Nothing is mended: what is guessed once is guessed wrong some day."""
    assert parse(text) == Junk((wrong,))


def test_everything_that_is_wrong_is_told_at_once() -> None:
    """A model gets one more try, so it must hear of all of it."""
    junk = parse('{"service": 1, "severity": "urgent", "first_seen": ""}')
    assert isinstance(junk, Junk)
    assert set(junk.wrong) == {
        Wrong.WRONG_TYPE,
        Wrong.UNKNOWN_SEVERITY,
        Wrong.BLANK_FIELD,
        Wrong.MISSING_FIELD,
    }


def test_a_model_that_asks_for_a_person_is_heard() -> None:
    """Its doubt counts, its confidence never does."""
    answer = parse(but(needs_human=True, confidence=0.99))
    assert isinstance(answer, Answer)
    assert answer.needs_human


def test_unknown_is_unknown_in_any_case() -> None:
    """The word is ours and no quote."""
    answer = parse(but(service="Unknown", first_seen=" UNKNOWN "))
    assert isinstance(answer, Answer)
    assert (answer.service, answer.first_seen) == ("unknown", "unknown")


def test_every_kind_of_wrong_has_its_sentence() -> None:
    """The model is told it in words."""
    assert len({wrong.sentence for wrong in Wrong}) == len(Wrong)
    assert all(wrong.sentence.endswith(".") for wrong in Wrong)


@given(st.text() | st.text(alphabet='{}[]"\\:,ab01 \n', max_size=200))
@example("{" * 10_000)
@example('{"' * 10_000)
@example('\ud800{"\udfff"}')
def test_no_text_raises(text: str) -> None:
    """A model may write anything at all."""
    assert isinstance(parse(text), Answer | Junk)


@given(st.text(alphabet=st.characters(exclude_characters="{}")), st.text(alphabet="xyz'\"\n"))
def test_prose_without_braces_never_matters(before: str, after: str) -> None:
    """Wherever the one object stands, it is found."""
    assert parse(f"{before}{GOOD}{after}") == ANSWER


@given(st.recursive(st.none() | st.booleans() | st.integers(-9, 9), st.lists))
def test_no_field_takes_a_value_of_another_type(value: object) -> None:
    """Each of the four is a string."""
    for name in FIELDS:
        assert parse(json.dumps({**FIELDS, name: value})) == Junk((Wrong.WRONG_TYPE,))


@pytest.mark.parametrize(
    "piece", ["{", "}", '"', "{}", '{"a":', "\\", "a", '{"', '{"a":{}} ', "[{", "{x} ", "{'} "]
)
def test_reading_takes_time_linear_in_the_text(piece: str) -> None:
    """A megabyte of anything is read in a moment."""
    text = piece * (1_000_000 // len(piece))
    began = time.perf_counter()
    parse(text)
    assert time.perf_counter() - began < 2
