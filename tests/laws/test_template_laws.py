"""The laws of templates: sound reuse, the same on any machine, in linear time."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from logdocket.line import NO_CONTEXT, Line, Span
from logdocket.reading import Cut, cut, read, template

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
        "bytes": st.integers(10_000, 10**15),
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
    "é \udcff blk_ a /home/x/ /var user for from root failed exited with of out rhost= "
    "name.example 5.2 KB 1m30s R02-M1-N0-C:J12 web-1 task stage SHA256:abcdefghijklmnopqrstuvwx "
    "GET 503 <<"
).split(" ")
TEXTS = st.text() | st.lists(st.sampled_from([*PIECES, " "]), max_size=14).map("".join)

FRAMES = (
    "{}",
    "Jun 14 15:16:01 web-1 cart[812]: {}",
    "2026-06-14 15:16:01 ERROR [main] com.example.Cart - {}",
    '192.0.2.7 - - [14/Jun/2026:15:16:01 +0000] "GET /{} HTTP/1.1" 503 162',
    "- 1781450161 2026.06.14 dn228 Jun 14 15:16:01 dn228/dn228 crond[2915]: {}",
)


def of(text: str) -> str:
    """The template of a line as it is really read."""
    line = Line(text)
    return template(line, read(line, NO_CONTEXT))


@given(KEPT, MASKED, MASKED)
def test_lines_that_differ_only_in_masked_things_share_a_template(
    kept: dict[str, object], first: dict[str, object], second: dict[str, object]
) -> None:
    """Times, ids, addresses and ports do not show in a template."""
    assert of(SHAPE.format(**kept, **first)) == of(SHAPE.format(**kept, **second))


@given(MASKED, KEPT, KEPT)
def test_lines_that_differ_in_meaning_never_share_a_template(
    masked: dict[str, object], first: dict[str, object], second: dict[str, object]
) -> None:
    """Services, levels, statuses, exit codes, counts, percentages and words do show."""
    assume(first != second)
    assert of(SHAPE.format(**first, **masked)) != of(SHAPE.format(**second, **masked))


def cut_of(line: Line) -> Cut:
    """The cut of a line as it is really read."""
    return cut(line, read(line, NO_CONTEXT), NO_CONTEXT)


@st.composite
def spans(draw: st.DrawFn) -> tuple[Line, Span]:
    """A line and a span of it between whole characters."""
    text = draw(TEXTS.filter(lambda text: text.strip() != "" and _is_text(text)))
    start = draw(st.integers(0, len(text)))
    end = draw(st.integers(start, len(text)))
    before, inside = (
        len(part.encode("utf-8", "surrogateescape")) for part in (text[:start], text[start:end])
    )
    return Line(text), Span(before, before + inside)


@given(spans())
def test_a_span_put_back_in_its_place_covers_itself_and_grows_only_to_edges_of_masks(
    drawn: tuple[Line, Span],
) -> None:
    """What a span gains stands within the mask that it began or ended in."""
    line, span = drawn
    found = cut_of(line)
    back = found.span(found.place(span))
    masks = [Span(*pair) for pair in zip(found.edges[::2], found.edges[1::2], strict=True)]
    begun = [mask.start for mask in masks if mask.start < span.start < mask.end]
    ended = [mask.end for mask in masks if mask.start < span.end < mask.end]
    assert back.start == (begun or [span.start])[0]
    assert back.end == (ended or [span.end])[0]
    assert found.span(found.place(back)) == back


@given(TEXTS.filter(lambda text: text.strip() != ""))
def test_a_template_tells_what_the_line_holds_between_the_masks(text: str) -> None:
    """Read back from left to right it gives as many masks, and what is none byte for byte."""
    line = Line(text) if _is_text(text) else Line("x")
    found = cut_of(line)
    edges = (0, *found.edges, found.length)
    assert list(edges) == sorted(edges)
    between = [line.quote(Span(*pair)) for pair in zip(edges[::2], edges[1::2], strict=True)]
    assert between == _between(found.wide)
    assert len(found.numbers) < len(between)


def _between(template: str) -> list[str]:
    """What stands between the marks of a template."""
    kept = [""]
    for piece in re.findall(r"<<|<[a-z0-9]+>|[^<]+", template):
        if piece[0] == "<" and piece != "<<":
            kept.append("")
        else:
            kept[-1] += piece.replace("<<", "<")
    return kept


@given(TEXTS.filter(lambda text: text.strip() != ""), st.sampled_from(FRAMES))
def test_what_bears_out_severity_and_service_is_kept_byte_for_byte(text: str, frame: str) -> None:
    """No mask touches their spans."""
    line = Line(frame.format(text if _is_text(text) else "x"))
    found = read(line, NO_CONTEXT)
    edges = cut(line, found, NO_CONTEXT).edges
    for span in (found.severity.span, found.service.span):
        if span is not None:
            for first, last in zip(edges[::2], edges[1::2], strict=True):
                assert last <= span.start or span.end <= first


@given(KEPT, MASKED, MASKED)
def test_a_place_of_one_line_quotes_the_same_thing_in_another_of_its_template(
    kept: dict[str, object], first: dict[str, object], second: dict[str, object]
) -> None:
    """Each part of the shape stands at the same place, whatever its length."""
    one, other = Line(SHAPE.format(**kept, **first)), Line(SHAPE.format(**kept, **second))
    cuts = cut_of(one), cut_of(other)
    assume(cuts[0].wide == cuts[1].wide)
    for values in ({"ip": "ip"}, {"uuid": "uuid"}, {"word": "word"}, {"service": "service"}):
        for name in values:
            wanted = [str({**kept, **masked}[name]) for masked in (first, second)]
            start = one.raw.index(wanted[0].encode())
            place = cuts[0].place(Span(start, start + len(wanted[0])))
            assert other.quote(cuts[1].span(place)) == wanted[1]


@given(TEXTS.filter(lambda text: text.strip() != ""))
def test_any_line_has_a_template(text: str) -> None:
    """No line is too odd; and the same line gives the same template again."""
    line = Line(text) if _is_text(text) else Line("x")
    assert cut_of(line) == cut_of(line)


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
    small = _seconds(lambda: cut_of(Line(f"x {piece * 1_000}"[:1_000])))
    large = _seconds(lambda: cut_of(Line(f"x {piece * 8_000}"[:8_000])))
    assert large < max(24 * small, 0.02)
    assert _seconds(lambda: cut_of(Line(f"x {piece * 65_536}"[:65_536]))) < 0.5


def _seconds(act: Callable[[], object]) -> float:
    """The shortest of three runs, which other work on the machine disturbs least."""
    taken = []
    for _ in range(3):
        begun = time.process_time()
        act()
        taken.append(time.process_time() - begun)
    return min(taken)
