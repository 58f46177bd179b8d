from __future__ import annotations

import pytest

from logdocket.grading.runbook import LIMITS, NEXT, TRADE_OFFS, Topic, page, passages


def found(text: str, topic: Topic) -> list[str]:
    """The texts that are about ``topic`` in a page."""
    return [passage.text for passage in passages("README.md", page("README.md", text), topic)]


HEADINGS = [
    (TRADE_OFFS, "Trade-offs"),
    (TRADE_OFFS, "Tradeoffs and why"),
    (TRADE_OFFS, "Design decisions"),
    (TRADE_OFFS, "Why not a queue?"),
    (LIMITS, "Limits"),
    (LIMITS, "Known limitations"),
    (LIMITS, "What this does not do"),
    (LIMITS, "Out of scope"),
    (LIMITS, "Known issues"),
    (NEXT, "Next"),
    (NEXT, "One thing to do next"),
    (NEXT, "TODO"),
    (NEXT, "With more time"),
    (NEXT, "What I'd do with another day"),
    (NEXT, "Future work"),
]


@pytest.mark.parametrize(("topic", "heading"), HEADINGS)
def test_what_stands_under_a_heading_names_the_topic(topic: Topic, heading: str) -> None:
    """All of it, deeper headings' texts too, up to the next heading of that height."""
    text = (
        f"## {heading}\n\nOne file holds it all.\n\n### More\n\n- So there.\n\n## Other\n\nAside.\n"
    )
    assert found(text, topic) == ["One file holds it all.", "So there."]


@pytest.mark.parametrize(("topic", "heading"), HEADINGS)
@pytest.mark.parametrize("below", ["", "TBD\n", "See above.\n", "```\na b c d e f g\n```\n"])
def test_a_heading_over_nothing_names_nothing(topic: Topic, heading: str, below: str) -> None:
    """A word is not a passage."""
    assert (
        found(f"## {heading}\n\n{below}\n## Other\n\nMore words than six stand here.\n", topic)
        == []
    )


SENTENCES = [
    (TRADE_OFFS, "I chose SQLite over Postgres for its simplicity."),
    (TRADE_OFFS, "The cache is in memory rather than on disk."),
    (TRADE_OFFS, "Retries are deliberately limited to a single one."),
    (TRADE_OFFS, "Answers are slow at the cost of certainty, sadly."),
    (LIMITS, "The cache does not survive a restart of it."),
    (LIMITS, "Stack traces over several lines cannot be joined."),
    (LIMITS, "It only supports timestamps in ISO 8601 form."),
    (LIMITS, "There is no authentication in front of it."),
    (LIMITS, "Authentication is out of scope for this service."),
    (NEXT, "Next I would put the cache on disk."),
    (NEXT, "With more time I'd add a breaker to it."),
    (NEXT, "A next step is to calibrate the confidence."),
    (NEXT, "Streaming of long batches is future work here."),
]


@pytest.mark.parametrize(("topic", "sentence"), SENTENCES)
@pytest.mark.parametrize(
    "form", ["{}\n", "Before this. {}\n", "- {}\n", "# Notes\n\nSome. {} More.\n"]
)
def test_a_sentence_names_the_topic(topic: Topic, sentence: str, form: str) -> None:
    """Where no heading does."""
    assert found(form.format(sentence), topic) == [sentence]


@pytest.mark.parametrize(
    ("topic", "text"),
    [
        (TRADE_OFFS, "No trade-offs.\n"),
        (TRADE_OFFS, "> I chose SQLite over Postgres for its simplicity.\n"),
        (TRADE_OFFS, "The service starts at once and answers every line in JSON.\n"),
        (LIMITS, "It cannot.\n"),
        (LIMITS, "If the model does not answer in time, a fallback is returned.\n"),
        (LIMITS, "The tests do not need a network or any key.\n"),
        (LIMITS, "The service does not crash on whatever the model returns.\n"),
        (LIMITS, "Do not commit the file that holds your key to git.\n"),
        (
            LIMITS,
            "## When the model does not answer\n\nIt asks once more, then gives a fallback.\n",
        ),
        (LIMITS, "## Rate limits\n\nThe service takes ten requests in each second.\n"),
        (LIMITS, "```\nIt cannot be restarted without a loss of data.\n```\n"),
        (NEXT, "The next line is read from the file of fixtures.\n"),
        (NEXT, "Next: more.\n"),
    ],
)
def test_a_word_in_passing_names_nothing(topic: Topic, text: str) -> None:
    """Nor do the words of others, and what something else does not do."""
    assert found(text, topic) == []


def test_a_passage_tells_where_it_stands() -> None:
    """With the title above it."""
    text = "# A\n\n## Limits\n\nOne line is one ticket, always.\n"
    (passage,) = passages("docs/RUNBOOK.md", page("docs/RUNBOOK.md", text), LIMITS)
    assert passage.quote == "docs/RUNBOOK.md:5: Limits: One line is one ticket, always."


def test_a_heading_counts_before_sentences() -> None:
    """Whoever has a section need not have its words quoted from elsewhere."""
    text = "It cannot read minds of men.\n\n# Limits\n\nOne line is one ticket, and no more.\n"
    assert found(text, LIMITS) == ["One line is one ticket, and no more."]
