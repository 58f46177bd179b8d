from __future__ import annotations

import pytest

from logdocket.bootstrap import microseconds
from logdocket.cli.queue_resolve import Wish
from logdocket.errors import SettingsError
from logdocket.store.review import VerdictWord

MINUTE = 60 * 10**6


@pytest.mark.parametrize(
    ("wish", "verdict"),
    [
        (Wish(right=True), VerdictWord.RIGHT),
        (Wish(not_a_problem=True), VerdictWord.NOT_A_PROBLEM),
        (Wish(snooze="2h"), VerdictWord.SNOOZED),
        (Wish(reopen=True), VerdictWord.REOPENED),
        (Wish(undo=True), VerdictWord.UNDONE),
        (Wish(service="pay"), VerdictWord.CORRECTED),
        (Wish(service=""), VerdictWord.CORRECTED),
        (Wish(severity="low", first_seen="unknown", evidence="x"), VerdictWord.CORRECTED),
        (Wish(right=True, line="a", note="b", who="c", version=0), VerdictWord.RIGHT),
    ],
)
def test_options_give_one_verdict(wish: Wish, verdict: VerdictWord) -> None:
    """Corrections of several fields are one; what goes with a verdict is none."""
    assert wish.verdict is verdict


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        (Wish(), "there is no verdict: give one of --right, "),
        (Wish(note="x", line="y"), "there is no verdict: "),
        (Wish(right=True, undo=True), "--right and --undo are different verdicts: give one of "),
        (Wish(not_a_problem=True, first_seen="x"), "--not-a-problem and --first-seen are diff"),
        (Wish(snooze="1h", reopen=True), "--snooze and --reopen are different verdicts: "),
    ],
)
def test_none_or_several_are_refused(wish: Wish, said: str) -> None:
    """With what was given and what can be."""
    with pytest.raises(SettingsError) as caught:
        _ = wish.verdict
    assert str(caught.value).startswith(said)


@pytest.mark.parametrize(
    ("snooze", "minutes"), [("30m", 30), ("2h", 120), ("3d", 3 * 1440), ("3650d", 3650 * 1440)]
)
def test_a_time_to_snooze_is_counted_from_now(snooze: str, minutes: int) -> None:
    """In minutes, hours or days."""
    before = microseconds()
    until = Wish(snooze=snooze).until
    assert until is not None
    assert before <= until - minutes * MINUTE <= microseconds()


@pytest.mark.parametrize("snooze", ["", "2", "h", "0h", "-1h", "2 h", "1.5h", "3651d", "2w", "1٣d"])
def test_another_time_is_refused(snooze: str) -> None:
    """With how it is written."""
    with pytest.raises(SettingsError, match=r"^--snooze .* is no time within ten years: write it"):
        _ = Wish(snooze=snooze).until
