"""Which of a group's verdicts stand, what they say of its ticket, and what each still answers."""

from __future__ import annotations

import enum
from collections.abc import Sequence

from logdocket.store.review import Fields, Verdict, VerdictWord


class Answers(enum.StrEnum):
    """Which later lines a verdict answers."""

    TEMPLATE = "template"
    """The line that was judged, and others of its template."""
    LINE = "line"
    """That line alone."""


def latest(verdicts: Sequence[Verdict]) -> Verdict | None:
    """Of one group's ``verdicts``, newest first: the newest that stands and says what a ticket
    should; None where there is none."""
    return next((one for one in verdicts if one.stands and one.after is not None), None)


def corrected(verdicts: Sequence[Verdict], ticket: int) -> Fields | None:
    """What the ticket of entry ``ticket`` should say, where :func:`latest` corrects that one."""
    found = latest(verdicts)
    if found is None or found.verdict is not VerdictWord.CORRECTED or found.ticket != ticket:
        return None
    return found.after


def answering(verdicts: Sequence[Verdict]) -> dict[int, Answers]:
    """By the number of its entry, what each of one group's ``verdicts``, newest first, answers;
    those that answer nothing are left out.

    Of those about one line, or one template, the newest answers; none but the last correction, and
    what came after it, for a template.
    """
    answers: dict[int, Answers] = {}
    lines: set[bytes] = set()
    templates: set[bytes] = set()
    overruled = False
    for one in verdicts:
        if not one.stands or one.taught is None:
            continue
        template = one.taught.template
        if template is not None and template not in templates and not overruled:
            answers[one.id] = Answers.TEMPLATE
            templates.add(template)
        elif one.line_hash not in lines:
            answers[one.id] = Answers.LINE
        lines.add(one.line_hash)
        overruled = overruled or one.verdict is VerdictWord.CORRECTED
    return answers
