from __future__ import annotations

import json
from pathlib import Path

import pytest

from logdocket.grading.pins import Pins, pins
from logdocket.grading.tree import Tree

HASH = "--hash=sha256:" + "0" * 64


def written(root: Path, files: dict[str, str]) -> Tree:
    """A checkout that holds ``files``."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return Tree(root)


def only(root: Path, files: dict[str, str], *commands: str) -> Pins:
    """The one language that declares anything in ``files``."""
    (found,) = pins(written(root, files), commands)
    return found


PYPROJECT = '[project]\nname = "answer"\ndependencies = ["lefty>=1", "righty[x]~=2.0"]\n'
LOCK = '[[package]]\nname = "lefty"\nversion = "1.2"\n[[package]]\nname = "Righty"\n'

PINNED = {
    "versions": {"requirements.txt": "lefty==1.2.0\nrighty[x] == 2.0 ; python_version > '3.8'\n"},
    "hashes": {"requirements.txt": f"lefty==1.2.0 \\\n    {HASH}\nrighty==2 \\\n    {HASH}\n"},
    "another file": {
        "requirements.txt": "-r more/base.txt\nlefty===1.2\n",
        "more/base.txt": "righty==2.0\n",
    },
    "constraints": {
        "requirements.txt": "-c constraints.txt\nlefty\nrighty>=2\n",
        "constraints.txt": "lefty==1.2\nRIGHTY==2.1\n",
    },
    "compiled": {"requirements.in": "lefty\nrighty\n", "requirements.txt": "lefty==1\nrighty==2\n"},
    "commit": {
        "requirements.txt": "lefty @ git+https://git.example/lefty@" + "a" * 40 + "\nrighty==2\n"
    },
    "requirements of pyproject": {
        "pyproject.toml": PYPROJECT,
        "requirements.lock": "lefty==1\nrighty==2",
    },
    "uv": {"pyproject.toml": PYPROJECT, "uv.lock": LOCK},
    "poetry": {
        "pyproject.toml": '[tool.poetry.dependencies]\npython = "^3.11"\nlefty = "^1"\n'
        '[tool.poetry.group.dev.dependencies]\nrighty = {version = "*"}\n',
        "poetry.lock": LOCK,
    },
    "pdm": {
        "pyproject.toml": '[project]\nname = "a"\ndependencies = ["lefty"]\n'
        '[tool.pdm.dev-dependencies]\ntest = ["righty"]\n',
        "pdm.lock": LOCK,
    },
    "pylock": {"pyproject.toml": PYPROJECT, "pylock.toml": LOCK.replace("package", "packages")},
    "pipenv": {
        "Pipfile": '[packages]\nlefty = "*"\n[dev-packages]\nrighty = "*"\n',
        "Pipfile.lock": json.dumps({"default": {"lefty": {}}, "develop": {"righty": {}}}),
    },
    "groups": {
        "pyproject.toml": '[dependency-groups]\na = ["lefty"]\n'
        'b = [{include-group = "a"}, "righty"]\n',
        "uv.lock": LOCK,
    },
    "setup.cfg": {
        "setup.cfg": "[options]\ninstall_requires =\n  lefty>=1\n  righty; python_version<'4'\n",
        "uv.lock": LOCK,
    },
    "a script's header": {
        "app.py": '# /// script\n# dependencies = [\n#   "lefty",\n#   "righty>=1",\n# ]\n# ///\n',
        "app.py.lock": LOCK,
    },
    "setup.py": {
        "setup.py": "import x\nx.setup(install_requires=['lefty', 'righty>=1'])\n",
        "requirements.txt": "lefty==1\nrighty==2\n",
    },
}


@pytest.mark.parametrize("files", PINNED.values(), ids=PINNED)
def test_python_is_pinned(tmp_path: Path, files: dict[str, str]) -> None:
    """In each of the ways in which its tools do so."""
    found = only(tmp_path, files)
    assert (found.language, found.declared, found.loose) == ("Python", ("lefty", "righty"), ())
    assert found.by


LOOSE = {
    "bounds": ("lefty>=1.2\nrighty==2\n", ("lefty",)),
    "wildcard": ("lefty==1.*\nrighty==2\n", ("lefty",)),
    "bare": ("lefty\nrighty # ==2\n", ("lefty", "righty")),
    "compatible": ("lefty~=1.2\nrighty!=2\n", ("lefty", "righty")),
    "branch": ("git+https://git.example/lefty@main#egg=lefty\nrighty==2\n", ("lefty",)),
    "outside": ("-r ../../other.txt\nlefty==1\nrighty\n", ("righty",)),
    "a circle": ("-r requirements.txt\nlefty\nrighty==1\n", ("lefty",)),
}


@pytest.mark.parametrize(("text", "loose"), LOOSE.values(), ids=LOOSE)
def test_a_requirement_without_one_version_is_loose(
    tmp_path: Path, text: str, loose: tuple[str, ...]
) -> None:
    """And is named."""
    found = only(tmp_path, {"requirements.txt": text})
    assert (found.declared, found.loose) == (("lefty", "righty"), loose)


def test_what_stands_outside_of_the_checkout_is_not_read(tmp_path: Path) -> None:
    """Neither by a path nor through a link."""
    (tmp_path / "other.txt").write_text("righty==1\n")
    root = tmp_path / "answer"
    tree = written(root, {"requirements.txt": "-r ../other.txt\n-r link.txt\nlefty==1\n"})
    (root / "link.txt").symlink_to(tmp_path / "other.txt")
    (found,) = pins(tree)
    assert found.declared == ("lefty",)


def test_a_lock_that_lacks_a_requirement_does_not_pin_it(tmp_path: Path) -> None:
    """It was not locked again after the requirement was added."""
    files = {"pyproject.toml": PYPROJECT, "uv.lock": '[[package]]\nname = "lefty"\n'}
    assert only(tmp_path, files).loose == ("righty",)


def test_what_was_not_committed_pins_nothing(tmp_path: Path) -> None:
    """A lock file that the set-up made is not the answer's."""
    files = {
        "package.json": '{"dependencies": {"lefty": "^1.0.0"}}',
        "package-lock.json": '"lefty"',
    }
    written(tmp_path, files)
    (found,) = pins(Tree(tmp_path, frozenset({"package.json"})))
    assert found.loose == ("lefty",)


@pytest.mark.parametrize(
    ("command", "declared", "loose"),
    [
        ("pip install lefty 'righty>=2'", ("lefty", "righty"), ("lefty", "righty")),
        (".venv/bin/pip install -q lefty==1 && echo righty", ("lefty",), ()),
        ("python -m pip --quiet install --upgrade pip lefty", ("lefty",), ("lefty",)),
        ("pip3 install -r deps.txt", ("deeply",), ("deeply",)),
        ("pip install -e . $(EXTRA)", (), ()),
    ],
)
def test_what_is_installed_by_name_is_declared(
    tmp_path: Path, command: str, declared: tuple[str, ...], loose: tuple[str, ...]
) -> None:
    """By the set-up itself, or by the recipe that it stands in."""
    files = {"deps.txt": "deeply>=1\n"}
    found = pins(written(tmp_path, files), (command,))
    assert [(p.declared, p.loose) for p in found] == ([(declared, loose)] if declared else [])
    again = pins(written(tmp_path, files | {"Makefile": f"setup:\n\t{command}\n"}))
    assert again == found


def test_what_is_installed_beyond_the_pins_is_told(tmp_path: Path) -> None:
    """The answer itself and what any environment holds aside."""
    tree = written(tmp_path, {"requirements.txt": "lefty==1\n", ".venv/pyvenv.cfg": ""})
    site = tmp_path / ".venv/lib/python3.11/site-packages"
    for name in ("lefty-1", "pip-25", "Deep_er-2.0", "answer-0"):
        (site / f"{name}.dist-info").mkdir(parents=True)
    (site / "answer-0.dist-info/direct_url.json").write_text('{"url": "file:///somewhere"}')
    (found,) = pins(tree)
    assert found.more == ("deep-er",)


POM = "<dependency><artifactId>a</artifactId><version>{}</version></dependency>"

OTHERS = {
    "npm": (
        "Node",
        "package.json",
        '{"dependencies": {"lefty": "^1.0.0"}}',
        "package-lock.json",
        "lefty",
    ),
    "yarn": (
        "Node",
        "package.json",
        '{"devDependencies": {"@a/b": "*"}}',
        "yarn.lock",
        '"@a/b@*":',
    ),
    "pnpm": (
        "Node",
        "package.json",
        '{"dependencies": {"lefty": "1"}}',
        "pnpm-lock.yaml",
        "lefty:",
    ),
    "deno": ("Deno", "deno.json", '{"imports": {"lefty": "npm:lefty@^1"}}', "deno.lock", "lefty"),
    "go": (
        "Go",
        "go.mod",
        "module a.example/b\nrequire (\n\tc.example/d/v2 v2.0.1\n)\n",
        "go.sum",
        "c.example/d/v2 v2.0.1 h1:",
    ),
    "go line": (
        "Go",
        "go.mod",
        "module b\nrequire c.example/d v1.0.0\n",
        "go.sum",
        "c.example/d v1.0.0 h1:",
    ),
    "cargo": (
        "Rust",
        "Cargo.toml",
        '[dev-dependencies]\nlefty = { version = "1" }\n',
        "Cargo.lock",
        'name = "lefty"',
    ),
    "cargo table": (
        "Rust",
        "Cargo.toml",
        '[dependencies.lefty]\nversion = "1"\n',
        "Cargo.lock",
        "lefty",
    ),
    "ruby": ("Ruby", "Gemfile", "gem 'lefty', '~> 1.0'\n", "Gemfile.lock", "lefty (1.0.1)"),
    "php": (
        "PHP",
        "composer.json",
        '{"require": {"php": ">=8", "a/b": "^1"}}',
        "composer.lock",
        "a/b",
    ),
    "gradle": (
        "Gradle",
        "build.gradle",
        "implementation 'a.example:b:1.+'\n",
        "gradle.lockfile",
        "a.example:b:1.2",
    ),
    "elixir": ("Elixir", "mix.exs", 'defp deps, do: [{:lefty, "~> 1.0"}]\n', "mix.lock", '"lefty"'),
    ".net": (
        ".NET",
        "a.csproj",
        '<PackageReference Include="Lefty" Version="1.*" />',
        "packages.lock.json",
        "Lefty",
    ),
}


@pytest.mark.parametrize(
    ("language", "file", "text", "lock", "locked"), OTHERS.values(), ids=OTHERS
)
def test_a_lock_pins_what_is_loose_without_it(
    tmp_path: Path, language: str, file: str, text: str, lock: str, locked: str
) -> None:
    """In every language with a lock of its own."""
    before = only(tmp_path, {file: text})
    assert (before.language, len(before.loose), before.by) == (language, 1, ())
    after = only(tmp_path, {lock: locked})
    assert (after.declared, after.loose, after.by) == (before.declared, (), (lock,))


@pytest.mark.parametrize(
    ("file", "text", "loose"),
    [
        ("package.json", '{"dependencies": {"a": "1.2.3", "b": "~1.2.3"}}', ("b",)),
        ("pom.xml", POM.format("1.2"), ()),
        ("pom.xml", POM.format("[1,2)"), ("a",)),
        ("build.gradle.kts", 'testImplementation("a.example:b:1.2.3")', ()),
        ("Cargo.toml", '[dependencies]\na = "=1.2.3"\nb = "1.2.3"\n', ("b",)),
        ("Gemfile", "gem 'a', '1.2.3'\ngem 'b'\n", ("b",)),
    ],
)
def test_an_exact_version_needs_no_lock(
    tmp_path: Path, file: str, text: str, loose: tuple[str, ...]
) -> None:
    """What is declared is pinned where it is declared."""
    assert only(tmp_path, {file: text}).loose == loose


@pytest.mark.parametrize(
    "files",
    [
        {},
        {"app.py": "import json\n", "requirements.txt": "# nothing\n"},
        {"package.json": '{"name": "answer", "scripts": {"test": "node --test"}}'},
        {"go.mod": "module a.example/b\n\ngo 1.22\n"},
        {"Cargo.toml": '[package]\nname = "a"\n[dependencies]\n'},
        {"pyproject.toml": '[project]\nname = "a"\n[build-system]\nrequires = ["hatchling"]\n'},
        {
            "package.json": "{",
            "pyproject.toml": "[",
            "setup.cfg": "x",
            "setup.py": "(",
            "Pipfile": "[",
        },
        {
            "tests/fixtures/requirements.txt": "lefty\n",
            "node_modules/a/package.json": '{"dependencies": {"b": "*"}}',
        },
    ],
)
def test_nothing_is_declared(tmp_path: Path, files: dict[str, str]) -> None:
    """Or what is, is broken, or belongs to somebody else."""
    assert pins(written(tmp_path, files)) == ()


def test_each_part_is_told_apart(tmp_path: Path) -> None:
    """A folder for each language is one design of many; a workspace locks above."""
    files = {
        "api/requirements.txt": "lefty==1\n",
        "web/package.json": '{"dependencies": {"righty": "^1"}}',
        "package-lock.json": '"righty"',
    }
    found = pins(written(tmp_path, files))
    assert [(p.language, p.loose) for p in found] == [("Python", ()), ("Node", ())]
