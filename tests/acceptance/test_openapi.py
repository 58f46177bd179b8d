"""The OpenAPI document keeps its word: requests made up from it, good and bad, are tried out."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from service import Service

from logdocket.http.problem import Problem

TOKEN = "an-invented-token-one"
AUTHORIZATION = f"Bearer {TOKEN}"
# A schema cannot say that a cursor is of the same list, or a verdict lawful and in season.
CONFIGURATION = """
[[operations]]
include-name = "GET /queue"
[operations.checks.positive_data_acceptance]
expected-statuses = ["2xx", "422"]

[[operations]]
include-name = "POST /queue/{id}/verdict"
[operations.checks.positive_data_acceptance]
expected-statuses = ["2xx", "404", "409", "422"]
"""
SCHEMATHESIS = "from schemathesis.cli import schemathesis; schemathesis()"


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service that a token opens, with a few entries to find."""
    with Service(tmp_path_factory.mktemp("openapi"), tokens=TOKEN) as running:
        for number in range(3):
            running.extract(f"entry {number}", headers={"Authorization": AUTHORIZATION})
        yield running


@pytest.fixture(scope="module")
def document(guarded: Service) -> dict[str, Any]:
    """The document, as the running service gives it."""
    found: dict[str, Any] = guarded.http.get("/openapi.json").json()
    return found


@pytest.mark.timeout(120)
def test_every_route_does_as_the_document_says(guarded: Service, tmp_path: Path) -> None:
    """All checks of schemathesis: statuses, media types, bodies, headers, what is taken or not."""
    configuration = tmp_path / "made-up.toml"
    configuration.write_text(CONFIGURATION)
    done = subprocess.run(
        [
            *(sys.executable, "-c", SCHEMATHESIS),
            *("--config-file", str(configuration), "run"),
            f"http://127.0.0.1:{guarded.port}/openapi.json",
            *("--checks", "all"),
            *("--header", f"Authorization: {AUTHORIZATION}"),
            *("--max-examples", "20"),
            # It has no end; tests/integration/http/test_changes.py listens.
            *("--exclude-path", "/queue/changes"),
            "--generation-deterministic",
            "--continue-on-failure",
            "--no-shrink",
            "--no-color",
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    tested = re.search(r"Tested: (\d+)", done.stdout)
    assert tested is not None
    assert int(tested[1]) == len(guarded.http.get("/openapi.json").json()["paths"]) - 1


def test_every_route_is_described(document: dict[str, Any]) -> None:
    """With a summary, an answer, and what it may answer instead."""
    assert set(document["paths"]) == {
        "/extract",
        "/extract/batch",
        "/ledger",
        "/ledger/summary",
        "/ledger/verify",
        "/tickets/{id}",
        "/queue",
        "/queue/{id}",
        "/queue/{id}/verdict",
        "/queue/verdicts",
        "/queue/changes",
        "/queue/export",
        "/healthz",
        "/readyz",
        "/metrics",
        "/schema/ticket",
    }
    for path, operations in document["paths"].items():
        for operation in operations.values():
            assert operation["summary"]
            assert "200" in operation["responses"], path
            for status, response in operation["responses"].items():
                assert response["description"]
                if status != "200":
                    assert set(response["content"]) == {"application/problem+json"}


def test_every_problem_word_is_described(document: dict[str, Any]) -> None:
    """The words are the contract."""
    words = document["components"]["schemas"]["Problem"]["properties"]["type"]["enum"]
    assert words == [f"urn:logdocket:problem:{problem.word}" for problem in Problem]


def test_every_schema_is_a_schema(document: dict[str, Any]) -> None:
    """JSON Schema 2020-12, as OpenAPI 3.1 has it; and no reference leads nowhere."""
    schemas = document["components"]["schemas"]
    for schema in schemas.values():
        Draft202012Validator.check_schema(schema)
    references = set(re.findall(r"'#/components/schemas/(\w+)'", str(document)))
    assert references <= set(schemas)
    assert set(schemas) - references == set()


def test_security_is_described_as_it_is(document: dict[str, Any], tmp_path: Path) -> None:
    """A token where tokens are set, save for what stands open; none where none are."""
    assert document["security"] == [{"token": []}]
    opened = {
        path
        for path, operations in document["paths"].items()
        if operations.get("get", {}).get("security") == []
    }
    assert opened == {"/healthz", "/readyz", "/schema/ticket"}
    with Service(tmp_path) as unguarded:
        assert "security" not in unguarded.http.get("/openapi.json").json()


def test_the_document_is_the_same_each_time(guarded: Service) -> None:
    """And answers are taken from it, not made anew."""
    first, second = (guarded.http.get("/openapi.json") for _ in range(2))
    assert first.content == second.content
