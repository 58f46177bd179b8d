"""``logdocket serve``."""

from __future__ import annotations

import logging
import os
from pathlib import Path

from logdocket.bootstrap import build_model, build_store, build_table
from logdocket.http import run as run_server
from logdocket.http import set_up_log
from logdocket.settings import PREFIX, Settings, strangers

_log = logging.getLogger("logdocket.cli")


def run(*, host: str | None, port: int | None, workers: int, db: Path | None) -> int:
    """Serve until stopped; the exit code. Raises SettingsError and StoreError before it listens."""
    settings = Settings.load(host=host, port=port, db=db)
    settings.check_listen(*([] if host is None else ["--host "]))
    # Refuse what can never serve here, in one line, rather than in each worker.
    build_store(settings).close()
    build_model(settings)
    threshold = build_table(settings).threshold(settings.risk)
    # Workers are processes of their own: what was chosen here reaches them by the environment.
    os.environ[PREFIX + "DB"] = str(settings.db.absolute())
    set_up_log(settings.log_level)
    for name in strangers():
        _log.warning("%s is no setting and has no effect", name)
    if threshold is None:
        _log.warning(
            "no threshold of confidence meets a risk of %g: every ticket goes to a person",
            settings.risk,
        )
    started = run_server(
        "logdocket.bootstrap:build_app",
        host=settings.host,
        port=settings.port,
        workers=workers,
        log_level=settings.log_level,
    )
    return 0 if started else 1
