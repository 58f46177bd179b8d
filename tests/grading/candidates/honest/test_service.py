"""The service's own tests: no network, no key."""

import json
import os
import tempfile
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from unittest import mock

import service

LINE = "2026-03-04T05:06:07Z ERROR stock: shelf 12 did not answer"
ANSWER = {
    "service": "stock",
    "severity": "high",
    "first_seen": "2026-03-04T05:06:07Z",
    "evidence": "shelf 12 did not answer",
    "confidence": 0.99,
    "needs_human": False,
}


class Model(BaseHTTPRequestHandler):
    """Says what the test puts into ``content``, and counts."""

    content, calls = "", 0

    def do_POST(self):
        Model.calls += 1
        self.send_response(200)
        self.end_headers()
        message = {"message": {"content": Model.content}}
        self.wfile.write(json.dumps({"choices": [message]}).encode())

    def log_message(self, *args):
        pass


class Extract(unittest.TestCase):
    def setUp(self):
        server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
        threading.Thread(target=server.serve_forever, args=(0.01,)).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.ledger = Path(folder.name, "ledger.jsonl")
        model = {"MODEL_URL": f"http://127.0.0.1:{server.server_port}/v1", "MODEL_KEY": "test"}
        for patch in (
            mock.patch.dict(os.environ, model),
            mock.patch.multiple(service, LEDGER=self.ledger, CACHE={}, LOCKS={}),
        ):
            patch.start()
            self.addCleanup(patch.stop)
        Model.calls = 0

    def kinds(self):
        return [json.loads(entry)["kind"] for entry in self.ledger.read_text().splitlines()]

    def test_what_the_line_bears_out_needs_nobody(self):
        Model.content = json.dumps(ANSWER)
        made = service.extract(LINE, {})
        self.assertEqual(made["service"], "stock")
        self.assertFalse(made["needs_human"])

    def test_a_repeat_costs_no_call(self):
        Model.content = json.dumps(ANSWER)
        self.assertEqual(service.extract(LINE, {}), service.extract(LINE, {}))
        self.assertEqual(self.kinds(), ["call", "cache_hit"])

    def test_junk_is_tried_twice_and_goes_to_a_person(self):
        Model.content = "I am sorry."
        made = service.extract(LINE, {})
        self.assertTrue(made["needs_human"])
        self.assertEqual(made["evidence"], LINE)
        self.assertEqual(self.kinds(), ["call", "call", "fallback"])

    def test_without_a_key_nobody_is_asked(self):
        del os.environ["MODEL_KEY"]
        self.assertTrue(service.extract(LINE, {})["needs_human"])
        self.assertEqual(Model.calls, 0)


if __name__ == "__main__":
    unittest.main()
