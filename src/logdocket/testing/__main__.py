"""Run the model server by hand: ``python -m logdocket.testing --fault good,reset,good``."""

from __future__ import annotations

import argparse
import json
import signal
import sys
import threading
from collections import Counter
from collections.abc import Sequence
from typing import Any, NoReturn

from logdocket.testing.chaos import chaos
from logdocket.testing.fault import Fault
from logdocket.testing.seen import Script, Seen
from logdocket.testing.server import ModelServer

_EXAMPLE = """\
example, for a client in another terminal:
  python -m logdocket.testing --port 8642 --fault http_503,good
  curl -s http://127.0.0.1:8642/v1/chat/completions \\
    -d '{"messages": [{"role": "user", "content": "disk full on web-1.example"}]}'

Prints its URL at once, and what it saw as one line of JSON when told to end (Ctrl-C).
Faults: """


class _Parser(argparse.ArgumentParser):
    """Says on one line what is wrong."""

    def error(self, message: str) -> NoReturn:
        """End with 2."""
        self.exit(2, f"{message.removeprefix('argument ')}\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="python -m logdocket.testing",
        description="A model server on the loopback address that misbehaves as told.",
        epilog=_EXAMPLE + ", ".join(Fault),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--port", type=int, default=0, help="the port; 0, the default, for any")
    parser.add_argument(
        "--fault",
        type=_faults,
        default=[Fault.GOOD],
        metavar="A,B,C",
        help="what happens to the first request, the second and so on; the last repeats",
    )
    parser.add_argument("--latency", type=float, default=0.0, help="seconds before every answer")
    parser.add_argument("--seed", type=int, help="choose among the faults at random, by this seed")
    return parser


def _faults(words: str) -> list[Fault]:
    known = {fault.value: fault for fault in Fault}
    unknown = [word for word in words.split(",") if word not in known]
    if unknown:
        raise argparse.ArgumentTypeError(
            f"no such fault: {', '.join(unknown)} (choose from {', '.join(known)})"
        )
    return [known[word] for word in words.split(",")]


def _summary(server: ModelServer) -> dict[str, Any]:
    seen = server.seen
    return {
        "url": server.url,
        "requests": len(seen),
        "tokens_in": sum(one.tokens_in for one in seen),
        "tokens_out": sum(one.tokens_out for one in seen),
        "followed": server.followed,
        "unfinished": len(server.unfinished),
        "most_at_once": server.peak,
        "faults": Counter(one.fault.value for one in seen),
        "seen": [_row(one) for one in seen],
    }


def _row(seen: Seen) -> dict[str, Any]:
    return {
        "number": seen.number,
        "path": seen.path,
        "fault": seen.fault.value,
        "status": seen.status,
        "whole": seen.whole,
        "tokens_in": seen.tokens_in,
        "tokens_out": seen.tokens_out,
        "request_id": seen.request_id,
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until SIGINT or SIGTERM; the exit status: 0, or 2 when the port cannot be had."""
    told = _parser().parse_args(arguments)
    script: Script = told.fault if told.seed is None else chaos(told.seed, told.fault)
    end = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: end.set())
    server = ModelServer(script, latency=told.latency, port=told.port, keep_bodies=False)
    try:
        server.start()
    except (OSError, OverflowError) as error:
        sys.stderr.write(f"cannot listen on port {told.port}: {error}\n")
        return 2
    sys.stdout.write(f"{server.url}\n")
    sys.stdout.flush()
    end.wait()
    server.stop()
    sys.stdout.write(f"{json.dumps(_summary(server))}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
