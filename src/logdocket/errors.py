"""Every error that Logdocket raises on purpose, drawn as one tree.

Leaves say what happened; branches are what callers catch::

    LogdocketError
    ├── InputError               the caller's data cannot become a ticket
    │   ├── BlankLine
    │   ├── LineTooLong
    │   ├── NotText
    │   └── BadContext
    ├── BadVerdict               a reviewer's verdict breaks a law of tickets
    ├── SettingsError            the configuration is wrong or unsafe
    ├── FixtureError             a replay fixture is unreadable
    ├── BadSet                   a set of labelled lines is unreadable
    ├── GradingError             an answer to the exercise cannot be graded
    │   ├── BadManifest          its grade.toml is wrong
    │   └── BadVerdicts          what a person says of a report does not fit it
    ├── OutputError              what a command gives cannot be written
    ├── ModelError               the model
    │   ├── BadModel             cannot be set up as it is named
    │   └── UnaccountedCall      a request was about to leave that no entry speaks of
    └── StoreError               the database
        ├── LedgerUnavailable    cannot be read or written now (locked, full, corrupt, read-only)
        ├── SchemaTooNew         written by a later Logdocket
        └── NotALedger           the file is something else

An error's message is one line that names the bad input and the mend. ``word`` is its stable name
for machines: the tail of a problem document's ``type``, and what the command line prints in JSON.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

URN: Final = "urn:logdocket:problem:"
"""What precedes an error's ``word`` in the ``type`` of a problem document."""


class LogdocketError(Exception):
    """Anything that Logdocket raises on purpose."""

    word: ClassVar[str] = "error"


class InputError(LogdocketError):
    """The caller's data cannot become a ticket; sending it again unchanged will not help."""

    word = "input-invalid"


class BlankLine(InputError):
    """The line holds nothing but white space, so nothing in it can be quoted."""

    word = "line-blank"


class LineTooLong(InputError):
    """The line is longer than the configured bound in bytes."""

    word = "line-too-long"


class NotText(InputError):
    """The line is not Unicode text: it holds surrogates that stand for no byte."""

    word = "line-not-text"


class BadContext(InputError):
    """A context value is malformed: an unknown time zone, an arrival time without offset."""

    word = "context-invalid"


class BadVerdict(LogdocketError):
    """A reviewer's verdict breaks a law of tickets, or contradicts itself; the message names the
    field and the mend.

    ``field`` is what an ask calls the field at fault, which begins the message; ``mend`` ends it.
    ``wants_line``: the mend begins with sending the line, whose text is not known here.
    """

    word = "verdict-invalid"

    def __init__(
        self, field: str, problem: str, mend: str = "", *, wants_line: bool = False
    ) -> None:
        self.field = field
        self.wants_line = wants_line
        self._problem = problem
        self._mend = mend
        super().__init__(self.told({}, "send the line as `line`"))

    @property
    def mark(self) -> str:
        """The field to go to for the mend."""
        return "line" if self.wants_line else self.field

    def told(self, names: Mapping[str, str], send_line: str) -> str:
        """The message in the words of a form: the field by its name in ``names``, where it has one
        there; ``send_line`` says how the line is sent."""
        mend = self._mend
        if self.wants_line:
            mend = f"{send_line}, or {mend}" if mend else send_line
        told = f"{names.get(self.field, self.field)} {self._problem}"
        return f"{told}: {mend}" if mend else told


class SettingsError(LogdocketError):
    """The configuration is wrong or unsafe; the message names the setting and the mend."""

    word = "settings-invalid"


class FixtureError(LogdocketError):
    """A replay fixture is unreadable; the message names the file and the row."""

    word = "fixture-invalid"


class BadSet(LogdocketError):
    """A set of labelled lines is unreadable; the message names the file and the line."""

    word = "set-invalid"


class GradingError(LogdocketError):
    """An answer to the exercise cannot be graded: no such folder, too large, nothing to ask."""

    word = "grading-failed"


class BadManifest(GradingError):
    """The grade.toml of an answer is wrong; the message names the key and the mend."""

    word = "manifest-invalid"


class BadVerdicts(GradingError):
    """What a person says of a report does not fit it; the message names the probe and the mend."""

    word = "verdicts-invalid"


class OutputError(LogdocketError):
    """What a command gives cannot be written: no space, no such folder, a closed descriptor."""

    word = "output-failed"


class ModelError(LogdocketError):
    """The model cannot be asked at all; how single calls of it end is no error of ours."""

    word = "model-error"


class BadModel(ModelError):
    """The model cannot be set up: no such provider, a missing extra, a wrong URL or key."""

    word = "model-invalid"


class UnaccountedCall(ModelError):
    """A request was about to leave that no entry of the ledger speaks of: a fault of ours."""

    word = "call-unaccounted"


class StoreError(LogdocketError):
    """The database cannot serve; the message names the file."""

    word = "store-error"


class LedgerUnavailable(StoreError):
    """The ledger cannot be read or written now: locked, disk full, corrupt or read-only."""

    word = "ledger-unavailable"


class SchemaTooNew(StoreError):
    """The database was written by a later version of Logdocket than this one."""

    word = "schema-too-new"


class NotALedger(StoreError):
    """The file is a database of some other program, or no database at all."""

    word = "not-a-ledger"
