"""The laws of the strict timestamp grammar."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from email.utils import format_datetime
from importlib import import_module
from pkgutil import iter_modules

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from logdocket.line import NO_CONTEXT, Context
from logdocket.reading import timestamp
from logdocket.reading.parts import Stamp
from logdocket.reading.timestamp import at, epoch, klog_at, logcat_at, search, uptime_at, whole

MOMENTS = st.datetimes(datetime(1, 1, 1), datetime(9999, 12, 31, 23, 59, 59))
RECENT = st.datetimes(datetime(1990, 1, 1), datetime(2100, 12, 31))
OFFSETS = st.integers(-23 * 60 - 59, 23 * 60 + 59).map(lambda n: timezone(timedelta(minutes=n)))
CONTEXTS = st.builds(
    Context,
    received_at=st.none() | st.datetimes(timezones=OFFSETS),
    timezone=st.sampled_from([None, "UTC", "Europe/Paris", "America/St_Johns", "-03:30"]),
)
PIECES = (
    "2026 1999 26 06 6 14 00 24 25 60 29 31 02 : :: - -- / . , T t Z z + Jun Feb June Sun Sunday "
    "Mon UTC GMT PDT AM pm +0200 +02:00 15:16:01 15:16 2026-06-14 14/Jun/2026 20260614 081109 "
    "151601 .123 ,5 1781450161 1e9 m=+0.1 [ ] ( ) I0614 ½ ٣ \x00 \udc80 x _"
)
GAPS = (" ", "  ", "\t", "\n", "")
TEXTS = st.text() | st.lists(st.sampled_from((*PIECES.split(" "), *GAPS)), max_size=14).map("".join)
READERS = (at, search, whole, epoch, klog_at, logcat_at, uptime_at)
NORMAL = re.compile(
    r"\d{4}-\d\d-\d\d"
    r"(T([01]\d|2[0-3]):[0-5]\d(:([0-5]\d|60)(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)?)?"
)
ENGLISH = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
DAYS = "Mon Tue Wed Thu Fri Sat Sun".split()


def iso(moment: datetime) -> str:
    """The moment to the second, in the normal form."""
    return moment.isoformat()[:19]


def month(moment: datetime) -> str:
    """English, whatever the locale."""
    return ENGLISH[moment.month - 1]


SHAPES: dict[str, Callable[[datetime], str]] = {
    "iso": iso,
    "space": lambda m: iso(m).replace("T", " "),
    "slashes": lambda m: iso(m).replace("-", "/").replace("T", " "),
    "dots": lambda m: f"{iso(m)[:10]}-{iso(m)[11:].replace(':', '.')}",
    "basic": lambda m: iso(m).replace("-", "").replace(":", ""),
    "clf": lambda m: f"{m.day:02}/{month(m)}/{m.year:04}:{iso(m)[11:]}",
    "ctime": lambda m: f"{DAYS[m.weekday()]} {month(m)} {m.day:2} {iso(m)[11:]} {m.year:04}",
    "mail": lambda m: f"{DAYS[m.weekday()]}, {m.day:02} {month(m)} {m.year:04} {iso(m)[11:]}",
    "oracle": lambda m: f"{m.day:02}-{month(m).upper()}-{m.year:04} {iso(m)[11:]}",
    "cisco": lambda m: f"{month(m)} {m.day} {m.year:04} {iso(m)[11:]}",
    "java": lambda m: (
        f"{month(m)} {m.day}, {m.year:04} {(m.hour + 11) % 12 + 1}{iso(m)[13:]} "
        f"{'AM' if m.hour < 12 else 'PM'}"
    ),
}


@pytest.mark.parametrize("shape", SHAPES)
@given(moment=RECENT)
def test_a_moment_written_in_any_shape_reads_back(shape: str, moment: datetime) -> None:
    """What a program wrote is what is read, over all the stamp."""
    text = SHAPES[shape](moment)
    assert at(text, 0, len(text), NO_CONTEXT) == Stamp(0, len(text), iso(moment), None)
    assert whole(text, 0, len(text), NO_CONTEXT) == Stamp(0, len(text), iso(moment), None)
    assert search(f"at {text}] x", 0, len(text) + 6, NO_CONTEXT) == Stamp(
        3, 3 + len(text), iso(moment), None,
    )  # fmt: skip


@given(moment=MOMENTS, offset=OFFSETS)
def test_rfc_3339_reads_back_to_the_microsecond(moment: datetime, offset: timezone) -> None:
    """The value names the same moment and keeps its offset."""
    text = moment.replace(tzinfo=offset).isoformat()
    stamp = at(text, 0, len(text), NO_CONTEXT)
    assert stamp is not None
    assert stamp.value is not None
    assert stamp.end == len(text)
    assert stamp.value == text.removesuffix("+00:00") + ("Z" if text.endswith("+00:00") else "")


@given(moment=RECENT, offset=st.integers(-14 * 60, 14 * 60))
def test_mail_dates_of_the_standard_library_read_back(moment: datetime, offset: int) -> None:
    """RFC 2822, weekday and offset included."""
    aware = moment.replace(microsecond=0, tzinfo=timezone(timedelta(minutes=offset)))
    text = format_datetime(aware)
    stamp = at(text, 0, len(text), NO_CONTEXT)
    assert stamp is not None
    assert stamp.value is not None
    assert datetime.fromisoformat(stamp.value) == aware


@given(moment=st.datetimes(datetime(1990, 1, 1), datetime(2099, 12, 31)), scale=st.integers(0, 2))
def test_an_epoch_reads_back_in_each_unit(moment: datetime, scale: int) -> None:
    """Seconds, milliseconds and microseconds, told apart by magnitude."""
    micros = (moment - datetime(1970, 1, 1)) // timedelta(microseconds=1)
    text = str(micros // 10 ** (6 - 3 * scale))
    stamp = epoch(text, 0, len(text), NO_CONTEXT)
    assert stamp is not None
    assert stamp.value is not None
    written = moment.isoformat(timespec=("seconds", "milliseconds", "microseconds")[scale])
    assert stamp.value == f"{written}Z"


@given(moment=st.datetimes(datetime(1905, 1, 1), datetime(2199, 12, 31)), late=st.integers(0, 363))
def test_a_stamp_without_a_year_gets_the_year_it_was_written_in(
    moment: datetime, late: int
) -> None:
    """When its line arrives in time: up to 363 days late, or up to a day ahead of its clock."""
    text = f"{month(moment)} {moment.day:2} {iso(moment)[11:]}"
    for shift in (timedelta(days=late), timedelta(hours=-23)):
        context = Context(received_at=(moment + shift).replace(tzinfo=UTC))
        stamp = at(text, 0, len(text), context)
        assert stamp == Stamp(0, len(text), iso(moment), None)


@given(text=TEXTS, context=CONTEXTS, data=st.data())
@example(
    text="Feb 29 10:00:00", context=Context(received_at=datetime.min.replace(tzinfo=UTC)), data=None
)
@example(
    text="Dec 31 24:00:00", context=Context(received_at=datetime.max.replace(tzinfo=UTC)), data=None
)
@example(text="9999-12-31 23:59:60", context=Context(timezone="Pacific/Kiritimati"), data=None)
@example(text="0001-01-01 00:00:00", context=Context(timezone="Pacific/Kiritimati"), data=None)
def test_any_text_gives_a_stamp_inside_the_bounds_or_none(
    text: str, context: Context, data: st.DataObject | None
) -> None:
    """Nothing raises; a stamp has either a value in the normal form or a reason, and a span."""
    start = 0 if data is None else data.draw(st.integers(0, len(text)))
    end = len(text) if data is None else data.draw(st.integers(start, len(text)))
    for read in READERS:
        stamp = read(text, start, end, context)
        if stamp is None:
            continue
        assert start <= stamp.start < stamp.end <= end
        assert (stamp.value is None) is not (stamp.why is None)
        if stamp.value is not None:
            assert NORMAL.fullmatch(stamp.value)


@given(text=TEXTS, context=CONTEXTS)
def test_a_value_reads_back_as_itself(text: str, context: Context) -> None:
    """The normal form is a fixed point of the grammar."""
    for read in READERS:
        stamp = read(text, 0, len(text), context)
        if stamp is not None and stamp.value is not None:
            again = whole(stamp.value, 0, len(stamp.value), NO_CONTEXT)
            assert again == Stamp(0, len(stamp.value), stamp.value, None)


@given(text=TEXTS, context=CONTEXTS, before=st.text(max_size=5), after=st.text(max_size=5))
def test_only_the_stretch_is_read(text: str, context: Context, before: str, after: str) -> None:
    """What stands around it changes nothing but the place."""
    shift = len(before)
    for read in READERS:
        alone = read(text, 0, len(text), context)
        moved = None if alone is None else alone._replace(
            start=alone.start + shift, end=alone.end + shift
        )  # fmt: skip
        assert read(before + text + after, shift, shift + len(text), context) == moved


@given(text=TEXTS)
def test_a_found_stamp_is_what_stands_at_its_place(text: str) -> None:
    """Searching adds nothing to reading."""
    stamp = search(text, 0, len(text), NO_CONTEXT)
    if stamp is not None:
        assert at(text, stamp.start, len(text), NO_CONTEXT) == stamp


class Counted(str):
    """A text that counts how often a part of it is taken out."""

    taken = 0

    def __getitem__(self, key: object) -> str:
        """The part, counted."""
        self.taken += 1
        return super().__getitem__(key)  # type: ignore[index]


@pytest.mark.parametrize(
    "piece",
    ["1", ":", "-", " ", "a", "1 ", "1:", "12:34:56 ", "Jun ", "Jun 14 ", "Sun ", "2026-06-14 ",
     "20260614 ", "1 Jun ", "10/Oct/2000:", "[", "é", "Sun Sun, "],
)  # fmt: skip
def test_places_tried_grow_no_faster_than_the_text(piece: str) -> None:
    """Twice the text is at most twice the work, and no place is tried again."""
    works = []
    for size in (4096, 8192):
        text = Counted((piece * size)[:size])
        search(text, 0, size, NO_CONTEXT)
        works.append(text.taken)
    assert works[1] <= 2 * works[0] + 16
    assert works[1] <= 4 * 8192


def patterns() -> list[str]:
    """Every pattern of the package."""
    modules = [import_module(f"{timestamp.__name__}.{found.name}")
               for found in iter_modules(timestamp.__path__)]  # fmt: skip
    values = [value for module in modules for value in vars(module).values()]
    return sorted({value.pattern for value in values if isinstance(value, re.Pattern)})


def test_no_pattern_runs_far_and_comes_back() -> None:
    """Repeats without a bound are possessive, so that no pattern backtracks over a long text."""
    assert len(patterns()) > 10
    for pattern in patterns():
        bare = re.sub(r"\\.|\[[^\]]*\]", "x", pattern)
        assert not re.findall(r"x[*+](?!\+)|[).][*+](?!\+)|\{\d*,\}(?!\+)", bare), pattern


def test_a_fraction_of_any_length_is_cut_to_nanoseconds() -> None:
    """64 KiB of digits behind a second are one stamp."""
    text = "2026-06-14T15:16:01." + "7" * 65_536
    stamp: Stamp | None = at(text, 0, len(text), NO_CONTEXT)
    assert stamp == Stamp(0, len(text), "2026-06-14T15:16:01.777777777", None)
