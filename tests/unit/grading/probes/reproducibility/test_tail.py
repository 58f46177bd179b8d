from __future__ import annotations

from logdocket.grading.probes.reproducibility.tail import tail


def test_the_tail_is_the_same_on_every_run() -> None:
    """Times, addresses, paths and long numbers differ; words and small numbers do not."""
    text = (
        "first\n\n\x1b[31mtook 1.23s\x1b[0m on 127.0.0.1:43210\n"
        "3 of 4 at /tmp/x-81/a.py:12\npid 43210, id 9f86d081\n"
    )
    assert tail(text) == ("took … on ……", "3 of 4 at ……", "pid …, id …")
