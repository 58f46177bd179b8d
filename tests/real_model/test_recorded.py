"""A recorded run of the real model, replayed: junk that nobody made up, and one good answer."""

from __future__ import annotations

import json
from pathlib import Path

import command

RECORDED = Path(__file__).with_name("recorded.jsonl")


def test_it_replays_to_the_same_bytes() -> None:
    """Tickets and ledger come out as they did when the model was asked."""
    done = command.run("replay", "--check", RECORDED)
    assert done.returncode == 0, done.stdout + done.stderr


def test_it_holds_real_junk_and_an_answer_that_was_mended() -> None:
    """Most lines fell back after two bad answers; one was right when told what was wrong."""
    tickets = RECORDED.with_name("recorded.expected.jsonl").read_text("utf-8").splitlines()
    sources = [json.loads(ticket)["ticket"]["source"] for ticket in tickets]
    assert sorted(sources) == ["fallback"] * 7 + ["model"]
