"""The copy of an answer, and git on a repository that means harm."""

from __future__ import annotations

import os
import socket
import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest

from logdocket.errors import GradingError
from logdocket.grading import checkout

_WHO = ("-c", "user.name=Test", "-c", "user.email=test@web-1.example", "-c", "commit.gpgsign=false")


def run(folder: Path, *words: str) -> None:
    """Run git in the repository that is being made."""
    subprocess.run(["git", *_WHO, *words], cwd=folder, check=True, capture_output=True)


def write(folder: Path, *paths: str) -> None:
    """Files that hold their own path."""
    for path in paths:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(path)


def files(folder: Path) -> set[str]:
    """The files below ``folder``, links included, history left out."""
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if (path.is_symlink() or not path.is_dir()) and ".git" not in path.parts
    }


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """An empty folder of an answer."""
    (tmp_path / "source").mkdir()
    (tmp_path / "root").mkdir()
    return tmp_path / "source"


@pytest.fixture
def repository(source: Path) -> Path:
    """A repository with one commit."""
    run(source, "init", "--quiet")
    write(source, "app.py", "folder/deep.py", "gone.py")
    (source / ".gitignore").write_text("ignored\n*.log\n")
    run(source, "add", "--all")
    run(source, "commit", "--quiet", "--message", "Begin")
    return source


def copied(source: Path) -> Path:
    """The copy of ``source``."""
    return checkout.copy(source, source.parent / "root")


def test_what_git_knows_of_is_copied(repository: Path) -> None:
    """Tracked, or neither tracked nor ignored; and as it is now."""
    write(repository, "new.py", "ignored", "x.log", ".venv/bin/tool", "node_modules/a/index.js")
    (repository / "gone.py").unlink()
    (repository / "app.py").write_text("changed")
    copy = copied(repository)
    assert files(copy) == {".gitignore", "app.py", "folder/deep.py", "new.py"}
    assert (copy / "app.py").read_text() == "changed"


def test_what_was_committed_is_copied_whatever_its_name(repository: Path) -> None:
    """Whoever commits node_modules hands it in."""
    write(repository, "node_modules/a/index.js")
    run(repository, "add", "--force", "node_modules")
    assert "node_modules/a/index.js" in files(copied(repository))


def test_the_history_comes_along(repository: Path) -> None:
    """What once stood there can be searched."""
    copy = copied(repository)
    listed = checkout.git(copy, "log", "--format=%s")
    assert listed == b"Begin\n"
    assert checkout.git(copy, "rev-parse", "--is-shallow-repository") == b"false\n"


def test_a_plain_tree_is_copied_without_what_tools_made(source: Path) -> None:
    """Dependencies and caches are made anew."""
    write(
        source,
        *("app.py", "a/b/c.py", ".venv/bin/python", "a/venv/x", "node_modules/x", "__pycache__/x"),
        *("a/.pytest_cache/x", ".env"),
    )
    (source / "empty").mkdir()
    copy = copied(source)
    assert files(copy) == {".env", "app.py", "a/b/c.py"}
    assert (copy / "empty").is_dir()


def test_a_repository_within_is_copied_as_a_tree(repository: Path) -> None:
    """Its own history is not the answer's."""
    write(repository, "inner/part.py")
    run(repository / "inner", "init", "--quiet")
    copy = copied(repository)
    assert "inner/part.py" in files(copy)
    assert not (copy / "inner/.git").exists()


def test_links_stay_links(source: Path) -> None:
    """Wherever they lead."""
    write(source, "real")
    for name, target in {"link": "real", "out": "/etc", "nowhere": "missing", "loop": "."}.items():
        (source / name).symlink_to(target)
    copy = copied(source)
    links = {name: os.readlink(copy / name) for name in ("link", "out", "nowhere", "loop")}
    assert links == {"link": "real", "out": "/etc", "nowhere": "missing", "loop": "."}


def test_a_folder_that_became_a_link_leads_nowhere(repository: Path, tmp_path: Path) -> None:
    """The index still names files below it."""
    write(tmp_path, "elsewhere/deep.py")
    (repository / "folder/deep.py").unlink()
    (repository / "folder").rmdir()
    (repository / "folder").symlink_to(tmp_path / "elsewhere")
    copy = copied(repository)
    assert not (copy / "folder").exists() or (copy / "folder").is_symlink()


def test_special_files_stay_behind(source: Path) -> None:
    """A pipe would hold the copy up forever."""
    write(source, "app.py")
    os.mkfifo(source / "pipe")
    (source / "s").mkdir()
    with socket.socket(socket.AF_UNIX) as bound:
        here = os.open(source, os.O_RDONLY)
        bound.bind(f"/proc/self/fd/{here}/s/socket")
        os.close(here)
        assert files(copied(source)) == {"app.py"}


def test_modes_are_kept_but_for_those_that_give_rights(source: Path) -> None:
    """A script stays one, and the owner can always read."""
    write(source, "script", "plain", "closed")
    (source / "script").chmod(0o4755)
    (source / "closed").chmod(0o400)
    copy = copied(source)
    modes = {name: stat.S_IMODE((copy / name).stat().st_mode) for name in ("script", "closed")}
    assert modes == {"script": 0o755, "closed": 0o600}


@pytest.mark.parametrize(("bound", "most"), [("_MOST_FILES", 2), ("_MOST_BYTES", 10)])
def test_what_is_too_large_is_refused(
    source: Path, monkeypatch: pytest.MonkeyPatch, bound: str, most: int
) -> None:
    """With the mend."""
    write(source, "one.py", "two.py", "three.py")
    monkeypatch.setattr(checkout, bound, most)
    with pytest.raises(GradingError, match="remove or ignore what is not part of the answer"):
        copied(source)


_HOSTILE = {
    "core.fsmonitor": "{run}",
    "core.hooksPath": "{hooks}",
    "core.pager": "{run}",
    "core.sshCommand": "{run}",
    "diff.external": "{run}",
    "diff.evil.command": "{run}",
    "diff.evil.textconv": "{run}",
    "filter.evil.clean": "{run}",
    "filter.evil.smudge": "{run}",
    "filter.evil.process": "{run}",
    "gpg.program": "{run}",
    "log.showSignature": "true",
    "pager.log": "{run}",
    "pager.ls-files": "{run}",
    "protocol.allow": "always",
    "protocol.ext.allow": "always",
    "remote.origin.promisor": "true",
    "remote.origin.partialclonefilter": "blob:none",
    "remote.origin.url": "ext::{run}",
    "extensions.partialClone": "origin",
    "core.repositoryFormatVersion": "1",
    "alias.log": "!{run}",
}


def test_nothing_of_a_hostile_repository_is_run(repository: Path, tmp_path: Path) -> None:
    """Not by its configuration, its attributes or its hooks."""
    ran, hooks = tmp_path / "ran", tmp_path / "hooks"
    program = tmp_path / "evil"
    program.write_text(f"#!/bin/sh\necho $0 $@ >> {ran}\ncat\n")
    program.chmod(0o755)
    hooks.mkdir()
    for hook in ("post-index-change", "post-checkout", "reference-transaction"):
        (hooks / hook).symlink_to(program)
    (repository / ".gitattributes").write_text("* diff=evil filter=evil\n")
    for key, value in _HOSTILE.items():
        run(repository, "config", key, value.format(run=program, hooks=hooks))
    (repository / "app.py").write_text("changed\n")
    ran.unlink(missing_ok=True)
    copy = copied(repository)
    assert "app.py" in files(copy)
    for words in (
        ("ls-files", "--others", "--exclude-standard"),
        ("log", "--patch"),
        ("show", "HEAD"),
        ("diff-tree", "--root", "--patch", "HEAD"),
        ("rev-list", "--objects", "--all"),
        ("cat-file", "blob", "0" * 39 + "1"),
        ("cat-file", "blob", "HEAD:app.py"),
    ):
        checkout.git(copy, *words)
    assert not ran.exists(), ran.read_text()
    assert checkout.git(copy, "cat-file", "blob", "HEAD:app.py") == b"app.py"


def test_a_configuration_that_never_ends_is_given_up_once(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer is copied as a plain tree, and later questions are not asked at all."""
    monkeypatch.setattr(checkout, "_FIRST", 0.5)
    os.mkfifo(repository.parent / "pipe")
    with (repository / ".git" / "config").open("a") as config:
        config.write(f'[include]\n\tpath = "{repository.parent / "pipe"}"\n')
    started: list[list[str]] = []
    real = subprocess.run

    def counted(words: list[str], **rest: Any) -> Any:
        started.append(words)
        return real(words, **rest)

    monkeypatch.setattr(subprocess, "run", counted)
    copy = copied(repository)
    assert files(copy) == {".gitignore", "app.py", "folder/deep.py", "gone.py"}
    assert checkout.git(copy, "log") is None
    assert checkout.git(copy, "log") is None
    assert [words[2] for words in started] == ["rev-parse"] * 2  # in the source, and in the copy


def test_a_working_tree_elsewhere_is_not_looked_at(repository: Path, tmp_path: Path) -> None:
    """The configuration may name any folder."""
    write(tmp_path, "private/diary")
    run(repository, "config", "core.worktree", str(tmp_path / "private"))
    assert files(copied(repository)) == {".gitignore", "app.py", "folder/deep.py", "gone.py"}


def test_a_history_elsewhere_is_not_read(source: Path, repository: Path, tmp_path: Path) -> None:
    """A link, or a file that names it, is no history of the answer."""
    (repository / ".git").rename(tmp_path / "private")
    (repository / ".git").symlink_to(tmp_path / "private")
    assert checkout.git(repository, "log") is None
    copy = copied(repository)
    assert "app.py" in files(copy)
    assert not (copy / ".git").exists()


@pytest.mark.parametrize("word", ["status", "fetch", "checkout", "-c"])
def test_git_is_not_asked_for_what_could_run_something(repository: Path, word: str) -> None:
    """A filter sees every file that is compared with the index."""
    with pytest.raises(ValueError, match="git may be asked"):
        checkout.git(repository, word)


def test_what_git_cannot_do_is_none(repository: Path) -> None:
    """And so is a folder that is no repository."""
    assert checkout.git(repository, "cat-file", "blob", "HEAD:missing") is None
    assert checkout.git(repository.parent / "root", "log") is None


def test_git_reads_what_it_is_given(repository: Path) -> None:
    """For commands that take a list of objects."""
    answer = checkout.git(repository, "cat-file", "--batch-check", stdin=b"HEAD:app.py\n")
    assert answer is not None
    assert answer.split()[1:] == [b"blob", b"6"]
