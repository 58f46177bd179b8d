"""How a command that starts a service is given its port."""

from __future__ import annotations

import re
from typing import Final

from logdocket.grading.discovery.files import Files
from logdocket.grading.discovery.recipe import recipe, scripts

__all__ = ["opened", "told_port"]

_PORT_SHAPES: Final = tuple(
    re.compile(shape)
    for shape in (
        r"(--(?:[a-z]+-)?port[= ])\d{2,5}\b",
        r"(\bPORT=)\d{2,5}\b",
        r"(\s-p[= ]?)\d{2,5}\b",
        r"((?:--bind|--listen|--addr|-b)[= ](?:[\w.]*:)?)\d{2,5}\b",
        r"((?:127\.0\.0\.1|0\.0\.0\.0|localhost):)\d{2,5}\b",
        r"(\S+\.(?:py|js|mjs|sh) )\d{4,5}$",
    )
)
_ADDED: Final[tuple[tuple[re.Pattern[str], str], ...]] = tuple(
    (re.compile(shape), added)
    for shape, added in (
        (r"(^|[ /])make ", " PORT={port}"),
        (r"(^|[ /])uvicorn ", " --port {port}"),
        (r"(^|[ /])hypercorn ", " --bind 127.0.0.1:{port}"),
        (r"(^|[ /])gunicorn ", " --bind 127.0.0.1:{port}"),
        (r"(^|[ /])flask .*\brun\b", " --port {port}"),
        (r"(^|[ /])fastapi (run|dev)\b", " --port {port}"),
    )
)
"""Programs that are told their port on the command line, and how."""


def told_port(command: str) -> str:
    """``command`` with ``{port}`` for the port in it, or where its program takes one."""
    if "{port}" in command:
        return command
    for shape in (r"\$\{PORT(?::?-\d+)?\}", r"\$PORT\b"):
        if re.search(shape, command):
            return re.sub(shape, "{port}", command)
    for known in _PORT_SHAPES:
        if known.search(command):
            return known.sub(r"\g<1>{port}", command, count=1)
    for program, added in _ADDED:
        if program.search(command):
            return command + added
    return command


_MAKE: Final = re.compile(r"make (\S+) PORT=\{port\}")
_SCRIPT: Final = re.compile(r"(?:npm|yarn|pnpm|bun) (?:run )?(\S+)")


def opened(command: str, files: Files) -> str:
    """``command``, or what it runs where that has a port written into it which it cannot change."""
    made, script = _MAKE.fullmatch(command), _SCRIPT.fullmatch(command)
    if made is not None:
        inside = recipe(made[1], files) or []
        fixed = len(inside) == 1 and "$" not in inside[0] and _written(inside[0])
        return told_port(inside[0]) if fixed else command
    if script is not None and _written(inner := scripts(files).get(script[1], "")):
        return f'export PATH="$PWD/node_modules/.bin:$PATH"; {told_port(inner)}'
    return command


def _written(command: str) -> bool:
    return any(shape.search(command) for shape in _PORT_SHAPES)
