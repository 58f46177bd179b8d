"""What the targets of a Makefile and the scripts of package.json run."""

from __future__ import annotations

import re
from typing import Final

from logdocket.grading.discovery.files import Files, lines

__all__ = ["MAKEFILES", "makefile", "recipe", "scripts", "targets"]

MAKEFILES: Final = ("GNUmakefile", "makefile", "Makefile")
"""The names that GNU make looks for, in its order."""
_RULE: Final = re.compile(r"([^\s:=#][^:=#]{0,300}?)\s{0,4}:(?![:=])")


def makefile(files: Files) -> str | None:
    """The name of the Makefile that GNU make would read."""
    return next((name for name in MAKEFILES if files.has(name)), None)


def targets(files: Files) -> dict[str, list[str]]:
    """The lines of the recipe of each target, in the order of the file."""
    found: dict[str, list[str]] = {}
    now: list[str] = []
    for _, line in lines(files.text(makefile(files) or "")):
        rule = _RULE.match(line)
        if rule is not None:
            now = rule[1].split()
            for target in now:
                found.setdefault(target, [])
        elif line.startswith("\t"):
            for target in now:
                found[target].append(line.strip().lstrip("@-+").strip())
    return found


def recipe(target: str, files: Files) -> list[str] | None:
    """What ``make target`` runs, None where there is no such target.

    Targets that another file may hold (``include``) are taken to be there, with no known recipe.
    """
    found = targets(files).get(target)
    if found is None and re.search(r"^-?include\s", files.text(makefile(files) or ""), re.M):
        return []
    return found


def scripts(files: Files) -> dict[str, str]:
    """The scripts of package.json."""
    told = files.json("package.json").get("scripts")
    if not isinstance(told, dict):
        return {}
    return {name: script for name, script in told.items() if isinstance(script, str)}
