"""What can be wrong with quotes, and the sentence that tells whoever quoted."""

from __future__ import annotations

import enum
from typing import Final


class Ungrounded(enum.StrEnum):
    """In what a ticket or an answer is not borne out by its line."""

    EVIDENCE_BLANK = "evidence_blank"
    EVIDENCE_NOT_QUOTED = "evidence_not_quoted"
    EVIDENCE_TOO_LONG = "evidence_too_long"
    EVIDENCE_SAYS_NOTHING = "evidence_says_nothing"
    SERVICE_NOT_NAMED = "service_not_named"
    SERVICE_NO_NAME = "service_no_name"
    SERVICE_NOT_WHOLE = "service_not_whole"
    FIRST_SEEN_NOT_QUOTED = "first_seen_not_quoted"
    FIRST_SEEN_NO_STAMP = "first_seen_no_stamp"

    @property
    def sentence(self) -> str:
        """What is wrong, as told to the model that is asked again; holds no text of the line."""
        return _SENTENCES[self]


LONGEST_EVIDENCE: Final = 4096
"""Characters that an answer's evidence may have; a docket keeps it with every ticket."""

_SENTENCES: Final[dict[Ungrounded, str]] = {
    Ungrounded.EVIDENCE_BLANK: "evidence is blank: quote the words of the line that tell what "
    "happened.",
    Ungrounded.EVIDENCE_NOT_QUOTED: "evidence is not a verbatim quote of the line: copy it "
    "character for character, with the same case, spaces and escapes.",
    Ungrounded.EVIDENCE_TOO_LONG: f"evidence is longer than {LONGEST_EVIDENCE:,} characters: quote "
    "only what tells what happened.",
    Ungrounded.EVIDENCE_SAYS_NOTHING: "evidence says nothing of what happened: quote words of the "
    "message, not only a time, a number, a level or the name of the service.",
    Ungrounded.SERVICE_NOT_NAMED: 'service does not stand in the line: copy the name, or answer "'
    'unknown".',
    Ungrounded.SERVICE_NO_NAME: "service is not the name of a program or component: copy the bare "
    'name, or answer "unknown".',
    Ungrounded.SERVICE_NOT_WHOLE: "service is only a part of a longer word or of a time: copy the "
    'whole name, or answer "unknown".',
    Ungrounded.FIRST_SEEN_NOT_QUOTED: "first_seen is not a verbatim quote of the line: copy the "
    'time as it is written, or answer "unknown".',
    Ungrounded.FIRST_SEEN_NO_STAMP: "first_seen is not the whole time at which the line was "
    'written: copy that time as it is written, or answer "unknown".',
}
