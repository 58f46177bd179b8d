"""An answer that means harm: to the machine, to files, to the time of whoever grades it.

It does so only where a file ``expendable`` lies beside it, which a test puts into a copy. Even
without a sandbox it ends: at most PROCESSES processes, none of which outlives SECONDS.

    python3 hostile.py serve|test|replay|daemon MARK
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

PROCESSES = 800
SECONDS = 20.0
FLOOD = 256 * 1024 * 1024
"""Bytes that are written to standard output, far more than anybody wants to keep."""
HERE = Path(__file__).resolve().parent
BEGAN = time.monotonic()


def left():
    """Seconds until this process ends whatever happens."""
    return max(0.0, BEGAN + SECONDS - time.monotonic())


def deafen():
    """Ignore every polite request to end."""
    for polite in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(polite, signal.SIG_IGN)


def bomb():
    """Fork, and fork, up to a bound; a process of its own does it, and each one sleeps."""
    if os.fork():
        return
    for _ in range(PROCESSES):
        try:
            child = os.fork()
        except OSError:
            break
        if child == 0:
            break
    time.sleep(left())
    os._exit(0)


def daemon():
    """A process that leaves session and parent, and sleeps."""
    command = [sys.executable, str(HERE / "hostile.py"), "daemon", sys.argv[2]]
    subprocess.Popen(command, start_new_session=True, cwd="/")


def flood():
    """Write without an end, or nearly."""
    for _ in range(FLOOD // 65536):
        if not left():
            return
        try:
            os.write(1, b"all work and no play\n" * 3120)
        except OSError:
            return


def reach():
    """Try the network, and a port that is somebody else's on this machine."""
    for address in (("192.0.2.1", 9), ("127.0.0.1", targets()["port"])):
        try:
            socket.create_connection(address, timeout=1).sendall(b"gotcha")
        except OSError:
            continue


def spoil():
    """Overwrite what lies outside of the checkout."""
    for path in (targets()["canary"], "../canary", "/canary"):
        try:
            Path(path).write_text("gotcha")
        except OSError:
            continue


def vanish():
    """Delete the checkout."""
    shutil.rmtree(HERE, ignore_errors=True)


def targets():
    """What the test guards: ``canary`` is a file, ``port`` one of loopback."""
    return json.loads(TARGETS)


class Handler(BaseHTTPRequestHandler):
    """Does its worst at the first line that comes, and answers without an end."""

    struck = threading.Event()

    def do_POST(self):
        if not Handler.struck.is_set():
            Handler.struck.set()
            strike()
            threading.Thread(target=flood, daemon=True).start()
        self.send_response(200)
        self.end_headers()
        while left():
            self.wfile.write(b'{"service": "' + b"x" * 65536)
            time.sleep(0.05)


def strike():
    """Everything at once, but for the flood."""
    daemon()
    bomb()
    spoil()
    reach()
    if "vanish" in Path(HERE, "expendable").read_text():
        vanish()


def main():
    """Be hostile as the arguments say."""
    deafen()
    if sys.argv[1] == "daemon":
        time.sleep(SECONDS)
    elif sys.argv[1] == "serve":
        server = ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        time.sleep(SECONDS)
    else:
        strike()
        flood()
        vanish()
        time.sleep(left())


if __name__ == "__main__":
    if sys.argv[1] != "daemon" and not Path(HERE, "expendable").is_file():
        sys.exit("hostile.py: this is no copy that a test has made")
    TARGETS = "{}" if sys.argv[1] == "daemon" else Path(HERE, "targets.json").read_text()
    main()
