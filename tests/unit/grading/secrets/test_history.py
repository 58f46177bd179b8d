from __future__ import annotations

import random
import string
import subprocess
from pathlib import Path

import pytest

from logdocket.grading.checkout import git
from logdocket.grading.secrets import history
from logdocket.grading.secrets.history import searched
from logdocket.grading.tree import Tree

CHANCE = random.Random(7)
KEY = "sk-" + "ant-api03-" + "".join(CHANCE.choices(string.ascii_letters + string.digits, k=80))
TOKEN = "gh" + "p_" + "".join(CHANCE.choices(string.ascii_letters + string.digits, k=36))
WHO = ("-c", "user.name=Somebody", "-c", "user.email=somebody@web-1.example")


def run(root: Path, *arguments: str) -> None:
    """Run git in the repository that is being made."""
    subprocess.run(["git", *WHO, *arguments], cwd=root, check=True, capture_output=True)


def commit(root: Path, files: dict[str, str | None]) -> None:
    """Commit ``files``; None removes one."""
    for name, text in files.items():
        if text is None:
            (root / name).unlink()
        else:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
    run(root, "add", "--all")
    run(root, "commit", "--quiet", "--message", "Change")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A repository with one harmless commit."""
    run(tmp_path, "init", "--quiet", "--initial-branch", "main")
    commit(tmp_path, {"app.py": "import os\n", "README.md": "Set MODEL_KEY=your-key-here.\n"})
    return tmp_path


def told(root: Path) -> list[str]:
    """The places of what is found."""
    return [leak.said for leak in searched(root, git).leaks]


def test_a_secret_that_was_removed_is_still_found(root: Path) -> None:
    """Where it stood; a removal leaves it in the history."""
    commit(root, {"settings.py": f"import os\nMODEL_KEY = '{KEY}'\n"})
    commit(root, {"settings.py": "import os\nMODEL_KEY = os.environ['MODEL_KEY']\n"})
    assert told(root) == ["settings.py:2 (Model API Key, in the history alone)"]


def test_a_secret_that_stands_there_is_found_once(root: Path) -> None:
    """In the tree, though the history holds it as well."""
    commit(root, {".env": f"MODEL_KEY={KEY}\n"})
    commit(root, {".env": f"# The model.\nMODEL_KEY={KEY}\n"})
    assert told(root) == [".env:2 (Model API Key)"]


def test_every_branch_and_tag_is_searched(root: Path) -> None:
    """Whoever clones it has them all."""
    run(root, "switch", "--quiet", "--create", "aside")
    commit(root, {"aside.py": f"call('{KEY}')\n"})
    run(root, "switch", "--quiet", "main")
    run(root, "switch", "--quiet", "--detach")
    commit(root, {"tagged.py": f"call('{TOKEN}')\n"})
    run(root, "tag", "once")
    run(root, "switch", "--quiet", "main")
    assert told(root) == [
        "aside.py:1 (Model API Key, in the history alone)",
        "tagged.py:1 (GitHub Token, in the history alone)",
    ]


def test_what_is_not_committed_is_nobodys(root: Path) -> None:
    """The key in an ignored file is where it belongs."""
    commit(root, {".gitignore": ".env\n"})
    (root / ".env").write_text(f"MODEL_KEY={KEY}\n")
    found = searched(root, git)
    assert (found.leaks, found.history, found.bounds) == ((), True, ())


def test_without_a_repository_the_files_are_searched(tmp_path: Path) -> None:
    """All that was handed over, environments of libraries aside."""
    for name in (".env", "deep/er/a.py", ".venv/lib/a.py", "node_modules/a/a.js"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"x = '{KEY}'\n" if name == ".env" else f"call('{TOKEN}')\n")
    (tmp_path / ".venv/pyvenv.cfg").touch()
    found = searched(tmp_path, git)
    assert not found.history
    assert [leak.path for leak in found.leaks] == [".env", "deep/er/a.py"]


def test_a_repository_that_holds_nothing_is_none(tmp_path: Path) -> None:
    """Somebody who only ran git init handed over files."""
    run(tmp_path, "init", "--quiet")
    (tmp_path / "app.py").write_text(f"call('{KEY}')\n")
    assert told(tmp_path) == ["app.py:1 (Model API Key)"]
    assert Tree.of(tmp_path, git).committed is None


def test_links_are_not_followed(tmp_path: Path) -> None:
    """Neither out of the checkout nor within it."""
    (tmp_path / "outside").write_text(f"call('{KEY}')\n")
    root = tmp_path / "answer"
    root.mkdir()
    (root / "link.py").symlink_to(tmp_path / "outside")
    (root / "loop").symlink_to(root)
    assert told(root) == []


def test_a_name_that_is_no_text_is_told(root: Path) -> None:
    """File names may be any bytes."""
    name = b"\xff \n.py".decode("utf-8", "surrogateescape")
    (root / name).write_text(f"call('{KEY}')\n")
    run(root, "add", "--all")
    (leak,) = searched(root, git).leaks
    leak.said.encode("utf-8")


def test_bounds_are_told(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was not searched may hold anything."""
    monkeypatch.setattr(history, "_FILE", 100)
    monkeypatch.setattr(history, "_BATCH", 150)
    commit(root, {"large.txt": "x" * 200 + f" {KEY}\n", "small.py": f"call('{TOKEN}')\n"})
    found = searched(root, git)
    assert [leak.path for leak in found.leaks] == ["small.py"]
    assert found.bounds == (
        "Only the first MiB of large.txt was searched.",
        "1 old version of a file was too large, or one too many, to search.",
    )


def test_a_broken_history_is_told(root: Path) -> None:
    """It could hide what it holds."""
    for packed in (root / ".git/objects").glob("??"):
        for one in packed.iterdir():
            one.chmod(0o600)
            one.write_bytes(b"broken")
    assert searched(root, git).bounds == ("The history could not be read.",)
