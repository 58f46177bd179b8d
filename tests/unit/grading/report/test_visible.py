from __future__ import annotations

import pytest

from logdocket.grading.report.visible import sound, visible

from .reports import HOSTILE, LINES


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("plain | `text` é 漢字 🎫", "plain | `text` é 漢字 🎫"),
        ("\x1b[2J", "\\x1b[2J"),
        ("\x9b2J", "\\x9b2J"),
        ("a\tb\r\n\x00\x7f", "a\\tb\\r\\n\\x00\\x7f"),
        ("\u202eno\u202c \u2066", "\\u202eno\\u202c \\u2066"),
        ("a\u200bb\ufeff\u00ad", "a\\u200bb\\ufeff\\xad"),
        ("a\u00a0b\u2028c", "a\\xa0b\\u2028c"),
        ("\udc80\udcff", "\\x80\\xff"),
        ("\ud800", "\\ud800"),
        ("\U000e0041\U0010ffff", "\\U000e0041\\U0010ffff"),
        ("\u3164\u2800", "\\u3164\\u2800"),
        ("e\u0301", "e\u0301"),
        ("e" + "\u0301" * 5, "e" + "\u0301" * 3 + "\\u0301\\u0301"),
    ],
    ids=ascii,
)
def test_what_is_not_seen_as_itself_is_escaped(text: str, seen: str) -> None:
    """And what is, stays."""
    assert visible(text) == seen


def test_line_feeds_may_stay() -> None:
    """Where a text of several lines is shown as such; a lone carriage return never does."""
    assert visible("a\r\nb\nc\rd\x1b", lines=True) == "a\nb\nc\\rd\\x1b"


@pytest.mark.parametrize("text", [HOSTILE, LINES], ids=["one line", "lines"])
def test_visible_text_is_printable_and_can_be_encoded(text: str) -> None:
    """Whatever it was."""
    shown = visible(text)
    assert shown.isprintable()
    assert shown.encode().decode() == shown
    assert visible(shown) == shown


def test_sound_text_differs_only_in_lone_surrogates() -> None:
    """All other characters are data, and stay as they were."""
    assert sound("a\x1b\u202e\udc80\ud83d") == "a\x1b\u202e\\x80\\ud83d"
    assert sound("é\x00🎫") == "é\x00🎫"
