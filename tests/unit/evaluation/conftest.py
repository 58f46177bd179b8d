from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import pytest

from logdocket.confidence import shipped
from logdocket.docket import Judge
from logdocket.evaluation import Examined, Row, examine
from logdocket.line import Context, Severity

Labelled = Callable[..., Row]
Looked = Callable[..., Examined]


@pytest.fixture
def labelled() -> Labelled:
    """Makes a labelled line; what is not told has no label."""

    def make(
        line: str,
        severity: str | None = None,
        first_seen: tuple[str, ...] = (),
        service: str | None = None,
        *,
        template: str | None = None,
        context: Context | None = None,
        number: int = 1,
    ) -> Row:
        return Row(
            line=line,
            severity=None if severity is None else Severity(severity),
            first_seen=first_seen,
            service=service,
            template=template,
            context=context,
            number=number,
        )

    return make


@pytest.fixture
def look(labelled: Labelled) -> Looked:
    """Makes a labelled line, and examines it with the rules as they are."""
    judge = Judge(shipped(), risk=0.02)

    def make(
        line: str, *labels: object, arrived: datetime | None = None, **more: object
    ) -> Examined:
        (examined,) = examine([labelled(line, *labels, **more)], judge, arrived)
        return examined

    return make
