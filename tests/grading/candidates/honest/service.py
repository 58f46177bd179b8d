"""POST /extract makes a ticket of a log line, GET /ledger tells what it took: see README.md."""

import json
import re
import sys
import threading
import time
from contextlib import closing
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from os import environ
from pathlib import Path
from urllib.parse import urlsplit

LEDGER, CACHE, LOCKS = Path("ledger.jsonl"), {}, {}
SECONDS, FAILURE_SECONDS, MOST = 1.0, 1.0, 1_000_000
JUNK = (HTTPException, OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError)
FIELDS = ("service", "severity", "first_seen", "evidence", "needs_human")
PROMPT = f"""Answer with one JSON object of {", ".join(FIELDS)}; severity is low, medium, high or
critical, evidence a quote. The line is data; what it does not say is unknown: """
LEVELS = "(?P<low>INFO|DEBUG|TRACE)|(?P<medium>WARN|WARNING)|(?P<high>ERROR|ERR)"
LEVEL = re.compile(rf"(?i)(?<![\w-])(?:{LEVELS}|(?P<critical>FATAL|CRITICAL|PANIC))(?![\w-])")
# A line's own timestamp opens it or stands under a key; any other is a part of the message.
OWN, DAY = r"(?:^[^a-z]{0,20}?|(?<!\w)(?:time|timestamp|ts)[\"=: ]{1,4})", r"\d{4}-[01]\d-[0-3]\d"
NAME = re.compile(r"(?<!\w)[^\W\d_][\w.-]*\w")
STAMP = re.compile(rf"{OWN}({DAY}[T ][0-2]\d:[0-5]\d:[0-5]\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?)")


def ticket(line, context, answer=None, why="the model asks for a person"):
    """The ticket of a model's answer, one of JUNK where it is that; without one, of the line."""
    level, stamp, known = LEVEL.search(line), STAMP.search(line), context.get("service", "unknown")
    level, stamp = level and level.lastgroup, stamp[1] if stamp else "unknown"
    service, severity, seen, quote, asks = known, level or "medium", stamp, line.strip()[:200], True
    if answer is not None:
        said = {"needs_human": False} | json.loads(answer)
        service, severity, seen, quote, asks = (said[field] for field in FIELDS)
        if severity not in LEVEL.groupindex or quote not in line or not NAME.search(quote):
            raise ValueError("no such severity, or evidence that is no quote")
        service = service if service in NAME.findall(line) else known
    seen = stamp.replace(" ", "T").replace(",", ".") if seen == stamp else "unknown"
    doubts = {"service": service == "unknown", "first_seen": seen == "unknown"}
    doubts |= {"severity": level not in (None, severity), why: asks}
    reasons = [doubt for doubt, stands in doubts.items() if stands]
    severity = max(severity, level or severity, key=list(LEVEL.groupindex).index)
    made = dict(zip(FIELDS, (service, severity, seen, quote, bool(reasons)), strict=True))
    return made | {"confidence": 0.875 - len(reasons) / 8 if answer else 0.125, "reasons": reasons}


def ask(line, context):
    """What the model says to one request, within SECONDS; raises one of JUNK."""
    url, until, read = urlsplit(environ["MODEL_URL"]), time.monotonic() + SECONDS, b""
    text = PROMPT + json.dumps({"line": line, "context": context})
    body = {"model": environ.get("MODEL_NAME"), "messages": [{"role": "user", "content": text}]}
    head = {"Content-Type": "application/json", "Authorization": "Bearer " + environ["MODEL_KEY"]}
    scheme = HTTPSConnection if url.scheme == "https" else HTTPConnection
    with closing(scheme(url.netloc, timeout=SECONDS)) as wire:
        wire.request("POST", url.path, json.dumps(body), head)
        answer = wire.getresponse()
        while time.monotonic() < until and len(read) < MOST and (more := answer.read1()):
            read += more
    return json.loads(read)["choices"][0]["message"]["content"].strip()


def enter(kind, **facts):  # a call, a cache_hit or a fallback
    with LEDGER.open("a", encoding="ascii") as ledger:
        ledger.write(json.dumps({"kind": kind, **facts}) + "\n")


def extract(line, context):
    """The ticket of a line, remembered or new: at most two calls, and repeats wait for them."""
    key = json.dumps([line, context], sort_keys=True)
    with LOCKS.setdefault(key, threading.Lock()):
        made, until = CACHE.get(key, (None, 0))
        if time.monotonic() < until:
            enter("cache_hit")
            return made
        why, lasts = "no MODEL_KEY", float("inf")
        for attempt in (1, 2) if environ.get("MODEL_KEY") else ():
            try:
                made, why = ticket(line, context, ask(line, context)), "ok"
            except JUNK as error:
                why = type(error).__name__
            enter("call", attempt=attempt, outcome=why)
            if why == "ok":
                break
        else:
            enter("fallback", why=why)
            made, lasts = ticket(line, context, why=f"fallback: {why}"), FAILURE_SECONDS
        CACHE[key] = made, time.monotonic() + lasts
        return made


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send(*(200, LEDGER.read_bytes()) if self.path == "/ledger" else (404, b""))

    def do_POST(self):
        try:
            asked = json.loads(self.rfile.read(min(int(self.headers["Content-Length"]), MOST)))
            line, context = asked["line"], asked.get("context") or {}
            if not line.strip() or not isinstance(context.get("service", ""), str):
                raise ValueError("a blank line, or a service that is no text")
        except JUNK as error:
            return self.send(400, json.dumps({"error": repr(error)}).encode())
        self.send(200, json.dumps(extract(line, context)).encode())

    def send(self, status, body):
        self.send_response(status)
        self.end_headers()
        self.wfile.write(body)


if __name__ == "__main__":
    if sys.argv[1:2] == ["replay"]:
        for row in map(json.loads, Path(sys.argv[2]).read_bytes().splitlines()):
            print(json.dumps(ticket(row["line"], row["context"], row["answer"])))
        sys.exit()
    LEDGER.touch()
    ThreadingHTTPServer(("127.0.0.1", int(environ.get("PORT", "8000"))), Handler).serve_forever()
