from __future__ import annotations

from pathlib import Path

from logdocket.grading.tree import Tree


def made(root: Path, *names: str) -> Path:
    """A checkout of files that hold their own names."""
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(name)
    return root


def test_files_are_found_by_their_names(tmp_path: Path) -> None:
    """Sorted; those of other folders, and folders themselves, aside."""
    tree = Tree(made(tmp_path, "b.txt", "a.txt", "c.md", "d.txt/e.txt"))
    assert tree.like("", "*.txt") == ["a.txt", "b.txt"]
    assert tree.like("d.txt", "*.txt", "*.md") == ["d.txt/e.txt"]
    assert tree.like("nowhere", "*") == []


def test_only_what_is_committed_is_there(tmp_path: Path) -> None:
    """Where that is known."""
    tree = Tree(made(tmp_path, "a.lock", "b.lock"), frozenset({"a.lock", "gone.lock"}))
    assert tree.like("", "*.lock") == ["a.lock"]
    assert [tree.text(name) for name in ("a.lock", "b.lock", "gone.lock")] == ["a.lock", "", ""]


def test_what_a_link_leads_to_outside_is_not_there(tmp_path: Path) -> None:
    """Whoever made it wants something read that is not theirs."""
    root = made(tmp_path / "answer", "a.txt")
    (root / "out.txt").symlink_to(made(tmp_path, "secret.txt") / "secret.txt")
    (root / "in.txt").symlink_to(root / "a.txt")
    tree = Tree(root)
    assert tree.like("", "*.txt") == ["a.txt", "in.txt"]
    assert tree.text("out.txt") == tree.text("../secret.txt") == ""


def test_a_part_of_the_answer_stands_near_its_root(tmp_path: Path) -> None:
    """What is installed, hidden, made or only an example is none of its parts."""
    made(tmp_path, "api/a", "services/web/a", "services/web/deep/a", "node_modules/x/a")
    made(tmp_path, ".venv/a", "tests/fixtures/a", "dist/a")
    assert list(Tree(tmp_path).folders()) == ["", "api", "services", "services/web"]


def test_a_lock_above_holds_for_what_is_below(tmp_path: Path) -> None:
    """The nearest one counts."""
    tree = Tree(made(tmp_path, "x.lock", "api/x.lock", "api/deep/a", "web/a"))
    assert tree.above("api/deep", ("*.lock",)) == ["api/x.lock"]
    assert tree.above("web", ("*.lock",)) == ["x.lock"]
    assert tree.above("web", ("*.sum",)) == []
