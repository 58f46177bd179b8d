"""The laws of templates: sound reuse, the same on any machine, in linear time."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from logdocket.line import NO_CONTEXT, Line
from logdocket.reading import read, template
from logdocket.reading.template import mask

OCTET = st.integers(0, 255)
IPS = st.builds("198.51.100.{}".format, OCTET) | st.builds("203.0.113.{}".format, OCTET)
STAMPS = (
    st.datetimes()
    .map(lambda moment: moment.strftime("%Y-%m-%dT%H:%M:%SZ"))
    .filter(lambda text: len(text) == 20)
)
MASKED = st.fixed_dictionaries(
    {
        "stamp": STAMPS,
        "pid": st.integers(1, 4_194_304),
        "ip": IPS,
        "port": st.integers(1, 65_535),
        "uuid": st.uuids(),
        "bytes": st.integers(10_000, 10**15),
        "path": st.integers(0, 10**9),
        "block": st.integers(-(10**18), 10**18).filter(lambda n: abs(n) >= 10_000),
    }
)
KEPT = st.fixed_dictionaries(
    {
        "service": st.sampled_from(["nginx", "sshd", "billing-api"]),
        "level": st.sampled_from(["INFO", "WARN", "ERROR", "FATAL"]),
        "status": st.sampled_from([200, 404, 500, 503]),
        "code": st.sampled_from([0, 1, 137, 3221225477]),
        "count": st.integers(0, 9_999),
        "errors": st.integers(0, 10**7),
        "percent": st.integers(0, 100),
        "word": st.sampled_from(["opened", "closed", "refused"]),
    }
)
SHAPE = (
    "{stamp} {level} {service}[{pid}]: {word} by {ip}:{port} request {uuid} /users/{path}/x "
    "blk_{block} {bytes} bytes status={status} exit code {code}, {count} done, {errors} errors, "
    "{percent}% of disk"
)
PIECES = (
    "2026-01-02 2026-01-02T03:04:05Z 03:04:05 Jan Mon 2 2026 192.0.2.1 :80 2001:db8::1 :: ::1 - _ "
    "12345 1234 0x1f abc123 deadbeef1 123e4567-e89b-12d3-a456-426614174000 00:11:22:33:44:55 pid= "
    "port request_id= exit code status % errors [ ] ]: ( ) / . , : = \" ' < > <num> <time> <id> ms "
    "é \udcff blk_ a"
).split(" ")
TEXTS = st.text() | st.lists(st.sampled_from([*PIECES, " "]), max_size=14).map("".join)


def of(text: str) -> str:
    """The template of a line as it is really read."""
    line = Line(text)
    return template(line, read(line, NO_CONTEXT))


@given(KEPT, MASKED, MASKED)
def test_lines_that_differ_only_in_masked_things_share_a_template(
    kept: dict[str, object], first: dict[str, object], second: dict[str, object]
) -> None:
    """Times, ids, addresses, ports and long numbers do not show in a template."""
    assert of(SHAPE.format(**kept, **first)) == of(SHAPE.format(**kept, **second))


@given(MASKED, KEPT, KEPT)
def test_lines_that_differ_in_meaning_never_share_a_template(
    masked: dict[str, object], first: dict[str, object], second: dict[str, object]
) -> None:
    """Services, levels, statuses, exit codes, counts, percentages and words do show."""
    assume(first != second)
    assert of(SHAPE.format(**first, **masked)) != of(SHAPE.format(**second, **masked))


@given(TEXTS)
def test_masking_twice_is_masking_once(text: str) -> None:
    """A template is its own template."""
    assert mask(mask(text)) == mask(text)


@given(TEXTS)
def test_a_text_without_digits_is_its_own_template(text: str) -> None:
    """Apart from a value under a key that says it is an id, whatever is masked holds a digit."""
    assume(not any(map(str.isdigit, text)) and "id" not in text.lower())
    assert mask(text) == text


@given(TEXTS.filter(lambda text: text.strip() != ""))
def test_any_line_has_a_template(text: str) -> None:
    """No line is too odd; and the same line gives the same template again."""
    line = Line(text) if _is_text(text) else Line("x")
    found = read(line, NO_CONTEXT)
    assert template(line, found) == template(line, found)


def _is_text(text: str) -> bool:
    try:
        text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return False
    return True


@pytest.mark.parametrize(
    "piece",
    (
        'a| |[|1|"|{|\\|a-|a_1-|a:|::|1.|1:|/|/1|0x|Jan |f|pid=|1-|x1_|request_id=|Mon, |12:|2026-'
        "|fe80:|é|<num>"
    ).split("|"),
)
def test_masking_takes_linear_time(piece: str) -> None:
    """Eight times the text takes eight times as long, not sixty-four times."""
    small = _seconds(lambda: mask((piece * 8_192)[:8_192]))
    large = _seconds(lambda: mask((piece * 65_536)[:65_536]))
    assert large < max(24 * small, 0.02)


def _seconds(act: Callable[[], object]) -> float:
    """The shortest of three runs, which other work on the machine disturbs least."""
    taken = []
    for _ in range(3):
        begun = time.perf_counter()
        act()
        taken.append(time.perf_counter() - begun)
    return min(taken)
