from __future__ import annotations

import msgspec
import pytest

from logdocket.grounding import LONGEST_EVIDENCE, Ungrounded, Ungroundeds, check
from logdocket.line import NO_CONTEXT, Answer, Context, Line, Severity
from logdocket.reading import message_span, read, read_stamp

PLAIN = "2026-01-02T15:04:05Z ERROR payments: card refused by issuer 17 at depot-3"
JSON = (
    '{"time":"2026-01-02T15:04:05Z","level":"error","service":"payments","order":7731,'
    '"msg":"charge failed","error":"dial tcp: i/o timeout","retry":true}'
)
GOOD = Answer("payments", Severity.HIGH, "2026-01-02T15:04:05Z", "card refused by issuer")


def found(text: str, answer: Answer, context: Context = NO_CONTEXT) -> Ungroundeds:
    """What the check finds, with all that the reading of the line gives to it."""
    line = Line(text)
    reading = read(line, context)
    stamp = read_stamp(answer.first_seen, context)
    return check(answer, line, context, reading, message_span(line, context), stamp)


def changed(**fields: str) -> Answer:
    """The good answer with some fields replaced."""
    return msgspec.structs.replace(GOOD, **fields)


def of_evidence(text: str, quote: str) -> Ungroundeds:
    """What is found where only the evidence is claimed."""
    return found(text, Answer("unknown", Severity.HIGH, "unknown", quote))


def of_service(text: str, name: str, context: Context = NO_CONTEXT) -> Ungroundeds:
    """What is found about a service alone."""
    everything = found(text, Answer(name, Severity.HIGH, "unknown", Line(text).text), context)
    return tuple(each for each in everything if each.startswith("service"))


def of_first_seen(text: str, quote: str, context: Context = NO_CONTEXT) -> Ungroundeds:
    """What is found about a time alone."""
    everything = found(text, Answer("unknown", Severity.HIGH, quote, Line(text).text), context)
    return tuple(each for each in everything if each.startswith("first_seen"))


def test_an_answer_of_telling_quotes_is_grounded() -> None:
    """Nothing is found wrong with it."""
    assert found(PLAIN, GOOD) == ()


def test_everything_that_is_wrong_is_named_in_the_order_of_the_fields() -> None:
    """One retry can mend it all."""
    answer = Answer("checkout", Severity.HIGH, "2031-01-01T00:00:00Z", "card declined")
    assert found(PLAIN, answer) == (
        Ungrounded.EVIDENCE_NOT_QUOTED,
        Ungrounded.SERVICE_NOT_NAMED,
        Ungrounded.FIRST_SEEN_NOT_QUOTED,
    )


@pytest.mark.parametrize("word", Ungrounded)
def test_each_word_has_a_sentence_that_begins_with_the_field(word: Ungrounded) -> None:
    """A model that is asked again is told which field to mend."""
    field = next(name for name in ("evidence", "service", "first_seen") if word.startswith(name))
    assert word.sentence.startswith(f"{field} is ") or word.sentence.startswith(f"{field} ")
    assert word.sentence.endswith(".")


@pytest.mark.parametrize(
    "quote",
    [
        "Card refused by issuer",
        "card  refused",
        "card refused by issuer 17 at depot-3 ",
        "c\u0430rd refused",  # a Cyrillic letter
        "card\u00a0refused",
        "card refused\u200b",
    ],
)
def test_evidence_that_is_nearly_a_quote_is_none(quote: str) -> None:
    """Case, white space, look-alikes and what cannot be seen all count."""
    assert of_evidence(PLAIN, quote) == (Ungrounded.EVIDENCE_NOT_QUOTED,)


@pytest.mark.parametrize(
    ("text", "quote"),
    [("Jan 2 app: cafe\u0301 shut", "caf\u00e9"), ("app: caf\u00e9", "cafe\u0301")],
)
def test_evidence_is_not_normalised(text: str, quote: str) -> None:
    """Composed and decomposed letters are different bytes."""
    assert of_evidence(text, quote) == (Ungrounded.EVIDENCE_NOT_QUOTED,)


@pytest.mark.parametrize("quote", ["", " ", "\t\n"])
def test_blank_evidence_is_none(quote: str) -> None:
    """Even where the line has blanks."""
    assert of_evidence("app: a \t\n b", quote) == (Ungrounded.EVIDENCE_BLANK,)


@pytest.mark.parametrize(
    ("length", "wrong"),
    [(LONGEST_EVIDENCE, ()), (LONGEST_EVIDENCE + 1, (Ungrounded.EVIDENCE_TOO_LONG,))],
)
def test_evidence_has_a_longest_length(length: int, wrong: Ungroundeds) -> None:
    """A docket keeps it with each ticket."""
    text = "app: " + "disk full " * 1000
    assert of_evidence(text, text[:length]) == wrong


@pytest.mark.parametrize(
    "quote",
    [
        "0",
        "17",
        "5",
        "2026-01-02T15:04:05Z",
        "2026-01-02",
        "ERROR",
        "payments",
        "payments:",
        "2026-01-02T15:04:05Z ERROR payments:",
        ": ",
        "-",
        "iss",
    ],
)
def test_a_quote_that_tells_nothing_is_no_evidence(quote: str) -> None:
    """A number, the time, the level, the name, a sign, a part of a word, or all of a head."""
    assert quote in PLAIN
    assert of_evidence(PLAIN, quote) == (Ungrounded.EVIDENCE_SAYS_NOTHING,)


@pytest.mark.parametrize("quote", [PLAIN, "refused", "payments: card", "at depot-3", "issuer 17"])
def test_a_quote_with_a_word_of_the_message_is_evidence(quote: str) -> None:
    """However little of it, and whatever else with it."""
    assert of_evidence(PLAIN, quote) == ()


@pytest.mark.parametrize(
    "quote",
    [
        '"level":"error"',
        '"time":"2026-01-02T15:04:05Z"',
        '"order":7731',
        '"service":"payments"',
        '{"',
        '"msg":',
        *"error true 7731".split(),
    ],
)
def test_keys_and_plain_fields_of_a_record_are_no_evidence(quote: str) -> None:
    """What has a field of its own in the ticket, and what names a field, tell nothing."""
    assert quote in JSON
    assert of_evidence(JSON, quote) == (Ungrounded.EVIDENCE_SAYS_NOTHING,)


@pytest.mark.parametrize(
    "quote",
    ["charge failed", '"msg":"charge failed"', "i/o timeout", '"error":"dial tcp: i/o', JSON],
)
def test_what_stands_beside_the_message_may_be_evidence(quote: str) -> None:
    """Records put what went wrong under keys of their own."""
    assert of_evidence(JSON, quote) == ()


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("2026-01-02T15:04:05Z 500 0 17", "500"),
        ("app: \u932f\u8aa4", "\u932f\u8aa4"),
        ("app: \u78c1\u76d8\u5df2\u6eff\u8acb\u6e05\u7406", "\u5df2\u6eff"),
        ("app: \u0924\u094d\u0930\u0941\u091f\u093f", "\u0924\u094d\u0930\u0941\u091f\u093f"),
        ("ERROR", "ERROR"),
        ("sshd[12]: failed", "failed"),
        ("!!!", "!!"),
        ("\x1b[31mERROR\x1b[0m disk \x1b[1mfull", "disk \x1b[1mfull"),
        ("panic: runtime error", "runtime error"),
    ],
)
def test_a_line_that_says_little_can_still_be_quoted(text: str, quote: str) -> None:
    """By the most telling that it has: words of any script, else numbers, else signs."""
    assert of_evidence(text, quote) == ()


def test_the_time_in_a_second_place_is_no_evidence_either() -> None:
    """Some programs write it into their message again."""
    text = "Jan  2 03:04:05 web-1 ftpd[7]: connection at Jan  2 03:04:05"
    assert of_evidence(text, "Jan  2 03:04:05") == (Ungrounded.EVIDENCE_SAYS_NOTHING,)


def test_an_unresolved_time_that_the_answer_names_is_no_evidence() -> None:
    """What counts as a time for one field does not tell what happened in another."""
    text = "app: lease ran out, noted at 14 Jun 2026 15:16:01 by node"
    answer = Answer("unknown", Severity.HIGH, "14 Jun 2026 15:16:01", "14 Jun 2026 15:16:01")
    assert found(text, answer) == (Ungrounded.EVIDENCE_SAYS_NOTHING,)


@pytest.mark.parametrize("name", ["unknown", "UNKNOWN", "Unknown"])
def test_an_unknown_service_claims_nothing(name: str) -> None:
    """In any case of letters."""
    assert of_service(PLAIN, name) == ()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (PLAIN, "payments"),
        (PLAIN, "payments:"),
        (PLAIN, "depot-3"),
        ("Jan  2 03:04:05 web-1 sshd[19]: refused", "sshd[19]:"),
        ("seen in [relay] today", "[relay]"),
        (
            "x \u043f\u043b\u0430\u0442\u0435\u0436\u0438 down",
            "\u043f\u043b\u0430\u0442\u0435\u0436\u0438",
        ),
    ],
)
def test_a_name_that_stands_in_the_line_is_a_service(text: str, name: str) -> None:
    """With what loggers put around it, too."""
    assert of_service(text, name) == ()


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("Payments", Ungrounded.SERVICE_NOT_NAMED),
        ("billing", Ungrounded.SERVICE_NOT_NAMED),
        ("", Ungrounded.SERVICE_NO_NAME),
        (" ", Ungrounded.SERVICE_NO_NAME),
        ("2026-01-02T15:04:05Z", Ungrounded.SERVICE_NO_NAME),
        ("17", Ungrounded.SERVICE_NO_NAME),
        ("ERROR", Ungrounded.SERVICE_NO_NAME),
        (PLAIN, Ungrounded.SERVICE_NO_NAME),
        ("card refused by issuer 17 at depot-3", Ungrounded.SERVICE_NO_NAME),
        ("pay", Ungrounded.SERVICE_NOT_WHOLE),
        ("02T15", Ungrounded.SERVICE_NOT_WHOLE),
    ],
)
def test_what_is_no_name_is_no_service(name: str, wrong: Ungrounded) -> None:
    """A time, a number, a level, the line, the message, or a part of a word."""
    assert of_service(PLAIN, name) == (wrong,)


def test_a_level_that_is_spelt_like_a_name_is_no_service() -> None:
    """Where the rules found the level, there is no name."""
    text = 't=2026-01-02T03:04:05Z lvl=eror msg="disk full" logger=boards'
    assert of_service(text, "eror") == (Ungrounded.SERVICE_NOT_WHOLE,)


def test_the_evidence_is_no_service() -> None:
    """Nobody is called what happened."""
    answer = Answer("disk full", Severity.HIGH, "unknown", "disk full")
    assert found("node says disk full again", answer) == (Ungrounded.SERVICE_NO_NAME,)


def test_the_callers_own_name_is_a_service() -> None:
    """Though the line does not say it; but no part of it."""
    context = Context(service="checkout-eu")
    assert of_service(PLAIN, "checkout-eu", context) == ()
    assert of_service(PLAIN, "checkout", context) == (Ungrounded.SERVICE_NOT_NAMED,)


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        (PLAIN, "unknown"),
        (PLAIN, "2026-01-02T15:04:05Z"),
        ("2026-01-02 15:04:05,123 ERROR app: x", "2026-01-02T15:04:05.123"),
        ("[02/Jan/2026:15:04:05 +0100] app: x", "02/Jan/2026:15:04:05 +0100"),
        ("[02/Jan/2026:15:04:05 +0100] app: x", "[02/Jan/2026:15:04:05 +0100]"),
        ("Jan  2 15:04:05 web-1 app[1]: x", "Jan  2 15:04:05"),
        ("[    5.123456] eth0: link is up", "[    5.123456]"),
        ("E0102 03:04:05.678901    1234 queue.go:9] requeue failed", "E0102 03:04:05.678901"),
        ('{"time":1767323045678,"level":50,"msg":"insert failed"}', "1767323045678"),
        ("app: since 03/04/2026 10:00:00", "03/04/2026 10:00:00"),
    ],
)
def test_a_whole_time_of_the_line_is_one(text: str, quote: str) -> None:
    """As it is written, or as the rules wrote it; resolved or not."""
    assert of_first_seen(text, quote) == ()


@pytest.mark.parametrize(
    ("text", "quote", "wrong"),
    [
        ("app: errno 110 from peer", "110", Ungrounded.FIRST_SEEN_NO_STAMP),
        ("app: order 1767323045 lost", "1767323045", Ungrounded.FIRST_SEEN_NO_STAMP),
        ("app: version 10.2.33 is out", "10.2.33", Ungrounded.FIRST_SEEN_NO_STAMP),
        ("app: since 25/12/2026 10:00:00", "5/12/2026 10:00:00", Ungrounded.FIRST_SEEN_NO_STAMP),
        (PLAIN, "payments", Ungrounded.FIRST_SEEN_NO_STAMP),
        (PLAIN, PLAIN, Ungrounded.FIRST_SEEN_NO_STAMP),
        (PLAIN, "2026-01-02T15:04:06Z", Ungrounded.FIRST_SEEN_NOT_QUOTED),
        (PLAIN, "2026-01-02t15:04:05z", Ungrounded.FIRST_SEEN_NOT_QUOTED),
        (PLAIN, "", Ungrounded.FIRST_SEEN_NOT_QUOTED),
        (
            "Jan  2 15:04:05 web-1 app[1]: x",
            "2026-01-02T15:04:05",
            Ungrounded.FIRST_SEEN_NOT_QUOTED,
        ),
    ],
)
def test_what_is_no_time_of_the_line_is_none(text: str, quote: str, wrong: Ungrounded) -> None:
    """A count, a version, a date cut short, any word, and any time that the line does not say."""
    assert of_first_seen(text, quote) == (wrong,)
