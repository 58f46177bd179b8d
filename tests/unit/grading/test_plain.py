from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from logdocket.grading.plain import beginning, is_plain


def _checkout(tmp_path: Path) -> Path:
    root = tmp_path / "checkout"
    (root / "a").mkdir(parents=True)
    return root


def _link_out(path: Path) -> None:
    path.symlink_to("/etc/passwd")


@pytest.mark.parametrize(
    "make",
    [os.mkfifo, Path.mkdir, _link_out, lambda path: path.symlink_to(path), lambda path: 0],
    ids=["pipe", "folder", "link out", "link to itself", "none"],
)
def test_what_is_no_plain_file_is_not_read(make: Callable[[Path], object], tmp_path: Path) -> None:
    """And nobody waits for it."""
    root = _checkout(tmp_path)
    make(root / "it")
    assert beginning(root, "it", 100) is None
    assert not is_plain(root, "it")


@pytest.mark.parametrize("path", ["../it", "/etc/passwd", "a/../../it", "\0"])
def test_no_path_leads_out(path: str, tmp_path: Path) -> None:
    """Though there is a file."""
    root = _checkout(tmp_path)
    (tmp_path / "it").write_text("somebody else's")
    assert beginning(root, path, 100) is None
    assert not is_plain(root, path)


def test_a_plain_file_is_read_up_to_a_bound(tmp_path: Path) -> None:
    """By a link within the folder as well."""
    root = _checkout(tmp_path)
    (root / "it").write_bytes(b"0123456789")
    (root / "a" / "link").symlink_to(root / "it")
    for path in ("it", "a/link", "a/../it"):
        assert is_plain(root, path)
        assert beginning(root, path, 4) == b"0123"
        assert beginning(root, path, 100) == b"0123456789"
