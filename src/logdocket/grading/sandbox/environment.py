"""The environment of a command: what is on the list, and nothing that could be a secret."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

__all__ = ["MARK", "configure", "environment"]

MARK: Final = "LOGDOCKET_SANDBOX"
"""The variable by which a process that left its parents is still found."""

_KEPT: Final = "PATH LANG LC_ALL LC_CTYPE TZ JAVA_HOME GOROOT".split()
_TOOLCHAINS: Final = {
    # Where version managers keep what they start, by variable and by place in the real home.
    "ASDF_DATA_DIR": ".asdf",
    "NVM_DIR": ".nvm",
    "PYENV_ROOT": ".pyenv",
    "RBENV_ROOT": ".rbenv",
    "RUSTUP_HOME": ".rustup",
    "VOLTA_HOME": ".volta",
}
_ONLINE: Final = (
    "PIP_* UV_* POETRY_* NPM_CONFIG_* npm_config_* YARN_* COREPACK_* GOPROXY GONOSUMDB GOSUMDB "
    "GOTOOLCHAIN CARGO_* RUSTUP_DIST_SERVER RUSTUP_UPDATE_ROOT BUNDLE_* "
    "HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY http_proxy https_proxy all_proxy no_proxy "
    "SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE CURL_CA_BUNDLE NODE_EXTRA_CA_CERTS "
    "GIT_SSL_CAINFO XDG_CONFIG_DIRS"
).split()
"""What a set-up, which has the network, may need to reach its registries."""
_HOMES: Final = frozenset(
    # These lead to what is kept in the real home, where the command may not write.
    "CARGO_HOME CARGO_INSTALL_ROOT PIP_CACHE_DIR PIP_TARGET PIP_PREFIX PIP_ROOT PIP_LOG "
    "UV_CACHE_DIR UV_TOOL_DIR UV_PYTHON_INSTALL_DIR UV_PROJECT_ENVIRONMENT POETRY_HOME "
    "POETRY_CACHE_DIR npm_config_cache npm_config_prefix NPM_CONFIG_CACHE NPM_CONFIG_PREFIX "
    "CARGO_TARGET_DIR".split()
)
_SECRET: Final = re.compile(r"KEY|TOKEN|SECRET|PASS(WORD|WD|PHRASE)?|AUTH|CREDENTIAL", re.I)
_LOGIN: Final = re.compile(r"://[^/\s@]+@")
_CONFIGURED: Final = (
    ".cargo/config.toml .config/go/env .config/pip/pip.conf .config/uv/uv.toml .npmrc "
    ".pip/pip.conf .yarnrc.yml"
).split()
"""Files of the home in which a machine's user says where packages come from."""
_BY_LINE: Final = frozenset({".npmrc", ".config/pip/pip.conf", ".pip/pip.conf", ".config/go/env"})
"""Those that still hold without the lines that tell a secret."""
_LONGEST: Final = 64 * 1024
_OFFLINE: Final = {
    "PIP_NO_INDEX": "1",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    "UV_OFFLINE": "1",
    "npm_config_offline": "true",
    "npm_config_update_notifier": "false",
    "GOPROXY": "off",
    "GOTOOLCHAIN": "local",
    "CARGO_NET_OFFLINE": "true",
}
"""So that a package manager says at once that there is no network, and does not wait for it."""
_REFUSING: Final = "http://127.0.0.1:9"
"""Nothing listens at the port of the discard protocol."""
_LOOPBACK: Final = "localhost,127.0.0.1,::1"


def environment(
    told: Mapping[str, str],
    *,
    home: Path,
    temporary: Path,
    mark: str,
    network: bool,
    refuse: bool,
) -> dict[str, str]:
    """The variables of a command, of which ``told`` win.

    ``network`` lets through what package managers need, but nothing that looks like a secret;
    ``refuse`` names a proxy that refuses, for lack of a better way to close the network.
    """
    real = os.environ
    found = {name: real[name] for name in _KEPT if name in real}
    found["PATH"] = _searched(found.get("PATH", os.defpath))
    found.setdefault("LANG", "C.UTF-8")
    for name, place in _TOOLCHAINS.items():
        path = real.get(name) or str(Path(real.get("HOME", "/"), place))
        if os.path.isdir(path):
            found[name] = path
    if network:
        found |= {name: value for name, value in real.items() if _online(name, value)}
    else:
        found |= _OFFLINE
    if refuse and not network:
        for name in ("http_proxy", "https_proxy", "all_proxy"):
            found[name] = found[name.upper()] = _REFUSING
        found["no_proxy"] = found["NO_PROXY"] = _LOOPBACK
    own = {"HOME": str(home), "TMPDIR": str(temporary), "TERM": "dumb"}
    return found | own | dict(told) | {MARK: mark}


def _searched(path: str) -> str:
    """The absolute places of ``path``; for our own virtual environment, the interpreter that it was
    made of: an answer must not find packages there that it does not install.
    """
    own = os.path.realpath(os.path.join(sys.prefix, "bin"))
    base = os.path.join(sys.base_prefix, "bin")
    places = (part for part in path.split(os.pathsep) if os.path.isabs(part))
    return os.pathsep.join(base if os.path.realpath(part) == own else part for part in places)


def _online(name: str, value: str) -> bool:
    if name in _HOMES or not any(fnmatchcase(name, one) for one in _ONLINE):
        return False
    return not _SECRET.search(name) and not _LOGIN.search(value)


def configure(home: Path) -> None:
    """Write to ``home`` how this machine's user reaches the registries, and no secret."""
    real = Path(os.environ.get("HOME", "/"))
    for name in _CONFIGURED:
        try:
            text = (real / name).read_text("utf-8")[:_LONGEST]
        except (OSError, ValueError):
            continue
        lines = text.rstrip("\n").split("\n")
        kept = [line for line in lines if not _telling(line)]
        if kept and (len(kept) == len(lines) or name in _BY_LINE):
            path = home / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("\n".join(kept) + "\n", "utf-8")


def _telling(line: str) -> bool:
    return bool(_SECRET.search(line) or _LOGIN.search(line))
