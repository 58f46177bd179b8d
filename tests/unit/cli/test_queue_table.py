from __future__ import annotations

import msgspec
import pytest

from logdocket.cli.queue_table import age, cut, display_width, rows
from logdocket.line import Severity
from logdocket.store.review import Group, GroupState
from logdocket.ticket import ReviewReason

SECOND = 1_000_000
DAY = 86_400 * SECOND
# 2026-01-02T15:04:05Z, in µs.
START = 1_767_366_245 * SECOND
GROUP = Group(
    id=7,
    key=bytes(16),
    state=GroupState.OPEN,
    service="payments",
    severity=Severity.HIGH,
    template="card refused <n>",
    evidence="card refused 7",
    ticket=12,
    reasons=(ReviewReason.MODEL_TIMEOUT,),
    all_reasons=(ReviewReason.MODEL_TIMEOUT,),
    count=1_234,
    since=0,
    by_source={"fallback": 1_234},
    first_at=START,
    last_at=START,
    first_seen="unknown",
    last_seen="unknown",
)
changed = msgspec.structs.replace


def test_a_row_lines_up_with_its_head() -> None:
    """Numbers end where their heads do, words begin there."""
    head, row = rows([GROUP], now=START, width=None)
    assert head.split() == "id severity service count since last seen evidence".split()
    assert row.split() == "7 high payments 1,234 0 now card refused 7".split()
    assert head.index("evidence") == row.index("card refused 7")
    assert head.index("count") + len("count") == row.index("1,234") + len("1,234")


@pytest.mark.parametrize("width", [80, 100, 240])
def test_a_row_fits_the_terminal(width: int) -> None:
    """The evidence has the room that is left, and is cut there."""
    long = changed(GROUP, service="s" * 300, evidence="e" * 512)
    printed = list(rows([GROUP, long], now=START + 300 * DAY, width=width))
    assert max(map(len, printed)) == width
    assert printed[2].endswith("e…")


def test_a_narrow_terminal_still_shows_some_evidence() -> None:
    """Rows are longer than it is wide then."""
    assert list(rows([GROUP], now=START, width=20))[1].endswith("card refuse…")


def test_elsewhere_nothing_is_cut() -> None:
    """What looks for a word in the table finds it."""
    long = changed(GROUP, service="s" * 300, evidence="e" * 512)
    row = list(rows([long], now=START, width=None))[1]
    assert "s" * 300 in row
    assert row.endswith("e" * 512)


def test_the_state_is_told_where_it_says_something() -> None:
    """A group that was opened again is one of those cases."""
    for group, words in [
        (changed(GROUP, state=GroupState.DISMISSED), "7 dismissed high"),
        (changed(GROUP, reopened=True), "7 open again high"),
    ]:
        head, first, second = rows([GROUP, group], now=START, width=None)
        assert head.split()[:2] == ["id", "state"]
        assert first.split()[:3] == "7 open high".split()
        assert " ".join(second.split()).startswith(words)


def test_no_groups_have_no_head() -> None:
    """Another sentence tells why there are none."""
    assert list(rows([], now=START, width=80)) == []


def test_hostile_text_stays_in_its_row() -> None:
    """No character of a line ends the row, moves the cursor or turns the text around."""
    hostile = changed(GROUP, service="a\x1b[2Jb", evidence="x\ny\u202e\u200b\x07\udcff\x9b")
    printed = list(rows([hostile], now=START, width=None))
    assert len(printed) == 2
    assert all(row.isprintable() for row in printed)
    assert "a\\x1b[2Jb" in printed[1]
    assert printed[1].endswith("x\\ny\\u202e\\u200b\\x07\\udcff\\x9b")


def test_wide_characters_take_two_columns() -> None:
    """So that what follows them lines up."""
    wide = changed(GROUP, service="支払い", evidence="失敗" * 100)
    _, row, below = rows([wide, GROUP], now=START, width=80)
    assert display_width(row) <= 80
    assert display_width(row[: row.index("1,234")]) == below.index("1,234")


@pytest.mark.parametrize(
    ("text", "width", "shown"),
    [
        ("refused", 7, "refused"),
        ("refused", 6, "refus…"),
        ("失敗失敗", 8, "失敗失敗"),
        ("失敗失敗", 7, "失敗失…"),
        ("失敗失敗", 6, "失敗…"),
        ("e\u0301e\u0301", 2, "e\u0301e\u0301"),
        ("", 1, ""),
    ],
)
def test_text_is_cut_by_columns(text: str, width: int, shown: str) -> None:
    """Half a wide character is none, and an accent takes no room."""
    assert cut(text, width) == shown
    assert display_width(shown) <= width


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (-5, "now"),
        (59, "now"),
        (60, "1 min"),
        (3_599, "59 min"),
        (3_600, "1 h"),
        (172_799, "47 h"),
        (172_800, "2 d"),
        (864_000_000, "10,000 d"),
    ],
)
def test_ages_are_told_roughly(seconds: int, told: str) -> None:
    """A clock that went back makes none negative."""
    assert age(seconds * SECOND) == told
