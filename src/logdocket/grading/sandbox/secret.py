"""Where secrets are kept on a machine, and doors to its other services."""

from __future__ import annotations

import os
import pwd
from collections.abc import Iterator
from typing import Final

__all__ = ["covered"]

_HOME: Final = (
    ".ssh .aws .azure .gnupg .docker .kube .netrc .npmrc .yarnrc .yarnrc.yml .pypirc .pgpass "
    ".my.cnf .git-credentials .gitconfig .config .password-store .mozilla .vault-token "
    ".terraform.d .terraformrc .boto .s3cfg .oci .gem/credentials .bundle/config "
    ".cargo/credentials .cargo/credentials.toml .m2/settings.xml .gradle/gradle.properties "
    ".local/share/keyrings .local/share/pypoetry .env .envrc .bash_history .zsh_history "
    ".python_history .psql_history .node_repl_history .claude .codex"
).split()
"""Below the home of whoever grades."""
_MACHINE: Final = (
    "/etc/shadow /etc/gshadow /etc/sudoers /etc/ssh /etc/kubernetes /etc/docker "
    "/run/docker.sock /run/containerd /run/podman /run/dbus /run/user /run/secrets "
    "/run/credentials /var/spool/cron"
).split()


def covered() -> list[str]:
    """The places, of those that are there, which a command must not see."""
    return [path for path in _places() if os.path.lexists(path)]


def _places() -> Iterator[str]:
    for home in sorted(_homes()):
        yield from (os.path.join(home, name) for name in _HOME)
    yield from _MACHINE


def _homes() -> set[str]:
    found = {os.environ.get("HOME", "")}
    for name in (os.environ.get("SUDO_USER"), None):
        try:
            entry = pwd.getpwnam(name) if name else pwd.getpwuid(os.getuid())
        except KeyError:
            continue
        found.add(entry.pw_dir)
    return {home for home in found if os.path.isabs(home) and home != "/"}
