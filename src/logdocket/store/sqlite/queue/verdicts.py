"""What an entry of a verdict says: its canonical JSON, and the same read back.

Keys are in order, nothing but ASCII, no white space. Bytes are in hex; bytes of a line that are not
UTF-8 stand as ``\\udcXX``.
"""

from __future__ import annotations

import json
from typing import Final

import msgspec

from logdocket.store.review import Fields, Taught, Verdict, VerdictRecord, VerdictWord
from logdocket.ticket import decode

_LARGEST: Final = 2**63 - 1


class VerdictDetail(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The detail of ``verdict``."""

    after: Fields | None = None
    before: Fields
    group: str
    line: str
    note: str | None = None
    state: str
    taught: TaughtDetail | None = None
    ticket: int
    undoes: int | None = None
    until: int | None = None
    verdict: VerdictWord
    version: int
    who: str

    def entered(self, seq: int, at: int, undone_by: int | None = None) -> Verdict:
        """The verdict of entry ``seq``; raises ValueError for what is no hex."""
        taught = self.taught
        return Verdict(
            id=seq,
            at=at,
            group=bytes.fromhex(self.group),
            verdict=self.verdict,
            ticket=self.ticket,
            line_hash=bytes.fromhex(self.line),
            who=self.who,
            version=self.version,
            before=self.before,
            after=self.after,
            taught=None if taught is None else taught.taught(),
            until=self.until,
            undoes=self.undoes,
            undone_by=undone_by,
            note=self.note,
        )


class TaughtDetail(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a verdict teaches, in its detail."""

    evidence: tuple[int, ...] | None = None
    first_seen: tuple[int, ...] | None = None
    own_time: bool
    template: str | None = None

    def taught(self) -> Taught:
        """The same, as others speak of it."""
        return Taught(
            template=None if self.template is None else bytes.fromhex(self.template),
            evidence=self.evidence,
            first_seen=self.first_seen,
            own_time=self.own_time,
        )


_decoder = msgspec.json.Decoder(VerdictDetail)


def read_verdict(text: str | bytes) -> VerdictDetail:
    """The detail that ``text`` is; raises msgspec.MsgspecError where it is none."""
    return decode(text.encode() if isinstance(text, str) else text, _decoder)


def written(record: VerdictRecord, group: bytes, state: str) -> str:
    """The detail of the entry for ``record`` about the group with key ``group``, which it leads to
    ``state``."""
    fields: dict[str, object] = {
        "before": msgspec.to_builtins(record.before),
        "group": group.hex(),
        "line": record.line_hash.hex(),
        "state": state,
        "ticket": record.ticket,
        "verdict": record.verdict.value,
        "version": record.version,
        "who": record.who,
    }
    optional: dict[str, object] = {
        "after": None if record.after is None else msgspec.to_builtins(record.after),
        "note": record.note,
        "taught": None if record.taught is None else _taught(record.taught),
        "undoes": record.undoes,
        "until": record.until,
    }
    fields.update((name, value) for name, value in optional.items() if value is not None)
    return json.dumps(fields, sort_keys=True, separators=(",", ":"))


def _taught(taught: Taught) -> dict[str, object]:
    fields: dict[str, object] = {"own_time": taught.own_time}
    if taught.template is not None:
        fields["template"] = taught.template.hex()
    if taught.evidence is not None:
        fields["evidence"] = taught.evidence
    if taught.first_seen is not None:
        fields["first_seen"] = taught.first_seen
    return fields


def contradiction(record: VerdictRecord | VerdictDetail) -> str | None:
    """What is wrong with a verdict by itself, None where nothing is."""
    word, after = record.verdict, record.after
    if not record.who:
        return "a verdict needs the name of whoever decides"
    if (word is VerdictWord.RIGHT and after != record.before) or (
        word is VerdictWord.CORRECTED and (after is None or after == record.before)
    ):
        return f"what the ticket should say does not fit the verdict {word.value}"
    decides = word in (VerdictWord.RIGHT, VerdictWord.CORRECTED)
    if not decides and (after is not None or record.taught is not None):
        return f"the verdict {word.value} says nothing of what the ticket should say"
    if (word is VerdictWord.SNOOZED) is (record.until is None):
        return "a moment to come back at belongs to the verdict snoozed, and to no other"
    if (word is VerdictWord.UNDONE) is (record.undoes is None):
        return "what is undone belongs to the verdict undone, and to no other"
    return None


def _is_text(record: VerdictRecord) -> bool:
    """Whether all that it says is text, but for bytes of a line that are none."""
    told = [record.who, record.note or ""]
    for fields in (record.before, record.after):
        if fields is not None:
            told += (fields.service, fields.first_seen, fields.evidence)
    try:
        "".join(told).encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return False
    return True


def check(record: VerdictRecord) -> None:
    """Raise ValueError for a record that contradicts itself."""
    problem = contradiction(record)
    if problem is None and len(record.line_hash) != 32:
        problem = "a line's hash has 32 bytes"
    if problem is None and record.taught is not None:
        template = record.taught.template
        if template is not None and len(template) != 16:
            problem = "what stands for a template has 16 bytes"
    numbers = (record.group, record.version, record.ticket, record.until, record.undoes)
    if problem is None and not all(
        number is None or (type(number) is int and 0 <= number <= _LARGEST) for number in numbers
    ):
        problem = "numbers of groups, entries and moments are whole and not negative"
    if problem is None and not _is_text(record):
        problem = "half a surrogate pair is no text: send Unicode text"
    if problem is not None:
        raise ValueError(f"a verdict about group {record.group}: {problem}")
