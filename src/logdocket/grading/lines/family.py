"""Lines that differ in one word each: what is said of them must differ as they do."""

from __future__ import annotations

from typing import Final

import msgspec

from logdocket.grading.lines.line import LEVELS, Line

__all__ = ["FAMILIES", "Family", "Plan", "family"]


class Family(msgspec.Struct, frozen=True):
    """One line told in five ways: ``quiet`` and ``loud`` differ in the level, ``alarming`` is the
    quiet one with a word of alarm in its message, ``elsewhere`` the loud one of another service,
    ``later`` the loud one at another time. They share their marker, so they are asked about one
    after the other.
    """

    quiet: Line
    loud: Line
    alarming: Line
    elsewhere: Line
    later: Line

    @property
    def members(self) -> tuple[Line, ...]:
        """All five."""
        return (self.quiet, self.loud, self.alarming, self.elsewhere, self.later)


class Plan(msgspec.Struct, frozen=True):
    """What the lines of a family share, and the words in which they differ."""

    text: str
    quiet: str
    loud: str
    service: str
    elsewhere: str
    calm: str
    alarm: str


FAMILIES: Final = (
    # The first is as a demonstration would have it: a panic of the service api.
    Plan(
        "STAMP SERVICE LEVEL: MESSAGE",
        quiet="info",
        loud="panic",
        service="api",
        elsewhere="pricing",
        calm="fire drill for the MARKER",
        alarm="panic drill for the MARKER",
    ),
    Plan(
        "STAMP LEVEL SERVICE: MESSAGE",
        quiet="DEBUG",
        loud="FATAL",
        service="mailer",
        elsewhere="billing",
        calm="red button of the MARKER pressed",
        alarm="panic button of the MARKER pressed",
    ),
)


def family(plan: Plan, marker: str, stamp: str, later: str) -> Family:
    """The family of ``plan`` about ``marker``, at ``stamp`` and once at ``later``."""

    def line(level: str, service: str, at: str, message: str) -> Line:
        message = message.replace("MARKER", marker)
        text = plan.text.replace("STAMP", at).replace("SERVICE", service)
        return Line(
            text=text.replace("LEVEL", level).replace("MESSAGE", message),
            marker=marker,
            service=service,
            severity=LEVELS[level.upper()],
            first_seen=at,
            message=message,
            kind="family",
        )

    return Family(
        quiet=line(plan.quiet, plan.service, stamp, plan.calm),
        loud=line(plan.loud, plan.service, stamp, plan.calm),
        alarming=line(plan.quiet, plan.service, stamp, plan.alarm),
        elsewhere=line(plan.loud, plan.elsewhere, stamp, plan.calm),
        later=line(plan.loud, plan.service, later, plan.calm),
    )
